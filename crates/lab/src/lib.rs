//! Batches of games, their statistics, and benchmarks.
//!
//! Everything here is generic over the game and runs on the typed hot path of the kernel.

pub mod bench;
pub mod calibration;
mod interval;
pub mod ladder;
mod playing;
mod report;
mod sim;

pub use interval::Interval;
pub use playing::{BotPlayers, Observer, Players, Playing, Unobserved};
pub use report::{BoxLine, FirstTurns, OutcomeLine, SeatLine, SimReport, TurnPoint};
pub use sim::{Batch, Totals, simulate};
pub use workers::Progress;
