//! A set of land hexes, as bits on the stack.

use crate::ids::Place;
use crate::state::HEX_WORDS;

/// A set of land hexes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct HexSet([u64; HEX_WORDS]);

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

    /// The hexes of this set that are not in `other`, or are in `except`.
    pub fn without(&self, other: &Self, except: &Self) -> Self {
        let mut left = *self;
        for (word, (other, except)) in left.0.iter_mut().zip(other.0.iter().zip(except.0)) {
            *word &= !other | except;
        }
        left
    }

    /// The hexes, in the order of the map.
    pub fn iter(&self) -> impl Iterator<Item = Place> + '_ {
        self.0.iter().enumerate().flat_map(|(at, word)| {
            let mut left = *word;
            std::iter::from_fn(move || {
                if left == 0 {
                    return None;
                }
                let bit = left.trailing_zeros() as usize;
                left &= left - 1;
                Some(Place::hex(at * 64 + bit))
            })
        })
    }
}
