//! Whatever is written to the engine: one line of answer, never a panic, and nothing changed where the answer is no.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::RngSeed;
use serde_json::{Map, Value, json};

use super::commands::{Engine, VERBS};
use super::reply;

/// Texts that mean something here and there, and some that do not.
const TEXTS: [&str; 24] = [
    "echoes",
    "blitz",
    "dday",
    "chess",
    "allies",
    "axis",
    "spectator",
    "fate",
    "greedy",
    "random",
    "onestep",
    "nobody",
    "own",
    "fair",
    "auto",
    "manual",
    "step",
    "turn",
    "no",
    "attack WF",
    "die 3",
    "2.5.3",
    "",
    "ü\n\u{0}",
];
/// The fields of requests, without `file`: nothing is written to the disk here.
const FIELDS: [&str; 25] = [
    "game", "seed", "dice", "fate", "options", "edition", "spread", "scenario", "mode", "save", "publish",
    "common", "viewer", "choice", "face", "scope", "from", "bot", "think", "question", "number", "seat",
    "rules", "protocol", "edtion",
];

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(0x006d_6170_726f_6f6d),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// Any JSON, not too large.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        select(&TEXTS[..]).prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 6, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..5).prop_map(Value::Array),
            vec((select(&FIELDS[..]), inner), 0..5).prop_map(|pairs| {
                pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect::<Map<_, _>>().into()
            }),
        ]
    })
}

/// A request with a command that there is, and fields that it may or may not have.
fn any_request() -> impl Strategy<Value = Value> {
    let field = (select(&FIELDS[..]), prop_oneof![any_json(), select(&TEXTS[..]).prop_map(Value::from)]);
    (select(&VERBS[..]), vec(field, 0..4), proptest::option::of(any_json())).prop_map(|(verb, pairs, id)| {
        let mut request: Map<String, Value> =
            pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
        request.insert("cmd".to_owned(), verb.into());
        request.extend(id.map(|id| ("id".to_owned(), id)));
        request.into()
    })
}

/// A request that makes sense in a match of echoes, so that there are states to be left alone.
fn good_request() -> impl Strategy<Value = Value> {
    prop_oneof![
        (0..20_u64).prop_map(|seed| json!({ "cmd": "new", "game": "echoes", "seed": seed })),
        Just(json!({ "cmd": "new", "game": "blitz", "seed": 2 })),
        Just(json!({ "cmd": "new", "game": "echoes", "dice": "own" })),
        Just(json!({ "cmd": "hello", "game": "echoes", "seat": "allies" })),
        Just(json!({ "cmd": "go" })),
        Just(json!({ "cmd": "go", "bot": "random", "think": true })),
        Just(json!({ "cmd": "undo" })),
        Just(json!({ "cmd": "save" })),
        Just(json!({ "cmd": "log" })),
    ]
}

/// A line of whatever kind.
fn any_line() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => any_request().prop_map(|request| request.to_string()),
        4 => good_request().prop_map(|request| request.to_string()),
        1 => any_json().prop_map(|value| value.to_string()),
        1 => "[\\[{\"cmd:}\\]0-9a-z, \\\\ü]{0,60}",
        1 => (any_request(), 0..200_usize).prop_map(|(request, cut)| {
            request.to_string().chars().take(cut).collect()
        }),
    ]
}

/// Checks an answer, and returns whether it was a yes.
fn check_answer(line: &str, answer: &str) -> Result<bool, TestCaseError> {
    prop_assert!(!answer.contains('\n'), "an answer is one line: {answer}");
    let read: Value = serde_json::from_str(answer)
        .map_err(|why| TestCaseError::fail(format!("{line} is answered with {answer}: {why}")))?;
    let is_yes = read.get("ok") == Some(&Value::Bool(true));
    let is_no =
        read.get("error").is_some_and(Value::is_string) && read.get("code").is_some_and(Value::is_string);
    prop_assert!(is_yes != is_no, "{line} is answered with {answer}");
    // A text or a number that the client gave the request comes back with a yes.
    let asked: Value = serde_json::from_str(line).unwrap_or_default();
    if let (true, Some(id @ (Value::String(_) | Value::Number(_)))) = (is_yes, asked.get("id")) {
        prop_assert_eq!(read.get("id"), Some(id));
    }
    Ok(is_yes)
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn every_line_has_one_answer_and_an_error_changes_nothing(lines in vec(any_line(), 1..14)) {
        let mut engine = Engine::new("greedy");
        for line in &lines {
            let before = engine.position();
            let answer = reply(&mut engine, line);
            if !check_answer(line, &answer)? {
                prop_assert_eq!(engine.position(), before, "{} was answered with {}", line, answer);
            }
        }
    }
}

proptest! {
    #![proptest_config(config(500))]

    #[test]
    fn a_line_of_any_bytes_is_read_in_bounds(bytes in vec(any::<u8>(), 0..300)) {
        let mut rest: &[u8] = &bytes;
        let mut lines = 0;
        while let Some(line) = super::read_line(&mut rest).expect("memory does not fail") {
            lines += 1;
            if let super::Line::Whole(line) = line {
                prop_assert!(!line.contains(&b'\n'));
            }
        }
        let ends = bytes.iter().filter(|byte| **byte == b'\n').count();
        prop_assert_eq!(lines, ends + usize::from(bytes.last().is_some_and(|last| *last != b'\n')));
    }
}
