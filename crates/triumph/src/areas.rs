//! Areas by number, and sets of them.

/// How many areas there are.
pub const AREAS: usize = 136;
/// How many of them are land or straits; these come first.
pub const LANDS: usize = 103;
/// How many borders there are.
pub const BORDERS: usize = 353;
/// How many nations and colonies there are.
pub const NATIONS: usize = 36;
/// No area, no block, no card, no nation.
pub const NONE: u8 = u8::MAX;

/// A set of areas.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct AreaSet(pub [u64; 3]);

impl AreaSet {
    /// No area.
    pub const EMPTY: Self = Self([0; 3]);
    /// All land areas and straits.
    pub const LAND: Self = Self([u64::MAX, (1 << (LANDS - 64)) - 1, 0]);
    /// All seas and oceans.
    pub const SEA: Self = Self([0, !((1 << (LANDS - 64)) - 1), (1 << (AREAS - 128)) - 1]);

    /// One area.
    #[inline]
    pub const fn one(area: u8) -> Self {
        let mut set = Self::EMPTY;
        set.0[area as usize >> 6] = 1 << (area & 63);
        set
    }

    /// Whether an area is in it.
    #[inline]
    pub const fn has(self, area: u8) -> bool {
        self.0[area as usize >> 6] >> (area & 63) & 1 != 0
    }

    /// Adds an area.
    #[inline]
    pub const fn add(&mut self, area: u8) {
        self.0[area as usize >> 6] |= 1 << (area & 63);
    }

    /// Takes an area out.
    #[inline]
    pub const fn remove(&mut self, area: u8) {
        self.0[area as usize >> 6] &= !(1 << (area & 63));
    }

    /// The areas of either.
    #[inline]
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self([self.0[0] | other.0[0], self.0[1] | other.0[1], self.0[2] | other.0[2]])
    }

    /// The areas of both.
    #[inline]
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self([self.0[0] & other.0[0], self.0[1] & other.0[1], self.0[2] & other.0[2]])
    }

    /// The areas of this one that are not in the other.
    #[inline]
    #[must_use]
    pub const fn minus(self, other: Self) -> Self {
        Self([self.0[0] & !other.0[0], self.0[1] & !other.0[1], self.0[2] & !other.0[2]])
    }

    /// Whether there is no area in it.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0[0] | self.0[1] | self.0[2] == 0
    }

    /// How many areas are in it.
    #[inline]
    pub const fn len(self) -> u32 {
        self.0[0].count_ones() + self.0[1].count_ones() + self.0[2].count_ones()
    }

    /// Whether the two have an area in common.
    #[inline]
    pub const fn meets(self, other: Self) -> bool {
        !self.and(other).is_empty()
    }

    /// The first area.
    #[inline]
    pub fn first(self) -> Option<u8> {
        self.iter().next()
    }

    /// The areas in order.
    #[inline]
    pub fn iter(self) -> AreaIter {
        AreaIter(self.0)
    }
}

impl std::fmt::Debug for AreaSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl FromIterator<u8> for AreaSet {
    fn from_iter<I: IntoIterator<Item = u8>>(areas: I) -> Self {
        let mut set = Self::EMPTY;
        areas.into_iter().for_each(|area| set.add(area));
        set
    }
}

impl IntoIterator for AreaSet {
    type Item = u8;
    type IntoIter = AreaIter;

    fn into_iter(self) -> AreaIter {
        self.iter()
    }
}

/// The areas of a set in order.
#[derive(Clone, Debug)]
pub struct AreaIter([u64; 3]);

impl Iterator for AreaIter {
    type Item = u8;

    #[inline]
    fn next(&mut self) -> Option<u8> {
        for word in 0..3 {
            let bits = self.0[word];
            if bits != 0 {
                self.0[word] = bits & (bits - 1);
                return Some((word * 64) as u8 + bits.trailing_zeros() as u8);
            }
        }
        None
    }

    /// Word by word: most walks through a set are folds.
    #[inline]
    fn fold<B, F: FnMut(B, u8) -> B>(self, init: B, mut f: F) -> B {
        let mut all = init;
        for (word, mut bits) in self.0.into_iter().enumerate() {
            while bits != 0 {
                all = f(all, (word * 64) as u8 + bits.trailing_zeros() as u8);
                bits &= bits - 1;
            }
        }
        all
    }
}

/// The set bits of a mask, lowest first.
#[inline]
pub fn bits(mut mask: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let bit = mask.trailing_zeros() as u8;
            mask &= mask - 1;
            bit
        })
    })
}

/// The `n`-th set bit of a mask, counted from 0.
#[inline]
pub fn nth_bit(mask: u64, n: u32) -> u8 {
    bits(mask).nth(n as usize).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn land_and_sea_are_everything_once() {
        assert_eq!(AreaSet::LAND.len() as usize, LANDS);
        assert_eq!(AreaSet::SEA.len() as usize, AREAS - LANDS);
        assert!(!AreaSet::LAND.meets(AreaSet::SEA));
        let all: Vec<u8> = AreaSet::LAND.or(AreaSet::SEA).iter().collect();
        assert_eq!(all, (0..AREAS as u8).collect::<Vec<_>>());
    }

    #[test]
    fn bits_count_from_the_lowest() {
        assert_eq!(bits(0b1_0100_0010).collect::<Vec<_>>(), [1, 6, 8]);
        assert_eq!(nth_bit(0b1_0100_0010, 1), 6);
    }
}
