//! Notices in the server: the postman at his desk, who is looking at what, and the letters of accounts.
//!
//! What is to be told is written with the entry that it follows from (`live/effects`). The postman works on a thread of his own,
//! beside the house while it serves, and asks the [`desk`] whether it still matters. Letters that somebody has asked for go by
//! the same mailer, from the [`letters`] queue.

mod desk;
mod letters;
mod presence;

use std::sync::Arc;

use people::limits::Hourly;
use post::{Carriers, Postman, Refusal, Rounds, read_unsubscribe};
use store::{
    AccountId, ChannelId, ChannelKind, ChannelRecord, NewChannel, NoticeKey, People, Post, StoreError,
};
use tokio::sync::Semaphore;

pub use letters::LetterBox;
pub(crate) use presence::Looking;
use presence::Presence;

use crate::clock::Clock;
use crate::lobby::Lobby;
use desk::HouseDesk;

/// How many channels are tested at a time: each test may take as long as the other side is given.
const TESTS: usize = 2;

/// The notices of a server.
pub struct Notices {
    post: Arc<dyn Post>,
    carriers: Arc<Carriers>,
    postman: Arc<Postman>,
    presence: Arc<Presence>,
    tests: Hourly<(AccountId, ChannelId)>,
    testing: Semaphore,
}

impl Notices {
    /// The notices of the matches of a lobby, by a clock.
    pub fn new(
        lobby: &Arc<Lobby>,
        people: Arc<dyn People>,
        post: Arc<dyn Post>,
        carriers: Arc<Carriers>,
        clock: Clock,
    ) -> Self {
        let presence = Arc::<Presence>::default();
        let desk = HouseDesk::new(Arc::clone(lobby), people, Arc::clone(&presence));
        let clock: post::Clock = Arc::new(move || clock.now());
        let postman = Postman::new(Arc::clone(&post), Arc::new(desk), Arc::clone(&carriers), clock);
        let (tests, testing) = (Hourly::default(), Semaphore::new(TESTS));
        Self { post, carriers, postman: Arc::new(postman), presence, tests, testing }
    }

    /// Sends the postman on his rounds, until what is returned is dropped.
    pub(crate) fn start(&self) -> std::io::Result<Rounds> {
        Rounds::start(Arc::clone(&self.postman))
    }

    /// The postman, for tests that make him work by hand.
    #[cfg(test)]
    pub(crate) fn postman(&self) -> &Postman {
        &self.postman
    }

    /// What the house can send by.
    pub(crate) fn carriers(&self) -> &Carriers {
        &self.carriers
    }

    /// Notes that an account sees a match, until what is returned is dropped.
    pub(crate) fn looks(&self, account: AccountId, match_id: &str) -> Looking {
        Presence::looks(&self.presence, account, match_id)
    }

    /// Does something blocking with the channels on another thread.
    pub(crate) async fn with<T: Send + 'static>(
        &self,
        work: impl FnOnce(&dyn Post) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let post = Arc::clone(&self.post);
        let done = tokio::task::spawn_blocking(move || work(&*post)).await;
        done.unwrap_or(Err(StoreError::Closed))
    }

    /// Sends a test by a channel; `None` if its owner has tested it too often, or too many are tested just now.
    pub(crate) async fn test(
        &self,
        account: AccountId,
        channel: ChannelId,
        now: u64,
    ) -> Option<Result<Result<(), Refusal>, StoreError>> {
        let _place = self.testing.try_acquire().ok()?;
        if !self.tests.take((account, channel), now) {
            return None;
        }
        let postman = Arc::clone(&self.postman);
        let done = tokio::task::spawn_blocking(move || postman.test(account, channel)).await;
        Some(done.unwrap_or(Err(StoreError::Closed)))
    }

    /// The channel that a token of a mail ends; `None` if the house has not made it. The channel may be gone already.
    pub(crate) fn unsubscribes(&self, token: &str) -> Option<(AccountId, ChannelId)> {
        read_unsubscribe(self.carriers.secret(), token)
    }

    /// Lets the mails of an account go to its present address, or ends them if it has none any more.
    pub(crate) async fn follow_address(
        &self,
        account: AccountId,
        address: Option<String>,
    ) -> Result<(), StoreError> {
        let follow = move |post: &dyn Post| {
            for old in mails_elsewhere(post, account, address.as_deref())? {
                // The old one goes first: there may be room for no other.
                post.remove_channel(account, old.id)?;
                if let Some(address) = address.clone() {
                    post.add_channel(&NewChannel { address, ..old.channel })?;
                }
            }
            Ok(())
        };
        self.with(follow).await
    }

    /// Queues a notice that follows from no entry.
    pub(crate) async fn queue(&self, notices: Vec<(NoticeKey, u64)>) -> Result<(), StoreError> {
        self.with(move |post| post.queue(&notices).map(drop)).await
    }
}

/// The mail channels of an account that lead to another address than its own.
fn mails_elsewhere(
    post: &dyn Post,
    account: AccountId,
    address: Option<&str>,
) -> Result<Vec<ChannelRecord>, StoreError> {
    let mut channels = post.channels(account)?;
    channels
        .retain(|one| one.channel.kind == ChannelKind::Mail && Some(one.channel.address.as_str()) != address);
    Ok(channels)
}

#[cfg(test)]
mod tests;
