//! Sealed choices: made before one is asked, played when one is, changed and taken back until then; and nobody else notices
//! anything, not even when.

use clocks::{HOUR, SECOND};
use store::{AccountId, OrderBooks as _, Player, Store as _, TableEvent};
use tokio::sync::mpsc;

use super::bot_loop::choose;
use super::deadlines::House;
use super::*;
use crate::live::{OrderEdit, OrderRefusal};

const RED: Seat = Seat(0);
const BLUE: Seat = Seat(1);
/// Longer than any order waits in a sitting.
const LONG: u64 = 4 * SECOND + 1;

/// Two friends: nobody is shown what Red bids before Blue has bid too.
async fn sit_down(house: &House, clock: &str) -> Arc<LiveMatch> {
    let mut order = NewMatch { clock: clock.to_owned(), ..cards(&["me", "friend"], "") };
    order.options.insert("sealed".to_owned(), "yes".to_owned());
    let (id, _) = house.lobby.create(&order).await.expect("made");
    house.lobby.find(&id).await.expect("there")
}

async fn seal(house: &House, found: &LiveMatch, choice: &str) {
    house.lobby.seal(found, BLUE, choice).await.expect(choice);
}

async fn sealed(found: &LiveMatch) -> Vec<String> {
    let live = found.lock().await;
    live.orders.list(BLUE).iter().filter(|one| one.is_sealed()).map(|one| one.words.clone()).collect()
}

async fn pass(house: &House, span: u64) -> usize {
    house.time.turn(span);
    house.lobby.sweep_answers().await
}

async fn names(found: &LiveMatch) -> Vec<Option<String>> {
    let live = found.lock().await;
    live.table.log(2, Viewer::Seat(RED)).into_iter().map(|entry| entry.name).collect()
}

fn said(name: &str) -> Option<String> {
    Some(name.to_owned())
}

#[tokio::test]
async fn a_sealed_choice_is_played_when_its_question_comes() {
    let mut house = House::open();
    let found = sit_down(&house, "").await;
    let offers = house.lobby.sealable(&found, BLUE).await.expect("Red is asked in secret");
    let offered: Vec<&str> = offers.iter().map(|offer| offer.name.as_str()).collect();
    assert_eq!(offered, ["bid 1", "bid 2"]);
    seal(&house, &found, "bid 1").await;
    // Changed: only the last one counts. A restart forgets nothing.
    seal(&house, &found, "bid 2").await;
    assert_eq!(sealed(&found).await, ["Sealed: “Bid 2, 2 in all”."]);
    let id = found.id.clone();
    drop(found);
    house.die(SECOND);
    let found = house.lobby.find(&id).await.expect("there");
    assert_eq!(sealed(&found).await, ["Sealed: “Bid 2, 2 in all”."]);
    assert_eq!(pass(&house, LONG).await, 0, "nobody has asked yet");
    let shown = crate::pages::orders::part(&*found.lock().await, Viewer::Seat(BLUE)).2;
    assert!(shown.contains("Take it back") && shown.contains("Change it"), "{shown}");
    choose(&house.lobby, &found, RED, "bid 1").await;
    assert_eq!(pass(&house, LONG).await, 1);
    assert_eq!(names(&found).await, [said("bid 1"), said("bid 2")]);
    assert_eq!(sealed(&found).await, Vec::<String>::new());
    let shown = crate::pages::orders::part(&*found.lock().await, Viewer::Seat(BLUE)).2;
    assert!(shown.contains("Played."), "{shown}");
    choose(&house.lobby, &found, RED, "bid 1").await;
    assert_eq!(pass(&house, LONG).await, 0, "it was for one question");
}

#[tokio::test]
async fn until_it_is_played_it_can_be_taken_back() {
    let house = House::open();
    let found = sit_down(&house, "").await;
    seal(&house, &found, "bid 2").await;
    let number = found.lock().await.orders.list(BLUE)[0].number;
    house.lobby.edit_orders(&found, BLUE, OrderEdit::Remove { number }).await.expect("taken back");
    choose(&house.lobby, &found, RED, "bid 1").await;
    assert_eq!(pass(&house, LONG).await, 0);
    // It is for whoever is asked to decide whether they answer themselves all the same.
    choose(&house.lobby, &found, BLUE, "bid 1").await;
    seal(&house, &found, "bid 2").await;
    choose(&house.lobby, &found, RED, "bid 1").await;
    choose(&house.lobby, &found, BLUE, "bid 1").await;
    assert_eq!(sealed(&found).await, Vec::<String>::new());
    choose(&house.lobby, &found, RED, "bid 1").await;
    assert_eq!(pass(&house, LONG).await, 0, "what was answered by hand is not answered again");
}

#[tokio::test]
async fn what_is_no_longer_asked_falls_away_with_a_word_to_its_owner() {
    let house = House::open();
    let found = sit_down(&house, "").await;
    for _ in 0..2 {
        choose(&house.lobby, &found, RED, "bid 1").await;
        choose(&house.lobby, &found, BLUE, "bid 1").await;
    }
    seal(&house, &found, "bid 2").await;
    // A bot answers for Blue, and the question after that is another one.
    let by = Requester { viewer: Viewer::Seat(BLUE), owns_lobby: false };
    house.lobby.hand_over(&found, by, BLUE, Some("greedy".to_owned())).await.expect("handed over");
    choose(&house.lobby, &found, RED, "bid 1").await;
    until(&found, "the bot has chosen", |live| live.table.steps() == 8).await;
    let why = found.lock().await.orders.list(BLUE)[0].ended.as_ref().map(ToString::to_string);
    assert_eq!(why.as_deref(), Some("Fell away: the match went on without that question."));
    let shown = crate::pages::orders::part(&*found.lock().await, Viewer::Seat(BLUE)).2;
    assert!(shown.contains("Fell away") && shown.contains("I see"), "{shown}");
    let kept = house.store.books(&found.id).expect("answers");
    assert!(kept[0].1.orders[0].why.starts_with("Fell away"), "{kept:?}");
    assert!(!found.lock().await.may_seal(BLUE), "the last bids are open");
}

#[tokio::test]
async fn only_what_will_be_asked_in_secret_is_sealed() {
    let house = House::open();
    let found = sit_down(&house, "").await;
    let refused = async |seat: Seat, choice: &str| {
        let why = house.lobby.seal(&found, seat, choice).await.expect_err("refused");
        let OrderRefusal::Other(why) = why else { panic!("it is no text") };
        why.to_string()
    };
    assert!(refused(RED, "bid 1").await.contains("nothing to seal"), "whoever is asked answers");
    assert!(refused(BLUE, "bid 7").await.contains("no choice that you could make"));
    choose(&house.lobby, &found, RED, "bid 1").await;
    // Red has answered, and Blue's answer shows both.
    assert!(refused(RED, "bid 1").await.contains("nothing to seal"));
    assert!(!house.store.has_orders().expect("answers"), "nothing is written for what was refused");
    // In an open game there is nothing to seal.
    let open = house.sit_down("").await;
    assert!(!open.lock().await.may_seal(BLUE));
}

/// What pages hear, word for word.
fn heard(pages: &mut [mpsc::Receiver<Arc<str>>]) -> Vec<String> {
    let mut words = Vec::new();
    for page in pages {
        while let Ok(word) = page.try_recv() {
            words.push(word.to_string());
        }
    }
    words
}

/// Evenings that differ only in what Blue has sealed, if anything: not a byte differs for Red, for those who watch, for who comes
/// back and for whoever looks after the house; nor does the time of the answer tell what was sealed.
#[tokio::test]
async fn nobody_hears_whether_something_is_sealed() {
    let others = [Viewer::Seat(RED), Viewer::Spectator];
    let (mut evenings, mut waits) = (Vec::new(), Vec::new());
    for sealing in [&[][..], &["bid 1", "bid 2"], &["bid 2"], &["bid 1"]] {
        let house = House::open();
        let found = sit_down(&house, "daily").await;
        let red = AccountId(8);
        let keep = TableEvent::Seat { seat: 0, player: Player::Account { id: red, bot: None } };
        house.lobby.change(&found, move |live| Ok(live.happen(keep))).await.expect("kept");
        let mut pages: Vec<_> = {
            let mut live = found.lock().await;
            others.map(|viewer| live.subscribe(viewer, None).0).into()
        };
        let mut told = heard(&mut pages);
        for choice in sealing {
            seal(&house, &found, choice).await;
        }
        house.time.turn(HOUR);
        told.extend(heard(&mut pages));
        let whole = async || {
            let mut live = found.lock().await;
            let revision = live.revision;
            let mut told = Vec::new();
            for viewer in others {
                told.extend(live.subscribe(viewer, Some(revision)).1.map(|word| word.to_string()));
                told.push(live.whole_update(viewer, None));
                told.push(crate::pages::orders::part(&live, viewer).2);
            }
            told
        };
        told.extend(whole().await);
        choose(&house.lobby, &found, RED, "bid 1").await;
        told.extend(heard(&mut pages));
        told.extend(whole().await);
        let record = house.store.find(&found.id).expect("answers").expect("there");
        told.push(format!("{:?}", record.summary));
        let notices = house.store.notices(&found.id).expect("answers");
        assert!(notices.iter().all(|(notice, _)| notice.account == red) && !notices.is_empty());
        told.push(format!("{notices:?}"));
        let deadlines = house.store.deadlines(u64::MAX, 9).expect("answers");
        told.extend(deadlines.iter().map(|due| format!("{} {} {}", due.seat, due.at, due.revision)));
        assert!(
            house.lobby.owners_record(&found.id).await.is_err(),
            "the record is closed to the owner as well"
        );
        if let Some(coming) = found.lock().await.orders.coming() {
            waits.push(coming.at - house.now());
        }
        evenings.push(told);
    }
    assert!(evenings[0].len() > 8);
    for evening in &evenings[1..] {
        assert_eq!(evening, &evenings[0]);
    }
    // Each house draws its own secret for the waits; that the choice has no part in it `orders` shows. Here: all within their range.
    assert_eq!(waits.len(), 3);
    assert!(waits.iter().all(|wait| (20 * SECOND..=90 * SECOND).contains(wait)), "{waits:?}");
}
