//! Accounts in memory, for tests.

use std::collections::BTreeMap;

use crate::people::sort_kept;
use crate::{
    Account, AccountChange, AccountId, AccountState, Added, Changed, FORMER_PLAYER, Fingerprint, Keeping,
    KeptSeat, MatchRecord, MemoryStore, NewAccount, People, Purpose, Rest, Rests, Role, SeatRecord, Session,
    Shelf, StoreError, Token,
};

/// All accounts, with what belongs to them.
#[derive(Default)]
pub(crate) struct Persons {
    accounts: BTreeMap<AccountId, Account>,
    sessions: Vec<Session>,
    sessions_made: u64,
    tokens: BTreeMap<Fingerprint, Token>,
    rests: BTreeMap<AccountId, Vec<Rest>>,
}

impl Persons {
    fn use_token(&mut self, key: Fingerprint, purpose: Purpose, at: u64) -> Option<Token> {
        let token = self.tokens.get_mut(&key).filter(|token| token.is_valid(purpose, at))?;
        token.used_at = Some(at);
        Some(token.clone())
    }

    fn add_account(&mut self, new: &NewAccount) -> Added {
        if self.accounts.values().any(|account| account.name_key == new.name_key) {
            return Added::NameTaken;
        }
        if let Some(invitation) = new.invitation
            && self.use_token(invitation, Purpose::Invitation, new.at).is_none()
        {
            return Added::NotInvited;
        }
        let id = AccountId(self.accounts.len() as u64 + 1);
        let account = Account {
            id,
            name: new.name.clone(),
            name_key: new.name_key.clone(),
            password: new.password.clone(),
            mail: None,
            zone: new.zone.clone(),
            role: new.role,
            state: AccountState::Open,
            created_at: new.at,
            leaving_at: None,
        };
        self.accounts.insert(id, account);
        Added::Made(id)
    }

    fn change_account(&mut self, id: AccountId, change: &AccountChange) -> Changed {
        if let AccountChange::Mail(Some(mail)) = change {
            let has_it = |other: &Account| other.mail.as_ref().is_some_and(|of| of.key == mail.key);
            if self.accounts.values().any(|other| other.id != id && has_it(other)) {
                return Changed::MailTaken;
            }
        }
        let found = self.accounts.get_mut(&id).filter(|account| account.state != AccountState::Deleted);
        let Some(account) = found else { return Changed::Missing };
        match change.clone() {
            AccountChange::Password(hash) => account.password = hash,
            AccountChange::Mail(mail) => account.mail = mail,
            AccountChange::Zone(zone) => account.zone = zone,
            AccountChange::Role(role) => account.role = role,
            AccountChange::State(state) => account.state = state,
            AccountChange::Leaving(at) => account.leaving_at = at,
        }
        Changed::Done
    }

    fn erase_account(&mut self, id: AccountId) -> bool {
        self.sessions.retain(|session| session.account != id);
        self.tokens.retain(|_, token| token.account != Some(id));
        self.rests.remove(&id);
        let Some(account) = self.accounts.get_mut(&id) else { return false };
        *account = Account {
            id,
            name: FORMER_PLAYER.to_owned(),
            name_key: format!("#{}", id.0),
            password: String::new(),
            mail: None,
            zone: String::new(),
            role: Role::Member,
            state: AccountState::Deleted,
            created_at: account.created_at,
            leaving_at: None,
        };
        true
    }
}

impl MemoryStore {
    /// Works on the accounts, which must have been prepared.
    fn persons<T>(&self, work: impl FnOnce(&mut Persons) -> T) -> Result<T, StoreError> {
        let unprepared = || StoreError::Invalid("accounts were used before they were prepared".to_owned());
        self.inner().persons.as_mut().map(work).ok_or_else(unprepared)
    }

    fn find_account(&self, so: impl Fn(&Account) -> bool) -> Result<Option<Account>, StoreError> {
        self.persons(|persons| persons.accounts.values().find(|account| so(account)).cloned())
    }
}

impl Rests for MemoryStore {
    fn rests(&self, account: AccountId) -> Result<Vec<Rest>, StoreError> {
        self.persons(|persons| persons.rests.get(&account).cloned().unwrap_or_default())
    }

    fn put_rests(&self, account: AccountId, before: &[Rest], after: &[Rest]) -> Result<bool, StoreError> {
        self.persons(|persons| {
            let known = persons.rests.entry(account).or_default();
            let is_same = known == before;
            if is_same {
                *known = after.to_vec();
                known.sort_by_key(|rest| rest.from);
            }
            is_same
        })
    }

    fn resting(&self, at: u64) -> Result<Vec<AccountId>, StoreError> {
        self.persons(|persons| {
            let is_resting = |rests: &[Rest]| rests.iter().any(|rest| rest.until > at);
            persons.rests.iter().filter(|(_, rests)| is_resting(rests)).map(|(account, _)| *account).collect()
        })
    }
}

impl People for MemoryStore {
    fn prepare_people(&self) -> Result<(), StoreError> {
        self.inner().persons.get_or_insert_default();
        Ok(())
    }

    fn has_people(&self) -> Result<bool, StoreError> {
        Ok(self.inner().persons.is_some())
    }

    fn add_account(&self, new: &NewAccount) -> Result<Added, StoreError> {
        self.persons(|persons| persons.add_account(new))
    }

    fn account(&self, id: AccountId) -> Result<Option<Account>, StoreError> {
        self.persons(|persons| persons.accounts.get(&id).cloned())
    }

    fn account_named(&self, name_key: &str) -> Result<Option<Account>, StoreError> {
        self.find_account(|account| account.name_key == name_key)
    }

    fn account_with_mail(&self, mail_key: &str) -> Result<Option<Account>, StoreError> {
        self.find_account(|account| account.mail.as_ref().is_some_and(|mail| mail.key == mail_key))
    }

    fn accounts(&self, after: Option<AccountId>, most: usize) -> Result<Vec<Account>, StoreError> {
        self.persons(|persons| {
            let later =
                persons.accounts.values().filter(|account| after.is_none_or(|after| account.id > after));
            later.take(most).cloned().collect()
        })
    }

    fn leaving(&self, before: u64) -> Result<Vec<AccountId>, StoreError> {
        self.persons(|persons| {
            let leaving = |account: &&Account| account.leaving_at.is_some_and(|at| at < before);
            persons.accounts.values().filter(leaving).map(|account| account.id).collect()
        })
    }

    fn change_account(&self, id: AccountId, change: &AccountChange) -> Result<Changed, StoreError> {
        self.persons(|persons| persons.change_account(id, change))
    }

    fn erase_account(&self, id: AccountId) -> Result<bool, StoreError> {
        self.inner().all_orders().for_each(|orders| orders.erase(id));
        self.inner().meeting.erase(id);
        self.persons(|persons| persons.erase_account(id))
    }

    fn add_session(&self, session: &Session) -> Result<(), StoreError> {
        self.persons(|persons| {
            persons.sessions_made += 1;
            persons.sessions.push(Session { number: persons.sessions_made, ..session.clone() });
        })
    }

    fn session(&self, key: Fingerprint) -> Result<Option<Session>, StoreError> {
        self.persons(|persons| persons.sessions.iter().find(|session| session.key == key).cloned())
    }

    fn touch_session(&self, key: Fingerprint, seen_at: u64, expires_at: u64) -> Result<(), StoreError> {
        self.persons(|persons| {
            for session in persons.sessions.iter_mut().filter(|session| session.key == key) {
                (session.seen_at, session.expires_at) = (seen_at, expires_at);
            }
        })
    }

    fn sessions(&self, account: AccountId, at: u64) -> Result<Vec<Session>, StoreError> {
        self.persons(|persons| {
            let open = |session: &&Session| session.account == account && session.expires_at > at;
            let mut found: Vec<Session> = persons.sessions.iter().filter(open).cloned().collect();
            found.sort_by_key(|session| std::cmp::Reverse((session.seen_at, session.number)));
            found
        })
    }

    fn end_session(&self, account: AccountId, number: u64) -> Result<bool, StoreError> {
        self.persons(|persons| {
            let before = persons.sessions.len();
            persons.sessions.retain(|session| (session.account, session.number) != (account, number));
            persons.sessions.len() < before
        })
    }

    fn end_sessions(&self, account: AccountId, but: Option<Fingerprint>) -> Result<usize, StoreError> {
        self.persons(|persons| {
            let before = persons.sessions.len();
            persons.sessions.retain(|session| session.account != account || Some(session.key) == but);
            before - persons.sessions.len()
        })
    }

    fn add_token(&self, token: &Token) -> Result<(), StoreError> {
        self.persons(|persons| {
            let is_older = |other: &Token| {
                token.account.is_some() && (other.account, other.purpose) == (token.account, token.purpose)
            };
            persons.tokens.retain(|_, other| !is_older(other));
            persons.tokens.insert(token.key, token.clone());
        })
    }

    fn token(&self, key: Fingerprint) -> Result<Option<Token>, StoreError> {
        self.persons(|persons| persons.tokens.get(&key).cloned())
    }

    fn use_token(&self, key: Fingerprint, purpose: Purpose, at: u64) -> Result<Option<Token>, StoreError> {
        self.persons(|persons| persons.use_token(key, purpose, at))
    }

    fn forget_expired(&self, at: u64) -> Result<usize, StoreError> {
        self.persons(|persons| {
            let before = persons.sessions.len() + persons.tokens.len();
            persons.sessions.retain(|session| session.expires_at > at);
            persons.tokens.retain(|_, token| token.expires_at > at);
            before - persons.sessions.len() - persons.tokens.len()
        })
    }

    fn keep_seat(&self, keeping: &Keeping<'_>) -> Result<bool, StoreError> {
        let mut inner = self.inner();
        let Some(record) = inner.record_mut(keeping.match_id) else { return Ok(false) };
        if record.seats.iter().any(|seat| seat.player.account() == Some(keeping.account)) {
            return Ok(false);
        }
        let fits = |seat: &&mut SeatRecord| {
            seat.seat == keeping.seat && !seat.token.is_empty() && seat.token == keeping.token
        };
        let Some(seat) = record.seats.iter_mut().find(fits) else { return Ok(false) };
        let Some(player) = seat.player.kept_by(keeping.account) else { return Ok(false) };
        seat.player = player;
        seat.token.clear();
        seat.claimed_at.get_or_insert(keeping.at);
        record.summary.mover = keeping.mover;
        Ok(true)
    }

    fn kept_seats(&self, account: AccountId, shelf: Shelf, most: usize) -> Result<Vec<KeptSeat>, StoreError> {
        let inner = self.inner();
        let on_shelf =
            inner.records().filter(|record| record.summary.result.is_some() == (shelf == Shelf::Finished));
        let mut seats: Vec<KeptSeat> = on_shelf
            .flat_map(|record| record.seats.iter().map(move |seat| (record, seat)))
            .filter(|(_, seat)| seat.player.account() == Some(account))
            .map(|(record, seat)| kept_seat(record, seat))
            .collect();
        sort_kept(&mut seats);
        seats.truncate(most);
        Ok(seats)
    }
}

fn kept_seat(record: &MatchRecord, seat: &SeatRecord) -> KeptSeat {
    KeptSeat {
        match_id: record.id.clone(),
        game: record.game.clone(),
        name: record.name.clone(),
        setup: record.setup.clone(),
        seat: seat.seat,
        word: seat.word.clone(),
        player: seat.player.clone(),
        seen: seat.seen,
        revision: record.revision,
        changed_at: record.changed_at,
        summary: record.summary.clone(),
    }
}
