//! The chance to win over the whole match, as a drawing that can be gone through step by step.

use maud::{Markup, html};
use review::{Moment, Review, What};
use serde_json::{Value, json};

use super::{Visit, actor, percent, signed};

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 46.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 30.0;
/// A draw that changed at least so much is marked.
const LARGE_DRAW: f64 = 0.05;
/// The titles of turns are at least so far apart.
const APART: f64 = 46.0;

fn x(review: &Review, steps: usize) -> f64 {
    let all = review.moments.len().max(1) as f64;
    LEFT + (WIDTH - LEFT - RIGHT) * steps as f64 / all
}

fn y(chance: f64) -> f64 {
    TOP + (HEIGHT - TOP - BOTTOM) * (1.0 - chance.clamp(0.0, 1.0))
}

fn short(number: f64) -> String {
    format!("{number:.1}")
}

/// The drawing, a slider for those who don't point, and what happened where.
pub fn section(review: &Review, visit: &Visit<'_>) -> Markup {
    let eyes = visit.eyes();
    let seat = review.seats.get(eyes).map_or("", |seat| seat.title.as_str());
    let last = review.points.len().saturating_sub(1);
    html! {
        section.curve aria-labelledby="curve-title" {
            h2 #curve-title { "Win chance: " (seat) }
            div.scroll tabindex="0" role="group" aria-label="Win-chance curve; scrollable" { (drawing(review, visit, eyes)) }
            input #walk type="range" min="0" max=(last) value=(last) step="1" aria-label="Step of the match";
            p.readout role="status" {
                span #readout { "Point at the curve or move the slider to see what happened." }
                " " a #to-board.button href=(visit.board(last)) { "Show the board" }
            }
            p.legend {
                span { i.mistake {} "a mistake" } " " span { i.lucky {} "good luck" } " " span { i.unlucky {} "bad luck" }
            }
        }
    }
}

fn drawing(review: &Review, visit: &Visit<'_>, eyes: usize) -> Markup {
    let chance = |at: usize| review.points[at].chances.get(eyes).copied().unwrap_or_default();
    let places = 0..review.points.len();
    let line: Vec<String> =
        places.clone().map(|at| format!("{},{}", short(x(review, at)), short(y(chance(at))))).collect();
    let edge = |sign: f64| {
        move |at: usize| {
            let off = chance(at) + sign * review.points[at].error;
            format!("{},{}", short(x(review, at)), short(y(off)))
        }
    };
    let band: Vec<String> = places.clone().map(edge(1.0)).chain(places.rev().map(edge(-1.0))).collect();
    html! {
        svg #curve viewBox={"0 0 " (WIDTH) " " (HEIGHT)} role="group" aria-label="Win chance, step by step"
            data-left=(LEFT) data-right=(WIDTH - RIGHT) {
            @for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
                line.grid.half[share == 0.5] x1=(LEFT) x2=(WIDTH - RIGHT) y1=(short(y(share))) y2=(short(y(share))) {}
                text.axis x=(LEFT - 6.0) y=(short(y(share) + 4.0)) text-anchor="end" { (percent(share)) }
            }
            (turns(review))
            polygon.band points=(band.join(" ")) {}
            polyline.line points=(line.join(" ")) {}
            line.cursor #cursor x1="-10" x2="-10" y1=(TOP) y2=(HEIGHT - BOTTOM) {}
            @for (at, moment) in review.moments.iter().enumerate() {
                @if let Some(class) = mark(review, at, moment, eyes) {
                    a tabindex="-1" href=(visit.board(moment.step - 1)) aria-label=(words(review, moment, eyes)) {
                        circle.mark.(class) cx=(short(x(review, at + 1))) cy=(short(y(chance(at + 1)))) r="6" {}
                    }
                }
            }
        }
    }
}

/// Lines where turns begin, with their titles where there is room.
fn turns(review: &Review) -> Markup {
    let mut free = 0.0;
    let mut lines = Vec::new();
    for (at, pair) in review.points.windows(2).enumerate() {
        if at > 0 && pair[0].turn == pair[1].turn {
            continue;
        }
        let place = x(review, if at == 0 { 0 } else { at + 1 });
        let has_room = place >= free;
        if has_room {
            free = place + APART;
        }
        lines.push((place, has_room.then_some(pair[1].turn)));
    }
    html! {
        @for (place, turn) in lines {
            line.turn x1=(short(place)) x2=(short(place)) y1=(TOP) y2=(HEIGHT - BOTTOM) {}
            @if let Some(turn) = turn {
                text.axis x=(short(place + 2.0)) y=(HEIGHT - BOTTOM + 16.0) { (turn) }
            }
        }
    }
}

/// Whether a moment is marked, and as what.
fn mark(review: &Review, at: usize, moment: &Moment, eyes: usize) -> Option<&'static str> {
    let change = moment.change.get(eyes).copied().unwrap_or_default();
    match moment.what {
        What::Choice { is_mistake: true, .. } => Some("mistake"),
        What::Luck { .. } if moment.size() >= LARGE_DRAW || review.turning_points.contains(&at) => {
            Some(if change >= 0.0 { "lucky" } else { "unlucky" })
        }
        _ => None,
    }
}

/// A moment in a line.
fn words(review: &Review, moment: &Moment, eyes: usize) -> String {
    let change = moment.change.get(eyes).copied().unwrap_or_default();
    let who = actor(review, &moment.actor);
    format!("Step {}, {who}: {}, {} points", moment.step, moment.label, signed(change))
}

/// What the page needs to go through the curve: for each position the chance, its error, and what led there.
pub fn data(review: &Review, visit: &Visit<'_>) -> Value {
    let eyes = visit.eyes();
    let places: Vec<Value> = review
        .points
        .iter()
        .enumerate()
        .map(|(at, point)| {
            let chance = point.chances.get(eyes).copied().unwrap_or_default();
            let led = at.checked_sub(1).and_then(|before| review.moments.get(before));
            let led = led.map_or_else(|| "Start".to_owned(), |moment| words(review, moment, eyes));
            let told =
                format!("{led}. {}: {} ± {:.0}", point.turn_title, percent(chance), 100.0 * point.error);
            json!([(x(review, at) * 10.0).round() / 10.0, told])
        })
        .collect();
    json!({ "path": visit.path, "places": places })
}
