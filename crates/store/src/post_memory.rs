//! Channels and notices in memory only.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::post::{OF_A_STINT, failing_notice};
use crate::{
    AccountId, Addressed, ChannelId, ChannelRecord, Letter, LetterId, MOST_CHANNELS, NewChannel, NoticeKey,
    NoticeState, Post, PostCounts, QueuedNotice, Settled, StoreError, Wishes,
};

/// Channels and notices in memory: gone with the process. For tests.
#[derive(Default)]
pub struct MemoryPost {
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    channels: BTreeMap<ChannelId, ChannelRecord>,
    notices: BTreeMap<NoticeKey, QueuedNotice>,
    deliveries: BTreeMap<(ChannelId, NoticeKey), Delivery>,
    letters: BTreeMap<LetterId, OnItsWay>,
    secrets: BTreeMap<String, String>,
    last_channel: u64,
    last_letter: u64,
}

struct Delivery {
    due_at: u64,
    letter: Option<LetterId>,
}

struct OnItsWay {
    channel: ChannelId,
    made_at: u64,
    due_at: u64,
    tries: u32,
}

impl MemoryPost {
    /// An empty store.
    pub fn new() -> MemoryPost {
        MemoryPost::default()
    }

    /// Each change is a few plain assignments, so a poisoned lock is taken over.
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    fn own(&mut self, account: AccountId, id: ChannelId) -> Option<&mut ChannelRecord> {
        self.channels.get_mut(&id).filter(|record| record.channel.account == account)
    }

    /// Gives deliveries up, and with the last delivery of a notice the notice, unless another channel has sent it.
    fn drop_deliveries(&mut self, mut which: impl FnMut(ChannelId, &NoticeKey) -> bool, state: NoticeState) {
        let mut dropped = Vec::new();
        self.deliveries.retain(|(channel, key), _| {
            let drop = which(*channel, key);
            if drop {
                dropped.push(key.clone());
            }
            !drop
        });
        for key in dropped {
            let others = self.deliveries.keys().any(|(_, other)| *other == key);
            if let Some(notice) = self.notices.get_mut(&key)
                && notice.state == NoticeState::Addressed
                && !others
            {
                notice.state = state;
            }
        }
        let full: BTreeSet<LetterId> = self.deliveries.values().filter_map(|one| one.letter).collect();
        self.letters.retain(|id, _| full.contains(id));
    }

    fn in_letter(&self, letter: LetterId) -> Vec<NoticeKey> {
        let of_it = self.deliveries.iter().filter(|(_, one)| one.letter == Some(letter));
        of_it.map(|((_, key), _)| key.clone()).collect()
    }

    fn remove_channel(&mut self, id: ChannelId, state: NoticeState) {
        self.drop_deliveries(|channel, _| channel == id, state);
        self.channels.remove(&id);
    }

    fn settle(&mut self, letter: LetterId, settled: &Settled) -> bool {
        let Some(channel) = self.letters.get(&letter).map(|found| found.channel) else { return false };
        let keys = self.in_letter(letter);
        match settled {
            Settled::Sent => {
                for key in &keys {
                    if let Some(notice) = self.notices.get_mut(key) {
                        notice.state = NoticeState::Sent;
                    }
                }
                self.drop_deliveries(|of, key| of == channel && keys.contains(key), NoticeState::Sent);
                self.note_error(channel, "", None);
            }
            Settled::Again { at, error } => {
                self.count_try(letter, &keys);
                if let Some(found) = self.letters.get_mut(&letter) {
                    found.due_at = *at;
                }
                self.note_error(channel, error, None);
            }
            Settled::Failing { at, error, tell } => {
                self.count_try(letter, &keys);
                self.note_error(channel, error, Some(*at));
                self.drop_deliveries(|of, _| of == channel, NoticeState::Failed);
                if let Some(record) = self.channels.get(&channel) {
                    let key = failing_notice(record, *at);
                    self.hand(&key, tell);
                }
            }
            Settled::Gone => self.remove_channel(channel, NoticeState::Failed),
        }
        true
    }

    fn count_try(&mut self, letter: LetterId, keys: &[NoticeKey]) {
        let Some(found) = self.letters.get_mut(&letter) else { return };
        found.tries += 1;
        let tries = found.tries;
        for key in keys {
            if let Some(notice) = self.notices.get_mut(key) {
                notice.tries = notice.tries.max(tries);
            }
        }
    }

    fn note_error(&mut self, channel: ChannelId, error: &str, failing_since: Option<u64>) {
        if let Some(record) = self.channels.get_mut(&channel) {
            record.error = error.to_owned();
            record.failing_since = failing_since;
        }
    }

    fn address(&mut self, Addressed { key, channels }: &Addressed) -> bool {
        match self.notices.get(key) {
            Some(notice) if notice.state == NoticeState::Waiting => {}
            _ => return false,
        }
        let handed = self.hand(key, channels);
        if let Some(notice) = self.notices.get_mut(key) {
            notice.state = if handed { NoticeState::Addressed } else { NoticeState::Moot };
        }
        true
    }

    /// Makes deliveries for the channels that are there, and says whether there were any.
    fn hand(&mut self, key: &NoticeKey, channels: &[(ChannelId, u64)]) -> bool {
        let there: Vec<_> = channels.iter().filter(|(id, _)| self.channels.contains_key(id)).collect();
        for (channel, due_at) in &there {
            let delivery = Delivery { due_at: *due_at, letter: None };
            self.deliveries.insert((*channel, key.clone()), delivery);
        }
        !there.is_empty()
    }

    fn queue(&mut self, key: &NoticeKey, due_at: u64) -> bool {
        let new = !self.notices.contains_key(key);
        if new {
            let notice = QueuedNotice { key: key.clone(), due_at, state: NoticeState::Waiting, tries: 0 };
            self.notices.insert(key.clone(), notice);
        }
        new
    }
}

impl Post for MemoryPost {
    fn add_channel(&self, channel: &NewChannel) -> Result<Option<ChannelId>, StoreError> {
        let mut inner = self.inner();
        let same = |other: &NewChannel| {
            (other.account, other.kind, &other.address) == (channel.account, channel.kind, &channel.address)
        };
        let id = match inner.channels.values().find(|record| same(&record.channel)) {
            Some(found) => found.id,
            None => {
                let own = inner.channels.values().filter(|record| record.channel.account == channel.account);
                if own.count() >= MOST_CHANNELS {
                    return Ok(None);
                }
                inner.last_channel += 1;
                ChannelId(inner.last_channel)
            }
        };
        let record =
            ChannelRecord { id, channel: channel.clone(), error: String::new(), failing_since: None };
        inner.channels.insert(id, record);
        Ok(Some(id))
    }

    fn channel(&self, id: ChannelId) -> Result<Option<ChannelRecord>, StoreError> {
        Ok(self.inner().channels.get(&id).cloned())
    }

    fn channels(&self, account: AccountId) -> Result<Vec<ChannelRecord>, StoreError> {
        let inner = self.inner();
        Ok(inner.channels.values().filter(|record| record.channel.account == account).cloned().collect())
    }

    fn set_wishes(&self, account: AccountId, id: ChannelId, wishes: &Wishes) -> Result<bool, StoreError> {
        let mut inner = self.inner();
        Ok(inner.own(account, id).map(|record| record.channel.wishes = wishes.clone()).is_some())
    }

    fn mend_channel(&self, account: AccountId, id: ChannelId) -> Result<bool, StoreError> {
        let mut inner = self.inner();
        let own = inner.own(account, id).is_some();
        if own {
            inner.note_error(id, "", None);
        }
        Ok(own)
    }

    fn remove_channel(&self, account: AccountId, id: ChannelId) -> Result<bool, StoreError> {
        let mut inner = self.inner();
        let own = inner.own(account, id).is_some();
        if own {
            inner.remove_channel(id, NoticeState::Moot);
        }
        Ok(own)
    }

    fn forget(&self, account: AccountId) -> Result<(), StoreError> {
        let mut inner = self.inner();
        inner.drop_deliveries(|_, key| key.account == account, NoticeState::Failed);
        inner.channels.retain(|_, record| record.channel.account != account);
        inner.notices.retain(|key, _| key.account != account);
        Ok(())
    }

    fn queue(&self, notices: &[(NoticeKey, u64)]) -> Result<usize, StoreError> {
        let mut inner = self.inner();
        Ok(notices.iter().filter(|(key, due_at)| inner.queue(key, *due_at)).count())
    }

    fn notices(&self, account: AccountId) -> Result<Vec<QueuedNotice>, StoreError> {
        Ok(self.inner().notices.values().filter(|notice| notice.key.account == account).cloned().collect())
    }

    fn due(&self, now: u64, most: usize) -> Result<Vec<QueuedNotice>, StoreError> {
        let inner = self.inner();
        let waits = |notice: &&QueuedNotice| notice.state == NoticeState::Waiting && notice.due_at <= now;
        let mut due: Vec<QueuedNotice> = inner.notices.values().filter(waits).cloned().collect();
        due.sort_by(|a, b| (a.due_at, &a.key).cmp(&(b.due_at, &b.key)));
        due.truncate(most);
        Ok(due)
    }

    fn address(&self, notices: &[Addressed]) -> Result<usize, StoreError> {
        let mut inner = self.inner();
        Ok(notices.iter().filter(|addressed| inner.address(addressed)).count())
    }

    fn cancel_stint(&self, match_id: &str, seat: u8, stint: u32) -> Result<usize, StoreError> {
        let mut inner = self.inner();
        let of_it = |key: &NoticeKey| {
            (key.match_id.as_str(), key.seat, key.stint) == (match_id, seat, stint)
                && OF_A_STINT.contains(&key.kind)
        };
        let open = |inner: &Inner| {
            let open = [NoticeState::Waiting, NoticeState::Addressed];
            inner.notices.values().filter(|one| of_it(&one.key) && open.contains(&one.state)).count()
        };
        let before = open(&inner);
        // What is in a letter may be on the wire already; whoever sends it looks again first.
        let sealed: BTreeSet<_> = inner
            .deliveries
            .iter()
            .filter(|(_, one)| one.letter.is_some())
            .map(|(at, _)| at.clone())
            .collect();
        inner.drop_deliveries(
            |channel, key| of_it(key) && !sealed.contains(&(channel, key.clone())),
            NoticeState::Moot,
        );
        for notice in inner.notices.values_mut() {
            if of_it(&notice.key) && notice.state == NoticeState::Waiting {
                notice.state = NoticeState::Moot;
            }
        }
        Ok(before - open(&inner))
    }

    fn gather(&self, now: u64) -> Result<usize, StoreError> {
        let mut inner = self.inner();
        let busy: BTreeSet<ChannelId> = inner.letters.values().map(|letter| letter.channel).collect();
        let due = inner
            .deliveries
            .iter()
            .filter(|((channel, _), one)| one.due_at <= now && !busy.contains(channel));
        let channels: BTreeSet<ChannelId> = due.map(|((channel, _), _)| *channel).collect();
        for channel in &channels {
            inner.last_letter += 1;
            let id = LetterId(inner.last_letter);
            inner.letters.insert(id, OnItsWay { channel: *channel, made_at: now, due_at: now, tries: 0 });
            for ((of, _), one) in &mut inner.deliveries {
                if of == channel && one.due_at <= now {
                    one.letter = Some(id);
                }
            }
        }
        Ok(channels.len())
    }

    fn claim(&self, now: u64, until: u64) -> Result<Option<Letter>, StoreError> {
        let mut inner = self.inner();
        let due = inner.letters.iter().filter(|(_, letter)| letter.due_at <= now);
        let first = due.min_by_key(|(id, letter)| {
            let kind = inner.channels.get(&letter.channel).map(|record| record.channel.kind.rank());
            (letter.tries, kind, letter.due_at, **id)
        });
        let Some(id) = first.map(|(id, _)| *id) else { return Ok(None) };
        let notices = inner.in_letter(id);
        let Some(letter) = inner.letters.get_mut(&id) else { return Ok(None) };
        letter.due_at = until;
        let (channel, made_at, tries) = (letter.channel, letter.made_at, letter.tries);
        Ok(inner.channels.get(&channel).map(|channel| Letter {
            id,
            channel: channel.clone(),
            notices,
            made_at,
            tries,
        }))
    }

    fn lighten(&self, letter: LetterId, moot: &[NoticeKey]) -> Result<usize, StoreError> {
        let mut inner = self.inner();
        let Some(channel) = inner.letters.get(&letter).map(|found| found.channel) else { return Ok(0) };
        let keys: Vec<NoticeKey> =
            inner.in_letter(letter).into_iter().filter(|key| moot.contains(key)).collect();
        inner.drop_deliveries(|of, key| of == channel && keys.contains(key), NoticeState::Moot);
        Ok(inner.in_letter(letter).len())
    }

    fn settle(&self, letter: LetterId, settled: &Settled) -> Result<bool, StoreError> {
        Ok(self.inner().settle(letter, settled))
    }

    fn purge_notices(&self, due_before: u64) -> Result<usize, StoreError> {
        let mut inner = self.inner();
        let before = inner.notices.len();
        let open = [NoticeState::Waiting, NoticeState::Addressed];
        inner.notices.retain(|_, notice| notice.due_at >= due_before || open.contains(&notice.state));
        Ok(before - inner.notices.len())
    }

    fn post_counts(&self) -> Result<PostCounts, StoreError> {
        let inner = self.inner();
        Ok(PostCounts {
            waiting: inner.notices.values().filter(|notice| notice.state == NoticeState::Waiting).count(),
            letters: inner.letters.len(),
            failing: inner.channels.values().filter(|record| record.failing_since.is_some()).count(),
        })
    }

    fn keep_secret(&self, name: &str, fresh: &str) -> Result<String, StoreError> {
        let mut inner = self.inner();
        Ok(inner.secrets.entry(name.to_owned()).or_insert_with(|| fresh.to_owned()).clone())
    }
}
