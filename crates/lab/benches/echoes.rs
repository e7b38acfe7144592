//! `cargo bench`: the hot paths of `echoes`, with allocations counted.

use bots::{BotKind, Random};
use echoes::{Echoes, Edition};
use lab::BotPlayers;
use lab::bench::{play_erased, play_named, play_typed};

#[global_allocator]
static ALLOCATOR: divan::AllocProfiler = divan::AllocProfiler::system();

fn main() {
    divan::main();
}

fn game() -> Echoes {
    Echoes::edition(Edition::Allied, 1).expect("the plain game is there")
}

/// A thousand games an iteration: one buffer is allocated for all of them.
#[divan::bench(args = [1_000])]
fn typed_random(bencher: divan::Bencher<'_, '_>, games: u64) {
    let game = game();
    bencher.counter(games).bench(|| play_typed(&game, &mut Random, 0, games));
}

#[divan::bench(args = [1_000])]
fn typed_greedy(bencher: divan::Bencher<'_, '_>, games: u64) {
    let game = game();
    bencher
        .counter(games)
        .bench(|| play_typed(&game, &mut BotPlayers::new(&game, &[BotKind::Greedy]), 0, games));
}

#[divan::bench(args = [100])]
fn erased_random(bencher: divan::Bencher<'_, '_>, games: u64) {
    let game = game();
    bencher.counter(games).bench(|| play_erased(&game, 0, games));
}

#[divan::bench(args = [100])]
fn named_random(bencher: divan::Bencher<'_, '_>, games: u64) {
    let game = game();
    bencher.counter(games).bench(|| play_named(&game, 0, games));
}
