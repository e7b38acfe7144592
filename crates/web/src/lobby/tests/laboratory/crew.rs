//! Workers beside the house: what they bring counts like its own, what they do wrong is noticed, and what they are called harms nobody.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use lab::{Asked, Hands};
use sha2::{Digest as _, Sha256};
use store::{Finished, JobState, Part};

use super::*;
use crate::laboratory::{Crew, Doing, Help, Mark, Marks, Present, Team};

/// A worker with a name that no page may take for more than that.
const NAME: &str = "<script>alert(1)</script> process 3 of 99";

/// Workers that play some chunks of a job and then wait until it is over.
#[derive(Default)]
struct Fake {
    /// How often they were asked.
    asked: AtomicUsize,
    /// They can't be reached.
    fails: AtomicBool,
}

/// Plays chunks as a worker would; `change` spoils what came of them.
fn play(ledger: &dyn Ledger, id: &str, most: usize, change: impl Fn(&mut Vec<u8>)) {
    let spec = ledger.job(id).expect("readable").expect("a job").job.spec;
    let taken = ledger.claim(id, "the desk", 0, u64::MAX, most).expect("taken");
    for chunk in taken {
        bring(ledger, id, &spec, chunk.n, chunk.numbers, &change);
    }
}

fn bring(
    ledger: &dyn Ledger,
    id: &str,
    spec: &str,
    n: u64,
    numbers: std::ops::Range<u64>,
    change: impl Fn(&mut Vec<u8>),
) {
    let mut parts = Vec::new();
    let range = std::slice::from_ref(&numbers);
    lab::labour::<Echoes>(spec, range, &Progress::default(), &mut |done| {
        parts = done;
        true
    })
    .expect("played");
    parts.iter_mut().for_each(&change);
    let part = |bytes: Vec<u8>| Part { sha256: Sha256::digest(&bytes).into(), bytes };
    let finished = Finished { n, parts: parts.into_iter().map(part).collect() };
    ledger.keep(id, &format!("1 ({NAME}/0)"), &[finished]).expect("kept");
}

impl Hands for Fake {
    fn work(&self, asked: &Asked<'_>) -> Result<(), String> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        if self.fails.load(Ordering::SeqCst) {
            return Err("nobody can be reached".to_owned());
        }
        let id = &asked.job.job.id;
        let is_open =
            || asked.ledger.job(id).is_ok_and(|job| job.is_some_and(|job| job.state == JobState::Open));
        while !asked.progress.is_stopped() && is_open() {
            play(&*asked.ledger, id, 1, |_| {});
        }
        Ok(())
    }
}

impl Crew for Fake {
    fn command(&self) -> String {
        "maproom worker --nats nats://127.0.0.1:4222".to_owned()
    }

    fn is_reached(&self) -> bool {
        !self.fails.load(Ordering::SeqCst)
    }

    fn here(&self) -> Vec<Present> {
        let present = |name: &str, build: &str, heard: u64| Present {
            name: name.to_owned(),
            build: build.to_owned(),
            is_own: false,
            heard: Duration::from_secs(heard),
        };
        vec![present(NAME, "1", 0), present("old process 4 of 9", "<i>0", 1), present("quiet", "1", 40)]
    }

    fn help(&self, _: &str) -> Option<Help> {
        let doing = Doing { name: NAME.to_owned(), threads: 1, numbers: 12, ..Doing::default() };
        let mark = Mark { failed: 1, lost: 3 };
        let checked = [4, 9].map(|n| (n, NAME.to_owned())).into();
        let marks = Marks { checked, workers: [(NAME.to_owned(), mark)].into() };
        Some(Help { doing: vec![doing], marks, said: "Something <b>odd</b>.".to_owned(), ..Help::default() })
    }

    fn dismiss(&self, _: &str) {}
}

fn with_crew(store: &Arc<MemoryStore>) -> (Arc<Lobby>, Arc<Fake>) {
    let (fake, ledger) = (Arc::<Fake>::default(), Arc::<MemoryStore>::clone(store) as Arc<dyn Ledger>);
    let lobby = with_build(store, "1").with_crew(Arc::<Fake>::clone(&fake), ledger);
    (Arc::new(lobby), fake)
}

fn team(lobby: &Lobby, id: &str) -> Team {
    let batch = laboratory(lobby).batch(id).expect("there");
    laboratory(lobby).team(&batch).expect("readable").expect("there can be workers")
}

fn page(lobby: &Lobby, id: &str) -> String {
    let batch = laboratory(lobby).batch(id).expect("there");
    let title = &*lobby.titles()[0];
    let outcome = laboratory(lobby).outcome(title, &batch).expect("readable");
    let (who, team) = (pages::Who::new(), laboratory(lobby).team(&batch).expect("readable"));
    let shown = pages::BatchPage {
        title,
        batch: &batch,
        outcome: &outcome,
        team: team.as_ref(),
        who: &who,
        now: NOW,
    };
    pages::batch(Prefs::default(), &shown).into_string()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_batch_with_workers_comes_to_the_same_and_remembers_them() {
    let store = Arc::default();
    let (lobby, fake) = with_crew(&store);
    let order = order(500, "greedy", 7);
    let id = ask(&lobby, &order).expect("taken");
    play(&*store, &id, 3, |_| {});
    let tending = tend(&lobby);
    wait_for(&lobby, &id, Stage::Done).await;
    let done = || !laboratory(&lobby).batch(&id).expect("there").is_running;
    until(done).await;
    assert_eq!(fake.asked.load(Ordering::SeqCst), 1);
    assert_eq!(report(&lobby, &id, "report.txt"), format!("{}\n", simulated(&order).table()));
    tending.abort();
    // Another server finds all of it in the store.
    let (after, _) = with_crew(&store);
    let found = team(&after, &id);
    let [house, worker] = found.rows.as_slice() else { panic!("{found:?}") };
    assert_eq!((house.name.as_str(), worker.name.as_str()), ("", NAME));
    assert!(worker.chunks >= 3 && house.games + worker.games == 500, "{found:?}");
    assert_eq!((found.checked, worker.checked, worker.mark), (2, 2, Mark { failed: 1, lost: 3 }));
    let page = page(&after, &id);
    assert!(page.contains("1 failed, 3 never came back") && page.contains("with 2 chunks"), "{page}");
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;</span> <small>process 3"), "{page}");
    assert!(!page.contains("<script>alert") && !page.contains("Last heard"), "{page}");
}

/// Waits until something is so.
async fn until(is_so: impl Fn() -> bool) {
    for _ in 0..PATIENCE {
        if is_so() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("waited in vain");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn while_a_batch_is_played_its_page_shows_who_does_what() {
    let store = Arc::default();
    let (lobby, fake) = with_crew(&store);
    let id = ask(&lobby, &endless(1)).expect("taken");
    let tending = tend(&lobby);
    until(|| fake.asked.load(Ordering::SeqCst) > 0).await;
    let shown = page(&lobby, &id);
    for part in [
        "plays, with half of its cores",
        "plays 12 games, for 1 second",
        "just now",
        "40 seconds ago",
        "is gone",
        "Something &lt;b&gt;odd&lt;/b&gt;.",
        "data-follow",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    assert!(!shown.contains("old process"), "another build takes no part: {shown}");
    laboratory(&lobby).stop(&id).expect("stopped");
    wait_for(&lobby, &id, Stage::Stopped).await;
    tending.abort();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn workers_that_cannot_be_reached_keep_nothing_from_being_played() {
    let (lobby, fake) = with_crew(&Arc::default());
    fake.fails.store(true, Ordering::SeqCst);
    let order = order(200, "greedy", 3);
    let id = ask(&lobby, &order).expect("taken");
    let tending = tend(&lobby);
    wait_for(&lobby, &id, Stage::Done).await;
    assert_eq!(report(&lobby, &id, "report.txt"), format!("{}\n", simulated(&order).table()));
    tending.abort();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_worker_that_comes_to_something_else_stops_the_batch_and_the_page_says_what_to_do() {
    let store = Arc::default();
    let (lobby, _) = with_crew(&store);
    let order = order(100, "greedy", 5);
    let id = ask(&lobby, &order).expect("taken");
    play(&*store, &id, 1, |_| {});
    let chunk = store.chunks(&id).expect("chunks").remove(0);
    let spec = store.job(&id).expect("readable").expect("a job").job.spec;
    bring(&*store, &id, &spec, chunk.n, chunk.numbers, |bytes| bytes.push(1));
    assert_eq!(stage(&lobby, &id), Stage::Failed);
    let shown = page(&lobby, &id);
    assert!(
        shown.contains("came to different results") && shown.contains("Start again: all games"),
        "{shown}"
    );
    laboratory(&lobby).again(&*lobby.titles()[0], &id).expect("again");
    let tending = tend(&lobby);
    wait_for(&lobby, &id, Stage::Done).await;
    assert_eq!(report(&lobby, &id, "report.txt"), format!("{}\n", simulated(&order).table()));
    tending.abort();
}

#[test]
fn the_list_shows_who_is_there() {
    let (lobby, fake) = with_crew(&Arc::default());
    let here = fake.here();
    let shown = |workers: &[Present], is_reached| {
        let here =
            pages::Here { workers, doing: &[], is_reached, build: "1", command: "maproom worker --nats x" };
        let who = pages::Who::new();
        let list =
            pages::ListPage { titles: lobby.titles(), batches: &[], who: &who, here: Some(here), now: NOW };
        pages::list(Prefs::default(), &list).into_string()
    };
    let page = shown(&here, true);
    for part in [
        "&lt;script&gt;",
        "waits for work",
        "Another build (&lt;i&gt;0): it gets no work here.",
        "is gone",
        "lent, heard of just now",
        "maproom worker --nats x",
        "data-follow=\"3000\"",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(!page.contains("<script>alert") && !page.contains("<i>0"), "{page}");
    assert!(shown(&[], true).contains("None is there"));
    assert!(shown(&[], false).contains("NATS can't be reached now"));
    let many: Vec<Present> =
        (0..90).map(|at| Present { name: format!("w{at}"), ..here[0].clone() }).collect();
    let page = shown(&many, true);
    assert!(page.contains("And 50 more.") && page.matches("waits for work").count() == 40, "{page}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_servers_play_two_batches_and_each_only_once() {
    let store = Arc::<MemoryStore>::default();
    let server = || {
        let mut lobby = with_build(&store, "1");
        let own = lobby.laboratory.as_mut().and_then(Arc::get_mut).expect("nobody has it yet");
        own.is_shared = true;
        Arc::new(lobby)
    };
    let [one, two] = [server(), server()];
    let [first, second] = [1, 2].map(|seed| ask(&one, &endless(seed)).expect("taken"));
    let mut tending = vec![tend(&one)];
    wait_for(&one, &first, Stage::Running).await;
    tending.push(tend(&two));
    wait_for(&two, &second, Stage::Running).await;
    for (lobby, own, other) in [(&one, &first, &second), (&two, &second, &first)] {
        let batch = |id: &str| laboratory(lobby).batch(id).expect("there");
        assert!(batch(own).is_running && !batch(own).is_elsewhere);
        assert!(batch(other).is_running && batch(other).is_elsewhere, "it is the other server's");
    }
    // Who stops or deletes a batch need not know which server plays it.
    laboratory(&two).stop(&first).expect("stopped");
    laboratory(&one).delete(&second).expect("deleted");
    until(|| !laboratory(&one).batch(&first).expect("there").is_running).await;
    until(|| laboratory(&two).batches().expect("a list").iter().all(|batch| !batch.is_running)).await;
    assert_eq!(stage(&two, &first), Stage::Stopped);
    assert!(matches!(laboratory(&two).batch(&second), Err(LobbyError::NotFound)));
    tending.into_iter().for_each(|task| task.abort());
}
