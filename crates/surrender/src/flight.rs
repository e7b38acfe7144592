//! How far aircraft fly. Rule 4.5: one point a hex, over land that is not closed and over any water; three for the Central
//! Russia Box.

use crate::ids::{Place, UnitId};
use crate::rules::Rules;
use crate::state::State;
use crate::world::{DIRECTIONS, HEIGHT, WIDTH, World};

/// Spots of the grid of the map.
const SPOTS: usize = WIDTH * HEIGHT;
/// More spots than an air unit can reach.
const MOST: usize = 1024;

/// The spots around one, in odd and in even rows.
const AROUND: [[isize; DIRECTIONS]; 2] = [
    [1, -1, -(WIDTH as isize), -(WIDTH as isize) - 1, WIDTH as isize, WIDTH as isize - 1],
    [1, -1, -(WIDTH as isize) + 1, -(WIDTH as isize), WIDTH as isize + 1, WIDTH as isize],
];

/// A flight in all directions: spots wait in the order of their distance.
struct Flight {
    seen: [u64; SPOTS.div_ceil(64)],
    spots: [u16; MOST],
    costs: [u8; MOST],
    length: usize,
}

impl Flight {
    /// Whether a spot waits, was flown over, or is known to be closed.
    #[inline]
    fn is_seen(&self, spot: usize) -> bool {
        self.seen.get(spot / 64).is_some_and(|word| word >> (spot % 64) & 1 != 0)
    }

    fn add(&mut self, spot: usize, cost: u8) {
        let (word, bit) = (spot / 64, 1 << (spot % 64));
        if self.seen[word] & bit == 0 && self.length < MOST {
            self.seen[word] |= bit;
            (self.spots[self.length], self.costs[self.length]) = (spot as u16, cost);
            self.length += 1;
        }
    }
}

impl Rules {
    /// Calls `visit` with every land hex and Map Box that an air unit can fly to with the points it has, the nearest first,
    /// until it returns `true`; tells whether it did. Where it may stay is not looked at.
    pub(crate) fn fly(&self, state: &State, unit: UnitId, mut visit: impl FnMut(Place) -> bool) -> bool {
        let costs = &self.world.tables.costs;
        let (start, side) = (state.unit(unit).place, self.side_of(state, unit));
        let points = self.allowance(state, unit);
        let mut flight =
            Flight { seen: [0; SPOTS.div_ceil(64)], spots: [0; MOST], costs: [0; MOST], length: 0 };
        // What the Central Russia Box costs, once it is known; it is left after everything nearer was looked at.
        let mut russia = u8::MAX;
        if start == Place::CRU {
            russia = 0;
        } else if start.is_hex() {
            let hex = self.world.hex(start);
            flight.add(World::spot(hex.row, hex.col), 0);
        } else {
            return false;
        }
        let mut at = 0;
        loop {
            let next = if at < flight.length { flight.costs[at] } else { u8::MAX };
            if russia <= points && russia <= next {
                if start != Place::CRU && visit(Place::CRU) {
                    return true;
                }
                if russia + costs.air_hex <= points {
                    self.leave_russia(state, unit, russia + costs.air_hex, &mut flight);
                }
                // It is entered once.
                russia = u8::MAX - 1;
                continue;
            }
            if at == flight.length {
                return false;
            }
            let (spot, cost) = (flight.spots[at], flight.costs[at]);
            at += 1;
            let here = self.world.grid[usize::from(spot)];
            if here.is_hex() {
                if here != start && visit(here) {
                    return true;
                }
                if russia == u8::MAX && self.world.hex(here).to_russia && self.is_box_in_play(Place::CRU) {
                    russia = cost + costs.air_russia;
                }
            }
            if cost + costs.air_hex > points {
                continue;
            }
            let row = usize::from(spot) / WIDTH;
            for step in AROUND[usize::from(row.is_multiple_of(2))] {
                let near = usize::from(spot).wrapping_add_signed(step);
                if flight.is_seen(near) {
                    continue;
                }
                let Some(place) = self.world.grid.get(near).copied() else { continue };
                if place == Place::WATER || place.is_hex() && !self.is_closed(state, place, side) {
                    flight.add(near, cost + costs.air_hex);
                } else {
                    flight.seen[near / 64] |= 1 << (near % 64);
                }
            }
        }
    }

    fn leave_russia(&self, state: &State, unit: UnitId, cost: u8, flight: &mut Flight) {
        let side = self.side_of(state, unit);
        for place in Place::hexes() {
            let hex = self.world.hex(place);
            if hex.to_russia && !self.is_closed(state, place, side) {
                flight.add(World::spot(hex.row, hex.col), cost);
            }
        }
    }
}

#[cfg(test)]
mod tests;
