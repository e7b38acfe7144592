//! What every game of Maproom shares.
//!
//! > **A game is the list of its choices.** Players make some of them; Fate makes the rest.
//!
//! * [`Game`] is what a game crate provides: state, choices, play, view, words.
//! * [`Match`] is a set-up and the choices so far: undo, save, load, verify.
//! * [`Table`] is a match without its type, for the server, the protocol and the terminal.

mod dice;
mod digest;
mod encode;
mod event;
mod game;
mod matches;
mod query;
mod remark;
mod save;
mod seat;
mod table;
mod tuning;

pub use dice::{Commitment, Dice, FairDice, LabDice, Secret};
pub use digest::{DigestFormat, StateDigest, fingerprint};
pub use encode::{Encode, Encoder, assert_distinct, assert_rising, encoded};
pub use event::{Discard, EventSink, LogLine, Recorder};
pub use game::{Game, Options, Prompt, Refusal, refuse_unknown_options};
pub use matches::{Match, MatchDice, MatchError, Step, Undo};
pub use query::{Answer, Chance};
pub use remark::MAX_REMARK;
pub use save::{
    DiceProof, LoadError, Loaded, MAX_SAVE_BYTES, Parting, REMARK, SecretPolicy, assemble, game_of_save,
    rules_of_save,
};
pub use seat::{Actor, Audience, Mover, Outcome, ResultInfo, Seat, SeatInfo, SeatSet, Standing, Viewer};
pub use table::{ClosedOffer, LogEntry, Names, Offer, Story, Table};
pub use tuning::Tuning;
