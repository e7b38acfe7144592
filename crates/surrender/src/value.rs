//! The value of a position for search and reviews: omens such as National Will, cities, armies and the victory table, weighed as
//! they were in games of the staff (the example `surrender_value` of `lab` fits the weights).

use crate::ids::{City, Country, Faction, Place, Side, UNITS, UnitId};
use crate::policy::{Aims, Weights};
use crate::rules::Rules;
use crate::scenario::{By, Winner};
use crate::state::{State, Status};
use crate::value_weights;
use crate::world::Kind;

/// How many omens there are.
pub const OMENS: usize = 8;
/// An army this near to a city could take it in a turn or two.
const REACH: f32 = 4.0;

/// What a side has, of all that both sides have.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    cities: f32,
    armies: f32,
    hungry: f32,
}

impl Rules {
    /// The estimated chance of a faction, from 0 to 1.
    pub fn win_chance(&self, state: &State, faction: Faction) -> f32 {
        let axis = self.axis_chance(state);
        if faction == Faction::Axis {
            return axis;
        }
        // Allied factions share a win by what they hold.
        if !(self.plays(Faction::Western) && self.plays(Faction::Soviet)) {
            return 1.0 - axis;
        }
        let own = self.tally(state, faction.side());
        let other = self.tally(state, if faction == Faction::Western { Side::Soviet } else { Side::Western });
        let share =
            (own.cities + own.armies + 1.0) / (own.cities + own.armies + other.cities + other.armies + 2.0);
        (1.0 - axis) * share
    }

    /// The chance of the Axis: the omens as they weigh in this scenario, now and more as its end comes near.
    fn axis_chance(&self, state: &State) -> f32 {
        let late = self.lateness(state);
        let weights = value_weights::of(&self.scenario().id);
        let logit: f32 = self
            .omens(state)
            .iter()
            .zip(weights)
            .map(|(omen, [always, last])| omen * (always + last * late))
            .sum();
        1.0 / (1.0 + (-logit).exp())
    }

    /// How much of the war is over, from 0 to 1.
    pub fn lateness(&self, state: &State) -> f32 {
        let scenario = self.scenario();
        let length = f32::from(scenario.last - scenario.first + 1);
        f32::from(state.turn.saturating_sub(scenario.first)) / length
    }

    /// What speaks for the Axis, each from about -1 to 1: that it is the Axis; the Will that countries have lost which the
    /// victory table names; the cities of that table; all cities; armies; the line of the table that holds now; armies near
    /// to cities of the table; armies without supply. All but the first and the line are compared with the opening.
    pub fn omens(&self, state: &State) -> [f32; OMENS] {
        let opening = self.balance.get_or_init(|| self.raw_omens(&self.opening()));
        let mut omens = self.raw_omens(state);
        for at in [1, 2, 3, 4, 6, 7] {
            omens[at] -= opening[at];
        }
        omens
    }

    fn raw_omens(&self, state: &State) -> [f32; OMENS] {
        let axis = self.tally(state, Side::Axis);
        let mut allied = Tally::default();
        for side in [Side::Western, Side::Soviet] {
            let part = self.tally(state, side);
            allied.cities += part.cities;
            allied.armies += part.armies;
            allied.hungry += part.hungry;
        }
        let lead = |one: f32, other: f32| (one - other) / (one + other).max(1.0);
        let table = match self.standing_line(state) {
            Some(Winner::Faction(Faction::Axis)) => 1.0,
            Some(Winner::Faction(_) | Winner::Allied) => -1.0,
            _ => 0.0,
        };
        let aims = Aims::of(self);
        let hungry = allied.hungry / allied.armies.max(1.0) - axis.hungry / axis.armies.max(1.0);
        [
            1.0,
            self.broken_will(state, aims),
            self.held_aims(state, aims),
            lead(axis.cities, allied.cities),
            lead(axis.armies, allied.armies),
            table,
            self.threats(state, aims),
            hungry,
        ]
    }

    /// How much of their Will the countries have lost that the victory table names; the Axis's own count against it.
    fn broken_will(&self, state: &State, aims: Aims) -> f32 {
        let (mut sum, mut count) = (0.0, 0.0);
        for country in Country::all().filter(|country| aims.wants(*country)) {
            let entry = state.country(country);
            let start = f32::from(self.scenario().will[country.index()].max(1));
            let left = if entry.status == Status::Conquered { 0.0 } else { f32::from(entry.will) / start };
            let sign =
                if self.scenario().active[country.index()] == Some(Faction::Axis) { -1.0 } else { 1.0 };
            sum += sign * (1.0 - left.clamp(0.0, 1.5));
            count += 1.0;
        }
        sum / f32::max(count, 1.0)
    }

    /// The cities that the victory table names: those of the Axis less those of the others.
    fn held_aims(&self, state: &State, aims: Aims) -> f32 {
        let (mut sum, mut count) = (0.0, 0.0);
        for city in City::all().filter(|city| aims.names(*city)) {
            let is_axis = state.controller(self.world.city(city).hex) == Side::Axis;
            sum += if is_axis { 1.0 } else { -1.0 };
            count += 1.0;
        }
        sum / f32::max(count, 1.0)
    }

    /// How near field units are to cities of the enemy that count: those that the victory table names, and those of countries
    /// that it names.
    fn threats(&self, state: &State, aims: Aims) -> f32 {
        let mut armies = [[Place::NONE; UNITS]; 2];
        let mut counts = [0; 2];
        for unit in UnitId::all() {
            let place = state.unit(unit).place;
            if place.is_hex() && self.kind(unit).is_field() {
                let at = usize::from(self.side_of(state, unit) != Side::Axis);
                armies[at][counts[at]] = place;
                counts[at] += 1;
            }
        }
        let (mut sum, mut count) = (0.0, 0.0);
        for city in City::all() {
            let hex = self.world.city(city).hex;
            let owner = self.owner(state, hex);
            if !aims.names(city) && (owner == Country::NONE || !aims.wants(owner)) {
                continue;
            }
            count += 1.0;
            let is_axis = state.controller(hex) == Side::Axis;
            let enemy = usize::from(is_axis);
            let nearest =
                armies[enemy][..counts[enemy]].iter().map(|place| self.world.distance(*place, hex)).min();
            let near = nearest.map_or(0.0, |nearest| (-(nearest as f32) / REACH).exp());
            sum += if is_axis { -near } else { near };
        }
        sum / f32::max(count, 1.0)
    }

    /// Who would win if the war ended as it stands.
    fn standing_line(&self, state: &State) -> Option<Winner> {
        let holds = |by: By| match by {
            By::Turn(turn) => state.turn <= turn,
            By::Any | By::End => true,
        };
        let lines = self.scenario().victory.iter();
        lines
            .filter(|line| holds(line.by))
            .find(|line| self.value_of(state, &line.test) != 0)
            .map(|line| line.winner)
    }

    fn tally(&self, state: &State, side: Side) -> Tally {
        let weights: &Weights = crate::policy::built_in();
        let mut tally = Tally::default();
        for city in City::all() {
            let info = self.world.city(city);
            if state.controller(info.hex) != side || !self.scenario().in_play(info.hex) {
                continue;
            }
            let factory = if info.factory && !state.is_closed_down(city) { weights.factory } else { 0 };
            let capital = if info.capital { weights.capital / 2 } else { 0 };
            tally.cities += (weights.city + factory + capital) as f32 / 100.0;
        }
        for country in Country::all() {
            let entry = state.country(country);
            if entry.status == Status::Active && entry.side == side {
                tally.cities += f32::from(entry.extra) * 0.9;
            }
        }
        for (at, country) in [Country::GER, Country::UK, Country::USSR].into_iter().enumerate() {
            if state.country(country).side == side {
                tally.cities -= f32::from(state.fac_lost[at]) * 0.5;
            }
        }
        for unit in UnitId::all() {
            let entry = state.unit(unit);
            if entry.on_map() && self.side_of(state, unit) == side {
                let full = match self.kind(unit) {
                    Kind::Tank => 1.5,
                    Kind::Garrison => 0.4,
                    kind if kind.is_ground() => 1.0,
                    _ => 0.5,
                };
                let worn = if self.kind(unit).is_ground() { 0.35 } else { 0.06 } * f32::from(entry.level);
                tally.armies += full * (1.0 - worn);
                tally.hungry += full * (1.0 - worn) * 0.5 * entry.supply as u8 as f32;
            }
        }
        tally
    }
}
