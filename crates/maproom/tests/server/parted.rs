//! A stored match that the present rules can't follow to its end: the pages that say so, and going on from them.

use std::thread;
use std::time::{Duration, Instant};

use store::{EntryKind, SqliteStore, Store as _};
use tempfile::tempdir;

use crate::client::{FORM, PATIENCE, Server};

const PAGE: (&str, &str) = ("Accept", "text/html");
const TEXT: (&str, &str) = ("Content-Type", "text/plain");

/// The lines of choices.
fn choices(text: &str) -> Vec<&str> {
    text.lines().filter(|line| line.trim_start().starts_with(|c: char| c.is_ascii_digit())).collect()
}

#[test]
fn a_stored_match_that_parts_is_offered_as_a_new_one_and_stays_as_it_is() {
    let folder = tempdir().expect("a folder");
    let mut server = Server::start(folder.path());
    let mut http = server.connect();
    let path = http.new_match().expect("a new match");
    for _ in 0..6 {
        let shown = http.debug(&path).expect("an answer");
        let choice = shown["choices"][0].as_str().expect("a choice");
        http.choose(&path, shown["revision"].as_u64().expect("a revision"), choice)
            .expect("an answer")
            .is(200);
    }
    drop(http);
    assert!(server.stop().success());

    // The same match under old rules, which go another way from its last journal entry on.
    let [_, _, new_id, token] = path.split('/').collect::<Vec<_>>()[..] else { panic!("{path}") };
    let old_id: String = new_id.chars().rev().collect();
    let common = {
        let store = SqliteStore::open(folder.path()).expect("the folder is free");
        let mut record = store.find(new_id).expect("an answer").expect("the match");
        let mut journal = store.journal(new_id).expect("an answer");
        record.id.clone_from(&old_id);
        record.header = record.header.replacen("\nrules: 3\n", "\nrules: 0\n", 1);
        let last = journal.last_mut().expect("an entry");
        let EntryKind::Steps(text) = &mut last.kind else { panic!("{last:?}") };
        let first = choices(text)[0].to_owned();
        let (rest, _) = first.rsplit_once(' ').expect("a digest");
        *text = text.replacen(&first, &format!("{rest} 0badc0de"), 1);
        store.create(&record, &journal).expect("stored");
        let number: usize = first.split_whitespace().next().and_then(|n| n.parse().ok()).expect("a number");
        number - 1
    };
    let server = Server::start(folder.path());
    let offer = format!("Continue from step {common} as a new match");
    let begun = Instant::now();
    while !server.get("/").is(200).body.contains(&offer) {
        assert!(begun.elapsed() < PATIENCE, "the lobby does not find out");
        thread::sleep(Duration::from_millis(20));
    }
    let table = format!("/m/{old_id}/{token}");
    let page = server.send("GET", &table, &[PAGE], "").is(422).body;
    assert!(page.contains(&offer) && page.contains("Nothing is lost"), "{page}");
    let said = server.get(&table).is(422).json();
    assert_eq!((said["code"].as_str(), said["common"].as_u64()), (Some("parted"), Some(common as u64)));
    let record = server.get(&format!("/matches/{old_id}/record")).is(200).body;

    let answer = server.send("POST", &format!("/matches/{old_id}/continue"), &[FORM], "").is(303);
    let new = answer.header("location").expect("a new table").to_owned();
    server.send("GET", &new, &[PAGE], "").is(200);
    let export = server.get(&format!("{new}/export")).is(200).body;
    assert_eq!(choices(&export), choices(&record)[..common]);
    let mut http = server.connect();
    let shown = http.debug(&new).expect("an answer");
    http.choose(&new, 1, shown["choices"][0].as_str().expect("a choice")).expect("an answer").is(200);
    assert_eq!(server.get(&format!("/matches/{old_id}/record")).is(200).body, record);
    // The match of the present rules can go on as it is.
    server.send("POST", &format!("/matches/{new_id}/continue"), &[FORM], "").is(422);

    // The same as a file.
    let import = |common: bool| {
        server.send("POST", &format!("/matches/import?name=old.match&common={common}"), &[TEXT], &record)
    };
    let refused = import(false).is(422).json();
    assert_eq!((refused["code"].as_str(), refused["common"].as_u64()), (Some("parted"), Some(common as u64)));
    let taken = import(true).is(200).json();
    let export = server.get(&format!("{}/export", taken["path"].as_str().expect("a path"))).is(200).body;
    assert_eq!(choices(&export), choices(&record)[..common]);
}
