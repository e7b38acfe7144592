//! Odds, as a list of answers with bars.

use kernel::{Answer, Table, Viewer};
use maud::{Markup, html};

use crate::pages::layout::rule_link;

/// The answer to one question.
pub fn answer(game: &str, answer: &Answer) -> Markup {
    html! {
        section.answer {
            h3 { (answer.title) " " (rule_link(game, answer.rule)) }
            @if !answer.facts.is_empty() {
                dl {
                    @for (name, value) in &answer.facts {
                        div { dt { (name) } dd { (value) } }
                    }
                }
            }
            ul.chances {
                @for (what, chance) in &answer.results {
                    li {
                        span.what { (what) }
                        meter min="0" max="1" value=(format!("{:.4}", chance.as_f64())) aria-label=(what) {}
                        span.chance title=(format!("{}/{}", chance.numerator(), chance.denominator())) {
                            (format!("{:.1} %", chance.as_f64() * 100.0))
                        }
                    }
                }
            }
        }
    }
}

/// Everything that can be asked now, and a line for questions of one's own.
pub fn all(game: &str, table: &dyn Table, viewer: Viewer) -> Markup {
    let questions = table.questions(viewer);
    html! {
        @if let Some(example) = questions.first() {
            form #ask-odds .ask-odds {
                label for="ask-odds-words" { "Ask about" }
                input #ask-odds-words name="about" autocomplete="off" maxlength="200" placeholder=(example);
                button { "Ask" }
            }
            div #odds-asked aria-live="polite" {}
        }
        @for question in questions {
            @if let Ok(found) = table.answer(&question, viewer) {
                (answer(game, &found))
            }
        }
    }
}
