//! Dice that everybody who plays has a part in: what they follow from, and what a save proves of it.

use kernel::{
    Dice as _, DiceProof, Discard, FairDice, LoadError, Match, MatchDice, MatchError, Mover, Number, Seat,
    Secret, SecretPolicy, Share, Shares,
};
use proptest::prelude::*;
use testkit::duel::{Duel, Fault};
use testkit::edits::{config, edited, edits};

const RED: Seat = Seat(0);
const BLUE: Seat = Seat(1);

/// What one seat puts in that keeps to the rules.
fn given(secret: &Secret, seat: Seat, number: [u8; 32]) -> (Seat, Share) {
    let number = Number(number);
    (seat, Share::Given(number.commitment(&secret.commitment(), seat), number))
}

/// A duel whose dice wait for both.
fn awaited(secret: &Secret) -> Match<Duel> {
    let mut duel = Match::new(Duel::with(Fault::None), MatchDice::fair(secret.clone()));
    assert!(duel.share_dice(Shares::awaiting([RED, BLUE])));
    duel
}

/// The same, played to its end with these shares; choices are the first that are open.
fn played(secret: &Secret, shares: Shares) -> Match<Duel> {
    let mut duel = awaited(secret);
    assert!(duel.share_dice(shares));
    while duel.mover() != Mover::Nobody {
        match duel.mover() {
            Mover::Fate => duel.fate(None, &mut Discard).expect("rolled"),
            _ => {
                let first = duel.choices()[0];
                duel.play(first, &mut Discard).expect("open");
            }
        }
    }
    duel
}

fn both(secret: &Secret, red: [u8; 32], blue: [u8; 32]) -> Shares {
    Shares::new([given(secret, BLUE, blue), given(secret, RED, red)])
}

/// The save of a finished duel.
fn record() -> String {
    let secret = Secret([7; 32]);
    played(&secret, both(&secret, [1; 32], [2; 32])).save(SecretPolicy::Keep)
}

fn refused(text: &str) -> String {
    match Match::<Duel>::verify("duel", text) {
        Err(LoadError::Unreadable(problems)) => problems.to_string(),
        other => panic!("{other:?}\n{text}"),
    }
}

/// The value of the line that begins so.
fn value<'t>(text: &'t str, key: &str) -> &'t str {
    text.lines().find_map(|line| line.strip_prefix(key)).unwrap_or_else(|| panic!("no {key:?} in\n{text}"))
}

#[test]
fn no_die_falls_before_all_numbers_are_in() {
    let secret = Secret([7; 32]);
    let mut duel = awaited(&secret);
    assert_eq!(duel.fate(None, &mut Discard), Err(MatchError::DiceWait));
    duel.play_forced(&mut Discard);
    assert_eq!((duel.log().len(), duel.next_draw()), (0, None));
    let (red, blue) = (given(&secret, RED, [1; 32]), given(&secret, BLUE, [2; 32]));
    let Share::Given(commitment, _) = blue.1 else { unreachable!() };
    assert!(duel.share_dice(Shares::new([red, (BLUE, Share::Committed(commitment))])));
    assert_eq!(duel.fate(None, &mut Discard), Err(MatchError::DiceWait), "blue holds a number back");
    assert!(duel.share_dice(Shares::new([red, blue])));
    duel.fate(None, &mut Discard).expect("rolled");
    let before = duel.dice().clone();
    assert!(!duel.share_dice(Shares::default()), "nobody changes dice that have been rolled");
    assert_eq!(*duel.dice(), before);
}

#[test]
fn the_key_is_the_published_formula() {
    use sha2::{Digest as _, Sha256};
    let secret = Secret([7; 32]);
    let shares = both(&secret, [1; 32], [2; 32]);
    let text = [&b"maproom dice 2"[..], &[7; 32], &[0], &[1; 32], &[1], &[2; 32]].concat();
    assert_eq!(shares.key(&secret).0, <[u8; 32]>::from(Sha256::digest(text)));
    let text = [&b"maproom number 1"[..], &secret.commitment().0, &[1], &[2; 32]].concat();
    let due = Number([2; 32]).commitment(&secret.commitment(), BLUE);
    assert_eq!(due.0, <[u8; 32]>::from(Sha256::digest(text)));
    assert_eq!(Shares::default().key(&secret), secret, "a match for one has the dice that it always had");
}

#[test]
fn who_is_left_out_has_no_part_in_the_dice() {
    let secret = Secret([7; 32]);
    let red = given(&secret, RED, [1; 32]);
    let shares = Shares::new([red, (BLUE, Share::LeftOut)]);
    assert_eq!(shares.key(&secret), Shares::new([red]).key(&secret));
    assert_ne!(shares.key(&secret), both(&secret, [1; 32], [2; 32]).key(&secret));
    let text = played(&secret, shares.clone()).save(SecretPolicy::Keep);
    let (loaded, proof) = Match::<Duel>::verify("duel", &text).expect("proven");
    assert!(matches!(proof, DiceProof::Proven { inherited: 0, .. }));
    assert_eq!(loaded.game_match.dice().shares(), shares);
}

#[test]
fn a_save_that_was_changed_is_refused_with_the_reason() {
    let text = record();
    let (red, blue) = (value(&text, "share red: "), value(&text, "share blue: "));
    let (commitment, number) = blue.split_once(' ').expect("a commitment and a number");
    let other = "ab".repeat(32);
    for (from, to, told) in [
        (number, other.as_str(), "the number of blue is not the one that was committed to"),
        (commitment, other.as_str(), "the number of blue is not the one that was committed to"),
        (blue, red, "the number of blue is not the one that was committed to"),
        (blue, commitment, "dice were rolled, but the number of blue is missing"),
        (blue, "awaited", "dice were rolled, but the number of blue is missing"),
        (blue, "nothing", "awaited, left-out or a commitment"),
        (number, "12", "a number of 64 hexadecimal digits"),
        (number, "left-out", "a number of 64 hexadecimal digits"),
        (blue, "", "a commitment and a number"),
        ("share blue", "share green", "\"green\" is not a seat of this game"),
        ("share blue", "share red", "appears twice"),
        ("dice: fair", "dice: own", "nobody puts a number into dice that a player rolls"),
    ] {
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text);
        let why = refused(&changed);
        assert!(why.contains(told), "{from} → {to}: {why}");
    }
    let swapped = text.replacen(
        &format!("share red: {red}\nshare blue: {blue}"),
        &format!("share blue: {blue}\nshare red: {red}"),
        1,
    );
    assert!(refused(&swapped).contains("not in the order of the seats"));
}

#[test]
fn dice_that_do_not_follow_from_all_numbers_are_not_proven() {
    let secret = Secret([7; 32]);
    let text = record();
    let blue = value(&text, "share blue: ").to_owned();
    // Whoever leaves a number out, or makes one up with a commitment that fits, has other dice.
    let made_up = given(&secret, BLUE, [9; 32]).1.to_string();
    for (from, to) in [
        (blue.as_str(), "left-out".to_owned()),
        (blue.as_str(), made_up),
        (format!("share blue: {blue}\n").as_str(), String::new()),
    ] {
        let why = refused(&text.replacen(from, &to, 1));
        assert!(
            why.contains("is not what the committed secret and the numbers of the players give"),
            "{why}"
        );
    }
}

#[test]
fn the_record_of_a_running_match_shows_numbers_but_not_the_secret() {
    let secret = Secret([7; 32]);
    let mut duel = awaited(&secret);
    let waiting = duel.save(SecretPolicy::Keep);
    assert!(waiting.contains("share red: awaited\nshare blue: awaited\n"));
    assert!(!duel.head(SecretPolicy::Keep).contains("share"), "what will change is not part of the head");
    let (mut again, proof) = Match::<Duel>::verify("duel", &waiting).expect("read");
    assert_eq!(proof, DiceProof::NotYet);
    assert_eq!(again.game_match.fate(None, &mut Discard), Err(MatchError::DiceWait));
    duel.share_dice(both(&secret, [1; 32], [2; 32]));
    duel.fate(None, &mut Discard).expect("rolled");
    assert!(duel.head(SecretPolicy::Keep).contains("share red: "));
    let published = duel.save(SecretPolicy::Withhold);
    assert!(published.contains(&"01".repeat(32)) && !published.contains(&secret.reveal()));
    assert_eq!(Match::<Duel>::verify("duel", &published).expect("read").1, DiceProof::NotYet);
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn everybody_has_a_part_in_every_draw(secret: [u8; 32], red: [u8; 32], blue: [u8; 32], at in 0..32_usize, bit in 0..8_u8) {
        let secret = Secret(secret);
        let key = both(&secret, red, blue).key(&secret);
        let mut other = blue;
        other[at] ^= 1 << bit;
        let changed = both(&secret, red, other).key(&secret);
        prop_assert_ne!(&key, &changed);
        prop_assume!(red != blue);
        prop_assert_ne!(&key, &both(&secret, blue, red).key(&secret), "who gave which number counts");
        let words = |key| { let mut dice = FairDice::new(key, 0); [dice.word(), dice.word(), dice.word()] };
        prop_assert_ne!(words(&key), words(&changed));
    }

    #[test]
    fn what_was_played_is_proven(secret: [u8; 32], red: [u8; 32], blue: [u8; 32]) {
        let secret = Secret(secret);
        let duel = played(&secret, both(&secret, red, blue));
        let text = duel.save(SecretPolicy::Keep);
        let (loaded, proof) = Match::<Duel>::verify("duel", &text).expect("proven");
        prop_assert_eq!(proof, DiceProof::Proven { draws: duel.draws(), inherited: 0 });
        prop_assert_eq!(loaded.game_match.save(SecretPolicy::Keep), text);
    }

    #[test]
    fn shares_are_read_as_they_are_written(one: [u8; 32], two: [u8; 32], kind in 0..4_u8) {
        let (commitment, number) = (kernel::Commitment(one), Number(two));
        let share = match kind {
            0 => Share::Awaited,
            1 => Share::Committed(commitment),
            2 => Share::Given(commitment, number),
            _ => Share::LeftOut,
        };
        prop_assert_eq!(Share::parse(&share.to_string()), Ok(share));
    }
}

proptest! {
    #![proptest_config(config(4_000))]

    #[test]
    fn no_change_of_the_shares_goes_unnoticed_or_panics(edits in edits()) {
        let text = record();
        let from = text.find("share red").expect("there");
        let to = text.find("takebacks").expect("there");
        let changed = format!("{}{}{}", &text[..from], edited(&text[from..to], &edits), &text[to..]);
        if let Ok((loaded, DiceProof::Proven { .. })) = Match::<Duel>::verify("duel", &changed) {
            let honest = Match::<Duel>::load("duel", &text).expect("read");
            // The two cards of a duel may fall alike by chance where a whole line is lost.
            prop_assume!(loaded.game_match.dice().shares().iter().count() == 2);
            prop_assert_eq!(loaded.game_match.dice().key(), honest.game_match.dice().key(), "{}", changed);
        }
    }

    #[test]
    fn no_text_is_read_as_a_share_with_a_panic(text in "([a-f0-9]{62,66}|left-out|awaited|é|\\PC{0,4})( {0,2}([a-f0-9]{64}|left-out))?") {
        if let Ok(share) = Share::parse(&text) {
            prop_assert_eq!(Share::parse(&share.to_string()), Ok(share));
        }
    }
}
