//! Saves of every release are read, proven and played on.

use std::path::Path;

use blitz::Blitz;
use testkit::museum::halls;

#[test]
fn saves_of_every_release_are_read_and_go_on() {
    for hall in halls(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/museum")) {
        let saves = hall.check::<Blitz>();
        assert!(saves > 25, "release {} has {saves} saves", hall.release);
    }
}
