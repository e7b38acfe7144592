//! Copies of matches that other servers write to, too: what is missing is read, played here, and shown to those who look on here.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use kernel::{Seat, Viewer};
use store::{Entry, EntryKind, Hint, MatchRecord, Room, StoreError, TableEvent, Topic, Windows};
use tokio::sync::MutexGuard;
use tracing::{debug, warn};

use super::sharing::Sharing;
use super::{Coached, Keys, LiveMatch, Lobby, LobbyError, Pace};
use crate::live::{BeforeChange, Live};

/// A copy about which nothing was heard for so long is compared before it is used.
const FRESH: Duration = Duration::from_millis(2_500);

/// An entry after which the match is read anew: other links open it.
fn changes_keys(entry: &Entry, live: &Live) -> bool {
    let EntryKind::Event(event) = &entry.kind else { return false };
    let before = |seat: u8| live.seats.iter().find(|record| record.seat == seat).map(|record| &record.player);
    match live.proceedings.handed(event, &live.seats) {
        Some((seat, player)) => before(seat).and_then(store::Player::account) != player.account(),
        None => false,
    }
}

impl Lobby {
    /// Heeds what another server has told.
    pub(super) async fn heed(self: Arc<Self>, hint: Hint) {
        let (Some(sharing), Some(found)) = (&self.sharing, self.in_memory(&hint.match_id)) else { return };
        if !self.is_looked_at(&found) {
            found.doubt();
            return;
        }
        let Ok(_place) = sharing.reading.acquire().await else { return };
        // Whoever wants to choose or to look at the match would have to wait until the database has not answered. Afterwards it is asked
        // for what is missing.
        if !sharing.is_reached() {
            found.doubt();
            return;
        }
        let heeded = match hint.about {
            Topic::Journal(revision) => self.read_up_to(&found, revision).await,
            Topic::Beside => self.look_beside(&found).await,
        };
        if let Err(why) = heeded {
            found.doubt();
            debug!("match {}: what another server has written can't be read: {why}", found.id);
        }
    }

    /// Whether somebody looks at a match here, or this server has to do something for it.
    fn is_looked_at(&self, found: &LiveMatch) -> bool {
        self.drives(&found.id) || found.live.try_lock().map_or(true, |live| live.audience() > 0)
    }

    /// Brings the copy of a match up to a revision that a page has seen, perhaps at another server: nobody is shown less than they have
    /// seen, and nobody is called late who is not.
    pub async fn reach(self: &Arc<Self>, found: &Arc<LiveMatch>, revision: u32) {
        if self.sharing.as_ref().is_some_and(Sharing::is_reached)
            && let Err(why) = self.read_up_to(found, revision).await
        {
            debug!("match {}: revision {revision} can't be read: {why}", found.id);
        }
    }

    async fn read_up_to(self: &Arc<Self>, found: &Arc<LiveMatch>, revision: u32) -> Result<(), LobbyError> {
        let mut live = found.lock().await;
        match live.revision < revision && self.holds(found) {
            true => self.catch_up(found, &mut live).await,
            false => Ok(()),
        }
    }

    /// Reads what others have written about all matches that somebody looks at; called every two seconds.
    pub(super) async fn ask_others(self: &Arc<Self>) -> Result<(), LobbyError> {
        if !self.sharing.as_ref().is_some_and(Sharing::is_reached) {
            return Ok(());
        }
        let looked_at: Vec<Arc<LiveMatch>> =
            self.all_in_memory().into_iter().filter(|found| self.is_looked_at(found)).collect();
        if looked_at.is_empty() {
            return Ok(());
        }
        let ids: Vec<String> = looked_at.iter().map(|found| found.id.clone()).collect();
        let of = ids.clone();
        let records = self.with_store(move |store| store.glance(&of)).await?;
        let mut records: HashMap<String, MatchRecord> =
            records.into_iter().map(|record| (record.id.clone(), record)).collect();
        let others = self.with_neighbours(move |house, server| house.other_windows(server, &ids)).await?;
        let mut windows: HashMap<String, Vec<Windows>> = HashMap::new();
        for one in others {
            windows.entry(one.match_id.clone()).or_default().push(one);
        }
        for found in looked_at {
            let others = windows.remove(&found.id).unwrap_or_default();
            if let Err(why) = self.compare(&found, records.remove(&found.id)).await {
                warn!("match {}: what other servers have written can't be read: {why}", found.id);
            }
            self.note_others(&found, &others).await;
        }
        Ok(())
    }

    /// Brings the copy of a match up to date before it is used, unless that was done a moment ago. While the database does not answer
    /// the copy is shown as it is.
    pub(super) async fn refresh(self: &Arc<Self>, id: &str) -> Result<(), LobbyError> {
        if !self.sharing.as_ref().is_some_and(Sharing::is_reached) {
            return Ok(());
        }
        let Some(found) = self.in_memory(id).filter(|found| !found.is_fresh()) else { return Ok(()) };
        let ids = [id.to_owned()];
        let compared = match self.with_store(move |store| store.glance(&ids)).await {
            Ok(mut records) => self.compare(&found, records.pop()).await,
            Err(error) => Err(error),
        };
        match compared {
            Err(LobbyError::Store(_)) => Ok(()),
            compared => compared,
        }
    }

    /// Compares a copy with the record of its match.
    async fn compare(
        self: &Arc<Self>,
        found: &Arc<LiveMatch>,
        record: Option<MatchRecord>,
    ) -> Result<(), LobbyError> {
        let mut live = found.lock().await;
        if !self.holds(found) {
            return Ok(());
        }
        let Some(record) = record.filter(|record| record.deleted_at.is_none()) else {
            self.forget(found, &mut live);
            return Ok(());
        };
        if record.revision > live.revision {
            self.catch_up(found, &mut live).await?;
        }
        let steps = live.table.steps() as u32;
        for (seat, stored) in live.seats.iter_mut().zip(&record.seats) {
            seat.seen = seat.seen.max(stored.seen.min(steps));
        }
        if record.revision == live.revision && is_otherwise(found, &live, &record) {
            self.follow_beside(found, &mut live).await?;
        }
        found.note_fresh();
        Ok(())
    }

    /// Looks for what has changed beside the journal of a match.
    pub(super) async fn look_beside(self: &Arc<Self>, found: &Arc<LiveMatch>) -> Result<(), LobbyError> {
        let mut live = found.lock().await;
        if !self.holds(found) {
            return Ok(());
        }
        self.catch_up(found, &mut live).await?;
        if !self.holds(found) {
            return Ok(());
        }
        self.follow_beside(found, &mut live).await?;
        if self.holds(found) {
            self.read_orders_anew(found, &mut live).await?;
            self.listen_for_talk(found, &mut live).await?;
        }
        Ok(())
    }

    /// Reads the entries that are missing here and plays them. A copy that can't follow is dropped: the next visitor reads the match.
    pub(super) async fn catch_up(
        self: &Arc<Self>,
        found: &Arc<LiveMatch>,
        live: &mut MutexGuard<'_, Live>,
    ) -> Result<(), LobbyError> {
        let (id, known) = (found.id.clone(), live.revision);
        let entries = self.with_store(move |store| store.journal_after(&id, known)).await?;
        for entry in &entries {
            let reads_anew = changes_keys(entry, live);
            let followed = workers::caught(|| live.follow(entry));
            let why = match followed {
                Ok(Ok(())) if !reads_anew => {
                    self.lead_leaver_away(found, live, entry);
                    continue;
                }
                Ok(Ok(())) => "other links open it".to_owned(),
                Ok(Err(why)) => why,
                Err(panic) => panic.message().to_owned(),
            };
            debug!("match {}: read anew, because {why}", found.id);
            self.forget(found, live);
            return Ok(());
        }
        if entries.is_empty() {
            return Ok(());
        }
        debug!("match {}: followed to revision {}", found.id, live.revision);
        self.read_orders_anew(found, live).await?;
        live.publish_followed();
        found.flush_later(live);
        if live.is_over() {
            self.tend_soon();
        }
        self.run_bots(found, live);
        self.expect_answer(&found.id, live);
        self.analyse(found, live);
        Ok(())
    }

    /// Whoever has given up at another server may watch how it goes on.
    fn lead_leaver_away(&self, found: &LiveMatch, live: &mut Live, entry: &Entry) {
        if let EntryKind::Event(TableEvent::Resign { seat, bot: Some(_) }) = &entry.kind {
            let (seat, watch) = (Seat(*seat), found.keys.viewer());
            found.keys.close(seat);
            live.lead_away(seat, (!watch.is_empty()).then(|| format!("/m/{}/{watch}", found.id)));
        }
    }

    /// Takes back a change that could not be written, and follows what others have written instead.
    pub(super) async fn take_back(
        self: &Arc<Self>,
        found: &Arc<LiveMatch>,
        live: &mut MutexGuard<'_, Live>,
        before: BeforeChange,
        why: &LobbyError,
    ) {
        live.restore_before(before);
        // Whether it was written nobody knows, or somebody else was faster: either way the journal says how it stands.
        let is_behind =
            matches!(why, LobbyError::Stale { .. } | LobbyError::Store(StoreError::Unknown { .. }));
        if !is_behind {
            return;
        }
        if let Err(why) = self.catch_up(found, live).await {
            found.doubt();
            warn!("match {}: what other servers have written can't be read: {why}", found.id);
        }
    }

    /// What stands beside the journal is read again under the lock: what was seen before may be older than a change that was made here.
    async fn follow_beside(
        self: &Arc<Self>,
        found: &Arc<LiveMatch>,
        live: &mut MutexGuard<'_, Live>,
    ) -> Result<(), LobbyError> {
        let record = match self.stored_record(&found.id).await {
            Ok(record) => record,
            Err(LobbyError::NotFound) => {
                self.forget(found, live);
                return Ok(());
            }
            Err(error) => return Err(error),
        };
        if record.revision != live.revision {
            return Ok(());
        }
        if !found.keys.open_the_same(&Keys::of(&record)) || has_other_players(live, &record) {
            self.forget(found, live);
            return Ok(());
        }
        live.name.clone_from(&record.name);
        for (seat, stored) in live.seats.iter_mut().zip(&record.seats) {
            seat.claimed_at = stored.claimed_at;
        }
        let pace = Pace::read(&record.pace).unwrap_or_default();
        let has_other_pace = live.bots.pace() != pace;
        if has_other_pace {
            live.bots.set_pace(pace);
        }
        let has_other_page = has_other_page(live, &record);
        if has_other_page {
            live.coached = Coached::of(&*live.title, &*live.table, &record.lesson);
        }
        if has_other_pace || has_other_page {
            live.publish_page();
            self.run_bots(found, live);
        }
        Ok(())
    }

    /// The orders of a match as they are kept: an entry of another server may have answered for one, or ended it.
    async fn read_orders_anew(
        self: &Arc<Self>,
        found: &LiveMatch,
        live: &mut MutexGuard<'_, Live>,
    ) -> Result<(), LobbyError> {
        let (books, answers) = self.stored_orders(&found.id).await?;
        if books.is_empty() && live.orders.is_empty() {
            return Ok(());
        }
        live.take_orders(&books, answers);
        self.expect_answer(&found.id, live);
        live.publish_orders();
        Ok(())
    }

    /// Tells those who are in a room that something was said there, at another server.
    async fn listen_for_talk(&self, found: &LiveMatch, live: &mut Live) -> Result<(), LobbyError> {
        if !live.company.talks {
            return Ok(());
        }
        let id = found.id.clone();
        let last = self.with_accounts(move |people| people.lines(&id, &Room::ALL, 0, 1)).await?;
        if let Some(line) = last.last() {
            live.tell_of_talk(line.line.room, line.n);
        }
        Ok(())
    }

    /// Notes who has a window open at other servers.
    async fn note_others(self: &Arc<Self>, found: &Arc<LiveMatch>, others: &[Windows]) {
        let mut live = found.lock().await;
        let mut elsewhere: Vec<(Viewer, u32)> = Vec::new();
        for one in others {
            let viewer = one.seat.map_or(Viewer::Spectator, |seat| Viewer::Seat(Seat(seat)));
            match elsewhere.iter_mut().find(|(of, _)| *of == viewer) {
                Some((_, count)) => *count += one.open,
                None => elsewhere.push((viewer, one.open)),
            }
        }
        if live.elsewhere != elsewhere {
            live.elsewhere = elsewhere;
            Self::note_presence(found, &mut live);
        }
    }

    /// Reads all matches anew whose clock runs: when nobody served has changed for them.
    pub(super) async fn read_clocks_anew(&self) {
        for found in self.all_in_memory() {
            let mut live = found.lock().await;
            if live.proceedings.clock.is_some() {
                self.forget(&found, &mut live);
            }
        }
    }
}

/// Whether a record says something about its match that the copy here does not know.
fn is_otherwise(found: &LiveMatch, live: &Live, record: &MatchRecord) -> bool {
    !found.keys.open_the_same(&Keys::of(record))
        || has_other_players(live, record)
        || live.name != record.name
        || live.bots.pace() != Pace::read(&record.pace).unwrap_or_default()
        || has_other_page(live, record)
        || live.seats.iter().zip(&record.seats).any(|(seat, stored)| seat.claimed_at < stored.claimed_at)
}

/// Whether the learner has turned a page elsewhere. A lesson that the game does not have any more has none.
fn has_other_page(live: &Live, record: &MatchRecord) -> bool {
    live.coached.is_some() && Coached::word(live.coached.as_ref()) != record.lesson
}

fn has_other_players(live: &Live, record: &MatchRecord) -> bool {
    // Where the journal says who plays, it was followed.
    let is_told = live.proceedings.has_events;
    !is_told && live.seats.iter().zip(&record.seats).any(|(seat, stored)| seat.player != stored.player)
}

impl LiveMatch {
    /// Whether this copy was compared with its record a moment ago.
    fn is_fresh(&self) -> bool {
        self.compared().is_some_and(|at| at.elapsed() < FRESH)
    }

    pub(super) fn note_fresh(&self) {
        *self.compared() = Some(Instant::now());
    }

    /// Another server may have written something.
    pub(super) fn doubt(&self) {
        *self.compared() = None;
    }
}
