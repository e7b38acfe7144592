//! The sample game in everything that the program offers: at a table, in `play`, `engine`, `sim`, `ladder` and `serve`, with
//! every bot. Dice and bots are seeded: it is the same every time.

#[path = "../../../crates/maproom/tests/server/client.rs"]
mod client;

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;

use bots::search::Resources;
use bots::{BotKind, Player, SeatedBot as _};
use client::Server;
use kernel::{Actor, Game as _, LabDice, Match, MatchDice, Mover, Options, Seat, Story, Table, Viewer};
use salient::Salient;
use serde_json::Value;

/// The program under test.
const PROGRAM: &str = env!("CARGO_BIN_EXE_salient");

/// Runs the program with some input, in a data folder of its own; it must end well.
#[track_caller]
fn run(arguments: &[&str], input: &str) -> String {
    let home = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(PROGRAM);
    command
        .args(arguments)
        .current_dir(home.path())
        .env("HOME", home.path())
        .env("XDG_DATA_HOME", home.path());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let written = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("the program ends");
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && written.is_ok(), "{arguments:?}: {messages}");
    String::from_utf8(output.stdout).expect("text")
}

/// Every bot that the game has, by its word.
fn words() -> Vec<&'static str> {
    let words: Vec<&str> = BotKind::all::<Salient>().into_iter().map(|(_, word, _)| word).collect();
    assert_eq!(
        words[3..],
        ["recruit", "sergeant", "captain", "colonel", "general"],
        "the five levels come last"
    );
    words
}

#[test]
fn every_bot_plays_at_a_table_and_sees_nothing_of_the_secret() {
    let game = Salient::with_options(&Options::new()).expect("a set-up");
    for (kind, word, _) in BotKind::all::<Salient>() {
        let mut table: Box<dyn Table> =
            Box::new(Match::open(game.clone(), MatchDice::seeded(5)).expect("a match"));
        let mut bot = Player::<Salient>::with_resources(kind, Resources::all());
        let mut dice = LabDice::new(5);
        let mut story = Story::for_viewer(Viewer::Seat(Seat(1)));
        table.play_forced(Some(&mut story));
        while let Mover::Seat(seat) = table.mover() {
            let chosen = bot.choose(&*table, &mut dice, &AtomicBool::new(false)).expect("a choice");
            let played = table.play(seat, &chosen.choice, Some(&mut story));
            played.unwrap_or_else(|why| panic!("{word}: {why}"));
            table.play_forced(Some(&mut story));
        }
        let log = table.log(0, Viewer::Seat(Seat(1)));
        assert!(log.len() >= 9 && table.result().is_some(), "{word}: {log:?}");
        assert_eq!(
            story.lines.len(),
            log.iter().filter(|entry| entry.actor == Actor::Fate).count(),
            "{word}"
        );
    }
}

#[test]
fn it_plays_in_the_terminal() {
    let said = run(&["play", "salient", "--seed", "3", "--bot", "recruit"], &"1\n".repeat(8));
    assert!(said.contains("West 10 ▟█▙─┼─┼─┼─┼─⚔─┼─┼─┼─┼─▟█▙ 10 East"), "{said}");
    assert!(said.contains("Send 0 of your companies") && said.contains("has won the road"), "{said}");
    // From the second seat: what the first has chosen stays secret until both have.
    let east = run(&["play", "salient", "--seed", "3", "--seat", "east", "--bot", "recruit"], "q\n");
    assert!(east.contains("West: has chosen in secret") && !east.contains("West: send"), "{east}");
    let rule = run(&["rule", "salient", "3.2"], "");
    assert!(rule.starts_with("**3.2**"), "{rule}");
}

#[test]
fn every_bot_plays_in_the_engine() {
    let mut requests = String::new();
    for word in words() {
        requests += "{\"cmd\":\"new\",\"game\":\"salient\",\"seed\":4,\"options\":{\"reserve\":\"6\"}}\n";
        requests += &format!("{{\"cmd\":\"go\",\"bot\":\"{word}\"}}\n").repeat(16);
        requests += "{\"cmd\":\"state\"}\n";
    }
    let answers = run(&["engine"], &requests);
    assert_eq!(answers, run(&["engine"], &requests), "the same every time");
    let answers: Vec<Value> = answers.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    for (word, answers) in words().iter().zip(answers.chunks(18)) {
        assert_eq!(answers[0]["ok"], true, "{word}: {}", answers[0]);
        let played = answers[1..17].iter().filter(|answer| answer["ok"] == true).count();
        assert!((4..=16).contains(&played), "{word} made {played} choices: {}", answers[1]);
        assert!(answers[17]["result"].is_string(), "{word}: {}", answers[17]);
    }
}

#[test]
fn every_bot_plays_in_a_simulation() {
    for word in words() {
        let seats = format!("{word},greedy");
        let report =
            run(&["sim", "salient", "--games", "4", "--bot", &seats, "--threads", "2", "--json"], "");
        let report: Value = serde_json::from_str(&report).unwrap_or_else(|why| panic!("{word}: {why}"));
        assert_eq!(report["games"], 4, "{word}: {report}");
    }
}

#[test]
fn a_simulation_has_no_curve_without_a_metric() {
    let sim = ["sim", "salient", "--games", "4", "--threads", "1"];
    let table = run(&sim, "");
    assert!(table.contains("A game: ") && !table.contains("after each turn"), "{table}");
    let report: Value = serde_json::from_str(&run(&[&sim[..], &["--json"]].concat(), "")).expect("JSON");
    assert_eq!(report["curve"], serde_json::json!([]), "{report}");
}

#[test]
fn the_ladder_ranks_every_bot() {
    let report = run(&["ladder", "salient", "--games", "2", "--threads", "2", "--json"], "");
    let report: Value = serde_json::from_str(&report).expect("JSON");
    for word in words() {
        assert!(report.to_string().contains(&format!("\"{word}\"")), "{word}: {report}");
    }
}

#[test]
fn the_browser_gets_a_plain_board_with_the_choices_as_buttons() {
    let data = tempfile::tempdir().expect("a folder");
    let server = Server::start(data.path());
    let lobby = server.get("/").is(200).body;
    assert!(
        lobby.contains("name=\"option.reserve\" value=\"10\"") && lobby.contains("A road, two towns"),
        "{lobby}"
    );
    assert!(server.get("/rules/salient").is(200).body.contains("id=\"rule-3.2\""));

    let mut http = server.connect();
    let form = "game=salient&option.reserve=6&seat.0=bot:greedy&seat.1=me&dice=fair&seed=7";
    let path = http.new_match_of(form).expect("a match");
    let offers = loop {
        // The bot of West may take its time; the page of East changes when it has given its orders.
        let debug = http.debug(&path).expect("what is offered");
        if debug.to_string().contains("send 3") {
            break debug;
        }
    };
    let page = server.get(&path).is(200).body;
    for choice in ["send 0", "send 1", "send 2", "send 3"] {
        assert!(page.contains(&format!("data-choice=\"{choice}\"")), "{choice}: {page}");
    }
    assert!(page.contains("West 6 ▟█▙─┼─┼─┼─┼─⚔─┼─┼─┼─┼─▟█▙ 6 East"), "{page}");
    let sent = "<th scope=\"row\">Sent</th><td>–</td><td>–</td>";
    assert!(page.contains(sent), "the orders of West are secret: {page}");
    let revision = offers["revision"].as_u64().expect("a number");
    let answer = http.choose(&path, revision, "send 4").expect("an answer");
    assert!(answer.status >= 400, "{answer:?}");
    let answer = http.choose(&path, revision, "send 2").expect("an answer");
    assert_eq!(answer.status, 200, "{answer:?}");
    let page = server.get(&path).is(200).body;
    assert!(page.contains("East 2, the die shows"), "{page}");
    let thumbnail = server.get(&format!("{path}/thumbnail.svg")).is(200).body;
    assert!(thumbnail.contains("▟█▙") && thumbnail.contains("fill=\"#29251e\""), "{thumbnail}");
}
