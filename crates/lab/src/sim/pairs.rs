//! Two ways to set a game up, played with the same dice: game by game, the one after the other.

use std::collections::BTreeMap;

use bots::BotKind;
use kernel::{CompleteGame, Options};
use serde::{Deserialize, Serialize};
use workers::Progress;

use super::{Batch, Clerk, Totals, bot_words, check_bots};
use crate::paired::PairSums;
use crate::playing::{BotPlayers, Playing};
use crate::work::{self, ByteReader, ByteWriter, Labour, Site, Unreadable, Work};

/// The part of a chunk with what is known of pairs only; parts 0 and 1 are the totals of both.
const PAIRS: u32 = 2;

/// What came of pairs of games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairTotals {
    /// The totals of both, as those of two batches.
    pub each: [Totals; 2],
    /// How many pairs came to the same, as far as is counted: result, length, decisions, draws, curve and events.
    pub alike: u64,
    /// How often an outcome of the first met one of the second; one more than the last stands for none.
    pub outcomes: BTreeMap<(usize, usize), u64>,
    /// The last turns, decisions, draws, and the metric at the end.
    pub measures: [PairSums; 4],
    /// The metric by turn, of pairs that both came to its end.
    pub curve: Vec<PairSums>,
    /// How often each thing came up that both count.
    pub counters: Vec<PairSums>,
}

impl PairTotals {
    fn new<G: CompleteGame>(games: [&G; 2]) -> Self {
        Self {
            each: games.map(Totals::new),
            alike: 0,
            outcomes: BTreeMap::new(),
            measures: [PairSums::default(); 4],
            curve: Vec::new(),
            counters: vec![PairSums::default(); common_counters(games).len()],
        }
    }

    /// Notes a pair of games that have just been played.
    fn note<G: CompleteGame>(&mut self, [first, second]: [&Clerk<'_, G>; 2], counters: &[(usize, usize)]) {
        let both = [&first.now, &second.now];
        let outcome = |clerk: &Clerk<'_, G>| clerk.outcome.unwrap_or(clerk.totals.outcomes.len());
        let outcomes = (outcome(first), outcome(second));
        *self.outcomes.entry(outcomes).or_default() += 1;
        let same_end = outcomes.0 == outcomes.1 && first.turn == second.turn;
        self.alike += u64::from(same_end && first.now == second.now);
        let last = |metric: &[(u16, i32)]| metric.last().map_or(0, |(_, value)| i64::from(*value));
        let counts = [
            [first.turn, second.turn].map(i64::from),
            both.map(|now| now.decisions as i64),
            both.map(|now| now.draws as i64),
            both.map(|now| last(&now.metric)),
        ];
        self.measures.iter_mut().zip(counts).for_each(|(sums, pair)| sums.note(pair));
        for &(turn, value) in &first.now.metric {
            let met = second.now.metric.iter().find(|(other, _)| *other == turn);
            if let Some((_, other)) = met.filter(|_| usize::from(turn) < super::MAX_TURNS) {
                let at = usize::from(turn);
                if self.curve.len() <= at {
                    self.curve.resize(at + 1, PairSums::default());
                }
                self.curve[at].note([i64::from(value), i64::from(*other)]);
            }
        }
        for (sums, &(a, b)) in self.counters.iter_mut().zip(counters) {
            sums.note([i64::from(first.now.seen[a].0), i64::from(second.now.seen[b].0)]);
        }
    }

    fn clear(&mut self) {
        self.each.iter_mut().for_each(Totals::clear);
        self.alike = 0;
        self.outcomes.clear();
        self.measures = [PairSums::default(); 4];
        self.curve.clear();
        self.counters.fill(PairSums::default());
    }

    fn write(&self, out: &mut ByteWriter) {
        out.put(self.alike);
        out.put(self.outcomes.len() as u64);
        for (&(first, second), &games) in &self.outcomes {
            [first as u64, second as u64, games].into_iter().for_each(|number| out.put(number));
        }
        out.put(self.curve.len() as u64);
        for sums in self.measures.iter().chain(&self.curve).chain(&self.counters) {
            sums.write(out);
        }
    }

    fn read(&mut self, mut from: ByteReader<'_>) -> Result<(), Unreadable> {
        self.alike += from.get()?;
        let most = self.each.each_ref().map(|totals| totals.outcomes.len() as u64);
        for _ in 0..from.get_up_to((most[0] + 1) * (most[1] + 1))? {
            let met = (from.get_up_to(most[0])?, from.get_up_to(most[1])?);
            *self.outcomes.entry(met).or_default() += from.get()?;
        }
        let turns = from.get_up_to(super::MAX_TURNS as u64)?;
        if self.curve.len() < turns {
            self.curve.resize(turns, PairSums::default());
        }
        let curve = self.curve.iter_mut().take(turns);
        for sums in self.measures.iter_mut().chain(curve).chain(&mut self.counters) {
            sums.read(&mut from)?;
        }
        from.end()
    }
}

impl PairSums {
    fn write(&self, out: &mut ByteWriter) {
        out.put(self.pairs);
        for number in self.sums.into_iter().chain(self.squares).chain([self.products]) {
            out.put_signed(number);
        }
    }

    fn read(&mut self, from: &mut ByteReader<'_>) -> Result<(), Unreadable> {
        self.pairs += from.get()?;
        for number in self.sums.iter_mut().chain(&mut self.squares).chain([&mut self.products]) {
            *number += from.get_signed()?;
        }
        Ok(())
    }
}

/// The counters that both ways have: the places of each. Where they have as many they are the same ones, even if a text calls
/// them otherwise; else those of the same name are.
pub(crate) fn common_counters<G: CompleteGame>([first, second]: [&G; 2]) -> Vec<(usize, usize)> {
    let (first, second) = (first.counters(), second.counters());
    if first.len() == second.len() {
        return (0..first.len()).map(|at| (at, at)).collect();
    }
    let met = first.iter().enumerate().filter_map(|(at, name)| {
        let other = second.iter().position(|other| other == name)?;
        Some((at, other))
    });
    met.collect()
}

/// Refuses to compare games with other seats: their results have nothing in common.
pub(crate) fn check_seats<G: CompleteGame>(first: &G, second: &G) -> Result<(), String> {
    let words = |game: &G| game.seats().iter().map(|seat| seat.word).collect::<Vec<_>>();
    let (first, second) = (words(first), words(second));
    if first == second {
        return Ok(());
    }
    Err(format!(
        "the two can't be compared, because their seats differ: {} in the first, {} in the second",
        first.join(", "),
        second.join(", ")
    ))
}

/// Plays a batch both ways.
pub(crate) fn play<G: CompleteGame>(
    site: &Site,
    games: [&G; 2],
    batch: &Batch,
    progress: &Progress,
) -> Result<(), String> {
    work::run(site, &Pairs::new(games, batch, progress), batch.threads, progress).map(drop)
}

/// The id of the job of a batch that is played both ways.
pub(crate) fn job_id<G: CompleteGame>(games: [&G; 2], batch: &Batch) -> String {
    work::job_id(&Pairs::new(games, batch, &Progress::default()))
}

/// Makes that job without playing anything.
pub(crate) fn enlist<G: CompleteGame>(site: &Site, games: [&G; 2], batch: &Batch) -> Result<(), String> {
    work::enlist(site, &Pairs::new(games, batch, &Progress::default()))
}

/// Plays some pairs of a batch that somebody else has begun.
pub(crate) fn labour<G: CompleteGame>(labour: Labour<'_>) -> Result<(), String> {
    let SpecRead { options, other, bots, games, seed } = labour.read()?;
    let (first, second) = (G::with_options(&options)?, G::with_options(&other)?);
    check_seats(&first, &second)?;
    let seats = bots.iter().map(|word| BotKind::parse::<G>(word)).collect::<Result<_, _>>()?;
    let batch = Batch { games, seed, seats, threads: 1 };
    check_bots(&first, &batch)?;
    let progress = labour.progress;
    labour.labour(&Pairs::new([&first, &second], &batch, progress))
}

/// A [`Spec`] as it is read.
#[derive(Deserialize)]
struct SpecRead {
    options: Options,
    other: Options,
    bots: Vec<String>,
    games: u64,
    seed: u64,
}

/// What is kept of such a job.
pub(crate) fn kept<G: CompleteGame>(site: &Site, job: &str, games: [&G; 2]) -> Result<PairTotals, String> {
    let mut totals = PairTotals::new(games);
    for at in 0..2 {
        let each = &mut totals.each[at];
        work::each_kept(site, job, at as u32, &mut |_, bytes| each.read(ByteReader::new(bytes)))?;
    }
    work::each_kept(site, job, PAIRS, &mut |_, bytes| totals.read(ByteReader::new(bytes)))?;
    Ok(totals)
}

/// A batch both ways, pair by pair.
struct Pairs<'a, G> {
    games: [&'a G; 2],
    batch: &'a Batch,
    progress: &'a Progress,
    counters: Vec<(usize, usize)>,
}

impl<'a, G: CompleteGame> Pairs<'a, G> {
    fn new(games: [&'a G; 2], batch: &'a Batch, progress: &'a Progress) -> Self {
        Self { games, batch, progress, counters: common_counters(games) }
    }
}

/// What makes such a batch what it is.
#[derive(Serialize)]
struct Spec<'a> {
    kind: &'a str,
    game: &'a str,
    options: Options,
    other: Options,
    bots: Vec<std::borrow::Cow<'static, str>>,
    games: u64,
    seed: u64,
}

/// One way of the two, while it is played.
struct Side<'a, G: CompleteGame> {
    clerk: Clerk<'a, G>,
    playing: Playing<G>,
    players: BotPlayers<'a, G>,
}

impl<'a, G: CompleteGame> Work for Pairs<'a, G> {
    type Bench = ([Side<'a, G>; 2], PairTotals);

    const KIND: &'static str = "pair";

    fn spec(&self) -> String {
        let [options, other] = self.games.map(G::options);
        work::canonical(&Spec {
            kind: Self::KIND,
            game: G::ID,
            options,
            other,
            bots: bot_words(self.games[0], self.batch),
            games: self.batch.games,
            seed: self.batch.seed,
        })
    }

    fn rules(&self) -> &'static str {
        G::RULES_VERSION
    }

    fn unsteady(&self) -> Option<String> {
        self.batch.seats.iter().find_map(|bot: &BotKind| work::unsteady::<G>(*bot))
    }

    fn numbers(&self) -> u64 {
        self.batch.games
    }

    fn bench(&self) -> Self::Bench {
        let side = |game| Side {
            clerk: Clerk::new(game, false),
            playing: Playing::default(),
            players: BotPlayers::stopped_by(&self.progress.stop, game, &self.batch.seats),
        };
        (self.games.map(side), PairTotals::new(self.games))
    }

    fn one(&self, (sides, pairs): &mut Self::Bench, number: u64) -> bool {
        let mut play = |at: usize| {
            let Side { clerk, playing, players } = &mut sides[at];
            clerk.plays(self.batch, number, playing, players)
        };
        // A pair of which only one game was played does not count.
        let (Some(one), Some(other)) = (play(0), play(1)) else { return false };
        let [first, second] = sides;
        first.clerk.close(number, &one);
        second.clerk.close(number, &other);
        pairs.note([&first.clerk, &second.clerk], &self.counters);
        true
    }

    fn hand_in(&self, (sides, pairs): &mut Self::Bench) -> Vec<Vec<u8>> {
        let mut out = ByteWriter::default();
        let mut parts: Vec<Vec<u8>> = Vec::with_capacity(3);
        for side in sides {
            side.clerk.totals.write(&mut out);
            side.clerk.totals.clear();
            parts.push(out.take());
        }
        pairs.write(&mut out);
        pairs.clear();
        parts.push(out.take());
        parts
    }
}
