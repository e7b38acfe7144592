//! What luck and choices came to: for each seat, and turn by turn.

use maud::{Markup, html};
use review::{Review, SeatSum};

use super::{percent, signed};

/// A bar to the left or to the right of the middle: so much of the whole width is this share.
const FULL: f64 = 0.6;

/// A small bar for a change.
fn bar(change: f64, class: &str) -> Markup {
    let wide = (change.abs() / FULL).min(1.0) * 50.0;
    let from = if change < 0.0 { 50.0 - wide } else { 50.0 };
    html! {
        svg.small viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" {
            rect.ground width="100" height="8" {}
            rect.(class) x=(format!("{from:.1}")) width=(format!("{wide:.1}")) height="8" {}
            rect.middle x="49.7" width="0.6" height="8" {}
        }
    }
}

fn change(value: f64, class: &str) -> Markup {
    html! { td { (signed(value)) (bar(value, class)) } }
}

fn class_of_luck(luck: f64) -> &'static str {
    if luck < 0.0 { "unlucky" } else { "lucky" }
}

/// The account of each seat: start, luck, own choices, those of others, result.
pub fn section(review: &Review) -> Markup {
    let row = |seat: &SeatSum| {
        html! {
            tr {
                th scope="row" { (seat.title) }
                td { (percent(seat.start)) }
                (change(seat.luck, class_of_luck(seat.luck)))
                (change(seat.own, "mistake"))
                @if review.seats.len() > 1 { (change(seat.others, "gift")) }
                td { b { (percent(seat.end)) } }
                td { (seat.mistakes) " of " (seat.decisions) }
            }
        }
    };
    html! {
        section.account aria-labelledby="account-title" {
            h2 #account-title { "Where the result came from" }
            div.scroll tabindex="0" role="group" aria-label="Where the result came from; scrollable" {
                table {
                    thead {
                        tr {
                            th scope="col" { "Seat" }
                            th scope="col" { "Start" }
                            th scope="col" { "+ luck" }
                            th scope="col" { "+ own choices" }
                            @if review.seats.len() > 1 { th scope="col" { "+ others' choices" } }
                            th scope="col" { @if review.finished { "= result" } @else { "= now" } }
                            th scope="col" { "Mistakes" }
                        }
                    }
                    tbody { @for seat in &review.seats { (row(seat)) } }
                }
            }
            p { small { "In percentage points of win chance; a draw counts as half a win. Start and changes add up to the result." } }
        }
    }
}

/// The sums of each turn, for one seat.
pub fn turns(review: &Review, eyes: usize) -> Markup {
    let of = |list: &[f64]| list.get(eyes).copied().unwrap_or_default();
    let several = review.seats.len() > 1;
    html! {
        section.turns aria-labelledby="turns-title" {
            h2 #turns-title { "Turn by turn" @if let Some(seat) = review.seats.get(eyes) { ": " (seat.title) } }
            div.scroll tabindex="0" role="group" aria-label="Turn by turn; scrollable" {
                table {
                    thead {
                        tr {
                            th scope="col" { "Turn" }
                            th scope="col" { "Luck" }
                            th scope="col" { "Own choices" }
                            @if several { th scope="col" { "Others' choices" } }
                        }
                    }
                    tbody {
                        @for turn in &review.turns {
                            @let (luck, own) = (of(&turn.luck), of(&turn.by_seat));
                            tr {
                                th scope="row" { (turn.title) }
                                (change(luck, class_of_luck(luck)))
                                (change(own, "mistake"))
                                @if several { (change(of(&turn.choices) - own, "gift")) }
                            }
                        }
                    }
                }
            }
        }
    }
}
