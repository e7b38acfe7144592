//! Following what another server has written: its entries are played on the copy here, and shown to those who look on here.

use kernel::{Story, Table, Viewer};
use store::{AccountId, Entry, EntryKind, SeatRecord};

use super::{Live, TAKEBACKS, last_event};
use crate::opponents::bot_name;

/// A match before a change that may have to be taken back. The table shares its history with the one that is changed.
pub struct BeforeChange {
    table: Box<dyn Table>,
    last_event: String,
    shows_last_change: bool,
    seats: Vec<SeatRecord>,
    seat_news: String,
    leaver: Option<(AccountId, u8)>,
}

impl Live {
    /// The match as it is before a change.
    pub fn before_change(&self) -> BeforeChange {
        BeforeChange {
            table: self.table.fork(self.table.steps()),
            last_event: self.last_event.clone(),
            shows_last_change: self.shows_last_change,
            seats: self.seats.clone(),
            seat_news: self.seat_news.clone(),
            leaver: self.leaver,
        }
    }

    /// Takes a change back that was played and not written.
    pub fn restore_before(&mut self, before: BeforeChange) {
        let BeforeChange { table, last_event, shows_last_change, seats, seat_news, leaver } = before;
        (self.table, self.last_event, self.shows_last_change) = (table, last_event, shows_last_change);
        (self.seats, self.seat_news, self.leaver) = (seats, seat_news, leaver);
        self.bots.forget();
    }

    /// Follows the next entry of the journal, which another server has written. An error says that this copy can't: then it is of no
    /// use any more, and the match has to be read again.
    pub fn follow(&mut self, entry: &Entry) -> Result<(), String> {
        if entry.seq != self.revision + 1 {
            return Err(format!("entry {} does not follow {}", entry.seq, self.revision));
        }
        let before = self.table.steps();
        self.seat_as_entered(entry);
        let mut after = self.proceedings.clone();
        let agreed = after.follow(entry, &self.house.outages());
        if let Some(fault) = &after.fault {
            return Err(fault.clone());
        }
        match &entry.kind {
            // Such a comment stands in the first entry only.
            EntryKind::Steps(lines) if lines.starts_with(TAKEBACKS) => {
                return Err("the match begins anew".to_owned());
            }
            EntryKind::Steps(lines) => {
                let mut story = Story::for_viewer(Viewer::Spectator);
                self.table.follow(lines, Some(&mut story))?;
                self.note_last_event(&story);
            }
            EntryKind::Undo { to_step, .. } => self.taken_back(*to_step),
            EntryKind::Event(_) => {}
        }
        if let Some(undo) = agreed {
            self.taken_back(undo.to_step);
        }
        self.orders.follow(before, self.table.steps());
        self.entered(entry, after);
        Ok(())
    }

    /// The seat that changes hands with an entry.
    fn seat_as_entered(&mut self, entry: &Entry) {
        let EntryKind::Event(event) = &entry.kind else { return };
        let Some((seat, player)) = self.proceedings.handed(event, &self.seats) else { return };
        let Some(record) = self.seats.iter_mut().find(|record| record.seat == seat) else { return };
        let title = self.table.seats()[usize::from(seat)].title;
        self.seat_news = match player.bot() {
            Some(bot) => format!("{} now plays {title}", bot_name(bot)),
            None => format!("{title} is played by a person again"),
        };
        record.player = player;
        self.bots.forget();
    }

    fn taken_back(&mut self, to_step: u32) {
        self.table.undo_to(to_step as usize);
        self.shows_last_change = true;
        self.last_event = last_event(&*self.table);
        self.bots.forget();
    }

    /// Shows what was followed.
    pub fn publish_followed(&mut self) {
        // Another server may let bots play as fast as this one.
        self.publish_change(self.bot_to_choose().is_some());
    }
}
