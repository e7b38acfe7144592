//! The real server over HTTP: what it refuses, what it says when something is wrong, and that nobody can break a match.

/// The program under test.
const PROGRAM: &str = env!("CARGO_BIN_EXE_maproom");

#[path = "server/accounts.rs"]
mod accounts;
#[path = "server/client.rs"]
mod client;
#[path = "server/doors.rs"]
mod doors;
#[path = "server/guard.rs"]
mod guard;
#[path = "server/log.rs"]
mod log;
#[path = "server/pace.rs"]
mod pace;
#[path = "server/parted.rs"]
mod parted;
#[path = "server/play.rs"]
mod play;
