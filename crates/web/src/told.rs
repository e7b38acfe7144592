//! What happened, as the log and the film of a page tell it: actions, their steps, and where on the board each line belongs.

use std::ops::Range;

use kernel::{Actor, Game as _, LogEntry, LogLine, Match, ToldStep as MatchStep, Viewer};

use crate::scene::{Board, Scene};

/// Where on the board an event happened and what it moved.
///
/// A place is an *anchor*: the `id` of an element of the page, or `id:x,y,width,height`, a box in the coordinates of a drawing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// The places that it is about.
    pub at: Vec<String>,
    /// Where something moved from; without it, from the place of the event before.
    pub from: Option<String>,
    /// Where it moved to.
    pub to: Option<String>,
    /// The `id` of a piece that is destroyed.
    pub lost: Option<String>,
    /// Whether it is the moment of a combat, which is held until the person goes on.
    pub combat: bool,
}

impl Trace {
    /// An event at one place.
    pub fn at(place: impl Into<String>) -> Self {
        Self { at: vec![place.into()], ..Self::default() }
    }

    /// A move from one place to another.
    pub fn way(from: impl Into<String>, to: impl Into<String>) -> Self {
        Self { from: Some(from.into()), to: Some(to.into()), ..Self::default() }
    }

    /// The same as the moment of a combat.
    #[must_use]
    pub fn in_combat(self) -> Self {
        Self { combat: true, ..self }
    }
}

/// An event with the step and the turn in which it happened.
#[derive(Clone, Copy, Debug)]
pub struct Dated<E> {
    /// The step, from 1.
    pub step: usize,
    /// The turn.
    pub turn: u16,
    /// What happened.
    pub event: E,
}

/// Where pieces went of late.
#[derive(Debug)]
pub struct Movements {
    /// How many steps had been made when the others began: a film of what they did starts there.
    pub from: usize,
    /// The parts of the layer.
    pub scene: Scene,
}

/// A step as it is told.
pub struct ToldStep {
    /// The step and its lines.
    pub entry: LogEntry,
    /// The choice in words; `None` where it is hidden from the viewer.
    pub label: Option<String>,
    /// What Fate drew for; empty for a seat's choice.
    pub purpose: String,
    /// Where each line of the entry belongs.
    pub traces: Vec<Trace>,
    /// The face of the die, where Fate rolled one.
    pub face: Option<u8>,
}

impl ToldStep {
    fn of<B: Board>(game: &B::Game, step: MatchStep<B::Game>) -> Self {
        let MatchStep { entry, label, purpose, events, .. } = step;
        let rolled = entry.name.as_deref().filter(|_| entry.actor == Actor::Fate);
        Self {
            face: rolled.and_then(B::die_face),
            traces: events.iter().map(|event| B::trace(game, event)).collect(),
            entry,
            label,
            purpose,
        }
    }
}

/// Steps that are one thing to those who read the log.
pub struct ToldAction {
    /// What it came to; `None` where there is nothing to read about it.
    pub headline: Option<LogLine>,
    /// Its steps.
    pub steps: Vec<ToldStep>,
}

/// Some steps, not put together.
pub fn steps<B: Board>(shown: &Match<B::Game>, range: Range<usize>, viewer: Viewer) -> Vec<ToldStep> {
    let told = shown.told(range, viewer, true).into_iter();
    told.map(|step| ToldStep::of::<B>(shown.game(), step)).collect()
}

/// The actions that begin in a range of steps.
pub fn actions<B: Board>(shown: &Match<B::Game>, range: Range<usize>, viewer: Viewer) -> Vec<ToldAction> {
    let told = shown.actions(range, viewer).into_iter();
    told.map(|action| ToldAction {
        headline: action.headline,
        steps: action.steps.into_iter().map(|step| ToldStep::of::<B>(shown.game(), step)).collect(),
    })
    .collect()
}

/// Where pieces went since the previous turn began, at most so many steps ago; `None` on a board without such a layer.
pub fn movements<B: Board>(shown: &Match<B::Game>, most: usize, viewer: Viewer) -> Option<Movements> {
    let game = shown.game();
    let from = shown.last_turns_from(most);
    let told = shown.told(from..shown.log().len(), viewer, false).into_iter();
    let events: Vec<_> = told
        .flat_map(|MatchStep { entry, events, .. }| {
            events.into_iter().map(move |event| Dated { step: entry.step, turn: entry.turn, event })
        })
        .collect();
    let before = shown.state_at(from);
    B::movements(game, &game.view(&before, viewer), &events, viewer)
}
