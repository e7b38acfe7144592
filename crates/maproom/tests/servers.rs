//! Several real servers on one PostgreSQL: any of them serves any match, and any of them may be killed at any moment.
//!
//! `MAPROOM_SERVER_KILLS` says how often one is killed (`MAPROOM_LONG=1` means a thousand times), `MAPROOM_SEED` how the moments fall.

/// The program under test.
const PROGRAM: &str = env!("CARGO_BIN_EXE_maproom");

#[path = "servers/bots.rs"]
mod bots;
#[path = "server/client.rs"]
mod client;
#[path = "servers/cuts.rs"]
mod cuts;
#[path = "servers/figures.rs"]
mod figures;
#[path = "servers/house.rs"]
mod house;
#[path = "servers/kills.rs"]
mod kills;
#[path = "servers/thinking.rs"]
mod thinking;
#[path = "servers/together.rs"]
mod together;
