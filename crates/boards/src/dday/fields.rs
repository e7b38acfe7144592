//! The set-up of a game: scenario, seats, optional rules. Rules 16 and 19.

use dday::{DDay, SCENARIOS, Scenario};
use kernel::Options;
use maud::{Markup, html};

use super::situation::date;
use web::{BotOffer, clock_field, seat_field};

/// The scenario that is proposed.
const DEFAULT: &str = "03_villers_bocage";

/// "Villers-Bocage: right hook of the 7th Armoured".
pub fn setup_title(game: &DDay) -> String {
    let rules = game.rules();
    let name = &rules.scenario.name;
    if rules.settings.basic { format!("{name}, basic rules") } else { name.clone() }
}

/// The row and the bar of statistics.
pub fn setup_class(options: &Options) -> (String, String) {
    let word = options.get("scenario").map_or(DEFAULT, String::as_str);
    let Some(scenario) = Scenario::builtin(word) else {
        return ("Own scenario".to_owned(), "own".to_owned());
    };
    let short = scenario.name.split(':').next().unwrap_or(&scenario.name).to_owned();
    let rules = if options.get("basic").is_some_and(|value| value == "on") { "basic" } else { "full" };
    (short, rules.to_owned())
}

/// A scenario in a line: who attacks whom.
fn line(scenario: &Scenario) -> String {
    let short = scenario.name.split(':').next().unwrap_or(&scenario.name);
    format!("{short}, {}: {}", date(&scenario.date), scenario.who_attacks())
}

/// What is said about a scenario below the list: what it is about, its size, and who sits first.
fn blurb(scenario: &Scenario) -> String {
    format!(
        "{} {} turns, {} battalions. First side: {}. Second side: {}.",
        scenario.summary,
        scenario.turns,
        scenario.troops.len(),
        scenario.sides[0].name,
        scenario.sides[1].name
    )
}

/// The form. As it stands without a script it begins the default scenario.
pub fn new_game(bots: &[BotOffer]) -> Markup {
    let scenarios: Vec<_> = SCENARIOS.iter().filter_map(|(id, _)| Scenario::builtin(id)).collect();
    let default = scenarios.iter().find(|scenario| scenario.id == DEFAULT);
    html! {
        label.field {
            "Scenario "
            select name="option.scenario" data-blurbs="dday-blurb" {
                @for scenario in &scenarios {
                    option value=(scenario.id) selected[scenario.id == DEFAULT] data-blurb=(blurb(scenario)) { (line(scenario)) }
                }
            }
        }
        p.blurb #dday-blurb { @if let Some(default) = default { (blurb(default)) } }
        (seat_field(0, "First side (the Allies or the Soviet Union)", true, bots))
        (seat_field(1, "Second side (Germany)", false, bots))
        (clock_field())
        details.more {
            summary { "More settings" }
            label.field {
                "Free rerolls per side "
                input type="number" name="option.rerolls" min="0" max="20" placeholder="0";
            }
            (list("Rallying", "random_rally", &[("", "the owner picks the battalion"), ("on", "a die says who picks (19.2)")]))
            (list("Rules", "basic", &[("", "all"), ("on", "basic: no supply, engineering or night (19.3)")]))
            (list("A 10 on an assault save", "gentle_saves", &[("", "loses the battalion"), ("on", "only shatters it (19.4)")]))
            (list("Supply", "supply", &[("", "as the scenario says"), ("on", "on"), ("off", "off")]))
            (list("Questions", "orders", &[("", "rolls are confirmed, facings are preset (R61)"), ("1", "as in rules 1")]))
            (list("Fallback", "fallback", &[("", "away from the enemy (R62)"), ("along", "also along its front, as in rules 1")]))
            (list("Fire from the flank", "flanks", &[("", "counts (R63)"), ("assaults", "does not, as in rules 1")]))
            (list("Air strikes", "air_strikes", &[("", "in either combat phase (R64)"), ("own", "in one's own, as in rules 1")]))
            label.field.own-text {
                "Your own scenario (paste the file), instead of the one above "
                textarea name="option.scenario" rows="4" spellcheck="false" placeholder="schema = 1 …" {}
            }
            label.field.own-text {
                "Your own commander weights, for the bot of that name "
                textarea name="option.commander" rows="2" spellcheck="false" {}
            }
            input type="hidden" name="option.name" value="";
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
