//! The suite that every game inherits, over every set-up of this one. `MAPROOM_LONG=1` plays ten thousand games of each.

use kernel::{Game, Options};
use testkit::conformance::{self, Plan};
use triumph::Triumph;

/// Random play ends long before.
const MAX_STEPS: usize = 6_000;

fn conforms(pairs: &[(&str, &str)]) {
    let games = if std::env::var_os("MAPROOM_LONG").is_some() { 10_000 } else { 6 };
    let options: Options =
        pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    let game = Triumph::with_options(&options).expect("good options");
    let plan = Plan { games, seed: 4, max_steps: MAX_STEPS };
    let report = conformance::run(&game, &plan).unwrap_or_else(|why| panic!("{why}"));
    assert_eq!(report.games, games);
    assert!(report.positions > 200 * report.games, "short wars: {report:?}");
    println!("{options:?}: {report:?}");
}

#[test]
fn three_players_from_1936() {
    conforms(&[]);
}

#[test]
fn three_players_from_1939() {
    conforms(&[("start", "1939")]);
}

#[test]
fn two_players_from_1936() {
    conforms(&[("players", "2")]);
}

#[test]
fn two_players_from_1939() {
    conforms(&[("players", "2"), ("start", "1939")]);
}
