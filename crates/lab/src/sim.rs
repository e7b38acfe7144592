//! Many games on all cores.

pub(crate) mod pairs;

use std::borrow::Cow;

use bots::{BotKind, Random};
use kernel::{Audience, CompleteGame, EventSink, LabDice, Mover, Options, Seat, Standing};
use serde::{Deserialize, Serialize};
use workers::Progress;

use crate::playing::{BotPlayers, Observer, Playing};
use crate::rows::{GameRow, Rows};
use crate::work::{self, ByteReader, ByteWriter, Labour, Site, Unreadable, Work, Worked};

/// The turns of a curve; later ones are not drawn.
const MAX_TURNS: usize = 128;

/// What to play.
#[derive(Clone, Debug)]
pub struct Batch {
    /// How many games.
    pub games: u64,
    /// Seed of the batch: game `n` has the same dice whatever the number of threads.
    pub seed: u64,
    /// Who plays which seat; the last one plays all further seats.
    pub seats: Vec<BotKind>,
    /// How many threads.
    pub threads: usize,
}

/// Whole numbers only, so that the order in which threads add up does not matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Totals {
    /// Games finished.
    pub games: u64,
    /// By outcome.
    pub outcomes: Vec<u64>,
    /// By seat: losses, draws, wins.
    pub standings: Vec<[u64; 3]>,
    /// Decisions of seats.
    pub decisions: u64,
    /// Choices that were open at them.
    pub choices: u64,
    /// Draws of Fate.
    pub draws: u64,
    /// Sum of the last turns.
    pub turns: u64,
    /// By turn: games of which it was the last.
    pub lengths: Vec<u64>,
    /// By turn: games that ended it, sum of the metric, sum of its squares.
    pub metric: Vec<(u64, i64, i64)>,
    /// By counter: how often, in how many games, and in how many of them the first seat won and drew.
    pub counters: Vec<CounterTotals>,
}

/// How often something came up, and when.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CounterTotals {
    /// Times in all.
    pub times: u64,
    /// Games in which it came up.
    pub games: u64,
    /// Games among them that the first seat won.
    pub wins: u64,
    /// Games among them that were drawn for the first seat.
    pub draws: u64,
    /// By turn: games in which it came up in that turn for the first time.
    pub firsts: Vec<u64>,
}

/// Counts one more game in a turn.
fn count_in(turns: &mut Vec<u64>, turn: u16) {
    let at = usize::from(turn);
    if turns.len() <= at {
        turns.resize(at + 1, 0);
    }
    turns[at] += 1;
}

/// Adds counts by turn that were written with their number before them.
fn add_counts(turns: &mut Vec<u64>, from: &mut ByteReader<'_>) -> Result<(), Unreadable> {
    let count = from.get_up_to(u64::from(u16::MAX) + 1)?;
    if turns.len() < count {
        turns.resize(count, 0);
    }
    for games in turns.iter_mut().take(count) {
        *games += from.get()?;
    }
    Ok(())
}

impl CounterTotals {
    /// The turn by which it had come up in so many hundredths of the games in which it came up at all.
    pub fn turn_at(&self, share: u64) -> Option<u16> {
        let mut seen = 0;
        let reached = |games: &u64| {
            seen += games;
            seen > 0 && seen * 100 >= self.games * share
        };
        self.firsts.iter().position(reached).map(|turn| turn as u16)
    }
}

impl Totals {
    fn new<G: CompleteGame>(game: &G) -> Self {
        Self {
            games: 0,
            outcomes: vec![0; game.results().len()],
            standings: vec![[0; 3]; game.seats().len()],
            decisions: 0,
            choices: 0,
            draws: 0,
            turns: 0,
            lengths: Vec::new(),
            metric: Vec::new(),
            counters: vec![CounterTotals::default(); game.counters().len()],
        }
    }

    /// Nothing yet, with all room kept.
    fn clear(&mut self) {
        let Self { games, outcomes, standings, decisions, choices, draws, turns, lengths, metric, counters } =
            self;
        (*games, *decisions, *choices, *draws, *turns) = (0, 0, 0, 0, 0);
        outcomes.fill(0);
        standings.fill([0; 3]);
        lengths.clear();
        metric.clear();
        for CounterTotals { times, games, wins, draws, firsts } in counters {
            (*times, *games, *wins, *draws) = (0, 0, 0, 0);
            firsts.clear();
        }
    }

    /// Writes the totals of some games.
    fn write(&self, out: &mut ByteWriter) {
        for count in [self.games, self.decisions, self.choices, self.draws, self.turns] {
            out.put(count);
        }
        self.outcomes.iter().chain(self.standings.iter().flatten()).for_each(|count| out.put(*count));
        out.put(self.lengths.len() as u64);
        self.lengths.iter().for_each(|games| out.put(*games));
        out.put(self.metric.len() as u64);
        for &(games, sum, squares) in &self.metric {
            out.put(games);
            out.put_signed(sum);
            out.put_signed(squares);
        }
        // In few games few of them come up.
        let seen = || self.counters.iter().enumerate().filter(|(_, counter)| counter.times > 0);
        out.put(seen().count() as u64);
        for (at, counter) in seen() {
            for count in [at as u64, counter.times, counter.games, counter.wins, counter.draws] {
                out.put(count);
            }
            out.put(counter.firsts.len() as u64);
            counter.firsts.iter().for_each(|games| out.put(*games));
        }
    }

    /// Adds what [`write`](Self::write) has written.
    fn read(&mut self, mut from: ByteReader<'_>) -> Result<(), Unreadable> {
        for count in
            [&mut self.games, &mut self.decisions, &mut self.choices, &mut self.draws, &mut self.turns]
        {
            *count += from.get()?;
        }
        for count in self.outcomes.iter_mut().chain(self.standings.iter_mut().flatten()) {
            *count += from.get()?;
        }
        add_counts(&mut self.lengths, &mut from)?;
        let turns = from.get_up_to(MAX_TURNS as u64)?;
        if self.metric.len() < turns {
            self.metric.resize(turns, (0, 0, 0));
        }
        for point in self.metric.iter_mut().take(turns) {
            *point = (point.0 + from.get()?, point.1 + from.get_signed()?, point.2 + from.get_signed()?);
        }
        for _ in 0..from.get_up_to(self.counters.len() as u64)? {
            let counter = self.counters.get_mut(from.get()? as usize).ok_or(Unreadable)?;
            for count in [&mut counter.times, &mut counter.games, &mut counter.wins, &mut counter.draws] {
                *count += from.get()?;
            }
            add_counts(&mut counter.firsts, &mut from)?;
        }
        from.end()
    }

    fn note_metric(&mut self, turn: u16, value: i32) {
        let at = usize::from(turn);
        if at >= MAX_TURNS {
            return;
        }
        if self.metric.len() <= at {
            self.metric.resize(at + 1, (0, 0, 0));
        }
        let point = &mut self.metric[at];
        let value = i64::from(value);
        *point = (point.0 + 1, point.1 + value, point.2 + value * value);
    }
}

/// Plays a batch on several threads. Stops early on request and returns what was finished. The error means that the bots can't
/// play this game, or that a game failed.
pub fn simulate<G: CompleteGame>(game: &G, batch: &Batch, progress: &Progress) -> Result<Totals, String> {
    Ok(simulate_at(&Site::in_process(), game, batch, progress)?.result)
}

/// The same through a ledger: what was played before is not played again.
pub fn simulate_at<G: CompleteGame>(
    site: &Site,
    game: &G,
    batch: &Batch,
    progress: &Progress,
) -> Result<Worked<Totals>, String> {
    play(site, game, batch, false, progress)
}

/// Plays a batch, and keeps its decisions and draws as rows if they are wanted.
pub(crate) fn play<G: CompleteGame>(
    site: &Site,
    game: &G,
    batch: &Batch,
    rows: bool,
    progress: &Progress,
) -> Result<Worked<Totals>, String> {
    check_bots(game, batch)?;
    let worked = work::run(site, &Playout { game, batch, rows, progress }, batch.threads, progress)?;
    let mut totals = Totals::new(game);
    worked.each_part(site, 0, |_, bytes| totals.read(ByteReader::new(bytes)))?;
    Ok(worked.with(|_| totals))
}

/// Refuses bots that can't play this game.
pub(crate) fn check_bots<G: CompleteGame>(game: &G, batch: &Batch) -> Result<(), String> {
    let (bots, seats) = (batch.seats.len(), game.seats().len());
    if bots > seats {
        return Err(format!("{bots} bots for {seats} seat{}", if seats == 1 { "" } else { "s" }));
    }
    for bot in &batch.seats {
        bot.check_seats(seats).map_err(|why| format!("{}: {why}", bot.word::<G>()))?;
    }
    Ok(())
}

/// The id of the job of a batch.
pub(crate) fn job_id<G: CompleteGame>(game: &G, batch: &Batch) -> String {
    work::job_id(&Playout { game, batch, rows: false, progress: &Progress::default() })
}

/// Makes the job of a batch without playing anything.
pub(crate) fn enlist<G: CompleteGame>(site: &Site, game: &G, batch: &Batch) -> Result<(), String> {
    work::enlist(site, &Playout { game, batch, rows: false, progress: &Progress::default() })
}

/// What is kept of the job of a batch.
pub(crate) fn kept<G: CompleteGame>(site: &Site, job: &str, game: &G) -> Result<Totals, String> {
    let mut totals = Totals::new(game);
    work::each_kept(site, job, 0, &mut |_, bytes| totals.read(ByteReader::new(bytes)))?;
    Ok(totals)
}

/// Plays some games of a batch that somebody else has begun.
pub(crate) fn labour<G: CompleteGame>(labour: Labour<'_>) -> Result<(), String> {
    let SpecRead { options, bots, games, seed, rows } = labour.read()?;
    let game = G::with_options(&options)?;
    let seats = bots.iter().map(|word| BotKind::parse::<G>(word)).collect::<Result<_, _>>()?;
    let batch = Batch { games, seed, seats, threads: 1 };
    check_bots(&game, &batch)?;
    let progress = labour.progress;
    labour.labour(&Playout { game: &game, batch: &batch, rows, progress })
}

/// A [`Spec`] as it is read.
#[derive(Deserialize)]
struct SpecRead {
    options: Options,
    bots: Vec<String>,
    games: u64,
    seed: u64,
    #[serde(default)]
    rows: bool,
}

/// The bots of all seats. The last bot plays all further seats, so it is one and the same batch whether they are written out or
/// not.
fn bot_words<G: CompleteGame>(game: &G, batch: &Batch) -> Vec<Cow<'static, str>> {
    let bot = |seat| batch.seats.get(seat).or(batch.seats.last()).unwrap_or(&BotKind::Random);
    (0..game.seats().len()).map(|seat| bot(seat).word::<G>()).collect()
}

/// A batch, game by game.
struct Playout<'a, G> {
    game: &'a G,
    batch: &'a Batch,
    rows: bool,
    progress: &'a Progress,
}

/// What makes a batch what it is.
#[derive(Serialize)]
struct Spec<'a> {
    kind: &'a str,
    game: &'a str,
    options: Options,
    bots: Vec<Cow<'static, str>>,
    games: u64,
    seed: u64,
    /// A batch without rows is specified as it was before there were any.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    rows: bool,
}

impl<'a, G: CompleteGame> Work for Playout<'a, G> {
    type Bench = (Clerk<'a, G>, Playing<G>, BotPlayers<'a, G>);

    const KIND: &'static str = "sim";

    fn spec(&self) -> String {
        work::canonical(&Spec {
            kind: Self::KIND,
            game: G::ID,
            options: self.game.options(),
            bots: bot_words(self.game, self.batch),
            games: self.batch.games,
            seed: self.batch.seed,
            rows: self.rows,
        })
    }

    fn rules(&self) -> &'static str {
        G::RULES_VERSION
    }

    fn unsteady(&self) -> Option<String> {
        self.batch.seats.iter().find_map(|bot| work::unsteady::<G>(*bot))
    }

    fn numbers(&self) -> u64 {
        self.batch.games
    }

    fn bench(&self) -> Self::Bench {
        let players = BotPlayers::stopped_by(&self.progress.stop, self.game, &self.batch.seats);
        (Clerk::new(self.game, self.rows), Playing::default(), players)
    }

    fn one(&self, (clerk, playing, seated): &mut Self::Bench, number: u64) -> bool {
        clerk.game(self.batch, number, playing, seated)
    }

    fn hand_in(&self, (clerk, ..): &mut Self::Bench) -> Vec<Vec<u8>> {
        let mut out = ByteWriter::default();
        clerk.totals.write(&mut out);
        clerk.totals.clear();
        let rows = clerk.rows.as_mut().map(|rows| rows.take());
        std::iter::once(out.take()).chain(rows.into_iter().flatten()).collect()
    }
}

/// The counters of one thread.
struct Clerk<'a, G: CompleteGame> {
    game: &'a G,
    totals: Totals,
    /// The game that is being played; it counts when it is over.
    now: Running,
    turn: u16,
    /// How the game ended that was played last.
    outcome: Option<usize>,
    /// Its decisions and draws, if they are wanted.
    rows: Option<Box<Rows>>,
}

/// What has happened in a game so far.
#[derive(Default, PartialEq, Eq)]
struct Running {
    decisions: u64,
    choices: u64,
    draws: u64,
    /// How often each counter came up, and in which turn first.
    seen: Vec<(u32, u16)>,
    /// Turns that are over, with the metric at their end.
    metric: Vec<(u16, i32)>,
}

impl Running {
    fn begin(&mut self) {
        (self.decisions, self.choices, self.draws) = (0, 0, 0);
        self.seen.fill((0, 0));
        self.metric.clear();
    }
}

impl<'a, G: CompleteGame> Clerk<'a, G> {
    fn new(game: &'a G, rows: bool) -> Self {
        let totals = Totals::new(game);
        let now = Running { seen: vec![(0, 0); totals.counters.len()], ..Running::default() };
        Self { game, now, totals, turn: 0, outcome: None, rows: rows.then(Box::default) }
    }

    /// Plays a game and counts it. Whether it came to its end.
    fn game(
        &mut self,
        batch: &Batch,
        number: u64,
        playing: &mut Playing<G>,
        seated: &mut BotPlayers<'_, G>,
    ) -> bool {
        let end = self.plays(batch, number, playing, seated);
        end.map(|state| self.close(number, &state)).is_some()
    }

    /// Plays a game to its end, if nobody stops it. It does not count before it is [closed](Self::close).
    fn plays(
        &mut self,
        batch: &Batch,
        number: u64,
        playing: &mut Playing<G>,
        seated: &mut BotPlayers<'_, G>,
    ) -> Option<G::State> {
        let mut dice = LabDice::for_game(batch.seed, number);
        let mut state = self.game.start();
        let game = self.game;
        self.turn = game.turn(&state);
        self.now.begin();
        if let Some(rows) = &mut self.rows {
            rows.begin();
        }
        if batch.seats.iter().all(|bot| *bot == BotKind::Random) {
            playing.to_the_end(game, &mut state, &mut Random, &mut dice, self);
        } else {
            seated.begin();
            playing.to_the_end(game, &mut state, seated, &mut dice, self);
        }
        (game.mover(&state) == Mover::Nobody).then(|| {
            self.now.metric.push((self.turn, game.metric(&state)));
            state
        })
    }

    fn close(&mut self, number: u64, state: &G::State) {
        self.outcome = self.game.outcome(state).map(|outcome| usize::from(outcome.0));
        let totals = &mut self.totals;
        totals.games += 1;
        totals.turns += u64::from(self.turn);
        count_in(&mut totals.lengths, self.turn);
        totals.decisions += self.now.decisions;
        totals.choices += self.now.choices;
        totals.draws += self.now.draws;
        for &(turn, value) in &self.now.metric {
            totals.note_metric(turn, value);
        }
        if let Some(rows) = &mut self.rows {
            rows.close(GameRow {
                game: number,
                outcome: self.outcome,
                decisions: self.now.decisions,
                draws: self.now.draws,
                turns: self.turn.into(),
            });
        }
        let mut first = Standing::Draw;
        if let Some(outcome) = self.outcome {
            totals.outcomes[outcome] += 1;
            let result = &self.game.results()[outcome];
            for (counts, &standing) in totals.standings.iter_mut().zip(&result.standings) {
                counts[standing as usize] += 1;
            }
            first = result.standings.first().copied().unwrap_or(Standing::Draw);
        }
        for (counter, &(times, first_turn)) in totals.counters.iter_mut().zip(&self.now.seen) {
            if times > 0 {
                counter.times += u64::from(times);
                counter.games += 1;
                counter.wins += u64::from(first == Standing::Win);
                counter.draws += u64::from(first == Standing::Draw);
                count_in(&mut counter.firsts, first_turn);
            }
        }
    }
}

impl<G: CompleteGame> EventSink<G::Event> for Clerk<'_, G> {
    #[inline]
    fn emit_to(&mut self, _: Audience, event: impl FnOnce() -> G::Event) {
        if let Some(at) = self.game.counter(&event()) {
            let (times, first_turn) = &mut self.now.seen[at];
            if *times == 0 {
                *first_turn = self.turn;
            }
            *times += 1;
        }
    }
}

impl<G: CompleteGame> Observer<G> for Clerk<'_, G> {
    #[inline]
    fn decided(&mut self, choices: usize) {
        self.now.decisions += 1;
        self.now.choices += choices as u64;
    }

    #[inline]
    fn chose(&mut self, game: &G, state: &G::State, seat: Seat, choices: &[G::Choice], pick: usize) {
        if let Some(rows) = &mut self.rows {
            rows.chose(game, state, seat, choices, pick);
        }
    }

    #[inline]
    fn drew(&mut self) {
        self.now.draws += 1;
    }

    #[inline]
    fn drawn(&mut self, game: &G, state: &G::State, tickets: [u32; 2], choice: G::Choice) {
        if let Some(rows) = &mut self.rows {
            rows.drew(game, state, tickets, choice);
        }
    }

    #[inline]
    fn after(&mut self, game: &G, state: &G::State) {
        let turn = game.turn(state);
        if turn != self.turn {
            self.now.metric.push((self.turn, game.metric(state)));
            self.turn = turn;
        }
    }
}
