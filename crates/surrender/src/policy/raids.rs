//! Where enemies could march in their next turn as the armies stand now: around those who bar the way, stopped by their zones
//! of control. Rules 4.2, 4.3.

use crate::ids::{LANDS, Place, Side, UnitId};
use crate::rules::Rules;
use crate::state::State;

use super::plan::{NO_WAY, STEPS};

/// More than any movement allowance.
const ALLOWANCES: usize = 12;

/// The reach of the enemy.
#[derive(Clone, Debug, Default)]
pub(super) struct Raids {
    /// Movement points that an enemy has left in each hex, and one more; 0 where none comes.
    left: Vec<u8>,
    /// Hexes to go on from, by the points that are left.
    open: [Vec<u16>; ALLOWANCES],
}

impl Raids {
    /// Whether an enemy could march into a hex.
    pub fn reach(&self, hex: Place) -> bool {
        self.left.get(hex.index()).is_some_and(|left| *left > 0)
    }

    /// Finds where the enemies of a side could march.
    pub fn find(&mut self, rules: &Rules, state: &State, side: Side) {
        self.left.clear();
        self.left.resize(LANDS, 0);
        let mut enemy = Side::Nobody;
        for unit in UnitId::all() {
            let place = state.unit(unit).place;
            let own = rules.side_of(state, unit);
            if place.is_hex() && rules.kind(unit).is_field() && state.at_war(own, side) {
                enemy = own;
                let points = rules.allowance(state, unit).min(ALLOWANCES as u8 - 1);
                self.left[place.index()] = points + 1;
                self.open[usize::from(points)].push(place.0);
            }
        }
        for points in (1..ALLOWANCES).rev() {
            while let Some(at) = self.open[points].pop() {
                if usize::from(self.left[usize::from(at)]) == points + 1 {
                    self.step(rules, state, side, enemy, Place(at));
                }
            }
        }
        self.open[0].clear();
    }

    /// Goes on from a hex to its neighbours.
    fn step(&mut self, rules: &Rules, state: &State, side: Side, enemy: Side, from: Place) {
        let points = self.left[from.index()] - 1;
        for (direction, near) in rules.world.hex(from).near.into_iter().enumerate() {
            let cost = STEPS[from.index()][direction];
            if cost == NO_WAY || cost > points || self.left[near.index()] > points - cost {
                continue;
            }
            let controller = state.controller(near);
            let barred = state.ground_at(near).is_some_and(|unit| rules.side_of(state, unit) == side);
            if barred
                || !(controller == side || state.at_war(controller, side))
                || !rules.scenario().in_play(near)
            {
                continue;
            }
            let left = points - cost;
            self.left[near.index()] = left + 1;
            if !rules.ezoc(state, near, enemy) {
                self.open[usize::from(left)].push(near.0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::Country;
    use crate::testing;

    #[test]
    fn armies_and_their_zones_bar_the_way() {
        let rules = testing::rules();
        let mut state =
            testing::position(&rules, &[(Country::GER, Side::Axis), (Country::POL, Side::Western)]);
        let breslau = rules.world.place_named("3132").expect("Breslau");
        let mut raids = Raids::default();
        let reached = |raids: &Raids| Place::hexes().filter(|hex| raids.reach(*hex)).count();
        raids.find(&rules, &state, Side::Axis);
        assert_eq!(reached(&raids), 0, "nobody is there to march");
        testing::put(&rules, &mut state, "POL-LOD", "2934");
        raids.find(&rules, &state, Side::Axis);
        let free = reached(&raids);
        assert!(raids.reach(breslau) && free > 10, "{free} hexes");
        // An army in the city keeps it, and its zone of control stops who comes near.
        testing::put(&rules, &mut state, "GER-8A", "3132");
        raids.find(&rules, &state, Side::Axis);
        assert!(!raids.reach(breslau), "into a hex that is held");
        assert!(reached(&raids) < free, "{} of {free} hexes", reached(&raids));
    }
}
