//! Links that are renewed or revoked: the old one opens nothing any more, and pages that were opened with it are closed.

use std::sync::Arc;

use kernel::{Seat, Viewer};

use super::{LiveMatch, Lobby, LobbyError, Requester};
use crate::live::Live;
use crate::secrets;

/// What happens to a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkChange {
    /// Another takes its place.
    Renew,
    /// None takes its place, until it is renewed.
    Revoke,
}

impl Lobby {
    /// Renews or revokes the link of a seat, or with [`Viewer::Spectator`] the one for watching. Returns the new token; empty
    /// for none.
    pub async fn change_link(
        self: &Arc<Self>,
        found: &Arc<LiveMatch>,
        by: Requester,
        whose: Viewer,
        change: LinkChange,
    ) -> Result<String, LobbyError> {
        let mut live = self.lock_current(found).await?;
        live.may_change_link(by, whose, change)?;
        let token = match change {
            LinkChange::Renew => secrets::token()?,
            LinkChange::Revoke => String::new(),
        };
        let seat = match whose {
            Viewer::Seat(seat) => Some(seat.0),
            Viewer::Spectator => None,
        };
        let (id, new) = (found.id.clone(), token.clone());
        if !self.with_store(move |store| store.set_token(&id, seat, &new)).await? {
            return Err(LobbyError::NotFound);
        }
        // All pages are disconnected and come back, except those whose link is gone.
        self.forget(found, &mut live);
        self.tell_beside(&found.id);
        Ok(token)
    }
}

impl Live {
    /// The creator of a match decides about its links, and players about their own.
    fn may_change_link(&self, by: Requester, whose: Viewer, change: LinkChange) -> Result<(), LobbyError> {
        let refuse = |why: &str| Err(LobbyError::Bad(why.to_owned()));
        if let Viewer::Seat(Seat(seat)) = whose {
            let record = self.seats.get(usize::from(seat));
            if !record.is_some_and(|record| record.player.is_a_persons()) {
                return refuse("This seat has no link.");
            }
            if record.is_some_and(|record| record.player.account().is_some()) {
                return refuse("This seat is kept by an account: it has no link.");
            }
        }
        let is_own = by.viewer == whose && whose != Viewer::Spectator;
        if !self.is_maker(by) && !is_own {
            return Err(LobbyError::WatchOnly);
        }
        if change == LinkChange::Revoke && by.viewer == whose {
            return refuse("You would shut yourself out: renew your link instead.");
        }
        Ok(())
    }
}
