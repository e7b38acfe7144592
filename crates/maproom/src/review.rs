//! `maproom review`: luck and skill in a match.

use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::Duration;

use ::review::{Progress, Quality, Review, Reviewer, why_not};
use diagnostics::{nearest, shown};
use kernel::Table;
use lab::Worked;

use crate::arguments::ReviewOrder;
use crate::files::{read_text, write_text};
use crate::output;
use crate::progress::{Stoppable, threads};
use crate::registry::{self, GameEntry};
use crate::work::Place;

/// The width of the text.
const WIDTH: usize = 100;

/// What is said of a review that was stopped.
const STOPPED: &str = "stopped before the review was finished";

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
    keeps_running_matches_in_the_house(order, table).map_err(|why| format!("{name}: {why}"))?;
    let place = Place::open(&order.work, None)?;
    let review = if place.site.is_kept() {
        in_pieces(&place, game, table, quality)?
    } else {
        watched(&*reviewer, table, quality, &place)?
    };
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

/// Refuses to show a match that goes on to machines that somebody lends.
fn keeps_running_matches_in_the_house(order: &ReviewOrder, table: &dyn Table) -> Result<(), String> {
    let is_lent = order.work.nats.is_some() && order.work.class != "house";
    if is_lent && table.result().is_none() {
        return Err(
            "this match is not over, and machines that somebody lends are not shown running matches: \
             give --class house, for workers of that class only"
                .to_owned(),
        );
    }
    Ok(())
}

/// Reviews with a progress bar on the terminal and the time on standard error.
fn watched(
    reviewer: &dyn Reviewer,
    table: &dyn Table,
    quality: Quality,
    place: &Place,
) -> Result<Review, String> {
    let watched = Stoppable::by_ctrl_c()?;
    watched.progress.total.store(1, Ordering::Relaxed);
    // A table belongs to one thread, so it is moved to the one that works.
    let table = table.fork(table.steps());
    let (review, took) =
        watched.run("playouts", move |progress| reviewer.review(&*table, quality, progress))?;
    let review = review.map_err(|why| why.to_string())?;
    if review.stopped {
        return Err(STOPPED.to_owned());
    }
    say(&review, took, &place.by(quality.threads), 0);
    Ok(review)
}

/// The same through a ledger or by workers: what was looked at before is not looked at again.
fn in_pieces(place: &Place, game: &GameEntry, table: &dyn Table, quality: Quality) -> Result<Review, String> {
    let watched = Stoppable::by_ctrl_c()?;
    watched.progress.total.store(1, Ordering::Relaxed);
    let table = table.fork(table.steps());
    let work = move |progress: &Progress| game.tools.review(&place.site, &*table, quality, progress);
    let (worked, took) = watched.run("looks", work)?;
    let Worked { result: review, job, before } = worked?;
    let Some(review) = review else {
        place.say_how_to_go_on(&job);
        return Err(STOPPED.to_owned());
    };
    say(&review, took, &place.by(quality.threads), before);
    Ok(review)
}

/// The time on standard error.
fn say(review: &Review, took: Duration, by: &str, before: u64) {
    let found =
        if before > 0 { format!("; {before} of its looks were in the ledger") } else { String::new() };
    errln!(
        "{} steps reviewed in {:.1} s with {} playouts {by}{found}",
        review.moments.len(),
        took.as_secs_f64(),
        review.playouts
    );
}
