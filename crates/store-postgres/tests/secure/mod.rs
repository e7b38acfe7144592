//! A PostgreSQL that speaks TLS.

#![allow(dead_code, reason = "every test crate uses its part of it")]

pub mod between;
pub mod certificates;

use std::path::PathBuf;
use std::sync::OnceLock;

use certificates::{Authority, Signature, Wish};
use testkit::postgres::{Server, own};
use testkit::postgres_tls::{PASSWORD, USER, keep, speak_tls};

/// A server with a certificate for localhost and 127.0.0.1, and who has signed that.
pub struct Secure {
    pub server: Server,
    pub authority: Authority,
    /// The file of the authority.
    pub file: PathBuf,
}

/// The server that the tests of one process share; `None` if they are to be passed over.
pub fn shared() -> Option<&'static Secure> {
    static SERVER: OnceLock<Option<Secure>> = OnceLock::new();
    SERVER.get_or_init(|| start(Signature::EcdsaSha256)).as_ref()
}

/// A server of a test's own.
pub fn start(signature: Signature) -> Option<Secure> {
    let server = own()?;
    let authority = Authority::new("The authority of the tests", signature);
    let pair = authority.issue(&Wish::default());
    speak_tls(&server, &pair.certificate, &pair.key);
    let file = keep(&server, "authority.pem", &authority.pem());
    Some(Secure { server, authority, file })
}

impl Secure {
    /// The address of a database, over TLS with a password.
    pub fn address(&self, database: &str) -> String {
        self.with(database, &format!("sslmode=verify-full&sslrootcert={}", self.file.display()))
    }

    /// The same with other words about TLS.
    pub fn with(&self, database: &str, words: &str) -> String {
        format!("postgres://{USER}:{PASSWORD}@127.0.0.1:{}/{database}?{words}", self.server.port())
    }
}
