//! Where a ground unit can go in its activation, and how. Rules 4.2, 4.3.

use std::collections::VecDeque;

use crate::ids::{LANDS, Place, UnitId};
use crate::rules::Rules;
use crate::state::State;

/// More places than a unit ever reaches.
const MOST: usize = 256;
/// No stop before this one.
const START: u8 = u8::MAX;

/// A place that a unit can come to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stop {
    /// The hex.
    pub hex: Place,
    /// Movement points left there.
    pub left: u8,
    /// Whether the unit may stay: no friend is in the hex.
    pub free: bool,
    /// Whether it must stop there: an EZOC.
    pub ends: bool,
    /// The stop before.
    before: u8,
}

/// The places that a unit can come to, its own first.
#[derive(Clone, Debug)]
pub(super) struct Reach {
    stops: Vec<Stop>,
    /// Stops to go on from, in turn; one to which a cheaper way is found comes again.
    open: VecDeque<u8>,
    /// Which stop a hex is, with the number of the search that found it.
    marks: Vec<(u32, u8)>,
    search: u32,
}

impl Default for Reach {
    fn default() -> Self {
        Self {
            stops: Vec::with_capacity(MOST),
            open: VecDeque::with_capacity(MOST),
            marks: vec![(0, 0); LANDS],
            search: 0,
        }
    }
}

impl Reach {
    /// Finds the places that a unit can come to from where it is with so many points. `begun`: it has moved or attacked.
    pub fn find(&mut self, rules: &Rules, state: &State, unit: UnitId, points: u8, begun: bool) {
        self.search += 1;
        self.stops.clear();
        let from = state.unit(unit).place;
        if !from.is_hex() {
            return;
        }
        let side = rules.side_of(state, unit);
        let passing = state.ground[from.index()] != unit;
        let held = begun && !passing && rules.ezoc(state, from, side);
        self.stops.push(Stop { hex: from, left: points, free: !passing, ends: held, before: START });
        self.marks[from.index()] = (self.search, 0);
        self.open.clear();
        self.open.push_back(0);
        while let Some(at) = self.open.pop_front() {
            if !self.stops[usize::from(at)].ends {
                self.expand(rules, state, unit, usize::from(at), begun);
            }
        }
    }

    fn expand(&mut self, rules: &Rules, state: &State, unit: UnitId, at: usize, begun: bool) {
        let here = self.stops[at];
        let side = rules.side_of(state, unit);
        for to in rules.world.hex(here.hex).near {
            if !to.is_hex() {
                continue;
            }
            let occupant = state.ground_at(to).filter(|other| *other != unit);
            if occupant.is_some_and(|other| rules.side_of(state, other) != side) {
                continue;
            }
            let Some(cost) = rules.step_cost(state, unit, here.hex, to) else { continue };
            let left = if cost <= here.left {
                here.left - cost
            } else if at == 0 && !begun && occupant.is_none() {
                0
            } else {
                continue;
            };
            let (search, known) = self.marks[to.index()];
            if search == self.search {
                let stop = &mut self.stops[usize::from(known)];
                if left > stop.left {
                    (stop.left, stop.before) = (left, at as u8);
                    self.open.push_back(known);
                }
                continue;
            }
            if self.stops.len() + 1 >= usize::from(START) {
                continue;
            }
            let free = occupant.is_none();
            if !free && left == 0 {
                continue;
            }
            let ends = rules.ezoc(state, to, side);
            if !free && ends {
                continue;
            }
            self.marks[to.index()] = (self.search, self.stops.len() as u8);
            self.open.push_back(self.stops.len() as u8);
            self.stops.push(Stop { hex: to, left, free, ends, before: at as u8 });
        }
    }

    /// The places found, the unit's own first.
    pub fn stops(&self) -> &[Stop] {
        &self.stops
    }

    /// The steps on the way to a stop, the last first, and how many they are.
    pub fn steps<const N: usize>(&self, stop: usize) -> ([Place; N], usize) {
        let (mut steps, mut count, mut at) = ([Place::NONE; N], 0, stop);
        while at != 0 && count < N {
            steps[count] = self.stops[at].hex;
            count += 1;
            at = usize::from(self.stops[at].before);
        }
        (steps, count)
    }
}
