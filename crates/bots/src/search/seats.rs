//! The limit of seats for the search.

use std::fmt;

/// The most seats that the search supports. Every node stores a result per seat, so this determines the size of a node.
pub const SEATS: usize = 3;

/// The error for a set-up with more than [`SEATS`] seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManySeats {
    /// How many it has.
    pub seats: usize,
}

impl TooManySeats {
    /// Refuses a game of more than [`SEATS`] seats.
    pub fn check(seats: usize) -> Result<(), Self> {
        if seats > SEATS { Err(Self { seats }) } else { Ok(()) }
    }
}

impl fmt::Display for TooManySeats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "search plays games of up to {SEATS} seats, and this one has {}", self.seats)
    }
}

impl std::error::Error for TooManySeats {}
