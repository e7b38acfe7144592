//! What the house thinks of a position: a bar with the chance of each seat, and the panel of a hint.

use bots::counsel::Advice;
use kernel::{Actor, Viewer};
use maud::{Markup, html};

use crate::house::Hint;
use crate::live::Live;
use crate::pages::layout::rule_link;

/// A chance as people say it: never quite sure while the game goes on.
pub fn percent(chance: f64) -> String {
    match chance * 100.0 {
        sure if sure > 0.0 && sure < 0.5 => "< 1 %".to_owned(),
        sure if sure < 100.0 && sure > 99.5 => "> 99 %".to_owned(),
        chance => format!("{chance:.0} %"),
    }
}

/// An error in points, at least one: less would claim too much.
fn points(error: f64) -> String {
    format!("{:.0}", (error * 100.0).max(1.0))
}

/// The bar. All of a kind of viewer get it; those who do not want it hide it, by the class of the page.
pub fn bar(live: &Live, viewer: Viewer) -> Markup {
    if !live.may_counsel() {
        return html! { div #chance.chance hidden {} };
    }
    let seats = live.table.seats();
    let Some(outlook) = live.outlook(viewer) else {
        return html! { div #chance.chance.unknown { p { "Chance to win: not yet known" } } };
    };
    let name = |at: usize| match viewer {
        Viewer::Seat(seat) if seat.index() == at => "You",
        _ => seats.get(at).map_or("", |seat| seat.title),
    };
    let is_old = outlook.revision != live.revision;
    let told: Vec<String> = outlook
        .chances
        .iter()
        .enumerate()
        .map(|(at, chance)| format!("{} {}", name(at), percent(*chance)))
        .collect();
    let error = points(outlook.error);
    let label = format!("Chance to win: {}, plus or minus {error} points", told.join(", "));
    let before = |at: usize| outlook.chances[..at].iter().sum::<f64>();
    html! {
        div #chance.chance.old[is_old] role="group" aria-label=(label) title=(label) data-revision=(outlook.revision) {
            svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true" {
                rect.ground width="100" height="6" {}
                @for (at, chance) in outlook.chances.iter().enumerate() {
                    rect.{"seat-" (at)}.(seats.get(at).map_or("", |seat| seat.word)) x=(format!("{:.1}", 100.0 * before(at))) width=(format!("{:.1}", 100.0 * chance)) height="6" {}
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

/// The panel of a hint: the best choices, each to be made by a click.
pub fn hint(live: &Live, hint: &Hint) -> Markup {
    let counsel = &hint.counsel;
    html! {
        p.head {
            b { "Hint " (hint.number) } " "
            small { "after " (counsel.playouts) " playouts" }
            button type="button" data-act="hint-close" aria-label="Close the hint" { "×" }
        }
        ol {
            @for advice in &counsel.advice { li { (piece_of_advice(live, advice)) } }
        }
    }
}

fn piece_of_advice(live: &Live, advice: &Advice) -> Markup {
    let seats = live.table.seats();
    let who = |actor: &Actor| match actor {
        Actor::Fate => "Fate",
        Actor::Seat(seat) => seats.get(seat.index()).map_or("", |seat| seat.title),
    };
    html! {
        button.choice type="button" data-choice=(advice.name) {
            span { (advice.label) }
            span.percent { b { (percent(advice.chance)) } small { " ± " (points(advice.error)) } }
        }
        p.why { (advice.why) " " (rule_link(live.title.id(), advice.rule)) }
        @if !advice.line.is_empty() {
            details.line {
                summary { "What may follow" }
                ol { @for (actor, words) in &advice.line { li { b { (who(actor)) } ": " (words) } } }
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
