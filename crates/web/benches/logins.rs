//! Whether a crowd at the door slows down those who play: choices alone, then beside a hundred log-ins a second.
//!
//! `cargo bench -p web --bench logins [-- SECONDS]`. Server and visitors share the machine, so every figure is on the careful
//! side. A choice counts from the moment at which it should have been made.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use people::{Entry, Joining, NoMail, Visit};
use store::{People, SqliteStore, Store};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use web::{Accounts, ConnectionLimits, Lobby, Of, PlainBoard, Serving, Title};

/// How many matches are played.
const PLAYERS: u64 = 50;
/// How many choices a second in all.
const CHOICES: u64 = 100;
/// How many log-ins a second.
const LOGINS: u64 = 100;
/// Which part of them has the right password.
const RIGHT: u64 = 4;
const PASSWORD: &str = "correct horse battery";
const BAR: Duration = Duration::from_millis(100);

fn main() {
    let given = std::env::args().skip(1).find_map(|word| word.parse().ok());
    let time = Duration::from_secs(given.unwrap_or(20));
    let folder = tempfile::tempdir().expect("a folder");
    let address = start(folder.path());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        println!("{CHOICES} choices a second in {PLAYERS} matches, {} cores", cores());
        let mut tables = Vec::new();
        for _ in 0..PLAYERS {
            tables.push(new_match(address).await);
        }
        report("choices alone", play(address, &tables, time).await);
        let counts = Arc::<[AtomicUsize; 3]>::default();
        let crowd = tokio::spawn(crowd(address, time, Arc::clone(&counts)));
        let p99 = report("beside 100 log-ins a second", play(address, &tables, time).await);
        crowd.await.expect("the crowd");
        let count = |at: usize| counts[at].load(Ordering::Relaxed);
        println!("log-ins: {} let in, {} wrong, {} asked to wait", count(0), count(1), count(2));
        println!(
            "the bar for the 99th percentile is {} ms: {}",
            BAR.as_millis(),
            if p99 <= BAR { "kept" } else { "missed" }
        );
    });
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The server on threads of its own, with accounts to log in to.
fn start(folder: &std::path::Path) -> SocketAddr {
    let store = Arc::new(SqliteStore::open(folder).expect("a database"));
    let people: Arc<dyn People> = Arc::<SqliteStore>::clone(&store);
    let accounts = Accounts::open(Arc::clone(&people), Arc::new(NoMail), Entry::Open, "http://127.0.0.1")
        .expect("accounts");
    for number in 0..RIGHT {
        let name = format!("member{number}");
        let joining = Joining { name: &name, password: PASSWORD, zone: "", mail: "", invitation: None };
        let from = std::net::IpAddr::from([203, 0, number as u8, 1]);
        accounts.house().join(&joining, Visit { from, browser: "", now: 1 }).expect("joined");
    }
    let titles: Vec<Arc<dyn Title>> = vec![Arc::new(Of::<PlainBoard<echoes::Echoes>>::new())];
    let shared: Arc<dyn Store> = store;
    let lobby = Arc::new(Lobby::open(shared, titles).expect("a lobby").with_people(people));
    let (told, address) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        runtime.block_on(async {
            let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
            told.send(listener.local_addr().expect("an address")).expect("somebody waits");
            let serving = Serving {
                listener,
                local_only: true,
                address: None,
                proxies: vec![std::net::IpAddr::from([127, 0, 0, 1])],
                limits: ConnectionLimits::of_this_machine(),
                accounts: Some(Arc::new(accounts)),
            };
            drop(web::serve(lobby, serving, std::future::pending()).await);
        });
    });
    address.recv().expect("the server listens")
}

/// One request over a connection of its own, from an address that a proxy names.
async fn ask(address: SocketAddr, from: &str, head: &str, body: &str) -> std::io::Result<String> {
    let mut stream = TcpStream::connect(address).await?;
    let forwarded = if from.is_empty() { String::new() } else { format!("X-Forwarded-For: {from}\r\n") };
    let request = format!(
        "{head} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n{forwarded}Content-Length: {}\r\n\
         Content-Type: {}\r\n\r\n{body}",
        body.len(),
        if body.starts_with('{') { "application/json" } else { "application/x-www-form-urlencoded" }
    );
    stream.write_all(request.as_bytes()).await?;
    let mut said = Vec::new();
    stream.read_to_end(&mut said).await?;
    Ok(String::from_utf8_lossy(&said).into_owned())
}

fn status(answer: &str) -> u16 {
    answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0)
}

/// Starts a match and returns the path of its table.
async fn new_match(address: SocketAddr) -> String {
    let answer = ask(address, "", "POST /matches", "game=echoes").await.expect("an answer");
    let location = answer.lines().find_map(|line| line.strip_prefix("location: ")).expect("a table");
    location.to_owned()
}

/// The revision and the open choices of a match.
async fn look(address: SocketAddr, from: &str, table: &str) -> Option<(u64, String)> {
    let answer = ask(address, from, &format!("GET {table}/debug"), "").await.ok()?;
    let json: serde_json::Value = serde_json::from_str(answer.split_once("\r\n\r\n")?.1).ok()?;
    Some((json["revision"].as_u64()?, json["choices"][0].as_str()?.to_owned()))
}

/// Plays all matches by a timetable and returns how long choices took, with how many failed.
async fn play(address: SocketAddr, tables: &[String], time: Duration) -> (Vec<Duration>, usize) {
    let begun = Instant::now();
    let mut players = JoinSet::new();
    for (number, table) in tables.iter().enumerate() {
        let (mut table, step) = (table.clone(), Duration::from_secs_f64(PLAYERS as f64 / CHOICES as f64));
        players.spawn(async move {
            let (mut times, mut failed) = (Vec::new(), 0);
            let from = format!("192.0.{number}.1");
            let mut due = begun + step.mul_f64(number as f64 / PLAYERS as f64);
            while due < begun + time {
                let Some((revision, choice)) = look(address, &from, &table).await else {
                    // The match is over.
                    table = new_match(address).await;
                    continue;
                };
                tokio::time::sleep_until(due.into()).await;
                let body = serde_json::json!({ "revision": revision, "choice": choice }).to_string();
                let answer = ask(address, &from, &format!("POST {table}/choose"), &body).await;
                match answer {
                    Ok(answer) if status(&answer) == 200 => times.push(due.elapsed()),
                    _ => failed += 1,
                }
                due += step;
            }
            (times, failed)
        });
    }
    let all = players.join_all().await;
    let failed = all.iter().map(|(_, failed)| failed).sum();
    (all.into_iter().flat_map(|(times, _)| times).collect(), failed)
}

/// People who log in, each from a place of their own; most of them mistype.
async fn crowd(address: SocketAddr, time: Duration, counts: Arc<[AtomicUsize; 3]>) {
    let begun = Instant::now();
    let mut visitors = JoinSet::new();
    for number in 0..LOGINS * time.as_secs() {
        let due = begun + Duration::from_secs_f64(number as f64 / LOGINS as f64);
        let counts = Arc::clone(&counts);
        visitors.spawn(async move {
            tokio::time::sleep_until(due.into()).await;
            let from = format!("10.{}.{}.1", number / 250 % 250, number % 250);
            let body = match number % 4 {
                0 => format!("name=member{}&password={}", number / 4 % RIGHT, PASSWORD.replace(' ', "+")),
                _ => format!("name=visitor{number}&password=something+else"),
            };
            let answer = ask(address, &from, "POST /login", &body).await.unwrap_or_default();
            let at = match status(&answer) {
                303 => 0,
                401 => 1,
                _ => 2,
            };
            counts[at].fetch_add(1, Ordering::Relaxed);
        });
    }
    visitors.join_all().await;
}

fn report(what: &str, (mut times, failed): (Vec<Duration>, usize)) -> Duration {
    times.sort_unstable();
    let at = |part: usize| times[(times.len() - 1) * part / 100];
    let millis = |time: Duration| time.as_secs_f64() * 1e3;
    println!(
        "{what:28} {:5} choices, {failed} failed   median {:6.1} ms   90% {:6.1} ms   99% {:6.1} ms   worst {:6.1} ms",
        times.len(),
        millis(at(50)),
        millis(at(90)),
        millis(at(99)),
        millis(at(100))
    );
    at(99)
}
