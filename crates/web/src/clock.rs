//! The time of day, for records.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// The clock by which accounts go: that of the machine, or in tests one that is turned by hand.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    /// The time that it shows; `None` for the machine's.
    hand: Option<Arc<AtomicU64>>,
}

impl Clock {
    /// A clock that stands still until it is turned.
    pub fn by_hand(time: u64) -> Self {
        Self { hand: Some(Arc::new(AtomicU64::new(time))) }
    }

    /// Turns a clock forwards; that of the machine goes its own way.
    pub fn turn(&self, by: u64) {
        if let Some(hand) = &self.hand {
            hand.fetch_add(by, Ordering::Relaxed);
        }
    }

    /// Milliseconds since 1970.
    pub fn now(&self) -> u64 {
        self.hand.as_ref().map_or_else(now, |hand| hand.load(Ordering::Relaxed))
    }
}

/// Milliseconds since 1970.
pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}

/// How long ago something was, as text.
pub fn ago(then: u64, now: u64) -> String {
    let seconds = now.saturating_sub(then) / 1000;
    let (count, unit) = match seconds {
        0..60 => return "just now".to_owned(),
        60..3600 => (seconds / 60, "minute"),
        3600..86_400 => (seconds / 3600, "hour"),
        _ => (seconds / 86_400, "day"),
    };
    format!("{count} {unit}{} ago", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_can_be_turned() {
        let clock = Clock::by_hand(5);
        let same = clock.clone();
        clock.turn(7);
        assert_eq!(same.now(), 12);
        let machine = Clock::default();
        machine.turn(1 << 50);
        assert!(machine.now() < 1 << 50);
    }

    #[test]
    fn times_are_told_in_words() {
        assert_eq!(ago(1_000, 2_000), "just now");
        assert_eq!(ago(0, 60_000), "1 minute ago");
        assert_eq!(ago(0, 7_200_000), "2 hours ago");
        assert_eq!(ago(0, 86_400_000 * 3), "3 days ago");
        assert_eq!(ago(5_000, 0), "just now");
    }
}
