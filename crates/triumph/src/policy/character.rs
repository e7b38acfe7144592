//! The characters of the bots, as a text file has them.

use std::sync::LazyLock;

use diagnostics::Problems;
use diagnostics::datafile::{Document, Table, refuse_huge};

use crate::factions::Faction;

/// The characters that are built in.
pub(crate) const CHARACTERS: &str = include_str!("../../data/characters.toml");

/// The characters from whose choices a search starts, one for each Faction.
const MASTERS: &str = include_str!("../../data/masters.toml");

/// What a character weighs how much. The file says what each weight means.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Character {
    pub id: String,
    pub about: String,
    pub arms: i32,
    pub arms_at_war: i32,
    pub actions: i32,
    pub industry: i32,
    pub odds: i32,
    pub fear: i32,
    pub greed: i32,
    pub courtship: i32,
    pub spite: i32,
    pub alarm: i32,
    pub guard: i32,
    pub physics: i32,
    pub fleet: i32,
}

fn read(name: &str, text: &str) -> Vec<Character> {
    Character::read_all(name, text).unwrap_or_else(|problems| panic!("{problems}"))
}

fn built_in() -> &'static [Character] {
    static READ: LazyLock<Vec<Character>> = LazyLock::new(|| read("characters.toml", CHARACTERS));
    &READ
}

/// The built-in characters as bots: a word and a sentence each.
pub(crate) fn characters() -> &'static [(&'static str, &'static str)] {
    static WORDS: LazyLock<Vec<(&str, &str)>> =
        LazyLock::new(|| built_in().iter().map(|one| (one.id.as_str(), one.about.as_str())).collect());
    &WORDS
}

impl Character {
    /// A built-in character by its place; the first where there is none.
    pub(crate) fn builtin(at: usize) -> &'static Self {
        built_in().get(at).unwrap_or(&built_in()[0])
    }

    /// The character that wins most with a Faction.
    pub(crate) fn master(faction: Faction) -> &'static Self {
        static READ: LazyLock<Vec<Character>> = LazyLock::new(|| read("masters.toml", MASTERS));
        READ.iter().find(|one| one.id == faction.word()).unwrap_or(&built_in()[0])
    }

    /// The built-in characters; the first is the quick policy's.
    pub fn all_builtin() -> &'static [Self] {
        built_in()
    }

    /// All characters of a file; there is at least one.
    pub fn read_all(name: &str, text: &str) -> Result<Vec<Self>, Problems> {
        if let Some(problems) = refuse_huge(name, text) {
            return Err(problems);
        }
        let mut problems = Problems::new(name, text);
        let Some(document) = Document::parse(text, &mut problems) else { return Err(problems) };
        let mut root = document.root();
        root.integer("schema", 1..=1_u8, &mut problems);
        let tables = root.tables("character", &mut problems).unwrap_or_default();
        let all: Vec<Self> =
            tables.into_iter().filter_map(|mut table| read_one(&mut table, &mut problems)).collect();
        root.finish(&mut problems);
        if all.is_empty() && !problems.has_errors() {
            problems.error(0..0, "there is no character").expected("a table [[character]]");
        }
        if problems.has_errors() { Err(problems) } else { Ok(all) }
    }
}

fn read_one(table: &mut Table<'_>, problems: &mut Problems) -> Option<Character> {
    let id = table.text("id", problems)?;
    let about = table.text("about", problems)?;
    problems.set_place(format!("character {:?}", id.as_str()));
    let mut weight = |key, low: i32, high: i32| table.integer(key, low..=high, problems);
    let read = Character {
        id: id.as_str().to_owned(),
        about: about.as_str().to_owned(),
        arms: weight("arms", 0, 100)?,
        arms_at_war: weight("arms_at_war", 0, 100)?,
        actions: weight("actions", 0, 100)?,
        industry: weight("industry", 0, 25)?,
        odds: weight("odds", 50, 500)?,
        fear: weight("fear", 0, 1000)?,
        greed: weight("greed", 0, 1000)?,
        courtship: weight("courtship", 0, 1000)?,
        spite: weight("spite", 0, 1000)?,
        alarm: weight("alarm", 0, 40)?,
        guard: weight("guard", 0, 1000)?,
        physics: weight("physics", 0, 1000)?,
        fleet: weight("fleet", 0, 1000)?,
    };
    table.finish(problems);
    problems.set_place("");
    Some(read)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_characters_are_read() {
        let ids: Vec<&str> = characters().iter().map(|(id, _)| *id).collect();
        assert_eq!(ids, ["statesman", "gambler", "broker", "guarantor", "arsenal", "builder", "bear"]);
    }

    #[test]
    fn every_faction_has_a_master() {
        for faction in Faction::ALL {
            assert_eq!(Character::master(faction).id, faction.word());
        }
    }

    #[test]
    fn a_wrong_weight_is_pointed_at() {
        let text = CHARACTERS.replacen("fear = 100", "feer = 100", 1);
        let problems = Character::read_all("my.toml", &text).expect_err("a typing error").to_string();
        assert!(problems.contains("\"fear\" is missing"), "{problems}");
        assert!(Character::read_all("my.toml", "schema = 1\ncharacter = []").is_err());
    }
}
