//! Worked examples as files, so that the rules can be checked against them. Section 50 of the rulebook.
//!
//! An example is a position, written by hand, and cases: what is chosen from there on, dice and all, and what must have come
//! of it. The choices are played by the rules of the game, so an example can do nothing that a match could not.

use std::ops::Range;
use std::sync::Arc;

use diagnostics::datafile::{Table, Value};
use diagnostics::examples::{Checked, Mismatch, read_file, report};
use diagnostics::{FileCheck, Problems};

use crate::choice::Choice;
use crate::example_position::PARTS;
use crate::example_runner::{self, QUESTIONS};
use crate::rules::Rules;
use crate::scenario::Scenario;
use crate::scenario_file;
use crate::settings::Settings;
use crate::state::State;

/// The files of the built-in examples: section 50.1 to 50.8 of the rulebook, and our own for the rulings.
pub(crate) const SOURCES: [(&str, &str); 9] = [
    ("examples_combat.toml", include_str!("../data/examples_combat.toml")),
    ("examples_movement.toml", include_str!("../data/examples_movement.toml")),
    ("examples_supply.toml", include_str!("../data/examples_supply.toml")),
    ("examples_will.toml", include_str!("../data/examples_will.toml")),
    ("examples_economy.toml", include_str!("../data/examples_economy.toml")),
    ("examples_sea.toml", include_str!("../data/examples_sea.toml")),
    ("examples_landings.toml", include_str!("../data/examples_landings.toml")),
    ("examples_politics.toml", include_str!("../data/examples_politics.toml")),
    ("examples_rulings.toml", include_str!("../data/examples_rulings.toml")),
];

/// More choices than this are not one case.
const MAX_CHOICES: usize = 1_000;

/// What must hold: a question, whom it is about, and the answer.
#[derive(Clone, Debug)]
pub(crate) struct Check {
    pub question: &'static str,
    pub about: String,
    pub expected: String,
}

/// One course of play from the example's position.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub about: String,
    /// What is set anew in this case, before the play.
    pub changes: Vec<(&'static str, String, String)>,
    pub play: Vec<Choice>,
    pub checks: Vec<Check>,
}

/// One worked example.
#[derive(Clone, Debug)]
pub(crate) struct Example {
    pub id: String,
    pub title: String,
    pub rules: Rules,
    pub start: State,
    /// The step of the turn in which it begins; none: no phase is under way, and nothing can be chosen.
    pub step: Option<u8>,
    pub cases: Vec<Case>,
    pub span: Range<usize>,
}

/// Plays every example of a file and says what came out differently.
pub(crate) fn check(name: &str, text: &str) -> Result<FileCheck, Problems> {
    let (list, problems) = read(name, text)?;
    let checked = list.iter().map(|example| Checked {
        id: &example.id,
        about: &example.title,
        span: example.span.clone(),
        wrong: run(example),
    });
    Ok(report(&problems, checked))
}

/// Plays an example; an empty list means that all is as it should be.
fn run(example: &Example) -> Vec<Mismatch> {
    let mut wrong = Vec::new();
    for (at, case) in example.cases.iter().enumerate() {
        let place = match (&*case.about, example.cases.len()) {
            ("", 1) => String::new(),
            ("", _) => format!("case {}, ", at + 1),
            (about, _) => format!("{about}, "),
        };
        example_runner::play(example, case, &place, &mut wrong);
    }
    wrong
}

/// Reads what can be read of a file of examples.
pub(crate) fn read(name: &str, text: &str) -> Result<(Vec<Example>, Problems), Problems> {
    read_file(name, text, |example: &Example| &example.id, example)
}

fn example(table: &mut Table<'_>, problems: &mut Problems) -> Option<Example> {
    let span = table.span();
    let id = table.text("id", problems)?.as_str().to_owned();
    problems.set_place(format!("example {id}"));
    let title = table.text("title", problems)?.as_str().to_owned();
    let rules = rules(table, problems)?;
    let own = rules.scenario().id.is_empty();
    let mut start = if own { State::blank(0) } else { rules.opening() };
    if own {
        start.war_east = true;
    }
    let mut step = None;
    if let Some(value) = table.optional("phase") {
        let text = value.text(problems)?;
        match rules.phase_of(text.as_str()) {
            Ok(found) => step = Some(found),
            Err(why) => {
                problems.error(text.span(), why);
            }
        }
    }
    let mut changes = Vec::new();
    if let Some(position) = table.optional("position") {
        let mut position = position.table(problems)?;
        changes = parts(&mut position, problems)?;
    }
    for (key, about, value) in &changes {
        if let Err(why) = rules.set_part(&mut start, key, about, value) {
            problems.error(span.clone(), format!("{key}: {why}"));
        }
    }
    let cases = table.tables("case", problems);
    table.finish(problems);
    let read: Vec<_> = cases?.into_iter().map(|table| case(table, &rules, problems)).collect();
    let cases: Option<Vec<Case>> = read.into_iter().collect();
    let cases = cases?;
    if cases.is_empty() {
        problems.error(span.clone(), "this example has no case, so it shows nothing");
    }
    Some(Example { id, title, rules, start, step, cases, span })
}

/// The rules of an example: of a scenario of ours, or of the whole map with nothing on it and what `rules` switches on.
fn rules(table: &mut Table<'_>, problems: &mut Problems) -> Option<Rules> {
    let mut settings =
        Settings { scenario: Arc::new(Scenario::blank()), secret: false, historical: false, variable: false };
    if let Some(value) = table.optional("scenario") {
        let id = value.text(problems)?;
        match scenario_file::chosen(id.as_str()) {
            Ok(scenario) => settings.scenario = Arc::new(scenario),
            Err(why) => {
                problems.error(id.span(), why);
            }
        }
    }
    if let Some(value) = table.optional("rules") {
        let mut scenario = Scenario::clone(&settings.scenario);
        for word in value.texts(problems)? {
            match word.as_str() {
                "strategic warfare" => scenario.strategic_warfare = true,
                "declarations" => scenario.declare_war = true,
                "diplomacy" => scenario.diplomacy = true,
                "historical" => settings.historical = true,
                "variable" => settings.variable = true,
                "secret" => settings.secret = true,
                _ => {
                    problems.error(word.span(), "this switches nothing on").expected(
                        "strategic warfare, declarations, diplomacy, historical, variable or secret",
                    );
                }
            }
        }
        settings.scenario = Arc::new(scenario);
    }
    Some(Rules::new(settings))
}

/// The parts of a position: key, whom it is about, value.
fn parts(table: &mut Table<'_>, problems: &mut Problems) -> Option<Vec<(&'static str, String, String)>> {
    let mut found = Vec::new();
    for key in PARTS {
        let Some(value) = table.optional(key) else { continue };
        for (about, value) in pairs(&value, problems)? {
            found.push((key, about, value));
        }
    }
    table.finish(problems);
    Some(found)
}

/// What a value says: of a table each entry, of a list each item, otherwise itself. A list inside a table is one text.
fn pairs(value: &Value<'_>, problems: &mut Problems) -> Option<Vec<(String, String)>> {
    if value.is_table() {
        let table = value.table(problems)?;
        let mut pairs = Vec::new();
        for (about, _, value) in table.entries() {
            pairs.push((about.to_owned(), plain(&value, problems)?));
        }
        return Some(pairs);
    }
    if value.is_list() {
        let list = value.list(problems)?;
        let read: Vec<_> = list.iter().map(|item| plain(item, problems)).collect();
        return Some(
            read.into_iter()
                .collect::<Option<Vec<_>>>()?
                .into_iter()
                .map(|text| (String::new(), text))
                .collect(),
        );
    }
    Some(vec![(String::new(), plain(value, problems)?)])
}

/// A value as text; a list joined by blanks.
fn plain(value: &Value<'_>, problems: &mut Problems) -> Option<String> {
    if value.is_list() {
        let list = value.list(problems)?;
        let read: Vec<_> = list.iter().map(|item| plain(item, problems)).collect();
        return Some(read.into_iter().collect::<Option<Vec<_>>>()?.join(" "));
    }
    if value.is_integer() {
        return value.integer(-9_999..=9_999_i32, problems).map(|number| number.to_string());
    }
    if value.is_boolean() {
        return value.boolean(problems).map(|is| is.to_string());
    }
    Some(value.text(problems)?.as_str().to_owned())
}

fn case(mut table: Table<'_>, rules: &Rules, problems: &mut Problems) -> Option<Case> {
    let span = table.span();
    let about = match table.optional("about") {
        Some(value) => value.text(problems)?.as_str().to_owned(),
        None => String::new(),
    };
    let changes = match table.optional("position") {
        Some(value) => parts(&mut value.table(problems)?, problems)?,
        None => Vec::new(),
    };
    let mut play = Vec::new();
    if let Some(value) = table.optional("play") {
        for name in value.texts(problems)?.into_iter().take(MAX_CHOICES) {
            match rules.read_name(name.as_str()) {
                Some(choice) => play.push(choice),
                None => {
                    let what = format!("{:?} is no choice of this game", name.as_str());
                    problems.error(name.span(), what).expected("a name such as \"step 2828\" or \"die 4\"");
                }
            }
        }
    }
    let expect = table.table("expect", problems)?;
    let mut checks = Vec::new();
    for (key, at, value) in expect.entries() {
        let Some(question) = QUESTIONS.into_iter().find(|known| *known == key) else {
            problems
                .error(at, format!("{key:?} is no question about a position"))
                .expected(QUESTIONS.join(", "));
            continue;
        };
        if value.is_table() {
            for (about, expected) in pairs(&value, problems)? {
                checks.push(Check { question, about, expected });
            }
        } else if matches!(question, "open" | "closed") {
            for name in value.texts(problems)? {
                checks.push(Check {
                    question,
                    about: name.as_str().to_owned(),
                    expected: question.to_owned(),
                });
            }
        } else {
            checks.push(Check { question, about: String::new(), expected: plain(&value, problems)? });
        }
    }
    table.finish(problems);
    if checks.is_empty() {
        problems.error(span, "this case expects nothing, so it shows nothing");
    }
    Some(Case { about, changes, play, checks })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worked_examples_of_the_rulebook_pass() {
        let mut all = 0;
        for (name, text) in SOURCES {
            let check = check(name, text).unwrap_or_else(|problems| panic!("{problems}"));
            assert!(check.failures.is_empty(), "{}", check.failures.join("\n"));
            assert!(check.warnings.is_empty(), "{}", check.warnings);
            all += text.lines().filter(|line| *line == "[[example]]").count();
        }
        assert_eq!(all, EXAMPLES);
    }

    /// Those of section 50 and one of our own (C05b), and 19 for rulings.
    const EXAMPLES: usize = 146;

    #[test]
    fn a_wrong_expectation_a_wrong_choice_and_a_wrong_name_are_found() {
        let head = "schema = 1\n[[example]]\nid = \"X\"\ntitle = \"x\"\nphase = \"actions axis\"\n[example.position]\nactive = { GER = \"axis\", POL = \"western\" }\nunits = [\"GER-4A 2731\"]\n[[example.case]]\n";
        let said = |tail: &str| match check("x.toml", &format!("{head}{tail}\n")) {
            Ok(check) => check.failures.join("\n"),
            Err(problems) => problems.to_string(),
        };
        assert_eq!(said("expect = { units = { GER-4A = \"2731\" } }"), "");
        assert!(said("expect = { units = { GER-4A = \"2732\" } }").contains("expected 2732, found 2731"));
        assert!(said("play = [\"attack 2732\"]\nexpect = { asked = \"axis\" }").contains("refused"));
        assert!(said("play = [\"dance\"]\nexpect = { asked = \"axis\" }").contains("no choice of this game"));
        assert!(said("expect = { mood = \"good\" }").contains("no question"));
        assert!(said("expect = { units = { GER-99 = \"2731\" } }").contains("no unit"));
        assert!(said("expect = { open = [\"activate GER-4A\"], closed = [\"pass\"] }").is_empty());
        assert!(said("expect = { closed = [\"activate GER-4A\"] }").contains("expected closed, found open"));
        assert!(
            said("position = { units = [\"GER-4A 9999\"] }\nexpect = { asked = \"axis\" }")
                .contains("no place")
        );
    }
}
