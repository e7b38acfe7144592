//! Tokens in a bag, a pile or a hand, as bits of one number.
//!
//! Every kind has a run of bits as long as it has tokens, filled from the bottom: a pool says how many of each kind
//! there are and nothing of their order. Counting, drawing and "which kinds fit here" are a few instructions each.

use crate::units::{KIND_COUNT, KINDS, Kind};

/// A multiset of tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pool(u64);

kernel::encode_struct!(Pool[bits]);

/// Where the bits of each kind begin; the last one is the end of all.
const BEGINS: [u8; KIND_COUNT + 1] = {
    let mut begins = [0; KIND_COUNT + 1];
    let mut at = 0;
    while at < KIND_COUNT {
        let info = &KINDS[at];
        // Both sides' tokens of a kind can come together where bombed units go to the research pile (ruling R9).
        let shared = !info.special && !matches!(info.kind, Kind::Godzilla);
        begins[at + 1] = begins[at] + if shared { 2 * info.count } else { info.count };
        at += 1;
    }
    assert!(begins[KIND_COUNT] <= 64);
    begins
};

/// The kind that each bit belongs to.
const KIND_OF_BIT: [Kind; 64] = {
    let mut kinds = [Kind::Army1; 64];
    let mut at = 0;
    while at < KIND_COUNT {
        let mut bit = BEGINS[at];
        while bit < BEGINS[at + 1] {
            kinds[bit as usize] = KINDS[at].kind;
            bit += 1;
        }
        at += 1;
    }
    kinds
};

/// The lowest bit of each kind.
const FIRST_BITS: u64 = {
    let mut bits = 0;
    let mut at = 0;
    while at < KIND_COUNT {
        bits |= 1 << BEGINS[at];
        at += 1;
    }
    bits
};

/// All bits of special weapons.
const SPECIAL_BITS: u64 = {
    let mut bits = 0;
    let mut bit = 0;
    while bit < BEGINS[KIND_COUNT] {
        if KIND_OF_BIT[bit as usize].is_special() {
            bits |= 1 << bit;
        }
        bit += 1;
    }
    bits
};

impl Pool {
    /// The pool of some tokens.
    pub fn of(kinds: impl IntoIterator<Item = Kind>) -> Self {
        let mut pool = Self::default();
        for kind in kinds {
            pool.add(kind);
        }
        pool
    }

    /// How many tokens there are.
    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether there is none.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Where the bits of a kind begin, and those that are set: `n` tokens are the lowest `n` bits of the run.
    const fn run(self, kind: Kind) -> (u8, u64) {
        let begin = BEGINS[kind as usize];
        let mask = (1 << (BEGINS[kind as usize + 1] - begin)) - 1;
        (begin, (self.0 >> begin) & mask)
    }

    /// How many of a kind there are.
    #[inline]
    pub const fn count(self, kind: Kind) -> u32 {
        self.run(kind).1.trailing_ones()
    }

    /// Whether there is one of a kind.
    #[inline]
    pub const fn has(self, kind: Kind) -> bool {
        (self.0 >> BEGINS[kind as usize]) & 1 != 0
    }

    /// Whether one more of a kind would still be counted.
    pub const fn has_room(self, kind: Kind) -> bool {
        self.count(kind) < (BEGINS[kind as usize + 1] - BEGINS[kind as usize]) as u32
    }

    /// Adds a token.
    #[inline]
    pub const fn add(&mut self, kind: Kind) {
        debug_assert!(self.has_room(kind));
        let (begin, run) = self.run(kind);
        self.0 |= (run + 1) << begin;
    }

    /// Takes a token that is there.
    #[inline]
    pub const fn remove(&mut self, kind: Kind) {
        debug_assert!(self.has(kind));
        let (begin, run) = self.run(kind);
        self.0 ^= (run ^ (run >> 1)) << begin;
    }

    /// The token that a ticket from 0 to `len - 1` stands for: every token has one.
    #[inline]
    pub const fn nth(self, ticket: u32) -> Kind {
        let mut bits = self.0;
        let mut left = ticket;
        while left > 0 {
            bits &= bits.wrapping_sub(1);
            left -= 1;
        }
        KIND_OF_BIT[(bits.trailing_zeros() & 63) as usize]
    }

    /// The kinds that are there, each once.
    #[inline]
    pub fn kinds(self) -> impl Iterator<Item = Kind> {
        let mut bits = self.0 & FIRST_BITS;
        std::iter::from_fn(move || {
            if bits == 0 {
                return None;
            }
            let kind = KIND_OF_BIT[bits.trailing_zeros() as usize];
            bits &= bits - 1;
            Some(kind)
        })
    }

    /// Every token, those of a kind together.
    pub fn tokens(self) -> impl Iterator<Item = Kind> {
        (0..self.len()).map(move |ticket| self.nth(ticket))
    }

    /// Only the special weapons.
    #[inline]
    #[must_use]
    pub const fn specials(self) -> Self {
        Self(self.0 & SPECIAL_BITS)
    }

    /// Only the normal units.
    #[inline]
    #[must_use]
    pub const fn normals(self) -> Self {
        Self(self.0 & !SPECIAL_BITS)
    }

    /// The tokens of both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let mut sum = self;
        for kind in other.tokens() {
            sum.add(kind);
        }
        sum
    }

    /// The tokens that are here and not, as often, in the other; `None` if the other has one that is not here.
    pub fn without(self, other: Self) -> Option<Self> {
        let mut rest = self;
        for kind in other.tokens() {
            if !rest.has(kind) {
                return None;
            }
            rest.remove(kind);
        }
        Some(rest)
    }
}

/// The most tokens that there can be in one place: all of both sides and of the pile.
const MOST_TOKENS: usize = BEGINS[KIND_COUNT] as usize;

/// Tokens in the order in which they came: a hand, or the bot's row, left to right. Rule 1.6.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    pool: Pool,
    len: u8,
    order: [Kind; MOST_TOKENS],
}

impl Default for Row {
    fn default() -> Self {
        Self { pool: Pool::default(), len: 0, order: [Kind::Army1; MOST_TOKENS] }
    }
}

impl PartialEq for Row {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl Eq for Row {}

/// As its tokens from left to right: the pool follows from them.
impl kernel::Encode for Row {
    fn encode<E: kernel::Encoder>(&self, out: &mut E) {
        self.as_slice().encode(out);
    }
}

impl std::hash::Hash for Row {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.as_slice().hash(state);
    }
}

impl Row {
    /// The tokens as a pool.
    #[inline]
    pub const fn pool(&self) -> Pool {
        self.pool
    }

    /// How many there are.
    #[inline]
    pub const fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether there is none.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The tokens from left to right.
    #[inline]
    pub fn as_slice(&self) -> &[Kind] {
        &self.order[..self.len()]
    }

    /// Puts a token at the right end.
    #[inline]
    pub fn push(&mut self, kind: Kind) {
        self.order[self.len()] = kind;
        self.len += 1;
        self.pool.add(kind);
    }

    /// Takes the leftmost token of a kind that is there; the rest slides to the left.
    #[inline]
    pub fn remove(&mut self, kind: Kind) {
        if let Some(at) = self.as_slice().iter().position(|token| *token == kind) {
            self.remove_at(at);
        }
    }

    /// Takes the token at a place; the rest slides to the left.
    #[inline]
    pub fn remove_at(&mut self, at: usize) {
        let len = self.len();
        let tokens = &mut self.order[..len];
        let kind = tokens[at];
        // A loop: a row is short, and moving it by a call costs more than the moving.
        for next in at + 1..len {
            tokens[next - 1] = tokens[next];
        }
        self.len -= 1;
        self.pool.remove(kind);
    }
}

impl FromIterator<Kind> for Row {
    fn from_iter<I: IntoIterator<Item = Kind>>(kinds: I) -> Self {
        let mut row = Self::default();
        for kind in kinds {
            row.push(kind);
        }
        row
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pool_counts_its_tokens() {
        let mut pool = Pool::of([Kind::Army1, Kind::Spy, Kind::Army1, Kind::Navy3]);
        assert_eq!((pool.len(), pool.count(Kind::Army1), pool.count(Kind::Army2)), (4, 2, 0));
        assert_eq!(pool.kinds().collect::<Vec<_>>(), [Kind::Army1, Kind::Navy3, Kind::Spy]);
        assert_eq!(pool.tokens().collect::<Vec<_>>(), [Kind::Army1, Kind::Army1, Kind::Navy3, Kind::Spy]);
        assert_eq!(pool.specials(), Pool::of([Kind::Spy]));
        pool.remove(Kind::Army1);
        assert_eq!(pool.count(Kind::Army1), 1);
        assert_eq!(pool.without(Pool::of([Kind::Army1, Kind::Spy])), Some(Pool::of([Kind::Navy3])));
        assert_eq!(pool.without(Pool::of([Kind::Army2])), None);
    }

    #[test]
    fn a_row_closes_its_gaps_to_the_left() {
        let mut row: Row = [Kind::Air1, Kind::Army1, Kind::Air1, Kind::Spy].into_iter().collect();
        row.remove(Kind::Air1);
        assert_eq!(row.as_slice(), [Kind::Army1, Kind::Air1, Kind::Spy]);
        row.push(Kind::Navy1);
        row.remove_at(1);
        assert_eq!(row.as_slice(), [Kind::Army1, Kind::Spy, Kind::Navy1]);
        assert_eq!(row.pool(), Pool::of([Kind::Army1, Kind::Spy, Kind::Navy1]));
    }
}
