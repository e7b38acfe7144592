//! Group commit.

mod common;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use common::{Between, Via};
use store::conformance::{sample, steps_append};
use store::{Append, AppendOutcome, Done, GROUP_LIMIT, MemoryStore, QUEUE_LIMIT, Store, StoreError, Writer};

type Outcome = Result<AppendOutcome, StoreError>;

/// A store whose gate can be shut, as if the disk took its time; it notes the size of each group and
/// can be made to fail.
#[derive(Default)]
struct Gate {
    store: MemoryStore,
    shut: Mutex<bool>,
    moved: Condvar,
    groups: Mutex<Vec<usize>>,
    arrived: AtomicUsize,
    /// How often it was written what seats have seen.
    seen: AtomicUsize,
    fail: Mutex<Option<StoreError>>,
}

impl Between for Gate {
    fn with<T>(&self, call: impl FnOnce(&dyn Store) -> T) -> T {
        call(&self.store)
    }

    fn seen(&self) {
        self.seen.fetch_add(1, Ordering::SeqCst);
    }

    fn group(&self, group: &[Append]) -> Result<(), StoreError> {
        self.arrived.fetch_add(1, Ordering::SeqCst);
        let shut = self.shut.lock().unwrap();
        drop(self.moved.wait_while(shut, |shut| *shut).unwrap());
        self.groups.lock().unwrap().push(group.len());
        let text = format!("{:?}", group.iter().map(|append| &append.entry.kind).collect::<Vec<_>>());
        assert!(!text.contains("panic"), "as ordered");
        match &*self.fail.lock().unwrap() {
            _ if text.contains("unwritable") => Err(StoreError::Other("too long".into())),
            Some(error) => Err(error.clone()),
            None => Ok(()),
        }
    }
}

impl Gate {
    fn set(&self, shut: bool) {
        *self.shut.lock().unwrap() = shut;
        self.moved.notify_all();
    }
}

/// A store with the matches "m" and "n", and a writer for it.
fn gate() -> (Arc<Via<Gate>>, Writer) {
    let gate = Arc::new(Via(Gate::default()));
    gate.create(&sample("m"), &[]).unwrap();
    gate.create(&sample("n"), &[]).unwrap();
    let writer = Writer::start(Arc::clone(&gate) as Arc<dyn Store>);
    (gate, writer)
}

/// Shuts the gate and sends one entry there, so that all that follows queues up.
fn hold(gate: &Gate, writer: &Writer, tell: &mpsc::Sender<Outcome>) {
    gate.set(true);
    writer.append(steps_append("m", 1, "first"), done(tell));
    while gate.arrived.load(Ordering::SeqCst) == 0 {
        thread::yield_now();
    }
}

fn done(tell: &mpsc::Sender<Outcome>) -> Done {
    let tell = tell.clone();
    Box::new(move |outcome| drop(tell.send(outcome)))
}

#[test]
fn what_waits_is_written_together() {
    let (gate, writer) = gate();
    let (tell, told) = mpsc::channel();
    hold(&gate.0, &writer, &tell);
    for seq in 2..=2000 {
        writer.append(steps_append("m", seq, "next"), done(&tell));
    }
    assert!(told.try_recv().is_err(), "acknowledged before it was written");
    gate.0.set(false);
    for _ in 1..=2000 {
        assert_eq!(told.recv().unwrap(), Ok(AppendOutcome::Written));
    }
    assert_eq!(*gate.0.groups.lock().unwrap(), [1, GROUP_LIMIT, 1999 - GROUP_LIMIT]);
    assert_eq!(gate.journal("m").unwrap().len(), 2000);
}

#[test]
fn each_learns_its_own_outcome() {
    let (gate, writer) = gate();
    let (tell, told) = mpsc::channel();
    hold(&gate.0, &writer, &tell);
    for (id, seq) in [("m", 1), ("nobody", 1), ("n", 1), ("m", 2)] {
        writer.append(steps_append(id, seq, "x"), done(&tell));
    }
    gate.0.set(false);
    use AppendOutcome::{Conflict, Missing, Written};
    let outcomes: Vec<_> = told.iter().take(5).map(Result::unwrap).collect();
    assert_eq!(outcomes, [Written, Conflict, Missing, Written, Written]);
}

#[test]
fn too_many_are_refused_at_once() {
    let (gate, writer) = gate();
    let (tell, told) = mpsc::channel();
    hold(&gate.0, &writer, &tell);
    for seq in 0..QUEUE_LIMIT as u32 {
        writer.append(steps_append("m", 2 + seq, "x"), done(&tell));
    }
    assert_eq!(writer.waiting(), QUEUE_LIMIT);
    assert!(told.try_recv().is_err());
    writer.append(steps_append("m", 9, "too many"), done(&tell));
    assert_eq!(told.try_recv().unwrap(), Err(StoreError::Overloaded));
    gate.0.set(false);
    for _ in 0..=QUEUE_LIMIT {
        assert_eq!(told.recv().unwrap(), Ok(AppendOutcome::Written));
    }
    writer.append(steps_append("n", 1, "room again"), done(&tell));
    assert_eq!(told.recv().unwrap(), Ok(AppendOutcome::Written));
}

#[test]
fn a_failed_group_is_told_to_all_and_the_next_goes_on() {
    let (gate, writer) = gate();
    let (tell, told) = mpsc::channel();
    hold(&gate.0, &writer, &tell);
    *gate.0.fail.lock().unwrap() = Some(StoreError::Full { path: "disk".into() });
    for seq in 2..=4 {
        writer.append(steps_append("m", seq, "x"), done(&tell));
    }
    gate.0.set(false);
    for _ in 0..4 {
        assert_eq!(told.recv().unwrap(), Err(StoreError::Full { path: "disk".into() }));
    }
    *gate.0.fail.lock().unwrap() = None;
    writer.append(steps_append("m", 1, "again"), done(&tell));
    assert_eq!(told.recv().unwrap(), Ok(AppendOutcome::Written));
    // No second try where it can't help.
    assert_eq!(*gate.0.groups.lock().unwrap(), [1, 3, 1]);
}

#[test]
fn one_that_cannot_be_written_does_not_take_the_others_along() {
    for bad in ["unwritable", "panic"] {
        let (gate, writer) = gate();
        let (tell, told) = mpsc::channel();
        hold(&gate.0, &writer, &tell);
        for (id, seq, text) in [("m", 2, "fine"), ("n", 1, bad), ("m", 3, "fine too")] {
            writer.append(steps_append(id, seq, text), done(&tell));
        }
        gate.0.set(false);
        let outcomes: Vec<_> = told.iter().take(4).map(|outcome| outcome.is_ok()).collect();
        assert_eq!(outcomes, [true, true, false, true], "{bad}");
        assert_eq!((gate.journal("m").unwrap().len(), gate.journal("n").unwrap().len()), (3, 0));
    }
}

#[test]
fn a_done_that_panics_harms_nobody() {
    let (_gate, writer) = gate();
    let (tell, told) = mpsc::channel();
    writer.append(steps_append("m", 1, "x"), Box::new(|_| panic!("as ordered")));
    writer.append(steps_append("m", 2, "x"), done(&tell));
    assert_eq!(told.recv().unwrap(), Ok(AppendOutcome::Written));
}

#[test]
fn dropping_writes_all_that_waits() {
    let (gate, writer) = gate();
    let (tell, told) = mpsc::channel();
    hold(&gate.0, &writer, &tell);
    for seq in 2..=3000 {
        writer.append(steps_append("m", seq, "x"), done(&tell));
    }
    writer.seen("m", 1, 7);
    let opener = {
        let gate = Arc::clone(&gate);
        thread::spawn(move || {
            thread::sleep(Duration::from_millis(50));
            gate.0.set(false);
        })
    };
    drop(writer);
    opener.join().unwrap();
    assert_eq!(told.try_iter().filter(|outcome| *outcome == Ok(AppendOutcome::Written)).count(), 3000);
    assert_eq!(gate.find("m").unwrap().unwrap().revision, 3000);
    assert_eq!(gate.find("m").unwrap().unwrap().seats[1].seen, 7);
}

/// The last handle may be given up by a `done`, on the writer's own thread.
#[test]
fn a_done_may_drop_the_writer() {
    let (gate, writer) = gate();
    let (tell, told) = mpsc::channel();
    hold(&gate.0, &writer, &tell);
    let writer = Arc::new(writer);
    let last = Mutex::new(Some(Arc::clone(&writer)));
    let giving_up = Box::new(move |_: Outcome| drop(last.lock().unwrap().take()));
    writer.append(steps_append("m", 2, "x"), giving_up);
    writer.append(steps_append("m", 3, "x"), done(&tell));
    drop(writer);
    gate.0.set(false);
    for _ in 0..2 {
        assert_eq!(told.recv_timeout(Duration::from_secs(60)).unwrap(), Ok(AppendOutcome::Written));
    }
}

#[test]
fn what_was_seen_is_written_within_about_a_second_and_only_the_latest() {
    let (gate, writer) = gate();
    let start = Instant::now();
    for steps in 1..=50 {
        writer.seen("m", 0, steps);
    }
    writer.seen("n", 1, 4);
    let seen = |id: &str, seat: usize| gate.find(id).unwrap().unwrap().seats[seat].seen;
    while seen("m", 0) < 50 || seen("n", 1) == 0 {
        assert!(start.elapsed() < Duration::from_secs(60));
        thread::sleep(Duration::from_millis(5));
    }
    assert!(start.elapsed() > Duration::from_millis(900), "not lazily");
    assert_eq!((seen("m", 0), seen("m", 1), seen("n", 1)), (50, 0, 4));
    let writes = gate.0.seen.load(Ordering::SeqCst) as u64;
    assert!(writes <= 1 + start.elapsed().as_secs(), "{writes} times in {:?}", start.elapsed());
}

/// Many threads, each waiting for its own: nothing is lost, doubled or out of order.
#[test]
fn many_threads() {
    let folder = tempfile::tempdir().unwrap();
    let store: Arc<dyn Store> = Arc::new(store::SqliteStore::open(folder.path()).unwrap());
    let writer = Writer::start(Arc::clone(&store));
    thread::scope(|scope| {
        for player in 0..16 {
            let (store, writer) = (&store, &writer);
            scope.spawn(move || {
                let id = format!("m{player}");
                store.create(&sample(&id), &[]).unwrap();
                let (tell, told) = mpsc::channel();
                for seq in 1..=30 {
                    writer.append(steps_append(&id, seq, "x"), done(&tell));
                    writer.seen(&id, 0, seq);
                    assert_eq!(told.recv().unwrap(), Ok(AppendOutcome::Written));
                    // Acknowledged is readable.
                    assert_eq!(store.find(&id).unwrap().unwrap().revision, seq);
                }
            });
        }
    });
    drop(writer);
    for player in 0..16 {
        let id = format!("m{player}");
        let seqs: Vec<_> = store.journal(&id).unwrap().iter().map(|entry| entry.seq).collect();
        assert_eq!(seqs, (1..=30).collect::<Vec<_>>());
        assert_eq!(store.find(&id).unwrap().unwrap().seats[0].seen, 30);
    }
}
