//! Answers in a ground combat: what is committed, where one retreats. Rules 5.1, 5.3.

use crate::choice::Choice;
use crate::ids::{City, Place, UnitId};
use crate::state::Fight;
use crate::world::Kind;

use super::odds::TIRED;
use super::{Desk, position};

/// A marker or Sortie must change a combat by so much.
const WORTH_IT: i32 = 10;

impl Desk<'_> {
    /// ULTRA and Maskirovka are used where something is at stake.
    pub(super) fn trick(&self, choices: &[Choice]) -> usize {
        let stake = self.judge().hex_worth(self.state, self.state.fight.hex);
        let wanted = |choice: &Choice| matches!(choice, Choice::Use(_));
        let used = choices.iter().position(wanted).filter(|_| stake > 0);
        used.unwrap_or_else(|| position(choices, Choice::Pass))
    }

    /// The combat under way as it stands, and what it promises: air units that are committed already count as support.
    fn under_way(&self) -> (Fight, i32) {
        let mut fight = self.state.fight;
        for at in 0..2 {
            fight.support[at] |= fight.air[at].some().is_some();
        }
        (fight, self.judge().promise(self.state, &fight).worth)
    }

    /// How much better the combat under way is for a side with an item, in hundredths.
    fn gain(&self, side: usize, item: Choice, before: &Fight, worth: i32) -> i32 {
        let state = self.state;
        let judge = self.judge();
        let mut after = *before;
        let mut price = 0;
        match item {
            Choice::Use(marker) => {
                after.markers[side] |= 1 << marker.index();
                price = 3;
            }
            Choice::Air(unit) => {
                after.support[side] = true;
                let sorties = i32::from(state.unit(unit).level);
                price = self.weights.sortie * (1 + sorties);
                if state.unit(unit).level > TIRED {
                    return -1;
                }
                // Bombers fight badly against fighters.
                if self.rules.kind(unit) == Kind::Bomber && state.fight.air[1 - side].some().is_some() {
                    price += 15;
                }
            }
            _ => {}
        }
        let difference = judge.promise(state, &after).worth - worth;
        let gain = if side == 0 { difference } else { -difference };
        gain - price
    }

    /// The best item of a side and what it brings.
    fn best_item(&self, side: usize) -> i32 {
        let (fight, worth) = self.under_way();
        let mut best = 0;
        self.rules.each_item(self.state, side, |item| {
            best = best.max(self.gain(side, item, &fight, worth));
            best > WORTH_IT
        });
        best
    }

    /// Will Commit or Will Not.
    pub(super) fn commit(&self, side: usize, choices: &[Choice]) -> usize {
        let wanted = if self.best_item(side) > WORTH_IT { Choice::Commit } else { Choice::HoldBack };
        position(choices, wanted)
    }

    /// What is committed next.
    pub(super) fn item(&self, side: usize, choices: &[Choice]) -> usize {
        let (fight, worth) = self.under_way();
        self.best(choices, |choice| match choice {
            Choice::Pass => WORTH_IT / 2,
            item => self.gain(side, item, &fight, worth),
        })
    }

    /// A full unit stands in its fort; one that would be lost goes.
    pub(super) fn fort(&self, choices: &[Choice]) -> usize {
        let defender = self.state.fight.defender;
        let stands = self.state.unit(defender).level == 0 || self.rules.kind(defender) == Kind::Garrison;
        position(choices, if stands { Choice::Stand } else { Choice::GiveWay })
    }

    /// Where the defender retreats: into a city, to rough ground, near friends, between the enemy and the nearest city.
    pub(super) fn retreat(&self, choices: &[Choice]) -> usize {
        let unit = self.state.fight.defender;
        self.best(choices, |choice| match choice {
            Choice::Retreat(hex) => self.refuge(unit, hex),
            _ => i32::MIN,
        })
    }

    fn refuge(&self, unit: UnitId, hex: Place) -> i32 {
        let (rules, state) = (self.rules, self.state);
        let side = rules.side_of(state, unit);
        let info = rules.world.hex(hex);
        let mut worth = 0;
        if rules.has_friendly_city(state, hex, side) {
            worth += 30 + self.judge().hex_worth(state, hex) / 8;
        }
        worth += if info.terrain.is_rough() { 12 } else { 0 };
        worth += if info.lines != 0 { 8 } else { 0 };
        for near in info.near.into_iter().filter(|near| near.is_hex()) {
            match state.ground_at(near) {
                Some(other) if other != unit && rules.side_of(state, other) == side => worth += 6,
                Some(other) if other != unit => worth -= 10,
                None if !rules.is_closed(state, near, side) => worth += 2,
                _ => {}
            }
        }
        let nearest = City::all()
            .filter(|city| state.controller(rules.world.city(*city).hex) == side)
            .map(|city| rules.world.distance(hex, rules.world.city(city).hex))
            .min();
        worth - nearest.map_or(20, |far| far.min(10) as i32 * 3)
    }
}
