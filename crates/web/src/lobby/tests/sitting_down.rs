//! How matches of several people begin: who is waited for, and whose numbers are in the dice.

use clocks::{MINUTE, SECOND};
use kernel::{DiceProof, Match, Number, Share};
use proptest::prelude::*;
use store::{EntryKind, Store as _, TableEvent};

use super::bot_loop::choose;
use super::deadlines::House;
use super::*;
use crate::live::TableAct;

const RED: Seat = Seat(0);
const BLUE: Seat = Seat(1);
const NUMBERS: [Number; 3] = [Number([11; 32]), Number([22; 32]), Number([33; 32])];

/// Everybody sits down whom a match waits for, and shows their number.
pub async fn all_sit(lobby: &Arc<Lobby>, found: &Arc<LiveMatch>) {
    let persons = |live: &Live| {
        let persons = live.seats.iter().filter(|record| record.player.is_a_persons());
        persons.map(|record| Seat(record.seat)).collect::<Vec<_>>()
    };
    let seats = persons(&*found.lock().await);
    for seat in &seats {
        sit(lobby, found, *seat).await;
    }
    for seat in seats {
        show(lobby, found, seat).await;
    }
    // The dice that have waited are rolled.
    until(found, "play begins", |live| !live.rolls_now()).await;
}

async fn seal(found: &LiveMatch, seat: Seat) -> String {
    let live = found.lock().await;
    let MatchDice::Fair { commitment, .. } = live.table.dice() else { panic!("own dice") };
    NUMBERS[seat.index()].commitment(commitment, seat).to_string()
}

async fn sit(lobby: &Arc<Lobby>, found: &Arc<LiveMatch>, seat: Seat) -> bool {
    let seal = seal(found, seat).await;
    lobby.sit(found, seat, Some(seal)).await.expect("sits")
}

async fn show(lobby: &Arc<Lobby>, found: &Arc<LiveMatch>, seat: Seat) -> bool {
    let wants = found.lock().await.proceedings.sitting_down.as_ref().is_some_and(|of| of.dice);
    wants && lobby.show_number(found, seat, NUMBERS[seat.index()].to_string()).await.expect("shown")
}

/// The same, where it may be too early for it.
async fn show_if_due(lobby: &Arc<Lobby>, found: &Arc<LiveMatch>, seat: Seat) -> bool {
    lobby.show_number(found, seat, NUMBERS[seat.index()].to_string()).await.unwrap_or(false)
}

fn greedy() -> Option<String> {
    Some("greedy".to_owned())
}

/// A match of two with the dice of the house.
async fn for_two(lobby: &Arc<Lobby>, clock: &str) -> Arc<LiveMatch> {
    let order = NewMatch { seed: None, clock: clock.to_owned(), ..open_cards(&["me", "friend"]) };
    let (id, _) = lobby.create(&order).await.expect("made");
    lobby.find(&id).await.expect("there")
}

fn by(seat: Seat) -> Requester {
    Requester { viewer: Viewer::Seat(seat), owns_lobby: false }
}

async fn events(store: &MemoryStore, found: &LiveMatch) -> Vec<String> {
    let journal = store.journal(&found.id).expect("answers");
    let line = |entry: Entry| match entry.kind {
        EntryKind::Event(event) => event.to_string().chars().take(20).collect(),
        EntryKind::Steps(_) => "steps".to_owned(),
        EntryKind::Undo { .. } => "undo".to_owned(),
    };
    journal.into_iter().map(line).collect()
}

async fn shares(found: &LiveMatch) -> Vec<Share> {
    found.lock().await.table.dice().shares().iter().map(|(_, share)| share).collect()
}

/// Whether the dice have been rolled that the match begins with.
async fn rolled(found: &LiveMatch) {
    until(found, "the dice are rolled", |live| live.table.steps() > 0).await;
}

#[tokio::test]
async fn no_die_falls_before_everybody_has_sat_down_and_shown_a_number() {
    let store = Arc::new(MemoryStore::default());
    let lobby = card_lobby(&store);
    let found = for_two(&lobby, "").await;
    let told = {
        let live = found.lock().await;
        (live.table.steps(), live.to_move())
    };
    assert_eq!(told, (0, "waiting for Red and Blue".to_owned()));
    assert!(sit(&lobby, &found, RED).await);
    let summary = store.find(&found.id).expect("answers").expect("there").summary;
    assert_eq!((summary.to_move.as_str(), summary.mover), ("waiting for Blue", Some(1)), "as it is then");
    assert!(!sit(&lobby, &found, RED).await, "once is enough");
    let early =
        lobby.show_number(&found, RED, NUMBERS[0].to_string()).await.expect_err("too early").to_string();
    assert!(early.contains("when everybody has sat down"), "{early}");
    assert!(sit(&lobby, &found, BLUE).await);
    let revision = found.lock().await.revision;
    let waits =
        lobby.change(&found, move |live| live.choose(RED, revision, "bid 1")).await.expect_err("waits");
    assert!(waits.to_string().contains("The dice wait for Red and Blue"), "{waits}");
    for (number, told) in [
        ("12".to_owned(), "64 hexadecimal digits"),
        (NUMBERS[0].to_string(), "not the number that was committed"),
    ] {
        let why = lobby.show_number(&found, BLUE, number).await.expect_err(told).to_string();
        assert!(why.contains(told), "{why}");
    }
    assert!(show(&lobby, &found, BLUE).await);
    assert_eq!(found.lock().await.table.steps(), 0, "red holds the number back");
    assert!(show(&lobby, &found, RED).await);
    rolled(&found).await;
    choose(&lobby, &found, RED, "bid 1").await;
    let told = events(&store, &found).await;
    let kinds: Vec<&str> = told.iter().map(|line| line.split(' ').next().expect("a word")).collect();
    assert_eq!(kinds, ["steps", "expect", "sit", "sit", "number", "number", "steps", "steps"]);
    // Nothing that comes later changes the dice.
    assert!(!sit(&lobby, &found, BLUE).await && !show(&lobby, &found, BLUE).await);
}

#[tokio::test]
async fn the_record_proves_the_numbers_and_a_match_that_is_read_again_has_them() {
    let store = Arc::new(MemoryStore::default());
    let lobby = card_lobby(&store);
    let found = for_two(&lobby, "").await;
    all_sit(&lobby, &found).await;
    rolled(&found).await;
    let key = found.lock().await.table.dice().key();
    let again = card_lobby(&store).find(&found.id).await.expect("there");
    assert_eq!(again.lock().await.table.dice().key(), key);
    assert!(!store.find(&found.id).expect("answers").expect("there").header.contains("share"));
    let revision = again.lock().await.revision;
    let lobby = card_lobby(&store);
    let found = lobby.find(&again.id).await.expect("there");
    lobby.change(&found, move |live| live.act(RED, revision, &TableAct::Resign)).await.expect("over");
    let record = found.lock().await.record(false).expect("published");
    for line in ["share red: ", "share blue: ", " sit 0 ", " number 1 ", "secret: "] {
        assert!(record.contains(line), "{line} in {record}");
    }
    let (loaded, proof) = Match::<cards::Cards>::verify("cards", &record).expect("proven");
    assert!(matches!(proof, DiceProof::Proven { draws: 1.., inherited: 0 }), "{proof:?}");
    assert_eq!(loaded.game_match.dice().key(), key);
    let forged = record.replacen(&NUMBERS[1].to_string(), &NUMBERS[0].to_string(), 1);
    assert!(Match::<cards::Cards>::verify("cards", &forged).is_err());
    // Taken in again it has the dice that it had.
    let (copy, _, _) = lobby.import("copy.match", &record, false).await.expect("taken in");
    lobby.close(&copy).await;
    let copy = lobby.find(&copy).await.expect("there");
    assert_eq!(copy.lock().await.table.dice().key(), key);
}

#[tokio::test]
async fn another_browser_may_commit_until_all_have_and_nobody_after() {
    let lobby = card_lobby(&Arc::default());
    let found = for_two(&lobby, "").await;
    assert!(lobby.sit(&found, RED, Some("ab".repeat(32))).await.expect("sits"));
    assert!(sit(&lobby, &found, RED).await, "on another device");
    assert!(sit(&lobby, &found, BLUE).await);
    assert!(
        !lobby.sit(&found, RED, Some("ab".repeat(32))).await.expect("answered"),
        "numbers may be known now"
    );
    let bad = lobby.sit(&found, RED, Some("12".into())).await.expect_err("no hash").to_string();
    assert!(bad.contains("64 hexadecimal digits"), "{bad}");
    assert!(lobby.sit(&found, RED, None).await.is_err());
    all_sit(&lobby, &found).await;
    rolled(&found).await;
    // Nobody fills the journal with seals.
    let found = for_two(&lobby, "").await;
    let mut written = 0;
    for at in 0..40_u8 {
        let sits = lobby.sit(&found, RED, Some(format!("{at:02x}").repeat(32))).await.expect("answered");
        written += u8::from(sits);
    }
    assert_eq!(written, 20);
}

#[tokio::test]
async fn who_leaves_before_all_have_sat_down_has_no_part_in_the_dice() {
    let lobby = card_lobby(&Arc::default());
    // Somebody who never came, and somebody who came and went: their seal goes with them.
    for came in [false, true] {
        let found = for_two(&lobby, "").await;
        if came {
            sit(&lobby, &found, BLUE).await;
        }
        lobby.hand_over(&found, by(BLUE), BLUE, greedy()).await.expect("left");
        assert_eq!(shares(&found).await, [Share::Awaited, Share::Awaited]);
        assert!(lobby.sit(&found, BLUE, Some("ab".repeat(32))).await.is_err(), "a bot sits there");
        sit(&lobby, &found, RED).await;
        show(&lobby, &found, RED).await;
        rolled(&found).await;
        lobby.hand_over(&found, by(BLUE), BLUE, None).await.expect("back");
        let [Share::Given(..), Share::LeftOut] = shares(&found).await[..] else {
            panic!("{:?}", shares(&found).await)
        };
    }
    // Whoever is back in time sits down anew.
    let found = for_two(&lobby, "").await;
    sit(&lobby, &found, BLUE).await;
    lobby.hand_over(&found, by(BLUE), BLUE, greedy()).await.expect("left");
    lobby.hand_over(&found, by(BLUE), BLUE, None).await.expect("back");
    sit(&lobby, &found, RED).await;
    assert!(!show_if_due(&lobby, &found, RED).await, "blue has not sat down again");
    all_sit(&lobby, &found).await;
    rolled(&found).await;
    assert!(shares(&found).await.iter().all(|share| matches!(share, Share::Given(..))));
}

/// Whoever holds a number back when the others' are known would choose between two series of dice.
#[tokio::test]
async fn a_sealed_number_is_never_left_out_whoever_plays_the_seat() {
    for holder in [RED, BLUE] {
        let lobby = card_lobby(&Arc::default());
        let other = Seat(1 - holder.0);
        let found = for_two(&lobby, "").await;
        sit(&lobby, &found, RED).await;
        sit(&lobby, &found, BLUE).await;
        show(&lobby, &found, other).await;
        lobby.hand_over(&found, by(holder), holder, greedy()).await.expect("left");
        assert!(found.lock().await.table.dice().are_awaited(), "no choice between two series of dice");
        // Their page shows it, though a bot plays for them.
        show(&lobby, &found, holder).await;
        rolled(&found).await;
        assert!(shares(&found).await.iter().all(|share| matches!(share, Share::Given(..))));
    }
}

#[tokio::test]
async fn without_a_sealed_number_a_match_of_three_does_not_begin() {
    let house = House::open();
    let three = async |clock: &str| {
        let order = NewMatch {
            game: "auction".to_owned(),
            seats: ["me", "friend", "friend"].map(ToOwned::to_owned).to_vec(),
            clock: clock.to_owned(),
            ..NewMatch::default()
        };
        let (id, _) = house.lobby.create(&order).await.expect("made");
        let found = house.lobby.find(&id).await.expect("there");
        for seat in [0, 1, 2] {
            sit(&house.lobby, &found, Seat(seat)).await;
        }
        for seat in [RED, BLUE] {
            show(&house.lobby, &found, seat).await;
        }
        found
    };
    // It can't be given up, but one is enough to call the match off.
    let found = three("").await;
    let act = async |act: TableAct| {
        let revision = found.lock().await.revision;
        house.lobby.change(&found, move |live| live.act(Seat(2), revision, &act)).await
    };
    let why = act(TableAct::Resign).await.expect_err("owed").to_string();
    assert!(why.contains("The dice wait for your number"), "{why}");
    act(TableAct::CallOff).await.expect("called off");
    // Where time runs it runs for whoever holds the number back, and no bot takes the number's place.
    let found = three("own bank=10m cap=10m").await;
    assert_eq!(house.pass(10 * MINUTE + 2 * SECOND).await, 1);
    let live = found.lock().await;
    let outcome = live.outcome().expect("over");
    assert!(outcome.title.contains("the dice waited in vain for the number of"), "{}", outcome.title);
    assert!(outcome.standings.is_empty() && live.table.steps() == 0);
}

#[tokio::test]
async fn one_person_with_a_seed_or_own_dice_is_not_asked_for_anything() {
    let lobby = card_lobby(&Arc::default());
    let plain = || NewMatch { seed: None, ..open_cards(&["me", "bot:greedy"]) };
    let seeded = NewMatch { seed: Some(7), ..open_cards(&["me", "friend"]) };
    let own = NewMatch { own_dice: true, seed: None, ..open_cards(&["me", "friend"]) };
    for order in [plain(), seeded, own] {
        let (id, _) = lobby.create(&order).await.expect("made");
        let found = lobby.find(&id).await.expect("there");
        let live = found.lock().await;
        assert!(live.proceedings.sitting_down.is_none() && !live.table.dice().are_awaited());
        let record = live.record(true).expect("open cards");
        assert!(!record.contains("share") && !record.contains("# beside"), "{record}");
    }
}

#[tokio::test]
async fn dice_are_rolled_by_the_next_start_if_the_house_dies_before() {
    let store = Arc::new(MemoryStore::default());
    let lobby = card_lobby(&store);
    let found = for_two(&lobby, "").await;
    for seat in [RED, BLUE] {
        sit(&lobby, &found, seat).await;
    }
    show(&lobby, &found, RED).await;
    // The last number is written, and the house dies before it has rolled.
    let pending = {
        let mut live = found.lock().await;
        let mut pending = live.show_number(BLUE, &NUMBERS[1].to_string()).expect("fits").expect("new");
        pending.append.match_id.clone_from(&found.id);
        pending
    };
    store.append(&[pending.append]).expect("written");
    let again = card_lobby(&store).find(&found.id).await.expect("there");
    rolled(&again).await;
    let told = events(&store, &again).await;
    assert_eq!(told.last().map(String::as_str), Some("steps"), "{told:?}");
}

#[tokio::test]
async fn a_match_that_has_not_begun_can_be_called_off_by_one() {
    let lobby = card_lobby(&Arc::default());
    let found = for_two(&lobby, "").await;
    sit(&lobby, &found, RED).await;
    let revision = found.lock().await.revision;
    lobby.change(&found, move |live| live.act(RED, revision, &TableAct::CallOff)).await.expect("called off");
    let live = found.lock().await;
    assert_eq!(live.outcome().map(|end| end.title), Some("Called off by Red before it began".to_owned()));
    drop(live);
    let begun = for_two(&lobby, "").await;
    all_sit(&lobby, &begun).await;
    rolled(&begun).await;
    let revision = begun.lock().await.revision;
    let why = lobby
        .change(&begun, move |live| live.act(RED, revision, &TableAct::CallOff))
        .await
        .expect_err("begun");
    assert!(why.to_string().contains("has begun"), "{why}");
}

/// With three at the table a bot has the seat of whoever gives up for good: nobody sees it with the old link, also not on a page
/// that is open.
#[tokio::test]
async fn whoever_gives_up_among_three_is_led_to_watching() {
    let house = House::open();
    let order = NewMatch {
        game: "auction".to_owned(),
        seats: ["me", "friend", "friend"].map(ToOwned::to_owned).to_vec(),
        ..NewMatch::default()
    };
    let (id, _) = house.lobby.create(&order).await.expect("made");
    let found = house.lobby.find(&id).await.expect("there");
    all_sit(&house.lobby, &found).await;
    let link = found.keys.seat(BLUE).expect("a link").to_owned();
    let (mut updates, _) = found.lock().await.subscribe(Viewer::Seat(BLUE), None);
    let act = |live: &mut Live| live.act(BLUE, live.revision, &TableAct::Resign);
    house.lobby.change(&found, act).await.expect("given up");
    let mut last = None;
    while let Some(update) = updates.recv().await {
        last = Some(update);
    }
    let watch = format!("{{\"elsewhere\":\"/m/{id}/{}\"}}", found.keys.viewer());
    assert_eq!(last.as_deref(), Some(watch.as_str()), "and then the line is closed");
    assert_eq!(found.keys.holder(&link), None);
    assert!(!found.lock().await.is_over(), "the others play on");
}

/// In a tournament others wait for the result, so time runs for whoever lets them wait.
#[tokio::test]
async fn in_a_tournament_time_runs_before_all_have_sat_down() {
    let rules = TableEvent::Clock { rules: "sitting flag=loss".to_owned() };
    let expect = TableEvent::Expect { seats: vec![0, 1], dice: true, at_once: true };
    let mut proceedings = crate::proceedings::Proceedings::new(2);
    let mut journal = Vec::new();
    let mut tell = |at: u64, seat: u8, event: TableEvent| {
        let mut entry = Entry::new(journal.len() as u32 + 1, at, EntryKind::Event(event));
        entry.awaits = Some(store::Awaited { seat, turn: 1 });
        proceedings.follow(&entry, &[]);
        journal.push(entry);
        proceedings.deadline(&[])
    };
    tell(0, 0, expect);
    assert_eq!(tell(0, 0, rules), Some((0, 45 * MINUTE + 20 * SECOND)));
    let sits = TableEvent::Sit { seat: 0, commitment: Some("ab".repeat(32)) };
    assert_eq!(tell(MINUTE, 1, sits), Some((1, MINUTE + 45 * MINUTE + 20 * SECOND)), "now the other's");
}

proptest! {
    #![proptest_config(testkit::edits::config(3_000))]

    #[test]
    fn no_line_of_a_journal_is_read_with_a_panic_or_otherwise_than_it_is_written(
        line in "(expect|sit|number|bin|call-off|seat|offer)( |  )?([0-9,]{0,6}|dice|in|out|at-once)( (dice|at-once|[0-9a-f]{0,3}|[0-9a-f]{64}|é))?( at-once)?( [0-9]{1,4})?"
    ) {
        if let Ok(event) = line.parse::<TableEvent>() {
            prop_assert_eq!(event.to_string().parse(), Ok(event));
        }
    }
}
