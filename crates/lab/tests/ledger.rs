//! The same report, byte for byte, however a batch, a ladder or a calibration was done.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bots::BotKind;
use bots::external::{Command, Opponent};
use bots::search::Budget;
use echoes::{Echoes, Edition};
use kernel::{Dice as _, LabDice};
use lab::calibration::{Inquiry, calibrate_at};
use lab::ladder::{Contender, Ladder, LadderReport, climb_at};
use lab::{Batch, Build, Progress, SimReport, Site, Worked, simulate_at};
use store::{Ledger, SqliteStore};
use tempfile::TempDir;

/// A ledger in a folder that lasts as long as it.
struct Kept {
    ledger: Arc<dyn Ledger>,
    _folder: TempDir,
}

impl Kept {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        Self { ledger: Arc::new(SqliteStore::open(folder.path()).expect("a store")), _folder: folder }
    }

    fn site(&self) -> Site {
        let build = Build { build: "1".to_owned(), process: "test".to_owned() };
        Site::with_ledger(Arc::clone(&self.ledger), build, true)
    }
}

fn game() -> Echoes {
    Echoes::edition(Edition::Axis, 1).expect("the plain game is there")
}

/// Runs work of so many numbers that is stopped a few times at any moment, and then to its end.
fn with_stops<T>(
    kept: &Kept,
    numbers: u64,
    run: impl Fn(&Site, &Progress) -> Result<Worked<T>, String>,
) -> Worked<T> {
    let mut dice = LabDice::new(numbers);
    for round in 1..6 {
        let progress = Progress::default();
        let stop_at = numbers * round / 8 + u64::from(dice.below(numbers as u32 / 8));
        let over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) && progress.done.load(Ordering::Relaxed) < stop_at {
                    std::thread::yield_now();
                }
                progress.stop();
            });
            run(&kept.site(), &progress).expect("what was done so far");
            over.store(true, Ordering::Relaxed);
        });
    }
    run(&kept.site(), &Progress::default()).expect("all of it")
}

fn text(document: &impl serde::Serialize) -> String {
    serde_json::to_string(document).expect("a report can be written")
}

#[test]
fn a_batch_is_the_same_through_a_ledger_however_often_it_was_stopped() {
    let game = game();
    let batch = |threads| Batch { games: 2_000, seed: 7, seats: vec![BotKind::Greedy], threads };
    let run = |site: &Site, threads, progress: &Progress| {
        let totals = simulate_at(site, &game, &batch(threads), progress)?;
        Ok(totals.with(|totals| text(&SimReport::new(&game, &batch(threads), &totals))))
    };
    let plain = run(&Site::in_process(), 2, &Progress::default()).expect("a batch").result;
    for threads in [1, 3] {
        let kept = Kept::new();
        let worked = with_stops(&kept, 2_000, |site, progress| run(site, threads, progress));
        assert_eq!(worked.result, plain);
        assert!(worked.before > 0, "some of it was there");
        // Another seed is another job, and nothing is mixed.
        let other = Batch { seed: 8, ..batch(threads) };
        let other = simulate_at(&kept.site(), &game, &other, &Progress::default()).expect("a batch");
        assert!(other.job != worked.job && other.before == 0);
    }
}

#[test]
fn a_ladder_is_the_same_through_a_ledger() {
    let game = game();
    let bots = [("random", BotKind::Random), ("greedy", BotKind::Greedy)];
    let contenders: Vec<Contender> =
        bots.map(|(name, kind)| Contender { name: name.to_owned(), who: Opponent::Bot(kind) }).into();
    let ladder = |threads| Ladder { contenders: contenders.clone(), games: 300, seed: 3, threads };
    let run = |site: &Site, threads, progress: &Progress| {
        let worked = climb_at(site, &game, &ladder(threads), progress)?;
        let report =
            LadderReport::new("echoes", &ladder(threads), std::slice::from_ref(&worked.result.0), None)?;
        Ok(worked.with(|_| text(&report)))
    };
    let plain = run(&Site::in_process(), 2, &Progress::default()).expect("a ladder").result;
    for threads in [1, 3] {
        let worked = with_stops(&Kept::new(), 600, |site, progress| run(site, threads, progress));
        assert_eq!(worked.result, plain);
    }
}

#[test]
fn a_calibration_is_the_same_through_a_ledger() {
    let game = game();
    let inquiry = |threads| Inquiry {
        positions: 40,
        continuations: 2,
        bot: BotKind::Greedy,
        budget: Budget::playouts(30),
        seed: 5,
        threads,
    };
    let run = |site: &Site, threads, progress: &Progress| {
        Ok(calibrate_at(site, &game, &inquiry(threads), progress)?.with(|found| text(&found)))
    };
    let plain = run(&Site::in_process(), 2, &Progress::default()).expect("a calibration").result;
    for threads in [1, 3] {
        let worked = with_stops(&Kept::new(), 40, |site, progress| run(site, threads, progress));
        assert_eq!(worked.result, plain);
    }
}

#[test]
fn what_may_come_out_otherwise_the_next_time_is_not_kept() {
    let (kept, game, progress) = (Kept::new(), game(), Progress::default());
    let timed = Batch { games: 5, seed: 1, seats: vec![BotKind::Millis(5)], threads: 1 };
    let why = simulate_at(&kept.site(), &game, &timed, &progress).map(|_| ()).expect_err("not with a clock");
    assert!(why.contains("search:5ms") && why.contains("ledger"), "{why}");
    let program = Command::parse("mine=no-such-program").expect("a command");
    let contenders = vec![Contender { name: "mine".to_owned(), who: Opponent::Program(program) }];
    let ladder = Ladder { contenders, games: 5, seed: 1, threads: 1 };
    let why = climb_at(&kept.site(), &game, &ladder, &progress).map(|_| ()).expect_err("not with programs");
    assert!(why.contains("mine is a program of your own"), "{why}");
    let budget = Budget::time(std::time::Duration::from_millis(5));
    let inquiry =
        Inquiry { positions: 1, continuations: 1, bot: BotKind::Greedy, budget, seed: 1, threads: 1 };
    let why = calibrate_at(&kept.site(), &game, &inquiry, &progress).map(|_| ()).expect_err("not by time");
    assert!(why.contains("busy machine"), "{why}");
    assert_eq!(kept.ledger.jobs(), Ok(Vec::new()));
}
