//! Who pays. Rules 2.1, 6.1, 9.2.

use crate::ids::{Country, Faction, Side, UnitId};
use crate::rules::Rules;
use crate::state::{State, Status};

/// Who can pay for activations, seen once for a list.
pub(crate) struct Purses {
    /// The points of the leading power of each side; less than anything costs where there is none.
    leaders: [i16; 5],
    /// The countries whose units can be paid for whatever they cost, as bits.
    rich: u32,
    /// How many Partisans are on the map, which make activations dearer: none comes after the last of them.
    marked: usize,
}

impl Purses {
    /// Whether somebody can pay for the activation of a unit.
    #[inline]
    pub fn can_pay(&self, rules: &Rules, state: &State, unit: UnitId) -> bool {
        let country = rules.country_of(state, unit);
        if self.rich >> country.index() & 1 != 0 {
            return true;
        }
        let place = state.unit(unit).place;
        let cost = if state.partisans[..self.marked].iter().any(|(hex, _)| *hex == place) {
            rules.activation_cost(state, unit)
        } else {
            rules.world.tables.production.activation[usize::from(rules.kind(unit).is_mobile())]
        };
        let country = state.country(country);
        country.points >= cost || self.leaders[country.side.index()] >= cost
    }
}

impl Rules {
    /// Who can pay for activations now.
    pub(crate) fn purses(&self, state: &State) -> Purses {
        let mut leaders = [i16::MIN; 5];
        for faction in Faction::ALL {
            if let Some(leader) = self.leading_power(state, faction) {
                leaders[faction.side().index()] = state.country(leader).points;
            }
        }
        // Nobody costs more than wheels among Partisans.
        let dearest = self.world.tables.production.activation.into_iter().max().unwrap_or_default() + 1;
        let rich = state.countries.iter().enumerate().fold(0, |rich, (at, country)| {
            let points = country.points.max(leaders[country.side.index()]);
            rich | u32::from(points >= dearest) << at
        });
        let marked = state.partisans.iter().rposition(|(hex, _)| hex.is_hex()).map_or(0, |last| last + 1);
        Purses { leaders, rich, marked }
    }

    /// Who would pay so many points for the activation of a unit (9.2): its country, or its leading power for the whole;
    /// `None` if nobody can.
    pub fn payer(&self, state: &State, unit: UnitId, points: i16) -> Option<Country> {
        let country = self.country_of(state, unit);
        if state.country(country).points >= points {
            return Some(country);
        }
        let leader = self.leading_power(state, self.side_of(state, unit).faction()?)?;
        (state.country(leader).points >= points).then_some(leader)
    }

    /// The leading power of a faction (2.1), if it has one now: Germany; UK, or the USA once the UK is conquered; USSR. Where
    /// it is not in play nobody pays for others (30.4).
    pub fn leading_power(&self, state: &State, faction: Faction) -> Option<Country> {
        let leads = |country: Country| {
            let entry = state.country(country);
            entry.status == Status::Active && entry.side == faction.side()
        };
        let first = match faction {
            Faction::Axis => Country::GER,
            Faction::Western => Country::UK,
            Faction::Soviet => Country::USSR,
        };
        if leads(first) {
            return Some(first);
        }
        let passes_on = first == Country::UK && state.country(first).status == Status::Conquered;
        (passes_on && leads(Country::USA)).then_some(Country::USA)
    }

    /// What it costs to activate a ground unit, Partisans in its hex included (6.1, 14).
    pub fn activation_cost(&self, state: &State, unit: UnitId) -> i16 {
        let cost = self.world.tables.production.activation[usize::from(self.kind(unit).is_mobile())];
        let hex = state.unit(unit).place;
        let marked = state
            .partisans
            .iter()
            .any(|(place, of)| *place == hex && state.at_war(of.side(), self.side_of(state, unit)));
        cost + i16::from(marked)
    }

    /// Whether a faction's player moves a unit: its own side's, and the Western player the Lone countries' (1.1).
    #[inline]
    pub(crate) fn moves(&self, state: &State, faction: Faction, unit: UnitId) -> bool {
        let side = self.side_of(state, unit);
        side != Side::Nobody && side.player() == faction
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::Place;
    use crate::testing::{position, put, rules};

    #[test]
    fn a_country_pays_itself_or_its_leading_power_pays_the_whole() {
        let rules = rules();
        let mut state = position(
            &rules,
            &[(Country::GER, Side::Axis), (Country::ROM, Side::Axis), (Country::FIN, Side::Lone)],
        );
        let army = put(&rules, &mut state, "ROM-3", "4142");
        let finn = put(&rules, &mut state, "FIN-ISTH", "1539");
        state.country_mut(Country::ROM).points = 1;
        assert_eq!(rules.payer(&state, army, 1), Some(Country::ROM));
        assert_eq!(rules.payer(&state, army, 2), Some(Country::GER));
        state.country_mut(Country::GER).points = 1;
        assert_eq!(rules.payer(&state, army, 2), None);
        state.country_mut(Country::FIN).points = 0;
        assert_eq!(rules.payer(&state, finn, 1), None);
    }

    /// A list sees who can pay as the rule does, unit by unit, whatever is in the purses and whoever is among Partisans.
    #[test]
    fn purses_say_what_the_rule_says() {
        let rules = rules();
        let active = [(Country::GER, Side::Axis), (Country::ROM, Side::Axis), (Country::FIN, Side::Lone)];
        let mut state = position(&rules, &active);
        let units = [("ROM-3", "4142"), ("GER-PZ1", "3027"), ("FIN-ISTH", "1539")];
        let units = units.map(|(unit, hex)| put(&rules, &mut state, unit, hex));
        let mut seen = [0; 2];
        for round in 0..4 * 4 * 4 * 4 {
            for (at, (country, _)) in active.iter().enumerate() {
                state.country_mut(*country).points = round >> (2 * at) & 3;
            }
            let marked = usize::from(round.unsigned_abs() >> 6 & 3);
            let place = units.get(marked).map_or(Place::NONE, |unit| state.unit(*unit).place);
            state.partisans[0] = (place, Faction::Soviet);
            let purses = rules.purses(&state);
            for unit in units {
                let is_paid = rules.payer(&state, unit, rules.activation_cost(&state, unit)).is_some();
                assert_eq!(purses.can_pay(&rules, &state, unit), is_paid, "{unit:?} in round {round}");
                seen[usize::from(is_paid)] += 1;
            }
        }
        assert!(seen.into_iter().all(|count| count > 50), "no and yes {seen:?} times");
    }

    #[test]
    fn the_usa_lead_the_west_once_the_uk_is_conquered() {
        let rules = rules();
        let mut state = position(&rules, &[(Country::UK, Side::Western), (Country::USA, Side::Western)]);
        assert_eq!(rules.leading_power(&state, Faction::Western), Some(Country::UK));
        let uk = state.country_mut(Country::UK);
        (uk.status, uk.side) = (Status::Neutral, Side::Nobody);
        assert_eq!(rules.leading_power(&state, Faction::Western), None);
        let uk = state.country_mut(Country::UK);
        (uk.status, uk.side) = (Status::Conquered, Side::Axis);
        assert_eq!(rules.leading_power(&state, Faction::Western), Some(Country::USA));
    }

    #[test]
    fn c04_activations_cost_one_for_legs_and_two_for_wheels_and_partisans_one_more() {
        let rules = rules();
        let mut state = position(&rules, &[(Country::GER, Side::Axis), (Country::USSR, Side::Soviet)]);
        let leg = put(&rules, &mut state, "GER-8A", "2828");
        let tank = put(&rules, &mut state, "GER-PZ1", "3027");
        let sum = 3 * rules.activation_cost(&state, leg) + 2 * rules.activation_cost(&state, tank);
        assert_eq!(sum, 7);
        state.partisans[0] = (state.unit(leg).place, Faction::Soviet);
        assert_eq!(rules.activation_cost(&state, leg), 2);
    }
}
