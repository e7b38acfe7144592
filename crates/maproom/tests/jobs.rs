//! Batches through a ledger: killed, stopped, gone on with, listed and dropped.

mod program;

use std::process::Child;
use std::time::{Duration, Instant};

use kernel::{Dice as _, LabDice};
use program::{Home, files};
use serde_json::Value;
use store::{Ledger as _, SqliteStore};

/// A batch that takes a while.
const BATCH: [&str; 9] = ["sim", "echoes", "--games", "400", "--bot", "search:20", "--seed", "5", "--json"];
const KILLS: usize = 8;

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    BATCH.iter().copied().chain(more.iter().copied()).collect()
}

/// How many chunks of the only job are done.
fn done(home: &Home) -> u64 {
    let Ok(ledger) = SqliteStore::open_beside(&home.path().join("runs")) else { return 0 };
    ledger.jobs().ok().and_then(|mut jobs| jobs.pop()).map_or(0, |job| job.chunks[1])
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
fn a_batch_that_is_killed_again_and_again_comes_to_the_same_report() {
    let home = Home::new();
    let plain = home.run(&with(&["--threads", "2"]), b"").fine();
    let mut dice = LabDice::new(1);
    let mut kills = 0;
    for at in 0..KILLS {
        let before = done(&home);
        let threads = if at % 2 == 0 { "1" } else { "3" };
        let command = with(&["--threads", threads, "--ledger", "runs"]);
        let mut child = home.command(&command).spawn().expect("the program starts");
        if !wait_for_more(&home, &mut child, before) {
            break;
        }
        // At any moment: in a game, between games, while something is written down.
        std::thread::sleep(Duration::from_micros(dice.below(20_000).into()));
        child.kill().expect("it can be killed");
        kills += usize::from(child.wait().expect("it ends").code().is_none());
    }
    assert!(kills >= 2, "it was hardly ever at work when it was killed");
    let ended = home.run(&with(&["--threads", "2", "--ledger", "runs"]), b"");
    assert!(ended.err.contains("were in the ledger"), "{}", ended.err);
    assert_eq!(ended.fine(), plain);
    // And once more: all of it is there.
    let again = home.run(&with(&["--ledger", "runs"]), b"");
    assert!(again.err.contains("400 were in the ledger"), "{}", again.err);
    assert_eq!(again.fine(), plain);
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_shows_what_there_is_and_the_same_command_goes_on() {
    let home = Home::new();
    let command = with(&["--ledger", "runs"]);
    let mut child = home.command(&command).spawn().expect("the program starts");
    program::wait_for_handler(child.id());
    assert!(wait_for_more(&home, &mut child, 0), "it was done too soon");
    let id = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &id]).status().expect("kill runs").success());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0));
    let report: Value = serde_json::from_slice(&output.stdout).expect("a report");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(report["interrupted"], true, "{said}");
    assert!(said.contains("The same command goes on from here (job "), "{said}");
    assert_eq!(home.run(&command, b"").fine(), home.run(&BATCH, b"").fine());
}

#[test]
fn jobs_are_listed_shown_and_dropped() {
    let home = Home::new();
    let none = home.run(&["jobs", "--ledger", "runs"], b"").failed();
    assert!(none.contains("there is no ledger in runs"), "{none}");
    assert!(home.run(&["jobs"], b"").failed().contains("maproom jobs --ledger DIR"));
    home.write("file", "text");
    let refused = home.run(&["sim", "echoes", "--games", "5", "--ledger", "file"], b"").failed();
    assert!(refused.contains("this is a file"), "{refused}");

    let ladder =
        ["ladder", "echoes", "--bots", "random,greedy", "--games", "20", "--ledger", "runs", "--json"];
    let ranked = home.run(&ladder, b"").fine();
    assert_eq!(home.run(&ladder, b"").fine(), ranked);
    let calibrate = ["calibrate", "echoes", "--positions", "4", "--playouts", "20", "--continuations", "1"];
    let calibrate: Vec<&str> =
        calibrate.iter().copied().chain(["--bot", "greedy", "--ledger", "runs"]).collect();
    let found = home.run(&calibrate, b"").fine();
    assert_eq!(home.run(&calibrate, b"").fine(), found);

    let list = home.run(&["jobs", "--ledger", "runs"], b"").fine();
    for part in ["calibrate  echoes", "4 of 4", "40 of 40", "done", "bots random greedy", "seed 1"] {
        assert!(list.contains(part), "{part}\n{list}");
    }
    let document = home.run(&["jobs", "--ledger", "runs", "--json"], b"").fine();
    let document: Value = serde_json::from_str(&document).expect("a list");
    let id = document["jobs"][1]["id"].as_str().expect("an id").to_owned();
    assert_eq!((document["jobs"][1]["kind"].as_str(), id.len()), (Some("ladder"), 64));
    let shown = home.run(&["jobs", "show", &id[..6], "--ledger", "runs"], b"").fine();
    assert!(shown.contains(&id) && shown.contains("40 of 40 done") && shown.contains("rules"), "{shown}");
    let many = home.run(&["jobs", "drop", "", "--ledger", "runs"], b"").failed();
    assert!(many.contains("2 jobs begin with"), "{many}");
    let dropped = home.run(&["jobs", "drop", &id[..6], "--ledger", "runs"], b"").fine();
    assert!(dropped.contains("Dropped"), "{dropped}");
    let gone = home.run(&["jobs", "drop", &id[..6], "--ledger", "runs"], b"").failed();
    assert!(gone.contains("no job begins with"), "{gone}");
    assert!(!home.run(&["jobs", "--ledger", "runs"], b"").fine().contains("ladder"));
}

#[test]
fn files_are_the_same_after_a_kill_and_nothing_is_overwritten() {
    let home = Home::new();
    let batch = ["sim", "echoes", "--games", "60", "--bot", "search:20", "--json", "--out"];
    let to = |folder: &'static str| batch.iter().copied().chain([folder]).collect::<Vec<&str>>();
    let plain = home.run(&to("one"), b"").fine();
    let mut child = home.command(&to("two")).spawn().expect("the program starts");
    let begin = Instant::now();
    let chunks = || {
        let ledger = SqliteStore::open_beside(&home.path().join("two/unfinished")).ok()?;
        Some(ledger.jobs().ok()?.pop()?.chunks[1])
    };
    while child.try_wait().expect("the program is there").is_none() && chunks().is_none_or(|done| done == 0) {
        assert!(begin.elapsed() < Duration::from_secs(300), "nothing was written down");
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().expect("it can be killed");
    let killed = child.wait().expect("it ends").code().is_none();
    assert!(!killed || !home.path().join("two").join(&files()[0]).exists(), "no half files");
    if killed {
        assert_eq!(home.run(&to("two"), b"").fine(), plain);
    }
    for name in files() {
        let [one, two] = ["one", "two"].map(|folder| home.bytes(&format!("{folder}/{name}")));
        assert!(one == two, "{name}");
    }
    assert!(!home.path().join("two/unfinished").exists());
    let again = home.run(&to("two"), b"").failed();
    assert!(again.contains(&format!("{} is there already", files()[0])), "{again}");
    let many =
        home.run(&["sim", "echoes", "--games", "5", "--spread", "1,2", "--out", "three"], b"").failed();
    assert!(many.contains("one set-up at a time"), "{many}");
    let nowhere = home.run(&["sim", "echoes", "--games", "5", "--format", "csv"], b"").failed();
    assert!(nowhere.contains("--out <DIR>"), "{nowhere}");
    if cfg!(not(feature = "files")) {
        let parquet = ["sim", "echoes", "--games", "5", "--out", "three", "--format", "parquet"];
        let refused = home.run(&parquet, b"").failed();
        assert!(refused.contains("--features files"), "{refused}");
    }
}
