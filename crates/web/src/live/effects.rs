//! What follows from an entry and is written with it: deadlines, notices, rows for ratings.

use clocks::DAY;
use kernel::Seat;
use post::{Tempo, due, plan_stint};
use store::{AccountId, Effect, Entry, EntryKind, Notice, NoticeKind, TableEvent};

use super::Live;
use crate::proceedings::{Proceedings, rests};

impl Live {
    /// What follows from an entry after which the table stands as `after` says.
    /// Where an order `will_answer`, its owner is not told that it is their turn.
    pub(super) fn effects(
        &self,
        entry: &Entry,
        after: &Proceedings,
        outages: &[(u64, u64)],
        will_answer: bool,
    ) -> Vec<Effect> {
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
        self.tell_of_turn(entry, after, deadline, will_answer, &mut effects);
        if let Some(offer) = &self.proceedings.offer
            && after.offer.as_ref().is_none_or(|open| open.number != offer.number)
        {
            effects
                .extend(offer.pending.iter().map(|seat| Effect::Moot { seat: *seat, stint: offer.number }));
        }
        self.tell_of_end(entry, after, &mut effects);
        effects.extend(self.rating_of_leaver(after));
        effects
    }

    /// Those who keep a seat in a match that somebody else has started are asked to it.
    pub fn invitations(&self, by: Option<AccountId>, at: u64) -> Vec<Effect> {
        let mut effects = Vec::new();
        let at = due(tempo(&self.proceedings), at);
        for seat in self.seats.iter().filter(|seat| by.is_none() || seat.player.account() != by) {
            self.tell(seat.seat, 0, NoticeKind::Invited, at, &mut effects);
        }
        effects
    }

    /// How the match is played, as far as notices care.
    pub fn tempo(&self) -> Tempo {
        tempo(&self.proceedings)
    }

    fn account(&self, seat: u8) -> Option<AccountId> {
        self.seats.iter().find(|record| record.seat == seat)?.player.account()
    }

    /// Tells the account of a seat; without one there is nobody to tell.
    fn tell(&self, seat: u8, stint: u32, kind: NoticeKind, due_at: u64, effects: &mut Vec<Effect>) {
        let kind = kind.word().to_owned();
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
        will_answer: bool,
        effects: &mut Vec<Effect>,
    ) {
        let is_new = self.proceedings.waits != after.waits;
        if let Some(wait) = self.proceedings.waits.filter(|_| is_new) {
            effects.push(Effect::Moot { seat: wait.seat, stint: wait.since });
        }
        // Nobody is told for whom a bot plays.
        let is_there = |seat: u8| self.bot_at(Seat(seat)).is_none();
        let Some(wait) = after.waits.filter(|wait| is_there(wait.seat)) else { return };
        // Whoever takes a seat over while it is awaited has not been told.
        let is_handed = match &entry.kind {
            EntryKind::Event(event) => {
                let handed = self.proceedings.handed(event, &self.seats);
                handed.is_some_and(|(seat, _)| seat == wait.seat)
            }
            _ => false,
        };
        let is_first = is_new || is_handed;
        // Time begins to run for whoever is awaited already when the last has sat down, or with the clock.
        let runs = |of: &Proceedings| of.clock.as_ref().is_some_and(|clock| clock.stint().is_some());
        let begins = !runs(&self.proceedings) && runs(after);
        let tempo = tempo(after);
        // Whoever rests hears of it when they are back; and nobody twice, because they have announced a rest.
        let resting = after.resting(wait.seat, entry.at);
        let from = resting.unwrap_or(entry.at);
        let before = self.proceedings.waits.filter(|_| rests(entry, wait.seat) && resting.is_none());
        let begun = before.and_then(|before| self.entered_at.get(before.since.saturating_sub(1) as usize));
        let was_told = begun.is_some_and(|begun| due(tempo, *begun) <= entry.at);
        // While orders answer question after question of a stint there is nothing to tell; with the first that they leave to
        // their owner there is.
        let tells_turn = !will_answer && !was_told && (is_first || self.orders.will_answer());
        // Nobody has to be reminded in a sitting.
        let until = deadline.filter(|_| tempo == Tempo::Slow).map(|(_, at)| at);
        for (kind, at) in plan_stint(tempo, from, until) {
            let is_told = if kind == NoticeKind::Turn { tells_turn } else { is_first || begins };
            if is_told {
                self.tell(wait.seat, wait.since, kind, at, effects);
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
                    self.tell(*seat, entry.seq, NoticeKind::Offer, due(tempo(after), entry.at), effects);
                }
            }
            TableEvent::Flag { seat, .. } => {
                self.tell(*seat, entry.seq, NoticeKind::Flagged, entry.at, effects);
            }
            _ => {}
        }
    }

    fn tell_of_end(&self, entry: &Entry, after: &Proceedings, effects: &mut Vec<Effect>) {
        let Some(outcome) = self.outcome_with(after) else { return };
        for seat in &self.seats {
            self.tell(seat.seat, entry.seq, NoticeKind::Over, entry.at, effects);
        }
        effects.extend(self.ratings_at_end(&outcome));
    }
}

/// Whether the match is played at one sitting.
fn tempo(proceedings: &Proceedings) -> Tempo {
    let settings = proceedings.rules.as_ref().and_then(|rules| rules.settings.as_ref());
    match settings {
        Some(settings) if settings.bank < DAY => Tempo::Sitting,
        _ => Tempo::Slow,
    }
}
