//! Reads scenarios: ours, and the text of a user's own file. Rules 30.1 to 30.4. Whatever is wrong with a file is said with
//! line and column, all of it at once.

use std::sync::LazyLock;

use diagnostics::Problems;
use diagnostics::datafile::{Document, Table, any_of, refuse_huge};

use crate::ids::{COUNTRIES, Country, Faction, Node, Place};
use crate::scenario::{By, Scenario, VictoryLine, Winner};
use crate::scenario_names as names;
use crate::tables::Weather;
use crate::victory::LEVELS;
use crate::world::{NO_AREA, World};
use crate::{scenario_hooks, scenario_politics, scenario_units, scenario_verify, victory_test};

/// Our scenarios in the order of the rulebook.
pub(crate) const SCENARIOS: [(&str, &str); 7] = [
    ("poland-1939", include_str!("../data/scenarios/poland-1939.toml")),
    ("scandinavia-1940", include_str!("../data/scenarios/scandinavia-1940.toml")),
    ("france-1940", include_str!("../data/scenarios/france-1940.toml")),
    ("balkans-1941", include_str!("../data/scenarios/balkans-1941.toml")),
    ("ussr-1941", include_str!("../data/scenarios/ussr-1941.toml")),
    ("france-1944", include_str!("../data/scenarios/france-1944.toml")),
    ("main-event-1939", include_str!("../data/scenarios/main-event-1939.toml")),
];

static BUILTIN: LazyLock<Vec<Scenario>> = LazyLock::new(|| {
    let read_one = |(id, text): &(&str, &str)| match read(&format!("{id}.toml"), text) {
        Ok((scenario, _)) => Scenario { text: String::new(), ..scenario },
        Err(problems) => panic!("a built-in scenario of Unconditional Surrender! is broken:\n{problems}"),
    };
    SCENARIOS.iter().map(read_one).collect()
});

/// Our scenarios, read once.
pub(crate) fn builtin() -> &'static [Scenario] {
    &BUILTIN
}

/// The scenario of an option: the id of one of ours, or the text of a file.
pub fn chosen(option: &str) -> Result<Scenario, String> {
    if let Some(scenario) = builtin().iter().find(|scenario| scenario.id == option.trim()) {
        return Ok(scenario.clone());
    }
    if option.contains(['=', '\n']) {
        return read("scenario", option)
            .map(|(scenario, _)| scenario)
            .map_err(|problems| problems.to_string());
    }
    let ids = SCENARIOS.map(|(id, _)| id);
    let near =
        diagnostics::nearest(option, ids).map_or_else(String::new, |id| format!("; did you mean {id}?"));
    let shown = diagnostics::shown(option);
    Err(format!(
        "there is no scenario {shown:?}; there are {}, or the text of a file of your own{near}",
        any_of(&ids)
    ))
}

/// Reads a scenario; warnings stand in the problems.
pub(crate) fn read(name: &str, text: &str) -> Result<(Scenario, Problems), Problems> {
    if let Some(problems) = refuse_huge(name, text) {
        return Err(problems);
    }
    let mut problems = Problems::new(name, text);
    let mut scenario =
        Scenario { text: text.to_owned(), playable: vec![false; crate::ids::LANDS], ..Scenario::blank() };
    if let Some(document) = Document::parse(text, &mut problems) {
        let mut root = document.root();
        fill(&mut root, &mut scenario, &mut problems);
        root.finish(&mut problems);
    }
    if problems.has_errors() { Err(problems) } else { Ok((scenario, problems)) }
}

fn fill(root: &mut Table<'_>, scenario: &mut Scenario, problems: &mut Problems) {
    let text = |root: &mut Table<'_>, key, problems: &mut Problems| {
        root.text(key, problems).map_or_else(String::new, |text| text.as_str().to_owned())
    };
    scenario.id = text(root, "id", problems);
    scenario.title = text(root, "title", problems);
    if let Some(number) = root.optional("number").and_then(|value| value.text(problems)) {
        number.as_str().clone_into(&mut scenario.number);
    }
    factions(root, scenario, problems);
    turns(root, scenario, problems);
    countries(root, scenario, problems);
    area(root, scenario, problems);
    waters(root, scenario, problems);
    weather(root, scenario, problems);
    for (key, flag) in [
        ("strategic_warfare", &mut scenario.strategic_warfare),
        ("diplomacy", &mut scenario.diplomacy),
        ("declare_war", &mut scenario.declare_war),
    ] {
        *flag = root.optional(key).and_then(|value| value.boolean(problems)).unwrap_or(false);
    }
    policies(root, scenario, problems);
    figures(root, scenario, problems);
    scenario_units::markers(root, scenario, problems);
    scenario.country_setup = names::country_set(root.optional("use_country_setup"), problems);
    scenario_units::control(root, scenario, problems);
    scenario_units::forts(root, scenario, problems);
    scenario.west_edge = names::list(root.optional("west_edge_hexes"), problems, names::place);
    let before = scenario.west_edge.len();
    scenario.west_edge.retain(|place| place.is_hex());
    if scenario.west_edge.len() < before {
        problems.error(root.span(), "a box can't be a hex of the western edge").expected("hexes");
    }
    scenario_politics::read(root, scenario, problems);
    scenario_hooks::read(root, scenario, problems);
    let entries = scenario_units::units(root, scenario, problems);
    scenario_verify::placements(scenario, &entries, problems);
    scenario_verify::whole(scenario, root.span(), problems);
    victory(root, scenario, problems);
    if let Some(ranking) = root.optional("allied_ranking").and_then(|value| value.text(problems)) {
        scenario.ranked = true;
        scenario.special.push(("allied-ranking".to_owned(), ranking.as_str().to_owned()));
    }
}

fn factions(root: &mut Table<'_>, scenario: &mut Scenario, problems: &mut Problems) {
    let Some(value) = root.required("factions", "a list of factions", problems) else { return };
    let known = Faction::ALL.map(Faction::word);
    let Some(mut factions) = value.words(&known, Faction::of_word, problems) else { return };
    factions.sort_unstable();
    let listed = factions.len();
    factions.dedup();
    if factions.len() < listed || listed < 2 || !factions.contains(&Faction::Axis) {
        problems
            .error(value.span(), "this is no war of factions")
            .expected("axis and at least one of western and soviet, each once");
        return;
    }
    scenario.factions = factions;
}

fn turns(root: &mut Table<'_>, scenario: &mut Scenario, problems: &mut Problems) {
    let first = root.text("first_turn", problems).and_then(|text| names::turn(&text, problems));
    let text = root.text("last_turn", problems);
    let last = text.as_ref().and_then(|text| names::turn(text, problems));
    if let (Some(first), Some(last), Some(text)) = (first, last, text) {
        if last < first {
            problems.error(text.span(), "the last turn comes before the first").expected("a later month");
        }
        (scenario.first, scenario.last) = (first, last);
    }
}

fn countries(root: &mut Table<'_>, scenario: &mut Scenario, problems: &mut Problems) {
    let Some(table) = root.table("countries", problems) else { return };
    for (word, span, value) in table.entries() {
        let known = Faction::ALL.map(Faction::word);
        let faction = names::named(word, span.clone(), "faction", Faction::of_word(word), known, problems);
        for text in value.texts(problems).unwrap_or_default() {
            let Some(country) = names::country(&text, problems) else { continue };
            let entry = &mut scenario.active[country.index()];
            if entry.is_some() {
                problems.error(text.span(), format!("{} belongs to a faction already", country.id()));
            }
            if country == Country::VIC {
                problems.error(text.span(), "Vichy France comes from the conquest of France only (13.4)");
            }
            *entry = faction;
        }
        if let Some(faction) = faction
            && !scenario.factions.contains(&faction)
        {
            problems
                .error(span, format!("the faction \"{word}\" does not play"))
                .expected("a faction of \"factions\"");
        }
    }
    for faction in &scenario.factions {
        if !scenario.active.contains(&Some(*faction)) {
            let what = format!("the faction \"{}\" has no country", faction.word());
            problems.error(table.span(), what).expected("at least one country for each faction");
        }
    }
}

/// `playable_area`: a hex is in play if any entry matches all its keys.
fn area(root: &mut Table<'_>, scenario: &mut Scenario, problems: &mut Problems) {
    let world = World::get();
    let Some(tables) = root.tables("playable_area", problems) else { return };
    for mut table in tables {
        let country = table.optional("country").map(|value| names::country(&value.text(problems)?, problems));
        let area = table.optional("area").map(|value| {
            let text = value.text(problems)?;
            let found = world.areas.iter().position(|area| area.id == text.as_str()).map(|at| at as u8);
            let found = found.or_else(|| (text.as_str() == "main").then_some(NO_AREA));
            let known = world.areas.iter().map(|area| area.id.as_str()).chain(["main"]);
            names::named(text.as_str(), text.span(), "Area", found, known, problems)
        });
        let city = table.optional("city").map(|value| names::city(&value.text(problems)?, problems));
        let mut degrees = |key| table.optional(key).map(|value| value.hundredths(-9000..=9000_i16, problems));
        let (south, north) = (degrees("min_lat"), degrees("max_lat"));
        let (west, east) = (degrees("min_lon"), degrees("max_lon"));
        let any = table.optional("any").map(|value| value.boolean(problems));
        table.finish(problems);
        let limits = [south, north, west, east];
        if country.is_none()
            && area.is_none()
            && city.is_none()
            && any != Some(Some(true))
            && limits == [None; 4]
        {
            problems
                .error(table.span(), "this entry names no hexes")
                .expected("a country, a city, degrees, or any = true");
            continue;
        }
        let mut hexes = 0;
        for hex in Place::hexes() {
            let info = world.hex(hex);
            let is_meant = country.is_none_or(|country| country == Some(info.country))
                && area.is_none_or(|area| area == Some(info.area))
                && city.is_none_or(|city| city == Some(info.city))
                && south.is_none_or(|limit| limit.is_some_and(|limit| limit <= info.lat))
                && north.is_none_or(|limit| limit.is_some_and(|limit| info.lat <= limit))
                && west.is_none_or(|limit| limit.is_some_and(|limit| limit <= info.lon))
                && east.is_none_or(|limit| limit.is_some_and(|limit| info.lon <= limit));
            scenario.playable[hex.index()] |= is_meant;
            hexes += usize::from(is_meant);
        }
        if hexes == 0 && !problems.has_errors() {
            problems.warn(table.span(), "no hex of the map matches this entry");
        }
    }
}

fn waters(root: &mut Table<'_>, scenario: &mut Scenario, problems: &mut Problems) {
    let zones = root.optional("playable_zones").and_then(|value| value.integers(&(1..=33_u8), problems));
    scenario.nodes = crate::tables::zone_set(zones.unwrap_or_default());
    let words = ["ENA", "WIO", "CRU"];
    let find = |word: &str| words.iter().position(|known| *known == word);
    let boxes = root.optional("playable_boxes").and_then(|value| value.words(&words, find, problems));
    let boxes = boxes.unwrap_or_default();
    for (at, node) in [Node::ENA, Node::WIO].into_iter().enumerate() {
        scenario.nodes |= if boxes.contains(&at) { node.bit() } else { 0 };
    }
    scenario.russia = boxes.contains(&2);
}

fn weather(root: &mut Table<'_>, scenario: &mut Scenario, problems: &mut Problems) {
    if let Some(value) = root.optional("weather") {
        let _ = value.word(&["roll"], |word| (word == "roll").then_some(()), problems);
    }
    let Some(mut table) = root.optional("first_turn_weather").and_then(|value| value.table(problems)) else {
        return;
    };
    let mut weather = [Weather::Fair; 3];
    for (zone, key) in ["cold", "mild", "warm"].into_iter().enumerate() {
        let find = |word: &str| match word {
            "F" => Some(Weather::Fair),
            "P" => Some(Weather::Poor),
            "S" => Some(Weather::Severe),
            _ => None,
        };
        weather[zone] = table.word(key, &["F", "P", "S"], find, problems).unwrap_or(Weather::Fair);
    }
    table.finish(problems);
    scenario.first_weather = Some(weather);
}

/// Whether the two policies are in force. Appeasement has ended in every scenario (10.2).
fn policies(root: &mut Table<'_>, scenario: &mut Scenario, problems: &mut Problems) {
    let Some(mut table) = root.optional("policies").and_then(|value| value.table(problems)) else { return };
    if let Some(value) = table.optional("appeasement")
        && value.boolean(problems) == Some(true)
    {
        problems.error(value.span(), "Appeasement has ended in every scenario (10.2)").expected("false");
    }
    if let Some(pact) = table.optional("nazi-soviet-pact").and_then(|value| value.boolean(problems)) {
        scenario.pact = pact;
    }
    table.finish(problems);
}

/// Production, National Will, Fac Lost.
fn figures(root: &mut Table<'_>, scenario: &mut Scenario, problems: &mut Problems) {
    let expected = "\"computed\", or points for each country";
    if let Some(value) = root.required("production", expected, problems) {
        if value.is_table() {
            let mut points = [0; COUNTRIES];
            by_country(&value, 0..=199, problems, |country, number| points[country.index()] = number);
            scenario.production = Some(points);
        } else {
            let _ = value.word(&["computed"], |word| (word == "computed").then_some(()), problems);
        }
    }
    if let Some(value) = root.optional("national_will") {
        if value.is_table() {
            by_country(&value, 1..=199, problems, |country, number| scenario.will[country.index()] = number);
        } else {
            let same = "countries.toml";
            let _ = value.word(&[same], |word| (word == same).then_some(()), problems);
        }
    }
    if let Some(mut table) = root.optional("fac_lost").and_then(|value| value.table(problems)) {
        let (least, most) = World::get().tables.fac_lost_range;
        for (at, key) in ["GER", "UK", "USSR"].into_iter().enumerate() {
            if let Some(number) = table.optional(key).and_then(|value| value.integer(least..=most, problems))
            {
                scenario.fac_lost[at] = number;
            }
        }
        table.finish(problems);
    }
}

/// A number for each country of a table.
fn by_country(
    value: &diagnostics::datafile::Value<'_>,
    range: std::ops::RangeInclusive<i16>,
    problems: &mut Problems,
    mut set: impl FnMut(Country, i16),
) {
    let Some(table) = value.table(problems) else { return };
    for (word, span, value) in table.entries() {
        let country = names::named(word, span, "country", Country::of_id(word), Country::IDS, problems);
        let number = value.integer(range.clone(), problems);
        if let (Some(country), Some(number)) = (country, number) {
            set(country, number);
        }
    }
}

fn victory(root: &mut Table<'_>, scenario: &mut Scenario, problems: &mut Problems) {
    let Some(value) = root.required("victory", "a list of levels", problems) else { return };
    let Some(tables) = value.tables(problems) else { return };
    if tables.is_empty() || tables.len() > 60 {
        problems.error(value.span(), format!("{} lines", tables.len())).expected("1 to 60 lines");
    }
    let words = LEVELS.map(|(word, ..)| word);
    for mut table in tables {
        let find =
            |word: &str| LEVELS.iter().find(|(known, ..)| *known == word).map(|(word, who, _)| (*word, *who));
        let level = table.word("level", &words, find, problems);
        let by = table.text("by", problems).and_then(|text| match text.as_str() {
            "end" => Some(By::End),
            "any" => Some(By::Any),
            _ => names::turn(&text, problems).map(By::Turn),
        });
        let test = table.text("test", problems).and_then(|text| victory_test::parse(&text, problems));
        table.finish(problems);
        let (Some((level, winner)), Some(by), Some(test)) = (level, by, test) else { continue };
        let plays = match winner {
            Winner::Faction(faction) => scenario.factions.contains(&faction),
            Winner::Allied => scenario.factions.len() == Faction::ALL.len(),
            Winner::Draw => true,
        };
        if !plays {
            problems.error(table.span(), format!("nobody who plays could win by \"{level}\""));
        }
        scenario.victory.push(VictoryLine { level: level.to_owned(), winner, by, test });
    }
}

#[cfg(test)]
#[path = "scenario_file_tests.rs"]
mod tests;
