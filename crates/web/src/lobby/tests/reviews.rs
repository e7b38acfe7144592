//! Matches are looked over when that helps nobody against somebody else, and only once.

use super::bot_loop::sit_down;
use super::*;

#[tokio::test]
async fn a_finished_match_is_reviewed_once_for_all_who_ask() {
    let lobby = card_lobby(&Arc::default());
    let found = sit_down(&lobby, &["bot:greedy", "bot:random"], "").await;
    until(&found, "the game is over", |live| live.table.result().is_some()).await;
    let first = lobby.review(&found, "quick").await.expect("begun");
    let second = lobby.review(&found, "quick").await.expect("the same");
    assert!(Arc::ptr_eq(&first, &second));
    for _ in 0..PATIENCE {
        if first.is_done() {
            break;
        }
        assert!((0.0..=1.0).contains(&first.progress()));
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let review = first.review().expect("a review");
    assert!(review.finished && review.seats.len() == 2, "{review:?}");
    let live = found.lock().await;
    let visit = crate::pages::review::Visit {
        viewer: Viewer::Spectator,
        path: "/m/x/y",
        owner: false,
        depth: "quick",
        may_fork: false,
    };
    let page = crate::pages::review::page(Prefs::default(), &live, review, &visit).into_string();
    for part in ["id=\"curve\"", "Where the result came from", "Red", "/m/x/y#step=", "Turn by turn"] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(!page.contains("style=") && !page.contains("data-fork"), "{page}");
}

#[tokio::test]
async fn a_running_match_is_reviewed_only_for_one_who_plays_alone() {
    let lobby = card_lobby(&Arc::default());
    for (seats, open) in [(["me", "friend"], true), (["me", "friend"], false), (["me", "bot:greedy"], false)]
    {
        let order = if open { open_cards(&seats) } else { cards(&seats, "") };
        let (id, _) = lobby.create(&order).await.expect("made");
        let found = lobby.find(&id).await.expect("there");
        let refused = lobby.review(&found, "quick").await.map(|_| ()).expect_err("not yet").to_string();
        assert!(refused.contains("when it is over"), "{refused}");
        assert!(!found.lock().await.may_review());
    }
    let (id, _) = lobby.create(&open_cards(&["me", "bot:greedy"])).await.expect("made");
    let found = lobby.find(&id).await.expect("there");
    assert!(lobby.review(&found, "quick").await.is_ok());
}
