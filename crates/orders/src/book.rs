//! The orders of one seat: their limits, their uses, their ends.

use std::fmt;

use crate::language::Order;
use crate::situation::{Answer, Situation};

/// How many running orders a seat may have.
pub const MOST_ORDERS: usize = 32;
/// How many answers in a row orders may give without their person: two books could answer each other for ever.
pub const MOST_IN_A_ROW: u32 = 64;

/// An order that was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Its number in the book, which no other order gets.
    pub number: u32,
    /// What it says.
    pub order: Order,
    /// What it says in words, as its owner was told when they gave it.
    pub words: String,
    /// How many steps were played when it was given.
    pub made_at: usize,
    /// Up to which step the log was looked at for what ends it.
    pub checked: usize,
    /// How often it has answered.
    pub answers: u32,
    /// Whether its owner lets it rest.
    pub is_paused: bool,
    /// How often it may still answer; `None` for ever.
    pub uses_left: Option<u32>,
    /// Why it has ended, or `None` while it runs.
    pub ended: Option<Ended>,
}

/// Why an order has ended, to tell its owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The turn of `until` has begun.
    Turn(u16),
    /// At this step somebody chose what `unless` names.
    Happened {
        /// The step, from 1.
        step: usize,
    },
    /// It has answered as often as it should.
    UsedUp,
    /// Its choice was refused, with the reason.
    Refused(String),
    /// Its owner took it back.
    Withdrawn,
    /// A sealed choice was played.
    Played,
    /// The match went on without the question that a sealed choice was for.
    Passed,
    /// In words, of an order that was read from where it is kept.
    Told(String),
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Turn(turn) => write!(f, "Ended: turn {turn} has begun."),
            Self::Happened { step } => write!(f, "Ended by step {step}."),
            Self::UsedUp => f.write_str("Ended: answered as often as you said."),
            Self::Refused(why) => write!(f, "Stopped: its choice was refused. {why}"),
            Self::Withdrawn => f.write_str("Taken back."),
            Self::Played => f.write_str("Played."),
            Self::Passed => f.write_str("Fell away: the match went on without that question."),
            Self::Told(words) => f.write_str(words),
        }
    }
}

/// The seat has as many orders as it may.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMany;

impl fmt::Display for TooMany {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "You have {MOST_ORDERS} orders here. Remove one first.")
    }
}

impl std::error::Error for TooMany {}

/// What the orders of a seat make of a question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decided {
    /// Which order answers, and what. `None`: the person is asked.
    pub answer: Option<(usize, Answer)>,
    /// Orders that have ended with this question; their owner is told why.
    pub ended: Vec<usize>,
    /// An order would answer, but orders have answered [`MOST_IN_A_ROW`] times without the person.
    pub tired: bool,
}

/// How many orders that have ended a book keeps, the latest ones: enough to tell why.
const MOST_ENDED: usize = 32;

/// The orders of one seat, in the order in which they are tried.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Book {
    list: Vec<Standing>,
    in_a_row: u32,
    last_number: u32,
}

impl Book {
    /// A book as it was stored.
    pub fn stored(list: Vec<Standing>, in_a_row: u32, last_number: u32) -> Self {
        let highest = list.iter().map(|one| one.number).max().unwrap_or(0);
        Self { list, in_a_row, last_number: last_number.max(highest) }
    }

    /// All orders, ended ones too.
    pub fn list(&self) -> &[Standing] {
        &self.list
    }

    /// How many answers orders have given since the person last chose.
    pub fn in_a_row(&self) -> u32 {
        self.in_a_row
    }

    /// The number of the order that was given last.
    pub fn last_number(&self) -> u32 {
        self.last_number
    }

    /// From which step on the log has to be looked at; `None` if no order runs.
    pub fn since(&self) -> Option<usize> {
        let running = self.list.iter().filter(|one| one.runs());
        running.map(|one| one.made_at.max(one.checked)).min()
    }

    /// Whether any order runs.
    pub fn runs(&self) -> bool {
        self.list.iter().any(Standing::runs)
    }

    /// Adds an order that is given after `made_at` steps, and returns its place in the list. Of orders that have ended only
    /// the latest stay.
    pub fn add(&mut self, order: Order, words: String, made_at: usize) -> Result<usize, TooMany> {
        if self.list.iter().filter(|one| one.ended.is_none()).count() >= MOST_ORDERS {
            return Err(TooMany);
        }
        let ended = self.list.iter().filter(|one| one.ended.is_some()).count();
        let mut surplus = ended.saturating_sub(MOST_ENDED);
        self.list.retain(|one| {
            let goes = surplus > 0 && one.ended.is_some();
            surplus -= usize::from(goes);
            !goes
        });
        self.last_number += 1;
        self.list.push(Standing {
            number: self.last_number,
            uses_left: order.times,
            order,
            words,
            made_at,
            checked: made_at,
            answers: 0,
            is_paused: false,
            ended: None,
        });
        Ok(self.list.len() - 1)
    }

    /// The place of an order in the list, by its number.
    pub fn place(&self, number: u32) -> Option<usize> {
        self.list.iter().position(|one| one.number == number)
    }

    /// What the orders make of a question. Orders that the log or the turn ends are ended first.
    pub fn decide(&mut self, situation: &Situation) -> Decided {
        let mut decided = Decided::default();
        for (n, one) in self.list.iter_mut().enumerate().filter(|(_, one)| one.runs()) {
            one.ended = one.ends(situation);
            one.checked = situation.log.last().map_or(one.checked, |last| last.step.max(one.checked));
            if one.ended.is_some() {
                decided.ended.push(n);
            } else if decided.answer.is_none() {
                decided.answer = one.order.answer(situation).map(|answer| (n, answer));
            }
        }
        if self.in_a_row >= MOST_IN_A_ROW {
            decided.tired = decided.answer.take().is_some();
        }
        decided
    }

    /// Ends sealed choices that are for another question than the one that is asked now, of whomever: theirs has passed. `rule` is
    /// what everybody knows of the question.
    pub fn let_pass(&mut self, rule: &str) {
        let is_for = |one: &Standing| one.order.rule.as_ref().is_some_and(|of| of.fits(rule));
        for one in self.list.iter_mut().filter(|one| one.order.sealed && one.ended.is_none()) {
            if !is_for(one) {
                one.ended = Some(Ended::Passed);
            }
        }
    }

    /// Seals a choice in place of one that is sealed for the same rule. It is a choice of the person.
    pub fn seal(&mut self, order: Order, words: String, made_at: usize) -> Result<usize, TooMany> {
        let is_same = |one: &Standing| one.is_sealed() && one.order.rule == order.rule;
        self.list.retain(|one| !is_same(one));
        self.person_chose();
        self.add(order, words, made_at)?;
        // It comes before whatever else would answer.
        self.list.rotate_right(1);
        Ok(0)
    }

    /// An order's answer was played.
    pub fn answered(&mut self, order: usize) {
        self.in_a_row = self.in_a_row.saturating_add(1);
        if let Some(one) = self.list.get_mut(order) {
            one.answers = one.answers.saturating_add(1);
            if let Some(left) = &mut one.uses_left {
                *left = left.saturating_sub(1);
                if *left == 0 {
                    let is_sealed = one.order.sealed;
                    one.ended.get_or_insert(if is_sealed { Ended::Played } else { Ended::UsedUp });
                }
            }
        }
    }

    /// An order's answer was refused: it stops, and the person is asked.
    pub fn refused(&mut self, order: usize, why: impl Into<String>) {
        self.end(order, Ended::Refused(why.into()));
    }

    /// The owner takes an order back.
    pub fn withdraw(&mut self, order: usize) {
        self.end(order, Ended::Withdrawn);
    }

    /// The owner lets an order rest, or go on: then what happened in the meantime does not end it.
    pub fn pause(&mut self, order: usize, is_paused: bool, steps: usize) {
        if let Some(one) = self.list.get_mut(order).filter(|one| one.ended.is_none()) {
            if one.is_paused && !is_paused {
                one.checked = steps;
            }
            one.is_paused = is_paused;
        }
    }

    /// Takes an order out of the list.
    pub fn remove(&mut self, order: usize) {
        if order < self.list.len() {
            self.list.remove(order);
        }
    }

    /// The person has chosen: the count of answers in a row begins anew.
    pub fn person_chose(&mut self) {
        self.in_a_row = 0;
    }

    /// Everything after the first `steps` steps was undone. Returns whether that concerns the book.
    pub fn undone_to(&mut self, steps: usize) -> bool {
        let mut concerns = false;
        for one in &mut self.list {
            concerns |= one.checked > steps || one.made_at > steps;
            one.checked = one.checked.min(steps);
            one.made_at = one.made_at.min(steps);
        }
        concerns
    }

    fn end(&mut self, order: usize, why: Ended) {
        if let Some(one) = self.list.get_mut(order) {
            one.ended.get_or_insert(why);
        }
    }
}

impl Standing {
    /// Whether it is a sealed choice that has not been played.
    pub fn is_sealed(&self) -> bool {
        self.order.sealed && self.ended.is_none()
    }

    /// Whether it may answer: it has not ended and does not rest.
    pub fn runs(&self) -> bool {
        self.ended.is_none() && !self.is_paused
    }

    /// Why the order ends now, if it does.
    fn ends(&self, situation: &Situation) -> Option<Ended> {
        if let Some(turn) = self.order.until.filter(|turn| situation.turn >= *turn) {
            return Some(Ended::Turn(turn));
        }
        if self.uses_left == Some(0) {
            return Some(Ended::UsedUp);
        }
        self.order
            .ended_by(situation, self.made_at.max(self.checked))
            .map(|step| Ended::Happened { step: step.step })
    }
}
