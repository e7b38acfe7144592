//! Batches of games, their statistics, and benchmarks.
//!
//! Everything here is generic over the game and runs on the typed hot path of the kernel.

pub mod bench;
pub mod calibration;
mod compared;
mod files;
mod interval;
pub mod ladder;
mod paired;
mod playing;
mod report;
mod reviewing;
mod rows;
mod sheets;
mod sim;
pub mod stopwatch;
mod subject;
mod work;

pub use compared::{Comparison, EventDifference, Measure, SeatDifference, ShareDifference, TurnDifference};
pub use files::{option_words, simulate_to_files};
pub use interval::Interval;
pub use paired::{Difference, PairSums};
pub use playing::{BotPlayers, Observer, Players, Playing, Unobserved};
pub use report::{BoxLine, FirstTurns, OutcomeLine, SeatLine, SimReport, TurnPoint};
pub use reviewing::review_at;
pub use sheets::{Column, Field, Format, Kind, SCHEMA, Sheets, Shelf};
pub use sim::pairs::PairTotals;
pub use sim::{Batch, Totals, simulate, simulate_at};
pub use subject::{Findings, Length, Of, OptionValue, Order, Outcome, Subject, TextKind, option_value};
pub use work::{Asked, Build, Hands, Site, Worked, labour};
pub use workers::Progress;
