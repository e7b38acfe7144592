//! The questions and dice of politics; what they do stands in `declarations`, `influence`, `diplomacy`, `conquest` and
//! `conditional`.

use kernel::EventSink;

use crate::choice::Choice;
use crate::frame::Frame;
use crate::game_event::GameEvent;
use crate::rules::Rules;
use crate::state::State;

impl Rules {
    /// The choices of politics.
    pub(crate) fn list_politics(&self, state: &State, frame: Frame, out: &mut Vec<Choice>) {
        match frame {
            Frame::EvaluatePact | Frame::EndPact | Frame::Declare(_) => {
                self.list_declarations(state, frame, out)
            }
            Frame::PlaceAir(unit) => out.extend(self.air_places(state, unit).map(Choice::To)),
            _ => self.list_diplomacy(state, frame, out),
        }
    }

    /// A choice or die of politics.
    pub(crate) fn play_politics<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        frame: Frame,
        choice: Choice,
        sink: &mut S,
    ) {
        match (frame, choice) {
            (Frame::AreaDie(at), Choice::Die(die)) => self.play_area_die(state, at, die, sink),
            (Frame::FleetDie(unit), Choice::Die(die)) => self.play_fleet_die(state, unit, die, sink),
            (Frame::PlaceAir(unit), Choice::To(place)) => {
                state.pop();
                self.place_air(state, unit, place, sink);
            }
            (
                Frame::EvaluatePact
                | Frame::PactDie
                | Frame::EndPact
                | Frame::Declare(_)
                | Frame::InfluenceDie(_),
                _,
            ) => self.play_declarations(state, frame, choice, sink),
            _ => self.play_diplomacy(state, frame, choice, sink),
        }
    }
}

#[cfg(test)]
#[path = "politics_tests.rs"]
mod tests;
