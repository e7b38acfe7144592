//! Joining, logging in, and the pages behind one-time links.

use maud::{Markup, html};

use crate::assets;
use crate::pages::layout::{Page, document};
use crate::prefs::Prefs;

/// A page with one form on it.
struct Sheet<'a> {
    heading: &'a str,
    /// What went wrong the last time, if anything.
    trouble: Option<&'a str>,
    body: Markup,
}

fn sheet(prefs: Prefs, sheet: &Sheet<'_>) -> Markup {
    let body = html! {
        main.sheet {
            p.home { "Maproom" }
            section.card {
                h1 { (sheet.heading) }
                @if let Some(trouble) = sheet.trouble { p.trouble role="alert" { (trouble) } }
                (sheet.body)
            }
        }
    };
    let styles = [assets::url("account.css")];
    let script = Some("account.js");
    document(prefs, &Page { title: sheet.heading, class: "account", styles: &styles, script, body })
}

/// A line of a form: what it is called, the field, a hint below.
pub fn line(id: &str, label: &str, hint: &str, field: impl maud::Render) -> Markup {
    html! {
        div.line {
            label for=(id) { (label) }
            (field)
            @if !hint.is_empty() { small #{(id) "-hint"} { (hint) } }
        }
    }
}

fn name_field(value: &str) -> Markup {
    let field = html! {
        input #name name="name" value=(value) autocomplete="username" autocapitalize="none" spellcheck="false"
            maxlength="48" required autofocus[value.is_empty()];
    };
    line("name", "Name", "", field)
}

/// The field for a new password.
pub fn new_password(id: &str, label: &str) -> Markup {
    let field = html! {
        input id=(id) name=(id) type="password" autocomplete="new-password" minlength="10" maxlength="200" required
            aria-describedby={(id) "-hint"};
    };
    line(id, label, "At least 10 letters. A few words in a row are good and easy to keep.", field)
}

/// The field for the password that somebody has.
pub fn password(id: &str, label: &str) -> Markup {
    let field = html! {
        input id=(id) name="password" type="password" autocomplete="current-password" maxlength="200" required;
    };
    line(id, label, "", field)
}

/// What somebody has filled in to join, to be shown again.
#[derive(Clone, Copy, Default)]
pub struct Joined<'a> {
    /// The name.
    pub name: &'a str,
    /// The address.
    pub mail: &'a str,
    /// Whether letters can be sent.
    pub can_send_mail: bool,
}

/// The page to make an account.
pub fn join(prefs: Prefs, action: &str, filled: Joined<'_>, trouble: Option<&str>) -> Markup {
    let body = html! {
        p.lead { "An account keeps your seats for all your devices. Nothing but the name is shown to others." }
        form method="post" action=(action) {
            (name_field(filled.name))
            (new_password("password", "Password"))
            @if filled.can_send_mail {
                (line("mail", "Mail address (optional)", "For a forgotten password. We send a letter to confirm it.", html! {
                    input #mail name="mail" type="email" value=(filled.mail) autocomplete="email" maxlength="254";
                }))
            }
            input type="hidden" name="zone" data-zone="";
            p.buttons { button.go type="submit" { "Make an account" } }
        }
        p.aside { "You have one? " a href="/login" { "Log in" } }
    };
    sheet(prefs, &Sheet { heading: "Join", trouble, body })
}

/// What the log-in page says and offers.
#[derive(Clone, Copy, Default)]
pub struct LogIn<'a> {
    /// The name that was tried.
    pub name: &'a str,
    /// Where to go afterwards.
    pub next: &'a str,
    /// Whether anybody may join.
    pub is_open: bool,
    /// Whether letters can be sent.
    pub can_send_mail: bool,
}

/// The page to log in.
pub fn log_in(prefs: Prefs, shown: LogIn<'_>, trouble: Option<&str>) -> Markup {
    let body = html! {
        form method="post" action="/login" {
            (name_field(shown.name))
            (password("password", "Password"))
            input type="hidden" name="next" value=(shown.next);
            p.buttons { button.go type="submit" { "Log in" } }
        }
        p.aside {
            @if shown.can_send_mail { a href="/reset" { "Forgot your password?" } }
            @else { "Forgot your password? Ask whoever runs this Maproom for a link." }
        }
        @if shown.is_open { p.aside { "New here? " a href="/join" { "Make an account" } } }
    };
    sheet(prefs, &Sheet { heading: "Log in", trouble, body })
}

/// The page to ask for a new password.
pub fn forgotten(prefs: Prefs, trouble: Option<&str>) -> Markup {
    let body = html! {
        p.lead { "We send a link to the confirmed mail address of your account. It works for 30 minutes." }
        form method="post" action="/reset" {
            (name_field(""))
            p.buttons { button.go type="submit" { "Send the link" } }
        }
        p.aside { a href="/login" { "Back" } }
    };
    sheet(prefs, &Sheet { heading: "Forgotten password", trouble, body })
}

/// The page to choose a new password.
pub fn reset(prefs: Prefs, action: &str, trouble: Option<&str>) -> Markup {
    let body = html! {
        form method="post" action=(action) {
            (new_password("password", "New password"))
            p.buttons { button.go type="submit" { "Set the password" } }
        }
        p.aside { "All other browsers in which you are logged in are logged out." }
    };
    sheet(prefs, &Sheet { heading: "New password", trouble, body })
}

/// The page to confirm a mail address: only the button changes anything, because previews open links, too.
pub fn confirm_mail(prefs: Prefs, action: &str) -> Markup {
    let body = html! {
        form method="post" action=(action) { p.buttons { button.go type="submit" { "Use this address" } } }
    };
    sheet(prefs, &Sheet { heading: "Confirm your address", trouble: None, body })
}

/// A page that only says something.
pub fn notice(prefs: Prefs, heading: &str, text: &str, link: (&str, &str)) -> Markup {
    let (to, words) = link;
    let body = html! {
        p.lead { (text) }
        p.aside { a href=(to) { (words) } }
    };
    sheet(prefs, &Sheet { heading, trouble: None, body })
}
