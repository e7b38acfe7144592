//! What the supply of a position depends on: two positions with the same key have the same supply.

use std::sync::Arc;

use crate::bits::UnitSet;
use crate::ids::{COUNTRIES, Faction, Place, Side};
use crate::muster::Muster;
use crate::rules::Rules;
use crate::scenario::Scenario;
use crate::state::{PARTISANS, State, Status, WALLS};
use crate::tracked::Stamp;

/// What the supply of a position depends on.
#[derive(Clone, Debug)]
pub(crate) struct NetKey {
    ground: Stamp,
    control: Stamp,
    countries: [(Status, Side); COUNTRIES],
    free: UnitSet,
    walls: [Place; WALLS],
    partisans: [(Place, Faction); PARTISANS],
    mulberry: (Place, u8),
    wars: [bool; 2],
    ceded: u8,
    vichy: u32,
    turn: u8,
    /// Kept, so that no other scenario can come to lie in the same place of memory.
    scenario: Arc<Scenario>,
}

impl NetKey {
    /// The key of a position.
    pub fn new(rules: &Rules, state: &State) -> Self {
        Self {
            ground: state.ground.stamp(),
            control: state.control.stamp(),
            countries: std::array::from_fn(|at| (state.countries[at].status, state.countries[at].side)),
            free: Muster::free_of(state),
            walls: state.walls,
            partisans: state.partisans,
            mulberry: state.mulberry,
            wars: [state.war_west, state.war_east],
            ceded: state.ceded,
            vichy: state.vichy,
            turn: state.turn,
            scenario: Arc::clone(&rules.settings.scenario),
        }
    }

    /// What the ground units of the position are known by.
    pub const fn ground(&self) -> Stamp {
        self.ground
    }

    /// Other ground units have the same supply here, or the same railways.
    pub const fn follow(&mut self, ground: Stamp) {
        self.ground = ground;
    }

    /// Whether it is the key of a position.
    pub fn fits(&self, rules: &Rules, state: &State) -> bool {
        self.ground.is_same(state.ground.stamp()) && self.fits_but_for_ground(rules, state)
    }

    /// Whether it is the key of a position but for the hexes in which ground units stand.
    pub fn fits_but_for_ground(&self, rules: &Rules, state: &State) -> bool {
        let countries = || self.countries.iter().zip(&state.countries);
        self.control.is_same(state.control.stamp())
            && Arc::ptr_eq(&self.scenario, &rules.settings.scenario)
            && (self.turn, self.ceded, self.vichy) == (state.turn, state.ceded, state.vichy)
            && self.wars == [state.war_west, state.war_east]
            && (self.mulberry, self.walls, self.partisans) == (state.mulberry, state.walls, state.partisans)
            && countries().all(|(known, now)| *known == (now.status, now.side))
            && self.free == Muster::free_of(state)
    }
}
