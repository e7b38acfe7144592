//! The kernel's suite over every scenario, and every optional rule each way.

use dday::{DDay, SCENARIOS};
use kernel::conformance::{Plan, run};
use kernel::{Game, Options};

/// Long runs are for `cargo xtask long`.
fn games(short: u64) -> u64 {
    if std::env::var_os("MAPROOM_LONG").is_some() { short * 50 } else { short }
}

fn check(scenario: &str, options: &[(&str, &str)], short: u64) {
    let mut all = Options::from([("scenario".to_owned(), scenario.to_owned())]);
    all.extend(options.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())));
    let game = DDay::with_options(&all).expect("the options are in order");
    let plan = Plan { games: games(short), seed: 1944, max_steps: 40_000 };
    let report = run(&game, &plan).unwrap_or_else(|why| panic!("{scenario} {options:?}: {why}"));
    println!("{scenario} {options:?}: {report:?}");
}

#[test]
fn every_scenario_keeps_the_rules_of_the_house() {
    for (id, _) in SCENARIOS {
        check(id, &[], 1);
    }
}
