//! What can go wrong in the server.

use std::fmt;

use kernel::{MatchError, Parting};
use store::StoreError;

use crate::secrets::NoRandomness;

/// Why a request failed. The match is unchanged.
#[derive(Debug)]
pub enum LobbyError {
    /// No such match, or a wrong token; the error is the same for both.
    NotFound,
    /// The link is for watching only.
    WatchOnly,
    /// The page was drawn before somebody's last change.
    Stale {
        /// The current revision.
        revision: u32,
    },
    /// The rules say no.
    Refused(MatchError),
    /// Too many changes in a short time.
    TooFast,
    /// The stored match can't be read.
    Unreadable(String),
    /// The current rules follow a match only up to some step. It is kept as it is.
    Parted {
        /// The stored match; `None` for an imported file.
        match_id: Option<String>,
        /// Its name.
        name: String,
        /// Where the rules disagree with it.
        parting: Box<Parting>,
    },
    /// The request is invalid.
    Bad(String),
    /// The result takes a while and is not ready yet: ask again.
    NotReady(String),
    /// The server failed; the log says more.
    Fault(&'static str),
    /// The server is shutting down.
    Closing,
    /// The store failed; nothing was changed, unless nobody knows ([`StoreError::Unknown`]).
    Store(StoreError),
}

impl fmt::Display for LobbyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound => f.write_str("Match not found: wrong link, or deleted."),
            Self::WatchOnly => f.write_str("This link is for watching only: it can't change the match."),
            Self::Stale { .. } => {
                f.write_str("The match has changed since you looked: check the position, then choose again.")
            }
            Self::Refused(error) => error.fmt(f),
            Self::TooFast => f.write_str("Too many changes at once: wait a second."),
            Self::Unreadable(why) | Self::Bad(why) | Self::NotReady(why) => f.write_str(why),
            Self::Fault(what) => write!(f, "{what}. This is a bug in Maproom; nothing was changed."),
            Self::Closing => f.write_str("The server is shutting down."),
            Self::Parted { name, parting, .. } => write!(f, "{name}: {}", parting.problems),
            // It may have been made.
            Self::Store(error @ StoreError::Unknown { .. }) => error.fmt(f),
            Self::Store(error) => write!(f, "The change could not be saved, so it was not made: {error}"),
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
        Self::Fault("This machine provides no random numbers")
    }
}

impl From<MatchError> for LobbyError {
    fn from(error: MatchError) -> Self {
        Self::Refused(error)
    }
}
