//! The Actions Sub-Phase: which action comes next. Rules 6.1, 6.10, 14.0.

use kernel::EventSink;

use crate::choice::Choice;
use crate::game_event::GameEvent;
use crate::ids::Faction;
use crate::rules::Rules;
use crate::state::State;

impl Rules {
    /// The Actions Sub-Phase of a faction begins: flags of all units are cleared (3.1), the faction is asked.
    pub(crate) fn begin_actions<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        faction: Faction,
        sink: &mut S,
    ) {
        let _ = (state, faction, sink);
        todo!("land")
    }

    /// Every action that the faction can take (1.5, "6 root"), ground first, then those of ships and aircraft.
    pub(crate) fn list_actions(&self, state: &State, out: &mut Vec<Choice>) {
        let _ = (state, out);
        todo!("land")
    }

    /// An action is chosen.
    pub(crate) fn play_actions<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        choice: Choice,
        sink: &mut S,
    ) {
        let _ = (state, choice, sink);
        todo!("land")
    }
}
