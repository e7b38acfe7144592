//! The lobby: lessons, new games, my matches page by page.

use std::collections::HashMap;
use std::sync::Arc;

use kernel::{Parting, Setup};
use maud::{Markup, html};
use store::{Counts, MatchRecord, Player, SeatRecord, Shelf, owner_seat};

use crate::assets;
use crate::clock;
use crate::lessons::TitleLesson;
use crate::opponents::bot_name;
use crate::pages::layout::{Page, document, settings_dialog, themed_picture};
use crate::pages::parted;
use crate::prefs::Prefs;
use crate::title::Title;

/// How many matches a page of the lobby shows.
pub const PER_PAGE: usize = 24;

/// What the lobby shows.
pub struct LobbyPage<'a> {
    /// The games.
    pub titles: &'a [Arc<dyn Title>],
    /// How many matches there are.
    pub counts: Counts,
    /// The shelf that is shown.
    pub shelf: Shelf,
    /// Which page of it, from 0.
    pub page: usize,
    /// The matches of that page.
    pub matches: &'a [MatchRecord],
    /// Deleted matches that can still be restored.
    pub deleted: &'a [MatchRecord],
    /// Matches that differ from the current rules, by id.
    pub parted: &'a HashMap<String, Parting>,
    /// Whether people have accounts here, and so can talk at a table.
    pub has_accounts: bool,
    /// The time of day.
    pub now: u64,
    /// Whether the house has accounts, and so ratings and tournaments.
    pub has_contests: bool,
    /// Whether batches of games can be played.
    pub has_laboratory: bool,
}

impl LobbyPage<'_> {
    /// Whether nothing was ever played here.
    fn is_fresh(&self) -> bool {
        self.counts.running + self.counts.finished == 0
    }
}

/// The page.
pub fn page(prefs: Prefs, lobby: &LobbyPage<'_>) -> Markup {
    let is_fresh = lobby.is_fresh();
    let body = html! {
        header.bar {
            span.home { "Maproom" }
            span.motto { "The table, the rulebook, the opponent and the staff officer" }
            nav.tools aria-label="Tools" {
                label.button.import { "Import a match" input.sr #import type="file" accept=".match,text/plain"; }
                @if lobby.has_contests {
                    a.button href="/players" { "Players" }
                    a.button href="/tournaments" { "Tournaments" }
                }
                @if lobby.counts.finished > 0 { a.button href="/statistics" { "Statistics" } }
                @if lobby.has_laboratory { a.button href="/lab" { "Laboratory" } }
                button type="button" data-act="settings" { "Settings" }
            }
        }
        main.lobby.fresh[is_fresh] {
            @if is_fresh { (welcome(prefs, lobby.titles)) }
            section.new aria-labelledby="new-title" {
                h1 #new-title { "New game" }
                div.games { @for title in lobby.titles { (new_game(prefs, &**title, lobby)) } }
            }
            @if !is_fresh || !lobby.deleted.is_empty() { (mine(prefs, lobby)) }
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

/// What a newcomer sees first: a coached game of each title.
fn welcome(prefs: Prefs, titles: &[Arc<dyn Title>]) -> Markup {
    let first = titles.iter().filter_map(|title| Some((title, title.lessons().first()?)));
    let first: Vec<_> = first.collect();
    html! {
        @if !first.is_empty() {
            section.welcome aria-labelledby="welcome-title" {
                h1 #welcome-title { "New here? Learn by playing." }
                p.empty { "A coach sits beside you at the real table and tells you what to look at and why. You needn't read the "
                    "rules first: the table shows at every step what you can do, and why something is not possible." }
                ul.lessons {
                    @for (at, (title, lesson)) in first.into_iter().enumerate() {
                        li.card.lesson {
                            (themed_picture(prefs, &format!("/games/{}/lesson/{}", title.id(), lesson.file.id)))
                            div.about {
                                p.eyebrow { (title.name()) }
                                h2 { (lesson.lesson.title) }
                                p { (lesson.lesson.about) }
                                (lesson_form(&**title, lesson, at == 0))
                            }
                        }
                    }
                }
            }
        }
    }
}

fn lesson_form(title: &dyn Title, lesson: &TitleLesson, focused: bool) -> Markup {
    html! {
        form.start-lesson method="post" action="/matches" {
            input type="hidden" name="game" value=(title.id());
            input type="hidden" name="lesson" value=(lesson.file.id);
            button.begin type="submit" autofocus[focused] { "Start the lesson" }
            span.facts { "About " (lesson.lesson.minutes) " minutes" }
        }
    }
}

/// The form for a new game. In an empty lobby all forms are open; later only that of the game played last.
fn new_game(prefs: Prefs, title: &dyn Title, lobby: &LobbyPage<'_>) -> Markup {
    let is_fresh = lobby.is_fresh();
    let last = lobby.matches.iter().max_by_key(|record| record.changed_at).map(|record| record.game.as_str());
    html! {
        details.fold open[is_fresh || last == Some(title.id())] name=[(!is_fresh).then_some("new-game")] {
            summary { h2 { (title.name()) } }
            p { (title.pitch()) " " a href={"/rules/" (title.id())} { "Rulebook" } }
            @if !is_fresh {
                @for lesson in title.lessons() {
                    div.coached { p { b { "Lesson: " } (lesson.lesson.title) } (lesson_form(title, lesson, false)) }
                }
            }
            (setups(prefs, title))
            (form(title, lobby.has_accounts, lobby.has_contests))
        }
    }
}

/// The cards of the set-ups; choosing one fills in the form below.
fn setups(prefs: Prefs, title: &dyn Title) -> Markup {
    html! {
        @if !title.setups().is_empty() {
            div.setups tabindex="0" role="radiogroup" aria-label={"Set-ups of " (title.name())} {
                @for setup in title.setups().iter().filter(|setup| setup.start_here) { (setup_card(prefs, title, setup)) }
                @for setup in title.setups().iter().filter(|setup| !setup.start_here) { (setup_card(prefs, title, setup)) }
            }
        }
    }
}

fn setup_card(prefs: Prefs, title: &dyn Title, setup: &Setup) -> Markup {
    let options = serde_json::to_string(&setup.options).unwrap_or_default();
    html! {
        div {
            button.card.setup type="button" role="radio" aria-checked="false" data-options=(options) {
                (themed_picture(prefs, &format!("/games/{}/setup/{}", title.id(), setup.id)))
                span.about {
                    @if setup.start_here { span.badge { "Start here" } }
                    b { (setup.title) }
                    small.sides-line { (setup.sides) }
                    small.facts { (setup.length) " · " (minutes(setup.minutes)) " · " (setup.difficulty.word()) }
                    small.blurb-line { (setup.about) }
                }
            }
        }
    }
}

/// "about 40 minutes", "about 2 hours".
fn minutes(minutes: u16) -> String {
    match minutes {
        0..=89 => format!("about {minutes} min"),
        _ => {
            let halves = (u32::from(minutes) + 15) / 30;
            format!("about {}{} h", halves / 2, if halves % 2 == 1 { "½" } else { "" })
        }
    }
}

fn form(title: &dyn Title, has_accounts: bool, has_contests: bool) -> Markup {
    let fields = title.new_game_fields();
    // Where there is a clock to choose people can play each other.
    let may_be_rated = has_contests && fields.0.contains("name=\"clock\"");
    html! {
        form.game method="post" action="/matches" {
            input type="hidden" name="game" value=(title.id());
            (fields)
            @if may_be_rated {
                label.rated { input type="checkbox" name="rated" value="yes"; " Rated: counts when friends keep their seats in their accounts" }
            }
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
                @if has_accounts {
                    label.check { input type="checkbox" name="quiet" value="yes"; span { "No talk at this table" } }
                }
            }
            p.buttons { button.go type="submit" { "Start" } }
        }
    }
}

/// The owner's matches: two shelves, and the pages of the one that is shown.
fn mine(prefs: Prefs, lobby: &LobbyPage<'_>) -> Markup {
    let now = lobby.now;
    let Counts { running, owner_to_move, finished } = lobby.counts;
    let tab = |shelf: Shelf, words: &str, count: usize| {
        let path = if shelf == Shelf::Running { "/" } else { "/?shelf=finished" };
        html! {
            a.tab href=(path) aria-current=[(lobby.shelf == shelf).then_some("page")] { (words) " " span.count { (count) } }
        }
    };
    html! {
        section.mine aria-labelledby="mine-title" {
            h1 #mine-title { "My matches" }
            nav.shelves aria-label="Matches" {
                (tab(Shelf::Running, "Running", running))
                (tab(Shelf::Finished, "Finished", finished))
                @if owner_to_move > 0 { span.facts { "Your move in " (owner_to_move) } }
            }
            @if lobby.matches.is_empty() {
                p.empty { @if lobby.shelf == Shelf::Running { "No match is running." } @else { "No match is over yet." } }
            }
            ul.matches { @for record in lobby.matches { (card(prefs, lobby, record, now)) } }
            (pager(lobby))
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
    }
}

fn pager(lobby: &LobbyPage<'_>) -> Markup {
    let pages = lobby.counts.on(lobby.shelf).div_ceil(PER_PAGE).max(1);
    let path = |page: usize| {
        let shelf = if lobby.shelf == Shelf::Finished { "shelf=finished&" } else { "" };
        format!("/?{shelf}page={}", page + 1)
    };
    html! {
        @if pages > 1 {
            nav.pager aria-label="Pages" {
                @if lobby.page > 0 { a.button href=(path(lobby.page - 1)) rel="prev" { "Previous" } }
                span { "Page " (lobby.page + 1) " of " (pages) }
                @if lobby.page + 1 < pages { a.button href=(path(lobby.page + 1)) rel="next" { "Next" } }
            }
        }
    }
}

fn card(prefs: Prefs, lobby: &LobbyPage<'_>, record: &MatchRecord, now: u64) -> Markup {
    let parting = lobby.parted.get(&record.id);
    let own = owner_seat(&record.seats);
    let path = format!("/m/{}/{}", record.id, record.owner_token());
    let unseen = own.map_or(0, |seat| record.summary.steps.saturating_sub(seat.seen));
    let over = record.summary.result.is_some();
    let is_mine = record.summary.owner_to_move && !over;
    let game = lobby.titles.iter().find(|title| title.id() == record.game);
    html! {
        li.match.your-move[is_mine] data-id=(record.id) {
            a.board href=(path) tabindex="-1" aria-hidden="true" {
                (themed_picture(prefs, &format!("{path}/thumbnail.svg?r={}", record.revision)))
            }
            div.about {
                p.eyebrow {
                    (game.map_or(record.game.as_str(), |title| title.name()))
                    @if !record.lesson.is_empty() { " · lesson" }
                    @if is_mine { span.badge { "Your move" } }
                }
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
        Player::StandIn { bot, .. } | Player::Account { bot: Some(bot), .. } => {
            format!("{} is playing for {}", bot_name(bot), seat.word)
        }
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
