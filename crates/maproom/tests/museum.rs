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
        let lobby = ["/", "/?shelf=finished"].map(|shelf| server.get(shelf).is(200).body).concat();
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
                let is_hiding = ["blitz", "triumph"].contains(&&*stored.game);
                assert!(is_hiding && stored.state == "unfinished", "only hidden hands are kept back");
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

/// Matches for the database of a release: the form of a new match, and how many choices persons make in it.
const MATCHES: [(&str, usize); 21] = [
    ("game=echoes&option.edition=allied&option.spread=1&seed=1", 400),
    ("game=echoes&option.edition=axis&option.spread=1&seed=2", 400),
    ("game=echoes&option.edition=allied&option.spread=8&seed=3", 5),
    ("game=echoes&option.edition=axis&option.spread=15&seed=4", 9),
    ("game=echoes&option.edition=allied&option.windows=1&seed=5", 7),
    ("game=echoes&option.edition=allied&dice=own&seed=", 6),
    ("game=echoes&option.edition=axis&option.spread=24&seed=6", 0),
    ("game=blitz&seed=7&seat.0=me&seat.1=friend", 6),
    ("game=blitz&seed=8&seat.0=bot:random&seat.1=me", 9),
    ("game=blitz&option.mode=solo&seed=9", 4),
    ("game=blitz&option.board=nippon&option.mode=solo&seed=10", 400),
    ("game=blitz&option.board=nippon&seed=11&seat.0=me&seat.1=bot:greedy", 12),
    ("game=dday&option.scenario=omaha&seed=12&seat.0=me&seat.1=friend", 10),
    ("game=dday&option.scenario=arnhem&seed=13&seat.0=me&seat.1=bot:random", 15),
    ("game=dday&option.scenario=villers_bocage&seed=14&seat.0=friend&seat.1=me", 8),
    ("game=dday&option.scenario=berlin&seed=15&seat.0=me&seat.1=friend", 3),
    ("game=dday&option.scenario=arracourt&seed=16&seat.0=me&seat.1=friend", 20),
    ("game=triumph&seed=18&seat.0=me&seat.1=friend&seat.2=bot:greedy", 60),
    ("game=triumph&option.start=1939&seed=19&seat.0=bot:gambler&seat.1=me&seat.2=bot:bear", 40),
    ("game=triumph&option.players=2&option.start=1939&seed=20&seat.0=me&seat.1=friend", 90),
    ("game=echoes&option.edition=allied&seed=17", 3),
];

/// Makes so many choices in a match, each by the person who is asked: the one whose number is (7 × revision + 3) modulo the
/// number of choices.
fn play_as_persons(http: &mut Http, record: &store::MatchRecord, choices: usize) {
    let begun = Instant::now();
    let tokens: Vec<&str> =
        record.seats.iter().map(|seat| seat.token.as_str()).filter(|token| !token.is_empty()).collect();
    let mut made = 0;
    while made < choices {
        let mut is_asked = false;
        for token in &tokens {
            let path = format!("/m/{}/{token}", record.id);
            let shown = http.debug(&path).expect("an answer");
            let open = shown["choices"].as_array().expect("a list");
            let revision = shown["revision"].as_u64().expect("a revision");
            if open.is_empty() {
                continue;
            }
            let choice = open[(7 * revision as usize + 3) % open.len()].as_str().expect("a name");
            if http.choose(&path, revision, choice).expect("an answer").status == 200 {
                (is_asked, made) = (true, made + 1);
                break;
            }
        }
        let update = format!("/m/{}/{}/update", record.id, tokens[0]);
        if !is_asked && http.send("GET", &update, &[], "").expect("an answer").json()["over"] == true {
            return;
        }
        assert!(begun.elapsed() < PATIENCE, "{} does not go on", record.name);
    }
}

/// `cargo xtask museum RELEASE` runs this.
#[test]
#[ignore = "makes the database of a new release"]
fn make_the_database_of_a_release() {
    let release = std::env::var("MAPROOM_MUSEUM").expect("the release; see `cargo xtask museum`");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/museum").join(&release);
    let is_again = std::env::var_os("MAPROOM_MUSEUM_AGAIN").is_some();
    assert!(is_again || !folder.exists(), "{} is there already", folder.display());
    let data = tempdir().expect("a folder");
    let records = |data: &Path| {
        let store = store::SqliteStore::open(data).expect("a database");
        let mut all = store::Store::list(&store, false).expect("the list");
        all.extend(store::Store::list(&store, true).expect("the deleted"));
        all.sort_by_key(|record| record.created_at);
        all
    };
    let mut server = Server::start(data.path());
    let mut http = server.connect();
    for (form, _) in MATCHES {
        http.send("POST", "/matches", &[client::FORM], form).expect("an answer").is(303);
        // Created one after the other, also for a clock of milliseconds.
        thread::sleep(Duration::from_millis(3));
    }
    assert!(server.stop().success());
    let all = records(data.path());
    assert_eq!(all.len(), MATCHES.len());
    let mut server = Server::start(data.path());
    let mut http = server.connect();
    for (record, (_, choices)) in all.iter().zip(MATCHES) {
        let token = record.owner_token();
        let at_once = json!({ "pace": "once" }).to_string();
        // Only matches with bots have a pace.
        let _ = http.send("POST", &format!("/m/{}/{token}/pace", record.id), &[client::JSON], &at_once);
        play_as_persons(&mut http, record, choices);
        let pause = json!({ "pace": "pause" }).to_string();
        let _ = http.send("POST", &format!("/m/{}/{token}/pace", record.id), &[client::JSON], &pause);
    }
    let last = all.last().expect("a match");
    server.post(&format!("/matches/{}/delete", last.id), &json!({})).is(204);
    assert!(server.stop().success());
    let mut index = String::from(
        "match\tgame\tsteps\trevision\tstate\tresult\towner's token\tto move\tname\tviewer's token\tseats\n",
    );
    for record in records(data.path()) {
        let result = record.summary.result.as_deref().unwrap_or("-");
        let state = match (record.deleted_at, result) {
            (Some(_), _) => "deleted",
            (None, "-") => "unfinished",
            (None, _) => "finished",
        };
        let seats: Vec<String> = record
            .seats
            .iter()
            .map(|seat| {
                let token = if seat.token.is_empty() { "-" } else { &seat.token };
                let come = if seat.claimed_at.is_some() { "come" } else { "awaited" };
                format!("{}={}/{token}/{come}", seat.word, seat.player)
            })
            .collect();
        let cells = [
            record.id.as_str(),
            &record.game,
            &record.summary.steps.to_string(),
            &record.revision.to_string(),
            state,
            result,
            record.owner_token(),
            &record.summary.to_move,
            &record.name,
            &record.viewer_token,
            &seats.join(" "),
        ];
        index += &format!("{}\n", cells.join("\t"));
    }
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::copy(data.path().join("maproom.db"), folder.join("maproom.db")).expect("a copy");
    std::fs::write(folder.join("index.tsv"), index).expect("the index");
}
