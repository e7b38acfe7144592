//! Matches between bots, and what holds of every review.

#![allow(dead_code, reason = "every test crate uses its part of it")]

use bots::{Bot as _, BotKind, Player};
use kernel::{CompleteGame, Discard, LabDice, Match, MatchDice, Mover, Options, Viewer};
use review::{Progress, Quality, Review, What};

pub fn options(pairs: &[(&str, &str)]) -> Options {
    pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

pub fn game<G: CompleteGame>(pairs: &[(&str, &str)]) -> G {
    G::with_options(&options(pairs)).expect("these options exist")
}

/// Plays a match on: the seats by bots, the last of which has all further seats; at most so many steps.
pub fn play_on<G: CompleteGame>(of: &mut Match<G>, bots: &[BotKind], seed: u64, most: usize) {
    let game = of.game().clone();
    let mut dice = LabDice::new(seed);
    let kind = |seat: usize| bots.get(seat).or(bots.last()).copied().unwrap_or(BotKind::Random);
    let mut players: Vec<Player<G>> = (0..game.seats().len()).map(|seat| Player::new(kind(seat))).collect();
    while of.log().len() < most {
        match of.mover() {
            Mover::Nobody => break,
            Mover::Fate => of.fate(None, &mut Discard).expect("fair dice"),
            Mover::Seat(seat) => {
                let choices = of.choices();
                let pick = {
                    let view = game.view(of.state(), Viewer::Seat(seat));
                    players[seat.index()].choose(&game, &view, &choices, &mut dice)
                };
                of.play(choices[pick], &mut Discard).expect("a listed choice is open");
            }
        }
    }
}

pub fn played<G: CompleteGame>(game: G, bots: &[BotKind], seed: u64) -> Match<G> {
    let mut of = Match::new(game, MatchDice::seeded(seed));
    play_on(&mut of, bots, seed, usize::MAX);
    of
}

pub fn reviewed<G: CompleteGame>(of: &Match<G>, playouts: u64) -> Review {
    review::review(of, Quality { playouts, threads: 2 }, &Progress::default()).expect("a review")
}

/// What holds of every review, however few its playouts.
#[track_caller]
pub fn check(review: &Review, steps: usize) {
    let seats = review.seats.len();
    assert_eq!((review.points.len(), review.moments.len()), (steps + 1, steps));
    for (at, point) in review.points.iter().enumerate() {
        assert_eq!((point.step, point.chances.len()), (at, seats));
        assert!(point.chances.iter().all(|chance| (0.0..=1.0).contains(chance)), "{point:?}");
        assert!((0.0..=1.0).contains(&point.error), "{point:?}");
        // Three who draw have half a victory each.
        if seats == 2 {
            assert!((point.chances.iter().sum::<f64>() - 1.0).abs() < 1e-6, "{point:?}");
        }
    }
    for (at, moment) in review.moments.iter().enumerate() {
        let (before, after) = (&review.points[at].chances, &review.points[at + 1].chances);
        assert_eq!(moment.step, at + 1);
        assert!(!moment.name.is_empty() && !moment.prompt.is_empty());
        for seat in 0..seats {
            assert!((before[seat] + moment.change[seat] - after[seat]).abs() < 1e-9, "{moment:?}");
        }
        check_moment(review, at, before, after);
    }
    check_sums(review);
    let sizes: Vec<f64> = review.turning_points.iter().map(|at| review.moments[*at].size()).collect();
    assert!(sizes.len() <= 5 && sizes.is_sorted_by(|a, b| a >= b), "{sizes:?}");
    assert!(review.verdict.ends_with('.') && review.seats.iter().all(|seat| seat.verdict.ends_with('.')));
}

#[track_caller]
fn check_moment(review: &Review, at: usize, before: &[f64], after: &[f64]) {
    let moment = &review.moments[at];
    match &moment.what {
        What::Luck { outcomes } => {
            assert_eq!(moment.actor, "fate");
            assert_eq!(outcomes.iter().filter(|fork| fork.was_made).count(), 1);
            let made = outcomes.iter().find(|fork| fork.was_made).expect("one came");
            let tickets: f64 = outcomes.iter().map(|fork| f64::from(fork.weight)).sum();
            for seat in 0..before.len() {
                assert!(
                    (made.chances[seat] - after[seat]).abs() < 1e-12,
                    "what came is worth what was found"
                );
                // Nobody can expect to be lucky.
                let luck = |fork: &review::Fork| {
                    f64::from(fork.weight) / tickets * (fork.chances[seat] - before[seat])
                };
                let expected: f64 = outcomes.iter().map(luck).sum();
                assert!(expected.abs() < 1e-9, "step {}: {expected}", moment.step);
            }
        }
        What::Choice { loss, noise, is_mistake, best, tried } => {
            let seat = review.seats.iter().position(|seat| seat.word == moment.actor).expect("a seat");
            assert!(*loss >= 0.0 && *noise >= 0.0 && *loss <= 1.0);
            assert_eq!(*is_mistake, *loss > 0.0);
            assert!((moment.change[seat] + loss).abs() < 1e-9, "{moment:?}");
            assert!(tried.iter().filter(|fork| fork.was_made).count() <= 1);
            assert!(tried.is_sorted_by(|a, b| a.chances[seat] >= b.chances[seat]), "{tried:?}");
            if let Some(best) = best {
                assert!(!best.was_made && tried.contains(best));
            }
            assert!(best.is_some() || !is_mistake);
        }
        What::Forced => assert!(moment.change.iter().all(|change| *change == 0.0)),
    }
}

#[track_caller]
fn check_sums(review: &Review) {
    for (at, seat) in review.seats.iter().enumerate() {
        let sum = seat.start + seat.luck + seat.own + seat.others;
        assert!((sum - seat.end).abs() < 1e-9, "{seat:?}");
        assert_eq!(seat.end, review.points.last().expect("a point").chances[at]);
        assert!(seat.own <= 0.0, "{seat:?}");
        assert!(review.seats.len() > 2 || seat.others >= -1e-9, "{seat:?}");
        assert!(!review.finished || [0.0, 0.5, 1.0].contains(&seat.end), "{seat:?}");
        let turns =
            |of: fn(&review::TurnSum) -> &Vec<f64>| review.turns.iter().map(|turn| of(turn)[at]).sum::<f64>();
        assert!((turns(|turn| &turn.luck) - seat.luck).abs() < 1e-9);
        assert!((turns(|turn| &turn.choices) - seat.own - seat.others).abs() < 1e-9);
        assert!((turns(|turn| &turn.by_seat) - seat.own).abs() < 1e-9);
    }
}
