//! The `Catalogue` trait: options, questions, files and statistics.

use diagnostics::{FileCheck, Problems};

use crate::game::Game;
use crate::query::Answer;

/// What forms, the command line and the lab need to know about a game. Everything has a default.
pub trait Catalogue: Game {
    /// The game in a sentence or two, for the lobby.
    const PITCH: &'static str = "";
    /// The rulebook in Markdown; without one, a page is made of the options and the bots.
    const RULEBOOK: &'static str = "";

    /// The options of the game, each with a sentence.
    fn option_help() -> &'static [(&'static str, &'static str)] {
        &[]
    }

    // --- questions ----------------------------------------------------------------------------

    /// The questions about odds that apply here, such as `attack WF`.
    fn questions(&self, _view: &Self::View<'_>) -> Vec<String> {
        Vec::new()
    }

    /// Answers a question, or returns an error that lists the questions.
    fn answer(&self, _view: &Self::View<'_>, _question: &str) -> Result<Answer, String> {
        Err(format!("{} answers no questions about odds", Self::TITLE))
    }

    /// How to ask about things that are in no position, for `maproom odds` without a question; empty where that can't be done.
    fn odds_help() -> &'static str {
        ""
    }

    /// Changes one detail of a position, such as `WF` to `4`, for questions about a made-up position.
    fn place(&self, _state: &mut Self::State, _key: &str, _value: &str) -> Result<(), String> {
        Err(format!("positions of {} can't be set by hand", Self::TITLE))
    }

    // --- files --------------------------------------------------------------------------------

    /// Checks the built-in data and returns a summary.
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

    /// A number that the lab plots over the turns of a game.
    fn metric(&self, _state: &Self::State) -> i32 {
        0
    }

    /// The names of the counters for a batch of games.
    fn counters(&self) -> Vec<String> {
        Vec::new()
    }

    /// The counter that an event increases.
    fn counter(&self, _event: &Self::Event) -> Option<usize> {
        None
    }
}
