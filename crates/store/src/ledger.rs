//! The `Ledger` trait: work that is done in pieces, by whoever comes.
//!
//! A *job* is something that can be computed: a batch of games, a ladder. Its numbers (games, positions) are parted into *chunks*
//! when it is made, and never again. Whoever works takes chunks for a while, and brings back the *parts* of each: bytes, kept
//! by job, chunk and part. A chunk is a function of the job alone, so doing one twice does no harm: the second result is
//! compared with the first, and not added. Totals are made by reading the parts in the order of the chunks. So a job comes to
//! the same whoever did it, in whatever order, and however often somebody was killed meanwhile.
//!
//! Nothing of this exists in a store until somebody makes the first job: who never does has no table for it.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::StoreError;

/// After so many tries of which nothing was heard again a chunk is not handed out any more: it probably kills whoever takes it.
pub const MOST_TRIES: u32 = 4;

/// What becomes of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobState {
    /// There are chunks to do.
    Open,
    /// All chunks are done.
    Done,
    /// It can't go on, because a chunk fails; it may be tried again.
    Stuck,
    /// Two builds came to different results for the same chunk, so neither can be trusted.
    Disputed,
}

impl JobState {
    /// All states.
    pub const ALL: [Self; 4] = [Self::Open, Self::Done, Self::Stuck, Self::Disputed];

    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Done => "done",
            Self::Stuck => "stuck",
            Self::Disputed => "disputed",
        }
    }

    /// Reads the word; nothing is done for a job in a state that is not known.
    pub fn read(word: &str) -> Self {
        Self::ALL.into_iter().find(|state| state.word() == word).unwrap_or(Self::Disputed)
    }
}

/// A job as it is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewJob {
    /// The SHA-256 of the specification, in hexadecimal: who asks for the same gets the same job.
    pub id: String,
    /// What kind of work it is, such as `sim`.
    pub kind: String,
    /// The whole specification. It is opaque here.
    pub spec: String,
    /// The version of the rules under which it is done.
    pub rules: String,
    /// The build of the program that made it.
    pub build: String,
    /// When.
    pub made_at: u64,
}

/// A job, and how far it has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// What it is.
    pub job: NewJob,
    /// What becomes of it.
    pub state: JobState,
    /// Why it can't go on; empty while it can.
    pub why: String,
    /// How many chunks it has, and how many of them are done.
    pub chunks: [u64; 2],
    /// How many numbers it has, and how many of them are done.
    pub numbers: [u64; 2],
}

/// Whether a chunk is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChunkState {
    /// Somebody may take it.
    Waiting,
    /// Somebody has it.
    Held {
        /// Who.
        holder: String,
        /// If nothing is heard of them until then, somebody else may take it.
        until: u64,
    },
    /// Its parts are kept.
    Done,
}

/// A piece of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// Its place in the job, from 0.
    pub n: u64,
    /// The numbers that are to be done; never empty.
    pub numbers: Range<u64>,
    /// How often it was taken.
    pub tries: u32,
    /// Whether it is done.
    pub state: ChunkState,
}

/// One part of what came of a chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The SHA-256 of the bytes.
    pub sha256: [u8; 32],
    /// What came of it.
    pub bytes: Vec<u8>,
}

/// A part that is kept, with whoever brought it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptPart {
    /// The part.
    pub part: Part,
    /// Who brought it, with their build.
    pub by: String,
}

/// A chunk that was done: all its parts, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finished {
    /// The place of the chunk in the job.
    pub n: u64,
    /// Its parts.
    pub parts: Vec<Part>,
}

/// What somebody has brought of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Brought {
    /// Who, with their build.
    pub by: String,
    /// How many chunks.
    pub chunks: u64,
    /// How many numbers are in them.
    pub numbers: u64,
}

/// What came of bringing results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kept {
    /// They are kept, or were there already.
    All,
    /// There is no such job any more, or it has no such chunk.
    Missing,
    /// One differs from what is there. The job has stopped; this says what differs and names both who brought it.
    Disputed(String),
}

/// The words for a result that comes again and differs.
pub(crate) fn dispute(chunk: &Chunk, part: usize, first: &str, second: &str) -> String {
    format!(
        "chunk {} (numbers {} to {}), part {part}: {first} and {second} came to different results",
        chunk.n,
        chunk.numbers.start,
        chunk.numbers.end.saturating_sub(1)
    )
}

/// The words for a chunk that nobody brings back.
pub(crate) fn given_up(chunk: &Chunk) -> String {
    format!(
        "chunk {} (numbers {} to {}) was begun {} times and never brought back",
        chunk.n,
        chunk.numbers.start,
        chunk.numbers.end.saturating_sub(1),
        chunk.tries
    )
}

/// Refuses ranges that do not follow each other from 0 on, and numbers that a database can't hold.
pub(crate) fn check_ranges(ranges: &[Range<u64>]) -> Result<(), StoreError> {
    let mut next = 0;
    for range in ranges {
        if range.start != next || range.is_empty() || i64::try_from(range.end).is_err() {
            let Range { start, end } = range;
            return Err(StoreError::Invalid(format!("a job with the range {start}..{end} after {next}")));
        }
        next = range.end;
    }
    Ok(())
}

/// A store for work. As with [`Store`](crate::Store), all methods block, and an `Err` means that nothing was changed. Times are
/// given by whoever calls.
pub trait Ledger: Send + Sync {
    /// Makes a job with these ranges as its chunks, or leaves the one that is there as it is. Whether it was made.
    fn open_job(&self, job: &NewJob, ranges: &[Range<u64>]) -> Result<bool, StoreError>;

    /// A job.
    fn job(&self, id: &str) -> Result<Option<Job>, StoreError>;

    /// All jobs, the one that was made last comes first.
    fn jobs(&self) -> Result<Vec<Job>, StoreError>;

    /// The chunks of a job, in order.
    fn chunks(&self, job: &str) -> Result<Vec<Chunk>, StoreError>;

    /// Takes chunks of an open job until a time: the first ones that wait or are overdue, at most `most`. A job with an overdue
    /// chunk that was tried too often is stuck.
    fn claim(
        &self,
        job: &str,
        holder: &str,
        now: u64,
        until: u64,
        most: usize,
    ) -> Result<Vec<Chunk>, StoreError>;

    /// Notes that a holder is still at work: what it has is its own until this time.
    fn beat(&self, holder: &str, until: u64) -> Result<(), StoreError>;

    /// Gives back what a holder has of a job and has not done; this counts as no try.
    fn give_back(&self, job: &str, holder: &str) -> Result<(), StoreError>;

    /// Keeps what came of chunks, in one transaction. What is there already is compared, and a difference stops the job.
    fn keep(&self, job: &str, by: &str, finished: &[Finished]) -> Result<Kept, StoreError>;

    /// A part of a chunk that is done.
    fn part(&self, job: &str, n: u64, part: u32) -> Result<Option<KeptPart>, StoreError>;

    /// Who has brought what is kept of a job, in the order of their names.
    fn brought(&self, job: &str) -> Result<Vec<Brought>, StoreError> {
        let mut all = BTreeMap::<String, [u64; 2]>::new();
        for chunk in self.chunks(job)?.into_iter().filter(|chunk| chunk.state == ChunkState::Done) {
            if let Some(kept) = self.part(job, chunk.n, 0)? {
                let [chunks, numbers] = all.entry(kept.by).or_default();
                *chunks += 1;
                *numbers += chunk.numbers.end - chunk.numbers.start;
            }
        }
        Ok(all.into_iter().map(|(by, [chunks, numbers])| Brought { by, chunks, numbers }).collect())
    }

    /// Notes that an open job can't go on, and why.
    fn fail(&self, job: &str, why: &str) -> Result<(), StoreError>;

    /// Lets a stuck job go on, as if nothing had been tried yet. With `alone`, whoever calls knows that nobody else is at work:
    /// what others have is free at once.
    fn resume(&self, job: &str, alone: bool) -> Result<(), StoreError>;

    /// Removes a job with all that came of it.
    fn drop_job(&self, id: &str) -> Result<bool, StoreError>;
}
