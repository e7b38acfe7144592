//! How a match begins that several people play: when all have sat down, and with the numbers of all in the dice.
//!
//! Everybody commits to a number when they sit down. Once all have, commitments are final and the numbers are shown; then the
//! dice can fall. Whom a bot plays for is not waited for, and has no part in the dice: that is harmless, because nobody has shown
//! a number yet. From then on nobody gets out of it: whoever has seen the numbers of the others and holds their own back could
//! choose between two series of dice, so without that number the match does not begin.

use kernel::{Commitment, Number, Seat, Share, Shares};
use store::TableEvent;

/// How often somebody may sit down anew, with other devices: each time is an entry of the journal.
const MOST_SEALS: u8 = 20;

/// Who is waited for before a match begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SittingDown {
    /// Whether the dice wait for numbers.
    pub dice: bool,
    /// Whether the time of those who have not sat down runs meanwhile, as in a tournament.
    pub at_once: bool,
    places: Vec<Place>,
    /// Whether all have sat down: from then on nobody changes what they have committed to.
    all_sit: bool,
    /// Whether the match has begun: nothing changes any more.
    has_begun: bool,
}

/// Somebody who is waited for.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    seat: u8,
    sits: bool,
    /// How often they have sat down.
    seals: u8,
    commitment: Option<Commitment>,
    number: Option<Number>,
    /// Whether a bot plays the seat now.
    is_away: bool,
}

/// What a seat has to do for the match to begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    /// To sit down.
    Sit,
    /// To show the number.
    Number,
    /// Nothing.
    Nothing,
}

impl SittingDown {
    /// Nobody has sat down yet.
    pub fn new(seats: &[u8], dice: bool, at_once: bool) -> Self {
        let place = |seat: &u8| Place {
            seat: *seat,
            sits: false,
            seals: 0,
            commitment: None,
            number: None,
            is_away: false,
        };
        Self { dice, at_once, places: seats.iter().map(place).collect(), all_sit: false, has_begun: false }
    }

    /// Whether anybody's time may run.
    pub const fn has_time_run(&self) -> bool {
        self.all_sit || self.at_once
    }

    /// Whether all whom the match waits for have sat down.
    pub const fn all_sit(&self) -> bool {
        self.all_sit
    }

    /// Whether the match has begun.
    pub const fn has_begun(&self) -> bool {
        self.has_begun
    }

    fn place(&self, seat: u8) -> Option<&Place> {
        self.places.iter().find(|place| place.seat == seat)
    }

    /// What a seat has to do now.
    pub fn due(&self, seat: u8) -> Due {
        let Some(place) = self.place(seat).filter(|_| !self.has_begun) else { return Due::Nothing };
        match place {
            _ if !self.all_sit && !place.sits && !place.is_away => Due::Sit,
            _ if self.all_sit && self.awaits_number(place) => Due::Number,
            _ => Due::Nothing,
        }
    }

    /// Whether a seat may still commit to another number: nobody has shown theirs.
    pub fn may_commit(&self, seat: u8) -> bool {
        !self.all_sit && self.place(seat).is_some_and(|place| place.seals < MOST_SEALS && !place.is_away)
    }

    /// What a seat has committed to.
    pub fn commitment(&self, seat: u8) -> Option<Commitment> {
        self.place(seat)?.commitment
    }

    /// Those whom the match waits for now: first until they sit down, then for their numbers.
    pub fn awaited(&self) -> Vec<u8> {
        let is_awaited = |place: &&Place| match self.all_sit {
            _ if self.has_begun => false,
            true => self.awaits_number(place),
            false => !place.sits && !place.is_away,
        };
        self.places.iter().filter(is_awaited).map(|place| place.seat).collect()
    }

    fn awaits_number(&self, place: &Place) -> bool {
        self.dice && place.number.is_none() && place.commitment.is_some()
    }

    /// What the players put into the dice, as it stands.
    pub fn shares(&self) -> Shares {
        if !self.dice {
            return Shares::default();
        }
        let share = |place: &Place| match (place.commitment, place.number) {
            (Some(commitment), Some(number)) => Share::Given(commitment, number),
            (Some(commitment), None) => Share::Committed(commitment),
            (None, _) if self.has_begun => Share::LeftOut,
            (None, _) => Share::Awaited,
        };
        Shares::new(self.places.iter().map(|place| (Seat(place.seat), share(place))))
    }

    /// Somebody has made a choice, so they are there, even if they never said so.
    pub fn chose(&mut self, seat: u8) {
        if !self.dice {
            self.change(seat, |place| place.sits = true);
        }
    }

    /// Follows an event.
    pub fn follow(&mut self, event: &TableEvent) {
        match event {
            TableEvent::Sit { seat, commitment } if !self.all_sit => {
                let commitment = commitment.as_deref().and_then(Commitment::parse);
                // Where the dice wait, whoever commits to nothing has not sat down.
                if commitment.is_some() || !self.dice {
                    self.change(*seat, |place| {
                        (place.sits, place.commitment) = (true, commitment);
                        place.seals = place.seals.saturating_add(1);
                    });
                }
            }
            TableEvent::Number { seat, number } if self.all_sit => {
                let number = Number::parse(number);
                self.change(*seat, |place| place.number = place.number.or(number));
            }
            _ => {}
        }
    }

    /// A bot plays a seat from now on, or its person again. Whoever leaves before all have sat down takes their seal along, and
    /// sits down anew when they come back.
    pub fn handed(&mut self, seat: u8, to_bot: bool) {
        let all_sit = self.all_sit;
        self.change(seat, |place| {
            place.is_away = to_bot;
            if to_bot && !all_sit {
                (place.sits, place.commitment) = (false, None);
            }
        });
    }

    fn change(&mut self, seat: u8, change: impl FnOnce(&mut Place)) {
        if self.has_begun {
            return;
        }
        if let Some(place) = self.places.iter_mut().find(|place| place.seat == seat) {
            change(place);
        }
        self.all_sit |= self.places.iter().all(|place| place.sits || place.is_away);
        self.has_begun = self.all_sit && !self.places.iter().any(|place| self.awaits_number(place));
    }
}
