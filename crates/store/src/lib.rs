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
//! - [`People`]: accounts, sessions and tokens beside the matches, which both stores keep as well; with them go [`Talk`],
//!   [`Conduct`], [`Gatherings`] and [`Rests`]: chat and notes, blocks and reports, tables that gather, days of rest.
//! - [`RatingBook`] and [`Tournaments`]: ratings and tournaments, which both stores keep as well.
//! - [`OrderBooks`]: standing orders, which both stores keep as well.
//! - [`SharedHouse`]: what servers that share a database keep in it beside matches; [`News`]: what they tell each other.
//! - [`sql`]: the statements of all these are written once; a database of another kind brings a [`sql::Database`].
//! - [`backup`]: a whole store as a file, whatever the kind of its database.
//! - [`Ledger`]: work that is done in pieces, such as batches of games, which both stores keep as well.
//! - [`conformance`]: the checks that every store must pass.

mod account_id;
pub mod backup;
pub mod conformance;
mod effect;
mod error;
mod ledger;
mod ledger_memory;
mod ledger_sql;
mod matches_sql;
mod meeting;
mod memory;
mod news;
mod orders;
mod orders_memory;
mod orders_sql;
mod people;
mod people_memory;
mod people_sql;
mod player;
mod post;
mod post_memory;
mod post_sql;
mod rating_book;
mod rating_book_memory;
mod rating_book_sql;
mod record;
mod rests;
mod sharing;
mod sharing_memory;
mod sharing_sql;
pub mod sql;
mod sqlite;
mod store;
mod table_event;
mod tournament;
mod tournament_memory;
mod tournament_sql;
mod writer;

pub use account_id::{AccountId, NotAnAccount};
pub use effect::{Deadline, Effect, Notice, Outage, RatedMatch};
pub use error::StoreError;
pub use ledger::{
    Brought, Chunk, ChunkState, Finished, Job, JobState, Kept, KeptPart, Ledger, MOST_TRIES, NewJob, Part,
};
pub use meeting::{
    Act, ChatLine, Conduct, Contact, Gathering, GatheringSeat, Gatherings, MOST_CONTACTS, MOST_GATHERINGS,
    MOST_INVITATIONS, MOST_LINES, MOST_OPEN_REPORTS, Manners, NewAct, NewLine, NewReport, Report, Reported,
    Room, Said, SeatOffer, Taken, Talk,
};
pub use memory::MemoryStore;
pub use news::{Hear, Hint, HintsWaiting, News, Topic, read_hints};
pub use orders::{OrderBooks, OrderState, StoredAnswer, StoredBook, StoredOrder};
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
pub use post_sql::{SqlPost, SqlitePost};
pub use rating_book::{
    Counting, Formula, KeptRating, Luck, RatedSeat, RatingBook, RatingStep, SideScore, Skill,
};
pub use record::{
    Append, Awaited, Counts, Entry, EntryKind, FinishedMatch, MatchRecord, Origin, SeatRecord, Shelf, Summary,
};
pub use rests::{Rest, Rests};
pub use sharing::{SharedHouse, Windows};
pub use sqlite::SqliteStore;
pub use store::{AppendOutcome, Store};
pub use table_event::{Claim, Offer, OnFlag, TableEvent, TableEventError};
pub use tournament::{Entered, Entrant, Pairing, TournamentRecord, TournamentState, Tournaments};
pub use writer::{Done, GROUP_LIMIT, QUEUE_LIMIT, Writer};
