//! Seats that change hands.

use store::Store as _;

use super::bot_loop::{bids, choose, sit_down, take_back, thinking};
use super::cards::Gate;
use super::sitting_down::all_sit;
use super::*;

const RED: Seat = Seat(0);
const BLUE: Seat = Seat(1);

const fn by(seat: Seat) -> Requester {
    Requester { viewer: Viewer::Seat(seat), owns_lobby: false }
}

fn bot(word: &str) -> Option<String> {
    Some(word.to_owned())
}

#[tokio::test]
async fn a_bot_plays_on_until_the_seat_is_taken_back() {
    let store = Arc::new(MemoryStore::default());
    let lobby = card_lobby(&store);
    let found = sit_down(&lobby, &["me", "friend"], "").await;
    let link = found.keys.seat(BLUE).expect("a friend has a link").to_owned();
    let (mut updates, _) = found.lock().await.subscribe(Viewer::Seat(RED), Some(1));
    lobby.hand_over(&found, by(BLUE), BLUE, bot("greedy")).await.expect("handed over");
    let told = updates.recv().await.expect("all are told");
    assert!(told.contains("Greedy now plays Blue") && told.contains("\"from\":1,\"to\":1"), "{told}");
    choose(&lobby, &found, RED, "bid 1").await;
    until(&found, "the bot has answered", |live| live.revision == 3).await;
    // The seat is still its person's, who sees on what it sees but does not choose.
    let (_, viewer) = lobby.enter(&found.id, &link).await.expect("the link is good");
    assert_eq!(viewer, Viewer::Seat(BLUE));
    {
        let live = found.lock().await;
        assert!(!live.is_solo() && !live.plays(viewer) && live.has_bots());
        assert!(store.find(&found.id).expect("answers").expect("there").seats[1].player.is_a_persons());
    }
    choose(&lobby, &found, RED, "bid 1").await;
    until(&found, "the bot has answered", |live| live.revision == 5).await;
    let refused = lobby.change(&found, |live| live.choose(BLUE, 5, "bid 1")).await;
    assert!(refused.is_err(), "{refused:?}");
    let refused = lobby.change(&found, |live| live.undo(BLUE, 5, Undo::Step)).await;
    assert!(refused.expect_err("a bot's").to_string().contains("take over again first"));
    // It is kept over a restart.
    let again = card_lobby(&store).find(&found.id).await.expect("there");
    assert_eq!(again.lock().await.bot_at(BLUE), Some("greedy"));
    lobby.hand_over(&found, by(BLUE), BLUE, None).await.expect("taken back");
    choose(&lobby, &found, RED, "bid 1").await;
    choose(&lobby, &found, BLUE, "bid 1").await;
    assert_eq!(bids(&*found.lock().await), "121211");
    assert_eq!(store.find(&found.id).expect("answers").expect("there").seats[1].player.to_string(), "person");
}

#[tokio::test]
async fn the_store_says_who_is_to_move_after_a_seat_changed_hands() {
    let store = Arc::new(MemoryStore::default());
    let lobby = card_lobby(&store);
    let gate = Gate::named("to move");
    let found = sit_down(&lobby, &["me", "friend"], "to move").await;
    let to_move = || store.find(&found.id).expect("answers").expect("there").summary.to_move;
    assert_eq!(to_move(), "Red, that is you");
    lobby.hand_over(&found, by(RED), RED, bot("slow")).await.expect("handed over");
    thinking(&gate, 1).await;
    assert_eq!(to_move(), "Red, Slow");
    lobby.hand_over(&found, by(RED), RED, None).await.expect("taken back");
    assert_eq!(to_move(), "Red, that is you");
    gate.let_go();
}

#[tokio::test]
async fn a_thought_for_a_seat_that_was_taken_back_counts_for_nothing() {
    let lobby = card_lobby(&Arc::default());
    let gate = Gate::named("taken back");
    let found = sit_down(&lobby, &["me", "bot:greedy"], "taken back").await;
    lobby.hand_over(&found, by(RED), RED, bot("slow")).await.expect("handed over");
    thinking(&gate, 1).await;
    lobby.hand_over(&found, by(RED), RED, None).await.expect("taken back");
    gate.let_go();
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert_eq!(found.lock().await.revision, 1);
    choose(&lobby, &found, RED, "bid 1").await;
    until(&found, "blue has answered", |live| live.revision == 3).await;
    // What a bot chose for them they may take back like their own.
    lobby.hand_over(&found, by(RED), RED, bot("greedy")).await.expect("handed over");
    until(&found, "the game is over", |live| live.table.result().is_some()).await;
    let over = lobby.hand_over(&found, by(RED), RED, None).await.expect_err("over").to_string();
    assert!(over.contains("over"), "{over}");
}

#[tokio::test]
async fn one_person_among_bots_takes_back_what_a_bot_chose_for_them() {
    let lobby = card_lobby(&Arc::default());
    let gate = Gate::named("own");
    let found = sit_down(&lobby, &["me", "bot:slow"], "own").await;
    lobby.hand_over(&found, by(RED), RED, bot("greedy")).await.expect("handed over");
    thinking(&gate, 1).await;
    lobby.hand_over(&found, by(RED), RED, None).await.expect("taken back");
    take_back(&lobby, &found, RED).await;
    assert_eq!(bids(&*found.lock().await), "");
    gate.let_go();
}

#[tokio::test]
async fn only_those_may_hand_a_seat_over_whose_it_is() {
    let lobby = card_lobby(&Arc::default());
    let found = sit_down(&lobby, &["me", "friend"], "").await;
    let looker = |owns_lobby| Requester { viewer: Viewer::Spectator, owns_lobby };
    for (who, seat, word) in [
        (by(BLUE), RED, "greedy"),
        (looker(false), BLUE, "greedy"),
        (looker(true), BLUE, "greedy"),
        (by(RED), RED, "gredy"),
        // A budget of one's own could last forever.
        (by(RED), RED, "search:4294967294"),
        (by(RED), RED, "search:4000"),
        (by(RED), Seat(7), "greedy"),
    ] {
        let refused = lobby.hand_over(&found, who, seat, bot(word)).await;
        assert!(refused.is_err(), "{who:?} {seat:?} {word}");
    }
    // Who made the match does it for a friend who is away, and not for one who is here.
    let (here, _) = found.lock().await.subscribe(Viewer::Seat(BLUE), Some(1));
    let refused = lobby.hand_over(&found, by(RED), BLUE, bot("greedy")).await.expect_err("here").to_string();
    assert!(refused.contains("at the table"), "{refused}");
    drop(here);
    lobby.hand_over(&found, by(RED), BLUE, bot("greedy")).await.expect("away");
    lobby.hand_over(&found, by(RED), BLUE, None).await.expect("given back");
    let bots = sit_down(&lobby, &["me", "bot:greedy"], "").await;
    assert!(
        lobby.hand_over(&bots, by(RED), BLUE, bot("random")).await.is_err(),
        "a bot's own seat stays its own"
    );
}

/// Whoever sits opposite must not choose a weak bot for somebody whose clock is running.
#[tokio::test]
async fn where_there_is_a_clock_nobody_hands_over_the_seat_of_another() {
    let lobby = card_lobby(&Arc::default());
    let order = NewMatch { clock: "daily".to_owned(), ..cards(&["me", "friend"], "") };
    let (id, _) = lobby.create(&order).await.expect("made");
    let found = lobby.find(&id).await.expect("there");
    // Somebody who never came is not waited for: nobody's clock runs yet.
    lobby.hand_over(&found, by(RED), BLUE, bot("greedy")).await.expect("nobody has sat down");
    lobby.hand_over(&found, by(BLUE), BLUE, None).await.expect("come after all");
    all_sit(&lobby, &found).await;
    let refused = lobby.hand_over(&found, by(RED), BLUE, bot("greedy")).await.expect_err("away").to_string();
    assert!(refused.contains("only players themselves"), "{refused}");
    lobby.hand_over(&found, by(BLUE), BLUE, bot("greedy")).await.expect("one's own");
}
