//! Channels and notices in the database of the matches.

use std::sync::Arc;

use crate::matches_sql::{setting, to_stored as int};
use crate::post::{OF_A_STINT, failing_notice};
use crate::sql::{self, Connection, Database, OptionalExtension as _, Row, params, unreadable};
use crate::{
    AccountId, Addressed, ChannelId, ChannelKind, ChannelRecord, Letter, LetterId, MOST_CHANNELS, NewChannel,
    NoticeKey, NoticeKind, NoticeState, Post, PostCounts, QueuedNotice, QuietHours, Settled, SqliteStore,
    StoreError, Wishes,
};

/// Channels and notices in the database of the matches. Opening it makes its tables, so a house without accounts has none of
/// them.
pub struct SqlPost<D> {
    store: Arc<D>,
}

/// The same in a file of SQLite.
pub type SqlitePost = SqlPost<SqliteStore>;

impl<D> Clone for SqlPost<D> {
    fn clone(&self) -> Self {
        Self { store: Arc::clone(&self.store) }
    }
}

/// The setting that says which of [`STEPS`] were taken.
const VERSION: &str = "post-version";

/// The steps to today's tables. One that has been released is never changed: a new one is added.
pub(crate) const STEPS: &[&str] = &["
CREATE TABLE channels (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    account       INTEGER NOT NULL,
    kind          TEXT NOT NULL,
    address       TEXT NOT NULL,
    secret        TEXT NOT NULL,
    kinds         TEXT NOT NULL,
    quiet_from    INTEGER,
    quiet_to      INTEGER,
    digest        INTEGER,
    error         TEXT NOT NULL DEFAULT '',
    failing_since INTEGER,
    UNIQUE (account, kind, address),
    CHECK ((quiet_from IS NULL) = (quiet_to IS NULL))
) STRICT;

CREATE TABLE letters (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    channel       INTEGER NOT NULL UNIQUE REFERENCES channels (id) ON DELETE CASCADE,
    made_at       INTEGER NOT NULL,
    due_at        INTEGER NOT NULL,
    tries         INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX letters_due ON letters (due_at);

CREATE TABLE deliveries (
    channel       INTEGER NOT NULL REFERENCES channels (id) ON DELETE CASCADE,
    account       INTEGER NOT NULL,
    match         TEXT NOT NULL,
    seat          INTEGER NOT NULL,
    stint         INTEGER NOT NULL,
    kind          TEXT NOT NULL,
    due_at        INTEGER NOT NULL,
    letter        INTEGER REFERENCES letters (id),
    PRIMARY KEY (channel, account, match, seat, stint, kind)
) STRICT, WITHOUT ROWID;
CREATE INDEX deliveries_due ON deliveries (due_at) WHERE letter IS NULL;
CREATE INDEX deliveries_letter ON deliveries (letter) WHERE letter IS NOT NULL;
CREATE INDEX deliveries_notice ON deliveries (account, match, seat, stint, kind);
"];

/// Makes the tables if they are missing.
pub(crate) fn prepare(database: &impl Database) -> Result<(), StoreError> {
    sql::prepare(database, VERSION, STEPS)
}

impl<D: Database> SqlPost<D> {
    /// Opens the channels and notices of a house, and makes their tables if they are missing.
    pub fn open(store: Arc<D>) -> Result<Self, StoreError> {
        prepare(&*store)?;
        Ok(Self { store })
    }

    /// Does something with each of a list in one transaction, and counts where it changed anything.
    fn write_each<T>(
        &self,
        list: &[T],
        change: impl Fn(&Connection<'_>, &T) -> sql::Result<bool>,
    ) -> Result<usize, StoreError> {
        match list.is_empty() {
            true => Ok(0),
            false => self.store.write(|c| {
                list.iter().try_fold(0, |changed, one| Ok(changed + usize::from(change(c, one)?)))
            }),
        }
    }
}

fn unsigned(row: &Row<'_>, column: usize) -> sql::Result<u64> {
    let number: i64 = row.get(column)?;
    u64::try_from(number)
        .map_err(|_| unreadable(format!("column {column}: the number {number} is out of range")))
}

fn count(row: &Row<'_>, column: usize) -> sql::Result<usize> {
    let number = unsigned(row, column)?;
    usize::try_from(number)
        .map_err(|_| unreadable(format!("column {column}: the number {number} is out of range")))
}

fn word<T>(row: &Row<'_>, column: usize, read: impl Fn(&str) -> Option<T>) -> sql::Result<T> {
    let text: String = row.get(column)?;
    read(&text)
        .ok_or_else(|| unreadable(format!("column {column}: `{text}` is none of the words that stand here")))
}

/// A key from the five columns that begin with `column`.
fn key(row: &Row<'_>, column: usize) -> sql::Result<NoticeKey> {
    Ok(NoticeKey {
        account: AccountId(unsigned(row, column)?),
        match_id: row.get(column + 1)?,
        seat: row.get(column + 2)?,
        stint: row.get(column + 3)?,
        kind: word(row, column + 4, NoticeKind::read)?,
    })
}

/// Runs a statement on one notice, whose key is ?1 to ?5; ?6 is `value`.
fn on_key(c: &Connection<'_>, sql: &str, key: &NoticeKey, value: impl sql::ToValue) -> sql::Result<usize> {
    let NoticeKey { account, match_id, seat, stint, kind } = key;
    c.prepare_cached(sql)?.execute(params![int(account.0), match_id, seat, stint, kind.word(), value])
}

const CHANNEL: &str = "SELECT id, account, kind, address, secret, kinds, quiet_from, quiet_to, digest, error, failing_since FROM channels";

fn record(row: &Row<'_>) -> sql::Result<ChannelRecord> {
    let kinds: String = row.get(5)?;
    let quiet = match (row.get(6)?, row.get(7)?) {
        (Some(from), Some(to)) => Some(QuietHours { from, to }),
        _ => None,
    };
    // A kind that a newer Maproom knew is not wanted from this one.
    let kinds = kinds.split_whitespace().filter_map(NoticeKind::read).collect();
    Ok(ChannelRecord {
        id: ChannelId(unsigned(row, 0)?),
        channel: NewChannel {
            account: AccountId(unsigned(row, 1)?),
            kind: word(row, 2, ChannelKind::read)?,
            address: row.get(3)?,
            secret: row.get(4)?,
            wishes: Wishes { kinds, quiet, digest: row.get(8)? },
        },
        error: row.get(9)?,
        failing_since: row.get::<Option<i64>>(10)?.map(|at| u64::try_from(at).unwrap_or(0)),
    })
}

fn channel(c: &Connection<'_>, id: ChannelId) -> sql::Result<Option<ChannelRecord>> {
    c.prepare_cached(&format!("{CHANNEL} WHERE id = ?1"))?.query_row([int(id.0)], record).optional()
}

fn kinds_text(wishes: &Wishes) -> String {
    wishes.kinds.iter().map(|kind| kind.word()).collect::<Vec<_>>().join(" ")
}

fn add_channel(c: &Connection<'_>, new: &NewChannel) -> sql::Result<Option<ChannelId>> {
    let NewChannel { account, kind, address, secret, wishes } = new;
    let at = params![int(account.0), kind.word(), address];
    let there = c
        .prepare_cached("SELECT 1 FROM channels WHERE account = ?1 AND kind = ?2 AND address = ?3")?
        .exists(at)?;
    let sql = "SELECT count(*) FROM channels WHERE account = ?1";
    let own = c.query_row(sql, [int(account.0)], |row| count(row, 0))?;
    if !there && own >= MOST_CHANNELS {
        return Ok(None);
    }
    let mut insert = c.prepare_cached(
        "INSERT INTO channels (account, kind, address, secret, kinds, quiet_from, quiet_to, digest) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT (account, kind, address) DO UPDATE SET \
         secret = ?4, kinds = ?5, quiet_from = ?6, quiet_to = ?7, digest = ?8, error = '', failing_since = NULL \
         RETURNING id",
    )?;
    let values = params![
        int(account.0),
        kind.word(),
        address,
        secret,
        kinds_text(wishes),
        wishes.quiet.map(|quiet| quiet.from),
        wishes.quiet.map(|quiet| quiet.to),
        wishes.digest
    ];
    insert.query_row(values, |row| Ok(Some(ChannelId(unsigned(row, 0)?))))
}

/// Gives up deliveries that a condition on `d` names, and with the last delivery of a notice the notice, unless another channel
/// has sent it; letters that have become empty are removed.
fn drop_deliveries(
    c: &Connection<'_>,
    condition: &str,
    values: &[&dyn sql::ToValue],
    state: NoticeState,
) -> sql::Result<()> {
    let sql = format!(
        "DELETE FROM deliveries AS d WHERE {condition} RETURNING account, match, seat, stint, kind, letter"
    );
    let mut delete = c.prepare_cached(&sql)?;
    let dropped = delete.query_map(values, |row| Ok((key(row, 0)?, row.get::<Option<i64>>(5)?)))?;
    for (key, letter) in dropped.collect::<sql::Result<Vec<_>>>()? {
        on_key(
            c,
            "UPDATE notices SET state = ?6 WHERE (account, match, seat, stint, kind) = (?1, ?2, ?3, ?4, ?5) \
             AND state = 'addressed' AND NOT EXISTS (SELECT 1 FROM deliveries WHERE \
             (account, match, seat, stint, kind) = (?1, ?2, ?3, ?4, ?5))",
            &key,
            state.word(),
        )?;
        let sql =
            "DELETE FROM letters WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM deliveries WHERE letter = ?1)";
        c.prepare_cached(sql)?.execute([letter])?;
    }
    Ok(())
}

fn in_letter(c: &Connection<'_>, letter: LetterId) -> sql::Result<Vec<NoticeKey>> {
    let mut select =
        c.prepare_cached("SELECT account, match, seat, stint, kind FROM deliveries WHERE letter = ?1")?;
    let keys = select.query_map([int(letter.0)], |row| key(row, 0))?;
    let mut keys = keys.collect::<sql::Result<Vec<_>>>()?;
    keys.sort();
    Ok(keys)
}

fn remove_channel(c: &Connection<'_>, id: ChannelId, state: NoticeState) -> sql::Result<()> {
    drop_deliveries(c, "d.channel = ?1", &[&int(id.0)], state)?;
    c.prepare_cached("DELETE FROM channels WHERE id = ?1")?.execute([int(id.0)])?;
    Ok(())
}

fn queue(c: &Connection<'_>, key: &NoticeKey, due_at: u64) -> sql::Result<bool> {
    let sql = "INSERT INTO notices (account, match, seat, stint, kind, due_at, state, tries) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'waiting', 0) \
               ON CONFLICT (account, match, seat, stint, kind) DO NOTHING";
    Ok(on_key(c, sql, key, int(due_at))? > 0)
}

fn address(c: &Connection<'_>, Addressed { key, channels }: &Addressed) -> sql::Result<bool> {
    let sql = "SELECT 1 FROM notices WHERE (account, match, seat, stint, kind) = (?1, ?2, ?3, ?4, ?5) \
               AND state = 'waiting'";
    let NoticeKey { account, match_id, seat, stint, kind } = key;
    if !c.prepare_cached(sql)?.exists(params![int(account.0), match_id, seat, stint, kind.word()])? {
        return Ok(false);
    }
    let state = if hand(c, key, channels)? { NoticeState::Addressed } else { NoticeState::Moot };
    set_state(c, key, state)?;
    Ok(true)
}

/// Makes deliveries for the channels that are there, and says whether there were any.
fn hand(c: &Connection<'_>, key: &NoticeKey, channels: &[(ChannelId, u64)]) -> sql::Result<bool> {
    let mut insert = c.prepare_cached(
        "INSERT INTO deliveries (account, match, seat, stint, kind, channel, due_at) \
         SELECT ?1, ?2, ?3, ?4, ?5, id, ?7 FROM channels WHERE id = ?6 \
         ON CONFLICT (channel, account, match, seat, stint, kind) DO UPDATE SET due_at = ?7, letter = NULL",
    )?;
    let NoticeKey { account, match_id, seat, stint, kind } = key;
    let mut handed = 0;
    for (id, due_at) in channels {
        handed += insert.execute(params![
            int(account.0),
            match_id,
            seat,
            stint,
            kind.word(),
            int(id.0),
            int(*due_at)
        ])?;
    }
    Ok(handed > 0)
}

fn set_state(c: &Connection<'_>, key: &NoticeKey, state: NoticeState) -> sql::Result<usize> {
    let sql =
        "UPDATE notices SET state = ?6 WHERE (account, match, seat, stint, kind) = (?1, ?2, ?3, ?4, ?5)";
    on_key(c, sql, key, state.word())
}

fn cancel_stint(c: &Connection<'_>, match_id: &str, seat: u8, stint: u32) -> sql::Result<usize> {
    let kinds = OF_A_STINT.map(|kind| format!("'{}'", kind.word())).join(", ");
    let of_it = format!("(match, seat, stint) = (?1, ?2, ?3) AND kind IN ({kinds})");
    let open = || -> sql::Result<usize> {
        let sql = format!("SELECT count(*) FROM notices WHERE {of_it} AND state IN ('waiting', 'addressed')");
        c.prepare_cached(&sql)?.query_row(params![match_id, seat, stint], |row| count(row, 0))
    };
    let before = open()?;
    // What is in a letter may be on the wire already; whoever sends it looks again first.
    let unsealed = format!("{of_it} AND letter IS NULL");
    drop_deliveries(c, &unsealed, &[&match_id, &seat, &stint], NoticeState::Moot)?;
    let sql = format!("UPDATE notices SET state = 'moot' WHERE {of_it} AND state = 'waiting'");
    c.prepare_cached(&sql)?.execute(params![match_id, seat, stint])?;
    Ok(before - open()?)
}

fn gather(c: &Connection<'_>, now: u64) -> sql::Result<usize> {
    let mut insert = c.prepare_cached(
        "INSERT INTO letters (channel, made_at, due_at) SELECT DISTINCT channel, ?1, ?1 FROM deliveries \
         WHERE letter IS NULL AND due_at <= ?1 AND channel NOT IN (SELECT channel FROM letters) \
         RETURNING id, channel",
    )?;
    let made = insert.query_map([int(now)], |row| Ok((row.get::<i64>(0)?, row.get::<i64>(1)?)))?;
    let made = made.collect::<sql::Result<Vec<_>>>()?;
    let mut fill = c.prepare_cached(
        "UPDATE deliveries SET letter = ?1 WHERE channel = ?2 AND letter IS NULL AND due_at <= ?3",
    )?;
    for (letter, channel) in &made {
        fill.execute(params![letter, channel, int(now)])?;
    }
    Ok(made.len())
}

fn claim(c: &Connection<'_>, now: u64, until: u64) -> sql::Result<Option<Letter>> {
    let ranks: String =
        ChannelKind::ALL.iter().map(|kind| format!("WHEN '{}' THEN {} ", kind.word(), kind.rank())).collect();
    let sql = format!(
        "SELECT l.id, l.channel, l.made_at, l.tries FROM letters l JOIN channels h ON h.id = l.channel WHERE l.due_at <= ?1 \
         ORDER BY l.tries, CASE h.kind {ranks} END, l.due_at, l.id LIMIT 1"
    );
    let first = c.prepare_cached(&sql)?.query_row([int(now)], |row| {
        Ok((LetterId(unsigned(row, 0)?), ChannelId(unsigned(row, 1)?), unsigned(row, 2)?, row.get::<u32>(3)?))
    });
    let Some((id, of, made_at, tries)) = first.optional()? else { return Ok(None) };
    c.prepare_cached("UPDATE letters SET due_at = ?2 WHERE id = ?1")?.execute([int(id.0), int(until)])?;
    let notices = in_letter(c, id)?;
    Ok(channel(c, of)?.map(|channel| Letter { id, channel, notices, made_at, tries }))
}

fn settle(c: &Connection<'_>, letter: LetterId, settled: &Settled) -> sql::Result<bool> {
    let sql = "SELECT channel FROM letters WHERE id = ?1";
    let of = c.prepare_cached(sql)?.query_row([int(letter.0)], |row| unsigned(row, 0)).optional()?;
    let Some(of) = of.map(ChannelId) else { return Ok(false) };
    match settled {
        Settled::Sent => {
            for key in in_letter(c, letter)? {
                set_state(c, &key, NoticeState::Sent)?;
            }
            drop_deliveries(c, "d.letter = ?1", &[&int(letter.0)], NoticeState::Sent)?;
            note_error(c, of, "", None)?;
        }
        Settled::Again { at, error } => {
            count_try(c, letter)?;
            c.prepare_cached("UPDATE letters SET due_at = ?2 WHERE id = ?1")?
                .execute([int(letter.0), int(*at)])?;
            note_error(c, of, error, None)?;
        }
        Settled::Failing { at, error, tell } => {
            count_try(c, letter)?;
            note_error(c, of, error, Some(*at))?;
            drop_deliveries(c, "d.channel = ?1", &[&int(of.0)], NoticeState::Failed)?;
            if let Some(record) = channel(c, of)? {
                hand(c, &failing_notice(&record, *at), tell)?;
            }
        }
        Settled::Gone => remove_channel(c, of, NoticeState::Failed)?,
    }
    Ok(true)
}

fn count_try(c: &Connection<'_>, letter: LetterId) -> sql::Result<()> {
    let sql = "UPDATE letters SET tries = tries + 1 WHERE id = ?1 RETURNING tries";
    let tries: u32 = c.prepare_cached(sql)?.query_row([int(letter.0)], |row| row.get(0))?;
    for key in in_letter(c, letter)? {
        let sql = "UPDATE notices SET tries = CASE WHEN tries < ?6 THEN ?6 ELSE tries END WHERE \
                   (account, match, seat, stint, kind) = (?1, ?2, ?3, ?4, ?5)";
        on_key(c, sql, &key, tries)?;
    }
    Ok(())
}

fn note_error(c: &Connection<'_>, id: ChannelId, error: &str, failing_since: Option<u64>) -> sql::Result<()> {
    let mut update = c.prepare_cached("UPDATE channels SET error = ?2, failing_since = ?3 WHERE id = ?1")?;
    update.execute(params![int(id.0), error, failing_since.map(int)])?;
    Ok(())
}

/// Whether a channel is the account's own.
fn owns(c: &Connection<'_>, account: AccountId, id: ChannelId) -> sql::Result<bool> {
    c.prepare_cached("SELECT 1 FROM channels WHERE id = ?1 AND account = ?2")?
        .exists([int(id.0), int(account.0)])
}

impl<D: Database> Post for SqlPost<D> {
    fn add_channel(&self, channel: &NewChannel) -> Result<Option<ChannelId>, StoreError> {
        self.store.write(|c| add_channel(c, channel))
    }

    fn channel(&self, id: ChannelId) -> Result<Option<ChannelRecord>, StoreError> {
        self.store.read(|c| channel(c, id))
    }

    fn channels(&self, account: AccountId) -> Result<Vec<ChannelRecord>, StoreError> {
        self.store.read(|c| {
            let mut select = c.prepare_cached(&format!("{CHANNEL} WHERE account = ?1 ORDER BY id"))?;
            select.query_map([int(account.0)], record)?.collect()
        })
    }

    fn set_wishes(&self, account: AccountId, id: ChannelId, wishes: &Wishes) -> Result<bool, StoreError> {
        self.store.write(|c| {
            let sql = "UPDATE channels SET kinds = ?3, quiet_from = ?4, quiet_to = ?5, digest = ?6 \
                       WHERE id = ?1 AND account = ?2";
            let (from, to) = (wishes.quiet.map(|quiet| quiet.from), wishes.quiet.map(|quiet| quiet.to));
            let values = params![int(id.0), int(account.0), kinds_text(wishes), from, to, wishes.digest];
            Ok(c.prepare_cached(sql)?.execute(values)? > 0)
        })
    }

    fn mend_channel(&self, account: AccountId, id: ChannelId) -> Result<bool, StoreError> {
        self.store.write(|c| {
            let own = owns(c, account, id)?;
            if own {
                note_error(c, id, "", None)?;
            }
            Ok(own)
        })
    }

    fn remove_channel(&self, account: AccountId, id: ChannelId) -> Result<bool, StoreError> {
        self.store.write(|c| {
            let own = owns(c, account, id)?;
            if own {
                remove_channel(c, id, NoticeState::Moot)?;
            }
            Ok(own)
        })
    }

    fn forget(&self, account: AccountId) -> Result<(), StoreError> {
        self.store.write(|c| {
            let account = int(account.0);
            drop_deliveries(c, "d.account = ?1", &[&account], NoticeState::Moot)?;
            c.execute("DELETE FROM channels WHERE account = ?1", [account])?;
            c.execute("DELETE FROM notices WHERE account = ?1", [account])?;
            Ok(())
        })
    }

    fn queue(&self, notices: &[(NoticeKey, u64)]) -> Result<usize, StoreError> {
        self.write_each(notices, |c, (key, due_at)| queue(c, key, *due_at))
    }

    fn notices(&self, account: AccountId) -> Result<Vec<QueuedNotice>, StoreError> {
        self.store.read(|c| {
            let mut select = c.prepare_cached(&format!("{NOTICE} WHERE account = ?1"))?;
            let notices = select.query_map([int(account.0)], notice)?;
            let mut notices = notices.collect::<sql::Result<Vec<_>>>()?;
            notices.sort_by(|a, b| a.key.cmp(&b.key));
            Ok(notices)
        })
    }

    fn due(&self, now: u64, most: usize) -> Result<Vec<QueuedNotice>, StoreError> {
        self.store.read(|c| {
            let sql = format!("{NOTICE} WHERE state = 'waiting' AND due_at <= ?1 ORDER BY due_at LIMIT ?2");
            c.prepare_cached(&sql)?.query_map([int(now), int(most as u64)], notice)?.collect()
        })
    }

    fn address(&self, notices: &[Addressed]) -> Result<usize, StoreError> {
        self.write_each(notices, address)
    }

    fn cancel_stint(&self, match_id: &str, seat: u8, stint: u32) -> Result<usize, StoreError> {
        self.store.write(|c| cancel_stint(c, match_id, seat, stint))
    }

    fn gather(&self, now: u64) -> Result<usize, StoreError> {
        // Nearly always there is nothing to gather, and reading waits for no disk.
        let some = self.store.read(|c| {
            c.prepare_cached("SELECT 1 FROM deliveries WHERE letter IS NULL AND due_at <= ?1")?
                .exists([int(now)])
        })?;
        if some { self.store.write(|c| gather(c, now)) } else { Ok(0) }
    }

    fn claim(&self, now: u64, until: u64) -> Result<Option<Letter>, StoreError> {
        let some = self
            .store
            .read(|c| c.prepare_cached("SELECT 1 FROM letters WHERE due_at <= ?1")?.exists([int(now)]))?;
        if some { self.store.write(|c| claim(c, now, until)) } else { Ok(None) }
    }

    fn lighten(&self, letter: LetterId, moot: &[NoticeKey]) -> Result<usize, StoreError> {
        self.store.write(|c| {
            for key in moot {
                let NoticeKey { account, match_id, seat, stint, kind } = key;
                let values: [&dyn sql::ToValue; 6] =
                    [&int(letter.0), &int(account.0), match_id, seat, stint, &kind.word()];
                let one =
                    "d.letter = ?1 AND (d.account, d.match, d.seat, d.stint, d.kind) = (?2, ?3, ?4, ?5, ?6)";
                drop_deliveries(c, one, &values, NoticeState::Moot)?;
            }
            Ok(in_letter(c, letter)?.len())
        })
    }

    fn settle(&self, letter: LetterId, settled: &Settled) -> Result<bool, StoreError> {
        self.store.write(|c| settle(c, letter, settled))
    }

    fn purge_notices(&self, due_before: u64) -> Result<usize, StoreError> {
        self.store.write(|c| {
            let sql = "DELETE FROM notices WHERE due_at < ?1 AND state IN ('sent', 'failed', 'moot')";
            c.prepare_cached(sql)?.execute([int(due_before)])
        })
    }

    fn post_counts(&self) -> Result<PostCounts, StoreError> {
        self.store.read(|c| {
            let sql = "SELECT (SELECT count(*) FROM notices WHERE state = 'waiting'), \
                       (SELECT count(*) FROM letters), \
                       (SELECT count(*) FROM channels WHERE failing_since IS NOT NULL)";
            c.query_row(sql, [], |row| {
                Ok(PostCounts { waiting: count(row, 0)?, letters: count(row, 1)?, failing: count(row, 2)? })
            })
        })
    }

    fn keep_secret(&self, name: &str, fresh: &str) -> Result<String, StoreError> {
        self.store.write(|c| {
            let sql = "INSERT INTO settings (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO NOTHING";
            c.execute(sql, [name, fresh])?;
            Ok(setting(c, name)?.unwrap_or_else(|| fresh.to_owned()))
        })
    }
}

const NOTICE: &str = "SELECT account, match, seat, stint, kind, due_at, state, tries FROM notices";

fn notice(row: &Row<'_>) -> sql::Result<QueuedNotice> {
    Ok(QueuedNotice {
        key: key(row, 0)?,
        due_at: unsigned(row, 5)?,
        state: word(row, 6, NoticeState::read)?,
        tries: row.get(7)?,
    })
}
