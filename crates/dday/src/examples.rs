//! Worked examples as files, so that the rules can be checked against them. Rule 21.
//!
//! An example is a small scenario, a moment in it, and cases: what is chosen from there on, dice and all, and what must
//! have come of it. The scenario is read by the reader of scenarios and the choices are played by the rules of the game,
//! so an example can hold nothing that a match could not.

use std::ops::Range;

use diagnostics::FileCheck;
use diagnostics::Problems;
use diagnostics::datafile::Table;
use diagnostics::examples::{Checked, read_file, report};

use crate::choice::Choice;
use crate::example_runner;
use crate::examples_board;
use crate::examples_expect::{self, Check};
use crate::rules::Rules;
use crate::state::State;

/// The files of the built-in examples: those of the specification, and our own for the rulings.
pub const SOURCES: [(&str, &str); 5] = [
    ("examples.toml", include_str!("../data/examples.toml")),
    ("examples_fire.toml", include_str!("../data/examples_fire.toml")),
    ("examples_orders.toml", include_str!("../data/examples_orders.toml")),
    ("examples_rulings.toml", include_str!("../data/examples_rulings.toml")),
    ("examples_works.toml", include_str!("../data/examples_works.toml")),
];
/// More choices than this are not one case.
const MAX_CHOICES: usize = 1_000;

/// One course of play from the example's position.
#[derive(Clone, Debug)]
pub struct Case {
    /// What it shows, where the file says it.
    pub about: String,
    /// What is chosen, by the players and by Fate.
    pub play: Vec<Choice>,
    /// What must hold afterwards.
    pub checks: Vec<Check>,
}

/// One worked example.
#[derive(Clone, Debug)]
pub struct Example {
    /// Its number, such as `E19`.
    pub id: String,
    /// What it shows.
    pub title: String,
    /// Its scenario and optional rules.
    pub rules: Rules,
    /// The position before.
    pub start: State,
    /// What is played from there, each case anew.
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
    read_file(name, text, |example: &Example| &example.id, |table, problems| example(table, text, problems))
}

fn example(table: &mut Table<'_>, text: &str, problems: &mut Problems) -> Option<Example> {
    let span = table.span();
    let id = table.text("id", problems)?.as_str().to_owned();
    problems.set_place(format!("example {id}"));
    let title = table.text("title", problems)?.as_str().to_owned();
    let board = examples_board::read(table, text, problems);
    let cases = table.tables("case", problems);
    // Misspelt keys are named even where the board can't be built: they are often the reason.
    table.finish(problems);
    let ((rules, start), tables) = (board?, cases?);
    if tables.is_empty() {
        problems.error(span.clone(), "this example has no case, so it shows nothing");
    }
    let read: Vec<_> = tables.into_iter().map(|table| case(table, &rules, problems)).collect();
    let cases: Option<Vec<Case>> = read.into_iter().collect();
    Some(Example { id, title, rules, start, cases: cases?, span })
}

fn case(mut table: Table<'_>, rules: &Rules, problems: &mut Problems) -> Option<Case> {
    let span = table.span();
    let about = match table.optional("about") {
        Some(value) => value.text(problems)?.as_str().to_owned(),
        None => String::new(),
    };
    let play = match table.optional("play") {
        Some(value) => choices(&value.texts(problems)?, rules, problems),
        None => Some(Vec::new()),
    };
    let expect = table.table("expect", problems);
    table.finish(problems);
    let checks = examples_expect::read(expect?, rules, problems)?;
    if checks.is_empty() {
        problems.error(span, "this case expects nothing, so it shows nothing");
    }
    Some(Case { about, play: play?, checks })
}

/// Names of choices, as players and the protocol use them.
fn choices(
    names: &[diagnostics::datafile::Text],
    rules: &Rules,
    problems: &mut Problems,
) -> Option<Vec<Choice>> {
    if let Some(name) = names.get(MAX_CHOICES) {
        problems.error(name.span(), "there are too many choices").expected(format!("at most {MAX_CHOICES}"));
        return None;
    }
    let read: Vec<_> = names.iter().map(|name| choice(name, rules, problems)).collect();
    read.into_iter().collect()
}

/// The choice of a name.
pub(crate) fn choice(
    name: &diagnostics::datafile::Text,
    rules: &Rules,
    problems: &mut Problems,
) -> Option<Choice> {
    let found = Choice::parse(&rules.scenario, name.as_str());
    if found.is_none() {
        let what = format!("{:?} is no choice of this game", name.as_str());
        problems
            .error(name.span(), what)
            .expected("a verb with battalions, zones and numbers of this example, such as \"step 0502\"");
    }
    found
}

#[cfg(test)]
#[path = "examples_tests.rs"]
mod tests;
