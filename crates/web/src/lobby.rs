//! The lobby: the store, the live matches, the games, and the owner's key.

mod analysis;
mod batches;
mod binning;
mod bot_loop;
mod coaching;
mod creation;
mod deadlines;
mod drives;
mod elsewhere;
mod error;
mod figures;
mod films;
mod forks;
mod gathering;
mod headlines;
mod kept;
mod keys;
mod links;
mod neighbours;
mod ordering;
mod pace;
mod parted;
mod purging;
mod ratings;
mod rematch;
mod rests;
mod results;
mod reviewing;
mod seats;
mod sharing;
mod sitting_down;
mod talk;
mod thinking;
mod thread;
mod tournaments;
mod traffic;
mod windows;

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use ::people::limits::Hourly;
use bots::external::Command;
use diagnostics::shown;
use kernel::{Seat, Viewer};
use store::{
    AccountId, AppendOutcome, Entry, EntryKind, MatchRecord, People, Store, StoreError, TableEvent, Topic,
    Writer,
};
use tokio::sync::{Semaphore, oneshot};
use tracing::{debug, error};

pub use analysis::{Hint, WinChanceTask};
pub use bot_loop::Bots;
pub use coaching::{CoachRequest, Coached};
pub use creation::NewMatch;
pub use elsewhere::{Answering, BotQuestion, Thinkers};
pub use error::LobbyError;
pub use gathering::{GatheringOrder, SeatWish, seat_of_link};
pub use kept::MINE;
pub use keys::Keys;
pub use links::LinkChange;
pub use pace::Pace;
pub use ratings::Contests;
pub use rests::{REST_DAYS, days_left, days_of};
pub use results::{GameResults, Known, LOOKED_AT, Opponent, PlayerResults, Tally};
pub use seats::Requester;
pub use sharing::Neighbours;
pub(crate) use talk::names;
pub use talk::{Ears, LONGEST_LINE, LONGEST_NOTE, ReadLine, Speaker};
pub use thread::step_back;
pub(crate) use thread::{in_background, on_own_thread};
pub use tournaments::{Fate, MOST_ENTRANTS, NewTournament, PoolTable, Round, TournamentView};

use crate::clock::{Clock, HouseClock};
use crate::laboratory::Laboratory;
use crate::live::{Live, Pending, as_save};
use crate::prefs::Prefs;
use crate::secrets;
use crate::title::Title;

/// A match without subscribers is dropped from memory after this time.
const IDLE: Duration = Duration::from_secs(600);
/// With more matches than this in memory, idle ones are dropped at once.
const MANY: usize = 4_000;
/// The setting with the owner's key.
const OWNER_KEY: &str = "owner_key";
/// How many bots that answer at once may be at work at a time.
const QUICK_PLACES: usize = 4;
/// How many people may wait for a hint.
const WAITING_HINTS: usize = 16;
/// How many films are drawn at a time: each is up to a hundred boards.
const FILMS: usize = 2;
/// How many may wait for that or be drawn.
const WAITING_FILMS: usize = 64;
/// How often a change is tried that other servers may be faster than.
const TRIES: usize = 6;

/// A match in memory, with what is needed to check a link without locking it.
pub struct LiveMatch {
    /// Its identifier.
    pub id: String,
    /// The tokens that open it.
    pub keys: Keys,
    live: tokio::sync::Mutex<Live>,
    /// When it was last compared with its record, which other servers may change.
    compared: Mutex<Option<Instant>>,
}

impl LiveMatch {
    /// The match itself; one change at a time.
    pub async fn lock(&self) -> tokio::sync::MutexGuard<'_, Live> {
        self.live.lock().await
    }

    fn compared(&self) -> MutexGuard<'_, Option<Instant>> {
        self.compared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Flushes collected updates soon.
    fn flush_later(self: &Arc<Self>, live: &mut Live) {
        let Some(wait) = live.schedule_flush() else { return };
        let found = Arc::clone(self);
        tokio::spawn(async move {
            tokio::time::sleep(wait).await;
            found.lock().await.flush();
        });
    }
}

/// An external program that can play a seat; forms call it `bot:` and its name.
#[derive(Clone, Debug)]
pub struct BotProgram {
    /// How it is started.
    pub command: Command,
    /// The ids of the games that it plays.
    pub games: Vec<&'static str>,
}

/// Who sends a change, and the key of their request.
#[derive(Clone, Debug, Default)]
pub struct Sender {
    /// The account, if they have one.
    pub account: Option<AccountId>,
    /// A key that the client made for the request, so that a repeat counts once.
    pub request: Option<String>,
}

/// The longest key of a request.
const MOST_REQUEST: usize = 64;

impl Sender {
    fn check(&self) -> Result<(), LobbyError> {
        let fits = |request: &String| {
            let plain = request.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
            (1..=MOST_REQUEST).contains(&request.len()) && plain
        };
        if self.request.as_ref().is_none_or(fits) {
            return Ok(());
        }
        let why = format!("The key of a request has 1 to {MOST_REQUEST} letters, digits and hyphens.");
        Err(LobbyError::Bad(why))
    }
}

/// The server.
pub struct Lobby {
    titles: Vec<Arc<dyn Title>>,
    store: Arc<dyn Store>,
    /// The accounts, if there are any.
    people: Option<Arc<dyn People>>,
    /// Ratings and tournaments, where there are accounts.
    contests: Option<Arc<dyn Contests>>,
    tending: ratings::Tending,
    results: results::HouseResults,
    writer: Writer,
    live: Mutex<HashMap<String, Arc<LiveMatch>>>,
    owner_key: String,
    prefs: Mutex<Prefs>,
    /// How long bots wait after a change at normal pace.
    normal_pace: Duration,
    /// Limits how many bots think at a time.
    thinkers: Semaphore,
    thinker_places: usize,
    /// The same for bots that answer at once, so that they never wait for one that searches.
    quick_thinkers: Semaphore,
    /// The programs that are not asked any more, by match and seat.
    given_up: Mutex<HashMap<(String, Seat), String>>,
    /// Limits the analysis to one search for win chances and one for a hint.
    analysis: Semaphore,
    /// How to end the analysis that is under way.
    analysis_under_way: Mutex<Option<Arc<AtomicBool>>>,
    /// How many changes come in.
    traffic: traffic::Traffic,
    /// How much people say at tables.
    speech: talk::Speech,
    /// How often accounts announce a rest.
    rests_announced: Hourly<AccountId>,
    /// Held by the thread that looks for a hint.
    hints: Arc<Semaphore>,
    /// Limits how many wait for one.
    waiting_hints: Semaphore,
    /// Held by the threads that draw what happened, step by step.
    films: Arc<Semaphore>,
    /// Limits how many wait for that.
    waiting_films: Semaphore,
    /// Limits imports to one at a time.
    imports: Semaphore,
    /// One fork at a time, so that they are counted right.
    forking: tokio::sync::Mutex<()>,
    /// When the time was last noted in the store.
    time_noted: Mutex<Instant>,
    /// The time of day.
    house: Arc<HouseClock>,
    /// The standing orders, where they are kept.
    ordering: ordering::Ordering,
    /// No deadline is earlier than this one.
    next_deadline: AtomicU64,
    reviews: reviewing::Reviews,
    /// Where the owner has batches of games played.
    laboratory: Option<Arc<Laboratory>>,
    parted: parted::PartedMatches,
    /// How long to wait for a bot.
    patience: thinking::Patience,
    /// Others that think for bots.
    elsewhere: Option<Arc<dyn Thinkers>>,
    /// What was counted since the start.
    figures: figures::Figures,
    /// What is needed to share the house with other servers.
    sharing: Option<sharing::Sharing>,
}

impl Lobby {
    /// Opens the lobby of a store.
    pub fn open(store: Arc<dyn Store>, titles: Vec<Arc<dyn Title>>) -> Result<Self, StoreError> {
        Self::open_at(store, titles, Clock::default())
    }

    /// The same, with a time of day of its own; for tests.
    pub fn open_at(
        store: Arc<dyn Store>,
        titles: Vec<Arc<dyn Title>>,
        time: Clock,
    ) -> Result<Self, StoreError> {
        Self::open_with(store, titles, time, None)
    }

    fn open_with(
        store: Arc<dyn Store>,
        titles: Vec<Arc<dyn Title>>,
        time: Clock,
        sharing: Option<sharing::Sharing>,
    ) -> Result<Self, StoreError> {
        let house = Arc::new(match &sharing {
            Some(sharing) => HouseClock::start_shared(&*store, time, Arc::clone(&sharing.house))?,
            None => HouseClock::start(&*store, time)?,
        });
        let owner_key = match store.setting(OWNER_KEY)? {
            Some(key) => key,
            None => new_owner_key(&*store)?,
        };
        purging::purge(&*store, house.now())?;
        let next = store.deadlines(u64::MAX, 1)?.first().map_or(u64::MAX, |deadline| deadline.at);
        let prefs = store.setting("prefs")?.map_or_else(Prefs::default, |text| Prefs::read(&text));
        let writer = Writer::start(Arc::clone(&store));
        let (live, prefs) = (Mutex::default(), Mutex::new(prefs));
        let thinker_places = std::thread::available_parallelism().map_or(2, usize::from).max(2);
        Ok(Self {
            titles,
            writer,
            store,
            people: None,
            contests: None,
            tending: ratings::Tending::default(),
            results: results::HouseResults::default(),
            live,
            owner_key,
            prefs,
            normal_pace: pace::NORMAL,
            thinkers: Semaphore::new(thinker_places),
            thinker_places,
            quick_thinkers: Semaphore::new(QUICK_PLACES),
            given_up: Mutex::default(),
            analysis: Semaphore::new(1),
            analysis_under_way: Mutex::default(),
            traffic: traffic::Traffic::default(),
            speech: talk::Speech::default(),
            rests_announced: Hourly::default(),
            hints: Arc::new(Semaphore::new(1)),
            waiting_hints: Semaphore::new(WAITING_HINTS),
            films: Arc::new(Semaphore::new(FILMS)),
            waiting_films: Semaphore::new(WAITING_FILMS),
            imports: Semaphore::new(1),
            forking: tokio::sync::Mutex::default(),
            time_noted: Mutex::new(Instant::now()),
            house,
            ordering: ordering::Ordering::default(),
            next_deadline: AtomicU64::new(next),
            reviews: reviewing::Reviews::default(),
            laboratory: None,
            parted: parted::PartedMatches::default(),
            patience: thinking::Patience::default(),
            elsewhere: None,
            figures: figures::Figures::default(),
            sharing,
        })
    }

    /// Milliseconds since 1970, as everything here counts them.
    pub fn now(&self) -> u64 {
        self.house.now()
    }

    /// Lets time pass by a clock that is turned by hand, with the house awake all the while; for tests.
    pub fn pass(&self, span: u64) {
        self.house.pass(span);
    }

    /// Adds external programs to the games that they play.
    #[must_use]
    pub fn with_programs(self, programs: Vec<BotProgram>) -> Self {
        for program in programs {
            for title in self.titles.iter().filter(|title| program.games.contains(&title.id())) {
                title.welcome(program.command.clone());
            }
        }
        self
    }

    /// Makes a new key for the owner: the old one opens nothing any more.
    pub fn with_new_key(mut self) -> Result<Self, StoreError> {
        self.owner_key = new_owner_key(&*self.store)?;
        Ok(self)
    }

    /// The key that opens the lobby from another machine.
    pub fn owner_key(&self) -> &str {
        &self.owner_key
    }

    /// The games.
    pub fn titles(&self) -> &[Arc<dyn Title>] {
        &self.titles
    }

    /// The game with this id.
    pub fn title(&self, word: &str) -> Result<&Arc<dyn Title>, LobbyError> {
        let found = self.titles.iter().find(|title| title.id() == word);
        found.ok_or_else(|| {
            let words: Vec<&str> = self.titles.iter().map(|title| title.id()).collect();
            LobbyError::Bad(format!("unknown game {:?}; the games are: {}", shown(word), words.join(", ")))
        })
    }

    /// Runs a blocking store operation on another thread.
    pub async fn with_store<T: Send + 'static>(
        &self,
        work: impl FnOnce(&dyn Store) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, LobbyError> {
        let store = Arc::clone(&self.store);
        let done = tokio::task::spawn_blocking(move || work(&*store)).await;
        let done = done.map_err(|_| LobbyError::Fault("Reading or writing was interrupted"))?;
        if let (Some(sharing), Err(why)) = (&self.sharing, &done) {
            sharing.note_answer::<()>(&Err(why.clone()));
        }
        done.map_err(LobbyError::Store)
    }

    /// Finds the match that a token opens.
    pub async fn enter(
        self: &Arc<Self>,
        id: &str,
        token: &str,
    ) -> Result<(Arc<LiveMatch>, Viewer), LobbyError> {
        if !secrets::well_formed(id) || !secrets::well_formed(token) {
            return Err(LobbyError::NotFound);
        }
        self.refresh(id).await?;
        if let Some(found) = self.in_memory(id) {
            let viewer = found.keys.holder(token).ok_or(LobbyError::NotFound)?;
            return Ok((found, viewer));
        }
        // Without a valid token nothing more is read, and not even an unreadable match is revealed.
        let record = self.stored_record(id).await?;
        let viewer = Keys::of(&record).holder(token).ok_or(LobbyError::NotFound)?;
        Ok((self.find(id).await?, viewer))
    }

    /// A match by its id, from memory or from the store. For the owner, who needs no token.
    pub async fn find(self: &Arc<Self>, id: &str) -> Result<Arc<LiveMatch>, LobbyError> {
        self.refresh(id).await?;
        if let Some(found) = self.in_memory(id) {
            return Ok(found);
        }
        let (record, journal) = self.stored(id).await?;
        self.bring_in(record, &journal).await
    }

    /// The record of a match for its owner: what they may know, or everything if the match can't be opened.
    pub async fn owners_record(self: &Arc<Self>, id: &str) -> Result<String, LobbyError> {
        match self.find(id).await {
            Ok(found) => {
                let live = found.lock().await;
                Ok(live.record(live.is_for_owner_alone())?)
            }
            Err(error @ (LobbyError::NotFound | LobbyError::Store(_))) => Err(error),
            Err(_) => {
                let (record, journal) = self.stored(id).await?;
                Ok(as_save(&record, &journal, &self.house.outages()).text)
            }
        }
    }

    async fn stored_record(&self, id: &str) -> Result<MatchRecord, LobbyError> {
        let wanted = id.to_owned();
        let record = self.with_store(move |store| store.find(&wanted)).await?;
        record.filter(|record| record.deleted_at.is_none()).ok_or(LobbyError::NotFound)
    }

    async fn stored(&self, id: &str) -> Result<(MatchRecord, Vec<Entry>), LobbyError> {
        let wanted = id.to_owned();
        let read = move |store: &dyn Store| {
            loop {
                let Some(record) = store.find(&wanted)?.filter(|record| record.deleted_at.is_none()) else {
                    return Ok(None);
                };
                let journal = store.journal(&wanted)?;
                // Between the two another server may have written an entry: then the record is read again.
                if journal.last().is_none_or(|last| last.seq <= record.revision) {
                    return Ok(Some((record, journal)));
                }
            }
        };
        self.with_store(read).await?.ok_or(LobbyError::NotFound)
    }

    fn all_in_memory(&self) -> Vec<Arc<LiveMatch>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }

    fn in_memory(&self, id: &str) -> Option<Arc<LiveMatch>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner).get(id).cloned()
    }

    /// Whether this copy of a match is the live one.
    pub(crate) fn holds(&self, found: &LiveMatch) -> bool {
        self.in_memory(&found.id).is_some_and(|present| std::ptr::eq(&*present, found))
    }

    /// Loads a stored match into memory and starts its bot loop if it is a bot's turn.
    async fn bring_in(
        self: &Arc<Self>,
        record: MatchRecord,
        journal: &[Entry],
    ) -> Result<Arc<LiveMatch>, LobbyError> {
        let title = Arc::clone(self.title(&record.game)?);
        let (id, keys) = (record.id.clone(), Keys::of(&record));
        let restored = Live::restore(title, record, journal, Arc::clone(&self.house));
        match &restored {
            Ok(_) => self.parted.note(&id, None),
            Err(LobbyError::Parted { parting, .. }) => self.parted.note(&id, Some(parting)),
            Err(_) => {}
        }
        let mut live = restored?;
        live.account_names = self.names_of(&live.seats).await?;
        let (books, answers) = self.stored_orders(&id).await?;
        live.take_orders(&books, answers);
        self.note_company(&id, &mut live).await?;
        let found = self.keep(id, keys, live);
        debug!("match {}: read from the store", found.id);
        let mut live = found.lock().await;
        self.go_on_after_bin(&found, &live);
        self.run_bots(&found, &mut live);
        self.expect_answer(&found.id, &live);
        drop(live);
        Ok(found)
    }

    /// Puts a match into memory, unless another task has done so meanwhile; then that copy is used.
    fn keep(&self, id: String, keys: Keys, live: Live) -> Arc<LiveMatch> {
        let mut all = self.live.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= MANY {
            sweep(&mut all, Duration::ZERO);
        }
        let compared = Mutex::new(Some(Instant::now()));
        let made = LiveMatch { id: id.clone(), keys, live: tokio::sync::Mutex::new(live), compared };
        Arc::clone(all.entry(id).or_insert_with(|| Arc::new(made)))
    }

    /// Drops idle matches from memory; called regularly.
    pub fn sweep(&self) {
        sweep(&mut self.live.lock().unwrap_or_else(PoisonError::into_inner), IDLE);
    }

    /// Drops a match from memory: the next visitor loads it again, and current subscribers are disconnected so that they
    /// reconnect.
    fn forget(&self, found: &LiveMatch, live: &mut Live) {
        live.disconnect_all();
        let mut all = self.live.lock().unwrap_or_else(PoisonError::into_inner);
        // Another task may have loaded the match again meanwhile: that copy stays.
        if all.get(&found.id).is_some_and(|present| std::ptr::eq(&**present, found)) {
            all.remove(&found.id);
        }
    }

    /// Drops a match that was deleted.
    pub async fn close(&self, id: &str) {
        if let Some(found) = self.in_memory(id) {
            let mut live = found.lock().await;
            self.forget(&found, &mut live);
        }
    }

    /// How many matches are in memory.
    pub fn live_count(&self) -> usize {
        self.live.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Makes a person's change: `act` plays it in memory; it counts and is published once it is on disk.
    pub async fn change(
        self: &Arc<Self>,
        found: &Arc<LiveMatch>,
        act: impl FnOnce(&mut Live) -> Result<Pending, LobbyError> + Send + 'static,
    ) -> Result<u32, LobbyError> {
        self.change_by(found, Sender::default(), act).await
    }

    /// The same for a sender whose request may come again: then it is answered as the first time.
    pub async fn change_by(
        self: &Arc<Self>,
        found: &Arc<LiveMatch>,
        sender: Sender,
        act: impl FnOnce(&mut Live) -> Result<Pending, LobbyError> + Send + 'static,
    ) -> Result<u32, LobbyError> {
        let budgeted = move |live: &mut Live| {
            live.spend()?;
            act(live)
        };
        self.commit_by(found, sender, budgeted).await
    }

    /// Makes a person's change that may depend on no revision: if an entry of another server comes before it, it is tried again on what has
    /// become of the match, and refused as any other if it does not fit there any more.
    pub async fn change_anyhow(
        self: &Arc<Self>,
        found: &Arc<LiveMatch>,
        sender: Sender,
        act: impl FnOnce(&mut Live) -> Result<Pending, LobbyError> + Clone + Send + 'static,
    ) -> Result<u32, LobbyError> {
        let budgeted = move |live: &mut Live| {
            live.spend()?;
            act(live)
        };
        self.commit_anyhow(found, sender, budgeted).await
    }

    /// Makes a change that nobody sent.
    async fn commit(
        self: &Arc<Self>,
        found: &Arc<LiveMatch>,
        act: impl FnOnce(&mut Live) -> Result<Pending, LobbyError> + Send + 'static,
    ) -> Result<u32, LobbyError> {
        self.commit_by(found, Sender::default(), act).await
    }

    /// Makes a change that depends on no revision: if another server was faster with another entry, it is tried again on what has become of
    /// the match.
    async fn commit_anyhow(
        self: &Arc<Self>,
        found: &Arc<LiveMatch>,
        sender: Sender,
        act: impl FnOnce(&mut Live) -> Result<Pending, LobbyError> + Clone + Send + 'static,
    ) -> Result<u32, LobbyError> {
        for _ in 1..TRIES {
            match self.commit_by(found, sender.clone(), act.clone()).await {
                Err(LobbyError::Stale { .. }) if self.is_shared() && self.holds(found) => {}
                other => return other,
            }
        }
        self.commit_by(found, sender, act).await
    }

    /// Makes a change.
    ///
    /// It runs as a separate task, because a request is cancelled when its sender disconnects, and a change must never be
    /// left half done.
    async fn commit_by(
        self: &Arc<Self>,
        found: &Arc<LiveMatch>,
        sender: Sender,
        act: impl FnOnce(&mut Live) -> Result<Pending, LobbyError> + Send + 'static,
    ) -> Result<u32, LobbyError> {
        sender.check()?;
        let (lobby, found) = (Arc::clone(self), Arc::clone(found));
        let task = tokio::spawn(async move { lobby.make_change(&found, sender, act).await });
        task.await.map_err(|_| LobbyError::Fault("The change was interrupted"))?
    }

    async fn make_change(
        self: &Arc<Self>,
        found: &Arc<LiveMatch>,
        sender: Sender,
        act: impl FnOnce(&mut Live) -> Result<Pending, LobbyError> + Send,
    ) -> Result<u32, LobbyError> {
        let mut live = found.lock().await;
        // A task that waited for the lock while the match was dropped has an old copy.
        if !self.holds(found) {
            return Err(LobbyError::Stale { revision: live.revision });
        }
        if let Some(revision) = sender.request.as_deref().and_then(|request| live.answered(request)) {
            return Ok(revision);
        }
        self.check_reached()?;
        // What others have written first is played on the copy as it was before.
        let before = self.is_shared().then(|| live.before_change());
        // A panic in a rule must not leave half a change behind.
        let mut pending = match workers::caught(|| act(&mut live)) {
            Ok(done) => done?,
            Err(panic) => {
                error!("match {}: a change panicked: {}", found.id, panic.message());
                self.forget(found, &mut live);
                return Err(LobbyError::Fault("This choice could not be made"));
            }
        };
        pending.append.match_id.clone_from(&found.id);
        // A single person has nobody to race with: their journal stays as plain as it was.
        if !live.is_solo() || self.is_shared() {
            (pending.append.entry.account, pending.append.entry.request) = (sender.account, sender.request);
        }
        let begun = Instant::now();
        match self.write(&pending).await {
            Ok(None) => Ok(self.committed(found, &mut live, &pending, begun)),
            // The same request is in the journal already, from before this copy was read.
            Ok(Some(revision)) => {
                match before {
                    Some(before) => {
                        let stale = LobbyError::Stale { revision };
                        self.take_back(found, &mut live, before, &stale).await;
                    }
                    None => self.forget(found, &mut live),
                }
                Ok(revision)
            }
            Err(error) => {
                match before {
                    Some(before) => self.take_back(found, &mut live, before, &error).await,
                    None => self.forget(found, &mut live),
                }
                Err(error)
            }
        }
    }

    /// What follows when a change is on disk.
    fn committed(
        self: &Arc<Self>,
        found: &Arc<LiveMatch>,
        live: &mut Live,
        pending: &Pending,
        begun: Instant,
    ) -> u32 {
        let revision = live.committed(pending, begun.elapsed());
        debug!("match {}: revision {revision} is on disk", found.id);
        self.tell(&found.id, Topic::Journal(revision));
        found.note_fresh();
        self.note_deadline(&pending.append.effects);
        if live.is_over() {
            self.tend_soon();
        }
        if let EntryKind::Event(TableEvent::Resign { seat, bot: Some(_) }) = &pending.append.entry.kind {
            // Whoever has given up may watch how it goes on.
            let (seat, watch) = (Seat(*seat), found.keys.viewer());
            found.keys.close(seat);
            live.lead_away(seat, (!watch.is_empty()).then(|| format!("/m/{}/{watch}", found.id)));
        }
        // The player who made the choice sees its effects.
        if let Some(seat) = pending.by {
            let steps = live.table.steps() as u32;
            self.note_seen(found, live, seat, steps);
        }
        if self.traffic.note(Instant::now()) {
            self.end_analysis();
        }
        self.run_bots(found, live);
        self.expect_answer(&found.id, live);
        self.analyse(found, live);
        found.flush_later(live);
        revision
    }

    /// Nothing if the change is on disk now, or its number if the same request had written it before.
    async fn write(&self, pending: &Pending) -> Result<Option<u32>, LobbyError> {
        let (answer, written) = oneshot::channel();
        let done = move |result| drop(answer.send(result));
        let begun = Instant::now();
        self.writer.append(pending.append.clone(), Box::new(done));
        let written = written.await;
        if let Ok(outcome) = &written {
            self.figures.note(outcome, begun.elapsed());
            if let Some(sharing) = &self.sharing {
                sharing.note_answer(outcome);
            }
        }
        match written {
            Ok(Ok(AppendOutcome::Written)) => Ok(None),
            Ok(Ok(AppendOutcome::Repeated(seq))) => Ok(Some(seq)),
            Ok(Ok(AppendOutcome::Conflict)) => Err(LobbyError::Stale { revision: pending.append.entry.seq }),
            Ok(Ok(AppendOutcome::Missing)) => Err(LobbyError::NotFound),
            Ok(Err(error)) => Err(LobbyError::Store(error)),
            Err(_) => Err(LobbyError::Store(StoreError::Closed)),
        }
    }

    /// Records how many steps a player has seen.
    pub async fn seen(&self, found: &LiveMatch, seat: Seat, steps: u32) {
        self.note_seen(found, &mut *found.lock().await, seat, steps);
    }

    fn note_seen(&self, found: &LiveMatch, live: &mut Live, seat: Seat, steps: u32) {
        let record = live.seats.iter_mut().find(|record| record.seat == seat.0);
        if let Some(record) = record.filter(|record| record.seen != steps) {
            record.seen = steps;
            self.writer.seen(&found.id, seat.0, steps);
        }
    }

    /// Updates records for the lobby with what is not stored yet: how many steps people have seen.
    pub async fn bring_up_to_date(&self, records: &mut [MatchRecord]) {
        for record in records {
            if let Some(found) = self.in_memory(&record.id) {
                let live = found.lock().await;
                record.seats.clone_from(&live.seats);
            }
        }
    }

    /// The settings of a visitor without settings: those of the owner.
    pub fn default_prefs(&self) -> Prefs {
        *self.prefs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stores the owner's settings for all their browsers.
    pub async fn set_default_prefs(&self, prefs: Prefs) -> Result<(), LobbyError> {
        *self.prefs.lock().unwrap_or_else(PoisonError::into_inner) = prefs;
        self.with_store(move |store| store.set_setting("prefs", &prefs.text())).await
    }
}

/// Makes and stores a key for the owner.
fn new_owner_key(store: &dyn Store) -> Result<String, StoreError> {
    let key = secrets::token().map_err(|why| StoreError::Other(why.to_string()))?;
    store.set_setting(OWNER_KEY, &key)?;
    Ok(key)
}

/// Drops idle matches. A locked match is in use.
fn sweep(all: &mut HashMap<String, Arc<LiveMatch>>, idle: Duration) {
    all.retain(|_, found| found.live.try_lock().map_or(true, |live| !live.is_idle(idle)));
}

#[cfg(test)]
pub(crate) mod tests;
