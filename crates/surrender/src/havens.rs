//! Where the air and naval units of a side could go or strike, found once for a list of actions. Each answer is a reason that is
//! quickly seen; where there is none the whole reach of the unit is looked at. Rules 4.5, 4.6, 6.6.

use std::cell::Cell;

use crate::bits::{CitySet, UnitSet};
use crate::ids::{City, Country, Place, Side, UnitId};
use crate::near_cities::{have_port, ports_on};
use crate::rules::Rules;
use crate::sea_paths::Chart;
use crate::state::State;
use crate::survey::Survey;
use crate::world::{Kind, Slot};

/// What the cities and ports on the map are to a side.
pub(crate) struct Havens<'s> {
    survey: &'s Survey,
    side: Side,
    /// Friendly cities without an air unit.
    air: CitySet,
    /// Friendly ports without a warship, and without a convoy.
    ports: [CitySet; 2],
    /// Cities and ports of enemies with aircraft or ships in them.
    enemy: CitySet,
    /// Factories of enemies that can be bombed.
    works: CitySet,
    /// The seas as they are open to the side, and to its German ships, once somebody has asked.
    charts: [Cell<Option<Chart>>; 2],
}

impl<'s> Havens<'s> {
    /// Looks at all bases.
    pub fn new(rules: &Rules, state: &State, survey: &'s Survey, side: Side) -> Self {
        let own = survey.towns[side.index()].and(&rules.in_play);
        let enemies = state.enemies(side);
        let hostile = Side::ALL
            .into_iter()
            .filter(|enemy| enemies >> enemy.index() & 1 != 0)
            .fold(CitySet::EMPTY, |all, enemy| all.or(&survey.towns[enemy.index()]));
        let [planes, warships, convoys] = &survey.taken;
        let ruined = CitySet::of_words(state.bombed).or(&CitySet::of_words(state.closed));
        Self {
            survey,
            side,
            air: own.and(&rules.towns).minus(planes),
            ports: [own.minus(warships), own.minus(convoys)],
            enemy: hostile.and(&planes.or(warships).or(convoys)),
            works: hostile.and(&rules.factories).minus(&ruined),
            charts: [const { Cell::new(None) }; 2],
        }
    }

    /// The seas as they are open to a ship of the side.
    fn chart_of(&self, rules: &Rules, state: &State, ship: UnitId) -> Chart {
        let known = &self.charts[usize::from(rules.country_of(state, ship) == Country::GER)];
        let chart = known.get().unwrap_or_else(|| rules.chart_of(state, ship));
        known.set(Some(chart));
        chart
    }

    /// Those of a side, which may be known.
    pub fn of<'k>(
        known: &'k mut Option<Self>,
        rules: &Rules,
        state: &State,
        survey: &'s Survey,
        side: Side,
    ) -> &'k Self {
        if known.as_ref().is_some_and(|havens| havens.side != side) {
            *known = None;
        }
        known.get_or_insert_with(|| Self::new(rules, state, survey, side))
    }
}

impl Rules {
    /// Whether an air unit can rebase anywhere (4.5).
    pub(crate) fn can_rebase(&self, state: &State, unit: UnitId, havens: &Havens<'_>) -> bool {
        let can_go = self.air_reach(state, havens.survey, unit, |reach| {
            reach.cities.meets(&havens.air) || reach.russia && self.is_box_open(Place::CRU, havens.side)
        });
        can_go.unwrap_or_else(|| self.rebases_seen(state, havens.survey, unit, |_| true))
    }

    /// The city or port in a place.
    #[inline]
    fn base_at(&self, place: Place) -> Option<City> {
        if place.is_hex() { self.tile(place).city.some() } else { None }
    }

    /// Whether a ship can sail anywhere (4.6): most find a port on the waters they lie in, which costs one point.
    pub(crate) fn can_sail(&self, state: &State, ship: UnitId, havens: &Havens<'_>) -> bool {
        let from = state.unit(ship).place;
        let ports = &havens.ports[usize::from(self.kind(ship).slot() == Slot::Convoy)];
        from.is_hex() && have_port(self.waters_at(from) & self.scenario().nodes, ports)
            || self.harbours_seen(state, havens.survey, ship, None, |_| true)
    }

    /// Whether a convoy can carry anybody anywhere (4.7): most find room in a port on the waters they lie in.
    pub(crate) fn can_carry(
        &self,
        state: &State,
        convoy: UnitId,
        own: &UnitSet,
        havens: &Havens<'_>,
    ) -> bool {
        let from = state.unit(convoy).place;
        let waters = if from.is_hex() { self.waters_at(from) & self.scenario().nodes } else { 0 };
        self.boarders(state, convoy, own, |unit| {
            let near = ports_on(waters).and(&havens.ports[1]);
            near.cities().any(|port| self.may_disembark(state, unit, self.sites[port.index()].hex))
                || self.harbours_seen(state, havens.survey, convoy, Some(unit), |_| true)
        })
    }

    /// Whether an air unit or a carrier can strike anybody (6.6).
    pub(crate) fn has_target(&self, state: &State, unit: UnitId, havens: &Havens<'_>) -> bool {
        let (kind, place) = (self.kind(unit), state.unit(unit).place);
        if kind == Kind::Carrier {
            let rings = self.zone_rings(havens.chart_of(self, state, unit), place, true);
            return have_port(rings[0] | rings[1], &havens.enemy);
        }
        kind.is_air()
            && self.base_at(place).is_some_and(|city| self.in_strike[city.index()].meets(&havens.enemy))
    }

    /// Whether a bomber can bomb anything (6.7).
    pub(crate) fn can_bomb(&self, state: &State, unit: UnitId, havens: &Havens<'_>) -> bool {
        let base = self.base_at(state.unit(unit).place);
        base.is_some_and(|city| self.in_bombing[city.index()].meets(&havens.works))
    }
}

#[cfg(test)]
mod tests {
    use kernel::{Dice as _, Discard, Game as _, LabDice, Mover, Options};

    use super::*;
    use crate::frame::Frame;
    use crate::game::Surrender;
    use crate::hex_set::HexSet;

    /// The quick answers are those of the whole reach, for every unit at every list of actions of a war that goes on at random.
    #[test]
    fn quick_reasons_say_what_the_whole_reach_says() {
        let options = Options::from([("scenario".to_owned(), "main-event-1939".to_owned())]);
        let game = Surrender::with_options(&options).expect("a scenario of ours");
        let rules = game.rules();
        let mut state = game.start();
        let mut dice = LabDice::for_game(17, 0);
        let (mut choices, mut asked) = (Vec::new(), [0; 2]);
        for _ in 0..6_000 {
            if matches!(state.frame(), Frame::Actions(_)) {
                for unit in UnitId::all().filter(|unit| state.unit(*unit).on_map()) {
                    let found = compare(rules, &state, unit);
                    asked[usize::from(found)] += 1;
                }
            }
            let choice = match game.mover(&state) {
                Mover::Nobody => break,
                Mover::Fate => game.drawn(&state, dice.below(game.tickets(&state))),
                Mover::Seat(_) => {
                    choices.clear();
                    game.choices(&state, &mut choices);
                    choices[dice.below(choices.len() as u32) as usize]
                }
            };
            game.apply(&mut state, choice, &mut Discard);
        }
        assert!(asked.into_iter().all(|count| count > 100), "no and yes were answered {asked:?} times");
    }

    /// Compares every quick answer about a unit with the whole list behind it; tells whether it can move.
    fn compare(rules: &Rules, state: &State, unit: UnitId) -> bool {
        let (kind, side) = (rules.kind(unit), rules.side_of(state, unit));
        if kind.is_ground() {
            let found = compare_targets(rules, state, unit);
            assert_eq!(found, rules.can_act(state, unit), "{unit:?}");
            return found;
        }
        Survey::ask(rules, state, |survey| {
            let havens = Havens::new(rules, state, survey, side);
            compare_wing(rules, state, unit, &havens)
        })
    }

    fn compare_wing(rules: &Rules, state: &State, unit: UnitId, havens: &Havens<'_>) -> bool {
        let kind = rules.kind(unit);
        let strikes = kind != Kind::Surface && kind != Kind::Convoy && rules.strikes(state, unit, |_| true);
        assert_eq!(rules.has_target(state, unit, havens), strikes, "{unit:?}");
        assert_eq!(rules.can_bomb(state, unit, havens), rules.bombings(state, unit, |_| true), "{unit:?}");
        if kind.is_air() {
            let found = rules.can_rebase(state, unit, havens);
            assert_eq!(found, rules.rebases(state, unit, |_| true), "{unit:?}");
            return found;
        }
        let own = rules.own_on_map(state, havens.side.player());
        if kind == Kind::Convoy {
            let carries = rules.passengers(state, unit, |_| true);
            assert_eq!(rules.can_carry(state, unit, &own, havens), carries, "{unit:?}");
        }
        let found = rules.can_sail(state, unit, havens);
        assert_eq!(found, rules.harbours(state, unit, None, |_| true), "{unit:?}");
        found
    }

    /// Compares the Assaults of a unit with a look at every hex around it; tells whether it can move or attack.
    fn compare_targets(rules: &Rules, state: &State, unit: UnitId) -> bool {
        let mut targets = HexSet::EMPTY;
        let found = Survey::ask(rules, state, |survey| rules.look_around(state, survey, unit, &mut targets));
        let (from, side) = (state.unit(unit).place, rules.side_of(state, unit));
        for hex in Place::hexes().filter(|hex| from.is_hex() && rules.world.distance(from, *hex) <= 2) {
            let is_target = rules.has_enemy(state, hex, side) && rules.reaches(state, unit, hex);
            assert_eq!(targets.has(hex), is_target, "{unit:?} {hex:?}");
        }
        found
    }
}
