//! The `OrderBooks` trait: standing orders of the seats of matches.
//!
//! Nothing of this exists in a store until somebody gives the first order: who never does has no table for it. What follows
//! from an answer is written in the transaction of the answer itself ([`Effect::Order`](crate::Effect::Order)), so no crash can
//! make an order answer more often than it should.

use crate::{AccountId, StoreError};

/// Whether an order answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderState {
    /// It does.
    Running,
    /// Its owner lets it rest.
    Paused,
    /// It has ended, and `why` says how.
    Ended,
}

impl OrderState {
    /// All states.
    pub const ALL: [Self; 3] = [Self::Running, Self::Paused, Self::Ended];

    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Paused => "paused",
            Self::Ended => "ended",
        }
    }

    /// Reads the word; an order in a state that is not known answers nothing.
    pub fn read(word: &str) -> Self {
        Self::ALL.into_iter().find(|state| state.word() == word).unwrap_or(Self::Ended)
    }
}

/// A standing order. What it says is opaque here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredOrder {
    /// Its number in the book.
    pub number: u32,
    /// What it says, in the language of orders.
    pub text: String,
    /// The same in words, as its owner was told.
    pub words: String,
    /// How many steps were played when it was given.
    pub made_at: u32,
    /// Up to which step the log was looked at for what ends it.
    pub checked: u32,
    /// How often it has answered.
    pub answers: u32,
    /// How often it may still answer; `None` for ever.
    pub uses_left: Option<u32>,
    /// Whether it answers.
    pub state: OrderState,
    /// Why it has ended; empty while it has not.
    pub why: String,
}

/// The orders of one seat.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoredBook {
    /// The account that plays the seat: what it wrote goes with it.
    pub account: Option<AccountId>,
    /// What the waits before answers are drawn from, beside the step: known to no player.
    pub salt: String,
    /// How many answers orders have given since the person last chose.
    pub in_a_row: u32,
    /// After how many steps the person said that they answer themselves.
    pub held_at: Option<u32>,
    /// The number of the order that was given last.
    pub last_number: u32,
    /// How often it was written before; 0 for a new one. Whoever writes a book that somebody else has written meanwhile is refused.
    pub version: u32,
    /// The orders, in the order in which they are tried.
    pub orders: Vec<StoredOrder>,
}

impl StoredBook {
    /// Whether it may come to an answer.
    pub fn runs(&self) -> bool {
        self.orders.iter().any(|order| order.state == OrderState::Running)
    }
}

/// A step that an order answered, for telling so when the match is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredAnswer {
    /// The step, from 1.
    pub step: u32,
    /// What answered, in words.
    pub words: String,
}

/// A store for orders. As with [`Store`](crate::Store), all methods block, and an `Err` means that nothing was changed.
pub trait OrderBooks: Send + Sync {
    /// Makes what orders need in the store, if it is missing. The first book does so by itself.
    fn prepare_orders(&self) -> Result<(), StoreError>;

    /// Whether that was ever done.
    fn has_orders(&self) -> Result<bool, StoreError>;

    /// The books of a match by seat.
    fn books(&self, match_id: &str) -> Result<Vec<(u8, StoredBook)>, StoreError>;

    /// Keeps the book of a seat in place of the one before, whose version it has; the next version is one more. `false` if there is no
    /// such match, or if the book is another by now: look again.
    fn put_book(&self, match_id: &str, seat: u8, book: &StoredBook) -> Result<bool, StoreError>;

    /// Removes the book of a seat, with all that it says and has answered.
    fn forget_book(&self, match_id: &str, seat: u8) -> Result<bool, StoreError>;

    /// The steps of a match that orders answered, in order, each with the seat.
    fn answers(&self, match_id: &str) -> Result<Vec<(u8, StoredAnswer)>, StoreError>;

    /// The running matches that are not in the bin and whose seat to move has a book that may answer: they are looked at when
    /// the house starts, because nobody else may come.
    fn awaiting_orders(&self) -> Result<Vec<String>, StoreError>;
}
