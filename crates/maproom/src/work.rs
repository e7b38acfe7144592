//! Where `sim`, `ladder` and `calibrate` do their work: in this process, or through a ledger in a folder.

use std::fs::{self, File, OpenOptions};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lab::{Build, Site};
use store::SqliteStore;

use crate::arguments::WorkOrder;

/// The file that is locked while somebody works with a ledger.
const LOCK: &str = "work.lock";

/// The ledger of files that are not finished, in the folder of the files.
const UNFINISHED: &str = "unfinished";

/// Where work is done, for as long as this lives.
pub struct Place {
    /// The place.
    pub site: Site,
    is_kept: bool,
    /// The folder of a ledger that is only for this work.
    own: Option<PathBuf>,
    /// Held by the first process that works with the ledger. The system takes it back however that ends.
    _lock: Option<File>,
}

impl Place {
    /// The place that was asked for. Work that becomes files has a ledger beside them if it has no other: its rows may be more
    /// than the memory holds.
    pub fn open(order: &WorkOrder, files: Option<&Path>) -> Result<Self, String> {
        match (&order.ledger, files) {
            (Some(folder), _) => Self::in_folder(folder),
            (None, Some(files)) => {
                let own = files.join(UNFINISHED);
                Ok(Self { own: Some(own.clone()), ..Self::in_folder(&own)? })
            }
            (None, None) => Ok(Self { site: Site::in_process(), is_kept: false, own: None, _lock: None }),
        }
    }

    fn in_folder(folder: &Path) -> Result<Self, String> {
        let ledger = ledger(folder)?;
        let lock = lock(folder).map_err(|why| format!("can't write to {}: {why}", folder.display()))?;
        let build = Build::of_this_program(env!("CARGO_PKG_VERSION"))?;
        // Who has the lock knows that all others are gone, and need not wait for what they have taken.
        let site = Site::with_ledger(Arc::new(ledger), build, lock.is_some());
        Ok(Self { site, is_kept: true, own: None, _lock: lock })
    }

    /// The end of a line about what was played, if some of it was there before.
    pub fn found(&self, before: u64) -> String {
        if before > 0 { format!("; {before} were in the ledger") } else { String::new() }
    }

    /// After all is done: removes a ledger that was only for this work.
    pub fn tidy_up(&self) {
        if let Some(own) = &self.own {
            // What is left there harms nobody, and the files are whole.
            let _ = fs::remove_dir_all(own);
        }
    }

    /// After work that was stopped: how it goes on.
    pub fn say_how_to_go_on(&self, job: &str) {
        if self.is_kept {
            errln!("The same command goes on from here (job {}).", short(job));
        }
    }
}

/// As much of an id as people read.
pub fn short(job: &str) -> &str {
    job.get(..8).unwrap_or(job)
}

/// The ledger of a folder; both are made if they are missing.
pub fn ledger(folder: &Path) -> Result<SqliteStore, String> {
    if folder.is_file() {
        return Err(format!("--ledger {}: this is a file; give a folder", folder.display()));
    }
    SqliteStore::open_shared(folder).map_err(|why| why.to_string())
}

/// Locks a folder for work; `None` if another process has it.
fn lock(folder: &Path) -> std::io::Result<Option<File>> {
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(folder.join(LOCK))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(fs::TryLockError::WouldBlock) => Ok(None),
        Err(fs::TryLockError::Error(why)) => Err(why),
    }
}
