//! Rebases, Air Strikes, Bombing Runs and Airdrops. Rules 4.5, 6.6 to 6.8; rulings 32, 73, 83 to 86.

use kernel::EventSink;

use crate::choice::Choice;
use crate::frame::Frame;
use crate::game_event::GameEvent;
use crate::ids::{City, Node, Place, UnitId};
use crate::markers::{Marker, Owner};
use crate::rules::Rules;
use crate::state::{Duel, Errand, Mission, Occasion, State, flag};
use crate::survey::Survey;
use crate::tables::Weather;
use crate::world::{Kind, Slot};

impl Rules {
    // --- rebase (4.5) -----------------------------------------------------------------------------------------------

    /// Calls `visit` with every base that an air unit can rebase to, until it returns `true`; tells whether it did.
    pub(crate) fn rebases(&self, state: &State, unit: UnitId, visit: impl FnMut(Place) -> bool) -> bool {
        Survey::ask(self, state, |survey| self.rebases_seen(state, survey, unit, visit))
    }

    /// As [`Rules::rebases`], as a survey of the position shows it.
    pub(crate) fn rebases_seen(
        &self,
        state: &State,
        survey: &Survey,
        unit: UnitId,
        mut visit: impl FnMut(Place) -> bool,
    ) -> bool {
        let side = self.side_of(state, unit);
        let bases = survey.towns[side.index()].and(&self.towns).minus(&survey.taken[Slot::Air as usize]);
        if let Some(reach) = self.air_reach(state, survey, unit, |reach| *reach) {
            let mut places = reach.in_order().filter_map(|city| match city {
                Some(city) => bases.has(city).then(|| self.sites[city.index()].hex),
                None => self.is_box_open(Place::CRU, side).then_some(Place::CRU),
            });
            return places.any(visit);
        }
        if state.unit(unit).place != Place::CRU && !state.unit(unit).place.is_hex() {
            return false;
        }
        self.fly(state, survey, unit, &self.spots_of(&bases), |place| {
            (place.is_hex() || self.is_box_open(place, side)) && visit(place)
        })
    }

    /// An air unit rebases: one plain move in a sub-phase, no Sortie, no interception.
    pub(crate) fn rebase<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        unit: UnitId,
        to: Place,
        sink: &mut S,
    ) {
        let from = state.unit(unit).place;
        state.pop();
        self.put(state, unit, to);
        state.unit_mut(unit).flags |= flag::MOVED;
        sink.emit(|| GameEvent::Rebased(unit, from, to));
    }

    // --- Air Strike (6.6) -------------------------------------------------------------------------------------------

    /// Calls `visit` with every enemy air or naval unit that an air unit or a carrier can strike, until it returns `true`;
    /// tells whether it did.
    pub(crate) fn strikes(&self, state: &State, unit: UnitId, mut visit: impl FnMut(UnitId) -> bool) -> bool {
        let (place, side) = (state.unit(unit).place, self.side_of(state, unit));
        // A carrier strikes in ports of its own Sea Zones and those next to them.
        let waters = if self.kind(unit) == Kind::Carrier {
            let rings = self.zone_rings(self.chart_of(state, unit), place, true);
            Some(rings[0] | rings[1])
        } else if place.is_hex() {
            None
        } else {
            return false;
        };
        let range = self.world.tables.ranges.strike;
        self.world.wings.iter().any(|target| {
            let base = state.unit(*target).place;
            base.is_hex()
                && state.at_war(self.side_of(state, *target), side)
                && match waters {
                    Some(waters) => self.world.waters(base) & waters != 0,
                    None => self.world.distance(place, base) <= range,
                }
                && visit(*target)
        })
    }

    /// An Air Strike: one combat, no interception. The hex counts as attacked (13.5).
    pub(crate) fn strike<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        unit: UnitId,
        target: UnitId,
        sink: &mut S,
    ) {
        let hex = state.unit(target).place;
        state.pop();
        self.attack_hex(state, unit, hex, sink);
        let duel =
            Duel { occasion: Occasion::Strike, units: [unit, target], hex, zone: Node::NONE, ..Duel::NONE };
        self.begin_duel(state, duel, sink);
    }

    // --- Bombing Run (6.7) ------------------------------------------------------------------------------------------

    /// Calls `visit` with every Factory hex that a bomber can bomb, until it returns `true`; tells whether it did.
    pub(crate) fn bombings(&self, state: &State, unit: UnitId, mut visit: impl FnMut(Place) -> bool) -> bool {
        let (place, side) = (state.unit(unit).place, self.side_of(state, unit));
        let range = self.world.tables.ranges.bombing;
        place.is_hex()
            && City::all().zip(&self.sites).any(|(city, site)| {
                site.has_factory
                    && state.at_war(state.controller(site.hex), side)
                    && !state.is_bombed(city)
                    && !state.is_closed_down(city)
                    && site.is_in_play
                    && self.world.distance(place, site.hex) <= range
                    && visit(site.hex)
            })
    }

    /// A Bombing Run sets out. The hex counts as attacked whatever comes of it (13.5, ruling 73).
    pub(crate) fn bomb<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        unit: UnitId,
        to: Place,
        sink: &mut S,
    ) {
        let from = state.unit(unit).place;
        state.pop();
        state.unit_mut(unit).flags |= flag::BOMBED;
        self.attack_hex(state, unit, to, sink);
        self.begin_mission(state, Mission { errand: Errand::Bombing, unit, from, to, ..Mission::NONE }, sink);
    }

    // --- Airdrop (6.8) ----------------------------------------------------------------------------------------------

    /// Calls `visit` with every air unit from which an airborne unit can drop, until it returns `true`; tells whether it did:
    /// of its country, in its hex or next to it.
    pub(crate) fn droppers(
        &self,
        state: &State,
        unit: UnitId,
        mut visit: impl FnMut(UnitId) -> bool,
    ) -> bool {
        let (place, country) = (state.unit(unit).place, self.country_of(state, unit));
        if !place.is_hex() || self.ready(state, Marker::Airdrop, Owner::Country(country)) == 0 {
            return false;
        }
        self.world.wings.iter().copied().any(|air| {
            let base = state.unit(air).place;
            self.kind(air).is_air()
                && base.is_hex()
                && self.country_of(state, air) == country
                && self.world.distance(place, base) <= 1
                && self.may_act(state, air)
                && self.drop_zones(state, air, unit, |_| true)
                && visit(air)
        })
    }

    /// Whether an air unit, whosever it is, is in a hex or next to it.
    fn has_aircraft_near(&self, state: &State, hex: Place) -> bool {
        let has = |hex: Place| {
            let city = self.tile(hex).city.some();
            city.is_some_and(|city| state.bases[city.index()][Slot::Air as usize].some().is_some())
        };
        hex.is_hex() && (has(hex) || self.tile(hex).near.into_iter().any(|near| near.is_hex() && has(near)))
    }

    /// Whether an airborne unit can drop somewhere.
    pub(crate) fn may_drop(&self, state: &State, unit: UnitId) -> bool {
        self.kind(unit) == Kind::Airborne
            && self.has_aircraft_near(state, state.unit(unit).place)
            && self.may_join_mission(state, unit)
            && self.droppers(state, unit, |_| true)
    }

    /// Calls `visit` with every hex where a unit can be dropped by an air unit, until it returns `true`; tells whether it did.
    fn drop_zones(
        &self,
        state: &State,
        air: UnitId,
        unit: UnitId,
        mut visit: impl FnMut(Place) -> bool,
    ) -> bool {
        let base = state.unit(air).place;
        let center = self.world.hex(base);
        let range = self.world.tables.ranges.airdrop;
        let reach = range as u8;
        let rows = center.row.saturating_sub(reach)..=center.row + reach;
        let cols = center.col.saturating_sub(reach)..=center.col + reach;
        rows.flat_map(|row| cols.clone().map(move |col| (row, col))).any(|(row, col)| {
            let Some(hex) = self.world.at(row, col) else { return false };
            self.world.distance(base, hex) <= range
                && state.ground_at(hex).is_none()
                && self.may_enter(state, hex, unit)
                && self.weather_at(state, hex) != Weather::Severe
                && visit(hex)
        })
    }

    /// An air unit was named: where to drop is asked next.
    pub(crate) fn take_aboard(&self, state: &mut State, unit: UnitId, air: UnitId) {
        let from = state.unit(air).place;
        state.mission =
            Mission { errand: Errand::Airdrop, unit: air, passenger: unit, from, ..Mission::NONE };
        state.become_frame(Frame::DropAt);
    }

    /// Where the unit can be dropped.
    pub(crate) fn list_drop_zones(&self, state: &State, out: &mut Vec<Choice>) {
        self.drop_zones(state, state.mission.unit, state.mission.passenger, |hex| {
            out.push(Choice::At(hex));
            false
        });
    }

    /// The Airdrop sets out: the marker is used and the activation paid.
    pub(crate) fn drop_at<S: EventSink<GameEvent>>(&self, state: &mut State, to: Place, sink: &mut S) {
        let mission = Mission { to, ..state.mission };
        let country = self.country_of(state, mission.passenger);
        let side = self.side_of(state, mission.passenger);
        state.pop();
        self.spend(state, Marker::Airdrop, Owner::Country(country));
        sink.emit(|| GameEvent::Played(side, Marker::Airdrop));
        self.pay_for_mission(state, mission.passenger, sink);
        self.begin_mission(state, mission, sink);
    }
}
