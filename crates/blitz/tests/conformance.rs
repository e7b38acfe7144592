//! The suite that every game inherits, over every mode of this one: boards, printings, levels, with and without
//! stratagems, both readings of ruling R9. `MAPROOM_LONG=1` plays twenty thousand games of each.

use blitz::{Blitz, Choice, State};
use kernel::{Game, LabDice, Options};
use testkit::conformance::{self, Plan};

/// Random play ends long before.
const MAX_STEPS: usize = 1_000;

/// The rules know two ways to tell what is legal: the list, which decides, and the predicate behind the explanations.
fn legality_agrees(
    game: &Blitz,
    state: &State,
    listed: &[Choice],
    dice: &mut LabDice,
) -> Result<u64, String> {
    let mut vocabulary = Vec::new();
    game.rules().vocabulary(state, dice, &mut vocabulary);
    conformance::compare_legality::<Blitz>(state, listed, &vocabulary, |state, choice| {
        game.rules().refusal(state, choice)
    })
}

/// Plays random games of a mode and checks everything that the kernel promises, secrets included.
fn conforms(pairs: &[(&str, &str)]) {
    let games = if std::env::var_os("MAPROOM_LONG").is_some() { 20_000 } else { 40 };
    let options: Options =
        pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    let game = Blitz::with_options(&options).expect("good options");
    let plan = Plan { games, seed: 4, max_steps: MAX_STEPS };
    let report = conformance::run_with(&game, &plan, &legality_agrees).unwrap_or_else(|why| panic!("{why}"));
    assert_eq!(report.games, games);
    assert!(report.positions > 20 * report.games, "short wars: {report:?}");
    assert!(report.refusals > report.positions, "hardly anything was refused: {report:?}");
    println!("{options:?}: {report:?}");
}

#[test]
fn two_players() {
    conforms(&[]);
}

#[test]
fn two_players_with_the_pile_of_2021() {
    conforms(&[("printing", "2021")]);
}

/// Rule 8.7 as rules 1 had it.
#[test]
fn solo_with_bombing_by_kind() {
    conforms(&[("mode", "solo"), ("bombing", "kind")]);
}

#[test]
fn nippon_for_two() {
    conforms(&[("board", "nippon")]);
}

#[test]
fn solo_easy() {
    conforms(&[("mode", "solo"), ("difficulty", "easy")]);
}

#[test]
fn solo_without_stratagems() {
    conforms(&[("mode", "solo"), ("stratagems", "off")]);
}

#[test]
fn solo_hard_with_bombed_units_in_the_pile() {
    conforms(&[("mode", "solo"), ("difficulty", "hard"), ("bombed_unit_goes_to", "research_pile")]);
}

#[test]
fn solo_with_all_dials_up() {
    conforms(&[("mode", "solo"), ("difficulty", "elite"), ("extra_vp", "10"), ("extra_tracks", "5")]);
}

#[test]
fn nippon_solo() {
    conforms(&[("mode", "solo"), ("board", "nippon")]);
}

#[test]
fn nippon_solo_with_all_dials_up() {
    conforms(&[("mode", "solo"), ("board", "nippon"), ("difficulty", "elite"), ("extra_tracks", "5")]);
}
