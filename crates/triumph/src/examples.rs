//! Worked examples as files, so that the rules can be checked against them. Rules 22.
//!
//! An example is a position, and cases: what is chosen from there on, dice and all, and what must have come of it. The
//! choices are played by the rules of the game, so an example can hold nothing that a match could not. How a file is
//! written stands at the top of `data/examples_new_year.toml`.

use std::ops::Range;

use diagnostics::datafile::{Table, Text, Value, suggest};
use diagnostics::examples::{Checked, read_file, report};
use diagnostics::{FileCheck, Problems};
use kernel::Options;

use crate::example_runner;
use crate::examples_expect::{self, Check, place_in};
use crate::position::{KEYS, Subject};
use crate::rules::Rules;
use crate::settings::Settings;
use crate::state::State;

/// The files of the built-in examples: those of the rulebook, by chapter, and our own for the rulings.
pub const SOURCES: [(&str, &str); 9] = [
    ("examples_new_year.toml", include_str!("../data/examples_new_year.toml")),
    ("examples_war.toml", include_str!("../data/examples_war.toml")),
    ("examples_movement.toml", include_str!("../data/examples_movement.toml")),
    ("examples_combat.toml", include_str!("../data/examples_combat.toml")),
    ("examples_supply.toml", include_str!("../data/examples_supply.toml")),
    ("examples_rulings.toml", include_str!("../data/examples_rulings.toml")),
    ("examples_details.toml", include_str!("../data/examples_details.toml")),
    ("examples_referee.toml", include_str!("../data/examples_referee.toml")),
    ("examples_limits.toml", include_str!("../data/examples_limits.toml")),
];
/// More choices than this are not one case.
const MAX_CHOICES: usize = 500;
/// More settings than this are not one position.
const MAX_SETTINGS: usize = 500;

/// The first words of all choices, and `roll` for dice that are named one by one.
const VERBS: [&str; 57] = [
    "roll",
    "cadre",
    "muster",
    "card",
    "chit",
    "die",
    "hits",
    "deck",
    "active",
    "arrive",
    "buy",
    "strengthen",
    "build",
    "finish",
    "new",
    "at",
    "diplomacy",
    "wild",
    "factory",
    "pay",
    "tech",
    "take",
    "spy",
    "aim",
    "reveal",
    "repudiate",
    "pass",
    "double",
    "let",
    "nothing",
    "discard",
    "commit",
    "order",
    "war",
    "violate",
    "intervene",
    "bomb",
    "to",
    "end",
    "stand",
    "give",
    "fight",
    "avoid",
    "select",
    "against",
    "fire",
    "retreat",
    "rebase",
    "disband",
    "step",
    "surface",
    "move",
    "group",
    "raid",
    "strike",
    "hit",
    "escape",
];

/// One detail of a position: a key of [`KEYS`], its subject if it has one, and the value.
#[derive(Clone, Debug)]
struct Setting {
    rank: usize,
    subject: String,
    value: Written,
}

/// A value and where it stands.
#[derive(Clone, Debug)]
enum Written {
    Text(Text),
    Plain(String, Range<usize>),
}

impl Written {
    fn as_str(&self) -> &str {
        match self {
            Self::Text(text) => text.as_str(),
            Self::Plain(text, _) => text,
        }
    }

    fn locate(&self, part: Range<usize>) -> Range<usize> {
        match self {
            Self::Text(text) if part.is_empty() => text.span(),
            Self::Text(text) => text.locate(part),
            Self::Plain(_, span) => span.clone(),
        }
    }
}

/// One course of play.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// What it shows, where the file says it.
    pub about: String,
    /// Where it begins; `None`: where the case before it ended.
    pub start: Option<State>,
    /// The names of what is chosen, by the players and by Fate.
    pub play: Vec<String>,
    /// What must hold afterwards.
    pub checks: Vec<Check>,
}

/// One worked example.
#[derive(Clone, Debug)]
pub(crate) struct Example {
    /// Its number, such as `X34`.
    pub id: String,
    /// What it shows.
    pub title: String,
    /// The rules with their settings.
    pub rules: Rules,
    /// The cases.
    pub cases: Vec<Case>,
    /// Where it stands in its file.
    pub span: Range<usize>,
}

/// Plays every example of a file and says what came out differently.
pub(crate) fn check(name: &str, text: &str) -> Result<FileCheck, Problems> {
    let (list, problems) = read(name, text)?;
    let checked = list.iter().map(|example| Checked {
        id: &example.id,
        about: &example.title,
        span: example.span.clone(),
        wrong: example_runner::run(example),
    });
    Ok(report(&problems, checked))
}

/// Reads what can be read of a file of examples: one that has an error is left out and stands in the problems. `Err` if
/// the file as a whole can't be read.
pub(crate) fn read(name: &str, text: &str) -> Result<(Vec<Example>, Problems), Problems> {
    read_file(name, text, |example: &Example| &example.id, example)
}

fn example(table: &mut Table<'_>, problems: &mut Problems) -> Option<Example> {
    let span = table.span();
    let id = table.text("id", problems)?.as_str().to_owned();
    problems.set_place(format!("example {id}"));
    let title = table.text("title", problems)?.as_str().to_owned();
    table.text("rule", problems);
    let rules = rules(table, problems);
    let position = settings(table.optional("position"), problems);
    let cases = table.tables("case", problems);
    // Misspelt keys are named even where the position can't be built: they are often the reason.
    table.finish(problems);
    let (rules, position, tables) = (rules?, position?, cases?);
    if tables.is_empty() {
        problems.error(span.clone(), "this example has no case, so it shows nothing");
    }
    let first = tables.first().map(Table::span);
    let read: Vec<_> = tables
        .into_iter()
        .map(|table| {
            let is_first = Some(table.span()) == first;
            case(table, is_first, &rules, &position, problems)
        })
        .collect();
    let cases: Option<Vec<Case>> = read.into_iter().collect();
    Some(Example { id, title, rules, cases: cases?, span })
}

/// The rules of an example, with options as for a match.
fn rules(table: &mut Table<'_>, problems: &mut Problems) -> Option<Rules> {
    let Some(value) = table.optional("options") else { return Some(Rules::new(Settings::default())) };
    let mut options = Options::new();
    for (key, _, text) in value.table(problems)?.entries() {
        options.insert(key.to_owned(), text.text(problems)?.as_str().to_owned());
    }
    match Settings::read(&options) {
        Ok(settings) => Some(Rules::new(settings)),
        Err(why) => {
            problems.error(value.span(), why).expected("options of the game, such as players = \"2\"");
            None
        }
    }
}

fn case(
    mut table: Table<'_>,
    first: bool,
    rules: &Rules,
    position: &[Setting],
    problems: &mut Problems,
) -> Option<Case> {
    let span = table.span();
    let about = match table.optional("about") {
        Some(value) => value.text(problems)?.as_str().to_owned(),
        None => String::new(),
    };
    let goes_on = match table.optional("goes_on") {
        Some(value) => {
            let goes_on = value.boolean(problems)?;
            if goes_on && first {
                problems.error(value.span(), "there is no case before this one");
            }
            goes_on && !first
        }
        None => false,
    };
    let with = table.optional("with");
    if let (Some(value), true) = (&with, goes_on) {
        problems.error(value.span(), "a case that goes on has no position of its own");
    }
    let with = settings(with, problems);
    let play = match table.optional("play") {
        Some(value) => choices(&value.texts(problems)?, problems),
        None => Some(Vec::new()),
    };
    let expect = table.table("expect", problems);
    table.finish(problems);
    let checks = examples_expect::read(&expect?, rules, problems)?;
    if checks.is_empty() {
        problems.error(span.clone(), "this case expects nothing, so it shows nothing");
    }
    let with = with?;
    // A position has one phase: that of the case, if it has one of its own.
    let own_phase = with.iter().any(|setting| KEYS[setting.rank].0 == "phase");
    let mut all = position.to_vec();
    all.retain(|setting| !(own_phase && KEYS[setting.rank].0 == "phase"));
    all.extend(with);
    let start = if goes_on { None } else { Some(build(rules, all, span, problems)?) };
    Some(Case { about, start, play: play?, checks })
}

/// Puts a position together; settings are made in the order of [`KEYS`].
fn build(
    rules: &Rules,
    mut settings: Vec<Setting>,
    span: Range<usize>,
    problems: &mut Problems,
) -> Option<State> {
    settings.sort_by_key(|setting| setting.rank);
    let mut state = rules.blank();
    for setting in &settings {
        let value = setting.value.as_str();
        if let Err(fault) = rules.set(&mut state, KEYS[setting.rank].0, &setting.subject, value) {
            examples_expect::report(problems, fault, value, |part| setting.value.locate(part));
            return None;
        }
    }
    if let Err(why) = rules.invariants(&state) {
        problems.error(span, format!("such a position can't be: {why}"));
        return None;
    }
    Some(state)
}

/// The settings of a table.
fn settings(value: Option<Value<'_>>, problems: &mut Problems) -> Option<Vec<Setting>> {
    let Some(value) = value else { return Some(Vec::new()) };
    let mut all = Vec::new();
    let mut sound = true;
    for (key, span, value) in value.table(problems)?.entries() {
        let Some(rank) = KEYS.iter().position(|(known, _)| *known == key) else {
            let what = format!("{:?} is no part of a position", diagnostics::shown(key));
            let problem = problems.error(span, what);
            problem.expected("a part of a position, such as units or nations");
            suggest(problem, key, KEYS.iter().map(|(known, _)| *known));
            sound = false;
            continue;
        };
        if KEYS[rank].1 == Subject::None {
            sound &= add_settings(&mut all, rank, "", &value, problems).is_some();
            continue;
        }
        let Some(subjects) = value.table(problems) else {
            sound = false;
            continue;
        };
        for (subject, _, value) in subjects.entries() {
            sound &= add_settings(&mut all, rank, subject, &value, problems).is_some();
        }
    }
    if all.len() > MAX_SETTINGS {
        let what = "there are too many settings";
        problems.error(value.span(), what).expected(format!("at most {MAX_SETTINGS}"));
        return None;
    }
    sound.then_some(all)
}

/// One setting for a value, or one for each entry of a list.
fn add_settings(
    all: &mut Vec<Setting>,
    rank: usize,
    subject: &str,
    value: &Value<'_>,
    problems: &mut Problems,
) -> Option<()> {
    let mut add = |value: Written| all.push(Setting { rank, subject: subject.to_owned(), value });
    let values = if value.is_list() { value.list(problems)? } else { vec![*value] };
    for value in values {
        if value.is_integer() {
            let number: i32 = value.integer(-999..=9_999, problems)?;
            add(Written::Plain(number.to_string(), value.span()));
        } else {
            add(Written::Text(value.text(problems)?));
        }
    }
    Some(())
}

/// Names of choices, as players and the protocol use them.
fn choices(names: &[Text], problems: &mut Problems) -> Option<Vec<String>> {
    if let Some(name) = names.get(MAX_CHOICES) {
        problems.error(name.span(), "there are too many choices").expected(format!("at most {MAX_CHOICES}"));
        return None;
    }
    let mut sound = true;
    for name in names {
        let verb = name.as_str().split(' ').next().unwrap_or_default();
        if !VERBS.contains(&verb) {
            let place = place_in(&name.locate(0..name.as_str().len()), &(0..verb.len()));
            let what = format!("{:?} begins no choice of this game", diagnostics::shown(verb));
            let problem = problems.error(place, what);
            problem
                .expected("a verb with units, areas and cards, such as \"move germany infantry 3 munich\"");
            suggest(problem, verb, VERBS);
            sound = false;
        }
    }
    sound.then(|| names.iter().map(|name| name.as_str().to_owned()).collect())
}

#[cfg(test)]
#[path = "examples_tests.rs"]
mod tests;
