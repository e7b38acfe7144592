//! The words in which a position is written by hand: looking them up, and saying what was expected.

use std::ops::Range;

use crate::cards::{Card, Tech};
use crate::factions::{Faction, Power};
use crate::rules::Rules;
use crate::units::Kind;

/// A word that can't be used: which, what is wrong with it, and what would do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// The bytes of the value that are meant.
    pub at: Range<usize>,
    /// What is wrong.
    pub what: String,
    /// What would have been right.
    pub expected: String,
    /// The words among which the right one is to be found, for a guess at what was meant.
    pub known: Vec<String>,
}

impl Fault {
    /// Something is wrong with a part of a value.
    pub fn new(at: Range<usize>, what: impl Into<String>, expected: impl Into<String>) -> Self {
        Self { at, what: what.into(), expected: expected.into(), known: Vec::new() }
    }

    /// The same in a sentence.
    pub fn sentence(&self) -> String {
        format!("{}: expected {}", self.what, self.expected)
    }
}

/// The words of a value, one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Words<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Words<'t> {
    /// The words of a text.
    pub const fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    /// The next word and where it stands.
    pub fn word(&mut self) -> Option<(Range<usize>, &'t str)> {
        let rest = &self.text[self.at..];
        let start = self.at + rest.find(|c: char| !c.is_whitespace())?;
        let length = self.text[start..].find(char::is_whitespace).unwrap_or(self.text.len() - start);
        self.at = start + length;
        Some((start..self.at, &self.text[start..self.at]))
    }

    /// Whether a word follows; it is taken.
    pub fn takes(&mut self, wanted: &str) -> bool {
        let mut ahead = self.clone();
        let taken = ahead.word().is_some_and(|(_, word)| word == wanted);
        if taken {
            *self = ahead;
        }
        taken
    }

    /// Whether nothing follows.
    pub fn is_empty(&self) -> bool {
        self.clone().word().is_none()
    }

    /// The next word, read by `parse`; `known` are the words that it knows.
    pub fn read<'k, T, K: IntoIterator<Item = &'k str>>(
        &mut self,
        expected: &str,
        known: impl FnOnce() -> K,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, Fault> {
        let Some((at, word)) = self.word() else {
            return Err(Fault::new(self.at..self.at, "something is missing", expected));
        };
        parse(word).ok_or_else(|| {
            let known = known().into_iter().map(str::to_owned).collect();
            let what = format!("{:?} is not known", diagnostics::shown(word));
            Fault { known, ..Fault::new(at, what, expected) }
        })
    }

    /// A whole number.
    pub fn number(&mut self, range: std::ops::RangeInclusive<u16>) -> Result<u16, Fault> {
        let expected = format!("a whole number from {} to {}", range.start(), range.end());
        self.read(&expected, || [], |word| word.parse().ok().filter(|number| range.contains(number)))
    }

    /// A Faction.
    pub fn faction(&mut self) -> Result<Faction, Fault> {
        self.read("axis, west or ussr", || Faction::ALL.map(Faction::word), Faction::parse)
    }

    /// A Power.
    pub fn power(&mut self) -> Result<Power, Fault> {
        self.read("a Power, such as germany", || Power::ALL.map(Power::word), Power::parse)
    }

    /// A type of unit.
    pub fn kind(&mut self) -> Result<Kind, Fault> {
        self.read("a type, such as infantry", || Kind::ALL.map(Kind::word), Kind::parse)
    }

    /// A technology.
    pub fn tech(&mut self) -> Result<Tech, Fault> {
        self.read("a technology, such as sonar", || Tech::ALL.map(Tech::word), Tech::parse)
    }

    /// An area.
    pub fn area(&mut self, rules: &Rules) -> Result<u8, Fault> {
        let atlas = rules.atlas();
        let known = || atlas.areas.iter().map(|area| area.id.as_str());
        self.read("an area, such as berlin", known, |word| atlas.find_area(word))
    }

    /// A nation.
    pub fn nation(&mut self, rules: &Rules) -> Result<u8, Fault> {
        let atlas = rules.atlas();
        let known = || atlas.nations.iter().map(|nation| nation.id.as_str());
        self.read("a nation, such as poland", known, |word| atlas.find_nation(word))
    }

    /// A card.
    pub fn card(&mut self, rules: &Rules) -> Result<Card, Fault> {
        let decks = &rules.world.decks;
        let actions = decks.actions.iter().map(|card| card.id.as_str());
        let investments = decks.investments.iter().map(|card| card.id.as_str());
        let known = || actions.chain(investments);
        self.read("a card, such as A31 or I13", known, |word| rules.world.card(word))
    }

    /// Nothing more may follow.
    pub fn end(&mut self) -> Result<(), Fault> {
        match self.word() {
            None => Ok(()),
            Some((at, word)) => {
                let what = format!("{:?} is too much", diagnostics::shown(word));
                Err(Fault::new(at, what, "nothing more"))
            }
        }
    }
}
