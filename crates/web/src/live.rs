//! A match that somebody looks at: its table in memory, its journal on disk, its listeners.
//!
//! The journal is the truth. A choice is played in memory, written, and told to anybody only when it is on disk; where it
//! could not be written the match is dropped from memory and read again.

use std::sync::Arc;
use std::time::{Duration, Instant};

use kernel::{MatchError, Mover, Seat, SeatSet, SecretPolicy, Table, Undo, Viewer, assemble};
use store::{Append, Entry, EntryKind, MatchRecord, SeatRecord, Summary, owner_seat};
use tokio::sync::mpsc;

use crate::clock;
use crate::house::{Bots, HouseError};
use crate::scene::SceneMarks;
use crate::seating::bot_name;
use crate::title::Title;
use crate::update::{self, Update};

/// A listener that falls so many updates behind is let go; it comes back and asks for what it missed.
const LISTENER_QUEUE: usize = 8;
/// Changes a second that one match takes from its players, and how many at once.
const CHANGES_PER_SECOND: f32 = 30.0;
const CHANGES_AT_ONCE: f32 = 60.0;

/// The comment in a journal entry that says how often a record that was taken in had been taken back.
const TAKEBACKS: &str = "# takebacks: ";

/// Somebody who is told of every change.
struct Listener {
    viewer: Viewer,
    updates: mpsc::Sender<Arc<str>>,
}

/// How long the last change took, for the debug drawer.
#[derive(Clone, Copy, Debug, Default)]
pub struct Timing {
    /// Playing it.
    pub play: Duration,
    /// Until it was on disk.
    pub store: Duration,
    /// Drawing it for those who look on.
    pub draw: Duration,
}

/// A match in memory.
pub struct Live {
    /// Its game.
    pub title: Arc<dyn Title>,
    /// The match.
    pub table: Box<dyn Table>,
    /// The number of the last journal entry.
    pub revision: u32,
    /// How many steps the match had after each journal entry; the first is the empty match.
    steps_after: Vec<u32>,
    /// The person's name for it.
    pub name: String,
    /// Who sits where.
    pub seats: Vec<SeatRecord>,
    /// The bots among them.
    pub bots: Bots,
    listeners: Vec<Listener>,
    /// The scene that every listener of a kind has before them.
    marks: Vec<(Viewer, SceneMarks)>,
    budget: Budget,
    /// How long the last change took.
    pub timing: Timing,
    /// When it was last used.
    pub used: Instant,
    /// When it last changed, or was read.
    pub changed: Instant,
}

/// What is to be written for a change.
pub struct Pending {
    /// The journal entry and the new summary.
    pub append: Append,
    begun: Instant,
}

impl Live {
    /// Rebuilds a match from its record and journal.
    pub fn restore(
        title: Arc<dyn Title>,
        record: MatchRecord,
        journal: &[Entry],
    ) -> Result<Self, HouseError> {
        let (text, steps_after) = as_save(&record, journal);
        let opened = title.load(&record.name, &text).map_err(|problems| {
            let rescue = format!("its record can be had at /matches/{}/record", record.id);
            HouseError::Unreadable(format!("{}: {problems}\n{rescue}", record.name))
        })?;
        let mut live = Self::new(title, opened.table, record.name, record.seats);
        live.revision = record.revision;
        live.steps_after = steps_after;
        Ok(live)
    }

    /// A match that has just been made.
    pub fn new(
        title: Arc<dyn Title>,
        mut table: Box<dyn Table>,
        name: String,
        seats: Vec<SeatRecord>,
    ) -> Self {
        let humans = seats.iter().filter(|seat| seat.player.is_human());
        table.seat_persons(humans.fold(SeatSet::default(), |set, seat| set.with(Seat(seat.seat))));
        Self {
            title,
            table,
            revision: 0,
            steps_after: vec![0],
            name,
            seats,
            bots: Bots::default(),
            listeners: Vec::new(),
            marks: Vec::new(),
            budget: Budget::default(),
            timing: Timing::default(),
            used: Instant::now(),
            changed: Instant::now(),
        }
    }

    /// Whether one person plays, alone or among bots, and so may go anywhere in time.
    pub fn is_solo(&self) -> bool {
        self.seats.iter().filter(|seat| seat.player.is_human()).count() <= 1
    }

    /// The seat of the one who made the match; `None` where they only look on.
    pub fn owner(&self) -> Option<Seat> {
        owner_seat(&self.seats).map(|seat| Seat(seat.seat))
    }

    /// Whether nobody but its owner plays.
    pub fn is_for_owner_alone(&self) -> bool {
        let owner = self.owner();
        self.seats.iter().all(|seat| !seat.player.is_human() || owner == Some(Seat(seat.seat)))
    }

    /// The bot in a seat, by its word.
    pub fn bot_at(&self, seat: Seat) -> Option<&str> {
        self.seats.iter().find(|record| record.seat == seat.0)?.player.bot()
    }

    /// The seat and the word of the bot that is to choose now.
    pub fn bot_to_choose(&self) -> Option<(Seat, &str)> {
        let Mover::Seat(seat) = self.table.mover() else { return None };
        Some((seat, self.bot_at(seat)?))
    }

    /// Whether somebody at the table knows something that another does not: then nobody gets the record.
    pub fn hides(&self) -> bool {
        self.table.digest().is_none()
    }

    /// The record of the match. Its `keeper`, who plays alone, gets the secret of the dice with it, so that the match can
    /// be played on elsewhere; but nobody does while the match hides something, for the record is all of it.
    pub fn record(&self, keeper: bool) -> Result<String, MatchError> {
        let whole = keeper && !self.hides();
        self.table.save(if whole { SecretPolicy::Keep } else { SecretPolicy::Withhold })
    }

    /// The step at which the last journal entry began, for showing what it led to.
    pub fn last_input_from(&self) -> usize {
        let before = self.revision.saturating_sub(1) as usize;
        let steps = self.steps_after.get(before).copied().unwrap_or(0);
        (steps as usize).min(self.table.steps())
    }

    /// How many steps of the log are still the same as at a revision: the fewest that the match has had since.
    pub fn steps_kept_since(&self, revision: u32) -> usize {
        let since = self.steps_after.get(revision as usize..).unwrap_or(&[]);
        since.iter().copied().min().unwrap_or(0) as usize
    }

    /// Refuses a client that sends changes faster than a person could.
    pub fn spend(&mut self) -> Result<(), HouseError> {
        if self.budget.spend() { Ok(()) } else { Err(HouseError::TooFast) }
    }

    /// Plays a choice of a seat (or the die that a person rolled), and what follows by itself.
    pub fn choose(&mut self, seat: Seat, revision: u32, choice: &str) -> Result<Pending, HouseError> {
        self.check_revision(revision)?;
        let begun = Instant::now();
        let from = self.table.steps();
        match self.table.mover() {
            Mover::Fate => self.table.fate(Some(choice), None),
            _ => self.table.play(seat, choice, None),
        }?;
        self.table.settle(None);
        Ok(self.pending(self.steps_entry(from), begun))
    }

    /// Takes back.
    pub fn undo(&mut self, seat: Seat, revision: u32, scope: Undo) -> Result<Pending, HouseError> {
        self.check_revision(revision)?;
        let begun = Instant::now();
        let before = self.table.takebacks();
        self.table.undo(seat, scope)?;
        let to_step = self.table.steps() as u32;
        let crossed = self.table.takebacks() > before;
        self.bots.forget();
        Ok(self.pending(EntryKind::Undo { to_step, crossed }, begun))
    }

    /// Refuses what was decided about another position than the present one.
    pub fn check_revision(&self, revision: u32) -> Result<(), HouseError> {
        if revision == self.revision { Ok(()) } else { Err(HouseError::Stale { revision: self.revision }) }
    }

    /// The steps from `from` on as a journal entry.
    pub fn steps_entry(&self, from: usize) -> EntryKind {
        let mut lines = String::new();
        self.table.write_log(from, &mut lines);
        EntryKind::Steps(lines)
    }

    /// The whole match as the first journal entry of a new one, what was taken back in it before included.
    pub fn whole_entry(&self) -> EntryKind {
        let mut lines = format!("{TAKEBACKS}{}\n", self.table.takebacks());
        self.table.write_log(0, &mut lines);
        EntryKind::Steps(lines)
    }

    fn pending(&self, kind: EntryKind, begun: Instant) -> Pending {
        let entry = Entry { seq: self.revision + 1, at: clock::now(), kind };
        Pending { append: Append { match_id: String::new(), entry, summary: self.summary() }, begun }
    }

    /// The match in a line, for the lobby.
    pub fn summary(&self) -> Summary {
        let table = &*self.table;
        let result = table.result();
        let last = table.log(self.last_story_from(), Viewer::Spectator);
        let mut told = last.iter().rev().flat_map(|entry| entry.story.iter().rev());
        let last_event = told.find(|told| !told.aside);
        let standings = result.as_ref().map_or_else(String::new, |result| {
            result.standings.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
        });
        Summary {
            steps: table.steps() as u32,
            turn: table.turn_title(table.turn()),
            last_event: last_event.map_or_else(String::new, |told| told.text.clone()),
            to_move: self.to_move(),
            result_title: result.as_ref().map_or_else(String::new, |result| result.title.clone()),
            result: result.map(|result| result.word.to_owned()),
            standings,
        }
    }

    /// Who is to choose, as the owner would say it.
    fn to_move(&self) -> String {
        let seat = match self.table.mover() {
            Mover::Nobody => return String::new(),
            Mover::Fate => return "dice".to_owned(),
            Mover::Seat(seat) => seat,
        };
        let title = self.table.seats()[seat.index()].title;
        match self.bot_at(seat) {
            Some(bot) => format!("{title}, the {}", bot_name(bot)),
            None if self.seats.len() > 1 && self.owner() == Some(seat) => format!("{title}, that is you"),
            None => title.to_owned(),
        }
    }

    /// A few steps back: enough to find the last thing that happened.
    fn last_story_from(&self) -> usize {
        self.table.steps().saturating_sub(4)
    }

    /// Notes that a change is on disk and tells everybody who looks on.
    pub fn committed(&mut self, pending: &Pending, stored: Duration) -> u32 {
        self.revision = pending.append.entry.seq;
        let steps = self.table.steps() as u32;
        self.steps_after.push(steps);
        // What was taken back has not been seen as it will be.
        for seat in &mut self.seats {
            seat.seen = seat.seen.min(steps);
        }
        self.timing.store = stored;
        self.timing.play = pending.begun.elapsed().saturating_sub(stored);
        self.used = Instant::now();
        self.changed = self.used;
        self.broadcast();
        self.revision
    }

    /// Sends what has changed to every listener, drawn once for each kind of viewer.
    fn broadcast(&mut self) {
        let begun = Instant::now();
        self.listeners.retain(|listener| !listener.updates.is_closed());
        let mut viewers: Vec<Viewer> = self.listeners.iter().map(|listener| listener.viewer).collect();
        viewers.sort_unstable_by_key(|viewer| viewer_order(*viewer));
        viewers.dedup();
        self.marks.retain(|(viewer, _)| viewers.contains(viewer));
        for viewer in viewers {
            let scene = update::scene(self, viewer);
            let marks = scene.marks();
            let known = self.marks.iter_mut().find(|(known, _)| *known == viewer);
            let change = match known {
                Some((_, before)) => {
                    let change = scene.since(before);
                    *before = marks;
                    change
                }
                None => {
                    self.marks.push((viewer, marks));
                    None
                }
            };
            let text: Arc<str> = match change {
                Some(parts) => Update::new(self, viewer, self.revision - 1, parts, false).json().into(),
                None => self.behind(),
            };
            self.listeners.retain(|to| to.viewer != viewer || to.updates.try_send(Arc::clone(&text)).is_ok());
        }
        self.timing.draw = begun.elapsed();
    }

    /// A new listener, and what it missed since the revision that it knows.
    pub fn listen(
        &mut self,
        viewer: Viewer,
        since: Option<u32>,
    ) -> (mpsc::Receiver<Arc<str>>, Option<Arc<str>>) {
        let (updates, receiver) = mpsc::channel(LISTENER_QUEUE);
        self.listeners.retain(|listener| !listener.updates.is_closed());
        self.listeners.push(Listener { viewer, updates });
        self.used = Instant::now();
        if !self.marks.iter().any(|(known, _)| *known == viewer) {
            self.marks.push((viewer, update::scene(self, viewer).marks()));
        }
        let missed = (since != Some(self.revision)).then(|| self.behind());
        (receiver, missed)
    }

    /// The word to a page that it is behind and had better ask for everything. The live connection carries small
    /// messages only: its buffers keep the size of the largest they have seen.
    pub fn behind(&self) -> Arc<str> {
        format!("{{\"behind\":{}}}", self.revision).into()
    }

    /// Everything that can change, for a page that knows the match up to a revision.
    pub fn whole_update(&self, viewer: Viewer, since: Option<u32>) -> String {
        let scene = update::scene(self, viewer);
        let known = since.filter(|since| *since <= self.revision).unwrap_or(0);
        Update::new(self, viewer, known, scene.parts, true).json()
    }

    /// Closes the connections of those who look on: they come back and read the match as it then is.
    pub fn send_off(&mut self) {
        self.listeners.clear();
        self.marks.clear();
    }

    /// Whether nobody looks on.
    pub fn is_idle(&self, for_at_least: Duration) -> bool {
        self.listeners.iter().all(|listener| listener.updates.is_closed())
            && self.used.elapsed() >= for_at_least
    }

    /// How many windows are open on the match.
    pub fn audience(&self) -> usize {
        self.listeners.iter().filter(|listener| !listener.updates.is_closed()).count()
    }
}

/// A record and its journal as the text of a save, and how many steps the match had after each entry.
pub fn as_save(record: &MatchRecord, journal: &[Entry]) -> (String, Vec<u32>) {
    let mut lines: Vec<&str> = Vec::new();
    let mut steps_after = vec![0];
    let mut takebacks: u32 = 0;
    for entry in journal {
        match &entry.kind {
            EntryKind::Steps(text) => {
                takebacks +=
                    text.lines().find_map(|line| line.strip_prefix(TAKEBACKS)?.parse().ok()).unwrap_or(0);
                lines.extend(text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()));
            }
            EntryKind::Undo { to_step, crossed } => {
                lines.truncate(*to_step as usize);
                takebacks += u32::from(*crossed);
            }
        }
        steps_after.push(lines.len() as u32);
    }
    let mut log = lines.join("\n");
    log.push('\n');
    let text = assemble(&record.header, takebacks, lines.len(), &log, record.summary.result.as_deref());
    (text, steps_after)
}

fn viewer_order(viewer: Viewer) -> u8 {
    match viewer {
        Viewer::Seat(seat) => seat.0,
        Viewer::Spectator => u8::MAX,
    }
}

/// A bucket that fills with time and is emptied by changes.
struct Budget {
    left: f32,
    at: Instant,
}

impl Default for Budget {
    fn default() -> Self {
        Self { left: CHANGES_AT_ONCE, at: Instant::now() }
    }
}

impl Budget {
    fn spend(&mut self) -> bool {
        let now = Instant::now();
        let gained = now.duration_since(self.at).as_secs_f32() * CHANGES_PER_SECOND;
        self.left = (self.left + gained).min(CHANGES_AT_ONCE);
        self.at = now;
        if self.left < 1.0 {
            return false;
        }
        self.left -= 1.0;
        true
    }
}
