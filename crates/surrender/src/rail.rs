//! Strategic Movement: by rail, and by air over long distances. Rule 4.8; rulings 58, 86.

use kernel::EventSink;

use crate::choice::Choice;
use crate::frame::Frame;
use crate::game_event::GameEvent;
use crate::havens::Places;
use crate::hex_set::HexSet;
use crate::ids::{Country, Faction, LANDS, Place, Side, UnitId};
use crate::rail_net::Rails;
use crate::rules::Rules;
use crate::state::{State, flag, note};
use crate::supply::Lay;

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
    /// Whether a hook of the scenario keeps some units out of some hexes.
    is_barred: bool,
    /// The friendly cities with room for an air unit, once somebody has asked.
    bases: Option<Places>,
    /// Places that a search has still to look at.
    stack: [Place; STOPS],
}

impl<'r> Railways<'r> {
    fn new(rules: &'r Rules, state: &State, side: Side) -> Self {
        let lay = Lay::new(rules, state, side);
        let open = lay.open.without(&lay.ezoc, &HexSet::EMPTY);
        let hooks = &rules.scenario().hooks;
        let is_barred = hooks.minor_limits.is_some() || hooks.uk_source.is_some();
        Self { rules, side, open, ezoc: lay.ezoc, is_barred, bases: None, stack: [Place::NONE; STOPS] }
    }

    /// Whether a unit can go anywhere.
    fn can_move(&mut self, state: &State, unit: UnitId) -> bool {
        let is_air = self.rules.kind(unit).is_air();
        is_air && self.can_fly(state, unit) || self.stops(state, unit, Self::may_stop)
    }

    /// Whether an air unit can fly to another base.
    fn can_fly(&mut self, state: &State, unit: UnitId) -> bool {
        let from = state.unit(unit).place;
        let bases = self.bases.get_or_insert_with(|| Places::free_for_air(self.rules, state, self.side));
        from.is_hex() && bases.hexes().iter().any(|hex| self.rules.world.distance(from, *hex) <= FLIGHT)
    }

    /// Visits the hexes that a unit can come to along Transport Lines, and the Central Russia Box, which is the Soviets', until
    /// `enough` says so; tells whether it did. Never into or out of an EZOC, nor into closed ground or a hex marked Partisans.
    fn stops(
        &mut self,
        state: &State,
        unit: UnitId,
        mut enough: impl FnMut(&Self, &State, UnitId, Place) -> bool,
    ) -> bool {
        let from = state.unit(unit).place;
        if self.ezoc.has(from) || !from.is_hex() && from != Place::CRU {
            return false;
        }
        let rails = Rails::get(true);
        let mut reached = HexSet::EMPTY;
        let mut in_box = from == Place::CRU || !self.rules.scenario().russia;
        self.stack[0] = from;
        let mut left = 1;
        while left > 0 {
            left -= 1;
            for next in rails.joined(self.stack[left]).iter().copied() {
                if next == Place::CRU {
                    if in_box {
                        continue;
                    }
                    in_box = true;
                    if self.side == Side::Soviet && enough(self, state, unit, next) {
                        return true;
                    }
                } else {
                    if next == from || !self.open.has(next) || reached.has(next) {
                        continue;
                    }
                    if self.is_barred && self.rules.is_barred(state, next, unit) {
                        continue;
                    }
                    reached.insert(next);
                    if enough(self, state, unit, next) {
                        return true;
                    }
                }
                self.stack[left] = next;
                left += 1;
            }
        }
        false
    }

    /// Whether a unit may end its move in a place that it can come to.
    fn may_stop(&self, state: &State, unit: UnitId, place: Place) -> bool {
        if place == Place::CRU {
            return true;
        }
        let base = !self.rules.kind(unit).is_air() || self.rules.is_air_base(state, place, self.side);
        base && state.controller(place) == self.side && self.rules.has_room(state, unit, place)
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
        self.rail_moves_of(self.factories(state, country))
    }

    fn rail_moves_of(&self, factories: u8) -> u8 {
        factories.div_ceil(self.world.tables.production.rail_divisor).max(1)
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
        let with_moves = self.with_rail_moves(state);
        for side in Side::ALL.into_iter().filter(|side| side.player() == faction) {
            let mut railways = None;
            for unit in UnitId::all() {
                let place = state.unit(unit).place;
                let country = self.country_of(state, unit);
                if !place.on_map()
                    || state.country(country).side != side
                    || with_moves >> country.index() & 1 == 0
                    || !self.may_rail(state, faction, unit)
                {
                    continue;
                }
                let railways = railways.get_or_insert_with(|| Railways::new(self, state, side));
                if railways.can_move(state, unit) && visit(unit) {
                    return;
                }
            }
        }
    }

    /// The countries that have moves left, as bits.
    fn with_rail_moves(&self, state: &State) -> u32 {
        let counts = self.all_factories(state).into_iter().zip(state.railed).enumerate();
        counts
            .filter(|(_, (factories, moved))| *moved < self.rail_moves_of(*factories))
            .fold(0, |set, (at, _)| set | 1 << at)
    }

    fn can_rail(&self, state: &State, faction: Faction) -> bool {
        if self.can_fly_far(state, faction) {
            return true;
        }
        let mut any = false;
        self.for_each_traveller(state, faction, |_| {
            any = true;
            true
        });
        any
    }

    /// Whether an air unit can fly to another base, which is seen without a look at the lines.
    fn can_fly_far(&self, state: &State, faction: Faction) -> bool {
        let with_moves = self.with_rail_moves(state);
        self.world.wings.iter().any(|unit| {
            let country = self.country_of(state, *unit);
            let side = state.country(country).side;
            with_moves >> country.index() & 1 != 0
                && self.may_rail(state, faction, *unit)
                && self.bases_in_flight(state, *unit, side).next().is_some()
        })
    }

    /// The friendly bases that an air unit can fly to.
    fn bases_in_flight<'s>(
        &'s self,
        state: &'s State,
        unit: UnitId,
        side: Side,
    ) -> impl Iterator<Item = Place> + 's {
        let from = state.unit(unit).place;
        self.sites.iter().map(|site| site.hex).filter(move |hex| {
            from.is_hex()
                && state.controller(*hex) == side
                && self.world.distance(from, *hex) <= FLIGHT
                && self.is_air_base(state, *hex, side)
                && self.has_room(state, unit, *hex)
        })
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
        let mut railways = Railways::new(self, state, self.side_of(state, unit));
        let mut ends = HexSet::EMPTY;
        let mut russia = false;
        railways.stops(state, unit, |railways, state, unit, place| {
            if place == Place::CRU {
                russia = true;
            } else if railways.may_stop(state, unit, place) {
                ends.insert(place);
            }
            false
        });
        if self.kind(unit).is_air() {
            self.bases_in_flight(state, unit, railways.side).for_each(|hex| ends.insert(hex));
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
