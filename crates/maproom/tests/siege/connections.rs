//! Connections that are held open and say next to nothing (1).

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::tempdir;

use crate::PROGRAM;
use crate::client::{JSON, PATIENCE, Server, Socket};
use crate::honest::compare;

/// More than the server of [`narrow`] has room for.
const MANY: usize = 300;

/// A server that the system lets open so many files.
fn narrow(data: &std::path::Path, limit: &str, further: &[&str]) -> Server {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("ulimit {limit} && exec \"$0\" \"$@\""), PROGRAM, "serve", "--data"]);
    command.arg(data).args(["--port", "0"]).args(further);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    Server::launch(command).unwrap_or_else(|said| panic!("the server did not open. It said:\n{said}"))
}

fn connect(server: &Server) -> TcpStream {
    let stream = TcpStream::connect(("127.0.0.1", server.port)).expect("it listens");
    stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a timeout");
    stream
}

/// Whether the server has closed a connection.
fn is_closed(stream: &mut TcpStream) -> bool {
    stream.set_nonblocking(true).expect("a socket");
    let mut bytes = [0; 1_024];
    loop {
        match stream.read(&mut bytes) {
            Ok(0) => return true,
            Ok(_) => {}
            Err(why) => return why.kind() != std::io::ErrorKind::WouldBlock,
        }
    }
}

/// Slow headers: before, 1,100 such connections shut out everybody else.
#[test]
fn trickling_headers_shut_nobody_out() {
    let folder = tempdir().expect("a folder");
    // So few files that the attack itself needs few; the hard limit keeps the server from raising it.
    let server = narrow(folder.path(), "-n 256", &[]);
    let path = server.new_match();
    let mut window = Socket::open(server.port, &format!("{path}/live?since=1"), &[])
        .expect("an answer")
        .unwrap_or_else(|answer| panic!("{answer:?}"));
    compare("300 connections with trickling headers", &server, &path, |signs| {
        let mut held: Vec<TcpStream> = (0..MANY).map(|_| connect(&server)).collect();
        for stream in &mut held {
            let _ = stream.write_all(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n");
        }
        signs.begin();
        while signs.goes_on() {
            for stream in &mut held {
                let _ = stream.write_all(b"X");
            }
            thread::sleep(Duration::from_millis(20));
        }
        let closed = held.iter_mut().map(is_closed).filter(|closed| *closed).count();
        assert!(closed >= MANY - 160, "the oldest made room: {closed} of {MANY}");
    });
    // The window that was open all the time still is.
    let shown = server.get(&format!("{path}/debug")).json();
    let choice = serde_json::json!({ "revision": 1, "choice": shown["choices"][0] });
    server.send("POST", &format!("{path}/choose"), &[JSON], &choice.to_string()).is(200);
    // Win chances may come before it.
    let mut heard = std::iter::from_fn(|| window.update().ok()).map(|update| update["to"].clone());
    assert!(heard.by_ref().take(20).any(|to| to == 2), "the choice is not told");
}

/// A network does not get all places, and the rest of the world is let in.
#[cfg(target_os = "linux")]
#[test]
fn one_address_does_not_get_all_places() {
    let folder = tempdir().expect("a folder");
    let server = narrow(folder.path(), "-n 700", &[]);
    let path = server.new_match();
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    // Only 127.0.0.1 counts as this machine.
    let from_elsewhere = || {
        let stream = runtime.block_on(async {
            let socket = tokio::net::TcpSocket::new_v4()?;
            socket.bind("127.0.0.2:0".parse().map_err(std::io::Error::other)?)?;
            socket.connect(([127, 0, 0, 1], server.port).into()).await
        });
        stream.and_then(tokio::net::TcpStream::into_std).expect("it listens")
    };
    let mut held: Vec<TcpStream> = (0..MANY).map(|_| from_elsewhere()).collect();
    // Answered only after the others were let in: connections come in the order in which they were made.
    server.get(&path).is(200);
    let closed = held.iter_mut().map(is_closed).filter(|closed| *closed).count();
    assert_eq!(MANY - closed, 256, "so many from one address");
    drop(held);
    // When they have gone, their address is served again.
    let request = format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n");
    let begun = Instant::now();
    loop {
        let mut again = from_elsewhere();
        again.set_nonblocking(false).expect("a socket");
        let mut answer = String::new();
        let asked = again.write_all(request.as_bytes()).and_then(|()| again.read_to_string(&mut answer));
        if asked.is_ok() && answer.starts_with("HTTP/1.1 200") {
            break;
        }
        assert!(begun.elapsed() < PATIENCE, "{asked:?}: {answer}");
        thread::sleep(Duration::from_millis(10));
    }
}

/// The limit of open files is raised as far as the system allows.
#[cfg(target_os = "linux")]
#[test]
fn the_file_limit_is_raised_at_the_start() {
    let folder = tempdir().expect("a folder");
    let server = narrow(folder.path(), "-Sn 64", &[]);
    server.get("/").is(200);
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", server.process())).expect("its limits");
    let files = limits.lines().find(|line| line.starts_with("Max open files")).expect("a line");
    let soft: u64 = files.split_whitespace().nth(3).and_then(|word| word.parse().ok()).expect("a number");
    assert!(soft > 64, "{files}");
}

/// A body that never comes does not keep the next visitor waiting, and the server can still be stopped.
#[test]
fn trickling_bodies_hold_nobody_up() {
    let folder = tempdir().expect("a folder");
    let mut server = narrow(folder.path(), "-n 256", &[]);
    let path = server.new_match();
    compare("100 bodies that never come", &server, &path, |signs| {
        let head = format!(
            "POST {path}/choose HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n"
        );
        let mut held: Vec<TcpStream> = (0..100).map(|_| connect(&server)).collect();
        for stream in &mut held {
            let _ = stream.write_all(head.as_bytes());
        }
        signs.begin();
        while signs.goes_on() {
            for stream in &mut held {
                let _ = stream.write_all(b" ");
            }
            thread::sleep(Duration::from_millis(20));
        }
    });
    assert!(server.stop().success(), "{}", server.said());
}
