//! How well somebody plays when luck is taken off.
//!
//! The luck of a review has expectation zero whatever its estimates are worth. So `result − luck` has the same expectation as
//! the result and, where the estimates are any good, less spread: it says the same with fewer matches.

/// A finished match of one player, as its review has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reviewed {
    /// 1 for a win, 0.5 for a draw, 0 for a loss.
    pub result: f64,
    /// How much of it was luck, in the same unit; negative for bad luck.
    pub luck: f64,
}

/// A mean with its interval of 95 %.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

/// The score of a player with luck taken off, beside the plain one.
///
/// Never used for pairing: it is a mean of what reviews say, and reviews are made by bots.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LuckFree {
    /// How many reviewed matches it is made from.
    pub matches: usize,
    /// The mean of `result − luck`. Single values can lie outside 0 to 1, and so can the ends of the interval: cutting them
    /// off would make the estimate biased.
    pub estimate: Estimate,
    /// The mean of the results alone.
    pub plain: Estimate,
}

impl LuckFree {
    /// How many times as many matches the plain score would need for an interval of the same width.
    /// `None` where all values are the same.
    pub fn worth(&self) -> Option<f64> {
        let width = |estimate: Estimate| estimate.high - estimate.low;
        let (plain, free) = (width(self.plain), width(self.estimate));
        (free > 0.0).then(|| (plain / free).powi(2))
    }
}

/// The estimate from the reviewed matches of one player in one pool; `None` with fewer than two usable matches, because one
/// value has no spread.
///
/// ```
/// use ratings::{Reviewed, luck_free};
/// let matches = [(1.0, 0.4), (0.0, -0.5), (1.0, 0.5), (0.0, -0.4)].map(|(result, luck)| Reviewed { result, luck });
/// let found = luck_free(&matches).unwrap();
/// assert!((found.estimate.mean - 0.5).abs() < 1e-9);
/// assert!(found.estimate.high - found.estimate.low < found.plain.high - found.plain.low);
/// ```
pub fn luck_free(matches: &[Reviewed]) -> Option<LuckFree> {
    let usable: Vec<Reviewed> =
        matches.iter().copied().filter(|one| one.result.is_finite() && one.luck.is_finite()).collect();
    let free: Vec<f64> = usable.iter().map(|one| one.result - one.luck).collect();
    let plain: Vec<f64> = usable.iter().map(|one| one.result).collect();
    Some(LuckFree { matches: usable.len(), estimate: interval(&free)?, plain: interval(&plain)? })
}

/// Mean and interval of some values, by Student's distribution.
fn interval(values: &[f64]) -> Option<Estimate> {
    if values.len() < 2 {
        return None;
    }
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0);
    let half = student(values.len() - 1) * (variance / count).sqrt();
    Some(Estimate { mean, low: mean - half, high: mean + half })
}

/// Student's quantile of 97.5 %, for 1, 2, 3 … degrees of freedom.
const STUDENT: [f64; 10] = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228];

/// Student's quantile of 97.5 %; beyond the table the expansion of Cornish and Fisher, which is exact to the third digit there.
fn student(freedom: usize) -> f64 {
    if let Some(&known) = STUDENT.get(freedom.saturating_sub(1)) {
        return known;
    }
    let (z, n) = (1.959_963_985_f64, freedom as f64);
    let first = (z.powi(3) + z) / 4.0;
    let second = (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0;
    let third = (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0;
    z + first / n + second / n.powi(2) + third / n.powi(3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_the_tables() {
        for (freedom, published) in
            [(1, 12.706), (10, 2.228), (11, 2.201), (15, 2.131), (20, 2.086), (30, 2.042), (120, 1.980)]
        {
            assert!((student(freedom) - published).abs() < 6e-4, "{freedom}: {}", student(freedom));
        }
    }

    #[test]
    fn the_interval_is_that_of_a_worked_example() {
        // 2, 4, 4, 4, 5, 5, 7, 9: mean 5, variance 32/7, half width 2.365 · √(32/56).
        let found = interval(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]).unwrap();
        assert!((found.mean - 5.0).abs() < 1e-12);
        assert!((found.high - 5.0 - 2.365 * (32.0_f64 / 56.0).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn luck_taken_off_leaves_the_mean_and_narrows_the_interval() {
        // A player of skill 0.6: the result is skill plus luck, and the luck of the review is off by a bit.
        let matches: Vec<Reviewed> = (0..200)
            .map(|n| {
                let result = if n % 5 < 3 { 1.0 } else { 0.0 };
                Reviewed { result, luck: result - 0.6 + if n % 2 == 0 { 0.1 } else { -0.1 } }
            })
            .collect();
        let found = luck_free(&matches).unwrap();
        assert!((found.estimate.mean - 0.6).abs() < 1e-9 && (found.plain.mean - 0.6).abs() < 1e-9);
        assert!(found.worth().unwrap() > 20.0);
    }

    #[test]
    fn too_little_is_no_estimate() {
        assert_eq!(luck_free(&[]), None);
        let one = Reviewed { result: 1.0, luck: 0.2 };
        assert_eq!(luck_free(&[one, Reviewed { result: f64::NAN, luck: 0.0 }]), None);
        assert_eq!(luck_free(&[one, one]).unwrap().worth(), None);
    }
}
