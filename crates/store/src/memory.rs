//! Matches in memory only.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::people_memory::Persons;
use crate::record::check_new;
use crate::{
    Append, AppendOutcome, Counts, Entry, FinishedMatch, MatchRecord, Player, SeatRecord, Shelf, Store,
    StoreError, Summary,
};

/// Matches in memory: gone with the process. For tests.
#[derive(Default)]
pub struct MemoryStore {
    inner: Mutex<Inner>,
    journals_read: AtomicUsize,
}

#[derive(Default)]
pub(crate) struct Inner {
    matches: BTreeMap<String, Kept>,
    settings: BTreeMap<String, String>,
    /// None until accounts are used.
    pub(crate) persons: Option<Persons>,
}

struct Kept {
    record: MatchRecord,
    journal: Vec<Entry>,
    finished_at: Option<u64>,
}

impl MemoryStore {
    /// An empty store.
    pub fn new() -> MemoryStore {
        MemoryStore::default()
    }

    /// How often a journal was read.
    pub fn journals_read(&self) -> usize {
        self.journals_read.load(Ordering::Relaxed)
    }

    /// A panic elsewhere can't leave a match half changed (each change is a few plain assignments), so
    /// a poisoned lock is taken over.
    pub(crate) fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes one match, if it is there.
    fn change(&self, id: &str, change: impl FnOnce(&mut MatchRecord) -> bool) -> bool {
        self.inner().matches.get_mut(id).is_some_and(|kept| change(&mut kept.record))
    }
}

impl Inner {
    /// The matches that are not in the bin.
    pub(crate) fn records(&self) -> impl Iterator<Item = &MatchRecord> {
        self.matches.values().map(|kept| &kept.record).filter(|record| record.deleted_at.is_none())
    }

    /// A match, to be changed.
    pub(crate) fn record_mut(&mut self, id: &str) -> Option<&mut MatchRecord> {
        self.matches.get_mut(id).map(|kept| &mut kept.record)
    }
}

impl Kept {
    fn append(&mut self, entry: &Entry, summary: &Summary) -> AppendOutcome {
        if self.record.revision.checked_add(1) != Some(entry.seq) {
            return AppendOutcome::Conflict;
        }
        self.finished_at = match (&summary.result, &self.record.summary.result) {
            (None, _) => None,
            (now, before) if now == before => self.finished_at,
            _ => Some(entry.at),
        };
        self.record.revision = entry.seq;
        self.record.changed_at = self.record.changed_at.max(entry.at);
        self.record.summary = summary.clone();
        self.journal.push(entry.clone());
        AppendOutcome::Written
    }
}

fn seat_of(record: &mut MatchRecord, seat: u8) -> Option<&mut SeatRecord> {
    record.seats.iter_mut().find(|s| s.seat == seat)
}

impl Store for MemoryStore {
    fn create(&self, record: &MatchRecord, journal: &[Entry]) -> Result<(), StoreError> {
        check_new(record, journal)?;
        let mut inner = self.inner();
        if inner.matches.contains_key(&record.id) {
            return Err(StoreError::Exists { id: record.id.clone() });
        }
        let mut record = record.clone();
        record.seats.sort_by_key(|s| s.seat);
        let finished_at = record.summary.result.is_some().then_some(record.changed_at);
        inner.matches.insert(record.id.clone(), Kept { record, journal: journal.to_vec(), finished_at });
        Ok(())
    }

    fn append(&self, group: &[Append]) -> Result<Vec<AppendOutcome>, StoreError> {
        let mut inner = self.inner();
        Ok(group
            .iter()
            .map(|append| match inner.matches.get_mut(&append.match_id) {
                None => AppendOutcome::Missing,
                Some(kept) => kept.append(&append.entry, &append.summary),
            })
            .collect())
    }

    fn find(&self, id: &str) -> Result<Option<MatchRecord>, StoreError> {
        Ok(self.inner().matches.get(id).map(|kept| kept.record.clone()))
    }

    fn journal(&self, id: &str) -> Result<Vec<Entry>, StoreError> {
        self.journals_read.fetch_add(1, Ordering::Relaxed);
        Ok(self.inner().matches.get(id).map(|kept| kept.journal.clone()).unwrap_or_default())
    }

    fn list(&self, deleted: bool) -> Result<Vec<MatchRecord>, StoreError> {
        let mut list: Vec<_> = self
            .inner()
            .matches
            .values()
            .filter(|kept| kept.record.deleted_at.is_some() == deleted)
            .map(|kept| MatchRecord { header: String::new(), ..kept.record.clone() })
            .collect();
        list.sort_by(|a, b| {
            let newest = |r: &MatchRecord| Reverse((r.changed_at, r.created_at));
            newest(a).cmp(&newest(b)).then_with(|| a.id.cmp(&b.id))
        });
        Ok(list)
    }

    fn counts(&self) -> Result<Counts, StoreError> {
        let mut counts = Counts::default();
        for kept in self.inner().matches.values().filter(|kept| kept.record.deleted_at.is_none()) {
            let summary = &kept.record.summary;
            let running = summary.result.is_none();
            counts.running += usize::from(running);
            counts.finished += usize::from(!running);
            counts.owner_to_move += usize::from(running && summary.owner_to_move);
        }
        Ok(counts)
    }

    fn page(&self, shelf: Shelf, from: usize, most: usize) -> Result<Vec<MatchRecord>, StoreError> {
        let mut list = self.list(false)?;
        list.retain(|record| record.summary.result.is_some() == (shelf == Shelf::Finished));
        let order = |r: &MatchRecord| (Reverse((r.summary.owner_to_move, r.changed_at)), r.id.clone());
        list.sort_by_key(order);
        Ok(list.into_iter().skip(from).take(most).collect())
    }

    fn rename(&self, id: &str, name: &str) -> Result<bool, StoreError> {
        Ok(self.change(id, |record| {
            record.name = name.into();
            true
        }))
    }

    fn set_pace(&self, id: &str, pace: &str) -> Result<bool, StoreError> {
        Ok(self.change(id, |record| {
            record.pace = pace.into();
            true
        }))
    }

    fn set_lesson(&self, id: &str, lesson: &str) -> Result<bool, StoreError> {
        Ok(self.change(id, |record| {
            record.lesson = lesson.into();
            true
        }))
    }

    fn mark_deleted(&self, id: &str, at: Option<u64>) -> Result<bool, StoreError> {
        Ok(self.change(id, |record| {
            record.deleted_at = at;
            true
        }))
    }

    fn purge(&self, deleted_before: u64) -> Result<usize, StoreError> {
        let mut inner = self.inner();
        let before = inner.matches.len();
        inner.matches.retain(|_, kept| kept.record.deleted_at.is_none_or(|at| at >= deleted_before));
        Ok(before - inner.matches.len())
    }

    fn claim(&self, id: &str, seat: u8, at: u64) -> Result<bool, StoreError> {
        Ok(self.change(id, |record| match seat_of(record, seat) {
            Some(seat) if seat.claimed_at.is_none() => {
                seat.claimed_at = Some(at);
                true
            }
            _ => false,
        }))
    }

    fn set_seen(&self, group: &[(String, u8, u32)]) -> Result<(), StoreError> {
        for (id, seat, steps) in group {
            self.change(id, |record| seat_of(record, *seat).map(|seat| seat.seen = *steps).is_some());
        }
        Ok(())
    }

    fn set_token(&self, id: &str, seat: Option<u8>, token: &str) -> Result<bool, StoreError> {
        Ok(self.change(id, |record| {
            let Some(seat) = seat else {
                record.viewer_token = token.to_owned();
                return true;
            };
            let Some(found) = seat_of(record, seat) else { return false };
            found.token = token.to_owned();
            found.claimed_at = None;
            true
        }))
    }

    fn forks(&self) -> Result<Vec<(String, String)>, StoreError> {
        let inner = self.inner();
        let records = inner.matches.values().map(|kept| &kept.record);
        let forks = records.filter(|record| record.deleted_at.is_none()).filter_map(|record| {
            let origin = record.origin.as_ref()?;
            Some((record.id.clone(), origin.match_id.clone()))
        });
        Ok(forks.collect())
    }

    fn set_player(
        &self,
        id: &str,
        seat: u8,
        player: &Player,
        to_move: &str,
        owner_to_move: bool,
    ) -> Result<bool, StoreError> {
        Ok(self.change(id, |record| {
            let Some(found) = seat_of(record, seat) else { return false };
            found.player = player.clone();
            record.summary.to_move = to_move.to_owned();
            record.summary.owner_to_move = owner_to_move;
            true
        }))
    }

    fn setting(&self, key: &str) -> Result<Option<String>, StoreError> {
        Ok(self.inner().settings.get(key).cloned())
    }

    fn set_setting(&self, key: &str, value: &str) -> Result<(), StoreError> {
        self.inner().settings.insert(key.into(), value.into());
        Ok(())
    }

    fn finished(&self) -> Result<Vec<FinishedMatch>, StoreError> {
        let mut list: Vec<_> = self
            .inner()
            .matches
            .values()
            .filter(|kept| kept.record.deleted_at.is_none())
            .filter_map(|kept| {
                let record = &kept.record;
                Some(FinishedMatch {
                    match_id: record.id.clone(),
                    game: record.game.clone(),
                    options: record.options.clone(),
                    result: record.summary.result.clone()?,
                    standings: record.summary.standings.clone(),
                    finished_at: kept.finished_at?,
                })
            })
            .collect();
        // Stable, so that those of one moment stay in the order of their ids.
        list.sort_by_key(|finished| finished.finished_at);
        Ok(list)
    }
}
