//! The subscribers of a match, and the updates they get.
//!
//! A person's change is published at once. Bots may play faster than a page can be drawn: their changes are collected, so
//! that nobody is sent more than about ten messages a second.

use std::sync::Arc;
use std::time::{Duration, Instant};

use kernel::{Seat, Viewer};
use tokio::sync::mpsc;

use super::Live;
use crate::lobby::Pace;
use crate::scene::{Changes, Part, SceneMarks};
use crate::update::{self, Update};

/// A subscriber that falls this many updates behind is disconnected; it reconnects and asks for what it missed.
const SUBSCRIBER_QUEUE: usize = 8;
/// How long the changes of bots are collected.
const COLLECT_FOR: Duration = Duration::from_millis(100);
/// The parts of a page that change without a change of the match.
const PAGE_PARTS: [&str; 10] = [
    "pace",
    "thinking",
    "seating",
    "chance",
    "coach",
    "clocks",
    "agreements",
    "fair-dice",
    "standing-orders",
    "presence",
];

/// An open page that gets every change.
struct Subscriber {
    viewer: Viewer,
    updates: mpsc::Sender<Arc<str>>,
    /// Whether the page shows win chances.
    wants_win_chances: bool,
}

/// The subscribers of a match, and what has been sent to them.
pub(super) struct Subscribers {
    subscribers: Vec<Subscriber>,
    /// The scene that every subscriber of a kind shows now.
    marks: Vec<(Viewer, SceneMarks)>,
    /// The last revision that was sent to them.
    published: u32,
    /// When it was sent.
    at: Instant,
    /// Whether a task will publish what was collected.
    flush_scheduled: bool,
    /// The last revision at which the match hid something, as far as is known.
    hidden_at: Option<u32>,
    /// Whether the page has changed since the revision was published: pages of the same revision may differ.
    has_page_news: bool,
}

impl Subscribers {
    /// No subscribers yet; new ones start at this revision.
    pub(super) fn since(revision: u32) -> Self {
        let (subscribers, marks) = (Vec::new(), Vec::new());
        Self {
            subscribers,
            marks,
            published: revision,
            at: Instant::now(),
            flush_scheduled: false,
            hidden_at: None,
            has_page_news: false,
        }
    }

    /// Whether something was hidden at a revision, or may have been.
    pub(super) fn was_hidden(&self, revision: u32) -> bool {
        self.hidden_at.is_some_and(|hidden| revision <= hidden)
    }
}

impl Live {
    /// Publishes a change, or collects it while bots play.
    pub(super) fn publish_change(&mut self, by_bot: bool) {
        self.note_hidden();
        let bots_go_on = by_bot && self.bot_to_choose().is_some() && self.bots.pace() != Pace::Paused;
        if !bots_go_on || self.subscribers.at.elapsed() >= COLLECT_FOR {
            self.publish();
        }
    }

    /// Notes that the match hides something now, so that a page drawn so far may lack it later.
    pub(super) fn note_hidden(&mut self) {
        if self.hides() {
            self.subscribers.hidden_at = Some(self.revision);
        }
    }

    /// How long to wait before [`flush`](Self::flush), if there is something to publish and no flush is scheduled yet.
    pub fn schedule_flush(&mut self) -> Option<Duration> {
        if self.subscribers.published == self.revision
            || std::mem::replace(&mut self.subscribers.flush_scheduled, true)
        {
            return None;
        }
        Some(COLLECT_FOR.saturating_sub(self.subscribers.at.elapsed()))
    }

    /// Publishes what was collected.
    pub fn flush(&mut self) {
        self.subscribers.flush_scheduled = false;
        self.publish();
    }

    /// Publishes all changes that were not sent yet. It comes before anybody is given the whole match: all pages of a kind
    /// must show the same, because the next update contains only what has changed.
    pub fn publish(&mut self) {
        if self.subscribers.published != self.revision {
            self.subscribers.has_page_news = false;
            self.broadcast();
        }
    }

    /// Publishes a change of the page that is not a change of the match: the pace of the bots, a thinking bot, a seat that
    /// changed hands.
    pub fn publish_page(&mut self) {
        self.subscribers.has_page_news = true;
        self.broadcast();
    }

    /// Publishes one part of the page to the viewers of a kind, without drawing the rest.
    pub fn publish_part(&mut self, viewer: Viewer, part: Part) {
        self.publish();
        self.subscribers.has_page_news = true;
        let marks = self.subscribers.marks.iter_mut().find(|(of, _)| *of == viewer);
        if !marks.is_some_and(|(_, marks)| marks.redrawn(&part.0, &part.2)) {
            return;
        }
        let text: Arc<str> = Update::of_parts(self, vec![part]).json().into();
        let published =
            |to: &Subscriber| to.viewer != viewer || to.updates.try_send(Arc::clone(&text)).is_ok();
        self.subscribers.subscribers.retain(published);
    }

    /// Publishes a part that only the viewers of one kind have, without a trace for others: nothing that was collected is sent
    /// earlier because of it, and nobody's page counts as changed.
    pub fn publish_own_part(&mut self, viewer: Viewer, part: Part) {
        // What was collected brings the part along.
        if self.subscribers.published != self.revision {
            return;
        }
        let marks = self.subscribers.marks.iter_mut().find(|(of, _)| *of == viewer);
        if !marks.is_some_and(|(_, marks)| marks.redrawn(&part.0, &part.2)) {
            return;
        }
        let text: Arc<str> = Update::of_parts(self, vec![part]).json().into();
        let published =
            |to: &Subscriber| to.viewer != viewer || to.updates.try_send(Arc::clone(&text)).is_ok();
        self.subscribers.subscribers.retain(published);
    }

    /// Sends what has changed to every subscriber, drawn once for each kind of viewer.
    fn broadcast(&mut self) {
        let begun = Instant::now();
        let known = std::mem::replace(&mut self.subscribers.published, self.revision);
        self.subscribers.at = begun;
        self.subscribers.subscribers.retain(|subscriber| !subscriber.updates.is_closed());
        let mut viewers: Vec<Viewer> =
            self.subscribers.subscribers.iter().map(|subscriber| subscriber.viewer).collect();
        viewers.sort_unstable_by_key(|viewer| viewer_order(*viewer));
        viewers.dedup();
        self.subscribers.marks.retain(|(viewer, _)| viewers.contains(viewer));
        for viewer in viewers {
            let scene = update::scene(self, viewer);
            let before = self.subscribers.marks.iter_mut().find(|(of, _)| *of == viewer);
            let text: Arc<str> = match before {
                Some((_, before)) => {
                    let (changes, marks) = before.changes(scene);
                    *before = marks;
                    Update::new(self, viewer, known, changes, false).json().into()
                }
                None => {
                    self.subscribers.marks.push((viewer, SceneMarks::of(&scene)));
                    self.behind()
                }
            };
            let published =
                |to: &Subscriber| to.viewer != viewer || to.updates.try_send(Arc::clone(&text)).is_ok();
            self.subscribers.subscribers.retain(published);
        }
        self.timing.draw = begun.elapsed();
    }

    /// A new subscriber, and what it missed since the revision that it knows.
    pub fn subscribe(
        &mut self,
        viewer: Viewer,
        since: Option<u32>,
    ) -> (mpsc::Receiver<Arc<str>>, Option<Arc<str>>) {
        self.publish();
        let (updates, receiver) = mpsc::channel(SUBSCRIBER_QUEUE);
        self.subscribers.subscribers.retain(|subscriber| !subscriber.updates.is_closed());
        self.subscribers.subscribers.push(Subscriber { viewer, updates, wants_win_chances: false });
        self.used = Instant::now();
        if !self.subscribers.marks.iter().any(|(of, _)| *of == viewer) {
            let marks = SceneMarks::of(&update::scene(self, viewer));
            self.subscribers.marks.push((viewer, marks));
        }
        let missed = if since != Some(self.revision) {
            Some(self.behind())
        } else if self.subscribers.has_page_news
            || self.proceedings.clock.is_some()
            || self.company.meets
            || self.orders.concern(viewer)
        {
            let mut parts = update::scene(self, viewer).parts;
            parts.retain(|part| PAGE_PARTS.contains(&part.0.as_str()));
            Some(Update::of_parts(self, parts).json().into())
        } else {
            None
        };
        (receiver, missed)
    }

    /// Sends win chances to the newest subscriber, too.
    pub fn show_win_chances(&mut self) {
        if let Some(last) = self.subscribers.subscribers.last_mut() {
            last.wants_win_chances = true;
        }
    }

    /// The kinds of viewers whose pages show win chances.
    pub fn want_win_chances(&self) -> Vec<Viewer> {
        let open = self.subscribers.subscribers.iter().filter(|subscriber| !subscriber.updates.is_closed());
        let mut viewers: Vec<Viewer> = open
            .filter(|subscriber| subscriber.wants_win_chances)
            .map(|subscriber| subscriber.viewer)
            .collect();
        viewers.sort_unstable_by_key(|viewer| viewer_order(*viewer));
        viewers.dedup();
        viewers
    }

    /// The message that a page is behind and should ask for everything. The live connection only carries small messages,
    /// because its buffers keep the size of the largest one.
    pub fn behind(&self) -> Arc<str> {
        format!("{{\"behind\":{}}}", self.subscribers.published).into()
    }

    /// Everything that can change, for a page that knows the match up to a revision.
    pub fn whole_update(&mut self, viewer: Viewer, since: Option<u32>) -> String {
        self.publish();
        let scene = update::scene(self, viewer);
        let known = since.filter(|since| *since <= self.revision).unwrap_or(0);
        let changes = Changes { parts: scene.parts, ..Changes::default() };
        Update::new(self, viewer, known, changes, true).json()
    }

    /// Disconnects all subscribers, so that they reconnect and load the match again.
    pub fn disconnect_all(&mut self) {
        self.subscribers.subscribers.clear();
        self.subscribers.marks.clear();
    }

    /// Disconnects the pages of a viewer.
    pub fn disconnect(&mut self, viewer: Viewer) {
        self.subscribers.subscribers.retain(|subscriber| subscriber.viewer != viewer);
        self.subscribers.marks.retain(|(of, _)| *of != viewer);
    }

    /// Disconnects the pages of a seat that is nobody's any more, and leads them elsewhere if there is something to see.
    pub fn lead_away(&mut self, seat: Seat, to: Option<String>) {
        if let Some(to) = to {
            let word: Arc<str> = serde_json::json!({ "elsewhere": to }).to_string().into();
            self.send_word(&word, |viewer| viewer == Viewer::Seat(seat));
        }
        self.disconnect(Viewer::Seat(seat));
    }

    /// Whether there are no subscribers.
    pub fn is_idle(&self, for_at_least: Duration) -> bool {
        self.subscribers.subscribers.iter().all(|subscriber| subscriber.updates.is_closed())
            && self.used.elapsed() >= for_at_least
    }

    /// Whether a window is open for a viewer.
    pub fn is_here(&self, viewer: Viewer) -> bool {
        self.subscribers
            .subscribers
            .iter()
            .any(|subscriber| subscriber.viewer == viewer && !subscriber.updates.is_closed())
    }

    /// The kinds of viewers who have a window open.
    pub(super) fn viewers(&self) -> Vec<Viewer> {
        let open = self.subscribers.subscribers.iter().filter(|subscriber| !subscriber.updates.is_closed());
        let mut viewers: Vec<Viewer> = open.map(|subscriber| subscriber.viewer).collect();
        viewers.sort_unstable_by_key(|viewer| viewer_order(*viewer));
        viewers.dedup();
        viewers
    }

    /// How many windows are open to watch, at all servers.
    pub fn watching(&self) -> usize {
        let open = self.subscribers.subscribers.iter().filter(|subscriber| !subscriber.updates.is_closed());
        let elsewhere = self.elsewhere.iter().filter(|(of, _)| *of == Viewer::Spectator);
        let elsewhere: u32 = elsewhere.map(|(_, count)| *count).sum();
        open.filter(|subscriber| subscriber.viewer == Viewer::Spectator).count() + elsewhere as usize
    }

    /// Sends a word to all whose kind of viewer it concerns.
    pub(super) fn send_word(&mut self, text: &Arc<str>, concerns: impl Fn(Viewer) -> bool) {
        let told = |to: &Subscriber| !concerns(to.viewer) || to.updates.try_send(Arc::clone(text)).is_ok();
        self.subscribers.subscribers.retain(told);
    }

    /// How many windows are open on the match.
    pub fn audience(&self) -> usize {
        self.subscribers.subscribers.iter().filter(|subscriber| !subscriber.updates.is_closed()).count()
    }
}

fn viewer_order(viewer: Viewer) -> u8 {
    match viewer {
        Viewer::Seat(seat) => seat.0,
        Viewer::Spectator => u8::MAX,
    }
}
