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
    /// What it says.
    pub order: Order,
    /// How many steps were played when it was given.
    pub made_at: usize,
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
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Turn(turn) => write!(f, "Ended: turn {turn} has begun."),
            Self::Happened { step } => write!(f, "Ended by step {step}."),
            Self::UsedUp => f.write_str("Ended: answered as often as you said."),
            Self::Refused(why) => write!(f, "Stopped: its choice was refused. {why}"),
            Self::Withdrawn => f.write_str("Taken back."),
        }
    }
}

/// The seat has as many orders as it may.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMany;

impl fmt::Display for TooMany {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "You have {MOST_ORDERS} orders here. Take one back first.")
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

/// The orders of one seat, in the order in which they are tried.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Book {
    list: Vec<Standing>,
    in_a_row: u32,
}

impl Book {
    /// A book as it was stored.
    pub fn stored(list: Vec<Standing>, in_a_row: u32) -> Self {
        Self { list, in_a_row }
    }

    /// All orders, ended ones too.
    pub fn list(&self) -> &[Standing] {
        &self.list
    }

    /// How many answers orders have given since the person last chose.
    pub fn in_a_row(&self) -> u32 {
        self.in_a_row
    }

    /// How many steps were played when the oldest running order was given; `None` if none runs.
    pub fn since(&self) -> Option<usize> {
        self.list.iter().filter(|one| one.ended.is_none()).map(|one| one.made_at).min()
    }

    /// Adds an order that is given after `made_at` steps, and returns its number.
    pub fn add(&mut self, order: Order, made_at: usize) -> Result<usize, TooMany> {
        if self.list.iter().filter(|one| one.ended.is_none()).count() >= MOST_ORDERS {
            return Err(TooMany);
        }
        let uses_left = order.times;
        self.list.push(Standing { order, made_at, uses_left, ended: None });
        Ok(self.list.len() - 1)
    }

    /// What the orders make of a question. Orders that the log or the turn ends are ended first.
    pub fn decide(&mut self, situation: &Situation) -> Decided {
        let mut decided = Decided::default();
        for (n, one) in self.list.iter_mut().enumerate().filter(|(_, one)| one.ended.is_none()) {
            one.ended = one.ends(situation);
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

    /// An order's answer was played.
    pub fn answered(&mut self, order: usize) {
        self.in_a_row = self.in_a_row.saturating_add(1);
        if let Some(one) = self.list.get_mut(order)
            && let Some(left) = &mut one.uses_left
        {
            *left = left.saturating_sub(1);
            if *left == 0 {
                one.ended.get_or_insert(Ended::UsedUp);
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

    /// The person has chosen: the count of answers in a row begins anew.
    pub fn person_chose(&mut self) {
        self.in_a_row = 0;
    }

    fn end(&mut self, order: usize, why: Ended) {
        if let Some(one) = self.list.get_mut(order) {
            one.ended.get_or_insert(why);
        }
    }
}

impl Standing {
    /// Why the order ends now, if it does.
    fn ends(&self, situation: &Situation) -> Option<Ended> {
        if let Some(turn) = self.order.until.filter(|turn| situation.turn >= *turn) {
            return Some(Ended::Turn(turn));
        }
        if self.uses_left == Some(0) {
            return Some(Ended::UsedUp);
        }
        self.order.ended_by(situation, self.made_at).map(|step| Ended::Happened { step: step.step })
    }
}
