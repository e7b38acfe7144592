//! The bin stops clocks.

use clocks::{DAY, MINUTE, SECOND};
use store::Store as _;

use super::deadlines::House;
use super::*;

const RED: Seat = Seat(0);

#[tokio::test]
async fn a_match_in_the_bin_costs_nobody_time() {
    let house = House::open();
    let found = house.sit_down("sitting flag=loss").await;
    assert_eq!(house.pass(10 * MINUTE).await, 0);
    assert!(house.lobby.put_in_bin(&found.id).await.expect("answered"));
    assert_eq!(house.store.deadlines(u64::MAX, 9), Ok(Vec::new()));
    assert_eq!(house.pass(3 * DAY).await, 0);
    assert!(house.lobby.put_in_bin(&found.id).await.expect("binned"), "again, by a second click");
    assert!(house.lobby.take_out_of_bin(&found.id).await.expect("answered"));
    let again = house.lobby.find(&found.id).await.expect("there");
    until(&again, "the clock runs again", |live| !live.proceedings.is_binned).await;
    assert_eq!(house.left(&again, RED).await, 45 * MINUTE + 20 * SECOND - 10 * MINUTE);
    assert_eq!(house.pass(35 * MINUTE + 22 * SECOND).await, 1, "and runs out");
}

#[tokio::test]
async fn the_bin_writes_nothing_where_there_is_no_clock() {
    let house = House::open();
    let (id, _) = house.lobby.create(&cards(&["me", "friend"], "")).await.expect("made");
    house.lobby.put_in_bin(&id).await.expect("binned");
    house.lobby.take_out_of_bin(&id).await.expect("out");
    assert_eq!(house.store.journal(&id).expect("answers").len(), 1);
    assert!(!house.lobby.put_in_bin("nobody").await.expect("answered"));
}
