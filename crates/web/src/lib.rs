//! The table in the browser: pages rendered in Rust, live updates, every choice stored.
//!
//! * [`Board`] is what a game adds: the static sheet, the changing parts, a thumbnail, a print view.
//! * [`Title`] is a game without its type.
//! * [`Lobby`] holds the store, the live matches and the games; [`serve`] answers the browser.
//!
//! The browser loads a page once and then only gets the [parts](scene::Part) that have changed.

mod accounts;
mod assets;
mod bucket;
pub mod chain;
mod clock;
mod compression;
mod connections;
mod film;
mod guard;
mod laboratory;
pub mod lessons;
mod live;
mod lobby;
mod notices;
mod opponents;
mod pages;
mod plain;
mod prefs;
mod proceedings;
mod proxies;
mod routes;
mod rulebook;
mod scene;
mod seating;
mod secrets;
mod server;
mod title;
mod told;
mod update;
mod watch;

pub use accounts::Accounts;
pub use assets::BoardFile;
pub use clock::Clock;
pub use connections::ConnectionLimits;
pub use laboratory::{Crew, Doing, Help, Mark, Marks, Present};
pub use live::{Replayed, replay, save_of_stored};
pub use lobby::{
    Answering, BotProgram, BotQuestion, Contests, Lobby, LobbyError, Neighbours, Thinkers, step_back,
};
pub use notices::{LetterBox, Notices};
pub use opponents::{BotGroup, BotOffer, bots_of, clock_field, seat_field, seat_fields};
pub use plain::PlainBoard;
pub use rulebook::Rulebook;
pub use scene::{Asked, Board, ChoiceOf, Menu, MenuItem, Part, Scene, Tone, ViewOf};
pub use server::{Serving, serve};
pub use title::{Of, Opened, PointInTime, Title};
pub use told::{Dated, Movements, ToldAction, ToldStep, Trace};
pub use watch::watch;
