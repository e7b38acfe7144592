//! A ladder as a document.

use kernel::Options;
use serde::Serialize;

use super::{Duel, Ladder, LadderTotals, Ratings, Spent, add};
use crate::interval::Interval;
use crate::report::SeatLine;

/// The bot whose Elo is 0 where it takes part.
const ANCHOR: &str = "greedy";
/// Standard deviations to either side that make 95 %.
const SIDE: f64 = 1.959_964;

/// What a ladder showed. The same seed gives the same document, whatever the number of threads.
#[derive(Clone, Debug, Serialize)]
pub struct LadderReport {
    /// The game.
    pub game: &'static str,
    /// The options that all set-ups share.
    pub options: Options,
    /// The seed.
    pub seed: u64,
    /// Games that were asked for.
    pub games_asked: u64,
    /// Games that count: only rounds that were played to the end.
    pub games: u64,
    /// Whether the ladder was stopped early.
    pub interrupted: bool,
    /// The bot whose Elo is 0; without one the mean is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub anchor: Option<&'static str>,
    /// The bots, strongest first, at tables for several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ratings: Vec<RatingLine>,
    /// Which share of the points the bot of a row made against that of a column, both in the order of `ratings`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cross: Vec<Vec<Option<f64>>>,
    /// The bots, most victories first, at tables for one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub solo: Vec<SoloLine>,
    /// How each seat fared, whoever sat in it.
    pub seats: Vec<SeatLine>,
    /// What happened in each set-up, where there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub setups: Vec<SetupLine>,
}

/// A bot at a table for several.
#[derive(Clone, Debug, Serialize)]
pub struct RatingLine {
    /// Its place, from 1.
    pub rank: usize,
    /// The bot.
    pub bot: String,
    /// Its strength.
    pub elo: f64,
    /// Half the width of the 95 % interval.
    pub error: f64,
    /// The share of the points that it made.
    pub score: f64,
    /// Games that it played.
    pub games: u64,
    /// Games that it won.
    pub wins: u64,
    /// Games that it drew.
    pub draws: u64,
    /// Games that it lost.
    pub losses: u64,
    /// How likely it is that it is stronger than the next below.
    pub stronger_than_next: Option<f64>,
    /// Games among the lost ones in which it broke down.
    pub broken: u64,
    /// Microseconds for a choice; only where times are asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub microseconds: Option<f64>,
}

/// A bot at a table for one.
#[derive(Clone, Debug, Serialize)]
pub struct SoloLine {
    /// Its place, from 1.
    pub rank: usize,
    /// The bot.
    pub bot: String,
    /// Games that it played.
    pub games: u64,
    /// Games that it won.
    pub wins: u64,
    /// Games that it drew.
    pub draws: u64,
    /// Games that it lost.
    pub losses: u64,
    /// Share of games won.
    pub win: Interval,
    /// Share of games drawn.
    pub draw: Interval,
    /// Share of games lost.
    pub loss: Interval,
    /// How far it is ahead of the next below, with the same dice.
    pub lead: Option<Lead>,
    /// Games among the lost ones in which it broke down.
    pub broken: u64,
    /// Microseconds for a choice; only where times are asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub microseconds: Option<f64>,
}

/// The difference of two shares of victories in the same games, with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Lead {
    /// The difference.
    pub difference: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Lead {
    /// From the games that only one of the two won, and only the other, of so many games that both played.
    ///
    /// The interval is Bonett's and Price's for paired shares: a game more that only the one won, and one that only the
    /// other did, keep it honest where there were none.
    ///
    /// ```
    /// let lead = lab::ladder::Lead::of(30, 10, 100);
    /// assert!((lead.difference - 0.2).abs() < 1e-9 && lead.low > 0.07 && lead.high < 0.33);
    /// assert!(lab::ladder::Lead::of(0, 0, 10).high > 0.1);
    /// ```
    pub fn of(only_one: u64, only_other: u64, games: u64) -> Self {
        let n = games as f64 + 2.0;
        let (one, other) = ((only_one as f64 + 1.0) / n, (only_other as f64 + 1.0) / n);
        let middle = one - other;
        let side = SIDE * ((one + other - middle * middle) / n).max(0.0).sqrt();
        let difference = (only_one as f64 - only_other as f64) / games.max(1) as f64;
        Self {
            difference,
            low: (middle - side).max(-1.0).min(difference),
            high: (middle + side).min(1.0).max(difference),
        }
    }
}

/// What a bot or a pair of bots made of one set-up.
#[derive(Clone, Debug, Serialize)]
pub struct SetupLine {
    /// What is special about the set-up, such as `scenario 09_remagen`.
    pub setup: String,
    /// The bot.
    pub bot: String,
    /// Against whom; nobody at a table for one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against: Option<String>,
    /// The share of the points that it made; at a table for one, of the victories.
    pub score: f64,
    /// Games.
    pub games: u64,
    /// Games that it won.
    pub wins: u64,
    /// Games that it drew.
    pub draws: u64,
    /// Games that it lost.
    pub losses: u64,
}

impl LadderReport {
    /// Sums up what came of a ladder in one set-up or several; what is spent is shown where it is given.
    pub fn new(
        game: &'static str,
        ladder: &Ladder,
        parts: &[LadderTotals],
        spent: Option<&[Spent]>,
    ) -> Result<Self, String> {
        let whole = sum(parts)?;
        let names: Vec<&str> = ladder.contenders.iter().map(|contender| contender.name.as_str()).collect();
        let micro = |at: usize| spent.and_then(|spent| spent.get(at)).and_then(Spent::microseconds);
        let anchor = names.iter().position(|name| *name == ANCHOR).filter(|_| !whole.duels.is_empty());
        let (ratings, cross) =
            if whole.duels.is_empty() { Default::default() } else { ranked(&whole, &names, anchor, micro) };
        let seat = |(seat, [loss, draw, win]): &(&'static str, [u64; 3])| {
            let n = loss + draw + win;
            let [loss, draw, win] = [*loss, *draw, *win].map(|count| Interval::of(count, n));
            SeatLine { seat, win, draw, loss }
        };
        Ok(Self {
            game,
            options: whole.options.clone(),
            seed: ladder.seed,
            games_asked: whole.asked,
            games: whole.games,
            interrupted: whole.games < whole.asked,
            anchor: anchor.map(|_| ANCHOR),
            ratings,
            cross,
            solo: if whole.duels.is_empty() { alone(&whole, &names, micro) } else { Vec::new() },
            seats: whole.seats.iter().map(seat).collect(),
            setups: if parts.len() > 1 { setups(parts, &whole, &names) } else { Vec::new() },
        })
    }
}

/// Everything that was played in all set-ups, with the options that they share.
fn sum(parts: &[LadderTotals]) -> Result<LadderTotals, String> {
    let Some((first, rest)) = parts.split_first() else { return Err("no game was played".to_owned()) };
    let mut whole = first.clone();
    for part in rest {
        if part.seats.len() != first.seats.len() {
            return Err("set-ups with different numbers of players can't be added together".to_owned());
        }
        whole.options.retain(|key, value| part.options.get(key) == Some(value));
        whole.asked += part.asked;
        whole.games += part.games;
        for (word, counts) in &part.seats {
            match whole.seats.iter_mut().find(|(known, _)| known == word) {
                Some((_, sums)) => add(sums, counts),
                None => whole.seats.push((word, *counts)),
            }
        }
        whole.duels.iter_mut().zip(&part.duels).for_each(|(mine, theirs)| mine.add(theirs));
        whole.alone.iter_mut().zip(&part.alone).for_each(|(mine, theirs)| add(mine, theirs));
        whole.ahead.iter_mut().zip(&part.ahead).for_each(|(mine, theirs)| add(mine, theirs));
        add(&mut whole.broken, &part.broken);
    }
    Ok(whole)
}

/// What a contender made of its duels: points, and losses, draws and wins.
fn record(contender: usize, duels: &[Duel]) -> (f64, [u64; 3]) {
    let (mut points, mut counts) = (0.0, [0; 3]);
    for duel in duels {
        let games = duel.games() as f64;
        let [loss, draw, win] = duel.counts;
        if duel.first == contender {
            points += duel.score() * games;
            add(&mut counts, &[loss, draw, win]);
        } else if duel.second == contender {
            points += (1.0 - duel.score()) * games;
            add(&mut counts, &[win, draw, loss]);
        }
    }
    (points, counts)
}

fn ranked(
    whole: &LadderTotals,
    names: &[&str],
    anchor: Option<usize>,
    micro: impl Fn(usize) -> Option<f64>,
) -> (Vec<RatingLine>, Vec<Vec<Option<f64>>>) {
    let ratings = Ratings::of(names.len(), &whole.duels, anchor);
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by(|a, b| ratings.elo(*b).total_cmp(&ratings.elo(*a)));
    let line = |(place, &who): (usize, &usize)| {
        let (points, [losses, draws, wins]) = record(who, &whole.duels);
        let games = losses + draws + wins;
        RatingLine {
            rank: place + 1,
            bot: names[who].to_owned(),
            elo: ratings.elo(who),
            error: ratings.error(who),
            score: if games == 0 { 0.5 } else { points / games as f64 },
            games,
            wins,
            draws,
            losses,
            stronger_than_next: order.get(place + 1).map(|&next| ratings.stronger(who, next)),
            broken: whole.broken[who],
            microseconds: micro(who),
        }
    };
    let met = |row: usize, column: usize| {
        let mut duels = whole.duels.iter().filter(|duel| duel.games() > 0);
        duels.find_map(|duel| match (duel.first, duel.second) {
            pair if pair == (row, column) => Some(duel.score()),
            pair if pair == (column, row) => Some(1.0 - duel.score()),
            _ => None,
        })
    };
    let cross = order.iter().map(|&row| order.iter().map(|&column| met(row, column)).collect()).collect();
    (order.iter().enumerate().map(line).collect(), cross)
}

fn alone(whole: &LadderTotals, names: &[&str], micro: impl Fn(usize) -> Option<f64>) -> Vec<SoloLine> {
    let games = |who: usize| whole.alone[who].iter().sum::<u64>();
    let share = |who: usize| Interval::of(whole.alone[who][2], games(who)).share;
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by(|a, b| share(*b).total_cmp(&share(*a)));
    let line = |(place, &who): (usize, &usize)| {
        let [losses, draws, wins] = whole.alone[who];
        let n = games(who);
        let lead = order.get(place + 1);
        let lead = lead.map(|&next| Lead::of(whole.ahead[who][next], whole.ahead[next][who], n));
        SoloLine {
            rank: place + 1,
            bot: names[who].to_owned(),
            games: n,
            wins,
            draws,
            losses,
            win: Interval::of(wins, n),
            draw: Interval::of(draws, n),
            loss: Interval::of(losses, n),
            lead,
            broken: whole.broken[who],
            microseconds: micro(who),
        }
    };
    order.iter().enumerate().map(line).collect()
}

fn setups(parts: &[LadderTotals], whole: &LadderTotals, names: &[&str]) -> Vec<SetupLine> {
    let mut lines = Vec::new();
    for part in parts {
        let special = part.options.iter().filter(|(key, _)| !whole.options.contains_key(*key));
        let setup = special.map(|(key, value)| format!("{key} {value}")).collect::<Vec<_>>().join(", ");
        let line =
            |bot: usize, against: Option<usize>, score: f64, [losses, draws, wins]: [u64; 3]| SetupLine {
                setup: setup.clone(),
                bot: names[bot].to_owned(),
                against: against.map(|against| names[against].to_owned()),
                score,
                games: losses + draws + wins,
                wins,
                draws,
                losses,
            };
        lines.extend(
            part.duels.iter().map(|duel| line(duel.first, Some(duel.second), duel.score(), duel.counts)),
        );
        lines.extend(part.alone.iter().enumerate().map(|(bot, &counts)| {
            line(bot, None, Interval::of(counts[2], counts.iter().sum()).share, counts)
        }));
    }
    // A set-up that the ladder did not come to has nothing to show.
    lines.retain(|line| line.games > 0);
    lines
}
