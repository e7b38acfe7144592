//! Saves of every release are read, proven and played on.

use std::path::{Path, PathBuf};

use surrender::Surrender;
use testkit::museum::{Exhibit, halls, make};

/// The scenarios whose campaigns are short enough to be kept to their end.
const SHORT: [&str; 3] = ["poland-1939", "scandinavia-1940", "france-1940"];

fn museum() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/museum")
}

#[test]
fn saves_of_every_release_are_read_and_go_on() {
    let halls = halls(&museum());
    assert!(!halls.is_empty());
    for hall in halls {
        let saves = hall.check::<Surrender>();
        assert!(saves > 15, "release {} has {saves} saves", hall.release);
    }
}

/// `cargo xtask museum RELEASE` runs this.
#[test]
#[ignore = "makes the saves of a new release"]
fn make_the_saves_of_a_release() {
    let mut exhibits = Vec::new();
    for scenario in SHORT {
        let options = [("scenario", scenario)];
        exhibits.push(Exhibit::of(scenario, &options, None));
        exhibits.push(Exhibit {
            takebacks: true,
            ..Exhibit::of(&format!("{scenario}-takebacks"), &options, None)
        });
        // Before the first action, in the middle of a march, among the missions, in the next month.
        for (number, stop) in [5, 33, 90].into_iter().enumerate() {
            let unfinished = Exhibit::of(&format!("{scenario}-{number}"), &options, Some(stop));
            exhibits.push(Exhibit { remarks: number == 1, takebacks: number == 2, ..unfinished });
        }
    }
    for scenario in ["balkans-1941", "ussr-1941", "france-1944", "main-event-1939"] {
        exhibits.push(Exhibit::of(scenario, &[("scenario", scenario)], Some(120)));
    }
    let open = [("scenario", "poland-1939"), ("commit", "open")];
    exhibits.push(Exhibit::of("open-markers", &open, Some(70)));
    let historical = [("scenario", "main-event-1939"), ("politics", "historical")];
    exhibits.push(Exhibit::of("historical", &historical, Some(150)));
    exhibits.push(Exhibit { published: true, ..Exhibit::of("published", &[], Some(70)) });
    make::<Surrender>(&museum(), &exhibits);
}
