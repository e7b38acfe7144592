//! `maproom calibrate`: compares predicted win chances with results.

use std::process::ExitCode;
use std::sync::atomic::Ordering;

use bots::search::Budget;
use lab::calibration::Inquiry;
use lab::{Progress, Worked};

use crate::arguments::CalibrateOrder;
use crate::files::write_text;
use crate::output;
use crate::progress::{Stoppable, threads};
use crate::registry;
use crate::work::Place;

/// Runs the command.
pub fn run(order: &CalibrateOrder) -> Result<ExitCode, String> {
    let game = registry::game(&order.game)?;
    let options = order.setup.options(game)?;
    if order.positions == 0 || order.playouts == 0 {
        return Err("--positions and --playouts must be 1 or more".to_owned());
    }
    let inquiry = Inquiry {
        positions: order.positions,
        continuations: order.continuations,
        bot: game.tools.bot(&order.bot)?,
        budget: Budget::playouts(order.playouts),
        seed: order.seed,
        threads: threads(order.threads)?,
    };
    let place = Place::open(&order.work, None)?;
    let watched = Stoppable::by_ctrl_c()?;
    watched.progress.total.store(order.positions, Ordering::Relaxed);
    let run = |progress: &Progress| game.tools.calibrate(&place.site, &options, &inquiry, progress);
    let (worked, _) = watched.run("positions", run)?;
    let Worked { result: found, job, .. } = worked?;
    if watched.was_interrupted() {
        place.say_how_to_go_on(&job);
    }
    if let Some(file) = &order.svg {
        write_text(file, &found.chart())?;
    }
    if order.json {
        output::json(&found);
    } else {
        out!("{}", found.table());
    }
    Ok(ExitCode::SUCCESS)
}
