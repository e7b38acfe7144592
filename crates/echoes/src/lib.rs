//! Echoes of War: the solo book game of the whole war, 20 turns against a rule-driven bot.
//!
//! The modules follow the chapters of the rulebook (`docs/rules/echoes.md`): [`tracks`](crate) 2.2, `attack` 2.3
//! and 2.4, `tide` and `windows` 2.5, `turn` 3.1 to 3.3 and 4.0, `conflict` 3.4, `victory` 3.5 and 5.0, [`box_language`] 7.

mod attack;
pub mod book;
pub mod book_reader;
pub mod box_language;
mod checks;
mod choice;
mod conflict;
mod encoding;
pub mod example_runner;
pub mod examples;
mod features;
mod game;
mod game_event;
pub mod ids;
mod legality;
mod log_actions;
mod odds;
mod policy;
mod program;
pub mod prospects;
mod rules;
mod setups;
pub mod spreads;
mod state;
mod story;
mod tide;
mod tracks;
mod turn;
mod victory;
mod view;
mod windows;
mod words;

pub use book_reader::Edition;
pub use choice::Choice;
pub use conflict::ConflictResult;
pub use features::ACTIONS;
pub use game::Echoes;
pub use game_event::{AttackRoll, GameEvent};
pub use legality::Bar;
pub use rules::Rules;
pub use state::{AskedUntil, NO_BOX, Phase, State};
pub use view::View;
pub use windows::{Ask, Windows};
