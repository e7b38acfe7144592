//! The words of the game: names, labels, prompts, log, refusals.

use kernel::{Fold, Game, LogLine, Prompt, Refusal, Wording};
use serde_json::Value;

use crate::choice::Choice;
use crate::game::Surrender;
use crate::game_event::GameEvent;
use crate::state::State;
use crate::view::View;
use crate::words::{month_words, within_sentence};

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
        let mut prompt = self.rules().prompt(state);
        if let Some(result) = self.verdict(state.verdict) {
            prompt.text = format!("{}: {result}", prompt.text);
            prompt.waiting.clone_from(&prompt.text);
        }
        prompt
    }

    fn log_line(&self, event: &GameEvent) -> LogLine {
        let mut line = self.rules().log_line(event);
        if let GameEvent::Verdict(result) = event
            && let Some(result) = self.verdict(Some(*result))
        {
            line.text = format!("{}: {result}", line.text);
        }
        line
    }

    fn fold(&self, state: &State, choice: Choice) -> Fold {
        self.rules().fold(state, choice)
    }

    fn headline(&self, events: &[&GameEvent]) -> Option<LogLine> {
        let line = self.rules().headline(events);
        let Some(end) = events.iter().find(|event| matches!(event, GameEvent::Verdict(_))) else {
            return line;
        };
        let end = self.log_line(end);
        Some(match line {
            Some(line) => LogLine { text: format!("{}; {}", line.text, within_sentence(&end.text)), ..line },
            None => end,
        })
    }

    /// A turn is a month; the first, September 1939, is 1.
    fn turn_title(&self, turn: u16) -> String {
        month_words(turn.saturating_sub(1).min(u16::from(u8::MAX)) as u8)
    }

    fn describe(&self, view: &View<'_>) -> Value {
        self.rules().describe(view, self.verdict(view.state().verdict))
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

impl Surrender {
    /// The result of a game that is over, for people.
    fn verdict(&self, result: Option<u8>) -> Option<&str> {
        self.results().get(usize::from(result?)).map(|result| result.title.as_str())
    }
}
