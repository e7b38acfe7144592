//! Parts of a position that tell whether they are still what they were, so that what was found out about them can be kept.

use std::cell::Cell;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{Deref, DerefMut, Index, IndexMut};
use std::sync::atomic::{AtomicU64, Ordering};

/// What a part of a position is known by: the same stamp, the same contents. Different stamps say nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stamp(u64);

impl Stamp {
    /// Known by nothing: never the same as anything, itself included.
    pub const NONE: Self = Self(0);

    /// Whether the contents are the same for certain.
    #[inline]
    pub const fn is_same(self, other: Self) -> bool {
        self.0 == other.0 && self.0 != 0
    }

    /// A stamp that nothing else has: a thread takes them from a stock of its own.
    pub fn fresh() -> Self {
        const STOCK: u64 = 1 << 32;
        static STOCKS: AtomicU64 = AtomicU64::new(0);
        thread_local! {
            static NEXT: Cell<u64> = const { Cell::new(0) };
        }
        let mut next = NEXT.get();
        if next.is_multiple_of(STOCK) {
            next = STOCKS.fetch_add(STOCK, Ordering::Relaxed) + 1;
        }
        NEXT.set(next + 1);
        Self(next)
    }
}

/// How many changes are remembered where nobody says otherwise.
const CHANGES: usize = 16;

/// The last changes of a part, each with the stamp before it and the place in the part; the newest is at `newest`.
#[derive(Clone, Copy)]
struct Journal<const KEPT: usize> {
    stamps: [Stamp; KEPT],
    places: [u16; KEPT],
    newest: u8,
}

/// A part of a position with a stamp. A copy has the stamp of its original; whoever may change the part gives it a new one.
/// Where single places were changed, the last `KEPT` of them are known. Two parts are equal if their contents are, whatever
/// their stamps.
#[derive(Clone, Copy)]
pub struct Tracked<T, const KEPT: usize = CHANGES> {
    contents: T,
    stamp: Stamp,
    journal: Journal<KEPT>,
}

impl<T, const KEPT: usize> Tracked<T, KEPT> {
    /// A part with some contents.
    pub const fn new(contents: T) -> Self {
        let journal = Journal { stamps: [Stamp::NONE; KEPT], places: [0; KEPT], newest: 0 };
        Self { contents, stamp: Stamp::NONE, journal }
    }

    /// The contents, where no trait can be used.
    #[inline]
    pub const fn get(&self) -> &T {
        &self.contents
    }

    /// What the contents are known by.
    #[inline]
    pub(crate) const fn stamp(&self) -> Stamp {
        self.stamp
    }

    /// Calls `visit` with every place that may have changed since the part had a stamp, maybe with some more than once, and
    /// tells whether that is known; if not, nothing is visited.
    pub(crate) fn changes_since(&self, stamp: Stamp, mut visit: impl FnMut(usize)) -> bool {
        if self.stamp.is_same(stamp) {
            return true;
        }
        let Journal { stamps, places, newest } = &self.journal;
        let back = |at: usize| (usize::from(*newest) + KEPT - at) % KEPT;
        let Some(count) = (0..KEPT).find(|at| stamps[back(*at)].is_same(stamp)) else { return false };
        (0..=count).for_each(|at| visit(usize::from(places[back(at)])));
        true
    }
}

impl<T, const N: usize, const KEPT: usize> Index<usize> for Tracked<[T; N], KEPT> {
    type Output = T;

    #[inline]
    fn index(&self, at: usize) -> &T {
        &self.contents[at]
    }
}

impl<T, const N: usize, const KEPT: usize> IndexMut<usize> for Tracked<[T; N], KEPT> {
    #[inline]
    fn index_mut(&mut self, at: usize) -> &mut T {
        let newest = (usize::from(self.journal.newest) + 1) % KEPT;
        self.journal.newest = newest as u8;
        self.journal.stamps[newest] = self.stamp;
        self.journal.places[newest] = at as u16;
        self.stamp = Stamp::fresh();
        &mut self.contents[at]
    }
}

impl<T, const KEPT: usize> Deref for Tracked<T, KEPT> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.contents
    }
}

impl<T, const KEPT: usize> DerefMut for Tracked<T, KEPT> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        // Anything may change: no earlier stamp leads here any more.
        self.journal.stamps = [Stamp::NONE; KEPT];
        self.stamp = Stamp::fresh();
        &mut self.contents
    }
}

impl<T: PartialEq, const KEPT: usize> PartialEq for Tracked<T, KEPT> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.stamp.is_same(other.stamp) || self.contents == other.contents
    }
}

impl<T: Eq, const KEPT: usize> Eq for Tracked<T, KEPT> {}

impl<T: Hash, const KEPT: usize> Hash for Tracked<T, KEPT> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.contents.hash(state);
    }
}

impl<T: fmt::Debug, const KEPT: usize> fmt::Debug for Tracked<T, KEPT> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.contents.fmt(out)
    }
}

impl<T: kernel::Encode, const KEPT: usize> kernel::Encode for Tracked<T, KEPT> {
    #[inline]
    fn encode<E: kernel::Encoder>(&self, out: &mut E) {
        self.contents.encode(out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_has_the_same_stamp_until_one_of_the_two_may_change() {
        let mut part: Tracked<_> = Tracked::new([1, 2, 3]);
        assert!(!part.stamp().is_same(part.stamp()), "what was never written has no stamp");
        part[0] = 4;
        let mut copy = part;
        assert!(copy.stamp().is_same(part.stamp()));
        copy[0] = 4;
        assert_eq!(copy, part);
        assert!(!copy.stamp().is_same(part.stamp()));
        part[1] = 0;
        assert_ne!(copy, part);
    }

    #[test]
    fn changed_places_are_known_back_to_a_stamp_and_not_beyond_what_is_remembered() {
        let mut part: Tracked<_> = Tracked::new([0; 40]);
        part[3] = 1;
        let (first, mut places) = (part.stamp(), Vec::new());
        assert!(part.changes_since(first, |_| panic!("nothing has changed")));
        for at in 10..10 + CHANGES {
            part[at] = 1;
            places.clear();
            assert!(part.changes_since(first, |at| places.push(at)));
            places.reverse();
            assert!(places.iter().copied().eq(10..=at));
        }
        let (full, copy) = (part.stamp(), part);
        part[39] = 1;
        assert!(!part.changes_since(first, |_| panic!("that is too long ago")));
        assert!(part.changes_since(full, |at| assert_eq!(at, 39)));
        assert!(copy.changes_since(first, |_| ()), "a copy has its own journal");
        part.fill(2);
        assert!(!part.changes_since(full, |_| panic!("everything may have changed")));
        assert!(!part.changes_since(Stamp::NONE, |_| panic!("no stamp says nothing")));
    }

    #[test]
    fn stamps_of_different_threads_are_different() {
        let stamps = |_: usize| -> Vec<u64> { (0..100).map(|_| Stamp::fresh().0).collect() };
        let threads: Vec<_> = (0..4).map(|at| std::thread::spawn(move || stamps(at))).collect();
        let mut all: Vec<u64> =
            threads.into_iter().flat_map(|thread| thread.join().expect("stamps")).collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 400);
    }
}
