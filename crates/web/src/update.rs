//! The message to a page: the parts of the scene that have changed, the new lines of the log, the dice.

use kernel::{Mover, Viewer};
use serde::Serialize;

use crate::live::Live;
use crate::pages::{decision, log};
use crate::scene::{Changes, Menu, Part, Place, Scene, SceneMarks};
use crate::title::PointInTime;
use crate::told::ToldAction;

/// Up to this many new steps, all their log lines are sent.
const FEW: usize = 64;
/// The most bytes of a message: beyond that the first of its log lines are left to be asked for.
const MOST_BYTES: usize = 30_000;

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
    /// The parts that have changed.
    parts: Vec<Part>,
    /// The parts that are gone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    gone: Vec<String>,
    /// Where parts go that are new or have moved.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    places: Vec<Place>,
    /// The number of steps before the lines of `log`. The page asks for the lines between `keep` and these when they are
    /// scrolled into view.
    #[serde(rename = "logFrom")]
    log_from: usize,
    /// The last lines of the log, as HTML.
    log: String,
    /// The faces of the dice that were rolled since, in order.
    dice: Vec<u8>,
    /// How many steps there were when the viewer's last decision had been made.
    since: usize,
    /// Whether the game is over.
    over: bool,
}

impl Update {
    /// The message for a viewer whose page knows the match up to revision `from`.
    pub fn new(live: &Live, viewer: Viewer, from: u32, changes: Changes, whole: bool) -> Self {
        // A line of the log is an action: one that goes on, or has lost steps, is sent anew.
        let kept = live.steps_kept_since(from);
        let has_lost = live.steps_at(from).is_some_and(|steps| steps > kept);
        let keep = live.table.action_start(if has_lost { kept.saturating_sub(1) } else { kept });
        let log_from =
            if live.table.steps() - keep <= FEW { keep } else { keep.max(log::first_page(live, None)) };
        let actions = live.title.actions(&*live.table, log_from..live.table.steps(), viewer);
        let dice = dice(&actions, kept);
        let Changes { parts, gone, places } = changes;
        let mut update = Self {
            from,
            to: live.revision,
            whole,
            steps: live.table.steps(),
            keep,
            parts,
            gone,
            places,
            log_from,
            log: log::lines(live, &actions, None).into_string(),
            dice,
            since: live.table.last_decision(viewer),
            over: live.is_over(),
        };
        // At the end everything is laid open and read at leisure: that message may be long.
        if !whole && !update.over {
            update.shorten(live, &actions);
        }
        update
    }

    /// Leaves lines of the log out, the earliest action first, until the message is small enough or has none. The page shows a
    /// gap, and asks for it.
    fn shorten(&mut self, live: &Live, mut actions: &[ToldAction]) {
        let drawn: usize = self.parts.iter().map(|Part(.., html)| html.len()).sum();
        // Quotation marks take more in a message than on a page, yet never twice as much.
        while 2 * (drawn + self.log.len()) > MOST_BYTES && self.json().len() > MOST_BYTES {
            let [_, later @ ..] = actions else { return };
            let first = later.first().and_then(|action| action.steps.first());
            self.log_from = first.map_or(live.table.steps(), |step| step.entry.step - 1);
            self.log = log::lines(live, later, None).into_string();
            actions = later;
        }
    }

    /// The message that some parts of the page have changed, though the match has not.
    pub fn of_parts(live: &Live, parts: Vec<Part>) -> Self {
        let steps = live.table.steps();
        Self {
            from: live.revision,
            to: live.revision,
            whole: false,
            steps,
            keep: steps,
            parts,
            gone: Vec::new(),
            places: Vec::new(),
            log_from: steps,
            log: String::new(),
            dice: Vec::new(),
            since: 0,
            over: live.is_over(),
        }
    }

    /// The message as JSON.
    pub fn json(&self) -> String {
        serde_json::to_string(self).unwrap_or_else(|_| "{}".to_owned())
    }
}

/// The faces of the dice after so many steps.
fn dice(actions: &[ToldAction], after: usize) -> Vec<u8> {
    let steps = actions.iter().flat_map(|action| &action.steps);
    steps.filter(|step| step.entry.step > after).filter_map(|step| step.face).collect()
}

/// Everything on the page that can change, as it stands now.
pub fn scene(live: &Live, viewer: Viewer) -> Scene {
    // A player who has handed their seat over has nothing to click, nor has anybody after an agreed end.
    let ended = live.is_over() && live.table.result().is_none();
    let left = ended || matches!(live.table.mover(), Mover::Seat(_)) && !live.plays(viewer);
    let point = if left { PointInTime::After(live.table.steps()) } else { PointInTime::Now };
    let mut board = Scene::default();
    let menu = live.title.draw(&*live.table, viewer, point, &mut board);
    let mut scene = Scene::default();
    decision::controls(live, viewer, PointInTime::Now, &menu, &mut scene);
    scene.parts.append(&mut board.parts);
    scene
}

/// The scene of an earlier position: the same parts, without choices.
fn past_scene(live: &Live, viewer: Viewer, steps: usize) -> Scene {
    let mut scene = Scene::default();
    decision::controls(live, viewer, PointInTime::After(steps), &Menu::default(), &mut scene);
    live.title.draw(&*live.table, viewer, PointInTime::After(steps), &mut scene);
    scene
}

/// An earlier position as JSON. A page that already shows another position, drawn at the current revision, gets only what
/// differs.
pub fn past(live: &Live, viewer: Viewer, steps: usize, shown: Option<(usize, u32)>) -> String {
    let steps = steps.min(live.table.steps());
    let scene = past_scene(live, viewer, steps);
    // The page must show what would be drawn now; its words include the number of all steps.
    let shown = shown.filter(|(step, since)| *step <= live.table.steps() && *since == live.revision);
    let (changes, whole) = match shown {
        Some((step, _)) => (SceneMarks::of(&past_scene(live, viewer, step)).changes(scene).0, false),
        None => (Changes { parts: scene.parts, ..Changes::default() }, true),
    };
    let Changes { parts, gone, places } = changes;
    let message = PastPosition {
        step: steps,
        steps: live.table.steps(),
        revision: live.revision,
        whole,
        parts,
        gone,
        places,
    };
    serde_json::to_string(&message).unwrap_or_else(|_| "{}".to_owned())
}

/// An earlier position.
#[derive(Serialize)]
struct PastPosition {
    step: usize,
    steps: usize,
    /// The revision that it was drawn at.
    revision: u32,
    /// Whether the parts are the whole scene.
    whole: bool,
    parts: Vec<Part>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    gone: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    places: Vec<Place>,
}
