//! What the turn is about, beside the choices: the box in force with the part that is played and why, or the Major Conflict.
//! It stands there so that nobody has to look for it on the Action Page. Rules 3.3.1, 3.4.

use echoes::{NO_BOX, Phase, Rules, State};
use maud::{Markup, html};

use super::action_page::{conflict_now, conflict_words};

/// The box or conflict in force; empty between turns and when the game is over.
pub fn draw(rules: &Rules, state: &State) -> Markup {
    if let Some(conflict) = conflict_now(rules, state)
        && state.in_box == NO_BOX
    {
        return html! {
            section #in-force.in-force aria-label="In force" {
                h2 { "Major Conflict " (conflict) }
                (conflict_words(rules, state, conflict))
            }
        };
    }
    let between = matches!(state.phase, Phase::Chart | Phase::BoxDie | Phase::ConfidenceDie);
    if state.in_box == NO_BOX || between || state.phase.is_over() {
        return html! { section #in-force.in-force hidden {} };
    }
    let number = state.in_box;
    let marked = state.events >> number & 1 != 0;
    let part = rules.part_played(number, state.event, marked, rules.year(state.turn));
    html! {
        section #in-force.in-force aria-label="In force" {
            h2 {
                i.number { (number / 6 + 1) "." (number % 6 + 1) } " " (rules.box_title(number))
                @if !part.is_empty() { small { (part) } }
            }
            p { (rules.box_words(number, state.event)) }
        }
    }
}
