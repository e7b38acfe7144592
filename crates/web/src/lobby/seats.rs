//! Seats that change hands: a bot plays on for somebody who leaves, until they take their seat back.
//!
//! The seat stays theirs. Its link goes on to show what the seat sees, so that nobody else learns anything and they lose
//! nothing; taking back, forking and analysis still count them as one who plays, so that nobody gets rid of a fellow player
//! for a while in order to do what is only for those who play alone.

use std::sync::Arc;

use diagnostics::shown;
use kernel::{Seat, Viewer};

use super::{LiveMatch, Lobby, LobbyError};
use crate::live::Live;
use crate::opponents::bot_name;

/// Who wants a seat to change hands.
#[derive(Clone, Copy, Debug)]
pub struct Requester {
    /// By which link they came.
    pub viewer: Viewer,
    /// Whether the lobby is theirs.
    pub owns_lobby: bool,
}

impl Lobby {
    /// Hands a seat over to a bot, or with `None` gives it back to the one whose it is. Kept with the match, and told to all.
    pub async fn hand_over(
        self: &Arc<Self>,
        found: &Arc<LiveMatch>,
        by: Requester,
        seat: Seat,
        bot: Option<String>,
    ) -> Result<(), LobbyError> {
        let mut live = self.lock_current(found).await?;
        live.may_hand_over(by, seat)?;
        let at = usize::from(seat.0);
        let before = live.seats[at].player.clone();
        let after = match &bot {
            Some(bot) => {
                let seated_bot = live.title.sit(bot).map_err(LobbyError::Bad)?;
                let fits = seated_bot.check_seats(live.table.seats().len());
                fits.map_err(|why| LobbyError::Bad(why.to_string()))?;
                before.handed_to(bot)
            }
            None => before.taken_back(),
        };
        if after == before {
            return Ok(());
        }
        // Under the lock, so that of two who ask the later one is also the one that is kept.
        let (id, kept) = (found.id.clone(), after.clone());
        if !self.with_store(move |store| store.set_player(&id, seat.0, &kept)).await? {
            return Err(LobbyError::NotFound);
        }
        live.seats[at].player = after;
        live.bots.forget();
        let title = live.table.seats()[at].title;
        live.seat_news = match &bot {
            Some(bot) => format!("{} plays {title}", bot_name(bot)),
            None => format!("{title} is played by a person again"),
        };
        live.publish_page();
        self.run_bots(found, &mut live);
        Ok(())
    }
}

impl Live {
    /// Whether somebody is the one who made the match: from their seat or, where they have none, looking on.
    pub fn is_maker(&self, by: Requester) -> bool {
        match (by.viewer, self.owner()) {
            (Viewer::Seat(own), owner) => owner == Some(own),
            (Viewer::Spectator, None) => by.owns_lobby,
            (Viewer::Spectator, Some(_)) => false,
        }
    }

    /// Everybody may hand over their own seat, and the one who made the match that of somebody who is away.
    fn may_hand_over(&self, by: Requester, seat: Seat) -> Result<(), LobbyError> {
        let refuse = |why: &str| Err(LobbyError::Bad(why.to_owned()));
        if self.table.result().is_some() {
            return refuse("the game is over: no seat changes hands any more");
        }
        let record = self.seats.get(usize::from(seat.0));
        let Some(record) = record.filter(|record| record.player.is_a_persons()) else {
            return refuse(&format!(
                "seat {:?} is nobody's that could hand it over",
                shown(&seat.0.to_string())
            ));
        };
        if by.viewer == Viewer::Seat(seat) {
            return Ok(());
        }
        if !self.is_maker(by) {
            return Err(LobbyError::LooksOnly);
        }
        if record.player.is_human() && self.is_here(Viewer::Seat(seat)) {
            return refuse("whoever plays this seat is at the table: only they can hand it over");
        }
        Ok(())
    }
}
