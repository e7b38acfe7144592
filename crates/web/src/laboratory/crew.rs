//! Workers on other machines that play batches beside the house.
//!
//! The house plays its share itself through the ledger, as if there were nobody else, and whoever knows workers ([`Crew`]) has them do
//! theirs through the same ledger. Neither waits for the other: without workers, or without a way to them, a batch goes on all the
//! same, and workers that come later take part. Which of them did a chunk makes no difference to what comes of it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use lab::Hands;
use serde::{Deserialize, Serialize};
use store::{Brought, JobState, Ledger};

use super::{Batch, Laboratory, locked};
use crate::lobby::LobbyError;

/// Of more workers than these nothing is remembered after a batch.
const MOST_REMEMBERED: usize = 64;
/// A worker that was not heard of for so long is gone.
pub const GONE: Duration = Duration::from_secs(5);

/// Whoever knows workers. [`Hands::work`] has them do what they can of a job, beside others that do the rest, until it is over or is to
/// stop.
pub trait Crew: Hands {
    /// What is to be typed on another machine, so that it works for this house.
    fn command(&self) -> String;
    /// Whether workers could be heard now.
    fn is_reached(&self) -> bool;
    /// The workers that were heard of in the last minute, by name.
    fn here(&self) -> Vec<Present>;
    /// How those who do a job are doing, while [`Hands::work`] has them do it, and afterwards until it is dismissed.
    fn help(&self, job: &str) -> Option<Help>;
    /// Forgets what is known about a job.
    fn dismiss(&self, job: &str);
}

/// A worker that says that it is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Present {
    /// Its name, which it has chosen itself.
    pub name: String,
    /// Its build; only the same one can do anything here.
    pub build: String,
    /// Whether it is the house's own machine, and not a lent one.
    pub is_own: bool,
    /// When it was last heard of: so long ago.
    pub heard: Duration,
}

/// What a worker is at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Doing {
    /// Its name.
    pub name: String,
    /// How many of its threads are at work; none if it waits.
    pub threads: u64,
    /// How many games they have.
    pub numbers: u64,
    /// How many of these are played for the second time, to compare.
    pub checking: u64,
    /// For how long it has been at it.
    pub since: Duration,
    /// When it was last heard of: so long ago.
    pub heard: Duration,
}

/// How those who do a job are doing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Help {
    /// What each is at.
    pub doing: Vec<Doing>,
    /// What became of the work that they were given.
    pub marks: Marks,
    /// Whether only machines of the house may do it.
    pub only_own: bool,
    /// Whether that is because it holds a text of the house's own.
    pub is_private: bool,
    /// What somebody should know; empty if there is nothing.
    pub said: String,
}

/// What is remembered of workers beside what the ledger says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Marks {
    /// Chunks that two did, with the same result: the name of the second, and without a name it was the house.
    #[serde(default)]
    pub checked: BTreeMap<u64, String>,
    /// By name of the worker.
    #[serde(default)]
    pub workers: BTreeMap<String, Mark>,
}

/// What is remembered of one worker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// Chunks that it said it can't do.
    #[serde(default)]
    pub failed: u64,
    /// Chunks that were taken from it, because it was not heard of any more.
    #[serde(default)]
    pub lost: u64,
}

impl Marks {
    /// Whether there is nothing to remember.
    pub fn is_empty(&self) -> bool {
        self.checked.is_empty() && self.workers.is_empty()
    }

    /// Adds what became of more work.
    pub fn add(&mut self, more: &Self) {
        for (n, name) in &more.checked {
            // One that is compared again, for another desk, counts once.
            self.checked.entry(*n).or_insert_with(|| name.clone());
        }
        for (name, mark) in more.workers.iter().filter(|(_, mark)| **mark != Mark::default()) {
            if self.workers.len() >= MOST_REMEMBERED && !self.workers.contains_key(name) {
                continue;
            }
            let known = self.workers.entry(name.clone()).or_default();
            known.failed += mark.failed;
            known.lost += mark.lost;
        }
    }
}

/// Workers, and the ledger through which they help.
pub(super) struct Helpers {
    pub crew: Arc<dyn Crew>,
    pub ledger: Arc<dyn Ledger>,
}

/// Everybody who took part in a batch.
#[derive(Clone, Debug, Default)]
pub struct Team {
    /// The house first, then by how much they did.
    pub rows: Vec<Row>,
    /// How many chunks two did, with the same result.
    pub checked: u64,
    /// Whether workers can be heard now.
    pub is_reached: bool,
    /// Whether only machines of the house may take part.
    pub only_own: bool,
    /// Whether that is because the batch holds a text of the house's own.
    pub is_private: bool,
    /// What somebody should know; empty if there is nothing.
    pub said: String,
    /// What is to be typed on another machine, so that it takes part.
    pub command: String,
}

/// One that took part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// Its name; empty for the house itself.
    pub name: String,
    /// What it is at; `None` if it is gone.
    pub doing: Option<Doing>,
    /// How many chunks it has done.
    pub chunks: u64,
    /// How many games are in them.
    pub games: u64,
    /// How many chunks it did after somebody else, with the same result.
    pub checked: u64,
    /// What went wrong with its work.
    pub mark: Mark,
    /// When it was last heard of, if that is known.
    pub heard: Option<Duration>,
}

/// Who brought something, as the ledger has it: `BUILD (HOST process N of T/THREAD)` is a worker, and what has no thread is the house
/// or a command on its ledger.
fn worker_of(by: &str) -> &str {
    let worker = by.strip_suffix(')').and_then(|by| by.rsplit_once(" (")).map_or("", |(_, worker)| worker);
    worker.rsplit_once('/').map_or("", |(process, _)| process)
}

impl Laboratory {
    /// Lets workers take part. Called once, before anything is played.
    pub(crate) fn set_crew(&self, crew: Arc<dyn Crew>, ledger: Arc<dyn Ledger>) {
        // Who comes second has no effect; nobody does.
        let _ = self.helpers.set(Helpers { crew, ledger });
    }

    /// Whoever knows workers, if anybody does.
    pub fn crew(&self) -> Option<&Arc<dyn Crew>> {
        self.helpers.get().map(|helpers| &helpers.crew)
    }

    /// The build that works here.
    pub fn build(&self) -> Result<String, LobbyError> {
        Ok(self.site()?.build().to_owned())
    }

    /// Everybody who took part in a batch; `None` where there can be no workers.
    pub fn team(&self, batch: &Batch) -> Result<Option<Team>, LobbyError> {
        let Some(Helpers { crew, ledger }) = self.helpers.get() else { return Ok(None) };
        let id = &batch.entry.id;
        let is_here = batch.is_running && !batch.is_elsewhere;
        let help = crew.help(id).filter(|_| is_here).unwrap_or_default();
        let mut marks = batch.entry.marks.clone();
        marks.add(&help.marks);
        let mut rows = rows_of(&ledger.brought(id).map_err(LobbyError::Store)?, &marks);
        if is_here {
            let fits = |present: &Present| {
                present.build == batch.job.job.build && (present.is_own || !help.only_own)
            };
            let here =
                crew.here().into_iter().filter(|present| batch.job.state == JobState::Open && fits(present));
            for Present { name, heard, .. } in here {
                let row = rows.entry(name.clone()).or_insert_with(|| Row { name, ..Row::default() });
                row.heard = Some(heard);
                row.doing = (heard <= GONE).then(Doing::default);
            }
            for doing in help.doing {
                let row = rows.entry(doing.name.clone());
                let row = row.or_insert_with(|| Row { name: doing.name.clone(), ..Row::default() });
                let heard = row.heard.map_or(doing.heard, |heard| heard.min(doing.heard));
                row.heard = Some(heard);
                if doing.threads > 0 && (heard <= GONE || doing.heard <= GONE) {
                    row.doing = Some(doing);
                }
            }
        }
        let house = rows.remove("").unwrap_or_default();
        let mut others: Vec<Row> = rows.into_values().collect();
        others.sort_by(|a, b| b.games.cmp(&a.games).then_with(|| a.name.cmp(&b.name)));
        let rows = std::iter::once(house).chain(others).collect();
        Ok(Some(Team {
            rows,
            checked: marks.checked.len() as u64,
            is_reached: crew.is_reached(),
            only_own: help.only_own,
            is_private: help.is_private,
            said: help.said,
            command: crew.command(),
        }))
    }

    /// What the workers of the batch that is being played here are at, with its id.
    pub fn at_work(&self) -> Option<(String, Vec<Doing>)> {
        let id = locked(&self.running).as_ref().map(|running| running.id.clone())?;
        let help = self.crew()?.help(&id)?;
        Some((id, help.doing))
    }
}

/// By name, those who have brought something or of whom something is remembered.
fn rows_of(brought: &[Brought], marks: &Marks) -> BTreeMap<String, Row> {
    let mut rows = BTreeMap::<String, Row>::new();
    let mut of = |name: &str, change: &mut dyn FnMut(&mut Row)| {
        let row = rows.entry(name.to_owned());
        change(row.or_insert_with(|| Row { name: name.to_owned(), ..Row::default() }));
    };
    for Brought { by, chunks, numbers } in brought {
        of(worker_of(by), &mut |row| {
            row.chunks += chunks;
            row.games += numbers;
        });
    }
    for (name, mark) in &marks.workers {
        of(name, &mut |row| row.mark = *mark);
    }
    for name in marks.checked.values() {
        of(name, &mut |row| row.checked += 1);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_the_house_and_who_a_worker_is_read_from_the_ledger() {
        assert_eq!(worker_of("0.3.0 1f (process 4 of 99)"), "");
        assert_eq!(worker_of("0.3.0 1f (tank process 4 of 99/7)"), "tank process 4 of 99");
        assert_eq!(worker_of("0.3.0"), "");
        let brought = |by: &str, chunks, numbers| Brought { by: by.to_owned(), chunks, numbers };
        let ledger = [
            brought("1 (a process 1 of 2/0)", 1, 10),
            brought("1 (a process 1 of 2/1)", 2, 20),
            brought("1 (process 1 of 2)", 4, 40),
            brought("1 (process 2 of 3)", 8, 80),
        ];
        let rows = rows_of(&ledger, &Marks::default());
        let sums: Vec<_> = rows.values().map(|row| (row.name.as_str(), row.chunks, row.games)).collect();
        assert_eq!(sums, [("", 12, 120), ("a process 1 of 2", 3, 30)]);
    }

    #[test]
    fn marks_are_added_and_no_crowd_of_names_fills_the_list() {
        let mark = Mark { failed: 1, ..Mark::default() };
        let crowd = (0..1_000).map(|at| (at.to_string(), mark)).collect();
        let mut marks = Marks::default();
        let by = |name: &str, all: [u64; 2]| all.map(|n| (n, name.to_owned())).into();
        marks.add(&Marks { checked: by("a", [3, 5]), workers: crowd });
        marks.add(&Marks { checked: by("b", [5, 9]), workers: [("0".to_owned(), mark)].into() });
        assert_eq!((marks.checked.len(), marks.workers.len()), (3, MOST_REMEMBERED));
        assert_eq!(marks.workers["0"].failed, 2);
        let rows = rows_of(&[], &marks);
        assert_eq!((rows["a"].checked, rows["b"].checked), (2, 1), "what is compared twice counts once");
        let nothing = Marks { workers: [("idle".to_owned(), Mark::default())].into(), ..Marks::default() };
        let mut none = Marks::default();
        none.add(&nothing);
        assert!(none.is_empty(), "who did nothing is not remembered");
    }
}
