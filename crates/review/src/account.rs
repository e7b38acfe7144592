//! The account of a match, from its end to its start.

use kernel::CompleteGame;

use crate::agenda::{Decision, Findings};
use crate::chances::{Chances, difference, plus, room_for, within_bounds};
use crate::estimate::Estimate;
use crate::survey::{Kind, Outcome, Survey};

/// Where less than this was left to lose, nothing was.
const TRIFLE: f64 = 0.005;

/// The value of every position of the match, and the change by every step.
#[derive(Debug)]
pub struct Account {
    /// The worth of the position before the first step and after each.
    pub worth: Vec<Worth>,
    /// What each step changed.
    pub steps: Vec<Entry>,
}

/// What a position was worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Worth {
    /// To each seat.
    pub chances: Chances,
    /// Roughly the standard error.
    pub error: f64,
}

/// What a step changed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    /// In the chance of each seat.
    pub change: Chances,
    /// Roughly the standard error of that.
    pub error: f64,
    /// What it cost the seat that made it, where that was a mistake.
    pub loss: f64,
}

impl Account {
    /// Makes the account. `end` is the value of the last position.
    pub fn balance<G: CompleteGame>(survey: &Survey<G>, findings: &Findings<G::Choice>, end: Worth) -> Self {
        let mut worth = vec![end];
        let mut steps = Vec::with_capacity(survey.steps.len());
        let mut after = end;
        for (at, step) in survey.steps.iter().enumerate().rev() {
            let (before, error, loss) = match &step.kind {
                Kind::Draw(outcomes) => {
                    let (before, error) = before_draw(outcomes, &findings.places, after);
                    (before, error, 0.0)
                }
                Kind::Decision(seat) => match findings.decisions.get(at).and_then(Option::as_ref) {
                    Some(decision) => before_decision(decision, seat.index(), after),
                    None => (after, 0.0, 0.0),
                },
                Kind::Forced => (after, 0.0, 0.0),
            };
            steps.push(Entry { change: difference(before.chances, after.chances), error, loss });
            worth.push(before);
            after = before;
        }
        worth.reverse();
        steps.reverse();
        Self { worth, steps }
    }
}

/// The worth of one outcome of a draw: what was found for the match itself where it leads to where the match went.
pub fn outcome_worth<C>(outcome: &Outcome<C>, places: &[Estimate], after: Worth) -> Worth {
    match outcome.place.and_then(|place| places.get(place)) {
        Some(estimate) => Worth { chances: estimate.chances, error: estimate.error },
        None => after,
    }
}

/// Before a draw a position is worth the mean of its outcomes, so that nobody can expect to be lucky. Also the standard error
/// of what the draw changed.
fn before_draw<C>(outcomes: &[Outcome<C>], places: &[Estimate], after: Worth) -> (Worth, f64) {
    let tickets: f64 = outcomes.iter().map(|outcome| f64::from(outcome.weight)).sum();
    // Added up from where the match went, so that a draw that changes nothing changes exactly nothing.
    let mut mean = after;
    // The outcomes that were estimated each on their own err independently; those that lead to where the match went err
    // together.
    let (mut same, mut squares) = (1.0, 0.0);
    for outcome in outcomes.iter().filter(|outcome| outcome.place.is_some()) {
        let weight = f64::from(outcome.weight) / tickets;
        let worth = outcome_worth(outcome, places, after);
        mean.chances = plus(mean.chances, difference(after.chances, worth.chances), weight);
        squares += (weight * worth.error).powi(2);
        same -= weight;
    }
    mean.chances = within_bounds(mean.chances);
    mean.error = ((same * after.error).powi(2) + squares).sqrt();
    let error = (((1.0 - same) * after.error).powi(2) + squares).sqrt();
    (mean, error)
}

/// Before a decision a position is worth what it is worth after it, and what the choice threw away beyond doubt. Also the
/// standard error of that, and the loss of the seat that chose.
fn before_decision<C>(decision: &Decision<C>, mover: usize, after: Worth) -> (Worth, f64, f64) {
    let judgement = &decision.judgement;
    let Some((best, made)) = judgement.better().filter(|_| decision.is_second && judgement.is_sure()) else {
        return (after, 0.0, 0.0);
    };
    let gain = difference(made.chances, best.chances);
    let factor = room_for(after.chances, gain);
    if factor * judgement.gap < TRIFLE {
        return (after, 0.0, 0.0);
    }
    let error = factor * (best.error.powi(2) + made.error.powi(2)).sqrt();
    let before = Worth {
        chances: within_bounds(plus(after.chances, gain, factor)),
        error: (after.error.powi(2) + error.powi(2)).sqrt(),
    };
    let loss = before.chances.get(mover).zip(after.chances.get(mover)).map_or(0.0, |(b, a)| (b - a).max(0.0));
    (before, error, loss)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::{Judgement, Tried};

    fn sure(chances: f64) -> Worth {
        Worth { chances: [chances, 1.0 - chances, 0.0], error: 0.0 }
    }

    fn decision(best: f64, made: f64, error: f64, is_second: bool) -> Decision<u8> {
        let tried = |choice, chance: f64| Tried { choice, visits: 100, chances: sure(chance).chances, error };
        let judgement = Judgement {
            tried: vec![tried(0, best), tried(1, made)],
            made: Some(1),
            best: Some(0),
            gap: best - made,
            noise: 2.0 * 2.0_f64.sqrt() * error,
            playouts: 200,
        };
        Decision { judgement, is_second }
    }

    #[test]
    fn a_draw_is_worth_the_mean_of_its_outcomes() {
        let outcomes = [
            Outcome { choice: 0, weight: 1, place: None },
            Outcome { choice: 1, weight: 2, place: Some(0) },
            Outcome { choice: 2, weight: 1, place: None },
        ];
        let places = [Estimate { chances: [0.2, 0.8, 0.0], error: 0.1, playouts: 10 }];
        let (before, error) = before_draw(&outcomes, &places, sure(0.6));
        assert!((before.chances[0] - 0.4).abs() < 1e-12 && (before.error - 0.05).abs() < 1e-12);
        assert!((error - 0.05).abs() < 1e-12);
        let sum: f64 = outcomes
            .iter()
            .map(|outcome| {
                let worth = outcome_worth(outcome, &places, sure(0.6));
                f64::from(outcome.weight) * (worth.chances[0] - before.chances[0])
            })
            .sum();
        assert!(sum.abs() < 1e-12);
    }

    #[test]
    fn only_a_sure_second_look_costs_something() {
        let (before, error, loss) = before_decision(&decision(0.7, 0.5, 0.02, true), 0, sure(0.4));
        assert!((before.chances[0] - 0.6).abs() < 1e-12 && (before.chances[1] - 0.4).abs() < 1e-12);
        assert!((loss - 0.2).abs() < 1e-12 && (error - 0.02 * 2.0_f64.sqrt()).abs() < 1e-12);
        assert_eq!(before_decision(&decision(0.7, 0.5, 0.02, false), 0, sure(0.4)), (sure(0.4), 0.0, 0.0));
        assert_eq!(before_decision(&decision(0.7, 0.5, 0.2, true), 0, sure(0.4)), (sure(0.4), 0.0, 0.0));
    }

    #[test]
    fn nobody_loses_more_than_there_was() {
        let (before, _, loss) = before_decision(&decision(0.9, 0.2, 0.02, true), 0, sure(0.8));
        assert!((before.chances[0] - 1.0).abs() < 1e-12 && (loss - 0.2).abs() < 1e-12);
        let (_, _, loss) = before_decision(&decision(0.9, 0.2, 0.02, true), 0, sure(1.0));
        assert_eq!(loss, 0.0);
    }
}
