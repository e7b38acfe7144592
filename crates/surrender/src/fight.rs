//! Ground combat. Rules 5.1, 5.3.

use kernel::EventSink;

use crate::choice::Choice;
use crate::frame::Frame;
use crate::game_event::GameEvent;
use crate::game_event::{Loss, Sum};
use crate::ids::UnitId;
use crate::rules::Rules;
use crate::state::{Fight, State};

impl Rules {
    /// A ground combat begins. It is a frame above the one that asked for it, which goes on when it is over; its result stays
    /// in [`State::fight`] until then.
    pub(crate) fn begin_fight<S: EventSink<GameEvent>>(&self, state: &mut State, fight: Fight, sink: &mut S) {
        let _ = (state, fight, sink);
        todo!("land")
    }

    /// The modifiers and halvings of the attacker (0) or the defender (1), for a combat under way or imagined.
    pub fn fight_sum(&self, state: &State, fight: &Fight, side: usize) -> Sum {
        let _ = (state, fight, side);
        todo!("land")
    }

    /// The choices of a ground combat.
    pub(crate) fn list_fight(&self, state: &State, frame: Frame, out: &mut Vec<Choice>) {
        let _ = (state, frame, out);
        todo!("land")
    }

    /// A choice or die of a ground combat.
    pub(crate) fn play_fight<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        frame: Frame,
        choice: Choice,
        sink: &mut S,
    ) {
        let _ = (state, frame, choice, sink);
        todo!("land")
    }

    /// The combat goes on.
    pub(crate) fn proceed_fight<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        let _ = (state, sink);
        todo!("land")
    }

    /// A ground unit loses a step; a reduced one is [lost](Self::lose).
    pub(crate) fn reduce<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        unit: UnitId,
        why: Loss,
        sink: &mut S,
    ) {
        let _ = (state, unit, why, sink);
        todo!("land")
    }

    /// A unit is lost: it goes to the Mobilization Box of its country (3.1), or out of the game where its country is not
    /// active any more (ruling 109). A field unit lost while defending costs National Will (2.1.2).
    pub(crate) fn lose<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        unit: UnitId,
        why: Loss,
        sink: &mut S,
    ) {
        let _ = (state, unit, why, sink);
        todo!("land")
    }

    /// A ground unit is about to be lost: Naval Evacuation is offered where it can be used (14), else it is
    /// [lost](Self::lose).
    pub(crate) fn lose_or_evacuate<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        unit: UnitId,
        why: Loss,
        sink: &mut S,
    ) {
        let _ = (state, unit, why, sink);
        todo!("land")
    }

    /// Whether the commit marker of a side is chosen first and in the open: the enemy's of ULTRA (14).
    pub(crate) fn is_shown_first(&self, state: &State, side: usize) -> bool {
        let _ = (state, side);
        todo!("land")
    }
}
