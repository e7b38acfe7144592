//! The page of a game: how sides and bots fare, and its rated players.

use std::collections::HashMap;
use std::sync::Arc;

use maud::{Markup, html};
use ratings::SIXTHS;
use store::{AccountId, KeptRating, SideScore, Skill};

use crate::assets;
use crate::lobby::{GameResults, Known};
use crate::opponents::{bot_name, side_name};
use crate::pages::account::bar;
use crate::pages::layout::{Page, document, settings_dialog};
use crate::pages::player::{count, name_of, skill_words, tallies};
use crate::prefs::Prefs;
use crate::title::Title;

/// How many players the list of all games shows of each.
const FIRST: usize = 5;

/// What the page of a game shows.
pub struct GamePage<'a> {
    /// The game.
    pub title: &'a dyn Title,
    /// Its results in this house.
    pub results: &'a GameResults,
    /// Its rated players, best first.
    pub rated: &'a [KeptRating],
    /// What the sides have scored in rated matches.
    pub scores: &'a [SideScore],
    /// The names of the players.
    pub names: &'a HashMap<AccountId, Known>,
    /// Whether the visitor owns the lobby.
    pub is_owner: bool,
}

/// What the page of all games shows.
pub struct PlayersPage<'a> {
    /// The games.
    pub titles: &'a [Arc<dyn Title>],
    /// The rated players of each, best first.
    pub lists: &'a [(&'static str, Vec<KeptRating>)],
    /// Their names.
    pub names: &'a HashMap<AccountId, Known>,
    /// Whether the visitor owns the lobby.
    pub is_owner: bool,
}

fn framed(prefs: Prefs, title: &str, is_owner: bool, main: &Markup) -> Markup {
    let body = html! {
        (bar(title, is_owner, "/players"))
        main.contests { (main) }
        div.toasts #toasts aria-live="polite" {}
        (settings_dialog(prefs))
    };
    let styles = [assets::url("account.css"), assets::url("contests.css")];
    document(prefs, &Page { title, class: "account", styles: &styles, script: Some("account.js"), body })
}

/// The page of all games.
pub fn players(prefs: Prefs, shown: &PlayersPage<'_>) -> Markup {
    let main = html! {
        @for title in shown.titles {
            @let list = shown.lists.iter().find(|(game, _)| *game == title.id()).map_or(&[][..], |(_, list)| list);
            section.card {
                h2 { a href={"/ratings/" (title.id())} { (title.name()) } }
                @if list.is_empty() {
                    p.facts { "Nobody is rated yet." }
                } @else {
                    (ranking(&list[..list.len().min(FIRST)], shown.names, &[]))
                }
            }
        }
    };
    framed(prefs, "Players", shown.is_owner, &main)
}

/// The page of a game.
pub fn page(prefs: Prefs, shown: &GamePage<'_>) -> Markup {
    let title = shown.title;
    let levels = ratings::levels(title.id());
    let main = html! {
        section.card aria-labelledby="players-title" {
            h2 #players-title { "Rated players" }
            @if shown.rated.is_empty() && levels.is_empty() { p.facts { "Nobody is rated yet." } }
            @else { (ranking(shown.rated, shown.names, &levels)) }
            p.facts {
                "Sorted by what somebody is worth almost certainly, so that one lucky win does not lead. "
                @if !levels.is_empty() { "Bots stand where the ladder has put them, for comparison; matches against them are not rated. " }
            }
        }
        @if !shown.results.sides.is_empty() {
            section.card aria-labelledby="sides-title" {
                h2 #sides-title { "Results by side" }
                (tallies("All finished matches in this house", "Set-up and side", shown.results.sides.iter().map(
                    |((setup, _, side), tally)| (html! { (setup) ": " (side_name(side)) }, tally))))
            }
        }
        @if !shown.scores.is_empty() { (scores(shown.scores)) }
        @if !shown.results.bots.is_empty() {
            section.card aria-labelledby="bots-title" {
                h2 #bots-title { "Bots against people" }
                (tallies("How the bots fared", "Bot", shown.results.bots.iter().map(
                    |(bot, tally)| (html! { (bot_name(bot)) }, tally))))
            }
        }
        p.links { a href={"/rules/" (title.id())} { "Rulebook" } " · " a href="/players" { "All games" } }
    };
    framed(prefs, title.name(), shown.is_owner, &main)
}

/// What the sides have scored in rated matches: the advantage that ratings take off.
fn scores(scores: &[SideScore]) -> Markup {
    html! {
        section.card aria-labelledby="rated-sides-title" {
            h2 #rated-sides-title { "Sides in rated matches" }
            table.figures {
                caption { "Points of each side; ratings take the advantage of a side off" }
                thead { tr { th scope="col" { "Set-up and side" } th scope="col" { "Points" } th scope="col" { "Matches" } } }
                tbody {
                    @for score in scores {
                        tr {
                            th scope="row" { (score.setup) ": " (side_name(&score.side)) }
                            td { (format!("{:.1}", score.sixths as f64 / SIXTHS as f64)) }
                            td { (score.matches) }
                        }
                    }
                }
            }
        }
    }
}

/// A line of the list: a person or a bot.
struct Line {
    name: Markup,
    skill: Skill,
    about: String,
    is_bot: bool,
}

/// The list of rated players, with the bots among them.
fn ranking(
    rated: &[KeptRating],
    names: &HashMap<AccountId, Known>,
    levels: &[(&'static str, ratings::Rating)],
) -> Markup {
    let person = |kept: &KeptRating| Line {
        name: html! { (name_of(names, kept.account)) @if kept.players != 2 { small { " with " (kept.players) } } },
        skill: kept.skill,
        about: count(kept.matches, "match", "matches"),
        is_bot: false,
    };
    let bot = |(word, rating): &(&str, ratings::Rating)| Line {
        name: html! { (bot_name(word)) },
        skill: Skill { mu: rating.mu, sigma: rating.sigma },
        about: "bot".to_owned(),
        is_bot: true,
    };
    let here = |kept: &&KeptRating| names.get(&kept.account).is_some_and(|known| known.is_here);
    let mut lines: Vec<Line> = rated.iter().filter(here).map(person).chain(levels.iter().map(bot)).collect();
    let worth = |line: &Line| line.skill.mu - 3.0 * line.skill.sigma;
    lines.sort_by(|a, b| worth(b).total_cmp(&worth(a)));
    html! {
        table.figures.ranking {
            thead { tr { th scope="col" { "Player" } th scope="col" { "Rating" } th scope="col" { "Matches" } } }
            tbody {
                @for line in &lines {
                    tr.bot[line.is_bot] {
                        th scope="row" { (line.name) }
                        td { (skill_words(line.skill)) }
                        td { (line.about) }
                    }
                }
            }
        }
    }
}
