//! The moments of a match: where it turned, and all decisions and draws.

use maud::{Markup, html};
use review::{Fork, Moment, Review, What};

use super::{Visit, actor, percent, signed};
use crate::pages::layout::rule_link;

/// The most alternatives that are listed.
const FORKS: usize = 8;
/// A draw that changed less is small.
const SMALL: f64 = 0.01;

/// Where the match turned, with the board at that point.
pub fn turning_points(review: &Review, visit: &Visit<'_>) -> Markup {
    let points: Vec<&Moment> =
        review.turning_points.iter().filter_map(|at| review.moments.get(*at)).collect();
    if points.is_empty() {
        return html! {};
    }
    html! {
        section.turning aria-labelledby="turning-title" {
            h2 #turning-title { "Turning points" }
            ol {
                @for moment in points {
                    li.card {
                        a.picture href=(visit.board(moment.step)) tabindex="-1" aria-hidden="true" {
                            img src={(visit.path) "/at/" (moment.step) "/thumbnail.svg"} alt="" width="240" height="135" loading="lazy";
                        }
                        (body(review, visit, moment))
                    }
                }
            }
        }
    }
}

/// All decisions and draws, to be filtered.
pub fn section(review: &Review, visit: &Visit<'_>) -> Markup {
    let listed: Vec<&Moment> =
        review.moments.iter().filter(|moment| !matches!(moment.what, What::Forced)).collect();
    let forced = review.moments.len() - listed.len();
    let count = |kind: &str| listed.iter().filter(|moment| kind_of(moment) == kind).count();
    let mistakes = count("mistake");
    let filters = [
        ("mistake", "Mistakes", mistakes),
        ("choice", "All decisions", mistakes + count("choice")),
        ("luck", "Luck", count("luck") + count("small")),
        ("all", "Everything", listed.len()),
    ];
    let first = if mistakes > 0 { "mistake" } else { "all" };
    html! {
        section.all aria-labelledby="all-title" {
            h2 #all-title { "Decisions and draws" }
            form.filter #filter {
                fieldset {
                    legend.sr { "What to show" }
                    @for (word, title, number) in filters {
                        label { input type="radio" name="kind" value=(word) checked[word == first]; " " (title) " (" (number) ")" }
                    }
                }
                @if review.seats.len() > 1 {
                    label { "Seat "
                        select name="seat" {
                            option value="" { "all" }
                            @for seat in &review.seats { option value=(seat.word) { (seat.title) } }
                        }
                    }
                }
            }
            p.none #none role="status" hidden { "Nothing to show here." }
            ol.moments #moments {
                @for moment in &listed {
                    li.moment.within[is_within(moment)] data-kind=(kind_of(moment)) data-actor=(moment.actor) {
                        (body(review, visit, moment))
                    }
                }
            }
            @if forced > 0 {
                p { small { (forced) " step" @if forced > 1 { "s" } " without an alternative " @if forced > 1 { "are" } @else { "is" } " not shown." } }
            }
        }
    }
}

fn kind_of(moment: &Moment) -> &'static str {
    match moment.what {
        What::Choice { is_mistake: true, .. } => "mistake",
        What::Choice { .. } => "choice",
        What::Luck { .. } if moment.size() < SMALL => "small",
        What::Luck { .. } => "luck",
        What::Forced => "forced",
    }
}

/// Whether a choice was not the best one found, but within the error of it.
fn is_within(moment: &Moment) -> bool {
    matches!(&moment.what, What::Choice { is_mistake: false, .. })
}

fn body(review: &Review, visit: &Visit<'_>, moment: &Moment) -> Markup {
    let eyes = visit.eyes();
    let change = moment.change.get(eyes).copied().unwrap_or_default();
    html! {
        div.body {
            p.head {
                a.step href=(visit.board(moment.step - 1)) { "Step " (moment.step) }
                " " b { (actor(review, &moment.actor)) } " "
                span.label { (moment.label) } " " (rule_link(&review.game, &moment.rule))
            }
            (judgement(review, moment, eyes, change))
            p.links {
                a href=(visit.board(moment.step - 1)) { "Board before" }
                a href=(visit.board(moment.step)) { "and after" }
                @if visit.may_fork {
                    button type="button" data-fork=(moment.step - 1)
                        title="Starts a new match before this step; this match is not changed." {
                        "Play from here"
                    }
                }
            }
        }
    }
}

fn judgement(review: &Review, moment: &Moment, eyes: usize, change: f64) -> Markup {
    let points = |share: f64| format!("{:.1} points", 100.0 * share);
    match &moment.what {
        What::Luck { outcomes } => html! {
            p.change.(if change < 0.0 { "unlucky" } else { "lucky" }) {
                (signed(change)) " points" small { " ± " (format!("{:.1}", 100.0 * moment.error)) }
                @if !moment.prompt.is_empty() { small { " · " (moment.prompt) } }
            }
            (forks("Possible results", outcomes, eyes))
        },
        What::Choice { loss, noise, is_mistake, best, tried } => {
            // A choice is judged through the eyes of the one who made it.
            let own = review.seats.iter().position(|seat| seat.word == moment.actor).unwrap_or(eyes);
            html! {
                @if *is_mistake {
                    p.change.mistake {
                        "Cost " (points(*loss)) small { ", noise " (format!("{:.1}", 100.0 * noise)) }
                        @if let Some(best) = best {
                            ". Better: " b { (best.label) }
                            @if let Some(chance) = best.chances.get(own) { ", " (percent(*chance)) }
                        }
                    }
                } @else if let Some(best) = best {
                    p.change.grey { "As good as the best choice found, " b { (best.label) } ", within the error of " (points(*noise)) "." }
                } @else {
                    p.change.good { "Best choice found." }
                }
                (forks("Alternatives", tried, own))
            }
        }
        What::Forced => html! { p.change.grey { "No alternative." } },
    }
}

/// Ways on, with what each promised.
fn forks(title: &str, ways: &[Fork], eyes: usize) -> Markup {
    let tickets: u32 = ways.iter().map(|way| way.weight).sum();
    html! {
        @if ways.len() > 1 {
            details {
                summary { (title) " (" (ways.len()) ")" }
                ul.forks {
                    @for way in ways.iter().take(FORKS).chain(ways.iter().skip(FORKS).filter(|way| way.was_made)) {
                        @let chance = way.chances.get(eyes).copied().unwrap_or_default();
                        li.made[way.was_made] {
                            span { (way.label)
                                @if way.weight > 0 { small { " (" (way.weight) " in " (tickets) ")" } }
                                @if way.was_made { small { " – played" } }
                            }
                            meter min="0" max="1" value=(format!("{chance:.3}")) aria-label=(way.label) {}
                            span.number { (percent(chance)) }
                        }
                    }
                    @if ways.len() > FORKS { li { small { "and " (ways.len() - FORKS) " more" } } }
                }
            }
        }
    }
}
