//! Work: kept as made, taken by one at a time, brought back once, and stopped where results differ.

#![allow(
    clippy::single_range_in_vec_init,
    reason = "a job may have one chunk, and its range is no list of numbers"
)]

use std::sync::Barrier;
use std::thread;

use crate::{
    Brought, Chunk, ChunkState, Finished, Job, JobState, Kept, Ledger, MOST_TRIES, NewJob, Part, StoreError,
};

/// Puts a ledger through all checks. `make` runs a check on an empty store.
pub fn ledger_conformance(make: impl Fn(&dyn Fn(&dyn Ledger))) {
    let checks: &[fn(&dyn Ledger)] = &[
        empty,
        made_once,
        taken_in_order,
        overdue,
        given_back,
        brought_back_once,
        disputed,
        stuck_and_resumed,
        dropped,
        taken_by_one_of_many,
    ];
    for check in checks {
        make(check);
    }
}

fn new(id: &str, made_at: u64) -> NewJob {
    NewJob {
        id: id.into(),
        kind: "sim".into(),
        spec: "{\"name\":\"Größe 🎲\"}\nline".into(),
        rules: "2".into(),
        build: "0.1 abc".into(),
        made_at,
    }
}

/// A job of four chunks with 3, 3, 3 and 1 numbers.
fn open(ledger: &dyn Ledger, id: &str) {
    assert_eq!(ledger.open_job(&new(id, 7), &[0..3, 3..6, 6..9, 9..10]), Ok(true));
}

fn finished(n: u64, bytes: &[u8]) -> Finished {
    // Any function of the bytes will do here: the ledger compares sums, it makes none.
    let mut sha256 = [bytes.len() as u8; 32];
    bytes.iter().zip(&mut sha256).for_each(|(byte, sum)| *sum = *byte);
    Finished { n, parts: vec![Part { sha256, bytes: bytes.to_vec() }] }
}

fn claimed(ledger: &dyn Ledger, holder: &str, now: u64, most: usize) -> Vec<u64> {
    let taken = ledger.claim("j", holder, now, now + 10, most).unwrap();
    for chunk in &taken {
        assert_eq!(chunk.state, ChunkState::Held { holder: holder.into(), until: now + 10 });
    }
    taken.iter().map(|chunk| chunk.n).collect()
}

fn look(ledger: &dyn Ledger) -> Job {
    ledger.job("j").unwrap().unwrap()
}

fn empty(ledger: &dyn Ledger) {
    assert_eq!((ledger.job("j"), ledger.jobs()), (Ok(None), Ok(Vec::new())));
    assert_eq!((ledger.chunks("j"), ledger.claim("j", "a", 0, 1, 5)), (Ok(Vec::new()), Ok(Vec::new())));
    assert_eq!(ledger.keep("j", "a", &[finished(0, b"x")]), Ok(Kept::Missing));
    assert_eq!((ledger.part("j", 0, 0), ledger.drop_job("j")), (Ok(None), Ok(false)));
    ledger.beat("a", 5).unwrap();
    ledger.give_back("j", "a").unwrap();
    ledger.fail("j", "why").unwrap();
    ledger.resume("j", true).unwrap();
    assert_eq!(ledger.jobs(), Ok(Vec::new()));
}

fn made_once(ledger: &dyn Ledger) {
    open(ledger, "j");
    let whole =
        Job { job: new("j", 7), state: JobState::Open, why: String::new(), chunks: [4, 0], numbers: [10, 0] };
    assert_eq!(look(ledger), whole);
    // Who asks for the same gets what is there, with its ranges.
    assert_eq!(ledger.open_job(&NewJob { build: "other".into(), ..new("j", 9) }, &[0..10]), Ok(false));
    assert_eq!(look(ledger), whole);
    let chunk = |n, numbers| Chunk { n, numbers, tries: 0, state: ChunkState::Waiting };
    let chunks = vec![chunk(0, 0..3), chunk(1, 3..6), chunk(2, 6..9), chunk(3, 9..10)];
    assert_eq!(ledger.chunks("j"), Ok(chunks));
    for ranges in [vec![1..3], vec![0..3, 4..5], vec![0..0], vec![0..u64::MAX]] {
        assert!(matches!(ledger.open_job(&new("k", 8), &ranges), Err(StoreError::Invalid(_))));
    }
    assert_eq!(ledger.open_job(&new("nothing", 8), &[]), Ok(true));
    assert_eq!(ledger.open_job(&new("same time", 8), &[0..1]), Ok(true));
    let jobs: Vec<(String, JobState)> =
        ledger.jobs().unwrap().into_iter().map(|job| (job.job.id, job.state)).collect();
    let expected = [("same time", JobState::Open), ("nothing", JobState::Done), ("j", JobState::Open)];
    assert_eq!(jobs, expected.map(|(id, state)| (id.to_owned(), state)));
}

fn taken_in_order(ledger: &dyn Ledger) {
    open(ledger, "j");
    assert_eq!(claimed(ledger, "a", 0, 0), [] as [u64; 0]);
    assert_eq!(claimed(ledger, "a", 0, 1), [0]);
    assert_eq!(claimed(ledger, "b", 0, 2), [1, 2]);
    assert_eq!(claimed(ledger, "a", 0, 9), [3]);
    assert_eq!(claimed(ledger, "b", 0, 9), [] as [u64; 0]);
    let chunks = ledger.chunks("j").unwrap();
    assert_eq!(chunks[3].numbers, 9..10);
    assert!(chunks.iter().all(|chunk| chunk.tries == 1));
}

fn overdue(ledger: &dyn Ledger) {
    open(ledger, "j");
    assert_eq!(claimed(ledger, "a", 0, 2), [0, 1]);
    assert_eq!(claimed(ledger, "b", 5, 1), [2]);
    // Up to the very moment it is still its own.
    assert_eq!(claimed(ledger, "c", 10, 9), [3]);
    // `b` is still at work, `a` is silent.
    ledger.beat("b", 99).unwrap();
    ledger.beat("c", 99).unwrap();
    assert_eq!(claimed(ledger, "d", 30, 9), [0, 1]);
    let tries: Vec<u32> = ledger.chunks("j").unwrap().iter().map(|chunk| chunk.tries).collect();
    assert_eq!(tries, [2, 2, 1, 1]);
    // What comes late counts all the same, and the chunk is nobody's any more.
    assert_eq!(ledger.keep("j", "a", &[finished(0, b"x")]), Ok(Kept::All));
    assert_eq!(ledger.chunks("j").unwrap()[0].state, ChunkState::Done);
    assert_eq!(ledger.keep("j", "d", &[finished(0, b"x")]), Ok(Kept::All));
}

fn given_back(ledger: &dyn Ledger) {
    open(ledger, "j");
    assert_eq!(claimed(ledger, "a", 0, 2), [0, 1]);
    assert_eq!(claimed(ledger, "b", 0, 1), [2]);
    ledger.keep("j", "a", &[finished(0, b"x")]).unwrap();
    ledger.give_back("j", "a").unwrap();
    ledger.give_back("other", "b").unwrap();
    let chunks = ledger.chunks("j").unwrap();
    assert_eq!((&chunks[0].state, &chunks[1].state), (&ChunkState::Done, &ChunkState::Waiting));
    assert_eq!(chunks[1].tries, 0, "no try");
    assert_eq!(claimed(ledger, "b", 1, 9), [1, 3]);
}

fn brought_back_once(ledger: &dyn Ledger) {
    open(ledger, "j");
    assert_eq!(claimed(ledger, "a", 0, 9), [0, 1, 2, 3]);
    let two = Finished {
        n: 1,
        parts: vec![
            Part { sha256: [1; 32], bytes: Vec::new() },
            Part { sha256: [2; 32], bytes: vec![0, 255, 7] },
        ],
    };
    assert_eq!(ledger.keep("j", "a", &[finished(2, b"c"), two.clone()]), Ok(Kept::All));
    assert_eq!((look(ledger).chunks, look(ledger).numbers), ([4, 2], [10, 6]));
    // Again, by somebody else, along with something new.
    assert_eq!(ledger.keep("j", "b", &[two.clone(), finished(0, b"a")]), Ok(Kept::All));
    let part = |n, part| ledger.part("j", n, part).unwrap().map(|kept| (kept.part.bytes, kept.by));
    assert_eq!(part(1, 0), Some((Vec::new(), "a".into())));
    assert_eq!(part(1, 1), Some((vec![0, 255, 7], "a".into())));
    assert_eq!(part(0, 0), Some((b"a".to_vec(), "b".into())));
    assert_eq!((part(1, 2), part(3, 0)), (None, None));
    // One that is not there keeps the others from being written.
    assert_eq!(ledger.keep("j", "a", &[finished(3, b"d"), finished(4, b"e")]), Ok(Kept::Missing));
    assert_eq!((part(3, 0), look(ledger).state), (None, JobState::Open));
    assert_eq!(ledger.keep("j", "a", &[finished(3, b"d")]), Ok(Kept::All));
    assert_eq!((look(ledger).state, look(ledger).chunks), (JobState::Done, [4, 4]));
    let brought = |by: &str, chunks, numbers| Brought { by: by.into(), chunks, numbers };
    assert_eq!(ledger.brought("j"), Ok(vec![brought("a", 3, 7), brought("b", 1, 3)]));
    assert_eq!(ledger.brought("other"), Ok(Vec::new()));
    assert_eq!(claimed(ledger, "b", 1_000, 9), [] as [u64; 0]);
    ledger.fail("j", "too late").unwrap();
    ledger.resume("j", true).unwrap();
    assert_eq!((look(ledger).state, look(ledger).why), (JobState::Done, String::new()));
}

fn disputed(ledger: &dyn Ledger) {
    for (again, whole) in [(finished(1, b"y"), false), (Finished { n: 1, parts: Vec::new() }, true)] {
        ledger.drop_job("j").unwrap();
        open(ledger, "j");
        claimed(ledger, "a", 0, 9);
        let all: Vec<Finished> = (0..if whole { 4 } else { 2 }).map(|n| finished(n, b"x")).collect();
        ledger.keep("j", "0.1 abc by a", &all).unwrap();
        let Ok(Kept::Disputed(why)) = ledger.keep("j", "0.2 def by b", &[finished(3, b"x"), again]) else {
            panic!("a difference is noticed");
        };
        let told =
            "chunk 1 (numbers 3 to 5), part 0: 0.1 abc by a and 0.2 def by b came to different results";
        assert_eq!(why, told);
        assert_eq!((look(ledger).state, look(ledger).why), (JobState::Disputed, why));
        assert_eq!(ledger.part("j", 1, 0).unwrap().unwrap().part.bytes, b"x", "what came first stays");
        assert_eq!(claimed(ledger, "c", 1_000, 9), [] as [u64; 0]);
        // It can't be talked out of that.
        ledger.resume("j", true).unwrap();
        ledger.fail("j", "other").unwrap();
        let rest: Vec<Finished> = (2..4).map(|n| finished(n, b"x")).collect();
        ledger.keep("j", "a", &rest).unwrap();
        assert_eq!(look(ledger).state, JobState::Disputed);
    }
}

fn stuck_and_resumed(ledger: &dyn Ledger) {
    open(ledger, "j");
    for at in 0..u64::from(MOST_TRIES) {
        assert_eq!(claimed(ledger, "a", 100 * at, 1), [0]);
    }
    assert_eq!(claimed(ledger, "b", 1_000, 9), [] as [u64; 0]);
    let why = "chunk 0 (numbers 0 to 2) was begun 4 times and never brought back";
    assert_eq!((look(ledger).state, look(ledger).why.as_str()), (JobState::Stuck, why));
    ledger.fail("j", "other").unwrap();
    assert_eq!(look(ledger).why, why, "the first reason stays");
    ledger.resume("j", false).unwrap();
    assert_eq!((look(ledger).state, look(ledger).why.as_str()), (JobState::Open, ""));
    assert_eq!(claimed(ledger, "b", 1_001, 2), [0, 1]);
    // Nobody else is at work, says whoever goes on: nothing is waited for.
    ledger.resume("j", true).unwrap();
    assert_eq!(claimed(ledger, "c", 1_001, 9), [0, 1, 2, 3]);
    assert_eq!(ledger.chunks("j").unwrap()[0].tries, 1);
    ledger.fail("j", "a game failed").unwrap();
    assert_eq!((look(ledger).state, look(ledger).why.as_str()), (JobState::Stuck, "a game failed"));
    // What others finish meanwhile is kept, and it may be all that was missing.
    let all: Vec<Finished> = (0..4).map(|n| finished(n, b"x")).collect();
    assert_eq!(ledger.keep("j", "c", &all), Ok(Kept::All));
    assert_eq!((look(ledger).state, look(ledger).why.as_str()), (JobState::Done, ""));
}

fn dropped(ledger: &dyn Ledger) {
    open(ledger, "j");
    open(ledger, "k");
    claimed(ledger, "a", 0, 9);
    ledger.keep("j", "a", &[finished(0, b"x")]).unwrap();
    assert_eq!(ledger.drop_job("j"), Ok(true));
    assert_eq!((ledger.job("j"), ledger.part("j", 0, 0)), (Ok(None), Ok(None)));
    assert_eq!(ledger.keep("j", "a", &[finished(1, b"x")]), Ok(Kept::Missing));
    assert_eq!(ledger.jobs().unwrap().len(), 1);
    open(ledger, "j");
    assert_eq!(look(ledger).numbers, [10, 0]);
}

fn taken_by_one_of_many(ledger: &dyn Ledger) {
    const WORKERS: usize = 4;
    let ranges: Vec<_> = (0..60).map(|n| n..n + 1).collect();
    ledger.open_job(&new("j", 1), &ranges).unwrap();
    let all = Barrier::new(WORKERS);
    let work = |name: &str| {
        all.wait();
        let mut mine = Vec::new();
        loop {
            let taken = claimed(ledger, name, 0, 3);
            if taken.is_empty() {
                return mine;
            }
            let done: Vec<Finished> = taken.iter().map(|n| finished(*n, &[*n as u8])).collect();
            assert_eq!(ledger.keep("j", name, &done), Ok(Kept::All));
            mine.extend(taken);
        }
    };
    let names = ["a", "b", "c", "d"];
    let mut taken: Vec<u64> = thread::scope(|scope| {
        let workers = names.map(|name| scope.spawn(move || work(name)));
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    taken.sort_unstable();
    assert_eq!(taken, (0..60).collect::<Vec<u64>>(), "each by one, none forgotten");
    assert_eq!(look(ledger).state, JobState::Done);
}
