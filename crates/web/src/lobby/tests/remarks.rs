//! What bots say of their choices is kept with the match, and kept from those who must not know it.

use store::{EntryKind, Store as _};

use super::*;

const RED: Seat = Seat(0);
const BLUE: Seat = Seat(1);

/// The remarks that a viewer is told, by step.
fn remarks(live: &Live, viewer: Viewer) -> Vec<(usize, String)> {
    let told = |entry: kernel::LogEntry| Some((entry.step, entry.remark?));
    live.table.log(0, viewer).into_iter().filter_map(told).collect()
}

async fn bid(lobby: &Arc<Lobby>, found: &Arc<LiveMatch>) {
    let revision = found.lock().await.revision;
    lobby.change(found, move |live| live.choose(RED, revision, "bid 1")).await.expect("an open choice");
}

#[tokio::test]
async fn a_remark_is_kept_with_its_step() {
    let store = Arc::new(MemoryStore::default());
    let lobby = card_lobby(&store);
    let (id, token) = lobby.create(&open_cards(&["me", "bot:talking"])).await.expect("made");
    let (found, _) = lobby.enter(&id, &token).await.expect("entered");
    bid(&lobby, &found).await;
    bid(&lobby, &found).await;
    until(&found, "blue has bid twice", |live| live.table.steps() == 6).await;
    let said = remarks(&*found.lock().await, Viewer::Spectator);
    assert_eq!(said.iter().map(|(step, _)| *step).collect::<Vec<_>>(), [5, 6]);
    assert!(said[0].1.starts_with("Because I hold <red:") && said[0].1.ends_with(">."), "{said:?}");
    let journal = store.journal(&id).expect("the store answers");
    let EntryKind::Steps(lines) = &journal[3].kind else { panic!("{journal:?}") };
    assert_eq!(lines.lines().filter(|line| line.starts_with("# why: Because I hold")).count(), 1, "{lines}");
    // It survives a restart, goes into records, and stands in the log of the page.
    let again = card_lobby(&store).find(&id).await.expect("there");
    assert_eq!(remarks(&*again.lock().await, Viewer::Spectator), said);
    let record = record(&again).await.1;
    assert_eq!(record.matches("\n# why: Because").count(), 2, "{record}");
    let taken_in = lobby.import("x", &record, false).await.expect("taken in").0;
    let taken_in = lobby.find(&taken_in).await.expect("there");
    assert_eq!(remarks(&*taken_in.lock().await, Viewer::Spectator), said);
    let page = found.lock().await.whole_update(Viewer::Spectator, Some(0));
    let line = "<p class=\\\"chose\\\"><b>Blue</b> <span class=\\\"by\\\">Talking</span>: Bid 1, 1 in all</p><details class=\\\"why remark\\\"><summary>Why</summary>\
                <p>Because I hold &lt;red:";
    assert!(page.contains(line), "{page}");
    // A fork keeps it, taking back drops it.
    let (fork, _) = lobby.fork(&found, RED, 5).await.expect("forked");
    let fork = lobby.find(&fork).await.expect("there");
    assert_eq!(remarks(&*fork.lock().await, Viewer::Spectator)[..1], said[..1]);
    let revision = found.lock().await.revision;
    let back = move |live: &mut Live| live.undo(RED, revision, Undo::Step);
    lobby.change(&found, back).await.expect("taken back");
    assert!(remarks(&*found.lock().await, Viewer::Spectator).is_empty());
    let again = card_lobby(&store).find(&id).await.expect("there");
    assert!(remarks(&*again.lock().await, Viewer::Spectator).is_empty());
}

#[tokio::test]
async fn a_remark_betrays_no_hand_until_the_game_is_over() {
    let lobby = card_lobby(&Arc::default());
    let (id, token) = lobby.create(&cards(&["me", "bot:talking"], "")).await.expect("made");
    let (found, _) = lobby.enter(&id, &token).await.expect("entered");
    let (mut updates, _) = found.lock().await.subscribe(Viewer::Seat(RED), Some(1));
    for round in 1..=3 {
        bid(&lobby, &found).await;
        until(&found, "blue has answered", |live| live.revision == 2 * round + 1).await;
        let live = found.lock().await;
        for viewer in [Viewer::Seat(RED), Viewer::Spectator] {
            assert!(remarks(&live, viewer).is_empty(), "{viewer:?}");
        }
        let own = remarks(&live, Viewer::Seat(BLUE));
        assert!(own.len() == round as usize && own[0].1.contains("blue:"), "{own:?}");
    }
    while let Ok(update) = updates.try_recv() {
        assert!(!update.contains("Because"), "{update}");
    }
    bid(&lobby, &found).await;
    until(&found, "the game is over", |live| live.table.result().is_some()).await;
    assert_eq!(remarks(&*found.lock().await, Viewer::Spectator).len(), 4);
    // Who has looked on all the time is told now what they could not be told before.
    let mine = updates.recv().await.expect("my own bid");
    assert!(!mine.contains("Because"), "{mine}");
    let last = updates.recv().await.expect("the last bid");
    assert!(last.contains("\"keep\":0") && last.matches("Because").count() == 4, "{last}");
}
