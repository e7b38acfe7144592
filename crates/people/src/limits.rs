//! How often anybody may try: passwords, registrations, letters.
//!
//! The time is passed in, so that what a limit does depends on nothing else.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The most names and networks that are remembered; nobody has so many visitors at once.
const REMEMBERED: usize = 20_000;
/// So many wrong passwords are free.
const FREE_TRIES: u32 = 5;
/// The wait after the first one that is not free; it doubles with each further one.
const FIRST_WAIT_MS: u64 = 2_000;
/// The longest wait.
const LONGEST_WAIT_MS: u64 = 15 * 60_000;
/// After so long without a wrong password all is forgotten.
const FORGOTTEN_MS: u64 = 24 * 3_600_000;
/// The span over which registrations and letters are counted.
const HOUR_MS: u64 = 3_600_000;
/// How many of them there may be in it.
const PER_HOUR: usize = 3;

/// The neighbourhood of an address: an IPv4 /24 or an IPv6 /64. Whoever tries passwords has more than one address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Neighbourhood(IpAddr);

impl Neighbourhood {
    /// The one of an address.
    pub fn of(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V4(four) => {
                let [a, b, c, _] = four.octets();
                IpAddr::V4(Ipv4Addr::new(a, b, c, 0))
            }
            IpAddr::V6(six) => {
                let [a, b, c, d, ..] = six.segments();
                IpAddr::from([a, b, c, d, 0, 0, 0, 0])
            }
        })
    }
}

#[derive(Clone, Copy, Debug)]
struct Failures {
    count: u32,
    last: u64,
}

impl Failures {
    /// When the next try is allowed.
    fn open_at(self) -> u64 {
        let Some(beyond) = self.count.checked_sub(FREE_TRIES) else { return 0 };
        let wait = FIRST_WAIT_MS.saturating_mul(1_u64.checked_shl(beyond).unwrap_or(u64::MAX));
        self.last.saturating_add(wait.min(LONGEST_WAIT_MS))
    }
}

/// Wrong passwords, by whatever they are counted by.
#[derive(Debug)]
struct Wrong<K>(Mutex<HashMap<K, Failures>>);

impl<K: Eq + Hash> Wrong<K> {
    fn new() -> Self {
        Self(Mutex::default())
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<K, Failures>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes one back that was counted at a time.
    fn take_back(&self, key: &K, now: u64, before: u64) {
        let mut known = self.lock();
        let Some(failures) = known.get_mut(key) else { return };
        failures.count = failures.count.saturating_sub(1);
        if failures.last == now {
            failures.last = before;
        }
        if failures.count == 0 {
            known.remove(key);
        }
    }

    fn forget(&self, key: &K) {
        self.lock().remove(key);
    }
}

/// How many milliseconds to wait.
fn wait<K: Eq + Hash>(known: &HashMap<K, Failures>, key: &K, now: u64) -> u64 {
    known.get(key).map_or(0, |failures| failures.open_at().saturating_sub(now))
}

/// Counts a wrong password. Returns when the one before it was.
fn count<K: Eq + Hash>(known: &mut HashMap<K, Failures>, key: K, now: u64) -> u64 {
    if known.len() >= REMEMBERED && !known.contains_key(&key) {
        known.retain(|_, failures| failures.open_at() > now);
        if known.len() >= REMEMBERED {
            known.clear();
        }
    }
    let failures = known.entry(key).or_insert(Failures { count: 0, last: now });
    if now.saturating_sub(failures.last) > FORGOTTEN_MS {
        failures.count = 0;
    }
    let before = failures.last;
    *failures = Failures { count: failures.count.saturating_add(1), last: now };
    before
}

/// The waits of those who try passwords: five wrong ones are free, then 2 s, 4 s and so on up to 15 minutes, by the name that is
/// tried, whether there is such an account or not, and by the neighbourhood of the address.
#[derive(Debug)]
pub struct Tries {
    names: Wrong<String>,
    places: Wrong<Neighbourhood>,
}

impl Default for Tries {
    fn default() -> Self {
        Self { names: Wrong::new(), places: Wrong::new() }
    }
}

impl Tries {
    /// Begins a try, or says how many milliseconds to wait. It counts as a wrong one until it is [settled](Self::settle), so
    /// that tries that are made at the same time are no more than those that are made one after the other.
    pub fn begin(&self, name_key: &str, from: IpAddr, now: u64) -> Result<Try, u64> {
        let (name, place) = (name_key.to_owned(), Neighbourhood::of(from));
        let (mut names, mut places) = (self.names.lock(), self.places.lock());
        match wait(&names, &name, now).max(wait(&places, &place, now)) {
            0 => {}
            wait => return Err(wait),
        }
        let before = (count(&mut names, name.clone(), now), count(&mut places, place, now));
        Ok(Try { name, place, now, before })
    }

    /// A try that was none: the password was right, or it was never looked at. The wrong ones before it still count.
    pub fn settle(&self, tried: &Try) {
        self.names.take_back(&tried.name, tried.now, tried.before.0);
        self.places.take_back(&tried.place, tried.now, tried.before.1);
    }

    /// The right password clears the name. The address keeps its count, or else whoever has an account could clear it between
    /// guesses at others.
    pub fn right(&self, name_key: &str) {
        self.names.forget(&name_key.to_owned());
    }
}

/// A try that is under way.
#[derive(Debug)]
pub struct Try {
    name: String,
    place: Neighbourhood,
    now: u64,
    /// When the last ones before it were.
    before: (u64, u64),
}

/// Three an hour.
#[derive(Debug)]
pub struct Hourly<K>(Mutex<HashMap<K, Vec<u64>>>);

impl<K> Default for Hourly<K> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Eq + Hash> Hourly<K> {
    /// Takes one, if the hour has one left.
    pub fn take(&self, key: K, now: u64) -> bool {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_recent = |at: &u64| now.saturating_sub(*at) < HOUR_MS;
        if known.len() >= REMEMBERED && !known.contains_key(&key) {
            known.retain(|_, taken| taken.iter().any(is_recent));
            if known.len() >= REMEMBERED {
                known.clear();
            }
        }
        let taken = known.entry(key).or_default();
        taken.retain(is_recent);
        let has_one = taken.len() < PER_HOUR;
        if has_one {
            taken.push(now);
        }
        has_one
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOME: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 7));
    const NEIGHBOUR: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 200));
    const ELSEWHERE: IpAddr = IpAddr::V4(Ipv4Addr::new(198, 51, 100, 7));

    /// A wrong password, if it is let through.
    fn wrong(tries: &Tries, name: &str, from: IpAddr, now: u64) {
        drop(tries.begin(name, from, now));
    }

    /// How long to wait before the next try.
    fn waiting(tries: &Tries, name: &str, from: IpAddr, now: u64) -> u64 {
        tries.begin(name, from, now).map_or_else(
            |wait| wait,
            |tried| {
                tries.settle(&tried);
                0
            },
        )
    }

    #[test]
    fn tries_at_the_same_time_are_no_more_than_five() {
        let tries = Tries::default();
        let under_way: Vec<Try> = (0..40).filter_map(|_| tries.begin("ann", HOME, 7).ok()).collect();
        assert_eq!(under_way.len(), 5);
        // One was right after all, and one was never looked at: two more.
        under_way[..2].iter().for_each(|tried| tries.settle(tried));
        assert_eq!((0..40).filter(|_| tries.begin("ann", HOME, 7).is_ok()).count(), 2);
    }

    #[test]
    fn who_is_right_does_not_make_others_wait_longer() {
        let tries = Tries::default();
        for at in 0..4 {
            wrong(&tries, "ann", HOME, at);
        }
        let right = tries.begin("bob", NEIGHBOUR, 9_000).expect("the fifth");
        tries.settle(&right);
        wrong(&tries, "ann", HOME, 3);
        assert_eq!(waiting(&tries, "ann", HOME, 3), 2_000);
    }

    #[test]
    fn five_tries_are_free_and_then_the_wait_doubles_up_to_fifteen_minutes() {
        let tries = Tries::default();
        let mut now = 1_000_000;
        let mut waits = Vec::new();
        for _ in 0..17 {
            now += waiting(&tries, "ann", HOME, now);
            wrong(&tries, "ann", HOME, now);
            waits.push(waiting(&tries, "ann", HOME, now) / 1_000);
        }
        assert_eq!(waits, [0, 0, 0, 0, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900, 900]);
        assert_eq!(waiting(&tries, "ann", HOME, now + 899_999), 1);
        assert_eq!(waiting(&tries, "ann", HOME, now + 900_000), 0);
    }

    #[test]
    fn the_name_and_the_neighbourhood_are_both_counted() {
        let tries = Tries::default();
        for _ in 0..5 {
            wrong(&tries, "ann", HOME, 0);
        }
        assert!(waiting(&tries, "ann", ELSEWHERE, 0) > 0, "the name, from anywhere");
        assert!(waiting(&tries, "bob", NEIGHBOUR, 0) > 0, "the neighbourhood, with any name");
        assert_eq!(waiting(&tries, "bob", ELSEWHERE, 0), 0);
        tries.right("ann");
        assert_eq!(waiting(&tries, "ann", ELSEWHERE, 0), 0);
        assert!(waiting(&tries, "ann", HOME, 0) > 0, "an account of one's own doesn't clear the address");
    }

    #[test]
    fn a_day_later_all_is_forgotten() {
        let tries = Tries::default();
        for _ in 0..20 {
            wrong(&tries, "ann", HOME, 0);
        }
        wrong(&tries, "ann", HOME, FORGOTTEN_MS + 1);
        assert_eq!(waiting(&tries, "ann", HOME, FORGOTTEN_MS + 1), 0);
    }

    #[test]
    fn neighbours_are_those_of_one_network() {
        let six = |host: u16| IpAddr::from([0x2001, 0xdb8, 3, 4, host, 0, 0, host]);
        assert_eq!(Neighbourhood::of(HOME), Neighbourhood::of(NEIGHBOUR));
        assert_ne!(Neighbourhood::of(HOME), Neighbourhood::of(ELSEWHERE));
        assert_eq!(Neighbourhood::of(six(1)), Neighbourhood::of(six(2)));
        let mapped = IpAddr::from([0, 0, 0, 0, 0, 0xffff, 0xc000, 0x0207]);
        assert_eq!(Neighbourhood::of(mapped), Neighbourhood::of(HOME));
    }

    #[test]
    fn three_an_hour() {
        let hourly = Hourly::default();
        assert_eq!((0..10).filter(|_| hourly.take("a", 0)).count(), 3);
        assert!(hourly.take("b", 0));
        assert!(!hourly.take("a", HOUR_MS - 1));
        assert_eq!((0..10).filter(|_| hourly.take("a", HOUR_MS)).count(), 3);
    }

    #[test]
    fn memory_is_bounded() {
        let (tries, hourly) = (Tries::default(), Hourly::default());
        for number in 0..3 * REMEMBERED as u32 {
            let from = IpAddr::from(number.to_be_bytes());
            wrong(&tries, &number.to_string(), from, 0);
            hourly.take(number, 0);
        }
        assert!(tries.names.0.lock().expect("no panic").len() <= REMEMBERED);
        assert!(tries.places.0.lock().expect("no panic").len() <= REMEMBERED);
        assert!(hourly.0.lock().expect("no panic").len() <= REMEMBERED);
    }
}
