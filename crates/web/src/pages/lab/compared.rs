//! Two ways to set a game up, side by side: what the second one changes, and how sure that is.

use lab::{Comparison, Difference, Findings, Measure, SeatDifference, ShareDifference};
use maud::{Markup, html};
use review::thousands;

use super::charts;
use super::found::{self, percent};

/// As many events are shown at once; the others are unfolded.
const EVENTS: usize = 16;

/// A difference of shares in points: "+1.2", with its interval.
fn points(found: &Difference) -> Markup {
    let signed = |share: f64| format!("{:+.1}", share * 100.0).replace('-', "−");
    html! { b { (signed(found.value)) } " " small { (signed(found.low)) " to " (signed(found.high)) } }
}

fn means(found: &Difference) -> Markup {
    let signed = |value: f64| format!("{value:+.2}").replace('-', "−");
    html! { b { (signed(found.value)) } " " small { (signed(found.low)) " to " (signed(found.high)) } }
}

/// Everything that was compared.
pub(super) fn all(findings: &[Findings; 2], comparison: &Comparison) -> Markup {
    html! {
        (verdict(findings, comparison))
        (seats(findings, comparison))
        (outcomes(comparison))
        (curves(findings, comparison))
        (lengths(findings, comparison))
        (events(comparison))
    }
}

/// What can be said at a glance.
fn verdict(findings: &[Findings; 2], comparison: &Comparison) -> Markup {
    let lead = comparison.seats.first();
    let name = findings[0].seats.first().copied().unwrap_or_default();
    html! {
        section.card.broad.verdict aria-labelledby="verdict-title" {
            h2 #verdict-title {
                @if let Some(SeatDifference { win, .. }) = lead {
                    @let size = format!("{:.1} points", win.difference.value.abs() * 100.0);
                    @if !win.difference.is_clear() { "No clear change: " (name) " wins " (percent(win.shares[0].share)) " and " (percent(win.shares[1].share)) }
                    @else if win.difference.value > 0.0 { (name) " wins more often, by " (size) }
                    @else { (name) " wins less often, by " (size) }
                }
            }
            p {
                (thousands(comparison.games)) " pairs of games with the same dice; " b { (thousands(comparison.alike)) } " of them went alike. "
                @if let Some(gain) = lead.and_then(|seat| seat.win.difference.gain()).filter(|gain| *gain >= 1.5) {
                    "Without the same dice it would take " b { (format!("{gain:.0}")) } " times as many games to be as sure."
                }
            }
        }
    }
}

fn row(line: &ShareDifference, name: &str, most: f64, seat: &str) -> Markup {
    let [first, second] = line.shares;
    html! {
        tr data-seat=[(!seat.is_empty()).then_some(seat)] data-result=(line.name) {
            th scope="row" { (name) }
            td { (percent(first.share)) }
            td { (percent(second.share)) }
            td.difference { (points(&line.difference)) }
            td.wide { (charts::difference(&line.difference, most, &format!("{name}: {:+.1} points", line.difference.value * 100.0))) }
        }
    }
}

fn head(what: &str) -> Markup {
    html! {
        thead { tr { th scope="col" { (what) } th scope="col" { "First" } th scope="col" { "Second" } th scope="col" { "Difference (95 %)" } th.wide scope="col" { span.sr { "Drawing" } } } }
    }
}

/// How far the drawings of some differences reach.
fn reach<'a>(differences: impl Iterator<Item = &'a Difference>, least: f64) -> f64 {
    differences.map(|found| found.low.abs().max(found.high.abs())).fold(least, f64::max)
}

fn seats(findings: &[Findings; 2], comparison: &Comparison) -> Markup {
    let lines = |seat: &'_ SeatDifference| [seat.win.clone(), seat.draw.clone(), seat.loss.clone()];
    let shown: Vec<(usize, ShareDifference)> = comparison
        .seats
        .iter()
        .enumerate()
        .flat_map(|(at, seat)| lines(seat).map(|line| (at, line)))
        .filter(|(_, line)| line.shares.iter().any(|share| share.share > 0.0))
        .collect();
    let most = reach(shown.iter().map(|(_, line)| &line.difference), 0.01);
    html! {
        section.card.broad aria-labelledby="seats-title" {
            h2 #seats-title { "Who wins" }
            div.scroll tabindex="0" role="group" aria-label="Results by seat; scrollable" {
                table.figures.compared {
                    (head("Seat"))
                    tbody {
                        @for (at, line) in &shown {
                            @let title = findings[0].seats.get(*at).copied().unwrap_or_default();
                            (row(line, &format!("{title}, {}", past(&line.name)), most, comparison.seats[*at].seat))
                        }
                    }
                }
            }
        }
    }
}

fn past(word: &str) -> &str {
    match word {
        "win" => "won",
        "draw" => "drawn",
        _ => "lost",
    }
}

fn outcomes(comparison: &Comparison) -> Markup {
    let most = reach(comparison.outcomes.iter().map(|line| &line.difference), 0.01);
    html! {
        section.card.broad aria-labelledby="results-title" {
            h2 #results-title { "How games end" }
            div.scroll tabindex="0" role="group" aria-label="Results; scrollable" {
                table.figures.compared { (head("Result")) tbody { @for line in &comparison.outcomes { (row(line, &line.name, most, "")) } } }
            }
        }
    }
}

fn legend() -> Markup {
    html! { p.legend { span { i.first {} "first" } " " span { i.second {} "second" } } }
}

fn curves(findings: &[Findings; 2], comparison: &Comparison) -> Markup {
    let metric = findings[0].report.metric;
    let points = comparison.curve.iter().filter_map(|point| {
        let found = point.difference?;
        Some((point.turn, [found.low, found.value, found.high]))
    });
    let apart = charts::Line { class: "apart", points: points.collect() };
    if apart.points.len() < 2 {
        return html! {};
    }
    let both: Vec<charts::Line> = findings
        .iter()
        .zip(["first", "second"])
        .map(|(findings, class)| charts::Line {
            class,
            points: findings.report.curve.iter().map(|point| (point.turn, [point.mean; 3])).collect(),
        })
        .collect();
    html! {
        section.card aria-labelledby="curve-title" {
            h2 #curve-title { (metric) " by turn" }
            (legend())
            div.scroll tabindex="0" role="group" aria-label="Curves; scrollable" { (charts::curve(&both, 0.0, &format!("{metric} by turn, both ways"))) }
        }
        section.card aria-labelledby="apart-title" {
            h2 #apart-title { "Difference in " (metric) }
            p.aside { "Second less first, with its 95 % interval, of pairs that both came to the turn." }
            div.scroll tabindex="0" role="group" aria-label="Curve of the difference; scrollable" { (charts::curve(&[apart], 0.0, &format!("Difference in {metric} by turn"))) }
        }
    }
}

fn lengths(findings: &[Findings; 2], comparison: &Comparison) -> Markup {
    let ways: Vec<Vec<(usize, f64)>> = findings.iter().map(found::shares).collect();
    html! {
        section.card.broad aria-labelledby="length-title" {
            h2 #length-title { "How long games are" }
            (measures(&comparison.measures, "A game"))
            @if ways.iter().any(|way| way.len() > 1) {
                (legend())
                div.scroll tabindex="0" role="group" aria-label="Lengths; scrollable" { (charts::columns(&ways, "Share of games by their last turn, both ways")) }
            }
        }
    }
}

fn measures(list: &[Measure], what: &str) -> Markup {
    html! {
        div.scroll tabindex="0" role="group" aria-label={(what) "; scrollable"} {
            table.figures.compared { (head(what)) tbody { @for line in list { (measure(line)) } } }
        }
    }
}

/// A mean. The drawing shows the difference against the larger of both means.
fn measure(line: &Measure) -> Markup {
    let [first, second] = line.means;
    let most = line.difference.map_or(0.0, |found| reach(std::iter::once(&found), 0.0) * 1.25);
    html! {
        tr {
            th scope="row" { (line.name) }
            td { (format!("{first:.2}")) }
            td { (format!("{second:.2}")) }
            td.difference { @if let Some(found) = &line.difference { (means(found)) } @else { "–" } }
            td.wide { @if let Some(found) = &line.difference { (charts::difference(found, most, &format!("{}: {:+.2}", line.name, found.value))) } }
        }
    }
}

/// Events, those first of whose change one can be surest.
fn events(comparison: &Comparison) -> Markup {
    let weight = |line: &Measure| {
        line.difference.map_or(0.0, |found| found.value.abs() / ((found.high - found.low) / 2.0).max(1e-9))
    };
    let mut list: Vec<&Measure> = comparison.events.iter().collect();
    list.sort_by(|a, b| weight(b).total_cmp(&weight(a)));
    if list.is_empty() {
        return html! {};
    }
    html! {
        section.card.broad aria-labelledby="events-title" {
            h2 #events-title { "What happened, times a game" }
            p.aside { "Those first that changed most for their spread." }
            div.scroll tabindex="0" role="group" aria-label="Events; scrollable" {
                table.figures.compared {
                    (head("Event"))
                    tbody { @for line in list.iter().take(EVENTS) { (measure(line)) } }
                    @if list.len() > EVENTS { tbody.more hidden #more-events { @for line in list.iter().skip(EVENTS) { (measure(line)) } } }
                }
            }
            @if list.len() > EVENTS { button type="button" data-shows="more-events" aria-expanded="false" { "Show all " (list.len()) } }
        }
    }
}
