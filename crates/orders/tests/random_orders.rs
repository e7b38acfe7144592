//! Random texts and random questions: nothing panics, and what is read can be written and read again. 10,000 orders;
//! `MAPROOM_LONG=1` tries a million.

use kernel::{Actor, Seat, SeatInfo};
use orders::{Book, Language, Logged, Situation, parse};

const SEATS: [SeatInfo; 2] =
    [SeatInfo { word: "axis", title: "Axis" }, SeatInfo { word: "allies", title: "Allies" }];
const PIECES: [&str; 40] = [
    "when",
    "rule",
    "2.5",
    "2.5.*",
    "8.3",
    "after",
    "axis",
    "allies",
    "other",
    "fate",
    "anybody",
    "then",
    "choose",
    "usual",
    "unless",
    "until",
    "turn",
    "8",
    "65536",
    "times",
    "once",
    "2",
    "999",
    "|",
    ",",
    "\"no\"",
    "\"attack *\"",
    "\"**\"",
    "\"a ** b\"",
    "\"\\\"\"",
    "\"\\*\"",
    "\"é ü\"",
    "\"",
    "\\",
    "*",
    "…",
    "\u{0}",
    "\n",
    "99999999999999999999",
    "\"x",
];
const SENTENCE: [&[&str]; 5] = [
    &[
        "when rule 2.5.*",
        "when rule 8.3",
        "after axis \"attack *\"",
        "after fate \"die 6\" then other \"**\"",
    ],
    &["choose"],
    &["\"no\"", "usual", "\"attack *\" | usual", "\"a\" | \"no\""],
    &["", "unless allies \"attack **\"", "until turn 8", "unless other \"x\" until turn 2"],
    &["", ", 2 times", ", once", ", 0 times"],
];

/// A small generator of its own, so that the orders are the same everywhere.
struct Draws(u64);

impl Draws {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }

    fn text(&mut self) -> String {
        let mut text = match self.below(3) {
            0 => (0..self.below(14)).map(|_| self.one(&PIECES)).collect::<Vec<_>>().join(" "),
            _ => SENTENCE.map(|part| self.one(part)).join(" "),
        };
        if self.below(4) == 0 {
            let at = self.below(text.chars().count() + 1);
            let at = text.char_indices().nth(at).map_or(text.len(), |(at, _)| at);
            text.insert_str(at, self.one(&PIECES));
        }
        text
    }

    fn question(&mut self) -> Situation {
        let names = ["no", "attack WF", "a", "die 6", "", "x y z"];
        let log = (0..self.below(6))
            .map(|n| Logged {
                step: n + 1,
                actor: if self.below(3) == 0 { Actor::Fate } else { Actor::Seat(Seat(self.below(3) as u8)) },
                name: (self.below(4) > 0).then(|| self.one(&names).to_owned()),
            })
            .collect();
        Situation {
            seat: Seat(self.below(3) as u8),
            rule: self.one(&["", "2.5", "2.5.1", "8.3", "7.2, 8.3", "…"]).to_owned(),
            turn: self.below(10) as u16,
            log,
            offered: (self.below(2) == 0)
                .then(|| (0..self.below(4)).map(|_| self.one(&names).to_owned()).collect()),
        }
    }
}

#[test]
fn random_orders_never_panic() {
    let count = if std::env::var_os("MAPROOM_LONG").is_some() { 1_000_000 } else { 10_000 };
    let mut draws = Draws(17);
    let (mut read, mut answered, mut ended) = (0_usize, 0_usize, 0_usize);
    for _ in 0..count {
        let text = draws.text();
        let language = Language { seats: &SEATS, hides: draws.below(2) == 0, ..Language::default() };
        match parse(&text, language) {
            Err(problems) => assert!(!problems.to_string().is_empty()),
            Ok(order) => {
                read += 1;
                assert_eq!(parse(&order.text(&SEATS), language).unwrap(), order, "{text}");
                assert!(order.in_words(&SEATS, &|_| None).ends_with('.'));
                let mut book = Book::default();
                book.add(order, String::new(), draws.below(4)).unwrap();
                for _ in 0..4 {
                    let decided = book.decide(&draws.question());
                    ended += decided.ended.len();
                    if let Some((n, _)) = decided.answer {
                        answered += 1;
                        book.answered(n);
                    }
                }
            }
        }
    }
    // The test would say little if most texts were refused or no order ever answered.
    assert!(
        read > count / 10 && answered > count / 50 && ended > count / 100,
        "{read} {answered} {ended} of {count}"
    );
}
