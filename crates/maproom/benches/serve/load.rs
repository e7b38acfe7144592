//! A thousand matches at once.
//!
//! Every match has a timetable. A click that comes late because the one before it was slow counts from the moment at
//! which it should have been made, so that a stall of the server is seen by everybody who would have waited for it.
//!
//! Every window wants to know the chances to win, as those of people do, unless the owner has switched them off.

use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::sleep_until;

use crate::idle::size_row;
use crate::player::{FORM, Player, Random, new_match};
use crate::process::{Server, processor, whole_machine};
use crate::report::{Times, heading, row};
use crate::wire::Http;

const MATCHES: usize = 1_000;
const RATE: u32 = 2_000;
const TIME: Duration = Duration::from_secs(20);
/// Faster and faster, for a shorter time, until the bar falls.
const FASTER: [u32; 6] = [2_500, 3_000, 4_000, 5_000, 6_000, 8_000];
const SHORT: Duration = Duration::from_secs(8);
const BAR: Duration = Duration::from_millis(100);
/// Fewer choices than any but the shortest games have: so many matches are made before the clock runs.
const SHORTEST: u32 = 11;
/// Matches that stand ready with an open window.
const READY: usize = 256;
/// Whoever finds none looks again after a moment.
const SOON: Duration = Duration::from_millis(2);
/// Who opens them.
const OPENERS: usize = 32;

/// The servers of a house. A place clicks at one of them and has its windows there too, or at the next.
#[derive(Clone)]
pub struct Doors {
    pub ports: Vec<u16>,
    /// Whether the windows are at the next server.
    pub across: bool,
}

impl Doors {
    fn side(&self, at: usize) -> usize {
        at % self.ports.len()
    }

    fn clicks(&self, at: usize) -> u16 {
        self.ports[self.side(at)]
    }

    fn windows(&self, at: usize) -> u16 {
        self.ports[self.side(at + usize::from(self.across))]
    }
}

/// A seat of the load generator: one connection, one match after the other.
pub struct Place {
    /// Which of the servers it is at.
    side: usize,
    http: Http,
    player: Player,
    random: Random,
}

#[derive(Default)]
pub struct Result {
    pub answers: Times,
    pub updates: Times,
    sizes: Vec<usize>,
    /// Updates without a new revision, and their size.
    asides: (usize, usize),
    pub errors: Vec<String>,
    pub starved: usize,
    pub lasted: Duration,
}

impl Result {
    /// Choices a second.
    pub fn rate(&self) -> f64 {
        self.updates.len() as f64 / self.lasted.as_secs_f64()
    }
}

/// Opens a window on a new match for so many places.
pub async fn places(doors: &Doors, count: usize) -> io::Result<Vec<Place>> {
    let mut places = Vec::new();
    for (at, path) in make(doors, count).await?.into_iter().enumerate() {
        let http = Http::connect(doors.clicks(at)).await?;
        let player = Player::open(doors.windows(at), path).await?;
        places.push(Place { side: doors.side(at), http, player, random: Random(at as u64) });
    }
    Ok(places)
}

pub async fn measure(data: &Path, chances: bool) -> io::Result<()> {
    let server = Server::start(data);
    let port = server.port;
    if !chances {
        // What the owner sets holds for everybody who has set nothing else.
        Http::connect(port).await?.post("/settings", FORM, "theme=system").await?;
    }
    let with = if chances { "with win chances" } else { "without win chances" };
    let doors = Doors { ports: vec![port], across: false };
    let mut places = places(&doors, MATCHES).await?;
    let mut best = None;
    for (at, rate) in std::iter::once(RATE).chain(FASTER).enumerate() {
        let time = if at == 0 { TIME } else { SHORT };
        let clicks = u64::from(rate) * time.as_secs();
        let spares = make(&doors, spares(clicks)).await?;
        let before = (server.processor(), processor("self"), whole_machine());
        let (returned, mut result) = run(&doors, places, spares, rate, time).await;
        places = returned;
        let lasted = result.lasted;
        let share = |used: Duration| 100.0 * used.as_secs_f64() / lasted.as_secs_f64();
        heading(&format!("{MATCHES} matches {with}, {rate} choices a second for {} s", time.as_secs()));
        row("click to answer (after the commit)", &result.answers.words(), None);
        let held = result.updates.at(990) <= BAR && result.errors.is_empty();
        row("click to update in the window", &result.updates.words(), Some(("p99 ≤ 100 ms", held)));
        let achieved = result.rate();
        row("achieved", &format!("{achieved:.0}/s, {} errors", result.errors.len()), None);
        if result.asides.0 > 0 {
            let (count, bytes) = result.asides;
            let figures = format!("{count}, {:.1} KB each", bytes as f64 / count as f64 / 1e3);
            row("updates without a new revision", &figures, None);
        }
        if result.starved > 0 {
            row("clicks left out (no new match was ready)", &result.starved.to_string(), None);
        }
        let (server_used, own_used) = (server.processor() - before.0, processor("self") - before.1);
        let others = (whole_machine() - before.2).saturating_sub(server_used + own_used);
        let figures = format!(
            "server {:.0} %, load generator {:.0} %, others {:.0} %",
            share(server_used),
            share(own_used),
            share(others)
        );
        row("processor, of one core", &figures, None);
        if at == 0 {
            size_row(&mut result.sizes);
        }
        if let Some(error) = result.errors.first() {
            row("the first error", error, None);
        }
        if !held || achieved < 0.97 * f64::from(rate) {
            break;
        }
        best = Some(rate);
    }
    heading(&format!("The highest rate that was kept up {with} and p99 ≤ 100 ms"));
    row("choices a second", &best.map_or_else(|| "none".to_owned(), |rate| rate.to_string()), None);
    Ok(())
}

/// Matches enough for so many clicks.
pub fn spares(clicks: u64) -> usize {
    usize::try_from(clicks).unwrap_or(0) / SHORTEST as usize
}

/// Makes matches over a few connections.
pub async fn make(doors: &Doors, count: usize) -> io::Result<Vec<String>> {
    let mut makers = JoinSet::new();
    for at in 0..16 {
        let port = doors.clicks(at);
        makers.spawn(async move {
            let mut http = Http::connect(port).await?;
            let mut paths = Vec::new();
            for _ in (at..count).step_by(16) {
                paths.push(new_match(&mut http).await?);
            }
            Ok::<_, io::Error>(paths)
        });
    }
    let mut all = Vec::new();
    while let Some(paths) = makers.join_next().await {
        all.extend(paths.map_err(io::Error::other)??);
    }
    Ok(all)
}

/// Opens windows on spare matches, a few ahead of those who need them, for the places of each side.
fn open_ahead(doors: &Doors, spares: &[String]) -> Vec<Ready> {
    let sides = doors.ports.len();
    let open = |side: usize| {
        let (sender, receiver) = mpsc::channel(READY);
        let port = doors.windows(side);
        for at in 0..OPENERS {
            let own = spares.iter().skip(side + at * sides).step_by(OPENERS * sides);
            let (own, sender): (Vec<String>, _) = (own.cloned().collect(), sender.clone());
            tokio::spawn(async move {
                for path in own {
                    let Ok(player) = Player::open(port, path).await else { continue };
                    if sender.send(player).await.is_err() {
                        break;
                    }
                }
            });
        }
        Arc::new(Mutex::new(receiver))
    };
    (0..sides).map(open).collect()
}

type Ready = Arc<Mutex<mpsc::Receiver<Player>>>;

/// Lets every place click by its timetable.
pub async fn run(
    doors: &Doors,
    places: Vec<Place>,
    spares: Vec<String>,
    rate: u32,
    time: Duration,
) -> (Vec<Place>, Result) {
    let ready = open_ahead(doors, &spares);
    tokio::time::sleep(Duration::from_millis(500)).await;
    let start = Instant::now() + Duration::from_millis(100);
    let count = places.len();
    let mut players = JoinSet::new();
    for (at, place) in places.into_iter().enumerate() {
        let first = start + Duration::from_secs_f64(at as f64 / f64::from(rate));
        let every = Duration::from_secs_f64(count as f64 / f64::from(rate));
        let ports = [doors.clicks(place.side), doors.windows(place.side)];
        let ready = Arc::clone(&ready[place.side]);
        players.spawn(play(ports, place, ready, (first, every, start + time)));
    }
    let (mut places, mut all) = (Vec::new(), Result::default());
    while let Some(Ok((place, result))) = players.join_next().await {
        places.extend(place);
        all.answers.extend(&result.answers);
        all.updates.extend(&result.updates);
        all.sizes.extend(result.sizes);
        all.asides = (all.asides.0 + result.asides.0, all.asides.1 + result.asides.1);
        all.errors.extend(result.errors);
        all.starved += result.starved;
    }
    all.lasted = start.elapsed().max(time);
    (places, all)
}

async fn play(
    ports: [u16; 2],
    mut place: Place,
    ready: Ready,
    (first, every, end): (Instant, Duration, Instant),
) -> (Option<Place>, Result) {
    let mut result = Result::default();
    let mut due = first;
    while due < end {
        sleep_until(due.into()).await;
        if place.player.is_over() {
            match ready.lock().unwrap_or_else(PoisonError::into_inner).try_recv() {
                Ok(next) => place.player = next,
                Err(_) => {
                    result.starved += 1;
                    due = (due + every).max(Instant::now() + SOON);
                    continue;
                }
            }
        }
        if !place.player.is_over() {
            match place.player.click(&mut place.http, &mut place.random).await {
                Ok(clicked) => {
                    result.answers.add(clicked.answer - due);
                    result.updates.add(clicked.update - due);
                    result.sizes.push(clicked.bytes);
                    result.asides.0 += clicked.asides.0;
                    result.asides.1 += clicked.asides.1;
                }
                Err(why) => {
                    result.errors.push(format!("{} at {}: {why}", place.player.path, place.player.revision));
                    match renew(ports, &place.player.path).await {
                        Ok((http, player)) => (place.http, place.player) = (http, player),
                        Err(_) => return (None, result),
                    }
                }
            }
        }
        due += every;
    }
    (Some(place), result)
}

/// After an error: a new connection and a new window on the same match.
async fn renew([clicks, windows]: [u16; 2], path: &str) -> io::Result<(Http, Player)> {
    Ok((Http::connect(clicks).await?, Player::open(windows, path.to_owned()).await?))
}
