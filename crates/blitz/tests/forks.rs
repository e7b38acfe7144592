//! A fork does not tell what the other side holds.

use std::collections::BTreeSet;

use blitz::Blitz;
use kernel::{
    Discard, Game as _, LabDice, Match, MatchDice, Mover, Options, Seat, Secret, Viewer, Wording as _,
};
use testkit::random_choice;

/// A game for two, played at random for a while.
fn played(seed: u64, steps: usize) -> Match<Blitz> {
    let options = Options::from([("mode".to_owned(), "two_player".to_owned())]);
    let game = Blitz::with_options(&options).expect("a game for two");
    let mut dice = LabDice::new(seed);
    let mut game_match = Match::new(game, MatchDice::seeded(seed));
    game_match.play_forced(&mut Discard);
    let mut room = Vec::new();
    while game_match.log().len() < steps && matches!(game_match.mover(), Mover::Seat(_)) {
        let choice = random_choice(game_match.game(), game_match.state(), &mut dice, &mut room);
        game_match.play(choice.expect("not over"), &mut Discard).expect("an open choice");
        game_match.play_forced(&mut Discard);
    }
    game_match
}

#[test]
fn the_other_hand_differs_and_everything_that_was_seen_stays() {
    for seed in 0..4 {
        let original = played(seed, 36);
        let (game, steps) = (original.game(), original.log().len());
        assert!(game.outcome(original.state()).is_none(), "in the middle of a game");
        for (own, other) in [(Seat(0), Seat(1)), (Seat(1), Seat(0))] {
            let viewer = Viewer::Seat(own);
            let mut hands = BTreeSet::new();
            for round in 0..12 {
                let mut dice = LabDice::new(round);
                let fork = original.fork_for(viewer, steps, Secret::from_seed(round), &mut dice);
                assert_eq!(fork.log().len(), steps);
                for at in 0..=steps {
                    let (before, after) = (original.state_at(at), fork.state_at(at));
                    assert_eq!(game.view(&before, viewer), game.view(&after, viewer), "step {at}");
                }
                game.invariants(fork.state()).unwrap_or_else(|why| panic!("{why}"));
                hands.insert(game.picture(&game.view(fork.state(), Viewer::Seat(other))));
            }
            assert!(hands.len() > 3, "seed {seed}: {} hands of {other:?} in twelve forks", hands.len());
        }
    }
}
