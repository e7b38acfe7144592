//! The sheet: the map with everything that never changes, and empty places for what does.

use maud::{Markup, PreEscaped, html};

use super::{atlas, block, fronts, key_alone, map};

/// Signs that are drawn again and again.
pub fn symbols() -> Markup {
    html! {
        (PreEscaped(include_str!("symbols.svg")))
        (block::pip_symbols())
        (fronts::cell_symbols())
    }
}

/// The board without anything that changes.
pub fn board() -> Markup {
    html! {
        div.triumph {
            (symbols())
            div.strip {
                div.season #season {}
                // Without a script: the sheet looks at the boxes.
                div.layers role="group" aria-label="Layers" {
                    label { input #layer-supply type="checkbox"; " Supply" }
                    label { input #layer-trade type="checkbox"; " Trade" }
                }
            }
            div.fronts #fronts { (fronts::frames()) }
            div.table-top {
                div.hand-row #hand aria-label="Your cards" {}
                // The map alone is zoomed and scrolled; panels and the battle board stay where they are.
                div.map-frame data-zoom="" { div.map-scale { (the_map()) } }
                div.over-map #over-map {}
            }
            details.map-key { summary { "Map key" } (key_alone()) }
        }
    }
}

/// The map with the places of what lies on it, the last on top.
pub fn the_map() -> Markup {
    let over = html! {
        g #disputes {}
        g #reach {}
        g #markers {}
        g #units .units {}
        g #courts {}
    };
    map::sheet(&atlas::areas(), &atlas::nations(), atlas::FILE.url(), &over)
}
