//! The desk of the postman: what the server knows about what a notice is about.

use std::sync::Arc;

use post::{Desk, Headline, Zone};
use store::{AccountId, AccountState, NoticeKey, People, StoreError};
use tracing::warn;

use super::presence::Presence;
use crate::lobby::Lobby;

/// The desk of a server.
pub struct HouseDesk {
    lobby: Arc<Lobby>,
    people: Arc<dyn People>,
    presence: Arc<Presence>,
}

impl HouseDesk {
    /// The desk of a lobby and its accounts.
    pub fn new(lobby: Arc<Lobby>, people: Arc<dyn People>, presence: Arc<Presence>) -> Self {
        Self { lobby, people, presence }
    }
}

impl Desk for HouseDesk {
    fn headline(&self, key: &NoticeKey) -> Result<Option<Headline>, StoreError> {
        let account = self.people.account(key.account)?;
        // An account that the house has closed, or that was deleted, is told nothing.
        match account.filter(|account| account.state == AccountState::Open) {
            Some(_) => self.lobby.headline(key),
            None => Ok(None),
        }
    }

    fn is_looking(&self, key: &NoticeKey) -> bool {
        self.presence.is_looking(key.account, &key.match_id)
            || self.lobby.looks_elsewhere(key.account, &key.match_id)
    }

    fn zone(&self, account: AccountId) -> Zone {
        match self.people.account(account) {
            Ok(found) => found.map_or(Zone::UTC, |found| Zone::named(&found.zone)),
            Err(why) => {
                warn!("the zone of {account} could not be read: {why}");
                Zone::UTC
            }
        }
    }
}
