//! The rules of one set-up, and what they ask of a position: stacks, zones of control, view. Rules 2 and 4.

use std::sync::Arc;

use kernel::Seat;
use terrain::{Arc as Side8, Cell, NOWHERE, Octant};

use crate::battalions::{Battalions, Class};
use crate::scenario::{Lay, MAX_UNITS, NO_KEY, Scenario, Side, Troop};
use crate::settings::Settings;
use crate::state::{NOBODY, State, mark, work};
use crate::tables::Tables;
use crate::units::Units;

/// A scenario with its settings, and the numbers of all rules.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The scenario.
    pub scenario: Arc<Scenario>,
    /// The numbers.
    pub tables: &'static Tables,
    /// The settings of the match.
    pub settings: Settings,
    /// The most stacking points of a zone. Rule 4.1.
    pub stack_limit: u8,
    /// The battalions of each side.
    pub armies: [Units; 2],
    /// All artillery that can fire from afar.
    pub guns: Units,
    /// The headquarters.
    pub hqs: Units,
    /// What was in reach of the aggressor when it began; what is later is measured against it.
    pub(crate) opening_reach: f32,
}

/// The battalions of a zone in order.
#[derive(Clone)]
pub struct Stack<'s> {
    state: &'s State,
    next: u8,
}

impl Iterator for Stack<'_> {
    type Item = u8;

    #[inline]
    fn next(&mut self) -> Option<u8> {
        let unit = self.next;
        if unit == NOBODY {
            return None;
        }
        self.next = self.state.units[usize::from(unit)].next;
        Some(unit)
    }
}

/// Where somebody observes from, and how much farther than others.
#[derive(Clone, Copy, Default)]
struct Post {
    column: u8,
    row: u8,
    extra: u8,
}

/// Everybody of a side who can observe, side by side in memory: many zones are looked at from the same posts.
pub(crate) struct Observers {
    posts: [Post; MAX_UNITS],
    count: usize,
}

impl Observers {
    /// Whether somebody sees a zone. Rule 4.7.
    #[inline]
    pub fn see(&self, rules: &Rules, zone: Cell, bonus: u8) -> bool {
        let (lay, tables) = (rules.lay(zone), rules.tables);
        let reach = bonus + if lay.rough { tables.sight_close } else { tables.sight_open };
        self.posts[..self.count].iter().any(|post| {
            post.column.abs_diff(lay.column).max(post.row.abs_diff(lay.row)) <= reach + post.extra
        })
    }
}

impl State {
    /// The battalions of a zone.
    #[inline]
    pub fn stack(&self, zone: Cell) -> Stack<'_> {
        Stack { state: self, next: self.zones[usize::from(zone)].top }
    }

    /// Whether a zone is empty.
    #[inline]
    pub fn is_empty(&self, zone: Cell) -> bool {
        self.zones[usize::from(zone)].top == NOBODY
    }

    /// The battalion of a number.
    #[inline]
    pub fn unit(&self, unit: u8) -> &crate::state::Battalion {
        &self.units[usize::from(unit)]
    }

    /// The battalion of a number, to change it.
    #[inline]
    pub fn unit_mut(&mut self, unit: u8) -> &mut crate::state::Battalion {
        &mut self.units[usize::from(unit)]
    }
}

impl Rules {
    /// The rules of a scenario and settings.
    pub fn new(scenario: Arc<Scenario>, settings: Settings) -> Self {
        let of = |wanted: &dyn Fn(&Troop) -> bool| -> Units {
            (0..scenario.troops.len() as u8)
                .filter(|unit| wanted(&scenario.troops[usize::from(*unit)]))
                .collect()
        };
        let armies = Side::ALL.map(|side| of(&|troop| troop.side == side));
        let (guns, hqs) = (of(&|troop| troop.class.is_artillery()), of(&Troop::is_hq));
        let stack_limit = Battalions::builtin().stacking.limit;
        let tables = Tables::builtin();
        let mut rules =
            Self { scenario, tables, settings, stack_limit, armies, guns, hqs, opening_reach: 0.0 };
        rules.opening_reach = rules.judgement(&rules.start()).reach;
        rules
    }

    /// What the rules ask of a battalion.
    #[inline]
    pub fn troop(&self, unit: u8) -> &Troop {
        &self.scenario.troops[usize::from(unit)]
    }

    /// What never changes of a zone.
    #[inline]
    pub fn lay(&self, zone: Cell) -> &Lay {
        &self.scenario.lay[usize::from(zone)]
    }

    /// The side of a seat.
    #[inline]
    pub const fn side_of(seat: Seat) -> Side {
        Side::of(seat.0 as usize)
    }

    /// The side that defends the scenario.
    #[inline]
    pub fn defender(&self) -> Side {
        self.scenario.aggressor.enemy()
    }

    /// The side whose battalions stand in a zone.
    #[inline]
    pub fn owner(&self, s: &State, zone: Cell) -> Option<Side> {
        match s.zones[usize::from(zone)].owner {
            0 => None,
            1 => Some(Side::First),
            _ => Some(Side::Second),
        }
    }

    /// Whether a zone holds battalions of a side.
    #[inline]
    pub fn holds(&self, s: &State, zone: Cell, side: Side) -> bool {
        s.zones[usize::from(zone)].owner == side.tag()
    }

    /// Stacking points of a zone. Rule 4.1.
    #[inline]
    pub fn points(&self, s: &State, zone: Cell) -> u8 {
        s.stack(zone).map(|unit| self.troop(unit).points).sum()
    }

    /// Whether this many more points fit into a zone.
    #[inline]
    pub fn has_room(&self, s: &State, zone: Cell, points: u8) -> bool {
        points == 0 || self.points(s, zone) + points <= self.stack_limit
    }

    /// Stacking points of a set.
    #[inline]
    pub fn points_of(&self, units: Units) -> u8 {
        units.into_iter().map(|unit| self.troop(unit).points).sum()
    }

    /// Battalions of a zone other than headquarters, without `except`.
    #[inline]
    pub fn others(&self, s: &State, zone: Cell, except: u8) -> u8 {
        s.stack(zone).filter(|unit| *unit != except && !self.troop(*unit).is_hq()).count() as u8
    }

    /// The neighbour of a zone in a direction; `NOWHERE` off the map.
    #[inline]
    pub fn near(&self, zone: Cell, way: Octant) -> Cell {
        self.lay(zone).near[way.index()]
    }

    /// The neighbours of a zone.
    #[inline]
    pub fn around(&self, zone: Cell) -> impl Iterator<Item = Cell> + use<> {
        self.lay(zone).near.into_iter().filter(|near| *near != NOWHERE)
    }

    /// Whether two zones touch.
    #[inline]
    pub fn touch(&self, a: Cell, b: Cell) -> bool {
        self.distance(a, b) == 1
    }

    /// Rule 2.2.
    #[inline]
    pub fn distance(&self, a: Cell, b: Cell) -> u8 {
        let (a, b) = (self.lay(a), self.lay(b));
        a.column.abs_diff(b.column).max(a.row.abs_diff(b.row))
    }

    /// Whether a step crosses a river without a bridge. Rules 2.6 and 2.7.
    #[inline]
    pub fn is_unbridged(&self, s: &State, zone: Cell, way: Octant) -> bool {
        (self.lay(zone).rivers & !s.zones[usize::from(zone)].spans) >> way.index() & 1 != 0
    }

    /// Whether a step crosses a river, by a bridge or not.
    #[inline]
    pub fn is_river(&self, zone: Cell, way: Octant) -> bool {
        self.lay(zone).rivers >> way.index() & 1 != 0
    }

    /// Whether a step follows a road that is not blocked. Rules 2.5 and 14.5.
    #[inline]
    pub fn is_road(&self, s: &State, zone: Cell, way: Octant) -> bool {
        if self.lay(zone).roads >> way.index() & 1 == 0 {
            return false;
        }
        let to = self.near(zone, way);
        (s.zones[usize::from(zone)].works | s.zones[usize::from(to)].works) & work::BLOCKED == 0
            && !self.is_unbridged(s, zone, way)
    }

    /// Whether a step that is no road step enters or leaves rough terrain. Rule 10.6.
    #[inline]
    pub fn is_rough_step(&self, s: &State, zone: Cell, way: Octant) -> bool {
        let to = self.near(zone, way);
        (self.lay(zone).rough || self.lay(to).rough) && !self.is_road(s, zone, way)
    }

    /// Whether a battalion stands in landing water. Rule 17.1.
    #[inline]
    pub fn is_afloat(&self, s: &State, unit: u8) -> bool {
        let zone = s.unit(unit).zone;
        s.unit(unit).on_map() && self.lay(zone).water
    }

    /// Whether lack of supply has an effect. Rule 15.3.
    #[inline]
    pub fn is_cut_off(&self, s: &State, unit: u8) -> bool {
        s.unit(unit).unsupplied >= self.tables.oos_effective
    }

    /// Whether a zone has a zone of control of its own. Rule 4.4.
    #[inline]
    pub fn projects(&self, s: &State, zone: Cell) -> bool {
        !self.lay(zone).water && s.stack(zone).any(|unit| self.troop(unit).controls)
    }

    /// Whether a zone lies in a zone of control of a side. Rule 4.4, ruling R27.
    #[inline]
    pub fn in_control_of(&self, s: &State, zone: Cell, side: Side) -> bool {
        let lay = self.lay(zone);
        if lay.impassable || lay.water {
            return false;
        }
        for way in Octant::ALL {
            let near = lay.near[way.index()];
            if near == NOWHERE {
                continue;
            }
            let there = &s.zones[usize::from(near)];
            if there.controls == side.tag()
                && Octant::arc(there.facing, way.opposite()) == Side8::Front
                && !self.is_unbridged(s, zone, way)
            {
                return true;
            }
        }
        false
    }

    /// Whether a side sees a zone; `bonus` for attacks from the air. Rule 4.7.
    pub fn sees(&self, s: &State, side: Side, zone: Cell, bonus: u8) -> bool {
        self.observers(s, side).see(self, zone, bonus)
    }

    /// Everybody of a side who can observe. Rule 4.7.
    pub(crate) fn observers(&self, s: &State, side: Side) -> Observers {
        let mut found = Observers { posts: [Post::default(); MAX_UNITS], count: 0 };
        for unit in Units(self.armies[side.index()].0 & !self.guns.0) {
            let battalion = s.unit(unit);
            if !battalion.on_map() {
                continue;
            }
            let lay = self.lay(battalion.zone);
            let extra = if self.troop(unit).class == Class::Recon { self.tables.sight_recon } else { 0 };
            found.posts[found.count] = Post { column: lay.column, row: lay.row, extra };
            found.count += 1;
        }
        found
    }

    /// Whether a side's battalion other than an HQ stands within a distance.
    pub fn enemy_within(&self, s: &State, zone: Cell, side: Side, distance: u8) -> bool {
        self.armies[side.index()].into_iter().any(|unit| {
            s.unit(unit).on_map()
                && !self.troop(unit).is_hq()
                && self.distance(s.unit(unit).zone, zone) <= distance
        })
    }

    /// The nearest zone that holds battalions of a side, the first in reading order among equals. Ruling R33.
    pub fn nearest(&self, s: &State, zone: Cell, side: Side) -> Option<Cell> {
        let mut best: Option<(u8, Cell)> = None;
        for unit in self.armies[side.index()] {
            let at = s.unit(unit).zone;
            if !s.unit(unit).on_map() {
                continue;
            }
            let found = (self.distance(at, zone), at);
            if best.is_none_or(|best| found < best) {
                best = Some(found);
            }
        }
        best.map(|(_, at)| at)
    }

    /// Whether the battalion's HQ is near enough. Rule 9.5.
    pub fn in_command(&self, s: &State, unit: u8, zone: Cell) -> bool {
        let hq = self.scenario.formations[usize::from(self.troop(unit).formation)].hq;
        s.unit(hq).on_map()
            && self.distance(s.unit(hq).zone, zone)
                <= self.tables.command_range[self.troop(hq).quality as usize]
    }

    /// Whether a battalion may stand in a zone at all, room and enemies apart.
    #[inline]
    pub fn may_stand(&self, unit: u8, zone: Cell) -> bool {
        let (lay, troop) = (self.lay(zone), self.troop(unit));
        let at_sea = lay.water && self.scenario.landing != Some(troop.side);
        let mired = lay.marsh && troop.mode == crate::battalions::Mode::Mechanized && lay.roads == 0;
        !lay.impassable && !at_sea && !mired
    }

    /// Who holds an objective or supply point.
    #[inline]
    pub fn holder(&self, s: &State, key: usize) -> Side {
        Side::of((s.held >> key & 1) as usize)
    }

    /// The aggressor's victory points. Rule 16.4.
    pub fn aggressor_vp(&self, s: &State) -> u8 {
        let aggressor = self.scenario.aggressor;
        let keys = self.scenario.keys.iter().enumerate();
        keys.filter(|(at, _)| self.holder(s, *at) == aggressor).map(|(_, key)| key.vp).sum()
    }

    /// The objective or supply point of a zone.
    #[inline]
    pub fn key_at(&self, zone: Cell) -> Option<usize> {
        let key = self.scenario.key_at[usize::from(zone)];
        (key != NO_KEY).then_some(usize::from(key))
    }

    /// Whether the prepared position of a side lies in a zone.
    #[inline]
    pub fn is_prepared(&self, s: &State, zone: Cell, side: Side) -> bool {
        s.zones[usize::from(zone)].works & work::PREPARED << side.index() != 0
    }

    /// Whether a minefield of a side lies in a zone.
    #[inline]
    pub fn is_mined(&self, s: &State, zone: Cell, side: Side) -> bool {
        s.zones[usize::from(zone)].works & work::MINES << side.index() != 0
    }

    /// Rule 16.5: whether a battalion may not yet be activated.
    #[inline]
    pub fn is_fixed(&self, s: &State, unit: u8) -> bool {
        s.turn < self.troop(unit).fixed_until
    }

    /// Whether the supply phase is played. Rules 15.1 and 19.3.
    #[inline]
    pub fn has_supply(&self) -> bool {
        self.settings.supply.unwrap_or(self.scenario.supply) && !self.settings.basic
    }
}

impl Rules {
    /// Puts a battalion into a zone, in the order of the stack. Its facing is for the caller to set.
    pub(crate) fn put(&self, s: &mut State, unit: u8, zone: Cell) {
        let top = s.zones[usize::from(zone)].top;
        s.unit_mut(unit).zone = zone;
        let tag = self.troop(unit).side.tag();
        let ground = &mut s.zones[usize::from(zone)];
        ground.owner = tag;
        if self.troop(unit).controls && !self.lay(zone).water {
            ground.controls = tag;
        }
        if top == NOBODY || top > unit {
            ground.top = unit;
            s.unit_mut(unit).next = top;
            return;
        }
        let mut before = top;
        loop {
            let next = s.unit(before).next;
            if next == NOBODY || next > unit {
                s.unit_mut(unit).next = next;
                s.unit_mut(before).next = unit;
                return;
            }
            before = next;
        }
    }

    /// Takes a battalion off its zone; `to` says what becomes of it.
    pub(crate) fn take_off(&self, s: &mut State, unit: u8, to: Cell) {
        let zone = s.unit(unit).zone;
        let next = s.unit(unit).next;
        let top = s.zones[usize::from(zone)].top;
        if top == unit {
            s.zones[usize::from(zone)].top = next;
        } else {
            let mut before = top;
            while s.unit(before).next != unit {
                before = s.unit(before).next;
            }
            s.unit_mut(before).next = next;
        }
        if s.is_empty(zone) {
            // An empty zone has no facing: equal positions must be equal.
            let ground = &mut s.zones[usize::from(zone)];
            (ground.facing, ground.owner, ground.controls) = (Octant::N, 0, 0);
        } else if self.troop(unit).controls && !self.projects(s, zone) {
            s.zones[usize::from(zone)].controls = 0;
        }
        let gone = s.unit_mut(unit);
        gone.next = NOBODY;
        gone.zone = to;
        if to >= crate::state::LOST {
            gone.mp = 0;
            gone.marks &= mark::TRIED;
            gone.result = crate::tables::Activation::None;
            gone.unsupplied = 0;
        }
    }

    /// The facing towards the nearest enemy. Rule 16.5, ruling R40.
    pub(crate) fn facing_enemy(&self, s: &State, zone: Cell, side: Side) -> Octant {
        let enemy = self.nearest(s, zone, side.enemy());
        enemy.and_then(|enemy| self.scenario.grid.bearing(zone, enemy)).unwrap_or(Octant::N)
    }

    /// The opening position. Rule 16.5.
    pub fn start(&self) -> State {
        let scenario = &*self.scenario;
        let mut s = crate::sequence::blank(self);
        for (at, paper) in scenario.papers.iter().enumerate() {
            if scenario.troops[at].arrives == 0 {
                self.put(&mut s, at as u8, paper.zones[0]);
            }
        }
        for zone in 0..scenario.grid.len() as Cell {
            let Some(side) = self.owner(&s, zone) else { continue };
            let told = s.stack(zone).find_map(|unit| scenario.papers[usize::from(unit)].facing);
            let facing = told.unwrap_or_else(|| self.facing_enemy(&s, zone, side));
            s.zones[usize::from(zone)].facing = facing;
        }
        self.begin_turn(&mut s, &mut kernel::Discard);
        s
    }
}
