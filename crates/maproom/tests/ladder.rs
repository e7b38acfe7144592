//! `maproom ladder`: bots against each other, and how it says no.

mod program;

use program::Home;
use serde_json::{Value, json};

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|why| panic!("{why}\n{text}"))
}

fn names(lines: &Value) -> Vec<&str> {
    lines.as_array().expect("a list").iter().filter_map(|line| line["bot"].as_str()).collect()
}

#[test]
fn bots_for_two_are_ranked_by_elo() {
    let home = Home::new();
    let ladder = |threads: &str, more: &[&str]| {
        let mut arguments = vec!["ladder", "blitz", "--bots", "random, greedy,solo", "--games", "30"];
        arguments.extend(["--seed", "7", "--threads", threads]);
        arguments.extend(more);
        home.run(&arguments, b"")
    };
    let one = ladder("1", &["--json"]).fine();
    assert_eq!(one, ladder("2", &["--json"]).fine(), "threads change nothing");
    let report = parsed(&one);
    assert_eq!(
        (&report["games"], &report["interrupted"], &report["anchor"], &report["seed"]),
        (&json!(90), &json!(false), &json!("greedy"), &json!(7))
    );
    assert_eq!(names(&report["ratings"]).last(), Some(&"random"));
    assert!(
        report["ratings"][0]["stronger_than_next"].is_number()
            && report["ratings"][0]["microseconds"].is_null()
    );
    let timed = parsed(&ladder("2", &["--json", "--times"]).fine());
    assert!(timed["ratings"][0]["microseconds"].as_f64() > Some(0.0), "{timed}");
    let run = ladder("2", &[]);
    assert!(run.err.contains("90 games in ") && run.err.contains("time per choice: random "), "{}", run.err);
    let table = run.fine();
    for part in ["greedy is 0", "Elo", "LOS", "Score of the row against the column", "Results by seat", "±"]
    {
        assert!(table.contains(part), "{part}\n{table}");
    }
    assert!(!table.contains("time/choice"), "{table}");
    assert!(ladder("2", &["--times"]).fine().contains("time/choice"));
}

#[test]
fn bots_for_one_are_ranked_by_victories() {
    let home = Home::new();
    let arguments = ["ladder", "echoes", "--bots", "random,greedy", "--games", "200"];
    let table = home.run(&arguments, b"").fine();
    for part in ["win", "draw", "loss", "lead", "200"] {
        assert!(table.contains(part), "{part}\n{table}");
    }
    let mut document = arguments.to_vec();
    document.extend(["--spread", "1,3-4", "--json"]);
    let report = parsed(&home.run(&document, b"").fine());
    assert_eq!(names(&report["solo"]), ["greedy", "random"]);
    assert_eq!((&report["games"], report["setups"].as_array().map(Vec::len)), (&json!(1_200), Some(6)));
    assert!(report["solo"][0]["lead"]["low"].as_f64() > Some(0.0), "{report}");
    // Against its bot blitz is a game for one, too.
    let solo =
        ["ladder", "blitz", "--option", "mode=solo", "--bots", "random,greedy", "--games", "40", "--json"];
    assert_eq!(names(&parsed(&home.run(&solo, b"").fine())["solo"]), ["greedy", "random"]);
}

#[test]
fn several_scenarios_are_summed_up() {
    let home = Home::new();
    let arguments = ["ladder", "dday", "--scenarios", "villers_bocage,omaha", "--bots", "random,commander"];
    let mut arguments = arguments.to_vec();
    arguments.extend(["--games", "2"]);
    let table = home.run(&arguments, b"").fine();
    for part in ["4 games", "scenario 01_omaha", "scenario 03_villers_bocage", "random v commander"] {
        assert!(table.contains(part), "{part}\n{table}");
    }
    assert!(table.contains("the mean is 0"), "{table}");
    let one = [
        "ladder",
        "dday",
        "--scenario",
        "villers_bocage",
        "--bots",
        "random,greedy",
        "--games",
        "2",
        "--json",
    ];
    let report = parsed(&home.run(&one, b"").fine());
    assert_eq!((&report["games"], &report["options"]["scenario"]), (&json!(2), &json!("03_villers_bocage")));
}

#[test]
fn what_can_not_be_played_is_refused_with_words() {
    let home = Home::new();
    for (arguments, part) in [
        (&["ladder", "chess"][..], "the games are: echoes"),
        (&["ladder", "blitz", "--bots", "gredy,random"], "did you mean greedy?"),
        (
            &["ladder", "blitz", "--bots", "gredy,random"],
            "written as a command, such as \"python3 my_bot.py\"",
        ),
        (&["ladder", "blitz", "--bots", "greedy"], "2 bots or more, not 1"),
        (&["ladder", "blitz", "--bots", "greedy,random,greedy"], "greedy is in the list twice"),
        (&["ladder", "blitz", "--bots", "greedy,./no-such-bot"], "can't be started"),
        (&["ladder", "blitz", "--bots", "greedy,./a 'b"], "ends inside a quotation"),
        (&["ladder", "blitz", "--bots", "greedy,./a", "--bot-time", "0"], "--bot-time"),
        (&["ladder", "blitz", "--bots", "greedy,random", "--games", "0"], "must be at least 1"),
        (&["ladder", "blitz", "--bots", "greedy,random", "--games", "99999999999"], "at most 100000000"),
        (&["ladder", "blitz", "--bots", "greedy,random", "--threads", "0"], "must be at least 1"),
        (&["ladder", "blitz", "--scenarios", "omaha"], "unknown option \"scenario\""),
        (&["ladder", "dday", "--scenarios", "omaha,omha"], "did you mean omaha?"),
        (&["ladder", "dday", "--scenarios", "omaha", "--scenario", "remagen"], "cannot be used with"),
        (&["ladder", "echoes", "--spread", "3-1"], "use 3, 1,4,7, 1-6 or all"),
        (&["engine", "--bot", "gredy"], "did you mean greedy?"),
    ] {
        let said = home.run(arguments, b"").failed();
        assert!(said.contains(part), "{arguments:?}\n{said}");
    }
}

#[test]
fn a_program_that_fails_at_the_start_of_a_game_is_logged() {
    // It passes the check before the ladder and then ends at once.
    let program = "[ -e used ] && exit 3; touch used; while read line; do echo '{\"ok\":true}'; done";
    for (levels, logged) in [(None, true), (Some("off"), false), (Some("off,lab=warn"), true)] {
        let home = Home::new();
        home.write("flaky.sh", program);
        let mut command =
            home.command(&["ladder", "blitz", "--bots", "greedy,flaky=sh flaky.sh", "--threads", "1"]);
        command.env_remove("MAPROOM_LOG").envs(levels.map(|levels| ("MAPROOM_LOG", levels)));
        let said = home.run_command(command, b"").err;
        assert!(said.contains("flaky failed too often"), "{said}");
        assert_eq!(said.contains("flaky: it ended"), logged, "{levels:?}\n{said}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_shows_the_rounds_that_were_finished() {
    use std::io::Read as _;
    use std::time::{Duration, Instant};

    let home = Home::new();
    let arguments = ["ladder", "blitz", "--bots", "random,greedy,onestep", "--games", "3000000"];
    let mut child = home.command(&arguments).spawn().expect("the program starts");
    program::wait_for_handler(child.id());
    let begin = Instant::now();
    let sent = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.expect("kill runs").success());
    assert_eq!(child.wait().expect("the program ends").code(), Some(0));
    assert!(begin.elapsed() < Duration::from_secs(120), "{:?}", begin.elapsed());
    let mut table = String::new();
    child.stdout.take().expect("a pipe").read_to_string(&mut table).expect("text");
    assert!(table.contains("stopped early, 9000000 were requested") && table.contains("onestep"), "{table}");
}
