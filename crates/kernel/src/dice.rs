//! Where Fate's choices come from: a stream of 32-bit words.
//!
//! Two streams are made here. [`LabDice`] is fast and for simulations. [`FairDice`] is for
//! matches: every draw is computed from a 256-bit secret whose SHA-256 is published before
//! the first choice, so that anybody can check every die afterwards.
//!
//! Numbers below a bound are taken by our own code, because a replay must not depend on a
//! library's way of sampling.

use std::fmt;

use sha2::{Digest, Sha256};

/// A stream of uniformly distributed 32-bit words.
pub trait Dice {
    /// The next word of the stream.
    fn word(&mut self) -> u32;

    /// A number from 0 to `bound - 1`, every one exactly as likely as the others; 0 if `bound` is 0.
    ///
    /// Multiply and shift, with the few words that would make it unequal thrown away.
    #[inline]
    fn below(&mut self, bound: u32) -> u32 {
        let mut product = u64::from(self.word()) * u64::from(bound);
        if (product as u32) < bound {
            let unequal = bound.wrapping_neg() % bound;
            while (product as u32) < unequal {
                product = u64::from(self.word()) * u64::from(bound);
            }
        }
        (product >> 32) as u32
    }
}

/// The fast stream for simulations: xoshiro256++, seeded through splitmix64.
///
/// Game `g` of a batch has its own stream, so that a batch gives the same games
/// whatever the number of threads.
#[derive(Clone, Debug)]
pub struct LabDice {
    s: [u64; 4],
}

impl LabDice {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        let mut x = seed;
        let mut next = || {
            x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = x;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        };
        Self { s: [next(), next(), next(), next()] }
    }

    /// The stream of one game of a batch.
    pub fn for_game(seed: u64, game: u64) -> Self {
        Self::new(seed.wrapping_mul(0xd134_2543_de82_ef95) ^ game.wrapping_mul(0x2545_f491_4f6c_dd1d))
    }

    #[inline]
    fn next_u64(&mut self) -> u64 {
        let s = &mut self.s;
        let result = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        result
    }
}

impl Dice for LabDice {
    #[inline]
    fn word(&mut self) -> u32 {
        // The upper half only: keeping the lower one for later costs a branch, which costs more.
        (self.next_u64() >> 32) as u32
    }
}

/// The secret of a match: 256 bits that decide every draw.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(pub [u8; 32]);

impl Secret {
    /// The secret that a seed number stands for; for games that are to be repeated.
    pub fn from_seed(seed: u64) -> Self {
        Self(Sha256::digest(format!("maproom seed {seed}").as_bytes()).into())
    }

    /// What is published before the first choice: the SHA-256 of the secret.
    pub fn commitment(&self) -> Commitment {
        Commitment(Sha256::digest(self.0).into())
    }

    /// Reads 64 hexadecimal digits.
    pub fn parse(text: &str) -> Option<Self> {
        parse_hex(text).map(Self)
    }

    /// The 64 hexadecimal digits of the secret. Anybody who has them knows all dice to come.
    pub fn reveal(&self) -> String {
        hex(&self.0)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// The published SHA-256 of a [`Secret`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Commitment(pub [u8; 32]);

impl Commitment {
    /// Reads 64 hexadecimal digits.
    pub fn parse(text: &str) -> Option<Self> {
        parse_hex(text).map(Self)
    }
}

impl fmt::Display for Commitment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&hex(&self.0))
    }
}

/// The stream of one draw of a match.
///
/// Draw `n` (from 0) of a match takes its words from
/// `SHA-256(secret ‖ n as 8 bytes ‖ k as 4 bytes)` for k = 0, 1, …, all big-endian: each hash
/// gives eight words. A draw depends on its number only; taking a choice back and
/// coming the same way again meets the same dice.
///
/// ```
/// use kernel::{Dice, FairDice, Secret};
/// let secret = Secret::from_seed(3);
/// let die = FairDice::new(&secret, 0).below(6) + 1;
/// assert_eq!(die, FairDice::new(&secret, 0).below(6) + 1);
/// ```
#[derive(Clone, Debug)]
pub struct FairDice {
    secret: Secret,
    draw: u64,
    block: u32,
    words: [u32; 8],
    used: usize,
}

impl FairDice {
    /// The stream of draw number `draw`.
    pub fn new(secret: &Secret, draw: u64) -> Self {
        Self { secret: secret.clone(), draw, block: 0, words: [0; 8], used: 8 }
    }
}

impl Dice for FairDice {
    fn word(&mut self) -> u32 {
        if self.used == 8 {
            let mut hash = Sha256::new();
            hash.update(self.secret.0);
            hash.update(self.draw.to_be_bytes());
            hash.update(self.block.to_be_bytes());
            let bytes: [u8; 32] = hash.finalize().into();
            for (word, four) in self.words.iter_mut().zip(bytes.as_chunks::<4>().0) {
                *word = u32::from_be_bytes(*four);
            }
            self.block = self.block.wrapping_add(1);
            self.used = 0;
        }
        self.used += 1;
        self.words[self.used - 1]
    }
}

/// The hexadecimal digits of some bytes.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Reads 64 hexadecimal digits.
pub(crate) fn parse_hex(text: &str) -> Option<[u8; 32]> {
    let digits = text.as_bytes();
    if digits.len() != 64 {
        return None;
    }
    let mut bytes = [0; 32];
    for (byte, pair) in bytes.iter_mut().zip(digits.as_chunks::<2>().0) {
        let digit = |d: u8| char::from(d).to_digit(16);
        *byte = (digit(pair[0])? * 16 + digit(pair[1])?) as u8;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// First outputs of the reference xoshiro256++ for state 1, 2, 3, 4.
    #[test]
    fn lab_dice_follow_the_reference_generator() {
        let mut dice = LabDice { s: [1, 2, 3, 4] };
        let expected = [41_943_041_u64, 58_720_359, 3_588_806_011_781_223, 3_591_011_842_654_386];
        for value in expected {
            assert_eq!(dice.next_u64(), value);
        }
    }

    #[test]
    fn dice_are_even_and_within_bounds() {
        for bound in [1_u32, 2, 6, 7, 36, 1_000] {
            let mut dice = LabDice::new(u64::from(bound));
            let mut counts = vec![0_u32; bound as usize];
            let draws = 2_000 * bound;
            for _ in 0..draws {
                counts[dice.below(bound) as usize] += 1;
            }
            // Six standard deviations of a count with mean 2,000.
            assert!(counts.iter().all(|&n| (1_730..2_270).contains(&n)), "bound {bound}: {counts:?}");
        }
    }

    #[test]
    fn a_bound_that_rejects_half_of_the_words_stays_even() {
        struct Words(Vec<u32>);
        impl Dice for Words {
            fn word(&mut self) -> u32 {
                self.0.pop().expect("enough words")
            }
        }
        // For 2^31 + 1 the words below 2^31 - 1 in the low half are unequal: the first one is rejected.
        let bound = (1 << 31) + 1;
        let mut words = Words(vec![u32::MAX, 0]);
        assert_eq!(words.below(bound), bound - 1);
        assert!(words.0.is_empty());
    }

    #[test]
    fn a_fair_draw_is_the_published_formula() {
        let secret = Secret::from_seed(7);
        let mut hash = Sha256::new();
        hash.update(secret.0);
        hash.update([0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0]);
        let bytes: [u8; 32] = hash.finalize().into();
        let first = u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        assert_eq!(FairDice::new(&secret, 5).word(), first);
        assert_eq!(Secret::parse(&secret.reveal()), Some(secret));
    }

    #[test]
    fn a_bad_secret_is_refused() {
        assert_eq!(Secret::parse("12"), None);
        assert_eq!(Secret::parse(&"g".repeat(64)), None);
        assert_eq!(Secret::parse(&"é".repeat(32)), None);
    }
}
