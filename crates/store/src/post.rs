//! Channels and notices: what people want to be told, where, and what is on its way to them.
//!
//! A notice is queued once (its [`NoticeKey`] is unique). When it is due, it is *addressed*: each channel that wants it
//! gets a delivery with a time of its own, because quiet hours and digests differ by channel. The deliveries of a channel that
//! are due are gathered into one [`Letter`]; a letter that was claimed keeps its notices until it is settled, so that after a
//! crash the same letter goes out again and not another one.

use std::collections::BTreeSet;
use std::fmt;

use crate::{AccountId, StoreError};

/// Gives an enum its words: the ones in the database and in settings.
macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub enum $name { $($(#[$doc])* $variant,)* }

        impl $name {
            /// All there are, in order.
            pub const ALL: &[$name] = &[$($name::$variant),*];

            /// The word that it is stored as.
            pub const fn word(self) -> &'static str {
                match self { $($name::$variant => $word,)* }
            }

            /// What a word stands for.
            pub fn read(word: &str) -> Option<$name> {
                $name::ALL.iter().copied().find(|one| one.word() == word)
            }
        }
    };
}

words! {
    /// What a notice is about.
    NoticeKind {
        /// The account's seat is awaited.
        Turn = "turn",
        /// Half of the time that was left has gone.
        Half = "half",
        /// A fifth of it is left.
        Fifth = "fifth",
        /// The last reminder: an hour is left, or less where there never was much more.
        Last = "last",
        /// The time has run out.
        Flagged = "flagged",
        /// Somebody asks the account to a table.
        Invited = "invited",
        /// A match has started.
        Started = "started",
        /// A match is over.
        Over = "over",
        /// An offer waits for an answer: a draw, an undo, a pause.
        Offer = "offer",
        /// Somebody wrote.
        Chat = "chat",
        /// A tournament goes on.
        Tournament = "tournament",
        /// One of the account's own channels fails.
        Channel = "channel",
    }
}

words! {
    /// By what a channel sends.
    ChannelKind {
        /// Mail.
        Mail = "mail",
        /// Browser push.
        Push = "push",
        /// A webhook of Discord.
        Discord = "discord",
        /// A webhook of Slack, or of what understands the same.
        Slack = "slack",
        /// A topic of ntfy.
        Ntfy = "ntfy",
        /// A hook that gets signed JSON.
        Json = "json",
    }
}

impl ChannelKind {
    /// Which letters go first: mail, then push, then hooks.
    pub(crate) const fn rank(self) -> u8 {
        match self {
            ChannelKind::Mail => 0,
            ChannelKind::Push => 1,
            ChannelKind::Discord | ChannelKind::Slack | ChannelKind::Ntfy | ChannelKind::Json => 2,
        }
    }
}

words! {
    /// How far a notice has come.
    NoticeState {
        /// Not due yet, or not looked at yet.
        Waiting = "waiting",
        /// Handed to the channels.
        Addressed = "addressed",
        /// Out by at least one channel.
        Sent = "sent",
        /// Given up by all channels that had it.
        Failed = "failed",
        /// Nobody needs to be told any more, or nobody wanted to be.
        Moot = "moot",
    }
}

/// What makes a notice one of its kind: there is never a second one with the same key.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NoticeKey {
    /// Who is told.
    pub account: AccountId,
    /// The match that it is about; `channel-3` for a channel that fails.
    pub match_id: String,
    /// The seat of the account; 0 where none is meant.
    pub seat: u8,
    /// The stint, or whatever else numbers the occasion: the revision of an offer; the day for a chat, which so is told once a day.
    pub stint: u32,
    /// What it is about.
    pub kind: NoticeKind,
}

/// A notice in the queue.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QueuedNotice {
    /// Which one.
    pub key: NoticeKey,
    /// When it is due, milliseconds since 1970.
    pub due_at: u64,
    /// How far it has come.
    pub state: NoticeState,
    /// How many tries to send it have failed, on the channel with the most.
    pub tries: u32,
}

/// The number of a channel.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ChannelId(pub u64);

/// The number of a letter; never given twice.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct LetterId(pub u64);

/// Hours in which a channel stays silent, in minutes after midnight by the clock of the account. It may run over midnight.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct QuietHours {
    /// The first silent minute.
    pub from: u16,
    /// The first minute that is not silent any more.
    pub to: u16,
}

/// What an account chose for a channel.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Wishes {
    /// Which kinds are wanted. That a channel fails is always told.
    pub kinds: BTreeSet<NoticeKind>,
    /// When to be silent.
    pub quiet: Option<QuietHours>,
    /// Once a day, at this minute after midnight, instead of at once.
    pub digest: Option<u16>,
}

/// A channel as its owner enters it.
#[derive(Clone, PartialEq, Eq)]
pub struct NewChannel {
    /// Whose it is.
    pub account: AccountId,
    /// By what it sends.
    pub kind: ChannelKind,
    /// Where to: a mail address or a URL.
    pub address: String,
    /// The key of a hook, or the two keys of a push subscription.
    pub secret: String,
    /// What is wanted.
    pub wishes: Wishes,
}

/// A channel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChannelRecord {
    /// Its number.
    pub id: ChannelId,
    /// What its owner entered.
    pub channel: NewChannel,
    /// Why the last try failed; empty if it didn't.
    pub error: String,
    /// Since when nothing is sent any more, because too many tries had failed.
    pub failing_since: Option<u64>,
}

// An address and a secret are nobody's business, and what is printed for debugging ends up in logs.
impl fmt::Debug for NewChannel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewChannel")
            .field("account", &self.account)
            .field("kind", &self.kind)
            .field("wishes", &self.wishes)
            .finish_non_exhaustive()
    }
}

/// To whom a notice is handed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Addressed {
    /// The notice.
    pub key: NoticeKey,
    /// The channels, each with the time from which on it may send.
    pub channels: Vec<(ChannelId, u64)>,
}

/// Notices on their way by one channel, as one message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Letter {
    /// Its number.
    pub id: LetterId,
    /// Where it goes.
    pub channel: ChannelRecord,
    /// What it is about, in the order of their keys.
    pub notices: Vec<NoticeKey>,
    /// When it was gathered, milliseconds since 1970.
    pub made_at: u64,
    /// How many tries have failed.
    pub tries: u32,
}

/// What became of a letter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Settled {
    /// The other side took it.
    Sent,
    /// To be tried again.
    Again {
        /// When, milliseconds since 1970.
        at: u64,
        /// Why it failed this time, for the owner.
        error: String,
    },
    /// Tried often enough: the channel is marked as failing, all it still had is given up, and its owner is told by the others.
    Failing {
        /// When this was seen, milliseconds since 1970.
        at: u64,
        /// Why it failed, for the owner.
        error: String,
        /// The channels that tell the owner, each with the time from which on it may.
        tell: Vec<(ChannelId, u64)>,
    },
    /// The address is gone for good: the channel is deleted.
    Gone,
}

/// How much there is to do, for whoever runs the house.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PostCounts {
    /// Notices that wait.
    pub waiting: usize,
    /// Letters on their way.
    pub letters: usize,
    /// Channels that fail.
    pub failing: usize,
}

/// How many channels an account may have.
pub const MOST_CHANNELS: usize = 8;

/// A store for channels and notices. As with [`crate::Store`] every change is one durable transaction, and an `Err` means that
/// nothing was changed.
pub trait Post: Send + Sync {
    /// Adds a channel, or replaces the wishes and the secret of the one with this account, kind and address, which then counts as
    /// mended. `None` if the account has [`MOST_CHANNELS`] already.
    fn add_channel(&self, channel: &NewChannel) -> Result<Option<ChannelId>, StoreError>;

    /// A channel.
    fn channel(&self, id: ChannelId) -> Result<Option<ChannelRecord>, StoreError>;

    /// The channels of an account, the oldest first.
    fn channels(&self, account: AccountId) -> Result<Vec<ChannelRecord>, StoreError>;

    /// Changes what an account wants by one of its channels.
    fn set_wishes(&self, account: AccountId, id: ChannelId, wishes: &Wishes) -> Result<bool, StoreError>;

    /// Lets a failing channel send again.
    fn mend_channel(&self, account: AccountId, id: ChannelId) -> Result<bool, StoreError>;

    /// Removes a channel of an account, with what is on its way by it.
    fn remove_channel(&self, account: AccountId, id: ChannelId) -> Result<bool, StoreError>;

    /// Removes everything about an account.
    fn forget(&self, account: AccountId) -> Result<(), StoreError>;

    /// Queues notices, and says how many of them are new. One that was there before stays as it is.
    fn queue(&self, notices: &[(NoticeKey, u64)]) -> Result<usize, StoreError>;

    /// The notices of an account in the order of their keys.
    fn notices(&self, account: AccountId) -> Result<Vec<QueuedNotice>, StoreError>;

    /// Notices that wait and are due, at most so many, those that are due longest first.
    fn due(&self, now: u64, most: usize) -> Result<Vec<QueuedNotice>, StoreError>;

    /// Hands waiting notices to channels, each with the time from which on it may send; a notice without any is moot. Says how
    /// many of them did wait.
    fn address(&self, notices: &[Addressed]) -> Result<usize, StoreError>;

    /// Cancels the turn and the reminders of a stint that have not been sent, and says how many these were.
    fn cancel_stint(&self, match_id: &str, seat: u8, stint: u32) -> Result<usize, StoreError>;

    /// Makes letters: for each channel that has none on its way, all that is due becomes one. Says how many were made.
    fn gather(&self, now: u64) -> Result<usize, StoreError>;

    /// Takes a letter that is due, and nobody else gets it before `until`. Those with the fewest failed tries come first, of these
    /// mail, then push, then hooks (so that one slow hook holds up nobody's mail), then what has waited longest.
    fn claim(&self, now: u64, until: u64) -> Result<Option<Letter>, StoreError>;

    /// Takes notices out of a letter because they have become moot; a letter with none left is removed. Says how many are left.
    fn lighten(&self, letter: LetterId, moot: &[NoticeKey]) -> Result<usize, StoreError>;

    /// Notes what became of a letter. `false` if there is no such letter any more.
    fn settle(&self, letter: LetterId, settled: &Settled) -> Result<bool, StoreError>;

    /// Removes notices that are settled and were due before a time, and says how many.
    fn purge_notices(&self, due_before: u64) -> Result<usize, StoreError>;

    /// How much there is to do.
    fn post_counts(&self) -> Result<PostCounts, StoreError>;

    /// A secret of the house by its name: `fresh` is stored if there is none yet, and what is stored is returned. So of several
    /// servers that start at once all have the same.
    fn keep_secret(&self, name: &str, fresh: &str) -> Result<String, StoreError>;
}

/// What tells an owner of a failing channel. It is delivered without having been queued, for it is about no match.
pub(crate) fn failing_notice(channel: &ChannelRecord, at: u64) -> NoticeKey {
    NoticeKey {
        account: channel.channel.account,
        match_id: format!("channel-{}", channel.id.0),
        seat: 0,
        // Seconds, so that a channel that was mended and fails again is told of again.
        stint: u32::try_from(at / 1000).unwrap_or(u32::MAX),
        kind: NoticeKind::Channel,
    }
}

/// The kinds that end with a stint.
pub(crate) const OF_A_STINT: [NoticeKind; 4] =
    [NoticeKind::Turn, NoticeKind::Half, NoticeKind::Fifth, NoticeKind::Last];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_back() {
        for kind in NoticeKind::ALL {
            assert_eq!(NoticeKind::read(kind.word()), Some(*kind));
        }
        assert_eq!(ChannelKind::ALL.len(), 6);
        assert_eq!(NoticeState::read("sent"), Some(NoticeState::Sent));
        assert_eq!(ChannelKind::read("fax"), None);
    }

    #[test]
    fn debugging_output_keeps_addresses_and_secrets() {
        let channel = NewChannel {
            account: AccountId(1),
            kind: ChannelKind::Mail,
            address: "hush@example.org".into(),
            secret: "hush".into(),
            wishes: Wishes::default(),
        };
        let record = ChannelRecord { id: ChannelId(1), channel, error: String::new(), failing_since: None };
        assert!(!format!("{record:?}").contains("hush"));
    }
}
