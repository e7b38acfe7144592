//! Why something about an account did not work, in words for its holder.

use std::fmt;

use store::StoreError;

use crate::passwords::Busy;
use crate::secret::NoRandomness;

/// Why something about an account did not work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PeopleError {
    /// No account has this name, or the password is another one: nobody is told which.
    Wrong,
    /// Too many wrong passwords: so many milliseconds are left to wait.
    Wait(u64),
    /// Too many people are logging in at this moment.
    Busy,
    /// Three an hour are enough.
    TooMany,
    /// What was typed won't do, and why.
    Refused(String),
    /// Somebody has that name.
    NameTaken,
    /// Another account has that address.
    MailTaken,
    /// A one-time link that was used, has expired, or never was.
    DeadLink,
    /// The house has closed the account.
    Closed,
    /// This house can't send letters.
    NoMail,
    /// No such account or session.
    Missing,
    /// The store failed; nothing was changed.
    Store(StoreError),
    /// The machine provides no random numbers.
    NoRandomness,
}

impl fmt::Display for PeopleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Wrong => f.write_str("Wrong name or password."),
            Self::Wait(left) => {
                let seconds = left.div_ceil(1_000);
                match seconds {
                    0..=1 => f.write_str("Too many wrong passwords: wait a second."),
                    2..120 => write!(f, "Too many wrong passwords: wait {seconds} seconds."),
                    _ => write!(f, "Too many wrong passwords: wait {} minutes.", seconds.div_ceil(60)),
                }
            }
            Self::Busy => f.write_str("Many people are logging in just now: try again in a few seconds."),
            Self::TooMany => f.write_str("That was asked for too often: wait an hour."),
            Self::Refused(why) => f.write_str(why),
            Self::NameTaken => f.write_str("Somebody has that name already: choose another one."),
            Self::MailTaken => f.write_str("Another account uses that address."),
            Self::DeadLink => f.write_str("This link was used already, has expired, or is incomplete."),
            Self::Closed => f.write_str("This account was closed by whoever runs this Maproom."),
            Self::NoMail => f.write_str("This Maproom can't send mail. Ask whoever runs it for a link."),
            Self::Missing => f.write_str("There is no such account or session."),
            Self::Store(why) => write!(f, "Nothing was changed: {why}"),
            Self::NoRandomness => f.write_str("This machine provides no random numbers."),
        }
    }
}

impl std::error::Error for PeopleError {}

impl From<StoreError> for PeopleError {
    fn from(why: StoreError) -> Self {
        Self::Store(why)
    }
}

impl From<Busy> for PeopleError {
    fn from(_: Busy) -> Self {
        Self::Busy
    }
}

impl From<NoRandomness> for PeopleError {
    fn from(_: NoRandomness) -> Self {
        Self::NoRandomness
    }
}
