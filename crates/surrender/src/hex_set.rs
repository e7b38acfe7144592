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

    /// The hexes that one of some sides controls. In two passes that a processor does many hexes at once: which, then the
    /// flags of eight hexes packed into a byte.
    pub fn controlled(control: &[Side; LANDS], by: [Side; 3]) -> Self {
        const PACK: u64 = 0x0102_0408_1020_4080;
        let mut flags = [0_u8; HEX_WORDS * 64];
        for (flag, side) in flags.iter_mut().zip(control) {
            *flag = u8::from(*side == by[0]) | u8::from(*side == by[1]) | u8::from(*side == by[2]);
        }
        let mut found = Self::EMPTY;
        for (word, flags) in found.0.iter_mut().zip(flags.as_chunks::<64>().0) {
            for (at, eight) in flags.as_chunks::<8>().0.iter().enumerate() {
                *word |= (u64::from_le_bytes(*eight).wrapping_mul(PACK) >> 56) << (at * 8);
            }
        }
        found
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hexes_of_some_sides_are_found_each_at_its_place() {
        let mut control = [Side::Nobody; LANDS];
        for (at, side) in control.iter_mut().enumerate() {
            *side = [Side::Axis, Side::Western, Side::Soviet, Side::Lone, Side::Nobody][at * 7 % 11 % 5];
        }
        let found = HexSet::controlled(&control, [Side::Western, Side::Lone, Side::Western]);
        for hex in Place::hexes() {
            let is_one = matches!(control[hex.index()], Side::Western | Side::Lone);
            assert_eq!(found.has(hex), is_one, "{hex:?}");
        }
    }
}
