//! Destinations of a unit, step by step. Rules 11.1 to 11.52, 19.2; rulings R42, R43, R45, R76, R77, R82, R90, R95.

use std::collections::BTreeSet;

use triumph::{
    Block, BorderKind, Edge, Faction, Ground, Kind, NONE, Part, Power, State, Status, Tech, Triumph, flag,
};

use super::trade::is_sea;

/// How a land area looks to whoever moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Land {
    Friendly,
    Enemy,
    /// Of a Minor in which the mover has intervened.
    Guest,
    /// Neutral, or a Rival's at peace.
    Closed,
}

/// The map as the Active Player sees it.
pub struct Eyes<'g> {
    pub(super) game: &'g Triumph,
    pub(super) state: &'g State,
    pub(super) faction: Faction,
    pub(super) calm: bool,
}

/// What is known of the unit that moves.
#[derive(Clone, Copy)]
pub(super) struct Mover {
    pub(super) kind: Kind,
    pub(super) start: u8,
    /// Leaves a Battle.
    pub(super) leaves: bool,
    /// A US unit while the West is at peace.
    pub(super) bound: bool,
}

pub(super) type Goals = BTreeSet<(u8, u8)>;
pub(super) type Seen = BTreeSet<(u8, u8)>;

impl<'g> Eyes<'g> {
    pub fn of(game: &'g Triumph, state: &'g State) -> Self {
        let turn = &state.turn;
        Self { game, state, faction: turn.faction, calm: turn.emergency || turn.defensive }
    }

    pub(super) fn ground(&self, area: u8) -> Ground {
        self.game.rules().atlas().area(area).ground
    }

    pub(super) fn edges(&self, area: u8) -> &[Edge] {
        self.game.rules().atlas().edges(area)
    }

    pub(super) fn knows(&self, tech: Tech) -> bool {
        self.state.of(self.faction).knows(tech)
    }

    pub(super) fn is_enemy(&self, other: Faction) -> bool {
        self.state.at_war(self.faction, other)
    }

    pub(super) fn present(&self, faction: Faction, area: u8) -> bool {
        self.state.counts[faction.index()][usize::from(area)] > 0
    }

    pub(super) fn own(&self, area: u8) -> bool {
        self.present(self.faction, area)
    }

    /// Whether an Armed Minor's area is open to attack.
    pub(super) fn open_minor(&self, area: u8) -> bool {
        let at = self.game.rules().atlas().nation_of(area);
        let nation = self.state.nation(at);
        nation.status == Status::Armed
            && (nation.enemies.has(self.faction) || !nation.violators.is_empty())
            && !self.is_guest(area)
    }

    pub(super) fn is_guest(&self, area: u8) -> bool {
        let at = self.game.rules().atlas().nation_of(area);
        self.state.turn.interventions >> at & 1 != 0
    }

    pub(super) fn foes(&self, area: u8) -> bool {
        let fort = !is_sea(area) && self.state.counts[3][usize::from(area)] > 0 && self.open_minor(area);
        fort || self
            .faction
            .rivals()
            .into_iter()
            .any(|rival| self.is_enemy(rival) && self.present(rival, area))
    }

    /// Whether control alone makes a land area an Enemy's.
    pub(super) fn held_by_enemies(&self, area: u8) -> bool {
        match Faction::ALL.into_iter().find(|other| self.state.controls(*other, area)) {
            Some(other) => self.is_enemy(other),
            None => self.open_minor(area),
        }
    }

    pub(super) fn land(&self, area: u8) -> Land {
        let peaceful =
            self.faction.rivals().into_iter().any(|rival| !self.is_enemy(rival) && self.present(rival, area));
        let holder = Faction::ALL.into_iter().find(|other| self.state.controls(*other, area));
        match holder {
            _ if peaceful => Land::Closed,
            Some(other) if other == self.faction => Land::Friendly,
            _ if self.held_by_enemies(area) => Land::Enemy,
            None if self.is_guest(area) => Land::Guest,
            _ => Land::Closed,
        }
    }

    pub(super) fn undisputed(&self, area: u8) -> bool {
        let others = self.faction.rivals().into_iter().any(|rival| self.present(rival, area));
        self.state.controls(self.faction, area) && !others && self.state.counts[3][usize::from(area)] == 0
    }

    /// A strait that ships and aircraft may pass though they may not stop there. Rule 1.3.
    pub(super) fn passable_strait(&self, area: u8) -> bool {
        self.ground(area) == Ground::Strait
            && self.land(area) == Land::Closed
            && !self.held_by_enemies(area)
            && !self.foes(area)
            && !self.state.controls(self.faction, area)
    }

    pub(super) fn may_be(&self, mover: Mover, area: u8) -> bool {
        let atlas = self.game.rules().atlas();
        let winter = self.state.part == Part::Winter;
        let home = !is_sea(area) && atlas.nation(atlas.nation_of(area)).id == "ussr";
        let usa = !is_sea(area) && atlas.nation_of(area) == atlas.usa;
        (!winter || home) && (!mover.bound || usa)
    }

    /// How many Ground units may still cross a border.
    pub(super) fn border_left(&self, edge: &Edge, landing: bool) -> u8 {
        let limit = match edge.kind {
            BorderKind::Plains => 3,
            BorderKind::River | BorderKind::Forest => 2,
            BorderKind::Coast | BorderKind::Strait if landing && self.knows(Tech::Lsts) => 2,
            _ => 1,
        };
        limit - self.state.crossings(self.faction, edge.border).min(limit)
    }

    pub(super) fn cost(&self, area: u8) -> u8 {
        if self.ground(area) == Ground::Ocean { 2 } else { 1 }
    }

    /// Where a unit can go: areas with where it enters from, if that matters.
    pub fn destinations(&self, block: usize) -> Vec<(u8, u8)> {
        let unit: &Block = &self.state.blocks[block];
        let mover = Mover {
            kind: unit.kind,
            start: unit.area,
            leaves: self.foes(unit.area) && !unit.is(flag::ESCAPED),
            bound: Power::of_block(block) == Some(Power::Usa) && !self.state.of(Faction::West).at_war(),
        };
        let mut goals = Goals::new();
        if unit.kind != Kind::Fortress && self.may_be(mover, unit.area) {
            match unit.kind {
                Kind::AirForce => self.by_air(mover, &mut goals),
                Kind::Tank | Kind::Infantry => self.by_land_and_convoy(mover, &mut goals),
                _ => self.by_ship(mover, &mut goals),
            }
        }
        let ally =
            self.faction.rivals().into_iter().find(|rival| self.game.rules().allied(self.faction, *rival));
        goals
            .into_iter()
            .filter(|(to, via)| {
                let shared = ally.is_some_and(|ally| self.present(ally, *to));
                (*to != unit.area || *via != NONE) && self.may_be(mover, *to) && !shared
            })
            .collect()
    }

    // --- by land and as Convoys -------------------------------------------------------------------

    pub(super) fn by_land_and_convoy(&self, mover: Mover, goals: &mut Goals) {
        let speed = match mover.kind {
            Kind::Tank => 3,
            _ if self.knows(Tech::MotorizedInfantry) => 3,
            _ => 2,
        };
        let at_sea = is_sea(mover.start);
        if at_sea && mover.leaves {
            return;
        }
        if !at_sea {
            self.march(mover, mover.start, speed, &mut Seen::new(), goals);
            if !mover.leaves && self.state.controls(self.faction, mover.start) {
                self.march_far(mover, mover.start, 2 * speed, &mut Seen::new(), goals);
            }
        }
        self.convoy(mover, mover.start, 2, &mut Seen::new(), goals);
        if !mover.leaves {
            self.sail_far(mover, mover.start, 4, &mut Seen::new(), goals);
        }
    }

    pub(super) fn march(&self, mover: Mover, at: u8, left: u8, seen: &mut Seen, goals: &mut Goals) {
        if left == 0 || !seen.insert((at, left)) {
            return;
        }
        let first = at == mover.start;
        for edge in self.edges(at).iter().filter(|edge| !is_sea(edge.to)) {
            let to = edge.to;
            if !self.may_be(mover, to) || self.land(to) == Land::Closed {
                continue;
            }
            if first && mover.leaves && (!self.undisputed(to) || self.border_left(edge, false) == 0) {
                continue;
            }
            if self.foes(to) {
                if !mover.leaves && self.border_left(edge, false) > 0 && (!self.calm || self.own(to)) {
                    goals.insert((to, at));
                }
                continue;
            }
            if self.land(to) == Land::Enemy && self.calm {
                continue;
            }
            if to != mover.start {
                goals.insert((to, NONE));
                self.march(mover, to, left - 1, seen, goals);
            }
        }
    }

    pub(super) fn march_far(&self, mover: Mover, at: u8, left: u8, seen: &mut Seen, goals: &mut Goals) {
        if left == 0 || !seen.insert((at, left)) {
            return;
        }
        for edge in self.edges(at).iter().filter(|edge| !is_sea(edge.to)) {
            if self.undisputed(edge.to) && self.may_be(mover, edge.to) {
                goals.insert((edge.to, NONE));
                self.march_far(mover, edge.to, left - 1, seen, goals);
            }
        }
    }

    pub(super) fn convoy(&self, mover: Mover, at: u8, left: u8, seen: &mut Seen, goals: &mut Goals) {
        if left == 0 || !seen.insert((at, left)) {
            return;
        }
        for edge in self.edges(at).iter().filter(|edge| is_sea(at) || is_sea(edge.to)) {
            let to = edge.to;
            if !self.may_be(mover, to) {
                continue;
            }
            if is_sea(to) {
                // Whoever leaves needs a coast that is not used up, for his first step only (R43).
                let full = at == mover.start && mover.leaves && self.border_left(edge, false) == 0;
                if self.cost(to) <= left && !self.foes(to) && !full {
                    goals.insert((to, NONE));
                    self.convoy(mover, to, left - self.cost(to), seen, goals);
                }
                continue;
            }
            let land = self.land(to);
            let friendly_strait =
                self.ground(to) == Ground::Strait && land == Land::Friendly && !self.foes(to);
            if friendly_strait || self.passable_strait(to) {
                self.convoy(mover, to, left - 1, seen, goals);
            }
            let room = self.border_left(edge, true) > 0;
            match land {
                Land::Closed => {}
                _ if self.foes(to) => {
                    if room && !mover.leaves && (!self.calm || self.own(to)) {
                        goals.insert((to, at));
                    }
                }
                Land::Enemy => {
                    if room && !self.calm {
                        goals.insert((to, at));
                    }
                }
                Land::Friendly | Land::Guest => {
                    goals.insert((to, NONE));
                }
            }
        }
    }

    /// Strategic Movement by sea. Rule 11.4.
    pub(super) fn sail_far(&self, mover: Mover, at: u8, left: u8, seen: &mut Seen, goals: &mut Goals) {
        let bad_start = if is_sea(at) { self.foes(at) } else { !self.state.controls(self.faction, at) };
        if left == 0 || (at == mover.start && bad_start) || !seen.insert((at, left)) {
            return;
        }
        for edge in self.edges(at).iter().filter(|edge| is_sea(at) || is_sea(edge.to)) {
            let to = edge.to;
            if !self.may_be(mover, to) {
                continue;
            }
            let lurking = self
                .faction
                .rivals()
                .into_iter()
                .any(|r| self.is_enemy(r) && self.state.escaped[r.index()].has(to));
            if is_sea(to) {
                if self.cost(to) <= left && !self.foes(to) && !lurking {
                    goals.insert((to, NONE));
                    self.sail_far(mover, to, left - self.cost(to), seen, goals);
                }
            } else if self.undisputed(to) {
                goals.insert((to, NONE));
                if self.ground(to) == Ground::Strait {
                    self.sail_far(mover, to, left - 1, seen, goals);
                }
            }
        }
    }
}
