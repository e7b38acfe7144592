//! A journal as the text of a save. What happened beside choices becomes comments, which every reader skips.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::sync::Arc;

use kernel::{LoadError, REMARK, Seat, SeatInfo, StateDigest, assemble};
use store::{Entry, EntryKind, MatchRecord};

use super::TAKEBACKS;
use crate::lobby::LobbyError;
use crate::proceedings::{Ending, Proceedings};
use crate::title::Title;

/// The start of a comment about something that happened beside choices: when, and what.
const BESIDE: &str = "# beside: ";
/// The start of the comment about how a match ended, where it was not the game that ended it.
const ENDED: &str = "# ended: ";

/// A journal as the text of a save.
pub struct JournalSave {
    /// The text.
    pub text: String,
    /// How many steps the match had after each entry.
    pub steps_after: Vec<u32>,
    /// What was agreed and decided.
    pub proceedings: Proceedings,
}

/// A record and its journal as the text of a save.
pub fn as_save(record: &MatchRecord, journal: &[Entry], outages: &[(u64, u64)]) -> JournalSave {
    let mut save = SaveLines::default();
    let mut proceedings = Proceedings::new(record.seats.len());
    let mut steps_after = vec![0];
    for entry in journal {
        save.add(entry);
        if let Some(undo) = proceedings.follow(entry, outages) {
            save.undo(undo.to_step, undo.crossed);
        }
        steps_after.push(save.steps.len() as u32);
    }
    let mut log = String::new();
    for line in save.before.iter().chain(save.steps.iter().flatten()) {
        log.push_str(line);
        log.push('\n');
    }
    if let Some(ending) = &proceedings.ended {
        let _ = writeln!(log, "{ENDED}{}", ending.word());
    }
    // The result in a save is the game's own.
    let result = record.summary.result.as_deref().filter(|_| proceedings.ended.is_none());
    // What the players have put into the dice is in the journal, so that it can't be changed any more than a choice.
    let mut header = Cow::Borrowed(record.header.as_str());
    if let Some(sitting) = &proceedings.sitting_down {
        let word = |seat: Seat| {
            let of = record.seats.iter().find(|of| of.seat == seat.0);
            of.map_or("", |of| of.word.as_str())
        };
        sitting.shares().write(word, header.to_mut());
    }
    let text = assemble(&header, save.takebacks, save.steps.len(), &log, result);
    JournalSave { text, steps_after, proceedings }
}

/// Where a match stands when all of it was replayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// How many steps it has.
    pub steps: usize,
    /// The check number of its position.
    pub digest: Option<StateDigest>,
}

/// Replays a stored match from its beginning and compares every check number on the way.
pub fn replay(
    titles: &[Arc<dyn Title>],
    record: &MatchRecord,
    journal: &[Entry],
    outages: &[(u64, u64)],
) -> Result<Replayed, LobbyError> {
    let title = titles.iter().find(|title| title.id() == record.game).ok_or_else(|| {
        LobbyError::Unreadable(format!("{}: there is no game {:?} in this Maproom", record.name, record.game))
    })?;
    let JournalSave { text, proceedings, .. } = as_save(record, journal, outages);
    if let Some(fault) = &proceedings.fault {
        return Err(LobbyError::Unreadable(format!("{}: {fault}", record.name)));
    }
    let opened = title.load(&record.name, &text).map_err(|error| match error {
        LoadError::Unreadable(problems) => LobbyError::Unreadable(format!("{}: {problems}", record.name)),
        LoadError::Parted(parting) => {
            LobbyError::Parted { match_id: Some(record.id.clone()), name: record.name.clone(), parting }
        }
    })?;
    Ok(Replayed { steps: opened.table.steps(), digest: opened.table.digest() })
}

/// A stored match as the text of a save, and how it ended where it was not the game that ended it.
pub fn save_of_stored(record: &MatchRecord, journal: &[Entry]) -> (String, Option<String>) {
    let JournalSave { text, proceedings, .. } = as_save(record, journal, &[]);
    (text, proceedings.ended.map(|ending| ending.word().to_string()))
}

/// The comments of a match for its record: after which step, and the line.
pub fn comments(journal: &[Entry], steps_after: &[u32]) -> Vec<(u32, String)> {
    let beside =
        journal.iter().zip(steps_after.iter().skip(1)).filter_map(|(entry, steps)| match &entry.kind {
            EntryKind::Event(event) => Some((*steps, format!("{BESIDE}{} {event}", entry.at))),
            _ => None,
        });
    beside.collect()
}

/// A save with comments, and with how the match ended.
pub fn with_comments(
    save: &str,
    comments: &[(u32, String)],
    ended: Option<&Ending>,
    seats: &[SeatInfo],
) -> String {
    if comments.is_empty() {
        return save.to_owned();
    }
    let mut out = String::with_capacity(save.len() + 64 * comments.len());
    let mut lines = save.lines().peekable();
    // The head ends with an empty line; steps have none.
    for line in lines.by_ref() {
        out.extend([line, "\n"]);
        if line.is_empty() {
            break;
        }
    }
    let (mut step, mut left) = (0, comments.iter().peekable());
    loop {
        // A remark belongs to the step before it, so it comes first.
        while let Some(remark) = lines.next_if(|line| line.starts_with(REMARK)) {
            out.extend([remark, "\n"]);
        }
        while let Some((_, comment)) = left.next_if(|(after, _)| *after <= step) {
            out.extend([comment, "\n"]);
        }
        let Some(line) = lines.next() else { break };
        if line.starts_with("result: ") {
            out.extend(left.by_ref().flat_map(|(_, comment)| [comment, "\n"]));
        }
        out.extend([line, "\n"]);
        step += u32::from(!line.starts_with('#'));
    }
    out.extend(left.flat_map(|(_, comment)| [comment, "\n"]));
    if let Some(ending) = ended {
        let _ = writeln!(out, "{ENDED}{} ({})", ending.word(), ending.title(seats));
    }
    out
}

/// The lines of a save, as a journal tells them.
#[derive(Default)]
struct SaveLines<'a> {
    /// Comments before the first step.
    before: Vec<Cow<'a, str>>,
    /// The line of each step, its remark if it has one, and what happened beside choices before the next.
    steps: Vec<Vec<Cow<'a, str>>>,
    takebacks: u32,
}

impl<'a> SaveLines<'a> {
    fn add(&mut self, entry: &'a Entry) {
        match &entry.kind {
            EntryKind::Steps(text) => self.add_steps(text),
            EntryKind::Undo { to_step, crossed } => self.undo(*to_step, *crossed),
            EntryKind::Event(event) => {
                let comment = format!("{BESIDE}{} {event}", entry.at);
                self.steps.last_mut().unwrap_or(&mut self.before).push(comment.into());
            }
        }
    }

    fn add_steps(&mut self, text: &'a str) {
        let before = text.lines().find_map(|line| line.strip_prefix(TAKEBACKS)?.parse().ok());
        self.takebacks += before.unwrap_or(0);
        for line in text.lines().filter(|line| !line.is_empty()) {
            match self.steps.last_mut() {
                Some(step) if line.starts_with(REMARK) => step.push(line.into()),
                _ if line.starts_with('#') => {}
                _ => self.steps.push(vec![line.into()]),
            }
        }
    }

    /// Steps that no longer count go; what happened beside them stays.
    fn undo(&mut self, to_step: u32, crossed: bool) {
        self.takebacks += u32::from(crossed);
        let gone = self.steps.split_off(self.steps.len().min(to_step as usize));
        let beside = gone.into_iter().flatten().filter(|line| line.starts_with(BESIDE));
        self.steps.last_mut().unwrap_or(&mut self.before).extend(beside);
    }
}
