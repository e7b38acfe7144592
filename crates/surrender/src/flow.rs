//! The sequence of play. Rule 1.2: each faction completes a phase before the next phase starts; Operations are two
//! sub-phases of one faction before the next begins.

use kernel::EventSink;

use crate::choice::Choice;
use crate::frame::Frame;
use crate::game_event::GameEvent;
use crate::ids::Faction;
use crate::rules::Rules;
use crate::state::{Phase, State, note};
use crate::tables::{Weather, month_of};
use crate::world::Climate;

use Faction::{Axis, Soviet, Western};

/// The steps of a turn. Phases that are run once stand with the Axis.
const SCHEDULE: [(Phase, Faction); 32] = [
    (Phase::Weather, Axis),
    (Phase::DeclareWar, Axis),
    (Phase::DeclareWar, Western),
    (Phase::DeclareWar, Soviet),
    (Phase::Economy, Axis),
    (Phase::Economy, Western),
    (Phase::Economy, Soviet),
    (Phase::Strategic, Axis),
    (Phase::Rail, Axis),
    (Phase::Rail, Western),
    (Phase::Rail, Soviet),
    (Phase::Actions, Axis),
    (Phase::Supply, Axis),
    (Phase::Actions, Western),
    (Phase::Supply, Western),
    (Phase::Actions, Soviet),
    (Phase::Supply, Soviet),
    (Phase::NoSupply, Axis),
    (Phase::NoSupply, Western),
    (Phase::NoSupply, Soviet),
    (Phase::Replacements, Axis),
    (Phase::Replacements, Western),
    (Phase::Replacements, Soviet),
    (Phase::Upgrade, Axis),
    (Phase::Mobilization, Axis),
    (Phase::Mobilization, Western),
    (Phase::Mobilization, Soviet),
    (Phase::Diplomacy, Axis),
    (Phase::Diplomacy, Western),
    (Phase::Diplomacy, Soviet),
    (Phase::Victory, Axis),
    (Phase::EndOfTurn, Axis),
];

/// Where the Operations of the Axis and of the West begin in the schedule.
const AXIS_OPERATIONS: usize = 11;
const WESTERN_OPERATIONS: usize = 13;

impl Rules {
    /// The step of the schedule with a number. With the hook `west-first` the Western Operations come before the Axis ones.
    fn step(&self, state: &State, number: usize) -> (Phase, Faction) {
        let swapped = self.scenario().hooks.west_first == Some(state.turn);
        let at = match number {
            AXIS_OPERATIONS..WESTERN_OPERATIONS if swapped => number + 2,
            WESTERN_OPERATIONS..15 if swapped => number - 2,
            other => other,
        };
        SCHEDULE[at]
    }

    /// Begins the next step of the turn.
    pub(crate) fn flow<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        let number = usize::from(state.next);
        if let Some((Phase::Supply, faction)) = number.checked_sub(1).map(|before| self.step(state, before))
            && !state.noted(note::OPERATIONS_ENDED)
        {
            // Something may be asked: the step itself begins after that.
            state.notes |= note::OPERATIONS_ENDED;
            self.end_of_operations(state, faction, sink);
            if state.frame() != Frame::Flow {
                return;
            }
        }
        state.notes &= !note::OPERATIONS_ENDED;
        let (phase, faction) = self.step(state, number);
        (state.phase, state.acting) = (phase, faction);
        state.next = if number + 1 == SCHEDULE.len() { 0 } else { state.next + 1 };
        let once = matches!(
            phase,
            Phase::Weather | Phase::Strategic | Phase::Upgrade | Phase::Victory | Phase::EndOfTurn
        );
        if !once && !self.plays(faction) {
            return;
        }
        match phase {
            Phase::Weather => self.begin_weather(state, sink),
            Phase::DeclareWar => self.begin_declarations(state, faction, sink),
            Phase::Economy => self.begin_economy(state, faction, sink),
            Phase::Strategic => self.begin_strategic(state, sink),
            Phase::Rail => self.begin_rail(state, faction),
            Phase::Actions => self.begin_actions(state, faction, sink),
            Phase::Supply => self.begin_check(state, faction, sink),
            Phase::NoSupply => self.begin_no_supply(state, faction, sink),
            Phase::Replacements => self.begin_replacements(state, faction),
            Phase::Upgrade => self.upgrade(state, sink),
            Phase::Mobilization => self.begin_mobilization(state, faction, sink),
            Phase::Diplomacy => self.begin_diplomacy(state, faction),
            Phase::Victory => self.check_victory(state, sink),
            Phase::EndOfTurn => self.end_turn(state, sink),
        }
    }

    /// Phase 1. A turn begins: what is due comes first, then the weather (11.0).
    fn begin_weather<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        let turn = state.turn;
        sink.emit(|| GameEvent::Turn(turn));
        self.begin_turn(state, sink);
        if let Some(weather) = self.scenario().first_weather.filter(|_| turn == self.scenario().first) {
            for (zone, weather) in weather.into_iter().enumerate() {
                state.weather[zone] = weather;
                sink.emit(|| GameEvent::Weather(zone as u8, 0, weather));
            }
            return;
        }
        for zone in Climate::ROLLED.into_iter().rev() {
            state.push(Frame::WeatherDie(zone as u8));
        }
    }

    /// A weather die.
    pub(crate) fn play_weather<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        frame: Frame,
        choice: Choice,
        sink: &mut S,
    ) {
        if let (Frame::WeatherDie(zone), Choice::Die(die)) = (frame, choice) {
            let (_, month) = month_of(state.turn);
            let weather: Weather = self.world.tables.weather(month, Climate::ROLLED[usize::from(zone)], die);
            state.weather[usize::from(zone)] = weather;
            sink.emit(|| GameEvent::Weather(zone, die, weather));
            state.pop();
        }
    }
}
