//! What ground units can do from where they stand, kept for as long as nothing next to them changes: a list of actions asks it
//! of every unit that may be activated, and between two lists hardly anything moves. Rules 4.2, 4.4, 6.3.

use std::cell::Cell;

use crate::ids::{LANDS, Place};
use crate::state::{State, WALLS};
use crate::tables::Weather;
use crate::tiles::Tile;

/// Stands for: something is known. Below it lie the directions of the hexes that can be assaulted.
const KNOWN: u8 = 1 << 7;
/// It was found with all movement points.
const FULL: u8 = 1 << 6;

/// What is known, by the hex that a unit stands in.
pub(crate) struct Surroundings {
    around: [Cell<u8>; LANDS],
    /// What every attack depends on: forts (4.4) and the weather (11.0).
    walls: [Place; WALLS],
    weather: [Weather; 4],
}

impl Surroundings {
    /// Nothing is known.
    pub const fn nothing() -> Self {
        Self {
            around: [const { Cell::new(0) }; LANDS],
            walls: [Place::NONE; WALLS],
            weather: [Weather::Fair; 4],
        }
    }

    /// Whether it was found with the forts and under the weather of a position.
    #[inline]
    pub fn fit(&self, state: &State) -> bool {
        (self.walls, self.weather) == (state.walls, state.weather)
    }

    /// Nothing holds any more; what comes is found with the forts and under the weather of a position.
    pub fn forget(&mut self, state: &State) {
        self.around.iter_mut().for_each(|known| *known.get_mut() = 0);
        (self.walls, self.weather) = (state.walls, state.weather);
    }

    /// Something has changed in a hex: who stands there or who controls it.
    #[inline]
    pub fn forget_around(&self, hex: Place, tile: &Tile) {
        self.around[hex.index()].set(0);
        let near = tile.near.iter().filter(|near| near.is_hex());
        near.for_each(|near| self.around[near.index()].set(0));
    }

    /// The directions in which the unit in a hex can assault, if it can move or attack and that is known; `is_full` tells
    /// whether it has all its movement points.
    #[inline]
    pub fn of(&self, hex: Place, is_full: bool) -> Option<u8> {
        let known = self.around[hex.index()].get();
        let is_known = known & KNOWN != 0 && (known & FULL != 0) == is_full;
        is_known.then_some(known & !(KNOWN | FULL))
    }

    /// Notes the directions in which the unit in a hex can assault. It can move or attack whatever happens further away.
    #[inline]
    pub fn note(&self, hex: Place, is_full: bool, targets: u8) {
        self.around[hex.index()].set(KNOWN | if is_full { FULL } else { 0 } | targets);
    }
}

#[cfg(test)]
mod tests {
    use kernel::{Dice as _, LabDice};

    use super::*;
    use crate::hex_set::HexSet;
    use crate::ids::{City, Country, Side, UnitId};
    use crate::rules::Rules;
    use crate::state::Supply;
    use crate::survey::Survey;
    use crate::testing;
    use crate::testing::Wars;
    use crate::world::Hexside;

    /// What a unit can do, looked at hex by hex: whether it can act, and what it can assault.
    fn look(rules: &Rules, state: &State, unit: UnitId) -> (bool, HexSet) {
        let (from, side) = (state.unit(unit).place, rules.side_of(state, unit));
        let mut targets = HexSet::EMPTY;
        for hex in rules.hexes_around(from) {
            targets.put(hex, rules.has_enemy(state, hex, side) && rules.reaches(state, unit, hex));
        }
        (rules.can_act(state, unit), targets)
    }

    fn compare(rules: &Rules, state: &State) -> [u32; 2] {
        let mut seen = [0; 2];
        Survey::ask(rules, state, |survey| {
            let standing = |unit: &UnitId| {
                let place = state.unit(*unit).place;
                rules.kind(*unit).is_field() && place.is_hex() && state.ground_at(place) == Some(*unit)
            };
            for unit in UnitId::all().filter(standing) {
                let mut targets = HexSet::EMPTY;
                let can_act = rules.look_around(state, survey, unit, &mut targets);
                assert_eq!((can_act, targets), look(rules, state, unit), "{unit:?}");
                seen[usize::from(targets != HexSet::EMPTY)] += 1;
            }
        });
        seen
    }

    /// With the few points of Low supply an army comes over a river in Poor weather, but not into a fort that is built there.
    #[test]
    fn a_fort_that_is_built_next_to_an_army_is_seen() {
        let rules = testing::rules();
        let mut state =
            testing::position(&rules, &[(Country::GER, Side::Axis), (Country::USSR, Side::Soviet)]);
        state.weather = [Weather::Poor; 4];
        let is_plain = |hex: &Place| {
            let tile = rules.tile(*hex);
            tile.country == Country::USSR && tile.city == City::NONE && !tile.is_rough()
        };
        let mut fords = Place::hexes().filter(is_plain).flat_map(|hex| {
            let tile = rules.tile(hex);
            tile.near.into_iter().zip(tile.sides).map(move |(near, between)| (hex, near, between))
        });
        let ford = fords.find(|(_, near, between)| {
            *between == Hexside::River && near.is_hex() && is_plain(near) && !rules.tile(*near).is_faded()
        });
        let (from, to, _) = ford.expect("a river in the plains");
        let unit = |name: &str| rules.world.unit_named(name).expect("a unit");
        let (army, enemy) = (unit("GER-4A"), unit("USSR-7A"));
        rules.put(&mut state, army, from);
        rules.put(&mut state, enemy, to);
        state.unit_mut(army).supply = Supply::Low;
        for (wall, is_target) in [(Place::NONE, true), (to, false), (Place::NONE, true)] {
            state.walls[0] = wall;
            let mut targets = HexSet::EMPTY;
            Survey::ask(&rules, &state, |survey| rules.look_around(&state, survey, army, &mut targets));
            assert_eq!(targets.has(to), is_target, "{wall:?}");
        }
    }

    /// What is kept is what a look at every hex around finds, in wars that go on at random, one now and another then, and in
    /// which forts, weather, supply and hexes change for no reason.
    #[test]
    fn what_is_known_around_a_unit_is_what_a_look_finds() {
        let (mut wars, mut dice) =
            (Wars::of(&["main-event-1939", "ussr-1941", "balkans-1941", "france-1944"]), LabDice::new(19));
        let mut seen = [0; 2];
        for _ in 0..400 {
            let (rules, mut state) = wars.go_on(&mut dice, 40);
            seen.iter_mut().zip(compare(rules, &state)).for_each(|(sum, count)| *sum += count);
            let unit = UnitId(dice.below(crate::ids::UNITS as u32) as u16);
            let place = state.unit(unit).place;
            match dice.below(6) {
                0 => state.walls[0] = place,
                1 => state.weather = [Weather::ALL[dice.below(3) as usize]; 4],
                2 => state.unit_mut(unit).supply = Supply::No,
                3 => (state.war_west, state.war_east) = (!state.war_west, !state.war_east),
                4 => state.countries[dice.below(20) as usize].side = Side::Soviet,
                _ => {
                    let hex = dice.below(LANDS as u32) as usize;
                    state.control[hex] = Side::Soviet;
                    if place.is_hex() && rules.kind(unit).is_field() && state.ground[place.index()] == unit {
                        rules.lift(&mut state, unit);
                    }
                }
            }
            compare(rules, &state);
        }
        assert!(seen.into_iter().all(|count| count > 100), "without and with targets {seen:?} times");
    }
}
