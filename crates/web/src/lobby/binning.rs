//! The bin: a match in it can't be played, so nobody's time runs there.

use std::sync::Arc;

use store::TableEvent;
use tracing::warn;

use super::{LiveMatch, Lobby, LobbyError, Sender};
use crate::live::{Live, Pending};
use crate::proceedings::Proceedings;

impl Lobby {
    /// Puts a match into the bin. Returns whether there is such a match.
    pub async fn put_in_bin(self: &Arc<Self>, id: &str) -> Result<bool, LobbyError> {
        match self.has_running_clock(id).await {
            Ok(true) => self.hold_clock(id).await?,
            // A match that is in the bin already, or in no way to be read, has no clock to be held.
            Ok(false) | Err(LobbyError::NotFound) => {}
            Err(error) => return Err(error),
        }
        let (of, now) = (id.to_owned(), self.now());
        let known = self.with_store(move |store| store.mark_deleted(&of, Some(now))).await?;
        self.close(id).await;
        self.tell_beside(id);
        Ok(known)
    }

    /// Takes a match out of the bin again. Returns whether there is such a match.
    pub async fn take_out_of_bin(self: &Arc<Self>, id: &str) -> Result<bool, LobbyError> {
        let of = id.to_owned();
        let known = self.with_store(move |store| store.mark_deleted(&of, None)).await?;
        if known && self.has_running_clock(id).await? {
            // Read again, it goes on.
            match self.find(id).await {
                Ok(found) => {
                    // Who has announced a rest meanwhile rests here too.
                    let seats = found.lock().await.seats.clone();
                    self.rest_at_table(id, &seats).await;
                }
                Err(LobbyError::Parted { .. } | LobbyError::Unreadable(_)) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(known)
    }

    /// Whether people play a match on a clock. The journal says so without the game.
    async fn has_running_clock(&self, id: &str) -> Result<bool, LobbyError> {
        let (record, journal) = self.stored(id).await?;
        let proceedings = Proceedings::of(record.seats.len(), &journal, &self.house.outages());
        Ok(proceedings.clock.is_some() && proceedings.ended.is_none() && record.summary.result.is_none())
    }

    async fn hold_clock(self: &Arc<Self>, id: &str) -> Result<(), LobbyError> {
        let found = match self.find(id).await {
            Ok(found) => found,
            Err(LobbyError::Parted { .. } | LobbyError::Unreadable(_)) => return Ok(()),
            Err(error) => return Err(error),
        };
        match self.commit_anyhow(&found, Sender::default(), |live: &mut Live| live.bin(true)).await {
            Ok(_) | Err(LobbyError::Stale { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// A match that is read is not in the bin: whatever held its clock is over.
    pub(super) fn go_on_after_bin(self: &Arc<Self>, found: &Arc<LiveMatch>, live: &Live) {
        if !live.proceedings.is_binned {
            return;
        }
        let (lobby, found) = (Arc::clone(self), Arc::clone(found));
        tokio::spawn(async move {
            match lobby.commit_anyhow(&found, Sender::default(), |live: &mut Live| live.bin(false)).await {
                Ok(_) | Err(LobbyError::Stale { .. }) => {}
                Err(error) => warn!("match {}: it can't go on after the bin: {error}", found.id),
            }
        });
    }
}

impl Live {
    /// Notes that the match goes into the bin or is out of it again; stale if that is so already.
    fn bin(&mut self, goes_in: bool) -> Result<Pending, LobbyError> {
        if self.proceedings.is_binned == goes_in {
            return Err(LobbyError::Stale { revision: self.revision });
        }
        Ok(self.happen(TableEvent::Bin { goes_in }))
    }
}
