//! What a server keeps, saved and moved; and what it tells whoever watches over it.

use std::net::TcpListener;
use std::path::Path;

use crate::client::{Http, Server, run, words};

fn text(path: &Path) -> &str {
    path.to_str().expect("a path")
}

/// Runs a command that must succeed, and gives its words.
fn done(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", words(&output));
    words(&output)
}

/// Runs a command that must be refused, and gives its words.
fn refused(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(!output.status.success(), "{arguments:?}: {}", words(&output));
    words(&output)
}

/// Saved while the server runs, checked, taken in elsewhere, and moved on: the match is there each time.
#[test]
fn saved_restored_and_moved() {
    let folder = tempfile::tempdir().expect("a folder");
    let [first, second, third, file] =
        ["first", "second", "third", "war.backup"].map(|name| folder.path().join(name));
    let [first, second, third, file] = [&first, &second, &third, &file].map(|path| text(path));
    let mut server = Server::start(Path::new(first));
    let table = server.new_match();
    let said = done(&["backup", file, "--data", first]);
    assert!(said.contains("1 matches"), "{said}");
    assert!(refused(&["backup", file, "--data", first]).contains("overwrites nothing"));
    // Who copies must have both places to itself.
    assert!(refused(&["store", "copy", "--from", first, "--to", second]).contains("in use"));
    assert!(server.stop().success());
    let said = done(&["backup", "--check", file]);
    assert!(said.contains("is whole: 1 matches") && said.contains("1 matches were replayed"), "{said}");
    done(&["restore", file, "--data", second]);
    assert!(refused(&["restore", file, "--data", second]).contains("empty store only"));
    let said = done(&["store", "copy", "--from", second, "--to", third]);
    assert!(said.contains("1 matches are the same in both"), "{said}");
    let server = Server::start(Path::new(third));
    assert_eq!(server.get(&table).status, 200);
    // A file that was cut short is noticed.
    let whole = std::fs::read_to_string(file).expect("the backup");
    std::fs::write(file, &whole[..whole.len() / 2]).expect("a file");
    assert!(refused(&["backup", "--check", file]).contains("line"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::metadata(file).expect("the backup").permissions().mode();
        assert_eq!(mode & 0o077, 0, "nobody else reads it");
    }
}

#[test]
fn a_server_says_whether_it_is_well() {
    let folder = tempfile::tempdir().expect("a folder");
    let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a port");
    let address = free.to_string();
    let server = Server::start_with(folder.path(), &["--port", "0", "--metrics", &address]);
    let well = server.get("/health");
    assert_eq!((well.status, well.body.as_str()), (200, "ok\n"));
    // Figures are no visitor's business.
    assert_eq!(server.get("/metrics").status, 404);
    let table = server.new_match();
    assert_eq!(server.get(&table).status, 200);
    let mut watching = Http::connect(free.port()).expect("it listens");
    let figures = watching.send("GET", "/metrics", &[], "").expect("figures");
    assert_eq!(figures.header("content-type"), Some("text/plain; version=0.0.4"));
    for line in ["maproom_store_up 1", "maproom_matches_in_memory 1", "maproom_appends_waiting 0"] {
        assert!(figures.body.lines().any(|told| told == line), "{line} is not in\n{}", figures.body);
    }
}

#[cfg(feature = "shared")]
#[test]
fn a_server_on_postgresql() {
    use testkit::postgres::shared;

    use crate::client::program;

    let Some(database) = shared() else { return };
    let address = database.address(&database.empty());
    let serve = || program(&["serve", "--database", &address, "--port", "0"]);
    let mut server = Server::launch(serve()).unwrap_or_else(|said| panic!("{said}"));
    let table = server.new_match();
    assert_eq!(server.get("/health").status, 200);
    // Another serves from the same database, but who copies must have it alone.
    let other = Server::launch(serve()).unwrap_or_else(|said| panic!("{said}"));
    assert_eq!(other.get(&table).status, 200);
    drop(other);
    let folder = tempfile::tempdir().expect("a folder");
    let nowhere = folder.path().join("nowhere");
    let said = refused(&["store", "copy", "--from", &address, "--to", text(&nowhere)]);
    assert!(said.contains("is in use by a Maproom that serves from it"), "{said}");
    let file = folder.path().join("war.backup");
    done(&["backup", text(&file), "--database", &address]);
    assert!(server.stop().success());
    let elsewhere = folder.path().join("elsewhere");
    let said = done(&["store", "copy", "--from", &address, "--to", text(&elsewhere)]);
    assert!(said.contains("1 matches are the same in both"), "{said}");
    let server = Server::start(&elsewhere);
    assert_eq!(server.get(&table).status, 200);
    let other = database.address(&database.empty());
    done(&["restore", text(&file), "--database", &other]);
    let restored = Server::launch(program(&["serve", "--database", &other, "--port", "0"]));
    assert_eq!(restored.unwrap_or_else(|said| panic!("{said}")).get(&table).status, 200);
}
