//! Matches that are played with a lesson.

use ::lessons::Stand;

use super::*;
use crate::pages::coach;

/// A server over a store that outlives it.
fn over(store: &Arc<MemoryStore>) -> Arc<Lobby> {
    let titles: Vec<Arc<dyn Title>> = vec![Arc::new(Of::<crate::PlainBoard<echoes::Echoes>>::new())];
    let store: Arc<dyn Store> = Arc::<MemoryStore>::clone(store);
    Arc::new(Lobby::open(store, titles).expect("the store opens"))
}

fn first() -> NewMatch {
    NewMatch { game: "echoes".to_owned(), lesson: "first".to_owned(), ..NewMatch::default() }
}

async fn panel(found: &LiveMatch, viewer: Viewer) -> Option<String> {
    coach::panel(&*found.lock().await, viewer).map(maud::Markup::into_string)
}

async fn choose(lobby: &Arc<Lobby>, found: &Arc<LiveMatch>, choice: &'static str) {
    let revision = found.lock().await.revision;
    lobby.change(found, move |live| live.choose(SEAT, revision, choice)).await.expect("an open choice");
}

#[tokio::test]
async fn a_lesson_brings_its_set_up_and_its_coach_and_keeps_its_page() {
    let store = Arc::new(MemoryStore::default());
    let lobby = over(&store);
    let (id, _) = lobby.create(&first()).await.expect("the lesson");
    let found = lobby.find(&id).await.expect("the match");
    {
        let live = found.lock().await;
        let lesson = Arc::clone(&lobby.titles()[0].lessons()[0].lesson);
        assert_eq!(live.name, lesson.title);
        assert_eq!(*live.table.dice(), MatchDice::seeded(lesson.seed));
    }
    let shown = panel(&found, Viewer::Seat(SEAT)).await.expect("a coach");
    assert!(shown.contains("1 of ") && shown.contains(">Next<") && !shown.contains(">Back<"), "{shown}");
    assert_eq!(panel(&found, Viewer::Spectator).await, None, "the coach speaks to the learner only");

    lobby.ask_coach(&found, SEAT, CoachRequest::Turn(2)).await.expect("a page");
    // Past the page of the task there is nothing to turn to.
    assert!(panel(&found, Viewer::Seat(SEAT)).await.expect("a coach").contains("3 of "));
    drop((lobby, found));
    let lobby = over(&store);
    let found = lobby.find(&id).await.expect("the match");
    assert!(panel(&found, Viewer::Seat(SEAT)).await.expect("a coach").contains("3 of "), "after a restart");

    lobby.ask_coach(&found, SEAT, CoachRequest::Close).await.expect("closed");
    let closed = panel(&found, Viewer::Seat(SEAT)).await.expect("a way back");
    assert!(closed.contains("Back to the lesson") && !closed.contains(" of "), "{closed}");
    lobby.ask_coach(&found, SEAT, CoachRequest::Open).await.expect("open");
    assert!(panel(&found, Viewer::Seat(SEAT)).await.expect("a coach").contains("3 of "));
}

#[tokio::test]
async fn the_coach_follows_the_match_also_back() {
    let store = Arc::new(MemoryStore::default());
    let lobby = over(&store);
    let (id, _) = lobby.create(&first()).await.expect("the lesson");
    let found = lobby.find(&id).await.expect("the match");
    while found.lock().await.table.why_not(Viewer::Seat(SEAT), "tow reroll WF").is_err() {
        choose(&lobby, &found, "no").await;
    }
    // The first success of the Axis is not worth it.
    choose(&lobby, &found, "tow reroll WF").await;
    let shown = panel(&found, Viewer::Seat(SEAT)).await.expect("a coach");
    assert!(shown.contains("too early") && shown.contains("Take it back"), "{shown}");
    let revision = found.lock().await.revision;
    lobby.change(&found, move |live| live.undo(SEAT, revision, Undo::Step)).await.expect("an undo");
    assert_eq!(
        found.lock().await.coached.as_ref().map(|coached| coached.coach.stand().clone()),
        Some(Stand::Together)
    );
}

#[tokio::test]
async fn matches_without_a_lesson_have_no_coach_and_wrong_lessons_are_refused() {
    let lobby = lobby();
    let (id, _) = lobby.create(&order(false)).await.expect("a match");
    let found = lobby.find(&id).await.expect("the match");
    assert_eq!(panel(&found, Viewer::Seat(SEAT)).await, None);
    let refused = lobby.ask_coach(&found, SEAT, CoachRequest::Turn(1)).await.expect_err("no lesson");
    assert!(refused.to_string().contains("not played with a lesson"), "{refused}");
    let wrong = NewMatch { lesson: "second".to_owned(), ..first() };
    let refused = lobby.create(&wrong).await.expect_err("no such lesson").to_string();
    assert!(refused.contains("unknown lesson \"second\"") && refused.contains("first"), "{refused}");
}
