//! The parts that all games share.
//!
//! > **A game is the list of its choices.** Players make some of them; Fate makes the rest.
//!
//! * [`Game`] is what a game crate implements: rules and views. [`Wording`] (for people), [`Judgement`] (for bots) and
//!   [`Catalogue`] (for forms, files and statistics) are its companion traits.
//! * [`Match`] is a set-up and the choices so far, with undo, save, load and verify.
//! * [`Table`] is a match without its type, for the server, the protocol and the terminal.

mod actions;
mod catalogue;
mod dice;
mod digest;
mod encode;
mod event;
mod features;
mod game;
mod history;
mod judgement;
mod matches;
mod query;
mod remark;
mod save;
mod seat;
mod shares;
mod table;
mod tuning;
mod unknowns;
mod wording;

pub use actions::{Action, Fold, ToldStep};
pub use catalogue::{Catalogue, Difficulty, LessonFile, Setup};
pub use dice::{Commitment, Dice, FairDice, LabDice, Secret};
pub use digest::{DigestFormat, StateDigest, fingerprint};
pub use encode::{Encode, Encoder, assert_distinct, assert_rising, encoded};
pub use event::{Discard, EventSink, LogLine, Recorder};
pub use features::{FeatureSink, FeatureSlice};
pub use game::{CompleteGame, Game, Options, refuse_unknown_options};
pub use history::Log;
pub use judgement::{Effort, Judgement};
pub use matches::{Match, MatchDice, MatchError, Step, Undo};
pub use query::{Answer, Chance};
pub use remark::MAX_REMARK;
pub use save::{
    DiceProof, LoadError, Loaded, MAX_SAVE_BYTES, Parting, REMARK, SecretPolicy, assemble, game_of_save,
    rules_of_save,
};
pub use seat::{Actor, Audience, Mover, Outcome, ResultInfo, Seat, SeatInfo, SeatSet, Standing, Viewer};
pub use shares::{Number, Share, Shares};
pub use table::{ClosedOffer, LogEntry, Names, Offer, Story, Table};
pub use tuning::Tuning;
pub use wording::{Prompt, Refusal, Wording};
