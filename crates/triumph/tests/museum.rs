//! Saves of every release are read, proven and played on.

use std::path::{Path, PathBuf};

use testkit::museum::{Exhibit, halls, make};
use triumph::Triumph;

/// The files behind the options, as they are delivered.
const ACTIONS: &str = include_str!("../data/cards_action.toml");
const FORCES: &str = include_str!("../data/setup.toml");

fn museum() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/museum")
}

#[test]
fn saves_of_every_release_are_read_and_go_on() {
    let halls = halls(&museum());
    assert!(!halls.is_empty());
    for hall in halls {
        let saves = hall.check::<Triumph>();
        assert!(saves > 25, "release {} has {saves} saves", hall.release);
    }
}

/// A file with something else in one place.
fn changed(file: &str, old: &str, new: &str) -> String {
    assert!(file.contains(old), "{old:?} is in the file");
    file.replacen(old, new, 1)
}

/// `cargo xtask museum RELEASE` runs this.
#[test]
#[ignore = "makes the saves of a new release"]
fn make_the_saves_of_a_release() {
    let mut exhibits = Vec::new();
    for (at, (start, players)) in
        [("1936", "3"), ("1939", "3"), ("1936", "2"), ("1939", "2")].into_iter().enumerate()
    {
        let options = [("start", start), ("players", players)];
        let name = format!("{start}-for-{players}");
        exhibits.push(Exhibit::of(&name, &options, None));
        exhibits
            .push(Exhibit { takebacks: true, ..Exhibit::of(&format!("{name}-takebacks"), &options, None) });
        // In the set-up, in Production, among the cards, in the seasons, in Battles, years later.
        for (number, stop) in [7, 62, 95, 140 + 11 * at, 230 + 7 * at].into_iter().enumerate() {
            let unfinished = Exhibit::of(&format!("{name}-{number}"), &options, Some(stop));
            exhibits.push(Exhibit { remarks: number % 2 == 1, takebacks: number == 3, ..unfinished });
        }
    }
    let ministers = changed(ACTIONS, "value = 4", "value = 5");
    let rearmed = changed(FORCES, "count = 6", "count = 5");
    for stop in [None, Some(150)] {
        let of = |name: &str, options: &[(&'static str, &str)]| Exhibit::of(name, options, stop);
        exhibits.extend([
            of("own-cards", &[("actions", &ministers)]),
            of("own-forces", &[("start", "1939"), ("forces", &rearmed)]),
        ]);
    }
    exhibits.push(Exhibit { published: true, ..Exhibit::of("published", &[], Some(170)) });
    make::<Triumph>(&museum(), &exhibits);
}
