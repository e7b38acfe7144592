//! Standing orders: choices that a person makes in advance, in one language for all games.
//!
//! ```text
//! when rule 2.5.* choose "no" until turn 8
//! after axis "attack WF" choose "tow shift WF EMT" | usual, 2 times
//! when rule 8.3 choose "pass" unless allies "declare *"
//! ```
//!
//! * `when rule`: the rule of the question; `2.5.*` is 2.5 and everything under it.
//! * `after`: the last choices of the log, one after the other with `then`. Fate's draws in between are passed over.
//! * `choose`: the first of these that is open; `usual` is what the game would do by itself.
//! * `unless`, `until turn` and `times` end the order: somebody chose such a thing since it was given, that turn began, it has
//!   answered so often.
//!
//! In a text `*` is one word and `**` at its end any number of words. Who chose is a seat's word, `other` (any seat but one's
//! own), `anybody` or `fate`.
//!
//! **Where a game hides something an order knows what a spectator knows**: the rule of the question and the spectator's log. A
//! [`Situation`] of such a game does not hold what is offered, so nothing that matches an order can look at it. Such an order has
//! one choice without `*`, or `usual`: whether it answers tells nothing about what its seat holds.
//!
//! ```
//! use kernel::{Actor, Seat, SeatInfo};
//! use orders::{Answer, Book, Language, Logged, Situation, parse};
//!
//! let seats = [SeatInfo { word: "axis", title: "Axis" }, SeatInfo { word: "allies", title: "Allies" }];
//! let language = Language { seats: &seats, hides: false, ..Language::default() };
//! let order = parse("when rule 2.5.* choose \"no\" until turn 8", language).unwrap();
//! let mut book = Book::default();
//! book.add(order, String::new(), 10).unwrap();
//!
//! let log = vec![Logged { step: 10, actor: Actor::Seat(Seat(0)), name: Some("attack WF".into()) }];
//! let offered = Some(vec!["yes".into(), "no".into()]);
//! let question = Situation { seat: Seat(1), rule: "2.5.1".into(), turn: 3, log, offered };
//! assert_eq!(book.decide(&question).answer, Some((0, Answer::Name("no".into()))));
//! ```

mod book;
mod delay;
mod language;
mod matching;
mod reader;
mod situation;
mod words;

pub use book::{Book, Decided, Ended, MOST_IN_A_ROW, MOST_ORDERS, Standing, TooMany};
pub use delay::{Tempo, delay};
pub use language::{Event, Order, Pattern, Pick, RulePattern, Who, Word};
pub use reader::{LONGEST_TEXT, Language, parse};
pub use situation::{Answer, Logged, Situation};
