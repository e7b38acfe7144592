//! Matches kept: every choice on disk before it is acknowledged.
//!
//! A match is a [`MatchRecord`] and a *journal* that only ever grows: entry 1, 2, 3 and so on, each
//! either the steps that one input led to or an undo. Everything else (the position, whose turn it is,
//! what a seat may see) is made again by replaying the journal, so this crate knows nothing of games.
//!
//! - [`Store`]: the trait of a store. Object safe, so that another database can stand
//!   in for the first without a change above.
//! - [`SqliteStore`]: one file in one folder. [`MemoryStore`]: the same promises but for durability, for
//!   tests.
//! - [`Writer`]: a thread that gathers the appends of all live matches into one durable transaction at
//!   a time (group commit), because waiting for the disk is by far the slowest part of a choice.
//! - [`People`]: accounts, sessions and tokens beside the matches, which both stores keep as well.
//! - [`conformance`]: the checks that every store must pass.

mod account_id;
pub mod conformance;
mod error;
mod memory;
mod people;
mod people_memory;
mod people_sqlite;
mod player;
mod record;
mod sqlite;
mod store;
mod writer;

pub use account_id::{AccountId, NotAnAccount};
pub use error::StoreError;
pub use memory::MemoryStore;
pub use people::{
    Account, AccountChange, AccountState, Added, Changed, FORMER_PLAYER, Fingerprint, Keeping, KeptSeat,
    Mail, NewAccount, People, Purpose, Role, Session, Token,
};
pub use player::{Player, owner_seat};
pub use record::{
    Append, Counts, Entry, EntryKind, FinishedMatch, MatchRecord, Origin, SeatRecord, Shelf, Summary,
};
pub use sqlite::SqliteStore;
pub use store::{AppendOutcome, Store};
pub use writer::{Done, GROUP_LIMIT, QUEUE_LIMIT, Writer};
