//! How sure a share is.

use serde::Serialize;

/// A share with its 95 % interval (Wilson's score interval, which holds near 0 and 1 as well).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// The share, 0 to 1.
    pub share: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Interval {
    /// `hits` of `all`.
    ///
    /// ```
    /// let half = lab::Interval::of(50, 100);
    /// assert!((half.low - 0.4038).abs() < 0.0001 && (half.high - 0.5962).abs() < 0.0001);
    /// ```
    pub fn of(hits: u64, all: u64) -> Self {
        if all == 0 {
            return Self { share: 0.0, low: 0.0, high: 1.0 };
        }
        let z = 1.959_964;
        let n = all as f64;
        let p = hits as f64 / n;
        let centre = p + z * z / (2.0 * n);
        let spread = z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
        let scale = 1.0 + z * z / n;
        let low = ((centre - spread) / scale).max(0.0);
        let high = ((centre + spread) / scale).min(1.0);
        Self { share: p, low: low.min(p), high: high.max(p) }
    }

    /// "45.6 % (45.4 to 45.8)".
    pub fn words(&self) -> String {
        let p = |x: f64| x * 100.0;
        format!("{:5.1} % ({:.1} to {:.1})", p(self.share), p(self.low), p(self.high))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_stay_within_bounds() {
        assert_eq!(Interval::of(0, 10).low, 0.0);
        assert_eq!(Interval::of(10, 10).high, 1.0);
        assert!(Interval::of(0, 10).high > 0.2);
        assert_eq!(Interval::of(0, 0).high, 1.0);
    }
}
