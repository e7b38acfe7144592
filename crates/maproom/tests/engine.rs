//! Conversations with the engine: whole games, every kind of error, and lines that mean harm.

#[path = "../../echoes/tests/mutation/mod.rs"]
mod mutation;
mod program;

use mutation::{Random, mutate};
use program::{Engine, Home};
use serde_json::{Value, json};

/// Asked always, so that the first choice is a Tide of War window.
const NEW: &str = r#"{"cmd":"new","game":"echoes","seed":3,"options":{"ask":"always"}}"#;
const STATE: &str = r#"{"cmd":"state"}"#;

/// Plays with a bot until the game is over; where Fate waits to be asked, it is asked.
fn play_out(engine: &mut Engine, bot: &str) -> Value {
    for _ in 0..1_000 {
        let state = engine.granted(STATE);
        match state["mover"].as_str() {
            None => return state,
            Some("fate") => engine.granted(r#"{"cmd":"fate"}"#),
            Some(_) => engine.granted(&json!({ "cmd": "go", "bot": bot }).to_string()),
        };
    }
    panic!("the game does not end");
}

/// What the log says happened, without what was forced.
fn story_of(engine: &mut Engine) -> Vec<(Value, Value, Value)> {
    let log = engine.granted(r#"{"cmd":"log"}"#);
    let steps = log["log"].as_array().expect("a list");
    steps.iter().map(|step| (step["who"].clone(), step["choice"].clone(), step["digest"].clone())).collect()
}

#[test]
fn a_whole_game_from_new_to_its_result() {
    let home = Home::new();
    let mut engine = Engine::start(&home);
    let opened = engine.granted(NEW);
    assert_eq!(
        (&opened["game"], &opened["seats"], &opened["mover"]),
        (&json!("echoes"), &json!(["allies"]), &json!("allies"))
    );
    assert_eq!(opened["dice"]["commitment"].as_str().map(str::len), Some(64));
    let over = play_out(&mut engine, "greedy");
    let result = over["result"].as_str().expect("a result").to_owned();
    assert_eq!((&over["mover"], &over["view"]["result"]), (&Value::Null, &json!(result)));
    for request in [r#"{"cmd":"go"}"#, r#"{"cmd":"fate"}"#, r#"{"cmd":"play","choice":"pass"}"#] {
        engine.refused(request, "over");
    }
    let saved = engine.granted(r#"{"cmd":"save","publish":true}"#);
    let file = home.write("war.match", saved["save"].as_str().expect("a text"));
    let verdict = home.run(&["verify", &file, "--json"], b"").fine();
    let verdict: Value = serde_json::from_str(&verdict).expect("JSON");
    assert_eq!((&verdict["dice"], &verdict["result"]), (&json!("proven"), &json!(result)));
    assert_eq!(engine.end(), (Some(0), String::new()));
}

#[test]
fn the_same_seed_and_bot_give_the_same_game_whoever_asks_for_the_dice() {
    let home = Home::new();
    let mut stories = Vec::new();
    for request in
        [NEW, NEW, r#"{"cmd":"new","game":"echoes","seed":3,"fate":"manual","options":{"ask":"always"}}"#]
    {
        let mut engine = Engine::start(&home);
        let opened = engine.granted(request);
        assert_eq!(opened["mover"] == "fate", request != NEW);
        play_out(&mut engine, "greedy");
        stories.push(story_of(&mut engine));
    }
    assert!(stories[0].len() > 50);
    assert_eq!(stories[0], stories[1]);
    assert_eq!(stories[0], stories[2]);
}

#[test]
fn fate_can_be_asked_for_one_die_at_a_time() {
    let home = Home::new();
    let mut engine = Engine::start(&home);
    engine.granted(r#"{"cmd":"new","game":"echoes","seed":3,"fate":"manual","options":{"ask":"always"}}"#);
    let choices = engine.granted(r#"{"cmd":"choices"}"#);
    assert_eq!(choices["mover"], "fate");
    let faces = choices["choices"].as_array().expect("a list");
    assert_eq!(faces.len(), 6);
    assert!(faces.iter().all(|face| face["weight"] == 1));
    let message = engine.refused(r#"{"cmd":"fate","choice":4}"#, "fair-dice");
    assert!(message.contains("Maproom's dice"), "{message}");
    engine.refused(r#"{"cmd":"go"}"#, "fate-to-move");
    engine.refused(r#"{"cmd":"play","choice":"pass"}"#, "fate-to-move");
    let after = engine.granted(r#"{"cmd":"fate"}"#);
    assert_eq!((&after["step"], &after["mover"]), (&json!(1), &json!("fate")));
    assert!(after["story"].as_array().is_some_and(|story| !story.is_empty()));
    engine.granted(r#"{"cmd":"fate"}"#);
    engine.refused(r#"{"cmd":"fate"}"#, "seat-to-move");
}

#[test]
fn own_dice_are_typed_in() {
    let home = Home::new();
    let mut engine = Engine::start(&home);
    let opened = engine.granted(r#"{"cmd":"new","game":"echoes","dice":"own","options":{"ask":"always"}}"#);
    assert_eq!((&opened["dice"], &opened["mover"]), (&json!({ "kind": "own" }), &json!("fate")));
    engine.refused(r#"{"cmd":"fate"}"#, "own-dice");
    for wrong in ["7", "0", "-1", "1.5", "\"seven\"", "\"die 9\"", "99999999999999999999"] {
        engine.refused(&format!(r#"{{"cmd":"fate","choice":{wrong}}}"#), "unknown-choice");
    }
    engine.refused(r#"{"cmd":"fate","choice":"attack WF"}"#, "refused");
    // Chart 1, box 1: Fall of France.
    engine.granted(r#"{"cmd":"fate","choice":1}"#);
    let after = engine.granted(r#"{"cmd":"fate","choice":"die 1"}"#);
    assert_eq!(after["mover"], "allies");
    let state = engine.granted(STATE);
    assert_eq!(
        (&state["view"]["box"]["title"], &state["view"]["box"]["event"]),
        (&json!("Fall of France"), &json!(true))
    );
    // A die that was typed in wrongly is taken back like any other input, and that is no take-back of luck.
    let back = engine.granted(r#"{"cmd":"undo"}"#);
    assert_eq!((&back["undone"], &back["mover"], &back["takebacks"]), (&json!(1), &json!("fate"), &json!(0)));
    engine.refused(r#"{"cmd":"new","game":"echoes","dice":"own","seed":3}"#, "bad-request");
}

#[test]
fn a_choice_can_be_taken_back_and_made_again() {
    let home = Home::new();
    let mut engine = Engine::start(&home);
    engine.granted(NEW);
    engine.refused(r#"{"cmd":"undo"}"#, "nothing-to-undo");
    let mut digests = Vec::new();
    for _ in 0..12 {
        digests.push(engine.granted(STATE)["digest"].clone());
        engine.granted(r#"{"cmd":"go"}"#);
    }
    let last = engine.granted(STATE)["digest"].clone();
    let mut takebacks = 0;
    for digest in digests.iter().rev() {
        let back = engine.granted(r#"{"cmd":"undo","scope":"step","seat":"allies"}"#);
        assert_eq!(back["digest"], *digest);
        takebacks = back["takebacks"].as_u64().expect("a number");
    }
    assert!(takebacks > 0, "some of them went back across a die");
    engine.refused(r#"{"cmd":"undo"}"#, "nothing-to-undo");
    for _ in 0..12 {
        engine.granted(r#"{"cmd":"go"}"#);
    }
    assert_eq!(engine.granted(STATE)["digest"], last, "the same dice come again");
    let turn = engine.granted(STATE)["turn"].clone();
    let back = engine.granted(r#"{"cmd":"undo","scope":"turn"}"#);
    assert!(back["turn"].as_u64() <= turn.as_u64() && back["undone"].as_u64() >= Some(1), "{back}");
}

#[test]
fn a_match_is_saved_and_loaded_as_text_and_as_a_file() {
    let home = Home::new();
    let mut engine = Engine::start(&home);
    engine.granted(r#"{"cmd":"new","game":"echoes","seed":8,"edition":"axis","spread":14}"#);
    for _ in 0..9 {
        engine.granted(r#"{"cmd":"go","bot":"random","seed":5}"#);
    }
    let before = engine.granted(STATE);
    let text = engine.granted(r#"{"cmd":"save"}"#)["save"].as_str().expect("a text").to_owned();
    assert!(text.contains("\nsecret: "), "the keeper's save can be played on");
    let published = engine.granted(r#"{"cmd":"save","publish":true}"#)["save"].to_string();
    assert!(!published.contains("secret: "), "{published}");
    let saved = engine.granted(r#"{"cmd":"save","file":"kept.match"}"#);
    assert_eq!(saved["file"], "kept.match");
    assert_eq!(home.read("kept.match"), text);

    let mut other = Engine::start(&home);
    for request in [json!({ "cmd": "load", "save": text }), json!({ "cmd": "load", "file": "kept.match" })] {
        let loaded = other.granted(&request.to_string());
        assert_eq!((&loaded["digest"], &loaded["options"]), (&before["digest"], &before["options"]));
        assert_eq!(other.granted(STATE), before);
        other.granted(r#"{"cmd":"go"}"#);
    }
    engine.granted(r#"{"cmd":"go"}"#);
    assert_eq!(engine.granted(STATE), other.granted(STATE), "both go on alike");

    let now = other.line(STATE.as_bytes());
    let broken = text.replacen("die 1", "die 2", 1);
    let message = other.refused(&json!({ "cmd": "load", "save": broken }).to_string(), "bad-file");
    assert!(message.contains("--> save:") && message.contains("step "), "{message}");
    other.refused(r#"{"cmd":"load","save":"hello"}"#, "bad-file");
    other.refused(r#"{"cmd":"load","file":"no-such.match"}"#, "bad-file");
    other.refused(r#"{"cmd":"load","file":"."}"#, "bad-file");
    other.refused(r#"{"cmd":"load"}"#, "bad-request");
    other.refused(r#"{"cmd":"load","save":"x","file":"y"}"#, "bad-request");
    other.refused(r#"{"cmd":"save","file":"kept.match/inside"}"#, "bad-file");
    assert_eq!(other.line(STATE.as_bytes()), now);
    let old = engine.granted(r#"{"cmd":"save"}"#)["save"].as_str().expect("a text").replacen(
        "rules: 3\n",
        "rules: 0\n",
        1,
    );
    let loaded = other.granted(&json!({ "cmd": "load", "save": old }).to_string());
    assert!(
        loaded["notes"][0].as_str().is_some_and(|note| note.contains("started under rules 0")),
        "{loaded}"
    );
}

#[test]
fn a_save_that_parts_is_loaded_up_to_there_if_that_is_wanted() {
    let home = Home::new();
    let mut engine = Engine::start(&home);
    engine.granted(NEW);
    for _ in 0..8 {
        engine.granted(r#"{"cmd":"go"}"#);
    }
    let text = engine.granted(r#"{"cmd":"save"}"#)["save"].as_str().expect("a text").to_owned();
    let story = story_of(&mut engine);
    let common = (story.len() / 2..story.len()).find(|at| story[*at].0 == "allies").expect("a decision");
    let digest = story[common].2.as_str().expect("a digest");
    assert_eq!(text.matches(digest).count(), 1, "{text}");
    let damaged = text.replacen(digest, "0badc0de", 1);
    let old = damaged.replacen("\nrules: 3\n", "\nrules: 0\n", 1);
    let file = home.write("old.match", &old);

    let mut other = Engine::start(&home);
    other.granted(r#"{"cmd":"new","game":"echoes","seed":9}"#);
    let before = other.line(STATE.as_bytes());
    // Under the same rules it is the file that is wrong.
    for (save, code) in [(&old, "parted"), (&damaged, "bad-file")] {
        let message = other.refused(&json!({ "cmd": "load", "save": save }).to_string(), code);
        assert!(
            message.contains(&format!("\"common\":true continues from step {common} as a new match")),
            "{message}"
        );
        assert!(
            message.contains("--> save:") && message.contains(&format!("step {}", common + 1)),
            "{message}"
        );
        other.refused(&json!({ "cmd": "load", "save": save, "common": false }).to_string(), code);
    }
    other.refused(r#"{"cmd":"load","save":"hello","common":true}"#, "bad-file");
    other.refused(r#"{"cmd":"load","save":"hello","common":"yes"}"#, "bad-request");
    assert_eq!(other.line(STATE.as_bytes()), before, "a refusal changes nothing");
    for request in [
        json!({ "cmd": "load", "save": old, "common": true }),
        json!({ "cmd": "load", "save": damaged, "common": true }),
        json!({ "cmd": "load", "file": file, "common": true }),
    ] {
        let loaded = other.granted(&request.to_string());
        assert_eq!((&loaded["step"], &loaded["mover"]), (&json!(common), &json!("allies")), "{loaded}");
        let note = loaded["notes"][0].as_str().expect("a note");
        assert!(note.contains(&format!("continues from step {common} of {}", story.len())), "{note}");
        assert_eq!(story_of(&mut other), story[..common]);
        other.granted(r#"{"cmd":"go"}"#);
    }
    assert_eq!(home.read("old.match"), old, "the file stays as it is");
    // What can be followed to its end is loaded whole.
    let whole = other.granted(&json!({ "cmd": "load", "save": text, "common": true }).to_string());
    assert_eq!((&whole["step"], whole.get("notes")), (&json!(story.len()), None));
}

#[test]
fn an_own_book_is_played_and_saved_with_the_match() {
    let home = Home::new();
    let book = include_str!("../../echoes/tests/data/own-book.txt");
    let mut engine = Engine::start(&home);
    engine.granted(&json!({ "cmd": "new", "game": "echoes", "seed": 4, "book": book }).to_string());
    play_out(&mut engine, "greedy");
    let saved = engine.granted(r#"{"cmd":"save"}"#);
    let mut other = Engine::start(&home);
    let loaded = other.granted(&json!({ "cmd": "load", "save": saved["save"] }).to_string());
    assert_eq!(loaded["options"]["book"], book);
    let broken = book.replacen("Attack", "Atack", 1);
    let request = json!({ "cmd": "new", "game": "echoes", "book": broken }).to_string();
    let message = other.refused(&request, "bad-setup");
    assert!(message.contains("did you mean \"Attack\"?") && message.contains("--> book:"), "{message}");
}

#[test]
fn questions_change_nothing() {
    let home = Home::new();
    let mut engine = Engine::start(&home);
    let games = engine.granted(r#"{"cmd":"games"}"#);
    assert_eq!((&games["games"][0]["game"], &games["bots"][1]), (&json!("echoes"), &json!("greedy")));
    engine.granted(NEW);
    let before = engine.line(STATE.as_bytes());
    let odds = engine.granted(r#"{"cmd":"odds","question":"attack WF"}"#);
    assert_eq!(
        odds["answer"]["results"][0],
        json!({ "result": "success", "chance": "1/3", "probability": 1.0 / 3.0 })
    );
    let questions = engine.granted(r#"{"cmd":"odds"}"#)["questions"].clone();
    for question in questions.as_array().expect("a list") {
        engine.granted(&json!({ "cmd": "odds", "question": question }).to_string());
    }
    for viewer in ["allies", "spectator"] {
        let view = engine.granted(&json!({ "cmd": "view", "viewer": viewer, "picture": true }).to_string());
        assert_eq!(view["view"]["turn"], 1);
        assert!(view["picture"].as_str().is_some_and(|picture| picture.contains("Western Front")));
    }
    let thought = engine.granted(r#"{"cmd":"go","bot":"onestep","think":true}"#);
    assert!(thought["choice"].is_string() && thought.get("story").is_none(), "{thought}");
    engine.granted(r#"{"cmd":"log","from":1,"viewer":"spectator"}"#);
    assert_eq!(engine.granted(r#"{"cmd":"log","from":99999999999}"#)["log"], json!([]));
    let rule = engine.granted(r#"{"cmd":"rule","number":"2.5.3"}"#);
    assert!(rule["text"].as_str().is_some_and(|text| text.contains("2.5.3")));
    let choices = engine.granted(r#"{"cmd":"choices"}"#);
    assert!(
        choices["choices"].as_array().is_some_and(|list| list.iter().any(|choice| choice["name"] == "no"))
    );
    assert_eq!(engine.line(STATE.as_bytes()), before);
}

#[test]
fn every_error_has_its_code_and_leaves_the_match_as_it_was() {
    let home = Home::new();
    let mut engine = Engine::start(&home);
    for verb in ["state", "view", "choices", "fate", "undo", "log", "go", "odds", "save"] {
        let message = engine.refused(&json!({ "cmd": verb }).to_string(), "no-match");
        assert!(message.contains("\"cmd\":\"new\""), "{message}");
    }
    engine.granted(NEW);
    engine.granted(r#"{"cmd":"go"}"#);
    let before = engine.line(STATE.as_bytes());
    for (request, code, part) in [
        ("hello", "bad-request", "this is not JSON"),
        ("{", "bad-request", "this is not JSON"),
        ("[]", "bad-request", "a request is a JSON object"),
        ("null", "bad-request", "a request is a JSON object"),
        ("{}", "bad-request", "the field \"cmd\" is missing"),
        (r#"{"cmd":7}"#, "bad-request", "the field \"cmd\" is 7, expected a text"),
        (r#"{"cmd":"chioces"}"#, "unknown-command", "did you mean \"choices\"?"),
        (r#"{"cmd":"sight"}"#, "unknown-command", "`sight` is called `view` since protocol 2"),
        (
            r#"{"cmd":"play","choice":"no","usual":"no"}"#,
            "bad-request",
            "`usual` is called `default` since protocol 2",
        ),
        (r#"{"cmd":"state","viewer":"allies"}"#, "bad-request", "unknown field \"viewer\""),
        (r#"{"cmd":"play"}"#, "bad-request", "the field \"choice\" is missing"),
        (r#"{"cmd":"play","choise":"no"}"#, "bad-request", "the field \"choice\" is missing"),
        (r#"{"cmd":"play","choice":"no","chioce":"no"}"#, "bad-request", "did you mean \"choice\"?"),
        (r#"{"cmd":"play","choice":1}"#, "bad-request", "expected a text"),
        (r#"{"cmd":"play","choice":"attack XX"}"#, "unknown-choice", "\"attack XX\" is not a choice"),
        (r#"{"cmd":"play","choice":""}"#, "unknown-choice", "is not a choice of this game"),
        (r#"{"cmd":"play","choice":"die 3"}"#, "refused", "not possible now"),
        (r#"{"cmd":"play","choice":"tow shift PAC EMT"}"#, "refused", "(rule 2.5.1)"),
        (r#"{"cmd":"fate"}"#, "seat-to-move", "it is a player's turn"),
        (r#"{"cmd":"undo","scope":"war"}"#, "bad-request", "expected step or turn"),
        (r#"{"cmd":"undo","seat":"axis"}"#, "bad-request", "unknown seat \"axis\"; the seats are: allies"),
        (r#"{"cmd":"go","bot":"gredy"}"#, "bad-request", "did you mean greedy?"),
        (r#"{"cmd":"go","seed":-1}"#, "bad-request", "a whole number, 0 or more"),
        (r#"{"cmd":"go","think":"yes"}"#, "bad-request", "expected true or false"),
        (r#"{"cmd":"log","from":-1}"#, "bad-request", "a whole number, 0 or more"),
        (r#"{"cmd":"view","viewer":"stalin"}"#, "bad-request", "unknown seat \"stalin\""),
        (r#"{"cmd":"odds","question":"weather"}"#, "bad-question", "unknown question \"weather\""),
        (r#"{"cmd":"odds","question":"attack WF at +99"}"#, "bad-question", "a number from -6 to +6"),
        (r#"{"cmd":"rule","number":"99.9"}"#, "bad-request", "there is no rule \"99.9\""),
        (r#"{"cmd":"new"}"#, "bad-request", "the field \"game\" is missing"),
        (r#"{"cmd":"new","game":"chess"}"#, "bad-setup", "the games are: echoes"),
        (r#"{"cmd":"new","game":"ehoes"}"#, "bad-setup", "did you mean echoes?"),
        (r#"{"cmd":"new","game":"echoes","spread":25}"#, "bad-setup", "there are 24"),
        (r#"{"cmd":"new","game":"echoes","spread":99999999999999999999}"#, "bad-setup", "there are 24"),
        (r#"{"cmd":"new","game":"echoes","edition":"soviet"}"#, "bad-setup", "allied or axis"),
        (r#"{"cmd":"new","game":"echoes","seed":"x"}"#, "bad-request", "a whole number, 0 or more"),
        (r#"{"cmd":"new","game":"echoes","seed":18446744073709551616}"#, "bad-request", "a whole number"),
        (r#"{"cmd":"new","game":"echoes","dice":"loaded"}"#, "bad-request", "expected fair or own"),
        (r#"{"cmd":"new","game":"echoes","fate":"blind"}"#, "bad-request", "expected auto or manual"),
        (
            r#"{"cmd":"new","game":"echoes","options":{"wether":"on"}}"#,
            "bad-setup",
            "unknown option \"wether\"",
        ),
        (r#"{"cmd":"new","game":"echoes","options":{"spread":[1]}}"#, "bad-request", "an object of texts"),
        (r#"{"cmd":"state","id":[7]}"#, "bad-request", "expected a text or a number"),
    ] {
        let message = engine.refused(request, code);
        assert!(message.contains(part), "{request}\n{message}");
        assert_eq!(engine.line(STATE.as_bytes()), before, "{request}");
    }
}

#[test]
fn answers_carry_the_id_of_their_request() {
    let home = Home::new();
    let mut engine = Engine::start(&home);
    assert_eq!(engine.granted(r#"{"cmd":"games","id":7}"#)["id"], 7);
    assert_eq!(engine.ask(r#"{"id":"seven","cmd":"state"}"#)["id"], "seven");
    assert_eq!(engine.ask(r#"{"cmd":"nonsense","id":-1.5}"#)["id"], -1.5);
    assert!(engine.granted(r#"{"cmd":"games","id":null}"#).get("id").is_none());
}

#[test]
fn lines_that_mean_harm_are_refused_and_the_next_one_is_answered() {
    let home = Home::new();
    let mut engine = Engine::start(&home);
    engine.granted(NEW);
    let before = engine.line(STATE.as_bytes());
    let mib = 1 << 20;
    let nested =
        |open: &str, close: &str, depth: usize| format!("{}1{}", open.repeat(depth), close.repeat(depth));
    let book = |filling: String| json!({ "cmd": "new", "game": "echoes", "book": filling }).to_string();
    let lines: Vec<(Vec<u8>, &str)> = vec![
        (vec![b'x'; 10 * mib], "longer than 1048576 bytes"),
        (vec![b' '; 2 * mib], "longer than 1048576 bytes"),
        (vec![b'['; mib], "this is not JSON"),
        (
            format!("{{\"cmd\":{}}}", nested("[", "]", 100_000)).into_bytes(),
            "this is not JSON: recursion limit",
        ),
        (nested("{\"a\":", "}", 150_000).into_bytes(), "this is not JSON: recursion limit"),
        (format!("{{\"cmd\":\"{}\"}}", "x".repeat(mib - 20)).into_bytes(), "unknown command"),
        (format!("{{\"cmd\":\"state\",\"{}\":1}}", "x".repeat(mib - 40)).into_bytes(), "unknown field"),
        (
            format!("{{\"cmd\":\"play\",\"choice\":\"{}\"}}", "é ".repeat(300_000)).into_bytes(),
            "not a choice",
        ),
        (
            format!("{{\"cmd\":\"odds\",\"question\":\"attack {}\"}}", "w".repeat(mib - 60)).into_bytes(),
            "region",
        ),
        (format!("{{\"cmd\":\"new\",\"game\":\"{}\"}}", "g".repeat(mib - 60)).into_bytes(), "unknown game"),
        (
            format!("{{\"cmd\":\"load\",\"save\":\"{}\"}}", "s".repeat(mib - 60)).into_bytes(),
            "not a Maproom match",
        ),
        (book(format!("1.1 Bomb\nAllies: {}", "(".repeat(900_000))).into_bytes(), "error"),
        (book(format!("1.1 Bomb\nAllies: {}", "If EMT even: ".repeat(60_000))).into_bytes(), "error"),
        (b"{\"cmd\":\"st\xff\xfeate\"}".to_vec(), "the line is not UTF-8 from byte 11 on"),
        (vec![0xC3], "not UTF-8"),
        (b"\0".to_vec(), "this is not JSON"),
        (b"\xEF\xBB\xBF{\"cmd\":\"state\"}".to_vec(), "this is not JSON"),
        (br#"{"cmd":"\ud800"}"#.to_vec(), "this is not JSON"),
        (br#"{"cmd":"state"} {"cmd":"state"}"#.to_vec(), "this is not JSON"),
    ];
    for (line, part) in &lines {
        let answer = engine.line(line);
        let start = String::from_utf8_lossy(&line[..line.len().min(60)]);
        assert!(answer.starts_with("{\"error\":") && answer.contains(part), "{start}\n{answer:.500}");
        assert!(answer.len() < 60_000, "{start}: an answer of {} bytes", answer.len());
        assert_eq!(engine.line(STATE.as_bytes()), before, "{start}");
    }
    // Blank lines are passed over, line ends may be those of Windows, and the last line needs none.
    assert_eq!(engine.line(b"\n  \t \n\r\n{\"cmd\":\"state\"}\r"), before);
    assert_eq!(engine.end(), (Some(0), String::new()));
    let last = home.run(&["engine"], b"{\"cmd\":\"games\"}").fine();
    assert!(
        last.starts_with("{\"ok\":true,\"protocol\":2,\"games\":") && last.lines().count() == 1,
        "{last}"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn an_endless_line_takes_bounded_memory() {
    let home = Home::new();
    let mut engine = Engine::start(&home);
    engine.granted(NEW);
    let answer = engine.line(&vec![b'7'; 128 << 20]);
    assert!(answer.contains("longer than"), "{answer}");
    let status = std::fs::read_to_string(format!("/proc/{}/status", engine.process())).expect("the status");
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("the peak");
    let kib: u64 = peak.trim().trim_end_matches(" kB").parse().expect("a number");
    assert!(kib < 64 << 10, "{peak}");
}

#[test]
fn quit_is_answered_and_ends_the_engine() {
    let home = Home::new();
    let mut engine = Engine::start(&home);
    engine.refused(r#"{"cmd":"quit","now":true}"#, "bad-request");
    assert_eq!(engine.ask(r#"{"cmd":"quit","id":1}"#), json!({ "ok": true, "id": 1 }));
    assert_eq!(engine.end(), (Some(0), String::new()));
}

/// Good requests to make bad ones from. No file is named in them.
fn corpus() -> Vec<String> {
    let home = Home::new();
    let mut engine = Engine::start(&home);
    engine.granted(r#"{"cmd":"new","game":"echoes","seed":12}"#);
    engine.granted(r#"{"cmd":"go"}"#);
    let save = engine.granted(r#"{"cmd":"save"}"#)["save"].clone();
    let mut lines: Vec<String> = [
        NEW,
        r#"{"cmd":"new","game":"echoes","edition":"axis","spread":14,"seed":5,"dice":"fair","fate":"manual"}"#,
        r#"{"cmd":"new","game":"echoes","options":{"edition":"allied","spread":"3"},"dice":"own"}"#,
        r#"{"cmd":"state","id":1}"#,
        r#"{"cmd":"view","viewer":"spectator","picture":true}"#,
        r#"{"cmd":"choices"}"#,
        r#"{"cmd":"play","choice":"no"}"#,
        r#"{"cmd":"play","choice":"pass"}"#,
        r#"{"cmd":"play","choice":"attack WF"}"#,
        r#"{"cmd":"play","choice":"shift EMT"}"#,
        r#"{"cmd":"play","choice":"tow shift SF USA"}"#,
        r#"{"cmd":"fate"}"#,
        r#"{"cmd":"fate","choice":4}"#,
        r#"{"cmd":"undo","scope":"turn","seat":"allies"}"#,
        r#"{"cmd":"log","from":3,"viewer":"allies"}"#,
        r#"{"cmd":"go","bot":"greedy","seed":9,"think":false}"#,
        r#"{"cmd":"go","bot":"random"}"#,
        r#"{"cmd":"odds","question":"attack Axis PAC at +1"}"#,
        r#"{"cmd":"odds","question":"conflict europe"}"#,
        r#"{"cmd":"save","publish":true}"#,
        r#"{"cmd":"rule","number":"2.5.3"}"#,
        r#"{"cmd":"games"}"#,
    ]
    .map(str::to_owned)
    .to_vec();
    lines.push(json!({ "cmd": "load", "save": save }).to_string());
    lines
}

/// A request changed in a few places, still one line.
fn mutated(line: &str, random: &mut Random) -> Vec<u8> {
    let mut bytes = line.as_bytes().to_vec();
    for _ in 0..random.below(4) {
        mutate(&mut bytes, random);
    }
    for byte in &mut bytes {
        if *byte == b'\n' {
            *byte = b' ';
        }
    }
    if bytes.iter().all(u8::is_ascii_whitespace) {
        bytes.push(b'x');
    }
    bytes
}

#[test]
fn mutated_lines() {
    const ROUNDS: usize = 12_000;
    let corpus = corpus();
    let mut random = Random(0x0E46_13E0);
    let mut requests = vec![NEW.as_bytes().to_vec(), STATE.as_bytes().to_vec()];
    for round in 0..ROUNDS {
        // Now and then a new match, or the old one would soon be over.
        let line = if round % 100 == 0 { &corpus[0] } else { &corpus[random.below(corpus.len())] };
        requests.push(mutated(line, &mut random));
        requests.push(STATE.as_bytes().to_vec());
    }
    let home = Home::new();
    let mut engine = Engine::start(&home);
    let (mut granted, mut refused, mut changed) = (0, 0, 0);
    let mut said = String::new();
    let mut before = String::new();
    engine.stream(&requests, |at, answer| {
        let shown = || String::from_utf8_lossy(&requests[at & !1]).into_owned();
        if at % 2 == 0 {
            let value: Value = serde_json::from_str(answer).unwrap_or_else(|why| panic!("{why}: {answer}"));
            if value.get("error").is_some() {
                refused += 1;
                assert!(value["error"].as_str().is_some_and(|message| !message.is_empty()), "{answer}");
                assert!(value["code"].is_string() && value.get("ok").is_none(), "{answer}");
            } else {
                granted += 1;
            }
            said = answer.to_owned();
            return;
        }
        assert!(answer.starts_with("{\"ok\":true,\"game\":\"echoes\""), "{}\n{said}\n{answer}", shown());
        if said.starts_with("{\"error\":") {
            assert_eq!(answer, before, "an error changed the match: {}\n{said}", shown());
        } else {
            assert!(said.starts_with("{\"ok\":"), "{}\n{said}", shown());
        }
        changed += usize::from(answer != before);
        before = answer.to_owned();
    });
    assert_eq!(engine.end(), (Some(0), String::new()));
    assert_eq!(granted + refused, ROUNDS + 1);
    assert!(
        granted > ROUNDS / 10 && refused > ROUNDS / 2 && changed > ROUNDS / 20,
        "{granted} {refused} {changed}"
    );
}
