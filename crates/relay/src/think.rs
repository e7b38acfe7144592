//! Questions to bots at other machines: what a server asks, and what a worker answers.
//!
//! There is no ledger and no stream: a question is worth something only as long as somebody waits for it. It goes to any worker of
//! the house that listens. One that is free says so at once and is heard of every second; one that says nothing at all is passed
//! over, and one that falls silent is waited for no more than three seconds. A worker keeps the matches that it was asked about, so that the next question about one needs to say only
//! what has happened since.

mod asking;
mod listening;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

pub use asking::{Asked, Askers, Waits};
pub(crate) use listening::Listening;

/// The group of workers of which one gets each question to anybody.
const GROUP: &str = "think";

/// The subject of questions to any worker of a build. Those about a match that hides something have one of their own: only workers
/// listen there to whom nobody can listen on the way.
fn anybody(build: &str, hides: bool) -> String {
    let [class, mark] = [if hides { "private" } else { "open" }, &mark(build)];
    format!("think.{class}.{mark}")
}

/// A build as a word of a subject.
fn mark(build: &str) -> String {
    Sha256::digest(build.as_bytes()).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// The subject of questions to a certain worker.
fn subject_of(worker: &str) -> String {
    format!("think.at.{worker}")
}

/// A question to a bot.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// Sets it apart from all others.
    pub id: String,
    /// The match, by a name that only this server gives it.
    pub about: String,
    /// The game.
    pub game: String,
    /// The build that is asked.
    pub build: String,
    /// The word for the bot.
    pub bot: String,
    /// The seed of its dice.
    pub seed: u64,
    /// How many steps of the match the worker knows.
    pub from: usize,
    /// The first part of its save, without the secret of its dice; nothing if the worker knows the match.
    pub head: String,
    /// The lines of its save for all other steps.
    pub lines: String,
    /// How many milliseconds it may take.
    pub patience: u64,
    /// Whether the match hides something: then nobody on the way may read this.
    pub hides: bool,
}

/// What a server says to a worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Call {
    Question(Question),
    /// Answer this one now.
    Stop(String),
}

/// What a bot has chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    /// The name of the choice.
    pub choice: String,
    /// Its reason.
    pub why: String,
}

/// Why a worker has no answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoChoice {
    /// It does not know the match.
    Unknown,
    /// It can't, as these words say.
    Failed(String),
}

/// What a worker says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Reply {
    /// It is at it.
    Begun { worker: String },
    /// It has enough to do, is about to end, or is of another build.
    Busy,
    /// This is the answer.
    Done(Choice),
    /// There is none.
    Not(NoChoice),
}
