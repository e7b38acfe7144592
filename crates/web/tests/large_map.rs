//! The toy that the large-map benchmark plays keeps the rules of the server, and is as large as it says.

#[path = "../benches/large_map/expanse/mod.rs"]
mod expanse;

use expanse::{Expanse, ExpanseBoard, GameEvent};
use kernel::{
    Dice as _, Discard, Game as _, LabDice, Match, MatchDice, Mover, Recorder, Table, Viewer, Wording as _,
};
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
    let lost = told.told.iter().filter(|(_, event)| matches!(event, GameEvent::Lost(_))).count();
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

#[test]
fn a_range_of_the_log_is_that_part_of_the_whole_log() {
    let (short, _) = played(2);
    let table: &dyn Table = &short;
    let viewer = Viewer::Spectator;
    let whole = table.log(0, viewer);
    assert_eq!(whole.len(), table.steps());
    let ends = [0, 1, 63, 64, 65, 127, 128, 200, table.steps() - 1, table.steps()];
    for from in ends {
        for to in ends.into_iter().filter(|to| from <= *to) {
            assert_eq!(table.log_range(from..to, viewer), whole[from..to], "{from} to {to}");
        }
    }
    assert!(table.log_range(table.steps()..usize::MAX, viewer).is_empty());
}

#[test]
fn the_last_turns_begin_where_they_begin() {
    let (whole, _) = played(4);
    let turns: Vec<u16> = (0..=whole.log().len()).map(|at| whole.game().turn(&whole.state_at(at))).collect();
    for steps in (0..=whole.log().len()).step_by(37).chain([whole.log().len()]) {
        let part = whole.fork(steps);
        let begins = turns[..=steps].iter().position(|turn| turn + 1 >= turns[steps]).expect("a turn");
        for most in [0, 1, 100, 300, 10_000] {
            let wanted = begins.max(steps.saturating_sub(most));
            assert_eq!(part.last_turns_from(most), wanted, "after {steps}, at most {most}");
        }
        assert_eq!(part.turn_at(steps), turns[steps]);
        assert_eq!(whole.turn_at(steps), turns[steps]);
    }
}

#[test]
fn a_copy_goes_its_own_way() {
    let (whole, _) = played(2);
    let steps = whole.log().len();
    let mut copy = whole.fork(150);
    let mut dice = LabDice::new(3);
    for _ in 0..100 {
        let choices = copy.choices();
        copy.play(choices[dice.below(choices.len() as u32) as usize], &mut Discard).expect("an open choice");
        copy.play_forced(&mut Discard);
    }
    let (again, _) = played(2);
    assert_eq!(whole.log(), again.log(), "the match that was copied stays as it was");
    assert!(copy.log().iter().take(150).eq(whole.log().iter().take(150)));
    assert_eq!(copy.state_at(150), whole.state_at(150));
    assert_eq!(&copy.state_at(copy.log().len()), copy.state());
    assert_eq!(whole.fork(steps).draws(), whole.draws());
}
