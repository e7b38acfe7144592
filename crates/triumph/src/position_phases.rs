//! The phases in which a position that is set by hand can begin.

use kernel::Discard;

use crate::areas::NONE;
use crate::factions::Faction;
use crate::position_words::{Fault, Words};
use crate::rules::Rules;
use crate::set_up::BEFORE_1939;
use crate::stage::Stage;
use crate::state::{Part, State};

/// The phases in which a position can begin.
const PHASES: [&str; 11] = [
    "set_up",
    "growth",
    "year_start",
    "turn_order",
    "production",
    "government",
    "hand_size",
    "command",
    "movement",
    "supply",
    "end_of_year",
];
impl Rules {
    /// `movement axis 9`, `movement axis 4 emergency`, `production west`, `command`: the phase begins.
    pub(crate) fn set_phase(&self, state: &mut State, words: &mut Words<'_>) -> Result<(), Fault> {
        let find = |word: &str| PHASES.iter().copied().find(|phase| *phase == word);
        let phase = words.read(&diagnostics::datafile::any_of(&PHASES), || PHASES, find)?;
        if state.part == Part::NewYear && matches!(phase, "command" | "movement" | "supply" | "end_of_year") {
            state.part = Part::Spring;
        }
        (state.verdict, state.picked, state.turns) = (None, NONE, [None; 3]);
        let sink = &mut Discard;
        match phase {
            "set_up" => *state = self.start(),
            "growth" => {
                (state.year, state.at) = (BEFORE_1939, 0);
                self.short_growth(state, sink);
            }
            "year_start" => {
                state.year = state.year.saturating_sub(1);
                self.begin_year(state, sink);
            }
            "turn_order" => state.stage = Stage::TurnOrder,
            "production" => {
                state.at = 0;
                if !words.is_empty() {
                    let first = words.faction()?;
                    state.at = place_in_order(state, first);
                }
                self.snapshot(state);
                self.produce(state, sink);
            }
            "government" => {
                let first = words.faction()?;
                self.snapshot(state);
                (state.at, state.passes) = (place_in_order(state, first), 0);
                state.stage = Stage::Government;
            }
            "hand_size" => self.begin_hand_size(state, sink),
            "command" => self.begin_season(state, state.part, sink),
            "movement" => {
                let mover = words.faction()?;
                let moves = words.number(1..=99)? as u8;
                let emergency = words.takes("emergency");
                self.begin_turn(state, mover, moves, emergency, sink);
                state.turn.surprise = words.takes("surprise");
            }
            "supply" => self.begin_supply(state, sink),
            _ => self.end_year(state, sink),
        }
        Ok(())
    }
}

/// The place of a Faction in Turn Order.
fn place_in_order(state: &State, faction: Faction) -> u8 {
    state.order.iter().position(|other| *other == faction).unwrap_or(0) as u8
}
