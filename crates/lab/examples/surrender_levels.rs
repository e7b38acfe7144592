//! How strong a bot of Unconditional Surrender! is against another, in every seat and with the same dice, and how long it thinks:
//!
//! ```text
//! cargo run --release -p lab --example surrender_levels -- general staff balkans-1941 50 [SEED] [option=value …]
//! ```
//! The number is that of rounds: one game for each seat of the first bot. A draw is half a win; the interval is one of 95 % and
//! is taken over rounds. `plan:2` is a bot that follows one plan of the search throughout.

use std::time::Instant;

use bots::{Bot as _, BotKind, Player};
use kernel::{Dice as _, Discard, Game as _, Judgement as _, LabDice, Mover, Options, Standing, Viewer};
use surrender::{Memory, Surrender};

/// Somebody who plays a seat.
#[allow(clippy::large_enum_variant, reason = "there are two of them")]
enum Someone {
    Bot(Player<Surrender>),
    Plan(usize, Memory),
}

impl Someone {
    fn named(word: &str) -> Self {
        match word.strip_prefix("plan:").and_then(|number| number.parse().ok()) {
            Some(plan) => Self::Plan(plan, Memory::default()),
            None => Self::Bot(Player::new(
                BotKind::parse::<Surrender>(word).unwrap_or_else(|why| panic!("{why}")),
            )),
        }
    }
}

/// Nanoseconds that this thread has been on a processor, or since the start where the system does not tell.
fn busy(start: Instant) -> u64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let told = told.and_then(|text| text.split_whitespace().next()?.parse().ok());
    told.unwrap_or_else(|| start.elapsed().as_nanos() as u64)
}

/// The score of the first bot in a seat, and how long each of its longer choices took.
fn play(game: &Surrender, words: [&str; 2], seat: usize, seed: u64, round: u64, times: &mut Vec<u64>) -> f64 {
    let start = Instant::now();
    let (mut fate, mut whims) = (LabDice::for_game(seed, round), LabDice::for_game(seed ^ 0x5eed, round));
    let mut players: Vec<Someone> =
        (0..game.seats().len()).map(|at| Someone::named(words[usize::from(at != seat)])).collect();
    let (mut state, mut choices) = (game.start(), Vec::new());
    loop {
        let choice = match game.mover(&state) {
            Mover::Nobody => break,
            Mover::Fate => game.drawn(&state, fate.below(game.tickets(&state))),
            Mover::Seat(mover) => {
                choices.clear();
                game.choices(&state, &mut choices);
                let view = game.view(&state, Viewer::Seat(mover));
                let is_long = mover.index() == seat && game.is_crossroads(&view, &choices);
                let begun = if is_long { busy(start) } else { 0 };
                let at = match &mut players[mover.index()] {
                    Someone::Bot(bot) => bot.choose(game, &view, &choices, &mut whims),
                    Someone::Plan(plan, memory) => {
                        game.follow(*plan, memory, &view, &choices, &mut whims, None)
                    }
                };
                if is_long {
                    times.push(busy(start) - begun);
                }
                choices[at]
            }
        };
        game.apply(&mut state, choice, &mut Discard);
    }
    let outcome = game.outcome(&state).expect("a game ends");
    match game.results()[usize::from(outcome.0)].standings[seat] {
        Standing::Win => 1.0,
        Standing::Draw => 0.5,
        Standing::Loss => 0.0,
    }
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let plain: Vec<&str> = words.iter().map(String::as_str).filter(|word| !word.contains('=')).collect();
    let [first, second, scenario, rounds, ..] = plain[..] else {
        panic!("FIRST SECOND SCENARIO ROUNDS [SEED]")
    };
    let rounds: u64 = rounds.parse().expect("a number of rounds");
    let seed: u64 = plain.get(4).map_or(1, |seed| seed.parse().expect("a seed"));
    // No further round is begun after so many seconds.
    let limit: Option<u64> = plain.get(5).map(|limit| limit.parse().expect("seconds"));
    let mut options = Options::from([("scenario".to_owned(), scenario.to_owned())]);
    options.extend(
        words.iter().filter_map(|word| word.split_once('=')).map(|(k, v)| (k.to_owned(), v.to_owned())),
    );
    let game = Surrender::with_options(&options).unwrap_or_else(|why| panic!("{why}"));
    let seats = game.seats().len();
    let (mut by_seat, mut means, mut times) = (vec![0.0; seats], Vec::new(), Vec::new());
    let clock = Instant::now();
    for round in 0..rounds {
        if limit.is_some_and(|limit| clock.elapsed().as_secs() > limit) {
            break;
        }
        let scores: Vec<f64> =
            (0..seats).map(|seat| play(&game, [first, second], seat, seed, round, &mut times)).collect();
        by_seat.iter_mut().zip(&scores).for_each(|(sum, score)| *sum += score);
        means.push(scores.iter().sum::<f64>() / seats as f64);
    }
    let rounds = means.len() as u64;
    let mean = means.iter().sum::<f64>() / rounds as f64;
    let spread = means.iter().map(|score| (score - mean).powi(2)).sum::<f64>() / (rounds.max(2) - 1) as f64;
    let half = 1.96 * (spread / rounds as f64).sqrt();
    times.sort_unstable();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize] as f64 / 1e9;
    print!(
        "{first} v {second}, {scenario}, {} games: {:.1} % ± {:.1};",
        rounds * seats as u64,
        mean * 100.0,
        half * 100.0
    );
    for (info, sum) in game.seats().iter().zip(by_seat) {
        print!(" {} {:.1} %", info.word, sum * 100.0 / rounds as f64);
    }
    let total: u64 = times.iter().sum();
    println!(
        "; {:.1} long choices a game, {:.3} s median, {:.3} s in 99 of 100, {:.3} s at most, {:.1} s a game",
        times.len() as f64 / (rounds * seats as u64) as f64,
        at(0.5),
        at(0.99),
        at(1.0),
        total as f64 / 1e9 / (rounds * seats as u64) as f64
    );
}
