//! Bots whose choices workers make, and who go on without them.

use std::process::{Child, Command, Stdio};

use serde_json::json;
use testkit::nats;

use crate::client::{Server, program};
use crate::house::{House, until};

/// Two bots that search, so that somebody has something to do all the time.
const BOTS: &str = "game=blitz&seat.0=bot:search:60&seat.1=bot:search:60&dice=fair&seed=5";

/// A worker of the house; what it says at its end is kept.
fn worker(nats: &nats::Server) -> Child {
    let mut command = program(&["worker", "--nats", &nats.address(), "--class", "house", "--threads", "2"]);
    command.env("MAPROOM_LOG", "info");
    command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("a worker starts")
}

fn signal(process: &Child, name: &str) {
    let sent = Command::new("kill").args([name, &process.id().to_string()]).status().expect("kill runs");
    assert!(sent.success(), "{name}");
}

/// Ends a worker. How many choices of bots it has made.
fn end(worker: Child) -> usize {
    signal(&worker, "-TERM");
    let output = worker.wait_with_output().expect("it ends");
    String::from_utf8_lossy(&output.stderr).matches("a choice for search:60 in blitz").count()
}

/// Two bots who play one match after the other at full speed.
struct Bots<'a> {
    house: &'a House,
    server: &'a Server,
    path: String,
    /// How far the match is, as far as was looked.
    known: u64,
}

impl<'a> Bots<'a> {
    fn begin(house: &'a House, server: &'a Server) -> Self {
        let path = server.connect().new_match_of(BOTS).expect("a match");
        server.post(&format!("{path}/pace"), &json!({ "pace": "fast" })).is(200);
        Self { house, server, path, known: 0 }
    }

    /// Waits until they have made some choices.
    fn go_on(&mut self, what: &str) {
        let mut made = 0;
        self.known = self.house.progress(&self.path).map_or(self.known, |(revision, _)| revision);
        until(what, || {
            let (revision, is_over) = self.house.progress(&self.path)?;
            made += revision.saturating_sub(self.known);
            self.known = revision;
            if is_over {
                *self = Self::begin(self.house, self.server);
            }
            (made > 3).then_some(())
        });
    }
}

#[test]
fn workers_of_the_house_think_for_bots_and_bots_go_on_without_them() {
    let (Some(house), Some(mut nats)) = (House::new(), nats::Server::start()) else { return };
    let address = nats.address();
    let server = House::server_at(&house.address(), &["--nats", &address]);
    let first = worker(&nats);
    let mut bots = Bots::begin(&house, &server);
    bots.go_on("the bots play");
    // Another one takes part; then the first stands still with whatever it has begun.
    let second = worker(&nats);
    bots.go_on("two workers think");
    signal(&first, "-STOP");
    bots.go_on("one of two workers is silent");
    signal(&first, "-CONT");
    nats.kill();
    bots.go_on("there is nobody to ask");
    nats.restart();
    bots.go_on("there is somebody again");
    let (first, second) = (end(first), end(second));
    bots.go_on("no worker is left");
    assert!(first > 0 && first + second > 3, "{first} and {second} choices");
}
