//! The kernel's suite over every scenario, and every optional rule each way.

use dday::{Choice, DDay, SCENARIOS, State};
use kernel::{Game, LabDice, Options, Wording};
use testkit::conformance::{Plan, run_with};

/// A game that has not ended by then never will.
const MAX_STEPS: usize = 40_000;

/// Long runs are for `cargo xtask long`.
fn games(short: u64) -> u64 {
    if std::env::var_os("MAPROOM_LONG").is_some() { short * 50 } else { short }
}

/// Whatever else somebody names is refused with a reason, and its name reads back.
fn explains(game: &DDay, state: &State, listed: &[Choice], dice: &mut LabDice) -> Result<u64, String> {
    let mut vocabulary = Vec::new();
    game.rules().vocabulary(state, dice, &mut vocabulary);
    let mut refused = 0;
    for choice in vocabulary.into_iter().filter(|choice| !listed.contains(choice)) {
        let mut name = String::new();
        game.write_name(state, choice, &mut name);
        if game.read_name(state, &name) != Some(choice) {
            return Err(format!("{name:?} does not read back to {choice:?}"));
        }
        if game.why_not(state, choice).reason.is_empty() {
            return Err(format!("{choice:?} is refused without a reason"));
        }
        refused += 1;
    }
    Ok(refused)
}

fn check(scenario: &str, options: &[(&str, &str)]) {
    let mut all = Options::from([("scenario".to_owned(), scenario.to_owned())]);
    all.extend(options.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())));
    let game = DDay::with_options(&all).expect("the options are in order");
    let plan = Plan { games: games(1), seed: 1944, max_steps: MAX_STEPS };
    let report =
        run_with(&game, &plan, &explains).unwrap_or_else(|why| panic!("{scenario} {options:?}: {why}"));
    assert_eq!(report.games, plan.games);
    assert!(report.positions > 100 * report.games && report.refusals > report.positions, "{report:?}");
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
