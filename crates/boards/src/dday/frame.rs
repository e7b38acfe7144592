//! Where things lie on the map: zones of a hundred units, a margin with their numbers, and a grain of chance that is the
//! same for ever, so that hand-drawn things stay where they were drawn.

use std::fmt;

use dday::Scenario;
use terrain::{Cell, Octant, SquareGrid};

/// The side of a zone in units of the drawing.
pub const ZONE: f64 = 100.0;
/// The margin that bears the numbers of columns and rows.
pub const MARGIN: f64 = 26.0;

/// A point of the drawing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// To the east.
    pub x: f64,
    /// To the south.
    pub y: f64,
}

impl Point {
    /// A point.
    pub const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    /// The point so far on the way to another.
    pub fn towards(self, other: Self, part: f64) -> Self {
        Self::new(self.x + (other.x - self.x) * part, self.y + (other.y - self.y) * part)
    }

    /// How far another point is.
    pub fn distance(self, other: Self) -> f64 {
        (other.x - self.x).hypot(other.y - self.y)
    }
}

/// Tenths are fine enough for any screen, and `12` is shorter than `12.0`.
impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", Tenths(self.x), Tenths(self.y))
    }
}

/// A number with at most one digit behind the point.
#[derive(Clone, Copy)]
pub struct Tenths(pub f64);

impl fmt::Display for Tenths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tenths = (self.0 * 10.0).round();
        // There is no minus nothing.
        let tenths = if tenths == 0.0 { 0.0 } else { tenths };
        write!(f, "{}", tenths / 10.0)
    }
}

/// The width of the map in units.
pub fn width(grid: SquareGrid) -> f64 {
    f64::from(grid.cols()) * ZONE + 2.0 * MARGIN
}

/// The height of the map in units.
pub fn height(grid: SquareGrid) -> f64 {
    f64::from(grid.rows()) * ZONE + 2.0 * MARGIN
}

/// The north-western corner of a zone.
pub fn corner(grid: SquareGrid, zone: Cell) -> Point {
    vertex(grid.column(zone) - 1, grid.row(zone) - 1)
}

/// The middle of a zone.
pub fn centre(grid: SquareGrid, zone: Cell) -> Point {
    let Point { x, y } = corner(grid, zone);
    Point::new(x + ZONE / 2.0, y + ZONE / 2.0)
}

/// A vertex of the grid: so many zones from the west and from the north.
pub fn vertex(column: u8, row: u8) -> Point {
    Point::new(MARGIN + f64::from(column) * ZONE, MARGIN + f64::from(row) * ZONE)
}

/// The middle of the edge between a zone and its neighbour, or the corner that they share.
pub fn edge(grid: SquareGrid, zone: Cell, way: Octant) -> Point {
    let (dx, dy) = way.step();
    let middle = centre(grid, zone);
    Point::new(middle.x + f64::from(dx) * ZONE / 2.0, middle.y + f64::from(dy) * ZONE / 2.0)
}

/// The number of a zone as an attribute wants it.
pub fn name(scenario: &Scenario, zone: Cell) -> String {
    scenario.grid.name(zone)
}

/// A grain of chance from three numbers, from 0 to 1: the same for ever.
pub fn grain(a: i32, b: i32, salt: u32) -> f64 {
    let mut hash = (a as u32).wrapping_mul(0x9E37_79B1)
        ^ (b as u32).wrapping_mul(0x85EB_CA77)
        ^ salt.wrapping_mul(0xC2B2_AE3D);
    hash ^= hash >> 15;
    hash = hash.wrapping_mul(0x2C1B_3C6D);
    hash ^= hash >> 12;
    hash = hash.wrapping_mul(0x297A_2D39);
    hash ^= hash >> 15;
    f64::from(hash) / f64::from(u32::MAX)
}

/// A grain of chance from -1 to 1.
pub fn sway(a: i32, b: i32, salt: u32) -> f64 {
    grain(a, b, salt) * 2.0 - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!(Point::new(12.0, -0.04).to_string(), "12 0");
        assert_eq!(Point::new(0.25, 99.96).to_string(), "0.3 100");
    }

    #[test]
    fn zones_lie_in_rows() {
        let grid = SquareGrid::new(12, 8);
        let zone = grid.parse("0302").expect("on the map");
        assert_eq!(corner(grid, zone), Point::new(MARGIN + 200.0, MARGIN + 100.0));
        assert_eq!(edge(grid, zone, Octant::E), Point::new(MARGIN + 300.0, MARGIN + 150.0));
        assert_eq!(edge(grid, zone, Octant::SW), Point::new(MARGIN + 200.0, MARGIN + 200.0));
    }

    #[test]
    fn grains_are_even_and_stay() {
        let all: Vec<f64> = (0..1000).map(|at| grain(at, at / 7, 3)).collect();
        let mean = all.iter().sum::<f64>() / 1000.0;
        assert!((0.45..0.55).contains(&mean), "{mean}");
        assert!(all.iter().all(|grain| (0.0..=1.0).contains(grain)));
        assert_eq!(grain(5, 6, 7), grain(5, 6, 7));
    }
}
