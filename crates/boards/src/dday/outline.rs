//! Outlines of ground: zones of the same kind flow into each other, as on a drawn map, where nothing is square.
//!
//! The edge of a set of zones is traced along the grid; zones that only touch at a corner hang together by a neck. Every
//! edge then sways a little, always in the same way, and the corners are rounded.

use std::fmt::Write as _;

use super::frame::{MARGIN, Point, ZONE, sway};

/// A set of zones on an endless board: whether the zone of a column and row, both counted from 0, belongs to it.
pub trait Area {
    /// Whether it belongs.
    fn has(&self, column: i32, row: i32) -> bool;
}

impl<F: Fn(i32, i32) -> bool> Area for F {
    fn has(&self, column: i32, row: i32) -> bool {
        self(column, row)
    }
}

/// A ring of grid vertices around zones, with the zones to its right hand.
type Ring = Vec<(i32, i32)>;

/// The four ways along the grid, clockwise.
const WAYS: [(i32, i32); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];

/// The zone to the right of an edge that leads from a vertex one way.
const fn right((x, y): (i32, i32), way: usize) -> (i32, i32) {
    match way {
        0 => (x, y),
        1 => (x - 1, y),
        2 => (x - 1, y - 1),
        _ => (x, y - 1),
    }
}

/// The zone to the left of such an edge.
const fn left((x, y): (i32, i32), way: usize) -> (i32, i32) {
    match way {
        0 => (x, y - 1),
        1 => (x, y),
        2 => (x - 1, y),
        _ => (x - 1, y - 1),
    }
}

/// The rings around a set of zones within a box of columns and rows. One column and row more on every side is looked at, so
/// that ground which runs off the map has its edge beyond it.
fn rings(area: &impl Area, columns: i32, rows: i32) -> Vec<Ring> {
    let (low, width, height) = (-2, columns + 5, rows + 5);
    let inside = |(column, row): (i32, i32)| {
        (-1..=columns).contains(&column) && (-1..=rows).contains(&row) && area.has(column, row)
    };
    let is_edge = |at, way| inside(right(at, way)) && !inside(left(at, way));
    let index =
        |(x, y): (i32, i32), way: usize| (((y - low) * width + (x - low)) as usize) * WAYS.len() + way;
    let mut seen = vec![false; (width * height) as usize * WAYS.len()];
    let mut rings = Vec::new();
    for y in -1..=rows + 1 {
        for x in -1..=columns + 1 {
            if !is_edge((x, y), 0) || seen[index((x, y), 0)] {
                continue;
            }
            let (mut at, mut way, mut ring) = ((x, y), 0, Vec::new());
            while !seen[index(at, way)] {
                seen[index(at, way)] = true;
                ring.push(at);
                at = (at.0 + WAYS[way].0, at.1 + WAYS[way].1);
                // To the left first: where zones touch at a corner only, they hang together.
                way = [(way + 3) % 4, way, (way + 1) % 4]
                    .into_iter()
                    .find(|way| is_edge(at, *way))
                    .unwrap_or(way);
            }
            rings.push(ring);
        }
    }
    rings
}

/// How an outline is drawn.
#[derive(Clone, Copy)]
pub struct Hand {
    /// So far inside the grid.
    pub inset: f64,
    /// So far an edge sways.
    pub sway: f64,
    /// Another number, another swaying.
    pub salt: u32,
}

/// The points of a ring in the drawing: two for each edge of a zone, a third of it from either end.
fn points(ring: &Ring, hand: Hand) -> Vec<Point> {
    let mut points = Vec::with_capacity(ring.len() * 2);
    for (at, &(x, y)) in ring.iter().enumerate() {
        let (end_x, end_y) = ring[(at + 1) % ring.len()];
        let (dx, dy) = (f64::from(end_x - x), f64::from(end_y - y));
        for third in [1, 2] {
            let along = f64::from(third) / 3.0;
            // The same edge sways in the same way whichever set it bounds.
            let (low_x, low_y) = (x.min(end_x), y.min(end_y));
            let part = if dx + dy > 0.0 { third } else { 3 - third };
            let salt = hand.salt * 4 + part as u32 * 2 + u32::from(dx == 0.0);
            let off = sway(low_x, low_y, salt) * hand.sway;
            // To the right of the way lies the inside.
            let (off_x, off_y) = if dx == 0.0 { (off, 0.0) } else { (0.0, off) };
            points.push(Point::new(
                MARGIN + (f64::from(x) + dx * along) * ZONE - dy * hand.inset + off_x,
                MARGIN + (f64::from(y) + dy * along) * ZONE + dx * hand.inset + off_y,
            ));
        }
    }
    points
}

/// A closed line that follows points without touching them: its corners are round.
pub fn smooth_ring(points: &[Point], path: &mut String) {
    let Some(last) = points.last() else { return };
    let _ = write!(path, "M{}", last.towards(points[0], 0.5));
    for (at, point) in points.iter().enumerate() {
        let next = points[(at + 1) % points.len()];
        let _ = write!(path, "Q{point} {}", point.towards(next, 0.5));
    }
    path.push('Z');
}

/// The outline of a set of zones as a path; empty where there are none.
pub fn outline(area: &impl Area, columns: u8, rows: u8, hand: Hand) -> String {
    let mut path = String::new();
    for ring in rings(area, i32::from(columns), i32::from(rows)) {
        smooth_ring(&points(&ring, hand), &mut path);
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(zones: &'static [(i32, i32)]) -> impl Area {
        move |column, row| zones.contains(&(column, row))
    }

    #[test]
    fn one_zone_is_a_ring_of_four_edges() {
        let rings = rings(&area(&[(1, 1)]), 3, 3);
        assert_eq!(rings, [vec![(1, 1), (2, 1), (2, 2), (1, 2)]]);
    }

    #[test]
    fn neighbours_share_a_ring_and_so_do_corners() {
        assert_eq!(rings(&area(&[(0, 0), (1, 0)]), 3, 3).len(), 1);
        let touching = rings(&area(&[(0, 0), (1, 1)]), 3, 3);
        assert_eq!(touching.iter().map(Vec::len).collect::<Vec<_>>(), [8], "they hang together");
        assert_eq!(rings(&area(&[(0, 0), (2, 2)]), 3, 3).len(), 2);
    }

    #[test]
    fn a_hole_has_a_ring_of_its_own() {
        let around: &[(i32, i32)] = &[(0, 0), (1, 0), (2, 0), (0, 1), (2, 1), (0, 2), (1, 2), (2, 2)];
        assert_eq!(rings(&area(around), 3, 3).len(), 2);
    }

    #[test]
    fn a_plain_hand_draws_inside_its_zones() {
        let hand = Hand { inset: 10.0, sway: 0.0, salt: 0 };
        let drawn = points(&vec![(1, 1), (2, 1), (2, 2), (1, 2)], hand);
        let (low, high) = (MARGIN + 110.0, MARGIN + 190.0);
        assert!(drawn.iter().all(|point| {
            (low - 1e-9..=high + 1e-9).contains(&point.x) && (low - 1e-9..=high + 1e-9).contains(&point.y)
        }));
    }

    #[test]
    fn ground_runs_off_the_map() {
        let path = outline(&|_: i32, _: i32| true, 2, 2, Hand { inset: 0.0, sway: 0.0, salt: 0 });
        assert!(path.starts_with('M') && path.ends_with('Z'));
        assert!(path.contains('-'), "its edge lies beyond the map: {path}");
        assert_eq!(outline(&area(&[]), 2, 2, Hand { inset: 0.0, sway: 0.0, salt: 0 }), "");
    }
}
