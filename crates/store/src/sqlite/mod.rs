//! Matches in one SQLite file.

mod errors;
mod folder;
mod schema;
mod session;

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use crate::StoreError;
use errors::of_sqlite;
pub use schema::STEPS;

/// How many connections for reading are kept for later. More are opened when they are needed.
const IDLE_READERS: usize = 4;

/// How much of the database the writer keeps in memory, in KiB: with thousands of running matches every choice touches other pages,
/// and reading them anew would cost as much as changing them.
const WRITER_CACHE: i64 = 16 << 10;

/// How many pages (of 4 KiB) gather in the write-ahead log before they are moved into the file. A page that many choices change is
/// moved once.
const LOG_PAGES: i64 = LOG_BYTES / 4096;

/// How large the log stays.
const LOG_BYTES: i64 = 16 << 20;

/// How many prepared statements a connection keeps.
const STATEMENTS: usize = 64;

/// How long to wait for another program (a database tool, a backup) that has the file locked.
const BUSY_WAIT: Duration = Duration::from_secs(5);

/// In how many parts that time is waited where nothing tells when it is over.
const PATIENCE: u32 = 50;

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
        schema::migrate(&mut writer, STEPS).map_err(fail)?;

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

    /// Opens the database of a folder that other processes may be using as well, and makes it if it is missing: for a command
    /// that works with what the database itself shares out, such as a [`Ledger`](crate::Ledger).
    pub fn open_shared(folder: &Path) -> Result<SqliteStore, StoreError> {
        let mut patience = PATIENCE;
        loop {
            let locked = match SqliteStore::open(folder) {
                // Made, checked and brought up to date; from now on without the lock of the folder.
                Ok(_) => None,
                Err(StoreError::Locked { folder }) => Some(StoreError::Locked { folder }),
                Err(why) => return Err(why),
            };
            match (SqliteStore::open_beside(folder), locked) {
                (Err(_), Some(_)) if patience > 0 => {
                    // Another process is just making it.
                    patience -= 1;
                    std::thread::sleep(BUSY_WAIT / PATIENCE);
                }
                (opened, _) => return opened,
            }
        }
    }

    /// Overwrites from now on what is deleted.
    fn set_secure_delete(&self) -> Result<(), StoreError> {
        let set = self.writer().pragma_update_and_check(None, "secure_delete", true, |_| Ok(()));
        set.map_err(|error| of_sqlite(&self.path, &error))
    }

    /// Moves what is in the write-ahead log into the file and empties the log, as far as nobody is reading it just now.
    fn fold_log_in(&self) -> Result<(), StoreError> {
        let folded = self.writer().query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        folded.map_err(|error| of_sqlite(&self.path, &error))
    }

    /// The file of the database.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads the whole database and looks for damage. Takes a while with a large one.
    pub fn check(&self) -> Result<(), StoreError> {
        refuse_faults(&self.path, &self.read(|c| faults(c, "integrity_check").map(Ok))?)
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
    fn write<T>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<Result<T, StoreError>>,
    ) -> Result<T, StoreError> {
        let mut writer = self.writer();
        let done = (|| {
            let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let result = work(&transaction)?;
            // Without a commit it is rolled back.
            if result.is_ok() {
                transaction.commit()?;
            }
            Ok(result)
        })();
        done.map_err(|error| of_sqlite(&self.path, &error))?
    }

    /// Does `work` on one snapshot of the database.
    fn read<T>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<Result<T, StoreError>>,
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
            if result.is_ok() {
                snapshot.finish()?;
            }
            Ok(result)
        })();
        // A connection that has seen an error may go on seeing it: a new one starts afresh.
        if matches!(result, Ok(Ok(_))) {
            let mut idle = idle();
            if idle.len() < IDLE_READERS {
                idle.push(reader);
            }
        }
        result.map_err(fail)?
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
    writer.pragma_update_and_check(None, "journal_size_limit", LOG_BYTES, |_| Ok(())).map_err(fail)?;
    writer.pragma_update_and_check(None, "wal_autocheckpoint", LOG_PAGES, |_| Ok(())).map_err(fail)?;
    // Negative for KiB instead of pages.
    writer.pragma_update(None, "cache_size", -WRITER_CACHE).map_err(fail)?;
    writer.set_prepared_statement_cache_capacity(STATEMENTS);
    Ok(())
}

fn open_reader(path: &Path) -> rusqlite::Result<Connection> {
    let reader = Connection::open_with_flags(path, flags(OpenFlags::SQLITE_OPEN_READ_ONLY))?;
    reader.busy_timeout(BUSY_WAIT)?;
    reader.pragma_update(None, "trusted_schema", false)?;
    reader.set_prepared_statement_cache_capacity(STATEMENTS);
    Ok(reader)
}

#[cfg(test)]
mod tests;
