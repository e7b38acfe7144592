//! A desk: what is handed out, to whom, since when, and what becomes of it. It knows nothing of the network and has no clock
//! of its own.
//!
//! The ledger says what is done and holds the chunks that the desk has claimed; the rest is here and may be lost, because
//! another desk claims anew what this one had.

mod checks;
mod count;
mod crew;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use store::{Chunk, Job, JobState, Kept, Ledger, MOST_TRIES};

use crate::message::{Answer, Class, Errand, Note, Piece, Receipt, Sign, What, spec_slice};
use crate::results::{self, Gathered, Gathering, Label};
use checks::Checks;
use count::Pace;
use crew::Tallies;

pub use checks::meant;
pub use crew::{Crew, Member};

/// A job that is to be done.
pub struct Posted<'a> {
    /// Where it is written down.
    pub ledger: Arc<dyn Ledger>,
    /// The job.
    pub job: &'a Job,
    /// Its game.
    pub game: String,
    /// Who holds its chunks in the ledger.
    pub holder: &'a str,
    /// For how long chunks are claimed there, in milliseconds of `now`.
    pub lease: u64,
    /// The time of the ledger.
    pub now: &'a (dyn Fn() -> u64 + Sync),
}

/// How work is handed out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// Which machines may do it.
    pub class: Class,
    /// A worker that is not heard of for so long loses what it has.
    pub lease: Duration,
    /// Chunks that two workers are to do are waited for as long as there is a second worker. There is none if of nobody but the
    /// first was heard for so long; every worker is heard of once a second.
    pub alone: Duration,
    /// Whoever runs the job works on it, too: a chunk that workers have tried too often is left to them ([`Summary::left`]), and
    /// does not stop the job.
    pub backed: bool,
}

/// What came of handing out work.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The workers that brought results: processes, not threads.
    pub workers: BTreeSet<String>,
    /// Chunks that two workers did on purpose, with the same result.
    pub checked: u64,
    /// Chunks that two should have done, but there was no second worker, or it could not do them.
    pub unchecked: u64,
    /// Chunks that were handed out again, because nothing was heard of their worker, or it failed.
    pub again: u64,
    /// The chunk that workers have tried too often, and why, if whoever runs the job shall do it.
    pub left: Option<(u64, String)>,
}

/// The process of a worker's thread.
pub(crate) fn process_of(worker: &str) -> &str {
    worker.rsplit_once('/').map_or(worker, |(process, _)| process)
}

/// An errand that is out.
#[derive(Debug)]
struct Out {
    errand: Errand,
    /// What of it is not done yet.
    pieces: Vec<Piece>,
    /// How many chunks it had.
    count: u64,
    state: Way,
}

/// An errand that waits in the stream.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Waiting {
    /// Its place there.
    pub sequence: u64,
    /// For how many milliseconds it has waited.
    pub waits: u64,
    /// What is waiting.
    pub errand: Errand,
}

/// How far an errand has come.
#[derive(Debug, PartialEq, Eq)]
enum Way {
    /// It is to be put into the stream, not before this time.
    Unposted(u64),
    /// It is being put in.
    Posting,
    /// It was put in at this time, and is at this place.
    Waiting { since: u64, sequence: u64 },
    /// Somebody is at it.
    Begun { worker: String, since: u64, until: u64, sequence: Option<u64> },
}

/// How a chunk that was begun came back without a result.
#[derive(Debug, Default)]
struct Tries {
    count: u32,
    /// What a worker said about it.
    said: Option<String>,
    /// The last worker that was not heard of again.
    silent: Option<String>,
}

/// See the module's documentation. All times are milliseconds of one clock.
pub(crate) struct Desk<'a> {
    name: String,
    posted: &'a Posted<'a>,
    class: Class,
    lease: u64,
    alone: u64,
    /// Since when workers can be heard.
    hears_since: u64,
    next: u64,
    out: BTreeMap<u64, Out>,
    /// Chunks that were out and came back, to go out one by one.
    again: VecDeque<Piece>,
    tries: BTreeMap<u64, Tries>,
    pace: Pace,
    /// Nothing could be claimed: not before then is it tried again.
    claim_at: u64,
    checks: Checks,
    tallies: Tallies,
    backed: bool,
    gathering: Gathering,
    refused: BTreeSet<String>,
    /// What came of it so far.
    pub summary: Summary,
    /// Why no more work is to be done, if that is so.
    pub trouble: Option<String>,
}

/// How long to wait for chunks that others have, in milliseconds.
const CLAIM_AGAIN: u64 = 250;
/// After an errand could not be put in, it is tried again after so many milliseconds.
const POST_AGAIN: u64 = 500;
/// For so long an errand waits before anybody looks whether it is still in the stream.
const LOOK_AFTER: u64 = 3_000;

impl<'a> Desk<'a> {
    pub fn new(name: String, posted: &'a Posted<'a>, terms: Terms) -> Self {
        let [all, done] = posted.job.chunks;
        let milliseconds = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        Self {
            name,
            posted,
            class: terms.class,
            lease: milliseconds(terms.lease),
            alone: milliseconds(terms.alone),
            hears_since: 0,
            next: 0,
            out: BTreeMap::new(),
            again: VecDeque::new(),
            tries: BTreeMap::new(),
            pace: Pace::new(all - done),
            claim_at: 0,
            checks: Checks::new(&posted.job.job.id, all),
            tallies: Tallies::default(),
            backed: terms.backed,
            gathering: Gathering::default(),
            refused: BTreeSet::new(),
            summary: Summary::default(),
            trouble: None,
        }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn class(&self) -> Class {
        self.class
    }

    /// What was done before there was this desk, and is to be done by two, is done once more: nobody knows whether it was. The
    /// error is the ledger's.
    pub fn check_what_is_done(&mut self, now: u64) -> Result<(), String> {
        let Posted { ledger, job, .. } = self.posted;
        let id = &job.job.id;
        if job.chunks[1] == 0 {
            return Ok(());
        }
        for Chunk { n, numbers, .. } in ledger.chunks(id).map_err(|why| why.to_string())? {
            if !self.checks.is_meant(n) {
                continue;
            }
            if let Some(kept) = ledger.part(id, n, 0).map_err(|why| why.to_string())? {
                let first = process_of(results::worker_in(&kept.by)).to_owned();
                self.checks.first(n, &first);
                self.send(vec![Piece { n, first: numbers.start, end: numbers.end }], Some(first), now);
            }
        }
        Ok(())
    }

    /// Claims chunks until enough errands wait for workers. The error is the ledger's.
    pub fn fill(&mut self, now: u64) -> Result<(), String> {
        let waiting = |out: &&Out| !matches!(out.state, Way::Begun { .. }) && out.errand.except.is_none();
        let mut waiting = self.out.values().filter(waiting).count();
        while waiting < self.pace.waiting(now) && self.trouble.is_none() {
            let pieces = match self.again.pop_front() {
                Some(piece) => vec![piece],
                None => self.claim(now)?,
            };
            if pieces.is_empty() {
                break;
            }
            self.send(pieces, None, now);
            waiting += 1;
        }
        Ok(())
    }

    fn claim(&mut self, now: u64) -> Result<Vec<Piece>, String> {
        if now < self.claim_at {
            return Ok(Vec::new());
        }
        let Posted { ledger, job, holder, lease, now: time, .. } = self.posted;
        let (time, most) = (time(), self.pace.most(now));
        let taken = ledger.claim(&job.job.id, holder, time, time.saturating_add(*lease), most);
        let taken = taken.map_err(|why| why.to_string())?;
        if taken.is_empty() {
            self.claim_at = now + CLAIM_AGAIN;
        }
        self.pace.claimed(taken.len() as u64);
        let piece = |Chunk { n, numbers: Range { start, end }, .. }| Piece { n, first: start, end };
        Ok(taken.into_iter().map(piece).collect())
    }

    fn send(&mut self, pieces: Vec<Piece>, except: Option<String>, now: u64) {
        self.next += 1;
        let job = &self.posted.job.job;
        let errand = Errand {
            desk: self.name.clone(),
            number: self.next,
            job: job.id.clone(),
            kind: job.kind.clone(),
            game: self.posted.game.clone(),
            rules: job.rules.clone(),
            build: job.build.clone(),
            except,
        };
        let count = pieces.len() as u64;
        self.out.insert(self.next, Out { errand, pieces, count, state: Way::Unposted(now) });
    }

    /// The errands that are to be put into the stream now.
    pub fn take_unposted(&mut self, now: u64) -> Vec<Errand> {
        let due = |out: &&mut Out| matches!(out.state, Way::Unposted(from) if from <= now);
        let post = |out: &mut Out| {
            out.state = Way::Posting;
            out.errand.clone()
        };
        self.out.values_mut().filter(due).map(post).collect()
    }

    /// Notes that an errand was put in, or that it could not be.
    pub fn was_posted(&mut self, number: u64, sequence: Option<u64>, now: u64) {
        let Some(out) = self.out.get_mut(&number) else { return };
        match (&mut out.state, sequence) {
            (state @ (Way::Posting | Way::Unposted(_)), Some(sequence)) => {
                *state = Way::Waiting { since: now, sequence };
            }
            (state @ Way::Posting, None) => *state = Way::Unposted(now + POST_AGAIN),
            // Somebody was quicker than the receipt.
            (Way::Begun { sequence: known, .. }, sequence) => *known = sequence,
            _ => {}
        }
    }

    /// Errands that have waited so long that somebody should look whether they are still in the stream.
    pub fn to_look_for(&self, now: u64) -> Vec<Waiting> {
        let old = |out: &Out| match out.state {
            Way::Waiting { since, sequence } if since + LOOK_AFTER <= now => {
                Some(Waiting { sequence, waits: now - since, errand: out.errand.clone() })
            }
            _ => None,
        };
        self.out.values().filter_map(old).collect()
    }

    /// Notes that everything in the stream is given out once more: what waits there waits anew.
    pub fn begins_anew(&mut self, now: u64) {
        for out in self.out.values_mut() {
            if let Way::Waiting { since, .. } = &mut out.state {
                *since = now;
            }
        }
    }

    /// Notes that errands are not in the stream any more: those of this place, or all. They go in again, as new ones.
    pub fn were_lost(&mut self, numbers: Option<&[u64]>, now: u64) {
        let is_lost = |out: &Out| {
            matches!(out.state, Way::Waiting { .. })
                && numbers.is_none_or(|numbers| numbers.contains(&out.errand.number))
        };
        let lost: Vec<u64> =
            self.out.iter().filter(|(_, out)| is_lost(out)).map(|(number, _)| *number).collect();
        for number in lost {
            if let Some(out) = self.out.remove(&number) {
                self.send(out.pieces, out.errand.except, now);
            }
        }
    }

    /// What a worker says, and what it is answered.
    pub fn hear(&mut self, note: &Note, now: u64) -> Answer {
        match &note.what {
            What::Begin => self.begin(note, now),
            What::Spec { from } => self.spec(note, *from, now),
            What::Beat => self.beat(note, now),
            What::Failed { n, why } => self.failed(note, *n, why, now),
            What::GaveBack => self.gave_back(note, now),
            What::Refused { why } => {
                self.refused.insert(format!("{} can't help: {why}", process_of(&note.worker)));
                Answer::Noted
            }
        }
    }

    /// The workers, for people who look on.
    pub fn crew(&self, now: u64) -> Crew {
        let mut members = self.tallies.members();
        for out in self.out.values() {
            let Way::Begun { worker, since, .. } = &out.state else { continue };
            let name = process_of(worker);
            let member = members.entry(name.to_owned()).or_default();
            name.clone_into(&mut member.name);
            let numbers: u64 = out.pieces.iter().map(|piece| piece.end - piece.first).sum();
            member.threads += 1;
            member.numbers += numbers;
            member.checking += if out.errand.except.is_some() { numbers } else { 0 };
            member.since = member.since.max(Duration::from_millis(now.saturating_sub(*since)));
        }
        for (name, member) in &mut members {
            let heard = self.pace.heard_at(name).unwrap_or(self.hears_since);
            member.heard = Duration::from_millis(now.saturating_sub(heard));
        }
        Crew { members: members.into_values().collect(), checked: self.tallies.checked.clone() }
    }

    /// What workers have said that they refuse, once each.
    pub fn refusals(&mut self) -> BTreeSet<String> {
        std::mem::take(&mut self.refused)
    }

    /// A worker says that it is there.
    pub fn see(&mut self, sign: &Sign, now: u64) {
        let can_do = sign.build == self.posted.job.job.build && sign.class.may_do(self.class);
        if can_do {
            self.pace.is_there(&sign.process, now);
        }
    }

    fn begin(&mut self, note: &Note, now: u64) -> Answer {
        self.pace.heard(&note.worker, now);
        let Some(out) = self.out.get_mut(&note.errand) else { return Answer::Gone };
        let sequence = match &out.state {
            Way::Begun { worker, .. } if *worker != note.worker => return Answer::Gone,
            Way::Begun { sequence, .. } => *sequence,
            Way::Waiting { sequence, .. } => Some(*sequence),
            Way::Unposted(_) | Way::Posting => None,
        };
        let is_new = !matches!(out.state, Way::Begun { .. });
        if out.pieces.is_empty() {
            self.out.remove(&note.errand);
            return Answer::Gone;
        }
        self.tallies.note(process_of(&note.worker), |_| {});
        let until = now.saturating_add(self.lease);
        out.state = Way::Begun { worker: note.worker.clone(), since: now, until, sequence };
        if is_new && out.errand.except.is_none() {
            out.pieces.iter().for_each(|piece| self.tries.entry(piece.n).or_default().count += 1);
        }
        let (spec, pieces) = (&self.posted.job.job.spec, out.pieces.clone());
        Answer::Go { spec: spec_slice(spec, 0).to_owned(), bytes: spec.len(), pieces, lease: self.lease }
    }

    /// More of a specification that is longer than a message.
    fn spec(&mut self, note: &Note, from: usize, now: u64) -> Answer {
        self.pace.heard(&note.worker, now);
        match self.of(note) {
            Some(_) => Answer::Spec { spec: spec_slice(&self.posted.job.job.spec, from).to_owned() },
            None => Answer::Gone,
        }
    }

    /// The errand, if this worker is at it.
    fn of(&mut self, note: &Note) -> Option<&mut Out> {
        let out = self.out.get_mut(&note.errand)?;
        matches!(&out.state, Way::Begun { worker, .. } if *worker == note.worker).then_some(out)
    }

    fn beat(&mut self, note: &Note, now: u64) -> Answer {
        self.pace.heard(&note.worker, now);
        let end = now.saturating_add(self.lease);
        match self.of(note).map(|out| &mut out.state) {
            Some(Way::Begun { until, .. }) => {
                *until = end;
                Answer::Noted
            }
            _ => Answer::Gone,
        }
    }

    fn failed(&mut self, note: &Note, n: u64, why: &str, now: u64) -> Answer {
        if self.of(note).is_none() {
            return Answer::Gone;
        }
        let Some(out) = self.out.remove(&note.errand) else { return Answer::Gone };
        let words = format!("{} said: {why}", note.worker);
        self.tallies.note(process_of(&note.worker), |tally| tally.failed += 1);
        if out.errand.except.is_some() {
            out.pieces.into_iter().for_each(|piece| self.check_again(piece, now));
            return Answer::Noted;
        }
        for piece in out.pieces {
            let tries = self.tries.entry(piece.n).or_default();
            if piece.n == n {
                tries.said = Some(words.clone());
                self.came_back(piece, "failed");
            } else {
                tries.count = tries.count.saturating_sub(1);
                self.again.push_back(piece);
            }
        }
        Answer::Noted
    }

    /// A chunk that was begun is handed out once more, or it was tried often enough.
    fn came_back(&mut self, piece: Piece, how: &str) {
        self.summary.again += 1;
        let tries = self.tries.entry(piece.n).or_default();
        if tries.count < MOST_TRIES {
            self.again.push_back(piece);
            return;
        }
        let words = tries.said.as_ref().or(tries.silent.as_ref());
        let words = words.map_or_else(String::new, |words| format!("; {words}"));
        let Piece { n, first, end } = piece;
        let why = format!("chunk {n} (numbers {first} to {}) {how} {} times{words}", end - 1, tries.count);
        if self.backed {
            self.summary.left = Some((n, why.clone()));
        } else {
            // That it can't be noted is told where the state of the job is read next.
            let _ = self.posted.ledger.fail(&self.posted.job.job.id, &why);
        }
        self.trouble.get_or_insert(why);
    }

    fn gave_back(&mut self, note: &Note, now: u64) -> Answer {
        let Some(out) = self.of(note) else { return Answer::Gone };
        let sequence = match &out.state {
            Way::Begun { sequence, .. } => *sequence,
            _ => None,
        };
        // It comes again by itself, out of the stream; if it does not, somebody looks for it. Without a receipt nobody knows
        // where; put in once more it is still there only once, and then there is one.
        out.state = match sequence {
            Some(sequence) => Way::Waiting { since: now, sequence },
            None => Way::Unposted(now + POST_AGAIN),
        };
        if out.errand.except.is_none() {
            let pieces: Vec<u64> = out.pieces.iter().map(|piece| piece.n).collect();
            for n in pieces {
                let tries = self.tries.entry(n).or_default();
                tries.count = tries.count.saturating_sub(1);
            }
        }
        self.pace.left(&note.worker);
        Answer::Noted
    }

    /// Takes back what workers have that were not heard of, and forgets what nobody needs.
    pub fn sweep(&mut self, now: u64) {
        let overdue = |out: &Out| matches!(&out.state, Way::Begun { until, .. } if *until < now);
        let numbers: Vec<u64> =
            self.out.iter().filter(|(_, out)| overdue(out)).map(|(number, _)| *number).collect();
        for number in numbers {
            let Some(Out { errand, pieces, state: Way::Begun { worker, .. }, .. }) = self.out.remove(&number)
            else {
                continue;
            };
            self.gathering.forget(&worker);
            self.pace.left(&worker);
            self.tallies.note(process_of(&worker), |tally| tally.lost += pieces.len() as u64);
            for piece in pieces {
                if errand.except.is_some() {
                    self.check_again(piece, now);
                    continue;
                }
                let tries = self.tries.entry(piece.n).or_default();
                tries.silent = Some(format!("{worker} had it last and was not heard of again"));
                self.came_back(piece, "was begun and not brought back");
            }
        }
    }

    fn check_again(&mut self, piece: Piece, now: u64) {
        if let Some(first) = self.checks.again(piece.n) {
            self.send(vec![piece], Some(first), now);
        } else {
            self.summary.unchecked += 1;
        }
    }

    /// After the connection was gone: nobody could be heard, so nobody is late.
    pub fn forgive(&mut self, now: u64) {
        self.hears_since = now;
        let end = now.saturating_add(self.lease);
        for out in self.out.values_mut() {
            if let Way::Begun { until, .. } = &mut out.state {
                *until = end.max(*until);
            }
        }
    }

    /// Takes a slice of a result.
    pub fn take(&mut self, label: &Label, slice: &[u8], now: u64) -> Receipt {
        self.pace.heard(&label.worker, now);
        let whole = match self.gathering.take(label, slice) {
            Gathered::Part => return Receipt::More,
            Gathered::Broken => return Receipt::Again,
            Gathered::Whole(bytes) => bytes,
        };
        let Some(finished) = results::unpack(&whole) else { return Receipt::Again };
        let job = &self.posted.job.job.id;
        match self.posted.ledger.keep(job, &label.by(), &finished) {
            Ok(Kept::All) => {
                self.summary.workers.insert(process_of(&label.worker).to_owned());
                finished.iter().for_each(|finished| self.done(finished.n, label, now));
                Receipt::Kept
            }
            Ok(Kept::Missing) => Receipt::Unwanted,
            Ok(Kept::Disputed(why)) => {
                self.trouble.get_or_insert(why);
                Receipt::Unwanted
            }
            Err(why) => {
                tracing::warn!("can't keep a result now: {why}");
                Receipt::Later
            }
        }
    }

    /// A chunk is kept: it need not be done by anybody else, unless it is to be checked.
    fn done(&mut self, n: u64, label: &Label, now: u64) {
        let process = process_of(&label.worker);
        let (mut numbers, mut over) = (None, Vec::new());
        let is_check = self.checks.is_by_another(n, process);
        for (number, out) in &mut self.out {
            if out.errand.except.is_some() && !is_check {
                continue;
            }
            if let Some(at) = out.pieces.iter().position(|piece| piece.n == n) {
                numbers = Some(out.pieces.swap_remove(at));
                if out.pieces.is_empty() {
                    over.push(*number);
                }
            }
        }
        for number in over {
            if let Some(Out { count, errand, state: Way::Begun { since, .. }, .. }) = self.out.remove(&number)
                && errand.except.is_none()
            {
                self.pace.took(now.saturating_sub(since), count);
            }
        }
        self.again.retain(|piece| piece.n != n);
        if is_check {
            self.checks.passed(n);
            self.summary.checked += 1;
            self.tallies.checked.insert(n, process.to_owned());
        } else if let Some(piece) = numbers
            && self.checks.is_wanted(n)
        {
            self.checks.first(n, process);
            self.send(vec![piece], Some(process.to_owned()), now);
        }
    }

    /// Whether nothing is out and nothing left to hand out, as far as is known here: a good moment to ask the ledger.
    pub fn has_nothing_out(&self) -> bool {
        self.out.is_empty() && self.again.is_empty() && self.pace.has_claimed_all()
    }

    /// Whether all is done. With it comes how many numbers are. What two are to do is waited for as long as there is a second
    /// worker.
    pub fn is_over(&mut self, now: u64) -> Result<(bool, u64), String> {
        let Posted { ledger, job, .. } = self.posted;
        let known = ledger.job(&job.job.id).map_err(|why| why.to_string())?;
        let known = known.ok_or_else(|| "the job was dropped meanwhile".to_owned())?;
        let numbers = known.numbers[1];
        match known.state {
            JobState::Open => Ok((false, numbers)),
            JobState::Stuck | JobState::Disputed => {
                self.trouble.get_or_insert(known.why);
                Ok((true, numbers))
            }
            JobState::Done => Ok((self.checks_are_over(now), numbers)),
        }
    }

    fn checks_are_over(&mut self, now: u64) -> bool {
        let (pace, since, alone) = (&self.pace, self.hears_since, self.alone);
        let is_alone = |first: &str| {
            let heard = pace.other_heard_at(first).map_or(since, |at| at.max(since));
            now > heard.saturating_add(alone)
        };
        let hopeless = |out: &Out| match (&out.errand.except, &out.state) {
            (Some(_), Way::Begun { .. }) => false,
            (Some(first), _) => is_alone(first),
            (None, _) => true,
        };
        let gone: Vec<u64> =
            self.out.iter().filter(|(_, out)| hopeless(out)).map(|(number, _)| *number).collect();
        for number in gone {
            if self.out.remove(&number).is_some_and(|out| out.errand.except.is_some()) {
                self.summary.unchecked += 1;
            }
        }
        self.out.is_empty()
    }
}

#[cfg(test)]
mod tests;
