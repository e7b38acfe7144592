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
//! - [`conformance`]: the checks that every store must pass.

mod account_id;
pub mod conformance;
mod effect;
mod error;
mod memory;
mod player;
mod record;
mod sqlite;
mod store;
mod table_event;
mod writer;

pub use account_id::{AccountId, NotAnAccount};
pub use effect::{Deadline, Effect, Notice, NoticeState, Outage, RatedMatch};
pub use error::StoreError;
pub use memory::MemoryStore;
pub use player::{Player, owner_seat};
pub use record::{
    Append, Awaited, Counts, Entry, EntryKind, FinishedMatch, MatchRecord, Origin, SeatRecord, Shelf, Summary,
};
pub use sqlite::SqliteStore;
pub use store::{AppendOutcome, Store};
pub use table_event::{Claim, Offer, OnFlag, TableEvent, TableEventError};
pub use writer::{Done, GROUP_LIMIT, QUEUE_LIMIT, Writer};
