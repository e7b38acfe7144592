//! The postman: takes what is due, gathers it, sends it, tries again.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use ring::hmac;
use store::{
    AccountId, Addressed, ChannelId, ChannelRecord, Letter, NoticeKey, NoticeKind, Post, QueuedNotice,
    Settled, StoreError,
};
use tracing::{error, info, warn};

use crate::policy::{hold, is_moot, is_wanted};
use crate::secret::{code, hex};
use crate::{
    Carrier, Carriers, Delivery, Headline, Matter, Message, Outcome, Parcel, Refusal, Verdict, Zone, compose,
    read_unsubscribe, test_message,
};

/// How many notices are looked at in one go. Nothing but these and one letter is ever held in memory.
const BATCH: usize = 256;

/// How long a letter belongs to whoever claimed it: longer than sending takes, and after a crash not too long.
const LEASE: u64 = 120_000;

/// How long notices that are settled are kept: longer than any stint, so that none comes twice.
const KEPT: u64 = 400 * 24 * 3_600_000;

/// How often what is old is removed.
const TIDIED_EVERY: u64 = 24 * 3_600_000;

/// How long the postman rests when there is nothing to do.
const REST: Duration = Duration::from_secs(1);

/// The time in milliseconds since 1970. Tests turn it by hand.
pub type Clock = Arc<dyn Fn() -> u64 + Send + Sync>;

/// What the postman asks the house.
pub trait Desk: Send + Sync {
    /// What is public about what a notice is about; `None` if it has passed: the choice was made, the order answered, the offer
    /// taken, the match deleted.
    fn headline(&self, key: &NoticeKey) -> Result<Option<Headline>, StoreError>;

    /// Whether the account sees for itself what a notice is about: the match is open in a visible window, on any server.
    fn is_looking(&self, key: &NoticeKey) -> bool;

    /// Where the account lives.
    fn zone(&self, account: AccountId) -> Zone;
}

/// Sends notices. It keeps nothing in memory that matters: whatever it has begun is in the store, and another one goes on with it.
///
/// One message is sent at a time and noted before the next, so whenever the process is killed at most one message goes out twice;
/// mail programs fold it, for it has the same id.
pub struct Postman {
    /// The queue.
    pub post: Arc<dyn Post>,
    /// Who knows what notices are about.
    pub desk: Arc<dyn Desk>,
    /// Who brings messages out.
    pub carrier: Arc<dyn Carrier>,
    /// The time.
    pub clock: Clock,
    /// The address of the house, for links: `https://maproom.example`.
    pub base: String,
    /// The secret of the house, for the ids of messages.
    pub secret: String,
}

impl Postman {
    /// A postman who sends by the carriers of a house.
    pub fn new(post: Arc<dyn Post>, desk: Arc<dyn Desk>, carriers: Arc<Carriers>, clock: Clock) -> Postman {
        let (base, secret) = (carriers.base().to_owned(), carriers.secret().to_owned());
        Postman { post, desk, carrier: carriers, clock, base, secret }
    }

    /// Looks at what is due, sends one message, and says whether there was anything to do. Only one, so that whatever becomes due
    /// meanwhile has its turn by its rank, however slow a hook is.
    pub fn round(&self) -> Result<bool, StoreError> {
        let addressed = self.address_due()?;
        let gathered = self.post.gather((self.clock)())?;
        let now = (self.clock)();
        let letter = self.post.claim(now, now.saturating_add(LEASE))?;
        let busy = addressed + gathered > 0 || letter.is_some();
        letter.map_or(Ok(()), |letter| self.deliver(letter))?;
        Ok(busy)
    }

    /// Removes what was settled long ago, and says how many notices that were. Once a day is enough.
    pub fn tidy(&self) -> Result<usize, StoreError> {
        self.post.purge_notices((self.clock)().saturating_sub(KEPT))
    }

    /// Sends a test by a channel at once and says how it went; the channel is not marked, whatever comes of it.
    pub fn test(&self, account: AccountId, id: ChannelId) -> Result<Result<(), Refusal>, StoreError> {
        let channel = self.post.channel(id)?.filter(|record| record.channel.account == account);
        let Some(channel) = channel else {
            return Ok(Err(Refusal::no_answer("there is no such channel")));
        };
        let (now, message) = ((self.clock)(), test_message(&self.base));
        let name = self.name(&[b"test", &id.0.to_be_bytes(), &now.to_be_bytes()]);
        Ok(self.carrier.carry(Parcel { channel: &channel, message: &message, id: &name, now }))
    }

    /// Ends the notices by the channel that a token names, as a click in a mail asks for. `false` if the house has not made the
    /// token, or the channel is no more.
    pub fn unsubscribe(&self, token: &str) -> Result<bool, StoreError> {
        match read_unsubscribe(&self.secret, token) {
            Some((account, channel)) => self.post.remove_channel(account, channel),
            None => Ok(false),
        }
    }

    /// Hands notices that are due to the channels that want them.
    fn address_due(&self) -> Result<usize, StoreError> {
        let now = (self.clock)();
        let due = self.post.due(now, BATCH)?;
        let mut accounts = HashMap::new();
        let mut addressed = Vec::with_capacity(due.len());
        for QueuedNotice { key, .. } in due {
            let channels = match self.matter(&key) {
                // One that can't be read must not hold up all others.
                Err(why) => {
                    warn!(%key.account, key.match_id, "a notice has to wait: {why}");
                    continue;
                }
                Ok(None) => Vec::new(),
                Ok(Some(_)) => {
                    let (zone, channels) = match accounts.entry(key.account) {
                        Entry::Occupied(known) => known.into_mut(),
                        Entry::Vacant(new) => {
                            new.insert((self.desk.zone(key.account), self.post.channels(key.account)?))
                        }
                    };
                    takers(key.kind, channels, zone, now)
                }
            };
            addressed.push(Addressed { key, channels });
        }
        self.post.address(&addressed)
    }

    /// What a notice is about, unless it is moot.
    fn matter(&self, key: &NoticeKey) -> Result<Option<Matter>, StoreError> {
        if key.kind == NoticeKind::Channel {
            return self.failing(key);
        }
        let headline = workers::caught(|| self.desk.headline(key)).map_err(StoreError::Panicked)??;
        let moot = is_moot(key.kind, headline.is_none(), self.desk.is_looking(key));
        Ok(headline.filter(|_| !moot).map(Matter::Public))
    }

    /// The channel that a notice says is failing, if it still is.
    fn failing(&self, key: &NoticeKey) -> Result<Option<Matter>, StoreError> {
        let id = key.match_id.strip_prefix("channel-").and_then(|number| number.parse().ok());
        let Some(id) = id.map(ChannelId) else { return Ok(None) };
        let record = self.post.channel(id)?.filter(|record| record.failing_since.is_some());
        Ok(record.map(|record| Matter::Failing(record.channel.kind)))
    }

    /// Sends a letter that was claimed, without what has become moot since, and notes what became of it.
    fn deliver(&self, letter: Letter) -> Result<(), StoreError> {
        let Letter { id, channel, notices, made_at, tries } = letter;
        let (mut told, mut moot) = (Vec::new(), Vec::new());
        for key in notices {
            match self.matter(&key) {
                Ok(Some(matter)) => told.push((key, matter)),
                Ok(None) => moot.push(key),
                // It could be read before and never can be again; the rest of the letter is not held up for it.
                Err(why @ (StoreError::Panicked(_) | StoreError::Corrupt { .. })) => {
                    warn!(%key.account, key.match_id, "a notice is given up: {why}");
                    moot.push(key);
                }
                Err(why) => return Err(why),
            }
        }
        if !moot.is_empty() && self.post.lighten(id, &moot)? == 0 {
            return Ok(());
        }
        let now = (self.clock)();
        let zone = self.desk.zone(channel.channel.account);
        let message = compose(&told, &self.base, &zone, now);
        let name = self.name(&[b"letter", &id.0.to_be_bytes(), &made_at.to_be_bytes()]);
        let settled = self.carry(&channel, &message, &name, tries);
        self.post.settle(id, &self.with_tellers(settled, &channel, &zone)?)?;
        Ok(())
    }

    /// One try.
    fn carry(&self, channel: &ChannelRecord, message: &Message, name: &str, tries: u32) -> Settled {
        let result = self.carrier.carry(Parcel { channel, message, id: name, now: (self.clock)() });
        let now = (self.clock)();
        let (outcome, error) = match result {
            Ok(()) => (Outcome::Accepted, String::new()),
            Err(Refusal { status, why }) => (status.map_or(Outcome::NoAnswer, Outcome::Status), why),
        };
        let number = channel.id.0;
        match Delivery::stored(channel.channel.kind, tries).tried(outcome, now) {
            Verdict::Delivered => Settled::Sent,
            Verdict::Again(at) => {
                info!(
                    channel = number,
                    tries, "a message could not be delivered and is tried again: {error}"
                );
                Settled::Again { at, error }
            }
            Verdict::Failing => {
                warn!(channel = number, "a channel has failed too often and is switched off: {error}");
                Settled::Failing { at: now, error, tell: Vec::new() }
            }
            Verdict::Gone => Settled::Gone,
        }
    }

    /// Names the channels that tell the owner when one fails.
    fn with_tellers(
        &self,
        settled: Settled,
        failed: &ChannelRecord,
        zone: &Zone,
    ) -> Result<Settled, StoreError> {
        let Settled::Failing { at, error, .. } = settled else { return Ok(settled) };
        let mut others = self.post.channels(failed.channel.account)?;
        others.retain(|other| other.id != failed.id);
        Ok(Settled::Failing { at, error, tell: takers(NoticeKind::Channel, &others, zone, at) })
    }

    /// The name of a message: the same for the same parts, and of no use to anybody else.
    fn name(&self, parts: &[&[u8]]) -> String {
        let name: hmac::Tag = code(&self.secret, parts);
        hex(&name.as_ref()[..16])
    }
}

/// The channels that are to tell a notice, each with the time from which on it may.
fn takers(kind: NoticeKind, channels: &[ChannelRecord], zone: &Zone, now: u64) -> Vec<(ChannelId, u64)> {
    let open =
        channels.iter().filter(|one| one.failing_since.is_none() && is_wanted(kind, &one.channel.wishes));
    open.map(|one| (one.id, hold(kind, &one.channel.wishes, zone, now))).collect()
}

/// A postman at work on a thread of his own. Dropping it waits until the message that is just being sent is settled.
pub struct Rounds {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    wake: Condvar,
}

#[derive(Default)]
struct State {
    is_woken: bool,
    is_over: bool,
}

impl Rounds {
    /// Starts the thread.
    pub fn start(postman: Arc<Postman>) -> std::io::Result<Rounds> {
        let shared = Arc::new(Shared::default());
        let theirs = Arc::clone(&shared);
        let thread = thread::Builder::new().name("postman".into()).spawn(move || work(&postman, &theirs))?;
        Ok(Rounds { shared, thread: Some(thread) })
    }

    /// Tells the postman that something may be due, so that he doesn't rest to the end of his second.
    pub fn wake(&self) {
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner).is_woken = true;
        self.shared.wake.notify_one();
    }
}

impl Drop for Rounds {
    fn drop(&mut self) {
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner).is_over = true;
        self.shared.wake.notify_one();
        if let Some(thread) = self.thread.take() {
            // A panic has been logged where it was caught.
            let _ = thread.join();
        }
    }
}

fn work(postman: &Postman, shared: &Shared) {
    let mut tidied = None;
    let mut round = || {
        let now = (postman.clock)();
        if tidied.is_none_or(|at: u64| now >= at.saturating_add(TIDIED_EVERY)) {
            postman.tidy()?;
            tidied = Some(now);
        }
        postman.round()
    };
    let mut trouble = None;
    loop {
        let result = workers::caught(&mut round).unwrap_or_else(|panic| Err(StoreError::Panicked(panic)));
        let busy = *result.as_ref().unwrap_or(&false);
        // The same trouble is told once, not every second.
        let now = result.err();
        if let Some(why) = &now
            && now != trouble
        {
            error!("notices can't be sent at the moment: {why}");
        }
        trouble = now;
        let mut state = shared.state.lock().unwrap_or_else(PoisonError::into_inner);
        if !busy && !state.is_woken && !state.is_over {
            state = shared.wake.wait_timeout(state, REST).unwrap_or_else(PoisonError::into_inner).0;
        }
        state.is_woken = false;
        if state.is_over {
            return;
        }
    }
}
