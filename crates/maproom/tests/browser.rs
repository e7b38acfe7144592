//! The tables in a real browser: the program serves, Chromium plays.
//!
//! `cargo xtask browser` sets up what is needed and runs only these tests; with `MAPROOM_SHOTS=FOLDER` they
//! keep pictures.

#[path = "browser/driver.rs"]
mod driver;
#[path = "browser/harness.rs"]
mod harness;
#[path = "browser/lobby.rs"]
mod lobby;
#[path = "browser/looks.rs"]
mod looks;
#[path = "browser/playing.rs"]
mod playing;
#[path = "browser/server.rs"]
mod server;
#[path = "browser/site.rs"]
mod site;
#[path = "browser/table.rs"]
mod table;
#[path = "browser/telling.rs"]
mod telling;
#[path = "browser/time.rs"]
mod time;
#[path = "browser/together.rs"]
mod together;
