//! The catalogue of a game: options, questions, files and statistics.

use diagnostics::{FileCheck, Problems};

use crate::game::Game;
use crate::query::Answer;

/// What forms, the command line and the lab read of a game. Everything has a default: a game begins with none of it.
pub trait Catalogue: Game {
    /// The game in a sentence or two, for the lobby.
    const PITCH: &'static str = "";
    /// The rulebook in Markdown; without one, a page is made of the options and the bots.
    const RULEBOOK: &'static str = "";

    /// The options that there are, each with a sentence.
    fn option_help() -> &'static [(&'static str, &'static str)] {
        &[]
    }

    // --- questions ----------------------------------------------------------------------------

    /// The questions that make sense here, such as `attack WF`.
    fn questions(&self, _view: &Self::View<'_>) -> Vec<String> {
        Vec::new()
    }

    /// Answers a question, or says which questions there are.
    fn answer(&self, _view: &Self::View<'_>, _question: &str) -> Result<Answer, String> {
        Err(format!("{} answers no questions about odds", Self::TITLE))
    }

    /// Sets one thing of a position by hand, such as `WF` to `4`, for questions about a given position.
    fn place(&self, _state: &mut Self::State, _key: &str, _value: &str) -> Result<(), String> {
        Err(format!("positions of {} can't be set by hand", Self::TITLE))
    }

    // --- files --------------------------------------------------------------------------------

    /// Checks the data that is built in, and says what there is.
    fn check_builtin() -> Result<Vec<String>, Problems> {
        Ok(Vec::new())
    }

    /// The kinds of file that a user may write for this game, such as `book`, each with a sentence.
    fn file_kinds() -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// Checks a file of one of [`file_kinds`](Self::file_kinds).
    fn check_file(_kind: &str, name: &str, text: &str) -> Result<FileCheck, Problems> {
        let mut problems = Problems::new(name, text);
        problems.error(0..0, format!("{} reads no files", Self::TITLE));
        Err(problems)
    }

    // --- statistics ---------------------------------------------------------------------------

    /// What [`metric`](Self::metric) measures, such as "VP".
    const METRIC: &'static str = "";

    /// A number worth a curve over the turns of a game.
    fn metric(&self, _state: &Self::State) -> i32 {
        0
    }

    /// Names of the things worth counting in a batch of games.
    fn counters(&self) -> Vec<String> {
        Vec::new()
    }

    /// The counter that an event adds to.
    fn counter(&self, _event: &Self::Event) -> Option<usize> {
        None
    }
}
