//! `maproom calibrate`: do predicted chances come true?

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use bots::search::Budget;
use indicatif::{ProgressBar, ProgressStyle};
use lab::Controls;
use lab::calibration::Inquiry;

use crate::arguments::CalibrateOrder;
use crate::files::write_text;
use crate::output;
use crate::registry;
use crate::sim::threads;

/// Runs the command.
pub fn run(order: &CalibrateOrder) -> Result<ExitCode, String> {
    let title = registry::title(&order.game)?;
    let options = order.setup.options(title, order.spread.as_deref())?;
    if order.positions == 0 || order.playouts == 0 {
        return Err("--positions and --playouts must be 1 or more".to_owned());
    }
    let inquiry = Inquiry {
        positions: order.positions,
        continuations: order.continuations,
        bot: title.bot(&order.bot)?,
        budget: Budget::playouts(order.playouts),
        seed: order.seed,
        threads: threads(order.threads)?,
    };
    let controls = Arc::new(Controls::default());
    let signal = Arc::clone(&controls);
    ctrlc::set_handler(move || signal.stop.store(true, Ordering::Relaxed))
        .map_err(|why| format!("can't listen for Ctrl-C: {why}"))?;
    let bar = ProgressBar::new(order.positions);
    if let Ok(style) =
        ProgressStyle::with_template("{bar:40} {human_pos} of {human_len} positions, {eta} left")
    {
        bar.set_style(style);
    }
    let found = std::thread::scope(|scope| {
        let work = scope.spawn(|| title.calibrate(&options, &inquiry, &controls));
        while !work.is_finished() {
            bar.set_position(controls.done.load(Ordering::Relaxed));
            std::thread::sleep(Duration::from_millis(20));
        }
        work.join().map_err(|_| "the inquiry broke off".to_owned())
    })??;
    bar.finish_and_clear();
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
