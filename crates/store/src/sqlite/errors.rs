//! What SQLite's errors mean.

use std::path::Path;

use rusqlite::{ErrorCode, ffi};

use crate::StoreError;

/// Says what an error of SQLite means for the file `path`.
pub(super) fn of_sqlite(path: &Path, error: &rusqlite::Error) -> StoreError {
    let detail = error.to_string();
    let path_buf = path.to_path_buf();
    let Some(code) = error.sqlite_error() else {
        // A value that can't be read back as what was written.
        return match error {
            rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::IntegralValueOutOfRange(..)
            | rusqlite::Error::InvalidColumnType(..)
            | rusqlite::Error::Utf8Error(..) => StoreError::Corrupt { path: path_buf, detail },
            _ => StoreError::Other(format!("{}: {detail}", path.display())),
        };
    };
    // The shared index of the log is made large enough before it is used; if that fails, it is for
    // want of room.
    if code.extended_code == ffi::SQLITE_IOERR_SHMSIZE {
        return StoreError::Full { path: path_buf };
    }
    match code.code {
        ErrorCode::DiskFull => StoreError::Full { path: path_buf },
        ErrorCode::ReadOnly | ErrorCode::PermissionDenied => StoreError::ReadOnly { path: path_buf, detail },
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => StoreError::Busy { path: path_buf },
        ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => {
            StoreError::Corrupt { path: path_buf, detail }
        }
        ErrorCode::SystemIoFailure | ErrorCode::CannotOpen => StoreError::Io { path: path_buf, detail },
        _ => StoreError::Other(format!("{}: {detail}", path.display())),
    }
}
