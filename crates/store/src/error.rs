//! Errors of the store, with advice for the person who runs Maproom.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use workers::WorkerPanic;

/// Why a store refused. Cheap to clone: a failed group returns it to every caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreError {
    /// No room left on the disk.
    Full {
        /// The file or folder that could not grow.
        path: PathBuf,
    },
    /// The folder or file may not be written.
    ReadOnly {
        /// The folder or file.
        path: PathBuf,
        /// What the system said.
        detail: String,
    },
    /// Another Maproom has the folder open.
    Locked {
        /// The folder.
        folder: PathBuf,
    },
    /// Another program holds the database for longer than can be waited.
    Busy {
        /// The database.
        path: PathBuf,
    },
    /// The database is damaged.
    Corrupt {
        /// The database.
        path: PathBuf,
        /// What is wrong with it.
        detail: String,
    },
    /// The file is not a database of Maproom.
    Foreign {
        /// The file.
        path: PathBuf,
        /// How that was seen.
        detail: String,
    },
    /// The database was made by a newer Maproom.
    Newer {
        /// The database.
        path: PathBuf,
        /// Its version.
        found: u32,
        /// The newest version that this Maproom knows.
        known: u32,
    },
    /// The system failed to read or write.
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        detail: String,
    },
    /// The database can't be reached: nothing was changed.
    Unreachable {
        /// Where it should be.
        place: String,
        /// What the system or the database said.
        detail: String,
    },
    /// The database's last answer was lost: nobody knows whether the change was made. Look again, or send the same request.
    Unknown {
        /// Where it is.
        place: String,
    },
    /// A new match has the id of another.
    Exists {
        /// The id.
        id: String,
    },
    /// The arguments make no sense: a bug in the program.
    Invalid(String),
    /// Writing panicked.
    Panicked(WorkerPanic),
    /// More is waiting to be written than the queue holds.
    Overloaded,
    /// The writer is shutting down.
    Closed,
    /// Anything else.
    Other(String),
}

impl StoreError {
    /// Whether the disk or the file is the problem rather than the data, so
    /// that writing the same in smaller parts cannot help.
    pub(crate) fn is_of_the_place(&self) -> bool {
        !matches!(
            self,
            StoreError::Invalid(_)
                | StoreError::Panicked(_)
                | StoreError::Exists { .. }
                | StoreError::Other(_)
        )
    }

    /// What an error of the file system means.
    pub(crate) fn of_io(path: &Path, error: &io::Error) -> StoreError {
        let path = path.to_path_buf();
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => StoreError::Full { path },
            io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied => {
                StoreError::ReadOnly { path, detail: error.to_string() }
            }
            _ => StoreError::Io { path, detail: error.to_string() },
        }
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::Full { path } => write!(
                f,
                "the disk is full, so {} can't grow, and nothing was written. Make room on that disk, \
                 then try again.",
                path.display()
            ),
            StoreError::ReadOnly { path, detail } => write!(
                f,
                "{} can't be written: {detail}. Is it read-only, or does it belong to another user? Allow \
                 writing there, or choose another folder.",
                path.display()
            ),
            StoreError::Locked { folder } => write!(
                f,
                "the folder {} is in use by another Maproom. Use that one, end it first, or choose another \
                 folder.",
                folder.display()
            ),
            StoreError::Busy { path } => write!(
                f,
                "another program (a database tool, a backup?) keeps {} locked. Close it, then try again.",
                path.display()
            ),
            StoreError::Corrupt { path, detail } => write!(
                f,
                "the database {} is damaged: {detail}. Keep a copy of the folder as it is, then put a backup \
                 in its place or choose another folder.",
                path.display()
            ),
            StoreError::Foreign { path, detail } => write!(
                f,
                "{} is not a database of Maproom: {detail}. It was left as it is: move it elsewhere, or choose \
                 another folder.",
                path.display()
            ),
            StoreError::Newer { path, found, known } => write!(
                f,
                "the database {} was made by a newer Maproom (version {found} of the database, this one knows \
                 up to {known}). It was left as it is: use the newer Maproom, or choose another folder.",
                path.display()
            ),
            StoreError::Io { path, detail } => write!(
                f,
                "{} can't be read or written: {detail}. Is the disk connected and working? If not, choose \
                 another folder.",
                path.display()
            ),
            StoreError::Unreachable { place, detail } => write!(
                f,
                "the database {place} can't be reached: {detail}. Nothing was written; it is tried again with the \
                 next choice."
            ),
            StoreError::Unknown { place } => write!(
                f,
                "the connection to the database {place} broke in the very moment of writing, so nobody knows whether \
                 that was written. Look again at what the match shows."
            ),
            StoreError::Exists { id } => write!(f, "there is already a match with the id {id}"),
            StoreError::Invalid(what) => write!(f, "{what} (this is a bug in Maproom: please report it)"),
            StoreError::Panicked(why) => {
                write!(f, "writing failed: {} (this is a bug in Maproom: please report it)", why.message())
            }
            StoreError::Overloaded => {
                write!(f, "overloaded: too many choices are waiting to be written. Try again in a moment.")
            }
            StoreError::Closed => write!(f, "Maproom is shutting down, so nothing more is written"),
            StoreError::Other(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for StoreError {}
