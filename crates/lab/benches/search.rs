//! Playouts of search a second from the opening, on one thread and on all cores.

use std::sync::atomic::AtomicBool;

use blitz::Blitz;
use bots::search::{Budget, Resources, Search, Subject};
use dday::DDay;
use echoes::Echoes;
use kernel::{CompleteGame, Dice as _, Discard, LabDice, Mover, Options, Viewer};

fn main() {
    divan::main();
}

const THREADS: [usize; 2] = [1, 0];

/// The first decision of a game, and found about it; 0 threads are all cores.
fn think<G: CompleteGame>(
    bencher: divan::Bencher<'_, '_>,
    options: &[(&str, &str)],
    playouts: u32,
    threads: usize,
) {
    let options: Options = options.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    let game = G::with_options(&options).unwrap_or_else(|why| panic!("{why}"));
    let mut state = game.start();
    let mut dice = LabDice::new(1);
    while game.mover(&state) == Mover::Fate {
        let drawn = game.drawn(&state, dice.below(game.tickets(&state)));
        game.apply(&mut state, drawn, &mut Discard);
    }
    let Mover::Seat(seat) = game.mover(&state) else { return };
    let view = game.view(&state, Viewer::Seat(seat));
    let resources = if threads == 0 { Resources::all() } else { Resources::single() };
    let stop = AtomicBool::new(false);
    bencher.counter(divan::counter::ItemsCount::new(playouts)).bench(|| {
        let about = Subject::View(&view, Viewer::Seat(seat));
        Search::new(resources)
            .think(&game, about, Budget::playouts(playouts), 1, None, &stop)
            .expect("few seats")
    });
}

#[divan::bench(args = THREADS, sample_count = 10)]
fn echoes(bencher: divan::Bencher<'_, '_>, threads: usize) {
    think::<Echoes>(bencher, &[], 100_000, threads);
}

#[divan::bench(args = THREADS, sample_count = 10)]
fn blitz(bencher: divan::Bencher<'_, '_>, threads: usize) {
    think::<Blitz>(bencher, &[], 32_000, threads);
}

#[divan::bench(args = THREADS, sample_count = 10)]
fn blitz_solo(bencher: divan::Bencher<'_, '_>, threads: usize) {
    think::<Blitz>(bencher, &[("mode", "solo"), ("difficulty", "hard")], 32_000, threads);
}

#[divan::bench(args = THREADS, sample_count = 5)]
fn dday(bencher: divan::Bencher<'_, '_>, threads: usize) {
    think::<DDay>(bencher, &[("scenario", "villers_bocage")], 8_000, threads);
}
