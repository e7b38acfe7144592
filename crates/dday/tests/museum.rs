//! Saves of every release are read, proven and played on.

use std::path::{Path, PathBuf};

use dday::{DDay, SCENARIOS};
use testkit::museum::{Exhibit, halls, make};

fn museum() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/museum")
}

#[test]
fn saves_of_every_release_are_read_and_go_on() {
    for hall in halls(&museum()) {
        let saves = hall.check::<DDay>();
        assert!(saves > 25, "release {} has {saves} saves", hall.release);
    }
}

/// `cargo xtask museum RELEASE` runs this.
#[test]
#[ignore = "makes the saves of a new release"]
fn make_the_saves_of_a_release() {
    let mut exhibits = Vec::new();
    for (at, (scenario, _)) in SCENARIOS.iter().enumerate() {
        let name = scenario.replace('_', "-");
        exhibits.push(Exhibit::of(&name, &[("scenario", scenario)], None));
        let unfinished = Exhibit::of(&name, &[("scenario", scenario)], Some(90 + 23 * at));
        exhibits.push(Exhibit { remarks: at % 3 == 0, takebacks: at % 3 == 1, ..unfinished });
    }
    let (_, arracourt) = SCENARIOS[4];
    let own = arracourt.replacen("turns = 11", "turns = 10", 1).replacen(
        "id = \"05_arracourt\"",
        "id = \"morning\"",
        1,
    );
    assert!(own.contains("turns = 10") && own.contains("\"morning\""));
    let options: [(&str, &[(&'static str, &str)]); 6] = [
        ("rerolls", &[("scenario", "carentan"), ("rerolls", "5")]),
        ("random-rally", &[("scenario", "remagen"), ("random_rally", "on")]),
        ("basic", &[("scenario", "goodwood"), ("basic", "on")]),
        ("gentle-saves", &[("scenario", "berlin"), ("gentle_saves", "on")]),
        ("supply-off", &[("scenario", "arracourt"), ("supply", "off")]),
        ("supply-on", &[("scenario", "omaha"), ("supply", "on")]),
    ];
    for (name, options) in options {
        exhibits.push(Exhibit::of(name, options, Some(150)));
    }
    for stop in [None, Some(120)] {
        let of = |name: &str| Exhibit::of(name, &[("scenario", &own)], stop);
        exhibits.extend([of("own-scenario"), Exhibit { own_dice: true, ..of("own-dice") }]);
    }
    exhibits
        .push(Exhibit { published: true, ..Exhibit::of("published", &[("scenario", "mortain")], Some(70)) });
    make::<DDay>(&museum(), &exhibits);
}
