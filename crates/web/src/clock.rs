//! The one clock of the server: the time of day, and when the server did not run.
//!
//! Everything that keeps a time asks this clock, so that a test can turn it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use store::{Outage, Store, StoreError};

/// A clock: that of the machine, or in tests one that is turned by hand.
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
        self.put(self.now() + by);
    }

    /// Puts a clock to a time, which may be an earlier one; that of the machine goes its own way.
    pub fn put(&self, time: u64) {
        if let Some(hand) = &self.hand {
            hand.store(time, Ordering::SeqCst);
        }
    }

    /// Milliseconds since 1970.
    pub fn now(&self) -> u64 {
        self.hand.as_ref().map_or_else(machine_time, |hand| hand.load(Ordering::SeqCst))
    }
}

fn machine_time() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}

/// The setting with the last moment at which the house is known to have run.
const ALIVE: &str = "house_alive";
/// How often the house notes that it lives.
pub(crate) const NOTE_EVERY: u64 = 5_000;
/// So long without a note and the house was asleep, as a laptop that was closed: nobody could move.
const ASLEEP: u64 = 30_000;

/// The time of day, and when the house did not run.
#[derive(Debug)]
pub struct HouseClock {
    source: Clock,
    started: u64,
    /// From, until; in order.
    outages: Mutex<Vec<(u64, u64)>>,
    /// When it was last noted that the house lives.
    noted: Mutex<Option<u64>>,
}

impl HouseClock {
    /// The clock of a house that starts now. What lies between its last note and now was an outage. Where nobody's time ran,
    /// nothing is read but that note and nothing is written.
    pub fn start(store: &dyn Store, source: Clock) -> Result<Self, StoreError> {
        let started = source.now();
        let last = store.setting(ALIVE)?.and_then(|text| text.parse().ok());
        if let Some(began) = last.filter(|last| *last < started)
            && !store.deadlines(u64::MAX, 1)?.is_empty()
        {
            store.add_outage(Outage { began, ended: started })?;
        }
        let outages = store.outages(0)?.into_iter().map(|outage| (outage.began, outage.ended)).collect();
        Ok(Self { source, started, outages: Mutex::new(outages), noted: Mutex::default() })
    }

    /// Milliseconds since 1970.
    pub fn now(&self) -> u64 {
        self.source.now()
    }

    /// When the house started.
    pub fn started(&self) -> u64 {
        self.started
    }

    /// When it did not run.
    pub fn outages(&self) -> Vec<(u64, u64)> {
        self.outages.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What to write if it is time to note that the house lives: the time, and the outage if it was asleep since the last note.
    fn due_note(&self, noted: Option<u64>) -> Option<(u64, Option<Outage>)> {
        let now = self.now();
        let Some(noted) = noted else { return Some((now, None)) };
        if now < noted.saturating_add(NOTE_EVERY) && now >= noted {
            return None;
        }
        let asleep = now > noted.saturating_add(ASLEEP);
        Some((now, asleep.then_some(Outage { began: noted, ended: now })))
    }

    /// Notes that the house lives, if the last note is old enough.
    pub fn note(&self, store: &dyn Store) -> Result<(), StoreError> {
        let mut noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
        let Some((now, outage)) = self.due_note(*noted) else { return Ok(()) };
        if let Some(outage) = outage {
            store.add_outage(outage)?;
            let mut outages = self.outages.lock().unwrap_or_else(PoisonError::into_inner);
            outages.push((outage.began, outage.ended));
            outages.sort_unstable();
        }
        store.set_setting(ALIVE, &now.to_string())?;
        *noted = Some(now);
        Ok(())
    }

    /// Forgets the last note: while nobody's time runs the house does not note that it lives, and must not seem to have slept.
    pub fn rest(&self) {
        *self.noted.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Turns a clock that is turned by hand, with the house awake all the while.
    pub fn pass(&self, span: u64) {
        let mut noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
        self.source.turn(span);
        *noted = None;
    }
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
    use store::conformance::sample;
    use store::{Effect, MemoryStore};

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

    #[test]
    fn from_the_last_note_to_the_next_start_is_an_outage() {
        let store = MemoryStore::new();
        store.create_with(&sample("m"), &[], &[Effect::Deadline { seat: 0, at: 1 }]).expect("made");
        let time = Clock::by_hand(100_000);
        let clock = HouseClock::start(&store, time.clone()).expect("starts");
        assert_eq!(clock.outages(), [], "a house that never lived has missed nothing");
        for at in [100_000, 103_000, 105_000, 109_000] {
            time.put(at);
            clock.note(&store).expect("noted");
        }
        assert_eq!(store.setting(ALIVE), Ok(Some("105000".to_owned())), "every five seconds");
        time.put(200_000);
        let again = HouseClock::start(&store, time).expect("starts");
        assert_eq!((again.outages(), again.started()), (vec![(105_000, 200_000)], 200_000));
    }

    #[test]
    fn a_house_that_slept_and_one_whose_clock_was_put_back() {
        let store = MemoryStore::new();
        let time = Clock::by_hand(100_000);
        let clock = HouseClock::start(&store, time.clone()).expect("starts");
        for at in [100_000, 129_000, 400_000, 50_000, 56_000] {
            time.put(at);
            clock.note(&store).expect("noted");
        }
        assert_eq!(clock.outages(), [(129_000, 400_000)], "29 seconds are a busy machine, no sleep");
        assert_eq!(store.setting(ALIVE), Ok(Some("56000".to_owned())));
    }

    #[test]
    fn where_nobodys_time_runs_nothing_is_written() {
        let store = MemoryStore::new();
        store.set_setting(ALIVE, "5").expect("set");
        let clock = HouseClock::start(&store, Clock::by_hand(100_000)).expect("starts");
        assert_eq!((clock.outages(), store.outages(0)), (Vec::new(), Ok(Vec::new())));
    }
}
