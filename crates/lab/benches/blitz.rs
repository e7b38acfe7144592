//! Games of Blitzkrieg! a second, by mode.

use blitz::Blitz;
use bots::{BotKind, Random};
use kernel::{Game, Options};
use lab::BotPlayers;
use lab::bench::{play_erased, play_named, play_typed};

fn main() {
    divan::main();
}

const MODES: [&str; 4] = ["two_player", "solo", "nippon", "nippon_solo"];
const GAMES: u64 = 500;

fn game(mode: &str) -> Blitz {
    let mut options = Options::new();
    if mode.starts_with("nippon") {
        options.insert("board".to_owned(), "nippon".to_owned());
    }
    if mode.ends_with("solo") {
        options.insert("mode".to_owned(), "solo".to_owned());
    }
    Blitz::with_options(&options).unwrap_or_else(|why| panic!("{why}"))
}

#[divan::bench(args = MODES)]
fn typed_random(bencher: divan::Bencher<'_, '_>, mode: &str) {
    let game = game(mode);
    bencher
        .counter(divan::counter::ItemsCount::new(GAMES))
        .bench(|| play_typed(&game, &mut Random, 0, GAMES));
}

#[divan::bench(args = MODES)]
fn typed_greedy(bencher: divan::Bencher<'_, '_>, mode: &str) {
    let game = game(mode);
    let mut greedy = BotPlayers::new(&game, &[BotKind::Greedy]);
    bencher
        .counter(divan::counter::ItemsCount::new(GAMES))
        .bench_local(|| play_typed(&game, &mut greedy, 0, GAMES));
}

#[divan::bench(args = MODES)]
fn erased_random(bencher: divan::Bencher<'_, '_>, mode: &str) {
    let game = game(mode);
    bencher.counter(divan::counter::ItemsCount::new(GAMES)).bench(|| play_erased(&game, 0, GAMES));
}

#[divan::bench(args = MODES)]
fn named_random(bencher: divan::Bencher<'_, '_>, mode: &str) {
    let game = game(mode);
    bencher.counter(divan::counter::ItemsCount::new(GAMES)).bench(|| play_named(&game, 0, GAMES));
}
