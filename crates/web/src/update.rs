//! What is sent to a page: the parts of the scene that have changed, the new lines of the log, the dice.

use kernel::{Actor, LogEntry, Mover, Viewer};
use serde::Serialize;

use crate::live::Live;
use crate::pages::{decision, log};
use crate::scene::{Part, Scene};
use crate::title::PointInTime;

/// A message to a page.
#[derive(Serialize)]
pub struct Update {
    /// The revision that this builds on.
    from: u32,
    /// The revision that the page has afterwards.
    to: u32,
    /// Whether the parts are the whole scene, so that it fits any page.
    whole: bool,
    /// How many steps the match has.
    steps: usize,
    /// How many steps of the page's log stay; later lines go.
    keep: usize,
    /// What is drawn otherwise.
    parts: Vec<Part>,
    /// The lines of the log after `keep`, as HTML.
    log: String,
    /// The faces of the dice that were rolled since, in order.
    dice: Vec<u8>,
    /// Whether the game is over.
    over: bool,
}

impl Update {
    /// The message for a viewer whose page knows the match up to revision `from`.
    pub fn new(live: &Live, viewer: Viewer, from: u32, parts: Vec<Part>, whole: bool) -> Self {
        let keep = live.steps_kept_since(from);
        let entries = live.table.log(keep, viewer);
        let dice = dice(live, &entries);
        Self {
            from,
            to: live.revision,
            whole,
            steps: live.table.steps(),
            keep,
            parts,
            log: log::lines(live, &entries, None).into_string(),
            dice,
            over: live.table.result().is_some(),
        }
    }

    /// The message as JSON.
    pub fn json(&self) -> String {
        serde_json::to_string(self).unwrap_or_else(|_| "{}".to_owned())
    }
}

/// The faces of the dice among some steps.
fn dice(live: &Live, entries: &[LogEntry]) -> Vec<u8> {
    let fates = entries.iter().filter(|entry| entry.actor == Actor::Fate);
    fates.filter_map(|entry| live.title.die_face(entry.name.as_deref()?)).collect()
}

/// Everything on the page that can change, as it stands now.
pub fn scene(live: &Live, viewer: Viewer) -> Scene {
    let mut scene = Scene::default();
    decision::controls(live, viewer, PointInTime::Now, &mut scene);
    // Whoever has handed their seat over has nothing to click.
    let left = matches!(live.table.mover(), Mover::Seat(_)) && !live.plays(viewer);
    let moment = if left { PointInTime::After(live.table.steps()) } else { PointInTime::Now };
    live.title.draw(&*live.table, viewer, moment, &mut scene);
    scene
}

/// A moment of the past as JSON: the same parts, without anything to choose.
pub fn past(live: &Live, viewer: Viewer, steps: usize) -> String {
    let steps = steps.min(live.table.steps());
    let mut scene = Scene::default();
    decision::controls(live, viewer, PointInTime::After(steps), &mut scene);
    live.title.draw(&*live.table, viewer, PointInTime::After(steps), &mut scene);
    serde_json::json!({ "step": steps, "steps": live.table.steps(), "parts": scene.parts }).to_string()
}
