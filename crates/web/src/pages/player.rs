//! The page of a player: ratings, results, the newest rated matches.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::sync::Arc;

use maud::{Markup, html};
use ratings::{Finish, Reviewed, luck_free};
use store::{Account, AccountId, KeptRating, Luck, RatedSeat, Skill};

use crate::assets;
use crate::clock;
use crate::lobby::{Known, LOOKED_AT, MINE, Opponent, PlayerResults, Tally};
use crate::opponents::{bot_name, side_name};
use crate::pages::account::bar;
use crate::pages::layout::{Page, document, settings_dialog};
use crate::prefs::Prefs;
use crate::title::Title;

/// Standard deviations to either side that make 95 %.
const SIDE: f64 = 1.959_964;
/// The chart.
const WIDTH: f64 = 320.0;
const HEIGHT: f64 = 96.0;

/// What the page shows.
pub struct PlayerPage<'a> {
    /// The games.
    pub titles: &'a [Arc<dyn Title>],
    /// Whose it is.
    pub account: &'a Account,
    /// Whether it is the visitor's own.
    pub is_own: bool,
    /// Whether the visitor owns the lobby.
    pub is_owner: bool,
    /// The ratings.
    pub ratings: &'a [KeptRating],
    /// The rated matches, the newest first.
    pub seats: &'a [RatedSeat],
    /// All seats of the newest of them.
    pub tables: &'a [Vec<RatedSeat>],
    /// The names of those who sit there.
    pub names: &'a HashMap<AccountId, Known>,
    /// The results, by game.
    pub results: &'a BTreeMap<String, PlayerResults>,
    /// Now.
    pub now: u64,
}

/// The page.
pub fn page(prefs: Prefs, shown: &PlayerPage<'_>) -> Markup {
    let name = shown.account.name.as_str();
    let body = html! {
        (bar(name, shown.is_owner, "/players"))
        main.contests {
            @if shown.ratings.is_empty() && shown.results.is_empty() {
                section.card { p { @if shown.is_own { "You have" } @else { (name) " has" } " not finished a match yet." } }
            }
            @for kept in shown.ratings { (rating(shown, kept)) }
            @for (game, results) in shown.results { (results_of(shown, game, results)) }
            @if !shown.tables.is_empty() { (recent(shown)) }
        }
        div.toasts #toasts aria-live="polite" {}
        (settings_dialog(prefs))
    };
    let styles = [assets::url("account.css"), assets::url("contests.css")];
    document(
        prefs,
        &Page { title: name, class: "account", styles: &styles, script: Some("account.js"), body },
    )
}

/// The name of an account, with its page where it has one.
pub fn name_of(names: &HashMap<AccountId, Known>, id: AccountId) -> Markup {
    match names.get(&id) {
        Some(known) if known.is_here => html! { a href={"/players/" (id)} { (known.name) } },
        _ => html! { (store::FORMER_PLAYER) },
    }
}

/// The name of a game, with its page.
pub fn game_name(titles: &[Arc<dyn Title>], game: &str) -> Markup {
    match titles.iter().find(|title| title.id() == game) {
        Some(title) => html! { a href={"/ratings/" (game)} { (title.name()) } },
        None => html! { (game) },
    }
}

/// "27.6 ± 4.1".
pub fn skill_words(skill: Skill) -> String {
    format!("{:.1} ± {:.1}", skill.mu, SIDE * skill.sigma)
}

fn rating(shown: &PlayerPage<'_>, kept: &KeptRating) -> Markup {
    let of_pool = shown.seats.iter().filter(|seat| seat.game == kept.game && seat.players == kept.players);
    let seats: Vec<&RatedSeat> = of_pool.collect();
    let id = format!("rating-{}-{}", kept.game, kept.players);
    html! {
        section.card aria-labelledby=(id) {
            h2 #(id) { (game_name(shown.titles, &kept.game)) @if kept.players != 2 { ", " (kept.players) " players" } }
            p.figure { b { (skill_words(kept.skill)) } " rating, from " (count(kept.matches, "rated match", "rated matches")) }
            (chart(&seats))
            @if let Some(level) = nearest_level(kept) { p.facts { (level) } }
            (without_luck(&seats))
        }
    }
}

/// "1 rated match", "3 rated matches".
pub fn count(number: u32, one: &str, several: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { several })
}

/// Between which bots of the ladder a rating stands.
fn nearest_level(kept: &KeptRating) -> Option<String> {
    let levels = ratings::levels(&kept.game);
    let nearest = levels
        .iter()
        .min_by(|a, b| (a.1.mu - kept.skill.mu).abs().total_cmp(&(b.1.mu - kept.skill.mu).abs()))?;
    let name = bot_name(nearest.0);
    Some(format!("Nearest bot on the ladder: {name}, {:.1} ± {:.1}.", nearest.1.mu, SIDE * nearest.1.sigma))
}

/// The rating after every match, the oldest first, with its interval.
fn chart(seats: &[&RatedSeat]) -> Markup {
    let skills: Vec<Skill> = seats.iter().rev().filter_map(|seat| Some(seat.step?.after)).collect();
    if skills.len() < 2 {
        return html! {};
    }
    let low = |skill: &Skill| skill.mu - SIDE * skill.sigma;
    let high = |skill: &Skill| skill.mu + SIDE * skill.sigma;
    let bottom = skills.iter().map(low).fold(f64::INFINITY, f64::min).floor();
    let top = skills.iter().map(high).fold(f64::NEG_INFINITY, f64::max).ceil();
    let x = |at: usize| at as f64 / (skills.len() - 1) as f64 * WIDTH;
    let y = |value: f64| HEIGHT - (value - bottom) / (top - bottom).max(1.0) * HEIGHT;
    let (mut line, mut band) = (String::new(), String::new());
    for (at, skill) in skills.iter().enumerate() {
        let _ = write!(line, "{:.1},{:.1} ", x(at), y(skill.mu));
        let _ = write!(band, "{:.1},{:.1} ", x(at), y(high(skill)));
    }
    for (at, skill) in skills.iter().enumerate().rev() {
        let _ = write!(band, "{:.1},{:.1} ", x(at), y(low(skill)));
    }
    let (first, last) = (skills[0], skills[skills.len() - 1]);
    let words = format!(
        "The rating over {} matches: from {} to {}.",
        skills.len(),
        skill_words(first),
        skill_words(last)
    );
    html! {
        figure.rating-chart {
            svg viewBox="-2 -4 324 104" role="img" aria-label=(words) preserveAspectRatio="none" {
                polygon.band points=(band.trim_end()) {}
                polyline.line points=(line.trim_end()) fill="none" vector-effect="non-scaling-stroke" {}
            }
            figcaption { "Rating after each match, and where it lies with 95 %: from " (bottom) " to " (top) }
        }
    }
}

/// How well somebody plays when luck is taken off, beside the plain results.
fn without_luck(seats: &[&RatedSeat]) -> Markup {
    let reviewed: Vec<Reviewed> = seats
        .iter()
        .filter_map(|seat| match (seat.luck, Finish::read(&seat.standing)) {
            (Luck::Known(luck), Some(finish)) => Some(Reviewed { result: finish.score(), luck }),
            _ => None,
        })
        .collect();
    let Some(found) = luck_free(&reviewed) else {
        return html! { p.facts { "Results without luck: as soon as two rated matches are reviewed." } };
    };
    let points = |estimate: ratings::Estimate| {
        format!("{:.2} ({:.2} to {:.2})", estimate.mean, estimate.low, estimate.high)
    };
    html! {
        table.figures {
            caption { "Points a match, with 95 % intervals, in " (count(found.matches as u32, "reviewed match", "reviewed matches")) }
            tbody {
                tr { th scope="row" { "As played" } td { (points(found.plain)) } }
                tr { th scope="row" { "Without luck" } td { (points(found.estimate)) } }
            }
        }
        p.facts { "Luck is what the dice and draws gave, by the review of each match. It is shown only: ratings and pairings don't use it." }
    }
}

/// A table of wins, draws and losses.
pub fn tallies<'a>(caption: &str, what: &str, lines: impl Iterator<Item = (Markup, &'a Tally)>) -> Markup {
    html! {
        table.figures {
            caption { (caption) }
            thead { tr { th scope="col" { (what) } th scope="col" { "Won" } th scope="col" { "Drawn" } th scope="col" { "Lost" } } }
            tbody {
                @for (name, tally) in lines {
                    tr { th scope="row" { (name) } td { (tally.wins) } td { (tally.draws) } td { (tally.losses) } }
                }
            }
        }
    }
}

fn results_of(shown: &PlayerPage<'_>, game: &str, results: &PlayerResults) -> Markup {
    let opponent = |opponent: &Opponent| match opponent {
        Opponent::Persons => html! { "People" },
        Opponent::Bot(bot) => html! { (bot_name(bot)) },
        Opponent::Nobody => html! { "Nobody: a game for one" },
    };
    let id = format!("results-{game}");
    html! {
        section.card aria-labelledby=(id) {
            h2 #(id) { "Results: " (game_name(shown.titles, game)) }
            (tallies("By side", "Side", results.sides.iter().map(|(side, tally)| (html! { (side_name(side)) }, tally))))
            (tallies("By opponent", "Opponent", results.opponents.iter().map(|(who, tally)| (opponent(who), tally))))
            p.facts { "The newest " (LOOKED_AT) " finished matches at most, rated or not; what a bot played to the end is left out." }
        }
    }
}

/// How a rated match ended, in words.
fn ended(standing: &str) -> &'static str {
    match Finish::read(standing) {
        Some(Finish::Win) => "Won",
        Some(Finish::Draw) => "Drawn",
        Some(Finish::Loss) => "Lost",
        Some(Finish::GaveUp) => "Given up",
        None => "Not counted",
    }
}

fn recent(shown: &PlayerPage<'_>) -> Markup {
    html! {
        section.card.wide aria-labelledby="recent-title" {
            h2 #recent-title { "Rated matches" }
            div.scroll tabindex="0" role="region" aria-labelledby="recent-title" {
                table.figures.recent {
                    thead { tr {
                        th scope="col" { "Match" } th scope="col" { "Side" } th scope="col" { "Against" }
                        th scope="col" { "Result" } th scope="col" { "Rating" }
                    } }
                    tbody { @for (own, table) in shown.seats.iter().zip(shown.tables) { (recent_line(shown, own, table)) } }
                }
            }
        }
    }
}

fn recent_line(shown: &PlayerPage<'_>, own: &RatedSeat, table: &[RatedSeat]) -> Markup {
    let others: Vec<&RatedSeat> = table.iter().filter(|seat| seat.account != own.account).collect();
    let words = html! { (own.setup) span.sr { ", " } small { " " (clock::ago(own.at, shown.now)) } };
    html! {
        tr {
            th scope="row" {
                @if shown.is_own { a href={"/m/" (own.match_id) "/" (MINE)} { (words) } } @else { (words) }
            }
            td { (side_name(&own.side)) }
            td { @for (at, seat) in others.iter().enumerate() { @if at > 0 { ", " } (name_of(shown.names, seat.account)) } }
            td { (ended(&own.standing)) }
            td {
                @if let Some(step) = own.step { (format!("{:.1}", step.after.mu)) " "
                    small { (format!("{:+.1}", step.after.mu - step.before.mu)) } }
            }
        }
    }
}
