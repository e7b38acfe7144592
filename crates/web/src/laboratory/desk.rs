//! Where batches are played: one at a time, at low priority, as long as they are wanted.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use store::JobState;
use tracing::warn;
use workers::Progress;

use super::{Laboratory, Wish, locked};
use crate::lobby::{Lobby, LobbyError, in_background};

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
            if batch.job.state == JobState::Done {
                continue;
            }
            let progress = Arc::new(Progress::default());
            progress.total.store(batch.order.games, Ordering::Relaxed);
            *locked(&self.running) = Some((id.clone(), Arc::clone(&progress)));
            return Ok(Some(Task { id, order: batch.order, progress }));
        }
        Ok(None)
    }

    /// Notes how the work on a batch ended: the error is why it can't go on.
    fn ended(&self, id: &str, result: Result<(), String>) -> Result<(), LobbyError> {
        *locked(&self.running) = None;
        let is_done = self.site()?.ledger().job(id).map_err(LobbyError::Store)?;
        let is_done = is_done.is_none_or(|job| job.state == JobState::Done);
        let is_wanted = self.entries()?.iter().any(|entry| entry.id == id && entry.wish == Wish::Wanted);
        match result {
            _ if is_done || !is_wanted => Ok(()),
            Ok(()) => self.wish(id, Wish::Stopped, "It ended before all games were played."),
            Err(why) => self.wish(id, Wish::Failed, &why),
        }
    }
}

impl Lobby {
    /// Plays batches as they come, and never ends.
    pub async fn tend_laboratory(self: &Arc<Self>) {
        let Some(laboratory) = self.laboratory().cloned() else { return };
        loop {
            match self.in_laboratory(Laboratory::next).await {
                Ok(Some(task)) => self.play_batch(&laboratory, task).await,
                Ok(None) => laboratory.wake.notified().await,
                Err(why) => {
                    warn!("batches can't be played: {why}");
                    laboratory.wake.notified().await;
                }
            }
        }
    }

    async fn play_batch(self: &Arc<Self>, laboratory: &Arc<Laboratory>, task: Task) {
        let Task { id, order, progress } = task;
        let (title, own) = (self.title(&order.game).cloned(), Arc::clone(laboratory));
        let watched = Arc::clone(&progress);
        let mut work = in_background("batch", move || {
            let title = title.map_err(|why| why.to_string())?;
            let site = own.site().map_err(|why| why.to_string())?;
            let threads = (workers::cores() / 2).max(1);
            title.subject().work(site, &order, threads, &watched)
        });
        let in_time = tokio::time::timeout(laboratory.most_time, &mut work).await;
        if in_time.is_err() {
            let (own, id) = (Arc::clone(laboratory), id.clone());
            let why = "Its time was over, so that others have their turn. Start it again to let it go on.";
            let noted = tokio::task::spawn_blocking(move || own.wish(&id, Wish::Stopped, why)).await;
            if !matches!(noted, Ok(Ok(()))) {
                warn!("a batch whose time was over could not be noted as stopped");
            }
            progress.stop();
        }
        let result = match in_time {
            Ok(result) => result,
            Err(_) => work.await,
        };
        let result = result.map_err(|why| why.to_string()).flatten();
        if let Err(why) = self.in_laboratory(move |own| own.ended(&id, result)).await {
            warn!("how a batch ended could not be noted: {why}");
        }
    }
}
