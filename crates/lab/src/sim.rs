//! Many games on all cores.

use bots::{BotKind, Random};
use kernel::{Audience, CompleteGame, EventSink, LabDice, Mover, Standing};
use workers::Progress;

use crate::playing::{BotPlayers, Observer, Playing};

/// The most games that a thread takes at a time.
const CHUNK: u64 = 256;
/// Into how many parts for each thread a batch is divided at least, so that no thread waits long for another.
const PARTS: u64 = 8;
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

impl CounterTotals {
    fn note_first(&mut self, turn: u16) {
        let at = usize::from(turn);
        if self.firsts.len() <= at {
            self.firsts.resize(at + 1, 0);
        }
        self.firsts[at] += 1;
    }

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
            if mine.firsts.len() < theirs.firsts.len() {
                mine.firsts.resize(theirs.firsts.len(), 0);
            }
            for (mine, theirs) in mine.firsts.iter_mut().zip(&theirs.firsts) {
                *mine += theirs;
            }
        }
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
    let (bots, seats) = (batch.seats.len(), game.seats().len());
    if bots > seats {
        return Err(format!("{bots} bots for {seats} seat{}", if seats == 1 { "" } else { "s" }));
    }
    for bot in &batch.seats {
        bot.check_seats(seats).map_err(|why| format!("{}: {why}", bot.word::<G>()))?;
    }
    let begin =
        || (Clerk::new(game), Playing::default(), BotPlayers::stopped_by(&progress.stop, game, &batch.seats));
    let chunk_size = (batch.games / (PARTS * batch.threads.max(1) as u64)).clamp(1, CHUNK);
    let chunks = batch.games.div_ceil(chunk_size);
    let parts = workers::share_out(batch.threads, chunks, &progress.stop, begin, |kept, chunk| {
        let (clerk, playing, seated) = kept;
        let first = chunk * chunk_size;
        for number in first..batch.games.min(first.saturating_add(chunk_size)) {
            if progress.is_stopped() {
                return;
            }
            if clerk.game(batch, number, playing, seated) {
                progress.advance(1);
            }
        }
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
    /// The game that is being played; it counts when it is over.
    now: Running,
    turn: u16,
}

/// What has happened in a game so far.
#[derive(Default)]
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
    fn new(game: &'a G) -> Self {
        let totals = Totals::new(game);
        let now = Running { seen: vec![(0, 0); totals.counters.len()], ..Running::default() };
        Self { game, now, totals, turn: 0 }
    }

    /// Plays a game. Whether it came to its end.
    fn game(
        &mut self,
        batch: &Batch,
        number: u64,
        playing: &mut Playing<G>,
        seated: &mut BotPlayers<'_, G>,
    ) -> bool {
        let mut dice = LabDice::for_game(batch.seed, number);
        let mut state = self.game.start();
        let game = self.game;
        self.turn = game.turn(&state);
        self.now.begin();
        if batch.seats.iter().all(|bot| *bot == BotKind::Random) {
            playing.to_the_end(game, &mut state, &mut Random, &mut dice, self);
        } else {
            seated.begin();
            playing.to_the_end(game, &mut state, seated, &mut dice, self);
        }
        let over = game.mover(&state) == Mover::Nobody;
        if over {
            self.now.metric.push((self.turn, game.metric(&state)));
            self.close(&state);
        }
        over
    }

    fn close(&mut self, state: &G::State) {
        let totals = &mut self.totals;
        totals.games += 1;
        totals.turns += u64::from(self.turn);
        totals.decisions += self.now.decisions;
        totals.choices += self.now.choices;
        totals.draws += self.now.draws;
        for &(turn, value) in &self.now.metric {
            totals.note_metric(turn, value);
        }
        let mut first = Standing::Draw;
        if let Some(outcome) = self.game.outcome(state) {
            totals.outcomes[usize::from(outcome.0)] += 1;
            let result = &self.game.results()[usize::from(outcome.0)];
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
                counter.note_first(first_turn);
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
    fn drew(&mut self) {
        self.now.draws += 1;
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
