//! The lobby: new games, my matches, statistics.

use std::collections::HashMap;
use std::sync::Arc;

use kernel::Parting;
use maud::{Markup, html};
use store::{FinishedMatch, MatchRecord, Player, SeatRecord, owner_seat};

use crate::assets;
use crate::clock;
use crate::opponents::bot_name;
use crate::pages::layout::{Page, document, settings_dialog};
use crate::pages::parted;
use crate::pages::statistics;
use crate::prefs::Prefs;
use crate::title::Title;

/// What the lobby shows.
pub struct LobbyPage<'a> {
    /// The games.
    pub titles: &'a [Arc<dyn Title>],
    /// The matches, most recently changed first.
    pub matches: &'a [MatchRecord],
    /// Deleted matches that can still be restored.
    pub deleted: &'a [MatchRecord],
    /// Finished matches, for the statistics.
    pub finished: &'a [FinishedMatch],
    /// Matches that differ from the current rules, by id.
    pub parted: &'a HashMap<String, Parting>,
}

/// The page.
pub fn page(prefs: Prefs, lobby: &LobbyPage<'_>) -> Markup {
    let now = clock::now();
    let (running, done): (Vec<_>, Vec<_>) =
        lobby.matches.iter().partition(|record| record.summary.result.is_none());
    let body = html! {
        header.bar {
            span.home { "Maproom" }
            span.motto { "The table, the rulebook, the opponent and the staff officer" }
            nav.tools aria-label="Tools" {
                label.button.import { "Import a match" input.sr #import type="file" accept=".match,text/plain"; }
                button type="button" data-act="settings" { "Settings" }
            }
        }
        main.lobby.fresh[lobby.matches.is_empty()] {
            section.new aria-labelledby="new-title" {
                h1 #new-title { "New game" }
                div.games {
                    @for (at, title) in lobby.titles.iter().enumerate() { (new_game(&**title, at == 0, lobby)) }
                }
            }
            section.mine aria-labelledby="mine-title" {
                h1 #mine-title { "My matches" }
                @if lobby.matches.is_empty() {
                    p.empty { "None yet. You can start without reading the rules: the table shows at every step what you can do, "
                        "and why something is not possible." }
                }
                @if !running.is_empty() {
                    ul.matches { @for record in &running { (card(record, lobby.parted.get(&record.id), now)) } }
                }
                @if !done.is_empty() {
                    h2 { "Finished" }
                    ul.matches { @for record in &done { (card(record, lobby.parted.get(&record.id), now)) } }
                }
                @if !lobby.deleted.is_empty() {
                    details.bin {
                        summary { "Deleted (" (lobby.deleted.len()) ")" }
                        p { "Kept for thirty days." }
                        ul {
                            @for record in lobby.deleted {
                                li { (record.name) " "
                                    button type="button" data-restore=(record.id) { "Restore" } }
                            }
                        }
                    }
                }
            }
            (statistics::section(lobby))
        }
        footer.foot {
            p {
                "An independent implementation of the rules with our own text, data and drawings. "
                @for title in lobby.titles { (title.credit()) " " }
            }
        }
        div.toasts #toasts aria-live="polite" {}
        (rename_dialog())
        (settings_dialog(prefs))
    };
    let styles = [assets::url("lobby.css")];
    document(prefs, &Page { title: "Lobby", class: "lobby", styles: &styles, script: Some("lobby.js"), body })
}

/// The form for a new game. In an empty lobby all forms are open; later only that of the game played last.
fn new_game(title: &dyn Title, first: bool, lobby: &LobbyPage<'_>) -> Markup {
    let fresh = lobby.matches.is_empty();
    let last = lobby.matches.first().map(|record| record.game.as_str());
    html! {
        details.fold open[fresh || last == Some(title.id())] name=[(!fresh).then_some("new-game")] {
            summary { h2 { (title.name()) } }
            (form(title, fresh && first))
        }
    }
}

fn form(title: &dyn Title, focused: bool) -> Markup {
    html! {
        form.game method="post" action="/matches" {
            input type="hidden" name="game" value=(title.id());
            p { (title.pitch()) " " a href={"/rules/" (title.id())} { "Rulebook" } }
            (title.new_game_fields())
            details.more {
                summary { "Dice and name" }
                fieldset {
                    legend { "Dice" }
                    label { input type="radio" name="dice" value="fair" checked; " Maproom rolls; you can check every die afterwards" }
                    label { input type="radio" name="dice" value="own"; " I roll my own dice and enter the results" }
                }
                label.field {
                    "Seed "
                    input name="seed" inputmode="numeric" pattern="\\s*[0-9]{1,19}\\s*" maxlength="21" placeholder="random"
                        title="A whole number. The same seed gives the same dice; everybody in the match can see it.";
                }
                label.field { "Match name " input name="name" maxlength="80" placeholder="from the set-up"; }
            }
            p.buttons { button.go type="submit" autofocus[focused] { "Start" } }
        }
    }
}

fn card(record: &MatchRecord, parting: Option<&Parting>, now: u64) -> Markup {
    let own = owner_seat(&record.seats);
    let path = format!("/m/{}/{}", record.id, record.owner_token());
    let unseen = own.map_or(0, |seat| record.summary.steps.saturating_sub(seat.seen));
    let over = record.summary.result.is_some();
    html! {
        li.match data-id=(record.id) {
            a.board href=(path) tabindex="-1" aria-hidden="true" {
                img src={(path) "/thumbnail.svg?r=" (record.revision)} alt="" width="240" height="135" loading="lazy";
            }
            div.about {
                h3 { a href=(path) { (record.name) } }
                @if record.name != record.setup { p.setup { (record.setup) } }
                @if over {
                    p.state { b { (record.summary.result_title) } }
                } @else {
                    p.state { b { (record.summary.turn) } " · to move: " (record.summary.to_move) }
                    @if !record.summary.last_event.is_empty() { p.last { (record.summary.last_event) } }
                }
                p.when {
                    (clock::ago(record.changed_at, now))
                    @if unseen > 0 && !over { " · " (unseen) " step" @if unseen > 1 { "s" } " since your last visit" }
                    @if let Some(bot) = own.and_then(|own| own.player.bot()).filter(|_| !over) {
                        " · " (bot_name(bot)) " is playing for you"
                    }
                    @for other in record.seats.iter().filter(|seat| own != Some(seat)) {
                        " · " (who(other, own.is_some()))
                    }
                }
                @if let Some(parting) = parting { (parted::offer(&record.id, parting)) }
                p.buttons {
                    a.button href=(path) {
                        @if over { "View" } @else if own.is_some() { "Play" } @else { "Watch" }
                    }
                    @if over { a.button href={(path) "/review"} { "Review" } }
                    button type="button" data-rename=(record.id) data-name=(record.name) { "Rename" }
                    // No `download` attribute: an error should be shown as a page, and the record is sent as a file anyway.
                    @let export = match parting {
                        Some(_) => format!("/matches/{}/record", record.id),
                        None => format!("{path}/export"),
                    };
                    a.button href=(export) { "Export" }
                    button type="button" data-delete=(record.id) data-name=(record.name) { "Delete" }
                }
            }
        }
    }
}

/// Who sits in a seat that is not the owner's.
fn who(seat: &SeatRecord, owner_plays: bool) -> String {
    match &seat.player {
        Player::Bot(word) if owner_plays => format!("against {}", bot_name(word)),
        Player::Bot(word) => format!("{}: {}", seat.word, bot_name(word)),
        Player::StandIn { bot, .. } => format!("{} is playing for {}", bot_name(bot), seat.word),
        _ if seat.claimed_at.is_some() => format!("{} has joined", seat.word),
        _ => format!("{} has not joined yet", seat.word),
    }
}

fn rename_dialog() -> Markup {
    html! {
        dialog #rename aria-labelledby="rename-title" {
            form method="dialog" {
                h2 #rename-title { "Rename" }
                label.field { "Name " input name="name" maxlength="80" required; }
                p.buttons {
                    button type="submit" value="save" { "Save" }
                    button type="button" data-close="" { "Cancel" }
                }
            }
        }
    }
}
