//! Counts how many choices the server gets per second, so that work nobody waits for can wait when it is busy.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The length of a counting span.
const SPAN: Duration = Duration::from_millis(500);
/// From this many changes in a span on, the server is busy.
const BUSY: u32 = 75;

/// The changes in the current span and in the one before.
#[derive(Debug)]
struct Counts {
    since: Instant,
    now: u32,
    before: u32,
}

/// Counts the changes of all matches.
#[derive(Debug)]
pub(super) struct Traffic(Mutex<Counts>);

impl Default for Traffic {
    fn default() -> Self {
        Self(Mutex::new(Counts { since: Instant::now(), now: 0, before: 0 }))
    }
}

impl Counts {
    /// Moves on to the span of a time.
    fn turn_to(&mut self, time: Instant) {
        let gone = time.saturating_duration_since(self.since);
        if gone < SPAN {
            return;
        }
        self.before = if gone < 2 * SPAN { self.now } else { 0 };
        self.now = 0;
        self.since = time;
    }

    fn is_busy(&self) -> bool {
        self.now.max(self.before) >= BUSY
    }
}

impl Traffic {
    /// A change was made; returns whether the server is busy now.
    pub(super) fn note(&self, time: Instant) -> bool {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        counts.turn_to(time);
        counts.now = counts.now.saturating_add(1);
        counts.is_busy()
    }

    /// Whether the server gets so many changes that everything else should wait.
    pub(super) fn is_busy(&self, time: Instant) -> bool {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        counts.turn_to(time);
        counts.is_busy()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_is_busy_until_a_span_has_passed_without_one() {
        let traffic = Traffic::default();
        let begun = Instant::now();
        assert!(!traffic.is_busy(begun));
        let busy = (0..BUSY).map(|_| traffic.note(begun)).filter(|busy| *busy).count();
        assert_eq!(busy, 1, "the last of them");
        assert!(traffic.is_busy(begun + SPAN / 2), "the same span");
        assert!(traffic.is_busy(begun + SPAN), "the span after it");
        assert!(!traffic.is_busy(begun + 3 * SPAN), "it is calm again");
    }

    #[test]
    fn a_table_of_friends_is_calm() {
        let traffic = Traffic::default();
        let begun = Instant::now();
        let busy = (0..600).any(|n| traffic.note(begun + n * Duration::from_millis(50)));
        assert!(!busy, "twenty changes a second");
    }
}
