//! The `RatingBook` trait: ratings as they follow from the rows that are written when rated matches end.
//!
//! The rows of [`Store::rated`](crate::Store::rated) say how a match ended for an account. They are taken up one after the other, each
//! with what the match says about its seat, because a match may be removed for good one day. When the last row of a match is there,
//! the match is counted in the same transaction: so a rating never lacks a match and never has one twice, whoever takes rows up and
//! however often they are interrupted. The formula is not this crate's: it comes as a function.

use crate::{AccountId, StoreError};

/// A rated match as one of its players had it.
#[derive(Clone, Debug, PartialEq)]
pub struct RatedSeat {
    /// The number of its row in the log.
    pub number: u64,
    /// The match.
    pub match_id: String,
    /// The account.
    pub account: AccountId,
    /// When the match ended for it, milliseconds since 1970.
    pub at: u64,
    /// Which game.
    pub game: String,
    /// How many seats the match had.
    pub players: u8,
    /// The set-up, for comparing sides: opaque here.
    pub setup: String,
    /// The number of the seat.
    pub seat: u8,
    /// The game's word for the side.
    pub side: String,
    /// How it ended: a word, opaque here.
    pub standing: String,
    /// What counting it has made of it; `None` until the match is counted.
    pub step: Option<RatingStep>,
    /// What its review found.
    pub luck: Luck,
}

/// A rating as it is kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Skill {
    /// The most likely skill.
    pub mu: f64,
    /// How unsure that is.
    pub sigma: f64,
}

/// What a match has changed for one of its players.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatingStep {
    /// The rating before it.
    pub before: Skill,
    /// The rating after it.
    pub after: Skill,
    /// What the side was taken to be worth.
    pub offset: f64,
    /// What the match adds to the score of the side, in sixths of a point.
    pub sixths: u64,
}

/// How much of a result was luck.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Luck {
    /// Not known yet.
    Waits,
    /// That much, in points: a win is one.
    Known(f64),
    /// The match can't be reviewed.
    Unknowable,
}

/// What the formula is asked: a match whose rows are all there, by seat.
#[derive(Clone, Debug)]
pub struct Counting<'a> {
    /// The seats, in their order.
    pub seats: &'a [RatedSeat],
    /// The rating of each before the match; `None` for a newcomer.
    pub before: &'a [Option<Skill>],
    /// What each side has scored in this set-up before, in sixths of a point.
    pub side_sixths: &'a [u64],
}

/// The formula: what a match changes for each of its seats. `None` for a match that counts for nobody.
pub type Formula<'a> = &'a dyn Fn(&Counting<'_>) -> Option<Vec<RatingStep>>;

/// The rating of an account in a game with a number of players.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptRating {
    /// The account.
    pub account: AccountId,
    /// Which game.
    pub game: String,
    /// How many players.
    pub players: u8,
    /// The rating.
    pub skill: Skill,
    /// How many matches it is made from.
    pub matches: u32,
}

/// What a side of a set-up has scored in rated matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideScore {
    /// How many players.
    pub players: u8,
    /// The set-up.
    pub setup: String,
    /// The number of the seat.
    pub seat: u8,
    /// The game's word for the side.
    pub side: String,
    /// How many matches were counted.
    pub matches: u32,
    /// The points, in sixths.
    pub sixths: u64,
}

/// A store for ratings. As with [`Store`](crate::Store), all methods block, and an `Err` means that nothing was changed.
pub trait RatingBook: Send + Sync {
    /// Makes what ratings need in the store, if it is missing. Must be called before anything else here.
    fn prepare_ratings(&self) -> Result<(), StoreError>;

    /// The number of the last row that was taken up or passed over.
    fn rated_up_to(&self) -> Result<u64, StoreError>;

    /// Takes a row up, and counts its match if this was the last that it lacked: as many rows as the match has seats. `false` if
    /// rows up to that number were taken up already.
    fn take_up(&self, row: &RatedSeat, formula: Formula<'_>) -> Result<bool, StoreError>;

    /// Passes over a row of which nothing more is known.
    fn pass_over(&self, number: u64) -> Result<(), StoreError>;

    /// Counts all matches anew, in the order in which they were complete. For another formula.
    fn count_anew(&self, formula: Formula<'_>) -> Result<(), StoreError>;

    /// The ratings of an account, by game and number of players.
    fn ratings_of(&self, account: AccountId) -> Result<Vec<KeptRating>, StoreError>;

    /// The rated players of a game, by what they are worth almost certainly (three deviations below), at most `most`.
    fn rated_players(&self, game: &str, most: usize) -> Result<Vec<KeptRating>, StoreError>;

    /// The counted matches of an account, the newest first, at most `most`.
    fn rated_seats(&self, account: AccountId, most: usize) -> Result<Vec<RatedSeat>, StoreError>;

    /// The rows of a match, by seat.
    fn rated_match(&self, match_id: &str) -> Result<Vec<RatedSeat>, StoreError>;

    /// What the sides of a game have scored, by number of players, set-up and seat.
    fn side_scores(&self, game: &str) -> Result<Vec<SideScore>, StoreError>;

    /// Counted matches whose luck is not known yet, the newest first, at most `most`.
    fn to_review(&self, most: usize) -> Result<Vec<String>, StoreError>;

    /// Notes how much of the result of a match was luck, by seat; empty for a match that can't be reviewed.
    fn set_luck(&self, match_id: &str, luck: &[f64]) -> Result<(), StoreError>;
}
