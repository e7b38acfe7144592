//! `maproom sim`: simulates many games.

use std::process::ExitCode;
use std::sync::atomic::Ordering;

use bots::BotKind;
use lab::{Batch, Progress, Shelf, SimReport, Worked};

use crate::arguments::SimOrder;
use crate::output;
use crate::progress::{Stoppable, threads};
use crate::registry::{self, GameEntry};
use crate::work::Place;

/// Runs the command.
pub fn run(order: &SimOrder) -> Result<ExitCode, String> {
    let game = registry::game(&order.game)?;
    let seats: Vec<BotKind> =
        order.bot.split(',').map(|word| game.tools.bot(word.trim())).collect::<Result<_, _>>()?;
    let threads = threads(order.threads)?;
    let batch = Batch { games: order.games, seed: order.seed, seats, threads };
    let setups = order.setup.each(game)?;
    let shelf = order.out.clone().map(|folder| Shelf { folder, format: order.format });
    if let Some(shelf) = &shelf {
        if setups.len() > 1 {
            return Err(
                "--out: one set-up at a time, because the games of each have the same numbers".to_owned()
            );
        }
        shelf.check()?;
    }
    let place = Place::open(&order.work, order.out.as_deref())?;
    let watched = Stoppable::by_ctrl_c()?;
    let mut reports = Vec::new();
    for options in &setups {
        reports.push(one(&place, game, options, &batch, shelf.as_ref(), &watched)?);
        if watched.progress.is_stopped() {
            break;
        }
    }
    show(order, &reports);
    Ok(ExitCode::SUCCESS)
}

/// One batch, with a progress bar on the terminal and the speed on standard error.
fn one(
    place: &Place,
    game: &GameEntry,
    options: &kernel::Options,
    batch: &Batch,
    out: Option<&Shelf>,
    watched: &Stoppable,
) -> Result<SimReport, String> {
    watched.progress.done.store(0, Ordering::Relaxed);
    watched.progress.total.store(batch.games, Ordering::Relaxed);
    let run = |progress: &Progress| match out {
        Some(shelf) => game.tools.simulate_to_files(&place.site, options, batch, shelf, progress),
        None => game.tools.simulate(&place.site, options, batch, progress),
    };
    let (worked, took) = watched.run("games", run)?;
    let Worked { result: report, job, before } = worked?;
    let (played, seconds) = (report.games - before, took.as_secs_f64());
    errln!(
        "{played} games in {seconds:.2} s: {:.0} games/s {}{}",
        played as f64 / seconds,
        place.by(batch.threads),
        place.found(before)
    );
    match out {
        _ if report.interrupted => place.say_how_to_go_on(&job),
        Some(shelf) => {
            place.tidy_up();
            errln!("The games are in {}.", shelf.folder.display());
        }
        None => {}
    }
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
