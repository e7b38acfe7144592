//! Fits the value of positions of Unconditional Surrender! to results, scenario by scenario, and writes the table
//! `crates/surrender/src/value_weights.rs`:
//!
//! ```text
//! cargo run --release -p lab --example surrender_value > value_weights.rs
//! ```
//!
//! Positions at the beginning of turns and in between are taken from games of the staff and its plans, with more or less of
//! slips; the weights are fitted to who won them (a logistic regression by Newton's method).

use kernel::{
    Dice as _, Discard, Game as _, Judgement as _, LabDice, Mover, Options, Seat, Standing, Viewer,
};
use surrender::{Memory, OMENS, Surrender};

/// The scenarios, and from how many games positions are taken; a quarter as many try the weights.
const SCENARIOS: [(&str, u64); 6] = [
    ("poland-1939", 3_000),
    ("scandinavia-1940", 3_000),
    ("france-1940", 1_600),
    ("balkans-1941", 2_000),
    ("ussr-1941", 240),
    ("france-1944", 1_000),
];
/// Thousandths of choices that are made at random, by game.
const SLIPS: [u32; 4] = [0, 5, 20, 60];
/// One decision in so many is a sample, besides the beginnings of turns.
const THINNING: u32 = 60;
/// How strongly weights are held at nothing, for a game.
const RIDGE: f64 = 0.02;
/// Steps of Newton's method.
const STEPS: usize = 12;
/// Weights of a scenario.
const WEIGHTS: usize = 2 * OMENS;

/// A position: its omens, once as they are and once by how late it is, what the Axis got, and how much it counts.
struct Sample {
    omens: [f64; WEIGHTS],
    share: f64,
    counts: f64,
}

fn main() {
    println!("//! What the omens weigh in each scenario: always, and more as its end comes near.\n");
    println!("use crate::value::OMENS;\n");
    println!("/// The weights of a scenario; those of all scenarios together for one that is not known.");
    println!("pub(crate) fn of(scenario: &str) -> &'static [[f32; 2]; OMENS] {{");
    println!("    WEIGHTS.iter().find(|(id, _)| *id == scenario).map_or(&ALL, |(_, weights)| weights)\n}}\n");
    println!("// Found by `cargo run --release -p lab --example surrender_value`.\n");
    let (mut all, mut tables) = (Vec::new(), String::new());
    for (scenario, games) in SCENARIOS {
        let options = Options::from([("scenario".to_owned(), scenario.to_owned())]);
        let game = Surrender::with_options(&options).expect("a scenario of ours");
        let samples = gather(&game, 1, games);
        let weights = fit(&samples);
        let trials = gather(&game, 2, games / 4);
        let [fitted, tried] = [&samples, &trials].map(|samples| loss(&weights, samples));
        eprintln!(
            "{scenario}: {} positions of {games} games; log loss {fitted:.3}, on fresh ones {tried:.3} (guessing the mean: {:.3})",
            samples.len(),
            guessing(&trials)
        );
        tables.push_str(&format!("    (\"{scenario}\", {}),\n", table(&weights, "        ")));
        all.extend(samples);
    }
    println!("/// All scenarios together.\nconst ALL: [[f32; 2]; OMENS] = {};\n", table(&fit(&all), "    "));
    println!(
        "/// By scenario.\nconst WEIGHTS: [(&str, [[f32; 2]; OMENS]); {}] = [\n{tables}];",
        SCENARIOS.len()
    );
}

fn table(weights: &[f64; WEIGHTS], indent: &str) -> String {
    let rows: Vec<String> =
        (0..OMENS).map(|at| format!("[{:.3}, {:.3}]", weights[at], weights[OMENS + at])).collect();
    format!("[\n{indent}{},\n{}]", rows.join(&format!(",\n{indent}")), &indent[4..])
}

/// Positions of games, with their results. All positions of a game together count as one.
fn gather(game: &Surrender, seed: u64, games: u64) -> Vec<Sample> {
    let (mut samples, mut choices) = (Vec::new(), Vec::new());
    for number in 0..games {
        let mut dice = LabDice::for_game(seed, number);
        let slips = SLIPS[number as usize % SLIPS.len()];
        let plans =
            [(); 3].map(|()| if dice.below(2) == 0 { 0 } else { dice.below(game.plans() as u32) as usize });
        let mut minds: [Memory; 3] = Default::default();
        let first = samples.len();
        let (mut state, mut turn) = (game.start(), 1);
        loop {
            let now = game.turn(&state);
            let mover = game.mover(&state);
            if mover != Mover::Nobody && (now != turn || dice.below(THINNING) == 0) {
                turn = now;
                let (omens, late) = (game.rules().omens(&state), f64::from(game.rules().lateness(&state)));
                let mut both = [0.0; WEIGHTS];
                for (at, omen) in omens.into_iter().enumerate() {
                    both[at] = f64::from(omen);
                    both[OMENS + at] = f64::from(omen) * late;
                }
                samples.push(Sample { omens: both, share: 0.0, counts: 1.0 });
            }
            let choice = match mover {
                Mover::Nobody => break,
                Mover::Fate => game.drawn(&state, dice.below(game.tickets(&state))),
                Mover::Seat(seat) => {
                    choices.clear();
                    game.choices(&state, &mut choices);
                    let view = game.view(&state, Viewer::Seat(seat));
                    let mind = &mut minds[seat.index()];
                    let pick = if choices.len() == 1 {
                        0
                    } else if dice.below(1000) < slips {
                        dice.below(choices.len() as u32) as usize
                    } else {
                        game.follow(plans[seat.index()], mind, &view, &choices, &mut dice, None)
                    };
                    choices[pick]
                }
            };
            game.apply(&mut state, choice, &mut Discard);
        }
        let outcome = game.outcome(&state).expect("a game ends");
        let share = match game.results()[usize::from(outcome.0)].standings[Seat(0).index()] {
            Standing::Win => 1.0,
            Standing::Draw => 0.5,
            Standing::Loss => 0.0,
        };
        let counts = 1.0 / (samples.len() - first).max(1) as f64;
        for sample in &mut samples[first..] {
            (sample.share, sample.counts) = (share, counts);
        }
    }
    samples
}

fn chance(weights: &[f64; WEIGHTS], sample: &Sample) -> f64 {
    let logit: f64 = weights.iter().zip(sample.omens).map(|(weight, omen)| weight * omen).sum();
    1.0 / (1.0 + (-logit).exp())
}

fn log_loss(chance: f64, share: f64) -> f64 {
    let chance = chance.clamp(1e-9, 1.0 - 1e-9);
    -share * chance.ln() - (1.0 - share) * (1.0 - chance).ln()
}

fn loss(weights: &[f64; WEIGHTS], samples: &[Sample]) -> f64 {
    let all: f64 = samples.iter().map(|sample| sample.counts).sum();
    samples.iter().map(|sample| sample.counts * log_loss(chance(weights, sample), sample.share)).sum::<f64>()
        / all
}

/// The loss of somebody who always says the mean.
fn guessing(samples: &[Sample]) -> f64 {
    let all: f64 = samples.iter().map(|sample| sample.counts).sum();
    let mean = samples.iter().map(|sample| sample.counts * sample.share).sum::<f64>() / all;
    samples.iter().map(|sample| sample.counts * log_loss(mean, sample.share)).sum::<f64>() / all
}

/// The weights with the least loss.
fn fit(samples: &[Sample]) -> [f64; WEIGHTS] {
    let games: f64 = samples.iter().map(|sample| sample.counts).sum();
    let mut weights = [0.0; WEIGHTS];
    for _ in 0..STEPS {
        let mut slope = [0.0; WEIGHTS];
        let mut bend = [[0.0; WEIGHTS]; WEIGHTS];
        for sample in samples {
            let chance = chance(&weights, sample);
            let (miss, width) =
                (sample.counts * (chance - sample.share), sample.counts * chance * (1.0 - chance));
            for row in 0..WEIGHTS {
                slope[row] += miss * sample.omens[row];
                for (bend, omen) in bend[row].iter_mut().zip(sample.omens) {
                    *bend += width * sample.omens[row] * omen;
                }
            }
        }
        for at in 0..WEIGHTS {
            slope[at] += RIDGE * games.sqrt() * weights[at];
            bend[at][at] += RIDGE * games.sqrt();
        }
        let step = solve(bend, slope);
        weights.iter_mut().zip(step).for_each(|(weight, step)| *weight -= step);
    }
    weights
}

/// Solves a system of equations by elimination.
fn solve(mut rows: [[f64; WEIGHTS]; WEIGHTS], mut right: [f64; WEIGHTS]) -> [f64; WEIGHTS] {
    for at in 0..WEIGHTS {
        let pivot =
            (at..WEIGHTS).max_by(|a, b| rows[*a][at].abs().total_cmp(&rows[*b][at].abs())).unwrap_or(at);
        rows.swap(at, pivot);
        right.swap(at, pivot);
        for row in at + 1..WEIGHTS {
            let factor = rows[row][at] / rows[at][at];
            let above = rows[at];
            rows[row].iter_mut().zip(above).skip(at).for_each(|(one, above)| *one -= factor * above);
            right[row] -= factor * right[at];
        }
    }
    for at in (0..WEIGHTS).rev() {
        let known: f64 = (at + 1..WEIGHTS).map(|column| rows[at][column] * right[column]).sum();
        right[at] = (right[at] - known) / rows[at][at];
    }
    right
}
