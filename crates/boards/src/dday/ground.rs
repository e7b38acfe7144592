//! The ground of the map, layer over layer as a draughtsman would lay it: fills that flow from zone to zone, then the marks
//! of each kind of ground. Rule 2.4.

use dday::{Ground, Scenario};
use maud::{Markup, html};

use super::marks;
use super::outline::{Hand, outline};

/// Grounds that make up one fill.
#[derive(Clone, Copy)]
struct Fill {
    /// Its class.
    class: &'static str,
    /// The grounds.
    of: &'static [Ground],
    /// How far inside its zones it ends, and how it sways.
    hand: Hand,
}

const BEACH: Fill =
    Fill { class: "beach", of: &[Ground::Beach], hand: Hand { inset: -3.0, sway: 4.0, salt: 2 } };
const MARSH: Fill =
    Fill { class: "marsh", of: &[Ground::Marsh], hand: Hand { inset: 4.0, sway: 8.0, salt: 3 } };
const BOCAGE: Fill =
    Fill { class: "bocage", of: &[Ground::Bocage], hand: Hand { inset: 2.0, sway: 7.0, salt: 4 } };
const FOREST: Fill =
    Fill { class: "forest", of: &[Ground::Forest], hand: Hand { inset: 3.0, sway: 9.0, salt: 5 } };
const HILL: Fill = Fill { class: "hill", of: &[Ground::Hill], hand: Hand { inset: 3.0, sway: 8.0, salt: 6 } };
const CITY: Fill = Fill { class: "city", of: &[Ground::City], hand: Hand { inset: 3.0, sway: 3.0, salt: 7 } };
const WATER: Fill = Fill {
    class: "water",
    of: &[Ground::Sea, Ground::Lake, Ground::Landing],
    hand: Hand { inset: 0.0, sway: 6.0, salt: 8 },
};
const LANDING: Fill =
    Fill { class: "landing", of: &[Ground::Landing], hand: Hand { inset: 5.0, sway: 4.0, salt: 9 } };

/// The line of a fill, so far inside its edge.
fn line(scenario: &Scenario, fill: Fill, inset: f64) -> String {
    let (columns, rows) = (scenario.grid.cols(), scenario.grid.rows());
    // Ground at the border goes on beyond it.
    let belongs = |column: i32, row: i32| {
        let column = column.clamp(0, i32::from(columns) - 1) as u8 + 1;
        let row = row.clamp(0, i32::from(rows) - 1) as u8 + 1;
        let zone = scenario.grid.cell(column, row);
        zone.is_some_and(|zone| fill.of.contains(&scenario.ground[usize::from(zone)]))
    };
    outline(&belongs, columns, rows, Hand { inset: fill.hand.inset + inset, ..fill.hand })
}

/// The whole ground.
pub fn draw(scenario: &Scenario) -> Markup {
    let on_map = |fill: Fill| scenario.ground.iter().any(|ground| fill.of.contains(ground));
    let plain =
        |fill: Fill| html! { @if on_map(fill) { path class=(fill.class) d=(line(scenario, fill, 0.0)) {} } };
    html! {
        g.ground {
            (marks::parcels(scenario))
            (plain(BEACH))
            (plain(MARSH))
            (plain(BOCAGE))
            @if on_map(BOCAGE) { (marks::hedges(scenario)) }
            @if on_map(MARSH) { (marks::reeds(scenario)) }
            (plain(FOREST))
            @if on_map(HILL) { (hills(scenario)) }
            @if on_map(BEACH) { (marks::sand(scenario)) }
            @if on_map(WATER) { (water(scenario)) }
            @if on_map(LANDING) { path.landing d=(line(scenario, LANDING, 0.0)) {} }
            (plain(CITY))
            (marks::trees(scenario))
        }
    }
}

/// Hills: a tint, and hachures that run down their slopes. A broad line whose dashes are as thin as pen strokes is a row of
/// hachures.
fn hills(scenario: &Scenario) -> Markup {
    let edge = line(scenario, HILL, 0.0);
    html! {
        clipPath #hill-clip { path d=(edge) {} }
        path.hill d=(edge) {}
        g clip-path="url(#hill-clip)" {
            path.hill-top d=(line(scenario, HILL, 26.0)) {}
            path.hachure d=(edge) {}
            path.hachure.upper d=(line(scenario, HILL, 27.0)) {}
        }
    }
}

/// Water: a fill, and lines along the shore that grow fainter out at sea.
fn water(scenario: &Scenario) -> Markup {
    html! {
        path.water d=(line(scenario, WATER, 0.0)) {}
        @for (at, inset) in [6.0, 13.0, 22.0].into_iter().enumerate() {
            path class={"shoreline s" (at)} d=(line(scenario, WATER, inset)) {}
        }
        (marks::waves(scenario))
    }
}
