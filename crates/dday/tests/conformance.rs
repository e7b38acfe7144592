//! The kernel's suite over every scenario, and every optional rule each way.

use dday::{Choice, DDay, SCENARIOS, State};
use kernel::{DigestFormat, Discard, Game, LabDice, Options, Wording};
use testkit::conformance::{Plan, run_with};
use testkit::random_choice;

/// The readings of rules 1. Rulings R61 to R64.
const RULES_1: [(&str, &str); 5] =
    [("orders", "1"), ("fallback", "along"), ("flanks", "assaults"), ("air_strikes", "own"), ("setup", "1")];

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

fn game(scenario: &str, options: &[(&str, &str)]) -> DDay {
    let mut all = Options::from([("scenario".to_owned(), scenario.to_owned())]);
    all.extend(options.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())));
    DDay::with_options(&all).expect("the options are in order")
}

fn check(scenario: &str, options: &[(&str, &str)], seed: u64) {
    let plan = Plan { games: games(1), seed, max_steps: MAX_STEPS };
    let report = run_with(&game(scenario, options), &plan, &explains)
        .unwrap_or_else(|why| panic!("{scenario} {options:?}: {why}"));
    println!("{scenario} {options:?}: {report:?}");
    assert_eq!(report.games, plan.games, "{scenario} {options:?}");
    assert!(report.positions > 300 * report.games, "{scenario} {options:?}: a short battle: {report:?}");
    assert!(
        report.refusals > report.positions,
        "{scenario} {options:?}: hardly anything was refused: {report:?}"
    );
}

/// With dice of its own for each way of playing: many battles go the same way with an optional rule and without it.
fn check_all(options: &[(&str, &str)], seed: u64) {
    for (id, _) in SCENARIOS {
        check(id, options, seed);
    }
}

/// A battle of random choices: how many there were, and where they led.
fn random_battle(game: &DDay, seed: u64) -> (usize, String) {
    let (mut state, mut dice, mut choices) = (game.start(), LabDice::new(seed), Vec::new());
    for step in 0..MAX_STEPS {
        let Some(choice) = random_choice(game, &state, &mut dice, &mut choices) else {
            return (step, game.digest(&state, DigestFormat::V2).to_string());
        };
        game.apply(&mut state, choice, &mut Discard);
    }
    panic!("a battle does not end");
}

/// Random play meets every optional rule somewhere, so that the suites below try it.
#[test]
fn every_optional_rule_makes_a_difference() {
    for option in
        [("rerolls", "3"), ("random_rally", "on"), ("basic", "on"), ("gentle_saves", "on"), ("supply", "off")]
            .into_iter()
            .chain(RULES_1)
    {
        let parted = SCENARIOS.iter().filter(|(id, _)| {
            let (plain, other) = (game(id, &[]), game(id, &[option]));
            (0..8).any(|seed| random_battle(&plain, seed) != random_battle(&other, seed))
        });
        let parted = parted.count();
        println!("{option:?}: {parted} scenarios");
        assert!(parted >= 3, "{option:?} makes a difference in {parted} scenarios only");
    }
}

#[test]
fn every_scenario_keeps_the_rules_of_the_house() {
    check_all(&[], 1944);
}

/// Rule 19.1.
#[test]
fn with_free_rerolls() {
    check_all(&[("rerolls", "3")], 1945);
}

/// Rule 19.2.
#[test]
fn with_random_rally() {
    check_all(&[("random_rally", "on")], 1946);
}

/// Rule 19.3.
#[test]
fn as_the_basic_game() {
    check_all(&[("basic", "on")], 1947);
}

/// Rule 19.4.
#[test]
fn with_gentle_saves() {
    check_all(&[("gentle_saves", "on")], 1948);
}

/// Rule 15.1.
#[test]
fn without_supply() {
    check_all(&[("supply", "off")], 1949);
}

/// Rulings R61 to R64, each read as in rules 1 while the others are read as in rules 2.
#[test]
fn with_one_reading_of_rules_1() {
    for (seed, option) in (1951..).zip(RULES_1) {
        check_all(&[option], seed);
    }
}

/// As matches of rules 1 go on.
#[test]
fn with_all_readings_of_rules_1() {
    check_all(&RULES_1, 1955);
}

/// Only readings of rules 1 are written into saves, so that a match of rules 2 looks as before.
#[test]
fn the_readings_of_rules_1_are_options() {
    let old = game("omaha", &RULES_1);
    for (key, value) in RULES_1 {
        assert_eq!(old.options().get(key).map(String::as_str), Some(value));
        assert_eq!(DDay::options_under("1").get(key).map(String::as_str), Some(value));
        assert!(!game("omaha", &[]).options().contains_key(key), "{key} is the reading of rules 2");
        let wrong = Options::from([(key.to_owned(), "sometimes".to_owned())]);
        let why = DDay::with_options(&wrong).expect_err("no such reading");
        assert!(why.contains(value) && why.contains("sometimes"), "{why}");
    }
    assert!(DDay::options_under(DDay::RULES_VERSION).is_empty());
}

#[test]
fn with_everything_at_once() {
    check_all(&[("rerolls", "2"), ("random_rally", "on"), ("gentle_saves", "on"), ("supply", "on")], 1950);
}
