//! The pages of the laboratory: the list of batches, the form for one, what came of it, and the editor of texts.

mod batch;
mod charts;
mod compared;
mod editor;
mod fields;
mod files;
mod found;
mod workers;

use std::collections::HashMap;
use std::sync::Arc;

use kernel::Options;
use lab::Order;
use maud::{Markup, html};
use review::thousands;
use store::AccountId;

use crate::assets;
use crate::clock;
use crate::laboratory::{Batch, Stage};
use crate::opponents::short_bot_name;
use crate::pages::layout::{Page, document, settings_dialog};
use crate::prefs::Prefs;
use crate::title::Title;

pub use batch::{BatchPage, page as batch};
pub use editor::{checked, page as editor};
pub use fields::page as form;
pub use files::file;
pub use workers::Here;

/// The names of those who asked for batches.
pub type Who = HashMap<AccountId, String>;

/// What the list shows.
pub struct ListPage<'a> {
    /// The games.
    pub titles: &'a [Arc<dyn Title>],
    /// The batches, the newest first.
    pub batches: &'a [Batch],
    /// Who asked for them.
    pub who: &'a Who,
    /// The workers that are there, where there can be any.
    pub here: Option<Here<'a>>,
    /// Now.
    pub now: u64,
}

/// How often the list fetches itself only for its workers, in milliseconds.
const SELDOM: u32 = 3_000;

/// A page of the laboratory.
fn framed(prefs: Prefs, heading: &str, main: &Markup) -> Markup {
    let body = html! {
        header.bar {
            a.home href="/" title="Back to the lobby" { "Maproom" }
            h1 { (heading) }
            nav.tools aria-label="Tools" {
                a.button href="/lab" aria-current=[(heading == "Laboratory").then_some("page")] { "Laboratory" }
                a.button href="/" { "Lobby" }
                button type="button" data-act="settings" { "Settings" }
            }
        }
        (main)
        div.toasts #toasts aria-live="polite" {}
        (settings_dialog(prefs))
    };
    let styles = [assets::url("lab.css")];
    document(prefs, &Page { title: heading, class: "lab", styles: &styles, script: Some("lab.js"), body })
}

/// "1 game", "2,000 games".
fn games(count: u64) -> String {
    format!("{} game{}", thousands(count), if count == 1 { "" } else { "s" })
}

/// The set-up in a few words. A text is called by its name if it comes with the game.
fn setup_words(title: &dyn Title, options: &Options) -> String {
    let kinds = title.subject().texts();
    let name = |key: &str, text: &str| {
        let known =
            kinds.iter().find(|kind| kind.key == key)?.built_in.iter().find(|(_, known)| *known == text)?;
        Some(format!("{key} {}", known.0))
    };
    let texts = options.iter().filter(|(_, value)| value.contains('\n'));
    let texts: Vec<String> =
        texts.map(|(key, text)| name(key, text).unwrap_or_else(|| format!("own {key}"))).collect();
    let (row, bar) = title.setup_class(options);
    let says_own = |word: &String| !texts.is_empty() && word.to_lowercase().contains("own");
    let words: Vec<String> = [row, bar]
        .into_iter()
        .filter(|word| !word.is_empty() && !says_own(word))
        .chain(texts.iter().cloned())
        .collect();
    if words.is_empty() { "as usual".to_owned() } else { words.join(", ") }
}

/// Who plays, with each name once if all are the same.
fn bots_words(order: &Order) -> String {
    let mut names: Vec<String> = order.bots.iter().map(|bot| short_bot_name(bot)).collect();
    if names.iter().all(|name| *name == names[0]) {
        names.truncate(1);
    }
    names.join(" v ")
}

/// Who asked for a batch, and when.
fn asked(who: &Who, batch: &Batch, now: u64) -> String {
    let by = batch.entry.by.as_deref().and_then(|by| by.parse().ok());
    let by = by.map_or("the owner", |by: AccountId| who.get(&by).map_or("somebody", String::as_str));
    format!("by {by}, {}", clock::ago(batch.entry.at, now))
}

/// The buttons of a batch.
fn deeds(batch: &Batch, label: &str) -> Markup {
    let (id, stage) = (&batch.entry.id, batch.stage());
    let form = |deed: &str, words: &str| {
        html! {
            form method="post" action={"/lab/batches/" (id) "/" (deed)} data-deed=(deed) {
                button.danger[deed == "delete"] type="submit" { (words) span.sr { " " (label) } }
            }
        }
    };
    html! {
        div.deeds {
            @match stage {
                Stage::Running | Stage::Waiting => (form("stop", "Stop")),
                Stage::Stopped | Stage::Failed => (form("again", "Start again")),
                Stage::Done if batch.is_foreign => (form("again", "Play again with this build")),
                Stage::Done => {}
            }
            (form("delete", "Delete"))
        }
    }
}

/// How far a batch is.
fn progress(batch: &Batch) -> Markup {
    let (done, all) = (batch.done, batch.job.numbers[0].max(1));
    html! {
        progress max=(all) value=(done) aria-label=(format!("{} of {}", thousands(done), games(all))) {}
    }
}

/// The list.
pub fn list(prefs: Prefs, shown: &ListPage<'_>) -> Markup {
    let is_under_way = shown.batches.iter().any(|batch| batch.stage().is_under_way());
    let follow = match (is_under_way, &shown.here) {
        (true, _) => Some(String::new()),
        (false, Some(_)) => Some(SELDOM.to_string()),
        (false, None) => None,
    };
    let main = html! {
        main.lab.list data-follow=[follow] {
            div.side {
                section.card.begin aria-labelledby="begin-title" {
                    h2 #begin-title { "New batch" }
                    p.lead { "Have bots play many games, and see who wins, how games go, and what a change does to them." }
                    ul.choices {
                        @for title in shown.titles {
                            li {
                                a.go href={"/lab/new/" (title.id())} { (title.name()) }
                                @let texts = title.subject().texts();
                                @if !texts.is_empty() {
                                    span.edit { "Edit and measure: "
                                        @for (at, kind) in texts.iter().enumerate() {
                                            @if at > 0 { ", " }
                                            a href={"/lab/edit/" (title.id()) "/" (kind.key)} { span.sr { (title.name()) ": " } (kind.key) }
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
                @if let Some(here) = &shown.here { (workers::here(here)) }
            }
            section.card.jobs aria-labelledby="jobs-title" {
                h2 #jobs-title { "Batches" }
                @if shown.batches.is_empty() { p.empty { "None yet. One at a time is played, in the background; what is stopped goes on where it was." } }
                ul.rows {
                    @for batch in shown.batches { (row(shown, batch)) }
                }
            }
        }
    };
    framed(prefs, "Laboratory", &main)
}

fn row(shown: &ListPage<'_>, batch: &Batch) -> Markup {
    let order = &batch.order;
    let title = shown.titles.iter().find(|title| title.id() == order.game);
    let name = title.map_or(order.game.as_str(), |title| title.name());
    let setup = title.map_or_else(String::new, |title| setup_words(&**title, &order.options));
    let label = format!("{name}, {setup}");
    let stage = batch.stage();
    html! {
        li data-batch=(batch.entry.id) {
            div.what {
                a href={"/lab/batches/" (batch.entry.id)} { b { (name) } " " span { (setup) } }
                @if let (Some(other), Some(title)) = (&order.other, title) { span.versus { "against " (setup_words(&**title, other)) } }
                small { (games(order.games)) ", " (bots_words(order)) ", seed " (order.seed) " · " (asked(shown.who, batch, shown.now)) }
                @if !batch.why().is_empty() && stage != Stage::Done { small.trouble { (batch.why()) } }
            }
            div.state {
                span.stage data-stage=(stage.word()) { (stage.word()) }
                @if stage != Stage::Done { (progress(batch)) }
            }
            (deeds(batch, &label))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_game_and_many_have_their_words() {
        assert_eq!((games(1), games(20_000)), ("1 game".to_owned(), "20,000 games".to_owned()));
    }
}
