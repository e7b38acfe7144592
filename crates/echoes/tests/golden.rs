//! Nothing in the rules moves unnoticed: counts of all lines of play, and whole wars word by word.
//!
//! `MAPROOM_BLESS=1` takes the present texts as the right ones.

use std::fmt::Write as _;
use std::path::PathBuf;

use echoes::{Echoes, Edition, Windows};
use kernel::{Game as _, Options};
use testkit::golden;
use testkit::perft;

/// The plain game, one spread that changes boxes and one that begins in 1943.
const SPREADS: [u8; 3] = [1, 8, 15];
const DEPTH: u32 = 6;

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name)
}

fn with_options(pairs: &[(&str, &str)]) -> Echoes {
    let options: Options =
        pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    Echoes::with_options(&options).unwrap_or_else(|why| panic!("{why}"))
}

/// Every edition with the Tide of War windows of some rules (ruling R12).
fn set_ups(windows: Windows) -> impl Iterator<Item = (String, Echoes)> {
    Edition::ALL.into_iter().flat_map(move |edition| {
        SPREADS.map(|spread| {
            let number = spread.to_string();
            let game = with_options(&[
                ("edition", edition.word()),
                ("spread", &number),
                ("windows", windows.word()),
            ]);
            (format!("{}-{spread}", edition.word()), game)
        })
    })
}

fn own_book(windows: Windows) -> Echoes {
    with_options(&[("book", include_str!("data/own-book.txt")), ("windows", windows.word())])
}

#[test]
fn all_lines_of_play_are_counted_as_before() {
    count_lines(Windows::V1, "perft.txt");
    count_lines(Windows::V2, "rules-2-perft.txt");
    count_lines(Windows::V3, "rules-3-perft.txt");
}

fn count_lines(windows: Windows, name_of_table: &str) {
    let mut table = String::from("lines of play by depth\n");
    for (name, game) in set_ups(windows).chain([("own-book".to_owned(), own_book(windows))]) {
        let start = game.start();
        let counts: Vec<u64> = (1..=DEPTH).map(|depth| perft(&game, &start, depth)).collect();
        // Two dice open the turn (or the first one leads to a Major Conflict).
        assert_eq!(counts[0], 6, "{name}");
        assert!(counts.windows(2).all(|pair| pair[0] < pair[1]), "{name}: {counts:?}");
        let _ = writeln!(table, "{name}: {counts:?}");
    }
    golden::compare(&file(name_of_table), &table);
}

#[test]
fn whole_wars_are_told_as_before() {
    for (name, game) in set_ups(Windows::V1) {
        let text = golden::playthrough_under(&game, 1940, "1");
        assert!(text.lines().count() > 100 && text.contains("\nresult: "), "{name}");
        golden::compare(&file(&format!("{name}.txt")), &text);
    }
}

/// Wars in which somebody was asked for two shifts before an attack that a box orders (ruling R12).
#[test]
fn wars_with_the_windows_of_rules_2_are_told_as_before() {
    for seed in [29, 925] {
        let game = with_options(&[("edition", "axis"), ("windows", "2")]);
        let text = golden::playthrough_under(&game, seed, "2");
        assert!(text.contains("More than one shift is needed."), "seed {seed}: no window of rules 2");
        golden::compare(&file(&format!("rules-2-axis-{seed}.txt")), &text);
    }
}

/// Set-ups that between them have every window of rules 3 and each way to be asked (rules 2.5.5, 2.5.7, 2.5.8).
fn set_ups_of_rules_3() -> [(&'static str, Echoes); 4] {
    [
        ("allied", with_options(&[("edition", "allied")])),
        ("axis-always", with_options(&[("edition", "axis"), ("ask", "always")])),
        ("allied-request", with_options(&[("edition", "allied"), ("ask", "request")])),
        ("own-book", own_book(Windows::V3)),
    ]
}

#[test]
fn wars_with_the_windows_of_rules_3_are_told_as_before() {
    for (name, game) in set_ups_of_rules_3() {
        golden::compare(&file(&format!("rules-3-{name}.txt")), &golden::playthrough(&game, 1942));
    }
}

/// Every window of rules 3 comes up in random wars, and is used.
#[test]
fn every_window_of_rules_3_is_told() {
    let mut missing = vec![
        ": success. [2.5.5]",
        ": failure. [2.5.5]",
        "regions [2.5.5]",
        "or change it by a shift",
        "by more than one shift",
        "the next condition",
        "where the odds are best",
        "is about to go down",
        "> tow ask",
    ];
    let set_ups = set_ups_of_rules_3();
    for seed in 0..400 {
        for (_, game) in &set_ups {
            let text = golden::playthrough(game, seed);
            missing.retain(|words| !text.contains(words));
        }
        if missing.is_empty() {
            return;
        }
    }
    panic!("no war tells {missing:?}");
}

#[test]
fn a_war_of_an_own_book_is_told_as_before() {
    golden::compare(&file("own-book.txt"), &golden::playthrough_under(&own_book(Windows::V1), 1941, "1"));
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
