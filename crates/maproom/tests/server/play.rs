//! Choices that can't be made, clicks at the same time, windows that come back.

use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::tempdir;

use crate::client::{Http, JSON, NEW_MATCH_OF_SEED, PATIENCE, Server, Socket, run, words};

/// The path of those who look on, as the page of a player shows it.
pub fn viewer_path(server: &Server, path: &str) -> String {
    let page = server.get(path).is(200).body;
    let at = page.find("id=\"link-viewer\"").expect("a link for looking on");
    let element = &page[page[..at].rfind('<').expect("an element")..];
    let path = element.split("data-path=\"").nth(1).and_then(|rest| rest.split('"').next());
    path.expect("a path").to_owned()
}

/// Makes the first choice and returns the new revision.
fn first_choice(http: &mut Http, path: &str) -> u64 {
    let shown = http.debug(path).expect("an answer");
    let choice = shown["choices"][0].as_str().expect("a choice");
    let answer =
        http.choose(path, shown["revision"].as_u64().expect("a revision"), choice).expect("an answer");
    answer.is(200).json()["revision"].as_u64().expect("a revision")
}

#[test]
fn what_can_not_be_done_is_refused_with_reasons() {
    let folder = tempdir().expect("a folder");
    let server = Server::start(folder.path());
    let path = server.new_match();
    let choose = format!("{path}/choose");
    for (body, status) in [
        ("", 400),
        ("{", 400),
        ("[]", 422),
        ("{}", 422),
        (r#"{"revision":1}"#, 422),
        (r#"{"revision":"1","choice":"no"}"#, 422),
        (r#"{"revision":-1,"choice":"no"}"#, 422),
        (r#"{"revision":1,"choice":7}"#, 422),
    ] {
        let answer = server.send("POST", &choose, &[JSON], body);
        assert_eq!(answer.status, status, "{body}: {answer:?}");
    }
    server
        .send("POST", &choose, &[("Content-Type", "text/plain")], r#"{"revision":1,"choice":"no"}"#)
        .is(415);

    let unknown = server.post(&choose, &json!({ "revision": 1, "choice": "atack WF" })).is(422).json();
    assert_eq!(unknown["code"], "unknown-choice", "{unknown}");
    assert!(unknown["error"].as_str().is_some_and(|text| text.contains("atack WF")), "{unknown}");
    let hostile =
        server.post(&choose, &json!({ "revision": 1, "choice": "<b>\u{202e}\u{0}".repeat(500) })).is(422);
    assert!(
        hostile.body.len() < 2_000,
        "a long choice is not thrown back whole: {} bytes",
        hostile.body.len()
    );

    let stale = server.post(&choose, &json!({ "revision": 0, "choice": "no" })).is(409).json();
    assert_eq!(stale["code"], "stale", "{stale}");
    server.post(&choose, &json!({ "revision": 2, "choice": "no" })).is(409);
    let early = server.post(&format!("{path}/undo"), &json!({ "revision": 1 })).is(422).json();
    assert_eq!(early["code"], "nothing-to-undo", "{early}");
    server.post(&format!("{path}/undo"), &json!({ "revision": 1, "scope": "everything" })).is(422);
    assert_eq!(server.get(&format!("{path}/debug")).json()["revision"], 1, "nothing has changed");

    let refused = find_refused(&server);
    assert_eq!(refused["code"], "refused", "{refused}");
    assert!(refused["rule"].as_str().is_some_and(|rule| !rule.is_empty()), "{refused}");
    assert!(refused["error"].as_str().is_some_and(|text| text.len() > 10), "{refused}");
}

/// Plays until something is closed, and tries that.
fn find_refused(server: &Server) -> Value {
    let mut http = server.connect();
    for seed in 0..20 {
        let path = http.new_match_of(&format!("{NEW_MATCH_OF_SEED}{seed}")).expect("a match");
        loop {
            let shown = http.debug(&path).expect("an answer");
            let revision = shown["revision"].as_u64().expect("a revision");
            if let Some(closed) = shown["closed"][0]["choice"].as_str() {
                let answer = http.choose(&path, revision, closed).expect("an answer").is(422);
                assert_eq!(http.debug(&path).expect("an answer")["revision"], revision, "{answer:?}");
                return answer.json();
            }
            let Some(choice) = shown["choices"][0].as_str() else { break };
            http.choose(&path, revision, choice).expect("an answer").is(200);
        }
    }
    panic!("nothing was ever closed");
}

#[test]
fn who_looks_on_changes_nothing() {
    let folder = tempdir().expect("a folder");
    let server = Server::start(folder.path());
    let path = server.new_match();
    let viewer = viewer_path(&server, &path);
    assert_ne!(path, viewer);
    let mut http = server.connect();
    let revision = first_choice(&mut http, &path);
    let choice = http.debug(&path).expect("an answer")["choices"][0].clone();
    let tries = [
        ("choose", json!({ "revision": revision, "choice": choice })),
        ("undo", json!({ "revision": revision })),
        ("fork", json!({ "step": 1 })),
    ];
    for (what, body) in tries {
        let answer = server.post(&format!("{viewer}/{what}"), &body).is(403).json();
        assert_eq!(answer["code"], "looks-only", "{what}: {answer}");
    }
    assert_eq!(http.debug(&path).expect("an answer")["revision"], revision);
    let page = server.get(&viewer).is(200).body;
    assert!(!page.contains("data-choice"), "nothing to choose is shown");
    let token = path.rsplit('/').next().expect("a token");
    assert!(!page.contains(token), "the player's link is not shown to those who look on");
    let record = server.get(&format!("{viewer}/export")).is(200).body;
    let secret = record.lines().find(|line| line.starts_with("secret:"));
    assert!(secret.is_none(), "the dice to come are not told: {secret:?}");
}

#[test]
fn of_two_clicks_at_once_one_counts() {
    let folder = tempdir().expect("a folder");
    let server = Server::start(folder.path());
    let mut http = server.connect();
    let mut path = http.new_match().expect("a match");
    let (mut one, mut other) = (server.connect(), server.connect());
    for round in 0..50 {
        let mut shown = http.debug(&path).expect("an answer");
        if shown["choices"][0].is_null() {
            path = http.new_match().expect("a match");
            shown = http.debug(&path).expect("an answer");
        }
        let revision = shown["revision"].as_u64().expect("a revision");
        let offered = shown["choices"].as_array().expect("a list");
        let first = offered[0].as_str().expect("a name");
        // Both the same in every other round, else what another window might click.
        let last = if round % 2 == 0 { first } else { offered[offered.len() - 1].as_str().expect("a name") };
        let barrier = Barrier::new(2);
        let send = |http: &mut Http, choice: &str| {
            barrier.wait();
            http.choose(&path, revision, choice).expect("an answer")
        };
        let mut statuses = thread::scope(|scope| {
            let theirs = scope.spawn(|| send(&mut other, last).status);
            [send(&mut one, first).status, theirs.join().expect("a status")]
        });
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 409], "round {round}");
        let after = http.debug(&path).expect("an answer");
        assert_eq!(after["revision"], revision + 1, "round {round}");
        // A match takes thirty changes a second.
        thread::sleep(Duration::from_millis(70));
    }
    let file = folder.path().join("proof.match");
    std::fs::write(&file, http.export(&path).expect("a record")).expect("a file");
    let proof = run(&["verify", &file.display().to_string()]);
    assert!(proof.status.success(), "{}", words(&proof));
}

#[test]
fn a_window_that_comes_back_is_told_to_ask_for_everything() {
    let folder = tempdir().expect("a folder");
    let server = Server::start(folder.path());
    let path = server.new_match();
    let mut http = server.connect();
    let revision = (0..3).map(|_| first_choice(&mut http, &path)).last().expect("a revision");
    // Without the chance to win, which would be told as well.
    let quiet = [("Cookie", "maproom_prefs=system.nochance")];
    let open = |query: &str| {
        let socket = Socket::open(server.port, &format!("{path}/live{query}"), &quiet).expect("an answer");
        socket.unwrap_or_else(|answer| panic!("{query}: {answer:?}"))
    };
    for query in ["?since=1", "?since=0", "?since=99999", ""] {
        let mut socket = open(query);
        assert_eq!(socket.update().expect("a word"), json!({ "behind": revision }), "{query}");
        socket.patience(Duration::from_millis(300));
        assert!(socket.update().is_err(), "{query}: one word is all");
        let update = server.get(&format!("{path}/update{query}")).is(200).json();
        assert_eq!(update["whole"], true, "{query}");
        assert_eq!(update["to"], revision, "{query}");
        assert!(update.to_string().contains("data-choice"), "{query}: the choices are in it");
    }
    let mut socket = open(&format!("?since={revision}"));
    socket.patience(Duration::from_millis(300));
    assert!(socket.update().is_err(), "a window that knows all is told nothing");
    let mut socket = open(&format!("?since={revision}"));
    let mut viewer =
        Socket::open(server.port, &format!("{}/live?since={revision}", viewer_path(&server, &path)), &quiet)
            .expect("an answer")
            .unwrap_or_else(|answer| panic!("{answer:?}"));
    socket.say("seen 3").expect("it listens");
    socket.say("nonsense").expect("it listens");
    let next = first_choice(&mut http, &path);
    let update = socket.update().expect("an update");
    assert_eq!((&update["from"], &update["to"]), (&json!(revision), &json!(next)));
    let update = viewer.update().expect("an update");
    assert_eq!(update["to"], next);
    assert!(!update.to_string().contains("data-choice"), "those who look on choose nothing");
}

#[test]
fn one_match_can_be_rushed_only_so_far() {
    let folder = tempdir().expect("a folder");
    let server = Server::start(folder.path());
    let path = server.new_match();
    let mut http = server.connect();
    let mut rush = || http.choose(&path, 0, "no").expect("an answer").status;
    assert_eq!(rush(), 409);
    // However slow the machine is, this is more than a match takes.
    let held_up = (0..20_000).map(|_| rush()).find(|status| *status != 409);
    assert_eq!(held_up, Some(429), "it can be rushed without end");
    let other = http.new_match().expect("a match");
    assert_eq!(first_choice(&mut http, &other), 2, "other matches go on");
    let choice = http.debug(&path).expect("an answer")["choices"][0].clone();
    let begun = Instant::now();
    loop {
        let answer = http.choose(&path, 1, choice.as_str().expect("a choice")).expect("an answer");
        if answer.status == 200 {
            break;
        }
        assert!(
            answer.status == 429 && begun.elapsed() < PATIENCE,
            "so does this one, a little later: {answer:?}"
        );
        thread::sleep(Duration::from_millis(50));
    }
}

/// A browser that is closed right after a click: the click counts or it does not, but the match goes on for all others,
/// and what they are shown is one or the other.
#[test]
fn who_leaves_in_the_middle_of_a_click_harms_nobody() {
    let folder = tempdir().expect("a folder");
    let server = Server::start(folder.path());
    let mut http = server.connect();
    let (mut path, mut told) = (String::new(), None);
    let mut counted = 0;
    for round in 0..60 {
        if round % 6 == 0 {
            path = http.new_match().expect("a match");
            let opened = Socket::open(server.port, &format!("{path}/live?since=1"), &[]).expect("an answer");
            told = Some(opened.unwrap_or_else(|answer| panic!("{answer:?}")));
        }
        let shown = http.debug(&path).expect("an answer");
        let (before, steps) = (shown["revision"].as_u64().expect("a revision"), &shown["steps"]);
        let Some(choice) = shown["choices"][0].as_str() else { continue };
        let body = json!({ "revision": before, "choice": choice }).to_string();
        let mut rude = server.connect();
        rude.tell("POST", &format!("{path}/choose"), &[JSON], &body).expect("it listens");
        if round % 10 == 9 {
            // Once in a while only after it has counted.
            let begun = Instant::now();
            while http.debug(&path).expect("an answer")["revision"] == before {
                assert!(begun.elapsed() < PATIENCE, "round {round}: a click does not count");
            }
        } else {
            thread::sleep(Duration::from_micros(100 * (round % 30)));
        }
        drop(rude);
        // Whoever looks again can go on; on a busy machine the click may count only after they have looked.
        let revision = loop {
            let after = http.debug(&path).expect("an answer");
            let revision = after["revision"].as_u64().expect("a revision");
            assert!(revision == before || revision == before + 1, "round {round}: {before}, then {revision}");
            assert_eq!(
                revision == before,
                after["steps"] == *steps,
                "round {round}: revision {before} with {steps} steps, then {revision} with {}",
                after["steps"]
            );
            let Some(next) = after["choices"][0].as_str() else { break revision };
            let answer = http.choose(&path, revision, next).expect("an answer");
            match answer.status {
                200 => break revision + 1,
                429 => thread::sleep(Duration::from_millis(100)),
                409 if revision == before => {}
                _ => panic!("round {round}: who looked again can go on: {answer:?}"),
            }
        };
        counted += revision - before - 1;
        // The other window was told of everything that counted.
        let window = told.as_mut().expect("a window");
        loop {
            let update = window.update().expect("an update");
            if update["to"] == revision {
                break;
            }
        }
    }
    assert!(counted > 0, "some of these clicks came through");
}
