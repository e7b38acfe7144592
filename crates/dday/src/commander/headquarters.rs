//! Where headquarters go. Rules 9.1, 9.5.

use terrain::{Cell, Octant};

use super::Desk;
use crate::units::Units;

impl Desk<'_> {
    /// How much an HQ wants to be activated.
    pub(super) fn hq_urge(&self, hq: u8, zone: Cell) -> i32 {
        let (rules, s) = (self.rules, self.s);
        let column = rules.column(s, Units::one(hq));
        let here = self.hq_score(hq, zone);
        let mut best = here;
        for way in Octant::ALL {
            if rules.step(s, &column, zone, way, true, false).is_ok() {
                best = best.max(self.hq_score(hq, rules.near(zone, way)));
            }
        }
        if best > here + 5 { 50 + best - here } else { 0 }
    }

    /// An HQ wants its battalions in reach and the enemy out of it. Rules 9.1, 9.5.
    pub(super) fn hq_score(&self, hq: u8, zone: Cell) -> i32 {
        let (rules, s) = (self.rules, self.s);
        let (formation, range) =
            (rules.troop(hq).formation, rules.tables.command_range[rules.troop(hq).quality as usize]);
        let mut score = match self.plan.enemy(zone) {
            0 | 1 => -60,
            2 => -8,
            _ => 0,
        };
        for unit in rules.armies[self.side.index()] {
            if rules.troop(unit).formation != formation || unit == hq || !s.unit(unit).on_map() {
                continue;
            }
            let far = rules.distance(s.unit(unit).zone, zone);
            score += if far <= range { 8 } else { -i32::from(far - range) };
        }
        if rules.others(s, zone, hq) > 0 {
            score += 4;
        }
        // Its battalions go ashore, and so does it.
        if rules.lay(zone).water {
            score -= 10;
        }
        score
    }
}
