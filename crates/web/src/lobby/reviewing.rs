//! Reviews of matches: computed in the background, one at a time, and cached.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use bots::search::TooManySeats;
use review::{Progress, Review, ReviewError};
use tokio::sync::Semaphore;
use tracing::warn;

use super::thread::in_background;
use super::{LiveMatch, Lobby, LobbyError};
use crate::live::Live;

/// How many reviews are kept in memory.
const KEPT: usize = 24;

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
#[derive(Default)]
pub struct Job {
    progress: Progress,
    done: OnceLock<Option<Arc<Review>>>,
}

impl Job {
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
}

/// The reviews of a server.
pub struct Reviews {
    known: Mutex<Vec<(Subject, Arc<Job>)>>,
    /// Limits reviews to one at a time.
    room: Semaphore,
}

impl Default for Reviews {
    fn default() -> Self {
        Self { known: Mutex::default(), room: Semaphore::new(1) }
    }
}

impl Reviews {
    /// The job for a subject, and whether it is new. An older unfinished job for the same match is stopped; the oldest finished
    /// ones are dropped when there are too many.
    fn job(&self, subject: &Subject) -> (Arc<Job>, bool) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, job)) = known.iter().find(|(of, job)| of == subject && !job.progress.is_stopped()) {
            return (Arc::clone(job), false);
        }
        known.retain(|(of, job)| {
            let is_old = of.match_id == subject.match_id && of.revision != subject.revision && !job.is_done();
            if is_old {
                job.progress.stop();
            }
            !is_old
        });
        let too_many = (known.len() + 1).saturating_sub(KEPT);
        known.drain(..too_many);
        let job = Arc::<Job>::default();
        known.push((subject.clone(), Arc::clone(&job)));
        (job, true)
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
        let (job, is_new) = self.reviews.job(&subject);
        if is_new {
            let (lobby, begun, id) = (Arc::clone(self), Arc::clone(&job), found.id.clone());
            tokio::spawn(async move {
                let Ok(_room) = lobby.reviews.room.acquire().await else { return };
                let work = Arc::clone(&begun);
                let review = in_background("review", move || {
                    let quality = reviewer.quality(&*table, depth).ok_or(ReviewError::OtherGame)?;
                    reviewer.review(&*table, quality, &work.progress)
                });
                let review = match review.await {
                    Ok(Ok(review)) => Some(review).filter(|review| !review.stopped),
                    Ok(Err(why)) => {
                        warn!("match {id}: no review: {why}");
                        None
                    }
                    Err(why) => {
                        warn!("match {id}: no review: {why}");
                        None
                    }
                };
                let _ = begun.done.set(review.map(Arc::new));
            });
        }
        Ok(job)
    }
}

impl Live {
    /// Refuses a review while people play against each other or information is hidden.
    fn check_review(&self) -> Result<(), LobbyError> {
        let refuse = |why: &str| Err(LobbyError::Bad(why.to_owned()));
        if self.table.result().is_none() && !self.is_solo() {
            return refuse(
                "This match can be reviewed when it is over. While people play against each other a review would help one \
                 of them.",
            );
        }
        if self.table.result().is_none() && self.hides() {
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
