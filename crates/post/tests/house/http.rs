//! A small HTTP server. The tests of other crates use it too.

#![allow(dead_code, reason = "every test crate uses its part of it")]

use std::collections::VecDeque;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::sync::{Arc, Mutex};

use super::server::{Server, lock};

/// A request as it came.
#[derive(Clone, Debug)]
pub(crate) struct Received {
    pub(crate) line: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    /// Whether it was answered with success.
    pub(crate) taken: bool,
}

impl Received {
    pub(crate) fn header(&self, name: &str) -> &str {
        let found = self.headers.iter().find(|(one, _)| one.eq_ignore_ascii_case(name));
        found.map_or("", |(_, value)| value)
    }
}

/// Takes requests and answers with what was set, else with 204.
pub(crate) struct Http {
    pub(crate) server: Server,
    pub(crate) received: Arc<Mutex<Vec<Received>>>,
    answers: Arc<Mutex<VecDeque<String>>>,
}

impl Http {
    pub(crate) fn start() -> Http {
        let received = Arc::new(Mutex::new(Vec::new()));
        let answers = Arc::new(Mutex::new(VecDeque::new()));
        let (inbox, to_say) = (Arc::clone(&received), Arc::clone(&answers));
        let server = Server::start(move |connection| {
            let Some(request) = read(&connection) else { return };
            let usual = "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n".to_owned();
            let answer = lock(&to_say).pop_front().unwrap_or(usual);
            lock(&inbox).push(Received { taken: answer.starts_with("HTTP/1.1 2"), ..request });
            // The other side may have left.
            let _ = (&connection).write_all(answer.as_bytes());
        });
        Http { server, received, answers }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.server.address)
    }

    /// The next answers.
    pub(crate) fn answer(&self, statuses: &[&str]) {
        let raw =
            |status: &&str| format!("HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
        lock(&self.answers).extend(statuses.iter().map(raw));
    }

    /// The next answer, byte by byte.
    pub(crate) fn answer_raw(&self, raw: &str) {
        lock(&self.answers).push_back(raw.to_owned());
    }

    /// Whether the next request is taken.
    pub(crate) fn says_yes(&self) -> bool {
        lock(&self.answers).is_empty()
    }

    pub(crate) fn take(&self) -> Vec<Received> {
        std::mem::take(&mut lock(&self.received))
    }
}

fn read(connection: &TcpStream) -> Option<Received> {
    let mut reader = BufReader::new(connection);
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let line = line.trim_end().to_owned();
        if line.is_empty() {
            break;
        }
        lines.push(line);
    }
    let headers: Vec<(String, String)> = lines
        .iter()
        .skip(1)
        .filter_map(|line| line.split_once(": ").map(|(name, value)| (name.to_owned(), value.to_owned())))
        .collect();
    let mut request = Received { line: lines.first()?.clone(), headers, body: Vec::new(), taken: false };
    let length: u64 = request.header("Content-Length").parse().unwrap_or(0);
    reader.take(length).read_to_end(&mut request.body).ok()?;
    Some(request)
}
