//! How far aircraft fly. Rule 4.5: one point a hex, over land that is not closed and over any water; three for the Central
//! Russia Box.

use std::ops::{Range, RangeInclusive};
use std::sync::LazyLock;

use crate::bits::CitySet;
use crate::ids::{Place, UnitId};
use crate::rules::Rules;
use crate::state::State;
use crate::survey::Survey;
use crate::world::{DIRECTIONS, HEIGHT, WIDTH, World};

/// Spots of the grid of the map.
const SPOTS: usize = WIDTH * HEIGHT;
/// More spots than an air unit can reach.
const MOST: usize = 1024;

/// The spots around one, in odd and in even rows: those beside it, then those above and below, the one to the right first.
const AROUND: [[isize; DIRECTIONS]; 2] = [
    [1, -1, -(WIDTH as isize), -(WIDTH as isize) - 1, WIDTH as isize, WIDTH as isize - 1],
    [1, -1, -(WIDTH as isize) + 1, -(WIDTH as isize), WIDTH as isize + 1, WIDTH as isize],
];

/// A set of spots of the map as they lie, land and water.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Skies([u64; SPOTS.div_ceil(64)]);

impl Skies {
    /// No spot.
    pub const EMPTY: Self = Self([0; SPOTS.div_ceil(64)]);

    /// Whether a spot is in it.
    #[inline]
    pub const fn has(&self, spot: usize) -> bool {
        self.0[spot / 64] >> (spot % 64) & 1 != 0
    }

    /// Puts a spot in, or takes it out.
    #[inline]
    pub const fn set(&mut self, spot: usize, is_in: bool) {
        let (word, bit) = (&mut self.0[spot / 64], 1 << (spot % 64));
        if is_in {
            *word |= bit;
        } else {
            *word &= !bit;
        }
    }

    /// Where a hex lies.
    #[inline]
    pub fn spot_of(hex: Place) -> usize {
        let info = World::get().hex(hex);
        World::spot(info.row, info.col)
    }

    /// Puts a hex in, or takes it out.
    pub fn put_up(&mut self, hex: Place, is_in: bool) {
        self.set(Self::spot_of(hex), is_in);
    }

    /// Puts the spots of another set in.
    pub fn add(&mut self, other: &Self) {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word |= other;
        }
    }

    /// Puts in the spots of a row from one column to another.
    pub fn put_row(&mut self, row: u8, columns: RangeInclusive<u8>) {
        columns.for_each(|col| self.set(World::spot(row, col), true));
    }

    /// The words that hold the rows from one to another.
    pub fn words(first: u8, last: u8) -> Range<usize> {
        World::spot(first, 0) / 64..World::spot(last, WIDTH as u8 - 1) / 64 + 1
    }

    /// A word, as bits.
    #[inline]
    pub const fn word(&self, at: usize) -> u64 {
        self.0[at]
    }

    /// The spots of all cities and ports.
    pub fn of_cities() -> &'static Self {
        static CITIES: LazyLock<Skies> = LazyLock::new(|| {
            let mut spots = Skies::EMPTY;
            World::get().cities.iter().for_each(|city| spots.put_up(city.hex, true));
            spots
        });
        &CITIES
    }
}

/// The water of the map.
static WATER: LazyLock<Skies> = LazyLock::new(|| {
    let mut water = Skies::EMPTY;
    let grid = World::get().grid.iter().enumerate();
    grid.for_each(|(spot, place)| water.set(spot, *place == Place::WATER));
    water
});

/// The hexes next to the Central Russia Box, in the order of the map.
static BORDER: LazyLock<Vec<Place>> =
    LazyLock::new(|| Place::hexes().filter(|hex| World::get().hex(*hex).to_russia).collect());

/// A flight in all directions: spots wait in the order of their distance, each with its cost.
struct Flight {
    /// Spots that wait, were flown over, or can't be.
    seen: Skies,
    spots: [(u16, u8); MOST],
    length: usize,
}

impl Flight {
    #[inline]
    fn add(&mut self, spot: usize, cost: u8) {
        if !self.seen.has(spot) && self.length < MOST {
            self.seen.set(spot, true);
            self.spots[self.length] = (spot as u16, cost);
            self.length += 1;
        }
    }

    /// Adds the spots around one. The map has a spot outside at either end of every row and column, which nothing flies over.
    #[inline]
    fn spread(&mut self, spot: usize, cost: u8) {
        let row = spot / WIDTH;
        for step in AROUND[usize::from(row.is_multiple_of(2))] {
            self.add(spot.wrapping_add_signed(step), cost);
        }
    }
}

impl Rules {
    /// Calls `visit` with every hex of `stops` and with the Central Russia Box, if an air unit can fly there with the points it
    /// has, the nearest first, until it returns `true`; tells whether it did. Where it may stay is not looked at.
    pub(crate) fn fly(
        &self,
        state: &State,
        survey: &Survey,
        unit: UnitId,
        stops: &Skies,
        mut visit: impl FnMut(Place) -> bool,
    ) -> bool {
        let costs = &self.world.tables.costs;
        let (start, side) = (state.unit(unit).place, self.side_of(state, unit));
        let points = self.allowance(state, unit);
        if !start.is_hex() && start != Place::CRU {
            return false;
        }
        let sky = survey.skies_of(side);
        let seen = Skies(std::array::from_fn(|at| self.closed_sky(sky, at)));
        let mut flight = Flight { seen, spots: [(0, 0); MOST], length: 0 };
        // What the Central Russia Box costs, once it is known; it is left after everything nearer was looked at.
        let mut russia = u8::MAX;
        if start == Place::CRU {
            russia = 0;
        } else {
            let hex = self.world.hex(start);
            let spot = World::spot(hex.row, hex.col);
            flight.seen.set(spot, false);
            flight.add(spot, 0);
        }
        let has_box = self.is_box_in_play(Place::CRU);
        let mut at = 0;
        loop {
            let next = if at < flight.length { flight.spots[at].1 } else { u8::MAX };
            if russia <= points && russia <= next {
                if start != Place::CRU && visit(Place::CRU) {
                    return true;
                }
                if russia + costs.air_hex <= points {
                    self.leave_russia(russia + costs.air_hex, &mut flight);
                }
                // It is entered once.
                russia = u8::MAX - 1;
                continue;
            }
            if at == flight.length {
                return false;
            }
            let (spot, cost) = (usize::from(flight.spots[at].0), flight.spots[at].1);
            at += 1;
            if stops.has(spot) {
                let here = self.world.grid[spot];
                if here != start && visit(here) {
                    return true;
                }
            }
            if has_box && russia == u8::MAX && self.gates.has(spot) {
                russia = cost + costs.air_russia;
            }
            if cost + costs.air_hex <= points {
                flight.spread(spot, cost + costs.air_hex);
            }
        }
    }

    /// What of a word of the map can't be flown over, where a sky is open: land that is not in it or not in play, and everything
    /// outside the map.
    #[inline]
    pub(crate) fn closed_sky(&self, sky: &Skies, at: usize) -> u64 {
        !(sky.0[at] & self.skies.0[at] | WATER.0[at])
    }

    /// Where the cities of a set lie.
    pub(crate) fn spots_of(&self, cities: &CitySet) -> Skies {
        let mut spots = Skies::EMPTY;
        for city in cities.cities() {
            let (row, col) = self.sites[city.index()].spot;
            spots.set(World::spot(row, col), true);
        }
        spots
    }

    /// The hexes next to the Central Russia Box are flown to from there.
    fn leave_russia(&self, cost: u8, flight: &mut Flight) {
        for place in BORDER.iter() {
            let hex = self.world.hex(*place);
            flight.add(World::spot(hex.row, hex.col), cost);
        }
    }
}

#[cfg(test)]
mod tests;
