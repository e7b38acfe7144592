//! Where `sim`, `ladder`, `calibrate` and `review` do their work: in this process, through a ledger, by workers elsewhere.

use std::fs::{self, File, OpenOptions};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lab::{Build, Site};
use store::{Ledger, MemoryStore, SqliteStore};

use crate::arguments::WorkOrder;
use crate::{database, remote};

/// The file that is locked while somebody works with a ledger.
const LOCK: &str = "work.lock";

/// The ledger of files that are not finished, in the folder of the files.
const UNFINISHED: &str = "unfinished";

/// Where work is done, for as long as this lives.
pub struct Place {
    /// The place.
    pub site: Site,
    is_kept: bool,
    /// Whether others do the work.
    is_elsewhere: bool,
    /// The folder of a ledger that is only for this work.
    own: Option<PathBuf>,
    /// Held by the first process that works with the ledger. The system takes it back however that ends.
    _lock: Option<File>,
}

impl Place {
    /// The place that was asked for. Work that becomes files has a ledger beside them if it has no other: its rows may be more
    /// than the memory holds.
    pub fn open(order: &WorkOrder, files: Option<&Path>) -> Result<Self, String> {
        let hands = remote::hands(order)?;
        let mut place = match (&order.ledger, files) {
            (Some(ledger), _) => match database::Place::read(ledger) {
                database::Place::Folder(folder) => Self::in_folder(&folder)?,
                place @ database::Place::Postgres(_) => Self::in_database(&place)?,
            },
            (None, Some(files)) => {
                let own = files.join(UNFINISHED);
                Self { own: Some(own.clone()), ..Self::in_folder(&own)? }
            }
            (None, None) if hands.is_some() => {
                Self { is_kept: false, ..Self::of(Arc::new(MemoryStore::new()), true)? }
            }
            (None, None) => {
                let site = Site::in_process();
                Self { site, is_kept: false, is_elsewhere: false, own: None, _lock: None }
            }
        };
        if let Some(hands) = hands {
            place.site = place.site.with_hands(hands);
            place.is_elsewhere = true;
        }
        Ok(place)
    }

    fn of(ledger: Arc<dyn Ledger>, alone: bool) -> Result<Self, String> {
        let build = Build::of_this_program(env!("CARGO_PKG_VERSION"))?;
        let site = Site::with_ledger(ledger, build, alone);
        Ok(Self { site, is_kept: true, is_elsewhere: false, own: None, _lock: None })
    }

    fn in_folder(folder: &Path) -> Result<Self, String> {
        let ledger = ledger(folder)?;
        let lock = lock(folder).map_err(|why| format!("can't write to {}: {why}", folder.display()))?;
        // Who has the lock knows that all others are gone, and need not wait for what they have taken.
        let place = Self::of(Arc::new(ledger), lock.is_some())?;
        Ok(Self { _lock: lock, ..place })
    }

    fn in_database(place: &database::Place) -> Result<Self, String> {
        Self::of(place.open_beside()?.ledger(), false)
    }

    /// Who did it, for people.
    pub fn by(&self, threads: usize) -> String {
        match threads {
            _ if self.is_elsewhere => "by workers".to_owned(),
            1 => "on 1 thread".to_owned(),
            threads => format!("on {threads} threads"),
        }
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
