//! How fast a batch goes, and how long it will take.

use std::collections::VecDeque;
use std::time::Duration;

/// What was done before so long a time says nothing about the next minutes: workers come and go.
const WINDOW: Duration = Duration::from_secs(30);
/// Less time than this says nothing at all.
const LEAST: Duration = Duration::from_secs(2);

/// How far a batch was, and when.
#[derive(Debug)]
pub(super) struct Pace {
    seen: VecDeque<(Duration, u64)>,
}

impl Pace {
    /// So much was done when it began; times are counted from then.
    pub fn new(done: u64) -> Self {
        Self { seen: VecDeque::from([(Duration::ZERO, done)]) }
    }

    /// Notes how much is done, and says how much is done in a second; `None` as long as nobody knows.
    pub fn note(&mut self, at: Duration, done: u64) -> Option<f64> {
        // The last one before the window stays: it is where the window begins.
        while self.seen.get(1).is_some_and(|(then, _)| *then + WINDOW <= at) {
            self.seen.pop_front();
        }
        let last = self.seen.back().map_or(Duration::ZERO, |(then, _)| *then);
        if at >= last + Duration::from_millis(250) {
            self.seen.push_back((at, done));
        }
        let (then, before) = *self.seen.front()?;
        let took = at.checked_sub(then).filter(|took| *took >= LEAST)?;
        let more = done.saturating_sub(before);
        (more > 0).then(|| more as f64 / took.as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_half_minute_counts() {
        let second = Duration::from_secs(1);
        let mut pace = Pace::new(100);
        assert_eq!(pace.note(second, 110), None, "too soon");
        assert_eq!(pace.note(4 * second, 140), Some(10.0));
        // Workers come: soon nothing is left of how slow it was.
        for at in 5..60 {
            pace.note(at * second, 140 + u64::from(at - 4) * 50);
        }
        let rate = pace.note(60 * second, 140 + 56 * 50).expect("known");
        assert!((rate - 50.0).abs() < 1e-9, "{rate}");
        assert!(pace.seen.len() < 40);
        assert_eq!(Pace::new(5).note(20 * second, 5), None, "nothing is done");
    }

    #[test]
    fn who_looks_seldom_learns_it_too() {
        let mut pace = Pace::new(0);
        assert_eq!(pace.note(Duration::from_secs(600), 6_000), Some(10.0));
        assert_eq!(pace.note(Duration::from_secs(660), 7_200), Some(20.0));
    }
}
