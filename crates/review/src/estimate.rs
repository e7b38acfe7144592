//! What a position promises, and what the choices at a decision promise.

use std::sync::atomic::{AtomicBool, Ordering};

use bots::search::playout::SearchContext;
use bots::search::{Budget, Resources, SEATS, Search, SearchResult, Subject, TooManySeats};
use kernel::{CompleteGame, LabDice, Mover, Seat, Viewer};

use crate::chances::{Chances, Scale};

/// The bytes that a search may take for its tree.
const MEMORY: usize = 64 << 20;
/// A line that was looked at less often than this says nothing.
const FEWEST_VISITS: u32 = 2;
/// A difference counts if it is larger than so many standard errors.
const SURE: f64 = 2.0;
/// The error of a search that no number of playouts shows: it looks at bad choices, too, on its way, and stops looking
/// somewhere.
const BLINDNESS: f64 = 0.005;

/// What a position promises each seat.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The chances, made to agree with what happens among good players.
    pub chances: Chances,
    /// Their standard error.
    pub error: f64,
    /// Playouts behind it.
    pub playouts: u32,
}

/// A choice that was looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tried<C> {
    /// The choice.
    pub choice: C,
    /// How often.
    pub visits: u32,
    /// The chances after it.
    pub chances: Chances,
    /// The standard error of the mover's.
    pub error: f64,
}

/// What one search says about a decision.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement<C> {
    /// The choices that were looked at, the best for the mover first.
    pub tried: Vec<Tried<C>>,
    /// The choice that was made, as a place in `tried`; `None` where the search did not come to look at it.
    pub made: Option<usize>,
    /// The best other choice, as a place in `tried`, where it is better than what was made.
    pub best: Option<usize>,
    /// How much better it is for the mover, made to agree with what happens among good players.
    pub gap: f64,
    /// A gap smaller than this is no more than the noise of the search.
    pub noise: f64,
    /// Playouts behind it.
    pub playouts: u32,
}

impl<C> Judgement<C> {
    /// The best choice and the one that was made, where there is a better one.
    pub fn better(&self) -> Option<(&Tried<C>, &Tried<C>)> {
        Some((self.tried.get(self.best?)?, self.tried.get(self.made?)?))
    }

    /// How many standard errors the gap is wide.
    pub fn sureness(&self) -> f64 {
        if self.noise > 0.0 { SURE * self.gap / self.noise } else { 0.0 }
    }

    /// Whether the gap is more than noise.
    pub fn is_sure(&self) -> bool {
        self.best.is_some() && self.gap > self.noise
    }
}

/// What looking at positions of a set-up takes.
#[derive(Clone, Debug)]
pub struct Ground {
    search: SearchContext,
    scale: Scale,
}

impl Ground {
    /// Gets ready for a game.
    pub fn of<G: CompleteGame>(game: &G) -> Result<Self, TooManySeats> {
        let search = SearchContext::of(game)?;
        let scale = Scale::new(search.tuning, search.seats());
        Ok(Self { search, scale })
    }

    /// What the end of a game is worth, exactly.
    pub fn result<G: CompleteGame>(&self, game: &G, state: &G::State) -> Chances {
        let mut worth = self.search.result(game, state).map(f64::from);
        worth.iter_mut().skip(self.search.seats()).for_each(|seat| *seat = 0.0);
        worth
    }
}

/// Looks at positions of one game, until it is to stop.
#[derive(Debug)]
pub struct Assessor<'a, G: CompleteGame> {
    /// The game.
    pub game: &'a G,
    /// What it takes.
    pub ground: &'a Ground,
    /// Says that somebody needs no more than a guess.
    pub stop: &'a AtomicBool,
}

impl<G: CompleteGame> Assessor<'_, G> {
    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// What a position promises. Where nothing is hidden a search says so. Where something is, everybody plays by their own
    /// view from the position as it truly is: a search that knew all hands would play as nobody can.
    pub fn place(&self, state: &G::State, playouts: u32, seed: u64) -> Estimate {
        if self.game.mover(state) == Mover::Nobody {
            return Estimate { chances: self.ground.result(self.game, state), error: 0.0, playouts: 0 };
        }
        let playouts = playouts.max(1);
        let (found, visits, playouts) = if self.ground.search.hides {
            let (found, done) = self.flat(state, playouts, seed);
            (found, done, done)
        } else {
            let found = self.think(Subject::Position(state), playouts, seed, None);
            let visits = found.lines.first().map_or(found.playouts, |best| best.visits);
            (found.chances, visits, found.playouts)
        };
        let scale = &self.ground.scale;
        Estimate { chances: scale.chances(found), error: scale.error(found, visits), playouts }
    }

    /// Playouts without a tree.
    fn flat(&self, state: &G::State, playouts: u32, seed: u64) -> (Chances, u32) {
        let search = &self.ground.search;
        let last_turn = search.last_turn(self.game, state);
        let mut dice = LabDice::new(seed);
        let mut choices = Vec::new();
        let mut sum = [0.0; SEATS];
        let mut done = 0;
        while done < playouts && (done == 0 || !self.is_stopped()) {
            let mut state = state.clone();
            let payoffs = search.play_out(self.game, &mut state, None, last_turn, &mut choices, &mut dice);
            let payoffs = payoffs.map(f64::from);
            sum.iter_mut().zip(payoffs).for_each(|(sum, payoff)| *sum += payoff);
            done += 1;
        }
        (sum.map(|sum| sum / f64::from(done)), done)
    }

    /// What the choices of a seat promise, as far as that seat could know, and how the one that was made compares. A third
    /// of the playouts go by it.
    pub fn decision(
        &self,
        state: &G::State,
        seat: Seat,
        made: G::Choice,
        playouts: u32,
        seed: u64,
    ) -> Judgement<G::Choice> {
        let view;
        let about = if self.ground.search.hides {
            view = self.game.view(state, Viewer::Seat(seat));
            Subject::View(&view, Viewer::Seat(seat))
        } else {
            Subject::Position(state)
        };
        let found = self.think(about, playouts.max(1), seed, Some(made));
        self.judge(&found, seat.index(), made)
    }

    fn think(
        &self,
        about: Subject<'_, '_, G>,
        playouts: u32,
        seed: u64,
        focus: Option<G::Choice>,
    ) -> SearchResult<G::Choice> {
        let mut search = Search::new(Resources { threads: 1, memory: MEMORY });
        let budget = Budget::playouts(playouts);
        search.think_in(&self.ground.search, self.game, about, budget, seed, focus, self.stop)
    }

    /// Compares what was made with the best of the rest: the choice that is best if it is as bad as it may well be, so that
    /// one that was tried three times and won by luck is not held up as an example.
    fn judge(&self, found: &SearchResult<G::Choice>, mover: usize, made: G::Choice) -> Judgement<G::Choice> {
        let scale = &self.ground.scale;
        let own = |chances: &Chances| chances.get(mover).copied().unwrap_or_default();
        let mut tried: Vec<Tried<G::Choice>> = Vec::new();
        for line in &found.lines {
            if line.visits >= FEWEST_VISITS || line.choice == made {
                tried.push(Tried {
                    choice: line.choice,
                    visits: line.visits,
                    chances: scale.chances(line.chances),
                    error: scale.error_of(own(&line.chances), line.visits),
                });
            }
        }
        tried.sort_by(|a, b| own(&b.chances).total_cmp(&own(&a.chances)).then(b.visits.cmp(&a.visits)));
        let low_end = |tried: &Tried<_>| own(&tried.chances) - tried.error;
        let rivals = tried.iter().enumerate().filter(|(_, tried)| tried.choice != made);
        let best = rivals.max_by(|(_, a), (_, b)| low_end(a).total_cmp(&low_end(b))).map(|(at, _)| at);
        let made = tried.iter().position(|tried| tried.choice == made);
        let (gap, noise) = match (best, made) {
            (Some(best), Some(made)) => {
                let (best, made) = (&tried[best], &tried[made]);
                let noise = SURE * (best.error.powi(2) + made.error.powi(2) + BLINDNESS.powi(2)).sqrt();
                (own(&best.chances) - own(&made.chances), noise)
            }
            _ => (0.0, 0.0),
        };
        let best = best.filter(|_| gap > 0.0);
        Judgement { tried, made, best, gap: gap.max(0.0), noise, playouts: found.playouts }
    }
}
