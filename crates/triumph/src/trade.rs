//! Trade Routes and Supply Lines. Rules 14.11, 14.21 to 14.24; ruling R26.

use crate::areas::{AreaSet, LANDS};
use crate::factions::Faction;
use crate::rules::Rules;
use crate::state::{State, Status, mark};
use crate::world::Atlas;

/// Which areas have a Trade Route to the main capital.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct TradeRoutes {
    /// Without going round Africa.
    pub open: AreaSet,
    /// At all.
    pub round_africa: AreaSet,
}

impl Rules {
    /// The areas through which Trade Routes of a Faction may run. Rule 14.21.
    pub(crate) fn trade_areas(&self, state: &State, faction: Faction) -> AreaSet {
        let atlas = self.atlas();
        let friendly = state.control[faction.index()];
        let straits = atlas.straits.minus(self.enemy_land(state, faction));
        let seas = Self::open_seas(state, faction).minus(Self::lurking(state, faction));
        friendly.or(self.neutral_land(state, faction)).or(straits).or(seas)
    }

    /// All Trade Routes of a Faction.
    pub fn trade_routes(&self, state: &State, faction: Faction) -> TradeRoutes {
        let pass = self.trade_areas(state, faction);
        let capital = self.atlas().factions[faction.index()].main_capital;
        if !state.controls(faction, capital) {
            return TradeRoutes::default();
        }
        let reach = |africa| self.trade_reach(pass, capital, africa);
        TradeRoutes { open: reach(false), round_africa: reach(true) }
    }

    /// Breadth-first from the main capital: at most one Land and one Sea Segment, in either order. Rule 14.21.
    ///
    /// An area can be reached in four ways: by land, by water, by land and then water, by water and then land. Only what a
    /// round has newly reached is looked at in the next one.
    pub(crate) fn trade_reach(&self, pass: AreaSet, capital: u8, africa: bool) -> AreaSet {
        let atlas = self.atlas();
        let by_land = |set: AreaSet| Atlas::around(&atlas.by_land, set).and(pass);
        let by_water = |set: AreaSet| self.by_water(set, africa).and(pass);
        // A Sea Segment begins anywhere, and goes on from seas and straits.
        let wet = AreaSet::SEA.or(atlas.straits);
        let start = AreaSet::one(capital);
        let mut reached = [AreaSet::EMPTY; 4];
        let mut new = [by_land(start), by_water(start), AreaSet::EMPTY, AreaSet::EMPTY];
        while new.iter().any(|set| !set.is_empty()) {
            for (all, new) in reached.iter_mut().zip(new) {
                *all = all.or(new);
            }
            let [land, water, land_water, water_land] = new;
            new = [
                by_land(land).minus(reached[0]),
                by_water(water.and(wet)).minus(reached[1]),
                by_water(land.or(land_water.and(wet))).minus(reached[2]),
                by_land(water.or(water_land)).minus(reached[3]),
            ];
        }
        reached.into_iter().fold(start, AreaSet::or)
    }

    /// The neighbours of a set over water: across coasts, seas and straits.
    #[inline]
    pub(crate) fn by_water(&self, set: AreaSet, africa: bool) -> AreaSet {
        let atlas = self.atlas();
        Atlas::around(if africa { &atlas.by_water } else { &atlas.by_near_water }, set)
    }

    /// The blockade of an area as its routes stand now. Rule 14.22.
    pub(crate) fn blockade(&self, routes: &TradeRoutes, area: u8) -> u8 {
        match () {
            () if routes.open.has(area) => mark::NONE,
            () if !routes.round_africa.has(area) => mark::FULL,
            () if self.atlas().area(area).res > 0 => mark::MED,
            () => mark::NONE,
        }
    }

    /// The areas whose POP and RES count for a Faction, before any blockade. Rule 7.21.
    pub(crate) fn credited(&self, state: &State, faction: Faction) -> AreaSet {
        let mut areas = state.control[faction.index()];
        for (nation, info) in state.nations.iter().zip(&self.atlas().nations) {
            let influenced = nation.status == Status::Neutral && nation.influencer == Some(faction);
            if influenced && (info.power.is_none() || faction == Faction::West) {
                let held = state.control[0].or(state.control[1]).or(state.control[2]);
                areas = areas.or(info.areas.minus(held));
            }
        }
        areas
    }

    /// Marks every area of the Factions at war at the end of Summer. Rule 14.22.
    pub(crate) fn mark_blockades(&self, state: &mut State) {
        state.marks = [mark::NONE; LANDS];
        for faction in Faction::ALL {
            if !state.of(faction).at_war() {
                continue;
            }
            let routes = self.trade_routes(state, faction);
            for area in self.credited(state, faction) {
                state.marks[usize::from(area)] = self.blockade(&routes, area);
            }
        }
    }

    /// The areas that may carry a Faction's supply. Rule 14.11.
    pub(crate) fn supply_areas(&self, state: &State, faction: Faction) -> AreaSet {
        let friendly = state.control[faction.index()];
        let straits = self.atlas().straits.minus(self.enemy_land(state, faction));
        friendly.or(straits).or(Self::open_seas(state, faction))
    }

    /// The areas that carry a Faction's supply. Rule 14.11.
    pub fn supply_net(&self, state: &State, faction: Faction) -> AreaSet {
        self.supply_through(state, faction, self.supply_areas(state, faction))
    }

    /// The areas that supply reaches through areas that may carry it.
    pub(crate) fn supply_through(&self, state: &State, faction: Faction, pass: AreaSet) -> AreaSet {
        let atlas = self.atlas();
        let mut net = self.supply_sources(state, faction).and(pass);
        let mut edge = net;
        while !edge.is_empty() {
            edge = Atlas::around(&atlas.near, edge).and(pass).minus(net);
            net = net.or(edge);
        }
        net
    }

    /// The controlled main and sub capitals of a Faction that feed it. Rulings R35: not those of a Defeated ally.
    pub(crate) fn supply_sources(&self, state: &State, faction: Faction) -> AreaSet {
        let atlas = self.atlas();
        let own = atlas.capitals[faction.index()].and(state.control[faction.index()]);
        own.iter().filter(|&area| state.nation(atlas.nation_of(area)).status != Status::Defeated).collect()
    }

    /// Where Ground units of a Faction are supplied: in the net, or beside it.
    pub fn supplied(&self, state: &State, faction: Faction) -> AreaSet {
        let net = self.supply_net(state, faction);
        net.or(Atlas::around(&self.atlas().near, net))
    }
}
