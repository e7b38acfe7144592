//! Matches that count for ratings: what is not done in them, and the rows that are written when they end.
//!
//! A match is rated when the rules of its table say so, and counts when every seat was an account's from its first choice on. The
//! reasons are in `docs/ratings.md`.

use kernel::{Actor, ResultInfo, Seat, Viewer};
use ratings::Finish;
use store::{AccountId, Effect, Player};

use super::Live;
use crate::proceedings::Proceedings;

impl Live {
    /// Whether the table was set up as one that counts.
    pub fn is_rated(&self) -> bool {
        rated(&self.proceedings)
    }

    /// Whether the match will count as it stands: every seat is an account's, or was given up by one.
    pub fn will_count(&self) -> bool {
        let is_taken = |seat: &store::SeatRecord| {
            seat.player.account().is_some() || self.proceedings.gave_up.contains(&seat.seat)
        };
        self.is_rated() && self.seats.iter().all(is_taken)
    }

    /// Whether the player of a seat has chosen anything yet.
    pub fn has_chosen(&self, seat: Seat) -> bool {
        self.table
            .log(0, Viewer::Spectator)
            .iter()
            .any(|step| step.actor == Actor::Seat(seat) && !step.forced)
    }

    /// Notes who had a seat that is a bot's for good from now on.
    pub(super) fn note_leaver(&mut self, seat: u8, before: &Player) {
        let after = self.seats.iter().find(|record| record.seat == seat).map(|record| &record.player);
        let is_a_bots = after.is_some_and(|player| !player.is_a_persons());
        self.leaver = before.account().filter(|_| is_a_bots).map(|account| (account, seat));
    }

    /// Whoever gives up while others play on has lost now, whatever the bot makes of the seat.
    pub(super) fn rating_of_leaver(&self, after: &Proceedings) -> Option<Effect> {
        let is_new = after.gave_up.len() > self.proceedings.gave_up.len();
        let (account, seat) = self.leaver.filter(|_| is_new && rated(after))?;
        // When the row is read the seat does not say any more whose it was.
        Some(row(account, &format!("{}:{seat}", Finish::GaveUp.word())))
    }

    /// The rows of those who have played to the end; none where a seat is nobody's, because then nothing is at stake.
    pub(super) fn ratings_at_end(&self, outcome: &ResultInfo) -> Vec<Effect> {
        if !self.will_count() {
            return Vec::new();
        }
        let fared = self.seats.iter().zip(&outcome.standings);
        fared
            .filter_map(|(seat, standing)| Some(row(seat.player.account()?, &standing.to_string())))
            .collect()
    }
}

fn rated(proceedings: &Proceedings) -> bool {
    proceedings.rules.as_ref().is_some_and(|rules| rules.is_rated)
}

fn row(account: AccountId, standing: &str) -> Effect {
    Effect::Rating { account, standing: standing.to_owned() }
}
