//! Property tests for the saves of Echoes of War; those for its data files are in `bad_input.rs`.

use std::sync::LazyLock;

use echoes::Echoes;
use kernel::SecretPolicy;
use proptest::prelude::*;
use proptest::sample::Index;
use testkit::edits::{config, edited, edits};
use testkit::saves::{Shelf, recipes};

static WARS: LazyLock<Shelf<Echoes>> = LazyLock::new(|| {
    Shelf::new(&[
        &[],
        &[("edition", "axis"), ("spread", "14")],
        &[("spread", "8"), ("windows", "1")],
        &[("spread", "9"), ("ask", "request")],
        &[("book", include_str!("data/own-book.txt"))],
    ])
});

proptest! {
    #![proptest_config(config(800))]

    #[test]
    fn matches_come_back_as_they_were(set_up in any::<Index>(), recipe in recipes(150)) {
        WARS.check_round_trip(&recipe.play(WARS.pick(&set_up)))?;
    }
}

proptest! {
    #![proptest_config(config(3_500))]

    #[test]
    fn a_changed_save_is_refused_with_its_place_or_is_a_match(
        set_up in any::<Index>(),
        recipe in recipes(40),
        edits in edits(),
    ) {
        let text = recipe.play(WARS.pick(&set_up)).save(SecretPolicy::Keep);
        WARS.check_changed(&edited(&text, &edits))?;
    }
}
