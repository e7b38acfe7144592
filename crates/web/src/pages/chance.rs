//! The win-chance bar and the hint panel.

use bots::analysis::Candidate;
use kernel::{Actor, Viewer};
use maud::{Markup, html};

use crate::live::Live;
use crate::lobby::Hint;
use crate::pages::layout::rule_link;

/// A chance in percent; values close to 0 and 1 are not rounded to certainty.
pub fn percent(chance: f64) -> String {
    match chance * 100.0 {
        sure if sure > 0.0 && sure < 0.5 => "< 1 %".to_owned(),
        sure if sure < 100.0 && sure > 99.5 => "> 99 %".to_owned(),
        chance => format!("{chance:.0} %"),
    }
}

/// An error in percentage points, at least one: less would claim too much.
fn points(error: f64) -> String {
    format!("{:.0}", (error * 100.0).max(1.0))
}

/// The bar. All viewers of a kind get the same markup; the class of the page hides it for those who turned it off.
pub fn bar(live: &Live, viewer: Viewer) -> Markup {
    if !live.may_analyse() {
        return html! { div #chance.chance hidden {} };
    }
    let seats = live.table.seats();
    let Some(win_chances) = live.win_chances(viewer) else {
        return html! { div #chance.chance.unknown { p { "Win chances: still thinking" } } };
    };
    let name = |at: usize| match viewer {
        Viewer::Seat(seat) if seat.index() == at => "You",
        _ => seats.get(at).map_or("", |seat| seat.title),
    };
    let is_old = win_chances.revision != live.revision;
    let told: Vec<String> = win_chances
        .chances
        .iter()
        .enumerate()
        .map(|(at, chance)| format!("{} {}", name(at), percent(*chance)))
        .collect();
    let error = points(win_chances.error);
    let label = format!("Win chances: {}, plus or minus {error} points", told.join(", "));
    let before = |at: usize| win_chances.chances[..at].iter().sum::<f64>();
    html! {
        div #chance.chance.old[is_old].solo[seats.len() == 1] role="group" aria-label=(label) title=(label) data-revision=(win_chances.revision) {
            svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true" {
                rect.ground width="100" height="6" {}
                @for (at, chance) in win_chances.chances.iter().enumerate() {
                    rect.nation.{"seat-" (at)}.(seats.get(at).map_or("", |seat| seat.word)) x=(format!("{:.1}", 100.0 * before(at))) width=(format!("{:.1}", 100.0 * chance)) height="6" {}
                }
            }
            p aria-hidden="true" {
                @for (at, words) in told.iter().enumerate() {
                    span { b { (words) } @if at == 0 { small { " ± " (error) } } }
                }
            }
        }
    }
}

/// The hint panel: the best choices found, each a button.
pub fn hint(live: &Live, hint: &Hint) -> Markup {
    let analysis = &hint.analysis;
    html! {
        p.head {
            b { "Hint " (hint.number) } " "
            small { "after " (analysis.playouts) " playouts" }
            button type="button" data-act="hint-close" aria-label="Close the hint" { "×" }
        }
        ol {
            @for candidates in &analysis.candidates { li { (candidate(live, candidates)) } }
        }
    }
}

fn candidate(live: &Live, candidates: &Candidate) -> Markup {
    let seats = live.table.seats();
    let who = |actor: &Actor| match actor {
        Actor::Fate => "Fate",
        Actor::Seat(seat) => seats.get(seat.index()).map_or("", |seat| seat.title),
    };
    html! {
        button.choice type="button" data-choice=(candidates.name) {
            span { (candidates.label) }
            span.percent { b { (percent(candidates.chance)) } small { " ± " (points(candidates.error)) } }
        }
        p.why { (candidates.why) " " (rule_link(live.title.id(), candidates.rule)) }
        @if !candidates.line.is_empty() {
            details.line {
                summary { "Expected continuation" }
                ol { @for (actor, words) in &candidates.line { li { b { (who(actor)) } ": " (words) } } }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_do_not_claim_too_much() {
        for (chance, words) in [
            (0.0, "0 %"),
            (0.001, "< 1 %"),
            (0.5, "50 %"),
            (0.626, "63 %"),
            (0.999, "> 99 %"),
            (1.0, "100 %"),
        ] {
            assert_eq!(percent(chance), words);
        }
        assert_eq!((points(0.0001), points(0.034)), ("1".to_owned(), "3".to_owned()));
    }
}
