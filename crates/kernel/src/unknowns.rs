//! A fork as one viewer knows the match: whatever was hidden from them is drawn anew.
//!
//! A plain fork has the same hidden cards and the same dice to come as the match it was made from. Whoever could play it to
//! its end, where everything is published, would know what the others hold in the match that goes on. So such a fork gets a
//! secret of its own, and every step that was concealed from the viewer is replaced by one of the steps that would have
//! looked the same to them.
//!
//! The method is Gibbs sampling over the log. For every concealed step, all legal alternatives are tried: each is played, and
//! the rest of the log after it. An alternative counts if the viewer would have seen exactly the same: the same events, the
//! same choices of everybody else, the same view after every step. One of those is drawn, by the tickets of Fate or equally
//! for a seat, the choice that was really made among them.

use crate::dice::{Dice, Secret};
use crate::event::{Discard, Recorder};
use crate::game::Game;
use crate::matches::{Match, MatchDice, Step};
use crate::seat::{Actor, Mover, Viewer};
use crate::wording::Wording;

/// How often every concealed step is drawn anew. The first round already frees each from what really happened; the second
/// lets those that depended on each other follow.
const ROUNDS: usize = 2;

/// A step as the log has it, and what the viewer saw of it.
struct Told<G: Game> {
    step: Step<G::Choice>,
    /// The position before it.
    before: G::State,
    /// Whether the viewer was not told what was chosen.
    is_concealed: bool,
    /// The events that the viewer saw.
    seen: Vec<G::Event>,
}

/// A past that looks to one viewer as the real one did.
struct Past<'g, G: Game> {
    game: &'g G,
    viewer: Viewer,
    told: Vec<Told<G>>,
    /// The position after the last step.
    end: G::State,
    listed: Vec<G::Choice>,
}

/// The steps from some step on, in a past that differs from there.
struct Retold<G: Game> {
    steps: Vec<Told<G>>,
    /// The position after the last of `steps`, if they go to the end; otherwise the rest of the old past follows.
    end: Option<G::State>,
}

impl<'g, G: Game> Past<'g, G> {
    fn new(game: &'g G, viewer: Viewer, steps: impl Iterator<Item = Step<G::Choice>>) -> Self {
        let mut past = Self { game, viewer, told: Vec::new(), end: game.start(), listed: Vec::new() };
        for step in steps {
            let before = past.end.clone();
            let (is_concealed, seen) = past.look(step.choice);
            past.told.push(Told { step, before, is_concealed, seen });
        }
        past
    }

    /// Plays a choice at the end; returns what the viewer sees of it.
    fn look(&mut self, choice: G::Choice) -> (bool, Vec<G::Event>) {
        let is_concealed = self.game.conceals(&self.end, choice, self.viewer);
        let mut recorder = Recorder::default();
        self.game.apply(&mut self.end, choice, &mut recorder);
        (is_concealed, recorder.seen_by(self.viewer).cloned().collect())
    }

    /// Draws a concealed step anew.
    fn redraw(&mut self, at: usize, dice: &mut impl Dice) {
        let before = self.told[at].before.clone();
        let real = self.told[at].step.choice;
        let weights = self.weights(&before);
        let mut total = weights.iter().find(|(choice, _)| *choice == real).map_or(1, |(_, weight)| *weight);
        let mut drawn = None;
        for (choice, weight) in weights {
            if choice == real || !self.game.conceals(&before, choice, self.viewer) {
                continue;
            }
            let Some(retold) = self.retell(at, choice, dice) else { continue };
            total += weight;
            if dice.below(total) < weight {
                drawn = Some(retold);
            }
        }
        if let Some(Retold { steps, end }) = drawn {
            let next = at + steps.len();
            drop(self.told.splice(at..next, steps));
            if let Some(end) = end {
                self.end = end;
            }
        }
    }

    /// The legal choices of a position: with their tickets for Fate, each with one for a seat.
    fn weights(&mut self, state: &G::State) -> Vec<(G::Choice, u32)> {
        self.listed.clear();
        self.game.choices(state, &mut self.listed);
        if self.game.mover(state) != Mover::Fate {
            return self.listed.iter().map(|choice| (*choice, 1)).collect();
        }
        let mut weights: Vec<_> = self.listed.iter().map(|choice| (*choice, 0)).collect();
        for ticket in 0..self.game.tickets(state) {
            let drawn = self.game.drawn(state, ticket);
            if let Some((_, weight)) = weights.iter_mut().find(|(choice, _)| *choice == drawn) {
                *weight += 1;
            }
        }
        weights.retain(|(_, weight)| *weight > 0);
        weights
    }

    /// The past with another choice at step `at`; `None` if the viewer would have noticed.
    fn retell(&mut self, at: usize, choice: G::Choice, dice: &mut impl Dice) -> Option<Retold<G>> {
        let mut state = self.told[at].before.clone();
        let mut steps = Vec::new();
        for k in at..self.told.len() {
            let before = state.clone();
            let choice = if k == at { choice } else { self.same_or_other(k, at, &state, dice)? };
            let old = &self.told[k];
            if self.game.conceals(&state, choice, self.viewer) != old.is_concealed {
                return None;
            }
            let mut recorder = Recorder::default();
            self.game.apply(&mut state, choice, &mut recorder);
            let next = self.told.get(k + 1).map_or(&self.end, |next| &next.before);
            if !recorder.seen_by(self.viewer).eq(&old.seen)
                || self.game.view(&state, self.viewer) != self.game.view(next, self.viewer)
            {
                return None;
            }
            let step = Step { choice, ..old.step };
            steps.push(Told { step, before, is_concealed: old.is_concealed, seen: old.seen.clone() });
            if state == *next {
                // From here on nothing differs.
                return Some(Retold { steps, end: None });
            }
        }
        Some(Retold { steps, end: Some(state) })
    }

    /// The choice of a later step in a changed past: the same where it is still legal. Where the viewer does not know it, it
    /// may also be what the changed step has left over, or anything else.
    fn same_or_other(
        &mut self,
        k: usize,
        changed: usize,
        state: &G::State,
        dice: &mut impl Dice,
    ) -> Option<G::Choice> {
        let Told { step, is_concealed, .. } = &self.told[k];
        let (step, is_concealed) = (*step, *is_concealed);
        let is_due = match (self.game.mover(state), step.actor) {
            (Mover::Fate, Actor::Fate) => true,
            (Mover::Seat(due), Actor::Seat(seat)) => due == seat,
            _ => false,
        };
        if !is_due {
            return None;
        }
        self.listed.clear();
        self.game.choices(state, &mut self.listed);
        if self.listed.contains(&step.choice) {
            return Some(step.choice);
        }
        let left_over = self.told[changed].step.choice;
        let other = match self.listed.contains(&left_over) {
            true => left_over,
            false if step.actor == Actor::Fate => {
                self.game.drawn(state, dice.below(self.game.tickets(state)))
            }
            false => *self.listed.get(dice.below(self.listed.len() as u32) as usize)?,
        };
        is_concealed.then_some(other)
    }
}

impl<G: Wording> Match<G> {
    /// A fork that tells its viewer nothing which they do not know of this match: with dice of its own, and with another past
    /// wherever that would have looked the same to them. Remarks on the choices of others are left out.
    #[must_use]
    pub fn fork_for(&self, viewer: Viewer, steps: usize, secret: Secret, dice: &mut impl Dice) -> Self {
        let log = self.log();
        let mut past = Past::new(self.game(), viewer, log.iter().take(steps).copied());
        for _ in 0..ROUNDS {
            for at in (0..past.told.len()).rev() {
                if past.told[at].is_concealed {
                    past.redraw(at, dice);
                }
            }
        }
        let mut fork = self.begun_again(MatchDice::fair(secret));
        for (at, Told { step, .. }) in past.told.iter().enumerate() {
            let is_own = matches!(step.actor, Actor::Seat(seat) if viewer == Viewer::Seat(seat));
            let forced = step.forced && fork.choices().len() == 1;
            fork.record(step.choice, step.actor, forced, &mut Discard);
            if let Some(why) = self.remark_at(at).filter(|_| is_own) {
                fork.remark(at, why);
            }
        }
        fork.inherit_draws();
        fork
    }
}
