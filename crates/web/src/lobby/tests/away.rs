//! Coming back: what a seat has missed and since when, which is read from what is kept anyway.

use clocks::{DAY, HOUR, SECOND};

use super::bot_loop::{choose, take_back};
use super::deadlines::House;
use super::*;
use crate::live::Away;

const RED: Seat = Seat(0);
const BLUE: Seat = Seat(1);

async fn missed(found: &LiveMatch, viewer: Viewer) -> Option<Away> {
    found.lock().await.away(viewer)
}

#[tokio::test]
async fn whoever_comes_back_is_offered_what_they_have_missed() {
    let mut house = House::open();
    let found = house.sit_down("daily").await;
    for viewer in [Viewer::Seat(RED), Viewer::Seat(BLUE), Viewer::Spectator] {
        assert_eq!(missed(&found, viewer).await, None);
    }
    house.time.turn(HOUR);
    let since = house.now();
    choose(&house.lobby, &found, RED, "bid 1").await;
    house.time.turn(DAY);
    assert_eq!(missed(&found, Viewer::Seat(BLUE)).await, Some(Away { from: 2, since }));
    // Nobody has missed their own choice, and who only watches has no seat that could have missed anything.
    assert_eq!(missed(&found, Viewer::Seat(RED)).await, None);
    assert_eq!(missed(&found, Viewer::Spectator).await, None);
    // A restart changes nothing; what was shown is shown.
    let id = found.id.clone();
    drop(found);
    house.die(SECOND);
    let found = house.lobby.find(&id).await.expect("there");
    assert_eq!(missed(&found, Viewer::Seat(BLUE)).await, Some(Away { from: 2, since }));
    house.lobby.seen(&found, BLUE, 3).await;
    assert_eq!(missed(&found, Viewer::Seat(BLUE)).await, None);
    drop(found);
    house.die(SECOND);
    let found = house.lobby.find(&id).await.expect("there");
    assert_eq!(missed(&found, Viewer::Seat(BLUE)).await, None);
    choose(&house.lobby, &found, BLUE, "bid 2").await;
    assert_eq!(missed(&found, Viewer::Seat(BLUE)).await, None, "who chooses has seen it");
}

#[tokio::test]
async fn what_was_taken_back_was_not_missed() {
    let house = House::open();
    let found = house.sit_down("").await;
    choose(&house.lobby, &found, RED, "bid 1").await;
    take_back(&house.lobby, &found, RED).await;
    assert_eq!(missed(&found, Viewer::Seat(BLUE)).await, None);
    house.time.turn(HOUR);
    let since = house.now();
    choose(&house.lobby, &found, RED, "bid 2").await;
    assert_eq!(missed(&found, Viewer::Seat(BLUE)).await, Some(Away { from: 2, since }), "what counts now");
}

#[tokio::test]
async fn who_plays_alone_is_offered_nothing() {
    let lobby = card_lobby(&Arc::default());
    let (id, _) = lobby.create(&cards(&["me", "bot:greedy"], "")).await.expect("made");
    let found = lobby.find(&id).await.expect("there");
    choose(&lobby, &found, RED, "bid 1").await;
    until(&found, "the bot has chosen", |live| live.seat_to_move() == Some(RED.0)).await;
    let live = found.lock().await;
    assert!(live.seats[0].seen < live.table.steps() as u32);
    assert_eq!(live.away(Viewer::Seat(RED)), None);
    assert!(!live.shows_what_was_missed(Viewer::Seat(RED)));
}

/// Passes and steps without an alternative are passed over in the film, unless they are marked on the board.
#[tokio::test]
async fn the_log_says_which_steps_nobody_needs_to_be_shown() {
    let lobby = lobby();
    let (id, _) = lobby.create(&order(false)).await.expect("made");
    let found = lobby.find(&id).await.expect("there");
    // Whoever can pass does, so a game is short.
    while found.lock().await.table.result().is_none() && found.lock().await.table.steps() < 60 {
        let (revision, choice) = {
            let live = found.lock().await;
            let offers = live.table.offers(Viewer::Seat(SEAT));
            let pass = offers.iter().find(|offer| ["pass", "no"].contains(&offer.name.as_str()));
            (live.revision, pass.unwrap_or(&offers[0]).name.clone())
        };
        let act = move |live: &mut Live| live.choose(SEAT, revision, &choice);
        lobby.change(&found, act).await.expect("an open choice");
    }
    let live = found.lock().await;
    let actions = live.title.actions(&*live.table, 0..live.table.steps(), Viewer::Seat(SEAT));
    let html = crate::pages::log::lines(&live, &actions, None).into_string();
    let steps: Vec<_> = actions.iter().flat_map(|action| &action.steps).collect();
    let passes = steps.iter().filter(|step| step.entry.name.as_deref() == Some("pass")).count();
    let idle = html.matches("data-idle").count();
    assert!(passes > 0 && idle >= passes, "{idle} of {passes} passes");
    assert!(idle < html.matches("data-by").count() / 2, "dice and attacks are news");
}
