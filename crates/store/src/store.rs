//! The `Store` trait.

use crate::{
    Append, Counts, Deadline, Effect, Entry, FinishedMatch, MatchRecord, Notice, NoticeState, Outage, Player,
    RatedMatch, Shelf, StoreError,
};

/// The outcome of one append in a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AppendOutcome {
    /// Written, and durable.
    Written,
    /// Not written: its `seq` is not one more than the revision of the match, so somebody else wrote
    /// to it meanwhile. Load the match anew.
    Conflict,
    /// Not written: there is no such match.
    Missing,
    /// Not written: an entry with the same request is there already, with this number. Whoever sent it is answered as the
    /// first time.
    Repeated(u32),
}

/// A store for matches. All methods block, some until the disk has confirmed: call them from
/// threads that may wait.
///
/// What changes one match says whether there was something to change: `Ok(false)` is "no such match"
/// (or seat). An `Err` means that nothing at all was changed; only after [`StoreError::Unknown`], which a database behind a
/// connection can't avoid, must one look again.
///
/// Matches in the bin stay whole until they are purged: they can be found, renamed and appended to, so
/// that a choice already on its way when somebody deletes a match is there after restoring it.
pub trait Store: Send + Sync {
    /// Stores a new match with its first entries: all of it or nothing, and durable. `revision` must be
    /// the `seq` of the last entry. A match that already has a result counts as finished at its
    /// `changed_at`.
    fn create(&self, record: &MatchRecord, journal: &[Entry]) -> Result<(), StoreError> {
        self.create_with(record, journal, &[])
    }

    /// The same, with what follows from the last entry.
    fn create_with(
        &self,
        record: &MatchRecord,
        journal: &[Entry],
        effects: &[Effect],
    ) -> Result<(), StoreError>;

    /// Adds a group of entries in one durable transaction, in order, and returns the outcome of each. A
    /// conflict of one does not harm the others; with `Err` nothing of the group was written. Two
    /// entries of one match may be in one group.
    fn append(&self, group: &[Append]) -> Result<Vec<AppendOutcome>, StoreError>;

    /// A match, even if it is in the bin.
    fn find(&self, id: &str) -> Result<Option<MatchRecord>, StoreError>;

    /// The journal of a match in order; empty if there is no such match.
    fn journal(&self, id: &str) -> Result<Vec<Entry>, StoreError>;

    /// The entries of a match after the one with this number, in order.
    fn journal_after(&self, id: &str, after: u32) -> Result<Vec<Entry>, StoreError> {
        let mut journal = self.journal(id)?;
        journal.retain(|entry| entry.seq > after);
        Ok(journal)
    }

    /// Some matches, even if they are in the bin, in any order; those that are not there are left out. As in [`list`](Self::list) the
    /// `header` is left empty.
    fn glance(&self, ids: &[String]) -> Result<Vec<MatchRecord>, StoreError> {
        let mut found = Vec::new();
        for id in ids {
            found.extend(self.find(id)?.map(|record| MatchRecord { header: String::new(), ..record }));
        }
        Ok(found)
    }

    /// All matches in the bin, or all that are not; the one that changed last comes first. Their
    /// `header` is left empty, because it can be large.
    fn list(&self, deleted: bool) -> Result<Vec<MatchRecord>, StoreError>;

    /// How many matches there are that are not in the bin.
    fn counts(&self) -> Result<Counts, StoreError>;

    /// Some matches of a shelf, after the first `from` of them, at most `most`. Where it is the owner's turn comes first,
    /// then what changed last. As in [`list`](Self::list) the `header` is left empty.
    fn page(&self, shelf: Shelf, from: usize, most: usize) -> Result<Vec<MatchRecord>, StoreError>;

    /// Gives a match another name.
    fn rename(&self, id: &str, name: &str) -> Result<bool, StoreError>;

    /// Sets how fast bots play in a match. Like a new name, this does not count as a change of the match.
    fn set_pace(&self, id: &str, pace: &str) -> Result<bool, StoreError>;

    /// Stores which lesson a match is played with and how far it was read. Not a change of the match either.
    fn set_lesson(&self, id: &str, lesson: &str) -> Result<bool, StoreError>;

    /// Puts a match in the bin, or with `None` takes it out again.
    fn mark_deleted(&self, id: &str, at: Option<u64>) -> Result<bool, StoreError>;

    /// Removes for good what was put in the bin before `deleted_before`, and says how many matches
    /// that were.
    fn purge(&self, deleted_before: u64) -> Result<usize, StoreError>;

    /// Takes a seat. `true` for the one call that took it: the first claim stays, so that of two who
    /// open the same link at once one learns that the seat was taken.
    fn claim(&self, id: &str, seat: u8, at: u64) -> Result<bool, StoreError>;

    /// Notes how many steps seats have been shown: match, seat, steps. Seats that do not exist are
    /// passed over.
    fn set_seen(&self, group: &[(String, u8, u32)]) -> Result<(), StoreError>;

    /// Replaces the token that opens a seat, or with `None` for the seat the one for watching. Whoever
    /// had the old one is out, so the seat is unclaimed again. An empty token opens nothing.
    fn set_token(&self, id: &str, seat: Option<u8>, token: &str) -> Result<bool, StoreError>;

    /// All matches that were forked from others and are not in the bin: each with the one it comes from.
    fn forks(&self) -> Result<Vec<(String, String)>, StoreError>;

    /// Gives a seat to another player, and says anew who is to move and whether that is the owner, in the same transaction.
    fn set_player(
        &self,
        id: &str,
        seat: u8,
        player: &Player,
        to_move: &str,
        owner_to_move: bool,
    ) -> Result<bool, StoreError>;

    /// The value of a setting, if it was ever set.
    fn setting(&self, key: &str) -> Result<Option<String>, StoreError>;

    /// Sets a setting.
    fn set_setting(&self, key: &str, value: &str) -> Result<(), StoreError>;

    /// Sets a setting that is as whoever asks believes it to be (`None`: it was never set). Whether it was: if not, another server was
    /// quicker, and nothing is changed.
    fn swap_setting(&self, key: &str, before: Option<&str>, value: &str) -> Result<bool, StoreError>;

    /// All matches with a result that are not in the bin, the one that finished first comes first.
    fn finished(&self) -> Result<Vec<FinishedMatch>, StoreError>;

    /// The deadlines up to a time, the nearest first, at most `most`. Matches in the bin have none.
    fn deadlines(&self, until: u64, most: usize) -> Result<Vec<Deadline>, StoreError>;

    /// Sets the deadline of a match at its present revision, or with `None` takes it away: the index made again from the
    /// journal. `false` if the match has moved on since `revision`, which has brought its own.
    fn set_deadline(&self, id: &str, revision: u32, deadline: Option<(u8, u64)>) -> Result<bool, StoreError>;

    /// What the players of a match are or were to be told, by account, seat, stint and kind.
    fn notices(&self, id: &str) -> Result<Vec<(Notice, NoticeState)>, StoreError>;

    /// Matches that count for ratings, after the one with this number, at most `most`.
    fn rated(&self, after: u64, most: usize) -> Result<Vec<RatedMatch>, StoreError>;

    /// Notes that the house did not run for a while.
    fn add_outage(&self, outage: Outage) -> Result<(), StoreError>;

    /// All outages that ended after a time, in order.
    fn outages(&self, ended_after: u64) -> Result<Vec<Outage>, StoreError>;
}
