//! The tokens that open a match.

use std::sync::atomic::{AtomicU64, Ordering};

use kernel::{Seat, Viewer};
use store::{AccountId, MatchRecord};

use crate::secrets;

/// The tokens that open a match. A bot's seat has none, so that nobody can see its hand, and neither has one that an account
/// keeps.
pub struct Keys {
    viewer: String,
    seats: Vec<(Seat, String)>,
    kept: Vec<(Seat, AccountId)>,
    /// The seats that nobody enters any more, a bit for each: bots have them for good.
    closed: AtomicU64,
}

impl Keys {
    /// The tokens of a stored match.
    pub fn of(record: &MatchRecord) -> Self {
        let persons = record.seats.iter().filter(|seat| seat.player.is_a_persons());
        let linked = persons.filter(|seat| seat.player.account().is_none());
        let kept = record.seats.iter().filter_map(|seat| Some((Seat(seat.seat), seat.player.account()?)));
        Self {
            viewer: record.viewer_token.clone(),
            seats: linked.map(|seat| (Seat(seat.seat), seat.token.clone())).collect(),
            kept: kept.collect(),
            closed: AtomicU64::new(0),
        }
    }

    /// Whether other keys open the same to the same people.
    pub fn open_the_same(&self, other: &Self) -> bool {
        // A seat that was closed here has no link in the record of a match that is read.
        let open = |keys: &Self, closed: &Self| {
            let seats = keys.seats.iter().filter(|(seat, _)| closed.is_open(*seat));
            seats.cloned().collect::<Vec<_>>()
        };
        self.viewer == other.viewer
            && self.kept_open(self) == other.kept_open(self)
            && open(self, self) == open(other, self)
    }

    /// Who keeps a seat that is not closed.
    fn kept_open(&self, closed: &Self) -> Vec<(Seat, AccountId)> {
        self.kept.iter().filter(|(seat, _)| closed.is_open(*seat)).copied().collect()
    }

    /// The viewer for an account: its seat, if it keeps one.
    pub fn seat_of(&self, account: AccountId) -> Option<Viewer> {
        let mut open = self.kept.iter().filter(|(seat, _)| self.is_open(*seat));
        open.find(|(_, of)| *of == account).map(|(seat, _)| Viewer::Seat(*seat))
    }

    /// A bot has this seat for good from now on: its link opens nothing any more, as after the match has been read again.
    pub fn close(&self, seat: Seat) {
        self.closed.fetch_or(Self::bit(seat), Ordering::SeqCst);
    }

    fn is_open(&self, seat: Seat) -> bool {
        self.closed.load(Ordering::SeqCst) & Self::bit(seat) == 0
    }

    fn bit(seat: Seat) -> u64 {
        1_u64.checked_shl(u32::from(seat.0)).unwrap_or(0)
    }

    /// The viewer for a token; every token is compared, in constant time.
    pub fn holder(&self, token: &str) -> Option<Viewer> {
        let mut holder = None;
        for (seat, secret) in &self.seats {
            if secrets::same(secret, token) && self.is_open(*seat) {
                holder = Some(Viewer::Seat(*seat));
            }
        }
        if secrets::same(&self.viewer, token) {
            holder = Some(Viewer::Spectator);
        }
        holder
    }

    /// The spectator token.
    pub fn viewer(&self) -> &str {
        &self.viewer
    }

    /// The token of a person's seat.
    pub fn seat(&self, seat: Seat) -> Option<&str> {
        self.seats.iter().find(|(of, _)| *of == seat && self.is_open(seat)).map(|(_, token)| token.as_str())
    }
}

#[cfg(test)]
mod tests {
    use store::SeatRecord;

    use super::*;

    #[test]
    fn a_seat_that_a_bot_has_for_good_is_entered_by_nobody() {
        let seat = |seat: u8| SeatRecord { seat, token: format!("token{seat}"), ..SeatRecord::default() };
        let seats = (0..3).map(seat).collect();
        let record = MatchRecord { viewer_token: "watch".to_owned(), seats, ..MatchRecord::default() };
        let keys = Keys::of(&record);
        assert_eq!(keys.holder("token1"), Some(Viewer::Seat(Seat(1))));
        keys.close(Seat(1));
        assert_eq!((keys.holder("token1"), keys.seat(Seat(1))), (None, None));
        assert_eq!(keys.holder("token2"), Some(Viewer::Seat(Seat(2))));
        assert_eq!(keys.holder("watch"), Some(Viewer::Spectator));
    }
}
