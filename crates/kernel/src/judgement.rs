//! The `Judgement` trait: the value of a position and a policy.

use std::fmt::Debug;

use crate::dice::Dice;
use crate::game::Game;
use crate::seat::Seat;
use crate::tuning::Tuning;

/// How much a [policy](Judgement::policy) may think.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effort {
    /// For playouts, thousands of times: as fast as possible, with a memory between choices if that helps.
    Playout,
    /// Fast and without a memory: for the bot `greedy` and as the first choice that a search tries.
    Quick,
    /// A better but slower choice, if the game has one: the default that a search starts from at its root.
    Considered,
    /// One of the game's own [bots](Judgement::bots), by its index.
    Bot(usize),
}

/// What bots and the search need to know about a game.
pub trait Judgement: Game {
    /// What a policy remembers between choices; `()` for nothing. It may only hold what could be computed again: undo, forks
    /// and restarts start with an empty one.
    type Memory: Clone + Default + Debug + Send;

    /// The value of a position for a seat, from 0 (loss) to 1 (win). It is the result of a playout that is cut off at the
    /// start of a turn, before Fate draws. With three or more seats only the proportions count.
    fn value(&self, _state: &Self::State, _seat: Seat) -> f32 {
        0.5
    }

    /// The search parameters for this set-up.
    fn tuning(&self) -> Tuning {
        Tuning::default()
    }

    /// A sensible choice, as an index into `choices`, given only what its seat may see. The default is a random choice.
    ///
    /// If `why` is given, the policy may write its reason into it, in a sentence or two. The reason may use hidden
    /// information of its seat: the match shows it to nobody else while the game goes on. Simulations pass `None`, so that no
    /// time is spent on text.
    fn policy<D: Dice>(
        &self,
        _effort: Effort,
        _memory: &mut Self::Memory,
        _view: &Self::View<'_>,
        choices: &[Self::Choice],
        dice: &mut D,
        _why: Option<&mut String>,
    ) -> usize {
        dice.below(choices.len() as u32) as usize
    }

    /// The bots that only this game has: a name and a sentence each.
    fn bots() -> &'static [(&'static str, &'static str)] {
        &[]
    }
}
