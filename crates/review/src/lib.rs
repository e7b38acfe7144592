//! Reviews of matches: luck and skill.
//!
//! A review goes through a match and says for every step how it changed each seat's win chance, and whether that was luck or
//! somebody's choice.
//!
//! # The method
//!
//! The account is made **backward**, from the end to the start. `V` is the value of a position for each seat: the win chance
//! from 0 to 1, a draw counting half, calibrated to games of good players ([`kernel::Tuning::calibrated`]).
//!
//! * **The end** is worth its result, which is known exactly. In a match that goes on it is worth what a search estimates.
//! * **A draw of Fate** could have come out in several ways, each with a weight that the rules give exactly. The way that it
//!   came is worth what was found for the position after it; the others are worth what a search estimates. Before the draw the
//!   position is worth the mean of all, by weight. *Luck* is the difference that the draw made. Over all outcomes of a draw the
//!   luck adds up to nothing, by weight: nobody can expect to be lucky, so what is called luck is luck.
//! * **A decision of a seat** is judged by one search for all its choices, in which the choice that was made gets a third of the
//!   playouts. What the best choice promises more than the one that was made is *lost*, but only where the difference is
//!   larger than the noise (two standard errors, and never less than a point); a difference that the search can't tell from chance is nobody's mistake and
//!   costs nothing. The position before is worth what it is worth after, and the loss. A choice can't throw away more than
//!   there was: the loss is cut where a chance would leave 0 to 1.
//! * **What had no alternative** changes nothing.
//!
//! So for each seat `V` at the start, plus luck, plus what its own choices cost, plus what those of the others gave, **is** the
//! result. Nothing is left over, whatever the estimates are worth; their errors can only move points from one column to
//! another. Errors of the estimates do not pile up either: what is too much in one draw is too little in the next.
//!
//! Going backward is what makes the account exact where it matters. Near the end of a match little is left to chance, results
//! are known, and everything that is known of them flows back; a review that went forward from estimate to estimate would have
//! to explain a remainder that is neither luck nor skill.
//!
//! **Nobody is judged by what they could not know.** Where a game hides something, a decision is judged by a search from the
//! view of the seat that chose, and the worth of positions comes from playouts in which everybody plays by their own view,
//! with what a good next choice adds to that.
//!
//! **What it can't do.** Losses smaller than the noise are not seen. They are not gone: they make the positions that follow
//! worse than they need be, and so end up as bad luck. More playouts (see [`Quality`]) see smaller losses. And the measure of
//! all choices is our own search: where it is blind the review is blind.
//!
//! The same match and the same number of playouts give the same review, whatever the number of threads.

mod account;
mod agenda;
mod chances;
mod data;
mod estimate;
mod quality;
mod reply;
mod reviewer;
mod shares;
mod survey;
mod svg;
mod text;
mod verdict;
mod wording;

pub use agenda::{Again, Agenda, Found};
pub use chances::Chances;
pub use data::{Fork, Moment, Point, Review, SeatSum, TurnSum, What};
pub use estimate::{Estimate, Judgement, Tried};
pub use quality::Quality;
pub use reviewer::{Of, ReviewError, Reviewer, why_not};
pub use text::thousands;
pub use workers::Progress;

use std::sync::atomic::{AtomicBool, Ordering};

use kernel::{CompleteGame, Match};

/// Reviews a match. An unfinished match is reviewed up to its current position: see [`why_not`] for when that would tell
/// secrets. Progress counts playouts. What was not looked at when somebody said stop is guessed, so a review that says that it
/// was stopped is of no use.
pub fn review<G: CompleteGame>(
    of: &Match<G>,
    quality: Quality,
    progress: &Progress,
) -> Result<Review, ReviewError> {
    // All looks are made: after a stop they are quick.
    static ALL: AtomicBool = AtomicBool::new(false);
    let Quality { playouts, threads } = quality;
    let agenda = Agenda::of(of, playouts)?;
    progress.done.store(0, Ordering::Relaxed);
    progress.total.store(playouts.max(1), Ordering::Relaxed);
    let first = workers::map_numbers(threads, agenda.looks(), &ALL, |number| {
        let found = agenda.look(number, &progress.stop)?;
        progress.advance(found.playouts());
        Some(found)
    })?;
    let first: Vec<Found<G::Choice>> = first.into_iter().flatten().collect();
    let again = agenda.again(&first);
    let done = progress.done.load(Ordering::Relaxed);
    progress.total.store(done + again.all_playouts(), Ordering::Relaxed);
    let second = workers::map_numbers(threads, again.steps.len() as u64, &ALL, |number| {
        let judgement = agenda.look_again(&again, number, &progress.stop)?;
        progress.advance(u64::from(judgement.playouts));
        Some(judgement)
    })?;
    let second = second.into_iter().flatten().collect();
    Ok(agenda.review(first, &again, second, progress.is_stopped()))
}
