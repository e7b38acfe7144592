//! Servers whose certificate nobody has vouched for.

use std::io::{Read as _, Write as _};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use post::{Mailer, Outgoing, Reach};
use rustls::pki_types::PrivatePkcs8KeyDer;
use rustls::{ServerConfig, ServerConnection, Stream};

use crate::{START, Server, lock};

/// A certificate for localhost and 127.0.0.1 that is signed by itself and good for a hundred years, and its key. Both are for this
/// test only.
const CERTIFICATE: &str = "\
    MIIBmzCCAUGgAwIBAgIUcmk+AfJUVPUy6rVJ11YLKwQC20kwCgYIKoZIzj0EAwIwFDESMBAGA1UEAwwJbG9jYWxob3N0MCAX\
    DTI2MTExODE0NTQ0N1oYDzIxMjYxMDI1MTQ1NDQ3WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO\
    PQMBBwNCAASKEf2F+4QDq7+anVyyPIa45FrPmWgcujmqJk2CnfEC3DtQd/FH/G64Py3j0MKqun4pI1MgZn216d/0/ZgEj5D3\
    o28wbTAdBgNVHQ4EFgQUDXpMetb/xp/Cg/TXqSjptS1ovQ0wHwYDVR0jBBgwFoAUDXpMetb/xp/Cg/TXqSjptS1ovQ0wDwYD\
    VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZIzj0EAwIDSAAwRQIgDLUsPOV0cOcTD/qk\
    MyeD0tRRIP9v8+er9YnzUxRkau8CIQDGd2bWne0F4zyC54Vu7mGSiNqr3AMbXafriyOSGjYT/A==";
const KEY: &str = "\
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgHL5hZCnKLRbSD5wvCksGCNuWxM5VtD2maUXSvwdZUEGhRANC\
    AASKEf2F+4QDq7+anVyyPIa45FrPmWgcujmqJk2CnfEC3DtQd/FH/G64Py3j0MKqun4pI1MgZn216d/0/ZgEj5D3";

/// A server that shows its certificate, and tells what it heard after that: nothing, if the other side has left.
fn impostor() -> (Server, Receiver<Vec<u8>>) {
    let decode = |text: &str| STANDARD.decode(text).unwrap();
    let key = PrivatePkcs8KeyDer::from(decode(KEY)).into();
    let config = ServerConfig::builder_with_provider(rustls::crypto::ring::default_provider().into())
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![decode(CERTIFICATE).into()], key)
        .unwrap();
    let (config, (heard, inbox)) = (Arc::new(config), channel());
    let heard = Mutex::new(heard);
    let server = Server::start(move |mut connection| {
        let mut secure = ServerConnection::new(Arc::clone(&config)).unwrap();
        let mut stream = Stream::new(&mut secure, &mut connection);
        let mut said = vec![0; 1000];
        // Greets first, as mail servers do.
        let length = stream.write(b"220 here\r\n").and_then(|_| stream.read(&mut said)).unwrap_or(0);
        said.truncate(length);
        // The test may have seen enough.
        let _ = lock(&heard).send(said);
    });
    (server, inbox)
}

#[test]
fn nothing_is_said_to_a_server_that_nobody_vouches_for() {
    let (server, heard) = impostor();
    let heard = || heard.recv_timeout(Duration::from_secs(60)).unwrap();
    for host in ["127.0.0.1", "localhost"] {
        let address = format!("https://{host}:{}/", server.address.port());
        let refusal = Outgoing::new(Reach::LoopbackToo).post(&address, &[], b"secret").unwrap_err();
        assert_eq!((refusal.status, refusal.why.as_str()), (None, "no secure connection could be made"));
        assert_eq!(heard(), b"");
    }
    let login = Some(("user".to_owned(), "password".to_owned()));
    let mailer = Mailer::new(&format!("smtps://{}", server.address), login, "post@example.org").unwrap();
    let refusal = mailer.send_asked_for("anna@example.net", "Hello", "", "abc", START).unwrap_err();
    assert_eq!(refusal.why, "the mail server could not be reached");
    assert_eq!(heard(), b"");
}
