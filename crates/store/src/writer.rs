//! Group commit: whatever queued up while the disk was busy is written in one transaction.

use std::collections::{HashMap, VecDeque};
use std::mem;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use tracing::{debug, error, warn};

use crate::{Append, AppendOutcome, Store, StoreError};

/// How many appends are written in one transaction at most.
pub const GROUP_LIMIT: usize = 1024;

/// How many appends may wait; more are refused with an error.
pub const QUEUE_LIMIT: usize = 8 * GROUP_LIMIT;

/// How long it may take until what a seat has seen is written.
const SEEN_DELAY: Duration = Duration::from_secs(1);

/// What is called with the outcome of an append.
pub type Done = Box<dyn FnOnce(Result<AppendOutcome, StoreError>) + Send>;

/// A thread that writes for all live matches. While the disk works on one group, the next one gathers:
/// so under load one wait for the disk serves many choices, and without load a choice waits for nobody.
///
/// Dropping it writes what is queued, and waits for that.
pub struct Writer {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    queue: Mutex<Queue>,
    wake: Condvar,
}

#[derive(Default)]
struct Queue {
    appends: VecDeque<(Append, Done)>,
    seen: HashMap<(String, u8), u32>,
    /// When the oldest of `seen` came.
    seen_since: Option<Instant>,
    /// Why nothing more is accepted.
    closed: Option<StoreError>,
}

/// What the thread does at one go.
#[derive(Default)]
struct Batch {
    appends: Vec<(Append, Done)>,
    seen: Vec<(String, u8, u32)>,
}

impl Writer {
    /// Starts the thread. Should the system not allow another one, every append is refused with that
    /// reason.
    pub fn start(store: Arc<dyn Store>) -> Writer {
        let shared = Arc::new(Shared::default());
        let theirs = Arc::clone(&shared);
        let thread = thread::Builder::new().name("store-writer".into()).spawn(move || run(&*store, &theirs));
        let thread = match thread {
            Ok(thread) => Some(thread),
            Err(error) => {
                let why = format!("the thread that writes could not be started: {error}");
                shared.queue().closed = Some(StoreError::Other(why));
                None
            }
        };
        Writer { shared, thread }
    }

    /// Queues an append. Never waits for the disk.
    ///
    /// `done` is called exactly once: on the writer's thread, after the transaction with the append is
    /// durable or has failed (so it should be quick); or, if the append can't be queued, right here
    /// with [`StoreError::Overloaded`] or [`StoreError::Closed`] (so the caller should hold no lock
    /// that `done` takes).
    ///
    /// Appends are written in the order in which they were queued. After one that fails, later ones of
    /// the same match end in [`AppendOutcome::Conflict`].
    pub fn append(&self, append: Append, done: Done) {
        let mut queue = self.shared.queue();
        let refused = match &queue.closed {
            Some(why) => why.clone(),
            None if queue.appends.len() >= QUEUE_LIMIT => StoreError::Overloaded,
            None => {
                queue.appends.push_back((append, done));
                drop(queue);
                self.shared.wake.notify_one();
                return;
            }
        };
        drop(queue);
        done(Err(refused));
    }

    /// Notes how many steps a seat has been shown: written within about a second, and only the latest
    /// value. It is a convenience for players and can be lost in a crash.
    pub fn seen(&self, match_id: &str, seat: u8, steps: u32) {
        let mut queue = self.shared.queue();
        if queue.closed.is_some() {
            return;
        }
        queue.seen.insert((match_id.to_string(), seat), steps);
        if queue.seen_since.is_none() {
            queue.seen_since = Some(Instant::now());
            drop(queue);
            // So that the thread sets its alarm.
            self.shared.wake.notify_one();
        }
    }

    /// How many appends are waiting, for monitoring.
    pub fn waiting(&self) -> usize {
        self.shared.queue().appends.len()
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.shared.queue().closed.get_or_insert(StoreError::Closed);
        self.shared.wake.notify_one();
        if let Some(thread) = self.thread.take() {
            // A `done` may hold the last handle; the thread can't wait for itself, but drains all the same.
            if thread.thread().id() != thread::current().id() {
                let _ = thread.join();
            }
        }
    }
}

impl Shared {
    /// Nothing panics while it holds the lock, but should it, the queue is still whole.
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for something to do; `None` once all is done and the writer closed.
    fn next(&self) -> Option<Batch> {
        let mut queue = self.queue();
        loop {
            let closing = queue.closed.is_some();
            let seen_in = queue.seen_since.map(|since| SEEN_DELAY.saturating_sub(since.elapsed()));
            let seen_due = seen_in.is_some_and(|left| closing || left.is_zero());
            if seen_due || !queue.appends.is_empty() {
                return Some(queue.take(seen_due));
            }
            if closing {
                return None;
            }
            queue = match seen_in {
                None => self.wake.wait(queue).unwrap_or_else(PoisonError::into_inner),
                Some(left) => self.wake.wait_timeout(queue, left).unwrap_or_else(PoisonError::into_inner).0,
            };
        }
    }

    /// Puts back what could not be written, for another try; what came meanwhile is newer. Not when
    /// closing: then the one try was all there is time for.
    fn put_back(&self, seen: Vec<(String, u8, u32)>) {
        let mut queue = self.queue();
        if queue.closed.is_none() {
            for (id, seat, steps) in seen {
                queue.seen.entry((id, seat)).or_insert(steps);
            }
            queue.seen_since = Some(Instant::now());
        }
    }
}

impl Queue {
    fn take(&mut self, with_seen: bool) -> Batch {
        let group = self.appends.len().min(GROUP_LIMIT);
        let mut batch = Batch { appends: self.appends.drain(..group).collect(), seen: Vec::new() };
        if with_seen {
            self.seen_since = None;
            let seen = mem::take(&mut self.seen);
            batch.seen = seen.into_iter().map(|((id, seat), steps)| (id, seat, steps)).collect();
        }
        batch
    }
}

fn run(store: &dyn Store, shared: &Shared) {
    while let Some(batch) = shared.next() {
        write(store, batch.appends);
        if !batch.seen.is_empty()
            && let Err(why) = guarded(|| store.set_seen(&batch.seen))
        {
            warn!("the last steps that players have seen were not stored: {why}");
            shared.put_back(batch.seen);
        }
    }
}

/// Writes a group, then answers all callers.
fn write(store: &dyn Store, group: Vec<(Append, Done)>) {
    if group.is_empty() {
        return;
    }
    let (appends, dones): (Vec<_>, Vec<_>) = group.into_iter().unzip();
    let begun = Instant::now();
    let written = write_group(store, &appends);
    match &written {
        Ok(_) => {
            debug!(entries = appends.len(), micros = begun.elapsed().as_micros() as u64, "group written");
        }
        Err(why) => warn!(entries = appends.len(), "group not written: {why}"),
    }
    match written {
        // One that can't be written (too long, say) must not take the others with it: each by itself.
        Err(error) if appends.len() > 1 && !error.is_of_the_place() => {
            for (append, done) in appends.chunks(1).zip(dones) {
                reply(done, write_group(store, append).map(|outcomes| outcomes[0]));
            }
        }
        Err(error) => dones.into_iter().for_each(|done| reply(done, Err(error.clone()))),
        Ok(outcomes) => dones.into_iter().zip(outcomes).for_each(|(done, outcome)| reply(done, Ok(outcome))),
    }
}

/// As many outcomes as appends, or an error.
fn write_group(store: &dyn Store, group: &[Append]) -> Result<Vec<AppendOutcome>, StoreError> {
    let outcomes = guarded(|| store.append(group))?;
    match outcomes.len() == group.len() {
        true => Ok(outcomes),
        false => Err(StoreError::Invalid("the store did not say what became of each entry".into())),
    }
}

/// The thread serves all matches: a panic in the store or in one `done` must not end it, or everyone
/// would wait for ever.
fn guarded<T>(work: impl FnOnce() -> Result<T, StoreError>) -> Result<T, StoreError> {
    workers::caught(work).unwrap_or_else(|panic| {
        error!("writing failed with a panic: {}", panic.message());
        Err(StoreError::Panicked(panic))
    })
}

fn reply(done: Done, outcome: Result<AppendOutcome, StoreError>) {
    let _ = guarded(|| {
        done(outcome);
        Ok(())
    });
}
