//! Standing orders at the table: they answer after their time, their person may step in, a restart changes nothing, their owner
//! is told why they end, and nobody else hears of them.

use clocks::{HOUR, SECOND};
use store::{AccountId, Effect, EntryKind, NoticeState, OrderBooks as _, Player, Store as _, TableEvent};
use tokio::sync::mpsc;

use super::bot_loop::{choose, take_back};
use super::deadlines::House;
use super::*;
use crate::live::{OrderEdit, OrderRefusal, TableAct, Wish};

const RED: Seat = Seat(0);
const BLUE: Seat = Seat(1);
/// Longer than any order waits in a sitting.
const LONG: u64 = 4 * SECOND + 1;

async fn give(house: &House, found: &Arc<LiveMatch>, seat: Seat, text: &str) {
    house.lobby.edit_orders(found, seat, OrderEdit::Give(text.to_owned())).await.expect(text);
}

async fn edit(house: &House, found: &Arc<LiveMatch>, seat: Seat, edit: OrderEdit) {
    house.lobby.edit_orders(found, seat, edit).await.expect("an order");
}

/// Time passes, and due answers are given. Returns how many.
async fn pass(house: &House, span: u64) -> usize {
    house.time.turn(span);
    house.lobby.sweep_answers().await
}

fn last_steps(house: &House, id: &str) -> String {
    match house.store.journal(id).expect("answers").pop().expect("an entry").kind {
        EntryKind::Steps(text) => text,
        other => panic!("{other:?}"),
    }
}

/// Why the first order of a seat has ended; empty while it has not.
async fn end(found: &LiveMatch, seat: Seat) -> String {
    let live = found.lock().await;
    let first = live.orders.list(seat).first().expect("an order");
    first.ended.as_ref().map_or_else(String::new, ToString::to_string)
}

#[tokio::test]
async fn an_order_answers_when_its_time_has_come_and_not_before() {
    let house = House::open();
    let found = house.sit_down("").await;
    give(&house, &found, BLUE, "after other \"bid *\" choose \"bid 2\"").await;
    assert_eq!(pass(&house, LONG).await, 0, "it is Red's turn");
    choose(&house.lobby, &found, RED, "bid 1").await;
    let due = found.lock().await.orders.coming().expect("an answer waits").at;
    assert!((SECOND..=4 * SECOND).contains(&(due - house.now())), "{}", due - house.now());
    assert_eq!(house.lobby.answers_at(&found.id, BLUE).await, Some(due));
    assert_eq!(pass(&house, due - house.now() - 1).await, 0);
    assert_eq!(pass(&house, 1).await, 1);
    assert_eq!(last_steps(&house, &found.id).lines().next().map(|line| line.contains("bid 2")), Some(true));
    assert_eq!(found.lock().await.seat_to_move(), Some(RED.0));
    assert_eq!(pass(&house, LONG).await, 0);
    // In a match over days it takes longer.
    let slow = house.sit_down("daily").await;
    give(&house, &slow, BLUE, "after other \"bid *\" choose \"bid 2\"").await;
    choose(&house.lobby, &slow, RED, "bid 1").await;
    assert_eq!(pass(&house, 20 * SECOND - 1).await, 0);
    assert_eq!(pass(&house, 70 * SECOND + 1).await, 1);
}

#[tokio::test]
async fn the_person_may_step_in() {
    let house = House::open();
    let found = house.sit_down("").await;
    give(&house, &found, BLUE, "after other \"**\" choose \"bid 2\"").await;
    choose(&house.lobby, &found, RED, "bid 1").await;
    choose(&house.lobby, &found, BLUE, "bid 1").await;
    choose(&house.lobby, &found, RED, "bid 1").await;
    // "Not this time" is for this question only, and outlasts a restart.
    edit(&house, &found, BLUE, OrderEdit::Hold).await;
    let mut house = house;
    house.die(SECOND);
    house.lobby.wake_orders().await.expect("woken");
    assert_eq!(pass(&house, LONG).await, 0);
    let found = house.lobby.find(&found.id).await.expect("there");
    choose(&house.lobby, &found, BLUE, "bid 1").await;
    choose(&house.lobby, &found, RED, "bid 1").await;
    assert_eq!(pass(&house, LONG).await, 1);
    let names: Vec<String> = found
        .lock()
        .await
        .table
        .log(2, Viewer::Spectator)
        .into_iter()
        .filter_map(|entry| entry.name)
        .collect();
    assert_eq!(names, ["bid 1", "bid 1", "bid 1", "bid 1", "bid 1", "bid 2"]);
}

#[tokio::test]
async fn what_was_taken_back_is_not_answered_again_at_once() {
    let house = House::open();
    let found = house.sit_down("").await;
    choose(&house.lobby, &found, RED, "bid 1").await;
    give(&house, &found, RED, "after other \"**\" choose \"bid 2\"").await;
    choose(&house.lobby, &found, BLUE, "bid 1").await;
    choose(&house.lobby, &found, RED, "bid 1").await;
    take_back(&house.lobby, &found, RED).await;
    assert_eq!(pass(&house, LONG).await, 0);
    // What happens beside choices does not change that, nor does a restart.
    let revision = found.lock().await.revision;
    let offer = move |live: &mut Live| live.act(RED, revision, &TableAct::Offer(Wish::Draw));
    house.lobby.change(&found, offer).await.expect("offered");
    assert_eq!(pass(&house, LONG).await, 0);
    let mut house = house;
    house.die(SECOND);
    house.lobby.wake_orders().await.expect("woken");
    assert_eq!(pass(&house, LONG).await, 0);
    let found = house.lobby.find(&found.id).await.expect("there");
    choose(&house.lobby, &found, RED, "bid 1").await;
    choose(&house.lobby, &found, BLUE, "bid 1").await;
    assert_eq!(pass(&house, LONG).await, 1);
}

#[tokio::test]
async fn an_answer_that_was_taken_back_is_not_told_of_later() {
    let house = House::open();
    let found = house.sit_down("").await;
    give(&house, &found, BLUE, "after other \"bid 1\" choose \"bid 2\"").await;
    choose(&house.lobby, &found, RED, "bid 1").await;
    assert_eq!(pass(&house, LONG).await, 1);
    assert_eq!(house.store.answers(&found.id).expect("answers").len(), 1);
    take_back(&house.lobby, &found, BLUE).await;
    assert_eq!(house.store.answers(&found.id).expect("answers"), []);
}

#[tokio::test]
async fn a_restart_changes_nothing_and_nobody_has_to_come() {
    let mut house = House::open();
    let found = house.sit_down("").await;
    give(&house, &found, BLUE, "after other \"**\" choose \"bid 2\", 2 times").await;
    choose(&house.lobby, &found, RED, "bid 1").await;
    let id = found.id.clone();
    drop(found);
    // While the house was away the time of the answer has passed: it waits anew, so that nobody sees who was answered for.
    house.die(HOUR);
    assert_eq!((house.lobby.live_count(), house.lobby.sweep_answers().await), (0, 0));
    house.lobby.wake_orders().await.expect("woken");
    assert_eq!(house.lobby.sweep_answers().await, 0);
    assert_eq!(pass(&house, LONG).await, 1);
    // What was used before the second crash is used.
    house.die(1);
    let found = house.lobby.find(&id).await.expect("there");
    assert_eq!(found.lock().await.orders.list(BLUE)[0].uses_left, Some(1));
    choose(&house.lobby, &found, RED, "bid 1").await;
    assert_eq!(pass(&house, LONG).await, 1);
    choose(&house.lobby, &found, RED, "bid 1").await;
    assert_eq!(pass(&house, LONG).await, 0);
    assert_eq!(end(&found, BLUE).await, "Ended: answered as often as you said.");
    house.die(1);
    let found = house.lobby.find(&id).await.expect("there");
    assert_eq!(end(&found, BLUE).await, "Ended: answered as often as you said.");
    assert_eq!(pass(&house, LONG).await, 0);
}

#[tokio::test]
async fn the_owner_is_told_why_an_order_ends() {
    for (text, told) in [
        ("after other \"**\" choose \"bid 2\" until turn 2", "Ended: turn 2 has begun."),
        ("after other \"**\" choose \"bid 2\" unless other \"bid 2\"", "Ended by step 5."),
        ("after other \"**\" choose \"bid 7\"", "Stopped: its choice was refused."),
    ] {
        let house = House::open();
        let found = house.sit_down("").await;
        give(&house, &found, BLUE, text).await;
        choose(&house.lobby, &found, RED, "bid 1").await;
        let refused = told.starts_with("Stopped");
        assert_eq!(pass(&house, LONG).await, usize::from(!refused), "{text}");
        if !refused {
            assert_eq!(end(&found, BLUE).await, "");
            choose(&house.lobby, &found, RED, "bid 2").await;
        }
        assert!(end(&found, BLUE).await.starts_with(told), "{}", end(&found, BLUE).await);
        assert_eq!(pass(&house, LONG).await, 0, "the person is asked");
        // The owner's page says so, and so does the store.
        let kept = house.store.books(&found.id).expect("answers");
        assert!(kept[0].1.orders[0].why.starts_with(told), "{kept:?}");
        let live = found.lock().await;
        let own = crate::pages::orders::part(&live, Viewer::Seat(BLUE)).2;
        assert!(own.contains(told.trim_end_matches('.')), "{own}");
    }
}

#[tokio::test]
async fn orders_that_can_not_be_given() {
    let house = House::open();
    let found = house.sit_down("").await;
    let give = |text: &str| house.lobby.edit_orders(&found, BLUE, OrderEdit::Give(text.to_owned()));
    let Err(OrderRefusal::Unreadable(problems)) = give("after othr \"**\" choose \"bid *\"").await else {
        panic!("it can't be read")
    };
    let told = crate::pages::orders::problems(&problems)["problems"].clone();
    assert_eq!((told[0]["line"].clone(), told[0]["column"].clone()), (1.into(), 7.into()), "{told}");
    assert_eq!(told[0]["hint"], "did you mean \"other\"?");
    assert!(told[1]["what"].as_str().is_some_and(|what| what.contains("with *")), "{told}");
    assert!(!house.store.has_orders().expect("answers"), "nothing is written for what was refused");
    for _ in 0..28 {
        give("after other \"**\" choose \"bid 2\"").await.expect("room");
    }
    let Err(OrderRefusal::Other(LobbyError::TooFast)) = ({
        give("after other \"**\" choose \"bid 2\"").await.expect("room");
        give("after other \"**\" choose \"bid 2\"").await
    }) else {
        panic!("nobody is that quick")
    };
    let gone = house.lobby.edit_orders(&found, RED, OrderEdit::Remove { number: 9 }).await;
    assert!(matches!(gone, Err(OrderRefusal::Other(LobbyError::Bad(_)))));
}

#[tokio::test]
async fn a_paused_order_rests_and_a_removed_one_is_gone() {
    let house = House::open();
    let found = house.sit_down("").await;
    give(&house, &found, BLUE, "after other \"**\" choose \"bid 2\"").await;
    choose(&house.lobby, &found, RED, "bid 1").await;
    edit(&house, &found, BLUE, OrderEdit::Pause { number: 1, is_paused: true }).await;
    assert_eq!(pass(&house, LONG).await, 0);
    edit(&house, &found, BLUE, OrderEdit::Pause { number: 1, is_paused: false }).await;
    assert_eq!(pass(&house, SECOND / 2).await, 0, "it waits anew");
    assert_eq!(pass(&house, LONG).await, 1);
    choose(&house.lobby, &found, RED, "bid 1").await;
    edit(&house, &found, BLUE, OrderEdit::Remove { number: 1 }).await;
    assert_eq!(pass(&house, LONG).await, 0);
    // A bot that plays for the person is not disturbed.
    give(&house, &found, BLUE, "after other \"**\" choose \"bid 2\"").await;
    let by = Requester { viewer: Viewer::Seat(BLUE), owns_lobby: false };
    house.lobby.hand_over(&found, by, BLUE, Some("greedy".to_owned())).await.expect("handed over");
    until(&found, "the bot has chosen", |live| live.seat_to_move() == Some(RED.0)).await;
    assert_eq!(pass(&house, LONG).await, 0);
}

#[tokio::test]
async fn what_is_usual_is_what_the_quick_policy_does() {
    let house = House::open();
    let found = house.sit_down("").await;
    give(&house, &found, BLUE, "after other \"**\" choose usual").await;
    choose(&house.lobby, &found, RED, "bid 1").await;
    assert_eq!(pass(&house, LONG).await, 1);
    assert!(last_steps(&house, &found.id).contains("bid 2"), "the policy of the toy bids 2");
}

#[tokio::test]
async fn when_the_match_is_over_everybody_learns_what_orders_chose() {
    let mut house = House::open();
    let found = house.sit_down("").await;
    give(&house, &found, BLUE, "after other \"bid 1\" choose \"bid 2\"").await;
    let remarks = |live: &Live| -> Vec<(usize, String)> {
        let log = live.table.log(0, Viewer::Spectator);
        log.into_iter().filter_map(|entry| Some((entry.step, entry.remark?))).collect()
    };
    for bid in ["bid 1", "bid 2", "bid 1", "bid 2"] {
        choose(&house.lobby, &found, RED, bid).await;
        assert_eq!(remarks(&*found.lock().await), [], "not before the end");
        if pass(&house, LONG).await == 0 {
            choose(&house.lobby, &found, BLUE, "bid 1").await;
        }
    }
    let told = "A standing order chose this. After another player chose “bid 1”: choose “bid 2”.";
    let expected = vec![(4, told.to_owned()), (8, told.to_owned())];
    assert!(found.lock().await.is_over());
    assert_eq!(remarks(&*found.lock().await), expected);
    house.die(SECOND);
    let found = house.lobby.find(&found.id).await.expect("there");
    assert_eq!(remarks(&*found.lock().await), expected);
}

#[tokio::test]
async fn whoever_gives_no_orders_has_nothing_written() {
    let house = House::open();
    let found = house.sit_down("daily").await;
    choose(&house.lobby, &found, RED, "bid 1").await;
    take_back(&house.lobby, &found, RED).await;
    assert!(!house.store.has_orders().expect("answers"));
    let live = found.lock().await;
    let change = live.pending(live.whole_entry(), Instant::now());
    assert!(!change.append.effects.iter().any(|effect| matches!(effect, Effect::Order { .. })));
}

/// What a page hears, word for word.
fn heard(pages: &mut [mpsc::Receiver<Arc<str>>]) -> Vec<Vec<String>> {
    let all = |page: &mut mpsc::Receiver<Arc<str>>| {
        let mut words = Vec::new();
        while let Ok(word) = page.try_recv() {
            words.push(word.to_string());
        }
        words
    };
    pages.iter_mut().map(all).collect()
}

/// Two evenings that differ only in that Blue gives orders: not a byte differs for Red, for those who watch, and for who
/// comes back.
#[tokio::test]
async fn nobody_else_hears_of_orders() {
    let mut evenings = Vec::new();
    for with_orders in [false, true] {
        let house = House::open();
        let found = house.sit_down("sitting").await;
        let others = [Viewer::Seat(RED), Viewer::Spectator];
        let mut told = Vec::new();
        let mut pages: Vec<_> = {
            let mut live = found.lock().await;
            others.map(|viewer| live.subscribe(viewer, None).0).into()
        };
        told.push(heard(&mut pages));
        for (bid, answer) in [("bid 1", "bid 2"), ("bid 2", "bid 2"), ("bid 1", "bid 2")] {
            if with_orders {
                give(&house, &found, BLUE, "after other \"**\" choose \"bid 2\"").await;
                let number = found.lock().await.orders.list(BLUE).last().expect("an order").number;
                edit(&house, &found, BLUE, OrderEdit::Pause { number, is_paused: true }).await;
                edit(&house, &found, BLUE, OrderEdit::Pause { number, is_paused: false }).await;
            }
            told.push(heard(&mut pages));
            choose(&house.lobby, &found, RED, bid).await;
            told.push(heard(&mut pages));
            if with_orders {
                assert_eq!(pass(&house, LONG).await, 1);
            } else {
                house.time.turn(LONG);
                choose(&house.lobby, &found, BLUE, answer).await;
            }
            told.push(heard(&mut pages));
            let mut live = found.lock().await;
            let revision = live.revision;
            told.push(
                others
                    .map(|viewer| {
                        let missed = live.subscribe(viewer, Some(revision)).1;
                        vec![
                            missed.map_or_else(String::new, |word| word.to_string()),
                            live.whole_update(viewer, None),
                        ]
                    })
                    .concat()
                    .into_iter()
                    .map(|word| vec![word])
                    .collect(),
            );
            if let Ok(record) = live.record(false) {
                told.push(vec![vec![record]]);
            }
        }
        assert!(told.iter().flatten().flatten().count() > 12);
        evenings.push(told);
    }
    assert_eq!(evenings[0], evenings[1]);
}

#[tokio::test]
async fn nobody_is_told_that_it_is_their_turn_while_their_order_answers() {
    let house = House::open();
    let found = house.sit_down("daily").await;
    let blue = AccountId(9);
    let keep = TableEvent::Seat { seat: 1, player: Player::Account { id: blue, bot: None } };
    house.lobby.change(&found, move |live| Ok(live.happen(keep))).await.expect("kept");
    let turns = || {
        let all = house.store.notices(&found.id).expect("answers").into_iter();
        all.filter(|(notice, _)| notice.kind == "turn").map(|(_, state)| state).collect::<Vec<_>>()
    };
    give(&house, &found, BLUE, "after other \"bid 1\" choose \"bid 2\"").await;
    choose(&house.lobby, &found, RED, "bid 1").await;
    assert_eq!(turns(), []);
    assert_eq!(pass(&house, 90 * SECOND).await, 1);
    choose(&house.lobby, &found, RED, "bid 2").await;
    assert_eq!(turns(), [NoticeState::Waiting]);
    choose(&house.lobby, &found, BLUE, "bid 1").await;
    // An order whose choice can't be made leaves the question to its owner, who is told like anybody.
    give(&house, &found, BLUE, "after other \"bid 1\" then other \"bid 1\" choose \"bid 2\"").await;
    edit(&house, &found, BLUE, OrderEdit::Remove { number: 1 }).await;
    give(&house, &found, BLUE, "after other \"bid 1\" choose \"bid 7\"").await;
    choose(&house.lobby, &found, RED, "bid 1").await;
    assert_eq!(turns(), [NoticeState::Moot, NoticeState::Waiting]);
}
