use kernel::{Dice as _, LabDice};

use super::*;

/// A duel of rounds with two games, by the points of the first (0 to 4) in each.
fn duel(first: usize, second: usize, rounds: impl IntoIterator<Item = usize>) -> Duel {
    let mut duel = Duel { first, second, seatings: 2, rounds: vec![0; 5], counts: [0; 3] };
    for points in rounds {
        duel.rounds[points] += 1;
        // Which of the two games brought them does not matter here.
        for made in [points.min(2), points.saturating_sub(2)] {
            duel.counts[made] += 1;
        }
    }
    duel
}

fn uniform(dice: &mut LabDice) -> f64 {
    (f64::from(dice.word()) + 0.5) / 4_294_967_296.0
}

fn odds(elo: f64) -> f64 {
    share(elo / ELO)
}

/// Every two of some strengths meet in so many rounds of two games, each game a coin of its own; some are drawn.
fn independent(elo: &[f64], rounds: usize, draws: f64, dice: &mut LabDice) -> Vec<Duel> {
    let mut duels = Vec::new();
    for first in 0..elo.len() {
        for second in first + 1..elo.len() {
            let p = odds(elo[first] - elo[second]);
            let mut game = || {
                let drawn = draws * 2.0 * p.min(1.0 - p);
                let x = uniform(dice);
                if x < p - drawn / 2.0 { 2 } else { usize::from(x < p + drawn / 2.0) }
            };
            duels.push(duel(first, second, (0..rounds).map(|_| game() + game())));
        }
    }
    duels
}

#[test]
fn known_strengths_are_found_again() {
    let elo = [0.0, 100.0, -150.0, 320.0];
    for draws in [0.0, 0.5] {
        let duels = independent(&elo, 20_000, draws, &mut LabDice::new(7));
        let found = Ratings::of(4, &duels, Some(0));
        for (at, elo) in elo.iter().enumerate() {
            let (rating, error) = (found.elo(at), found.error(at));
            assert!((rating - elo).abs() < 8.0 && error < 6.0, "{at}: {rating} ± {error}, not {elo}");
        }
        let mean = Ratings::of(4, &duels, None);
        assert!((0..4).map(|at| mean.elo(at)).sum::<f64>().abs() < 1e-6);
        assert!((mean.elo(3) - mean.elo(0) - found.elo(3)).abs() < 1e-6, "only the zero has moved");
    }
}

/// Of many ladders with known strengths, 95 in 100 intervals hold the truth: whether few rounds or many, near or far apart,
/// with draws or without.
#[test]
fn intervals_hold_what_they_promise() {
    let strengths: [&[f64]; 3] = [&[0.0, 50.0], &[0.0, -60.0, 120.0, 250.0], &[0.0, 400.0, 150.0]];
    for (case, elo) in strengths.iter().enumerate() {
        for rounds in [5, 25, 100] {
            for draws in [0.0, 0.6] {
                let (mut held, mut all) = (0, 0);
                let mut dice = LabDice::new(case as u64 * 100 + rounds as u64);
                for _ in 0..600 {
                    let found = Ratings::of(elo.len(), &independent(elo, rounds, draws, &mut dice), Some(0));
                    for (at, truth) in elo.iter().enumerate().skip(1) {
                        all += 1;
                        held += usize::from((found.elo(at) - truth).abs() <= found.error(at));
                    }
                }
                let share = f64::from(held as u32) / f64::from(all);
                println!("{elo:?}, {rounds} rounds, draws {draws}: {share:.3}");
                assert!(share > 0.92, "{elo:?}, {rounds} rounds, draws {draws}: {share}");
            }
        }
    }
}

/// Where the seat and the dice decide most games the two games of a round undo each other: the rounds say so, and the interval
/// is narrower than that of games one by one, and still holds.
#[test]
fn shared_luck_makes_intervals_narrower_and_they_still_hold() {
    // Who sits first is stronger, and luck is with a seat.
    let (seat, luck, lead) = (0.8, 2.5, 0.3);
    let round = |dice: &mut LabDice| {
        let with = (uniform(dice) - 0.5) * 2.0 * luck;
        let mut wins = |odds: f64| 2 * usize::from(uniform(dice) < share(odds));
        wins(lead + seat + with) + wins(lead - seat - with)
    };
    let mut dice = LabDice::new(11);
    let mean: f64 = (0..400_000).map(|_| round(&mut dice) as f64).sum::<f64>() / 400_000.0 / 4.0;
    let truth = ELO * (mean / (1.0 - mean)).ln();
    let (mut held, mut width, mut plain) = (0, 0.0, 0.0);
    for _ in 0..600 {
        let duels = [duel(0, 1, (0..60).map(|_| round(&mut dice)))];
        let found = Ratings::of(2, &duels, Some(1));
        held += u32::from((found.elo(0) - truth).abs() <= found.error(0));
        width += found.error(0);
        let p = duels[0].score();
        plain += SIDE * ELO / (121.0 * p * (1.0 - p)).sqrt();
    }
    assert!(held > 555, "{held} of 600 hold {truth}");
    assert!(width < plain * 0.9, "{width} and {plain}");
}

#[test]
fn who_wins_everything_has_a_finite_rating_and_no_false_certainty() {
    let few = Ratings::of(2, &[duel(0, 1, [4; 5])], Some(1));
    let many = Ratings::of(2, &[duel(0, 1, [4; 500])], Some(1));
    assert!(few.elo(0) > 300.0 && few.elo(0).is_finite() && few.error(0) > 300.0, "{few:?}");
    assert!(many.elo(0) > 1_000.0 && many.elo(0) < 2_000.0, "{many:?}");
    assert!(few.stronger(0, 1) > 0.95 && few.stronger(1, 0) < 0.05, "{few:?}");
    // One round proves next to nothing.
    let one = Ratings::of(2, &[duel(0, 1, [4])], Some(1));
    assert!(one.stronger(0, 1) < 0.95 && one.stronger(0, 1) > 0.5, "{one:?}");
}

#[test]
fn nothing_played_is_nothing_known() {
    let found = Ratings::of(3, &[duel(0, 1, []), duel(0, 2, []), duel(1, 2, [])], None);
    for at in 0..3 {
        assert!(found.elo(at).abs() < 1e-9 && found.error(at) > 200.0, "{found:?}");
    }
    assert!((found.stronger(0, 1) - 0.5).abs() < 1e-6);
    // A ladder of one is a short one.
    assert_eq!(Ratings::of(1, &[], None).elo(0), 0.0);
}

#[test]
fn the_normal_distribution_is_the_known_one() {
    for (x, p) in
        [(0.0, 0.5), (1.0, 0.841_344_7), (-1.0, 0.158_655_3), (1.959_964, 0.975), (4.0, 0.999_968_3)]
    {
        assert!((normal(x) - p).abs() < 1e-6, "{x}: {}", normal(x));
    }
}
