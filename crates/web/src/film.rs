//! What happened without the viewer, as frames to be shown one after the other.
//!
//! An update brings the board as it stands now. A page that shows how it came to that asks for the positions in between: only
//! what changed from one to the next. Nobody waits for them who does not look at them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use kernel::{Mover, Table, Viewer};
use maud::html;
use serde::Serialize;

use crate::live::Live;
use crate::scene::{Changes, Part, Place, Scene, SceneMarks};
use crate::title::{PointInTime, Title};

/// The most frames of a film: each is a drawing of the whole board.
const LONGEST: usize = 200;

/// A match as it stands, to be drawn without holding it up.
pub struct Reel {
    title: Arc<dyn Title>,
    table: Box<dyn Table>,
    viewer: Viewer,
    /// Whether the viewer chooses for their seat.
    plays: bool,
}

/// Which frames of a match are wanted.
pub struct Cut {
    /// The step after which the film begins.
    pub from: usize,
    /// The last step.
    pub to: usize,
    /// The steps to stop at on the way.
    pub at: Vec<usize>,
    /// Whether the page shows the position after `to` and is taken back to `from` first; otherwise it shows the one after
    /// `from`.
    pub rewinds: bool,
}

/// A film.
#[derive(Serialize)]
struct Film {
    frames: Vec<Frame>,
}

/// What changed up to a step.
#[derive(Serialize)]
struct Frame {
    step: usize,
    parts: Vec<Part>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    gone: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    places: Vec<Place>,
}

impl Reel {
    /// The match for a viewer.
    pub fn of(live: &Live, viewer: Viewer) -> Self {
        Self {
            title: Arc::clone(&live.title),
            table: live.table.fork(live.table.steps()),
            viewer,
            plays: live.plays(viewer),
        }
    }

    /// The frames, one for each step to stop at, as JSON. The last one is the board as it was shown at the end. What nobody waits
    /// for any more is not drawn.
    pub fn film(&self, cut: &Cut, stop: &AtomicBool) -> String {
        let (to, rewinds) = (cut.to.min(self.table.steps()), cut.rewinds);
        let from = cut.from.min(to);
        let mut at: Vec<usize> =
            cut.at.iter().copied().filter(|step| (from + 1..to).contains(step)).collect();
        at.sort_unstable();
        at.dedup();
        let at = &at[at.len().saturating_sub(LONGEST)..];
        let mut frames = Vec::with_capacity(at.len() + 2);
        let mut shown = SceneMarks::of(&self.now(if rewinds { to } else { from }));
        let first = rewinds.then_some(from);
        for step in first.into_iter().chain(at.iter().copied()).chain([to]) {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            let scene = if step == to { self.now(to) } else { self.past(step) };
            let (Changes { parts, gone, places }, marks) = shown.changes(scene);
            frames.push(Frame { step, parts, gone, places });
            shown = marks;
        }
        serde_json::to_string(&Film { frames }).unwrap_or_else(|_| "{}".to_owned())
    }

    /// The board after a step, with nothing to choose.
    fn past(&self, step: usize) -> Scene {
        let turn = step.checked_sub(1).map_or(1, |before| self.table.turn_at(before));
        let mut scene = self.scene_in(turn);
        self.title.draw(&*self.table, self.viewer, PointInTime::After(step), &mut scene);
        scene
    }

    /// The board as it was shown when the match had so many steps, with what could be chosen then.
    fn now(&self, steps: usize) -> Scene {
        let table = self.table.fork(steps);
        let left = matches!(table.mover(), Mover::Seat(_)) && !self.plays;
        let point = if left { PointInTime::After(steps) } else { PointInTime::Now };
        let mut scene = self.scene_in(table.turn());
        self.title.draw(&*table, self.viewer, point, &mut scene);
        scene
    }

    fn scene_in(&self, turn: u16) -> Scene {
        let mut scene = Scene::default();
        scene.add("bar", "turn", html! { span #turn { (self.table.turn_title(turn)) } });
        scene
    }
}
