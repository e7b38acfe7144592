//! What a choice costs at the beginning and at the end of a game, and in a match with a very long journal.

use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::time::{MissedTickBehavior, interval};

use crate::idle::size_row;
use crate::player::{Player, Random, new_match};
use crate::process::Server;
use crate::report::{Times, heading, ms, row};
use crate::wire::Http;

const GAMES: usize = 200;
/// So many choices at either end of a game are compared.
const ENDS: usize = 5;
/// Entries of the long journal.
const ENTRIES: usize = 3_000;
/// The server takes 30 changes a second from one match.
const PACE: Duration = Duration::from_millis(34);

/// Times of one choice.
struct Cost {
    /// Playing and drawing, as the server measures it.
    work: Duration,
    /// The whole answer.
    answer: Duration,
}

pub async fn measure(data: &Path) -> io::Result<()> {
    let server = Server::start(data);
    let mut http = Http::connect(server.port).await?;
    let mut random = Random(7);
    let (mut first, mut last) = (Vec::new(), Vec::new());
    for _ in 0..GAMES {
        let path = new_match(&mut http).await?;
        let mut player = Player::open(server.port, path).await?;
        let mut costs = Vec::new();
        while !player.is_over() {
            let begun = Instant::now();
            let clicked = player.click(&mut http, &mut random).await?;
            let answer = clicked.answer - begun;
            costs.push(Cost { work: work(&mut http, &player.path).await?, answer });
        }
        if costs.len() >= 2 * ENDS {
            last.extend(costs.drain(costs.len() - ENDS..));
            first.extend(costs.drain(..ENDS));
        }
    }
    heading(&format!("The first and the last {ENDS} choices of {GAMES} games"));
    for (what, costs) in [("first", &first), ("last", &last)] {
        let mut work: Times = costs.iter().map(|cost| cost.work).collect();
        let mut answer: Times = costs.iter().map(|cost| cost.answer).collect();
        row(&format!("{what}: play and draw, in the server"), &work.words(), None);
        row(&format!("{what}: click to answer"), &answer.words(), None);
    }

    let path = new_match(&mut http).await?;
    let mut player = Player::open(server.port, path).await?;
    let mut costs = Vec::new();
    let mut sizes = Vec::new();
    let mut pace = interval(PACE);
    pace.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut forward = true;
    while costs.len() < ENTRIES {
        pace.tick().await;
        let begun = Instant::now();
        let clicked = if forward {
            player.click(&mut http, &mut random).await?
        } else {
            player.undo(&mut http).await?
        };
        forward = !forward;
        sizes.push(clicked.bytes);
        let answer = clicked.answer - begun;
        costs.push(Cost { work: work(&mut http, &player.path).await?, answer });
    }
    heading(&format!("One match with {ENTRIES} entries of choosing and taking back"));
    for (what, costs) in [("first 300", &costs[..300]), ("last 300", &costs[ENTRIES - 300..])] {
        let mut work: Times = costs.iter().map(|cost| cost.work).collect();
        let mut answer: Times = costs.iter().map(|cost| cost.answer).collect();
        row(&format!("{what}: play and draw, in the server"), &work.words(), None);
        row(&format!("{what}: click to answer"), &answer.words(), None);
    }
    size_row(&mut sizes);
    let path = player.path.clone();
    drop((player, http, server));
    let begun = Instant::now();
    let server = Server::start(data);
    let started = begun.elapsed();
    let mut http = Http::connect(server.port).await?;
    let begun = Instant::now();
    http.get(&format!("{path}/update")).await?.text()?;
    row("opening it after a restart", &ms(begun.elapsed()), None);
    row("starting the server on this folder", &ms(started), None);
    Ok(())
}

/// What the last change of a match cost in the server, without waiting for the disk.
async fn work(http: &mut Http, path: &str) -> io::Result<Duration> {
    let shown = http.get(&format!("{path}/debug")).await?;
    let shown: Value = serde_json::from_str(shown.text()?)?;
    let micros = |what: &str| shown["microseconds"][what].as_u64().unwrap_or(0);
    Ok(Duration::from_micros(micros("play") + micros("draw")))
}
