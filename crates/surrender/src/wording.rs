//! The words of the game: names, labels, prompts, log, refusals.

use kernel::{Fold, LogLine, Prompt, Refusal, Wording};
use serde_json::Value;

use crate::choice::Choice;
use crate::game::Surrender;
use crate::game_event::GameEvent;
use crate::state::State;
use crate::view::View;
use crate::words::month_words;

impl Wording for Surrender {
    fn write_name(&self, _: &State, choice: Choice, out: &mut String) {
        self.rules().write_name(choice, out);
    }

    fn read_name(&self, _: &State, name: &str) -> Option<Choice> {
        self.rules().read_name(name)
    }

    fn label(&self, state: &State, choice: Choice) -> String {
        self.rules().label(state, choice)
    }

    fn prompt(&self, state: &State) -> Prompt {
        self.rules().prompt(state)
    }

    fn log_line(&self, event: &GameEvent) -> LogLine {
        self.rules().log_line(event)
    }

    fn fold(&self, state: &State, choice: Choice) -> Fold {
        self.rules().fold(state, choice)
    }

    fn headline(&self, events: &[&GameEvent]) -> Option<LogLine> {
        self.rules().headline(events)
    }

    /// A turn is a month; the first, September 1939, is 1.
    fn turn_title(&self, turn: u16) -> String {
        month_words(turn.saturating_sub(1).min(u16::from(u8::MAX)) as u8)
    }

    fn describe(&self, view: &View<'_>) -> Value {
        self.rules().describe(view)
    }

    fn picture(&self, view: &View<'_>) -> String {
        self.rules().picture(view)
    }

    fn default_choice(&self, state: &State) -> Option<Choice> {
        self.rules().default_choice(state)
    }

    fn closed(&self, state: &State, listed: &[Choice], out: &mut Vec<Choice>) {
        self.rules().closed(state, listed, out);
    }

    fn why_not(&self, state: &State, choice: Choice) -> Refusal {
        self.rules().why_not(state, choice)
    }
}
