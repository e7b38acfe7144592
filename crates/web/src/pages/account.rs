//! The page of one's own account.

use clocks::Days;
use maud::{Markup, html};
use people::LEAVING_MS;
use store::{Account, ChannelRecord, Rest, Role, Session};

use crate::assets;
use crate::clock;
use crate::lobby::{REST_DAYS, days_left, days_of};
use crate::pages::layout::{Page, document, settings_dialog};
use crate::pages::notices;
use crate::pages::sign_in::{line, new_password, password};
use crate::prefs::Prefs;

/// What the page shows.
pub struct AccountPage<'a> {
    /// Whose it is.
    pub account: &'a Account,
    /// Where they are signed in.
    pub sessions: &'a [Session],
    /// The number of the session in which the page is looked at.
    pub here: u64,
    /// By what they are told what happens in their matches; `None` where nobody is told.
    pub channels: Option<&'a [ChannelRecord]>,
    /// Whether letters can be sent.
    pub can_send_mail: bool,
    /// Whether they own the lobby.
    pub is_owner: bool,
    /// Their days of rest.
    pub rests: &'a [Rest],
    /// Now.
    pub now: u64,
    /// What was done just now.
    pub done: Option<&'a str>,
    /// What went wrong just now.
    pub trouble: Option<&'a str>,
}

/// The bar of the pages of an account.
pub fn bar(heading: &str, is_owner: bool, here: &str) -> Markup {
    let tab = |to: &str, words: &str| {
        html! { a.button href=(to) aria-current=[(to == here).then_some("page")] { (words) } }
    };
    html! {
        header.bar {
            a.home href="/turns" { "Maproom" }
            h1 { (heading) }
            nav.tools aria-label="Tools" {
                @if is_owner { a.button href="/" { "Lobby" } (tab("/house", "House")) }
                (tab("/turns", "My turn"))
                (tab("/players", "Players"))
                (tab("/tournaments", "Tournaments"))
                (tab("/tables", "Tables"))
                (tab("/people", "People"))
                (tab("/account", "Account"))
                button type="button" data-act="settings" { "Settings" }
                form method="post" action="/logout" { button type="submit" { "Log out" } }
            }
        }
    }
}

/// The page.
pub fn page(prefs: Prefs, shown: &AccountPage<'_>) -> Markup {
    let account = shown.account;
    let body = html! {
        (bar(&account.name, shown.is_owner, "/account"))
        main.account-page {
            @if let Some(trouble) = shown.trouble { p.trouble role="alert" { (trouble) } }
            @if let Some(done) = shown.done { p.done role="status" { (done) } }
            @if let Some(at) = account.leaving_at { (leaving(at, shown.now)) }
            (about(shown))
            @if let Some(channels) = shown.channels { (notices::summary(channels)) }
            (rest(shown))
            (sessions(shown))
            (new_password_form(account))
            (mail(shown))
            (zone(account))
            (data(account))
        }
        div.toasts #toasts aria-live="polite" {}
        (settings_dialog(prefs))
    };
    let styles = [assets::url("account.css")];
    let script = Some("account.js");
    document(prefs, &Page { title: "Account", class: "account", styles: &styles, script, body })
}

fn leaving(at: u64, now: u64) -> Markup {
    let left = at.saturating_add(LEAVING_MS).saturating_sub(now).div_ceil(86_400_000);
    html! {
        section.card.warning {
            h2 { "This account will be deleted" }
            p { "In " (left) " day" @if left != 1 { "s" } ", unless you keep it." }
            form method="post" action="/account/return" {
                p.buttons { button.go type="submit" { "Keep my account" } }
            }
        }
    }
}

fn about(shown: &AccountPage<'_>) -> Markup {
    let account = shown.account;
    html! {
        section.card {
            h2 { (account.name) }
            p.facts {
                "Joined " (clock::ago(account.created_at, shown.now))
                @if account.role == Role::Admin { " · admin" }
                " · " a href={"/players/" (account.id)} { "Ratings and results" }
            }
        }
    }
}

/// Days of rest: those that are announced, and the form for more.
fn rest(shown: &AccountPage<'_>) -> Markup {
    let zone = &shown.account.zone;
    let today = Days::at(shown.now, zone);
    let year = today.as_ref().map_or(0, |today| today.years()[0]);
    let today = today.map_or_else(String::new, |today| today.first());
    let coming = shown.rests.iter().filter(|rest| rest.until > shown.now);
    html! {
        section.card #rest aria-labelledby="rest-title" {
            h2 #rest-title { "Days of rest" }
            p {
                "Your clocks stand still on these days, from midnight to midnight in "
                (if zone.is_empty() { "UTC" } else { zone.as_str() })
                ", in all matches that allow it and in which you have an hour left."
            }
            ul.rests {
                @for rest in coming {
                    li {
                        span {
                            b { (days_of(rest, zone).map_or_else(String::new, |days| days.to_string())) }
                            @if rest.from <= shown.now { " " span.badge { "You are away" } }
                        }
                        form method="post" action="/account/rest/end" {
                            input type="hidden" name="from" value=(rest.from);
                            button type="submit" { @if rest.from <= shown.now { "I am back" } @else { "Take it back" } }
                        }
                    }
                }
            }
            form.row method="post" action="/account/rest" {
                label.field { "I am away from " input #rest-first type="date" name="first" min=(today) required; }
                label.field { "to " input #rest-last type="date" name="last" min=(today) required; }
                p.buttons { button type="submit" { "Rest" } }
            }
            @let left = days_left(shown.rests, year);
            p { small { (left) " of " (REST_DAYS) " days are left in " (year) ". Days that have begun count, also if you come back earlier." } }
        }
    }
}

fn sessions(shown: &AccountPage<'_>) -> Markup {
    html! {
        section.card.sessions aria-labelledby="sessions-title" {
            h2 #sessions-title { "Where you are logged in" }
            ul {
                @for session in shown.sessions {
                    li data-session=(session.number) {
                        span {
                            b { (session.about) }
                            small { "Last used " (clock::ago(session.seen_at, shown.now)) }
                        }
                        @if session.number == shown.here {
                            span.badge { "This browser" }
                        } @else {
                            form method="post" action="/account/sessions" {
                                input type="hidden" name="session" value=(session.number);
                                button type="submit" { "Log out" span.sr { " " (session.about) } }
                            }
                        }
                    }
                }
            }
            @if shown.sessions.len() > 1 {
                form method="post" action="/account/sessions" {
                    input type="hidden" name="session" value="others";
                    p.buttons { button type="submit" { "Log out everywhere else" } }
                }
            }
        }
    }
}

/// A field that tells a password manager whose password it is.
fn whose(account: &Account) -> Markup {
    html! { input.sr type="text" name="username" value=(account.name) autocomplete="username" readonly tabindex="-1" aria-hidden="true"; }
}

fn new_password_form(account: &Account) -> Markup {
    html! {
        section.card {
            h2 { "Password" }
            form method="post" action="/account/password" {
                (whose(account))
                (password("old", "Your password"))
                (new_password("new", "New password"))
                p.buttons { button type="submit" { "Change the password" } }
                p { small { "All other browsers are logged out." } }
            }
        }
    }
}

fn mail(shown: &AccountPage<'_>) -> Markup {
    let account = shown.account;
    let address = account.mail.as_ref().map(|mail| mail.address.as_str());
    html! {
        section.card {
            h2 { "Mail address" }
            p { @match address {
                Some(address) => { (address) " " span.badge { "confirmed" } },
                None => { "None." },
            } }
            @if shown.can_send_mail {
                form method="post" action="/account/mail" {
                    (line("mail", "New address", "A letter goes there with a link; until then nothing changes. Leave it empty for none.", html! {
                        input #mail name="mail" type="email" autocomplete="email" maxlength="254" aria-describedby="mail-hint";
                    }))
                    (password("mail-password", "Your password"))
                    p.buttons { button type="submit" { "Change the address" } }
                }
            } @else {
                p { small { "This Maproom can't send mail. If you forget your password, whoever runs it can give you a link." } }
            }
        }
    }
}

fn zone(account: &Account) -> Markup {
    html! {
        section.card {
            h2 { "Time zone" }
            form.row method="post" action="/account/zone" {
                (line("zone", "Zone", "", html! {
                    input #zone name="zone" value=(account.zone) list="zones" placeholder="UTC" maxlength="40" spellcheck="false";
                }))
                datalist #zones {}
                p.buttons { button type="submit" { "Save" } }
            }
        }
    }
}

fn data(account: &Account) -> Markup {
    html! {
        section.card {
            h2 { "Your data" }
            p { "Everything we keep about you, with the records of your finished matches and what you have seen of those that are running." }
            p.buttons { a.button href="/account/export" { "Download" } }
            @if account.leaving_at.is_none() {
                details {
                    summary { "Delete my account" }
                    p { "Your seats in running matches go to bots. You can come back within seven days by logging in; after that your "
                        "name, address and everything you wrote is erased for good." }
                    form method="post" action="/account/delete" {
                        (whose(account))
                        (password("delete-password", "Your password"))
                        p.buttons { button.danger type="submit" { "Delete my account" } }
                    }
                }
            }
        }
    }
}
