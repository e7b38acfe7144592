//! Whole battles kept as text: a change of the rules shows itself here, and says in which turn.

use std::fmt::Write as _;
use std::path::Path;

use dday::{DDay, SCENARIOS};
use kernel::{
    Dice, DigestFormat, Discard, Effort, Game, Judgement, LabDice, Mover, Recorder, Viewer, Wording,
};
use testkit::golden;
use testkit::{perft, random_choice};

/// A scenario under the rules of a version.
fn game(scenario: &str, rules: &str) -> DDay {
    let mut options = DDay::options_under(rules);
    options.insert("scenario".to_owned(), scenario.to_owned());
    DDay::with_options(&options).expect("a built-in scenario")
}

fn file(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name)
}

/// The story of a battle between two commanders, with the map at every dawn and at the end.
#[test]
fn villers_bocage_between_two_commanders() {
    golden::compare(&file("villers_bocage.txt"), &chronicle("1"));
    let text = chronicle("2");
    assert!(text.contains("> roll"), "under rules 2 every roll is confirmed");
    golden::compare(&file("rules-2-villers_bocage.txt"), &text);
}

fn chronicle(rules: &str) -> String {
    let game = game("03_villers_bocage", rules);
    let (mut state, mut dice, mut choices) = (game.start(), LabDice::new(613), Vec::new());
    let mut memories = [dday::Memory::default(), dday::Memory::default()];
    let mut text = game.picture(&game.view(&state, Viewer::Spectator));
    loop {
        let mut recorder = Recorder::default();
        let turn = state.turn;
        let choice = match game.mover(&state) {
            Mover::Nobody => break,
            Mover::Fate => game.drawn(&state, dice.below(game.tickets(&state))),
            Mover::Seat(seat) => {
                choices.clear();
                game.choices(&state, &mut choices);
                let view = game.view(&state, Viewer::Seat(seat));
                let memory = &mut memories[seat.index()];
                let mut why = String::new();
                let pick = game.policy(Effort::Bot(0), memory, &view, &choices, &mut dice, Some(&mut why));
                let mut name = String::new();
                game.write_name(&state, choices[pick], &mut name);
                let _ = writeln!(text, "> {name}{}{why}", if why.is_empty() { "" } else { "  // " });
                choices[pick]
            }
        };
        game.apply(&mut state, choice, &mut recorder);
        for (_, event) in &recorder.events {
            let line = game.log_line(event);
            let _ = writeln!(text, "  {} [{}]", line.text, line.rule);
        }
        if state.turn != turn {
            let _ = writeln!(text, "\n{}", game.picture(&game.view(&state, Viewer::Spectator)));
        }
    }
    text
}

#[test]
fn fingerprints_of_every_scenario() {
    golden::compare(&file("fingerprints.txt"), &fingerprints("1"));
    golden::compare(&file("rules-2-fingerprints.txt"), &fingerprints("2"));
}

/// Random battles of every scenario by their length, end and fingerprint, and the number of lines of play to depth four.
fn fingerprints(rules: &str) -> String {
    let mut text = String::new();
    for (id, _) in SCENARIOS {
        let game = game(id, rules);
        let counts: Vec<String> =
            (1..=4).map(|depth| perft(&game, &game.start(), depth).to_string()).collect();
        let _ = writeln!(text, "{id}: perft {}", counts.join(" "));
        for seed in 0..3 {
            let (mut state, mut dice, mut choices) = (game.start(), LabDice::new(seed), Vec::new());
            let mut steps = 0;
            while let Some(choice) = random_choice(&game, &state, &mut dice, &mut choices) {
                game.apply(&mut state, choice, &mut Discard);
                steps += 1;
            }
            let outcome = game.outcome(&state).expect("a battle ends");
            let result = game.results()[usize::from(outcome.0)].word;
            let _ = writeln!(
                text,
                "  seed {seed}: {steps} steps, {result}, {}",
                game.digest(&state, DigestFormat::V1)
            );
        }
    }
    text
}
