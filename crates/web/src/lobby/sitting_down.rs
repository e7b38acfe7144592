//! Sitting down: whoever plays against others says that they are there, and puts a number into the dice.

use std::sync::Arc;

use kernel::Seat;
use tracing::warn;

use super::{LiveMatch, Lobby, LobbyError, Sender};
use crate::live::{Live, Pending};

impl Lobby {
    /// Somebody sits down, with what they commit to where the dice wait for numbers. Returns whether that has changed anything.
    pub async fn sit(
        self: &Arc<Self>,
        found: &Arc<LiveMatch>,
        seat: Seat,
        commitment: Option<String>,
    ) -> Result<bool, LobbyError> {
        self.change_if(found, move |live| live.sit(seat, commitment.as_deref())).await
    }

    /// Somebody shows the number that they have committed to. Returns whether that has changed anything.
    pub async fn show_number(
        self: &Arc<Self>,
        found: &Arc<LiveMatch>,
        seat: Seat,
        number: String,
    ) -> Result<bool, LobbyError> {
        self.change_if(found, move |live| live.show_number(seat, &number)).await
    }

    /// Makes a change, if there is one to make.
    async fn change_if(
        self: &Arc<Self>,
        found: &Arc<LiveMatch>,
        act: impl FnOnce(&mut Live) -> Result<Option<Pending>, LobbyError> + Clone + Send + 'static,
    ) -> Result<bool, LobbyError> {
        let act = move |live: &mut Live| {
            live.spend()?;
            act(live)?.ok_or(LobbyError::Stale { revision: live.revision })
        };
        match self.commit_anyhow(found, Sender::default(), act).await {
            Ok(_) => Ok(true),
            Err(LobbyError::Stale { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Rolls the dice that have waited for the players, once all numbers are in: an entry of its own, which follows from the
    /// last number and is made again if the house has died in between.
    pub(super) fn roll_on(self: &Arc<Self>, found: &Arc<LiveMatch>, live: &Live) {
        if !live.rolls_now() {
            return;
        }
        let (lobby, found) = (Arc::clone(self), Arc::clone(found));
        tokio::spawn(async move {
            match lobby.commit(&found, Live::roll_on).await {
                Ok(_) | Err(LobbyError::Stale { .. }) => {}
                Err(error) => warn!("match {}: its dice can't be rolled: {error}", found.id),
            }
        });
    }
}
