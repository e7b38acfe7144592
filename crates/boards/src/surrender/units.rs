//! The counters on the map and in the Map Boxes, and the markers that lie between them.

use std::collections::BTreeMap;

use maud::{Markup, html};
use surrender::{Faction, Place, Rules, Slot, State, UnitId};
use web::Scene;

use super::counter;
use super::frame::{BOXES, Point, centre};
use super::lit::Lit;

/// The size of a counter that stands alone, in parts of its drawing.
const ALONE: f64 = 0.52;
/// A ground unit with others in its hex.
const ABOVE: f64 = 0.45;
/// The others.
const BESIDE: f64 = 0.32;
/// In a Map Box.
const IN_BOX: f64 = 0.5;

/// Where a counter stands: off the middle of its place, and how large.
#[derive(Clone, Copy)]
struct Stand {
    x: f64,
    y: f64,
    scale: f64,
    /// Its number in the fan of its hex.
    fan: Option<usize>,
}

/// Draws everything that stands somewhere.
pub fn draw(rules: &Rules, state: &State, lit: &Lit, scene: &mut Scene) {
    let mut stacks: BTreeMap<Place, Vec<UnitId>> = BTreeMap::new();
    for unit in UnitId::all().filter(|unit| state.unit(*unit).on_map()) {
        stacks.entry(state.unit(unit).place).or_default().push(unit);
    }
    let mut counters: Vec<(bool, UnitId, Place, Stand)> = Vec::new();
    for (place, units) in &mut stacks {
        // The ground unit first, then the others in the order of their slots.
        units.sort_by_key(|unit| {
            (rules.kind(*unit).slot() != Slot::Ground, rules.kind(*unit).slot() as u8, *unit)
        });
        for (at, unit) in units.iter().enumerate() {
            let is_ground = rules.kind(*unit).is_ground();
            let stand = if place.is_box() {
                in_box(*place, at)
            } else {
                in_hex(at, units.len(), rules.kind(units[0]).is_ground())
            };
            counters.push((is_ground, *unit, *place, stand));
        }
    }
    // Ground units lie above the others; apart from that the order never changes, so that little is sent.
    counters.sort_by_key(|(is_ground, unit, ..)| (*is_ground, *unit));
    for (is_ground, unit, place, stand) in counters {
        let Some(Point { x, y }) = centre(rules.world, place) else { continue };
        let id = format!("u-{}", rules.info(unit).id);
        let names = lit.unit_or_place(unit, place, is_ground);
        let can = names.is_some();
        let stack = stand.fan.map(|_| rules.world.place_name(place));
        scene.add("units", id.clone(), html! {
            g #(id) .{"glide " (counter::classes(rules, state, unit)) @if can { " can" }} transform=(format!("translate({:.1} {:.1})", x + stand.x, y + stand.y))
                data-choice=[names] data-stack=[stack] data-about=(if is_ground { "supply" } else { "supply range" }) {
                title { (counter::words(rules, state, unit)) }
                g.f.{"f" (stand.fan.unwrap_or(9))} { g transform=(format!("scale({})", stand.scale)) { (counter::face(rules, state, unit)) } }
            }
        });
    }
    scene.add("marks", "marks-all", marks(rules, state));
}

/// Where the units of a hex stand: the ground unit in the middle, the others at its corners.
fn in_hex(at: usize, count: usize, has_ground: bool) -> Stand {
    const CORNERS: [(f64, f64); 3] = [(5.4, -6.0), (5.6, 5.6), (-5.8, -6.4)];
    const ROW: [(f64, f64); 3] = [(-4.6, 2.4), (4.6, 2.4), (0.0, -6.2)];
    let fan = (count > 1).then_some(at);
    match (count, has_ground, at) {
        (1, ..) => Stand { x: 0.0, y: 0.0, scale: ALONE, fan },
        (_, true, 0) => Stand { x: -1.6, y: 1.4, scale: ABOVE, fan },
        (_, true, _) => {
            let (x, y) = CORNERS[(at - 1).min(2)];
            Stand { x, y, scale: BESIDE, fan }
        }
        (_, false, _) => {
            let (x, y) = ROW[at.min(2)];
            Stand { x, y, scale: BESIDE, fan }
        }
    }
}

/// Rows of counters below the name of the box.
fn in_box(place: Place, at: usize) -> Stand {
    const STEP: f64 = 16.0;
    let [_, _, wide, high] =
        BOXES.iter().find(|known| known.place == place).map_or([0.0, 0.0, 120.0, 90.0], |known| known.frame);
    let columns = ((wide - 8.0) / STEP).floor().max(1.0) as usize;
    let (column, row) = (at % columns, at / columns);
    Stand {
        x: 12.0 - wide / 2.0 + column as f64 * STEP,
        y: 24.0 - high / 2.0 + row as f64 * STEP,
        scale: IN_BOX,
        fan: None,
    }
}

/// Forts, Bombed markers, Partisans, Mulberries, No EZOC: in one group, because they seldom change.
fn marks(rules: &Rules, state: &State) -> Markup {
    let world = rules.world;
    let at = |place: Place| centre(world, place).map(|Point { x, y }| format!("translate({x} {y})"));
    let forts: Vec<Place> = Place::hexes().filter(|hex| rules.has_fort(state, *hex)).collect();
    let loose: Vec<Place> = Place::hexes().filter(|hex| state.has_no_ezoc(*hex)).collect();
    html! {
        g #marks-all {
            @for hex in forts { use.fort href="#fort" transform=[at(hex)] {} }
            @for hex in loose { g.no-ezoc transform=[at(hex)] { title { "No EZOC" } circle cx="-7" cy="5" r="2" {} path d="M-8.4 6.4L-5.6 3.6" {} } }
            @for city in surrender::City::all().filter(|city| state.is_bombed(*city)) {
                g.bombed transform=[at(world.city(city).hex)] { title { "Bombed" } path d="M7 3l1 2 2-.6-.8 2 1.6 1.2-2 .5-.2 2-1.4-1.5-1.8 1 .5-2-1.6-1.3 2-.4z" {} }
            }
            @for (hex, faction) in state.partisans.iter().filter(|(hex, _)| hex.is_hex()) {
                g.partisans.(counter::side_class(faction.side())) transform=[at(*hex)] { title { (partisans(*faction)) } circle cx="7" cy="-6" r="3.4" {} text x="7" y="-4.3" { "P" } }
            }
            @if state.mulberry.0.is_hex() {
                g.mulberry transform=[at(state.mulberry.0)] { title { "Mulberry" } rect x="-9" y="-9" width="6" height="6" {} text x="-6" y="-4.4" { "M" } }
            }
        }
    }
}

const fn partisans(faction: Faction) -> &'static str {
    match faction {
        Faction::Axis => "Axis Partisans",
        Faction::Western => "Western Partisans",
        Faction::Soviet => "Soviet Partisans",
    }
}
