//! Several choices by one request, and bots at a chosen pace, over the wire and without a browser.

use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::tempdir;

use crate::client::{Http, PATIENCE, Server, Socket};

/// Waits until a match is as it should be, and returns what it offers then.
fn until(http: &mut Http, path: &str, so: impl Fn(&Value) -> bool) -> Value {
    let begun = Instant::now();
    loop {
        let shown = http.debug(path).expect("an answer");
        if so(&shown) {
            return shown;
        }
        assert!(begun.elapsed() < PATIENCE, "it never came about: {shown}");
        thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_chain_is_one_request_and_several_choices() {
    let folder = tempdir().expect("a folder");
    let server = Server::start(folder.path());
    let mut http = server.connect();
    let path = http
        .new_match_of("game=echoes&option.edition=allied&option.spread=1&option.ask=always&dice=own")
        .expect("a match");
    for (revision, die) in [(1, "die 1"), (2, "die 1")] {
        http.choose(&path, revision, die).expect("an answer").is(200);
    }
    // The third link comes to nothing: a die is to be rolled before it.
    let mut window = Socket::open(server.port, &format!("{path}/live?since=3"), &[])
        .expect("an answer")
        .unwrap_or_else(|answer| panic!("{answer:?}"));
    http.choose(&path, 3, "no > no > no").expect("an answer").is(200);
    let shown = http.debug(&path).expect("an answer");
    assert_eq!((&shown["revision"], &shown["steps"]), (&json!(4), &json!(4)), "{shown}");
    assert_eq!(shown["choices"][0], "die 1", "{shown}");
    let update = window.update().expect("an update");
    assert_eq!((&update["from"], &update["to"]), (&json!(3), &json!(4)), "told at once, and once");
    // A die is no link of a chain.
    let refused = http.choose(&path, 4, "die 1 > no").expect("an answer").is(422).json();
    assert_eq!(refused["code"], "unknown-choice", "{refused}");
    // Taken back one by one.
    for (revision, steps) in [(4, 3), (5, 2)] {
        server.post(&format!("{path}/undo"), &json!({ "revision": revision })).is(200);
        assert_eq!(http.debug(&path).expect("an answer")["steps"], steps);
    }
    let refused = http.choose(&path, 6, "attack Mars > no").expect("an answer").is(422).json();
    assert_eq!(refused["code"], "unknown-choice", "{refused}");
    assert_eq!(http.debug(&path).expect("an answer")["steps"], 2);
}

/// Bots among themselves: stopped, step by step, then as fast as they can, while people are answered as ever.
#[test]
fn bots_are_watched_at_a_chosen_pace() {
    let folder = tempdir().expect("a folder");
    let mut server = Server::start(folder.path());
    let mut http = server.connect();
    let path = http.new_match_of("game=blitz&seed=7&seat.0=bot:solo&seat.1=bot:greedy").expect("a match");
    let pace = |server: &Server, pace: &str| server.post(&format!("{path}/pace"), &json!({ "pace": pace }));
    pace(&server, "pause").is(200);
    let before = until(&mut http, &path, |_| true)["revision"].as_u64().expect("a revision");
    thread::sleep(Duration::from_millis(800));
    let paused = http.debug(&path).expect("an answer")["revision"].clone();
    assert_eq!(paused, before, "nothing happens");
    pace(&server, "step").is(200);
    until(&mut http, &path, |shown| shown["revision"] == before + 1);
    assert_eq!(pace(&server, "quick").is(422).json()["code"], "bad");
    // It is still paused after a restart.
    server.stop();
    let server = Server::start(folder.path());
    let mut http = server.connect();
    thread::sleep(Duration::from_millis(800));
    assert_eq!(http.debug(&path).expect("an answer")["revision"], before + 1);
    let page = server.get(&path).is(200).body;
    assert!(page.contains("data-pace=\"pause\"") && page.contains("sets-pace"), "{page}");
    let mut window = Socket::open(server.port, &format!("{path}/live?since={}", before + 1), &[])
        .expect("an answer")
        .unwrap_or_else(|answer| panic!("{answer:?}"));
    let begun = Instant::now();
    pace(&server, "once").is(200);
    let mut known = before + 1;
    let mut updates = 0;
    loop {
        let update = window.update().expect("an update");
        assert_eq!(update["from"], known, "each fits the one before: {update}");
        // A word about the table is no update: that a bot thinks, for instance.
        updates += u128::from(update["to"] != known);
        known = update["to"].as_u64().expect("a revision");
        if update["over"] == true {
            break;
        }
    }
    let most = 4 + begun.elapsed().as_millis() / 100;
    assert!(updates <= most, "{updates} updates in {:?}", begun.elapsed());
    assert!(known > 20, "a whole game was played: {known}");
    // What the solo bot had in mind could betray its hand. Now that all is over it is told.
    let page = server.get(&path).is(200).body;
    assert!(
        page.contains("<details class=\"why remark\"><summary>Why</summary><p>"),
        "the reasons of the bot"
    );
}
