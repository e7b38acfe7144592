//! Ships and aircraft: bases, strikes, bombing, escorts, interception, transport. Rules 4.5 to 4.7, 6.6 to 6.9.

use crate::choice::Choice;
use crate::ids::{Country, Place, Side, UnitId};
use crate::state::{Duel, Errand, Occasion, Supply, flag};
use crate::tables::CombatResult;
use crate::world::Kind;

use super::odds::TIRED;
use super::plan::FAR;
use super::{Desk, position};

/// Air Support reaches so far; aircraft want the front within this cost.
const AT_THE_FRONT: i16 = 5;
/// And not nearer than this.
const TOO_NEAR: i16 = 1;
/// An army that an enemy can't reach for this cost may be carried elsewhere.
const FAR_FROM_IT: i16 = 30;
/// Hexes within which a port serves hungry units.
const SERVED: u32 = 8;
/// Landings are feared so many turns before they are planned.
const FEARED_EARLY: u8 = 2;
/// What it costs a ship to lie where it has no supply.
const NO_STORES: i32 = 15;

impl Desk<'_> {
    pub(super) fn dismiss(&mut self, unit: UnitId) -> bool {
        self.memory.plan.dismissed[unit.index() / 64] |= 1 << (unit.index() % 64);
        false
    }

    // --- aircraft ---------------------------------------------------------------------------------------------------

    /// How good a base is: near enough to the front, not in its path.
    fn base_worth(&self, unit: UnitId, place: Place) -> i32 {
        if !place.is_hex() {
            return -200;
        }
        let foe = self.memory.plan.foe[place.index()];
        let distance = if foe >= FAR { 45 } else { foe };
        let danger = if distance <= TOO_NEAR && self.state.ground_at(place).is_none() { 60 } else { 0 };
        let far = i32::from((distance - AT_THE_FRONT).max(0)).min(60);
        // Bombers of the West stay where they can bomb.
        let bombing = self.side == Side::Western && self.rules.kind(unit) == Kind::Bomber;
        if bombing { -danger - far / 8 } else { -danger - far * 3 }
    }

    /// Whether an air unit should fly to another base.
    pub(super) fn wants_base(&mut self, unit: UnitId) -> bool {
        if self.memory.plan.is_dismissed(unit) {
            return false;
        }
        let here = self.base_worth(unit, self.state.unit(unit).place);
        let mut best = i32::MIN;
        let (rules, state) = (self.rules, self.state);
        if here < -6 {
            rules.rebases(state, unit, |place| {
                best = best.max(self.base_worth(unit, place));
                false
            });
        }
        if best > here.saturating_add(8) { true } else { self.dismiss(unit) }
    }

    /// The best base.
    pub(super) fn base(&self, unit: UnitId, choices: &[Choice]) -> usize {
        self.best(choices, |choice| match choice {
            Choice::To(place) => self.base_worth(unit, place),
            _ => i32::MIN,
        })
    }

    /// What an air or naval combat promises, in Sorties: what the defender adds less what the attacker adds.
    fn duel_promise(&self, duel: &Duel) -> (i32, i32) {
        let sums = [self.rules.duel_sum(self.state, duel, 0), self.rules.duel_sum(self.state, duel, 1)];
        let odds = self.rules.fight_odds(&sums);
        let (mut balance, mut wins) = (0, 0);
        for (_, result, sorties) in CombatResult::ALL {
            let rolls = odds[result as usize] as i32;
            let loser = i32::from(sorties);
            balance += match result {
                CombatResult::NoEffect => 0,
                _ if result.is_success() => rolls * (loser - 1),
                _ => -rolls * (loser - 1),
            };
            wins += if result.is_success() { rolls } else { 0 };
        }
        (balance * 100 / 36, wins * 100 / 36)
    }

    fn strike_worth(&self, unit: UnitId, target: UnitId) -> i32 {
        let hex = self.state.unit(target).place;
        let duel = Duel { occasion: Occasion::Strike, units: [unit, target], hex, ..Duel::NONE };
        let (balance, _) = self.duel_promise(&duel);
        let dear = matches!(self.rules.kind(target), Kind::Fighter | Kind::Carrier | Kind::Bomber);
        balance + if dear { 20 } else { 0 } + i32::from(self.state.unit(target).level) * 8
    }

    /// A fresh air unit that has nothing else to do strikes where it pays.
    pub(super) fn wants_strike(&mut self, unit: UnitId) -> bool {
        if self.state.unit(unit).level > 1 {
            return false;
        }
        let (rules, state) = (self.rules, self.state);
        let mut best = i32::MIN;
        rules.strikes(state, unit, |target| {
            best = best.max(self.strike_worth(unit, target));
            false
        });
        best > 60
    }

    /// What an Air Strike hits.
    pub(super) fn strike(&self, unit: UnitId, choices: &[Choice]) -> usize {
        self.best(choices, |choice| match choice {
            Choice::Against(target) => self.strike_worth(unit, target),
            _ => i32::MIN,
        })
    }

    /// Only German Factories are worth a Bombing Run: Bombed markers count nowhere else (6.7).
    pub(super) fn wants_bombing(&self, unit: UnitId) -> bool {
        let state = self.state;
        if self.side == Side::Axis || state.unit(unit).level > TIRED {
            return false;
        }
        self.rules.bombings(state, unit, |hex| self.is_german(hex))
    }

    fn is_german(&self, hex: Place) -> bool {
        self.rules.owner(self.state, hex) == Country::GER
    }

    /// The German Factory with the fewest fighters about.
    pub(super) fn bomb(&self, choices: &[Choice]) -> usize {
        let range = self.rules.world.tables.ranges.intercept_air;
        self.best(choices, |choice| match choice {
            Choice::At(hex) => {
                let fighters = self.rules.world.wings.iter().filter(|unit| {
                    let place = self.state.unit(**unit).place;
                    self.rules.kind(**unit) == Kind::Fighter
                        && place.is_hex()
                        && self.state.at_war(self.rules.side_of(self.state, **unit), self.side)
                        && self.rules.is_fit(self.state, **unit)
                        && self.rules.world.distance(place, hex) <= range
                });
                i32::from(self.is_german(hex)) * 100 - fighters.count() as i32 * 10
            }
            _ => i32::MIN,
        })
    }

    // --- ships ------------------------------------------------------------------------------------------------------

    /// How many of a side's units near a place need supply by sea.
    fn hungry_near(&self, place: Place) -> i32 {
        if !place.is_hex() {
            return 0;
        }
        let (rules, state) = (self.rules, self.state);
        UnitId::all()
            .filter(|unit| {
                let entry = state.unit(*unit);
                entry.place.is_hex()
                    && (entry.supply != Supply::Full || entry.has(flag::ASHORE))
                    && rules.kind(*unit).is_ground()
                    && rules.side_of(state, *unit) == self.side
                    && rules.world.distance(entry.place, place) <= SERVED
            })
            .count() as i32
    }

    /// How good a port is for a ship.
    fn harbour_worth(&self, unit: UnitId, place: Place) -> i32 {
        let (rules, state) = (self.rules, self.state);
        if !place.is_hex() {
            return -20;
        }
        let unsafe_port = state.ground_at(place).is_none() && self.memory.plan.foe[place.index()] <= 8;
        let danger = if unsafe_port { 40 } else { 0 };
        let danger = danger + if self.memory.plan.supply[place.index()] > 2 { NO_STORES } else { 0 };
        let waters = rules.world.waters(place);
        if rules.kind(unit) == Kind::Convoy {
            let army = state
                .ground_at(place)
                .is_some_and(|army| rules.kind(army).is_field() && !self.holds_an_aim(army));
            let idle = army && self.memory.plan.foe[place.index()] >= FAR;
            let lands = idle && self.landing_countries() != 0;
            // From a port at home it can feed whoever needs it.
            let home = rules.owner(state, place) == rules.country_of(state, unit);
            return (self.hungry_near(place) * 6).min(18)
                + if home { 12 } else { 0 }
                + if lands { 25 } else { 0 }
                + if idle { 10 } else { 0 }
                - danger;
        }
        // Warships lie where enemy convoys and landings pass, and where own convoys sail.
        let mut company = 0;
        for other in &rules.world.wings {
            let there = state.unit(*other).place;
            if rules.kind(*other) != Kind::Convoy
                || !there.is_hex()
                || rules.world.waters(there) & waters == 0
            {
                continue;
            }
            let own = rules.side_of(state, *other);
            company += if own == self.side || state.at_war(own, self.side) { 8 } else { 0 };
        }
        company - danger
    }

    /// Whether a ship should sail to another port.
    pub(super) fn wants_harbour(&mut self, unit: UnitId) -> bool {
        if self.memory.plan.is_dismissed(unit) || self.state.unit(unit).level > TIRED {
            return false;
        }
        let here = self.harbour_worth(unit, self.state.unit(unit).place);
        let (rules, state) = (self.rules, self.state);
        let mut best = i32::MIN;
        rules.harbours(state, unit, None, |place| {
            best = best.max(self.harbour_worth(unit, place));
            false
        });
        if best > here.saturating_add(10) { true } else { self.dismiss(unit) }
    }

    /// The best port.
    pub(super) fn harbour(&self, unit: UnitId, choices: &[Choice]) -> usize {
        self.best(choices, |choice| match choice {
            Choice::To(place) => self.harbour_worth(unit, place),
            _ => i32::MIN,
        })
    }

    // --- transport --------------------------------------------------------------------------------------------------

    /// How much an army is wanted in a place: where there is a front and the balance is bad.
    fn front_worth(&self, place: Place) -> i32 {
        if !place.is_hex() {
            return -40;
        }
        let plan = &self.memory.plan;
        let foe = plan.foe[place.index()];
        if foe >= FAR {
            return 0;
        }
        let balance = plan.balance[super::plan::theatre(place)].clamp(20, 300);
        (60 - i32::from(foe)).max(0) + (100 - balance).clamp(-60, 60) / 2
    }

    /// Whether a convoy should carry somebody: an army without a front, to a port that has one.
    pub(super) fn wants_transport(&mut self, convoy: UnitId) -> bool {
        if self.memory.plan.is_dismissed(convoy) || self.state.unit(convoy).level > TIRED {
            return false;
        }
        let (rules, state) = (self.rules, self.state);
        let from = state.unit(convoy).place;
        let Some(army) = self.idle_passenger(convoy) else { return self.dismiss(convoy) };
        let here = self.front_worth(from);
        let mut best = i32::MIN;
        rules.harbours(state, convoy, Some(army), |place| {
            best = best.max(self.front_worth(place));
            false
        });
        if best > here.saturating_add(25) { true } else { self.dismiss(convoy) }
    }

    /// A field army in a convoy's port that has no enemy to face there.
    fn idle_passenger(&self, convoy: UnitId) -> Option<UnitId> {
        let (rules, state) = (self.rules, self.state);
        let mut found = None;
        rules.passengers(state, convoy, |unit| {
            let place = state.unit(unit).place;
            let idle = !place.is_hex() || self.memory.plan.foe[place.index()] > FAR_FROM_IT;
            if rules.kind(unit).is_field() && idle && !self.is_home_guard(unit) && !self.holds_an_aim(unit) {
                found = Some(unit);
            }
            found.is_some()
        });
        found
    }

    /// The last army in a capital stays.
    fn is_home_guard(&self, unit: UnitId) -> bool {
        let place = self.state.unit(unit).place;
        self.rules.world.city_at(place).is_some_and(|city| self.rules.world.city(city).capital)
    }

    /// Who goes aboard.
    pub(super) fn passenger(&self, choices: &[Choice]) -> usize {
        self.best(choices, |choice| match choice {
            Choice::With(unit) if self.rules.kind(unit).is_field() => {
                10 - i32::from(self.is_home_guard(unit)) * 9
            }
            _ => 0,
        })
    }

    /// Where it goes.
    pub(super) fn transport_to(&self, choices: &[Choice]) -> usize {
        self.best(choices, |choice| match choice {
            Choice::To(place) => self.front_worth(place),
            _ => i32::MIN,
        })
    }

    // --- escort and interception ------------------------------------------------------------------------------------

    /// The freshest escort where an enemy could intercept; a supply link goes alone where nobody can.
    pub(super) fn escort(&self, choices: &[Choice]) -> usize {
        let (rules, state) = (self.rules, self.state);
        let mission = &state.mission;
        let enemies = crate::ids::Faction::ALL.into_iter().any(|faction| {
            faction.side() != self.side && rules.interceptors(state, mission, faction).next().is_some()
        });
        let support = mission.errand == Errand::Invasion && rules.has_enemy(state, mission.to, self.side);
        self.best(choices, |choice| match choice {
            Choice::Escort(unit) => {
                let entry = state.unit(unit);
                let warship = rules.kind(unit).is_warship();
                // It should hold against whoever may come, and a ship that fires on the shore is worth more.
                let wanted = if enemies { 60 - self.danger_to(unit) } else { 0 }
                    + if support && warship { 40 } else { 0 };
                wanted - i32::from(entry.level) * 5 + i32::from(warship) * 5 - 10
            }
            _ => 0,
        })
    }

    /// How often the best interceptor of the mission under way would beat an escort, in hundredths.
    fn danger_to(&self, escort: UnitId) -> i32 {
        let (rules, state) = (self.rules, self.state);
        let mission = &state.mission;
        let mut worst = 0;
        for faction in crate::ids::Faction::ALL.into_iter().filter(|faction| faction.side() != self.side) {
            for interceptor in rules.interceptors(state, mission, faction) {
                let duel = self.meeting(interceptor, escort, Occasion::Escort);
                worst = worst.max(self.duel_promise(&duel).1);
            }
        }
        worst
    }

    /// The combat of an interceptor of the mission under way.
    fn meeting(&self, interceptor: UnitId, target: UnitId, occasion: Occasion) -> Duel {
        let mission = &self.state.mission;
        let flown = mission.errand.is_flown();
        let zone = if flown {
            crate::ids::Node::NONE
        } else {
            self.rules.meeting_zone(self.state, mission, interceptor)
        };
        let hex = if flown { mission.to } else { Place::NONE };
        Duel { occasion, units: [interceptor, target], hex, zone, ..Duel::NONE }
    }

    /// The interceptor with the best prospects, if they are good enough for what is at stake.
    pub(super) fn intercept(&self, choices: &[Choice]) -> usize {
        let state = self.state;
        let mission = &state.mission;
        let bar = match mission.errand {
            Errand::Invasion => 20,
            Errand::Transport | Errand::Airdrop => 25,
            Errand::Bombing => 25,
            _ => 35,
        };
        let target = mission.escort.some().unwrap_or(mission.unit);
        self.best(choices, |choice| match choice {
            Choice::Intercept(unit) => {
                let entry = state.unit(unit);
                if entry.level > TIRED {
                    return -1;
                }
                let occasion =
                    if mission.escort.some().is_some() { Occasion::Escort } else { Occasion::Interdiction };
                let (balance, wins) = self.duel_promise(&self.meeting(unit, target, occasion));
                wins + balance / 4 - bar - i32::from(entry.level) * 4
            }
            _ => 0,
        })
    }

    /// Whether a unit may be dropped on an empty enemy city.
    pub(super) fn wants_drop(&mut self, unit: UnitId) -> bool {
        if self.memory.plan.is_dismissed(unit) {
            return false;
        }
        let (rules, state) = (self.rules, self.state);
        let from = state.unit(unit).place;
        let range = rules.world.tables.ranges.airdrop;
        let found = from.is_hex()
            && rules.world.cities.iter().any(|city| {
                !city.port_only
                    && rules.world.distance(city.hex, from) <= range
                    && state.at_war(state.controller(city.hex), self.side)
                    && state.ground_at(city.hex).is_none()
                    && self.memory.plan.supply[city.hex.index()] <= 2
            });
        if found { true } else { self.dismiss(unit) }
    }

    /// Where it drops.
    pub(super) fn drop_zone(&self, choices: &[Choice]) -> usize {
        self.best(choices, |choice| match choice {
            Choice::At(hex) if self.state.at_war(self.state.controller(hex), self.side) => {
                self.judge().hex_worth(self.state, hex)
            }
            _ => 0,
        })
    }

    /// Whether an enemy could land at a hex soon: the date of its landings there has come, or is near.
    pub(super) fn is_landing_feared(&self, hex: Place) -> bool {
        self.weights.landings.iter().any(|plan| {
            plan.faction != self.faction
                && self.state.at_war(plan.faction.side(), self.side)
                && (plan.from..=plan.until + FEARED_EARLY).contains(&(self.state.turn + FEARED_EARLY))
                && self.is_in(hex, plan.countries)
        })
    }

    fn is_in(&self, hex: Place, countries: u32) -> bool {
        let owner = self.rules.owner(self.state, hex);
        owner != Country::NONE && countries >> owner.index() & 1 != 0
    }

    /// Whether the faction lands in the country of a hex now.
    pub(super) fn lands_in(&self, hex: Place) -> bool {
        self.is_in(hex, self.landing_countries())
    }

    /// The countries in which the faction lands now.
    pub(super) fn landing_countries(&self) -> u32 {
        let turn = self.state.turn;
        let now = self
            .weights
            .landings
            .iter()
            .filter(|plan| plan.faction == self.faction && (plan.from..=plan.until).contains(&turn));
        now.fold(0, |set, plan| set | plan.countries)
    }

    /// An answer where there is nothing to weigh.
    pub(super) fn first(choices: &[Choice]) -> usize {
        position(choices, Choice::Pass)
    }
}
