//! The sheet: the map with everything that never changes, and empty places for what does.

use maud::{Markup, PreEscaped, html};

use super::{atlas, block, fronts, key_alone, map};

/// Signs that are drawn again and again.
pub fn symbols() -> Markup {
    html! {
        (PreEscaped(include_str!("symbols.svg")))
        (block::pip_symbols())
    }
}

/// The layers over the map: word, title, key, and what they show.
const LAYERS: [(&str, &str, &str, &str); 3] = [
    ("supply", "Supply", "p", "Where your units are supplied; those that are not are ringed"),
    ("trade", "Trade", "e", "From where goods come home, and the seas in which Enemies break it"),
    ("threats", "Threats", "c", "What could reach your capitals in one turn"),
];

/// What the colours of a layer mean.
const NOTES: [(&str, &[(&str, &str)]); 3] = [
    ("supply", &[("supplied", "Ground units are supplied here."), ("ring", "A red rim: without supply.")]),
    (
        "trade",
        &[
            ("traded", "Goods come home."),
            ("by-africa", "Only round Africa."),
            ("breaks", "Enemies here break a route."),
        ],
    ),
    (
        "threats",
        &[
            ("breaks", "From here units could reach a capital of yours in one turn."),
            ("ring", "How many could, hidden ones included; dashed: only after a declaration of war."),
        ],
    ),
];

/// The panels of a phone.
const TABS: [(&str, &str); 5] =
    [("hand", "Hand"), ("axis", "Axis"), ("west", "West"), ("ussr", "USSR"), ("key", "Key")];

/// The board without anything that changes.
pub fn board() -> Markup {
    html! {
        div.triumph data-previews="" {
            (symbols())
            div.strip {
                div.season #season {}
                div.deeds #deeds role="group" aria-label="Orders" {}
                // Without a script: the sheet looks at the boxes.
                div.layers role="group" aria-label="Layers" {
                    label.disbands { input #disbanding type="checkbox"; " Disband" }
                    @for (word, title, key, about) in LAYERS {
                        label title={(about) " (" (key) ")"} {
                            input id={"layer-" (word)} type="checkbox" data-key=(key); " " (title) " " kbd { (key) }
                        }
                    }
                }
            }
            // On a phone one panel at a time; elsewhere all are in sight, and there are no tabs.
            div.panel-tabs role="radiogroup" aria-label="Panels" {
                @for (word, title) in TABS {
                    label.{"tab-" (word)} { input id={"show-" (word)} name="panel" type="radio" checked[word == "hand"]; (title) }
                }
            }
            (fronts::frames())
            div.table-top {
                div.hand-row #hand aria-label="Your cards" {}
                div.tray-row #tray-row {}
                // The map alone is zoomed and scrolled; panels and the battle board stay where they are.
                div.map-frame data-zoom="" tabindex="0" role="region" aria-label="Map" { div.map-scale { (the_map()) } }
                div.over-map #over-map {}
                div.layer-notes {
                    @for (word, marks) in NOTES {
                        p.{"note-" (word)} { @for (class, said) in marks { i.(class) {} (said) " " } }
                    }
                }
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
        g #ranges {}
        g #markers {}
        g #units .units {}
        g #courts {}
        g #threats {}
        g #ghosts {}
    };
    map::sheet(&atlas::areas(), &atlas::nations(), atlas::FILE.url(), &over)
}
