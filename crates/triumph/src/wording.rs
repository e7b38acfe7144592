//! The words of the game: names, labels, prompts, log, refusals.

use crate::choice::Choice;
use crate::game::Triumph;
use crate::game_event::GameEvent;
use crate::rules::Rules;
use crate::state::State;
use crate::view::View;
use kernel::{Fold, Game, LogLine, Prompt, Refusal, Wording};
use serde_json::Value;

impl Wording for Triumph {
    fn write_name(&self, state: &State, choice: Choice, out: &mut String) {
        self.rules().write_name(state, choice, out);
    }

    fn read_name(&self, state: &State, name: &str) -> Option<Choice> {
        self.rules().read_name(state, name)
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

    fn default_choice(&self, state: &State) -> Option<Choice> {
        self.rules().default_choice(state)
    }

    fn closed(&self, state: &State, listed: &[Choice], out: &mut Vec<Choice>) {
        self.rules().closed(state, listed, out);
    }

    fn why_not(&self, state: &State, choice: Choice) -> Refusal {
        self.rules().why_not(state, choice)
    }

    fn describe(&self, view: &View) -> Value {
        self.rules().describe(view)
    }

    fn picture(&self, view: &View) -> String {
        self.rules().picture(view)
    }

    fn turn_title(&self, turn: u16) -> String {
        let before = self.rules().settings.short && turn == self.turn(&self.start());
        if before { "Before 1939".to_owned() } else { Rules::turn_title(turn) }
    }
}
