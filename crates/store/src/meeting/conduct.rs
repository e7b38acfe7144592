//! Whom somebody does not want to hear, what was reported, and what those who look after the house have done.

use crate::{AccountId, Room, StoreError};

/// The most people that somebody can mute and block together.
pub const MOST_CONTACTS: usize = 500;

/// The most reports of one account that can wait for an answer.
pub const MOST_OPEN_REPORTS: usize = 20;

/// What somebody wants of somebody else.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Contact {
    /// Not to read what they say.
    Mute,
    /// Nothing at all: what they say is hidden, they can't come to one's gathering tables, and can't invite one to theirs.
    Block,
}

impl Contact {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Mute, Self::Block];

    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Mute => "mute",
            Self::Block => "block",
        }
    }

    /// Reads the word.
    pub fn read(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|contact| contact.word() == word)
    }
}

/// A line that somebody reports. Its words are kept here, so that whoever looks at the report needs nothing else of the room.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewReport {
    /// Now.
    pub at: u64,
    /// Who reports it.
    pub by: AccountId,
    /// Who said it; none for a guest.
    pub about: Option<AccountId>,
    /// The table.
    pub match_id: String,
    /// The number of the line.
    pub n: u32,
    /// Where it was said.
    pub room: Room,
    /// What was said.
    pub text: String,
    /// What is wrong with it.
    pub why: String,
}

/// A report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// Its number.
    pub id: u64,
    /// What was reported.
    pub report: NewReport,
    /// The answer, and when it was given.
    pub answer: Option<(u64, String)>,
}

/// What became of a report.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reported {
    /// It waits for an answer, under this number.
    Kept(u64),
    /// They have reported that line before.
    Twice,
    /// Too many of theirs wait already.
    TooMany,
}

/// Something that was done to keep order, for the log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewAct {
    /// Now.
    pub at: u64,
    /// By whom; none for the owner of the house, who needs no account.
    pub by: Option<AccountId>,
    /// To whom, if it was done to somebody.
    pub about: Option<AccountId>,
    /// What was done, in words without names: they may be deleted one day.
    pub deed: String,
    /// What was written with it.
    pub note: String,
}

/// An entry of that log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Act {
    /// Its number.
    pub id: u64,
    /// What was done.
    pub act: NewAct,
}

/// A store for contacts, reports and the log of those who look after the house.
pub trait Conduct: Send + Sync {
    /// Begins or ends a mute or a block. `false` if that would be more than [`MOST_CONTACTS`].
    fn set_contact(
        &self,
        from: AccountId,
        to: AccountId,
        kind: Contact,
        is_on: bool,
    ) -> Result<bool, StoreError>;

    /// Whom somebody has muted or blocked.
    fn contacts(&self, from: AccountId) -> Result<Vec<(AccountId, Contact)>, StoreError>;

    /// Whether somebody has blocked somebody else.
    fn has_blocked(&self, from: AccountId, to: AccountId) -> Result<bool, StoreError>;

    /// Keeps a report.
    fn report(&self, report: &NewReport) -> Result<Reported, StoreError>;

    /// A report.
    fn report_numbered(&self, id: u64) -> Result<Option<Report>, StoreError>;

    /// Reports that wait for an answer, the oldest first, or those that have one, the newest first; at most `most`.
    fn reports(&self, is_answered: bool, most: usize) -> Result<Vec<Report>, StoreError>;

    /// What somebody has reported, the newest first, at most `most`.
    fn reports_by(&self, account: AccountId, most: usize) -> Result<Vec<Report>, StoreError>;

    /// Answers a report. `false` if there is none that waits for it.
    fn answer_report(&self, id: u64, at: u64, answer: &str) -> Result<bool, StoreError>;

    /// Lets an account say nothing up to a time, or with `None` anything again.
    fn silence(&self, account: AccountId, until: Option<u64>) -> Result<(), StoreError>;

    /// Up to when an account can say nothing.
    fn silenced_until(&self, account: AccountId) -> Result<Option<u64>, StoreError>;

    /// Writes into the log.
    fn note_act(&self, act: &NewAct) -> Result<(), StoreError>;

    /// The log before an entry, the newest first, at most `most`.
    fn acts(&self, before: Option<u64>, most: usize) -> Result<Vec<Act>, StoreError>;
}
