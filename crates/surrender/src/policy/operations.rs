//! Which action comes next, and Assaults. Rules 6.1 to 6.3.

use crate::choice::Choice;
use crate::ids::{Country, Place, UnitId};
use crate::markers::Marker;
use crate::state::{Errand, Fight, Manner, State};
use crate::tables::Weather;

use super::Desk;
use super::odds::Promise;
use super::plan::STALE;

/// An activation is not worth its points below this.
const IDLE: i32 = 3;
/// What a point that is needed for replacements must bring at least.
const DEAR: i32 = 60;
/// Armies this near to the last action are looked at again: where a hex fell, and where nobody was attacked.
const NEARBY: [u32; 2] = [7, 4];
/// An attack that wins no hex is made if the defender loses a step this often, in hundredths.
const HURTS: i32 = 50;
/// So many armies must stand in contact for a Surprise Attack.
const CONTACTS: usize = 4;
/// Or so many so near to an enemy, where the side goes for the enemy's cities.
const AT_HAND: usize = 7;
const CLOSE: i16 = 5;
const BOLD: i32 = 90;

impl Desk<'_> {
    /// The next action.
    pub(super) fn action(&mut self, choices: &[Choice]) -> usize {
        self.memory.plan.keep_up(self.rules, self.state, self.faction, self.weights);
        self.count_wings();
        if let Some(pick) = self.first_things(choices) {
            return pick;
        }
        self.forget_nearby();
        // Armies first: who joins an Assault gives up what it could do alone.
        let activation = self.best_activation(choices);
        let assault = self.best_assault(choices);
        let (worth, pick) = assault.max(activation);
        if worth > IDLE {
            return pick;
        }
        self.last_things(choices).unwrap_or_else(|| super::position(choices, Choice::End))
    }

    /// What comes before the armies move: markers, aircraft to the front, landings.
    fn first_things(&mut self, choices: &[Choice]) -> Option<usize> {
        for (at, choice) in choices.iter().enumerate() {
            match choice {
                Choice::Play(Marker::SurpriseAttack) if self.is_time_for_surprise(choices) => {
                    return Some(at);
                }
                Choice::Play(Marker::WeserExercise) if self.is_time_for_weser() => return Some(at),
                Choice::Partisans(_) => return Some(at),
                Choice::LowCountries => {
                    // The map is another one now.
                    self.memory.plan.forget();
                    return Some(at);
                }
                Choice::Rebase(unit) if self.wants_base(*unit) => return Some(at),
                _ => {}
            }
        }
        if let Some(pick) = self.best_landing(choices) {
            return Some(pick);
        }
        // Ships go elsewhere when nobody waits for them.
        for (at, choice) in choices.iter().enumerate() {
            match choice {
                Choice::Sail(unit) if self.wants_harbour(*unit) => return Some(at),
                Choice::Transport(unit) if self.wants_transport(*unit) => return Some(at),
                Choice::Drop(unit) if self.wants_drop(*unit) => return Some(at),
                _ => {}
            }
        }
        None
    }

    /// What comes when the armies have done their part: the Sorties that are left.
    fn last_things(&mut self, choices: &[Choice]) -> Option<usize> {
        for (at, choice) in choices.iter().enumerate() {
            match choice {
                Choice::Bomb(unit) if self.wants_bombing(*unit) => return Some(at),
                Choice::Strike(unit) if self.wants_strike(*unit) => return Some(at),
                _ => {}
            }
        }
        None
    }

    /// A Surprise Attack is for fair weather and many armies that can come to blows; where the scenario gives one turn for it, for
    /// that.
    fn is_time_for_surprise(&self, choices: &[Choice]) -> bool {
        if self.rules.scenario().hooks.marker_turn.is_some() {
            return true;
        }
        let is_fair = |hex: Place| self.rules.weather_at(self.state, hex) == Weather::Fair;
        let attacks = |hex: Place| is_fair(hex) && self.eagerness(hex) >= BOLD;
        let count =
            |is_meant: &dyn Fn(Choice) -> bool| choices.iter().filter(|choice| is_meant(**choice)).count();
        let in_contact = count(&|choice| matches!(choice, Choice::Assault(hex) if is_fair(hex)));
        let at_hand = count(&|choice| {
            let Choice::Activate(unit) = choice else { return false };
            let place = self.state.unit(unit).place;
            place.is_hex() && self.memory.plan.foe[place.index()] <= CLOSE && attacks(place)
        });
        in_contact >= CONTACTS || at_hand >= AT_HAND
    }

    /// Weser Exercise is for Norway: roads lead to Denmark.
    fn is_time_for_weser(&self) -> bool {
        let entry = self.state.country(Country::NOR);
        entry.status == crate::state::Status::Active && self.state.at_war(entry.side, self.side)
    }

    /// Ratings near the last action have changed.
    fn forget_nearby(&mut self) {
        let course = self.memory.course;
        if course.unit == UnitId::NONE {
            return;
        }
        self.memory.course = super::Course::default();
        self.find_gaps();
        self.memory.plan.raids.find(self.rules, self.state, self.side);
        let near = NEARBY[usize::from(!course.attack.is_hex())];
        let (rules, state) = (self.rules, self.state);
        for centre in [course.at, course.goal, course.attack].into_iter().filter(|hex| hex.is_hex()) {
            for (at, rating) in self.memory.plan.ratings.iter_mut().enumerate() {
                let place = state.units[at].place;
                if *rating != STALE && place.is_hex() && rules.world.distance(place, centre) <= near {
                    *rating = STALE;
                }
            }
        }
    }

    /// The best activation: its worth and where it stands in the list. Ratings are kept between actions; the best one is made
    /// sure of before it is taken.
    fn best_activation(&mut self, choices: &[Choice]) -> (i32, usize) {
        for _ in 0..8 {
            let (mut best, mut kept) = ((i32::MIN, 0, UnitId::NONE), false);
            for (at, choice) in choices.iter().enumerate() {
                let Choice::Activate(unit) = *choice else { continue };
                let known = self.memory.plan.ratings[unit.index()];
                let again = known == STALE;
                let rating = if again { self.rate(unit) } else { known };
                if rating > best.0 {
                    (best, kept) = ((rating, at, unit), !again);
                }
            }
            if best.2 == UnitId::NONE || !kept || best.0 <= IDLE {
                return (best.0, best.1);
            }
            // It was rated before: once more, and it counts if it is still as good.
            if self.rate(best.2) >= best.0 {
                return (best.0, best.1);
            }
        }
        (i32::MIN, 0)
    }

    /// Rates a unit by the best that it could do.
    fn rate(&mut self, unit: UnitId) -> i32 {
        let cost = self.rules.activation_cost(self.state, unit);
        let points = self.rules.allowance(self.state, unit);
        let deal = self.best_deal(unit, points, false);
        let country = self.rules.country_of(self.state, unit);
        let plenty = self.memory.plan.plenty >> country.index() & 1 != 0;
        let mut rating = deal.worth - if plenty { 0 } else { i32::from(cost) * self.weights.point };
        // Infantry opens the front, tanks go through.
        if self.rules.kind(unit).is_mobile() && rating > IDLE {
            rating = (rating - self.weights.patience).max(IDLE + 1);
        }
        let left = self.state.country(country).points - cost;
        if rating < DEAR && !plenty && left < self.memory.plan.kept[country.index()] {
            rating = i32::MIN + 1;
        }
        self.memory.plan.ratings[unit.index()] = rating;
        rating
    }

    /// Whether an attack is likely enough to do something.
    pub(super) fn is_promising(&self, promise: Promise) -> bool {
        promise.falls >= self.weights.odds || promise.hurts >= HURTS
    }

    /// The best Assault: its worth and where it stands in the list.
    fn best_assault(&mut self, choices: &[Choice]) -> (i32, usize) {
        let mut best = (i32::MIN, 0);
        for (at, choice) in choices.iter().enumerate() {
            let Choice::Assault(hex) = *choice else { continue };
            let Some(defender) = self.state.ground_at(hex) else { continue };
            let known = self.memory.plan.ratings[defender.index()];
            let rating = if known == STALE { self.rate_assault(hex) } else { known };
            self.memory.plan.ratings[defender.index()] = rating;
            if rating > best.0 {
                best = (rating, at);
            }
        }
        best
    }

    fn rate_assault(&self, hex: Place) -> i32 {
        let Some((fight, promise)) = self.plan_assault(hex, None) else { return i32::MIN + 1 };
        let alone = !self.rules.has_fort(self.state, hex) && fight.more[0] == UnitId::NONE;
        if alone || promise.worth < self.bar(hex) || !self.is_promising(promise) {
            return i32::MIN + 1;
        }
        let others = fight.more.into_iter().filter_map(UnitId::some);
        // Those who join could have done something by themselves.
        let missed: i32 = others.map(|unit| self.own_worth(unit)).sum();
        promise.worth + self.breakthrough(hex, promise) - missed / 2 - 10
    }

    /// What a unit would do by itself, as far as it is known.
    fn own_worth(&self, unit: UnitId) -> i32 {
        match self.memory.plan.ratings[unit.index()] {
            STALE => 25,
            known => known.max(0),
        }
    }

    /// What it is worth on top that a hex falls: the way that it opens.
    pub(super) fn breakthrough(&self, hex: Place, promise: Promise) -> i32 {
        let lure = self.memory.plan.lure[hex.index()];
        let near = (40 - i32::from(lure)).clamp(0, 40);
        near * promise.falls * self.weights.exploit / 10_000
    }

    /// What an attack in a hex must promise at least: more where one only stands.
    pub(super) fn bar(&self, hex: Place) -> i32 {
        if self.memory.plan.stands[self.memory.plan.front(hex)] && !self.is_invaded(hex) {
            return i32::MAX;
        }
        self.weights.attack_from + (100 - self.eagerness(hex)) / 3
    }

    /// Whether an enemy stands on ground of a country of one's own side.
    pub(super) fn is_invaded(&self, hex: Place) -> bool {
        let owner = self.rules.owner(self.state, hex);
        owner != Country::NONE && self.state.country(owner).side == self.side
    }

    /// The best Assault on a hex: the Primary Attacker (or the one given) and those who join.
    pub(super) fn plan_assault(&self, hex: Place, primary: Option<UnitId>) -> Option<(Fight, Promise)> {
        let (rules, state) = (self.rules, self.state);
        let defender = state.ground_at(hex)?;
        let mut around = [UnitId::NONE; 6];
        let mut count = 0;
        for near in rules.world.hex(hex).near {
            if !near.is_hex() {
                continue;
            }
            let Some(unit) = state.ground_at(near) else { continue };
            if rules.side_of(state, unit) == self.side
                && rules.is_idle(state, unit)
                && rules.reaches(state, unit, hex)
                && rules.payer(state, unit, rules.activation_cost(state, unit)).is_some()
            {
                around[count] = unit;
                count += 1;
            }
        }
        let judge = self.judge();
        let mut best: Option<(Fight, Promise)> = None;
        for unit in &around[..count] {
            if primary.is_some_and(|wanted| wanted != *unit) {
                continue;
            }
            let bare = Fight { manner: Manner::Assault, primary: *unit, defender, hex, ..Fight::NONE };
            let fight = self.with_others(state, judge.helped(state, bare), &around[..count]);
            let promise = judge.promise(state, &fight);
            if best.is_none_or(|(_, known)| promise.worth > known.worth) {
                best = Some((fight, promise));
            }
        }
        best
    }

    /// Adds Additional Attackers while they help.
    fn with_others(&self, state: &State, mut fight: Fight, around: &[UnitId]) -> Fight {
        let judge = self.judge();
        for slot in 0..2 {
            let now = judge.promise(state, &fight).worth;
            let mut best = (now + 12, UnitId::NONE);
            for unit in around {
                if *unit == fight.primary || *unit == fight.more[0] {
                    continue;
                }
                let mut more = fight;
                more.more[slot] = *unit;
                let worth = judge.promise(state, &more).worth - self.own_worth(*unit) / 3;
                if worth > best.0 {
                    best = (worth, *unit);
                }
            }
            if best.1 == UnitId::NONE {
                break;
            }
            fight.more[slot] = best.1;
        }
        fight
    }

    /// The Primary Attacker of an Assault.
    pub(super) fn primary(&self, hex: Place, choices: &[Choice]) -> usize {
        let wanted = self.plan_assault(hex, None).map_or(UnitId::NONE, |(fight, _)| fight.primary);
        super::position(choices, Choice::Primary(wanted))
    }

    /// Who joins an Assault or a landing, or go.
    pub(super) fn additional(&self, choices: &[Choice]) -> usize {
        let judge = self.judge();
        let mission = &self.state.mission;
        let fight = if mission.errand == Errand::Invasion {
            let Some(defender) = self.state.ground_at(mission.to) else { return Self::first(choices) };
            let (primary, hex) = (mission.passenger, mission.to);
            Fight { manner: Manner::Landing, primary, more: mission.more, defender, hex, ..Fight::NONE }
        } else {
            self.state.fight
        };
        let fight = judge.helped(self.state, fight);
        let slot = usize::from(fight.more[0].some().is_some());
        let now = judge.promise(self.state, &fight).worth;
        self.best(choices, |choice| match choice {
            Choice::With(unit) => {
                let mut more = fight;
                more.more[slot] = unit;
                judge.promise(self.state, &more).worth - self.own_worth(unit) / 3 - now - 12
            }
            _ => 0,
        })
    }
}
