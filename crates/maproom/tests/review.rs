//! `maproom review`: its text, its document, its picture, and how it says no.

mod program;

use std::time::{Duration, Instant};

use program::{Engine, Home};
use serde_json::{Value, json};

/// Lets a bot play a match by the engine, at most so many choices, and keeps it in a file of the folder.
fn saved(home: &Home, name: &str, new: &Value, choices: usize) -> String {
    let mut engine = Engine::start(home);
    engine.granted(&new.to_string());
    for _ in 0..choices {
        if !engine.granted(r#"{"cmd":"state"}"#)["result"].is_null() {
            break;
        }
        engine.granted(r#"{"cmd":"go","bot":"greedy"}"#);
    }
    let file = home.file(name);
    engine.granted(&json!({ "cmd": "save", "file": file }).to_string());
    assert_eq!(engine.end().0, Some(0));
    file
}

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
    for part in
        ["luck from skill", "--quality", "quick", "--seat", "--svg", "--threads", "maproom review war.match"]
    {
        assert!(help.contains(part), "{part:?} is missing:\n{help}");
    }
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
