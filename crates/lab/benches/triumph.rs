//! Games of Triumph & Tragedy a second, by set-up.

use bots::{BotKind, Random};
use kernel::{Game, Options};
use lab::BotPlayers;
use lab::bench::{play_erased, play_named, play_typed};
use triumph::Triumph;

fn main() {
    divan::main();
}

/// The whole game, the game from 1939, and the game for two.
const SET_UPS: [&str; 3] = ["", "start=1939", "players=2"];
const GAMES: u64 = 100;

fn game(set_up: &str) -> Triumph {
    let options: Options =
        set_up.split_once('=').map(|(key, value)| (key.to_owned(), value.to_owned())).into_iter().collect();
    Triumph::with_options(&options).unwrap_or_else(|why| panic!("{why}"))
}

#[divan::bench(args = SET_UPS)]
fn typed_random(bencher: divan::Bencher<'_, '_>, set_up: &str) {
    let game = game(set_up);
    bencher
        .counter(divan::counter::ItemsCount::new(GAMES))
        .bench(|| play_typed(&game, &mut Random, 0, GAMES));
}

#[divan::bench(args = SET_UPS)]
fn typed_greedy(bencher: divan::Bencher<'_, '_>, set_up: &str) {
    let game = game(set_up);
    let mut greedy = BotPlayers::new(&game, &[BotKind::Greedy]);
    bencher
        .counter(divan::counter::ItemsCount::new(GAMES))
        .bench_local(|| play_typed(&game, &mut greedy, 0, GAMES));
}

#[divan::bench(args = SET_UPS)]
fn erased_random(bencher: divan::Bencher<'_, '_>, set_up: &str) {
    let game = game(set_up);
    bencher.counter(divan::counter::ItemsCount::new(GAMES)).bench(|| play_erased(&game, 0, GAMES));
}

#[divan::bench(args = SET_UPS)]
fn named_random(bencher: divan::Bencher<'_, '_>, set_up: &str) {
    let game = game(set_up);
    bencher.counter(divan::counter::ItemsCount::new(GAMES)).bench(|| play_named(&game, 0, GAMES));
}
