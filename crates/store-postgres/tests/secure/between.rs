//! Somebody between a store and its server, who shows a certificate of their own and reads everything.

use std::net::TcpListener;
use std::sync::Arc;
use std::thread;

use rustls::client::WebPkiServerVerifier;
use rustls::crypto::ring::default_provider;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ClientConfig, RootCertStore, ServerConfig};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, copy_bidirectional};
use tokio::net::TcpStream;
use tokio::runtime::Builder;
use tokio_rustls::{TlsAcceptor, TlsConnector};

use super::Secure;
use super::certificates::Pair;

/// With what a client asks for TLS, and with what a server agrees.
const REQUEST: [u8; 8] = [0, 0, 0, 8, 4, 210, 22, 47];
const YES: u8 = b'S';

/// Passes on what a store and this server say to each other, as long as the process lives. The port at which the store is awaited.
pub fn listen_in(secure: &Secure, pair: &Pair) -> u16 {
    let (acceptor, connector) = (acceptor(pair), connector(secure));
    let to = secure.server.port();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            listener.set_nonblocking(true).unwrap();
            let listener = tokio::net::TcpListener::from_std(listener).unwrap();
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(pass(client, to, acceptor.clone(), connector.clone()));
            }
        });
    });
    port
}

async fn pass(
    mut client: TcpStream,
    to: u16,
    acceptor: TlsAcceptor,
    connector: TlsConnector,
) -> std::io::Result<()> {
    let mut request = [0; 8];
    client.read_exact(&mut request).await?;
    assert_eq!(request, REQUEST);
    client.write_all(&[YES]).await?;
    let mut client = acceptor.accept(client).await?;
    let mut server = TcpStream::connect(("127.0.0.1", to)).await?;
    server.write_all(&REQUEST).await?;
    assert_eq!(server.read_u8().await?, YES);
    let mut server = connector.connect("localhost".try_into().unwrap(), server).await?;
    copy_bidirectional(&mut client, &mut server).await.map(drop)
}

fn acceptor(pair: &Pair) -> TlsAcceptor {
    let chain = vec![CertificateDer::from_pem_slice(pair.certificate.as_bytes()).unwrap()];
    let key = PrivateKeyDer::from_pem_slice(pair.key.as_bytes()).unwrap();
    let config = ServerConfig::builder_with_provider(default_provider().into());
    let config = config.with_safe_default_protocol_versions().unwrap().with_no_client_auth();
    Arc::new(config.with_single_cert(chain, key).unwrap()).into()
}

fn connector(secure: &Secure) -> TlsConnector {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_slice(secure.authority.pem().as_bytes()).unwrap()).unwrap();
    let provider = Arc::new(default_provider());
    let verifier =
        WebPkiServerVerifier::builder_with_provider(roots.into(), Arc::clone(&provider)).build().unwrap();
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    Arc::new(config.with_webpki_verifier(verifier).with_no_client_auth()).into()
}
