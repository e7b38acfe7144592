//! Bots at a chosen pace: paused, step by step, at once.

use store::Store as _;

use super::*;
use cards::Gate;

const RED: Seat = Seat(0);

/// A match in which bots wait so long at normal pace that only another pace lets them choose.
async fn patient(store: &Arc<MemoryStore>, order: &NewMatch) -> (Arc<Lobby>, Arc<LiveMatch>) {
    let titles: Vec<Arc<dyn Title>> = vec![Arc::new(Of::<cards::Cards>::new())];
    let shared: Arc<dyn Store> = Arc::<MemoryStore>::clone(store);
    let lobby = Lobby::open(shared, titles).expect("opens").with_pace(Duration::from_secs(3600));
    let lobby = Arc::new(lobby);
    let (id, token) = lobby.create(order).await.expect("made");
    let found = lobby.enter(&id, &token).await.expect("entered").0;
    (lobby, found)
}

/// How many bids there have been.
async fn bids(found: &LiveMatch) -> usize {
    found.lock().await.table.steps() - 2
}

/// Long enough for a bot that does not wait to have chosen.
async fn a_moment() {
    tokio::time::sleep(Duration::from_millis(60)).await;
}

#[tokio::test]
async fn a_pace_that_is_chosen_counts_at_once_and_is_kept() {
    let store = Arc::new(MemoryStore::default());
    let (lobby, found) = patient(&store, &cards(&["bot:greedy", "bot:greedy"], "")).await;
    a_moment().await;
    assert_eq!(bids(&found).await, 0, "they wait");
    lobby.set_pace(&found, Pace::AtOnce).await.expect("set");
    until(&found, "the game is over", |live| live.table.result().is_some()).await;
    assert_eq!(store.find(&found.id).expect("an answer").expect("a record").pace, "once");
    let again = card_lobby(&store).find(&found.id).await.expect("there");
    assert_eq!(again.lock().await.bots.pace(), Pace::AtOnce);
}

#[tokio::test]
async fn a_paused_match_goes_on_step_by_step() {
    let store = Arc::new(MemoryStore::default());
    let (lobby, found) = patient(&store, &cards(&["bot:greedy", "bot:learning"], "")).await;
    assert!(lobby.let_step(&found).await.is_err(), "nothing is paused");
    lobby.set_pace(&found, Pace::Paused).await.expect("set");
    for so_far in 1..=3 {
        lobby.let_step(&found).await.expect("a step");
        until(&found, "a bot has chosen", |live| live.table.steps() == so_far + 2).await;
        a_moment().await;
        assert_eq!(bids(&found).await, so_far, "one choice each time");
    }
    // After a restart it is still paused.
    let lobby = card_lobby(&store);
    let found = lobby.find(&found.id).await.expect("there");
    a_moment().await;
    assert_eq!(bids(&found).await, 3);
    assert_eq!(found.lock().await.bots.resumed_pace(), Pace::Normal);
    lobby.set_pace(&found, Pace::Normal).await.expect("set");
    until(&found, "the game is over", |live| live.table.result().is_some()).await;
}

#[tokio::test]
async fn what_a_bot_thought_of_when_the_pause_began_is_held() {
    let lobby = card_lobby(&Arc::default());
    let gate = Gate::named("paused");
    let (id, token) = lobby.create(&cards(&["me", "bot:slow"], "paused")).await.expect("made");
    let found = lobby.enter(&id, &token).await.expect("entered").0;
    lobby.change(&found, |live| live.choose(RED, 1, "bid 1")).await.expect("an open choice");
    while gate.begun() == 0 {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    lobby.set_pace(&found, Pace::Paused).await.expect("set");
    gate.let_go();
    a_moment().await;
    assert_eq!(bids(&found).await, 1, "who has stopped the bots sees nothing more");
    lobby.set_pace(&found, Pace::Fast).await.expect("set");
    until(&found, "blue has answered", |live| live.table.steps() == 4).await;
    assert_eq!(gate.begun(), 1, "it did not have to think again");
}

#[tokio::test]
async fn everybody_is_told_the_pace_and_only_tables_with_bots_have_one() {
    let lobby = card_lobby(&Arc::default());
    let (id, token) = lobby.create(&cards(&["me", "bot:greedy"], "")).await.expect("made");
    let found = lobby.enter(&id, &token).await.expect("entered").0;
    let (mut updates, _) = found.lock().await.subscribe(Viewer::Spectator, Some(1));
    lobby.set_pace(&found, Pace::Paused).await.expect("set");
    let told = updates.recv().await.expect("told");
    assert!(told.starts_with("{\"from\":1,\"to\":1,\"whole\":false"), "nothing was chosen: {told}");
    for part in ["data-pace=\\\"pause\\\" data-resume=\\\"normal\\\"", "aria-pressed=\\\"true\\\"", "Step"] {
        assert!(told.contains(part), "{part}: {told}");
    }
    lobby.set_pace(&found, Pace::Paused).await.expect("the same again");
    assert!(updates.try_recv().is_err(), "nothing to tell");
    // Whoever was away meanwhile knows the match but not the pace.
    let (_, missed) = found.lock().await.subscribe(Viewer::Spectator, Some(1));
    assert!(missed.is_some_and(|missed| missed.contains("data-pace=\\\"pause\\\"")));
    // While a bot is to choose in a paused match, all are told why nothing happens.
    lobby.change(&found, |live| live.choose(RED, 1, "bid 1")).await.expect("an open choice");
    let told = updates.recv().await.expect("told");
    assert!(told.contains("Greedy</span>, paused"), "{told}");
    let (id, _) = lobby.create(&cards(&["me", "friend"], "")).await.expect("made");
    let friends = lobby.find(&id).await.expect("there");
    assert!(lobby.set_pace(&friends, Pace::Fast).await.is_err());
}

#[tokio::test]
async fn bots_that_play_at_once_do_not_flood_those_who_look_on() {
    let store = Arc::new(MemoryStore::default());
    let (lobby, found) = patient(&store, &cards(&["bot:greedy", "bot:learning"], "")).await;
    let (mut updates, missed) = found.lock().await.subscribe(Viewer::Spectator, Some(1));
    assert!(missed.is_none());
    let begun = Instant::now();
    lobby.set_pace(&found, Pace::AtOnce).await.expect("set");
    until(&found, "the game is over", |live| live.table.result().is_some()).await;
    let most = 3 + begun.elapsed().as_millis() as usize / 100;
    let mut known = 1;
    let mut count = 0;
    while known < 9 {
        let update: serde_json::Value =
            serde_json::from_str(&updates.recv().await.expect("an update")).expect("JSON");
        assert_eq!(update["from"], known, "each fits the one before");
        known = update["to"].as_u64().expect("a revision");
        count += 1;
        if known == 9 {
            assert_eq!(update["over"], true);
        }
    }
    assert!(count <= most, "{count} updates for eight choices, at most {most}");
    assert_eq!(store.journal(&found.id).expect("the store answers").len(), 9, "each is an entry of its own");
}

#[tokio::test]
async fn who_comes_while_bots_play_at_once_sees_what_the_others_see() {
    let lobby = card_lobby(&Arc::default());
    let gate = Gate::named("late");
    let (id, _) = lobby.create(&cards(&["bot:greedy", "bot:slow"], "late")).await.expect("made");
    let found = lobby.find(&id).await.expect("there");
    let (mut first, _) = found.lock().await.subscribe(Viewer::Spectator, Some(1));
    lobby.set_pace(&found, Pace::AtOnce).await.expect("set");
    gate.let_go();
    while gate.begun() < 2 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    // The slow bot thinks; what was gathered is told to all as soon as somebody asks.
    let (_second, missed) = found.lock().await.subscribe(Viewer::Spectator, Some(4));
    assert!(missed.is_none(), "{missed:?}");
    let mut known = 0;
    while let Ok(update) = first.try_recv() {
        let update: serde_json::Value = serde_json::from_str(&update).expect("JSON");
        known = update["to"].as_u64().expect("a revision");
    }
    assert_eq!(known, 4);
    for _ in 0..4 {
        gate.let_go();
    }
    until(&found, "the game is over", |live| live.table.result().is_some()).await;
}
