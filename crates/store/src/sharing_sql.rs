//! What servers share beside matches, in a database: tables of their own, which a house with one server never has.

use crate::matches_sql::{add_outage, set_setting, setting, to_stored, to_time};
use crate::sharing::NOBODY;
use crate::sql::{self, Connection, Database, Row, ToValue, marks, params};
use crate::{AccountId, Outage, SharedHouse, StoreError, Windows};

/// The setting with the version of these tables.
const VERSION: &str = "sharing_version";

/// The setting with the last moment at which the house is known to have run: the same as that of a server alone.
const ALIVE: &str = "house_alive";

/// How many matches are asked for at once.
const AT_ONCE: usize = 32;

/// The steps from no tables to today's, numbered from 1. One that has been released is never changed.
pub(crate) const STEPS: &[&str] = &["
CREATE TABLE drives (
    match_id TEXT NOT NULL PRIMARY KEY REFERENCES matches (id) ON DELETE CASCADE,
    server   TEXT NOT NULL,
    until    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX drives_of_servers ON drives (server);
CREATE INDEX drives_by_time ON drives (until);

-- Seat -1 is for those who watch, account 0 for somebody with a link.
CREATE TABLE windows (
    match_id TEXT NOT NULL,
    server   TEXT NOT NULL,
    seat     INTEGER NOT NULL,
    account  INTEGER NOT NULL,
    opened   INTEGER NOT NULL,
    shown    INTEGER NOT NULL,
    until    INTEGER NOT NULL,
    PRIMARY KEY (match_id, server, seat, account)
) STRICT, WITHOUT ROWID;
CREATE INDEX windows_of_servers ON windows (server);
"];

fn now(c: &Connection<'_>) -> sql::Result<u64> {
    c.time().map(to_time)
}

fn life(c: &Connection<'_>, asleep: u64) -> sql::Result<Option<Outage>> {
    let now = now(c)?;
    let last: Option<u64> = setting(c, ALIVE)?.and_then(|text| text.parse().ok());
    let outage =
        last.filter(|last| now > last.saturating_add(asleep)).map(|began| Outage { began, ended: now });
    if let Some(outage) = outage {
        add_outage(c, outage)?;
    }
    // A server that took the time a moment earlier must not put the note back.
    set_setting(c, ALIVE, &last.map_or(now, |last| last.max(now)).to_string())?;
    Ok(outage)
}

fn match_ids(c: &Connection<'_>, sql: &str, params: impl sql::Params) -> sql::Result<Vec<String>> {
    c.prepare_cached(sql)?.query_map(params, |row| row.get(0))?.collect()
}

fn note(c: &Connection<'_>, server: &str, changed: &[Windows], until: i64) -> sql::Result<()> {
    let mut put = c.prepare_cached(
        "INSERT INTO windows (match_id, server, seat, account, opened, shown, until) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) \
         ON CONFLICT (match_id, server, seat, account) DO UPDATE SET opened = ?5, shown = ?6, until = ?7",
    )?;
    let mut remove = c.prepare_cached(
        "DELETE FROM windows WHERE match_id = ?1 AND server = ?2 AND seat = ?3 AND account = ?4",
    )?;
    for windows in changed {
        let Windows { match_id, open, shown, .. } = windows;
        let (seat, account) = (stored_seat(windows.seat), stored_account(windows.account));
        match open {
            0 => remove.execute(params![match_id, server, seat, account])?,
            _ => put.execute(params![match_id, server, seat, account, open, shown, until])?,
        };
    }
    Ok(())
}

fn stored_seat(seat: Option<u8>) -> i64 {
    seat.map_or(-1, i64::from)
}

fn stored_account(account: Option<AccountId>) -> i64 {
    account.map_or(0, |account| account.0.cast_signed())
}

fn windows(row: &Row<'_>) -> sql::Result<Windows> {
    let account: i64 = row.get(2)?;
    Ok(Windows {
        match_id: row.get(0)?,
        seat: u8::try_from(row.get::<i64>(1)?).ok(),
        account: (account != 0).then(|| AccountId(account.cast_unsigned())),
        open: row.get(3)?,
        shown: row.get(4)?,
    })
}

impl<D: Database> SharedHouse for D {
    fn prepare_sharing(&self) -> Result<(), StoreError> {
        sql::prepare(self, VERSION, STEPS)
    }

    fn time(&self) -> Result<u64, StoreError> {
        self.read(now)
    }

    fn note_life(&self, asleep: u64) -> Result<Option<Outage>, StoreError> {
        self.write(|c| life(c, asleep))
    }

    fn rest_life(&self) -> Result<(), StoreError> {
        self.write(|c| c.execute("DELETE FROM settings WHERE key = ?1", [ALIVE]).map(drop))
    }

    fn take_drive(&self, server: &str, match_id: &str, span: u64) -> Result<bool, StoreError> {
        self.touch(|c| {
            let now = now(c)?;
            let mut take = c.prepare_cached(
                "INSERT INTO drives (match_id, server, until) SELECT id, ?2, ?3 FROM matches WHERE id = ?1 \
                 ON CONFLICT (match_id) DO UPDATE SET server = ?2, until = ?3 \
                 WHERE drives.server = ?2 OR drives.server = ?5 OR drives.until < ?4",
            )?;
            let until = to_stored(now.saturating_add(span));
            Ok(take.execute(params![match_id, server, until, to_stored(now), NOBODY])? > 0)
        })
    }

    fn renew_drives(&self, server: &str, span: u64) -> Result<Vec<String>, StoreError> {
        self.touch(|c| {
            let until = to_stored(now(c)?.saturating_add(span));
            let sql = "UPDATE drives SET until = ?2 WHERE server = ?1 RETURNING match_id";
            let mut renewed = match_ids(c, sql, params![server, until])?;
            renewed.sort_unstable();
            Ok(renewed)
        })
    }

    fn drop_drives(&self, server: &str, matches: &[String]) -> Result<(), StoreError> {
        self.touch(|c| {
            let mut remove = c.prepare_cached("DELETE FROM drives WHERE match_id = ?1 AND server = ?2")?;
            matches.iter().try_for_each(|id| remove.execute(params![id, server]).map(drop))
        })
    }

    fn pass_drive_on(&self, server: &str, match_id: &str, span: u64) -> Result<(), StoreError> {
        self.touch(|c| {
            let until = to_stored(now(c)?.saturating_add(span));
            let sql = "UPDATE drives SET server = ?3, until = ?4 WHERE match_id = ?1 AND server = ?2";
            c.execute(sql, params![match_id, server, NOBODY, until]).map(drop)
        })
    }

    fn leave_drives(&self, server: &str) -> Result<(), StoreError> {
        self.touch(|c| c.execute("UPDATE drives SET until = 0 WHERE server = ?1", [server]).map(drop))
    }

    fn adopt_drives(&self, server: &str, span: u64, most: usize) -> Result<Vec<String>, StoreError> {
        self.touch(|c| {
            let now = now(c)?;
            let sql = "UPDATE drives SET server = ?1, until = ?2 WHERE match_id IN (SELECT match_id FROM drives \
                       WHERE until < ?3 ORDER BY match_id LIMIT ?4 /* for this server */) AND until < ?3 \
                       RETURNING match_id";
            let until = to_stored(now.saturating_add(span));
            let mut adopted =
                match_ids(c, sql, params![server, until, to_stored(now), most as i64])?;
            adopted.sort_unstable();
            Ok(adopted)
        })
    }

    fn note_windows(&self, server: &str, changed: &[Windows], span: u64) -> Result<(), StoreError> {
        self.touch(|c| note(c, server, changed, to_stored(now(c)?.saturating_add(span))))
    }

    fn keep_windows(&self, server: &str, span: u64) -> Result<(), StoreError> {
        self.touch(|c| {
            let now = now(c)?;
            let until = to_stored(now.saturating_add(span));
            c.execute("UPDATE windows SET until = ?2 WHERE server = ?1", params![server, until])?;
            c.execute("DELETE FROM windows WHERE until < ?1", [to_stored(now)]).map(drop)
        })
    }

    fn other_windows(&self, server: &str, matches: &[String]) -> Result<Vec<Windows>, StoreError> {
        self.read(|c| {
            let now = to_stored(now(c)?);
            let mut found = Vec::new();
            for some in matches.chunks(AT_ONCE) {
                let sql = format!(
                    "SELECT match_id, seat, account, opened, shown FROM windows WHERE server <> ?1 AND until >= ?2 \
                     AND match_id IN ({})",
                    marks(3, AT_ONCE)
                );
                // The same statement for any number: the last one is repeated.
                let ids = some.iter().chain(std::iter::repeat(&some[some.len() - 1])).take(AT_ONCE);
                let mut values: Vec<&dyn ToValue> = vec![&server, &now];
                values.extend(ids.map(|id| id as &dyn ToValue));
                let rows = c.prepare_cached(&sql)?.query_map(&values[..], windows)?;
                found.extend(rows.collect::<sql::Result<Vec<_>>>()?);
            }
            found.sort_unstable();
            Ok(found)
        })
    }

    fn looks_elsewhere(&self, server: &str, account: AccountId, match_id: &str) -> Result<bool, StoreError> {
        self.read(|c| {
            let now = to_stored(now(c)?);
            let mut find = c.prepare_cached(
                "SELECT 1 FROM windows WHERE match_id = ?1 AND account = ?2 AND server <> ?3 AND shown > 0 AND until >= ?4",
            )?;
            find.exists(params![match_id, stored_account(Some(account)), server, now])
        })
    }
}
