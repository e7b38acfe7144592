//! Several real servers on one PostgreSQL: any of them serves any match, and any of them may be killed at any moment.
//!
//! `MAPROOM_SERVER_KILLS` says how often one is killed (`MAPROOM_LONG=1` means a thousand times), `MAPROOM_CAMPAIGN_KILLS` how often
//! anything is, `MAPROOM_SEED` how the moments fall.

/// The program under test.
const PROGRAM: &str = env!("CARGO_BIN_EXE_maproom");

#[path = "servers/bots.rs"]
mod bots;
#[path = "servers/campaign.rs"]
mod campaign;
#[path = "server/client.rs"]
mod client;
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
#[path = "servers/clocks.rs"]
mod clocks;
#[path = "servers/cuts.rs"]
mod cuts;
#[path = "servers/house.rs"]
mod house;
#[path = "servers/kills.rs"]
mod kills;
#[path = "servers/labour.rs"]
mod labour;
#[path = "servers/players.rs"]
mod players;
#[path = "servers/still.rs"]
mod still;
#[path = "servers/thinking.rs"]
mod thinking;
#[path = "servers/together.rs"]
mod together;
