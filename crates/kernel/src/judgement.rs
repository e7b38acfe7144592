//! The judgement of a game: what a position is worth, and what a sensible player does.

use std::fmt::Debug;

use crate::dice::Dice;
use crate::game::Game;
use crate::seat::Seat;
use crate::tuning::Tuning;

/// How hard a [policy](Judgement::policy) thinks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effort {
    /// At once, thousands of times in a playout: with a memory from choice to choice, where that is quicker.
    Playout,
    /// At once, without a memory: the bot `greedy`, and the first choice that a search tries.
    Quick,
    /// With a closer look, where the game has one: what a search takes for the usual choice of the position that it thinks
    /// about.
    Considered,
    /// As one of the game's own [bots](Judgement::bots), by its place in their list.
    Bot(usize),
}

/// What bots and search read of a game.
pub trait Judgement: Game {
    /// What a policy keeps in mind from choice to choice; `()` where there is nothing. It may hold only what could be worked
    /// out again: undo, forks and restarts begin with an empty one.
    type Memory: Clone + Default + Debug + Send;

    /// What a seat may expect of a position, from 0 for a loss to 1 for a win. A playout that is cut off at the beginning
    /// of a turn, before Fate draws for it, is worth this. Of the seats of a game with three and more only the proportion counts.
    fn value(&self, _state: &Self::State, _seat: Seat) -> f32 {
        0.5
    }

    /// How a search thinks about this set-up.
    fn tuning(&self) -> Tuning {
        Tuning::default()
    }

    /// What a sensible player does: an index into `choices`. It sees what its seat sees, and nothing else. By default any
    /// choice, each as likely as the others.
    ///
    /// Where `why` is there, people would like to know: the policy may write the reason of its choice into it, in a sentence
    /// or two. It may speak of what its seat knows, for the match keeps it from the others while the game hides
    /// something. Simulations ask without it, and a policy then spends nothing on words.
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

    /// The bots that only this game has: a word and a sentence each.
    fn bots() -> &'static [(&'static str, &'static str)] {
        &[]
    }
}
