//! A unit that somebody points at: where its supply comes from and what would cut it, how far its aircraft reach, in which Sea
//! Zones it can intercept. Rules 1.4, 6.5 to 6.9, 7.2.

use maud::{Markup, html};
use surrender::{Frame, Kind, Node, Place, Rules, SeaLink, Source, State, Supply, Surrender, UnitId};
use web::Scene;

use super::counter;
use super::frame::{self, Point, centre};
use super::geography::{Geography, Kind as LabelKind, Label};
use super::trace::unit_anchor;

/// The words, and what is laid over the map; `None` where the id is no unit on the map.
pub fn about(game: &Surrender, state: &State, id: &str) -> Option<Scene> {
    let rules = game.rules();
    let unit = rules.world.unit_named(id.strip_prefix("u-")?)?;
    if !state.unit(unit).on_map() {
        return None;
    }
    let supply = supply(rules, state, unit);
    let zones = Node::of(rules.interception_zones(state, unit)).collect::<Vec<Node>>();
    let ranges = ranges(rules, state, unit);
    let mut scene = Scene::default();
    scene.add(
        "about-place",
        "about-words",
        html! {
            div #about-words .about-words {
                p { b { (counter::words(rules, state, unit)) } }
                p.of-supply { (supply.words) }
                @if let Some(words) = range_words(rules, &ranges, &zones) { p.of-range { (words) } }
            }
        },
    );
    scene.add("about", "about-map", html! {
        g #about-map .about { (supply.drawn) g.of-range { (reach(rules, state, unit, &ranges)) (seas(rules, &zones)) } }
    });
    Some(scene)
}

/// The unit of a mission that is being planned keeps its range on the map.
pub fn draw(rules: &Rules, state: &State, scene: &mut Scene) {
    let unit = match state.frame() {
        Frame::StrikeAt(unit) | Frame::BombAt(unit) => Some(unit),
        Frame::DropAt => state.mission.unit.some(),
        _ => None,
    };
    let drawn = unit.map(|unit| reach(rules, state, unit, &ranges(rules, state, unit)));
    scene.add("planned", "planned-range", html! { g #planned-range .about { (drawn.unwrap_or_default()) } });
}

struct SupplyPicture {
    words: String,
    drawn: Markup,
}

fn supply(rules: &Rules, state: &State, unit: UnitId) -> SupplyPicture {
    let now = state.unit(unit);
    let source = rules.source_of(state, unit);
    let to = match source {
        Source::Unlimited(place) | Source::Limited(place) => Some(place),
        Source::Nothing => None,
    };
    let way = match to {
        Some(to) if now.place.is_hex() => rules.supply_way(state, rules.side_of(state, unit), now.place, to),
        _ => Vec::new(),
    };
    let is_vital =
        |hex: &&Place| hex.is_hex() && **hex != now.place && rules.is_vital(state, unit, **hex, source);
    let vital: Vec<Place> = way.iter().filter(is_vital).copied().collect();
    let steps = match way.len().saturating_sub(1) {
        1 => "a hex".to_owned(),
        steps => format!("{steps} hexes"),
    };
    let mut words = match (source, to) {
        (Source::Limited(place), _) => {
            format!("Low supply from {}, which feeds two units.", place_words(rules, place))
        }
        (_, Some(place)) if place == now.place => {
            format!("Full supply: {} is a source.", place_words(rules, place))
        }
        (_, Some(place)) => format!("Full supply from {}, {steps} away.", place_words(rules, place)),
        (_, None) => rules.sea_supply_words(state, unit),
    };
    if !vital.is_empty() {
        let names: Vec<String> = vital.iter().take(3).map(|hex| place_words(rules, *hex)).collect();
        let more = if vital.len() > names.len() { " or another red hex" } else { "" };
        words.push_str(&format!(" An enemy in {}{more} would cut it.", names.join(", ")));
    }
    let link = to.is_none().then(|| rules.sea_link_for(state, unit)).flatten();
    let class = match source {
        Source::Unlimited(_) => "trace-way",
        Source::Limited(_) => "trace-way limited",
        Source::Nothing => "trace-way none",
    };
    let drawn = html! {
        g.of-supply {
            @if way.len() > 1 {
                @let d = frame::way(rules.world, &way);
                path.trace-halo d=(d) {}
                path class=(class) d=(d) {}
            }
            @for hex in &vital { (mark(rules, *hex, "trace-vital")) }
            @if let Some(link) = link { (sea_way(rules, &link, now.place)) }
            @match to {
                Some(to) => (mark(rules, to, "trace-source")),
                None if link.is_some() => {}
                None => (mark(rules, now.place, "trace-none")),
            }
        }
    };
    SupplyPicture { words, drawn }
}

/// The way of a convoy: from its home end by the names of the Sea Zones to the far end, and from there to the unit.
fn sea_way(rules: &Rules, link: &SeaLink, unit: Place) -> Markup {
    let mut seas: Vec<(f64, f64)> = link
        .path
        .iter()
        .take_while(|node| **node != Node::NONE)
        .filter_map(|node| sea_place(rules, *node))
        .collect();
    let end = |place: Place| centre(rules.world, place).map(|Point { x, y }| (x, y));
    // The path begins where the convoy lies, which may be either end.
    if link.lies_far {
        seas.reverse();
    }
    let points: Vec<(f64, f64)> =
        end(link.home).into_iter().chain(seas).chain(end(link.far)).chain(end(unit)).collect();
    let d: Vec<String> = points.iter().map(|(x, y)| format!("{x:.0} {y:.0}")).collect();
    let d = format!("M{}", d.join("L"));
    html! {
        path.trace-halo d=(d) {}
        path.trace-way.limited[link.over_beach] d=(d) {}
        (mark(rules, link.home, "trace-source"))
        (mark(rules, link.far, "trace-vital"))
        @for (x, y) in Node::of(link.danger).filter_map(|node| sea_place(rules, node)) {
            ellipse.trace-vital cx=(x) cy=(format!("{:.1}", y - 3.0)) rx="44" ry="13" {}
        }
    }
}

/// Where the name of a Sea Zone stands.
fn sea_place(rules: &Rules, node: Node) -> Option<(f64, f64)> {
    let name = &rules.world.nodes[node.index()].name;
    let labels = Geography::built_in().labels.iter();
    let mut found = labels.filter(|Label(kind, words, ..)| *kind == LabelKind::Sea && words == name);
    found.next().map(|Label(_, _, x, y, ..)| (*x, *y))
}

fn mark(rules: &Rules, place: Place, class: &str) -> Markup {
    html! { @if let Some(Point { x, y }) = centre(rules.world, place) { circle class=(class) cx=(x) cy=(y) r="8" {} } }
}

/// A place as people call it: the city in it, or the name of the hex.
pub fn place_words(rules: &Rules, place: Place) -> String {
    let world = rules.world;
    world.city_at(place).map_or_else(|| world.place_name(place), |city| world.city(city).name.clone())
}

/// How far an air unit reaches, by what it does there, the nearest first.
fn ranges(rules: &Rules, state: &State, unit: UnitId) -> Vec<(&'static str, u32)> {
    let ranges = &rules.world.tables.ranges;
    if !state.unit(unit).place.is_hex() {
        return Vec::new();
    }
    let mut all = match rules.kind(unit) {
        Kind::Fighter => {
            vec![
                ("support", ranges.support),
                ("interception", ranges.intercept_air),
                ("strike", ranges.strike),
            ]
        }
        Kind::Bomber => {
            vec![("support", ranges.support), ("strike", ranges.strike), ("bombing", ranges.bombing)]
        }
        _ => Vec::new(),
    };
    all.sort_by_key(|(_, range)| *range);
    all
}

fn range_words(rules: &Rules, ranges: &[(&str, u32)], zones: &[Node]) -> Option<String> {
    let mut parts: Vec<String> = ranges.iter().map(|(what, range)| format!("{what} {range} hexes")).collect();
    if !zones.is_empty() {
        let names: Vec<&str> =
            zones.iter().map(|node| rules.world.nodes[node.index()].name.as_str()).collect();
        parts.push(format!("can intercept ships in {}", names.join(", ")));
    }
    (!parts.is_empty()).then(|| {
        let mut words = parts.join("; ");
        words[..1].make_ascii_uppercase();
        words + "."
    })
}

/// Hexagons around an air unit, each with what it is: ranges that are the same share one.
fn reach(rules: &Rules, state: &State, unit: UnitId, ranges: &[(&str, u32)]) -> Markup {
    let Some(Point { x, y }) = centre(rules.world, state.unit(unit).place) else { return html! {} };
    html! {
        @for alike in ranges.chunk_by(|one, next| one.1 == next.1) {
            @let range = f64::from(alike[0].1);
            @let words: Vec<&str> = alike.iter().map(|(what, _)| *what).collect();
            path.reach-ring d=(hexagon(x, y, range)) {}
            text.reach-word x=(x) y=(format!("{:.1}", y - 17.32 * range - 10.5)) { (words.join(", ")) " " (alike[0].1) }
        }
    }
}

/// All hexes within a distance: with a point at the top for each hex, together they have one to the left and to the right.
fn hexagon(x: f64, y: f64, range: f64) -> String {
    let (wide, half, high) = (20.0 * range + 10.0, 10.0 * range + 5.0, 17.32 * range + 8.66);
    format!(
        "M{:.1} {y:.1}L{:.1} {:.1}H{:.1}L{:.1} {y:.1}L{:.1} {:.1}H{:.1}z",
        x - wide,
        x - half,
        y - high,
        x + half,
        x + wide,
        x + half,
        y + high,
        x - half
    )
}

/// A ring around the name of each Sea Zone.
fn seas(rules: &Rules, zones: &[Node]) -> Markup {
    html! {
        @for (x, y) in zones.iter().filter_map(|node| sea_place(rules, *node)) {
            ellipse.reach-sea cx=(x) cy=(format!("{:.1}", y - 3.0)) rx="44" ry="13" {}
        }
    }
}

/// Units whose supply is not full are found on the map by a ring, whatever covers them.
pub fn hungry(rules: &Rules, state: &State, scene: &mut Scene) {
    let rings: Vec<(UnitId, Point, bool)> = UnitId::all()
        .filter(|unit| state.unit(*unit).on_map() && state.unit(*unit).supply != Supply::Full)
        .filter_map(|unit| {
            let entry = state.unit(unit);
            Some((unit, centre(rules.world, entry.place)?, entry.supply == Supply::No))
        })
        .collect();
    scene.add(
        "hunger",
        "hunger-rings",
        html! {
            g #hunger-rings {
                @for (unit, Point { x, y }, is_out) in rings {
                    circle.hungry.out[is_out] data-of=(unit_anchor(rules, unit)) cx=(x) cy=(y) r="12" {}
                }
            }
        },
    );
}

#[cfg(test)]
mod tests {
    use kernel::Game as _;

    use super::*;

    fn poland() -> Surrender {
        let options = [("scenario".to_owned(), "poland-1939".to_owned())].into();
        Surrender::with_options(&options).expect("the scenario is known")
    }

    fn drawn(id: &str) -> String {
        let game = poland();
        let scene = about(&game, &game.start(), id).expect("the unit is on the map");
        scene.parts.iter().map(|web::Part(_, _, html)| html.as_str()).collect()
    }

    #[test]
    fn an_army_has_a_way_to_its_source() {
        let text = drawn("u-GER-16PZ");
        assert!(text.contains("trace-way") && text.contains("trace-source"), "{text}");
        assert!(text.contains("Full supply from"), "{text}");
    }

    #[test]
    fn aircraft_have_rings() {
        let game = poland();
        let start = game.start();
        let rules = game.rules();
        let air = UnitId::all()
            .find(|unit| start.unit(*unit).place.is_hex() && rules.kind(*unit) == Kind::Fighter)
            .expect("somebody flies");
        let text = drawn(&unit_anchor(rules, air));
        assert!(text.contains("reach-ring") && text.contains("interception 5"), "{text}");
    }

    #[test]
    fn what_is_no_unit_has_no_answer() {
        let game = poland();
        assert!(about(&game, &game.start(), "u-nobody").is_none());
        assert!(about(&game, &game.start(), "map").is_none());
    }

    #[test]
    fn every_sea_zone_has_its_name_on_the_map() {
        let rules = poland();
        for node in rules.rules().world.nodes.iter().take(surrender::ZONES) {
            let labels = &Geography::built_in().labels;
            assert!(
                labels.iter().any(|label| label.0 == LabelKind::Sea && label.1 == node.name),
                "{}",
                node.name
            );
        }
    }
}
