//! The set-up of a game: which start, how many players, who sits where. Rules 5, 17 and 18.

use kernel::Options;
use maud::{Markup, html};
use triumph::Triumph;
use web::{BotOffer, clock_field, seat_field};

/// "1936, the whole game, three players".
pub fn setup_title(game: &Triumph) -> String {
    let settings = &game.rules().settings;
    let start = if settings.short { "1939, the short game" } else { "1936, the whole game" };
    let players = if settings.two_players { ", two players" } else { "" };
    let own = [&settings.actions, &settings.investments, &settings.forces].iter().any(|own| own.is_some());
    format!("{start}{players}{}", if own { ", own cards or forces" } else { "" })
}

/// The row and the bar of statistics.
pub fn setup_class(options: &Options) -> (String, String) {
    let word = |key: &str, default: &str| options.get(key).map_or(default, String::as_str).to_owned();
    let players = if word("players", "3") == "2" { "two players" } else { "three players" };
    (format!("From {}", word("start", "1936")), players.to_owned())
}

/// The form. As it stands without a script it begins the whole game for three.
pub fn new_game(bots: &[BotOffer]) -> Markup {
    html! {
        label.field {
            "Start "
            select name="option.start" data-blurbs="triumph-blurb" {
                option value="1936" selected data-blurb="Ten years from nearly unarmed peace to whatever you make of it." { "1936: the whole game" }
                option value="1939" data-blurb="Seven years: everybody has armed, Austria is German, and the Axis opens with seven plays of Diplomacy." { "1939: the short game" }
            }
        }
        p.blurb #triumph-blurb { "Ten years from nearly unarmed peace to whatever you make of it." }
        label.field {
            "Players "
            select name="option.players" {
                option value="3" selected { "three: Axis, West and USSR" }
                option value="2" { "two: the Axis against the Allies, who are West and USSR" }
            }
        }
        (seat_field(0, "Axis", true, bots))
        (seat_field(1, "West, or the Allies in a game for two", false, bots))
        (seat_field(2, "USSR, in a game for three", false, bots))
        (clock_field())
        details.more {
            summary { "Your own cards and forces" }
            (own_text("Action cards", "actions"))
            (own_text("Investment cards", "investments"))
            (own_text("Opening forces", "forces"))
        }
    }
}

fn own_text(title: &str, key: &str) -> Markup {
    html! {
        label.field.own-text {
            (title) " (paste the file) "
            textarea name={"option." (key)} rows="3" spellcheck="false" {}
        }
    }
}
