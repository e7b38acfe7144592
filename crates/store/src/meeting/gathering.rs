//! Tables that gather: what is going to be played, and who has come so far. No match exists yet, so nothing is drawn and no
//! clock runs.

use crate::{AccountId, StoreError};

/// The most tables that one account may gather at a time.
pub const MOST_GATHERINGS: usize = 6;

/// The most tables to which one account may be invited at a time: whoever has more than enough of them is left alone.
pub const MOST_INVITATIONS: usize = 30;

/// For whom a seat is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SeatOffer {
    /// For anybody who is signed in.
    Open,
    /// For the holder of an account.
    Named(AccountId),
    /// It was for them, and they have declined.
    Declined(AccountId),
    /// For whoever has the link with this token, which is the link of the seat afterwards.
    Link(String),
    /// For a bot, by the game's word for it.
    Bot(String),
}

impl SeatOffer {
    /// Its word in a database.
    pub(crate) const fn word(&self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Named(_) => "named",
            Self::Declined(_) => "declined",
            Self::Link(_) => "link",
            Self::Bot(_) => "bot",
        }
    }

    /// The account that is asked, whether or not it has declined.
    pub const fn asked(&self) -> Option<AccountId> {
        match self {
            Self::Named(account) | Self::Declined(account) => Some(*account),
            Self::Open | Self::Link(_) | Self::Bot(_) => None,
        }
    }
}

/// Who has taken a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Taken {
    /// The holder of an account.
    Account(AccountId),
    /// Somebody with the link.
    Guest,
}

/// A seat of a gathering table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GatheringSeat {
    /// For whom it is.
    pub offer: SeatOffer,
    /// Who has taken it.
    pub taken: Option<Taken>,
}

impl GatheringSeat {
    /// Whether somebody will play there: a person who has come, or a bot.
    pub const fn is_filled(&self) -> bool {
        self.taken.is_some() || matches!(self.offer, SeatOffer::Bot(_))
    }

    /// The account that sits there.
    pub const fn account(&self) -> Option<AccountId> {
        match self.taken {
            Some(Taken::Account(account)) => Some(account),
            _ => None,
        }
    }

    /// Whether an account is asked and has not answered yet.
    pub fn waits_for(&self, account: AccountId) -> bool {
        self.taken.is_none() && self.offer == SeatOffer::Named(account)
    }
}

/// A gathering table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Gathering {
    /// The name in addresses, made by the caller.
    pub id: String,
    /// Who gathers it.
    pub host: AccountId,
    /// Which game.
    pub game: String,
    /// The name of the match; empty to name it after its set-up.
    pub name: String,
    /// The set-up in a few words.
    pub setup: String,
    /// The options as JSON: opaque here.
    pub options: String,
    /// The rules about time: opaque here; empty without a clock.
    pub clock: String,
    /// Whether nobody will talk at the table.
    pub is_quiet: bool,
    /// Whether everybody finds it in the list of open tables.
    pub is_listed: bool,
    /// When it was made.
    pub made_at: u64,
    /// Rises with every change, so that of two changes at once one learns of the other.
    pub revision: u32,
    /// The match that was started from it.
    pub match_id: Option<String>,
    /// The finished match that it goes on from.
    pub again: Option<String>,
    /// The seats by number.
    pub seats: Vec<GatheringSeat>,
}

impl Gathering {
    /// The seat of an account.
    pub fn seat_of(&self, account: AccountId) -> Option<usize> {
        self.seats.iter().position(|seat| seat.account() == Some(account))
    }

    /// The seat that an account is asked to take.
    pub fn asked_seat(&self, account: AccountId) -> Option<usize> {
        self.seats.iter().position(|seat| seat.waits_for(account))
    }

    /// Whether all seats are filled.
    pub fn is_full(&self) -> bool {
        self.seats.iter().all(GatheringSeat::is_filled)
    }
}

/// A store for gathering tables.
pub trait Gatherings: Send + Sync {
    /// Adds a table. `false` if its host has [`MOST_GATHERINGS`] already.
    fn add_gathering(&self, gathering: &Gathering) -> Result<bool, StoreError>;

    /// A table.
    fn gathering(&self, id: &str) -> Result<Option<Gathering>, StoreError>;

    /// The tables that everybody may find and that have not started, the newest first, at most `most`.
    fn open_gatherings(&self, most: usize) -> Result<Vec<Gathering>, StoreError>;

    /// The tables that have not started and that an account hosts, sits at, or is invited to; the newest first.
    fn gatherings_of(&self, account: AccountId) -> Result<Vec<Gathering>, StoreError>;

    /// The table that has not started and goes on from a finished match, if there is one.
    fn gathering_after(&self, match_id: &str) -> Result<Option<Gathering>, StoreError>;

    /// Replaces a table that has this one's revision, which rises. `false` if it has changed meanwhile or is gone.
    fn change_gathering(&self, gathering: &Gathering) -> Result<bool, StoreError>;

    /// Removes a table.
    fn remove_gathering(&self, id: &str) -> Result<bool, StoreError>;

    /// Removes tables that were made before a time, and says how many.
    fn forget_gatherings(&self, made_before: u64) -> Result<usize, StoreError>;
}
