//! Power cuts: the server is killed (`kill -9`) at random moments while matches are played, again and again on the
//! same data. What a player was told has happened must have happened, once, and nothing else.
//!
//! `MAPROOM_KILLS` says how often, `MAPROOM_SEED` how the moments fall.

/// The program under test.
const PROGRAM: &str = env!("CARGO_BIN_EXE_maproom");

#[path = "server/client.rs"]
mod client;

use std::io::{self, Write as _};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::{Duration, Instant};

use client::{Http, JSON, NEW_MATCH_OF_SEED, PATIENCE, Server, Socket, run, words};
use serde_json::{Value, json};

/// Matches that are played at the same time.
const MATCHES: usize = 12;
/// How often the server is killed.
const KILLS: u32 = 200;

/// Random enough for a test (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound.max(1) as u64).expect("a small number")
    }
}

/// What a player does.
#[derive(Clone, Debug)]
enum Click {
    Choose(String),
    Undo,
}

/// A match as its player knows it.
struct Game {
    path: String,
    /// The revision that was last acknowledged.
    revision: u64,
    /// The revision that was last told over the WebSocket.
    told: u64,
    /// The acknowledged choices that stand.
    choices: Vec<String>,
    /// The click whose answer never came.
    in_flight: Option<Click>,
    over: bool,
    acknowledged: u64,
}

impl Game {
    fn new(path: String) -> Self {
        Self {
            path,
            revision: 1,
            told: 1,
            choices: Vec::new(),
            in_flight: None,
            over: false,
            acknowledged: 0,
        }
    }

    fn apply(&mut self, click: &Click) {
        match click {
            Click::Choose(choice) => self.choices.push(choice.clone()),
            Click::Undo => drop(self.choices.pop()),
        }
    }

    /// Plays until the game is over or the server is gone.
    fn play(&mut self, port: u16, random: &mut Random, down: &AtomicBool, first: &Sender<()>) {
        if let Err(why) = self.play_on(port, random, first) {
            assert!(down.load(Ordering::SeqCst), "{}: {why} while the server was up", self.path);
        }
    }

    fn play_on(&mut self, port: u16, random: &mut Random, first: &Sender<()>) -> io::Result<()> {
        let mut http = Http::connect(port)?;
        let live = Socket::open(port, &format!("{}/live?since={}", self.path, self.revision), &[])?;
        let mut live = live.map_err(|answer| io::Error::other(format!("{answer:?}")))?;
        loop {
            let shown = http.debug(&self.path)?;
            assert_eq!(shown["revision"], self.revision, "{}: nobody else plays here", self.path);
            let offered = shown["choices"].as_array().expect("a list");
            if offered.is_empty() {
                self.over = true;
                return Ok(());
            }
            let click = if !self.choices.is_empty() && random.below(10) == 0 {
                Click::Undo
            } else {
                let choice = offered[random.below(offered.len())].as_str().expect("a name");
                Click::Choose(choice.to_owned())
            };
            self.in_flight = Some(click.clone());
            let answer = self.send(&mut http, &click);
            let Ok(answer) = answer else {
                // What was told before the end must have been on disk as well.
                while let Ok(update) = live.update() {
                    self.told = told(&update);
                }
                return answer.map(drop);
            };
            self.in_flight = None;
            match answer.status {
                200 => {
                    let revision = answer.json()["revision"].as_u64().expect("a revision");
                    assert_eq!(revision, self.revision + 1, "{}: one click, one change", self.path);
                    self.revision = revision;
                    self.acknowledged += 1;
                    let _ = first.send(());
                    self.apply(&click);
                    while self.told < revision {
                        self.told = told(&live.update()?);
                    }
                    assert_eq!(self.told, revision, "{}", self.path);
                }
                429 => thread::sleep(Duration::from_millis(200)),
                _ => panic!("{}: {click:?}: {answer:?}", self.path),
            }
            thread::sleep(Duration::from_micros(random.next() % 4_000));
        }
    }

    fn send(&self, http: &mut Http, click: &Click) -> io::Result<client::Answer> {
        match click {
            Click::Choose(choice) => http.choose(&self.path, self.revision, choice),
            Click::Undo => {
                let body = json!({ "revision": self.revision, "scope": "step" }).to_string();
                http.send("POST", &format!("{}/undo", self.path), &[JSON], &body)
            }
        }
    }

    /// After a restart: the match is what its player was told, or that and the click on its way.
    fn check(&mut self, http: &mut Http) {
        let path = self.path.clone();
        let shown = http.debug(&path).unwrap_or_else(|why| panic!("{path} does not open: {why}"));
        let found = shown["revision"].as_u64().expect("a revision");
        assert!(found >= self.revision, "{path}: {} was acknowledged, {found} is left", self.revision);
        assert!(found >= self.told, "{path}: {} was told, {found} is left", self.told);
        assert!(found <= self.revision + 1, "{path}: {} was acknowledged, {found} is there", self.revision);
        if let Some(click) = self.in_flight.take() {
            // A page that got no answer sends the same click again: it must not count twice.
            let again = self.send(http, &click).expect("an answer");
            if found == self.revision {
                assert_eq!(again.status, 200, "{path}: {again:?}");
                self.acknowledged += 1;
            } else {
                assert_eq!(again.status, 409, "{path}: {again:?}");
            }
            self.apply(&click);
            self.revision += 1;
            self.told = self.revision;
        } else {
            assert_eq!(found, self.revision, "{path}: a change that nobody made");
        }
        let saved = http.export(&path).expect("a record");
        assert_eq!(chosen(&saved), self.choices, "{path}: the choices in order\n{saved}");
        let shown = http.debug(&path).expect("an answer");
        assert_eq!(shown["revision"], self.revision, "{path}");
    }
}

/// The choices of persons in a record, without forced ones.
fn chosen(saved: &str) -> Vec<String> {
    let log = saved.split_once("\n\n").map_or("", |(_, log)| log);
    let steps = log.lines().filter(|line| line.starts_with(' '));
    let words = steps.map(|line| line.split_whitespace().collect::<Vec<_>>());
    // Number, seat (with a star if forced), the choice, digest.
    let own = words.filter(|words| words.len() > 3 && words[1] != "fate" && !words[1].ends_with('*'));
    own.map(|words| words[2..words.len() - 1].join(" ")).collect()
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().map_or(default, |text| text.parse().expect("a number"))
}

/// The revision that a message to a window tells of: an update, or the word that the window is behind.
fn told(message: &Value) -> u64 {
    message["to"].as_u64().or(message["behind"].as_u64()).expect("a revision")
}

#[test]
fn what_was_acknowledged_survives_any_crash() {
    let kills = number("MAPROOM_KILLS", u64::from(KILLS));
    let seed = number("MAPROOM_SEED", 1);
    let mut random = Random(seed);
    let folder = tempfile::tempdir().expect("a folder");
    let begun = Instant::now();
    let mut games: Vec<Game> = Vec::new();
    let mut finished: Vec<Game> = Vec::new();
    let mut restarts = Vec::new();
    let mut caught = 0;
    for kill in 0..kills {
        let start = Instant::now();
        let mut server = Server::start(folder.path());
        restarts.push(start.elapsed());
        let mut http = server.connect();
        for game in &mut games {
            caught += u32::from(game.in_flight.is_some());
            game.check(&mut http);
        }
        finished.extend(games.extract_if(.., |game| game.over));
        while games.len() < MATCHES {
            let form = format!("{NEW_MATCH_OF_SEED}{}", random.next());
            games.push(Game::new(http.new_match_of(&form).expect("a new match")));
        }
        let moment = Duration::from_micros(10_000 + random.next() % 90_000);
        let down = AtomicBool::new(false);
        let (first, begun_to_play) = mpsc::channel();
        let port = server.port;
        thread::scope(|scope| {
            for game in &mut games {
                let mut random = Random(random.next());
                let (down, first) = (&down, first.clone());
                scope.spawn(move || game.play(port, &mut random, down, &first));
            }
            // From the first acknowledged click on: a busy machine takes its time until then.
            begun_to_play.recv_timeout(PATIENCE).expect("a click is acknowledged");
            thread::sleep(moment);
            down.store(true, Ordering::SeqCst);
            server.kill();
        });
        let said = server.said();
        assert!(!said.contains("panicked"), "kill {kill}, MAPROOM_SEED={seed}:\n{said}");
    }
    let server = Server::start(folder.path());
    let mut http = server.connect();
    finished.append(&mut games);
    let proofs = tempfile::tempdir().expect("a folder");
    for (at, game) in finished.iter_mut().enumerate() {
        game.check(&mut http);
        let file = proofs.path().join(format!("{at}.match"));
        std::fs::write(&file, http.export(&game.path).expect("a record")).expect("a file");
        let proof = run(&["verify", &file.display().to_string()]);
        assert!(proof.status.success(), "{}: {}", game.path, words(&proof));
    }
    drop(server);
    check_database(folder.path());
    restarts.sort_unstable();
    let clicks: u64 = finished.iter().map(|game| game.acknowledged).sum();
    assert!(clicks > kills, "{clicks} clicks between {kills} kills");
    // Past the capture of the test harness: figures for whoever reads the run.
    let _ = writeln!(
        io::stderr(),
        "{kills} kills (seed {seed}) in {:.1} s: {} matches, {clicks} acknowledged clicks, {caught} caught in flight; \
         a restart took {:?} (median), {:?} (longest)",
        begun.elapsed().as_secs_f32(),
        finished.len(),
        restarts.get(restarts.len() / 2).copied().unwrap_or_default(),
        restarts.last().copied().unwrap_or_default(),
    );
}

/// Asks SQLite itself, where its shell is installed.
fn check_database(folder: &std::path::Path) {
    let files = std::fs::read_dir(folder).expect("the folder").filter_map(Result::ok);
    let database = files.map(|file| file.path()).find(|path| {
        let mut start = [0; 15];
        let read = std::fs::File::open(path).and_then(|mut file| io::Read::read_exact(&mut file, &mut start));
        read.is_ok() && start == *b"SQLite format 3"
    });
    let database = database.expect("a database");
    match Command::new("sqlite3").arg(&database).arg("pragma integrity_check").output() {
        Ok(output) => assert_eq!(words(&output).trim(), "ok"),
        Err(why) => {
            let _ = writeln!(
                io::stderr(),
                "SKIPPED: integrity_check: no sqlite3 here ({why}); that it opens is tested"
            );
        }
    }
}
