//! A store that passes everything on to another, so that tests can step in between.

use store::{
    Append, AppendOutcome, Counts, Deadline, Effect, Entry, FinishedMatch, MatchRecord, Notice, NoticeState,
    Outage, Player, RatedMatch, Shelf, Store, StoreError,
};

/// What happens around each call.
pub trait Between: Send + Sync {
    /// Does `call` with the store behind.
    fn with<T>(&self, call: impl FnOnce(&dyn Store) -> T) -> T;

    /// Told of each time that what seats have seen is written.
    fn seen(&self) {}

    /// Told of each group before it is passed on; an error stops it.
    fn group(&self, _group: &[Append]) -> Result<(), StoreError> {
        Ok(())
    }
}

/// The store with something in between.
pub struct Via<B>(pub B);

impl<B: Between> Store for Via<B> {
    fn create_with(
        &self,
        record: &MatchRecord,
        journal: &[Entry],
        effects: &[Effect],
    ) -> Result<(), StoreError> {
        self.0.with(|store| store.create_with(record, journal, effects))
    }
    fn append(&self, group: &[Append]) -> Result<Vec<AppendOutcome>, StoreError> {
        self.0.group(group)?;
        self.0.with(|store| store.append(group))
    }
    fn find(&self, id: &str) -> Result<Option<MatchRecord>, StoreError> {
        self.0.with(|store| store.find(id))
    }
    fn journal(&self, id: &str) -> Result<Vec<Entry>, StoreError> {
        self.0.with(|store| store.journal(id))
    }
    fn list(&self, deleted: bool) -> Result<Vec<MatchRecord>, StoreError> {
        self.0.with(|store| store.list(deleted))
    }
    fn counts(&self) -> Result<Counts, StoreError> {
        self.0.with(|store| store.counts())
    }
    fn page(&self, shelf: Shelf, from: usize, most: usize) -> Result<Vec<MatchRecord>, StoreError> {
        self.0.with(|store| store.page(shelf, from, most))
    }
    fn rename(&self, id: &str, name: &str) -> Result<bool, StoreError> {
        self.0.with(|store| store.rename(id, name))
    }
    fn set_pace(&self, id: &str, pace: &str) -> Result<bool, StoreError> {
        self.0.with(|store| store.set_pace(id, pace))
    }
    fn set_lesson(&self, id: &str, lesson: &str) -> Result<bool, StoreError> {
        self.0.with(|store| store.set_lesson(id, lesson))
    }
    fn mark_deleted(&self, id: &str, at: Option<u64>) -> Result<bool, StoreError> {
        self.0.with(|store| store.mark_deleted(id, at))
    }
    fn purge(&self, deleted_before: u64) -> Result<usize, StoreError> {
        self.0.with(|store| store.purge(deleted_before))
    }
    fn claim(&self, id: &str, seat: u8, at: u64) -> Result<bool, StoreError> {
        self.0.with(|store| store.claim(id, seat, at))
    }
    fn set_seen(&self, group: &[(String, u8, u32)]) -> Result<(), StoreError> {
        self.0.seen();
        self.0.with(|store| store.set_seen(group))
    }
    fn set_token(&self, id: &str, seat: Option<u8>, token: &str) -> Result<bool, StoreError> {
        self.0.with(|store| store.set_token(id, seat, token))
    }
    fn forks(&self) -> Result<Vec<(String, String)>, StoreError> {
        self.0.with(|store| store.forks())
    }
    fn set_player(
        &self,
        id: &str,
        seat: u8,
        player: &Player,
        to_move: &str,
        owner_to_move: bool,
    ) -> Result<bool, StoreError> {
        self.0.with(|store| store.set_player(id, seat, player, to_move, owner_to_move))
    }
    fn setting(&self, key: &str) -> Result<Option<String>, StoreError> {
        self.0.with(|store| store.setting(key))
    }
    fn set_setting(&self, key: &str, value: &str) -> Result<(), StoreError> {
        self.0.with(|store| store.set_setting(key, value))
    }
    fn swap_setting(&self, key: &str, before: Option<&str>, value: &str) -> Result<bool, StoreError> {
        self.0.with(|store| store.swap_setting(key, before, value))
    }
    fn finished(&self) -> Result<Vec<FinishedMatch>, StoreError> {
        self.0.with(|store| store.finished())
    }
    fn deadlines(&self, until: u64, most: usize) -> Result<Vec<Deadline>, StoreError> {
        self.0.with(|store| store.deadlines(until, most))
    }
    fn set_deadline(&self, id: &str, revision: u32, deadline: Option<(u8, u64)>) -> Result<bool, StoreError> {
        self.0.with(|store| store.set_deadline(id, revision, deadline))
    }
    fn notices(&self, id: &str) -> Result<Vec<(Notice, NoticeState)>, StoreError> {
        self.0.with(|store| store.notices(id))
    }
    fn rated(&self, after: u64, most: usize) -> Result<Vec<RatedMatch>, StoreError> {
        self.0.with(|store| store.rated(after, most))
    }
    fn add_outage(&self, outage: Outage) -> Result<(), StoreError> {
        self.0.with(|store| store.add_outage(outage))
    }
    fn outages(&self, ended_after: u64) -> Result<Vec<Outage>, StoreError> {
        self.0.with(|store| store.outages(ended_after))
    }
}
