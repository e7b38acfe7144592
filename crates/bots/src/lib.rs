//! Players made of code.
//!
//! A bot gets a sight and the choices, never the state: it can't know what its seat may not know.

mod one_step;

use std::any::Any;

use kernel::source::{nearest, shown};
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BotKind {
    /// [`Random`].
    Random,
    /// [`Greedy`].
    Greedy,
    /// [`OneStep`].
    OneStep,
    /// A bot that only this game has, by its place in [`Game::own_bots`].
    Own(u8),
}

/// The bots that every game has, weakest first: a word and a sentence each.
const COMMON: [(BotKind, &str, &str); 3] = [
    (BotKind::Random, "random", "Any move, each as likely as the others"),
    (BotKind::Greedy, "greedy", "Takes what promises most at once"),
    (BotKind::OneStep, "onestep", "Tries every move and judges what comes out"),
];

impl BotKind {
    /// The bots of a game, weakest first, its own ones last: a word and a sentence each.
    pub fn all<G: Game>() -> Vec<(Self, &'static str, &'static str)> {
        let own = G::own_bots().iter().enumerate();
        let own = own.map(|(at, (word, about))| (Self::Own(at as u8), *word, *about));
        COMMON.into_iter().chain(own).collect()
    }

    /// The words of the bots that every game has.
    pub fn common_words() -> [&'static str; 3] {
        COMMON.map(|(_, word, _)| word)
    }

    /// The word for it in commands and the protocol.
    pub fn word<G: Game>(self) -> &'static str {
        let all = Self::all::<G>();
        all.into_iter().find(|(kind, ..)| *kind == self).map_or("", |(_, word, _)| word)
    }

    /// Reads a bot's word, or says which there are.
    pub fn parse<G: Game>(text: &str) -> Result<Self, String> {
        let all = Self::all::<G>();
        all.iter().find(|(_, word, _)| *word == text).map(|(kind, ..)| *kind).ok_or_else(|| {
            let words: Vec<&str> = all.iter().map(|(_, word, _)| *word).collect();
            let meant = nearest(text, words.iter().copied());
            let hint = meant.map_or_else(String::new, |meant| format!(" (did you mean {meant}?)"));
            format!("unknown bot {:?}{hint}; the bots are {}", shown(text), words.join(", "))
        })
    }
}

/// A bot that plays a seat for the length of a match.
#[derive(Clone, Debug)]
pub struct Player<G: Game> {
    kind: BotKind,
    memory: G::Memory,
}

impl<G: Game> Player<G> {
    /// A bot before its first choice.
    pub fn new(kind: BotKind) -> Self {
        Self { kind, memory: G::Memory::default() }
    }

    /// Forgets everything: another match begins.
    pub fn begin(&mut self) {
        self.memory = G::Memory::default();
    }

    /// Picks one of the choices; where `why` is there, a bot of the game's own may write its reason into it.
    #[inline]
    fn pick(
        &mut self,
        game: &G,
        sight: &G::Sight,
        choices: &[G::Choice],
        dice: &mut LabDice,
        why: Option<&mut String>,
    ) -> usize {
        match self.kind {
            BotKind::Random => Random.choose(game, sight, choices, dice),
            BotKind::Greedy => Greedy.choose(game, sight, choices, dice),
            BotKind::OneStep => OneStep::default().choose(game, sight, choices, dice),
            BotKind::Own(at) => game.own_bot(usize::from(at), &mut self.memory, sight, choices, dice, why),
        }
    }
}

/// The fast way, for simulations: no reasons are asked for.
impl<G: Game> Bot<G> for Player<G> {
    #[inline]
    fn choose(&mut self, game: &G, sight: &G::Sight, choices: &[G::Choice], dice: &mut LabDice) -> usize {
        self.pick(game, sight, choices, dice, None)
    }
}

/// What a bot answers at a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// The name of its choice.
    pub choice: String,
    /// Its reason, for people; empty where it gives none. It may betray what only the bot's seat knows.
    pub why: String,
}

/// A bot without the type of its game, as a table holds it.
pub trait Sitter: Send {
    /// The choice that this bot makes at a table, and why; `None` if the table is of another game or no seat is to choose.
    fn choose(&mut self, table: &dyn Table, dice: &mut LabDice) -> Option<Said>;
}

impl<G: Game> Sitter for Player<G> {
    fn choose(&mut self, table: &dyn Table, dice: &mut LabDice) -> Option<Said> {
        let game_match = (table as &dyn Any).downcast_ref::<Match<G>>()?;
        let Mover::Seat(seat) = game_match.mover() else { return None };
        let game = game_match.game();
        let sight = game.sight(game_match.state(), Viewer::Seat(seat));
        let choices = game_match.choices();
        let mut why = String::new();
        let pick = self.pick(game, &sight, &choices, dice, Some(&mut why));
        choices.get(pick).map(|&choice| Said { choice: game_match.name(choice), why })
    }
}
