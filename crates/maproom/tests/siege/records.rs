//! Imports and the database (8).

use tempfile::tempdir;

use crate::client::{Server, words};
use crate::honest::compare;

const TEXT: (&str, &str) = ("Content-Type", "text/plain");

#[test]
fn imports_of_rubbish_hold_nobody_up_and_are_not_read_to_their_end() {
    let folder = tempdir().expect("a folder");
    let server = Server::start(folder.path());
    let path = server.new_match();
    let rubbish = format!("maproom match 1\ngame: echoes\n{}", "what is this\n".repeat(600_000));
    compare("imports of 8 MB of rubbish", &server, &path, |signs| {
        let mut http = server.connect();
        signs.begin();
        loop {
            let answer = http.send("POST", "/matches/import?name=x", &[TEXT], &rubbish).expect("an answer");
            let why = answer.is(422).json()["error"].as_str().expect("a sentence").to_owned();
            assert!(why.contains("… and more") && why.len() < 20_000, "{} bytes: {why:.300}", why.len());
            if !signs.goes_on() {
                break;
            }
        }
    });
    // A long record that is in order keeps the others waiting no longer.
    let record = server.get(&format!("{path}/export")).is(200).body;
    let answer = server.send("POST", "/matches/import?name=x", &[TEXT], &record).is(200).json();
    assert!(answer["path"].as_str().is_some_and(|path| path.starts_with("/m/")), "{answer}");
}

#[cfg(unix)]
#[test]
fn nobody_else_on_the_machine_reads_the_database() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempdir().expect("a folder");
    let server = Server::start(folder.path());
    server.new_match();
    for name in ["maproom.db", "maproom.db-wal", "maproom.db-shm"] {
        let mode = std::fs::metadata(folder.path().join(name)).expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
    }
}

#[test]
fn a_damaged_database_is_not_played_on() {
    let folder = tempdir().expect("a folder");
    let mut server = Server::start(folder.path());
    for _ in 0..20 {
        server.new_match();
    }
    assert!(server.stop().success());
    let file = folder.path().join("maproom.db");
    let mut bytes = std::fs::read(&file).expect("the database");
    bytes[8_192..].fill(0x55);
    std::fs::write(&file, &bytes).expect("a file");
    let data = folder.path().display().to_string();
    let output = crate::client::run(&["serve", "--port", "0", "--data", &data]);
    let said = words(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("is damaged") && said.contains("backup") && !said.contains("panicked"), "{said}");
    assert_eq!(std::fs::read(&file).expect("the database"), bytes, "it is left as it is");
}
