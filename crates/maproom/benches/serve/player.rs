//! Somebody who plays: a match, the window on it, and a connection for clicks.

use std::io;
use std::time::{Duration, Instant};

use tokio::time::timeout;

use crate::wire::{Http, Live, News, read_news};

pub const JSON: &str = "application/json";
pub const FORM: &str = "application/x-www-form-urlencoded";
const NEW_MATCH: &str = "game=echoes&option.edition=allied&option.spread=1&dice=fair";
const PATIENCE: Duration = Duration::from_secs(20);

/// Random enough for a bot (SplitMix64).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn pick<'a>(&mut self, from: &'a [String]) -> &'a str {
        usize::try_from(self.next() % from.len().max(1) as u64)
            .ok()
            .and_then(|at| from.get(at))
            .map_or("", String::as_str)
    }
}

/// Makes a match and returns the path of its table.
pub async fn new_match(http: &mut Http) -> io::Result<String> {
    let answer = http.post("/matches", FORM, NEW_MATCH).await?;
    let path = answer.header("location").map(|path| path.trim().to_owned());
    path.ok_or_else(|| io::Error::other(format!("no match was made: {}", answer.status)))
}

/// A click as JSON.
pub fn click(revision: u32, choice: &str) -> String {
    format!("{{\"revision\":{revision},\"choice\":\"{choice}\"}}")
}

/// A match and the window on it.
pub struct Player {
    pub path: String,
    live: Live,
    pub revision: u32,
    pub choices: Vec<String>,
}

/// How a click went.
pub struct Clicked {
    /// When it was acknowledged.
    pub answer: Instant,
    /// When the window had the update.
    pub update: Instant,
    /// The size of the update.
    pub bytes: usize,
    /// Updates without a new revision that came before it, and their size.
    pub asides: (usize, usize),
}

impl Player {
    /// Opens the window.
    pub async fn open(port: u16, path: String) -> io::Result<Self> {
        Self::open_with(Http::connect(port).await?, path).await
    }

    /// Opens the window over a connection.
    pub async fn open_with(mut http: Http, path: String) -> io::Result<Self> {
        let shown = http.get(&format!("{path}/update")).await?;
        let news = read_news(shown.text()?)?;
        let mut live = Live::open_with(http, &path, news.to).await?;
        if path.ends_with("/mine") {
            live.say("shown").await?;
        }
        Ok(Self { path, live, revision: news.to, choices: news.choices.unwrap_or_default() })
    }

    /// Waits for the update of what somebody else has done.
    pub async fn hear(&mut self) -> io::Result<Instant> {
        let late = io::Error::from(io::ErrorKind::TimedOut);
        let news = timeout(PATIENCE, self.live.change()).await.map_err(|_| late)??;
        self.take(news)?;
        Ok(Instant::now())
    }

    pub fn is_over(&self) -> bool {
        self.choices.is_empty()
    }

    /// Makes a random choice.
    pub async fn click(&mut self, http: &mut Http, random: &mut Random) -> io::Result<Clicked> {
        let body = click(self.revision, random.pick(&self.choices));
        self.send(http, "choose", &body).await
    }

    /// Takes back the last decision.
    pub async fn undo(&mut self, http: &mut Http) -> io::Result<Clicked> {
        let body = format!("{{\"revision\":{},\"scope\":\"step\"}}", self.revision);
        self.send(http, "undo", &body).await
    }

    async fn send(&mut self, http: &mut Http, what: &str, body: &str) -> io::Result<Clicked> {
        http.tell(&format!("{}/{what}", self.path), JSON, body).await?;
        let (mut update, mut asides) = (None, (0, 0));
        let answer = loop {
            tokio::select! {
                answer = http.answer() => break answer?,
                heard = self.live.news(), if update.is_none() => update = change(heard?, &mut asides),
            }
        };
        let answered = Instant::now();
        answer.text()?;
        while update.is_none() {
            let late = io::Error::from(io::ErrorKind::TimedOut);
            let heard = timeout(PATIENCE, self.live.news()).await.map_err(|_| late)??;
            update = change(heard, &mut asides);
        }
        let Some((news, updated)) = update else { return Err(io::ErrorKind::TimedOut.into()) };
        let bytes = news.bytes;
        self.take(news)?;
        Ok(Clicked { answer: answered, update: updated, bytes, asides })
    }

    fn take(&mut self, news: News) -> io::Result<()> {
        if news.to != self.revision + 1 {
            return Err(io::Error::other(format!("revision {} after {}", news.to, self.revision)));
        }
        self.revision = news.to;
        if let Some(choices) = news.choices {
            self.choices = choices;
        }
        Ok(())
    }
}

/// An update that answers a click, with the time; one without a new revision is only counted.
fn change(news: News, asides: &mut (usize, usize)) -> Option<(News, Instant)> {
    if news.is_aside() {
        *asides = (asides.0 + 1, asides.1 + news.bytes);
        return None;
    }
    Some((news, Instant::now()))
}

/// Plays a match without a window: so many choices, or to its end. Returns how many were made.
pub async fn play_blind(http: &mut Http, path: &str, most: usize, random: &mut Random) -> io::Result<usize> {
    for made in 0..most {
        let shown = http.get(&format!("{path}/update")).await?;
        let news = read_news(shown.text()?)?;
        let choices = news.choices.unwrap_or_default();
        if choices.is_empty() {
            return Ok(made);
        }
        let body = click(news.to, random.pick(&choices));
        let answer = http.post(&format!("{path}/choose"), JSON, &body).await?;
        if answer.status == 429 {
            tokio::time::sleep(Duration::from_millis(500)).await;
            continue;
        }
        answer.text()?;
    }
    Ok(most)
}
