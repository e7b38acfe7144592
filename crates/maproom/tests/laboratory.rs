//! Batches of a house that knows a server of NATS: workers play them beside the house, and whoever is killed, they come to the bytes
//! that `maproom sim` prints.
#![cfg(all(feature = "shared", target_os = "linux"))]

/// The program under test.
const PROGRAM: &str = env!("CARGO_BIN_EXE_maproom");

#[path = "server/client.rs"]
mod client;

use std::process::{Child, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use client::{FORM, Server, program, run, words};
use store::{Ledger as _, SqliteStore};
use tempfile::TempDir;
use testkit::nats;

/// Nothing takes so long, however busy the machine is.
const PATIENCE: Duration = Duration::from_secs(600);

/// A batch that takes a while, so that there is time to kill somebody.
const LONG: Batch = Batch { games: 1_200, bot: "colonel", seed: 5 };
/// One that does not.
const SHORT: Batch = Batch { games: 300, bot: "greedy", seed: 7 };

struct Batch {
    games: u64,
    bot: &'static str,
    seed: u64,
}

impl Batch {
    fn form(&self) -> String {
        let Self { games, bot, seed } = self;
        format!("game=echoes&option.spread=2&seat.0={bot}&games={games}&seed={seed}")
    }

    /// What `maproom sim` prints.
    fn simulated(&self) -> String {
        let [games, seed] = [self.games, self.seed].map(|number| number.to_string());
        let sim = ["sim", "echoes", "--spread", "2", "--bot", self.bot, "--games", &games, "--seed", &seed];
        // Longer than any other command takes, so it is not run with the patience for those.
        let output = program(&sim).output().expect("it runs");
        assert!(output.status.success(), "{}", words(&output));
        String::from_utf8(output.stdout).expect("text")
    }
}

/// What `maproom sim` prints of [`LONG`].
fn long_report() -> &'static str {
    static REPORT: OnceLock<String> = OnceLock::new();
    REPORT.get_or_init(|| LONG.simulated())
}

/// Asks again and again until something is so.
fn until<T>(what: &str, mut ask: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = ask() {
            return found;
        }
        assert!(begun.elapsed() < PATIENCE, "waited in vain: {what}");
        thread::sleep(Duration::from_millis(50));
    }
}

/// A worker that ends with the test.
struct Worker(Child);

impl Worker {
    fn start(nats: &nats::Server) -> Self {
        let mut command = program(&["worker", "--nats", &nats.address(), "--threads", "1"]);
        // What it says has nobody to read it, and must not fill a pipe.
        Self(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("a worker starts"))
    }

    /// How its name ends, without the thread: `HOST process N of TIME`.
    fn process(&self) -> String {
        format!(" process {} of ", self.0.id())
    }

    fn end(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.end();
    }
}

/// A house with a folder.
struct House {
    data: TempDir,
    server: Server,
    further: Vec<String>,
}

impl House {
    fn start(further: &[&str]) -> Self {
        let data = tempfile::tempdir().expect("a folder");
        let further: Vec<String> = further.iter().map(ToString::to_string).collect();
        let server = Self::open(&data, &further);
        Self { data, server, further }
    }

    fn open(data: &TempDir, further: &[String]) -> Server {
        let mut all = vec!["--no-browser", "--port", "0"];
        all.extend(further.iter().map(String::as_str));
        Server::start_with(data.path(), &all)
    }

    fn restart(&mut self) {
        self.server.kill();
        self.server = Self::open(&self.data, &self.further);
    }

    /// Starts a batch; its id.
    fn begin(&self, form: &str) -> String {
        let answer = self.server.send("POST", "/lab/batches", &[FORM], form).is(303);
        let path = answer.header("location").expect("a page").to_owned();
        path.rsplit('/').next().expect("an id").to_owned()
    }

    fn page(&self, id: &str) -> String {
        self.server.get(&format!("/lab/batches/{id}")).is(200).body
    }

    fn file(&self, id: &str, name: &str) -> String {
        self.server.get(&format!("/lab/batches/{id}/files/{name}")).is(200).body
    }

    /// How many chunks those have brought whose name has this in it; without a word, the house.
    fn brought(&self, id: &str, name: Option<&str>) -> u64 {
        let ledger = SqliteStore::open_beside(self.data.path()).expect("a ledger");
        let all = ledger.brought(id).expect("a ledger");
        let fits = |by: &str| name.map_or(!by.contains('/'), |name| by.contains(name));
        all.iter().filter(|one| fits(&one.by)).map(|one| one.chunks).sum()
    }

    fn is_done(&self, id: &str) -> bool {
        let page = self.page(id);
        assert!(!page.contains("data-stage=\"failed\""), "{page}");
        page.contains("data-stage=\"done\"") && !page.contains("data-follow")
    }

    fn wait_done(&self, id: &str) {
        until("the batch is done", || self.is_done(id).then_some(()));
    }

    /// Waits until somebody has brought more than so many chunks, which must be before the end.
    fn wait_brought(&self, id: &str, name: Option<&str>, more_than: u64) -> u64 {
        until("somebody plays", || {
            let brought = self.brought(id, name);
            let is_over = || brought <= more_than && self.is_done(id) && self.brought(id, name) <= more_than;
            assert!(!is_over(), "{name:?} has brought {brought} chunks, and it is over: {}", self.page(id));
            (brought > more_than).then_some(brought)
        })
    }
}

/// Waits until the list of batches shows so many workers.
fn wait_present(house: &House, count: usize) {
    until("workers are seen", || {
        let page = house.server.get("/lab").is(200).body;
        (page.matches("waits for work").count() == count).then_some(())
    });
}

#[test]
fn workers_play_a_batch_beside_the_house_and_one_of_them_and_the_house_are_killed() {
    let Some(nats) = nats::Server::start() else { return };
    let mut house = House::start(&["--nats", &nats.address()]);
    let (mut first, second) = (Worker::start(&nats), Worker::start(&nats));
    wait_present(&house, 2);
    let id = house.begin(&LONG.form());
    for worker in [&first, &second] {
        house.wait_brought(&id, Some(&worker.process()), 0);
    }
    let page = house.page(&id);
    for part in ["This house", "with half of its cores", &format!("process {}", first.0.id()), "Last heard"] {
        assert!(page.contains(part), "{part}: {page}");
    }
    first.end();
    until("it is missed", || house.page(&id).contains("data-gone").then_some(()));
    let before = house.brought(&id, Some(&second.process()));
    house.restart();
    house.wait_brought(&id, Some(&second.process()), before);
    house.wait_done(&id);
    assert_eq!(house.file(&id, "report.txt"), long_report());
    let page = house.page(&id);
    for part in ["This house", &format!("process {}", first.0.id()), &format!("process {}", second.0.id())] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(!page.contains("with half of its cores") && !page.contains("Last heard"), "{page}");
}

#[test]
fn a_comparison_comes_to_the_same_with_workers_and_without() {
    let Some(nats) = nats::Server::start() else { return };
    let (house, alone) = (House::start(&["--nats", &nats.address()]), House::start(&[]));
    let worker = Worker::start(&nats);
    wait_present(&house, 1);
    // The house may be through before the worker has brought anything: then it is another batch.
    let with_the_worker = (2..60).find_map(|seed| {
        let form = format!("game=echoes&compare=yes&b.option.spread=3&seat.0=captain&games=300&seed={seed}");
        let id = house.begin(&form);
        house.wait_done(&id);
        (house.brought(&id, Some(&worker.process())) > 0).then_some((form, id))
    });
    let (form, id) = with_the_worker.expect("the worker plays a part of some batch");
    assert_eq!(alone.begin(&form), id);
    alone.wait_done(&id);
    for name in ["report.txt", "report.json", "differences.csv", "curve.csv"] {
        assert_eq!(house.file(&id, name), alone.file(&id, name), "{name}");
    }
    // Nothing of workers is shown where there can be none.
    for page in [alone.page(&id), alone.server.get("/lab").is(200).body] {
        assert!(!page.contains("Workers") && !page.contains("maproom worker"), "{page}");
    }
}

#[test]
fn nats_is_killed_in_the_middle_and_comes_back() {
    let Some(mut nats) = nats::Server::start() else { return };
    let house = House::start(&["--nats", &nats.address()]);
    let worker = Worker::start(&nats);
    wait_present(&house, 1);
    let id = house.begin(&LONG.form());
    house.wait_brought(&id, Some(&worker.process()), 0);
    nats.kill();
    until("it is missed", || house.page(&id).contains("NATS can't be reached").then_some(()));
    let before = house.brought(&id, None);
    house.wait_brought(&id, None, before);
    let before = house.brought(&id, Some(&worker.process()));
    nats.restart();
    house.wait_brought(&id, Some(&worker.process()), before);
    house.wait_done(&id);
    assert_eq!(house.file(&id, "report.txt"), long_report());
}

#[test]
fn a_house_plays_alone_without_nats_and_uses_workers_that_come_later() {
    let Some(mut nats) = nats::Server::start() else { return };
    nats.kill();
    let house = House::start(&["--nats", &nats.address()]);
    let list = house.server.get("/lab").is(200).body;
    assert!(list.contains("NATS can't be reached now") && list.contains(&nats.address()), "{list}");
    let id = house.begin(&SHORT.form());
    house.wait_done(&id);
    assert_eq!(house.file(&id, "report.txt"), SHORT.simulated());
    nats.restart();
    let long = house.begin(&LONG.form());
    house.wait_brought(&long, None, 0);
    let worker = Worker::start(&nats);
    house.wait_brought(&long, Some(&worker.process()), 0);
    // A stop ends it soon, for workers as well, and what is played stays.
    let stop = house.server.send("POST", &format!("/lab/batches/{long}/stop"), &[FORM], "").is(303);
    drop(stop);
    until("it is stopped", || {
        let page = house.page(&long);
        (page.contains("data-stage=\"stopped\"") && !page.contains("data-follow")).then_some(())
    });
    wait_present(&house, 1);
    let again = house.server.send("POST", &format!("/lab/batches/{long}/again"), &[FORM], "").is(303);
    drop(again);
    let before = house.brought(&long, Some(&worker.process()));
    house.wait_brought(&long, Some(&worker.process()), before);
    house.server.send("POST", &format!("/lab/batches/{long}/delete"), &[FORM], "").is(303);
    house.server.get(&format!("/lab/batches/{long}")).is(404);
    wait_present(&house, 1);
}

#[test]
fn what_only_one_worker_has_played_the_house_compares() {
    let Some(nats) = nats::Server::start() else { return };
    let house = House::start(&["--nats", &nats.address()]);
    let worker = Worker::start(&nats);
    wait_present(&house, 1);
    // Which chunk it is that two play depends on the batch, and who plays it first on who comes first: some batch it is.
    for seed in 1.. {
        let batch = Batch { games: 60, bot: "colonel", seed };
        let id = house.begin(&batch.form());
        house.wait_done(&id);
        let ledger = SqliteStore::open_beside(house.data.path()).expect("a ledger");
        let chunks = ledger.chunks(&id).expect("a ledger").len() as u64;
        let [meant] = relay::meant(&id, chunks)[..] else { panic!("one of {chunks}") };
        let first = ledger.part(&id, meant, 0).expect("a ledger").expect("it is done").by;
        let page = house.page(&id);
        if first.contains(&worker.process()) {
            assert!(page.contains("That was done with 1 chunk; it was the same."), "{page}");
            return;
        }
        assert!(seed < 100, "the worker never plays it");
    }
}

#[test]
fn texts_of_ones_own_go_to_machines_of_the_house_only() {
    let Some(nats) = nats::Server::start() else { return };
    let house = House::start(&["--nats", &nats.address()]);
    let lent = Worker::start(&nats);
    wait_present(&house, 1);
    let book = include_str!("../../echoes/data/book.toml");
    let text: String = format!("# mine\n{book}").bytes().map(|byte| format!("%{byte:02X}")).collect();
    let id = house.begin(&format!("game=echoes&text.book={text}&seat.0=colonel&games=200&seed=1"));
    let page = until("it is said", || {
        let page = house.page(&id);
        page.contains("which lent machines are not shown").then_some(page)
    });
    assert!(page.contains("data-worker=\"house\"") && !page.contains("data-worker=\"other\""), "{page}");
    house.wait_done(&id);
    assert_eq!(house.brought(&id, Some(&lent.process())), 0);
    // Who runs the house may say otherwise.
    let open = House::start(&["--nats", &nats.address(), "--class", "lent"]);
    wait_present(&open, 1);
    let id = open.begin(&format!("game=echoes&text.book={text}&seat.0=colonel&games=200&seed=1"));
    open.wait_brought(&id, Some(&lent.process()), 0);
    let refused = run(&["serve", "--class", "house", "--no-browser", "--port", "0"]);
    assert!(!refused.status.success() && words(&refused).contains("--nats"), "{}", words(&refused));
}
