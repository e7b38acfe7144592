//! Bots and analysis in a long match: what asking a bot costs a click, and what the chances to win do.

use std::io;
use std::time::{Duration, Instant};

use store::Player;
use tokio::time::{Instant as Clock, timeout_at};

use crate::figures::{Rounds, heading, row, sizes};
use crate::stand::{MARKS, Planted, Stand};
use crate::wire::{Http, Live, read_news};

const ROUNDS: usize = 3;
const CLICKS: usize = 15;
/// From click to click, by turns: the analysis of a position is under way, or has been told.
const PACES: [Duration; 2] = [Duration::from_millis(350), Duration::from_millis(900)];
/// A bot that has not answered by then never will.
const PATIENCE: Duration = Duration::from_secs(20);

/// What was found.
#[derive(Default)]
struct Found {
    own: Rounds,
    bots: Rounds,
    updates: Vec<usize>,
    asides: Vec<usize>,
}

pub async fn measure(stand: &mut Stand) -> io::Result<()> {
    for mark in [MARKS[0], MARKS[3]] {
        let mut all = [(false, Found::default()), (true, Found::default())];
        for _ in 0..ROUNDS {
            for (chances, found) in &mut all {
                stand.show_chances(*chances).await?;
                let planted = against_bot(stand, mark)?;
                round(stand.port, planted, found).await?;
            }
        }
        for (chances, mut found) in all {
            let with = if chances { "with" } else { "without" };
            heading(&format!("Step {mark}: against the quick bot, {with} win chances"));
            row("click to update", &found.own.words());
            row("click to the bot's answer in the window", &found.bots.words());
            row("updates", &sizes(&mut found.updates));
            row(
                &format!("updates without a new revision: {}", found.asides.len()),
                &sizes(&mut found.asides),
            );
        }
    }
    stand.show_chances(true).await?;
    let planted = against_bot(stand, MARKS[3])?;
    let mut http = Http::connect(stand.port).await?;
    let begun = Instant::now();
    http.get(&format!("{}/hint", planted.paths[0])).await?.text()?;
    heading("A hint at the last mark");
    row("click to answer, a second of it search", &format!("{:.1} ms", begun.elapsed().as_secs_f64() * 1e3));
    Ok(())
}

/// A match at about a step, in which the north is to choose and a bot has the south.
fn against_bot(stand: &mut Stand, mark: usize) -> io::Result<Planted> {
    let is_norths = |step: usize| stand.course.state_at(stand.input_before(step)).side() == 0;
    let step = (mark..mark + 10).find(|step| is_norths(*step)).unwrap_or(mark);
    stand.plant(step, [Player::Owner, Player::Bot("greedy".to_owned())])
}

async fn round(port: u16, mut planted: Planted, found: &mut Found) -> io::Result<()> {
    let path = planted.paths[0].clone();
    let mut http = Http::connect(port).await?;
    let mut window = Live::open(port, &path, planted.revision).await?;
    let (mut own, mut bots) = (Vec::new(), Vec::new());
    for pace in PACES.into_iter().cycle().take(CLICKS) {
        let body = planted.click();
        let begun = Instant::now();
        http.tell(&format!("{path}/choose"), "application/json", &body).await?;
        // The own choice, then that of the bot.
        for times in [&mut own, &mut bots] {
            let message = change(&mut window, Clock::now() + PATIENCE, found).await?;
            let message = message.ok_or(io::ErrorKind::TimedOut)?;
            times.push(begun.elapsed());
            found.updates.push(message.len());
        }
        http.answer().await?.text()?;
        let made = last_choice(&mut http, &path).await?;
        planted.follow(&made);
        let gap = Clock::now() + pace.saturating_sub(begun.elapsed());
        if change(&mut window, gap, found).await?.is_some() {
            return Err(io::Error::other("a change that nobody has made"));
        }
    }
    found.own.add(own);
    found.bots.add(bots);
    Ok(())
}

/// The next message with a new revision, or none until then; others are counted.
async fn change(window: &mut Live, until: Clock, found: &mut Found) -> io::Result<Option<String>> {
    while let Ok(message) = timeout_at(until, window.message()).await {
        let message = message?;
        if message.starts_with("{\"behind\"") {
            return Ok(Some(message));
        }
        if !read_news(&message)?.is_aside() {
            return Ok(Some(message));
        }
        found.asides.push(message.len());
    }
    Ok(None)
}

/// The last choice of a seat in the server.
async fn last_choice(http: &mut Http, path: &str) -> io::Result<String> {
    let shown = http.get(&format!("{path}/debug")).await?;
    let shown: serde_json::Value = serde_json::from_str(shown.text()?)?;
    let log = shown["log"].as_array().into_iter().flatten().rev();
    let mut made = log.filter(|step| step[1] != "fate").filter_map(|step| step[2].as_str());
    made.next().map(str::to_owned).ok_or_else(|| io::Error::other("an empty log"))
}
