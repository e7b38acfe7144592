//! Supply, Strategic Movement, replacements, mobilization, economy, strategic warfare, end of turn. Rules 4.8, 5.4, 7, 8, 9,
//! 12.2.

use kernel::EventSink;

use crate::choice::Choice;
use crate::frame::Frame;
use crate::game_event::GameEvent;
use crate::ids::{Country, Faction, UnitId};
use crate::rules::Rules;
use crate::state::State;

impl Rules {
    /// Phase 3.
    pub(crate) fn begin_economy<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        faction: Faction,
        sink: &mut S,
    ) {
        let _ = (state, faction, sink);
        todo!("supply")
    }

    /// Phase 4.
    pub(crate) fn begin_strategic<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        let _ = (state, sink);
        todo!("supply")
    }

    /// Phase 5.
    pub(crate) fn begin_rail(&self, state: &mut State, faction: Faction) {
        let _ = (state, faction);
        todo!("supply")
    }

    /// Phase 6, Supply Check.
    pub(crate) fn begin_check<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        faction: Faction,
        sink: &mut S,
    ) {
        let _ = (state, faction, sink);
        todo!("supply")
    }

    /// The Supply Check goes on.
    pub(crate) fn proceed_check<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        faction: Faction,
        sink: &mut S,
    ) {
        let _ = (state, faction, sink);
        todo!("supply")
    }

    /// Phase 7.
    pub(crate) fn begin_no_supply<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        faction: Faction,
        sink: &mut S,
    ) {
        let _ = (state, faction, sink);
        todo!("supply")
    }

    /// Phase 8.
    pub(crate) fn begin_replacements(&self, state: &mut State, faction: Faction) {
        let _ = (state, faction);
        todo!("supply")
    }

    /// Phase 9.
    pub(crate) fn upgrade<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        let _ = (state, sink);
        todo!("supply")
    }

    /// Phase 10.
    pub(crate) fn begin_mobilization<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        faction: Faction,
        sink: &mut S,
    ) {
        let _ = (state, faction, sink);
        todo!("supply")
    }

    /// Phase 13.
    pub(crate) fn end_turn<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        let _ = (state, sink);
        todo!("supply")
    }

    /// The choices of these phases.
    pub(crate) fn list_logistics(&self, state: &State, frame: Frame, out: &mut Vec<Choice>) {
        let _ = (state, frame, out);
        todo!("supply")
    }

    /// A choice or die of these phases.
    pub(crate) fn play_logistics<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        frame: Frame,
        choice: Choice,
        sink: &mut S,
    ) {
        let _ = (state, frame, choice, sink);
        todo!("supply")
    }

    /// Who would pay so many points for a unit (9.2): its country, or its leading power for the whole; `None` if nobody can.
    pub fn payer(&self, state: &State, unit: UnitId, points: i16) -> Option<Country> {
        let _ = (state, unit, points);
        todo!("supply")
    }

    /// The leading power of a faction (2.1), if it has one now: Germany; UK, else USA; USSR; in small scenarios see 30.4.
    pub fn leading_power(&self, state: &State, faction: Faction) -> Option<Country> {
        let _ = (state, faction);
        todo!("supply")
    }

    /// What it costs to activate a ground unit, Partisans in its hex included (6.1, 14).
    pub fn activation_cost(&self, state: &State, unit: UnitId) -> i16 {
        let _ = (state, unit);
        todo!("supply")
    }
}
