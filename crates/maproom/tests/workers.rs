//! Work through workers on NATS: real programs, a real server, and all of them killed in the middle.
#![cfg(all(feature = "shared", target_os = "linux"))]

mod program;

use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use kernel::{Dice as _, LabDice};
use program::{Home, saved};
use serde_json::json;
use store::{Ledger as _, SqliteStore};
use testkit::nats::Server;

const PATIENCE: Duration = Duration::from_secs(300);

/// How many are killed; of these suites the long one kills a thousand.
fn kills() -> usize {
    if std::env::var_os("MAPROOM_LONG").is_some() { 1_000 } else { 18 }
}

/// After so many kills a long run says how far it is.
const TOLD: usize = 50;

/// What the moments of the kills come from; `MAPROOM_SEED` names another.
fn seed() -> u64 {
    let given = std::env::var("MAPROOM_SEED").ok();
    given.map_or(18, |seed| seed.parse().expect("MAPROOM_SEED is a number"))
}

fn worker(home: &Home, server: &Server, more: &[&str]) -> Child {
    let address = server.address();
    let words = ["worker", "--nats", &address, "--threads", "1"];
    let words: Vec<&str> = words.iter().chain(more).copied().collect();
    // What it says has nobody to read it, and must not fill a pipe.
    let mut command = home.command(&words);
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("a worker starts")
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([name, &child.id().to_string()]).status().expect("kill runs");
    assert!(sent.success(), "{name}");
}

fn end(mut child: Child) {
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
}

/// The arguments with those that hand the work out.
fn handed_out<'a>(words: &[&'a str], address: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    words.iter().chain(&["--nats", address]).chain(more).copied().collect()
}

const SIM: [&str; 9] = ["sim", "echoes", "--games", "300", "--bot", "search:20", "--seed", "5", "--json"];
const LADDER: [&str; 9] =
    ["ladder", "blitz", "--bots", "random,greedy,search:5", "--games", "30", "--seed", "7", "--json"];
const CALIBRATE: [&str; 11] = [
    "calibrate",
    "dday",
    "--positions",
    "12",
    "--playouts",
    "20",
    "--continuations",
    "1",
    "--bot",
    "greedy",
    "--json",
];

#[test]
fn workers_come_to_the_same_as_one_process() {
    let Some(server) = Server::start() else { return };
    let home = Home::new();
    let address = server.address();
    let crew = [worker(&home, &server, &[]), worker(&home, &server, &["--class", "house"])];
    for words in [&SIM[..], &LADDER, &CALIBRATE] {
        let ended = home.run(&handed_out(words, &address, &[]), b"");
        assert!(ended.err.contains("Done by "), "{}", ended.err);
        assert_eq!(ended.fine(), home.run(words, b"").fine());
    }
    // Rows of games, a text of one's own in the specification, and a ledger that knows it afterwards.
    home.write("book.toml", include_str!("../../echoes/data/book.toml"));
    let files = ["sim", "echoes", "--games", "200", "--book", "book.toml", "--json"];
    let plain = home.run(&[&files[..], &["--out", "plain"]].concat(), b"").fine();
    let through = handed_out(&files, &address, &["--out", "through", "--ledger", "runs"]);
    assert_eq!(home.run(&through, b"").fine(), plain);
    for name in program::files() {
        let [plain, through] = ["plain", "through"].map(|folder| home.bytes(&format!("{folder}/{name}")));
        assert!(plain == through, "{name}");
    }
    // The same command finds all of it; only without files, which are never overwritten.
    let again = handed_out(&files, &address, &["--out", "again", "--ledger", "runs"]);
    let again = home.run(&again, b"");
    assert!(again.err.contains("200 were in the ledger"), "{}", again.err);
    assert_eq!(again.fine(), plain);
    let listed = home.run(&["jobs", "--ledger", "runs"], b"").fine();
    assert!(listed.contains("200 of 200") && listed.contains("done"), "{listed}");
    crew.into_iter().for_each(end);
}

#[test]
fn what_a_worker_had_that_is_told_to_end_is_done_by_another() {
    let Some(server) = Server::start() else { return };
    let home = Home::new();
    let address = server.address();
    let plain = home.run(&SIM, b"").fine();
    let mut first = worker(&home, &server, &[]);
    let desk = home.command(&handed_out(&SIM, &address, &["--ledger", "runs"])).spawn().expect("it starts");
    let begin = Instant::now();
    let done = || {
        let ledger = SqliteStore::open_beside(&home.path().join("runs")).ok()?;
        Some(ledger.jobs().ok()?.pop()?.chunks[1])
    };
    while done().is_none_or(|done| done == 0) {
        assert!(begin.elapsed() < PATIENCE, "nothing was done");
        thread::sleep(Duration::from_millis(5));
    }
    signal(&first, "-TERM");
    let code = first.wait().expect("it ends").code();
    assert_eq!(code, Some(0));
    let second = worker(&home, &server, &[]);
    let output = desk.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(String::from_utf8_lossy(&output.stdout), plain, "{said}");
    end(second);
}

#[test]
fn a_review_by_workers_is_that_of_one_process_whoever_is_killed() {
    let Some(server) = Server::start() else { return };
    let home = Home::new();
    let address = server.address();
    let new = json!({ "cmd": "new", "game": "echoes", "seed": 3 });
    let file = saved(&home, "war.match", &new, 500);
    let review = ["review", &file, "--quality", "quick", "--json"];
    let plain = home.run(&review, b"").fine();
    let done = || {
        let jobs = SqliteStore::open_beside(&home.path().join("runs")).ok()?.jobs().ok()?;
        Some(jobs.iter().map(|job| job.chunks[1]).sum::<u64>())
    };
    let begin = Instant::now();
    let wait_for_more = |than: u64| {
        while done().unwrap_or_default() <= than {
            assert!(begin.elapsed() < PATIENCE, "nothing was done");
            thread::sleep(Duration::from_millis(5));
        }
    };
    let through = handed_out(&review, &address, &["--ledger", "runs", "--lease", "3"]);
    let first = worker(&home, &server, &[]);
    let desk = home.command(&through).spawn().expect("it starts");
    wait_for_more(0);
    end(first);
    end(desk);
    let before = done().expect("a ledger");
    // Of a worker that is killed nothing is lost but what it was at; nor of a desk.
    let second = worker(&home, &server, &[]);
    let desk = home.command(&through).spawn().expect("it starts");
    wait_for_more(before);
    end(second);
    let third = worker(&home, &server, &["--class", "house"]);
    let output = desk.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("Done by ") && said.contains(" of its looks were in the ledger"), "{said}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), plain, "{said}");
    // As text, all of it found again; and a match that goes on, by a worker of the house.
    let text = ["review", &file, "--quality", "quick"];
    let found = home.run(&handed_out(&text, &address, &["--ledger", "runs"]), b"").fine();
    assert_eq!(found, home.run(&text, b"").fine());
    let running = saved(&home, "running.match", &new, 5);
    let running = ["review", &running, "--quality", "quick"];
    let by_house = home.run(&handed_out(&running, &address, &["--class", "house"]), b"").fine();
    assert_eq!(by_house, home.run(&running, b"").fine());
    end(third);
}

/// So many in one job, so that there are jobs of every kind.
const KILLS_IN_A_JOB: usize = 8;

/// Jobs for the campaign: each another one, of every kind.
fn job(at: usize) -> Vec<String> {
    let seed = (at + 1).to_string();
    let mut words: Vec<String> = match at % 3 {
        0 => SIM[..6].iter().map(ToString::to_string).collect(),
        1 => LADDER[..6].iter().map(ToString::to_string).collect(),
        _ => CALIBRATE[..10].iter().map(ToString::to_string).collect(),
    };
    words.extend(["--seed".to_owned(), seed, "--json".to_owned()]);
    words
}

#[test]
fn whatever_is_killed_the_reports_are_the_same() {
    let Some(mut server) = Server::start() else { return };
    let home = Home::new();
    let address = server.address();
    let seed = seed();
    let mut dice = LabDice::new(seed);
    let begin_all = Instant::now();
    let mut crew = [worker(&home, &server, &[]), worker(&home, &server, &[])];
    let (mut kills_left, mut at) = (kills(), 0);
    let mut killed = [0_usize; 5];
    while kills_left > 0 {
        let words = job(at);
        at += 1;
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let plain = home.run(&words, b"").fine();
        let through = handed_out(&words, &address, &["--ledger", "runs", "--lease", "3"]);
        let mut desk = home.command(&through).spawn().expect("it starts");
        let begin = Instant::now();
        let mut kills_here = kills_left.min(KILLS_IN_A_JOB);
        loop {
            assert!(
                begin.elapsed() < 2 * PATIENCE,
                "job {at} does not end; killed so far {killed:?}, seed {seed}"
            );
            // At any moment.
            let pause = dice.below(if kills_here > 0 { 400 } else { 20 });
            thread::sleep(Duration::from_millis(pause.into()));
            if desk.try_wait().expect("it is there").is_some() {
                let output = desk.wait_with_output().expect("it ends");
                let said = String::from_utf8_lossy(&output.stderr).into_owned();
                if said.contains("can't reach NATS") {
                    // It was started in the very moment in which there was none.
                    desk = home.command(&through).spawn().expect("it starts");
                    continue;
                }
                assert_eq!(output.status.code(), Some(0), "{said}");
                assert!(String::from_utf8_lossy(&output.stdout) == plain, "job {at} differs: {said}");
                break;
            }
            if kills_here == 0 {
                continue;
            }
            kills_here -= 1;
            kills_left -= 1;
            if kills_left % TOLD == 0 && kills() > TOLD {
                let seconds = begin_all.elapsed().as_secs();
                eprintln!("{} kills, {at} jobs, {seconds} s: {killed:?}", kills() - kills_left);
            }
            match kills_left % 10 {
                victim @ 0..=4 => {
                    let which = usize::from(victim > 2);
                    let gently = dice.below(3) == 0;
                    killed[usize::from(gently)] += 1;
                    signal(&crew[which], if gently { "-TERM" } else { "-KILL" });
                    crew[which].wait().expect("it ends");
                    crew[which] = worker(&home, &server, &[]);
                }
                5 | 6 => {
                    killed[2] += 1;
                    server.kill();
                    server.restart();
                }
                7 => {
                    killed[3] += 1;
                    server.kill();
                    server.forget();
                    server.restart();
                }
                _ => {
                    killed[4] += 1;
                    end(desk);
                    desk = home.command(&through).spawn().expect("it starts");
                }
            }
        }
    }
    let [workers, told, servers, streams, desks] = killed;
    println!(
        "seed {seed}: {at} jobs, each report that of one process; killed {workers} workers, ended {told}, killed NATS {servers} times, its stream lost {streams} times, \
         killed {desks} desks"
    );
    assert!(killed.iter().sum::<usize>() == kills(), "{killed:?}");
    crew.into_iter().for_each(end);
}
