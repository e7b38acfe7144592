//! Seats and settings.

use super::{sample, steps_append};
use crate::{Player, SeatRecord, Store};

fn seat(store: &dyn Store, id: &str, seat: usize) -> SeatRecord {
    store.find(id).unwrap().unwrap().seats[seat].clone()
}

pub(super) fn claimed_once(store: &dyn Store) {
    store.create(&sample("m"), &[]).unwrap();
    assert!(store.claim("m", 1, 5).unwrap());
    assert!(!store.claim("m", 1, 6).unwrap());
    assert!(!store.claim("m", 2, 6).unwrap());
    assert!(!store.claim("nobody", 1, 6).unwrap());
    assert_eq!(seat(store, "m", 1).claimed_at, Some(5));
    assert_eq!(seat(store, "m", 0), sample("m").seats[0]);
}

pub(super) fn other_tokens(store: &dyn Store) {
    store.create(&sample("m"), &[]).unwrap();
    store.create(&sample("n"), &[]).unwrap();
    assert!(store.claim("m", 1, 5).unwrap());
    assert!(store.set_token("m", Some(1), "fresh").unwrap());
    assert!(store.set_token("m", None, "").unwrap());
    assert!(!store.set_token("m", Some(2), "x").unwrap());
    assert!(!store.set_token("nobody", Some(0), "x").unwrap());
    assert!(!store.set_token("nobody", None, "x").unwrap());
    let expected = SeatRecord { token: "fresh".into(), claimed_at: None, ..sample("m").seats[1].clone() };
    assert_eq!(seat(store, "m", 1), expected, "whoever comes with the new link claims the seat anew");
    assert_eq!(seat(store, "m", 0), sample("m").seats[0]);
    assert_eq!(store.find("m").unwrap().unwrap().viewer_token, "");
    assert_eq!(store.find("n").unwrap(), Some(sample("n")));
}

pub(super) fn seen_and_played(store: &dyn Store) {
    store.create(&sample("m"), &[]).unwrap();
    store.create(&sample("n"), &[]).unwrap();
    let seen = |id: &str, seat, steps| (id.to_string(), seat, steps);
    // The last of one group counts; an undo makes it less; who is not there is passed over.
    store
        .set_seen(&[seen("m", 0, 3), seen("nobody", 0, 4), seen("m", 7, 4), seen("n", 1, 5), seen("m", 0, 9)])
        .unwrap();
    assert_eq!((seat(store, "m", 0).seen, seat(store, "m", 1).seen), (9, 0));
    assert_eq!((seat(store, "n", 0).seen, seat(store, "n", 1).seen), (0, 5));
    store.set_seen(&[seen("m", 0, 2)]).unwrap();
    assert_eq!(seat(store, "m", 0).seen, 2);

    let bot = Player::Bot("greedy".into());
    assert!(store.set_player("m", 0, &bot, "north, Greedy", true).unwrap());
    assert!(!store.set_player("m", 2, &bot, "nobody", false).unwrap());
    assert!(!store.set_player("nobody", 0, &bot, "nobody", false).unwrap());
    let summary = store.find("m").unwrap().unwrap().summary;
    assert_eq!((summary.to_move.as_str(), summary.owner_to_move), ("north, Greedy", true));
    assert_eq!(store.find("n").unwrap().unwrap().summary, sample("n").summary);
    // Appending leaves the seats alone.
    store.append(&[steps_append("m", 1, "x")]).unwrap();
    let expected = SeatRecord { player: bot, seen: 2, ..sample("m").seats[0].clone() };
    assert_eq!(store.find("m").unwrap().unwrap().seats, [expected, sample("m").seats[1].clone()]);
}

pub(super) fn settings(store: &dyn Store) {
    for (key, value) in [("a", "1"), ("ключ", ""), ("a", "2 🎲")] {
        store.set_setting(key, value).unwrap();
    }
    assert_eq!(store.setting("a").unwrap().as_deref(), Some("2 🎲"));
    assert_eq!(store.setting("ключ").unwrap().as_deref(), Some(""));
    assert_eq!(store.setting("A").unwrap(), None);
    // Only who knows what is there may change it.
    assert_eq!(store.swap_setting("a", Some("1"), "3"), Ok(false));
    assert_eq!(store.swap_setting("a", None, "3"), Ok(false));
    assert_eq!(store.setting("a").unwrap().as_deref(), Some("2 🎲"));
    assert_eq!(store.swap_setting("a", Some("2 🎲"), "3"), Ok(true));
    assert_eq!(store.setting("a").unwrap().as_deref(), Some("3"));
    assert_eq!(store.swap_setting("new", Some(""), "1"), Ok(false));
    assert_eq!(store.setting("new").unwrap(), None);
    assert_eq!(store.swap_setting("new", None, "1"), Ok(true));
    assert_eq!(store.setting("new").unwrap().as_deref(), Some("1"));
}
