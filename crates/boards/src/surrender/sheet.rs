//! The sheet: the map with empty places for what changes, the head, the panels, the overview.

use kernel::Game as _;
use maud::{Markup, PreEscaped, html};
use surrender::{Climate, Rules, State, Surrender, UnitId};

use super::frame::{self, HEIGHT, Point, WIDTH, centre};
use super::theatres::{THEATRES, Theatre};
use super::{dashboard, map, panels};

/// Signs that are drawn again and again.
pub const SYMBOLS: &str = include_str!("symbols.svg");

/// The layers that can be shown and hidden: class, key, words, and whether they are shown at first.
const LAYERS: [(&str, &str, &str, bool); 9] = [
    ("control", "c", "Control", true),
    ("front", "g", "Front", true),
    ("owner", "x", "Owners", false),
    ("supply", "y", "Supply", false),
    ("zoc", "z", "ZOC", false),
    ("weather", "e", "Weather", false),
    ("rail", "i", "Lines", true),
    ("range", "q", "Ranges", true),
    ("moves", "m", "Moves", false),
];

/// The board without anything that changes.
pub fn board(game: &Surrender) -> Markup {
    html! {
        div.surrender.show-control.show-front.show-rail.show-range data-previews="" {
            (PreEscaped(SYMBOLS))
            header.head { div #month-place {} div #purses-place {} }
            div.order-row #orders-place {}
            div.stage {
                div.map-frame data-zoom="map" data-levels="0.5 0.95" data-hexes="20 17.3205 10 11.547" data-plan="march" data-frame={(WIDTH) " " (HEIGHT)} data-view=(in_view(game, &game.start())) tabindex="0" role="group" aria-label="Map" {
                    div.map-scale { (the_map(game.rules(), &format!("0 0 {WIDTH} {HEIGHT}"))) }
                }
                div #battle-place .battle-row {}
                div #about-place .about-row role="status" {}
                div #tray-place .tray-row {}
                (tools())
                (panels::sheet())
                div.overview { (dashboard::overview()) }
            }
        }
    }
}

/// A piece of the map with the places of what lies on it, the last on top.
pub fn the_map(rules: &Rules, shown: &str) -> Markup {
    html! {
        svg #map .atlas viewBox=(shown) role="group" aria-label="Map of Europe" {
            rect.paper width=(WIDTH) height=(HEIGHT) {}
            g.terrain aria-hidden="true" { (map::ground()) }
            g #control {}
            g #owners {}
            g.climates aria-hidden="true" {
                @for zone in [Climate::Cold, Climate::Mild, Climate::Warm, Climate::Desert] {
                    g #{"climate-" (zone as u8)} .climate { (map::climate(zone)) }
                }
            }
            g.over aria-hidden="true" { (map::over()) }
            path.beyond aria-hidden="true" d=(beyond(rules)) {}
            g #zoc {}
            g #front {}
            g #hunger aria-hidden="true" {}
            g #boxes {}
            g #marks {}
            g #reach {}
            g #ways data-ways="" {}
            g #planned aria-hidden="true" {}
            g #units .units {}
            g #moves aria-hidden="true" {}
            g #about aria-hidden="true" {}
            g #strikes {}
            g #ghosts {}
            rect.neatline x="1" y="1" width=(WIDTH - 2.0) height=(HEIGHT - 2.0) {}
        }
    }
}

/// The hexes that are not in play.
fn beyond(rules: &Rules) -> String {
    frame::outline(rules.world, |hex| !rules.scenario().in_play(hex))
}

/// The piece of the map in which units stand.
pub fn in_view(game: &Surrender, start: &State) -> String {
    const MARGIN: f64 = 30.0;
    let (mut left, mut top, mut right, mut bottom) = (WIDTH, HEIGHT, 0.0_f64, 0.0_f64);
    for unit in UnitId::all().filter(|unit| start.unit(*unit).place.is_hex()) {
        let Some(Point { x, y }) = centre(game.rules().world, start.unit(unit).place) else { continue };
        (left, right) = (left.min(x), right.max(x));
        (top, bottom) = (top.min(y), bottom.max(y));
    }
    if left > right {
        return format!("0 0 {WIDTH} {HEIGHT}");
    }
    let (wide, high) = (right - left + 2.0 * MARGIN, bottom - top + 2.0 * MARGIN);
    format!("{:.0} {:.0} {wide:.0} {high:.0}", left - MARGIN, top - MARGIN)
}

/// Layers, theatres, the next unit.
fn tools() -> Markup {
    html! {
        div.map-tools role="toolbar" aria-label="Map" {
            @for (layer, key, words, shown) in LAYERS {
                button type="button" data-layer=(layer) data-key=(key) data-asks=[(layer == "moves").then_some("movements")] aria-pressed=(shown.to_string()) title={(words) " (" (key) ")"} { (words) kbd { (key) } }
            }
            button.film-month type="button" data-act="film-month" title="See again what the others did since their last month began" { "Their month ▶" }
            button type="button" data-plans aria-pressed="false" title="Plan a march: click a unit, then where it should go (or Shift+click without this button)" { "Plan" }
            button type="button" data-next="#units .can, #lit .h" data-key="a" title="Next place where something can be done (a)" { "Next" kbd { "a" } }
            details.theatres { summary { "Go to" } div {
                @for Theatre { name, frame: [x, y, wide, high], .. } in THEATRES {
                    button type="button" data-goto={(x) " " (y) " " (wide) " " (high)} { (name) }
                }
                button type="button" data-goto={"0 0 " (WIDTH) " " (HEIGHT)} data-key="v" { "Everything" kbd { "v" } }
            } }
        }
    }
}
