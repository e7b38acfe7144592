//! Why a server's TLS is not what was asked for: what was found, and what would be right.

use std::io;
use std::path::Path;
use std::time::Duration;

use rustls::pki_types::UnixTime;
use rustls::{CertificateError, Error};

use super::trust::{is_authority, is_too_old};

/// How many of a certificate's names are told.
const MOST_NAMES: usize = 5;
/// How much of such a name is told.
const LONGEST_NAME: usize = 80;

/// Why there is no TLS with the server that the address calls `name`; `file` is that of the authorities, if one is named.
pub(super) fn of_handshake(why: &io::Error, name: &str, file: Option<&Path>) -> String {
    match why.get_ref().and_then(|inner| inner.downcast_ref()) {
        Some(Error::InvalidCertificate(why)) => of_certificate(why, name, file),
        Some(Error::PeerIncompatible(why)) => {
            format!("the server offers no TLS that is good enough, which begins with version 1.2 ({why:?})")
        }
        Some(why) => format!("there is no TLS with the server: {why}"),
        None => format!("the connection broke before it was encrypted: {why}"),
    }
}

fn of_certificate(why: &CertificateError, name: &str, file: Option<&Path>) -> String {
    match why {
        CertificateError::UnknownIssuer | CertificateError::BadSignature => match file {
            Some(file) => format!(
                "the server's certificate is not from an authority in {}. Put the one of your provider there, or your \
                 own",
                file.display()
            ),
            None => "the server's certificate is not from an authority that this system trusts. If your provider has \
                     an authority of its own, or you have, name its file with sslrootcert=FILE"
                .to_owned(),
        },
        CertificateError::ExpiredContext { time, not_after } => format!(
            "the server's certificate expired {} ago and has to be renewed there, if this machine's clock is right",
            apart(*not_after, *time)
        ),
        CertificateError::NotValidYetContext { time, not_before } => format!(
            "the server's certificate will be valid in {} only; is this machine's clock right?",
            apart(*time, *not_before)
        ),
        CertificateError::NotValidForNameContext { presented, .. } if presented.is_empty() => format!(
            "the server's certificate is for no name at all, so not for {name}: names count as subjectAltName only, \
             not as CN. Make it anew with that, or use sslmode=verify-ca with sslrootcert=FILE"
        ),
        CertificateError::NotValidForNameContext { presented, .. } => format!(
            "the server's certificate is not for {name} but for {}. Write the name in the address that the \
             certificate is for",
            names(presented)
        ),
        CertificateError::Other(why) if is_too_old(why) => {
            "the server's certificate is of version 1, which knows no names: make one of version 3, with \
             subjectAltName"
                .to_owned()
        }
        CertificateError::Other(why) if is_authority(why) => {
            "the server's certificate is one for signing others. If it is the server's own nevertheless, name it itself \
             with sslrootcert=FILE"
                .to_owned()
        }
        why => format!("the server's certificate is not good: {why}"),
    }
}

/// How far two times are apart, for people.
fn apart(earlier: UnixTime, later: UnixTime) -> String {
    let hours = Duration::from_secs(later.as_secs().saturating_sub(earlier.as_secs())).as_secs() / 3_600;
    match hours {
        0 => "less than an hour".to_owned(),
        1 => "an hour".to_owned(),
        2..48 => format!("{hours} hours"),
        _ => format!("{} days", hours / 24),
    }
}

/// Some names of a certificate, which come as `DnsName("db.example")` and `IpAddress(127.0.0.1)`. Who made it may have written
/// anything into them.
fn names(presented: &[String]) -> String {
    let plain = presented.iter().take(MOST_NAMES).map(|name| {
        let inside = name.split_once('(').map_or(&**name, |(_, inside)| inside.trim_end_matches(')'));
        let shown = inside.trim_matches('"').chars().take(LONGEST_NAME);
        shown.map(|char| if char.is_control() { '?' } else { char }).collect::<String>()
    });
    let mut list = plain.collect::<Vec<_>>().join(", ");
    if presented.len() > MOST_NAMES {
        list += &format!(" and {} more", presented.len() - MOST_NAMES);
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_as_people_write_them() {
        let presented = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
        let few = presented(&["DnsName(\"*.db.example\")", "IpAddress(10.0.0.5)"]);
        assert_eq!(names(&few), "*.db.example, 10.0.0.5");
        let many = vec!["DnsName(\"a\u{1b}[2J\")".to_owned(); 7];
        assert_eq!(names(&many), format!("{} and 2 more", ["a?[2J"; 5].join(", ")));
        assert_eq!(names(&presented(&[&"x".repeat(9_999)])).len(), LONGEST_NAME);
    }

    #[test]
    fn times_are_told_in_hours_and_days() {
        let at = |seconds| UnixTime::since_unix_epoch(Duration::from_secs(seconds));
        let told = |seconds: u64| apart(at(1_000_000), at(1_000_000 + seconds));
        assert_eq!(told(59), "less than an hour");
        assert_eq!(told(3_600), "an hour");
        assert_eq!(told(47 * 3_600), "47 hours");
        assert_eq!(told(48 * 3_600), "2 days");
        assert_eq!(apart(at(2), at(1)), "less than an hour");
    }

    #[test]
    fn what_is_no_fault_of_a_certificate_is_said_as_well() {
        let broke = io::Error::from(io::ErrorKind::ConnectionReset);
        assert!(of_handshake(&broke, "db", None).contains("broke before it was encrypted"));
        let old = Error::PeerIncompatible(rustls::PeerIncompatible::ServerDoesNotSupportTls12Or13);
        assert!(of_handshake(&io::Error::other(old), "db", None).contains("version 1.2"));
        let alert = Error::AlertReceived(rustls::AlertDescription::HandshakeFailure);
        assert!(
            of_handshake(&io::Error::other(alert), "db", None).contains("there is no TLS with the server")
        );
    }
}
