//! The toy that the large-map benchmark plays keeps the rules of the server, and is as large as it says.

#[path = "../benches/large_map/expanse/mod.rs"]
mod expanse;

use expanse::{Expanse, ExpanseBoard, GameEvent};
use kernel::{Dice as _, Game as _, LabDice, Match, MatchDice, Mover, Recorder, Wording as _};
use testkit::conformance::{Plan, run};
use web::{Asked, Board as _, Part, Scene};

#[test]
fn it_keeps_the_rules_of_a_game() {
    let plan = Plan { games: 1, seed: 4_000, max_steps: 1_000 };
    let report = run(&Expanse::of_turns(1), &plan).unwrap_or_else(|why| panic!("{why}"));
    assert!(report.positions > 190, "{report:?}");
}

/// A match by the quick policy, with everything that was told in it.
fn played(turns: u16) -> (Match<Expanse>, Recorder<GameEvent>) {
    let mut played = Match::new(Expanse::of_turns(turns), MatchDice::seeded(8_000));
    let (mut told, mut dice) = (Recorder::default(), LabDice::new(1));
    while let Mover::Seat(_) = played.mover() {
        let choices = played.choices();
        let pick = played.game().quick_choice(played.state(), &choices, &mut dice);
        played.play(choices[pick], &mut told).expect("an open choice");
        played.play_forced(&mut told);
    }
    (played, told)
}

#[test]
fn a_match_is_as_long_and_as_wide_as_it_says() {
    let (whole, told) = played(37);
    let steps = whole.log().len();
    assert!((8_200..8_800).contains(&steps), "{steps} steps");
    let lost = told.events.iter().filter(|(_, event)| matches!(event, GameEvent::Lost(_))).count();
    assert!(lost > 100, "{lost} pieces were lost");
    let mut dice = LabDice::new(2);
    let (mut open, mut closed, mut looks) = (Vec::new(), Vec::new(), 0);
    for _ in 0..500 {
        let state = whole.state_at(dice.below(steps as u32) as usize);
        if matches!(whole.game().mover(&state), Mover::Seat(_)) {
            looks += 1;
            let from = open.len();
            whole.game().choices(&state, &mut open);
            whole.game().closed(&state, &open[from..], &mut closed);
        }
    }
    let (open, closed) = (open.len() / looks, closed.len() / looks);
    println!("{steps} steps, {lost} pieces lost, {open} choices and {closed} closed ones");
    assert!((50..70).contains(&open) && (15..25).contains(&closed), "{open} choices, {closed} closed");
}

#[test]
fn every_piece_on_the_map_is_a_part_of_its_own() {
    let (short, _) = played(2);
    for at in [0, 100, 300] {
        let mut scene = Scene::default();
        let state = short.state_at(at);
        ExpanseBoard::draw(short.game(), &&state, &Asked::NOTHING, &mut scene);
        let counters = scene.parts.iter().filter(|Part(key, ..)| key.starts_with("p-")).count();
        let standing = state.pieces.iter().filter(|piece| piece.cell != terrain::NOWHERE).count();
        assert_eq!(counters, standing, "after step {at}");
    }
    let sheet = ExpanseBoard::sheet(short.game()).into_string();
    assert_eq!(sheet.matches("href=\"#hex\"").count(), 4_000);
}
