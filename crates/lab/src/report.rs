//! A batch as a document and as a table.

use std::fmt::Write as _;

use kernel::CompleteGame;
use serde::Serialize;

use crate::interval::Interval;
use crate::sim::{Batch, Totals};

/// The results of a batch of games. The same seed gives the same report on any number of threads.
#[derive(Clone, Debug, Serialize)]
pub struct SimReport {
    /// The game.
    pub game: &'static str,
    /// Its options; long texts are shortened to their first line.
    pub options: kernel::Options,
    /// The bots by seat.
    pub bots: Vec<std::borrow::Cow<'static, str>>,
    /// The seed.
    pub seed: u64,
    /// Games that were asked for.
    pub games_asked: u64,
    /// Games that were finished.
    pub games: u64,
    /// Whether the batch was stopped early.
    pub interrupted: bool,
    /// The results of each seat.
    pub seats: Vec<SeatLine>,
    /// How the games ended, most frequent first.
    pub outcomes: Vec<OutcomeLine>,
    /// Mean number of the last turn.
    pub mean_turns: f64,
    /// Decisions of seats per game.
    pub decisions_per_game: f64,
    /// Choices per decision.
    pub choices_per_decision: f64,
    /// Draws of Fate per game.
    pub draws_per_game: f64,
    /// What the curve measures; empty if the game has no metric.
    pub metric: &'static str,
    /// The curve.
    pub curve: Vec<TurnPoint>,
    /// What came up, and what it did to the first seat.
    pub events: Vec<BoxLine>,
}

/// The results of a seat.
#[derive(Clone, Debug, Serialize)]
pub struct SeatLine {
    /// The seat.
    pub seat: &'static str,
    /// Share of games won.
    pub win: Interval,
    /// Share of games drawn.
    pub draw: Interval,
    /// Share of games lost.
    pub loss: Interval,
}

/// How often a result came up.
#[derive(Clone, Debug, Serialize)]
pub struct OutcomeLine {
    /// The id of the result.
    pub result: &'static str,
    /// The result for people.
    pub title: String,
    /// How many games.
    pub games: u64,
    /// Their share.
    pub share: Interval,
}

/// The metric at the end of a turn.
#[derive(Clone, Debug, Serialize)]
pub struct TurnPoint {
    /// The turn.
    pub turn: usize,
    /// Games that reached its end.
    pub games: u64,
    /// Mean.
    pub mean: f64,
    /// Standard deviation.
    pub deviation: f64,
}

/// How often a box or event came up, and the win rate of the first seat with and without it.
#[derive(Clone, Debug, Serialize)]
pub struct BoxLine {
    /// What.
    pub name: String,
    /// Times per game.
    pub per_game: f64,
    /// Share of games in which it came up.
    pub in_games: f64,
    /// Win rate of the first seat in games with it.
    pub win_with: Interval,
    /// Win rate of the first seat in games without it; `None` if there are none.
    pub win_without: Option<Interval>,
    /// The difference of the two; `None` if it came up in all games, because then there is nothing to compare with.
    pub effect: Option<f64>,
    /// Half the width of the difference's 95 % interval.
    pub effect_error: Option<f64>,
    /// When it came up first, in the games in which it did.
    pub first: FirstTurns,
}

/// In which turn something came up first: of the games in which it did, a quarter had it by `quarter`, half by `median`.
#[derive(Clone, Debug, Serialize)]
pub struct FirstTurns {
    /// The turn by which a quarter of the games had it.
    pub quarter: String,
    /// The turn by which half of the games had it.
    pub median: String,
    /// The turn by which three quarters of the games had it.
    pub three_quarters: String,
}

impl SimReport {
    /// Puts the totals of a batch into a report.
    pub fn new<G: CompleteGame>(game: &G, batch: &Batch, totals: &Totals) -> Self {
        let n = totals.games;
        let per_game = |count: u64| if n == 0 { 0.0 } else { count as f64 / n as f64 };
        let seats = game.seats().iter().zip(&totals.standings);
        let seats = seats.map(|(seat, &[loss, draw, win])| SeatLine {
            seat: seat.word,
            win: Interval::of(win, n),
            draw: Interval::of(draw, n),
            loss: Interval::of(loss, n),
        });
        let results = game.results().iter().zip(&totals.outcomes).filter(|(_, count)| **count > 0);
        let mut outcomes: Vec<OutcomeLine> = results
            .map(|(result, &games)| OutcomeLine {
                result: result.word,
                title: result.title.clone(),
                games,
                share: Interval::of(games, n),
            })
            .collect();
        outcomes.sort_by_key(|line| (std::cmp::Reverse(line.games), line.result));
        let shorten = |(key, value): (String, String)| {
            let first = value.lines().next().unwrap_or_default();
            let long = value.contains('\n');
            (key, if long { format!("{first} …") } else { first.to_owned() })
        };
        Self {
            game: G::ID,
            options: game.options().into_iter().map(shorten).collect(),
            bots: batch.seats.iter().map(|bot| bot.word::<G>()).collect(),
            seed: batch.seed,
            games_asked: batch.games,
            games: n,
            interrupted: n < batch.games,
            seats: seats.collect(),
            outcomes,
            mean_turns: per_game(totals.turns),
            decisions_per_game: per_game(totals.decisions),
            choices_per_decision: totals.choices as f64 / totals.decisions.max(1) as f64,
            draws_per_game: per_game(totals.draws),
            metric: G::METRIC,
            curve: if G::METRIC.is_empty() { Vec::new() } else { curve(totals) },
            events: events(game, totals),
        }
    }

    /// The report as a table.
    pub fn table(&self) -> String {
        let mut out = String::new();
        let options: Vec<String> = self.options.iter().map(|(key, value)| format!("{key} {value}")).collect();
        let _ = writeln!(
            out,
            "{} ({}), {} games, bot {}, seed {}{}",
            self.game,
            options.join(", "),
            self.games,
            self.bots.join(" v "),
            self.seed,
            if self.interrupted {
                format!(" - stopped early, {} were requested", self.games_asked)
            } else {
                String::new()
            }
        );
        for seat in &self.seats {
            let _ = writeln!(
                out,
                "  {:8} win {}   draw {}   loss {}",
                seat.seat,
                seat.win.words(),
                seat.draw.words(),
                seat.loss.words()
            );
        }
        out.push_str("\nResult                                                     games   share (95 %)\n");
        for line in &self.outcomes {
            let _ = writeln!(out, "  {:52} {:>9}  {}", line.title, line.games, line.share.words());
        }
        let _ = writeln!(
            out,
            "\nA game: {:.1} turns, {:.1} decisions with {:.1} choices each, {:.1} draws of Fate",
            self.mean_turns, self.decisions_per_game, self.choices_per_decision, self.draws_per_game
        );
        self.curve_table(&mut out);
        self.event_table(&mut out);
        out
    }

    fn curve_table(&self, out: &mut String) {
        if self.curve.is_empty() {
            return;
        }
        let top = self.curve.iter().map(|point| point.mean).fold(1.0, f64::max);
        let _ = writeln!(out, "\n{} after each turn (mean, deviation, games)", self.metric);
        for point in &self.curve {
            let bar = "#".repeat((point.mean.max(0.0) / top * 40.0).round() as usize);
            let _ = writeln!(
                out,
                "  {:>3}  {:6.2}  {:5.2}  {:>9}  {bar}",
                point.turn, point.mean, point.deviation, point.games
            );
        }
    }

    fn event_table(&self, out: &mut String) {
        if self.events.is_empty() {
            return;
        }
        let _ = writeln!(
            out,
            "\nWhat came up, and the win rate with and without it\n  {:40} {:>9} {:>9}  {:>8} {:>8}  {:16}  first in (a quarter, half, three quarters of the games)",
            "", "per game", "in games", "with", "without", "effect"
        );
        for line in &self.events {
            let p = |x: f64| format!("{:.1} %", x * 100.0);
            let without = line.win_without.map_or_else(|| "-".to_owned(), |win| p(win.share));
            let effect = match (line.effect, line.effect_error) {
                (Some(effect), Some(error)) => format!("{:+.1} ± {:.1}", effect * 100.0, error * 100.0),
                _ => "-".to_owned(),
            };
            let FirstTurns { quarter, median, three_quarters } = &line.first;
            let _ = writeln!(
                out,
                "  {:40} {:>9.3} {:>9}  {:>8} {without:>8}  {effect:16}  {quarter} / {median} / {three_quarters}",
                line.name,
                line.per_game,
                p(line.in_games),
                p(line.win_with.share),
            );
        }
    }
}

fn curve(totals: &Totals) -> Vec<TurnPoint> {
    let points = totals.metric.iter().enumerate().filter(|(_, (games, ..))| *games > 0);
    points
        .map(|(turn, &(games, sum, squares))| {
            let n = games as f64;
            let mean = sum as f64 / n;
            let variance = (squares as f64 / n - mean * mean).max(0.0);
            TurnPoint { turn, games, mean, deviation: variance.sqrt() }
        })
        .collect()
}

fn events<G: CompleteGame>(game: &G, totals: &Totals) -> Vec<BoxLine> {
    let n = totals.games;
    let all_wins = totals.standings.first().map_or(0, |counts| counts[2]);
    let lines = game.counters().into_iter().zip(&totals.counters).filter(|(_, counter)| counter.times > 0);
    lines
        .map(|(name, counter)| {
            let win_with = Interval::of(counter.wins, counter.games);
            let others = n - counter.games;
            let win_without = (others > 0).then(|| Interval::of(all_wins - counter.wins, others));
            let variance = |share: f64, games: u64| share * (1.0 - share) / games as f64;
            let error = |without: Interval| {
                let sum = variance(win_with.share, counter.games) + variance(without.share, others);
                1.959_964 * sum.sqrt()
            };
            let turn = |share| counter.turn_at(share).map_or_else(String::new, |turn| game.turn_title(turn));
            BoxLine {
                name,
                first: FirstTurns { quarter: turn(25), median: turn(50), three_quarters: turn(75) },
                per_game: counter.times as f64 / n as f64,
                in_games: counter.games as f64 / n as f64,
                effect: win_without.map(|without| win_with.share - without.share),
                effect_error: win_without.map(error),
                win_with,
                win_without,
            }
        })
        .collect()
}
