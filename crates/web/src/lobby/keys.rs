//! The tokens that open a match.

use kernel::{Seat, Viewer};
use store::{AccountId, MatchRecord};

use crate::secrets;

/// The tokens that open a match. A bot's seat has none, so that nobody can see its hand, and neither has one that an account
/// keeps.
pub struct Keys {
    viewer: String,
    seats: Vec<(Seat, String)>,
    kept: Vec<(Seat, AccountId)>,
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
        }
    }

    /// The viewer for an account: its seat, if it keeps one.
    pub fn seat_of(&self, account: AccountId) -> Option<Viewer> {
        self.kept.iter().find(|(_, of)| *of == account).map(|(seat, _)| Viewer::Seat(*seat))
    }

    /// The viewer for a token; every token is compared, in constant time.
    pub fn holder(&self, token: &str) -> Option<Viewer> {
        let mut holder = None;
        for (seat, secret) in &self.seats {
            if secrets::same(secret, token) {
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
        self.seats.iter().find(|(of, _)| *of == seat).map(|(_, token)| token.as_str())
    }
}
