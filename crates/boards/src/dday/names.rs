//! Names on the map, in the strip below the counters of a zone, where nothing covers them.

use dday::Scenario;
use maud::{Markup, html};
use terrain::{Cell, Octant};

use super::frame::{Point, Tenths, ZONE, centre};

/// The size of the letters, and the smallest that is used for a long name.
const SIZES: (f64, f64) = (13.0, 8.6);
/// The width of a letter as a part of its size, in an italic hand.
const LETTER: f64 = 0.47;

/// The names of zones.
pub fn draw(scenario: &Scenario) -> Markup {
    html! {
        g.names {
            @for (zone, name) in &scenario.names { (name_of(scenario, *zone, name)) }
        }
    }
}

/// How wide a name is at the usual size.
fn width(name: &str, size: f64) -> f64 {
    name.chars().count() as f64 * size * LETTER
}

/// The room that a name has: its own zone, and what the names of the zones beside it leave over.
fn room(scenario: &Scenario, zone: Cell) -> f64 {
    let beside = |way: Octant| {
        let near = scenario.grid.neighbour(zone, way);
        near.map_or(4.0, |near| match scenario.zone_name(near) {
            Some(name) => ((ZONE - width(name, SIZES.0)) / 2.0).clamp(0.0, 30.0),
            None => 40.0,
        })
    };
    ZONE - 4.0 + 2.0 * beside(Octant::W).min(beside(Octant::E))
}

fn name_of(scenario: &Scenario, zone: Cell, name: &str) -> Markup {
    let room = room(scenario, zone);
    let size = (room / (name.chars().count() as f64 * LETTER)).clamp(SIZES.1, SIZES.0);
    let squeezed = (width(name, size) > room).then_some(room);
    let Point { x, y } = centre(scenario.grid, zone);
    html! {
        text x=(x) y=(y + 45.0) font-size=(Tenths(size)) textLength=[squeezed] lengthAdjust=[squeezed.map(|_| "spacingAndGlyphs")] {
            (name)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_smaller() {
        let scenario = Scenario::builtin("berlin").expect("it is built in");
        let drawn = draw(&scenario).into_string();
        assert!(drawn.contains("font-size=\"13\""), "short names have the usual size");
        let zoo = drawn.split("<text").find(|text| text.contains("Tiergarten")).expect("it has a name");
        assert!(!zoo.contains("font-size=\"13\""), "{zoo}");
    }
}
