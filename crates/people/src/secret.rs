//! The secrets in cookies and one-time links, and what is kept of them.

use std::fmt;
use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};
use store::Fingerprint;

/// The machine provides no random numbers, so no secret can be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoRandomness;

/// 256 random bits as text. Whoever has it can use what it opens, so it is shown to one person once and never stored.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// A new one.
    pub fn new() -> Result<Self, NoRandomness> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(|_| NoRandomness)?;
        let mut text = String::with_capacity(64);
        for byte in bytes {
            let _ = write!(text, "{byte:02x}");
        }
        Ok(Self(text))
    }

    /// The text that goes into the cookie or the link.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// What is stored.
    pub fn fingerprint(&self) -> Fingerprint {
        fingerprint(&self.0)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// What is stored of a secret that somebody shows. Looking it up takes a time that tells nothing about the secret, because an
/// index is searched for its hash.
pub fn fingerprint(shown: &str) -> Fingerprint {
    Fingerprint(Sha256::digest(shown.as_bytes()).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_long_and_differ_and_are_not_printed() {
        let (a, b) = (Secret::new().expect("random"), Secret::new().expect("random"));
        assert_eq!(a.reveal().len(), 64);
        assert_ne!(a.reveal(), b.reveal());
        assert_eq!(a.fingerprint(), fingerprint(a.reveal()));
        assert_ne!(a.fingerprint(), b.fingerprint());
        assert!(!format!("{a:?}").contains(a.reveal()));
    }

    #[test]
    fn the_fingerprint_is_the_sha_256() {
        let hex: String = fingerprint("abc").0.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
