//! What can go wrong in the server.

use std::fmt;

use kernel::{MatchError, Parting};
use store::StoreError;

use crate::secrets::NoRandomness;

/// Why something could not be done. The match is as it was before.
#[derive(Debug)]
pub enum LobbyError {
    /// No such match, or not with this token. The two are not told apart.
    NotFound,
    /// The link is a viewer's.
    LooksOnly,
    /// The page was drawn before somebody's last change.
    Stale {
        /// The present revision.
        revision: u32,
    },
    /// The rules say no.
    Refused(MatchError),
    /// Too many changes in a short time.
    TooFast,
    /// The stored match can't be read.
    Unreadable(String),
    /// A match can be followed for a while, and then parts from the present rules. It is kept as it is.
    Parted {
        /// The stored match; `None` for a file that was to be taken in.
        match_id: Option<String>,
        /// What it is called.
        name: String,
        /// Where it parts.
        parting: Box<Parting>,
    },
    /// What was sent can't be used.
    Bad(String),
    /// What was asked for takes a while and is not done yet: ask again.
    NotReady(String),
    /// The server itself failed, not the one who asked; the log has more.
    Fault(&'static str),
    /// The server is about to end.
    Closing,
    /// The store failed; nothing was changed.
    Store(StoreError),
}

impl fmt::Display for LobbyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound => f.write_str("there is no such match, or this link is not one of its links"),
            Self::LooksOnly => f.write_str("this link is for looking on: it can't change the match"),
            Self::Stale { .. } => f.write_str("the match has gone on since: look again, then choose"),
            Self::Refused(error) => error.fmt(f),
            Self::TooFast => f.write_str("too many changes at once: wait a second"),
            Self::Unreadable(why) | Self::Bad(why) | Self::NotReady(why) => f.write_str(why),
            Self::Fault(what) => write!(f, "{what}: this is a fault of Maproom, and nothing was changed"),
            Self::Closing => f.write_str("the server is about to close"),
            Self::Parted { name, parting, .. } => write!(f, "{name}: {}", parting.problems),
            Self::Store(error) => write!(f, "the change could not be kept, so it was not made: {error}"),
        }
    }
}

impl std::error::Error for LobbyError {}

impl From<StoreError> for LobbyError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<NoRandomness> for LobbyError {
    fn from(_: NoRandomness) -> Self {
        Self::Fault("this machine gives no random numbers")
    }
}

impl From<MatchError> for LobbyError {
    fn from(error: MatchError) -> Self {
        Self::Refused(error)
    }
}
