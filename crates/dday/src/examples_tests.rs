use std::collections::BTreeSet;

use super::*;
use crate::examples_expect::Ask;

fn list() -> Vec<Example> {
    let mut all: Vec<Example> = Vec::new();
    for (name, text) in SOURCES {
        let (list, problems) = read(name, text).expect("it can be read");
        assert!(problems.is_empty(), "{problems}");
        all.extend(list);
    }
    all
}

#[test]
fn every_worked_example_comes_out_as_written() {
    let failed: Vec<String> = list()
        .iter()
        .flat_map(|example| {
            example_runner::run(example).into_iter().map(move |wrong| format!("{} {wrong}", example.id))
        })
        .collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// The numbers of the specification have gaps; each of them is here, and none twice.
#[test]
fn every_number_of_the_specification_is_there() {
    let list = list();
    let ids: BTreeSet<&str> = list.iter().map(|example| example.id.as_str()).collect();
    assert_eq!(ids.len(), list.len(), "an id is used twice");
    let numbers = [2..=2, 4..=7, 11..=25, 27..=30, 32..=43, 45..=48, 50..=52, 54..=55];
    let missing: Vec<u8> =
        numbers.into_iter().flatten().filter(|number| !ids.contains(&*format!("E{number}"))).collect();
    assert!(missing.is_empty(), "{missing:?}");
    let rulings = (25..=53).chain(61..=64).filter(|number| ![35, 39, 42].contains(number));
    let missing: Vec<u8> = rulings.filter(|number| !ids.contains(&*format!("R{number}"))).collect();
    // R35, R39 and R42 are shown by O2, W2 and E37.
    assert!(missing.is_empty() && ["O2", "W2", "E37"].iter().all(|id| ids.contains(id)), "{missing:?}");
}

/// The name of a kind of question.
fn kind(ask: Ask) -> String {
    let text = format!("{ask:?}");
    text.split('(').next().unwrap_or_default().to_owned()
}

/// Another answer of the same sort.
fn otherwise(expected: &str) -> String {
    match (expected, expected.parse::<u16>()) {
        ("open", _) => "closed".to_owned(),
        ("closed", _) => "open".to_owned(),
        ("true", _) => "false".to_owned(),
        ("false", _) => "true".to_owned(),
        (_, Ok(number)) => (number + 1).to_string(),
        (_, Err(_)) => format!("not {expected}"),
    }
}

/// The checker must be able to fail: every expectation turned wrong, one at a time, is noticed, and nothing else is.
#[test]
fn a_wrong_expectation_is_noticed() {
    let mut noticed: BTreeSet<String> = BTreeSet::new();
    for mut example in list() {
        for case in 0..example.cases.len() {
            for check in 0..example.cases[case].checks.len() {
                let right = example.cases[case].checks[check].expected.clone();
                example.cases[case].checks[check].expected = otherwise(&right);
                let wrong = example_runner::run(&example);
                let asked = &example.cases[case].checks[check];
                assert_eq!(wrong.len(), 1, "{}: {asked:?} went unnoticed", example.id);
                assert!(wrong[0].what.ends_with(&asked.what) && wrong[0].found == right, "{}", wrong[0]);
                noticed.insert(kind(asked.ask));
                example.cases[case].checks[check].expected = right;
            }
        }
    }
    let all = [
        "Place",
        "Mp",
        "Result",
        "Marks",
        "Level",
        "Supplied",
        "InCommand",
        "Facing",
        "Works",
        "Holder",
        "Crossing",
        "Arc",
        "Control",
        "Step",
        "Markers",
        "Tally",
        "Art",
        "Air",
        "AirAllowance",
        "Rerolls",
        "Stage",
        "Asked",
        "Open",
        "Hits",
        "Saves",
        "Need",
        "Night",
        "Turn",
        "Clock",
        "Vp",
        "Verdict",
    ];
    let missing: Vec<&&str> = all.iter().filter(|kind| !noticed.contains(**kind)).collect();
    assert!(missing.is_empty() && noticed.len() == all.len(), "{missing:?}, {noticed:?}");
}

/// A choice that is not open ends its case, and says so.
#[test]
fn a_refused_choice_is_noticed() {
    for mut example in list() {
        for case in 0..example.cases.len() {
            let Some(last) = example.cases[case].play.pop() else { continue };
            example.cases[case].play.push(Choice::Pick(0));
            let wrong = example_runner::run(&example);
            assert!(
                wrong.len() == 1 && wrong[0].found.starts_with("refused: "),
                "{}: {wrong:?} instead of {last:?}",
                example.id
            );
            example.cases[case].play.pop();
            example.cases[case].play.push(last);
        }
    }
}
