//! Hexes change hands, and what follows at once: forts gone, units displaced, National Will, conditional events, liberation.
//! Rules 1.3, 2.1.2, 3.3, 13.5, 13.6; rulings 19, 56, 57, 68, 95, 113.

use kernel::EventSink;

use crate::conditional::Approach;
use crate::game_event::{GameEvent, WillCause};
use crate::ids::{City, Country, LANDS, Place, Side, UnitId};
use crate::rules::Rules;
use crate::state::{HEX_WORDS, State, Status, note};
use crate::world::NO_AREA;

/// National Will for a capital, another Mainland city, an Overseas city (2.1.2).
const CITY_WILL: [i16; 3] = [4, 2, 1];

impl Rules {
    /// A ground unit has come to stand in, or passes through, a hex (it is put there already, or named as the one that
    /// passes): the hex becomes its side's, with all that follows: Atlantic Wall gone, units displaced, National Will,
    /// conditional events, liberation (1.3, 2.1.2, 3.3, 13.5, 13.6; ruling 68).
    pub(crate) fn enter_hex<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        unit: UnitId,
        hex: Place,
        sink: &mut S,
    ) {
        if !hex.is_hex() {
            return;
        }
        let side = self.side_of(state, unit);
        // Who owned it matters to events only.
        let before = if Self::awaits_events(state, side) { self.owner(state, hex) } else { Country::NONE };
        self.note_invasion(state, side, hex);
        if state.controller(hex) != side {
            self.take(state, hex, side, sink);
        }
        self.conditional(state, unit, hex, before, Approach::Entry, sink);
    }

    /// A hex was attacked by a unit of a side: by a ground unit, or by an Air Strike or Bombing Run (13.5, rulings 73, 68).
    pub(crate) fn attack_hex<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        unit: UnitId,
        hex: Place,
        sink: &mut S,
    ) {
        if hex.is_hex() {
            let side = self.side_of(state, unit);
            self.note_invasion(state, side, hex);
            let owner = self.owner(state, hex);
            self.conditional(state, unit, hex, owner, Approach::Attack, sink);
        }
    }

    /// The special rules that ask whether the Axis has attacked or entered some country in this turn (30.6).
    fn note_invasion(&self, state: &mut State, side: Side, hex: Place) {
        let hooks = &self.scenario().hooks;
        if side != Side::Axis {
            return;
        }
        let watched = hooks.must_invade.map_or(0, |(_, countries)| countries)
            | hooks.freeze.map_or(0, |(_, country)| 1 << country.index())
            | hooks.emergency.map_or(0, |_| 1 << Country::USSR.index());
        let country = self.tile(hex).country;
        if watched == 0 || country == Country::NONE {
            return;
        }
        let owner = self.owner(state, hex);
        if (watched >> country.index() | watched >> owner.index()) & 1 != 0 {
            state.notes |= note::INVADED;
        }
    }

    /// A hex becomes a side's because an enemy enters it.
    pub(crate) fn take<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        hex: Place,
        side: Side,
        sink: &mut S,
    ) {
        let from = state.controller(hex);
        let owner = self.owner(state, hex);
        state.control[hex.index()] = side;
        let info = self.world.hex(hex);
        if info.city.some().is_some() || state.walls.contains(&hex) {
            sink.emit(|| GameEvent::Captured(hex, from, side));
        }
        if let Some(wall) = state.walls.iter_mut().find(|wall| **wall == hex) {
            *wall = Place::NONE;
            sink.emit(|| GameEvent::Wall(hex, false));
        }
        let Some(city) = info.city.some() else { return };
        self.displace_if_any(state, hex, sink);
        self.will_of_city(state, city, owner, from, side, sink);
        for (country, _) in &self.scenario().hooks.simple_conquest {
            state.collapsing |= 1 << country.index();
        }
        self.liberate(state, city, owner, side, sink);
    }

    /// National Will of a city that changed hands (2.1.2), for the country that owned it. A city in a ceded area carries none
    /// (1.3), nor does a port without a city, nor a city of a country that is not active.
    fn will_of_city<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        city: City,
        owner: Country,
        from: Side,
        to: Side,
        sink: &mut S,
    ) {
        let disputed = self.world.hex(self.world.city(city).hex).disputed;
        let is_ceded = disputed != NO_AREA && state.ceded >> disputed & 1 != 0;
        if owner == Country::NONE || is_ceded || self.world.city(city).port_only {
            return;
        }
        let country = state.country(owner);
        if country.status != Status::Active {
            return;
        }
        let (was_friendly, is_friendly) = (from == country.side, to == country.side);
        if was_friendly == is_friendly {
            return;
        }
        let worth = CITY_WILL[if self.capital_of(state, owner) == Some(city) {
            0
        } else if self.is_mainland(state, city) {
            1
        } else {
            2
        }];
        if was_friendly {
            state.last_blow = to;
            self.change_will(state, owner, -worth, WillCause::City(city), sink);
        } else {
            self.change_will(state, owner, worth, WillCause::City(city), sink);
        }
    }

    /// The capital of a country, if it has one on the map. Vichy France's is the first city of its first area (13.4).
    pub fn capital_of(&self, state: &State, country: Country) -> Option<City> {
        if country != Country::VIC {
            return self.world.country(country).capital.some();
        }
        let areas = &self.world.country(Country::FRA).overseas;
        let first = areas.iter().find(|area| state.vichy >> **area & 1 != 0)?;
        City::all().find(|city| {
            let info = self.world.city(*city);
            info.area == *first && info.country == Country::FRA && !info.port_only
        })
    }

    /// Whether a city counts for a country: a Mainland city that it owns, ceded or Vichy ones as 1.3 and 13.4 say.
    pub(crate) fn is_mainland_city_of(&self, state: &State, city: City, country: Country) -> bool {
        let info = self.world.city(city);
        let disputed = self.world.hex(info.hex).disputed;
        let is_ceded = disputed != NO_AREA && state.ceded >> disputed & 1 != 0;
        !info.port_only
            && self.is_mainland(state, city)
            && !is_ceded
            && self.owner(state, info.hex) == country
    }

    /// A hex passes to a side, or to nobody, without an enemy entering it (13.3, 13.4, 17.0): what may not stay leaves.
    pub(crate) fn hand_over<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        hex: Place,
        to: Side,
        sink: &mut S,
    ) {
        let from = state.controller(hex);
        if from == to {
            return;
        }
        state.control[hex.index()] = to;
        if self.world.hex(hex).city.some().is_some() {
            sink.emit(|| GameEvent::Captured(hex, from, to));
        }
        self.clear_out(state, hex, sink);
    }

    /// Ground units of a side whose hex is closed to them now go to the nearest legal hex, or to their Mobilization Box; air
    /// and naval units are displaced (rulings 106, 113).
    pub(crate) fn clear_out<S: EventSink<GameEvent>>(&self, state: &mut State, hex: Place, sink: &mut S) {
        if let Some(unit) = state.ground_at(hex)
            && self.side_of(state, unit) != state.controller(hex)
        {
            self.relocate(state, unit, hex, sink);
        }
        // A unit on its way through the hex, beside one that stands there.
        if let Some(unit) = state.activation.unit.some()
            && state.unit(unit).place == hex
            && self.side_of(state, unit) != state.controller(hex)
        {
            self.relocate(state, unit, hex, sink);
        }
        self.displace_if_any(state, hex, sink);
    }

    /// Air and naval units in a hex that has passed to another side, if there are any, go to the nearest base (3.3).
    fn displace_if_any<S: EventSink<GameEvent>>(&self, state: &mut State, hex: Place, sink: &mut S) {
        let bases = self.world.city_at(hex).map(|city| state.bases[city.index()]);
        if bases.is_some_and(|bases| bases.iter().any(|unit| unit.some().is_some())) {
            self.displace_from(state, hex, sink);
        }
    }

    /// A unit goes to the nearest legal hex, at its strength, or to its Mobilization Box; if it was under way, its activation is
    /// over (rulings 111, 113).
    fn relocate<S: EventSink<GameEvent>>(&self, state: &mut State, unit: UnitId, from: Place, sink: &mut S) {
        let side = self.side_of(state, unit);
        let place = self.nearest_legal(state, unit, from, side).unwrap_or(Place::POOL);
        self.put(state, unit, place);
        if place == Place::POOL {
            sink.emit(|| GameEvent::Pooled(unit));
        } else {
            sink.emit(|| GameEvent::Relocated(unit, from, place));
        }
        if state.activation.unit == unit {
            (state.activation.points, state.activation.begun) = (0, true);
        }
    }

    /// The nearest legal hex for a unit (30.3), from a hex on: controlled by its side, in play, its slot free; for an air unit
    /// a city, for a naval unit a port. By steps over land hexes; ties: smaller row, then smaller column.
    pub fn nearest_legal(&self, state: &State, unit: UnitId, from: Place, side: Side) -> Option<Place> {
        if from.is_box() {
            return self.is_box_in_play(from).then_some(from);
        }
        if !from.is_hex() {
            return None;
        }
        let mut seen = [0_u64; HEX_WORDS];
        let mut queue = [Place::NONE; LANDS];
        let (mut read, mut count, mut ring_end) = (0, 1, 1);
        queue[0] = from;
        seen[from.index() / 64] |= 1 << (from.index() % 64);
        let mut best: Option<Place> = None;
        while read < count {
            let hex = queue[read];
            read += 1;
            if self.is_legal(state, unit, hex, side) && best.is_none_or(|best| hex < best) {
                best = Some(hex);
            }
            for near in self.world.hex(hex).near.into_iter().filter(|near| near.is_hex()) {
                let (word, bit) = (near.index() / 64, 1 << (near.index() % 64));
                if seen[word] & bit == 0 {
                    seen[word] |= bit;
                    queue[count] = near;
                    count += 1;
                }
            }
            if read == ring_end {
                if best.is_some() {
                    return best;
                }
                ring_end = count;
            }
        }
        best
    }

    /// Whether a unit may be placed in a hex (30.3).
    fn is_legal(&self, state: &State, unit: UnitId, hex: Place, side: Side) -> bool {
        let kind = self.kind(unit);
        let is_base = if kind.is_air() {
            self.is_air_base(state, hex, side)
        } else if kind.is_naval() {
            self.is_naval_base(state, hex, side)
        } else {
            state.controller(hex) == side
                && self.scenario().in_play(hex)
                && !self.world.hex(hex).faded
                && !self.is_barred(state, hex, unit)
        };
        is_base && self.has_room(state, unit, hex)
    }
}
