//! The suite that every game inherits, over every scenario and option of this one. `MAPROOM_LONG=1` plays a hundred times
//! as many games, a greater number as many as it says.

use kernel::Dice;
use kernel::{Discard, Game, LabDice, Mover, Options};
use surrender::Surrender;
use testkit::conformance::{self, Plan};

/// The scenarios, and more choices than any random game of them has needed.
const SCENARIOS: [(&str, usize); 7] = [
    ("poland-1939", 4_000),
    ("scandinavia-1940", 6_000),
    ("france-1940", 12_000),
    ("balkans-1941", 12_000),
    ("france-1944", 30_000),
    ("ussr-1941", 60_000),
    ("main-event-1939", 400_000),
];

/// How many games are wanted where the everyday run plays so many.
fn wanted(games: u64) -> u64 {
    match std::env::var("MAPROOM_LONG") {
        Ok(wanted) => wanted.parse().ok().filter(|games| *games > 1).unwrap_or(games * 100),
        Err(_) => games,
    }
}

fn game(pairs: &[(&str, &str)]) -> Surrender {
    let options: Options =
        pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    Surrender::with_options(&options).expect("good options")
}

fn conforms(games: u64, max_steps: usize, pairs: &[(&str, &str)]) {
    let games = wanted(games);
    let plan = Plan { games, seed: 7, max_steps };
    let report = conformance::run(&game(pairs), &plan).unwrap_or_else(|why| panic!("{pairs:?}: {why}"));
    assert_eq!(report.games, games);
    println!("{pairs:?}: {report:?}");
}

#[test]
fn poland_1939() {
    conforms(8, 4_000, &[]);
}

#[test]
fn scandinavia_1940() {
    conforms(4, 6_000, &[("scenario", "scandinavia-1940")]);
}

#[test]
fn france_1940() {
    conforms(2, 12_000, &[("scenario", "france-1940")]);
}

#[test]
fn balkans_1941() {
    conforms(2, 12_000, &[("scenario", "balkans-1941")]);
}

#[test]
fn france_1944() {
    conforms(1, 30_000, &[("scenario", "france-1944")]);
}

#[test]
fn ussr_1941() {
    conforms(1, 60_000, &[("scenario", "ussr-1941")]);
}

/// Plays a game at random to its end, or so many choices of it; what must hold is looked at now and then. How many choices
/// it took.
fn play_through(game: &Surrender, number: u64, max_steps: usize) -> usize {
    let mut dice = LabDice::for_game(11, number);
    let mut state = game.start();
    let mut listed = Vec::new();
    for step in 0..max_steps {
        if dice.below(24) == 0 {
            game.invariants(&state).unwrap_or_else(|why| panic!("game {number}, step {step}: {why}"));
        }
        let choice = match game.mover(&state) {
            Mover::Nobody => {
                assert!(game.outcome(&state).is_some());
                return step;
            }
            Mover::Fate => game.drawn(&state, dice.below(game.tickets(&state))),
            Mover::Seat(_) => {
                listed.clear();
                game.choices(&state, &mut listed);
                assert!(
                    !listed.is_empty(),
                    "game {number}, step {step}: nothing to choose at {:?}",
                    state.frame()
                );
                listed[dice.below(listed.len() as u32) as usize]
            }
        };
        game.apply(&mut state, choice, &mut Discard);
    }
    panic!("{:?}: game {number} has not ended after {max_steps} choices", game.options());
}

/// The whole war, with every option, at random to its end.
#[test]
fn the_whole_war_ends() {
    for pairs in [
        &[][..],
        &[("politics", "historical")],
        &[("timeline", "variable")],
        &[("politics", "historical"), ("timeline", "variable"), ("commit", "open")],
    ] {
        let mut pairs = pairs.to_vec();
        pairs.push(("scenario", "main-event-1939"));
        let game = game(&pairs);
        for number in 0..wanted(2) {
            play_through(&game, number, 400_000);
        }
    }
}

/// Every scenario with commit markers in the open ends, and hides nothing.
#[test]
fn every_scenario_ends_with_open_commitments() {
    for (scenario, max_steps) in SCENARIOS {
        let game = game(&[("scenario", scenario), ("commit", "open")]);
        assert!(!game.hides());
        for number in 0..wanted(1) {
            play_through(&game, number, max_steps);
        }
    }
}

/// Every scenario, many games: the greatest number of choices is far from the bound.
#[test]
fn every_scenario_ends() {
    for (scenario, max_steps) in &SCENARIOS[..6] {
        let game = game(&[("scenario", *scenario)]);
        for number in 0..wanted(3) {
            let steps = play_through(&game, number, *max_steps);
            assert!(steps * 2 < *max_steps, "{scenario}: game {number} took {steps} choices");
        }
    }
}

/// The suite on the first turns of the whole war: it is too long to be played to its end with every check.
#[test]
fn the_whole_war_conforms_for_a_while() {
    for pairs in [
        &[("scenario", "main-event-1939")][..],
        &[("scenario", "main-event-1939"), ("politics", "historical"), ("timeline", "variable")],
    ] {
        let plan = Plan { games: 1, seed: 7, max_steps: 400_000 };
        if std::env::var("MAPROOM_LONG").is_ok() {
            conformance::run(&game(pairs), &plan).unwrap_or_else(|why| panic!("{pairs:?}: {why}"));
        } else {
            let plan = Plan { max_steps: 1_500, ..plan };
            let stopped = conformance::run(&game(pairs), &plan).expect_err("longer than that");
            assert!(stopped.contains("has not ended after 1500 choices"), "{pairs:?}: {stopped}");
        }
    }
}
