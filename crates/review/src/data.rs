//! A review as data.
//!
//! Chances go from 0 to 1, and a draw counts half. A list with a number for each seat is in the order of the game's seats.

use serde::Serialize;

/// The review of a match: the win chances after every step, and what changed them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Review {
    /// The word for the game.
    pub game: String,
    /// The game's title.
    pub title: String,
    /// Each seat's account: where it began, what changed that, where it ended.
    pub seats: Vec<SeatSum>,
    /// The chances before the first step and after each.
    pub points: Vec<Point>,
    /// The steps, in order; `moments[n]` is what led from `points[n]` to `points[n + 1]`.
    pub moments: Vec<Moment>,
    /// The same by turns.
    pub turns: Vec<TurnSum>,
    /// Places in `moments`, the largest change first, at most five.
    pub turning_points: Vec<usize>,
    /// The match in a sentence.
    pub verdict: String,
    /// How the match ended, in the game's words; empty while it goes on.
    pub result: String,
    /// Playouts that were made for the review.
    pub playouts: u64,
    /// Whether the game was over. If not, it is reviewed up to the current position.
    pub finished: bool,
    /// Whether the review was stopped before all estimates were as good as they should have been.
    pub stopped: bool,
}

/// The account of one seat: `start + luck + own + others = end`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SeatSum {
    /// The word for the seat.
    pub word: String,
    /// The seat for people.
    pub title: String,
    /// The chance before the first step.
    pub start: f64,
    /// What Fate gave or took, all in all.
    pub luck: f64,
    /// What the seat's own choices cost it: never more than nothing.
    pub own: f64,
    /// What the choices of the others gave it; with two seats never less than nothing.
    pub others: f64,
    /// The result, or the chance now where the match goes on.
    pub end: f64,
    /// How many of its choices were mistakes.
    pub mistakes: usize,
    /// How many real decisions it made.
    pub decisions: usize,
    /// The seat's match in a sentence or two, addressed to its player.
    pub verdict: String,
}

/// The chances at one position of the match.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Point {
    /// How many steps had been played.
    pub step: usize,
    /// The turn that the position belongs to.
    pub turn: u16,
    /// The turn in words.
    pub turn_title: String,
    /// The chance of each seat.
    pub chances: Vec<f64>,
    /// Roughly the standard error of the chances.
    pub error: f64,
}

/// One step of the match and what it changed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Moment {
    /// Number of the step, from 1, as in the log.
    pub step: usize,
    /// The turn in which it was made.
    pub turn: u16,
    /// Whose step it was: the word of a seat, or `fate`.
    pub actor: String,
    /// The name of the choice.
    pub name: String,
    /// The choice in words.
    pub label: String,
    /// What was asked.
    pub prompt: String,
    /// The rule behind it.
    pub rule: String,
    /// What it changed in the chance of each seat.
    pub change: Vec<f64>,
    /// Roughly the standard error of that.
    pub error: f64,
    /// Luck, a decision, or neither.
    pub what: What,
}

/// What kind of step it was.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum What {
    /// A draw of Fate.
    Luck {
        /// Everything that could have come, with its weight; what came is marked.
        outcomes: Vec<Fork>,
    },
    /// A decision of a seat between several choices.
    Choice {
        /// What the choice cost the seat that made it; nothing where it was no mistake.
        loss: f64,
        /// A difference smaller than this is no more than the noise of the search.
        noise: f64,
        /// Whether a better choice was found beyond doubt.
        is_mistake: bool,
        /// The best choice that was found, where it is not the one that was made.
        best: Option<Fork>,
        /// The choices that were looked at, best first, the one that was made among them.
        tried: Vec<Fork>,
    },
    /// There was nothing to choose.
    Forced,
}

/// One way on from a position.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fork {
    /// The name of the choice.
    pub name: String,
    /// The choice in words.
    pub label: String,
    /// How many of Fate's tickets it has; 0 for a seat's choice.
    pub weight: u32,
    /// The chance of each seat after it.
    pub chances: Vec<f64>,
    /// Whether the match went this way.
    pub was_made: bool,
}

/// What one turn changed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TurnSum {
    /// The turn.
    pub turn: u16,
    /// The turn in words.
    pub title: String,
    /// What luck changed in the chance of each seat.
    pub luck: Vec<f64>,
    /// What all choices together changed in the chance of each seat.
    pub choices: Vec<f64>,
    /// What each seat lost by its own choices: never more than nothing.
    pub by_seat: Vec<f64>,
}

impl Moment {
    /// Whether a seat made a mistake here.
    pub fn is_mistake(&self) -> bool {
        matches!(self.what, What::Choice { is_mistake: true, .. })
    }

    /// Whether Fate drew here.
    pub fn is_luck(&self) -> bool {
        matches!(self.what, What::Luck { .. })
    }

    /// The largest change of any seat's chance.
    pub fn size(&self) -> f64 {
        self.change.iter().fold(0.0, |size: f64, change| size.max(change.abs()))
    }
}
