//! Fire: what supports an assault, what answers it, what guns and aircraft do by themselves. Rules 11 and 12.5.

use terrain::Cell;

use super::{Desk, position};
use crate::battalions::Mode;
use crate::choice::{Choice, Gun};
use crate::scenario::Side;
use crate::state::NOBODY;
use crate::units::Units;

impl Desk<'_> {
    /// Fire that could be brought down on a zone, at most three.
    pub(super) fn fire_at_hand(&self, to: Cell) -> u8 {
        let (s, side) = (self.s, self.side.index());
        if s.night {
            return 0;
        }
        (self.guns_on(to, self.side) + s.art[side] + s.air[side]).min(self.rules.tables.fire_max)
    }

    /// The fire that the defenders of a zone will have in answer: guns on the map fire for nothing; off-map artillery and
    /// aircraft are spent where much is at stake, and elsewhere half of the time.
    pub(super) fn foreseen_fire(&self, to: Cell) -> u8 {
        let (rules, s) = (self.rules, self.s);
        if s.night {
            return 0;
        }
        let enemy = self.side.enemy();
        let off_map = s.art[enemy.index()] + s.air[enemy.index()];
        let at_stake = rules.key_at(to).is_some() || rules.others(s, to, NOBODY) > 1;
        let off_map = if at_stake { off_map } else { off_map.div_ceil(2) };
        (self.guns_on(to, enemy) + off_map).min(rules.tables.fire_max)
    }

    /// Artillery of a side on the map that may fire in support at a zone.
    fn guns_on(&self, to: Cell, side: Side) -> u8 {
        let guns = Units(self.rules.guns.0 & self.rules.armies[side.index()].0);
        guns.into_iter().filter(|gun| self.rules.may_fire(self.s, *gun, to, false)).count() as u8
    }

    /// Strikes go first at what is lost for good.
    pub(super) fn strike_worth(&self, unit: u8) -> i32 {
        let (rules, s) = (self.rules, self.s);
        let save = i32::from(rules.shelter_need(s, unit, true));
        let troop = rules.troop(unit);
        let lost = troop.mode == Mode::Mechanized || rules.breaks_for_good(s, unit);
        let prize = i32::from(troop.worth) * if lost { 2 } else { 1 };
        let worth = (10 - save) * prize * self.weights.air / 100;
        // A save that hardly fails is not worth an aircraft that could help an assault.
        if save >= 8 { 0 } else { 2000 + worth }
    }

    pub(super) fn shell_worth(&self, gun: u8) -> i32 {
        let (rules, s) = (self.rules, self.s);
        let mut best = 0;
        for target in rules.targets(s, false) {
            if gun == NOBODY || rules.may_fire(s, gun, s.unit(target).zone, true) {
                best = best.max(self.target_worth(gun, target));
            }
        }
        // Corps artillery that is not needed now defends in the enemy's turn.
        let keep = if gun == NOBODY && !self.plan.attacks { 18 } else { 0 };
        (best - keep) * self.weights.shelling / 100
    }

    fn target_worth(&self, gun: u8, target: u8) -> i32 {
        let (rules, s) = (self.rules, self.s);
        let zone = s.unit(target).zone;
        let hit = i32::from(rules.ranged_need(gun, target, 0));
        let save = i32::from(rules.fire_save_need(s, gun, target));
        let mut prize = 30 + 10 * i32::from(rules.others(s, zone, NOBODY));
        if rules.key_at(zone).is_some() {
            prize += 20;
        }
        if rules.troop(target).detachment {
            prize += 20;
        }
        hit * (10 - save) * prize / 100
    }

    pub(super) fn target(&self, choice: Choice) -> i32 {
        if let Choice::At(unit) = choice { self.target_worth(self.s.act.lead, unit) } else { 0 }
    }

    /// Guns on the map fire for nothing; corps artillery and aircraft only where much is at stake.
    pub(super) fn defensive_fire(&self, choices: &[Choice]) -> usize {
        let (rules, s) = (self.rules, self.s);
        let fight = rules.fight(s);
        let loss = i32::from(rules.assault_need(s, &fight)) * i32::from(10 - rules.defender_need(s, &fight));
        let at = self.best(choices, |choice| match choice {
            Choice::Fire(Gun::Battalion(_)) if loss > 3 => 3,
            Choice::Fire(Gun::Corps) if loss > 15 => 2,
            Choice::Fire(Gun::Air) if loss > 25 => 1,
            Choice::Ready => 0,
            _ => i32::MIN,
        });
        if matches!(choices[at], Choice::Fire(_)) { at } else { position(choices, Choice::Ready) }
    }
}
