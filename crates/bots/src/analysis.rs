//! Analysis of a position: win chances and the best choices.

use std::any::Any;
use std::sync::atomic::AtomicBool;

use kernel::{Actor, CompleteGame, Discard, LabDice, Match, Mover, Table, Viewer};

use crate::search::{Budget, Line, Resources, Search, Subject, standard_error};

/// The most choices that are listed.
const TOLD: usize = 5;
/// A choice that was looked at so many times less often than the best is not told of.
const LEAST_KNOWN: u32 = 16;

/// The analysis of a position, from what one viewer may know.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// The win chance of each seat from 0 to 1, a draw counting half, if everybody plays well.
    pub chances: Vec<f64>,
    /// The standard error of the chances.
    pub error: f64,
    /// Playouts behind it.
    pub playouts: u32,
    /// The best choices for the viewer, best first; empty if it is not their turn.
    pub candidates: Vec<Candidate>,
}

/// A choice and its win chance for the seat that makes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Its name.
    pub name: String,
    /// The label of the choice.
    pub label: String,
    /// The win chance after it.
    pub chance: f64,
    /// The standard error of that.
    pub error: f64,
    /// Playouts that went this way.
    pub visits: u32,
    /// The expected continuation: who would choose what, as text.
    pub line: Vec<(Actor, String)>,
    /// A sentence about it.
    pub why: String,
    /// The rule that it uses.
    pub rule: &'static str,
}

/// Analyses tables of one game, without its type.
pub trait Analyst: Send {
    /// Analyses a table for a viewer; `None` if it is of another game, over, or has too many seats for the search. When `stop`
    /// is set it returns what it has found so far.
    fn advise(
        &mut self,
        table: &dyn Table,
        viewer: Viewer,
        budget: Budget,
        stop: &AtomicBool,
    ) -> Option<Analysis>;
}

/// The analyst of a game.
#[derive(Clone, Debug)]
pub struct SearchAnalyst<G: CompleteGame> {
    search: Search<G>,
}

impl<G: CompleteGame> SearchAnalyst<G> {
    /// An analyst that may use these resources.
    pub fn new(resources: Resources) -> Self {
        Self { search: Search::new(resources) }
    }

    /// The expected continuation after a choice.
    fn line(game: &G, position: &G::State, line: &Line<G::Choice>) -> Vec<(Actor, String)> {
        let mut state = position.clone();
        let mut words = Vec::new();
        game.apply(&mut state, line.choice, &mut Discard);
        for &choice in &line.then {
            let actor = match game.mover(&state) {
                Mover::Seat(seat) => Actor::Seat(seat),
                Mover::Fate => Actor::Fate,
                Mover::Nobody => break,
            };
            if !game.is_legal(&state, choice) {
                // With hidden information a line may be illegal in some determinized states.
                break;
            }
            words.push((actor, game.label(&state, choice)));
            game.apply(&mut state, choice, &mut Discard);
        }
        words
    }
}

impl<G: CompleteGame> Analyst for SearchAnalyst<G> {
    fn advise(
        &mut self,
        table: &dyn Table,
        viewer: Viewer,
        budget: Budget,
        stop: &AtomicBool,
    ) -> Option<Analysis> {
        let game_match = (table as &dyn Any).downcast_ref::<Match<G>>()?;
        let (game, state) = (game_match.game(), game_match.state());
        if game_match.mover() == Mover::Nobody {
            return None;
        }
        let tuning = game.tuning();
        let view = game.view(state, viewer);
        let seed = game_match.log().len() as u64;
        let found = self.search.think(game, Subject::View(&view, viewer), budget, seed, None, stop).ok()?;
        let chances = found.chances.iter().take(game.seats().len());
        let chances: Vec<f64> = chances.map(|chance| tuning.calibrated(*chance)).collect();
        let mut candidates = Vec::new();
        if let Mover::Seat(seat) = game_match.mover()
            && viewer == Viewer::Seat(seat)
        {
            let chance = |line: &Line<_>| line.chances[seat.index()];
            let rule = game.prompt(state).rule;
            // What may follow is told as the viewer can imagine it: the true position would tell by what is legal in it.
            let imagined = game.determinize(&view, &mut LabDice::new(seed));
            // What was hardly looked at is not known well enough to be told.
            let most = found.lines.first().map_or(0, |line| line.visits);
            let known = found.lines.iter().filter(|line| line.visits >= most / LEAST_KNOWN);
            for (at, line) in known.take(TOLD).enumerate() {
                let error = standard_error(chance(line), line.visits);
                let behind = chance(&found.lines[0]) - chance(line);
                let margin = 2.0 * (error * error + found.error * found.error).sqrt();
                let next = found.lines.get(1).filter(|_| at == 0);
                let follows = Self::line(game, &imagined, line);
                candidates.push(Candidate {
                    name: game_match.name(line.choice),
                    label: game.label(state, line.choice),
                    chance: tuning.calibrated(chance(line)),
                    error,
                    visits: line.visits,
                    why: sentence(at, behind, margin, next.map(|next| chance(line) - chance(next)), &follows),
                    line: follows,
                    rule,
                });
            }
        }
        Some(Analysis { chances, error: found.error, playouts: found.playouts, candidates })
    }
}

/// A sentence about a choice's place in the list.
fn sentence(at: usize, behind: f64, margin: f64, ahead: Option<f64>, follows: &[(Actor, String)]) -> String {
    let points = |share: f64| format!("{:.1} points", 100.0 * share);
    let mut text = match (at, ahead) {
        (0, Some(ahead)) if ahead > margin => format!("Best by {}", points(ahead)),
        (0, Some(_)) => "Best found; others are about as good".to_owned(),
        (0, None) => "The only choice examined".to_owned(),
        _ if behind <= margin => "About as good as the best".to_owned(),
        _ => format!("Costs {}", points(behind)),
    };
    if let Some((_, own)) = follows.iter().find(|(actor, _)| matches!(actor, Actor::Seat(_))) {
        text.push_str("; what may follow: ");
        text.push_str(own);
    }
    text.push('.');
    text
}
