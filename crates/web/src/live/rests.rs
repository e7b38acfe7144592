//! Days of rest: the clock of a seat stands still, and everybody at the table sees until when.

use clocks::HOUR;
use store::{AccountId, TableEvent};

use super::Live;

/// What a rest of an account means for a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RestIn {
    /// Nothing: it has no seat here, no clock runs, or the rest is known.
    Nothing,
    /// It is not allowed here, for this reason.
    Refused(&'static str),
    /// This entry.
    Entry(TableEvent),
}

impl Live {
    /// What it means for the match that the holder of an account rests.
    pub fn rest_of(&self, account: AccountId, from: u64, until: u64) -> RestIn {
        let seat = self.seats.iter().find(|record| record.player.account() == Some(account));
        let proceedings = &self.proceedings;
        let (Some(seat), Some(clock), Some(rules)) = (seat, &proceedings.clock, &proceedings.rules) else {
            return RestIn::Nothing;
        };
        let now = self.now().max(proceedings.last_at);
        // Time is never given back: a rest begins now at the earliest.
        let (seat, from) = (seat.seat, from.max(now));
        let is_known = |(of, begun, end): &(u8, u64, u64)| *of == seat && *begun <= from && *end >= until;
        if self.is_over() || from >= until || proceedings.rests().iter().any(is_known) {
            return RestIn::Nothing;
        }
        if !rules.allows_rest {
            return RestIn::Refused("its rules allow no rest");
        }
        let left = clock.left(seat, now, &proceedings.free(&self.outages()));
        if left < HOUR || proceedings.claimable == Some(seat) {
            return RestIn::Refused("you have less than an hour left there");
        }
        RestIn::Entry(TableEvent::Rest { seat, from, until })
    }

    /// What it means for the match that the holder of an account is back before the end of a rest; `None` if nothing.
    pub fn back_of(&self, account: AccountId, until: u64) -> Option<TableEvent> {
        let seat = self.seats.iter().find(|record| record.player.account() == Some(account))?.seat;
        let now = self.now().max(self.proceedings.last_at);
        let is_it = |(of, _, end): &&(u8, u64, u64)| *of == seat && *end == until && now < until;
        let (_, from, _) = *self.proceedings.rests().iter().find(is_it).filter(|_| !self.is_over())?;
        Some(TableEvent::Rest { seat, from, until: now.max(from) })
    }
}
