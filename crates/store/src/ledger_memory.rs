//! The ledger in memory: for work in one process, and for tests.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

use crate::ledger::{check_ranges, dispute, given_up};
use crate::memory::MemoryStore;
use crate::{
    Chunk, ChunkState, Finished, Job, JobState, Kept, KeptPart, Ledger, MOST_TRIES, NewJob, StoreError,
};

/// One job.
pub(crate) struct KeptJob {
    job: NewJob,
    state: JobState,
    why: String,
    chunks: Vec<Chunk>,
    /// The parts of each chunk that is done, in order.
    parts: BTreeMap<u64, Vec<KeptPart>>,
    /// No chunk before this one can be taken.
    first_free: usize,
    /// When it was made, among the jobs.
    place: usize,
}

/// All jobs.
#[derive(Default)]
pub(crate) struct Work {
    jobs: BTreeMap<String, KeptJob>,
    made: usize,
}

impl KeptJob {
    fn sum(&self) -> Job {
        let done = || self.chunks.iter().filter(|chunk| chunk.state == ChunkState::Done);
        let numbers = |chunk: &Chunk| chunk.numbers.end - chunk.numbers.start;
        Job {
            job: self.job.clone(),
            state: self.state,
            why: self.why.clone(),
            chunks: [self.chunks.len() as u64, done().count() as u64],
            numbers: [self.chunks.iter().map(numbers).sum(), done().map(numbers).sum()],
        }
    }

    fn claim(&mut self, holder: &str, now: u64, until: u64, most: usize) -> Vec<Chunk> {
        let mut taken = Vec::new();
        if self.state != JobState::Open {
            return taken;
        }
        let (mut at, mut first_free) = (self.first_free, None);
        while let Some(chunk) = self.chunks.get_mut(at).filter(|_| taken.len() < most) {
            let overdue = matches!(&chunk.state, ChunkState::Held { until, .. } if *until < now);
            if chunk.state != ChunkState::Done {
                first_free.get_or_insert(at);
            }
            at += 1;
            if !overdue && chunk.state != ChunkState::Waiting {
                continue;
            }
            if overdue && chunk.tries >= MOST_TRIES {
                (self.state, self.why) = (JobState::Stuck, given_up(chunk));
                return taken;
            }
            chunk.state = ChunkState::Held { holder: holder.to_owned(), until };
            chunk.tries += 1;
            taken.push(chunk.clone());
        }
        // What is held may come back, so only what is done is passed over for good.
        self.first_free = first_free.unwrap_or(at);
        taken
    }

    fn keep(&mut self, by: &str, finished: &[Finished]) -> Kept {
        if finished.iter().any(|finished| finished.n >= self.chunks.len() as u64) {
            return Kept::Missing;
        }
        for Finished { n, parts } in finished {
            let Some(known) = self.parts.get(n) else { continue };
            let differs = (0..parts.len().max(known.len())).find(|at| {
                parts.get(*at).map(|part| part.sha256) != known.get(*at).map(|kept| kept.part.sha256)
            });
            if let Some(at) = differs {
                let first = known.get(at).or(known.first()).map_or("", |kept| kept.by.as_str());
                let why = dispute(&self.chunks[*n as usize], at, first, by);
                (self.state, self.why) = (JobState::Disputed, why.clone());
                return Kept::Disputed(why);
            }
        }
        for Finished { n, parts } in finished {
            self.chunks[*n as usize].state = ChunkState::Done;
            let kept =
                || parts.iter().map(|part| KeptPart { part: part.clone(), by: by.to_owned() }).collect();
            self.parts.entry(*n).or_insert_with(kept);
        }
        if self.state != JobState::Disputed && self.parts.len() == self.chunks.len() {
            (self.state, self.why) = (JobState::Done, String::new());
        }
        Kept::All
    }

    /// Frees chunks that somebody has.
    fn free(&mut self, of: impl Fn(&str) -> bool, tries: impl Fn(u32) -> u32) {
        for (at, chunk) in self.chunks.iter_mut().enumerate() {
            if matches!(&chunk.state, ChunkState::Held { holder, .. } if of(holder)) {
                (chunk.state, chunk.tries) = (ChunkState::Waiting, tries(chunk.tries));
                self.first_free = self.first_free.min(at);
            }
        }
    }
}

impl MemoryStore {
    fn with_job<T>(&self, id: &str, work: impl FnOnce(&mut KeptJob) -> T) -> Option<T> {
        self.inner().work.jobs.get_mut(id).map(work)
    }
}

impl Ledger for MemoryStore {
    fn open_job(&self, job: &NewJob, ranges: &[Range<u64>]) -> Result<bool, StoreError> {
        check_ranges(ranges)?;
        let work = &mut self.inner().work;
        if work.jobs.contains_key(&job.id) {
            return Ok(false);
        }
        let chunk = |(n, numbers): (u64, &Range<u64>)| Chunk {
            n,
            numbers: numbers.clone(),
            tries: 0,
            state: ChunkState::Waiting,
        };
        let kept = KeptJob {
            job: job.clone(),
            state: if ranges.is_empty() { JobState::Done } else { JobState::Open },
            why: String::new(),
            chunks: (0..).zip(ranges).map(chunk).collect(),
            parts: BTreeMap::new(),
            first_free: 0,
            place: work.made,
        };
        work.made += 1;
        work.jobs.insert(job.id.clone(), kept);
        Ok(true)
    }

    fn job(&self, id: &str) -> Result<Option<Job>, StoreError> {
        Ok(self.with_job(id, |job| job.sum()))
    }

    fn jobs(&self) -> Result<Vec<Job>, StoreError> {
        let inner = self.inner();
        let mut jobs: Vec<&KeptJob> = inner.work.jobs.values().collect();
        jobs.sort_by_key(|job| Reverse((job.job.made_at, job.place)));
        Ok(jobs.into_iter().map(KeptJob::sum).collect())
    }

    fn chunks(&self, job: &str) -> Result<Vec<Chunk>, StoreError> {
        Ok(self.with_job(job, |job| job.chunks.clone()).unwrap_or_default())
    }

    fn claim(
        &self,
        job: &str,
        holder: &str,
        now: u64,
        until: u64,
        most: usize,
    ) -> Result<Vec<Chunk>, StoreError> {
        Ok(self.with_job(job, |job| job.claim(holder, now, until, most)).unwrap_or_default())
    }

    fn beat(&self, holder: &str, until: u64) -> Result<(), StoreError> {
        for chunk in self.inner().work.jobs.values_mut().flat_map(|job| &mut job.chunks) {
            if let ChunkState::Held { holder: by, until: end } = &mut chunk.state
                && by == holder
            {
                *end = until;
            }
        }
        Ok(())
    }

    fn give_back(&self, job: &str, holder: &str) -> Result<(), StoreError> {
        self.with_job(job, |job| job.free(|by| by == holder, |tries| tries.saturating_sub(1)));
        Ok(())
    }

    fn keep(&self, job: &str, by: &str, finished: &[Finished]) -> Result<Kept, StoreError> {
        Ok(self.with_job(job, |job| job.keep(by, finished)).unwrap_or(Kept::Missing))
    }

    fn part(&self, job: &str, n: u64, part: u32) -> Result<Option<KeptPart>, StoreError> {
        let find = |job: &mut KeptJob| job.parts.get(&n).and_then(|parts| parts.get(part as usize)).cloned();
        Ok(self.with_job(job, find).flatten())
    }

    fn fail(&self, job: &str, why: &str) -> Result<(), StoreError> {
        self.with_job(job, |job| {
            if job.state == JobState::Open {
                (job.state, job.why) = (JobState::Stuck, why.to_owned());
            }
        });
        Ok(())
    }

    fn resume(&self, job: &str, alone: bool) -> Result<(), StoreError> {
        self.with_job(job, |job| {
            if job.state == JobState::Stuck {
                (job.state, job.why) = (JobState::Open, String::new());
            }
            if job.state == JobState::Open {
                job.chunks.iter_mut().for_each(|chunk| chunk.tries = 0);
            }
            if alone {
                job.free(|_| true, |tries| tries);
            }
        });
        Ok(())
    }

    fn drop_job(&self, id: &str) -> Result<bool, StoreError> {
        Ok(self.inner().work.jobs.remove(id).is_some())
    }
}
