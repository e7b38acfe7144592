//! Bots at the table: they answer, they wait, and nothing that they do can hold a match up.

use std::sync::atomic::AtomicBool;

use kernel::{LabDice, Table};
use store::{EntryKind, Store as _};

use super::cards::Gate;
use super::*;

const RED: Seat = Seat(0);
const BLUE: Seat = Seat(1);

/// Makes a choice of a seat.
pub async fn choose(lobby: &Arc<Lobby>, found: &Arc<LiveMatch>, seat: Seat, name: &'static str) -> u32 {
    let revision = found.lock().await.revision;
    let act = move |live: &mut Live| live.choose(seat, revision, name);
    lobby.change(found, act).await.expect("an open choice")
}

/// Takes the last decision of a seat back.
pub async fn take_back(lobby: &Arc<Lobby>, found: &Arc<LiveMatch>, seat: Seat) -> u32 {
    let revision = found.lock().await.revision;
    let act = move |live: &mut Live| live.undo(seat, revision, Undo::Step);
    lobby.change(found, act).await.expect("there is something to take back")
}

/// A match with somebody in it.
pub async fn sit_down(lobby: &Arc<Lobby>, seats: &[&str], gate: &str) -> Arc<LiveMatch> {
    let (id, token) = lobby.create(&cards(seats, gate)).await.expect("made");
    lobby.enter(&id, &token).await.expect("entered").0
}

/// The bids so far.
pub fn bids(live: &Live) -> String {
    let names = live.table.log(2, Viewer::Spectator).into_iter().filter_map(|entry| entry.name);
    names.map(|name| name.replace("bid ", "")).collect()
}

/// Waits for a thought of the slow bot to begin.
pub async fn thinking(gate: &Gate, thoughts: u32) {
    for _ in 0..PATIENCE {
        if gate.begun() == thoughts {
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("thought {thoughts} never began: {}", gate.begun());
}

#[tokio::test]
async fn a_bot_answers_and_everybody_is_told() {
    let store = Arc::new(MemoryStore::default());
    let lobby = card_lobby(&store);
    let found = sit_down(&lobby, &["me", "bot:greedy"], "").await;
    let (mut updates, _) = found.lock().await.subscribe(Viewer::Seat(RED), Some(1));
    assert_eq!(choose(&lobby, &found, RED, "bid 1").await, 2);
    until(&found, "blue has answered", |live| live.revision == 3).await;
    assert_eq!(bids(&*found.lock().await), "12");
    let mine = updates.recv().await.expect("told of the choice");
    assert!(
        mine.contains("Waiting for Blue to bid · <span class=\\\"who\\\">Greedy</span>")
            && mine.contains("data-thinking"),
        "{mine}"
    );
    let theirs = updates.recv().await.expect("told of the answer");
    assert!(theirs.contains("Blue bids 2") && !theirs.contains("data-thinking"), "{theirs}");
    // Every choice is an entry of its own, as a person's is.
    let journal = store.journal(&found.id).expect("the store answers");
    assert_eq!(journal.len(), 3);
    assert!(matches!(&journal[2].kind, EntryKind::Steps(lines) if lines.lines().count() == 1));
}

#[tokio::test]
async fn a_bot_that_begins_does_so_before_anybody_looks() {
    let store = Arc::new(MemoryStore::default());
    let lobby = card_lobby(&store);
    let (id, _) = lobby.create(&cards(&["bot:greedy", "me"], "")).await.expect("made");
    for _ in 0..PATIENCE {
        if store.journal(&id).expect("the store answers").len() == 2 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("the bot did not begin");
}

#[tokio::test]
async fn bots_play_to_the_end_one_choice_at_a_time() {
    let store = Arc::new(MemoryStore::default());
    let lobby = card_lobby(&store);
    let found = sit_down(&lobby, &["bot:greedy", "bot:learning"], "").await;
    until(&found, "the game is over", |live| live.table.result().is_some()).await;
    assert_eq!(bids(&*found.lock().await), "21222222", "the learning bot has remembered its first bid");
    assert_eq!(store.journal(&found.id).expect("the store answers").len(), 9);
}

/// Takes the first open choice, and passes on how the game ended.
struct Attentive(std::sync::mpsc::Sender<String>);

impl bots::SeatedBot for Attentive {
    fn choose(&mut self, table: &dyn Table, _: &mut LabDice, _: &AtomicBool) -> Option<bots::BotChoice> {
        let first = table.offers(Viewer::Seat(BLUE)).into_iter().next()?;
        Some(bots::BotChoice { choice: first.name, why: String::new() })
    }

    fn game_over(&mut self, table: &dyn Table) {
        let _ = self.0.send(table.result().map_or("no result", |result| result.word).to_owned());
    }
}

#[tokio::test]
async fn a_bot_hears_how_the_game_ended() {
    let lobby = card_lobby(&Arc::default());
    let found = sit_down(&lobby, &["me", "bot:greedy"], "").await;
    let (tell, told) = std::sync::mpsc::channel();
    found.lock().await.bots.seated_bots.insert(BLUE, Box::new(Attentive(tell)));
    for round in 1..=4 {
        assert!(told.try_recv().is_err(), "told before the end");
        choose(&lobby, &found, RED, "bid 1").await;
        until(&found, "blue has answered", |live| live.revision == 1 + 2 * round).await;
    }
    let end = found.lock().await.table.result().map(|result| result.word.to_owned());
    let heard = told.recv_timeout(Duration::from_secs(120)).expect("it hears the end");
    assert_eq!(Some(heard), end);
}

#[tokio::test]
async fn a_bot_that_fails_is_helped_and_holds_nobody_up() {
    let lobby = card_lobby(&Arc::default());
    let found = sit_down(&lobby, &["bot:silent", "bot:broken"], "").await;
    until(&found, "the game is over", |live| live.table.result().is_some()).await;
    assert_eq!(bids(&*found.lock().await), "22222222", "the quick policy has chosen, each time");
}

#[tokio::test]
async fn nobody_waits_for_a_bot_and_an_answer_that_comes_too_late_counts_for_nothing() {
    let lobby = card_lobby(&Arc::default());
    let gate = Gate::named("too late");
    let found = sit_down(&lobby, &["me", "bot:slow"], "too late").await;
    choose(&lobby, &found, RED, "bid 1").await;
    thinking(&gate, 1).await;
    // The match can be changed while the bot thinks, and the budget of persons is not what bots live on.
    assert_eq!(take_back(&lobby, &found, RED).await, 3);
    assert_eq!(choose(&lobby, &found, RED, "bid 2").await, 4);
    gate.let_go();
    thinking(&gate, 2).await;
    assert_eq!(bids(&*found.lock().await), "2", "its answer was about another position");
    while found.lock().await.spend().is_ok() {}
    gate.let_go();
    until(&found, "blue has answered", |live| live.revision == 5).await;
    assert_eq!(bids(&*found.lock().await), "22");
    assert_eq!(gate.begun(), 2, "it was not asked twice at once");
}

#[tokio::test]
async fn one_person_takes_back_what_the_bot_chose_with_their_own_choice() {
    let lobby = card_lobby(&Arc::default());
    let found = sit_down(&lobby, &["me", "bot:learning"], "").await;
    for (mine, all, revision) in [("bid 2", "21", 3), ("bid 1", "2112", 5)] {
        choose(&lobby, &found, RED, mine).await;
        until(&found, "blue has answered", |live| live.revision == revision).await;
        assert_eq!(bids(&*found.lock().await), all);
    }
    assert_eq!(take_back(&lobby, &found, RED).await, 6);
    assert_eq!(bids(&*found.lock().await), "21");
    choose(&lobby, &found, RED, "bid 2").await;
    until(&found, "blue has answered", |live| live.revision == 8).await;
    assert_eq!(bids(&*found.lock().await), "2121", "it does not remember what was taken back");
}

#[tokio::test]
async fn people_can_follow() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
    let titles: Vec<Arc<dyn Title>> = vec![Arc::new(Of::<cards::Cards>::new())];
    let pace = Duration::from_millis(150);
    let lobby = Arc::new(Lobby::open(store, titles).expect("opens").with_pace(pace));
    let found = sit_down(&lobby, &["me", "bot:greedy"], "").await;
    choose(&lobby, &found, RED, "bid 1").await;
    let changed = found.lock().await.changed;
    until(&found, "blue has answered", |live| live.revision == 3).await;
    assert!(found.lock().await.changed.duration_since(changed) >= pace);
}

#[tokio::test]
async fn a_bot_goes_on_after_a_restart() {
    let store = Arc::new(MemoryStore::default());
    let first = card_lobby(&store);
    let gate = Gate::named("restart");
    let found = sit_down(&first, &["me", "bot:slow"], "restart").await;
    choose(&first, &found, RED, "bid 1").await;
    thinking(&gate, 1).await;
    // Another server over the same store, while the first one still thinks: only one of the two answers counts.
    let second = card_lobby(&store);
    let again = second.find(&found.id).await.expect("there");
    thinking(&gate, 2).await;
    gate.let_go();
    gate.let_go();
    for _ in 0..PATIENCE {
        if again.lock().await.revision == 3 || found.lock().await.revision == 3 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let fresh = card_lobby(&store).find(&found.id).await.expect("there");
    assert_eq!(bids(&*fresh.lock().await), "12");
    assert_eq!(store.journal(&found.id).expect("the store answers").len(), 3);
}

#[tokio::test]
async fn the_bot_loop_ends_with_its_match() {
    let store = Arc::new(MemoryStore::default());
    let lobby = card_lobby(&store);
    let gate = Gate::named("closed");
    let found = sit_down(&lobby, &["me", "bot:slow"], "closed").await;
    choose(&lobby, &found, RED, "bid 1").await;
    thinking(&gate, 1).await;
    lobby.close(&found.id).await;
    gate.let_go();
    for _ in 0..PATIENCE {
        // The bot loop drops its copy.
        if Arc::strong_count(&found) == 1 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(Arc::strong_count(&found), 1);
    assert_eq!(store.journal(&found.id).expect("the store answers").len(), 2);
    // Whoever looks again finds the bot at work again.
    let again = lobby.find(&found.id).await.expect("there");
    thinking(&gate, 2).await;
    gate.let_go();
    until(&again, "blue has answered", |live| live.revision == 3).await;
    assert_eq!(again.lock().await.table.mover(), Mover::Seat(RED));
    assert_eq!(again.lock().await.bot_at(BLUE), Some("slow"));
}
