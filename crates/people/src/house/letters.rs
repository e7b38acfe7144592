//! One-time links: a new password, a confirmed address.

use store::{Account, AccountChange, AccountId, AccountState, Mail, Purpose};

use super::{House, Visit};
use crate::common::check_password;
use crate::error::PeopleError;
use crate::mail;
use crate::names::{mail_address, name_key};
use crate::secret::{Secret, fingerprint};

/// A link for a new password works for half an hour.
const RESET_MS: u64 = 30 * 60_000;
/// A link that confirms an address works for two days.
const CONFIRM_MS: u64 = 2 * 86_400_000;

impl House {
    /// Sends somebody who has forgotten their password a link, if there is such an account and it has a confirmed address.
    /// Whoever asks is told the same in any case.
    pub fn ask_for_reset(&self, name: &str, now: u64) -> Result<(), PeopleError> {
        if !self.mailer.can_send() {
            return Err(PeopleError::NoMail);
        }
        let account = self.people.account_named(&name_key(name))?;
        let Some(account) = account.filter(|account| account.state == AccountState::Open) else {
            return Ok(());
        };
        let Some(address) = account.mail.as_ref().map(|mail| mail.address.clone()) else { return Ok(()) };
        if self.letters.take((account.id, Purpose::Reset), now) {
            let link = self.reset_link(&account, now)?;
            self.mailer.send(&address, mail::reset(&account.name, &link));
        }
        Ok(())
    }

    /// A one-time link to choose a new password, for somebody who proved otherwise who they are.
    pub fn reset_link(&self, account: &Account, now: u64) -> Result<String, PeopleError> {
        let secret = self.issue(Some(account.id), Purpose::Reset, now.saturating_add(RESET_MS), "")?;
        Ok(format!("{}/reset/{}", self.address, secret.reveal()))
    }

    /// Sets a new password with such a link. All sessions end, and the one who asked gets a new one.
    pub fn reset(&self, secret: &str, password: &str, visit: Visit<'_>) -> Result<Secret, PeopleError> {
        let key = fingerprint(secret);
        let token = self.people.token(key)?.filter(|token| token.is_valid(Purpose::Reset, visit.now));
        let id = token.and_then(|token| token.account).ok_or(PeopleError::DeadLink)?;
        let account = self.people.account(id)?.ok_or(PeopleError::DeadLink)?;
        // A password that won't do leaves the link as it is.
        check_password(password, &account.name_key).map_err(PeopleError::Refused)?;
        if self.people.use_token(key, Purpose::Reset, visit.now)?.is_none() {
            return Err(PeopleError::DeadLink);
        }
        self.set_password(id, password)?;
        self.tries.right(&account.name_key);
        if account.state != AccountState::Open {
            return Err(PeopleError::Closed);
        }
        self.sign_in(id, visit)
    }

    /// Sends a letter to a new address; the account has it once the link in the letter was followed. An empty address takes the
    /// old one away at once.
    pub fn ask_for_mail(
        &self,
        account: &Account,
        password: &str,
        address: &str,
        visit: Visit<'_>,
    ) -> Result<(), PeopleError> {
        self.prove_again(account, password, visit)?;
        if address.trim().is_empty() {
            self.change(account.id, &AccountChange::Mail(None))?;
            self.tell_old_address(account);
            return Ok(());
        }
        if !self.mailer.can_send() {
            return Err(PeopleError::NoMail);
        }
        self.send_confirmation(account.id, &account.name, address, visit.now)
    }

    pub(super) fn send_confirmation(
        &self,
        account: AccountId,
        name: &str,
        address: &str,
        now: u64,
    ) -> Result<(), PeopleError> {
        let (address, key) = mail_address(address).map_err(PeopleError::Refused)?;
        if !self.letters.take((account, Purpose::Mail), now) {
            return Err(PeopleError::TooMany);
        }
        // Only the owner of the address hears that it is used already.
        if let Some(other) = self.people.account_with_mail(&key)?.filter(|other| other.id != account) {
            self.mailer.send(&address, mail::taken(&other.name));
            return Ok(());
        }
        let secret = self.issue(Some(account), Purpose::Mail, now.saturating_add(CONFIRM_MS), &address)?;
        let link = format!("{}/mail/{}", self.address, secret.reveal());
        self.mailer.send(&address, mail::confirm(name, &link));
        Ok(())
    }

    /// Confirms an address with the link in the letter, and tells the old one. Returns whose address it is, and the address.
    pub fn confirm_mail(&self, secret: &str, now: u64) -> Result<(AccountId, String), PeopleError> {
        let token = self.people.use_token(fingerprint(secret), Purpose::Mail, now)?;
        let token = token.ok_or(PeopleError::DeadLink)?;
        let account = match token.account {
            Some(id) => self.people.account(id)?,
            None => None,
        };
        let account = account.ok_or(PeopleError::DeadLink)?;
        let (address, key) = mail_address(&token.note).map_err(PeopleError::Refused)?;
        let is_new = account.mail.as_ref().is_none_or(|mail| mail.key != key);
        let mail = Mail { address: address.clone(), key, verified_at: now };
        self.change(account.id, &AccountChange::Mail(Some(mail)))?;
        if is_new {
            self.tell_old_address(&account);
        }
        Ok((account.id, address))
    }

    fn tell_old_address(&self, account: &Account) {
        if let Some(old) = &account.mail {
            self.mailer.send(&old.address, mail::moved(&account.name));
        }
    }
}
