//! The Victory Check (12.1) and its test language (30.4).

use kernel::EventSink;

use crate::game_event::GameEvent;
use crate::rules::Rules;
use crate::state::State;

/// A test of a victory line.
#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    /// Always true.
    Otherwise,
}

impl Rules {
    /// Phase 12.
    pub(crate) fn check_victory<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        let _ = (state, sink);
        todo!("politics")
    }
}
