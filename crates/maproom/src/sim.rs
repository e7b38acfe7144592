//! `maproom sim`: simulates many games.

use std::process::ExitCode;
use std::sync::atomic::Ordering;

use bots::BotKind;
use lab::{Batch, SimReport};

use crate::arguments::SimOrder;
use crate::output;
use crate::progress::{Stoppable, threads};
use crate::registry::{self, GameEntry};

/// Runs the command.
pub fn run(order: &SimOrder) -> Result<ExitCode, String> {
    let game = registry::game(&order.game)?;
    let seats: Vec<BotKind> =
        order.bot.split(',').map(|word| game.tools.bot(word.trim())).collect::<Result<_, _>>()?;
    let threads = threads(order.threads)?;
    let batch = Batch { games: order.games, seed: order.seed, seats, threads };
    let setups = order.setup.each(game)?;
    let watched = Stoppable::by_ctrl_c()?;
    let mut reports = Vec::new();
    for options in &setups {
        reports.push(one(game, options, &batch, &watched)?);
        if watched.progress.is_stopped() {
            break;
        }
    }
    show(order, &reports);
    Ok(ExitCode::SUCCESS)
}

/// One batch, with a progress bar on the terminal and the speed on standard error.
fn one(
    game: &GameEntry,
    options: &kernel::Options,
    batch: &Batch,
    watched: &Stoppable,
) -> Result<SimReport, String> {
    watched.progress.done.store(0, Ordering::Relaxed);
    watched.progress.total.store(batch.games, Ordering::Relaxed);
    let (report, took) = watched.run("games", |progress| game.tools.simulate(options, batch, progress))?;
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
