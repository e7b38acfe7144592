//! The suite that every game inherits, over every set-up of this one. `MAPROOM_LONG=1` plays ten thousand games of each, a
//! greater number as many.

use kernel::{Game, Options};
use testkit::conformance::{self, Plan};
use triumph::Triumph;

/// Random play ends long before.
const MAX_STEPS: usize = 6_000;

/// Faults have shown only in the tenth game or later: as many as a quarter of a minute allows.
const GAMES: u64 = 16;

fn conforms(pairs: &[(&str, &str)]) {
    let games = match std::env::var("MAPROOM_LONG") {
        Ok(wanted) => wanted.parse().ok().filter(|games| *games > 1).unwrap_or(10_000),
        Err(_) => GAMES,
    };
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
