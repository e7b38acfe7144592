//! Lessons: those of the games are sound, and a broken one is told what is wrong, with its place.

mod program;

use program::Home;

const ECHOES: &str = include_str!("../../echoes/data/lessons/first.toml");
const DDAY: &str = include_str!("../../dday/data/lessons/first.toml");
const TRIUMPH: &str = include_str!("../../triumph/data/lessons/first.toml");
const SURRENDER: &str = include_str!("../../surrender/data/lessons/first.toml");

#[test]
fn every_game_has_a_lesson_that_holds() {
    let home = Home::new();
    for game in ["echoes", "blitz", "dday", "triumph", "surrender"] {
        let said = home.run(&["check", game], b"").fine();
        assert!(said.contains(&format!("lessons of {game}: ok")), "{said}");
        let summary = said.lines().find(|line| line.contains(" pages, ")).expect("a summary");
        let number = |word: &str| {
            let before = summary.split(word).next().and_then(|before| before.split_whitespace().last());
            before.and_then(|number| number.parse::<u32>().ok()).unwrap_or_default()
        };
        assert!((10..=40).contains(&number(" pages,")), "{summary}");
        assert!(number(" tasks;") >= 6 && number(" other ways tried") >= 15, "{summary}");
    }
}

/// What the check says of the lesson of `echoes` after a piece of it was replaced; it must point at that line.
#[track_caller]
fn complaint(home: &Home, old: &str, new: &str) -> String {
    assert_eq!(ECHOES.matches(old).count(), 1, "{old:?} should stand in the lesson once");
    let file = home.write("broken.toml", ECHOES.replace(old, new));
    let said = home.run(&["check", "echoes", "--lesson", &file], b"").failed();
    assert!(said.contains("broken.toml:") && said.contains(" error"), "{said}");
    said
}

/// The place of a text in the lesson, as messages name it.
fn place(text: &str) -> String {
    let before = &ECHOES[..ECHOES.find(text).expect("it is there")];
    format!("broken.toml:{}:", before.matches('\n').count() + 1)
}

#[test]
fn a_lesson_that_is_not_written_well_is_told_what_is_expected() {
    let home = Home::new();
    let good = home.write("good.toml", ECHOES);
    assert!(home.run(&["check", "echoes", "--lesson", &good], b"").fine().contains("good.toml: ok"));
    for (old, new, words) in [
        ("minutes = 10\n", "minutes = \"ten\"\n", ["\"minutes\" is a text", "a whole number from 1 to 60"]),
        (
            "choose = [\"adv EF\"]",
            "chose = [\"adv EF\"]",
            ["unknown key \"chose\"", "did you mean \"choose\"?"],
        ),
        (
            "choice = \"adv SF\"\n",
            "choice = \"adv SF\"\nthan = 1\n",
            ["unknown key \"than\"", "did you mean \"then\"?"],
        ),
        ("free = 1\n", "free = 0\n", ["\"free\" is 0", "a whole number from 1 to 20"]),
        ("format = \"lesson/1\"\n", "format = \"lesson/2\"\n", ["\"format\" is \"lesson/2\"", "lesson/1"]),
    ] {
        let said = complaint(&home, old, new);
        for part in words {
            assert!(said.contains(part), "{part}\n{said}");
        }
    }
}

#[test]
fn a_lesson_that_does_not_fit_the_rules_is_told_where_it_breaks() {
    let home = Home::new();
    let adv = "choose = [\"adv WF\"]";
    let said = complaint(&home, adv, "choose = [\"adv PAC\"]");
    for part in [
        "the choice \"adv PAC\" is not possible here",
        "^^^^^^^^^ expected one of",
        "\"adv WF\"",
        &place(adv),
    ] {
        assert!(said.contains(part), "{part}\n{said}");
    }
    for (old, new, words) in [
        // Other dice.
        ("seed = 4183656", "seed = 4183657", &["error"][..]),
        // A position that is another.
        (
            "expect = { \"/turn\" = 2, \"/tracks/EMT\" = 0 }",
            "expect = { \"/turn\" = 2, \"/tracks/EMT\" = 1 }",
            &["\"/tracks/EMT\" is 0 here", "expected 1"],
        ),
        // A choice that nobody answers, and an answer to no choice.
        (
            "choice = \"shift USA\"",
            "choice = \"shift US\"",
            &[
                "the choice \"shift USA\"",
                "has no answer",
                "the choice \"shift US\" is not possible here",
                "did you mean \"shift USA\"?",
            ],
        ),
        // What is on the table and in the rulebook.
        (
            "look = [\"box-3-6\"]",
            "look = [\"box-3-7\"]",
            &["nothing called \"box-3-7\" to look at", "did you mean \"box-3-"],
        ),
        ("rule = \"3.3.1\"", "rule = \"3.9.1\"", &["the rulebook has no rule \"3.9.1\""]),
        ("seat = \"allies\"", "seat = \"allied\"", &["there is no seat \"allied\"", "expected allies"]),
        ("edition = \"allied\"", "edition = \"neutral\"", &["the match can't be opened", "allied or axis"]),
    ] {
        let said = complaint(&home, old, new);
        for part in words {
            assert!(said.contains(part), "{part}\n{said}");
        }
    }
}

#[test]
fn the_files_of_a_lesson_lie_beside_it() {
    let home = Home::new();
    let lesson = home.write("first.toml", DDAY);
    let said = home.run(&["check", "dday", "--lesson", &lesson], b"").failed();
    assert!(said.contains("no file \"crossroads.toml\" beside the lesson"), "{said}");
    home.write("crossroads.toml", include_str!("../../dday/data/lessons/crossroads.toml"));
    assert!(home.run(&["check", "dday", "--lesson", &lesson], b"").fine().contains("first.toml: ok"));
}

/// Rivals of other characters play other cards, cancel what the learner plays, and bring other dice into the battle: the coach
/// finds its way through all of it.
#[test]
fn the_lesson_of_triumph_holds_whoever_plays_the_rivals() {
    let home = Home::new();
    home.write("opening.toml", include_str!("../../triumph/data/lessons/opening.toml"));
    let others = "others = \"statesman\"";
    assert_eq!(TRIUMPH.matches(others).count(), 1);
    for bot in ["gambler", "guarantor", "bear", "random"] {
        let lesson = TRIUMPH.replace(others, &format!("others = {bot:?}"));
        let file = home.write("rivals.toml", lesson);
        let said = home.run(&["check", "triumph", "--lesson", &file], b"").fine();
        assert!(said.contains("rivals.toml: ok"), "{bot}: {said}");
    }
}

/// Whatever the Polish player commits, wherever its armies retreat to or its trains go.
#[test]
fn the_lesson_of_surrender_holds_whoever_plays_poland() {
    let home = Home::new();
    let others = "others = \"staff\"";
    assert_eq!(SURRENDER.matches(others).count(), 1);
    for bot in ["greedy", "onestep", "random"] {
        let file = home.write("poland.toml", SURRENDER.replace(others, &format!("others = {bot:?}")));
        let said = home.run(&["check", "surrender", "--lesson", &file], b"").fine();
        assert!(said.contains("poland.toml: ok"), "{bot}: {said}");
    }
}
