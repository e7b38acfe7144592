//! What an address says about encryption, in the words that PostgreSQL's own programs know, and the rest of it.
//!
//! `tokio-postgres` knows neither `sslrootcert` nor `sslmode=verify-full`, so these are taken out before it reads the address. What
//! can't be understood is never repeated: it may be part of a password.

use std::path::PathBuf;

/// How the addresses of databases begin.
const SCHEMES: [&str; 2] = ["postgres://", "postgresql://"];

/// How a connection is protected, by `sslmode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Not at all.
    Disable,
    /// Encrypted; nobody looks at the certificate.
    Require,
    /// The certificate must be from an authority that is trusted.
    VerifyCa,
    /// It must also be that of the name in the address.
    VerifyFull,
}

/// Whose certificates count, by `sslrootcert`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Roots {
    /// Those that this system trusts.
    System,
    /// Those of a file.
    File(PathBuf),
}

/// An address, taken apart.
pub(crate) struct Address {
    /// What is for `tokio-postgres`.
    pub(crate) rest: String,
    pub(crate) mode: Option<Mode>,
    pub(crate) roots: Option<Roots>,
    /// Whether it says how far a password is bound to the connection (`channel_binding`).
    pub(crate) says_binding: bool,
}

impl Address {
    /// Takes an address apart.
    pub(crate) fn read(address: &str) -> Result<Self, String> {
        let Some(after) = SCHEMES.iter().find_map(|scheme| address.strip_prefix(scheme)) else {
            return Err(
                "the address of a database begins with postgres://, such as postgres:///maproom?host=/run/postgresql"
                    .to_owned(),
            );
        };
        let mut read = Self { rest: address.to_owned(), mode: None, roots: None, says_binding: false };
        // A password may hold a question mark, so it is looked for after it.
        let host = after.find('@').map_or(0, |at| at + 1);
        let Some(at) = after[host..].find('?') else { return Ok(read) };
        let (before, parameters) = address.split_at(address.len() - after.len() + host + at);
        let mut left = Vec::new();
        for parameter in parameters[1..].split('&') {
            let (key, value) = parameter.split_once('=').unwrap_or((parameter, ""));
            let once = |is_new: bool, name: &str| match is_new {
                true => Ok(()),
                false => Err(format!("{name} stands twice in the address of the database: once is enough")),
            };
            match &*decoded(key) {
                "sslmode" => {
                    once(read.mode.is_none(), "sslmode")?;
                    read.mode = Some(mode(&decoded(value))?);
                }
                "sslrootcert" => {
                    once(read.roots.is_none(), "sslrootcert")?;
                    read.roots = Some(roots(decoded(value))?);
                }
                "sslcert" | "sslkey" | "sslpassword" => {
                    return Err("sslcert, sslkey and sslpassword: Maproom has no certificate of its own to show to a \
                                database. Sign in with a password, and leave these out of the address"
                        .to_owned());
                }
                key => {
                    read.says_binding |= key == "channel_binding";
                    left.push(parameter);
                }
            }
        }
        let mark = if left.is_empty() { "" } else { "?" };
        read.rest = format!("{before}{mark}{}", left.join("&"));
        Ok(read)
    }
}

fn mode(word: &str) -> Result<Mode, String> {
    match word {
        "disable" => Ok(Mode::Disable),
        "require" => Ok(Mode::Require),
        "verify-ca" => Ok(Mode::VerifyCa),
        "verify-full" => Ok(Mode::VerifyFull),
        "prefer" | "allow" => Err(format!(
            "sslmode={word} goes on without encryption as soon as anybody on the way says that the server has none, so \
             Maproom does not know it. Use sslmode=verify-full, or sslmode=disable if the network is your own"
        )),
        _ => Err(
            "sslmode in the address of the database is none of disable, require, verify-ca and verify-full"
                .to_owned(),
        ),
    }
}

fn roots(value: String) -> Result<Roots, String> {
    match &*value {
        "" => Err("sslrootcert in the address of the database names no file: sslrootcert=FILE, with certificates as \
                   PEM, or sslrootcert=system"
            .to_owned()),
        "system" => Ok(Roots::System),
        _ => Ok(Roots::File(value.into())),
    }
}

/// A text with `%2F` read as `/`. What is no such code stays as it is, as in `tokio-postgres`.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let code = match after {
            [high, low, ..] if *first == b'%' => hexadecimal(*high).zip(hexadecimal(*low)),
            _ => None,
        };
        let (byte, length) = code.map_or((*first, 1), |(high, low)| (high << 4 | low, 3));
        bytes.push(byte);
        rest = &rest[length..];
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn hexadecimal(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(address: &str) -> Address {
        Address::read(address).expect(address)
    }

    #[test]
    fn what_is_about_encryption_is_taken_out() {
        let address = read(
            "postgres://me:a%3Fb?c@db.example:5433/maproom?sslmode=verify-full&application_name=a%26b\
             &sslrootcert=%2Fetc/my%20ca.pem&channel_binding=require&connect_timeout=3",
        );
        assert_eq!(
            address.rest,
            "postgres://me:a%3Fb?c@db.example:5433/maproom?application_name=a%26b&channel_binding=require\
             &connect_timeout=3"
        );
        assert_eq!(address.mode, Some(Mode::VerifyFull));
        assert_eq!(address.roots, Some(Roots::File("/etc/my ca.pem".into())));
        assert!(address.says_binding);
    }

    #[test]
    fn what_is_not_about_it_stays() {
        for whole in [
            "postgres:///maproom",
            "postgresql://127.0.0.1/maproom?",
            "postgres://me:hush@/maproom?host=/run/postgresql&user=you",
        ] {
            let address = read(whole);
            assert_eq!(address.rest.trim_end_matches('?'), whole.trim_end_matches('?'));
            assert_eq!((address.mode, address.roots), (None, None));
            assert!(!address.says_binding);
        }
        assert_eq!(read("postgres://h/d?sslmode=disable").rest, "postgres://h/d");
        assert_eq!(read("postgres://h/d?ssl%6Dode=require").mode, Some(Mode::Require));
        assert_eq!(read("postgres://h/d?sslrootcert=system").roots, Some(Roots::System));
    }

    #[test]
    fn what_would_not_protect_is_refused_and_nothing_secret_repeated() {
        let refusal = |address: &str| Address::read(address).err().expect(address);
        for weak in ["prefer", "allow"] {
            let why = refusal(&format!("postgres://me:hush@h/d?sslmode={weak}"));
            assert!(why.contains(weak) && why.contains("sslmode=verify-full"), "{why}");
        }
        for (address, words) in [
            ("postgres://me:hush@h/d?sslmode=hush", "none of disable, require, verify-ca and verify-full"),
            ("postgres://me:hush@h/d?sslmode=disable&sslmode=require", "sslmode stands twice"),
            ("postgres://me:hush@h/d?sslrootcert=a&sslrootcert=b", "sslrootcert stands twice"),
            ("postgres://me:hush@h/d?sslrootcert=", "names no file"),
            ("postgres://me:hush@h/d?sslcert=hush", "no certificate of its own"),
            ("host=h password=hush dbname=d sslmode=require", "begins with postgres://"),
        ] {
            let why = refusal(address);
            assert!(why.contains(words) && !why.contains("hush"), "{address}: {why}");
        }
    }

    #[test]
    fn codes_are_read_and_what_is_none_stays() {
        assert_eq!(decoded("a%2fb%2Fc%20d+e"), "a/b/c d+e");
        assert_eq!(decoded("100%"), "100%");
        assert_eq!(decoded("%zz%4"), "%zz%4");
        assert_eq!(decoded("%C3%A4%ff"), "ä\u{fffd}");
    }
}
