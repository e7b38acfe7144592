//! Errors of loading a save, and how much of it can still be played.

use std::fmt;

use diagnostics::Problems;

/// Why a save was not loaded. Its `Display` is the report for people, with lines and hints.
#[derive(Clone, Debug)]
pub enum LoadError {
    /// Not a save of this game, or cut off, or with a header that can't be used: nothing can be replayed.
    Unreadable(Problems),
    /// The first choices can be replayed; then the save differs from the current rules.
    Parted(Box<Parting>),
}

/// The point at which a save and the current rules differ: a choice that is illegal now, or one that leads to another state.
#[derive(Clone, Debug)]
pub struct Parting {
    /// How many choices, from the first, still lead to the states in the save.
    pub common: usize,
    /// How many choices the save has.
    pub steps: usize,
    /// The version of the rules that the match was started under.
    pub begun_under: String,
    /// The version of the current rules.
    pub rules: &'static str,
    /// What differs, with its line.
    pub problems: Problems,
}

impl Parting {
    /// Whether the match was started under other rules than the current ones. If not, the save was damaged or edited.
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

    /// Where the save and the current rules differ, if that is the error.
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
