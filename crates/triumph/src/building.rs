//! Where new units can be built, and which. Rules 7.23, 7.231.

use crate::areas::AreaSet;
use crate::factions::{Faction, Power, blocks_of};
use crate::rules::Rules;
use crate::state::State;
use crate::units::{KINDS, Kind};

/// What the places of new units and steps depend on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sites {
    /// Friendly land where nobody else stands.
    open: AreaSet,
    /// Where Tanks and Infantry are supplied; at peace that is everywhere.
    pub supplied: AreaSet,
}

impl Rules {
    /// What the places of new units and steps depend on, worked out once for a Faction.
    pub(crate) fn sites(&self, state: &State, faction: Faction) -> Sites {
        let supplied = if state.of(faction).at_war() { self.supplied(state, faction) } else { AreaSet::LAND };
        Sites { open: self.undisputed(state, faction), supplied }
    }

    /// Where a unit of a Power and type can be built. Rules 7.23, 7.231.
    pub(crate) fn build_areas(&self, state: &State, power: Power, kind: Kind) -> AreaSet {
        let sites = self.sites(state, power.faction());
        if kind == Kind::Fortress {
            self.fort_areas(state, &sites, power).collect()
        } else {
            self.cadre_areas(&sites, power, kind)
        }
    }

    /// Where a Power can build Fortresses.
    fn fort_areas(&self, state: &State, sites: &Sites, power: Power) -> impl Iterator<Item = u8> {
        let faction = power.faction();
        let mut forts = AreaSet::EMPTY;
        for block in &state.blocks[blocks_of(faction)] {
            if block.on_map() && block.kind == Kind::Fortress {
                forts.add(block.area);
            }
        }
        sites.open.minus(forts).iter().filter(move |&area| {
            self.fortress_power(state, faction, area) == power && self.may_grow(state, power, area)
        })
    }

    /// Where it can build units of another type.
    fn cadre_areas(&self, sites: &Sites, power: Power, kind: Kind) -> AreaSet {
        let areas = self.atlas().home[power.index()].and(sites.open);
        match () {
            () if kind.is_ship() => areas.and(self.atlas().coastal),
            () if kind.is_troop() => areas.and(sites.supplied),
            () => areas,
        }
    }

    /// The types that a Power can build.
    fn kinds_to_build<'s>(
        &'s self,
        state: &'s State,
        sites: &'s Sites,
        power: Power,
    ) -> impl DoubleEndedIterator<Item = Kind> + 's {
        let pool = self.atlas().pools[power.index()];
        let mut used = [0_u8; KINDS];
        for block in &state.blocks[power.blocks()] {
            if block.on_map() {
                used[block.kind.index()] += 1;
            }
        }
        Kind::ALL.into_iter().filter(move |&kind| {
            used[kind.index()] < pool[kind.index()]
                && match kind {
                    Kind::Fortress => self.fort_areas(state, sites, power).next().is_some(),
                    _ => !self.cadre_areas(sites, power, kind).is_empty(),
                }
        })
    }

    /// The units that can be built.
    pub(crate) fn buildable<'s>(
        &'s self,
        state: &'s State,
        faction: Faction,
        sites: &'s Sites,
    ) -> impl Iterator<Item = (Power, Kind)> + 's {
        let powers = self.powers(state, faction);
        powers.flat_map(move |power| self.kinds_to_build(state, sites, power).map(move |kind| (power, kind)))
    }

    /// Whether anything can be built. Infantry is looked at first: it fits nearly always.
    pub(crate) fn can_build(&self, state: &State, faction: Faction, sites: &Sites) -> bool {
        self.powers(state, faction)
            .any(|power| self.kinds_to_build(state, sites, power).next_back().is_some())
    }
}
