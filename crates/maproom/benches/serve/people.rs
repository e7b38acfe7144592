//! What people apart cost: five thousand tables of two, a thousand people who look at theirs, and everything that follows from their
//! choices (whose time runs, who has to be told) written with them.
//!
//! Every pair of people has a timetable. A click that comes late because the one before it was slow counts from the moment at which
//! it should have been made. Then all click as fast as they can, which says what a choice costs with its effects and without: the same
//! people, signed in, at tables without clocks, where they sit by links, so that nothing follows from a choice. Guests of a house
//! without accounts are measured for comparison.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use ::people::Secret;
use store::{Added, NewAccount, People as _, Role, Session, SqliteStore};
use tokio::task::JoinSet;
use tokio::time::sleep_until;

use crate::player::{FORM, JSON, Player, Random};
use crate::process::{Server, processor, whole_machine};
use crate::report::{Times, heading, row};
use crate::wire::Http;

const PAIRS: usize = 500;
/// Tables of each pair; they look at one of them at a time.
const TABLES: usize = 10;
const RATE: u32 = 2_000;
/// The timetable is a little closer, because a pair that goes to its next table makes no choice meanwhile.
const TIMETABLE: u32 = 2_100;
const TIME: Duration = Duration::from_secs(20);
const FLAT_OUT: Duration = Duration::from_secs(10);
const BAR: Duration = Duration::from_millis(100);
/// What a choice may cost more with its effects.
const SHARE: f64 = 0.8;
/// Who makes the tables.
const MAKERS: usize = 16;

/// Who plays, and what follows from their choices.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// Guests by links, in a house without accounts.
    Guests,
    /// Accounts at tables to which they have the links, without clocks.
    Links,
    /// Accounts that keep their seats, with clocks: deadlines and notices are written with every choice.
    Members,
}

/// What one shape of the house achieved.
struct Achieved {
    per_second: f64,
    /// Processor time of the server for a choice.
    each: Duration,
}

impl Achieved {
    fn words(&self) -> String {
        format!("{:.0}/s, {:.0} µs of the server", self.per_second, self.each.as_secs_f64() * 1e6)
    }
}

pub async fn measure(data: &Path) -> io::Result<()> {
    let guests = shape(&data.join("guests"), Shape::Guests).await?;
    let without = shape(&data.join("links"), Shape::Links).await?;
    let with = shape(&data.join("members"), Shape::Members).await?;
    heading("What the effects cost: choices as fast as they go");
    row("guests, a house without accounts", &guests.words(), None);
    row("accounts, without effects", &without.words(), None);
    let share = with.per_second / without.per_second;
    let figures = format!("{}: {share:.2}", with.words());
    row("accounts, with effects", &figures, Some(("≥ 0.8 of those without", share >= SHARE)));
    Ok(())
}

/// Two people at one of their tables.
struct Pair {
    /// The lines of their heads, which say who they are.
    heads: [String; 2],
    https: [Http; 2],
    windows: [Player; 2],
    /// The tables at which they have not sat yet: the path of each.
    further: Vec<[String; 2]>,
    random: Random,
}

#[derive(Default)]
struct Result {
    answers: Times,
    updates: Times,
    others: Times,
    /// Clicks that fell into the time in which a pair went to its next table.
    between: usize,
    errors: Vec<String>,
}

impl Result {
    fn extend(&mut self, more: Self) {
        self.answers.extend(&more.answers);
        self.updates.extend(&more.updates);
        self.others.extend(&more.others);
        self.between += more.between;
        self.errors.extend(more.errors);
    }
}

/// Measures a house of people with accounts and clocks, or one of guests without.
async fn shape(data: &Path, shape: Shape) -> io::Result<Achieved> {
    let (people, server) = match shape {
        Shape::Guests => (None, Server::start(data)),
        // Everybody has an address of their own, as behind a proxy.
        Shape::Links | Shape::Members => {
            let doors =
                ["--accounts", "open", "--behind-proxy", "127.0.0.1", "--address", "https://bench.example"];
            (Some(sign_up(data)?), Server::start_with(data, &doors))
        }
    };
    let guests = || vec![format!("Host: 127.0.0.1:{}\r\n", server.port); 3 * PAIRS];
    let people = Arc::new(people.unwrap_or_else(guests));
    let pairs = sit_down(server.port, &people, shape == Shape::Members).await?;
    let what = match shape {
        Shape::Guests => "guests, no clocks",
        Shape::Links => "accounts, no clocks",
        Shape::Members => "accounts, clocks and notices",
    };
    heading(&format!(
        "{} tables, {} people ({what}), {RATE} choices a second for {} s",
        PAIRS * TABLES,
        2 * PAIRS,
        TIME.as_secs()
    ));
    let before = (server.processor(), processor("self"), whole_machine());
    let every = Duration::from_secs_f64(PAIRS as f64 / f64::from(TIMETABLE));
    let (pairs, mut result, lasted) = run(server.port, pairs, Some(every), TIME).await;
    tell(&mut result, lasted);
    let share = |used: Duration| 100.0 * used.as_secs_f64() / lasted.as_secs_f64();
    let (server_used, own_used) = (server.processor() - before.0, processor("self") - before.1);
    let others = (whole_machine() - before.2).saturating_sub(server_used + own_used);
    let figures = format!(
        "server {:.0} %, load generator {:.0} %, others {:.0} %",
        share(server_used),
        share(own_used),
        share(others)
    );
    row("processor, of one core", &figures, None);

    let before = server.processor();
    let (_, result, lasted) = run(server.port, pairs, None, FLAT_OUT).await;
    let made = result.updates.len();
    if let Some(error) = result.errors.first() {
        row("the first error", error, None);
    }
    let per_second = made as f64 / lasted.as_secs_f64();
    row("as fast as it goes", &format!("{per_second:.0}/s"), None);
    Ok(Achieved { per_second, each: (server.processor() - before) / made.max(1) as u32 })
}

fn tell(result: &mut Result, lasted: Duration) {
    row("click to answer (after the commit)", &result.answers.words(), None);
    let achieved = result.updates.len() as f64 / lasted.as_secs_f64();
    let is_fast = result.updates.at(990) <= BAR && result.others.at(990) <= BAR;
    let held = is_fast && result.errors.is_empty() && achieved >= f64::from(RATE);
    row(
        "click to update in one's own window",
        &result.updates.words(),
        Some(("p99 ≤ 100 ms at 2,000/s", held)),
    );
    row("click to update in the other's window", &result.others.words(), None);
    let figures = format!("{achieved:.0}/s, {} on the way to a table", result.between);
    row("achieved", &format!("{figures}, {} errors", result.errors.len()), None);
    if let Some(error) = result.errors.first() {
        row("the first error", error, None);
    }
}

/// Makes accounts that are signed in, before the server runs: passwords are measured elsewhere (`logins`). Returns the lines of their
/// heads; the last are those of an admin, who makes the tables of each pair from another place.
fn sign_up(data: &Path) -> io::Result<Vec<String>> {
    std::fs::create_dir_all(data)?;
    let store = SqliteStore::open(data).map_err(io::Error::other)?;
    store.prepare_people().map_err(io::Error::other)?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_err(io::Error::other)?.as_millis() as u64;
    let admin = sign_in(&store, "admin", Role::Admin, now)?;
    let mut people = Vec::new();
    for number in 0..3 * PAIRS {
        let session = match number < 2 * PAIRS {
            true => sign_in(&store, &format!("player{number}"), Role::Member, now)?,
            false => admin.clone(),
        };
        let address = format!("10.{}.{}.1", number / 250, number % 250);
        people.push(format!(
            "Host: bench.example\r\nCookie: __Host-maproom_session={session}\r\nX-Forwarded-For: {address}\r\n"
        ));
    }
    Ok(people)
}

/// Makes an account and a session of it.
fn sign_in(store: &SqliteStore, name: &str, role: Role, now: u64) -> io::Result<String> {
    let account = NewAccount {
        name: name.to_owned(),
        name_key: name.to_owned(),
        password: String::new(),
        zone: String::new(),
        role,
        at: now,
        invitation: None,
    };
    let Added::Made(account) = store.add_account(&account).map_err(io::Error::other)? else {
        return Err(io::Error::other("no account was made"));
    };
    let secret = Secret::new().map_err(|_| io::Error::other("no random numbers"))?;
    let session = Session {
        number: 0,
        key: secret.fingerprint(),
        account,
        made_at: now,
        seen_at: now,
        expires_at: now + 86_400_000,
        about: String::new(),
    };
    store.add_session(&session).map_err(io::Error::other)?;
    Ok(secret.reveal().to_owned())
}

/// Makes all tables and opens the windows on the first of each pair.
async fn sit_down(port: u16, people: &Arc<Vec<String>>, are_members: bool) -> io::Result<Vec<Pair>> {
    let mut makers = JoinSet::new();
    for maker in 0..MAKERS {
        let people = Arc::clone(people);
        makers.spawn(async move {
            let mut pairs = Vec::new();
            for at in (maker..PAIRS).step_by(MAKERS) {
                let mut host = Http::connect_as(port, &people[2 * PAIRS + at]).await?;
                let heads = [people[2 * at].clone(), people[2 * at + 1].clone()];
                pairs.push(Pair::sit_down(port, &mut host, heads, are_members, at as u64).await?);
            }
            Ok::<_, io::Error>(pairs)
        });
    }
    let mut all = Vec::new();
    while let Some(pairs) = makers.join_next().await {
        all.extend(pairs.map_err(io::Error::other)??);
    }
    Ok(all)
}

impl Pair {
    async fn sit_down(
        port: u16,
        host: &mut Http,
        heads: [String; 2],
        are_members: bool,
        seed: u64,
    ) -> io::Result<Self> {
        let mut https = [Http::connect_as(port, &heads[0]).await?, Http::connect_as(port, &heads[1]).await?];
        let mut further = Vec::new();
        for _ in 0..TABLES {
            further.push(new_table(host, &mut https, are_members).await?);
        }
        let Some(first) = further.pop() else { return Err(io::Error::other("no table")) };
        let windows = open(port, first, &heads).await?;
        Ok(Self { heads, https, windows, further, random: Random(seed) })
    }

    /// Goes to the next table when the match is over; `false` if there is none.
    async fn go_on(&mut self, port: u16) -> io::Result<bool> {
        let Some(next) = self.further.pop() else { return Ok(false) };
        self.windows = open(port, next, &self.heads).await?;
        Ok(true)
    }

    /// Whoever is asked clicks, and the other sees it.
    async fn click(&mut self, due: Instant, result: &mut Result) -> io::Result<()> {
        let at = usize::from(self.windows[0].is_over());
        let [one, other] = &mut self.windows;
        let (mover, waiting) = if at == 0 { (one, other) } else { (other, one) };
        let heard = waiting.hear();
        let (clicked, heard) = tokio::join!(mover.click(&mut self.https[at], &mut self.random), heard);
        let clicked = clicked?;
        result.answers.add(clicked.answer - due);
        result.updates.add(clicked.update - due);
        result.others.add(heard? - due);
        Ok(())
    }
}

async fn open(port: u16, [one, other]: [String; 2], heads: &[String; 2]) -> io::Result<[Player; 2]> {
    Ok([
        Player::open_with(Http::connect_as(port, &heads[0]).await?, one).await?,
        Player::open_with(Http::connect_as(port, &heads[1]).await?, other).await?,
    ])
}

/// Makes a match of two, who sit down; members keep their seats, and from then on their time runs.
async fn new_table(host: &mut Http, https: &mut [Http; 2], are_members: bool) -> io::Result<[String; 2]> {
    let clock = if are_members { "&clock=daily" } else { "" };
    let body = format!("game=blitz&option.mode=two_player&seat.0=friend&seat.1=friend&seed=7{clock}");
    let made = host.post("/matches", FORM, &body).await?;
    let place = made.header("location").map(str::to_owned);
    let place = place.ok_or_else(|| io::Error::other(format!("no match was made: {}", made.status)))?;
    let shown = host.get(&place).await?;
    let mut paths = links(shown.text()?)?;
    for (path, http) in paths.iter_mut().zip(https) {
        if are_members {
            let kept = http.post(&format!("{path}/keep"), FORM, "").await?;
            let own = kept.header("location").map(str::to_owned);
            *path = own.ok_or_else(|| io::Error::other(format!("no seat was kept: {}", kept.status)))?;
        }
        let sat = http.post(&format!("{path}/sit"), JSON, "{}").await?;
        if sat.status >= 300 {
            return Err(io::Error::other(format!("nobody sat down: {}", sat.status)));
        }
    }
    Ok(paths)
}

/// The paths behind the links of both seats.
fn links(page: &str) -> io::Result<[String; 2]> {
    let link = |seat: usize| {
        let (_, rest) = page.split_once(&format!("id=\"link-{seat}\""))?;
        let (_, rest) = rest.split_once("data-path=\"")?;
        Some(rest.split_once('"')?.0.to_owned())
    };
    match (link(0), link(1)) {
        (Some(one), Some(other)) => Ok([one, other]),
        _ => Err(io::Error::other("a page without the links of its seats")),
    }
}

/// Lets every pair click by its timetable, or as fast as it can.
async fn run(
    port: u16,
    pairs: Vec<Pair>,
    every: Option<Duration>,
    time: Duration,
) -> (Vec<Pair>, Result, Duration) {
    let start = Instant::now() + Duration::from_millis(100);
    let mut players = JoinSet::new();
    let count = pairs.len() as u32;
    for (at, pair) in (0..).zip(pairs) {
        let first = start + every.unwrap_or_default() * at / count;
        players.spawn(play(port, pair, (first, every, start + time)));
    }
    let (mut pairs, mut all) = (Vec::new(), Result::default());
    while let Some(Ok((pair, result))) = players.join_next().await {
        pairs.push(pair);
        all.extend(result);
    }
    (pairs, all, start.elapsed().max(time))
}

async fn play(
    port: u16,
    mut pair: Pair,
    (first, every, end): (Instant, Option<Duration>, Instant),
) -> (Pair, Result) {
    let mut result = Result::default();
    let mut due = first;
    while due < end {
        sleep_until(due.into()).await;
        if pair.windows.iter().all(Player::is_over) {
            match pair.go_on(port).await {
                Ok(true) => {}
                Ok(false) => break,
                Err(why) => result.errors.push(why.to_string()),
            }
            while every.is_some() && due < Instant::now() {
                due += every.unwrap_or_default();
                result.between += 1;
            }
            due = due.max(Instant::now());
            continue;
        }
        if let Err(why) = pair.click(due, &mut result).await {
            result.errors.push(format!("{}: {why}", pair.windows[0].path));
            break;
        }
        due = every.map_or_else(Instant::now, |every| due + every);
    }
    (pair, result)
}
