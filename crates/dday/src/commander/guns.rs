//! Where artillery goes: to where it can fire, out of the enemy's reach. Rules 10.9, 11.4, 17.3.

use terrain::Cell;

use super::Desk;
use super::plan::NO_GOAL;
use crate::battalions::{Class, Mode};

/// How many enemies in range make a firing position as good as it can be.
const TARGETS: usize = 5;

impl Desk<'_> {
    /// Whether a battalion is of guns, which stay away from an enemy next to them.
    pub(super) fn is_gun(&self, unit: u8) -> bool {
        self.rules.troop(unit).class.is_artillery() || self.rules.troop(unit).class == Class::Antitank
    }

    /// Whether artillery has somebody in range where it could fire: afloat it can't (rule 17.3).
    pub(super) fn serves(&self, gun: u8, zone: Cell) -> bool {
        !self.rules.lay(zone).water && self.plan.enemy(zone) <= self.rules.troop(gun).range
    }

    /// How much artillery wants to move. After the infantry, so that it does not stand in its way on the beach; and not
    /// for a little, since a battery on the move is silent until the next turn (rule 10.9).
    pub(super) fn gun_urge(&self, gun: u8, zone: Cell) -> i32 {
        let little = if self.serves(gun, zone) && !self.s.night { 16 } else { 4 };
        let gain = self.best_step(gun, zone);
        if gain > little { 25 + gain.min(60) } else { 0 }
    }

    /// How good a zone is for artillery: the enemy and the objectives in range, friends in front, nobody next to it.
    pub(super) fn gun_score(&self, gun: u8, zone: Cell) -> i32 {
        let (rules, s) = (self.rules, self.s);
        let troop = rules.troop(gun);
        let in_range = |other: Cell| rules.distance(zone, other) <= troop.range;
        let targets = rules.armies[self.side.enemy().index()]
            .into_iter()
            .filter(|unit| s.unit(*unit).on_map() && in_range(s.unit(*unit).zone))
            .take(TARGETS)
            .count() as i32;
        let mut score = 5 * targets;
        for (key, info) in rules.scenario.keys.iter().enumerate() {
            let contested = rules.holder(s, key) != self.side || self.plan.enemy(info.zone) <= 3;
            if info.vp > 0 && contested && in_range(info.zone) {
                score += 3;
            }
        }
        let goal = self.goal_from(gun, zone);
        if goal != NO_GOAL {
            // With nobody in range it follows the others at once, else at its leisure.
            score -= i32::from(self.plan.way(goal, zone)) * if targets == 0 { 3 } else { 1 };
        }
        let friends =
            s.stack(zone).filter(|unit| *unit != gun && rules.troop(*unit).class.is_combat()).count();
        score -= match (self.plan.enemy(zone), friends) {
            (0 | 1, 0) => 60,
            (0 | 1, 1) => 25,
            (0 | 1, _) => 12,
            (2, 0) => 15,
            _ => 0,
        };
        if self.plan.enemy(zone) <= 3 && rules.lay(zone).rough && troop.mode != Mode::Mechanized {
            score += 3;
        }
        if rules.lay(zone).water {
            score -= 60;
        }
        score
    }
}
