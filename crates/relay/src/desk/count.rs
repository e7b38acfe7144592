//! How many errands wait, and how large they are: enough that nobody has to wait for the next, and that little is lost with one.
//! And which workers there are.

use std::collections::HashMap;

use super::process_of;

/// How long an errand should take, in milliseconds.
const STRETCH: f64 = 4_000.0;
/// Who was not heard of for so many milliseconds does not count as a worker.
const SILENT: u64 = 60_000;

pub(super) struct Pace {
    /// By worker at work: when it was last heard of.
    workers: HashMap<String, u64>,
    /// By process that could do this job, also if it waits for work: when it was last heard of.
    present: HashMap<String, u64>,
    /// Chunks that nobody here has claimed yet.
    unclaimed: u64,
    /// How many chunks the next errand has at most.
    most: u64,
}

impl Pace {
    pub fn new(unclaimed: u64) -> Self {
        Self { workers: HashMap::new(), present: HashMap::new(), unclaimed, most: 1 }
    }

    pub fn heard(&mut self, worker: &str, now: u64) {
        match self.workers.get_mut(worker) {
            Some(last) => *last = now,
            None => drop(self.workers.insert(worker.to_owned(), now)),
        }
        self.is_there(process_of(worker), now);
    }

    /// A process has said that it is there.
    pub fn is_there(&mut self, process: &str, now: u64) {
        match self.present.get_mut(process) {
            Some(last) => *last = now,
            None => drop(self.present.insert(process.to_owned(), now)),
        }
    }

    pub fn left(&mut self, worker: &str) {
        self.workers.remove(worker);
    }

    fn workers(&self, now: u64) -> u64 {
        self.workers.values().filter(|last| **last + SILENT >= now).count() as u64
    }

    /// When a worker besides this process was last heard of.
    pub fn other_heard_at(&self, process: &str) -> Option<u64> {
        self.present.iter().filter(|(other, _)| *other != process).map(|(_, last)| *last).max()
    }

    /// When a process was last heard of.
    pub fn heard_at(&self, process: &str) -> Option<u64> {
        self.present.get(process).copied()
    }

    /// How many errands should wait in the stream.
    pub fn waiting(&self, now: u64) -> usize {
        self.workers(now) as usize + 2
    }

    /// How many chunks to claim for the next errand: shared fairly at the end.
    pub fn most(&self, now: u64) -> usize {
        let fair = self.unclaimed / (2 * self.workers(now).max(1));
        self.most.min(fair).max(1) as usize
    }

    pub fn claimed(&mut self, chunks: u64) {
        self.unclaimed = self.unclaimed.saturating_sub(chunks);
    }

    /// Whether nothing is left to claim.
    pub fn has_claimed_all(&self) -> bool {
        self.unclaimed == 0
    }

    /// An errand of so many chunks took so long.
    pub fn took(&mut self, milliseconds: u64, chunks: u64) {
        let each = (milliseconds as f64).max(0.5) / chunks.max(1) as f64;
        let fitting = (STRETCH / each) as u64;
        self.most = fitting.min(chunks.max(self.most).saturating_mul(4)).max(1);
    }
}
