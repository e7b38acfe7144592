//! The real server under attack, by clients on this machine that take more than their share.
//!
//! Each test does what a hostile visitor could do, up to a bound, and checks three things: what is too much is refused, an
//! honest visitor is served meanwhile, and it does not take them much longer than on a quiet server. The times are printed
//! as a table (`cargo nextest run -p maproom --test siege --no-capture`).

/// The program under test.
const PROGRAM: &str = env!("CARGO_BIN_EXE_maproom");

#[path = "server/client.rs"]
mod client;
#[path = "siege/connections.rs"]
mod connections;
#[path = "siege/honest.rs"]
mod honest;
#[path = "siege/links.rs"]
mod links;
#[path = "siege/records.rs"]
mod records;
#[path = "siege/visitors.rs"]
mod visitors;
#[path = "siege/work.rs"]
mod work;
