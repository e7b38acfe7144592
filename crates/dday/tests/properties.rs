//! Property tests for the saves and the data files of D-Day to Berlin.

use std::sync::LazyLock;

use dday::{Battalions, DDay, Personality, SCENARIOS, Scenario, Tables};
use diagnostics::Problems;
use kernel::{Catalogue as _, SecretPolicy};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use testkit::edits::{Edit, check_report, config, edited, edits};
use testkit::saves::{Shelf, recipes};

static BATTLES: LazyLock<Shelf<DDay>> = LazyLock::new(|| {
    Shelf::new(&[&[("scenario", "omaha")], &[("scenario", "arnhem")], &[("scenario", SCENARIOS[5].1)]])
});

proptest! {
    #![proptest_config(config(700))]

    #[test]
    fn matches_come_back_as_they_were(set_up in any::<Index>(), recipe in recipes(200)) {
        BATTLES.check_round_trip(&recipe.play(BATTLES.pick(&set_up)))?;
    }
}

proptest! {
    #![proptest_config(config(1_500))]

    #[test]
    fn a_changed_save_is_refused_with_its_place_or_is_a_match(
        set_up in any::<Index>(),
        recipe in recipes(60),
        edits in edits(),
    ) {
        let text = recipe.play(BATTLES.pick(&set_up)).save(SecretPolicy::Keep);
        BATTLES.check_changed(&edited(&text, &edits))?;
    }
}

/// Reads a changed file: whatever is refused is refused with its place.
fn check_file<T>(
    source: &str,
    edits: &[Edit],
    read: impl Fn(&str) -> Result<T, Problems>,
) -> Result<(), TestCaseError> {
    let text = edited(source, edits);
    match read(&text) {
        Ok(_) => Ok(()),
        Err(problems) => check_report(&problems, &text),
    }
}

proptest! {
    #![proptest_config(config(1_500))]

    #[test]
    fn a_changed_scenario_is_read_or_refused_with_its_place(
        (_, source) in select(&SCENARIOS[..]),
        edits in edits(),
    ) {
        check_file(source, &edits, |text| Scenario::read("scenario", text))?;
    }

    #[test]
    fn changed_tables_are_read_or_refused_with_their_place(edits in edits()) {
        check_file(include_str!("../data/tables.toml"), &edits, |text| Tables::read("tables", text))?;
        check_file(include_str!("../data/battalions.toml"), &edits, |text| Battalions::read("battalions", text))?;
        check_file(include_str!("../data/commanders.toml"), &edits, |text| Personality::read_all("commanders", text))?;
    }
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn changed_examples_are_run_or_refused_with_their_place(edits in edits()) {
        check_file(include_str!("../data/examples.toml"), &edits, |text| DDay::check_file("examples", "examples", text))?;
    }
}
