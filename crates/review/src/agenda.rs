//! What a review looks at: looks with numbers, each of which can be made alone, by whoever comes.
//!
//! First come the places, the replies to them and the first looks at all decisions; what these find says which decisions are
//! looked at again. A look depends on its number and on the match alone, its dice included.

use std::sync::atomic::AtomicBool;

use bots::search::TooManySeats;
use kernel::{CompleteGame, Match, Seat, fingerprint};
use serde::{Deserialize, Serialize};

use crate::account::{Account, Worth};
use crate::data::Review;
use crate::estimate::{Assessor, Estimate, Ground, Judgement};
use crate::reply::Replies;
use crate::shares::{Shares, suspects};
use crate::survey::{Kind, Survey};
use crate::wording;

/// What a look is about, so that looks at the same thing have other dice.
#[derive(Clone, Copy, Debug)]
enum About {
    Place = 0,
    First = 1,
    Second = 2,
    Reply = 3,
}

/// All looks of a review.
#[derive(Debug)]
pub struct Agenda<G: CompleteGame> {
    of: Match<G>,
    ground: Ground,
    survey: Survey<G>,
    replies: Replies<G>,
    /// The steps at which somebody decided.
    decisions: Vec<usize>,
    shares: Shares,
}

/// What a look has found.
#[derive(Clone, Debug, PartialEq)]
pub enum Found<C> {
    /// What a place is worth.
    Place(Estimate),
    /// What the choices at a decision promise.
    Decision(Judgement<C>),
}

impl<C> Found<C> {
    /// Playouts behind it.
    pub fn playouts(&self) -> u64 {
        match self {
            Self::Place(Estimate { playouts, .. }) | Self::Decision(Judgement { playouts, .. }) => {
                u64::from(*playouts)
            }
        }
    }
}

/// The second looks: which decisions, and with how many playouts each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Again {
    /// The steps, counted from 0, in order.
    pub steps: Vec<usize>,
    /// The playouts of each look.
    pub playouts: u32,
}

impl Again {
    /// The playouts of all of them.
    pub fn all_playouts(&self) -> u64 {
        self.steps.len() as u64 * u64::from(self.playouts)
    }
}

/// What was found out.
#[derive(Debug)]
pub struct Findings<C> {
    /// By place of the survey.
    pub places: Vec<Estimate>,
    /// By step of the survey; `None` where there was nothing to decide.
    pub decisions: Vec<Option<Decision<C>>>,
    /// Playouts in all.
    pub playouts: u64,
}

/// What was found out about a decision.
#[derive(Debug)]
pub struct Decision<C> {
    /// The last search about it.
    pub judgement: Judgement<C>,
    /// Whether that was the second look, which alone can find a mistake.
    pub is_second: bool,
}

impl<G: CompleteGame> Agenda<G> {
    /// The looks of a review with so many playouts. A match that hides something and goes on must not be reviewed: see
    /// [`why_not`](crate::why_not).
    pub fn of(of: &Match<G>, playouts: u64) -> Result<Self, TooManySeats> {
        let ground = Ground::of(of.game())?;
        let survey = Survey::of(of);
        let is_decision = |step: &usize| matches!(survey.steps[*step].kind, Kind::Decision(_));
        let decisions: Vec<usize> = (0..survey.steps.len()).filter(is_decision).collect();
        let replies = Replies::after(of.game(), &survey.places);
        let places: f64 = survey.places.iter().map(|place| place.share).sum();
        let shares = Shares::of(playouts, decisions.len(), places, replies.list.len());
        Ok(Self { of: of.clone(), ground, survey, replies, decisions, shares })
    }

    /// The match.
    pub fn of_match(&self) -> &Match<G> {
        &self.of
    }

    /// How many looks come first.
    pub fn looks(&self) -> u64 {
        (self.survey.places.len() + self.replies.list.len() + self.decisions.len()) as u64
    }

    /// How many second looks there are at most.
    pub fn most_second_looks(&self) -> u64 {
        self.shares.most_second_looks().min(self.decisions.len()) as u64
    }

    /// What one of the first looks is about, and its number among those of its kind.
    fn about(&self, number: u64) -> Option<(About, usize)> {
        let mut at = usize::try_from(number).ok()?;
        let kinds = [
            (About::Place, self.survey.places.len()),
            (About::Reply, self.replies.list.len()),
            (About::First, self.decisions.len()),
        ];
        for (about, count) in kinds {
            if at < count {
                return Some((about, at));
            }
            at -= count;
        }
        None
    }

    /// How many playouts one of the first looks is to have; none where a game is over.
    pub fn playouts(&self, number: u64) -> u64 {
        let playouts = match self.about(number) {
            Some((About::Place, at)) if self.survey.places[at].share > 0.0 => {
                self.shares.place(self.survey.places[at].share)
            }
            Some((About::Reply, _)) => self.shares.reply,
            Some((About::First, _)) => self.shares.first,
            _ => 0,
        };
        u64::from(playouts)
    }

    /// The position and the seat of the decision that one of the first looks is about; `None` for a place.
    pub fn decision(&self, number: u64) -> Option<(&G::State, Seat)> {
        match self.about(number)? {
            (About::Reply, at) => self.replies.list.get(at).map(|reply| (&reply.state, reply.seat)),
            (About::First, at) => self.decision_at(*self.decisions.get(at)?),
            _ => None,
        }
    }

    /// The position and the seat of the decision at a step, counted from 0; `None` if there was nothing to decide.
    pub fn decision_at(&self, step: usize) -> Option<(&G::State, Seat)> {
        let step = self.survey.steps.get(step)?;
        match step.kind {
            Kind::Decision(seat) => Some((&step.state, seat)),
            Kind::Draw(_) | Kind::Forced => None,
        }
    }

    fn assessor<'a>(&'a self, stop: &'a AtomicBool) -> Assessor<'a, G> {
        Assessor { game: self.of.game(), ground: &self.ground, stop }
    }

    /// Makes one of the first looks; `None` if there is none of this number. What is found after `stop` is set is no more than a
    /// guess.
    pub fn look(&self, number: u64, stop: &AtomicBool) -> Option<Found<G::Choice>> {
        let (about, at) = self.about(number)?;
        let assessor = self.assessor(stop);
        Some(match about {
            About::Place => {
                let place = &self.survey.places[at];
                Found::Place(assessor.place(&place.state, self.shares.place(place.share), seed(at, about)))
            }
            About::Reply => {
                let reply = &self.replies.list[at];
                Found::Decision(reply.judge(&assessor, self.shares.reply, seed(at, about)))
            }
            About::First | About::Second => {
                let step = self.decisions[at];
                Found::Decision(self.judge(step, self.shares.first, About::First, stop)?)
            }
        })
    }

    fn judge(
        &self,
        step: usize,
        playouts: u32,
        about: About,
        stop: &AtomicBool,
    ) -> Option<Judgement<G::Choice>> {
        let (state, seat) = self.decision_at(step)?;
        let made = self.survey.steps[step].choice;
        Some(self.assessor(stop).decision(state, seat, made, playouts, seed(step, about)))
    }

    /// Which decisions are looked at again, after all that the first looks have found.
    pub fn again(&self, found: &[Found<G::Choice>]) -> Again {
        let firsts = found.iter().skip(self.survey.places.len() + self.replies.list.len());
        let judged = self.decisions.iter().zip(firsts).filter_map(|(step, found)| match found {
            Found::Decision(judgement) => Some((*step, judgement)),
            Found::Place(_) => None,
        });
        let steps = suspects(judged, &self.shares);
        let playouts = if steps.is_empty() { 0 } else { self.shares.second(steps.len()) };
        Again { steps, playouts }
    }

    /// Refuses second looks that no first looks could lead to.
    pub fn check(&self, again: &Again) -> Result<(), String> {
        let Again { steps, playouts } = again;
        if let Some(step) = steps.iter().find(|step| self.decision_at(**step).is_none()) {
            return Err(format!("nobody had anything to decide at step {}", step.saturating_add(1)));
        }
        if !steps.is_sorted_by(|a, b| a < b) {
            return Err("the steps of the second looks are not in order".to_owned());
        }
        if steps.len() as u64 > self.most_second_looks() {
            let most = self.most_second_looks();
            return Err(format!("{} second looks are too many: at most {most}", steps.len()));
        }
        let due = self.shares.second(steps.len());
        if *playouts != due {
            return Err(format!("a second look has {due} playouts, not {playouts}"));
        }
        Ok(())
    }

    /// Makes one of the second looks; `None` if there is none of this number.
    pub fn look_again(&self, again: &Again, number: u64, stop: &AtomicBool) -> Option<Judgement<G::Choice>> {
        let step = *again.steps.get(usize::try_from(number).ok()?)?;
        self.judge(step, again.playouts, About::Second, stop)
    }

    /// The review, from what all looks have found: the first ones, and those of `again`. `stopped` says that some of it is guessed.
    pub fn review(
        &self,
        first: Vec<Found<G::Choice>>,
        again: &Again,
        second: Vec<Judgement<G::Choice>>,
        stopped: bool,
    ) -> Review {
        let findings = self.findings(first, again, second);
        let end = match self.survey.present.and_then(|place| findings.places.get(place)) {
            Some(estimate) => Worth { chances: estimate.chances, error: estimate.error },
            None => Worth { chances: self.ground.result(self.of.game(), self.of.state()), error: 0.0 },
        };
        let account = Account::balance(&self.survey, &findings, end);
        wording::write(&self.of, &self.survey, &findings, &account, stopped)
    }

    fn findings(
        &self,
        first: Vec<Found<G::Choice>>,
        again: &Again,
        second: Vec<Judgement<G::Choice>>,
    ) -> Findings<G::Choice> {
        let playouts = first.iter().map(Found::playouts).sum::<u64>();
        let playouts = playouts + second.iter().map(|judgement| u64::from(judgement.playouts)).sum::<u64>();
        let (mut places, mut replied) = (Vec::new(), Vec::new());
        for found in first {
            match found {
                Found::Place(estimate) => places.push(estimate),
                Found::Decision(judgement) => replied.push(judgement),
            }
        }
        let firsts = replied.split_off(self.replies.list.len().min(replied.len()));
        self.replies.add(&replied, &mut places);
        let mut decisions: Vec<Option<Decision<G::Choice>>> = Vec::new();
        decisions.resize_with(self.survey.steps.len(), || None);
        let firsts = self.decisions.iter().zip(firsts).map(|(step, found)| (*step, found, false));
        let seconds = again.steps.iter().zip(second).map(|(step, found)| (*step, found, true));
        for (step, judgement, is_second) in firsts.chain(seconds) {
            if let Some(decision) = decisions.get_mut(step) {
                *decision = Some(Decision { judgement, is_second });
            }
        }
        Findings { places, decisions, playouts }
    }
}

/// A seed for each look, from what it is about alone.
fn seed(number: usize, about: About) -> u64 {
    fingerprint(&(number as u64, about as u64))
}
