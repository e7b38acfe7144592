//! The weights of a commander, as a text file has them.

use std::sync::LazyLock;

use diagnostics::Problems;
use diagnostics::datafile::{Document, Table, refuse_huge};

/// The commanders that are built in.
pub(crate) const COMMANDERS: &str = include_str!("../../data/commanders.toml");

/// What a commander weighs how much. The file says what each weight means.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Personality {
    pub id: String,
    pub about: String,
    pub assault: i32,
    pub repulse: i32,
    pub attack_from: i32,
    pub defend_from: i32,
    pub boldness: i32,
    pub caution: i32,
    pub objective: i32,
    pub cover: i32,
    pub danger: i32,
    pub company: i32,
    pub garrison: i32,
    pub shelling: i32,
    pub air: i32,
    pub prudence: i32,
}

fn built_in() -> &'static [Personality] {
    static READ: LazyLock<Vec<Personality>> = LazyLock::new(|| {
        let read = Personality::read_all("commanders.toml", COMMANDERS);
        read.expect("the built-in commanders are in order")
    });
    &READ
}

/// The built-in commanders as bots: a word and a sentence each.
pub(crate) fn own_commanders() -> &'static [(&'static str, &'static str)] {
    static WORDS: LazyLock<Vec<(&str, &str)>> =
        LazyLock::new(|| built_in().iter().map(|one| (one.id.as_str(), one.about.as_str())).collect());
    &WORDS
}

impl Personality {
    /// A built-in commander by its place; the first where there is none.
    pub(crate) fn builtin(at: usize) -> &'static Self {
        built_in().get(at).unwrap_or(&built_in()[0])
    }

    /// The first commander of a file.
    pub fn read_first(name: &str, text: &str) -> Result<Self, Problems> {
        Self::read_all(name, text).map(|mut all| all.swap_remove(0))
    }

    /// All commanders of a file; there is at least one.
    pub fn read_all(name: &str, text: &str) -> Result<Vec<Self>, Problems> {
        if let Some(problems) = refuse_huge(name, text) {
            return Err(problems);
        }
        let mut problems = Problems::new(name, text);
        let Some(document) = Document::parse(text, &mut problems) else { return Err(problems) };
        let mut root = document.root();
        root.integer("schema", 1..=1_u8, &mut problems);
        let tables = root.tables("commander", &mut problems).unwrap_or_default();
        let all: Vec<Self> =
            tables.into_iter().filter_map(|mut table| read_one(&mut table, &mut problems)).collect();
        root.finish(&mut problems);
        if all.is_empty() && !problems.has_errors() {
            problems.error(0..0, "there is no commander").expected("a table [[commander]]");
        }
        if problems.has_errors() { Err(problems) } else { Ok(all) }
    }
}

fn read_one(table: &mut Table<'_>, problems: &mut Problems) -> Option<Personality> {
    let id = table.text("id", problems)?;
    let about = table.text("about", problems)?;
    problems.set_place(format!("commander {:?}", id.as_str()));
    let mut weight = |key, low: i32, high: i32| table.integer(key, low..=high, problems);
    let read = Personality {
        id: id.as_str().to_owned(),
        about: about.as_str().to_owned(),
        assault: weight("assault", 0, 1000)?,
        repulse: weight("repulse", 0, 1000)?,
        attack_from: weight("attack_from", -200, 200)?,
        defend_from: weight("defend_from", -200, 200)?,
        boldness: weight("boldness", 0, 200)?,
        caution: weight("caution", 0, 200)?,
        objective: weight("objective", 0, 1000)?,
        cover: weight("cover", 0, 1000)?,
        danger: weight("danger", 0, 1000)?,
        company: weight("company", 0, 1000)?,
        garrison: weight("garrison", 0, 8)?,
        shelling: weight("shelling", 0, 1000)?,
        air: weight("air", 0, 1000)?,
        prudence: weight("prudence", 0, 200)?,
    };
    table.finish(problems);
    problems.set_place("");
    Some(read)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_commanders_are_read() {
        let ids: Vec<&str> = own_commanders().iter().map(|(id, _)| *id).collect();
        assert_eq!(ids, ["commander", "thruster", "stonewall"]);
    }

    #[test]
    fn a_wrong_weight_is_pointed_at() {
        let text = COMMANDERS.replacen("assault = 100", "asault = 100", 1);
        let problems = Personality::read_all("my.toml", &text).expect_err("a typing error").to_string();
        assert!(problems.contains("\"assault\" is missing"), "{problems}");
        let text = COMMANDERS.replacen("garrison = 2", "garrison = 20", 1);
        let problems = Personality::read_all("my.toml", &text).expect_err("too many").to_string();
        assert!(problems.contains("expected a whole number from 0 to 8"), "{problems}");
        assert!(Personality::read_first("my.toml", "schema = 1\ncommander = []").is_err());
    }
}
