//! The page of a batch: how far it is, and what came of it so far.

use lab::Outcome;
use maud::{Markup, html};
use review::thousands;
use store::JobState;

use super::{
    Who, asked, bots_words, compared, deeds, files, found, framed, games, progress, setup_words, workers,
};
use crate::laboratory::{Batch, Stage, Team};
use crate::prefs::Prefs;
use crate::title::Title;

/// What the page shows.
pub struct BatchPage<'a> {
    /// The game.
    pub title: &'a dyn Title,
    /// The batch.
    pub batch: &'a Batch,
    /// What came of it so far.
    pub outcome: &'a Outcome,
    /// Who took part, where there can be workers.
    pub team: Option<&'a Team>,
    /// The names of those who asked for batches.
    pub who: &'a Who,
    /// Now.
    pub now: u64,
}

/// The page.
pub fn page(prefs: Prefs, shown: &BatchPage<'_>) -> Markup {
    let stage = shown.batch.stage();
    let counted = shown.batch.job.numbers[1];
    let main = html! {
        main.lab.batch data-follow[stage.is_under_way() || shown.batch.is_running] {
            (heading(shown, stage))
            @if let Some(team) = shown.team { (workers::team(shown.batch, team)) }
            @if counted == 0 {
                section.card { p.empty { @if stage.is_under_way() { "What comes of it appears here as soon as some games are played." } @else { "No game was played." } } }
            } @else {
                @match shown.outcome {
                    Outcome::Batch(findings) => (found::all(findings)),
                    Outcome::Pair(findings, comparison) => (compared::all(findings, comparison)),
                }
                (downloads(shown))
            }
        }
    };
    framed(prefs, &format!("Batch: {}", shown.title.name()), &main)
}

fn heading(shown: &BatchPage<'_>, stage: Stage) -> Markup {
    let BatchPage { title, batch, who, now, .. } = *shown;
    let order = &batch.order;
    let setup = setup_words(title, &order.options);
    html! {
        section.card.broad.head aria-labelledby="head-title" {
            div {
                h2 #head-title { (title.name()) ": " (setup) @if let Some(other) = &order.other { span.versus { " against " (setup_words(title, other)) } } }
                p { (games(order.games)) @if order.other.is_some() { ", each both ways" } ", " (bots_words(order)) ", seed " (order.seed) " · " (asked(who, batch, now)) }
            }
            div.state {
                p.stage data-stage=(stage.word()) role="status" { (stage.word()) }
                @if stage != Stage::Done {
                    (progress(batch))
                    p.far { (thousands(batch.done)) " of " (thousands(batch.job.numbers[0])) }
                    @if let Some(words) = pace(batch) { p.far { (words) } }
                }
            }
            @if stage != Stage::Done && !batch.why().is_empty() { p.trouble { (batch.why()) } }
            @if let Some(words) = advice(batch) { p.aside { (words) } }
            @if batch.is_foreign { p.aside { "Played by another build of Maproom: " (batch.job.job.build) ", rules " (batch.job.job.rules) "." } }
            div.row {
                (deeds(batch, &setup))
                a.button href={"/lab/new/" (title.id()) "?like=" (batch.entry.id)} { "New batch like this" }
            }
            details { summary { "How it is set up" } (options(shown)) }
        }
    }
}

/// How fast it goes, and how long it will take.
fn pace(batch: &Batch) -> Option<String> {
    let rate = batch.rate.filter(|_| batch.is_running)?;
    let what = if batch.order.other.is_some() { "pairs" } else { "games" };
    let speed = match rate {
        10.0.. => format!("{} {what} a second", thousands(rate.round() as u64)),
        1.0.. => format!("{rate:.1} {what} a second"),
        _ => format!("{:.1} {what} a minute", rate * 60.0),
    };
    let left = batch.job.numbers[0].saturating_sub(batch.done) as f64 / rate;
    let (count, unit) = match left.round() as u64 {
        0 => return Some(speed),
        seconds @ 1..60 => (seconds.next_multiple_of(10), "second"),
        seconds @ 60..3_600 => (seconds.div_ceil(60), "minute"),
        seconds @ 3_600..172_800 => (seconds.div_ceil(3_600), "hour"),
        seconds => (seconds.div_ceil(86_400), "day"),
    };
    Some(format!("{speed}, about {} {unit}{} left", thousands(count), if count == 1 { "" } else { "s" }))
}

/// What to do about a batch that can't go on.
fn advice(batch: &Batch) -> Option<&'static str> {
    if batch.stage() != Stage::Failed {
        return None;
    }
    match batch.job.state {
        JobState::Disputed => Some(
            "Two machines came to different results for the same games, so nothing that is kept here can be trusted. Find out which of \
             the two is wrong: it may be broken, have another system, or bring what it has not played. End that worker, then press \
             Start again: all games are played anew.",
        ),
        JobState::Stuck => Some(
            "Some games could be played neither by workers nor by this house. Start again plays all of them anew; if it stops at the \
             same place, something is wrong with how the game is set up, or with the game.",
        ),
        JobState::Open | JobState::Done => None,
    }
}

/// All options, of a text its first line and a way to read it.
fn options(shown: &BatchPage<'_>) -> Markup {
    let order = &shown.batch.order;
    let value = |value: &str| {
        html! {
            @if value.contains('\n') { details { summary { (value.lines().next().unwrap_or_default()) " … (" (value.lines().count()) " lines)" } pre.text tabindex="0" { (value) } } }
            @else { (value) }
        }
    };
    html! {
        dl.facts {
            @for (key, one) in &order.options {
                @let other = order.other.as_ref().map(|other| other.get(key));
                dt { (key) }
                dd { (value(one)) @if let Some(other) = other.filter(|other| *other != Some(one)) { div.versus { "second: " (other.map_or_else(|| html! { "none" }, |other| value(other))) } } }
            }
            @for (key, one) in order.other.iter().flatten().filter(|(key, _)| !order.options.contains_key(*key)) {
                dt { (key) }
                dd { div.versus { "second: " (value(one)) } }
            }
        }
    }
}

fn downloads(shown: &BatchPage<'_>) -> Markup {
    html! {
        section.card.broad aria-labelledby="files-title" {
            h2 #files-title { "Files" }
            ul.files {
                @for (name, about) in files::names(shown.outcome) {
                    li { a.button href={"/lab/batches/" (shown.batch.entry.id) "/files/" (name)} download="" { (name) } " " small { (about) } }
                }
            }
        }
    }
}
