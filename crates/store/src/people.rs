//! The `People` trait: accounts, their sessions, one-time tokens, and the seats that accounts keep.
//!
//! Secrets are never stored. What opens a session or is sent in a link is kept as its SHA-256 only, so that whoever reads the
//! database, or a backup of it, can't come in with what they find there.
//!
//! Nothing of this exists in a store until [`People::prepare_people`] was called: somebody who plays at home has no accounts.

use std::fmt;

use crate::{AccountId, Conduct, Gatherings, Player, Rests, Shelf, StoreError, Summary, Talk};

/// The name of everybody whose account was deleted.
pub const FORMER_PLAYER: &str = "a former player";

/// The SHA-256 of a secret that opens something.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Fingerprint(pub [u8; 32]);

/// What an account may do beyond playing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Role {
    /// Plays.
    #[default]
    Member,
    /// Also opens the lobby of the house, like its owner.
    Admin,
}

impl Role {
    /// All roles.
    pub const ALL: [Self; 2] = [Self::Member, Self::Admin];

    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Member => "member",
            Self::Admin => "admin",
        }
    }

    /// Reads the word; whoever has one that is not known may do nothing special.
    pub fn read(word: &str) -> Self {
        Self::ALL.into_iter().find(|role| role.word() == word).unwrap_or_default()
    }
}

/// Whether an account can be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum AccountState {
    /// It can.
    #[default]
    Open,
    /// The house has closed it.
    Closed,
    /// It was deleted: only its number is left.
    Deleted,
}

impl AccountState {
    /// All states.
    pub const ALL: [Self; 3] = [Self::Open, Self::Closed, Self::Deleted];

    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Closed => "closed",
            Self::Deleted => "deleted",
        }
    }

    /// Reads the word; an account with one that is not known stays shut.
    pub fn read(word: &str) -> Self {
        Self::ALL.into_iter().find(|state| state.word() == word).unwrap_or(Self::Closed)
    }
}

/// An account.
#[derive(Clone, PartialEq, Eq)]
pub struct Account {
    /// Its number, which is never used again.
    pub id: AccountId,
    /// The name as its holder writes it.
    pub name: String,
    /// The name in a form in which no two accounts have the same.
    pub name_key: String,
    /// The hash of the password, as PHC text.
    pub password: String,
    /// The confirmed mail address.
    pub mail: Option<Mail>,
    /// The time zone, such as `Europe/Berlin`; empty for UTC.
    pub zone: String,
    /// What it may do.
    pub role: Role,
    /// Whether it can be used.
    pub state: AccountState,
    /// Milliseconds since 1970.
    pub created_at: u64,
    /// When its holder asked to delete it, if they did and have not come back.
    pub leaving_at: Option<u64>,
}

/// A mail address that its owner has confirmed.
#[derive(Clone, PartialEq, Eq)]
pub struct Mail {
    /// As its owner writes it.
    pub address: String,
    /// In a form in which no two accounts have the same.
    pub key: String,
    /// When it was confirmed.
    pub verified_at: u64,
}

/// What is needed for a new account.
#[derive(Clone)]
pub struct NewAccount {
    /// The name as its holder writes it.
    pub name: String,
    /// The name in a form in which no two accounts have the same.
    pub name_key: String,
    /// The hash of the password.
    pub password: String,
    /// The time zone.
    pub zone: String,
    /// What it may do.
    pub role: Role,
    /// Now.
    pub at: u64,
    /// The invitation that is used up for it.
    pub invitation: Option<Fingerprint>,
}

/// What became of a new account.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Added {
    /// It is there.
    Made(AccountId),
    /// Somebody has that name; the invitation can still be used.
    NameTaken,
    /// The invitation was used, has expired, or never was.
    NotInvited,
}

/// A change of one thing about an account.
#[derive(Clone)]
pub enum AccountChange {
    /// Another password, as its hash.
    Password(String),
    /// A confirmed mail address, or none.
    Mail(Option<Mail>),
    /// Another time zone.
    Zone(String),
    /// Another role.
    Role(Role),
    /// Closed or open again.
    State(AccountState),
    /// When its holder asked to delete it; `None` if they have come back.
    Leaving(Option<u64>),
}

/// What became of a change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Changed {
    /// It was made.
    Done,
    /// There is no such account, or it was deleted.
    Missing,
    /// Another account has that mail address.
    MailTaken,
}

/// A browser in which somebody is signed in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Session {
    /// Its number, by which it can be ended; given by the store.
    pub number: u64,
    /// The fingerprint of the secret in the browser's cookie.
    pub key: Fingerprint,
    /// Who is signed in.
    pub account: AccountId,
    /// When they signed in.
    pub made_at: u64,
    /// When it was last used, within the hour.
    pub seen_at: u64,
    /// When it ends if it isn't used.
    pub expires_at: u64,
    /// The browser in a few words, such as "Firefox on Linux".
    pub about: String,
}

/// What a one-time token is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Purpose {
    /// To make an account.
    Invitation,
    /// To choose a new password.
    Reset,
    /// To confirm a mail address.
    Mail,
}

impl Purpose {
    /// All purposes.
    pub const ALL: [Self; 3] = [Self::Invitation, Self::Reset, Self::Mail];

    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Invitation => "invitation",
            Self::Reset => "reset",
            Self::Mail => "mail",
        }
    }
}

/// A one-time token.
#[derive(Clone, PartialEq, Eq)]
pub struct Token {
    /// The fingerprint of the secret in its link.
    pub key: Fingerprint,
    /// Whose it is; nobody's yet for an invitation.
    pub account: Option<AccountId>,
    /// What it is for.
    pub purpose: Purpose,
    /// From when on it opens nothing.
    pub expires_at: u64,
    /// When it was used.
    pub used_at: Option<u64>,
    /// The mail address to confirm; empty otherwise.
    pub note: String,
}

impl Token {
    /// Whether it can be used at a time.
    pub fn is_valid(&self, purpose: Purpose, at: u64) -> bool {
        self.purpose == purpose && self.used_at.is_none() && at < self.expires_at
    }
}

/// A seat that an account keeps, with what a list says about its match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeptSeat {
    /// The match.
    pub match_id: String,
    /// Which game.
    pub game: String,
    /// The name of the match.
    pub name: String,
    /// The set-up in a few words.
    pub setup: String,
    /// The number of the seat.
    pub seat: u8,
    /// The game's word for its side.
    pub word: String,
    /// Who plays it.
    pub player: Player,
    /// How many steps its player has been shown.
    pub seen: u32,
    /// The number of the last entry.
    pub revision: u32,
    /// When the match last changed.
    pub changed_at: u64,
    /// Where the match stands.
    pub summary: Summary,
}

impl KeptSeat {
    /// Whether the match waits for the account's holder.
    pub fn is_awaited(&self) -> bool {
        self.summary.result.is_none() && self.summary.mover == Some(self.seat) && self.player.is_human()
    }
}

/// A seat that passes from whoever has its link to an account.
#[derive(Clone, Copy, Debug)]
pub struct Keeping<'a> {
    /// The match.
    pub match_id: &'a str,
    /// The seat.
    pub seat: u8,
    /// The account.
    pub account: AccountId,
    /// The token of the link that is closed; if the seat has another by now, nothing changes.
    pub token: &'a str,
    /// The seat to move, so that the list is right from now on.
    pub mover: Option<u8>,
    /// Now.
    pub at: u64,
}

/// A store for accounts, and for what they say to each other and gather. As with [`Store`](crate::Store), all methods block, and
/// an `Err` means that nothing was changed.
pub trait People: Talk + Conduct + Gatherings + Rests + Send + Sync {
    /// Makes what accounts need in the store, if it is missing. Must be called before anything else here.
    fn prepare_people(&self) -> Result<(), StoreError>;

    /// Whether that was ever done.
    fn has_people(&self) -> Result<bool, StoreError>;

    /// Makes an account, and uses up its invitation in the same transaction.
    fn add_account(&self, new: &NewAccount) -> Result<Added, StoreError>;

    /// An account by its number, deleted ones included.
    fn account(&self, id: AccountId) -> Result<Option<Account>, StoreError>;

    /// An account by the key of its name.
    fn account_named(&self, name_key: &str) -> Result<Option<Account>, StoreError>;

    /// An account by the key of its mail address.
    fn account_with_mail(&self, mail_key: &str) -> Result<Option<Account>, StoreError>;

    /// Accounts by number, after one of them, at most `most`.
    fn accounts(&self, after: Option<AccountId>, most: usize) -> Result<Vec<Account>, StoreError>;

    /// The accounts whose holders asked before a time to delete them.
    fn leaving(&self, before: u64) -> Result<Vec<AccountId>, StoreError>;

    /// Changes an account that is not deleted.
    fn change_account(&self, id: AccountId, change: &AccountChange) -> Result<Changed, StoreError>;

    /// Erases everything personal about an account for good; its number stays, under the name [`FORMER_PLAYER`].
    fn erase_account(&self, id: AccountId) -> Result<bool, StoreError>;

    /// Stores a new session; its `number` is given by the store.
    fn add_session(&self, session: &Session) -> Result<(), StoreError>;

    /// A session, even if it has expired.
    fn session(&self, key: Fingerprint) -> Result<Option<Session>, StoreError>;

    /// Notes that a session was used, and until when it now lasts.
    fn touch_session(&self, key: Fingerprint, seen_at: u64, expires_at: u64) -> Result<(), StoreError>;

    /// The sessions of an account that have not expired, the one used last first.
    fn sessions(&self, account: AccountId, at: u64) -> Result<Vec<Session>, StoreError>;

    /// Ends one session of an account, by its number.
    fn end_session(&self, account: AccountId, number: u64) -> Result<bool, StoreError>;

    /// Ends all sessions of an account, or all but one, and says how many.
    fn end_sessions(&self, account: AccountId, but: Option<Fingerprint>) -> Result<usize, StoreError>;

    /// Stores a new token. Of one account and purpose only the newest stays, so that an older link opens nothing.
    fn add_token(&self, token: &Token) -> Result<(), StoreError>;

    /// A token, used or expired ones included until they are forgotten.
    fn token(&self, key: Fingerprint) -> Result<Option<Token>, StoreError>;

    /// Uses a token up. Only one call ever gets it, and none after it has expired.
    fn use_token(&self, key: Fingerprint, purpose: Purpose, at: u64) -> Result<Option<Token>, StoreError>;

    /// Removes sessions and tokens that have expired, and says how many.
    fn forget_expired(&self, at: u64) -> Result<usize, StoreError>;

    /// Gives the seat of a person to an account and closes its link, in one transaction. `false` if it is not a person's
    /// seat, has another token, or if the account has a seat in that match already.
    fn keep_seat(&self, keeping: &Keeping<'_>) -> Result<bool, StoreError>;

    /// The seats of an account in matches that are not in the bin: where it is its holder's turn first, the one that has
    /// waited longest at the top; then what changed last. At most `most`.
    fn kept_seats(&self, account: AccountId, shelf: Shelf, most: usize) -> Result<Vec<KeptSeat>, StoreError>;
}

/// The order of [`People::kept_seats`], in one place for all stores.
pub(crate) fn sort_kept(seats: &mut [KeptSeat]) {
    seats.sort_by(|a, b| {
        let by_turn = b.is_awaited().cmp(&a.is_awaited());
        let by_time = match a.is_awaited() {
            true => a.changed_at.cmp(&b.changed_at),
            false => b.changed_at.cmp(&a.changed_at),
        };
        by_turn.then(by_time).then_with(|| a.match_id.cmp(&b.match_id))
    });
}

// Hashes of passwords and addresses must not end up in logs.

impl fmt::Debug for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Account")
            .field("id", &self.id)
            .field("role", &self.role)
            .field("state", &self.state)
            .field("leaving_at", &self.leaving_at)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Token")
            .field("account", &self.account)
            .field("purpose", &self.purpose)
            .field("expires_at", &self.expires_at)
            .field("used_at", &self.used_at)
            .finish_non_exhaustive()
    }
}
