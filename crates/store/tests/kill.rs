//! The process is killed while it writes: whatever it had acknowledged is there afterwards.
//!
//! This shows that no acknowledged entry lives in the process only, and that the log is played back.
//! What a power cut would do can't be shown this way; there the answer is `synchronous=FULL`, checked
//! in a test of its own.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::Duration;

use store::conformance::{sample, steps_append};
use store::{AppendOutcome, EntryKind, SqliteStore, Store, Writer};

const CHILD: &str = "MAPROOM_TEST_KILL";
const KILLS: usize = 20;
const MATCHES: usize = 4;

fn id(of: usize) -> String {
    format!("match-{of}")
}

fn text(id: &str, seq: u32) -> String {
    // Of all sizes, so that transactions end anywhere in a page of the log.
    format!("{id} {seq} {}", "x".repeat((seq as usize * 37) % 5000))
}

/// Nothing by itself: the part of [`acknowledged_entries_survive`] that runs in the child.
#[test]
fn child_that_writes_until_it_is_killed() {
    if let Some(folder) = std::env::var_os(CHILD) {
        write_for_ever(&PathBuf::from(folder));
    }
}

fn write_for_ever(folder: &Path) {
    let store: Arc<dyn Store> = Arc::new(SqliteStore::open(folder).unwrap());
    let writer = Writer::start(Arc::clone(&store));
    let out = Arc::new(Mutex::new(std::io::stdout()));
    thread::scope(|scope| {
        for of in 0..MATCHES {
            let (id, store, writer, out) = (id(of), &store, &writer, &out);
            scope.spawn(move || {
                let next = store.find(&id).unwrap().unwrap().revision + 1;
                for seq in next.. {
                    let (out, line) = (Arc::clone(out), format!("ack {id} {seq}\n"));
                    // Not waited for: several entries of one match share a group.
                    while writer.waiting() > 50 {
                        thread::yield_now();
                    }
                    let done = Box::new(move |outcome| {
                        assert_eq!(outcome, Ok(AppendOutcome::Written));
                        let mut out = out.lock().unwrap();
                        out.write_all(line.as_bytes()).and_then(|()| out.flush()).unwrap();
                    });
                    writer.append(steps_append(&id, seq, &text(&id, seq)), done);
                }
            });
        }
    });
}

#[test]
fn acknowledged_entries_survive() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(folder.path()).unwrap();
    for of in 0..MATCHES {
        store.create(&sample(&id(of)), &[]).unwrap();
    }
    drop(store);
    let mut before = 0;
    for kill in 0..KILLS {
        let acknowledged = run_and_kill(folder.path(), Duration::from_millis(5 + 17 * kill as u64 % 90));
        let store = SqliteStore::open(folder.path()).unwrap();
        store.check().unwrap();
        let mut total = 0;
        for of in 0..MATCHES {
            let id = id(of);
            let record = store.find(&id).unwrap().unwrap();
            let journal = store.journal(&id).unwrap();
            let acknowledged = acknowledged.get(&id).copied().unwrap_or(0);
            assert!(
                record.revision >= acknowledged,
                "{id}: {acknowledged} acknowledged, {} there",
                record.revision
            );
            assert_eq!(journal.len(), record.revision as usize);
            for (entry, seq) in journal.iter().zip(1..) {
                assert_eq!(entry.seq, seq);
                assert_eq!(entry.kind, EntryKind::Steps(text(&id, seq)));
            }
            total += record.revision;
        }
        assert!(total > before, "nothing was written before the kill");
        before = total;
    }
}

/// The last acknowledged entry of each match. The child is killed `after` its first acknowledgement.
fn run_and_kill(folder: &Path, after: Duration) -> HashMap<String, u32> {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["child_that_writes_until_it_is_killed", "--exact", "--nocapture"])
        .env(CHILD, folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap());
    let (first, started) = mpsc::channel();
    let reader = thread::spawn(move || acknowledgements(lines, &first));
    started.recv_timeout(Duration::from_secs(120)).expect("a first acknowledgement");
    thread::sleep(after);
    child.kill().unwrap();
    let status = child.wait().unwrap();
    assert!(status.code().is_none(), "it ended by itself: {status}");
    reader.join().unwrap()
}

fn acknowledgements(mut lines: impl BufRead, first: &mpsc::Sender<()>) -> HashMap<String, u32> {
    let mut last = HashMap::new();
    let mut line = String::new();
    // A line that was cut off by the kill has no end, and doesn't count.
    while lines.read_line(&mut line).is_ok_and(|read| read > 0) && line.ends_with('\n') {
        // The harness writes "test child ... " before the first one, on the same line.
        if let Some((id, seq)) = line.trim_end().split_once("ack ").and_then(|(_, ack)| ack.split_once(' ')) {
            last.insert(id.to_string(), seq.parse().unwrap());
            let _ = first.send(());
        }
        line.clear();
    }
    last
}
