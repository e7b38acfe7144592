//! Who moves, with whom, where to, and which way to look.

use terrain::{Cell, Octant};

use super::plan::{NO_GOAL, UNREACHED};
use super::{Desk, position};
use crate::battalions::{Class, Mode};
use crate::choice::Choice;
use crate::state::{NOBODY, mark};
use crate::tables::Activation;
use crate::units::Units;

/// An intention that beats every march.
const FIGHT: i32 = 500;

impl Desk<'_> {
    /// The next thing to do in the movement phase or by night.
    pub(super) fn movement(&self, choices: &[Choice]) -> usize {
        let mut best = (0, position(choices, Choice::End));
        for (at, &choice) in choices.iter().enumerate() {
            let worth = match choice {
                Choice::Place { unit, zone } => 10_000 + self.entry(unit, zone),
                Choice::Activate(unit) | Choice::Move(unit) => self.urge(unit),
                _ => 0,
            };
            if worth > best.0 {
                best = (worth, at);
            }
        }
        best.1
    }

    /// How good a zone is for a reinforcement to come in.
    fn entry(&self, unit: u8, zone: Cell) -> i32 {
        let goal = self.goal_from(unit, zone);
        if goal == NO_GOAL { 0 } else { 1000 - i32::from(self.plan.way(goal, zone)) }
    }

    /// The goal of a battalion; for one that came in after the plan was made, the nearest that is worth it.
    fn goal_from(&self, unit: u8, zone: Cell) -> u8 {
        let goal = self.plan.goal(unit);
        if goal != NO_GOAL {
            return goal;
        }
        let (rules, s) = (self.rules, self.s);
        let mut best = (0, NO_GOAL);
        for (key, info) in rules.scenario.keys.iter().enumerate() {
            let way = i32::from(self.plan.way(key as u8, zone));
            if way >= i32::from(UNREACHED) || info.vp == 0 {
                continue;
            }
            let held = rules.holder(s, key) == self.side;
            let worth = if held { 1 + i32::from(info.vp) } else { 3 + 4 * i32::from(info.vp) };
            let found = worth * 1000 / (way + 10);
            if found > best.0 {
                best = (found, key as u8);
            }
        }
        best.1
    }

    /// How much a battalion wants to be activated.
    fn urge(&self, unit: u8) -> i32 {
        let (rules, s) = (self.rules, self.s);
        let (zone, troop) = (s.unit(unit).zone, rules.troop(unit));
        if troop.is_hq() {
            return self.hq_urge(unit, zone);
        }
        let enemy = self.plan.enemy(zone);
        if troop.class.is_artillery() && enemy <= troop.range {
            // Guns in range stay and fire.
            return 0;
        }
        if enemy <= 1 && !s.night && troop.assaults {
            let fight = self.best_assault(unit, zone);
            if fight > self.bar() {
                return FIGHT + fight;
            }
        }
        let goal = self.goal_from(unit, zone);
        // A line that was dug is kept: who leaves it gives the ground away.
        let dug_in = !self.plan.attacks && enemy <= 3 && rules.is_prepared(s, zone, self.side);
        let at_post = dug_in || (goal != NO_GOAL && rules.scenario.keys[usize::from(goal)].zone == zone);
        if at_post || (goal == NO_GOAL && enemy <= 2) {
            return self.turn_urge(zone, enemy);
        }
        let gain = self.best_step(unit, zone);
        if gain > 4 { 100 + gain } else { self.turn_urge(zone, enemy) }
    }

    /// A stack that the enemy could take in the flank wants to turn.
    fn turn_urge(&self, zone: Cell, enemy: u8) -> i32 {
        if enemy > 1 || self.s.night || self.rules.lay(zone).water {
            return 0;
        }
        let values = self.bearings(zone);
        let (now, best) = (self.s.zones[usize::from(zone)].facing, best_facing(&values));
        let front = |way: Octant| way.front().iter().map(|way| values[way.index()]).sum::<i32>();
        if front(best) > 2 * front(now) { 20 } else { 0 }
    }

    /// The best that a step to a neighbour would bring.
    fn best_step(&self, unit: u8, zone: Cell) -> i32 {
        let (rules, s) = (self.rules, self.s);
        let column = rules.column(s, Units::one(unit));
        let here = self.zone_score(unit, zone, 0);
        let mut best = i32::MIN;
        for way in Octant::ALL {
            if rules.step(s, &column, zone, way, true, false).is_err() {
                continue;
            }
            let to = rules.near(zone, way);
            if rules.has_room(s, to, column.points) {
                best = best.max(self.zone_score(unit, to, 0));
            }
        }
        if best == i32::MIN { 0 } else { best - here }
    }

    /// Who could take part in an assault out of a zone if all went well with their activation.
    fn might_assault(&self, unit: u8, way: Octant) -> bool {
        let (rules, s) = (self.rules, self.s);
        let (battalion, troop) = (s.unit(unit), rules.troop(unit));
        if !troop.assaults || rules.is_fixed(s, unit) || battalion.is(mark::DONE | mark::ROAD) {
            return false;
        }
        let ready = battalion.result == Activation::None || (battalion.result.moves() && battalion.mp > 0);
        let from = battalion.zone;
        let to = rules.near(from, way);
        ready
            && !rules.is_unbridged(s, from, way)
            && !(rules.lay(to).marsh && troop.mode == Mode::Mechanized && !rules.is_road(s, from, way))
            && !(battalion.is(mark::ROUGH) && rules.is_rough_step(s, from, way))
    }

    /// The best assault that a battalion's stack could make from where it stands.
    fn best_assault(&self, unit: u8, zone: Cell) -> i32 {
        let (rules, s) = (self.rules, self.s);
        let mut best = i32::MIN;
        for way in Octant::ALL {
            let to = rules.near(zone, way);
            if to == terrain::NOWHERE
                || !rules.holds(s, to, self.side.enemy())
                || !rules.can_be_assaulted(s, to)
                || !self.might_assault(unit, way)
            {
                continue;
            }
            if let Some(found) = self.prospect(zone, to, |mate| self.might_assault(mate, way)) {
                best = best.max(found.worth);
            }
        }
        best
    }

    /// How good it is for a battalion to be in a zone; `mp` is what it would have left for an assault.
    pub(super) fn zone_score(&self, unit: u8, zone: Cell, mp: u8) -> i32 {
        let (rules, s, weights) = (self.rules, self.s, self.weights);
        let troop = rules.troop(unit);
        let enemy = self.plan.enemy(zone);
        let goal = self.goal_from(unit, zone);
        let mut score = 0;
        if goal != NO_GOAL {
            score -= i32::from(self.plan.way(goal, zone)) * 3 * weights.objective / 100;
        }
        if let Some(key) = rules.key_at(zone)
            && rules.holder(s, key) != self.side
        {
            score += (30 + 20 * i32::from(rules.scenario.keys[key].vp)) * weights.objective / 100;
        }
        if enemy <= 3 {
            let mut cover = 0;
            if troop.mode != Mode::Mechanized {
                if rules.is_prepared(s, zone, self.side) {
                    cover = 9;
                } else if rules.lay(zone).rough {
                    cover = 5;
                }
            }
            score += cover * weights.cover / 100;
            let friends = self.friends(unit, zone);
            score += friends * 3 * weights.company / 100;
            let danger = (self.plan.threat(zone) - 3 * friends - 3).max(0);
            let danger = if self.plan.attacks { danger / 2 } else { danger };
            score -= danger * weights.danger / 100;
        }
        if troop.class.is_artillery() && enemy <= 2 {
            score -= 40;
        }
        if mp > 0 && enemy <= 1 && troop.assaults {
            let best = self.assault_from(unit, zone);
            if best > self.bar() {
                score += 20 + best;
            }
        }
        score
    }

    /// Friends that would stand with a battalion in a zone: who is there, and who goes along.
    fn friends(&self, unit: u8, zone: Cell) -> i32 {
        let (rules, s) = (self.rules, self.s);
        let mut friends = rules.others(s, zone, unit);
        let home = s.unit(unit).zone;
        if home != zone && s.unit(unit).on_map() {
            let along = if s.act.group.has(unit) {
                rules.battalions_of(s.act.group) - 1
            } else {
                rules.others(s, home, unit)
            };
            friends += along;
        }
        i32::from(friends.min(3))
    }

    /// The best assault that a battalion alone, with the help of zones and guns, could make out of a zone.
    fn assault_from(&self, unit: u8, zone: Cell) -> i32 {
        let (rules, s) = (self.rules, self.s);
        let mut best = i32::MIN;
        for to in rules.around(zone) {
            if rules.holds(s, to, self.side.enemy()) && rules.can_be_assaulted(s, to) {
                let mates = s.act.group;
                let fight = crate::combat::Fight {
                    from: zone,
                    to,
                    lead: unit,
                    foe: NOBODY,
                    supports: mates.into_iter().filter(|mate| *mate != unit).take(2).collect(),
                    zones: 1,
                    fire: 1,
                    answer: 1,
                    raid: false,
                };
                if let Some(found) = self.analyse(&fight) {
                    best = best.max(found.worth);
                }
            }
        }
        best
    }

    // --- headquarters ---------------------------------------------------------------------------

    fn hq_urge(&self, hq: u8, zone: Cell) -> i32 {
        let (rules, s) = (self.rules, self.s);
        let column = rules.column(s, Units::one(hq));
        let here = self.hq_score(hq, zone);
        let mut best = here;
        for way in Octant::ALL {
            if rules.step(s, &column, zone, way, true, false).is_ok() {
                best = best.max(self.hq_score(hq, rules.near(zone, way)));
            }
        }
        if best > here + 5 { 50 + best - here } else { 0 }
    }

    /// An HQ wants its battalions in reach and the enemy out of it. Rules 9.1, 9.5.
    fn hq_score(&self, hq: u8, zone: Cell) -> i32 {
        let (rules, s) = (self.rules, self.s);
        let (formation, range) =
            (rules.troop(hq).formation, rules.tables.command_range[rules.troop(hq).quality as usize]);
        let mut score = match self.plan.enemy(zone) {
            0 | 1 => -60,
            2 => -8,
            _ => 0,
        };
        for unit in rules.armies[self.side.index()] {
            if rules.troop(unit).formation != formation || unit == hq || !s.unit(unit).on_map() {
                continue;
            }
            let far = rules.distance(s.unit(unit).zone, zone);
            score += if far <= range { 8 } else { -i32::from(far - range) };
        }
        if rules.others(s, zone, hq) > 0 {
            score += 4;
        }
        score
    }

    // --- the group and its march ----------------------------------------------------------------

    /// Takes along who has the same way to go, or the same enemy to face.
    pub(super) fn group(&self, choices: &[Choice]) -> usize {
        let (rules, s) = (self.rules, self.s);
        let roll = position(choices, Choice::Roll);
        let Some(first) = s.act.group.first() else { return roll };
        let (troop, zone) = (rules.troop(first), s.act.from);
        if troop.is_hq() {
            return roll;
        }
        let fights = self.plan.enemy(zone) <= 1 && !s.night && self.best_assault(first, zone) > self.bar();
        let goal = self.goal_from(first, zone);
        for (at, &choice) in choices.iter().enumerate() {
            let Choice::With(mate) = choice else { continue };
            let other = rules.troop(mate);
            if other.is_hq() || other.quality < troop.quality {
                continue;
            }
            let suits = if fights {
                other.assaults
            } else {
                other.moves == troop.moves
                    && other.mode == troop.mode
                    && other.class.is_artillery() == troop.class.is_artillery()
                    && self.goal_from(mate, zone) == goal
                    && !(other.class.is_artillery() && self.plan.enemy(zone) <= other.range)
            };
            if suits {
                return at;
            }
        }
        roll
    }

    /// The next step of a march, or its end.
    pub(super) fn march(&self, choices: &[Choice]) -> usize {
        let (rules, s) = (self.rules, self.s);
        let Some(unit) = s.act.group.first() else { return 0 };
        let here = s.act.from;
        let hq = rules.troop(unit).is_hq();
        let mp = s.unit(unit).mp;
        let stay = if hq { self.hq_score(unit, here) } else { self.stay_score(unit, here, mp) };
        let mut best = (stay, NOBODY as usize);
        for (at, &choice) in choices.iter().enumerate() {
            let worth = match choice {
                Choice::Step(zone) if hq => self.hq_score(unit, zone) - 2,
                Choice::Step(zone) => self.zone_score(unit, zone, mp.saturating_sub(1)),
                Choice::Road(zone) if hq => self.hq_score(unit, zone) - 3,
                // A column on the road goes far, but it can't fight and is prey for aircraft.
                Choice::Road(zone) if self.plan.enemy(zone) >= 2 => {
                    self.zone_score(unit, zone, 0) + self.road_bonus(zone)
                }
                _ => continue,
            };
            if worth > best.0 {
                best = (worth, at);
            }
        }
        if best.1 < choices.len() {
            return best.1;
        }
        self.best(choices, |choice| self.facing(here, choice))
    }

    /// A long way yet, and the enemy far: the road is worth it.
    fn road_bonus(&self, zone: Cell) -> i32 {
        if self.plan.enemy(zone) >= 3 { 8 } else { 0 }
    }

    /// To stay is good where an assault promises something.
    fn stay_score(&self, unit: u8, zone: Cell, mp: u8) -> i32 {
        let mut score = self.zone_score(unit, zone, 0);
        if mp > 0 && self.plan.enemy(zone) <= 1 && !self.s.night && !self.s.act.road {
            let fight = self.best_assault(unit, zone);
            if fight > self.bar() {
                score += 40 + 2 * fight.max(0);
            }
        }
        score
    }

    // --- facing ---------------------------------------------------------------------------------

    /// How much enemy there is in each direction of a zone.
    fn bearings(&self, zone: Cell) -> [i32; 8] {
        let (rules, s) = (self.rules, self.s);
        let grid = rules.scenario.grid;
        let mut values = [0; 8];
        for unit in rules.armies[self.side.enemy().index()] {
            let at = s.unit(unit).zone;
            if !s.unit(unit).on_map() || at == zone || !rules.troop(unit).assaults {
                continue;
            }
            let far = i32::from(grid.distance(zone, at));
            if far <= 6
                && let Some(way) = grid.bearing(zone, at)
            {
                values[way.index()] += 1000 / (far * far * far);
            }
        }
        values
    }

    /// The worth of a facing: enemies ahead and to both sides of it.
    pub(super) fn facing(&self, zone: Cell, choice: Choice) -> i32 {
        let way = match choice {
            Choice::Face(way) => way,
            Choice::Halt => self.s.zones[usize::from(zone)].facing,
            _ => return i32::MIN,
        };
        let values = self.bearings(zone);
        way.front().iter().map(|way| values[way.index()]).sum::<i32>() + values[way.index()] / 2
    }

    /// Whether a battalion is of guns, which stay away from an enemy next to them.
    pub(super) fn is_gun(&self, unit: u8) -> bool {
        self.rules.troop(unit).class.is_artillery() || self.rules.troop(unit).class == Class::Antitank
    }
}

fn best_facing(values: &[i32; 8]) -> Octant {
    let worth = |way: &Octant| {
        way.front().iter().map(|way| values[way.index()]).sum::<i32>() * 2 + values[way.index()]
    };
    Octant::ALL.into_iter().max_by_key(worth).unwrap_or(Octant::N)
}
