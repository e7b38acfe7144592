//! Who stands and rules where, as sets of hexes and cities. The sets are kept from one question to the next and brought up to
//! date by what differs, so that they cost what has changed and not the size of the map. They are nothing but a reading of the
//! position: whatever position is asked about, what has changed since the last one is taken from its journal, or found by comparing
//! hex by hex.

use std::cell::RefCell;
use std::sync::Arc;

use crate::bits::{CitySet, UnitSet};
use crate::flight::Skies;
use crate::hex_set::HexSet;
use crate::ids::{CITIES, COUNTRIES, City, LANDS, Place, Side, UnitId};
use crate::muster::Muster;
use crate::rules::Rules;
use crate::scenario::Scenario;
use crate::state::State;
use crate::surroundings::Surroundings;
use crate::tracked::Stamp;

/// The sides and nobody.
const SIDES: usize = 5;
/// Hexes that are compared at once.
const CHUNK: usize = 64;
/// Stands for no ground unit.
const EMPTY: u8 = u8::MAX;

thread_local! {
    /// The last survey.
    static LAST: RefCell<Option<Box<Survey>>> = const { RefCell::new(None) };
}

/// Who stands and rules where.
pub(crate) struct Survey {
    // What was read off the last position.
    ground: [UnitId; LANDS],
    control: [Side; LANDS],
    sides: [Side; COUNTRIES],
    /// The units that belong to the United Kingdom instead of the country printed on them.
    pub free: UnitSet,
    /// The stamps of ground, control and bases.
    stamps: [Stamp; 3],
    // What follows from it.
    /// The side of the ground unit in each hex.
    whose: [u8; LANDS],
    /// How many ground units of each side reach each hex with a zone of control.
    reach: [[u8; LANDS]; SIDES],
    /// The hexes that each side controls.
    pub held: [HexSet; SIDES],
    /// The hexes in which ground units of each side stand.
    pub stood: [HexSet; SIDES],
    /// The hexes that zones of control of each side reach, closed to it or not.
    pub zones: [HexSet; SIDES],
    /// The hexes that each side controls, as they lie on the map.
    skies: [Skies; SIDES],
    /// The hexes that are not closed to each side because of who controls them (1.1), as they lie on the map.
    open: [Skies; SIDES],
    /// What these are known by, in the scenario whose map this is.
    sky_stamps: [Stamp; SIDES],
    scenario: Option<Arc<Scenario>>,
    /// The cities and ports that each side controls.
    pub towns: [CitySet; SIDES],
    /// The sides with which each side is at war, as bits.
    pub enemies: [u8; SIDES],
    /// The cities and ports whose place for an air unit, a warship, a convoy is taken.
    pub taken: [CitySet; 3],
    /// What ground units can do from where they stand, as far as somebody has asked.
    pub around: Surroundings,
}

impl Survey {
    /// Asks something about a position. Whoever asks may be asked in turn, about the same position best.
    pub fn ask<R>(rules: &Rules, state: &State, question: impl FnOnce(&Self) -> R) -> R {
        LAST.with(|last| {
            let mut is_read = false;
            if let Ok(mut last) = last.try_borrow_mut() {
                last.get_or_insert_with(Self::blank).read(rules, state);
                is_read = true;
            }
            if let Some(survey) = &*last.borrow()
                && (is_read || survey.shows(state))
            {
                return question(survey);
            }
            let mut other = Self::blank();
            other.read(rules, state);
            question(&other)
        })
    }

    /// Whether it shows a position for certain.
    fn shows(&self, state: &State) -> bool {
        let stamps = [state.ground.stamp(), state.control.stamp(), state.bases.stamp()];
        self.stamps.iter().zip(stamps).all(|(one, other)| one.is_same(other))
            && self.sides.iter().zip(&state.countries).all(|(side, country)| *side == country.side)
            && Side::ALL.iter().all(|side| self.enemies[side.index()] == state.enemies(*side))
            && self.free == Muster::free_of(state)
            && self.around.fit(state)
    }

    /// The survey of a map that nobody rules and where nobody stands.
    fn blank() -> Box<Self> {
        let mut all = HexSet::EMPTY;
        Place::hexes().for_each(|hex| all.insert(hex));
        let mut cities = CitySet::EMPTY;
        City::all().for_each(|city| cities.insert(city));
        let mut skies = [Skies::EMPTY; SIDES];
        Place::hexes().for_each(|hex| skies[Side::Nobody.index()].put_up(hex, true));
        let (mut held, mut towns) = ([HexSet::EMPTY; SIDES], [CitySet::EMPTY; SIDES]);
        held[Side::Nobody.index()] = all;
        towns[Side::Nobody.index()] = cities;
        Box::new(Self {
            ground: [UnitId::NONE; LANDS],
            control: [Side::Nobody; LANDS],
            sides: [Side::Nobody; COUNTRIES],
            free: UnitSet::EMPTY,
            stamps: [Stamp::NONE; 3],
            whose: [EMPTY; LANDS],
            reach: [[0; LANDS]; SIDES],
            held,
            stood: [HexSet::EMPTY; SIDES],
            zones: [HexSet::EMPTY; SIDES],
            skies,
            open: skies,
            sky_stamps: [Stamp::NONE; SIDES],
            scenario: None,
            towns,
            enemies: [0; SIDES],
            taken: [CitySet::EMPTY; 3],
            around: Surroundings::nothing(),
        })
    }

    /// The hexes that are not closed to a side because of who controls them (1.1).
    pub fn ground_of(&self, state: &State, side: Side) -> HexSet {
        let mut ground = self.held[side.index()];
        let enemies = state.enemies(side);
        for enemy in Side::ALL.into_iter().filter(|enemy| enemies >> enemy.index() & 1 != 0) {
            ground.add(&self.held[enemy.index()]);
        }
        ground
    }

    /// The hexes that are not closed to a side because of who controls them, as they lie on the map.
    #[inline]
    pub const fn skies_of(&self, side: Side) -> &Skies {
        &self.open[side.index()]
    }

    /// What the skies that are open to a side, and what is in play of them, are known by.
    #[inline]
    pub const fn sky_stamp(&self, side: Side) -> Stamp {
        self.sky_stamps[side.index()]
    }

    /// Reads a position: only what differs from the last one costs more than a glance.
    fn read(&mut self, rules: &Rules, state: &State) {
        let sides = std::array::from_fn(|at| state.countries[at].side);
        let free = Muster::free_of(state);
        let is_regrouped = self.sides != sides || self.free != free;
        (self.sides, self.free) = (sides, free);
        let wars = self.enemies;
        for side in Side::ALL {
            self.enemies[side.index()] = state.enemies(side);
        }
        let before = self.stamps;
        self.stamps = [state.ground.stamp(), state.control.stamp(), state.bases.stamp()];
        let is_known =
            !is_regrouped && state.ground.changes_since(before[0], |at| self.read_hex(rules, state, at));
        if !is_known {
            self.read_ground(rules, state, is_regrouped);
        }
        if !state.control.changes_since(before[1], |at| self.read_controller(rules, state, at)) {
            self.read_control(rules, state);
        }
        let scenario = &rules.settings.scenario;
        let is_known = self.scenario.as_ref().is_some_and(|known| Arc::ptr_eq(known, scenario));
        if self.enemies != wars || !is_known {
            self.open_skies();
            self.scenario = Some(Arc::clone(scenario));
            self.around.forget(state);
        } else if is_regrouped || !self.around.fit(state) {
            self.around.forget(state);
        }
        if !state.bases.changes_since(before[2], |at| self.read_base(state, at)) {
            (0..CITIES).for_each(|at| self.read_base(state, at));
        }
    }

    fn read_ground(&mut self, rules: &Rules, state: &State, is_regrouped: bool) {
        for start in (0..LANDS).step_by(CHUNK) {
            let end = (start + CHUNK).min(LANDS);
            let pairs = self.ground[start..end].iter().zip(&state.ground.get()[start..end]);
            let differs = pairs.fold(0, |differs, (old, new)| differs | (old.0 ^ new.0)) != 0;
            if !differs && !is_regrouped {
                continue;
            }
            for at in start..end {
                let unit = state.ground[at];
                if unit != self.ground[at] || is_regrouped && unit.some().is_some() {
                    self.read_hex(rules, state, at);
                }
            }
        }
    }

    /// Reads who stands in a hex.
    fn read_hex(&mut self, rules: &Rules, state: &State, at: usize) {
        let unit = state.ground[at];
        let hex = Place::hex(at);
        if std::mem::replace(&mut self.ground[at], unit) != unit {
            self.around.forget_around(hex, rules.tile(hex));
        }
        let whose = unit.some().map_or(EMPTY, |unit| rules.side_of(state, unit) as u8);
        self.occupy(rules, hex, whose);
    }

    /// A hex is occupied by a unit of another side than before, or by none.
    fn occupy(&mut self, rules: &Rules, hex: Place, whose: u8) {
        let before = std::mem::replace(&mut self.whose[hex.index()], whose);
        if before == whose {
            return;
        }
        let tile = rules.tile(hex);
        if before != EMPTY {
            let side = usize::from(before);
            self.stood[side].remove(hex);
            for near in tile.towards(tile.zone) {
                let count = &mut self.reach[side][near.index()];
                *count -= 1;
                if *count == 0 {
                    self.zones[side].remove(near);
                }
            }
        }
        if whose != EMPTY {
            let side = usize::from(whose);
            self.stood[side].insert(hex);
            for near in tile.towards(tile.zone) {
                self.reach[side][near.index()] += 1;
                self.zones[side].insert(near);
            }
        }
    }

    fn read_control(&mut self, rules: &Rules, state: &State) {
        for start in (0..LANDS).step_by(CHUNK) {
            let end = (start + CHUNK).min(LANDS);
            let pairs = self.control[start..end].iter().zip(&state.control.get()[start..end]);
            if pairs.fold(0, |differs, (old, new)| differs | (*old as u8 ^ *new as u8)) != 0 {
                (start..end).for_each(|at| self.read_controller(rules, state, at));
            }
        }
    }

    /// Reads who controls a hex.
    fn read_controller(&mut self, rules: &Rules, state: &State, at: usize) {
        let side = state.control[at];
        let before = std::mem::replace(&mut self.control[at], side);
        if before == side {
            return;
        }
        let hex = Place::hex(at);
        self.around.forget_around(hex, rules.tile(hex));
        self.held[before.index()].remove(hex);
        self.held[side.index()].insert(hex);
        let spot = Skies::spot_of(hex);
        self.skies[before.index()].set(spot, false);
        self.skies[side.index()].set(spot, true);
        for at in 0..SIDES {
            let is_open = at == side.index() || self.enemies[at] >> side.index() & 1 != 0;
            if self.open[at].has(spot) != is_open {
                self.open[at].set(spot, is_open);
                self.sky_stamps[at] = Stamp::fresh();
            }
        }
        if let Some(city) = rules.tile(hex).city.some() {
            self.towns[before.index()].set_number(city.index(), false);
            self.towns[side.index()].set_number(city.index(), true);
        }
    }

    /// Puts together what is not closed to each side.
    fn open_skies(&mut self) {
        for (at, open) in self.open.iter_mut().enumerate() {
            *open = self.skies[at];
            let enemies = self.enemies[at];
            let of_enemies = self.skies.iter().enumerate().filter(|(enemy, _)| enemies >> enemy & 1 != 0);
            of_enemies.for_each(|(_, skies)| open.add(skies));
        }
        self.sky_stamps = std::array::from_fn(|_| Stamp::fresh());
    }

    /// Reads who is in a city or port.
    fn read_base(&mut self, state: &State, at: usize) {
        for (slot, unit) in state.bases[at].into_iter().enumerate() {
            self.taken[slot].set_number(at, unit.some().is_some());
        }
    }
}

#[cfg(test)]
mod tests;
