//! Nothing in the rules moves unnoticed: counts of all lines of play, and whole wars word by word.
//!
//! `MAPROOM_BLESS=1` takes the present texts as the right ones.

use std::fmt::Write as _;
use std::path::PathBuf;

use blitz::Blitz;
use kernel::{Game as _, Options};
use testkit::golden;
use testkit::perft;

/// Before anybody chooses all tokens are dealt: lines of play are counted from a dealt position.
const DEPTH: u32 = 4;
/// As rules 1 had them.
const OLD_MODES: [(&str, &[(&str, &str)]); 4] = [
    ("two-player", &[("printing", "2021")]),
    ("solo", &[("mode", "solo"), ("difficulty", "hard"), ("printing", "2021"), ("bombing", "kind")]),
    ("nippon", &[("board", "nippon"), ("printing", "2019")]),
    ("nippon-solo", &[("board", "nippon"), ("mode", "solo"), ("printing", "2021"), ("bombing", "kind")]),
];
/// With bombing by place (rule 8.7).
const MODES: [(&str, &[(&str, &str)]); 3] = [
    ("rules-2-two-player", &[]),
    ("rules-2-solo", &[("mode", "solo"), ("stratagems", "off")]),
    ("rules-2-nippon-solo", &[("board", "nippon"), ("mode", "solo")]),
];

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name)
}

type Mode = (&'static str, &'static [(&'static str, &'static str)]);

fn set_ups(modes: &[Mode]) -> impl Iterator<Item = (&'static str, Blitz)> {
    modes.iter().map(|&(name, pairs)| {
        let options: Options =
            pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        (name, Blitz::with_options(&options).unwrap_or_else(|why| panic!("{why}")))
    })
}

#[test]
fn all_lines_of_play_are_counted_as_before() {
    count_lines(&OLD_MODES, "perft.txt");
    count_lines(&MODES, "rules-2-perft.txt");
}

fn count_lines(modes: &[Mode], name_of_table: &str) {
    let mut table = String::from("lines of play by depth, from the first turn\n");
    for (name, game) in set_ups(modes) {
        let mut state = game.start();
        while state.turn == 0 {
            let drawn = game.drawn(&state, 0);
            game.apply(&mut state, drawn, &mut kernel::Discard);
        }
        let counts: Vec<u64> = (1..=DEPTH).map(|depth| perft(&game, &state, depth)).collect();
        assert!(counts.windows(2).all(|pair| pair[0] < pair[1]), "{name}: {counts:?}");
        let _ = writeln!(table, "{name}: {counts:?}");
    }
    golden::compare(&file(name_of_table), &table);
}

#[test]
fn whole_wars_are_told_as_before() {
    for (name, game) in set_ups(&OLD_MODES) {
        let text = golden::playthrough_under(&game, 1940, "1");
        assert!(text.lines().count() > 60 && text.contains("\nresult: "), "{name}");
        golden::compare(&file(&format!("{name}.txt")), &text);
    }
    let mut bombed = 0;
    for (name, game) in set_ups(&MODES) {
        let text = golden::playthrough(&game, 1941);
        assert!(text.lines().count() > 60 && text.contains("\nresult: "), "{name}");
        bombed += text.matches("\n> bomb ").count();
        golden::compare(&file(&format!("{name}.txt")), &text);
    }
    assert!(bombed > 1, "no unit was bombed by its place");
}
