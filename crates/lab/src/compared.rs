//! Two ways to set a game up, compared: differences with intervals, as a document and as a table.

use std::fmt::Write as _;

use kernel::{CompleteGame, Standing};
use serde::Serialize;

use crate::interval::Interval;
use crate::paired::{Difference, PairSums};
use crate::sim::pairs::{PairTotals, common_counters};

/// What the second way changes against the first, from the same games with the same dice.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// Pairs of games.
    pub games: u64,
    /// Pairs that came to the same: result, length, curve and events.
    pub alike: u64,
    /// The results of each seat.
    pub seats: Vec<SeatDifference>,
    /// How the games ended.
    pub outcomes: Vec<ShareDifference>,
    /// Length, decisions, draws, and the metric at the end.
    pub measures: Vec<Measure>,
    /// The metric by turn.
    pub curve: Vec<TurnDifference>,
    /// How often things came up in a game.
    pub events: Vec<EventDifference>,
}

/// The results of a seat, both ways.
#[derive(Clone, Debug, Serialize)]
pub struct SeatDifference {
    /// The seat.
    pub seat: &'static str,
    /// Games won.
    pub win: ShareDifference,
    /// Games drawn.
    pub draw: ShareDifference,
    /// Games lost.
    pub loss: ShareDifference,
}

/// A share of games, both ways.
#[derive(Clone, Debug, Serialize)]
pub struct ShareDifference {
    /// Of what, for people.
    pub name: String,
    /// The share of each.
    pub shares: [Interval; 2],
    /// The second less the first.
    pub difference: Difference,
}

/// A mean over games, both ways.
#[derive(Clone, Debug, Serialize)]
pub struct Measure {
    /// Of what, for people.
    pub name: String,
    /// The mean of each.
    pub means: [f64; 2],
    /// The second less the first; `None` while there are less than two games.
    pub difference: Option<Difference>,
}

/// How often something came up.
pub type EventDifference = Measure;

/// The metric at the end of a turn, of pairs of games that both came to it.
#[derive(Clone, Debug, Serialize)]
pub struct TurnDifference {
    /// The turn.
    pub turn: usize,
    /// How many pairs.
    pub games: u64,
    /// The second less the first.
    pub difference: Option<Difference>,
}

/// A share of pairs: `of` says whether an outcome counts, for each of both.
fn share(totals: &PairTotals, name: &str, of: [&dyn Fn(usize) -> bool; 2]) -> ShareDifference {
    let games = totals.each[0].games;
    let [mut first, mut second, mut both] = [0; 3];
    for (&(a, b), &count) in &totals.outcomes {
        match (of[0](a), of[1](b)) {
            (true, true) => both += count,
            (true, false) => first += count,
            (false, true) => second += count,
            (false, false) => {}
        }
    }
    ShareDifference {
        name: name.to_owned(),
        shares: [first, second].map(|alone| Interval::of(alone + both, games)),
        difference: Difference::of_shares(first, second, both, games),
    }
}

fn measure(name: impl Into<String>, sums: &PairSums) -> Measure {
    Measure { name: name.into(), means: sums.means(), difference: sums.difference() }
}

impl Comparison {
    /// Compares what was counted.
    pub fn new<G: CompleteGame>(games: [&G; 2], totals: &PairTotals) -> Self {
        let [first, second] = games;
        let standing = |game: &G, outcome: usize, seat: usize| {
            game.results().get(outcome).and_then(|result| result.standings.get(seat)).copied()
        };
        let of_seat = |seat: usize, name: &str, wanted: Standing| {
            let of = |game: &G, outcome| standing(game, outcome, seat) == Some(wanted);
            share(totals, name, [&|outcome| of(first, outcome), &|outcome| of(second, outcome)])
        };
        let seats = first.seats().iter().enumerate().map(|(at, seat)| SeatDifference {
            seat: seat.word,
            win: of_seat(at, "win", Standing::Win),
            draw: of_seat(at, "draw", Standing::Draw),
            loss: of_seat(at, "loss", Standing::Loss),
        });
        let mut measures: Vec<Measure> = ["Turns", "Decisions", "Draws of Fate"]
            .into_iter()
            .zip(&totals.measures)
            .map(|(name, sums)| measure(name, sums))
            .collect();
        if !G::METRIC.is_empty() {
            measures.push(measure(format!("{} at the end", G::METRIC), &totals.measures[3]));
        }
        let curve =
            totals.curve.iter().enumerate().filter(|(_, sums)| sums.pairs > 0 && !G::METRIC.is_empty());
        let names = first.counters();
        let events = common_counters(games).into_iter().zip(&totals.counters);
        let events = events.filter(|(_, sums)| sums.squares != [0, 0]);
        Self {
            games: totals.each[0].games,
            alike: totals.alike,
            seats: seats.collect(),
            outcomes: outcomes(games, totals),
            measures,
            curve: curve
                .map(|(turn, sums)| TurnDifference { turn, games: sums.pairs, difference: sums.difference() })
                .collect(),
            events: events.map(|((at, _), sums)| measure(names[at].clone(), sums)).collect(),
        }
    }

    /// The comparison as a table.
    pub fn table(&self) -> String {
        let mut out = format!(
            "The second less the first, {} pairs of games with the same dice, {} of them alike (95 % intervals)\n",
            self.games, self.alike
        );
        let points = |difference: &Difference| {
            let [value, low, high] = [difference.value, difference.low, difference.high].map(|x| x * 100.0);
            format!("{value:+7.2} points ({low:+.2} to {high:+.2})")
        };
        let shares = |line: &ShareDifference| {
            let [first, second] = line.shares.map(|share| share.share * 100.0);
            format!("{first:6.2} % {second:6.2} %  {}", points(&line.difference))
        };
        for seat in &self.seats {
            for line in [&seat.win, &seat.draw, &seat.loss] {
                let _ = writeln!(out, "  {:12} {:5} {}", seat.seat, line.name, shares(line));
            }
        }
        out.push_str("\nResult\n");
        for line in &self.outcomes {
            let _ = writeln!(out, "  {:52} {}", line.name, shares(line));
        }
        let mut means = |title: &str, list: &[Measure]| {
            let _ = writeln!(out, "\n{title}");
            for Measure { name, means: [first, second], difference } in list {
                let change = difference.map_or_else(String::new, |difference| {
                    let Difference { value, low, high, .. } = difference;
                    format!("{value:+9.3} ({low:+.3} to {high:+.3})")
                });
                let _ = writeln!(out, "  {name:40} {first:9.3} {second:9.3}  {change}");
            }
        };
        means("A game", &self.measures);
        if !self.events.is_empty() {
            means("What came up, times a game", &self.events);
        }
        out
    }
}

/// Every result that one of both knows, those that came up most often first.
fn outcomes<G: CompleteGame>([first, second]: [&G; 2], totals: &PairTotals) -> Vec<ShareDifference> {
    let mut known: Vec<(&str, &str)> = Vec::new();
    for result in first.results().iter().chain(second.results()) {
        if known.iter().all(|(word, _)| *word != result.word) {
            known.push((result.word, &result.title));
        }
    }
    let is = |game: &G, outcome: usize, word: &str| {
        game.results().get(outcome).is_some_and(|result| result.word == word)
    };
    let mut lines: Vec<ShareDifference> = known
        .into_iter()
        .map(|(word, title)| {
            share(totals, title, [&|outcome| is(first, outcome, word), &|outcome| is(second, outcome, word)])
        })
        .filter(|line| line.shares.iter().any(|share| share.share > 0.0))
        .collect();
    let weight = |line: &ShareDifference| line.shares[0].share + line.shares[1].share;
    lines.sort_by(|a, b| weight(b).total_cmp(&weight(a)).then_with(|| a.name.cmp(&b.name)));
    lines
}
