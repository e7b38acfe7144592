//! Conquered countries and the special cases. Rules 13.3, 13.4; rulings 100, 107, 109, 112, 113.

use kernel::EventSink;

use crate::frame::Frame;
use crate::game_event::{GameEvent, WillCause};
use crate::ids::{City, Country, LANDS, Place, Side, UnitId};
use crate::rules::Rules;
use crate::state::{State, Status, Unit, fate, flag, note};
use crate::world::{Avail, EventUnit, Hexside, NO_AREA};

/// National Will of Germany for the conquest of France or Italy, and of any other country.
const GREAT_CONQUEST: i16 = 8;
const CONQUEST: i16 = 2;
/// From this die on an Overseas Area of France is Western, a French naval unit Free French.
const FREE_FROM: u8 = 5;
/// Sorties of a Free French naval unit.
const FREE_SORTIES: u8 = 4;

/// The garrison of Crete.
const CRETE: &str = "GRE-CR";

// Steps of a conquest that has dice: areas of France from 1 on, then its fleet, then what closes.
const FLEET: u8 = 100;
const CLOSING: u8 = 101;

impl Rules {
    /// Whether a country of `simple-conquest` has fallen (30.6): its listed cities are all the Axis's.
    pub(crate) fn has_simply_fallen(&self, state: &State, country: Country) -> Option<bool> {
        let (_, cities) =
            self.scenario().hooks.simple_conquest.iter().find(|(simple, _)| *simple == country)?;
        Some(cities.iter().all(|city| state.controller(self.world.city(*city).hex) == Side::Axis))
    }

    /// A conquest goes on (13.3, 13.4).
    pub(crate) fn proceed_conquest<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        country: Country,
        step: u8,
        sink: &mut S,
    ) {
        match step {
            0 => self.begin_conquest(state, country, sink),
            FLEET => {
                let at_sea = |unit: &UnitId| {
                    self.kind(*unit).is_naval()
                        && state.unit(*unit).on_map()
                        && !state.unit(*unit).has(flag::FREE)
                };
                match self.world.country(country).units.iter().copied().find(at_sea) {
                    Some(unit) => state.push(Frame::FleetDie(unit)),
                    None => state.become_frame(Frame::Conquest(country, CLOSING)),
                }
            }
            CLOSING => {
                self.close_vichy(state, sink);
                // The dice have settled the Overseas Areas: what became Western stays so.
                let mut kept = [false; LANDS];
                for area in &self.world.country(country).overseas {
                    for hex in &self.world.areas[usize::from(*area)].hexes {
                        kept[hex.index()] = true;
                    }
                }
                self.pass_hexes(state, country, Side::Western, &kept, sink);
                self.finish_conquest(state, country, false, sink);
            }
            area => {
                let areas = self.world.country(country).overseas.len() as u8;
                let next = if area >= areas { FLEET } else { area + 1 };
                state.become_frame(Frame::Conquest(country, next));
                state.push(Frame::AreaDie(area - 1));
            }
        }
    }

    /// Conqueror, units, National Will; then either everything else or the dice of France.
    fn begin_conquest<S: EventSink<GameEvent>>(&self, state: &mut State, country: Country, sink: &mut S) {
        let side = state.country(country).side;
        let stays = country == Country::ITA && side == Side::Axis;
        let conqueror = if stays { self.holder_of_rome(state) } else { self.conqueror(state, country, side) };
        let entry = state.country_mut(country);
        (entry.status, entry.side, entry.pro, entry.points) = (Status::Conquered, conqueror, None, 0);
        if conqueror == Side::Axis {
            entry.fates |= fate::FELL_TO_AXIS;
            if matches!(side, Side::Western | Side::Soviet) {
                entry.fates |= fate::WAS_ALLIED;
            }
        }
        let is_first = entry.fates & fate::FELL == 0;
        entry.fates |= fate::FELL;
        sink.emit(|| GameEvent::Conquered(country, conqueror));
        self.drop_markers(state, country);
        let rolls = country == Country::FRA && conqueror == Side::Axis && is_first;
        let mut kept = [false; LANDS];
        if conqueror == Side::Axis {
            self.keep_western(country, &mut kept);
        }
        let keeps = |state: &State, unit: UnitId| {
            let place = state.unit(unit).place;
            self.info(unit).avail == Avail::Event(EventUnit::FreeForces)
                || rolls && self.kind(unit).is_naval() && place.on_map()
                || place.is_hex() && kept[place.index()] && self.info(unit).id == CRETE
        };
        self.withdraw(state, country, Place::OUT, keeps, sink);
        if conqueror == Side::Axis {
            self.reward(state, country, sink);
        }
        if rolls {
            self.free_force(state, country, sink);
            state.become_frame(Frame::Conquest(country, 1));
            return;
        }
        if stays {
            state.notes |= note::ITALY_FELL;
        } else {
            self.free_crete(state, &kept);
            for hex in Place::hexes().filter(|hex| kept[hex.index()]) {
                if state.controller(hex) != Side::Axis {
                    self.hand_over(state, hex, Side::Western, sink);
                }
            }
            self.pass_hexes(state, country, side, &kept, sink);
        }
        self.cede_after(state, country, side, conqueror, sink);
        if country == Country::POL && conqueror == Side::Axis {
            self.free_force(state, country, sink);
        }
        self.finish_conquest(state, country, side == Side::Lone, sink);
    }

    /// The enemy side that controls most of its Mainland cities; tie: the one whose act caused the last loss of Will (13.3).
    fn conqueror(&self, state: &State, country: Country, side: Side) -> Side {
        let mut cities = [0_u8; Side::ALL.len()];
        for city in City::all().filter(|city| self.is_mainland_city_of(state, *city, country)) {
            let holder = state.controller(self.world.city(city).hex);
            if state.at_war(holder, side) {
                cities[holder.index()] += 1;
            }
        }
        let rank = |side: &Side| (cities[side.index()], *side == state.last_blow, 9 - *side as u8);
        Side::ALL.into_iter().max_by_key(rank).unwrap_or(Side::Axis)
    }

    /// Italy counts as conquered by the faction that controls Rome (13.4).
    fn holder_of_rome(&self, state: &State) -> Side {
        let rome = self.world.country(Country::ITA).capital;
        rome.some().map_or(Side::Axis, |rome| state.controller(self.world.city(rome).hex))
    }

    /// Germany's National Will for a conquest by the Axis (2.1.2): France and Italy once each, others every time.
    fn reward<S: EventSink<GameEvent>>(&self, state: &mut State, country: Country, sink: &mut S) {
        let is_major = matches!(country, Country::FRA | Country::ITA);
        let entry = state.country_mut(country);
        let is_paid = entry.fates & fate::PAID != 0;
        if is_major {
            entry.fates |= fate::PAID;
        }
        match (is_major, is_paid) {
            (true, true) => {}
            (true, false) => {
                self.change_will(state, Country::GER, GREAT_CONQUEST, WillCause::Conquest(country), sink);
            }
            (false, _) => self.change_will(state, Country::GER, CONQUEST, WillCause::Conquest(country), sink),
        }
    }

    /// Every hex that a country owns and its old side controls passes to the conqueror, except those holding a ground unit of
    /// another country of that side (13.3).
    fn pass_hexes<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        country: Country,
        from: Side,
        kept: &[bool; LANDS],
        sink: &mut S,
    ) {
        let to = state.country(country).side;
        for hex in Place::hexes() {
            let passes = state.controller(hex) == from
                && !kept[hex.index()]
                && self.owned_before(state, hex, country)
                && state.ground_at(hex).is_none_or(|unit| self.side_of(state, unit) != from);
            if passes {
                self.hand_over(state, hex, to, sink);
            }
        }
    }

    /// Whether a hex was owned by a country that is not active any more: ceded areas that it claimed count, those that it
    /// has lost do not.
    fn owned_before(&self, state: &State, hex: Place, country: Country) -> bool {
        let info = self.world.hex(hex);
        if info.disputed != NO_AREA && state.ceded >> info.disputed & 1 != 0 {
            return self.world.disputed[usize::from(info.disputed)].claimant == country;
        }
        self.owner(state, hex) == country
    }

    /// What does not fall to the Axis with its country but becomes Western (13.4): Iceland with Denmark; Crete, the land mass of
    /// Heraklion, with Greece.
    fn keep_western(&self, country: Country, kept: &mut [bool; LANDS]) {
        if country == Country::DEN {
            for area in &self.world.country(country).overseas {
                for hex in &self.world.areas[usize::from(*area)].hexes {
                    kept[hex.index()] = true;
                }
            }
        }
        if country != Country::GRE {
            return;
        }
        let Some(heraklion) = self.world.city_named("heraklion") else { return };
        let mut waiting = [self.world.city(heraklion).hex; LANDS];
        kept[waiting[0].index()] = true;
        let mut left = 1;
        while left > 0 {
            left -= 1;
            let info = self.world.hex(waiting[left]);
            for (near, between) in info.near.into_iter().zip(info.sides) {
                let is_joined = near.is_hex() && !matches!(between, Hexside::Water | Hexside::Strait);
                if is_joined && !std::mem::replace(&mut kept[near.index()], true) {
                    waiting[left] = near;
                    left += 1;
                }
            }
        }
    }

    /// The garrison of Crete fights on as a unit of the UK's, if the UK is active (13.4, ruling 109).
    fn free_crete(&self, state: &mut State, kept: &[bool; LANDS]) {
        let Some(unit) = self.world.unit_named(CRETE) else { return };
        let place = state.unit(unit).place;
        if !place.is_hex() || !kept[place.index()] || state.unit(unit).has(flag::FREE) {
            return;
        }
        if state.country(Country::UK).status == Status::Active {
            state.unit_mut(unit).flags |= flag::FREE;
        } else {
            self.lift(state, unit);
        }
    }

    /// Poland conquered by the Axis while the Pact stands: Eastern Poland goes to the USSR. A Lone country conquered by the
    /// Soviets cedes what they claim (13.4, ruling 107).
    fn cede_after<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        country: Country,
        side: Side,
        conqueror: Side,
        sink: &mut S,
    ) {
        let is_partition = country == Country::POL && conqueror == Side::Axis && state.pact();
        let is_karelia = country == Country::FIN && conqueror == Side::Soviet && side == Side::Lone;
        if !is_partition && !is_karelia || state.country(Country::USSR).status != Status::Active {
            return;
        }
        for area in 0..self.world.disputed.len() as u8 {
            let info = &self.world.disputed[usize::from(area)];
            if info.owner == country && info.claimant == Country::USSR {
                self.cede(state, area, sink);
            }
        }
    }

    /// Free Forces: `UK-POL` after Poland, `FRA-FF1` after France enter the UK's Mobilization Box (13.4).
    fn free_force<S: EventSink<GameEvent>>(&self, state: &mut State, victim: Country, sink: &mut S) {
        let owner = if victim == Country::POL { Country::UK } else { victim };
        for unit in self.world.country(owner).units.iter().copied() {
            let is_meant = self.info(unit).avail == Avail::Event(EventUnit::FreeForces)
                && state.unit(unit).place == Place::LATER;
            if !is_meant {
                continue;
            }
            if state.country(Country::UK).status != Status::Active {
                state.unit_mut(unit).place = Place::OUT;
                continue;
            }
            let flags = if owner == Country::UK { 0 } else { flag::FREE };
            *state.unit_mut(unit) = Unit { place: Place::POOL, flags, ..Unit::LATER };
            sink.emit(|| GameEvent::Pooled(unit));
        }
    }

    /// The die for an Overseas Area of France (13.4): Vichy or Western. Units leave once the fleet has been rolled for.
    pub(crate) fn play_area_die<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        at: u8,
        die: u8,
        sink: &mut S,
    ) {
        state.pop();
        let area = self.world.country(Country::FRA).overseas[usize::from(at)];
        let is_vichy = die < FREE_FROM;
        sink.emit(|| GameEvent::FrenchArea(area, die, is_vichy));
        if is_vichy {
            state.vichy |= 1 << area;
            let vichy = state.country_mut(Country::VIC);
            if vichy.status == Status::Absent {
                vichy.status = Status::Neutral;
            }
        }
        for hex in &self.world.areas[usize::from(area)].hexes {
            let is_axis = state.ground_at(*hex).is_some_and(|unit| self.side_of(state, unit) == Side::Axis);
            state.control[hex.index()] = match (is_vichy, is_axis) {
                (true, _) => Side::Nobody,
                (false, true) => Side::Axis,
                (false, false) => Side::Western,
            };
        }
    }

    /// Units in hexes of Vichy France, and what the new control of French Areas does not allow, leave (13.4, ruling 113).
    fn close_vichy<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        for area in &self.world.country(Country::FRA).overseas {
            for hex in &self.world.areas[usize::from(*area)].hexes {
                self.clear_out(state, *hex, sink);
            }
        }
    }

    /// The die for a French naval unit (13.4): out of the game, or Free French in the nearest UK port with a free slot.
    pub(crate) fn play_fleet_die<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        unit: UnitId,
        die: u8,
        sink: &mut S,
    ) {
        state.pop();
        let is_free = die >= FREE_FROM && state.country(Country::UK).status == Status::Active;
        sink.emit(|| GameEvent::FrenchFleet(unit, die, is_free));
        let from = state.unit(unit).place;
        self.lift(state, unit);
        *state.unit_mut(unit) = Unit { place: Place::OUT, ..Unit::LATER };
        if !is_free {
            return;
        }
        let entry = state.unit_mut(unit);
        (entry.level, entry.flags) = (FREE_SORTIES, flag::FREE);
        let port = self.nearest_port_of(state, unit, from, Country::UK).unwrap_or(Place::POOL);
        self.put(state, unit, port);
        sink.emit(|| GameEvent::Arrived(unit, port));
    }

    /// The nearest friendly port of a country with a free slot, by distance; ties: smaller hex.
    fn nearest_port_of(&self, state: &State, unit: UnitId, from: Place, country: Country) -> Option<Place> {
        let side = self.side_of(state, unit);
        let ports = self.world.country(country).cities.iter().map(|city| self.world.city(*city).hex);
        let free =
            ports.filter(|hex| self.is_naval_base(state, *hex, side) && self.has_room(state, unit, *hex));
        free.min_by_key(|hex| (if from.is_hex() { self.world.distance(from, *hex) } else { 0 }, *hex))
    }

    /// The last step: the conqueror may place a Pro-marker (13.3 step 5); not after a Lone country (ruling 107).
    fn finish_conquest<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        country: Country,
        was_lone: bool,
        _: &mut S,
    ) {
        state.pop();
        let Some(faction) = state.country(country).side.faction() else { return };
        if self.has_pro_markers() && !was_lone && self.pro_places(state, faction, country).next().is_some() {
            state.push(Frame::ProMarker(faction, country));
        }
    }
}
