//! A set of land hexes, as bits on the stack.

use crate::ids::Place;
use crate::state::HEX_WORDS;

/// A set of land hexes. There is room for the Central Russia Box as one more, which [`HexSet::has`] never finds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct HexSet([u64; HEX_WORDS]);

const _: () = assert!(Place::CRU.index() < HEX_WORDS * 64);

impl HexSet {
    /// No hex.
    pub const EMPTY: Self = Self([0; HEX_WORDS]);

    /// Whether a hex is in it. Map Boxes never are.
    #[inline]
    pub const fn has(&self, hex: Place) -> bool {
        hex.is_hex() && self.0[hex.index() / 64] >> (hex.index() % 64) & 1 != 0
    }

    /// Puts a hex in.
    #[inline]
    pub const fn insert(&mut self, hex: Place) {
        self.0[hex.index() / 64] |= 1 << (hex.index() % 64);
    }

    /// Takes a hex out.
    #[inline]
    pub const fn remove(&mut self, hex: Place) {
        self.0[hex.index() / 64] &= !(1 << (hex.index() % 64));
    }

    /// Puts a hex in that is not in, if it is meant.
    #[inline]
    pub const fn put(&mut self, hex: Place, is_meant: bool) {
        self.0[hex.index() / 64] |= (is_meant as u64) << (hex.index() % 64);
    }

    /// The hexes of both sets.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        let mut both = *self;
        for (word, other) in both.0.iter_mut().zip(other.0) {
            *word &= other;
        }
        both
    }

    /// Puts the hexes of another set in.
    #[inline]
    pub fn add(&mut self, other: &Self) {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word |= other;
        }
    }

    /// The hexes of this set that are not in `other`, or are in `except`.
    pub fn without(&self, other: &Self, except: &Self) -> Self {
        let mut left = *self;
        for (word, (other, except)) in left.0.iter_mut().zip(other.0.iter().zip(except.0)) {
            *word &= !other | except;
        }
        left
    }

    /// The hexes that are in one of the two sets only.
    pub fn unlike(&self, other: &Self) -> Self {
        let mut unlike = *self;
        for (word, other) in unlike.0.iter_mut().zip(other.0) {
            *word ^= other;
        }
        unlike
    }

    /// Whether a hex is in both sets.
    #[inline]
    pub fn meets(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).any(|(word, other)| word & other != 0)
    }

    /// Adds something for each hex to a list, in the order of the map. The list grows once for all of a word.
    pub fn list<T>(&self, out: &mut Vec<T>, each: impl Fn(Place) -> T) {
        let mut hexes = [Place::NONE; 64];
        for (at, word) in self.0.iter().enumerate() {
            if *word == 0 {
                continue;
            }
            let (mut left, mut count) = (*word, 0);
            while left != 0 {
                hexes[count] = Place::hex(at * 64 + left.trailing_zeros() as usize);
                left &= left - 1;
                count += 1;
            }
            out.extend(hexes[..count].iter().map(|hex| each(*hex)));
        }
    }

    /// The hexes, in the order of the map.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = Place> + '_ {
        let (mut at, mut left) = (0, self.0[0]);
        std::iter::from_fn(move || {
            while left == 0 {
                at += 1;
                left = *self.0.get(at)?;
            }
            let bit = left.trailing_zeros() as usize;
            left &= left - 1;
            Some(Place::hex(at * 64 + bit))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::LANDS;

    #[test]
    fn sets_of_hexes_join_as_sets_do_and_list_what_they_hold() {
        let every = |step: usize| {
            let mut set = HexSet::EMPTY;
            Place::hexes().step_by(step).for_each(|hex| set.insert(hex));
            set
        };
        let (threes, fives, sevens) = (every(3), every(5), every(7));
        let mut either = threes;
        either.add(&fives);
        for at in 0..LANDS {
            let (hex, [three, five, seven]) = (Place::hex(at), [3, 5, 7].map(|step| at % step == 0));
            assert_eq!(either.has(hex), three || five, "{at}");
            assert_eq!(threes.and(&fives).has(hex), three && five, "{at}");
            assert_eq!(threes.without(&fives, &sevens).has(hex), three && (!five || seven), "{at}");
        }
        assert!(sevens.iter().eq(Place::hexes().step_by(7)));
        let mut listed = vec![(false, Place::NONE)];
        sevens.list(&mut listed, |hex| (true, hex));
        assert!(listed[1..].iter().copied().eq(Place::hexes().step_by(7).map(|hex| (true, hex))));
        assert!(threes.meets(&fives) && !threes.meets(&HexSet::EMPTY));
        assert_eq!(HexSet::EMPTY.iter().next(), None);
        let unlike = threes.unlike(&fives);
        assert!(Place::hexes().all(|hex| unlike.has(hex) == (threes.has(hex) != fives.has(hex))));
        either.remove(Place::hex(9));
        either.put(Place::hex(9), false);
        assert!(!either.has(Place::hex(9)));
        either.put(Place::hex(9), true);
        assert!(either.has(Place::hex(9)));
    }
}
