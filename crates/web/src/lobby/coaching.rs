//! A match that is played with a lesson: the coach, and the page that the learner has come to.

use std::sync::Arc;

use kernel::{Seat, Table};
use lessons::Coach;

use super::{LiveMatch, Lobby, LobbyError};
use crate::live::Live;
use crate::title::Title;

/// The coach of a match. Where the lesson stands follows from the match; only the page is stored.
pub struct Coached {
    /// The lesson's word.
    id: &'static str,
    /// Follows the match.
    pub coach: Coach,
    /// The page that the learner has come to.
    pub page: usize,
    /// Whether the learner has closed the lesson.
    pub closed: bool,
}

/// What a learner asks of the coach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoachRequest {
    /// To show a page.
    Turn(usize),
    /// To be quiet.
    Close,
    /// To go on.
    Open,
}

impl Coached {
    /// The coach of a stored match; `None` without a lesson, or if the game no longer has it.
    pub fn of(title: &dyn Title, table: &dyn Table, stored: &str) -> Option<Self> {
        let (id, rest) = stored.split_once(' ')?;
        let found = title.lessons().iter().find(|lesson| lesson.file.id == id)?;
        let seat = table.seats().iter().position(|seat| seat.word == found.lesson.seat)?;
        let mut coach = Coach::new(Arc::clone(&found.lesson), Seat(seat as u8));
        coach.follow(table);
        let (page, closed) = match rest.strip_suffix(" closed") {
            Some(page) => (page, true),
            None => (rest, false),
        };
        Some(Self { id: found.file.id, coach, page: page.parse().unwrap_or(0), closed })
    }

    /// What is stored of the lesson of a match; nothing without one.
    pub fn word(coached: Option<&Self>) -> String {
        coached.map_or_else(String::new, Self::stored)
    }

    /// As it is stored.
    fn stored(&self) -> String {
        format!("{} {}{}", self.id, self.page, if self.closed { " closed" } else { "" })
    }
}

impl Lobby {
    /// Turns the pages of a lesson, closes or reopens it; stores that and sends it to all pages of the match.
    pub async fn ask_coach(
        self: &Arc<Self>,
        found: &Arc<LiveMatch>,
        by: Seat,
        asked: CoachRequest,
    ) -> Result<(), LobbyError> {
        let mut live = self.lock_current(found).await?;
        let coached = learners_coach(&mut live, by)?;
        let before = coached.stored();
        match asked {
            CoachRequest::Turn(page) => coached.page = page.min(coached.coach.lesson().pages.len()),
            CoachRequest::Close => coached.closed = true,
            CoachRequest::Open => coached.closed = false,
        }
        let after = coached.stored();
        if before == after {
            return Ok(());
        }
        let id = found.id.clone();
        // Under the lock, so that the later of two requests is also the one that is stored.
        self.with_store(move |store| store.set_lesson(&id, &after)).await?;
        live.publish_page();
        self.tell_beside(&found.id);
        Ok(())
    }
}

fn learners_coach(live: &mut Live, by: Seat) -> Result<&mut Coached, LobbyError> {
    let coached = live.coached.as_mut().filter(|coached| coached.coach.seat() == by);
    coached.ok_or_else(|| LobbyError::Bad("This match is not played with a lesson.".to_owned()))
}
