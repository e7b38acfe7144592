//! Deleted matches are removed for good after thirty days, but never because a clock jumped.
//!
//! A machine whose battery has failed starts in 1970, and one with a mistyped date in 2062. So the time is noted at the start
//! and every hour. Whenever it is earlier than noted, or more than thirty days later, the clock counts as set anew, and
//! nothing is removed until it has run for thirty days from there. At worst a match stays in the bin for longer.

use std::sync::PoisonError;
use std::time::{Duration, Instant};

use store::{Store, StoreError};
use tracing::warn;

use super::Lobby;

/// A deleted match can be restored for thirty days.
const KEEP_DELETED_MS: u64 = 30 * 86_400_000;
/// A clock that is corrected by so little has not jumped.
const CORRECTION_MS: u64 = 10 * 60_000;
/// How often the time is noted.
const NOTE_EVERY: Duration = Duration::from_secs(3600);
/// The setting with the time that was last noted.
const SEEN: &str = "clock_seen";
/// The setting with the time since which the clock has not jumped.
const STEADY_SINCE: &str = "clock_steady_since";

/// Notes the time, and returns since when the clock has not jumped.
fn note(store: &dyn Store, now: u64) -> Result<u64, StoreError> {
    let read = |key: &str| -> Result<Option<u64>, StoreError> {
        Ok(store.setting(key)?.and_then(|text| text.parse().ok()))
    };
    let seen = read(SEEN)?;
    let is_steady = seen.is_some_and(|seen| {
        now.saturating_add(CORRECTION_MS) >= seen && now <= seen.saturating_add(KEEP_DELETED_MS)
    });
    let since = read(STEADY_SINCE)?.filter(|_| is_steady).unwrap_or(now);
    store.set_setting(STEADY_SINCE, &since.to_string())?;
    store.set_setting(SEEN, &now.to_string())?;
    Ok(since)
}

/// Removes for good what was deleted more than thirty days ago, if the clock can be trusted. Returns how many matches.
pub(super) fn purge(store: &dyn Store, now: u64) -> Result<usize, StoreError> {
    let steady_since = note(store, now)?;
    if now.saturating_sub(steady_since) < KEEP_DELETED_MS {
        return Ok(0);
    }
    store.purge(now.saturating_sub(KEEP_DELETED_MS))
}

impl Lobby {
    /// Notes the time once an hour; called regularly.
    pub(crate) async fn note_time(&self) {
        {
            let mut noted = self.time_noted.lock().unwrap_or_else(PoisonError::into_inner);
            if noted.elapsed() < NOTE_EVERY {
                return;
            }
            *noted = Instant::now();
        }
        let now = self.now();
        if let Err(why) = self.with_store(move |store| note(store, now).map(|_| ())).await {
            warn!("the time could not be noted: {why}");
        }
    }
}

#[cfg(test)]
mod tests {
    use store::MemoryStore;
    use store::conformance::sample;

    use super::*;

    const DAY: u64 = 86_400_000;
    const START: u64 = 20_000 * DAY;

    /// A store with a match that was deleted at a time.
    fn with_deleted(at: u64) -> MemoryStore {
        let store = MemoryStore::new();
        store.create(&sample("m"), &[]).expect("made");
        store.mark_deleted("m", Some(at)).expect("deleted");
        store
    }

    fn purged(store: &MemoryStore, days: &[u64]) -> Vec<usize> {
        days.iter().map(|day| purge(store, START + day * DAY).expect("the store answers")).collect()
    }

    #[test]
    fn what_was_deleted_goes_after_thirty_days() {
        let store = with_deleted(START);
        assert_eq!(purged(&store, &[0, 20, 29, 30, 31, 32]), [0, 0, 0, 0, 1, 0]);
    }

    #[test]
    fn a_clock_that_jumps_ahead_removes_nothing() {
        // Sixty years ahead, for a few starts; then the date is mended.
        let store = with_deleted(START);
        let far = 60 * 365;
        assert_eq!(purged(&store, &[0, far, far + 1, far + 20, 2, 3, 20]), [0; 7]);
        assert!(store.find("m").expect("answers").is_some());
        assert_eq!(purged(&store, &[33]), [1], "thirty days after the clock was mended");
    }

    #[test]
    fn a_clock_that_starts_anew_removes_nothing() {
        let store = with_deleted(START);
        assert_eq!(purged(&store, &[29]), [0]);
        assert_eq!(purge(&store, 0), Ok(0), "1970");
        assert_eq!(purged(&store, &[40, 41, 69]), [0; 3], "it has to run for thirty days first");
        assert_eq!(purged(&store, &[70]), [1]);
        // A second back is a correction and no jump.
        let store = with_deleted(START);
        assert_eq!(purged(&store, &[0, 25]), [0, 0]);
        purge(&store, START + 25 * DAY - 1_000).expect("answers");
        assert_eq!(purged(&store, &[31]), [1]);
    }
}
