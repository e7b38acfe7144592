//! The time of day, for records.

use std::time::{SystemTime, UNIX_EPOCH};

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
    fn times_are_told_in_words() {
        assert_eq!(ago(1_000, 2_000), "just now");
        assert_eq!(ago(0, 60_000), "1 minute ago");
        assert_eq!(ago(0, 7_200_000), "2 hours ago");
        assert_eq!(ago(0, 86_400_000 * 3), "3 days ago");
        assert_eq!(ago(5_000, 0), "just now");
    }
}
