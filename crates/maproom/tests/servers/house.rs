//! Servers on one database, and people who go from one to the other.

#![allow(dead_code, reason = "every test crate uses its part of it")]

use std::io;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use testkit::postgres;

use crate::client::{Answer, Http, JSON, PATIENCE, Server, Socket, program};

/// A game between two people, who both put a number into its dice.
pub const BLITZ: &str = "game=blitz&seat.0=me&seat.1=friend&dice=fair";

/// Random enough for a test (SplitMix64).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound.max(1) as u64).expect("a small number")
    }
}

/// A database for the servers of one test; `None` if tests that need one are passed over.
#[derive(Clone)]
pub struct House {
    pub postgres: &'static postgres::Server,
    pub database: String,
}

impl House {
    pub fn new() -> Option<Self> {
        postgres::shared().map(Self::on)
    }

    /// A database on a server of the test's own.
    pub fn on(postgres: &'static postgres::Server) -> Self {
        Self { postgres, database: postgres.empty() }
    }

    pub fn address(&self) -> String {
        self.postgres.address(&self.database)
    }

    /// The port of the database.
    pub fn port(&self) -> u16 {
        self.postgres.port()
    }

    /// Starts a server.
    pub fn server(&self) -> Server {
        Self::server_at(&self.address(), &[])
    }

    /// Starts a server on a database by its address.
    pub fn server_at(address: &str, further: &[&str]) -> Server {
        let mut command = program(&["serve", "--no-browser", "--port", "0", "--database", address]);
        command.args(further);
        Server::launch(command).unwrap_or_else(|said| panic!("the server did not open. It said:\n{said}"))
    }

    /// What the database itself says.
    pub fn ask(&self, statement: &str) -> String {
        self.postgres.ask(&self.database, statement)
    }

    /// How far a match is, and whether it is over; `None` if the database does not say.
    pub fn progress(&self, path: &str) -> Option<(u64, bool)> {
        let id = path.split('/').nth(2)?;
        let ask = format!("SELECT revision, result IS NOT NULL FROM progress WHERE match_id = '{id}'");
        let row = self.postgres.try_ask(&self.database, &ask).ok()?;
        let (revision, is_finished) = row.split_once('|')?;
        Some((revision.parse().ok()?, is_finished == "t"))
    }

    /// The numbers of the entries of a match, each with the key of its request.
    pub fn journal(&self, id: &str) -> Vec<(u64, String)> {
        let rows = self.ask(&format!(
            "SELECT seq, COALESCE(request, '') FROM journal WHERE match_id = '{id}' ORDER BY seq"
        ));
        let row = |line: &str| {
            let (seq, request) = line.split_once('|').expect("two columns");
            (seq.parse().expect("a number"), request.to_owned())
        };
        rows.lines().map(row).collect()
    }
}

/// The id in the path of a table.
pub fn id_of(path: &str) -> &str {
    path.split('/').nth(2).expect("/m/ID/TOKEN")
}

/// Makes a choice that counts once however often it is sent.
pub fn choose(http: &mut Http, path: &str, revision: u64, choice: &str, request: &str) -> io::Result<Answer> {
    let body = json!({ "revision": revision, "choice": choice, "request": request }).to_string();
    http.send("POST", &format!("{path}/choose"), &[JSON], &body)
}

/// Opens a window with live updates.
pub fn window(server: &Server, path: &str, since: u64) -> Socket {
    let opened = Socket::open(server.port, &format!("{path}/live?since={since}"), &[]);
    opened.expect("an answer").unwrap_or_else(|answer| panic!("{answer:?}"))
}

/// The revision that a message to a window tells of, if it tells of one.
pub fn told(message: &Value) -> Option<u64> {
    message["to"].as_u64().or(message["behind"].as_u64())
}

/// Waits until a window has been told of a revision.
pub fn wait_for(window: &mut Socket, revision: u64) {
    while told(&window.update().expect("an update")).is_none_or(|told| told < revision) {}
}

/// Asks again and again until something is so.
pub fn until<T>(what: &str, mut ask: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = ask() {
            return found;
        }
        assert!(begun.elapsed() < PATIENCE, "waited in vain: {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}
