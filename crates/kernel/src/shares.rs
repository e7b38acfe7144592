//! What the players put into the dice of a match, so that nobody can choose them alone.
//!
//! The house commits to its secret first ([`Commitment`]). Then everybody who plays commits to a [`Number`] of their own,
//! and when all have done so the numbers are shown. The dice follow from the secret and all numbers together: whoever knew
//! the secret could not know the numbers of the others, and whoever chose a number did not know the secret.
//!
//! `docs/fair-dice.md` says against whom this helps and against whom it does not.

use std::fmt;

use sha2::{Digest, Sha256};

use crate::dice::{Commitment, Secret, hex, parse_hex};
use crate::seat::Seat;

/// What the commitment of a player begins with before it is hashed, so that no other hash of this program can be taken for it.
const NUMBER_TAG: &[u8] = b"maproom number 1";
/// The same for the secret of all.
const KEY_TAG: &[u8] = b"maproom dice 2";

/// The number of a player: 256 bits that their browser has drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number(pub [u8; 32]);

impl Number {
    /// Reads 64 hexadecimal digits.
    pub fn parse(text: &str) -> Option<Self> {
        parse_hex(text).map(Self)
    }

    /// What a player shows before the number. It holds the commitment of the house, which must therefore have come first,
    /// and the seat, so that nobody can pass the commitment of another off as their own.
    pub fn commitment(&self, house: &Commitment, seat: Seat) -> Commitment {
        let mut hash = Sha256::new();
        hash.update(NUMBER_TAG);
        hash.update(house.0);
        hash.update([seat.0]);
        hash.update(self.0);
        Commitment(hash.finalize().into())
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&hex(&self.0))
    }
}

/// How far a player has come with their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Share {
    /// They have not sat down yet.
    Awaited,
    /// They have committed to a number.
    Committed(Commitment),
    /// They have shown it.
    Given(Commitment, Number),
    /// The dice were begun without them: they had not sat down.
    LeftOut,
}

impl Share {
    /// The number, if it counts.
    pub const fn number(&self) -> Option<&Number> {
        match self {
            Self::Given(_, number) => Some(number),
            _ => None,
        }
    }

    /// Whether the dice wait for it.
    pub const fn is_open(&self) -> bool {
        matches!(self, Self::Awaited | Self::Committed(_))
    }

    /// Reads what [`write`](Shares::write) writes after the name of a seat, or says what was expected.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let commitment = |word: &str| Commitment::parse(word).ok_or("a commitment of 64 hexadecimal digits");
        match words[..] {
            ["awaited"] => Ok(Self::Awaited),
            ["left-out"] => Ok(Self::LeftOut),
            [one] => commitment(one).map(Self::Committed).map_err(|_| "awaited, left-out or a commitment"),
            [one, number] => {
                let number = Number::parse(number).ok_or("a number of 64 hexadecimal digits");
                Ok(Self::Given(commitment(one)?, number?))
            }
            _ => Err("a commitment and a number, each of 64 hexadecimal digits"),
        }
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Awaited => f.write_str("awaited"),
            Self::Committed(commitment) => write!(f, "{commitment}"),
            Self::Given(commitment, number) => write!(f, "{commitment} {number}"),
            Self::LeftOut => f.write_str("left-out"),
        }
    }
}

/// What the players put into the dice, in the order of their seats; empty where the house alone makes them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shares(Vec<(Seat, Share)>);

impl Shares {
    /// The shares of these seats, of each only the first that is named.
    pub fn new(shares: impl IntoIterator<Item = (Seat, Share)>) -> Self {
        let mut all: Vec<(Seat, Share)> = shares.into_iter().collect();
        all.sort_by_key(|(seat, _)| *seat);
        all.dedup_by_key(|(seat, _)| *seat);
        Self(all)
    }

    /// The dice wait for all of these seats.
    pub fn awaiting(seats: impl IntoIterator<Item = Seat>) -> Self {
        Self::new(seats.into_iter().map(|seat| (seat, Share::Awaited)))
    }

    /// All of them, in the order of the seats.
    pub fn iter(&self) -> impl Iterator<Item = (Seat, Share)> {
        self.0.iter().copied()
    }

    /// Whether the house alone makes the dice.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the dice wait for somebody's number.
    pub fn is_open(&self) -> bool {
        self.0.iter().any(|(_, share)| share.is_open())
    }

    /// The secret that the dice follow from: that of the house where nobody was asked for a number, else
    /// `SHA-256("maproom dice 2" ‖ secret ‖ for each number that counts: its seat as a byte ‖ the number)`.
    pub fn key(&self, secret: &Secret) -> Secret {
        if self.is_empty() {
            return secret.clone();
        }
        let mut hash = Sha256::new();
        hash.update(KEY_TAG);
        hash.update(secret.0);
        for (seat, share) in self.iter() {
            if let Some(number) = share.number() {
                hash.update([seat.0]);
                hash.update(number.0);
            }
        }
        Secret(hash.finalize().into())
    }

    /// Writes them as lines of a save; `word` names a seat.
    pub fn write<'w>(&self, word: impl Fn(Seat) -> &'w str, out: &mut String) {
        for (seat, share) in self.iter() {
            out.push_str(&format!("{SHARE}{}: {share}\n", word(seat)));
        }
    }
}

/// What a line of a save with a share begins with.
pub(crate) const SHARE: &str = "share ";
