//! Where batches are played: one at a time, at low priority, as long as they are wanted; beside that, by workers.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use lab::Asked;
use store::JobState;
use tokio::time::{Instant as Then, sleep_until, timeout};
use tracing::warn;
use workers::Progress;

use super::crew::Helpers;
use super::holding::BEAT;
use super::{Laboratory, Marks, Pace, Running, Wish, locked};
use crate::lobby::{Lobby, LobbyError, in_background, on_own_thread};

/// For so long workers have what they take, in milliseconds, if nothing is heard of this house.
const LEASE: u64 = 30_000;

/// The batch whose turn it is.
struct Task {
    id: String,
    order: lab::Order,
    progress: Arc<Progress>,
}

impl Laboratory {
    /// Takes the batch that has waited longest.
    fn next(&self) -> Result<Option<Task>, LobbyError> {
        // Nothing is opened where nothing waits.
        let waiting: Vec<_> =
            self.entries()?.into_iter().filter(|entry| entry.wish == Wish::Wanted).collect();
        for entry in waiting.into_iter().rev() {
            let id = entry.id.clone();
            let Some(batch) = self.batch_of(entry)? else {
                self.wish(&id, Wish::Failed, "")?;
                continue;
            };
            if batch.job.state == JobState::Done || batch.is_elsewhere || !self.take_hold(&id)? {
                continue;
            }
            let progress = Arc::new(Progress::default());
            progress.total.store(batch.order.games, Ordering::Relaxed);
            let pace = Pace::new(batch.job.numbers[1]);
            let running =
                Running { id: id.clone(), progress: Arc::clone(&progress), since: Instant::now(), pace };
            *locked(&self.running) = Some(running);
            return Ok(Some(Task { id, order: batch.order, progress }));
        }
        Ok(None)
    }

    /// Has workers do what they can of a batch, until it is over or is to stop.
    fn have_helped(&self, id: &str, progress: &Progress) -> Result<(), String> {
        let Some(Helpers { crew, ledger }) = self.helpers.get() else { return Ok(()) };
        let site = self.site().map_err(|why| why.to_string())?;
        let job = ledger.job(id).map_err(|why| why.to_string())?;
        let Some(job) = job.filter(|job| job.state == JobState::Open && job.job.build == site.build()) else {
            return Ok(());
        };
        // What this house takes for itself is another holder's: each gives back its own.
        let holder = format!("{} (workers of {})", site.build(), self.name);
        let asked = Asked {
            ledger: Arc::clone(ledger),
            job: &job,
            holder: &holder,
            lease: LEASE,
            now: &milliseconds,
            progress,
        };
        let done = crew.work(&asked);
        let given_back = ledger.give_back(id, &holder).map_err(|why| why.to_string());
        done.and(given_back)
    }

    /// Whether all games of a batch are played.
    fn is_done(&self, id: &str) -> Result<bool, LobbyError> {
        let job = self.site()?.ledger().job(id).map_err(LobbyError::Store)?;
        Ok(job.is_some_and(|job| job.state == JobState::Done))
    }

    /// Notes how the work on a batch ended: the error is why it can't go on.
    fn ended(&self, id: &str, result: Result<(), String>) -> Result<(), LobbyError> {
        let marks = self.crew().and_then(|crew| crew.help(id)).map(|help| help.marks).unwrap_or_default();
        let noted = self.note_marks(id, &marks);
        if let Some(crew) = self.crew() {
            crew.dismiss(id);
        }
        *locked(&self.running) = None;
        let let_go = self.let_go(id);
        let known = self.site()?.ledger().job(id).map_err(LobbyError::Store)?;
        let is_done = known.is_none_or(|job| job.state == JobState::Done);
        let is_wanted = self.entries()?.iter().any(|entry| entry.id == id && entry.wish == Wish::Wanted);
        match result {
            _ if is_done || !is_wanted => Ok(()),
            // Another server has it now.
            _ if self.entries()?.iter().any(|entry| entry.id == id && self.is_another_at(entry)) => Ok(()),
            Ok(()) => self.wish(id, Wish::Stopped, "It ended before all games were played."),
            Err(why) => self.wish(id, Wish::Failed, &why),
        }?;
        noted.and(let_go)
    }

    /// Remembers what the ledger does not know of those who helped.
    fn note_marks(&self, id: &str, marks: &Marks) -> Result<(), LobbyError> {
        if marks.is_empty() {
            return Ok(());
        }
        self.change(|list| {
            if let Some(entry) = list.iter_mut().find(|entry| entry.id == id) {
                entry.marks.add(marks);
            }
            Ok(())
        })
    }
}

/// Milliseconds since 1970, as the ledger counts them.
fn milliseconds() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

impl Lobby {
    /// Plays batches as they come, and never ends.
    pub async fn tend_laboratory(self: &Arc<Self>) {
        let Some(laboratory) = self.laboratory().cloned() else { return };
        loop {
            match self.in_laboratory(Laboratory::next).await {
                Ok(Some(task)) => {
                    self.play_batch(&laboratory, task).await;
                    continue;
                }
                Ok(None) => {}
                Err(why) => warn!("batches can't be played: {why}"),
            }
            let woken = laboratory.wake.notified();
            // What another server was asked for, or has left, nobody tells.
            match laboratory.is_shared {
                true => drop(timeout(BEAT, woken).await),
                false => woken.await,
            }
        }
    }

    async fn play_batch(self: &Arc<Self>, laboratory: &Arc<Laboratory>, task: Task) {
        let Task { id, order, progress } = task;
        let (title, own) = (self.title(&order.game).cloned(), Arc::clone(laboratory));
        let watched = Arc::clone(&progress);
        let work = in_background("batch", move || {
            let title = title.map_err(|why| why.to_string())?;
            let site = own.site().map_err(|why| why.to_string())?;
            let threads = (workers::cores() / 2).max(1);
            title.subject().work(site, &order, threads, &watched)
        });
        // Workers are answered at once, however busy the house is: at the priority of the server.
        let (own, job, watched) = (Arc::clone(laboratory), id.clone(), Arc::clone(&progress));
        let helped = on_own_thread("crew", move || own.have_helped(&job, &watched));
        let end = Then::now() + laboratory.most_time;
        let result = self.attend(laboratory, &id, &progress, end, work).await;
        let result = result.map_err(|why| why.to_string()).flatten();
        let of = id.clone();
        let is_done = self.in_laboratory(move |own| own.is_done(&of)).await;
        // When all is played workers may still have something to compare.
        if !matches!(is_done, Ok(true)) {
            progress.stop();
        }
        match self.attend(laboratory, &id, &progress, end, helped).await {
            Ok(Ok(())) => {}
            Ok(Err(why)) => warn!("workers could not help any more: {why}"),
            Err(why) => warn!("workers could not help any more: {why}"),
        }
        if let Err(why) = self.in_laboratory(move |own| own.ended(&id, result)).await {
            warn!("how a batch ended could not be noted: {why}");
        }
    }

    /// Waits for what is done for a batch. It is to stop when its time is over, or if another server says so.
    async fn attend<T>(
        self: &Arc<Self>,
        laboratory: &Arc<Laboratory>,
        id: &str,
        progress: &Progress,
        end: Then,
        mut work: impl Future<Output = T> + Unpin,
    ) -> T {
        let mut is_over = false;
        loop {
            let beat = Then::now() + BEAT;
            tokio::select! {
                result = &mut work => return result,
                () = sleep_until(end), if !is_over => {
                    is_over = true;
                    let own = id.to_owned();
                    let why = "Its time was over, so that others have their turn. Start it again to let it go on.";
                    if self.in_laboratory(move |laboratory| laboratory.wish(&own, Wish::Stopped, why)).await.is_err() {
                        warn!("a batch whose time was over could not be noted as stopped");
                    }
                    progress.stop();
                }
                () = sleep_until(beat), if laboratory.is_shared => {
                    let own = id.to_owned();
                    // If the list can't be read, the ledger can't either, and there it is told.
                    if let Ok(false) = self.in_laboratory(move |laboratory| laboratory.keep_hold(&own)).await {
                        progress.stop();
                    }
                }
            }
        }
    }
}
