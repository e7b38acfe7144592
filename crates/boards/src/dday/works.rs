//! What engineers make and the enemy breaks: bridges, positions, mines, road blocks; and who holds the objectives.
//! Rules 2.7, 2.8, 14, 16.3.

use dday::{Rules, Side, State, work};
use maud::{Markup, html};
use terrain::{Cell, Octant};

use super::counter::nation;
use super::frame::{Point, corner, edge, name};
use web::Scene;

/// Everything of it, part by part.
pub fn draw(rules: &Rules, s: &State, scene: &mut Scene) {
    scene.add("works", "bridges", bridges(rules, s));
    scene.add("works", "positions", positions(rules, s));
    for (at, key) in rules.scenario.keys.iter().enumerate() {
        let number = name(&rules.scenario, key.zone);
        scene.add("keys", format!("key-{number}"), key_part(rules, s, at));
    }
}

/// The bridges of the scenario, standing or blown, and those that were built.
fn bridges(rules: &Rules, s: &State) -> Markup {
    let bridges = rules.bridges_now(s);
    html! {
        g #bridges {
            @for (from, way, stands) in bridges { (bridge(rules, s, from, way, stands)) }
        }
    }
}

fn bridge(rules: &Rules, s: &State, from: Cell, way: Octant, stands: bool) -> Markup {
    let at = edge(rules.scenario.grid, from, way);
    let known = rules.scenario.bridge_at(from, way);
    let wired = known.is_some_and(|known| s.wired >> known & 1 != 0);
    let title = known.map_or("Pontoon bridge", |known| rules.scenario.bridges[known].name.as_str());
    let state = match (stands, wired) {
        (false, _) => ", blown",
        (true, true) => ", wired for demolition",
        (true, false) => "",
    };
    html! {
        g.bridge.blown[!stands].built[known.is_none()] transform={"translate(" (at.x) " " (at.y) ")" @if way == Octant::S { " rotate(90)" }} {
            title { (title) (state) }
            @if stands {
                rect.deck x="-15" y="-6" width="30" height="12" {}
                path.rail d="M-20-11L-15-6.5H15L20-11M-20 11L-15 6.5H15L20 11" {}
            } @else {
                path.deck d="M-15-6H-5L-8-1L-4 2L-7 6H-15ZM15-6H6L8-2L4 1L7 6H15Z" {}
                path.rail d="M-20-11L-15-6.5H-5M20-11L15-6.5H6M-20 11L-15 6.5H-7M20 11L15 6.5H7" {}
                path.gone d="M-6-7L6 7M6-7L-6 7" {}
            }
            @if wired { g.charge { rect x="-5" y="-5" width="10" height="10" rx="1.5" {} path d="M-2.5-2.5V2.5M0-2.5V2.5M2.5-2.5V2.5" {} } }
        }
    }
}

/// Prepared positions, minefields and road blocks.
fn positions(rules: &Rules, s: &State) -> Markup {
    let grid = rules.scenario.grid;
    let laid = grid.cells().filter(|zone| s.zones[usize::from(*zone)].works & !work::PASSING != 0);
    html! {
        g #positions {
            @for zone in laid {
                @let Point { x, y } = corner(grid, zone);
                g.laid transform={"translate(" (x) " " (y) ")"} {
                    @for side in Side::ALL {
                        @if rules.is_prepared(s, zone, side) { (trench(rules, side)) }
                        @if rules.is_mined(s, zone, side) { (mines(rules, side)) }
                    }
                    @if s.zones[usize::from(zone)].works & work::BLOCKED != 0 {
                        g.block transform="translate(50 86)" { title { "Road block" } path d="M-11-4L11 4M11-4L-11 4M-13 0H13" {} }
                    }
                }
            }
        }
    }
}

/// A trench with its traverses around the zone.
fn trench(rules: &Rules, side: Side) -> Markup {
    const AROUND: &str = "M22 10H78L90 22V74L82 82H18L10 74V22Z";
    html! {
        g.trench.(nation(&rules.scenario, side)) {
            title { "Prepared position of " (rules.side_name(side)) }
            path.traverse d=(AROUND) {}
            path.parapet d=(AROUND) {}
        }
    }
}

fn mines(rules: &Rules, side: Side) -> Markup {
    html! {
        g.mines.(nation(&rules.scenario, side)) {
            title { "Minefield of " (rules.side_name(side)) }
            @for (x, y) in [(10, 88), (26, 92), (74, 92), (90, 88)] { use href="#mine" x=(x) y=(y) {} }
        }
    }
}

/// An objective with its flag, a supply point with its depot, in the colours of who holds it.
fn key_part(rules: &Rules, s: &State, at: usize) -> Markup {
    let key = &rules.scenario.keys[at];
    let holder = rules.holder(s, at);
    let Point { x, y } = corner(rules.scenario.grid, key.zone);
    html! {
        g #{"key-" (name(&rules.scenario, key.zone))} .key transform={"translate(" (x) " " (y) ")"} {
            @if key.vp > 0 {
                g.objective.(nation(&rules.scenario, holder)) transform="translate(4 6)" {
                    title { (key.name) ": " (key.vp) " VP, held by " (rules.side_name(holder)) }
                    use href="#flag" {}
                    text x="11" y="11" { (key.vp) }
                }
            }
            @if let Some(side) = key.supplies {
                g.depot.(nation(&rules.scenario, side)).taken[holder != side] transform={"translate(12 " (if key.vp > 0 { 42 } else { 15 }) ")"} {
                    title { "Supply point of " (rules.side_name(side)) @if holder != side { ", taken" } }
                    use href="#depot" {}
                }
            }
        }
    }
}
