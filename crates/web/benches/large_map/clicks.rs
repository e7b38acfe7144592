//! From the click of one seat to the update in the windows of the other seat and of a spectator.

use std::collections::BTreeMap;
use std::io;
use std::time::{Duration, Instant};

use serde_json::Value;
use store::Player;

use crate::figures::{Rounds, heading, kb, row, sizes};
use crate::stand::{MARKS, Planted, Stand};
use crate::wire::{Http, Live};

const ROUNDS: usize = 5;
/// The server takes 60 changes of a match at once, then 30 a second.
const CLICKS: usize = 40;
/// Clicks of one match, fewer than its last steps leave, for a profiler.
const PROFILED: usize = 300;
const PACE: Duration = Duration::from_millis(34);

/// A match with the windows of both seats and of a spectator.
pub struct Windows {
    pub planted: Planted,
    pub http: Http,
    pub windows: [Live; 3],
}

impl Windows {
    pub async fn open(port: u16, planted: Planted) -> io::Result<Self> {
        let [north, south, viewer] = &planted.paths;
        let since = planted.revision;
        let windows = [
            Live::open(port, north, since).await?,
            Live::open(port, south, since).await?,
            Live::open(port, viewer, since).await?,
        ];
        Ok(Self { planted, http: Http::connect(port).await?, windows })
    }

    /// Makes a choice and waits until everybody has heard of it.
    async fn click(&mut self) -> io::Result<Click> {
        let mover = self.planted.mover();
        let path = format!("{}/choose", self.planted.paths[mover]);
        let body = self.planted.click();
        let begun = Instant::now();
        self.http.tell(&path, "application/json", &body).await?;
        let [north, south, viewer] = &mut self.windows;
        let (answer, north, south, viewer) =
            tokio::join!(self.http.answer(), heard(north, begun), heard(south, begun), heard(viewer, begun));
        answer?.text()?;
        let mut windows = [north?, south?, viewer?];
        // The one who clicked first, then the other seat.
        windows[..2].rotate_left(mover);
        Ok(Click { windows })
    }

    /// What the server says that the last change cost it: playing, waiting for the disk, drawing.
    async fn costs(&mut self) -> io::Result<[Duration; 3]> {
        let shown = self.http.get(&format!("{}/debug", self.planted.paths[2])).await?;
        let shown: Value = serde_json::from_str(shown.text()?)?;
        let micros = |what: &str| shown["microseconds"][what].as_u64().unwrap_or(0);
        Ok(["play", "store", "draw"].map(|what| Duration::from_micros(micros(what))))
    }
}

/// What came of a click: the window of the one who clicked, that of the other seat, that of the spectator.
struct Click {
    windows: [(Duration, String); 3],
}

async fn heard(window: &mut Live, begun: Instant) -> io::Result<(Duration, String)> {
    let message = window.message().await?;
    Ok((begun.elapsed(), message))
}

/// What was found at one step of the match.
#[derive(Default)]
struct Found {
    other: Rounds,
    spectator: Rounds,
    costs: [Rounds; 3],
    sizes: [Vec<usize>; 3],
    /// Bytes of the other seat's updates by kind of part, and how many parts.
    kinds: BTreeMap<&'static str, (usize, usize)>,
    /// Pages that were sent for everything anew, and what that was: time and bytes.
    behind: usize,
    whole: Vec<usize>,
    pieces: usize,
    choices: usize,
}

pub async fn measure(stand: &mut Stand) -> io::Result<()> {
    let mut all: Vec<Found> = MARKS.map(|_| Found::default()).into();
    for _ in 0..ROUNDS {
        for (mark, found) in MARKS.into_iter().zip(&mut all) {
            let planted = stand.plant(mark, [Player::Owner, Player::Person])?;
            let mut match_ = Windows::open(stand.port, planted).await?;
            round(&mut match_, found).await?;
        }
    }
    for (mark, mut found) in MARKS.into_iter().zip(all) {
        heading(&format!(
            "Step {mark}: {} choices, {} pieces; {ROUNDS} rounds of {CLICKS} clicks",
            found.choices, found.pieces
        ));
        row("click to update at the other seat", &found.other.words());
        row("click to update at a spectator", &found.spectator.words());
        for (what, rounds) in ["playing", "waiting for the disk", "drawing"].into_iter().zip(&mut found.costs)
        {
            row(&format!("in the server: {what}"), &rounds.words());
        }
        let whose = ["the one who clicked", "the other seat", "a spectator"];
        for (who, bytes) in whose.into_iter().zip(&mut found.sizes) {
            row(&format!("update of {who}"), &sizes(bytes));
        }
        let behind = 100.0 * found.behind as f64 / (3 * ROUNDS * CLICKS) as f64;
        row("told to ask for everything instead", &format!("{behind:.1} %, {}", sizes(&mut found.whole)));
        let count = found.sizes[1].len().max(1);
        for (kind, (bytes, parts)) in &found.kinds {
            let parts = *parts as f64 / count as f64;
            row(
                &format!("  of the other seat's: {kind}"),
                &format!("{} KB in {parts:.1} parts", kb(bytes / count)),
            );
        }
    }
    Ok(())
}

async fn round(windows: &mut Windows, found: &mut Found) -> io::Result<()> {
    let (mut other, mut spectator, mut costs) = (Vec::new(), Vec::new(), [const { Vec::new() }; 3]);
    let state = windows.planted.mirror.state();
    found.pieces = state.pieces.iter().filter(|piece| piece.cell != terrain::NOWHERE).count();
    found.choices = windows.planted.mirror.choices().len();
    for _ in 0..CLICKS {
        let known = windows.planted.revision;
        let Click { windows: heard } = windows.click().await?;
        other.push(heard[1].0);
        spectator.push(heard[2].0);
        for (at, (_, message)) in heard.iter().enumerate() {
            let message = message.as_str();
            if message.starts_with("{\"behind\"") {
                found.behind += 1;
                let asked = format!("{}/update?since={known}", windows.planted.paths[at]);
                found.whole.push(windows.http.get(&asked).await?.text()?.len());
                continue;
            }
            found.sizes[at].push(message.len());
            if at == 1 {
                add_kinds(message, &mut found.kinds)?;
            }
        }
        for (all, cost) in costs.iter_mut().zip(windows.costs().await?) {
            all.push(cost);
        }
    }
    found.other.add(other);
    found.spectator.add(spectator);
    for (rounds, round) in found.costs.iter_mut().zip(costs) {
        rounds.add(round);
    }
    Ok(())
}

/// Adds up the bytes of an update by kind of part.
fn add_kinds(message: &str, kinds: &mut BTreeMap<&'static str, (usize, usize)>) -> io::Result<()> {
    let update: Value = serde_json::from_str(message)?;
    let mut add = |kind, bytes: usize| {
        let (all, count) = kinds.entry(kind).or_default();
        (*all, *count) = (*all + bytes, *count + 1);
    };
    for part in update["parts"].as_array().into_iter().flatten() {
        let kind = match part[0].as_str().unwrap_or_default() {
            "choices" => "choices",
            "targets" => "lit hexes",
            key if key.starts_with("p-") => "pieces",
            _ => "other parts",
        };
        add(kind, part.to_string().len());
    }
    add("log", update["log"].to_string().len());
    Ok(())
}

/// Makes choices at the last mark as fast as the server takes them from one match, for a profiler to look at.
pub async fn profile(stand: &mut Stand) -> io::Result<()> {
    let planted = stand.plant(MARKS[3], [Player::Owner, Player::Person])?;
    let mut windows = Windows::open(stand.port, planted).await?;
    for _ in 0..PROFILED {
        windows.click().await?;
        tokio::time::sleep(PACE).await;
    }
    row("clicks made", &PROFILED.to_string());
    Ok(())
}
