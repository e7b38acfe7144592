//! Nothing in the rules moves unnoticed: counts of all lines of play, and whole wars word by word.
//!
//! `MAPROOM_BLESS=1` takes the present texts as the right ones.

use std::fmt::Write as _;
use std::path::PathBuf;

use echoes::{Echoes, Edition};
use kernel::{Game as _, Options, golden, perft};

/// The plain game, one spread that changes boxes and one that begins in 1943.
const SPREADS: [u8; 3] = [1, 8, 15];
const DEPTH: u32 = 6;

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name)
}

fn set_ups() -> impl Iterator<Item = (String, Echoes)> {
    Edition::ALL.into_iter().flat_map(|edition| {
        SPREADS.map(|spread| {
            let game = Echoes::edition(edition, spread).unwrap_or_else(|why| panic!("{why}"));
            (format!("{}-{spread}", edition.word()), game)
        })
    })
}

fn own_book() -> Echoes {
    let options = Options::from([("book".to_owned(), include_str!("data/own-book.txt").to_owned())]);
    Echoes::with_options(&options).unwrap_or_else(|why| panic!("{why}"))
}

#[test]
fn all_lines_of_play_are_counted_as_before() {
    let mut table = String::from("lines of play by depth\n");
    for (name, game) in set_ups().chain([("own-book".to_owned(), own_book())]) {
        let start = game.start();
        let counts: Vec<u64> = (1..=DEPTH).map(|depth| perft(&game, &start, depth)).collect();
        // Two dice open the turn (or the first one leads to a Major Conflict).
        assert_eq!(counts[0], 6, "{name}");
        assert!(counts.windows(2).all(|pair| pair[0] < pair[1]), "{name}: {counts:?}");
        let _ = writeln!(table, "{name}: {counts:?}");
    }
    golden::compare(&file("perft.txt"), &table);
}

#[test]
fn whole_wars_are_told_as_before() {
    for (name, game) in set_ups() {
        let text = golden::playthrough(&game, 1940);
        assert!(text.lines().count() > 100 && text.contains("\nresult: "), "{name}");
        golden::compare(&file(&format!("{name}.txt")), &text);
    }
}

#[test]
fn a_war_of_an_own_book_is_told_as_before() {
    golden::compare(&file("own-book.txt"), &golden::playthrough(&own_book(), 1941));
}

#[test]
fn a_changed_word_is_pointed_at() {
    let folder = std::env::temp_dir().join(format!("maproom-golden-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    let golden_file = folder.join("changed.txt");
    std::fs::write(&golden_file, "one\ntwo\nthree\n").expect("a temporary file");
    let outcome = std::panic::catch_unwind(|| golden::compare(&golden_file, "one\nTWO\nthree\n"));
    let blessed = std::fs::read_to_string(&golden_file).expect("still there");
    std::fs::remove_dir_all(&folder).expect("the folder can go");
    if std::env::var_os(golden::BLESS).is_some() {
        assert_eq!(blessed, "one\nTWO\nthree\n");
        return;
    }
    let why = outcome.expect_err("a difference").downcast::<String>().expect("a message");
    assert!(
        why.contains("parts at line 2:") && why.contains("golden: two") && why.contains("now:    TWO"),
        "{why}"
    );
    assert_eq!(blessed, "one\ntwo\nthree\n");
}
