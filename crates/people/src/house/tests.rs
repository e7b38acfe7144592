//! What persons do, over the store in memory and with a clock that is turned by hand.

use std::net::Ipv4Addr;

use store::{FORMER_PLAYER, MemoryStore};

use super::*;
use crate::mail::Outbox;
use crate::passwords::Cost;

const HOUR: u64 = 3_600_000;
const DAY: u64 = 24 * HOUR;
const START: u64 = 1_790_000_000_000;
const GOOD: &str = "correct horse battery";
const OTHER: &str = "another fine sentence";

fn house(entry: Entry) -> (House, Arc<Outbox>) {
    let outbox = Arc::<Outbox>::default();
    let passwords = Passwords::start(Cost::TRIFLING, 2, || {}).expect("threads");
    let mailer: Arc<dyn Mailer> = Arc::<Outbox>::clone(&outbox);
    let store = Arc::new(MemoryStore::new());
    (House::open(store, passwords, mailer, entry, "https://war.example/").expect("opens"), outbox)
}

fn from(last: u8, now: u64) -> Visit<'static> {
    Visit { from: IpAddr::V4(Ipv4Addr::new(198, 51, last, 7)), browser: "Firefox on Linux", now }
}

fn joining<'a>(name: &'a str, password: &'a str) -> Joining<'a> {
    Joining { name, password, zone: "", mail: "", invitation: None }
}

/// An open house with Ann in it, and the secret of her session.
fn with_ann() -> (House, Arc<Outbox>, String) {
    let (house, outbox) = house(Entry::Open);
    let secret = house.join(&joining("Ann", GOOD), from(1, START)).expect("joined");
    (house, outbox, secret.reveal().to_owned())
}

fn account(house: &House, name: &str) -> Account {
    house.people().account_named(name).expect("answers").expect("there")
}

fn name_of(house: &House, secret: &str, now: u64) -> Option<String> {
    house.who(secret, now).expect("answers").map(|signed_in| signed_in.account.name)
}

#[test]
fn whoever_joins_is_signed_in_and_can_log_in_again() {
    let (house, _, secret) = with_ann();
    assert_eq!(name_of(&house, &secret, START).as_deref(), Some("Ann"));
    let again = house.log_in(" aNN ", GOOD, None, from(2, START)).expect("logged in");
    assert_ne!(again.reveal(), secret);
    assert_eq!(name_of(&house, again.reveal(), START).as_deref(), Some("Ann"));
    assert_eq!(name_of(&house, "nonsense", START), None);
    assert_eq!(house.join(&joining("ANN", OTHER), from(3, START)), Err(PeopleError::NameTaken));
    for (name, password) in [("An", GOOD), ("<Ann>", GOOD), ("Bob", "short"), ("Bob", "password123")] {
        let refused = house.join(&joining(name, password), from(4, START));
        assert!(matches!(refused, Err(PeopleError::Refused(_))), "{name} {password}: {refused:?}");
    }
}

#[test]
fn an_invited_house_needs_an_invitation_and_takes_it_once() {
    let (house, _) = house(Entry::Invited);
    assert_eq!(house.join(&joining("Ann", GOOD), from(1, START)), Err(PeopleError::DeadLink));
    let secret = house.invite(DAY, START).expect("made");
    let invited = Joining { invitation: Some(secret.reveal()), ..joining("Ann", GOOD) };
    assert_eq!(house.join(&invited, from(1, START + DAY)), Err(PeopleError::DeadLink), "too late");
    assert_eq!(house.is_open_link(secret.reveal(), Purpose::Invitation, START + DAY), Ok(false));
    assert!(house.join(&invited, from(1, START + DAY - 1)).is_ok());
    let second = Joining { name: "Bob", ..invited };
    assert_eq!(house.join(&second, from(1, START)), Err(PeopleError::DeadLink), "used");
    let forged = Joining { invitation: Some("0000"), ..second };
    assert_eq!(house.join(&forged, from(1, START)), Err(PeopleError::DeadLink));
}

#[test]
fn a_wrong_name_and_a_wrong_password_are_answered_alike_and_cost_one_hash_each() {
    let (house, _, _) = with_ann();
    let attempt = |name: &str, from: Visit<'_>| {
        let before = house.hashes_made();
        let refused = house.log_in(name, OTHER, None, from).expect_err("refused");
        (refused.to_string(), house.hashes_made() - before)
    };
    // Also when it is tried so often that a wait is asked for: then neither costs a hash.
    for turn in 0..8 {
        let (known, unknown) = (attempt("Ann", from(1, START)), attempt("Nobody", from(2, START)));
        assert_eq!(known, unknown, "try {turn}");
        assert_eq!(known.1, u64::from(turn < 5));
    }
    assert!(attempt("Ann", from(3, START)).0.contains("wait"), "the name is counted from anywhere");
}

#[test]
fn after_five_tries_even_the_right_password_waits() {
    let (house, _, _) = with_ann();
    for _ in 0..5 {
        assert_eq!(house.log_in("Ann", OTHER, None, from(1, START)), Err(PeopleError::Wrong));
    }
    assert_eq!(house.log_in("Ann", GOOD, None, from(2, START)), Err(PeopleError::Wait(2_000)));
    assert!(house.log_in("Ann", GOOD, None, from(2, START + 2_000)).is_ok());
    assert_eq!(house.log_in("Ann", OTHER, None, from(2, START + 2_000)), Err(PeopleError::Wrong), "anew");
}

#[test]
fn registrations_are_three_an_hour_for_neighbours_together() {
    let (house, _) = house(Entry::Open);
    let join = |name: &str, last: u8, host: u8, now: u64| {
        let place = Visit { from: IpAddr::V4(Ipv4Addr::new(198, 51, last, host)), ..from(last, now) };
        house.join(&joining(name, GOOD), place).map(|_| ())
    };
    for (name, host) in [("Ann", 1), ("Bob", 2), ("Cec", 3)] {
        assert_eq!(join(name, 9, host, START), Ok(()));
    }
    assert_eq!(join("Dan", 9, 4, START + HOUR - 1), Err(PeopleError::TooMany));
    assert_eq!(join("Dan", 8, 4, START), Ok(()));
    assert_eq!(join("Eve", 9, 4, START + HOUR), Ok(()));
}

#[test]
fn sessions_last_thirty_days_from_their_last_use() {
    let (house, _, secret) = with_ann();
    let at = |now: u64| house.who(&secret, now).expect("answers");
    assert!(!at(START + HOUR - 1).expect("in").is_prolonged);
    assert!(at(START + 29 * DAY).expect("in").is_prolonged);
    assert!(at(START + 58 * DAY).is_some(), "it was used in between");
    assert!(at(START + 88 * DAY).is_none());
    assert_eq!(house.tidy(START + 88 * DAY), Ok(1));
}

#[test]
fn logging_in_gives_a_new_session_and_ends_the_one_that_the_browser_had() {
    let (house, _, planted) = with_ann();
    let secret = house.log_in("Ann", GOOD, Some(&planted), from(1, START)).expect("logged in");
    assert_ne!(secret.reveal(), planted);
    assert_eq!(name_of(&house, &planted, START), None, "whoever planted it is not signed in");
    // A secret that the house never gave is not taken over either.
    let chosen = "f".repeat(64);
    let secret = house.log_in("Ann", GOOD, Some(&chosen), from(1, START)).expect("logged in");
    assert_ne!(secret.reveal(), chosen);
    assert_eq!(name_of(&house, &chosen, START), None);
    house.log_out(secret.reveal()).expect("out");
    assert_eq!(name_of(&house, secret.reveal(), START), None);
}

#[test]
fn a_new_password_ends_all_other_sessions() {
    let (house, _, first) = with_ann();
    let ann = account(&house, "ann");
    let second = house.log_in("Ann", GOOD, None, from(2, START)).expect("logged in");
    assert_eq!(house.change_password(&ann, OTHER, OTHER, from(1, START)), Err(PeopleError::Wrong));
    let weak = house.change_password(&ann, GOOD, "short", from(1, START));
    assert!(matches!(weak, Err(PeopleError::Refused(_))));
    let fresh = house.change_password(&ann, GOOD, OTHER, from(1, START)).expect("changed");
    for old in [first.as_str(), second.reveal()] {
        assert_eq!(name_of(&house, old, START), None);
    }
    assert_eq!(name_of(&house, fresh.reveal(), START).as_deref(), Some("Ann"));
    assert_eq!(house.log_in("Ann", GOOD, None, from(1, START)), Err(PeopleError::Wrong));
    assert!(house.log_in("Ann", OTHER, None, from(1, START)).is_ok());
}

#[test]
fn every_change_of_rights_ends_the_sessions() {
    let (house, _, secret) = with_ann();
    let ann = account(&house, "ann").id;
    house.set_role(ann, Role::Admin).expect("changed");
    assert_eq!(name_of(&house, &secret, START), None);
    let secret = house.log_in("Ann", GOOD, None, from(1, START)).expect("logged in");
    house.set_closed(ann, true).expect("closed");
    assert_eq!(name_of(&house, secret.reveal(), START), None);
    assert_eq!(house.log_in("Ann", GOOD, None, from(1, START)), Err(PeopleError::Closed));
    assert_eq!(house.log_in("Ann", OTHER, None, from(1, START)), Err(PeopleError::Wrong));
    house.set_closed(ann, false).expect("open again");
    assert!(house.log_in("Ann", GOOD, None, from(1, START)).is_ok());
}

#[test]
fn a_forgotten_password_is_replaced_by_a_letter_that_works_once_and_for_half_an_hour() {
    let (house, outbox, secret) = with_ann();
    let ann = account(&house, "ann");
    house.ask_for_reset("Ann", START).expect("the same answer");
    assert_eq!(outbox.take(), [], "there is no address yet");
    house.ask_for_mail(&ann, GOOD, "ann@war.example", from(1, START)).expect("sent");
    house.confirm_mail(&outbox.link("/mail/").1, START).expect("confirmed");
    house.ask_for_reset("Nobody", START).expect("the same answer");
    assert_eq!(outbox.take(), []);
    house.ask_for_reset("ann", START).expect("sent");
    let (to, link) = outbox.link("https://war.example/reset/");
    assert_eq!(to, "ann@war.example");
    assert_eq!(house.reset(&link, OTHER, from(1, START + HOUR / 2)), Err(PeopleError::DeadLink), "too late");
    let weak = house.reset(&link, "short", from(1, START));
    assert!(matches!(weak, Err(PeopleError::Refused(_))), "and it can still be used: {weak:?}");
    let fresh = house.reset(&link, OTHER, from(1, START + HOUR / 2 - 1)).expect("reset");
    assert_eq!(house.reset(&link, GOOD, from(1, START)), Err(PeopleError::DeadLink), "twice");
    assert_eq!(name_of(&house, &secret, START), None);
    assert_eq!(name_of(&house, fresh.reveal(), START).as_deref(), Some("Ann"));
    // Three letters an hour.
    for _ in 0..5 {
        house.ask_for_reset("Ann", START + 1).expect("the same answer");
    }
    assert_eq!(outbox.take().len(), 2, "one was sent before");
    house.ask_for_reset("Ann", START + HOUR).expect("sent");
    assert_eq!(outbox.take().len(), 1);
}

#[test]
fn an_address_is_confirmed_at_the_new_one_and_told_to_the_old_one() {
    let (house, outbox, _) = with_ann();
    let ann = account(&house, "ann");
    let ask = |address: &str| house.ask_for_mail(&ann, GOOD, address, from(1, START));
    assert_eq!(house.ask_for_mail(&ann, OTHER, "ann@war.example", from(1, START)), Err(PeopleError::Wrong));
    ask("ann@war.example").expect("sent");
    let (to, link) = outbox.link("https://war.example/mail/");
    assert_eq!(to, "ann@war.example");
    assert!(account(&house, "ann").mail.is_none(), "not before it is confirmed");
    assert_eq!(house.confirm_mail(&link, START + 2 * DAY), Err(PeopleError::DeadLink));
    house.confirm_mail(&link, START + 2 * DAY - 1).expect("confirmed");
    assert_eq!(house.confirm_mail(&link, START), Err(PeopleError::DeadLink), "twice");
    assert_eq!(outbox.take(), [], "there was no old address");
    ask("new@war.example").expect("sent");
    let (_, link) = outbox.link("/mail/");
    house.confirm_mail(&link, START).expect("confirmed");
    let told = outbox.take();
    assert_eq!(told[0].0, "ann@war.example");
    assert!(told[0].1.text.contains("another mail address"), "{}", told[0].1.text);
    assert_eq!(account(&house, "ann").mail.expect("an address").address, "new@war.example");
}

#[test]
fn only_the_owner_of_an_address_learns_that_it_is_used() {
    let (house, outbox, _) = with_ann();
    let ann = account(&house, "ann");
    house.ask_for_mail(&ann, GOOD, "ann@war.example", from(1, START)).expect("sent");
    house.confirm_mail(&outbox.link("/mail/").1, START).expect("confirmed");
    house.join(&joining("Bob", GOOD), from(2, START)).expect("joined");
    let bob = account(&house, "bob");
    let asked = house.ask_for_mail(&bob, GOOD, "Ann@War.example", from(2, START));
    assert_eq!(asked, Ok(()), "Bob is told nothing");
    let letters = outbox.take();
    assert!(letters[0].1.text.contains("Ann") && !letters[0].1.text.contains("/mail/"));
}

#[test]
fn an_account_that_is_deleted_can_come_back_for_seven_days() {
    let (house, _, secret) = with_ann();
    let ann = account(&house, "ann");
    assert_eq!(house.leave(&ann, OTHER, from(1, START)), Err(PeopleError::Wrong));
    house.leave(&ann, GOOD, from(1, START)).expect("leaving");
    assert_eq!(name_of(&house, &secret, START), None);
    assert_eq!(house.gone(START + 7 * DAY), Ok(Vec::new()));
    let secret = house.log_in("Ann", GOOD, None, from(1, START + 6 * DAY)).expect("logged in");
    let back = house.come_back(ann.id, from(1, START + 6 * DAY)).expect("back");
    assert_eq!(name_of(&house, secret.reveal(), START + 6 * DAY), None);
    assert_eq!(name_of(&house, back.reveal(), START + 6 * DAY).as_deref(), Some("Ann"));
    assert_eq!(house.gone(START + 30 * DAY), Ok(Vec::new()));
    assert_eq!(house.erase(ann.id, START + 30 * DAY), Ok(false), "somebody who came back is not erased");
    // The second time it is for good.
    house.leave(&ann, GOOD, from(1, START)).expect("leaving");
    assert_eq!(house.gone(START + 7 * DAY + 1), Ok(vec![ann.id]));
    assert_eq!(house.erase(ann.id, START + 7 * DAY + 1), Ok(true));
    assert_eq!(house.log_in("Ann", GOOD, None, from(1, START + 8 * DAY)), Err(PeopleError::Wrong));
    assert_eq!(house.people().account(ann.id).expect("answers").expect("a number").name, FORMER_PLAYER);
}
