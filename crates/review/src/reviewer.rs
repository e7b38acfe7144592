//! A review without the type of its game.

use std::any::Any;
use std::marker::PhantomData;

use kernel::{CompleteGame, Match, Table};

use crate::data::Review;
use crate::quality::{Quality, Watch};

/// Why a table can't be reviewed now; `None` if it can.
///
/// A game that hides something is reviewed when it is over: what luck it would have been to draw another token, and what a
/// choice was worth against the hands that the others really hold, tells those hands.
pub fn why_not(table: &dyn Table) -> Option<&'static str> {
    if table.steps() == 0 {
        return Some("nothing has been played yet, so there is nothing to review");
    }
    // A table shows no digest exactly while it hides something.
    if table.digest().is_none() {
        return Some("a match with secrets is reviewed when it is over, not before");
    }
    None
}

/// Reviews tables of one game, without its type.
pub trait Reviewer: Send + Sync {
    /// The preset of a word for a table; `None` if it is of another game or there is no such word.
    fn quality(&self, table: &dyn Table, word: &str) -> Option<Quality>;

    /// The review of a table; `None` if it is of another game or can't be reviewed now (see [`why_not`]).
    fn review(&self, table: &dyn Table, quality: Quality, watch: &Watch) -> Option<Review>;
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

    fn review(&self, table: &dyn Table, quality: Quality, watch: &Watch) -> Option<Review> {
        let of = (table as &dyn Any).downcast_ref::<Match<G>>()?;
        why_not(table).is_none().then(|| crate::review(of, quality, watch))
    }
}
