//! Countries become active: by declarations, diplomacy, events, liberation. Rules 13.1, 13.6; rulings 37, 96, 97.

use kernel::EventSink;

use crate::game_event::GameEvent;
use crate::ids::{City, Country, Faction, Place, Side, UnitId};
use crate::markers::Owner;
use crate::rules::Rules;
use crate::state::{State, Status, Unit, event, fate, note};
use crate::world::{Avail, EventUnit};

/// A liberated country has one part of so many of its National Will and of its field units.
const LIBERATED_PART: i16 = 2;

impl Rules {
    /// A country becomes active on a side, without set-up: its hexes that nobody controls are its side's, its National Will
    /// starts, it has its markers (13.1).
    pub(crate) fn join<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        country: Country,
        side: Side,
        sink: &mut S,
    ) {
        let info = self.world.country(country);
        let will = self.scenario().will[country.index()];
        let entry = state.country_mut(country);
        (entry.status, entry.side, entry.will) = (Status::Active, side, will);
        (entry.pro, entry.extra) = (None, info.extra_factories);
        entry.fates |= fate::SET_UP | if side == Side::Axis { fate::WAS_AXIS } else { 0 };
        sink.emit(|| GameEvent::Joined(country, side));
        for hex in Place::hexes() {
            if state.controller(hex) == Side::Nobody && self.owner(state, hex) == country {
                state.control[hex.index()] = side;
            }
        }
        self.grant(state, Owner::Country(country), Some(state.turn));
    }

    /// A country activates and is set up (13.1), with the events that follow: Finland and Turkey call up the Soviet borders,
    /// the USA everything (13.5).
    pub(crate) fn activate<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        country: Country,
        side: Side,
        sink: &mut S,
    ) {
        self.join(state, country, side, sink);
        self.set_up_country(state, country, sink);
        match country {
            Country::FIN => self.border(state, event::NORTH, sink),
            Country::TUR => self.border(state, event::SOUTH, sink),
            Country::USA => {
                self.east_invaded(state, sink);
                self.west_invaded(state, sink);
                self.mediterranean_crisis(state, sink);
            }
            _ => {}
        }
    }

    /// The units of a country that activates (13.1): on the map, in its Mobilization Box, or still to come. Units of Vichy
    /// France are set up only in areas that are Vichy's (13.4).
    pub(crate) fn set_up_country<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        country: Country,
        sink: &mut S,
    ) {
        for unit in &self.world.country(country).units {
            let unit = *unit;
            if state.unit(unit).place != Place::LATER {
                continue;
            }
            let info = self.info(unit);
            let is_elsewhere = country == Country::VIC
                && (!info.home.is_hex() || self.owner(state, info.home) != Country::VIC);
            match info.avail {
                _ if is_elsewhere => state.unit_mut(unit).place = Place::OUT,
                Avail::Start => self.place_new(state, unit, sink),
                Avail::Pool => self.pool(state, unit, sink),
                Avail::Turn(turn) if turn <= state.turn => self.pool(state, unit, sink),
                Avail::Turn(_) | Avail::Event(_) | Avail::Upgrade(..) => {}
            }
        }
    }

    /// A unit enters its Mobilization Box.
    pub(crate) fn pool<S: EventSink<GameEvent>>(&self, state: &mut State, unit: UnitId, sink: &mut S) {
        state.unit_mut(unit).place = Place::POOL;
        sink.emit(|| GameEvent::Pooled(unit));
    }

    /// The units of a country leave the map for good, or until it activates anew.
    pub(crate) fn withdraw<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        country: Country,
        to: Place,
        mut keeps: impl FnMut(&State, UnitId) -> bool,
        sink: &mut S,
    ) {
        for unit in UnitId::all() {
            if self.country_of(state, unit) != country || keeps(state, unit) {
                continue;
            }
            if state.unit(unit).on_map() {
                sink.emit(|| GameEvent::Lost(unit, crate::game_event::Loss::Country));
            }
            self.lift(state, unit);
            *state.unit_mut(unit) = Unit { place: to, ..Unit::LATER };
        }
    }

    /// The Low Countries are invaded (30.6 `low-countries-neutral`): they join the West and their units are placed where the
    /// file has them. For the list of actions: while [`note::LOW_COUNTRIES`] holds.
    pub(crate) fn invade_low_countries<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        state.notes &= !note::LOW_COUNTRIES;
        sink.emit(|| GameEvent::LowCountries);
        let countries = self.scenario().hooks.low_countries;
        for country in Country::all().filter(|country| countries >> country.index() & 1 != 0) {
            let Some(faction) = self.scenario().active[country.index()] else { continue };
            self.join(state, country, faction.side(), sink);
        }
        for placement in &self.scenario().setup {
            if countries >> self.info(placement.unit).country.index() & 1 != 0 {
                self.place_as_listed(state, placement);
                let (unit, place) = (placement.unit, state.unit(placement.unit).place);
                sink.emit(|| GameEvent::Placed(unit, place));
            }
        }
    }

    /// Liberation (13.6): the capital of a conquered country has come into the hands of a Western or Soviet faction at war with
    /// the conqueror.
    pub(crate) fn liberate<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        city: City,
        country: Country,
        side: Side,
        sink: &mut S,
    ) {
        let faction = match side {
            Side::Western => Faction::Western,
            Side::Soviet => Faction::Soviet,
            _ => return,
        };
        if country == Country::NONE || self.capital_of(state, country) != Some(city) {
            return;
        }
        let entry = state.country(country);
        if entry.status != Status::Conquered || !state.at_war(side, entry.side) {
            return;
        }
        let entry = state.country_mut(country);
        (entry.status, entry.side, entry.pro) = (Status::Active, side, None);
        entry.extra = self.world.country(country).extra_factories;
        entry.fates &= !fate::WAS_ALLIED;
        sink.emit(|| GameEvent::Liberated(country, faction));
        self.reset_will(state, country, self.part_of_will(country, LIBERATED_PART), sink);
        self.grant(state, Owner::Country(country), Some(state.turn));
        let units = &self.world.country(country).units;
        let listed = units.iter().filter(|unit| self.is_home_army(state, **unit)).count();
        let mut left = listed.div_ceil(LIBERATED_PART as usize);
        for unit in units.iter().copied() {
            if left > 0 && self.is_home_army(state, unit) {
                left -= 1;
                *state.unit_mut(unit) = Unit { place: Place::POOL, level: 1, ..Unit::LATER };
                sink.emit(|| GameEvent::Pooled(unit));
            }
        }
        if country == Country::FRA {
            self.end_vichy(state, sink);
        }
    }

    /// Whether a unit can come back with a liberated country: a field unit of its list, not a redesignation, not a Free Force.
    fn is_home_army(&self, state: &State, unit: UnitId) -> bool {
        let info = self.info(unit);
        let is_own = !matches!(info.avail, Avail::Upgrade(..) | Avail::Event(EventUnit::FreeForces));
        info.kind.is_field() && is_own && state.unit(unit).place == Place::OUT
    }

    /// A neutral Vichy France ends with the liberation of France; its hexes become Western (13.4).
    fn end_vichy<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        if state.country(Country::VIC).status != Status::Neutral {
            return;
        }
        for hex in Place::hexes() {
            if self.owner(state, hex) == Country::VIC {
                state.control[hex.index()] = Side::Western;
            }
        }
        state.vichy = 0;
        let entry = state.country_mut(Country::VIC);
        (entry.status, entry.pro) = (Status::Absent, None);
        sink.emit(|| GameEvent::Left(Country::VIC));
    }
}
