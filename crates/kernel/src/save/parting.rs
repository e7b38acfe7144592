//! Why a save could not be read, and how much of it can still be played.

use std::fmt;

use diagnostics::Problems;

/// Why a save was not loaded. Displayed it is the report for a person, with lines and hints.
#[derive(Clone, Debug)]
pub enum LoadError {
    /// It is no save of this game, it is cut off, or its head can't be used: there is nothing to play.
    Unreadable(Problems),
    /// Its choices can be followed for a while, and then it parts from the present rules.
    Parted(Box<Parting>),
}

/// Where a save and the present rules part: a choice that is not possible now, or one that leads to another state.
#[derive(Clone, Debug)]
pub struct Parting {
    /// How many choices, from the first, are as the save says.
    pub common: usize,
    /// How many choices the save has.
    pub steps: usize,
    /// The rules that the match was begun under.
    pub begun_under: String,
    /// The rules that play now.
    pub rules: &'static str,
    /// What does not fit, and where it stands.
    pub problems: Problems,
}

impl Parting {
    /// Whether the match was begun under other rules than the present ones. If not, the save was damaged or changed.
    pub fn is_of_other_rules(&self) -> bool {
        self.begun_under != self.rules
    }
}

impl LoadError {
    /// What is wrong, with lines.
    pub fn problems(&self) -> &Problems {
        match self {
            Self::Unreadable(problems) => problems,
            Self::Parted(parting) => &parting.problems,
        }
    }

    /// Where the save and the present rules part, if that is what is wrong.
    pub fn parting(&self) -> Option<&Parting> {
        match self {
            Self::Unreadable(_) => None,
            Self::Parted(parting) => Some(parting),
        }
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.problems().fmt(f)
    }
}

impl std::error::Error for LoadError {}
