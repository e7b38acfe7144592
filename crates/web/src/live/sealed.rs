//! Sealed choices: where several seats answer the same question in secret, one after the other, a seat may answer before the others
//! have.
//!
//! What it could choose is found in a fork that knows no more than the seat does ([`Table::fork_for`]), in which the others choose
//! something: what they really choose is looked at by nobody. A sealed choice is an order of the seat
//! ([`orders::Order::sealed`]), so it is kept, shown, played and told of at the end as orders are, and nobody hears of it before.

use std::time::Instant;

use kernel::{Actor, Mover, Names, Offer, Seat, Secret, Table, Viewer};
use orders::Order;
use store::StoredBook;

use super::{Live, LiveOrders, OrderRefusal};
use crate::lobby::LobbyError;

/// How many answers of others come first at most.
const MOST_OTHERS: usize = 8;
/// How many choices of somebody else are tried for one that is secret.
const MOST_TRIES: usize = 24;
/// How far back it is looked whether a seat has answered already.
const LOOK_BACK: usize = 16;

/// What is looked for beside the match: what a seat could choose.
pub struct Ahead {
    table: Box<dyn Table>,
    seat: Seat,
    rule: String,
    /// The revision that it is about.
    pub revision: u32,
}

/// A choice that somebody seals.
#[derive(Clone, Debug)]
pub struct Sealing {
    /// The revision at which it was offered.
    pub revision: u32,
    /// The rule of the question.
    pub rule: String,
    /// Its name.
    pub choice: String,
    /// Its label.
    pub label: String,
}

/// The first rule of a question, as everybody knows it.
fn rule_of(table: &dyn Table) -> String {
    let asked = table.prompt(Viewer::Spectator);
    asked.rule.split(',').next().unwrap_or_default().trim().to_owned()
}

impl Live {
    /// Whether a seat may be asked later what somebody else is asked in secret now, as far as everybody can tell.
    pub fn may_seal(&self, seat: Seat) -> bool {
        let Mover::Seat(mover) = self.table.mover() else { return false };
        let is_asked = mover == seat || !self.hides() || self.is_over() || self.proceedings.is_paused;
        if is_asked || self.bot_at(mover).is_some() || !self.plays(Viewer::Seat(seat)) {
            return false;
        }
        let (rule, asked) = (rule_of(&*self.table), self.table.prompt(Viewer::Spectator));
        let is_it = |(of, waiting): &(&str, &str)| *of == rule && asked.text.contains(waiting);
        self.title.secret_in_turn().iter().any(is_it) && !self.has_just_answered(seat)
    }

    /// Whether a seat has made a secret choice since anything else happened.
    fn has_just_answered(&self, seat: Seat) -> bool {
        let steps = self.table.steps();
        let last = self.table.log_range(steps.saturating_sub(LOOK_BACK)..steps, Viewer::Spectator);
        let is_hidden = |entry: &&kernel::LogEntry| entry.name.as_deref().is_none_or(|name| name == "pass");
        let mut secret = last.iter().rev().take_while(is_hidden).filter(|entry| entry.name.is_none());
        secret.any(|entry| entry.actor == Actor::Seat(seat))
    }

    /// What is needed to find what a seat could choose.
    pub fn ahead(&self, seat: Seat) -> Result<Ahead, LobbyError> {
        if !self.may_seal(seat) {
            let why = "Nobody is asked in secret just now what you will be asked: there is nothing to seal.";
            return Err(LobbyError::Bad(why.to_owned()));
        }
        let rule = rule_of(&*self.table);
        Ok(Ahead { table: self.table.fork(self.table.steps()), seat, rule, revision: self.revision })
    }

    /// Seals a choice that was found to be possible. Returns how the orders stand then: in force once they are stored.
    pub fn seal(&mut self, seat: Seat, sealing: &Sealing) -> Result<(LiveOrders, StoredBook), OrderRefusal> {
        self.check_revision(sealing.revision)?;
        self.may_give_orders(seat)?;
        self.spend_edit(seat, Instant::now())?;
        let mut orders = self.orders.clone();
        let steps = self.table.steps();
        let book = orders.book_of(seat, self)?;
        let words = format!("Sealed: “{}”.", sealing.label);
        let given = book.seal(Order::sealed(&sealing.rule, &sealing.choice), words, steps);
        given.map_err(|many| LobbyError::Bad(many.to_string()))?;
        Ok(self.with_orders_seen(orders, seat))
    }
}

impl Ahead {
    /// The rule of the question.
    pub fn rule(&self) -> &str {
        &self.rule
    }

    /// What the seat could choose when it is asked; empty if it will not be. It takes a moment: call it from a thread that may
    /// wait.
    pub fn offers(&self) -> Vec<Offer> {
        let viewer = Viewer::Seat(self.seat);
        // The same guess for the same question, whatever is hidden.
        let mut guess = self.table.fork_for(viewer, self.table.steps(), Secret([0; 32]), 0);
        let mut was_secret = false;
        for _ in 0..MOST_OTHERS {
            let Mover::Seat(mover) = guess.mover() else { break };
            if rule_of(&*guess) != self.rule {
                break;
            }
            if mover == self.seat {
                return if was_secret { guess.offers(viewer) } else { Vec::new() };
            }
            match secretly(&mut *guess, mover, viewer) {
                Some(after) => (guess, was_secret) = (after, true),
                None => {
                    let usual = guess.default_choice(Viewer::Seat(mover));
                    let first = || guess.offers(Viewer::Seat(mover)).first().map(|offer| offer.name.clone());
                    let Some(choice) = usual.or_else(first) else { break };
                    if guess.play(mover, &choice, None).is_err() {
                        break;
                    }
                }
            }
        }
        Vec::new()
    }
}

/// The guess after a choice of somebody that the viewer would not be shown, if there is one.
fn secretly(guess: &mut dyn Table, mover: Seat, viewer: Viewer) -> Option<Box<dyn Table>> {
    let mut names = Names::default();
    guess.offer_names(&mut names);
    let steps = guess.steps();
    let tries: Vec<String> = names.iter().take(MOST_TRIES).map(ToOwned::to_owned).collect();
    tries.into_iter().find_map(|name| {
        let mut after = guess.fork(steps);
        after.play(mover, &name, None).ok()?;
        let is_hidden =
            after.log_range(steps..steps + 1, viewer).pop().is_some_and(|entry| entry.name.is_none());
        is_hidden.then_some(after)
    })
}
