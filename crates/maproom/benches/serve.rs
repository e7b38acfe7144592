//! The server under load: `cargo bench -p maproom --bench serve`, or only some parts of it:
//! `cargo bench -p maproom --bench serve -- idle load load-without-chances people memory length`. With `--features shared` there is
//! also `postgres`.
//!
//! It starts the real program on an empty folder (a temporary one, or in `MAPROOM_BENCH_DIR`) and plays against it
//! from here. The load generator shares the machine with the server, so every figure is on the careful side.

#[path = "serve/idle.rs"]
mod idle;
#[path = "serve/length.rs"]
mod length;
#[path = "serve/load.rs"]
mod load;
#[path = "serve/memory.rs"]
mod memory;
#[path = "serve/people.rs"]
mod people;
#[path = "serve/player.rs"]
mod player;
#[path = "serve/process.rs"]
mod process;
#[path = "serve/report.rs"]
mod report;
#[cfg(feature = "shared")]
#[path = "serve/shared.rs"]
mod shared;
#[path = "serve/wire.rs"]
mod wire;

use std::io;
use std::path::Path;

fn main() -> io::Result<()> {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let wants = |part: &str| wanted.is_empty() || wanted.iter().any(|word| word == part);
    let folder = match std::env::var_os("MAPROOM_BENCH_DIR") {
        Some(place) => tempfile::Builder::new().prefix("maproom-bench-").tempdir_in(place)?,
        None => tempfile::Builder::new().prefix("maproom-bench-").tempdir()?,
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    println!("maproom serve, measured from a client on the same machine ({})", machine());
    runtime.block_on(async {
        let place = |part: &str| folder.path().join(part);
        if wants("idle") {
            idle::measure(&place("idle")).await?;
        }
        if wants("load") {
            load::measure(&place("load"), true).await?;
        }
        if wants("load-without-chances") {
            load::measure(&place("load-without-chances"), false).await?;
        }
        if wants("people") {
            people::measure(&place("people")).await?;
        }
        #[cfg(feature = "shared")]
        if wants("postgres") {
            shared::measure(&place("sqlite")).await?;
        }
        if wants("memory") {
            memory::measure(&place("memory")).await?;
        }
        if wants("length") {
            length::measure(&place("length")).await?;
        }
        Ok(())
    })
}

/// The machine in a few words, and how busy others keep it.
fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(0, std::num::NonZero::get);
    let load = std::fs::read_to_string(Path::new("/proc/loadavg")).unwrap_or_default();
    let load = load.split(' ').next().unwrap_or("?");
    format!("{cores} cores, load of others before: {load}")
}
