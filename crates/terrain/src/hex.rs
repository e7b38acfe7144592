//! A board of hexes.

use crate::{Cell, NOWHERE, Sextant, SquareGrid};

/// A place among endless hexes: `q` columns to the east and `r` hexes to the south. The third of the
/// cube coordinates, which add up to nothing, is [`s`](Self::s).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cube {
    /// Columns to the east.
    pub q: i16,
    /// Hexes to the south, along the column.
    pub r: i16,
}

impl Cube {
    /// The third coordinate: `q + r + s == 0`.
    #[must_use]
    pub const fn s(self) -> i16 {
        -self.q - self.r
    }

    /// The next hex in a direction.
    #[must_use]
    pub const fn neighbour(self, direction: Sextant) -> Self {
        let (q, r) = direction.step();
        Self { q: self.q + q as i16, r: self.r + r as i16 }
    }

    /// How many steps lead from one hex to the other.
    #[must_use]
    pub const fn distance(self, other: Self) -> u16 {
        let away = Self { q: other.q - self.q, r: other.r - self.r };
        (away.q.unsigned_abs() + away.r.unsigned_abs() + away.s().unsigned_abs()) / 2
    }
}

/// A board of hexes with flat tops in straight columns, whose columns and rows are counted from 1 and
/// whose cells have names such as `"0302"`: column 3, row 2.
///
/// The odd columns (01, 03 and so on) lie half a hex lower than the even ones, or the other way round.
/// A board of pointed hexes in straight rows is the same board with columns and rows exchanged.
///
/// ```
/// use terrain::{HexGrid, Sextant};
///
/// let grid = HexGrid::new(60, 45);
/// let here = grid.parse("0302").expect("on the map");
/// let name = |direction| grid.neighbour(here, direction).map(|cell| grid.name(cell));
/// assert_eq!(name(Sextant::N).as_deref(), Some("0301"));
/// assert_eq!(name(Sextant::NE).as_deref(), Some("0402"));
/// assert_eq!(name(Sextant::SE).as_deref(), Some("0403"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HexGrid {
    /// Columns, rows, numbers and names are those of squares.
    plan: SquareGrid,
    /// 1 when the odd columns lie lower, 0 when the even ones do.
    low: u8,
}

impl HexGrid {
    /// A board of so many columns and rows, each from 1 to 99, whose odd columns lie lower.
    ///
    /// # Panics
    ///
    /// When there are no columns or rows, or too many for names of two digits each.
    #[must_use]
    pub const fn new(cols: u8, rows: u8) -> Self {
        Self { plan: SquareGrid::new(cols, rows), low: 1 }
    }

    /// A board of so many columns and rows, each from 1 to 99, whose even columns lie lower.
    ///
    /// # Panics
    ///
    /// When there are no columns or rows, or too many for names of two digits each.
    #[must_use]
    pub const fn even_down(cols: u8, rows: u8) -> Self {
        Self { plan: SquareGrid::new(cols, rows), low: 0 }
    }

    /// How many columns.
    #[must_use]
    pub const fn cols(self) -> u8 {
        self.plan.cols()
    }

    /// How many rows.
    #[must_use]
    pub const fn rows(self) -> u8 {
        self.plan.rows()
    }

    /// How many cells.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "no grid is empty")]
    pub const fn len(self) -> usize {
        self.plan.len()
    }

    /// All cells, row by row.
    pub fn cells(self) -> impl DoubleEndedIterator<Item = Cell> + ExactSizeIterator {
        self.plan.cells()
    }

    /// The cell in a column and a row, both counted from 1.
    #[must_use]
    pub const fn cell(self, col: u8, row: u8) -> Option<Cell> {
        self.plan.cell(col, row)
    }

    /// The column of a cell, counted from 1.
    #[must_use]
    pub const fn column(self, cell: Cell) -> u8 {
        self.plan.column(cell)
    }

    /// The row of a cell, counted from 1.
    #[must_use]
    pub const fn row(self, cell: Cell) -> u8 {
        self.plan.row(cell)
    }

    /// The name of a cell: two digits for its column, two for its row.
    #[must_use]
    pub fn name(self, cell: Cell) -> String {
        self.plan.name(cell)
    }

    /// Appends the name of a cell to a text.
    pub fn write_name(self, cell: Cell, text: &mut String) {
        self.plan.write_name(cell, text);
    }

    /// The cell with this name.
    #[must_use]
    pub fn parse(self, name: &str) -> Option<Cell> {
        self.plan.parse(name)
    }

    /// The place of a cell in cube coordinates, whose origin is the hex of column 0 and row 0.
    #[must_use]
    pub const fn cube(self, cell: Cell) -> Cube {
        let q = self.column(cell) as i16;
        Cube { q, r: self.row(cell) as i16 - self.rise(q) }
    }

    /// The cell at a place, unless it is off the board.
    #[must_use]
    pub const fn at(self, cube: Cube) -> Option<Cell> {
        let cols = self.cols() as i16;
        if cube.q < 1 || cube.q > cols {
            return None;
        }
        let row = cube.r + self.rise(cube.q);
        if row < 1 || row > self.rows() as i16 {
            return None;
        }
        Some(((row - 1) * cols + cube.q - 1) as Cell)
    }

    /// The next cell in a direction, unless the board ends there.
    #[must_use]
    pub const fn neighbour(self, cell: Cell, direction: Sextant) -> Option<Cell> {
        self.at(self.cube(cell).neighbour(direction))
    }

    /// The neighbours of every cell by [`Sextant::index`], with [`NOWHERE`] where the board ends.
    #[must_use]
    pub fn neighbours(self) -> Vec<[Cell; 6]> {
        self.cells()
            .map(|cell| Sextant::ALL.map(|direction| self.neighbour(cell, direction).unwrap_or(NOWHERE)))
            .collect()
    }

    /// How many steps lead from one cell to the other.
    #[must_use]
    pub const fn distance(self, a: Cell, b: Cell) -> u8 {
        self.cube(a).distance(self.cube(b)) as u8
    }

    /// The direction of the step from `a` to its neighbour `b`; none when they are not neighbours.
    #[must_use]
    pub fn direction(self, a: Cell, b: Cell) -> Option<Sextant> {
        let (from, to) = (self.cube(a), self.cube(b));
        Sextant::ALL.into_iter().find(|direction| from.neighbour(*direction) == to)
    }

    /// The cells strictly between two cells, from the side of `a` to that of `b`, each a neighbour of
    /// the one before.
    ///
    /// There is one for each step of the distance: the one that holds that point of the line between
    /// the centres. A point on the side between two cells belongs to the southern one, unless that is
    /// off the board. The line from `b` to `a` therefore has the same cells.
    pub fn line(self, a: Cell, b: Cell) -> impl DoubleEndedIterator<Item = Cell> + ExactSizeIterator {
        let (from, to) = (self.cube(a), self.cube(b));
        let steps = from.distance(to);
        (1..steps.max(1)).map(move |step| {
            let southern = self.at(part_way(from, to, step, steps, 1));
            // Only along a side can a line leave the board, and then the northern cell is on it.
            let either = southern.or_else(|| self.at(part_way(from, to, step, steps, -1)));
            either.expect("a line between two cells of the board stays on it")
        })
    }

    /// The cells no farther than `radius` from a cell, itself among them, row by row.
    pub fn within(self, cell: Cell, radius: u8) -> impl DoubleEndedIterator<Item = Cell> {
        self.plan.within(cell, radius).filter(move |other| self.distance(cell, *other) <= radius)
    }

    /// How much less `r` is than the row, in a column.
    const fn rise(self, q: i16) -> i16 {
        // A step to the south-east, which keeps `r`, adds a row from a lower column and none from a higher.
        (q + 1 - self.low as i16) / 2
    }
}

/// The hex that holds the point after `step` of `steps` from one hex to another, as if the point were a
/// trifle to the south, or with `side` −1 to the north: no point is then on a side or a corner.
fn part_way(from: Cube, to: Cube, step: u16, steps: u16, side: i32) -> Cube {
    // All in parts of a hex. The trifles differ by at most 5 parts; points that are not on a side are
    // at least 8 parts off it.
    let whole = 8 * i32::from(steps);
    let part = |from: i16, to: i16, trifle: i32| {
        8 * (i32::from(from) * i32::from(steps - step) + i32::from(to) * i32::from(step)) + side * trifle
    };
    let parts = [part(from.q, to.q, 1), part(from.r, to.r, 2), part(from.s(), to.s(), -3)];
    let near = parts.map(|part| (2 * part + whole).div_euclid(2 * whole));
    let [off_q, off_r, off_s] = [0, 1, 2].map(|axis| (near[axis] * whole - parts[axis]).abs());
    let [q, r, s] = near;
    // The coordinate that was rounded most gives way to the other two.
    let (q, r) = if off_q > off_r && off_q > off_s {
        (-r - s, r)
    } else if off_r > off_s {
        (q, -q - s)
    } else {
        (q, r)
    };
    Cube { q: q as i16, r: r as i16 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grids() -> impl Iterator<Item = HexGrid> {
        [(1, 1), (1, 5), (6, 1), (4, 3), (7, 6), (10, 8)]
            .into_iter()
            .flat_map(|(cols, rows)| [HexGrid::new(cols, rows), HexGrid::even_down(cols, rows)])
    }

    /// The centre of a cell, to the east and to the south, where neighbours are 1 apart.
    fn centre(grid: HexGrid, cell: Cell) -> (f64, f64) {
        let lower = if grid.column(cell) % 2 == grid.low { 0.5 } else { 0.0 };
        (f64::from(grid.column(cell)) * 0.75_f64.sqrt(), f64::from(grid.row(cell)) + lower)
    }

    fn apart((x1, y1): (f64, f64), (x2, y2): (f64, f64)) -> f64 {
        (x2 - x1).hypot(y2 - y1)
    }

    /// The distances from a cell by breadth-first search over the neighbours.
    fn search(grid: HexGrid, start: Cell) -> Vec<u8> {
        let table = grid.neighbours();
        let mut found = vec![u8::MAX; grid.len()];
        found[usize::from(start)] = 0;
        let mut queue = vec![start];
        let mut next = 0;
        while let Some(&cell) = queue.get(next) {
            next += 1;
            for &other in table[usize::from(cell)].iter().filter(|other| **other != NOWHERE) {
                if found[usize::from(other)] == u8::MAX {
                    found[usize::from(other)] = found[usize::from(cell)] + 1;
                    queue.push(other);
                }
            }
        }
        found
    }

    #[test]
    fn names_and_cubes_read_back() {
        for grid in grids() {
            for cell in grid.cells() {
                assert_eq!(grid.cell(grid.column(cell), grid.row(cell)), Some(cell));
                assert_eq!(grid.parse(&grid.name(cell)), Some(cell));
                let cube = grid.cube(cell);
                assert_eq!(grid.at(cube), Some(cell));
                assert_eq!(cube.q + cube.r + cube.s(), 0);
            }
        }
    }

    /// Neighbours are the cells whose centres are one hex apart, and directions go where they say.
    #[test]
    fn neighbours_are_those_of_the_plane() {
        for grid in grids() {
            for a in grid.cells() {
                for b in grid.cells() {
                    let near = (apart(centre(grid, a), centre(grid, b)) - 1.0).abs() < 1e-9;
                    assert_eq!(grid.direction(a, b).is_some(), near);
                    assert_eq!(grid.distance(a, b) == 1, near);
                }
                for direction in Sextant::ALL {
                    let Some(b) = grid.neighbour(a, direction) else { continue };
                    assert_eq!(grid.direction(a, b), Some(direction));
                    assert_eq!(grid.neighbour(b, direction.opposite()), Some(a));
                    let ((x1, y1), (x2, y2)) = (centre(grid, a), centre(grid, b));
                    assert_eq!(direction.name().contains('E'), x2 > x1);
                    assert_eq!(direction.name().contains('W'), x2 < x1);
                    assert_eq!(direction.name().contains('N'), y2 < y1);
                }
            }
        }
    }

    #[test]
    fn distance_is_what_a_search_finds() {
        for grid in grids() {
            for a in grid.cells() {
                for (b, steps) in grid.cells().zip(search(grid, a)) {
                    assert_eq!(grid.distance(a, b), steps);
                    assert_eq!(grid.distance(b, a), steps);
                    assert_eq!(steps == 0, a == b);
                }
            }
        }
    }

    #[test]
    fn distance_obeys_the_triangle() {
        let grid = HexGrid::new(6, 5);
        for a in grid.cells() {
            for b in grid.cells() {
                for c in grid.cells() {
                    assert!(grid.distance(a, c) <= grid.distance(a, b) + grid.distance(b, c));
                }
            }
        }
    }

    #[test]
    fn lines_are_symmetric_unbroken_and_straight() {
        for grid in grids().chain([HexGrid::new(13, 12), HexGrid::even_down(16, 9)]) {
            let table = grid.neighbours();
            for a in grid.cells() {
                for b in grid.cells() {
                    let there: Vec<Cell> = grid.line(a, b).collect();
                    let back: Vec<Cell> = grid.line(b, a).rev().collect();
                    assert_eq!(there, back);
                    assert_eq!(there.len(), usize::from(grid.distance(a, b).saturating_sub(1)));
                    let whole: Vec<Cell> = if a == b { vec![a] } else { [&[a], &there[..], &[b]].concat() };
                    assert!(whole.windows(2).all(|pair| grid.distance(pair[0], pair[1]) == 1));
                    // Each cell is as near as any to its point of the line.
                    let ((x1, y1), (x2, y2)) = (centre(grid, a), centre(grid, b));
                    for (step, cell) in whole.iter().enumerate() {
                        let part = step as f64 / f64::from(grid.distance(a, b).max(1));
                        let point = (x1 + (x2 - x1) * part, y1 + (y2 - y1) * part);
                        let away = apart(point, centre(grid, *cell));
                        let near = table[usize::from(*cell)];
                        assert!(
                            near.iter()
                                .filter(|other| **other != NOWHERE)
                                .all(|other| apart(point, centre(grid, *other)) > away - 1e-9)
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn a_tie_on_a_line_goes_south_unless_off_the_board() {
        let grid = HexGrid::new(4, 3);
        let line = |a: &str, b: &str| {
            let (a, b) = (grid.parse(a).expect("a cell"), grid.parse(b).expect("a cell"));
            grid.line(a, b).map(|cell| grid.name(cell)).collect::<Vec<_>>()
        };
        assert_eq!(line("0101", "0301"), ["0202"]);
        assert_eq!(line("0401", "0201"), ["0301"]);
        assert_eq!(line("0103", "0303"), ["0203"]);
        assert_eq!(line("0101", "0103"), ["0102"]);
    }

    #[test]
    fn the_longest_line_of_the_largest_board_is_within_the_numbers() {
        for grid in [HexGrid::new(99, 99), HexGrid::even_down(99, 99)] {
            let corners = [(1, 1), (99, 1), (1, 99), (99, 99)].map(|(col, row)| grid.cell(col, row));
            for a in corners.into_iter().flatten() {
                for b in corners.into_iter().flatten() {
                    assert_eq!(grid.line(a, b).count(), usize::from(grid.distance(a, b).max(1) - 1));
                }
            }
        }
    }

    #[test]
    fn within_is_every_cell_near_enough_in_order() {
        for grid in grids() {
            for a in grid.cells() {
                for radius in [0, 1, 2, 5, 255] {
                    let near: Vec<Cell> = grid.cells().filter(|b| grid.distance(a, *b) <= radius).collect();
                    assert_eq!(grid.within(a, radius).collect::<Vec<_>>(), near);
                }
            }
        }
        let grid = HexGrid::new(9, 9);
        let middle = grid.parse("0505").expect("on the map");
        assert_eq!(grid.within(middle, 3).count(), 37);
    }
}
