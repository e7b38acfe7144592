//! My turn: one list over all matches of an account.

use std::collections::HashMap;
use std::sync::Arc;

use maud::{Markup, html};
use store::KeptSeat;

use crate::assets;
use crate::clock;
use crate::lobby::MINE;
use crate::opponents::{bot_name, side_name};
use crate::pages::account::bar;
use crate::pages::agreements::time_left;
use crate::pages::layout::{Page, document, settings_dialog, themed_picture};
use crate::prefs::Prefs;
use crate::title::Title;

/// What the page shows.
pub struct TurnsPage<'a> {
    /// The games.
    pub titles: &'a [Arc<dyn Title>],
    /// Running matches, those first that wait for the visitor.
    pub running: &'a [KeptSeat],
    /// When the time of the visitor runs out where it does, by match.
    pub due: &'a HashMap<String, u64>,
    /// The newest of those that are over.
    pub finished: &'a [KeptSeat],
    /// Tables that gather and concern the visitor, drawn; empty if there are none.
    pub gathering: Option<Markup>,
    /// Whether they own the lobby.
    pub is_owner: bool,
    /// Now.
    pub now: u64,
}

/// The path of a table for the account that keeps a seat there.
pub fn path(seat: &KeptSeat) -> String {
    format!("/m/{}/{MINE}", seat.match_id)
}

/// The page.
pub fn page(prefs: Prefs, shown: &TurnsPage<'_>) -> Markup {
    let awaited = shown.running.iter().take_while(|seat| seat.is_awaited()).count();
    let (mine, others) = shown.running.split_at(awaited);
    let body = html! {
        (bar("My turn", shown.is_owner, "/turns"))
        main.turns {
            @if let Some(gathering) = &shown.gathering { section #gathering-tables { h2 { "Waiting for players" } (gathering) } }
            @if shown.running.is_empty() && shown.finished.is_empty() {
                section.card {
                    h2 { "No matches yet" }
                    p { "Open the link of a seat that somebody has sent you, then choose Share and “Keep this seat”. From then on the "
                        "match is listed here, on all your devices." }
                    p.buttons { a.button href="/tables" { "Find or open a table" } }
                }
            } @else {
                section aria-labelledby="mine-title" {
                    div.heading {
                        h2 #mine-title { @match awaited {
                            0 => "Nobody waits for you",
                            1 => "One match waits for you",
                            _ => { (awaited) " matches wait for you" },
                        } }
                        @if awaited > 0 { a.button.go #next href="/turns/next" { "Next" } }
                    }
                    (list(prefs, shown, mine))
                }
                (shelf(prefs, shown, "Waiting for others", others))
                (shelf(prefs, shown, "Finished", shown.finished))
            }
        }
        div.toasts #toasts aria-live="polite" {}
        (settings_dialog(prefs))
    };
    let styles = [assets::url("lobby.css"), assets::url("account.css"), assets::url("meeting.css")];
    let script = Some("account.js");
    document(prefs, &Page { title: "My turn", class: "account", styles: &styles, script, body })
}

fn shelf(prefs: Prefs, shown: &TurnsPage<'_>, heading: &str, seats: &[KeptSeat]) -> Markup {
    html! {
        @if !seats.is_empty() {
            section { h2 { (heading) } (list(prefs, shown, seats)) }
        }
    }
}

fn list(prefs: Prefs, shown: &TurnsPage<'_>, seats: &[KeptSeat]) -> Markup {
    html! { ul.matches { @for seat in seats { (card(prefs, shown, seat)) } } }
}

fn card(prefs: Prefs, shown: &TurnsPage<'_>, seat: &KeptSeat) -> Markup {
    let path = path(seat);
    let over = seat.summary.result.is_some();
    let game = shown.titles.iter().find(|title| title.id() == seat.game);
    let unseen = seat.summary.steps.saturating_sub(seat.seen);
    html! {
        li.match.your-move[seat.is_awaited()] data-id=(seat.match_id) {
            a.board href=(path) tabindex="-1" aria-hidden="true" {
                (themed_picture(prefs, &format!("{path}/thumbnail.svg?r={}", seat.revision)))
            }
            div.about {
                p.eyebrow {
                    (game.map_or(seat.game.as_str(), |title| title.name()))
                    @if seat.is_awaited() { span.badge { "Your move" } }
                }
                h3 { a href=(path) { (seat.name) } }
                @if over {
                    p.state { b { (seat.summary.result_title) } }
                } @else {
                    p.state { b { (seat.summary.turn) } " · to move: " (seat.summary.to_move.replace(", that is you", "")) }
                    @if !seat.summary.last_event.is_empty() { p.last { (seat.summary.last_event) } }
                }
                p.when {
                    (clock::ago(seat.changed_at, shown.now))
                    " · your side: " (side_name(&seat.word))
                    @if unseen > 0 && !over { " · " (unseen) " step" @if unseen > 1 { "s" } " since your last visit" }
                    @if let Some(at) = shown.due.get(&seat.match_id).filter(|_| seat.is_awaited()) {
                        " · " time.until data-at=(at) { (time_left(at.saturating_sub(shown.now))) " left" }
                    }
                    @if let Some(bot) = seat.player.bot().filter(|_| !over) { " · " (bot_name(bot)) " is playing for you" }
                }
            }
        }
    }
}
