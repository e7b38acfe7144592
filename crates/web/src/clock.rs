//! The one clock of the server: the time of day, and when the server did not run.
//!
//! Everything that keeps a time asks this clock, so that a test can turn it.

use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use store::{Outage, SharedHouse, Store, StoreError};

/// A clock: that of the machine, or in tests one that is turned by hand.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    /// The time that it shows; `None` for the machine's.
    hand: Option<Arc<AtomicU64>>,
    /// How many milliseconds the clock that all servers of a house go by is ahead of the machine's.
    ahead: Arc<AtomicI64>,
}

impl Clock {
    /// A clock that stands still until it is turned.
    pub fn by_hand(time: u64) -> Self {
        Self { hand: Some(Arc::new(AtomicU64::new(time))), ahead: Arc::default() }
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
        match &self.hand {
            Some(hand) => hand.load(Ordering::SeqCst),
            None => machine_time().saturating_add_signed(self.ahead()),
        }
    }

    /// How many milliseconds it is ahead of the machine's.
    pub fn ahead(&self) -> i64 {
        self.ahead.load(Ordering::SeqCst)
    }

    /// Goes by another clock from now on, which showed a time just now.
    pub fn go_by(&self, time: u64) {
        let ahead = i128::from(time) - i128::from(machine_time());
        self.ahead.store(i64::try_from(ahead).unwrap_or(0), Ordering::SeqCst);
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
/// So long without a note of any server and none ran, as far as a server can tell that has just come, or could not write meanwhile.
const SILENT: u64 = NOTE_EVERY + 3_000;

/// The time of day, and when the house did not run.
#[derive(Debug)]
pub struct HouseClock {
    source: Clock,
    started: u64,
    /// From, until; in order.
    outages: Mutex<Vec<(u64, u64)>>,
    /// When it was last noted that the house lives.
    noted: Mutex<Option<u64>>,
    /// What the servers of a house share, where there are several.
    shared: Option<Shared>,
}

/// What the servers of a house note together.
struct Shared {
    house: Arc<dyn SharedHouse>,
    /// Whether the last note could not be written: so nobody could move.
    has_failed: AtomicBool,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Shared")
    }
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
        Ok(Self { source, started, outages: Mutex::new(outages), noted: Mutex::default(), shared: None })
    }

    /// The clock of a house that several servers share: it goes by the time of their database, and only a time in which none of them
    /// ran was an outage.
    pub fn start_shared(
        store: &dyn Store,
        source: Clock,
        house: Arc<dyn SharedHouse>,
    ) -> Result<Self, StoreError> {
        source.go_by(house.time()?);
        if !store.deadlines(u64::MAX, 1)?.is_empty() {
            house.note_life(SILENT)?;
        }
        let shared = Shared { house, has_failed: AtomicBool::new(false) };
        let started = source.now();
        let clock = Self {
            source,
            started,
            outages: Mutex::default(),
            noted: Mutex::default(),
            shared: Some(shared),
        };
        clock.read_outages(store)?;
        Ok(clock)
    }

    /// The clock that it goes by.
    pub fn source(&self) -> &Clock {
        &self.source
    }

    /// Reads anew when the house did not run: another server may have noted that. Returns whether there is something new.
    pub fn read_outages(&self, store: &dyn Store) -> Result<bool, StoreError> {
        let read: Vec<(u64, u64)> =
            store.outages(0)?.into_iter().map(|outage| (outage.began, outage.ended)).collect();
        let mut known = self.outages.lock().unwrap_or_else(PoisonError::into_inner);
        let is_new = *known != read;
        *known = read;
        Ok(is_new)
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
        if let Some(shared) = &self.shared {
            return self.note_together(&mut noted, shared);
        }
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

    /// The same for a house that others serve too: what the last one of them has noted counts.
    fn note_together(&self, noted: &mut Option<u64>, shared: &Shared) -> Result<(), StoreError> {
        let now = self.now();
        if noted.is_some_and(|noted| now < noted.saturating_add(NOTE_EVERY) && now >= noted) {
            return Ok(());
        }
        let limit = if shared.has_failed.load(Ordering::SeqCst) { SILENT } else { ASLEEP };
        let outage = shared.house.note_life(limit);
        shared.has_failed.store(outage.is_err(), Ordering::SeqCst);
        if let Some(outage) = outage? {
            let mut outages = self.outages.lock().unwrap_or_else(PoisonError::into_inner);
            outages.push((outage.began, outage.ended));
            outages.sort_unstable();
        }
        *noted = Some(now);
        Ok(())
    }

    /// The database did not answer: until the next note nobody could move, however short that was.
    pub fn note_silence(&self) {
        if let Some(shared) = &self.shared {
            shared.has_failed.store(true, Ordering::SeqCst);
        }
    }

    /// Forgets the last note: while nobody's time runs the house does not note that it lives, and must not seem to have slept.
    pub fn rest(&self) -> Result<(), StoreError> {
        let was_noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner).take().is_some();
        match &self.shared {
            Some(shared) if was_noted => shared.house.rest_life(),
            _ => Ok(()),
        }
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
    fn only_when_no_server_ran_it_was_an_outage() {
        let store = Arc::new(MemoryStore::new());
        store.create_with(&sample("m"), &[], &[Effect::Deadline { seat: 0, at: 1 }]).expect("made");
        let house: Arc<dyn SharedHouse> = Arc::<MemoryStore>::clone(&store);
        let start = || {
            let clock = Clock::default();
            HouseClock::start_shared(&*store, clock, Arc::clone(&house)).expect("starts")
        };
        let (one, other) = (start(), start());
        one.note(&*store).expect("noted");
        // The first slept for an hour, as far as it knows; the other did not.
        *one.noted.lock().expect("not poisoned") = Some(one.now() - 3_600_000);
        other.note(&*store).expect("noted");
        one.note(&*store).expect("noted");
        assert_eq!((one.outages(), store.outages(0)), (Vec::new(), Ok(Vec::new())));
        assert_eq!(start().outages(), [], "a server that starts beside others ends no outage");
    }

    #[test]
    fn where_nobodys_time_runs_nothing_is_written() {
        let store = MemoryStore::new();
        store.set_setting(ALIVE, "5").expect("set");
        let clock = HouseClock::start(&store, Clock::by_hand(100_000)).expect("starts");
        assert_eq!((clock.outages(), store.outages(0)), (Vec::new(), Ok(Vec::new())));
    }
}
