//! Bots whose server is killed go on at the other.

use std::io::{self, Write as _};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::house::{House, id_of, until};

/// Two bots, and nobody who would have to come to the other server for them.
const BOTS: &str = "game=blitz&seat.0=bot:greedy&seat.1=bot:greedy&dice=fair&seed=5";
/// A drive is held for ten seconds, and it is looked every second for those that nobody renews. A busy machine adds to that.
const SOON: Duration = Duration::from_secs(15);

#[test]
fn bots_go_on_when_their_server_is_killed() {
    let Some(house) = House::new() else { return };
    let mut servers = vec![house.server(), house.server()];
    let path = servers[0].connect().new_match_of(BOTS).expect("a match");
    let id = id_of(&path).to_owned();
    servers[0].post(&format!("{path}/pace"), &json!({ "pace": "slow" })).is(200);
    let revision = || -> u64 {
        let text = house.ask(&format!("SELECT revision FROM progress WHERE match_id = '{id}'"));
        text.parse().expect("a number")
    };
    let driver = || house.ask(&format!("SELECT server FROM drives WHERE match_id = '{id}'"));
    for round in 0..3 {
        let begin = revision();
        until("the bots play", || (revision() > begin + 1).then_some(()));
        let before = driver();
        assert!(!before.is_empty(), "somebody drives it");
        // Whichever drives: in the first round it is where the match was made.
        let mut dead = servers.remove(0);
        dead.kill();
        let (killed, known) = (Instant::now(), revision());
        until("another bot's choice", || (revision() > known).then_some(()));
        let took = killed.elapsed();
        let _ = writeln!(io::stderr(), "round {round}: the bots went on {took:?} after the kill");
        assert!(took < SOON, "{took:?}");
        assert_ne!(driver(), before, "the other has taken over");
        servers.push(house.server());
        thread::sleep(Duration::from_millis(10));
    }
    let numbers: Vec<u64> = house.journal(&id).into_iter().map(|(seq, _)| seq).collect();
    assert_eq!(numbers, (1..=numbers.len() as u64).collect::<Vec<_>>());
}

/// A server that is asked to end gives its bots away at once.
#[test]
fn a_server_that_ends_gives_its_bots_away() {
    let Some(house) = House::new() else { return };
    let (mut leaving, _staying) = (house.server(), house.server());
    let path = leaving.connect().new_match_of(BOTS).expect("a match");
    let id = id_of(&path).to_owned();
    let drive = || house.ask(&format!("SELECT server FROM drives WHERE match_id = '{id}'"));
    let before = until("somebody drives it", || Some(drive()).filter(|drive| !drive.is_empty()));
    assert!(leaving.stop().success());
    let left = Instant::now();
    until("the other drives it", || (drive() != before).then_some(()));
    assert!(left.elapsed() < SOON, "{:?}", left.elapsed());
}
