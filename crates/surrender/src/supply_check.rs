//! The Supply Check Sub-Phase and the No Supply Phase. Rules 7.1, 7.4 to 7.6; rulings 33 to 35, 90 to 94.
//!
//! A check has four steps: land traces, sea links, Limited sources, the rest falls. Units that are settled bear
//! [`flag::CHECKED`] until it is over.

use kernel::EventSink;

use crate::bits::UnitSet;
use crate::choice::Choice;
use crate::frame::Frame;
use crate::game_event::{GameEvent, Loss};
use crate::ids::{CITIES, City, Country, Faction, Node, Place, Side, UNITS, UnitId};
use crate::links::{ANY_LENGTH, Links, Service};
use crate::markers::{Marker, Owner};
use crate::muster::Muster;
use crate::rules::Rules;
use crate::state::{Errand, Mission, PATH, State, Status, Supply, SupplyCheck, flag, note};
use crate::supply::{Net, bit};

/// How many units a Limited source feeds in a check (7.3).
const PORTIONS: u8 = 2;
/// How far Air Transport reaches (`events.toml`).
const AIR_TRANSPORT: u32 = 5;
/// Sorties that an air or naval unit adds in No Supply (7.6).
const WEAR: u8 = 2;

/// The steps of a check after the land traces.
mod step {
    pub const LINKS: u8 = 0;
    pub const LIMITED: u8 = 1;
    pub const AIR: u8 = 2;
    pub const REST: u8 = 3;
}

impl Rules {
    /// The units of a side on the map that its Supply Check has not settled.
    pub(crate) fn unsettled(&self, state: &State, side: Side) -> UnitSet {
        let muster = Muster::of(state);
        self.on_map_of(state, &muster, |of| of == side).minus(&muster.checked)
    }

    /// The side whose units are checked now: Lone countries come after the Western faction (7.1).
    fn checked_side(state: &State, faction: Faction) -> Side {
        if state.noted(note::LONE_CHECK) { Side::Lone } else { faction.side() }
    }

    /// Phase 6, Supply Check.
    pub(crate) fn begin_check<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        faction: Faction,
        sink: &mut S,
    ) {
        state.push(Frame::Check(faction));
        self.trace_by_land(state, faction.side(), sink);
    }

    /// Step 1: land traces to Unlimited sources.
    fn trace_by_land<S: EventSink<GameEvent>>(&self, state: &mut State, side: Side, sink: &mut S) {
        let net = Net::new(self, state, side);
        for unit in self.on_map_of(state, &Muster::of(state), |of| of == side).units() {
            if net.is_full(state, unit) {
                self.settle_supply(state, unit, Supply::Full, sink);
            }
        }
    }

    /// A unit has its state for this check.
    fn settle_supply<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        unit: UnitId,
        supply: Supply,
        sink: &mut S,
    ) {
        let entry = state.unit_mut(unit);
        entry.flags |= flag::CHECKED;
        let before = std::mem::replace(&mut entry.supply, supply);
        if before != supply {
            sink.emit(|| GameEvent::Supplied(unit, before, supply));
        }
    }

    /// The Supply Check goes on.
    pub(crate) fn proceed_check<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        faction: Faction,
        sink: &mut S,
    ) {
        let side = Self::checked_side(state, faction);
        if state.check.step == step::LINKS {
            if state.check.convoy.some().is_some() {
                self.settle_link(state, side, sink);
            }
            if self.can_link(state, side) {
                state.push(Frame::Link(faction));
                return;
            }
            state.check.step = step::LIMITED;
        }
        if state.check.step == step::LIMITED {
            if let Some(source) = self.feed_by_turns(state, side, sink) {
                state.push(Frame::Feed(source));
                return;
            }
            state.check.step = step::AIR;
        }
        if state.check.step == step::AIR {
            if self.fed_by_air(state, side).next().is_some() {
                state.push(Frame::AirSupply(faction));
                return;
            }
            state.check.step = step::REST;
        }
        self.let_fall(state, side, sink);
        self.finish_check(state, faction, side, sink);
    }

    // --- sea links --------------------------------------------------------------------------------------------------

    fn can_link(&self, state: &State, side: Side) -> bool {
        Links::new(self, state, side).is_some_and(|links| {
            self.convoys(state, side).any(|convoy| links.can_link(state, state.unit(convoy).place))
        })
    }

    /// The choices of [`Frame::Link`].
    pub(crate) fn list_links(&self, state: &State, faction: Faction, out: &mut Vec<Choice>) {
        let side = Self::checked_side(state, faction);
        if let Some(links) = Links::new(self, state, side) {
            let able =
                self.convoys(state, side).filter(|convoy| links.can_link(state, state.unit(*convoy).place));
            out.extend(able.map(Choice::Link));
        }
        out.push(Choice::Pass);
    }

    /// The choices of [`Frame::LinkTo`].
    pub(crate) fn list_link_ends(&self, state: &State, convoy: UnitId, out: &mut Vec<Choice>) {
        let here = state.unit(convoy).place;
        if let Some(links) = Links::new(self, state, self.side_of(state, convoy)) {
            links.list_ends(state, here, out);
        }
    }

    /// A convoy is chosen, or no more links.
    pub(crate) fn play_link(&self, state: &mut State, choice: Choice) {
        if let Choice::Link(convoy) = choice {
            state.become_frame(Frame::LinkTo(convoy));
        } else {
            state.check.step = step::LIMITED;
            state.pop();
        }
    }

    /// The other end is chosen: the convoy sets out and may be intercepted (6.9).
    pub(crate) fn play_link_end<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        convoy: UnitId,
        to: Place,
        sink: &mut S,
    ) {
        let from = state.unit(convoy).place;
        state.pop();
        state.check.convoy = convoy;
        state.check.ends = [from, to];
        state.unit_mut(convoy).flags |= flag::LINKED;
        let way = self.sea_path(state, self.side_of(state, convoy), from, to, ANY_LENGTH);
        let path = way.map_or([Node::NONE; PATH], |(_, path)| path);
        let mission = Mission { errand: Errand::Link, unit: convoy, from, to, path, ..Mission::NONE };
        self.begin_mission(state, mission, sink);
    }

    /// A link was made or interdicted: an interdicted convoy is ended, or lost (5.2). The units that needed it are Full, over a
    /// beach Low, or fall one level and get nothing more.
    fn settle_link<S: EventSink<GameEvent>>(&self, state: &mut State, side: Side, sink: &mut S) {
        let SupplyCheck { convoy, ends, .. } = state.check;
        state.mission = Mission::NONE;
        (state.check.convoy, state.check.ends) = (UnitId::NONE, [Place::NONE; 2]);
        let entry = state.unit(convoy);
        let failed = !entry.on_map() || entry.has(flag::ENDED);
        let Some(links) = Links::at(self, state, side) else { return };
        if !failed {
            let home = links.home_end(state, ends);
            let far = if home == ends[0] { ends[1] } else { ends[0] };
            sink.emit(|| GameEvent::Linked(convoy, far, home));
        }
        let mut served = [(UnitId::NONE, Service::Nothing); UNITS];
        let mut count = 0;
        for entry in links.served(state, ends) {
            served[count] = entry;
            count += 1;
        }
        for (unit, service) in &served[..count] {
            let supply = match service {
                _ if failed => self.fallen(state, *unit),
                Service::Port => Supply::Full,
                _ => Supply::Low,
            };
            self.settle_supply(state, *unit, supply, sink);
        }
    }

    /// A unit that has done its part without a fight adds a Sortie; it had fewer than the most.
    fn wear<S: EventSink<GameEvent>>(&self, state: &mut State, unit: UnitId, sink: &mut S) {
        let entry = state.unit_mut(unit);
        entry.level += 1;
        let level = entry.level;
        sink.emit(|| GameEvent::Sorties(unit, 1, level));
    }

    // --- Limited sources --------------------------------------------------------------------------------------------

    /// Whether a Limited source makes a difference to a unit: without it the unit would have No Supply.
    fn would_starve(&self, state: &State, unit: UnitId) -> bool {
        self.fallen(state, unit) == Supply::No
    }

    /// Step 3: goes through the Limited sources. Where no more units want one than it can feed they are fed; the first at
    /// which the owner has to choose is handed back.
    fn feed_by_turns<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        side: Side,
        sink: &mut S,
    ) -> Option<Place> {
        let mut starving = self.starving(state, side);
        if starving.is_empty() {
            return None;
        }
        let mut net = Net::new(self, state, side);
        net.learn(state, &starving);
        while usize::from(state.check.source) < CITIES {
            let city = City(state.check.source);
            let left = usize::from(PORTIONS - state.check.fed);
            if net.limited(city) != 0 {
                let mut fed = UnitSet::EMPTY;
                for (at, unit) in self.hungry(state, &net, &starving, city).enumerate() {
                    if at == left {
                        return Some(self.world.city(city).hex);
                    }
                    fed.insert(unit);
                }
                for unit in fed.units() {
                    self.settle_supply(state, unit, Supply::Low, sink);
                }
                starving = starving.minus(&fed);
            }
            state.check.source += 1;
            state.check.fed = 0;
        }
        None
    }

    /// The units of a side that want food from a Limited source, if they reach one.
    fn starving(&self, state: &State, side: Side) -> UnitSet {
        let mut units = self.unsettled(state, side);
        for unit in units.units().filter(|unit| !self.would_starve(state, *unit)) {
            units.set_number(unit.index(), false);
        }
        units
    }

    /// The units that want food from a Limited source, of those that starve; what they reach is known.
    fn hungry<'s>(
        &'s self,
        state: &'s State,
        net: &'s Net<'s>,
        starving: &UnitSet,
        city: City,
    ) -> impl Iterator<Item = UnitId> + use<'s> {
        let (countries, hex) = (net.limited(city), self.sites[city.index()].hex);
        starving.units().filter(move |unit| {
            countries & bit(self.country_of(state, *unit)) != 0 && net.reaches(net.notes().reach(*unit), hex)
        })
    }

    /// The choices of [`Frame::Feed`].
    pub(crate) fn list_hungry(&self, state: &State, out: &mut Vec<Choice>) {
        let side = Self::checked_side(state, state.acting);
        let starving = self.starving(state, side);
        let mut net = Net::new(self, state, side);
        net.learn(state, &starving);
        out.extend(self.hungry(state, &net, &starving, City(state.check.source)).map(Choice::Feed));
    }

    /// A unit is fed from a Limited source.
    pub(crate) fn play_feed<S: EventSink<GameEvent>>(&self, state: &mut State, unit: UnitId, sink: &mut S) {
        self.settle_supply(state, unit, Supply::Low, sink);
        state.check.fed += 1;
        if state.check.fed == PORTIONS {
            (state.check.source, state.check.fed) = (state.check.source + 1, 0);
        }
        state.pop();
    }

    // --- Air Transport ----------------------------------------------------------------------------------------------

    /// Countries of a side that have an Air Transport marker in hand.
    fn carriers<'s>(&'s self, state: &'s State, side: Side) -> impl Iterator<Item = Country> + 's {
        Country::all().filter(move |country| {
            let entry = state.country(*country);
            entry.status == Status::Active
                && entry.side == side
                && self.ready(state, Marker::AirTransport, Owner::Country(*country)) > 0
        })
    }

    /// The air unit that would carry supplies to a hex, and its country: of those in reach the one with the fewest Sorties.
    fn supply_plane(&self, state: &State, side: Side, hex: Place) -> Option<(UnitId, Country)> {
        let near = |unit: &UnitId| {
            let place = state.unit(*unit).place;
            place.is_hex() && self.world.distance(place, hex) <= AIR_TRANSPORT
        };
        self.carriers(state, side).find_map(|country| {
            let planes = UnitId::all().filter(|unit| {
                self.kind(*unit).is_air()
                    && self.country_of(state, *unit) == country
                    && self.is_fit(state, *unit)
                    && near(unit)
            });
            planes.min_by_key(|unit| state.unit(*unit).level).map(|unit| (unit, country))
        })
    }

    /// The ground units that would have No Supply and can be supplied by air.
    fn fed_by_air<'s>(&'s self, state: &'s State, side: Side) -> impl Iterator<Item = UnitId> + 's {
        let any = self.carriers(state, side).next().is_some();
        let hungry = if any { self.unsettled(state, side) } else { UnitSet::EMPTY };
        hungry.units().filter(move |unit| {
            self.kind(*unit).is_ground()
                && self.would_starve(state, *unit)
                && self.supply_plane(state, side, state.unit(*unit).place).is_some()
        })
    }

    /// The choices of [`Frame::AirSupply`].
    pub(crate) fn list_air_supply(&self, state: &State, faction: Faction, out: &mut Vec<Choice>) {
        let side = Self::checked_side(state, faction);
        out.extend(self.fed_by_air(state, side).map(Choice::Feed));
        out.push(Choice::Pass);
    }

    /// A unit is supplied by air, or none is any more.
    pub(crate) fn play_air_supply<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        faction: Faction,
        choice: Choice,
        sink: &mut S,
    ) {
        let side = Self::checked_side(state, faction);
        state.pop();
        let Choice::Feed(unit) = choice else {
            state.check.step = step::REST;
            return;
        };
        if let Some((plane, country)) = self.supply_plane(state, side, state.unit(unit).place) {
            self.spend(state, Marker::AirTransport, Owner::Country(country));
            sink.emit(|| GameEvent::Played(side, Marker::AirTransport));
            self.wear(state, plane, sink);
            self.settle_supply(state, unit, Supply::Low, sink);
        }
    }

    // --- the rest ---------------------------------------------------------------------------------------------------

    /// Step 4: the rest falls one level (7.5).
    fn let_fall<S: EventSink<GameEvent>>(&self, state: &mut State, side: Side, sink: &mut S) {
        for unit in self.unsettled(state, side).units() {
            let supply = self.fallen(state, unit);
            self.settle_supply(state, unit, supply, sink);
        }
    }

    /// The check of a side is over: the enemy's Partisans leave; after the Western faction the Lone countries are checked.
    fn finish_check<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        faction: Faction,
        side: Side,
        sink: &mut S,
    ) {
        state.clear_flags(flag::CHECKED | flag::LINKED);
        self.take_partisans_back(state, side, sink);
        state.check = SupplyCheck::NONE;
        let lone = Country::all().any(|country| {
            let entry = state.country(country);
            entry.status == Status::Active && entry.side == Side::Lone
        });
        if side == Side::Western && lone {
            state.notes |= note::LONE_CHECK;
            self.trace_by_land(state, Side::Lone, sink);
            return;
        }
        state.notes &= !note::LONE_CHECK;
        state.pop();
        if faction == Faction::Axis {
            self.begin_emergency(state);
        }
    }

    /// Partisans leave the map at the end of their enemy's Supply Check and are in hand again (14, 12.2).
    fn take_partisans_back<S: EventSink<GameEvent>>(&self, state: &mut State, side: Side, sink: &mut S) {
        for at in 0..state.partisans.len() {
            let (hex, of) = state.partisans[at];
            let peace = !Side::ALL.iter().any(|other| state.at_war(*other, of.side()));
            if !hex.is_hex() || !peace && !state.at_war(of.side(), side) {
                continue;
            }
            state.partisans[at] = (Place::NONE, Faction::Axis);
            sink.emit(|| GameEvent::Partisans(of, hex, false));
            if let Some(slot) = self.slot(Marker::Partisans, Owner::Faction(of))
                && state.spent[slot] > 0
            {
                state.spent[slot] -= 1;
                state.ready[slot] += 1;
            }
        }
    }

    // --- phase 7 ----------------------------------------------------------------------------------------------------

    /// Phase 7: each ground unit in No Supply loses a step, each air or naval unit adds two Sorties (7.6). A reduced unit may
    /// have to be asked about (Naval Evacuation): then the phase goes on after the answer.
    pub(crate) fn begin_no_supply<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        faction: Faction,
        sink: &mut S,
    ) {
        let depth = state.depth;
        for unit in UnitId::all() {
            let entry = *state.unit(unit);
            let starves = entry.on_map() && entry.supply == Supply::No && !entry.has(flag::CHECKED);
            if !starves || !self.moves(state, faction, unit) {
                continue;
            }
            state.unit_mut(unit).flags |= flag::CHECKED;
            if !self.kind(unit).is_ground() {
                self.add_sorties(state, unit, WEAR, sink);
            } else if entry.level == 0 {
                self.reduce(state, unit, Loss::Supply, sink);
            } else {
                self.lose_or_evacuate(state, unit, Loss::Supply, sink);
            }
            if state.depth > depth {
                // The sequence of play comes back to this step for the units that are left.
                state.next -= 1;
                return;
            }
        }
        state.clear_flags(flag::CHECKED);
    }
}
