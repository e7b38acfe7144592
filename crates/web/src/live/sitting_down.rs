//! How a match begins, and whom it waits for: people sit down, show the numbers that they put into the dice, and are awaited.

use std::time::Instant;

use clocks::BEFORE_PLAY;
use kernel::{Commitment, MatchDice, Mover, Number, Seat, Story, Viewer};
use store::{Awaited, Claim, EntryKind, OnFlag, SeatRecord, TableEvent};

use super::{Live, Pending};
use crate::lobby::LobbyError;
use crate::proceedings::{Due, Proceedings, SittingDown};

fn refuse<T>(why: &str) -> Result<T, LobbyError> {
    Err(LobbyError::Bad(why.to_owned()))
}

impl Live {
    /// Whether the match still waits for people to sit down or for the numbers of its dice.
    pub fn waits_for_players(&self) -> bool {
        self.proceedings.waits_for_players() && !self.is_over()
    }

    /// Somebody sits down, with what they commit to where the dice wait for numbers. `None` if that changes nothing.
    pub fn sit(&mut self, seat: Seat, commitment: Option<&str>) -> Result<Option<Pending>, LobbyError> {
        self.check_plays(seat)?;
        let Some(sitting) = self.proceedings.sitting_down.as_ref().filter(|_| self.waits_for_players())
        else {
            return Ok(None);
        };
        let known = sitting.commitment(seat.0);
        let commitment = match (sitting.dice, commitment) {
            (false, _) if sitting.due(seat.0) != Due::Sit => return Ok(None),
            (false, _) => None,
            (true, given) => match given.and_then(Commitment::parse) {
                Some(given) => Some(given),
                None => return refuse("A commitment has 64 hexadecimal digits."),
            },
        };
        if !sitting.may_commit(seat.0) || (known.is_some() && known == commitment) {
            return Ok(None);
        }
        let commitment = commitment.map(|commitment| commitment.to_string());
        Ok(Some(self.happen(TableEvent::Sit { seat: seat.0, commitment })))
    }

    /// Somebody shows the number that they have committed to. `None` if it is known already.
    pub fn show_number(&mut self, seat: Seat, number: &str) -> Result<Option<Pending>, LobbyError> {
        let Some(number) = Number::parse(number) else {
            return refuse("A number has 64 hexadecimal digits.");
        };
        let Some(sitting) = self.proceedings.sitting_down.as_ref().filter(|_| self.waits_for_players())
        else {
            return Ok(None);
        };
        let MatchDice::Fair { commitment: house, .. } = self.table.dice() else { return Ok(None) };
        if sitting.commitment(seat.0) != Some(number.commitment(house, seat)) {
            return refuse("This is not the number that was committed to.");
        }
        match sitting.due(seat.0) {
            Due::Number => {
                let number = number.to_string();
                Ok(Some(self.happen(TableEvent::Number { seat: seat.0, number })))
            }
            Due::Sit | Due::Nothing if sitting.all_sit() => Ok(None),
            Due::Sit | Due::Nothing => refuse("Numbers are shown when everybody has sat down."),
        }
    }

    /// Rolls the dice that have waited, and plays what follows by itself.
    pub fn roll_on(&mut self) -> Result<Pending, LobbyError> {
        self.check_goes_on()?;
        if !self.rolls_now() {
            return Err(LobbyError::Stale { revision: self.revision });
        }
        let begun = Instant::now();
        let from = self.table.steps();
        let mut story = Story::for_viewer(Viewer::Spectator);
        self.table.play_forced(Some(&mut story));
        self.note_last_event(&story);
        Ok(self.pending(self.steps_entry(from), begun))
    }

    /// Whether dice that have waited for the players can be rolled now.
    pub fn rolls_now(&self) -> bool {
        let waits = self.proceedings.is_paused || self.proceedings.is_binned || self.is_over();
        let has_begun = self.proceedings.sitting_down.as_ref().is_some_and(SittingDown::has_begun);
        has_begun && !waits && self.table.mover() == Mover::Fate && self.table.dice().key().is_some()
    }

    /// The person whom the match waits for after an entry; nobody while the others decide what follows from a flag.
    pub(super) fn awaited(&self, kind: &EntryKind) -> Option<Awaited> {
        // As it is with the entry: whoever sits down last may be the one whom the match has waited for.
        let sitting = self.proceedings.sitting_down_with(kind);
        let is_open = match kind {
            EntryKind::Event(TableEvent::Flag { then: OnFlag::Claim, .. }) => true,
            EntryKind::Event(TableEvent::Claim { .. }) | EntryKind::Steps(_) | EntryKind::Undo { .. } => {
                false
            }
            EntryKind::Event(_) => self.proceedings.claimable.is_some(),
        };
        match self.table.mover() {
            Mover::Seat(seat) if !is_open && self.is_awaited(seat, kind) => {
                Some(Awaited { seat: seat.0, turn: self.table.turn() })
            }
            // The dice wait for somebody's number, or in a tournament for somebody who has not come.
            Mover::Fate if !is_open => {
                let sitting = sitting.filter(SittingDown::has_time_run)?;
                let seat = *sitting.awaited().first()?;
                Some(Awaited { seat, turn: BEFORE_PLAY })
            }
            _ => None,
        }
    }

    /// Whether a match waits for the person of a seat. A bot to which they have handed it plays on their time, so that nobody
    /// thinks for nothing while it does; but where nobody else is left who would wait, no time counts.
    fn is_awaited(&self, seat: Seat, kind: &EntryKind) -> bool {
        let is_there = self.bot_at(seat).is_none();
        if self.proceedings.rules.is_none() {
            return is_there;
        }
        let waits = self.seats.iter().any(|other| other.seat != seat.0 && other.player.is_human());
        let is_a_persons = |record: &SeatRecord| record.seat == seat.0 && record.player.is_a_persons();
        let is_late = self.proceedings.is_out_of_time(seat.0)
            || match kind {
                EntryKind::Event(TableEvent::Flag { seat: late, .. }) => *late == seat.0,
                EntryKind::Event(TableEvent::Claim { wish: Claim::StandIn(_), .. }) => {
                    self.proceedings.claimable == Some(seat.0)
                }
                _ => false,
            };
        waits && (is_there || (!is_late && self.seats.iter().any(is_a_persons)))
    }

    /// Whether the dice wait for a number that somebody has sealed: then the match does not begin without it.
    pub fn owes_number(&self, seat: u8) -> bool {
        let due = self.proceedings.sitting_down.as_ref().map(|sitting| sitting.due(seat));
        self.waits_for_players() && due == Some(Due::Number)
    }

    /// The titles of those whom the match waits for before it begins.
    pub fn missing(&self) -> Vec<&'static str> {
        self.titles_of(&self.proceedings.missing())
    }

    pub(super) fn titles_of(&self, seats: &[u8]) -> Vec<&'static str> {
        let titles = self.table.seats();
        seats.iter().filter_map(|seat| Some(titles.get(usize::from(*seat))?.title)).collect()
    }

    /// The first whom the dice wait for: it is their turn to open the page, though nothing is asked of them.
    pub(super) fn first_missing(&self, proceedings: &Proceedings) -> Option<u8> {
        proceedings.missing().first().copied().filter(|_| self.table.mover() == Mover::Fate)
    }
}
