//! The set-up of a game: edition and spread.

use echoes::spreads::Spreads;
use echoes::{Ask, Echoes, Edition};
use kernel::{Game as _, Options};
use maud::{Markup, html};

/// "Allied edition, 4 Rising Sun, Long Shadow".
pub fn setup_title(game: &Echoes) -> String {
    let options = game.options();
    let edition = edition_title(&options);
    let number = options.get("spread").map_or("1", String::as_str);
    let own = options.contains_key("spreads");
    let spread = number.parse().ok().filter(|_| !own).and_then(|n| Spreads::builtin().get(n));
    match spread {
        Some(spread) => format!("{edition}: {} {}", spread.n, spread.title),
        None => format!("{edition}: own spread {number}"),
    }
}

fn edition_title(options: &Options) -> String {
    match options.get("edition").map(String::as_str) {
        Some("axis") => "Axis edition".to_owned(),
        Some(_) => "Allied edition".to_owned(),
        None => "Own book".to_owned(),
    }
}

/// The row and the bar of statistics.
pub fn setup_class(options: &Options) -> (String, String) {
    let spread = options.get("spread").map_or("1", String::as_str);
    let title = spread.parse().ok().filter(|_| !options.contains_key("spreads"));
    let title = title.and_then(|n| Spreads::builtin().get(n)).map_or("own", |spread| spread.title.as_str());
    (edition_title(options), format!("{spread:0>2} {title}"))
}

/// When the human is asked, in words. Rule 2.5.8.
const fn ask_words(ask: Ask) -> &'static str {
    match ask {
        Ask::Always => "always, also before a roll",
        Ask::Change => "only when a result would change",
        Ask::Request => "only when I ask for it",
    }
}

/// The form: which side, which spread, when to ask.
pub fn new_game() -> Markup {
    let side = |edition: Edition, title: &str, about: &str, first: bool| {
        html! {
            label.side data-side=(edition.word()) {
                input type="radio" name="option.edition" value=(edition.word()) checked[first];
                span { b { (title) } small { (about) } }
            }
        }
    };
    html! {
        fieldset.sides {
            legend { "You lead" }
            (side(Edition::Allied, "The Allies", "Hold in 1940, win by 1945. The book plays the Axis.", true))
            (side(Edition::Axis, "The Axis", "Strike early, then hold on. The book plays the Allies.", false))
        }
        p.opponent { "Opponent: the book, which plays the other side by its own rules." }
        label.field {
            "Spread "
            select name="option.spread" data-blurbs="spread-blurb" {
                @for spread in Spreads::builtin().list() {
                    option value=(spread.n) data-blurb=(spread.blurb) { (spread.n) ". " (spread.title) }
                }
            }
        }
        p.blurb #spread-blurb {
            @if let Some(first) = Spreads::builtin().list().first() { (first.blurb) }
        }
        label.field {
            "Ask about the Tide of War "
            select name="option.ask" {
                @for ask in [Ask::Change, Ask::Always, Ask::Request] {
                    option value=(ask.word()) { (ask_words(ask)) }
                }
            }
        }
    }
}
