//! What binds a password to a connection with TLS (`tls-server-end-point`, RFC 5929): a hash of the server's certificate, which
//! somebody in between would have to show, too. It is made as the certificate was signed.

use sha2::{Digest as _, Sha224, Sha256, Sha384, Sha512};

/// Signatures with RSA: 1.2.840.113549.1.1.
const RSA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01];
/// Signatures with elliptic curves: 1.2.840.10045.4.
const ECDSA: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04];
/// Hashes: 2.16.840.1.101.3.4.2.
const HASHES: &[u8] = &[0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02];
/// SHA-1: 1.3.14.3.2.26.
const SHA_1: &[u8] = &[0x2b, 0x0e, 0x03, 0x02, 0x1a];

const SEQUENCE: u8 = 0x30;
const NAME: u8 = 0x06;
/// What stands first among the parameters of RSA-PSS: its hash.
const FIRST: u8 = 0xa0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hash {
    Sha224,
    Sha256,
    Sha384,
    Sha512,
}

/// The hash of a certificate; `None` if it is signed in a way for which none is agreed on (such as Ed25519).
pub(super) fn end_point(certificate: &[u8]) -> Option<Vec<u8>> {
    let (whole, _) = element(SEQUENCE, certificate)?;
    let (_, after) = element(SEQUENCE, whole)?;
    let (algorithm, _) = element(SEQUENCE, after)?;
    Some(match hash_of_signature(algorithm)? {
        Hash::Sha224 => Sha224::digest(certificate).to_vec(),
        Hash::Sha256 => Sha256::digest(certificate).to_vec(),
        Hash::Sha384 => Sha384::digest(certificate).to_vec(),
        Hash::Sha512 => Sha512::digest(certificate).to_vec(),
    })
}

/// With what a signature was made. MD5 and SHA-1 count as SHA-256.
fn hash_of_signature(algorithm: &[u8]) -> Option<Hash> {
    let (name, parameters) = element(NAME, algorithm)?;
    if let Some(which) = name.strip_prefix(RSA) {
        return match which {
            [4 | 5 | 11] => Some(Hash::Sha256),
            [10] => hash_of_pss(parameters),
            [12] => Some(Hash::Sha384),
            [13] => Some(Hash::Sha512),
            [14] => Some(Hash::Sha224),
            _ => None,
        };
    }
    match name.strip_prefix(ECDSA)? {
        [1] | [3, 2] => Some(Hash::Sha256),
        [3, 1] => Some(Hash::Sha224),
        [3, 3] => Some(Hash::Sha384),
        [3, 4] => Some(Hash::Sha512),
        _ => None,
    }
}

/// RSA-PSS names its hash among its parameters; if it does not, that is SHA-1.
fn hash_of_pss(parameters: &[u8]) -> Option<Hash> {
    let (parameters, _) = element(SEQUENCE, parameters)?;
    if parameters.first() != Some(&FIRST) {
        return Some(Hash::Sha256);
    }
    let (hash, _) = element(FIRST, parameters)?;
    let (hash, _) = element(SEQUENCE, hash)?;
    let (name, _) = element(NAME, hash)?;
    if name == SHA_1 {
        return Some(Hash::Sha256);
    }
    match name.strip_prefix(HASHES)? {
        [1] => Some(Hash::Sha256),
        [2] => Some(Hash::Sha384),
        [3] => Some(Hash::Sha512),
        [4] => Some(Hash::Sha224),
        _ => None,
    }
}

/// What the first element of some DER holds, if it has this tag, and what comes after it.
fn element(tag: u8, der: &[u8]) -> Option<(&[u8], &[u8])> {
    let (found, rest) = der.split_first()?;
    let (first, rest) = rest.split_first()?;
    let (length, rest) = match first {
        0..=0x7f => (usize::from(*first), rest),
        0x81..=0x83 => {
            let (digits, rest) = rest.split_at_checked(usize::from(first & 0x7f))?;
            (digits.iter().fold(0, |length, digit| length << 8 | usize::from(*digit)), rest)
        }
        _ => return None,
    };
    if *found == tag { rest.split_at_checked(length) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrap(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
        let inside = parts.concat();
        let length = u8::try_from(inside.len()).expect("short");
        let head: &[u8] = if length < 0x80 { &[tag, length] } else { &[tag, 0x81, length] };
        [head, &inside].concat()
    }

    fn algorithm(name: &[u8], which: &[u8], parameters: &[u8]) -> Vec<u8> {
        [wrap(NAME, &[name, which]), parameters.to_vec()].concat()
    }

    #[test]
    fn hashed_as_it_was_signed() {
        use Hash::*;
        let null = [5, 0];
        for (name, which, parameters, hash) in [
            (RSA, &[4][..], &null[..], Some(Sha256)),
            (RSA, &[5], &null, Some(Sha256)),
            (RSA, &[11], &null, Some(Sha256)),
            (RSA, &[12], &null, Some(Sha384)),
            (RSA, &[13], &null, Some(Sha512)),
            (RSA, &[14], &null, Some(Sha224)),
            (RSA, &[99], &null, None),
            (ECDSA, &[1], &[], Some(Sha256)),
            (ECDSA, &[3, 1], &[], Some(Sha224)),
            (ECDSA, &[3, 2], &[], Some(Sha256)),
            (ECDSA, &[3, 3], &[], Some(Sha384)),
            (ECDSA, &[3, 4], &[], Some(Sha512)),
            // Ed25519.
            (&[0x2b, 0x65], &[0x70], &[], None),
        ] {
            assert_eq!(hash_of_signature(&algorithm(name, which, parameters)), hash, "{which:?}");
        }
        let pss = |hash: &[u8]| {
            let hash = wrap(FIRST, &[&wrap(SEQUENCE, &[hash, &null])]);
            hash_of_signature(&algorithm(RSA, &[10], &wrap(SEQUENCE, &[&hash])))
        };
        for (which, hash) in [(1, Sha256), (2, Sha384), (3, Sha512), (4, Sha224)] {
            assert_eq!(pss(&wrap(NAME, &[HASHES, &[which]])), Some(hash));
        }
        assert_eq!(pss(&wrap(NAME, &[SHA_1])), Some(Sha256));
        assert_eq!(pss(&wrap(NAME, &[HASHES, &[99]])), None);
        assert_eq!(hash_of_signature(&algorithm(RSA, &[10], &wrap(SEQUENCE, &[]))), Some(Sha256));
    }

    #[test]
    fn the_whole_certificate_is_hashed() {
        let signed = wrap(SEQUENCE, &[&[7; 150]]);
        let algorithm = wrap(SEQUENCE, &[&algorithm(ECDSA, &[3, 3], &[])]);
        let certificate = wrap(SEQUENCE, &[&signed, &algorithm, &wrap(3, &[&[0, 1, 2]])]);
        assert_eq!(end_point(&certificate), Some(Sha384::digest(&certificate).to_vec()));
        for length in 0..certificate.len() {
            assert_eq!(end_point(&certificate[..length]), None, "{length}");
        }
        assert_eq!(end_point(&[SEQUENCE, 0x84, 1, 0, 0, 0]), None);
    }
}
