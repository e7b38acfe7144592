//! A batch is the same whatever the number of threads, and its figures are those of the reference simulation.

use bots::BotKind;
use bots::external::Opponent;
use bots::search::Budget;
use echoes::{Echoes, Edition};
use kernel::{Game as _, Options};
use lab::calibration::{Inquiry, calibrate};
use lab::ladder::{Contender, Ladder, climb};
use lab::{Batch, Progress, SimReport, simulate};

fn report(edition: Edition, bot: BotKind, games: u64, threads: usize) -> SimReport {
    let game = Echoes::edition(edition, 1).expect("the plain game is there");
    let batch = Batch { games, seed: 7, seats: vec![bot], threads };
    SimReport::new(&game, &batch, &simulate(&game, &batch, &Progress::default()).expect("a batch"))
}

#[test]
fn threads_do_not_change_a_batch() {
    let documents: Vec<String> = [1, 2, 5]
        .into_iter()
        .map(|threads| {
            let report = report(Edition::Axis, BotKind::Greedy, 3_000, threads);
            serde_json::to_string(&report).expect("a report can be written")
        })
        .collect();
    assert_eq!(documents[0], documents[1]);
    assert_eq!(documents[0], documents[2]);
}

/// Rule 11: the greedy player wins 45.6 % and 48.4 % in the reference simulation of 25,000 games, which has the windows of rules 2.
#[test]
fn the_greedy_player_is_as_good_as_the_reference() {
    for (edition, reference) in [("allied", 0.456), ("axis", 0.484)] {
        let options = [("edition", edition), ("windows", "2")];
        let options = options.map(|(key, value)| (key.to_owned(), value.to_owned()));
        let game = Echoes::with_options(&Options::from(options)).expect("options of the game");
        let batch = Batch { games: 20_000, seed: 7, seats: vec![BotKind::Greedy], threads: 2 };
        let totals = simulate(&game, &batch, &Progress::default()).expect("a batch");
        let win = SimReport::new(&game, &batch, &totals).seats[0].win;
        assert!(win.low < reference + 0.02 && win.high > reference, "{edition:?}: {win:?}");
    }
}

#[test]
fn a_batch_that_is_stopped_reports_what_was_done() {
    let game = Echoes::edition(Edition::Allied, 1).expect("the plain game is there");
    let batch = Batch { games: 1_000_000, seed: 1, seats: vec![BotKind::Random], threads: 1 };
    let controls = Progress::default();
    controls.stop.store(true, std::sync::atomic::Ordering::Relaxed);
    let totals = simulate(&game, &batch, &controls).expect("a batch");
    let report = SimReport::new(&game, &batch, &totals);
    assert!(report.interrupted);
    assert_eq!(report.games, 0);
    assert!(report.table().contains("stopped"));
}

/// A search that would think for years about its first choice.
const ENDLESS: BotKind = BotKind::Playouts(u32::MAX - 1);

/// Stops work that would not end by itself, while it is under way.
fn stopped_soon<T: Send>(work: impl FnOnce(&Progress) -> T + Send) -> T {
    let progress = Progress::default();
    std::thread::scope(|scope| {
        let work = scope.spawn(|| work(&progress));
        std::thread::sleep(std::time::Duration::from_millis(50));
        assert!(!work.is_finished(), "it should have been under way");
        progress.stop();
        let stopped = std::time::Instant::now();
        let found = work.join().expect("no panic");
        assert!(stopped.elapsed() < std::time::Duration::from_secs(10), "it went on");
        found
    })
}

#[test]
fn a_search_that_thinks_for_years_is_stopped_in_its_first_choice() {
    let game = Echoes::edition(Edition::Allied, 1).expect("the plain game is there");
    let batch = Batch { games: 5, seed: 1, seats: vec![ENDLESS], threads: 2 };
    let totals = stopped_soon(|progress| simulate(&game, &batch, progress)).expect("a batch");
    assert_eq!((totals.games, totals.decisions, totals.draws), (0, 0, 0), "half a game counts for nothing");

    let who = Opponent::Bot(ENDLESS);
    let contenders = vec![Contender { name: "endless".to_owned(), who }];
    let ladder = Ladder { contenders, games: 3, seed: 1, threads: 2 };
    let (totals, _) = stopped_soon(|progress| climb(&game, &ladder, progress)).expect("a ladder");
    assert_eq!(totals.games, 0);

    let inquiry = Inquiry {
        positions: 3,
        seed: 1,
        bot: ENDLESS,
        budget: Budget::playouts(u32::MAX - 1),
        continuations: 1,
        threads: 2,
    };
    let found = stopped_soon(|progress| calibrate(&game, &inquiry, progress)).expect("a calibration");
    assert_eq!(found.positions, 0);
}

/// What is in all games has nothing to be compared with.
#[test]
fn no_effect_is_claimed_for_what_comes_up_in_every_game() {
    let report = report(Edition::Allied, BotKind::Random, 3, 1);
    let always: Vec<_> = report.events.iter().filter(|line| line.in_games >= 1.0).collect();
    assert!(!always.is_empty(), "of three games some event is in all");
    for line in &report.events {
        let compared = line.in_games < 1.0;
        assert_eq!(line.effect.is_some(), compared, "{}", line.name);
        assert_eq!(line.effect_error.is_some(), compared, "{}", line.name);
        assert_eq!(line.win_without.is_some(), compared, "{}", line.name);
    }
    let table = report.table();
    let row = table.lines().find(|row| row.contains(&always[0].name)).expect("its row");
    assert!(row.contains("100.0 %") && row.contains("  -   ") && !row.contains('±'), "{row}");
}

#[test]
fn shares_add_up() {
    let report = report(Edition::Allied, BotKind::Random, 2_000, 1);
    let total: u64 = report.outcomes.iter().map(|line| line.games).sum();
    assert_eq!(total, 2_000);
    let seat = &report.seats[0];
    assert!((seat.win.share + seat.draw.share + seat.loss.share - 1.0).abs() < 1e-9);
    // Every turn opens exactly one box or one Major Conflict of the chart; no box of ours calls another.
    let opened: f64 = report
        .events
        .iter()
        .filter(|line| !line.name.starts_with("Tide") && !line.name.starts_with("Conf"))
        .map(|line| line.per_game)
        .sum();
    assert!((opened - report.mean_turns).abs() < 1e-9, "{opened} boxes in {} turns", report.mean_turns);
}
