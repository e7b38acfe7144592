//! The laboratory of a house: batches of games that its owner starts in the browser.
//!
//! The games are played through the ledger of the house, so a batch goes on where it was after a restart, and a batch that was
//! played comes to the same bytes as `maproom sim`. Here is only what the ledger does not know: who asked for a batch and when,
//! and whether it is to be played at all. It is a short list in the settings of the store; what a batch is stands in the
//! specification of its job.
//!
//! Several servers may share a database: each plays another batch, and says in the list again and again that it is still at it
//! ([`holding`]).
//!
//! All of it blocks, and is called on threads where that is allowed.

mod crew;
mod desk;
mod form;
mod holding;
mod list;
mod pace;

use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use lab::{Order, Outcome, Site};
use store::{AccountId, Job, JobState, Store};
use tokio::sync::{Notify, Semaphore};
use workers::Progress;

pub use crew::{Crew, Doing, GONE, Help, Mark, Marks, Present, Row, Team};
pub use form::Form;
pub use list::{Entry, Held, Wish};

use crate::lobby::LobbyError;
use crate::title::Title;
use crew::Helpers;
use list::List;
use pace::Pace;

/// A batch has no more games than this, or pairs of games.
pub const MOST_GAMES: u64 = 1_000_000;
/// A text of one's own is no longer than this.
pub const MOST_TEXT: usize = 256 << 10;
/// How many batches are kept.
pub const MOST_KEPT: usize = 40;
/// How many of them may wait for their turn or be played.
pub const MOST_WAITING: usize = 8;
/// After so long a batch makes room for the next one; it can be started again.
pub const MOST_TIME: Duration = Duration::from_secs(2 * 3_600);
/// What came of a batch that is being played is read anew after this time at the earliest.
const FRESH: Duration = Duration::from_millis(800);
/// How many texts are checked at a time.
const CHECKS: usize = 2;
/// How often a change of the list is tried, if other servers are quicker.
const MOST_TURNS: usize = 50;
/// How many results are kept in memory.
const REMEMBERED: usize = 4;

/// Makes the place of work; it is asked when the first batch is, because it reads the program itself.
type Opening = Box<dyn Fn() -> Result<Site, String> + Send + Sync>;

/// The laboratory.
pub struct Laboratory {
    store: Arc<dyn Store>,
    opening: Opening,
    site: OnceLock<Result<Site, String>>,
    list: Mutex<Option<List>>,
    running: Mutex<Option<Running>>,
    /// Who plays batches beside the house.
    helpers: OnceLock<Helpers>,
    /// Servers that are at a batch: how that was last seen, and since when it has been so.
    others: Mutex<HashMap<String, (Held, Instant)>>,
    /// Whether other servers may write the list, too.
    pub(crate) is_shared: bool,
    /// No other server has this name.
    name: String,
    results: Mutex<HashMap<String, Read>>,
    /// Told when there is something to play.
    pub(crate) wake: Notify,
    /// Held by whoever checks a text.
    pub(crate) checks: Arc<Semaphore>,
    pub(crate) most_time: Duration,
}

/// The batch that is being played here.
struct Running {
    id: String,
    progress: Arc<Progress>,
    since: Instant,
    pace: Pace,
}

/// What was read of a batch.
struct Read {
    done: u64,
    at: Instant,
    /// How long it took.
    took: Duration,
    outcome: Arc<Outcome>,
}

/// A batch as the pages show it.
#[derive(Clone, Debug)]
pub struct Batch {
    /// Who asked for it, when, and whether it is to be played.
    pub entry: Entry,
    /// What was asked for.
    pub order: Order,
    /// Its job in the ledger.
    pub job: Job,
    /// Whether it is being played now.
    pub is_running: bool,
    /// Whether it is another server that plays it.
    pub is_elsewhere: bool,
    /// How many games are done in a second, if that is known.
    pub rate: Option<f64>,
    /// How many games are done, those included that are not written down yet.
    pub done: u64,
    /// Whether another build of the program began it; it can't be gone on with then.
    pub is_foreign: bool,
}

/// What becomes of a batch, for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// It is being played.
    Running,
    /// It waits for its turn.
    Waiting,
    /// All games are played.
    Done,
    /// Somebody stopped it, or its time was over.
    Stopped,
    /// It can't go on.
    Failed,
}

impl Stage {
    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Waiting => "waiting",
            Self::Done => "done",
            Self::Stopped => "stopped",
            Self::Failed => "failed",
        }
    }

    /// Whether it may still change by itself.
    pub const fn is_under_way(self) -> bool {
        matches!(self, Self::Running | Self::Waiting)
    }
}

impl Batch {
    /// What becomes of it.
    pub fn stage(&self) -> Stage {
        match (self.job.state, self.entry.wish) {
            (JobState::Done, _) => Stage::Done,
            _ if self.is_running => Stage::Running,
            (JobState::Disputed, _) | (_, Wish::Failed) => Stage::Failed,
            (_, Wish::Stopped) => Stage::Stopped,
            (_, Wish::Wanted) => Stage::Waiting,
        }
    }

    /// Why it does not go on, if it doesn't.
    pub fn why(&self) -> &str {
        if self.entry.why.is_empty() { &self.job.why } else { &self.entry.why }
    }
}

fn bad<T>(why: impl Into<String>) -> Result<T, LobbyError> {
    Err(LobbyError::Bad(why.into()))
}

fn in_store(why: &str) -> LobbyError {
    LobbyError::Store(store::StoreError::Other(why.to_owned()))
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Laboratory {
    /// A laboratory whose list is in a store.
    pub fn new(
        store: Arc<dyn Store>,
        opening: impl Fn() -> Result<Site, String> + Send + Sync + 'static,
        is_shared: bool,
    ) -> Self {
        Self {
            store,
            opening: Box::new(opening),
            site: OnceLock::new(),
            list: Mutex::default(),
            running: Mutex::default(),
            helpers: OnceLock::new(),
            others: Mutex::default(),
            is_shared,
            name: holding::fresh_name(),
            results: Mutex::default(),
            wake: Notify::new(),
            checks: Arc::new(Semaphore::new(CHECKS)),
            most_time: MOST_TIME,
        }
    }

    /// The place of work.
    pub(crate) fn site(&self) -> Result<&Site, LobbyError> {
        self.site.get_or_init(|| (self.opening)()).as_ref().map_err(|why| in_store(why))
    }

    /// Changes the list, and writes it down if `change` succeeds. If another server was quicker, it is changed as that one has left it.
    fn change<T>(&self, change: impl Fn(&mut Vec<Entry>) -> Result<T, LobbyError>) -> Result<T, LobbyError> {
        let mut held = locked(&self.list);
        for _ in 0..MOST_TURNS {
            // What another server has written since counts also where nothing is to be changed then.
            let list = match held.take().filter(|_| !self.is_shared) {
                Some(list) => list,
                None => List::read(&*self.store).map_err(LobbyError::Store)?,
            };
            let mut entries = list.entries.clone();
            let done = change(&mut entries)?;
            if list.entries == entries {
                *held = Some(list);
                return Ok(done);
            }
            *held = list.replace(&*self.store, entries).map_err(LobbyError::Store)?;
            if held.is_some() {
                return Ok(done);
            }
        }
        Err(in_store("the list of batches is changed all the time by other servers: try again"))
    }

    /// The list, the newest first.
    fn entries(&self) -> Result<Vec<Entry>, LobbyError> {
        let mut held = locked(&self.list);
        let list = match held.take().filter(|_| !self.is_shared) {
            Some(list) => list,
            None => List::read(&*self.store).map_err(LobbyError::Store)?,
        };
        Ok(held.insert(list).entries.clone())
    }

    /// All batches, the newest first.
    pub fn batches(&self) -> Result<Vec<Batch>, LobbyError> {
        let entries = self.entries()?;
        // A house that never had a batch has no place of work either.
        if entries.is_empty() {
            return Ok(Vec::new());
        }
        let mut batches = Vec::with_capacity(entries.len());
        for entry in entries {
            batches.extend(self.batch_of(entry)?);
        }
        Ok(batches)
    }

    /// A batch by its id.
    pub fn batch(&self, id: &str) -> Result<Batch, LobbyError> {
        let entry = self.entries()?.into_iter().find(|entry| entry.id == id).ok_or(LobbyError::NotFound)?;
        self.batch_of(entry)?.ok_or(LobbyError::NotFound)
    }

    /// Nothing if its job was dropped by a command meanwhile.
    fn batch_of(&self, entry: Entry) -> Result<Option<Batch>, LobbyError> {
        let site = self.site()?;
        let Some(job) = site.ledger().job(&entry.id).map_err(LobbyError::Store)? else { return Ok(None) };
        let Some(order) = Order::of_spec(&job.job.spec) else { return Ok(None) };
        let mut held = locked(&self.running);
        let running = held.as_mut().filter(|running| running.id == entry.id);
        let is_here = running.is_some();
        let (mut done, mut rate) = (job.numbers[1], None);
        if let Some(Running { progress, since, pace, .. }) = running {
            done = done.max(progress.done.load(Ordering::Relaxed)).min(job.numbers[0]);
            rate = pace.note(since.elapsed(), done);
        }
        drop(held);
        let is_elsewhere = !is_here && entry.wish == Wish::Wanted && self.is_another_at(&entry);
        let (is_running, is_foreign) = (is_here || is_elsewhere, job.job.build != site.build());
        Ok(Some(Batch { entry, order, is_running, is_elsewhere, rate, done, is_foreign, job }))
    }

    /// Takes an order, unless it is too much, and returns the id of its batch. The same order is the same batch.
    pub fn ask(
        &self,
        title: &dyn Title,
        order: &Order,
        by: Option<AccountId>,
        now: u64,
    ) -> Result<String, LobbyError> {
        check(order)?;
        let id = title.subject().job_id(order).map_err(LobbyError::Bad)?;
        let known = self.batches()?;
        let old = known.iter().find(|batch| batch.entry.id == id);
        let others = known.iter().filter(|batch| batch.entry.id != id && batch.stage().is_under_way());
        if others.count() >= MOST_WAITING {
            return bad(format!(
                "{MOST_WAITING} batches wait already: stop one of them, or wait until one is done."
            ));
        }
        if old.is_none() && known.len() >= MOST_KEPT {
            return bad(format!("{MOST_KEPT} batches are kept: delete some of them first."));
        }
        // What another build began, or what can't be trusted, makes room for a new one.
        if old.is_some_and(|old| old.is_foreign || old.stage() == Stage::Failed) {
            self.drop_job(&id)?;
        }
        title.subject().enlist(self.site()?, order).map_err(LobbyError::Bad)?;
        let is_new = old.is_none_or(|old| old.is_foreign || old.stage() == Stage::Failed);
        self.change(|list| {
            let at = list.iter().position(|entry| entry.id == id);
            let old = at.map(|at| list.remove(at));
            let mut entry = Entry::new(&id, by, now);
            if let Some(old) = old.filter(|_| !is_new) {
                (entry.marks, entry.held) = (old.marks, old.held);
            }
            list.insert(0, entry);
            Ok(())
        })?;
        self.wake.notify_one();
        Ok(id)
    }

    /// Stops a batch: what is played stays, and it can be started again.
    pub fn stop(&self, id: &str) -> Result<(), LobbyError> {
        self.wish(id, Wish::Stopped, "")?;
        self.halt(id);
        Ok(())
    }

    /// Lets a batch go on that was stopped. What another build began, or what can't be trusted, is begun anew.
    pub fn again(&self, title: &dyn Title, id: &str) -> Result<(), LobbyError> {
        let batch = self.batch(id)?;
        if batch.stage().is_under_way() || (batch.stage() == Stage::Done && !batch.is_foreign) {
            return Ok(());
        }
        let by = batch.entry.by.as_deref().and_then(|by| by.parse().ok());
        self.ask(title, &batch.order, by, batch.entry.at).map(drop)
    }

    /// Deletes a batch with all that came of it.
    pub fn delete(&self, id: &str) -> Result<(), LobbyError> {
        self.batch(id)?;
        self.halt(id);
        self.change(|list| {
            list.retain(|entry| entry.id != id);
            Ok(())
        })?;
        locked(&self.results).remove(id);
        self.drop_job(id)
    }

    fn drop_job(&self, id: &str) -> Result<(), LobbyError> {
        locked(&self.results).remove(id);
        self.site()?.ledger().drop_job(id).map(drop).map_err(LobbyError::Store)
    }

    /// Notes what is to become of a batch, if it is still on the list.
    fn wish(&self, id: &str, wish: Wish, why: &str) -> Result<(), LobbyError> {
        self.change(|list| {
            if let Some(entry) = list.iter_mut().find(|entry| entry.id == id) {
                (entry.wish, entry.why) = (wish, why.to_owned());
            }
            Ok(())
        })
    }

    /// Ends the work on a batch, if it is being played.
    fn halt(&self, id: &str) {
        if let Some(running) = locked(&self.running).as_ref().filter(|running| running.id == id) {
            running.progress.stop();
        }
    }

    /// Ends all work, because the house closes: it goes on when it opens again.
    pub fn close(&self) {
        let id = locked(&self.running).as_ref().map(|running| {
            running.progress.stop();
            running.id.clone()
        });
        if let Some(id) = id {
            // Who can't say so is missed soon.
            let _ = self.let_go(&id);
        }
    }

    /// What came of a batch so far.
    pub fn outcome(&self, title: &dyn Title, batch: &Batch) -> Result<Arc<Outcome>, LobbyError> {
        let (id, done) = (&batch.entry.id, batch.job.numbers[1]);
        let known = locked(&self.results);
        // Reading a long batch takes a while: whoever follows it must not keep a core busy by that.
        let wait = |read: &Read| FRESH.max(read.took * 20);
        let fresh = |read: &&Read| read.done == done || (batch.is_running && read.at.elapsed() < wait(read));
        if let Some(read) = known.get(id).filter(fresh) {
            return Ok(Arc::clone(&read.outcome));
        }
        drop(known);
        let begun = Instant::now();
        let outcome =
            title.subject().outcome(self.site()?, id, &batch.order).map_err(LobbyError::Unreadable)?;
        let outcome = Arc::new(outcome);
        let mut known = locked(&self.results);
        if known.len() >= REMEMBERED && !known.contains_key(id) {
            known.clear();
        }
        let (at, took) = (Instant::now(), begun.elapsed());
        known.insert(id.clone(), Read { done, at, took, outcome: Arc::clone(&outcome) });
        Ok(outcome)
    }
}

/// Refuses what is too much.
fn check(order: &Order) -> Result<(), LobbyError> {
    if !(1..=MOST_GAMES).contains(&order.games) {
        return bad(format!("A batch has 1 to {MOST_GAMES} games."));
    }
    let other = order.other.iter().flatten();
    if let Some((key, _)) = order.options.iter().chain(other).find(|(_, value)| value.len() > MOST_TEXT) {
        return bad(format!("The text for {key} is longer than {} KB.", MOST_TEXT >> 10));
    }
    Ok(())
}
