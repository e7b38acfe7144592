//! The database of an earlier release, opened and played on by this one: the real program over a copy of it.

/// The program under test.
const PROGRAM: &str = env!("CARGO_BIN_EXE_maproom");

#[path = "server/client.rs"]
mod client;

use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use client::{Http, PATIENCE, Server};
use serde_json::json;
use tempfile::{TempDir, tempdir};

/// A row of a database's index.
struct Stored {
    id: String,
    game: String,
    steps: u64,
    revision: u64,
    state: String,
    result: String,
    name: String,
    /// The tokens of its owner and of all seats, and the viewer's.
    tokens: Vec<String>,
    seats: String,
}

impl Stored {
    fn path(&self, token: &str) -> String {
        format!("/m/{}/{token}", self.id)
    }
}

fn releases() -> Vec<PathBuf> {
    let museum = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/museum");
    let mut folders: Vec<PathBuf> =
        museum.read_dir().expect("the museum").map(|folder| folder.expect("a folder").path()).collect();
    folders.sort();
    folders
}

fn index(folder: &Path) -> Vec<Stored> {
    let text = std::fs::read_to_string(folder.join("index.tsv")).expect("the index");
    let rows = text.lines().skip(1).map(|row| {
        let cells: Vec<&str> = row.split('\t').collect();
        let [id, game, steps, revision, state, result, owner, _, name, viewer, seats, ..] = cells[..] else {
            panic!("a row of {} cells: {row}", cells.len());
        };
        // Each seat is `word=player/token/whether its person has come`.
        let of_seats =
            seats.split(' ').filter_map(|seat| seat.split('/').nth(1)).filter(|token| *token != "-");
        let mut tokens: Vec<String> = [owner].into_iter().chain(of_seats).map(str::to_owned).collect();
        tokens.push(viewer.to_owned());
        tokens.dedup();
        Stored {
            id: id.to_owned(),
            game: game.to_owned(),
            steps: steps.parse().expect("a number"),
            revision: revision.parse().expect("a number"),
            state: state.to_owned(),
            result: result.to_owned(),
            name: name.to_owned(),
            tokens,
            seats: seats.to_owned(),
        }
    });
    rows.collect()
}

/// The server over a copy of a database.
fn open(folder: &Path) -> (TempDir, Server) {
    let copy = tempdir().expect("a folder");
    std::fs::copy(folder.join("maproom.db"), copy.path().join("maproom.db")).expect("a copy");
    let server = Server::start(copy.path());
    (copy, server)
}

/// Waits until a match has a later revision than this one.
fn wait_for_more(http: &mut Http, path: &str, revision: u64) -> u64 {
    let begun = Instant::now();
    loop {
        let now = http.debug(path).expect("an answer")["revision"].as_u64().expect("a revision");
        if now > revision {
            return now;
        }
        assert!(begun.elapsed() < PATIENCE, "{path} does not go on");
        thread::sleep(Duration::from_millis(20));
    }
}

/// Makes one choice in a match: a person's, or, where a bot is to choose, the bot's.
fn play_on(http: &mut Http, stored: &Stored) {
    for token in &stored.tokens {
        let path = stored.path(token);
        let shown = http.debug(&path).expect("an answer");
        let Some(choice) = shown["choices"][0].as_str() else { continue };
        let revision = shown["revision"].as_u64().expect("a revision");
        let answer = http.choose(&path, revision, choice).expect("an answer");
        if answer.status == 200 {
            assert!(answer.json()["revision"].as_u64() > Some(stored.revision), "{}", stored.name);
            return;
        }
    }
    assert!(stored.seats.contains("bot:"), "{}: nobody can choose", stored.name);
    let path = stored.path(&stored.tokens[0]);
    let step = json!({ "pace": "step" }).to_string();
    http.send("POST", &format!("{path}/pace"), &[client::JSON], &step).expect("an answer").is(200);
    wait_for_more(http, &path, stored.revision);
}

#[test]
fn databases_of_every_release_are_opened_and_go_on() {
    let releases = releases();
    assert!(!releases.is_empty());
    for folder in releases {
        let (_copy, mut server) = open(&folder);
        let all = index(&folder);
        assert!(all.len() > 15, "{} has {} matches", folder.display(), all.len());
        let mut http = server.connect();
        let lobby = server.get("/").is(200).body;
        for stored in &all {
            let card = format!("data-id=\"{}\"", stored.id);
            assert_eq!(lobby.contains(&card), stored.state != "deleted", "{}", stored.name);
        }
        // Deleted and brought back.
        for stored in all.iter().filter(|stored| stored.state == "deleted") {
            assert!(lobby.contains(&format!("data-restore=\"{}\"", stored.id)), "{}", stored.name);
            server.post(&format!("/matches/{}/restore", stored.id), &json!({})).is(204);
        }
        // The records first: to look at a table lets its bots play on.
        for stored in &all {
            let record = server.get(&format!("/matches/{}/record", stored.id));
            if record.status == 403 {
                assert_eq!(
                    (&*stored.game, &*stored.state),
                    ("blitz", "unfinished"),
                    "only hidden hands are kept back"
                );
                continue;
            }
            let record = record.is(200).body;
            assert!(record.contains(&format!("\nsteps: {}\n", stored.steps)), "{}: {record}", stored.name);
            let result = record.lines().find_map(|line| line.strip_prefix("result: ")).unwrap_or("-");
            assert_eq!(result, stored.result, "{}", stored.name);
            let file = folder_file(&record);
            let verified = client::run(&["verify", &file.path().join("record.match").to_string_lossy()]);
            assert!(verified.status.success(), "{}:\n{}", stored.name, client::words(&verified));
        }
        for stored in &all {
            let path = stored.path(&stored.tokens[0]);
            let shown = http.debug(&path).unwrap_or_else(|why| panic!("{}: {why}", stored.name));
            assert!(shown["revision"].as_u64() >= Some(stored.revision), "{}: {shown}", stored.name);
            server.get(&path).is(200);
            if stored.result == "-" {
                play_on(&mut http, stored);
            }
        }
        // All of it is still there for the next start.
        assert!(server.stop().success());
        let again = Server::start(_copy.path());
        let mut http = again.connect();
        for stored in &all {
            let shown = http
                .debug(&stored.path(&stored.tokens[0]))
                .unwrap_or_else(|why| panic!("{}: {why}", stored.name));
            let more = u64::from(stored.result == "-");
            assert!(shown["revision"].as_u64() >= Some(stored.revision + more), "{}: {shown}", stored.name);
        }
    }
}

/// A record in a folder of its own.
fn folder_file(record: &str) -> TempDir {
    let folder = tempdir().expect("a folder");
    std::fs::write(folder.path().join("record.match"), record).expect("a file");
    folder
}
