//! What people who play each other do beside choosing.

use store::{EntryKind, Offer, Player, Store as _, TableEvent};

use super::bot_loop::{bids, choose, sit_down};
use super::*;
use crate::live::{TableAct, Wish};

const RED: Seat = Seat(0);
const BLUE: Seat = Seat(1);

async fn act(
    lobby: &Arc<Lobby>,
    found: &Arc<LiveMatch>,
    seat: Seat,
    act: TableAct,
) -> Result<u32, LobbyError> {
    let revision = found.lock().await.revision;
    lobby.change(found, move |live| live.act(seat, revision, &act)).await
}

async fn done(lobby: &Arc<Lobby>, found: &Arc<LiveMatch>, seat: Seat, what: TableAct) {
    act(lobby, found, seat, what.clone()).await.unwrap_or_else(|why| panic!("{what:?}: {why}"));
}

async fn refused(lobby: &Arc<Lobby>, found: &Arc<LiveMatch>, seat: Seat, what: TableAct, told: &str) {
    let why = act(lobby, found, seat, what.clone()).await.expect_err("refused").to_string();
    assert!(why.contains(told), "{what:?}: {why}");
}

/// The offer that is open.
async fn open(found: &LiveMatch) -> u32 {
    found.lock().await.proceedings.offer.as_ref().expect("an offer").number
}

async fn answer(lobby: &Arc<Lobby>, found: &Arc<LiveMatch>, seat: Seat, yes: bool) {
    let offer = open(found).await;
    done(lobby, found, seat, TableAct::Answer { offer, yes }).await;
}

#[tokio::test]
async fn a_resignation_ends_a_match_of_two_and_is_kept() {
    let store = Arc::new(MemoryStore::default());
    let lobby = card_lobby(&store);
    let found = sit_down(&lobby, &["me", "friend"], "").await;
    choose(&lobby, &found, RED, "bid 1").await;
    let hidden = found.lock().await.record(true).expect_err("cards are hidden").to_string();
    assert!(hidden.contains("over"), "{hidden}");
    done(&lobby, &found, BLUE, TableAct::Resign).await;
    let summary = store.find(&found.id).expect("answers").expect("there").summary;
    assert_eq!(
        (
            summary.result.as_deref(),
            summary.result_title.as_str(),
            summary.standings.as_str(),
            summary.to_move.as_str()
        ),
        (Some("resigned"), "Blue resigned", "win,loss", "")
    );
    refused(&lobby, &found, RED, TableAct::Resign, "The match is over: Blue resigned").await;
    let again = card_lobby(&store).find(&found.id).await.expect("there");
    for found in [&found, &again] {
        let mut live = found.lock().await;
        assert!(live.is_over() && !live.hides());
        let revision = live.revision;
        let why = live.choose(BLUE, revision, "bid 1").map(|_| ()).expect_err("over").to_string();
        assert!(why.contains("The match is over: Blue resigned"), "{why}");
        assert!(live.undo(RED, revision, Undo::Step).is_err());
        let record = live.record(false).expect("published");
        assert!(record.ends_with("# ended: resigned (Blue resigned)\n"), "{record}");
        assert!(!record.contains("result:") && record.contains("secret: "), "{record}");
    }
    assert_eq!(found.lock().await.record(false).expect("it"), again.lock().await.record(false).expect("it"));
}

#[tokio::test]
async fn a_save_tells_what_was_beside_choices_as_comments() {
    let store = Arc::new(MemoryStore::default());
    let lobby = card_lobby(&store);
    let (id, _) = lobby.create(&open_cards(&["me", "friend"])).await.expect("made");
    let found = lobby.find(&id).await.expect("there");
    done(&lobby, &found, RED, TableAct::Offer(Wish::Draw)).await;
    answer(&lobby, &found, BLUE, false).await;
    choose(&lobby, &found, RED, "bid 1").await;
    done(&lobby, &found, BLUE, TableAct::Offer(Wish::BreakOff)).await;
    let text = found.lock().await.record(true).expect("open cards");
    let lines: Vec<&str> = text.lines().collect();
    let at = |part: &str| {
        lines.iter().position(|line| line.contains(part)).unwrap_or_else(|| panic!("{part}: {text}"))
    };
    assert!(at(" offer 0 to 1 draw") < at(" answer 1 2 no"));
    assert!(at(" answer 1 2 no") < at("bid 1") && at("bid 1") < at(" offer 1 to 0 break-off"));
    assert!(lines.iter().filter(|line| line.contains(" to ")).all(|line| line.starts_with("# beside: ")));
    // Readers skip them: it is the same match.
    let (copy, _, _) = lobby.import("copy.match", &text, false).await.expect("taken in");
    let copy = lobby.find(&copy).await.expect("there");
    assert_eq!(copy.lock().await.table.steps(), found.lock().await.table.steps());
    lobby.close(&id).await;
    let again = lobby.find(&id).await.expect("read again");
    assert_eq!(again.lock().await.record(true).expect("it"), text);
    // A match that the rules can't follow is given to its owner with them as well.
    let bare = Lobby::open(Arc::<MemoryStore>::clone(&store), Vec::new()).expect("opens");
    let kept = Arc::new(bare).owners_record(&id).await.expect("its text");
    assert!(kept.contains("# beside: ") && kept.contains(" offer 0 to 1 draw\n"), "{kept}");
}

#[tokio::test]
async fn draws_and_breaking_off_are_agreed() {
    for (wish, word, standings) in
        [(Wish::Draw, "agreed-draw", "draw,draw"), (Wish::BreakOff, "broken-off", "")]
    {
        let store = Arc::new(MemoryStore::default());
        let lobby = card_lobby(&store);
        let found = sit_down(&lobby, &["me", "friend"], "").await;
        done(&lobby, &found, RED, TableAct::Offer(wish)).await;
        let offer = open(&found).await;
        refused(&lobby, &found, RED, TableAct::Answer { offer, yes: true }, "not asked").await;
        refused(&lobby, &found, RED, TableAct::Offer(wish), "asked for this already").await;
        refused(&lobby, &found, BLUE, TableAct::Answer { offer: offer + 9, yes: true }, "no longer open")
            .await;
        refused(&lobby, &found, BLUE, TableAct::Withdraw { offer }, "Only whoever made").await;
        refused(&lobby, &found, BLUE, TableAct::Offer(Wish::Pause), "Answer the open offer first").await;
        answer(&lobby, &found, BLUE, false).await;
        refused(&lobby, &found, RED, TableAct::Offer(wish), "after the next choice").await;
        choose(&lobby, &found, RED, "bid 1").await;
        done(&lobby, &found, RED, TableAct::Offer(wish)).await;
        // Whoever asks for the same has agreed.
        done(&lobby, &found, BLUE, TableAct::Offer(wish)).await;
        let summary = store.find(&found.id).expect("answers").expect("there").summary;
        assert_eq!((summary.result.as_deref(), summary.standings.as_str()), (Some(word), standings));
    }
}

#[tokio::test]
async fn what_cannot_be_undone_alone_is_undone_together() {
    let store = Arc::new(MemoryStore::default());
    let lobby = card_lobby(&store);
    let found = sit_down(&lobby, &["me", "friend"], "").await;
    for (seat, bid) in [(RED, "bid 1"), (BLUE, "bid 2"), (RED, "bid 2"), (BLUE, "bid 1")] {
        choose(&lobby, &found, seat, bid).await;
    }
    let revision = found.lock().await.revision;
    let alone = lobby.change(&found, move |live| live.undo(RED, revision, Undo::Step)).await;
    assert!(matches!(alone, Err(LobbyError::Refused(kernel::MatchError::UndoBarred(_)))), "{alone:?}");
    done(&lobby, &found, RED, TableAct::Offer(Wish::Undo(Undo::Step))).await;
    assert!(matches!(
        found.lock().await.proceedings.offer.as_ref().map(|offer| offer.of),
        Some(Offer::Undo { to_step: 4, crossed: false })
    ));
    answer(&lobby, &found, BLUE, true).await;
    assert_eq!(bids(&*found.lock().await), "12");
    // It is the same after a restart, and it goes on from there.
    let again = card_lobby(&store);
    let found = again.find(&found.id).await.expect("there");
    assert_eq!(bids(&*found.lock().await), "12");
    choose(&again, &found, RED, "bid 1").await;
    assert_eq!(bids(&*found.lock().await), "121");
    let third = card_lobby(&store).find(&found.id).await.expect("there");
    assert_eq!(bids(&*third.lock().await), "121");
    let fresh = sit_down(&again, &["me", "friend"], "").await;
    refused(&again, &fresh, BLUE, TableAct::Offer(Wish::Undo(Undo::Turn)), "nothing to undo").await;
}

#[tokio::test]
async fn a_pause_is_agreed_and_ended_by_anybody() {
    let lobby = card_lobby(&Arc::default());
    let found = sit_down(&lobby, &["me", "friend"], "").await;
    refused(&lobby, &found, RED, TableAct::Resume, "not paused").await;
    done(&lobby, &found, BLUE, TableAct::Offer(Wish::Pause)).await;
    answer(&lobby, &found, RED, true).await;
    let revision = found.lock().await.revision;
    let why = lobby
        .change(&found, move |live| live.choose(RED, revision, "bid 1"))
        .await
        .expect_err("paused")
        .to_string();
    assert!(why.contains("paused: resume it first"), "{why}");
    refused(&lobby, &found, RED, TableAct::Offer(Wish::Pause), "paused already").await;
    done(&lobby, &found, RED, TableAct::Resume).await;
    choose(&lobby, &found, RED, "bid 1").await;
}

#[tokio::test]
async fn alone_there_is_nobody_to_settle_anything_with() {
    let store = Arc::new(MemoryStore::default());
    let lobby = card_lobby(&store);
    let found = sit_down(&lobby, &["me", "bot:greedy"], "").await;
    for what in [TableAct::Resign, TableAct::Offer(Wish::Draw), TableAct::Resume, TableAct::ClaimWin] {
        refused(&lobby, &found, RED, what, "Nobody else plays").await;
    }
    // And their journal is as it always was.
    let sender = Sender { request: Some("a-key".into()), ..Sender::default() };
    lobby.change_by(&found, sender, |live| live.choose(RED, 1, "bid 1")).await.expect("chosen");
    for entry in store.journal(&found.id).expect("answers") {
        assert_eq!((entry.account, entry.request, entry.awaits), (None, None, None));
        assert!(!matches!(entry.kind, EntryKind::Event(_)));
    }
    assert_eq!(store.deadlines(u64::MAX, 9), Ok(Vec::new()));
}

/// Does something that was meant for a position which is long past.
async fn late(
    lobby: &Arc<Lobby>,
    found: &Arc<LiveMatch>,
    seat: Seat,
    what: TableAct,
) -> Result<u32, LobbyError> {
    lobby.change_anyhow(found, Sender::default(), move |live| live.act(seat, 1, &what)).await
}

#[tokio::test]
async fn what_means_the_same_after_somebody_elses_choice_is_done_all_the_same() {
    let store = Arc::new(MemoryStore::default());
    let lobby = card_lobby(&store);
    let found = sit_down(&lobby, &["me", "friend"], "").await;
    for what in [TableAct::Offer(Wish::BreakOff), TableAct::Offer(Wish::Draw), TableAct::Offer(Wish::Pause)] {
        choose(&lobby, &found, RED, "bid 1").await;
        late(&lobby, &found, RED, what.clone()).await.unwrap_or_else(|why| panic!("{what:?}: {why}"));
        let offer = open(&found).await;
        match what {
            TableAct::Offer(Wish::BreakOff) => late(&lobby, &found, RED, TableAct::Withdraw { offer }).await,
            TableAct::Offer(Wish::Draw) => {
                late(&lobby, &found, BLUE, TableAct::Answer { offer, yes: false }).await
            }
            _ => late(&lobby, &found, BLUE, TableAct::Answer { offer, yes: true }).await,
        }
        .expect("the offer stood");
        if found.lock().await.proceedings.is_paused {
            late(&lobby, &found, BLUE, TableAct::Resume).await.expect("goes on");
        }
        // An offer that is settled is not answered by mistake.
        let gone = late(&lobby, &found, BLUE, TableAct::Answer { offer, yes: true }).await;
        assert!(gone.expect_err("settled").to_string().contains("no longer open"));
        choose(&lobby, &found, BLUE, "bid 2").await;
    }
    late(&lobby, &found, BLUE, TableAct::Resign).await.expect("given up");
    let summary = store.find(&found.id).expect("answers").expect("there").summary;
    assert_eq!(summary.result_title, "Blue resigned");
    let again = late(&lobby, &found, BLUE, TableAct::Resign).await;
    assert!(again.expect_err("once").to_string().contains("The match is over"));
}

#[tokio::test]
async fn what_depends_on_the_position_is_asked_anew() {
    let lobby = card_lobby(&Arc::default());
    let found = sit_down(&lobby, &["me", "friend"], "").await;
    for (seat, bid) in [(RED, "bid 1"), (BLUE, "bid 2"), (RED, "bid 2")] {
        choose(&lobby, &found, seat, bid).await;
    }
    for what in
        [TableAct::Offer(Wish::Undo(Undo::Step)), TableAct::ClaimWin, TableAct::ClaimStandIn, TableAct::Wait]
    {
        let told = late(&lobby, &found, RED, what.clone()).await;
        assert!(matches!(told, Err(LobbyError::Stale { revision: 4 })), "{what:?}: {told:?}");
    }
}

#[tokio::test]
async fn a_request_that_comes_again_is_answered_as_the_first_time() {
    let store = Arc::new(MemoryStore::default());
    let lobby = card_lobby(&store);
    let found = sit_down(&lobby, &["me", "friend"], "").await;
    let sender = |key: &str| Sender { request: Some(key.to_owned()), ..Sender::default() };
    let bid = |live: &mut Live| live.choose(RED, 1, "bid 1");
    assert_eq!(lobby.change_by(&found, sender("k1"), bid).await.expect("the first time"), 2);
    assert_eq!(lobby.change_by(&found, sender("k1"), bid).await.expect("again"), 2);
    let other = lobby.change_by(&found, sender("k2"), bid).await;
    assert!(matches!(other, Err(LobbyError::Stale { .. })), "{other:?}");
    // After a restart, too.
    let again = card_lobby(&store);
    let found = again.find(&found.id).await.expect("there");
    assert_eq!(again.change_by(&found, sender("k1"), bid).await.expect("once more"), 2);
    assert_eq!(store.journal(&found.id).expect("answers").len(), 2);
    for wrong in ["", "has blank", &"x".repeat(65)] {
        assert!(again.change_by(&found, sender(wrong), bid).await.is_err(), "{wrong:?}");
    }
    // Two servers over one store: one has not heard of what the other wrote.
    let (one, two) = (card_lobby(&store), card_lobby(&store));
    let (here, there) = (one.find(&found.id).await.expect("here"), two.find(&found.id).await.expect("there"));
    let blue = |live: &mut Live| live.choose(BLUE, 2, "bid 2");
    assert_eq!(one.change_by(&here, sender("k3"), blue).await.expect("written"), 3);
    assert_eq!(two.change_by(&there, sender("k3"), blue).await.expect("known"), 3);
    assert_eq!(store.journal(&found.id).expect("answers").len(), 3);
}

#[tokio::test]
async fn once_the_journal_says_who_plays_it_says_so_always() {
    let store = Arc::new(MemoryStore::default());
    let lobby = card_lobby(&store);
    let found = sit_down(&lobby, &["me", "friend"], "").await;
    done(&lobby, &found, RED, TableAct::Offer(Wish::Draw)).await;
    let by = Requester { viewer: Viewer::Seat(BLUE), owns_lobby: false };
    lobby.hand_over(&found, by, BLUE, Some("greedy".into())).await.expect("handed over");
    let last = store.journal(&found.id).expect("answers").pop().expect("an entry").kind;
    let expected = TableEvent::Seat { seat: 1, player: Player::read("person+bot:greedy") };
    assert_eq!(last, EntryKind::Event(expected));
    assert_eq!(
        store.find(&found.id).expect("answers").expect("there").seats[1].player.to_string(),
        "person+bot:greedy"
    );
    // The journal decides, whatever the record says.
    store.set_player(&found.id, 1, &Player::Person, "", false).expect("set");
    let again = card_lobby(&store).find(&found.id).await.expect("there");
    assert_eq!(again.lock().await.bot_at(BLUE), Some("greedy"));
}

#[tokio::test]
async fn the_owner_of_the_house_can_end_a_match() {
    let store = Arc::new(MemoryStore::default());
    let lobby = card_lobby(&store);
    let found = sit_down(&lobby, &["me", "friend"], "").await;
    for (standings, why, told) in [
        ("win", "left", "each of the 2 seats"),
        ("won,lost", "left", "each of the 2 seats"),
        ("win,loss", " ", "Say why"),
    ] {
        let refused = lobby
            .change(&found, move |live| live.verdict(standings, why))
            .await
            .expect_err("refused")
            .to_string();
        assert!(refused.contains(told), "{refused}");
    }
    lobby.change(&found, |live| live.verdict("win,loss", "never came back")).await.expect("ended");
    let summary = store.find(&found.id).expect("answers").expect("there").summary;
    assert_eq!(
        (summary.standings.as_str(), summary.result_title.as_str()),
        ("win,loss", "Ended by the house: never came back")
    );
}
