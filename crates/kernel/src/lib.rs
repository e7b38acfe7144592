//! What every game of Maproom shares.
//!
//! > **A game is the list of its choices.** Players make some of them; Fate makes the rest.
//!
//! * [`Game`] is what a game crate provides: state, choices, play, view, words.
//! * [`Match`] is a set-up and the choices so far: undo, save, load, verify.
//! * [`Table`] is a match without its type, for the server, the protocol and the terminal.
//! * [`conformance`], [`perft()`] and [`golden`] are the tests that every game inherits.
//! * [`source`] and [`datafile`] read the texts that people write, and point at what is wrong.

pub mod conformance;
pub mod datafile;
mod dice;
mod digest;
pub mod examples;
mod game;
pub mod golden;
mod matches;
mod event;
mod perft;
mod query;
mod remark;
mod save;
mod seat;
pub mod source;
mod table;
mod tuning;

pub use dice::{Commitment, Dice, FairDice, LabDice, Secret};
pub use digest::{StateDigest, fingerprint};
pub use game::{FileCheck, Game, Options, Prompt, Refusal, refuse_unknown_options};
pub use matches::{Match, MatchDice, MatchError, Step, Undo};
pub use event::{EventSink, Recorder, Discard, LogLine};
pub use perft::perft;
pub use query::{Answer, Chance};
pub use remark::MAX_REMARK;
pub use save::{DiceProof, Loaded, MAX_SAVE_BYTES, REMARK, SecretPolicy, assemble, game_of_save};
pub use seat::{Actor, Audience, Mover, Outcome, ResultInfo, Seat, SeatInfo, SeatSet, Standing, Viewer};
pub use table::{ClosedOffer, LogEntry, Names, Offer, Story, Table};
pub use tuning::Tuning;
