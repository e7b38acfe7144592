//! Work in pieces: how batches, ladders, calibrations and reviews are done through a ledger.
//!
//! A job is cut into ranges of numbers that depend on nothing but how many there are. Threads take some ranges at a time, do
//! them, and bring back what came of each as bytes; the result is read from these bytes in the order of the numbers. So it is
//! the same on any number of threads, however often the work was stopped and gone on with, and whoever did which part of it.
//! Without a ledger of one's own the same is done with one in memory.

mod bytes;
mod elsewhere;
mod site;

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use bots::BotKind;
use kernel::CompleteGame;
use serde::Serialize;
use sha2::{Digest as _, Sha256};
use store::{Chunk, ChunkState, Finished, Job, JobState, Kept, NewJob, Part};
use workers::Progress;

pub(crate) use bytes::{ByteReader, ByteWriter, Unreadable};
pub(crate) use elsewhere::Labour;
pub use elsewhere::{Asked, Hands, labour};
pub use site::{Build, Site};

/// A job has no more chunks than this.
const MOST_CHUNKS: u64 = 1 << 16;
/// How long a thread works before it writes down what it has: as much is lost at most if the process is killed, unless a single
/// chunk takes longer.
const STRETCH: Duration = Duration::from_secs(2);
/// How long to wait for chunks that another process has.
const WAIT: Duration = Duration::from_millis(200);

/// Something that can be done in pieces.
pub(crate) trait Work: Sync {
    /// What a thread needs for it, with what it has done and not yet handed in.
    type Bench: Send;

    /// What kind of work it is.
    const KIND: &'static str;

    /// The whole specification, always written in the same way: what has the same specification has the same results.
    fn spec(&self) -> String;
    /// The version of the rules.
    fn rules(&self) -> &'static str;
    /// Why it may come to something else the next time, if it may.
    fn unsteady(&self) -> Option<String>;
    /// It has the numbers from 0 to this one.
    fn numbers(&self) -> u64;
    /// How the numbers are parted; it depends on the specification alone.
    fn ranges(&self) -> Vec<Range<u64>> {
        ranges(self.numbers())
    }
    /// What a thread begins with.
    fn bench(&self) -> Self::Bench;
    /// Does a number. `false` if it was stopped before it was done.
    fn one(&self, bench: &mut Self::Bench, number: u64) -> bool;
    /// Hands in what was done since the last time.
    fn hand_in(&self, bench: &mut Self::Bench) -> Vec<Vec<u8>>;
}

/// What came of work, and where it can be found.
#[derive(Clone, Debug)]
pub struct Worked<T> {
    /// What came of it.
    pub result: T,
    /// Its job in the ledger.
    pub job: String,
    /// How many numbers had been done before.
    pub before: u64,
}

impl<T> Worked<T> {
    /// The same with another result.
    pub fn with<U>(self, result: impl FnOnce(T) -> U) -> Worked<U> {
        Worked { result: result(self.result), job: self.job, before: self.before }
    }
}

/// Work that is done, or was stopped.
pub(crate) struct Done<B> {
    /// The benches of all threads.
    pub benches: Vec<B>,
    /// What was begun and not finished: the first number, and the parts of those that were done.
    leftovers: Vec<(u64, Vec<Vec<u8>>)>,
}

/// The ranges of a job: few for little work, more for much, so that neither writing them down nor losing one costs much.
fn ranges(numbers: u64) -> Vec<Range<u64>> {
    let chunks = (numbers as f64).sqrt() * 4.0;
    let chunks = (chunks as u64).clamp(1, MOST_CHUNKS);
    let size = numbers.div_ceil(chunks).max(1);
    let range = |n: u64| n * size..numbers.min((n + 1) * size);
    (0..numbers.div_ceil(size)).map(range).collect()
}

/// A specification as text: the fields in the order in which they are declared, without spaces.
pub(crate) fn canonical(spec: &impl Serialize) -> String {
    // Texts and numbers can always be written.
    serde_json::to_string(spec).unwrap_or_default()
}

/// Why a bot may choose otherwise the next time, if it may.
pub(crate) fn unsteady<G: CompleteGame>(bot: BotKind) -> Option<String> {
    let word = bot.word::<G>();
    matches!(bot, BotKind::Millis(_)).then(|| {
        format!("{word} thinks for a time and not for a number of playouts, and may choose otherwise on a busy machine")
    })
}

/// The id of a specification.
fn id_of(spec: &str) -> String {
    Sha256::digest(spec.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Does a job as far as it is not done yet. Stops early on request. The error says why it can't go on.
pub(crate) fn run<W: Work>(
    site: &Site,
    work: &W,
    threads: usize,
    progress: &Progress,
) -> Result<Worked<Done<W::Bench>>, String> {
    let (job, before) = open(site, work)?;
    progress.advance(before);
    if let Some(hands) = site.hands() {
        let done = elsewhere::have_done(site, hands, &job, progress)?;
        return Ok(Worked { result: done, job: job.job.id, before });
    }
    let shift = Shift {
        site,
        work,
        threads: threads.max(1) as u64,
        progress,
        id: &job.job.id,
        left: AtomicU64::new(job.chunks[0] - job.chunks[1]),
        held: AtomicU64::new(0),
        leftovers: Mutex::default(),
        trouble: Mutex::default(),
        broken: AtomicBool::new(false),
    };
    let done = shift.work()?;
    Ok(Worked { result: done, job: job.job.id, before })
}

/// The id of the job of some work.
pub(crate) fn job_id<W: Work>(work: &W) -> String {
    id_of(&work.spec())
}

/// Makes the job of some work without doing any of it, unless it is there.
pub(crate) fn enlist<W: Work>(site: &Site, work: &W) -> Result<(), String> {
    open(site, work).map(drop)
}

/// Makes the job, or finds what is there of it. With it comes how many numbers are done.
fn open<W: Work>(site: &Site, work: &W) -> Result<(Job, u64), String> {
    let spec = work.spec();
    let new = NewJob {
        id: id_of(&spec),
        kind: W::KIND.to_owned(),
        spec,
        rules: work.rules().to_owned(),
        build: site.build().to_owned(),
        made_at: site.now(),
    };
    if let Some(why) = work.unsteady().filter(|_| site.is_kept()) {
        return Err(format!("{why}, so this can't be kept in a ledger"));
    }
    let ledger = site.ledger();
    let made = ledger.open_job(&new, &work.ranges()).map_err(|why| why.to_string())?;
    let find = || ledger.job(&new.id).map_err(|why| why.to_string());
    let mut job = find()?.ok_or("the job was dropped as soon as it was made")?;
    if !made {
        let short = &new.id[..8];
        if (&job.job.rules, &job.job.build) != (&new.rules, &new.build) {
            return Err(format!(
                "job {short} was begun by another build of Maproom ({}, rules {}; this is {}, rules {}), whose games may \
                 differ: go on with that one, or drop the job (maproom jobs drop {short})",
                job.job.build, job.job.rules, new.build, new.rules
            ));
        }
        if job.state == JobState::Disputed {
            return Err(stopped(&job));
        }
        ledger.resume(&new.id, site.is_alone()).map_err(|why| why.to_string())?;
        job = find()?.ok_or("the job was dropped meanwhile")?;
    }
    let before = job.numbers[1];
    Ok((job, before))
}

/// Why a job can't go on.
fn stopped(job: &Job) -> String {
    let short = &job.job.id[..8];
    match job.state {
        JobState::Disputed => format!(
            "job {short} has stopped, because its results can't be trusted: {}. Drop it (maproom jobs drop {short}) and \
             begin anew with one build",
            job.why
        ),
        _ => format!("job {short} is stuck: {}", job.why),
    }
}

/// One process at work on a job.
struct Shift<'a, W> {
    site: &'a Site,
    work: &'a W,
    threads: u64,
    progress: &'a Progress,
    id: &'a str,
    /// Chunks that nobody here has taken yet, as far as known.
    left: AtomicU64,
    /// Chunks that the threads of this process have.
    held: AtomicU64,
    leftovers: Mutex<Vec<(u64, Vec<Vec<u8>>)>>,
    /// What first went wrong.
    trouble: Mutex<Option<String>>,
    broken: AtomicBool,
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<W: Work> Shift<'_, W> {
    fn work(self) -> Result<Done<W::Bench>, String> {
        let over = (Mutex::new(false), Condvar::new());
        let benches = std::thread::scope(|scope| {
            if let Some(lease) = self.site.lease() {
                let (own, over) = (&self, &over);
                scope.spawn(move || own.beat(lease, over));
            }
            // A task for each thread: to work until nothing is left.
            let threads = self.threads;
            let labour = |bench: &mut W::Bench, _| {
                let result = workers::caught(|| self.labour(bench));
                let failed = result.as_ref().is_err();
                if let Err(why) = result.map_err(|panic| panic.to_string()).flatten() {
                    self.note(why, failed);
                }
            };
            let benches = workers::share_out(
                threads as usize,
                threads,
                &self.progress.stop,
                || self.work.bench(),
                labour,
            );
            *locked(&over.0) = true;
            over.1.notify_all();
            benches
        });
        let ledger = self.site.ledger();
        let given_back = ledger.give_back(self.id, self.site.holder());
        let benches = benches.map_err(|panic| panic.to_string())?;
        if let Some(why) = locked(&self.trouble).take() {
            return Err(why);
        }
        given_back.map_err(|why| why.to_string())?;
        let mut leftovers = std::mem::take(&mut *locked(&self.leftovers));
        leftovers.sort_unstable_by_key(|(first, _)| *first);
        Ok(Done { benches, leftovers })
    }

    /// Notes what went wrong, so that the other threads stop; in the ledger as well if it is the work that fails.
    fn note(&self, why: String, failed: bool) {
        self.broken.store(true, Ordering::Relaxed);
        if failed {
            // It is told in any case; that it could not be noted as well would help nobody.
            let _ = self.site.ledger().fail(self.id, &why);
        }
        locked(&self.trouble).get_or_insert(why);
    }

    fn is_stopped(&self) -> bool {
        self.progress.is_stopped() || self.broken.load(Ordering::Relaxed)
    }

    /// Says again and again that this process is alive, until the work is over.
    fn beat(&self, lease: u64, over: &(Mutex<bool>, Condvar)) {
        let pause = Duration::from_millis(lease / 3);
        let mut is_over = locked(&over.0);
        while !*is_over {
            is_over = over.1.wait_timeout(is_over, pause).unwrap_or_else(PoisonError::into_inner).0;
            if !*is_over {
                // If it can't be written, neither can the results, and there it is told.
                let _ = self.site.ledger().beat(self.site.holder(), self.site.until());
            }
        }
    }

    /// One thread works until nothing is left for it.
    fn labour(&self, bench: &mut W::Bench) -> Result<(), String> {
        let ledger = self.site.ledger();
        let mut most = 1;
        while !self.is_stopped() {
            let (now, until) = (self.site.now(), self.site.until());
            let taken = ledger.claim(self.id, self.site.holder(), now, until, most);
            let taken = taken.map_err(|why| why.to_string())?;
            if taken.is_empty() {
                if self.is_over()? {
                    return Ok(());
                }
                std::thread::sleep(WAIT);
                continue;
            }
            let count = taken.len() as u64;
            self.held.fetch_add(count, Ordering::SeqCst);
            let left = self.left.load(Ordering::Relaxed).saturating_sub(count);
            self.left.store(left, Ordering::Relaxed);
            let begin = Instant::now();
            let finished = self.chunks(bench, &taken);
            let whole = finished.len() as u64 == count;
            if !finished.is_empty() {
                self.keep(&finished)?;
            }
            self.held.fetch_sub(count, Ordering::SeqCst);
            if !whole {
                return Ok(());
            }
            most = self.next_most(most, count, begin.elapsed());
        }
        Ok(())
    }

    /// How many chunks to take next, so that they take about a [`STRETCH`] and are shared fairly at the end.
    fn next_most(&self, most: usize, count: u64, took: Duration) -> usize {
        let each = took.as_secs_f64() / count as f64;
        let fitting = (STRETCH.as_secs_f64() / each.max(1e-9)) as usize;
        let fair = (self.left.load(Ordering::Relaxed) / (2 * self.threads)) as usize;
        fitting.min(most.saturating_mul(4)).min(fair).max(1)
    }

    /// Does chunks one after the other. If it is stopped, what is left of the last becomes a leftover.
    fn chunks(&self, bench: &mut W::Bench, taken: &[Chunk]) -> Vec<Finished> {
        let mut finished = Vec::with_capacity(taken.len());
        for chunk in taken {
            let mut done = true;
            for number in chunk.numbers.clone() {
                done = !self.is_stopped() && self.work.one(bench, number);
                if !done {
                    break;
                }
                self.progress.advance(1);
            }
            let parts = self.work.hand_in(bench);
            if !done {
                locked(&self.leftovers).push((chunk.numbers.start, parts));
                break;
            }
            finished.push(Finished { n: chunk.n, parts: parts.into_iter().map(summed).collect() });
        }
        finished
    }

    fn keep(&self, finished: &[Finished]) -> Result<(), String> {
        let ledger = self.site.ledger();
        match ledger.keep(self.id, self.site.holder(), finished).map_err(|why| why.to_string())? {
            Kept::All => Ok(()),
            Kept::Missing => Err(format!("job {} was dropped meanwhile", &self.id[..8])),
            Kept::Disputed(_) => match ledger.job(self.id).map_err(|why| why.to_string())? {
                Some(job) => Err(stopped(&job)),
                None => Err(format!("job {} was dropped meanwhile", &self.id[..8])),
            },
        }
    }

    /// Whether nothing is left for one more thread: all is done, or the other threads of this process have the rest.
    fn is_over(&self) -> Result<bool, String> {
        // In this order: what a thread here hands in between the two counts as neither open nor held.
        let held = self.held.load(Ordering::SeqCst);
        let job = self.site.ledger().job(self.id).map_err(|why| why.to_string())?;
        let job = job.ok_or_else(|| format!("job {} was dropped meanwhile", &self.id[..8]))?;
        match job.state {
            JobState::Done => Ok(true),
            JobState::Open => Ok(job.chunks[0] - job.chunks[1] <= held),
            JobState::Stuck | JobState::Disputed => Err(stopped(&job)),
        }
    }
}

fn summed(bytes: Vec<u8>) -> Part {
    Part { sha256: Sha256::digest(&bytes).into(), bytes }
}

impl<B> Worked<Done<B>> {
    /// Reads one part of everything that was done, in the order of the numbers; `each` gets the first number with it. What was
    /// begun and not finished comes last.
    pub(crate) fn each_part(
        &self,
        site: &Site,
        part: u32,
        mut each: impl FnMut(u64, &[u8]) -> Result<(), Unreadable>,
    ) -> Result<(), String> {
        each_kept(site, &self.job, part, &mut each)?;
        for (first, parts) in &self.result.leftovers {
            if let Some(bytes) = parts.get(part as usize) {
                each(*first, bytes).map_err(|why| why.to_string())?;
            }
        }
        Ok(())
    }
}

/// The same for what is kept of a job.
pub(crate) fn each_kept(
    site: &Site,
    job: &str,
    part: u32,
    each: &mut impl FnMut(u64, &[u8]) -> Result<(), Unreadable>,
) -> Result<(), String> {
    let ledger = site.ledger();
    for chunk in ledger.chunks(job).map_err(|why| why.to_string())? {
        if chunk.state != ChunkState::Done {
            continue;
        }
        let kept = ledger.part(job, chunk.n, part).map_err(|why| why.to_string())?;
        let missing = || format!("part {part} of chunk {} of job {} is missing", chunk.n, &job[..8]);
        let kept = kept.ok_or_else(missing)?;
        each(chunk.numbers.start, &kept.part.bytes).map_err(|why| {
            format!("part {part} of chunk {} of job {}, by {}: {why}", chunk.n, &job[..8], kept.by)
        })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
