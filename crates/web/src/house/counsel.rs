//! What the house thinks of a position: the chance of each seat to win, and hints for the one who is to choose.
//!
//! Both are for matches in which at most one person has a seat: nobody is helped against somebody else. They are found by
//! search on a copy of the table, from what the viewer may know, without any lock. The chance is found in the background, one
//! match at a time, while no bot thinks: a bot that begins to think ends it, and what was found so far is shown.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bots::counsel::Counsel;
use bots::search::{Budget, Means};
use kernel::{Mover, Viewer};
use tokio::task::AbortHandle;

use super::thread::{in_background, on_own_thread};
use super::{House, HouseError, LiveMatch};
use crate::live::Live;

/// What the chance may cost: it is shown unasked, so not much.
const CHANCE: Budget = Budget::time(Duration::from_millis(450));
/// What it may use of the machine.
const CHANCE_MEANS: Means = Means { threads: 1, memory: 32 << 20 };
/// What a hint may cost: somebody waits for it.
const HINT: Budget = Budget::time(Duration::from_secs(1));
/// A position that has lasted so long is worth being looked at.
const SETTLED: Duration = Duration::from_millis(120);
/// How often it is looked whether bots still think.
const PULSE: Duration = Duration::from_millis(60);
/// Fewer playouts than this say nothing.
const FEWEST: u32 = 50;

/// The chances of a position, as one viewer may know them.
#[derive(Clone, Debug, PartialEq)]
pub struct Outlook {
    /// The revision that they belong to.
    pub revision: u32,
    /// The chance of each seat; empty where nothing could be found out.
    pub chances: Vec<f64>,
    /// The standard error.
    pub error: f64,
}

/// What the house thinks of the positions of a match in memory.
#[derive(Default)]
pub struct Outlooks {
    /// The last that was found for each kind of viewer.
    known: Vec<(Viewer, Outlook)>,
    /// The task that looks for the next.
    task: Option<AbortHandle>,
    /// What is being thought about, and how to end it.
    under_way: Option<(u32, Arc<AtomicBool>)>,
    /// Hints that were given since the match came into memory.
    hints: u32,
}

impl Outlooks {
    /// Ends what is under way: it says what it has found so far.
    pub fn hurry(&self) {
        if let Some((_, stop)) = &self.under_way {
            stop.store(true, Ordering::Relaxed);
        }
    }
}

/// A hint.
pub struct Hint {
    /// What the house thinks.
    pub counsel: Counsel,
    /// The how-many-th hint it is since the match came into memory.
    pub number: u32,
}

impl Live {
    /// Whether the house may say what it thinks of the position: nobody plays against somebody else, and the game goes on.
    pub fn may_counsel(&self) -> bool {
        self.is_solo() && self.table.result().is_none()
    }

    /// What a viewer is shown of the chances; it may belong to an earlier position.
    pub fn outlook(&self, viewer: Viewer) -> Option<&Outlook> {
        let known = self.outlooks.known.iter().find(|(of, _)| *of == viewer);
        known.map(|(_, outlook)| outlook).filter(|outlook| !outlook.chances.is_empty())
    }

    /// A viewer who wants to know the chances and does not yet.
    fn next_outlook(&self) -> Option<Viewer> {
        let is_known = |viewer: Viewer| {
            let mut known = self.outlooks.known.iter();
            known.any(|(of, outlook)| *of == viewer && outlook.revision == self.revision)
        };
        let wanted = if self.may_counsel() { self.want_outlook() } else { Vec::new() };
        wanted.into_iter().find(|viewer| !is_known(*viewer))
    }

    /// Keeps what was found about the present position and shows it.
    fn keep_outlook(&mut self, viewer: Viewer, outlook: Outlook) {
        let shows = !outlook.chances.is_empty();
        match self.outlooks.known.iter_mut().find(|(of, _)| *of == viewer) {
            Some((_, known)) => *known = outlook,
            None => self.outlooks.known.push((viewer, outlook)),
        }
        if shows {
            self.tell_page();
        }
    }

    /// Refuses a hint where there is none to give.
    fn check_hint(&self, viewer: Viewer) -> Result<(), HouseError> {
        let bad = |why: &str| Err(HouseError::Bad(why.to_owned()));
        if !self.is_solo() {
            return bad(
                "hints are for those who play alone or against bots: nobody is helped against somebody else",
            );
        }
        match self.table.mover() {
            Mover::Seat(seat) if viewer == Viewer::Seat(seat) && self.plays(viewer) => Ok(()),
            _ => bad("a hint is for the one who is to choose"),
        }
    }
}

impl House {
    /// Begins to find out the chances of a match that has changed or that somebody has come to look at, if somebody wants to
    /// know them. What is thought about another position is ended.
    pub(crate) fn weigh(self: &Arc<Self>, found: &Arc<LiveMatch>, live: &mut Live) {
        if live.outlooks.under_way.as_ref().is_some_and(|(about, _)| *about != live.revision) {
            live.outlooks.hurry();
        }
        let runs = live.outlooks.task.as_ref().is_some_and(|task| !task.is_finished());
        if !runs && live.next_outlook().is_some() {
            let task = tokio::spawn(Arc::clone(self).weigh_up(Arc::clone(found)));
            live.outlooks.task = Some(task.abort_handle());
        }
    }

    /// Finds out the chances for one viewer after the other until all know them.
    async fn weigh_up(self: Arc<Self>, found: Arc<LiveMatch>) {
        loop {
            let Ok(_place) = self.counsel.acquire().await else { return };
            let mut live = found.lock().await;
            let next = live.next_outlook().filter(|_| self.holds(&found));
            let Some(viewer) = next else {
                live.outlooks.task = None;
                return;
            };
            let rest = SETTLED.saturating_sub(live.changed.elapsed());
            if !rest.is_zero() || self.bots_think() {
                drop((live, _place));
                tokio::time::sleep(rest.max(PULSE)).await;
                continue;
            }
            let (revision, stop) = (live.revision, Arc::<AtomicBool>::default());
            let table = live.table.fork(live.table.steps());
            let mut counsellor = live.title.counsellor(CHANCE_MEANS);
            live.outlooks.under_way = Some((revision, Arc::clone(&stop)));
            drop(live);
            let think = move || counsellor.advise(&*table, viewer, CHANCE, &stop);
            let counsel = in_background("chance", think).await;
            let mut live = found.lock().await;
            live.outlooks.under_way = None;
            if live.revision != revision {
                continue;
            }
            match counsel {
                // A bot began to think before there was anything to say: later.
                Ok(Some(counsel)) if counsel.playouts < FEWEST && self.bots_think() => {}
                Ok(Some(Counsel { chances, error, .. })) => {
                    live.keep_outlook(viewer, Outlook { revision, chances, error });
                }
                // There is nothing to be found out, and no use in trying again.
                Ok(None) | Err(_) => {
                    live.keep_outlook(viewer, Outlook { revision, chances: Vec::new(), error: 0.0 });
                }
            }
        }
    }

    /// What a seat that is to choose had best do.
    pub async fn hint(&self, found: &LiveMatch, viewer: Viewer) -> Result<Hint, HouseError> {
        let (revision, table, mut counsellor) = {
            let live = self.of_the_house(found).await?;
            live.check_hint(viewer)?;
            live.outlooks.hurry();
            (live.revision, live.table.fork(live.table.steps()), live.title.counsellor(Means::all()))
        };
        let closed = |_| HouseError::Bad("the house is about to close".to_owned());
        let _place = self.hints.acquire().await.map_err(closed)?;
        let think = move || counsellor.advise(&*table, viewer, HINT, &AtomicBool::new(false));
        let counsel = on_own_thread("hint", think).await.ok().flatten();
        let counsel = counsel.ok_or_else(|| HouseError::Bad("nothing comes to mind".to_owned()))?;
        let mut live = found.lock().await;
        live.check_revision(revision)?;
        live.outlooks.hints += 1;
        Ok(Hint { counsel, number: live.outlooks.hints })
    }
}
