//! Servers, their database and their NATS on machines of their own, and a network between them that fails: cut, cut one way, slow,
//! losing packets, gone; and servers that stand still longer than their leases. Whatever people were answered and pages were shown is
//! compared with the journals by a checker that knows nothing of the program.
//!
//! `MAPROOM_PARTITIONS` says how many faults there are (`MAPROOM_LONG=1` means 150), `MAPROOM_SEED` which; with `MAPROOM_TELL` each is
//! told of, and `MAPROOM_KEEP=FOLDER` keeps what the checker reads. The machines are network namespaces, made inside one of the test's own, so nothing of it is seen outside and all of it ends with the test.

#![cfg(target_os = "linux")]

/// The program under test.
const PROGRAM: &str = env!("CARGO_BIN_EXE_maproom");

#[path = "partitions/bots.rs"]
mod bots;
#[path = "partitions/campaign.rs"]
mod campaign;
#[path = "partitions/checker/mod.rs"]
mod checker;
#[path = "server/client.rs"]
mod client;
#[path = "partitions/ether.rs"]
mod ether;
#[path = "partitions/faults.rs"]
mod faults;
#[path = "partitions/history.rs"]
mod history;
#[path = "partitions/hosts.rs"]
mod hosts;
#[path = "servers/house.rs"]
mod house;
#[path = "partitions/inside.rs"]
mod inside;
#[path = "partitions/pages.rs"]
mod pages;
#[path = "partitions/people.rs"]
mod people;
#[path = "partitions/probe.rs"]
mod probe;
#[path = "partitions/site.rs"]
mod site;
