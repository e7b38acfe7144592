//! Token buckets: so much at once, then so much a second. The one way in which this server limits anybody.
//!
//! The time is passed in, so that what a bucket does depends on nothing else.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// The most addresses that are remembered.
const REMEMBERED: usize = 10_000;

/// How much is allowed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    /// At once, by somebody who has waited long enough.
    pub at_once: f32,
    /// A second, by somebody who goes on and on.
    pub per_second: f32,
}

/// A bucket that fills with time and is emptied one by one.
#[derive(Clone, Copy, Debug)]
pub struct TokenBucket {
    rate: Rate,
    left: f32,
    at: Instant,
}

impl TokenBucket {
    /// A full bucket.
    pub fn full(rate: Rate, now: Instant) -> Self {
        Self { rate, left: rate.at_once, at: now }
    }

    /// Lets in what has come since the last time. A clock that goes back brings nothing.
    fn refill(&mut self, now: Instant) {
        let gained = now.saturating_duration_since(self.at).as_secs_f32() * self.rate.per_second;
        self.left = (self.left + gained).min(self.rate.at_once);
        self.at = self.at.max(now);
    }

    /// Takes one, if there is one.
    pub fn take(&mut self, now: Instant) -> bool {
        let has_one = !self.is_empty(now);
        if has_one {
            self.left -= 1.0;
        }
        has_one
    }

    /// Whether there is none to take.
    pub fn is_empty(&mut self, now: Instant) -> bool {
        self.refill(now);
        self.left < 1.0
    }

    /// Whether it is as if nothing had ever been taken.
    fn is_full(&mut self, now: Instant) -> bool {
        self.refill(now);
        self.left >= self.rate.at_once
    }
}

/// What counts as one visitor: an IPv4 address, or the /64 network of an IPv6 address, because that is what a single
/// customer of a provider has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Network(IpAddr);

impl Network {
    /// The network of an address.
    pub fn of(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V6(six) => {
                let [a, b, c, d, ..] = six.segments();
                IpAddr::from([a, b, c, d, 0, 0, 0, 0])
            }
            four => four,
        })
    }
}

/// Whether an address is this machine's own, as its owner's browser and a proxy on it have it. The other addresses of
/// 127.0.0.0/8 are counted like any visitor's.
pub fn is_this_machine(address: IpAddr) -> bool {
    matches!(address.to_canonical(), IpAddr::V4(Ipv4Addr::LOCALHOST) | IpAddr::V6(Ipv6Addr::LOCALHOST))
}

/// A bucket for each network that asks.
#[derive(Debug)]
pub struct AddressLimit {
    rate: Rate,
    buckets: Mutex<HashMap<Network, TokenBucket>>,
}

impl AddressLimit {
    /// The same rate for all.
    pub fn new(rate: Rate) -> Self {
        Self { rate, buckets: Mutex::default() }
    }

    /// Takes one for an address, if its network has one left.
    pub fn take(&self, from: IpAddr, now: Instant) -> bool {
        let from = Network::of(from);
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= REMEMBERED && !buckets.contains_key(&from) {
            buckets.retain(|_, bucket| !bucket.is_full(now));
            // Nobody has so many visitors at once: rather forget who was too quick than run out of memory.
            if buckets.len() >= REMEMBERED {
                buckets.clear();
            }
        }
        buckets.entry(from).or_insert_with(|| TokenBucket::full(self.rate, now)).take(now)
    }

    /// Whether an address has none left.
    #[cfg(test)]
    fn is_empty(&self, from: IpAddr, now: Instant) -> bool {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        buckets.get_mut(&Network::of(from)).is_some_and(|bucket| bucket.is_empty(now))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const RATE: Rate = Rate { at_once: 5.0, per_second: 2.0 };

    fn address(number: u32) -> IpAddr {
        IpAddr::from(number.to_be_bytes())
    }

    #[test]
    fn so_much_at_once_and_then_so_much_a_second() {
        let start = Instant::now();
        let after = |millis| start + Duration::from_millis(millis);
        let mut bucket = TokenBucket::full(RATE, start);
        assert!((0..5).all(|_| bucket.take(start)) && !bucket.take(start) && bucket.is_empty(start));
        assert!(!bucket.take(after(499)) && bucket.take(after(500)) && !bucket.take(after(500)));
        // Ten seconds bring no more than the bucket holds.
        assert_eq!((0..100).filter(|_| bucket.take(after(10_500))).count(), 5);
        // Who asks all the time gets what comes in, whatever the steps.
        let granted = (0..10_000).filter(|at| bucket.take(after(10_500 + at))).count();
        assert!((19..=20).contains(&granted), "{granted} in ten seconds");
    }

    #[test]
    fn a_clock_that_goes_back_brings_nothing() {
        let start = Instant::now();
        let late = start + Duration::from_secs(100);
        let mut bucket = TokenBucket::full(RATE, late);
        assert!((0..5).all(|_| bucket.take(late)));
        assert!(!bucket.take(start) && !bucket.take(late), "the same seconds do not count twice");
    }

    #[test]
    fn one_address_does_not_hold_up_another() {
        let now = Instant::now();
        let limit = AddressLimit::new(RATE);
        assert_eq!((0..100).filter(|_| limit.take(address(1), now)).count(), 5);
        assert!(limit.is_empty(address(1), now) && !limit.is_empty(address(2), now));
        assert!(limit.take(address(2), now));
        assert!(!limit.is_empty(address(1), now + Duration::from_secs(1)));
    }

    #[test]
    fn a_customer_has_one_address_or_one_network() {
        let six = |c: u16, host: u16| IpAddr::from([0x2001, 0xdb8, c, 4, host, 0, 0, host]);
        assert_eq!(Network::of(six(3, 1)), Network::of(six(3, 2)));
        assert_ne!(Network::of(six(3, 1)), Network::of(six(4, 1)));
        assert_ne!(Network::of(address(1)), Network::of(address(2)));
        let mapped = IpAddr::from([0, 0, 0, 0, 0, 0xffff, 0xc000, 0x0207]);
        assert_eq!(Network::of(mapped), Network::of(IpAddr::from([192, 0, 2, 7])));
        let (now, limit) = (Instant::now(), AddressLimit::new(RATE));
        assert_eq!((0..100).filter(|host| limit.take(six(3, *host), now)).count(), 5);
        for (ours, host) in [(true, [127, 0, 0, 1]), (false, [127, 0, 0, 2]), (false, [192, 168, 0, 1])] {
            assert_eq!(is_this_machine(IpAddr::from(host)), ours);
        }
        assert!(is_this_machine(IpAddr::from([0, 0, 0, 0, 0, 0, 0, 1])));
    }

    #[test]
    fn memory_is_bounded_and_those_who_wait_longest_are_forgotten_first() {
        let now = Instant::now();
        let limit = AddressLimit::new(RATE);
        let kept = || limit.buckets.lock().expect("no panic").len();
        assert!((0..REMEMBERED as u32).all(|number| limit.take(address(number), now)));
        let later = now + Duration::from_secs(3);
        assert!((0..5).all(|_| limit.take(address(7), later)));
        assert!(limit.take(address(1_000_000), later));
        assert_eq!(kept(), 2, "all but the one that still has to wait had a full bucket again");
        assert!(limit.is_empty(address(7), later));
        (0..3 * REMEMBERED as u32).for_each(|number| {
            limit.take(address(number), later);
        });
        assert!(kept() <= REMEMBERED);
    }
}
