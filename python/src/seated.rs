//! A bot of the crate `bots` for a seat of a match.

use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

use bots::SeatedBot;
use kernel::LabDice;
use pyo3::prelude::*;

use crate::errors::refused;
use crate::games;
use crate::table::Match;

/// A bot for a seat: one of the levels, "greedy", "random", a bot of the game's own, or "search:4000". It sees what its seat
/// sees. The same seed gives the same choices. `maproom.games()` lists the bots of every game.
#[pyclass(frozen, module = "maproom")]
pub struct Bot {
    level: String,
    thinking: Mutex<Thinking>,
}

struct Thinking {
    bot: Box<dyn SeatedBot>,
    dice: LabDice,
}

#[pymethods]
impl Bot {
    #[new]
    #[pyo3(signature = (game, level = "captain", seed = 0))]
    fn new(game: &str, level: &str, seed: u64) -> PyResult<Self> {
        let bot = games::game(game)?.sit(level)?;
        let thinking = Mutex::new(Thinking { bot, dice: LabDice::new(seed) });
        Ok(Self { level: level.to_owned(), thinking })
    }

    /// The name of its choice for the seat to move. The interpreter lock is released while it thinks.
    fn choose(&self, py: Python<'_>, table: &Bound<'_, Match>) -> PyResult<String> {
        let copy = table.borrow().held().copied();
        let chosen = py.detach(|| {
            let mut thinking = self.thinking.lock().unwrap_or_else(PoisonError::into_inner);
            let Thinking { bot, dice } = &mut *thinking;
            bot.check_seats(copy.seats().len()).map_err(|why| why.to_string())?;
            let choice = bot.choose(&*copy, dice, &AtomicBool::new(false));
            choice.map(|made| made.choice).ok_or_else(|| {
                "a bot chooses for a seat of its own game, when it is that seat's turn".to_owned()
            })
        });
        chosen.map_err(refused)
    }

    fn __repr__(&self) -> String {
        format!("Bot({:?})", self.level)
    }
}
