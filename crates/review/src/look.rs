//! Where the playouts go, and who makes them.
//!
//! Draws and decisions share the playouts. Every decision gets a first look, which says only where a second one is worth
//! it. The second is a search of its own, with other dice and more playouts, and only what it finds is ever called a mistake:
//! of a hundred sound choices the first look would accuse a few by chance, and the ones that it accuses would be exactly those
//! in which chance was greatest.

use std::sync::atomic::Ordering;

use kernel::{CompleteGame, fingerprint};
use workers::WorkerPanic;

use crate::estimate::{Assessor, Estimate, Judgement};
use crate::quality::Quality;
use crate::reply::Replies;
use crate::survey::{Kind, Survey};

/// The parts of the playouts that go to draws, to first looks and to second looks.
const DRAWS: f64 = 0.3;
const FIRST: f64 = 0.3;
const SECOND: f64 = 0.4;
/// The part of all playouts that goes to replies first, where there are any.
const REPLIES: f64 = 0.25;
/// A decision is looked at again if the first look found something better by so many standard errors.
const SUSPICIOUS: f64 = 0.5;
/// A second look takes at least so many times the playouts of a first one, and at most.
const LEAST_SECOND: f64 = 2.0;
const MOST_SECOND: f64 = 6.0;
/// Fewer playouts than this can't tell choices apart: rather a few second looks that mean something.
const SECOND_LOOK: f64 = 240.0;

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

/// Looks at everything in a survey.
pub fn look<G: CompleteGame>(
    assessor: &Assessor<'_, G>,
    survey: &Survey<G>,
    quality: Quality,
) -> Result<Findings<G::Choice>, WorkerPanic> {
    let progress = assessor.progress();
    let at: Vec<usize> = (0..survey.steps.len())
        .filter(|step| matches!(survey.steps[*step].kind, Kind::Decision(_)))
        .collect();
    let shares: f64 = survey.places.iter().map(|place| place.share).sum();
    let replies = Replies::after(assessor.game(), &survey.places);
    let budget = Shares::of(quality.playouts, at.len(), shares, replies.list.len());
    progress.done.store(0, Ordering::Relaxed);
    progress.total.store(quality.playouts.max(1), Ordering::Relaxed);

    let mut places: Vec<Estimate> = workers::map(quality.threads, &survey.places, |at, place| {
        assessor.place(&place.state, budget.place(place.share), seed(at, 0))
    })?;
    let replied = workers::map(quality.threads, &replies.list, |at, reply| {
        reply.judge(assessor, budget.reply, seed(at, 3))
    })?;
    let mut spent: u64 = places.iter().map(|place| u64::from(place.playouts)).sum();
    spent += replied.iter().map(|judgement| u64::from(judgement.playouts)).sum::<u64>();
    replies.add(&replied, &mut places);

    let judge = |step: usize, playouts: u32, look: u64| {
        let here = survey.steps.get(step)?;
        let Kind::Decision(seat) = here.kind else { return None };
        Some((step, assessor.decision(&here.state, seat, here.choice, playouts, seed(step, look))))
    };
    let first = workers::map(quality.threads, &at, |_, &step| judge(step, budget.first, 1))?;
    let first: Vec<(usize, Judgement<G::Choice>)> = first.into_iter().flatten().collect();
    let (suspects, playouts) = suspects(&first, &budget);
    progress.total.store(
        progress.done.load(Ordering::Relaxed) + suspects.len() as u64 * u64::from(playouts),
        Ordering::Relaxed,
    );
    let second = workers::map(quality.threads, &suspects, |_, &step| judge(step, playouts, 2))?;

    let mut decisions: Vec<Option<Decision<G::Choice>>> = Vec::new();
    decisions.resize_with(survey.steps.len(), || None);
    let firsts = first.into_iter().map(|found| (found, false));
    for ((step, judgement), is_second) in
        firsts.chain(second.into_iter().flatten().map(|found| (found, true)))
    {
        spent += u64::from(judgement.playouts);
        decisions[step] = Some(Decision { judgement, is_second });
    }
    Ok(Findings { places, decisions, playouts: spent })
}

/// How the playouts are shared out.
#[derive(Debug)]
struct Shares {
    /// For a place of share 1.
    place: f64,
    /// For a reply.
    reply: u32,
    /// For a first look.
    first: u32,
    /// For all second looks together.
    second: f64,
}

impl Shares {
    fn of(playouts: u64, decisions: usize, shares: f64, replies: usize) -> Self {
        let reply = if replies > 0 { playouts as f64 * REPLIES } else { 0.0 };
        let all = playouts as f64 - reply;
        let (draws, decided) = match (shares > 0.0, decisions > 0) {
            (true, true) => (DRAWS, FIRST + SECOND),
            (true, false) => (1.0, 0.0),
            (false, _) => (0.0, 1.0),
        };
        let first = all * decided * FIRST / (FIRST + SECOND) / decisions.max(1) as f64;
        Self {
            place: if shares > 0.0 { all * draws / shares } else { 0.0 },
            reply: (reply / replies.max(1) as f64).clamp(1.0, 1e9) as u32,
            first: first.clamp(1.0, 1e9) as u32,
            second: all * decided * SECOND / (FIRST + SECOND),
        }
    }

    fn place(&self, share: f64) -> u32 {
        (self.place * share).clamp(1.0, 1e9) as u32
    }
}

/// The steps that are worth a second look, and how many playouts each gets. Where there are too many for the playouts that are
/// left, those that promise most to be large mistakes.
fn suspects<C>(first: &[(usize, Judgement<C>)], budget: &Shares) -> (Vec<usize>, u32) {
    let mut list: Vec<(f64, usize)> = first
        .iter()
        .filter(|(_, judgement)| judgement.best.is_some() && judgement.sureness() >= SUSPICIOUS)
        .map(|(step, judgement)| (judgement.gap * judgement.sureness(), *step))
        .collect();
    if list.is_empty() {
        return (Vec::new(), 0);
    }
    list.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let look = f64::from(budget.first);
    let least = (LEAST_SECOND * look).max(SECOND_LOOK);
    let most = (MOST_SECOND * look).max(SECOND_LOOK);
    list.truncate(((budget.second / least) as usize).max(1));
    let playouts = (budget.second / list.len() as f64).clamp(1.0, most);
    let mut steps: Vec<usize> = list.into_iter().map(|(_, step)| step).collect();
    steps.sort_unstable();
    (steps, playouts as u32)
}

/// A seed for each search, from what it is about alone.
fn seed(number: usize, look: u64) -> u64 {
    fingerprint(&(number as u64, look))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_playouts_are_given_out_and_none_is_left_without() {
        let shares = Shares::of(100_000, 20, 50.0, 0);
        assert!((50.0 * shares.place + 20.0 * f64::from(shares.first) + shares.second - 1e5).abs() < 50.0);
        assert_eq!(Shares::of(0, 20, 50.0, 0).place(0.1), 1);
        assert_eq!(Shares::of(0, 20, 50.0, 0).first, 1);
        assert!((Shares::of(1_000, 0, 10.0, 0).place - 100.0).abs() < 1e-9);
        assert!(Shares::of(1_000, 10, 0.0, 0).second > 500.0);
        let hidden = Shares::of(100_000, 20, 50.0, 30);
        let replies = 30.0 * f64::from(hidden.reply);
        assert!(
            (50.0 * hidden.place + 20.0 * f64::from(hidden.first) + hidden.second + replies - 1e5).abs()
                < 80.0
        );
    }

    #[test]
    fn only_what_may_be_a_mistake_is_looked_at_again_and_the_worst_first() {
        let judgement = |gap: f64, noise: f64| Judgement::<u8> {
            tried: Vec::new(),
            made: Some(0),
            best: (gap > 0.0).then_some(0),
            gap,
            noise,
            playouts: 0,
        };
        let first = vec![
            (3, judgement(0.0, 0.1)),
            (5, judgement(0.01, 0.1)),
            (7, judgement(0.2, 0.1)),
            (9, judgement(0.1, 0.1)),
        ];
        let (steps, playouts) =
            suspects(&first, &Shares { place: 0.0, reply: 0, first: 1_000, second: 8_000.0 });
        assert_eq!((steps, playouts), (vec![7, 9], 4_000));
        let (steps, playouts) = suspects(&first, &Shares { place: 0.0, reply: 0, first: 10, second: 300.0 });
        assert_eq!((steps, playouts), (vec![7], 240));
        assert_eq!(
            suspects(&first[..1], &Shares { place: 0.0, reply: 0, first: 10, second: 300.0 }),
            (vec![], 0)
        );
    }
}
