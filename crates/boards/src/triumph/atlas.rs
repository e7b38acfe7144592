//! What the rules say of the map, for the drawing of it.

use std::sync::LazyLock;

use triumph::{Area as RulesArea, Atlas, City as RulesCity, Ground, NONE, World};
use web::BoardFile;

use super::geometry::{Geometry, Place};
use super::map::{self, Area, City, Kind, Nation};

/// The map as a file that browsers keep.
static MAP_SVG: LazyLock<String> = LazyLock::new(|| map::file(&areas(), &nations()));

/// The file as the server offers it.
pub static FILE: LazyLock<BoardFile> =
    LazyLock::new(|| BoardFile::new("triumph.svg", "image/svg+xml", MAP_SVG.as_str()));

/// The map of the rules, which is the same in every match.
fn atlas() -> &'static Atlas {
    World::standard().atlas
}

/// All areas in the order of the rules.
pub fn areas() -> Vec<Area<'static>> {
    atlas().areas.iter().map(area).collect()
}

/// All nations and colonies.
pub fn nations() -> Vec<Nation<'static>> {
    atlas().nations.iter().map(|nation| Nation { id: &nation.id, name: &nation.name }).collect()
}

fn area(area: &'static RulesArea) -> Area<'static> {
    Area {
        id: &area.id,
        name: &area.name,
        kind: match area.ground {
            Ground::Land => Kind::Land,
            Ground::Strait => Kind::Strait,
            Ground::Sea => Kind::Sea,
            Ground::Ocean => Kind::Ocean,
        },
        city: match area.city {
            RulesCity::None => City::None,
            RulesCity::Town => City::Town,
            RulesCity::City => City::City,
            RulesCity::CapitalCity => City::CapitalCity,
            RulesCity::SubCapital => City::SubCapital,
            RulesCity::MainCapital => City::MainCapital,
        },
        pop: area.pop,
        res: area.res,
        red_res: area.red_res,
        capital: area.capital,
        nation: (area.nation != NONE).then(|| atlas().nation(area.nation).id.as_str()),
    }
}

/// The id of an area.
pub fn id(area: u8) -> &'static str {
    &atlas().area(area).id
}

/// Where an area lies on the map.
pub fn place(area: u8) -> Option<&'static Place> {
    Geometry::built_in().place(id(area))
}

/// The address of the outline of an area.
pub fn outline(area: u8) -> String {
    format!("{}#a-{}", FILE.url(), id(area))
}

/// Where the markers of a nation lie: the first slot of its capital, or of its only area where it has none.
pub fn seat_of_government(nation: u8) -> Option<[f64; 2]> {
    let nation = atlas().nation(nation);
    let area = if nation.capital == NONE { nation.areas.first()? } else { nation.capital };
    place(area).and_then(|place| place.slots.first().copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_area_of_the_rules_lies_on_the_map() {
        let map = Geometry::built_in();
        assert!(areas().iter().all(|area| map.place(area.id).is_some()));
        assert!(nations().iter().all(|nation| map.nation(nation.id).is_some()));
        assert_eq!(areas().len(), map.places().len());
    }
}
