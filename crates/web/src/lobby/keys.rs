//! The tokens that open a match.

use kernel::{Seat, Viewer};
use store::MatchRecord;

use crate::secrets;

/// The tokens that open a match. A bot's seat has none: nobody can look over its shoulder.
pub struct Keys {
    viewer: String,
    seats: Vec<(Seat, String)>,
}

impl Keys {
    /// Those of a stored match.
    pub fn of(record: &MatchRecord) -> Self {
        let persons = record.seats.iter().filter(|seat| seat.player.is_a_persons());
        Self {
            viewer: record.viewer_token.clone(),
            seats: persons.map(|seat| (Seat(seat.seat), seat.token.clone())).collect(),
        }
    }

    /// Who holds a token; every token is compared, in constant time.
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

    /// The token of those who look on.
    pub fn viewer(&self) -> &str {
        &self.viewer
    }

    /// The token of a seat where somebody can sit.
    pub fn seat(&self, seat: Seat) -> Option<&str> {
        self.seats.iter().find(|(of, _)| *of == seat).map(|(_, token)| token.as_str())
    }
}
