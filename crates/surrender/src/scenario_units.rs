//! Reads who stands where in a scenario file: units, markers, control, forts. Rules 30.1 to 30.3.

use diagnostics::Problems;
use diagnostics::datafile::Table;

use crate::ids::Place;
use crate::markers::{Marker, Owner};
use crate::scenario::{Ground, Placement, Reinforcement, Scenario};
use crate::scenario_names as names;
use crate::scenario_verify::Entry;
use crate::state::{Supply, WALLS};
use crate::world::World;

/// The word that stands for the Mobilization Box.
const BOX: &str = "mobilization";

/// The set-up, the Mobilization Boxes and the reinforcements; every entry is returned to be verified.
pub(crate) fn units(root: &mut Table<'_>, scenario: &mut Scenario, problems: &mut Problems) -> Vec<Entry> {
    let mut entries = Vec::new();
    for mut table in root.optional("setup").and_then(|value| value.tables(problems)).unwrap_or_default() {
        let unit = unit(&mut table, problems, true);
        table.finish(problems);
        if let Some(unit) = unit {
            scenario.setup.push(unit);
            entries.push(Entry { unit, span: table.span(), is_set_up: true });
        }
    }
    let pool = root.optional("mobilization_box").and_then(|value| value.texts(problems)).unwrap_or_default();
    for text in pool {
        if let Some(unit) = names::unit(&text, problems) {
            scenario.pool.push(unit);
            let unit = Placement { unit, place: Place::POOL, level: 0, supply: Supply::Full };
            entries.push(Entry { unit, span: text.span(), is_set_up: false });
        }
    }
    for mut table in
        root.optional("reinforcements").and_then(|value| value.tables(problems)).unwrap_or_default()
    {
        let turn = table.text("turn", problems).and_then(|text| {
            let turn = names::turn(&text, problems)?;
            if turn < scenario.first || turn > scenario.last {
                problems.error(text.span(), "this month is not played").expected("a month of the scenario");
            }
            Some(turn)
        });
        let unit = unit(&mut table, problems, false);
        table.finish(problems);
        if let (Some(turn), Some(unit)) = (turn, unit) {
            scenario.reinforcements.push(Reinforcement { turn, unit });
            entries.push(Entry { unit, span: table.span(), is_set_up: false });
        }
    }
    entries
}

/// A unit and its state; without a hex it comes to the Mobilization Box, if it may.
fn unit(table: &mut Table<'_>, problems: &mut Problems, needs_hex: bool) -> Option<Placement> {
    let text = table.text("unit", problems);
    let unit = text.and_then(|text| names::unit(&text, problems));
    let words = table.optional("place").and_then(|value| value.text(problems));
    let place = match table.optional("hex") {
        Some(value) => value.text(problems).and_then(|text| names::place(&text, problems)),
        None if !needs_hex && words.is_some_and(|words| words.as_str() == BOX) => Some(Place::POOL),
        None => {
            let expected = if needs_hex { "a hex" } else { "a hex, or place = \"mobilization\"" };
            problems.error(table.span(), "the key \"hex\" is missing").expected(expected);
            None
        }
    };
    let find = |word: &str| match word {
        "full" => Some(0),
        "reduced" => Some(1),
        _ => None,
    };
    let strength =
        table.optional("strength").map(|value| (value, value.word(&["full", "reduced"], find, problems)));
    let most = World::get().tables.production.max_sorties;
    let sorties = table.optional("sorties").map(|value| (value, value.integer(0..=most, problems)));
    let find = |word: &str| match word {
        "full" => Some(Supply::Full),
        "low" => Some(Supply::Low),
        "none" => Some(Supply::No),
        _ => None,
    };
    let supply = table.optional("supply").map(|value| value.word(&["full", "low", "none"], find, problems));
    let (unit, place) = (unit?, place?);
    let is_ground = World::get().unit(unit).kind.is_ground();
    if let Some((value, _)) = strength.filter(|_| !is_ground) {
        problems.error(value.span(), "an air or naval unit has no strength").expected("sorties");
    }
    if let Some((value, _)) = sorties.filter(|_| is_ground) {
        problems.error(value.span(), "a ground unit has no Sorties").expected("strength");
    }
    let level = if is_ground { strength } else { sorties };
    let level = level.and_then(|(_, level)| level).unwrap_or(0);
    Some(Placement { unit, place, level, supply: supply.flatten().unwrap_or(Supply::Full) })
}

/// Event markers: a list, or `"events.toml"` for those that come by date.
pub(crate) fn markers(root: &mut Table<'_>, scenario: &mut Scenario, problems: &mut Problems) {
    let Some(value) = root.optional("markers") else { return };
    if !value.is_list() {
        let by_date = "events.toml";
        let _ = value.word(&[by_date], |word| (word == by_date).then_some(()), problems);
        return;
    }
    let mut markers = Vec::new();
    for mut table in value.tables(problems).unwrap_or_default() {
        if let Some(entry) = marker(&mut table, problems) {
            markers.push(entry);
        }
        table.finish(problems);
    }
    scenario.markers = Some(markers);
}

fn marker(table: &mut Table<'_>, problems: &mut Problems) -> Option<(Marker, Owner, u8)> {
    let marker = table.text("id", problems).and_then(|text| names::marker(&text, problems));
    let owner = match (table.optional("country"), table.optional("faction")) {
        (Some(value), None) => {
            value.text(problems).and_then(|text| names::country(&text, problems)).map(Owner::Country)
        }
        (None, Some(value)) => {
            value.text(problems).and_then(|text| names::faction(&text, problems)).map(Owner::Faction)
        }
        _ => {
            problems
                .error(table.span(), "whose marker it is is not clear")
                .expected("a country or a faction");
            None
        }
    };
    let count = table.integer("count", 1..=9_u8, problems);
    let (marker, owner, count) = (marker?, owner?, count?);
    let holdings = &World::get().markers[marker.index()].holdings;
    if !holdings.iter().any(|holding| holding.owner == owner) {
        let owners: Vec<&str> = holdings
            .iter()
            .map(|holding| match holding.owner {
                Owner::Country(country) => country.id(),
                Owner::Faction(faction) => faction.word(),
            })
            .collect();
        problems
            .error(table.span(), format!("this owner never has the marker \"{}\"", marker.id()))
            .expected(diagnostics::datafile::any_of(&owners));
        return None;
    }
    Some((marker, owner, count))
}

/// Control that differs from the map.
pub(crate) fn control(root: &mut Table<'_>, scenario: &mut Scenario, problems: &mut Problems) {
    for mut table in root.optional("control").and_then(|value| value.tables(problems)).unwrap_or_default() {
        let country = table.optional("country").map(|value| names::country(&value.text(problems)?, problems));
        let area = table.optional("disputed").map(|value| names::disputed(&value.text(problems)?, problems));
        let city = table.optional("city").map(|value| names::city(&value.text(problems)?, problems));
        let owner = table.text("owner", problems).and_then(|text| names::country(&text, problems));
        table.finish(problems);
        let ground = match (country, area, city) {
            (Some(country), None, None) => country.map(Ground::Country),
            (None, Some(area), None) => area.map(Ground::Disputed),
            (None, None, Some(city)) => city.map(Ground::City),
            _ => {
                problems
                    .error(table.span(), "which hexes are meant is not clear")
                    .expected("one of \"country\", \"disputed\" and \"city\"");
                None
            }
        };
        if let (Some(ground), Some(owner)) = (ground, owner) {
            scenario.control.push((ground, owner));
        }
    }
}

/// Cities with an Atlantic Wall fort.
pub(crate) fn forts(root: &mut Table<'_>, scenario: &mut Scenario, problems: &mut Problems) {
    let Some(value) = root.optional("forts") else { return };
    scenario.forts = names::list(Some(value), problems, names::city);
    if scenario.forts.len() > WALLS {
        problems
            .error(value.span(), format!("{} forts", scenario.forts.len()))
            .expected(format!("at most {WALLS}"));
    }
}
