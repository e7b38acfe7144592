//! What was agreed and decided at a table beside choices: a fold over its journal.
//!
//! Who may choose, whose time runs, which offer is open, whether the match is paused or over: all of it follows from the entries
//! in their order, here and nowhere else, so every server that reads a journal comes to the same.

mod ending;
mod sitting_down;

use std::collections::BTreeSet;

use clocks::{Clock, FreeTime, Rules};
use store::{Awaited, Claim, Entry, EntryKind, Offer, OnFlag, Player, SeatRecord, TableEvent};

pub use ending::{Ending, read_standings};
pub use sitting_down::{Due, SittingDown};

/// An offer that waits for answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenOffer {
    /// The number of its entry.
    pub number: u32,
    /// Who made it.
    pub seat: u8,
    /// What for.
    pub of: Offer,
    /// Who has not answered yet.
    pub pending: Vec<u8>,
}

/// What was agreed and decided at a table so far.
#[derive(Clone, Debug, Default)]
pub struct Proceedings {
    seats: usize,
    /// The rules of the table about time.
    pub rules: Option<Rules>,
    /// The clock.
    pub clock: Option<Clock>,
    rests: Vec<(u8, u64, u64)>,
    /// Who is waited for before the match begins; `None` where it began at once.
    pub sitting_down: Option<SittingDown>,
    /// Whether the match is in the bin.
    pub is_binned: bool,
    /// The offer that waits for answers.
    pub offer: Option<OpenOffer>,
    /// Who was refused what since the last choice: it is not asked for again.
    refused: Vec<(u8, Offer)>,
    /// Whether the match is paused.
    pub is_paused: bool,
    /// Whose time has run out, where the others say what follows.
    pub claimable: Option<u8>,
    /// Those whose time ran out and for whom a bot plays: who comes back gets a refill.
    out_of_time: BTreeSet<u8>,
    /// The seats that were given up while others played on: a bot has them for good.
    pub gave_up: BTreeSet<u8>,
    /// How the match was ended, where it was not the game that ended it.
    pub ended: Option<Ending>,
    /// Whether anything but choices has happened. From then on all of it is in the journal.
    pub has_events: bool,
    /// Whom the match waits for, as the last entry says.
    awaited: Option<Awaited>,
    /// The seat that is awaited without a break, for telling its player once.
    pub waits: Option<Wait>,
    /// The time of the last entry.
    pub last_at: u64,
    /// What could not be read.
    pub fault: Option<String>,
}

/// A seat that is awaited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait {
    /// The seat.
    pub seat: u8,
    /// The number of the entry since which it is awaited.
    pub since: u32,
}

/// An undo that all have agreed to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AgreedUndo {
    /// The last step that still counts.
    pub to_step: u32,
    /// Whether something that had been revealed was undone.
    pub crossed: bool,
}

impl Proceedings {
    /// A table of so many seats at which nothing has happened.
    pub fn new(seats: usize) -> Self {
        Self { seats, ..Self::default() }
    }

    /// The proceedings of a journal.
    pub fn of(seats: usize, journal: &[Entry], outages: &[(u64, u64)]) -> Self {
        let mut proceedings = Self::new(seats);
        for entry in journal {
            proceedings.follow(entry, outages);
        }
        proceedings
    }

    /// What is charged to nobody.
    pub fn free(&self, outages: &[(u64, u64)]) -> FreeTime {
        let off = self.rules.as_ref().and_then(|rules| rules.off.clone());
        FreeTime { outages: outages.to_vec(), rests: self.rests.clone(), off }
    }

    /// When whose time runs out.
    pub fn deadline(&self, outages: &[(u64, u64)]) -> Option<(u8, u64)> {
        self.clock.as_ref()?.deadline(&self.free(outages))
    }

    /// How long after the deadline a flag falls.
    pub fn grace(&self) -> u64 {
        let settings = self.rules.as_ref().and_then(|rules| rules.settings.as_ref());
        settings.map_or(0, clocks::Settings::grace)
    }

    /// When players rested, rest, or will: seat, from, until.
    pub fn rests(&self) -> &[(u8, u64, u64)] {
        &self.rests
    }

    /// Until when a seat rests, if it does.
    pub fn resting(&self, seat: u8, now: u64) -> Option<u64> {
        let covers = |(of, from, until): &&(u8, u64, u64)| *of == seat && *from <= now && now < *until;
        self.rests.iter().find(covers).map(|(.., until)| *until)
    }

    /// Follows an entry. Returns the undo that it agrees to, if it does.
    pub fn follow(&mut self, entry: &Entry, outages: &[(u64, u64)]) -> Option<AgreedUndo> {
        self.last_at = self.last_at.max(entry.at);
        let free = self.free(outages);
        if let Some(clock) = &mut self.clock {
            clock.advance(entry.at, &free);
        }
        let undone = match &entry.kind {
            EntryKind::Steps(_) => {
                if let (Some(sitting), Some(awaited)) = (&mut self.sitting_down, self.awaited) {
                    sitting.chose(awaited.seat);
                }
                self.lapse_with_choice();
                None
            }
            EntryKind::Undo { .. } => {
                self.lapse_undo();
                None
            }
            EntryKind::Event(event) => {
                self.has_events = true;
                self.seat_players(event);
                self.follow_event(entry, event)
            }
        };
        self.awaited = entry.awaits;
        let awaited = entry.awaits.filter(|_| self.ended.is_none() && !self.is_paused && !self.is_binned);
        self.waits = awaited.map(|awaited| match self.waits {
            Some(wait) if wait.seat == awaited.seat && !rests(entry, wait.seat) => wait,
            _ => Wait { seat: awaited.seat, since: entry.seq },
        });
        if let Some(clock) = &mut self.clock {
            // Nobody's time runs before all have come, but in a tournament.
            let runs = self.sitting_down.as_ref().is_none_or(SittingDown::has_time_run);
            let awaited = entry.awaits.filter(|_| self.ended.is_none() && runs);
            if undone.is_some()
                && let Some(mover) = awaited
            {
                clock.grant(mover.seat);
            }
            if let (EntryKind::Undo { .. }, Some(mover)) = (&entry.kind, awaited) {
                clock.take_back(mover.seat);
            }
            clock.awaits(awaited.map(|awaited| (awaited.seat, awaited.turn)), entry.seq);
        }
        undone
    }

    /// Who has come, and who is no longer waited for.
    fn seat_players(&mut self, event: &TableEvent) {
        let claimable = self.claimable;
        let Some(sitting) = &mut self.sitting_down else {
            if let TableEvent::Expect { seats, dice, at_once } = event {
                self.sitting_down = Some(SittingDown::new(seats, *dice, *at_once));
            }
            return;
        };
        sitting.follow(event);
        match event {
            TableEvent::Seat { seat, player } => sitting.handed(*seat, !player.is_human()),
            TableEvent::Resign { seat, bot: Some(_) }
            | TableEvent::Flag { seat, then: OnFlag::StandIn(_) } => sitting.handed(*seat, true),
            TableEvent::Claim { wish: Claim::StandIn(_), .. } => {
                if let Some(seat) = claimable {
                    sitting.handed(seat, true);
                }
            }
            _ => {}
        }
    }

    /// A choice answers what its player was asked, and takes the place of what could have been undone.
    fn lapse_with_choice(&mut self) {
        self.lapse_undo();
        let chose = self.awaited.map(|awaited| awaited.seat);
        self.offer.take_if(|offer| chose.is_some_and(|seat| offer.pending.contains(&seat)));
        self.refused.clear();
        self.claimable = None;
    }

    fn lapse_undo(&mut self) {
        self.offer.take_if(|offer| matches!(offer.of, Offer::Undo { .. }));
    }

    fn follow_event(&mut self, entry: &Entry, event: &TableEvent) -> Option<AgreedUndo> {
        match event {
            TableEvent::Seat { seat, player } => self.seat(*seat, player),
            TableEvent::Clock { rules } => self.set_clock(rules, entry.at),
            TableEvent::Offer { seat, to, of } => {
                let (number, seat, of, pending) = (entry.seq, *seat, *of, to.clone());
                self.offer = Some(OpenOffer { number, seat, of, pending });
            }
            TableEvent::Answer { seat, offer, yes } => return self.answer(*seat, *offer, *yes),
            TableEvent::Withdraw { offer, .. } => drop(self.offer.take_if(|open| open.number == *offer)),
            TableEvent::Resume { .. } => self.set_paused(false),
            TableEvent::Resign { seat, bot } => {
                self.offer = None;
                match bot {
                    None => self.ended = Some(Ending::Resigned { seat: *seat }),
                    Some(_) => {
                        self.out_of_time.remove(seat);
                        self.gave_up.insert(*seat);
                    }
                }
            }
            TableEvent::Flag { seat, then } => self.flag(*seat, then),
            TableEvent::Claim { wish, .. } => self.claim(wish),
            TableEvent::Rest { seat, from, until } => {
                self.rests.retain(|(of, begun, _)| (of, begun) != (seat, from));
                self.rests.extend((from < until).then_some((*seat, *from, *until)));
            }
            TableEvent::Expect { .. } | TableEvent::Sit { .. } | TableEvent::Number { .. } => {}
            TableEvent::CallOff { seat } => self.ended = Some(Ending::CalledOff { seat: *seat }),
            TableEvent::Bin { goes_in } => {
                self.is_binned = *goes_in;
                self.hold_clock();
            }
            TableEvent::Verdict { standings, why } => {
                self.ended = Some(Ending::Verdict { standings: standings.clone(), why: why.clone() });
            }
        }
        None
    }

    fn seat(&mut self, seat: u8, player: &Player) {
        if player.is_human()
            && self.out_of_time.remove(&seat)
            && let Some(clock) = &mut self.clock
        {
            clock.wait_for(seat);
        }
    }

    fn set_clock(&mut self, rules: &str, at: u64) {
        self.rules = match rules.parse() {
            Ok(rules) => Some(rules),
            Err(why) => {
                self.fault = Some(format!("the clock {rules:?} can't be read: {why}"));
                None
            }
        };
        let settings = self.rules.as_ref().and_then(|rules| rules.settings.as_ref());
        self.clock = settings.map(|settings| Clock::new(settings, self.seats, at));
    }

    fn set_paused(&mut self, paused: bool) {
        self.is_paused = paused;
        self.hold_clock();
    }

    /// No clock runs in a pause, nor in the bin.
    fn hold_clock(&mut self) {
        let holds = self.is_paused || self.is_binned;
        match &mut self.clock {
            Some(clock) if holds => clock.pause(),
            Some(clock) => clock.resume(),
            None => {}
        }
    }

    fn answer(&mut self, seat: u8, number: u32, yes: bool) -> Option<AgreedUndo> {
        let offer = self.offer.as_mut().filter(|offer| offer.number == number)?;
        if !yes {
            self.refused.push((offer.seat, offer.of));
            self.offer = None;
            return None;
        }
        offer.pending.retain(|pending| *pending != seat);
        let agreed = self.offer.take_if(|offer| offer.pending.is_empty())?;
        match agreed.of {
            Offer::Draw => self.ended = Some(Ending::Draw),
            Offer::BreakOff => self.ended = Some(Ending::BrokenOff),
            Offer::Pause => self.set_paused(true),
            Offer::Undo { to_step, crossed } => return Some(AgreedUndo { to_step, crossed }),
        }
        None
    }

    fn flag(&mut self, seat: u8, then: &OnFlag) {
        self.offer = None;
        if let Some(clock) = &mut self.clock {
            clock.flag(seat);
        }
        match then {
            OnFlag::Loss => self.ended = Some(Ending::OutOfTime { seat }),
            OnFlag::Claim => self.claimable = Some(seat),
            OnFlag::StandIn(_) => drop(self.out_of_time.insert(seat)),
        }
    }

    fn claim(&mut self, wish: &Claim) {
        let Some(seat) = self.claimable.take() else { return };
        match wish {
            Claim::Win => self.ended = Some(Ending::OutOfTime { seat }),
            Claim::Wait => {
                if let Some(clock) = &mut self.clock {
                    clock.wait_for(seat);
                }
            }
            Claim::StandIn(_) => drop(self.out_of_time.insert(seat)),
        }
    }

    /// Whether the match still waits for people to sit down or for the numbers of its dice.
    pub fn waits_for_players(&self) -> bool {
        let has_begun = self.sitting_down.as_ref().is_none_or(SittingDown::has_begun);
        !has_begun && self.ended.is_none()
    }

    /// The seats of those whom the match waits for before it begins.
    pub fn missing(&self) -> Vec<u8> {
        let sitting = self.sitting_down.as_ref().filter(|_| self.ended.is_none());
        sitting.map(SittingDown::awaited).unwrap_or_default()
    }

    /// Who is waited for before the match begins, as it is with an entry that is about to be made.
    pub fn sitting_down_with(&self, kind: &EntryKind) -> Option<SittingDown> {
        let mut with =
            Self { sitting_down: self.sitting_down.clone(), claimable: self.claimable, ..Self::default() };
        if let EntryKind::Event(event) = kind {
            with.seat_players(event);
        }
        with.sitting_down
    }

    /// Whether a bot plays for somebody whose time has run out.
    pub fn is_out_of_time(&self, seat: u8) -> bool {
        self.out_of_time.contains(&seat)
    }

    /// Whether a player was refused this since the last choice.
    pub fn was_refused(&self, seat: u8, of: Offer) -> bool {
        self.refused.iter().any(|(by, what)| *by == seat && same_kind(*what, of))
    }

    /// The seat that changes hands with an event, and who plays it then.
    pub fn handed(&self, event: &TableEvent, seats: &[SeatRecord]) -> Option<(u8, Player)> {
        let player = |seat: u8| seats.iter().find(|record| record.seat == seat).map(|record| &record.player);
        match event {
            TableEvent::Seat { seat, player } => Some((*seat, player.clone())),
            TableEvent::Resign { seat, bot: Some(bot) } => Some((*seat, Player::Bot(bot.clone()))),
            TableEvent::Flag { seat, then: OnFlag::StandIn(bot) } => {
                Some((*seat, player(*seat)?.handed_to(bot)))
            }
            TableEvent::Claim { wish: Claim::StandIn(bot), .. } => {
                let seat = self.claimable?;
                Some((seat, player(seat)?.handed_to(bot)))
            }
            _ => None,
        }
    }
}

/// Whether an entry says that a seat rests, or is back: then its deadline moves, and its player is reminded anew.
pub fn rests(entry: &Entry, seat: u8) -> bool {
    matches!(&entry.kind, EntryKind::Event(TableEvent::Rest { seat: of, .. }) if *of == seat)
}

/// Whether two offers ask for the same kind of thing.
pub fn same_kind(one: Offer, other: Offer) -> bool {
    std::mem::discriminant(&one) == std::mem::discriminant(&other)
}

#[cfg(test)]
mod tests;
