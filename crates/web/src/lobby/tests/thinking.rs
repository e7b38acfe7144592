//! Bots that take long: they are told to answer, and left to themselves when they do not.

use super::bot_loop::{bids, choose, sit_down, take_back, thinking};
use super::cards::Gate;
use super::*;

const RED: Seat = Seat(0);

/// A server that waits for a bot as long as a test can.
fn hasty(limit: u64, grace: u64) -> Arc<Lobby> {
    let titles: Vec<Arc<dyn Title>> = vec![Arc::new(Of::<cards::Cards>::new())];
    let lobby = Lobby::open(Arc::new(MemoryStore::default()), titles).expect("opens");
    let (limit, grace) = (Duration::from_millis(limit), Duration::from_millis(grace));
    Arc::new(lobby.with_pace(Duration::ZERO).with_patience(limit, grace))
}

#[tokio::test]
async fn a_bot_that_does_not_answer_is_left_to_itself() {
    // The grace is also what the quick policy has for its answer.
    let lobby = hasty(60, 2_000);
    let gate = Gate::named("overrun");
    let found = sit_down(&lobby, &["me", "bot:slow"], "overrun").await;
    for (round, bid) in [(1, "bid 1"), (2, "bid 2")] {
        choose(&lobby, &found, RED, bid).await;
        until(&found, "the quick policy has answered", |live| live.revision == 2 * round + 1).await;
        assert_eq!(gate.begun(), round, "it is asked again, but not the one that is still at it");
    }
    assert_eq!(bids(&*found.lock().await), "1222");
    assert_eq!(lobby.thinkers.available_permits(), lobby.thinker_places, "nobody holds a place");
    let log = found.lock().await.table.log(0, Viewer::Seat(Seat(1)));
    let remarks: Vec<String> = log.into_iter().filter_map(|entry| entry.remark).collect();
    assert_eq!(remarks.len(), 2);
    assert!(
        remarks[0].contains("Slow did not answer within") && remarks[0].contains("quick policy"),
        "{remarks:?}"
    );
    gate.let_go();
    gate.let_go();
}

#[tokio::test]
async fn an_answer_within_the_grace_counts() {
    let lobby = hasty(60, 120_000);
    let gate = Gate::named("grace");
    let found = sit_down(&lobby, &["me", "bot:slow"], "grace").await;
    choose(&lobby, &found, RED, "bid 1").await;
    thinking(&gate, 1).await;
    tokio::time::sleep(Duration::from_millis(400)).await;
    gate.let_go();
    until(&found, "blue has answered", |live| live.revision == 3).await;
    let log = found.lock().await.table.log(0, Viewer::Seat(Seat(1)));
    assert!(log.iter().all(|entry| entry.remark.is_none()), "it chose itself");
}

#[tokio::test]
async fn who_waits_is_told_who_thinks_and_may_say_that_it_is_enough() {
    let lobby = hasty(600_000, 120_000);
    let gate = Gate::named("enough");
    let found = sit_down(&lobby, &["me", "bot:slow"], "enough").await;
    assert!(lobby.play_now(&found).await.is_err(), "nobody thinks");
    let (mut updates, _) = found.lock().await.subscribe(Viewer::Seat(RED), Some(1));
    choose(&lobby, &found, RED, "bid 1").await;
    let mine = updates.recv().await.expect("told of the choice");
    assert!(!mine.contains("is thinking"), "not for a moment: {mine}");
    let sign = updates.recv().await.expect("told of the thought");
    assert!(sign.contains("\"from\":2,\"to\":2") && sign.contains("Slow is thinking"), "{sign}");
    lobby.play_now(&found).await.expect("it is told");
    gate.let_go();
    let answer = updates.recv().await.expect("told of the answer");
    assert!(answer.contains("\"to\":3") && answer.contains("role=\\\"status\\\" hidden"), "{answer}");
    // A thought about a position that is gone is shown no more, and nobody can hurry it.
    choose(&lobby, &found, RED, "bid 1").await;
    thinking(&gate, 2).await;
    until(&found, "it is shown", |live| live.long_thinking().is_some()).await;
    take_back(&lobby, &found, RED).await;
    assert!(found.lock().await.thinking().is_none());
    assert!(lobby.play_now(&found).await.is_err());
    gate.let_go();
}

#[tokio::test]
async fn a_quick_bot_does_not_wait_for_those_that_search() {
    let lobby = card_lobby(&Arc::default());
    // As if every place were taken by a search that lasts.
    let searches = lobby.thinkers.acquire_many(lobby.thinker_places as u32).await.expect("free");
    let quick = sit_down(&lobby, &["me", "bot:greedy"], "").await;
    choose(&lobby, &quick, RED, "bid 1").await;
    until(&quick, "the quick bot has answered", |live| live.revision == 3).await;
    let slow = sit_down(&lobby, &["me", "bot:recruit"], "").await;
    choose(&lobby, &slow, RED, "bid 1").await;
    for _ in 0..20 {
        tokio::time::sleep(Duration::from_millis(5)).await;
        assert_eq!(slow.lock().await.revision, 2, "a search waits for its place");
    }
    drop(searches);
    until(&slow, "the search has answered", |live| live.revision == 3).await;
}

/// A program that notes every start, and ends without an answer.
#[cfg(unix)]
#[tokio::test]
async fn a_program_that_was_given_up_is_not_started_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let (script, starts) = (folder.path().join("bot.sh"), folder.path().join("starts"));
    std::fs::write(&script, format!("echo started >> '{}'\n", starts.display())).expect("a file");
    let command = Command::parse(&format!("mine=sh '{}'", script.display())).expect("a command");
    let titles: Vec<Arc<dyn Title>> = vec![Arc::new(Of::<cards::Cards>::new())];
    let lobby = Lobby::open(Arc::new(MemoryStore::default()), titles).expect("opens");
    let lobby = lobby.with_programs(vec![BotProgram { command, games: vec!["cards"] }]);
    let lobby = Arc::new(lobby.with_pace(Duration::ZERO));
    let count = || std::fs::read_to_string(&starts).unwrap_or_default().lines().count();
    let found = sit_down(&lobby, &["me", "bot:mine"], "").await;
    choose(&lobby, &found, RED, "bid 1").await;
    until(&found, "the quick policy has answered", |live| live.revision == 3).await;
    let first = count();
    assert!((1..=2).contains(&first), "it was started, and perhaps once more: {first}");
    take_back(&lobby, &found, RED).await;
    for round in 0..3 {
        choose(&lobby, &found, RED, "bid 1").await;
        until(&found, "the quick policy has answered", |live| live.revision == 6 + 2 * round).await;
    }
    // A match that is read again is the same match.
    lobby.close(&found.id).await;
    let found = lobby.find(&found.id).await.expect("there");
    let log = found.lock().await.table.log(0, Viewer::Seat(Seat(1)));
    let remarks: Vec<String> = log.into_iter().filter_map(|entry| entry.remark).collect();
    assert!(remarks.iter().all(|remark| remark.contains("is not asked any more")), "{remarks:?}");
    take_back(&lobby, &found, RED).await;
    choose(&lobby, &found, RED, "bid 1").await;
    until(&found, "the quick policy has answered", |live| live.revision == 13).await;
    assert_eq!(count(), first, "a program that was given up stays so");
    // Whoever hands a seat over to it wants it tried again.
    let by = Requester { viewer: Viewer::Seat(RED), owns_lobby: false };
    lobby.hand_over(&found, by, RED, Some("mine".to_owned())).await.expect("handed over");
    until(&found, "it plays red", |live| live.table.result().is_some()).await;
    assert!(count() > first);
}
