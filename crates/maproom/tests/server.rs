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
#[path = "server/keeping.rs"]
mod keeping;
#[path = "server/log.rs"]
mod log;
#[path = "server/notices.rs"]
mod notices;
#[path = "server/pace.rs"]
mod pace;
#[path = "server/parted.rs"]
mod parted;
#[path = "server/play.rs"]
mod play;
#[path = "../../post/tests/house/server.rs"]
mod server;
#[path = "../../post/tests/house/smtp.rs"]
mod smtp;
