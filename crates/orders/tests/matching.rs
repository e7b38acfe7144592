//! What orders answer, when they end, and that they tell nothing.

use kernel::{Actor, Match, MatchDice, Mover, Seat, SeatInfo, Table, Viewer};
use orders::{
    Answer, Book, Decided, Ended, Language, Logged, MOST_IN_A_ROW, MOST_ORDERS, Order, Situation, Tempo,
    delay, parse,
};
use testkit::auction::Auction;
use testkit::duel::{Duel, Fault};

const SEATS: [SeatInfo; 2] =
    [SeatInfo { word: "axis", title: "Axis" }, SeatInfo { word: "allies", title: "Allies" }];

fn order(text: &str) -> Order {
    parse(text, Language { seats: &SEATS, hides: false, ..Language::default() })
        .unwrap_or_else(|problems| panic!("{problems}"))
}

/// A question to the Allies after some choices: `0` the Axis, `1` the Allies, `f` Fate; `?` is hidden.
fn asked(rule: &str, turn: u16, log: &[(char, &str)], offered: Option<&[&str]>) -> Situation {
    let logged = |(n, &(who, name)): (usize, &(char, &str))| Logged {
        step: n + 1,
        actor: if who == 'f' { Actor::Fate } else { Actor::Seat(Seat(who as u8 - b'0')) },
        name: (name != "?").then(|| name.to_owned()),
    };
    Situation {
        seat: Seat(1),
        rule: rule.to_owned(),
        turn,
        log: log.iter().enumerate().map(logged).collect(),
        offered: offered.map(|names| names.iter().map(|name| (*name).to_owned()).collect()),
    }
}

fn named(name: &str) -> Option<Answer> {
    Some(Answer::Name(name.to_owned()))
}

#[test]
fn rules_fit_alone_under_and_among_several() {
    let offered: Option<&[&str]> = Some(&["yes", "no"]);
    for (rule, fits) in [
        ("2.5", true),
        ("2.5.1", true),
        ("2.5.1.7", true),
        ("2.55", false),
        ("2", false),
        ("7.2, 2.5.3", true),
    ] {
        let found = order("when rule 2.5.* choose \"no\"").answer(&asked(rule, 1, &[], offered));
        assert_eq!(found.is_some(), fits, "{rule}");
    }
    assert_eq!(order("when rule 2.5 choose \"no\"").answer(&asked("2.5.1", 1, &[], offered)), None);
}

#[test]
fn the_first_choice_that_is_open_is_taken() {
    let one = order("when rule 3 choose \"tow shift WF EMT\" | \"tow *\" | usual");
    let answer = |offered: &[&str]| one.answer(&asked("3", 1, &[], Some(offered)));
    assert_eq!(answer(&["no", "tow shift WF EMT", "tow stay"]), named("tow shift WF EMT"));
    assert_eq!(answer(&["no", "tow stay", "tow go"]), named("tow stay"));
    assert_eq!(answer(&["no"]), Some(Answer::Usual));
    assert_eq!(order("when rule 3 choose \"yes\"").answer(&asked("3", 1, &[], Some(&["no"]))), None);
    assert_eq!(
        order("when rule 3 choose \"a **\"").answer(&asked("3", 1, &[], Some(&["b", "a b c"]))),
        named("a b c")
    );
}

#[test]
fn after_looks_at_the_last_choices_and_passes_over_draws() {
    let offered: Option<&[&str]> = Some(&["no"]);
    let answers =
        |text: &str, log: &[(char, &str)]| order(text).answer(&asked("3", 1, log, offered)).is_some();
    let one = "after axis \"attack WF\" choose \"no\"";
    assert!(answers(one, &[('1', "x"), ('0', "attack WF"), ('f', "die 3")]));
    assert!(!answers(one, &[('0', "attack WF"), ('1', "x")]));
    assert!(!answers(one, &[('1', "attack WF")]));
    assert!(!answers(one, &[]));
    let two = "after axis \"attack *\" then allies \"x\" choose \"no\"";
    assert!(answers(two, &[('0', "attack EF"), ('f', "die 1"), ('1', "x"), ('f', "die 2")]));
    assert!(!answers(two, &[('1', "x"), ('0', "attack EF")]));
    assert!(answers("after fate \"die 2\" choose \"no\"", &[('0', "x"), ('f', "die 2")]));
    assert!(!answers("after other \"x\" choose \"no\"", &[('1', "x")]));
    assert!(answers("after other \"**\" choose \"no\"", &[('0', "?")]));
    assert!(!answers("after other \"*\" choose \"no\"", &[('0', "?")]));
}

#[test]
fn orders_end_by_turn_event_uses_and_refusal() {
    let mut book = Book::default();
    for text in [
        "when rule 3 choose \"no\" until turn 4",
        "when rule 3 choose \"no\" unless axis \"declare *\"",
        "when rule 3 choose \"no\", 2 times",
    ] {
        book.add(order(text), String::new(), 1).unwrap();
    }
    let offered: Option<&[&str]> = Some(&["no"]);
    // The declaration of step 1 was before the orders were given.
    let log = [('0', "declare war")];
    let early = asked("3", 3, &log, offered);
    assert_eq!(
        book.decide(&early),
        Decided { answer: Some((0, Answer::Name("no".into()))), ..Decided::default() }
    );
    let later = asked("3", 4, &[('0', "declare war"), ('0', "declare peace")], offered);
    let decided = book.decide(&later);
    assert_eq!((decided.ended, decided.answer.map(|(n, _)| n)), (vec![0, 1], Some(2)));
    assert_eq!(book.list()[0].ended, Some(Ended::Turn(4)));
    assert_eq!(book.list()[1].ended, Some(Ended::Happened { step: 2 }));
    book.answered(2);
    assert_eq!(book.decide(&later).answer.map(|(n, _)| n), Some(2));
    book.answered(2);
    assert_eq!(book.list()[2].ended, Some(Ended::UsedUp));
    assert_eq!(book.decide(&later), Decided::default());
    let last = book.add(order("when rule 3 choose \"no\""), String::new(), 2).unwrap();
    book.refused(last, "Not open.");
    assert_eq!(book.decide(&later).answer, None);
    assert_eq!(
        book.list()[last].ended.as_ref().unwrap().to_string(),
        "Stopped: its choice was refused. Not open."
    );
}

#[test]
fn limits_hold() {
    let mut book = Book::default();
    for _ in 0..MOST_ORDERS {
        book.add(Order::always("3", "no"), String::new(), 0).unwrap();
    }
    assert!(book.add(Order::always("3", "no"), String::new(), 0).is_err());
    book.withdraw(5);
    assert!(book.add(Order::always("3", "no"), String::new(), 0).is_ok());
    let question = asked("3", 1, &[], Some(&["no"]));
    for _ in 0..MOST_IN_A_ROW {
        let (n, _) = book.decide(&question).answer.unwrap();
        book.answered(n);
    }
    assert_eq!(book.decide(&question), Decided { tired: true, ..Decided::default() });
    book.person_chose();
    assert!(book.decide(&question).answer.is_some());
}

#[test]
fn a_sealed_choice_is_for_the_next_question_of_its_rule() {
    let mut book = Book::default();
    book.add(order("when rule 3 choose usual"), String::new(), 0).unwrap();
    let hidden = asked("3", 1, &[], None);
    // It comes before whatever else would answer, and a second one takes its place.
    for choice in ["no", "yes"] {
        assert_eq!(book.seal(Order::sealed("3", choice), String::new(), 1), Ok(0));
        assert_eq!(book.decide(&hidden).answer, Some((0, Answer::Name(choice.to_owned()))));
        assert_eq!(book.list().iter().filter(|one| one.is_sealed()).count(), 1);
    }
    // Others are asked the same first.
    book.let_pass("7.1, 3");
    assert!(book.list()[0].is_sealed());
    book.let_pass("4");
    assert_eq!(book.list()[0].ended, Some(Ended::Passed));
    assert_eq!(book.decide(&hidden).answer, Some((1, Answer::Usual)), "other orders stay as they are");
    // Played once it is used up, and sealing is a choice of the person: orders go on.
    for _ in 0..MOST_IN_A_ROW {
        book.answered(1);
    }
    assert!(book.decide(&hidden).tired);
    book.seal(Order::sealed("3", "no"), String::new(), 1).unwrap();
    assert_eq!(book.decide(&hidden).answer, Some((0, Answer::Name("no".to_owned()))));
    book.answered(0);
    assert_eq!(book.list()[0].ended, Some(Ended::Played));
}

#[test]
fn in_a_hidden_game_the_offers_are_not_looked_at() {
    let hidden = asked("3", 1, &[], None);
    assert_eq!(Order::always("3", "no").answer(&hidden), named("no"));
    assert_eq!(order("when rule 3 choose usual").answer(&hidden), Some(Answer::Usual));
    // Orders of an open game that come into a hidden one by a fault of the caller answer nothing that depends on offers.
    assert_eq!(order("when rule 3 choose \"a *\" | \"no\"").answer(&hidden), None);
}

/// Duels with other cards and stances but the same public choices: orders see, answer and wait alike.
#[test]
fn pairs_that_differ_in_what_is_hidden_are_answered_alike() {
    let mut known: Vec<Vec<(Situation, Decided)>> = Vec::new();
    let mut secrets = Vec::new();
    for (seed, stance) in (0..12).flat_map(|seed| [(seed, "hold"), (seed, "strike")]) {
        let mut table: Box<dyn Table> =
            Box::new(Match::new(Duel::with(Fault::None), MatchDice::seeded(seed)));
        let language = |text: &str, seats: &[SeatInfo]| {
            parse(text, Language { seats, hides: true, ..Language::default() }).unwrap()
        };
        let mut book = Book::default();
        for text in [
            "after other \"stake 2\" choose \"strike\"",
            "after other \"**\" choose \"hold\"",
            "after anybody \"**\" choose usual",
        ] {
            book.add(language(text, table.seats()), String::new(), 0).unwrap();
        }
        let mut seen = Vec::new();
        let mut secret = String::new();
        // Up to where both are shown.
        while table.steps() < 6 {
            match table.mover() {
                Mover::Fate => table.fate(None, None).unwrap(),
                Mover::Nobody => break,
                Mover::Seat(seat) => {
                    let situation = Situation::of(&*table, 0).unwrap();
                    assert_eq!(situation.offered, None);
                    let decided = book.decide(&situation);
                    seen.push((situation, decided));
                    secret = table.view(Viewer::Seat(seat)).to_string();
                    let offers = table.offers(Viewer::Seat(seat));
                    let choice =
                        offers.iter().find(|offer| offer.name == stance).unwrap_or(&offers[0]).name.clone();
                    table.play(seat, &choice, None).unwrap();
                }
            }
        }
        known.push(seen);
        secrets.push(secret);
    }
    assert!(secrets.iter().any(|secret| *secret != secrets[0]), "the pairs must differ");
    assert!(known[0].len() >= 4 && known[0].iter().any(|(_, decided)| decided.answer.is_some()));
    assert!(known.iter().all(|seen| *seen == known[0]));
    assert_eq!(delay(b"m", 4, Tempo::Days), delay(b"m", 4, Tempo::Days));
}

/// An order plays at a real table: it bids as long as it can, then the person is asked.
#[test]
fn an_order_answers_at_a_table() {
    let mut table: Box<dyn Table> = Box::new(Match::new(Auction::for_seats(2), MatchDice::seeded(7)));
    let language = Language { seats: table.seats(), hides: table.hides(), ..Language::default() };
    let mut book = Book::default();
    book.add(parse("after fate \"die *\" choose \"bid 1\", once", language).unwrap(), String::new(), 0)
        .unwrap();
    table.fate(None, None).unwrap();
    let situation = Situation::of(&*table, book.since().unwrap()).unwrap();
    let (n, answer) = book.decide(&situation).answer.unwrap();
    assert_eq!(answer, Answer::Name("bid 1".into()));
    table.play(situation.seat, "bid 1", None).unwrap();
    book.answered(n);
    let next = Situation::of(&*table, 0).unwrap();
    assert_eq!(next.log.last().unwrap().name.as_deref(), Some("bid 1"));
    assert_eq!(book.decide(&next).answer, None);
}
