//! Tables that gather: the list of the open ones, the page of one, and the form for a new one.

use std::collections::HashMap;
use std::sync::Arc;

use clocks::{FlagPolicy, Pace, Rules};
use maud::{Markup, html};
use store::{AccountId, Gathering, GatheringSeat, SeatOffer, Taken};

use crate::assets;
use crate::clock;
use crate::opponents::{bot_name, bot_options};
use crate::pages::account::bar;
use crate::pages::layout::{Page, document, settings_dialog};
use crate::prefs::Prefs;
use crate::title::Title;

/// What the page of all tables shows.
pub struct TablesPage<'a> {
    /// The games.
    pub titles: &'a [Arc<dyn Title>],
    /// The visitor's own, and those to which they are invited.
    pub own: &'a [Gathering],
    /// Others that everybody may find.
    pub open: &'a [Gathering],
    /// The names of those who sit there or are asked.
    pub names: &'a HashMap<AccountId, String>,
    /// Who looks.
    pub visitor: AccountId,
    /// Whether they own the lobby.
    pub is_owner: bool,
    /// Now.
    pub now: u64,
}

fn styles() -> [String; 3] {
    [assets::url("lobby.css"), assets::url("account.css"), assets::url("meeting.css")]
}

/// The page of all tables.
pub fn list(prefs: Prefs, shown: &TablesPage<'_>) -> Markup {
    let body = html! {
        (bar("Tables", shown.is_owner, "/tables"))
        main.gather {
            @if !shown.own.is_empty() {
                section { h2 { "Yours" } (cards(shown.titles, shown.own, shown.names, shown.visitor, shown.now)) }
            }
            section {
                h2 { "Open tables" }
                @if shown.open.is_empty() { p.facts { "Nobody else is looking for players just now." } }
                (cards(shown.titles, shown.open, shown.names, shown.visitor, shown.now))
            }
            section {
                h2 { "Open a table" }
                @for title in shown.titles { (new_table(&**title)) }
            }
        }
        div.toasts #toasts aria-live="polite" {}
        (settings_dialog(prefs))
    };
    document(
        prefs,
        &Page { title: "Tables", class: "account", styles: &styles(), script: Some("tables.js"), body },
    )
}

/// The form for a table of a game.
fn new_table(title: &dyn Title) -> Markup {
    html! {
        details.fold name="new-table" {
            summary { h3 { (title.name()) } }
            form.game method="post" action="/tables" {
                input type="hidden" name="game" value=(title.id());
                (title.new_game_fields())
                fieldset.who-can {
                    legend { "Who can take the seats of friends" }
                    label.check { input type="checkbox" name="listed" checked; span { "Anybody in this house: the table is listed under open tables" } }
                    label.field { "Invite by name " input name="invite" maxlength="300" autocomplete="off" placeholder="Ann, Bob"; }
                }
                label.check { input type="checkbox" name="quiet"; span { "No talk at this table" } }
                label.field { "Name of the match " input name="name" maxlength="80" placeholder="from the set-up"; }
                p.buttons { button.go type="submit" { "Open the table" } }
            }
        }
    }
}

/// Tables as cards.
pub fn cards(
    titles: &[Arc<dyn Title>],
    tables: &[Gathering],
    names: &HashMap<AccountId, String>,
    visitor: AccountId,
    now: u64,
) -> Markup {
    html! { ul.tables { @for table in tables { (card(titles, table, names, visitor, now)) } } }
}

fn card(
    titles: &[Arc<dyn Title>],
    table: &Gathering,
    names: &HashMap<AccountId, String>,
    visitor: AccountId,
    now: u64,
) -> Markup {
    let game = titles.iter().find(|title| title.id() == table.game);
    let path = format!("/tables/{}", table.id);
    let asked = table.asked_seat(visitor);
    let host = names.get(&table.host).map_or("somebody", String::as_str);
    html! {
        li.asked[asked.is_some()] data-table=(table.id) {
            p.eyebrow {
                (game.map_or(table.game.as_str(), |title| title.name()))
                @if asked.is_some() { " " span.badge { "Invitation" } }
            }
            h3 { a href=(path) { (if table.name.is_empty() { &table.setup } else { &table.name }) } }
            @if !table.name.is_empty() && table.name != table.setup { p { (table.setup) } }
            p.facts { (pace(&table.clock)) " · hosted by " (host) ", " (clock::ago(table.made_at, now)) }
            ul.seats {
                @for seat in &table.seats { li.free[!seat.is_filled()] { (who(seat, names, Some(visitor))) } }
            }
            @if let Some(seat) = asked {
                div.row-of-buttons { (answer(table, seat)) }
            } @else {
                p.buttons { a.button href=(path) { @if table.seat_of(visitor).is_some() || table.host == visitor { "Open" } @else { "Look" } } }
            }
        }
    }
}

/// The buttons of somebody who is invited.
fn answer(table: &Gathering, seat: usize) -> Markup {
    html! {
        form.line-form method="post" action=(format!("/tables/{}/sit", table.id)) {
            input type="hidden" name="seat" value=(seat);
            button.go type="submit" { "Accept" }
            button type="submit" formaction=(format!("/tables/{}/leave", table.id)) { "Decline" }
        }
    }
}

/// The pace in words.
fn pace(clock: &str) -> String {
    if clock.is_empty() {
        return "No clock".to_owned();
    }
    let Ok(rules) = clock.parse::<Rules>() else { return format!("Clock: {clock}") };
    let name = match rules.pace {
        Pace::None => "No clock",
        Pace::Sitting => "One sitting",
        Pace::Daily => "Daily",
        Pace::Easy => "Easy",
        Pace::Own => return format!("Clock: {clock}"),
    };
    let end = match rules.on_flag {
        FlagPolicy::Loss => "; out of time loses",
        FlagPolicy::Claim(_) => "; the other decides when time runs out",
        FlagPolicy::StandIn(_) => "",
    };
    let off = rules.off.map_or_else(String::new, |off| format!("; off on {} ({})", off.words(), off.zone()));
    format!("{name}{end}{off}")
}

/// Who sits there, or for whom the seat is.
fn who(seat: &GatheringSeat, names: &HashMap<AccountId, String>, visitor: Option<AccountId>) -> String {
    let name = |id: &AccountId| match Some(*id) == visitor {
        true => "you".to_owned(),
        false => names.get(id).cloned().unwrap_or_default(),
    };
    match (&seat.taken, &seat.offer) {
        (Some(Taken::Account(id)), _) => name(id),
        (Some(Taken::Guest), _) => "a guest".to_owned(),
        (None, SeatOffer::Open) => "open".to_owned(),
        (None, SeatOffer::Named(id)) => format!("{}, invited", name(id)),
        (None, SeatOffer::Declined(id)) => format!("{}, declined", name(id)),
        (None, SeatOffer::Link(_)) => "by link".to_owned(),
        (None, SeatOffer::Bot(word)) => bot_name(word),
    }
}

/// What the page of one table shows.
pub struct TablePage<'a> {
    /// The game.
    pub title: &'a dyn Title,
    /// The table.
    pub table: &'a Gathering,
    /// The sides of its seats.
    pub sides: &'a [&'static str],
    /// The names of those who sit there or are asked.
    pub names: &'a HashMap<AccountId, String>,
    /// Who looks, if they are signed in.
    pub visitor: Option<AccountId>,
    /// The link of a seat by which they came.
    pub link: Option<&'a str>,
    /// Whether they own the lobby.
    pub is_owner: bool,
    /// Now.
    pub now: u64,
}

/// The page of one table.
pub fn table(prefs: Prefs, shown: &TablePage<'_>) -> Markup {
    let table = shown.table;
    let heading = if table.name.is_empty() { &table.setup } else { &table.name };
    let is_host = shown.visitor == Some(table.host);
    let missing = table.seats.iter().filter(|seat| !seat.is_filled()).count();
    let body = html! {
        @if shown.visitor.is_some() { (bar(heading, shown.is_owner, "/tables")) }
        @else { header.bar { span.home { "Maproom" } h1 { (heading) } nav.tools aria-label="Tools" { a.button href="/login" { "Log in" } } } }
        main.gather #gathering data-revision=(table.revision) {
            section.card {
                p.eyebrow { (shown.title.name()) }
                h2 { (table.setup) }
                p.facts {
                    (pace(&table.clock)) " · hosted by " (shown.names.get(&table.host).map_or("somebody", String::as_str)) ", "
                    (clock::ago(table.made_at, shown.now))
                    @if table.is_quiet { " · no talk at the table" }
                }
                p role="status" {
                    @if missing == 0 { "All are here: the match begins." }
                    @else { "When all seats are taken everybody sits down and play begins; " (missing) @if missing == 1 { " is" } @else { " are" } " still free. Nothing is drawn before that, and no clock runs." }
                }
                ul.seating-plan {
                    @for (at, (seat, side)) in table.seats.iter().zip(shown.sides).enumerate() { (place(shown, at, seat, side, is_host)) }
                }
                (deeds(shown, is_host, missing))
            }
        }
        div.toasts #toasts aria-live="polite" {}
        (settings_dialog(prefs))
    };
    document(
        prefs,
        &Page { title: heading, class: "account", styles: &styles(), script: Some("tables.js"), body },
    )
}

fn place(shown: &TablePage<'_>, at: usize, seat: &GatheringSeat, side: &str, is_host: bool) -> Markup {
    let table = shown.table;
    let has_seat = shown.visitor.is_some_and(|account| table.seat_of(account).is_some());
    let is_asked = shown.visitor.is_some_and(|account| seat.waits_for(account));
    let may_sit = shown.visitor.is_some()
        && !has_seat
        && seat.taken.is_none()
        && (seat.offer == SeatOffer::Open || is_host);
    html! {
        li data-seat=(at) {
            span.seat-side { (side) }
            span.who { (who(seat, shown.names, shown.visitor)) }
            span.act {
                @if is_asked && !is_host { (answer(table, at)) }
                @else if may_sit {
                    form method="post" action=(format!("/tables/{}/sit", table.id)) {
                        input type="hidden" name="seat" value=(at);
                        button type="submit" { "Sit here" span.sr { ": " (side) } }
                    }
                }
            }
            @if let (SeatOffer::Link(token), true, None) = (&seat.offer, is_host, seat.taken) {
                (share(&table.id, at, side, token))
            }
            @if is_host { (host_form(shown, at, side)) }
        }
    }
}

fn share(id: &str, at: usize, side: &str, token: &str) -> Markup {
    html! {
        details open {
            summary { "The link for this seat" }
            div.links {
                input readonly #{"seat-link-" (at)} data-path=(format!("/tables/{id}/link/{token}")) aria-label={"The link for " (side)};
                button type="button" data-copy={"seat-link-" (at)} { "Copy" }
            }
        }
    }
}

/// What a host can do about a seat.
fn host_form(shown: &TablePage<'_>, at: usize, side: &str) -> Markup {
    let bots = shown.title.bots();
    html! {
        details {
            summary { "Change" span.sr { ": " (side) } }
            form.line-form method="post" action=(format!("/tables/{}/seat", shown.table.id)) {
                input type="hidden" name="seat" value=(at);
                label.sr for={"wish-" (at)} { "For whom" }
                select #{"wish-" (at)} name="wish" {
                    option value="open" { "Anybody in this house" }
                    option value="named" { "Somebody by name" }
                    option value="link" { "Whoever has the link" }
                    option value="me" { "Me" }
                    (bot_options(&bots, "bot:", None))
                }
                label.sr for={"name-" (at)} { "Their name" }
                input #{"name-" (at)} type="text" name="name" maxlength="48" placeholder="Name" autocomplete="off";
                button type="submit" { "Set" }
            }
        }
    }
}

fn deeds(shown: &TablePage<'_>, is_host: bool, missing: usize) -> Markup {
    let table = shown.table;
    let own = shown.visitor.and_then(|account| table.seat_of(account));
    html! {
        div.row-of-buttons {
            @if let Some(link) = shown.link {
                (guest(shown, link))
            } @else if own.is_some() {
                form method="post" action=(format!("/tables/{}/leave", table.id)) { button type="submit" { "Leave the table" } }
            }
            @if is_host {
                @if missing > 0 && table.seats.iter().any(|seat| seat.taken.is_some()) {
                    form method="post" action=(format!("/tables/{}/start", table.id)) {
                        button.go type="submit" { "Start now, with bots in the free seats" }
                    }
                }
                form method="post" action=(format!("/tables/{}/delete", table.id)) { button.danger type="submit" { "Cancel the table" } }
            }
        }
    }
}

/// What somebody can do who came by a link.
fn guest(shown: &TablePage<'_>, link: &str) -> Markup {
    let table = shown.table;
    let at =
        table.seats.iter().position(|seat| matches!(&seat.offer, SeatOffer::Link(token) if token == link));
    let taken = at.and_then(|at| table.seats[at].taken);
    let side = at.and_then(|at| shown.sides.get(at)).copied().unwrap_or_default();
    let path = format!("/tables/{}/link/{link}", table.id);
    html! {
        @match taken {
            None => form method="post" action=(path) { button.go type="submit" { "Play the " (side) } },
            Some(_) => form method="post" action=(path) {
                p { "You have this seat. Keep this page: it leads to the match when all are here." }
                input type="hidden" name="leaves" value="yes";
                button type="submit" { "Leave the table" }
            },
        }
    }
}
