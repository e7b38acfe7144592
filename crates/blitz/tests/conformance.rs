//! The suite that every game inherits, over every mode of this one.

use blitz::Blitz;
use kernel::conformance::{self, Plan};
use kernel::{Game, Options};

/// Random play ends long before.
const MAX_STEPS: usize = 1_000;

fn options(pairs: &[(&str, &str)]) -> Options {
    pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

/// Every mode: boards, printings, levels, with and without stratagems, both readings of ruling R9.
fn modes() -> Vec<Options> {
    vec![
        options(&[]),
        options(&[("printing", "2019")]),
        options(&[("board", "nippon")]),
        options(&[("mode", "solo"), ("difficulty", "easy")]),
        options(&[("mode", "solo"), ("difficulty", "medium"), ("stratagems", "off")]),
        options(&[("mode", "solo"), ("difficulty", "hard"), ("bombed_unit_goes_to", "research_pile")]),
        options(&[("mode", "solo"), ("difficulty", "elite"), ("extra_vp", "10"), ("extra_tracks", "5")]),
        options(&[("mode", "solo"), ("board", "nippon")]),
        options(&[("mode", "solo"), ("board", "nippon"), ("difficulty", "elite"), ("extra_tracks", "5")]),
    ]
}

/// How many games of each mode: few by default, many with `MAPROOM_LONG=1`.
fn games() -> u64 {
    if std::env::var_os("MAPROOM_LONG").is_some() { 20_000 } else { 40 }
}

#[test]
fn every_mode_keeps_the_rules_of_the_house() {
    for options in modes() {
        let game = Blitz::with_options(&options).expect("good options");
        let plan = Plan { games: games(), seed: 4, max_steps: MAX_STEPS };
        let report = conformance::run(&game, &plan).unwrap_or_else(|why| panic!("{options:?}: {why}"));
        assert_eq!(report.games, games());
        assert!(report.refusals > report.positions, "{options:?}: hardly anything was refused: {report:?}");
    }
}
