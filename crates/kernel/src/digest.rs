//! A short fingerprint of a state that is the same on every machine.

use std::hash::{Hash, Hasher};

/// A state's fingerprint, shown as eight hexadecimal digits. Two states of one match that differ have
/// the same digest once in four thousand million times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StateDigest(pub u32);

impl StateDigest {
    /// The fingerprint of a state.
    pub fn of(state: &impl Hash) -> Self {
        let mixed = fingerprint(state);
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

/// All 64 bits of the fingerprint of anything that can be hashed, the same on every machine.
pub fn fingerprint(value: &impl Hash) -> u64 {
    let mut hasher = StableHasher(0xcbf2_9ce4_8422_2325);
    value.hash(&mut hasher);
    hasher.finish()
}

/// Rotate, mix in, multiply: eight bytes at a time, with numbers in little-endian order and lengths as 64 bits, so
/// that it does not depend on the machine.
struct StableHasher(u64);

impl StableHasher {
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

    #[test]
    fn digests_do_not_change_between_versions() {
        assert_eq!(StateDigest::of(&(1_u8, -2_i8, [3_u16, 4], Some(5_u32))).to_string(), "a4ad3b37");
    }

    #[test]
    fn a_digest_reads_back() {
        let digest = StateDigest::of(&42_u32);
        assert_eq!(StateDigest::parse(&digest.to_string()), Some(digest));
        assert_eq!(StateDigest::parse("+1234567"), None);
        assert_eq!(StateDigest::parse("123"), None);
    }
}
