//! A board of square zones.

use crate::Octant;
use crate::names;

/// A cell of a board: its number, counted row by row from the north-west corner, from 0.
pub type Cell = u16;

/// No cell: what a table of neighbours holds where the board ends.
pub const NOWHERE: Cell = u16::MAX;

/// A board of squares, whose columns and rows are counted from 1 and whose cells have names such as
/// `"0302"`: column 3, row 2.
///
/// ```
/// use terrain::{Octant, SquareGrid};
///
/// let grid = SquareGrid::new(10, 8);
/// let here = grid.parse("0302").expect("on the map");
/// assert_eq!(here, 12);
/// assert_eq!(grid.name(here), "0302");
/// let there = grid.neighbour(here, Octant::NE).expect("on the map");
/// assert_eq!(grid.name(there), "0401");
/// assert_eq!(grid.neighbour(there, Octant::N), None);
/// assert_eq!(grid.distance(here, there), 1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SquareGrid {
    cols: u8,
    rows: u8,
}

impl SquareGrid {
    /// A board of so many columns and rows, each from 1 to 99.
    ///
    /// # Panics
    ///
    /// When there are no columns or rows, or too many for names of two digits each.
    #[must_use]
    pub const fn new(cols: u8, rows: u8) -> Self {
        names::check(cols, rows);
        Self { cols, rows }
    }

    /// How many columns.
    #[must_use]
    pub const fn cols(self) -> u8 {
        self.cols
    }

    /// How many rows.
    #[must_use]
    pub const fn rows(self) -> u8 {
        self.rows
    }

    /// How many cells.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "no grid is empty")]
    pub const fn len(self) -> usize {
        self.cols as usize * self.rows as usize
    }

    /// All cells, row by row.
    pub fn cells(self) -> impl DoubleEndedIterator<Item = Cell> + ExactSizeIterator {
        0..self.len() as Cell
    }

    /// The cell in a column and a row, both counted from 1.
    #[must_use]
    pub const fn cell(self, col: u8, row: u8) -> Option<Cell> {
        if 1 <= col && col <= self.cols && 1 <= row && row <= self.rows {
            Some((row as Cell - 1) * self.cols as Cell + (col as Cell - 1))
        } else {
            None
        }
    }

    /// The column of a cell, counted from 1.
    #[must_use]
    pub const fn column(self, cell: Cell) -> u8 {
        (cell % self.cols as Cell) as u8 + 1
    }

    /// The row of a cell, counted from 1.
    #[must_use]
    pub const fn row(self, cell: Cell) -> u8 {
        (cell / self.cols as Cell) as u8 + 1
    }

    /// The name of a cell: two digits for its column, two for its row.
    #[must_use]
    pub fn name(self, cell: Cell) -> String {
        let mut name = String::with_capacity(4);
        self.write_name(cell, &mut name);
        name
    }

    /// Appends the name of a cell to a text.
    pub fn write_name(self, cell: Cell, text: &mut String) {
        names::write(self.column(cell), self.row(cell), text);
    }

    /// The cell with this name.
    #[must_use]
    pub fn parse(self, name: &str) -> Option<Cell> {
        let (col, row) = names::parse(name)?;
        self.cell(col, row)
    }

    /// The next cell in a direction, unless the board ends there.
    #[must_use]
    pub const fn neighbour(self, cell: Cell, direction: Octant) -> Option<Cell> {
        let (east, south) = direction.step();
        // Off the board is column or row 0, or one too many.
        let col = self.column(cell).wrapping_add_signed(east);
        self.cell(col, self.row(cell).wrapping_add_signed(south))
    }

    /// The neighbours of every cell by [`Octant::index`], with [`NOWHERE`] where the board ends.
    #[must_use]
    pub fn neighbours(self) -> Vec<[Cell; 8]> {
        self.cells()
            .map(|cell| Octant::ALL.map(|direction| self.neighbour(cell, direction).unwrap_or(NOWHERE)))
            .collect()
    }

    /// How many steps, straight or diagonal, lead from one cell to the other.
    #[must_use]
    pub const fn distance(self, a: Cell, b: Cell) -> u8 {
        let cols = self.column(a).abs_diff(self.column(b));
        let rows = self.row(a).abs_diff(self.row(b));
        if cols > rows { cols } else { rows }
    }

    /// The direction of the step from `a` to its neighbour `b`; none when they are not neighbours.
    #[must_use]
    pub const fn direction(self, a: Cell, b: Cell) -> Option<Octant> {
        if self.distance(a, b) == 1 { self.bearing(a, b) } else { None }
    }

    /// The direction nearest to that from the centre of `a` to the centre of `b`; none when they are
    /// the same cell. No two directions are ever equally near.
    #[must_use]
    pub const fn bearing(self, a: Cell, b: Cell) -> Option<Octant> {
        let (east, south) = self.offset(a, b);
        let (across, along) = (east.unsigned_abs(), south.unsigned_abs());
        let (minor, major) = if across < along { (across, along) } else { (along, across) };
        if major == 0 {
            return None;
        }
        // Straight below 22.5 degrees, whose tangent is √2 − 1: minor + major < √2 · major.
        let straight = (minor + major) * (minor + major) < 2 * major * major;
        let east = if straight && across < along { 0 } else { east.signum() };
        let south = if straight && along < across { 0 } else { south.signum() };
        Some(match (east, south) {
            (0, ..=-1) => Octant::N,
            (1.., ..=-1) => Octant::NE,
            (1.., 0) => Octant::E,
            (1.., 1..) => Octant::SE,
            (0, _) => Octant::S,
            (_, 1..) => Octant::SW,
            (_, 0) => Octant::W,
            (_, ..=-1) => Octant::NW,
        })
    }

    /// The cells strictly between two cells, from the side of `a` to that of `b`, each a neighbour of
    /// the one before.
    ///
    /// This is Bresenham's line made symmetric: one cell for each step of the longer axis, the one
    /// nearest to the line between the centres; where two are equally near, the one to the east or to
    /// the south. The line from `b` to `a` therefore has the same cells.
    pub fn line(self, a: Cell, b: Cell) -> impl DoubleEndedIterator<Item = Cell> + ExactSizeIterator {
        let (col, row) = (i32::from(self.column(a)) - 1, i32::from(self.row(a)) - 1);
        let (east, south) = self.offset(a, b);
        let length = east.abs().max(south.abs());
        // Rounds half up, hence to the same side whichever way the line runs.
        let part = move |whole: i32, step: i32| (2 * whole * step + length).div_euclid(2 * length);
        (1..length.max(1) as u16).map(move |step| {
            let step = i32::from(step);
            ((row + part(south, step)) * i32::from(self.cols) + col + part(east, step)) as Cell
        })
    }

    /// The cells no farther than `radius` from a cell, itself among them, row by row.
    pub fn within(self, cell: Cell, radius: u8) -> impl DoubleEndedIterator<Item = Cell> {
        let (col, row) = (self.column(cell), self.row(cell));
        let around = |middle: u8, last: u8| {
            (middle.saturating_sub(radius).max(1), middle.saturating_add(radius).min(last))
        };
        let (west, east) = around(col, self.cols);
        let (north, south) = around(row, self.rows);
        (north..=south).flat_map(move |row| {
            let start = (Cell::from(row) - 1) * Cell::from(self.cols);
            start + Cell::from(west) - 1..start + Cell::from(east)
        })
    }

    /// How far `b` lies to the east and to the south of `a`.
    const fn offset(self, a: Cell, b: Cell) -> (i32, i32) {
        let east = self.column(b) as i32 - self.column(a) as i32;
        (east, self.row(b) as i32 - self.row(a) as i32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZES: [(u8, u8); 6] = [(1, 1), (1, 5), (6, 1), (4, 3), (7, 6), (10, 8)];

    fn grids() -> impl Iterator<Item = SquareGrid> {
        SIZES.into_iter().map(|(cols, rows)| SquareGrid::new(cols, rows))
    }

    /// The distances from a cell by breadth-first search over the neighbours.
    fn search(grid: SquareGrid, start: Cell) -> Vec<u8> {
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
    fn names_and_places_read_back() {
        for grid in grids() {
            assert_eq!(grid.cells().len(), grid.len());
            for cell in grid.cells() {
                assert_eq!(grid.cell(grid.column(cell), grid.row(cell)), Some(cell));
                assert_eq!(grid.parse(&grid.name(cell)), Some(cell));
            }
            for (col, row) in [(0, 1), (1, 0), (grid.cols() + 1, 1), (1, grid.rows() + 1)] {
                assert_eq!(grid.cell(col, row), None);
            }
        }
        let grid = SquareGrid::new(99, 99);
        assert_eq!(grid.name(grid.len() as Cell - 1), "9999");
        for wrong in ["", "0", "101", "00101", "0001", "0100", "+1+1", "01é", "1 01"] {
            assert_eq!(grid.parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    #[should_panic(expected = "from 1 to 99")]
    fn a_grid_too_wide_is_refused() {
        let _ = SquareGrid::new(100, 1);
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
        let grid = SquareGrid::new(6, 5);
        for a in grid.cells() {
            for b in grid.cells() {
                for c in grid.cells() {
                    assert!(grid.distance(a, c) <= grid.distance(a, b) + grid.distance(b, c));
                }
            }
        }
    }

    #[test]
    fn direction_undoes_neighbour() {
        for grid in grids() {
            for a in grid.cells() {
                for direction in Octant::ALL {
                    if let Some(b) = grid.neighbour(a, direction) {
                        assert_eq!(grid.direction(a, b), Some(direction));
                        assert_eq!(grid.neighbour(b, direction.opposite()), Some(a));
                    }
                }
                for b in grid.cells() {
                    assert_eq!(grid.direction(a, b).is_some(), grid.distance(a, b) == 1);
                }
            }
        }
    }

    #[test]
    fn bearing_is_the_nearest_octant() {
        let grid = SquareGrid::new(31, 29);
        let a = grid.cell(16, 15).expect("on the map");
        assert_eq!(grid.bearing(a, a), None);
        for b in grid.cells().filter(|b| *b != a) {
            let (east, south) = grid.offset(a, b);
            let eighths = f64::from(east).atan2(f64::from(-south)) / std::f64::consts::FRAC_PI_4;
            let nearest = Octant::from_index((eighths.round() as i32).rem_euclid(8) as usize);
            assert_eq!(grid.bearing(a, b), Some(nearest), "{east} {south}");
            assert_eq!(grid.bearing(b, a), Some(nearest.opposite()));
        }
    }

    #[test]
    fn lines_are_symmetric_and_unbroken() {
        for grid in grids() {
            for a in grid.cells() {
                for b in grid.cells() {
                    let there: Vec<Cell> = grid.line(a, b).collect();
                    let back: Vec<Cell> = grid.line(b, a).rev().collect();
                    assert_eq!(there, back);
                    assert_eq!(there.len(), usize::from(grid.distance(a, b).saturating_sub(1)));
                    let whole: Vec<Cell> = if a == b { vec![a] } else { [&[a], &there[..], &[b]].concat() };
                    assert!(whole.windows(2).all(|pair| grid.distance(pair[0], pair[1]) == 1));
                }
            }
        }
    }

    #[test]
    fn a_tie_on_a_line_goes_east_or_south() {
        let grid = SquareGrid::new(4, 4);
        let line = |a: &str, b: &str| {
            let (a, b) = (grid.parse(a).expect("a cell"), grid.parse(b).expect("a cell"));
            grid.line(a, b).map(|cell| grid.name(cell)).collect::<Vec<_>>()
        };
        assert_eq!(line("0101", "0302"), ["0202"]);
        assert_eq!(line("0302", "0101"), ["0202"]);
        assert_eq!(line("0102", "0301"), ["0202"]);
        assert_eq!(line("0101", "0203"), ["0202"]);
        assert_eq!(line("0101", "0404"), ["0202", "0303"]);
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
    }
}
