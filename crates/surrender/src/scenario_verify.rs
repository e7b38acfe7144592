//! What a scenario must be besides being readable: units on hexes of their own side, in play, one in a slot, air units in
//! cities, ships in ports. Rules 3.2, 30.2, 30.3.

use std::ops::Range;

use diagnostics::Problems;

use crate::ids::{Country, Faction, LANDS, Place, UnitId};
use crate::scenario::{Ground, Placement, Scenario};
use crate::world::World;

/// A unit of the file and where its entry stands. A reinforcement arrives later and takes no slot of the set-up.
pub(crate) struct Entry {
    pub unit: Placement,
    pub span: Range<usize>,
    pub is_set_up: bool,
}

/// The country that each hex belongs to at the start: the printed one, then the entries of `control` in order (30.2).
pub(crate) fn owners(scenario: &Scenario) -> Vec<Country> {
    let world = World::get();
    let mut owners: Vec<Country> = world.hexes.iter().map(|hex| hex.country).collect();
    for (ground, owner) in &scenario.control {
        for hex in Place::hexes() {
            let info = world.hex(hex);
            let is_meant = match *ground {
                Ground::Country(country) => info.country == country,
                Ground::Disputed(area) => info.disputed == area,
                Ground::City(city) => info.city == city,
            };
            if is_meant {
                owners[hex.index()] = *owner;
            }
        }
    }
    owners
}

/// Looks at every entry.
pub(crate) fn placements(scenario: &Scenario, entries: &[Entry], problems: &mut Problems) {
    let world = World::get();
    let owners = owners(scenario);
    let mut seen: Vec<UnitId> = Vec::new();
    let mut taken: Vec<[bool; 4]> = vec![[false; 4]; LANDS];
    for entry in entries {
        let Placement { unit, place, .. } = entry.unit;
        let info = world.unit(unit);
        let mut complain = |what: String, expected: &str| {
            problems.error(entry.span.clone(), format!("{}: {what}", info.id)).expected(expected);
        };
        if seen.contains(&unit) {
            complain("it stands in the file twice".to_owned(), "each unit once");
        }
        seen.push(unit);
        let side = scenario.active[info.country.index()];
        if side.is_none() {
            complain(format!("{} is not in play", info.country.id()), "a unit of a country of \"countries\"");
            continue;
        }
        if scenario.country_setup >> info.country.index() & 1 != 0 {
            complain(
                format!("{} is set up by units.toml", info.country.id()),
                "no unit of a country of \"use_country_setup\"",
            );
        }
        if place.is_hex() {
            standing(scenario, &owners, unit, place, side, &mut complain);
            let slot = &mut taken[place.index()][info.kind.slot() as usize];
            if entry.is_set_up && *slot {
                let what = format!("a unit of its kind stands in {} already", world.place_name(place));
                complain(what, "one ground unit, one air unit, one warship and one convoy in a hex");
            }
            *slot |= entry.is_set_up;
        } else if place.is_box() {
            let is_in_play = match place.node() {
                Some(node) => scenario.nodes & node.bit() != 0,
                None => scenario.russia,
            };
            if !is_in_play {
                complain(
                    format!("the box {} is not in play", world.place_name(place)),
                    "a box of \"playable_boxes\"",
                );
            }
            if info.kind.is_naval() && place.node().is_none() {
                complain("a naval unit can't be there".to_owned(), "a port or a sea Map Box");
            }
        }
    }
}

/// Whether a unit may stand in a hex.
fn standing(
    scenario: &Scenario,
    owners: &[Country],
    unit: UnitId,
    hex: Place,
    side: Option<Faction>,
    complain: &mut impl FnMut(String, &str),
) {
    let world = World::get();
    let (info, land) = (world.unit(unit), world.hex(hex));
    let name = world.place_name(hex);
    let city = world.city_at(hex).map(|city| world.city(city));
    if land.faded {
        complain(format!("nobody can stand in {name}, which has a faded dot"), "another hex");
    }
    if !scenario.in_play(hex) {
        complain(format!("{name} is outside the playable area"), "a hex of \"playable_area\"");
    }
    if info.kind.is_air() && city.is_none_or(|city| city.port_only) {
        complain(format!("an air unit needs a city, and {name} has none"), "a hex with a city");
    }
    if info.kind.is_naval() && city.is_none_or(|city| !city.is_port()) {
        complain(format!("a naval unit needs a port, and {name} has none"), "a hex with a port");
    }
    let owner = owners[hex.index()];
    let controller = (owner != Country::NONE).then(|| scenario.active[owner.index()]).flatten();
    if controller != side {
        complain(format!("{name} is a hex of {}", owner.id()), "a hex of its own side");
    }
}

/// Looks at what the rest of the file says about countries, cities and hexes.
pub(crate) fn whole(scenario: &Scenario, span: Range<usize>, problems: &mut Problems) {
    let world = World::get();
    let owners = owners(scenario);
    for (_, owner) in &scenario.control {
        if scenario.active[owner.index()].is_none() {
            let what = format!("\"control\" gives hexes to {}, which is not in play", owner.id());
            problems.error(span.clone(), what).expected("a country of \"countries\"");
        }
    }
    for hex in &scenario.west_edge {
        let owner = owners[hex.index()];
        let is_axis = owner != Country::NONE && scenario.active[owner.index()] == Some(Faction::Axis);
        if world.hex(*hex).lines == 0 || !scenario.in_play(*hex) || !is_axis {
            let what = format!("{} can't be a hex of the western edge", world.place_name(*hex));
            problems.error(span.clone(), what).expected("an Axis hex in play with a Transport Line");
        }
    }
    for country in Country::all() {
        if scenario.country_setup >> country.index() & 1 != 0 && scenario.active[country.index()].is_none() {
            let what = format!("{} is set up, but it is not in play", country.id());
            problems.error(span.clone(), what).expected("a country of \"countries\"");
        }
    }
    for (country, _) in &scenario.hooks.simple_conquest {
        if scenario.active[country.index()].is_none() {
            let what = format!("\"simple-conquest\" names {}, which is not in play", country.id());
            problems.error(span.clone(), what).expected("a country of \"countries\"");
        }
    }
    if !scenario.playable.contains(&true) {
        problems.error(span, "no hex is in play").expected("a \"playable_area\" with hexes");
    }
}
