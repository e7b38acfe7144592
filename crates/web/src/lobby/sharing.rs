//! Several servers on one database: what this one keeps of that, and the rounds that it makes.
//!
//! Every server may have a copy of any match. What keeps a match whole is that an entry counts only if its number is the next one; all
//! of this only brings copies up to date soon (`neighbours`), lets one server think for the bots of a match (`drives`), and says
//! who is here.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use store::{Hint, News, SharedHouse, Store, StoreError, Topic};
use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use tokio::time::{MissedTickBehavior, interval};
use tracing::{info, warn};

use super::drives::Drives;
use super::windows::OpenWindows;
use super::{Lobby, LobbyError};
use crate::clock::Clock;
use crate::prefs::Prefs;
use crate::secrets;
use crate::title::Title;

/// How many matches are read at a time because of news: the connections are there for choices, too.
const READING: usize = 4;
/// How often it is looked what others have written to matches that somebody looks at, in seconds.
const ASK_OTHERS: u64 = 2;
/// How often drives are renewed, in seconds.
const RENEW: u64 = 3;
/// How often the time of the database, outages and the owner's settings are read, in seconds.
const READ_TIME: u64 = 5;
/// How often pages that follow a tournament look anew, in seconds.
const FOLLOW: u64 = 10;
/// How often windows are said to be open still, in seconds.
const KEEP_WINDOWS: u64 = 20;
/// How far the clock of the machine may be off, in milliseconds: a server whose clock is not to be trusted begins no match on a clock
/// that counts minutes.
const MOST_OFF: u64 = 500;

/// An answer about the time of the database is quick if it took no longer than this.
const QUICK: Duration = Duration::from_millis(MOST_OFF / 4);
/// After so long without a quick one slower ones will do: the database may be far away.
const LONG: Duration = Duration::from_secs(30);

/// What servers need to share a house.
pub struct Neighbours {
    /// What they keep together.
    pub house: Arc<dyn SharedHouse>,
    /// How they tell each other what has changed; without it they ask.
    pub news: Option<Arc<dyn News>>,
}

/// What a server keeps of sharing its house.
pub(super) struct Sharing {
    /// The name of this server for the others: another at each start.
    pub(super) server: String,
    pub(super) house: Arc<dyn SharedHouse>,
    news: Option<Arc<dyn News>>,
    /// Whether the database has answered when it was last asked.
    is_reached: AtomicBool,
    /// When the time of the database was last gone by.
    time_read: Mutex<Instant>,
    /// Whether it was said that the clock is off.
    is_off: AtomicBool,
    pub(super) drives: Drives,
    pub(super) windows: OpenWindows,
    /// Limits how much is read because of news.
    pub(super) reading: Semaphore,
}

impl Sharing {
    /// Whether to go by an answer about the time that took so long; if so, that is noted.
    fn believes(&self, took: Duration) -> bool {
        let mut last = self.time_read.lock().unwrap_or_else(PoisonError::into_inner);
        let believed = is_good_enough(took, last.elapsed());
        if believed {
            *last = Instant::now();
        }
        believed
    }

    fn new(neighbours: Neighbours) -> Result<Self, StoreError> {
        let server = secrets::token().map_err(|why| StoreError::Other(why.to_string()))?;
        let Neighbours { house, news } = neighbours;
        Ok(Self {
            server,
            house,
            news,
            is_reached: AtomicBool::new(true),
            time_read: Mutex::new(Instant::now()),
            is_off: AtomicBool::new(false),
            drives: Drives::default(),
            windows: OpenWindows::default(),
            reading: Semaphore::new(READING),
        })
    }

    /// Whether the database has answered when it was last asked.
    pub(super) fn is_reached(&self) -> bool {
        self.is_reached.load(Ordering::SeqCst)
    }

    /// Notes whether the database answers.
    pub(super) fn note_answer<T>(&self, answer: &Result<T, StoreError>) {
        match answer {
            Ok(_) => {
                if !self.is_reached.swap(true, Ordering::SeqCst) {
                    info!("the database answers again");
                }
            }
            Err(why @ StoreError::Unreachable { .. }) => {
                if self.is_reached.swap(false, Ordering::SeqCst) {
                    warn!("choices are refused until the database answers: {why}");
                }
            }
            Err(_) => {}
        }
    }
}

impl Lobby {
    /// Opens the lobby of a house that other servers serve, too.
    pub fn open_shared(
        store: Arc<dyn Store>,
        titles: Vec<Arc<dyn Title>>,
        neighbours: Neighbours,
    ) -> Result<Self, StoreError> {
        neighbours.house.prepare_sharing()?;
        Self::open_with(store, titles, Clock::default(), Some(Sharing::new(neighbours)?))
    }

    /// Whether other servers may serve the house, too.
    pub fn is_shared(&self) -> bool {
        self.sharing.is_some()
    }

    /// The clock that the house goes by.
    pub fn clock(&self) -> Clock {
        self.house.source().clone()
    }

    /// Runs a blocking operation on what servers share on another thread.
    pub(super) async fn with_neighbours<T: Send + 'static>(
        &self,
        work: impl FnOnce(&dyn SharedHouse, &str) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, LobbyError> {
        let Some(sharing) = &self.sharing else { return Err(LobbyError::NotFound) };
        let (house, server) = (Arc::clone(&sharing.house), sharing.server.clone());
        let done = tokio::task::spawn_blocking(move || work(&*house, &server)).await;
        let done = done.map_err(|_| LobbyError::Fault("Reading or writing was interrupted"))?;
        sharing.note_answer(&done);
        done.map_err(LobbyError::Store)
    }

    /// Tells the other servers that a match has changed.
    pub(super) fn tell(&self, match_id: &str, about: Topic) {
        if let Some(news) = self.sharing.as_ref().and_then(|sharing| sharing.news.as_ref()) {
            news.tell(Hint { match_id: match_id.to_owned(), about });
        }
    }

    /// Tells them that something beside its journal has.
    pub(crate) fn tell_beside(&self, match_id: &str) {
        self.tell(match_id, Topic::Beside);
    }

    /// Refuses changes at once while the database does not answer: nobody has to wait for what can't be.
    pub(super) fn check_reached(&self) -> Result<(), LobbyError> {
        match &self.sharing {
            Some(sharing) if !sharing.is_reached() => Err(LobbyError::NotReady(
                "Nothing can be written just now, because the house's database does not answer. What you see stays as it is: try \
                 again in a moment."
                    .to_owned(),
            )),
            _ => Ok(()),
        }
    }

    /// Refuses a clock that counts minutes on a machine whose own clock is not to be trusted.
    pub(super) fn check_own_clock(&self) -> Result<(), LobbyError> {
        let off = self.house.source().ahead().unsigned_abs();
        if off <= MOST_OFF {
            return Ok(());
        }
        Err(LobbyError::NotReady(format!(
            "The clock of this server is {} off that of the house's database, so it begins no match in which minutes count. Choose \
             days, or no clock; and tell whoever looks after the server.",
            spelled(off)
        )))
    }

    /// Makes the rounds of a server that shares its house, and heeds news; until it is stopped.
    pub(crate) async fn keep_company(self: Arc<Self>) {
        let Some(sharing) = &self.sharing else { return };
        if let Some(news) = &sharing.news {
            let (lobby, runtime): (Weak<Self>, _) = (Arc::downgrade(&self), Handle::current());
            news.listen(Arc::new(move |hints| {
                let Some(lobby) = lobby.upgrade() else { return };
                for hint in hints {
                    runtime.spawn(Arc::clone(&lobby).heed(hint));
                }
            }));
        }
        tokio::join!(self.ask_in_rounds(), self.drive_in_rounds());
    }

    async fn ask_in_rounds(self: &Arc<Self>) {
        let mut seconds = interval(Duration::from_secs(1));
        seconds.set_missed_tick_behavior(MissedTickBehavior::Delay);
        for second in 1_u64.. {
            seconds.tick().await;
            let is_reached = self.sharing.as_ref().is_some_and(Sharing::is_reached);
            if second.is_multiple_of(READ_TIME) || !is_reached {
                self.read_time().await;
            }
            self.note_windows(second.is_multiple_of(KEEP_WINDOWS)).await;
            if second.is_multiple_of(FOLLOW) && self.tending.news.receiver_count() > 0 {
                // Something may have happened in a tournament at another server.
                self.tending.news.send_modify(|count| *count += 1);
            }
            if second.is_multiple_of(ASK_OTHERS)
                && let Err(why) = self.ask_others().await
            {
                warn!("what other servers have written could not be read: {why}");
            }
        }
    }

    async fn drive_in_rounds(self: &Arc<Self>) {
        let mut seconds = interval(Duration::from_secs(1));
        seconds.set_missed_tick_behavior(MissedTickBehavior::Delay);
        for second in 1_u64.. {
            seconds.tick().await;
            let renewed = if second.is_multiple_of(RENEW) { self.renew_drives().await } else { Ok(()) };
            let adopted = self.adopt_drives().await;
            if let Err(why) = renewed.and(adopted) {
                warn!("which bots this server thinks for could not be settled: {why}");
            }
        }
    }

    /// Goes by the time of the database, and reads when nobody served.
    async fn read_time(self: &Arc<Self>) {
        let read = self.with_neighbours(|house, _| {
            let begun = Instant::now();
            let time = house.time()?;
            // The answer was on its way for half of that.
            Ok((time, begun.elapsed()))
        });
        let (Ok((time, took)), Some(sharing)) = (read.await, &self.sharing) else { return };
        if sharing.believes(took) {
            self.house.source().go_by(time + took.as_millis() as u64 / 2);
            self.tell_of_clock();
        }
        if let Ok(Some(text)) = self.with_store(|store| store.setting("prefs")).await {
            *self.prefs.lock().unwrap_or_else(PoisonError::into_inner) = Prefs::read(&text);
        }
        let house = Arc::clone(&self.house);
        match self.with_store(move |store| house.read_outages(store)).await {
            // Copies that have followed entries since then have charged that time.
            Ok(true) => self.read_clocks_anew().await,
            Ok(false) => {}
            Err(why) => warn!("when nobody served could not be read: {why}"),
        }
    }

    fn tell_of_clock(&self) {
        let Some(sharing) = &self.sharing else { return };
        let off = self.house.source().ahead().unsigned_abs();
        let is_off = off > MOST_OFF;
        if sharing.is_off.swap(is_off, Ordering::SeqCst) != is_off {
            match is_off {
                true => warn!(
                    "the clock of this machine is {} off that of the database: the house goes by the database, and this server \
                     begins no match in which minutes count until its clock is right",
                    spelled(off)
                ),
                false => info!("the clock of this machine is right again"),
            }
        }
    }

    /// Leaves what this server does to the others, because it ends.
    pub(crate) async fn take_leave(&self) {
        let leave = |house: &dyn SharedHouse, server: &str| {
            house.leave_drives(server)?;
            house.keep_windows(server, 0)
        };
        if self.is_shared()
            && let Err(why) = self.with_neighbours(leave).await
        {
            warn!("the other servers have to wait until they know that this one has ended: {why}");
        }
    }
}

/// Whether an answer about the time is good enough that took so long. The time in it may be wrong by half of that: after a while
/// without a quick answer a slow one is better than none.
fn is_good_enough(took: Duration, since_the_last: Duration) -> bool {
    let patience = if since_the_last >= LONG { Duration::from_millis(2 * MOST_OFF) } else { QUICK };
    took <= patience
}

fn spelled(milliseconds: u64) -> String {
    format!("{}.{} s", milliseconds / 1_000, milliseconds % 1_000 / 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_answer_about_the_time_is_only_heeded_if_there_is_no_quick_one() {
        let good = |took, since| is_good_enough(Duration::from_millis(took), Duration::from_secs(since));
        assert!(good(5, 0) && good(125, 5), "quick ones always are");
        assert!(!good(126, 5) && !good(400, 29));
        assert!(good(400, 30) && good(1_000, 60), "a database that is far away");
        assert!(!good(1_001, 600), "it might be wrong by more than is allowed");
    }
}
