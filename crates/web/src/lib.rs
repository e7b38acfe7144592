//! The table in the browser: pages and boards drawn in Rust, live updates, every choice kept.
//!
//! * [`Board`] is what a game adds: the sheet that never changes, the parts that do, a thumbnail, a print view.
//! * [`Title`] is a game without its type, as the pages and the server hold it.
//! * [`Lobby`] holds the store, the live matches and the games; [`serve`] answers the browser.
//!
//! The browser gets a page once and then only the [parts](scene::Part) of it that have changed.

mod assets;
mod boards;
mod chain;
mod clock;
mod guard;
mod live;
mod lobby;
mod opponents;
mod pages;
mod prefs;
mod routes;
mod rulebook;
mod scene;
mod seating;
mod secrets;
mod server;
mod title;
mod update;

pub use lobby::{BotProgram, Lobby, LobbyError};
pub use opponents::{BotGroup, BotOffer, bots_of, seat_field, seat_fields};
pub use rulebook::Rulebook;
pub use scene::{Asked, Board, Part, Scene};
pub use server::{Serving, serve};
pub use title::{Of, Title};
