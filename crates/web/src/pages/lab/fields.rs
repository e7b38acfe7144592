//! The form for a batch.

use kernel::Options;
use lab::{OptionValue, Order, Subject, TextKind};
use maud::{Markup, html};

use super::framed;
use crate::laboratory::{MOST_GAMES, MOST_TEXT};
use crate::lobby::LobbyError;
use crate::opponents::bot_name;
use crate::prefs::Prefs;
use crate::title::Title;

/// How many games a form proposes.
pub(super) const GAMES: u64 = 1_000;

/// The page. `setup` is the id of a card, `like` what the batch is begun like.
pub fn page(
    prefs: Prefs,
    title: &dyn Title,
    setup: &str,
    like: Option<&Order>,
) -> Result<Markup, LobbyError> {
    let subject = title.subject();
    let card = title.setups().iter().find(|card| card.id == setup).or(title.setups().first());
    let nothing = Options::new();
    let options = like.map_or_else(|| card.map_or(&nothing, |card| &card.options), |like| &like.options);
    let seats = seats(&*subject, options, like)?;
    let chosen = if like.is_some() { None } else { card.map(|card| card.id.as_str()) };
    let main = html! {
        main.lab.ask {
            form.order method="post" action="/lab/batches" data-game=(title.id()) {
                input type="hidden" name="game" value=(title.id());
                section.card aria-labelledby="way-title" {
                    h2 #way-title { "What is played" }
                    (way(title, &*subject, "", chosen, like.map(|like| &like.options)))
                }
                section.card aria-labelledby="who-title" {
                    h2 #who-title { "Who plays" }
                    (seats)
                    (numbers(like))
                    p.buttons { button.go type="submit" { "Start" } }
                    p.trouble role="alert" hidden {}
                }
                section.card.broad aria-labelledby="other-title" {
                    h2 #other-title { "Compare with a second way" }
                    label.check {
                        input type="checkbox" name="compare" value="yes" checked[like.is_some_and(|like| like.other.is_some())];
                        span { "Play each game twice with the same dice: once as above, and once as here. "
                            small { "Games that the change does not touch go alike, so small changes show in few games." } }
                    }
                    div.second { (way(title, &*subject, "b.", None, like.and_then(|like| like.other.as_ref()))) }
                }
            }
        }
    };
    Ok(framed(prefs, &format!("New batch: {}", title.name()), &main))
}

/// How one way is set up. The second one may leave everything as it is in the first.
fn way(
    title: &dyn Title,
    subject: &dyn Subject,
    way: &str,
    chosen: Option<&str>,
    like: Option<&Options>,
) -> Markup {
    let is_second = way == "b.";
    let texts = subject.texts();
    let value = |key: &str| like.and_then(|like| like.get(key)).filter(|value| !value.contains('\n'));
    html! {
        @if !title.setups().is_empty() {
            div.line {
                label for={(way) "setup"} { "Set-up" }
                select id={(way) "setup"} name={(way) "setup"} data-setup[!is_second] {
                    @if is_second { option value="" { "the same" } }
                    @else if chosen.is_none() { option value="" selected { "as in the options below" } }
                    @for card in title.setups() {
                        option value=(card.id) selected[chosen == Some(card.id.as_str())] { (card.title) @if !card.length.is_empty() { " · " (card.length) } }
                    }
                }
            }
        }
        details open[like.is_some() && !is_second] {
            summary { "Options" }
            p.aside { "What is left empty is as the set-up has it." }
            div.options {
                @for (key, about) in subject.option_help().iter().filter(|(key, _)| subject.option_value(key) != OptionValue::File) {
                    div.line {
                        label for={(way) "option-" (key)} { (key) }
                        input id={(way) "option-" (key)} name={(way) "option." (key)} value=[value(key)] maxlength="200" autocomplete="off"
                            aria-describedby={(way) "about-" (key)};
                        small id={(way) "about-" (key)} { (about) }
                    }
                }
            }
        }
        @for kind in &texts {
            @let own = like.and_then(|like| like.get(kind.key)).filter(|text| text.contains('\n'));
            details open[own.is_some()] {
                summary { "Your own " (kind.key) }
                (text_field(title, kind, way, own.map_or("", String::as_str)))
            }
        }
    }
}

/// A field for a text, beside which its mistakes are shown.
pub(super) fn text_field(title: &dyn Title, kind: &TextKind, way: &str, text: &str) -> Markup {
    let id = format!("{way}text-{}", kind.key);
    html! {
        div.writing data-check="/lab/check" data-game=(title.id()) data-kind=(kind.key) {
            div.paper {
                label for=(id) { "The text: " (kind.about) }
                div.sheet {
                    div.gutter aria-hidden="true" {}
                    textarea id=(id) name={(way) "text." (kind.key)} rows="14" maxlength=(MOST_TEXT) spellcheck="false" autocapitalize="off"
                        autocomplete="off" wrap="off" aria-describedby={(id) "-found"} { "\n" (text) }
                }
            }
            div.findings id={(id) "-found"} role="status" aria-live="polite" { p.aside { "It is checked as you write." } }
        }
    }
}

/// The bots by seat, for the seats of a set-up.
pub(super) fn seats(
    subject: &dyn Subject,
    options: &Options,
    like: Option<&Order>,
) -> Result<Markup, LobbyError> {
    let seats = subject.seats(options).map_err(LobbyError::Bad)?;
    let bots = subject.bots();
    let chosen = |at: usize| {
        like.and_then(|like| like.bots.get(at).or(like.bots.last())).map_or("greedy", String::as_str)
    };
    Ok(html! {
        div.seats #seats {
            @for (at, seat) in seats.iter().enumerate() {
                div.line {
                    label for={"seat-" (at)} { (seat.title) }
                    select id={"seat-" (at)} name={"seat." (at)} {
                        @for (word, about) in &bots {
                            option value=(word) selected[chosen(at) == *word] { (bot_name(word)) ": " (plain(about)) }
                        }
                    }
                }
            }
        }
    })
}

/// What is said of a bot, without its level, which stands in its name.
fn plain(about: &str) -> &str {
    about.strip_prefix("Level ").and_then(|rest| Some(rest.split_once(": ")?.1)).unwrap_or(about)
}

/// How many games, and the seed of their dice.
pub(super) fn numbers(like: Option<&Order>) -> Markup {
    html! {
        div.numbers {
            div.line {
                label for="games" { "Games" }
                input #games name="games" type="number" min="1" max=(MOST_GAMES) value=(like.map_or(GAMES, |like| like.games)) list="amounts" required;
                datalist #amounts { @for amount in [100, 1_000, 10_000, 100_000] { option value=(amount) {} } }
            }
            div.line {
                label for="seed" { "Seed" }
                input #seed name="seed" type="number" min="0" value=(like.map_or(1, |like| like.seed)) required;
            }
        }
        p.aside { "The same seed gives the same games. Captain and the levels above think about each choice, so their games take a "
            "thousand times as long: begin with a hundred." }
    }
}
