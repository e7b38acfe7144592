//! What people were answered and pages were shown, written down for the checker, which says how.

use std::fmt::Write as _;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::hosts::NAMES;

/// What became of a request that was sent.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// It is this entry of the journal.
    Made(u64),
    /// It was not made, and why.
    Refused(String),
    /// Nobody knows, and why.
    Unknown(String),
}

/// A position as a server shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    pub revision: u64,
    pub steps: u64,
    pub digest: String,
    /// The names of the last steps.
    pub names: Vec<String>,
    /// What can be chosen.
    pub choices: Vec<String>,
}

/// Everything that happened, and when.
pub struct History {
    begun: Instant,
    text: Mutex<String>,
    /// Answers that no server should give.
    odd: Mutex<Vec<String>>,
}

impl History {
    pub fn new() -> Self {
        Self { begun: Instant::now(), text: Mutex::default(), odd: Mutex::default() }
    }

    /// The time, in microseconds.
    pub fn now(&self) -> u64 {
        u64::try_from(self.begun.elapsed().as_micros()).expect("no campaign is that long")
    }

    pub fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    fn text(&self) -> MutexGuard<'_, String> {
        self.text.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A request that was sent just now at the time `began`.
    pub fn choice(&self, id: &str, key: &str, before: u64, server: usize, began: u64, outcome: &Outcome) {
        let outcome = match outcome {
            Outcome::Made(number) => format!("made {number}"),
            Outcome::Refused(why) => format!("refused {}", plain(why)),
            Outcome::Unknown(why) => format!("unknown {}", plain(why)),
        };
        let (server, now) = (NAMES[server], self.now());
        let _ = writeln!(self.text(), "choice\t{id}\t{key}\t{before}\t{server}\t{began}\t{now}\t{outcome}");
    }

    /// A position that a server has answered with.
    pub fn page(&self, id: &str, reader: &str, server: usize, began: u64, shown: &Shown) {
        let Shown { revision, steps, digest, names, .. } = shown;
        let (server, now, names) = (NAMES[server], self.now(), names.join(","));
        let _ = writeln!(
            self.text(),
            "page\t{id}\t{reader}\t{server}\t{began}\t{now}\t{revision}\t{steps}\t{digest}\t{names}"
        );
    }

    /// A revision of which an open page was told.
    pub fn told(&self, id: &str, reader: &str, server: usize, revision: u64) {
        let (server, now) = (NAMES[server], self.now());
        let _ = writeln!(self.text(), "told\t{id}\t{reader}\t{server}\t{now}\t{revision}");
    }

    /// What a server shows when all is over.
    pub fn end(&self, id: &str, server: usize, shown: &Shown) {
        let Shown { revision, steps, digest, .. } = shown;
        let _ = writeln!(self.text(), "end\t{id}\t{}\t{revision}\t{steps}\t{digest}", NAMES[server]);
    }

    /// Notes an answer that no server should give.
    pub fn note_odd(&self, answer: String) {
        self.odd.lock().unwrap_or_else(PoisonError::into_inner).push(answer);
    }

    /// The answers that no server should give.
    pub fn odd(&self) -> Vec<String> {
        self.odd.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// All of it.
    pub fn into_text(self) -> String {
        self.text.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Words in which nothing ends a line or a column.
fn plain(text: &str) -> String {
    text.replace(|sign: char| sign.is_control(), " ")
}
