//! Who may escort a mission and who may intercept it. Rules 1.4, 6.9; rulings 42, 47, 66, 67, 78, 80, 81, 83.

use crate::ids::{Country, Faction, Node, Place, Side, UnitId};
use crate::markers::{Marker, Owner};
use crate::rules::Rules;
use crate::sea_paths::nodes_of;
use crate::standing::Reaction;
use crate::state::{Errand, Mission, State, note};
use crate::world::Kind;

impl Errand {
    /// Whether it is flown: interception is over the target hex, by fighters.
    pub(crate) const fn is_flown(self) -> bool {
        matches!(self, Self::Bombing | Self::Airdrop)
    }
}

impl Rules {
    /// Whether a unit may escort the mission (6.9): for ships a warship in the same base or in a port of a Sea Zone of the
    /// path, or a fighter in a coastal hex of one; for a Bombing Run a fighter with Long-Range Escort.
    fn may_escort(&self, state: &State, mission: &Mission, path: u64, unit: UnitId) -> bool {
        if unit == mission.unit || unit == mission.passenger || !self.is_fit(state, unit) {
            return false;
        }
        let (kind, place) = (self.kind(unit), state.unit(unit).place);
        let from = state.unit(mission.unit).place;
        if !matches!(kind, Kind::Fighter | Kind::Surface | Kind::Carrier)
            || self.side_of(state, unit) != self.side_of(state, mission.unit)
        {
            return false;
        }
        match mission.errand {
            Errand::Airdrop => false,
            Errand::Bombing => {
                kind == Kind::Fighter
                    && place.is_hex()
                    && from.is_hex()
                    && self.world.distance(place, from) <= self.world.tables.ranges.intercept_air
            }
            _ if kind == Kind::Fighter => {
                place.is_hex() && (self.world.hex(place).zones | self.world.waters(place)) & path != 0
            }
            _ => place == from || place.is_hex() && self.world.waters(place) & path != 0,
        }
    }

    /// Whether a Bombing Run of the side can have an escort from another hex.
    fn has_long_range_escort(&self, state: &State, side: Side) -> bool {
        side == Side::Western && self.ready(state, Marker::LongRangeEscort, Owner::Country(Country::USA)) > 0
    }

    /// The units that may escort the mission.
    pub(crate) fn escorts<'a>(
        &'a self,
        state: &'a State,
        mission: &'a Mission,
    ) -> impl Iterator<Item = UnitId> + 'a {
        let path = nodes_of(&mission.path);
        let side = self.side_of(state, mission.unit);
        let possible = mission.errand != Errand::Bombing || self.has_long_range_escort(state, side);
        self.world.wings.iter().copied().filter(move |unit| {
            possible && state.unit(*unit).on_map() && self.may_escort(state, mission, path, *unit)
        })
    }

    /// Whether a unit of an enemy may intercept the mission: fit, and in reach.
    fn may_intercept(&self, state: &State, mission: &Mission, path: u64, unit: UnitId) -> bool {
        let kind = self.kind(unit);
        if !(kind.is_air() || kind.is_warship()) || !self.is_fit(state, unit) {
            return false;
        }
        if mission.errand.is_flown() {
            let place = state.unit(unit).place;
            return kind == Kind::Fighter
                && place.is_hex()
                && self.world.distance(place, mission.to) <= self.world.tables.ranges.intercept_air;
        }
        self.interception_zones(state, unit) & path != 0
    }

    /// The units of a faction's player that may intercept the mission: for the West also those of Lone countries, which are
    /// enemies of the Soviets only (ruling 67). Western units do not intercept Weser Exercise, and nobody does whose player
    /// lets everything go in this month (ruling 134).
    pub(crate) fn interceptors<'a>(
        &'a self,
        state: &'a State,
        mission: &'a Mission,
        faction: Faction,
    ) -> impl Iterator<Item = UnitId> + 'a {
        let path = nodes_of(&mission.path);
        let surprised = faction == Faction::Western
            && mission.errand == Errand::Invasion
            && self.is_weser(state, self.side_of(state, mission.unit), mission.to);
        let waits = surprised || state.stands(Reaction::Intercept, faction);
        // The faction's sides that are at war with the one whose mission it is.
        let enemies = if waits { 0 } else { state.enemies(self.side_of(state, mission.unit)) };
        let theirs = Side::ALL
            .into_iter()
            .filter(|side| side.player() == faction)
            .fold(0, |set, side| set | enemies & 1 << side.index());
        let wings: &[UnitId] = if theirs == 0 { &[] } else { &self.world.wings };
        wings.iter().copied().filter(move |unit| {
            theirs >> self.side_of(state, *unit).index() & 1 != 0
                && state.unit(*unit).on_map()
                && self.may_intercept(state, mission, path, *unit)
        })
    }

    /// Whether a landing of a side in a hex is part of Weser Exercise: in Denmark or Norway, in the sub-phase of the marker.
    pub(crate) fn is_weser(&self, state: &State, side: Side, hex: Place) -> bool {
        side == Side::Axis
            && state.noted(note::WESER)
            && hex.is_hex()
            && matches!(self.world.hex(hex).country, Country::DEN | Country::NOR)
    }

    /// The Sea Zone in which an interceptor meets a voyage: the one of the path nearest to it, the earlier of two (6.9).
    pub(crate) fn meeting_zone(&self, state: &State, mission: &Mission, unit: UnitId) -> Node {
        let path = mission.path.iter().copied().take_while(|node| *node != Node::NONE);
        self.interception_rings(state, unit)
            .into_iter()
            .find_map(|ring| path.clone().find(|node| ring & node.bit() != 0))
            .unwrap_or(Node::NONE)
    }
}
