//! Sets of battalions.

use std::fmt;

/// A set of battalions by their numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Units(pub u128);

impl Units {
    /// None.
    pub const EMPTY: Self = Self(0);

    /// One battalion.
    #[inline]
    pub const fn one(unit: u8) -> Self {
        Self(1 << (unit & 127))
    }

    /// Whether there is none.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many.
    #[inline]
    pub const fn len(self) -> u8 {
        self.0.count_ones() as u8
    }

    /// Whether one is in it.
    #[inline]
    pub const fn has(self, unit: u8) -> bool {
        self.0 >> (unit & 127) & 1 != 0
    }

    /// Adds one.
    #[inline]
    pub const fn insert(&mut self, unit: u8) {
        self.0 |= 1 << (unit & 127);
    }

    /// Takes one out.
    #[inline]
    pub const fn remove(&mut self, unit: u8) {
        self.0 &= !(1 << (unit & 127));
    }

    /// The first.
    #[inline]
    pub const fn first(self) -> Option<u8> {
        if self.0 == 0 { None } else { Some(self.0.trailing_zeros() as u8) }
    }
}

impl IntoIterator for Units {
    type Item = u8;
    type IntoIter = Iter;

    #[inline]
    fn into_iter(self) -> Iter {
        Iter(self.0)
    }
}

/// The battalions of a set in order.
#[derive(Clone, Copy, Debug)]
pub struct Iter(u128);

impl Iterator for Iter {
    type Item = u8;

    #[inline]
    fn next(&mut self) -> Option<u8> {
        if self.0 == 0 {
            return None;
        }
        let unit = self.0.trailing_zeros() as u8;
        self.0 &= self.0 - 1;
        Some(unit)
    }
}

impl FromIterator<u8> for Units {
    fn from_iter<I: IntoIterator<Item = u8>>(units: I) -> Self {
        let mut set = Self::EMPTY;
        for unit in units {
            set.insert(unit);
        }
        set
    }
}

impl fmt::Debug for Units {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}
