//! Reviews through a ledger: the looks of a review as numbers of a job.
//!
//! A review is two jobs, because what the first looks find says which decisions are looked at again. Both have the whole match in
//! their specification, so that somebody who has never heard of it can make the looks; the secret of its dice is not in it.

use std::any::Any;
use std::ops::Range;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

use kernel::{CompleteGame, Match};
use review::{Again, Agenda, Estimate, Found, Judgement, Quality, Review, Tried, why_not};
use serde::{Deserialize, Serialize};
use workers::Progress;

use crate::work::{self, ByteReader, ByteWriter, Labour, Site, Unreadable, Work, Worked};

/// A longer match is not reviewed in pieces, because of what its positions take in memory. The whole war of `surrender`, which has
/// the largest, is about 21,000 steps, and takes half a gigabyte.
const MOST_STEPS: usize = 50_000;
/// A review has about so many chunks, unless it has fewer looks: each is some seconds of one that takes a day.
const PARTS: u64 = 1 << 14;

/// Reviews a match through a ledger: looks that were made before are not made again. There is no review if it was stopped.
pub fn review_at<G: CompleteGame>(
    site: &Site,
    of: &Match<G>,
    quality: Quality,
    progress: &Progress,
) -> Result<Worked<Option<Review>>, String> {
    let prepared = Prepared::new(of, quality.playouts)?;
    let agenda = &prepared.agenda;
    let total = &progress.total;
    total.store(agenda.looks() + agenda.most_second_looks(), Ordering::Relaxed);
    let looks = Looks { prepared: &prepared, again: None, progress };
    let first = work::run(site, &looks, quality.threads, progress)?;
    let Some(found) = looks.all(site, &first)? else { return Ok(first.with(|_| None)) };
    let again = agenda.again(&found);
    total.store(agenda.looks() + again.steps.len() as u64, Ordering::Relaxed);
    if again.steps.is_empty() {
        return Ok(first.with(|_| Some(agenda.review(found, &again, Vec::new(), false))));
    }
    let looks = Looks { prepared: &prepared, again: Some(&again), progress };
    let second = work::run(site, &looks, quality.threads, progress)?;
    let before = first.before + second.before;
    let judged = looks.all(site, &second)?;
    let judgement = |found| match found {
        Found::Decision(judgement) => Some(judgement),
        Found::Place(_) => None,
    };
    let review = judged.map(|judged| {
        agenda.review(found, &again, judged.into_iter().filter_map(judgement).collect(), false)
    });
    Ok(Worked { before, ..second.with(|_| review) })
}

/// Makes some of the looks of a review that somebody else has begun.
pub(crate) fn labour<G: CompleteGame>(labour: Labour<'_>) -> Result<(), String> {
    let spec: SpecRead = labour.read()?;
    let prepared = Kept::prepared::<G>(&spec)?;
    if let Some(again) = &spec.again {
        prepared.agenda.check(again)?;
    }
    let progress = labour.progress;
    labour.labour(&Looks { prepared: &prepared, again: spec.again.as_ref(), progress })
}

/// What makes the looks of a review what they are.
#[derive(Serialize)]
struct Spec<'a> {
    kind: &'a str,
    game: &'a str,
    steps: usize,
    playouts: u64,
    /// The second looks; without it the first ones are meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    again: Option<&'a Again>,
    /// The match, as [`Match::transcript`] writes it.
    #[serde(rename = "match")]
    transcript: &'a str,
}

/// A [`Spec`] as it is read.
#[derive(Deserialize)]
struct SpecRead {
    playouts: u64,
    again: Option<Again>,
    #[serde(rename = "match")]
    transcript: String,
}

/// A match with its looks.
struct Prepared<G: CompleteGame> {
    agenda: Agenda<G>,
    playouts: u64,
    transcript: String,
}

impl<G: CompleteGame> Prepared<G> {
    fn new(of: &Match<G>, playouts: u64) -> Result<Self, String> {
        if let Some(why) = why_not(of) {
            return Err(why.to_owned());
        }
        let steps = of.log().len();
        if steps > MOST_STEPS {
            return Err(format!(
                "{steps} steps are more than can be reviewed in pieces: at most {MOST_STEPS}"
            ));
        }
        let most = Quality::most_playouts(of);
        if playouts > most {
            return Err(format!(
                "{playouts} playouts are more than a review of this match has: at most {most}"
            ));
        }
        let agenda = Agenda::of(of, playouts).map_err(|why| why.to_string())?;
        Ok(Self { agenda, playouts, transcript: of.transcript() })
    }
}

/// The match that was reviewed for others last. To prepare one takes as long as some of its looks, and a worker comes back to it
/// again and again, on all its threads.
static KEPT: Mutex<Option<Kept>> = Mutex::new(None);

struct Kept {
    playouts: u64,
    transcript: String,
    prepared: Arc<dyn Any + Send + Sync>,
}

impl Kept {
    /// What a specification says about a match, made ready unless it is there.
    fn prepared<G: CompleteGame>(spec: &SpecRead) -> Result<Arc<Prepared<G>>, String> {
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        let known = kept.as_ref().filter(|kept| {
            // The cheap comparison first.
            kept.playouts == spec.playouts && kept.transcript == spec.transcript
        });
        if let Some(prepared) = known.and_then(|kept| Arc::clone(&kept.prepared).downcast().ok()) {
            return Ok(prepared);
        }
        // Before the next one is made, so that there are never two in memory.
        *kept = None;
        let read = Match::<G>::load("the match of a review", &spec.transcript);
        let read = read.map_err(|why| why.to_string())?;
        let prepared = Arc::new(Prepared::new(&read.game_match, spec.playouts)?);
        *kept = Some(Kept {
            playouts: spec.playouts,
            transcript: spec.transcript.clone(),
            prepared: Arc::clone(&prepared) as Arc<dyn Any + Send + Sync>,
        });
        Ok(prepared)
    }
}

/// The looks of a review: the first ones, or those at decisions that are looked at again.
struct Looks<'a, G: CompleteGame> {
    prepared: &'a Prepared<G>,
    again: Option<&'a Again>,
    progress: &'a Progress,
}

impl<G: CompleteGame> Work for Looks<'_, G> {
    type Bench = ByteWriter;

    const KIND: &'static str = "review";

    fn spec(&self) -> String {
        let Prepared { agenda, playouts, transcript } = self.prepared;
        work::canonical(&Spec {
            kind: Self::KIND,
            game: G::ID,
            steps: agenda.of_match().log().len(),
            playouts: *playouts,
            again: self.again,
            transcript,
        })
    }

    fn rules(&self) -> &'static str {
        G::RULES_VERSION
    }

    fn unsteady(&self) -> Option<String> {
        None
    }

    fn numbers(&self) -> u64 {
        self.again.map_or(self.prepared.agenda.looks(), |again| again.steps.len() as u64)
    }

    /// Looks differ in size: a place on which little hangs has a handful of playouts, a decision thousands.
    fn ranges(&self) -> Vec<Range<u64>> {
        let playouts = |number| match self.again {
            Some(again) => u64::from(again.playouts),
            None => self.prepared.agenda.playouts(number),
        };
        by_size(self.numbers(), playouts)
    }

    fn bench(&self) -> Self::Bench {
        ByteWriter::default()
    }

    fn one(&self, out: &mut Self::Bench, number: u64) -> bool {
        let (agenda, stop) = (&self.prepared.agenda, &self.progress.stop);
        let found = match self.again {
            Some(again) => agenda.look_again(again, number, stop).map(Found::Decision),
            None => agenda.look(number, stop),
        };
        // What is found after a stop is a guess.
        let Some(found) = found.filter(|_| !self.progress.is_stopped()) else { return false };
        match found {
            Found::Place(estimate) => put_estimate(out, &estimate),
            Found::Decision(judgement) => self.put_judgement(out, number, &judgement),
        }
        true
    }

    fn hand_in(&self, out: &mut Self::Bench) -> Vec<Vec<u8>> {
        vec![out.take()]
    }
}

/// Ranges of numbers of about the same size: a [`PARTS`]th of the whole at most, unless a single number is more.
fn by_size(numbers: u64, size: impl Fn(u64) -> u64) -> Vec<Range<u64>> {
    let all = (0..numbers).map(&size).sum::<u64>();
    let most = all.div_ceil(PARTS);
    let mut ranges = Vec::new();
    let (mut first, mut filled) = (0, 0);
    for number in 0..numbers {
        let size = size(number);
        if number > first && filled + size > most {
            ranges.push(first..number);
            (first, filled) = (number, 0);
        }
        filled += size;
    }
    if first < numbers {
        ranges.push(first..numbers);
    }
    ranges
}

impl<G: CompleteGame> Looks<'_, G> {
    /// What all looks have found; `None` if some are missing.
    fn all<B>(
        &self,
        site: &Site,
        worked: &Worked<work::Done<B>>,
    ) -> Result<Option<Vec<Found<G::Choice>>>, String> {
        let mut found: Vec<Option<Found<G::Choice>>> = Vec::new();
        found.resize_with(usize::try_from(self.numbers()).unwrap_or_default(), || None);
        worked.each_part(site, 0, |first, bytes| {
            let mut from = ByteReader::new(bytes);
            let mut number = first;
            while !from.is_empty() {
                let place = usize::try_from(number).ok().and_then(|at| found.get_mut(at));
                *place.ok_or(Unreadable)? = Some(self.get(&mut from, number)?);
                number += 1;
            }
            Ok(())
        })?;
        Ok(found.into_iter().collect())
    }

    /// The decision that a look is about; `None` for a place.
    fn decision(&self, number: u64) -> Option<&G::State> {
        let agenda = &self.prepared.agenda;
        let decision = match self.again {
            Some(again) => agenda.decision_at(*again.steps.get(usize::try_from(number).ok()?)?),
            None => agenda.decision(number),
        };
        decision.map(|(state, _)| state)
    }

    fn get(&self, from: &mut ByteReader<'_>, number: u64) -> Result<Found<G::Choice>, Unreadable> {
        match self.decision(number) {
            Some(state) => self.get_judgement(from, state).map(Found::Decision),
            None => get_estimate(from).map(Found::Place),
        }
    }

    fn game(&self) -> &G {
        self.prepared.agenda.of_match().game()
    }

    fn choices(&self, state: &G::State) -> Vec<G::Choice> {
        let mut choices = Vec::new();
        self.game().choices(state, &mut choices);
        choices
    }

    fn put_judgement(&self, out: &mut ByteWriter, number: u64, judgement: &Judgement<G::Choice>) {
        let Some(state) = self.decision(number) else { return };
        let choices = self.choices(state);
        let Judgement { tried, made, best, gap, noise, playouts } = judgement;
        out.put(tried.len() as u64);
        for Tried { choice, visits, chances, error } in tried {
            // By its place in the list; a choice that is not in it by its name.
            let listed = choices.iter().position(|listed| listed == choice);
            out.put(listed.unwrap_or(choices.len()) as u64);
            if listed.is_none() {
                let mut name = String::new();
                self.game().write_name(state, *choice, &mut name);
                out.put_text(&name);
            }
            out.put(u64::from(*visits));
            put_all_bits(out, chances);
            out.put_bits(*error);
        }
        for place in [made, best] {
            out.put(place.map_or(0, |place| place as u64 + 1));
        }
        out.put_bits(*gap);
        out.put_bits(*noise);
        out.put(u64::from(*playouts));
    }

    fn get_judgement(
        &self,
        from: &mut ByteReader<'_>,
        state: &G::State,
    ) -> Result<Judgement<G::Choice>, Unreadable> {
        let choices = self.choices(state);
        let mut tried = Vec::new();
        // Each takes more than a byte.
        for _ in 0..from.get_up_to(from.len() as u64)? {
            let choice = match choices.get(from.get_up_to(choices.len() as u64)?) {
                Some(choice) => *choice,
                None => self.game().read_name(state, from.get_text()?).ok_or(Unreadable)?,
            };
            let (visits, chances, error) = (get_u32(from)?, get_all_bits(from)?, from.get_bits()?);
            tried.push(Tried { choice, visits, chances, error });
        }
        let mut place = || from.get_up_to(tried.len() as u64).map(|place| place.checked_sub(1));
        let (made, best) = (place()?, place()?);
        let (gap, noise, playouts) = (from.get_bits()?, from.get_bits()?, get_u32(from)?);
        Ok(Judgement { tried, made, best, gap, noise, playouts })
    }
}

fn put_estimate(out: &mut ByteWriter, estimate: &Estimate) {
    put_all_bits(out, &estimate.chances);
    out.put_bits(estimate.error);
    out.put(u64::from(estimate.playouts));
}

fn get_estimate(from: &mut ByteReader<'_>) -> Result<Estimate, Unreadable> {
    Ok(Estimate { chances: get_all_bits(from)?, error: from.get_bits()?, playouts: get_u32(from)? })
}

fn put_all_bits(out: &mut ByteWriter, chances: &[f64]) {
    chances.iter().for_each(|chance| out.put_bits(*chance));
}

fn get_all_bits<const N: usize>(from: &mut ByteReader<'_>) -> Result<[f64; N], Unreadable> {
    let mut chances = [0.0; N];
    for chance in &mut chances {
        *chance = from.get_bits()?;
    }
    Ok(chances)
}

fn get_u32(from: &mut ByteReader<'_>) -> Result<u32, Unreadable> {
    u32::try_from(from.get()?).map_err(|_| Unreadable)
}

#[cfg(test)]
mod tests;
