//! The ground, the towns and where pieces begin: made by a formula, the same every time.

use terrain::{Cell, HexGrid};

/// 4,000 hexes.
pub const GRID: HexGrid = HexGrid::new(80, 50);
/// Pieces of one side.
pub const ARMY: u16 = 200;
/// Pieces of both sides: those of the north first.
pub const PIECES: u16 = 2 * ARMY;
/// Towns: one in each square of ten by ten.
pub const TOWNS: usize = 40;

/// What a hex is like. Rule 1.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    /// Open.
    Plain,
    /// Gives cover.
    Wood,
    /// Gives cover.
    Hill,
    /// Nobody can enter it.
    Lake,
    /// Gives cover, and belongs to somebody; its place in [`Map::towns`].
    Town(u8),
}

impl Ground {
    /// Its word, for people and as a class of the map.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Wood => "wood",
            Self::Hill => "hill",
            Self::Lake => "lake",
            Self::Town(_) => "town",
        }
    }

    /// The lowest die that hits a piece here. Rule 3.2.
    pub const fn needed(self) -> u8 {
        if matches!(self, Self::Plain) { 5 } else { 6 }
    }
}

/// Everything that never changes, looked up once.
#[derive(Debug)]
pub struct Map {
    /// The neighbours of every hex; beyond the edge there is [`terrain::NOWHERE`].
    pub near: Vec<[Cell; 6]>,
    /// What every hex is like.
    pub ground: Vec<Ground>,
    /// The hexes of the towns.
    pub towns: Vec<Cell>,
    /// Where every piece begins and comes back.
    pub homes: Vec<Cell>,
    /// How far every hex is from every town.
    pub to_town: Vec<[u8; TOWNS]>,
}

impl Map {
    /// The one map that there is.
    pub fn new() -> Self {
        let towns: Vec<Cell> = (0..TOWNS as u8)
            .filter_map(|town| GRID.cell(town % 8 * 10 + 3 + town % 5, town / 8 * 10 + 4 + town % 3))
            .collect();
        let mut ground: Vec<Ground> = GRID.cells().map(lie).collect();
        for (number, town) in (0..).zip(&towns) {
            ground[usize::from(*town)] = Ground::Town(number);
        }
        let homes = (0..PIECES).map(|piece| home(piece, &ground)).collect();
        let away =
            |cell: Cell| std::array::from_fn(|town| towns.get(town).map_or(0, |to| GRID.distance(cell, *to)));
        let to_town = GRID.cells().map(away).collect();
        Self { near: GRID.neighbours(), ground, towns, homes, to_town }
    }
}

/// Sixteen kinds of number, well mixed: one of them lake, four wood, two hill.
fn lie(cell: Cell) -> Ground {
    match u32::from(cell).wrapping_mul(0x9e37_79b1) >> 28 {
        0 => Ground::Lake,
        1..=4 => Ground::Wood,
        5 | 6 => Ground::Hill,
        _ => Ground::Plain,
    }
}

/// The first dry hex of the ten that a piece has for itself, every row begun elsewhere.
fn home(piece: u16, ground: &[Ground]) -> Cell {
    let first = piece * 10;
    let shift = GRID.row(first) % 10;
    let tried = (0..10).map(|step| first + (u16::from(shift) * 3 + step) % 10);
    let mut dry = tried.filter(|cell| ground[usize::from(*cell)] != Ground::Lake);
    dry.next().unwrap_or(first)
}
