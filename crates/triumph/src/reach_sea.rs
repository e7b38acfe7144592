//! Where ships and Convoys can go. Rules 1.3, 11.2, 11.22, 11.221, 11.4, 11.51, 11.55; rulings R43, R45, R46, R90, R106.

use crate::areas::AreaSet;
use crate::reach::{Passed, Reach};
use crate::rules::Rules;
use crate::stance::Stance;
use crate::state::State;
use crate::units::Kind;
use crate::world::Atlas;

impl Rules {
    /// A search by sea: from the start through `pass`, counting points.
    pub(crate) fn sail(&self, start: u8, pass: AreaSet, points: u8) -> Passed {
        self.sail_by(start, pass, pass, points)
    }

    /// The same with a first step that is limited further: whoever leaves a Battle is not free in it. Rule 11.51.
    pub(crate) fn sail_by(&self, start: u8, first: AreaSet, pass: AreaSet, points: u8) -> Passed {
        self.travel(&self.atlas().by_sea, start, first, pass, points)
    }

    /// Straits through which ships may go on.
    pub(crate) fn ship_straits(&self, stance: &Stance) -> AreaSet {
        stance.friendly.and(self.atlas().straits).minus(stance.foes).or(stance.pass_straits)
    }

    pub(crate) fn ship_reach(
        &self,
        stance: &Stance,
        start: u8,
        kind: Kind,
        points: u8,
        leaves: bool,
        reach: &mut Reach,
    ) {
        let atlas = self.atlas();
        let open = AreaSet::SEA.minus(stance.foes);
        // In an Emergency nobody enters an Enemy Sea, not even below it. Rule 10.11.
        let dives = kind == Kind::Submarine && !stance.calm;
        let seas = if dives { AreaSet::SEA } else { open };
        let pass = seas.or(self.ship_straits(stance)).and(stance.within);
        // Who leaves a Battle goes to Open Sea first, but a Submarine passes what it can pass at all. Rule 11.51, ruling R106.
        let first = if leaves && kind != Kind::Submarine { pass.minus(stance.closed) } else { pass };
        let passed = self.sail_by(start, first, pass, points);
        reach.ends = reach.ends.or(passed.all.and(open));
        let land = Atlas::around(&atlas.by_sea, passed.one).and(AreaSet::LAND);
        reach.ends = reach.ends.or(self.ports(stance, land));
        if leaves {
            // Whoever leaves a Battle does not Engage again this turn. Rule 11.51.
            reach.ends = reach.ends.and(open.or(stance.undisputed));
            return;
        }
        if !stance.calm {
            for to in stance.foes.and(AreaSet::SEA).and(stance.within) {
                let before = passed.before(atlas.cost(to));
                for via in atlas.by_sea[usize::from(to)].and(before) {
                    reach.enter(to, via);
                }
            }
            let seas = Atlas::around(&atlas.by_sea, passed.one).and(AreaSet::SEA).minus(atlas.oceans);
            let oceans = Atlas::around(&atlas.by_sea, passed.two).and(atlas.oceans);
            reach.beyond = reach.beyond.or(seas.or(oceans).minus(stance.no_end));
        }
        for to in self.raids(stance, land) {
            for via in atlas.by_sea[usize::from(to)].and(passed.one) {
                reach.enter(to, via);
            }
        }
        reach.beyond = reach.beyond.or(land.and(stance.closed));
    }

    /// Land where ships and aircraft simply end: Friendly, or Enemy land that own Ground units have just entered.
    pub(crate) fn ports(&self, stance: &Stance, land: AreaSet) -> AreaSet {
        let friendly = stance.friendly.minus(stance.foes);
        let supported = stance.enemy.or(stance.guest).minus(stance.foes).and(stance.ground);
        let supported = if stance.calm { AreaSet::EMPTY } else { supported };
        land.and(friendly.or(supported)).minus(stance.closed)
    }

    /// Land with Enemies that ships and aircraft may enter. Rule 11.55.
    pub(crate) fn raids(&self, stance: &Stance, land: AreaSet) -> AreaSet {
        let held = land.and(stance.foes).minus(stance.closed).and(stance.within);
        if stance.calm { held.and(stance.own) } else { held }
    }

    /// One step along the coast. Rule 11.1, ruling R46.
    pub(crate) fn coast_step(&self, stance: &Stance, start: u8, leaves: bool, reach: &mut Reach) {
        let land = self.atlas().along_coast[usize::from(start)];
        if leaves {
            reach.ends = reach.ends.or(land.and(stance.undisputed));
            return;
        }
        reach.ends = reach.ends.or(self.ports(stance, land));
        for to in self.raids(stance, land) {
            reach.enter(to, start);
        }
        reach.beyond = reach.beyond.or(land.and(stance.closed));
    }

    /// Strategic Movement by sea. Rule 11.4.
    pub(crate) fn strategic_sea(&self, stance: &Stance, within: AreaSet, start: u8, points: u8) -> AreaSet {
        let atlas = self.atlas();
        if !stance.friendly.or(AreaSet::SEA.minus(stance.foes)).has(start) {
            return AreaSet::EMPTY;
        }
        let open = AreaSet::SEA.minus(stance.foes).minus(stance.lurking);
        let pass = open.or(atlas.straits.and(stance.undisputed)).and(within);
        let passed = self.sail(start, pass, points);
        let land = Atlas::around(&atlas.by_sea, passed.one).and(stance.undisputed);
        passed.all.and(open).or(land)
    }

    /// Tanks and Infantry by sea: Convoys. Rules 11.22, 11.221.
    pub(crate) fn convoy_reach(
        &self,
        state: &State,
        stance: &Stance,
        start: u8,
        kind: Kind,
        leaves: bool,
        reach: &mut Reach,
    ) {
        let atlas = self.atlas();
        let points = stance.sea_speed(self, kind);
        let open = AreaSet::SEA.minus(stance.foes);
        let pass = open.or(self.ship_straits(stance)).and(stance.within);
        let mut first = pass;
        if leaves {
            // One unit across each coast, as by land. Rule 11.52; another coast may lead to the same sea, ruling R43.
            for edge in atlas.edges(start) {
                if Atlas::is_sea(edge.to) && self.border_left(state, stance, edge.border, false) == 0 {
                    first.remove(edge.to);
                }
            }
        }
        let passed = self.sail_by(start, first, pass, points);
        reach.ends = reach.ends.or(passed.all.and(open));
        let land = Atlas::around(&atlas.by_sea, passed.one).and(AreaSet::LAND).and(stance.within);
        reach.ends =
            reach.ends.or(land.and(stance.friendly.or(stance.guest)).minus(stance.foes).minus(stance.closed));
        // Into a Battle, or onto Enemy land, across a limited border.
        let mut limited = land.and(stance.foes).or(land.and(stance.enemy)).minus(stance.closed);
        if leaves {
            limited = limited.minus(stance.foes);
        }
        if stance.calm {
            limited = limited.and(stance.foes).and(stance.own);
        }
        for to in limited {
            for edge in atlas.edges(to) {
                if Atlas::is_sea(edge.to)
                    && passed.one.has(edge.to)
                    && self.border_left(state, stance, edge.border, true) > 0
                {
                    reach.enter(to, edge.to);
                }
            }
        }
        if !stance.calm {
            reach.beyond = reach.beyond.or(land.and(stance.closed));
        }
    }
}
