//! Handing seats over: a bot plays for somebody who leaves, until they take over again.
//!
//! The seat still belongs to its person, and its link still shows what the seat sees. For undo, forks and analysis the person
//! still counts as a player, so that nobody can hand over somebody else's seat to get what only solo players may have.

use std::sync::Arc;

use diagnostics::shown;
use kernel::{Seat, Viewer};
use store::{Player, TableEvent};

use super::{LiveMatch, Lobby, LobbyError, Sender};
use crate::live::Live;
use crate::opponents::bot_name;
use crate::proceedings::SittingDown;
use crate::seating;

/// Who asks to hand a seat over.
#[derive(Clone, Copy, Debug)]
pub struct Requester {
    /// The viewer of their link.
    pub viewer: Viewer,
    /// Whether the visitor owns the lobby.
    pub owns_lobby: bool,
}

impl Lobby {
    /// Hands a seat over to a bot, or with `None` back to its person. It is stored with the match and published.
    pub async fn hand_over(
        self: &Arc<Self>,
        found: &Arc<LiveMatch>,
        by: Requester,
        seat: Seat,
        bot: Option<String>,
    ) -> Result<(), LobbyError> {
        let mut live = self.lock_current(found).await?;
        live.may_hand_over(by, seat)?;
        if bot.is_some() && live.is_rated() {
            let why = "In a rated match nobody lets a bot play for them: ask for a pause, or give up.";
            return Err(LobbyError::Bad(why.to_owned()));
        }
        let at = usize::from(seat.0);
        let before = live.seats[at].player.clone();
        let after = match &bot {
            Some(bot) => {
                seating::sit_offered(&*live.title, bot, live.table.seats().len()).map_err(LobbyError::Bad)?;
                before.handed_to(bot)
            }
            None => before.taken_back(),
        };
        if after == before {
            return Ok(());
        }
        if live.proceedings.has_events {
            drop(live);
            return self.hand_over_in_journal(found, by, seat, after).await;
        }
        live.seats[at].player = after.clone();
        let (id, to_move, owners) = (found.id.clone(), live.to_move(), live.is_owners_move());
        // Under the lock, so that the later of two requests is also the one that is stored.
        let stored =
            self.with_store(move |store| store.set_player(&id, seat.0, &after, &to_move, owners)).await;
        if !matches!(stored, Ok(true)) {
            live.seats[at].player = before;
            stored?;
            return Err(LobbyError::NotFound);
        }
        live.bots.forget();
        self.give_another_chance(&found.id, seat);
        let title = live.table.seats()[at].title;
        live.seat_news = match &bot {
            Some(bot) => format!("{} now plays {title}", bot_name(bot)),
            None => format!("{title} is played by a person again"),
        };
        live.publish_page();
        self.tell_beside(&found.id);
        self.run_bots(found, &mut live);
        Ok(())
    }

    /// The same where the journal says who plays: the number of the entry keeps it apart from choices and flags.
    async fn hand_over_in_journal(
        self: &Arc<Self>,
        found: &Arc<LiveMatch>,
        by: Requester,
        seat: Seat,
        player: Player,
    ) -> Result<(), LobbyError> {
        let act = move |live: &mut Live| {
            live.may_hand_over(by, seat)?;
            Ok(live.happen(TableEvent::Seat { seat: seat.0, player }))
        };
        self.commit_anyhow(found, Sender::default(), act).await?;
        self.give_another_chance(&found.id, seat);
        Ok(())
    }
}

impl Live {
    /// Whether the requester created the match.
    pub fn is_maker(&self, by: Requester) -> bool {
        match (by.viewer, self.owner()) {
            (Viewer::Seat(own), owner) => owner == Some(own),
            (Viewer::Spectator, None) => by.owns_lobby && !self.company.is_gathered,
            (Viewer::Spectator, Some(_)) => false,
        }
    }

    /// Players may hand over their own seat, and the creator the seat of somebody who is away.
    fn may_hand_over(&self, by: Requester, seat: Seat) -> Result<(), LobbyError> {
        let refuse = |why: &str| Err(LobbyError::Bad(why.to_owned()));
        if self.is_over() {
            return refuse("The game is over.");
        }
        let record = self.seats.get(usize::from(seat.0));
        let Some(record) = record.filter(|record| record.player.is_a_persons()) else {
            return refuse(&format!("Seat {:?} does not belong to a person.", shown(&seat.0.to_string())));
        };
        if by.viewer == Viewer::Seat(seat) {
            return Ok(());
        }
        if !self.is_maker(by) {
            return Err(LobbyError::WatchOnly);
        }
        // Whoever sits opposite must not choose a weak bot for somebody whose time is still running.
        let rules = self.proceedings.rules.as_ref();
        let has_begun = self.proceedings.sitting_down.as_ref().is_none_or(SittingDown::all_sit);
        let may_stand_in = !has_begun && !rules.is_some_and(|rules| rules.is_rated);
        if rules.is_some() && !may_stand_in && matches!(by.viewer, Viewer::Seat(_)) {
            return refuse("Where there is a clock, only players themselves hand their seat over.");
        }
        if record.player.is_human() && self.is_seat_here(seat.0) {
            return refuse("This player is at the table: only they can hand their seat over.");
        }
        Ok(())
    }
}
