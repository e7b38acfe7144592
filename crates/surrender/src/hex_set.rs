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

    /// Takes a hex out; tells whether it was in.
    #[inline]
    pub const fn take(&mut self, hex: Place) -> bool {
        let (word, bit) = (&mut self.0[hex.index() / 64], 1 << (hex.index() % 64));
        let was_in = *word & bit != 0;
        *word &= !bit;
        was_in
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

    /// Whether a hex is in both sets.
    #[inline]
    pub fn meets(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).any(|(word, other)| word & other != 0)
    }

    /// The first hex in the order of the map.
    #[inline]
    pub fn first(&self) -> Option<Place> {
        self.iter().next()
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
        assert!(threes.meets(&fives) && !threes.meets(&HexSet::EMPTY));
        assert_eq!(HexSet::EMPTY.iter().next(), None);
        assert!(either.take(Place::hex(9)) && !either.take(Place::hex(9)) && !either.has(Place::hex(9)));
    }
}
