//! Players made of code.
//!
//! A bot gets a sight and the choices, never the state: it can't know what its seat may not know.

mod one_step;

use std::any::Any;
use std::fmt;

use kernel::{Dice, Game, LabDice, Match, Mover, Table, Viewer};

pub use one_step::OneStep;

/// A player made of code.
pub trait Bot<G: Game> {
    /// Picks one of the choices: an index into them.
    fn choose(&mut self, game: &G, sight: &G::Sight, choices: &[G::Choice], dice: &mut LabDice) -> usize;
}

/// Any choice, each as likely as the others.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random;

impl<G: Game> Bot<G> for Random {
    #[inline]
    fn choose(&mut self, _: &G, _: &G::Sight, choices: &[G::Choice], dice: &mut LabDice) -> usize {
        dice.below(choices.len() as u32) as usize
    }
}

/// The game's own quick policy: the choice that promises most at once.
#[derive(Clone, Copy, Debug, Default)]
pub struct Greedy;

impl<G: Game> Bot<G> for Greedy {
    #[inline]
    fn choose(&mut self, game: &G, sight: &G::Sight, choices: &[G::Choice], dice: &mut LabDice) -> usize {
        game.instinct(sight, choices, dice)
    }
}

/// The bots by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BotKind {
    /// [`Random`].
    Random,
    /// [`Greedy`].
    Greedy,
    /// [`OneStep`].
    OneStep,
}

impl BotKind {
    /// All of them, weakest first.
    pub const ALL: [Self; 3] = [Self::Random, Self::Greedy, Self::OneStep];

    /// The word for it in commands and the protocol.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Greedy => "greedy",
            Self::OneStep => "onestep",
        }
    }

    /// Reads a bot's word, or says which there are.
    pub fn parse(text: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|kind| kind.word() == text).ok_or_else(|| {
            let words = Self::ALL.map(Self::word);
            let meant = kernel::source::nearest(text, words);
            let hint = meant.map_or_else(String::new, |meant| format!(" (did you mean {meant}?)"));
            format!("unknown bot {:?}{hint}; the bots are {}", kernel::source::shown(text), words.join(", "))
        })
    }

    /// Lets this bot pick a choice.
    #[inline]
    pub fn choose<G: Game>(
        self,
        game: &G,
        sight: &G::Sight,
        choices: &[G::Choice],
        dice: &mut LabDice,
    ) -> usize {
        match self {
            Self::Random => Random.choose(game, sight, choices, dice),
            Self::Greedy => Greedy.choose(game, sight, choices, dice),
            Self::OneStep => OneStep::default().choose(game, sight, choices, dice),
        }
    }

    /// The name of the choice that this bot would make at a table of game `G`; `None` if the table is not of that
    /// game or no seat is to choose.
    pub fn suggest<G: Game>(self, table: &dyn Table, dice: &mut LabDice) -> Option<String> {
        let game_match = (table as &dyn Any).downcast_ref::<Match<G>>()?;
        let Mover::Seat(seat) = game_match.mover() else { return None };
        let game = game_match.game();
        let sight = game.sight(game_match.state(), Viewer::Seat(seat));
        let choices = game_match.choices();
        let pick = self.choose(game, &sight, &choices, dice);
        choices.get(pick).map(|&choice| game_match.name(choice))
    }
}

impl fmt::Display for BotKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}
