//! Deleting an account: seven days to come back, then nothing personal is left.

use store::{Account, AccountChange, AccountId};

use super::{House, Visit};
use crate::error::PeopleError;
use crate::secret::Secret;

/// How long somebody who leaves can come back: 7 days.
pub const LEAVING_MS: u64 = 7 * 86_400_000;

impl House {
    /// Asks to delete an account. All its sessions end; whoever logs in within seven days can come back.
    pub fn leave(&self, account: &Account, password: &str, visit: Visit<'_>) -> Result<(), PeopleError> {
        self.prove_again(account, password, visit)?;
        self.change(account.id, &AccountChange::Leaving(Some(visit.now)))?;
        self.people.end_sessions(account.id, None)?;
        Ok(())
    }

    /// Keeps an account that was about to be deleted; its holder gets a new session, all others end.
    pub fn come_back(&self, account: AccountId, visit: Visit<'_>) -> Result<Secret, PeopleError> {
        self.change(account, &AccountChange::Leaving(None))?;
        self.people.end_sessions(account, None)?;
        self.sign_in(account, visit)
    }

    /// The accounts whose seven days are over. Their seats are given to bots first, then they are [erased](Self::erase).
    pub fn gone(&self, now: u64) -> Result<Vec<AccountId>, PeopleError> {
        Ok(self.people.leaving(now.saturating_sub(LEAVING_MS))?)
    }

    /// Erases an account for good, unless its holder has come back meanwhile.
    pub fn erase(&self, account: AccountId, now: u64) -> Result<bool, PeopleError> {
        let is_gone = self.gone(now)?.contains(&account);
        Ok(is_gone && self.people.erase_account(account)?)
    }

    /// Removes what has expired.
    pub fn tidy(&self, now: u64) -> Result<usize, PeopleError> {
        Ok(self.people.forget_expired(now)?)
    }
}
