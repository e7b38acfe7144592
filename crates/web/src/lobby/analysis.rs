//! Analysis of a position: win chances of each seat, and hints for the player to move.
//!
//! Both are only for matches with at most one person. They are found by a search on a copy of the table, from what the viewer
//! may know, without any lock. Win chances are found in the background, one match at a time, while no bot is thinking and the
//! server is not busy: a bot that starts thinking stops the search, as do many choices a second; what was found so far is shown.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use bots::analysis::Analysis;
use bots::search::{Budget, Resources};
use kernel::{Mover, Viewer};
use tokio::task::AbortHandle;
use tracing::warn;

use super::thread::{StopOnDrop, in_background};
use super::{LiveMatch, Lobby, LobbyError};
use crate::live::Live;
use crate::pages::chance;
use crate::scene::Part;

/// The budget for win chances; small, because nobody asked for them.
const CHANCE: Budget = Budget::time(Duration::from_millis(450));
/// The resources for win chances.
const CHANCE_RESOURCES: Resources = Resources { threads: 1, memory: 32 << 20 };
/// The budget for a hint, which somebody waits for.
const HINT: Budget = Budget::time(Duration::from_secs(1));
/// How long a position must last before it is analysed.
const UNCHANGED_FOR: Duration = Duration::from_millis(120);
/// How often to check whether bots are still thinking.
const PULSE: Duration = Duration::from_millis(60);
/// How often to check whether the server is still busy with choices.
const STAND_BACK: Duration = Duration::from_millis(250);
/// Fewer playouts than this are not shown.
const FEWEST: u32 = 50;

/// The win chances in a position, from what one viewer may know.
#[derive(Clone, Debug, PartialEq)]
pub struct WinChances {
    /// The revision that they belong to.
    pub revision: u32,
    /// The win chance of each seat; empty if none could be found.
    pub chances: Vec<f64>,
    /// The standard error.
    pub error: f64,
}

/// The analysis of a match in memory.
#[derive(Default)]
pub struct WinChanceTask {
    /// The last win chances found for each kind of viewer.
    known: Vec<(Viewer, WinChances)>,
    /// The task that finds the next ones.
    task: Option<AbortHandle>,
    /// The revision being analysed, and a flag to stop it.
    under_way: Option<(u32, Arc<AtomicBool>)>,
    /// The number of hints given since the match was loaded.
    hints: u32,
}

impl WinChanceTask {
    /// Stops the current search, which then returns what it has found.
    pub fn hurry(&self) {
        if let Some((_, stop)) = &self.under_way {
            stop.store(true, Ordering::Relaxed);
        }
    }
}

/// A hint.
pub struct Hint {
    /// The analysis.
    pub analysis: Analysis,
    /// The number of this hint since the match was loaded, from 1.
    pub number: u32,
}

impl Live {
    /// Whether analysis is allowed: at most one person plays and the game is not over.
    pub fn may_analyse(&self) -> bool {
        self.is_solo() && !self.is_over()
    }

    /// The win chances that a viewer is shown; they may belong to an earlier position.
    pub fn win_chances(&self, viewer: Viewer) -> Option<&WinChances> {
        let known = self.win_chance_tasks.known.iter().find(|(of, _)| *of == viewer);
        known.map(|(_, win_chances)| win_chances).filter(|win_chances| !win_chances.chances.is_empty())
    }

    /// A viewer who wants win chances for this position and has none yet.
    fn next_without_chances(&self) -> Option<Viewer> {
        let is_known = |viewer: Viewer| {
            let mut known = self.win_chance_tasks.known.iter();
            known.any(|(of, win_chances)| *of == viewer && win_chances.revision == self.revision)
        };
        let wanted = if self.may_analyse() { self.want_win_chances() } else { Vec::new() };
        wanted.into_iter().find(|viewer| !is_known(*viewer))
    }

    /// Stores win chances for the current position and publishes them.
    fn store_win_chances(&mut self, viewer: Viewer, win_chances: WinChances) {
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

    /// Checks whether a viewer may ask for a hint.
    fn check_hint(&self, viewer: Viewer) -> Result<(), LobbyError> {
        let bad = |why: &str| Err(LobbyError::Bad(why.to_owned()));
        if !self.is_solo() {
            return bad("Hints are only available when you play alone or against bots.");
        }
        match self.table.mover() {
            Mover::Seat(seat) if viewer == Viewer::Seat(seat) && self.plays(viewer) => Ok(()),
            _ => bad("Hints are only available when it is your turn."),
        }
    }
}

impl Lobby {
    /// Starts finding win chances for a match that has changed or has a new subscriber, if anybody wants them. A search about
    /// an earlier position is stopped.
    pub(crate) fn analyse(self: &Arc<Self>, found: &Arc<LiveMatch>, live: &mut Live) {
        if live.win_chance_tasks.under_way.as_ref().is_some_and(|(about, _)| *about != live.revision) {
            live.win_chance_tasks.hurry();
        }
        let runs = live.win_chance_tasks.task.as_ref().is_some_and(|task| !task.is_finished());
        if !runs && live.next_without_chances().is_some() {
            let task = tokio::spawn(Arc::clone(self).find_win_chances(Arc::clone(found)));
            live.win_chance_tasks.task = Some(task.abort_handle());
        }
    }

    /// Finds win chances for one viewer after the other until all have them.
    async fn find_win_chances(self: Arc<Self>, found: Arc<LiveMatch>) {
        loop {
            let Ok(_place) = self.analysis.acquire().await else { return };
            // Nobody waits for this: it stands back while many choose. The others wait for the place, at no cost.
            while self.traffic.is_busy(Instant::now()) {
                tokio::time::sleep(STAND_BACK).await;
            }
            let mut live = found.lock().await;
            let next = live.next_without_chances().filter(|_| self.holds(&found));
            let Some(viewer) = next else {
                live.win_chance_tasks.task = None;
                return;
            };
            let rest = UNCHANGED_FOR.saturating_sub(live.changed.elapsed());
            if !rest.is_zero() || self.bots_think() {
                drop((live, _place));
                tokio::time::sleep(rest.max(PULSE)).await;
                continue;
            }
            let (revision, stop) = (live.revision, Arc::<AtomicBool>::default());
            let table = live.table.fork(live.table.steps());
            let mut analyst = live.title.analyst(CHANCE_RESOURCES);
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
                // Something else went first before anything was found: try later.
                Ok(Some(analysis)) if analysis.playouts < FEWEST && self.is_occupied() => {}
                Ok(Some(Analysis { chances, error, .. })) => {
                    live.store_win_chances(viewer, WinChances { revision, chances, error });
                }
                // Nothing can be found, so there is no point in trying again.
                nothing @ (Ok(None) | Err(_)) => {
                    if let Err(why) = nothing {
                        warn!("match {}: no win chances could be found: {why}", found.id);
                    }
                    live.store_win_chances(viewer, WinChances { revision, chances: Vec::new(), error: 0.0 });
                }
            }
        }
    }

    /// Whether work that nobody waits for should wait.
    fn is_occupied(&self) -> bool {
        self.bots_think() || self.traffic.is_busy(Instant::now())
    }

    /// Stops the running analysis because the server is busy; what it has found so far is shown.
    pub(super) fn end_analysis(&self) {
        let under_way = self.analysis_under_way.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(stop) = under_way {
            stop.store(true, Ordering::Relaxed);
        }
    }

    /// Finds a hint for the seat to move. Whoever hangs up stops the search.
    pub async fn hint(&self, found: &LiveMatch, viewer: Viewer) -> Result<Hint, LobbyError> {
        let (revision, table, mut analyst) = {
            let live = self.lock_current(found).await?;
            live.check_hint(viewer)?;
            live.win_chance_tasks.hurry();
            (live.revision, live.table.fork(live.table.steps()), live.title.analyst(Resources::all()))
        };
        let _waiting = self.waiting_hints.try_acquire().map_err(|_| {
            LobbyError::NotReady("Many people are asking for hints: try again in a few seconds.".to_owned())
        })?;
        let place = Arc::clone(&self.hints).acquire_owned().await.map_err(|_| LobbyError::Closing)?;
        let stop = StopOnDrop::default();
        let stopped = Arc::clone(&stop.0);
        let think = move || {
            // The place belongs to the thread: as long as it thinks, no other search begins.
            let _place = place;
            analyst.advise(&*table, viewer, HINT, &stopped)
        };
        let analysis = in_background("hint", think).await;
        let analysis = analysis.map_err(|_| LobbyError::Fault("The search for a hint failed"))?;
        let analysis =
            analysis.ok_or_else(|| LobbyError::Bad("No hint was found for this position.".to_owned()))?;
        let mut live = found.lock().await;
        live.check_revision(revision)?;
        live.win_chance_tasks.hints += 1;
        Ok(Hint { analysis, number: live.win_chance_tasks.hints })
    }
}
