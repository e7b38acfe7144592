//! The folder of a database: made, locked, and looked at before SQLite may touch anything in it.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};

use super::{errors::of_sqlite, flags, schema};
use crate::StoreError;

const DATABASE: &str = "maproom.db";
const LOCK: &str = "maproom.lock";

/// Makes the folder if it is missing. The database holds the tokens that open the matches, so a new
/// folder is for its owner only.
pub(super) fn make(folder: &Path) -> Result<(), StoreError> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder).map_err(|error| StoreError::of_io(folder, &error))
}

/// The folder is ours while this lives. The system takes the lock back when a process ends, however it
/// ends, so there is never a stale one; the file itself stays, for removing it would let two processes
/// lock two different files of that name.
pub(super) struct FolderLock {
    _file: File,
}

impl FolderLock {
    /// Takes the lock or says who has it.
    pub(super) fn take(folder: &Path) -> Result<FolderLock, StoreError> {
        let path = folder.join(LOCK);
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
        let file = file.map_err(|error| match StoreError::of_io(&path, &error) {
            // It is the folder that people can do something about.
            StoreError::ReadOnly { detail, .. } => {
                StoreError::ReadOnly { path: folder.to_path_buf(), detail }
            }
            other => other,
        })?;
        match file.try_lock() {
            Ok(()) => Ok(FolderLock { _file: file }),
            Err(TryLockError::WouldBlock) => Err(StoreError::Locked { folder: folder.to_path_buf() }),
            Err(TryLockError::Error(error)) => Err(StoreError::of_io(&path, &error)),
        }
    }
}

/// The path of the folder's database, which is there afterwards, and is Maproom's. The folder must be
/// locked.
pub(super) fn database(folder: &Path) -> Result<PathBuf, StoreError> {
    let path = folder.join(DATABASE);
    let head = head(&path)?;
    match head.is_empty() {
        true => create(folder, &path)?,
        false => check_head(&path, &head)?,
    }
    keep_private(folder);
    Ok(path)
}

/// The path of the folder's database if there is one, and if it is Maproom's. The folder need not be locked: nothing is made.
pub(super) fn existing_database(folder: &Path) -> Result<PathBuf, StoreError> {
    let path = folder.join(DATABASE);
    let head = head(&path)?;
    if head.is_empty() {
        return Err(StoreError::Other(format!("there are no matches in {}", folder.display())));
    }
    check_head(&path, &head)?;
    Ok(path)
}

/// The first bytes of a file; none if there is no file.
fn head(path: &Path) -> Result<Vec<u8>, StoreError> {
    let mut head = Vec::new();
    match File::open(path).and_then(|file| file.take(HEAD as u64).read_to_end(&mut head)) {
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(StoreError::of_io(path, &error)),
    }
    Ok(head)
}

/// Lets nobody but its owner read the database, also one that an earlier version made readable. SQLite gives the files
/// beside it the mode of the database.
#[cfg(unix)]
fn keep_private(folder: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    for name in [DATABASE, "maproom.db-wal", "maproom.db-shm", LOCK] {
        let path = folder.join(name);
        let Ok(file) = fs::metadata(&path) else { continue };
        // Not all file systems have modes; then the folder is as private as the disk.
        if file.permissions().mode() & 0o077 != 0
            && let Err(why) = fs::set_permissions(&path, fs::Permissions::from_mode(0o600))
        {
            tracing::warn!("others on this machine may be able to read {}: {why}", path.display());
        }
    }
}

#[cfg(not(unix))]
fn keep_private(_: &Path) {}

/// The head of an SQLite file, <https://www.sqlite.org/fileformat.html#the_database_header>.
const HEAD: usize = 100;
const MAGIC: &[u8] = b"SQLite format 3\0";
const USER_VERSION: usize = 60;
const APPLICATION_ID: usize = 68;

/// Looks at the first bytes of a file without SQLite, which might change a file by opening it (it
/// plays back the log beside it). The application id is in every file of Maproom from its first moment
/// on (see [`create`]); the version may be newer in the log, so it is asked for again later.
fn check_head(path: &Path, head: &[u8]) -> Result<(), StoreError> {
    let number = |at: usize| {
        let bytes = head.get(at..at + 4).and_then(|bytes| bytes.try_into().ok());
        bytes.map(u32::from_be_bytes)
    };
    let foreign =
        |detail: &str| Err(StoreError::Foreign { path: path.to_path_buf(), detail: detail.to_string() });
    if !head.starts_with(MAGIC) || head.len() < HEAD {
        return foreign("it does not start like a database");
    }
    if number(APPLICATION_ID) != Some(schema::APPLICATION_ID) {
        return foreign("it is the database of another program");
    }
    match number(USER_VERSION) {
        Some(found) if found > schema::KNOWN => {
            Err(StoreError::Newer { path: path.to_path_buf(), found, known: schema::KNOWN })
        }
        _ => Ok(()),
    }
}

/// Makes an empty database that is marked as Maproom's: beside, then moved into place whole, so that a
/// crash can't leave a half-made file that looks like somebody else's.
fn create(folder: &Path, path: &Path) -> Result<(), StoreError> {
    // SQLite would play an orphaned log back onto the new file.
    for log in ["maproom.db-wal", "maproom.db-journal"] {
        let log = folder.join(log);
        if fs::metadata(&log).is_ok_and(|log| log.len() > 0) {
            return Err(StoreError::Corrupt {
                path: path.to_path_buf(),
                detail: format!(
                    "it is missing or empty, but its log {} is there. If the matches don't matter, move the log \
                     elsewhere to start afresh",
                    log.display()
                ),
            });
        }
    }
    let fresh = folder.join("maproom.db.new");
    let io_fail = |error: &io::Error| StoreError::of_io(path, error);
    for old in [fresh.clone(), folder.join("maproom.db.new-journal")] {
        match fs::remove_file(&old) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(io_fail(&error)),
            _ => {}
        }
    }
    let made = (|| {
        let mode = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        let database = Connection::open_with_flags(&fresh, flags(mode))?;
        database.pragma_update(None, "application_id", schema::APPLICATION_ID)?;
        database.close().map_err(|(_, error)| error)
    })();
    made.map_err(|error| of_sqlite(path, &error))?;
    fs::rename(&fresh, path).map_err(|error| io_fail(&error))?;
    // The new name, and the folder's own, have to be on the disk too. Only Unix can sync folders.
    #[cfg(unix)]
    for folder in [Some(folder), folder.parent()].into_iter().flatten() {
        if !folder.as_os_str().is_empty() {
            // Not all file systems know this; those then have no need of it.
            let _ = File::open(folder).and_then(|folder| folder.sync_all());
        }
    }
    Ok(())
}
