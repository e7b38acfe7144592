//! What desks and workers say to each other: JSON, a struct a message.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// Which machines may do a piece of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// Machines of the house.
    House,
    /// Machines that somebody lends: they see specifications and results, and nothing of a running match.
    Lent,
}

impl Class {
    /// Both.
    pub const ALL: [Self; 2] = [Self::House, Self::Lent];

    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::House => "house",
            Self::Lent => "lent",
        }
    }

    /// Whether a machine of this class does work of that one: the house's own machines do also what others may.
    pub(crate) const fn may_do(self, work: Self) -> bool {
        matches!((self, work), (Self::House, _) | (Self::Lent, Self::Lent))
    }

    /// Reads the word.
    pub fn read(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|class| class.word() == word)
    }
}

/// What every worker says again and again, also if it has nothing to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Sign {
    /// Its name, without the thread.
    pub process: String,
    /// Its build.
    pub build: String,
    /// What it may do.
    pub class: Class,
}

/// What lies in the stream: that there is something to do, and for whom. What exactly, the desk says to whoever begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Errand {
    /// The desk that handed it out.
    pub desk: String,
    /// Its number at that desk.
    pub number: u64,
    /// The job.
    pub job: String,
    /// What kind of work it is, such as `sim`.
    pub kind: String,
    /// The game.
    pub game: String,
    /// The version of its rules.
    pub rules: String,
    /// The build that has to do it.
    pub build: String,
    /// A worker that must not do it, because it has done it before: this is a check.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub except: Option<String>,
}

/// A chunk, as it travels.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Piece {
    /// Its place in the job.
    pub n: u64,
    /// The first number.
    pub first: u64,
    /// The number after the last.
    pub end: u64,
}

impl Piece {
    pub fn numbers(&self) -> Range<u64> {
        self.first..self.end
    }
}

/// What a worker says to a desk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Note {
    /// The errand it is about.
    pub errand: u64,
    /// Who says it.
    pub worker: String,
    /// What.
    pub what: What,
}

/// What there is to say about an errand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum What {
    /// May I begin?
    Begin,
    /// I have so many bytes of the specification: what comes next?
    Spec { from: usize },
    /// I am still at it.
    Beat,
    /// I can't do this chunk.
    Failed { n: u64, why: String },
    /// I have to go; somebody else may have what I have not done.
    GaveBack,
    /// This is not for me.
    Refused { why: String },
}

/// What a desk answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Answer {
    /// Do these chunks, and be heard of at least every so many milliseconds. The specification has so many bytes in all; what is
    /// not here has to be asked for.
    Go { spec: String, bytes: usize, pieces: Vec<Piece>, lease: u64 },
    /// More of the specification.
    Spec { spec: String },
    /// Noted.
    Noted,
    /// This is not wanted any more.
    Gone,
}

/// What a desk says to a part of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Receipt {
    /// The next, please.
    More,
    /// It is whole and kept.
    Kept,
    /// Something before it is missing: begin again.
    Again,
    /// It can't be kept now; bring it again later.
    Later,
    /// Nobody needs it: the job is gone or has stopped.
    Unwanted,
}

/// The most bytes of a specification in a message. A server of NATS takes a megabyte if it is not told otherwise, and a quote or a
/// backslash is two bytes in JSON.
pub(crate) const SPEC_SLICE: usize = 256 << 10;
/// The most bytes that a specification can have.
pub(crate) const MOST_SPEC: usize = 64 << 20;

/// As much of a specification from a place on as a message holds; nothing if it does not go on from there.
pub(crate) fn spec_slice(spec: &str, from: usize) -> &str {
    let rest = spec.get(from..).unwrap_or_default();
    &rest[..rest.floor_char_boundary(SPEC_SLICE)]
}

/// The longest name.
const MOST_LETTERS: usize = 120;

/// A name that somebody on the network has given themselves, in letters that no page, terminal or ledger takes for anything else. An
/// honest worker's stays as it is.
pub(crate) fn clean(name: &str) -> String {
    let letter = |letter: char| match letter.is_ascii_alphanumeric() || " -_./+:,".contains(letter) {
        true => letter,
        false => '?',
    };
    name.chars().take(MOST_LETTERS).map(letter).collect()
}

/// The same for a thread of a worker. Between the two there is always a stroke: what a ledger says was done by somebody without one
/// was done by whoever runs the job.
pub(crate) fn clean_thread(name: &str) -> String {
    let mut name = clean(name);
    if !name.contains('/') {
        name.push_str("/0");
    }
    name
}

/// The longest explanation.
const MOST_WORDS: usize = 400;

/// What somebody on the network gives as a reason: one line, without anything that would change how the rest of it is shown.
fn clean_words(words: &str) -> String {
    let is_odd = |letter: char| {
        letter.is_control()
            || matches!(letter, '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    words.chars().take(MOST_WORDS).map(|letter| if is_odd(letter) { ' ' } else { letter }).collect()
}

impl Note {
    /// The same with everything harmless that a worker can choose.
    pub fn cleaned(mut self) -> Self {
        self.worker = clean_thread(&self.worker);
        if let What::Failed { why, .. } | What::Refused { why } = &mut self.what {
            *why = clean_words(why);
        }
        self
    }
}

/// A message as bytes.
pub(crate) fn bytes(message: &impl Serialize) -> Vec<u8> {
    // Texts and numbers can always be written.
    serde_json::to_vec(message).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_ones_own_is_harmless_and_never_that_of_the_house() {
        let honest = "tank-1.example process 81 of 1790000000000/12";
        assert_eq!(clean_thread(honest), honest);
        let build = "0.3.0 1f3a9c04";
        assert_eq!(clean(build), build);
        for odd in ["process 1 of 2", "x/0 (process 1 of 2", "", "\u{1b}[2J\n"] {
            let by = format!("1 ({})", clean_thread(odd));
            let found = crate::results::worker_in(&by);
            assert!(found.contains('/') && !found.contains(['(', '\u{1b}', '\n']), "{found:?}");
        }
        assert!(clean_thread(&"ü".repeat(100_000)).len() < 130);
        let why = "line\n\u{1b}[2J\u{202e}größer".repeat(1_000);
        let note = Note { errand: 1, worker: "a".to_owned(), what: What::Failed { n: 1, why } }.cleaned();
        let What::Failed { why, .. } = &note.what else { panic!("{note:?}") };
        assert!(why.starts_with("line  [2J größer") && why.chars().count() <= MOST_WORDS, "{why:?}");
        assert_eq!(note.worker, "a/0");
    }
}
