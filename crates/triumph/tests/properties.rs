//! Property tests for the data files of Triumph & Tragedy: whatever happens to one, it is read or refused with its place.

use diagnostics::FileCheck;
use kernel::{Catalogue as _, Game as _, Options};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use testkit::edits::{Edit, check_report, config, edited, edits};
use triumph::Triumph;

const EXAMPLES: [&str; 9] = [
    include_str!("../data/examples_new_year.toml"),
    include_str!("../data/examples_war.toml"),
    include_str!("../data/examples_movement.toml"),
    include_str!("../data/examples_combat.toml"),
    include_str!("../data/examples_supply.toml"),
    include_str!("../data/examples_rulings.toml"),
    include_str!("../data/examples_details.toml"),
    include_str!("../data/examples_referee.toml"),
    include_str!("../data/examples_limits.toml"),
];
/// Settings of positions, most of them sound; keys and values are also mixed.
const SETTINGS: [(&str, &str); 52] = [
    ("year", "1936"),
    ("year", "1942"),
    ("year", "1945"),
    ("season", "summer"),
    ("season", "winter"),
    ("order", "ussr west axis"),
    ("nations poland", "west 2"),
    ("nations poland", "armed axis entered ussr"),
    ("nations poland", "conquered axis"),
    ("nations austria", "satellite axis"),
    ("nations austria", "axis 3"),
    ("nations usa", "west 3"),
    ("nations usa", "joined"),
    ("nations france", "defeated axis"),
    ("nations libya", "armed"),
    ("nations libya", "conquered west"),
    ("nations albania", "armed axis"),
    ("nations turkey", "ussr 2"),
    ("nations poland", "neutral"),
    ("war", "axis west"),
    ("war", "ussr axis"),
    ("war", "west ussr"),
    ("units", "20 germany tank 4 berlin"),
    ("units", "3 germany infantry 4 munich"),
    ("units", "3 ussr infantry 3 moscow"),
    ("units", "2 ussr infantry 2 lvov"),
    ("units", "germany infantry 2 lvov"),
    ("units", "britain submarine 2 north_sea escaped"),
    ("units", "germany fleet 3 north_sea"),
    ("units", "britain carrier 2 english_channel"),
    ("units", "italy air_force 2 milan"),
    ("units", "france infantry 3 paris"),
    ("units", "usa infantry 2 washington"),
    ("units", "minor fortress 0 warsaw"),
    ("ind axis", "25"),
    ("hand ussr", "A01"),
    ("hand west", "I36"),
    ("hand axis", "I33"),
    ("hand axis", "A16"),
    ("in_play west", "A08 austria"),
    ("vault axis", "sonar I04 I05"),
    ("techs west", "atomic_4"),
    ("chits ussr", "2"),
    ("marks delhi", "full"),
    ("phase", "growth"),
    ("phase", "year_start"),
    ("phase", "production west"),
    ("phase", "government ussr"),
    ("phase", "hand_size"),
    ("phase", "command"),
    ("phase", "movement west 9"),
    ("phase", "supply"),
];

fn check_file(kind: &str, source: &str, edits: &[Edit]) -> Result<Option<FileCheck>, TestCaseError> {
    let text = edited(source, edits);
    match Triumph::check_file(kind, kind, &text) {
        Ok(check) => Ok(Some(check)),
        Err(problems) => check_report(&problems, &text).map(|()| None),
    }
}

/// Some examples of a file, so that a case is quick.
fn some_of(source: &str, from: &Index) -> String {
    let marker = "\n[[example]]\n";
    let (head, rest) = source.split_once(marker).unwrap_or((source, ""));
    let all: Vec<&str> = rest.split(marker).collect();
    let from = from.index(all.len());
    let some: Vec<&str> = all.iter().skip(from).take(2).copied().collect();
    let head = head.lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>().join("\n");
    format!("{head}{marker}{}", some.join(marker))
}

proptest! {
    #![proptest_config(config(1_500))]

    #[test]
    fn changed_examples_are_played_or_refused_with_their_place(
        source in select(&EXAMPLES[..]),
        from in any::<Index>(),
        edits in edits(),
    ) {
        check_file("examples", &some_of(source, &from), &edits)?;
    }
}

proptest! {
    #![proptest_config(config(1_000))]

    #[test]
    fn changed_cards_and_forces_are_read_or_refused_with_their_place(edits in edits()) {
        check_file("actions", include_str!("../data/cards_action.toml"), &edits)?;
        check_file("investments", include_str!("../data/cards_investment.toml"), &edits)?;
        check_file("forces", include_str!("../data/setup.toml"), &edits)?;
    }
}

proptest! {
    #![proptest_config(config(1_000))]

    #[test]
    fn whatever_is_set_by_hand_leaves_a_position_that_can_be(
        settings in proptest::collection::vec((select(&SETTINGS[..]), select(&SETTINGS[..]), 0..10_u8), 1..60),
        picks in proptest::collection::vec(any::<Index>(), 0..80),
    ) {
        let game = Triumph::with_options(&Options::new()).map_err(TestCaseError::fail)?;
        let mut state = game.start();
        for ((key, value), (_, other), mixed) in settings {
            let value = if mixed == 0 { other } else { value };
            let before = state;
            if game.place(&mut state, key, value).is_err() {
                prop_assert_eq!(state, before, "a refused setting changes nothing");
            }
            game.invariants(&state).map_err(TestCaseError::fail)?;
        }
        // Whatever it is, it can be played on.
        let mut choices = Vec::new();
        for pick in picks {
            choices.clear();
            game.choices(&state, &mut choices);
            if choices.is_empty() {
                break;
            }
            game.apply(&mut state, choices[pick.index(choices.len())], &mut kernel::Discard);
            game.invariants(&state).map_err(TestCaseError::fail)?;
        }
    }
}
