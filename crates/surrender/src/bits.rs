//! Small sets as bits: of cities and of units.

use crate::ids::{CITIES, City, UNITS, UnitId};

/// A set of small numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bits<const WORDS: usize>([u64; WORDS]);

/// A set of cities and ports.
pub(crate) type CitySet = Bits<{ CITIES.div_ceil(64) }>;

/// A set of units.
pub(crate) type UnitSet = Bits<{ UNITS.div_ceil(64) }>;

impl<const WORDS: usize> Bits<WORDS> {
    /// Nothing.
    pub const EMPTY: Self = Self([0; WORDS]);

    /// A set of given words.
    #[inline]
    pub const fn of_words(words: [u64; WORDS]) -> Self {
        Self(words)
    }

    /// Whether a number is in it.
    #[inline]
    pub const fn has_number(&self, at: usize) -> bool {
        self.0[at / 64] >> (at % 64) & 1 != 0
    }

    /// Puts a number in, or takes it out.
    #[inline]
    pub const fn set_number(&mut self, at: usize, is_in: bool) {
        let word = &mut self.0[at / 64];
        *word = *word & !(1 << (at % 64)) | (is_in as u64) << (at % 64);
    }

    /// Says of 64 numbers at once, those from 64 times `at` on, whether they are in.
    #[inline]
    pub const fn set_word(&mut self, at: usize, word: u64) {
        self.0[at] = word;
    }

    /// Whether nothing is in it.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    /// What is in both.
    #[inline]
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        self.with(other, |one, other| one & other)
    }

    /// What is in either.
    #[inline]
    #[must_use]
    pub fn or(&self, other: &Self) -> Self {
        self.with(other, |one, other| one | other)
    }

    /// What is in this and not in the other.
    #[inline]
    #[must_use]
    pub fn minus(&self, other: &Self) -> Self {
        self.with(other, |one, other| one & !other)
    }

    #[inline]
    fn with(&self, other: &Self, join: impl Fn(u64, u64) -> u64) -> Self {
        let mut result = *self;
        for (word, other) in result.0.iter_mut().zip(other.0) {
            *word = join(*word, other);
        }
        result
    }

    /// Whether something is in both.
    #[inline]
    pub fn meets(&self, other: &Self) -> bool {
        !self.and(other).is_empty()
    }

    /// The numbers, from the smallest.
    #[inline]
    pub fn numbers(&self) -> impl Iterator<Item = usize> + use<WORDS> {
        let words = self.0;
        let (mut at, mut left) = (0, words[0]);
        std::iter::from_fn(move || {
            while left == 0 {
                at += 1;
                left = *words.get(at)?;
            }
            let bit = left.trailing_zeros() as usize;
            left &= left - 1;
            Some(at * 64 + bit)
        })
    }
}

impl CitySet {
    /// Whether a city is in it.
    #[inline]
    pub const fn has(&self, city: City) -> bool {
        self.has_number(city.index())
    }

    /// Puts a city in.
    #[inline]
    pub const fn insert(&mut self, city: City) {
        self.set_number(city.index(), true);
    }

    /// The cities.
    #[inline]
    pub fn cities(&self) -> impl Iterator<Item = City> + use<> {
        self.numbers().map(|at| City(at as u8))
    }
}

impl UnitSet {
    /// Whether a unit is in it.
    #[inline]
    pub const fn has(&self, unit: UnitId) -> bool {
        self.has_number(unit.index())
    }

    /// Puts a unit in.
    #[inline]
    pub const fn insert(&mut self, unit: UnitId) {
        self.set_number(unit.index(), true);
    }

    /// The units.
    #[inline]
    pub fn units(&self) -> impl Iterator<Item = UnitId> + use<> {
        self.numbers().map(|at| UnitId(at as u16))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_hold_what_was_put_in_and_join_as_sets_do() {
        let (mut threes, mut fives) = (UnitSet::EMPTY, UnitSet::EMPTY);
        UnitId::all().filter(|unit| unit.index() % 3 == 0).for_each(|unit| threes.insert(unit));
        UnitId::all().filter(|unit| unit.index() % 5 == 0).for_each(|unit| fives.insert(unit));
        for unit in UnitId::all() {
            let (three, five) = (unit.index() % 3 == 0, unit.index() % 5 == 0);
            assert_eq!(threes.has(unit), three);
            assert_eq!(threes.and(&fives).has(unit), three && five);
            assert_eq!(threes.or(&fives).has(unit), three || five);
            assert_eq!(threes.minus(&fives).has(unit), three && !five);
        }
        assert!(threes.units().eq(UnitId::all().step_by(3)));
        assert!(threes.meets(&fives) && !threes.meets(&UnitSet::EMPTY.minus(&fives)));
        let mut words = UnitSet::EMPTY;
        words.set_word(1, 0b101);
        assert!(words.units().eq([UnitId(64), UnitId(66)]));
        threes.set_number(0, false);
        assert!(!threes.has(UnitId(0)) && !threes.is_empty() && UnitSet::EMPTY.is_empty());
    }
}
