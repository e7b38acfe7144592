//! The standing orders of a live match: whose book may answer the question that is asked now, when, and how they are changed.
//!
//! What an order answers is decided with the entry that brings the question, and what follows for its book is written with
//! that entry. The answer itself waits (`orders::delay`), and is then a choice like a person's: an entry with the next number.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry as Slot;
use std::time::Instant;

use clocks::DAY;
use diagnostics::Problems;
use kernel::{Actor, Mover, Seat, Story, Viewer};
use orders::{
    Answer, Book, Ended, Event, Language, Order, Pattern, Situation, Standing, Tempo, Who, Word, delay, parse,
};
use store::{Effect, OrderState, StoredAnswer, StoredBook, StoredOrder};

use super::{Live, Pending};
use crate::bucket::{Rate, TokenBucket};
use crate::lobby::LobbyError;
use crate::proceedings::Proceedings;
use crate::secrets;

/// How many changes of orders a match takes from each seat: a limit of its own, so that nobody notices another's.
const EDITS: Rate = Rate { at_once: 30.0, per_second: 2.0 };

/// The orders of a match.
#[derive(Clone, Default)]
pub struct LiveOrders {
    books: BTreeMap<Seat, SeatBook>,
    /// What answered which step, from 1.
    answered: BTreeMap<u32, (Seat, String)>,
    /// Whether the last thing that happened was an undo: whoever takes something back wants to choose otherwise.
    after_undo: bool,
    coming: Option<Coming>,
}

/// The orders of one seat.
#[derive(Clone)]
struct SeatBook {
    book: Book,
    salt: String,
    /// After how many steps its person said that they answer themselves.
    held_at: Option<usize>,
    /// Whether an order would have answered, but orders have answered too often in a row.
    is_tired: bool,
    /// How often it was written.
    version: u32,
}

/// An answer that waits for its time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coming {
    /// Whose answer.
    pub seat: Seat,
    /// The number of the order.
    pub number: u32,
    /// The revision that it is about.
    pub revision: u32,
    /// When it is given, milliseconds since 1970.
    pub at: u64,
    /// What is answered.
    pub answer: Answer,
    /// Whether it can be made. Where something is hidden that does not change when it is tried.
    is_open: bool,
}

/// A change of the orders of a seat.
#[derive(Clone, Debug)]
pub enum OrderEdit {
    /// A new order, as text.
    Give(String),
    /// An order rests or goes on.
    Pause {
        /// The number of the order.
        number: u32,
        /// Whether it rests.
        is_paused: bool,
    },
    /// An order goes.
    Remove {
        /// The number of the order.
        number: u32,
    },
    /// The person answers the present question themselves.
    Hold,
}

/// Why a change of orders was refused.
#[derive(Debug)]
pub enum OrderRefusal {
    /// The text can't be read, and where.
    Unreadable(Box<Problems>),
    /// Something else.
    Other(LobbyError),
}

impl From<LobbyError> for OrderRefusal {
    fn from(error: LobbyError) -> Self {
        Self::Other(error)
    }
}

impl SeatBook {
    fn stored(&self, live: &Live, seat: Seat) -> StoredBook {
        let seats = live.table.seats();
        let record = live.seats.iter().find(|record| record.seat == seat.0);
        StoredBook {
            account: record.and_then(|record| record.player.account()),
            salt: self.salt.clone(),
            in_a_row: self.book.in_a_row(),
            held_at: self.held_at.map(|steps| steps as u32),
            last_number: self.book.last_number(),
            version: self.version,
            orders: self
                .book
                .list()
                .iter()
                .map(|one| StoredOrder {
                    number: one.number,
                    text: one.order.text(seats),
                    words: one.words.clone(),
                    made_at: one.made_at as u32,
                    checked: one.checked as u32,
                    answers: one.answers,
                    uses_left: one.uses_left,
                    state: match (&one.ended, one.is_paused) {
                        (Some(_), _) => OrderState::Ended,
                        (None, true) => OrderState::Paused,
                        (None, false) => OrderState::Running,
                    },
                    why: one.ended.as_ref().map_or_else(String::new, ToString::to_string),
                })
                .collect(),
        }
    }

    fn restored(stored: &StoredBook, language: Language<'_>) -> Self {
        let standing = |one: &StoredOrder| {
            let read = parse(&one.text, language);
            let unreadable = read.is_err().then(|| "Ended: it can't be read any more.".to_owned());
            let why = (one.state == OrderState::Ended).then(|| one.why.clone());
            Standing {
                number: one.number,
                order: read.unwrap_or_default(),
                words: one.words.clone(),
                made_at: one.made_at as usize,
                checked: one.checked as usize,
                answers: one.answers,
                uses_left: one.uses_left,
                is_paused: one.state == OrderState::Paused,
                ended: why.or(unreadable).map(Ended::Told),
            }
        };
        let list = stored.orders.iter().map(standing).collect();
        Self {
            book: Book::stored(list, stored.in_a_row, stored.last_number),
            salt: stored.salt.clone(),
            held_at: stored.held_at.map(|steps| steps as usize),
            is_tired: false,
            version: stored.version,
        }
    }

    /// Whether two say the same, but for how far the log was looked at: that can be found again.
    fn says_the_same(&self, other: &Self) -> bool {
        let same = |(one, other): (&Standing, &Standing)| {
            (one.number, one.answers, one.is_paused, one.made_at)
                == (other.number, other.answers, other.is_paused, other.made_at)
                && one.ended == other.ended
                && one.checked >= other.checked
        };
        let (list, others) = (self.book.list(), other.book.list());
        self.held_at == other.held_at
            && self.book.in_a_row() == other.book.in_a_row()
            && list.len() == others.len()
            && list.iter().zip(others).all(same)
    }
}

impl LiveOrders {
    /// The orders of a seat, in the order in which they are tried.
    pub fn list(&self, seat: Seat) -> &[Standing] {
        self.books.get(&seat).map_or(&[], |book| book.book.list())
    }

    /// The book of a seat, which is made with its first order.
    fn seat_book(&mut self, seat: Seat, live: &Live) -> Result<&mut SeatBook, LobbyError> {
        match self.books.entry(seat) {
            Slot::Occupied(known) => Ok(known.into_mut()),
            Slot::Vacant(new) => {
                let salt = secrets::token()?;
                let language = live.language(&[]);
                Ok(new.insert(SeatBook::restored(&StoredBook { salt, ..StoredBook::default() }, language)))
            }
        }
    }

    /// The same without what belongs to the present question.
    pub(super) fn book_of(&mut self, seat: Seat, live: &Live) -> Result<&mut Book, LobbyError> {
        self.seat_book(seat, live).map(|book| &mut book.book)
    }

    /// Whether a seat's orders have answered too often in a row.
    pub fn are_tired(&self, seat: Seat) -> bool {
        self.books.get(&seat).is_some_and(|book| book.is_tired)
    }

    /// The answer that waits for its time.
    pub fn coming(&self) -> Option<&Coming> {
        self.coming.as_ref()
    }

    /// Whether nobody has given any.
    pub fn is_empty(&self) -> bool {
        self.books.is_empty()
    }

    /// Notes that books have been written with an entry.
    pub(super) fn note_written(&mut self, effects: &[Effect]) {
        for effect in effects {
            if let Effect::Order { seat, .. } = effect {
                self.note_written_book(Seat(*seat));
            }
        }
    }

    /// Notes that a book has been written.
    pub fn note_written_book(&mut self, seat: Seat) {
        if let Some(book) = self.books.get_mut(&seat) {
            book.version += 1;
        }
    }

    /// Whether a viewer has orders, so that their page may have to be told of them.
    pub fn concern(&self, viewer: Viewer) -> bool {
        matches!(viewer, Viewer::Seat(seat) if self.books.contains_key(&seat))
    }

    /// Whether an order will answer the question that is asked now, so that nobody has to be told that it is their turn.
    pub(super) fn will_answer(&self) -> bool {
        self.coming.as_ref().is_some_and(|coming| coming.is_open)
    }

    /// How the orders stand when the person of a seat has chosen.
    pub(super) fn after_choice_of(&self, seat: Seat) -> Self {
        let mut orders = self.clone();
        if let Some(book) = orders.books.get_mut(&seat) {
            book.book.person_chose();
            // Whoever is asked and answers by hand has answered what they had sealed an answer for.
            book.book.let_pass("");
        }
        orders
    }

    /// Follows the match from one number of steps to another.
    pub(super) fn follow(&mut self, before: usize, steps: usize) {
        if steps != before {
            self.after_undo = steps < before;
        }
        if steps < before {
            self.answered.retain(|step, _| *step as usize <= steps);
            for book in self.books.values_mut() {
                book.book.undone_to(steps);
            }
        }
    }
}

impl Live {
    /// The language of orders at this table.
    fn language<'a>(&'a self, rules: &'a [&'a str]) -> Language<'a> {
        Language { seats: self.table.seats(), hides: self.table.hides(), turn: self.table.turn(), rules }
    }

    /// Takes the orders of a match as they are in the store.
    pub fn take_orders(&mut self, books: &[(u8, StoredBook)], answers: Vec<(u8, StoredAnswer)>) {
        if books.is_empty() {
            self.orders = LiveOrders::default();
            return;
        }
        let language = Language { turn: 0, ..self.language(&[]) };
        let book = |(seat, stored): &(u8, StoredBook)| (Seat(*seat), SeatBook::restored(stored, language));
        let mut orders = LiveOrders { books: books.iter().map(book).collect(), ..LiveOrders::default() };
        let known = answers.into_iter().filter(|(_, answer)| answer.step as usize <= self.table.steps());
        orders.answered = known.map(|(seat, answer)| (answer.step, (Seat(seat), answer.words))).collect();
        let before = self.steps_after.iter().rev().find(|steps| **steps as usize != self.table.steps());
        orders.after_undo = before.is_some_and(|before| *before as usize > self.table.steps());
        // A house that stood still must not answer for everybody in the moment in which it begins.
        let from = self.proceedings.last_at.max(self.house.started());
        self.look_ahead(&mut orders, &self.proceedings, self.revision, from);
        self.orders = orders;
        if self.is_over() {
            self.tell_of_answers();
        }
    }

    /// Finds what the orders make of the question that is asked now, and ends those that have run out.
    pub(super) fn look_ahead(&self, orders: &mut LiveOrders, after: &Proceedings, revision: u32, from: u64) {
        orders.coming = None;
        // What others are asked everybody knows: a sealed choice for another question tells nothing by falling away.
        if self.table.mover() != Mover::Fate {
            let asked = self.table.prompt(Viewer::Spectator);
            for book in orders.books.values_mut() {
                book.book.let_pass(asked.rule);
            }
        }
        let Mover::Seat(seat) = self.table.mover() else { return };
        let steps = self.table.steps();
        let waits =
            orders.after_undo || after.is_paused || after.ended.is_some() || self.bot_at(seat).is_some();
        let Some(book) = orders.books.get_mut(&seat) else { return };
        book.is_tired = false;
        let Some(since) = book.book.since() else { return };
        let Some(situation) = Situation::of(&*self.table, since) else { return };
        let decided = book.book.decide(&situation);
        book.is_tired = decided.tired;
        let Some((place, answer)) = decided.answer.filter(|_| !waits && book.held_at != Some(steps)) else {
            return;
        };
        let is_open = match &answer {
            Answer::Name(name) => self.table.why_not(Viewer::Seat(seat), name).is_ok(),
            Answer::Usual => true,
        };
        let wait = delay(book.salt.as_bytes(), steps, tempo(after)).as_millis() as u64;
        let number = book.book.list()[place].number;
        orders.coming = Some(Coming { seat, number, revision, at: from + wait, answer, is_open });
    }

    /// What is written of the orders with an entry.
    pub(super) fn order_effects(&self, after: &LiveOrders, effects: &mut Vec<Effect>) {
        let from = self.steps_after.last().copied().unwrap_or(0);
        for (seat, book) in &after.books {
            let answer = after.answered.range(from + 1..).find(|(_, (of, _))| of == seat);
            let before = self.orders.books.get(seat);
            let is_dropped =
                |(step, (of, _)): (&u32, &(Seat, String))| of == seat && !after.answered.contains_key(step);
            let has_dropped = self.orders.answered.iter().any(is_dropped);
            let is_as_before = before.is_some_and(|before| book.says_the_same(before));
            if answer.is_none() && is_as_before && !has_dropped {
                continue;
            }
            let steps = from.min(self.table.steps() as u32);
            let answer = answer.map(|(step, (_, words))| StoredAnswer { step: *step, words: words.clone() });
            let book = Box::new(book.stored(self, *seat));
            effects.push(Effect::Order { seat: seat.0, book, answer, steps });
        }
    }

    /// Makes the choice that an order has come to, if nothing has changed since.
    pub fn choose_by_order(&mut self, coming: &Coming, choice: &str) -> Result<Pending, LobbyError> {
        self.check_revision(coming.revision)?;
        if self.orders.coming.as_ref() != Some(coming) {
            return Err(LobbyError::Stale { revision: self.revision });
        }
        self.check_goes_on()?;
        self.check_plays(coming.seat)?;
        let begun = Instant::now();
        let from = self.table.steps();
        let mut story = Story::for_viewer(Viewer::Spectator);
        self.table.play(coming.seat, choice, Some(&mut story))?;
        self.table.play_forced(Some(&mut story));
        self.note_last_event(&story);
        let mut orders = self.orders.clone();
        if let Some(book) = orders.books.get_mut(&coming.seat)
            && let Some(place) = book.book.place(coming.number)
        {
            book.book.answered(place);
            let words = book.book.list()[place].words.clone();
            orders.answered.insert(from as u32 + 1, (coming.seat, words));
        }
        // Like a person's choice, but that its person has not seen it yet.
        Ok(self.pending_with(self.steps_entry(from), begun, orders))
    }

    /// Changes the orders of a seat, and returns how they stand then: in force once they are stored.
    pub fn edit_orders(
        &mut self,
        seat: Seat,
        edit: &OrderEdit,
    ) -> Result<(LiveOrders, StoredBook), OrderRefusal> {
        self.may_give_orders(seat)?;
        self.spend_edit(seat, Instant::now())?;
        let rules: Vec<&str> = self.title.rulebook().rules().collect();
        let steps = self.table.steps();
        let mut orders = self.orders.clone();
        let book = orders.seat_book(seat, self)?;
        let place = |number: u32| {
            let none = || LobbyError::Bad("This order is not there any more.".to_owned());
            book.book.place(number).ok_or_else(none)
        };
        match edit {
            OrderEdit::Give(text) => {
                let order = parse(text, self.language(&rules))
                    .map_err(|problems| OrderRefusal::Unreadable(Box::new(problems)))?;
                let words = self.in_words(&order, seat);
                let given = book.book.add(order, words, steps);
                given.map_err(|many| LobbyError::Bad(many.to_string()))?;
                // Whoever gives an order means the question that is asked now as well.
                book.held_at = None;
            }
            OrderEdit::Pause { number, is_paused } => {
                let at = place(*number)?;
                book.book.pause(at, *is_paused, steps);
            }
            OrderEdit::Remove { number } => {
                let at = place(*number)?;
                book.book.remove(at);
            }
            OrderEdit::Hold => book.held_at = Some(steps),
        }
        Ok(self.with_orders_seen(orders, seat))
    }

    /// Orders that were changed, with what they make of the present question; and the book of a seat, to be stored.
    pub(super) fn with_orders_seen(&self, mut orders: LiveOrders, seat: Seat) -> (LiveOrders, StoredBook) {
        self.look_ahead(
            &mut orders,
            &self.proceedings,
            self.revision,
            self.now().max(self.proceedings.last_at),
        );
        let stored = orders.books[&seat].stored(self, seat);
        (orders, stored)
    }

    /// Takes one of the changes that a seat has left.
    pub(super) fn spend_edit(&mut self, seat: Seat, now: Instant) -> Result<(), LobbyError> {
        let edits = self.order_edits.entry(seat).or_insert_with(|| TokenBucket::full(EDITS, now));
        if edits.take(now) { Ok(()) } else { Err(LobbyError::TooFast) }
    }

    /// How the orders stand when the answer of one of them was refused: it stops, and its owner is told why.
    pub fn refuse_order(&self, coming: &Coming, why: &str) -> Option<(LiveOrders, StoredBook)> {
        if self.orders.coming.as_ref() != Some(coming) {
            return None;
        }
        let mut orders = self.orders.clone();
        let book = orders.books.get_mut(&coming.seat)?;
        let place = book.book.place(coming.number)?;
        book.book.refused(place, why);
        // Another order may know an answer.
        self.look_ahead(
            &mut orders,
            &self.proceedings,
            self.revision,
            self.now().max(self.proceedings.last_at),
        );
        let stored = orders.books[&coming.seat].stored(self, coming.seat);
        Some((orders, stored))
    }

    /// Whether somebody may give orders here.
    pub(super) fn may_give_orders(&self, seat: Seat) -> Result<(), LobbyError> {
        if self.is_over() {
            return Err(LobbyError::Bad("The match is over.".to_owned()));
        }
        let is_a_persons = |record: &store::SeatRecord| record.seat == seat.0 && record.player.is_a_persons();
        match self.seats.iter().any(is_a_persons) {
            true => Ok(()),
            false => Err(LobbyError::Bad("This seat is a bot's for good.".to_owned())),
        }
    }

    /// An order in words; choices that are offered now by their labels.
    fn in_words(&self, order: &Order, seat: Seat) -> String {
        let offers = self.table.offers(Viewer::Seat(seat));
        let label =
            |name: &str| offers.iter().find(|offer| offer.name == name).map(|offer| offer.label.clone());
        order.in_words(self.table.seats(), &label)
    }

    /// When the match is over everybody may know what orders have answered: it becomes the reason of the choice.
    pub(super) fn tell_of_answers(&mut self) {
        for (step, (_, words)) in &self.orders.answered {
            self.table.remark(*step as usize - 1, &format!("A standing order chose this. {words}"));
        }
    }

    /// The text of an order that is made from a choice: always here, until another player does something, or after something
    /// that happened at a step.
    pub fn draft(&self, seat: Seat, choice: &str, how: &str) -> Result<String, LobbyError> {
        let refuse = |why: &str| Err(LobbyError::Bad(why.to_owned()));
        if self.table.mover() != Mover::Seat(seat) {
            return refuse("Nothing is asked of you now.");
        }
        let asked = self.table.prompt(Viewer::Seat(seat));
        let rule = asked.rule.split(',').next().unwrap_or_default().trim();
        let mut order = match how.strip_prefix("after ") {
            Some(step) => self.order_after(step, choice)?,
            None if rule.is_empty() => {
                return refuse(
                    "This question has no rule of its own: tie the order to what happened before it.",
                );
            }
            None => Order::always(rule, choice),
        };
        if how == "until" {
            order.unless = self.alarms();
        }
        Ok(order.text(self.table.seats()))
    }

    /// An order for whenever what was chosen at a step (from 1) is chosen again.
    fn order_after(&self, step: &str, choice: &str) -> Result<Order, LobbyError> {
        let viewer = if self.table.hides() { Viewer::Spectator } else { Viewer::Seat(Seat(0)) };
        let none = || LobbyError::Bad("There is no such step.".to_owned());
        let step: usize = step.parse().ok().filter(|step| *step > 0).ok_or_else(none)?;
        let entry =
            self.table.log_range(step - 1..step.min(self.table.steps()), viewer).pop().ok_or_else(none)?;
        let who = match entry.actor {
            Actor::Seat(seat) => Who::Seat(seat),
            Actor::Fate => Who::Fate,
        };
        Ok(match entry.name {
            Some(name) => Order::after(who, &name, choice),
            // What is hidden can't be told from anything else that is hidden.
            None => Order {
                after: vec![Event { who, what: Pattern { words: vec![Word::Rest] } }],
                ..Order::after(who, "", choice)
            },
        })
    }

    /// What others choose that may concern anybody, as its game names it.
    fn alarms(&self) -> Vec<Event> {
        let words = |pattern: &&str| Event {
            who: Who::Other,
            what: Pattern {
                words: pattern
                    .split_whitespace()
                    .map(|word| match word {
                        "*" => Word::Any,
                        "**" => Word::Rest,
                        word => Word::Exactly(word.to_owned()),
                    })
                    .collect(),
            },
        };
        let alarms = self.title.alarms();
        if alarms.is_empty() {
            ["**"].iter().map(words).collect()
        } else {
            alarms.iter().map(words).collect()
        }
    }
}

/// How fast a match is played: over days if its clock says so.
fn tempo(proceedings: &Proceedings) -> Tempo {
    let settings = proceedings.rules.as_ref().and_then(|rules| rules.settings.as_ref());
    match settings.is_some_and(|settings| settings.bank >= DAY) {
        true => Tempo::Days,
        false => Tempo::Sitting,
    }
}
