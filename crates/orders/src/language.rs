//! What an order says, and how it is written.

use std::fmt::Write as _;

use kernel::{Seat, SeatInfo};

/// One standing order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Order {
    /// The rule of the question, if that matters.
    pub rule: Option<RulePattern>,
    /// The last choices of the log, oldest first; empty if they do not matter.
    pub after: Vec<Event>,
    /// What to choose: the first of these that is open.
    pub choose: Vec<Pick>,
    /// What ends the order when somebody chooses it.
    pub unless: Vec<Event>,
    /// The turn with whose beginning the order ends.
    pub until: Option<u16>,
    /// How often it answers.
    pub times: Option<u32>,
    /// Whether it is a choice made in secret before its question comes: for the next question of its rule only. When the match
    /// goes on without that question, it falls away.
    pub sealed: bool,
}

/// Rules of questions: one, or one and everything under it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulePattern {
    /// The number of the rule, such as `2.5`.
    pub rule: String,
    /// Whether rules under it count too.
    pub under: bool,
}

/// A choice in the log: whose, and which.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Who chose.
    pub who: Who,
    /// What was chosen.
    pub what: Pattern,
}

/// Who chose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// One seat.
    Seat(Seat),
    /// Any seat but that of the order's owner.
    Other,
    /// Any seat.
    Anybody,
    /// Fate: a die or a card.
    Fate,
}

/// One of the things to choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pick {
    /// A choice by its name.
    Named(Pattern),
    /// What the game would do by itself.
    Usual,
}

/// A name of a choice, with gaps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// Its words; never empty.
    pub words: Vec<Word>,
}

/// A word of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    /// This word.
    Exactly(String),
    /// Any one word: `*`.
    Any,
    /// Any number of words up to the end: `**`.
    Rest,
}

impl Pattern {
    /// The pattern that fits one name only, for orders made from a menu.
    pub fn exactly(name: &str) -> Self {
        Self { words: name.split_whitespace().map(|word| Word::Exactly(word.to_owned())).collect() }
    }

    /// The one name that it fits, or `None` if it has gaps.
    pub fn name(&self) -> Option<String> {
        let words: Option<Vec<&str>> = self
            .words
            .iter()
            .map(|word| match word {
                Word::Exactly(word) => Some(word.as_str()),
                Word::Any | Word::Rest => None,
            })
            .collect();
        words.map(|words| words.join(" "))
    }

    fn write(&self, out: &mut String) {
        out.push('"');
        for (n, word) in self.words.iter().enumerate() {
            if n > 0 {
                out.push(' ');
            }
            match word {
                Word::Any => out.push('*'),
                Word::Rest => out.push_str("**"),
                Word::Exactly(word) => {
                    for c in word.chars() {
                        if matches!(c, '"' | '\\' | '*') {
                            out.push('\\');
                        }
                        out.push(c);
                    }
                }
            }
        }
        out.push('"');
    }
}

impl Order {
    /// "Always here": this answer to every question of a rule.
    ///
    /// ```
    /// assert_eq!(orders::Order::always("8.3", "pass").text(&[]), "when rule 8.3 choose \"pass\"");
    /// ```
    pub fn always(rule: &str, choice: &str) -> Self {
        Self {
            rule: Some(RulePattern { rule: rule.to_owned(), under: false }),
            choose: vec![Pick::Named(Pattern::exactly(choice))],
            ..Self::default()
        }
    }

    /// "If … then …": this answer after that choice.
    pub fn after(who: Who, chosen: &str, choice: &str) -> Self {
        Self {
            after: vec![Event { who, what: Pattern::exactly(chosen) }],
            choose: vec![Pick::Named(Pattern::exactly(choice))],
            ..Self::default()
        }
    }

    /// A sealed choice: this answer to the question of a rule that comes next.
    ///
    /// ```
    /// assert_eq!(orders::Order::sealed("10.1", "pass").text(&[]), "when rule 10.1 choose \"pass\", sealed");
    /// ```
    pub fn sealed(rule: &str, choice: &str) -> Self {
        Self { times: Some(1), sealed: true, ..Self::always(rule, choice) }
    }

    /// The order as it is written; [`parse`](crate::parse) reads it back.
    pub fn text(&self, seats: &[SeatInfo]) -> String {
        let mut out = String::new();
        if let Some(rule) = &self.rule {
            let under = if rule.under { ".*" } else { "" };
            let _ = write!(out, "when rule {}{under} ", rule.rule);
        }
        for (n, event) in self.after.iter().enumerate() {
            out.push_str(if n == 0 { "after " } else { "then " });
            event.write(seats, &mut out);
            out.push(' ');
        }
        out.push_str("choose ");
        for (n, pick) in self.choose.iter().enumerate() {
            if n > 0 {
                out.push_str(" | ");
            }
            match pick {
                Pick::Named(pattern) => pattern.write(&mut out),
                Pick::Usual => out.push_str("usual"),
            }
        }
        for event in &self.unless {
            out.push_str(" unless ");
            event.write(seats, &mut out);
        }
        if let Some(turn) = self.until {
            let _ = write!(out, " until turn {turn}");
        }
        if self.sealed {
            out.push_str(", sealed");
        } else if let Some(times) = self.times {
            let _ = write!(out, ", {times} times");
        }
        out
    }
}

impl Event {
    fn write(&self, seats: &[SeatInfo], out: &mut String) {
        out.push_str(match self.who {
            Who::Seat(seat) => seats.get(seat.index()).map_or("anybody", |seat| seat.word),
            Who::Other => "other",
            Who::Anybody => "anybody",
            Who::Fate => "fate",
        });
        out.push(' ');
        self.what.write(out);
    }
}
