//! The opening position of a scenario. Rules 30.1 to 30.3.

use kernel::Discard;

use crate::ids::{COUNTRIES, Country, Faction, Place, Side, UnitId};
use crate::markers::{Marker, Owner};
use crate::rules::Rules;
use crate::scenario::{Ground, Placement, Scenario};
use crate::scenario_verify::owners;
use crate::state::{State, Status, Unit, event, fate, note};
use crate::world::{Entry, NO_AREA};

impl Scenario {
    /// Whether countries that the file does not list may take part later: by declarations, diplomacy or history.
    pub(crate) fn is_open(&self) -> bool {
        self.declare_war || self.diplomacy || !self.politics.is_empty()
    }

    /// Whether a country that the file lists waits for a special rule (`low-countries-neutral`, `forts-and-italy`).
    pub(crate) fn is_held_back(&self, country: Country) -> bool {
        self.hooks.low_countries >> country.index() & 1 != 0
            || self.hooks.joins_axis.is_some_and(|(joining, _)| joining == country)
    }
}

impl Rules {
    /// The opening position, played on to the first question.
    pub fn start(&self) -> State {
        let mut state = self.opening();
        self.settle(&mut state, &mut Discard);
        state
    }

    /// How many units are on the map when the first turn begins.
    pub(crate) fn opening_units(&self) -> u32 {
        let opening = self.opening();
        UnitId::all().filter(|unit| opening.unit(*unit).place.is_hex()).count() as u32
    }

    /// The set-up, before the first turn begins.
    pub(crate) fn opening(&self) -> State {
        let scenario = self.scenario();
        let mut state = State::blank(scenario.first);
        (state.war_west, state.war_east) = (!scenario.appeasement, !scenario.pact);
        state.fac_lost = scenario.fac_lost;
        if scenario.hooks.low_countries != 0 {
            state.notes |= note::LOW_COUNTRIES;
        }
        for (wall, city) in state.walls.iter_mut().zip(&scenario.forts) {
            *wall = self.world.city(*city).hex;
        }
        if scenario.diplomacy && !self.settings.historical {
            for (at, marker) in self.world.tables.diplomacy.iter().enumerate() {
                (state.cup[at], state.holding[at]) = (marker.cup, marker.holding);
            }
        }
        self.open_countries(&mut state);
        self.open_control(&mut state);
        self.open_units(&mut state);
        self.open_markers(&mut state);
        if state.war_west && state.war_east && state.country(Country::USA).status == Status::Pending {
            state.events |= event::USA;
            state.usa_turn = state.turn + self.world.tables.usa_delay;
        }
        state
    }

    /// How every country stands.
    fn open_countries(&self, state: &mut State) {
        let scenario = self.scenario();
        for country in Country::all() {
            let info = self.world.country(country);
            let entry = state.country_mut(country);
            (entry.will, entry.extra) = (scenario.will[country.index()], info.extra_factories);
            let listed = scenario.active[country.index()];
            (entry.status, entry.side) = match (listed, info.entry) {
                (Some(_), _) if scenario.is_held_back(country) => (Status::Neutral, Side::Nobody),
                (Some(faction), _) => (Status::Active, faction.side()),
                (None, _) if !scenario.is_open() => (Status::Absent, Side::Nobody),
                (None, Entry::Pending) => (Status::Pending, Side::Nobody),
                (None, Entry::Absent) => (Status::Absent, Side::Nobody),
                (None, _) => (Status::Neutral, Side::Nobody),
            };
            if entry.status == Status::Active {
                entry.fates |= fate::SET_UP | if entry.side == Side::Axis { fate::WAS_AXIS } else { 0 };
            }
        }
    }

    /// Who controls what (30.2). A Disputed Area given to its claimant has been ceded; a country all of whose Mainland is
    /// others' counts as conquered.
    fn open_control(&self, state: &mut State) {
        let scenario = self.scenario();
        let owners = owners(scenario);
        for (ground, owner) in &scenario.control {
            if let Ground::Disputed(area) = *ground
                && self.world.disputed[usize::from(area)].claimant == *owner
            {
                state.ceded |= 1 << area;
            }
        }
        for hex in Place::hexes() {
            let owner = owners[hex.index()];
            if owner != Country::NONE && state.country(owner).status == Status::Active {
                state.control[hex.index()] = state.country(owner).side;
            }
        }
        for country in Country::all().filter(|country| scenario.active[country.index()].is_none()) {
            let mut cities = [0_u16; Side::ALL.len()];
            let (mut hexes, mut lost) = (0, 0);
            for hex in Place::hexes() {
                let info = self.world.hex(hex);
                if info.country != country || info.area != NO_AREA {
                    continue;
                }
                hexes += 1;
                let side = state.controller(hex);
                if side != Side::Nobody {
                    lost += 1;
                    cities[side.index()] += u16::from(self.has_city(hex)) * 100 + 1;
                }
            }
            if hexes == 0 || lost < hexes {
                continue;
            }
            let conqueror = Side::ALL.into_iter().max_by_key(|side| (cities[side.index()], 9 - *side as u8));
            let entry = state.country_mut(country);
            (entry.status, entry.side) = (Status::Conquered, conqueror.unwrap_or(Side::Axis));
            if entry.side == Side::Axis {
                entry.fates |= fate::FELL_TO_AXIS | fate::WAS_ALLIED;
            }
        }
    }

    /// Every unit at its place. Units that are not listed are out (30.1).
    fn open_units(&self, state: &mut State) {
        let scenario = self.scenario();
        for unit in UnitId::all() {
            let country = self.info(unit).country;
            let waits = scenario.active[country.index()].is_none() && scenario.is_open();
            if !waits {
                state.unit_mut(unit).place = Place::OUT;
            }
        }
        let by_country =
            || Country::all().filter(|country| scenario.country_setup >> country.index() & 1 != 0);
        for country in by_country() {
            for unit in &self.world.country(country).units {
                *state.unit_mut(*unit) = Unit::LATER;
            }
        }
        for country in by_country() {
            self.set_up_country(state, country, &mut Discard);
        }
        for placement in &scenario.setup {
            let waits = scenario.is_held_back(self.info(placement.unit).country);
            *state.unit_mut(placement.unit) = Unit::LATER;
            if !waits {
                self.place_as_listed(state, placement);
            }
        }
        for unit in &scenario.pool {
            state.unit_mut(*unit).place = Place::POOL;
        }
        for reinforcement in &scenario.reinforcements {
            state.unit_mut(reinforcement.unit.unit).place = Place::LATER;
        }
        if let Some((_, unit)) = scenario.hooks.france_air {
            state.unit_mut(unit).place = Place::LATER;
        }
    }

    /// A unit as an entry of the file has it; where its hex is not legal any more, the nearest that is (30.3).
    pub(crate) fn place_as_listed(&self, state: &mut State, placement: &Placement) {
        let unit = placement.unit;
        let side = self.side_of(state, unit);
        let place = if placement.place.is_hex() {
            self.nearest_legal(state, unit, placement.place, side).unwrap_or(Place::POOL)
        } else {
            placement.place
        };
        self.put(state, unit, place);
        let entry = state.unit_mut(unit);
        (entry.level, entry.supply, entry.flags) = (placement.level, placement.supply, 0);
    }

    /// Markers in hand before the first turn begins (14.0). A Surprise Attack that a scenario hands out needs no points and no
    /// delay (ruling 44).
    fn open_markers(&self, state: &mut State) {
        let Some(markers) = &self.scenario().markers else {
            for country in (0..COUNTRIES as u8).map(Country) {
                self.grant(state, Owner::Country(country), state.turn.checked_sub(1));
            }
            for faction in Faction::ALL {
                self.grant(state, Owner::Faction(faction), state.turn.checked_sub(1));
            }
            return;
        };
        for (marker, owner, count) in markers {
            match (marker, owner) {
                (Marker::SurpriseAttack, Owner::Faction(faction)) => {
                    state.surprise[faction.index()] = state.turn;
                }
                _ => {
                    if let Some(slot) = self.slot(*marker, *owner) {
                        state.ready[slot] = state.ready[slot].saturating_add(*count);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
#[path = "set_up_tests.rs"]
mod tests;
