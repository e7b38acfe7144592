//! The page on which somebody says how they want to be told what happens in their matches.

use maud::{Markup, html};
use store::{Account, ChannelKind, ChannelRecord, NoticeKind, QuietHours};

use crate::assets;
use crate::pages::account::bar;
use crate::pages::layout::{Page, document, settings_dialog};
use crate::pages::sign_in::{line, notice};
use crate::prefs::Prefs;

/// What the page shows.
pub struct NoticesPage<'a> {
    /// Whose it is.
    pub account: &'a Account,
    /// Their channels.
    pub channels: &'a [ChannelRecord],
    /// Whether mail can be sent.
    pub can_mail: bool,
    /// The key by which browsers subscribe; `None` if nothing is pushed.
    pub push_key: Option<String>,
    /// Whether they own the lobby.
    pub is_owner: bool,
    /// What was done just now.
    pub done: Option<&'a str>,
    /// What went wrong just now.
    pub trouble: Option<&'a str>,
}

/// What can be wanted, with its words.
const KINDS: [(NoticeKind, &str); 10] = [
    (NoticeKind::Turn, "It is my turn"),
    (NoticeKind::Half, "Half of my time is left"),
    (NoticeKind::Fifth, "A fifth of my time is left"),
    (NoticeKind::Last, "Last reminder"),
    (NoticeKind::Flagged, "My time has run out"),
    (NoticeKind::Offer, "An offer awaits my answer"),
    (NoticeKind::Invited, "Somebody invites me"),
    (NoticeKind::Started, "A match has started"),
    (NoticeKind::Over, "A match is over"),
    (NoticeKind::Chat, "Somebody talks to me at a table"),
];

/// What a new channel carries.
pub const USUAL: [NoticeKind; 8] = [
    NoticeKind::Turn,
    NoticeKind::Fifth,
    NoticeKind::Last,
    NoticeKind::Flagged,
    NoticeKind::Offer,
    NoticeKind::Invited,
    NoticeKind::Started,
    NoticeKind::Over,
];

/// Whether the page asks about a kind.
pub fn is_asked(kind: NoticeKind) -> bool {
    KINDS.iter().any(|(asked, _)| *asked == kind)
}

/// The page.
pub fn page(prefs: Prefs, shown: &NoticesPage<'_>) -> Markup {
    let body = html! {
        (bar("Notices", shown.is_owner, "/account/notices"))
        main.account-page.notices {
            @if let Some(trouble) = shown.trouble { p.trouble role="alert" { (trouble) } }
            @if let Some(done) = shown.done { p.done role="status" { (done) } }
            @for channel in shown.channels { (card(channel)) }
            (about(shown))
            (mail(shown))
            (push(shown))
            (hook())
        }
        div.toasts #toasts aria-live="polite" {}
        (settings_dialog(prefs))
    };
    let styles = [assets::url("account.css"), assets::url("notices.css")];
    let script = Some("notices.js");
    document(prefs, &Page { title: "Notices", class: "account", styles: &styles, script, body })
}

/// What a sort of channel is called.
fn title(kind: ChannelKind) -> &'static str {
    match kind {
        ChannelKind::Mail => "Mail",
        ChannelKind::Push => "Browser",
        ChannelKind::Discord => "Discord",
        ChannelKind::Slack => "Slack",
        ChannelKind::Ntfy => "ntfy",
        ChannelKind::Json => "JSON hook",
    }
}

/// Where a channel leads, as far as a glance over somebody's shoulder may show it: the rest of a web address opens it.
fn place(record: &ChannelRecord) -> String {
    let address = record.channel.address.as_str();
    if record.channel.kind == ChannelKind::Mail {
        return address.to_owned();
    }
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let host = rest.split(['/', '?']).next().unwrap_or_default();
    let tail: Vec<char> = rest.chars().rev().take(4).collect();
    format!("{host}/…{}", tail.into_iter().rev().collect::<String>())
}

/// A time of day as a field for times wants it.
fn clock_time(minute: u16) -> String {
    format!("{:02}:{:02}", minute / 60, minute % 60)
}

fn card(record: &ChannelRecord) -> Markup {
    let id = record.id.0;
    let wishes = &record.channel.wishes;
    let path = |act: &str| format!("/account/notices/{id}/{act}");
    let is_push = record.channel.kind == ChannelKind::Push;
    html! {
        section.card.channel data-channel=(id) data-endpoint=[is_push.then_some(&record.channel.address)] {
            h2 { (title(record.channel.kind)) " " small { (place(record)) } }
            (state(record, &path("mend")))
            form method="post" action=(path("wishes")) {
                fieldset.kinds {
                    legend { "Tell me when" }
                    @for (kind, words) in KINDS {
                        label.check {
                            input type="checkbox" name={ "kind." (kind.word()) } checked[wishes.kinds.contains(&kind)];
                            (words)
                        }
                    }
                }
                (hours(id, wishes.quiet, wishes.digest))
                p.buttons { button type="submit" { "Save" } }
            }
            div.buttons {
                form method="post" action=(path("test")) { button type="submit" { "Send a test" } }
                form.remove method="post" action=(path("remove")) { button.danger type="submit" { "Remove" } }
            }
        }
    }
}

fn state(record: &ChannelRecord, mend: &str) -> Markup {
    html! {
        @if record.failing_since.is_some() {
            div.trouble role="alert" {
                p { b { "Switched off: " } "nothing could be delivered here. The last try: " (record.error) "." }
                form method="post" action=(mend) {
                    p.buttons { button type="submit" { "Switch it on again" } }
                }
            }
        } @else if !record.error.is_empty() {
            p.trouble { "The last try failed and will be repeated: " (record.error) "." }
        }
    }
}

fn hours(id: u64, quiet: Option<QuietHours>, digest: Option<u16>) -> Markup {
    let time = |name: &str, label: &str, hint: &str, at: Option<u16>| {
        let at = at.map(clock_time).unwrap_or_default();
        let field = format!("{name}-{id}");
        let described = (!hint.is_empty()).then(|| format!("{field}-hint"));
        line(
            &field,
            label,
            hint,
            html! {
                input id=(field) type="time" name=(name) value=(at) aria-describedby=[described];
            },
        )
    };
    html! {
        div.hours {
            (time("quiet-from", "Quiet from", "", quiet.map(|quiet| quiet.from)))
            (time("quiet-to", "until", "", quiet.map(|quiet| quiet.to)))
            (time("digest", "Once a day at", "", digest))
        }
        p { small { "Empty fields: at any hour, and at once. The last reminder waits for neither." } }
    }
}

fn about(shown: &NoticesPage<'_>) -> Markup {
    let zone = if shown.account.zone.is_empty() { "UTC" } else { &shown.account.zone };
    html! {
        section.card {
            h2 { "How you are told" }
            @if shown.channels.is_empty() {
                p { "Nobody bothers you until you add a channel: your mail, a browser, or a hook." }
            }
            p { "You are told once, a few minutes after it became your turn, and only if you have not seen it for yourself: while "
                "the match is open in front of you nothing is sent. What is due together comes as one message." }
            p { "Times are by the clock in " b { (zone) } ". " a href="/account#zone" { "Change the zone" } }
        }
    }
}

fn mail(shown: &NoticesPage<'_>) -> Markup {
    let address = shown.account.mail.as_ref().map(|mail| mail.address.as_str());
    let has_one = shown.channels.iter().any(|record| record.channel.kind == ChannelKind::Mail);
    html! {
        @if shown.can_mail && !has_one {
            section.card {
                h2 { "By mail" }
                @match address {
                    Some(address) => {
                        form method="post" action="/account/notices" {
                            input type="hidden" name="kind" value=(ChannelKind::Mail.word());
                            p { "To " (address) ". Every mail has a link that ends them." }
                            p.buttons { button #add-mail type="submit" { "Tell me by mail" } }
                        }
                    },
                    None => p { a href="/account#mail" { "Confirm your mail address" } " first, and you can be told by mail." },
                }
            }
        }
    }
}

fn push(shown: &NoticesPage<'_>) -> Markup {
    html! {
        @if let Some(key) = &shown.push_key {
            section.card #push data-key=(key) {
                h2 { "In this browser" }
                p #push-state aria-live="polite" { "This needs a browser that can show notices while no page is open." }
                form method="post" action="/account/notices" hidden {
                    input type="hidden" name="kind" value=(ChannelKind::Push.word());
                    input type="hidden" name="address";
                    input type="hidden" name="secret";
                    p.buttons { button type="submit" { "Tell me in this browser" } }
                }
            }
        }
    }
}

fn hook() -> Markup {
    let kinds = [ChannelKind::Discord, ChannelKind::Slack, ChannelKind::Ntfy, ChannelKind::Json];
    html! {
        section.card {
            h2 { "By a hook" }
            form method="post" action="/account/notices" {
                (line("hook-kind", "Kind", "", html! {
                    select #hook-kind name="kind" {
                        @for kind in kinds { option value=(kind.word()) { (title(kind)) } }
                    }
                }))
                (line("hook-address", "Address", "Of an incoming webhook, of your topic, or of a program of your own.", html! {
                    input #hook-address name="address" type="url" placeholder="https://" maxlength="1000" required
                        spellcheck="false" autocomplete="off" aria-describedby="hook-address-hint";
                }))
                (line("hook-secret", "Key", "ntfy: the access token, if your topic has one. JSON: at least 16 letters of your own choice, by \
                    which you know that a message is ours. Discord and Slack need none.", html! {
                    input #hook-secret name="secret" type="password" maxlength="300" autocomplete="off"
                        aria-describedby="hook-secret-hint";
                }))
                p.buttons { button type="submit" { "Add the hook" } }
            }
        }
    }
}

/// A line about the channels, for the page of the account.
pub fn summary(channels: &[ChannelRecord]) -> Markup {
    let failing = channels.iter().filter(|record| record.failing_since.is_some()).count();
    html! {
        section.card #notices {
            h2 { "Notices" }
            @if failing > 0 {
                p.trouble role="alert" {
                    @if failing == 1 { "One of your channels" } @else { (failing) " of your channels" }
                    " could not be reached and " @if failing == 1 { "is" } @else { "are" } " switched off."
                }
            }
            @match channels {
                [] => p { "Nobody tells you when it is your turn." },
                some => {
                    ul { @for record in some { li { (title(record.channel.kind)) " " small { (place(record)) } } } }
                },
            }
            p.buttons { a.button href="/account/notices" { "Choose how you are told" } }
        }
    }
}

/// The page behind the link in a mail.
pub fn unsubscribe(prefs: Prefs, action: &str) -> Markup {
    let body = html! {
        main.sheet {
            p.home { "Maproom" }
            section.card {
                h1 { "No more of these mails?" }
                p.lead { "Notices will no longer go to this address. Everything else stays as it is." }
                form method="post" action=(action) {
                    button.go type="submit" { "Send me no more" }
                }
            }
        }
    };
    let styles = [assets::url("account.css")];
    document(prefs, &Page { title: "Unsubscribe", class: "account", styles: &styles, script: None, body })
}

/// What somebody reads who has ended their mails.
pub fn unsubscribed(prefs: Prefs) -> Markup {
    let text = "No more notices go to that address. You can turn them on again on the page of your account.";
    notice(prefs, "Done", text, ("/account/notices", "Notices"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use store::{AccountId, ChannelId, NewChannel, Wishes};

    #[test]
    fn a_glance_shows_no_address_that_opens_something() {
        let at = |kind, address: &str| {
            let (address, secret, wishes) = (address.to_owned(), "hush".to_owned(), Wishes::default());
            let channel = NewChannel { account: AccountId(1), kind, address, secret, wishes };
            ChannelRecord { id: ChannelId(1), channel, error: String::new(), failing_since: None }
        };
        let hook = at(ChannelKind::Discord, "https://discord.com/api/webhooks/123/abcdefgh");
        assert_eq!(place(&hook), "discord.com/…efgh");
        assert_eq!(place(&at(ChannelKind::Ntfy, "https://ntfy.sh?ü")), "ntfy.sh/…sh?ü");
        assert_eq!(place(&at(ChannelKind::Mail, "ann@home.example")), "ann@home.example");
        let text = card(&hook).into_string();
        assert!(!text.contains("abcdefgh") && !text.contains("hush"), "{text}");
    }
}
