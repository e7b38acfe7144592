//! The set-up of a game: the scenario, who sits where, the options.

use kernel::{Catalogue as _, Options};
use maud::{Markup, html};
use surrender::{Faction, Surrender};
use web::{BotOffer, clock_field, seat_field};

/// The scenario that is proposed.
const DEFAULT: &str = "poland-1939";

/// "Case White, Poland 1939".
pub fn setup_title(game: &Surrender) -> String {
    game.rules().scenario().title.clone()
}

/// The row and the bar of statistics.
pub fn setup_class(options: &Options) -> (String, String) {
    let word = options.get("scenario").map_or(DEFAULT, String::as_str);
    let known = Surrender::setups().into_iter().find(|setup| setup.id == word);
    let politics = options.get("politics").map_or("free", String::as_str);
    known.map_or_else(
        || ("Own scenario".to_owned(), "own".to_owned()),
        |setup| (setup.title, politics.to_owned()),
    )
}

/// The form. As it stands without a script it begins the default scenario.
pub fn new_game(bots: &[BotOffer]) -> Markup {
    let setups = Surrender::setups();
    let blurb = |setup: &kernel::Setup| format!("{} {}. {}.", setup.about, setup.length, setup.sides);
    let default = setups.iter().find(|setup| setup.id == DEFAULT);
    html! {
        label.field {
            "Scenario "
            select name="option.scenario" data-blurbs="surrender-blurb" {
                @for setup in &setups {
                    option value=(setup.id) selected[setup.id == DEFAULT] data-blurb=(blurb(setup)) { (setup.title) }
                }
            }
        }
        p.blurb #surrender-blurb { @if let Some(default) = default { (blurb(default)) } }
        (seat_field(0, Faction::Axis.title(), true, bots))
        (seat_field(1, "Western Allies; in the East the Soviets", false, bots))
        (seat_field(2, "Soviets (only in the full war)", false, bots))
        (clock_field())
        details.more {
            summary { "More settings" }
            (list("Commit markers", "commit", &[("", "secret, as in the rules"), ("open", "open: nothing is hidden, so that hints and reviews work")]))
            (list("Politics of the full war", "politics", &[("", "free"), ("historical", "historical")]))
            (list("Dated units of the full war", "timeline", &[("", "come on their date"), ("variable", "roll for it")]))
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
