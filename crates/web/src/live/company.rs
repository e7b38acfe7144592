//! Who is at the table: players who are here or away, how many watch, and that somebody has said something.

use std::sync::Arc;

use kernel::{Seat, Viewer};
use store::Room;

use super::Live;
use crate::pages::presence;
use crate::scene::Part;

/// What people who meet at a table have beside the match. Nobody has it where one person plays alone, or without accounts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Company {
    /// Whether they can talk.
    pub talks: bool,
    /// Whether the table shows who is here, and keeps notes.
    pub meets: bool,
    /// Whether members gathered the table, so that the owner of the house has no more to say than anybody who watches.
    pub is_gathered: bool,
    /// Whether a task will publish who is here.
    pub(crate) is_scheduled: bool,
}

impl Live {
    /// Whether the player of a seat has a window open.
    pub fn is_seat_here(&self, seat: u8) -> bool {
        let viewer = Viewer::Seat(Seat(seat));
        self.is_here(viewer) || self.elsewhere.iter().any(|(of, _)| *of == viewer)
    }

    /// Publishes who is here now, as everybody may know it.
    pub fn publish_presence(&mut self) {
        for viewer in self.viewers() {
            let html = presence::line(self).into_string();
            self.publish_part(viewer, Part("presence".to_owned(), Some("ask"), html));
        }
    }

    /// Tells those who are in a room that something was said there; what it was, each page asks for itself.
    pub fn tell_of_talk(&mut self, room: Room, n: u32) {
        let text: Arc<str> = format!("{{\"talk\":{n}}}").into();
        let is_over = self.is_over();
        self.send_word(&text, |viewer| {
            let own = if viewer == Viewer::Spectator { Room::Onlookers } else { Room::Players };
            is_over || own == room
        });
    }
}
