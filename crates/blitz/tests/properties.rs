//! Property tests for the saves and the data files of Blitzkrieg!.

use std::sync::LazyLock;

use blitz::Blitz;
use blitz::examples;
use blitz::layout::{BASE_SOURCE, Layout, NIPPON_SOURCE};
use kernel::{Catalogue as _, SecretPolicy};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use testkit::edits::{check_report, config, edited, edits};
use testkit::saves::{Shelf, recipes};

static GAMES: LazyLock<Shelf<Blitz>> = LazyLock::new(|| {
    Shelf::new(&[
        &[],
        &[("board", "nippon"), ("printing", "2021")],
        &[("mode", "solo"), ("difficulty", "hard")],
        &[("mode", "solo"), ("bombing", "kind")],
        &[("mode", "solo"), ("board", "nippon"), ("difficulty", "elite")],
    ])
});

proptest! {
    #![proptest_config(config(1_000))]

    #[test]
    fn matches_come_back_as_they_were(set_up in any::<Index>(), recipe in recipes(120)) {
        GAMES.check_round_trip(&recipe.play(GAMES.pick(&set_up)))?;
    }
}

proptest! {
    #![proptest_config(config(3_000))]

    #[test]
    fn a_changed_save_is_refused_with_its_place_or_is_a_match(
        set_up in any::<Index>(),
        recipe in recipes(40),
        edits in edits(),
    ) {
        let text = recipe.play(GAMES.pick(&set_up)).save(SecretPolicy::Keep);
        GAMES.check_changed(&edited(&text, &edits))?;
    }

    #[test]
    fn a_changed_board_is_read_or_refused_with_its_place(
        source in select(&[BASE_SOURCE, NIPPON_SOURCE][..]),
        edits in edits(),
    ) {
        let text = edited(source, &edits);
        if let Err(problems) = Layout::parse("board", &text) {
            check_report(&problems, &text)?;
        }
    }
}

proptest! {
    #![proptest_config(config(800))]

    #[test]
    fn changed_examples_are_run_or_refused_with_their_place(edits in edits()) {
        let text = edited(examples::SOURCE, &edits);
        if let Err(problems) = Blitz::check_file("examples", "examples", &text) {
            check_report(&problems, &text)?;
        }
    }
}
