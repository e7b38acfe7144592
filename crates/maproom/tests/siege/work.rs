//! Work that others have to do: reviews (2), bots that search without end (3), hints and forks (4).

use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;
use tempfile::tempdir;

use crate::client::{JSON, PATIENCE, Server};
use crate::honest::compare;

/// A match between one person and a bot, with everything open.
const AGAINST_BOT: &str = "game=dday&seed=7&option.scenario=omaha&seat.0=me&seat.1=bot:greedy";
/// The same with hidden hands.
const HIDDEN: &str = "game=blitz&option.mode=two_player&seat.0=me&seat.1=bot:greedy";

/// Starts a match in which bots do not wait.
fn start(server: &Server, form: &str) -> String {
    let path = server.connect().new_match_of(form).expect("a match");
    server.post(&format!("{path}/pace"), &json!({ "pace": "once" })).is(200);
    path
}

/// Starts a match that a bot plays to its end, and waits for that.
fn finished(server: &Server) -> String {
    let path = server.new_match();
    server.post(&format!("{path}/seat"), &json!({ "seat": 0, "bot": "greedy" })).is(200);
    server.post(&format!("{path}/pace"), &json!({ "pace": "once" })).is(200);
    let begun = Instant::now();
    while !server.get(&format!("{path}/export")).is(200).body.contains("\nresult: ") {
        assert!(begun.elapsed() < PATIENCE, "the bot never comes to an end");
        thread::sleep(Duration::from_millis(20));
    }
    path
}

/// Waits until it is the turn of the one who has the link; returns the revision.
fn my_turn(server: &Server, path: &str) -> u64 {
    let begun = Instant::now();
    loop {
        let shown = server.get(&format!("{path}/debug")).is(200).json();
        if shown["choices"].as_array().is_some_and(|choices| !choices.is_empty()) {
            return shown["revision"].as_u64().expect("a revision");
        }
        assert!(begun.elapsed() < PATIENCE, "it is never my turn: {shown}");
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn reviews_are_few_and_two_for_each_match() {
    let folder = tempdir().expect("a folder");
    let server = Server::start(folder.path());
    let honest = server.new_match();
    let matches: Vec<String> = (0..12).map(|_| finished(&server)).collect();
    compare("viewers ask for reviews of 12 matches", &server, &honest, |signs| {
        let ask = |path: &str, depth: &str| server.get(&format!("{path}/review/progress?depth={depth}"));
        // Two depths of a match may wait, as for its ending card and for a reader; a third does not queue up behind them.
        for depth in ["deep", "quick"] {
            ask(&matches[0], depth).is(200);
        }
        let third = ask(&matches[0], "normal").is(503).json();
        assert!(third["error"].as_str().is_some_and(|why| why.contains("already")), "{third}");
        let first: Vec<_> = matches.iter().map(|path| ask(path, "deep")).collect();
        let let_in = first.iter().filter(|answer| answer.status == 200).count();
        assert!((1..=10).contains(&let_in), "some wait, the others are told to come back: {let_in}");
        let refused = first.iter().find(|answer| answer.status == 503).expect("one that was refused");
        assert!(refused.json()["error"].as_str().is_some_and(|why| why.contains("review")), "{refused:?}");
        signs.begin();
        while signs.goes_on() {
            for path in &matches {
                ask(path, "deep");
            }
        }
    });
}

#[test]
fn a_search_without_end_is_not_to_be_had_and_quick_bots_answer() {
    let folder = tempdir().expect("a folder");
    let server = Server::start(folder.path());
    let honest = server.new_match();
    let path = start(&server, HIDDEN);
    my_turn(&server, &path);
    for bot in ["search:4294967294", "search:999999s", "search:4000"] {
        let refused = server.post(&format!("{path}/seat"), &json!({ "seat": 0, "bot": bot })).is(422).json();
        let why = refused["error"].as_str().expect("a sentence");
        assert!(why.contains("does not play here") && why.contains("general"), "{why}");
    }
    // Eight matches in which the strongest bot plays both sides, as fast as it can.
    let form = "game=dday&seed=3&option.scenario=omaha&seat.0=me&seat.1=bot:general";
    let matches: Vec<String> = (0..8).map(|_| start(&server, form)).collect();
    for path in &matches {
        server.post(&format!("{path}/seat"), &json!({ "seat": 0, "bot": "general" })).is(200);
    }
    compare("8 matches in which strong bots search", &server, &honest, |signs| {
        signs.begin();
        while signs.goes_on() {
            thread::sleep(Duration::from_millis(5));
        }
    });
    // The quick bot of another match answers meanwhile.
    let mut http = server.connect();
    let revision = my_turn(&server, &path);
    let shown = http.debug(&path).expect("an answer");
    http.choose(&path, revision, shown["choices"][0].as_str().expect("a choice")).expect("an answer").is(200);
    assert!(my_turn(&server, &path) > revision);
}

#[test]
fn hints_that_nobody_waits_for_stop_and_forks_cost_as_much_as_choices() {
    let folder = tempdir().expect("a folder");
    let server = Server::start(folder.path());
    let honest = server.new_match();
    let path = start(&server, AGAINST_BOT);
    my_turn(&server, &path);
    let begun = Instant::now();
    for _ in 0..30 {
        let mut http = server.connect();
        http.tell("GET", &format!("{path}/hint"), &[], "").expect("sent");
        // Sent, then gone: the next request comes over another connection, so this one was read before it.
        drop(server.get(&honest));
        drop(http);
    }
    server.get(&format!("{path}/hint")).is(200);
    assert!(begun.elapsed() < Duration::from_secs(25), "30 hints of a second each were thought through");
    compare("hints that are asked for and left", &server, &honest, |signs| {
        signs.begin();
        while signs.goes_on() {
            let mut http = server.connect();
            let _ = http.tell("GET", &format!("{path}/hint"), &[], "");
            thread::sleep(Duration::from_millis(20));
        }
    });
    compare("forks as fast as they can be sent", &server, &honest, |signs| {
        let mut http = server.connect();
        let fork = format!("{path}/fork");
        let (mut made, mut refused) = (0, 0);
        signs.begin();
        while signs.goes_on() || refused == 0 {
            let answer = http.send("POST", &fork, &[JSON], "{\"step\":1}").expect("an answer");
            match answer.status {
                200 => made += 1,
                429 | 422 => refused += 1,
                other => panic!("{other}: {answer:?}"),
            }
            assert!(made <= 100, "without end");
        }
    });
}

/// What is hidden in a match stays hidden in its forks (6).
#[test]
fn a_fork_of_a_match_with_hidden_hands_has_dice_of_its_own() {
    let folder = tempdir().expect("a folder");
    let server = Server::start(folder.path());
    let path = start(&server, HIDDEN);
    my_turn(&server, &path);
    let commitment = |path: &str| {
        let page = server.get(path).is(200).body;
        let code = page.split("<code>").nth(1).and_then(|rest| rest.split("</code>").next());
        code.filter(|code| code.len() == 64).unwrap_or_else(|| panic!("no commitment: {page}")).to_owned()
    };
    let steps = server.get(&format!("{path}/debug")).json()["steps"].as_u64().expect("a number");
    let answer = server.post(&format!("{path}/fork"), &json!({ "step": steps })).is(200).json();
    let fork = answer["path"].as_str().expect("a path");
    assert_ne!(commitment(&path), commitment(fork), "the dice of the match can't be tried out");
    // What the player sees is the same.
    let view = |path: &str| server.get(&format!("{path}/debug")).json()["view"].clone();
    assert_eq!(view(&path), view(fork));
}
