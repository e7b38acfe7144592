//! The set-up of a game: board, opponent, and the dials of the bot. Rules 2.3, 8.3, 10.7.

use blitz::settings::BoardKind;
use blitz::units::Side;
use blitz::{Blitz, Rules};
use kernel::Options;
use maud::{Markup, html};

use web::{BotOffer, clock_field, seat_field};

/// The class of a board: which colours the sides have.
pub const fn board_class(rules: &Rules) -> &'static str {
    match rules.settings.board {
        BoardKind::Base => "base",
        BoardKind::Nippon => "nippon",
    }
}

/// "Two players", "Against the bot, Medium", "Nippon, against the bot".
pub fn setup_title(game: &Blitz) -> String {
    let settings = &game.rules().settings;
    let level = settings.solo.map(|solo| capital(solo.difficulty.word()));
    match (settings.board, level.as_deref()) {
        (BoardKind::Base, None) => "Blitzkrieg!: two players".to_owned(),
        (BoardKind::Nippon, None) => "Nippon: two players".to_owned(),
        (BoardKind::Base, Some(level)) => format!("Against the bot, {level}"),
        (BoardKind::Nippon, Some("Standard")) => "Nippon, against the bot".to_owned(),
        (BoardKind::Nippon, Some(level)) => format!("Nippon, against the bot, {level}"),
    }
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The row and the bar of statistics.
pub fn setup_class(options: &Options) -> (String, String) {
    let is = |key: &str, word: &str| options.get(key).is_some_and(|value| value == word);
    let board = if is("board", "nippon") { "Nippon" } else { "Five theatres" };
    let level = match options.get("difficulty") {
        Some(level) => capital(level),
        None if is("board", "nippon") => "Standard".to_owned(),
        None => "Medium".to_owned(),
    };
    let opponent = if is("mode", "solo") { format!("bot, {level}") } else { "two players".to_owned() };
    (board.to_owned(), opponent)
}

/// The form. Fields that are only for one mode or board lie in sets that the lobby's script switches (`data-when`). As it
/// stands without a script it makes a game against the bot on either board: an empty difficulty is the default one.
pub fn new_game(bots: &[BotOffer]) -> Markup {
    html! {
        fieldset.sides {
            legend { "The board" }
            (card("option.board", "base", "Five theatres", "Axis against Allies.", true))
            (card("option.board", "nippon", "Nippon", "Japan against the Axis, fifteen cities of America.", false))
        }
        fieldset.sides {
            legend { "The opponent" }
            (card("option.mode", "solo", "Alone, against the solo bot", "Its units are visible; its moves follow a fixed procedure.", true))
            (card("option.mode", "two_player", "Another player", "Reserves are hidden. A friend or a bot.", false))
        }
        fieldset.plain data-when="option.mode=solo" {
            label.field.first-game {
                input type="checkbox" name="option.stratagems" value="off";
                span { "First game without stratagems: the bot then follows the same steps every turn" }
            }
        }
        fieldset.plain data-when="option.mode=solo option.board=base" {
            (level(&[("easy", "Easy"), ("", "Medium"), ("hard", "Hard"), ("veteran", "Veteran: hard, plus 2 VP"),
                ("elite", "Elite: hard, plus 3 VP and one space everywhere")], 1))
        }
        fieldset.plain data-when="option.mode=solo option.board=nippon" disabled hidden {
            (level(&[("", "Standard"), ("veteran", "Veteran: 2 VP ahead"), ("elite", "Elite: 3 VP and one space everywhere")], 0))
        }
        fieldset.plain data-when="option.mode=two_player" disabled hidden {
            (seat(Side::First, "Moves first: Axis (in Nippon Japan)", bots))
            (seat(Side::Second, "Moves last: Allies (in Nippon the Axis)", bots))
            (clock_field())
        }
        details.more {
            summary { "More settings" }
            (list("Special weapons", "printing", &[("", "16, as in 2019"), ("2021", "18, as in 2021; two of them are our own")]))
            fieldset.plain data-when="option.mode=solo" {
                label.field { "VP for the bot at the start " input type="number" name="option.extra_vp" min="0" max="10" placeholder="0"; }
                label.field { "Spaces for the bot on every track " input type="number" name="option.extra_tracks" min="0" max="5" placeholder="0"; }
                (list("A bombed bot unit goes", "bombed_unit_goes_to",
                    &[("", "back where it came from"), ("research_pile", "to the research pile")]))
            }
        }
    }
}

/// A large choice between two.
fn card(name: &str, value: &str, title: &str, about: &str, first: bool) -> Markup {
    html! {
        label.side data-side=(if first { "allied" } else { "axis" }) {
            input type="radio" name=(name) value=(value) checked[first];
            span { b { (title) } small { (about) } }
        }
    }
}

fn level(levels: &[(&str, &str)], default: usize) -> Markup {
    html! {
        label.field {
            "Difficulty "
            select name="option.difficulty" {
                @for (at, (word, title)) in levels.iter().enumerate() { option value=(word) selected[at == default] { (title) } }
            }
        }
    }
}

fn list(title: &str, key: &str, words: &[(&str, &str)]) -> Markup {
    html! {
        label.field {
            (title) " "
            select name={"option." (key)} { @for (word, words) in words { option value=(word) { (words) } } }
        }
    }
}

/// Who plays which side: the creator is preselected for the side that moves last, as in the solo game.
fn seat(side: Side, title: &str, bots: &[BotOffer]) -> Markup {
    seat_field(side.index(), title, side == Side::Second, bots)
}
