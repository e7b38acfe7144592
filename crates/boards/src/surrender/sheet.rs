//! The sheet: the map with empty places for what changes, the head, the panels, the overview.

use maud::{Markup, PreEscaped, html};
use surrender::{Climate, Place, Rules, World};

use super::frame::{self, HEIGHT, WIDTH, centre};
use super::{map, panels};

/// Signs that are drawn again and again.
pub const SYMBOLS: &str = include_str!("symbols.svg");

/// The layers that can be shown and hidden: class, key, words, and whether they are shown at first.
const LAYERS: [(&str, &str, &str, bool); 6] = [
    ("control", "c", "Control", true),
    ("front", "g", "Front", true),
    ("supply", "y", "Supply", false),
    ("zoc", "z", "Zones of control", false),
    ("weather", "e", "Weather", false),
    ("rail", "i", "Rail and rivers", true),
];

/// The theatres, with the piece of the map that shows them.
const THEATRES: [(&str, [u32; 4]); 7] = [
    ("West", [220, 420, 300, 260]),
    ("North", [380, 20, 420, 380]),
    ("East", [640, 220, 480, 440]),
    ("Balkans", [580, 580, 320, 320]),
    ("Italy", [400, 640, 320, 330]),
    ("Africa", [60, 840, 900, 270]),
    ("Near East", [860, 640, 460, 460]),
];

/// The board without anything that changes.
pub fn board(rules: &Rules) -> Markup {
    html! {
        div.surrender.show-control.show-front.show-rail data-previews="" {
            (PreEscaped(SYMBOLS))
            header.head { div #month-place {} }
            div.order-row #orders-place {}
            div.stage {
                div.map-frame data-zoom="map" data-levels="0.5 0.95" data-frame={(WIDTH) " " (HEIGHT)} data-view=(in_view(rules)) tabindex="0" aria-label="Map" {
                    div.map-scale { (the_map(rules)) }
                }
                div #battle-place .battle-row {}
                div #tray-place .tray-row {}
                (tools())
                (panels::sheet())
                (overview())
            }
        }
    }
}

/// The map with the places of what lies on it, the last on top.
pub fn the_map(rules: &Rules) -> Markup {
    html! {
        svg #map .atlas viewBox={"0 0 " (WIDTH) " " (HEIGHT)} role="group" aria-label="Map of Europe" {
            rect.paper width=(WIDTH) height=(HEIGHT) {}
            g.terrain aria-hidden="true" { (map::ground()) }
            g #control {}
            g.climates aria-hidden="true" {
                @for zone in [Climate::Cold, Climate::Mild, Climate::Warm, Climate::Desert] {
                    g #{"climate-" (zone as u8)} .climate { (map::climate(zone)) }
                }
            }
            g.over aria-hidden="true" { (map::over()) }
            path.beyond aria-hidden="true" d=(beyond(rules)) {}
            g #zoc {}
            g #front {}
            g #boxes {}
            g #marks {}
            g #reach {}
            g #units .units {}
            g #ghosts {}
            rect.neatline x="1" y="1" width=(WIDTH - 2.0) height=(HEIGHT - 2.0) {}
        }
    }
}

/// The hexes that are not in play.
fn beyond(rules: &Rules) -> String {
    frame::outline(rules.world, |hex| !rules.scenario().in_play(hex))
}

/// The piece of the map that is shown first: all that is in play.
fn in_view(rules: &Rules) -> String {
    let world: &World = rules.world;
    let points =
        Place::hexes().filter(|hex| rules.scenario().in_play(*hex)).filter_map(|hex| centre(world, hex));
    let (mut left, mut top, mut right, mut bottom) = (WIDTH, HEIGHT, 0.0_f64, 0.0_f64);
    for point in points {
        (left, right) = (left.min(point.x), right.max(point.x));
        (top, bottom) = (top.min(point.y), bottom.max(point.y));
    }
    if left > right {
        return format!("0 0 {WIDTH} {HEIGHT}");
    }
    format!("{:.0} {:.0} {:.0} {:.0}", left - 20.0, top - 20.0, right - left + 40.0, bottom - top + 40.0)
}

/// Layers, theatres, the next unit.
fn tools() -> Markup {
    html! {
        div.map-tools role="toolbar" aria-label="Map" {
            @for (layer, key, words, shown) in LAYERS {
                button type="button" data-layer=(layer) data-key=(key) aria-pressed=(shown.to_string()) title={(words) " (" (key) ")"} { (words) kbd { (key) } }
            }
            button type="button" data-next="#units .can, #lit .h" data-key="a" title="Next place where something can be done (a)" { "Next" kbd { "a" } }
            details.theatres { summary { "Go to" } div {
                @for (name, [x, y, wide, high]) in THEATRES {
                    button type="button" data-goto={(x) " " (y) " " (wide) " " (high)} { (name) }
                }
                button type="button" data-goto={"0 0 " (WIDTH) " " (HEIGHT)} data-key="v" { "Everything" kbd { "v" } }
            } }
        }
    }
}

/// The whole war in a corner: who controls what and where one is.
fn overview() -> Markup {
    html! {
        div.overview data-overview="" aria-hidden="true" {
            svg viewBox={"0 0 " (WIDTH) " " (HEIGHT)} {
                rect.paper width=(WIDTH) height=(HEIGHT) {}
                use href="#control" {}
                use.l-sea href={(map::FILE.url()) "#sea"} {}
                use href="#front" {}
                rect.window width="0" height="0" {}
            }
        }
    }
}
