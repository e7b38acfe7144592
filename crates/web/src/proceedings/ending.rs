//! How a match ends when it is not the game that ends it.

use kernel::{SeatInfo, Standing};

/// How a match was ended by its players, its clock or somebody who may.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// A player gave up.
    Resigned {
        /// Who.
        seat: u8,
    },
    /// A player's time ran out, and that was the end.
    OutOfTime {
        /// Whose.
        seat: u8,
    },
    /// All agreed to a draw.
    Draw,
    /// All agreed to end it without a result.
    BrokenOff,
    /// Somebody called it off before it had begun.
    CalledOff {
        /// Who.
        seat: u8,
    },
    /// Somebody who may has ended it.
    Verdict {
        /// How each seat fared; empty without a result.
        standings: String,
        /// Why.
        why: String,
    },
}

impl Ending {
    /// The word of the result in lists.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Resigned { .. } => "resigned",
            Self::OutOfTime { .. } => "out-of-time",
            Self::Draw => "agreed-draw",
            Self::BrokenOff => "broken-off",
            Self::CalledOff { .. } => "called-off",
            Self::Verdict { .. } => "verdict",
        }
    }

    /// The result for people.
    pub fn title(&self, seats: &[SeatInfo]) -> String {
        let name = |seat: u8| seats.get(usize::from(seat)).map_or("Somebody", |seat| seat.title);
        match self {
            Self::Resigned { seat } => format!("{} resigned", name(*seat)),
            Self::OutOfTime { seat } => format!("{} ran out of time", name(*seat)),
            Self::Draw => "Draw by agreement".to_owned(),
            Self::BrokenOff => "Broken off by agreement".to_owned(),
            Self::CalledOff { seat } => format!("Called off by {} before it began", name(*seat)),
            Self::Verdict { why, .. } => format!("Ended by the house: {why}"),
        }
    }

    /// How each of so many seats fared; empty where there is no result.
    pub fn standings(&self, seats: usize) -> Vec<Standing> {
        match self {
            Self::Resigned { seat } | Self::OutOfTime { seat } => {
                let of = |at: usize| if at == usize::from(*seat) { Standing::Loss } else { Standing::Win };
                (0..seats).map(of).collect()
            }
            Self::Draw => vec![Standing::Draw; seats],
            Self::BrokenOff | Self::CalledOff { .. } => Vec::new(),
            Self::Verdict { standings, .. } => read_standings(standings, seats).unwrap_or_default(),
        }
    }
}

/// Reads `win,loss`: one word for each seat.
pub fn read_standings(text: &str, seats: usize) -> Option<Vec<Standing>> {
    let all = [Standing::Win, Standing::Draw, Standing::Loss];
    let read = |word: &str| all.into_iter().find(|standing| standing.to_string() == word);
    let standings: Vec<Standing> = text.split(',').map(read).collect::<Option<_>>()?;
    (standings.len() == seats).then_some(standings)
}
