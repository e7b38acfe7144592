//! The last page of a match, laid over the board: how it ended, how it came to that, and what to do next.

use kernel::{Actor, Viewer};
use maud::{Markup, html};
use review::{Moment, Review, SeatSum};

use crate::live::Live;
use crate::lobby::Requester;
use crate::pages::chance::percent;

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 150.0;
/// The room for the figures at the left.
const LEFT: f64 = 38.0;
/// The most turning points that are told.
const TURNING_POINTS: usize = 3;
/// Less luck, or less lost by mistakes, is not worth a word.
const LITTLE: f64 = 0.02;

/// How far the look at the match has come.
pub enum Insight<'a> {
    /// Nobody has asked for it yet.
    Unasked,
    /// A review can't be made of this match.
    Impossible,
    /// So much of it is done.
    Coming(f64),
    /// It is there.
    Ready(&'a Review),
}

/// The card.
pub fn card(live: &Live, by: Requester, path: &str, insight: &Insight<'_>) -> Markup {
    let table = &*live.table;
    let Some(result) = live.outcome() else { return html! {} };
    let own = match by.viewer {
        Viewer::Seat(seat) => Some(seat.index()),
        Viewer::Spectator => None,
    };
    let standing = own.and_then(|seat| result.standings.get(seat)).map(ToString::to_string);
    let again = live.may_start_again(by) || live.may_gather_again(by);
    html! {
        div.card data-standing=[&standing] data-coming=[if let Insight::Coming(_) = insight { Some("") } else { None }] {
            header {
                p.verdict { (match standing.as_deref() { Some("win") => "Victory", Some("loss") => "Defeat", Some(_) => "Draw", None => "The end" }) }
                h2 #ending-title { (result.title) }
                button.close type="button" data-act="ending-close" aria-label="Close" { "×" }
            }
            (looked_over(insight, own.unwrap_or(0), own.is_some(), path))
            dl.figures {
                (figure("Length", &format!("{}, {} steps", table.turn_title(table.turn()), table.steps())))
                (figure("Decisions", &decisions(live)))
                @for (what, words) in live.title.tally(table) { (figure(&what, &words)) }
                @if table.takebacks() > 0 { (figure("Dice taken back", &table.takebacks().to_string())) }
            }
            p.buttons {
                @if again { button.go-on type="button" data-act="rematch" { "Rematch" } }
                @if again && live.has_other_side() {
                    button type="button" data-act="change-sides" title="The same match from the other side" { "Change sides" }
                }
                @if live.may_review() { a.button href={(path) "/review"} { "Review" } }
                button type="button" data-act="share" { "Save or print" }
            }
        }
    }
}

fn figure(what: &str, words: &str) -> Markup {
    html! { div { dt { (what) } dd { (words) } } }
}

/// How many decisions every seat made: "Axis 41, Allies 38".
fn decisions(live: &Live) -> String {
    let seats = live.table.seats();
    let log = live.table.log(0, Viewer::Spectator);
    let of = |at: usize| {
        let made = |actor: Actor| matches!(actor, Actor::Seat(seat) if seat.index() == at);
        log.iter().filter(|entry| made(entry.actor) && !entry.forced).count()
    };
    let told: Vec<String> =
        seats.iter().enumerate().map(|(at, seat)| format!("{} {}", seat.title, of(at))).collect();
    told.join(", ")
}

/// What the review found: luck in a sentence, the curve, where the match turned.
fn looked_over(insight: &Insight<'_>, eyes: usize, is_own: bool, path: &str) -> Markup {
    match insight {
        Insight::Impossible => html! {},
        Insight::Unasked => html! {
            p.coming { button type="button" data-act="ending-look" { "Show the win chances" } }
        },
        Insight::Coming(done) => html! {
            p.coming role="status" {
                "Analysing the match: " (format!("{:.0} %", (done * 100.0).floor()))
                progress max="1" value=(format!("{done:.2}")) {}
            }
        },
        Insight::Ready(review) => {
            let seat = review.seats.get(eyes);
            let turned = review.turning_points.iter().filter_map(|at| review.moments.get(*at));
            html! {
                @if let Some(seat) = seat { p.luck { (luck(seat, is_own)) } }
                figure.curve {
                    (curve(review, eyes))
                    figcaption { "Win chance of the " (seat.map_or("", |seat| seat.title.as_str())) ", from the first step to the last" }
                }
                @if !review.turning_points.is_empty() {
                    h3 { "Where it turned" }
                    ol.turned {
                        @for moment in turned.take(TURNING_POINTS) { (turning_point(review, moment, eyes, path)) }
                    }
                }
            }
        }
    }
}

/// Luck and choices of a seat in a sentence.
fn luck(seat: &SeatSum, is_own: bool) -> String {
    let points = |share: f64| format!("{:.0} points of win chance", 100.0 * share.abs());
    let (whom, of) = if is_own { ("you", "your") } else { (seat.title.as_str(), "their") };
    let luck = match seat.luck {
        gave if gave >= LITTLE => format!("Luck gave {whom} {}", points(gave)),
        took if took <= -LITTLE => format!("Luck took {} from {whom}", points(took)),
        _ => "Luck was even".to_owned(),
    };
    match seat.own {
        cost if cost <= -LITTLE => format!("{luck}; {of} own choices cost {}.", points(cost)),
        _ => format!("{luck}; {of} own choices cost next to nothing."),
    }
}

fn turning_point(review: &Review, moment: &Moment, eyes: usize, path: &str) -> Markup {
    let before = review.points.get(moment.step - 1).and_then(|point| point.chances.get(eyes)).copied();
    let after = review.points.get(moment.step).and_then(|point| point.chances.get(eyes)).copied();
    let what = if moment.prompt.is_empty() || !moment.is_luck() {
        moment.label.clone()
    } else {
        format!("{}: {}", moment.prompt, moment.label)
    };
    html! {
        li {
            a href={(path) "#step=" (moment.step)} { (what) }
            @if let (Some(before), Some(after)) = (before, after) {
                " " span.shift.(if after < before { "down" } else { "up" }) { (percent(before)) " → " (percent(after)) }
            }
        }
    }
}

/// The win chance over the whole match; the turning points are marked.
fn curve(review: &Review, eyes: usize) -> Markup {
    let last = review.points.len().saturating_sub(1).max(1) as f64;
    let chance = |at: usize| {
        review.points.get(at).and_then(|point| point.chances.get(eyes)).copied().unwrap_or_default()
    };
    let x = |at: usize| LEFT + (WIDTH - LEFT - 6.0) * at as f64 / last;
    let y = |chance: f64| 6.0 + (HEIGHT - 12.0) * (1.0 - chance.clamp(0.0, 1.0));
    let line: Vec<String> =
        (0..review.points.len()).map(|at| format!("{:.1},{:.1}", x(at), y(chance(at)))).collect();
    html! {
        svg viewBox={"0 0 " (WIDTH) " " (HEIGHT)} role="img" aria-label="Win chance over the match" {
            @for share in [0.0, 0.5, 1.0] {
                line.grid x1=(LEFT) x2=(WIDTH - 6.0) y1=(format!("{:.1}", y(share))) y2=(format!("{:.1}", y(share))) {}
                text x=(LEFT - 5.0) y=(format!("{:.1}", y(share) + 4.0)) text-anchor="end" { (percent(share)) }
            }
            polyline.line points=(line.join(" ")) {}
            @for at in review.turning_points.iter().take(TURNING_POINTS) {
                circle.turn cx=(format!("{:.1}", x(at + 1))) cy=(format!("{:.1}", y(chance(at + 1)))) r="5" {}
            }
        }
    }
}
