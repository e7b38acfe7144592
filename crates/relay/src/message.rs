//! What desks and workers say to each other: JSON, a struct a message.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// Which machines may do a piece of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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

/// A message as bytes.
pub(crate) fn bytes(message: &impl Serialize) -> Vec<u8> {
    // Texts and numbers can always be written.
    serde_json::to_vec(message).unwrap_or_default()
}
