//! Ships and aircraft: moves, transport, invasions, strikes, bombing, airdrops, interception, air and naval combat,
//! displacement. Rules 3.3, 4.5 to 4.7, 5.2, 6.4 to 6.9.

use kernel::EventSink;

use crate::choice::Choice;
use crate::frame::Frame;
use crate::game_event::GameEvent;
use crate::game_event::Sum;
use crate::ids::{Faction, Place, UnitId};
use crate::rules::Rules;
use crate::state::{Duel, Mission, State};

impl Rules {
    /// Adds the actions of ships, aircraft and airborne units to the list of an Actions Sub-Phase.
    pub(crate) fn list_mission_actions(&self, state: &State, faction: Faction, out: &mut Vec<Choice>) {
        let _ = (state, faction, out);
        todo!("sea")
    }

    /// Such an action is chosen.
    pub(crate) fn play_mission_action<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        choice: Choice,
        sink: &mut S,
    ) {
        let _ = (state, choice, sink);
        todo!("sea")
    }

    /// The choices of a mission.
    pub(crate) fn list_missions(&self, state: &State, frame: Frame, out: &mut Vec<Choice>) {
        let _ = (state, frame, out);
        todo!("sea")
    }

    /// A choice or die of a mission or an air or naval combat.
    pub(crate) fn play_missions<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        frame: Frame,
        choice: Choice,
        sink: &mut S,
    ) {
        let _ = (state, frame, choice, sink);
        todo!("sea")
    }

    /// A mission that can be intercepted begins: escort, interceptors, then its effect. The frame below goes on when it is
    /// over; for a sea link ([`crate::state::Errand::Link`]) that is the Supply Check, which reads from
    /// [`State::mission`] whether it was interdicted.
    pub(crate) fn begin_mission<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        mission: Mission,
        sink: &mut S,
    ) {
        let _ = (state, mission, sink);
        todo!("sea")
    }

    /// The mission goes on.
    pub(crate) fn proceed_mission<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        let _ = (state, sink);
        todo!("sea")
    }

    /// An air or naval combat begins, as a frame above the one that asked for it; the result stays in [`State::duel`].
    pub(crate) fn begin_duel<S: EventSink<GameEvent>>(&self, state: &mut State, duel: Duel, sink: &mut S) {
        let _ = (state, duel, sink);
        todo!("sea")
    }

    /// The modifiers and halvings of the attacker (0) or the defender (1) of an air or naval combat.
    pub fn duel_sum(&self, state: &State, duel: &Duel, side: usize) -> Sum {
        let _ = (state, duel, side);
        todo!("sea")
    }

    /// The air or naval combat goes on.
    pub(crate) fn proceed_duel<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        let _ = (state, sink);
        todo!("sea")
    }

    /// An air or naval unit adds Sorties; beyond the most it is lost (3.1).
    pub(crate) fn add_sorties<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        unit: UnitId,
        count: u8,
        sink: &mut S,
    ) {
        let _ = (state, unit, count, sink);
        todo!("sea")
    }

    /// Air and naval units in a hex that has passed to another side go to the nearest base (3.3).
    pub(crate) fn displace_from<S: EventSink<GameEvent>>(&self, state: &mut State, hex: Place, sink: &mut S) {
        let _ = (state, hex, sink);
        todo!("sea")
    }

    /// The least cost of a naval move between two bases for a side, and the nodes passed (4.6); `None` if there is no way.
    /// `limit` is the most that it may cost.
    pub fn sea_path(
        &self,
        state: &State,
        side: crate::ids::Side,
        from: Place,
        to: Place,
        limit: u8,
    ) -> Option<(u8, [crate::ids::Node; crate::state::PATH])> {
        let _ = (state, side, from, to, limit);
        todo!("sea")
    }

    /// What it costs to come from a base or coastal hex to every Sea Zone and box, up to a limit; `u8::MAX` beyond it.
    pub fn sea_reach(
        &self,
        state: &State,
        side: crate::ids::Side,
        from: Place,
        limit: u8,
    ) -> [u8; crate::ids::NODES] {
        let _ = (state, side, from, limit);
        todo!("sea")
    }

    /// What a reach says about a base or coastal hex: entering a port costs nothing.
    pub fn reach_cost(&self, reach: &[u8; crate::ids::NODES], to: Place) -> u8 {
        let _ = (reach, to);
        todo!("sea")
    }
}
