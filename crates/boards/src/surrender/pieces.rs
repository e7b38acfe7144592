//! Long lines of the map, cut into pieces of about eight by eight hexes.
//!
//! A browser draws what is in sight in squares, and looks at every path that touches one. A line that runs through all of
//! Europe, dashed above all, would be walked from end to end for each of them.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use maud::{Markup, html};

use super::frame::{self, Corner, Point};

/// The size of a piece in units of the map.
const SIZE: f64 = 160.0;

/// Paths by the piece of the map in which they lie: row, column.
#[derive(Debug, Default)]
pub struct Pieces(BTreeMap<(i32, i32), String>);

impl Pieces {
    /// The path of the piece in which a point lies.
    pub fn at(&mut self, at: Point) -> &mut String {
        self.0.entry(number(at)).or_default()
    }

    /// A line from point to point. It goes on in another path where it comes into another piece.
    pub fn line(&mut self, points: &[Point]) {
        let mut before = None;
        for pair in points.windows(2) {
            let piece = number(pair[0]);
            let path = self.0.entry(piece).or_default();
            if before.replace(piece) != Some(piece) {
                let _ = write!(path, "M{} {}l", short(pair[0].x), short(pair[0].y));
            }
            write_step(path, pair[1].x - pair[0].x, pair[1].y - pair[0].y);
        }
    }

    /// The same with its corners rounded, as a river runs: it is cut between two corners, where it is straight.
    pub fn curve(&mut self, corners: &[Corner]) {
        let points: Vec<Point> = corners.iter().map(|corner| frame::point(*corner)).collect();
        let (Some(first), Some(last)) = (points.first(), points.last()) else { return };
        let mut here = *first;
        let mut before = None;
        for pair in points.windows(2).skip(1) {
            let middle = Point { x: (pair[0].x + pair[1].x) / 2.0, y: (pair[0].y + pair[1].y) / 2.0 };
            let path = self.piece_from(here, &mut before);
            let _ = write!(
                path,
                "Q{} {} {} {}",
                short(pair[0].x),
                short(pair[0].y),
                short(middle.x),
                short(middle.y)
            );
            here = middle;
        }
        let path = self.piece_from(here, &mut before);
        let _ = write!(path, "L{} {}", short(last.x), short(last.y));
    }

    /// The path of the piece in which a point lies; where that is another one than before, it begins there.
    fn piece_from(&mut self, here: Point, before: &mut Option<(i32, i32)>) -> &mut String {
        let piece = number(here);
        let path = self.0.entry(piece).or_default();
        if before.replace(piece) != Some(piece) {
            let _ = write!(path, "M{} {}", short(here.x), short(here.y));
        }
        path
    }

    /// The paths as a layer.
    pub fn draw(&self, id: &str) -> Markup {
        html! { g id=(id) { @for path in self.0.values() { path d=(path) {} } } }
    }
}

/// The number of the piece in which a point lies.
fn number(Point { x, y }: Point) -> (i32, i32) {
    ((y / SIZE).floor() as i32, (x / SIZE).floor() as i32)
}

/// A coordinate with a digit behind the point, without a zero that says nothing.
fn short(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map_or_else(|| text.clone(), str::to_owned)
}

fn write_step(path: &mut String, right: f64, down: f64) {
    let (right, down) = (short(right), short(down));
    let gap = if down.starts_with('-') { "" } else { " " };
    let _ = write!(path, "{right}{gap}{down} ");
}

/// The lines of a path that has only `M`, `l` and `z`, as points.
pub fn lines(path: &str) -> Vec<Vec<Point>> {
    let mut all: Vec<Vec<Point>> = Vec::new();
    for line in path.split('M').filter(|line| !line.is_empty()) {
        let (first, rest) = line.split_once('l').map_or((line, ""), |(first, rest)| (first, rest));
        let mut points = pairs(first.trim_end_matches('z'));
        let mut at = points.last().copied().unwrap_or(Point { x: 0.0, y: 0.0 });
        for Point { x, y } in pairs(rest.trim_end_matches('z')) {
            at = Point { x: at.x + x, y: at.y + y };
            points.push(at);
        }
        if line.ends_with('z')
            && let Some(first) = points.first().copied()
        {
            points.push(first);
        }
        all.push(points);
    }
    all
}

/// Numbers in pairs, parted by spaces or by the sign of the next.
fn pairs(text: &str) -> Vec<Point> {
    let spaced = text.replace('-', " -");
    let numbers: Vec<f64> = spaced.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    numbers.chunks_exact(2).map(|pair| Point { x: pair[0], y: pair[1] }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(x: f64, y: f64) -> Point {
        Point { x, y }
    }

    #[test]
    fn a_line_goes_on_in_the_next_piece() {
        let mut pieces = Pieces::default();
        pieces.line(&[at(150.0, 10.0), at(170.0, 10.0), at(200.5, 9.0)]);
        let paths: Vec<&String> = pieces.0.values().collect();
        assert_eq!(paths, ["M150 10l20 0 ", "M170 10l30.5-1 "]);
    }

    #[test]
    fn a_curve_is_cut_between_its_corners() {
        let mut pieces = Pieces::default();
        pieces.curve(&[(14, 2), (15, 3), (17, 3), (18, 4)]);
        let paths: Vec<&String> = pieces.0.values().collect();
        assert_eq!(paths.len(), 2);
        let end = paths[0].rsplit_once('Q').and_then(|(_, end)| end.split_once(' ')).map(|(_, end)| end);
        assert!(end.is_some_and(|end| {
            paths[1].starts_with(&format!("M{}", &end[end.find(' ').map_or(0, |at| at + 1)..]))
        }));
    }

    #[test]
    fn a_path_is_read_as_points() {
        assert_eq!(
            lines("M234.5 1l2.5-.5 0-.5zM1 2 3 4"),
            [
                vec![at(234.5, 1.0), at(237.0, 0.5), at(237.0, 0.0), at(234.5, 1.0)],
                vec![at(1.0, 2.0), at(3.0, 4.0)]
            ]
        );
    }
}
