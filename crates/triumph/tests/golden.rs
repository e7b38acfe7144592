//! Nothing in the rules moves unnoticed: counts of all lines of play, the ends of random wars, and whole wars told sentence
//! by sentence.
//!
//! `cargo xtask bless` takes the present texts as the right ones.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::PathBuf;

use kernel::{
    Catalogue as _, DigestFormat, Discard, Game, LabDice, Match, MatchDice, Mover, Recorder, Viewer, Wording,
};
use testkit::{golden, perft_counts, random_choice};
use triumph::{Stage, State, Triumph};

/// Lines of play are counted to this depth, unless there are more than [`MOST_LINES`] of them.
const DEPTH: u32 = 4;
const MOST_LINES: u64 = 60_000;
/// The seed of the wars that lead to the counted positions, and of those that are told: in these four wars nearly every kind
/// of choice comes up.
const SEED: u64 = 1458;
/// So many random wars of each set-up are kept by their end.
const WARS: u64 = 4;

/// A phase by its name, and whether a position belongs to it.
type Phase = (&'static str, fn(&State) -> bool);

/// The phases in which lines of play are counted: the first position of each that a random war comes to.
const PHASES: [Phase; 7] = [
    ("set-up", |state| matches!(state.stage, Stage::SetUp(_))),
    ("production", |state| state.year >= 39 && state.stage == Stage::Spend),
    ("government", |state| state.stage == Stage::Government),
    ("command", |state| state.stage == Stage::Command),
    ("movement", |state| state.stage == Stage::Movement && !state.turn.emergency && state.turn.may_declare),
    ("moving at war", |state| state.stage == Stage::Movement && state.of(state.turn.faction).at_war()),
    ("battle", |state| matches!(state.stage, Stage::Action(_))),
];

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name)
}

fn set_ups() -> impl Iterator<Item = (String, Triumph)> {
    Triumph::setups().into_iter().map(|setup| {
        let game = Triumph::with_options(&setup.options).expect("a set-up has good options");
        (setup.id, game)
    })
}

/// The first position of a phase in a random war. Wars without one are passed over.
fn first_of(game: &Triumph, is_in: fn(&State) -> bool) -> State {
    let mut room = Vec::new();
    for seed in SEED..SEED + 200 {
        let (mut state, mut dice) = (game.start(), LabDice::new(seed));
        while !is_in(&state) {
            let Some(choice) = random_choice(game, &state, &mut dice, &mut room) else { break };
            game.apply(&mut state, choice, &mut Discard);
        }
        if is_in(&state) {
            return state;
        }
    }
    panic!("no war comes to that phase");
}

#[test]
fn all_lines_of_play_are_counted_as_before() {
    let mut table = String::from("lines of play by depth, from the first position of a phase\n");
    for (id, game) in set_ups() {
        for (phase, is_in) in PHASES {
            let counts = perft_counts(&game, &first_of(&game, is_in), DEPTH, MOST_LINES);
            assert!(
                counts.len() >= 2 && counts.windows(2).all(|pair| pair[0] <= pair[1]),
                "{id}: {counts:?}"
            );
            let _ = writeln!(table, "{id}, {phase}: {counts:?}");
        }
    }
    golden::compare(&file("perft.txt"), &table);
}

#[test]
fn random_wars_end_as_before() {
    let mut table = String::new();
    for (id, game) in set_ups() {
        let _ = writeln!(table, "{id}");
        for seed in 0..WARS {
            let (mut state, mut dice, mut room) = (game.start(), LabDice::new(seed), Vec::new());
            let mut steps = 0;
            while let Some(choice) = random_choice(&game, &state, &mut dice, &mut room) {
                game.apply(&mut state, choice, &mut Discard);
                steps += 1;
            }
            let outcome = game.outcome(&state).expect("a war ends");
            let result = game.results()[usize::from(outcome.0)].word;
            let digest = game.digest(&state, DigestFormat::V2);
            let _ = writeln!(table, "  seed {seed}: {steps} steps, {result}, {digest}");
        }
    }
    golden::compare(&file("ends.txt"), &table);
}

/// A random war of a seed: the choices and what the log says of them to somebody who may know all, and the map at each New
/// Year. The digest of every season says where play has parted. The verbs of the choices are added to `verbs`.
fn chronicle(game: &Triumph, seed: u64, verbs: &mut BTreeSet<String>) -> String {
    let mut out = format!("{} seed {seed}\n", Triumph::TITLE);
    let (mut war, mut dice) = (Match::new(game.clone(), MatchDice::seeded(seed)), LabDice::new(seed));
    let (mut turn, mut year, mut room) = (None, None, Vec::new());
    loop {
        let now = game.turn(war.state());
        if turn.replace(now) != Some(now) {
            let digest = game.digest(war.state(), DigestFormat::V2);
            let _ = writeln!(out, "\n== {} == {digest}", game.turn_title(now));
        }
        if year.replace(war.state().year) != Some(war.state().year) || war.mover() == Mover::Nobody {
            let view = game.view(war.state(), Viewer::Spectator);
            let _ = writeln!(out, "{}", game.picture(&view));
        }
        let mut recorder = Recorder::default();
        match war.mover() {
            Mover::Nobody => break,
            Mover::Fate => war.fate(None, &mut recorder).expect("Fate may draw"),
            Mover::Seat(seat) => {
                let pick = random_choice(game, war.state(), &mut dice, &mut room).expect("somebody chooses");
                let name = war.name(pick);
                verbs.extend(name.split(' ').next().map(str::to_owned));
                let _ = writeln!(out, "{}> {name}", game.seats()[seat.index()].word);
                war.play(pick, &mut recorder).expect("a listed choice is open");
            }
        }
        // What one seat learns and the others don't is told twice: once in full, once as the others hear it.
        let mut told = BTreeSet::new();
        for (_, event) in &recorder.events {
            let line = game.log_line(event);
            if told.insert(line.text.clone()) {
                let _ = writeln!(out, "  {} [{}]", line.text, line.rule);
            }
        }
    }
    let outcome = game.outcome(war.state()).expect("a war ends");
    let _ = writeln!(out, "result: {}", game.results()[usize::from(outcome.0)].word);
    out
}

#[test]
fn whole_wars_are_told_as_before() {
    let mut verbs = BTreeSet::new();
    for (id, game) in set_ups() {
        let text = chronicle(&game, SEED, &mut verbs);
        assert!(text.lines().count() > 400 && text.contains("\nresult: "), "{id}");
        golden::compare(&file(&format!("{id}.txt")), &text);
    }
    for unusual in
        ["arrive", "double", "group", "intervene", "muster", "reveal", "spy", "stand", "violate", "war"]
    {
        assert!(verbs.contains(unusual), "no war that is told has {unusual:?}: {verbs:?}");
    }
}
