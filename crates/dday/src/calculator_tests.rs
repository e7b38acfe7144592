use super::*;
use crate::scenario::Scenario;
use crate::settings::{Flanks, Settings};

fn rules(settings: Settings) -> Rules {
    Rules::new(Scenario::builtin("03_villers_bocage").expect("it is built in"), settings)
}

fn ask(question: &str) -> Answer {
    rules(Settings::default()).calculate(question).unwrap_or_else(|why| panic!("{question}: {why}"))
}

/// The number that a fact of an answer ends in: "…: 7 or less".
fn needs(answer: &Answer) -> Vec<&str> {
    let facts = answer.facts.iter().map(|(_, words)| words.rsplit(": ").next().unwrap_or_default());
    facts.map(|words| words.split(' ').next().unwrap_or_default()).collect()
}

/// The worked examples of the rulebook that are arithmetic alone.
#[test]
fn it_agrees_with_the_worked_examples() {
    for (question, hit_save_own) in [
        // E19, E22, E23, E24, E25
        ("calc inf_leg vs inf_leg", ["5", "4", "4"]),
        ("calc inf_leg vs inf_leg with=2 zones=1 fire=3 their-zones=1 their-fire=3", ["7", "4", "6"]),
        ("calc veteran inf_leg vs poor inf_leg with=2 zones=2 fire=3", ["9", "4", "6"]),
        ("calc inf_leg vs inf_leg prepared beside=1", ["4", "8", "4"]),
        ("calc eng_leg vs inf_leg prepared beside=1", ["4", "7", "4"]),
        ("calc inf_leg vs inf_leg prepared beside=1 flank", ["4", "6", "4"]),
        ("calc inf_leg vs inf_leg forest prepared", ["5", "7", "4"]),
        // E27, E28, E29, E30
        ("calc tnk_heavy vs tnk_medium", ["7", "3", "5"]),
        ("calc tnk_medium vs tnk_heavy", ["3", "5", "5"]),
        ("calc tnk_heavy vs tnk_medium town", ["5", "3", "2"]),
        ("calc inf_leg vs inf_mech forest", ["5", "5", "4"]),
        ("calc poor inf_leg vs veteran inf_leg", ["3", "4", "4"]),
        // E50, E51, E52
        ("calc veteran inf_leg vs poor inf_static prepared sea", ["6", "6", "3"]),
        ("calc inf_leg vs inf_leg prepared mines engineers", ["5", "6", "3"]),
        ("calc inf_leg vs inf_leg river with=2", ["5", "4", "6"]),
        // Rule 12.6: tanks against infantry, with antitank guns beside it and without.
        ("calc tnk_medium vs inf_leg", ["5", "2", "5"]),
        ("calc tnk_medium vs inf_leg antitank", ["4", "5", "5"]),
    ] {
        assert_eq!(needs(&ask(question)), hit_save_own, "{question}");
    }
}

#[test]
fn chances_are_exact_and_complete() {
    for question in
        ["calc inf_leg vs inf_leg", "calc tnk_heavy vs atg_heavy surrounded", "calc inf_leg vs hq night"]
    {
        let answer = ask(question);
        let all: f64 = answer.results.iter().map(|(_, chance)| chance.as_f64()).sum();
        assert!((all - 1.0).abs() < 1e-9, "{question}: {all}");
    }
    let answer = ask("calc inf_leg vs inf_leg surrounded");
    assert_eq!(answer.results[1].1, kernel::Chance::NEVER, "surrounded it is lost, never shattered");
    assert!(answer.title.contains("in the open"), "{}", answer.title);
}

#[test]
fn guns_and_aircraft_too() {
    let front = ask("calc shell art_field vs inf_leg");
    assert_eq!(needs(&front), ["5", "4"]);
    let rear = "calc shell art_field vs inf_leg forest beside=2 fire=1 rear";
    assert_eq!(needs(&ask(rear)), ["6", "6"], "4 + 2 + 2 − 2 for the rear (R63)");
    let settings = Settings { flanks: Flanks::Assaults, ..Settings::default() };
    let old = rules(settings).calculate(rear).expect("it can be asked");
    assert_eq!(needs(&old), ["6", "8"], "as in rules 1");
    assert_eq!(needs(&ask("calc shell corps vs inf_leg rear")), ["5", "4"], "off-map guns fire from nowhere");
    assert_eq!(needs(&ask("calc strike inf_leg forest")), ["6"]);
}

#[test]
fn what_can_not_be_asked_is_explained() {
    let rules = rules(Settings::default());
    for (question, words) in [
        ("calc", "calc [QUALITY] TYPE vs"),
        ("calc inf_leg", "Put vs between them"),
        ("calc inf_leg vs", "a type is missing"),
        ("calc inf_leg vs inf_lge", "did you mean inf_leg?"),
        ("calc brave inf_leg vs inf_leg", "\"brave\" is no quality"),
        ("calc inf_leg vs inf_leg twon", "did you mean town?"),
        ("calc inf_leg vs inf_leg with=9", "a number from 0 to 3"),
        ("calc inf_leg vs inf_leg town=1", "takes no number"),
        ("calc atg_heavy vs inf_leg", "never assaults"),
        ("calc shell inf_leg vs inf_leg", "only guns fire from afar"),
        ("calc inf_leg vs inf_leg surrounded their-zones=1", "exclude each other"),
    ] {
        let why = rules.calculate(question).expect_err("it can't be answered");
        assert!(why.contains(words), "{question}: {why}");
    }
}
