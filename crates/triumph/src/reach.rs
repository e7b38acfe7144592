//! Where a unit can go: searches by land and air; those by sea are in `reach_sea.rs`. Rules 11.1 to 11.5, 13; rulings R43 to
//! R46, R82, R90, R98.
//!
//! All searches work on sets of areas, level by level. What they find is a [`Reach`]: areas where a move simply ends, and
//! pairs of an area and the last area before it, where that matters: for a Battle, an invasion, a border limit.

use crate::areas::{AreaSet, NONE};
use crate::cards::Tech;
use crate::factions::{Faction, Power};
use crate::rules::Rules;
use crate::stance::Stance;
use crate::state::{Part, State, flag};
use crate::units::Kind;
use crate::world::{Atlas, BorderKind};

/// The most areas that a unit goes to Engage, with every technology. Rules 3.15, 9.1.
const FARTHEST: u8 = 3;
/// The most entries that a unit can have; the largest ever met is a third of it.
const ENTRIES: usize = 160;

/// Where a unit can go.
#[derive(Clone, Debug)]
pub(crate) struct Reach {
    /// Areas where its move simply ends.
    pub ends: AreaSet,
    /// Areas that it enters across a border that matters, and from where.
    entries: [(u8, u8); ENTRIES],
    count: usize,
    /// Closed areas that it could enter if they were Enemy land.
    pub beyond: AreaSet,
}

impl Reach {
    pub const fn new() -> Self {
        Self { ends: AreaSet::EMPTY, entries: [(NONE, NONE); ENTRIES], count: 0, beyond: AreaSet::EMPTY }
    }

    pub fn enter(&mut self, to: u8, via: u8) {
        if self.count < ENTRIES {
            self.entries[self.count] = (to, via);
            self.count += 1;
        }
    }

    /// Takes out the entries into some areas.
    fn leave_out(&mut self, areas: AreaSet) {
        let mut kept = 0;
        for at in 0..self.count {
            if !areas.has(self.entries[at].0) {
                self.entries[kept] = self.entries[at];
                kept += 1;
            }
        }
        self.count = kept;
    }

    /// The entries: where to, and from where.
    pub fn entries(&self) -> &[(u8, u8)] {
        &self.entries[..self.count]
    }

    /// All areas, however they are entered.
    pub fn areas(&self) -> AreaSet {
        self.entries().iter().fold(self.ends, |set, (to, _)| set.or(AreaSet::one(*to)))
    }

    /// Whether there is nowhere to go.
    pub const fn is_empty(&self) -> bool {
        self.count == 0 && self.ends.is_empty()
    }
}

/// Areas that a search passed, by what is left in it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Passed {
    /// All areas that it can be in.
    pub all: AreaSet,
    /// Those from which one more point can be spent.
    pub one: AreaSet,
    /// Those from which two more points can be spent.
    pub two: AreaSet,
}

impl Passed {
    /// From where an area of this cost can be entered.
    pub const fn before(&self, cost: u8) -> AreaSet {
        if cost == 2 { self.two } else { self.one }
    }
}

impl Rules {
    /// Where a unit can go in its Movement.
    pub(crate) fn reach(&self, state: &State, stance: &Stance, block: usize) -> Reach {
        let mut reach = self.reach_near(state, stance, block);
        let unit = &state.blocks[block];
        let start = unit.area;
        let engaged = stance.foes.has(start) && !unit.is(flag::ESCAPED);
        if !engaged && unit.kind != Kind::Fortress && stance.within.has(start) {
            let bounds = self.bounds(stance, block);
            let far = self.strategic_reach(stance, bounds, start, unit.kind);
            reach.ends = reach.ends.or(far.and(bounds).minus(stance.no_end));
            reach.ends.remove(start);
        }
        reach
    }

    /// The areas from which some unit might reach one of the goals without Strategic Movement.
    pub(crate) fn within_reach(&self, goals: AreaSet) -> AreaSet {
        (0..FARTHEST).fold(goals, |near, _| near.or(Atlas::around(&self.atlas().near, near)))
    }

    /// Where a unit may be: US units stay at home until the West is at war. Ruling R82.
    fn bounds(&self, stance: &Stance, block: usize) -> AreaSet {
        let at_home = Power::of_block(block) == Some(Power::Usa) && stance.enemies.is_empty();
        if at_home { self.atlas().nation(self.atlas().usa).areas } else { stance.within }
    }

    /// Where it can go without Strategic Movement, which never leads to Enemies nor to their land. Rule 11.4.
    pub(crate) fn reach_near(&self, state: &State, stance: &Stance, block: usize) -> Reach {
        let mut reach = Reach::new();
        let unit = &state.blocks[block];
        let (start, kind) = (unit.area, unit.kind);
        if kind == Kind::Fortress || !stance.within.has(start) {
            return reach;
        }
        let within = self.bounds(stance, block);
        let bound;
        let stance = if within == stance.within {
            stance
        } else {
            bound = Stance { within, ..*stance };
            &bound
        };
        let leaves = stance.foes.has(start) && !unit.is(flag::ESCAPED);
        match kind {
            Kind::AirForce => self.air_reach(stance, start, kind, leaves, &mut reach),
            _ if kind.is_ship() => {
                let speed = stance.sea_speed(self, kind);
                self.ship_reach(stance, start, kind, speed, leaves, &mut reach);
                self.coast_step(stance, start, leaves, &mut reach);
            }
            _ if Atlas::is_sea(start) => {
                if !stance.foes.has(start) {
                    self.convoy_reach(state, stance, start, kind, false, &mut reach);
                }
            }
            _ => {
                self.land_reach(state, stance, start, kind, leaves, &mut reach);
                if self.atlas().area(start).coastal {
                    self.convoy_reach(state, stance, start, kind, leaves, &mut reach);
                }
            }
        }
        reach.ends = reach.ends.and(stance.within).minus(stance.no_end);
        reach.ends.remove(start);
        reach.leave_out(stance.no_end);
        reach
    }

    /// Where Strategic Movement leads a unit that is not Engaged. Rule 11.4.
    fn strategic_reach(&self, stance: &Stance, within: AreaSet, start: u8, kind: Kind) -> AreaSet {
        let by_sea = |speed: u8| self.strategic_sea(stance, within, start, 2 * speed);
        let own = stance.friendly.has(start);
        let calm = stance.undisputed.and(within);
        match kind {
            Kind::AirForce if own => {
                let sky = AreaSet::SEA.minus(stance.foes).minus(stance.lurking).and(within);
                let far = self.fly(start, sky.or(calm), 2 * stance.air_speed(self, kind));
                far.all.and(stance.undisputed)
            }
            Kind::AirForce => AreaSet::EMPTY,
            _ if kind.is_ship() || Atlas::is_sea(start) => by_sea(stance.sea_speed(self, kind)),
            _ => {
                let inland = if own {
                    self.spread(AreaSet::one(start), calm, 2 * stance.land_speed(self, kind))
                } else {
                    AreaSet::EMPTY
                };
                let coastal = self.atlas().area(start).coastal;
                if coastal { inland.or(by_sea(stance.sea_speed(self, kind))) } else { inland }
            }
        }
    }

    /// How many more Ground units of a Faction may go from one area into a Battle in another this phase; from the sea they
    /// land. Rules 11.221, 11.52.
    pub fn crossings_left(&self, state: &State, faction: Faction, from: u8, to: u8) -> Option<u8> {
        let edge = self.atlas().border(from, to)?;
        let stance = self.stance(state, faction);
        Some(self.border_left(state, &stance, edge.border, Atlas::is_sea(from)))
    }

    /// How many more Ground units of a Faction may cross a border this phase. Rule 11.52.
    pub(crate) fn border_left(&self, state: &State, stance: &Stance, border: u16, landing: bool) -> u8 {
        let kind = self.atlas().borders[usize::from(border)].kind;
        let limit = match kind {
            BorderKind::Coast | BorderKind::Strait if landing => stance.landing_limit(),
            _ => kind.limit(),
        };
        limit.saturating_sub(state.crossings(stance.faction, border))
    }

    // --- by land -------------------------------------------------------------------------------

    /// Land that a Ground unit passes without stopping.
    fn open_land(stance: &Stance) -> AreaSet {
        let land = if stance.calm { stance.friendly } else { stance.friendly.or(stance.enemy) };
        land.or(stance.guest).minus(stance.foes).minus(stance.closed).and(stance.within)
    }

    fn land_reach(
        &self,
        state: &State,
        stance: &Stance,
        start: u8,
        kind: Kind,
        leaves: bool,
        reach: &mut Reach,
    ) {
        let atlas = self.atlas();
        let speed = stance.land_speed(self, kind);
        let pass = Self::open_land(stance);
        if leaves {
            for edge in
                atlas.edges(start).iter().filter(|edge| atlas.by_land[usize::from(start)].has(edge.to))
            {
                let open = stance.undisputed.has(edge.to) && stance.within.has(edge.to);
                if open && self.border_left(state, stance, edge.border, false) > 0 {
                    let first = AreaSet::one(edge.to);
                    reach.ends = reach.ends.or(self.spread(first, pass, speed - 1));
                    let before = self.spread(first, pass, speed - 2);
                    let around = Atlas::around(&atlas.by_land, before);
                    reach.beyond = reach.beyond.or(around.and(stance.closed));
                }
            }
            return;
        }
        let before = self.spread(AreaSet::one(start), pass, speed - 1);
        let around = Atlas::around(&atlas.by_land, before);
        reach.ends = reach.ends.or(before).or(around.and(pass));
        let mut fights = around.and(stance.foes).minus(stance.closed).and(stance.within);
        if stance.calm {
            fights = fights.and(stance.own);
        }
        for to in fights {
            for edge in atlas.edges(to) {
                let from_here = before.has(edge.to) && atlas.by_land[usize::from(to)].has(edge.to);
                if from_here && self.border_left(state, stance, edge.border, false) > 0 {
                    reach.enter(to, edge.to);
                }
            }
        }
        reach.beyond = reach.beyond.or(around.and(stance.closed));
    }

    /// The areas within some steps by land, through areas that may be passed.
    fn spread(&self, start: AreaSet, pass: AreaSet, steps: u8) -> AreaSet {
        let mut all = start;
        let mut edge = start;
        for _ in 0..steps {
            edge = Atlas::around(&self.atlas().by_land, edge).and(pass).minus(all);
            if edge.is_empty() {
                break;
            }
            all = all.or(edge);
        }
        all
    }

    /// A search that counts points, an ocean as two, over one of the tables of neighbours.
    pub(crate) fn travel(
        &self,
        table: &[AreaSet],
        start: u8,
        first: AreaSet,
        pass: AreaSet,
        points: u8,
    ) -> Passed {
        let atlas = self.atlas();
        let mut at = [AreaSet::EMPTY; 9];
        at[0] = AreaSet::one(start);
        let mut passed = Passed::default();
        for spent in 0..=usize::from(points) {
            let here = at[spent].minus(passed.all);
            passed.all = passed.all.or(here);
            let left = usize::from(points) - spent;
            if left >= 1 {
                passed.one = passed.one.or(here);
                let open = if spent == 0 { first } else { pass };
                let next = Atlas::around(table, here).and(open);
                at[spent + 1] = at[spent + 1].or(next.minus(atlas.oceans));
                if left >= 2 {
                    passed.two = passed.two.or(here);
                    at[spent + 2] = at[spent + 2].or(next.and(atlas.oceans));
                }
            }
        }
        passed
    }

    // --- by air --------------------------------------------------------------------------------

    /// A search by air: from the start through `pass`, counting points.
    fn fly(&self, start: u8, pass: AreaSet, points: u8) -> Passed {
        self.travel(&self.atlas().near, start, pass, pass, points)
    }

    fn air_reach(&self, stance: &Stance, start: u8, kind: Kind, leaves: bool, reach: &mut Reach) {
        let atlas = self.atlas();
        let points = stance.air_speed(self, kind);
        let at_sea = Atlas::is_sea(start);
        let open = AreaSet::SEA.minus(stance.foes);
        let over = if stance.calm {
            open.or(stance.friendly)
        } else {
            AreaSet::SEA.or(stance.friendly).or(stance.enemy)
        };
        let pass = over.or(stance.guest).minus(stance.closed).or(stance.pass_straits).and(stance.within);
        let passed = self.fly(start, pass, points);
        let home = passed.all.and(stance.undisputed);
        if at_sea {
            // From the sea only home. Rule 11.3.
            reach.ends = home;
            return;
        }
        if leaves {
            reach.ends = home.or(passed.all.and(open));
            return;
        }
        reach.ends = passed.all.and(open).or(self.ports(stance, passed.all.and(AreaSet::LAND)));
        if stance.knows(Tech::PrecisionBombsight) && !stance.calm {
            let capitals = stance.enemies.factions().map(|enemy| atlas.factions[enemy.index()].main_capital);
            for capital in capitals {
                if passed.all.has(capital) && stance.enemy.has(capital) {
                    reach.ends.add(capital);
                }
            }
        }
        let around = Atlas::around(&atlas.near, passed.one);
        let mut fights = around.and(stance.foes).minus(stance.closed).and(stance.within);
        if stance.calm {
            fights = fights.and(stance.own).and(AreaSet::LAND);
        }
        for to in fights {
            reach.ends.remove(to);
            let near = atlas.near[usize::from(to)];
            let before = near.and(passed.before(if Atlas::is_sea(to) { atlas.cost(to) } else { 1 }));
            let ways = before.and(AreaSet::SEA.or(atlas.straits));
            if before.has(start) {
                // Aircraft ignore borders: the straight way is as good as any other.
                reach.enter(to, start);
            } else if Atlas::is_sea(to) && !ways.is_empty() {
                // With ships that come the same way it is one BattleGroup. Rule 11.53, ruling R44.
                ways.iter().for_each(|via| reach.enter(to, via));
            } else if let Some(via) = before.first() {
                reach.enter(to, via);
            }
        }
        let oceans = Atlas::around(&atlas.near, passed.two).and(atlas.oceans);
        let seas = around.and(AreaSet::SEA).minus(atlas.oceans).or(oceans).minus(stance.no_end);
        reach.beyond = reach.beyond.or(around.and(stance.closed)).or(seas);
    }

    /// What is left of a move of a Tank or Infantry that has left its Battle by one step. Rule 11.51.
    pub(crate) fn second_step(&self, stance: &Stance, from: u8, kind: Kind, reach: &mut Reach) {
        let atlas = self.atlas();
        if Atlas::is_sea(from) {
            let points = stance.sea_speed(self, kind).saturating_sub(atlas.cost(from));
            let open = AreaSet::SEA.minus(stance.foes);
            let pass = open.or(self.ship_straits(stance)).and(stance.within);
            let passed = self.sail(from, pass, points);
            let land = Atlas::around(&atlas.by_sea, passed.one).and(AreaSet::LAND).minus(stance.closed);
            reach.ends = reach.ends.or(passed.all.and(open)).or(land.minus(stance.foes));
        } else {
            let steps = stance.land_speed(self, kind).saturating_sub(1);
            reach.ends = reach.ends.or(self.spread(AreaSet::one(from), Self::open_land(stance), steps));
        }
    }

    // --- out of a Battle -------------------------------------------------------------------------

    /// The land that a unit does not leave when it retreats or ReBases: in Winter USSR units stay in the USSR. Ruling R98.
    pub(crate) fn winter_bounds(&self, state: &State, faction: Faction, area: u8) -> Option<AreaSet> {
        let home = self.atlas().great_home[Faction::Ussr.index()];
        let bound = state.part == Part::Winter && faction == Faction::Ussr && home.has(area);
        bound.then_some(home)
    }

    /// Friendly land to which an Air, Naval or Submarine unit can ReBase. Rule 13; ruling R16.
    pub(crate) fn rebase_goals(&self, state: &State, stance: &Stance, block: usize) -> AreaSet {
        let unit = &state.blocks[block];
        if unit.is(flag::ESCAPED) || unit.kind.is_ground() {
            return AreaSet::EMPTY;
        }
        let mut calm = *stance;
        let bounds = self.winter_bounds(state, stance.faction, unit.area);
        calm.within = bounds.unwrap_or(AreaSet::LAND.or(AreaSet::SEA));
        calm.calm = false;
        let mut reach = Reach::new();
        if unit.kind == Kind::AirForce {
            self.air_reach(&calm, unit.area, unit.kind, true, &mut reach);
        } else {
            let speed = calm.sea_speed(self, unit.kind);
            self.ship_reach(&calm, unit.area, unit.kind, speed, true, &mut reach);
            self.coast_step(&calm, unit.area, true, &mut reach);
        }
        let mut goals = reach.ends.and(calm.undisputed).and(calm.within);
        goals = goals.minus(state.turn.battles).minus(calm.no_end);
        goals.remove(unit.area);
        goals
    }

    /// Whether an Air Force on land reaches a Rival's main capital with the bomb. Rule 16.4, ruling R17.
    pub(crate) fn bomb_reaches(&self, state: &State, stance: &Stance, block: usize) -> bool {
        let unit = &state.blocks[block];
        if unit.kind != Kind::AirForce || Atlas::is_sea(unit.area) {
            return false;
        }
        let points = stance.air_speed(self, unit.kind);
        let passed = self.fly(unit.area, AreaSet::LAND.or(AreaSet::SEA), points);
        let rivals = stance.faction.rivals().into_iter();
        rivals
            .filter(|rival| !self.allied(stance.faction, *rival))
            .map(|rival| self.atlas().factions[rival.index()].main_capital)
            .any(|capital| passed.all.has(capital) && !state.controls(stance.faction, capital))
    }
}
