//! The hot path allocates nothing once it is warm.

use bots::BotKind;
use echoes::{Echoes, Edition};
use kernel::{Game, LabDice};
use lab::{BotPlayers, Playing, Unobserved};

fn allocations(edition: Edition, bot: BotKind, games: u64) -> u64 {
    let game = Echoes::edition(edition, 1).expect("the plain game is there");
    let mut playing = Playing::default();
    let mut seated = BotPlayers::new(&game, &[bot]);
    let mut play = |first: u64, games: u64| {
        for number in first..first + games {
            let mut dice = LabDice::for_game(5, number);
            let mut state = game.start();
            playing.to_the_end(&game, &mut state, &mut seated, &mut dice, &mut Unobserved);
            assert!(game.outcome(&state).is_some());
        }
    };
    play(0, 10);
    allocation_counter::measure(|| play(10, games)).count_total
}

#[test]
fn random_games_allocate_nothing() {
    assert_eq!(allocations(Edition::Allied, BotKind::Random, 2_000), 0);
    assert_eq!(allocations(Edition::Axis, BotKind::Random, 2_000), 0);
}

#[test]
fn greedy_games_allocate_nothing() {
    assert_eq!(allocations(Edition::Allied, BotKind::Greedy, 500), 0);
    assert_eq!(allocations(Edition::Axis, BotKind::Greedy, 500), 0);
}

#[test]
fn the_counter_can_count() {
    assert_eq!(allocation_counter::measure(|| drop(std::hint::black_box(vec![1_u8]))).count_total, 1);
}
