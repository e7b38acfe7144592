//! Saves of every release are read, proven and played on.

use std::path::{Path, PathBuf};

use blitz::Blitz;
use testkit::museum::{Exhibit, halls, make};

fn museum() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/museum")
}

#[test]
fn saves_of_every_release_are_read_and_go_on() {
    for hall in halls(&museum()) {
        let saves = hall.check::<Blitz>();
        assert!(saves > 25, "release {} has {saves} saves", hall.release);
    }
}

/// `cargo xtask museum RELEASE` runs this.
#[test]
#[ignore = "makes the saves of a new release"]
fn make_the_saves_of_a_release() {
    let mut exhibits = Vec::new();
    for (at, board) in ["base", "nippon"].into_iter().enumerate() {
        for printing in ["2021", "2019"] {
            let options = [("board", board), ("printing", printing)];
            let name = format!("{board}-two-player-{printing}");
            let remarks = printing == "2019";
            exhibits.push(Exhibit { remarks, ..Exhibit::of(&name, &options, None) });
            exhibits.push(Exhibit { remarks, ..Exhibit::of(&name, &options, Some(31 + 4 * at)) });
        }
        let levels =
            [&["easy", "medium", "hard", "veteran", "elite"][..], &["standard", "veteran", "elite"]][at];
        for (number, level) in levels.iter().enumerate() {
            let options = [("board", board), ("mode", "solo"), ("difficulty", level)];
            let name = format!("{board}-solo-{level}");
            exhibits.push(Exhibit::of(&name, &options, None));
            exhibits.push(Exhibit::of(&name, &options, Some(9 + 7 * number)));
        }
    }
    let solo = ("mode", "solo");
    let dials = [
        solo,
        ("stratagems", "off"),
        ("extra_vp", "3"),
        ("extra_tracks", "2"),
        ("bombed_unit_goes_to", "research_pile"),
    ];
    for stop in [None, Some(33)] {
        let of = |name: &str, options: &[(&'static str, &str)]| Exhibit::of(name, options, stop);
        exhibits.extend([
            of("all-dials", &dials),
            of("bombing-kind", &[solo, ("bombing", "kind"), ("printing", "2021")]),
            Exhibit { own_dice: true, ..of("own-dice", &[solo, ("board", "nippon")]) },
            Exhibit { takebacks: true, ..of("takebacks", &[solo]) },
        ]);
    }
    exhibits.push(Exhibit { published: true, ..Exhibit::of("published", &[solo], Some(40)) });
    make::<Blitz>(&museum(), &exhibits);
}
