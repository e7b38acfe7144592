//! What the server thinks of a position is told to those who want it, and to nobody who plays against somebody else.

use super::bot_loop::{choose, sit_down};
use super::*;

const RED: Seat = Seat(0);

/// Looks on and wants to know the chances.
async fn look(
    lobby: &Arc<Lobby>,
    found: &Arc<LiveMatch>,
    viewer: Viewer,
) -> tokio::sync::mpsc::Receiver<Arc<str>> {
    let mut live = found.lock().await;
    let revision = live.revision;
    let (updates, _) = live.subscribe(viewer, Some(revision));
    live.show_win_chances();
    lobby.analyse(found, &mut live);
    updates
}

#[tokio::test]
async fn the_chance_follows_the_match() {
    let lobby = card_lobby(&Arc::default());
    let found = sit_down(&lobby, &["me", "bot:greedy"], "").await;
    let mut updates = look(&lobby, &found, Viewer::Seat(RED)).await;
    let known = |live: &Live| {
        live.win_chances(Viewer::Seat(RED)).is_some_and(|found| found.revision == live.revision)
    };
    until(&found, "the chance is known", known).await;
    let told = updates.recv().await.expect("told");
    assert!(told.contains("Win chances: You ") && told.contains("\"from\":1,\"to\":1"), "{told}");
    assert!(found.lock().await.win_chances(Viewer::Spectator).is_none(), "nobody else has asked");
    choose(&lobby, &found, RED, "bid 1").await;
    until(&found, "blue has answered", |live| live.revision == 3).await;
    until(&found, "the chance is known again", known).await;
    let win_chances = found.lock().await.win_chances(Viewer::Seat(RED)).cloned().expect("known");
    let sum: f64 = win_chances.chances.iter().sum();
    assert!(
        win_chances.chances.len() == 2 && (sum - 1.0).abs() < 0.01 && win_chances.error < 0.1,
        "{win_chances:?}"
    );
}

#[tokio::test]
async fn nobody_is_helped_against_somebody_else() {
    let lobby = card_lobby(&Arc::default());
    let found = sit_down(&lobby, &["me", "friend"], "").await;
    let _updates = look(&lobby, &found, Viewer::Seat(RED)).await;
    let refused = lobby.hint(&found, Viewer::Seat(RED)).await.map(|_| ()).expect_err("no hint").to_string();
    assert!(refused.contains("only available when you play alone"), "{refused}");
    // Nor by sending the other away for a while.
    let asker = Requester { viewer: Viewer::Seat(RED), owns_lobby: true };
    lobby.hand_over(&found, asker, Seat(1), Some("greedy".to_owned())).await.expect("away");
    assert!(lobby.hint(&found, Viewer::Seat(RED)).await.is_err());
    tokio::time::sleep(Duration::from_millis(300)).await;
    let live = found.lock().await;
    assert!(live.win_chances(Viewer::Seat(RED)).is_none() && !live.may_analyse());
}

#[tokio::test]
async fn a_hint_is_for_the_one_who_is_to_choose() {
    let lobby = card_lobby(&Arc::default());
    let found = sit_down(&lobby, &["me", "bot:greedy"], "").await;
    assert!(lobby.hint(&found, Viewer::Spectator).await.is_err());
    assert!(lobby.hint(&found, Viewer::Seat(Seat(1))).await.is_err());
    let hint = lobby.hint(&found, Viewer::Seat(RED)).await.expect("a hint");
    assert_eq!(hint.number, 1);
    let page = crate::pages::chance::hint(&*found.lock().await, &hint).into_string();
    assert!(page.contains("data-choice=\"bid 1\"") && page.contains("data-choice=\"bid 2\""), "{page}");
    assert!(!page.contains("blue:"), "what it foresees betrays no hand: {page}");
}

#[tokio::test]
async fn a_hint_that_nobody_waits_for_is_stopped_and_only_then_the_next_begins() {
    let lobby = card_lobby(&Arc::default());
    let found = sit_down(&lobby, &["me", "bot:greedy"], "").await;
    // The search has a second. Whoever hangs up during it leaves a thread that holds the place until it has stopped.
    let mut asking = Box::pin(lobby.hint(&found, Viewer::Seat(RED)));
    while lobby.hints.available_permits() > 0 {
        let waited = tokio::time::timeout(Duration::from_millis(1), &mut asking).await;
        assert!(waited.is_err(), "it takes a second");
    }
    drop(asking);
    for _ in 0..PATIENCE {
        if lobby.hints.available_permits() > 0 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(lobby.hints.available_permits(), 1, "the thread gives the place back");
    assert_eq!(lobby.hint(&found, Viewer::Seat(RED)).await.expect("a hint").number, 1);
}

#[tokio::test]
async fn so_many_wait_for_a_hint_and_no_more() {
    let lobby = card_lobby(&Arc::default());
    let found = sit_down(&lobby, &["me", "bot:greedy"], "").await;
    let held = lobby.waiting_hints.acquire_many(WAITING_HINTS as u32).await.expect("free");
    let refused = lobby.hint(&found, Viewer::Seat(RED)).await.map(|_| ()).expect_err("full").to_string();
    assert!(refused.contains("Many people are asking"), "{refused}");
    drop(held);
    lobby.hint(&found, Viewer::Seat(RED)).await.expect("a hint");
}
