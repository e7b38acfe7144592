//! What a desk knows of each worker, for people who look on. Nothing is decided by it.

use std::collections::BTreeMap;
use std::time::Duration;

/// Workers choose their names, and may choose many: of more than these nothing is noted.
const MOST_WORKERS: usize = 500;

/// What a worker (a process, not a thread) is at, and what became of the work that it was given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Member {
    /// Its name.
    pub name: String,
    /// How many of its threads are at work for this desk.
    pub threads: u64,
    /// How many numbers they have, those included that are done and not brought yet.
    pub numbers: u64,
    /// How many of these somebody else has done before.
    pub checking: u64,
    /// For how long it has been at what it began first.
    pub since: Duration,
    /// When it was last heard of: so long ago.
    pub heard: Duration,
    /// Chunks of which it said that it can't do them.
    pub failed: u64,
    /// Chunks that were taken from it, because nothing was heard of it.
    pub lost: u64,
}

/// All workers that a desk has heard of, and what two have done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Crew {
    /// The workers by name.
    pub members: Vec<Member>,
    /// Chunks that two workers did on purpose, with the same result: who was the second.
    pub checked: BTreeMap<u64, String>,
}

/// What became of the work of one worker.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    pub failed: u64,
    pub lost: u64,
}

/// What became of the work of all.
#[derive(Default)]
pub(super) struct Tallies {
    by_worker: BTreeMap<String, Tally>,
    pub checked: BTreeMap<u64, String>,
}

impl Tallies {
    /// Notes something of a worker.
    pub fn note(&mut self, process: &str, change: impl FnOnce(&mut Tally)) {
        if let Some(known) = self.by_worker.get_mut(process) {
            change(known);
        } else if self.by_worker.len() < MOST_WORKERS {
            change(self.by_worker.entry(process.to_owned()).or_default());
        }
    }

    /// A member for each worker, with nothing to do.
    pub fn members(&self) -> BTreeMap<String, Member> {
        let member = |(name, tally): (&String, &Tally)| {
            let Tally { failed, lost } = *tally;
            (name.clone(), Member { name: name.clone(), failed, lost, ..Member::default() })
        };
        self.by_worker.iter().map(member).collect()
    }
}
