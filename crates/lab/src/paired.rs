//! Differences between two things that were measured in the same games.
//!
//! Two ways to set a game up are played with the same dice, game by game. Most games go alike, so the differences of the pairs
//! spread much less than the games do, and a small change shows where two batches with different dice would show nothing.

use serde::Serialize;

/// How many standard errors a 95 % interval reaches to each side.
const Z: f64 = 1.959_964;

/// A difference with its 95 % interval: the second less the first.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// The difference.
    pub value: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// Half the width of the interval that as many games with different dice would have given.
    pub unpaired: f64,
}

impl Difference {
    /// Of the share of games in which something is true: how many games had it with the first alone, with the second alone, and
    /// with both, of all.
    ///
    /// The interval is that of Agresti and Min (2005): half a game is added to each of the four cases, so that it holds for
    /// few games and has a width even if no pair differs.
    ///
    /// ```
    /// let none = lab::Difference::of_shares(0, 0, 40, 100);
    /// assert!(none.value == 0.0 && none.low < -0.01 && none.high > 0.01 && none.unpaired > 0.13);
    /// ```
    pub fn of_shares(first: u64, second: u64, both: u64, all: u64) -> Self {
        if all == 0 {
            return Self { value: 0.0, low: -1.0, high: 1.0, unpaired: 1.0 };
        }
        let n = all as f64;
        let (first_alone, second_alone) = (first as f64, second as f64);
        let value = (second_alone - first_alone) / n;
        let added = n + 2.0;
        let middle = (second_alone - first_alone) / added;
        let discordant = (first_alone + second_alone + 1.0) / added;
        let half = Z * ((discordant - middle * middle) / added).max(0.0).sqrt();
        let spread = |alone: f64| {
            let share = (alone + both as f64) / n;
            share * (1.0 - share) / n
        };
        Self {
            value,
            low: (middle - half).max(-1.0).min(value),
            high: (middle + half).min(1.0).max(value),
            unpaired: Z * (spread(first_alone) + spread(second_alone)).sqrt(),
        }
    }

    /// Whether nothing in between is zero: the difference is hardly chance.
    pub fn is_clear(&self) -> bool {
        self.low > 0.0 || self.high < 0.0
    }

    /// How many times as many games with different dice would be needed for an interval as narrow. `None` if it has no width.
    pub fn gain(&self) -> Option<f64> {
        let half = (self.high - self.low) / 2.0;
        (half > 0.0 && self.unpaired > 0.0).then(|| (self.unpaired / half).powi(2))
    }
}

/// Sums over pairs of whole numbers, one of each game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PairSums {
    /// How many pairs.
    pub pairs: u64,
    /// Sums of both.
    pub sums: [i64; 2],
    /// Sums of their squares.
    pub squares: [i64; 2],
    /// Sum of their products.
    pub products: i64,
}

impl PairSums {
    /// Adds a pair.
    pub fn note(&mut self, [first, second]: [i64; 2]) {
        self.pairs += 1;
        self.sums[0] += first;
        self.sums[1] += second;
        self.squares[0] += first * first;
        self.squares[1] += second * second;
        self.products += first * second;
    }

    /// The means of both.
    pub fn means(&self) -> [f64; 2] {
        let n = self.pairs.max(1) as f64;
        self.sums.map(|sum| sum as f64 / n)
    }

    /// The mean difference. Its interval is that of a mean, from the spread of the differences. `None` with less than two pairs,
    /// of which no spread is known.
    pub fn difference(&self) -> Option<Difference> {
        if self.pairs < 2 {
            return None;
        }
        let n = self.pairs as f64;
        // In whole numbers as long as possible: the difference of large sums would lose what is small.
        let variance = |squares: i64, sum: i64| {
            let wide = i128::from(self.pairs) * i128::from(squares) - i128::from(sum) * i128::from(sum);
            wide.max(0) as f64 / (n * (n - 1.0))
        };
        let sum = self.sums[1] - self.sums[0];
        let squares = self.squares[0] + self.squares[1] - 2 * self.products;
        let value = sum as f64 / n;
        let half = Z * (variance(squares, sum) / n).sqrt();
        let apart: f64 = [0, 1].map(|at| variance(self.squares[at], self.sums[at])).iter().sum();
        Some(Difference { value, low: value - half, high: value + half, unpaired: Z * (apart / n).sqrt() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that look random and are always the same.
    fn numbers(seed: u64, count: usize) -> Vec<i64> {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as i64
        };
        (0..count).map(|_| next() % 41 - 20).collect()
    }

    /// Two passes over the list itself, as a textbook has it.
    fn slowly(pairs: &[[i64; 2]]) -> (f64, f64, f64) {
        let n = pairs.len() as f64;
        let mean = |of: &dyn Fn(&[i64; 2]) -> f64| pairs.iter().map(of).sum::<f64>() / n;
        let variance = |of: &dyn Fn(&[i64; 2]) -> f64| {
            let middle = mean(of);
            pairs.iter().map(|pair| (of(pair) - middle).powi(2)).sum::<f64>() / (n - 1.0)
        };
        let difference = |pair: &[i64; 2]| (pair[1] - pair[0]) as f64;
        let half = 1.959_964 * (variance(&difference) / n).sqrt();
        let apart = variance(&|pair| pair[0] as f64) + variance(&|pair| pair[1] as f64);
        (mean(&difference), half, 1.959_964 * (apart / n).sqrt())
    }

    #[test]
    fn sums_give_what_the_list_itself_gives() {
        for (count, offset) in [(2, 0), (3, 5), (100, -7), (5_000, 1_000_000)] {
            let (first, noise) = (numbers(7, count), numbers(11, count));
            let pairs: Vec<[i64; 2]> =
                first.iter().zip(&noise).map(|(a, b)| [a + offset, a + offset + b / 7]).collect();
            let mut sums = PairSums::default();
            pairs.iter().for_each(|pair| sums.note(*pair));
            let found = sums.difference().expect("enough pairs");
            let (mean, half, unpaired) = slowly(&pairs);
            let near = |a: f64, b: f64| (a - b).abs() < 1e-9 * (1.0 + b.abs());
            assert!(near(found.value, mean) && near(found.unpaired, unpaired), "{count}: {found:?}");
            assert!(near(found.high - found.value, half) && near(found.value - found.low, half), "{found:?}");
        }
        let mut one = PairSums::default();
        one.note([1, 2]);
        assert!(one.difference().is_none() && PairSums::default().difference().is_none());
    }

    /// The share of games is a mean of noughts and ones: for many games both ways agree.
    #[test]
    fn shares_are_means_of_noughts_and_ones() {
        let (first, second) = (numbers(3, 20_000), numbers(5, 20_000));
        let won: Vec<[i64; 2]> = first
            .iter()
            .zip(&second)
            .map(|(a, b)| [i64::from(*a > 2), i64::from(if *b > 15 { *b > 18 } else { *a > 2 })])
            .collect();
        let count = |pair: [i64; 2]| won.iter().filter(|one| **one == pair).count() as u64;
        let found = Difference::of_shares(count([1, 0]), count([0, 1]), count([1, 1]), 20_000);
        let (mean, half, unpaired) = slowly(&won);
        assert!((found.value - mean).abs() < 1e-12, "{found:?}");
        assert!(
            (found.high - mean - half).abs() < 2e-4 && (mean - found.low - half).abs() < 2e-4,
            "{found:?}"
        );
        assert!((found.unpaired - unpaired).abs() < 1e-6 && found.unpaired > 1.5 * half, "{found:?}");
        assert!(found.gain().is_some_and(|gain| gain > 2.0));
    }

    /// In how many of all possible samples the interval holds the truth, counted out and not estimated. Twelve games are too few for
    /// 95 of 100 everywhere; without the half game in each case it would be 71 of 100 where only the second ever differs.
    #[test]
    fn the_interval_of_few_games_holds_the_truth_nearly_as_often_as_it_says() {
        let all = 12_u64;
        let choose = |n: u64, k: u64| (0..k).fold(1.0, |c, at| c * (n - at) as f64 / (at + 1) as f64);
        for (first, second) in [(0.05, 0.05), (0.1, 0.3), (0.3, 0.3), (0.0, 0.1)] {
            let (mut held, neither) = (0.0, 1.0 - first - second);
            for a in 0..=all {
                for b in 0..=all - a {
                    let rest = all - a - b;
                    let chance: f64 = choose(all, a)
                        * choose(all - a, b)
                        * f64::powi(first, a as i32)
                        * f64::powi(second, b as i32)
                        * f64::powi(neither, rest as i32);
                    let found = Difference::of_shares(a, b, 0, all);
                    let truth = second - first;
                    held += if found.low <= truth && truth <= found.high { chance } else { 0.0 };
                }
            }
            assert!(held > 0.92, "{first} and {second}: {held}");
        }
    }

    #[test]
    fn nothing_is_not_certain() {
        let none = Difference::of_shares(0, 0, 0, 0);
        assert_eq!((none.low, none.high), (-1.0, 1.0));
        let all = Difference::of_shares(0, 10, 0, 10);
        assert!(all.value == 1.0 && all.high == 1.0 && all.low > 0.5 && all.is_clear());
        assert!(!Difference::of_shares(3, 3, 0, 10).is_clear());
    }
}
