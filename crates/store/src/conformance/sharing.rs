//! What servers share: drives, windows, the note that the house lives.
//!
//! Times are the database's and pass by themselves: what is over is made so with a span of 0 and waited for.

use std::thread;
use std::time::Duration;

use super::sample;
use crate::{AccountId, SharedHouse, Store, Windows};

/// A store of matches and of what servers share.
pub trait SharingHouse: Store + SharedHouse {}

impl<T: Store + SharedHouse> SharingHouse for T {}

/// Longer than any test.
const LONG: u64 = 3_600_000;

/// Puts a store through the checks for what servers share. `make` runs a check on an empty store.
pub fn sharing_conformance(make: impl Fn(&dyn Fn(&dyn SharingHouse))) {
    let checks: &[fn(&dyn SharingHouse)] = &[driven_by_one, left_and_adopted, passed_on, windows, alive];
    for check in checks {
        make(&|store| {
            store.prepare_sharing().unwrap();
            check(store);
        });
    }
}

/// Waits until the time of the store is another.
fn wait(store: &dyn SharingHouse) {
    let now = store.time().unwrap();
    while store.time().unwrap() <= now + 1 {
        thread::sleep(Duration::from_millis(1));
    }
}

fn ids(all: &[&str]) -> Vec<String> {
    all.iter().map(|id| (*id).to_owned()).collect()
}

fn driven_by_one(store: &dyn SharingHouse) {
    for id in ["m", "n"] {
        store.create(&sample(id), &[]).unwrap();
    }
    assert_eq!(store.take_drive("one", "missing", LONG), Ok(false));
    assert_eq!(store.take_drive("one", "m", LONG), Ok(true));
    assert_eq!(store.take_drive("one", "m", LONG), Ok(true), "it has it already");
    assert_eq!(store.take_drive("two", "m", LONG), Ok(false));
    assert_eq!(store.take_drive("two", "n", 0), Ok(true));
    wait(store);
    assert_eq!(store.take_drive("one", "n", LONG), Ok(true), "the time of the other is over");
    assert_eq!(store.renew_drives("two", LONG), Ok(Vec::new()));
    assert_eq!(store.renew_drives("one", LONG), Ok(ids(&["m", "n"])));
    store.drop_drives("two", &ids(&["m"])).unwrap();
    assert_eq!(store.take_drive("two", "m", LONG), Ok(false), "nobody gives up what another has");
    store.drop_drives("one", &ids(&["m", "missing"])).unwrap();
    assert_eq!(store.take_drive("two", "m", LONG), Ok(true));
    store.mark_deleted("n", Some(1)).unwrap();
    store.purge(2).unwrap();
    assert_eq!(store.renew_drives("one", LONG), Ok(Vec::new()), "a purged match is driven by nobody");
}

fn left_and_adopted(store: &dyn SharingHouse) {
    for id in ["a", "b", "c", "d"] {
        store.create(&sample(id), &[]).unwrap();
    }
    for (server, id) in [("one", "a"), ("one", "b"), ("one", "c"), ("two", "d")] {
        assert_eq!(store.take_drive(server, id, LONG), Ok(true));
    }
    assert_eq!(store.adopt_drives("two", LONG, 9), Ok(Vec::new()));
    store.leave_drives("one").unwrap();
    assert_eq!(store.adopt_drives("two", LONG, 2), Ok(ids(&["a", "b"])));
    assert_eq!(store.renew_drives("one", LONG), Ok(ids(&["c"])), "what nobody has taken it may keep");
    assert_eq!(store.adopt_drives("two", LONG, 2), Ok(Vec::new()));
    assert_eq!(store.renew_drives("two", LONG), Ok(ids(&["a", "b", "d"])));
}

fn passed_on(store: &dyn SharingHouse) {
    for id in ["p", "q"] {
        store.create(&sample(id), &[]).unwrap();
        assert_eq!(store.take_drive("one", id, LONG), Ok(true));
    }
    store.pass_drive_on("two", "p", LONG).unwrap();
    assert_eq!(store.take_drive("two", "p", LONG), Ok(false), "nobody passes on what another has");
    store.pass_drive_on("one", "p", LONG).unwrap();
    assert_eq!(store.renew_drives("one", LONG), Ok(ids(&["q"])));
    assert_eq!(store.adopt_drives("one", LONG, 9), Ok(Vec::new()), "not at once");
    assert_eq!(store.take_drive("two", "p", LONG), Ok(true), "who wants it gets it");
    store.pass_drive_on("one", "q", 0).unwrap();
    wait(store);
    assert_eq!(store.adopt_drives("two", LONG, 9), Ok(ids(&["q"])));
}

fn windows(store: &dyn SharingHouse) {
    let of = |match_id: &str, seat, account: Option<u64>, open, shown| Windows {
        match_id: match_id.to_owned(),
        seat,
        account: account.map(AccountId),
        open,
        shown,
    };
    let at_one = [of("m", Some(0), Some(7), 2, 1), of("m", None, None, 3, 2), of("n", Some(1), None, 1, 0)];
    store.note_windows("one", &at_one, LONG).unwrap();
    store.note_windows("two", &[of("m", Some(1), Some(8), 1, 0)], LONG).unwrap();
    let many: Vec<String> = ids(&["m", "n"]).into_iter().chain((0..40).map(|n| format!("x{n}"))).collect();
    let mut expected = at_one.to_vec();
    expected.sort_unstable();
    assert_eq!(store.other_windows("two", &many), Ok(expected));
    assert_eq!(store.other_windows("two", &ids(&["n"])), Ok(vec![at_one[2].clone()]));
    assert_eq!(store.other_windows("one", &ids(&["m"])), Ok(vec![of("m", Some(1), Some(8), 1, 0)]));
    assert_eq!(store.other_windows("one", &[]), Ok(Vec::new()));
    let looks = |server, account, id| store.looks_elsewhere(server, AccountId(account), id).unwrap();
    assert!(looks("two", 7, "m"));
    assert!(!looks("one", 7, "m"), "its own it knows itself");
    assert!(!looks("two", 7, "n") && !looks("one", 8, "m"), "another match; a window that nobody sees");
    // Closed, hidden, and of a server that is gone.
    store
        .note_windows("one", &[of("m", Some(0), Some(7), 1, 0), of("n", Some(1), None, 0, 0)], LONG)
        .unwrap();
    assert!(!looks("two", 7, "m"));
    assert_eq!(store.other_windows("two", &ids(&["n"])), Ok(Vec::new()));
    store.keep_windows("one", 0).unwrap();
    wait(store);
    assert_eq!(store.other_windows("two", &ids(&["m"])), Ok(Vec::new()));
    store.keep_windows("two", LONG).unwrap();
    store.keep_windows("one", LONG).unwrap();
    assert_eq!(store.other_windows("two", &ids(&["m"])), Ok(Vec::new()), "they were removed");
    assert_eq!(store.other_windows("one", &ids(&["m"])).unwrap().len(), 1);
}

fn alive(store: &dyn SharingHouse) {
    assert_eq!(store.note_life(0), Ok(None), "a house that never lived has missed nothing");
    wait(store);
    assert_eq!(store.note_life(LONG), Ok(None), "no time at all");
    wait(store);
    let outage = store.note_life(0).unwrap().expect("nobody noted anything for longer than 0");
    assert!(outage.began < outage.ended && outage.ended <= store.time().unwrap());
    assert_eq!(store.outages(0), Ok(vec![outage]));
    wait(store);
    store.rest_life().unwrap();
    assert_eq!(store.note_life(0), Ok(None), "nobody's time ran");
    assert_eq!(store.outages(0), Ok(vec![outage]));
}
