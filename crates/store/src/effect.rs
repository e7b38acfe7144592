//! What follows from a journal entry and is written with it: deadlines, notices, rows for ratings.
//!
//! Sending and counting come later, by whoever reads these rows; but no entry can be there without them, and none of them twice.

use crate::{AccountId, Player, StoredAnswer, StoredBook};

/// What follows from an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Somebody else plays a seat.
    Player {
        /// The seat.
        seat: u8,
        /// Who plays it.
        player: Player,
    },
    /// The match has a deadline, computed for the revision of the entry. It takes the place of an earlier one.
    Deadline {
        /// Whose time runs out.
        seat: u8,
        /// When, milliseconds since 1970.
        at: u64,
    },
    /// Nobody's time runs out.
    NoDeadline,
    /// Somebody is to be told. A notice that is there already (the same account, seat, stint and kind) stays as it is.
    Notice(Notice),
    /// What a seat was to be told about a stint and has not been told yet is of no use any more.
    Moot {
        /// The seat.
        seat: u8,
        /// The stint.
        stint: u32,
    },
    /// The match counts for the rating of an account; once for each of the two.
    Rating {
        /// The account.
        account: AccountId,
        /// How it fared: `win`, `draw` or `loss`.
        standing: String,
    },
    /// The standing orders of a seat stand otherwise.
    Order {
        /// The seat.
        seat: u8,
        /// Its book now.
        book: Box<StoredBook>,
        /// The step of the entry that the book answered, if it did.
        answer: Option<StoredAnswer>,
        /// How many steps the match had before that answer: what is known of answers to later ones was undone.
        steps: u32,
    },
}

/// Something that an account is to be told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Whom.
    pub account: AccountId,
    /// Which of its seats it is about.
    pub seat: u8,
    /// The number of the entry that the stint began with, or of the entry that it is about.
    pub stint: u32,
    /// What it is about, as a word: opaque here.
    pub kind: String,
    /// When to tell it, milliseconds since 1970.
    pub due_at: u64,
}

/// A deadline that is in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deadline {
    /// The match.
    pub match_id: String,
    /// Whose time runs out.
    pub seat: u8,
    /// When, milliseconds since 1970.
    pub at: u64,
    /// The revision that it was computed for: if the match has moved on, it is stale.
    pub revision: u32,
}

/// A match that counts for the rating of an account. Ratings follow from these rows in order and can be computed again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RatedMatch {
    /// 1, 2, 3 and so on, in the order in which matches ended.
    pub number: u64,
    /// The match.
    pub match_id: String,
    /// Which game.
    pub game: String,
    /// The account.
    pub account: AccountId,
    /// How it fared.
    pub standing: String,
    /// When the match ended, milliseconds since 1970.
    pub at: u64,
}

/// A time in which the house did not run, so that nobody could move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outage {
    /// The last moment at which it is known to have run.
    pub began: u64,
    /// When it ran again.
    pub ended: u64,
}
