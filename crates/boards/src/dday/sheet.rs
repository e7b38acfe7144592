//! The sheet: the map with everything that never changes, and empty places for what does.

use dday::{Ground, Rules, SEASONS, Scenario};
use maud::{Markup, PreEscaped, html};
use terrain::{Cell, SquareGrid};

use super::frame::{MARGIN, Point, ZONE, corner, height, name, vertex, width};
use super::{counter, ground, marks, names, ways};

/// Signs that are drawn again and again.
const SYMBOLS: &str = include_str!("symbols.svg");

/// Maps of more columns than this are wider than the board: they are scrolled.
const WIDE: u8 = 18;

/// The board without anything that changes.
pub fn board(rules: &Rules) -> Markup {
    let grid = rules.scenario.grid;
    html! {
        div.dday.(format!("rows-{}", grid.rows())).vast[grid.cols() > WIDE].(SEASONS[usize::from(rules.scenario.season) % SEASONS.len()]) data-previews="" {
            (PreEscaped(SYMBOLS))
            header.staff { div.desk-side #side-first {} div #situation {} div.desk-side #side-second {} }
            div.orders-row #orders-place {}
            div.table-top {
                // The map alone is zoomed and scrolled; desks, orders and the attack builder stay where they are.
                div.map-frame data-zoom="" { div.map-scale { (map(rules)) } }
                div.builder-row #builder-place {}
            }
        }
    }
}

/// The map.
pub fn map(rules: &Rules) -> Markup {
    let scenario = &*rules.scenario;
    let grid = scenario.grid;
    let (wide, high) = (width(grid), height(grid));
    let (inner_wide, inner_high) = (wide - 2.0 * MARGIN, high - 2.0 * MARGIN);
    html! {
        svg #map .map viewBox={"0 0 " (wide) " " (high)} role="group" aria-label={"Map: " (scenario.name)} {
            defs {
                clipPath #map-clip { rect x=(MARGIN) y=(MARGIN) width=(inner_wide) height=(inner_high) {} }
                @for unit in 0..scenario.papers.len() as u8 { (counter::still(rules, unit)) }
            }
            rect.margin width=(wide) height=(high) rx="4" {}
            rect.paper x=(MARGIN) y=(MARGIN) width=(inner_wide) height=(inner_high) {}
            g clip-path="url(#map-clip)" {
                (ground::draw(scenario))
                (rivers(scenario))
                (roads(scenario))
                (marks::houses(scenario))
                (folds(grid))
            }
            (lattice(grid))
            g #works {}
            rect #sky .sky x=(MARGIN) y=(MARGIN) width=(inner_wide) height=(inner_high) {}
            (neatline(grid))
            (zones(scenario))
            g #over-ground {}
            g #ranges {}
            g #fronts {}
            g #units {}
            g #acting {}
            (names::draw(scenario))
            g #keys {}
            g #over-units {}
            g #stacks {}
            g #ghosts {}
        }
    }
}

fn rivers(scenario: &Scenario) -> Markup {
    let lines: Vec<String> = scenario.rivers.iter().map(|river| ways::river(scenario, river)).collect();
    html! {
        g.rivers {
            @for line in &lines { path.bank d=(line) {} }
            @for (at, line) in lines.iter().enumerate() { path.stream id={"river-" (at)} d=(line) {} }
        }
        g.river-names {
            @for (at, river) in scenario.rivers.iter().enumerate() {
                text dy="-6" { textPath href={"#river-" (at)} startOffset="22%" { (river.name) } }
            }
        }
    }
}

fn roads(scenario: &Scenario) -> Markup {
    let line = ways::roads(scenario);
    html! { g.roads { path.casing d=(line) {} path.track d=(line) {} } }
}

/// The creases of a map that was carried in a case.
fn folds(grid: SquareGrid) -> Markup {
    let mut path = String::new();
    for part in [1.0, 2.0] {
        let x = MARGIN + (f64::from(grid.cols()) * ZONE * part / 3.0).round();
        path.push_str(&format!("M{x} 0V{}", height(grid)));
    }
    path.push_str(&format!("M0 {}H{}", (height(grid) / 2.0).round(), width(grid)));
    html! { path.fold.dark d=(path) {} path.fold.light d=(path) transform="translate(1.6 1.6)" {} }
}

/// The edges of the zones.
fn lattice(grid: SquareGrid) -> Markup {
    let mut path = String::new();
    for column in 1..grid.cols() {
        let Point { x, y } = vertex(column, 0);
        path.push_str(&format!("M{x} {y}v{}", f64::from(grid.rows()) * ZONE));
    }
    for row in 1..grid.rows() {
        let Point { x, y } = vertex(0, row);
        path.push_str(&format!("M{x} {y}h{}", f64::from(grid.cols()) * ZONE));
    }
    html! { path.lattice d=(path) {} }
}

/// The frame of the map with the numbers of columns and rows.
fn neatline(grid: SquareGrid) -> Markup {
    let (wide, high) = (width(grid), height(grid));
    let numbers = |count: u8| (1..=count).map(|number| (number, MARGIN + (f64::from(number) - 0.5) * ZONE));
    html! {
        rect.neatline x=(MARGIN) y=(MARGIN) width=(wide - 2.0 * MARGIN) height=(high - 2.0 * MARGIN) {}
        rect.neatline.outer x=(MARGIN - 4.0) y=(MARGIN - 4.0) width=(wide - 2.0 * MARGIN + 8.0) height=(high - 2.0 * MARGIN + 8.0) {}
        g.numbers aria-hidden="true" {
            @for (number, x) in numbers(grid.cols()) {
                @for y in [16.0, high - 8.0] { text x=(x) y=(y) { (format!("{number:02}")) } }
            }
            @for (number, y) in numbers(grid.rows()) {
                @for x in [11.0, wide - 11.0] { text x=(x) y=(y + 4.5) { (format!("{number:02}")) } }
            }
        }
    }
}

/// The zones themselves: what they are, for those who point at them.
fn zones(scenario: &Scenario) -> Markup {
    html! {
        g.zones {
            @for zone in scenario.grid.cells() {
                @let Point { x, y } = corner(scenario.grid, zone);
                rect.zone x=(x) y=(y) width="100" height="100" { title { (zone_words(scenario, zone)) } }
                text.number x=(x + 97.0) y=(y + 9.0) { (name(scenario, zone)) }
            }
        }
    }
}

/// A zone in words: "0705 Villers-Bocage: town, rough; objective of 4 VP".
pub fn zone_words(scenario: &Scenario, zone: Cell) -> String {
    let ground = scenario.ground[usize::from(zone)];
    let lay = &scenario.lay[usize::from(zone)];
    let mut words = format!("{}: {}", scenario.zone_title(zone), ground_word(ground));
    if lay.rough {
        words.push_str(", rough");
    }
    if lay.roads != 0 {
        words.push_str(", road");
    }
    for key in scenario.keys.iter().filter(|key| key.zone == zone) {
        if key.vp > 0 {
            words.push_str(&format!("; {}, {} VP", key.name, key.vp));
        }
        if let Some(side) = key.supplies {
            words.push_str(&format!("; supply point of {}", scenario.sides[side.index()].name));
        }
    }
    words
}

const fn ground_word(ground: Ground) -> &'static str {
    match ground {
        Ground::Landing => "landing water",
        Ground::Hill => "heights",
        _ => ground.word(),
    }
}
