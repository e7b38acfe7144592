//! The house: what persons do with accounts.

mod leaving;
mod letters;

use std::net::IpAddr;
use std::sync::Arc;

use store::{
    Account, AccountChange, AccountId, AccountState, Added, Changed, NewAccount, People, Purpose, Role,
    Session, Token,
};

use crate::common::check_password;
use crate::error::PeopleError;
use crate::limits::{Hourly, Neighbourhood, Tries};
use crate::mail::Mailer;
use crate::names::{Name, name_key, time_zone};
use crate::passwords::Passwords;
use crate::secret::{Secret, fingerprint};

pub use leaving::LEAVING_MS;

/// A session ends after so long without use: 30 days.
pub const SESSION_MS: u64 = 30 * 86_400_000;
/// A session that was used within the hour is not written again.
const TOUCH_MS: u64 = 3_600_000;

/// Who may make an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// Whoever has an invitation of the house.
    Invited,
    /// Anybody.
    Open,
}

/// Who makes a request, as far as it matters here.
#[derive(Clone, Copy, Debug)]
pub struct Visit<'a> {
    /// Their address.
    pub from: IpAddr,
    /// Their browser in a few words.
    pub browser: &'a str,
    /// Now, in milliseconds since 1970.
    pub now: u64,
}

/// Somebody who is signed in.
#[derive(Clone, Debug)]
pub struct SignedIn {
    /// Who.
    pub account: Account,
    /// In which browser.
    pub session: Session,
    /// Whether the session was prolonged just now, so that the browser has to be told.
    pub is_prolonged: bool,
}

/// What somebody fills in to make an account.
#[derive(Clone, Copy, Debug)]
pub struct Joining<'a> {
    /// The name.
    pub name: &'a str,
    /// The password.
    pub password: &'a str,
    /// The time zone; may be empty.
    pub zone: &'a str,
    /// A mail address to confirm; may be empty.
    pub mail: &'a str,
    /// The secret of an invitation.
    pub invitation: Option<&'a str>,
}

/// The accounts of a house.
pub struct House {
    people: Arc<dyn People>,
    passwords: Passwords,
    mailer: Arc<dyn Mailer>,
    entry: Entry,
    /// What links in letters begin with.
    address: String,
    tries: Tries,
    registrations: Hourly<Neighbourhood>,
    letters: Hourly<(AccountId, Purpose)>,
}

impl House {
    /// Opens the accounts of a store, and makes their tables if they are missing. Links in letters begin with `address`.
    pub fn open(
        people: Arc<dyn People>,
        passwords: Passwords,
        mailer: Arc<dyn Mailer>,
        entry: Entry,
        address: &str,
    ) -> Result<Self, PeopleError> {
        people.prepare_people()?;
        Ok(Self {
            people,
            passwords,
            mailer,
            entry,
            address: address.trim_end_matches('/').to_owned(),
            tries: Tries::default(),
            registrations: Hourly::default(),
            letters: Hourly::default(),
        })
    }

    /// Who may make an account.
    pub fn entry(&self) -> Entry {
        self.entry
    }

    /// Whether this house can send letters.
    pub fn can_send_mail(&self) -> bool {
        self.mailer.can_send()
    }

    /// How many hashes of passwords were made.
    pub fn hashes_made(&self) -> u64 {
        self.passwords.hashes_made()
    }

    /// The store behind it.
    pub fn people(&self) -> &dyn People {
        &*self.people
    }

    /// Makes an account and signs its holder in; the secret is for their cookie.
    pub fn join(&self, joining: &Joining<'_>, visit: Visit<'_>) -> Result<Secret, PeopleError> {
        let name = Name::new(joining.name).map_err(PeopleError::Refused)?;
        check_password(joining.password, &name.key).map_err(PeopleError::Refused)?;
        let zone = time_zone(joining.zone).map_err(PeopleError::Refused)?;
        if !joining.mail.trim().is_empty() {
            crate::names::mail_address(joining.mail).map_err(PeopleError::Refused)?;
        }
        let invitation = joining.invitation.map(fingerprint);
        match invitation {
            Some(key) if !self.is_open(key, Purpose::Invitation, visit.now)? => {
                return Err(PeopleError::DeadLink);
            }
            None if self.entry == Entry::Invited => return Err(PeopleError::DeadLink),
            _ => {}
        }
        if self.people.account_named(&name.key)?.is_some() {
            return Err(PeopleError::NameTaken);
        }
        if !self.registrations.take(Neighbourhood::of(visit.from), visit.now) {
            return Err(PeopleError::TooMany);
        }
        let password = self.passwords.hash(joining.password)?;
        let (name, name_key) = (name.text, name.key);
        let new =
            NewAccount { name, name_key, password, zone, role: Role::Member, at: visit.now, invitation };
        let id = match self.people.add_account(&new)? {
            Added::Made(id) => id,
            Added::NameTaken => return Err(PeopleError::NameTaken),
            Added::NotInvited => return Err(PeopleError::DeadLink),
        };
        if !joining.mail.trim().is_empty() && self.mailer.can_send() {
            // The account is there already: the address can be given again on its page.
            let _ = self.send_confirmation(id, &new.name, joining.mail, visit.now);
        }
        self.sign_in(id, visit)
    }

    /// Logs somebody in. The session that their browser had ends, and the new one has a secret of its own.
    pub fn log_in(
        &self,
        name: &str,
        password: &str,
        before: Option<&str>,
        visit: Visit<'_>,
    ) -> Result<Secret, PeopleError> {
        let key = name_key(name);
        let account = self.people.account_named(&key)?;
        self.prove(&key, account.as_ref(), password, visit)?;
        let account = account.ok_or(PeopleError::Wrong)?;
        if account.state != AccountState::Open {
            return Err(PeopleError::Closed);
        }
        if let Some(before) = before {
            self.log_out(before)?;
        }
        self.sign_in(account.id, visit)
    }

    /// Checks a password: one hash, whoever it is, unless too many wrong ones came before.
    fn prove(
        &self,
        key: &str,
        account: Option<&Account>,
        password: &str,
        visit: Visit<'_>,
    ) -> Result<(), PeopleError> {
        let tried = self.tries.begin(key, visit.from, visit.now).map_err(PeopleError::Wait)?;
        let hash = account.map(|account| account.password.as_str());
        let checked = self.passwords.check(password, hash);
        if checked != Ok(false) {
            self.tries.settle(&tried);
        }
        if checked? {
            self.tries.right(key);
            return Ok(());
        }
        Err(PeopleError::Wrong)
    }

    /// Checks the password of somebody who is signed in, before what can't be taken back.
    fn prove_again(&self, account: &Account, password: &str, visit: Visit<'_>) -> Result<(), PeopleError> {
        self.prove(&account.name_key, Some(account), password, visit)
    }

    fn sign_in(&self, account: AccountId, visit: Visit<'_>) -> Result<Secret, PeopleError> {
        let secret = Secret::new()?;
        self.people.add_session(&Session {
            number: 0,
            key: secret.fingerprint(),
            account,
            made_at: visit.now,
            seen_at: visit.now,
            expires_at: visit.now.saturating_add(SESSION_MS),
            about: visit.browser.to_owned(),
        })?;
        Ok(secret)
    }

    /// Who has the secret of a session in their cookie.
    pub fn who(&self, secret: &str, now: u64) -> Result<Option<SignedIn>, PeopleError> {
        let key = fingerprint(secret);
        let Some(mut session) = self.people.session(key)?.filter(|session| now < session.expires_at) else {
            return Ok(None);
        };
        let account = self.people.account(session.account)?;
        let Some(account) = account.filter(|account| account.state == AccountState::Open) else {
            return Ok(None);
        };
        let is_prolonged = now.saturating_sub(session.seen_at) >= TOUCH_MS;
        if is_prolonged {
            (session.seen_at, session.expires_at) = (now, now.saturating_add(SESSION_MS));
            self.people.touch_session(key, session.seen_at, session.expires_at)?;
        }
        Ok(Some(SignedIn { account, session, is_prolonged }))
    }

    /// Ends the session of a secret.
    pub fn log_out(&self, secret: &str) -> Result<(), PeopleError> {
        if let Some(session) = self.people.session(fingerprint(secret))? {
            self.people.end_session(session.account, session.number)?;
        }
        Ok(())
    }

    /// Changes a password. All sessions end, and the one who asked gets a new one.
    pub fn change_password(
        &self,
        account: &Account,
        old: &str,
        new: &str,
        visit: Visit<'_>,
    ) -> Result<Secret, PeopleError> {
        check_password(new, &account.name_key).map_err(PeopleError::Refused)?;
        self.prove_again(account, old, visit)?;
        self.set_password(account.id, new)?;
        self.sign_in(account.id, visit)
    }

    fn set_password(&self, account: AccountId, new: &str) -> Result<(), PeopleError> {
        let hash = self.passwords.hash(new)?;
        self.change(account, &AccountChange::Password(hash))?;
        self.people.end_sessions(account, None)?;
        Ok(())
    }

    /// Sets a time zone.
    pub fn set_zone(&self, account: AccountId, zone: &str) -> Result<(), PeopleError> {
        let zone = time_zone(zone).map_err(PeopleError::Refused)?;
        self.change(account, &AccountChange::Zone(zone))
    }

    /// Sets a role. All sessions end, because they were given for the old one.
    pub fn set_role(&self, account: AccountId, role: Role) -> Result<(), PeopleError> {
        self.change(account, &AccountChange::Role(role))?;
        self.people.end_sessions(account, None)?;
        Ok(())
    }

    /// Closes an account, or opens it again. All its sessions end.
    pub fn set_closed(&self, account: AccountId, is_closed: bool) -> Result<(), PeopleError> {
        let state = if is_closed { AccountState::Closed } else { AccountState::Open };
        self.change(account, &AccountChange::State(state))?;
        self.people.end_sessions(account, None)?;
        Ok(())
    }

    fn change(&self, account: AccountId, change: &AccountChange) -> Result<(), PeopleError> {
        match self.people.change_account(account, change)? {
            Changed::Done => Ok(()),
            Changed::Missing => Err(PeopleError::Missing),
            Changed::MailTaken => Err(PeopleError::MailTaken),
        }
    }

    /// Makes a one-time token and returns its secret.
    fn issue(
        &self,
        account: Option<AccountId>,
        purpose: Purpose,
        expires_at: u64,
        note: &str,
    ) -> Result<Secret, PeopleError> {
        let secret = Secret::new()?;
        let (key, note) = (secret.fingerprint(), note.to_owned());
        self.people.add_token(&Token { key, account, purpose, expires_at, used_at: None, note })?;
        Ok(secret)
    }

    fn is_open(&self, key: store::Fingerprint, purpose: Purpose, now: u64) -> Result<bool, PeopleError> {
        Ok(self.people.token(key)?.is_some_and(|token| token.is_valid(purpose, now)))
    }

    /// Whether a one-time link still works. Looking at it doesn't use it up.
    pub fn is_open_link(&self, secret: &str, purpose: Purpose, now: u64) -> Result<bool, PeopleError> {
        self.is_open(fingerprint(secret), purpose, now)
    }

    /// Makes an invitation that lasts so many milliseconds.
    pub fn invite(&self, lasts: u64, now: u64) -> Result<Secret, PeopleError> {
        self.issue(None, Purpose::Invitation, now.saturating_add(lasts), "")
    }
}

#[cfg(test)]
mod tests;
