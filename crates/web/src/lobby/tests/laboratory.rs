//! Batches of the laboratory: played one at a time, within limits, to the same bytes as anywhere, also after a restart.

mod crew;

use bots::BotKind;
use echoes::Echoes;
use kernel::Game as _;
use lab::{Build, Order, Progress, SimReport, Site};
use store::Ledger;

use super::*;
use crate::laboratory::{Laboratory, MOST_GAMES, MOST_KEPT, MOST_WAITING, Stage};
use crate::pages::lab as pages;

const NOW: u64 = 1_790_000_000_000;

/// A server over a store that outlives it; batches wait until somebody tends the laboratory.
fn house(store: &Arc<MemoryStore>) -> Arc<Lobby> {
    Arc::new(with_build(store, "1"))
}

fn with_build(store: &Arc<MemoryStore>, build: &'static str) -> Lobby {
    let titles: Vec<Arc<dyn Title>> = vec![Arc::new(Of::<crate::PlainBoard<Echoes>>::new())];
    let ledger: Arc<dyn Ledger> = Arc::<MemoryStore>::clone(store);
    let kept: Arc<dyn Store> = Arc::<MemoryStore>::clone(store);
    let lobby = Lobby::open(kept, titles).expect("the store opens");
    lobby.with_laboratory(move || {
        let build = Build { build: build.to_owned(), process: "test".to_owned() };
        Ok(Site::with_ledger(Arc::clone(&ledger), build, true))
    })
}

fn order(games: u64, bot: &str, seed: u64) -> Order {
    Order { game: "echoes".to_owned(), bots: vec![bot.to_owned()], games, seed, ..Order::default() }
}

/// Games that would go on for days.
fn endless(seed: u64) -> Order {
    order(MOST_GAMES, "general", seed)
}

fn laboratory(lobby: &Lobby) -> &Arc<Laboratory> {
    lobby.laboratory().expect("a laboratory")
}

fn ask(lobby: &Lobby, order: &Order) -> Result<String, LobbyError> {
    laboratory(lobby).ask(&*lobby.titles()[0], order, None, NOW)
}

fn stage(lobby: &Lobby, id: &str) -> Stage {
    laboratory(lobby).batch(id).expect("there").stage()
}

async fn wait_for(lobby: &Lobby, id: &str, wanted: Stage) {
    for _ in 0..PATIENCE {
        if stage(lobby, id) == wanted {
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("the batch is {:?}: {}", stage(lobby, id), laboratory(lobby).batch(id).expect("there").why());
}

fn tend(lobby: &Arc<Lobby>) -> tokio::task::JoinHandle<()> {
    let own = Arc::clone(lobby);
    tokio::spawn(async move { own.tend_laboratory().await })
}

fn report(lobby: &Lobby, id: &str, name: &str) -> String {
    let batch = laboratory(lobby).batch(id).expect("there");
    let outcome = laboratory(lobby).outcome(&*lobby.titles()[0], &batch).expect("readable");
    pages::file(&batch, &outcome, name).expect("a file").1
}

/// What `maproom sim` prints of the same batch.
fn simulated(order: &Order) -> SimReport {
    let game = Echoes::with_options(&order.options).expect("options");
    let bots = order.bots.iter().map(|bot| BotKind::parse::<Echoes>(bot).expect("a bot")).collect();
    let batch = lab::Batch { games: order.games, seed: order.seed, seats: bots, threads: 1 };
    let totals = lab::simulate(&game, &batch, &Progress::default()).expect("played");
    SimReport::new(&game, &batch, &totals)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_batch_comes_to_the_bytes_that_the_program_prints() {
    let lobby = house(&Arc::default());
    let order = order(500, "greedy", 7);
    let id = ask(&lobby, &order).expect("taken");
    assert_eq!(stage(&lobby, &id), Stage::Waiting);
    let tending = tend(&lobby);
    wait_for(&lobby, &id, Stage::Done).await;
    let simulated = simulated(&order);
    assert_eq!(report(&lobby, &id, "report.txt"), format!("{}\n", simulated.table()));
    let json = serde_json::to_value(&simulated).expect("a document");
    assert_eq!(report(&lobby, &id, "report.json"), format!("{json:#}\n"));
    assert_eq!(ask(&lobby, &order).expect("known"), id, "who asks for the same gets the same");
    assert_eq!(laboratory(&lobby).batches().expect("a list").len(), 1);
    tending.abort();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_batch_at_a_time_is_played_and_a_stop_makes_room_for_the_next() {
    let lobby = house(&Arc::default());
    let (first, second) =
        (ask(&lobby, &endless(1)).expect("taken"), ask(&lobby, &endless(2)).expect("taken"));
    let tending = tend(&lobby);
    wait_for(&lobby, &first, Stage::Running).await;
    assert_eq!(stage(&lobby, &second), Stage::Waiting);
    laboratory(&lobby).stop(&first).expect("stopped");
    wait_for(&lobby, &second, Stage::Running).await;
    wait_for(&lobby, &first, Stage::Stopped).await;
    laboratory(&lobby).again(&*lobby.titles()[0], &first).expect("again");
    assert_eq!(stage(&lobby, &first), Stage::Waiting);
    laboratory(&lobby).delete(&second).expect("deleted");
    wait_for(&lobby, &first, Stage::Running).await;
    assert!(matches!(laboratory(&lobby).batch(&second), Err(LobbyError::NotFound)));
    laboratory(&lobby).delete(&first).expect("deleted");
    assert!(laboratory(&lobby).batches().expect("a list").is_empty());
    tending.abort();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_batch_goes_on_after_a_restart_and_comes_to_the_same() {
    let store = Arc::<MemoryStore>::default();
    let order = order(3_000, "onestep", 3);
    let before = house(&store);
    let id = ask(&before, &order).expect("taken");
    let tending = tend(&before);
    wait_for(&before, &id, Stage::Running).await;
    // From one moment to the next: what was begun is given up, what was written down stays.
    tending.abort();
    laboratory(&before).close();
    drop(before);
    let after = house(&store);
    assert!(stage(&after, &id).is_under_way() || stage(&after, &id) == Stage::Done);
    let tending = tend(&after);
    wait_for(&after, &id, Stage::Done).await;
    assert_eq!(report(&after, &id, "report.txt"), format!("{}\n", simulated(&order).table()));
    tending.abort();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_batch_makes_room_when_its_time_is_over() {
    let mut lobby = with_build(&Arc::default(), "1");
    let own = lobby.laboratory.as_mut().and_then(Arc::get_mut).expect("nobody has it yet");
    own.most_time = Duration::from_millis(20);
    let lobby = Arc::new(lobby);
    let first = ask(&lobby, &endless(1)).expect("taken");
    let second = ask(&lobby, &order(5, "random", 1)).expect("taken");
    let tending = tend(&lobby);
    wait_for(&lobby, &first, Stage::Stopped).await;
    // On a busy machine the time may be over for the second one, too: then it goes on where it was.
    for _ in 0..PATIENCE {
        match stage(&lobby, &second) {
            Stage::Done => break,
            Stage::Stopped => laboratory(&lobby).again(&*lobby.titles()[0], &second).expect("again"),
            _ => tokio::time::sleep(Duration::from_millis(5)).await,
        }
    }
    assert_eq!(stage(&lobby, &second), Stage::Done);
    let stopped = laboratory(&lobby).batch(&first).expect("there");
    assert!(stopped.why().contains("time was over"), "{}", stopped.why());
    tending.abort();
}

#[test]
fn nobody_can_make_the_house_work_without_end() {
    let lobby = house(&Arc::default());
    for games in [0, MOST_GAMES + 1] {
        let refused = ask(&lobby, &order(games, "random", 1)).expect_err("refused").to_string();
        assert!(refused.contains("1 to 1000000"), "{refused}");
    }
    let mut long = order(1, "random", 1);
    long.options.insert("book".to_owned(), "x".repeat(300_000));
    assert!(ask(&lobby, &long).expect_err("refused").to_string().contains("256 KB"));
    assert!(ask(&lobby, &order(1, "search:500ms", 1)).is_err(), "what depends on the time is not kept");
    let ids: Vec<String> =
        (0..MOST_WAITING as u64).map(|seed| ask(&lobby, &order(1, "random", seed)).expect("taken")).collect();
    let refused = ask(&lobby, &order(1, "random", 99)).expect_err("refused").to_string();
    assert!(refused.contains("wait already"), "{refused}");
    assert_eq!(
        ask(&lobby, &order(1, "random", 0)).expect("known"),
        ids[0],
        "what waits already may be asked for"
    );
    for seed in 0..MOST_KEPT as u64 {
        let id = ask(&lobby, &order(1, "random", seed)).expect("taken");
        laboratory(&lobby).stop(&id).expect("stopped");
    }
    let refused = ask(&lobby, &order(1, "random", 99)).expect_err("refused").to_string();
    assert!(refused.contains("delete some"), "{refused}");
    laboratory(&lobby).delete(&ids[0]).expect("deleted");
    assert!(ask(&lobby, &order(1, "random", 99)).is_ok());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_another_build_began_is_begun_anew() {
    let store = Arc::<MemoryStore>::default();
    let old = house(&store);
    let order = order(40, "random", 1);
    let id = ask(&old, &order).expect("taken");
    let tending = tend(&old);
    wait_for(&old, &id, Stage::Done).await;
    tending.abort();
    let new = Arc::new(with_build(&store, "2"));
    let batch = laboratory(&new).batch(&id).expect("there");
    assert!(batch.is_foreign && batch.stage() == Stage::Done);
    assert_eq!(
        report(&new, &id, "report.txt"),
        format!("{}\n", simulated(&order).table()),
        "it can still be read"
    );
    laboratory(&new).again(&*new.titles()[0], &id).expect("again");
    let tending = tend(&new);
    wait_for(&new, &id, Stage::Done).await;
    assert!(!laboratory(&new).batch(&id).expect("there").is_foreign);
    tending.abort();
}

#[test]
fn a_house_that_asks_for_nothing_opens_nothing() {
    let store = Arc::<MemoryStore>::default();
    let kept: Arc<dyn Store> = Arc::<MemoryStore>::clone(&store);
    let lobby = Lobby::open(kept, Vec::new()).expect("opens").with_laboratory(|| panic!("nobody asked"));
    assert!(laboratory(&lobby).batches().expect("none").is_empty());
    assert_eq!(store.setting("laboratory").expect("readable"), None);
}

#[test]
fn pages_show_what_came_of_a_pair_and_its_files() {
    let lobby = house(&Arc::default());
    let other = Options::from([("spread".to_owned(), "2".to_owned())]);
    let order = Order { other: Some(other), ..order(60, "greedy", 2) };
    let id = ask(&lobby, &order).expect("taken");
    let title = &*lobby.titles()[0];
    let site = laboratory(&lobby).site().expect("a place");
    title.subject().work(site, &order, 1, &Progress::default()).expect("played");
    let batch = laboratory(&lobby).batch(&id).expect("there");
    let outcome = laboratory(&lobby).outcome(title, &batch).expect("readable");
    let who = pages::Who::new();
    let shown = pages::BatchPage { title, batch: &batch, outcome: &outcome, team: None, who: &who, now: NOW };
    let page = pages::batch(Prefs::default(), &shown).into_string();
    for part in ["60 pairs of games", "Difference (95 %)", "second: 2", "differences.csv", "by the owner"] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(!page.contains("NaN") && !page.contains("style=") && !page.contains("data-follow"), "{page}");
    for name in [
        "report.txt",
        "report.json",
        "differences.csv",
        "results.csv",
        "curve.csv",
        "lengths.csv",
        "events.csv",
    ] {
        let text = report(&lobby, &id, name);
        assert!(text.lines().count() > 2 && !text.contains("NaN"), "{name}: {text}");
        // Nothing of a curve is a text, so a line is parted by its commas.
        if name == "curve.csv" {
            assert!(text.lines().all(|line| line.split(',').count() == 5), "{text}");
        }
    }
    assert!(pages::file(&batch, &outcome, "../secret").is_none());
}
