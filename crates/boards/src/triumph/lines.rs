//! What is drawn along lines and over land: peaks, trees, the ticks of a wall, the hatching of land out of play.
//!
//! These are paths of their own rather than patterns or markers, because the map is drawn from another file (`use`): there only
//! inherited properties reach, and a path needs no more.

use super::geometry::length;
use super::pen::{Pen, Point};

/// How far apart the peaks of mountains are.
const PEAKS: f64 = 8.6;
/// How far apart trees are.
const TREES: f64 = 7.5;
/// How far apart the ticks of a wall are.
const TICKS: f64 = 6.0;
/// How far apart the lines of a hatching are.
const HATCH: f64 = 6.0;

/// A place on a line, and the direction of the line there.
#[derive(Clone, Copy, Debug)]
struct Spot {
    x: f64,
    y: f64,
    along: (f64, f64),
}

/// Places at even distances along a line. The distance is stretched a little, so that the line ends as it begins.
fn spots(line: &[Point], apart: f64) -> Vec<Spot> {
    let whole = length(line);
    let count = (whole / apart).round().max(1.0);
    let step = whole / count;
    let mut spots = Vec::with_capacity(count as usize);
    let (mut next, mut done) = (step / 2.0, 0.0);
    for pair in line.windows(2) {
        let part = pair[0].distance(pair[1]);
        let ((x, y), (to_x, to_y)) = (pair[0].units(), pair[1].units());
        while part > 0.0 && next <= done + part && spots.len() < count as usize {
            let share = (next - done) / part;
            let along = ((to_x - x) / part, (to_y - y) / part);
            spots.push(Spot { x: x + (to_x - x) * share, y: y + (to_y - y) * share, along });
            next += step;
        }
        done += part;
    }
    spots
}

/// Mountains: peaks, and their sides in the shade. They stand upright whichever way the border runs, as on an old map.
pub fn peaks<'a>(lines: impl IntoIterator<Item = &'a Vec<Point>>) -> (String, String) {
    let (mut peaks, mut shades) = (Pen::default(), Pen::default());
    for line in lines {
        for (at, Spot { x, y, .. }) in spots(line, PEAKS).into_iter().enumerate() {
            let size = if at.is_multiple_of(2) { 1.0 } else { 0.78 };
            let (wide, high) = (4.1 * size, 6.4 * size);
            let foot = y + high * 0.45;
            peaks.shape(&[(x - wide, foot), (x, foot - high), (x + wide, foot)]);
            shades.shape(&[(x, foot - high), (x + wide, foot), (x + wide * 0.15, foot)]);
        }
    }
    (peaks.done(), shades.done())
}

/// Trees, left and right of the border in turn.
pub fn trees<'a>(lines: impl IntoIterator<Item = &'a Vec<Point>>) -> String {
    let mut pen = Pen::default();
    for line in lines {
        for (at, Spot { x, y, along }) in spots(line, TREES).into_iter().enumerate() {
            let aside = if at.is_multiple_of(2) { -1.1 } else { 1.1 };
            pen.dot(Point::at(x - along.1 * aside, y + along.0 * aside));
        }
    }
    pen.done()
}

/// The ticks of an edge that nobody passes.
pub fn ticks<'a>(lines: impl IntoIterator<Item = &'a Vec<Point>>) -> String {
    const REACH: f64 = 2.2;
    let mut pen = Pen::default();
    for line in lines {
        for Spot { x, y, along } in spots(line, TICKS) {
            let (dx, dy) = (along.1 * REACH, along.0 * REACH);
            pen.line(&[Point::at(x - dx, y + dy), Point::at(x + dx, y - dy)]);
        }
    }
    pen.done()
}

/// Slanted lines over the inside of outlines.
pub fn hatching(rings: &[Vec<Point>]) -> String {
    let mut pen = Pen::default();
    // In a frame that is turned by 45 degrees the lines are level: `u` runs along them, `v` across.
    let turned = |point: Point| {
        let (x, y) = point.units();
        (x + y, y - x)
    };
    let sides: Vec<[(f64, f64); 2]> = rings
        .iter()
        .flat_map(|ring| ring.windows(2).map(|pair| [turned(pair[0]), turned(pair[1])]))
        .collect();
    let step = HATCH * std::f64::consts::SQRT_2;
    let across = || sides.iter().flatten().map(|(_, v)| *v);
    let last = across().fold(f64::MIN, f64::max);
    let mut v = (across().fold(f64::MAX, f64::min) / step).ceil() * step;
    while v < last {
        let crossed = sides.iter().filter(|[(_, a), (_, b)]| (*a > v) != (*b > v));
        let mut at: Vec<f64> = crossed.map(|[(u, a), (to, b)]| u + (to - u) * (v - a) / (b - a)).collect();
        at.sort_by(f64::total_cmp);
        for pair in at.chunks_exact(2).filter(|pair| pair[1] - pair[0] > 2.0) {
            let point = |u: f64| Point::at((u - v) / 2.0, (u + v) / 2.0);
            pen.line(&[point(pair[0]), point(pair[1])]);
        }
        v += step;
    }
    pen.done()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn straight() -> Vec<Point> {
        vec![Point { x: 0, y: 100 }, Point { x: 300, y: 100 }, Point { x: 600, y: 100 }]
    }

    #[test]
    fn spots_are_even() {
        let found: Vec<f64> = spots(&straight(), 11.0).iter().map(|spot| spot.x).collect();
        assert_eq!(found, [6.0, 18.0, 30.0, 42.0, 54.0]);
    }

    #[test]
    fn mountains_are_triangles() {
        let (peaks, shades) = peaks([&straight()]);
        assert_eq!(peaks.matches('z').count(), 7);
        assert_eq!(shades.matches('z').count(), 7);
        assert_eq!(trees([&straight()]).matches('M').count(), 8);
    }

    #[test]
    fn a_hatching_stays_inside() {
        let square = vec![
            Point { x: 0, y: 0 },
            Point { x: 500, y: 0 },
            Point { x: 500, y: 500 },
            Point { x: 0, y: 500 },
            Point { x: 0, y: 0 },
        ];
        let lines = hatching(&[square]);
        assert_eq!(lines.matches('M').count(), 11, "{lines}");
        assert!(lines.starts_with("M42.4 0l7.6 7.6M"), "{lines}");
    }
}
