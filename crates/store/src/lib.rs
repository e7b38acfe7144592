//! Matches kept: every choice on disk before it is acknowledged.
//!
//! A match is a [`MatchRecord`] and a *journal* that only ever grows: entry 1, 2, 3 and so on, each
//! the steps that one input led to, an undo, or a [`TableEvent`]: what happens beside choices. Everything else (the position, whose turn it is,
//! what a seat may see) is made again by replaying the journal, so this crate knows nothing of games.
//!
//! - [`Store`]: the trait of a store. Object safe, so that another database can stand
//!   in for the first without a change above.
//! - [`SqliteStore`]: one file in one folder. [`MemoryStore`]: the same promises but for durability, for
//!   tests.
//! - [`Writer`]: a thread that gathers the appends of all live matches into one durable transaction at
//!   a time (group commit), because waiting for the disk is by far the slowest part of a choice.
//! - [`Post`]: the trait of a store for channels and notices, which only a house with accounts has. [`SqlitePost`] keeps them in
//!   the same file, [`MemoryPost`] in memory.
//! - [`People`]: accounts, sessions and tokens beside the matches, which both stores keep as well.
//! - [`conformance`]: the checks that every store must pass.

mod account_id;
pub mod conformance;
mod effect;
mod error;
mod memory;
mod people;
mod people_memory;
mod people_sqlite;
mod player;
mod post;
mod post_memory;
mod post_sqlite;
mod record;
mod sqlite;
mod store;
mod table_event;
mod writer;

pub use account_id::{AccountId, NotAnAccount};
pub use effect::{Deadline, Effect, Notice, Outage, RatedMatch};
pub use error::StoreError;
pub use memory::MemoryStore;
pub use people::{
    Account, AccountChange, AccountState, Added, Changed, FORMER_PLAYER, Fingerprint, Keeping, KeptSeat,
    Mail, NewAccount, People, Purpose, Role, Session, Token,
};
pub use player::{Player, owner_seat};
pub use post::{
    Addressed, ChannelId, ChannelKind, ChannelRecord, Letter, LetterId, MOST_CHANNELS, NewChannel, NoticeKey,
    NoticeKind, NoticeState, Post, PostCounts, QueuedNotice, QuietHours, Settled, Wishes,
};
pub use post_memory::MemoryPost;
pub use post_sqlite::SqlitePost;
pub use record::{
    Append, Awaited, Counts, Entry, EntryKind, FinishedMatch, MatchRecord, Origin, SeatRecord, Shelf, Summary,
};
pub use sqlite::SqliteStore;
pub use store::{AppendOutcome, Store};
pub use table_event::{Claim, Offer, OnFlag, TableEvent, TableEventError};
pub use writer::{Done, GROUP_LIMIT, QUEUE_LIMIT, Writer};
