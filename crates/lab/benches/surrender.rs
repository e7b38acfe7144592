//! Games of Unconditional Surrender! a second, by scenario.

use bots::Random;
use kernel::{Game, Options};
use lab::bench::{play_erased, play_typed};
use surrender::Surrender;

fn main() {
    divan::main();
}

/// Scenarios, and how many games of each are measured at once.
const SCENARIOS: [(&str, u64); 4] =
    [("poland-1939", 100), ("france-1940", 20), ("ussr-1941", 4), ("main-event-1939", 1)];

fn game(scenario: &str) -> Surrender {
    let options = Options::from([("scenario".to_owned(), scenario.to_owned())]);
    Surrender::with_options(&options).unwrap_or_else(|why| panic!("{why}"))
}

#[divan::bench(args = SCENARIOS)]
fn typed_random(bencher: divan::Bencher<'_, '_>, (scenario, games): (&str, u64)) {
    let game = game(scenario);
    bencher
        .counter(divan::counter::ItemsCount::new(games))
        .bench(|| play_typed(&game, &mut Random, 0, games));
}

#[divan::bench(args = &SCENARIOS[..2])]
fn erased_random(bencher: divan::Bencher<'_, '_>, (scenario, games): (&str, u64)) {
    let game = game(scenario);
    bencher.counter(divan::counter::ItemsCount::new(games)).bench(|| play_erased(&game, 0, games));
}
