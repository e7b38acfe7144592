//! The `SharedHouse` trait: what servers that share a database keep in it beside matches.
//!
//! Nothing of this is needed for safety: that an entry counts only if its number is the next one keeps every journal whole, however
//! many servers write. It says who thinks for the bots of a match, so that two don't, who is at which table, and what time it is.

use crate::{AccountId, Outage, StoreError};

/// Stands for the server where a match is driven by none.
pub(crate) const NOBODY: &str = "";

/// The windows that people of one kind have open on a match at one server.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Windows {
    /// The match.
    pub match_id: String,
    /// The seat that they see the match from; `None` for those who watch.
    pub seat: Option<u8>,
    /// The account that sees it, if one keeps that seat.
    pub account: Option<AccountId>,
    /// How many are open; 0 for none any more.
    pub open: u32,
    /// How many of these can be seen.
    pub shown: u32,
}

/// What servers that share a database keep in it beside matches. As with [`Store`](crate::Store), all methods block, and an `Err` means
/// that nothing was changed. All times are the database's.
pub trait SharedHouse: Send + Sync {
    /// Makes what is needed for this in the store.
    fn prepare_sharing(&self) -> Result<(), StoreError>;

    /// The time of the database, milliseconds since 1970.
    fn time(&self) -> Result<u64, StoreError>;

    /// Notes that the house lives. If no server has noted that for `asleep` milliseconds, the time since then was an outage; it is
    /// written with the note, once, whichever server comes first, and returned to that one.
    fn note_life(&self, asleep: u64) -> Result<Option<Outage>, StoreError>;

    /// Forgets the last note, because nobody's time runs: what lies between now and the next one is no outage.
    fn rest_life(&self) -> Result<(), StoreError>;

    /// Lets a server drive a match for so many milliseconds, if no other does: it alone thinks for its bots and answers for its
    /// orders. Returns whether it may.
    fn take_drive(&self, server: &str, match_id: &str, span: u64) -> Result<bool, StoreError>;

    /// Lets a server drive all that it drives for so many milliseconds from now, and says what that is. What somebody else has taken
    /// meanwhile is not among it.
    fn renew_drives(&self, server: &str, span: u64) -> Result<Vec<String>, StoreError>;

    /// A server drives these matches no more, because nothing is to be done in them.
    fn drop_drives(&self, server: &str, matches: &[String]) -> Result<(), StoreError>;

    /// A server can't go on with a match, which another may: whoever wants its drive gets it, and after so many milliseconds it is
    /// [adopted](Self::adopt_drives) by somebody.
    fn pass_drive_on(&self, server: &str, match_id: &str, span: u64) -> Result<(), StoreError>;

    /// A server that ends leaves all that it drives to the others.
    fn leave_drives(&self, server: &str) -> Result<(), StoreError>;

    /// Lets a server drive matches whose driver is silent, at most `most`, and says which these are.
    fn adopt_drives(&self, server: &str, span: u64, most: usize) -> Result<Vec<String>, StoreError>;

    /// Notes what has changed about the windows of a server. They count for so many milliseconds, unless they are
    /// [kept](Self::keep_windows).
    fn note_windows(&self, server: &str, changed: &[Windows], span: u64) -> Result<(), StoreError>;

    /// The windows of a server count for so many milliseconds from now. Those of servers that are gone are removed.
    fn keep_windows(&self, server: &str, span: u64) -> Result<(), StoreError>;

    /// The windows on some matches at other servers, in order of the matches.
    fn other_windows(&self, server: &str, matches: &[String]) -> Result<Vec<Windows>, StoreError>;

    /// Whether an account has a window on a match that can be seen, at another server.
    fn looks_elsewhere(&self, server: &str, account: AccountId, match_id: &str) -> Result<bool, StoreError>;
}
