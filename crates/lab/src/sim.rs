//! Many games on all cores.

use bots::{BotKind, Random};
use kernel::{Audience, CompleteGame, EventSink, LabDice, Standing};
use workers::Progress;

use crate::playing::{BotPlayers, Observer, Playing};

/// Games that a thread takes at a time.
const CHUNK: u64 = 256;
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
    /// By turn: games that ended it, sum of the metric, sum of its squares.
    pub metric: Vec<(u64, i64, i64)>,
    /// By counter: how often, in how many games, and in how many of them the first seat won and drew.
    pub counters: Vec<CounterTotals>,
}

/// How often something came up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CounterTotals {
    /// Times in all.
    pub times: u64,
    /// Games in which it came up.
    pub games: u64,
    /// Games among them that the first seat won.
    pub wins: u64,
    /// Games among them that were drawn for the first seat.
    pub draws: u64,
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
            metric: Vec::new(),
            counters: vec![CounterTotals::default(); game.counters().len()],
        }
    }

    fn add(&mut self, other: &Self) {
        self.games += other.games;
        self.decisions += other.decisions;
        self.choices += other.choices;
        self.draws += other.draws;
        self.turns += other.turns;
        for (mine, theirs) in self.outcomes.iter_mut().zip(&other.outcomes) {
            *mine += theirs;
        }
        for (mine, theirs) in self.standings.iter_mut().zip(&other.standings) {
            for (mine, theirs) in mine.iter_mut().zip(theirs) {
                *mine += theirs;
            }
        }
        if self.metric.len() < other.metric.len() {
            self.metric.resize(other.metric.len(), (0, 0, 0));
        }
        for (mine, theirs) in self.metric.iter_mut().zip(&other.metric) {
            *mine = (mine.0 + theirs.0, mine.1 + theirs.1, mine.2 + theirs.2);
        }
        for (mine, theirs) in self.counters.iter_mut().zip(&other.counters) {
            mine.times += theirs.times;
            mine.games += theirs.games;
            mine.wins += theirs.wins;
            mine.draws += theirs.draws;
        }
    }
}

/// Plays a batch on several threads. Stops early on request and returns what was finished. The error means that the bots can't
/// play this game, or that a game failed.
pub fn simulate<G: CompleteGame>(game: &G, batch: &Batch, progress: &Progress) -> Result<Totals, String> {
    let (bots, seats) = (batch.seats.len(), game.seats().len());
    if bots > seats {
        return Err(format!("{bots} bots for {seats} seat{}", if seats == 1 { "" } else { "s" }));
    }
    for bot in &batch.seats {
        bot.check_seats(seats).map_err(|why| format!("{}: {why}", bot.word::<G>()))?;
    }
    let begin = || (Clerk::new(game), Playing::default(), BotPlayers::new(game, &batch.seats));
    let chunks = batch.games.div_ceil(CHUNK);
    let parts = workers::share_out(batch.threads, chunks, &progress.stop, begin, |kept, chunk| {
        let (clerk, playing, seated) = kept;
        let first = chunk * CHUNK;
        let last = batch.games.min(first.saturating_add(CHUNK));
        for number in first..last {
            clerk.game(batch, number, playing, seated);
        }
        progress.advance(last - first);
    });
    let mut totals = Totals::new(game);
    for (clerk, ..) in parts.map_err(|panic| panic.to_string())? {
        totals.add(&clerk.totals);
    }
    Ok(totals)
}

/// The counters of one thread.
struct Clerk<'a, G: CompleteGame> {
    game: &'a G,
    totals: Totals,
    /// How often each counter came up in the current game.
    seen: Vec<u32>,
    turn: u16,
}

impl<'a, G: CompleteGame> Clerk<'a, G> {
    fn new(game: &'a G) -> Self {
        let totals = Totals::new(game);
        Self { game, seen: vec![0; totals.counters.len()], totals, turn: 0 }
    }

    fn game(&mut self, batch: &Batch, number: u64, playing: &mut Playing<G>, seated: &mut BotPlayers<G>) {
        let mut dice = LabDice::for_game(batch.seed, number);
        let mut state = self.game.start();
        let game = self.game;
        self.turn = game.turn(&state);
        self.seen.fill(0);
        if batch.seats.iter().all(|bot| *bot == BotKind::Random) {
            playing.to_the_end(game, &mut state, &mut Random, &mut dice, self);
        } else {
            seated.begin();
            playing.to_the_end(game, &mut state, seated, &mut dice, self);
        }
        self.note_metric(self.turn, game.metric(&state));
        self.close(&state);
    }

    fn close(&mut self, state: &G::State) {
        let totals = &mut self.totals;
        totals.games += 1;
        totals.turns += u64::from(self.turn);
        let mut first = Standing::Draw;
        if let Some(outcome) = self.game.outcome(state) {
            totals.outcomes[usize::from(outcome.0)] += 1;
            let result = &self.game.results()[usize::from(outcome.0)];
            for (counts, &standing) in totals.standings.iter_mut().zip(&result.standings) {
                counts[standing as usize] += 1;
            }
            first = result.standings.first().copied().unwrap_or(Standing::Draw);
        }
        for (counter, &times) in totals.counters.iter_mut().zip(&self.seen) {
            if times > 0 {
                counter.times += u64::from(times);
                counter.games += 1;
                counter.wins += u64::from(first == Standing::Win);
                counter.draws += u64::from(first == Standing::Draw);
            }
        }
    }

    fn note_metric(&mut self, turn: u16, value: i32) {
        let at = usize::from(turn);
        if at >= MAX_TURNS {
            return;
        }
        if self.totals.metric.len() <= at {
            self.totals.metric.resize(at + 1, (0, 0, 0));
        }
        let point = &mut self.totals.metric[at];
        let value = i64::from(value);
        *point = (point.0 + 1, point.1 + value, point.2 + value * value);
    }
}

impl<G: CompleteGame> EventSink<G::Event> for Clerk<'_, G> {
    #[inline]
    fn emit_to(&mut self, _: Audience, event: impl FnOnce() -> G::Event) {
        if let Some(at) = self.game.counter(&event()) {
            self.seen[at] += 1;
        }
    }
}

impl<G: CompleteGame> Observer<G> for Clerk<'_, G> {
    #[inline]
    fn decided(&mut self, choices: usize) {
        self.totals.decisions += 1;
        self.totals.choices += choices as u64;
    }

    #[inline]
    fn drew(&mut self) {
        self.totals.draws += 1;
    }

    #[inline]
    fn after(&mut self, game: &G, state: &G::State) {
        let turn = game.turn(state);
        if turn != self.turn {
            self.note_metric(self.turn, game.metric(state));
            self.turn = turn;
        }
    }
}
