//! Fits the value of positions of Triumph & Tragedy to results, and writes the table `crates/triumph/src/value_weights.rs`:
//!
//! ```text
//! cargo run --release -p lab --example triumph_value > weights.rs
//! ```
//!
//! Positions at the beginning of seasons are taken from games of the quick policy and of the characters, with more or less of
//! slips; the weights are fitted to who won them (a logistic regression over three Factions, by Adam).

use kernel::{Dice as _, Discard, Effort, Game as _, Judgement, LabDice, Mover, Standing, Viewer};
use triumph::{Faction, OMENS, Rules, State, Triumph};

/// Games from which positions are taken, and those with which the weights are tried.
const GAMES: u64 = 6_000;
const TRIALS: u64 = 1_000;
/// Percent of choices that are made at random, by game.
const SLIPS_PERCENT: [u32; 4] = [0, 0, 1, 4];
/// One season in so many is taken from a game.
const THINNING: u32 = 4;
/// How strongly weights are held at nothing.
const RIDGE: f64 = 2e-4;
/// Passes over all positions, and positions of one step.
const PASSES: usize = 40;
const BATCH: usize = 256;

/// A position: the omens of the three, the time left, and what each got.
struct Sample {
    omens: [[f32; OMENS]; 3],
    times: [f32; 3],
    shares: [f64; 3],
}

type Weights = [[f64; 3]; OMENS];

fn main() {
    let game = Triumph::with_options(&kernel::Options::new()).expect("the plain game");
    let samples = gather(&game, 1, GAMES);
    let weights = fit(&samples);
    let trials = gather(&game, 2, TRIALS);
    println!(
        "//! What the omens weigh: always, more for the share of the game still to come, and more as its end comes near.\n"
    );
    println!("use crate::value::OMENS;\n");
    println!("/// Found by `cargo run --release -p lab --example triumph_value`.");
    println!("pub(crate) const WEIGHTS: [[f32; 3]; OMENS] = [");
    for [always, early, late] in &weights {
        println!("    [{always:.3}, {early:.3}, {late:.3}],");
    }
    println!("];");
    eprintln!(
        "{} positions; mean log loss {:.4}, on {} fresh ones {:.4} (guessing: {:.4})",
        samples.len(),
        loss(&weights, &samples),
        trials.len(),
        loss(&weights, &trials),
        3.0_f64.ln()
    );
}

/// Positions of games, with their results.
fn gather(game: &Triumph, seed: u64, games: u64) -> Vec<Sample> {
    let own = Triumph::bots().len() as u32;
    let mut samples = Vec::new();
    let mut choices = Vec::new();
    for number in 0..games {
        let mut dice = LabDice::for_game(seed, number);
        let slips = SLIPS_PERCENT[number as usize % SLIPS_PERCENT.len()];
        // The quick policy in most seats, a character in some.
        let who = [(); 3].map(|()| if dice.below(2) == 0 { 0 } else { dice.below(own) as usize });
        let first = samples.len();
        let (mut state, mut turn) = (game.start(), 0);
        loop {
            let now = game.turn(&state);
            if now != turn {
                turn = now;
                if turn > 1 && state.verdict.is_none() && dice.below(THINNING) == 0 {
                    samples.push(sample(game.rules(), &state));
                }
            }
            let choice = match game.mover(&state) {
                Mover::Nobody => break,
                Mover::Fate => game.drawn(&state, dice.below(game.tickets(&state))),
                Mover::Seat(seat) => {
                    choices.clear();
                    game.choices(&state, &mut choices);
                    let pick = if choices.len() == 1 {
                        0
                    } else if dice.below(100) < slips {
                        dice.below(choices.len() as u32) as usize
                    } else {
                        let view = game.view(&state, Viewer::Seat(seat));
                        let effort = Effort::Bot(who[seat.index()]);
                        game.policy(effort, &mut Default::default(), &view, &choices, &mut dice, None)
                    };
                    choices[pick]
                }
            };
            game.apply(&mut state, choice, &mut Discard);
        }
        let outcome = game.outcome(&state).expect("a game ends");
        let standings = &game.results()[usize::from(outcome.0)].standings;
        let winners = standings.iter().filter(|standing| **standing != Standing::Loss).count() as f64;
        for sample in &mut samples[first..] {
            for (share, standing) in sample.shares.iter_mut().zip(standings) {
                *share = if *standing == Standing::Loss { 0.0 } else { 1.0 / winners };
            }
        }
    }
    samples
}

fn sample(rules: &Rules, state: &State) -> Sample {
    let omens = Faction::ALL.map(|faction| rules.omens(state, faction));
    let [left, last] = Rules::time_left(state);
    Sample { omens, times: [1.0, left, last], shares: [0.0; 3] }
}

/// The chances of the three.
fn chances(weights: &Weights, sample: &Sample) -> [f64; 3] {
    let sums = sample.omens.map(|omens| {
        let weighed = omens.iter().zip(weights).map(|(omen, weights)| {
            let weight: f64 = weights.iter().zip(sample.times).map(|(w, time)| w * f64::from(time)).sum();
            f64::from(*omen) * weight
        });
        weighed.sum::<f64>()
    });
    let most = sums.iter().copied().fold(f64::MIN, f64::max);
    let odds = sums.map(|sum| (sum - most).exp());
    let all: f64 = odds.iter().sum();
    odds.map(|odds| odds / all)
}

fn loss(weights: &Weights, samples: &[Sample]) -> f64 {
    let total: f64 = samples
        .iter()
        .map(|sample| {
            let chances = chances(weights, sample);
            chances
                .iter()
                .zip(sample.shares)
                .map(|(chance, share)| -share * chance.max(1e-9).ln())
                .sum::<f64>()
        })
        .sum();
    total / samples.len() as f64
}

/// The weights with the least loss.
fn fit(samples: &[Sample]) -> Weights {
    let mut weights: Weights = [[0.0; 3]; OMENS];
    let (mut mean, mut square) = ([[0.0; 3]; OMENS], [[0.0; 3]; OMENS]);
    let mut dice = LabDice::new(7);
    let steps = PASSES * samples.len() / BATCH;
    for step in 1..=steps {
        let mut slope = [[0.0; 3]; OMENS];
        for _ in 0..BATCH {
            let sample = &samples[dice.below(samples.len() as u32) as usize];
            let chances = chances(&weights, sample);
            for ((omens, chance), share) in sample.omens.iter().zip(chances).zip(sample.shares) {
                let miss = (chance - share) / BATCH as f64;
                for (slope, omen) in slope.iter_mut().zip(omens) {
                    for (slope, time) in slope.iter_mut().zip(sample.times) {
                        *slope += miss * f64::from(*omen * time);
                    }
                }
            }
        }
        let pace = 0.01 * (1.0 - step as f64 / (steps + 1) as f64);
        for at in 0..OMENS {
            for side in 0..3 {
                let slope = slope[at][side] + RIDGE * weights[at][side];
                mean[at][side] = 0.9 * mean[at][side] + 0.1 * slope;
                square[at][side] = 0.999 * square[at][side] + 0.001 * slope * slope;
                let unbiased = square[at][side] / (1.0 - 0.999_f64.powi(step as i32));
                weights[at][side] -= pace * mean[at][side] / (unbiased.sqrt() + 1e-8);
            }
        }
    }
    weights
}
