//! Deadlines: whose time has run out, and what follows.
//!
//! The table of deadlines in the store is an index. It says when to look at a match; whether somebody's time has really run out
//! is computed from the journal, because an outage since then has moved the deadline. A flag carries the revision that it was
//! computed for: if somebody has chosen meanwhile it is stale and falls away.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use store::{Deadline, Effect};
use tracing::{info, warn};

use super::{Lobby, LobbyError};
use crate::proceedings::Proceedings;

/// How many matches are looked at in one sweep: the rest waits for the next, a second later.
const AT_MOST: usize = 256;
/// When a match that can't be opened is looked at again.
const LATER: u64 = clocks::HOUR;

/// How a match stands, for its deadline.
struct Standing {
    revision: u32,
    deadline: Option<(u8, u64)>,
    grace: u64,
}

impl Lobby {
    /// Keeps in mind when the next deadline is.
    pub(super) fn note_deadline(&self, effects: &[Effect]) {
        for effect in effects {
            if let Effect::Deadline { at, .. } = effect {
                self.next_deadline.fetch_min(*at, Ordering::SeqCst);
            }
        }
    }

    /// Flags those whose time has run out, and notes that the house lives; called every second. Where nobody's time runs it
    /// neither reads nor writes. Returns how many flags fell.
    pub async fn sweep_deadlines(self: &Arc<Self>) -> Result<usize, LobbyError> {
        if self.is_shared() {
            // Another server may have written one that is nearer than all that are known here.
            self.read_next_deadline().await.inspect_err(|_| self.house.note_silence())?;
        }
        let house = Arc::clone(&self.house);
        if self.next_deadline.load(Ordering::SeqCst) == u64::MAX {
            self.with_store(move |_| house.rest()).await?;
            return Ok(0);
        }
        self.with_store(move |store| house.note(store)).await?;
        let now = self.house.now();
        if self.next_deadline.load(Ordering::SeqCst) > now {
            return Ok(0);
        }
        // A deadline that is written from here on is either in what is read below or noted after this.
        self.next_deadline.store(u64::MAX, Ordering::SeqCst);
        let due = self.with_store(move |store| store.deadlines(now, AT_MOST)).await;
        let mut flags = 0;
        for deadline in due.as_deref().unwrap_or_default() {
            match self.look_at(deadline, now).await {
                Ok(has_fallen) => flags += usize::from(has_fallen),
                Err(why) => {
                    warn!("match {}: its clock can't be looked at: {why}", deadline.match_id);
                    self.put_off(deadline, now).await;
                }
            }
        }
        let next = self.with_store(|store| store.deadlines(u64::MAX, 1)).await;
        // If the store does not answer, it is asked again in a second.
        let at = next.as_ref().map_or(now, |next| next.first().map_or(u64::MAX, |first| first.at));
        self.next_deadline.fetch_min(at, Ordering::SeqCst);
        due.and(next).map(|_| flags)
    }

    async fn read_next_deadline(&self) -> Result<(), LobbyError> {
        let next = self.with_store(|store| store.deadlines(u64::MAX, 1)).await?;
        self.next_deadline.store(next.first().map_or(u64::MAX, |first| first.at), Ordering::SeqCst);
        Ok(())
    }

    async fn put_off(&self, deadline: &Deadline, now: u64) {
        let Deadline { match_id, seat, revision, .. } = deadline.clone();
        let later = Some((seat, now + LATER));
        if let Err(why) = self.with_store(move |store| store.set_deadline(&match_id, revision, later)).await {
            warn!("match {}: its deadline can't be put off: {why}", deadline.match_id);
        }
    }

    /// How a match stands, without opening it if it is not in memory: its journal is enough.
    async fn standing(self: &Arc<Self>, id: &str) -> Result<Standing, LobbyError> {
        self.refresh(id).await?;
        let outages = self.house.outages();
        let (revision, proceedings) = match self.in_memory(id) {
            Some(found) => {
                let live = found.lock().await;
                (live.revision, live.proceedings.clone())
            }
            None => {
                let (record, journal) = self.stored(id).await?;
                (record.revision, Proceedings::of(record.seats.len(), &journal, &outages))
            }
        };
        Ok(Standing { revision, deadline: proceedings.deadline(&outages), grace: proceedings.grace() })
    }

    /// Looks at a match whose deadline has come. Returns whether a flag has fallen.
    async fn look_at(self: &Arc<Self>, due: &Deadline, now: u64) -> Result<bool, LobbyError> {
        let Standing { revision, deadline, grace } = self.standing(&due.match_id).await?;
        if revision != due.revision {
            return Ok(false);
        }
        let flag_at = deadline.map(|(seat, at)| (seat, at.saturating_add(grace)));
        match flag_at {
            // After a start everybody has the grace anew.
            Some((_, at)) if at <= now && now < self.house.started().saturating_add(grace) => Ok(false),
            Some((seat, at)) if at <= now => self.let_flag_fall(&due.match_id, seat, revision).await,
            later => {
                let id = due.match_id.clone();
                self.with_store(move |store| store.set_deadline(&id, revision, later)).await?;
                Ok(false)
            }
        }
    }

    async fn let_flag_fall(self: &Arc<Self>, id: &str, seat: u8, revision: u32) -> Result<bool, LobbyError> {
        let found = self.find(id).await?;
        match self.commit(&found, move |live| live.flag(seat, revision)).await {
            Ok(_) => {
                info!("match {id}: the time of seat {seat} has run out");
                Ok(true)
            }
            Err(LobbyError::Stale { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }
}
