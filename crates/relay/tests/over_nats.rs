//! Desks and workers over a real server of NATS, with work that can be counted on.

#[path = "over_nats/places.rs"]
mod places;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use futures_util::StreamExt as _;
use relay::{
    Asked, Askers, Choice, Class, Errand, Hears, Labour, NoChoice, Posted, Question, Summary, Target, Task,
    Terms, Told, Waits, Worker, hand_out, new_key,
};
use store::{Job, JobState, Ledger, MemoryStore, NewJob};
use testkit::nats::Server;

/// Nothing takes so long, however busy the machine is.
const PATIENCE: Duration = Duration::from_secs(300);
const BUILD: &str = "1 abc";

/// Squares numbers, or something else.
#[derive(Default)]
struct Squares {
    /// How long a number takes.
    pause: Duration,
    lies: bool,
    fails_at: Option<u64>,
    /// So much is added to each part.
    ballast: usize,
    /// What is at work now.
    busy: AtomicU64,
    /// How many workers have begun, if none may go on before there are two: nobody is to have done everything before the other
    /// was there.
    meeting: Option<Arc<AtomicU64>>,
    has_met: AtomicBool,
    /// What is to be done, if it is not [`SPEC`].
    spec: Option<String>,
}

/// What is to be done.
const SPEC: &str = "the specification";

/// So many that take part in one meeting.
fn meeting<const N: usize>() -> [Option<Arc<AtomicU64>>; N] {
    let meeting = Arc::<AtomicU64>::default();
    [(); N].map(|()| Some(Arc::clone(&meeting)))
}

/// Lets workers and desks end when a test has ended, even if by a failure: the test would wait for them without an end.
struct Ends<'a>(Vec<&'a AtomicBool>);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        self.0.iter().for_each(|flag| flag.store(true, Ordering::Relaxed));
    }
}

fn square(number: u64, ballast: usize) -> Vec<u8> {
    let mut bytes = (number * number).to_le_bytes().to_vec();
    // Something that another number does not have, so that slices in the wrong order would show.
    bytes.extend((0..ballast).map(|at| (at as u64 * 31 + at as u64 / 256 + number) as u8));
    bytes
}

impl Labour for Squares {
    fn rules(&self, game: &str) -> Option<String> {
        (game == "squares").then(|| "7".to_owned())
    }

    fn work(&self, task: &Task<'_>, hand_in: &mut dyn FnMut(Vec<Vec<u8>>) -> bool) -> Result<(), String> {
        assert_eq!(task.kind, "squares");
        assert!(task.spec == self.spec.as_deref().unwrap_or(SPEC), "another specification");
        self.busy.fetch_add(1, Ordering::SeqCst);
        if let Some(meeting) = &self.meeting {
            if !self.has_met.swap(true, Ordering::SeqCst) {
                meeting.fetch_add(1, Ordering::SeqCst);
            }
            wait("the other begins", || meeting.load(Ordering::SeqCst) > 1 || task.progress.is_stopped());
        }
        let result = self.ranges(task, hand_in);
        self.busy.fetch_sub(1, Ordering::SeqCst);
        result
    }

    fn think(&self, question: &Question, _: usize, _: &AtomicBool) -> Result<Choice, NoChoice> {
        Ok(Choice { choice: format!("that of {}", question.bot), why: String::new() })
    }
}

impl Squares {
    fn ranges(&self, task: &Task<'_>, hand_in: &mut dyn FnMut(Vec<Vec<u8>>) -> bool) -> Result<(), String> {
        for range in task.ranges {
            let mut part = Vec::new();
            for number in range.clone() {
                if self.fails_at == Some(number) {
                    return Err(format!("number {number} can't be squared"));
                }
                let end = Instant::now() + self.pause;
                while Instant::now() < end && !task.progress.is_stopped() {
                    thread::sleep(Duration::from_millis(1));
                }
                if task.progress.is_stopped() {
                    return Ok(());
                }
                part.extend(square(number + u64::from(self.lies), self.ballast));
            }
            if !hand_in(vec![part]) {
                return Ok(());
            }
        }
        Ok(())
    }
}

/// Keeps what is said.
#[derive(Default)]
struct Ear {
    begin: OnceLock<Instant>,
    stop: AtomicBool,
    done: AtomicU64,
    heard: Mutex<Vec<String>>,
}

impl Hears for Ear {
    fn is_stopped(&self) -> bool {
        // A desk that nobody helps would wait for ever; its job is then found open.
        self.stop.load(Ordering::Relaxed) || self.begin.get_or_init(Instant::now).elapsed() > PATIENCE
    }

    fn advance(&self, numbers: u64) {
        self.done.fetch_add(numbers, Ordering::Relaxed);
    }

    fn say(&self, words: &str) {
        self.heard.lock().unwrap().push(words.to_owned());
    }
}

impl Told for Ear {
    fn says(&self, words: &str) {
        self.say(words);
    }

    fn brought(&self, _: &Errand, _: u64, numbers: u64) {
        self.advance(numbers);
    }
}

impl Ear {
    fn has_heard(&self, words: &str) -> bool {
        self.heard.lock().unwrap().iter().any(|heard| heard.contains(words))
    }
}

/// A job of so many numbers, three to a chunk.
fn job(ledger: &dyn Ledger, numbers: u64) -> Job {
    job_with(ledger, numbers, SPEC)
}

fn job_with(ledger: &dyn Ledger, numbers: u64, spec: &str) -> Job {
    let id = format!("{numbers:064x}");
    let [kind, spec, rules, build] = ["squares", spec, "7", BUILD].map(str::to_owned);
    let new = NewJob { id: id.clone(), kind, spec, rules, build, made_at: 1 };
    let ranges: Vec<_> = (0..numbers.div_ceil(3)).map(|n| 3 * n..numbers.min(3 * n + 3)).collect();
    ledger.open_job(&new, &ranges).unwrap();
    ledger.job(&id).unwrap().unwrap()
}

fn target(server: &Server) -> Target {
    Target { address: server.address(), key: None }
}

fn worker(server: &Server, name: &str, threads: usize) -> Worker {
    let (name, build) = (name.to_owned(), BUILD.to_owned());
    Worker { target: target(server), class: Class::Lent, threads, name, build }
}

/// Nobody waits for a second worker.
const TERMS: Terms =
    Terms { class: Class::Lent, lease: Duration::from_secs(60), alone: Duration::ZERO, backed: false };
/// A second worker is there, and is waited for.
const TWO: Terms = Terms { alone: Duration::from_secs(3_600), ..TERMS };

fn desk(
    target: &Target,
    terms: Terms,
    ledger: &Arc<dyn Ledger>,
    job: &Job,
    ear: &Ear,
) -> Result<Summary, String> {
    let posted = Posted {
        ledger: Arc::clone(ledger),
        job,
        game: "squares".to_owned(),
        holder: "the desk",
        lease: 30_000,
        now: &|| 0,
    };
    hand_out(target, terms, &posted, ear)
}

/// Hands a job out to these workers.
fn run(
    server: &Server,
    terms: Terms,
    numbers: u64,
    crew: &[(Worker, Squares)],
) -> (Job, Summary, Arc<dyn Ledger>, Ear) {
    let ledger: Arc<dyn Ledger> = Arc::new(MemoryStore::new());
    let spec = crew.first().and_then(|(_, squares)| squares.spec.as_deref());
    let job = job_with(&*ledger, numbers, spec.unwrap_or(SPEC));
    let (stop, ear) = (AtomicBool::new(false), Ear::default());
    let summary = thread::scope(|scope| {
        let _ends = Ends(vec![&stop]);
        for (worker, squares) in crew {
            let stop = &stop;
            scope.spawn(move || worker.run(squares, stop, &Ear::default()).expect("a worker"));
        }
        desk(&target(server), terms, &ledger, &job, &ear).expect("a desk")
    });
    let job = ledger.job(&job.job.id).unwrap().unwrap();
    (job, summary, ledger, ear)
}

fn check_all(job: &Job, ledger: &dyn Ledger, ballast: usize) {
    assert_eq!((job.state, job.why.as_str()), (JobState::Done, ""));
    let mut all = Vec::new();
    for n in 0..job.chunks[0] {
        all.extend(ledger.part(&job.job.id, n, 0).unwrap().unwrap().part.bytes);
    }
    let expected: Vec<u8> = (0..job.numbers[0]).flat_map(|number| square(number, ballast)).collect();
    assert!(all == expected, "the squares are not right");
}

fn wait(what: &str, mut until: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !until() {
        assert!(begin.elapsed() < PATIENCE, "{what}");
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn two_workers_do_everything_and_one_chunk_in_a_hundred_both() {
    let Some(server) = Server::start() else { return };
    let [first, second] = meeting();
    let crew = [("a", first), ("b", second)]
        .map(|(name, meeting)| (worker(&server, name, 2), Squares { meeting, ..Squares::default() }));
    let (job, summary, ledger, ear) = run(&server, TWO, 1_500, &crew);
    check_all(&job, &*ledger, 0);
    assert_eq!(summary.workers, BTreeSet::from(["a".to_owned(), "b".to_owned()]));
    assert_eq!((summary.checked, summary.unchecked), (5, 0));
    assert_eq!(ear.done.load(Ordering::Relaxed), 1_500);
}

#[test]
fn what_two_should_do_waits_for_a_second_worker() {
    let Some(server) = Server::start() else { return };
    let ledger: Arc<dyn Ledger> = Arc::new(MemoryStore::new());
    let job = job(&*ledger, 30);
    let (stop, ear) = (AtomicBool::new(false), Ear::default());
    let [first, second] = ["a", "b"].map(|name| worker(&server, name, 2));
    thread::scope(|scope| {
        let _ends = Ends(vec![&stop, &ear.stop]);
        let desk = scope.spawn(|| desk(&target(&server), TWO, &ledger, &job, &ear));
        scope.spawn(|| first.run(&Squares::default(), &stop, &Ear::default()).expect("a worker"));
        wait("the first does everything", || ear.done.load(Ordering::Relaxed) == 30);
        assert!(!desk.is_finished(), "nobody has checked it");
        scope.spawn(|| second.run(&Squares::default(), &stop, &Ear::default()).expect("a worker"));
        let summary = desk.join().unwrap().expect("a desk");
        assert_eq!((summary.checked, summary.unchecked), (1, 0));
        assert_eq!(summary.workers, BTreeSet::from(["a".to_owned(), "b".to_owned()]));
    });
}

#[test]
fn results_that_no_message_can_hold_come_in_slices() {
    let Some(server) = Server::start() else { return };
    let ballast = 1_200_000;
    let (job, _, ledger, _) =
        run(&server, TERMS, 5, &[(worker(&server, "a", 1), Squares { ballast, ..Squares::default() })]);
    check_all(&job, &*ledger, ballast);
}

#[test]
fn a_specification_that_no_message_can_hold_comes_in_slices() {
    let Some(server) = Server::start() else { return };
    let spec = Some("\"ü\\€\n".repeat(400_000));
    let squares = Squares { spec, ..Squares::default() };
    let (job, _, ledger, _) = run(&server, TERMS, 40, &[(worker(&server, "a", 2), squares)]);
    check_all(&job, &*ledger, 0);
}

#[test]
fn a_liar_stops_the_job_and_both_are_named() {
    let Some(server) = Server::start() else { return };
    let [first, second] = meeting();
    let honest = Squares { meeting: first, ..Squares::default() };
    let liar = Squares { meeting: second, lies: true, ..Squares::default() };
    let crew = [(worker(&server, "honest", 1), honest), (worker(&server, "liar", 1), liar)];
    let (job, ..) = run(&server, TWO, 900, &crew);
    assert_eq!(job.state, JobState::Disputed, "{}", job.why);
    assert!(job.why.contains("1 abc (honest/0)") && job.why.contains("1 abc (liar/0)"), "{}", job.why);
}

#[test]
fn a_chunk_that_always_fails_stops_the_job_with_the_words_of_its_worker() {
    let Some(server) = Server::start() else { return };
    let fails = Squares { fails_at: Some(100), ..Squares::default() };
    let (job, summary, ..) = run(&server, TERMS, 200, &[(worker(&server, "a", 2), fails)]);
    assert_eq!(job.state, JobState::Stuck);
    let [first, second] = [0, 1].map(|thread| {
        format!("chunk 33 (numbers 99 to 101) failed 4 times; a/{thread} said: number 100 can't be squared")
    });
    assert!(job.why == first || job.why == second, "{}", job.why);
    assert_eq!(summary.again, 4);
}

#[test]
fn another_build_leaves_it_to_others_and_says_so() {
    let Some(server) = Server::start() else { return };
    let ledger: Arc<dyn Ledger> = Arc::new(MemoryStore::new());
    let job = job(&*ledger, 30);
    let (stop, ear) = (AtomicBool::new(false), Ear::default());
    let [old, right] = ["2 def", BUILD].map(|build| {
        let build = build.to_owned();
        Worker { build, ..worker(&server, "a", 1) }
    });
    let old = Worker { name: "old".to_owned(), ..old };
    thread::scope(|scope| {
        let _ends = Ends(vec![&stop, &ear.stop]);
        let desk = scope.spawn(|| desk(&target(&server), TERMS, &ledger, &job, &ear));
        scope.spawn(|| old.run(&Squares::default(), &stop, &Ear::default()).expect("a worker"));
        wait("the old one refuses", || ear.has_heard("old can't help: it is build 2 def"));
        assert_eq!(ear.done.load(Ordering::Relaxed), 0);
        scope.spawn(|| right.run(&Squares::default(), &stop, &Ear::default()).expect("a worker"));
        let summary = desk.join().unwrap().expect("a desk");
        assert_eq!(summary.workers, BTreeSet::from(["a".to_owned()]));
    });
    check_all(&ledger.job(&job.job.id).unwrap().unwrap(), &*ledger, 0);
}

#[test]
fn a_worker_that_is_to_stop_gives_back_what_it_has() {
    let Some(server) = Server::start() else { return };
    let ledger: Arc<dyn Ledger> = Arc::new(MemoryStore::new());
    let job = job(&*ledger, 3);
    let (stop, stop_second, ear) = (AtomicBool::new(false), AtomicBool::new(false), Ear::default());
    let slow = Squares { pause: Duration::from_secs(3_600), ..Squares::default() };
    let terms = Terms { lease: Duration::from_secs(3_600), ..TERMS };
    let [first, second] = ["a", "b"].map(|name| worker(&server, name, 1));
    thread::scope(|scope| {
        let _ends = Ends(vec![&stop, &stop_second, &ear.stop]);
        let desk = scope.spawn(|| desk(&target(&server), terms, &ledger, &job, &ear));
        let slow_one = scope.spawn(|| first.run(&slow, &stop, &Ear::default()));
        wait("it has begun", || slow.busy.load(Ordering::SeqCst) == 1);
        stop.store(true, Ordering::Relaxed);
        slow_one.join().unwrap().expect("a worker");
        scope.spawn(|| second.run(&Squares::default(), &stop_second, &Ear::default()).expect("a worker"));
        // Nobody waits until the first is late, which would be in an hour.
        wait("the second does it", || desk.is_finished());
        let summary = desk.join().unwrap().expect("a desk");
        assert_eq!(summary.again, 0, "given back is not failed");
    });
    check_all(&ledger.job(&job.job.id).unwrap().unwrap(), &*ledger, 0);
}

#[test]
fn a_stream_that_is_lost_is_made_again_with_what_was_in_it() {
    let Some(mut server) = Server::start() else { return };
    let ledger: Arc<dyn Ledger> = Arc::new(MemoryStore::new());
    let job = job(&*ledger, 300);
    let (stop, ear) = (AtomicBool::new(false), Ear::default());
    let (target, one) = (target(&server), worker(&server, "a", 2));
    let slow = Squares { pause: Duration::from_millis(10), ..Squares::default() };
    thread::scope(|scope| {
        let _ends = Ends(vec![&stop, &ear.stop]);
        let desk = scope.spawn(|| desk(&target, TERMS, &ledger, &job, &ear));
        scope.spawn(|| one.run(&slow, &stop, &Ear::default()).expect("a worker"));
        for share in [1, 100, 200] {
            wait("it goes on", || ear.done.load(Ordering::Relaxed) >= share);
            server.kill();
            server.forget();
            server.restart();
        }
        desk.join().unwrap().expect("a desk");
    });
    check_all(&ledger.job(&job.job.id).unwrap().unwrap(), &*ledger, 0);
}

#[test]
fn work_for_the_house_is_not_done_by_machines_that_are_lent() {
    let Some(server) = Server::start() else { return };
    let terms = Terms { class: Class::House, ..TERMS };
    let house = Worker { class: Class::House, ..worker(&server, "house", 1) };
    let crew = [(worker(&server, "lent", 3), Squares::default()), (house.clone(), Squares::default())];
    let (job, summary, ledger, _) = run(&server, terms, 300, &crew);
    check_all(&job, &*ledger, 0);
    assert_eq!(summary.workers, BTreeSet::from(["house".to_owned()]));
    // And it does what others may do as well.
    let (job, summary, ledger, _) = run(&server, TERMS, 30, &[(house, Squares::default())]);
    check_all(&job, &*ledger, 0);
    assert_eq!(summary.workers.len(), 1);
}

#[test]
fn without_a_server_it_is_said() {
    let target = Target { address: "nats://lent:secret@127.0.0.1:1".to_owned(), key: None };
    let ledger: Arc<dyn Ledger> = Arc::new(MemoryStore::new());
    let job = job(&*ledger, 3);
    let why = desk(&target, TERMS, &ledger, &job, &Ear::default()).expect_err("nobody there");
    assert!(why.starts_with("can't reach NATS at nats://127.0.0.1:1: "), "{why}");
}

/// The configuration in `deploy/`, with keys of these names.
fn with_keys(folder: &Path) -> Option<Server> {
    testkit::nats::program()?;
    // The server reads keys from its environment, and another test may be starting one at the same time.
    let mut config = include_str!("../../../deploy/nats.conf").to_owned();
    for name in ["desk", "house", "lent"] {
        let key = new_key(&folder.join(name)).expect("a key").public;
        config = config.replace(&format!("$MAPROOM_{}", name.to_uppercase()), &key);
    }
    let stream = folder.join("stream").display().to_string();
    config = config.replace("/var/lib/nats", &stream);
    std::fs::write(folder.join("nats.conf"), config).expect("it can be written");
    Server::start_with(Some(&folder.join("nats.conf")))
}

#[test]
fn with_the_shipped_configuration_keys_open_what_they_should_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let Some(server) = with_keys(folder.path()) else { return };
    let with = |name: &str| Target { address: server.address(), key: Some(folder.path().join(name)) };
    let ledger: Arc<dyn Ledger> = Arc::new(MemoryStore::new());
    let stop = AtomicBool::new(false);
    let lent = Worker { target: with("lent"), ..worker(&server, "lent", 1) };
    let house = Worker { target: with("house"), class: Class::House, ..worker(&server, "house", 1) };
    let none = worker(&server, "none", 1).run(&Squares::default(), &stop, &Ear::default());
    assert!(none.is_err_and(|why| why.contains("does not let us in")), "without a key nobody gets in");
    thread::scope(|scope| {
        let _ends = Ends(vec![&stop]);
        for worker in [&lent, &house] {
            scope.spawn(|| worker.run(&Squares::default(), &stop, &Ear::default()).expect("a worker"));
        }
        let seen = signs(&server, &folder.path().join("desk"));
        assert_eq!(seen, BTreeSet::from(["here.house".to_owned(), "here.lent".to_owned()]));
        for (numbers, class) in [(300, Class::Lent), (60, Class::House)] {
            let job = job(&*ledger, numbers);
            let terms = Terms { class, ..TERMS };
            desk(&with("desk"), terms, &ledger, &job, &Ear::default()).expect("a desk");
            check_all(&ledger.job(&job.job.id).unwrap().unwrap(), &*ledger, 0);
        }
        let choice = choice(&Askers::start(&with("desk"), Waits::default()).expect("it is let in"));
        assert_eq!(choice.map(|choice| choice.choice).as_deref(), Some("that of a bot"));
    });
    // What is lent hands nothing out, reads no results, and takes nothing of the house.
    let job = job(&*ledger, 9);
    let why = desk(&with("lent"), TERMS, &ledger, &job, &Ear::default()).expect_err("not allowed");
    assert!(why.contains("WORK"), "{why}");
    let denied = forbidden(&server, &folder.path().join("lent"));
    assert_eq!(denied, [] as [&str; 0], "allowed to a lent machine");
}

/// What a worker of the house chooses for a bot.
fn choice(askers: &Askers) -> Option<Choice> {
    let patience = PATIENCE.as_millis() as u64;
    let [bot, build] = ["a bot", BUILD].map(str::to_owned);
    let asked = Asked {
        question: Question { bot, build, patience, ..Question::default() },
        steps: 1,
        head: "head".to_owned(),
        lines: Box::new(|_| "1 red a 01\n".to_owned()),
        stop: Arc::default(),
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(askers.ask(asked))
}

/// Where two workers say that they are there.
fn signs(server: &Server, key: &Path) -> BTreeSet<String> {
    let seed = std::fs::read_to_string(key).unwrap().trim().to_owned();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let client = async_nats::ConnectOptions::with_nkey(seed).connect(server.address()).await.unwrap();
        let mut heard = client.subscribe("here.*").await.unwrap();
        let mut seen = BTreeSet::new();
        while seen.len() < 2 {
            let next = tokio::time::timeout(PATIENCE, heard.next()).await.expect("a sign");
            seen.insert(next.expect("a message").subject.to_string());
        }
        seen
    })
}

/// What a lent machine can do although it should not.
fn forbidden(server: &Server, key: &Path) -> Vec<&'static str> {
    let seed = std::fs::read_to_string(key).unwrap().trim().to_owned();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let refusals = Arc::new(AtomicU64::new(0));
        let heard = Arc::clone(&refusals);
        let options = async_nats::ConnectOptions::with_nkey(seed)
            .custom_inbox_prefix("_INBOX_lent")
            .event_callback(move |event| {
                if matches!(event, async_nats::Event::ServerError(_)) {
                    heard.fetch_add(1, Ordering::SeqCst);
                }
                std::future::ready(())
            });
        let client = options.connect(server.address()).await.unwrap();
        let mut allowed = Vec::new();
        for subject in [
            "result.>",
            "desk.>",
            "work.>",
            "think.open.*",
            "think.private.*",
            "think.>",
            "news",
            "_INBOX_desk.>",
            "_INBOX_server.>",
            "_INBOX_house.>",
            ">",
        ] {
            let before = refusals.load(Ordering::SeqCst);
            let _reader = client.subscribe(subject).await.unwrap();
            client.flush().await.unwrap();
            if !more_than(&refusals, before).await {
                allowed.push(subject);
            }
        }
        for subject in [
            "work.lent.sim.x",
            "$JS.API.STREAM.DELETE.WORK",
            "$JS.API.STREAM.PURGE.WORK",
            "$JS.API.CONSUMER.MSG.NEXT.WORK.house",
            "$JS.ACK.WORK.house.1.1.1.1.0",
            "_INBOX_desk.x",
        ] {
            let before = refusals.load(Ordering::SeqCst);
            client.publish(subject, "x".into()).await.unwrap();
            client.flush().await.unwrap();
            if !more_than(&refusals, before).await {
                allowed.push(subject);
            }
        }
        allowed
    })
}

/// Whether a count becomes larger than this, before nothing can be expected any more.
async fn more_than(count: &AtomicU64, before: u64) -> bool {
    let begin = Instant::now();
    while count.load(Ordering::SeqCst) <= before && begin.elapsed() < PATIENCE / 5 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    count.load(Ordering::SeqCst) > before
}

#[test]
fn the_shipped_configuration_is_one_that_the_server_accepts() {
    let Some(program) = testkit::nats::program() else { return };
    let config = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy/nats.conf");
    let folder = tempfile::tempdir().unwrap();
    let mut check = Command::new(program);
    for name in ["DESK", "HOUSE", "LENT"] {
        let key = new_key(&folder.path().join(name)).expect("a key").public;
        check.env(format!("MAPROOM_{name}"), key);
    }
    let said = check.arg("-t").arg("-c").arg(config).output().expect("it runs");
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
}
