//! Rivers along the edges between the cells of a board of squares.

use std::fmt;

use crate::{Cell, Octant, SquareGrid};

/// Rivers along the edges of a board of squares.
///
/// A river is drawn through the corners of the cells. The corner `(i, j)` is the point after column
/// `i` and row `j`, so that `(0, 0)` is the north-west corner of the board.
///
/// ```
/// use terrain::{Octant, Rivers, SquareGrid};
///
/// let grid = SquareGrid::new(4, 3);
/// let mut rivers = Rivers::new(grid);
/// rivers.add_path(&[(2, 0), (2, 2), (4, 2)])?; // south between columns 2 and 3, then east
/// let bank = grid.parse("0201").expect("on the map");
/// assert!(rivers.is_river(bank, Octant::E));
/// assert!(rivers.crosses(bank, Octant::SE));
/// assert!(!rivers.crosses(bank, Octant::S));
/// # Ok::<(), terrain::RiverError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rivers {
    grid: SquareGrid,
    /// For each cell, the edges that are river: one bit for each orthogonal octant.
    edges: Vec<u8>,
    /// For each cell, the steps that cross a river: one bit for each octant.
    crossings: Vec<u8>,
}

impl Rivers {
    /// A board without rivers.
    #[must_use]
    pub fn new(grid: SquareGrid) -> Self {
        Self { grid, edges: vec![0; grid.len()], crossings: vec![0; grid.len()] }
    }

    /// The board.
    #[must_use]
    pub fn grid(&self) -> SquareGrid {
        self.grid
    }

    /// Draws a river from corner to corner. Its pieces along the border of the board separate nothing.
    ///
    /// # Errors
    ///
    /// When a segment is slanted or leaves the board; the rivers are then as they were.
    pub fn add_path(&mut self, corners: &[(u8, u8)]) -> Result<(), RiverError> {
        for (index, &(x, y)) in corners.iter().enumerate() {
            let segment = index.saturating_sub(1);
            if x > self.grid.cols() || y > self.grid.rows() {
                return Err(RiverError::OffMap { segment, corner: (x, y) });
            }
            let (from_x, from_y) = corners[segment];
            if x != from_x && y != from_y {
                return Err(RiverError::Slanted { segment });
            }
        }
        for segment in corners.windows(2) {
            let ((x1, y1), (x2, y2)) = (segment[0], segment[1]);
            for y in y1.min(y2)..y1.max(y2) {
                self.add_edge((x1, y + 1), Octant::E);
            }
            for x in x1.min(x2)..x1.max(x2) {
                self.add_edge((x + 1, y1), Octant::S);
            }
        }
        self.crossings = self.grid.cells().map(|cell| self.count_crossings(cell)).collect();
        Ok(())
    }

    /// Whether the edge on this side of a cell is river. There is none towards a diagonal, nor on the
    /// border of the board.
    #[must_use]
    pub fn is_river(&self, cell: Cell, side: Octant) -> bool {
        self.edges[usize::from(cell)] & bit(side) != 0
    }

    /// The steps from a cell that cross a river, as a mask: bit [`Octant::index`] for each.
    ///
    /// A straight step crosses when the edge is river. A diagonal step crosses when both ways around
    /// the corner, each of two straight steps, do.
    #[must_use]
    pub fn crossings(&self, cell: Cell) -> u8 {
        self.crossings[usize::from(cell)]
    }

    /// Whether the step from a cell in a direction crosses a river.
    #[must_use]
    pub fn crosses(&self, cell: Cell, direction: Octant) -> bool {
        self.crossings(cell) & bit(direction) != 0
    }

    /// Makes river of the edge on one side of the cell in a column and a row, if it has a cell on
    /// either side.
    fn add_edge(&mut self, (col, row): (u8, u8), side: Octant) {
        let Some(cell) = self.grid.cell(col, row) else { return };
        let Some(other) = self.grid.neighbour(cell, side) else { return };
        self.edges[usize::from(cell)] |= bit(side);
        self.edges[usize::from(other)] |= bit(side.opposite());
    }

    fn count_crossings(&self, cell: Cell) -> u8 {
        let mut mask = self.edges[usize::from(cell)];
        for diagonal in Octant::ALL.into_iter().filter(|direction| direction.is_diagonal()) {
            let (left, right) = (diagonal.turned(7), diagonal.turned(1));
            // Whether a way of two straight steps crosses; none when it leaves the board.
            let wet = |first: Octant, second: Octant| {
                let middle = self.grid.neighbour(cell, first)?;
                Some(self.is_river(cell, first) || self.is_river(middle, second))
            };
            if wet(left, right) == Some(true) && wet(right, left) == Some(true) {
                mask |= bit(diagonal);
            }
        }
        mask
    }
}

const fn bit(direction: Octant) -> u8 {
    1 << direction.index()
}

/// Why a river cannot be drawn. Segments are counted from 0: segment 0 joins the first two corners.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RiverError {
    /// A segment runs neither along a row nor along a column.
    Slanted {
        /// Which.
        segment: usize,
    },
    /// A segment leaves the board.
    OffMap {
        /// Which.
        segment: usize,
        /// The corner that is not on the board.
        corner: (u8, u8),
    },
}

impl RiverError {
    /// The segment at fault, counted from 0.
    #[must_use]
    pub const fn segment(self) -> usize {
        match self {
            Self::Slanted { segment } | Self::OffMap { segment, .. } => segment,
        }
    }
}

impl fmt::Display for RiverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Slanted { segment } => {
                write!(f, "segment {segment} of the river runs neither along a row nor along a column")
            }
            Self::OffMap { segment, corner: (x, y) } => {
                write!(f, "segment {segment} of the river leaves the map at [{x}, {y}]")
            }
        }
    }
}

impl std::error::Error for RiverError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn rivers(cols: u8, rows: u8, path: &[(u8, u8)]) -> Rivers {
        let mut rivers = Rivers::new(SquareGrid::new(cols, rows));
        rivers.add_path(path).expect("a river");
        rivers
    }

    fn crosses(rivers: &Rivers, a: &str, b: &str) -> bool {
        let grid = rivers.grid();
        let (a, b) = (grid.parse(a).expect("a cell"), grid.parse(b).expect("a cell"));
        rivers.crosses(a, grid.direction(a, b).expect("neighbours"))
    }

    #[test]
    fn a_straight_river_is_crossed_both_ways() {
        let rivers = rivers(4, 4, &[(2, 0), (2, 2)]);
        assert!(crosses(&rivers, "0201", "0302"));
        assert!(crosses(&rivers, "0201", "0301"));
        assert!(crosses(&rivers, "0302", "0201"));
        assert!(!crosses(&rivers, "0101", "0202"));
        assert!(!crosses(&rivers, "0201", "0202"));
        // Around the end of the river.
        assert!(!crosses(&rivers, "0203", "0303"));
        assert!(!crosses(&rivers, "0202", "0303"));
    }

    #[test]
    fn a_horizontal_river_lies_below_its_row() {
        let rivers = rivers(3, 3, &[(3, 1), (1, 1)]);
        assert!(crosses(&rivers, "0201", "0202"));
        assert!(crosses(&rivers, "0302", "0301"));
        assert!(crosses(&rivers, "0201", "0302"));
        assert!(!crosses(&rivers, "0101", "0102"));
        assert!(!crosses(&rivers, "0101", "0202"));
    }

    #[test]
    fn a_bend_is_crossed_from_within_only() {
        // The bend goes around 0101; the other diagonal through its corner runs along the outer bank.
        let rivers = rivers(2, 2, &[(1, 0), (1, 1), (0, 1)]);
        assert!(crosses(&rivers, "0101", "0202"));
        assert!(crosses(&rivers, "0102", "0101"));
        assert!(!crosses(&rivers, "0102", "0202"));
        assert!(!crosses(&rivers, "0102", "0201"));
    }

    #[test]
    fn the_border_separates_nothing() {
        let rivers = rivers(3, 2, &[(0, 0), (3, 0), (3, 2), (0, 2), (0, 0)]);
        assert_eq!(rivers, Rivers::new(rivers.grid()));
    }

    #[test]
    fn wrong_paths_are_refused_whole() {
        let grid = SquareGrid::new(4, 3);
        let mut rivers = Rivers::new(grid);
        for (path, wrong) in [
            (&[(1, 0), (1, 2), (2, 3)][..], RiverError::Slanted { segment: 1 }),
            (&[(5, 0), (2, 0)], RiverError::OffMap { segment: 0, corner: (5, 0) }),
            (&[(1, 0), (1, 3), (1, 4)], RiverError::OffMap { segment: 1, corner: (1, 4) }),
        ] {
            assert_eq!(rivers.add_path(path), Err(wrong));
            assert!(wrong.to_string().contains(&format!("segment {}", wrong.segment())));
        }
        assert_eq!(rivers, Rivers::new(grid));
        assert_eq!(rivers.add_path(&[]), Ok(()));
        assert_eq!(rivers.add_path(&[(1, 1), (1, 1)]), Ok(()));
        assert_eq!(rivers, Rivers::new(grid));
    }

    /// On a board of 3 by 3, every set of river edges: the mask follows the rule, and is symmetric.
    #[test]
    fn crossings_follow_the_rule_both_ways() {
        let grid = SquareGrid::new(3, 3);
        let mut pieces = Vec::new();
        for near in 0..3 {
            for far in 1..3 {
                pieces.push([(far, near), (far, near + 1)]);
                pieces.push([(near, far), (near + 1, far)]);
            }
        }
        for set in 0..1_u32 << pieces.len() {
            let mut rivers = Rivers::new(grid);
            for (index, piece) in pieces.iter().enumerate() {
                if set & 1 << index != 0 {
                    rivers.add_path(piece).expect("on the map");
                }
            }
            for a in grid.cells() {
                for direction in Octant::ALL {
                    let crosses = rivers.crosses(a, direction);
                    let Some(d) = grid.neighbour(a, direction) else {
                        assert!(!crosses);
                        continue;
                    };
                    assert_eq!(crosses, rivers.crosses(d, direction.opposite()));
                    let river = |from: Cell, to: Cell| {
                        rivers.is_river(from, grid.direction(from, to).expect("neighbours"))
                    };
                    if direction.is_diagonal() {
                        let b = grid.cell(grid.column(a), grid.row(d)).expect("on the map");
                        let c = grid.cell(grid.column(d), grid.row(a)).expect("on the map");
                        assert_eq!(crosses, (river(a, b) || river(b, d)) && (river(a, c) || river(c, d)));
                    } else {
                        assert_eq!(crosses, river(a, d));
                    }
                }
            }
        }
    }
}
