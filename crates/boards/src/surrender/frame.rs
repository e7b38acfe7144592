//! Where things lie on the map: hexes with a point at the top, even rows half a hex to the right, in a frame of 1330 by 1114.
//!
//! Corners of hexes are whole numbers in steps of 10 by [`RISE`], so that outlines can be followed without rounding.

use std::collections::HashMap;
use std::fmt::Write as _;

use surrender::{Place, World};

/// The map is so wide.
pub const WIDTH: f64 = 1330.0;
/// The map is so high.
pub const HEIGHT: f64 = 1114.0;
/// Half the width of a hex.
pub const HALF: f64 = 10.0;
/// Half the side of a hex.
pub const RISE: f64 = 5.773_5;

/// A corner of a hex, in steps of [`HALF`] and [`RISE`].
pub type Corner = (i32, i32);

/// A point of the map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// From the left.
    pub x: f64,
    /// From the top.
    pub y: f64,
}

/// A Map Box on the map: left, top, width, height.
#[derive(Clone, Copy, Debug)]
pub struct BoxFrame {
    /// Which box.
    pub place: Place,
    /// Its name.
    pub name: &'static str,
    /// Left, top, width, height.
    pub frame: [f64; 4],
}

/// The Map Boxes lie where the map has nothing that a unit could enter.
pub const BOXES: [BoxFrame; 3] = [
    BoxFrame { place: Place::CRU, name: "Central Russia", frame: [1134.0, 44.0, 184.0, 100.0] },
    BoxFrame { place: Place::ENA, name: "Eastern North America", frame: [10.0, 286.0, 118.0, 92.0] },
    BoxFrame { place: Place::WIO, name: "Western Indian Ocean", frame: [1186.0, 1020.0, 134.0, 84.0] },
];

/// The six directions of the rules, each as the two corners of its side in the order of the clock: around the middle of a hex.
const SIDES: [[Corner; 2]; 6] = [
    [(1, -1), (1, 1)],
    [(-1, 1), (-1, -1)],
    [(0, -2), (1, -1)],
    [(-1, -1), (0, -2)],
    [(1, 1), (0, 2)],
    [(0, 2), (-1, 1)],
];

/// The middle of a hex at a row and column.
pub fn middle(row: u8, col: u8) -> Corner {
    let (row, col) = (i32::from(row), i32::from(col));
    (2 * (col - 1) + 1 + i32::from(row % 2 == 0), 3 * (row - 1) + 2)
}

/// A corner as a point.
pub fn point((x, y): Corner) -> Point {
    Point { x: f64::from(x) * HALF, y: (f64::from(y) * RISE * 10.0).round() / 10.0 }
}

/// The middle of a place: a hex, or a Map Box.
pub fn centre(world: &World, place: Place) -> Option<Point> {
    if place.is_hex() {
        let info = world.hex(place);
        return Some(point(middle(info.row, info.col)));
    }
    BOXES.iter().find(|known| known.place == place).map(|known| {
        let [left, top, wide, high] = known.frame;
        Point { x: left + wide / 2.0, y: top + high / 2.0 }
    })
}

/// A side of a hex.
pub fn side(world: &World, hex: Place, direction: usize) -> [Corner; 2] {
    let info = world.hex(hex);
    let (x, y) = middle(info.row, info.col);
    SIDES[direction].map(|(right, down)| (x + right, y + down))
}

/// The outline of all hexes of a set, as a path: only the sides that lie between in and out.
pub fn outline(world: &World, mut is_in: impl FnMut(Place) -> bool) -> String {
    let inside: Vec<bool> = Place::hexes().map(&mut is_in).collect();
    let mut next: HashMap<Corner, Corner> = HashMap::new();
    let mut starts: Vec<Corner> = Vec::new();
    for hex in Place::hexes().filter(|hex| inside[hex.index()]) {
        for (direction, near) in world.hex(hex).near.iter().enumerate() {
            if !near.is_hex() || !inside[near.index()] {
                let [from, to] = side(world, hex, direction);
                next.insert(from, to);
                starts.push(from);
            }
        }
    }
    let mut path = String::new();
    for start in starts {
        let mut ring = vec![start];
        let Some(mut at) = next.remove(&start) else { continue };
        while at != start {
            ring.push(at);
            let Some(to) = next.remove(&at) else { break };
            at = to;
        }
        write_line(&mut path, &ring);
        path.push('z');
    }
    path
}

/// Sides of hexes, put together to lines that are as long as they can be.
pub fn lines(sides: &[[Corner; 2]]) -> Vec<Vec<Corner>> {
    let mut at: HashMap<Corner, Vec<usize>> = HashMap::new();
    for (number, side) in sides.iter().enumerate() {
        for corner in side {
            at.entry(*corner).or_default().push(number);
        }
    }
    let mut used = vec![false; sides.len()];
    let mut all = Vec::new();
    // First those that end somewhere, then rings.
    for rings in [false, true] {
        for (number, ends) in sides.iter().enumerate() {
            let Some(start) = ends.iter().find(|end| rings || at[*end].len() != 2) else { continue };
            if !used[number] {
                all.push(follow(sides, &at, &mut used, number, *start));
            }
        }
    }
    all
}

fn follow(
    sides: &[[Corner; 2]],
    at: &HashMap<Corner, Vec<usize>>,
    used: &mut [bool],
    first: usize,
    start: Corner,
) -> Vec<Corner> {
    let mut line = vec![start];
    let mut next = Some(first);
    let mut here = start;
    while let Some(number) = next {
        used[number] = true;
        let [one, other] = sides[number];
        here = if one == here { other } else { one };
        line.push(here);
        let around = &at[&here];
        next = if around.len() == 2 { around.iter().copied().find(|side| !used[*side]) } else { None };
    }
    line
}

/// A line from corner to corner, in steps.
pub fn write_line(path: &mut String, corners: &[Corner]) {
    let Some(first) = corners.first() else { return };
    let Point { x, y } = point(*first);
    let _ = write!(path, "M{x} {y}l");
    for pair in corners.windows(2) {
        let (right, down) = (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1);
        let down = match down {
            0 => "0",
            1 => "5.77",
            -1 => "-5.77",
            down if down > 0 => "11.55",
            _ => "-11.55",
        };
        let gap = if down.starts_with('-') { "" } else { " " };
        let _ = write!(path, "{}{gap}{down} ", right * 10);
    }
}

/// The same with its corners rounded, as a river runs.
pub fn write_curve(path: &mut String, corners: &[Corner]) {
    let points: Vec<Point> = corners.iter().map(|corner| point(*corner)).collect();
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return };
    let _ = write!(path, "M{} {}", first.x, first.y);
    for pair in points.windows(2).skip(1) {
        let (x, y) = ((pair[0].x + pair[1].x) / 2.0, (pair[0].y + pair[1].y) / 2.0);
        let _ = write!(path, "Q{} {} {x} {y:.1}", pair[0].x, pair[0].y);
    }
    let _ = write!(path, "L{} {}", last.x, last.y);
}

/// A path through places, for arrows and marches.
pub fn way(world: &World, places: &[Place]) -> String {
    let mut path = String::new();
    for (at, place) in places.iter().enumerate() {
        if let Some(Point { x, y }) = centre(world, *place) {
            let _ = write!(path, "{}{x} {y}", if at == 0 { 'M' } else { 'L' });
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn berlin_lies_where_the_map_has_it() {
        let world = World::get();
        let hex = world.hex_named("2828").expect("Berlin");
        let at = centre(world, hex).expect("a hex has a middle");
        assert!((at.x - 560.0).abs() < 0.1 && (at.y - 479.2).abs() < 0.1, "{at:?}");
    }

    #[test]
    fn neighbours_share_a_side() {
        let world = World::get();
        for hex in Place::hexes() {
            for (direction, near) in world.hex(hex).near.iter().enumerate().filter(|(_, near)| near.is_hex())
            {
                let back = world.direction(*near, hex).expect("it is next to it");
                let [from, to] = side(world, hex, direction);
                assert_eq!(side(world, *near, back), [to, from]);
            }
        }
    }

    #[test]
    fn an_outline_of_one_hex_has_six_sides() {
        let world = World::get();
        let berlin = world.hex_named("2828").expect("Berlin");
        let path = outline(world, |hex| hex == berlin);
        assert_eq!(path.matches('M').count(), 1);
        assert_eq!(
            path.split_whitespace().count(),
            12 - path.matches("-5.77").count() - path.matches("-11.55").count()
        );
    }

    #[test]
    fn sides_become_long_lines() {
        let ring = [[(0, 0), (1, 1)], [(1, 1), (1, 3)], [(1, 3), (0, 4)]];
        assert_eq!(lines(&ring), [vec![(0, 0), (1, 1), (1, 3), (0, 4)]]);
    }
}
