//! What has to hold in every match.

use std::collections::{BTreeMap, HashMap};

use super::Found;
use super::journal::{Entry, Journals, Step};
use super::read::{Event, Outcome, Position};

/// What is known of one request.
struct Request {
    before: u64,
    /// When it was sent first.
    began: u64,
    /// When somebody first had an answer with its number.
    known: Option<u64>,
    numbers: Vec<u64>,
    sent: usize,
    is_open: bool,
}

/// One match: its journal, and what people have seen of it.
struct Match<'h> {
    id: &'h str,
    journal: &'h [Entry],
    events: Vec<&'h Event>,
    requests: BTreeMap<&'h str, Request>,
    lies: Vec<String>,
}

pub fn check(events: &[(String, Event)], journals: &Journals) -> Result<Found, Vec<String>> {
    let mut matches: BTreeMap<&str, Vec<&Event>> = BTreeMap::new();
    for id in journals.keys() {
        matches.entry(id).or_default();
    }
    for (id, event) in events {
        matches.entry(id).or_default().push(event);
    }
    let (mut found, mut lies) = (Found { matches: journals.len(), ..Found::default() }, Vec::new());
    for (id, events) in matches {
        let journal = journals.get(id).map_or(&[][..], Vec::as_slice);
        let requests = requests(&events);
        let mut one = Match { id, journal, events, requests, lies: Vec::new() };
        one.check_numbers();
        one.check_requests();
        one.check_order();
        one.check_shown();
        one.check_contents();
        one.count(&mut found);
        lies.append(&mut one.lies);
    }
    if lies.is_empty() { Ok(found) } else { Err(lies) }
}

fn requests<'h>(events: &[&'h Event]) -> BTreeMap<&'h str, Request> {
    let mut requests: BTreeMap<&str, Request> = BTreeMap::new();
    for event in events {
        let Event::Choice { key, before, began, ended, outcome, .. } = event else { continue };
        let request = requests.entry(key).or_insert_with(|| Request {
            before: *before,
            began: *began,
            known: None,
            numbers: Vec::new(),
            sent: 0,
            is_open: false,
        });
        request.began = request.began.min(*began);
        request.sent += 1;
        match outcome {
            Outcome::Made(number) => {
                request.numbers.push(*number);
                request.known = Some(request.known.map_or(*ended, |known| known.min(*ended)));
            }
            Outcome::Unknown => request.is_open = true,
            Outcome::Refused => {}
        }
    }
    requests
}

impl<'h> Match<'h> {
    fn lie(&mut self, what: &str) {
        self.lies.push(format!("match {}: {what}", self.id));
    }

    /// One journal, without a gap and without forks.
    fn check_numbers(&mut self) {
        for (expected, entry) in (1..).zip(self.journal) {
            if entry.number != expected {
                self.lie(&format!("entry {} is where {expected} should be", entry.number));
                return;
            }
        }
    }

    /// What was acknowledged is there once, where it was said to be; what was refused is not; what nobody knows is there at most
    /// once; and nothing is there that nobody has asked for.
    fn check_requests(&mut self) {
        let mut written: HashMap<&str, Vec<u64>> = HashMap::new();
        for entry in self.journal.iter().filter(|entry| !entry.key.is_empty()) {
            written.entry(&entry.key).or_default().push(entry.number);
        }
        let mut lies = Vec::new();
        for (key, at) in &written {
            if at.len() > 1 {
                lies.push(format!("request {key} has had its effect more than once: {at:?}"));
            }
            match self.requests.get(key) {
                None => lies.push(format!("entry {at:?} is of {key}, which nobody has sent")),
                Some(request) if at[0] != request.before + 1 => lies.push(format!(
                    "request {key} was for revision {} and is entry {}",
                    request.before, at[0]
                )),
                Some(_) => {}
            }
        }
        for (key, request) in &self.requests {
            let at = written.get(key).and_then(|at| at.first());
            for number in request.numbers.iter().filter(|number| Some(*number) != at) {
                lies.push(match at {
                    Some(at) => format!("request {key} was acknowledged as {number} and is entry {at}"),
                    None => format!("request {key} was acknowledged as {number} and is lost"),
                });
            }
            if let (Some(at), true, false) = (at, request.numbers.is_empty(), request.is_open) {
                lies.push(format!("request {key} was refused and is entry {at}"));
            }
        }
        lies.sort();
        lies.iter().for_each(|lie| self.lie(lie));
    }

    /// What was asked for after somebody knew of an entry comes after that entry.
    fn check_order(&mut self) {
        let mut lies = Vec::new();
        // The earliest time at which somebody knew of an entry that comes later.
        let mut later: Option<(u64, u64)> = None;
        for entry in self.journal.iter().rev() {
            let Some(request) = self.requests.get(entry.key.as_str()) else { continue };
            if let Some((known, number)) = later.filter(|(known, _)| *known < request.began) {
                lies.push(format!(
                    "entry {} was asked for at {}, after entry {number} had been acknowledged at {known}",
                    entry.number, request.began
                ));
            }
            if let Some(known) = request.known
                && later.is_none_or(|(earliest, _)| known < earliest)
            {
                later = Some((known, entry.number));
            }
        }
        lies.iter().for_each(|lie| self.lie(lie));
    }

    /// Nobody is shown what nobody has asked for yet, or less than the same server has answered before, or, on an open page, less
    /// than that page has been told of.
    fn check_shown(&mut self) {
        let mut lies = Vec::new();
        // By server: when it had answered with a revision.
        let mut answered: HashMap<&str, Vec<(u64, u64)>> = HashMap::new();
        let mut told: HashMap<&str, u64> = HashMap::new();
        for event in &self.events {
            match event {
                Event::Choice { server, ended, outcome: Outcome::Made(number), .. } => {
                    answered.entry(server).or_default().push((*ended, *number));
                }
                Event::Page { server, ended, position, .. } => {
                    answered.entry(server).or_default().push((*ended, position.revision));
                    lies.extend(self.too_early(position.revision, *ended));
                }
                Event::Told { reader, at, revision } => {
                    lies.extend(self.too_early(*revision, *at));
                    let before = told.entry(reader).or_default();
                    if revision < before {
                        lies.push(format!(
                            "the page {reader} went back from revision {before} to {revision}"
                        ));
                    }
                    *before = (*before).max(*revision);
                }
                _ => {}
            }
        }
        for answers in answered.values_mut() {
            answers.sort_unstable();
            // The most that it had answered with by then.
            let mut most = 0;
            for (_, revision) in answers {
                most = most.max(*revision);
                *revision = most;
            }
        }
        for event in &self.events {
            let Event::Page { server, began, position, .. } = event else { continue };
            let answers = answered.get(server.as_str()).map_or(&[][..], Vec::as_slice);
            let by_then = answers.partition_point(|(ended, _)| ended < began);
            let known = by_then.checked_sub(1).map_or(0, |last| answers[last].1);
            if position.revision < known {
                lies.push(format!(
                    "server {server} showed revision {} at {began}, after it had answered with {known}",
                    position.revision
                ));
            }
        }
        lies.iter().for_each(|lie| self.lie(lie));
    }

    /// Whether a revision was seen before it can have been there.
    fn too_early(&self, revision: u64, at: u64) -> Option<String> {
        let count = self.journal.len() as u64;
        if revision > count {
            return Some(format!("revision {revision} was shown, and the journal ends with {count}"));
        }
        // Only the last entry has to be looked at: the order of the others is checked elsewhere.
        let entry = self.journal.get(usize::try_from(revision).ok()?.checked_sub(1)?)?;
        let request = self.requests.get(entry.key.as_str())?;
        (request.began > at).then(|| {
            format!("revision {revision} was shown at {at}, before anybody asked for it at {}", request.began)
        })
    }

    /// A revision is the same position at all servers, and its last steps are those of the journal.
    fn check_contents(&mut self) {
        let steps: Vec<&Step> = self.journal.iter().flat_map(|entry| &entry.steps).collect();
        // How many steps there are at each revision.
        let mut counts = vec![0];
        counts.extend(self.journal.iter().scan(0, |count, entry| {
            *count += entry.steps.len();
            Some(*count)
        }));
        let mut lies = Vec::new();
        let mut known: HashMap<u64, (&Position, &str)> = HashMap::new();
        for event in &self.events {
            let (server, position, names) = match event {
                Event::Page { server, position, names, .. } => (server, position, names.as_slice()),
                Event::End { server, position } => {
                    if position.revision != self.journal.len() as u64 {
                        let count = self.journal.len();
                        lies.push(format!("server {server} ends at {} of {count}", position.revision));
                    }
                    (server, position, &[][..])
                }
                _ => continue,
            };
            let (first, there) = known.entry(position.revision).or_insert((position, server.as_str()));
            if *first != position {
                lies.push(format!(
                    "revision {} is {} after {} steps at {there} and {} after {} at {server}",
                    position.revision, first.digest, first.steps, position.digest, position.steps
                ));
            }
            let count = usize::try_from(position.revision).ok().and_then(|revision| counts.get(revision));
            if count.is_some_and(|count| *count != position.steps) {
                lies.push(format!(
                    "revision {} has {} steps at {server}, and in the journal {count:?}",
                    position.revision, position.steps
                ));
            }
            let last = position.steps.checked_sub(1).and_then(|last| steps.get(last));
            if let Some(last) = last.filter(|last| last.digest != position.digest) {
                lies.push(format!(
                    "revision {} is {} at {server}, and in the journal {}",
                    position.revision, position.digest, last.digest
                ));
            }
            let written =
                position.steps.checked_sub(names.len()).and_then(|from| steps.get(from..position.steps));
            let written: Option<Vec<&str>> =
                written.map(|steps| steps.iter().map(|step| step.name.as_str()).collect());
            if written.as_ref().is_none_or(|written| written != names) {
                lies.push(format!(
                    "revision {} ends with {names:?} at {server}, and in the journal with {written:?}",
                    position.revision
                ));
            }
        }
        lies.iter().for_each(|lie| self.lie(lie));
    }

    fn count(&self, found: &mut Found) {
        found.entries += self.journal.len();
        let shows = |event: &&&Event| matches!(event, Event::Page { .. } | Event::Told { .. });
        found.shown += self.events.iter().filter(shows).count();
        for (key, request) in &self.requests {
            let is_made = self.journal.iter().any(|entry| entry.key == *key);
            match (request.numbers.is_empty(), request.is_open, is_made) {
                (false, ..) => {
                    found.acknowledged += 1;
                    found.repeated += usize::from(request.sent > 1);
                }
                (true, true, true) => found.unknown_made += 1,
                (true, true, false) => found.unknown_not_made += 1,
                (true, false, _) => found.refused += 1,
            }
        }
    }
}
