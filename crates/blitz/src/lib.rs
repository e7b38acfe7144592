//! Blitzkrieg!: two players, or one against its bot, and the Nippon board.
//!
//! [`Blitz`] is the game as the kernel knows it; [`Rules`] is a set-up, with everything the rules say of a
//! [`State`]. The turn goes through its steps in `turn.rs`; the bot's procedure is in `solo.rs`.

mod checks;
mod choice;
mod closing;
mod encoding;
mod example_runner;
pub mod examples;
mod features;
mod game;
mod game_event;
mod invariants;
pub mod layout;
mod legality;
mod log_actions;
mod odds;
mod policy;
pub mod pool;
mod rules;
mod seat_bot;
mod set_up;
pub mod settings;
mod setups;
mod solo;
pub mod state;
mod stratagem;
#[cfg(test)]
mod tests;
mod turn;
pub mod units;
mod view;
mod words;

pub use choice::Choice;
pub use game::Blitz;
pub use game_event::{GameEvent, Reason};
pub use rules::{Closing, Preview, Rules, TRACK_VP, Unit, WAR_VP};
pub use settings::Settings;
pub use solo::Selection;
pub use state::{Phase, State};
pub use stratagem::{Stratagem, StratagemSet};
pub use view::View;
