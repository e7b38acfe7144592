//! Certificates that live as long as a test: made byte by byte, as no crate for that is light.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::rand::SystemRandom;
use ring::signature::{
    ECDSA_P256_SHA256_ASN1_SIGNING, ECDSA_P384_SHA384_ASN1_SIGNING, EcdsaKeyPair, Ed25519KeyPair,
    KeyPair as _,
};

const P256: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07];
const P384: &[u8] = &[0x2b, 0x81, 0x04, 0x00, 0x22];
const ELLIPTIC: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01];
const ECDSA_SHA256: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02];
const ECDSA_SHA384: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x03];
const ED25519: &[u8] = &[0x2b, 0x65, 0x70];
const COMMON_NAME: &[u8] = &[0x55, 0x04, 0x03];
const OTHER_NAMES: &[u8] = &[0x55, 0x1d, 0x11];
const CONSTRAINTS: &[u8] = &[0x55, 0x1d, 0x13];

const TRUE: u8 = 0x01;
const INTEGER: u8 = 0x02;
const BITS: u8 = 0x03;
const BYTES: u8 = 0x04;
const OBJECT: u8 = 0x06;
const TEXT: u8 = 0x0c;
const TIME: u8 = 0x17;
const SEQUENCE: u8 = 0x30;
const SET: u8 = 0x31;
/// A name of a host, among other names.
const HOST: u8 = 0x82;
/// An address, among other names.
const ADDRESS: u8 = 0x87;

/// How an authority signs.
#[derive(Clone, Copy)]
pub enum Signature {
    EcdsaSha256,
    EcdsaSha384,
    /// For which no hash is agreed on.
    Ed25519,
}

/// A key, and what is signed with it.
enum Key {
    Ecdsa(Signature, Vec<u8>),
    Ed25519(Vec<u8>),
}

impl Key {
    fn new(signature: Signature) -> Self {
        let dice = SystemRandom::new();
        let ecdsa = |algorithm| EcdsaKeyPair::generate_pkcs8(algorithm, &dice).unwrap().as_ref().to_vec();
        match signature {
            Signature::EcdsaSha256 => Self::Ecdsa(signature, ecdsa(&ECDSA_P256_SHA256_ASN1_SIGNING)),
            Signature::EcdsaSha384 => Self::Ecdsa(signature, ecdsa(&ECDSA_P384_SHA384_ASN1_SIGNING)),
            Signature::Ed25519 => {
                Self::Ed25519(Ed25519KeyPair::generate_pkcs8(&dice).unwrap().as_ref().to_vec())
            }
        }
    }

    fn ecdsa(signature: Signature, key: &[u8]) -> EcdsaKeyPair {
        let algorithm = match signature {
            Signature::EcdsaSha384 => &ECDSA_P384_SHA384_ASN1_SIGNING,
            _ => &ECDSA_P256_SHA256_ASN1_SIGNING,
        };
        EcdsaKeyPair::from_pkcs8(algorithm, key, &SystemRandom::new()).unwrap()
    }

    fn public(&self) -> Vec<u8> {
        let (kind, key) = match self {
            Self::Ecdsa(signature, key) => {
                let curve = if matches!(signature, Signature::EcdsaSha384) { P384 } else { P256 };
                let kind = [der(OBJECT, &[ELLIPTIC]), der(OBJECT, &[curve])].concat();
                (kind, Self::ecdsa(*signature, key).public_key().as_ref().to_vec())
            }
            Self::Ed25519(key) => {
                let pair = Ed25519KeyPair::from_pkcs8(key).unwrap();
                (der(OBJECT, &[ED25519]), pair.public_key().as_ref().to_vec())
            }
        };
        der(SEQUENCE, &[&der(SEQUENCE, &[&kind]), &der(BITS, &[&[0], &key])])
    }

    /// Signs a certificate: what is to be signed, with what, the signature.
    fn sign(&self, inside: &[u8]) -> Vec<u8> {
        let signature = match self {
            Self::Ecdsa(signature, key) => {
                Self::ecdsa(*signature, key).sign(&SystemRandom::new(), inside).unwrap().as_ref().to_vec()
            }
            Self::Ed25519(key) => Ed25519KeyPair::from_pkcs8(key).unwrap().sign(inside).as_ref().to_vec(),
        };
        der(SEQUENCE, &[inside, &self.algorithm(), &der(BITS, &[&[0], &signature])])
    }

    fn algorithm(&self) -> Vec<u8> {
        let name = match self {
            Self::Ecdsa(Signature::EcdsaSha384, _) => ECDSA_SHA384,
            Self::Ecdsa(..) => ECDSA_SHA256,
            Self::Ed25519(_) => ED25519,
        };
        der(SEQUENCE, &[&der(OBJECT, &[name])])
    }

    fn pem(&self) -> String {
        let (Self::Ecdsa(_, key) | Self::Ed25519(key)) = self;
        pem("PRIVATE KEY", key)
    }
}

/// What a certificate is to be like.
pub struct Wish<'a> {
    pub hosts: &'a [&'a str],
    pub addresses: &'a [[u8; 4]],
    /// From when and until when it is valid.
    pub dates: [&'a str; 2],
    /// Of the version before there were names.
    pub is_old: bool,
    pub is_authority: bool,
}

/// A time of which this is the middle.
pub const NOW: [&str; 2] = ["200101000000Z", "491231235959Z"];
pub const LONG_AGO: [&str; 2] = ["200101000000Z", "210101000000Z"];
pub const SOME_DAY: [&str; 2] = ["480101000000Z", "491231235959Z"];

impl Default for Wish<'_> {
    fn default() -> Self {
        Self {
            hosts: &["localhost"],
            addresses: &[[127, 0, 0, 1]],
            dates: NOW,
            is_old: false,
            is_authority: false,
        }
    }
}

/// A certificate and its key, as PEM.
pub struct Pair {
    pub certificate: String,
    pub key: String,
}

/// Who signs certificates.
pub struct Authority {
    name: String,
    key: Key,
    certificate: Vec<u8>,
}

impl Authority {
    pub fn new(name: &str, signature: Signature) -> Self {
        Self::like(
            name,
            signature,
            &Wish { hosts: &[], addresses: &[], is_authority: true, ..Wish::default() },
        )
    }

    /// One that is signed by itself, whatever it is like.
    pub fn like(name: &str, signature: Signature, wish: &Wish<'_>) -> Self {
        let key = Key::new(signature);
        let certificate = certificate((name, &key), (name, &key), wish);
        Self { name: name.to_owned(), key, certificate }
    }

    pub fn pem(&self) -> String {
        pem("CERTIFICATE", &self.certificate)
    }

    /// Its own certificate and key, for a server that shows these.
    pub fn own(&self) -> Pair {
        Pair { certificate: self.pem(), key: self.key.pem() }
    }

    /// A certificate for a server.
    pub fn issue(&self, wish: &Wish<'_>) -> Pair {
        let key = Key::new(Signature::EcdsaSha256);
        let certificate = certificate((&self.name, &self.key), ("localhost", &key), wish);
        Pair { certificate: pem("CERTIFICATE", &certificate), key: key.pem() }
    }
}

fn certificate(from: (&str, &Key), to: (&str, &Key), wish: &Wish<'_>) -> Vec<u8> {
    let name = |name: &str| {
        let pair = der(SEQUENCE, &[&der(OBJECT, &[COMMON_NAME]), &der(TEXT, &[name.as_bytes()])]);
        der(SEQUENCE, &[&der(SET, &[&pair])])
    };
    let version = der(0xa0, &[&der(INTEGER, &[&[2]])]);
    let extensions = der(0xa3, &[&der(SEQUENCE, &[&names(wish), &constraints(wish)])]);
    let is_plain = wish.is_old || (names(wish).is_empty() && constraints(wish).is_empty());
    let dates = wish.dates.map(|date| der(TIME, &[date.as_bytes()])).concat();
    let inside = [
        if wish.is_old { Vec::new() } else { version },
        der(INTEGER, &[&[1]]),
        from.1.algorithm(),
        name(from.0),
        der(SEQUENCE, &[&dates]),
        name(to.0),
        to.1.public(),
        if is_plain { Vec::new() } else { extensions },
    ];
    from.1.sign(&der(SEQUENCE, &[&inside.concat()]))
}

fn names(wish: &Wish<'_>) -> Vec<u8> {
    let hosts = wish.hosts.iter().map(|host| der(HOST, &[host.as_bytes()]));
    let addresses = wish.addresses.iter().map(|address| der(ADDRESS, &[address]));
    let all = hosts.chain(addresses).collect::<Vec<_>>().concat();
    if all.is_empty() {
        return all;
    }
    der(SEQUENCE, &[&der(OBJECT, &[OTHER_NAMES]), &der(BYTES, &[&der(SEQUENCE, &[&all])])])
}

fn constraints(wish: &Wish<'_>) -> Vec<u8> {
    if !wish.is_authority {
        return Vec::new();
    }
    let yes = der(TRUE, &[&[0xff]]);
    der(SEQUENCE, &[&der(OBJECT, &[CONSTRAINTS]), &yes, &der(BYTES, &[&der(SEQUENCE, &[&yes])])])
}

/// One element of DER.
fn der(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let inside = parts.concat();
    let [.., high, low] = inside.len().to_be_bytes();
    let head = match inside.len() {
        0..=0x7f => vec![tag, low],
        0x80..=0xff => vec![tag, 0x81, low],
        _ => vec![tag, 0x82, high, low],
    };
    [head, inside].concat()
}

fn pem(what: &str, bytes: &[u8]) -> String {
    let text = STANDARD.encode(bytes);
    let lines: Vec<&str> =
        text.as_bytes().chunks(64).map(|line| std::str::from_utf8(line).unwrap()).collect();
    format!("-----BEGIN {what}-----\n{}\n-----END {what}-----\n", lines.join("\n"))
}
