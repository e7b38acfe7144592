//! What a player has missed: where a film begins for somebody who comes back.
//!
//! Nothing is written for this. How far the page of a seat has been shown is noted anyway (`seats.seen`), and when what came
//! after it began to happen stands in the journal.

use kernel::Viewer;

use super::Live;

/// What happened since a seat last looked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Away {
    /// How many steps its page has been shown.
    pub from: usize,
    /// When the first one after them came, milliseconds since 1970.
    pub since: u64,
}

impl Live {
    /// Whether a viewer who comes back is offered what they have missed. Whoever plays alone has nobody to miss anything of: what
    /// bots did since their last choice is shown again with one key.
    pub fn shows_what_was_missed(&self, viewer: Viewer) -> bool {
        matches!(viewer, Viewer::Seat(_)) && !self.is_solo()
    }

    /// What a viewer has missed; `None` if it is nothing, or if they are not offered it.
    pub fn away(&self, viewer: Viewer) -> Option<Away> {
        let Viewer::Seat(seat) = viewer else { return None };
        let record = self.seats.iter().find(|record| record.seat == seat.0)?;
        let from = record.seen as usize;
        if from >= self.table.steps() || !self.shows_what_was_missed(viewer) {
            return None;
        }
        // What was undone in between and played anew counts from when it was played.
        let known = self.steps_after.iter().rposition(|after| *after as usize <= from)?;
        let since = self.entered_at.get(known).copied()?;
        Some(Away { from, since })
    }
}
