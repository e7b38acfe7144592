//! Matches in a database: what is the same in every kind of it.

mod effects;
mod read;
mod write;

pub use effects::{Following, brings_current_books, write_effects};
pub(crate) use read::{setting, time as to_time};
pub use write::EntryRow;
pub(crate) use write::{add_outage, append, set_setting, time as to_stored};

use crate::record::{check_new, check_outage};
use crate::sql::Database;
use crate::{
    Append, AppendOutcome, Counts, Deadline, Effect, Entry, FinishedMatch, MatchRecord, Notice, NoticeState,
    Outage, Player, RatedMatch, Shelf, Store, StoreError,
};

impl<D: Database> Store for D {
    fn create_with(
        &self,
        record: &MatchRecord,
        journal: &[Entry],
        effects: &[Effect],
    ) -> Result<(), StoreError> {
        check_new(record, journal)?;
        match self.write(|c| write::create(c, record, journal, effects))? {
            true => Ok(()),
            false => Err(StoreError::Exists { id: record.id.clone() }),
        }
    }

    fn append(&self, group: &[Append]) -> Result<Vec<AppendOutcome>, StoreError> {
        match group.is_empty() {
            true => Ok(Vec::new()),
            false => self.append_group(group),
        }
    }

    fn find(&self, id: &str) -> Result<Option<MatchRecord>, StoreError> {
        self.read(|c| read::find(c, id))
    }

    fn journal(&self, id: &str) -> Result<Vec<Entry>, StoreError> {
        self.read(|c| read::journal(c, id))
    }

    fn journal_after(&self, id: &str, after: u32) -> Result<Vec<Entry>, StoreError> {
        self.read(|c| read::journal_after(c, id, after))
    }

    fn glance(&self, ids: &[String]) -> Result<Vec<MatchRecord>, StoreError> {
        match ids.is_empty() {
            true => Ok(Vec::new()),
            false => self.read(|c| read::glance(c, ids)),
        }
    }

    fn list(&self, deleted: bool) -> Result<Vec<MatchRecord>, StoreError> {
        self.read(if deleted { read::bin } else { read::list })
    }

    fn counts(&self) -> Result<Counts, StoreError> {
        self.read(read::counts)
    }

    fn page(&self, shelf: Shelf, from: usize, most: usize) -> Result<Vec<MatchRecord>, StoreError> {
        self.read(|c| read::page(c, shelf, from, most))
    }

    fn rename(&self, id: &str, name: &str) -> Result<bool, StoreError> {
        self.write(|c| write::rename(c, id, name))
    }

    fn set_pace(&self, id: &str, pace: &str) -> Result<bool, StoreError> {
        self.write(|c| write::set_pace(c, id, pace))
    }

    fn set_lesson(&self, id: &str, lesson: &str) -> Result<bool, StoreError> {
        self.write(|c| write::set_lesson(c, id, lesson))
    }

    fn mark_deleted(&self, id: &str, at: Option<u64>) -> Result<bool, StoreError> {
        self.write(|c| write::mark_deleted(c, id, at))
    }

    fn purge(&self, deleted_before: u64) -> Result<usize, StoreError> {
        self.write(|c| write::purge(c, deleted_before))
    }

    fn claim(&self, id: &str, seat: u8, at: u64) -> Result<bool, StoreError> {
        self.write(|c| write::claim(c, id, seat, at))
    }

    fn set_seen(&self, group: &[(String, u8, u32)]) -> Result<(), StoreError> {
        match group.is_empty() {
            true => Ok(()),
            false => self.write(|c| write::set_seen(c, group)),
        }
    }

    fn set_token(&self, id: &str, seat: Option<u8>, token: &str) -> Result<bool, StoreError> {
        self.write(|c| write::set_token(c, id, seat, token))
    }

    fn forks(&self) -> Result<Vec<(String, String)>, StoreError> {
        self.read(read::forks)
    }

    fn set_player(
        &self,
        id: &str,
        seat: u8,
        player: &Player,
        to_move: &str,
        owner_to_move: bool,
    ) -> Result<bool, StoreError> {
        self.write(|c| write::set_player(c, id, seat, player, (to_move, owner_to_move)))
    }

    fn setting(&self, key: &str) -> Result<Option<String>, StoreError> {
        self.read(|c| setting(c, key))
    }

    fn set_setting(&self, key: &str, value: &str) -> Result<(), StoreError> {
        self.write(|c| set_setting(c, key, value))
    }

    fn swap_setting(&self, key: &str, before: Option<&str>, value: &str) -> Result<bool, StoreError> {
        self.write(|c| write::swap_setting(c, key, before, value))
    }

    fn finished(&self) -> Result<Vec<FinishedMatch>, StoreError> {
        self.read(read::finished)
    }

    fn deadlines(&self, until: u64, most: usize) -> Result<Vec<Deadline>, StoreError> {
        self.read(|c| effects::deadlines(c, until, most))
    }

    fn set_deadline(&self, id: &str, revision: u32, deadline: Option<(u8, u64)>) -> Result<bool, StoreError> {
        self.write(|c| effects::set_deadline(c, id, revision, deadline))
    }

    fn notices(&self, id: &str) -> Result<Vec<(Notice, NoticeState)>, StoreError> {
        self.read(|c| effects::notices(c, id))
    }

    fn rated(&self, after: u64, most: usize) -> Result<Vec<RatedMatch>, StoreError> {
        self.read(|c| effects::rated(c, after, most))
    }

    fn add_outage(&self, outage: Outage) -> Result<(), StoreError> {
        check_outage(outage)?;
        self.write(|c| add_outage(c, outage))
    }

    fn outages(&self, ended_after: u64) -> Result<Vec<Outage>, StoreError> {
        self.read(|c| effects::outages(c, ended_after))
    }
}
