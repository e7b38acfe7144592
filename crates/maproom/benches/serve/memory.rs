//! Memory by match and by connection: the difference between two sizes, so that what the allocator and the database
//! take once does not count.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::Value;
use tokio::task::JoinSet;

use crate::player::{Random, new_match, play_blind};
use crate::process::Server;
use crate::report::{heading, row};
use crate::wire::{Http, Live};

const SIZES: (usize, usize) = (1_000, 3_000);
const CONNECTIONS: usize = 16;

pub async fn measure(data: &Path) -> io::Result<()> {
    heading(&format!("Memory, by the difference between {} and {}", SIZES.0, SIZES.1));
    let begun = Server::start(&data.join("begun"));
    let (by_match, paths, _) = matches(&begun, 5).await?;
    row("a live match after 5 choices", &by_match, None);

    let (by_socket, held) = sockets(&begun, &paths, 0).await?;
    row("an idle WebSocket, nothing sent yet", &by_socket, Some(("≤ 16 KB", held)));
    tokio::time::sleep(Duration::from_secs(1)).await;
    let (by_socket, held) = sockets(&begun, &paths, 3).await?;
    row("an idle WebSocket, after three updates", &by_socket, Some(("≤ 16 KB", held)));
    drop(begun);

    let ended = Server::start(&data.join("ended"));
    let (by_match, paths, slope) = matches(&ended, usize::MAX).await?;
    row("a live match played to its end", &by_match, Some(("≤ 8 KB", slope <= 8.0 * 1024.0)));
    let mut http = Http::connect(ended.port).await?;
    let mut steps = 0;
    for path in &paths[..100] {
        let shown = http.get(&format!("{path}/debug")).await?;
        let shown: Value = serde_json::from_str(shown.text()?)?;
        steps += shown["steps"].as_u64().unwrap_or(0);
    }
    row("its length", &format!("{} steps on average", steps / 100), None);
    Ok(())
}

/// Makes matches live and plays them; the bytes of one, in words, and their paths.
async fn matches(server: &Server, choices: usize) -> io::Result<(String, Vec<String>, f64)> {
    let mut paths: Vec<String> = Vec::new();
    let empty = server.memory();
    let mut sizes = Vec::new();
    for count in [SIZES.0, SIZES.1] {
        let wanted = count - paths.len();
        let taken = Arc::new(AtomicUsize::new(0));
        let mut players = JoinSet::new();
        for seed in 0..CONNECTIONS {
            let (port, taken) = (server.port, Arc::clone(&taken));
            players.spawn(async move {
                let mut http = Http::connect(port).await?;
                let mut random = Random((count + seed) as u64);
                let mut paths = Vec::new();
                while taken.fetch_add(1, Ordering::Relaxed) < wanted {
                    let path = new_match(&mut http).await?;
                    play_blind(&mut http, &path, choices, &mut random).await?;
                    paths.push(path);
                }
                Ok::<_, io::Error>(paths)
            });
        }
        while let Some(made) = players.join_next().await {
            paths.extend(made.map_err(io::Error::other)??);
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
        sizes.push(server.memory());
    }
    let slope = (sizes[1] - sizes[0]) / (SIZES.1 - SIZES.0) as f64;
    let figures = format!(
        "{:.1} KB (empty {:.1} MB, {} matches: {:.1} MB)",
        slope / 1024.0,
        empty / 1e6,
        SIZES.1,
        sizes[1] / 1e6
    );
    Ok((figures, paths, slope))
}

/// Opens windows that know their match, makes so many choices in each, and lets them lie idle; the bytes of one, in words.
async fn sockets(server: &Server, paths: &[String], choices: usize) -> io::Result<(String, bool)> {
    let mut http = Http::connect(server.port).await?;
    let mut random = Random(choices as u64);
    let mut sockets = Vec::new();
    let mut sizes = Vec::new();
    for count in [SIZES.0, SIZES.1] {
        while sockets.len() < count {
            let path = &paths[sockets.len()];
            // Every match has had its set-up and five choices.
            let mut live = Live::open(server.port, path, 6).await?;
            for _ in 0..play_blind(&mut http, path, choices, &mut random).await? {
                live.change().await?;
            }
            sockets.push(live);
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
        sizes.push(server.memory());
    }
    let slope = (sizes[1] - sizes[0]) / (SIZES.1 - SIZES.0) as f64;
    let figures = format!("{:.1} KB ({} connections: {:.1} MB)", slope / 1024.0, SIZES.1, sizes[1] / 1e6);
    Ok((figures, slope <= 16.0 * 1024.0))
}
