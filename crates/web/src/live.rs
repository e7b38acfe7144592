//! A live match: its table in memory, its journal on disk, its subscribers.
//!
//! The journal is the source of truth. A choice is played in memory, written, and published only when it is on disk; if it
//! can't be written, the match is dropped from memory and read again.

mod acts;
mod away;
mod company;
mod effects;
mod following;
mod orders;
mod rated;
mod rests;
mod saving;
mod sealed;
mod sitting_down;
mod subscribers;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::{Duration, Instant};

use bots::BotChoice;
use kernel::{
    LoadError, MatchDice, MatchError, Mover, ResultInfo, Seat, SeatSet, SecretPolicy, Story, Table, Undo,
    Viewer,
};
use store::{AccountId, Append, Entry, EntryKind, MatchRecord, SeatRecord, Summary, owner_seat};

use crate::bucket::{Rate, TokenBucket};
use crate::chain;
use crate::clock::HouseClock;
use crate::lobby::{Bots, Coached, LobbyError, WinChanceTask};
use crate::opponents::bot_name;
use crate::proceedings::Proceedings;
use crate::title::Title;

pub use acts::{TableAct, Wish};
#[cfg(test)]
pub use away::Away;
pub use company::Company;
pub use following::BeforeChange;
pub use orders::{Coming, LiveOrders, OrderEdit, OrderRefusal};
pub use rests::RestIn;
use saving::{JournalSave, comments, with_comments};
pub use saving::{Replayed, as_save, replay, save_of_stored};
pub use sealed::Sealing;
use subscribers::Subscribers;

/// How many changes one match takes from its players.
const CHANGES: Rate = Rate { at_once: 60.0, per_second: 30.0 };

/// The comment in a journal entry with the number of undos in an imported record.
const TAKEBACKS: &str = "# takebacks: ";

/// How long the last change took, for the debug drawer.
#[derive(Clone, Copy, Debug, Default)]
pub struct Timing {
    /// Playing it.
    pub play: Duration,
    /// Until it was on disk.
    pub store: Duration,
    /// Drawing it for subscribers.
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
    /// The last thing that happened, as everybody may know it.
    last_event: String,
    /// Whether the last change had anything to show.
    pub shows_last_change: bool,
    /// How many steps the match had after each journal entry; the first is the empty match.
    steps_after: Vec<u32>,
    /// When each journal entry came, milliseconds since 1970.
    entered_at: Vec<u64>,
    /// Its name in the lobby.
    pub name: String,
    /// Who sits where.
    pub seats: Vec<SeatRecord>,
    /// Who has a window open at other servers, and how many of each kind.
    pub elsewhere: Vec<(Viewer, u32)>,
    /// What was agreed and decided beside choices.
    pub proceedings: Proceedings,
    /// The time of day.
    house: Arc<HouseClock>,
    /// What the requests of clients led to: a request that comes again is answered as the first time.
    requests: HashMap<String, u32>,
    /// What happened beside choices, as comments for the record: after which step, and the line.
    comments: Vec<(u32, String)>,
    /// The names of the accounts that keep a seat.
    pub account_names: HashMap<AccountId, String>,
    /// The account that has just left its seat for good, and the seat.
    leaver: Option<(AccountId, u8)>,
    /// What people who meet here have beside the match.
    pub company: Company,
    /// The bots among them.
    pub bots: Bots,
    /// The announcement about the seat that changed hands last.
    pub seat_news: String,
    /// The coach, in a match that is played with a lesson.
    pub coached: Option<Coached>,
    /// The matches that were started with the same set-up when this one was over: with the same sides, and with changed ones.
    pub rematches: [Option<String>; 2],
    /// Win chances and hints.
    pub win_chance_tasks: WinChanceTask,
    /// The standing orders of its seats.
    pub orders: LiveOrders,
    /// How many more changes of orders are taken from a seat just now.
    order_edits: BTreeMap<Seat, TokenBucket>,
    subscribers: Subscribers,
    budget: TokenBucket,
    /// How long the last change took.
    pub timing: Timing,
    /// When it was last used.
    pub used: Instant,
    /// When it last changed, or was read.
    pub changed: Instant,
}

/// A change that is about to be written.
pub struct Pending {
    /// The journal entry and the new summary.
    pub append: Append,
    begun: Instant,
    /// Whether a bot made it.
    by_bot: bool,
    /// The seat of the person who chose, if a person did.
    pub by: Option<Seat>,
    /// What is agreed and decided with it.
    after: Proceedings,
    /// How the orders stand with it.
    orders: LiveOrders,
}

impl Live {
    /// Rebuilds a match from its record and journal.
    pub fn restore(
        title: Arc<dyn Title>,
        mut record: MatchRecord,
        journal: &[Entry],
        house: Arc<HouseClock>,
    ) -> Result<Self, LobbyError> {
        let outages = house.outages();
        let JournalSave { text, steps_after, proceedings } = as_save(&record, journal, &outages);
        if let Some(fault) = &proceedings.fault {
            return Err(LobbyError::Unreadable(format!("{}: {fault}", record.name)));
        }
        seat_as_told(&mut record.seats, journal, &outages);
        let opened = title.load(&record.name, &text).map_err(|error| match error {
            LoadError::Unreadable(problems) => {
                let rescue = format!("its record can be downloaded at /matches/{}/record", record.id);
                LobbyError::Unreadable(format!("{}: {problems}\n{rescue}", record.name))
            }
            LoadError::Parted(parting) => {
                LobbyError::Parted { match_id: Some(record.id.clone()), name: record.name.clone(), parting }
            }
        })?;
        let coached = Coached::of(&*title, &*opened.table, &record.lesson);
        let mut live = Self::new(title, opened.table, record.name, record.seats, house);
        live.proceedings = proceedings;
        live.comments = comments(journal, &steps_after);
        live.requests =
            journal.iter().filter_map(|entry| Some((entry.request.clone()?, entry.seq))).collect();
        live.coached = coached;
        live.revision = record.revision;
        live.steps_after = steps_after;
        live.entered_at = journal.iter().map(|entry| entry.at).collect();
        live.bots = Bots::at_pace(&record.pace);
        live.subscribers = Subscribers::since(live.revision);
        live.note_hidden();
        Ok(live)
    }

    /// A match that has just been made.
    pub fn new(
        title: Arc<dyn Title>,
        mut table: Box<dyn Table>,
        name: String,
        seats: Vec<SeatRecord>,
        house: Arc<HouseClock>,
    ) -> Self {
        let persons = seats.iter().filter(|seat| seat.player.is_a_persons());
        table.seat_persons(persons.fold(SeatSet::default(), |set, seat| set.with(Seat(seat.seat))));
        Self {
            title,
            last_event: last_event(&*table),
            table,
            shows_last_change: true,
            revision: 0,
            steps_after: vec![0],
            entered_at: Vec::new(),
            name,
            proceedings: Proceedings::new(seats.len()),
            seats,
            elsewhere: Vec::new(),
            house,
            requests: HashMap::new(),
            comments: Vec::new(),
            account_names: HashMap::new(),
            leaver: None,
            company: Company::default(),
            bots: Bots::default(),
            seat_news: String::new(),
            coached: None,
            rematches: [None, None],
            win_chance_tasks: WinChanceTask::default(),
            orders: LiveOrders::default(),
            order_edits: BTreeMap::new(),
            subscribers: Subscribers::since(0),
            budget: TokenBucket::full(CHANGES, Instant::now()),
            timing: Timing::default(),
            used: Instant::now(),
            changed: Instant::now(),
        }
    }

    /// Whether one person plays, alone or among bots, and so may undo and fork freely. Somebody for whom a bot is playing
    /// may come back, and so counts. A match that is rated is nobody's own, also when all others have given up.
    pub fn is_solo(&self) -> bool {
        !self.is_rated() && self.seats.iter().filter(|seat| seat.player.is_a_persons()).count() <= 1
    }

    /// The creator's seat; `None` if they only watch.
    pub fn owner(&self) -> Option<Seat> {
        owner_seat(&self.seats).map(|seat| Seat(seat.seat))
    }

    /// Whether nobody but its owner plays.
    pub fn is_for_owner_alone(&self) -> bool {
        let owner = self.owner();
        self.seats.iter().all(|seat| !seat.player.is_a_persons() || owner == Some(Seat(seat.seat)))
    }

    /// The bot in a seat, by its word.
    pub fn bot_at(&self, seat: Seat) -> Option<&str> {
        self.seats.iter().find(|record| record.seat == seat.0)?.player.bot()
    }

    /// The bot that owns a seat. A bot that plays for a person does not count, because it has not made all choices of the seat.
    pub fn own_bot_at(&self, seat: Seat) -> Option<&str> {
        let record = self.seats.iter().find(|record| record.seat == seat.0)?;
        record.player.bot().filter(|_| !record.player.is_a_persons())
    }

    /// Whether the match may be reviewed: when it is over, or earlier if at most one person plays and nothing is hidden.
    pub fn may_review(&self) -> bool {
        self.is_over() || (self.is_solo() && !self.hides())
    }

    /// How the match ended: by the rules of the game, or otherwise.
    pub fn outcome(&self) -> Option<ResultInfo> {
        self.outcome_with(&self.proceedings)
    }

    fn outcome_with(&self, proceedings: &Proceedings) -> Option<ResultInfo> {
        let seats = self.table.seats();
        let ended = proceedings
            .ended
            .as_ref()
            .map(|ending| ResultInfo::new(ending.word(), ending.title(seats), ending.standings(seats.len())));
        self.table.result().or(ended)
    }

    /// Whether the match is over.
    pub fn is_over(&self) -> bool {
        self.proceedings.ended.is_some() || self.table.result().is_some()
    }

    /// The time of day.
    pub fn now(&self) -> u64 {
        self.house.now()
    }

    /// When the house did not run.
    pub fn outages(&self) -> Vec<(u64, u64)> {
        self.house.outages()
    }

    /// What a request led to, if it has come before.
    pub fn answered(&self, request: &str) -> Option<u32> {
        self.requests.get(request).copied()
    }

    /// Whether a viewer plays. The link of a seat that a bot plays still shows what the seat sees, but makes no choices.
    pub fn plays(&self, viewer: Viewer) -> bool {
        matches!(viewer, Viewer::Seat(seat) if self.bot_at(seat).is_none())
    }

    /// Refuses a player who has handed their seat over.
    fn check_plays(&self, seat: Seat) -> Result<(), LobbyError> {
        match self.bot_at(seat) {
            None => Ok(()),
            Some(bot) => {
                Err(LobbyError::Bad(format!("{} plays this seat: take over again first", bot_name(bot))))
            }
        }
    }

    /// Whether a bot sits at the table.
    pub fn has_bots(&self) -> bool {
        self.seats.iter().any(|seat| !seat.player.is_human())
    }

    /// The seat and the name of the bot to move.
    pub fn bot_to_choose(&self) -> Option<(Seat, &str)> {
        let Mover::Seat(seat) = self.table.mover() else { return None };
        let waits =
            self.proceedings.ended.is_some() || self.proceedings.is_paused || self.proceedings.is_binned;
        Some((seat, self.bot_at(seat)?)).filter(|_| !waits)
    }

    /// Whether a player has hidden information now: then nobody gets the record.
    pub fn hides(&self) -> bool {
        self.table.hides() && self.proceedings.ended.is_none()
    }

    /// The record of the match. A `keeper`, who plays alone, gets it with the secret of the dice, so that the match can be
    /// continued elsewhere. Nobody gets it while the match hides something, because it contains everything.
    pub fn record(&self, keeper: bool) -> Result<String, MatchError> {
        // A match that was ended early hides nothing any more, and its dice are proven like those of any other.
        let whole = (keeper && !self.hides()) || self.proceedings.ended.is_some();
        let save = self.table.save(if whole { SecretPolicy::Keep } else { SecretPolicy::Withhold })?;
        Ok(with_comments(&save, &self.comments, self.proceedings.ended.as_ref(), self.table.seats()))
    }

    /// The step at which the last journal entry began, for showing its effects.
    pub fn last_input_from(&self) -> usize {
        let before = self.revision.saturating_sub(1) as usize;
        let steps = self.steps_after.get(before).copied().unwrap_or(0);
        (steps as usize).min(self.table.steps())
    }

    /// How many steps of the log are still the same as at a revision: the fewest that the match has had since. None if
    /// something was hidden then that is open now.
    pub fn steps_kept_since(&self, revision: u32) -> usize {
        if self.subscribers.was_hidden(revision) && !self.hides() {
            return 0;
        }
        let since = self.steps_after.get(revision as usize..).unwrap_or(&[]);
        since.iter().copied().min().unwrap_or(0) as usize
    }

    /// Whether the match has moved on since a revision that a page shows.
    pub fn is_past(&self, shown: Option<u32>) -> bool {
        shown.is_some_and(|shown| shown != self.revision)
    }

    /// How many steps the match had at a revision.
    pub fn steps_at(&self, revision: u32) -> Option<usize> {
        self.steps_after.get(revision as usize).map(|steps| *steps as usize)
    }

    /// Refuses a client that sends changes faster than a person could.
    pub fn spend(&mut self) -> Result<(), LobbyError> {
        if self.budget.take(Instant::now()) { Ok(()) } else { Err(LobbyError::TooFast) }
    }

    /// Plays a choice or a chain of choices of a seat (or the die that a person rolled), and what follows by itself.
    pub fn choose(&mut self, seat: Seat, revision: u32, choice: &str) -> Result<Pending, LobbyError> {
        self.check_revision(revision)?;
        self.check_goes_on()?;
        let begun = Instant::now();
        let from = self.table.steps();
        let mut story = Story::for_viewer(Viewer::Spectator);
        match self.table.mover() {
            Mover::Fate if self.table.dice().are_awaited() => {
                let missing = self.missing().join(" and ");
                return Err(LobbyError::Bad(format!("The dice wait for {missing}.")));
            }
            Mover::Fate => self.table.fate(Some(choice), Some(&mut story))?,
            _ => {
                self.check_plays(seat)?;
                chain::play(&mut *self.table, seat, choice, &mut story)?;
            }
        }
        self.table.play_forced(Some(&mut story));
        self.note_last_event(&story);
        let orders = self.orders.after_choice_of(seat);
        Ok(Pending { by: Some(seat), ..self.pending_with(self.steps_entry(from), begun, orders) })
    }

    /// Plays a bot's choice with its reason, and what follows by itself.
    pub fn choose_saying(
        &mut self,
        seat: Seat,
        revision: u32,
        said: &BotChoice,
    ) -> Result<Pending, LobbyError> {
        self.check_revision(revision)?;
        self.check_goes_on()?;
        let begun = Instant::now();
        let from = self.table.steps();
        let mut story = Story::for_viewer(Viewer::Spectator);
        self.table.play(seat, &said.choice, Some(&mut story))?;
        self.table.remark(from, &said.why);
        self.table.play_forced(Some(&mut story));
        self.note_last_event(&story);
        Ok(Pending { by_bot: true, ..self.pending(self.steps_entry(from), begun) })
    }

    /// Undoes choices.
    pub fn undo(&mut self, seat: Seat, revision: u32, scope: Undo) -> Result<Pending, LobbyError> {
        self.check_revision(revision)?;
        self.check_goes_on()?;
        self.check_plays(seat)?;
        // The end of a match on a clock counts: it was told and rated.
        if self.proceedings.rules.is_some() && self.table.result().is_some() {
            return Err(MatchError::Over.into());
        }
        if self.is_rated() && self.seats.iter().filter(|seat| seat.player.is_a_persons()).count() < 2 {
            let why = "In a rated match nothing is taken back when all others have given up.";
            return Err(LobbyError::Bad(why.to_owned()));
        }
        let begun = Instant::now();
        let before = self.table.takebacks();
        self.table.undo(seat, scope)?;
        self.shows_last_change = true;
        self.last_event = last_event(&*self.table);
        let to_step = self.table.steps() as u32;
        let crossed = self.table.takebacks() > before;
        self.bots.forget();
        Ok(self.pending(EntryKind::Undo { to_step, crossed }, begun))
    }

    /// Refuses a choice that was made for another position than the current one.
    pub fn check_revision(&self, revision: u32) -> Result<(), LobbyError> {
        if revision == self.revision { Ok(()) } else { Err(LobbyError::Stale { revision: self.revision }) }
    }

    /// Refuses choices in a match that was ended or is paused. (What the game itself ended, the kernel refuses.)
    fn check_goes_on(&self) -> Result<(), LobbyError> {
        if let Some(ending) = &self.proceedings.ended {
            let how = ending.title(self.table.seats());
            return Err(LobbyError::Bad(format!("The match is over: {how}.")));
        }
        if self.proceedings.is_binned {
            return Err(LobbyError::Bad("The match is in the bin.".to_owned()));
        }
        match self.proceedings.is_paused {
            true => Err(LobbyError::Bad("The match is paused: resume it first.".to_owned())),
            false => Ok(()),
        }
    }

    /// The steps from `from` on as a journal entry.
    pub fn steps_entry(&self, from: usize) -> EntryKind {
        let mut lines = String::new();
        self.table.write_log(from, &mut lines);
        EntryKind::Steps(lines)
    }

    /// The whole match as the first journal entry of a new one, with the number of its undos.
    pub fn whole_entry(&self) -> EntryKind {
        let mut lines = format!("{TAKEBACKS}{}\n", self.table.takebacks());
        self.table.write_log(0, &mut lines);
        EntryKind::Steps(lines)
    }

    /// A change as it will be written: the entry with its time, what follows from it, and where the match stands then.
    pub fn pending(&self, kind: EntryKind, begun: Instant) -> Pending {
        self.pending_with(kind, begun, self.orders.clone())
    }

    /// The same with orders that stand otherwise by this change.
    fn pending_with(&self, kind: EntryKind, begun: Instant, mut orders: LiveOrders) -> Pending {
        let outages = self.house.outages();
        // A clock that was put back does not put a match back.
        let at = self.house.now().max(self.proceedings.last_at);
        let mut entry = Entry::new(self.revision + 1, at, kind);
        if self.proceedings.has_events || matches!(entry.kind, EntryKind::Event(_)) {
            entry.awaits = self.awaited(&entry.kind);
        }
        let mut after = self.proceedings.clone();
        after.follow(&entry, &outages);
        let before = self.steps_after.last().map_or(0, |steps| *steps as usize);
        orders.follow(before, self.table.steps());
        self.look_ahead(&mut orders, &after, entry.seq, at);
        let mut effects = self.effects(&entry, &after, &outages, orders.will_answer());
        self.order_effects(&orders, &mut effects);
        let summary = self.summary_with(&after);
        let append = Append { match_id: String::new(), entry, summary, effects };
        Pending { append, begun, by_bot: false, by: None, after, orders }
    }

    /// The match in a line, for the lobby.
    pub fn summary(&self) -> Summary {
        self.summary_with(&self.proceedings)
    }

    fn summary_with(&self, proceedings: &Proceedings) -> Summary {
        let table = &*self.table;
        let result = self.outcome_with(proceedings);
        let is_over = result.is_some();
        let standings = result.as_ref().map_or_else(String::new, |result| {
            result.standings.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
        });
        Summary {
            steps: table.steps() as u32,
            turn: table.turn_title(table.turn()),
            last_event: self.last_event.clone(),
            to_move: if is_over { String::new() } else { self.to_move_with(proceedings) },
            owner_to_move: !is_over && self.is_owners_move_with(proceedings),
            mover: if is_over { None } else { self.seat_to_move().or(self.first_missing(proceedings)) },
            result_title: result.as_ref().map_or_else(String::new, |result| result.title.clone()),
            result: result.map(|result| result.word.to_owned()),
            standings,
        }
    }

    /// The number of the seat to move, whoever plays it.
    pub fn seat_to_move(&self) -> Option<u8> {
        if let Mover::Seat(seat) = self.table.mover() { Some(seat.0) } else { None }
    }

    /// Whether the match waits for its owner.
    pub fn is_owners_move(&self) -> bool {
        self.is_owners_move_with(&self.proceedings)
    }

    fn is_owners_move_with(&self, proceedings: &Proceedings) -> bool {
        match self.table.mover() {
            Mover::Seat(seat) => self.owner() == Some(seat) && self.bot_at(seat).is_none(),
            // They have to open their page, and with it sit down or show their number.
            Mover::Fate if proceedings.waits_for_players() => {
                self.owner().is_some_and(|seat| proceedings.missing().contains(&seat.0))
            }
            // With own dice somebody has to roll.
            Mover::Fate => *self.table.dice() == MatchDice::Own && self.is_for_owner_alone(),
            Mover::Nobody => false,
        }
    }

    /// Whose turn it is, in words for the owner.
    pub fn to_move(&self) -> String {
        self.to_move_with(&self.proceedings)
    }

    fn to_move_with(&self, proceedings: &Proceedings) -> String {
        let seat = match self.table.mover() {
            Mover::Nobody => return String::new(),
            Mover::Fate if !proceedings.missing().is_empty() => {
                return format!("waiting for {}", self.titles_of(&proceedings.missing()).join(" and "));
            }
            Mover::Fate => return "dice".to_owned(),
            Mover::Seat(seat) => seat,
        };
        let title = self.table.seats()[seat.index()].title;
        match self.bot_at(seat) {
            Some(bot) => format!("{title}, {}", bot_name(bot)),
            None if self.seats.len() > 1 && self.owner() == Some(seat) => format!("{title}, that is you"),
            None => title.to_owned(),
        }
    }

    /// Notes the last thing that happened, as everybody may know it.
    fn note_last_event(&mut self, story: &Story) {
        let last = story.lines.iter().rev().find(|line| !line.aside);
        self.shows_last_change = last.is_some();
        if let Some(line) = last {
            self.last_event.clone_from(&line.text);
        }
    }

    /// Records that a change is on disk and publishes it to all subscribers.
    pub fn committed(&mut self, pending: &Pending, stored: Duration) -> u32 {
        self.orders.clone_from(&pending.orders);
        self.orders.note_written(&pending.append.effects);
        self.entered(&pending.append.entry, pending.after.clone());
        self.timing.store = stored;
        self.timing.play = pending.begun.elapsed().saturating_sub(stored);
        self.used = Instant::now();
        self.publish_change(pending.by_bot);
        self.revision
    }

    /// Takes in an entry whose choices have been played.
    fn entered(&mut self, entry: &Entry, after: Proceedings) {
        self.revision = entry.seq;
        self.proceedings = after;
        if let Some(sitting) = self.proceedings.sitting_down.as_ref().filter(|sitting| sitting.dice) {
            self.table.share_dice(sitting.shares());
        }
        let steps = self.table.steps() as u32;
        self.steps_after.push(steps);
        self.entered_at.push(entry.at);
        self.requests.extend(entry.request.clone().map(|request| (request, entry.seq)));
        for (after, _) in &mut self.comments {
            *after = (*after).min(steps);
        }
        self.comments.extend(comments(std::slice::from_ref(entry), &[0, steps]));
        // Steps that were undone will be played again in another way, so they do not count as seen.
        for seat in &mut self.seats {
            seat.seen = seat.seen.min(steps);
        }
        self.changed = Instant::now();
        if self.is_over() {
            self.bots.dismiss(&*self.table);
            self.tell_of_answers();
        }
        if let Some(coached) = &mut self.coached {
            coached.coach.follow(&*self.table);
        }
        self.note_hidden();
    }
}

/// The last thing that happened in a match, as everybody may know it: a few steps back is far enough.
fn last_event(table: &dyn Table) -> String {
    let last = table.log(table.steps().saturating_sub(4), Viewer::Spectator);
    let mut lines = last.into_iter().rev().flat_map(|entry| entry.story.into_iter().rev());
    lines.find(|line| !line.aside).map_or_else(String::new, |line| line.text)
}

/// Seats the players as the journal says. The record says the same, for both are written together; the journal decides.
fn seat_as_told(seats: &mut [SeatRecord], journal: &[Entry], outages: &[(u64, u64)]) {
    if !journal.iter().any(|entry| matches!(entry.kind, EntryKind::Event(_))) {
        return;
    }
    let mut proceedings = Proceedings::new(seats.len());
    for entry in journal {
        if let EntryKind::Event(event) = &entry.kind
            && let Some((seat, player)) = proceedings.handed(event, seats)
            && let Some(record) = seats.iter_mut().find(|record| record.seat == seat)
        {
            record.player = player;
        }
        proceedings.follow(entry, outages);
    }
}
