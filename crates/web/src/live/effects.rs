//! What follows from an entry and is written with it: deadlines, notices, rows for ratings.

use clocks::{DAY, HOUR, MINUTE, SECOND};
use store::{AccountId, Effect, Entry, EntryKind, Notice, TableEvent};

use super::Live;
use crate::proceedings::Proceedings;

/// It is your turn.
pub const TURN: &str = "turn";
/// Half of the time is gone.
pub const HALF: &str = "half";
/// A fifth of the time is left.
pub const FIFTH: &str = "fifth";
/// An hour is left: the last reminder.
pub const LAST_HOUR: &str = "last";
/// The others made an offer.
pub const OFFER: &str = "offer";
/// Your time has run out.
pub const FLAGGED: &str = "flagged";
/// The match is over.
pub const OVER: &str = "over";

impl Live {
    /// What follows from an entry after which the table stands as `after` says.
    pub(super) fn effects(&self, entry: &Entry, after: &Proceedings, outages: &[(u64, u64)]) -> Vec<Effect> {
        if !after.has_events {
            return Vec::new();
        }
        let mut effects = Vec::new();
        let deadline = after.deadline(outages);
        if let EntryKind::Event(event) = &entry.kind {
            let handed = self.proceedings.handed(event, &self.seats);
            effects.extend(handed.map(|(seat, player)| Effect::Player { seat, player }));
            self.tell_of_event(entry, event, after, &mut effects);
        }
        if after.clock.is_some() || self.proceedings.clock.is_some() {
            effects.push(match deadline {
                Some((seat, at)) => Effect::Deadline { seat, at: at.saturating_add(after.grace()) },
                None => Effect::NoDeadline,
            });
        }
        self.tell_of_turn(entry, after, deadline, &mut effects);
        if let Some(offer) = &self.proceedings.offer
            && after.offer.as_ref().is_none_or(|open| open.number != offer.number)
        {
            effects
                .extend(offer.pending.iter().map(|seat| Effect::Moot { seat: *seat, stint: offer.number }));
        }
        self.tell_of_end(entry, after, &mut effects);
        effects
    }

    fn account(&self, seat: u8) -> Option<AccountId> {
        self.seats.iter().find(|record| record.seat == seat)?.player.account()
    }

    /// Tells the account of a seat; without one there is nobody to tell.
    fn tell(&self, seat: u8, stint: u32, kind: &str, due_at: u64, effects: &mut Vec<Effect>) {
        let kind = kind.to_owned();
        effects.extend(
            self.account(seat).map(|account| Effect::Notice(Notice { account, seat, stint, kind, due_at })),
        );
    }

    /// Those who wait for a turn are told when it comes, and reminded while it lasts.
    fn tell_of_turn(
        &self,
        entry: &Entry,
        after: &Proceedings,
        deadline: Option<(u8, u64)>,
        effects: &mut Vec<Effect>,
    ) {
        if self.proceedings.waits == after.waits {
            return;
        }
        if let Some(wait) = self.proceedings.waits {
            effects.push(Effect::Moot { seat: wait.seat, stint: wait.since });
        }
        let Some(wait) = after.waits else { return };
        let mut tell = |kind: &str, due_at: u64| self.tell(wait.seat, wait.since, kind, due_at, effects);
        tell(TURN, entry.at + patience(after));
        // Nobody has to be reminded in a sitting.
        if let Some((_, at)) = deadline.filter(|_| !is_sitting(after)) {
            let left = at.saturating_sub(entry.at);
            tell(HALF, at - left / 2);
            tell(FIFTH, at - left / 5);
            if left > HOUR {
                tell(LAST_HOUR, at - HOUR);
            }
        }
    }

    fn tell_of_event(
        &self,
        entry: &Entry,
        event: &TableEvent,
        after: &Proceedings,
        effects: &mut Vec<Effect>,
    ) {
        match event {
            TableEvent::Offer { to, .. } => {
                for seat in to {
                    self.tell(*seat, entry.seq, OFFER, entry.at + patience(after), effects);
                }
            }
            TableEvent::Flag { seat, .. } => self.tell(*seat, entry.seq, FLAGGED, entry.at, effects),
            _ => {}
        }
    }

    fn tell_of_end(&self, entry: &Entry, after: &Proceedings, effects: &mut Vec<Effect>) {
        let Some(outcome) = self.outcome_with(after) else { return };
        for seat in &self.seats {
            self.tell(seat.seat, entry.seq, OVER, entry.at, effects);
        }
        let is_rated = after.rules.as_ref().is_some_and(|rules| rules.is_rated);
        let accounts: Option<Vec<AccountId>> =
            self.seats.iter().map(|seat| self.account(seat.seat)).collect();
        // Against a bot of its own, or without a result, nothing is at stake.
        if let Some(accounts) = accounts.filter(|_| is_rated) {
            let rated = accounts
                .into_iter()
                .zip(&outcome.standings)
                .map(|(account, standing)| Effect::Rating { account, standing: standing.to_string() });
            effects.extend(rated);
        }
    }
}

/// Whether the match is played at one sitting.
fn is_sitting(proceedings: &Proceedings) -> bool {
    let settings = proceedings.rules.as_ref().and_then(|rules| rules.settings.as_ref());
    settings.is_some_and(|settings| settings.bank < DAY)
}

/// How long somebody may take to see something for themselves before they are told.
fn patience(proceedings: &Proceedings) -> u64 {
    if is_sitting(proceedings) { 30 * SECOND } else { 3 * MINUTE }
}
