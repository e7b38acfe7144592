//! The log as people read it: steps folded into actions, each with a sentence of its own.
//!
//! A march is a dozen small choices and dice, but one thing that happened. A game says which steps belong together
//! ([`Wording::fold`](crate::Wording::fold)) and what all of them came to ([`Wording::headline`](crate::Wording::headline)).

use std::ops::Range;

use crate::event::{Discard, LogLine, Recorder};
use crate::game::CompleteGame;
use crate::history::BLOCK;
use crate::matches::Match;
use crate::seat::{Actor, Viewer};
use crate::table::LogEntry;

/// How a step belongs to the steps before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fold {
    /// It begins an action.
    Begins,
    /// It belongs to the action before.
    Continues,
    /// It belongs to the action before if that one is of the same kind, and begins one otherwise.
    Joins(u8),
}

/// A step of the log with what it takes to tell it.
#[derive(Clone, Debug)]
pub struct ToldStep<G: CompleteGame> {
    /// The step and its lines.
    pub entry: LogEntry,
    /// The choice in words; `None` where it is hidden from the viewer.
    pub label: Option<String>,
    /// What Fate drew for; empty for a seat's choice.
    pub purpose: String,
    /// The events behind the lines of the entry, in the same order.
    pub events: Vec<G::Event>,
    /// How it belongs to the steps before it.
    fold: Fold,
}

/// Steps that are one thing to those who read the log.
#[derive(Clone, Debug)]
pub struct Action<G: CompleteGame> {
    /// What it came to; `None` where the viewer has nothing to read about it.
    pub headline: Option<LogLine>,
    /// Its steps.
    pub steps: Vec<ToldStep<G>>,
}

impl<G: CompleteGame> Match<G> {
    /// The actions that begin in a range of steps (counted from 0), as a viewer may see them. The last one is told to its
    /// end, and one that began before the range is left out: so ranges side by side tell everything once.
    pub fn actions(&self, range: Range<usize>, viewer: Viewer) -> Vec<Action<G>> {
        let to = range.end.min(self.log().len());
        let begins = range.start >= to || self.action_start(range.start) == range.start;
        let from = if begins { range.start } else { self.action_end(range.start + 1) };
        if from >= to {
            return Vec::new();
        }
        let told = self.told(from..self.action_end(to), viewer, true);
        let folds: Vec<Fold> = told.iter().map(|step| step.fold).collect();
        let mut told = told.into_iter();
        let mut actions = Vec::new();
        for length in lengths(&folds) {
            let steps: Vec<ToldStep<G>> = told.by_ref().take(length).collect();
            let events: Vec<&G::Event> = steps.iter().flat_map(|step| &step.events).collect();
            actions.push(Action { headline: self.game().headline(&events), steps });
        }
        actions
    }

    /// The step (counted from 0) at which the action of a step begins; the end of the log begins nothing.
    pub fn action_start(&self, step: usize) -> usize {
        let step = step.min(self.log().len());
        if step == self.log().len() {
            return step;
        }
        let mut from = step;
        loop {
            // Whole blocks, so that positions are replayed once.
            let earlier = self.history().checkpoint(from.saturating_sub(1)).0;
            let folds = self.folds(earlier, step + 1);
            let begins = folds.len() - lengths(&folds).last().copied().unwrap_or(1);
            // The first step that does not simply go on may join what was not read.
            let sure = folds
                .iter()
                .position(|fold| *fold != Fold::Continues)
                .is_some_and(|first| begins > first || (begins == first && folds[first] == Fold::Begins));
            if sure || earlier == 0 {
                return earlier + begins;
            }
            from = earlier;
        }
    }

    /// The step after the action that the step before `to` belongs to.
    fn action_end(&self, to: usize) -> usize {
        let all = self.log().len();
        if to == 0 || to >= all {
            return to.min(all);
        }
        let begins = self.action_start(to - 1);
        let mut read = to;
        loop {
            // A few steps at a time: most actions are short.
            read = (read + BLOCK).min(all);
            let first = lengths(&self.folds(begins, read)).first().copied().unwrap_or(1);
            if begins + first < read || read == all {
                return begins + first;
            }
        }
    }

    /// How the steps of a range fold.
    fn folds(&self, from: usize, to: usize) -> Vec<Fold> {
        let mut state = self.state_at(from);
        let steps = self.log().from(from).take(to - from);
        steps
            .map(|step| {
                let fold = self.game().fold(&state, step.choice);
                self.game().apply(&mut state, step.choice, &mut Discard);
                fold
            })
            .collect()
    }

    /// Steps of the log (counted from 0) as a viewer may see them; labels and purposes only where they are asked for.
    pub fn told(&self, range: Range<usize>, viewer: Viewer, in_words: bool) -> Vec<ToldStep<G>> {
        let game = self.game();
        let hides = game.hides() && game.outcome(self.state()).is_none();
        let to = range.end.min(self.log().len());
        let from = range.start.min(to);
        let mut told = Vec::with_capacity(to - from);
        if from == to {
            return told;
        }
        let mut state = self.state_at(from);
        for (at, step) in (from..to).zip(self.log().from(from)) {
            let own = matches!(step.actor, Actor::Seat(seat) if viewer == Viewer::Seat(seat));
            let is_told = !hides || !game.conceals(&state, step.choice, viewer);
            let name = is_told.then(|| {
                let mut name = String::new();
                game.write_name(&state, step.choice, &mut name);
                name
            });
            let label = (is_told && in_words).then(|| game.label(&state, step.choice));
            let is_draw = in_words && step.actor == Actor::Fate;
            let purpose = if is_draw { game.prompt(&state).waiting } else { String::new() };
            let turn = game.turn(&state);
            let fold = game.fold(&state, step.choice);
            let mut recorder = Recorder::default();
            game.apply(&mut state, step.choice, &mut recorder);
            let seen = recorder.events.into_iter().filter(|(audience, _)| audience.includes(viewer));
            let events: Vec<G::Event> = seen.map(|(_, event)| event).collect();
            let entry = LogEntry {
                step: at + 1,
                turn,
                actor: step.actor,
                forced: step.forced && (!hides || own),
                name,
                remark: self.remark_at(at).filter(|_| !hides || own).map(str::to_owned),
                story: events.iter().map(|event| game.log_line(event)).collect(),
            };
            told.push(ToldStep { entry, label, purpose, events, fold });
        }
        told
    }
}

/// How many steps the actions have that a run of steps folds into. The first step always begins one.
fn lengths(folds: &[Fold]) -> Vec<usize> {
    let mut lengths: Vec<usize> = Vec::new();
    let mut kind = None;
    for fold in folds {
        let goes_on = match fold {
            Fold::Begins => false,
            Fold::Continues => true,
            Fold::Joins(of) => kind == Some(*of),
        };
        match lengths.last_mut() {
            Some(last) if goes_on => *last += 1,
            _ => {
                lengths.push(1);
                kind = if let Fold::Joins(of) = fold { Some(*of) } else { None };
            }
        }
    }
    lengths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_fold_into_actions() {
        use Fold::{Begins, Continues, Joins};
        assert_eq!(lengths(&[]), [] as [usize; 0]);
        assert_eq!(lengths(&[Continues, Begins, Continues, Continues, Begins]), [1, 3, 1]);
        assert_eq!(
            lengths(&[Joins(1), Joins(1), Joins(2), Continues, Joins(2), Begins, Joins(2)]),
            [2, 3, 1, 1]
        );
    }
}
