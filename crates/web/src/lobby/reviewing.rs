//! Reviews of matches: computed in the background, one at a time, and cached.
//!
//! Whoever has a link may ask for a review, so the work is bounded. A match has two unfinished reviews at most, a few may
//! wait, and one that nobody asks about any more is stopped: a page that waits for its review asks all the time.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use bots::search::TooManySeats;
use kernel::Table;
use review::{Progress, Review, ReviewError, Reviewer};
use tokio::sync::Semaphore;
use tracing::warn;

use super::thread::in_background;
use super::{LiveMatch, Lobby, LobbyError};
use crate::live::Live;

/// How many finished reviews are kept in memory.
const KEPT: usize = 24;
/// How many reviews may be unfinished: one that runs and some that wait.
const MOST_UNFINISHED: usize = 9;
/// How many of them may be of one match: the quick look of its ending card, and the one that somebody wants to read.
const MOST_OF_A_MATCH: usize = 2;
/// A review that nobody has asked about for this long is stopped. Browsers let a page in the background ask once a minute.
const WANTED_FOR: Duration = Duration::from_secs(150);
/// How often to check whether a review is still wanted.
const PULSE: Duration = Duration::from_millis(500);

/// What a review is of.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Subject {
    match_id: String,
    /// The revision identifies the steps: after an undo the same number of steps may be a different match.
    revision: u32,
    rules: &'static str,
    depth: &'static str,
}

/// A review in progress or done. Requests for the same review share one job.
pub struct Job {
    progress: Progress,
    done: OnceLock<Option<Arc<Review>>>,
    /// When somebody last asked about it.
    asked: Mutex<Instant>,
}

impl Job {
    fn new() -> Self {
        Self { progress: Progress::default(), done: OnceLock::new(), asked: Mutex::new(Instant::now()) }
    }

    /// The progress, from 0 to 1.
    pub fn progress(&self) -> f64 {
        if self.done.get().is_some() { 1.0 } else { self.progress.fraction() }
    }

    /// Whether the job has ended.
    pub fn is_done(&self) -> bool {
        self.done.get().is_some()
    }

    /// The review; `None` before it is done or if it failed.
    pub fn review(&self) -> Option<&Arc<Review>> {
        self.done.get()?.as_ref()
    }

    /// Stops it: nobody wants it any more.
    pub(super) fn stop(&self) {
        self.progress.stop();
    }

    /// Whether it was stopped.
    pub(super) fn is_stopped(&self) -> bool {
        self.progress.is_stopped()
    }

    /// Notes that somebody asks about it.
    pub(super) fn ask(&self) {
        *self.asked.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    /// Stops it if nobody has asked about it for a while. Returns whether it is stopped.
    fn is_abandoned(&self, after: Duration) -> bool {
        if self.asked.lock().unwrap_or_else(PoisonError::into_inner).elapsed() >= after {
            self.progress.stop();
        }
        self.progress.is_stopped()
    }
}

/// The reviews of a server.
pub struct Reviews {
    known: Mutex<Vec<(Subject, Arc<Job>)>>,
    /// Limits reviews to one at a time.
    pub(super) room: Semaphore,
    pub(super) wanted_for: Duration,
}

impl Default for Reviews {
    fn default() -> Self {
        Self { known: Mutex::default(), room: Semaphore::new(1), wanted_for: WANTED_FOR }
    }
}

impl Reviews {
    /// Whether no review runs or waits.
    pub(super) fn is_idle(&self) -> bool {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.iter().all(|(_, job)| !self.is_wanted(job))
    }

    /// Whether another review than this one runs or waits.
    pub(super) fn others_wait(&self, than: &Arc<Job>) -> bool {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.iter().any(|(_, job)| !Arc::ptr_eq(job, than) && self.is_wanted(job))
    }

    /// Whether a job is to go on.
    fn is_wanted(&self, job: &Job) -> bool {
        !job.is_done() && !job.is_abandoned(self.wanted_for)
    }

    /// The job for a subject, and whether it is new. An unfinished job about an earlier state of the match is stopped; the
    /// oldest finished ones are dropped when there are too many.
    fn job(&self, subject: &Subject) -> Result<(Arc<Job>, bool), LobbyError> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, job)) = known.iter().find(|(of, job)| of == subject && !job.progress.is_stopped()) {
            job.ask();
            return Ok((Arc::clone(job), false));
        }
        known.retain(|(of, job)| {
            if of.match_id == subject.match_id && of.revision != subject.revision && !job.is_done() {
                job.progress.stop();
            }
            // A stopped job ends by itself.
            job.is_done() || self.is_wanted(job)
        });
        let unfinished: Vec<&Subject> =
            known.iter().filter(|(_, job)| self.is_wanted(job)).map(|(of, _)| of).collect();
        let of_this: Vec<&str> =
            unfinished.iter().filter(|of| of.match_id == subject.match_id).map(|of| of.depth).collect();
        if of_this.len() >= MOST_OF_A_MATCH {
            return Err(LobbyError::NotReady(format!(
                "This match is being reviewed already (depth {}): wait until those reviews are ready.",
                of_this.join(" and ")
            )));
        }
        if unfinished.len() >= MOST_UNFINISHED {
            return Err(LobbyError::NotReady(
                "Many matches are waiting for their review: try again in a few minutes.".to_owned(),
            ));
        }
        let too_many = (known.len() + 1).saturating_sub(KEPT + MOST_UNFINISHED);
        for _ in 0..too_many {
            if let Some(oldest) = known.iter().position(|(_, job)| job.is_done()) {
                known.remove(oldest);
            }
        }
        let job = Arc::new(Job::new());
        known.push((subject.clone(), Arc::clone(&job)));
        Ok((job, true))
    }
}

impl Lobby {
    /// The review of a match at a depth: started now, in progress or done.
    pub async fn review(
        self: &Arc<Self>,
        found: &LiveMatch,
        depth: &'static str,
    ) -> Result<Arc<Job>, LobbyError> {
        let live = found.lock().await;
        live.check_review()?;
        let table = live.table.fork(live.table.steps());
        let subject = Subject {
            match_id: found.id.clone(),
            revision: live.revision,
            rules: table.rules_version(),
            depth,
        };
        let reviewer = live.title.reviewer();
        drop(live);
        let (job, is_new) = self.reviews.job(&subject)?;
        if is_new {
            let work = Arc::clone(self).run_review(Arc::clone(&job), subject, reviewer, table);
            tokio::spawn(work);
        }
        Ok(job)
    }

    /// Waits for its turn, then computes the review; stops when nobody wants it any more.
    async fn run_review(
        self: Arc<Self>,
        job: Arc<Job>,
        Subject { match_id, depth, .. }: Subject,
        reviewer: Box<dyn Reviewer>,
        table: Box<dyn Table>,
    ) {
        let wanted_for = self.reviews.wanted_for;
        let mut waiting = std::pin::pin!(self.reviews.room.acquire());
        let _room = loop {
            match tokio::time::timeout(PULSE, &mut waiting).await {
                Ok(Ok(room)) => break room,
                Ok(Err(_)) => return,
                Err(_) if job.is_abandoned(wanted_for) => {
                    let _ = job.done.set(None);
                    return;
                }
                Err(_) => {}
            }
        };
        let work = Arc::clone(&job);
        let mut review = in_background("review", move || {
            let quality = reviewer.quality(&*table, depth).ok_or(ReviewError::OtherGame)?;
            reviewer.review(&*table, quality, &work.progress)
        });
        // The room belongs to the thread: it is free when the thread has ended, not when it was told to.
        let review = loop {
            match tokio::time::timeout(PULSE, &mut review).await {
                Ok(review) => break review,
                Err(_) => {
                    job.is_abandoned(wanted_for);
                }
            }
        };
        let review = match review {
            Ok(Ok(review)) => Some(review).filter(|review| !review.stopped),
            Ok(Err(why)) => {
                warn!("match {match_id}: no review: {why}");
                None
            }
            Err(why) => {
                warn!("match {match_id}: no review: {why}");
                None
            }
        };
        let _ = job.done.set(review.map(Arc::new));
    }
}

impl Live {
    /// Refuses a review while people play against each other or information is hidden.
    fn check_review(&self) -> Result<(), LobbyError> {
        let refuse = |why: &str| Err(LobbyError::Bad(why.to_owned()));
        if !self.is_over() && !self.is_solo() {
            return refuse(
                "This match can be reviewed when it is over. While people play against each other a review would help one \
                 of them.",
            );
        }
        if !self.is_over() && self.hides() {
            return refuse(
                "This match can be reviewed when it is over: until then a review would reveal hidden information.",
            );
        }
        if let Err(why) = TooManySeats::check(self.table.seats().len()) {
            return refuse(&format!("No review: {why}."));
        }
        review::why_not(&*self.table).map_or(Ok(()), |why| refuse(&format!("No review: {why}.")))
    }
}
