//! Matches that leave the memory and come back.

mod agreements;
mod analysis;
mod away;
mod binning;
mod bot_loop;
pub mod cards;
mod deadlines;
mod forks;
mod handing;
mod happened;
mod kills;
mod laboratory;
mod lessons;
mod links;
mod neighbours;
mod orders;
mod pace;
mod parted;
mod ratings;
mod remarks;
mod rests;
mod reviews;
mod sealed;
mod seats;
pub mod sitting_down;
mod thinking;

use kernel::{MatchDice, Mover, Options, Undo};
use store::MemoryStore;

use super::*;
use crate::title::Of;

const SEAT: Seat = Seat(0);

fn lobby() -> Arc<Lobby> {
    let titles: Vec<Arc<dyn Title>> = vec![Arc::new(Of::<crate::PlainBoard<echoes::Echoes>>::new())];
    Arc::new(Lobby::open(Arc::new(MemoryStore::default()), titles).expect("an empty store opens"))
}

fn order(own_dice: bool) -> NewMatch {
    let seed = (!own_dice).then_some(7);
    NewMatch { game: "echoes".to_owned(), own_dice, seed, ..NewMatch::default() }
}

/// A server with the toy for two, in which bots do not wait, over a store that outlives it.
pub fn card_lobby(store: &Arc<MemoryStore>) -> Arc<Lobby> {
    let titles: Vec<Arc<dyn Title>> = vec![Arc::new(Of::<cards::Cards>::new())];
    let store: Arc<dyn Store> = Arc::<MemoryStore>::clone(store);
    Arc::new(Lobby::open(store, titles).expect("the store opens").with_pace(Duration::ZERO))
}

/// A match of the toy: who sits where, and where its slow bot waits.
pub fn cards(seats: &[&str], gate: &str) -> NewMatch {
    NewMatch {
        game: "cards".to_owned(),
        options: Options::from([("gate".to_owned(), gate.to_owned())]),
        seats: seats.iter().map(|seat| (*seat).to_owned()).collect(),
        seed: Some(7),
        ..NewMatch::default()
    }
}

/// The same with open cards and two bids in a row.
pub fn open_cards(seats: &[&str]) -> NewMatch {
    let mut order = cards(seats, "");
    order.options.insert("pairs".to_owned(), "yes".to_owned());
    order
}

/// How long anything may take, in steps of five milliseconds: a busy machine takes its time.
pub const PATIENCE: usize = 24_000;

/// Waits until a match is as it should be.
pub async fn until(found: &LiveMatch, what: &str, so: impl Fn(&Live) -> bool) {
    for _ in 0..PATIENCE {
        if so(&*found.lock().await) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("it never came about that {what}");
}

/// Makes the first open choice.
async fn play_on(lobby: &Arc<Lobby>, found: &Arc<LiveMatch>) -> Result<u32, LobbyError> {
    let (revision, choice) = {
        let live = found.lock().await;
        (live.revision, live.table.offers(Viewer::Seat(SEAT))[0].name.clone())
    };
    lobby.change(found, move |live| live.choose(SEAT, revision, &choice)).await
}

/// What a match is, whole.
async fn record(found: &LiveMatch) -> (u32, String) {
    let live = found.lock().await;
    let text = live.table.save(kernel::SecretPolicy::Keep).expect("a solo match can be saved");
    (live.revision, text)
}

#[tokio::test]
async fn a_match_comes_back_from_the_store_as_it_was() {
    let lobby = lobby();
    let (id, token) = lobby.create(&order(false)).await.expect("made");
    let (found, viewer) = lobby.enter(&id, &token).await.expect("the maker may enter");
    assert_eq!(viewer, Viewer::Seat(SEAT));
    for _ in 0..6 {
        play_on(&lobby, &found).await.expect("an open choice");
    }
    for scope in [Undo::Step, Undo::Turn] {
        let revision = found.lock().await.revision;
        lobby
            .change(&found, move |live| live.undo(SEAT, revision, scope))
            .await
            .expect("there is something to undo");
        play_on(&lobby, &found).await.expect("an open choice");
    }
    let before = record(&found).await;
    assert!(before.1.contains("takebacks: "), "{}", before.1);
    lobby.close(&id).await;
    let again = lobby.find(&id).await.expect("it is in the store");
    assert!(!Arc::ptr_eq(&found, &again));
    assert_eq!(record(&again).await, before);
    assert_eq!(again.lock().await.steps_kept_since(1), found.lock().await.steps_kept_since(1));
}

#[tokio::test]
async fn a_window_that_is_behind_can_t_move_and_an_old_copy_can_t_either() {
    let lobby = lobby();
    let (id, token) = lobby.create(&order(false)).await.expect("made");
    let (found, _) = lobby.enter(&id, &token).await.expect("entered");
    let name = found.lock().await.table.offers(Viewer::Seat(SEAT))[0].name.clone();
    let same = name.clone();
    lobby.change(&found, move |live| live.choose(SEAT, 1, &name)).await.expect("the first click");
    let second = lobby.change(&found, move |live| live.choose(SEAT, 1, &same)).await;
    assert!(matches!(second, Err(LobbyError::Stale { revision: 2 })), "{second:?}");
    // Two copies of one match in memory: the one that was dropped is not played on.
    lobby.close(&id).await;
    let fresh = lobby.find(&id).await.expect("read again");
    play_on(&lobby, &fresh).await.expect("the present copy");
    assert!(matches!(play_on(&lobby, &found).await, Err(LobbyError::Stale { .. })));
}

#[tokio::test]
async fn a_refusal_changes_nothing_and_says_the_rule() {
    let lobby = lobby();
    let (id, token) = lobby.create(&order(false)).await.expect("made");
    let (found, _) = lobby.enter(&id, &token).await.expect("entered");
    let before = record(&found).await;
    for wrong in ["tow reroll WF", "nonsense", "", "die 3"] {
        let refused = lobby.change(&found, move |live| live.choose(SEAT, 1, wrong)).await;
        assert!(matches!(refused, Err(LobbyError::Refused(_))), "{wrong}: {refused:?}");
    }
    assert_eq!(record(&found).await, before);
}

#[tokio::test]
async fn wrong_tokens_and_ids_are_not_told_apart() {
    let lobby = lobby();
    let (id, token) = lobby.create(&order(false)).await.expect("made");
    let mut other = token.clone();
    other.replace_range(0..1, if token.starts_with('a') { "b" } else { "a" });
    for (id, token) in
        [(id.as_str(), other.as_str()), ("nosuchmatch", token.as_str()), ("../x", "y"), (&id, "")]
    {
        assert!(matches!(lobby.enter(id, token).await, Err(LobbyError::NotFound)), "{id}");
    }
    let found = lobby.find(&id).await.expect("there");
    let viewer = found.keys.viewer().to_owned();
    let (_, role) = lobby.enter(&id, &viewer).await.expect("a viewer may enter");
    assert_eq!(role, Viewer::Spectator);
}

#[tokio::test]
async fn own_dice_are_asked_for_and_taken() {
    let lobby = lobby();
    let (id, _) = lobby.create(&order(true)).await.expect("made");
    let found = lobby.find(&id).await.expect("there");
    assert_eq!(found.lock().await.table.mover(), Mover::Fate);
    lobby.change(&found, |live| live.choose(SEAT, 1, "die 1")).await.expect("a die");
    lobby.change(&found, |live| live.choose(SEAT, 2, "die 6")).await.expect("a second die");
    let before = record(&found).await;
    lobby.close(&id).await;
    assert_eq!(record(&lobby.find(&id).await.expect("there")).await, before);
}

#[tokio::test]
async fn what_if_is_a_match_of_its_own() {
    let lobby = lobby();
    let (id, token) = lobby.create(&order(false)).await.expect("made");
    let (found, _) = lobby.enter(&id, &token).await.expect("entered");
    for _ in 0..6 {
        play_on(&lobby, &found).await.expect("an open choice");
    }
    let before = record(&found).await;
    let (other, _) = lobby.fork(&found, SEAT, 4).await.expect("forked");
    assert_ne!(other, id);
    let fork = lobby.find(&other).await.expect("there");
    assert!(fork.lock().await.table.steps() >= 4);
    play_on(&lobby, &fork).await.expect("it can be played");
    assert_eq!(record(&found).await, before, "the first match stays as it is");
}

#[tokio::test]
async fn an_exported_match_can_be_taken_in_and_nonsense_can_t() {
    let lobby = lobby();
    let (id, token) = lobby.create(&order(false)).await.expect("made");
    let (found, _) = lobby.enter(&id, &token).await.expect("entered");
    for _ in 0..5 {
        play_on(&lobby, &found).await.expect("an open choice");
    }
    // A turn back and another: so far that it goes back across a die.
    for _ in 0..3 {
        let revision = found.lock().await.revision;
        let _ = lobby.change(&found, move |live| live.undo(SEAT, revision, Undo::Turn)).await;
    }
    let (_, text) = record(&found).await;
    assert!(!text.contains("takebacks: 0"), "{text}");
    let (copy, _, _) = lobby.import("war.match", &text, false).await.expect("taken in");
    let copy = lobby.find(&copy).await.expect("there");
    assert_eq!(record(&copy).await.1, text);
    for (text, part) in [("hello", "not a Maproom match"), ("maproom match 1\ngame: chess\n", "unknown game")]
    {
        let refused = lobby.import("x", text, false).await.map(|_| ()).expect_err("nonsense").to_string();
        assert!(refused.contains(part), "{refused}");
    }
    let forged = text.replacen("die ", "die 9", 1);
    assert!(lobby.import("x", &forged, false).await.is_err());
}

#[tokio::test]
async fn a_record_without_the_secret_of_its_dice_is_not_taken_in_half_played() {
    let lobby = lobby();
    let (id, _) = lobby.create(&order(false)).await.expect("made");
    let found = lobby.find(&id).await.expect("there");
    let text = found.lock().await.table.save(kernel::SecretPolicy::Withhold).expect("published");
    let refused =
        lobby.import("x", &text, false).await.map(|_| ()).expect_err("it can't be played on").to_string();
    assert!(refused.contains("secret of its dice"), "{refused}");
}

#[tokio::test]
async fn a_match_that_is_dropped_disconnects_its_subscribers() {
    let lobby = lobby();
    let (id, token) = lobby.create(&order(false)).await.expect("made");
    let (found, viewer) = lobby.enter(&id, &token).await.expect("entered");
    let (mut updates, _) = found.lock().await.subscribe(viewer, Some(1));
    lobby.close(&id).await;
    assert!(updates.recv().await.is_none(), "the window must come back and look again");
}

#[tokio::test]
async fn a_fault_in_a_change_leaves_the_match_as_it_was() {
    let lobby = lobby();
    let (id, token) = lobby.create(&order(false)).await.expect("made");
    let (found, _) = lobby.enter(&id, &token).await.expect("entered");
    let before = record(&found).await;
    let broken = lobby
        .change(&found, |live| {
            let name = live.table.offers(Viewer::Seat(SEAT))[0].name.clone();
            live.choose(SEAT, 1, &name)?;
            panic!("a fault after the choice was played");
        })
        .await;
    assert!(matches!(broken, Err(LobbyError::Fault(_))), "{broken:?}");
    let again = lobby.find(&id).await.expect("read again");
    assert_eq!(record(&again).await, before);
}

#[tokio::test]
async fn subscribers_get_what_has_changed_and_no_more() {
    let lobby = lobby();
    let (id, token) = lobby.create(&order(false)).await.expect("made");
    let (found, viewer) = lobby.enter(&id, &token).await.expect("entered");
    let (mut updates, missed) = found.lock().await.subscribe(viewer, Some(1));
    assert!(missed.is_none(), "a page that is up to date has missed nothing");
    let (_, late) = found.lock().await.subscribe(Viewer::Spectator, Some(0));
    assert!(late.is_some_and(|late| late.contains("\"behind\"")), "a page that is behind is told to look");
    assert!(found.lock().await.whole_update(viewer, Some(0)).contains("\"whole\":true"));
    for _ in 0..6 {
        play_on(&lobby, &found).await.expect("an open choice");
        let update = updates.recv().await.expect("an update");
        assert!(update.len() < 30_000, "{} bytes", update.len());
        assert!(update.contains("\"whole\":false"), "only what has changed");
        assert!(!update.contains("<use") && !update.contains("polyline"), "the map is not sent again");
    }
}

/// Everything that Fate and bots chose, by name.
async fn played(lobby: &Arc<Lobby>, seed: Option<u64>) -> Vec<String> {
    let order = NewMatch { seed, ..cards(&["bot:random", "bot:random"], "") };
    let (id, _) = lobby.create(&order).await.expect("made");
    let found = lobby.find(&id).await.expect("there");
    until(&found, "the game is over", |live| live.table.result().is_some()).await;
    let log = found.lock().await.table.log(0, Viewer::Spectator);
    log.into_iter().filter_map(|entry| entry.name).collect()
}

#[tokio::test]
async fn a_seed_gives_the_same_match_again_with_its_bots() {
    let lobby = card_lobby(&Arc::default());
    let first = played(&lobby, Some(5)).await;
    assert_eq!(first, played(&lobby, Some(5)).await);
    let mut others = Vec::new();
    for seed in [Some(6), Some(8), Some(9)] {
        others.push(played(&lobby, seed).await);
    }
    assert!(others.iter().any(|other| *other != first), "every match goes the same way");
    let both = NewMatch { seed: Some(5), own_dice: true, ..cards(&["me", "friend"], "") };
    let refused = lobby.create(&both).await.expect_err("own dice have no seed").to_string();
    assert!(refused.contains("leave it empty"), "{refused}");
}

#[tokio::test]
async fn without_a_seed_nobody_can_foresee_the_dice() {
    let lobby = lobby();
    let mut secrets = Vec::new();
    for _ in 0..2 {
        let (id, _) = lobby.create(&NewMatch { seed: None, ..order(false) }).await.expect("made");
        let found = lobby.find(&id).await.expect("there");
        let MatchDice::Fair { secret, seed: None, .. } = found.lock().await.table.dice().clone() else {
            panic!("dice that were drawn from the machine")
        };
        secrets.push(secret.expect("the server knows it").reveal());
    }
    assert_ne!(secrets[0], secrets[1]);
}
