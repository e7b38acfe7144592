//! How many choices a second are acknowledged with a thousand matches under way, in PostgreSQL against SQLite on the same machine.
//!
//! `cargo bench -p store-postgres [-- ADDRESS]`: the address of an empty database. Without one a server of the bench's own is
//! started, which waits for no disk: then compare only the work, not the disk.

use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use store::conformance::{sample, steps_append};
use store::{AppendOutcome, SqliteStore, Store, Writer};
use store_postgres::PostgresStore;

const TIME: Duration = Duration::from_secs(5);
/// About what the steps of one choice take.
const TEXT: &str = "move 3rd corps from D4 to E5\nroll 2d6 -> 4 3\nattack E5 odds 3:1\nretreat enemy to F5\n";

fn main() {
    let given = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let address = given.unwrap_or_else(|| {
        let server = testkit::postgres::shared().expect("a server");
        server.address(&server.empty())
    });
    let postgres: Arc<dyn Store> = Arc::new(PostgresStore::open(&address).expect("an empty database"));
    let second: Arc<dyn Store> = Arc::new(PostgresStore::open(&address).expect("the same database"));
    let folder = tempfile::tempdir().expect("a folder");
    let sqlite: Arc<dyn Store> = Arc::new(SqliteStore::open(folder.path()).expect("a database"));
    for matches in [1, 64, 1_000] {
        report(&format!("SQLite, {matches} matches"), &[play(&sqlite, "s", matches)]);
        report(&format!("PostgreSQL, {matches} matches"), &[play(&postgres, "p", matches)]);
    }
    let both = std::thread::scope(|scope| {
        let threads = [(&postgres, "a"), (&second, "b")]
            .map(|(store, name)| scope.spawn(move || play(store, name, 500)));
        threads.map(|thread| thread.join().expect("a writer"))
    });
    report("PostgreSQL, 500 matches each on two stores", &both);
}

/// Every match has one choice under way all the time. How long each took, and the whole.
fn play(store: &Arc<dyn Store>, name: &str, matches: usize) -> (Vec<Duration>, Duration) {
    let ids: Vec<String> = (0..matches).map(|number| format!("{name}{matches}-{number}")).collect();
    for id in &ids {
        store.create(&sample(id), &[]).expect("a match");
    }
    let writer = Writer::start(Arc::clone(store));
    let (tell, told) = mpsc::channel();
    let choose = |number: usize, seq: u32| {
        let (tell, begun) = (tell.clone(), Instant::now());
        let done = Box::new(move |outcome| {
            let _ = tell.send((number, seq, begun.elapsed(), outcome));
        });
        writer.append(steps_append(&ids[number], seq, TEXT), done);
    };
    let begun = Instant::now();
    (0..matches).for_each(|number| choose(number, 1));
    let mut times = Vec::new();
    let mut under_way = matches;
    while under_way > 0 {
        let (number, seq, took, outcome) = told.recv().expect("an answer");
        assert_eq!(outcome, Ok(AppendOutcome::Written));
        times.push(took);
        match begun.elapsed() < TIME {
            true => choose(number, seq + 1),
            false => under_way -= 1,
        }
    }
    (times, begun.elapsed())
}

fn report(what: &str, runs: &[(Vec<Duration>, Duration)]) {
    let mut times: Vec<Duration> = runs.iter().flat_map(|(times, _)| times.clone()).collect();
    times.sort_unstable();
    let rate: f64 = runs.iter().map(|(times, whole)| times.len() as f64 / whole.as_secs_f64()).sum();
    let at = |part: usize| times[(times.len() - 1) * part / 100].as_secs_f64() * 1000.0;
    println!("{what:44} {rate:8.0}/s   median {:7.2} ms   99% {:7.2} ms", at(50), at(99));
}
