//! What must hold in every position.

use terrain::Cell;

use crate::rules::Rules;
use crate::scenario::Side;
use crate::state::{LOST, NOBODY, Stage, State, WAITING};
use crate::units::Units;

impl Rules {
    /// The first thing that does not hold.
    pub fn invariants(&self, s: &State) -> Result<(), String> {
        let mut standing = Units::EMPTY;
        for zone in 0..self.scenario.grid.len() as Cell {
            self.check_zone(s, zone, &mut standing)?;
        }
        for unit in 0..s.units.len() as u8 {
            let battalion = s.unit(unit);
            if battalion.on_map() != standing.has(unit) {
                return Err(format!("{} says {} but stands elsewhere", self.unit_name(unit), battalion.zone));
            }
            if !battalion.on_map() && battalion.next != NOBODY {
                return Err(format!("{} is off the map and in a stack", self.unit_name(unit)));
            }
            if battalion.zone == LOST && self.troop(unit).is_hq() {
                return Err(format!("{} is an HQ and lost", self.unit_name(unit)));
            }
            if battalion.zone == WAITING && self.troop(unit).arrives == 0 {
                return Err(format!("{} waits and never was to", self.unit_name(unit)));
            }
            if self.troop(unit).garrison && battalion.unsupplied > 1 {
                return Err(format!("the garrison {} goes hungry", self.unit_name(unit)));
            }
        }
        for side in Side::ALL {
            let at = side.index();
            if s.markers[at] > s.tally[at] {
                return Err(format!("{} has more markers than its tally", self.side_name(side)));
            }
            let info = &self.scenario.sides[at];
            if s.art[at] > info.art || s.air[at] > info.air {
                return Err(format!("{} has more supports than it may", self.side_name(side)));
            }
        }
        if s.turn > self.scenario.turns {
            return Err(format!("turn {} of {}", s.turn, self.scenario.turns));
        }
        Ok(())
    }

    fn check_zone(&self, s: &State, zone: Cell, standing: &mut Units) -> Result<(), String> {
        let name = || self.scenario.grid.name(zone);
        let mut before = None;
        let side = self.owner(s, zone);
        for unit in s.stack(zone) {
            if s.unit(unit).zone != zone || standing.has(unit) {
                return Err(format!("{} stands in {} and elsewhere", self.unit_name(unit), name()));
            }
            standing.insert(unit);
            if before.is_some_and(|before| before >= unit) {
                return Err(format!("the stack in {} is out of order", name()));
            }
            before = Some(unit);
            if Some(self.troop(unit).side) != side {
                return Err(format!("both sides are in {}", name()));
            }
            let lay = self.lay(zone);
            if lay.impassable || (lay.water && self.scenario.landing != side) {
                return Err(format!("{} is in the water of {}", self.unit_name(unit), name()));
            }
        }
        let in_passing =
            matches!(s.stage, Stage::March | Stage::Demolition | Stage::DemolitionDie | Stage::Retreat);
        if self.points(s, zone) > self.stack_limit && !in_passing {
            return Err(format!("{} holds {} points", name(), self.points(s, zone)));
        }
        let ground = &s.zones[usize::from(zone)];
        let owner = s.stack(zone).next().map_or(0, |unit| self.troop(unit).side.tag());
        let controls = if self.projects(s, zone) { owner } else { 0 };
        if (ground.owner, ground.controls) != (owner, controls) {
            return Err(format!("what is noted of the stack in {} is not so", name()));
        }
        let works = ground.works;
        if let Some(side) = side
            && works & crate::state::work::PREPARED << side.enemy().index() != 0
        {
            return Err(format!("an enemy position stands under a stack in {}", name()));
        }
        for way in terrain::Octant::ALL {
            let bridged = s.zones[usize::from(zone)].spans >> way.index() & 1 != 0;
            if bridged {
                let to = self.near(zone, way);
                if !self.is_river(zone, way)
                    || s.zones[usize::from(to)].spans >> way.opposite().index() & 1 == 0
                {
                    return Err(format!("a bridge out of {} leads nowhere", name()));
                }
            }
        }
        Ok(())
    }
}
