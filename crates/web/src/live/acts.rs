//! What players do beside choosing: resign, offer and answer, pause, claim. Each becomes a journal entry.

use std::time::Instant;

use clocks::FlagPolicy;
use diagnostics::shown;
use kernel::{Mover, Seat, Undo};
use store::{Claim, EntryKind, Offer, OnFlag, TableEvent};

use super::{Live, Pending, last_event};
use crate::lobby::LobbyError;
use crate::opponents::{bot_name, default_bot};
use crate::proceedings::{OpenOffer, read_standings, same_kind};
use crate::seating;

/// What a player asks the others for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// A draw.
    Draw,
    /// To end the match without a result.
    BreakOff,
    /// A pause.
    Pause,
    /// To undo what can't be undone alone.
    Undo(Undo),
}

/// What a player does beside choosing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableAct {
    /// Gives up.
    Resign,
    /// Asks the others for something.
    Offer(Wish),
    /// Answers an offer.
    Answer {
        /// The number of the entry with the offer.
        offer: u32,
        /// Whether they agree.
        yes: bool,
    },
    /// Takes their own offer back.
    Withdraw {
        /// The number of the entry with the offer.
        offer: u32,
    },
    /// Ends a pause.
    Resume,
    /// Says what follows when somebody's time has run out.
    ClaimWin,
    /// The same: a bot plays on.
    ClaimStandIn,
    /// The same: wait for them.
    Wait,
    /// Calls off a match that has not begun.
    CallOff,
}

impl TableAct {
    /// Whether it means the same whatever has just happened: an answer names the offer that it is about, and whoever resigns does not
    /// mind what the others chose meanwhile. What an undo takes back and whose time has run out are other things at another position.
    const fn is_the_same_later(&self) -> bool {
        match self {
            Self::Resign
            | Self::Offer(Wish::Draw | Wish::BreakOff | Wish::Pause)
            | Self::Answer { .. }
            | Self::Withdraw { .. }
            | Self::Resume
            | Self::CallOff => true,
            Self::Offer(Wish::Undo(_)) | Self::ClaimWin | Self::ClaimStandIn | Self::Wait => false,
        }
    }
}

fn refuse<T>(why: impl Into<String>) -> Result<T, LobbyError> {
    Err(LobbyError::Bad(why.into()))
}

impl Live {
    /// Does what a player wants beside choosing. The revision that they see counts only where the deed depends on it: nobody has to
    /// resign twice because somebody else's choice came in between.
    pub fn act(&mut self, seat: Seat, revision: u32, act: &TableAct) -> Result<Pending, LobbyError> {
        if !act.is_the_same_later() {
            self.check_revision(revision)?;
        }
        if let Some(outcome) = self.outcome() {
            return refuse(format!("The match is over: {}.", outcome.title));
        }
        if self.is_solo() {
            return refuse("Nobody else plays in this match, so there is nobody to settle this with.");
        }
        let seat = seat.0;
        if !self.seats.iter().any(|record| record.seat == seat && record.player.is_a_persons()) {
            return refuse("This seat is a bot's for good.");
        }
        let event = match act {
            TableAct::Resign => self.resignation(seat)?,
            TableAct::Offer(asked) => self.offer(seat, *asked)?,
            TableAct::Answer { offer, yes } => self.answer(seat, *offer, *yes)?,
            TableAct::Withdraw { offer } => self.withdrawal(seat, *offer)?,
            TableAct::Resume if self.proceedings.is_paused => TableEvent::Resume { seat },
            TableAct::Resume => return refuse("The match is not paused."),
            TableAct::ClaimWin => self.claim(seat, Claim::Win)?,
            TableAct::Wait => self.claim(seat, Claim::Wait)?,
            TableAct::CallOff => self.calling_off(seat)?,
            TableAct::ClaimStandIn => {
                let bot = self.stand_in();
                self.claim(seat, Claim::StandIn(bot))?
            }
        };
        Ok(self.happen(event))
    }

    /// Makes something happen that has been checked.
    pub fn happen(&mut self, event: TableEvent) -> Pending {
        let begun = Instant::now();
        if let Some((seat, player)) = self.proceedings.handed(&event, &self.seats) {
            let title = self.table.seats()[usize::from(seat)].title;
            self.seat_news = match player.bot() {
                Some(bot) => format!("{} now plays {title}", bot_name(bot)),
                None => format!("{title} is played by a person again"),
            };
            let before = std::mem::replace(&mut self.seats[usize::from(seat)].player, player);
            self.note_leaver(seat, &before);
            self.bots.forget();
        }
        if let Some(Offer::Undo { to_step, .. }) = self.settles(&event).map(|offer| offer.of) {
            self.table.undo_to(to_step as usize);
            self.shows_last_change = true;
            self.last_event = last_event(&*self.table);
            self.bots.forget();
        }
        self.pending(EntryKind::Event(event), begun)
    }

    /// The offer that is agreed with an answer.
    fn settles(&self, event: &TableEvent) -> Option<&OpenOffer> {
        let TableEvent::Answer { seat, offer, yes: true } = event else { return None };
        let open = self.proceedings.offer.as_ref().filter(|open| open.number == *offer)?;
        (open.pending == [*seat]).then_some(open)
    }

    /// With two seats it is the end; with more the others go on, and a bot has the seat for good.
    fn resignation(&self, seat: u8) -> Result<TableEvent, LobbyError> {
        let bot = (self.seats.len() > 2).then(|| self.stand_in());
        if bot.is_some() && self.owes_number(seat) {
            return refuse("The dice wait for your number: open your page, or call the match off.");
        }
        Ok(TableEvent::Resign { seat, bot })
    }

    /// Before the first die nothing is lost, so one is enough to end it; but others wait for the result of a tournament.
    fn calling_off(&self, seat: u8) -> Result<TableEvent, LobbyError> {
        match &self.proceedings.sitting_down {
            Some(sitting) if self.waits_for_players() && !sitting.at_once => Ok(TableEvent::CallOff { seat }),
            Some(_) if self.waits_for_players() => refuse(
                "In a tournament nobody calls a match off: time runs already. Its organizer can decide.",
            ),
            _ => refuse("The match has begun: offer to break it off, or resign."),
        }
    }

    /// The bot that plays on for somebody: the one that the rules of the table name, if it plays this game.
    fn stand_in(&self) -> String {
        let offered = self.title.bots();
        let named = self.proceedings.rules.as_ref().and_then(|rules| match &rules.on_flag {
            FlagPolicy::StandIn(bot) | FlagPolicy::Claim(bot) => Some(bot.as_str()),
            FlagPolicy::Loss => None,
        });
        let plays = |bot: &&str| seating::sit_offered(&*self.title, bot, self.seats.len()).is_ok();
        let first = offered.iter().map(|bot| bot.word.as_str()).find(|word| plays(word));
        let bot = named.filter(plays).or_else(|| default_bot(&offered).filter(plays)).or(first);
        bot.unwrap_or_default().to_owned()
    }

    fn offer(&self, seat: u8, asked: Wish) -> Result<TableEvent, LobbyError> {
        let of = match asked {
            Wish::Draw => Offer::Draw,
            Wish::BreakOff => Offer::BreakOff,
            Wish::Pause if self.proceedings.is_paused => return refuse("The match is paused already."),
            Wish::Pause => Offer::Pause,
            Wish::Undo(_) if self.is_rated() => {
                return refuse(
                    "In a rated match nobody takes back more than their own choices that nothing followed.",
                );
            }
            Wish::Undo(scope) => {
                let (steps, crossed) = self.table.agreed_undo_target(Seat(seat), scope)?;
                Offer::Undo { to_step: steps as u32, crossed }
            }
        };
        match &self.proceedings.offer {
            // Whoever asks for what they were just asked for has answered.
            Some(open) if open.pending.contains(&seat) && open.of == of => {
                Ok(TableEvent::Answer { seat, offer: open.number, yes: true })
            }
            Some(open) if open.pending.contains(&seat) => refuse("Answer the open offer first."),
            Some(open) if open.seat == seat && same_kind(open.of, of) => {
                refuse("You have asked for this already.")
            }
            Some(_) => refuse("Another offer is still open: one at a time."),
            None if self.proceedings.was_refused(seat, of) => {
                refuse("This was just refused: you can ask again after the next choice.")
            }
            None => {
                let others =
                    self.seats.iter().filter(|record| record.player.is_a_persons() && record.seat != seat);
                Ok(TableEvent::Offer { seat, to: others.map(|record| record.seat).collect(), of })
            }
        }
    }

    fn open_offer(&self, number: u32) -> Result<&OpenOffer, LobbyError> {
        let open = self.proceedings.offer.as_ref().filter(|open| open.number == number);
        open.ok_or_else(|| LobbyError::Bad("This offer is no longer open.".to_owned()))
    }

    fn answer(&self, seat: u8, offer: u32, yes: bool) -> Result<TableEvent, LobbyError> {
        match self.open_offer(offer)?.pending.contains(&seat) {
            true => Ok(TableEvent::Answer { seat, offer, yes }),
            false => refuse("You were not asked, or have answered already."),
        }
    }

    fn withdrawal(&self, seat: u8, offer: u32) -> Result<TableEvent, LobbyError> {
        match self.open_offer(offer)?.seat == seat {
            true => Ok(TableEvent::Withdraw { seat, offer }),
            false => refuse("Only whoever made an offer can take it back."),
        }
    }

    fn claim(&self, seat: u8, wish: Claim) -> Result<TableEvent, LobbyError> {
        match self.proceedings.claimable {
            None => refuse("Nobody's time has run out."),
            Some(late) if late == seat => {
                refuse("It is your own time that has run out: make your choice, if you still can.")
            }
            Some(late) if matches!(wish, Claim::StandIn(_)) && self.owes_number(late) => {
                refuse("The dice wait for their number, which no bot knows: wait, or take the win.")
            }
            Some(_) => Ok(TableEvent::Claim { seat, wish }),
        }
    }

    /// The time of a seat has run out, as computed for a revision.
    pub fn flag(&mut self, seat: u8, revision: u32) -> Result<Pending, LobbyError> {
        self.check_revision(revision)?;
        let persons = self.seats.iter().filter(|record| record.player.is_a_persons()).count();
        let policy = self.proceedings.rules.as_ref().map(|rules| &rules.on_flag);
        // With three persons the others must not lose their game with it.
        let then = match policy {
            Some(FlagPolicy::Loss) if persons == 2 && self.seats.len() == 2 => OnFlag::Loss,
            Some(FlagPolicy::Claim(_)) if persons == 2 && self.seats.len() == 2 => OnFlag::Claim,
            // No bot knows the number that they have sealed, and whoever holds one back gets no other dice by it.
            _ if self.owes_number(seat) && self.table.mover() == Mover::Fate => {
                let title = self.table.seats()[usize::from(seat)].title;
                let why = format!("the dice waited in vain for the number of {title}");
                return Ok(self.happen(TableEvent::Verdict { standings: String::new(), why }));
            }
            _ => OnFlag::StandIn(self.stand_in()),
        };
        Ok(self.happen(TableEvent::Flag { seat, then }))
    }

    /// Ends the match with a result for each seat (`win,loss`), or with none.
    pub fn verdict(&mut self, standings: &str, why: &str) -> Result<Pending, LobbyError> {
        if self.is_over() {
            return refuse("The match is over.");
        }
        if !standings.is_empty() && read_standings(standings, self.seats.len()).is_none() {
            return refuse(format!(
                "{:?} does not say how each of the {} seats fared: write win, draw or loss for each, with commas between.",
                shown(standings),
                self.seats.len()
            ));
        }
        // One line: it is a comment in the record.
        let why = why.split_whitespace().collect::<Vec<_>>().join(" ");
        let why: String = why.chars().take(200).collect();
        if why.is_empty() {
            return refuse("Say why the match ends.");
        }
        Ok(self.happen(TableEvent::Verdict { standings: standings.to_owned(), why }))
    }
}
