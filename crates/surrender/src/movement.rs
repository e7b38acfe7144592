//! Ground movement, activations, Mobile attacks and Assaults. Rules 4.2 to 4.4, 6.2, 6.3.

use kernel::EventSink;

use crate::choice::Choice;
use crate::frame::Frame;
use crate::game_event::GameEvent;
use crate::ids::{Place, UnitId};
use crate::rules::Rules;
use crate::state::State;

impl Rules {
    /// The movement points that a step of a ground unit costs (4.2), or `None` where it may not go. An enemy ground unit in
    /// the hex, a friend in the way and zones of control are not looked at.
    pub fn step_cost(&self, state: &State, unit: UnitId, from: Place, to: Place) -> Option<u8> {
        let _ = (state, unit, from, to);
        todo!("land")
    }

    /// The choices of an activation or an Assault.
    pub(crate) fn list_land(&self, state: &State, frame: Frame, out: &mut Vec<Choice>) {
        let _ = (state, frame, out);
        todo!("land")
    }

    /// A step of an activation or an Assault.
    pub(crate) fn play_land<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        frame: Frame,
        choice: Choice,
        sink: &mut S,
    ) {
        let _ = (state, frame, choice, sink);
        todo!("land")
    }
}
