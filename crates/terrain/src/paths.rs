//! Distances over a board from one or many cells, where steps cost what the game says.

use crate::{Cell, NOWHERE};

/// A distance that no flood gives.
const UNREACHED: u16 = u16::MAX;

/// The distances of the cells of a board from some sources, and the ways there.
///
/// It knows nothing of the board but the number of its cells, so it serves squares, hexes and anything
/// else with numbered cells. It is made to be used again and again: only a flood larger or longer than
/// all before it allocates. A flood takes time in proportion to the steps looked at, plus the greatest
/// distance found (Dial's bucket queue), hence costs should be small numbers.
///
/// ```
/// use terrain::{Field, SquareGrid};
///
/// let grid = SquareGrid::new(5, 3);
/// let table = grid.neighbours();
/// let cell = |name| grid.parse(name).expect("on the map");
/// let swamp = cell("0302");
///
/// let mut field = Field::new();
/// field.flood(grid.len(), [(cell("0102"), 0)], 6, |here, reach| {
///     for &next in &table[usize::from(here)] {
///         reach.to(next, if next == swamp { 4 } else { 1 });
///     }
/// });
/// assert_eq!(field.distance(cell("0502")), Some(4));
/// assert_eq!(field.distance(swamp), Some(5));
///
/// let mut path = Vec::new();
/// assert!(field.path_to(cell("0502"), &mut path));
/// assert_eq!((path.len(), path[0]), (5, cell("0102")));
/// assert!(!path.contains(&swamp));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Field {
    /// The least distance found of each cell.
    dist: Vec<u16>,
    /// The cell before each cell that was reached; [`NOWHERE`] for a source.
    from: Vec<Cell>,
    /// The first cell that waits at each distance: the buckets.
    heads: Vec<Cell>,
    /// For each cell that waits, the next one at the same distance and the one before.
    links: Vec<Links>,
}

#[derive(Clone, Copy, Debug)]
struct Links {
    next: Cell,
    before: Cell,
}

impl Field {
    /// A field of no cells.
    #[must_use]
    pub const fn new() -> Self {
        Self { dist: Vec::new(), from: Vec::new(), heads: Vec::new(), links: Vec::new() }
    }

    /// Finds the least distance, up to `limit`, of each of the cells numbered below `cells` from any of
    /// the sources, each of which has a distance to begin with.
    ///
    /// For each cell that is reached, `edges` is asked once for the steps that lead on, and gives them
    /// to [`Reach::to`]. It is asked in order of distance. Among equally short ways, the one found
    /// first stays. The greatest distance is 65534, whatever the limit.
    ///
    /// # Panics
    ///
    /// When there are more than 65535 cells.
    pub fn flood(
        &mut self,
        cells: usize,
        sources: impl IntoIterator<Item = (Cell, u16)>,
        limit: u16,
        mut edges: impl FnMut(Cell, &mut Reach<'_>),
    ) {
        self.clear(cells);
        let limit = limit.min(UNREACHED - 1);
        let mut reach = Reach { field: self, here: NOWHERE, so_far: 0, limit };
        for (cell, distance) in sources {
            reach.to(cell, distance);
        }
        // Buckets are added while the flood runs on.
        let mut distance = 0;
        while distance < reach.field.heads.len() {
            while let Some(cell) = reach.field.take(distance) {
                reach.here = cell;
                reach.so_far = distance as u16;
                edges(cell, &mut reach);
            }
            distance += 1;
        }
    }

    /// The distance of a cell in the last flood; none when it was not reached.
    #[must_use]
    pub fn distance(&self, cell: Cell) -> Option<u16> {
        self.dist.get(usize::from(cell)).copied().filter(|distance| *distance != UNREACHED)
    }

    /// The cells reached by the last flood, in their order on the board, with their distances.
    pub fn reached(&self) -> impl DoubleEndedIterator<Item = (Cell, u16)> {
        (0..self.dist.len() as Cell).zip(self.dist.iter().copied()).filter(|(_, d)| *d != UNREACHED)
    }

    /// The cell before a cell on the way from its source; none for a source, and for a cell that was
    /// not reached.
    #[must_use]
    pub fn before(&self, cell: Cell) -> Option<Cell> {
        self.distance(cell)?;
        Some(self.from[usize::from(cell)]).filter(|before| *before != NOWHERE)
    }

    /// Replaces `path` with the way from the nearest source to a cell, both included. Says whether the
    /// cell was reached; the path is empty when it was not.
    pub fn path_to(&self, cell: Cell, path: &mut Vec<Cell>) -> bool {
        path.clear();
        if self.distance(cell).is_none() {
            return false;
        }
        path.push(cell);
        let mut last = cell;
        while let Some(before) = self.before(last) {
            path.push(before);
            last = before;
        }
        path.reverse();
        true
    }

    /// Forgets the last flood. What the other tables hold of it is never read.
    fn clear(&mut self, cells: usize) {
        assert!(cells <= usize::from(NOWHERE), "a board has at most 65535 cells");
        self.heads.clear();
        self.dist.clear();
        self.dist.resize(cells, UNREACHED);
        self.from.resize(cells, NOWHERE);
        self.links.resize(cells, Links { next: NOWHERE, before: NOWHERE });
    }

    /// Takes a cell out of the bucket of a distance.
    #[inline]
    fn take(&mut self, distance: usize) -> Option<Cell> {
        let cell = self.heads[distance];
        if cell == NOWHERE {
            return None;
        }
        let next = self.links[usize::from(cell)].next;
        self.heads[distance] = next;
        if next != NOWHERE {
            self.links[usize::from(next)].before = NOWHERE;
        }
        Some(cell)
    }

    /// Takes a cell out of the bucket where it waits, wherever it stands in it.
    fn withdraw(&mut self, cell: Cell, distance: u16) {
        let Links { next, before } = self.links[usize::from(cell)];
        if before == NOWHERE {
            self.heads[usize::from(distance)] = next;
        } else {
            self.links[usize::from(before)].next = next;
        }
        if next != NOWHERE {
            self.links[usize::from(next)].before = before;
        }
    }

    /// Puts a cell into the bucket of a distance.
    #[inline]
    fn put(&mut self, cell: Cell, distance: u16) {
        let distance = usize::from(distance);
        if distance >= self.heads.len() {
            self.heads.resize(distance + 1, NOWHERE);
        }
        let next = std::mem::replace(&mut self.heads[distance], cell);
        self.links[usize::from(cell)] = Links { next, before: NOWHERE };
        if next != NOWHERE {
            self.links[usize::from(next)].before = cell;
        }
    }
}

/// A cell that a flood has come to, from which steps lead on.
#[derive(Debug)]
pub struct Reach<'a> {
    field: &'a mut Field,
    here: Cell,
    so_far: u16,
    limit: u16,
}

impl Reach<'_> {
    /// The distance of the cell from the sources.
    #[must_use]
    pub const fn so_far(&self) -> u16 {
        self.so_far
    }

    /// A step leads from the cell to another, at a cost. [`NOWHERE`] is passed over, so that a table of
    /// neighbours can be handed on as it is.
    #[inline]
    pub fn to(&mut self, cell: Cell, cost: u16) {
        let Some(&known) = self.field.dist.get(usize::from(cell)) else {
            debug_assert_eq!(cell, NOWHERE, "a step leads to a cell that the board has not");
            return;
        };
        let distance = u32::from(self.so_far) + u32::from(cost);
        if distance > u32::from(self.limit) || distance >= u32::from(known) {
            return;
        }
        let distance = distance as u16;
        // A cell that has been taken from its bucket is never reached by a shorter way: this one waits.
        if known != UNREACHED {
            self.field.withdraw(cell, known);
        }
        self.field.dist[usize::from(cell)] = distance;
        self.field.from[usize::from(cell)] = self.here;
        self.field.put(cell, distance);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{HexGrid, SquareGrid};

    /// A small generator of numbers: Knuth's, upper half.
    struct Lcg(u64);

    impl Lcg {
        fn below(&mut self, bound: u16) -> u16 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((self.0 >> 33) % u64::from(bound)) as u16
        }
    }

    /// Every step of a board with its cost: from, to, cost.
    type Steps = Vec<(Cell, Cell, u16)>;

    /// A third of the steps are barred; the others have costs below `bound`, 0 among them.
    fn steps<const N: usize>(table: &[[Cell; N]], bound: u16, random: &mut Lcg) -> Steps {
        let mut steps = Vec::new();
        for (from, neighbours) in (0..).zip(table) {
            for &to in neighbours.iter().filter(|to| **to != NOWHERE) {
                if random.below(3) != 0 {
                    steps.push((from, to, random.below(bound)));
                }
            }
        }
        steps
    }

    /// Bellman and Ford: relax every step until nothing changes.
    fn relax(cells: usize, sources: &[(Cell, u16)], limit: u16, steps: &Steps) -> Vec<Option<u16>> {
        let mut dist = vec![u32::MAX; cells];
        for &(cell, distance) in sources {
            dist[usize::from(cell)] = dist[usize::from(cell)].min(u32::from(distance));
        }
        let mut changed = true;
        while changed {
            changed = false;
            for &(from, to, cost) in steps {
                let through = dist[usize::from(from)].saturating_add(u32::from(cost));
                if through < dist[usize::from(to)] {
                    dist[usize::from(to)] = through;
                    changed = true;
                }
            }
        }
        dist.into_iter().map(|d| u16::try_from(d).ok().filter(|d| *d <= limit && *d != u16::MAX)).collect()
    }

    /// Floods a board at random and compares with the simple way; the paths must add up, too.
    fn compare<const N: usize>(table: &[[Cell; N]], field: &mut Field, random: &mut Lcg) {
        let cells = table.len();
        let bound = [2, 4, 30, 9000][usize::from(random.below(4))];
        let limit = [0, 5, 60, u16::MAX][usize::from(random.below(4))];
        let steps = steps(table, bound, random);
        let sources: Vec<(Cell, u16)> =
            (0..random.below(4)).map(|_| (random.below(cells as u16), random.below(bound))).collect();
        let mut asked = vec![0; cells];
        field.flood(cells, sources.iter().copied(), limit, |here, reach| {
            asked[usize::from(here)] += 1;
            for &(_, to, cost) in steps.iter().filter(|(from, ..)| *from == here) {
                reach.to(to, cost);
            }
        });
        let expected = relax(cells, &sources, limit, &steps);
        let mut path = vec![7];
        for (cell, distance) in (0..).zip(&expected) {
            assert_eq!(field.distance(cell), *distance);
            assert_eq!(asked[usize::from(cell)], i32::from(distance.is_some()));
            assert_eq!(field.path_to(cell, &mut path), distance.is_some());
            let Some(distance) = *distance else {
                assert!(path.is_empty());
                continue;
            };
            assert_eq!((field.before(path[0]), path.last()), (None, Some(&cell)));
            let start = field.distance(path[0]).expect("a source");
            assert!(sources.contains(&(path[0], start)));
            let length: u16 = path
                .windows(2)
                .map(|pair| {
                    let step = steps.iter().find(|(from, to, _)| [*from, *to] == pair[..]);
                    step.expect("a step").2
                })
                .sum();
            assert_eq!(start + length, distance);
        }
        let reached: Vec<(Cell, u16)> =
            (0..).zip(expected).filter_map(|(cell, d)| Some((cell, d?))).collect();
        assert_eq!(field.reached().collect::<Vec<_>>(), reached);
    }

    #[test]
    fn a_flood_finds_what_bellman_and_ford_find() {
        let mut random = Lcg(1944);
        // One field for all, as it is meant to be used.
        let mut field = Field::new();
        for _ in 0..300 {
            let (cols, rows) = (1 + random.below(8) as u8, 1 + random.below(7) as u8);
            compare(&SquareGrid::new(cols, rows).neighbours(), &mut field, &mut random);
            compare(&HexGrid::new(cols, rows).neighbours(), &mut field, &mut random);
        }
    }

    #[test]
    fn steps_of_cost_one_give_the_distance_of_the_grid() {
        let mut field = Field::new();
        let grid = SquareGrid::new(9, 7);
        let table = grid.neighbours();
        for a in grid.cells() {
            field.flood(grid.len(), [(a, 0)], u16::MAX, |here, reach| {
                assert_eq!(reach.so_far(), u16::from(grid.distance(a, here)));
                table[usize::from(here)].iter().for_each(|&next| reach.to(next, 1));
            });
            assert!(grid.cells().all(|b| field.distance(b) == Some(grid.distance(a, b).into())));
        }
    }

    #[test]
    fn the_far_end_of_the_numbers_is_unreached() {
        let mut field = Field::new();
        field.flood(3, [(0, 65_533)], u16::MAX, |here, reach| reach.to((here + 1) % 3, 1));
        assert_eq!(field.reached().collect::<Vec<_>>(), [(0, 65_533), (1, 65_534)]);
        assert_eq!(field.distance(NOWHERE), None);
        field.flood(2, [(1, 0), (1, 3)], 0, |_, _| ());
        assert_eq!(field.reached().collect::<Vec<_>>(), [(1, 0)]);
        assert_eq!(field.distance(2), None);
    }
}
