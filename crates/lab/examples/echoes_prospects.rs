//! Finds what the positions of Echoes of War promise, and writes the table `crates/echoes/data/prospects.toml`:
//!
//! ```text
//! cargo run --release -p lab --example echoes_prospects > prospects.toml
//! ```
//!
//! From the last turn back to the first: positions at the beginning of a turn are taken from games of the quick policy with
//! more or less of slips, some of them with other fronts, tracks and uses of the Tide of War; a box is drawn for each; the turn is played out in every possible way, the human taking what is
//! best by the table of the next turn; and the weights of the turn are fitted to what comes out (logistic regression).
//! At the end the table plays: the best choice by looking at every way that the present turn can go.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use echoes::ids::{Region, Track};
use echoes::prospects::{CASES, Prospects, each_case, neighbours, turns_to_come};
use echoes::{Choice, Echoes, Edition, Phase, Rules, State};
use kernel::{
    Dice as _, Discard, Effort, Game as _, Judgement, LabDice, Mover, Seat, Standing, Viewer, fingerprint,
};

/// Positions for each turn.
const POSITIONS: usize = 40_000;
/// Games that the finished table plays.
const TRIALS: usize = 4_000;
/// How often the quick policy slips in the games that positions are taken from.
const SLIPS_PERCENT: [u32; 4] = [2, 15, 40, 100];
/// The most uses of the Tide of War that positions are given.
const MOST_TIDE: u32 = 4;
/// How strongly weights are held at nothing, and neighbours at each other.
const RIDGE: f64 = 0.1;
const SMOOTH: f64 = 0.5;
/// Newton's method is near enough after so many steps.
const STEPS: usize = 10;

fn main() {
    println!(
        "# What positions of Echoes of War promise: thousandths of a logit for every case, by turns still to come."
    );
    println!("# Found by `cargo run --release -p lab --example echoes_prospects`; see `echoes::prospects`.");
    for edition in [Edition::Allied, Edition::Axis] {
        let game = Echoes::edition(edition, 1).expect("the plain game");
        let table = find(&game);
        print!("{}", table.to_toml(game.rules().human));
        try_out(&game, &table);
    }
}

/// Works from the last turn back to the first.
fn find(game: &Echoes) -> Prospects {
    let rules = game.rules();
    let positions = gather(game);
    let mut table = Prospects::default();
    for turn in (1..=rules.final_turn).rev() {
        let positions = &positions[usize::from(turn)];
        let worth = on_all_cores(positions.len(), |at| {
            let mut dice = LabDice::for_game(u64::from(turn), at as u64);
            let mut state = positions[at];
            while matches!(state.phase, Phase::Chart | Phase::BoxDie) && state.turn == turn {
                draw(game, &mut state, &mut dice);
            }
            Lookahead::new(game, &table, turn).value(&state)
        });
        let cases: Vec<Vec<usize>> = positions.iter().map(|state| cases_of(game, state)).collect();
        let (weights, missed) = fit(&cases, &worth);
        table.set(turns_to_come(rules, &positions[0]), weights);
        let mean = worth.iter().sum::<f32>() / worth.len() as f32;
        eprintln!(
            "{:?}, turn {turn}: mean {mean:.3}, missed by {missed:.3}, the drawn box included",
            rules.human
        );
    }
    let start = rules.start();
    eprintln!("{:?}: the table promises {:.3} at the start", rules.human, table.score(rules, &start));
    table
}

/// Positions at the beginning of each turn, by turn.
fn gather(game: &Echoes) -> Vec<Vec<State>> {
    let rules = game.rules();
    let mut found: Vec<Vec<State>> = vec![Vec::new(); usize::from(rules.final_turn) + 1];
    let mut dice = LabDice::new(1);
    for slips in SLIPS_PERCENT.into_iter().cycle() {
        if found[1..].iter().all(|of_turn| of_turn.len() >= POSITIONS) {
            break;
        }
        let choose = |state: &State, choices: &[Choice], dice: &mut LabDice| {
            if dice.below(100) < slips {
                return dice.below(choices.len() as u32) as usize;
            }
            game.policy(Effort::Quick, &mut (), &game.view(state, Viewer::Seat(Seat(0))), choices, dice, None)
        };
        play(game, &mut dice, choose, |state, dice| {
            let of_turn = &mut found[usize::from(state.turn)];
            if of_turn.len() < POSITIONS {
                of_turn.push(varied(rules, state, dice));
            }
        });
    }
    found
}

/// The position, or one that the printed set-up seldom leads to: spreads and own books begin elsewhere.
fn varied(rules: &Rules, state: &State, dice: &mut LabDice) -> State {
    let mut state = *state;
    let kind = dice.below(12);
    for _ in 0..[0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 3, 6][kind as usize] {
        let region = Region::ALL[dice.below(6) as usize];
        let step = if dice.below(2) == 0 { 1 } else { -1 };
        let to = state.at(region).saturating_add_signed(step).min(rules.max[region.index()]);
        rules.set_front(&mut state, region, to);
    }
    if kind >= 10 {
        for track in Track::ALL {
            let [least, most] = [rules.track_min, rules.track_max].map(|ends| ends[track.index()]);
            let value = least + dice.below((most - least + 1).unsigned_abs().into()) as i8;
            rules.set_track(&mut state, track, value);
        }
    }
    if kind == 8 || kind == 11 {
        state.tow_left = dice.below(MOST_TIDE + 1) as u8;
    }
    state
}

/// Plays a game and tells every beginning of a turn; returns what it was worth.
fn play(
    game: &Echoes,
    dice: &mut LabDice,
    mut choose: impl FnMut(&State, &[Choice], &mut LabDice) -> usize,
    mut at_turn: impl FnMut(&State, &mut LabDice),
) -> f32 {
    let mut state = game.start();
    let mut choices = Vec::new();
    let mut turn = 0;
    loop {
        if state.turn != turn && state.phase == Phase::Chart {
            turn = state.turn;
            at_turn(&state, dice);
        }
        match game.mover(&state) {
            Mover::Nobody => return worth(game, &state),
            Mover::Fate => draw(game, &mut state, dice),
            Mover::Seat(_) => {
                choices.clear();
                game.choices(&state, &mut choices);
                let pick = if choices.len() == 1 { 0 } else { choose(&state, &choices, dice) };
                game.apply(&mut state, choices[pick], &mut Discard);
            }
        }
    }
}

fn draw(game: &Echoes, state: &mut State, dice: &mut LabDice) {
    let drawn = game.drawn(state, dice.below(game.tickets(state)));
    game.apply(state, drawn, &mut Discard);
}

fn worth(game: &Echoes, state: &State) -> f32 {
    match state.verdict.map(|verdict| game.rules().standing(verdict)) {
        Some(Standing::Win) => 1.0,
        Some(Standing::Loss) => 0.0,
        Some(Standing::Draw) | None => 0.5,
    }
}

fn cases_of(game: &Echoes, state: &State) -> Vec<usize> {
    let mut cases = Vec::new();
    each_case(game.rules(), state, |case| cases.push(case));
    cases
}

/// Looks at every way in which a turn can go.
struct Lookahead<'a> {
    game: &'a Echoes,
    table: &'a Prospects,
    turn: u8,
    /// By the fingerprint of the position.
    known: HashMap<u64, f32>,
}

impl<'a> Lookahead<'a> {
    fn new(game: &'a Echoes, table: &'a Prospects, turn: u8) -> Self {
        Self { game, table, turn, known: HashMap::new() }
    }

    /// What a position is worth if the human plays as well as can be up to the next turn.
    fn value(&mut self, state: &State) -> f32 {
        let game = self.game;
        if state.turn > self.turn {
            return self.table.score(game.rules(), state);
        }
        if game.mover(state) == Mover::Nobody {
            return worth(game, state);
        }
        let mark = fingerprint(state);
        if let Some(known) = self.known.get(&mark) {
            return *known;
        }
        let value = if game.mover(state) == Mover::Fate {
            let tickets = game.tickets(state);
            let sum: f32 = (0..tickets).map(|ticket| self.after(state, game.drawn(state, ticket))).sum();
            sum / tickets as f32
        } else {
            let mut choices = Vec::new();
            game.choices(state, &mut choices);
            choices.into_iter().map(|choice| self.after(state, choice)).fold(0.0, f32::max)
        };
        self.known.insert(mark, value);
        value
    }

    fn after(&mut self, state: &State, choice: Choice) -> f32 {
        let mut next = *state;
        self.game.apply(&mut next, choice, &mut Discard);
        self.value(&next)
    }

    /// The best choice of a position.
    fn best(&mut self, state: &State, choices: &[Choice]) -> usize {
        let values: Vec<f32> = choices.iter().map(|choice| self.after(state, *choice)).collect();
        (0..values.len()).max_by(|a, b| values[*a].total_cmp(&values[*b])).unwrap_or(0)
    }
}

/// Logistic regression: the weights, and by how much they miss (root mean square).
fn fit(cases: &[Vec<usize>], worth: &[f32]) -> ([f32; CASES], f64) {
    let mut weights = vec![0.0_f64; CASES];
    let neighbours = neighbours();
    let chance = |weights: &[f64], cases: &[usize]| {
        1.0 / (1.0 + (-cases.iter().map(|case| weights[*case]).sum::<f64>()).exp())
    };
    for _ in 0..STEPS {
        let mut slope: Vec<f64> = weights.iter().map(|weight| -RIDGE * weight).collect();
        let mut bend = vec![vec![0.0; CASES]; CASES];
        for (cases, worth) in cases.iter().zip(worth) {
            let found = chance(&weights, cases);
            let width = (found * (1.0 - found)).max(1e-4);
            for &one in cases {
                slope[one] += f64::from(*worth) - found;
                for &other in cases {
                    bend[one][other] += width;
                }
            }
        }
        for (at, row) in bend.iter_mut().enumerate() {
            row[at] += RIDGE;
        }
        for &(one, other) in &neighbours {
            let apart = SMOOTH * (weights[one] - weights[other]);
            slope[one] -= apart;
            slope[other] += apart;
            bend[one][one] += SMOOTH;
            bend[other][other] += SMOOTH;
            bend[one][other] -= SMOOTH;
            bend[other][one] -= SMOOTH;
        }
        for (weight, step) in weights.iter_mut().zip(solve(bend, slope)) {
            *weight += step.clamp(-3.0, 3.0);
        }
    }
    let missed =
        cases.iter().zip(worth).map(|(cases, worth)| (chance(&weights, cases) - f64::from(*worth)).powi(2));
    let missed = (missed.sum::<f64>() / worth.len() as f64).sqrt();
    (std::array::from_fn(|case| weights[case] as f32), missed)
}

/// Solves a system of equations by elimination; its matrix is positive definite.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let count = right.len();
    for at in 0..count {
        let (above, below) = matrix.split_at_mut(at + 1);
        let pivot = &above[at];
        for (row, offset) in below.iter_mut().zip(at + 1..) {
            let factor = row[at] / pivot[at];
            if factor != 0.0 {
                row[at..].iter_mut().zip(&pivot[at..]).for_each(|(cell, pivot)| *cell -= factor * pivot);
                right[offset] -= factor * right[at];
            }
        }
    }
    for at in (0..count).rev() {
        let known: f64 = (at + 1..count).map(|other| matrix[at][other] * right[other]).sum();
        right[at] = (right[at] - known) / matrix[at][at];
    }
    right
}

/// Lets the table play, and says how it does.
fn try_out(game: &Echoes, table: &Prospects) {
    let results = on_all_cores(TRIALS, |at| {
        let mut dice = LabDice::for_game(2, at as u64);
        let choose = |state: &State, choices: &[Choice], _: &mut LabDice| {
            Lookahead::new(game, table, state.turn).best(state, choices)
        };
        play(game, &mut dice, choose, |_, _| {})
    });
    let games = results.len() as f32;
    let score = results.iter().sum::<f32>() / games;
    let wins = results.iter().filter(|result| **result >= 1.0).count() as f32 / games;
    let side = game.rules().human;
    eprintln!(
        "{side:?}: best play of each turn by the table scores {score:.3} and wins {wins:.3} of {games} games"
    );
}

/// Does something for every number below `count`, shared out to all cores.
fn on_all_cores<T: Send>(count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let never = AtomicBool::new(false);
    let done = workers::map_numbers(workers::cores(), count as u64, &never, |at| work(at as usize));
    done.unwrap_or_else(|panic| panic.resume())
}
