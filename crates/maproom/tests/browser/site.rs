//! A tiny site of fixed pages, to try the tests' own tools on.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

type Files = BTreeMap<&'static str, (&'static str, String)>;

/// A running site; it ends when dropped.
pub struct Site {
    address: SocketAddr,
    ended: Arc<AtomicBool>,
}

impl Site {
    /// Serves files, each with its path, its type and its text. Everything else is not found.
    pub fn start(files: impl IntoIterator<Item = (&'static str, &'static str, String)>) -> Self {
        let files: Arc<Files> =
            Arc::new(files.into_iter().map(|(path, kind, text)| (path, (kind, text))).collect());
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
        let address = listener.local_addr().expect("an address");
        let ended = Arc::new(AtomicBool::new(false));
        let end = Arc::clone(&ended);
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                if end.load(Ordering::SeqCst) {
                    break;
                }
                let files = Arc::clone(&files);
                thread::spawn(move || drop(answer(&stream, &files)));
            }
        });
        Self { address, ended }
    }

    /// The address of a file.
    pub fn at(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::SeqCst);
        drop(TcpStream::connect(self.address));
    }
}

/// Answers one request; browsers also open connections on which they ask nothing.
fn answer(mut stream: &TcpStream, files: &Files) -> std::io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(120)))?;
    let mut reader = BufReader::new(stream);
    let mut first = String::new();
    reader.read_line(&mut first)?;
    let mut line = String::new();
    while reader.read_line(&mut line)? > 2 {
        line.clear();
    }
    let path = first.split(' ').nth(1).unwrap_or_default();
    let (status, kind, text) = match files.get(path) {
        Some((kind, text)) => ("200 OK", *kind, text.as_str()),
        None => ("404 Not Found", "text/plain", "not here"),
    };
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}; charset=utf-8\r\nContent-Length: {}\r\n\
         Content-Security-Policy: default-src 'self'; img-src data:\r\nConnection: close\r\n\r\n{text}",
        text.len()
    )
}
