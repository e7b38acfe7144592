//! A review without the type of its game.

use std::any::Any;
use std::fmt;
use std::marker::PhantomData;

use bots::search::TooManySeats;
use kernel::{CompleteGame, Match, Table};
use workers::{Progress, WorkerPanic};

use crate::data::Review;
use crate::quality::Quality;

/// Why a review failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReviewError {
    /// The table is of another game.
    OtherGame,
    /// The table can't be reviewed now: see [`why_not`].
    NotNow(&'static str),
    /// The game has too many seats for the search.
    TooManySeats(TooManySeats),
    /// The review panicked.
    Panicked(WorkerPanic),
}

impl fmt::Display for ReviewError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherGame => f.write_str("this is a match of another game"),
            Self::NotNow(why) => f.write_str(why),
            Self::TooManySeats(why) => why.fmt(f),
            Self::Panicked(why) => why.fmt(f),
        }
    }
}

impl std::error::Error for ReviewError {}

impl From<TooManySeats> for ReviewError {
    fn from(error: TooManySeats) -> Self {
        Self::TooManySeats(error)
    }
}

impl From<WorkerPanic> for ReviewError {
    fn from(error: WorkerPanic) -> Self {
        Self::Panicked(error)
    }
}

/// Why a table can't be reviewed now; `None` if it can.
///
/// A game with hidden information is reviewed only when it is over, because luck and the value of choices would reveal the
/// hands.
pub fn why_not(table: &dyn Table) -> Option<&'static str> {
    if table.steps() == 0 {
        return Some("nothing has been played yet");
    }
    // A table shows no digest exactly while it has hidden information.
    if table.digest().is_none() {
        return Some("a match with hidden information can only be reviewed when it is over");
    }
    None
}

/// Reviews tables of one game, without its type.
pub trait Reviewer: Send + Sync {
    /// The preset of a word for a table; `None` if it is of another game or there is no such word.
    fn quality(&self, table: &dyn Table, word: &str) -> Option<Quality>;

    /// The review of a table, or why there is none.
    fn review(&self, table: &dyn Table, quality: Quality, progress: &Progress)
    -> Result<Review, ReviewError>;
}

/// The reviewer of a game.
#[derive(Clone, Copy, Debug)]
pub struct Of<G>(PhantomData<fn() -> G>);

impl<G> Of<G> {
    /// The reviewer of a game.
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<G> Default for Of<G> {
    fn default() -> Self {
        Self::new()
    }
}

impl<G: CompleteGame> Reviewer for Of<G> {
    fn quality(&self, table: &dyn Table, word: &str) -> Option<Quality> {
        let of = (table as &dyn Any).downcast_ref::<Match<G>>()?;
        Quality::for_match(of, word)
    }

    fn review(
        &self,
        table: &dyn Table,
        quality: Quality,
        progress: &Progress,
    ) -> Result<Review, ReviewError> {
        let of = (table as &dyn Any).downcast_ref::<Match<G>>().ok_or(ReviewError::OtherGame)?;
        why_not(table).map_or(Ok(()), |why| Err(ReviewError::NotNow(why)))?;
        crate::review(of, quality, progress)
    }
}
