//! Nothing in the rules moves unnoticed: counts of all lines of play, the ends of random campaigns, and two of them told
//! sentence by sentence.
//!
//! `cargo xtask bless` takes the present texts as the right ones.

use std::fmt::Write as _;
use std::path::PathBuf;

use kernel::{
    Catalogue as _, DigestFormat, Discard, Game, LabDice, Match, MatchDice, Mover, Options, Recorder,
    Wording as _,
};
use surrender::{Frame, State, Surrender};
use testkit::{golden, perft_counts, random_choice};

/// Lines of play are counted to this depth, unless there are more than [`MOST_LINES`] of them.
const DEPTH: u32 = 4;
const MOST_LINES: u64 = 12_000;
/// The first seed of the campaigns that lead to the counted positions, and how many are tried.
const SEED: u64 = 1939;
const TRIES: u64 = 3;
/// A campaign that has not come to a phase after so many choices never will, as far as these tests go.
const LONGEST: usize = 3_000;
/// So many random campaigns of each short scenario are kept by their end.
const CAMPAIGNS: u64 = 4;
/// The scenarios whose campaigns are short enough to be played to their end here.
const SHORT: [&str; 4] = ["poland-1939", "scandinavia-1940", "france-1940", "balkans-1941"];

/// A question by its name, and whether a position asks it.
type Question = (&'static str, fn(&State) -> bool);

/// The questions at which lines of play are counted: the first of each that a random campaign comes to.
const QUESTIONS: [Question; 6] = [
    ("rail", |state| matches!(state.frame(), Frame::Rail(_))),
    ("actions", |state| matches!(state.frame(), Frame::Actions(_))),
    ("activation", |state| state.frame() == Frame::Activation),
    ("commit", |state| matches!(state.frame(), Frame::Commit(_))),
    ("interception", |state| matches!(state.frame(), Frame::Intercept(_))),
    ("mobilization", |state| matches!(state.frame(), Frame::Mobilize(_))),
];

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name)
}

fn game(scenario: &str) -> Surrender {
    let options = Options::from([("scenario".to_owned(), scenario.to_owned())]);
    Surrender::with_options(&options).expect("a scenario of ours")
}

/// The first position of a random campaign that asks a question, if one comes up.
fn first_of(game: &Surrender, asks: fn(&State) -> bool) -> Option<State> {
    let mut room = Vec::new();
    (SEED..SEED + TRIES).find_map(|seed| {
        let (mut state, mut dice) = (game.start(), LabDice::new(seed));
        for _ in 0..LONGEST {
            if asks(&state) {
                return Some(state);
            }
            let choice = random_choice(game, &state, &mut dice, &mut room)?;
            game.apply(&mut state, choice, &mut Discard);
        }
        None
    })
}

#[test]
fn all_lines_of_play_are_counted_as_before() {
    let mut table = String::from("lines of play by depth, from the first position that asks a question\n");
    let mut interceptions = 0;
    for setup in Surrender::setups() {
        let game = game(&setup.id);
        for (question, asks) in QUESTIONS {
            let Some(state) = first_of(&game, asks) else { continue };
            interceptions += usize::from(question == "interception");
            let _ = writeln!(
                table,
                "{}, {question}: {:?}",
                setup.id,
                perft_counts(&game, &state, DEPTH, MOST_LINES)
            );
        }
    }
    assert!(interceptions >= 3, "{table}");
    golden::compare(&file("perft.txt"), &table);
}

#[test]
fn random_campaigns_end_as_before() {
    let mut table = String::new();
    for scenario in SHORT {
        let game = game(scenario);
        let _ = writeln!(table, "{scenario}");
        for seed in 0..CAMPAIGNS {
            let (mut state, mut dice, mut room) = (game.start(), LabDice::new(seed), Vec::new());
            let mut steps = 0;
            while let Some(choice) = random_choice(&game, &state, &mut dice, &mut room) {
                game.apply(&mut state, choice, &mut Discard);
                steps += 1;
            }
            let outcome = game.outcome(&state).expect("a campaign ends");
            let result = game.results()[usize::from(outcome.0)].word;
            let digest = game.digest(&state, DigestFormat::V2);
            let _ = writeln!(table, "  seed {seed}: {steps} steps, {result}, {digest}");
        }
    }
    golden::compare(&file("ends.txt"), &table);
}

/// A random campaign: every choice and what the log says of it; the digest of every month says where play has parted.
fn chronicle(game: &Surrender, seed: u64) -> String {
    let mut out = format!("{} seed {seed}\n", Surrender::TITLE);
    let (mut war, mut dice) = (Match::new(game.clone(), MatchDice::seeded(seed)), LabDice::new(seed));
    let (mut turn, mut room) = (None, Vec::new());
    loop {
        let now = game.turn(war.state());
        if turn.replace(now) != Some(now) {
            let digest = game.digest(war.state(), DigestFormat::V2);
            let _ = writeln!(out, "\n== {} == {digest}", game.turn_title(now));
        }
        let mut recorder = Recorder::default();
        match war.mover() {
            Mover::Nobody => break,
            Mover::Fate => war.fate(None, &mut recorder).expect("Fate may draw"),
            Mover::Seat(seat) => {
                let pick = random_choice(game, war.state(), &mut dice, &mut room).expect("somebody chooses");
                let _ = writeln!(out, "{}> {}", game.seats()[seat.index()].word, war.name(pick));
                war.play(pick, &mut recorder).expect("a listed choice is open");
            }
        }
        for (_, event) in &recorder.events {
            let line = game.log_line(event);
            let _ = writeln!(out, "  {} [{}]", line.text, line.rule);
        }
    }
    let result = game.outcome(war.state()).map(|outcome| game.results()[usize::from(outcome.0)].word);
    let _ = writeln!(out, "result: {}", result.unwrap_or("none"));
    out
}

#[test]
fn whole_campaigns_are_told_as_before() {
    for scenario in ["poland-1939", "scandinavia-1940"] {
        golden::compare(&file(&format!("{scenario}.txt")), &chronicle(&game(scenario), SEED));
    }
}
