//! What an order may look at.

use kernel::{Actor, Mover, Seat, Table, Viewer};

/// How many of the last steps are looked at in any case: enough for every `after`, with Fate's draws in between.
const RECENT: usize = 128;

/// A choice in the log, as the order may see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Logged {
    /// Number of the step, from 1.
    pub step: usize,
    /// Who chose.
    pub actor: Actor,
    /// The choice, or `None` where it is hidden.
    pub name: Option<String>,
}

/// A question to a seat, with all that an order may know about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Situation {
    /// Who is asked.
    pub seat: Seat,
    /// The rule of the question; several may be named, with commas.
    pub rule: String,
    /// The turn of the game.
    pub turn: u16,
    /// The log, oldest first: the spectator's where the game hides something.
    pub log: Vec<Logged>,
    /// What is offered, or `None` where the game hides something: there nobody may look.
    pub offered: Option<Vec<String>>,
}

/// What an order answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The choice of this name.
    Name(String),
    /// What the game would do by itself.
    Usual,
}

impl Situation {
    /// The question that a table asks now, or `None` if no seat is asked. `since` is the number of steps that were played
    /// when the oldest order of the seat was given.
    ///
    /// This is the one place that decides what orders see. Where the table hides something, everything is asked for as a
    /// spectator and the offers are not asked for at all.
    pub fn of(table: &dyn Table, since: usize) -> Option<Self> {
        let Mover::Seat(seat) = table.mover() else { return None };
        let hides = table.hides();
        let viewer = if hides { Viewer::Spectator } else { Viewer::Seat(seat) };
        let from = since.min(table.steps().saturating_sub(RECENT));
        let log = table
            .log(from, viewer)
            .into_iter()
            .map(|entry| Logged { step: entry.step, actor: entry.actor, name: entry.name })
            .collect();
        let offered = (!hides).then(|| table.offers(viewer).into_iter().map(|offer| offer.name).collect());
        Some(Self { seat, rule: table.prompt(viewer).rule.to_owned(), turn: table.turn(), log, offered })
    }
}
