//! A set of land hexes, as bits on the stack.

use crate::ids::{LANDS, Place, Side};
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

    /// The hexes of both sets.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        let mut both = *self;
        for (word, other) in both.0.iter_mut().zip(other.0) {
            *word &= other;
        }
        both
    }

    /// The hexes that a side controls, and those of two others. In two passes that a processor does many hexes at once: whose,
    /// then the flags of eight hexes packed into a byte.
    pub fn controlled(control: &[Side; LANDS], by: Side, others: [Side; 2]) -> [Self; 2] {
        const PACK: u64 = 0x0102_0408_1020_4080;
        const FLAGS: u64 = 0x0101_0101_0101_0101;
        let mut flags = [0_u8; HEX_WORDS * 64];
        for (flag, side) in flags.iter_mut().zip(control) {
            let other = u8::from(*side == others[0]) | u8::from(*side == others[1]);
            *flag = u8::from(*side == by) | other << 1;
        }
        let mut found = [Self::EMPTY; 2];
        for (word, flags) in flags.as_chunks::<64>().0.iter().enumerate() {
            for (at, eight) in flags.as_chunks::<8>().0.iter().enumerate() {
                let eight = u64::from_le_bytes(*eight);
                let pack = |flags: u64| ((flags & FLAGS).wrapping_mul(PACK) >> 56) << (at * 8);
                found[0].0[word] |= pack(eight);
                found[1].0[word] |= pack(eight >> 1);
            }
        }
        found
    }

    /// The hexes of either set.
    #[must_use]
    pub fn or(&self, other: &Self) -> Self {
        let mut all = *self;
        for (word, other) in all.0.iter_mut().zip(other.0) {
            *word |= other;
        }
        all
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hexes_of_some_sides_are_found_each_at_its_place() {
        let mut control = [Side::Nobody; LANDS];
        for (at, side) in control.iter_mut().enumerate() {
            *side = [Side::Axis, Side::Western, Side::Soviet, Side::Lone, Side::Nobody][at * 7 % 11 % 5];
        }
        let [own, others] = HexSet::controlled(&control, Side::Western, [Side::Lone, Side::Soviet]);
        for hex in Place::hexes() {
            let side = control[hex.index()];
            assert_eq!(own.has(hex), side == Side::Western, "{hex:?}");
            assert_eq!(others.has(hex), matches!(side, Side::Lone | Side::Soviet), "{hex:?}");
            assert_eq!(own.or(&others).has(hex), own.has(hex) || others.has(hex), "{hex:?}");
        }
    }
}
