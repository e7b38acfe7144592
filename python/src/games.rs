//! The games that there are: the one place of this crate that names them.

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use bots::{BotKind, Player, SeatedBot};
use diagnostics::{nearest, shown};
use kernel::{CompleteGame, Match, MatchDice, Options, game_of_save};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::errors::refused;
use crate::held::Held;
use crate::lanes::{Lanes, LanesOf};

type Opened = Result<Box<dyn Held>, String>;
type Batched = Result<Box<dyn Lanes>, String>;

/// What can be done with a game before there is a match, without its type.
pub struct GameEntry {
    /// Its word.
    pub id: &'static str,
    title: &'static str,
    options: fn() -> &'static [(&'static str, &'static str)],
    bots: fn() -> Vec<(&'static str, &'static str)>,
    open: fn(&Self, &Options, MatchDice) -> Opened,
    load: fn(&str) -> Opened,
    batch: fn(&Self, &Options, usize, u64) -> Batched,
    sit: fn(&str) -> Result<Box<dyn SeatedBot>, String>,
    /// The set-up that was asked for last: learning programs open the same one thousands of times.
    recent: Mutex<Option<(Options, Box<dyn Any + Send>)>>,
}

impl GameEntry {
    const fn of<G: CompleteGame>() -> Self {
        Self {
            id: G::ID,
            title: G::TITLE,
            options: G::option_help,
            bots: || BotKind::all::<G>().into_iter().map(|(_, word, about)| (word, about)).collect(),
            open: |entry, options, dice| Ok(Box::new(Match::new(entry.set_up::<G>(options)?, dice))),
            load: |text| match Match::<G>::load("save", text) {
                Ok(loaded) => Ok(Box::new(loaded.game_match)),
                Err(why) => Err(why.to_string()),
            },
            batch: |entry, options, count, seed| {
                Ok(Box::new(LanesOf::new(entry.set_up::<G>(options)?, count, seed)))
            },
            sit: |word| Ok(Box::new(Player::<G>::new(BotKind::parse::<G>(word)?))),
            recent: Mutex::new(None),
        }
    }

    /// The set-up of these options, made once where it is asked for again and again.
    fn set_up<G: CompleteGame>(&self, options: &Options) -> Result<G, String> {
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, game)) = &*recent
            && known == options
            && let Some(game) = game.downcast_ref::<G>()
        {
            return Ok(game.clone());
        }
        let game = G::with_options(options)?;
        *recent = Some((options.clone(), Box::new(game.clone())));
        Ok(game)
    }

    /// A new match.
    pub fn open(&self, options: &Options, dice: MatchDice) -> PyResult<Box<dyn Held>> {
        (self.open)(self, options, dice).map_err(refused)
    }

    /// A saved match.
    pub fn load(&self, text: &str) -> PyResult<Box<dyn Held>> {
        (self.load)(text).map_err(refused)
    }

    /// Many matches, whose seeds count up from the first one.
    pub fn batch(&self, options: &Options, count: usize, seed: u64) -> PyResult<Box<dyn Lanes>> {
        (self.batch)(self, options, count, seed).map_err(refused)
    }

    /// A bot.
    pub fn sit(&self, word: &str) -> PyResult<Box<dyn SeatedBot>> {
        (self.sit)(word).map_err(refused)
    }
}

static GAMES: [GameEntry; 5] = [
    GameEntry::of::<echoes::Echoes>(),
    GameEntry::of::<blitz::Blitz>(),
    GameEntry::of::<dday::DDay>(),
    GameEntry::of::<triumph::Triumph>(),
    GameEntry::of::<surrender::Surrender>(),
];

/// The game of a word, or which there are.
pub fn game(word: &str) -> PyResult<&'static GameEntry> {
    GAMES.iter().find(|game| game.id == word).ok_or_else(|| {
        let words: Vec<&str> = GAMES.iter().map(|game| game.id).collect();
        let meant = nearest(word, words.iter().copied());
        let hint = meant.map_or_else(String::new, |meant| format!(" (did you mean {meant}?)"));
        refused(format!("unknown game {:?}{hint}; the games are: {}", shown(word), words.join(", ")))
    })
}

/// The game of a save.
pub fn of_save(text: &str) -> PyResult<&'static GameEntry> {
    let word = game_of_save(text);
    game(word.ok_or_else(|| {
        refused("this is not a Maproom match: its first line should be \"maproom match 1\"")
    })?)
}

/// The options of a set-up from what Python gives: texts, numbers, True and False.
pub fn read_options(given: Option<BTreeMap<String, Bound<'_, PyAny>>>) -> PyResult<Options> {
    let given = given.unwrap_or_default().into_iter();
    given.map(|(key, value)| Ok((key, value.str()?.to_string()))).collect()
}

/// The games: a dict for each, with "game", "title", "options" and "bots", the last two as dicts of words and sentences.
#[pyfunction]
pub fn games(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let list = PyList::empty(py);
    for game in &GAMES {
        let entry = PyDict::new(py);
        entry.set_item("game", game.id)?;
        entry.set_item("title", game.title)?;
        let options = PyDict::new(py);
        (game.options)().iter().try_for_each(|(key, about)| options.set_item(key, about))?;
        entry.set_item("options", options)?;
        let bots = PyDict::new(py);
        (game.bots)().iter().try_for_each(|(word, about)| bots.set_item(word, about))?;
        entry.set_item("bots", bots)?;
        list.append(entry)?;
    }
    Ok(list)
}
