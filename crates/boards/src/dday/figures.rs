//! The figures of a combat: numbers with the lines that they are made of, and the exact chances as a bar.

use dday::{AssaultOdds, Sum, percent};
use maud::{Markup, html};

/// A number on a die, with its lines.
pub fn sum(title: &str, class: &str, sum: &Sum) -> Markup {
    html! {
        div.sum.(class) {
            p.need { span { (title) } b { @if sum.need >= 10 { "10" } @else { (sum.need) } } }
            ul {
                @for (at, (line, shift)) in sum.lines().iter().enumerate() {
                    li { span { (line.words()) } b.minus[*shift < 0] { @if at == 0 { (shift) } @else { (signed(*shift)) } } }
                }
            }
        }
    }
}

fn signed(shift: i8) -> String {
    if shift < 0 { format!("−{}", shift.unsigned_abs()) } else { format!("+{shift}") }
}

/// One possible outcome: its class, its words, and so many of a thousand.
pub type Outcome = (&'static str, &'static str, u16);

/// What an assault can come to.
pub const fn outcomes(odds: &AssaultOdds) -> [Outcome; 4] {
    [
        ("lost", "Defender lost", odds.lost * 10),
        ("shattered", "Defender shattered", odds.shattered * 10),
        ("holds", "Both hold", odds.holds),
        ("repulsed", "Attacker repulsed", odds.repulsed),
    ]
}

/// The chances as a bar, and in words below it.
pub fn bar(outcomes: &[Outcome]) -> Markup {
    let mut start = 0;
    let mut pieces = Vec::new();
    for (class, _, count) in outcomes {
        pieces.push((*class, start, *count));
        start += count;
    }
    html! {
        svg.chances-bar viewBox="0 0 1000 40" preserveAspectRatio="none" aria-hidden="true" {
            @for (class, start, count) in &pieces {
                @if *count > 0 { rect.(class) x=(start) y="0" width=(count) height="40" {} }
            }
        }
        ul.outcomes {
            @for (class, words, count) in outcomes {
                @if *count > 0 { li.(class) { i {} span { (words) } b { (percent(*count)) } } }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_read_well() {
        assert_eq!(percent(420), "42 %");
        assert_eq!(percent(425), "42.5 %");
        assert_eq!((signed(2).as_str(), signed(-3).as_str()), ("+2", "−3"));
    }

    #[test]
    fn the_bar_is_as_long_as_all_chances() {
        let bar = bar(&[("a", "A", 300), ("b", "B", 0), ("c", "C", 700)]).into_string();
        assert!(bar.contains("x=\"300\" y=\"0\" width=\"700\""), "{bar}");
        assert!(!bar.contains("class=\"b\""), "what can't be is not shown");
    }
}
