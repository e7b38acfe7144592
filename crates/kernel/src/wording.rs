//! The `Wording` trait: names of choices, labels, prompts, log lines, explanations.

use std::fmt::{Debug, Write as _};

use serde_json::Value;

use crate::actions::Fold;
use crate::event::LogLine;
use crate::game::Game;
use crate::seat::Mover;

/// Why a choice can't be made now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The reason as a sentence without a full stop.
    pub reason: String,
    /// The rule behind it, or an empty string.
    pub rule: &'static str,
}

impl Refusal {
    /// A refusal with a reason and a rule.
    pub fn new(reason: impl Into<String>, rule: &'static str) -> Self {
        Self { reason: reason.into(), rule }
    }

    /// A refusal without a specific reason.
    pub fn unexplained() -> Self {
        Self::new("that can't be done now", "")
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.reason)?;
        if self.rule.is_empty() { Ok(()) } else { write!(f, " (rule {})", self.rule) }
    }
}

/// The question to the mover.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    /// For the player to move: "Allies: spend an Action (1 of 2 left)".
    pub text: String,
    /// For the others: "Waiting for the Allies to spend an Action".
    pub waiting: String,
    /// The rule behind it.
    pub rule: &'static str,
}

/// Text for people and programs. Every method has a default made from the `Debug` form of the types: plain, but playable.
/// A real game writes its own.
pub trait Wording: Game {
    /// Writes the stable name of a choice, such as `attack WF`. All choices of a position have different names.
    fn write_name(&self, _state: &Self::State, choice: Self::Choice, out: &mut String) {
        out.push_str(&plain_words(&choice).to_lowercase());
    }

    /// Parses a name, whether the choice is legal now or not; `None` if the game has no such choice. The default only knows
    /// choices that are legal now.
    fn read_name(&self, state: &Self::State, name: &str) -> Option<Self::Choice> {
        let mut listed = Vec::new();
        self.choices(state, &mut listed);
        let mut written = String::new();
        listed.into_iter().find(|&choice| {
            written.clear();
            self.write_name(state, choice, &mut written);
            written == name
        })
    }

    /// The label of a choice, with what it means here: "Attack the Western Front: needs 5, +1".
    fn label(&self, _state: &Self::State, choice: Self::Choice) -> String {
        plain_words(&choice)
    }

    /// The question to a seat, or the purpose of Fate's draw ("Axis attack on EF, one die").
    fn prompt(&self, state: &Self::State) -> Prompt {
        let (text, waiting) = match self.mover(state) {
            Mover::Seat(seat) => {
                let title = self.seats()[seat.index()].title;
                (format!("{title} to choose"), format!("Waiting for {title}"))
            }
            Mover::Fate => ("Fate draws".to_owned(), "Waiting for the dice".to_owned()),
            Mover::Nobody => ("The game is over".to_owned(), "The game is over".to_owned()),
        };
        Prompt { text, waiting, rule: "" }
    }

    /// The log line for an event.
    fn log_line(&self, event: &Self::Event) -> LogLine {
        LogLine { text: plain_words(event), rule: "", aside: false }
    }

    /// How a step belongs to the steps before it, so that the log tells actions instead of clicks. By default whatever Fate
    /// draws belongs to the choice before it.
    fn fold(&self, state: &Self::State, _choice: Self::Choice) -> Fold {
        if self.mover(state) == Mover::Fate { Fold::Continues } else { Fold::Begins }
    }

    /// What an action came to, in one sentence without a full stop; `None` where there is nothing to tell. The events are
    /// those of all its steps, as far as the reader may know them. By default it is the last line that is not a detail.
    fn headline(&self, events: &[&Self::Event]) -> Option<LogLine> {
        events.iter().rev().map(|event| self.log_line(event)).find(|line| !line.aside)
    }

    /// The title of a turn: "Turn 7, 1942".
    fn turn_title(&self, turn: u16) -> String {
        format!("Turn {turn}")
    }

    /// The view as JSON, for the protocol.
    fn describe(&self, view: &Self::View<'_>) -> Value {
        Value::String(format!("{view:?}"))
    }

    /// The view as text, for the terminal.
    fn picture(&self, view: &Self::View<'_>) -> String {
        format!("{view:#?}")
    }

    /// The default choice (the Enter key), if there is an obvious one.
    fn default_choice(&self, _state: &Self::State) -> Option<Self::Choice> {
        None
    }

    /// Adds choices that a player might look for but that are illegal now; [`why_not`](Self::why_not) explains each.
    /// `listed` are the legal choices.
    fn closed(&self, _state: &Self::State, _listed: &[Self::Choice], _out: &mut Vec<Self::Choice>) {}

    /// Explains why a choice is illegal now. It is only called for choices that are not listed: it explains, it does not
    /// decide.
    fn why_not(&self, _state: &Self::State, _choice: Self::Choice) -> Refusal {
        Refusal::unexplained()
    }
}

/// The `Debug` form of a value without punctuation and with a capital letter: `Take(3)` becomes "Take 3".
fn plain_words(value: &impl Debug) -> String {
    let mut text = String::new();
    let _ = write!(text, "{value:?}");
    let words = text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '+')));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let mut line = words.join(" ");
    if let Some(first) = line.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_words_have_no_punctuation() {
        #[derive(Debug)]
        #[expect(dead_code, reason = "only its Debug form is read")]
        enum Move {
            Take(u8),
            Go { from: u8, to: Option<i8> },
        }
        assert_eq!(plain_words(&Move::Take(3)), "Take 3");
        assert_eq!(plain_words(&Move::Go { from: 1, to: Some(-2) }), "Go from 1 to Some -2");
    }
}
