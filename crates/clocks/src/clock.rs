//! The clock of a match.

use crate::{FreeTime, Settings};

/// In place of the turn of the game, while a match waits for what somebody owes it before play begins: their time runs, but giving
/// it earns no refill, or the order in which two give it would make a difference.
pub const BEFORE_PLAY: u16 = u16::MAX;

/// The time in which one seat is awaited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stint {
    /// The seat.
    pub seat: u8,
    /// The turn of the game, or [`BEFORE_PLAY`].
    pub turn: u16,
    /// Its number: that of the journal entry that it began with.
    pub number: u32,
    /// How much of the delay is left.
    delay: u64,
}

/// What a seat has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Bank {
    left: u64,
    /// The last turn of the game in which it was refilled. An undo to an earlier turn does not earn another one.
    refilled: Option<u16>,
}

/// The clock of a match, as it stands after an entry. What happens is told to it in order: first the [time](Self::advance),
/// then what follows from the entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clock {
    settings: Settings,
    banks: Vec<Bank>,
    stint: Option<Stint>,
    is_paused: bool,
    /// The time of the last entry.
    now: u64,
    /// The clock as it would be if the last stint had not ended: for whoever takes back what ended it.
    unended: Option<Box<Self>>,
}

impl Clock {
    /// A clock that was set at a time and runs for nobody yet.
    pub fn new(settings: &Settings, seats: usize, at: u64) -> Self {
        let banks = vec![Bank { left: settings.bank, refilled: None }; seats];
        Self { settings: settings.clone(), banks, stint: None, is_paused: false, now: at, unended: None }
    }

    /// The time of the last entry.
    pub fn now(&self) -> u64 {
        self.now
    }

    /// What a seat has beyond delays, as of the last entry.
    pub fn bank(&self, seat: u8) -> u64 {
        self.banks.get(usize::from(seat)).map_or(0, |bank| bank.left)
    }

    /// Whose time runs, or would if there were no pause.
    pub fn stint(&self) -> Option<Stint> {
        self.stint
    }

    /// Whether the clock is paused.
    pub fn is_paused(&self) -> bool {
        self.is_paused
    }

    /// Time passes until an entry. A time before that of the last entry counts as that one: a clock that was put back harms
    /// nobody.
    pub fn advance(&mut self, at: u64, free: &FreeTime) {
        if let Some(unended) = &mut self.unended {
            unended.advance(at, free);
        }
        let at = at.max(self.now);
        let charged = self.charged(at, free);
        if let Some(stint) = &mut self.stint {
            let beyond = charged.saturating_sub(stint.delay);
            stint.delay = stint.delay.saturating_sub(charged);
            if let Some(bank) = self.banks.get_mut(usize::from(stint.seat)) {
                bank.left = bank.left.saturating_sub(beyond);
            }
        }
        self.now = at;
    }

    /// The time of the running stint from the last entry until `at` that is not free.
    fn charged(&self, at: u64, free: &FreeTime) -> u64 {
        match self.stint {
            Some(stint) if !self.is_paused && at > self.now => {
                at - self.now - free.within(stint.seat, self.now, at)
            }
            _ => 0,
        }
    }

    /// After the entry `number` the match waits for this seat in this turn, or for nobody who has a clock. A stint goes on
    /// while the seat stays the same; when it ends, its seat is refilled.
    pub fn awaits(&mut self, awaited: Option<(u8, u16)>, number: u32) {
        let before = self.stint;
        match (before, awaited) {
            (Some(stint), Some((seat, turn))) if stint.seat == seat => {
                self.stint = Some(Stint { turn, ..stint });
                return;
            }
            (Some(stint), _) => {
                self.unended = Some(Box::new(Self { unended: None, ..self.clone() }));
                self.refill(stint);
            }
            (None, _) => {}
        }
        let delay = self.settings.delay;
        self.stint = awaited.map(|(seat, turn)| Stint { seat, turn, number, delay });
    }

    /// The player of a seat takes back what ended their stint: it goes on as if it had never ended. What they have thought
    /// since then was their own time, and that of nobody else.
    pub fn take_back(&mut self, seat: u8) {
        let is_theirs = |unended: &mut Box<Self>| unended.stint.is_some_and(|stint| stint.seat == seat);
        if self.stint.is_some_and(|stint| stint.seat == seat) {
            return;
        }
        if let Some(unended) = self.unended.take_if(is_theirs) {
            *self = *unended;
        }
    }

    fn refill(&mut self, stint: Stint) {
        if stint.turn == BEFORE_PLAY {
            return;
        }
        let Some(bank) = self.banks.get_mut(usize::from(stint.seat)) else { return };
        if bank.refilled.is_none_or(|turn| stint.turn > turn) {
            bank.refilled = Some(stint.turn);
            bank.left = bank.left.saturating_add(self.settings.refill).min(self.settings.cap.max(bank.left));
        }
    }

    /// The time of a seat has run out: its stint ends without a refill, and what was left of its bank in the grace is gone.
    pub fn flag(&mut self, seat: u8) {
        self.unended = None;
        if let Some(bank) = self.banks.get_mut(usize::from(seat)) {
            bank.left = 0;
        }
        if self.stint.is_some_and(|stint| stint.seat == seat) {
            self.stint = None;
        }
    }

    /// A seat has at least one refill from now on: its player is back, or an undo was agreed.
    pub fn grant(&mut self, seat: u8) {
        self.give(seat, self.settings.refill.min(self.settings.cap));
    }

    /// The others wait for somebody whose time has run out, or that player is back: they have at least a refill, and where
    /// there is none a tenth of what everybody began with.
    pub fn wait_for(&mut self, seat: u8) {
        self.give(seat, self.settings.respite());
    }

    fn give(&mut self, seat: u8, least: u64) {
        if let Some(bank) = self.banks.get_mut(usize::from(seat)) {
            bank.left = bank.left.max(least);
        }
        if let Some(unended) = &mut self.unended {
            unended.give(seat, least);
        }
    }

    /// All agreed to a pause.
    pub fn pause(&mut self) {
        if let Some(unended) = &mut self.unended {
            unended.pause();
        }
        self.is_paused = true;
    }

    /// The pause is over.
    pub fn resume(&mut self) {
        if let Some(unended) = &mut self.unended {
            unended.resume();
        }
        self.is_paused = false;
    }

    /// What a seat has left at a time after the last entry: its bank, and what is left of the delay if its time runs.
    pub fn left(&self, seat: u8, at: u64, free: &FreeTime) -> u64 {
        let bank = self.bank(seat);
        match self.stint.filter(|stint| stint.seat == seat) {
            Some(stint) => bank.saturating_add(stint.delay).saturating_sub(self.charged(at, free)),
            None => bank,
        }
    }

    /// When whose time runs out, if nothing happens before. `None` while nobody's time runs.
    pub fn deadline(&self, free: &FreeTime) -> Option<(u8, u64)> {
        let stint = self.stint.filter(|_| !self.is_paused)?;
        let left = self.bank(stint.seat).saturating_add(stint.delay);
        Some((stint.seat, free.after(stint.seat, self.now, left)?))
    }
}
