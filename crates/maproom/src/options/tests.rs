//! Options on the command line: every option of every game is a flag, and no command line makes the program panic.

use std::ffi::OsString;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::RngSeed;

use super::*;
use crate::arguments::{Arguments, Command as Chosen};
use crate::registry;

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(0x006f_7074_696f_6e73),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

fn read_words(words: &[&str]) -> Result<Arguments, Error> {
    Arguments::try_read(std::iter::once("maproom").chain(words.iter().copied()).map(OsString::from))
}

/// The set-up of a command line that is in order.
fn setup(words: &[&str]) -> Setup {
    match read_words(words).unwrap_or_else(|why| panic!("{words:?}: {why}")).command {
        Some(Chosen::Play(order)) => order.setup,
        Some(Chosen::Sim(order)) => order.setup,
        other => panic!("{other:?}"),
    }
}

fn error(words: &[&str]) -> String {
    read_words(words).err().unwrap_or_else(|| panic!("{words:?} is in order")).to_string()
}

fn each(words: &[&str]) -> Result<Vec<String>, String> {
    let game = registry::game(words[1]).expect("a game");
    let setups = setup(words).each(game)?;
    let line = |options: Options| {
        options.iter().map(|(key, value)| format!("{key} {value}")).collect::<Vec<_>>().join(", ")
    };
    Ok(setups.into_iter().map(line).collect())
}

/// Every option that takes a word, with its game.
fn word_options() -> Vec<(&'static str, &'static str)> {
    let of = |game: &'static GameEntry| {
        let keys = game.tools.option_help().iter().map(|(key, _)| *key);
        keys.filter(|key| game.tools.option_value(key) == OptionValue::Word).map(|key| (game.id(), key))
    };
    GAMES.iter().flat_map(of).collect()
}

#[test]
fn the_command_line_is_sound_and_every_option_has_its_flag_and_its_sentence() {
    options_command(None).debug_assert();
    for game in GAMES.iter() {
        let help = error(&["play", game.id(), "--help"]);
        for (key, about) in game.tools.option_help() {
            assert!(help.contains(&format!("--{} ", flag(key))), "{key}\n{help}");
            let words = match game.tools.option_value(key) {
                OptionValue::File => {
                    game.tools.file_kinds().iter().find(|(kind, _)| kind == key).expect("a kind").1
                }
                _ => about,
            };
            let flat: String = help.split_whitespace().collect::<Vec<_>>().join(" ");
            let wanted: String = words.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(flat.contains(&wanted), "{wanted}\n{flat}");
        }
        assert!(help.contains(&format!("Options of {}", game.name())), "{help}");
        for other in GAMES.iter().filter(|other| other.id() != game.id()) {
            assert!(!help.contains(&format!("Options of {}", other.name())), "{help}");
        }
    }
    let all = error(&["play", "--help"]);
    assert!(GAMES.iter().all(|game| all.contains(&format!("Options of {}", game.id()))), "{all}");
    // A title may be broken over two lines.
    let top = error(&["--help"]).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(GAMES.iter().all(|game| top.contains(&format!("{} ({})", game.id(), game.name()))), "{top}");
}

fn options_command(meant: Option<&GameEntry>) -> Command {
    use clap::CommandFactory as _;
    with_games(Arguments::command(), meant)
}

#[test]
fn a_slip_of_the_keyboard_is_told_what_was_meant() {
    assert!(error(&["play", "echoes", "--sprea", "3"]).contains("--spread"));
    assert!(error(&["sim", "dday", "--gentle-save", "on"]).contains("--gentle-saves"));
    let echoes = registry::game("echoes").expect("a game");
    let options = setup(&["play", "echoes", "--option", "sprea=3"]).options(echoes).expect("pairs");
    let why = echoes.tools.check_options(&options).expect_err("no such option");
    assert!(why.contains("did you mean \"spread\"?"), "{why}");
    assert!(
        setup(&["play", "echoes", "--option", "sprea"])
            .options(echoes)
            .is_err_and(|why| why.contains("KEY=VALUE"))
    );
}

#[test]
fn several_values_make_several_set_ups() {
    for (words, setups) in [
        (&["sim", "echoes"][..], &[""][..]),
        (&["sim", "echoes", "--spread", "1,3-4"], &["spread 1", "spread 3", "spread 4"]),
        (
            &["sim", "echoes", "--spread", "2, 5", "--edition", "axis,allied"],
            &[
                "edition axis, spread 2",
                "edition axis, spread 5",
                "edition allied, spread 2",
                "edition allied, spread 5",
            ],
        ),
        (&["sim", "dday", "--scenario", "omaha,remagen"], &["scenario omaha", "scenario remagen"]),
        (&["sim", "dday", "--scenarios", "omaha"], &["scenario omaha"]),
        (
            &["sim", "blitz", "--extra_vp", "1-2", "--option", "mode=solo"],
            &["extra_vp 1, mode solo", "extra_vp 2, mode solo"],
        ),
    ] {
        assert_eq!(
            each(words).as_deref(),
            Ok(setups.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>().as_slice())
        );
    }
    assert_eq!(each(&["sim", "echoes", "--spread", "all"]).map(|setups| setups.len()), Ok(24));
    assert_eq!(each(&["sim", "echoes", "--edition", "all"]), Ok(vec!["edition all".to_owned()]));
    for wrong in ["3-1", "1-4000000000", ","] {
        assert!(each(&["sim", "echoes", "--spread", wrong]).is_err(), "{wrong}");
    }
    assert!(
        error(&["ladder", "dday", "--scenarios", "omaha", "--scenario", "remagen"])
            .contains("cannot be used with")
    );
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn a_flag_means_the_same_as_its_pair(
        (game, key) in select(word_options()),
        value in "[a-z0-9_.,:][a-z0-9_ .,:=-]{0,20}[a-z0-9]",
        underscores in any::<bool>(),
    ) {
        let entry = registry::game(game).expect("a game");
        let flag = format!("--{}", if underscores { key.to_owned() } else { flag(key) });
        let by_flag = setup(&["play", game, &flag, &value]).options(entry);
        let by_equals = setup(&["play", game, &format!("{flag}={value}")]).options(entry);
        let by_pair = setup(&["play", game, "--option", &format!("{key}={value}")]).options(entry);
        prop_assert_eq!(&by_flag, &Ok(Options::from([(key.to_owned(), value.clone())])));
        prop_assert_eq!(&by_flag, &by_pair);
        prop_assert_eq!(&by_flag, &by_equals);
        // Whatever the game says to it, it says it in words.
        if let Err(why) = entry.tools.check_options(&by_flag.expect("one option")) {
            prop_assert!(!why.is_empty());
        }
    }

    #[test]
    fn no_command_line_makes_the_program_panic(
        command in select(vec!["play", "sim", "ladder", "odds", "check", "bench", "perft", "calibrate", "serve", ""]),
        words in vec(
            prop_oneof![
                select(vec!["echoes", "dday", "--spread", "--option", "--scenarios", "--book", "--", "-", "--help", "all"])
                    .prop_map(str::to_owned),
                "--[a-z_-]{0,12}(=.{0,8})?",
                "\\PC{0,12}",
            ],
            0..6,
        ),
    ) {
        let words: Vec<&str> = std::iter::once(command).chain(words.iter().map(String::as_str)).collect();
        if let Err(why) = read_words(&words) {
            prop_assert!(!why.to_string().is_empty());
        }
    }

    #[test]
    fn a_list_holds_what_is_written_between_its_commas(numbers in vec(1..25_u32, 1..6), value in "\\PC{0,20}") {
        let echoes = registry::game("echoes").expect("a game");
        let texts: Vec<String> = numbers.iter().map(ToString::to_string).collect();
        prop_assert_eq!(list(echoes, &Options::new(), "spread", &texts.join(",")), Ok(texts));
        let (first, last) = (numbers[0].min(numbers[numbers.len() - 1]), numbers[0].max(numbers[numbers.len() - 1]));
        let range = list(echoes, &Options::new(), "spread", &format!("{first}-{last}"));
        prop_assert_eq!(range.map(|list| list.len() as u32), Ok(last - first + 1));
        // Nothing that can be typed is too much for it.
        if let Ok(values) = list(echoes, &Options::new(), "edition", &value) {
            prop_assert!(!values.is_empty() && values.len() <= 1_000 * 20);
        }
    }
}
