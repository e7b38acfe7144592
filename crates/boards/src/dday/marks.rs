//! The small marks of the ground: trees, hedges, reeds, sand, waves, houses. They lie where a grain of chance puts them, and
//! out of the way of roads.
//!
//! A path whose vertices bear a marker is the shortest way to write many equal signs.

use std::fmt::Write as _;

use dday::{Ground, Scenario};
use maud::{Markup, html};
use terrain::{Cell, Octant};

use super::frame::{Point, Tenths, ZONE, centre, corner, edge, grain, sway, vertex};

/// How far a mark keeps from the middle of a road.
const ROADSIDE: f64 = 8.0;

/// The zones of some grounds.
fn zones<'s>(scenario: &'s Scenario, of: &'s [Ground]) -> impl Iterator<Item = Cell> + 's {
    scenario.grid.cells().filter(|zone| of.contains(&scenario.ground[usize::from(*zone)]))
}

/// How far a point is from a piece of a line.
fn from_line(point: Point, from: Point, to: Point) -> f64 {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let along = ((point.x - from.x) * dx + (point.y - from.y) * dy) / (dx * dx + dy * dy);
    point.distance(from.towards(to, along.clamp(0.0, 1.0)))
}

/// Whether a point of a zone is so far from every road and river in it.
fn is_clear(scenario: &Scenario, zone: Cell, point: Point, distance: f64) -> bool {
    let (grid, lay) = (scenario.grid, &scenario.lay[usize::from(zone)]);
    let middle = centre(grid, zone);
    Octant::ALL.into_iter().all(|way| {
        let on_road =
            lay.roads >> way.index() & 1 != 0 && from_line(point, middle, edge(grid, zone, way)) < distance;
        let in_river = !way.is_diagonal() && lay.rivers >> way.index() & 1 != 0 && {
            let ends = [way.turned(7), way.turned(1)].map(|way| edge(grid, zone, way));
            from_line(point, ends[0], ends[1]) < distance
        };
        !on_road && !in_river
    })
}

/// So many by so many points in a zone, each a little off its place.
fn scatter(scenario: &Scenario, zone: Cell, per_side: i32, salt: u32, mut found: impl FnMut(Point, i32)) {
    let at = corner(scenario.grid, zone);
    let step = ZONE / f64::from(per_side);
    for row in 0..per_side {
        for column in 0..per_side {
            let seed = i32::from(zone) * 64 + row * per_side + column;
            let off = |salt| sway(seed, row, salt) * step * 0.36;
            let place = |at: f64, index: i32, off: f64| at + (f64::from(index) + 0.5) * step + off;
            let point = Point::new(place(at.x, column, off(salt)), place(at.y, row, off(salt + 1)));
            found(point, seed);
        }
    }
}

/// A path with a sign at every vertex.
fn signs(points: &[Point], sign: &str) -> Markup {
    let mut path = String::new();
    for (at, point) in points.iter().enumerate() {
        let _ = write!(path, "{}{point}", if at == 0 { "M" } else { " " });
    }
    let url = format!("url(#{sign})");
    html! {
        @if !points.is_empty() {
            path.signs d=(path) marker-start=(url) marker-mid=[(points.len() > 2).then_some(&url)] marker-end=(url) {}
        }
    }
}

/// Trees: many in a forest, a few at the edge of fields.
pub fn trees(scenario: &Scenario) -> Markup {
    let (mut round, mut small) = (Vec::new(), Vec::new());
    for zone in zones(scenario, &[Ground::Forest]) {
        scatter(scenario, zone, 5, 11, |point, seed| {
            if is_clear(scenario, zone, point, ROADSIDE) && grain(seed, 1, 12) < 0.86 {
                if grain(seed, 2, 13) < 0.6 { &mut round } else { &mut small }.push(point);
            }
        });
    }
    for zone in zones(scenario, &[Ground::Open, Ground::Town]) {
        scatter(scenario, zone, 4, 14, |point, seed| {
            if grain(seed, 3, 15) < 0.09 && is_clear(scenario, zone, point, ROADSIDE + 3.0) {
                small.push(point);
            }
        });
    }
    // What lies farther south is drawn over what lies behind it.
    for all in [&mut round, &mut small] {
        all.sort_by(|a, b| a.y.total_cmp(&b.y));
    }
    html! { (signs(&round, "tree")) (signs(&small, "bush")) }
}

/// Reeds in a marsh.
pub fn reeds(scenario: &Scenario) -> Markup {
    let mut tufts = Vec::new();
    for zone in zones(scenario, &[Ground::Marsh]) {
        scatter(scenario, zone, 4, 21, |point, seed| {
            if grain(seed, 1, 22) < 0.8 && is_clear(scenario, zone, point, ROADSIDE) {
                tufts.push(point);
            }
        });
    }
    signs(&tufts, "reed")
}

/// Waves out at sea.
pub fn waves(scenario: &Scenario) -> Markup {
    let mut waves = Vec::new();
    for zone in zones(scenario, &[Ground::Sea, Ground::Lake, Ground::Landing]) {
        scatter(scenario, zone, 3, 31, |point, seed| {
            if grain(seed, 1, 32) < 0.45 {
                waves.push(point);
            }
        });
    }
    signs(&waves, "wave")
}

/// The dots of a beach.
pub fn sand(scenario: &Scenario) -> Markup {
    let mut path = String::new();
    for zone in zones(scenario, &[Ground::Beach]) {
        scatter(scenario, zone, 8, 41, |point, _| {
            let _ = write!(path, "M{point}h0");
        });
    }
    html! { path.sand d=(path) {} }
}

/// Hedgerows: a net of banks with bushes on them, which runs on from zone to zone.
pub fn hedges(scenario: &Scenario) -> Markup {
    const PER_ZONE: i32 = 3;
    let grid = scenario.grid;
    let is_bocage = |column: i32, row: i32| {
        let inside = column >= 0 && row >= 0;
        let zone = if inside { grid.cell(column as u8 + 1, row as u8 + 1) } else { None };
        zone.is_some_and(|zone| scenario.ground[usize::from(zone)] == Ground::Bocage)
    };
    let knot = |x: i32, y: i32| {
        let step = ZONE / f64::from(PER_ZONE);
        let origin = vertex(0, 0);
        let off = |salt| sway(x, y, salt) * 9.5;
        Point::new(
            origin.x + (f64::from(x) + 0.5) * step + off(51),
            origin.y + (f64::from(y) + 0.5) * step + off(52),
        )
    };
    let mut path = String::new();
    for y in 0..i32::from(grid.rows()) * PER_ZONE {
        for x in 0..i32::from(grid.cols()) * PER_ZONE {
            if !is_bocage(x / PER_ZONE, y / PER_ZONE) {
                continue;
            }
            for (dx, dy) in [(1, 0), (0, 1), (-1, 0), (0, -1)] {
                let (there_x, there_y) = (x + dx, y + dy);
                let inside = is_bocage(there_x.div_euclid(PER_ZONE), there_y.div_euclid(PER_ZONE));
                // A hedge is drawn once, and the last ones end in the open.
                let grown = grain(x.min(there_x) * 2 + dx.abs(), y.min(there_y), 53) < 0.88;
                if grown && (!inside || dx + dy > 0) {
                    let (here, there) = (knot(x, y), knot(there_x, there_y));
                    let end = if inside { there } else { here.towards(there, 0.52) };
                    let _ = write!(path, "M{here}L{end}");
                }
            }
        }
    }
    html! { path.bank d=(path) {} path.hedge d=(path) {} }
}

/// The edges of fields in open country: faint, and only here and there.
pub fn parcels(scenario: &Scenario) -> Markup {
    let mut path = String::new();
    for zone in zones(scenario, &[Ground::Open, Ground::Town]) {
        let mut knots = Vec::new();
        scatter(scenario, zone, 3, 61, |point, _| knots.push(point));
        for (at, knot) in knots.iter().enumerate() {
            let seed = i32::from(zone) * 9 + at as i32;
            if at % 3 < 2 && grain(seed, 1, 62) < 0.34 {
                let _ = write!(path, "M{knot}L{}", knots[at + 1]);
            }
            if at < 6 && grain(seed, 2, 63) < 0.34 {
                let _ = write!(path, "M{knot}L{}", knots[at + 3]);
            }
        }
    }
    html! { path.parcel d=(path) {} }
}

/// Houses: loose around the middle of a town, in blocks along the streets of a city.
pub fn houses(scenario: &Scenario) -> Markup {
    let mut path = String::new();
    for zone in zones(scenario, &[Ground::Town]) {
        let middle = centre(scenario.grid, zone);
        scatter(scenario, zone, 6, 71, |point, seed| {
            // The nearer to the middle, the denser.
            let near = 1.0 - point.distance(middle) / 58.0;
            if grain(seed, 1, 72) < near * 1.25 && is_clear(scenario, zone, point, ROADSIDE) {
                let size = (4.5 + grain(seed, 2, 73) * 4.0, 3.6 + grain(seed, 3, 74) * 2.6);
                lobby(point, size, sway(seed, 4, 75) * 0.5, &mut path);
            }
        });
    }
    let mut blocks = String::new();
    for zone in zones(scenario, &[Ground::City]) {
        let at = corner(scenario.grid, zone);
        for row in 0..4 {
            for column in 0..4 {
                let seed = i32::from(zone) * 16 + row * 4 + column;
                block(scenario, zone, at, (column, row), seed, &mut blocks);
            }
        }
    }
    html! {
        @if !path.is_empty() { path.houses d=(path) {} }
        @if !blocks.is_empty() { path.blocks d=(blocks) {} }
    }
}

/// A block of a city: whole, in two halves, or with a yard.
fn block(
    scenario: &Scenario,
    zone: Cell,
    at: Point,
    (column, row): (i32, i32),
    seed: i32,
    path: &mut String,
) {
    let (x, y) = (at.x + 15.0 + f64::from(column) * 23.4, at.y + 15.0 + f64::from(row) * 23.4);
    let point = Point::new(x + sway(seed, 1, 81) * 1.5, y + sway(seed, 2, 82) * 1.5);
    let (wide, high) = (7.6 + grain(seed, 3, 83) * 1.6, 7.6 + grain(seed, 4, 84) * 1.6);
    let tilt = sway(i32::from(zone), 5, 85) * 0.07;
    if grain(seed, 6, 86) < 0.07 || !is_clear(scenario, zone, point, ROADSIDE + 1.5) {
        return;
    }
    match (grain(seed, 7, 87) * 4.0) as u8 {
        0 => {
            lobby(Point::new(point.x - wide / 2.0 - 0.7, point.y), (wide / 2.0 - 0.4, high), tilt, path);
            lobby(Point::new(point.x + wide / 2.0 + 0.7, point.y), (wide / 2.0 - 0.4, high), tilt, path);
        }
        1 => {
            lobby(point, (wide, high), tilt, path);
            // A yard is a ring the other way round: a hole.
            lobby(point, (-wide * 0.45, high * 0.45), tilt, path);
        }
        _ => lobby(point, (wide, high), tilt, path),
    }
}

/// A server by its half sizes and its tilt.
fn lobby(middle: Point, (wide, high): (f64, f64), tilt: f64, path: &mut String) {
    let (sin, cos) = tilt.sin_cos();
    let turned = |x: f64, y: f64| (x * cos - y * sin, x * sin + y * cos);
    let (start_x, start_y) = turned(-wide, -high);
    let _ = write!(path, "M{}", Point::new(middle.x + start_x, middle.y + start_y));
    for (x, y) in [(2.0 * wide, 0.0), (0.0, 2.0 * high), (-2.0 * wide, 0.0)] {
        let (x, y) = turned(x, y);
        let _ = write!(path, "l{} {}", Tenths(x), Tenths(y));
    }
    path.push('z');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn houses_keep_off_the_road() {
        let scenario = Scenario::builtin("villers_bocage").expect("it is built in");
        let zone = scenario.grid.parse("0705").expect("on the map");
        let middle = centre(scenario.grid, zone);
        assert!(!is_clear(&scenario, zone, middle, ROADSIDE));
        assert!(is_clear(&scenario, zone, Point::new(middle.x + 40.0, middle.y + 4.0), ROADSIDE));
    }

    #[test]
    fn a_line_is_as_far_as_its_nearest_point() {
        let line = (Point::new(0.0, 0.0), Point::new(10.0, 0.0));
        assert_eq!(from_line(Point::new(5.0, 3.0), line.0, line.1), 3.0);
        assert_eq!(from_line(Point::new(13.0, 4.0), line.0, line.1), 5.0);
    }
}
