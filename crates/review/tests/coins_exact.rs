//! A toy whose chances are known: the review finds them.

mod coins;
mod common;

use bots::BotKind;
use coins::{Choice, Coins};
use common::{check, played, reviewed};
use kernel::{Discard, Game as _, Match, MatchDice, Mover};
use review::What;

/// A match in which every seat makes the best choice, but for those in `instead` (by the number of the decision).
fn best_play(game: &Coins, seed: u64, instead: &[(u8, Choice)]) -> Match<Coins> {
    let mut of = Match::new(game.clone(), MatchDice::seeded(seed));
    loop {
        let state = *of.state();
        match of.mover() {
            Mover::Nobody => return of,
            Mover::Fate => of.fate(None, &mut Discard).expect("fair dice"),
            Mover::Seat(seat) => {
                let planted = instead.iter().find(|(made, _)| *made == state.made).map(|(_, choice)| *choice);
                let choice = planted.unwrap_or_else(|| game.best(&state, seat));
                of.play(choice, &mut Discard).expect("an open choice");
            }
        }
    }
}

#[test]
fn a_perfect_line_has_no_mistakes_and_its_luck_is_known() {
    // Not with three: there what is best hangs on which of two equal choices the others take.
    for (seats, rounds) in [(1, 3), (2, 3)] {
        let game = Coins::new(seats, rounds);
        for seed in 0..6 {
            let of = best_play(&game, seed, &[]);
            let review = reviewed(&of, 60_000);
            check(&review, of.log().len());
            for (seat, sum) in review.seats.iter().enumerate() {
                assert_eq!((sum.mistakes, sum.own, sum.others), (0, 0.0, 0.0), "{sum:?}");
                assert!((sum.start - game.exact(&game.start())[seat]).abs() < 0.06, "{sum:?}");
            }
            for (at, moment) in review.moments.iter().enumerate().filter(|(_, moment)| moment.is_luck()) {
                let (before, after) = (game.exact(&of.state_at(at)), game.exact(&of.state_at(at + 1)));
                for (seat, change) in moment.change.iter().enumerate() {
                    assert!(
                        (change - (after[seat] - before[seat])).abs() < 0.06,
                        "{before:?} {after:?} {moment:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_planted_mistake_is_found_and_costs_what_it_cost() {
    let game = Coins::new(2, 3);
    for seed in 0..8 {
        let of = best_play(&game, seed, &[(3, Choice::Waste)]);
        let review = reviewed(&of, 60_000);
        check(&review, of.log().len());
        let at = of.log().iter().position(|step| step.choice == Choice::Waste).expect("it was made");
        let (before, after) = (game.exact(&of.state_at(at)), game.exact(&of.state_at(at + 1)));
        let moment = &review.moments[at];
        if before[1] - after[1] > 0.1 {
            let What::Choice { loss, is_mistake: true, best: Some(best), .. } = &moment.what else {
                panic!("{moment:?}")
            };
            assert!((loss - (before[1] - after[1])).abs() < 0.08, "{before:?} {after:?} {moment:?}");
            assert_ne!(best.name, "waste");
            assert_eq!((review.seats[1].mistakes, review.seats[0].mistakes), (1, 0));
            assert!(review.seats[0].others > 0.1 && review.seats[1].own < -0.1);
        }
        assert!(review.seats[0].mistakes == 0, "{:?}", review.seats);
    }
}

#[test]
fn outcomes_that_lead_to_the_same_place_need_no_estimate_and_change_nothing() {
    // Whoever is three coins behind before the last die has lost whatever it shows.
    let game = Coins::new(2, 3);
    let waste = [
        (0, Choice::Take),
        (1, Choice::Waste),
        (2, Choice::Take),
        (3, Choice::Waste),
        (4, Choice::Take),
        (5, Choice::Dice),
    ];
    let of = best_play(&game, 1, &waste);
    let review = reviewed(&of, 2_000);
    check(&review, of.log().len());
    let last = review.moments.last().expect("the die");
    assert!(last.is_luck() && last.change == [0.0, 0.0], "{last:?}");
    let What::Luck { outcomes } = &last.what else { panic!("{last:?}") };
    assert_eq!(outcomes.len(), 6);
    assert!(outcomes.iter().all(|fork| fork.weight == 1 && fork.chances == [1.0, 0.0]));
}

#[test]
fn a_match_that_goes_on_is_reviewed_up_to_now() {
    let game = Coins::new(2, 3);
    let of = best_play(&game, 3, &[]).fork(4);
    let review = reviewed(&of, 40_000);
    check(&review, 4);
    assert!(!review.finished && review.result.is_empty());
    let exact = game.exact(of.state());
    for (sum, exact) in review.seats.iter().zip(exact) {
        assert!((sum.end - exact).abs() < 0.05, "{sum:?} {exact}");
        assert!(sum.verdict.starts_with("You stand at "), "{}", sum.verdict);
    }
    let begun = Match::new(game, MatchDice::seeded(1));
    let review = reviewed(&begun, 1_000);
    check(&review, 0);
    assert!(review.seats[0].luck == 0.0 && review.text(80, None).contains("the match goes on"));
}

#[test]
fn every_review_adds_up_however_little_it_thought() {
    for (seats, rounds) in [(1, 1), (1, 4), (2, 1), (2, 4), (3, 1), (3, 3)] {
        for seed in 0..40 {
            for bot in [BotKind::Random, BotKind::Greedy] {
                let of = played(Coins::new(seats, rounds), &[bot], seed);
                let playouts = [0, 1, 30, 400, 3_000][(seed % 5) as usize];
                let review = reviewed(&of, playouts);
                check(&review, of.log().len());
                assert!(review.finished && !review.stopped);
            }
        }
    }
}

#[test]
fn a_calibrated_review_adds_up_as_well() {
    for calibration in [(0.4, 1.3), (-1.0, 0.5), (2.0, 3.0)] {
        for seed in 0..10 {
            for seats in 1..=3 {
                let mut game = Coins::new(seats, 3);
                game.calibration = calibration;
                let of = played(game, &[BotKind::Random], seed);
                let review = reviewed(&of, 3_000);
                check(&review, of.log().len());
            }
        }
    }
}
