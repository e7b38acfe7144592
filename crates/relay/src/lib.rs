//! Chunks of work handed to other machines over NATS, and what comes back.
//!
//! Whoever runs a job has a *desk*: it claims chunks in the ledger, puts *errands* (some chunks of a job) into a stream, and
//! keeps what workers bring. A worker takes one errand at a time, asks the desk whether it is still wanted, says again and
//! again that it is at work, brings the results as requests and acknowledges the errand only when they are kept.
//!
//! NATS carries signals, the ledger keeps facts. JetStream acknowledges before what it has is on disk and has lost whole
//! streams; it may lose, repeat or reorder anything here. An errand is only a hint that there is something to do: the desk
//! alone says what, and a result counts by its chunk, whoever brings it and however late. That is why a desk that was killed can
//! be followed by another that has never heard of the errands of the first.

mod desk;
mod key;
mod line;
mod message;
mod news;
mod office;
mod results;
mod stream;
mod think;
mod watch;
mod worker;

pub use desk::{Crew, Member, Posted, Summary, Terms, meant};
pub use key::{NewKey, new_key};
pub use line::Target;
pub use message::{Class, Errand};
pub use news::NatsNews;
pub use office::{Hears, hand_out};
pub use results::{finished, worker_in};
pub use think::{Asked, Askers, Choice, NoChoice, Question, Waits};
pub use watch::{Present, Watch};
pub use worker::{Labour, Task, Told, Worker};
