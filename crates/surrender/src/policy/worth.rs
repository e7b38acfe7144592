//! What cities and armies are worth: by what they are, by what the victory table names, by how near a country is to its end.

use crate::ids::{City, Country, UnitId};
use crate::rules::Rules;
use crate::state::{State, Status};
use crate::victory_test::Test;
use crate::world::Kind;

use super::weights::Weights;

/// A war of fewer turns is short.
const SHORT_WAR: u8 = 12;

/// What the victory table names.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Aims {
    /// Cities, as bits.
    cities: [u64; 4],
    /// Countries that are to be conquered, as bits.
    countries: u32,
    /// Whether it is the table of a short war.
    is_short: bool,
}

impl Aims {
    /// What the victory table of a scenario names.
    pub fn of(rules: &Rules) -> Self {
        let scenario = rules.scenario();
        let mut aims = Self { is_short: scenario.last - scenario.first < SHORT_WAR, ..Self::default() };
        for line in &scenario.victory {
            aims.mark(&line.test);
        }
        aims
    }

    /// Whether the victory table names a city.
    pub fn names(&self, city: City) -> bool {
        self.cities[city.index() / 64] >> (city.index() % 64) & 1 != 0
    }

    /// Whether it is the table of a short war.
    pub fn is_short(&self) -> bool {
        self.is_short
    }

    /// Whether a country is to be conquered.
    pub fn wants(&self, country: Country) -> bool {
        self.countries >> country.index() & 1 != 0
    }

    /// Notes what a test names.
    fn mark(&mut self, test: &Test) {
        match test {
            Test::Controls(_, cities) => {
                for city in cities {
                    self.cities[city.index() / 64] |= 1 << (city.index() % 64);
                }
            }
            Test::Conquered(country) | Test::Collapsed(country) => self.countries |= 1 << country.index(),
            Test::Not(inner) => self.mark(inner),
            Test::Join(_, both) => {
                self.mark(&both.0);
                self.mark(&both.1);
            }
            Test::Otherwise | Test::Number(_) | Test::Will(_) | Test::GroundIn(..) => {}
        }
    }
}

/// What a city is worth, in hundredths: more where its country is near its end.
pub(super) fn city_worth(rules: &Rules, state: &State, weights: &Weights, aims: Aims, city: City) -> i32 {
    let info = rules.world.city(city);
    let owner = rules.owner(state, info.hex);
    let mut worth = if info.port_only { 0 } else { weights.city };
    if owner != Country::NONE {
        let entry = state.country(owner);
        if rules.capital_of(state, owner) == Some(city) {
            worth += weights.capital;
        } else if !rules.is_mainland(state, city) {
            worth /= 2;
        }
        if aims.countries >> owner.index() & 1 != 0 && rules.is_mainland(state, city) && !info.port_only {
            worth += weights.objective / 2;
        }
        if entry.status == Status::Active && entry.will > 0 && entry.will <= 8 {
            worth += weights.city * i32::from(9 - entry.will) / 6;
        }
    }
    worth += if info.factory { weights.factory } else { 0 };
    worth += if info.is_port() { weights.port } else { 0 };
    // In a short war only what the victory table names counts in full.
    let aside = aims.is_short && (owner == Country::NONE || aims.countries >> owner.index() & 1 == 0);
    if aims.names(city) {
        worth + weights.objective
    } else if aside {
        worth * weights.aside / 100
    } else {
        worth
    }
}

/// How strong a ground unit is, about four for an ordinary army.
pub(super) fn power(rules: &Rules, state: &State, unit: UnitId) -> i32 {
    let info = rules.info(unit);
    let mut power = match info.kind {
        Kind::Tank => 6,
        Kind::Motorised | Kind::Shock => 5,
        Kind::Garrison => 2,
        _ => 4,
    };
    power += match info.country {
        Country::GER => 2,
        Country::FRA | Country::UK | Country::USA => 1,
        _ => 0,
    };
    power += i32::from(info.elite);
    let entry = state.unit(unit);
    power -= i32::from(entry.level) + entry.supply as i32;
    power.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::politics_testing::scenario;

    #[test]
    fn only_the_whole_war_is_long() {
        for (id, is_short) in [("poland-1939", true), ("ussr-1941", true), ("main-event-1939", false)] {
            assert_eq!(Aims::of(&scenario(id).0).is_short(), is_short, "{id}");
        }
    }
}
