//! Bots.
//!
//! A bot gets a view and the choices, never the state, so it can't use hidden information.

pub mod analysis;
pub mod external;
mod levels;
mod one_step;
mod player;
pub mod search;

use std::borrow::Cow;
use std::time::Duration;

use diagnostics::{nearest, shown};
use kernel::{CompleteGame, Dice, Effort, LabDice};

use search::{Budget, TooManySeats};

pub use levels::{LEVELS, Level};
pub use one_step::OneStep;
pub use player::{BotChoice, Player, SeatedBot};

/// A bot for a game.
pub trait Bot<G: CompleteGame> {
    /// Picks a choice, as an index into `choices`.
    fn choose(&mut self, game: &G, view: &G::View<'_>, choices: &[G::Choice], dice: &mut LabDice) -> usize;
}

/// Picks a random choice.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random;

impl<G: CompleteGame> Bot<G> for Random {
    #[inline]
    fn choose(&mut self, _: &G, _: &G::View<'_>, choices: &[G::Choice], dice: &mut LabDice) -> usize {
        dice.below(choices.len() as u32) as usize
    }
}

/// Plays the game's quick policy.
#[derive(Clone, Copy, Debug, Default)]
pub struct Greedy;

impl<G: CompleteGame> Bot<G> for Greedy {
    #[inline]
    fn choose(&mut self, game: &G, view: &G::View<'_>, choices: &[G::Choice], dice: &mut LabDice) -> usize {
        game.policy(Effort::Quick, &mut G::Memory::default(), view, choices, dice, None)
    }
}

/// The bots by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BotKind {
    /// [`Random`].
    Random,
    /// [`Greedy`].
    Greedy,
    /// [`OneStep`].
    OneStep,
    /// A level of search, by its index in [`LEVELS`].
    Level(u8),
    /// Search with so many playouts per choice: `search:4000`.
    Playouts(u32),
    /// Search for so many milliseconds per choice: `search:500ms`.
    Millis(u32),
    /// A bot that only this game has, by its index in [`Judgement::bots`](kernel::Judgement::bots).
    Own(u8),
}

/// The bots that every game has besides the levels, weakest first: a name and a sentence each.
const COMMON: [(BotKind, &str, &str); 3] = [
    (BotKind::Random, "random", "Random moves"),
    (BotKind::Greedy, "greedy", "Takes the best immediate gain"),
    (BotKind::OneStep, "onestep", "Looks one move ahead"),
];

/// The prefix for a search with a custom budget.
const SEARCH: &str = "search:";

impl BotKind {
    /// The bots of a game, its own ones last: a name and a sentence each.
    pub fn all<G: CompleteGame>() -> Vec<(Self, &'static str, &'static str)> {
        let levels = LEVELS.iter().enumerate();
        let levels = levels.map(|(at, level)| (Self::Level(at as u8), level.word, level.about));
        let own = G::bots().iter().enumerate();
        let own = own.map(|(at, (word, about))| (Self::Own(at as u8), *word, *about));
        COMMON.into_iter().chain(levels).chain(own).collect()
    }

    /// The names of the bots that every game has.
    pub fn common_words() -> Vec<&'static str> {
        COMMON.iter().map(|(_, word, _)| *word).chain(LEVELS.iter().map(|level| level.word)).collect()
    }

    /// Its name in commands and the protocol.
    pub fn word<G: CompleteGame>(self) -> Cow<'static, str> {
        match self {
            Self::Playouts(playouts) => format!("{SEARCH}{playouts}").into(),
            Self::Millis(millis) => format!("{SEARCH}{millis}ms").into(),
            _ => {
                let all = Self::all::<G>();
                all.into_iter().find(|(kind, ..)| *kind == self).map_or("", |(_, word, _)| word).into()
            }
        }
    }

    /// Parses a bot's name, or returns an error that lists the bots.
    pub fn parse<G: CompleteGame>(text: &str) -> Result<Self, String> {
        if let Some(budget) = text.strip_prefix(SEARCH) {
            return read_budget(budget).ok_or_else(|| {
                format!("{:?}: use search:4000 for playouts or search:500ms for time", shown(text))
            });
        }
        let all = Self::all::<G>();
        all.iter().find(|(_, word, _)| *word == text).map(|(kind, ..)| *kind).ok_or_else(|| {
            let words: Vec<&str> = all.iter().map(|(_, word, _)| *word).collect();
            let meant = nearest(text, words.iter().copied());
            let hint = meant.map_or_else(String::new, |meant| format!(" (did you mean {meant}?)"));
            format!("unknown bot {:?}{hint}; the bots are {}, search:PLAYOUTS", shown(text), words.join(", "))
        })
    }

    /// Whether it uses the search.
    pub fn searches(self) -> bool {
        matches!(self, Self::Level(_) | Self::Playouts(_) | Self::Millis(_))
    }

    /// Refuses a bot that can't play a game of so many seats. Only search has a limit.
    pub fn check_seats(self, seats: usize) -> Result<(), TooManySeats> {
        if self.searches() { TooManySeats::check(seats) } else { Ok(()) }
    }

    /// The search budget per choice; `None` for bots that do not search.
    pub fn budget<G: CompleteGame>(self, game: &G) -> Option<Budget> {
        match self {
            Self::Level(at) => LEVELS.get(usize::from(at)).map(|level| level.budget(&game.tuning())),
            Self::Playouts(playouts) => Some(Budget::playouts(playouts)),
            Self::Millis(millis) => Some(Budget::time(Duration::from_millis(u64::from(millis)))),
            Self::Random | Self::Greedy | Self::OneStep | Self::Own(_) => None,
        }
    }
}

/// `4000`, `500ms` or `2s`.
fn read_budget(text: &str) -> Option<BotKind> {
    let number = |digits: &str| digits.parse::<u32>().ok().filter(|number| *number > 0);
    if let Some(millis) = text.strip_suffix("ms") {
        return number(millis).map(BotKind::Millis);
    }
    if let Some(seconds) = text.strip_suffix('s') {
        return number(seconds)?.checked_mul(1_000).map(BotKind::Millis);
    }
    number(text).filter(|playouts| *playouts < u32::MAX).map(BotKind::Playouts)
}
