//! How many choices a second can be acknowledged, against what the disk needs for one sync.
//!
//! `cargo bench -p store --bench append [-- FOLDER]`: the folder decides which disk is measured.

use std::fs::File;
use std::io::{Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use store::conformance::{sample, steps_append};
use store::{AppendOutcome, MemoryStore, SqliteStore, Store, Writer};

const THREADS: usize = 64;
const TIME: Duration = Duration::from_secs(5);
/// About what the steps of one choice take.
const TEXT: &str = "move 3rd corps from D4 to E5\nroll 2d6 -> 4 3\nattack E5 odds 3:1\nretreat enemy to F5\n";

fn main() {
    let given = std::env::args().skip(1).find(|arg| !arg.starts_with('-'));
    let folder = given.map_or_else(std::env::temp_dir, PathBuf::from);
    let folder = folder.join(format!("store-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the measurement");
    println!("in {}", folder.display());

    report("write of 4 KiB and sync", &mut syncs(&folder.join("sync")), None);
    let sqlite: Arc<dyn Store> = Arc::new(SqliteStore::open(&folder).expect("a database"));
    report("SQLite, one after another, no writer", &mut alone(&*sqlite), None);
    group("SQLite", 1, &sqlite);
    group("SQLite", 8, &sqlite);
    group("SQLite", THREADS, &sqlite);
    reads(&*sqlite);
    group("memory", THREADS, &(Arc::new(MemoryStore::new()) as Arc<dyn Store>));
    drop(sqlite);
    std::fs::remove_dir_all(&folder).expect("the folder removed");
}

fn syncs(path: &Path) -> Vec<Duration> {
    let mut file = File::create(path).expect("a file");
    let mut times = Vec::new();
    for _ in 0..300 {
        let start = Instant::now();
        file.rewind()
            .and_then(|()| file.write_all(&[7; 4096]))
            .and_then(|()| file.sync_data())
            .expect("a sync");
        times.push(start.elapsed());
    }
    times
}

fn alone(store: &dyn Store) -> Vec<Duration> {
    store.create(&sample("alone"), &[]).expect("a match");
    let mut times = Vec::new();
    for seq in 1..=300 {
        let start = Instant::now();
        store.append(&[steps_append("alone", seq, TEXT)]).expect("an append");
        times.push(start.elapsed());
    }
    times
}

/// Each thread plays a match of its own and waits for every choice, as players do.
fn group(name: &str, threads: usize, store: &Arc<dyn Store>) {
    let ids: Vec<_> = (0..threads).map(|thread| format!("{threads}-{thread}")).collect();
    for id in &ids {
        store.create(&sample(id), &[]).expect("a match");
    }
    let writer = Writer::start(Arc::clone(store));
    let written = AtomicUsize::new(0);
    let start = Instant::now();
    let mut times: Vec<Duration> = thread::scope(|scope| {
        let play = |id: &str| {
            let mut times = Vec::new();
            for seq in 1.. {
                let (tell, told) = mpsc::channel();
                let before = Instant::now();
                let done = Box::new(move |outcome| {
                    let _ = tell.send(outcome);
                });
                writer.append(steps_append(id, seq, TEXT), done);
                assert_eq!(told.recv().expect("an answer"), Ok(AppendOutcome::Written));
                times.push(before.elapsed());
                written.fetch_add(1, Ordering::Relaxed);
                if start.elapsed() > TIME {
                    break;
                }
            }
            times
        };
        let threads: Vec<_> = ids.iter().map(|id| scope.spawn(move || play(id))).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("a thread")).collect()
    });
    let rate = written.load(Ordering::Relaxed) as f64 / start.elapsed().as_secs_f64();
    report(&format!("{name}, {threads} threads through the writer"), &mut times, Some(rate));
}

fn reads(store: &dyn Store) {
    let mut times = Vec::new();
    for _ in 0..50 {
        let start = Instant::now();
        assert!(!store.list(false).expect("a list").is_empty());
        times.push(start.elapsed());
    }
    report(
        &format!("SQLite, list of {} matches", store.list(false).map_or(0, |l| l.len())),
        &mut times,
        None,
    );
}

fn report(what: &str, times: &mut [Duration], rate: Option<f64>) {
    times.sort_unstable();
    let at = |part: usize| times[(times.len() - 1) * part / 100].as_secs_f64() * 1000.0;
    let rate = rate.unwrap_or_else(|| times.len() as f64 / times.iter().sum::<Duration>().as_secs_f64());
    println!("{what:42} {rate:8.0}/s   median {:7.3} ms   99% {:7.3} ms", at(50), at(99));
}
