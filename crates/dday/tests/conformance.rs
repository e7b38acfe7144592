//! The kernel's suite over every scenario, and every optional rule each way.

use dday::{DDay, SCENARIOS};
use kernel::{Game, Options};
use testkit::conformance::{Plan, run};

/// A game that has not ended by then never will.
const MAX_STEPS: usize = 40_000;

/// Long runs are for `cargo xtask long`.
fn games(short: u64) -> u64 {
    if std::env::var_os("MAPROOM_LONG").is_some() { short * 50 } else { short }
}

fn check(scenario: &str, options: &[(&str, &str)]) {
    let mut all = Options::from([("scenario".to_owned(), scenario.to_owned())]);
    all.extend(options.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())));
    let game = DDay::with_options(&all).expect("the options are in order");
    let plan = Plan { games: games(1), seed: 1944, max_steps: MAX_STEPS };
    let report = run(&game, &plan).unwrap_or_else(|why| panic!("{scenario} {options:?}: {why}"));
    println!("{scenario} {options:?}: {report:?}");
}

fn check_all(options: &[(&str, &str)]) {
    for (id, _) in SCENARIOS {
        check(id, options);
    }
}

#[test]
fn every_scenario_keeps_the_rules_of_the_house() {
    check_all(&[]);
}

/// Rule 19.1.
#[test]
fn with_free_rerolls() {
    check_all(&[("rerolls", "3")]);
}

/// Rule 19.2.
#[test]
fn with_random_rally() {
    check_all(&[("random_rally", "on")]);
}

/// Rule 19.3.
#[test]
fn as_the_basic_game() {
    check_all(&[("basic", "on")]);
}

/// Rule 19.4.
#[test]
fn with_gentle_saves() {
    check_all(&[("gentle_saves", "on")]);
}

/// Rule 15.1.
#[test]
fn without_supply() {
    check_all(&[("supply", "off")]);
}

#[test]
fn with_everything_at_once() {
    check_all(&[("rerolls", "2"), ("random_rally", "on"), ("gentle_saves", "on"), ("supply", "on")]);
}
