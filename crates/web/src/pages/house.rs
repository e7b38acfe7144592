//! The page of those who look after the house.
//!
//! It knows what was reported and nothing else of what is said or played: of a match that runs it shows no more than its number.

use std::collections::HashMap;

use maud::{Markup, html};
use store::{Account, AccountId, AccountState, Act, Outage, PostCounts, Report, Role};

use crate::assets;
use crate::clock;
use crate::pages::account::bar;
use crate::pages::layout::{Page, document, settings_dialog};
use crate::pages::people::span;
use crate::prefs::Prefs;

/// An account of the list.
pub struct Listed {
    /// The account.
    pub account: Account,
    /// Up to when the house has muted it.
    pub silenced: Option<u64>,
}

/// What the page shows.
pub struct HousePage<'a> {
    /// Reports that wait for an answer, the oldest first.
    pub open: &'a [Report],
    /// Those that were answered, the newest first.
    pub answered: &'a [Report],
    /// Accounts.
    pub accounts: &'a [Listed],
    /// Whether there are more of them.
    pub has_more_accounts: bool,
    /// The log, the newest first.
    pub acts: &'a [Act],
    /// Whether there is more of it.
    pub has_more_acts: bool,
    /// The names of those who occur.
    pub names: &'a HashMap<AccountId, String>,
    /// What waits to be told, and how many channels fail; `None` where nobody is told anything.
    pub post: Option<PostCounts>,
    /// The last times when the house did not run.
    pub outages: &'a [Outage],
    /// Whether the visitor has an account.
    pub is_member: bool,
    /// Now.
    pub now: u64,
}

/// The page.
pub fn page(prefs: Prefs, shown: &HousePage<'_>) -> Markup {
    let body = html! {
        @if shown.is_member { (bar("House", true, "/house")) }
        @else { header.bar { a.home href="/" { "Maproom" } h1 { "House" } nav.tools aria-label="Tools" { a.button href="/" { "Lobby" } } } }
        main.house-page {
            (reports(shown))
            (accounts(shown))
            (post(shown))
            (outages(shown))
            (log(shown))
        }
        div.toasts #toasts aria-live="polite" {}
        (settings_dialog(prefs))
    };
    let styles = [assets::url("account.css"), assets::url("meeting.css")];
    document(
        prefs,
        &Page { title: "House", class: "account", styles: &styles, script: Some("account.js"), body },
    )
}

/// How the post of the house stands. Whose channels fail is told to their owners.
fn post(shown: &HousePage<'_>) -> Markup {
    html! {
        @if let Some(PostCounts { waiting, letters, failing }) = shown.post {
            section.card #post {
                h2 { "Notices" }
                p { (waiting) " waiting until they are due, " (letters) " being sent; " (failing)
                    @if failing == 1 { " channel failing." } @else { " channels failing." } }
            }
        }
    }
}

fn name<'a>(shown: &'a HousePage<'_>, account: Option<AccountId>) -> &'a str {
    account.map_or("a guest", |account| shown.names.get(&account).map_or("somebody", String::as_str))
}

fn reports(shown: &HousePage<'_>) -> Markup {
    html! {
        section.card #reports {
            h2 { @match shown.open.len() { 0 => "No reports to answer", 1 => "One report to answer", count => { (count) " reports to answer" } } }
            @for report in shown.open {
                div.report data-report=(report.id) {
                    (reported(shown, report))
                    form method="post" action="/house/report" {
                        input type="hidden" name="report" value=(report.id);
                        label.line {
                            "Answer to " (name(shown, Some(report.report.by)))
                            textarea name="answer" rows="2" maxlength="500" {}
                        }
                        p.buttons { button type="submit" { "Answer" } }
                    }
                }
            }
            @if !shown.answered.is_empty() {
                details {
                    summary { "Answered" }
                    @for report in shown.answered {
                        div.report {
                            (reported(shown, report))
                            @if let Some((at, answer)) = &report.answer {
                                p { b { "Answer: " } (answer) " " small { (clock::ago(*at, shown.now)) } }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn reported(shown: &HousePage<'_>, report: &Report) -> Markup {
    let told = &report.report;
    html! {
        p {
            b { (name(shown, told.about)) } " said among the " (told.room.word()) " of match " code { (told.match_id) } ", reported by "
            (name(shown, Some(told.by))) " " (clock::ago(told.at, shown.now)) ":"
        }
        blockquote { (told.text) }
        @if !told.why.is_empty() { p { "“" (told.why) "”" } }
    }
}

fn accounts(shown: &HousePage<'_>) -> Markup {
    html! {
        section.card #accounts {
            h2 { "Accounts" }
            form.row method="get" action="/house" {
                div.line { label for="find-name" { "Name" } input #find-name name="name" maxlength="48" autocomplete="off"; }
                p.buttons { button type="submit" { "Find" } }
            }
            ul.rows {
                @for listed in shown.accounts { @if listed.account.state != AccountState::Deleted { (account(shown, listed)) } }
            }
            @if let (true, Some(last)) = (shown.has_more_accounts, shown.accounts.last()) {
                p { a href={"/house?after=" (last.account.id)} { "More accounts" } }
            }
        }
    }
}

fn account(shown: &HousePage<'_>, listed: &Listed) -> Markup {
    let Listed { account, silenced } = listed;
    let is_closed = account.state == AccountState::Closed;
    html! {
        li data-account=(account.id) {
            span {
                b { (account.name) } " "
                small {
                    "joined " (clock::ago(account.created_at, shown.now))
                    @if account.role == Role::Admin { " · admin" }
                    @if is_closed { " · closed" }
                    @if account.leaving_at.is_some() { " · leaving" }
                    @if let Some(until) = silenced { " · muted for " (span(until.saturating_sub(shown.now))) }
                }
            }
            @if account.role != Role::Admin {
                details {
                    summary { "Mute or close" span.sr { " " (account.name) } }
                    form method="post" action="/house/account" {
                        input type="hidden" name="account" value=(account.id);
                        label { "Why " input name="note" maxlength="500" autocomplete="off"; }
                        @if silenced.is_some() {
                            button type="submit" name="deed" value="unmute" { "End the mute" }
                        } @else {
                            label { "Days " input name="days" type="number" min="1" max="365" value="7"; }
                            button type="submit" name="deed" value="mute" { "Mute" }
                        }
                        @if is_closed { button type="submit" name="deed" value="reopen" { "Open again" } }
                        @else { button.danger type="submit" name="deed" value="close" { "Close the account" } }
                    }
                }
            }
        }
    }
}

fn outages(shown: &HousePage<'_>) -> Markup {
    html! {
        section.card {
            h2 { "Outages" }
            @if shown.outages.is_empty() { p { "None so far." } }
            @else {
                p { small { "Nobody's clock ran in them." } }
                ul.log {
                    @for outage in shown.outages.iter().rev() {
                        li { time { (clock::ago(outage.began, shown.now)) } span { (span(outage.ended.saturating_sub(outage.began))) } }
                    }
                }
            }
        }
    }
}

fn log(shown: &HousePage<'_>) -> Markup {
    html! {
        section.card #log {
            h2 { "Log" }
            @if shown.acts.is_empty() { p { "Nothing yet." } }
            ul.log {
                @for act in shown.acts {
                    li {
                        time { (clock::ago(act.act.at, shown.now)) }
                        span {
                            b { @match act.act.by { Some(by) => (name(shown, Some(by))), None => "The owner" } } " " (act.act.deed)
                            @if let Some(about) = act.act.about { " (" (name(shown, Some(about))) ")" }
                            @if !act.act.note.is_empty() { ": " (act.act.note) }
                        }
                    }
                }
            }
            @if let (true, Some(last)) = (shown.has_more_acts, shown.acts.last()) {
                p { a href={"/house?before=" (last.id)} { "Earlier" } }
            }
        }
    }
}
