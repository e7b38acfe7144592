//! From numbers to a review: names, words and sums.

use bots::search::SEATS;
use kernel::{Actor, CompleteGame, Match};

use crate::account::{Account, Worth, outcome_worth};
use crate::agenda::{Decision, Findings};
use crate::chances::Chances;
use crate::data::{Fork, Moment, Point, Review, SeatSum, TurnSum, What};
use crate::estimate::Tried;
use crate::survey::{Kind, Outcome, Step, Survey};
use crate::verdict;

/// The most turning points that are listed.
const TURNING_POINTS: usize = 5;
/// A smaller change is no turning point.
const SMALLEST_TURN: f64 = 0.01;
/// The most choices that are listed for a decision, besides the best and the one that was made.
const LISTED: usize = 6;
/// How a step of Fate is signed.
pub const FATE: &str = "fate";

/// Puts a review into words.
pub fn write<G: CompleteGame>(
    of: &Match<G>,
    survey: &Survey<G>,
    findings: &Findings<G::Choice>,
    account: &Account,
    stopped: bool,
) -> Review {
    let writer = Writer { game: of.game(), seats: of.game().seats().len().min(SEATS), findings };
    let outcome = of.game().outcome(of.state());
    let result = outcome.and_then(|outcome| of.game().results().get(usize::from(outcome.0)));
    let points = writer.points(of, survey, account);
    let moments: Vec<Moment> =
        survey.steps.iter().enumerate().map(|(at, step)| writer.moment(at, step, account)).collect();
    let mut review = Review {
        game: G::ID.to_owned(),
        title: G::TITLE.to_owned(),
        seats: writer.seats(&points, &moments),
        turns: writer.turns(&moments),
        turning_points: turning_points(&moments),
        points,
        moments,
        verdict: String::new(),
        result: result.map_or_else(String::new, |result| result.title.clone()),
        playouts: findings.playouts,
        finished: outcome.is_some(),
        stopped,
    };
    for seat in 0..review.seats.len() {
        review.seats[seat].verdict = verdict::of_seat(&review, seat);
    }
    review.verdict = verdict::of_match(&review);
    review
}

/// The largest changes, largest first; of equal ones the earlier.
fn turning_points(moments: &[Moment]) -> Vec<usize> {
    let mut turning: Vec<usize> =
        (0..moments.len()).filter(|at| moments[*at].size() >= SMALLEST_TURN).collect();
    turning.sort_by(|a, b| moments[*b].size().total_cmp(&moments[*a].size()).then(a.cmp(b)));
    turning.truncate(TURNING_POINTS);
    turning
}

struct Writer<'a, G: CompleteGame> {
    game: &'a G,
    seats: usize,
    findings: &'a Findings<G::Choice>,
}

impl<G: CompleteGame> Writer<'_, G> {
    fn list(&self, chances: Chances) -> Vec<f64> {
        chances.into_iter().take(self.seats).collect()
    }

    fn points(&self, of: &Match<G>, survey: &Survey<G>, account: &Account) -> Vec<Point> {
        let states = survey.steps.iter().map(|step| &step.state).chain([of.state()]);
        let point = |(step, (state, worth)): (usize, (&G::State, &Worth))| {
            let turn = self.game.turn(state);
            Point {
                step,
                turn,
                turn_title: self.game.turn_title(turn),
                chances: self.list(worth.chances),
                error: worth.error,
            }
        };
        states.zip(&account.worth).enumerate().map(point).collect()
    }

    fn moment(&self, at: usize, step: &Step<G>, account: &Account) -> Moment {
        let entry = account.steps[at];
        let prompt = self.game.prompt(&step.state);
        let what = match (&step.kind, self.findings.decisions.get(at).and_then(Option::as_ref)) {
            (Kind::Draw(outcomes), _) => {
                What::Luck { outcomes: self.outcomes(step, outcomes, account.worth[at + 1]) }
            }
            (Kind::Decision(_), Some(decision)) => self.choice(step, decision, entry.loss),
            (Kind::Decision(_) | Kind::Forced, _) => What::Forced,
        };
        let seats = self.game.seats();
        Moment {
            step: at + 1,
            turn: self.game.turn(&step.state),
            actor: match step.actor {
                Actor::Seat(seat) => seats.get(seat.index()).map_or("", |seat| seat.word).to_owned(),
                Actor::Fate => FATE.to_owned(),
            },
            name: self.name(step, step.choice),
            label: self.game.label(&step.state, step.choice),
            prompt: prompt.text,
            rule: prompt.rule.to_owned(),
            change: self.list(entry.change),
            error: entry.error,
            what,
        }
    }

    fn name(&self, step: &Step<G>, choice: G::Choice) -> String {
        let mut name = String::new();
        self.game.write_name(&step.state, choice, &mut name);
        name
    }

    fn fork(&self, step: &Step<G>, choice: G::Choice, weight: u32, chances: Chances) -> Fork {
        Fork {
            name: self.name(step, choice),
            label: self.game.label(&step.state, choice),
            weight,
            chances: self.list(chances),
            was_made: choice == step.choice,
        }
    }

    fn outcomes(&self, step: &Step<G>, outcomes: &[Outcome<G::Choice>], after: Worth) -> Vec<Fork> {
        let fork = |outcome: &Outcome<G::Choice>| {
            let worth = outcome_worth(outcome, &self.findings.places, after);
            self.fork(step, outcome.choice, outcome.weight, worth.chances)
        };
        outcomes.iter().map(fork).collect()
    }

    fn choice(&self, step: &Step<G>, decision: &Decision<G::Choice>, loss: f64) -> What {
        let judgement = &decision.judgement;
        let fork = |tried: &Tried<G::Choice>| self.fork(step, tried.choice, 0, tried.chances);
        let best = judgement.better().map(|(best, _)| best);
        // Those that were looked at most, in the order of what they promise.
        let mut visits: Vec<u32> = judgement.tried.iter().map(|tried| tried.visits).collect();
        visits.sort_unstable_by(|a, b| b.cmp(a));
        let enough = visits.get(LISTED - 1).copied().unwrap_or_default();
        let is_told = |tried: &&Tried<G::Choice>| {
            tried.visits >= enough
                || tried.choice == step.choice
                || best.is_some_and(|best| best.choice == tried.choice)
        };
        let told = judgement.tried.iter().filter(is_told).map(fork).collect();
        What::Choice {
            loss,
            noise: judgement.noise,
            is_mistake: loss > 0.0,
            best: best.map(fork),
            tried: told,
        }
    }

    fn seats(&self, points: &[Point], moments: &[Moment]) -> Vec<SeatSum> {
        let chance = |point: Option<&Point>, seat: usize| {
            point.and_then(|point| point.chances.get(seat)).copied().unwrap_or_default()
        };
        let sum = |(seat, info): (usize, &kernel::SeatInfo)| {
            let mut sum = SeatSum {
                word: info.word.to_owned(),
                title: info.title.to_owned(),
                start: chance(points.first(), seat),
                luck: 0.0,
                own: 0.0,
                others: 0.0,
                end: chance(points.last(), seat),
                mistakes: 0,
                decisions: 0,
                verdict: String::new(),
            };
            for moment in moments {
                let change = moment.change.get(seat).copied().unwrap_or_default();
                match moment.what {
                    What::Luck { .. } => sum.luck += change,
                    What::Choice { is_mistake, .. } if moment.actor == info.word => {
                        sum.own += change;
                        sum.decisions += 1;
                        sum.mistakes += usize::from(is_mistake);
                    }
                    What::Choice { .. } => sum.others += change,
                    What::Forced => {}
                }
            }
            sum
        };
        self.game.seats().iter().enumerate().take(self.seats).map(sum).collect()
    }

    fn turns(&self, moments: &[Moment]) -> Vec<TurnSum> {
        let mut turns: Vec<TurnSum> = Vec::new();
        for moment in moments {
            if turns.last().is_none_or(|last| last.turn != moment.turn) {
                let nothing = vec![0.0; self.seats];
                turns.push(TurnSum {
                    turn: moment.turn,
                    title: self.game.turn_title(moment.turn),
                    luck: nothing.clone(),
                    choices: nothing.clone(),
                    by_seat: nothing,
                });
            }
            let Some(turn) = turns.last_mut() else { continue };
            for (seat, change) in moment.change.iter().enumerate() {
                match moment.what {
                    What::Luck { .. } => turn.luck[seat] += change,
                    What::Choice { .. } => {
                        turn.choices[seat] += change;
                        if self.game.seats().get(seat).is_some_and(|info| info.word == moment.actor) {
                            turn.by_seat[seat] += change;
                        }
                    }
                    What::Forced => {}
                }
            }
        }
        turns
    }
}
