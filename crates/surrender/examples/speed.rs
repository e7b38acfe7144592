//! How fast random games are played on one core: `cargo run --release -p surrender --example speed [SCENARIO [SECONDS]]`.
//! Prints games and decisions a second, the size of a position and what it costs to copy one.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::{Duration, Instant};

use kernel::{Dice, Discard, Game, LabDice, Mover, Options};
use surrender::{State, Surrender};

/// Decisions of seats and draws of Fate.
#[derive(Default)]
struct Counts {
    games: u64,
    decisions: u64,
    choices: u64,
    draws: u64,
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let chosen = arguments.next();
    let seconds = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(3);
    let all = [
        "poland-1939",
        "scandinavia-1940",
        "france-1940",
        "balkans-1941",
        "france-1944",
        "ussr-1941",
        "main-event-1939",
    ];
    for scenario in all.into_iter().filter(|id| chosen.as_deref().is_none_or(|chosen| chosen == *id)) {
        let options = Options::from([("scenario".to_owned(), scenario.to_owned())]);
        let game = Surrender::with_options(&options).expect("a scenario of ours");
        measure(&game, scenario, Duration::from_secs(seconds));
    }
    copy();
}

fn measure(game: &Surrender, scenario: &str, time: Duration) {
    let mut counts = Counts::default();
    let mut by_kind: BTreeMap<String, (u64, Duration)> = BTreeMap::new();
    let profile = std::env::var_os("SPEED_PROFILE").is_some();
    let start = Instant::now();
    while start.elapsed() < time {
        let mut dice = LabDice::for_game(1, counts.games);
        let mut state = game.start();
        let mut listed = Vec::new();
        loop {
            let began = profile.then(Instant::now);
            let frame = state.frame();
            let choice = match game.mover(&state) {
                Mover::Nobody => break,
                Mover::Fate => {
                    counts.draws += 1;
                    game.drawn(&state, dice.below(game.tickets(&state)))
                }
                Mover::Seat(_) => {
                    listed.clear();
                    game.choices(&state, &mut listed);
                    counts.decisions += 1;
                    counts.choices += listed.len() as u64;
                    listed[dice.below(listed.len() as u32) as usize]
                }
            };
            let listing = began.map(|began| began.elapsed());
            game.apply(&mut state, choice, &mut Discard);
            if let (Some(began), Some(listing)) = (began, listing) {
                let name = format!("{frame:?}");
                let name = name.split('(').next().unwrap_or_default();
                let entry = by_kind.entry(format!("list {name}")).or_default();
                *entry = (entry.0 + 1, entry.1 + listing);
                let entry = by_kind.entry(format!("play {name}")).or_default();
                *entry = (entry.0 + 1, entry.1 + (began.elapsed() - listing));
            }
        }
        counts.games += 1;
    }
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{scenario}: {:.1} games/s, {:.0} decisions/s, {:.0} decisions and {:.0} draws a game, {:.1} choices each",
        counts.games as f64 / seconds,
        counts.decisions as f64 / seconds,
        counts.decisions as f64 / counts.games as f64,
        counts.draws as f64 / counts.games as f64,
        counts.choices as f64 / counts.decisions as f64,
    );
    let mut kinds: Vec<_> = by_kind.into_iter().collect();
    kinds.sort_by_key(|(_, (_, time))| std::cmp::Reverse(*time));
    for (name, (count, time)) in kinds.into_iter().take(24) {
        println!(
            "  {name:<24} {count:>9} times {:>8.0} ns each, {:.1} %",
            time.as_nanos() as f64 / count as f64,
            100.0 * time.as_secs_f64() / seconds
        );
    }
}

fn copy() {
    const COPIES: u32 = 200_000;
    let state = Surrender::with_options(&Options::new()).expect("Poland").start();
    let start = Instant::now();
    for _ in 0..COPIES {
        black_box(*black_box(&state));
    }
    let each = start.elapsed() / COPIES;
    println!("a position has {} bytes and is copied in {} ns", size_of::<State>(), each.as_nanos());
}
