//! What a ground combat promises, exactly, with the help that both sides have at hand.

use crate::ids::{Place, Side, UnitId};
use crate::markers::{Marker, Owner};
use crate::rules::Rules;
use crate::state::{Fight, Manner, State, Supply};
use crate::tables::{CombatResult, Weather};

use super::plan::Plan;
use super::weights::Weights;
use super::worth::city_worth;

/// An air unit with more Sorties than this stays at home.
pub(super) const TIRED: u8 = 3;
/// Rolls of two dice.
const ROLLS: i32 = 36;

/// What a combat promises.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Promise {
    /// What it is worth on average, in hundredths.
    pub worth: i32,
    /// The chance that the hex falls, in hundredths.
    pub falls: i32,
    /// The chance that the defender loses a step or more, in hundredths.
    pub hurts: i32,
    /// The chance that nothing happens and the attacker may try again, in hundredths.
    pub again: i32,
}

impl Promise {
    /// The promise of a Mobile attack that is made up to so many times until something happens.
    pub fn tried(self, times: u8) -> Self {
        let (mut share, mut all) = (100, 100);
        for _ in 1..times {
            share = share * self.again / 100;
            all += share;
        }
        let part = |value: i32| (value * all / 100).min(100);
        Self { worth: self.worth * all / 100, falls: part(self.falls), hurts: part(self.hurts), ..self }
    }
}

/// Whoever judges combats.
pub(super) struct Judge<'a> {
    pub rules: &'a Rules,
    pub weights: &'a Weights,
    pub plan: &'a Plan,
}

impl Judge<'_> {
    /// Whether a side has a fresh air unit for a hex.
    pub fn has_air(&self, state: &State, side: Side, hex: Place) -> bool {
        let rules = self.rules;
        if rules.weather_at(state, hex) == Weather::Severe {
            return false;
        }
        let range = rules.world.tables.ranges.support;
        self.plan.wings[side.index()].iter().any(|place| rules.world.distance(*place, hex) <= range)
    }

    /// A combat with the help that both sides have at hand.
    pub fn helped(&self, state: &State, mut fight: Fight) -> Fight {
        let rules = self.rules;
        let (attacker, defender) =
            (rules.side_of(state, fight.primary), rules.side_of(state, fight.defender));
        fight.support = [self.has_air(state, attacker, fight.hex), self.has_air(state, defender, fight.hex)];
        for (side, unit) in [fight.primary, fight.defender].into_iter().enumerate() {
            let owner = Owner::Country(rules.country_of(state, unit));
            if rules.ready(state, Marker::GroundSupport, owner) > 0 {
                fight.markers[side] |= 1 << Marker::GroundSupport.index();
            }
        }
        fight
    }

    /// What a combat promises as it stands.
    pub fn promise(&self, state: &State, fight: &Fight) -> Promise {
        let rules = self.rules;
        let sums = [rules.fight_sum(state, fight, 0), rules.fight_sum(state, fight, 1)];
        let odds = rules.fight_odds(&sums);
        let can_retreat = rules.retreat_hexes(state, fight).next().is_some();
        self.weigh(state, fight, odds, can_retreat)
    }

    fn weigh(&self, state: &State, fight: &Fight, odds: [u32; 6], can_retreat: bool) -> Promise {
        let (rules, weights) = (self.rules, self.weights);
        let reduced = Rules::is_reduced(state, fight.defender);
        let army = self.army_worth(state, fight.defender);
        let step = weights.step.min(army);
        let prize = weights.ground + self.hex_worth(state, fight.hex);
        let fort = rules.has_fort(state, fight.hex);
        // What happens to the defender, and whether its hex falls, for DR, DD and DE.
        let retreat = match (can_retreat, fort, reduced) {
            (true, false, _) => (weights.ground / 2, true),
            (true, true, false) | (false, _, false) => (step, false),
            (true, true, true) => (weights.ground / 2, true),
            (false, _, true) => (army, true),
        };
        let disrupted = match (can_retreat, reduced) {
            (_, true) | (false, false) => (army, true),
            (true, false) => (step, true),
        };
        let mut promise = Promise::default();
        let mut add = |result: CombatResult, gain: i32, falls: bool| {
            let rolls = odds[result as usize] as i32;
            promise.worth += rolls * (gain + if falls { prize } else { 0 });
            promise.falls += if falls { rolls } else { 0 };
            promise.hurts += if gain >= step { rolls } else { 0 };
        };
        add(CombatResult::AttackerAttrition, -self.step_loss(state, fight.primary), false);
        add(CombatResult::AttackerStopped, -weights.ground / 2, false);
        add(CombatResult::DefenderRetreats, retreat.0, retreat.1);
        add(CombatResult::DefenderDisrupted, disrupted.0, disrupted.1);
        add(CombatResult::DefenderEliminated, army, true);
        promise.worth /= ROLLS;
        promise.again = odds[CombatResult::NoEffect as usize] as i32 * 100 / ROLLS;
        promise.falls = promise.falls * 100 / ROLLS;
        promise.hurts = promise.hurts * 100 / ROLLS;
        promise
    }

    /// What the loss of a step costs an attacker.
    fn step_loss(&self, state: &State, unit: UnitId) -> i32 {
        if Rules::is_reduced(state, unit) { self.weights.army } else { self.weights.step }
    }

    /// What an army is worth to its enemy.
    pub fn army_worth(&self, state: &State, unit: UnitId) -> i32 {
        let rules = self.rules;
        let full = self.weights.army * super::worth::power(rules, state, unit) / 4;
        // One that starves is half lost already.
        if state.unit(unit).supply == Supply::No { full / 2 } else { full }
    }

    /// What a hex is worth to the side that does not hold it.
    pub fn hex_worth(&self, state: &State, hex: Place) -> i32 {
        self.rules
            .world
            .city_at(hex)
            .map_or(0, |city| city_worth(self.rules, state, self.weights, self.plan.aims, city))
    }

    /// The Mobile attack of a unit from a hex, with help; the position is changed for a moment.
    pub fn mobile(&self, scratch: &mut State, unit: UnitId, from: Place, hex: Place) -> Option<Promise> {
        let defender = scratch.ground_at(hex)?;
        let home = scratch.unit(unit).place;
        let resident = scratch.ground[home.index()];
        if home != from {
            self.rules.put(scratch, unit, from);
        }
        let fight = Fight { manner: Manner::Mobile, primary: unit, defender, hex, ..Fight::NONE };
        let promise = self.promise(scratch, &self.helped(scratch, fight));
        if home != from {
            self.rules.lift(scratch, unit);
            scratch.unit_mut(unit).place = home;
            scratch.ground[home.index()] = resident;
        }
        Some(promise)
    }
}
