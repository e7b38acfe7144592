//! What an army does with its movement points. Rules 4.2 to 4.4.

use crate::choice::Choice;
use crate::ids::{Country, Place, UnitId};
use crate::rail_net::Ring;
use crate::state::{Activation, State};
use crate::world::Kind;

use super::plan::FAR;
use super::{Course, Desk, position};

/// An enemy this near could come in a turn.
pub(super) const NEAR: i16 = 10;
/// A hex this near to the enemy lies at the front.
const FRONT: i16 = 5;
/// An enemy this near could walk into a city that is left.
const CLOSE: i16 = 3;
/// A side this eager attacks.
const ATTACKS: i32 = 60;
/// A step must be worth this much at least.
const WORTH_A_STEP: i32 = 4;

/// What it costs an army to be a guest in a friend's country.
const ABROAD: i32 = 200;
/// What it is worth to wait where one can go aboard.
const ABOARD: i32 = 300;
/// What it costs to go beyond the border where one stands.
const BEYOND: i32 = 300;

/// The best that a unit can do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deal {
    /// What it is worth, in hundredths.
    pub worth: i32,
    /// The stop that it goes to, in the reach of the unit.
    stop: usize,
    /// The hex that it goes to.
    pub goal: Place,
    /// The hex that it attacks from there, if any.
    pub attack: Place,
}

impl Desk<'_> {
    /// The best that a unit can do with so many points from where it is.
    pub(super) fn best_deal(&mut self, unit: UnitId, points: u8, begun: bool) -> Deal {
        let mut reach = std::mem::take(&mut self.memory.reach);
        let mut scratch = self.memory.scratch.take().unwrap_or_else(|| Box::new(*self.state));
        let start = self.state.unit(unit).place;
        let mut best = Deal { worth: 0, stop: 0, goal: start, attack: Place::NONE };
        if start.is_hex() {
            reach.find(self.rules, self.state, unit, points, begun);
            let quiet = self.is_quiet(start, points);
            if !quiet {
                *scratch = *self.state;
            }
            let must_go = !reach.stops()[0].free;
            if must_go {
                best.worth = i32::MIN;
            }
            let here = self.standing(unit, start) + self.leaving(unit, start);
            for (at, stop) in reach.stops().iter().enumerate() {
                if !stop.free {
                    continue;
                }
                let standing = if at == 0 { here } else { self.standing(unit, stop.hex) };
                let gain = standing - here + self.capture(stop.hex);
                if at != 0 && gain > best.worth {
                    best = Deal { worth: gain, stop: at, goal: stop.hex, attack: Place::NONE };
                }
                if quiet {
                    continue;
                }
                for hex in self.rules.world.hex(stop.hex).near {
                    let Some(worth) = self.attack_from(&mut scratch, unit, stop.hex, hex, stop.left) else {
                        continue;
                    };
                    let worth = worth + gain / 3;
                    if worth > best.worth {
                        best = Deal { worth, stop: at, goal: stop.hex, attack: hex };
                    }
                }
            }
        }
        self.memory.reach = reach;
        self.memory.scratch = Some(scratch);
        best
    }

    /// Whether no enemy is in reach of a unit with so many points.
    fn is_quiet(&self, place: Place, points: u8) -> bool {
        let (plan, world) = (&self.memory.plan, &self.rules.world);
        plan.foe[place.index()] > i16::from(points) + 8
            && plan.garrisons.iter().all(|hex| world.distance(*hex, place) > u32::from(points))
    }

    /// What an attack from a hex is worth, if it can be made and is above the bar.
    fn attack_from(
        &self,
        scratch: &mut State,
        unit: UnitId,
        from: Place,
        hex: Place,
        left: u8,
    ) -> Option<i32> {
        let rules = self.rules;
        if !hex.is_hex() || !rules.has_enemy(self.state, hex, self.side) || rules.has_fort(self.state, hex) {
            return None;
        }
        let cost = rules.attack_cost(self.state, unit, from, hex).filter(|cost| *cost <= left)?;
        let promise = self.judge().mobile(scratch, unit, from, hex)?.tried(left / cost.max(1));
        if promise.worth < self.bar(hex) || !self.is_promising(promise) {
            return None;
        }
        // Points that are left may do more.
        let more = i32::from(left - cost).min(6) * 2;
        Some(promise.worth + self.breakthrough(hex, promise) + more * promise.falls / 100)
    }

    /// What it brings to enter a hex: an enemy city that nobody defends.
    fn capture(&self, hex: Place) -> i32 {
        let stands = self.memory.plan.stands[self.memory.plan.front(hex)];
        if stands && self.state.controller(hex) != self.side && !self.is_invaded(hex) {
            -BEYOND
        } else if self.state.at_war(self.state.controller(hex), self.side) {
            // Those who only stand do not raid far.
            self.judge().hex_worth(self.state, hex) * (30 + self.eagerness(hex) * 70 / 100) / 100
        } else {
            0
        }
    }

    /// Whether a convoy of one's own lies in a hex.
    pub(super) fn has_convoy(&self, hex: Place) -> bool {
        let city = self.rules.world.city_at(hex);
        city.is_some_and(|city| self.state.bases[city.index()][2].some().is_some())
            && self.state.controller(hex) == self.side
    }

    /// The hex that tells which front a unit belongs to: where it stands, so that it does not walk off to another one.
    pub(super) fn base_of(&self, unit: UnitId, hex: Place) -> Place {
        let place = self.state.unit(unit).place;
        let joined = place.is_hex() && self.memory.plan.lure[place.index()] < FAR;
        if joined { place } else { hex }
    }

    /// How eager a side is at the front that a hex belongs to, from 0 to 100.
    pub(super) fn eagerness(&self, hex: Place) -> i32 {
        self.memory.plan.eager[self.memory.plan.front(hex)]
    }

    /// What it is worth to stand in a hex.
    pub(super) fn standing(&self, unit: UnitId, hex: Place) -> i32 {
        let (plan, weights, rules) = (&self.memory.plan, self.weights, self.rules);
        let at = hex.index();
        let eager = self.eagerness(self.base_of(unit, hex));
        let lure = if plan.lure[at] < FAR {
            -weights.pull * i32::from(plan.lure[at])
        } else {
            // No enemy on this side of the sea: to a port with a convoy.
            -weights.pull * if self.has_convoy(hex) { 45 } else { 60 }
        };
        let (foe, shield) = (plan.foe[at], plan.shield[at]);
        let mut block = 0;
        if foe < FAR && shield < FAR {
            // In a long war a gap in the line is paid for month after month.
            let bars = if plan.aims.is_short() { 100 } else { weights.long_block };
            block = -(weights.block * bars / 100) * i32::from((foe + shield).min(80))
                - i32::from(foe.clamp(2, 30)) * 2;
        }
        let info = rules.world.hex(hex);
        if info.terrain.is_rough() || rules.has_city(hex) {
            block += 12;
        }
        let (mut friends, mut enemies, mut wide) = (0, 0, 0);
        for near in info.near.into_iter().filter(|near| near.is_hex()) {
            if let Some(other) = self.state.ground_at(near).filter(|other| *other != unit) {
                if rules.side_of(self.state, other) == self.side {
                    friends += 1;
                } else {
                    enemies += 1;
                }
            }
        }
        if foe <= FRONT {
            for (near, _) in Ring::of(hex).second() {
                if let Some(other) = self.state.ground_at(*near).filter(|other| *other != unit) {
                    wide += i32::from(rules.side_of(self.state, other) == self.side);
                }
            }
        }
        // A spearhead needs neighbours: alone it is cut off from supply.
        let company = if foe <= FRONT {
            (friends + wide / 2).min(2) * weights.company - if friends == 0 { enemies * 8 } else { 0 }
        } else {
            0
        };
        // Zones of control two hexes apart leave no way through.
        block += (friends + wide).min(2) * weights.line;
        block -= if foe <= NEAR * 2 { friends * 6 } else { 0 };
        let exposed = enemies * if Self::is_worn(self.state, unit) { 14 } else { 5 };
        let hungry = i32::from(plan.supply[at].saturating_sub(2).min(10)) * weights.supply;
        let guard = if foe <= NEAR + 4 && self.state.controller(hex) == self.side {
            self.judge().hex_worth(self.state, hex) * weights.garrison / 800
        } else {
            0
        };
        // Who is to join an Assault next month stands next to the enemy now.
        let contact = enemies.min(2) * weights.contact;
        let home = if friends + wide == 0 { self.cover(unit, hex) } else { 0 } - self.abroad(unit, hex);
        let gap = plan.gap(hex) + home + self.aboard(unit, hex);
        gap + ((lure + company + contact) * eager + (block + guard) * (100 - eager)) / 100
            - exposed * (120 - eager) / 100
            - hungry
    }

    /// What it is worth to wait in a port with ships for a landing that is planned.
    fn aboard(&self, unit: UnitId, hex: Place) -> i32 {
        let waits = self.memory.plan.embarks
            && self.rules.kind(unit) == Kind::Infantry
            && self.can_go_aboard(unit, hex);
        if waits { ABOARD } else { 0 }
    }

    /// What it costs to stand idle in the country of a friend: only the armies of leading powers live there.
    pub(super) fn abroad(&self, unit: UnitId, hex: Place) -> i32 {
        let (rules, state) = (self.rules, self.state);
        let (country, owner) = (rules.country_of(state, unit), rules.owner(state, hex));
        let leads = matches!(country, Country::GER | Country::UK | Country::USA | Country::USSR);
        let is_guest = owner != country && owner != Country::NONE && self.is_invaded(hex);
        if is_guest && !leads { ABROAD } else { 0 }
    }

    /// What it is worth to stand in a city into which an enemy could march, for an army on foot; at home for all.
    fn cover(&self, unit: UnitId, hex: Place) -> i32 {
        let rules = self.rules;
        let is_home = rules.owner(self.state, hex) == rules.country_of(self.state, unit);
        let is_open = self.memory.plan.raids.reach(hex)
            && self.state.controller(hex) == self.side
            && rules.has_city(hex)
            && (is_home || !rules.kind(unit).is_mobile());
        // Who attacks keeps the enemy busy; but a capital is never left open.
        let is_capital = rules.world.city_at(hex).is_some_and(|city| rules.world.city(city).capital);
        let eager = if is_capital { 0 } else { self.eagerness(self.base_of(unit, hex)) };
        let share = self.weights.garrison * (150 - eager) / 150;
        if is_open { self.judge().hex_worth(self.state, hex) * share / 400 } else { 0 }
    }

    fn is_worn(state: &State, unit: UnitId) -> bool {
        state.unit(unit).level > 0 || state.unit(unit).supply != crate::state::Supply::Full
    }

    /// What it costs to leave a hex: a city that an enemy could take, with no friend next to it.
    fn leaving(&self, unit: UnitId, hex: Place) -> i32 {
        let rules = self.rules;
        if self.state.controller(hex) != self.side || !rules.has_city(hex) {
            return 0;
        }
        let foe = self.memory.plan.foe[hex.index()];
        let by_sea = rules.world.hex(hex).is_coastal() && self.is_landing_feared(hex);
        if foe > NEAR + 4 && !by_sea {
            return 0;
        }
        // Behind an army that attacks others see to it.
        let decides = rules.world.city_at(hex).is_some_and(|city| self.memory.plan.is_objective(city));
        let attacks = self.eagerness(hex) >= ATTACKS && !by_sea && !decides;
        let is_home = self.is_threatened(hex)
            && (rules.owner(self.state, hex) == rules.country_of(self.state, unit)
                || !rules.kind(unit).is_mobile())
            && !self.is_followed(unit, hex);
        if attacks && !is_home && (foe > CLOSE || self.is_followed(unit, hex)) {
            return 0;
        }
        let has_friend = rules.world.hex(hex).near.into_iter().filter(|near| near.is_hex()).any(|near| {
            self.state
                .ground_at(near)
                .is_some_and(|other| other != unit && rules.side_of(self.state, other) == self.side)
        });
        let worth = self.judge().hex_worth(self.state, hex) * self.weights.garrison / 150;
        // An attacker can't guard everything, and tanks are no garrisons; but what decides the war is kept.
        let worth = if decides { worth } else { worth * (160 - self.eagerness(hex)) / 160 };
        let is_mobile = matches!(rules.kind(unit), Kind::Tank | Kind::Motorised);
        let worth = if is_mobile && !decides { worth / 2 } else { worth };
        if has_friend {
            worth / 4
        } else if by_sea && decides {
            worth * 3 / 2
        } else if by_sea && foe > NEAR + 4 {
            worth / 2
        } else {
            worth
        }
    }

    /// Whether an enemy could march into a hex if nobody stood there.
    fn is_threatened(&self, hex: Place) -> bool {
        let near = self.rules.world.hex(hex).near.into_iter().filter(|near| near.is_hex());
        let raids = &self.memory.plan.raids;
        raids.reach(hex) || near.into_iter().any(|near| raids.reach(near))
    }

    /// Whether a friend stands two hexes from a hex.
    fn is_followed(&self, unit: UnitId, hex: Place) -> bool {
        Ring::of(hex).second().iter().any(|(near, _)| {
            let other = self.state.ground_at(*near).filter(|other| *other != unit);
            other.is_some_and(|other| self.rules.side_of(self.state, other) == self.side)
        })
    }

    /// The next step, attack, or stop of the activated unit.
    pub(super) fn activation(&mut self, choices: &[Choice]) -> usize {
        let Activation { unit, points, begun } = self.state.activation;
        let place = self.state.unit(unit).place;
        if !place.is_hex() {
            return self.leave_box(choices);
        }
        if let Some(pick) = self.follow_course(unit, place, choices) {
            return pick;
        }
        let deal = self.best_deal(unit, points, begun);
        let is_passing = self.state.ground[place.index()] != unit;
        self.memory.course =
            Course { unit, at: place, goal: deal.goal, attack: deal.attack, ..Course::default() };
        if deal.worth < WORTH_A_STEP && !is_passing {
            self.memory.course.attack = Place::NONE;
            return position(choices, Choice::Stop);
        }
        (self.memory.course.steps, self.memory.course.left) = self.memory.reach.steps(deal.stop);
        self.follow_course(unit, place, choices).unwrap_or_else(|| position(choices, Choice::Stop))
    }

    /// The next step of the way that was chosen, or the attack at its end; none if there is no such way any more.
    fn follow_course(&mut self, unit: UnitId, place: Place, choices: &[Choice]) -> Option<usize> {
        let course = &mut self.memory.course;
        if course.unit != unit || course.at != place {
            return None;
        }
        let wanted = if course.left > 0 {
            course.left -= 1;
            course.at = course.steps[course.left];
            Choice::Step(course.at)
        } else {
            // Once: after the attack everything is looked at again.
            course.at = Place::NONE;
            Choice::Attack(course.attack)
        };
        choices.iter().position(|choice| *choice == wanted)
    }

    /// Out of the Central Russia Box: to where the enemy is nearest.
    fn leave_box(&self, choices: &[Choice]) -> usize {
        self.best(choices, |choice| match choice {
            Choice::Step(hex) if hex.is_hex() => 100 - i32::from(self.memory.plan.foe[hex.index()]).min(90),
            _ => 0,
        })
    }

    /// Advance after a won attack, or not.
    pub(super) fn advance(&mut self, choices: &[Choice]) -> usize {
        let fight = self.state.fight;
        let (unit, hex) = (fight.primary, fight.hex);
        let from = self.state.unit(unit).place;
        let gain = self.capture(hex) + self.standing(unit, hex)
            - self.standing(unit, from)
            - self.leaving(unit, from);
        // A hex that was fought for is kept.
        let wanted = if gain + self.weights.ground > 0 { Choice::Advance } else { Choice::Stay };
        position(choices, wanted)
    }

    /// Who advances after an Assault, or nobody.
    pub(super) fn forward(&self, choices: &[Choice]) -> usize {
        let hex = self.state.fight.hex;
        self.best(choices, |choice| match choice {
            Choice::Forward(unit) => {
                let from = self.state.unit(unit).place;
                let level = i32::from(self.state.unit(unit).level);
                self.capture(hex) + self.standing(unit, hex)
                    - self.standing(unit, from)
                    - self.leaving(unit, from)
                    + self.weights.ground
                    - level * 10
            }
            _ => 0,
        })
    }
}
