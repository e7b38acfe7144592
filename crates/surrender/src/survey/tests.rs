//! The sets of a survey are those that are found hex by hex and unit by unit, in wars that go on at random and in positions
//! that have nothing to do with each other.

use kernel::{Discard, Game as _, LabDice, Options};
use testkit::random_choice;

use super::*;
use crate::game::Surrender;
use crate::ids::{Country, Faction};
use crate::state::flag;
use crate::testing::Wars;

/// Compares everything that a survey says with the position.
fn compare(rules: &Rules, state: &State) {
    Survey::ask(rules, state, |survey| {
        for side in Side::ALL.into_iter().chain([Side::Nobody]) {
            let at = side.index();
            for hex in Place::hexes() {
                assert_eq!(survey.held[at].has(hex), state.controller(hex) == side, "{side:?} {hex:?}");
                let stands =
                    |hex: Place| state.ground_at(hex).is_some_and(|unit| rules.side_of(state, unit) == side);
                assert_eq!(survey.stood[at].has(hex), stands(hex), "{side:?} {hex:?}");
                let reached = rules.hexes_around(hex).any(|near| {
                    let tile = rules.tile(near);
                    stands(near) && tile.towards(tile.zone).any(|reached| reached == hex)
                });
                assert_eq!(survey.zones[at].has(hex), reached, "{side:?} {hex:?}");
                let controller = state.controller(hex);
                let is_open = controller == side || state.at_war(controller, side);
                assert_eq!(survey.skies_of(side).has(Skies::spot_of(hex)), is_open, "{side:?} {hex:?}");
            }
            for city in City::all() {
                let holds = state.controller(rules.world.city(city).hex) == side;
                assert_eq!(survey.towns[at].has(city), holds, "{side:?} {city:?}");
            }
        }
        for (slot, taken) in survey.taken.iter().enumerate() {
            assert!(
                City::all().all(|city| taken.has(city) == state.bases[city.index()][slot].some().is_some())
            );
        }
    });
    for faction in Faction::ALL {
        let own = rules.own_on_map(state, faction);
        for unit in UnitId::all() {
            let is_own = state.unit(unit).on_map() && rules.side_of(state, unit).player() == faction;
            assert_eq!(own.has(unit), is_own, "{unit:?}");
        }
    }
}

#[test]
fn a_survey_shows_the_position_however_it_came_about() {
    let (mut wars, mut dice) = (Wars::of(&["main-event-1939", "france-1944", "ussr-1941"]), LabDice::new(41));
    // Several choices in a war, then several in another: what is kept belongs now to the same war, now to another.
    for _ in 0..250 {
        let (rules, state) = wars.go_on(&mut dice, 60);
        compare(rules, &state);
    }
}

#[test]
fn units_that_change_their_country_or_side_where_they_stand_are_seen() {
    let game = Surrender::with_options(&Options::new()).expect("Poland");
    let mut state = game.start();
    compare(game.rules(), &state);
    let army = UnitId::all().find(|unit| state.unit(*unit).place.is_hex()).expect("a unit");
    state.unit_mut(army).flags |= flag::FREE;
    compare(game.rules(), &state);
    state.unit_mut(army).flags &= !flag::FREE;
    compare(game.rules(), &state);
    state.country_mut(Country::POL).side = Side::Soviet;
    compare(game.rules(), &state);
}

/// A copy of a position that bears new stamps, so that nothing that is kept can be used for it.
fn renewed(state: &State) -> State {
    let mut copy = *state;
    // Whoever may change a part gives it a new stamp, whether it changes or not.
    let _: (_, _, _) = (copy.ground.iter_mut(), copy.control.iter_mut(), copy.bases.iter_mut());
    let _ = copy.units.iter_mut();
    copy
}

/// Whatever is kept from one question to the next (surveys, supply nets, railways, counts of Factories) says what a fresh look
/// says: in wars that go on at random every list, and everything that follows from every choice, is the same with and without.
#[test]
fn what_is_kept_says_what_a_fresh_look_says() {
    for (scenario, steps) in [("main-event-1939", 9_000), ("balkans-1941", 400), ("france-1944", 600)] {
        let options = Options::from([("scenario".to_owned(), scenario.to_owned())]);
        let game = Surrender::with_options(&options).expect("a scenario of ours");
        let (mut state, mut dice) = (game.start(), LabDice::new(77));
        let (mut kept, mut fresh) = (Vec::new(), Vec::new());
        for _ in 0..steps {
            let Some(choice) = random_choice(&game, &state, &mut dice, &mut kept) else { break };
            let mut other = renewed(&state);
            fresh.clear();
            game.choices(&other, &mut fresh);
            if game.mover(&state) != kernel::Mover::Fate {
                assert_eq!(kept, fresh, "{:?}", state.frame());
            }
            game.apply(&mut other, choice, &mut Discard);
            game.apply(&mut state, choice, &mut Discard);
            assert!(state == other, "{choice:?} leads elsewhere");
        }
    }
}
