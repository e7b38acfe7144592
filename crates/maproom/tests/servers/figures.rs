//! How many choices a second one and two servers acknowledge, on the same cores: not a test, so it runs only when it is asked for
//! (`cargo test -p maproom --features shared --test servers -- --ignored --nocapture`). Generator, database and servers share the machine.

use std::thread;
use std::time::{Duration, Instant};

use crate::client::{Http, NEW_MATCH_OF_SEED, Server};
use crate::house::{House, choose};

/// Matches that are played by turns, by each thread of the generator: a match takes 30 choices a second.
const MATCHES: usize = 24;
const THREADS: usize = 8;
const SPAN: Duration = Duration::from_secs(10);

/// Plays some matches by turns, and returns how long each acknowledged choice took.
fn play(port: u16, seed: u64) -> Vec<Duration> {
    let mut http = Http::connect(port).expect("the server listens");
    let open = |http: &mut Http, number: u64| {
        let path = http.new_match_of(&format!("{NEW_MATCH_OF_SEED}{number}")).expect("a match");
        let shown = http.debug(&path).expect("it opens");
        (path, shown)
    };
    let mut next = seed * 1_000_000;
    let mut games: Vec<_> = (0..MATCHES as u64).map(|number| open(&mut http, next + number)).collect();
    let (begun, mut took) = (Instant::now(), Vec::new());
    while begun.elapsed() < SPAN {
        for (path, shown) in &mut games {
            let Some(choice) = shown["choices"].as_array().and_then(|all| all.first()?.as_str()) else {
                next += 1_000;
                (*path, *shown) = open(&mut http, next);
                continue;
            };
            let revision = shown["revision"].as_u64().expect("a revision");
            let sent = Instant::now();
            let answer =
                choose(&mut http, path, revision, choice, &format!("r{revision}")).expect("an answer");
            if answer.status == 200 {
                took.push(sent.elapsed());
            }
            *shown = http.debug(path).expect("it is open");
        }
    }
    took
}

fn measure(name: &str, servers: &[Server]) -> f64 {
    let begun = Instant::now();
    let mut took: Vec<Duration> = thread::scope(|scope| {
        let tasks: Vec<_> = (0..THREADS)
            .map(|number| {
                let port = servers[number % servers.len()].port;
                scope.spawn(move || play(port, number as u64 + 1))
            })
            .collect();
        tasks.into_iter().flat_map(|task| task.join().expect("no panic")).collect()
    });
    took.sort_unstable();
    let rate = took.len() as f64 / begun.elapsed().as_secs_f64();
    let p99 = took.get(took.len() * 99 / 100).copied().unwrap_or_default();
    println!("{name}: {rate:.0} acknowledged choices/s, p99 {p99:?}");
    rate
}

#[test]
#[ignore = "it measures"]
fn one_server_and_two() {
    let Some(house) = House::new() else { return };
    let mut servers = vec![house.server()];
    let one = measure("one server", &servers);
    servers.push(house.server());
    let two = measure("two servers", &servers);
    println!("two against one on the same cores: {:.2}", two / one);
}
