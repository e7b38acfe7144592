//! A server that stands still in the middle of writing, with the rows of a match locked: the others go on without it.

use std::io::{self, Write as _};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use crate::client::{NEW_MATCH, Server};
use crate::house::{House, choose, id_of, until};

/// The database lets go of what a silent server has locked after three seconds, and of what anything else has after twenty. A busy
/// machine adds to that.
const SOON: Duration = Duration::from_secs(12);

/// What a session of a server is doing in the database.
const STATES: &str = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() \
                      AND application_name = 'maproom' AND";

fn signal(server: &Server, name: &str) {
    let sent = Command::new("kill").args([name, &server.process().to_string()]).status().expect("kill runs");
    assert!(sent.success(), "{name}");
}

#[test]
fn a_server_that_stands_still_keeps_nobody_from_a_match() {
    let Some(house) = House::new() else { return };
    let (still, other) = (house.server(), house.server());
    let path = still.connect().new_match_of(NEW_MATCH).expect("a match");
    let (mut http, mut at_other) = (still.connect(), other.connect());
    let shown = http.debug(&path).expect("it opens");
    let revision = shown["revision"].as_u64().expect("one");
    let choice = shown["choices"][0].as_str().expect("a choice").to_owned();
    assert_eq!(at_other.debug(&path).expect("it opens")["revision"], revision);
    let is_there = |state: &str| house.ask(&format!("{STATES} {state}")) != "0";
    let lock = format!("BEGIN; SELECT 1 FROM progress WHERE match_id = '{}' FOR UPDATE", id_of(&path));
    let took = thread::scope(|scope| {
        // Somebody else has the match. As soon as the server waits for it, it is stopped; then it gets what it has waited for. A busy
        // machine may be too late for that.
        until("a server that stands still while it writes", || {
            let mut held = house.postgres.hold(&house.database, &lock);
            let (still, path, choice) = (&still, &path, &choice);
            let asked = scope.spawn(move || choose(&mut still.connect(), path, revision, choice, "still"));
            until("it waits, or has given up", || {
                (is_there("wait_event_type = 'Lock'") || asked.is_finished()).then_some(())
            });
            signal(still, "-STOP");
            held.let_go();
            if is_there("state = 'idle in transaction'") {
                return Some(());
            }
            signal(still, "-CONT");
            let answer = asked.join().expect("no panic").expect("an answer");
            assert_eq!(answer.status, 503, "nobody has written: {answer:?}");
            None
        });
        let begun = Instant::now();
        until("a choice at the other server", || {
            let answer = choose(&mut at_other, &path, revision, &choice, "other").expect("an answer");
            (answer.status == 200).then_some(())
        });
        let took = begun.elapsed();
        signal(&still, "-CONT");
        took
    });
    let _ = writeln!(io::stderr(), "a match that a silent server had locked was free after {took:.1?}");
    assert!(took < SOON, "{took:?}");
    let journal: Vec<(u64, String)> = house.journal(id_of(&path));
    assert_eq!(journal.last(), Some(&(revision + 1, "other".to_owned())), "what it had begun was not made");
    // It has found out, and goes on.
    let shown =
        until("it has followed", || http.debug(&path).ok().filter(|shown| shown["revision"] == revision + 1));
    let next = shown["choices"][0].as_str().expect("a choice").to_owned();
    until("choices are taken", || {
        (choose(&mut http, &path, revision + 1, &next, "again").ok()?.status == 200).then_some(())
    });
}
