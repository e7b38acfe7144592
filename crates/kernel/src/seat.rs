//! Seats, viewers, audiences and results.

use std::fmt;

/// A player's place at the table, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Seat(pub u8);

impl Seat {
    /// Position in the game's list of seats.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct SeatSet(u8);

impl SeatSet {
    /// The first `count` seats (at most eight).
    pub fn first(count: usize) -> Self {
        Self(((1_u16 << count.min(8)) - 1) as u8)
    }

    /// The set with a seat added.
    #[must_use]
    pub const fn with(self, seat: Seat) -> Self {
        Self(self.0 | 1 << (seat.0 & 7))
    }

    /// Whether a seat is in the set.
    pub const fn has(self, seat: Seat) -> bool {
        self.0 >> (seat.0 & 7) & 1 != 0
    }

    /// How many seats are in the set.
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }
}

/// Who makes the next choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mover {
    /// A player.
    Seat(Seat),
    /// Chance: a die, a card, a token.
    Fate,
    /// Nobody: the game is over.
    Nobody,
}

/// Who made a choice in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Actor {
    /// A player, or a bot in a player's seat.
    Seat(Seat),
    /// Chance.
    Fate,
}

crate::encode_struct!(Seat[number]);
crate::encode_enum!(Mover { 0 = Seat(seat), 1 = Fate, 2 = Nobody });

/// Who looks at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Viewer {
    /// A player sees what is public and what is their own.
    Seat(Seat),
    /// A spectator sees what is public.
    Spectator,
}

/// Who may see an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Audience {
    /// Everybody, including spectators.
    Everyone,
    /// One player.
    Only(Seat),
    /// Everybody except one player, including spectators (the public form of what that player sees).
    Except(Seat),
    /// Several players, for example both sides of a battle that a third does not see.
    Among(SeatSet),
    /// Everybody except several players, including spectators (the public form of what those see).
    Besides(SeatSet),
}

impl Audience {
    /// Whether a viewer belongs to this audience.
    pub fn includes(self, viewer: Viewer) -> bool {
        match self {
            Self::Everyone => true,
            Self::Only(seat) => viewer == Viewer::Seat(seat),
            Self::Except(seat) => viewer != Viewer::Seat(seat),
            Self::Among(seats) => matches!(viewer, Viewer::Seat(seat) if seats.has(seat)),
            Self::Besides(seats) => !matches!(viewer, Viewer::Seat(seat) if seats.has(seat)),
        }
    }
}

/// How a game went for one seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Standing {
    /// Lost.
    Loss,
    /// Drawn.
    Draw,
    /// Won.
    Win,
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Loss => "loss",
            Self::Draw => "draw",
            Self::Win => "win",
        })
    }
}

/// How a game ended: an index into [`Game::results`](crate::Game::results).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Outcome(pub u8);

/// One of the ways in which a game can end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultInfo {
    /// Its id in saves and the protocol, such as `allied_minor`.
    pub word: &'static str,
    /// The result for people, such as "Minor Allied Victory".
    pub title: String,
    /// The standing of each seat.
    pub standings: Vec<Standing>,
}

impl ResultInfo {
    /// A way in which a game can end, with the standing of each seat.
    pub fn new(word: &'static str, title: impl Into<String>, standings: impl Into<Vec<Standing>>) -> Self {
        Self { word, title: title.into(), standings: standings.into() }
    }
}

/// The names of a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatInfo {
    /// Its id in saves and the protocol, such as `allies`.
    pub word: &'static str,
    /// Its name for people, such as "Allies".
    pub title: &'static str,
}
