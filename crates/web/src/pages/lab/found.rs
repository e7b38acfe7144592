//! What came of one way to set a game up: win rates, results, the curve, lengths, events.

use lab::{Findings, Interval, SimReport};
use maud::{Markup, html};
use review::thousands;

use super::charts;

/// As many events are shown at once; the others are unfolded.
const EVENTS: usize = 24;

pub(super) fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// A share with its interval in words.
pub(super) fn interval(share: &Interval) -> Markup {
    html! { (percent(share.share)) " " small { (format!("{:.1} to {:.1}", share.low * 100.0, share.high * 100.0)) } }
}

/// Everything that was found.
pub(super) fn all(findings: &Findings) -> Markup {
    let report = &findings.report;
    html! {
        (seats(findings))
        (outcomes(report))
        (curve(report))
        (lengths(findings))
        (events(findings))
    }
}

fn seats(findings: &Findings) -> Markup {
    let report = &findings.report;
    let has_draws = report.seats.iter().any(|seat| seat.draw.share > 0.0);
    html! {
        section.card.broad aria-labelledby="seats-title" {
            h2 #seats-title { "Who wins" }
            div.scroll tabindex="0" role="group" aria-label="Results by seat; scrollable" {
                table.figures {
                    thead { tr { th scope="col" { "Seat" } th scope="col" { "Bot" } th.wide scope="col" { span.sr { "Drawing" } } th scope="col" { "Won (95 %)" }
                        @if has_draws { th scope="col" { "Drawn" } } th scope="col" { "Lost" } } }
                    tbody {
                        @for (at, seat) in report.seats.iter().enumerate() {
                            @let name = findings.seats.get(at).copied().unwrap_or(seat.seat);
                            @let bot = report.bots.get(at).or(report.bots.last()).map_or("", |bot| bot);
                            tr data-seat=(seat.seat) {
                                th scope="row" { (name) }
                                td { (crate::opponents::short_bot_name(bot)) }
                                td.wide { (charts::share(&seat.win, "win", &format!("{name} won {}", percent(seat.win.share)))) }
                                td.win { (interval(&seat.win)) }
                                @if has_draws { td { (interval(&seat.draw)) } }
                                td { (interval(&seat.loss)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn outcomes(report: &SimReport) -> Markup {
    html! {
        section.card.broad aria-labelledby="results-title" {
            h2 #results-title { "How games end" }
            div.scroll tabindex="0" role="group" aria-label="Results; scrollable" {
                table.figures {
                    thead { tr { th scope="col" { "Result" } th.wide scope="col" { span.sr { "Drawing" } } th scope="col" { "Games" } th scope="col" { "Share (95 %)" } } }
                    tbody {
                        @for line in &report.outcomes {
                            tr {
                                th scope="row" { (line.title) }
                                td.wide { (charts::share(&line.share, "even", &percent(line.share.share))) }
                                td { (thousands(line.games)) }
                                td { (interval(&line.share)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// By turn the mean, and one deviation to each side.
pub(super) fn line(report: &SimReport, class: &'static str) -> charts::Line {
    let points = report.curve.iter().map(|point| {
        let values = [point.mean - point.deviation, point.mean, point.mean + point.deviation];
        (point.turn, values)
    });
    charts::Line { class, points: points.collect() }
}

fn curve(report: &SimReport) -> Markup {
    if report.curve.len() < 2 {
        return html! {};
    }
    let last = report.curve.last();
    let label = format!(
        "{} by turn: {:.1} at the end of turn {}, {:.1} at the end of turn {}",
        report.metric,
        report.curve[0].mean,
        report.curve[0].turn,
        last.map_or(0.0, |point| point.mean),
        last.map_or(0, |point| point.turn)
    );
    html! {
        section.card aria-labelledby="curve-title" {
            h2 #curve-title { (report.metric) " by turn" }
            p.aside { "The mean at the end of each turn; the band is one standard deviation to each side." }
            div.scroll tabindex="0" role="group" aria-label="Curve; scrollable" { (charts::curve(&[line(report, "first")], 0.0, &label)) }
            details { summary { "The numbers" } (curve_table(report)) }
        }
    }
}

fn curve_table(report: &SimReport) -> Markup {
    html! {
        table.figures {
            thead { tr { th scope="col" { "Turn" } th scope="col" { "Mean" } th scope="col" { "Deviation" } th scope="col" { "Games" } } }
            tbody {
                @for point in &report.curve {
                    tr { th scope="row" { (point.turn) } td { (format!("{:.2}", point.mean)) } td { (format!("{:.2}", point.deviation)) } td { (thousands(point.games)) } }
                }
            }
        }
    }
}

/// By turn the share of games of which it was the last.
pub(super) fn shares(findings: &Findings) -> Vec<(usize, f64)> {
    let all = findings.report.games.max(1) as f64;
    findings.lengths.iter().map(|length| (length.turn, length.games as f64 / all)).collect()
}

/// The turn by which half of the games were over.
pub(super) fn median(findings: &Findings) -> Option<&lab::Length> {
    let mut seen = 0;
    findings.lengths.iter().find(|length| {
        seen += length.games;
        seen * 2 >= findings.report.games
    })
}

fn lengths(findings: &Findings) -> Markup {
    let report = &findings.report;
    let median = median(findings).map_or("", |length| &length.title);
    let shown = shares(findings);
    html! {
        section.card aria-labelledby="length-title" {
            h2 #length-title { "How long games are" }
            p.facts {
                span { b { (format!("{:.1}", report.mean_turns)) } " turns on average" }
                span { "half are over by " b { (median) } }
                span { b { (format!("{:.1}", report.decisions_per_game)) } " decisions with " (format!("{:.1}", report.choices_per_decision)) " choices each" }
                span { b { (format!("{:.1}", report.draws_per_game)) } " draws of Fate" }
            }
            @if shown.len() > 1 {
                div.scroll tabindex="0" role="group" aria-label="Lengths; scrollable" {
                    (charts::columns(&[shown], "Share of games by their last turn"))
                }
            }
        }
    }
}

fn events(findings: &Findings) -> Markup {
    let events = &findings.report.events;
    if events.is_empty() {
        return html! {};
    }
    let first = findings.seats.first().copied().unwrap_or_default();
    let reach = events.iter().filter_map(|line| Some(line.effect?.abs() + line.effect_error?));
    let most = reach.fold(0.02, f64::max).min(1.0);
    html! {
        section.card.broad aria-labelledby="events-title" {
            h2 #events-title { "What happened, and what went with it" }
            p.aside { "How often each thing came up, and the win rate of " (first) " in games with it less that in games without. Not every difference is an effect: "
                "what comes up in long games goes with whatever makes games long." }
            div.scroll tabindex="0" role="group" aria-label="Events; scrollable" {
                table.figures.events {
                    thead { tr { th scope="col" { "Event" } th scope="col" { "Per game" } th scope="col" { "In games" } th scope="col" { "Won with" } th scope="col" { "Without" }
                        th scope="col" { "Difference" } th.wide scope="col" { span.sr { "Drawing" } } th scope="col" { "First, half by" } } }
                    tbody { @for line in events.iter().take(EVENTS) { (event(line, most)) } }
                    @if events.len() > EVENTS { tbody.more hidden #more-events { @for line in events.iter().skip(EVENTS) { (event(line, most)) } } }
                }
            }
            @if events.len() > EVENTS {
                button type="button" data-shows="more-events" aria-expanded="false" { "Show all " (events.len()) }
            }
        }
    }
}

fn event(line: &lab::BoxLine, most: f64) -> Markup {
    let difference = line.effect.zip(line.effect_error).map(|(value, error)| lab::Difference {
        value,
        low: value - error,
        high: value + error,
        unpaired: error,
    });
    html! {
        tr {
            th scope="row" { (line.name) }
            td { (format!("{:.2}", line.per_game)) }
            td { (percent(line.in_games)) }
            td { (percent(line.win_with.share)) }
            td { (line.win_without.map_or_else(|| "–".to_owned(), |win| percent(win.share))) }
            td { @if let Some(found) = &difference { (format!("{:+.1}", found.value * 100.0).replace('-', "−")) " " small { "± " (format!("{:.1}", (found.high - found.value) * 100.0)) } } @else { "–" } }
            td.wide { @if let Some(found) = &difference { (charts::difference(found, most, &format!("{:+.1} points", found.value * 100.0))) } }
            td { (line.first.median) }
        }
    }
}
