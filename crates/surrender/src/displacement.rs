//! Sorties, and ships and aircraft that must leave their base. Rules 3.1, 3.3, 5.2; rulings 40, 56, 82.

use kernel::EventSink;

use crate::game_event::{GameEvent, Loss};
use crate::ids::{NODES, Node, Place, UnitId};
use crate::rules::Rules;
use crate::sea_paths::NO_WAY;
use crate::state::State;

/// Displaced aircraft reach a base within so many hexes (3.3).
const DISPLACED_RANGE: u32 = 10;
/// What displacement costs, in Sorties (3.3).
const DISPLACED_SORTIES: u8 = 2;

impl Rules {
    /// An air or naval unit adds Sorties; beyond the most it is lost (3.1).
    pub(crate) fn add_sorties<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        unit: UnitId,
        count: u8,
        sink: &mut S,
    ) {
        if count == 0 || !state.unit(unit).on_map() {
            return;
        }
        let now = state.unit(unit).level + count;
        if now > self.world.tables.production.max_sorties {
            self.lose(state, unit, Loss::Sorties, sink);
            return;
        }
        state.unit_mut(unit).level = now;
        sink.emit(|| GameEvent::Sorties(unit, count, now));
    }

    /// Air and naval units in a hex that has passed to another side go to the nearest base (3.3).
    pub(crate) fn displace_from<S: EventSink<GameEvent>>(&self, state: &mut State, hex: Place, sink: &mut S) {
        let Some(city) = self.world.city_at(hex) else { return };
        for unit in state.bases[city.index()].into_iter().filter_map(UnitId::some) {
            if self.side_of(state, unit) == state.controller(hex) {
                continue;
            }
            let base = if self.kind(unit).is_air() {
                self.nearest_air_base(state, unit, hex)
            } else {
                let reach = self.reach_on(self.chart_of(state, unit), hex, NO_WAY - 1);
                self.nearest_harbour(state, &reach, unit, None, hex)
            };
            let Some(base) = base else {
                self.lose(state, unit, Loss::Displaced, sink);
                continue;
            };
            self.add_sorties(state, unit, DISPLACED_SORTIES, sink);
            if state.unit(unit).on_map() {
                self.put(state, unit, base);
                sink.emit(|| GameEvent::Displaced(unit, hex, base));
            }
        }
    }

    /// The nearest friendly city with room for an air unit, at most ten hexes away; the smaller hex of two.
    fn nearest_air_base(&self, state: &State, unit: UnitId, from: Place) -> Option<Place> {
        let side = self.side_of(state, unit);
        let cities = self.world.cities.iter().map(|city| city.hex);
        cities
            .filter(|hex| {
                *hex != from
                    && self.world.distance(from, *hex) <= DISPLACED_RANGE
                    && self.is_air_base(state, *hex, side)
                    && self.has_room(state, unit, *hex)
            })
            .min_by_key(|hex| (self.world.distance(from, *hex), *hex))
    }

    /// The naval base with the least cost in a reach that has room for a ship, and for whoever is aboard; of equals its old
    /// one, else the smaller hex, boxes after hexes (3.3, ruling 82).
    pub(crate) fn nearest_harbour(
        &self,
        state: &State,
        reach: &[u8; NODES],
        unit: UnitId,
        passenger: Option<UnitId>,
        old: Place,
    ) -> Option<Place> {
        let side = self.side_of(state, unit);
        let ports = self.world.cities.iter().filter(|city| city.is_port()).map(|city| city.hex);
        ports
            .chain([Place::ENA, Place::WIO])
            .filter(|place| {
                self.is_naval_base(state, *place, side)
                    && self.has_room(state, unit, *place)
                    && passenger.is_none_or(|passenger| self.may_disembark(state, passenger, *place))
            })
            .map(|place| (self.reach_cost(reach, place), place != old, place))
            .filter(|(cost, _, _)| *cost != NO_WAY)
            .min()
            .map(|(_, _, place)| place)
    }

    /// An interdicted ship, with whoever is aboard, goes to the nearest friendly port from the Sea Zone of the fight,
    /// whatever its points (5.2, ruling 82).
    pub(crate) fn turn_back<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        unit: UnitId,
        passenger: Option<UnitId>,
        zone: Node,
        sink: &mut S,
    ) {
        let old = state.unit(unit).place;
        if !old.on_map() {
            return;
        }
        self.lift(state, unit);
        if let Some(passenger) = passenger {
            self.lift(state, passenger);
        }
        let reach = self.reach_from_zone(self.chart_of(state, unit), zone);
        let harbour = self.nearest_harbour(state, &reach, unit, passenger, old).unwrap_or(old);
        self.put(state, unit, harbour);
        sink.emit(|| GameEvent::Arrived(unit, harbour));
        if let Some(passenger) = passenger {
            self.put(state, passenger, harbour);
            sink.emit(|| GameEvent::Arrived(passenger, harbour));
        }
    }
}

#[cfg(test)]
mod tests;
