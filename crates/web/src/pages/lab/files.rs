//! What came of a batch as files: the report as text and as JSON, its tables as rows with commas between their fields.

use std::fmt::Write as _;

use lab::{Difference, Findings, Outcome};
use serde_json::json;

use crate::laboratory::Batch;

const TEXT: &str = "text/plain; charset=utf-8";
const JSON: &str = "application/json";
const CSV: &str = "text/csv; charset=utf-8";

/// The files that there are: names, and what is in them.
pub(super) fn names(outcome: &Outcome) -> Vec<(&'static str, &'static str)> {
    let mut names = vec![
        ("report.txt", "the report as text"),
        ("report.json", "everything as JSON"),
        ("results.csv", "results with their shares"),
        ("curve.csv", "the curve by turn"),
        ("lengths.csv", "the last turns of games"),
        ("events.csv", "what came up"),
    ];
    if matches!(outcome, Outcome::Pair(..)) {
        names.insert(2, ("differences.csv", "second less first, with intervals"));
    }
    names
}

/// A file: its kind and its text. `None` if there is none of this name.
pub fn file(batch: &Batch, outcome: &Outcome, name: &str) -> Option<(&'static str, String)> {
    names(outcome).iter().find(|(known, _)| *known == name)?;
    let ways: Vec<&Findings> = match outcome {
        Outcome::Batch(findings) => vec![findings],
        Outcome::Pair(findings, _) => findings.iter().collect(),
    };
    Some(match name {
        "report.txt" => (TEXT, report(&ways, outcome)),
        "report.json" => (JSON, document(batch, &ways, outcome)),
        "differences.csv" => (CSV, differences(outcome)),
        "results.csv" => (CSV, results(&ways)),
        "curve.csv" => (CSV, curve(&ways)),
        "lengths.csv" => (CSV, lengths(&ways)),
        _ => (CSV, events(&ways)),
    })
}

/// As `maproom sim` prints it; of two ways one after the other, then the comparison.
fn report(ways: &[&Findings], outcome: &Outcome) -> String {
    let mut out = String::new();
    for findings in ways {
        let _ = writeln!(out, "{}", findings.report.table());
    }
    if let Outcome::Pair(_, comparison) = outcome {
        let _ = writeln!(out, "{}", comparison.table());
    }
    out
}

/// Of one way the same as `maproom sim --json` prints.
fn document(batch: &Batch, ways: &[&Findings], outcome: &Outcome) -> String {
    let value = match outcome {
        Outcome::Batch(findings) => json!(findings.report),
        Outcome::Pair(_, comparison) => json!({
            "job": batch.entry.id,
            "build": batch.job.job.build,
            "rules": batch.job.job.rules,
            "order": batch.order,
            "first": ways[0].report,
            "second": ways[1].report,
            "comparison": comparison,
        }),
    };
    format!("{value:#}\n")
}

/// A line of fields (RFC 4180).
fn row(out: &mut String, fields: &[String]) {
    for (at, field) in fields.iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        if field.contains([',', '"', '\n', '\r']) {
            let _ = write!(out, "\"{}\"", field.replace('"', "\"\""));
        } else {
            out.push_str(field);
        }
    }
    out.push('\n');
}

fn heads(columns: &str) -> String {
    format!("{columns}\n")
}

/// The two ways by their names, where there are two.
fn named<'a>(ways: &'a [&'a Findings]) -> impl Iterator<Item = (String, &'a Findings)> {
    let names = if ways.len() > 1 { ["first", "second"] } else { ["", ""] };
    names.into_iter().map(str::to_owned).zip(ways.iter().copied())
}

fn results(ways: &[&Findings]) -> String {
    let mut out = heads("way,of,result,games,share,low,high");
    for (way, findings) in named(ways) {
        let report = &findings.report;
        for seat in &report.seats {
            for (result, share) in [("win", seat.win), ("draw", seat.draw), ("loss", seat.loss)] {
                let games = (share.share * report.games as f64).round().to_string();
                let shares = [share.share, share.low, share.high].map(|share| share.to_string());
                let fields = [way.clone(), seat.seat.to_owned(), result.to_owned(), games];
                row(&mut out, &[&fields[..], &shares].concat());
            }
        }
        for line in &report.outcomes {
            let shares = [line.share.share, line.share.low, line.share.high].map(|share| share.to_string());
            let fields = [way.clone(), "game".to_owned(), line.title.clone(), line.games.to_string()];
            row(&mut out, &[&fields[..], &shares].concat());
        }
    }
    out
}

fn curve(ways: &[&Findings]) -> String {
    let mut out = heads("way,turn,games,mean,deviation");
    for (way, findings) in named(ways) {
        for point in &findings.report.curve {
            let numbers = [point.mean.to_string(), point.deviation.to_string()];
            row(
                &mut out,
                &[&[way.clone(), point.turn.to_string(), point.games.to_string()][..], &numbers].concat(),
            );
        }
    }
    out
}

fn lengths(ways: &[&Findings]) -> String {
    let mut out = heads("way,turn,title,games");
    for (way, findings) in named(ways) {
        for length in &findings.lengths {
            row(
                &mut out,
                &[way.clone(), length.turn.to_string(), length.title.clone(), length.games.to_string()],
            );
        }
    }
    out
}

fn events(ways: &[&Findings]) -> String {
    let mut out = heads(
        "way,event,per_game,in_games,win_with,win_without,effect,effect_error,first_quarter,first_median,first_three_quarters",
    );
    let maybe = |number: Option<f64>| number.map_or_else(String::new, |number| number.to_string());
    for (way, findings) in named(ways) {
        for line in &findings.report.events {
            row(
                &mut out,
                &[
                    way.clone(),
                    line.name.clone(),
                    line.per_game.to_string(),
                    line.in_games.to_string(),
                    line.win_with.share.to_string(),
                    maybe(line.win_without.map(|win| win.share)),
                    maybe(line.effect),
                    maybe(line.effect_error),
                    line.first.quarter.clone(),
                    line.first.median.clone(),
                    line.first.three_quarters.clone(),
                ],
            );
        }
    }
    out
}

fn differences(outcome: &Outcome) -> String {
    let mut out = heads("of,what,first,second,difference,low,high,unpaired");
    let Outcome::Pair(_, comparison) = outcome else { return out };
    let mut line = |of: &str, what: &str, both: [f64; 2], found: Option<&Difference>| {
        let numbers = found.map_or_else(Default::default, |found| {
            [found.value, found.low, found.high, found.unpaired].map(|number| number.to_string())
        });
        let [first, second] = both.map(|number| number.to_string());
        row(&mut out, &[&[of.to_owned(), what.to_owned(), first, second][..], &numbers].concat());
    };
    for seat in &comparison.seats {
        for share in [&seat.win, &seat.draw, &seat.loss] {
            line(seat.seat, &share.name, share.shares.map(|one| one.share), Some(&share.difference));
        }
    }
    for share in &comparison.outcomes {
        line("result", &share.name, share.shares.map(|one| one.share), Some(&share.difference));
    }
    for (of, list) in [("game", &comparison.measures), ("event", &comparison.events)] {
        for measure in list {
            line(of, &measure.name, measure.means, measure.difference.as_ref());
        }
    }
    out
}
