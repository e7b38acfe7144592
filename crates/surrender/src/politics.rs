//! Countries and politics: control, National Will, collapse and conquest, activation, declarations, policies, Influence, the
//! Diplomacy Cup, conditional events. Rules 2, 10, 13, 14, 17.

use kernel::EventSink;

use crate::choice::Choice;
use crate::frame::Frame;
use crate::game_event::GameEvent;
use crate::game_event::WillCause;
use crate::ids::{Country, Faction, Place, Side, UnitId};
use crate::rules::Rules;
use crate::state::State;

impl Rules {
    /// The start of a turn: markers and reinforcements by date, hooks of the scenario.
    pub(crate) fn begin_turn<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        let _ = (state, sink);
        todo!("politics")
    }

    /// Phase 2. Before the Axis's declarations: USA, schedule, policies (10.1).
    pub(crate) fn begin_declarations<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        faction: Faction,
        sink: &mut S,
    ) {
        let _ = (state, faction, sink);
        todo!("politics")
    }

    /// Phase 11.
    pub(crate) fn begin_diplomacy(&self, state: &mut State, faction: Faction) {
        let _ = (state, faction);
        todo!("politics")
    }

    /// The choices of politics.
    pub(crate) fn list_politics(&self, state: &State, frame: Frame, out: &mut Vec<Choice>) {
        let _ = (state, frame, out);
        todo!("politics")
    }

    /// A choice or die of politics.
    pub(crate) fn play_politics<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        frame: Frame,
        choice: Choice,
        sink: &mut S,
    ) {
        let _ = (state, frame, choice, sink);
        todo!("politics")
    }

    /// A ground unit has come to stand in, or passes through, a hex (it is put there already, or named as the one that
    /// passes): the hex becomes its side's, with all that follows: Atlantic Wall gone, units displaced, National Will,
    /// conditional events, liberation (1.3, 2.1.2, 3.3, 13.5, 13.6; ruling 68).
    pub(crate) fn enter_hex<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        unit: UnitId,
        hex: Place,
        sink: &mut S,
    ) {
        let _ = (state, unit, hex, sink);
        todo!("politics")
    }

    /// A hex was attacked by a unit of a side: by a ground unit, or by an Air Strike or Bombing Run (13.5, rulings 73, 68).
    pub(crate) fn attack_hex<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        unit: UnitId,
        hex: Place,
        sink: &mut S,
    ) {
        let _ = (state, unit, hex, sink);
        todo!("politics")
    }

    /// National Will changes; at 0 or less the country is looked at as soon as no step or combat is under way.
    pub(crate) fn change_will<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        country: Country,
        by: i16,
        cause: WillCause,
        sink: &mut S,
    ) {
        let _ = (state, country, by, cause, sink);
        todo!("politics")
    }

    /// Takes the first country out of [`State::collapsing`] and lets it fall if it must (13.2).
    pub(crate) fn look_at_will<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        let _ = (state, sink);
        todo!("politics")
    }

    /// A collapse goes on (13.2).
    pub(crate) fn proceed_collapse<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        country: Country,
        sink: &mut S,
    ) {
        let _ = (state, country, sink);
        todo!("politics")
    }

    /// A conquest goes on (13.3, 13.4).
    pub(crate) fn proceed_conquest<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        country: Country,
        step: u8,
        sink: &mut S,
    ) {
        let _ = (state, country, step, sink);
        todo!("politics")
    }

    /// Ground units of a side whose hex is closed to them now go to the nearest legal hex, or to their Mobilization Box; air
    /// and naval units are displaced (rulings 106, 113).
    pub(crate) fn clear_out<S: EventSink<GameEvent>>(&self, state: &mut State, hex: Place, sink: &mut S) {
        let _ = (state, hex, sink);
        todo!("politics")
    }

    /// The nearest legal hex for a unit (30.3), from a hex on.
    pub fn nearest_legal(&self, state: &State, unit: UnitId, from: Place, side: Side) -> Option<Place> {
        let _ = (state, unit, from, side);
        todo!("politics")
    }

    /// The action of the scenario France 1940: the Low Countries activate as Western countries (30.6,
    /// `low-countries-neutral`).
    pub(crate) fn invade_low_countries<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        let _ = (state, sink);
        todo!("politics")
    }
}
