//! Chat at a table, and notes for oneself.

use crate::{AccountId, StoreError};

/// The most lines that a room of a table keeps: beyond that nothing more is said there.
pub const MOST_LINES: usize = 2_000;

/// Where something is said. Until a match is over nobody is in both rooms, because onlookers may say what players must not
/// hear.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Room {
    /// Among those who have a seat.
    Players,
    /// Among those who watch.
    Onlookers,
}

impl Room {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Players, Self::Onlookers];

    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Players => "players",
            Self::Onlookers => "onlookers",
        }
    }

    /// Reads the word.
    pub fn read(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|room| room.word() == word)
    }
}

/// How a table is kept, beside its match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Manners {
    /// Whether nobody talks there.
    pub is_quiet: bool,
    /// Whether members gathered it, so that the owner of the house has no more to say there than anybody who watches.
    pub is_gathered: bool,
}

/// Something to be said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewLine {
    /// At which table.
    pub match_id: String,
    /// Now.
    pub at: u64,
    /// To whom.
    pub room: Room,
    /// From which seat; none for an onlooker.
    pub seat: Option<u8>,
    /// By whom; none for a guest with the link of a seat.
    pub account: Option<AccountId>,
    /// The words.
    pub text: String,
}

/// Something that was said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChatLine {
    /// Its number at the table. Numbers rise, and none is given twice.
    pub n: u32,
    /// What was said.
    pub line: NewLine,
}

/// What became of something that was to be said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Said {
    /// It is there, under this number.
    Kept(u32),
    /// The room has [`MOST_LINES`] already.
    Full,
    /// There is no such match.
    Missing,
}

/// A store for chat and notes. As with [`Store`](crate::Store) an `Err` means that nothing was changed.
pub trait Talk: Send + Sync {
    /// Adds a line.
    fn say(&self, line: &NewLine) -> Result<Said, StoreError>;

    /// The last `most` lines of some rooms of a table after number `after`, in order.
    fn lines(
        &self,
        match_id: &str,
        rooms: &[Room],
        after: u32,
        most: usize,
    ) -> Result<Vec<ChatLine>, StoreError>;

    /// One line of a table.
    fn line(&self, match_id: &str, n: u32) -> Result<Option<ChatLine>, StoreError>;

    /// Up to which number a seat has read.
    fn heard(&self, match_id: &str, seat: u8) -> Result<u32, StoreError>;

    /// Notes up to which number a seat has read; it never goes back. `false` if there is no such match.
    fn set_heard(&self, match_id: &str, seat: u8, n: u32) -> Result<bool, StoreError>;

    /// How a table is kept, beside its match.
    fn manners(&self, match_id: &str) -> Result<Manners, StoreError>;

    /// Says how a table is kept. `false` if there is no such match.
    fn set_manners(&self, match_id: &str, manners: Manners) -> Result<bool, StoreError>;

    /// What somebody has noted for themselves at a seat: an account, or whoever has the link. Whoever keeps a seat by their
    /// account begins with what they noted as a guest.
    fn note(&self, match_id: &str, seat: u8, account: Option<AccountId>) -> Result<String, StoreError>;

    /// Notes something for oneself, instead of what was noted before. `false` if there is no such match.
    fn set_note(
        &self,
        match_id: &str,
        seat: u8,
        account: Option<AccountId>,
        text: &str,
    ) -> Result<bool, StoreError>;

    /// Everything that an account has said, by match and number.
    fn said_by(&self, account: AccountId) -> Result<Vec<ChatLine>, StoreError>;

    /// Everything that an account has noted: match, seat, text.
    fn noted_by(&self, account: AccountId) -> Result<Vec<(String, u8, String)>, StoreError>;
}
