//! Two ways with the same dice, compared with games that were played and counted one by one; texts instead of names.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex};

use bots::BotKind;
use dday::DDay;
use echoes::Echoes;
use kernel::{CompleteGame, Game as _, Options};
use lab::{
    Batch, Build, Comparison, Findings, Format, Of, Order, Outcome, Progress, Shelf, SimReport, Site,
    Subject, simulate, simulate_to_files,
};
use store::{Chunk, Finished, Job, Kept, KeptPart, Ledger, MemoryStore, NewJob, StoreError};
use surrender::Surrender;
use triumph::Triumph;

fn options(pairs: &[(&str, &str)]) -> Options {
    pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

fn site() -> (Site, Arc<dyn Ledger>) {
    let ledger: Arc<dyn Ledger> = Arc::new(MemoryStore::new());
    let build = Build { build: "1".to_owned(), process: "test".to_owned() };
    (Site::with_ledger(Arc::clone(&ledger), build, true), ledger)
}

fn built_in<G: CompleteGame>(kind: &str) -> &'static str {
    G::built_in(kind)[0].1
}

/// A book in which one box says something else.
fn other_book() -> String {
    let book = built_in::<Echoes>("book");
    let other = book.replacen("ADV", "Attack", 1);
    assert_ne!(book, other);
    other
}

fn order(games: u64) -> Order {
    Order {
        game: "echoes".to_owned(),
        options: options(&[("book", built_in::<Echoes>("book"))]),
        other: Some(options(&[("book", &other_book())])),
        bots: vec!["greedy".to_owned()],
        games,
        seed: 5,
    }
}

fn compared(site: &Site, order: &Order) -> (Box<[Findings; 2]>, Box<Comparison>) {
    let subject = Of::<Echoes>::new();
    let id = subject.job_id(order).expect("an id");
    match subject.outcome(site, &id, order).expect("an outcome") {
        Outcome::Pair(findings, comparison) => (findings, comparison),
        Outcome::Batch(_) => panic!("a pair was asked for"),
    }
}

/// The games of a batch as `maproom sim --out` writes them: result, standing, decisions, draws and turns of each.
fn games(options: &Options, order: &Order, folder: &Path) -> Vec<(String, i64, [i64; 3])> {
    let game = Echoes::with_options(options).expect("a book");
    let batch = Batch { games: order.games, seed: order.seed, seats: vec![BotKind::Greedy], threads: 1 };
    let files = Shelf { folder: folder.to_owned(), format: Format::Csv };
    simulate_to_files(&Site::in_process(), &game, &batch, &files, &Progress::default()).expect("files");
    let text = std::fs::read_to_string(folder.join("games.csv")).expect("games");
    let columns: Vec<&str> = text.lines().next().expect("a heading").split(',').collect();
    // The set-up is a text with commas; what is wanted stands behind it.
    let back =
        |name: &str| columns.len() - columns.iter().position(|column| *column == name).expect("a column");
    let rows = text.lines().skip(1).map(|line| {
        let fields: Vec<&str> = line.split(',').collect();
        let field = |name: &str| fields[fields.len() - back(name)];
        let number = |name: &str| field(name).parse::<i64>().expect("a number");
        (field("result").to_owned(), number("standings"), ["turns", "decisions", "draws"].map(number))
    });
    rows.collect()
}

#[test]
fn a_comparison_is_what_counting_pair_by_pair_gives() {
    let order = order(400);
    let (site, _) = site();
    let subject = Of::<Echoes>::new();
    subject.work(&site, &order, 2, &Progress::default()).expect("played");
    let (_, comparison) = compared(&site, &order);
    let folder = tempfile::tempdir().expect("a folder");
    let first = games(&order.options, &order, &folder.path().join("first"));
    let second = games(order.other.as_ref().expect("two"), &order, &folder.path().join("second"));
    let pairs: Vec<_> = first.iter().zip(&second).collect();
    assert!(pairs.iter().any(|(a, b)| a != b), "the change changes something");
    // Won games, one by one.
    let won: Vec<f64> =
        pairs.iter().map(|(a, b)| f64::from(u8::from(b.1 == 1)) - f64::from(u8::from(a.1 == 1))).collect();
    let mean = |list: &[f64]| list.iter().sum::<f64>() / list.len() as f64;
    let win = &comparison.seats[0].win;
    assert!((win.difference.value - mean(&won)).abs() < 1e-12, "{win:?}");
    assert!(win.difference.low < mean(&won) && mean(&won) < win.difference.high);
    let share = |of: &[(String, i64, [i64; 3])]| of.iter().filter(|game| game.1 == 1).count() as f64 / 400.0;
    assert_eq!(win.shares.map(|one| one.share), [share(&first), share(&second)]);
    // Lengths, decisions and draws with the spread of the list itself.
    for (at, measure) in comparison.measures.iter().take(3).enumerate() {
        let apart: Vec<f64> = pairs.iter().map(|(a, b)| (b.2[at] - a.2[at]) as f64).collect();
        let middle = mean(&apart);
        let variance = apart.iter().map(|one| (one - middle).powi(2)).sum::<f64>() / 399.0;
        let found = measure.difference.expect("an interval");
        assert!((found.value - middle).abs() < 1e-9, "{}: {found:?}", measure.name);
        assert!(
            (found.high - middle - 1.959_964 * (variance / 400.0).sqrt()).abs() < 1e-9,
            "{}",
            measure.name
        );
    }
    // Results by name.
    let count = |list: &[(String, i64, [i64; 3])]| {
        let mut counts = BTreeMap::<String, usize>::new();
        list.iter().for_each(|game| *counts.entry(game.0.clone()).or_default() += 1);
        counts.into_values().map(|games| games as f64 / 400.0).collect::<Vec<_>>()
    };
    for (side, list) in [&first, &second].into_iter().enumerate() {
        let mut shares: Vec<f64> = comparison.outcomes.iter().map(|line| line.shares[side].share).collect();
        shares.retain(|share| *share > 0.0);
        let mut counted = count(list);
        shares.sort_by(f64::total_cmp);
        counted.sort_by(f64::total_cmp);
        assert_eq!(shares, counted);
    }
    let alike = pairs.iter().filter(|(a, b)| a == b).count() as u64;
    assert!(comparison.alike <= alike && comparison.alike > 0, "{} of {alike}", comparison.alike);
    assert!(
        win.difference.gain().is_some_and(|gain| gain > 1.5),
        "the same dice are worth something: {win:?}"
    );
}

#[test]
fn each_way_of_a_pair_is_the_batch_that_it_would_be_alone() {
    let order = order(200);
    let (site, _) = site();
    Of::<Echoes>::new().work(&site, &order, 1, &Progress::default()).expect("played");
    let (findings, _) = compared(&site, &order);
    for (options, findings) in
        [&order.options, order.other.as_ref().expect("two")].into_iter().zip(&*findings)
    {
        let game = Echoes::with_options(options).expect("a book");
        let batch = Batch { games: 200, seed: 5, seats: vec![BotKind::Greedy], threads: 1 };
        let totals = simulate(&game, &batch, &Progress::default()).expect("played");
        assert_eq!(SimReport::new(&game, &batch, &totals).table(), findings.report.table());
        assert_eq!(findings.lengths.iter().map(|length| length.games).sum::<u64>(), 200);
    }
}

/// A ledger that stops whoever works as soon as something is kept, which no clock decides.
struct Impatient {
    ledger: MemoryStore,
    work: Mutex<Arc<Progress>>,
}

impl Ledger for Impatient {
    fn open_job(&self, job: &NewJob, ranges: &[Range<u64>]) -> Result<bool, StoreError> {
        self.ledger.open_job(job, ranges)
    }

    fn job(&self, id: &str) -> Result<Option<Job>, StoreError> {
        self.ledger.job(id)
    }

    fn jobs(&self) -> Result<Vec<Job>, StoreError> {
        self.ledger.jobs()
    }

    fn chunks(&self, job: &str) -> Result<Vec<Chunk>, StoreError> {
        self.ledger.chunks(job)
    }

    fn claim(
        &self,
        job: &str,
        holder: &str,
        now: u64,
        until: u64,
        most: usize,
    ) -> Result<Vec<Chunk>, StoreError> {
        self.ledger.claim(job, holder, now, until, most)
    }

    fn beat(&self, holder: &str, until: u64) -> Result<(), StoreError> {
        self.ledger.beat(holder, until)
    }

    fn give_back(&self, job: &str, holder: &str) -> Result<(), StoreError> {
        self.ledger.give_back(job, holder)
    }

    fn keep(&self, job: &str, by: &str, finished: &[Finished]) -> Result<Kept, StoreError> {
        let kept = self.ledger.keep(job, by, finished);
        self.work.lock().expect("no panic").stop();
        kept
    }

    fn part(&self, job: &str, n: u64, part: u32) -> Result<Option<KeptPart>, StoreError> {
        self.ledger.part(job, n, part)
    }

    fn fail(&self, job: &str, why: &str) -> Result<(), StoreError> {
        self.ledger.fail(job, why)
    }

    fn resume(&self, job: &str, alone: bool) -> Result<(), StoreError> {
        self.ledger.resume(job, alone)
    }

    fn drop_job(&self, id: &str) -> Result<bool, StoreError> {
        self.ledger.drop_job(id)
    }
}

#[test]
fn a_pair_that_is_stopped_again_and_again_comes_to_the_same() {
    let order = order(300);
    let subject = Of::<Echoes>::new();
    let (whole, whole_ledger) = site();
    subject.work(&whole, &order, 1, &Progress::default()).expect("played");
    let ledger = Arc::new(Impatient { ledger: MemoryStore::new(), work: Mutex::default() });
    let build = Build { build: "1".to_owned(), process: "test".to_owned() };
    let site = Site::with_ledger(Arc::clone(&ledger) as Arc<dyn Ledger>, build, true);
    let id = subject.job_id(&order).expect("an id");
    subject.enlist(&site, &order).expect("made");
    let done = || ledger.job(&id).expect("readable").expect("a job").numbers;
    assert_eq!(done(), [300, 0]);
    assert_eq!(compared(&site, &order).1.games, 0, "nothing is known before the first game");
    let mut shifts = 0;
    while done()[1] < 300 {
        let before = done()[1];
        let progress = Arc::new(Progress::default());
        *ledger.work.lock().expect("no panic") = Arc::clone(&progress);
        subject.work(&site, &order, 1, &progress).expect("worked");
        assert!(done()[1] > before, "what was kept stays");
        shifts += 1;
    }
    assert_eq!(shifts, ledger.chunks(&id).expect("chunks").len(), "it was stopped after each chunk");
    for chunk in ledger.chunks(&id).expect("chunks") {
        for part in 0..3 {
            let bytes =
                |from: &dyn Ledger| from.part(&id, chunk.n, part).expect("readable").expect("kept").part;
            assert_eq!(bytes(&*ledger), bytes(&*whole_ledger), "chunk {} part {part}", chunk.n);
        }
    }
}

#[test]
fn an_order_is_read_again_from_its_job() {
    let (site, ledger) = site();
    let subject = Of::<Echoes>::new();
    for other in [None, order(10).other] {
        let order = Order { other, ..order(10) };
        subject.enlist(&site, &order).expect("made");
        let id = subject.job_id(&order).expect("an id");
        let spec = ledger.job(&id).expect("readable").expect("a job").job.spec;
        let read = Order::of_spec(&spec).expect("an order");
        assert_eq!((read.games, read.seed, &read.bots), (10, 5, &order.bots));
        assert_eq!(subject.job_id(&read), Ok(id), "it is the same job");
    }
    assert_eq!(Order::of_spec("{\"kind\":\"ladder\"}"), None);
}

#[test]
fn what_can_t_be_compared_or_played_is_refused() {
    let bad = |order: &Order| Of::<Triumph>::new().job_id(order).expect_err("refused");
    let three = Order { game: "triumph".into(), bots: vec!["greedy".into()], games: 1, ..Order::default() };
    let two = Order { other: Some(options(&[("players", "2")])), ..three.clone() };
    assert!(bad(&two).contains("seats differ"), "{}", bad(&two));
    assert!(bad(&Order { bots: vec!["nobody".into()], ..three.clone() }).contains("unknown bot"));
    assert!(bad(&Order { bots: vec!["greedy".into(); 4], ..three.clone() }).contains("4 bots for 3 seats"));
    assert!(bad(&Order { options: options(&[("start", "1937")]), ..three }).contains("1937"));
}

/// The results of a few games, as a table without its first line, which names the options.
fn played<G: CompleteGame>(set_up: &Options) -> String {
    let game = G::with_options(set_up).unwrap_or_else(|why| panic!("{}: {why}", G::ID));
    let batch = Batch { games: 6, seed: 3, seats: vec![BotKind::Random], threads: 1 };
    let totals = simulate(&game, &batch, &Progress::default()).expect("played");
    let table = SimReport::new(&game, &batch, &totals).table();
    table.split_once('\n').expect("lines").1.to_owned()
}

/// What comes with a game goes by its text as it goes by its name.
fn same_by_text<G: CompleteGame>(kind: &str, named: impl Fn(&str) -> Options) {
    let texts = G::built_in(kind);
    assert!(!texts.is_empty(), "{}: {kind}", G::ID);
    for (name, text) in texts.into_iter().take(4) {
        assert!(G::check_file(kind, name, text).is_ok_and(|check| check.failures.is_empty()), "{name}");
        let by_text = played::<G>(&options(&[(kind, text)]));
        assert_eq!(by_text, played::<G>(&named(name)), "{}: {kind} {name}", G::ID);
    }
}

#[test]
fn a_text_that_comes_with_a_game_is_played_as_by_its_name() {
    same_by_text::<Echoes>("book", |name| options(&[("edition", name)]));
    same_by_text::<Echoes>("spreads", |_| Options::new());
    same_by_text::<DDay>("scenario", |name| options(&[("scenario", name)]));
    same_by_text::<DDay>("commander", |_| Options::new());
    same_by_text::<Triumph>("forces", |_| Options::new());
    same_by_text::<Triumph>("actions", |_| Options::new());
    same_by_text::<Triumph>("investments", |_| Options::new());
    same_by_text::<Surrender>("scenario", |name| options(&[("scenario", name)]));
}

#[test]
fn every_text_of_one_s_own_that_is_an_option_has_something_to_begin_from() {
    fn check<G: CompleteGame>(wanted: &[&str]) {
        let texts = Of::<G>::new().texts();
        assert_eq!(texts.iter().map(|kind| kind.key).collect::<Vec<_>>(), wanted);
        assert!(texts.iter().all(|kind| !kind.built_in.is_empty()));
    }
    check::<Echoes>(&["book", "spreads"]);
    check::<DDay>(&["scenario", "commander"]);
    check::<Triumph>(&["forces", "actions", "investments"]);
    check::<Surrender>(&["scenario"]);
    check::<blitz::Blitz>(&[]);
}
