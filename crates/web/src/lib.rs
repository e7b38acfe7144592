//! The table in the browser: pages drawn in Rust, live updates, every choice kept.
//!
//! * [`Board`] is what a game adds: the sheet that never changes, the parts that do, a thumbnail, a print view.
//! * [`Title`] is a game without its type, as the pages and the server hold it.
//! * [`Lobby`] holds the store, the live matches and the games; [`serve`] answers the browser.
//!
//! The browser gets a page once and then only the [parts](scene::Part) of it that have changed.

mod assets;
mod bucket;
pub mod chain;
mod clock;
mod compression;
mod guard;
mod live;
mod lobby;
mod opponents;
mod pages;
mod plain;
mod prefs;
mod routes;
mod rulebook;
mod scene;
mod seating;
mod secrets;
mod server;
mod title;
mod update;

pub use assets::BoardFile;
pub use lobby::{BotProgram, Lobby, LobbyError};
pub use opponents::{BotGroup, BotOffer, bots_of, seat_field, seat_fields};
pub use plain::PlainBoard;
pub use rulebook::Rulebook;
pub use scene::{Asked, Board, ChoiceOf, Menu, MenuItem, Part, Scene, ViewOf};
pub use server::{Serving, serve};
pub use title::{Of, Opened, Title};
