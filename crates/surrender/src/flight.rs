//! How far aircraft fly. Rule 4.5: one point a hex, over land that is not closed and over any water; three for the Central
//! Russia Box.

use std::sync::LazyLock;

use crate::bits::CitySet;
use crate::ids::{City, Place, UnitId};
use crate::near_cities::to_russia;
use crate::rules::Rules;
use crate::state::State;
use crate::survey::Survey;
use crate::world::{HEIGHT, WIDTH, World};

/// More spots than an air unit can reach.
const MOST: usize = 1024;

/// A set of spots of the map as they lie: a row of the map in each word, a bit for each column.
pub(crate) type Rows = [u128; HEIGHT];

const _: () = assert!(WIDTH <= 128);

/// The water of the map.
static WATER: LazyLock<Rows> = LazyLock::new(|| {
    let mut rows = [0; HEIGHT];
    for (at, place) in World::get().grid.iter().enumerate() {
        rows[at / WIDTH] |= u128::from(*place == Place::WATER) << (at % WIDTH);
    }
    rows
});

/// The hexes next to the Central Russia Box, in the order of the map.
static BORDER: LazyLock<Vec<Place>> =
    LazyLock::new(|| Place::hexes().filter(|hex| World::get().hex(*hex).to_russia).collect());

/// Puts a hex into a set of spots, or takes it out.
#[inline]
pub(crate) fn put_up(rows: &mut Rows, hex: Place, is_in: bool) {
    let info = World::get().hex(hex);
    let bit = 1 << info.col;
    if is_in {
        rows[usize::from(info.row)] |= bit;
    } else {
        rows[usize::from(info.row)] &= !bit;
    }
}

/// A flight in all directions: spots wait in the order of their distance, as row, column and cost.
struct Flight {
    /// Spots that wait, were flown over, or can't be.
    seen: Rows,
    spots: [(u8, u8, u8); MOST],
    length: usize,
}

impl Flight {
    #[inline]
    fn add(&mut self, row: u8, col: u8, cost: u8) {
        let (word, bit) = (usize::from(row), 1 << col);
        if self.seen[word] & bit == 0 && self.length < MOST {
            self.seen[word] |= bit;
            self.spots[self.length] = (row, col, cost);
            self.length += 1;
        }
    }

    /// Adds the spots around one: those beside it, then those above and below, in each row the one to the right first. The
    /// map has a spot outside at either end of every row and column, which nothing flies over.
    #[inline]
    fn spread(&mut self, row: u8, col: u8, cost: u8) {
        let beside = self.seen[usize::from(row)] >> (col - 1);
        let left = col - u8::from(!row.is_multiple_of(2));
        let above = self.seen[usize::from(row) - 1] >> left;
        let below = self.seen[usize::from(row) + 1] >> left;
        if (beside & 0b101) as u8 == 0b101 && (above & below & 0b11) as u8 == 0b11 {
            return;
        }
        self.add(row, col + 1, cost);
        self.add(row, col - 1, cost);
        for next in [row - 1, row + 1] {
            self.add(next, left + 1, cost);
            self.add(next, left, cost);
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
        stops: &Rows,
        mut visit: impl FnMut(Place) -> bool,
    ) -> bool {
        let costs = &self.world.tables.costs;
        let (start, side) = (state.unit(unit).place, self.side_of(state, unit));
        let points = self.allowance(state, unit);
        if !start.is_hex() && start != Place::CRU {
            return false;
        }
        let mut seen = survey.skies_of(state, side);
        for (row, (water, in_play)) in seen.iter_mut().zip(WATER.iter().zip(&self.skies)) {
            *row = !(*row & in_play | water);
        }
        let mut flight = Flight { seen, spots: [(0, 0, 0); MOST], length: 0 };
        // What the Central Russia Box costs, once it is known; it is left after everything nearer was looked at.
        let mut russia = u8::MAX;
        if start == Place::CRU {
            russia = 0;
        } else {
            let hex = self.world.hex(start);
            flight.seen[usize::from(hex.row)] &= !(1 << hex.col);
            flight.add(hex.row, hex.col, 0);
        }
        let has_box = self.is_box_in_play(Place::CRU);
        let mut stops_left = self.stops_ahead(start, points, has_box, stops);
        let mut at = 0;
        loop {
            let next = if at < flight.length { flight.spots[at].2 } else { u8::MAX };
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
            let (row, col, cost) = flight.spots[at];
            at += 1;
            if stops[usize::from(row)] >> col & 1 != 0 {
                let here = self.world.grid[World::spot(row, col)];
                if here != start && visit(here) {
                    return true;
                }
                stops_left -= 1;
                if stops_left == 0 {
                    return false;
                }
            }
            if has_box && russia == u8::MAX && self.gates[usize::from(row)] >> col & 1 != 0 {
                russia = cost + costs.air_russia;
            }
            if cost + costs.air_hex <= points {
                flight.spread(row, col, cost + costs.air_hex);
            }
        }
    }

    /// No more stops than this can be flown to, the start included if it is one: those that are near enough. Where the Central
    /// Russia Box is near, which makes ways shorter, nothing is known.
    fn stops_ahead(&self, start: Place, points: u8, has_box: bool, stops: &Rows) -> u32 {
        let costs = &self.world.tables.costs;
        let range = points / costs.air_hex;
        let Some(city) = start.is_hex().then(|| self.tile(start).city).and_then(City::some) else {
            return u32::MAX;
        };
        if has_box && to_russia(city) <= range {
            return u32::MAX;
        }
        let (row, col) = self.sites[city.index()].spot;
        let (above, below) = (row.saturating_sub(range), (row + range).min(HEIGHT as u8 - 1));
        let mut count = 0;
        for at in above..=below {
            // A step up or down leads half a column sideways too.
            let gone = at.abs_diff(row);
            let side = range - gone / 2;
            let left = u32::from(col.saturating_sub(side));
            let width = (u32::from(col) + u32::from(side)).min(WIDTH as u32 - 1) - left + 1;
            let columns = stops[usize::from(at)] >> left & ((1 << width) - 1);
            count += columns.count_ones();
        }
        count
    }

    /// Where the cities of a set lie.
    pub(crate) fn rows_of(&self, cities: &CitySet) -> Rows {
        let mut rows = [0; HEIGHT];
        for city in cities.cities() {
            let (row, col) = self.sites[city.index()].spot;
            rows[usize::from(row)] |= 1 << col;
        }
        rows
    }

    /// The hexes next to the Central Russia Box are flown to from there.
    fn leave_russia(&self, cost: u8, flight: &mut Flight) {
        for place in BORDER.iter() {
            let hex = self.world.hex(*place);
            flight.add(hex.row, hex.col, cost);
        }
    }
}

#[cfg(test)]
mod tests;
