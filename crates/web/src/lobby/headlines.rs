//! What a notice may say about a match, and whether it still has to be said.
//!
//! Asked by the postman from a thread of his own: nothing here waits for a match that somebody is just changing.

use post::Headline;
use store::{AccountId, MatchRecord, NoticeKey, NoticeKind, StoreError};

use super::Lobby;
use crate::proceedings::{Proceedings, Wait};

impl Lobby {
    /// What is public about what a notice is about; `None` if nobody has to be told any more.
    pub(crate) fn headline(&self, key: &NoticeKey) -> Result<Option<Headline>, StoreError> {
        let found = self.store.find(&key.match_id)?;
        if found.is_none() && key.kind == NoticeKind::Invited {
            return self.headline_of_table(key);
        }
        let record = found.filter(|record| record.deleted_at.is_none());
        let Some(record) = record.filter(|record| keeps(record, key.seat, key.account)) else {
            return Ok(None);
        };
        // A game that this program does not know can't be played in it.
        let Ok(title) = self.title(&record.game) else { return Ok(None) };
        let headline = Headline::of_match(&record, title.name());
        let runs = record.summary.result.is_none();
        Ok(match key.kind {
            NoticeKind::Turn | NoticeKind::Half | NoticeKind::Fifth | NoticeKind::Last if runs => {
                let (proceedings, outages) = self.proceedings_of(&record)?;
                let is_awaited = proceedings.waits == Some(Wait { seat: key.seat, since: key.stint });
                let deadline = proceedings.deadline(&outages).filter(|(seat, _)| *seat == key.seat);
                let headline = deadline.map_or(headline.clone(), |(_, at)| headline.until(at));
                is_awaited.then_some(headline)
            }
            NoticeKind::Offer if runs => {
                let offer = self.proceedings_of(&record)?.0.offer;
                let is_open = |number, pending: &[u8]| number == key.stint && pending.contains(&key.seat);
                offer.is_some_and(|offer| is_open(offer.number, &offer.pending)).then_some(headline)
            }
            // Whoever has opened the table has seen the invitation.
            NoticeKind::Invited if runs => {
                let seat = record.seats.iter().find(|seat| seat.seat == key.seat);
                seat.is_some_and(|seat| seat.claimed_at.is_none()).then_some(headline)
            }
            NoticeKind::Started if runs => Some(headline),
            NoticeKind::Over if !runs => Some(headline),
            // Whoever has read on since then has seen it.
            NoticeKind::Chat => {
                let people = self.people.as_ref();
                let heard = people.map(|people| people.heard(&key.match_id, key.seat)).transpose()?;
                heard.is_some_and(|heard| heard <= key.stint).then_some(headline)
            }
            NoticeKind::Flagged => Some(headline),
            _ => None,
        })
    }

    /// The same about a table that gathers: whoever is asked to it and has not answered.
    fn headline_of_table(&self, key: &NoticeKey) -> Result<Option<Headline>, StoreError> {
        let Some(people) = &self.people else { return Ok(None) };
        let Some(table) = people.gathering(&key.match_id)?.filter(|table| table.match_id.is_none()) else {
            return Ok(None);
        };
        let is_asked = table.seats.get(usize::from(key.seat)).is_some_and(|seat| seat.waits_for(key.account));
        let (true, Ok(title)) = (is_asked, self.title(&table.game)) else { return Ok(None) };
        let name = if table.name.is_empty() { &table.setup } else { &table.name };
        let headline = Headline::of_table(&table.id, name, title.name());
        let host = people.account(table.host)?;
        Ok(Some(host.map_or(headline.clone(), |host| headline.by(&host.name))))
    }

    /// Where a match stands, from memory if nobody is changing it here and no other server has, else from its journal; and when the house did not run.
    fn proceedings_of(&self, record: &MatchRecord) -> Result<(Proceedings, Vec<(u64, u64)>), StoreError> {
        let outages = self.house.outages();
        if let Some(found) = self.in_memory(&record.id)
            && let Ok(live) = found.live.try_lock()
            && live.revision >= record.revision
        {
            return Ok((live.proceedings.clone(), outages));
        }
        let journal = self.store.journal(&record.id)?;
        Ok((Proceedings::of(record.seats.len(), &journal, &outages), outages))
    }
}

/// Whether an account keeps a seat.
fn keeps(record: &MatchRecord, seat: u8, account: AccountId) -> bool {
    record.seats.iter().any(|of| of.seat == seat && of.player.account() == Some(account))
}
