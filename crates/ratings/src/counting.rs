//! A finished match counted: from ratings before it, and what the sides had scored, to ratings after it.
//!
//! Whoever keeps ratings calls [`count`] for one match after another, in the order in which they ended, and keeps what it returns.
//! What a side has scored is kept in sixths of a point, as whole numbers: a point can be shared by two or by three, and sums of whole
//! numbers are the same in every order.

use crate::{Entrant, Rating, SideRecord, rate, side_offsets};

/// Sixths in a point.
pub const SIXTHS: u64 = 6;

/// How a rated match ended for one seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// Won.
    Win,
    /// Drawn.
    Draw,
    /// Lost.
    Loss,
    /// Given up while the others went on: the last place, whatever the bot that took the seat has made of it.
    GaveUp,
}

impl Finish {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Win, Self::Draw, Self::Loss, Self::GaveUp];

    /// The word for it, as it is kept.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Win => "win",
            Self::Draw => "draw",
            Self::Loss => "loss",
            Self::GaveUp => "gave-up",
        }
    }

    /// Reads the word.
    pub fn read(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|finish| finish.word() == word)
    }

    /// The place in the result; equal places are a draw between them.
    const fn place(self) -> u8 {
        match self {
            Self::Win => 1,
            Self::Draw => 2,
            Self::Loss => 3,
            Self::GaveUp => 4,
        }
    }

    /// The result as a number: 1, 0.5 or 0.
    pub const fn score(self) -> f64 {
        match self {
            Self::Win => 1.0,
            Self::Draw => 0.5,
            Self::Loss | Self::GaveUp => 0.0,
        }
    }
}

/// One seat of a finished match before it is counted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Before {
    /// The rating of its player.
    pub rating: Rating,
    /// How the match ended for them.
    pub finish: Finish,
    /// What this side has scored in the set-up before, in sixths of a point.
    pub side_sixths: u64,
}

/// The same seat afterwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct After {
    /// The new rating.
    pub rating: Rating,
    /// What the side was taken to be worth, in points of rating.
    pub offset: f64,
    /// What the match adds to the score of the side, in sixths of a point; over all sides it is one point, or none where nobody
    /// has won or drawn.
    pub sixths: u64,
}

/// Counts a match; the seats are in the order of the game.
///
/// ```
/// use ratings::{Before, Finish, Rating, count};
/// let seat = |finish| Before { rating: Rating::default(), finish, side_sixths: 0 };
/// let after = count(&[seat(Finish::Win), seat(Finish::Loss)]);
/// assert!(after[0].rating.mu > 25.0 && after[1].rating.mu < 25.0);
/// assert_eq!((after[0].sixths, after[1].sixths), (6, 0));
/// ```
pub fn count(seats: &[Before]) -> Vec<After> {
    let sides: Vec<SideRecord> =
        seats.iter().map(|seat| SideRecord { score: seat.side_sixths as f64 / SIXTHS as f64 }).collect();
    let offsets = side_offsets(&sides);
    let entrants: Vec<Entrant> = seats
        .iter()
        .zip(&offsets)
        .map(|(seat, offset)| Entrant::new(seat.rating, seat.finish.place()).with_offset(*offset))
        .collect();
    let sharing = |wanted: Finish| seats.iter().filter(|seat| seat.finish == wanted).count() as u64;
    let best = if sharing(Finish::Win) > 0 { Finish::Win } else { Finish::Draw };
    let share = SIXTHS.checked_div(sharing(best)).unwrap_or(0);
    rate(&entrants)
        .into_iter()
        .zip(offsets)
        .zip(seats)
        .map(|((rating, offset), seat)| After {
            rating,
            offset,
            sixths: if seat.finish == best { share } else { 0 },
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seat(finish: Finish, side_sixths: u64) -> Before {
        Before { rating: Rating::default(), finish, side_sixths }
    }

    #[test]
    fn words_are_read_back() {
        for finish in Finish::ALL {
            assert_eq!(Finish::read(finish.word()), Some(finish));
        }
        assert_eq!(Finish::read("lost"), None);
    }

    #[test]
    fn a_point_is_shared_by_those_who_won_or_else_drew() {
        let sixths = |finishes: &[Finish]| -> Vec<u64> {
            let seats: Vec<Before> = finishes.iter().map(|finish| seat(*finish, 0)).collect();
            count(&seats).iter().map(|after| after.sixths).collect()
        };
        assert_eq!(sixths(&[Finish::Draw, Finish::Draw]), [3, 3]);
        assert_eq!(sixths(&[Finish::Win, Finish::Win, Finish::Loss]), [3, 3, 0]);
        assert_eq!(sixths(&[Finish::Draw, Finish::Draw, Finish::Draw]), [2, 2, 2]);
        assert_eq!(sixths(&[Finish::Loss, Finish::GaveUp, Finish::Loss]), [0, 0, 0]);
    }

    #[test]
    fn who_gives_up_is_behind_those_who_lose() {
        let after = count(&[seat(Finish::Loss, 0), seat(Finish::GaveUp, 0), seat(Finish::Loss, 0)]);
        assert!(after[1].rating.mu < 25.0 && after[0].rating.mu > 25.0);
        assert_eq!(after[0].rating, after[2].rating);
    }

    #[test]
    fn a_side_that_has_won_more_is_worth_more() {
        let after = count(&[seat(Finish::Draw, 600), seat(Finish::Draw, 60)]);
        assert!(after[0].offset > 0.0 && (after[0].offset + after[1].offset).abs() < 1e-12);
        assert!(after[0].rating.mu < 25.0, "a draw with the better side costs");
    }
}
