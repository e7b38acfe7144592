//! Who moves, with whom, and where to.

use terrain::{Cell, Octant};

use super::ending::Ending;
use super::plan::{NO_GOAL, UNREACHED};
use super::{Desk, position};
use crate::battalions::Mode;
use crate::choice::Choice;
use crate::combat::Fight;
use crate::state::mark;
use crate::tables::Activation;
use crate::units::Units;

/// An intention that beats every march.
const FIGHT: i32 = 500;

impl Desk<'_> {
    /// The next thing to do in the movement phase or by night.
    pub(super) fn movement(&self, choices: &[Choice]) -> usize {
        let mut best = (0, position(choices, Choice::End));
        if self.ending == Ending::Keep {
            return best.1;
        }
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
    pub(super) fn goal_from(&self, unit: u8, zone: Cell) -> u8 {
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
        if troop.class.is_artillery() {
            return self.gun_urge(unit, zone);
        }
        let enemy = self.plan.enemy(zone);
        if enemy <= 1
            && !s.night
            && troop.assaults
            && let Some(fight) = self.best_assault(unit, zone)
        {
            return FIGHT + fight;
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

    /// The best that a step to a neighbour would bring.
    pub(super) fn best_step(&self, unit: u8, zone: Cell) -> i32 {
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

    /// How much the best assault is wanted that a battalion's stack could make from where it stands; `None` where none is.
    fn best_assault(&self, unit: u8, zone: Cell) -> Option<i32> {
        let (rules, s) = (self.rules, self.s);
        let mut best = None;
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
                best = best.max(self.appeal(&found));
            }
        }
        best
    }

    /// How good it is for a battalion to be in a zone; `mp` is what it would have left for an assault.
    pub(super) fn zone_score(&self, unit: u8, zone: Cell, mp: u8) -> i32 {
        let (rules, s, weights) = (self.rules, self.s, self.weights);
        let troop = rules.troop(unit);
        if troop.class.is_artillery() {
            return self.gun_score(unit, zone);
        }
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
        // Whoever has nothing to lose looks for no cover.
        if enemy <= 3 && self.ending != Ending::Try {
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
        if mp > 0
            && enemy <= 1
            && troop.assaults
            && let Some(best) = self.assault_from(unit, zone)
        {
            score += 20 + best;
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

    /// How much the best assault is wanted that a battalion and its group could make out of a zone that they come to, with
    /// the help of zones and guns.
    fn assault_from(&self, unit: u8, zone: Cell) -> Option<i32> {
        let (rules, s) = (self.rules, self.s);
        let mut group = s.act.group;
        group.insert(unit);
        let mut mates = group;
        mates.remove(unit);
        let mut best = None;
        for to in rules.around(zone) {
            if rules.holds(s, to, self.side.enemy()) && rules.can_be_assaulted(s, to) {
                let fight = Fight { lead: unit, ..self.with_all_help(zone, to, group) };
                // Others want the guns too.
                let fight = Fight { fire: fight.fire.min(2), ..fight };
                if let Some(found) = self.best_of(&fight, mates) {
                    best = best.max(self.appeal(&found));
                }
            }
        }
        best
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
        let fights = self.plan.enemy(zone) <= 1 && !s.night && self.best_assault(first, zone).is_some();
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
                    && !(other.class.is_artillery() && self.serves(mate, zone))
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
        let mp = s.unit(unit).mp;
        // In a full zone a march can't end (rule 4.1).
        let may_stay = choices.iter().any(|choice| matches!(choice, Choice::Halt | Choice::Face(_)));
        let stay = if may_stay { self.stay_score(unit, here, mp) } else { i32::MIN };
        let mut best = (stay, usize::MAX);
        let column = rules.column(s, s.act.group);
        for (at, &choice) in choices.iter().enumerate() {
            let (zone, road) = match choice {
                Choice::Step(zone) => (zone, false),
                Choice::Road(zone) => (zone, true),
                _ => continue,
            };
            let worth = if rules.has_room(s, zone, column.points) {
                self.stop_score(unit, zone, mp.saturating_sub(1), road)
            } else {
                // Only what lies beyond counts.
                let onward = Octant::ALL.into_iter().filter(|way| {
                    let next = rules.near(zone, *way);
                    next != here
                        && rules.step(s, &column, zone, *way, false, road).is_ok()
                        && rules.has_room(s, next, column.points)
                });
                onward
                    .map(|way| self.stop_score(unit, rules.near(zone, way), mp.saturating_sub(2), road))
                    .max()
                    .unwrap_or(i32::MIN)
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

    /// How good it is for a march to end in a zone that it comes to.
    fn stop_score(&self, unit: u8, zone: Cell, mp: u8, road: bool) -> i32 {
        match (self.rules.troop(unit).is_hq(), road) {
            (true, false) => self.hq_score(unit, zone) - 2,
            (true, true) => self.hq_score(unit, zone) - 3,
            (false, false) => self.zone_score(unit, zone, mp),
            // A column on the road goes far, but it can't fight and is prey for aircraft.
            (false, true) if self.plan.enemy(zone) >= 2 => {
                self.zone_score(unit, zone, 0) + self.road_bonus(zone)
            }
            (false, true) => self.zone_score(unit, zone, 0) - 1000,
        }
    }

    /// A long way yet, and the enemy far: the road is worth it.
    fn road_bonus(&self, zone: Cell) -> i32 {
        if self.plan.enemy(zone) >= 3 { 8 } else { 0 }
    }

    /// How good it is for a march to end where it is; an assault that promises something makes it better.
    fn stay_score(&self, unit: u8, zone: Cell, mp: u8) -> i32 {
        if self.rules.troop(unit).is_hq() {
            return self.hq_score(unit, zone);
        }
        if self.s.act.road {
            return self.zone_score(unit, zone, 0) + self.road_bonus(zone);
        }
        // What drew it here counts as it did on the way.
        let mut score = self.zone_score(unit, zone, if self.s.act.begun { mp } else { 0 });
        if mp > 0
            && self.plan.enemy(zone) <= 1
            && !self.s.night
            && let Some(fight) = self.best_assault(unit, zone)
        {
            score += 40 + 2 * fight.max(0);
        }
        score
    }
}
