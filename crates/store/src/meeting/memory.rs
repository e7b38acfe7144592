//! What people say, report and gather, in memory: for tests.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::{
    Act, ChatLine, Conduct, Contact, Gathering, Gatherings, MOST_CONTACTS, MOST_GATHERINGS, MOST_LINES,
    MOST_OPEN_REPORTS, Manners, NewAct, NewLine, NewReport, Report, Reported, Room, Said, SeatOffer, Taken,
    Talk,
};
use crate::{AccountId, MemoryStore, StoreError};

/// All of it.
#[derive(Default)]
pub(crate) struct Meeting {
    tables: BTreeMap<String, TableTalk>,
    contacts: Vec<(AccountId, AccountId, Contact)>,
    reports: Vec<Report>,
    silenced: BTreeMap<AccountId, u64>,
    acts: Vec<Act>,
    gatherings: Vec<Gathering>,
}

#[derive(Default)]
struct TableTalk {
    last: u32,
    manners: Manners,
    lines: Vec<ChatLine>,
    heard: BTreeMap<u8, u32>,
    notes: BTreeMap<(u8, Option<AccountId>), String>,
}

impl Meeting {
    /// Forgets the tables of matches that are gone.
    pub(crate) fn keep_matches(&mut self, is_there: impl Fn(&str) -> bool) {
        self.tables.retain(|id, _| is_there(id));
    }

    /// Erases everything of an account.
    pub(crate) fn erase(&mut self, account: AccountId) {
        for table in self.tables.values_mut() {
            table.lines.retain(|line| line.line.account != Some(account));
            table.notes.retain(|(_, of), _| *of != Some(account));
        }
        self.contacts.retain(|(from, to, _)| *from != account && *to != account);
        self.silenced.remove(&account);
        self.reports.retain(|report| report.report.by != account);
        for report in &mut self.reports {
            if report.report.about == Some(account) {
                report.report.text.clear();
                report.report.why.clear();
                if let Some((_, answer)) = &mut report.answer {
                    answer.clear();
                }
            }
        }
        for act in &mut self.acts {
            if act.act.about == Some(account) || act.act.by == Some(account) {
                act.act.note.clear();
            }
        }
        self.gatherings.retain(|gathering| gathering.host != account);
        for seat in self.gatherings.iter_mut().flat_map(|gathering| &mut gathering.seats) {
            if seat.account() == Some(account) {
                seat.taken = None;
            }
            if seat.offer.asked() == Some(account) {
                seat.offer = SeatOffer::Open;
            }
        }
    }
}

impl MemoryStore {
    fn meeting<T>(&self, work: impl FnOnce(&mut Meeting) -> T) -> Result<T, StoreError> {
        Ok(work(&mut self.inner().meeting))
    }

    /// Works on the talk of a match that exists.
    fn talk<T>(&self, id: &str, work: impl FnOnce(&mut TableTalk) -> T) -> Result<Option<T>, StoreError> {
        let mut inner = self.inner();
        if inner.record_mut(id).is_none() {
            return Ok(None);
        }
        Ok(Some(work(inner.meeting.tables.entry(id.to_owned()).or_default())))
    }
}

impl Talk for MemoryStore {
    fn say(&self, line: &NewLine) -> Result<Said, StoreError> {
        let said = self.talk(&line.match_id, |table| {
            if table.lines.iter().filter(|known| known.line.room == line.room).count() >= MOST_LINES {
                return Said::Full;
            }
            table.last += 1;
            table.lines.push(ChatLine { n: table.last, line: line.clone() });
            Said::Kept(table.last)
        });
        Ok(said?.unwrap_or(Said::Missing))
    }

    fn lines(
        &self,
        match_id: &str,
        rooms: &[Room],
        after: u32,
        most: usize,
    ) -> Result<Vec<ChatLine>, StoreError> {
        let read = |table: &mut TableTalk| {
            let wanted = |line: &&ChatLine| line.n > after && rooms.contains(&line.line.room);
            let found: Vec<ChatLine> = table.lines.iter().filter(wanted).cloned().collect();
            found[found.len().saturating_sub(most)..].to_vec()
        };
        Ok(self.talk(match_id, read)?.unwrap_or_default())
    }

    fn line(&self, match_id: &str, n: u32) -> Result<Option<ChatLine>, StoreError> {
        let found = self.talk(match_id, |table| table.lines.iter().find(|line| line.n == n).cloned());
        Ok(found?.flatten())
    }

    fn heard(&self, match_id: &str, seat: u8) -> Result<u32, StoreError> {
        Ok(self.talk(match_id, |table| table.heard.get(&seat).copied())?.flatten().unwrap_or(0))
    }

    fn set_heard(&self, match_id: &str, seat: u8, n: u32) -> Result<bool, StoreError> {
        let set = self.talk(match_id, |table| {
            let heard = table.heard.entry(seat).or_default();
            *heard = n.max(*heard);
        });
        Ok(set?.is_some())
    }

    fn manners(&self, match_id: &str) -> Result<Manners, StoreError> {
        Ok(self.talk(match_id, |table| table.manners)?.unwrap_or_default())
    }

    fn set_manners(&self, match_id: &str, manners: Manners) -> Result<bool, StoreError> {
        Ok(self.talk(match_id, |table| table.manners = manners)?.is_some())
    }

    fn note(&self, match_id: &str, seat: u8, account: Option<AccountId>) -> Result<String, StoreError> {
        let read = |table: &mut TableTalk| {
            let own = table.notes.get(&(seat, account));
            own.or_else(|| table.notes.get(&(seat, None))).cloned()
        };
        Ok(self.talk(match_id, read)?.flatten().unwrap_or_default())
    }

    fn set_note(
        &self,
        match_id: &str,
        seat: u8,
        account: Option<AccountId>,
        text: &str,
    ) -> Result<bool, StoreError> {
        let set = self.talk(match_id, |table| {
            // What they noted as a guest is in it, if they wanted it there.
            table.notes.remove(&(seat, None));
            table.notes.insert((seat, account), text.to_owned())
        });
        Ok(set?.is_some())
    }

    fn said_by(&self, account: AccountId) -> Result<Vec<ChatLine>, StoreError> {
        self.meeting(|meeting| {
            let all = meeting.tables.values().flat_map(|table| &table.lines);
            all.filter(|line| line.line.account == Some(account)).cloned().collect()
        })
    }

    fn noted_by(&self, account: AccountId) -> Result<Vec<(String, u8, String)>, StoreError> {
        self.meeting(|meeting| {
            let notes = meeting.tables.iter().flat_map(|(id, table)| {
                table.notes.iter().map(move |((seat, of), text)| (id, *seat, *of, text))
            });
            let own = notes.filter(|(_, _, of, _)| *of == Some(account));
            own.map(|(id, seat, _, text)| (id.clone(), seat, text.clone())).collect()
        })
    }
}

impl Conduct for MemoryStore {
    fn set_contact(
        &self,
        from: AccountId,
        to: AccountId,
        kind: Contact,
        is_on: bool,
    ) -> Result<bool, StoreError> {
        self.meeting(|meeting| {
            meeting.contacts.retain(|known| *known != (from, to, kind));
            let is_full =
                meeting.contacts.iter().filter(|(of, ..)| *of == from).count() >= MOST_CONTACTS && is_on;
            if is_on && !is_full {
                meeting.contacts.push((from, to, kind));
            }
            !is_full
        })
    }

    fn contacts(&self, from: AccountId) -> Result<Vec<(AccountId, Contact)>, StoreError> {
        self.meeting(|meeting| {
            let own = meeting.contacts.iter().filter(|(of, ..)| *of == from);
            let mut own: Vec<_> = own.map(|(_, to, kind)| (*to, *kind)).collect();
            own.sort_unstable();
            own
        })
    }

    fn has_blocked(&self, from: AccountId, to: AccountId) -> Result<bool, StoreError> {
        self.meeting(|meeting| meeting.contacts.contains(&(from, to, Contact::Block)))
    }

    fn report(&self, report: &NewReport) -> Result<Reported, StoreError> {
        self.meeting(|meeting| {
            let own = meeting.reports.iter().filter(|known| known.report.by == report.by);
            let is_same = |known: &NewReport| known.match_id == report.match_id && known.n == report.n;
            if own.clone().any(|known| is_same(&known.report)) {
                return Reported::Twice;
            }
            if own.filter(|known| known.answer.is_none()).count() >= MOST_OPEN_REPORTS {
                return Reported::TooMany;
            }
            let id = meeting.reports.last().map_or(1, |last| last.id + 1);
            meeting.reports.push(Report { id, report: report.clone(), answer: None });
            Reported::Kept(id)
        })
    }

    fn report_numbered(&self, id: u64) -> Result<Option<Report>, StoreError> {
        self.meeting(|meeting| meeting.reports.iter().find(|report| report.id == id).cloned())
    }

    fn reports(&self, is_answered: bool, most: usize) -> Result<Vec<Report>, StoreError> {
        self.meeting(|meeting| {
            let wanted = meeting.reports.iter().filter(|report| report.answer.is_some() == is_answered);
            let mut wanted: Vec<Report> = wanted.cloned().collect();
            if is_answered {
                wanted.reverse();
            }
            wanted.truncate(most);
            wanted
        })
    }

    fn reports_by(&self, account: AccountId, most: usize) -> Result<Vec<Report>, StoreError> {
        self.meeting(|meeting| {
            let own = meeting.reports.iter().rev().filter(|report| report.report.by == account);
            own.take(most).cloned().collect()
        })
    }

    fn answer_report(&self, id: u64, at: u64, answer: &str) -> Result<bool, StoreError> {
        self.meeting(|meeting| {
            let found = meeting.reports.iter_mut().find(|report| report.id == id && report.answer.is_none());
            found.map(|report| report.answer = Some((at, answer.to_owned()))).is_some()
        })
    }

    fn silence(&self, account: AccountId, until: Option<u64>) -> Result<(), StoreError> {
        self.meeting(|meeting| match until {
            Some(until) => drop(meeting.silenced.insert(account, until)),
            None => drop(meeting.silenced.remove(&account)),
        })
    }

    fn silenced_until(&self, account: AccountId) -> Result<Option<u64>, StoreError> {
        self.meeting(|meeting| meeting.silenced.get(&account).copied())
    }

    fn note_act(&self, act: &NewAct) -> Result<(), StoreError> {
        self.meeting(|meeting| {
            let id = meeting.acts.last().map_or(1, |last| last.id + 1);
            meeting.acts.push(Act { id, act: act.clone() });
        })
    }

    fn acts(&self, before: Option<u64>, most: usize) -> Result<Vec<Act>, StoreError> {
        self.meeting(|meeting| {
            let earlier = meeting.acts.iter().rev().filter(|act| before.is_none_or(|before| act.id < before));
            earlier.take(most).cloned().collect()
        })
    }
}

/// The newest first, and of those made at the same time in the order of their names.
fn newest_first(mut found: Vec<Gathering>) -> Vec<Gathering> {
    found.sort_by(|a, b| (Reverse(a.made_at), &a.id).cmp(&(Reverse(b.made_at), &b.id)));
    found
}

impl Gatherings for MemoryStore {
    fn add_gathering(&self, gathering: &Gathering) -> Result<bool, StoreError> {
        self.meeting(|meeting| {
            let open = meeting
                .gatherings
                .iter()
                .filter(|known| known.host == gathering.host && known.match_id.is_none());
            let has_room = open.count() < MOST_GATHERINGS;
            if has_room {
                meeting.gatherings.push(gathering.clone());
            }
            has_room
        })
    }

    fn gathering(&self, id: &str) -> Result<Option<Gathering>, StoreError> {
        self.meeting(|meeting| meeting.gatherings.iter().find(|known| known.id == id).cloned())
    }

    fn open_gatherings(&self, most: usize) -> Result<Vec<Gathering>, StoreError> {
        self.meeting(|meeting| {
            let open = meeting.gatherings.iter().filter(|known| known.is_listed && known.match_id.is_none());
            let mut open = newest_first(open.cloned().collect());
            open.truncate(most);
            open
        })
    }

    fn gatherings_of(&self, account: AccountId) -> Result<Vec<Gathering>, StoreError> {
        self.meeting(|meeting| {
            let concerns = |known: &&Gathering| {
                let sits = known.seats.iter().any(|seat| {
                    seat.taken == Some(Taken::Account(account)) || seat.offer == SeatOffer::Named(account)
                });
                known.match_id.is_none() && (known.host == account || sits)
            };
            newest_first(meeting.gatherings.iter().filter(concerns).cloned().collect())
        })
    }

    fn gathering_after(&self, match_id: &str) -> Result<Option<Gathering>, StoreError> {
        self.meeting(|meeting| {
            let goes_on =
                |known: &&Gathering| known.match_id.is_none() && known.again.as_deref() == Some(match_id);
            newest_first(meeting.gatherings.iter().filter(goes_on).cloned().collect()).into_iter().next()
        })
    }

    fn change_gathering(&self, gathering: &Gathering) -> Result<bool, StoreError> {
        self.meeting(|meeting| {
            let is_meant =
                |known: &&mut Gathering| known.id == gathering.id && known.revision == gathering.revision;
            let found = meeting.gatherings.iter_mut().find(is_meant);
            found
                .map(|known| {
                    known.revision += 1;
                    known.is_listed = gathering.is_listed;
                    known.match_id.clone_from(&gathering.match_id);
                    known.seats.clone_from(&gathering.seats);
                })
                .is_some()
        })
    }

    fn remove_gathering(&self, id: &str) -> Result<bool, StoreError> {
        self.meeting(|meeting| {
            let before = meeting.gatherings.len();
            meeting.gatherings.retain(|known| known.id != id);
            meeting.gatherings.len() < before
        })
    }

    fn forget_gatherings(&self, made_before: u64) -> Result<usize, StoreError> {
        self.meeting(|meeting| {
            let before = meeting.gatherings.len();
            meeting.gatherings.retain(|known| known.made_at >= made_before);
            before - meeting.gatherings.len()
        })
    }
}
