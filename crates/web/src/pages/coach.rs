//! The coach beside the board: a page of the lesson, and what it says to the last choice.

use kernel::Viewer;
use lessons::{Advice, Stand};
use maud::{Markup, html};

use crate::live::Live;
use crate::lobby::Coached;
use crate::pages::layout::rule_link;

/// The panel for the learner; `None` for everybody else and in matches without a lesson.
pub fn panel(live: &Live, viewer: Viewer) -> Option<Markup> {
    let coached = live.coached.as_ref()?;
    if viewer != Viewer::Seat(coached.coach.seat()) {
        return None;
    }
    let advice = coached.coach.advice(coached.page);
    let stand = coached.coach.stand();
    let is_read = *stand == Stand::Over && advice.page.is_none();
    Some(if is_read {
        html! { section #coach.coach hidden {} }
    } else if coached.closed {
        html! {
            section #coach.coach.closed aria-label="Coach" {
                button type="button" data-coach="open" { "Back to the lesson" }
            }
        }
    } else {
        let lesson = coached.coach.lesson();
        let look = look_at(&advice, stand);
        let (shown, all) = (advice.page.map_or(0, |(at, _)| at + 1), lesson.pages.len());
        html! {
            section #coach.coach aria-label="Coach" data-look=(look) data-page=(shown) {
                header {
                    b { "Coach" }
                    progress max=(all) value=(shown) aria-label="Progress of the lesson" {}
                    span.count { (shown) " of " (all) }
                    button.close type="button" data-coach="close" aria-label="Close the lesson" title="Close the lesson" { "×" }
                }
                div.words aria-live="polite" {
                    @match stand {
                        Stand::Astray(said) => (astray(said)),
                        Stand::Lost => (lost()),
                        Stand::Together | Stand::Over => (words(live, coached, &advice)),
                    }
                }
            }
        }
    })
}

/// What the rings are put around: what the page names, or the choices while something else is asked for first.
fn look_at(advice: &Advice<'_>, stand: &Stand) -> String {
    match (stand, advice.meanwhile, advice.page) {
        (Stand::Astray(_) | Stand::Lost, ..) | (_, None, None) => String::new(),
        (_, Some(_), _) => "choices".to_owned(),
        (_, None, Some((_, page))) => {
            page.look.iter().map(diagnostics::datafile::Text::as_str).collect::<Vec<_>>().join(" ")
        }
    }
}

/// A choice that the coach would like to see taken back.
fn astray(said: &str) -> Markup {
    let said = if said.is_empty() { "That's a different plan from this lesson's." } else { said };
    html! {
        div.said.astray { (paragraphs(said)) }
        p.buttons {
            button.go type="button" data-act="undo" { "Take it back" }
            button type="button" data-coach="close" { "Play on alone" }
        }
    }
}

/// The match has gone where the lesson can't follow.
fn lost() -> Markup {
    html! {
        p { "The match has taken a turn that this lesson does not cover. Undo to come back to it, or play on alone: "
            "the table explains every choice." }
        p.buttons { button type="button" data-coach="close" { "Play on alone" } }
    }
}

fn words(live: &Live, coached: &Coached, advice: &Advice<'_>) -> Markup {
    let Some((at, page)) = advice.page else { return html! {} };
    let is_first = !advice.has_previous;
    let is_last = *coached.coach.stand() == Stand::Over && !advice.has_next;
    let rule = page.rule.as_ref().map_or("", |rule| rule.as_str());
    html! {
        @if let Some((said, good)) = advice.said.filter(|_| is_first) {
            div.said.good[good] { (paragraphs(said)) }
        }
        @match advice.meanwhile {
            Some(meanwhile) => { (paragraphs(meanwhile)) },
            None => {
                (paragraphs(&page.say))
                @if !rule.is_empty() { p.rule { "Rule " (rule_link(live.title.id(), rule)) } }
            },
        }
        @if advice.has_previous || advice.has_next || is_last {
            p.buttons {
                @if advice.has_previous { button type="button" data-coach=(at - 1) { "Back" } }
                @if advice.has_next { button.go type="button" data-coach=(at + 1) { "Next" } }
                @if is_last { button.go type="button" data-coach=(at + 1) { "Finish the lesson" } }
            }
        }
    }
}

/// Paragraphs, in which `**two stars**` make words bold.
fn paragraphs(text: &str) -> Markup {
    html! {
        @for paragraph in text.split("\n\n") {
            p { @for (at, piece) in paragraph.split("**").enumerate() {
                @if at % 2 == 1 { b { (piece) } } @else { (piece) }
            } }
        }
    }
}
