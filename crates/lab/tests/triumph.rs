//! Triumph & Tragedy in the laboratory: nothing is allocated, and a position is small.

use bots::{BotKind, Random};
use kernel::{Game, LabDice};
use lab::{BotPlayers, Playing, Unobserved};
use triumph::{Settings, Triumph};

/// The whole game, the game from 1939, and the game for two.
fn set_ups() -> [Settings; 3] {
    let short = Settings { short: true, ..Settings::default() };
    let two = Settings { two_players: true, ..Settings::default() };
    [Settings::default(), short, two]
}

#[test]
fn random_games_allocate_nothing() {
    for settings in set_ups() {
        let game = Triumph::new(settings.clone());
        let mut playing = Playing::default();
        let mut play = |games: u64| {
            for number in 0..games {
                let mut dice = LabDice::for_game(5, number);
                let mut state = game.start();
                playing.to_the_end(&game, &mut state, &mut Random, &mut dice, &mut Unobserved);
                assert!(game.outcome(&state).is_some());
            }
        };
        // The list of choices grows to the longest one there is: then the buffer is warm.
        play(300);
        let count = allocation_counter::measure(|| play(300)).count_total;
        assert_eq!(count, 0, "{settings:?}");
    }
}

/// Playouts of the search are games of the quick policy.
#[test]
fn quick_games_allocate_nothing() {
    for settings in set_ups() {
        let game = Triumph::new(settings.clone());
        let mut playing = Playing::default();
        let mut seated = BotPlayers::new(&game, &[BotKind::Greedy]);
        let mut play = |games: u64| {
            for number in 0..games {
                let mut dice = LabDice::for_game(5, number);
                let mut state = game.start();
                playing.to_the_end(&game, &mut state, &mut seated, &mut dice, &mut Unobserved);
                assert!(game.outcome(&state).is_some());
            }
        };
        play(20);
        let count = allocation_counter::measure(|| play(20)).count_total;
        assert_eq!(count, 0, "{settings:?}");
    }
}

#[test]
fn a_position_is_small() {
    assert!(size_of::<triumph::State>() <= 4_096, "{} bytes", size_of::<triumph::State>());
}
