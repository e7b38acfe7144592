//! The tables in a real browser: the program serves, Chromium plays.
//!
//! `cargo xtask browser` sets up what is needed and runs only these tests; with `MAPROOM_SHOTS=FOLDER` they
//! keep pictures. `cargo xtask browsers` makes the journeys in Firefox and WebKit as well.

/// The program under test.
const PROGRAM: &str = env!("CARGO_BIN_EXE_maproom");

#[path = "browser/accounts.rs"]
mod accounts;
#[path = "browser/agreements.rs"]
mod agreements;
#[path = "browser/apart.rs"]
mod apart;
#[path = "browser/blitz.rs"]
mod blitz_board;
#[path = "browser/blitz_desk.rs"]
mod blitz_desk;
#[path = "browser/blitz_games.rs"]
mod blitz_games;
#[path = "browser/blitz_looks.rs"]
mod blitz_looks;
#[path = "browser/blitz_secrets.rs"]
mod blitz_secrets;
#[path = "browser/blitz_together.rs"]
mod blitz_together;
#[path = "browser/bots_at_the_table.rs"]
mod bots_at_the_table;
#[path = "browser/by_post.rs"]
mod by_post;
#[path = "browser/contests.rs"]
mod contests;
#[path = "browser/dday.rs"]
mod dday_board;
#[path = "browser/driver.rs"]
mod driver;
#[path = "browser/echoes.rs"]
mod echoes_board;
#[path = "browser/explanations.rs"]
mod explanations;
#[path = "browser/fair_dice.rs"]
mod fair_dice;
#[path = "browser/happened.rs"]
mod happened;
#[path = "browser/harness.rs"]
mod harness;
#[path = "browser/house.rs"]
mod house;
#[path = "browser/journeys.rs"]
mod journeys;
#[path = "browser/laboratory.rs"]
mod laboratory;
#[path = "browser/lessons.rs"]
mod lessons;
#[path = "browser/lobby.rs"]
mod lobby;
#[path = "browser/looks.rs"]
mod looks;
#[path = "browser/meeting.rs"]
mod meeting;
#[path = "browser/notices.rs"]
mod notices;
#[path = "browser/orders.rs"]
mod orders_at_the_table;
#[path = "browser/outside.rs"]
mod outside;
#[path = "browser/playing.rs"]
mod playing;
#[path = "browser/review.rs"]
mod review;
#[path = "browser/server.rs"]
mod server;
#[cfg(feature = "shared")]
#[path = "browser/servers.rs"]
mod servers;
#[path = "browser/site.rs"]
mod site;
#[path = "browser/sounds.rs"]
mod sounds;
#[path = "browser/surrender.rs"]
mod surrender_board;
#[path = "browser/surrender_map.rs"]
mod surrender_map;
#[path = "browser/table.rs"]
mod table;
#[path = "browser/time.rs"]
mod time;
#[path = "browser/together.rs"]
mod together;
#[path = "browser/triumph_board.rs"]
mod triumph_board;
#[path = "browser/triumph_desk.rs"]
mod triumph_desk;
#[path = "browser/triumph_plan.rs"]
mod triumph_plan;
#[path = "browser/triumph_secrets.rs"]
mod triumph_secrets;
#[path = "browser/triumph_together.rs"]
mod triumph_together;
#[path = "browser/watching.rs"]
mod watching;
