//! Matches in one SQLite file.

mod effects;
mod errors;
mod folder;
mod read;
mod schema;
mod write;

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use crate::record::{check_new, check_outage};
use crate::{
    Append, AppendOutcome, Counts, Deadline, Effect, Entry, FinishedMatch, MatchRecord, Notice, NoticeState,
    Outage, Player, RatedMatch, Shelf, Store, StoreError,
};
use errors::of_sqlite;
pub(crate) use read::setting;
pub(crate) use write::{set_setting, time};

pub(crate) use read::time as to_time;
pub(crate) use write::time as to_stored;

/// How many connections for reading are kept for later. More are opened when they are needed.
const IDLE_READERS: usize = 4;

/// How long to wait for another program (a database tool, a backup) that has the file locked.
const BUSY_WAIT: Duration = Duration::from_secs(5);

/// Matches in the file `maproom.db` of a folder, which belongs to this process as long as the store is
/// open.
///
/// Writing goes through one connection, one transaction after another. Reading uses connections of its
/// own, which thanks to the write-ahead log see the last committed state without waiting for the disk.
pub struct SqliteStore {
    // The order matters, for fields are dropped in it: readers close first, so that the writer is the
    // last connection and folds the log into the file; only then is the folder given up.
    readers: Mutex<Vec<Connection>>,
    writer: Mutex<Connection>,
    path: PathBuf,
    _lock: Option<folder::FolderLock>,
}

impl SqliteStore {
    /// Opens the database of a folder; makes the folder and the database if they are missing, and
    /// brings an older database up to date. A file that is not Maproom's, or a newer one's, is left
    /// untouched.
    pub fn open(folder: &Path) -> Result<SqliteStore, StoreError> {
        folder::make(folder)?;
        let lock = folder::FolderLock::take(folder)?;
        let path = folder::database(folder)?;
        let fail = |error| of_sqlite(&path, &error);

        let mut writer =
            Connection::open_with_flags(&path, flags(OpenFlags::SQLITE_OPEN_READ_WRITE)).map_err(fail)?;
        // Until it is known that the database is not a newer one's, not even its log is folded in.
        writer.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).map_err(fail)?;
        writer.busy_timeout(BUSY_WAIT).map_err(fail)?;
        let version = schema::version(&writer).map_err(fail)?;
        if version > schema::KNOWN {
            return Err(StoreError::Newer { path, found: version, known: schema::KNOWN });
        }
        // A damaged database is refused before anybody plays on it, and before anything in it is changed.
        refuse_faults(&path, &faults(&writer, "quick_check").map_err(fail)?)?;
        writer.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false).map_err(fail)?;
        prepare_writer(&writer, &path)?;
        schema::migrate(&mut writer, schema::STEPS).map_err(fail)?;

        Ok(SqliteStore { readers: Mutex::default(), writer: Mutex::new(writer), path, _lock: Some(lock) })
    }

    /// Opens the database of a folder that a server may be using at the same time, for a command that changes what no server
    /// keeps in memory: accounts. It must be there and up to date.
    pub fn open_beside(folder: &Path) -> Result<SqliteStore, StoreError> {
        let path = folder::existing_database(folder)?;
        let fail = |error| of_sqlite(&path, &error);
        let writer =
            Connection::open_with_flags(&path, flags(OpenFlags::SQLITE_OPEN_READ_WRITE)).map_err(fail)?;
        writer.busy_timeout(BUSY_WAIT).map_err(fail)?;
        let version = schema::version(&writer).map_err(fail)?;
        if version > schema::KNOWN {
            return Err(StoreError::Newer { path, found: version, known: schema::KNOWN });
        }
        if version < schema::KNOWN {
            let what = "the database is from an older Maproom: start the server once, then try again";
            return Err(StoreError::Other(what.to_owned()));
        }
        prepare_writer(&writer, &path)?;
        Ok(SqliteStore { readers: Mutex::default(), writer: Mutex::new(writer), path, _lock: None })
    }

    /// Overwrites from now on what is deleted.
    pub(crate) fn set_secure_delete(&self) -> Result<(), StoreError> {
        let set = self.writer().pragma_update_and_check(None, "secure_delete", true, |_| Ok(()));
        set.map_err(|error| of_sqlite(&self.path, &error))
    }

    /// Moves what is in the write-ahead log into the file and empties the log, as far as nobody is reading it just now.
    pub(crate) fn fold_log_in(&self) -> Result<(), StoreError> {
        let folded = self.writer().query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        folded.map_err(|error| of_sqlite(&self.path, &error))
    }

    /// The file of the database.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads the whole database and looks for damage. Takes a while with a large one.
    pub fn check(&self) -> Result<(), StoreError> {
        refuse_faults(&self.path, &self.read(|c| faults(c, "integrity_check"))?)
    }

    /// A panic while writing rolls its transaction back, so a poisoned lock is taken over.
    fn writer(&self) -> MutexGuard<'_, Connection> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does `work` in one durable transaction, which is rolled back if any of it fails.
    ///
    /// One doubt no database can remove: if the disk fails in the very moment of the sync *and* the
    /// power goes before the next write, the log may be played back with the transaction in it. The
    /// entry is then there though it was never acknowledged; the reverse can't happen.
    pub(crate) fn write<T>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        let mut writer = self.writer();
        let done = (|| {
            let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let result = work(&transaction)?;
            transaction.commit()?;
            Ok(result)
        })();
        done.map_err(|error| of_sqlite(&self.path, &error))
    }

    /// Does `work` on one snapshot of the database.
    pub(crate) fn read<T>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        let idle = || self.readers.lock().unwrap_or_else(PoisonError::into_inner);
        let fail = |error| of_sqlite(&self.path, &error);
        let kept = idle().pop();
        let mut reader = match kept {
            Some(reader) => reader,
            None => open_reader(&self.path).map_err(fail)?,
        };
        let result = (|| {
            let snapshot = reader.transaction()?;
            let result = work(&snapshot)?;
            snapshot.finish()?;
            Ok(result)
        })();
        // A connection that has seen an error may go on seeing it: a new one starts afresh.
        if result.is_ok() {
            let mut idle = idle();
            if idle.len() < IDLE_READERS {
                idle.push(reader);
            }
        }
        result.map_err(fail)
    }
}

/// Each connection is used by one thread at a time, so it needs no locks of its own; and no file is
/// ever made by merely connecting.
fn flags(mode: OpenFlags) -> OpenFlags {
    mode | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_EXRESCODE
}

/// What one of SQLite's checks finds wrong with a database, up to ten faults.
fn faults(database: &Connection, check: &str) -> rusqlite::Result<Vec<String>> {
    let mut faults = database.prepare(&format!("PRAGMA {check}(10)"))?;
    let faults = faults.query_map([], |row| row.get::<_, String>(0))?;
    faults.filter(|fault| !matches!(fault, Ok(text) if text == "ok")).collect()
}

fn refuse_faults(path: &Path, faults: &[String]) -> Result<(), StoreError> {
    match faults.is_empty() {
        true => Ok(()),
        false => Err(StoreError::Corrupt { path: path.to_path_buf(), detail: faults.join("; ") }),
    }
}

fn prepare_writer(writer: &Connection, path: &Path) -> Result<(), StoreError> {
    let fail = |error| of_sqlite(path, &error);
    let mode: String =
        writer.pragma_update_and_check(None, "journal_mode", "wal", |row| row.get(0)).map_err(fail)?;
    if mode != "wal" {
        return Err(StoreError::Io {
            path: path.to_path_buf(),
            detail: format!("the file system allows no write-ahead log (SQLite chose `{mode}`)"),
        });
    }
    // FULL: a commit returns only once the log is on the disk; with less, a power cut could take back
    // what was acknowledged. On macOS only "fullfsync" makes the disk itself write.
    writer.pragma_update(None, "synchronous", "full").map_err(fail)?;
    writer.pragma_update(None, "fullfsync", true).map_err(fail)?;
    writer.pragma_update(None, "checkpoint_fullfsync", true).map_err(fail)?;
    writer.pragma_update(None, "foreign_keys", true).map_err(fail)?;
    writer.pragma_update(None, "trusted_schema", false).map_err(fail)?;
    // A log that once grew large (a huge import) does not stay so.
    writer.pragma_update_and_check(None, "journal_size_limit", 16 << 20, |_| Ok(())).map_err(fail)?;
    writer.set_prepared_statement_cache_capacity(64);
    Ok(())
}

fn open_reader(path: &Path) -> rusqlite::Result<Connection> {
    let reader = Connection::open_with_flags(path, flags(OpenFlags::SQLITE_OPEN_READ_ONLY))?;
    reader.busy_timeout(BUSY_WAIT)?;
    reader.pragma_update(None, "trusted_schema", false)?;
    Ok(reader)
}

impl Store for SqliteStore {
    fn create_with(
        &self,
        record: &MatchRecord,
        journal: &[Entry],
        effects: &[Effect],
    ) -> Result<(), StoreError> {
        check_new(record, journal)?;
        match self.write(|c| write::create(c, record, journal, effects))? {
            true => Ok(()),
            false => Err(StoreError::Exists { id: record.id.clone() }),
        }
    }

    fn append(&self, group: &[Append]) -> Result<Vec<AppendOutcome>, StoreError> {
        match group.is_empty() {
            true => Ok(Vec::new()),
            false => self.write(|c| group.iter().map(|append| write::append(c, append)).collect()),
        }
    }

    fn find(&self, id: &str) -> Result<Option<MatchRecord>, StoreError> {
        self.read(|c| read::find(c, id))
    }

    fn journal(&self, id: &str) -> Result<Vec<Entry>, StoreError> {
        self.read(|c| read::journal(c, id))
    }

    fn list(&self, deleted: bool) -> Result<Vec<MatchRecord>, StoreError> {
        self.read(if deleted { read::bin } else { read::list })
    }

    fn counts(&self) -> Result<Counts, StoreError> {
        self.read(read::counts)
    }

    fn page(&self, shelf: Shelf, from: usize, most: usize) -> Result<Vec<MatchRecord>, StoreError> {
        self.read(|c| read::page(c, shelf, from, most))
    }

    fn rename(&self, id: &str, name: &str) -> Result<bool, StoreError> {
        self.write(|c| write::rename(c, id, name))
    }

    fn set_pace(&self, id: &str, pace: &str) -> Result<bool, StoreError> {
        self.write(|c| write::set_pace(c, id, pace))
    }

    fn set_lesson(&self, id: &str, lesson: &str) -> Result<bool, StoreError> {
        self.write(|c| write::set_lesson(c, id, lesson))
    }

    fn mark_deleted(&self, id: &str, at: Option<u64>) -> Result<bool, StoreError> {
        self.write(|c| write::mark_deleted(c, id, at))
    }

    fn purge(&self, deleted_before: u64) -> Result<usize, StoreError> {
        self.write(|c| write::purge(c, deleted_before))
    }

    fn claim(&self, id: &str, seat: u8, at: u64) -> Result<bool, StoreError> {
        self.write(|c| write::claim(c, id, seat, at))
    }

    fn set_seen(&self, group: &[(String, u8, u32)]) -> Result<(), StoreError> {
        match group.is_empty() {
            true => Ok(()),
            false => self.write(|c| write::set_seen(c, group)),
        }
    }

    fn set_token(&self, id: &str, seat: Option<u8>, token: &str) -> Result<bool, StoreError> {
        self.write(|c| write::set_token(c, id, seat, token))
    }

    fn forks(&self) -> Result<Vec<(String, String)>, StoreError> {
        self.read(read::forks)
    }

    fn set_player(
        &self,
        id: &str,
        seat: u8,
        player: &Player,
        to_move: &str,
        owner_to_move: bool,
    ) -> Result<bool, StoreError> {
        self.write(|c| write::set_player(c, id, seat, player, (to_move, owner_to_move)))
    }

    fn setting(&self, key: &str) -> Result<Option<String>, StoreError> {
        self.read(|c| setting(c, key))
    }

    fn set_setting(&self, key: &str, value: &str) -> Result<(), StoreError> {
        self.write(|c| set_setting(c, key, value))
    }

    fn finished(&self) -> Result<Vec<FinishedMatch>, StoreError> {
        self.read(read::finished)
    }

    fn deadlines(&self, until: u64, most: usize) -> Result<Vec<Deadline>, StoreError> {
        self.read(|c| effects::deadlines(c, until, most))
    }

    fn set_deadline(&self, id: &str, revision: u32, deadline: Option<(u8, u64)>) -> Result<bool, StoreError> {
        self.write(|c| effects::set_deadline(c, id, revision, deadline))
    }

    fn notices(&self, id: &str) -> Result<Vec<(Notice, NoticeState)>, StoreError> {
        self.read(|c| effects::notices(c, id))
    }

    fn rated(&self, after: u64, most: usize) -> Result<Vec<RatedMatch>, StoreError> {
        self.read(|c| effects::rated(c, after, most))
    }

    fn add_outage(&self, outage: Outage) -> Result<(), StoreError> {
        check_outage(outage)?;
        self.write(|c| write::add_outage(c, outage))
    }

    fn outages(&self, ended_after: u64) -> Result<Vec<Outage>, StoreError> {
        self.read(|c| effects::outages(c, ended_after))
    }
}

#[cfg(test)]
mod tests;
