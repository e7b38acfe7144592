//! Reads the historical politics of a scenario file. Rule 10.5.

use diagnostics::Problems;
use diagnostics::datafile::{Table, Text};

use crate::ids::{Country, Faction};
use crate::scenario::{Condition, Deed, Politics, Scenario};
use crate::scenario_names as names;
use crate::world::World;

/// As many entries as a position can remember.
const MOST: usize = 64;
const DEEDS: [&str; 5] = ["cede", "activate", "absorb", "switch", "leave"];

/// Reads the list.
pub(crate) fn read(root: &mut Table<'_>, scenario: &mut Scenario, problems: &mut Problems) {
    let Some(value) = root.optional("historical_politics") else { return };
    let Some(tables) = value.tables(problems) else { return };
    if tables.len() > MOST {
        problems.error(value.span(), format!("{} entries", tables.len())).expected(format!("at most {MOST}"));
    }
    for mut table in tables {
        if let Some(entry) = entry(&mut table, problems) {
            scenario.politics.push(entry);
        }
        table.finish(problems);
    }
}

fn entry(table: &mut Table<'_>, problems: &mut Problems) -> Option<Politics> {
    let turn = table.optional("turn");
    let start = table.optional("from");
    let until = table.optional("until");
    let mut month = |value: diagnostics::datafile::Value<'_>| names::turn(&value.text(problems)?, problems);
    let (from, until) = match (turn, start) {
        (Some(turn), None) => {
            let turn = month(turn)?;
            (turn, turn)
        }
        (None, Some(start)) => (month(start)?, until.map_or(Some(u8::MAX), month)?),
        _ => {
            problems
                .error(table.span(), "when it happens is not clear")
                .expected("either \"turn\" or \"from\"");
            return None;
        }
    };
    let word = table.word("does", &DEEDS, |word| DEEDS.iter().position(|known| *known == word), problems)?;
    let deed = match word {
        0 => Deed::Cede(names::disputed(&table.text("area", problems)?, problems)?),
        1 => Deed::Activate(country(table, problems)?, faction(table, problems)?),
        2 => Deed::Absorb(country(table, problems)?, faction(table, problems)?),
        3 => Deed::Switch(country(table, problems)?, faction(table, problems)?),
        _ => Deed::Leave(country(table, problems)?),
    };
    let texts = table.optional("if").and_then(|value| value.texts(problems)).unwrap_or_default();
    let conditions = texts.iter().filter_map(|text| condition(text, problems)).collect();
    Some(Politics { from, until, deed, conditions })
}

fn country(table: &mut Table<'_>, problems: &mut Problems) -> Option<Country> {
    names::country(&table.text("country", problems)?, problems)
}

fn faction(table: &mut Table<'_>, problems: &mut Problems) -> Option<Faction> {
    names::faction(&table.text("faction", problems)?, problems)
}

/// A condition such as `!pact` or `ground_near(soviet, BUL, 3)`.
fn condition(text: &Text, problems: &mut Problems) -> Option<(Condition, bool)> {
    let word = text.as_str().trim();
    let (word, holds) = word.strip_prefix('!').map_or((word, true), |rest| (rest, false));
    let found = parse(word);
    if found.is_none() {
        let problem =
            problems.error(text.span(), format!("\"{}\" is no condition", diagnostics::shown(text.as_str())));
        problem.expected(
            "neutral(C), active(faction, C), pact, ground_near(faction, C, n) or controls(faction, city), with ! for not",
        );
    }
    Some((found?, holds))
}

fn parse(word: &str) -> Option<Condition> {
    if word == "pact" {
        return Some(Condition::Pact);
    }
    let (name, rest) = word.split_once('(')?;
    let mut words = rest.strip_suffix(')')?.split(',').map(str::trim);
    let mut next = || words.next();
    let condition = match name {
        "neutral" => Condition::Neutral(Country::of_id(next()?)?),
        "active" => Condition::Active(Faction::of_word(next()?)?, Country::of_id(next()?)?),
        "ground_near" => Condition::GroundNear(
            Faction::of_word(next()?)?,
            Country::of_id(next()?)?,
            next()?.parse().ok().filter(|hexes| *hexes <= 20)?,
        ),
        "controls" => Condition::Controls(Faction::of_word(next()?)?, World::get().city_named(next()?)?),
        _ => return None,
    };
    next().is_none().then_some(condition)
}
