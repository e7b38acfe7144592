//! Work with numbers that can be counted on, and workers that die, lie and come late.

use std::sync::Arc;

use store::{Ledger, MemoryStore, SqliteStore};

use super::*;

/// Squares numbers. `limit` makes whoever works stop or fail at a number.
struct Squares<'a> {
    numbers: u64,
    progress: &'a Progress,
    stop_at: Option<u64>,
    fail_at: Option<u64>,
    lie_at: Option<u64>,
    /// How often each number was done.
    done: Vec<AtomicU64>,
}

impl<'a> Squares<'a> {
    fn new(numbers: u64, progress: &'a Progress) -> Self {
        let done = (0..numbers).map(|_| AtomicU64::new(0)).collect();
        Self { numbers, progress, stop_at: None, fail_at: None, lie_at: None, done }
    }

    fn times(&self) -> Vec<u64> {
        self.done.iter().map(|times| times.load(Ordering::Relaxed)).collect()
    }
}

impl Work for Squares<'_> {
    type Bench = ByteWriter;

    const KIND: &'static str = "squares";

    fn spec(&self) -> String {
        canonical(&serde_json::json!({ "numbers": self.numbers }))
    }

    fn rules(&self) -> &'static str {
        "1"
    }

    fn unsteady(&self) -> Option<String> {
        None
    }

    fn numbers(&self) -> u64 {
        self.numbers
    }

    fn bench(&self) -> ByteWriter {
        ByteWriter::default()
    }

    fn one(&self, out: &mut ByteWriter, number: u64) -> bool {
        assert!(self.fail_at != Some(number), "number {number} fails");
        if self.stop_at == Some(number) {
            self.progress.stop();
            return false;
        }
        self.done[number as usize].fetch_add(1, Ordering::Relaxed);
        out.put(number * number + u64::from(self.lie_at == Some(number)));
        true
    }

    fn hand_in(&self, out: &mut ByteWriter) -> Vec<Vec<u8>> {
        vec![out.take()]
    }
}

fn site(ledger: &Arc<dyn Ledger>, build: &str, alone: bool) -> Site {
    let build = Build { build: build.to_owned(), process: "test".to_owned() };
    Site::with_ledger(Arc::clone(ledger), build, alone)
}

fn all(site: &Site, worked: &Worked<Done<ByteWriter>>) -> Vec<u64> {
    let mut squares = Vec::new();
    let read = |_, bytes: &[u8]| {
        let mut from = ByteReader::new(bytes);
        while !from.is_empty() {
            squares.push(from.get()?);
        }
        Ok(())
    };
    worked.each_part(site, 0, read).expect("numbers");
    squares
}

fn squares(numbers: u64) -> Vec<u64> {
    (0..numbers).map(|number| number * number).collect()
}

#[test]
fn ranges_cover_all_numbers_and_are_not_too_many() {
    for numbers in [0, 1, 2, 15, 16, 17, 100, 10_000, 999_983, 4_000_000_000, u64::MAX / 2] {
        let ranges = ranges(numbers);
        assert!(ranges.len() as u64 <= MOST_CHUNKS.min(numbers), "{numbers}: {}", ranges.len());
        let mut next = 0;
        for range in ranges {
            assert!(range.start == next && !range.is_empty());
            next = range.end;
        }
        assert_eq!(next, numbers);
    }
    assert_eq!(ranges(10).len(), 10, "what takes long is done one by one");
}

#[test]
fn everything_is_done_once_on_any_number_of_threads() {
    for threads in [1, 2, 7] {
        for numbers in [0, 1, 5, 3_000] {
            let progress = Progress::default();
            let work = Squares::new(numbers, &progress);
            let here = Site::in_process();
            let worked = run(&here, &work, threads, &progress).expect("squares");
            assert_eq!(all(&here, &worked), squares(numbers));
            assert!(work.times().iter().all(|times| *times == 1));
            assert_eq!(progress.done.load(Ordering::Relaxed), numbers);
        }
    }
}

#[test]
fn work_that_is_stopped_goes_on_where_it_was() {
    let folder = tempfile::tempdir().expect("a folder");
    let ledger: Arc<dyn Ledger> = Arc::new(SqliteStore::open(folder.path()).expect("a store"));
    let here = site(&ledger, "1", true);
    for stop_at in [0, 17, 700, 701, 1_999] {
        let progress = Progress::default();
        let work = Squares { stop_at: Some(stop_at), ..Squares::new(2_000, &progress) };
        let worked = run(&here, &work, 1, &progress).expect("squares so far");
        // What was begun is shown as well: nothing that was done is missing from it.
        assert_eq!(all(&here, &worked), squares(stop_at));
    }
    let progress = Progress::default();
    let work = Squares::new(2_000, &progress);
    let worked = run(&here, &work, 2, &progress).expect("squares");
    assert_eq!(all(&here, &worked), squares(2_000));
    assert!(worked.before > 1_900, "{} were done", worked.before);
    assert!(work.times()[..worked.before as usize].iter().all(|times| *times == 0), "and not done again");
    assert_eq!(progress.done.load(Ordering::Relaxed), 2_000);
    // Once more: there is nothing to do.
    let progress = Progress::default();
    let work = Squares { fail_at: Some(5), ..Squares::new(2_000, &progress) };
    let again = run(&here, &work, 2, &progress).expect("squares");
    assert_eq!((all(&here, &again), again.before), (squares(2_000), 2_000));
}

#[test]
fn what_somebody_died_with_is_free_at_once_for_who_is_alone_and_else_when_it_is_overdue() {
    let progress = Progress::default();
    for alone in [true, false] {
        let ledger: Arc<dyn Ledger> = Arc::new(MemoryStore::new());
        let time = Arc::new(AtomicU64::new(1_000));
        let clock = Arc::clone(&time);
        let here = site(&ledger, "1", alone).with_clock(move || clock.fetch_add(100, Ordering::Relaxed));
        let (job, _) = open(&here, &Squares::new(50, &progress)).expect("a job");
        let dead = ledger.claim(&job.job.id, "dead", 0, 1_000_000, 2).expect("chunks");
        assert_eq!(dead.len(), 2);
        if !alone {
            // By the clock of the one that works, the other has been silent for long.
            time.store(1_000_001, Ordering::Relaxed);
        }
        let work = Squares::new(50, &progress);
        let worked = run(&here, &work, 1, &progress).expect("squares");
        assert_eq!(all(&here, &worked), squares(50));
    }
}

#[test]
fn two_processes_share_a_job() {
    let folder = tempfile::tempdir().expect("a folder");
    let progress = Progress::default();
    let work = Squares::new(5_000, &progress);
    drop(SqliteStore::open(folder.path()).expect("a store"));
    let found: Vec<Vec<u64>> = std::thread::scope(|scope| {
        let shift = |name: &'static str| {
            let ledger: Arc<dyn Ledger> = Arc::new(SqliteStore::open_beside(folder.path()).expect("a store"));
            let build = Build { build: "1".to_owned(), process: name.to_owned() };
            let here = Site::with_ledger(ledger, build, false);
            let worked = run(&here, &work, 2, &progress).expect("squares");
            all(&here, &worked)
        };
        let shifts = ["a", "b"].map(|name| scope.spawn(move || shift(name)));
        shifts.into_iter().map(|shift| shift.join().expect("no panic")).collect()
    });
    assert_eq!(found, [squares(5_000), squares(5_000)]);
    assert!(work.times().iter().all(|times| *times == 1), "nothing twice");
}

#[test]
fn another_result_for_the_same_stops_the_job_and_names_both_builds() {
    let ledger: Arc<dyn Ledger> = Arc::new(MemoryStore::new());
    let progress = Progress::default();
    let here = site(&ledger, "0.2 aaaa", true);
    let (job, _) = open(&here, &Squares::new(40, &progress)).expect("a job");
    // Somebody takes a chunk, is thought to be dead, and brings it back after all.
    let slow = ledger.claim(&job.job.id, "0.2 bbbb (slow)", 0, 1, 1).expect("a chunk");
    let liar = Squares { lie_at: Some(1), ..Squares::new(40, &progress) };
    let mut bench = liar.bench();
    slow[0].numbers.clone().for_each(|number| assert!(liar.one(&mut bench, number)));
    let parts: Vec<Part> = liar.hand_in(&mut bench).into_iter().map(summed).collect();
    ledger.keep(&job.job.id, "0.2 bbbb (slow)", &[Finished { n: slow[0].n, parts }]).expect("kept");
    let honest = Squares::new(40, &progress);
    let mut bench = honest.bench();
    slow[0].numbers.clone().for_each(|number| assert!(honest.one(&mut bench, number)));
    let shift = run(&here, &honest, 1, &progress).expect("the chunk is done already");
    assert_ne!(all(&here, &shift), squares(40), "nobody has looked yet");
    let parts: Vec<Part> = honest.hand_in(&mut bench).into_iter().map(summed).collect();
    let kept =
        ledger.keep(&job.job.id, here.holder(), &[Finished { n: slow[0].n, parts }]).expect("compared");
    assert!(
        matches!(&kept, Kept::Disputed(why) if why.contains("0.2 aaaa") && why.contains("0.2 bbbb")),
        "{kept:?}"
    );
    let why = run(&here, &honest, 1, &progress).map(|_| ()).expect_err("not to be trusted");
    assert!(why.contains("0.2 aaaa") && why.contains("0.2 bbbb") && why.contains("jobs drop"), "{why}");
}

#[test]
fn another_build_does_not_go_on_with_a_job() {
    let ledger: Arc<dyn Ledger> = Arc::new(MemoryStore::new());
    let progress = Progress::default();
    let work = Squares { stop_at: Some(20), ..Squares::new(40, &progress) };
    run(&site(&ledger, "0.2 aaaa", true), &work, 1, &progress).map(|_| ()).expect("squares so far");
    let progress = Progress::default();
    let work = Squares::new(40, &progress);
    let why =
        run(&site(&ledger, "0.2 bbbb", true), &work, 1, &progress).map(|_| ()).expect_err("another build");
    assert!(why.contains("0.2 aaaa") && why.contains("0.2 bbbb"), "{why}");
    assert!(work.times().iter().all(|times| *times == 0));
}

#[test]
fn work_that_fails_is_noted_and_can_be_tried_again() {
    for threads in [1, 3] {
        let ledger: Arc<dyn Ledger> = Arc::new(MemoryStore::new());
        let here = site(&ledger, "1", true);
        let progress = Progress::default();
        let work = Squares { fail_at: Some(300), ..Squares::new(400, &progress) };
        let why = run(&here, &work, threads, &progress).map(|_| ()).expect_err("a number fails");
        assert!(why.contains("number 300 fails"), "{why}");
        let job = ledger.jobs().expect("jobs").remove(0);
        assert_eq!((job.state, job.why.contains("number 300 fails")), (JobState::Stuck, true));
        let chunks = ledger.chunks(&job.job.id).expect("chunks");
        assert!(
            chunks.iter().all(|chunk| !matches!(chunk.state, ChunkState::Held { .. })),
            "nothing is held"
        );
        let worked = run(&here, &Squares::new(400, &progress), threads, &progress).expect("squares");
        assert_eq!(all(&here, &worked), squares(400));
    }
}

#[test]
fn a_job_that_is_dropped_meanwhile_ends_the_work() {
    let ledger: Arc<dyn Ledger> = Arc::new(MemoryStore::new());
    let here = site(&ledger, "1", true);
    let progress = Progress::default();
    let work = Squares::new(10, &progress);
    let (job, _) = open(&here, &work).expect("a job");
    ledger.drop_job(&job.job.id).expect("dropped");
    let shift = Shift {
        site: &here,
        work: &work,
        threads: 1,
        progress: &progress,
        id: &job.job.id,
        left: AtomicU64::new(10),
        held: AtomicU64::new(0),
        leftovers: Mutex::default(),
        trouble: Mutex::default(),
        broken: AtomicBool::new(false),
    };
    let why = shift.work().map(|_| ()).expect_err("it is gone");
    assert!(why.contains("was dropped meanwhile"), "{why}");
}

/// Others that do the work: each range in a piece of its own, the last first.
struct Others<'a> {
    work: Squares<'a>,
    /// How many ranges are done before they stop.
    most: usize,
}

impl Hands for Others<'static> {
    fn work(&self, asked: &Asked<'_>) -> Result<(), String> {
        let id = &asked.job.job.id;
        let taken = asked.ledger.claim(id, asked.holder, (asked.now)(), u64::MAX, usize::MAX);
        let taken = taken.map_err(|why| why.to_string())?;
        for chunk in taken.iter().rev().take(self.most) {
            let mut bench = self.work.bench();
            for number in chunk.numbers.clone() {
                assert!(self.work.one(&mut bench, number));
            }
            let parts = self.work.hand_in(&mut bench).into_iter().map(summed).collect();
            let finished = Finished { n: chunk.n, parts };
            asked.ledger.keep(id, "another", &[finished]).map_err(|why| why.to_string())?;
            asked.progress.advance(chunk.numbers.end - chunk.numbers.start);
        }
        Ok(())
    }
}

#[test]
fn what_others_have_done_is_read_as_if_it_had_been_done_here() {
    static NEVER: Progress =
        Progress { stop: AtomicBool::new(false), done: AtomicU64::new(0), total: AtomicU64::new(0) };
    let ledger: Arc<dyn Ledger> = Arc::new(MemoryStore::new());
    let progress = Progress::default();
    let mine = Squares::new(100, &progress);
    for (most, expected) in [(7, 19), (usize::MAX, 100)] {
        let others = Others { work: Squares::new(100, &NEVER), most };
        let here = site(&ledger, "1", true).with_hands(Arc::new(others));
        let worked = run(&here, &mine, 2, &progress).expect("squares");
        let mut all = all(&here, &worked);
        assert_eq!(all.len(), expected);
        if most == 7 {
            // The last ranges, in their order: six of three numbers, and one of one.
            assert_eq!(all, squares(100)[81..]);
        } else {
            all.sort_unstable();
            assert_eq!((all, worked.before), (squares(100), 19));
        }
    }
    assert!(mine.times().iter().all(|times| *times == 0), "nothing was done here");
}

#[test]
fn a_specification_says_all_that_whoever_does_the_work_has_to_know() {
    use crate::{Batch, calibration::Inquiry, ladder::Contender, ladder::Ladder};
    use bots::{BotKind, external::Opponent, search::Budget};
    let game = echoes::Echoes::edition(echoes::Edition::Axis, 2).expect("a spread");
    let progress = Progress::default();
    let ledger: Arc<dyn Ledger> = Arc::new(MemoryStore::new());
    let here = site(&ledger, "1", true);
    let seats = vec![BotKind::Playouts(5)];
    let batch = Batch { games: 9, seed: 3, seats: seats.clone(), threads: 1 };
    crate::simulate_at(&here, &game, &batch, &progress).expect("a batch");
    let other = echoes::Echoes::edition(echoes::Edition::Axis, 3).expect("a spread");
    crate::sim::pairs::play(&here, [&game, &other], &batch, &progress).expect("pairs");
    crate::sim::play(&here, &game, &Batch { seats: vec![BotKind::Random], ..batch }, true, &progress)
        .expect("rows");
    let contender = |word: &str, kind| Contender { name: word.to_owned(), who: Opponent::Bot(kind) };
    let contenders = vec![contender("r", BotKind::Random), contender("g", BotKind::Greedy)];
    let ladder = Ladder { contenders, games: 6, seed: 2, threads: 1 };
    crate::ladder::climb_at(&here, &game, &ladder, &progress).expect("a ladder");
    let budget = Budget::playouts(20);
    let bot = BotKind::Greedy;
    let inquiry = Inquiry { positions: 5, continuations: 2, bot, budget, seed: 4, threads: 1 };
    crate::calibration::calibrate_at(&here, &game, &inquiry, &progress).expect("a calibration");
    let jobs = ledger.jobs().expect("jobs");
    assert_eq!(jobs.len(), 5);
    for job in jobs {
        let chunks = ledger.chunks(&job.job.id).expect("chunks");
        let ranges: Vec<_> = chunks.iter().map(|chunk| chunk.numbers.clone()).collect();
        let mut n = 0;
        let mut compare = |parts: Vec<Vec<u8>>| {
            for (at, bytes) in parts.into_iter().enumerate() {
                let kept = ledger.part(&job.job.id, n, at as u32).expect("a ledger").expect("a part");
                assert!(kept.part.bytes == bytes, "{}: part {at} of chunk {n}", job.job.kind);
            }
            n += 1;
            true
        };
        labour::<echoes::Echoes>(&job.job.spec, &ranges, &progress, &mut compare).expect("the same");
        assert_eq!(n, chunks.len() as u64);
        // One that is written otherwise, and one that is no work at all.
        let spaced = job.job.spec.replace(',', ", ");
        for wrong in [spaced.as_str(), "{\"kind\":\"think\"}", "no specification", "{}"] {
            let refused = labour::<echoes::Echoes>(wrong, &ranges, &progress, &mut |_| panic!("{wrong}"));
            assert!(refused.is_err(), "{wrong}");
        }
        let beyond = std::slice::from_ref(&(900..901));
        let too_far = labour::<echoes::Echoes>(&job.job.spec, beyond, &progress, &mut |_| true);
        assert!(too_far.is_err_and(|why| why.contains("900")));
    }
}
