//! Directions on boards of squares and of hexes, and what lies before and behind a piece.

/// Where something lies for a piece that faces a direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Arc {
    /// Ahead, or one turn to either side of it.
    Front,
    /// Two turns to either side.
    Flank,
    /// Behind.
    Rear,
}

/// The eight directions of a board of squares, clockwise from north.
///
/// ```
/// use terrain::{Arc, Octant};
///
/// assert_eq!(Octant::N.turned(3), Octant::SE);
/// assert_eq!(Octant::NE.opposite(), Octant::SW);
/// assert_eq!(Octant::E.front(), [Octant::NE, Octant::E, Octant::SE]);
/// assert_eq!(Octant::N.arc(Octant::W), Arc::Flank);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Octant {
    /// North: up the board.
    N = 0,
    /// North-east.
    NE,
    /// East: to the right.
    E,
    /// South-east.
    SE,
    /// South: down the board.
    S,
    /// South-west.
    SW,
    /// West: to the left.
    W,
    /// North-west.
    NW,
}

impl Octant {
    /// All eight, clockwise from north: `ALL[i].index() == i`.
    pub const ALL: [Self; 8] = [Self::N, Self::NE, Self::E, Self::SE, Self::S, Self::SW, Self::W, Self::NW];

    /// How many eighths of a turn clockwise from north: 0 to 7.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The direction with this index, modulo eight.
    #[must_use]
    pub const fn from_index(index: usize) -> Self {
        Self::ALL[index % 8]
    }

    /// Turned clockwise by so many eighths of a circle (7 is one eighth anticlockwise).
    #[must_use]
    pub const fn turned(self, eighths: u8) -> Self {
        Self::from_index(self.index() + eighths as usize)
    }

    /// The direction that points back.
    #[must_use]
    pub const fn opposite(self) -> Self {
        self.turned(4)
    }

    /// Its short name: `"N"`, `"NE"` and so on.
    #[must_use]
    pub const fn name(self) -> &'static str {
        ["N", "NE", "E", "SE", "S", "SW", "W", "NW"][self.index()]
    }

    /// The direction with this short name, in capitals.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|direction| direction.name() == name)
    }

    /// One step: columns to the east, rows to the south.
    #[must_use]
    pub const fn step(self) -> (i8, i8) {
        [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)][self.index()]
    }

    /// Whether a step this way changes both the column and the row.
    #[must_use]
    pub const fn is_diagonal(self) -> bool {
        self.index() % 2 == 1
    }

    /// Where something in the direction `towards` lies for a piece that faces `self`: front within
    /// one eighth of a turn, flank at two eighths, rear beyond.
    #[must_use]
    pub const fn arc(self, towards: Self) -> Arc {
        match (towards.index() + 8 - self.index()) % 8 {
            0 | 1 | 7 => Arc::Front,
            2 | 6 => Arc::Flank,
            _ => Arc::Rear,
        }
    }

    /// The three directions of the front: left, ahead, right.
    #[must_use]
    pub const fn front(self) -> [Self; 3] {
        [self.turned(7), self, self.turned(1)]
    }
}

/// The six directions of a board of hexes whose columns are straight (flat tops), clockwise from
/// north.
///
/// ```
/// use terrain::{Arc, Sextant};
///
/// assert_eq!(Sextant::N.turned(2), Sextant::SE);
/// assert_eq!(Sextant::NE.opposite(), Sextant::SW);
/// assert_eq!(Sextant::N.arc(Sextant::S), Arc::Rear);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Sextant {
    /// North: up the column.
    N = 0,
    /// North-east.
    NE,
    /// South-east.
    SE,
    /// South: down the column.
    S,
    /// South-west.
    SW,
    /// North-west.
    NW,
}

impl Sextant {
    /// All six, clockwise from north: `ALL[i].index() == i`.
    pub const ALL: [Self; 6] = [Self::N, Self::NE, Self::SE, Self::S, Self::SW, Self::NW];

    /// How many sixths of a turn clockwise from north: 0 to 5.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The direction with this index, modulo six.
    #[must_use]
    pub const fn from_index(index: usize) -> Self {
        Self::ALL[index % 6]
    }

    /// Turned clockwise by so many sixths of a circle (5 is one sixth anticlockwise).
    #[must_use]
    pub const fn turned(self, sixths: u8) -> Self {
        Self::from_index(self.index() + sixths as usize)
    }

    /// The direction that points back.
    #[must_use]
    pub const fn opposite(self) -> Self {
        self.turned(3)
    }

    /// Its short name: `"N"`, `"NE"` and so on.
    #[must_use]
    pub const fn name(self) -> &'static str {
        ["N", "NE", "SE", "S", "SW", "NW"][self.index()]
    }

    /// The direction with this short name, in capitals.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|direction| direction.name() == name)
    }

    /// One step in the axial coordinates of [`Cube`](crate::Cube): how `q` (columns to the east) and
    /// `r` (hexes to the south) change.
    #[must_use]
    pub const fn step(self) -> (i8, i8) {
        [(0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)][self.index()]
    }

    /// Where something in the direction `towards` lies for a piece that faces `self`: front within
    /// one sixth of a turn, flank at two sixths, rear straight behind.
    #[must_use]
    pub const fn arc(self, towards: Self) -> Arc {
        match (towards.index() + 6 - self.index()) % 6 {
            0 | 1 | 5 => Arc::Front,
            2 | 4 => Arc::Flank,
            _ => Arc::Rear,
        }
    }

    /// The three directions of the front: left, ahead, right.
    #[must_use]
    pub const fn front(self) -> [Self; 3] {
        [self.turned(5), self, self.turned(1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn octants_turn_and_read_back() {
        for (index, direction) in Octant::ALL.into_iter().enumerate() {
            assert_eq!(direction.index(), index);
            assert_eq!(Octant::from_index(index + 8), direction);
            assert_eq!(Octant::parse(direction.name()), Some(direction));
            assert_eq!(direction.turned(255).turned(1), direction);
            assert_eq!(direction.opposite().opposite(), direction);
            let ((x, y), (back_x, back_y)) = (direction.step(), direction.opposite().step());
            assert_eq!((x + back_x, y + back_y), (0, 0));
            assert_eq!(direction.is_diagonal(), x != 0 && y != 0);
            assert_eq!(direction.is_diagonal(), direction.name().len() == 2);
        }
        assert_eq!(Octant::parse("n"), None);
        assert_eq!(Octant::parse(""), None);
    }

    #[test]
    fn sextants_turn_and_read_back() {
        for (index, direction) in Sextant::ALL.into_iter().enumerate() {
            assert_eq!(direction.index(), index);
            assert_eq!(Sextant::from_index(index + 6), direction);
            assert_eq!(Sextant::parse(direction.name()), Some(direction));
            assert_eq!(direction.turned(6), direction);
            assert_eq!(direction.opposite().opposite(), direction);
            let ((q, r), (back_q, back_r)) = (direction.step(), direction.opposite().step());
            assert_eq!((q + back_q, r + back_r), (0, 0));
        }
        assert_eq!(Sextant::parse("E"), None);
    }

    #[test]
    fn arcs_follow_the_facing() {
        use Arc::{Flank, Front, Rear};
        for facing in Octant::ALL {
            let arcs: Vec<Arc> = (0..8).map(|turn| facing.arc(facing.turned(turn))).collect();
            assert_eq!(arcs, [Front, Front, Flank, Rear, Rear, Rear, Flank, Front]);
            assert!(facing.front().into_iter().all(|ahead| facing.arc(ahead) == Front));
        }
        for facing in Sextant::ALL {
            let arcs: Vec<Arc> = (0..6).map(|turn| facing.arc(facing.turned(turn))).collect();
            assert_eq!(arcs, [Front, Front, Flank, Rear, Flank, Front]);
            assert!(facing.front().into_iter().all(|ahead| facing.arc(ahead) == Front));
        }
        assert_eq!(Octant::N.front(), [Octant::NW, Octant::N, Octant::NE]);
        assert_eq!(Sextant::S.front(), [Sextant::SE, Sextant::S, Sextant::SW]);
    }
}
