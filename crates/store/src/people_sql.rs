//! Accounts in a database: tables of their own, which a house without accounts never has.

use crate::matches_sql::{to_stored, to_time};
use crate::orders_sql;
use crate::people::sort_kept;
use crate::sql::{self, Connection, Database, OptionalExtension as _, Row, params, unreadable};
use crate::{
    Account, AccountChange, AccountId, AccountState, Added, Changed, FORMER_PLAYER, Fingerprint, Keeping,
    KeptSeat, Mail, NewAccount, People, Player, Purpose, Rest, Rests, Role, Session, Shelf, StoreError,
    Summary, Token,
};

/// The setting with the version of these tables; without accounts it is missing.
const VERSION: &str = "people_version";

/// The steps from no tables to today's, numbered from 1. One that has been released is never changed.
pub(crate) const STEPS: &[&str] = &[
    "
CREATE TABLE accounts (
    id               INTEGER PRIMARY KEY AUTOINCREMENT,
    name             TEXT NOT NULL,
    name_key         TEXT NOT NULL UNIQUE,
    password         TEXT NOT NULL,
    mail             TEXT,
    mail_key         TEXT UNIQUE,
    mail_verified_at INTEGER,
    zone             TEXT NOT NULL,
    role             TEXT NOT NULL,
    state            TEXT NOT NULL,
    created_at       INTEGER NOT NULL,
    leaving_at       INTEGER,
    CHECK ((mail IS NULL) = (mail_key IS NULL) AND (mail IS NULL) = (mail_verified_at IS NULL))
) STRICT;
CREATE INDEX accounts_leaving ON accounts (leaving_at) WHERE leaving_at IS NOT NULL;

CREATE TABLE sessions (
    number     INTEGER PRIMARY KEY AUTOINCREMENT,
    key        BLOB NOT NULL UNIQUE,
    account    INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    made_at    INTEGER NOT NULL,
    seen_at    INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    about      TEXT NOT NULL
) STRICT;
CREATE INDEX sessions_of_account ON sessions (account);
CREATE INDEX sessions_by_end ON sessions (expires_at);

CREATE TABLE tokens (
    key        BLOB NOT NULL PRIMARY KEY,
    account    INTEGER REFERENCES accounts (id) ON DELETE CASCADE,
    purpose    TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    used_at    INTEGER,
    note       TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX tokens_of_account ON tokens (account, purpose);
CREATE INDEX tokens_by_end ON tokens (expires_at);

CREATE INDEX seats_of_accounts ON seats (player, match_id);
",
    "
CREATE TABLE rest_days (
    account    INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    first_day  TEXT NOT NULL,
    last_day   TEXT NOT NULL,
    begins_at  INTEGER NOT NULL,
    ends_at    INTEGER NOT NULL,
    PRIMARY KEY (account, begins_at)
) STRICT, WITHOUT ROWID;
CREATE INDEX rest_days_by_end ON rest_days (ends_at);
",
];

/// What is removed or emptied with an account; ?1 is its number. A table with texts of a person has its line here.
const ERASURES: &[&str] = &[
    "DELETE FROM sessions WHERE account = ?1",
    "DELETE FROM tokens WHERE account = ?1",
    "DELETE FROM rest_days WHERE account = ?1",
    "DELETE FROM chat WHERE account = ?1",
    "DELETE FROM notes WHERE account = ?1",
    "DELETE FROM contacts WHERE sender = ?1 OR receiver = ?1",
    "DELETE FROM silenced WHERE account = ?1",
    "DELETE FROM reports WHERE sender = ?1",
    "UPDATE reports SET text = '', why = '', answer = CASE WHEN answer IS NULL THEN NULL ELSE '' END WHERE about = ?1",
    "UPDATE moderation SET note = '' WHERE about = ?1 OR sender = ?1",
    "DELETE FROM gatherings WHERE host = ?1",
    "UPDATE gathering_seats SET taken = 0, account = NULL WHERE account = ?1",
    "UPDATE gathering_seats SET offer = 'open', asked = NULL WHERE asked = ?1",
];

const ACCOUNT: &str = "SELECT id, name, name_key, password, mail, mail_key, mail_verified_at, zone, role, state, \
                       created_at, leaving_at FROM accounts ";
const SESSION: &str = "SELECT number, key, account, made_at, seen_at, expires_at, about FROM sessions ";
const TOKEN: &str = "SELECT key, account, purpose, expires_at, used_at, note FROM tokens ";

impl<D: Database> People for D {
    fn prepare_people(&self) -> Result<(), StoreError> {
        let (found, known) = (self.read(|c| sql::version(c, VERSION))?, STEPS.len() as u32);
        if found > known {
            return Err(self.newer(found, known));
        }
        // What is deleted is overwritten, so that a person who leaves is gone from the file, too.
        self.overwrite_deleted()?;
        // What people say to each other is erased with their accounts, so the one is never there without the other.
        crate::meeting::prepare(self)?;
        sql::prepare(self, VERSION, STEPS)
    }

    fn has_people(&self) -> Result<bool, StoreError> {
        Ok(self.read(|c| sql::version(c, VERSION))? > 0)
    }

    fn add_account(&self, new: &NewAccount) -> Result<Added, StoreError> {
        self.write(|c| add_account(c, new))
    }

    fn account(&self, id: AccountId) -> Result<Option<Account>, StoreError> {
        self.read(|c| c.prepare_cached(&of(ACCOUNT, "id = ?1"))?.query_row([number(id)], account).optional())
    }

    fn account_named(&self, name_key: &str) -> Result<Option<Account>, StoreError> {
        self.read(|c| {
            c.prepare_cached(&of(ACCOUNT, "name_key = ?1"))?.query_row([name_key], account).optional()
        })
    }

    fn account_with_mail(&self, mail_key: &str) -> Result<Option<Account>, StoreError> {
        self.read(|c| {
            c.prepare_cached(&of(ACCOUNT, "mail_key = ?1"))?.query_row([mail_key], account).optional()
        })
    }

    fn accounts(&self, after: Option<AccountId>, most: usize) -> Result<Vec<Account>, StoreError> {
        self.read(|c| {
            let mut found = c.prepare_cached(&of(ACCOUNT, "id > ?1 ORDER BY id LIMIT ?2"))?;
            let after = after.map_or(0, number);
            found.query_map(params![after, most as i64], account)?.collect()
        })
    }

    fn leaving(&self, before: u64) -> Result<Vec<AccountId>, StoreError> {
        self.read(|c| {
            let mut found = c.prepare_cached("SELECT id FROM accounts WHERE leaving_at < ?1 ORDER BY id")?;
            found.query_map([to_stored(before)], |row| id(row, 0))?.collect()
        })
    }

    fn change_account(&self, id: AccountId, change: &AccountChange) -> Result<Changed, StoreError> {
        self.write(|c| change_account(c, id, change))
    }

    fn erase_account(&self, id: AccountId) -> Result<bool, StoreError> {
        let erased = self.write(|c| {
            for erasure in ERASURES {
                c.execute(erasure, [number(id)])?;
            }
            orders_sql::erase(c, id)?;
            let mut erase = c.prepare_cached(
                "UPDATE accounts SET name = ?2, name_key = ?3, password = '', mail = NULL, mail_key = NULL, \
                 mail_verified_at = NULL, zone = '', role = 'member', state = 'deleted', leaving_at = NULL \
                 WHERE id = ?1",
            )?;
            // No name that can be chosen begins like this.
            let key = format!("#{}", id.0);
            Ok(erase.execute(params![number(id), FORMER_PLAYER, key])? > 0)
        })?;
        // The log still has the pages as they were.
        self.clean_log()?;
        Ok(erased)
    }

    fn add_session(&self, session: &Session) -> Result<(), StoreError> {
        self.write(|c| {
            let mut insert = c.prepare_cached(
                "INSERT INTO sessions (key, account, made_at, seen_at, expires_at, about) \
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            )?;
            insert.execute(params![
                session.key.0,
                number(session.account),
                to_stored(session.made_at),
                to_stored(session.seen_at),
                to_stored(session.expires_at),
                session.about,
            ])?;
            Ok(())
        })
    }

    fn session(&self, key: Fingerprint) -> Result<Option<Session>, StoreError> {
        self.read(|c| c.prepare_cached(&of(SESSION, "key = ?1"))?.query_row([key.0], session).optional())
    }

    fn touch_session(&self, key: Fingerprint, seen_at: u64, expires_at: u64) -> Result<(), StoreError> {
        self.write(|c| {
            let mut update =
                c.prepare_cached("UPDATE sessions SET seen_at = ?2, expires_at = ?3 WHERE key = ?1")?;
            update.execute(params![key.0, to_stored(seen_at), to_stored(expires_at)]).map(|_| ())
        })
    }

    fn sessions(&self, account: AccountId, at: u64) -> Result<Vec<Session>, StoreError> {
        self.read(|c| {
            let rest = "account = ?1 AND expires_at > ?2 ORDER BY seen_at DESC, number DESC";
            let mut found = c.prepare_cached(&of(SESSION, rest))?;
            found.query_map(params![number(account), to_stored(at)], session)?.collect()
        })
    }

    fn end_session(&self, account: AccountId, session: u64) -> Result<bool, StoreError> {
        self.write(|c| {
            let mut end = c.prepare_cached("DELETE FROM sessions WHERE number = ?2 AND account = ?1")?;
            Ok(end.execute(params![number(account), to_stored(session)])? > 0)
        })
    }

    fn end_sessions(&self, account: AccountId, but: Option<Fingerprint>) -> Result<usize, StoreError> {
        self.write(|c| {
            let mut end =
                c.prepare_cached("DELETE FROM sessions WHERE account = ?1 AND key IS DISTINCT FROM ?2")?;
            end.execute(params![number(account), but.map(|but| but.0)])
        })
    }

    fn add_token(&self, token: &Token) -> Result<(), StoreError> {
        self.write(|c| {
            if let Some(account) = token.account {
                c.prepare_cached("DELETE FROM tokens WHERE account = ?1 AND purpose = ?2")?
                    .execute(params![number(account), token.purpose.word()])?;
            }
            let mut insert = c.prepare_cached(
                "INSERT INTO tokens (key, account, purpose, expires_at, used_at, note) \
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            )?;
            insert.execute(params![
                token.key.0,
                token.account.map(number),
                token.purpose.word(),
                to_stored(token.expires_at),
                token.used_at.map(to_stored),
                token.note,
            ])?;
            Ok(())
        })
    }

    fn token(&self, key: Fingerprint) -> Result<Option<Token>, StoreError> {
        self.read(|c| find_token(c, key))
    }

    fn use_token(&self, key: Fingerprint, purpose: Purpose, at: u64) -> Result<Option<Token>, StoreError> {
        self.write(|c| use_token(c, key, purpose, at))
    }

    fn forget_expired(&self, at: u64) -> Result<usize, StoreError> {
        self.write(|c| {
            let at = to_stored(at);
            let sessions = c.prepare_cached("DELETE FROM sessions WHERE expires_at <= ?1")?.execute([at])?;
            let tokens = c.prepare_cached("DELETE FROM tokens WHERE expires_at <= ?1")?.execute([at])?;
            Ok(sessions + tokens)
        })
    }

    fn keep_seat(&self, keeping: &Keeping<'_>) -> Result<bool, StoreError> {
        self.write(|c| keep_seat(c, keeping))
    }

    fn kept_seats(&self, account: AccountId, shelf: Shelf, most: usize) -> Result<Vec<KeptSeat>, StoreError> {
        let mut seats = self.read(|c| kept_seats(c, account, shelf))?;
        sort_kept(&mut seats);
        seats.truncate(most);
        Ok(seats)
    }
}

impl<D: Database> Rests for D {
    fn rests(&self, account: AccountId) -> Result<Vec<Rest>, StoreError> {
        self.read(|c| rests(c, account))
    }

    fn put_rests(&self, account: AccountId, before: &[Rest], after: &[Rest]) -> Result<bool, StoreError> {
        self.write(|c| {
            if rests(c, account)? != before {
                return Ok(false);
            }
            c.prepare_cached("DELETE FROM rest_days WHERE account = ?1")?.execute([number(account)])?;
            let mut insert = c.prepare_cached("INSERT INTO rest_days VALUES (?1, ?2, ?3, ?4, ?5)")?;
            for Rest { first, last, from, until } in after {
                insert.execute(params![number(account), first, last, to_stored(*from), to_stored(*until)])?;
            }
            Ok(true)
        })
    }

    fn resting(&self, at: u64) -> Result<Vec<AccountId>, StoreError> {
        self.read(|c| {
            let mut found = c.prepare_cached(
                "SELECT DISTINCT account FROM rest_days WHERE ends_at > ?1 ORDER BY account",
            )?;
            found.query_map([to_stored(at)], |row| id(row, 0))?.collect()
        })
    }
}

fn rests(c: &Connection<'_>, account: AccountId) -> sql::Result<Vec<Rest>> {
    let mut found = c.prepare_cached(
        "SELECT first_day, last_day, begins_at, ends_at FROM rest_days WHERE account = ?1 ORDER BY begins_at",
    )?;
    let rest = |row: &Row<'_>| {
        let (from, until) = (to_time(row.get(2)?), to_time(row.get(3)?));
        Ok(Rest { first: row.get(0)?, last: row.get(1)?, from, until })
    };
    found.query_map([number(account)], rest)?.collect()
}

fn of(select: &str, condition: &str) -> String {
    format!("{select}WHERE {condition}")
}

fn add_account(c: &Connection<'_>, new: &NewAccount) -> sql::Result<Added> {
    if c.prepare_cached("SELECT 1 FROM accounts WHERE name_key = ?1")?.exists([&new.name_key])? {
        return Ok(Added::NameTaken);
    }
    if let Some(invitation) = new.invitation
        && use_token(c, invitation, Purpose::Invitation, new.at)?.is_none()
    {
        return Ok(Added::NotInvited);
    }
    let mut insert = c.prepare_cached(
        "INSERT INTO accounts (name, name_key, password, zone, role, state, created_at) \
         VALUES (?1, ?2, ?3, ?4, ?5, 'open', ?6) RETURNING id",
    )?;
    let values = params![new.name, new.name_key, new.password, new.zone, new.role.word(), to_stored(new.at)];
    insert.query_row(values, |row| id(row, 0)).map(Added::Made)
}

fn change_account(c: &Connection<'_>, id: AccountId, change: &AccountChange) -> sql::Result<Changed> {
    let at = number(id);
    let set = |column: &str, value: &dyn sql::ToValue| {
        let statement = format!("UPDATE accounts SET {column} = ?2 WHERE id = ?1 AND state <> 'deleted'");
        c.prepare_cached(&statement)?.execute(params![at, value])
    };
    let changed = match change {
        AccountChange::Password(hash) => set("password", hash),
        AccountChange::Zone(zone) => set("zone", zone),
        AccountChange::Role(role) => set("role", &role.word()),
        AccountChange::State(state) => set("state", &state.word()),
        AccountChange::Leaving(leaving) => set("leaving_at", &leaving.map(to_stored)),
        AccountChange::Mail(mail) => {
            let key = mail.as_ref().map(|mail| &mail.key);
            let mut other = c.prepare_cached("SELECT 1 FROM accounts WHERE mail_key = ?1 AND id <> ?2")?;
            if other.exists(params![key, at])? {
                return Ok(Changed::MailTaken);
            }
            let mut update = c.prepare_cached(
                "UPDATE accounts SET mail = ?2, mail_key = ?3, mail_verified_at = ?4 \
                 WHERE id = ?1 AND state <> 'deleted'",
            )?;
            let address = mail.as_ref().map(|mail| &mail.address);
            let verified = mail.as_ref().map(|mail| to_stored(mail.verified_at));
            update.execute(params![at, address, key, verified])
        }
    }?;
    Ok(if changed > 0 { Changed::Done } else { Changed::Missing })
}

fn find_token(c: &Connection<'_>, key: Fingerprint) -> sql::Result<Option<Token>> {
    c.prepare_cached(&of(TOKEN, "key = ?1"))?.query_row([key.0], token).optional()
}

fn use_token(c: &Connection<'_>, key: Fingerprint, purpose: Purpose, at: u64) -> sql::Result<Option<Token>> {
    let Some(found) = find_token(c, key)?.filter(|token| token.is_valid(purpose, at)) else {
        return Ok(None);
    };
    c.prepare_cached("UPDATE tokens SET used_at = ?2 WHERE key = ?1")?
        .execute(params![key.0, to_stored(at)])?;
    Ok(Some(Token { used_at: Some(at), ..found }))
}

fn keep_seat(c: &Connection<'_>, keeping: &Keeping<'_>) -> sql::Result<bool> {
    let Keeping { match_id, seat, account, token, mover, at } = *keeping;
    let mut seats = c.prepare_cached("SELECT seat, player, token FROM seats WHERE match_id = ?1")?;
    let seats = seats.query_map([match_id], |row| {
        Ok((row.get::<u8>(0)?, Player::read(row.get_ref(1)?.as_str()?), row.get::<String>(2)?))
    })?;
    let mut next = None;
    for row in seats {
        let (number, player, secret) = row?;
        if player.account() == Some(account) {
            return Ok(false);
        }
        if number == seat && !token.is_empty() && secret == token {
            next = player.kept_by(account);
        }
    }
    let Some(player) = next else { return Ok(false) };
    let mut update = c.prepare_cached(
        "UPDATE seats SET player = ?3, token = '', claimed_at = coalesce(claimed_at, ?4) \
         WHERE match_id = ?1 AND seat = ?2",
    )?;
    update.execute(params![match_id, seat, player.to_string(), to_stored(at)])?;
    c.prepare_cached("UPDATE progress SET mover = ?2 WHERE match_id = ?1")?
        .execute(params![match_id, mover])?;
    Ok(true)
}

/// The seats of an account, found by the index over the words of all seats. The cross joins keep SQLite from going through all
/// matches of a shelf instead.
const KEPT_SEATS: &str = "SELECT s.match_id, m.game, m.name, m.setup, s.seat, s.word, s.player, s.seen, p.revision, p.changed_at, \
     p.steps, p.turn, p.last_event, p.to_move, p.owner_to_move, p.mover, p.result, p.result_title, p.standings \
     FROM seats s INDEXED BY seats_of_accounts CROSS JOIN progress p ON p.match_id = s.match_id \
     CROSS JOIN matches m ON m.id = s.match_id \
     WHERE s.player >= ?1 AND s.player < ?2 \
     AND (CASE WHEN p.result IS NULL THEN 0 ELSE 1 END) = ?3 AND m.deleted_at IS NULL";

fn kept_seats(c: &Connection<'_>, account: AccountId, shelf: Shelf) -> sql::Result<Vec<KeptSeat>> {
    let mut seats = c.prepare_cached(KEPT_SEATS)?;
    let (from, to) = Player::words_of(account);
    seats.query_map(params![from, to, shelf == Shelf::Finished], kept_seat)?.collect()
}

fn kept_seat(row: &Row<'_>) -> sql::Result<KeptSeat> {
    Ok(KeptSeat {
        match_id: row.get(0)?,
        game: row.get(1)?,
        name: row.get(2)?,
        setup: row.get(3)?,
        seat: row.get(4)?,
        word: row.get(5)?,
        player: Player::read(row.get_ref(6)?.as_str()?),
        seen: row.get(7)?,
        revision: row.get(8)?,
        changed_at: to_time(row.get(9)?),
        summary: Summary {
            steps: row.get(10)?,
            turn: row.get(11)?,
            last_event: row.get(12)?,
            to_move: row.get(13)?,
            owner_to_move: row.get(14)?,
            mover: row.get(15)?,
            result: row.get(16)?,
            result_title: row.get(17)?,
            standings: row.get(18)?,
        },
    })
}

fn account(row: &Row<'_>) -> sql::Result<Account> {
    let mail = match (row.get(4)?, row.get(5)?, row.get::<Option<i64>>(6)?) {
        (Some(address), Some(key), Some(at)) => Some(Mail { address, key, verified_at: to_time(at) }),
        _ => None,
    };
    Ok(Account {
        id: id(row, 0)?,
        name: row.get(1)?,
        name_key: row.get(2)?,
        password: row.get(3)?,
        mail,
        zone: row.get(7)?,
        role: Role::read(row.get_ref(8)?.as_str()?),
        state: AccountState::read(row.get_ref(9)?.as_str()?),
        created_at: to_time(row.get(10)?),
        leaving_at: row.get::<Option<i64>>(11)?.map(to_time),
    })
}

fn session(row: &Row<'_>) -> sql::Result<Session> {
    Ok(Session {
        number: to_time(row.get(0)?),
        key: Fingerprint(row.get(1)?),
        account: id(row, 2)?,
        made_at: to_time(row.get(3)?),
        seen_at: to_time(row.get(4)?),
        expires_at: to_time(row.get(5)?),
        about: row.get(6)?,
    })
}

fn token(row: &Row<'_>) -> sql::Result<Token> {
    let word: String = row.get(2)?;
    let purpose = Purpose::ALL.into_iter().find(|purpose| purpose.word() == word);
    let unknown = || unreadable(format!("`{word}` is no purpose of a token"));
    let account: Option<i64> = row.get(1)?;
    Ok(Token {
        key: Fingerprint(row.get(0)?),
        account: account.map(|account| AccountId(account.cast_unsigned())),
        purpose: purpose.ok_or_else(unknown)?,
        expires_at: to_time(row.get(3)?),
        used_at: row.get::<Option<i64>>(4)?.map(to_time),
        note: row.get(5)?,
    })
}

fn id(row: &Row<'_>, column: usize) -> sql::Result<AccountId> {
    Ok(AccountId(row.get::<i64>(column)?.cast_unsigned()))
}

/// The database gives the numbers, so they always fit.
fn number(id: AccountId) -> i64 {
    to_stored(id.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SqliteStore;

    #[test]
    fn my_turn_reads_only_the_seats_of_the_account() {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(folder.path()).unwrap();
        store.prepare_people().unwrap();
        let plan: Vec<String> = Database::read(&store, |c| {
            let mut plan = c.prepare_cached(&format!("EXPLAIN QUERY PLAN {KEPT_SEATS}"))?;
            plan.query_map(params!["account:a1", "account:a1,", false], |row| row.get(3))?.collect()
        })
        .unwrap();
        assert!(plan[0].contains("seats_of_accounts"), "{plan:?}");
        assert!(plan.iter().all(|step| step.starts_with("SEARCH")), "{plan:?}");
    }
}
