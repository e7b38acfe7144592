//! Programs in a seat, through the real program: the samples, the engine as a program, and programs that misbehave.

mod program;

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use kernel::{Game as _, Judgement as _, Options};
use program::{Ended, Engine, Home};
use serde_json::Value;

/// A sample of the project.
fn sample(name: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    file.display().to_string()
}

/// The command line of the first sample.
fn first_bot() -> String {
    format!("python3 '{}'", sample("first_bot.py"))
}

/// The beginning of every program here: `ask` waits for a question, `say` answers it.
const LISTEN: &str = "
import json, os, subprocess, sys, time
def ask():
    line = sys.stdin.readline()
    if not line: sys.exit(0)
    return json.loads(line)
def say(**answer): print(json.dumps(answer), flush=True)
";

/// The command line of a program that was just written.
fn written(home: &Home, program: &str) -> String {
    format!("python3 '{}'", home.write("rogue.py", format!("{LISTEN}{program}")))
}

fn ladder(home: &Home, game: &str, bots: &str, games: &str, more: &[&str]) -> Ended {
    let mut arguments = vec!["ladder", game, "--bots", bots, "--games", games, "--json"];
    arguments.extend(more);
    home.run(&arguments, b"")
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|why| panic!("{why}\n{text}"))
}

// --- the samples ----------------------------------------------------------------------------------

#[test]
fn the_first_bot_climbs_a_ladder() {
    let home = Home::new();
    let bots = format!("random,greedy,{}", first_bot());
    let ended = ladder(&home, "blitz", &bots, "4", &[]);
    assert!(!ended.err.contains("first_bot: "), "{}", ended.err);
    let once = ended.fine();
    let report = parsed(&once);
    let line = report["ratings"].as_array().expect("a list").iter().find(|line| line["bot"] == "first_bot");
    let line = line.expect("its line");
    assert_eq!((line["games"].as_u64(), line["broken"].as_u64()), (Some(8), Some(0)), "{line}");
    assert_eq!(
        once,
        ladder(&home, "blitz", &bots, "4", &["--threads", "1"]).fine(),
        "it takes the seed it is given"
    );
}

#[test]
fn the_first_bot_plays_against_a_person_in_every_game() {
    let home = Home::new();
    for (game, more) in [("blitz", &[][..]), ("dday", &["--scenario", "villers_bocage"])] {
        let (bot, save) = (first_bot(), home.file(&format!("{game}.match")));
        let mut arguments = vec!["play", game, "--seed", "7", "--bot", &bot, "--save", &save];
        arguments.extend(more);
        let input =
            if game == "blitz" { "1\n".repeat(200) } else { "end\nhold\nready\nspare\n1\n".repeat(200) };
        let ended = home.run(&arguments, input.as_bytes());
        assert_eq!(ended.err, "", "{game}");
        let said = ended.fine();
        assert!(said.contains("the program First Bot plays the other side"), "{said}");
        assert!(
            said.contains("You won.") || said.contains("You lost.") || said.contains("Nobody won."),
            "{said}"
        );
        home.run(&["verify", &save], b"").fine();
    }
}

#[test]
fn the_engine_is_driven_through_a_war() {
    let mut python = Command::new("python3");
    python.arg(sample("drive_engine.py")).arg(env!("CARGO_BIN_EXE_maproom"));
    let output = python.output().expect("python3 is needed on the search path");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    assert!(said.contains(" after ") && said.contains(" decisions"), "{said}");
}

// --- the engine as a program ----------------------------------------------------------------------

#[test]
fn the_engine_has_a_seat_where_nothing_is_hidden() {
    let home = Home::new();
    let engine = format!("'{}' engine", env!("CARGO_BIN_EXE_maproom"));
    let ended = ladder(&home, "echoes", &format!("random,greedy,engine={engine} --bot greedy"), "6", &[]);
    assert!(!ended.err.contains("engine: "), "{}", ended.err);
    let report = parsed(&ended.fine());
    let line = |bot: &str| {
        let lines = report["solo"].as_array().expect("a list");
        lines.iter().find(|line| line["bot"] == bot).expect("its line").clone()
    };
    assert_eq!((line("engine")["games"].as_u64(), line("engine")["broken"].as_u64()), (Some(6), Some(0)));
    assert_eq!(
        line("engine")["wins"],
        line("greedy")["wins"],
        "it is the same bot with the same dice of Fate"
    );
    let arguments = ["--scenario", "villers_bocage"];
    let ended = ladder(&home, "dday", &format!("random,it={engine} --bot commander"), "2", &arguments);
    let report = parsed(&ended.fine());
    assert_eq!(report["ratings"][0]["bot"], "it", "{report}");
    let hidden = ladder(&home, "blitz", &format!("random,it={engine}"), "2", &[]).failed();
    assert!(hidden.contains("it: it says: blitz has hidden information"), "{hidden}");
}

#[test]
fn the_engine_says_why_it_will_not_choose() {
    let home = Home::new();
    let mut engine = Engine::start(&home);
    for (hello, code, part) in [
        (r#""protocol":1,"game":"echoes","seat":"allies""#, "bad-request", "this engine speaks protocol 2"),
        (r#""protocol":2,"seat":"allies""#, "bad-request", "\"game\" is missing"),
        (r#""game":"chess","seat":"white""#, "bad-setup", "the games are: echoes"),
        (r#""game":"echoes","seat":"axis""#, "bad-setup", "the seats are: allies"),
        (r#""game":"echoes","seat":"allies","rules":"0""#, "bad-setup", "version 3"),
        (r#""game":"echoes","seat":"allies","options":{"spread":99}"#, "bad-setup", "there are 24"),
        (r#""game":"echoes","seat":"allies","colour":"red""#, "bad-request", "unknown field \"colour\""),
        (r#""game":"blitz","seat":"axis""#, "hidden", "has hidden information"),
    ] {
        let why = engine.refused(&format!(r#"{{"cmd":"hello",{hello}}}"#), code);
        assert!(why.contains(part), "{hello}: {why}");
    }
    engine.refused(r#"{"cmd":"choose","save":""}"#, "no-match");
    engine.granted(r#"{"cmd":"hello","game":"dday","seat":"us","options":{"scenario":"omaha"}}"#);
    let save_of = |new: &str| {
        let mut other = Engine::start(&home);
        other.granted(new);
        let save = other.granted(r#"{"cmd":"save"}"#)["save"].to_string();
        other.end();
        format!(r#"{{"cmd":"choose","save":{save}}}"#)
    };
    let echoes = save_of(r#"{"cmd":"new","game":"echoes","seed":3}"#);
    assert!(engine.refused(&echoes, "bad-file").contains("the save is of echoes, but hello said dday"));
    engine.refused(r#"{"cmd":"choose","save":"hello"}"#, "bad-file");
    engine.refused(r#"{"cmd":"choose"}"#, "bad-request");
    let fate = save_of(r#"{"cmd":"new","game":"echoes","seed":3,"fate":"manual"}"#);
    engine.granted(r#"{"cmd":"hello","game":"echoes","seat":"allies"}"#);
    engine.refused(&fate, "fate-to-move");
    assert!(engine.granted(&echoes)["choice"].is_string());
    engine.refused(&echoes.replace("{\"cmd\"", "{\"seat\":\"axis\",\"cmd\""), "not-yours");
    engine.granted(r#"{"cmd":"over","result":"x","title":"x","standing":"win"}"#);
    engine.refused(&echoes, "no-match");
    engine.end();
}

// --- programs that misbehave ----------------------------------------------------------------------

/// A game of blitz against a program that will not last, played on to its end. `time` is what it has for an answer, in seconds.
fn outlived(home: &Home, program: &str, time: &str) -> (String, String) {
    let (bot, save) = (written(home, program), home.file("rogue.match"));
    let arguments = [
        "play",
        "blitz",
        "--seed",
        "7",
        "--seat",
        "allies",
        "--bot",
        &bot,
        "--bot-time",
        time,
        "--save",
        &save,
    ];
    let begin = Instant::now();
    let ended = home.run(&arguments, "1\n".repeat(200).as_bytes());
    assert!(begin.elapsed() < Duration::from_secs(120), "{:?}", begin.elapsed());
    let err = ended.err.clone();
    let said = ended.fine();
    std::fs::remove_file(&save).expect("the match was kept");
    assert!(said.contains("The program rogue failed: "), "{said}");
    assert!(said.contains("The greedy bot takes over.") && said.contains("Victory for"), "{said}");
    (said, err)
}

#[test]
fn the_greedy_bot_takes_the_seat_of_a_program_that_fails() {
    let home = Home::new();
    for (program, part) in [
        ("ask(); say(ok=True)\nwhile True: time.sleep(60)", "no answer within 2 s"),
        (
            "ask(); say(ok=True); ask(); print('cannot go on', file=sys.stderr); sys.exit(7)",
            "it ended (exit status: 7)",
        ),
        ("ask(); say(ok=True)\nwhile True: ask(); print('I think', flush=True)", "this is not JSON"),
        (
            "ask(); say(ok=True)\nwhile True: ask(); say(ok=True, choice='place army9 WE.1.1')",
            "is not a choice",
        ),
        ("ask(); say(ok=True)\nask()\nwhile True: sys.stdout.write('x' * 9999)", "a line without an end"),
        ("ask(); say(ok=True)\nwhile True: say(ok=True)", "\"choice\" is missing"),
    ] {
        // Only who never answers needs to be waited for; the others must have time to begin, also on a busy machine.
        let time = if part.starts_with("no answer") { "2" } else { "60" };
        let (said, err) = outlived(&home, program, time);
        assert!(said.contains(part) && err.contains(part), "{part}\n{said}\n{err}");
        assert!(err.contains("rogue: ") && err.contains("it loses its seat"), "{err}");
    }
    // What it says on standard error comes with its name.
    let program = "ask(); say(ok=True); ask(); print('cannot go on', file=sys.stderr); sys.exit(7)";
    let (_, err) = outlived(&home, program, "60");
    assert!(err.contains("rogue: cannot go on") && err.contains("restarting it once"), "{err}");
}

#[test]
fn a_program_that_breaks_down_loses_and_ends_the_ladder() {
    let home = Home::new();
    let bot = written(&home, "ask(); say(ok=True); ask(); sys.exit(1)");
    let ended = ladder(&home, "blitz", &format!("random,{bot}"), "100", &["--threads", "1"]);
    assert!(ended.err.contains("stopped early: rogue failed too often"), "{}", ended.err);
    let report = parsed(&ended.fine());
    assert_eq!(
        (&report["interrupted"], &report["games"]),
        (&true.into(), &4.into()),
        "two whole rounds of five games"
    );
    let last = &report["ratings"][1];
    assert_eq!((&last["bot"], &last["broken"], &last["losses"]), (&"rogue".into(), &4.into(), &4.into()));
    let why =
        ladder(&home, "blitz", &format!("random,{}", written(&home, "sys.exit(4)")), "10", &[]).failed();
    assert!(why.contains("rogue: it ended (exit status: 4)"), "{why}");
}

/// Whatever a program has started goes with it.
#[cfg(target_os = "linux")]
#[test]
fn nothing_is_left_running() {
    let home = Home::new();
    let notes = home.file("pids");
    let program = format!(
        "
child = subprocess.Popen(['sleep', '300'])
open({notes:?}, 'a').write(f'{{os.getpid()}} {{child.pid}}\\n')
ask(); say(ok=True)
for mistake in range(2): ask(); print('I think', flush=True)
while True: time.sleep(60)
"
    );
    let bot = written(&home, &program);
    let arguments = ["play", "blitz", "--seed", "7", "--seat", "allies", "--bot", &bot, "--bot-time", "60"];
    home.run(&arguments, b"q\n").fine();
    let pids = home.read("pids");
    assert_eq!(pids.split_whitespace().count(), 2, "{pids}");
    let runs = |pid: &str| {
        let state = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        // One that has ended and that nobody has looked after yet does not run.
        state.rsplit(')').next().is_some_and(|rest| !rest.trim().is_empty() && !rest.trim().starts_with('Z'))
    };
    let begin = Instant::now();
    while pids.split_whitespace().any(runs) {
        assert!(begin.elapsed() < Duration::from_secs(60), "{pids}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A program hears what its seat may know: no hand of the other, no save of a game with secrets.
#[test]
fn a_program_hears_no_secrets() {
    let home = Home::new();
    let notes = home.file("heard");
    let program = format!(
        "
heard = open({notes:?}, 'w')
while True:
    asked = ask()
    heard.write(json.dumps(asked) + '\\n')
    heard.flush()
    if asked['cmd'] == 'hello': say(ok=True, wants=['save', 'log', 'labels', 'features'])
    elif asked['cmd'] == 'choose': say(ok=True, choice=asked['choices'][0])
"
    );
    let bot = written(&home, &program);
    let save = home.file("secret.match");
    let arguments = ["play", "blitz", "--seed", "7", "--seat", "allies", "--bot", &bot, "--save", &save];
    home.run(&arguments, "1\n".repeat(200).as_bytes()).fine();
    let heard = home.read("heard");
    let questions: Vec<Value> = heard.lines().map(parsed).filter(|line| line["cmd"] == "choose").collect();
    assert!(questions.len() > 5, "{heard}");
    let names = blitz::Blitz::with_options(&Options::new()).expect("a board").feature_names();
    for question in &questions {
        let values = question["features"].as_array().expect("numbers");
        assert_eq!(values.len(), names.len());
        let knows = |held: &str| {
            names
                .iter()
                .zip(values)
                .any(|(name, value)| name.starts_with(held) && value.as_f64() != Some(0.0))
        };
        assert!(knows("Axis reserve ") && !knows("Allies reserve ") && !knows("Allies bag "), "{question}");
        assert!(question.get("save").is_none() && question.get("labels").is_some(), "{question}");
        let sides = question["view"]["sides"].as_array().expect("two sides");
        assert!(sides[0].get("reserve").is_some() && sides[1].get("reserve").is_none(), "{question}");
        for entry in question["log"].as_array().expect("a list") {
            let story = entry["story"].to_string();
            assert!(!story.contains("Drawn by the Allies"), "{entry}");
            if story.contains("drawn by the Allies") {
                assert!(entry["choice"].is_null(), "{entry}");
            }
        }
    }
    let over = heard.lines().map(parsed).find(|line| line["cmd"] == "over").expect("the end is told");
    assert!(over["result"].is_string() && over["standing"].is_string(), "{over}");
}

// --- serve ----------------------------------------------------------------------------------------

#[test]
fn serve_tries_its_programs_out() {
    let home = Home::new();
    for (bots, part) in [
        (&["--bot", "python3 x.py"][..], "use NAME=COMMAND"),
        (&["--bot", "mine=./no-such-bot"], "can't be started"),
        (&["--bot", "mine=python3 -c pass"], "instead of answering"),
        (&["--bot", "mine='"], "ends inside a quotation"),
    ] {
        let mut arguments = vec!["serve", "--no-browser", "--port", "0", "--bot-time", "60"];
        arguments.extend(bots);
        let said = home.run(&arguments, b"").failed();
        assert!(said.contains(part) && said.contains("--bot"), "{bots:?}\n{said}");
    }
    let bot = format!("mine={}", first_bot());
    let arguments = ["serve", "--no-browser", "--port", "0", "--bot", &bot];
    let mut child = home.command(&arguments).spawn().expect("the program starts");
    let output = BufReader::new(child.stdout.take().expect("a pipe"));
    let lines: Vec<String> = output.lines().map_while(Result::ok).take(2).collect();
    child.kill().expect("it can be ended");
    child.wait().expect("it ends");
    assert!(
        lines[0].starts_with("The program mine (python3 ") && lines[0].contains("plays echoes, blitz, dday"),
        "{lines:?}"
    );
    assert!(lines[1].starts_with("Maproom is running at "), "{lines:?}");
}
