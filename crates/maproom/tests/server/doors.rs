//! Starting, ending, ports, folders, disks.

use std::io::Write as _;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Output};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;
use tempfile::tempdir;

use crate::client::{Server, Socket, program, run, run_command, words};

/// So long it may take to end, at the very most: less than anybody who holds it up would hold on.
const GOING: Duration = Duration::from_secs(60);

/// Says past the capture of the test harness that something was not tested.
fn skipped(what: &str, why: &str) {
    let _ = writeln!(std::io::stderr(), "SKIPPED: {what}: {why}");
}

/// Insists on a plain refusal: code 1, a message with these words, nothing that looks like a crash.
#[track_caller]
fn refused(output: &Output, parts: &[&str]) {
    let said = words(output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    for part in parts {
        assert!(said.contains(part), "{part:?} is missing:\n{said}");
    }
    assert!(!said.contains("panicked") && !said.contains("Maproom is running"), "{said}");
    assert!(said.lines().count() <= 5, "short enough to be read:\n{said}");
}

fn serve(data: &Path) -> Output {
    run(&["serve", "--port", "0", "--data", &data.display().to_string()])
}

#[test]
fn a_port_that_is_taken() {
    let folder = tempdir().expect("a folder");
    // Either this test takes the usual port or somebody else has it already.
    let usual = TcpListener::bind(("127.0.0.1", 4040));
    let server = Server::start_with(folder.path(), &[]);
    assert_ne!(server.port, 4040);
    server.get("/").is(200);
    drop(usual);

    let taken = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    let port = taken.local_addr().expect("an address").port().to_string();
    let other = tempdir().expect("a folder");
    let output = run(&["serve", "--port", &port, "--data", &other.path().display().to_string()]);
    refused(&output, &[&format!("127.0.0.1:{port}"), "in use"]);
}

#[test]
fn a_folder_that_is_in_use() {
    let folder = tempdir().expect("a folder");
    let server = Server::start(folder.path());
    let path = server.new_match();
    refused(&serve(folder.path()), &["in use by another Maproom", &folder.path().display().to_string()]);
    server.get(&path).is(200);
    drop(server);
    let server = Server::start(folder.path());
    server.get(&path).is(200);
}

#[test]
fn a_folder_that_is_none() {
    let folder = tempdir().expect("a folder");
    let file = folder.path().join("file");
    std::fs::write(&file, "mine").expect("a file");
    refused(&serve(&file), &[&file.display().to_string()]);
    refused(&serve(&file.join("below")), &["below"]);
    assert_eq!(std::fs::read_to_string(&file).expect("the file"), "mine");
    refused(&serve(Path::new("/proc/maproom/data")), &["/proc/maproom/data"]);

    let foreign = folder.path().join("foreign");
    std::fs::create_dir(&foreign).expect("a folder");
    std::fs::write(foreign.join("maproom.db"), "a diary").expect("a file");
    refused(&serve(&foreign), &["not a database of Maproom"]);
    assert_eq!(std::fs::read_to_string(foreign.join("maproom.db")).expect("the file"), "a diary");
}

/// A server whose folder is a small file system of its own, which goes with it. `None` where the system forbids that.
fn on_own_disk(folder: &Path, options: &str) -> Option<Command> {
    let probe = "mount -t tmpfs -o \"$1\" none \"$2\"";
    for flags in [&["--mount"][..], &["--mount", "--map-root-user"]] {
        let tried =
            Command::new("unshare").args(flags).args(["sh", "-c", probe, "sh", options]).arg(folder).output();
        if !tried.is_ok_and(|output| output.status.success()) {
            continue;
        }
        let script = format!("{probe} && exec \"$3\" serve --port 0 --data \"$2\"");
        let plain = program(&[]);
        let mut command = Command::new("unshare");
        command.args(flags).args(["sh", "-c", &script, "sh", options]).arg(folder).arg(plain.get_program());
        command.stdin(std::process::Stdio::null());
        command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
        return Some(command);
    }
    None
}

#[test]
fn a_disk_that_can_not_be_written() {
    let folder = tempdir().expect("a folder");
    let Some(command) = on_own_disk(folder.path(), "ro,size=1m") else {
        return skipped("a read-only disk", "this system lets us mount nothing");
    };
    refused(&run_command(command), &["can't be written", "read-only"]);
}

#[test]
fn a_disk_that_is_full_before_the_start() {
    let folder = tempdir().expect("a folder");
    let Some(command) = on_own_disk(folder.path(), "size=4k") else {
        return skipped("a full disk at the start", "this system lets us mount nothing");
    };
    refused(&run_command(command), &["disk is full"]);
}

#[test]
fn a_disk_that_fills_up_while_playing() {
    let folder = tempdir().expect("a folder");
    let Some(command) = on_own_disk(folder.path(), "size=3m") else {
        return skipped("a full disk while playing", "this system lets us mount nothing");
    };
    let server = Server::launch(command).unwrap_or_else(|said| panic!("{said}"));
    // The disk is the server's own; this is the way to it from outside.
    let disk = Path::new("/proc").join(server.process().to_string()).join("root");
    let disk = disk.join(folder.path().strip_prefix("/").expect("an absolute path"));
    let filler = disk.join("filler");
    let mut http = server.connect();
    let path = http.new_match().expect("a match");
    let mut window = Socket::open(server.port, &format!("{path}/live?since=1"), &[])
        .expect("an answer")
        .unwrap_or_else(|answer| panic!("{answer:?}"));
    for round in 0..3 {
        let shown = http.debug(&path).expect("an answer");
        let Some(choice) = shown["choices"][0].as_str() else { break };
        let revision = shown["revision"].as_u64().expect("a revision");
        fill(&filler);
        // The log of the database may have a little room left inside: then some choices still go through.
        let (mut refused, mut last) = (None, revision);
        for _ in 0..200 {
            let shown = http.debug(&path).expect("an answer");
            let Some(choice) = shown["choices"][0].as_str() else { break };
            last = shown["revision"].as_u64().expect("a revision");
            let answer = http.choose(&path, last, choice).expect("an answer");
            match answer.status {
                200 => fill(&filler),
                429 => thread::sleep(Duration::from_millis(300)),
                _ => {
                    refused = Some((answer.is(503).json(), shown));
                    break;
                }
            }
        }
        let Some((error, before)) = refused else {
            panic!(
                "round {round}: the disk is full, and yet everything from {revision} ({choice}) to {last} was kept"
            )
        };
        let text = error["error"].as_str().expect("a message");
        assert!(text.contains("disk is full") && text.contains("not made"), "{text}");
        let after = http.debug(&path).expect("the match opens");
        for what in ["revision", "steps", "digest", "choices"] {
            assert_eq!(after[what], before[what], "round {round}: {what}: the match is unharmed");
        }
        let denied = http.send("POST", "/matches", &[crate::client::FORM], crate::client::NEW_MATCH);
        assert_eq!(denied.expect("an answer").status, 503, "no new match either");

        std::fs::remove_file(&filler).expect("room");
        let choice = before["choices"][0].as_str().expect("a choice");
        let answer = http.choose(&path, last, choice).expect("an answer").is(200);
        assert_eq!(answer.json()["revision"], last + 1, "with room on the disk it goes on");
        assert!(
            window.update().is_err(),
            "a window on the copy that failed is sent off, to come back and look again"
        );
        window = Socket::open(server.port, &format!("{path}/live?since={last}"), &[])
            .expect("an answer")
            .unwrap_or_else(|answer| panic!("{answer:?}"));
        assert_eq!(window.update().expect("a word")["behind"], last + 1);
    }
    let proof = folder.path().join("proof.match");
    std::fs::write(&proof, http.export(&path).expect("a record")).expect("a file");
    let proven = run(&["verify", &proof.display().to_string()]);
    assert!(proven.status.success(), "{}", words(&proven));
    assert!(!server.said().contains("panicked"), "{}", server.said());
}

/// Writes until nothing more fits.
fn fill(filler: &Path) {
    let mut file = std::fs::OpenOptions::new().create(true).append(true).open(filler).expect("a file");
    for size in [64 << 10, 4 << 10, 512, 64, 1] {
        while file.write_all(&vec![7; size]).is_ok() {}
    }
}

#[test]
fn it_ends_when_asked_whatever_is_open() {
    let folder = tempdir().expect("a folder");
    let mut server = Server::start(folder.path());
    let path = server.new_match();
    let mut kept = server.connect();
    assert_eq!(kept.debug(&path).expect("an answer")["revision"], 1);
    let sockets: Vec<_> = (0..20)
        .map(|_| Socket::open(server.port, &format!("{path}/live?since=1"), &[]).expect("an answer").is_ok())
        .collect();
    assert!(sockets.iter().all(|open| *open));
    let mut window = Socket::open(server.port, &format!("{path}/live?since=1"), &[])
        .expect("an answer")
        .unwrap_or_else(|answer| panic!("{answer:?}"));
    let begun = Instant::now();
    let status = server.stop();
    assert!(status.success(), "{status}: {}", server.said());
    assert!(begun.elapsed() < GOING, "it took {:?}", begun.elapsed());
    assert!(window.update().is_err(), "windows see that it has gone");
    let server = Server::start(folder.path());
    let shown = server.get(&format!("{path}/debug")).is(200).json();
    assert_eq!(shown["revision"], json!(1));
}

/// A connection that never says anything, and one that stops in the middle of a word.
#[test]
fn it_ends_even_if_somebody_holds_a_request_back() {
    let folder = tempdir().expect("a folder");
    let mut server = Server::start(folder.path());
    let silent = std::net::TcpStream::connect(("127.0.0.1", server.port)).expect("it listens");
    let mut halting = std::net::TcpStream::connect(("127.0.0.1", server.port)).expect("it listens");
    halting.write_all(b"GET / HTTP/1.1\r\nHost: 127.0").expect("it listens");
    // Answered only after the others were let in: connections come in the order in which they were made.
    server.get("/").is(200);
    let begun = Instant::now();
    assert!(server.stop().success());
    assert!(begun.elapsed() < GOING, "it took {:?}", begun.elapsed());
    drop((silent, halting));
}
