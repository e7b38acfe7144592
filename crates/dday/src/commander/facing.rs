//! Which way a stack looks. Rule 4.2.

use terrain::{Cell, Octant};

use super::Desk;
use crate::choice::Choice;

impl Desk<'_> {
    /// How much enemy there is in each direction of a zone.
    fn bearings(&self, zone: Cell) -> [i32; 8] {
        let (rules, s) = (self.rules, self.s);
        let grid = rules.scenario.grid;
        let mut values = [0; 8];
        for unit in rules.armies[self.side.enemy().index()] {
            let at = s.unit(unit).zone;
            if !s.unit(unit).on_map() || at == zone || !rules.troop(unit).assaults {
                continue;
            }
            let far = i32::from(grid.distance(zone, at));
            if far <= 6
                && let Some(way) = grid.bearing(zone, at)
            {
                values[way.index()] += 1000 / (far * far * far);
            }
        }
        values
    }

    /// The worth of a facing: enemies ahead and to both sides of it.
    pub(super) fn facing(&self, zone: Cell, choice: Choice) -> i32 {
        let way = match choice {
            Choice::Face(way) => way,
            Choice::Halt => self.s.zones[usize::from(zone)].facing,
            _ => return i32::MIN,
        };
        let values = self.bearings(zone);
        way.front().iter().map(|way| values[way.index()]).sum::<i32>() + values[way.index()] / 2
    }

    /// A stack that the enemy could take in the flank wants to turn.
    pub(super) fn turn_urge(&self, zone: Cell, enemy: u8) -> i32 {
        if enemy > 1 || self.s.night || self.rules.lay(zone).water {
            return 0;
        }
        let values = self.bearings(zone);
        let (now, best) = (self.s.zones[usize::from(zone)].facing, best_facing(&values));
        let front = |way: Octant| way.front().iter().map(|way| values[way.index()]).sum::<i32>();
        if front(best) > 2 * front(now) { 20 } else { 0 }
    }
}

fn best_facing(values: &[i32; 8]) -> Octant {
    let worth = |way: &Octant| {
        way.front().iter().map(|way| values[way.index()]).sum::<i32>() * 2 + values[way.index()]
    };
    Octant::ALL.into_iter().max_by_key(worth).unwrap_or(Octant::N)
}
