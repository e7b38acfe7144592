//! Ways over sea. Rules 1.4, 4.6; rulings 47, 48, 78 to 80.
//!
//! A port stands in every Sea Zone it opens on; a path is the list of Sea Zones and boxes entered. The starting box of a
//! path is not entered and stands not in it.

use std::cell::RefCell;

use crate::ids::{Country, NODES, Node, Place, Side, UnitId};
use crate::muster::Muster;
use crate::rules::Rules;
use crate::sea_lanes::{STRAITS, beyond};
use crate::state::{PATH, State, Status};
use crate::tables::MoveCosts;
use crate::world::{Kind, Passage, World};

/// A way over sea: what it costs and the nodes entered, in order.
pub type Seaway = (u8, [Node; PATH]);

/// No way leads there.
pub(crate) const NO_WAY: u8 = u8::MAX;

/// More than any way can cost: no path enters more than all nodes, and the dearest entry is three points.
const DEAREST: usize = 3 * NODES;

/// Which straits and canals are open to a ship, and which Sea Zones and boxes are in play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chart {
    /// Passages that are open, as bits.
    open: u8,
    /// Nodes in play.
    nodes: u64,
}

/// How a way is measured.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Measure {
    /// In movement points (4.6).
    Points,
    /// In Sea Zones entered, never through a box (1.4).
    Zones,
}

const PASSAGES: [Passage; 7] = [
    Passage::Open,
    Passage::Danish,
    Passage::Gibraltar,
    Passage::Messina,
    Passage::Turkish,
    Passage::Suez,
    Passage::Kiel,
];

impl Chart {
    /// Whether a passage is open.
    #[inline]
    pub const fn is_open(&self, passage: Passage) -> bool {
        self.open >> passage as u8 & 1 != 0
    }

    /// The same with a passage open.
    #[must_use]
    pub const fn with(mut self, passage: Passage) -> Self {
        self.open |= 1 << passage as u8;
        self
    }

    /// Whether a node is in play.
    #[inline]
    const fn has(&self, node: Node) -> bool {
        self.nodes & node.bit() != 0
    }
}

/// What the reach of a ship depends on: the seas, the nodes it begins in (a box is one that no port opens on), and its points.
type Departure = (Chart, u64, u8);

/// A reach and its departure.
type Found = (Departure, [u8; NODES]);

/// How many reaches are kept.
const KEPT: usize = 256;

thread_local! {
    /// Reaches that were found before, each at a place that follows from its departure.
    static REACHES: RefCell<Vec<Option<Found>>> = const { RefCell::new(Vec::new()) };
}

/// The reach of a departure, which may be known.
fn known_reach(departure: Departure, find: impl FnOnce() -> [u8; NODES]) -> [u8; NODES] {
    let (chart, start, limit) = departure;
    let mixed = start ^ chart.nodes.rotate_left(17) ^ u64::from(chart.open) << 40 ^ u64::from(limit) << 50;
    let at = (mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as usize % KEPT;
    REACHES.with_borrow_mut(|reaches| {
        if reaches.is_empty() {
            reaches.resize(KEPT, None);
        }
        match reaches[at] {
            Some((known, reach)) if known == departure => reach,
            _ => reaches[at].insert((departure, find())).1,
        }
    })
}

/// What it costs to enter a node through a passage. Rule 4.6.
const fn entry(costs: &MoveCosts, node: Node, passage: Passage) -> u8 {
    if node.is_box() {
        return costs.map_box;
    }
    let canal = if passage.is_canal() { costs.canal } else { 0 };
    let strait = if passage.is_strait() { costs.sea_strait } else { 0 };
    costs.sea_zone + canal + strait
}

/// Where ships can come in from the sea or set out: the zones of a port, all zones that a coastal hex without a port
/// touches, or a box.
pub(crate) fn waters(world: &World, place: Place) -> u64 {
    let waters = world.waters(place);
    if waters == 0 && place.is_hex() { world.hex(place).zones } else { waters }
}

impl Rules {
    /// Whether a passage is open to ships of a side; `german`: of Germany. Rule 4.6 and the notes of `sea_zones.toml`: a city
    /// that nobody controls is neither friendly nor enemy.
    fn is_passage_open(&self, state: &State, side: Side, german: bool, passage: Passage) -> bool {
        let gates = &self.world.gates;
        let controller = |city| state.controller(self.world.city(city).hex);
        let enemy = |city| state.at_war(controller(city), side);
        let friendly = |city| controller(city) == side;
        let neutral = |country| state.country(country).status == Status::Neutral;
        match passage {
            Passage::Open => true,
            Passage::Danish => (german || !neutral(Country::DEN)) && !enemy(gates.copenhagen),
            Passage::Gibraltar => !enemy(gates.gibraltar),
            Passage::Messina => !enemy(gates.reggio) && !enemy(gates.syracuse),
            Passage::Turkish => !neutral(Country::TUR) && !enemy(gates.istanbul),
            Passage::Suez => friendly(gates.port_said) && friendly(gates.suez),
            Passage::Kiel => friendly(gates.kiel) && friendly(gates.hamburg),
        }
    }

    fn chart_for(&self, state: &State, side: Side, german: bool) -> Chart {
        let open = PASSAGES
            .into_iter()
            .filter(|passage| self.is_passage_open(state, side, german, *passage))
            .fold(0, |open, passage| open | 1 << passage as u8);
        // The sea Map Boxes are the West's (ruling 114).
        let closed = if side == Side::Western { 0 } else { Node::ENA.bit() | Node::WIO.bit() };
        Chart { open, nodes: self.scenario().nodes & !closed }
    }

    /// The seas as they are open to a side: for the Axis, to its German ships.
    pub fn chart(&self, state: &State, side: Side) -> Chart {
        self.chart_for(state, side, side == Side::Axis)
    }

    /// The seas as they are open to a ship: only German ones pass the straits of a neutral Denmark.
    pub fn chart_of(&self, state: &State, unit: UnitId) -> Chart {
        let german = self.country_of(state, unit) == Country::GER;
        self.chart_for(state, self.side_of(state, unit), german)
    }

    /// What it costs to come from a base or coastal hex to every Sea Zone and box, up to a limit; `u8::MAX` beyond it.
    pub fn sea_reach(&self, state: &State, side: Side, from: Place, limit: u8) -> [u8; NODES] {
        self.reach_on(self.chart(state, side), from, limit)
    }

    /// As [`Rules::sea_reach`], on a chart.
    pub fn reach_on(&self, chart: Chart, from: Place, limit: u8) -> [u8; NODES] {
        let start = from.node().map_or(waters(self.world, from) & chart.nodes, Node::bit);
        known_reach((chart, start, limit), || self.find_reach(chart, from, limit))
    }

    fn find_reach(&self, chart: Chart, from: Place, limit: u8) -> [u8; NODES] {
        let mut costs = [NO_WAY; NODES];
        match from.node() {
            Some(node) => costs[node.index()] = 0,
            None => {
                for zone in Node::of(waters(self.world, from) & chart.nodes) {
                    costs[zone.index()] = self.world.tables.costs.sea_zone;
                }
            }
        }
        self.spread(chart, &mut costs, limit);
        costs
    }

    /// The Sea Zones and boxes that hang together with those of a base or coastal hex, however far (1.4).
    pub(crate) fn joined_seas(&self, chart: Chart, from: Place) -> u64 {
        let mut reached = from.node().map_or(waters(self.world, from) & chart.nodes, Node::bit);
        let mut last = reached;
        while last != 0 {
            last = beyond(last, chart.open) & chart.nodes & !reached;
            reached |= last;
        }
        reached
    }

    /// What it costs a ship that is in a Sea Zone to come to every other node.
    pub(crate) fn reach_from_zone(&self, chart: Chart, zone: Node) -> [u8; NODES] {
        let mut costs = [NO_WAY; NODES];
        costs[zone.index()] = 0;
        self.spread(chart, &mut costs, NO_WAY - 1);
        costs
    }

    /// Spreads costs from the nodes that have some: nodes wait in sets by their cost, the cheapest set goes on first.
    fn spread(&self, chart: Chart, costs: &mut [u8; NODES], limit: u8) {
        let table = &self.world.tables.costs;
        let mut waiting = [0_u64; DEAREST + 1];
        let mut open = 0;
        for (at, cost) in costs.iter().enumerate() {
            if let Some(set) = waiting.get_mut(usize::from(*cost)) {
                *set |= 1 << at;
                open |= 1 << at;
            }
        }
        let mut settled = 0;
        for cost in 0..=usize::from(limit).min(DEAREST) {
            for here in Node::of(waiting[cost] & !settled) {
                settled |= here.bit();
                for (next, passage) in &self.world.nodes[here.index()].links {
                    if settled & next.bit() != 0 || !chart.is_open(*passage) || !chart.has(*next) {
                        continue;
                    }
                    let sum = cost as u8 + entry(table, *next, *passage);
                    if sum <= limit && sum < costs[next.index()] {
                        costs[next.index()] = sum;
                        if let Some(set) = waiting.get_mut(usize::from(sum)) {
                            *set |= next.bit();
                            open |= next.bit();
                        }
                    }
                }
            }
            if open & !settled == 0 {
                break;
            }
        }
        for cost in costs {
            if *cost > limit {
                *cost = NO_WAY;
            }
        }
    }

    /// What a reach says about a base or coastal hex: entering a port costs nothing.
    #[inline]
    pub fn reach_cost(&self, reach: &[u8; NODES], to: Place) -> u8 {
        Node::of(waters(self.world, to)).map(|node| reach[node.index()]).min().unwrap_or(NO_WAY)
    }

    /// The least cost of a naval move between two bases for a side, and the nodes passed (4.6); `None` if there is no way.
    /// `limit` is the most that it may cost. For the Axis: of a German ship; see [`Rules::sea_path_of`].
    pub fn sea_path(&self, state: &State, side: Side, from: Place, to: Place, limit: u8) -> Option<Seaway> {
        let danger = self.danger(state, side);
        self.path_on(self.chart(state, side), danger, from, to, limit)
    }

    /// As [`Rules::sea_path`], for a ship.
    pub fn sea_path_of(
        &self,
        state: &State,
        unit: UnitId,
        from: Place,
        to: Place,
        limit: u8,
    ) -> Option<Seaway> {
        let danger = self.danger(state, self.side_of(state, unit));
        self.path_on(self.chart_of(state, unit), danger, from, to, limit)
    }

    fn path_on(&self, chart: Chart, danger: u64, from: Place, to: Place, limit: u8) -> Option<Seaway> {
        let ends = waters(self.world, to);
        self.path_by(Measure::Points, chart, danger, from, ends).filter(|(cost, _)| *cost <= limit)
    }

    /// The way of a landing: through the fewest Sea Zones to one of them (6.4, ruling 47).
    pub(crate) fn landing_path(
        &self,
        chart: Chart,
        danger: u64,
        from: Place,
        zone: Node,
    ) -> Option<[Node; PATH]> {
        self.path_by(Measure::Zones, chart, danger, from, zone.bit()).map(|(_, path)| path)
    }

    /// The best way from a base to one of some nodes: least cost, then fewest dangerous zones, then smaller numbers (4.6). The
    /// search goes backwards from the ends, so that the way can then be walked by the smallest number that keeps the best.
    fn path_by(&self, measure: Measure, chart: Chart, danger: u64, from: Place, ends: u64) -> Option<Seaway> {
        let table = &self.world.tables.costs;
        // Cost and danger in one number: cost weighs more than any count of zones.
        let weigh = |node: Node, passage: Passage| -> u16 {
            let cost = match measure {
                Measure::Points => entry(table, node, passage),
                Measure::Zones => 1,
            };
            u16::from(cost) * 64 + u16::from(danger & node.bit() != 0)
        };
        let usable = |node: Node| chart.has(node) && (measure == Measure::Points || !node.is_box());
        let mut left = [u16::MAX; NODES];
        for node in Node::of(ends & chart.nodes) {
            left[node.index()] = 0;
        }
        // Nodes from which a way to an end is known, but not yet the best way from those before them.
        let (mut open, mut done) = (ends & chart.nodes, 0_u64);
        // Once the best ways from where it begins are known, no other way is better.
        let begins = from.node().map_or(waters(self.world, from) & chart.nodes, Node::bit);
        while begins & !done != 0
            && let Some(here) = Node::of(open).min_by_key(|node| left[node.index()])
        {
            let best = left[here.index()];
            open &= !here.bit();
            done |= here.bit();
            if !usable(here) {
                continue;
            }
            for (before, passage) in &self.world.nodes[here.index()].links {
                if chart.is_open(*passage) && chart.has(*before) {
                    let weight = best + weigh(here, *passage);
                    left[before.index()] = left[before.index()].min(weight);
                    open |= before.bit() & !done;
                }
            }
        }
        let mut path = [Node::NONE; PATH];
        let mut length = 0;
        let (total, mut here) = match from.node() {
            Some(node) => (left[node.index()], node),
            None => {
                let start = Node::of(waters(self.world, from) & chart.nodes)
                    .filter(|zone| left[zone.index()] != u16::MAX)
                    .min_by_key(|zone| (left[zone.index()] + weigh(*zone, Passage::Open), *zone))?;
                path[0] = start;
                length = 1;
                (left[start.index()] + weigh(start, Passage::Open), start)
            }
        };
        if total == u16::MAX {
            return None;
        }
        while left[here.index()] != 0 {
            let (next, _) = self.world.nodes[here.index()].links.iter().find(|(next, passage)| {
                chart.is_open(*passage)
                    && usable(*next)
                    && left[next.index()] != u16::MAX
                    && left[next.index()] + weigh(*next, *passage) == left[here.index()]
            })?;
            *path.get_mut(length)? = *next;
            (here, length) = (*next, length + 1);
        }
        Some(((total / 64) as u8, path))
    }

    // --- interception -----------------------------------------------------------------------------------------------

    /// The Sea Zones at distance 0, 1 and 2 from a base, each at its least distance (1.4): never through a box; a box itself
    /// is at distance 1 from the zones next to it. `straits`: whether straits may be crossed.
    pub(crate) fn zone_rings(&self, chart: Chart, from: Place, straits: bool) -> [u64; 3] {
        let zones = chart.nodes & !(Node::ENA.bit() | Node::WIO.bit());
        let open = if straits { chart.open } else { chart.open & !STRAITS };
        let start = self.world.waters(from) & chart.nodes;
        let near = start & zones;
        let next = beyond(start, open) & zones & !near;
        [near, next, beyond(next, open) & zones & !near & !next]
    }

    /// The Sea Zones in which a unit can intercept ships, at distance 0, 1 and 2 from it (6.9).
    pub(crate) fn interception_rings(&self, state: &State, unit: UnitId) -> [u64; 3] {
        self.rings_on(state, unit, || self.chart_of(state, unit))
    }

    /// As [`Rules::interception_rings`], on a chart that is asked for where it is needed.
    fn rings_on(&self, state: &State, unit: UnitId, chart: impl FnOnce() -> Chart) -> [u64; 3] {
        let place = state.unit(unit).place;
        let ranges = &self.world.tables.ranges;
        match self.kind(unit) {
            Kind::Fighter | Kind::Bomber if place.is_hex() => {
                [(self.world.hex(place).zones | self.world.waters(place)) & self.scenario().nodes, 0, 0]
            }
            Kind::Surface | Kind::Carrier if place.on_map() => {
                let range = if place.is_box() { ranges.intercept_from_box } else { ranges.intercept_sea };
                let mut rings = self.zone_rings(chart(), place, false);
                for ring in rings.iter_mut().skip(usize::from(range) + 1) {
                    *ring = 0;
                }
                rings
            }
            _ => [0; 3],
        }
    }

    /// The Sea Zones in which a unit can intercept ships: an air unit in those its city touches, a warship up to two zones
    /// away, never across a strait or through a closed canal (1.4, 6.9).
    pub fn interception_zones(&self, state: &State, unit: UnitId) -> u64 {
        self.interception_rings(state, unit).into_iter().fold(0, |set, ring| set | ring)
    }

    /// The Sea Zones in which an enemy of a side could intercept now.
    pub fn danger(&self, state: &State, side: Side) -> u64 {
        let enemies = state.enemies(side);
        let muster = Muster::of(state);
        let hostile = self.on_map_of(state, &muster, |of| enemies >> of.index() & 1 != 0);
        // Seas are open to a side, and to its German ships.
        let mut charts = [[None; 2]; 5];
        let mut danger = 0;
        for unit in hostile.minus(&self.armies).units() {
            if self.kind(unit) == Kind::Convoy || !self.is_fit(state, unit) {
                continue;
            }
            let (of, is_german) = (self.side_of(state, unit), self.country_of(state, unit) == Country::GER);
            let chart = &mut charts[of.index()][usize::from(is_german)];
            let rings =
                self.rings_on(state, unit, || *chart.get_or_insert_with(|| self.chart_of(state, unit)));
            danger |= rings[0] | rings[1] | rings[2];
        }
        danger
    }
}

/// The nodes of a path as a set.
pub(crate) fn nodes_of(path: &[Node; PATH]) -> u64 {
    path.iter().take_while(|node| **node != Node::NONE).fold(0, |set, node| set | node.bit())
}

#[cfg(test)]
mod tests;
