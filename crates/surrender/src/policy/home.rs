//! Rail, supply, replacements, new units. Rules 4.8, 7, 8.

use crate::choice::Choice;
use crate::ids::{Place, Side, UnitId};
use crate::state::Supply;
use crate::supply::Net;
use crate::world::{Avail, Kind};

use super::Desk;
use super::plan::{EAST, FAR, is_busy_in_france};

/// An army farther from the enemy than this takes the train.
const BEHIND: i16 = 16;
/// One that watches a rival before the war, farther than this.
const BEHIND_IN_PEACE: i16 = 8;
/// Hexes within which a port serves hungry units.
const SERVED: u32 = 8;
/// What the need of a front counts at most.
const MOST_NEED: i32 = 80;
/// What it costs to refit ships and aircraft, at least.
const REFIT: i16 = 3;

impl Desk<'_> {
    // --- rail -------------------------------------------------------------------------------------------------------

    /// How far from the enemy a unit is for the train: armies by way, aircraft too.
    fn behind(&self, unit: UnitId) -> i16 {
        let place = self.state.unit(unit).place;
        if !place.is_hex() {
            return FAR;
        }
        self.memory.plan.foe[place.index()]
    }

    /// Who takes the train: whoever is farthest behind and would stand better somewhere along the lines.
    pub(super) fn rail(&mut self, choices: &[Choice]) -> usize {
        loop {
            let pick = self.best(choices, |choice| match choice {
                Choice::Rail(unit) => self.rail_worth(unit),
                _ => 0,
            });
            let Choice::Rail(unit) = choices[pick] else { return pick };
            if self.has_better_stop(unit) {
                return pick;
            }
            self.dismiss(unit);
        }
    }

    /// How far from the enemy the train is worth while.
    fn far_enough(&self) -> i16 {
        let rival = self.weights.rival(self.faction, self.state.turn);
        let waits = rival.is_some_and(|rival| !self.state.at_war(rival, self.side));
        // Who only expects an attack keeps its depth.
        let gathers = waits && !self.memory.plan.stands[EAST] && !is_busy_in_france(self.state, self.side);
        if gathers { BEHIND_IN_PEACE } else { BEHIND }
    }

    /// How much a unit wants to take the train; below 0 if it stays.
    fn rail_worth(&self, unit: UnitId) -> i32 {
        let (kind, behind) = (self.rules.kind(unit), self.behind(unit));
        let stays = kind == Kind::Garrison
            || behind <= self.far_enough()
            || behind >= FAR && self.state.unit(unit).place.is_hex()
            || kind == Kind::Bomber && self.side == Side::Western
            || self.memory.plan.is_dismissed(unit)
            || self.is_last_guard(unit)
            || self.waits_for_landing(unit);
        if stays { -1 } else { i32::from(behind.min(90)) + i32::from(kind.is_mobile()) * 5 }
    }

    /// An army in a port with a convoy stays while there are landings to be made.
    fn waits_for_landing(&self, unit: UnitId) -> bool {
        let place = self.state.unit(unit).place;
        place.is_hex()
            && self.rules.kind(unit).is_field()
            && self.landing_countries() != 0
            && self.has_convoy(place)
    }

    /// An army in a city that could be landed at, with nobody else about, stays.
    fn is_last_guard(&self, unit: UnitId) -> bool {
        let place = self.state.unit(unit).place;
        place.is_hex()
            && self.rules.kind(unit).is_field()
            && self.rules.has_city(place)
            && self.rules.world.hex(place).is_coastal()
            && self.is_landing_feared(place)
    }

    /// Whether somewhere along the lines a unit would stand better.
    fn has_better_stop(&self, unit: UnitId) -> bool {
        let mut stops = Vec::new();
        self.rules.list_rail_ends(self.state, unit, &mut stops);
        let here = self.stop_worth(unit, self.state.unit(unit).place);
        stops
            .iter()
            .any(|choice| matches!(choice, Choice::To(place) if self.stop_worth(unit, *place) > here + 40))
    }

    fn stop_worth(&self, unit: UnitId, place: Place) -> i32 {
        if !place.is_hex() {
            return -500;
        }
        let foe = self.memory.plan.foe[place.index()];
        if self.rules.kind(unit).is_air() {
            let near = if foe <= 3 { 60 } else { 0 };
            return -i32::from(foe.min(120)) * 4 - near;
        }
        // A hex behind the front, not in it: from there it marches.
        let far = i32::from(foe.min(150)) * 5;
        let near = if foe <= 2 { 25 } else { 0 };
        let guest = self.abroad(unit, place) * 10;
        self.standing(unit, place) + self.need(place) - far - near - guest
    }

    /// How much more strength the front of a hex needs: twice the enemy's where it attacks, as much where it stands.
    fn need(&self, place: Place) -> i32 {
        let plan = &self.memory.plan;
        let front = plan.front(place);
        (100 + plan.eager[front] - plan.balance[front]).clamp(-MOST_NEED, MOST_NEED)
    }

    /// Where it gets off.
    pub(super) fn rail_to(&self, unit: UnitId, choices: &[Choice]) -> usize {
        self.best(choices, |choice| match choice {
            Choice::To(place) => self.stop_worth(unit, place),
            _ => i32::MIN,
        })
    }

    // --- supply -----------------------------------------------------------------------------------------------------

    /// Every convoy that can feed somebody does, unless it is worn out.
    pub(super) fn link(&self, choices: &[Choice]) -> usize {
        self.best(choices, |choice| match choice {
            Choice::Link(convoy) => 50 - i32::from(self.state.unit(convoy).level) * 10,
            _ => 5,
        })
    }

    /// The other end: where most wait that can't live without.
    pub(super) fn link_to(&self, choices: &[Choice]) -> usize {
        let net = Net::new(self.rules, self.state, self.side);
        let hungry: Vec<_> = UnitId::all().filter_map(|unit| self.hunger(&net, unit)).collect();
        self.best(choices, |choice| match choice {
            Choice::To(place) if place.is_hex() => {
                let near = hungry.iter().filter(|(at, _)| self.rules.world.distance(*at, place) <= SERVED);
                near.map(|(_, need)| need).sum()
            }
            Choice::To(_) => 1,
            _ => i32::MIN,
        })
    }

    /// Where a unit is that has no way to supply over land, and how much it needs it: armies in the field most, garrisons live
    /// on their stores.
    fn hunger(&self, net: &Net<'_>, unit: UnitId) -> Option<(Place, i32)> {
        let (rules, state) = (self.rules, self.state);
        let entry = state.unit(unit);
        if !entry.place.is_hex() || rules.side_of(state, unit) != self.side || net.is_full(state, unit) {
            return None;
        }
        let kind = rules.kind(unit);
        let at_the_front = self.memory.plan.foe[entry.place.index()] <= BEHIND;
        let need = match kind {
            Kind::Garrison => 1,
            _ if kind.is_ground() => 8 + 4 * entry.supply as i32 + if at_the_front { 6 } else { 0 },
            _ => 3 + entry.supply as i32,
        };
        Some((entry.place, need))
    }

    /// Who is fed where not all can be: the strongest at the front.
    pub(super) fn feed(&self, choices: &[Choice]) -> usize {
        self.best(choices, |choice| match choice {
            Choice::Feed(unit) => {
                let hungry = i32::from(self.state.unit(unit).supply != Supply::Full) * 3;
                1 + super::worth::power(self.rules, self.state, unit) + hungry
            }
            _ => 0,
        })
    }

    // --- replacements and mobilization ------------------------------------------------------------------------------

    /// Armies first, the strong ones and those near the enemy before others; then aircraft and ships that are worn out.
    pub(super) fn replace(&self, choices: &[Choice]) -> usize {
        self.best(choices, |choice| match choice {
            Choice::Replace(unit) => {
                let kind = self.rules.kind(unit);
                let entry = self.state.unit(unit);
                let points = self.state.country(self.rules.country_of(self.state, unit)).points;
                if kind.is_ground() {
                    let near = entry.place.is_hex() && self.memory.plan.foe[entry.place.index()] <= BEHIND;
                    return 60
                        + if near { 40 } else { 0 }
                        + super::worth::power(self.rules, self.state, unit);
                }
                // What new armies and diplomacy do not take would be lost.
                let spare = points >= self.spoken_for(unit) + REFIT;
                if spare && entry.level >= 3 { 20 + i32::from(entry.level) * 3 } else { -1 }
            }
            _ => 0,
        })
    }

    /// What new units in a unit's country will cost, and what its faction wants for diplomacy.
    fn spoken_for(&self, unit: UnitId) -> i16 {
        let (rules, state) = (self.rules, self.state);
        let country = rules.country_of(state, unit);
        let waiting = UnitId::all().filter(|other| {
            state.unit(*other).place == Place::POOL
                && rules.kind(*other).is_field()
                && rules.country_of(state, *other) == country
        });
        let armies: i16 = waiting.map(|other| 1 + i16::from(rules.kind(other).is_mobile())).sum();
        armies + if self.keeps_for_talks(country) { rules.world.tables.production.draw } else { 0 }
    }

    /// New units: armies, then aircraft and ships if there are points for them. A Surprise Attack when the points would be lost.
    pub(super) fn mobilize(&self, choices: &[Choice]) -> usize {
        let leads = self.rules.leading_power(self.state, self.faction);
        let keeps = leads.filter(|country| self.keeps_for_talks(*country));
        let draw = self.rules.world.tables.production.draw;
        self.best(choices, |choice| match choice {
            Choice::Mobilize(unit) => {
                let rules = self.rules;
                let country = rules.country_of(self.state, unit);
                let points = self.state.country(country).points;
                let left = points - rules.mobilization_cost(unit);
                if left < draw && keeps == Some(country) {
                    return -1;
                }
                match rules.kind(unit) {
                    Kind::Tank => 70,
                    Kind::Shock | Kind::Motorised => 65,
                    Kind::Infantry | Kind::Airborne => 60,
                    Kind::Garrison => 25,
                    Kind::Fighter => 45,
                    Kind::Convoy => 40,
                    Kind::Bomber if points >= 6 => 30,
                    Kind::Surface | Kind::Carrier if points >= 12 => 20,
                    _ => -1,
                }
            }
            Choice::Wall(hex) => 10 + i32::from(self.is_landing_feared(hex)) * 10,
            Choice::Order => 15,
            _ => 0,
        })
    }

    /// Where a new unit arrives.
    pub(super) fn place_new(&self, unit: UnitId, choices: &[Choice]) -> usize {
        let (rules, kind) = (self.rules, self.rules.kind(unit));
        self.best(choices, |choice| {
            let Choice::To(place) = choice else { return i32::MIN };
            if !place.is_hex() {
                // A box is a long way from everything, but nothing is lost there.
                return if kind == Kind::Convoy { -60 } else { -300 };
            }
            let foe = self.memory.plan.foe[place.index()];
            if kind.is_naval() {
                let army = i32::from(self.state.ground_at(place).is_some()) * 5;
                return army - if foe <= 8 { 30 } else { 0 };
            }
            if kind.is_air() {
                return -i32::from(foe.min(120)) - if foe <= 3 { 60 } else { 0 };
            }
            let threatened = foe <= 14;
            let worth = self.judge().hex_worth(self.state, place) / if threatened { 6 } else { 20 };
            if kind == Kind::Garrison {
                let feared = rules.world.hex(place).is_coastal() && self.is_landing_feared(place);
                return worth + i32::from(feared) * 60 - i32::from(foe.min(60));
            }
            // An army overseas wants a port with a convoy.
            let convoy = rules
                .world
                .city_at(place)
                .is_some_and(|city| self.state.bases[city.index()][2].some().is_some() && foe >= FAR);
            let late = i32::from(matches!(rules.info(unit).avail, Avail::Turn(_)));
            worth + i32::from(convoy) * 40 + late - i32::from(foe.min(100)) * 3
                + if foe <= 2 { -20 } else { 0 }
        })
    }
}
