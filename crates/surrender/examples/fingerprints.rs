//! Fingerprints of random games, to compare before and after a change that must not change the game:
//! `cargo run --release -p surrender --example fingerprints [SCENARIO [GAMES [DIGESTS]]]`. One line a set-up: how many
//! steps its games had, and one number for everything that was listed, in order, and for the position after every `DIGESTS`
//! steps and at the end. Measured beside it, where the system tells it: the time of the processor.

use std::hash::{DefaultHasher, Hash, Hasher};

use kernel::{Dice, DigestFormat, Discard, Game, LabDice, Mover, Options};
use surrender::Surrender;

/// A set-up: scenario, options, and how many games are played of it unless somebody says so.
type Played = (&'static str, &'static [(&'static str, &'static str)], u64);

/// Every set-up.
const SETUPS: [Played; 12] = [
    ("poland-1939", &[], 400),
    ("poland-1939", &[("commit", "open")], 100),
    ("scandinavia-1940", &[], 200),
    ("france-1940", &[], 40),
    ("balkans-1941", &[], 60),
    ("balkans-1941", &[("commit", "open")], 30),
    ("france-1944", &[], 30),
    ("ussr-1941", &[], 8),
    ("main-event-1939", &[], 8),
    ("main-event-1939", &[("politics", "historical")], 4),
    ("main-event-1939", &[("timeline", "variable"), ("commit", "open")], 4),
    ("main-event-1939", &[("politics", "historical"), ("timeline", "variable")], 3),
];

fn main() {
    let mut arguments = std::env::args().skip(1);
    let chosen = arguments.next().filter(|word| word != "all");
    let games: Option<u64> = arguments.next().and_then(|text| text.parse().ok()).filter(|games| *games > 0);
    let digests: u64 = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(200);
    for (scenario, more, usual) in SETUPS {
        if chosen.as_deref().is_some_and(|chosen| chosen != scenario) {
            continue;
        }
        let mut options = Options::from([("scenario".to_owned(), scenario.to_owned())]);
        options.extend(more.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())));
        let game = Surrender::with_options(&options).expect("a scenario of ours");
        let began = processor_time();
        let mut hasher = DefaultHasher::new();
        let steps: u64 =
            (0..games.unwrap_or(usual)).map(|number| play(&game, number, digests, &mut hasher)).sum();
        let took = processor_time().zip(began).map(|(end, begin)| end - begin);
        println!("{scenario} {more:?}: {steps} steps, {:016x}", hasher.finish());
        if let Some(nanoseconds) = took {
            eprintln!("  {:.3} s, {:.0} ns a step", nanoseconds / 1e9, nanoseconds / steps as f64);
        }
    }
}

/// Plays a random game into a hasher and tells its steps.
fn play(game: &Surrender, number: u64, digests: u64, hasher: &mut DefaultHasher) -> u64 {
    let mut dice = LabDice::for_game(1, number);
    let mut state = game.start();
    let (mut listed, mut steps) = (Vec::new(), 0);
    loop {
        let choice = match game.mover(&state) {
            Mover::Nobody => break,
            Mover::Fate => game.drawn(&state, dice.below(game.tickets(&state))),
            Mover::Seat(_) => {
                listed.clear();
                game.choices(&state, &mut listed);
                if digests != 0 {
                    listed.hash(hasher);
                }
                listed[dice.below(listed.len() as u32) as usize]
            }
        };
        game.apply(&mut state, choice, &mut Discard);
        steps += 1;
        if digests != 0 && steps % digests == 0 {
            game.digest(&state, DigestFormat::V2).to_string().hash(hasher);
        }
    }
    game.digest(&state, DigestFormat::V2).to_string().hash(hasher);
    steps
}

/// Nanoseconds that this thread has had a processor, where the system tells them.
fn processor_time() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok()
}
