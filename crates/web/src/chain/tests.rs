//! Property tests for chains: what is played is a prefix of what was sent, all by the same seat, and an error changes nothing.

use kernel::{Actor, Match, MatchDice, Mover, Seat, SecretPolicy, Story, Table, Viewer};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::RngSeed;
use testkit::duel::{Duel, Fault};

use super::{AFTER_DICE, LINK, MOST_LINKS, links, play};

const NAMES: [&str; 10] =
    ["stake 1", "stake 2", "hold", "strike", "show", "insist", "concede", "card 1", "", "nonsense"];

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 1_000,
        rng_seed: RngSeed::Fixed(0x6368_6169_6e73),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// A duel after some decisions, each picked by a number.
fn begun(seed: u64, decisions: &[Index]) -> Box<dyn Table> {
    let mut table: Box<dyn Table> = Box::new(Match::new(Duel::with(Fault::None), MatchDice::seeded(seed)));
    table.play_forced(None);
    for decision in decisions {
        let Mover::Seat(seat) = table.mover() else { break };
        let offers = table.offers(Viewer::Seat(seat));
        table.play(seat, &decision.get(&offers).name, None).expect("an offer is open");
        table.play_forced(None);
    }
    table
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_chain_is_played_as_far_as_it_goes_and_no_further(
        seed in 0..50_u64,
        decisions in vec(any::<Index>(), 0..6),
        seat in (0..2_u8).prop_map(Seat),
        names in vec(select(&NAMES[..]), 1..6),
    ) {
        let mut table = begun(seed, &decisions);
        let before = (table.steps(), table.save(SecretPolicy::Keep).expect("a save"));
        let mut alone = table.fork(table.steps());
        let first = alone.play(seat, names[0], None);
        let played = play(&mut *table, seat, &names.join(LINK), &mut Story::for_viewer(Viewer::Seat(seat)));
        // The first link decides whether there is an error, and which.
        prop_assert_eq!(&played, &first);
        if played.is_err() {
            prop_assert_eq!((table.steps(), table.save(SecretPolicy::Keep).expect("a save")), before);
            return Ok(());
        }
        // Nobody else moved, and what was chosen is a prefix of the chain.
        let log = table.log(before.0, Viewer::Seat(seat));
        prop_assert!(log.iter().all(|entry| entry.actor == Actor::Seat(seat)), "{log:?}");
        let chosen: Vec<&str> =
            log.iter().filter(|entry| !entry.forced).filter_map(|entry| entry.name.as_deref()).collect();
        prop_assert!(names.starts_with(&chosen), "{chosen:?} of {names:?}");
        // The same seat could not have chosen what was dropped.
        if let Some(next) = names.get(chosen.len()) {
            let open = table.mover() == Mover::Seat(seat) && table.why_not(Viewer::Seat(seat), next).is_ok();
            prop_assert!(!open, "{next} was left out of {names:?}");
        }
    }

    #[test]
    fn any_text_is_a_chain_of_bounded_length(text in "( > |>| |[a-z]|\\PC){0,200}") {
        let parts: Vec<&str> = links(&text).collect();
        prop_assert!((1..=MOST_LINKS).contains(&parts.len()));
        let pieces: Vec<String> = text.split(LINK).map(|piece| piece.replace(AFTER_DICE, LINK)).collect();
        let text = pieces.join(LINK);
        prop_assert!(text.starts_with(&parts.join(LINK)));
        if parts.len() < MOST_LINKS {
            prop_assert_eq!(parts.join(LINK), text);
        }
    }

    /// A link after dice is played only where its seat is asked and it is open; then it is as if it had been chosen alone.
    #[test]
    fn a_link_after_dice_is_as_good_as_a_second_click(
        seed in 0..50_u64,
        decisions in vec(any::<Index>(), 0..6),
        seat in (0..2_u8).prop_map(Seat),
        names in (select(&NAMES[..]), select(&NAMES[..])),
    ) {
        let (mut table, mut clicked) = (begun(seed, &decisions), begun(seed, &decisions));
        let chain = format!("{}{AFTER_DICE}{}", names.0, names.1);
        let played = play(&mut *table, seat, &chain, &mut Story::for_viewer(Viewer::Seat(seat)));
        prop_assert_eq!(&played, &clicked.play(seat, names.0, None));
        if played.is_ok() {
            clicked.play_forced(None);
            if clicked.mover() == Mover::Seat(seat) {
                let _ = clicked.play(seat, names.1, None);
            }
        }
        prop_assert_eq!(table.save(SecretPolicy::Keep).expect("a save"), clicked.save(SecretPolicy::Keep).expect("a save"));
    }

    #[test]
    fn no_text_breaks_a_table(seed in 0..20_u64, seat in (0..4_u8).prop_map(Seat), text in "\\PC{0,80}") {
        let mut table = begun(seed, &[]);
        let steps = table.steps();
        let played = play(&mut *table, seat, &text, &mut Story::for_viewer(Viewer::Seat(seat)));
        prop_assert!(played.is_ok() || table.steps() == steps);
    }
}
