//! The hot path allocates nothing once it is warm.

use bots::BotKind;
use echoes::{Echoes, Edition};
use kernel::{CompleteGame, Discard, FeatureSlice, Game, LabDice, Options, Viewer};
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

/// What the features of a game's positions allocate besides their view, over some random choices.
fn feature_allocations<G: CompleteGame>() -> u64 {
    let game = G::with_options(&Options::new()).expect("the plain set-up");
    let mut values = vec![0.0; game.feature_names().len()];
    assert!(values.len() > 100, "{} has {} features", G::ID, values.len());
    let (mut state, mut dice, mut choices) = (game.start(), LabDice::new(3), Vec::new());
    let mut allocations = 0;
    for _ in 0..100 {
        let Some(choice) = testkit::random_choice(&game, &state, &mut dice, &mut choices) else { break };
        game.apply(&mut state, choice, &mut Discard);
        let view = game.view(&state, Viewer::Spectator);
        let measured = allocation_counter::measure(|| {
            let mut slice = FeatureSlice::new(&mut values);
            game.features(&view, &mut slice);
        });
        allocations += measured.count_total;
    }
    allocations
}

#[test]
fn features_allocate_nothing() {
    assert_eq!(feature_allocations::<Echoes>(), 0);
    assert_eq!(feature_allocations::<blitz::Blitz>(), 0);
    assert_eq!(feature_allocations::<dday::DDay>(), 0);
    assert_eq!(feature_allocations::<triumph::Triumph>(), 0);
    assert_eq!(feature_allocations::<surrender::Surrender>(), 0);
}

#[test]
fn the_counter_can_count() {
    assert_eq!(allocation_counter::measure(|| drop(std::hint::black_box(vec![1_u8]))).count_total, 1);
}
