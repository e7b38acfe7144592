//! The review page: luck and skill in a match.

mod account;
mod curve;
mod moments;

use kernel::Viewer;
use maud::{Markup, PreEscaped, html};
use review::{Quality, Review};

use crate::assets;
use crate::live::Live;
use crate::pages::layout::{Page, document, settings_dialog};
use crate::prefs::Prefs;

/// What the page is drawn for.
pub struct Visit<'a> {
    /// Who looks.
    pub viewer: Viewer,
    /// The path of the table: `/m/<id>/<token>`.
    pub path: &'a str,
    /// Whether the visitor owns the lobby.
    pub owner: bool,
    /// How deep the review goes.
    pub depth: &'static str,
    /// Whether they may start a new match from an earlier position.
    pub may_fork: bool,
}

impl Visit<'_> {
    /// The seat whose chances are shown: the viewer's own, otherwise the first.
    fn eyes(&self) -> usize {
        match self.viewer {
            Viewer::Seat(seat) => seat.index(),
            Viewer::Spectator => 0,
        }
    }

    /// The board after a number of steps.
    fn board(&self, steps: usize) -> String {
        format!("{}#step={steps}", self.path)
    }
}

/// A change of a chance in points: "+4.2", "−3.1", "0.0".
fn signed(change: f64) -> String {
    let points = 100.0 * change;
    if points.abs() < 0.05 {
        return "0.0".to_owned();
    }
    format!("{}{:.1}", if points < 0.0 { "−" } else { "+" }, points.abs())
}

/// A chance in per cent.
fn percent(chance: f64) -> String {
    format!("{:.0} %", 100.0 * chance.clamp(0.0, 1.0))
}

/// Who made a step: the title of a seat, or Fate.
fn actor<'a>(review: &'a Review, word: &str) -> &'a str {
    review.seats.iter().find(|seat| seat.word == word).map_or("Fate", |seat| &seat.title)
}

fn header(live: &Live, visit: &Visit<'_>, is_done: bool) -> Markup {
    html! {
        header.bar #bar {
            @if visit.owner { a.home href="/" title="Back to the lobby" { "Maproom" } }
            @else { span.home { "Maproom" } }
            h1 { (live.name) }
            nav.tools aria-label="Tools" {
                a.button href=(visit.path) { "Back to the board" }
                @if is_done { a.button href={(visit.path) "/review.txt?depth=" (visit.depth)} { "Plain text" } }
                button type="button" data-act="settings" { "Settings" }
            }
        }
    }
}

/// Links to the other depths.
fn depths(visit: &Visit<'_>) -> Markup {
    html! {
        nav.depths aria-label="Depth of the review" {
            @for (word, about) in Quality::words() {
                a.button href={(visit.path) "/review?depth=" (word)} title=(about)
                    aria-current=[(word == visit.depth).then_some("page")] { (word) }
            }
        }
    }
}

fn framed(prefs: Prefs, live: &Live, body: Markup) -> Markup {
    let title = format!("{}: review", live.name);
    let styles = [assets::url("review.css")];
    document(
        prefs,
        &Page { title: &title, class: "review", styles: &styles, script: Some("review.js"), body },
    )
}

/// The page while the review is being computed.
pub fn waiting(prefs: Prefs, live: &Live, progress: f64, visit: &Visit<'_>) -> Markup {
    let body = html! {
        (header(live, visit, false))
        main.review.waiting {
            h2 { "Reviewing the match" }
            p #wait data-progress={(visit.path) "/review/progress?depth=" (visit.depth)} role="status" {
                "Every position is played out many times. " b #percent { (percent(progress)) }
            }
            progress #far max="1" value=(format!("{progress:.3}")) aria-label="Progress of the review" {}
            p { "The review appears here when it is ready. You can leave this page and come back." }
            (depths(visit))
        }
        div.toasts #toasts aria-live="polite" {}
        (settings_dialog(prefs))
    };
    framed(prefs, live, body)
}

/// The page.
pub fn page(prefs: Prefs, live: &Live, review: &Review, visit: &Visit<'_>) -> Markup {
    let own = match visit.viewer {
        Viewer::Seat(seat) => review.seats.get(seat.index()),
        Viewer::Spectator => None,
    };
    let body = html! {
        (header(live, visit, true))
        main.review {
            section.verdict aria-label="Verdict" {
                @if review.finished { p.result { (review.result) } }
                @else { p.result { "The match is not over: reviewed up to step " (review.moments.len()) } }
                h2 { (review.verdict) }
                @if let Some(own) = own.filter(|own| own.verdict != review.verdict) { p.own { (own.verdict) } }
            }
            (curve::section(review, visit))
            (account::section(review))
            (moments::turning_points(review, visit))
            (moments::section(review, visit))
            (account::turns(review, visit.eyes()))
            footer.about {
                p {
                    "Luck is how much the dice and draws were better or worse than average. A mistake is a choice that was clearly "
                    "worse than the best one found; differences within the error do not count. "
                    (review.playouts) " playouts."
                }
                (depths(visit))
            }
        }
        div.toasts #toasts aria-live="polite" {}
        (settings_dialog(prefs))
        script type="application/json" #review-data {
            (PreEscaped(curve::data(review, visit).to_string().replace('<', "\\u003c")))
        }
    };
    framed(prefs, live, body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_have_their_sign() {
        for (change, words) in [(0.042, "+4.2"), (-0.031, "−3.1"), (0.0002, "0.0"), (-1.0, "−100.0")] {
            assert_eq!(signed(change), words);
        }
    }
}
