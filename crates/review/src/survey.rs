//! What there is to look at: the steps of a match in order, and the positions that it did not come to.

use std::collections::HashMap;

use kernel::{Actor, CompleteGame, Discard, Match, Mover, Seat, fingerprint};

/// A match as a review walks through it.
#[derive(Debug)]
pub struct Survey<G: CompleteGame> {
    /// The steps in order.
    pub steps: Vec<Step<G>>,
    /// Positions to be estimated, each once however many ways lead to it.
    pub places: Vec<Place<G>>,
    /// The place of the current position, if the match is not over.
    pub present: Option<usize>,
}

/// One step of the match.
#[derive(Debug)]
pub struct Step<G: CompleteGame> {
    /// The position before it.
    pub state: G::State,
    /// What was chosen.
    pub choice: G::Choice,
    /// Who chose.
    pub actor: Actor,
    /// What there was to choose from.
    pub kind: Kind<G::Choice>,
}

/// What there was to choose from.
#[derive(Debug)]
pub enum Kind<C> {
    /// Fate drew one of these.
    Draw(Vec<Outcome<C>>),
    /// A seat had more than one choice.
    Decision(Seat),
    /// There was one choice only.
    Forced,
}

/// What Fate could have drawn.
#[derive(Clone, Copy, Debug)]
pub struct Outcome<C> {
    /// The choice.
    pub choice: C,
    /// How many tickets it has.
    pub weight: u32,
    /// Where it leads; `None` where that is the position that the match came to.
    pub place: Option<usize>,
}

/// A position to be estimated.
#[derive(Debug)]
pub struct Place<G: CompleteGame> {
    /// The position.
    pub state: G::State,
    /// How much hangs on it: its part of the playouts. Nothing where the game is over.
    pub share: f64,
}

/// The current position of an unfinished match counts as much as this many draws, because everything starts from it.
const PRESENT: f64 = 12.0;

impl<G: CompleteGame> Survey<G> {
    /// Walks through a match.
    pub fn of(of: &Match<G>) -> Self {
        let game = of.game();
        let mut places = Places { list: Vec::new(), known: HashMap::new() };
        let mut steps: Vec<Step<G>> = Vec::with_capacity(of.log().len());
        let mut listed = Vec::new();
        of.replay(0, &mut Discard, |_, state, step, _| {
            let kind = match game.mover(state) {
                Mover::Fate => places.draw(game, state, step.choice),
                Mover::Seat(seat) => {
                    listed.clear();
                    game.choices(state, &mut listed);
                    if step.forced || listed.len() < 2 { Kind::Forced } else { Kind::Decision(seat) }
                }
                Mover::Nobody => Kind::Forced,
            };
            steps.push(Step { state: state.clone(), choice: step.choice, actor: step.actor, kind });
        });
        let goes_on = game.outcome(of.state()).is_none();
        let present = goes_on.then(|| places.note(game, of.state().clone(), PRESENT));
        Self { steps, places: places.list, present }
    }
}

/// The places so far, found again by their fingerprint.
struct Places<G: CompleteGame> {
    list: Vec<Place<G>>,
    known: HashMap<u64, usize>,
}

impl<G: CompleteGame> Places<G> {
    /// Everything that Fate could have drawn, tickets put together by choice.
    fn draw(&mut self, game: &G, state: &G::State, came: G::Choice) -> Kind<G::Choice> {
        let tickets = game.tickets(state);
        let mut outcomes: Vec<Outcome<G::Choice>> = Vec::new();
        for ticket in 0..tickets {
            let choice = game.drawn(state, ticket);
            match outcomes.iter_mut().find(|known| known.choice == choice) {
                Some(known) => known.weight += 1,
                None => outcomes.push(Outcome { choice, weight: 1, place: None }),
            }
        }
        if outcomes.len() < 2 {
            return Kind::Forced;
        }
        let after = |choice| {
            let mut state = state.clone();
            game.apply(&mut state, choice, &mut Discard);
            state
        };
        let here = fingerprint(&after(came));
        for outcome in &mut outcomes {
            let state = after(outcome.choice);
            if fingerprint(&state) != here {
                // What is twice as likely counts twice as much in the mean, but a rare outcome must be known as well.
                let share = (f64::from(outcome.weight) / f64::from(tickets)).sqrt();
                outcome.place = Some(self.note(game, state, share));
            }
        }
        Kind::Draw(outcomes)
    }

    /// The number of a position; that it is needed once more adds to its share.
    fn note(&mut self, game: &G, state: G::State, share: f64) -> usize {
        let share = if game.mover(&state) == Mover::Nobody { 0.0 } else { share };
        let next = self.list.len();
        let place = *self.known.entry(fingerprint(&state)).or_insert(next);
        match self.list.get_mut(place) {
            Some(known) => known.share += share,
            None => self.list.push(Place { state, share }),
        }
        place
    }
}
