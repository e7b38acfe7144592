//! Identifiers of matches and the secret tokens of seats.

use std::fmt;

use subtle::ConstantTimeEq as _;

/// Letters and digits without those that look alike.
const ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// The machine provides no random numbers, so no secret can be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoRandomness;

impl fmt::Display for NoRandomness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no random numbers on this machine")
    }
}

/// An array of random bytes.
pub fn random_bytes<const N: usize>() -> Result<[u8; N], NoRandomness> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|_| NoRandomness)?;
    Ok(bytes)
}

/// A random string with five bits per letter.
fn random_text<const LETTERS: usize>() -> Result<String, NoRandomness> {
    let bytes = random_bytes::<LETTERS>()?;
    Ok(bytes.into_iter().map(|byte| char::from(ALPHABET[usize::from(byte) % ALPHABET.len()])).collect())
}

/// The public id of a match: 50 bits, so that two are never the same by chance.
pub fn match_id() -> Result<String, NoRandomness> {
    random_text::<10>()
}

/// The secret token of a seat: 130 bits, impossible to guess.
pub fn token() -> Result<String, NoRandomness> {
    random_text::<26>()
}

/// Whether two secrets are the same, in a time that does not depend on where they differ.
pub fn same(a: &str, b: &str) -> bool {
    a.as_bytes().ct_eq(b.as_bytes()).into()
}

/// Whether a text could be an identifier or token of ours.
pub fn well_formed(text: &str) -> bool {
    (1..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_long_and_differ() {
        let (a, b) = (token().expect("random"), token().expect("random"));
        assert_eq!(a.len(), 26);
        assert!(!same(&a, &b));
        assert!(same(&a, &a.clone()));
        assert!(!same(&a, &a[..25]));
        assert!(well_formed(&a) && !well_formed("../x") && !well_formed(""));
    }
}
