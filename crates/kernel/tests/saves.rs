//! Property tests for saves with toy games: whatever was played and whatever the options say comes back, and whatever is
//! done to a save is noticed or harmless.

use std::sync::LazyLock;

use kernel::{Game as _, Match, MatchDice, Options, SecretPolicy, Wording};
use proptest::prelude::*;
use proptest::sample::Index;
use testkit::auction::Auction;
use testkit::duel::Duel;
use testkit::edits::{config, edited, edits};
use testkit::saves::{Shelf, recipes};

static AUCTIONS: LazyLock<Shelf<Auction>> =
    LazyLock::new(|| Shelf::new(&[&[], &[("seats", "2")], &[("seats", "5"), ("motto", "two\n lines\n")]]));
static DUELS: LazyLock<Shelf<Duel>> = LazyLock::new(|| Shelf::new(&[&[]]));

/// The transcript of a match is a save of the same choices, is written in the same way again, and gives no secret away.
fn check_transcript<G: Wording>(of: &Match<G>) -> Result<(), TestCaseError> {
    let mut of = of.clone();
    let text = of.transcript();
    let read = Match::<G>::load("transcript", &text).map_err(|why| TestCaseError::fail(why.to_string()))?;
    let read = read.game_match;
    prop_assert!(read.log().iter().eq(of.log().iter()));
    prop_assert_eq!(&read.transcript(), &text);
    prop_assert!(!read.dice().shares().is_open() && read.dice().key().is_none());
    for secret in ["\nsecret:", "\nseed:", "\nshare ", "# "] {
        prop_assert!(!text.contains(secret), "{}", text);
    }
    // What a bot has said is not part of it, nor are undos.
    if !of.log().is_empty() {
        of.remark(0, "because");
        prop_assert_eq!(&of.transcript(), &text);
    }
    Ok(())
}

/// Texts with whatever might be lost at the beginning or at the end of a line.
fn texts() -> impl Strategy<Value = String> {
    prop_oneof!["[ \t\r\n|#:a0\u{a0}\u{85}\u{2028}]{0,12}", "\\PC{0,30}", "(\\PC{0,8}\r?\n){0,4}", ".{0,20}"]
}

/// A text as it is kept: its lines end in `\n`.
fn with_plain_line_ends(text: &str) -> String {
    text.split('\n').map(|line| line.trim_end_matches('\r')).collect::<Vec<_>>().join("\n")
}

proptest! {
    #![proptest_config(config(1_000))]

    #[test]
    fn matches_come_back_as_they_were(set_up in any::<Index>(), recipe in recipes(60)) {
        AUCTIONS.check_round_trip(&recipe.play(AUCTIONS.pick(&set_up)))?;
        DUELS.check_round_trip(&recipe.play(DUELS.pick(&set_up)))?;
    }

    #[test]
    fn a_transcript_has_the_choices_and_no_secret(set_up in any::<Index>(), recipe in recipes(60)) {
        check_transcript(&recipe.play(AUCTIONS.pick(&set_up)))?;
        check_transcript(&recipe.play(DUELS.pick(&set_up)))?;
    }

    #[test]
    fn options_come_back_whatever_they_say(motto in texts()) {
        let options = Options::from([("motto".to_owned(), motto.clone())]);
        let game = Auction::with_options(&options).expect("any motto will do");
        let text = Match::new(game, MatchDice::seeded(1)).save(SecretPolicy::Keep);
        for text in [text.clone(), text.replace('\n', "\r\n")] {
            let loaded = Match::<Auction>::load("motto", &text).map_err(|why| TestCaseError::fail(why.to_string()))?;
            let read = loaded.game_match.game().options();
            prop_assert_eq!(read.get("motto"), Some(&with_plain_line_ends(&motto)));
            prop_assert_eq!(loaded.game_match.save(SecretPolicy::Keep), text.replace("\r\n", "\n"));
        }
    }
}

proptest! {
    #![proptest_config(config(5_000))]

    #[test]
    fn a_changed_save_is_refused_with_its_place_or_is_a_match(
        set_up in any::<Index>(),
        recipe in recipes(20),
        edits in edits(),
    ) {
        let text = recipe.play(AUCTIONS.pick(&set_up)).save(SecretPolicy::Keep);
        AUCTIONS.check_changed(&edited(&text, &edits))?;
        let text = recipe.play(DUELS.pick(&set_up)).save(SecretPolicy::Keep);
        DUELS.check_changed(&edited(&text, &edits))?;
    }

    #[test]
    fn no_text_at_all_is_read_with_a_panic(text in "(maproom match 1\n)?(([a-z]{0,9}|option [a-z ]{0,4}): ?.{0,6}\n|[|#0-9 a-f]{0,20}\n){0,12}") {
        AUCTIONS.check_changed(&text)?;
    }
}
