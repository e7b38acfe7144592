//! The value of a position for search and reviews: National Will, cities by their worth, armies, income, the victory table.

use crate::ids::{City, Country, Faction, Side, UnitId};
use crate::policy::Weights;
use crate::rules::Rules;
use crate::scenario::{By, Winner};
use crate::state::{State, Status};
use crate::world::Kind;

/// What counts how much towards the logit of a side's chance, per hundredth of the whole.
const WILL: f32 = 2.2;
const CITIES: f32 = 2.6;
const ARMIES: f32 = 1.6;
/// What the line of the victory table that holds now is worth when no turn is left.
const TABLE: f32 = 2.4;

/// What a side has, of all that both sides have.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    will: f32,
    cities: f32,
    armies: f32,
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

    /// The chance of the Axis: what it has gained or lost since the start, and the line of the victory table that holds.
    fn axis_chance(&self, state: &State) -> f32 {
        let opening = *self.balance.get_or_init(|| self.axis_lead(&self.opening()));
        let scenario = self.scenario();
        let length = f32::from(scenario.last - scenario.first + 1);
        let done = f32::from(state.turn.saturating_sub(scenario.first) + 1) / length;
        let table = match self.standing_line(state) {
            Some(Winner::Faction(Faction::Axis)) => 1.0,
            Some(Winner::Faction(_) | Winner::Allied) => -1.0,
            _ => 0.0,
        };
        let logit = self.axis_lead(state) - opening + TABLE * table * done * done;
        1.0 / (1.0 + (-logit).exp())
    }

    fn axis_lead(&self, state: &State) -> f32 {
        let axis = self.tally(state, Side::Axis);
        let mut allied = Tally::default();
        for side in [Side::Western, Side::Soviet] {
            let part = self.tally(state, side);
            allied.will += part.will;
            allied.cities += part.cities;
            allied.armies += part.armies;
        }
        let lead = |one: f32, other: f32| (one - other) / (one + other).max(1.0);
        CITIES * lead(axis.cities, allied.cities)
            + ARMIES * lead(axis.armies, allied.armies)
            + WILL * (axis.will - allied.will)
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
                let start = f32::from(self.scenario().will[country.index()].max(1));
                let size = (self.world.country(country).cities.len() as f32 / 60.0).min(0.5);
                tally.will += size * (f32::from(entry.will) / start).clamp(0.0, 1.5);
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
                tally.armies += full * (1.0 - worn) * (1.0 - 0.25 * entry.supply as u8 as f32);
            }
        }
        tally
    }
}
