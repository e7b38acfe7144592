//! The house: the store, the live matches, the games, and the key of its owner.

use std::collections::HashMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use kernel::source::{Problems, shown};
use kernel::{MatchDice, MatchError, Options, Seat, Secret, Table, Viewer, game_of_save};
use store::{AppendOutcome, Entry, MatchRecord, Origin, SeatRecord, Store, StoreError, Writer};
use tokio::sync::oneshot;

use crate::clock;
use crate::live::{Live, Pending, as_save};
use crate::prefs::Prefs;
use crate::secrets;
use crate::title::Title;

/// A match that nobody looks at leaves the memory after this time.
const IDLE: Duration = Duration::from_secs(600);
/// When so many matches are in memory, idle ones leave at once.
const MANY: usize = 4_000;
/// A deleted match can be brought back for thirty days.
const KEEP_DELETED_MS: u64 = 30 * 86_400_000;

/// Why something could not be done. The match is as it was before.
#[derive(Debug)]
pub enum HouseError {
    /// No such match, or not with this token. The two are not told apart.
    NotFound,
    /// The link is a viewer's.
    LooksOnly,
    /// The page was drawn before somebody's last change.
    Stale {
        /// The present revision.
        revision: u32,
    },
    /// The rules say no.
    Refused(MatchError),
    /// Too many changes in a short time.
    TooFast,
    /// The stored match can't be read.
    Unreadable(String),
    /// What was sent can't be used.
    Bad(String),
    /// The store failed; nothing was changed.
    Store(StoreError),
}

impl fmt::Display for HouseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound => f.write_str("there is no such match, or this link is not one of its links"),
            Self::LooksOnly => f.write_str("this link is for looking on: it can't change the match"),
            Self::Stale { .. } => f.write_str("the match has gone on since: look again, then choose"),
            Self::Refused(error) => error.fmt(f),
            Self::TooFast => f.write_str("too many changes at once: wait a second"),
            Self::Unreadable(why) | Self::Bad(why) => f.write_str(why),
            Self::Store(error) => write!(f, "the change could not be kept, so it was not made: {error}"),
        }
    }
}

impl std::error::Error for HouseError {}

impl From<StoreError> for HouseError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// A match in memory, with what is needed to let somebody in without waiting for it.
pub struct LiveMatch {
    /// Its identifier.
    pub id: String,
    viewer_token: String,
    seat_tokens: Vec<(Seat, String)>,
    live: tokio::sync::Mutex<Live>,
}

impl LiveMatch {
    /// Who holds a token; every token is compared, in constant time.
    fn holder(&self, token: &str) -> Option<Viewer> {
        let mut holder = None;
        for (seat, secret) in &self.seat_tokens {
            if secrets::same(secret, token) {
                holder = Some(Viewer::Seat(*seat));
            }
        }
        if secrets::same(&self.viewer_token, token) {
            holder = Some(Viewer::Spectator);
        }
        holder
    }

    /// The match itself; one change at a time.
    pub async fn lock(&self) -> tokio::sync::MutexGuard<'_, Live> {
        self.live.lock().await
    }

    /// The token of spectators.
    pub fn viewer_token(&self) -> &str {
        &self.viewer_token
    }

    /// The token of a seat.
    pub fn seat_token(&self, seat: Seat) -> Option<&str> {
        self.seat_tokens.iter().find(|(of, _)| *of == seat).map(|(_, token)| token.as_str())
    }
}

/// A new match as its maker wants it.
pub struct Order {
    /// The game's word.
    pub game: String,
    /// What to call it; empty for a name by its set-up.
    pub name: String,
    /// The options.
    pub options: Options,
    /// Whether a person rolls.
    pub own_dice: bool,
}

/// The house.
pub struct House {
    titles: Vec<Arc<dyn Title>>,
    store: Arc<dyn Store>,
    writer: Writer,
    live: Mutex<HashMap<String, Arc<LiveMatch>>>,
    owner_key: String,
    prefs: Mutex<Prefs>,
}

impl House {
    /// Opens the house over a store.
    pub fn open(store: Arc<dyn Store>, titles: Vec<Arc<dyn Title>>) -> Result<Self, StoreError> {
        let owner_key = match store.setting("owner_key")? {
            Some(key) => key,
            None => {
                let key = secrets::token().map_err(StoreError::Other)?;
                store.set_setting("owner_key", &key)?;
                key
            }
        };
        store.purge(clock::now().saturating_sub(KEEP_DELETED_MS))?;
        let prefs = store.setting("prefs")?.map_or_else(Prefs::default, |text| Prefs::read(&text));
        let writer = Writer::start(Arc::clone(&store));
        Ok(Self { titles, writer, store, live: Mutex::default(), owner_key, prefs: Mutex::new(prefs) })
    }

    /// The key that lets into the lobby from another machine.
    pub fn owner_key(&self) -> &str {
        &self.owner_key
    }

    /// The games.
    pub fn titles(&self) -> &[Arc<dyn Title>] {
        &self.titles
    }

    /// The game of a word.
    pub fn title(&self, word: &str) -> Result<&Arc<dyn Title>, HouseError> {
        let found = self.titles.iter().find(|title| title.id() == word);
        found.ok_or_else(|| {
            let words: Vec<&str> = self.titles.iter().map(|title| title.id()).collect();
            HouseError::Bad(format!("unknown game {:?}; the games are: {}", shown(word), words.join(", ")))
        })
    }

    /// Runs something that waits for the disk without holding up others.
    pub async fn with_store<T: Send + 'static>(
        &self,
        work: impl FnOnce(&dyn Store) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, HouseError> {
        let store = Arc::clone(&self.store);
        let done = tokio::task::spawn_blocking(move || work(&*store)).await;
        done.map_err(|why| HouseError::Bad(format!("the work was broken off: {why}")))?
            .map_err(HouseError::Store)
    }

    /// Lets the holder of a token in.
    pub async fn enter(&self, id: &str, token: &str) -> Result<(Arc<LiveMatch>, Viewer), HouseError> {
        if !secrets::well_formed(id) || !secrets::well_formed(token) {
            return Err(HouseError::NotFound);
        }
        let found = self.find(id).await?;
        let viewer = found.holder(token).ok_or(HouseError::NotFound)?;
        Ok((found, viewer))
    }

    /// A match by its identifier, from memory or from the store. For the owner, who needs no token.
    pub async fn find(&self, id: &str) -> Result<Arc<LiveMatch>, HouseError> {
        if let Some(found) = self.in_memory(id) {
            return Ok(found);
        }
        let (record, journal) = self.stored(id).await?;
        let title = Arc::clone(self.title(&record.game)?);
        let tokens = (record.viewer_token.clone(), seat_tokens(&record.seats));
        let live = Live::restore(title, record, &journal)?;
        Ok(self.keep(id, tokens, live))
    }

    /// A match as it lies in the store, as the text of a save.
    pub async fn stored_text(&self, id: &str) -> Result<String, HouseError> {
        let (record, journal) = self.stored(id).await?;
        Ok(as_save(&record, &journal).0)
    }

    async fn stored(&self, id: &str) -> Result<(MatchRecord, Vec<Entry>), HouseError> {
        let wanted = id.to_owned();
        let read = move |store: &dyn Store| match store.find(&wanted)? {
            Some(record) if record.deleted_at.is_none() => {
                let journal = store.journal(&wanted)?;
                Ok(Some((record, journal)))
            }
            _ => Ok(None),
        };
        self.with_store(read).await?.ok_or(HouseError::NotFound)
    }

    fn in_memory(&self, id: &str) -> Option<Arc<LiveMatch>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner).get(id).cloned()
    }

    /// Puts a match into memory, unless somebody else has meanwhile: then theirs is the one.
    fn keep(&self, id: &str, tokens: (String, Vec<(Seat, String)>), live: Live) -> Arc<LiveMatch> {
        let mut all = self.live.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= MANY {
            sweep(&mut all, Duration::ZERO);
        }
        let (viewer_token, seat_tokens) = tokens;
        let made = || {
            let live = tokio::sync::Mutex::new(live);
            Arc::new(LiveMatch { id: id.to_owned(), viewer_token, seat_tokens, live })
        };
        Arc::clone(all.entry(id.to_owned()).or_insert_with(made))
    }

    /// Drops matches that nobody has looked at for a while; called now and then.
    pub fn sweep(&self) {
        sweep(&mut self.live.lock().unwrap_or_else(PoisonError::into_inner), IDLE);
    }

    /// Drops a match from memory: its next visitor reads it again, and those who look on now are sent off to come back.
    fn forget(&self, found: &LiveMatch, live: &mut Live) {
        live.send_off();
        let mut all = self.live.lock().unwrap_or_else(PoisonError::into_inner);
        // Somebody may have read the match again meanwhile: theirs stays.
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

    /// Makes a change: `act` plays it in memory; it counts, and is told, when it is on disk.
    ///
    /// It is a task of its own: a request is broken off when its sender goes away, and half a change must not be left
    /// behind.
    pub async fn change(
        self: &Arc<Self>,
        found: &Arc<LiveMatch>,
        act: impl FnOnce(&mut Live) -> Result<Pending, HouseError> + Send + 'static,
    ) -> Result<u32, HouseError> {
        let (house, found) = (Arc::clone(self), Arc::clone(found));
        let task = tokio::spawn(async move { house.make_change(&found, act).await });
        task.await.map_err(|why| HouseError::Bad(format!("the change was broken off: {why}")))?
    }

    async fn make_change(
        &self,
        found: &LiveMatch,
        act: impl FnOnce(&mut Live) -> Result<Pending, HouseError> + Send,
    ) -> Result<u32, HouseError> {
        let mut live = found.lock().await;
        // Who waited for the lock while the match was dropped has an old copy before them.
        if !self.in_memory(&found.id).is_some_and(|present| std::ptr::eq(&*present, found)) {
            return Err(HouseError::Stale { revision: live.revision });
        }
        live.spend()?;
        // A mistake in a rule must not leave half a change behind for the next one to build on.
        let acted = catch_unwind(AssertUnwindSafe(|| act(&mut live)));
        let mut pending = match acted {
            Ok(done) => done?,
            Err(_) => {
                self.forget(found, &mut live);
                return Err(HouseError::Unreadable(
                    "this choice met a fault of the program; nothing was changed".to_owned(),
                ));
            }
        };
        pending.append.match_id.clone_from(&found.id);
        let begun = Instant::now();
        match self.write(&pending).await {
            Ok(()) => Ok(live.committed(&pending, begun.elapsed())),
            Err(error) => {
                self.forget(found, &mut live);
                Err(error)
            }
        }
    }

    async fn write(&self, pending: &Pending) -> Result<(), HouseError> {
        let (answer, written) = oneshot::channel();
        let done = move |result| drop(answer.send(result));
        self.writer.append(pending.append.clone(), Box::new(done));
        match written.await {
            Ok(Ok(AppendOutcome::Written)) => Ok(()),
            Ok(Ok(AppendOutcome::Conflict)) => Err(HouseError::Stale { revision: pending.append.entry.seq }),
            Ok(Ok(AppendOutcome::Missing)) => Err(HouseError::NotFound),
            Ok(Err(error)) => Err(HouseError::Store(error)),
            Err(_) => Err(HouseError::Store(StoreError::Other("the store is closed".to_owned()))),
        }
    }

    /// Notes how far the holder of a seat has looked.
    pub async fn seen(&self, found: &LiveMatch, seat: Seat, steps: u32) {
        let mut live = found.lock().await;
        if let Some(record) = live.seats.iter_mut().find(|record| record.seat == seat.0) {
            record.seen = steps;
            self.writer.seen(&found.id, seat.0, steps);
        }
    }

    /// Puts what the memory knows and the store does not yet into records for the lobby: how far people have looked.
    pub async fn bring_up_to_date(&self, records: &mut [MatchRecord]) {
        for record in records {
            if let Some(found) = self.in_memory(&record.id) {
                record.seats.clone_from(&found.lock().await.seats);
            }
        }
    }

    /// Makes a new match and returns its identifier and the token of the first seat.
    pub async fn create(&self, order: &Order) -> Result<(String, String), HouseError> {
        let title = Arc::clone(self.title(&order.game)?);
        let dice = if order.own_dice {
            MatchDice::Own
        } else {
            let mut secret = [0; 32];
            getrandom::fill(&mut secret)
                .map_err(|why| HouseError::Bad(format!("no random numbers: {why}")))?;
            MatchDice::fair(Secret(secret))
        };
        let mut table = title.open(&order.options, dice).map_err(HouseError::Bad)?;
        table.settle(None);
        self.settle_in(title, table, order.name.trim(), None).await
    }

    /// Takes in a saved match.
    pub async fn import(&self, name: &str, text: &str) -> Result<(String, String, Vec<String>), HouseError> {
        let word = game_of_save(text).ok_or_else(|| {
            HouseError::Bad(format!(
                "{name} is not a match of Maproom: its first line should be \"maproom match 1\""
            ))
        })?;
        let title = Arc::clone(self.title(word)?);
        let mut opened =
            title.load(name, text).map_err(|problems: Problems| HouseError::Bad(problems.to_string()))?;
        // A record may end where the dice are due.
        opened.table.settle(None);
        let secret = !matches!(opened.table.dice(), MatchDice::Fair { secret: None, .. });
        if !secret && opened.table.result().is_none() {
            let why = "this match still goes on, and its record does not hold the secret of its dice: it can be looked \
                       at with `maproom verify`, but not played on";
            return Err(HouseError::Bad(format!("{name}: {why}")));
        }
        let name = name.trim_end_matches(".match");
        let (id, token) = self.settle_in(title, opened.table, name, None).await?;
        Ok((id, token, opened.notes))
    }

    /// A match of its own that goes the same way up to a step, and then as its player likes.
    pub async fn fork(&self, found: &LiveMatch, steps: usize) -> Result<(String, String), HouseError> {
        let live = found.lock().await;
        if !live.is_solo() {
            return Err(HouseError::Bad(
                "only a solo match can be played on from an earlier point".to_owned(),
            ));
        }
        let mut table = live.table.fork(steps);
        let turn = table.turn_title(table.turn());
        table.settle(None);
        let name = format!("{}: what if, {turn}", live.name);
        let title = Arc::clone(&live.title);
        let origin = Origin { match_id: found.id.clone(), step: steps as u32 };
        drop(live);
        self.settle_in(title, table, &name, Some(origin)).await
    }

    /// Writes a whole match down as a new one.
    async fn settle_in(
        &self,
        title: Arc<dyn Title>,
        table: Box<dyn Table>,
        name: &str,
        origin: Option<Origin>,
    ) -> Result<(String, String), HouseError> {
        let setup = title.setup_title(&*table);
        let id = secrets::match_id().map_err(HouseError::Bad)?;
        let mut seats = Vec::new();
        for (at, seat) in table.seats().iter().enumerate() {
            seats.push(SeatRecord {
                seat: at as u8,
                word: seat.word.to_owned(),
                token: secrets::token().map_err(HouseError::Bad)?,
                player: "person".to_owned(),
                claimed_at: None,
                seen: table.steps() as u32,
            });
        }
        let first_token = seats.first().map(|seat| seat.token.clone()).unwrap_or_default();
        let name: String = if name.is_empty() { setup.clone() } else { name.chars().take(80).collect() };
        let live = Live::new(Arc::clone(&title), table, name.clone(), seats.clone());
        let now = clock::now();
        let journal = vec![Entry { seq: 1, at: now, kind: live.whole_entry() }];
        let record = MatchRecord {
            id: id.clone(),
            game: title.id().to_owned(),
            name,
            setup,
            header: live.table.head(),
            options: statistics_options(&live.table.options()),
            viewer_token: secrets::token().map_err(HouseError::Bad)?,
            origin,
            created_at: now,
            changed_at: now,
            deleted_at: None,
            revision: 1,
            summary: live.summary(),
            seats,
        };
        drop(live);
        self.with_store(move |store| store.create(&record, &journal)).await?;
        Ok((id, first_token))
    }

    /// The settings of a visitor who has set none: those of the owner.
    pub fn default_prefs(&self) -> Prefs {
        *self.prefs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps the owner's settings, for every browser of theirs.
    pub async fn set_default_prefs(&self, prefs: Prefs) -> Result<(), HouseError> {
        *self.prefs.lock().unwrap_or_else(PoisonError::into_inner) = prefs;
        self.with_store(move |store| store.set_setting("prefs", &prefs.text())).await
    }
}

/// The options as JSON without the texts that a person brought along, which can be large.
fn statistics_options(options: &Options) -> String {
    let short: HashMap<&str, &str> = options
        .iter()
        .map(|(key, value)| (key.as_str(), if value.len() > 100 { "own" } else { value.as_str() }))
        .collect();
    serde_json::to_string(&short).unwrap_or_default()
}

fn seat_tokens(seats: &[SeatRecord]) -> Vec<(Seat, String)> {
    seats.iter().map(|seat| (Seat(seat.seat), seat.token.clone())).collect()
}

/// Drops what nobody looks at. A match that is locked is being used.
fn sweep(all: &mut HashMap<String, Arc<LiveMatch>>, idle: Duration) {
    all.retain(|_, found| found.live.try_lock().map_or(true, |live| !live.is_idle(idle)));
}

#[cfg(test)]
mod tests;
