//! Naval moves and Naval Transport. Rules 4.6, 4.7; rulings 86, 90.

use kernel::EventSink;

use crate::bits::UnitSet;
use crate::choice::Choice;
use crate::game_event::GameEvent;
use crate::ids::{NODES, Place, UnitId};
use crate::near_cities::ports_on;
use crate::rules::Rules;
use crate::sea_paths::NO_WAY;
use crate::state::{Errand, Mission, State, flag};
use crate::survey::Survey;
use crate::world::Slot;

impl Rules {
    /// Calls `visit` with every base that a ship can reach and stay in, with room for a passenger if there is one, until it
    /// returns `true`; tells whether it did.
    pub(crate) fn harbours(
        &self,
        state: &State,
        ship: UnitId,
        passenger: Option<UnitId>,
        visit: impl FnMut(Place) -> bool,
    ) -> bool {
        Survey::ask(self, state, |survey| self.harbours_seen(state, survey, ship, passenger, visit))
    }

    /// As [`Rules::harbours`], as a survey of the position shows it.
    pub(crate) fn harbours_seen(
        &self,
        state: &State,
        survey: &Survey,
        ship: UnitId,
        passenger: Option<UnitId>,
        mut visit: impl FnMut(Place) -> bool,
    ) -> bool {
        let (from, side) = (state.unit(ship).place, self.side_of(state, ship));
        let reach = self.reach_on(self.chart_of(state, ship), from, self.allowance(state, ship));
        let near = |place: Place| self.reach_cost(&reach, place) != NO_WAY;
        let reached = (0..NODES).filter(|at| reach[*at] != NO_WAY).fold(0, |set, at| set | 1 << at);
        let slot = self.kind(ship).slot() as usize;
        let ports = survey.towns[side.index()].and(&self.in_play).minus(&survey.taken[slot]);
        let ports = ports.and(&ports_on(reached)).cities().map(|city| self.sites[city.index()].hex);
        let boxes = [Place::ENA, Place::WIO].into_iter();
        for place in ports.chain(boxes.filter(|place| self.is_box_open(*place, side) && near(*place))) {
            if place != from
                && passenger.is_none_or(|passenger| self.may_disembark(state, passenger, place))
                && visit(place)
            {
                return true;
            }
        }
        // A Mulberry is a port for transport, not a base: the convoy goes home (ruling 90).
        let beach = self.mulberry_of(state, side).filter(|place| {
            passenger.is_some_and(|passenger| self.may_disembark(state, passenger, *place)) && near(*place)
        });
        beach.is_some_and(visit)
    }

    /// Whether a unit aboard a ship can go ashore and stay in a place.
    pub(crate) fn may_disembark(&self, state: &State, unit: UnitId, place: Place) -> bool {
        if !self.has_room(state, unit, place) {
            return false;
        }
        if self.kind(unit).is_air() {
            return self.is_air_base(state, place, self.side_of(state, unit));
        }
        place.is_box() || self.may_enter(state, place, unit)
    }

    /// Calls `visit` with every unit that a convoy can carry somewhere, until it returns `true`; tells whether it did.
    pub(crate) fn passengers(
        &self,
        state: &State,
        convoy: UnitId,
        mut visit: impl FnMut(UnitId) -> bool,
    ) -> bool {
        let own = self.own_on_map(state, self.side_of(state, convoy).player());
        self.boarders(state, convoy, &own, |unit| {
            self.harbours(state, convoy, Some(unit), |_| true) && visit(unit)
        })
    }

    /// Calls `visit` with every unit in a convoy's base that can go aboard, until it returns `true`; tells whether it did.
    /// `own` are the units of its player on the map.
    pub(crate) fn boarders(
        &self,
        state: &State,
        convoy: UnitId,
        own: &UnitSet,
        mut visit: impl FnMut(UnitId) -> bool,
    ) -> bool {
        let mut may = |unit: UnitId| self.may_board(state, convoy, unit) && visit(unit);
        let place = state.unit(convoy).place;
        if place.is_hex() {
            let city = self.tile(place).city.some();
            let air = city.and_then(|city| state.bases[city.index()][Slot::Air as usize].some());
            return state.ground_at(place).is_some_and(&mut may) || air.is_some_and(may);
        }
        own.units().filter(|unit| state.unit(*unit).place == place).any(may)
    }

    /// Whether a unit in the convoy's base can go aboard: it has done nothing yet and, on the ground, is paid for.
    fn may_board(&self, state: &State, convoy: UnitId, unit: UnitId) -> bool {
        let kind = self.kind(unit);
        if kind.is_naval() || self.side_of(state, unit) != self.side_of(state, convoy) {
            return false;
        }
        if kind.is_air() {
            self.may_act(state, unit) && !state.unit(unit).has(flag::MOVED)
        } else {
            self.may_join_mission(state, unit)
        }
    }

    /// A ship was told where to sail.
    pub(crate) fn sail<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        unit: UnitId,
        to: Place,
        sink: &mut S,
    ) {
        let from = state.unit(unit).place;
        state.pop();
        state.unit_mut(unit).flags |= flag::MOVED;
        self.begin_mission(state, Mission { errand: Errand::Sail, unit, from, to, ..Mission::NONE }, sink);
    }

    /// A passenger was named: where to is asked next.
    pub(crate) fn board(&self, state: &mut State, convoy: UnitId, passenger: UnitId) {
        let from = state.unit(convoy).place;
        state.mission = Mission { errand: Errand::Transport, unit: convoy, passenger, from, ..Mission::NONE };
        state.become_frame(crate::frame::Frame::TransportTo);
    }

    /// The convoy sets out: the passenger's activation is paid for and used up (4.7).
    pub(crate) fn transport<S: EventSink<GameEvent>>(&self, state: &mut State, to: Place, sink: &mut S) {
        let mission = Mission { to, ..state.mission };
        state.pop();
        if self.kind(mission.passenger).is_air() {
            state.unit_mut(mission.passenger).flags |= flag::MOVED | flag::ENDED;
        } else {
            self.pay_for_mission(state, mission.passenger, sink);
        }
        self.begin_mission(state, mission, sink);
    }

    /// A convoy has arrived: it stays, except at a Mulberry, and the passenger goes ashore.
    pub(crate) fn unload<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        let mission = state.mission;
        if self.is_naval_base(state, mission.to, self.side_of(state, mission.unit)) {
            self.put(state, mission.unit, mission.to);
            sink.emit(|| GameEvent::Arrived(mission.unit, mission.to));
        }
        self.put(state, mission.passenger, mission.to);
        sink.emit(|| GameEvent::Arrived(mission.passenger, mission.to));
        if mission.to.is_hex() && self.kind(mission.passenger).is_ground() {
            self.enter_hex(state, mission.passenger, mission.to, sink);
        }
        self.count_sortie(state, sink);
    }

    /// Where the ship may sail, or the convoy with its passenger.
    pub(crate) fn list_harbours(
        &self,
        state: &State,
        ship: UnitId,
        passenger: Option<UnitId>,
        out: &mut Vec<Choice>,
    ) {
        self.harbours(state, ship, passenger, |place| {
            out.push(Choice::To(place));
            false
        });
    }
}
