//! An order in words, as people read it.

use std::fmt::Write as _;

use kernel::SeatInfo;

use crate::language::{Event, Order, Pattern, Pick, Who, Word};

impl Order {
    /// The order as a sentence. `label` gives the label of a choice's name where the game has one now; a name without a label
    /// is shown as it is.
    ///
    /// ```
    /// let order = orders::Order::always("8.3", "pass");
    /// let label = |name: &str| (name == "pass").then(|| "Pass".to_owned());
    /// assert_eq!(order.in_words(&[], &label), "When rule 8.3 asks: choose “Pass”.");
    /// ```
    pub fn in_words(&self, seats: &[SeatInfo], label: &dyn Fn(&str) -> Option<String>) -> String {
        let mut out = String::new();
        if let (true, Some(rule), [Pick::Named(pattern)]) = (self.sealed, &self.rule, &self.choose[..]) {
            let _ = write!(out, "Sealed for the next question of rule {}: ", rule.rule);
            pattern.in_words(label, &mut out);
            out.push('.');
            return out;
        }
        if let Some(rule) = &self.rule {
            let under = if rule.under { " (or a rule under it)" } else { "" };
            let _ = write!(out, "When rule {}{under} asks", rule.rule);
        }
        for (n, event) in self.after.iter().enumerate() {
            out.push_str(match (n, out.is_empty()) {
                (0, true) => "After ",
                (0, false) => ", after ",
                _ => " and then ",
            });
            event.in_words(seats, label, &mut out);
        }
        out.push_str(": choose ");
        for (n, pick) in self.choose.iter().enumerate() {
            if n > 0 {
                out.push_str(", or else ");
            }
            match pick {
                Pick::Usual => out.push_str("what is usual"),
                Pick::Named(pattern) => pattern.in_words(label, &mut out),
            }
        }
        self.end_in_words(seats, label, &mut out);
        out.push('.');
        out
    }

    fn end_in_words(&self, seats: &[SeatInfo], label: &dyn Fn(&str) -> Option<String>, out: &mut String) {
        match self.times {
            None => {}
            Some(1) => out.push_str(", once"),
            Some(2) => out.push_str(", twice"),
            Some(times) => {
                let _ = write!(out, ", {times} times");
            }
        }
        if let Some(turn) = self.until {
            let _ = write!(out, ", until turn {turn} begins");
        }
        for (n, event) in self.unless.iter().enumerate() {
            out.push_str(if n == 0 { "; ends once " } else { " or once " });
            event.in_words(seats, label, out);
        }
    }
}

impl Event {
    fn in_words(&self, seats: &[SeatInfo], label: &dyn Fn(&str) -> Option<String>, out: &mut String) {
        out.push_str(match self.who {
            Who::Seat(seat) => seats.get(seat.index()).map_or("somebody", |seat| seat.title),
            Who::Other => "another player",
            Who::Anybody => "anybody",
            Who::Fate => "a draw",
        });
        out.push_str(if self.who == Who::Fate { " gave " } else { " chose " });
        self.what.in_words(label, out);
    }
}

impl Pattern {
    fn in_words(&self, label: &dyn Fn(&str) -> Option<String>, out: &mut String) {
        if self.words == [Word::Rest] {
            out.push_str("anything");
            return;
        }
        let shown = self.name().and_then(|name| label(&name)).unwrap_or_else(|| {
            let word = |word: &Word| match word {
                Word::Exactly(word) => word.clone(),
                Word::Any | Word::Rest => "…".to_owned(),
            };
            self.words.iter().map(word).collect::<Vec<_>>().join(" ")
        });
        let _ = write!(out, "“{shown}”");
    }
}
