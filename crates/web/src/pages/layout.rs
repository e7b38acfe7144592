//! The frame of every page.

use maud::{DOCTYPE, Markup, html};

use crate::assets;
use crate::prefs::{Prefs, Theme};

/// What a page is made of.
pub struct Page<'a> {
    /// Its title.
    pub title: &'a str,
    /// The class of its body.
    pub class: &'a str,
    /// Stylesheets besides the common one.
    pub styles: &'a [String],
    /// Its script module, by file name.
    pub script: Option<&'a str>,
    /// What stands in it.
    pub body: Markup,
}

/// A whole document.
pub fn document(prefs: Prefs, page: &Page<'_>) -> Markup {
    let theme = match prefs.theme {
        Theme::System => "system",
        Theme::Light => "light",
        Theme::Dark => "dark",
    };
    let hand = if prefs.left_handed { "left" } else { "right" };
    let motion = if prefs.still { "still" } else { "system" };
    let sound = if prefs.sound { "on" } else { "off" };
    let palette = if prefs.clear_colours { "clear" } else { "plain" };
    html! {
        (DOCTYPE)
        html lang="en" data-theme=(theme) data-hand=(hand) data-motion=(motion) data-palette=(palette)
            data-sound=(sound) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover";
                meta name="color-scheme" content="light dark";
                title { (page.title) " · Maproom" }
                link rel="icon" type="image/svg+xml" href=(assets::url("icon.svg"));
                link rel="stylesheet" href=(assets::url("base.css"));
                // Some browsers push only to pages that were installed.
                @if page.class == "account" { link rel="manifest" href="/manifest.webmanifest"; }
                @for style in page.styles {
                    link rel="stylesheet" href=(style);
                }
                @if let Some(script) = page.script {
                    script type="module" src=(assets::url(script)) {}
                }
            }
            body class=(page.class) {
                (page.body)
            }
        }
    }
}

/// A page for an error, with a link back to the lobby.
pub fn error_page(prefs: Prefs, heading: &str, text: &str) -> Markup {
    let body = html! {
        main.error-page {
            h1 { (heading) }
            p.pre { (text) }
            p { a href="/" { "Back to the lobby" } }
        }
    };
    document(prefs, &Page { title: heading, class: "plain", styles: &[], script: None, body })
}

/// A small picture of a board in the colours of the page; `path` is its address in light ones.
pub fn themed_picture(prefs: Prefs, path: &str) -> Markup {
    let dark = format!("{path}{}tone=dark", if path.contains('?') { '&' } else { '?' });
    let image = |path: &str| html! { img src=(path) alt="" width="240" height="135" loading="lazy"; };
    match prefs.theme {
        Theme::Light => image(path),
        Theme::Dark => image(&dark),
        Theme::System => html! {
            picture { source media="(prefers-color-scheme: dark)" srcset=(dark); (image(path)) }
        },
    }
}

/// A small sign.
pub fn icon(path: &str) -> Markup {
    html! { svg.icon viewBox="0 0 16 16" aria-hidden="true" { path d=(path) {} } }
}

/// A link to a rule, which the client opens beside the board.
pub fn rule_link(game: &str, rule: &str) -> Markup {
    html! {
        @if !rule.is_empty() {
            a.rule-link href=(format!("/rules/{game}#rule-{rule}")) data-rule=(rule) aria-label=(format!("Rule {rule}")) { (rule) }
        }
    }
}

/// The settings dialog, the same on every page.
pub fn settings_dialog(prefs: Prefs) -> Markup {
    let theme = |value: &str, of: Theme, words: &str| {
        html! {
            label { input type="radio" name="theme" value=(value) checked[prefs.theme == of]; " " (words) }
        }
    };
    let check = |name: &str, on: bool, words: &str, hint: &str| {
        html! {
            label.check {
                input type="checkbox" name=(name) checked[on];
                span { (words) small { (hint) } }
            }
        }
    };
    html! {
        dialog #settings aria-labelledby="settings-title" {
            form method="post" action="/settings" {
                h2 #settings-title { "Settings" }
                fieldset {
                    legend { "Theme" }
                    (theme("system", Theme::System, "System"))
                    (theme("light", Theme::Light, "Light"))
                    (theme("dark", Theme::Dark, "Dark"))
                }
                (check("left", prefs.left_handed, "Left-handed layout", "Puts the controls on the left."))
                (check("still", prefs.still, "Reduce motion", "Pieces don't glide and dice don't tumble."))
                (check("sound", prefs.sound, "Sounds", "Dice, moves, hits, and when it is your turn."))
                (check("clear", prefs.clear_colours, "Colour-blind palette", "Blue against orange, instead of red, green and blue."))
                (check("debug", prefs.debug, "Debug drawer", "Shows the state, choices, digests and timing of a match."))
                (check("chance", !prefs.no_chance, "Win-chance bar", "Next to the choices; never shown when people play each other."))
                p.buttons {
                    button type="submit" { "Save" }
                    button type="button" data-close="" { "Cancel" }
                }
            }
        }
    }
}
