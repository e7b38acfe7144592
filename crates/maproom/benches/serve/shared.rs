//! One server and two on PostgreSQL, against one on SQLite: a thousand matches, without win chances, which cost the same everywhere.
//! The database waits for the disk as one of a club does; generator, database and servers share the machine.

use std::io;
use std::path::Path;
use std::time::Duration;

use testkit::{nats, postgres};

use crate::load::{Doors, make, places, run, spares};
use crate::player::FORM;
use crate::process::Server;
use crate::report::{heading, row};
use crate::wire::Http;

const MATCHES: usize = 1_000;
const RATE: u32 = 2_000;
const TIME: Duration = Duration::from_secs(15);
const BAR: Duration = Duration::from_millis(100);
/// Everybody clicks as fast as they can; matches are ready for so many choices a second.
const FLAT_OUT: u32 = 100_000;
const READY_FOR: u64 = 6_000;
const SHORT: Duration = Duration::from_secs(8);
/// A pace that leaves the machine time to breathe: how long it takes to hear of what was done at another server.
const CALM: u32 = 500;
const NOTIFIED: Duration = Duration::from_millis(400);
const OVER_NATS: Duration = Duration::from_millis(150);

pub async fn measure(data: &Path) -> io::Result<()> {
    let database = postgres::Server::durable().map_err(io::Error::other)?;
    let pair = |further: &[&str]| {
        let name = database.empty();
        [0, 1].map(|_| Server::start_on(&database.address(&name), further))
    };
    across("NOTIFY", &pair(&[]), NOTIFIED).await?;
    if let Some(nats) = nats::Server::start() {
        across("NATS", &pair(&["--nats", &nats.address()]), OVER_NATS).await?;
    }
    let server = Server::start(data);
    let sqlite = house("SQLite, one server", std::slice::from_ref(&server)).await?;
    drop(server);
    let name = database.empty();
    let server = Server::start_on(&database.address(&name), &[]);
    let one = house("PostgreSQL, one server", std::slice::from_ref(&server)).await?;
    drop(server);
    let servers = pair(&[]);
    let two = house("PostgreSQL, two servers", &servers).await?;
    heading("As fast as they can");
    row("SQLite, one server", &format!("{sqlite:.0}/s"), None);
    let share = one / sqlite;
    row(
        "PostgreSQL, one server",
        &format!("{one:.0}/s: {share:.2}"),
        Some(("≥ 0.6 of SQLite", share >= 0.6)),
    );
    let share = two / one;
    row(
        "PostgreSQL, two servers",
        &format!("{two:.0}/s: {share:.2}"),
        Some(("≥ 0.85 of one", share >= 0.85)),
    );
    Ok(())
}

/// People at one server, their windows at the other.
async fn across(how: &str, servers: &[Server], bar: Duration) -> io::Result<()> {
    let doors = Doors { ports: servers.iter().map(|server| server.port).collect(), across: true };
    let ready = places(&doors, MATCHES).await?;
    let spare = make(&doors, spares(u64::from(CALM) * TIME.as_secs())).await?;
    let (_, mut heard) = run(&doors, ready, spare, CALM, TIME).await;
    heading(&format!("Windows at the other server, {CALM} choices a second, told by {how}"));
    row("click to answer (after the commit)", &heard.answers.words(), None);
    let held = heard.errors.is_empty() && heard.updates.at(990) <= bar;
    let wanted = format!("p99 ≤ {} ms", bar.as_millis());
    row("click to update", &heard.updates.words(), Some((&wanted, held)));
    row("achieved", &format!("{:.0}/s, {} errors", heard.rate(), heard.errors.len()), None);
    Ok(())
}

/// Plays at some servers by a timetable, and then as fast as everybody can. Choices a second then.
async fn house(name: &str, servers: &[Server]) -> io::Result<f64> {
    let doors = Doors { ports: servers.iter().map(|server| server.port).collect(), across: false };
    for port in &doors.ports {
        // What the owner sets holds for everybody who has set nothing else.
        Http::connect(*port).await?.post("/settings", FORM, "theme=system").await?;
    }
    let ready = places(&doors, MATCHES).await?;
    let spare = make(&doors, spares(u64::from(RATE) * TIME.as_secs())).await?;
    let (ready, mut timed) = run(&doors, ready, spare, RATE, TIME).await;
    heading(&format!("{name}: {MATCHES} matches, {RATE} choices a second for {} s", TIME.as_secs()));
    let held =
        timed.errors.is_empty() && timed.answers.at(990) <= BAR && timed.rate() >= 0.97 * f64::from(RATE);
    row("click to answer (after the commit)", &timed.answers.words(), Some(("p99 ≤ 100 ms", held)));
    row("click to update in the window", &timed.updates.words(), None);
    let figures = |rate: f64, errors: usize, starved: usize| {
        format!("{rate:.0}/s, {errors} errors, {starved} clicks without a match")
    };
    row("achieved", &figures(timed.rate(), timed.errors.len(), timed.starved), None);
    let spare = make(&doors, spares(READY_FOR * SHORT.as_secs())).await?;
    let (_, flat) = run(&doors, ready, spare, FLAT_OUT, SHORT).await;
    row("as fast as they can", &figures(flat.rate(), flat.errors.len(), flat.starved), None);
    for error in timed.errors.first().into_iter().chain(flat.errors.first()) {
        row("the first error", error, None);
    }
    Ok(flat.rate())
}
