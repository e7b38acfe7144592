//! The table at the size of a large wargame: `cargo bench -p web --bench large_map`, or only some parts of it:
//! `cargo bench -p web --bench large_map -- clicks pages bots table`. With `memory` nothing waits for the disk.
//! With `profile` it only makes choices at a late step for a while, for a profiler to look at.
//!
//! The real server runs in this process over a database in a temporary folder, and is spoken to over the wire. Every
//! measurement is repeated in rounds; the best round tells what the program costs, the others how busy the machine was.

mod bots;
mod clicks;
mod expanse;
mod figures;
mod pages;
mod stand;
mod table;
#[path = "../../../maproom/benches/serve/wire.rs"]
#[expect(dead_code, reason = "shared with the load benchmark")]
mod wire;

use std::io;

use stand::Stand;

fn main() -> io::Result<()> {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let is_named = |part: &str| wanted.iter().any(|word| word == part);
    let in_memory = is_named("memory");
    let wants = |part: &str| wanted.len() == usize::from(in_memory) || is_named(part);
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    println!("The large map (load of others before: {})", load.split(' ').next().unwrap_or("?"));
    let mut stand = Stand::open(in_memory)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    if wants("table") {
        table::measure(&stand);
    }
    runtime.block_on(async {
        if is_named("profile") {
            return clicks::profile(&mut stand).await;
        }
        if wants("clicks") {
            clicks::measure(&mut stand).await?;
        }
        if wants("pages") {
            pages::measure(&mut stand).await?;
        }
        if wants("bots") {
            bots::measure(&mut stand).await?;
        }
        Ok(())
    })
}
