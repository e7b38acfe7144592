//! How fast a game plays on one core, and where the time goes.

use std::hint::black_box;
use std::time::Duration;

use bots::{BotKind, Random};
use kernel::{CompleteGame, Dice, Discard, EventSink, Game, LabDice, Match, MatchDice, Mover, Names, Table};
use serde::Serialize;

use crate::playing::{BotPlayers, Observer, Players, Playing, Unobserved};
use crate::stopwatch::{Stopwatch, Took};

/// Games that are played to count decisions, and decisions after which no further game is begun.
const COUNTED_GAMES: u64 = 5_000;
const COUNTED_DECISIONS: u64 = 300_000;
/// Games whose positions are kept for the breakdown, and the room that these may take.
const SAMPLED_GAMES: u64 = 500;
const SAMPLED_BYTES: usize = 64 << 20;

/// Speed of one game on one core, uniformly random choices.
#[derive(Clone, Debug, Serialize)]
pub struct BenchReport {
    /// The game.
    pub game: &'static str,
    /// Complete games per second through the typed kernel: choices listed, Fate drawn, choices played.
    pub games_per_s: f64,
    /// Decisions of seats per second.
    pub decisions_per_s: f64,
    /// The same games and decisions per second of the processor, which other work on the machine hardly changes; `None` where
    /// the system does not tell.
    pub games_per_processor_s: Option<f64>,
    /// See above.
    pub decisions_per_processor_s: Option<f64>,
    /// Draws of Fate per game.
    pub draws_per_game: f64,
    /// Decisions of seats per game.
    pub decisions_per_game: f64,
    /// Choices per decision.
    pub choices_per_decision: f64,
    /// Complete games per second through the type-erased table: choices listed and played by number, every step logged
    /// with its digest.
    pub erased_games_per_s: f64,
    /// The same by name, as texts come over a wire.
    pub named_games_per_s: f64,
    /// Complete games per second with the greedy bot.
    pub greedy_games_per_s: f64,
    /// Bytes of a position.
    pub state_bytes: usize,
    /// Nanoseconds to copy a position.
    pub copy_ns: f64,
    /// Nanoseconds to list the choices of a decision.
    pub listing_ns: f64,
    /// Nanoseconds of a game by part, measured apart.
    pub nanoseconds_per_game: Breakdown,
}

/// Where the time of a random game goes.
#[derive(Clone, Debug, Serialize)]
pub struct Breakdown {
    /// All of it.
    pub whole: f64,
    /// Taking numbers from the stream.
    pub dice: f64,
    /// Listing what the seats may choose.
    pub listing: f64,
    /// Playing what the seats chose.
    pub playing: f64,
    /// Playing what Fate drew.
    pub fate: f64,
}

/// Measures one game for about as long as asked (split over the measurements).
pub fn measure<G: CompleteGame>(game: &G, time: Duration) -> BenchReport {
    let counts = count(game);
    let typed = games_per_second(time / 2, |first, games| play_typed(game, &mut Random, first, games));
    let erased = games_per_second(time / 12, |first, games| play_erased(game, first, games));
    let named = games_per_second(time / 12, |first, games| play_named(game, first, games));
    let mut greedy_bots = BotPlayers::new(game, &[BotKind::Greedy]);
    let greedy = games_per_second(time / 6, |first, games| {
        play_typed(game, &mut greedy_bots, first, games);
    });
    let (breakdown, copy_ns) = breakdown(game, &counts, 1e9 / typed.worked(), time / 6);
    let listing_ns = breakdown.listing / counts.decisions_per_game();
    BenchReport {
        game: G::ID,
        games_per_s: typed.wall,
        decisions_per_s: typed.wall * counts.decisions_per_game(),
        games_per_processor_s: typed.processor,
        decisions_per_processor_s: typed.processor.map(|games| games * counts.decisions_per_game()),
        draws_per_game: counts.draws_per_game(),
        decisions_per_game: counts.decisions_per_game(),
        choices_per_decision: counts.choices as f64 / counts.decisions as f64,
        erased_games_per_s: erased.wall,
        named_games_per_s: named.wall,
        greedy_games_per_s: greedy.wall,
        state_bytes: size_of::<G::State>(),
        copy_ns,
        listing_ns,
        nanoseconds_per_game: breakdown,
    }
}

/// Plays `games` games through the typed kernel.
pub fn play_typed<G: CompleteGame, P: Players<G>>(game: &G, players: &mut P, first: u64, games: u64) {
    let mut playing = Playing::default();
    for number in first..first + games {
        let mut dice = LabDice::for_game(1, number);
        let mut state = game.start();
        playing.to_the_end(game, &mut state, players, &mut dice, &mut Unobserved);
        black_box(&state);
    }
}

/// Plays `games` random games through the type-erased table, by the number of each choice.
pub fn play_erased<G: CompleteGame>(game: &G, first: u64, games: u64) {
    for number in first..first + games {
        let mut dice = LabDice::for_game(1, number);
        let mut table: Box<dyn Table> = Box::new(Match::new(game.clone(), MatchDice::Own));
        loop {
            // The dice of the lab stand in for a person's, as the table has none of its own.
            let count = table.offer_count();
            if count == 0 || table.play_nth(dice.below(count as u32) as usize, None).is_err() {
                break;
            }
        }
        black_box(table.steps());
    }
}

/// Plays `games` random games through the type-erased table, by the name of each choice.
pub fn play_named<G: CompleteGame>(game: &G, first: u64, games: u64) {
    let mut names = Names::default();
    for number in first..first + games {
        let mut dice = LabDice::for_game(1, number);
        let mut table: Box<dyn Table> = Box::new(Match::new(game.clone(), MatchDice::Own));
        loop {
            table.offer_names(&mut names);
            let played = match table.mover() {
                Mover::Nobody => break,
                // The dice of the lab stand in for a person's, as the table has none of its own.
                Mover::Fate => table.fate(Some(names.get(dice.below(names.len() as u32) as usize)), None),
                Mover::Seat(seat) => {
                    table.play(seat, names.get(dice.below(names.len() as u32) as usize), None)
                }
            };
            if played.is_err() {
                break;
            }
        }
        black_box(table.steps());
    }
}

/// How many rounds are measured.
const ROUNDS: u32 = 8;

/// Games per second, by the clock on the wall and on the processor.
struct Speed {
    wall: f64,
    processor: Option<f64>,
}

impl Speed {
    fn of(games: u64, took: Took) -> Self {
        let speed = |time: Duration| games as f64 / time.as_secs_f64();
        Self { wall: speed(took.wall), processor: took.processor.map(speed) }
    }

    /// On the processor, or by the clock on the wall where the system does not tell.
    fn worked(&self) -> f64 {
        self.processor.unwrap_or(self.wall)
    }
}

/// Finds a number of games that fills a round, then takes the best of several rounds: other work on the machine makes a
/// round slower, never faster.
fn games_per_second(time: Duration, mut play: impl FnMut(u64, u64)) -> Speed {
    let round_time = time / (ROUNDS + 2);
    let mut games = 1;
    let mut round = |first: u64, games: u64| {
        let watch = Stopwatch::start();
        play(first, games);
        watch.read()
    };
    let mut best = round(0, games);
    while best.wall < round_time / 2 {
        games *= 2;
        best = round(0, games);
    }
    for number in 1..u64::from(ROUNDS) {
        best = best.best(round(number * games, games));
    }
    Speed::of(games, best)
}

#[derive(Default)]
struct Counts {
    games: u64,
    decisions: u64,
    choices: u64,
    draws: u64,
}

impl Counts {
    fn decisions_per_game(&self) -> f64 {
        self.decisions as f64 / self.games as f64
    }

    fn draws_per_game(&self) -> f64 {
        self.draws as f64 / self.games as f64
    }
}

impl<N> EventSink<N> for Counts {
    fn emit_to(&mut self, _: kernel::Audience, _: impl FnOnce() -> N) {}
}

impl<G: CompleteGame> Observer<G> for Counts {
    fn decided(&mut self, choices: usize) {
        self.decisions += 1;
        self.choices += choices as u64;
    }
    fn drew(&mut self) {
        self.draws += 1;
    }
    fn after(&mut self, _: &G, _: &G::State) {}
}

fn count<G: CompleteGame>(game: &G) -> Counts {
    let mut counts = Counts::default();
    let mut playing = Playing::default();
    for number in 0..COUNTED_GAMES {
        if counts.decisions >= COUNTED_DECISIONS {
            break;
        }
        let mut dice = LabDice::for_game(1, number);
        let mut state = game.start();
        playing.to_the_end(game, &mut state, &mut Random, &mut dice, &mut counts);
        counts.games += 1;
    }
    counts
}

/// Keeps the positions of some games and times each kind of work on them alone; the time to copy one comes with it.
fn breakdown<G: CompleteGame>(game: &G, counts: &Counts, whole: f64, time: Duration) -> (Breakdown, f64) {
    let (seats, fates) = positions(game);
    let part = time / 5;
    let mut buffer = Vec::with_capacity(64);
    let listing = nanoseconds_per_item(part, &seats, |(state, _)| {
        buffer.clear();
        game.choices(state, &mut buffer);
        black_box(buffer.len());
    });
    let play = |(state, choice): &(G::State, G::Choice)| {
        let mut next = state.clone();
        game.apply(&mut next, *choice, &mut Discard);
        black_box(&next);
    };
    let playing = nanoseconds_per_item(part, &seats, play);
    let fate = nanoseconds_per_item(part, &fates, play);
    let copy = nanoseconds_per_item(part, &seats, |(state, _)| {
        black_box(state.clone());
    });
    let mut dice = LabDice::new(1);
    let roll = nanoseconds_per_item(part, &[6_u32; 4_096], |&bound| {
        black_box(dice.below(bound));
    });
    let (decisions, draws) = (counts.decisions_per_game(), counts.draws_per_game());
    let breakdown = Breakdown {
        whole,
        dice: roll * (decisions + draws),
        listing: listing * decisions,
        playing: playing * decisions,
        fate: fate * draws,
    };
    (breakdown, copy)
}

type Positions<G> = Vec<(<G as Game>::State, <G as Game>::Choice)>;

/// Positions with the choice that was made there: of seats and of Fate.
fn positions<G: CompleteGame>(game: &G) -> (Positions<G>, Positions<G>) {
    let (mut seats, mut fates) = (Vec::new(), Vec::new());
    let mut choices = Vec::new();
    let most = (SAMPLED_BYTES / size_of::<(G::State, G::Choice)>().max(1)).max(1_000);
    for number in 0..SAMPLED_GAMES {
        let mut dice = LabDice::for_game(2, number);
        let mut state = game.start();
        while seats.len() + fates.len() < most {
            choices.clear();
            game.choices(&state, &mut choices);
            let (list, choice) = match game.mover(&state) {
                Mover::Nobody => break,
                Mover::Fate => {
                    let ticket = dice.below(game.tickets(&state));
                    (&mut fates, game.drawn(&state, ticket))
                }
                Mover::Seat(_) => (&mut seats, choices[dice.below(choices.len() as u32) as usize]),
            };
            list.push((state.clone(), choice));
            game.apply(&mut state, choice, &mut Discard);
        }
    }
    (seats, fates)
}

fn nanoseconds_per_item<T>(time: Duration, items: &[T], mut work: impl FnMut(&T)) -> f64 {
    let watch = Stopwatch::start();
    let mut rounds = 0_u64;
    while watch.read().wall < time || rounds == 0 {
        items.iter().for_each(&mut work);
        rounds += 1;
    }
    watch.read().worked().as_secs_f64() * 1e9 / (rounds * items.len().max(1) as u64) as f64
}

impl BenchReport {
    /// What the processor needed for it, where the system tells.
    fn on_processor(&self) -> String {
        match (self.games_per_processor_s, self.decisions_per_processor_s) {
            (Some(games), Some(decisions)) => {
                format!("; per second of the processor {games:.0} games, {decisions:.0} decisions")
            }
            _ => String::new(),
        }
    }

    /// The report as text.
    pub fn table(&self) -> String {
        let parts = &self.nanoseconds_per_game;
        format!(
            "{}: one core, uniformly random choices, {} bytes a state\n\
             \x20 typed kernel   {:>12.0} games/s, {:.0} decisions/s{}\n\
             \x20 type-erased    {:>12.0} games/s, by name {:.0} games/s\n\
             \x20 greedy bot     {:>12.0} games/s\n\
             \x20 a game         {:.1} decisions with {:.1} choices each, {:.1} draws of Fate\n\
             \x20 a position     copied in {:.0} ns, its choices listed in {:.0} ns\n\
             \x20 time of a game {:.0} ns; measured apart: dice {:.0}, listing {:.0}, playing choices {:.0}, playing draws {:.0}",
            self.game,
            self.state_bytes,
            self.games_per_s,
            self.decisions_per_s,
            self.on_processor(),
            self.erased_games_per_s,
            self.named_games_per_s,
            self.greedy_games_per_s,
            self.decisions_per_game,
            self.choices_per_decision,
            self.draws_per_game,
            self.copy_ns,
            self.listing_ns,
            parts.whole,
            parts.dice,
            parts.listing,
            parts.playing,
            parts.fate,
        )
    }
}
