//! Somebody between a store and its server, who shows a certificate of their own and reads everything.

use std::future::Future;
use std::net::TcpListener;
use std::sync::{Arc, mpsc};
use std::thread;

use rustls::client::WebPkiServerVerifier;
use rustls::crypto::ring::default_provider;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ClientConfig, RootCertStore, ServerConfig};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, copy_bidirectional};
use tokio::net::TcpStream;
use tokio::runtime::Builder;
use tokio_rustls::server::TlsStream;
use tokio_rustls::{TlsAcceptor, TlsConnector};

use super::Secure;
use super::certificates::Pair;

/// With what a client asks for TLS, and with what a server agrees.
const REQUEST: [u8; 8] = [0, 0, 0, 8, 4, 210, 22, 47];
const YES: u8 = b'S';

/// Asks for a password in plain text.
const PASSWORD_PLEASE: &[u8] = b"R\0\0\0\x08\0\0\0\x03";

/// Passes on what a store and this server say to each other, as long as the process lives. The port at which the store is awaited.
pub fn listen_in(secure: &Secure, pair: &Pair) -> u16 {
    let (acceptor, connector) = (acceptor(pair), connector(secure));
    let to = secure.server.port();
    serve(move |client| pass(client, to, acceptor.clone(), connector.clone()))
}

/// Passes for a server and asks whoever comes for a password. The port at which it does, and what it is told.
pub fn ask_for_passwords(pair: &Pair) -> (u16, mpsc::Receiver<Vec<u8>>) {
    let acceptor = acceptor(pair);
    let (tell, told) = mpsc::channel();
    let port = serve(move |client| {
        let (acceptor, tell) = (acceptor.clone(), tell.clone());
        async move {
            let mut client = greet(client, acceptor).await?;
            let length = client.read_u32().await?;
            let mut said = vec![0; length as usize - 4];
            client.read_exact(&mut said).await?;
            client.write_all(PASSWORD_PLEASE).await?;
            client.flush().await?;
            let mut answer = vec![0; 1_000];
            // Whoever leaves says nothing.
            let length = client.read(&mut answer).await.unwrap_or(0);
            answer.truncate(length);
            tell.send(answer).unwrap();
            Ok(())
        }
    });
    (port, told)
}

/// Does this with whoever comes, as long as the process lives. The port.
fn serve<F>(work: impl Fn(TcpStream) -> F + Send + 'static) -> u16
where
    F: Future<Output = std::io::Result<()>> + Send + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            listener.set_nonblocking(true).unwrap();
            let listener = tokio::net::TcpListener::from_std(listener).unwrap();
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(work(client));
            }
        });
    });
    port
}

async fn greet(mut client: TcpStream, acceptor: TlsAcceptor) -> std::io::Result<TlsStream<TcpStream>> {
    let mut request = [0; 8];
    client.read_exact(&mut request).await?;
    assert_eq!(request, REQUEST);
    client.write_all(&[YES]).await?;
    acceptor.accept(client).await
}

async fn pass(
    client: TcpStream,
    to: u16,
    acceptor: TlsAcceptor,
    connector: TlsConnector,
) -> std::io::Result<()> {
    let mut client = greet(client, acceptor).await?;
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
