//! Random games allocate nothing once the list of choices is as long as it gets, and a position is small.

use kernel::{Dice as _, Discard, Game as _, LabDice, Mover, Options};
use surrender::{Choice, State, Surrender};

/// Plays random games to their end; how many choices were listed at most at once.
fn play(game: &Surrender, games: u64, choices: &mut Vec<Choice>) -> usize {
    let mut longest = 0;
    for number in 0..games {
        let mut dice = LabDice::for_game(5, number);
        let mut state = game.start();
        loop {
            let choice = match game.mover(&state) {
                Mover::Nobody => break,
                Mover::Fate => game.drawn(&state, dice.below(game.tickets(&state))),
                Mover::Seat(_) => {
                    choices.clear();
                    game.choices(&state, choices);
                    longest = longest.max(choices.len());
                    choices[dice.below(choices.len() as u32) as usize]
                }
            };
            game.apply(&mut state, choice, &mut Discard);
        }
    }
    longest
}

#[test]
fn random_games_allocate_nothing() {
    for (scenario, games) in [("poland-1939", 20), ("ussr-1941", 2), ("main-event-1939", 1)] {
        let options = Options::from([("scenario".to_owned(), scenario.to_owned())]);
        let game = Surrender::with_options(&options).expect("a scenario of ours");
        let mut choices = Vec::new();
        let longest = play(&game, games, &mut choices);
        assert!(longest > 10, "{scenario}: no list was longer than {longest}");
        let count = allocation_counter::measure(|| {
            play(&game, games, &mut choices);
        });
        assert_eq!(count.count_total, 0, "{scenario}");
    }
}

#[test]
fn a_position_is_small() {
    assert!(size_of::<State>() <= 16_384, "{} bytes", size_of::<State>());
}
