//! Reading, writing and the sentences of orders.

use kernel::SeatInfo;
use orders::{Event, Language, Order, Pattern, Pick, RulePattern, Who, Word, parse};
use proptest::prelude::*;

const SEATS: [SeatInfo; 2] =
    [SeatInfo { word: "axis", title: "Axis" }, SeatInfo { word: "allies", title: "Allies" }];
const OPEN: Language<'static> = Language { seats: &SEATS, hides: false, turn: 0, rules: &[] };
const HIDDEN: Language<'static> = Language { seats: &SEATS, hides: true, turn: 0, rules: &[] };

#[test]
fn the_examples_of_the_design_read_and_are_told_in_words() {
    let told = [
        (
            "when rule 2.5.* choose \"no\" until turn 8",
            "When rule 2.5 (or a rule under it) asks: choose “no”, until turn 8 begins.",
        ),
        (
            "after axis \"attack WF\" choose \"tow shift WF EMT\" | usual, 2 times",
            "After Axis chose “attack WF”: choose “tow shift WF EMT”, or else what is usual, twice.",
        ),
        (
            "when rule 8.3 choose \"pass\" unless allies \"declare *\"",
            "When rule 8.3 asks: choose “pass”; ends once Allies chose “declare …”.",
        ),
        (
            "when rule 5 after fate \"die 6\" then other \"**\" choose usual, once",
            "When rule 5 asks, after a draw gave “die 6” and then another player chose anything: choose what is usual, once.",
        ),
        (
            "when rule 10.1 choose \"commit 17\", sealed",
            "Sealed for the next question of rule 10.1: “commit 17”.",
        ),
    ];
    for (text, words) in told {
        let order = parse(text, OPEN).unwrap_or_else(|problems| panic!("{problems}"));
        assert_eq!(order.in_words(&SEATS, &|_| None), words);
        assert_eq!(parse(&order.text(&SEATS), OPEN).unwrap(), order);
    }
}

#[test]
fn mistakes_are_pointed_at() {
    let told = [
        ("", "the order does not say when"),
        ("when rule 8.3", "the order chooses nothing"),
        ("choose \"no\"", "the order does not say when"),
        ("wen rule 8.3 choose \"no\"", "did you mean \"when\"?"),
        ("when 8.3 choose \"no\"", "\"rule\" is missing"),
        ("when rule 8..3 choose \"no\"", "\"8..3\" is no number of a rule"),
        ("when rule 8.3 choose no", "which choice?"),
        ("when rule 8.3 choose \"no", "the text has no end"),
        ("when rule 8.3 choose \"\"", "the text is empty"),
        ("when rule 8.3 choose \"at* WF\"", "part word, part gap"),
        ("when rule 8.3 choose \"** WF\"", "words after **"),
        ("after alies \"x\" choose \"no\"", "did you mean \"allies\"?"),
        ("when rule 8.3 choose \"no\" until turn soon", "\"soon\" is no number of a turn"),
        ("when rule 8.3 choose \"no\", 0 times", "a number from 1 to 999"),
        ("when rule 8.3 choose \"no\", 2", "a number of what?"),
        ("when rule 8.3 when rule 8.4 choose \"no\"", "when is said twice"),
        ("when rule 8.3 choose \"no\" \"yes\"", "this does not belong to any part of the order"),
        ("when rule 8.3 choose \"no\", sealed, once", "a number of times is said twice"),
        ("after other \"x\" choose \"no\", sealed", "a sealed choice is for the next question of a rule"),
        (
            "when rule 8.3 choose \"no\" | \"yes\", sealed",
            "a sealed choice is for the next question of a rule",
        ),
        ("when rule 8.3 choose usual, sealed", "a sealed choice is for the next question of a rule"),
        (
            "when rule 8.3 choose \"no\" until turn 4, sealed",
            "a sealed choice is for the next question of a rule",
        ),
    ];
    for (text, told) in told {
        let problems = parse(text, OPEN).expect_err(text).to_string();
        assert!(problems.contains(told), "{text}\n{problems}");
    }
    let problems = parse("when rule 8..3 choose no", OPEN).unwrap_err();
    assert!(problems.error_count() >= 2 && problems.to_string().contains("order:1:11"), "{problems}");
    assert!(parse(&"x".repeat(1_001), OPEN).is_err());
}

#[test]
fn where_something_is_hidden_an_order_has_one_whole_choice() {
    for refused in ["choose \"a\" | \"b\"", "choose \"a *\"", "choose \"a\" | usual"] {
        let text = format!("when rule 8.3 {refused}");
        assert!(parse(&text, OPEN).is_ok());
        assert!(parse(&text, HIDDEN).unwrap_err().to_string().contains("what you hold"), "{text}");
    }
    assert!(parse("when rule 8.3 choose \"a\"", HIDDEN).is_ok());
    assert!(parse("after other \"a *\" choose usual", HIDDEN).is_ok());
}

#[test]
fn what_can_never_fit_is_pointed_at() {
    let here = Language { seats: &SEATS, turn: 4, rules: &["2.5.1", "8.3", "10"], ..Language::default() };
    for (text, told) in [
        ("when rule 8.4 choose \"no\"", "error: the rulebook has no rule 8.4\n  --> order:1:11\n"),
        ("when rule 8.4 choose \"no\"", "did you mean 8.3?"),
        ("when rule 1 choose \"no\"", "the rulebook has no rule 1"),
        ("when rule 8.3 choose \"no\" until turn 4", "turn 4 has begun already"),
        ("when rule 8.3 choose \"no\" until turn 4", "a turn after 4"),
    ] {
        let problems = parse(text, here).expect_err(text).to_string();
        assert!(problems.contains(told), "{text}\n{problems}");
    }
    for text in ["when rule 2.5 choose \"no\"", "when rule 2.5.* choose \"no\" until turn 5"] {
        assert!(parse(text, here).is_ok(), "{text}");
    }
}

fn pattern() -> impl Strategy<Value = Pattern> {
    let word = prop_oneof![4 => "[a-zA-Z0-9é*\"\\\\,|.-]{1,8}".prop_map(Word::Exactly), 1 => Just(Word::Any)];
    (prop::collection::vec(word, 1..5), any::<bool>()).prop_map(|(mut words, rest)| {
        if rest {
            words.push(Word::Rest);
        }
        Pattern { words }
    })
}

fn event() -> impl Strategy<Value = Event> {
    let who = prop_oneof![
        (0_u8..2).prop_map(|seat| Who::Seat(kernel::Seat(seat))),
        Just(Who::Other),
        Just(Who::Anybody),
        Just(Who::Fate)
    ];
    (who, pattern()).prop_map(|(who, what)| Event { who, what })
}

proptest! {
    /// Whatever an order says is read back from its text.
    #[test]
    fn text_reads_back(
        rule in prop::option::of(("[0-9]{1,2}(\\.[0-9a-z]{1,2}){0,3}", any::<bool>())),
        after in prop::collection::vec(event(), 0..4),
        choose in prop::collection::vec(prop_oneof![3 => pattern().prop_map(Pick::Named), 1 => Just(Pick::Usual)], 1..4),
        unless in prop::collection::vec(event(), 0..3),
        until in prop::option::of(1_u16..),
        times in prop::option::of(1_u32..1_000),
    ) {
        prop_assume!(rule.is_some() || !after.is_empty());
        let rule = rule.map(|(rule, under)| RulePattern { rule, under });
        let order = Order { rule, after, choose, unless, until, times, sealed: false };
        let text = order.text(&SEATS);
        prop_assume!(text.len() <= orders::LONGEST_TEXT);
        let read = parse(&text, OPEN);
        prop_assert!(read.is_ok(), "{}\n{}", text, read.unwrap_err());
        prop_assert_eq!(read.unwrap(), order);
    }
}

/// Every example of `docs/orders.md` can be read at a table of its game, with its rulebook.
#[test]
fn the_examples_of_the_page_can_be_given() {
    use kernel::{Catalogue, Options};

    fn rules(markdown: &'static str) -> Vec<&'static str> {
        let is_of_number = |c: char| c.is_ascii_digit() || c == '.';
        let words = markdown.split(|c: char| !is_of_number(c)).map(|word| word.trim_matches('.'));
        words.filter(|word| !word.is_empty()).collect()
    }
    fn check<G: Catalogue>(game: &str, text: &str) -> usize {
        if G::ID != game {
            return 0;
        }
        let table = G::with_options(&Options::new()).expect("a game");
        let rules = rules(G::RULEBOOK);
        let language = Language { seats: table.seats(), hides: table.hides(), turn: 1, rules: &rules };
        for line in text.lines() {
            parse(line, language).unwrap_or_else(|problems| panic!("{game}\n{problems}"));
        }
        text.lines().count()
    }
    let page = include_str!("../../../docs/orders.md");
    let mut read = 0;
    for block in page.split("```text ").skip(1) {
        let (game, rest) = block.split_once('\n').expect("a block");
        let text = rest.split("\n```").next().expect("its lines");
        let before = read;
        read += check::<echoes::Echoes>(game, text) + check::<blitz::Blitz>(game, text);
        read += check::<dday::DDay>(game, text) + check::<triumph::Triumph>(game, text);
        read += check::<surrender::Surrender>(game, text);
        assert!(read > before, "{game}");
    }
    assert_eq!(read, 10);
}
