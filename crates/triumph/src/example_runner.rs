//! Plays worked examples and compares what comes of them.

use diagnostics::examples::Mismatch;
use kernel::Discard;

use crate::choice::Choice;
use crate::examples::{Case, Example};
use crate::examples_expect::Question;
use crate::rules::Rules;
use crate::stage::Stage;
use crate::state::State;

/// How many of the offered choices a report names.
const NAMED: usize = 12;

/// Plays an example; an empty list means that all is as it should be.
pub(crate) fn run(example: &Example) -> Vec<Mismatch> {
    let mut wrong = Vec::new();
    let mut state = None;
    for (at, case) in example.cases.iter().enumerate() {
        let place = match (&*case.about, example.cases.len()) {
            ("", 1) => String::new(),
            ("", _) => format!("case {}, ", at + 1),
            (about, _) => format!("{about}, "),
        };
        // Where a choice was not open, cases that go on from there would only repeat what is wrong.
        let Some(start) = case.start.or(state) else { continue };
        state = play(&example.rules, case, start, &place, &mut wrong);
    }
    wrong
}

/// Plays a case; the position at its end, unless a choice was not open.
fn play(
    rules: &Rules,
    case: &Case,
    mut state: State,
    place: &str,
    wrong: &mut Vec<Mismatch>,
) -> Option<State> {
    for (at, name) in case.play.iter().enumerate() {
        let what = format!("{place}choice {}", at + 1);
        let choice = match choice(rules, &state, name) {
            Ok(choice) => choice,
            Err(found) => {
                wrong.push(Mismatch::new(&what, name.as_str(), found));
                return None;
            }
        };
        rules.play(&mut state, choice, &mut Discard);
        if let Err(why) = rules.invariants(&state) {
            wrong.push(Mismatch::new(&format!("{what} {name}"), "a position that can be", why));
            return None;
        }
    }
    for check in &case.checks {
        let mut found = rules.answer_example(&state, check);
        let mut expected = check.expected.clone();
        if !matches!(check.question, Question::Order | Question::Turns) {
            found.sort_unstable();
            expected.sort_unstable();
        }
        if found != expected {
            let list = |all: &[String]| if all.is_empty() { "none".to_owned() } else { all.join(", ") };
            wrong.push(Mismatch::new(&format!("{place}{}", check.what), list(&expected), list(&found)));
        }
    }
    Some(state)
}

/// The choice of a name, if it is open.
fn choice(rules: &Rules, state: &State, name: &str) -> Result<Choice, String> {
    if let Some(dice) = name.strip_prefix("roll ") {
        return rolled(rules, state, dice);
    }
    let open = rules.names_of_choices(state);
    let mut choices = Vec::new();
    rules.list(state, &mut choices);
    let found = open.iter().position(|known| known == name).map(|at| choices[at]);
    found.ok_or_else(|| {
        let mut shown: Vec<&str> = open.iter().take(NAMED).map(String::as_str).collect();
        if open.len() > NAMED {
            shown.push("…");
        }
        format!("not offered; open are {}", shown.join(", "))
    })
}

/// Dice that are named one by one: how many of them hit.
fn rolled(rules: &Rules, state: &State, dice: &str) -> Result<Choice, String> {
    if state.stage != Stage::Dice {
        return Err("no dice are in the air".to_owned());
    }
    let (count, needs) = rules.shot(state);
    let numbers: Option<Vec<u8>> =
        dice.split(' ').map(|die| die.parse().ok().filter(|die| (1..=6).contains(die))).collect();
    let Some(numbers) = numbers.filter(|numbers| numbers.len() == usize::from(count)) else {
        return Err(format!("{count} dice are rolled, each from 1 to 6"));
    };
    Ok(Choice::Hits(numbers.iter().filter(|die| **die <= needs).count() as u8))
}
