//! One player on a quiet server: from the click to the update in the window.

use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use tokio::time::{MissedTickBehavior, interval};

use crate::player::{Player, Random, new_match};
use crate::process::Server;
use crate::report::{Times, heading, row};
use crate::wire::Http;

const CHOICES: usize = 500;
const PACE: Duration = Duration::from_millis(50);
const BAR: Duration = Duration::from_millis(50);

pub async fn measure(data: &Path) -> io::Result<()> {
    let server = Server::start(data);
    let mut http = Http::connect(server.port).await?;
    let mut random = Random(1);
    let first = new_match(&mut http).await?;
    let mut player = Player::open(server.port, first).await?;
    let (mut answers, mut updates, mut sizes) = (Times::default(), Times::default(), Vec::new());
    let mut pace = interval(PACE);
    pace.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while updates.len() < CHOICES {
        if player.is_over() {
            let next = new_match(&mut http).await?;
            player = Player::open(server.port, next).await?;
        }
        pace.tick().await;
        let begun = Instant::now();
        let clicked = player.click(&mut http, &mut random).await?;
        answers.add(clicked.answer - begun);
        updates.add(clicked.update - begun);
        sizes.push(clicked.bytes);
    }
    heading(&format!("One player, {CHOICES} choices at 20 a second"));
    row("click to answer (after the commit)", &answers.words(), None);
    let held = updates.at(990) <= BAR;
    row("click to update in the window", &updates.words(), Some(("p99 ≤ 50 ms", held)));
    size_row(&mut sizes);
    Ok(())
}

/// The sizes of updates.
pub fn size_row(sizes: &mut [usize]) {
    sizes.sort_unstable();
    let (half, most) = (sizes.get(sizes.len() / 2).copied().unwrap_or(0), sizes.last().copied().unwrap_or(0));
    let figures = format!("p50 {:.1} KB  max {:.1} KB", half as f64 / 1e3, most as f64 / 1e3);
    row("size of an update", &figures, Some(("≤ 30 KB", most <= 30_000)));
}
