//! What comes by date: markers, reinforcements of a scenario, special rules at the start of a turn. Rules 14.0, 30.1, 30.6.

use kernel::EventSink;

use crate::game_event::GameEvent;
use crate::ids::{Country, Place, Side};
use crate::markers::{Coming, Marker, Owner};
use crate::rules::Rules;
use crate::state::{State, Status, note};

impl Rules {
    /// The start of a turn: markers by date, countries that a special rule lets join, reinforcements.
    pub(crate) fn begin_turn<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        state.notes &= !note::INVADED;
        if self.scenario().markers.is_none() {
            self.markers_by_date(state);
        }
        if let Some((country, turn)) = self.scenario().hooks.joins_axis
            && state.turn >= turn
            && state.country(country).status == Status::Neutral
        {
            self.join(state, country, Side::Axis, sink);
        }
        for reinforcement in &self.scenario().reinforcements {
            let unit = reinforcement.unit.unit;
            let is_due = reinforcement.turn == state.turn && state.unit(unit).place == Place::LATER;
            if !is_due || state.country(self.info(unit).country).status != Status::Active {
                continue;
            }
            self.place_as_listed(state, &reinforcement.unit);
            let place = state.unit(unit).place;
            if place.on_map() {
                sink.emit(|| GameEvent::Placed(unit, place));
                self.placed(state, unit, place, sink);
            } else {
                sink.emit(|| GameEvent::Pooled(unit));
            }
        }
    }

    /// Whether markers of an owner exist now: a country's while it is active, a faction's always.
    fn has_hand(state: &State, owner: Owner) -> bool {
        match owner {
            Owner::Country(country) => state.country(country).status == Status::Active,
            Owner::Faction(_) => true,
        }
    }

    /// The dates of `events.toml` that are this turn's, and those that ended with the last one.
    fn markers_by_date(&self, state: &mut State) {
        for info in &self.world.markers {
            for holding in &info.holdings {
                let Coming::Turn(from, until) = holding.coming else { continue };
                let Some(slot) = self.slot(info.marker, holding.owner) else { continue };
                if !Self::has_hand(state, holding.owner) {
                    continue;
                }
                if from == state.turn {
                    state.ready[slot] = state.ready[slot].saturating_add_signed(holding.count);
                }
                if until != u8::MAX && until + 1 == state.turn {
                    state.ready[slot] = state.ready[slot].saturating_add_signed(-holding.count);
                }
            }
        }
    }

    /// Markers of an owner that are there from the start or have come up to a turn; only where markers come by date.
    pub(crate) fn grant(&self, state: &mut State, owner: Owner, upto: Option<u8>) {
        if self.scenario().markers.is_some() || !Self::has_hand(state, owner) {
            return;
        }
        for info in &self.world.markers {
            for holding in info.holdings.iter().filter(|holding| holding.owner == owner) {
                let is_there = match holding.coming {
                    Coming::Start => true,
                    Coming::Turn(from, until) => upto.is_some_and(|upto| from <= upto && upto <= until),
                    Coming::Holding | Coming::Event => false,
                };
                if let Some(slot) = self.slot(info.marker, owner).filter(|_| is_there) {
                    state.ready[slot] = state.ready[slot].saturating_add_signed(holding.count);
                }
            }
        }
    }

    /// A marker that an event brings.
    pub(crate) fn grant_by_event(&self, state: &mut State, marker: Marker) {
        if self.scenario().markers.is_some() {
            return;
        }
        for holding in &self.world.markers[marker.index()].holdings {
            if let Some(slot) = self.slot(marker, holding.owner).filter(|_| holding.coming == Coming::Event) {
                state.ready[slot] = state.ready[slot].saturating_add_signed(holding.count);
            }
        }
    }

    /// A country that is not active any more has no markers.
    pub(crate) fn drop_markers(&self, state: &mut State, country: Country) {
        for (slot, (_, owner)) in self.slot_owners().iter().enumerate() {
            if *owner == Owner::Country(country) {
                (state.ready[slot], state.spent[slot]) = (0, 0);
            }
        }
    }
}
