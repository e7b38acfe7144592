//! Whom somebody has muted and blocked, and what became of their reports.

use std::collections::HashMap;

use maud::{Markup, html};
use store::{AccountId, Contact, Report};

use crate::assets;
use crate::clock;
use crate::pages::account::bar;
use crate::pages::layout::{Page, document, settings_dialog};
use crate::prefs::Prefs;

/// What the page shows.
pub struct PeoplePage<'a> {
    /// Whom they have muted and blocked.
    pub contacts: &'a [(AccountId, Contact)],
    /// The names of these.
    pub names: &'a HashMap<AccountId, String>,
    /// What they have reported, the newest first.
    pub reports: &'a [Report],
    /// Up to when the house has muted them.
    pub silenced: Option<u64>,
    /// Whether they own the lobby.
    pub is_owner: bool,
    /// Now.
    pub now: u64,
}

/// The page.
pub fn page(prefs: Prefs, shown: &PeoplePage<'_>) -> Markup {
    let body = html! {
        (bar("People", shown.is_owner, "/people"))
        main.account-page {
            @if let Some(until) = shown.silenced.filter(|until| shown.now < *until) {
                section.card.warning {
                    h2 { "You are muted" }
                    p { "For " (span(until - shown.now)) " you can read what others say at a table, but not write." }
                }
            }
            section.card {
                h2 { "Muted and blocked" }
                p { small { "You don't read what somebody says whom you have muted. Whom you have blocked can't join your tables "
                    "either, and can't invite you to theirs. Nobody is told." } }
                @if shown.contacts.is_empty() { p { "Nobody." } }
                ul.rows {
                    @for (account, kind) in shown.contacts {
                        @let name = shown.names.get(account).map_or("", String::as_str);
                        li {
                            span { b { (name) } " " small { @match kind { Contact::Mute => "muted", Contact::Block => "blocked" } } }
                            form method="post" action="/people" {
                                (fields(name, *kind, false))
                                button type="submit" { "End it" span.sr { " for " (name) } }
                            }
                        }
                    }
                }
                form.row method="post" action="/people" {
                    div.line {
                        label for="contact-name" { "Name" }
                        input #contact-name name="name" maxlength="48" required autocomplete="off";
                    }
                    input type="hidden" name="on" value="yes";
                    p.buttons {
                        button type="submit" name="kind" value="mute" { "Mute" }
                        button type="submit" name="kind" value="block" { "Block" }
                    }
                }
            }
            @if !shown.reports.is_empty() {
                section.card {
                    h2 { "What you have reported" }
                    ul.rows.reports {
                        @for report in shown.reports {
                            li { div {
                                blockquote { (report.report.text) }
                                p { small { "Reported " (clock::ago(report.report.at, shown.now)) } }
                                @match &report.answer {
                                    Some((_, answer)) => p { b { "Answer: " } (if answer.is_empty() { "Dealt with." } else { answer.as_str() }) },
                                    None => p { "It waits for an answer." },
                                }
                            } }
                        }
                    }
                }
            }
        }
        div.toasts #toasts aria-live="polite" {}
        (settings_dialog(prefs))
    };
    let styles = [assets::url("account.css"), assets::url("meeting.css")];
    document(
        prefs,
        &Page { title: "People", class: "account", styles: &styles, script: Some("account.js"), body },
    )
}

fn fields(name: &str, kind: Contact, is_on: bool) -> Markup {
    html! {
        input type="hidden" name="name" value=(name);
        input type="hidden" name="kind" value=(kind.word());
        input type="hidden" name="on" value=(if is_on { "yes" } else { "no" });
    }
}

/// "3 days", "5 hours", "20 minutes": rounded up, so that nobody waits in vain.
pub fn span(left: u64) -> String {
    let (amount, unit) = match left {
        86_400_000.. => (left.div_ceil(86_400_000), "day"),
        3_600_000.. => (left.div_ceil(3_600_000), "hour"),
        _ => (left.div_ceil(60_000).max(1), "minute"),
    };
    format!("{amount} {unit}{}", if amount == 1 { "" } else { "s" })
}
