//! Battles: which to fight, at what to fire, when to leave, who takes the hits.

use crate::choice::Choice;
use crate::policy::Mind;
use crate::state::State;
use crate::units::{Class, Kind};
use crate::world::Atlas;

impl Mind<'_> {
    /// The balance of a Battle in hundredths: what the own side makes of it against the other.
    fn balance(&self, area: u8) -> i32 {
        let (hits, steps) = self.strength(self.me, area);
        let (def_hits, def_steps) = self.defence(area);
        if def_steps == 0 {
            return 900;
        }
        (hits * steps / (def_hits * def_steps / 100).max(1)).min(900)
    }

    /// Which Battle, against whom, with which group.
    pub fn rate_battle(&self, choice: Choice) -> i32 {
        match choice {
            Choice::Fight(area) => self.balance(area),
            Choice::Avoid(_) => 80,
            Choice::Select(area) => self.balance(area),
            Choice::Against(parties) => parties.count() as i32,
            Choice::Group(block) => {
                let unit = &self.state.blocks[usize::from(block)];
                i32::from(unit.cv)
            }
            _ => 0,
        }
    }

    /// Fire where most hits are to be expected, Ground first; leave when all is lost.
    pub fn rate_action(&self, choice: Choice) -> i32 {
        match choice {
            Choice::Fire(block, class) => self.rate_fire(usize::from(block), class),
            Choice::Raid(block) => {
                let unit = &self.state.blocks[usize::from(block)];
                40 * i32::from(unit.cv)
            }
            Choice::Strike(block) => {
                let unit = &self.state.blocks[usize::from(block)];
                20 * i32::from(unit.cv) + if self.is_lost(unit.area) { 60 } else { 0 }
            }
            Choice::Retreat(block, to) | Choice::Rebase(block, to) => {
                self.rate_flight(usize::from(block), to)
            }
            _ => 0,
        }
    }

    fn rate_fire(&self, block: usize, class: Class) -> i32 {
        let power = i32::from(self.rules.firepower(self.state, block, class));
        let dice = i32::from(self.rules.dice(self.state, block, class));
        let expected = 100 * dice * power / 6;
        // No more than there is to hit.
        let at_sea = Atlas::is_sea(self.state.battle.area);
        let attacking = self.rules.attacks(self.state, block);
        let mut there = 0;
        for (other, unit) in self.state.blocks_at(self.state.battle.area) {
            let opposed = if attacking {
                self.rules.defends(self.state, other)
            } else {
                self.rules.attacks(self.state, other)
            };
            if opposed && unit.kind.class(at_sea) == class {
                there += 100 * i32::from(unit.cv) / i32::from(unit.kind.hit_cost(at_sea));
            }
        }
        let weight = match class {
            Class::Ground => 130,
            Class::Naval => 110,
            Class::Air => 105,
            Class::Submarine => 100,
        };
        expected.min(there) * weight / 100 + 10
    }

    /// Whether the own side is so weak that it can only leave.
    fn is_lost(&self, area: u8) -> bool {
        self.balance(area) < 25
    }

    /// Leaving: hardly ever from a capital, and only when all is lost.
    fn rate_flight(&self, block: usize, to: u8) -> i32 {
        let unit = &self.state.blocks[block];
        let area = unit.area;
        let capital = self.own_capitals().any(|own| own == area);
        let safe = self.haven(to);
        if capital || !self.is_lost(area) {
            return -400 + safe;
        }
        // Where only this unit could still be saved.
        let others = self.state.own_at(self.me, area).count();
        let keeps = if Atlas::is_sea(area) { 120 } else { 60 };
        keeps + safe - 10 * others as i32
    }

    /// How good a place is to retreat to.
    fn haven(&self, to: u8) -> i32 {
        let need = if Atlas::is_sea(to) { 0 } else { self.need(to).min(5) };
        let capital = i32::from(self.own_capitals().any(|own| own == to));
        5 * need * (1 + capital) + 4 * capital
    }

    /// ReBasing after a round, and forced departures.
    pub fn rate_departure(&self, choice: Choice) -> i32 {
        match choice {
            Choice::Retreat(_, to) | Choice::Rebase(_, to) => {
                let block = choice.block().unwrap_or_default();
                let unit = &self.state.blocks[block];
                let near = 10 - i32::from(self.distance(unit.area, to).min(9));
                let home = i32::from(!Atlas::is_sea(to)) * 10;
                self.haven(to) + near + home
            }
            // Staying with the troops helps them hold, unless the Enemy is stronger.
            Choice::End => {
                let area = self.state.battle.area;
                let held = self.state.ground_support(self.me, area);
                if held && !Atlas::is_sea(area) { 60 } else { 12 }
            }
            _ => 0,
        }
    }

    /// The least valuable unit takes the hit.
    pub fn rate_hit(&self, choice: Choice) -> i32 {
        let Some(block) = choice.block() else { return 0 };
        let unit = &self.state.blocks[block];
        match unit.kind {
            Kind::Fortress => 50,
            Kind::Infantry => 40,
            Kind::Submarine => 35,
            Kind::Fleet => 30,
            Kind::Tank => 25,
            Kind::AirForce => 20,
            Kind::Carrier => 10,
        }
    }

    /// Submarines Escape when they are outgunned.
    pub fn rate_escape(&self, choice: Choice) -> i32 {
        let area = self.state.battle.area;
        let weight = |own: bool| -> i32 {
            let there = self.state.blocks_at(area).filter(|(block, _)| {
                (State::owner(*block) == Some(self.me)) == own
                    && (self.rules.attacks(self.state, *block) || self.rules.defends(self.state, *block))
            });
            there.map(|(_, unit)| i32::from(unit.cv)).sum()
        };
        let outgunned = weight(false) >= weight(true);
        match choice {
            Choice::Escape(_) => i32::from(outgunned),
            _ => i32::from(!outgunned),
        }
    }
}
