//! The `Judgement` trait: the value of a position and a policy.

use std::fmt::Debug;

use crate::dice::Dice;
use crate::features::FeatureSink;
use crate::game::Game;
use crate::seat::{Seat, Viewer};
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
    type Memory: Clone + Default + Debug + Send + Sync;

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

    /// How many plans a search can choose among: ways to play on, the policy's own first. Where there is only one, bots search
    /// a tree of choices instead.
    fn plans(&self) -> usize {
        1
    }

    /// The choice of a plan, as an index into `choices`, like that of [`Judgement::policy`]. The memory is that of the plan.
    fn follow<D: Dice>(
        &self,
        _plan: usize,
        memory: &mut Self::Memory,
        view: &Self::View<'_>,
        choices: &[Self::Choice],
        dice: &mut D,
        why: Option<&mut String>,
    ) -> usize {
        self.policy(Effort::Playout, memory, view, choices, dice, why)
    }

    /// Whether plans are worth a comparison at this decision. Elsewhere the plan that a bot follows decides.
    fn is_crossroads(&self, _view: &Self::View<'_>, choices: &[Self::Choice]) -> bool {
        choices.len() > 1
    }

    /// Choices that are worth a look besides those of the plans, as indices, the best first. `memory` is that of a plan that
    /// has just been asked here.
    fn ideas(
        &self,
        _memory: &Self::Memory,
        _view: &Self::View<'_>,
        _choices: &[Self::Choice],
        _ideas: &mut Vec<usize>,
    ) {
    }

    /// The bots that only this game has: a name and a sentence each.
    fn bots() -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// The view as named numbers, for learning programs: a function of the view alone, with the same features in the same
    /// order in every position of a set-up. It should not allocate. Without them a program has to read the view as data.
    fn features<S: FeatureSink>(&self, _view: &Self::View<'_>, _out: &mut S) {}

    /// The names of the [features](Self::features) of this set-up.
    fn feature_names(&self) -> Vec<String> {
        let mut names = Vec::new();
        self.features(&self.view(&self.start(), Viewer::Spectator), &mut names);
        names
    }

    /// How many actions a learning program needs to tell apart. No seat of the printed set-ups has more choices at once.
    fn actions(&self) -> usize {
        1_024
    }

    /// The action, below [`actions`](Self::actions), that stands for a seat's choice, which is the n-th of its list. The
    /// default is its place in the list; a game with few choices should give each one the same action in every position,
    /// because that is easier to learn.
    fn action(&self, nth: usize, _choice: Self::Choice) -> usize {
        nth
    }

    /// The same, or `None` beyond the bound: a text of one's own may allow longer lists than any set-up that we know, and a
    /// learning program does without what its arrays have no room for.
    fn open_action(&self, nth: usize, choice: Self::Choice) -> Option<usize> {
        Some(self.action(nth, choice)).filter(|&action| action < self.actions())
    }
}
