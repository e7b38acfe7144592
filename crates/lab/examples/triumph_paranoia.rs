//! How a search of Triumph & Tragedy does in each seat against the quick policy in the two others, if it takes the others to
//! play for themselves, and if it takes them to play against it:
//!
//! ```text
//! cargo run --release -p lab --example triumph_paranoia -- 20
//! ```

use std::sync::atomic::AtomicBool;

use bots::search::{Budget, Resources, Search, Subject};
use kernel::{Dice as _, Discard, Effort, Game as _, Judgement as _, LabDice, Mover, Seat, Standing, Viewer};
use triumph::{Faction, Triumph};

fn main() {
    let games: u64 = std::env::args().nth(1).and_then(|count| count.parse().ok()).unwrap_or(20);
    let game = Triumph::with_options(&kernel::Options::new()).expect("the plain game");
    for paranoia in [false, true] {
        for faction in Faction::ALL {
            let wins: f64 = (0..games).map(|number| play(&game, faction, paranoia, number)).sum();
            println!("{} paranoia {paranoia}: {wins} of {games}", faction.title());
        }
    }
}

/// Plays a game; what the searching seat gets.
fn play(game: &Triumph, faction: Faction, paranoia: bool, number: u64) -> f64 {
    let tuning = kernel::Tuning { paranoia, ..game.tuning() };
    let mut search = Search::<Triumph>::new(Resources::single()).tuned(tuning);
    let me = Seat(faction.index() as u8);
    let mut dice = LabDice::for_game(5, number);
    let stop = AtomicBool::new(false);
    let mut state = game.start();
    let mut choices = Vec::new();
    loop {
        let choice = match game.mover(&state) {
            Mover::Nobody => break,
            Mover::Fate => game.drawn(&state, dice.below(game.tickets(&state))),
            Mover::Seat(seat) => {
                choices.clear();
                game.choices(&state, &mut choices);
                let viewer = Viewer::Seat(seat);
                let view = game.view(&state, viewer);
                if choices.len() == 1 {
                    choices[0]
                } else if seat == me {
                    let budget = Budget::playouts(tuning.playouts).only_deciding();
                    let seed = u64::from(dice.word());
                    let found = search.think(game, Subject::View(&view, viewer), budget, seed, None, &stop);
                    found.expect("three seats").lines[0].choice
                } else {
                    choices[game.policy(Effort::Quick, &mut (), &view, &choices, &mut dice, None)]
                }
            }
        };
        game.apply(&mut state, choice, &mut Discard);
    }
    let outcome = game.outcome(&state).expect("a game ends");
    let standings = &game.results()[usize::from(outcome.0)].standings;
    match standings[me.index()] {
        Standing::Win => 1.0,
        Standing::Draw => 0.5,
        Standing::Loss => 0.0,
    }
}
