//! `maproom review`: its text, its document, its picture, and how it says no.

mod program;

use std::process::Child;
use std::time::{Duration, Instant};

use program::{Home, saved};
use serde_json::{Value, json};
use store::{Ledger as _, SqliteStore};

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|why| panic!("{why}\n{text}"))
}

#[test]
fn a_war_is_told_as_text_and_drawn() {
    let home = Home::new();
    let file = saved(&home, "war.match", &json!({ "cmd": "new", "game": "echoes", "seed": 3 }), 500);
    let curve = home.file("curve.svg");
    let run = home.run(&["review", &file, "--quality", "quick", "--svg", &curve, "--seat", "allies"], b"");
    assert!(run.err.contains(" steps reviewed in ") && run.err.contains(" playouts on "), "{}", run.err);
    let text = run.fine();
    for part in [
        "Echoes of War: ",
        "Allies ",
        "The chance of Allies, step by step",
        "100 % ┤",
        "Where the result came from, in points",
        "own choices",
        "Turn by turn, in points",
        "Turn 1, 1940",
        "Turning points",
        "Mistakes: ",
        "draws of Allies",
        " playouts. ",
    ] {
        assert!(text.contains(part), "{part:?} is missing:\n{text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    let svg = home.read("curve.svg");
    assert!(svg.starts_with("<svg ") && svg.contains("<title") && svg.ends_with("</svg>\n"), "{svg}");
}

#[test]
fn the_document_adds_up_and_is_the_same_on_any_number_of_threads() {
    let home = Home::new();
    let file = saved(
        &home,
        "war.match",
        &json!({ "cmd": "new", "game": "echoes", "edition": "axis", "seed": 4 }),
        6,
    );
    let document = |threads: &str| {
        home.run(&["review", &file, "--quality", "quick", "--threads", threads, "--json"], b"").fine()
    };
    let one = document("1");
    assert_eq!(one, document("2"));
    let review = parsed(&one);
    assert_eq!((&review["game"], &review["finished"]), (&json!("echoes"), &json!(false)));
    let steps = review["moments"].as_array().expect("moments").len();
    assert_eq!(review["points"].as_array().map(Vec::len), Some(steps + 1));
    let seat = &review["seats"][0];
    let of = |key: &str| seat[key].as_f64().expect("a number");
    assert!((of("start") + of("luck") + of("own") + of("others") - of("end")).abs() < 1e-9, "{seat}");
    assert!(seat["verdict"].as_str().is_some_and(|verdict| verdict.starts_with("You stand at ")), "{seat}");
    let kinds: Vec<&Value> =
        review["moments"].as_array().expect("moments").iter().map(|moment| &moment["what"]["kind"]).collect();
    assert!(kinds.contains(&&json!("luck")) && kinds.contains(&&json!("choice")), "{kinds:?}");
}

#[test]
fn two_sides_get_a_column_each() {
    let home = Home::new();
    let new = json!({ "cmd": "new", "game": "dday", "seed": 5, "options": { "scenario": "01_omaha" } });
    let file = saved(&home, "beach.match", &new, 12);
    let text = home.run(&["review", &file, "--quality", "quick"], b"").fine();
    assert!(
        text.contains("others' choices") && text.contains("D-Day to Berlin: the match goes on"),
        "{text}"
    );
}

#[test]
fn what_can_not_be_reviewed_is_refused_with_the_reason() {
    let home = Home::new();
    let refused = |arguments: &[&str]| home.run(arguments, b"").failed();
    let blitz = json!({ "cmd": "new", "game": "blitz", "seed": 5 });
    let running = saved(&home, "hands.match", &blitz, 4);
    let message = refused(&["review", &running]);
    assert!(
        message.contains("a match with hidden information can only be reviewed when it is over"),
        "{message}"
    );
    let begun = saved(
        &home,
        "begun.match",
        &json!({ "cmd": "new", "game": "echoes", "seed": 1, "fate": "manual" }),
        0,
    );
    let message = refused(&["review", &begun]);
    assert!(message.contains("nothing has been played yet"), "{message}");
    let other = home.write("notes.txt", "not a match\n");
    let message = refused(&["review", &other]);
    assert!(message.contains("this is not a Maproom match"), "{message}");
    let message = refused(&["review", &home.file("missing.match")]);
    assert!(message.contains("can't read "), "{message}");
    let war = saved(&home, "war.match", &json!({ "cmd": "new", "game": "echoes", "seed": 3 }), 2);
    let message = refused(&["review", &war, "--seat", "alies"]);
    assert!(message.contains("did you mean allies?"), "{message}");
    let message = refused(&["review", &war, "--quality", "thorough"]);
    assert!(message.contains("quick") && message.contains("deep"), "{message}");
    assert!(refused(&["review", &war, "--threads", "0"]).contains("must be at least 1"));
    assert!(refused(&["review", &war, "--seat", "allies", "--json"]).contains("cannot be used with"));
    let broken = home.write("broken.match", home.read("war.match").replace("die 3", "die 9"));
    let message = refused(&["review", &broken]);
    assert!(message.contains("broken.match"), "{message}");
}

#[test]
fn the_help_says_what_it_is_for() {
    let home = Home::new();
    let help = home.run(&["review", "--help"], b"").fine();
    for part in [
        "luck from skill",
        "--quality",
        "quick",
        "--seat",
        "--svg",
        "--threads",
        "--ledger",
        "--nats",
        "maproom review war.match",
    ] {
        assert!(help.contains(part), "{part:?} is missing:\n{help}");
    }
}

/// How many chunks of all jobs are done.
fn done(home: &Home) -> u64 {
    let Ok(ledger) = SqliteStore::open_beside(&home.path().join("runs")) else { return 0 };
    ledger.jobs().unwrap_or_default().iter().map(|job| job.chunks[1]).sum()
}

/// Waits until the program has written down more than before, or is done.
fn wait_for_more(home: &Home, child: &mut Child, before: u64) -> bool {
    let begin = Instant::now();
    loop {
        if child.try_wait().expect("the program is there").is_some() {
            return false;
        }
        if done(home) > before {
            return true;
        }
        assert!(begin.elapsed() < Duration::from_secs(300), "nothing was written down");
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn a_review_that_is_killed_again_and_again_is_the_same_and_its_file_may_be_called_otherwise() {
    let home = Home::new();
    let file = saved(&home, "war.match", &json!({ "cmd": "new", "game": "echoes", "seed": 3 }), 500);
    let quick = ["review", &file, "--quality", "quick"];
    let plain = [&["--json"][..], &[]].map(|more| home.run(&[&quick, more].concat(), b"").fine());
    let copy = home.write("another name.match", home.read("war.match"));
    let mut kills = 0;
    for at in 0..6 {
        let before = done(&home);
        let (name, threads) = if at % 2 == 0 { (&file, "1") } else { (&copy, "2") };
        let words = ["review", name, "--quality", "quick", "--threads", threads, "--ledger", "runs"];
        let mut child = home.command(&words).spawn().expect("the program starts");
        if !wait_for_more(&home, &mut child, before) {
            break;
        }
        child.kill().expect("it can be killed");
        kills += usize::from(child.wait().expect("it ends").code().is_none());
    }
    assert!(kills >= 2, "it was hardly ever at work when it was killed");
    let words = ["review", &copy, "--quality", "quick", "--ledger", "runs", "--json"];
    let ended = home.run(&words, b"");
    assert!(ended.err.contains(" of its looks were in the ledger"), "{}", ended.err);
    assert_eq!(ended.fine(), plain[0]);
    let curve = home.file("curve.svg");
    let text = ["review", &file, "--quality", "quick", "--ledger", "runs", "--svg", &curve];
    assert_eq!(home.run(&text, b"").fine(), plain[1]);
    assert!(home.read("curve.svg").starts_with("<svg "));
    // Both jobs of the one match are listed in words, and shown.
    let list = home.run(&["jobs", "--ledger", "runs"], b"").fine();
    let lines: Vec<&str> = list.lines().skip(1).collect();
    let [second, first] = lines[..] else { panic!("{list}") };
    for line in [first, second] {
        assert!(line.contains("review     echoes ") && line.contains("  done "), "{list}");
        assert!(line.contains("Echoes of War, edition allied") && line.contains(" steps, "), "{list}");
        assert!(!line.contains("maproom match") && line.chars().count() < 200, "{list}");
    }
    assert!(first.ends_with(" playouts: first looks") && second.contains(": second looks at "), "{list}");
    let shown = home.run(&["jobs", "show", &first[..8], "--ledger", "runs"], b"").fine();
    assert!(shown.contains("review echoes: Echoes of War, ") && shown.contains(" done, in "), "{shown}");
}

#[test]
fn a_match_that_goes_on_is_not_shown_to_lent_machines() {
    let home = Home::new();
    let file = saved(&home, "war.match", &json!({ "cmd": "new", "game": "echoes", "seed": 3 }), 5);
    let nobody = "nats://127.0.0.1:1";
    for words in [&["--nats", nobody][..], &["--nats", nobody, "--class", "lent"]] {
        let message = home.run(&[&["review", &file], words].concat(), b"").failed();
        assert!(message.contains("this match is not over") && message.contains("--class house"), "{message}");
    }
    let message = home.run(&["review", &file, "--class", "house"], b"").failed();
    assert!(message.contains("--nats <ADDRESS>"), "{message}");
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_keeps_what_was_looked_at() {
    let home = Home::new();
    let file = saved(&home, "war.match", &json!({ "cmd": "new", "game": "echoes", "seed": 3 }), 500);
    let words = ["review", &file, "--quality", "deep", "--ledger", "runs"];
    let mut child = home.command(&words).spawn().expect("the program starts");
    program::wait_for_handler(child.id());
    assert!(wait_for_more(&home, &mut child, 0), "it was done too soon");
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.expect("kill is there").success());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("The same command goes on from here (job "), "{said}");
    assert!(said.contains("stopped before the review was finished"), "{said}");
    assert!(done(&home) > 0);
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_stops_it_soon() {
    let home = Home::new();
    let file = saved(&home, "war.match", &json!({ "cmd": "new", "game": "echoes", "seed": 3 }), 500);
    let child = home.command(&["review", &file, "--quality", "deep"]).spawn().expect("the program starts");
    program::wait_for_handler(child.id());
    let begin = Instant::now();
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.expect("kill is there").success());
    let output = child.wait_with_output().expect("it ends");
    assert!(begin.elapsed() < Duration::from_secs(120), "{:?}", begin.elapsed());
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("stopped before the review was finished"), "{said}");
}
