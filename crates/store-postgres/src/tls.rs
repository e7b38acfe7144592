//! TLS between the store and a server of PostgreSQL, as the address asks for it.
//!
//! The crate `tokio-postgres-rustls` would do a part of it. It knows too few kinds of signatures to bind a password with (neither
//! RSA-PSS nor ECDSA with SHA-512) and gives its errors in the words of a library, so what it does is done here, over the same
//! `tokio-rustls`.

mod binding;
mod trust;
mod words;

use std::fmt;
use std::future::Future;
use std::io;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use rustls::ClientConfig;
use rustls::client::Resumption;
use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::Socket;
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream as Encrypted;
use trust::{Trust, Verifier};

use crate::address::{Mode, Roots};

/// How this protocol is called among those that servers speak over TLS.
const PROTOCOL: &[u8] = b"postgresql";

/// Makes connections with TLS, or without where the address says so.
#[derive(Clone)]
pub(crate) struct Tls {
    connector: Option<TlsConnector>,
    /// The file of authorities, for errors.
    file: Option<Arc<Path>>,
}

impl Tls {
    /// What this mode asks for. Reads the authorities.
    pub(crate) fn new(mode: Mode, roots: Option<&Roots>) -> Result<Self, String> {
        let trust = match (mode, roots) {
            (Mode::Disable, Some(_)) => {
                return Err(
                    "sslmode=disable goes without TLS, so sslrootcert has no meaning: leave one of them out"
                        .to_owned(),
                );
            }
            (Mode::Disable, None) => return Ok(Self { connector: None, file: None }),
            // Everybody can have a certificate from one of the world's authorities, for a name of their own.
            (Mode::Require | Mode::VerifyCa, Some(Roots::System)) | (Mode::VerifyCa, None) => {
                return Err("sslmode=verify-full is needed with the authorities that this system trusts: they give \
                            certificates to everybody, so the name has to be looked at. With sslrootcert=FILE, for an \
                            authority of your own, sslmode=verify-ca is enough"
                    .to_owned());
            }
            (Mode::Require, None) => None,
            (Mode::Require | Mode::VerifyCa, Some(Roots::File(_))) | (Mode::VerifyFull, _) => {
                Some(Trust::read(roots)?)
            }
        };
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let algorithms = provider.signature_verification_algorithms;
        let verifier = Verifier { trust, checks_name: mode == Mode::VerifyFull, algorithms };
        let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
        let config = config.map_err(|why| format!("TLS can't be set up: {why}"))?.dangerous();
        let mut config = config.with_custom_certificate_verifier(Arc::new(verifier)).with_no_client_auth();
        // Each connection looks at the certificate anew, so that one that has expired is noticed.
        config.resumption = Resumption::disabled();
        config.alpn_protocols = vec![PROTOCOL.to_vec()];
        let file = match roots {
            Some(Roots::File(file)) => Some(Arc::from(file.as_path())),
            _ => None,
        };
        Ok(Self { connector: Some(Arc::new(config).into()), file })
    }

    /// Whether connections are encrypted.
    pub(crate) fn is_on(&self) -> bool {
        self.connector.is_some()
    }
}

/// Why there is no TLS with a server, in words for whoever runs the house.
#[derive(Debug)]
pub(crate) struct Refused(String);

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refused {}

impl MakeTlsConnect<Socket> for Tls {
    type Stream = Stream;
    type TlsConnect = Handshake;
    type Error = Refused;

    fn make_tls_connect(&mut self, host: &str) -> Result<Handshake, Refused> {
        let tls = match &self.connector {
            None => None,
            Some(connector) => {
                let name = ServerName::try_from(host.to_owned())
                    .map_err(|_| Refused(format!("no certificate can be for a server called {host:?}")))?;
                Some((connector.clone(), name))
            }
        };
        Ok(Handshake { tls, file: self.file.clone() })
    }
}

/// A connection that is about to be encrypted.
pub(crate) struct Handshake {
    tls: Option<(TlsConnector, ServerName<'static>)>,
    file: Option<Arc<Path>>,
}

impl TlsConnect<Socket> for Handshake {
    type Stream = Stream;
    type Error = Refused;
    type Future = Pin<Box<dyn Future<Output = Result<Stream, Refused>> + Send>>;

    fn connect(self, socket: Socket) -> Self::Future {
        Box::pin(async move {
            let Some((connector, name)) = self.tls else {
                return Err(Refused("the address asks for no TLS".to_owned()));
            };
            let encrypted = connector.connect(name.clone(), socket).await;
            encrypted
                .map(Stream)
                .map_err(|why| Refused(words::of_handshake(&why, &name.to_str(), self.file.as_deref())))
        })
    }
}

/// An encrypted connection.
pub(crate) struct Stream(Encrypted<Socket>);

impl TlsStream for Stream {
    fn channel_binding(&self) -> ChannelBinding {
        let (_, session) = self.0.get_ref();
        let certificate = session.peer_certificates().and_then(|chain| chain.first());
        let end_point = certificate.and_then(|certificate| binding::end_point(certificate));
        end_point.map_or_else(ChannelBinding::none, ChannelBinding::tls_server_end_point)
    }
}

impl AsyncRead for Stream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl AsyncWrite for Stream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}
