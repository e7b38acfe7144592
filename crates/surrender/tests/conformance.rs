//! The suite that every game inherits, over every scenario and option of this one. `MAPROOM_LONG=1` plays a hundred times
//! as many games, a greater number as many as it says.

use kernel::{Game, Options};
use surrender::Surrender;
use testkit::conformance::{self, Plan};

fn conforms(games: u64, max_steps: usize, pairs: &[(&str, &str)]) {
    let games = match std::env::var("MAPROOM_LONG") {
        Ok(wanted) => wanted.parse().ok().filter(|games| *games > 1).unwrap_or(games * 100),
        Err(_) => games,
    };
    let options: Options =
        pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    let game = Surrender::with_options(&options).expect("good options");
    let plan = Plan { games, seed: 7, max_steps };
    let report = conformance::run(&game, &plan).unwrap_or_else(|why| panic!("{options:?}: {why}"));
    assert_eq!(report.games, games);
    println!("{options:?}: {report:?}");
}

#[test]
fn poland_1939() {
    conforms(8, 4_000, &[]);
    conforms(4, 4_000, &[("commit", "open")]);
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
