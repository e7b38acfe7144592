//! The tokens that open a match.

use kernel::{Seat, Viewer};
use store::MatchRecord;

use crate::secrets;

/// The tokens that open a match. A bot's seat has none, so that nobody can see its hand.
pub struct Keys {
    viewer: String,
    seats: Vec<(Seat, String)>,
}

impl Keys {
    /// The tokens of a stored match.
    pub fn of(record: &MatchRecord) -> Self {
        let persons = record.seats.iter().filter(|seat| seat.player.is_a_persons());
        Self {
            viewer: record.viewer_token.clone(),
            seats: persons.map(|seat| (Seat(seat.seat), seat.token.clone())).collect(),
        }
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
