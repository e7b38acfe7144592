//! What the server thinks of a position: the chance of each seat to win, and hints for the one who is to choose.
//!
//! Both are for matches in which at most one person has a seat: nobody is helped against somebody else. They are found by
//! search on a copy of the table, from what the viewer may know, without any lock. The chance is found in the background, one
//! match at a time, while no bot thinks and few people choose: a bot that begins to think ends it, and so do many choices a
//! second; what was found so far is shown.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use bots::analysis::Analysis;
use bots::search::{Budget, Resources};
use kernel::{Mover, Viewer};
use tokio::task::AbortHandle;
use tracing::warn;

use super::thread::{in_background, on_own_thread};
use super::{LiveMatch, Lobby, LobbyError};
use crate::live::Live;
use crate::pages::chance;
use crate::scene::Part;

/// What the chance may cost: it is shown unasked, so not much.
const CHANCE: Budget = Budget::time(Duration::from_millis(450));
/// What it may use of the machine.
const CHANCE_MEANS: Resources = Resources { threads: 1, memory: 32 << 20 };
/// What a hint may cost: somebody waits for it.
const HINT: Budget = Budget::time(Duration::from_secs(1));
/// A position that has lasted so long is worth being looked at.
const SETTLED: Duration = Duration::from_millis(120);
/// How often it is looked whether bots still think.
const PULSE: Duration = Duration::from_millis(60);
/// How often it is looked whether the server is still busy with choices.
const STAND_BACK: Duration = Duration::from_millis(250);
/// Fewer playouts than this say nothing.
const FEWEST: u32 = 50;

/// The chances of a position, as one viewer may know them.
#[derive(Clone, Debug, PartialEq)]
pub struct WinChances {
    /// The revision that they belong to.
    pub revision: u32,
    /// The chance of each seat; empty where nothing could be found out.
    pub chances: Vec<f64>,
    /// The standard error.
    pub error: f64,
}

/// What the server thinks of the positions of a match in memory.
#[derive(Default)]
pub struct WinChanceTask {
    /// The last that was found for each kind of viewer.
    known: Vec<(Viewer, WinChances)>,
    /// The task that looks for the next.
    task: Option<AbortHandle>,
    /// What is being thought about, and how to end it.
    under_way: Option<(u32, Arc<AtomicBool>)>,
    /// Hints that were given since the match came into memory.
    hints: u32,
}

impl WinChanceTask {
    /// Ends what is under way: it says what it has found so far.
    pub fn hurry(&self) {
        if let Some((_, stop)) = &self.under_way {
            stop.store(true, Ordering::Relaxed);
        }
    }
}

/// A hint.
pub struct Hint {
    /// What the server thinks.
    pub analysis: Analysis,
    /// The how-many-th hint it is since the match came into memory.
    pub number: u32,
}

impl Live {
    /// Whether the server may say what it thinks of the position: nobody plays against somebody else, and the game goes on.
    pub fn may_analyse(&self) -> bool {
        self.is_solo() && self.table.result().is_none()
    }

    /// What a viewer is shown of the chances; it may belong to an earlier position.
    pub fn win_chances(&self, viewer: Viewer) -> Option<&WinChances> {
        let known = self.win_chance_tasks.known.iter().find(|(of, _)| *of == viewer);
        known.map(|(_, win_chances)| win_chances).filter(|win_chances| !win_chances.chances.is_empty())
    }

    /// A viewer who wants to know the chances and does not yet.
    fn next_outlook(&self) -> Option<Viewer> {
        let is_known = |viewer: Viewer| {
            let mut known = self.win_chance_tasks.known.iter();
            known.any(|(of, win_chances)| *of == viewer && win_chances.revision == self.revision)
        };
        let wanted = if self.may_analyse() { self.want_win_chances() } else { Vec::new() };
        wanted.into_iter().find(|viewer| !is_known(*viewer))
    }

    /// Keeps what was found about the present position and shows it.
    fn keep_outlook(&mut self, viewer: Viewer, win_chances: WinChances) {
        let shows = !win_chances.chances.is_empty();
        match self.win_chance_tasks.known.iter_mut().find(|(of, _)| *of == viewer) {
            Some((_, known)) => *known = win_chances,
            None => self.win_chance_tasks.known.push((viewer, win_chances)),
        }
        if shows {
            let bar = chance::bar(self, viewer).into_string();
            self.publish_part(viewer, Part("chance".to_owned(), Some("ask"), bar));
        }
    }

    /// Refuses a hint where there is none to give.
    fn check_hint(&self, viewer: Viewer) -> Result<(), LobbyError> {
        let bad = |why: &str| Err(LobbyError::Bad(why.to_owned()));
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

impl Lobby {
    /// Begins to find out the chances of a match that has changed or that somebody has come to look at, if somebody wants to
    /// know them. What is thought about another position is ended.
    pub(crate) fn analyse(self: &Arc<Self>, found: &Arc<LiveMatch>, live: &mut Live) {
        if live.win_chance_tasks.under_way.as_ref().is_some_and(|(about, _)| *about != live.revision) {
            live.win_chance_tasks.hurry();
        }
        let runs = live.win_chance_tasks.task.as_ref().is_some_and(|task| !task.is_finished());
        if !runs && live.next_outlook().is_some() {
            let task = tokio::spawn(Arc::clone(self).weigh_up(Arc::clone(found)));
            live.win_chance_tasks.task = Some(task.abort_handle());
        }
    }

    /// Finds out the chances for one viewer after the other until all know them.
    async fn weigh_up(self: Arc<Self>, found: Arc<LiveMatch>) {
        loop {
            let Ok(_place) = self.analysis.acquire().await else { return };
            // Nobody waits for this: it stands back while many choose. The others wait for the place, at no cost.
            while self.traffic.is_busy(Instant::now()) {
                tokio::time::sleep(STAND_BACK).await;
            }
            let mut live = found.lock().await;
            let next = live.next_outlook().filter(|_| self.holds(&found));
            let Some(viewer) = next else {
                live.win_chance_tasks.task = None;
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
            let mut analyst = live.title.analyst(CHANCE_MEANS);
            live.win_chance_tasks.under_way = Some((revision, Arc::clone(&stop)));
            drop(live);
            *self.analysis_under_way.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&stop));
            let think = move || analyst.advise(&*table, viewer, CHANCE, &stop);
            let analysis = in_background("chance", think).await;
            *self.analysis_under_way.lock().unwrap_or_else(PoisonError::into_inner) = None;
            let mut live = found.lock().await;
            live.win_chance_tasks.under_way = None;
            if live.revision != revision {
                continue;
            }
            match analysis {
                // Something else went first before there was anything to say: later.
                Ok(Some(analysis)) if analysis.playouts < FEWEST && self.is_occupied() => {}
                Ok(Some(Analysis { chances, error, .. })) => {
                    live.keep_outlook(viewer, WinChances { revision, chances, error });
                }
                // There is nothing to be found out, and no use in trying again.
                nothing @ (Ok(None) | Err(_)) => {
                    if let Err(why) = nothing {
                        warn!("match {}: the win chances could not be found: {why}", found.id);
                    }
                    live.keep_outlook(viewer, WinChances { revision, chances: Vec::new(), error: 0.0 });
                }
            }
        }
    }

    /// Whether what nobody waits for should wait.
    fn is_occupied(&self) -> bool {
        self.bots_think() || self.traffic.is_busy(Instant::now())
    }

    /// Ends the analysis that is under way, for many choose now: what it has found so far is shown.
    pub(super) fn end_analysis(&self) {
        let under_way = self.analysis_under_way.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(stop) = under_way {
            stop.store(true, Ordering::Relaxed);
        }
    }

    /// What a seat that is to choose had best do.
    pub async fn hint(&self, found: &LiveMatch, viewer: Viewer) -> Result<Hint, LobbyError> {
        let (revision, table, mut analyst) = {
            let live = self.lock_current(found).await?;
            live.check_hint(viewer)?;
            live.win_chance_tasks.hurry();
            (live.revision, live.table.fork(live.table.steps()), live.title.analyst(Resources::all()))
        };
        let _place = self.hints.acquire().await.map_err(|_| LobbyError::Closing)?;
        let think = move || analyst.advise(&*table, viewer, HINT, &AtomicBool::new(false));
        let analysis = on_own_thread("hint", think).await;
        let analysis = analysis.map_err(|_| LobbyError::Fault("no hint could be found"))?;
        let analysis = analysis.ok_or_else(|| LobbyError::Bad("nothing comes to mind".to_owned()))?;
        let mut live = found.lock().await;
        live.check_revision(revision)?;
        live.win_chance_tasks.hints += 1;
        Ok(Hint { analysis, number: live.win_chance_tasks.hints })
    }
}
