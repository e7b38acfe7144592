//! Attacks: what could be taken this turn, with what, and whether it is worth its price.

use crate::areas::{AreaSet, NONE};
use crate::choice::Choice;
use crate::factions::{Faction, blocks_of};
use crate::policy::Mind;
use crate::policy::mind::SUPPORT;
use crate::state::{Status, flag};
use crate::units::Kind;
use crate::world::Atlas;
use crate::year::TO_WIN;

/// An attack that could be made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// Where.
    pub target: u8,
    /// What must be declared first.
    pub declare: Option<Choice>,
    /// What it is worth after all, in hundredths of VP.
    pub score: i32,
    /// How much stronger the attack is than the defence, in hundredths.
    pub odds: i32,
}

/// Where a unit can go.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ways {
    pub block: usize,
    /// Areas that it can enter as things are.
    pub open: AreaSet,
    /// Closed areas that it could enter after a declaration.
    pub closed: AreaSet,
}

/// The most units that a Faction can move.
const MOST_UNITS: usize = 76;

/// Where all units of a Faction can go.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AllWays {
    list: [Ways; MOST_UNITS],
    len: usize,
}

impl std::ops::Deref for AllWays {
    type Target = [Ways];

    fn deref(&self) -> &[Ways] {
        &self.list[..self.len]
    }
}

impl AllWays {
    /// The same for those who want to go anywhere but to an area.
    #[must_use]
    pub fn elsewhere(mut self, area: u8) -> Self {
        self.list[..self.len].iter_mut().for_each(|way| way.open.remove(area));
        self
    }
}

/// Odds that make an attack certain enough: more units go elsewhere.
const PLENTY: i32 = 350;

/// How much stronger an attack is than the defence, in hundredths. Lanchester's law for fire that both sides aim: strength is
/// hits times steps; the Defender fires first (12.2), so half a round of its hits is gone before the attack begins.
pub(crate) fn odds(attack: (i32, i32), defence: (i32, i32)) -> i32 {
    let ((hits, steps), (def_hits, def_steps)) = (attack, defence);
    if def_steps == 0 {
        return 900;
    }
    let left = steps - def_hits / 2;
    if left <= 0 {
        return 0;
    }
    let fire = hits * left / steps;
    (fire * left / (def_hits * def_steps / 100).max(1)).min(900)
}

impl Mind<'_> {
    /// What every unit that has not moved can reach.
    pub fn ways(&self) -> AllWays {
        let stance = self.stance();
        let none = Ways { block: 0, open: AreaSet::EMPTY, closed: AreaSet::EMPTY };
        let mut ways = AllWays { list: [none; MOST_UNITS], len: 0 };
        for block in blocks_of(self.me) {
            let unit = &self.state.blocks[block];
            if !unit.on_map() || unit.is(flag::MOVED) || unit.kind == Kind::Fortress {
                continue;
            }
            let same = ways.iter().rev().find(|other| {
                let earlier = &self.state.blocks[other.block];
                earlier.kind == unit.kind && earlier.area == unit.area && earlier.flags == unit.flags
            });
            let (open, closed) = match same {
                Some(other) => (other.open, other.closed),
                None => {
                    let reach = self.rules.reach(self.state, stance, block);
                    (reach.areas(), reach.beyond)
                }
            };
            ways.list[ways.len] = Ways { block, open, closed };
            ways.len += 1;
        }
        ways
    }

    /// The best attack with some unit-moves, if any is worth it.
    pub fn best_plan(&self, ways: &[Ways], moves: u8, may_declare: bool) -> Option<Plan> {
        let stance = self.stance();
        let open = ways.iter().fold(AreaSet::EMPTY, |set, way| set.or(way.open));
        let closed = ways.iter().fold(AreaSet::EMPTY, |set, way| set.or(way.closed));
        let mut best: Option<Plan> = None;
        let mut consider = |plan: Option<Plan>| {
            let better = |plan: &Plan| plan.score > best.map_or(0, |best| best.score);
            if let Some(plan) = plan.filter(better) {
                best = Some(plan);
            }
        };
        for target in open.and(stance.enemy.or(stance.foes)).and(AreaSet::LAND).minus(stance.guest) {
            consider(self.plan(ways, target, None, moves));
        }
        if may_declare {
            for target in closed.and(AreaSet::LAND) {
                if let Some(declare) = self.declaration_for(target) {
                    consider(self.plan(ways, target, Some(declare), moves));
                }
            }
        }
        best
    }

    /// What must be declared to enter a closed area.
    fn declaration_for(&self, target: u8) -> Option<Choice> {
        let nation = self.rules.atlas().nation_of(target);
        let holder = self.state.controller(target).factions().next();
        match holder {
            Some(rival) if rival != self.me => {
                self.rules.may_declare_war(self.state, self.me, rival).then_some(Choice::War(rival))
            }
            None if self.rules.may_violate(self.state, self.me, nation) => Some(Choice::Violate(nation)),
            _ => None,
        }
    }

    /// The worth of an attack.
    fn plan(&self, ways: &[Ways], target: u8, declare: Option<Choice>, moves: u8) -> Option<Plan> {
        let (hits, steps, ground) = self.force(ways, target, declare.is_some(), moves);
        if !ground {
            return None;
        }
        let (def_hits, def_steps) = self.expected_defence(target, declare);
        let odds = odds((hits, steps), (def_hits, def_steps));
        if odds < self.character.odds {
            return None;
        }
        // What falls in the first round is ours; the rest may be relieved before the next one.
        let first = if def_steps == 0 { 300 } else { (hits * 100 / def_steps).min(300) };
        let likely = (15 + first / 3 + odds / 30).min(95);
        let gain = self.prize(target, declare) * self.character.greed / 100;
        let price = self.price(declare) + def_hits * 10 / 100;
        // Others come after those that take a capital: they only matter as steps on the way.
        Some(Plan { target, declare, score: gain * likely / 100 - price, odds })
    }

    /// What can be brought against a target: hits, steps, and whether Ground units are among it.
    fn force(&self, ways: &[Ways], target: u8, closed: bool, moves: u8) -> (i32, i32, bool) {
        let (mut hits, mut steps) = self.strength(self.me, target);
        let mut ground = self.stance().ground.has(target);
        let mut room = self.border_room(target);
        let mut left = i32::from(moves);
        let mut share = 100;
        // The strongest first; ways are in the order of blocks, so a few passes by CV.
        for cv in (1..=4).rev() {
            for way in ways {
                let unit = &self.state.blocks[way.block];
                let can = if closed { way.closed.has(target) } else { way.open.has(target) };
                if unit.cv != cv || !can || left == 0 || unit.kind == Kind::Submarine {
                    continue;
                }
                let troop = unit.kind.is_ground();
                if troop && room == 0 {
                    continue;
                }
                if self.holds_capital(way.block) {
                    continue;
                }
                let by_sea = troop && !Atlas::is_sea(unit.area) && self.distance(unit.area, target) > 1;
                // Those who land or come from afar count less.
                let weight = if by_sea { share * 2 / 3 } else { share };
                hits += self.fire(way.block, unit) * weight / 100;
                let held =
                    if troop { self.cv(way.block, unit) } else { self.cv(way.block, unit) * SUPPORT / 100 };
                steps += held * weight / 100;
                if troop {
                    room -= 1;
                    ground = true;
                }
                left -= 1;
                share = (share - 5).max(50);
            }
        }
        (hits, steps, ground)
    }

    /// How many Ground units can enter an area in a turn, roughly.
    fn border_room(&self, target: u8) -> i32 {
        let stance = self.stance();
        let edges = self.rules.atlas().edges(target).iter();
        edges
            .filter(|edge| Atlas::is_sea(edge.to) || stance.friendly.has(edge.to))
            .map(|edge| i32::from(self.rules.border_left(self.state, stance, edge.border, true)))
            .sum()
    }

    /// Whether a unit is needed where it stands: the last defenders of a threatened capital.
    pub fn holds_capital(&self, block: usize) -> bool {
        let unit = &self.state.blocks[block];
        unit.kind.is_ground() && self.own_capitals().any(|area| area == unit.area) && {
            let (hits, steps) = self.threat(unit.area);
            let (own_hits, own_steps) = self.strength(self.me, unit.area);
            let (gone_hits, gone_steps) = (self.fire(block, unit), self.cv(block, unit));
            let left = own_hits + own_steps - gone_hits - gone_steps;
            left * 3 / 2 < (hits + steps) * self.character.guard / 100 || own_steps == gone_steps
        }
    }

    /// What will defend a target: what stands there, or the forts that a declaration raises.
    fn expected_defence(&self, target: u8, declare: Option<Choice>) -> (i32, i32) {
        let (mut hits, mut steps) = self.defence(target);
        if let Some(Choice::Violate(_)) = declare {
            let cv = 100 * i32::from(self.rules.atlas().area(target).muster);
            if steps == 0 {
                (hits, steps) = (cv * 4 / 6, cv);
            }
        }
        (hits, steps)
    }

    /// What taking a target is worth, in hundredths of VP.
    fn prize(&self, target: u8, declare: Option<Choice>) -> i32 {
        let atlas = self.rules.atlas();
        let info = atlas.area(target);
        let nation = atlas.nation(info.nation);
        let now = self.state.nation(info.nation);
        let holder = self.state.controller(target).factions().next().or(now.influencer);
        let whole =
            info.capital && now.status != Status::Belongs || matches!(declare, Some(Choice::Violate(_)));
        let areas = if info.capital && (whole || nation.power.is_none()) {
            nation.areas
        } else {
            AreaSet::one(target)
        };
        let (pop, res) = self.wealth(areas);
        let mut worth = self.worth(self.me, pop, res);
        if !info.capital && !matches!(declare, Some(Choice::War(_))) {
            // A step on the way to the capital.
            worth = worth * 2 / 3 + 8;
        }
        if let Some(rival) = holder.filter(|holder| *holder != self.me) {
            worth += self.worth(rival, pop, res) * (30 + 25 * self.alarm(rival)) / 100;
        }
        let rival_capital =
            self.me.rivals().into_iter().any(|rival| atlas.capitals[rival.index()].has(target));
        if rival_capital {
            // Two of them win the game.
            let held = self.rules.rival_capitals(self.state, self.me);
            worth += 300 + if held >= 1 { 2_500 } else { 250 };
            if nation.kind == crate::world::NationKind::Major {
                worth += 150;
            }
        }
        // Nearer to a capital is better ground.
        let near = self
            .me
            .rivals()
            .into_iter()
            .filter(|rival| self.state.at_war(self.me, *rival))
            .map(|rival| {
                self.nearest(target, atlas.capitals[rival.index()].and(self.state.control[rival.index()]))
            })
            .min()
            .unwrap_or(NONE);
        worth
            + if near <= 1 {
                45
            } else if near == 2 {
                20
            } else {
                0
            }
    }

    /// What a declaration costs, in hundredths of VP.
    fn price(&self, declare: Option<Choice>) -> i32 {
        let own = self.state.of(self.me);
        let peace = !own.at_war();
        let chit = i32::from(peace && !own.fought) * 62;
        match declare {
            None => 0,
            Some(Choice::Violate(nation)) => {
                let cards = i32::from(self.rules.atlas().nation(nation).reaction);
                let protector = self.rules.protector_of(self.state, self.me, nation);
                let war = protector
                    .factions()
                    .find(|other| !self.state.at_war(self.me, *other))
                    .map_or(0, |other| self.war_price(other));
                (cards * 14 + chit) * self.character.fear.max(50) / 100 + war
            }
            Some(Choice::War(rival)) => chit * self.character.fear / 100 + self.war_price(rival),
            Some(_) => 0,
        }
    }

    /// What a war with a Rival costs: the VP, the chits to come, resources that begin to count, the enemy itself.
    pub fn war_price(&self, rival: Faction) -> i32 {
        let own = self.state.of(self.me);
        let tracks = &self.tracks()[self.me.index()];
        let years = i32::from(45_u8.saturating_sub(self.state.year));
        let peace = !own.at_war();
        let chits = i32::from(peace) * years * 55;
        let held_back = i32::from(tracks.level) - i32::from(tracks.ind.min(tracks.pop).min(tracks.res));
        let resources = i32::from(peace) * 100 * held_back;
        let strength = i32::from(self.view.counted(rival).cv) - i32::from(self.view.counted(self.me).cv);
        let might = strength.max(0) * 12;
        // The other Rival gains most when two fight, unless it must be stopped: who loses the game loses everything.
        let desperate = i32::from(self.points()[rival.index()] / 100 >= i32::from(TO_WIN) - 2);
        let relief = 120 * self.alarm(rival) + 600 * desperate;
        // A war of two feeds the third: what both lose is more than the VP that it costs.
        let waste = i32::from(peace) * 200 + 100;
        ((100 + waste + chits + resources + might) * self.character.fear / 100 - relief).max(20)
    }

    /// Whether an attack has what it needs.
    pub fn is_plenty(&self, plan: &Plan) -> bool {
        let (hits, steps) = self.strength(self.me, plan.target);
        let (def_hits, def_steps) = self.expected_defence(plan.target, plan.declare);
        if def_steps == 0 {
            return self.stance().ground.has(plan.target);
        }
        odds((hits, steps), (def_hits, def_steps)) >= PLENTY
    }
}
