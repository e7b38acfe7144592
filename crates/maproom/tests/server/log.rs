//! What the server writes to its log: enough to know what happens, and nothing that must stay secret.

use std::thread;
use std::time::{Duration, Instant};

use tempfile::tempdir;

use crate::client::{FORM, Http, PATIENCE, Server};

/// Blitz for two has hidden hands: one seat is the owner's, the other a friend's.
const HIDDEN: &str = "game=blitz&dice=fair&seed=7&seat.0=me&seat.1=friend";
/// The same against a bot that plays at once.
const AGAINST_BOT: &str = "game=blitz&dice=fair&seed=8&seat.0=me&seat.1=bot:random";

/// The token in the path of a table.
fn token(path: &str) -> String {
    path.rsplit('/').next().expect("a path").to_owned()
}

/// Makes the first open choice, so often; returns what was chosen.
fn play(http: &mut Http, path: &str, choices: usize) -> Vec<String> {
    let begun = Instant::now();
    let mut made = Vec::new();
    while made.len() < choices && begun.elapsed() < PATIENCE {
        let state = http.debug(path).expect("the state");
        let revision = state["revision"].as_u64().expect("a revision");
        let Some(choice) = state["choices"][0].as_str() else {
            thread::sleep(Duration::from_millis(20));
            continue;
        };
        if http.choose(path, revision, choice).expect("an answer").status == 200 {
            made.push(choice.to_owned());
        }
    }
    assert_eq!(made.len(), choices, "the match goes on");
    made
}

#[test]
fn the_log_tells_what_happens_and_no_secret() {
    let folder = tempdir().expect("a folder");
    // A server for others, so that there is a key.
    let arguments = ["--port", "0", "--log", "trace", "--address", "http://war.example"];
    let mut server = Server::start_with(folder.path(), &arguments);
    let key = server.key();
    let mut http = server.connect();
    let entered = http.send("GET", &format!("/enter/{key}"), &[], "").expect("an answer").is(303);
    let cookie =
        entered.header("set-cookie").expect("a cookie").split(';').next().expect("a value").to_owned();
    let owner = ("Cookie", cookie.as_str());
    let mut secrets = vec![key.clone(), "127.0.0.1".to_owned(), "war.example".to_owned()];
    let mut chosen = Vec::new();
    for (form, choices) in [(HIDDEN, 1), (AGAINST_BOT, 3)] {
        let made = http.send("POST", "/matches", &[FORM, owner], form).expect("an answer").is(303);
        let path = made.header("location").expect("a path").to_owned();
        secrets.push(token(&path));
        let page = http.send("GET", &path, &[owner], "").expect("an answer").is(200).body;
        // The links of the others stand on the page of the owner.
        let id = path.split('/').nth(2).expect("an identifier");
        let link = format!("/m/{id}/");
        let links = page.split(&link).skip(1);
        secrets.extend(links.map(|rest| rest.chars().take_while(char::is_ascii_alphanumeric).collect()));
        chosen.extend(play(&mut http, &path, choices));
        // A wrong link, a wrong key and a choice that is not open.
        http.send("GET", &format!("/m/{id}/{}/update", "z".repeat(26)), &[], "").expect("an answer").is(404);
        http.send("GET", "/enter/notthekey", &[], "").expect("an answer").is(403);
        http.choose(&path, 0, "place army2 somewhere").expect("an answer");
    }
    secrets.push("zzzzzzzz".to_owned());
    secrets.push("notthekey".to_owned());
    server.stop();
    server.kill();
    let log = server.log();
    for part in [
        " INFO web::lobby::creation: match ",
        "DEBUG web::guard: POST /m/{id}/{token}/choose: 200 in ",
        "DEBUG web::guard: GET /enter/{key}: 403 in ",
        "DEBUG store::writer: group written",
        "revision 3 is on disk",
    ] {
        assert!(log.contains(part), "{part:?} is missing in\n{log}");
    }
    assert!(secrets.len() > 6 && chosen.len() == 4, "{secrets:?} {chosen:?}");
    for secret in secrets.iter().chain(&chosen) {
        assert!(!log.contains(secret.as_str()), "{secret:?} is in the log:\n{log}");
    }
}

#[test]
fn the_log_is_quiet_unless_it_is_asked_for_more() {
    let folder = tempdir().expect("a folder");
    let mut server = Server::start(folder.path());
    let path = server.new_match();
    play(&mut server.connect(), &path, 1);
    server.stop();
    server.kill();
    assert_eq!(server.log(), "", "warnings and nothing else, of which there are none");
}
