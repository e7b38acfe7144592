//! D-Day to Berlin: random battles and battles of commanders a second, copies of a position, and the growth with the map.

use bots::{BotKind, Random};
use dday::{DDay, SCENARIOS, State};
use kernel::{Dice as _, Game, LabDice, Mover, Options, Silent};
use lab::Seated;
use lab::bench::{play_erased, play_typed};

fn main() {
    divan::main();
}

const IDS: [&str; 11] = {
    let mut ids = [""; 11];
    let mut at = 0;
    while at < ids.len() {
        ids[at] = SCENARIOS[at].0;
        at += 1;
    }
    ids
};
const GAMES: u64 = 20;

fn game(scenario: &str) -> DDay {
    let options = Options::from([("scenario".to_owned(), scenario.to_owned())]);
    DDay::with_options(&options).unwrap_or_else(|why| panic!("{why}"))
}

#[divan::bench(args = IDS)]
fn typed_random(bencher: divan::Bencher<'_, '_>, id: &str) {
    let game = game(id);
    bencher
        .counter(divan::counter::ItemsCount::new(GAMES))
        .bench(|| play_typed(&game, &mut Random, 0, GAMES));
}

#[divan::bench(args = IDS, sample_count = 10)]
fn commander(bencher: divan::Bencher<'_, '_>, id: &str) {
    let game = game(id);
    let mut seated = Seated::new(&game, &[BotKind::Own(0)]);
    bencher
        .counter(divan::counter::ItemsCount::new(GAMES))
        .bench_local(|| play_typed(&game, &mut seated, 0, GAMES));
}

#[divan::bench]
fn erased_random(bencher: divan::Bencher<'_, '_>) {
    let game = game("03_villers_bocage");
    bencher.counter(divan::counter::ItemsCount::new(GAMES)).bench(|| play_erased(&game, 0, GAMES));
}

/// A position in the midst of a battle.
fn midst(game: &DDay) -> State {
    let mut dice = LabDice::new(5);
    let mut state = game.start();
    let mut choices = Vec::new();
    while state.turn < 4 {
        let choice = match game.mover(&state) {
            Mover::Nobody => break,
            Mover::Fate => game.drawn(&state, dice.below(game.tickets(&state))),
            Mover::Seat(_) => {
                choices.clear();
                game.choices(&state, &mut choices);
                choices[dice.below(choices.len() as u32) as usize]
            }
        };
        game.apply(&mut state, choice, &mut Silent);
    }
    state
}

#[divan::bench(args = IDS)]
fn clone_state(bencher: divan::Bencher<'_, '_>, id: &str) {
    let state = midst(&game(id));
    bencher.bench(|| state.clone());
}
