//! The steps of a match in blocks that copies of it share: a copy costs a few counters, whatever the length of the match.

use std::fmt;
use std::ops::Index;
use std::sync::Arc;

use crate::matches::Step;
use crate::seat::Actor;

/// The steps in a block. The position after each block is kept, so that going back replays only a few steps.
pub(crate) const BLOCK: usize = 64;

/// A full block: it never changes again.
#[derive(Debug)]
struct Block<C> {
    steps: Vec<Step<C>>,
    /// How many draws of Fate the log holds up to the end of the block.
    draws: u64,
}

/// The steps so far, and the positions at the beginning of each block.
#[derive(Debug)]
pub(crate) struct History<C, S> {
    blocks: Vec<Arc<Block<C>>>,
    /// The steps after the last full block; fewer than a block.
    rest: Vec<Step<C>>,
    /// The opening position, then that after each full block.
    checkpoints: Vec<Arc<S>>,
    draws: u64,
}

impl<C: Copy, S> Clone for History<C, S> {
    fn clone(&self) -> Self {
        Self {
            blocks: self.blocks.clone(),
            rest: self.rest.clone(),
            checkpoints: self.checkpoints.clone(),
            draws: self.draws,
        }
    }
}

impl<C: Copy, S: Clone> History<C, S> {
    /// No step yet.
    pub(crate) fn new(opening: S) -> Self {
        let rest = Vec::with_capacity(BLOCK);
        Self { blocks: Vec::new(), rest, checkpoints: vec![Arc::new(opening)], draws: 0 }
    }

    /// All steps.
    pub(crate) fn log(&self) -> Log<'_, C> {
        Log { blocks: &self.blocks, rest: &self.rest }
    }

    /// How many of the steps are draws of Fate.
    pub(crate) fn draws(&self) -> u64 {
        self.draws
    }

    /// Adds a step that has led to a position.
    #[inline]
    pub(crate) fn push(&mut self, step: Step<C>, position: &S) {
        self.draws += u64::from(step.actor == Actor::Fate);
        self.rest.push(step);
        if self.rest.len() == BLOCK {
            let steps = std::mem::replace(&mut self.rest, Vec::with_capacity(BLOCK));
            self.blocks.push(Arc::new(Block { steps, draws: self.draws }));
            self.checkpoints.push(Arc::new(position.clone()));
        }
    }

    /// The nearest position that is kept before step `steps` is made, and how many steps lead to it.
    pub(crate) fn checkpoint(&self, steps: usize) -> (usize, &S) {
        let at = (steps / BLOCK).min(self.checkpoints.len() - 1);
        (at * BLOCK, &self.checkpoints[at])
    }

    /// Drops all steps but the first `steps`.
    pub(crate) fn truncate(&mut self, steps: usize) {
        if steps >= self.log().len() {
            return;
        }
        let full = steps / BLOCK;
        if let Some(cut) = self.blocks.get(full) {
            self.rest = cut.steps[..steps % BLOCK].to_vec();
            self.blocks.truncate(full);
            self.checkpoints.truncate(full + 1);
        } else {
            self.rest.truncate(steps % BLOCK);
        }
        let before = self.blocks.last().map_or(0, |block| block.draws);
        let fates = self.rest.iter().filter(|step| step.actor == Actor::Fate).count();
        self.draws = before + fates as u64;
    }
}

/// The choices of a match in order, as it holds them.
pub struct Log<'a, C> {
    blocks: &'a [Arc<Block<C>>],
    rest: &'a [Step<C>],
}

impl<C> Clone for Log<'_, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C> Copy for Log<'_, C> {}

impl<'a, C> Log<'a, C> {
    /// How many there are.
    pub fn len(self) -> usize {
        self.blocks.len() * BLOCK + self.rest.len()
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The choice of a step, counted from 0.
    pub fn get(self, at: usize) -> Option<&'a Step<C>> {
        match self.blocks.get(at / BLOCK) {
            Some(block) => block.steps.get(at % BLOCK),
            None => self.rest.get(at - self.blocks.len() * BLOCK),
        }
    }

    /// The last one.
    pub fn last(self) -> Option<&'a Step<C>> {
        self.len().checked_sub(1).and_then(|at| self.get(at))
    }

    /// All of them.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = &'a Step<C>> + ExactSizeIterator {
        self.from(0)
    }

    /// Those from step `from` (counted from 0) on.
    pub fn from(self, from: usize) -> impl DoubleEndedIterator<Item = &'a Step<C>> + ExactSizeIterator {
        (from.min(self.len())..self.len()).map(move |at| match self.blocks.get(at / BLOCK) {
            Some(block) => &block.steps[at % BLOCK],
            None => &self.rest[at - self.blocks.len() * BLOCK],
        })
    }
}

impl<C> Index<usize> for Log<'_, C> {
    type Output = Step<C>;

    fn index(&self, at: usize) -> &Step<C> {
        match self.blocks.get(at / BLOCK) {
            Some(block) => &block.steps[at % BLOCK],
            None => &self.rest[at - self.blocks.len() * BLOCK],
        }
    }
}

impl<C: PartialEq> PartialEq for Log<'_, C> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl<C: fmt::Debug> fmt::Debug for Log<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seat::Seat;

    fn step(choice: u32) -> Step<u32> {
        let actor = if choice.is_multiple_of(3) { Actor::Fate } else { Actor::Seat(Seat(0)) };
        Step { choice, actor, forced: false }
    }

    fn history(steps: u32) -> History<u32, u32> {
        let mut history = History::new(0);
        for choice in 0..steps {
            history.push(step(choice), &(choice + 1));
        }
        history
    }

    #[test]
    fn a_cut_history_is_like_one_that_never_went_further() {
        for length in [0, 1, 63, 64, 65, 128, 200] {
            for kept in [0, 1, 63, 64, 65, 127, 128, 199, 200, 300] {
                let mut cut = history(length);
                let whole = cut.clone();
                cut.truncate(kept as usize);
                let mut fresh = history(kept.min(length));
                assert_eq!(cut.log(), fresh.log(), "{length} cut to {kept}");
                assert_eq!(cut.draws(), fresh.draws(), "{length} cut to {kept}");
                for choice in 1_000..1_100 {
                    cut.push(step(choice), &choice);
                    fresh.push(step(choice), &choice);
                }
                assert_eq!(cut.log(), fresh.log());
                assert_eq!(cut.checkpoint(90), fresh.checkpoint(90));
                assert_eq!(whole.log(), history(length).log(), "the copy stays as it was");
            }
        }
    }

    #[test]
    fn a_position_is_kept_for_every_block() {
        let history = history(200);
        let kept = [0, 63, 64, 130, 199, 200].map(|steps| history.checkpoint(steps));
        assert_eq!(kept, [(0, &0), (0, &0), (64, &64), (128, &128), (192, &192), (192, &192)]);
        let (first, last) = (history.log().get(0), history.log().last());
        assert_eq!((first.map(|s| s.choice), last.map(|s| s.choice)), (Some(0), Some(199)));
        assert_eq!(history.log().get(200), None);
        assert!(history.log().from(150).map(|step| step.choice).eq(150..200));
    }
}
