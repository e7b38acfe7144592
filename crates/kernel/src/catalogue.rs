//! The `Catalogue` trait: options, questions, files and statistics.

use diagnostics::{FileCheck, Problems};

use crate::game::{Game, Options};
use crate::query::Answer;

/// A lesson of a game: a text file for the coach, and the files that it names. See the crate `lessons`.
#[derive(Clone, Copy, Debug)]
pub struct LessonFile {
    /// Its word in URLs and in the store.
    pub id: &'static str,
    /// The lesson.
    pub text: &'static str,
    /// Files beside it, such as a small scenario: names and texts.
    pub files: &'static [(&'static str, &'static str)],
}

impl LessonFile {
    /// The text of a file beside the lesson.
    pub fn file(&self, name: &str) -> Option<&'static str> {
        self.files.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
    }
}

/// How hard a scenario is to learn and to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Difficulty {
    /// For a first game.
    Easy,
    /// For a second one.
    Medium,
    /// For players who know the rules.
    Hard,
}

impl Difficulty {
    /// Its word for people.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Easy => "easy",
            Self::Medium => "medium",
            Self::Hard => "hard",
        }
    }
}

/// A set-up that the lobby shows as a card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Its word in URLs.
    pub id: String,
    /// Its title.
    pub title: String,
    /// A sentence about it.
    pub about: String,
    /// Who fights: "Allies against the book".
    pub sides: String,
    /// How long a game is: "20 turns".
    pub length: String,
    /// About how many minutes a game takes.
    pub minutes: u16,
    /// How hard it is.
    pub difficulty: Difficulty,
    /// Whether a newcomer should start with it.
    pub start_here: bool,
    /// The options that make it.
    pub options: Options,
}

/// What forms, the command line and the lab need to know about a game. Everything has a default.
pub trait Catalogue: Game {
    /// The game in a sentence or two, for the lobby.
    const PITCH: &'static str = "";
    /// The rulebook in Markdown; without one, a page is made of the options and the bots.
    const RULEBOOK: &'static str = "";

    /// The signs and abbreviations on the board, each with a few words, for the legend.
    const LEGEND: &'static [(&'static str, &'static str)] = &[];

    /// Choices of others that may concern somebody who does nothing, as patterns of names such as `attack **`: they end a
    /// standing order that was given "until something happens to me". None: any choice of another player does.
    const ALARMS: &'static [&'static str] = &[];

    /// The lessons of the game; the first is the one for newcomers.
    const LESSONS: &'static [LessonFile] = &[];

    /// The set-ups that the lobby shows as cards, in their order. None if a form is enough.
    fn setups() -> Vec<Setup> {
        Vec::new()
    }

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

    /// What there is of a kind that comes with the game, as texts to start one's own from: a name and a text each. A game that is
    /// set up with such a text instead of its name goes in the same way.
    fn built_in(_kind: &str) -> Vec<(&'static str, &'static str)> {
        Vec::new()
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
