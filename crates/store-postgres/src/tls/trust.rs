//! Whose certificates count, and looking at those of servers.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{verify_server_cert_signed_by_trust_anchor, verify_server_name};
use rustls::crypto::{WebPkiSupportedAlgorithms, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::{Error as PemError, PemObject as _};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{CertificateError, DigitallySignedStruct, Error, OtherError, RootCertStore, SignatureScheme};

use crate::address::Roots;

/// How large a file of certificates may be: those of all authorities of the world together are smaller.
const MOST_BYTES: u64 = 16 << 20;

/// The authorities that count.
#[derive(Debug)]
pub(super) struct Trust {
    roots: RootCertStore,
    /// The certificates of a file, as they stand there.
    given: Vec<CertificateDer<'static>>,
}

impl Trust {
    /// Reads them. If nobody says which, those of this system; if it has none, as in a bare container, those that Mozilla trusts.
    pub(super) fn read(roots: Option<&Roots>) -> Result<Self, String> {
        match roots {
            Some(Roots::File(file)) => Self::of_file(file),
            Some(Roots::System) => Self::of_the_system().ok_or_else(|| {
                "sslrootcert=system: this system has no certificates of authorities. Install them (Debian: \
                 ca-certificates), or name a file with sslrootcert=FILE"
                    .to_owned()
            }),
            None => Ok(Self::of_the_system().unwrap_or_else(Self::of_mozilla)),
        }
    }

    fn of_the_system() -> Option<Self> {
        let mut roots = RootCertStore::empty();
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        (!roots.is_empty()).then_some(Self { roots, given: Vec::new() })
    }

    fn of_mozilla() -> Self {
        Self { roots: webpki_roots::TLS_SERVER_ROOTS.iter().cloned().collect(), given: Vec::new() }
    }

    fn of_file(file: &Path) -> Result<Self, String> {
        let refuse = |why: &str| format!("sslrootcert={}: {why}", file.display());
        let mut text = Vec::new();
        let read = File::open(file).and_then(|open| open.take(MOST_BYTES + 1).read_to_end(&mut text));
        read.map_err(|why| refuse(&format!("the file can't be read: {why}")))?;
        if text.len() as u64 > MOST_BYTES {
            return Err(refuse("the file is larger than 16 MiB, so it is none of certificates"));
        }
        let mut trust = Self { roots: RootCertStore::empty(), given: Vec::new() };
        for (at, certificate) in CertificateDer::pem_slice_iter(&text).enumerate() {
            let broken = |why: &dyn std::fmt::Display| {
                refuse(&format!("certificate {} of the file can't be read: {why}", at + 1))
            };
            let certificate = certificate.map_err(|why| broken(&pem_words(&why)))?;
            trust.roots.add(certificate.clone()).map_err(|why| broken(&why))?;
            trust.given.push(certificate);
        }
        if trust.given.is_empty() {
            return Err(refuse(
                "there is no certificate in the file. It is a text (PEM) with parts that begin with \
                 -----BEGIN CERTIFICATE-----",
            ));
        }
        Ok(trust)
    }

    /// Whether a certificate is signed by one of them, or is one of the file itself: then a server shows the very certificate that
    /// was named, as those do that PostgreSQL's manual makes with one command.
    fn check(
        &self,
        certificate: &CertificateDer<'_>,
        between: &[CertificateDer<'_>],
        now: UnixTime,
        algorithms: &WebPkiSupportedAlgorithms,
    ) -> Result<(), Error> {
        let parsed = ParsedCertificate::try_from(certificate)?;
        match verify_server_cert_signed_by_trust_anchor(&parsed, &self.roots, between, now, algorithms.all) {
            // Its dates have been looked at before.
            Err(Error::InvalidCertificate(CertificateError::Other(why)))
                if is_authority(&why) && self.given.iter().any(|given| given == certificate) =>
            {
                Ok(())
            }
            checked => checked,
        }
    }
}

/// Whether a certificate is refused because it is one for signing others.
pub(super) fn is_authority(why: &OtherError) -> bool {
    matches!(why.0.downcast_ref(), Some(webpki::Error::CaUsedAsEndEntity))
}

/// Whether a certificate is refused because it is of the time before names and purposes.
pub(super) fn is_too_old(why: &OtherError) -> bool {
    matches!(why.0.downcast_ref(), Some(webpki::Error::UnsupportedCertVersion))
}

/// What is wrong with a text of certificates; the library shows lines as lists of numbers.
fn pem_words(why: &PemError) -> String {
    match why {
        PemError::MissingSectionEnd { .. } => {
            "its last line, -----END CERTIFICATE-----, is missing".to_owned()
        }
        PemError::IllegalSectionStart { .. } => "its first line is not whole".to_owned(),
        why => why.to_string(),
    }
}

/// Looks at what servers show.
#[derive(Debug)]
pub(super) struct Verifier {
    /// Without, nobody looks who has signed a certificate.
    pub(super) trust: Option<Trust>,
    /// Whether it must be that of the name in the address.
    pub(super) checks_name: bool,
    pub(super) algorithms: WebPkiSupportedAlgorithms,
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        between: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        _: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        if let Some(trust) = &self.trust {
            trust.check(certificate, between, now, &self.algorithms)?;
        }
        if self.checks_name {
            verify_server_name(&ParsedCertificate::try_from(certificate)?, name)?;
        }
        Ok(ServerCertVerified::assertion())
    }

    // Also where nobody looks at the certificate: whoever shows it must have its key, or it could not bind a password.
    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, certificate, signature, &self.algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, certificate, signature, &self.algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.algorithms.supported_schemes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_certificates_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let refusal = |name: &str| {
            let file = folder.path().join(name);
            let why = Trust::read(Some(&Roots::File(file.clone()))).map(drop).expect_err(name);
            assert!(why.contains(&format!("sslrootcert={}", file.display())), "{why}");
            why
        };
        assert!(refusal("missing.pem").contains("can't be read"));
        for (name, text, words) in [
            ("empty.pem", "", "there is no certificate"),
            (
                "key.pem",
                "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
                "there is no certificate",
            ),
            ("cut.pem", "-----BEGIN CERTIFICATE-----\nAAAA\n", "certificate 1 of the file can't be read"),
            (
                "odd.pem",
                "-----BEGIN CERTIFICATE-----\n!\n-----END CERTIFICATE-----\n",
                "certificate 1 of the file",
            ),
            (
                "other.pem",
                "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
                "certificate 1 of the file",
            ),
        ] {
            std::fs::write(folder.path().join(name), text).expect("written");
            let why = refusal(name);
            assert!(why.contains(words), "{name}: {why}");
        }
    }

    #[test]
    fn there_are_authorities_even_where_a_system_has_none() {
        assert!(!Trust::of_mozilla().roots.is_empty());
        assert!(!Trust::read(None).expect("some").roots.is_empty());
    }
}
