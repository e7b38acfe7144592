//! What happened is told in actions and shown frame by frame, and a finished match can be started again.

use super::bot_loop::sit_down;
use super::*;
use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

use crate::film::{Cut, Reel};

/// A requester in a seat.
fn in_seat(seat: u8) -> Requester {
    Requester { viewer: Viewer::Seat(Seat(seat)), owns_lobby: true }
}

#[tokio::test]
async fn a_finished_match_starts_again_from_either_side() {
    let lobby = card_lobby(&Arc::default());
    let (id, _) = lobby.create(&cards(&["me", "bot:greedy"], "")).await.expect("made");
    let found = lobby.find(&id).await.expect("there");
    let early = lobby.rematch(&found, in_seat(0), false).await.map(|_| ()).expect_err("not over");
    assert!(early.to_string().contains("finished"), "{early}");
    while found.lock().await.table.result().is_none() {
        until(&found, "the person is asked", |live| {
            live.table.result().is_some() || live.table.mover() == Mover::Seat(SEAT)
        })
        .await;
        if found.lock().await.table.result().is_none() {
            play_on(&lobby, &found).await.expect("an open choice");
        }
    }
    let watcher = Requester { viewer: Viewer::Spectator, owns_lobby: false };
    assert!(lobby.rematch(&found, watcher, false).await.is_err(), "spectators start nothing");
    for (changes, seat) in [(false, 0), (true, 1)] {
        let (id, token) = lobby.rematch(&found, in_seat(0), changes).await.expect("another match");
        let (again, viewer) = lobby.enter(&id, &token).await.expect("the link works");
        assert_eq!(viewer, Viewer::Seat(Seat(seat)));
        let again = again.lock().await;
        assert_eq!(again.table.options(), found.lock().await.table.options());
        assert_eq!(again.bot_at(Seat(1 - seat)), Some("greedy"));
        assert_ne!(again.table.head(), found.lock().await.table.head(), "the dice are others");
        drop(again);
        let same = lobby.rematch(&found, in_seat(0), changes).await.expect("the same match");
        assert_eq!(same, (id, token), "as long as it runs there is one");
    }
}

#[tokio::test]
async fn a_solo_game_has_no_other_side_unless_its_board_knows_one() {
    let lobby = lobby();
    let (id, _) = lobby.create(&order(false)).await.expect("made");
    let found = lobby.find(&id).await.expect("there");
    while found.lock().await.table.result().is_none() {
        match play_on(&lobby, &found).await {
            // Nobody chooses that fast.
            Err(LobbyError::TooFast) => tokio::time::sleep(Duration::from_millis(20)).await,
            played => drop(played.expect("an open choice")),
        }
    }
    assert!(!found.lock().await.has_other_side(), "the plain board knows no editions");
    let refused = lobby.rematch(&found, in_seat(0), true).await.map(|_| ()).expect_err("no other side");
    assert!(refused.to_string().contains("no other side"), "{refused}");
    assert!(lobby.rematch(&found, in_seat(0), false).await.is_ok());
}

#[tokio::test]
async fn a_film_ends_with_the_board_as_it_is() {
    let lobby = lobby();
    let (id, _) = lobby.create(&order(false)).await.expect("made");
    let found = lobby.find(&id).await.expect("there");
    for _ in 0..8 {
        play_on(&lobby, &found).await.expect("an open choice");
    }
    let live = found.lock().await;
    let (viewer, steps) = (Viewer::Seat(SEAT), live.table.steps());
    let reel = Reel::of(&live, viewer);
    let at: Vec<usize> = (steps - 5..=steps).collect();
    let film = |rewinds: bool, stop: bool| -> serde_json::Value {
        let cut = Cut { from: steps - 6, to: steps, at: at.clone(), rewinds };
        serde_json::from_str(&reel.film(&cut, &AtomicBool::new(stop))).expect("JSON")
    };
    assert_eq!(film(false, true)["frames"], serde_json::json!([]), "nobody waits for it");
    let film_on = film(false, false);
    let frames = film_on["frames"].as_array().expect("frames");
    let shown: Vec<u64> = frames.iter().filter_map(|frame| frame["step"].as_u64()).collect();
    assert_eq!(shown, (steps as u64 - 5..=steps as u64).collect::<Vec<_>>());
    // There and back again: the first frame takes the board back, and the others bring it to where it was.
    let film_back = film(true, false);
    let frames = film_back["frames"].as_array().expect("frames");
    assert_eq!(frames[0]["step"], steps - 6);
    let mut parts = HashMap::new();
    for part in frames.iter().flat_map(|frame| frame["parts"].as_array().into_iter().flatten()) {
        parts.insert(part[0].as_str().unwrap_or_default().to_owned(), part[2].clone());
    }
    assert!(!parts.is_empty());
    let now = crate::update::scene(&live, viewer);
    for part in now.parts.iter().filter(|part| parts.contains_key(&part.0)) {
        assert_eq!(parts[&part.0], part.2, "{}", part.0);
    }
}

#[tokio::test]
async fn the_log_tells_no_names_of_choices() {
    let lobby = card_lobby(&Arc::default());
    let found = sit_down(&lobby, &["bot:greedy", "bot:random"], "").await;
    until(&found, "the game is over", |live| live.table.result().is_some()).await;
    let live = found.lock().await;
    let actions = live.title.actions(&*live.table, 0..live.table.steps(), Viewer::Spectator);
    let html = crate::pages::log::lines(&live, &actions, None).into_string();
    let told = actions.iter().flat_map(|action| &action.steps);
    assert_eq!(told.count(), live.table.steps());
    assert!(html.contains("class=\"action"), "{html}");
    let names: HashSet<&str> = actions
        .iter()
        .flat_map(|action| &action.steps)
        .filter_map(|step| step.entry.name.as_deref())
        .collect();
    for name in names.iter().filter(|name| name.contains(' ')) {
        assert!(!html.contains(name), "{name} is the name of a choice: {html}");
    }
    assert!(!html.contains("<p></p>") && !html.contains("style="), "{html}");
}
