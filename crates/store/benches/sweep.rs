//! How long it takes to find whose time has run out among 100,000 deadlines.
//!
//! `cargo bench -p store --bench sweep [-- FOLDER]`: the folder decides which disk is measured.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use rusqlite::{Connection, params};
use store::{SqliteStore, Store};

const DEADLINES: u64 = 100_000;
/// As many matches as a sweep looks at.
const AT_MOST: usize = 256;
const ROUNDS: usize = 200;
const BAR: Duration = Duration::from_millis(20);

fn main() {
    let given = std::env::args().skip(1).find(|arg| !arg.starts_with('-'));
    let folder = given.map_or_else(std::env::temp_dir, PathBuf::from);
    let folder = folder.join(format!("store-sweep-{}", std::process::id()));
    let store = SqliteStore::open(&folder).expect("a database");
    fill(store.path());
    println!("{DEADLINES} deadlines in {}", folder.display());
    for (what, until) in [
        ("none is due", 0),
        ("100 are due", 99),
        ("256 are due", 255),
        ("all are due, 256 are taken", u64::MAX),
    ] {
        report(what, || {
            let due = store.deadlines(until, AT_MOST).expect("an answer");
            assert_eq!(due.len() as u64, until.saturating_add(u64::from(until > 0)).min(AT_MOST as u64));
        });
    }
    report("the next one", || assert_eq!(store.deadlines(u64::MAX, 1).expect("an answer").len(), 1));
    drop(store);
    std::fs::remove_dir_all(&folder).expect("the folder removed");
}

/// Writes all of them at once: through the store each would be a transaction of its own.
fn fill(path: &std::path::Path) {
    let mut database = Connection::open(path).expect("the database");
    let all = database.transaction().expect("a transaction");
    for number in 0..DEADLINES {
        let id = format!("match-{number:06}");
        all.execute(
            "INSERT INTO matches (id, game, name, setup, viewer_token, created_at, options, header) \
             VALUES (?1, 'blitz', ?1, '', '', 1, '', '')",
            params![id],
        )
        .expect("a match");
        // Times that start at 1, so that "none" is none.
        let at = if number == 0 { 1 } else { number };
        all.execute("INSERT INTO deadlines VALUES (?1, 0, ?2, 1)", params![id, at as i64])
            .expect("a deadline");
    }
    all.commit().expect("all of them");
}

fn report(what: &str, mut work: impl FnMut()) {
    let mut times: Vec<Duration> = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    let at = |part: usize| times[(times.len() - 1) * part / 100];
    println!(
        "{what:32} median {:7.3} ms   99% {:7.3} ms; the bar of {} ms is {}",
        at(50).as_secs_f64() * 1e3,
        at(99).as_secs_f64() * 1e3,
        BAR.as_millis(),
        if at(99) <= BAR { "kept" } else { "missed" }
    );
}
