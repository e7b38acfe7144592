//! `maproom backup`, `maproom restore`, `maproom store copy`: everything that a house keeps, as a file and from place to place.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{BufReader, BufWriter, Write as _, pipe};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;

use store::backup::Contents;
use store::{MatchRecord, Store};
use web::{LobbyError, Replayed, Title, replay};

use crate::arguments::{BackupOrder, CopyOrder, RestoreOrder};
use crate::database::{Keeper, Place};
use crate::registry;

/// Runs `maproom backup`.
pub fn save(order: &BackupOrder) -> Result<ExitCode, String> {
    if order.check {
        return check(&order.file);
    }
    let keeper = Place::of(order.data.as_deref(), order.database.as_deref())?.open_beside()?;
    let fail = |why: String| format!("can't write {}: {why}", order.file.display());
    let mut beside = order.file.as_os_str().to_owned();
    beside.push(".new");
    let beside = PathBuf::from(beside);
    if order.file.exists() {
        return Err(fail("it is there already; a backup overwrites nothing".to_owned()));
    }
    let write = || -> Result<Contents, String> {
        let mut out = BufWriter::new(private(&beside).map_err(|why| fail(why.to_string()))?);
        let contents = keeper.backup(&mut out).map_err(|why| why.to_string())?;
        let file = out.into_inner().map_err(|why| fail(why.to_string()))?;
        file.sync_all()
            .and_then(|()| fs::rename(&beside, &order.file))
            .map_err(|why| fail(why.to_string()))?;
        Ok(contents)
    };
    let written = write();
    if written.is_err() {
        // Half a backup is none.
        let _ = fs::remove_file(&beside);
    }
    let contents = written?;
    outln!("{} is in {}: {}.", keeper.place(), order.file.display(), words(&contents));
    outln!("It holds what opens matches and accounts: keep it where nobody else reads it.");
    Ok(ExitCode::SUCCESS)
}

/// Runs `maproom restore`.
pub fn restore(order: &RestoreOrder) -> Result<ExitCode, String> {
    let file = open(&order.file)?;
    let keeper = Place::of(order.data.as_deref(), order.database.as_deref())?.open()?;
    let contents = keeper.restore(file).map_err(|why| why.to_string())?;
    outln!("{} is in {} now: {}.", order.file.display(), keeper.place(), words(&contents));
    Ok(ExitCode::SUCCESS)
}

/// Runs `maproom store copy`: what was read must be what is there afterwards, match by match, each replayed from both.
pub fn copy(order: &CopyOrder) -> Result<ExitCode, String> {
    let (from, to) = (Place::read(&order.from), Place::read(&order.to));
    if from == to {
        return Err("--from and --to are the same place".to_owned());
    }
    if let Place::Folder(folder) = &from
        && !folder.join("maproom.db").is_file()
    {
        return Err(format!("there are no matches in {}", folder.display()));
    }
    // Both to itself: what is written during the copy would be missing in it.
    let (from, to) = (from.open()?, to.open()?);
    let contents = pass(&from, &to)?;
    let titles = registry::titles();
    let (before, after) = (Replays::of(&*from.store(), &titles)?, Replays::of(&*to.store(), &titles)?);
    if let Some(id) = differing(&before.matches, &after.matches) {
        return Err(format!(
            "the match {id} is not the same in {} as in {}: don't use the copy (and please report this)",
            to.place(),
            from.place()
        ));
    }
    let same = same_records(&*from.store(), &*to.store())?;
    outln!("{} is in {} now: {}.", from.place(), to.place(), words(&contents));
    outln!("{same} matches are the same in both. {}", after.words());
    Ok(ExitCode::SUCCESS)
}

/// Everything from one store into another, without a file in between.
fn pass(from: &Keeper, to: &Keeper) -> Result<Contents, String> {
    let (reader, writer) = pipe().map_err(|why| why.to_string())?;
    thread::scope(|scope| {
        let sending = scope.spawn(move || from.backup(BufWriter::new(writer)));
        let taken = to.restore(BufReader::new(reader));
        let sent = sending.join().map_err(|_| "copying was interrupted".to_owned())?;
        match (sent, taken) {
            // If the other side has stopped to read, that side knows why.
            (_, Err(why)) => Err(why.to_string()),
            (Err(why), Ok(_)) => Err(why.to_string()),
            (Ok(_), Ok(contents)) => Ok(contents),
        }
    })
}

/// Takes a backup into a store that is thrown away, and replays every match of it.
fn check(file: &Path) -> Result<ExitCode, String> {
    let input = open(file)?;
    let folder = Scratch::make()?;
    let keeper = Place::Folder(folder.0.clone()).open()?;
    let contents = keeper.restore(input).map_err(|why| format!("{}: {why}", file.display()))?;
    let replays = Replays::of(&*keeper.store(), &registry::titles())?;
    outln!("{} is whole: {}. {}", file.display(), words(&contents), replays.words());
    for line in &replays.faults {
        outln!("{line}");
    }
    drop(keeper);
    Ok(if replays.faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn open(file: &Path) -> Result<BufReader<File>, String> {
    let opened = File::open(file).map_err(|why| format!("can't read {}: {why}", file.display()));
    opened.map(BufReader::new)
}

/// A new file that only its owner reads.
fn private(path: &Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    file.flush()?;
    Ok(file)
}

fn words(contents: &Contents) -> String {
    format!("{} matches, {} rows in {} tables", contents.matches(), contents.total(), contents.rows.len())
}

/// What came of replaying all matches of a store.
#[derive(Default)]
struct Replays {
    /// Where each match stands; those under other rules stand where their journal says.
    matches: BTreeMap<String, Option<Replayed>>,
    /// Those that the present rules can't replay to their end.
    parted: usize,
    /// What else is wrong, a line for a match.
    faults: Vec<String>,
}

impl Replays {
    fn of(store: &dyn Store, titles: &[Arc<dyn Title>]) -> Result<Self, String> {
        let fail = |why: store::StoreError| why.to_string();
        let outages = store.outages(0).map_err(fail)?;
        let outages: Vec<(u64, u64)> = outages.iter().map(|outage| (outage.began, outage.ended)).collect();
        let mut replays = Self::default();
        for id in ids(store)? {
            let Some(record) = store.find(&id).map_err(fail)? else { continue };
            let journal = store.journal(&id).map_err(fail)?;
            let replayed = match replay(titles, &record, &journal, &outages) {
                Ok(replayed) => Some(replayed),
                Err(LobbyError::Parted { .. }) => {
                    replays.parted += 1;
                    None
                }
                Err(why) => {
                    replays.faults.push(format!("the match {id}: {why}"));
                    None
                }
            };
            replays.matches.insert(id, replayed);
        }
        Ok(replays)
    }

    fn words(&self) -> String {
        let whole = self.matches.values().flatten().count();
        let mut words = format!("{whole} matches were replayed to their end, every check number compared.");
        if self.parted > 0 {
            words +=
                &format!(" {} were begun under other rules and were not replayed to their end.", self.parted);
        }
        if !self.faults.is_empty() {
            words += &format!(" {} can't be read:", self.faults.len());
        }
        words
    }
}

/// The matches of a store, those in the bin too.
fn ids(store: &dyn Store) -> Result<Vec<String>, String> {
    let mut ids = Vec::new();
    for is_deleted in [false, true] {
        let list = store.list(is_deleted).map_err(|why| why.to_string())?;
        ids.extend(list.into_iter().map(|record: MatchRecord| record.id));
    }
    Ok(ids)
}

fn differing(
    one: &BTreeMap<String, Option<Replayed>>,
    other: &BTreeMap<String, Option<Replayed>>,
) -> Option<String> {
    let all = one.keys().chain(other.keys());
    all.into_iter().find(|id| one.get(*id) != other.get(*id)).cloned()
}

/// How many matches are the same to the letter in both.
fn same_records(one: &dyn Store, other: &dyn Store) -> Result<usize, String> {
    let fail = |why: store::StoreError| why.to_string();
    let ids = ids(one)?;
    for id in &ids {
        let is_same = one.find(id).map_err(fail)? == other.find(id).map_err(fail)?
            && one.journal(id).map_err(fail)? == other.journal(id).map_err(fail)?;
        if !is_same {
            return Err(format!(
                "the match {id} is not the same in the copy: don't use it (and please report this)"
            ));
        }
    }
    Ok(ids.len())
}

/// A folder that goes with this.
struct Scratch(PathBuf);

impl Scratch {
    fn make() -> Result<Self, String> {
        let mut number = [0; 8];
        getrandom::fill(&mut number).map_err(|why| why.to_string())?;
        let name = format!("maproom-check-{:016x}", u64::from_le_bytes(number));
        Ok(Self(std::env::temp_dir().join(name)))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
