//! Browser push: the encryption of RFC 8291 and the signature of RFC 8292.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::rand::{SecureRandom as _, SystemRandom};
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _};
use ring::{aead, agreement, digest, error, hkdf};
use serde_json::json;
use ureq::http::Uri;

use crate::hooks::Request;
use crate::{Message, hooks};

/// How long a push service keeps a message that has no deadline, in seconds: a day.
const USUAL_TTL: u64 = 24 * 3600;

/// The longest that it keeps any, in seconds: four weeks.
const LONGEST_TTL: u64 = 28 * 24 * 3600;

/// How long a signature is good, in seconds. A day is the most that is allowed.
const SIGNED_FOR: u64 = 12 * 3600;

/// The most letters of a payload's text: with its head and tag a message must fit into 4,096 bytes.
const LONGEST_BODY: usize = 800;

/// The size of a record. A message is one record, so any size from its length on does; this is the usual one.
const RECORD: u32 = 4096;

/// The keys of a subscription, as a browser gives them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SubscriptionKeys {
    /// Its public key, `p256dh`: 65 bytes.
    public: Vec<u8>,
    /// What it was given to know the sender by, `auth`: 16 bytes.
    auth: Vec<u8>,
}

impl SubscriptionKeys {
    /// Reads `p256dh` and `auth`, the way browsers write them, with a space between; this is the `secret` of a push channel.
    pub fn read(text: &str) -> Option<SubscriptionKeys> {
        let (public, auth) = text.split_once(' ')?;
        // Some browsers fill up with `=`.
        let decode = |text: &str| URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')).ok();
        let keys = SubscriptionKeys { public: decode(public)?, auth: decode(auth)? };
        (keys.public.len() == 65 && keys.public[0] == 4 && keys.auth.len() == 16).then_some(keys)
    }
}

/// The key pair by which push services know the house, and whom they may write to about it.
pub struct Vapid {
    pair: EcdsaKeyPair,
    subject: String,
}

impl Vapid {
    /// A new key pair as text, to be kept: browsers tie their subscriptions to it. `None` if the system has no randomness to give.
    pub fn fresh_key() -> Option<String> {
        let document = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &SystemRandom::new());
        document.ok().map(|document| URL_SAFE_NO_PAD.encode(document))
    }

    /// With a key pair that was kept, and an address at which whoever runs the house can be reached: `https://…` or `mailto:…`.
    /// Push services refuse messages whose subject is not a real one.
    pub fn new(key: &str, subject: &str) -> Result<Vapid, String> {
        if !is_real(subject) {
            return Err(format!(
                "`{subject}` is no address at which push services could reach you: it must be a public https:// or mailto: address"
            ));
        }
        let unusable = || "the key pair for browser push is damaged".to_owned();
        let pkcs8 = URL_SAFE_NO_PAD.decode(key).map_err(|_| unusable())?;
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &pkcs8, &SystemRandom::new());
        Ok(Vapid { pair: pair.map_err(|_| unusable())?, subject: subject.to_owned() })
    }

    /// The public key as browsers want it to subscribe (`applicationServerKey`).
    pub fn public_key(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.pair.public_key())
    }

    /// The header that says who sends to an endpoint.
    fn authorization(&self, endpoint: &Uri, now: u64) -> Result<String, error::Unspecified> {
        let (scheme, host) = (endpoint.scheme_str(), endpoint.authority());
        let (Some(scheme), Some(host)) = (scheme, host) else { return Err(error::Unspecified) };
        let part = |value: serde_json::Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let head = part(json!({ "typ": "JWT", "alg": "ES256" }));
        let aud = format!("{scheme}://{host}");
        let claims = part(json!({ "aud": aud, "exp": now / 1000 + SIGNED_FOR, "sub": self.subject }));
        let token = format!("{head}.{claims}");
        let signature = URL_SAFE_NO_PAD.encode(self.pair.sign(&SystemRandom::new(), token.as_bytes())?);
        Ok(format!("vapid t={token}.{signature}, k={}", self.public_key()))
    }
}

/// Whether a subject is an address in the public network.
fn is_real(subject: &str) -> bool {
    let host = if let Some(mail) = subject.strip_prefix("mailto:") {
        mail.parse::<lettre::Address>().ok().map(|address| address.domain().to_lowercase())
    } else if subject.starts_with("https://") {
        subject.parse::<Uri>().ok().and_then(|uri| uri.host().map(str::to_lowercase))
    } else {
        None
    };
    let private = ["local", "localhost", "invalid", "test", "example", "internal", "lan"];
    host.as_deref().and_then(|host| host.rsplit_once('.')).is_some_and(|(name, top)| {
        !name.is_empty()
            && top.len() > 1
            && top.bytes().all(|b| b.is_ascii_alphabetic() || b == b'-')
            && !private.contains(&top)
    })
}

/// The request that brings a message to a browser: encrypted for it, kept until the deadline, replacing an older one of the same
/// match. `None` if it can't be encrypted or the endpoint is no address.
pub(crate) fn request(
    vapid: &Vapid,
    endpoint: &str,
    keys: &SubscriptionKeys,
    message: &Message,
    now: u64,
) -> Option<Request> {
    let endpoint: Uri = endpoint.parse().ok()?;
    let ttl =
        message.until.map_or(USUAL_TTL, |until| (until.saturating_sub(now) / 1000).clamp(60, LONGEST_TTL));
    let urgency = if message.is_urgent { "high" } else { "normal" };
    let headers = vec![
        ("Authorization", vapid.authorization(&endpoint, now).ok()?),
        ("Content-Encoding", "aes128gcm".to_owned()),
        ("Content-Type", "application/octet-stream".to_owned()),
        ("TTL", ttl.to_string()),
        ("Topic", topic(&message.tag)),
        ("Urgency", urgency.to_owned()),
    ];
    let body = encrypt(keys, payload(message).to_string().as_bytes()).ok()?;
    Some(Request { headers, body })
}

/// What the worker of the page gets.
fn payload(message: &Message) -> serde_json::Value {
    let body: String = hooks::lines(message).split_off(1).join("\n").chars().take(LONGEST_BODY).collect();
    let title: String = message.title.chars().take(200).collect();
    json!({ "title": title, "body": body, "url": message.link, "tag": message.tag })
}

/// A tag as a topic: up to 32 letters that tell a push service nothing.
fn topic(tag: &str) -> String {
    URL_SAFE_NO_PAD.encode(&digest::digest(&digest::SHA256, tag.as_bytes()).as_ref()[..24])
}

/// Encrypts for a subscription, with a key pair and a salt for this one message.
fn encrypt(keys: &SubscriptionKeys, plain: &[u8]) -> Result<Vec<u8>, error::Unspecified> {
    let random = SystemRandom::new();
    let own = agreement::EphemeralPrivateKey::generate(&agreement::ECDH_P256, &random)?;
    let public = own.compute_public_key()?;
    let mut salt = [0; 16];
    random.fill(&mut salt)?;
    let theirs = agreement::UnparsedPublicKey::new(&agreement::ECDH_P256, &keys.public);
    agreement::agree_ephemeral(own, &theirs, |shared| seal(shared, keys, public.as_ref(), salt, plain))?
}

/// How many bytes are wanted of a key derivation.
struct Bytes(usize);

impl hkdf::KeyType for Bytes {
    fn len(&self) -> usize {
        self.0
    }
}

fn derive<const N: usize>(salt: &[u8], secret: &[u8], info: &[&[u8]]) -> Result<[u8; N], error::Unspecified> {
    let mut key = [0; N];
    let extracted = hkdf::Salt::new(hkdf::HKDF_SHA256, salt).extract(secret);
    extracted.expand(info, Bytes(N))?.fill(&mut key)?;
    Ok(key)
}

/// All that follows the key agreement: keys from the shared secret, and the body with its head.
fn seal(
    shared: &[u8],
    keys: &SubscriptionKeys,
    public: &[u8],
    salt: [u8; 16],
    plain: &[u8],
) -> Result<Vec<u8>, error::Unspecified> {
    let input: [u8; 32] = derive(&keys.auth, shared, &[b"WebPush: info\0", &keys.public, public])?;
    let key: [u8; 16] = derive(&salt, &input, &[b"Content-Encoding: aes128gcm\0"])?;
    let nonce: [u8; 12] = derive(&salt, &input, &[b"Content-Encoding: nonce\0"])?;
    // 2 marks the last record, and there is only one.
    let mut record = [plain, &[2]].concat();
    let key = aead::LessSafeKey::new(aead::UnboundKey::new(&aead::AES_128_GCM, &key)?);
    let nonce = aead::Nonce::assume_unique_for_key(nonce);
    key.seal_in_place_append_tag(nonce, aead::Aad::empty(), &mut record)?;
    let length = u8::try_from(public.len()).map_err(|_| error::Unspecified)?;
    Ok([&salt[..], &RECORD.to_be_bytes(), &[length], public, &record].concat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_message;
    use ring::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};

    fn decode(text: &str) -> Vec<u8> {
        URL_SAFE_NO_PAD.decode(text).unwrap()
    }

    /// The figures of RFC 8291, appendix A, from the shared secret on.
    #[test]
    fn what_follows_the_key_agreement_is_as_published() {
        let keys = SubscriptionKeys::read(
            "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4 \
             BTBZMqHH6r4Tts7J_aSIgg",
        )
        .unwrap();
        let shared = decode("kyrL1jIIOHEzg3sM2ZWRHDRB62YACZhhSlknJ672kSs");
        let public =
            decode("BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8");
        let salt: [u8; 16] = decode("DGv6ra1nlYgDCS1FRnbzlw").try_into().unwrap();
        let input: [u8; 32] =
            derive(&keys.auth, &shared, &[b"WebPush: info\0", &keys.public, &public]).unwrap();
        assert_eq!(input[..], decode("S4lYMb_L0FxCeq0WhDx813KgSYqU26kOyzWUdsXYyrg"));
        let key: [u8; 16] = derive(&salt, &input, &[b"Content-Encoding: aes128gcm\0"]).unwrap();
        assert_eq!(key[..], decode("oIhVW04MRdy2XN9CiKLxTg"));
        let nonce: [u8; 12] = derive(&salt, &input, &[b"Content-Encoding: nonce\0"]).unwrap();
        assert_eq!(nonce[..], decode("4h_95klXJ5E_qnoN"));
        let body = seal(&shared, &keys, &public, salt, b"When I grow up, I want to be a watermelon").unwrap();
        assert_eq!(
            URL_SAFE_NO_PAD.encode(body),
            "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK\
             6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
        );
    }

    #[test]
    fn a_browser_can_open_it() {
        let browser =
            agreement::EphemeralPrivateKey::generate(&agreement::ECDH_P256, &SystemRandom::new()).unwrap();
        let public = browser.compute_public_key().unwrap();
        let keys = SubscriptionKeys { public: public.as_ref().to_vec(), auth: vec![7; 16] };
        let body = encrypt(&keys, b"hello").unwrap();
        let (head, record) = body.split_at(86);
        let (salt, sender) = (&head[..16], &head[21..]);
        assert_eq!(head[16..21], [0, 0, 16, 0, 65]);
        let theirs = agreement::UnparsedPublicKey::new(&agreement::ECDH_P256, sender);
        let opened = agreement::agree_ephemeral(browser, &theirs, |shared| {
            let info: [&[u8]; 3] = [b"WebPush: info\0", &keys.public, sender];
            let input: [u8; 32] = derive(&keys.auth, shared, &info).unwrap();
            let key: [u8; 16] = derive(salt, &input, &[b"Content-Encoding: aes128gcm\0"]).unwrap();
            let nonce: [u8; 12] = derive(salt, &input, &[b"Content-Encoding: nonce\0"]).unwrap();
            let key = aead::LessSafeKey::new(aead::UnboundKey::new(&aead::AES_128_GCM, &key).unwrap());
            let mut record = record.to_vec();
            let nonce = aead::Nonce::assume_unique_for_key(nonce);
            key.open_in_place(nonce, aead::Aad::empty(), &mut record).unwrap().to_vec()
        });
        assert_eq!(opened.unwrap(), b"hello\x02");
    }

    fn some_keys() -> SubscriptionKeys {
        let browser =
            agreement::EphemeralPrivateKey::generate(&agreement::ECDH_P256, &SystemRandom::new()).unwrap();
        SubscriptionKeys {
            public: browser.compute_public_key().unwrap().as_ref().to_vec(),
            auth: vec![7; 16],
        }
    }

    #[test]
    fn the_house_signs_for_the_push_service() {
        let vapid = Vapid::new(&Vapid::fresh_key().unwrap(), "mailto:post@example.org").unwrap();
        let endpoint = "https://push.example.org:8443/abc".parse().unwrap();
        let header = vapid.authorization(&endpoint, 1_790_000_000_000).unwrap();
        let (token, key) = header.strip_prefix("vapid t=").unwrap().split_once(", k=").unwrap();
        assert_eq!((key, decode(key).len()), (vapid.public_key().as_str(), 65));
        let (signed, signature) = token.rsplit_once('.').unwrap();
        let public = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, decode(key));
        public.verify(signed.as_bytes(), &decode(signature)).unwrap();
        let (head, claims) = signed.split_once('.').unwrap();
        assert_eq!(decode(head), br#"{"typ":"JWT","alg":"ES256"}"#);
        let expected =
            r#"{"aud":"https://push.example.org:8443","exp":1790043200,"sub":"mailto:post@example.org"}"#;
        assert_eq!(decode(claims), expected.as_bytes());
    }

    #[test]
    fn a_message_is_kept_until_its_deadline() {
        let vapid = Vapid::new(&Vapid::fresh_key().unwrap(), "https://maproom.org/about").unwrap();
        let ttl = |until| {
            let message = Message { until, tag: "m".into(), ..test_message("https://maproom.example") };
            let request =
                request(&vapid, "https://push.example.org/abc", &some_keys(), &message, 10_000).unwrap();
            let header = |name: &str| request.headers.iter().find(|(one, _)| *one == name).unwrap().1.clone();
            assert_eq!(header("Topic").len(), 32);
            header("TTL")
        };
        assert_eq!(
            [ttl(None), ttl(Some(3_610_000)), ttl(Some(0)), ttl(Some(u64::MAX))],
            ["86400", "3600", "60", "2419200"]
        );
        assert_ne!(topic("m"), topic("n"));
    }

    #[test]
    fn a_message_fits_into_a_record() {
        let mut message = test_message("https://maproom.example");
        message.items = vec![message.items[0].clone(); 100];
        for item in &mut message.items {
            item.text = "\u{1F3B2}\"".repeat(300);
        }
        message.title = "\u{1F3B2}".repeat(999);
        let payload = payload(&message).to_string();
        assert!(payload.len() < 4096 - 86 - 17, "{}", payload.len());
    }

    #[test]
    fn subjects_must_be_real() {
        let key = Vapid::fresh_key().unwrap();
        for good in ["mailto:post@example.org", "https://maproom.org", "https://maproom.org:8443/about"] {
            assert!(Vapid::new(&key, good).is_ok(), "{good}");
        }
        for bad in [
            "",
            "post@example.org",
            "mailto:",
            "mailto:root@localhost",
            "https://localhost",
            "http://maproom.org",
            "https://127.0.0.1",
            "https://[::1]/",
            "https://maproom.local",
            "mailto:a@b.invalid",
            "https://maproom",
        ] {
            assert!(Vapid::new(&key, bad).is_err(), "{bad}");
        }
        assert!(Vapid::new("AAAA", "mailto:post@example.org").is_err());
    }

    #[test]
    fn keys_are_read_as_browsers_write_them() {
        let keys = some_keys();
        let (public, auth) = (URL_SAFE_NO_PAD.encode(&keys.public), URL_SAFE_NO_PAD.encode(&keys.auth));
        assert_eq!(SubscriptionKeys::read(&format!("{public} {auth}")), Some(keys.clone()));
        assert_eq!(SubscriptionKeys::read(&format!("{public}= {auth}==")), Some(keys));
        for bad in ["", " ", &public, &format!("{public} {public}"), &format!("{auth} {auth}"), "é é"] {
            assert_eq!(SubscriptionKeys::read(bad), None, "{bad}");
        }
    }
}
