//! Conditional events: East Invaded, West Invaded, Mediterranean Crisis, the two Soviet borders, USA Entry, and the end of the
//! Pact. Rules 10.2, 13.5; rulings 43, 68, 73.

use kernel::EventSink;

use crate::frame::Frame;
use crate::game_event::GameEvent;
use crate::ids::{City, Country, Faction, Place, Side, UnitId};
use crate::markers::Marker;
use crate::rules::Rules;
use crate::state::{State, Status, Supply, Unit, event, note};
use crate::world::{Avail, EventUnit, NO_AREA};

/// What a unit does in a hex.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Approach {
    /// It attacks it.
    Attack,
    /// It enters it.
    Entry,
    /// It is placed in it: set-up, events, reinforcements.
    Placement,
}

impl Rules {
    /// A unit was placed in a hex: an Axis unit may trigger an event by that (13.5).
    pub(crate) fn placed<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        unit: UnitId,
        place: Place,
        sink: &mut S,
    ) {
        if place.is_hex() {
            let owner = self.owner(state, place);
            self.conditional(state, unit, place, owner, Approach::Placement, sink);
        }
    }

    /// Whether what units of a side do can still bring about a conditional event.
    pub(crate) fn awaits_events(state: &State, side: Side) -> bool {
        const ALL: u8 = event::EAST | event::WEST | event::MEDITERRANEAN | event::NORTH | event::SOUTH;
        side == Side::Axis && state.events & ALL != ALL
    }

    /// Tests the events in their order (ruling 68). `owner` is the country that owned the hex before.
    pub(crate) fn conditional<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        unit: UnitId,
        hex: Place,
        owner: Country,
        approach: Approach,
        sink: &mut S,
    ) {
        if !Self::awaits_events(state, self.side_of(state, unit)) {
            return;
        }
        let info = self.world.hex(hex);
        let country = info.country;
        let is_mainland = info.area == NO_AREA;
        let axis_poland = state.country(Country::POL).status == Status::Active
            && state.country(Country::POL).side == Side::Axis;
        let is_east = matches!(country, Country::EST | Country::LAT | Country::LIT | Country::USSR)
            || owner == Country::USSR
            || country == Country::POL && axis_poland;
        if is_east {
            self.east_invaded(state, sink);
        }
        let is_west = matches!(country, Country::BEL | Country::NED | Country::IRE)
            || matches!(country, Country::FRA | Country::UK) && is_mainland;
        if is_west {
            self.west_invaded(state, sink);
        }
        let tables = &self.world.tables;
        let has = |set: u32| country != Country::NONE && set >> country.index() & 1 != 0;
        if has(tables.crisis_countries) && !(is_mainland && has(tables.crisis_except)) {
            self.mediterranean_crisis(state, sink);
        }
        if country == Country::USSR && approach != Approach::Placement && self.kind(unit).is_ground() {
            if info.row < tables.border_rows.0 {
                self.border(state, event::NORTH, sink);
            }
            if info.row > tables.border_rows.1 {
                self.border(state, event::SOUTH, sink);
            }
        }
    }

    /// Marks an event; `false` if it has occurred before.
    fn occurs<S: EventSink<GameEvent>>(&self, state: &mut State, event: u8, sink: &mut S) -> bool {
        let is_new = !state.occurred(event);
        if is_new {
            state.events |= event;
            sink.emit(|| GameEvent::Occurred(event));
        }
        is_new
    }

    /// East Invaded: the Pact ends, Soviet units come, Factories may be moved.
    pub(crate) fn east_invaded<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        if !self.occurs(state, event::EAST, sink) {
            return;
        }
        state.east_turn = state.turn;
        self.end_pact(state, sink);
        self.event_units(state, EventUnit::East, sink);
        self.grant_by_event(state, Marker::FactoryRelocation);
        self.grant_by_event(state, Marker::FirstWinter);
    }

    /// West Invaded: French units come at the end of the Axis Operations Phase.
    pub(crate) fn west_invaded<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        if self.occurs(state, event::WEST, sink) {
            state.notes |= note::FRENCH_DUE;
        }
    }

    /// Mediterranean Crisis: British units come.
    pub(crate) fn mediterranean_crisis<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        if self.occurs(state, event::MEDITERRANEAN, sink) {
            self.event_units(state, EventUnit::Mediterranean, sink);
        }
    }

    /// USSR Northern or Southern Border: Soviet units come.
    pub(crate) fn border<S: EventSink<GameEvent>>(&self, state: &mut State, which: u8, sink: &mut S) {
        if self.occurs(state, which, sink) {
            let units = if which == event::NORTH { EventUnit::North } else { EventUnit::South };
            self.event_units(state, units, sink);
        }
    }

    /// The units of an event are placed at their hexes, or the nearest legal ones (30.3), if their country is active.
    fn event_units<S: EventSink<GameEvent>>(&self, state: &mut State, event: EventUnit, sink: &mut S) {
        for unit in UnitId::all() {
            let info = self.info(unit);
            let is_meant = info.avail == Avail::Event(event) && state.unit(unit).place == Place::LATER;
            if is_meant && state.country(info.country).status == Status::Active {
                self.place_new(state, unit, sink);
            }
        }
    }

    /// A new unit at its hex of `units.toml`, at full strength, without Sorties, in Full supply (13.1, 30.3).
    pub(crate) fn place_new<S: EventSink<GameEvent>>(&self, state: &mut State, unit: UnitId, sink: &mut S) {
        let side = self.side_of(state, unit);
        let home = self.info(unit).home;
        let place = self.nearest_legal(state, unit, home, side).unwrap_or(Place::POOL);
        *state.unit_mut(unit) = Unit::LATER;
        self.put(state, unit, place);
        if place == Place::POOL {
            sink.emit(|| GameEvent::Pooled(unit));
        } else {
            sink.emit(|| GameEvent::Placed(unit, place));
            self.placed(state, unit, place, sink);
        }
    }

    /// The Pact ends: Axis and Soviets are at war, Lone countries become Axis countries (2.2), and the USA is on its way if
    /// Appeasement has ended too (10.2).
    pub(crate) fn end_pact<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        if !state.pact() {
            return;
        }
        state.war_east = true;
        sink.emit(|| GameEvent::PactEnded);
        for country in Country::all() {
            if state.country(country).side == Side::Lone {
                let entry = state.country_mut(country);
                entry.side = Side::Axis;
                if entry.status == Status::Active {
                    entry.fates |= crate::state::fate::WAS_AXIS;
                    sink.emit(|| GameEvent::Joined(country, Side::Axis));
                }
            }
        }
        for side in state.control.iter_mut() {
            if *side == Side::Lone {
                *side = Side::Axis;
            }
        }
        if state.war_west
            && state.country(Country::USA).status == Status::Pending
            && self.occurs(state, event::USA, sink)
        {
            state.usa_turn = state.turn + self.world.tables.usa_delay;
            self.grant_by_event(state, Marker::LendLease);
        }
    }

    /// The end of a faction's Operations Phase. After the Axis's the French units of West Invaded and of the special rule
    /// `france-2-air` come (13.5, 30.6).
    pub(crate) fn end_of_operations<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        faction: Faction,
        sink: &mut S,
    ) {
        if faction != Faction::Axis {
            return;
        }
        let by_rule = self.scenario().hooks.france_air.filter(|(turn, _)| *turn == state.turn);
        let by_event = state.noted(note::FRENCH_DUE);
        state.notes &= !note::FRENCH_DUE;
        for unit in UnitId::all() {
            let is_due = by_rule.is_some_and(|(_, named)| named == unit)
                || by_event && self.info(unit).avail == Avail::Event(EventUnit::West);
            if !is_due || state.unit(unit).place != Place::LATER {
                continue;
            }
            let is_active = state.country(self.info(unit).country).status == Status::Active;
            *state.unit_mut(unit) = Unit { place: Place::OUT, ..Unit::LATER };
            if !is_active {
                continue;
            }
            if self.kind(unit).is_air() {
                if self.air_places(state, unit).next().is_some() {
                    state.push(Frame::PlaceAir(unit));
                }
            } else {
                state.unit_mut(unit).place = Place::POOL;
                sink.emit(|| GameEvent::Pooled(unit));
            }
        }
    }

    /// Where an air unit of an event can be placed: a friendly Mainland city of its country with a free slot.
    pub(crate) fn air_places(&self, state: &State, unit: UnitId) -> impl Iterator<Item = Place> {
        let (country, side) = (self.info(unit).country, self.side_of(state, unit));
        City::all().filter_map(move |city| {
            let hex = self.world.city(city).hex;
            let fits = self.is_mainland_city_of(state, city, country)
                && self.is_air_base(state, hex, side)
                && self.has_room(state, unit, hex);
            fits.then_some(hex)
        })
    }

    /// An air unit of an event is placed.
    pub(crate) fn place_air<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        unit: UnitId,
        place: Place,
        sink: &mut S,
    ) {
        self.put(state, unit, place);
        let entry = state.unit_mut(unit);
        (entry.level, entry.supply, entry.flags) = (0, Supply::Full, 0);
        sink.emit(|| GameEvent::Placed(unit, place));
    }
}
