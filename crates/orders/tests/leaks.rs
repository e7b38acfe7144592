//! What orders see, answer and wait for in the games that hide something, at tables that differ only in what is hidden.
//!
//! The pairs are forks for a spectator: every step that was concealed is drawn anew among those that would have looked the same.
//! A few games of each set-up; `MAPROOM_LONG=1` looks at more.

use kernel::{CompleteGame, Match, MatchDice, Mover, Options, Secret, Table, Viewer};
use orders::{Book, Decided, Language, Order, Situation, Tempo, delay, parse};

struct Draws(u64);

impl Draws {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}

fn options(pairs: &[(&str, &str)]) -> Options {
    pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

/// Everything about a position that orders make something of.
fn made_of(table: &dyn Table, book: &Book) -> (Option<Situation>, Decided, Book, u128) {
    let mut book = book.clone();
    let situation = Situation::of(table, book.since().expect("orders run"));
    let decided = situation.as_ref().map(|situation| book.decide(situation)).unwrap_or_default();
    let wait = delay(b"salt of the seat", table.steps(), Tempo::Days).as_millis();
    (situation, decided, book, wait)
}

/// Orders for questions that come up, and for whatever others have done.
fn orders(rules: &[String], names: &[String], language: Language<'_>) -> Book {
    let mut book = Book::default();
    let mut add = |order: Order| book.add(order, String::new(), 0).map(drop).expect("room for an order");
    for (rule, name) in rules.iter().zip(names).take(20) {
        add(Order::always(rule, name));
    }
    add(parse("after other \"**\" choose usual unless fate \"die 6\", 3 times", language).expect("an order"));
    add(parse("after anybody \"**\" then anybody \"**\" choose \"pass\" until turn 3", language)
        .expect("an order"));
    book
}

/// Looks at positions now and then, and at one of `rarely` after a hidden step.
fn look<G: CompleteGame>(with: &[(&str, &str)], seeds: u64, rarely: usize) {
    let game = G::with_options(&options(with)).expect("a set-up");
    assert!(game.hides(), "{} {with:?}", G::ID);
    let (mut looked, mut differ, mut answered) = (0, 0, 0);
    for seed in 0..seeds {
        let mut draws = Draws(seed + 40);
        let mut table: Box<dyn Table> = Box::new(Match::new(game.clone(), MatchDice::seeded(seed)));
        let (mut rules, mut names) = (Vec::new(), Vec::new());
        let mut next = 12 + draws.below(20);
        while table.steps() < 260 {
            let seat = match table.mover() {
                Mover::Nobody => break,
                Mover::Fate => {
                    table.fate(None, None).expect("fair dice");
                    continue;
                }
                Mover::Seat(seat) => seat,
            };
            let offers = table.offers(Viewer::Seat(seat));
            let choice = offers[draws.below(offers.len())].name.clone();
            let rule =
                table.prompt(Viewer::Spectator).rule.split(',').next().unwrap_or_default().trim().to_owned();
            if !rule.is_empty() && !rules.contains(&rule) {
                rules.push(rule);
                names.push(choice.clone());
            }
            let last = table.log(table.steps().saturating_sub(1), Viewer::Spectator).pop();
            let has_just_hidden = last.is_some_and(|last| last.name.is_none());
            if (table.steps() >= next || has_just_hidden && draws.below(rarely) == 0) && table.hides() {
                next = table.steps() + 30 + draws.below(30);
                let book = orders(
                    &rules,
                    &names,
                    Language { seats: table.seats(), hides: true, ..Language::default() },
                );
                let fork = |n: u64| table.fork_for(Viewer::Spectator, table.steps(), Secret::from_seed(n), n);
                let (one, other) = (fork(seed * 1_000 + 1), fork(seed * 1_000 + 2));
                let known = made_of(&*table, &book);
                assert_eq!(
                    known,
                    made_of(&*one, &book),
                    "{} {with:?}, seed {seed}, step {}",
                    G::ID,
                    table.steps()
                );
                assert_eq!(
                    known,
                    made_of(&*other, &book),
                    "{} {with:?}, seed {seed}, step {}",
                    G::ID,
                    table.steps()
                );
                assert_eq!(known.0.as_ref().and_then(|situation| situation.offered.as_ref()), None);
                let hands = |table: &dyn Table| {
                    (0..table.seats().len())
                        .map(|n| table.view(Viewer::Seat(kernel::Seat(n as u8))))
                        .collect::<Vec<_>>()
                };
                differ += usize::from(hands(&*one) != hands(&*other));
                answered += usize::from(known.1.answer.is_some());
                looked += 1;
            }
            table.play(seat, &choice, None).expect("an open choice");
        }
    }
    // Where nothing differs and nothing answers the test would say nothing.
    assert!(looked >= 8 && differ >= 4 && answered >= 4, "{}: {looked} {differ} {answered}", G::ID);
}

fn seeds() -> u64 {
    if std::env::var_os("MAPROOM_LONG").is_some() { 60 } else { 4 }
}

#[test]
fn blitz() {
    look::<blitz::Blitz>(&[("mode", "two_player")], seeds(), 4);
}

#[test]
fn triumph() {
    look::<triumph::Triumph>(&[], seeds() / 2, 24);
}

#[test]
fn surrender_with_secret_commitments() {
    look::<surrender::Surrender>(&[("scenario", "poland-1939"), ("commit", "secret")], seeds(), 1);
}
