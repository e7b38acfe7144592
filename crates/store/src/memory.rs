//! Matches in memory only.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::ledger_memory::Work;
use crate::meeting::Meeting;
use crate::orders_memory::KeptOrders;
use crate::people_memory::Persons;
use crate::rating_book_memory::Book;
use crate::record::{check_new, check_outage};
use crate::sharing_memory::Sharing;
use crate::tournament_memory::Cups;
use crate::{
    AccountId, Append, AppendOutcome, Counts, Deadline, Effect, Entry, FinishedMatch, MatchRecord, Notice,
    NoticeState, Outage, Player, RatedMatch, SeatRecord, Shelf, Store, StoreError, Summary,
};

/// Matches in memory: gone with the process. For tests, and for work that one process does at a stretch.
#[derive(Default)]
pub struct MemoryStore {
    inner: Mutex<Inner>,
    journals_read: AtomicUsize,
}

#[derive(Default)]
pub(crate) struct Inner {
    matches: BTreeMap<String, Kept>,
    settings: BTreeMap<String, String>,
    rated: Vec<RatedMatch>,
    outages: Vec<Outage>,
    /// None until accounts are used.
    pub(crate) persons: Option<Persons>,
    pub(crate) book: Book,
    pub(crate) cups: Cups,
    /// Whether anybody has ever given an order.
    pub(crate) has_orders: bool,
    pub(crate) meeting: Meeting,
    pub(crate) work: Work,
    pub(crate) sharing: Sharing,
}

struct Kept {
    record: MatchRecord,
    journal: Vec<Entry>,
    finished_at: Option<u64>,
    /// Seat, time and revision.
    deadline: Option<(u8, u64, u32)>,
    /// By account, seat, stint and kind.
    notices: BTreeMap<(AccountId, u8, u32, String), (Notice, NoticeState)>,
    orders: KeptOrders,
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

    /// The orders of a match.
    pub(crate) fn orders_mut(&mut self, id: &str) -> Option<&mut KeptOrders> {
        self.matches.get_mut(id).map(|kept| &mut kept.orders)
    }

    /// The orders of all matches.
    pub(crate) fn all_orders(&mut self) -> impl Iterator<Item = &mut KeptOrders> {
        self.matches.values_mut().map(|kept| &mut kept.orders)
    }

    /// The running matches that wait for a seat whose orders may answer.
    pub(crate) fn awaiting_orders(&self) -> Vec<String> {
        let waits = |kept: &&Kept| {
            let summary = &kept.record.summary;
            let is_open = kept.record.deleted_at.is_none() && summary.result.is_none();
            is_open && kept.orders.runs(summary.mover)
        };
        self.matches.values().filter(waits).map(|kept| kept.record.id.clone()).collect()
    }

    /// A match, to be changed.
    pub(crate) fn record_mut(&mut self, id: &str) -> Option<&mut MatchRecord> {
        self.matches.get_mut(id).map(|kept| &mut kept.record)
    }
}

impl Kept {
    fn append(&mut self, entry: &Entry, summary: &Summary, effects: &[Effect]) -> AppendOutcome {
        let repeated = |known: &&Entry| known.request.is_some() && known.request == entry.request;
        if let Some(known) = self.journal.iter().find(repeated) {
            return AppendOutcome::Repeated(known.seq);
        }
        let is_current = |effect: &Effect| match effect {
            Effect::Order { seat, book, .. } => self.orders.is_current(*seat, book),
            _ => true,
        };
        if self.record.revision.checked_add(1) != Some(entry.seq) || !effects.iter().all(is_current) {
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

    /// Keeps what follows from the last entry, and returns what counts for ratings.
    fn follow(&mut self, at: u64, effects: &[Effect]) -> Vec<RatedMatch> {
        let mut rated = Vec::new();
        for effect in effects {
            match effect {
                Effect::Player { seat, player } => {
                    if let Some(seat) = seat_of(&mut self.record, *seat) {
                        seat.player = player.clone();
                    }
                }
                Effect::Deadline { seat, at } => self.deadline = Some((*seat, *at, self.record.revision)),
                Effect::NoDeadline => self.deadline = None,
                Effect::Notice(notice) => {
                    let key = (notice.account, notice.seat, notice.stint, notice.kind.clone());
                    self.notices.entry(key).or_insert_with(|| (notice.clone(), NoticeState::Waiting));
                }
                Effect::Moot { seat, stint } => {
                    let of_stint = self
                        .notices
                        .values_mut()
                        .filter(|(told, _)| (told.seat, told.stint) == (*seat, *stint));
                    for (_, state) in of_stint.filter(|(_, state)| *state == NoticeState::Waiting) {
                        *state = NoticeState::Moot;
                    }
                }
                Effect::Rating { account, standing } => rated.push(RatedMatch {
                    number: 0,
                    match_id: self.record.id.clone(),
                    game: self.record.game.clone(),
                    account: *account,
                    standing: standing.clone(),
                    at,
                }),
                Effect::Order { seat, book, answer, steps } => {
                    self.orders.put(*seat, book, answer.as_ref(), Some(*steps));
                }
            }
        }
        rated
    }
}

impl Inner {
    /// Counts a match for ratings, once for each account.
    fn rate(&mut self, rated: Vec<RatedMatch>) {
        for new in rated {
            let same = |known: &RatedMatch| (&known.match_id, known.account) == (&new.match_id, new.account);
            if !self.rated.iter().any(same) {
                let number = self.rated.len() as u64 + 1;
                self.rated.push(RatedMatch { number, ..new });
            }
        }
    }
}

fn seat_of(record: &mut MatchRecord, seat: u8) -> Option<&mut SeatRecord> {
    record.seats.iter_mut().find(|s| s.seat == seat)
}

impl Store for MemoryStore {
    fn create_with(
        &self,
        record: &MatchRecord,
        journal: &[Entry],
        effects: &[Effect],
    ) -> Result<(), StoreError> {
        check_new(record, journal)?;
        let mut inner = self.inner();
        if inner.matches.contains_key(&record.id) {
            return Err(StoreError::Exists { id: record.id.clone() });
        }
        let mut record = record.clone();
        record.seats.sort_by_key(|s| s.seat);
        let finished_at = record.summary.result.is_some().then_some(record.changed_at);
        let (id, at) = (record.id.clone(), record.changed_at);
        let (journal, notices) = (journal.to_vec(), BTreeMap::new());
        let mut kept =
            Kept { record, journal, finished_at, deadline: None, notices, orders: KeptOrders::default() };
        let rated = kept.follow(at, effects);
        inner.matches.insert(id, kept);
        inner.rate(rated);
        Ok(())
    }

    fn append(&self, group: &[Append]) -> Result<Vec<AppendOutcome>, StoreError> {
        let mut inner = self.inner();
        let mut outcomes = Vec::with_capacity(group.len());
        for append in group {
            let Some(kept) = inner.matches.get_mut(&append.match_id) else {
                outcomes.push(AppendOutcome::Missing);
                continue;
            };
            let outcome = kept.append(&append.entry, &append.summary, &append.effects);
            if outcome == AppendOutcome::Written {
                let rated = kept.follow(append.entry.at, &append.effects);
                inner.rate(rated);
            }
            outcomes.push(outcome);
        }
        Ok(outcomes)
    }

    fn find(&self, id: &str) -> Result<Option<MatchRecord>, StoreError> {
        Ok(self.inner().matches.get(id).map(|kept| kept.record.clone()))
    }

    fn journal(&self, id: &str) -> Result<Vec<Entry>, StoreError> {
        self.journals_read.fetch_add(1, Ordering::Relaxed);
        Ok(self.inner().matches.get(id).map(|kept| kept.journal.clone()).unwrap_or_default())
    }

    fn journal_after(&self, id: &str, after: u32) -> Result<Vec<Entry>, StoreError> {
        let inner = self.inner();
        let journal = inner.matches.get(id).map_or(&[][..], |kept| &kept.journal);
        Ok(journal.iter().filter(|entry| entry.seq > after).cloned().collect())
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
        let Inner { matches, meeting, sharing, .. } = &mut *inner;
        meeting.keep_matches(|id| matches.contains_key(id));
        sharing.keep_matches(|id| matches.contains_key(id));
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

    fn swap_setting(&self, key: &str, before: Option<&str>, value: &str) -> Result<bool, StoreError> {
        let settings = &mut self.inner().settings;
        let is_so = settings.get(key).map(String::as_str) == before;
        if is_so {
            settings.insert(key.into(), value.into());
        }
        Ok(is_so)
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

    fn deadlines(&self, until: u64, most: usize) -> Result<Vec<Deadline>, StoreError> {
        let inner = self.inner();
        let there = inner.matches.values().filter(|kept| kept.record.deleted_at.is_none());
        let due = there.filter_map(|kept| {
            let (seat, at, revision) = kept.deadline.filter(|(_, at, _)| *at <= until)?;
            Some(Deadline { match_id: kept.record.id.clone(), seat, at, revision })
        });
        let mut due: Vec<_> = due.collect();
        due.sort_by(|a, b| (a.at, &a.match_id).cmp(&(b.at, &b.match_id)));
        due.truncate(most);
        Ok(due)
    }

    fn set_deadline(&self, id: &str, revision: u32, deadline: Option<(u8, u64)>) -> Result<bool, StoreError> {
        let mut inner = self.inner();
        let kept = inner.matches.get_mut(id).filter(|kept| kept.record.revision == revision);
        Ok(kept.map(|kept| kept.deadline = deadline.map(|(seat, at)| (seat, at, revision))).is_some())
    }

    fn notices(&self, id: &str) -> Result<Vec<(Notice, NoticeState)>, StoreError> {
        let inner = self.inner();
        Ok(inner.matches.get(id).map(|kept| kept.notices.values().cloned().collect()).unwrap_or_default())
    }

    fn rated(&self, after: u64, most: usize) -> Result<Vec<RatedMatch>, StoreError> {
        let inner = self.inner();
        Ok(inner.rated.iter().filter(|rated| rated.number > after).take(most).cloned().collect())
    }

    fn add_outage(&self, outage: Outage) -> Result<(), StoreError> {
        check_outage(outage)?;
        let mut inner = self.inner();
        if !inner.outages.contains(&outage) {
            inner.outages.push(outage);
            inner.outages.sort_by_key(|outage| (outage.began, outage.ended));
        }
        Ok(())
    }

    fn outages(&self, ended_after: u64) -> Result<Vec<Outage>, StoreError> {
        Ok(self.inner().outages.iter().filter(|outage| outage.ended > ended_after).copied().collect())
    }
}
