//! `maproom review`: luck and skill in a match.

use std::process::ExitCode;
use std::sync::atomic::Ordering;

use ::review::{Quality, Review, Reviewer, why_not};
use diagnostics::{nearest, shown};
use kernel::Table;

use crate::arguments::ReviewOrder;
use crate::files::{read_text, write_text};
use crate::output;
use crate::progress::{Stoppable, threads};
use crate::registry;

/// The width of the text.
const WIDTH: usize = 100;

/// Runs the command.
pub fn run(order: &ReviewOrder) -> Result<ExitCode, String> {
    let name = order.file.display().to_string();
    let text = read_text(&order.file)?;
    let game = registry::of_save(&name, &text)?;
    let opened = game.load(&name, &text).map_err(|problems| problems.to_string())?;
    let table = &*opened.table;
    if let Some(why) = why_not(table) {
        return Err(format!("{name}: {why}"));
    }
    let seat = order.seat.as_deref().map(|word| seat_of(table, word)).transpose()?;
    let reviewer = game.title.reviewer();
    let quality = reviewer.quality(table, &order.quality).ok_or_else(|| {
        format!("--quality {:?}: {}", shown(&order.quality), words().collect::<Vec<_>>().join(", "))
    })?;
    let quality = quality.on_threads(threads(order.threads)?);
    let review = watched(&*reviewer, table, quality)?;
    for note in &opened.notes {
        errln!("note: {note}");
    }
    if let Some(file) = &order.svg {
        write_text(file, &review.curve_svg())?;
    }
    if order.json {
        output::json(&review);
    } else {
        out!("{}", review.text(WIDTH, seat));
    }
    Ok(ExitCode::SUCCESS)
}

/// The names of the presets.
pub fn words() -> impl Iterator<Item = &'static str> {
    Quality::words().map(|(word, _)| word)
}

/// The seat with this name, or an error that lists the seats.
fn seat_of(table: &dyn Table, word: &str) -> Result<usize, String> {
    let words: Vec<&str> = table.seats().iter().map(|seat| seat.word).collect();
    words.iter().position(|known| *known == word).ok_or_else(|| {
        let meant = nearest(word, words.iter().copied());
        let hint = meant.map_or_else(String::new, |meant| format!(" (did you mean {meant}?)"));
        format!("--seat {:?}{hint}: the seats of this match are {}", shown(word), words.join(", "))
    })
}

/// Reviews with a progress bar on the terminal and the time on standard error.
fn watched(reviewer: &dyn Reviewer, table: &dyn Table, quality: Quality) -> Result<Review, String> {
    let watched = Stoppable::by_ctrl_c()?;
    watched.progress.total.store(1, Ordering::Relaxed);
    // A table belongs to one thread, so it is moved to the one that works.
    let table = table.fork(table.steps());
    let (review, took) =
        watched.run("playouts", move |progress| reviewer.review(&*table, quality, progress))?;
    let review = review.map_err(|why| why.to_string())?;
    if review.stopped {
        return Err("stopped before the review was finished".to_owned());
    }
    errln!(
        "{} steps reviewed in {:.1} s with {} playouts on {} thread{}",
        review.moments.len(),
        took.as_secs_f64(),
        review.playouts,
        quality.threads,
        if quality.threads == 1 { "" } else { "s" }
    );
    Ok(review)
}
