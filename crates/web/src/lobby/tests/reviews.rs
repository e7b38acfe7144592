//! Matches are looked over when that helps nobody against somebody else, and only once.

use super::bot_loop::{choose, sit_down};
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

/// A match that can be reviewed while it runs.
async fn reviewable(lobby: &Arc<Lobby>) -> Arc<LiveMatch> {
    let (id, _) = lobby.create(&open_cards(&["me", "bot:greedy"])).await.expect("made");
    lobby.find(&id).await.expect("there")
}

/// Waits until a review has ended, one way or the other.
async fn ended(job: &reviewing::Job) {
    for _ in 0..PATIENCE {
        if job.is_done() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("the review never ended");
}

#[tokio::test]
async fn a_match_waits_for_two_reviews_and_the_server_for_a_few() {
    let lobby = card_lobby(&Arc::default());
    let room = lobby.reviews.room.acquire().await.expect("free");
    let mut jobs = Vec::new();
    for _ in 0..8 {
        let found = reviewable(&lobby).await;
        jobs.push((lobby.review(&found, "quick").await.expect("it waits"), found));
    }
    // The look of the ending card does not keep anybody from a deeper one.
    let deeper = lobby.review(&jobs[0].1, "deep").await.expect("it waits, too");
    let tenth = reviewable(&lobby).await;
    let refused = lobby.review(&tenth, "quick").await.map(|_| ()).expect_err("too many").to_string();
    assert!(refused.contains("waiting for their review"), "{refused}");
    let (first, found) = &jobs[0];
    let refused = lobby.review(found, "normal").await.map(|_| ()).expect_err("two at a time").to_string();
    assert!(refused.contains("being reviewed already (depth quick and deep)"), "{refused}");
    assert!(Arc::ptr_eq(first, &lobby.review(found, "quick").await.expect("the same")));
    // A match that goes on is reviewed anew.
    choose(&lobby, found, SEAT, "bid 1").await;
    let other = lobby.review(found, "quick").await.expect("of the new position");
    assert!(!Arc::ptr_eq(first, &other));
    drop(room);
    ended(first).await;
    ended(&deeper).await;
    assert!(first.review().is_none() && deeper.review().is_none(), "they were stopped");
    ended(&other).await;
    for (job, _) in &jobs[1..] {
        ended(job).await;
        assert!(job.review().is_some());
    }
    lobby.review(&tenth, "quick").await.expect("there is room again");
}

#[tokio::test]
async fn a_review_that_nobody_asks_about_is_stopped() {
    let titles: Vec<Arc<dyn Title>> = vec![Arc::new(Of::<cards::Cards>::new())];
    let mut lobby = Lobby::open(Arc::new(MemoryStore::default()), titles).expect("opens");
    lobby.reviews.wanted_for = Duration::from_millis(50);
    let lobby = Arc::new(lobby);
    let room = lobby.reviews.room.acquire().await.expect("free");
    let found = reviewable(&lobby).await;
    let job = lobby.review(&found, "quick").await.expect("it waits");
    ended(&job).await;
    assert!(job.review().is_none(), "nobody has asked, so nobody gets it");
    drop(room);
    assert!(!Arc::ptr_eq(&job, &lobby.review(&found, "quick").await.expect("a new one")));
}
