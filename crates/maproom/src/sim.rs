//! `maproom sim`: many games.

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use bots::BotKind;
use indicatif::{ProgressBar, ProgressStyle};
use lab::{Batch, Controls, SimReport};

use crate::arguments::SimOrder;
use crate::output;
use crate::registry::{self, Title};

/// The most threads that make sense anywhere.
const MAX_THREADS: usize = 1_024;

/// Runs the command.
pub fn run(order: &SimOrder) -> Result<ExitCode, String> {
    let title = registry::title(&order.game)?;
    let seats: Vec<BotKind> =
        order.bot.split(',').map(|word| title.bot(word.trim())).collect::<Result<_, _>>()?;
    let threads = threads(order.threads)?;
    let batch = Batch { games: order.games, seed: order.seed, seats, threads };
    let spreads = order.spread.as_deref().map_or_else(|| Ok(vec![None]), spread_list)?;
    let stop = Arc::new(Controls::default());
    let signal = Arc::clone(&stop);
    ctrlc::set_handler(move || signal.stop.store(true, Ordering::Relaxed))
        .map_err(|why| format!("can't listen for Ctrl-C: {why}"))?;

    let mut reports = Vec::new();
    for spread in &spreads {
        let options = order.setup.options(title, spread.as_deref())?;
        reports.push(one(title, &options, &batch, &stop)?);
        if stop.stop.load(Ordering::Relaxed) {
            break;
        }
    }
    show(order, &reports);
    Ok(ExitCode::SUCCESS)
}

/// How many threads: so many, or one for each core.
pub fn threads(asked: Option<usize>) -> Result<usize, String> {
    match asked {
        Some(0) => Err("--threads 0: at least one thread is needed".to_owned()),
        Some(threads) => Ok(threads.min(MAX_THREADS)),
        None => Ok(std::thread::available_parallelism().map_or(1, usize::from)),
    }
}

/// One batch, with a progress bar on the terminal and the speed on standard error.
fn one(
    title: &dyn Title,
    options: &kernel::Options,
    batch: &Batch,
    controls: &Arc<Controls>,
) -> Result<SimReport, String> {
    controls.done.store(0, Ordering::Relaxed);
    let bar = ProgressBar::new(batch.games);
    if let Ok(style) =
        ProgressStyle::with_template("{bar:40} {human_pos} of {human_len} games, {per_sec}, {eta} left")
    {
        bar.set_style(style);
    }
    let begin = Instant::now();
    let (report, took) = std::thread::scope(|scope| {
        // The time is taken where the work is done: this thread only looks in now and then.
        let work = scope.spawn(|| (title.simulate(options, batch, controls), begin.elapsed()));
        while !work.is_finished() {
            bar.set_position(controls.done.load(Ordering::Relaxed));
            // Short at first, so that a small batch is not held up.
            std::thread::sleep(Duration::from_millis(if begin.elapsed().as_millis() < 200 {
                2
            } else {
                100
            }));
        }
        work.join().map_err(|_| "the simulation broke off".to_owned())
    })?;
    bar.finish_and_clear();
    let report = report?;
    let seconds = took.as_secs_f64();
    errln!(
        "{} games in {seconds:.2} s: {:.0} games/s on {} thread{}",
        report.games,
        report.games as f64 / seconds,
        batch.threads,
        if batch.threads == 1 { "" } else { "s" }
    );
    Ok(report)
}

fn show(order: &SimOrder, reports: &[SimReport]) {
    match reports {
        [report] if order.json => output::json(report),
        [report] => outln!("{}", report.table()),
        reports if order.json => output::json(&serde_json::json!({ "reports": reports })),
        reports => {
            outln!("{:28} {:>9}  {:24} {:24} loss", "", "games", "win", "draw");
            for report in reports {
                let options: Vec<String> =
                    report.options.iter().map(|(key, value)| format!("{key} {value}")).collect();
                for seat in &report.seats {
                    outln!(
                        "{:28} {:>9}  {:24} {:24} {}",
                        options.join(", "),
                        report.games,
                        seat.win.words(),
                        seat.draw.words(),
                        seat.loss.words()
                    );
                }
            }
        }
    }
}

/// `3`, `1,4,7`, `1-6` or `all` (1 to 24).
pub fn spread_list(text: &str) -> Result<Vec<Option<String>>, String> {
    let bad = || format!("--spread {text:?}: write 3, 1,4,7, 1-6 or all");
    if text == "all" {
        return Ok((1..=24).map(|n| Some(n.to_string())).collect());
    }
    let mut list = Vec::new();
    for part in text.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let first: u8 = first.trim().parse().map_err(|_| bad())?;
        let last: u8 = last.trim().parse().map_err(|_| bad())?;
        if first > last {
            return Err(bad());
        }
        list.extend((first..=last).map(|n| Some(n.to_string())));
    }
    Ok(list)
}
