//! One chunk in a hundred is done by two workers on purpose, so that a machine that computes otherwise is noticed.

use std::collections::{BTreeMap, BTreeSet};

/// One in so many chunks; of a job with fewer, one.
const ONE_IN: u64 = 100;
/// How often a second worker may be lost before the check is given up.
const MOST_TRIES: u32 = 4;

/// The chunks of a job that two are to do, whoever hands it out.
pub fn meant(job: &str, chunks: u64) -> Vec<u64> {
    let checks = Checks::new(job, chunks);
    (0..chunks).filter(|n| checks.is_meant(*n)).collect()
}

pub(super) struct Checks {
    every: u64,
    offset: u64,
    /// By chunk: who did it first, and how often a second has begun.
    open: BTreeMap<u64, (String, u32)>,
    over: BTreeSet<u64>,
}

impl Checks {
    /// Which chunks they are follows from the id of the job: it is the same for every run of it, and nobody can choose it.
    pub fn new(job: &str, chunks: u64) -> Self {
        let every = ONE_IN.min(chunks.max(1));
        let offset = job.get(..8).and_then(|start| u64::from_str_radix(start, 16).ok()).unwrap_or(0);
        Self { every, offset: offset % every, open: BTreeMap::new(), over: BTreeSet::new() }
    }

    /// Whether a chunk that has just been done for the first time is to be done once more.
    pub fn is_wanted(&self, n: u64) -> bool {
        self.is_meant(n) && !self.open.contains_key(&n) && !self.over.contains(&n)
    }

    /// Whether a chunk is one of those that two do.
    pub fn is_meant(&self, n: u64) -> bool {
        n % self.every == self.offset
    }

    pub fn first(&mut self, n: u64, process: &str) {
        self.open.insert(n, (process.to_owned(), 0));
    }

    /// Whether this is the second result that a check waits for.
    pub fn is_by_another(&self, n: u64, process: &str) -> bool {
        self.open.get(&n).is_some_and(|(first, _)| first != process)
    }

    pub fn passed(&mut self, n: u64) {
        self.given_up(n);
    }

    fn given_up(&mut self, n: u64) {
        self.open.remove(&n);
        self.over.insert(n);
    }

    /// A second worker was lost or has failed: who must not be asked the next time, if there is to be one.
    pub fn again(&mut self, n: u64) -> Option<String> {
        let (first, tries) = self.open.get_mut(&n)?;
        *tries += 1;
        let first = (*tries < MOST_TRIES).then(|| first.clone());
        if first.is_none() {
            self.given_up(n);
        }
        first
    }
}
