//! Roads and rivers: smooth lines through the middles of zones and along their edges. Rules 2.5 and 2.6.

use std::collections::HashMap;
use std::fmt::Write as _;

use dday::{River, Scenario};
use terrain::{Cell, Octant};

use super::frame::{MARGIN, Point, ZONE, centre, sway};

/// A line through points whose corners are rounded: it passes the middles of its pieces, and its ends.
pub fn smooth_line(points: &[Point], path: &mut String) {
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return };
    let _ = write!(path, "M{first}");
    for pair in points.windows(2).skip(1) {
        let _ = write!(path, "Q{} {}", pair[0], pair[0].towards(pair[1], 0.5));
    }
    let _ = write!(path, "L{last}");
}

/// All roads as one path. Where three or more pieces meet the line goes through the middle of the zone, so that they join;
/// elsewhere it cuts the corner a little. Roads that share a piece share its line.
pub fn roads(scenario: &Scenario) -> String {
    let grid = scenario.grid;
    // A road that another one ends on must pass the middle of that zone.
    let mut met: HashMap<Cell, u8> = HashMap::new();
    for road in &scenario.roads {
        for (at, zone) in road.path.iter().enumerate() {
            let is_end = at == 0 || at + 1 == road.path.len();
            *met.entry(*zone).or_default() += if is_end { 1 } else { 2 };
        }
    }
    let mut path = String::new();
    let mut drawn: Vec<(Cell, Cell)> = Vec::new();
    for road in &scenario.roads {
        for (end, before) in ends(&road.path) {
            if met[&end] == 1
                && let Some(beyond) = beyond(grid, end, before)
            {
                let _ = write!(path, "M{}L{beyond}", centre(grid, end));
            }
        }
        let mut piece: Vec<Cell> = Vec::new();
        for pair in road.path.windows(2) {
            let key = (pair[0].min(pair[1]), pair[0].max(pair[1]));
            if piece.is_empty() {
                piece.push(pair[0]);
            }
            if drawn.contains(&key) {
                draw_piece(&piece, grid, &mut path);
                piece.clear();
                continue;
            }
            drawn.push(key);
            piece.push(pair[1]);
            if met[&pair[1]] > 2 {
                draw_piece(&piece, grid, &mut path);
                piece.clear();
            }
        }
        draw_piece(&piece, grid, &mut path);
    }
    path
}

/// Both ends of a road, each with the zone before it.
fn ends(path: &[Cell]) -> Vec<(Cell, Cell)> {
    match path {
        [first, second, .., before, last] => vec![(*first, *second), (*last, *before)],
        [first, .., last] => vec![(*first, *last), (*last, *first)],
        _ => Vec::new(),
    }
}

/// Where a road that ends at the border goes on beyond it: straight on, or else square to the border.
fn beyond(grid: terrain::SquareGrid, end: Cell, before: Cell) -> Option<Point> {
    let straight = grid.direction(before, end)?;
    let leaves = |way: &Octant| grid.neighbour(end, *way).is_none();
    let square = [Octant::N, Octant::E, Octant::S, Octant::W].into_iter().find(leaves);
    let way = Some(straight).filter(leaves).or(square)?;
    let (dx, dy) = way.step();
    let at = centre(grid, end);
    Some(Point::new(at.x + f64::from(dx) * ZONE * 0.6, at.y + f64::from(dy) * ZONE * 0.6))
}

fn draw_piece(zones: &[Cell], grid: terrain::SquareGrid, path: &mut String) {
    if zones.len() < 2 {
        return;
    }
    let points: Vec<Point> = zones.iter().map(|zone| centre(grid, *zone)).collect();
    smooth_line(&points, path);
}

/// A river as a path: it winds along the edges of zones. At the border it runs off the map, and it begins and ends in
/// nothing but another river.
pub fn river(scenario: &Scenario, river: &River) -> String {
    let (columns, rows) = (scenario.grid.cols(), scenario.grid.rows());
    let mut vertices: Vec<(u8, u8)> = Vec::new();
    for pair in river.path.windows(2) {
        // Files name the bends only: every vertex between them is passed.
        let ((x, y), (end_x, end_y)) = (pair[0], pair[1]);
        let steps = x.abs_diff(end_x).max(y.abs_diff(end_y));
        for step in 0..steps {
            let on = |from: u8, to: u8| if to > from { from + step } else { from - step.min(from - to) };
            vertices.push((on(x, end_x), on(y, end_y)));
        }
    }
    vertices.extend(river.path.last());
    let place = |x: f64, y: f64| Point::new(MARGIN + x * ZONE, MARGIN + y * ZONE);
    let mut points: Vec<Point> = Vec::new();
    for pair in vertices.windows(2) {
        let ((x, y), (end_x, end_y)) = (pair[0], pair[1]);
        if points.is_empty() {
            points.push(place(x.into(), y.into()));
        }
        // It sways a little beside the edge, and comes back to every vertex: there rivers meet.
        let (low_x, low_y) = (i32::from(x.min(end_x)), i32::from(y.min(end_y)));
        for third in [1, 2] {
            let part = f64::from(third) / 3.0;
            let salt = 40 + if (x, y) < (end_x, end_y) { third as u32 } else { 3 - third as u32 };
            let off = sway(low_x, low_y, salt) * 5.0;
            let point = place(x.into(), y.into()).towards(place(end_x.into(), end_y.into()), part);
            let across = if x == end_x { Point::new(off, 0.0) } else { Point::new(0.0, off) };
            points.push(Point::new(point.x + across.x, point.y + across.y));
        }
    }
    if let Some((x, y)) = vertices.last() {
        points.push(place((*x).into(), (*y).into()));
    }
    run_off(&vertices, columns, rows, &mut points);
    let mut path = String::new();
    smooth_line(&points, &mut path);
    path
}

/// Lengthens a river that ends at the border.
fn run_off(vertices: &[(u8, u8)], columns: u8, rows: u8, points: &mut Vec<Point>) {
    let at_border = |(x, y): (u8, u8)| x == 0 || y == 0 || x == columns || y == rows;
    let beyond = |end: Point, before: Point| Point::new(end.x * 2.0 - before.x, end.y * 2.0 - before.y);
    if points.len() < 2 {
        return;
    }
    if vertices.first().is_some_and(|vertex| at_border(*vertex)) {
        points.insert(0, beyond(points[0], points[1]));
    }
    if vertices.last().is_some_and(|vertex| at_border(*vertex)) {
        let (end, before) = (points[points.len() - 1], points[points.len() - 2]);
        points.push(beyond(end, before));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_begins_and_ends_where_it_should() {
        let mut path = String::new();
        let points = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (20.0, 10.0)].map(|(x, y)| Point::new(x, y));
        smooth_line(&points, &mut path);
        assert_eq!(path, "M0 0Q10 0 10 5Q10 10 15 10L20 10");
        let mut short = String::new();
        smooth_line(&points[..2], &mut short);
        assert_eq!(short, "M0 0L10 0");
        let mut nothing = String::new();
        smooth_line(&[], &mut nothing);
        assert_eq!(nothing, "");
    }

    #[test]
    fn roads_that_meet_join_in_the_middle_of_the_zone() {
        let scenario = Scenario::builtin("villers_bocage").expect("it is built in");
        let path = roads(&scenario);
        let villers = centre(scenario.grid, scenario.grid.parse("0705").expect("on the map"));
        assert!(path.contains(&format!("L{villers}")) && path.contains(&format!("M{villers}")), "{path}");
        // The piece that the roads to Caen and to Tilly share is drawn once.
        let shared = centre(scenario.grid, scenario.grid.parse("0804").expect("on the map"));
        assert_eq!(path.matches(&format!("M{villers}L{shared}")).count(), 1, "{path}");
    }

    #[test]
    fn a_river_keeps_to_its_vertices_and_runs_off_the_map() {
        let scenario = Scenario::builtin("omaha").expect("it is built in");
        let path = river(&scenario, &scenario.rivers[0]);
        let numbers: Vec<f64> =
            path.split(['M', 'Q', 'L', ' ']).filter_map(|word| word.parse().ok()).collect();
        assert!(numbers[0] < MARGIN, "it comes from beyond the border");
        assert!(numbers.len() > 60, "it passes every vertex between its bends");
    }
}
