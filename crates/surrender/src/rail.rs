//! Strategic Movement: by rail, and by air over long distances. Rule 4.8; rulings 58, 86.

use kernel::EventSink;

use crate::choice::Choice;
use crate::frame::Frame;
use crate::game_event::GameEvent;
use crate::hex_set::HexSet;
use crate::ids::{COUNTRIES, City, Country, Faction, LANDS, Place, Side, UnitId};
use crate::rules::Rules;
use crate::state::{State, flag, note};
use crate::supply::{Lay, Stretches, for_each_joined};

/// How far an air unit flies in the Strategic Movement Phase.
const FLIGHT: u32 = 20;
/// Hexes and the Central Russia Box.
const STOPS: usize = LANDS + 1;

/// The railways of a side: the hexes that may be passed.
struct Railways<'r> {
    rules: &'r Rules,
    side: Side,
    open: HexSet,
    ezoc: HexSet,
}

/// Where the stretches of line lead: how many places to get off each has, for a ground unit and for an air unit.
struct Halts {
    lines: Stretches,
    counts: [[u16; 2]; STOPS + 1],
}

impl<'r> Railways<'r> {
    fn new(rules: &'r Rules, state: &State, side: Side) -> Self {
        let lay = Lay::new(rules, state, side);
        let open = lay.open.without(&lay.ezoc, &HexSet::EMPTY);
        Self { rules, side, open, ezoc: lay.ezoc }
    }

    fn halts(&self, state: &State) -> Halts {
        let rules = self.rules;
        let lines = Stretches::new(rules, &self.open, true);
        let mut counts = [[0; 2]; STOPS + 1];
        for hex in self.open.iter() {
            let stretch = usize::from(lines.at(hex));
            if stretch != 0 && state.controller(hex) == self.side {
                counts[stretch][0] += u16::from(state.ground_at(hex).is_none());
                let base = rules.world.city_at(hex).filter(|_| rules.has_city(hex));
                counts[stretch][1] +=
                    u16::from(base.is_some_and(|city| state.bases[city.index()][0].some().is_none()));
            }
        }
        if self.side == Side::Soviet && rules.scenario().russia {
            let stretch = &mut counts[usize::from(lines.at(Place::CRU))];
            *stretch = stretch.map(|count| count + 1);
        }
        counts[0] = [0; 2];
        Halts { lines, counts }
    }

    /// Whether a unit can go anywhere.
    fn can_move(&self, state: &State, halts: &Halts, unit: UnitId) -> bool {
        let air = self.rules.kind(unit).is_air();
        if air && self.bases_in_flight(state, unit).next().is_some() {
            return true;
        }
        if self.rules.scenario().hooks.minor_limits.is_some() {
            let (stops, russia) = self.stops(state, unit);
            return russia || stops.iter().any(|hex| self.may_stop(state, unit, hex));
        }
        let from = state.unit(unit).place;
        if self.ezoc.has(from) {
            return false;
        }
        // A unit stands in its own way: its hex is no halt, and neither is the box that it is in.
        let own = u16::from(from == Place::CRU);
        let mut any = false;
        let mut look =
            |place: Place| any |= halts.counts[usize::from(halts.lines.at(place))][usize::from(air)] > own;
        look(from);
        for_each_joined(self.rules, from, true, look);
        any
    }

    /// The friendly bases that an air unit can fly to.
    fn bases_in_flight<'s>(&'s self, state: &'s State, unit: UnitId) -> impl Iterator<Item = Place> + 's {
        let from = state.unit(unit).place;
        let world = self.rules.world;
        City::all().map(|city| world.city(city).hex).filter(move |hex| {
            from.is_hex()
                && world.distance(from, *hex) <= FLIGHT
                && self.rules.is_air_base(state, *hex, self.side)
                && self.rules.has_room(state, unit, *hex)
        })
    }

    /// The hexes that a unit can come to along Transport Lines, and whether it can get off in the Central Russia Box, which is
    /// the Soviets'; never into or out of an EZOC, nor into closed ground or a hex marked Partisans.
    fn stops(&self, state: &State, unit: UnitId) -> (HexSet, bool) {
        let mut reached = HexSet::EMPTY;
        let from = state.unit(unit).place;
        if self.ezoc.has(from) || !from.is_hex() && from != Place::CRU {
            return (reached, false);
        }
        let mut in_box = from == Place::CRU;
        let mut stack = [Place::NONE; STOPS];
        stack[0] = from;
        let mut left = 1;
        while left > 0 {
            left -= 1;
            for_each_joined(self.rules, stack[left], true, |next| {
                if next == Place::CRU {
                    if in_box {
                        return;
                    }
                    in_box = true;
                } else {
                    let passable = self.open.has(next) && !self.rules.is_barred(state, next, unit);
                    if next == from || !passable || reached.has(next) {
                        return;
                    }
                    reached.insert(next);
                }
                stack[left] = next;
                left += 1;
            });
        }
        (reached, in_box && from != Place::CRU && self.side == Side::Soviet)
    }

    /// Whether a unit may end its move in a hex that it can come to.
    fn may_stop(&self, state: &State, unit: UnitId, hex: Place) -> bool {
        let base = !self.rules.kind(unit).is_air() || self.rules.is_air_base(state, hex, self.side);
        base && state.controller(hex) == self.side && self.rules.has_room(state, unit, hex)
    }
}

impl Rules {
    /// Phase 5.
    pub(crate) fn begin_rail(&self, state: &mut State, faction: Faction) {
        if self.can_rail(state, faction) {
            state.push(Frame::Rail(faction));
        }
    }

    /// How many units a country may move: half its Factories on the map, at least one.
    pub fn rail_allowance(&self, state: &State, country: Country) -> u8 {
        let divisor = self.world.tables.production.rail_divisor;
        self.factories(state, country).div_ceil(divisor).max(1)
    }

    /// Whether a unit may be chosen while its country has moves left (30.6: `no-activation-apr`, `yugoslav-freeze`).
    fn may_rail(&self, state: &State, faction: Faction, unit: UnitId) -> bool {
        let entry = state.unit(unit);
        let country = self.country_of(state, unit);
        let hooks = &self.scenario().hooks;
        let waits = hooks
            .no_activation
            .is_some_and(|(turn, countries)| turn == state.turn && countries >> country.index() & 1 != 0);
        let frozen = hooks
            .freeze
            .is_some_and(|(turn, of)| turn == state.turn && of == country && !state.noted(note::INVADED));
        let place = entry.place;
        (place.is_hex() || place == Place::CRU)
            && !entry.has(flag::RAILED)
            && !self.kind(unit).is_naval()
            && self.moves(state, faction, unit)
            && !waits
            && !frozen
    }

    /// Visits the units that a faction may move, until the visitor has seen enough.
    fn for_each_traveller(&self, state: &State, faction: Faction, mut visit: impl FnMut(UnitId) -> bool) {
        for side in Side::ALL.into_iter().filter(|side| side.player() == faction) {
            let mut railways = None;
            let mut spare = [None; COUNTRIES];
            for unit in UnitId::all() {
                let country = self.country_of(state, unit);
                if state.country(country).side != side || !self.may_rail(state, faction, unit) {
                    continue;
                }
                let spare = spare[country.index()].get_or_insert_with(|| {
                    state.railed[country.index()] < self.rail_allowance(state, country)
                });
                if !*spare {
                    continue;
                }
                let (railways, halts) = railways.get_or_insert_with(|| {
                    let railways = Railways::new(self, state, side);
                    let halts = railways.halts(state);
                    (railways, halts)
                });
                if railways.can_move(state, halts, unit) && visit(unit) {
                    return;
                }
            }
        }
    }

    fn can_rail(&self, state: &State, faction: Faction) -> bool {
        let mut any = false;
        self.for_each_traveller(state, faction, |_| {
            any = true;
            true
        });
        any
    }

    /// The choices of [`Frame::Rail`].
    pub(crate) fn list_rail(&self, state: &State, faction: Faction, out: &mut Vec<Choice>) {
        self.for_each_traveller(state, faction, |unit| {
            out.push(Choice::Rail(unit));
            false
        });
        out.push(Choice::Pass);
    }

    /// The choices of [`Frame::RailTo`], in the order of the map.
    pub(crate) fn list_rail_ends(&self, state: &State, unit: UnitId, out: &mut Vec<Choice>) {
        let railways = Railways::new(self, state, self.side_of(state, unit));
        let mut ends = HexSet::EMPTY;
        let (stops, russia) = railways.stops(state, unit);
        stops.iter().filter(|hex| railways.may_stop(state, unit, *hex)).for_each(|hex| ends.insert(hex));
        if self.kind(unit).is_air() {
            railways.bases_in_flight(state, unit).for_each(|hex| ends.insert(hex));
        }
        out.extend(ends.iter().map(Choice::To));
        if russia {
            out.push(Choice::To(Place::CRU));
        }
    }

    /// A unit is chosen, or the phase is over.
    pub(crate) fn play_rail(&self, state: &mut State, choice: Choice) {
        match choice {
            Choice::Rail(unit) => state.push(Frame::RailTo(unit)),
            _ => state.pop(),
        }
    }

    /// A unit moves. The path is not named, so nothing that it passes changes hands.
    pub(crate) fn play_rail_end<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        unit: UnitId,
        to: Place,
        sink: &mut S,
    ) {
        state.pop();
        let from = state.unit(unit).place;
        self.put(state, unit, to);
        state.unit_mut(unit).flags |= flag::RAILED;
        state.railed[self.country_of(state, unit).index()] += 1;
        sink.emit(|| GameEvent::Railed(unit, from, to));
        if let Frame::Rail(faction) = state.frame()
            && !self.can_rail(state, faction)
        {
            state.pop();
        }
    }
}
