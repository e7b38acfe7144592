//! Tournaments: the list, and the page of each.

use std::collections::HashMap;
use std::sync::Arc;

use maud::{Markup, html};
use ratings::Score;
use store::{AccountId, Entrant, TournamentRecord, TournamentState};

use crate::assets;
use crate::clock;
use crate::lobby::{Fate, Known, MINE, PoolTable, Round, TournamentView};
use crate::opponents::off_days_field;
use crate::pages::account::bar;
use crate::pages::layout::{Page, document, settings_dialog};
use crate::pages::player::{game_name, name_of};
use crate::prefs::Prefs;
use crate::title::Title;

/// What the list shows.
pub struct ListPage<'a> {
    /// The games.
    pub titles: &'a [Arc<dyn Title>],
    /// The newest tournaments.
    pub tournaments: &'a [TournamentRecord],
    /// Whether the visitor may make one.
    pub is_owner: bool,
    /// Now.
    pub now: u64,
}

/// What the page of a tournament shows.
pub struct TournamentPage<'a> {
    /// The games.
    pub titles: &'a [Arc<dyn Title>],
    /// The tournament.
    pub view: &'a TournamentView,
    /// The names of those who take part.
    pub names: &'a HashMap<AccountId, Known>,
    /// The visitor's account.
    pub me: Option<AccountId>,
    /// Whether the visitor may decide.
    pub is_owner: bool,
    /// Now.
    pub now: u64,
}

fn framed(prefs: Prefs, title: &str, is_owner: bool, here: &str, script: &str, main: &Markup) -> Markup {
    let body = html! {
        (bar(title, is_owner, here))
        (main)
        div.toasts #toasts aria-live="polite" {}
        (settings_dialog(prefs))
    };
    let styles = [assets::url("account.css"), assets::url("contests.css")];
    document(prefs, &Page { title, class: "account", styles: &styles, script: Some(script), body })
}

const fn state_words(state: TournamentState) -> &'static str {
    match state {
        TournamentState::Gathering => "Open for entries",
        TournamentState::Running => "Being played",
        TournamentState::Over => "Over",
        TournamentState::CalledOff => "Called off",
    }
}

/// The list.
pub fn list(prefs: Prefs, shown: &ListPage<'_>) -> Markup {
    let main = html! {
        main.contests {
            section.card aria-labelledby="list-title" {
                h2 #list-title { "Tournaments" }
                @if shown.tournaments.is_empty() { p.facts { "There was no tournament yet." } }
                ul.cups {
                    @for record in shown.tournaments {
                        li {
                            a href={"/tournaments/" (record.id)} { (record.name) }
                            small { (game_title(shown.titles, &record.game)) " · " (state_words(record.state)) " · " (clock::ago(record.made_at, shown.now)) }
                        }
                    }
                }
            }
            @if shown.is_owner { (form(shown.titles)) }
        }
    };
    framed(prefs, "Tournaments", shown.is_owner, "/tournaments", "account.js", &main)
}

fn game_title<'a>(titles: &'a [Arc<dyn Title>], game: &'a str) -> &'a str {
    titles.iter().find(|title| title.id() == game).map_or(game, |title| title.name())
}

/// The form for a new tournament, one for each game that people can play each other.
fn form(titles: &[Arc<dyn Title>]) -> Markup {
    html! {
        @for title in titles.iter().filter(|title| for_people(&***title)) {
            details.card.new-cup {
                summary { h2 { "New tournament: " (title.name()) } }
                form method="post" action="/tournaments" {
                    input type="hidden" name="game" value=(title.id());
                    label.field { "Name " input name="name" required maxlength="60"; }
                    label.field {
                        "Set-up "
                        select name="setup" {
                            @for setup in title.setups().iter().filter(|setup| seats_of(&**title, &setup.options) > 1) {
                                option value={(title.id()) "/" (setup.id)} { (setup.title) }
                            }
                            @if seats_of(&**title, &kernel::Options::new()) > 1 { option value="" { "The usual one" } }
                        }
                    }
                    label.field {
                        "Clock "
                        select name="clock" {
                            option value="daily" { "Daily: 3 days each, 12 hours more a turn, at most 5 days" }
                            option value="easy" { "Easy: 7 days each, 36 hours more a turn, at most 14 days" }
                            option value="sitting" { "One sitting: 45 minutes each, 20 seconds free a move" }
                            option value="" { "None" }
                        }
                    }
                    (off_days_field())
                    label.check { input type="checkbox" name="rest" value="yes"; span { "Players may rest: their clocks stand still, up to 30 days a year" } }
                    label.field { "Players, one name a line " textarea name="names" rows="4" {} }
                    label.check { input type="checkbox" name="open" value="yes" checked; span { "Anybody with an account may enter" } }
                    label.check { input type="checkbox" name="rated" value="yes" checked; span { "Its matches count for ratings" } }
                    label.check { input type="checkbox" name="sides" value="changed" checked; span { "Everybody meets everybody on every side" } }
                    label.field { "Most players in a pool " input name="pool" inputmode="numeric" pattern="\\s*[0-9]{1,2}\\s*" placeholder="one pool"; }
                    p.buttons { button.go type="submit" { "Make the tournament" } }
                }
            }
        }
    }
}

fn seats_of(title: &dyn Title, options: &kernel::Options) -> usize {
    title.open(options, kernel::MatchDice::seeded(0)).map_or(0, |table| table.seats().len())
}

fn for_people(title: &dyn Title) -> bool {
    let setups = title.setups().iter().map(|setup| &setup.options);
    setups.chain([&kernel::Options::new()]).any(|options| seats_of(title, options) > 1)
}

/// The page of a tournament.
pub fn page(prefs: Prefs, shown: &TournamentPage<'_>) -> Markup {
    let record = &shown.view.record;
    let main = html! {
        main.contests data-follows={"/tournaments/" (record.id) "/live"} {
            (about(shown))
            @if record.state == TournamentState::Gathering { (entries(shown)) }
            @for (pool, table) in shown.view.tables().iter().enumerate() { (standings(shown, pool, table)) }
            @if shown.view.rounds().next().is_some() { (matches(shown)) }
        }
    };
    framed(prefs, &record.name, shown.is_owner, "/tournaments", "tournament.js", &main)
}

fn button(path: &str, words: &str, class: &str) -> Markup {
    html! { form method="post" action=(path) { button class=(class) type="submit" { (words) } } }
}

fn about(shown: &TournamentPage<'_>) -> Markup {
    let TournamentView { record, entrants, .. } = shown.view;
    let path = format!("/tournaments/{}", record.id);
    let own = entrants.iter().find(|entrant| Some(entrant.account) == shown.me);
    let gathers = record.state == TournamentState::Gathering;
    html! {
        section.card {
            h2 { (state_words(record.state)) }
            p.facts {
                (game_name(shown.titles, &record.game)) " · " (pace(&record.clock))
                @if record.clock.contains("rated=yes") { " · rated" }
                " · " @if record.on_every_side { "everybody meets everybody on every side" } @else { "everybody meets everybody once" }
                @if let Some(maker) = record.made_by { " · organized by " (name_of(shown.names, maker)) }
                " · made " (clock::ago(record.made_at, shown.now))
            }
            div.buttons {
                @if gathers && own.is_none() && record.is_open && shown.me.is_some() { (button(&format!("{path}/enter"), "Enter", "go")) }
                @if own.is_some_and(|own| own.withdrawn_at.is_none()) && (gathers || record.state == TournamentState::Running) {
                    (button(&format!("{path}/withdraw"), "Withdraw", "danger"))
                }
                @if gathers && shown.is_owner {
                    (button(&format!("{path}/begin"), "Begin", "go"))
                    (button(&format!("{path}/off"), "Call it off", "danger"))
                }
            }
            @if own.is_some_and(|own| own.withdrawn_at.is_none()) && record.state == TournamentState::Running {
                p.facts { "Whoever withdraws loses the matches that are left. Results stay." }
            }
        }
    }
}

/// The pace in words.
fn pace(clock: &str) -> &'static str {
    match clock.split(' ').next() {
        Some("sitting") => "one sitting, 45 minutes each",
        Some("daily") => "3 days each, 12 hours more a turn",
        Some("easy") => "7 days each, 36 hours more a turn",
        Some("own") => "a clock of its own",
        _ => "no clock",
    }
}

fn entries(shown: &TournamentPage<'_>) -> Markup {
    let path = format!("/tournaments/{}", shown.view.record.id);
    html! {
        section.card aria-labelledby="entries-title" {
            h2 #entries-title { "Entered: " (shown.view.entrants.len()) }
            ul.entrants {
                @for entrant in &shown.view.entrants {
                    li {
                        span { (name_of(shown.names, entrant.account)) }
                        @if shown.is_owner { (strike(&path, entrant)) }
                    }
                }
            }
            @if shown.is_owner {
                form.add method="post" action={(path) "/add"} {
                    label.field { "Add a player " input name="name" required maxlength="40"; }
                    button type="submit" { "Add" }
                }
            }
        }
    }
}

fn strike(path: &str, entrant: &Entrant) -> Markup {
    html! {
        form method="post" action={(path) "/strike"} {
            input type="hidden" name="account" value=(entrant.account);
            button type="submit" { "Take off the list" }
        }
    }
}

fn standings(shown: &TournamentPage<'_>, pool: usize, table: &PoolTable) -> Markup {
    let several = shown.view.tables().len() > 1;
    let id = format!("pool-{pool}");
    let path = format!("/tournaments/{}", shown.view.record.id);
    let runs = shown.view.record.state == TournamentState::Running;
    html! {
        section.card aria-labelledby=(id) {
            h2 #(id) { "Standings" @if several { ", pool " (pool + 1) } }
            div.scroll tabindex="0" role="region" aria-labelledby=(id) {
                table.figures.standings {
                    thead { tr {
                        th scope="col" { "Place" } th scope="col" { "Player" } th scope="col" { "Points" }
                        th scope="col" { abbr title="Sonneborn-Berger: the points of those who were beaten, and half of those who drew" { "S-B" } }
                        th scope="col" { "Played" } th scope="col" { "Won" }
                    } }
                    tbody {
                        @for row in &table.rows {
                            @let account = table.players[row.player];
                            @let is_gone = shown.view.has_withdrawn(account);
                            tr.me[Some(account) == shown.me] {
                                td { (row.place) }
                                th scope="row" {
                                    (name_of(shown.names, account)) @if is_gone { small { " withdrawn" } }
                                    @if shown.is_owner && runs && !is_gone {
                                        form method="post" action={(path) "/strike"} {
                                            input type="hidden" name="account" value=(account);
                                            button.small type="submit" { "Withdraw" span.sr { " this player" } }
                                        }
                                    }
                                }
                                td { (points(row.points())) }
                                td { (row.berger()) }
                                td { (row.played) }
                                td { (row.wins) }
                            }
                        }
                    }
                }
            }
            p.facts { "Points, then Sonneborn-Berger, then the matches between those who are level, then wins." }
        }
    }
}

/// "2", "2½".
fn points(points: f64) -> String {
    let whole = points.floor();
    match points > whole {
        true if whole == 0.0 => "½".to_owned(),
        true => format!("{whole}½"),
        false => format!("{whole}"),
    }
}

fn matches(shown: &TournamentPage<'_>) -> Markup {
    let mut rounds: Vec<u16> = shown.view.rounds().map(|round| round.pairing.round).collect();
    rounds.dedup();
    html! {
        section.card.wide aria-labelledby="matches-title" {
            h2 #matches-title { "Matches" }
            @for number in rounds {
                h3 { "Round " (number) }
                ul.pairings {
                    @for round in shown.view.rounds().filter(|round| round.pairing.round == number) { (pairing(shown, round)) }
                }
            }
        }
    }
}

fn pairing(shown: &TournamentPage<'_>, round: &Round) -> Markup {
    let title = shown.titles.iter().find(|title| title.id() == shown.view.record.game);
    let options = serde_json::from_str(&shown.view.record.options).unwrap_or_default();
    let table = title.and_then(|title| title.open(&options, kernel::MatchDice::seeded(0)).ok());
    let side =
        |at: usize| table.as_ref().and_then(|table| table.seats().get(at)).map_or("", |seat| seat.title);
    let scores = if let Fate::Scored(scores) = &round.fate { &scores[..] } else { &[] };
    let players = &round.pairing.players;
    html! {
        li {
            span.who {
                @for (at, player) in players.iter().enumerate() {
                    @if at > 0 { span.against { " – " } }
                    span.player {
                        (name_of(shown.names, *player)) " " small { (side(at)) }
                        @if let Some(score) = scores.get(at) { " " b { (score_words(*score)) } }
                    }
                }
            }
            span.fate {
                @match round.fate {
                    Fate::ToCome => "To come",
                    Fate::Running => "Being played",
                    Fate::Void => { "No result" @if !round.words.is_empty() { ": " (round.words) } }
                    Fate::Scored(_) => (round.words),
                }
                (links(shown, round))
            }
            @if shown.is_owner && shown.view.record.state == TournamentState::Running && may_decide(round) { (decide(shown, round)) }
        }
    }
}

const fn score_words(score: Score) -> &'static str {
    match score {
        Score::Win => "1",
        Score::Draw => "½",
        Score::Loss => "0",
    }
}

fn links(shown: &TournamentPage<'_>, round: &Round) -> Markup {
    let plays = shown.me.is_some_and(|me| round.pairing.players.contains(&me));
    html! {
        @if let (Some(id), Some(watch)) = (&round.pairing.match_id, &round.watch) {
            @if plays && round.fate == Fate::Running { a.button href={"/m/" (id) "/" (MINE)} { "Play" } }
            @else { a href={"/m/" (id) "/" (watch)} { @if round.fate == Fate::Running { "Watch" } @else { "Look" } } }
        }
    }
}

/// What stands in a journal is not decided anew.
fn may_decide(round: &Round) -> bool {
    let is_played = matches!(round.fate, Fate::Scored(_)) && round.pairing.match_id.is_some();
    !is_played || round.pairing.verdict.is_some()
}

fn decide(shown: &TournamentPage<'_>, round: &Round) -> Markup {
    let seats = round.pairing.players.len();
    let name = |at: usize| shown.names.get(&round.pairing.players[at]).map_or("", |known| &known.name);
    let words = |winner: Option<usize>| -> String {
        let word = |seat: usize| match winner {
            Some(winner) if winner == seat => "win",
            Some(_) => "loss",
            None => "draw",
        };
        (0..seats).map(word).collect::<Vec<_>>().join(",")
    };
    html! {
        details.verdict {
            summary { "Decide" span.sr { " match " (round.pairing.number) } }
            form method="post" action={"/tournaments/" (shown.view.record.id) "/verdict"} {
                input type="hidden" name="number" value=(round.pairing.number);
                label.field { "Result " select name="standings" {
                    @for at in 0..seats { option value=(words(Some(at))) { (name(at)) " wins" } }
                    option value=(words(None)) { "Draw" }
                    option value="" { "No result" }
                } }
                label.field { "Why, for all to read " input name="why" required maxlength="200"; }
                button type="submit" { "Decide" }
            }
        }
    }
}
