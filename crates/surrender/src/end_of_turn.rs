//! The end of a turn. Rule 12.2.

use kernel::EventSink;

use crate::game_event::GameEvent;
use crate::ids::{Faction, Place, UnitId};
use crate::markers::{Marker, Owner};
use crate::rules::Rules;
use crate::state::{State, flag};

impl Rules {
    /// Phase 13: unspent points vanish, markers come back, ships and aircraft recover, the Mulberry and Factories on their way
    /// come a turn nearer, the turn advances.
    pub(crate) fn end_turn<S: EventSink<GameEvent>>(&self, state: &mut State, _sink: &mut S) {
        for country in &mut state.countries {
            country.points = 0;
        }
        self.take_markers_back(state);
        let recovery = self.world.tables.production.recovery;
        for unit in UnitId::all() {
            let rests = !self.kind(unit).is_ground() && state.unit(unit).on_map();
            let entry = state.unit_mut(unit);
            if rests {
                entry.level = entry.level.saturating_sub(recovery[entry.supply as usize]);
            }
            entry.flags &= flag::FREE;
        }
        if state.mulberry.0.is_hex() && state.mulberry.1 <= state.turn {
            state.mulberry = (Place::NONE, 0);
        }
        let [_, next, after] = state.relocating;
        state.relocating = [next, after, 0];
        state.railed.fill(0);
        state.standing = 0;
        state.turn += 1;
    }

    /// Markers used in this turn are in hand again; Partisans stay where they are until the enemy's next Supply Check.
    fn take_markers_back(&self, state: &mut State) {
        for (slot, (marker, owner)) in self.slot_owners().iter().enumerate() {
            let out = match (marker, owner) {
                (Marker::Partisans, Owner::Faction(faction)) => {
                    on_map(state, *faction).min(state.spent[slot])
                }
                _ => 0,
            };
            state.ready[slot] += state.spent[slot] - out;
            state.spent[slot] = out;
        }
    }
}

/// Partisans of a faction on the map.
fn on_map(state: &State, faction: Faction) -> u8 {
    state.partisans.iter().filter(|(hex, of)| hex.is_hex() && *of == faction).count() as u8
}
