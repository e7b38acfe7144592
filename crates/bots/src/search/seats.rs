//! How many seats a search can think for.

use std::fmt;

/// The most seats of a game that search can think about. What a playout brought is kept for every seat in every node of a
/// tree, so the number is part of the size of a node.
pub const SEATS: usize = 3;

/// A set-up has more seats than search can think for.
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
