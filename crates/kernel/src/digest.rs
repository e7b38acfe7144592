//! The check numbers of a save: a short digest of every state, the same on every machine and in every version.
//!
//! A match says in its save which [`DigestFormat`] it uses, and keeps that format to its end. Both formats begin with the
//! [encoding](crate::Encode) of the state and end as eight hexadecimal digits. All arithmetic is modulo 2⁶⁴ unless said
//! otherwise; `≫` and `≪` shift, `⊕` is exclusive or.
//!
//! **Format 2**, for every match that is started now:
//!
//! 1. Fill up the bytes of the encoding with zeros to a multiple of eight and read them as 64-bit numbers `w`, the lowest
//!    byte first. Behind them comes one more `w`: the number of bytes before filling up.
//! 2. `h` begins as `243f6a8885a308d3`. For each `w` multiply `h ⊕ w` by `9e3779b97f4a7c15` to a number of 128 bits;
//!    `h` becomes its upper half `⊕` its lower half.
//! 3. The digest is `h ⊕ (h ≫ 32)`, its lower 32 bits.
//!
//! **Format 1**, for matches that were started before there was an encoding. It is what `std::hash::Hash` made of a state at
//! that time, written down so that no later compiler can change it:
//!
//! 1. A whole number, a `bool`, the number of a variant, 0 or 1 for an `Option` is one `w` each, sign-extended. An array
//!    writes its length like a slice. Numbers that follow one another in an array or a slice are taken as bytes: each eight
//!    of them are a `w`, and each byte that is left over is one. A text is its bytes in that manner, then the number 255.
//! 2. `h` begins as `cbf29ce484222325`. For each `w`: turn `h` to the left by five bits, `⊕ w`, multiply by
//!    `517cc1b727220a95`.
//! 3. `h ⊕ (h ≫ 30)` times `bf58476d1ce4e5b9` is `a`; `a ⊕ (a ≫ 27)` times `94d049bb133111eb` is `b`; `b ⊕ (b ≫ 31)` is
//!    `c`; the digest is `c ⊕ (c ≫ 32)`, its lower 32 bits.

use std::hash::{Hash, Hasher};

use crate::encode::{Encode, Encoder};

/// The digest of a state, shown as eight hexadecimal digits. Two different states have the same digest with a
/// probability of one in four thousand million.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StateDigest(pub u32);

/// How the digests of a match are made; `digest.rs` has both recipes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DigestFormat {
    /// For saves without a line `digest:`.
    V1,
    /// For all matches that are started now.
    #[default]
    V2,
}

impl DigestFormat {
    /// Its number in saves.
    pub const fn number(self) -> u8 {
        match self {
            Self::V1 => 1,
            Self::V2 => 2,
        }
    }

    /// Reads the number of a save.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "1" => Some(Self::V1),
            "2" => Some(Self::V2),
            _ => None,
        }
    }
}

impl StateDigest {
    /// The digest of a state.
    pub fn of(state: &impl Encode, format: DigestFormat) -> Self {
        let mixed = match format {
            DigestFormat::V1 => {
                let mut words = WordDigest(StableHasher::default());
                state.encode(&mut words);
                words.0.finish()
            }
            DigestFormat::V2 => {
                let mut bytes = ByteDigest::default();
                state.encode(&mut bytes);
                bytes.finish()
            }
        };
        Self((mixed ^ (mixed >> 32)) as u32)
    }

    /// Reads eight hexadecimal digits.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        digits.then(|| u32::from_str_radix(text, 16).ok().map(Self))?
    }
}

impl std::fmt::Display for StateDigest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:08x}", self.0)
    }
}

/// Format 2: eight bytes of the encoding at a time.
struct ByteDigest {
    hash: u64,
    /// The bytes since the last full eight.
    word: u64,
    /// How many bits of `word` they fill.
    filled: u32,
    bytes: u64,
}

impl Default for ByteDigest {
    fn default() -> Self {
        Self { hash: 0x243f_6a88_85a3_08d3, word: 0, filled: 0, bytes: 0 }
    }
}

impl ByteDigest {
    #[inline]
    fn mix(&mut self, word: u64) {
        let product = u128::from(self.hash ^ word) * 0x9e37_79b9_7f4a_7c15;
        self.hash = (product >> 64) as u64 ^ product as u64;
    }

    fn finish(mut self) -> u64 {
        if self.filled > 0 {
            self.mix(self.word);
        }
        self.mix(self.bytes);
        self.hash
    }
}

impl Encoder for ByteDigest {
    #[inline]
    fn number(&mut self, value: u64, width: usize) {
        let bits = 8 * width as u32;
        let value = value & (u64::MAX >> (64 - bits));
        self.bytes += width as u64;
        self.word |= value << self.filled;
        self.filled += bits;
        if self.filled >= 64 {
            self.mix(self.word);
            self.filled -= 64;
            // What did not fit into the full word begins the next.
            self.word = if self.filled == 0 { 0 } else { value >> (bits - self.filled) };
        }
    }
}

/// Format 1: a word for every number.
struct WordDigest(StableHasher);

impl Encoder for WordDigest {
    #[inline]
    fn number(&mut self, value: u64, _: usize) {
        self.0.mix(value);
    }

    fn numbers(&mut self, values: impl Iterator<Item = u64>, width: usize) {
        let (mut word, mut filled) = (0, 0);
        for value in values {
            word |= (value & (u64::MAX >> (64 - 8 * width))) << (8 * filled);
            filled += width;
            // The width of a number divides eight, so none lies across the border of two words.
            if filled == 8 {
                self.0.mix(word);
                (word, filled) = (0, 0);
            }
        }
        for byte in &word.to_le_bytes()[..filled] {
            self.0.mix(u64::from(*byte));
        }
    }

    #[inline]
    fn length(&mut self, length: usize) {
        self.0.mix(length as u64);
    }

    #[inline]
    fn array(&mut self, length: usize) {
        self.length(length);
    }

    fn text(&mut self, text: &str) {
        self.numbers(text.bytes().map(u64::from), 1);
        self.0.mix(0xff);
    }
}

/// A fingerprint of 64 bits of anything that can be hashed, for tables in memory. Another compiler
/// may compute a different one, so it must not be stored in files.
pub fn fingerprint(value: &impl Hash) -> u64 {
    let mut hasher = StableHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Rotate, mix in, multiply: eight bytes at a time, with numbers in little-endian order and lengths as 64 bits.
struct StableHasher(u64);

impl Default for StableHasher {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl StableHasher {
    #[inline]
    fn mix(&mut self, word: u64) {
        // A large odd factor spreads every bit upwards; `finish` brings it down again.
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
}

impl Hasher for StableHasher {
    fn finish(&self) -> u64 {
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn write(&mut self, bytes: &[u8]) {
        let (chunks, rest) = bytes.as_chunks::<8>();
        for chunk in chunks {
            self.mix(u64::from_le_bytes(*chunk));
        }
        for &byte in rest {
            self.mix(u64::from(byte));
        }
    }

    fn write_u8(&mut self, i: u8) {
        self.mix(u64::from(i));
    }
    fn write_u16(&mut self, i: u16) {
        self.mix(u64::from(i));
    }
    fn write_u32(&mut self, i: u32) {
        self.mix(u64::from(i));
    }
    fn write_u64(&mut self, i: u64) {
        self.mix(i);
    }
    fn write_usize(&mut self, i: usize) {
        self.mix(i as u64);
    }
    fn write_i8(&mut self, i: i8) {
        self.mix(i64::from(i) as u64);
    }
    fn write_i16(&mut self, i: i16) {
        self.mix(i64::from(i) as u64);
    }
    fn write_i32(&mut self, i: i32) {
        self.mix(i64::from(i) as u64);
    }
    fn write_i64(&mut self, i: i64) {
        self.mix(i as u64);
    }
    fn write_isize(&mut self, i: isize) {
        self.mix(i as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{encode_enum, encode_struct, encoded};

    /// One of each kind of thing that a state may hold.
    struct Everything {
        a: u8,
        b: i16,
        c: Option<u32>,
        d: [u8; 10],
        e: [[u16; 3]; 2],
        f: bool,
        g: Box<[i8]>,
        h: u128,
        i: Variants,
        j: [Variants; 2],
        k: Wrapped,
        l: [Wrapped; 2],
        m: String,
        n: u64,
        o: usize,
        p: [bool; 3],
        q: [i64; 1],
    }
    encode_struct!(Everything { a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q });

    enum Variants {
        A,
        B(u8),
        C { x: u16 },
    }
    encode_enum!(Variants { 0 = A, 1 = B(n), 2 = C { x } });

    struct Wrapped(u8);
    encode_struct!(Wrapped[n]);

    fn everything() -> Everything {
        Everything {
            a: 7,
            b: -3,
            c: Some(70_000),
            d: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
            e: [[1, 2, 3], [400, 500, 600]],
            f: true,
            g: vec![-1, 2, -3].into(),
            h: 1 << 100 | 5,
            i: Variants::C { x: 9 },
            j: [Variants::A, Variants::B(3)],
            k: Wrapped(4),
            l: [Wrapped(5), Wrapped(6)],
            m: "Łódź".to_owned(),
            n: u64::MAX,
            o: 12,
            p: [true, false, true],
            q: [-9],
        }
    }

    /// What `std::hash::Hash` gave for these values when format 1 was in use.
    #[test]
    fn format_1_is_what_it_was() {
        let digest = |state: &dyn Fn() -> StateDigest| state().to_string();
        assert_eq!(digest(&|| StateDigest::of(&(), DigestFormat::V1)), "5c9ffd72");
        assert_eq!(digest(&|| StateDigest::of(&42_u8, DigestFormat::V1)), "41d9f12b");
        let tuple = (1_u8, -2_i8, [3_u16, 4], Some(5_u32));
        assert_eq!(digest(&|| StateDigest::of(&tuple, DigestFormat::V1)), "a4ad3b37");
        assert_eq!(digest(&|| StateDigest::of(&everything(), DigestFormat::V1)), "e4a8d1eb");
    }

    /// Bytes in, digest out: worked out from the recipe by another program.
    #[test]
    fn format_2_is_as_it_is_written_down() {
        let digest = |bytes: &[u8]| {
            let mut out = ByteDigest::default();
            out.numbers(bytes.iter().map(|byte| u64::from(*byte)), 1);
            let mixed = out.finish();
            StateDigest((mixed ^ (mixed >> 32)) as u32).to_string()
        };
        let rising: Vec<u8> = (0..=255).collect();
        for (bytes, expected) in [
            (&[][..], "aa24b332"),
            (&[0], "1a56c52d"),
            (&[0, 0], "396acf7d"),
            (b"maproom", "a8136a42"),
            (b"maproom!", "c6d218b6"),
            (b"maproom match 1", "e205f281"),
            (&rising, "4867917a"),
        ] {
            assert_eq!(digest(bytes), expected, "{bytes:?}");
        }
        assert_eq!(
            digest(&encoded(&everything())),
            StateDigest::of(&everything(), DigestFormat::V2).to_string()
        );
        assert_eq!(StateDigest::of(&everything(), DigestFormat::V2).to_string(), "ae19c8d5");
    }

    #[test]
    fn a_digest_reads_back() {
        let digest = StateDigest::of(&42_u32, DigestFormat::V2);
        assert_eq!(StateDigest::parse(&digest.to_string()), Some(digest));
        assert_eq!(StateDigest::parse("+1234567"), None);
        assert_eq!(StateDigest::parse("123"), None);
    }

    #[test]
    fn a_format_reads_back() {
        for format in [DigestFormat::V1, DigestFormat::V2] {
            assert_eq!(DigestFormat::parse(&format.number().to_string()), Some(format));
        }
        for unknown in ["", "0", "3", "02", "two"] {
            assert_eq!(DigestFormat::parse(unknown), None);
        }
    }
}
