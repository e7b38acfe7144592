//! Reads the special rules of a scenario file: those with a handler into [`Hooks`], the text of all for people. Rule 30.6.

use diagnostics::Problems;
use diagnostics::datafile::{Table, Text, suggest};

use crate::ids::{City, Country, Node, UnitId};
use crate::markers::Marker;
use crate::scenario::Scenario;
use crate::scenario_names as names;
use crate::world::World;

/// Every special rule that a scenario can have. `note` has no handler and can stand as often as one likes.
const IDS: [&str; 29] = [
    "area-closed",
    "poland-alone",
    "no-activation-apr",
    "april-markers",
    "sweden-closed",
    "simple-conquest",
    "must-invade",
    "france-2-air",
    "low-countries-neutral",
    "axis-surprise",
    "forts-and-italy",
    "yugoslav-freeze",
    "alexandria-source",
    "crete",
    "minor-limits",
    "corsica-base",
    "landing-area",
    "west-first",
    "german-home-supply",
    "west-edge-supply",
    "west-edge-mobilization",
    "arctic-supply",
    "hungarian-mobilization",
    "emergency-mobilization",
    "ussr-half-june",
    "phoney-war",
    "at-war",
    "eastern-poland",
    NOTE,
];

const NOTE: &str = "note";

/// Reads all of them.
pub(crate) fn read(root: &mut Table<'_>, scenario: &mut Scenario, problems: &mut Problems) {
    let Some(tables) = root.optional("special").and_then(|value| value.tables(problems)) else { return };
    for mut table in tables {
        let Some(id) = table.text("id", problems) else { continue };
        let word = id.as_str();
        if !IDS.contains(&word) {
            let problem =
                problems.error(id.span(), format!("\"{}\" is no special rule", diagnostics::shown(word)));
            problem.expected("a special rule of 30.6, or \"note\" for a text without effect");
            suggest(problem, word, IDS);
            continue;
        }
        if word != NOTE && scenario.special.iter().any(|(known, _)| known == word) {
            problems.error(id.span(), format!("the special rule \"{word}\" stands here twice"));
        }
        let text = table.text("text", problems).map_or_else(String::new, |text| text.as_str().to_owned());
        scenario.special.push((word.to_owned(), text));
        parameters(&id, &mut table, scenario, problems);
        table.finish(problems);
    }
}

/// The parameters of a special rule. A missing or wrong one is complained about, so `None` needs no more words.
fn parameters(
    id: &Text,
    table: &mut Table<'_>,
    scenario: &mut Scenario,
    problems: &mut Problems,
) -> Option<()> {
    let hooks = &mut scenario.hooks;
    match id.as_str() {
        "area-closed" => {
            let after = turn(table, "after", problems);
            let area = table.text("disputed", problems).and_then(|text| names::disputed(&text, problems));
            hooks.area_closed = Some((after?, area?));
        }
        "no-activation-apr" => {
            hooks.no_activation =
                Some((turn(table, "turn", problems)?, countries(table, "countries", problems)));
        }
        "april-markers" => {
            let value = table.required("markers", "a list of markers", problems);
            let markers = names::list(value, problems, names::marker);
            only_in(scenario, turn(table, "turn", problems)?, &markers);
        }
        "axis-surprise" => only_in(scenario, turn(table, "turn", problems)?, &[Marker::SurpriseAttack]),
        "simple-conquest" => simple_conquest(table, scenario, problems)?,
        "must-invade" => {
            hooks.must_invade =
                Some((turn(table, "turn", problems)?, countries(table, "countries", problems)));
        }
        "france-2-air" => {
            let unit = air_unit(table, problems);
            hooks.france_air = Some((turn(table, "turn", problems)?, unit?));
        }
        "low-countries-neutral" => hooks.low_countries = countries(table, "countries", problems),
        "forts-and-italy" => {
            let country = country(table, problems);
            hooks.joins_axis = Some((country?, turn(table, "from", problems)?));
        }
        "yugoslav-freeze" => {
            let country = country(table, problems);
            hooks.freeze = Some((turn(table, "turn", problems)?, country?));
        }
        "alexandria-source" => hooks.uk_source = Some(city(table, problems)?),
        "minor-limits" => {
            let units_of = countries(table, "units_of", problems);
            hooks.minor_limits = Some((units_of, countries(table, "inside", problems)));
        }
        "corsica-base" => hooks.west_base = Some(city(table, problems)?),
        "landing-area" => {
            let value = table.required("zones", "a list of Sea Zones", problems);
            let zones = value.and_then(|value| value.integers(&(1..=33_u8), problems))?;
            let zones = zones.into_iter().fold(0, |set, number| set | Node::zone(number).bit());
            hooks.landing_area = Some((turn(table, "until", problems)?, zones));
        }
        "west-first" => hooks.west_first = Some(turn(table, "turn", problems)?),
        "west-edge-supply" => hooks.edge_supply = true,
        "west-edge-mobilization" => hooks.edge_mobilization = true,
        "arctic-supply" => hooks.axis_limited = Some(city(table, problems)?),
        "emergency-mobilization" => {
            let count = table.integer("count", 1..=20_u8, problems);
            hooks.emergency = Some((turn(table, "turn", problems)?, count?));
        }
        "ussr-half-june" => {
            let country = country(table, problems);
            hooks.half_points = Some((turn(table, "turn", problems)?, country?));
        }
        "eastern-poland" => {
            table.text("disputed", problems).and_then(|text| names::disputed(&text, problems))?;
        }
        _ => {}
    }
    Some(())
}

/// Markers of the Axis that are offered in one turn only; two rules may name some.
fn only_in(scenario: &mut Scenario, turn: u8, markers: &[Marker]) {
    let (_, known) = scenario.hooks.marker_turn.get_or_insert((turn, Vec::new()));
    known.extend(markers);
}

fn turn(table: &mut Table<'_>, key: &'static str, problems: &mut Problems) -> Option<u8> {
    names::turn(&table.text(key, problems)?, problems)
}

fn country(table: &mut Table<'_>, problems: &mut Problems) -> Option<Country> {
    names::country(&table.text("country", problems)?, problems)
}

fn city(table: &mut Table<'_>, problems: &mut Problems) -> Option<City> {
    names::city(&table.text("city", problems)?, problems)
}

fn countries(table: &mut Table<'_>, key: &'static str, problems: &mut Problems) -> u32 {
    let value = table.required(key, "a list of countries", problems);
    names::country_set(value, problems)
}

/// The air unit that the West places.
fn air_unit(table: &mut Table<'_>, problems: &mut Problems) -> Option<UnitId> {
    let text = table.text("unit", problems)?;
    let unit = names::unit(&text, problems)?;
    if !World::get().unit(unit).kind.is_air() {
        problems.error(text.span(), format!("{} is no air unit", text.as_str())).expected("an air unit");
        return None;
    }
    Some(unit)
}

/// Countries that fall when all their listed cities are the Axis's.
fn simple_conquest(table: &mut Table<'_>, scenario: &mut Scenario, problems: &mut Problems) -> Option<()> {
    let cities = table.table("cities", problems)?;
    for (word, span, value) in cities.entries() {
        let country = names::named(word, span, "country", Country::of_id(word), Country::IDS, problems);
        let texts = value.texts(problems).unwrap_or_default();
        let mut list = Vec::new();
        for text in &texts {
            let Some(city) = names::city(text, problems) else { continue };
            if country.is_some_and(|country| World::get().city(city).country != country) {
                problems.error(text.span(), format!("{} is no city of {word}", text.as_str()));
            }
            list.push(city);
        }
        if texts.is_empty() {
            problems.error(value.span(), "no city stands here").expected("at least one city");
        }
        if let Some(country) = country {
            scenario.hooks.simple_conquest.push((country, list));
        }
    }
    Some(())
}
