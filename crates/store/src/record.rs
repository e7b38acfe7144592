//! The record of a match.

use std::fmt;

use crate::{AccountId, Effect, Outage, Player, StoreError, TableEvent, owner_seat};

/// A match, without its journal.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct MatchRecord {
    /// The name in addresses: unique, safe in a URL, made by the caller.
    pub id: String,
    /// Which game, for example `echoes`.
    pub game: String,
    /// The name of the match.
    pub name: String,
    /// The set-up in a few words, for people.
    pub setup: String,
    /// The head of the save file (options, dice, secret): opaque here. May be large, so that
    /// [`crate::Store::list`] leaves it empty.
    pub header: String,
    /// The options as JSON, for statistics: opaque here.
    pub options: String,
    /// Anyone with this token may watch.
    pub viewer_token: String,
    /// The match and step this one was forked from.
    pub origin: Option<Origin>,
    /// Milliseconds since 1970.
    pub created_at: u64,
    /// When the journal last grew, milliseconds since 1970. Renaming does not count: the list is
    /// sorted by it, and a match must not jump to the top for having been tidied up.
    pub changed_at: u64,
    /// When it was put in the bin, if it was.
    pub deleted_at: Option<u64>,
    /// The `seq` of the last entry; 0 with an empty journal.
    pub revision: u32,
    /// How fast bots play in it, as a word: opaque here, empty until somebody has chosen.
    pub pace: String,
    /// The lesson that it is played with and how far its pages were read: opaque here, empty without a lesson.
    pub lesson: String,
    /// A summary of the position, so that lists need no replay.
    pub summary: Summary,
    /// The seats by number.
    pub seats: Vec<SeatRecord>,
}

impl MatchRecord {
    /// The creator's token: that of their seat, or the spectator token.
    pub fn owner_token(&self) -> &str {
        owner_seat(&self.seats).map_or(&self.viewer_token, |seat| &seat.token)
    }
}

/// Where a forked match comes from. Not a reference: the other match may be long gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The other match.
    pub match_id: String,
    /// The step of the other match at which this one begins.
    pub step: u32,
}

/// A summary of the position after the last entry, for lists and statistics.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Summary {
    /// How many steps there are.
    pub steps: u32,
    /// The turn, as people say it.
    pub turn: String,
    /// The last log line.
    pub last_event: String,
    /// Whose turn it is.
    pub to_move: String,
    /// Whether it is the owner's turn.
    pub owner_to_move: bool,
    /// The seat to move, whoever plays it; none while dice are rolled and when the match is over.
    pub mover: Option<u8>,
    /// The word of the result, once there is one.
    pub result: Option<String>,
    /// The result as people say it.
    pub result_title: String,
    /// How each seat fared, for example `win` or `win,loss`.
    pub standings: String,
}

/// Which matches of the lobby are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shelf {
    /// Those that are still played; the ones in which it is the owner's turn come first.
    Running,
    /// Those with a result.
    Finished,
}

/// How many matches the lobby has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Still played.
    pub running: usize,
    /// Of these, the owner's turn.
    pub owner_to_move: usize,
    /// With a result.
    pub finished: usize,
}

impl Counts {
    /// How many there are on a shelf.
    pub const fn on(self, shelf: Shelf) -> usize {
        match shelf {
            Shelf::Running => self.running,
            Shelf::Finished => self.finished,
        }
    }
}

/// A seat of a match.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct SeatRecord {
    /// Its number.
    pub seat: u8,
    /// The game's word for the side.
    pub word: String,
    /// Anyone with this token may play the seat; empty for a bot.
    pub token: String,
    /// Who plays.
    pub player: Player,
    /// When somebody first took the seat.
    pub claimed_at: Option<u64>,
    /// How many steps the player has been shown.
    pub seen: u32,
}

/// One entry of a journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// 1, 2, 3 and so on, without gaps.
    pub seq: u32,
    /// When it arrived, milliseconds since 1970.
    pub at: u64,
    /// The account that made it, if one did.
    pub account: Option<AccountId>,
    /// The key of the client's request, unique in the match: a request that comes again finds what it led to.
    pub request: Option<String>,
    /// Whom the match waits for after it. Only where there is a clock, which needs nothing else to be computed again.
    pub awaits: Option<Awaited>,
    /// What happened.
    pub kind: EntryKind,
}

impl Entry {
    /// An entry that nobody in particular made and that no clock depends on.
    pub fn new(seq: u32, at: u64, kind: EntryKind) -> Self {
        Self { seq, at, account: None, request: None, awaits: None, kind }
    }
}

/// The person whom a match waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Awaited {
    /// Their seat.
    pub seat: u8,
    /// The turn of the game.
    pub turn: u16,
}

/// What an entry says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// What happened beside choices.
    Event(TableEvent),
    /// The steps that one input led to, as lines of text.
    Steps(String),
    /// The steps after `to_step` no longer count.
    Undo {
        /// The last step that still counts.
        to_step: u32,
        /// Whether something that had been revealed (a die, a card) was undone.
        crossed: bool,
    },
}

/// An entry to be added to a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Append {
    /// The match.
    pub match_id: String,
    /// The entry; its `seq` must be one more than the match's revision.
    pub entry: Entry,
    /// Where the match stands with it.
    pub summary: Summary,
    /// What follows from it, written in the same transaction: all of it or nothing.
    pub effects: Vec<Effect>,
}

/// A match that came to a result, for statistics.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinishedMatch {
    /// The match.
    pub match_id: String,
    /// Which game.
    pub game: String,
    /// The options as JSON.
    pub options: String,
    /// The word of the result.
    pub result: String,
    /// How each seat fared.
    pub standings: String,
    /// When the entry with the result was made, milliseconds since 1970.
    pub finished_at: u64,
}

/// Refuses what no store should take in: a journal with gaps, a revision that is not its end, or a
/// seat twice. Checked in one place, so that all stores refuse the same.
pub(crate) fn check_new(record: &MatchRecord, journal: &[Entry]) -> Result<(), StoreError> {
    let refuse = |why: String| Err(StoreError::Invalid(format!("the new match {}: {why}", record.id)));
    if record.id.is_empty() {
        return refuse("its id is empty".into());
    }
    let mut last = 0;
    let mut requests = std::collections::HashSet::new();
    for entry in journal {
        if let Some(request) = entry.request.as_ref().filter(|request| !requests.insert(*request)) {
            return refuse(format!("its journal has the request {request:?} twice"));
        }
        if u64::from(entry.seq) != u64::from(last) + 1 {
            return refuse(format!("entry {} of its journal follows entry {last}", entry.seq));
        }
        last = entry.seq;
    }
    if record.revision != last {
        return refuse(format!("its revision is {} but its journal ends at {last}", record.revision));
    }
    for (i, seat) in record.seats.iter().enumerate() {
        if record.seats[..i].iter().any(|other| other.seat == seat.seat) {
            return refuse(format!("it has seat {} twice", seat.seat));
        }
    }
    Ok(())
}

/// Refuses an outage that ends before it begins.
pub(crate) fn check_outage(outage: Outage) -> Result<(), StoreError> {
    match outage.began <= outage.ended {
        true => Ok(()),
        false => Err(StoreError::Invalid(format!("an outage from {} to {}", outage.began, outage.ended))),
    }
}

// Anybody with the tokens or the header can open a match, and what is printed for debugging ends up in
// logs: so these two print themselves without their secrets.

impl fmt::Debug for MatchRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MatchRecord")
            .field("id", &self.id)
            .field("game", &self.game)
            .field("name", &self.name)
            .field("setup", &self.setup)
            .field("header", &format_args!("({} bytes)", self.header.len()))
            .field("options", &self.options)
            .field("origin", &self.origin)
            .field("created_at", &self.created_at)
            .field("changed_at", &self.changed_at)
            .field("deleted_at", &self.deleted_at)
            .field("revision", &self.revision)
            .field("pace", &self.pace)
            .field("lesson", &self.lesson)
            .field("summary", &self.summary)
            .field("seats", &self.seats)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for SeatRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SeatRecord")
            .field("seat", &self.seat)
            .field("word", &self.word)
            .field("player", &self.player)
            .field("claimed_at", &self.claimed_at)
            .field("seen", &self.seen)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debugging_output_keeps_the_secrets() {
        let record = MatchRecord {
            header: "hush1".into(),
            viewer_token: "hush2".into(),
            seats: vec![SeatRecord { token: "hush3".into(), ..SeatRecord::default() }],
            ..MatchRecord::default()
        };
        assert!(!format!("{record:?}").contains("hush"));
    }
}
