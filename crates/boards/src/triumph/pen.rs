//! Writes paths as short as the format allows: the map is a file that everybody loads once.

use std::fmt::Write as _;

/// A point of the map in tenths of a unit. Whole numbers, so that lines that meet do so exactly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Point {
    /// To the east.
    pub x: i32,
    /// To the south.
    pub y: i32,
}

impl Point {
    /// The point nearest to a place in units.
    pub fn at(x: f64, y: f64) -> Self {
        Self { x: Tenths::of(x).0, y: Tenths::of(y).0 }
    }

    /// The place in units.
    pub fn units(self) -> (f64, f64) {
        (f64::from(self.x) / 10.0, f64::from(self.y) / 10.0)
    }

    /// How far another point is, in units.
    pub fn distance(self, other: Self) -> f64 {
        f64::from(other.x - self.x).hypot(f64::from(other.y - self.y)) / 10.0
    }
}

/// The `d` of a path while it is drawn.
#[derive(Clone, Debug, Default)]
pub struct Pen {
    d: String,
    at: Point,
    command: char,
}

impl Pen {
    /// Begins a line.
    pub fn move_to(&mut self, to: Point) {
        self.command('M');
        self.number(to.x);
        self.number(to.y);
        self.at = to;
    }

    /// Goes on to a point.
    pub fn line_to(&mut self, to: Point) {
        // A command holds for all numbers that follow.
        if self.command != 'l' {
            self.command('l');
        }
        self.number(to.x - self.at.x);
        self.number(to.y - self.at.y);
        self.at = to;
    }

    /// A line through points.
    pub fn line(&mut self, points: &[Point]) {
        let Some((first, rest)) = points.split_first() else { return };
        self.move_to(*first);
        for point in rest {
            self.line_to(*point);
        }
    }

    /// An outline; the last point may be the first again.
    pub fn ring(&mut self, points: &[Point]) {
        let open = match points {
            [first, rest @ .., last] if first == last && !rest.is_empty() => &points[..points.len() - 1],
            _ => points,
        };
        self.line(open);
        self.command('z');
    }

    /// An outline through places in units.
    pub fn shape(&mut self, corners: &[(f64, f64)]) {
        let points: Vec<Point> = corners.iter().map(|(x, y)| Point::at(*x, *y)).collect();
        self.ring(&points);
    }

    /// A dot: a line of no length, which a round cap makes visible.
    pub fn dot(&mut self, at: Point) {
        self.move_to(at);
        self.d.push_str("h0");
        self.command = 'h';
    }

    /// A circle.
    pub fn circle(&mut self, x: f64, y: f64, radius: f64) {
        // Twice the rounded radius, or the halves would not be halves.
        let reach = Tenths::of(radius).0;
        let across = reach * 2;
        let middle = Point::at(x, y);
        self.move_to(Point { x: middle.x - reach, y: middle.y });
        for way in [across, -across] {
            self.command('a');
            for number in [reach, reach, 0, 10, 0, way, 0] {
                self.number(number);
            }
        }
        self.command('z');
    }

    /// What was drawn.
    pub fn done(self) -> String {
        self.d
    }

    fn command(&mut self, command: char) {
        self.d.push(command);
        self.command = command;
    }

    /// A number, apart from the one before it by as little as possible.
    fn number(&mut self, tenths: i32) {
        if tenths >= 0 && self.d.ends_with(|last: char| last.is_ascii_digit()) {
            self.d.push(' ');
        }
        let _ = write!(self.d, "{}", Tenths(tenths));
    }
}

/// Tenths as people and paths write them: `12`, `1.5`, `-.5`.
#[derive(Clone, Copy, Debug)]
pub struct Tenths(pub i32);

impl Tenths {
    /// The tenths nearest to a number of units.
    pub fn of(units: f64) -> Self {
        Self((units * 10.0).round() as i32)
    }
}

impl std::fmt::Display for Tenths {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (whole, part) = (self.0.unsigned_abs() / 10, self.0.unsigned_abs() % 10);
        if self.0 < 0 {
            f.write_str("-")?;
        }
        if whole > 0 || part == 0 {
            write!(f, "{whole}")?;
        }
        if part > 0 {
            write!(f, ".{part}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_short() {
        let mut pen = Pen::default();
        pen.line(&[Point { x: 100, y: 25 }, Point { x: 105, y: 20 }, Point { x: 95, y: 40 }]);
        assert_eq!(pen.done(), "M10 2.5l.5-.5-1 2");
    }

    #[test]
    fn a_ring_is_closed_once() {
        let corner = |x, y| Point { x, y };
        let mut pen = Pen::default();
        pen.ring(&[corner(0, 0), corner(10, 0), corner(10, 10), corner(0, 0)]);
        pen.ring(&[corner(20, 0), corner(30, 0), corner(30, 10)]);
        assert_eq!(pen.done(), "M0 0l1 0 0 1zM2 0l1 0 0 1z");
    }

    #[test]
    fn circles_and_dots_are_paths_too() {
        let mut pen = Pen::default();
        pen.circle(5.0, 5.0, 2.0);
        pen.dot(Point::at(1.0, 1.0));
        assert_eq!(pen.done(), "M3 5a2 2 0 1 0 4 0a2 2 0 1 0-4 0zM1 1h0");
    }
}
