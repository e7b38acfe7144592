//! Property tests for the data files of Triumph & Tragedy: whatever happens to one, it is read or refused with its place.

use diagnostics::FileCheck;
use kernel::{Catalogue as _, Game as _, Options};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use testkit::edits::{Edit, check_report, config, edited, edits};
use triumph::Triumph;

const EXAMPLES: [&str; 7] = [
    include_str!("../data/examples_new_year.toml"),
    include_str!("../data/examples_war.toml"),
    include_str!("../data/examples_movement.toml"),
    include_str!("../data/examples_combat.toml"),
    include_str!("../data/examples_supply.toml"),
    include_str!("../data/examples_rulings.toml"),
    include_str!("../data/examples_details.toml"),
];
/// Keys and values that are likely to hurt somewhere.
const KEYS: [&str; 20] = [
    "year",
    "season",
    "order",
    "nations poland",
    "nations usa",
    "nations france",
    "nations germany",
    "nations libya",
    "nations albania",
    "war",
    "units",
    "ind axis",
    "hand ussr",
    "in_play west",
    "vault axis",
    "techs west",
    "chits ussr",
    "marks delhi",
    "marks north_sea",
    "phase",
];
const VALUES: [&str; 34] = [
    "1936",
    "1945",
    "winter",
    "ussr west axis",
    "west 3",
    "armed axis entered west",
    "armed",
    "satellite axis",
    "conquered ussr",
    "defeated axis",
    "joined",
    "neutral",
    "axis west",
    "20 germany tank 4 berlin",
    "ussr infantry 3 moscow",
    "britain submarine 2 north_sea escaped",
    "minor fortress 0 warsaw",
    "25",
    "A01",
    "A08 austria",
    "sonar I04 I05",
    "atomic_4",
    "2",
    "full",
    "set_up",
    "growth",
    "year_start",
    "production west",
    "government ussr",
    "hand_size",
    "command",
    "movement west 9",
    "supply",
    "end_of_year",
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
        settings in proptest::collection::vec((select(&KEYS[..]), select(&VALUES[..])), 1..40),
    ) {
        let game = Triumph::with_options(&Options::new()).map_err(TestCaseError::fail)?;
        let mut state = game.start();
        for (key, value) in settings {
            let before = state;
            if game.place(&mut state, key, value).is_err() {
                prop_assert_eq!(state, before, "a refused setting changes nothing");
            }
            game.invariants(&state).map_err(TestCaseError::fail)?;
            let mut choices = Vec::new();
            game.choices(&state, &mut choices);
            if let Some(choice) = choices.first() {
                let mut after = state;
                game.apply(&mut after, *choice, &mut kernel::Discard);
            }
        }
    }
}
