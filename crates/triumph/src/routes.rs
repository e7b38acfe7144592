//! Trade Routes and Supply Lines area by area, and what would break them, for people who ask. Rules 14.11, 14.21.

use crate::areas::{AREAS, AreaSet, NONE};
use crate::factions::Faction;
use crate::rules::Rules;
use crate::state::State;
use crate::world::Atlas;

/// How many pairs of areas are named that would break a way.
const MOST_PAIRS: usize = 4;

/// A way from an area to its goal, both included, and the areas in between of which each alone would break it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// The areas, from the one that was asked for to the goal.
    pub areas: Vec<u8>,
    /// Those without which there would be no way at all.
    pub vital: Vec<u8>,
}

impl Way {
    fn new(areas: Vec<u8>, breaks: impl Fn(AreaSet) -> bool) -> Self {
        let mut way = Self { areas, vital: Vec::new() };
        way.vital = way.between().iter().filter(|area| breaks(AreaSet::one(*area))).collect();
        way
    }

    /// The areas without the first and the last.
    fn between(&self) -> AreaSet {
        self.areas.iter().copied().skip(1).take(self.areas.len().saturating_sub(2)).collect()
    }

    /// Some pairs of areas that would break it together, if no single one would: one lies on it, the other anywhere.
    fn pairs(&self, pass: AreaSet, breaks: impl Fn(AreaSet) -> bool) -> Vec<[u8; 2]> {
        let mut pairs = Vec::new();
        if !self.vital.is_empty() {
            return pairs;
        }
        let between = self.between();
        let others = pass.minus([self.areas[0], self.areas[self.areas.len() - 1]].into_iter().collect());
        for one in between {
            // Two that both lie on it are met once.
            for other in others.iter().filter(|other| !between.has(*other) || *other > one) {
                if breaks(AreaSet::one(one).or(AreaSet::one(other))) {
                    pairs.push([one, other]);
                    if pairs.len() == MOST_PAIRS {
                        return pairs;
                    }
                }
            }
        }
        pairs
    }
}

/// The runs of a Trade Route: nothing yet, Land, Sea, Land then Sea, Sea then Land.
const RUNS: usize = 5;
/// The run after a step by land and after one by sea, from each run.
const AFTER: [[Option<usize>; 2]; RUNS] =
    [[Some(1), Some(2)], [Some(1), Some(3)], [Some(4), Some(2)], [None, Some(3)], [Some(4), None]];

impl Rules {
    /// The Trade Route of an area, if there is one; without the way round Africa if it can do without.
    pub fn trade_way(&self, state: &State, faction: Faction, area: u8) -> Option<Way> {
        let pass = self.trade_areas(state, faction);
        let capital = self.atlas().factions[faction.index()].main_capital;
        if !state.controls(faction, capital) {
            return None;
        }
        let africa = !self.trade_reach(pass, capital, false).has(area);
        let areas = self.trade_path(pass, capital, area, africa)?;
        Some(Way::new(areas, |gone| self.breaks_trade(state, faction, area, gone)))
    }

    /// Whether a Trade Route would be broken by Enemies in some areas.
    fn breaks_trade(&self, state: &State, faction: Faction, area: u8, gone: AreaSet) -> bool {
        let capital = self.atlas().factions[faction.index()].main_capital;
        !self.trade_reach(self.trade_areas(state, faction).minus(gone), capital, true).has(area)
    }

    /// Seas whose Enemies alone break the Trade Route of an area that counts for a Faction. Rule 14.21.
    pub fn trade_breakers(&self, state: &State, faction: Faction) -> AreaSet {
        let capital = self.atlas().factions[faction.index()].main_capital;
        if !state.of(faction).at_war() || !state.controls(faction, capital) {
            return AreaSet::EMPTY;
        }
        let pass = self.trade_areas(state, faction);
        let worth = |area: &u8| {
            let info = self.atlas().area(*area);
            info.pop + info.res + info.red_res > 0
        };
        let goods: AreaSet = self.credited(state, faction).iter().filter(worth).collect();
        let broken = goods.minus(self.trade_reach(pass, capital, false));
        if broken.is_empty() {
            return AreaSet::EMPTY;
        }
        let closed = AreaSet::SEA.minus(pass);
        let breaks = |sea: &u8| self.trade_reach(pass.or(AreaSet::one(*sea)), capital, false).meets(broken);
        closed.iter().filter(breaks).collect()
    }

    /// Some pairs of areas in which Enemies would break a Trade Route together, where no single area would.
    pub fn trade_pairs(&self, state: &State, faction: Faction, way: &Way) -> Vec<[u8; 2]> {
        let pass = self.trade_areas(state, faction);
        way.pairs(pass, |gone| self.breaks_trade(state, faction, way.areas[0], gone))
    }

    /// The same for a Supply Line.
    pub fn supply_pairs(&self, state: &State, faction: Faction, way: &Way) -> Vec<[u8; 2]> {
        let pass = self.supply_areas(state, faction);
        way.pairs(pass, |gone| self.breaks_supply(state, faction, way.areas[0], gone))
    }

    /// Whether a Supply Line would be broken by Enemies in some areas.
    fn breaks_supply(&self, state: &State, faction: Faction, area: u8, gone: AreaSet) -> bool {
        let pass = self.supply_areas(state, faction).minus(gone);
        let net = self.supply_through(state, faction, pass);
        !net.or(Atlas::around(&self.atlas().near, net)).has(area)
    }

    /// The shortest route from an area to the capital, found from the capital outwards.
    fn trade_path(&self, pass: AreaSet, capital: u8, goal: u8, africa: bool) -> Option<Vec<u8>> {
        let atlas = self.atlas();
        let wet = AreaSet::SEA.or(atlas.straits);
        // From where each area was first reached in each run.
        let mut before = [[None::<(u8, usize)>; RUNS]; AREAS];
        let mut open = std::collections::VecDeque::from([(capital, 0_usize)]);
        before[usize::from(capital)][0] = Some((NONE, 0));
        while let Some((area, run)) = open.pop_front() {
            if area == goal {
                return Some(Self::walk_back(&before, area, run));
            }
            let here = AreaSet::one(area);
            let by_land = atlas.by_land[usize::from(area)].and(pass);
            // A Sea Segment ends ashore.
            let ends = matches!(run, 2 | 3) && !wet.has(area);
            let by_sea = if ends { AreaSet::EMPTY } else { self.by_water(here, africa).and(pass) };
            for (step, next) in [by_land, by_sea].into_iter().enumerate() {
                let Some(then) = AFTER[run][step] else { continue };
                for to in next {
                    let place = &mut before[usize::from(to)][then];
                    if place.is_none() {
                        *place = Some((area, run));
                        open.push_back((to, then));
                    }
                }
            }
        }
        None
    }

    fn walk_back(before: &[[Option<(u8, usize)>; RUNS]; AREAS], area: u8, run: usize) -> Vec<u8> {
        let mut areas = vec![area];
        let mut at = before[usize::from(area)][run];
        while let Some((area, run)) = at.filter(|(area, _)| *area != NONE) {
            areas.push(area);
            at = before[usize::from(area)][run];
        }
        areas
    }

    /// The Supply Line of a unit in an area, if it has one.
    pub fn supply_way(&self, state: &State, faction: Faction, area: u8) -> Option<Way> {
        let atlas = self.atlas();
        let pass = self.supply_areas(state, faction);
        let sources = self.supply_sources(state, faction);
        let mut before = [NONE; AREAS];
        let mut open = std::collections::VecDeque::from([area]);
        before[usize::from(area)] = area;
        let source = loop {
            let here = open.pop_front()?;
            if sources.has(here) {
                break here;
            }
            for to in atlas.near[usize::from(here)].and(pass) {
                if before[usize::from(to)] == NONE {
                    before[usize::from(to)] = here;
                    open.push_back(to);
                }
            }
        };
        let mut areas = vec![source];
        let mut at = source;
        while at != area {
            at = before[usize::from(at)];
            areas.push(at);
        }
        areas.reverse();
        Some(Way::new(areas, |gone| self.breaks_supply(state, faction, area, gone)))
    }
}
