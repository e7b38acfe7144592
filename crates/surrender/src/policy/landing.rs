//! Amphibious Invasions: whether, and where. Rule 6.4.

use crate::choice::Choice;
use crate::ids::{Place, Side, UnitId};
use crate::state::{Fight, Manner, note};
use crate::world::{Kind, Slot};

use super::odds::TIRED;
use super::{Desk, activation::NEAR};

/// A landing must promise so much.
const LANDING_BAR: i32 = 90;
/// A landing against a defender comes so much before others.
const OPPOSED: i32 = 300;
/// If it succeeds so often, in hundredths.
const GOOD_ODDS: i32 = 48;

/// From one's own cities to a place, if armies can march there.
const BY_ROAD: i16 = 22;

impl Desk<'_> {
    /// What a landing of a unit in a hex promises.
    pub(super) fn landing_worth(&self, unit: UnitId, hex: Place) -> i32 {
        let state = self.state;
        let judge = self.judge();
        if !self.lands_in(hex) || self.is_by_road_in_weser(hex) {
            return 0;
        }
        let mut worth = self.port_worth(hex);
        let foe = self.memory.plan.foe[hex.index()];
        if let Some(defender) = state.ground_at(hex) {
            let fight = Fight { manner: Manner::Landing, primary: unit, defender, hex, ..Fight::NONE };
            let mut fight = judge.helped(state, fight);
            fight.naval_support = self.has_warship_near(hex, state.unit(unit).place);
            let promise = judge.promise(state, &fight);
            worth = worth * promise.falls / 100 + promise.worth - 30;
            // What may have to be tried again comes first.
            worth += if promise.falls >= GOOD_ODDS { OPPOSED } else { 0 };
        } else {
            worth += judge.hex_worth(state, hex);
            // An enemy next to the beach will push it back.
            worth -= if foe <= 2 { 30 } else { 0 };
        }
        // The few landings of the Axis are for places to which no road leads, and those of Weser Exercise for places that are
        // out of reach without it.
        if self.is_left_for_later(hex) {
            worth /= 3;
        }
        worth + self.friends_near(hex) * 12
    }

    /// The three landings of Weser Exercise are for Norway: in a long war there is time to march to Denmark.
    fn is_by_road_in_weser(&self, hex: Place) -> bool {
        let plan = &self.memory.plan;
        self.state.noted(note::WESER) && !plan.aims.is_short() && plan.shield[hex.index()] < BY_ROAD
    }

    /// Whether a road leads to a hex, or it can be landed at in any month, while Weser Exercise opens others.
    fn is_left_for_later(&self, hex: Place) -> bool {
        if !self.state.noted(note::WESER) {
            return self.side == Side::Axis && self.memory.plan.shield[hex.index()] < BY_ROAD;
        }
        let ports =
            self.rules.world.cities.iter().filter(|city| self.state.controller(city.hex) == self.side);
        let home = ports.fold(0, |set, city| set | self.rules.world.waters(city.hex));
        (self.rules.world.hex(hex).zones | self.rules.world.waters(hex)) & home != 0
    }

    /// A port in the hex, or one next to it that is empty, makes a landing last.
    fn port_worth(&self, hex: Place) -> i32 {
        let (rules, state) = (self.rules, self.state);
        let is_port =
            |hex: Place| rules.world.city_at(hex).is_some_and(|city| rules.world.city(city).is_port());
        if is_port(hex) {
            return 70;
        }
        let next = rules.world.hex(hex).near.into_iter().filter(|near| near.is_hex());
        let open = next.filter(|near| is_port(*near) && state.ground_at(*near).is_none()).count();
        if open > 0 { 30 } else { -40 }
    }

    fn friends_near(&self, hex: Place) -> i32 {
        let (rules, state) = (self.rules, self.state);
        let next = rules.world.hex(hex).near.into_iter().filter(|near| near.is_hex());
        next.filter(|near| state.ground_at(*near).is_some_and(|unit| rules.side_of(state, unit) == self.side))
            .count() as i32
    }

    fn has_warship_near(&self, hex: Place, from: Place) -> bool {
        let (rules, state) = (self.rules, self.state);
        let zones = rules.world.hex(hex).zones | rules.world.waters(from);
        rules.world.wings.iter().any(|unit| {
            let place = state.unit(*unit).place;
            place.is_hex()
                && rules.kind(*unit).is_warship()
                && rules.side_of(state, *unit) == self.side
                && rules.is_fit(state, *unit)
                && state.unit(*unit).level <= TIRED
                && rules.world.waters(place) & zones != 0
        })
    }

    /// The landing that comes first, as an index into the choices: one against a defender before others, for it may have to
    /// be tried again.
    pub(super) fn best_landing(&mut self, choices: &[Choice]) -> Option<usize> {
        if self.landing_countries() == 0 {
            return None;
        }
        let mut best = None;
        for (at, choice) in choices.iter().enumerate() {
            let Choice::Invade(unit) = *choice else { continue };
            let Some(worth) = self.best_beach(unit) else { continue };
            if best.is_none_or(|(known, _)| worth > known) {
                best = Some((worth, at));
            }
        }
        best.map(|(_, at)| at)
    }

    /// What the best landing of a unit is worth: it has nothing to face where it is, and there is a beach that pays.
    fn best_beach(&mut self, unit: UnitId) -> Option<i32> {
        if self.memory.plan.is_dismissed(unit) {
            return None;
        }
        let (rules, state) = (self.rules, self.state);
        let mut best = i32::MIN;
        if !self.is_at_the_front(state.unit(unit).place)
            && state.unit(unit).level == 0
            && !self.holds_an_aim(unit)
        {
            rules.carriers_of(state, unit, |ship| {
                rules.beaches(state, ship, unit, |hex, _| {
                    best = best.max(self.landing_worth(unit, hex));
                    false
                });
                false
            });
        }
        if best >= LANDING_BAR {
            return Some(best);
        }
        self.dismiss(unit);
        None
    }

    /// Whether ships lie in a hex that could take an army of the leading power from its own port to Norway: during Weser Exercise
    /// surface units carry armies too (14.0).
    pub(super) fn can_go_aboard(&self, unit: UnitId, hex: Place) -> bool {
        let (rules, state) = (self.rules, self.state);
        let country = rules.country_of(state, unit);
        let at_home = rules.leading_power(state, self.faction) == Some(country)
            && rules.owner(state, hex) == country
            && state.controller(hex) == self.side;
        let has_warship = || {
            let city = rules.world.city_at(hex);
            let ship = city.and_then(|city| state.bases[city.index()][Slot::Warship as usize].some());
            ship.is_some_and(|ship| rules.kind(ship) == Kind::Surface)
        };
        at_home && (self.has_convoy(hex) || has_warship())
    }

    /// Whether an army has an enemy to face in a place: it does not go aboard there. Weser Exercise comes once, and is worth an
    /// army that only stands behind a front.
    pub(super) fn is_at_the_front(&self, place: Place) -> bool {
        let plan = &self.memory.plan;
        let is_planned = plan.embarks || self.state.noted(note::WESER);
        let near = if is_planned { NEAR / 2 } else { NEAR * 2 };
        place.is_hex() && plan.foe[place.index()] <= near
    }

    /// Whether a unit holds a city that the victory table asks for, away from home.
    pub(super) fn holds_an_aim(&self, unit: UnitId) -> bool {
        let (rules, state) = (self.rules, self.state);
        let place = state.unit(unit).place;
        rules.world.city_at(place).is_some_and(|city| {
            self.memory.plan.is_objective(city) && rules.owner(state, place) != rules.country_of(state, unit)
        })
    }

    /// The best beach.
    pub(super) fn beach(&self, choices: &[Choice]) -> usize {
        let unit = self.state.mission.passenger;
        self.best(choices, |choice| match choice {
            Choice::At(hex) => self.landing_worth(unit, hex),
            _ => i32::MIN,
        })
    }
}
