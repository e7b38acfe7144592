//! Secrets of the house: random text, and codes that only the house can make.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::hmac;
use ring::rand::{SecureRandom as _, SystemRandom};
use store::{AccountId, ChannelId};

/// Text of 256 random bits, for the house and for hooks; `None` if the system has no randomness to give.
pub fn fresh_secret() -> Option<String> {
    let mut bytes = [0; 32];
    SystemRandom::new().fill(&mut bytes).ok()?;
    Some(URL_SAFE_NO_PAD.encode(bytes))
}

/// HMAC-SHA256 of the parts, one after another.
pub(crate) fn code(key: &str, parts: &[&[u8]]) -> hmac::Tag {
    let mut code = hmac::Context::with_key(&hmac::Key::new(hmac::HMAC_SHA256, key.as_bytes()));
    parts.iter().for_each(|part| code.update(part));
    code.sign()
}

/// Bytes as lower-case hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The token of a link that ends the notices by one channel and can do nothing else. It needs no log-in and never runs out, because
/// somebody may unsubscribe by a mail of last year.
///
/// ```
/// use post::{read_unsubscribe, unsubscribe_token};
/// use store::{AccountId, ChannelId};
/// let token = unsubscribe_token("secret", AccountId(17), ChannelId(3));
/// assert_eq!(read_unsubscribe("secret", &token), Some((AccountId(17), ChannelId(3))));
/// assert_eq!(read_unsubscribe("other secret", &token), None);
/// ```
pub fn unsubscribe_token(secret: &str, account: AccountId, channel: ChannelId) -> String {
    let code = code(secret, &[signed(account, channel).as_bytes()]);
    format!("{account}-{}-{}", channel.0, hex(&code.as_ref()[..16]))
}

/// Whose notices by which channel a token ends, if the house has made it.
pub fn read_unsubscribe(secret: &str, token: &str) -> Option<(AccountId, ChannelId)> {
    let mut parts = token.split('-');
    let (account, channel) = (parts.next()?.parse().ok()?, ChannelId(parts.next()?.parse().ok()?));
    // The whole text is compared, so that a token has one spelling only.
    let made = unsubscribe_token(secret, account, channel);
    is_same(secret, &made, token).then_some((account, channel))
}

fn signed(account: AccountId, channel: ChannelId) -> String {
    format!("unsubscribe {account} {}", channel.0)
}

/// Compares two texts in a time that tells nothing about where they differ: what is compared are codes of them.
fn is_same(key: &str, one: &str, other: &str) -> bool {
    let expected = code(key, &[one.as_bytes()]);
    let key = hmac::Key::new(hmac::HMAC_SHA256, key.as_bytes());
    hmac::verify(&key, other.as_bytes(), expected.as_ref()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_token_as_it_was_made_is_read() {
        let token = unsubscribe_token("secret", AccountId(17), ChannelId(3));
        assert!(read_unsubscribe("secret", &token).is_some());
        let code = token.rsplit('-').next().unwrap();
        for other in [
            format!("a18-3-{code}"),
            format!("a17-4-{code}"),
            format!("a017-3-{code}"),
            format!("a17-+3-{code}"),
            format!("{token}-"),
            token.to_uppercase(),
            token[..token.len() - 1].to_owned(),
            String::new(),
            "a17-3-".to_owned(),
            "--".to_owned(),
        ] {
            assert_eq!(read_unsubscribe("secret", &other), None, "{other}");
        }
        for i in 0..token.len() {
            let mut bytes = token.clone().into_bytes();
            bytes[i] ^= 1;
            assert_eq!(read_unsubscribe("secret", &String::from_utf8(bytes).unwrap()), None, "{i}");
        }
    }

    #[test]
    fn secrets_differ() {
        assert_ne!(fresh_secret().unwrap(), fresh_secret().unwrap());
        assert_eq!(fresh_secret().unwrap().len(), 43);
    }

    /// Test case 2 of RFC 4231.
    #[test]
    fn codes_are_hmac_sha256() {
        let code = code("Jefe", &[b"what do ya want ", b"for nothing?"]);
        assert_eq!(hex(code.as_ref()), "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    }
}
