//! Flights against distances.

use super::Skies;
use crate::ids::{Country, Place, Side};
use crate::rules::Rules;
use crate::state::{State, Supply};
use crate::survey::Survey;
use crate::testing::{position, put, rules};

fn reached(rules: &Rules, state: &State, unit: crate::ids::UnitId) -> Vec<Place> {
    let mut places = Vec::new();
    let mut everywhere = Skies::EMPTY;
    Place::hexes().for_each(|hex| everywhere.put_up(hex, true));
    Survey::ask(rules, state, |survey| {
        rules.fly(state, survey, unit, &everywhere, |place| {
            places.push(place);
            false
        })
    });
    places.sort_unstable();
    places
}

/// M14: ten hexes, not eleven; over land and sea alike where nothing is closed. Low Supply: five.
#[test]
fn open_skies_are_measured_by_distance() {
    let rules = rules();
    let mut state = position(&rules, &[(Country::GER, Side::Axis)]);
    state.control.fill(Side::Axis);
    for start in ["2828", "4627", "2816"] {
        let unit = put(&rules, &mut state, "GER-LF1", start);
        let from = state.unit(unit).place;
        for (supply, points) in [(Supply::Full, 10), (Supply::Low, 5)] {
            state.unit_mut(unit).supply = supply;
            let near: Vec<Place> = Place::hexes()
                .filter(|hex| *hex != from && rules.world.distance(from, *hex) <= points)
                .collect();
            assert_eq!(reached(&rules, &state, unit), near, "from {start} with {points}");
        }
        state.unit_mut(unit).supply = Supply::Full;
    }
}

/// A neutral country is flown around: Spain keeps aircraft in Gibraltar from the north coast of Spain and further.
#[test]
fn closed_hexes_are_not_flown_over() {
    let rules = rules();
    let mut state = position(&rules, &[(Country::UK, Side::Western), (Country::FRA, Side::Western)]);
    let unit = put(&rules, &mut state, "UK-DAF", "5107");
    for place in reached(&rules, &state, unit) {
        assert!(!rules.is_closed(&state, place, Side::Western));
    }
    let madrid = rules.world.hex_named("4510").expect("Madrid");
    assert!(rules.world.distance(state.unit(unit).place, madrid) <= 10);
    assert!(!reached(&rules, &state, unit).contains(&madrid));
}

/// The Central Russia Box costs three on the way in and one hex on the way out; the other boxes are not flown to or from.
#[test]
fn the_central_russia_box_costs_three() {
    let rules = rules();
    let mut state = position(&rules, &[(Country::USSR, Side::Soviet), (Country::USA, Side::Western)]);
    let gate = Place::hexes().find(|hex| rules.world.hex(*hex).to_russia).expect("a way into the box");
    let name = rules.world.place_name(gate);
    let unit = put(&rules, &mut state, "USSR-VW", &name);
    assert!(reached(&rules, &state, unit).contains(&Place::CRU));
    rules.put(&mut state, unit, Place::CRU);
    let out = reached(&rules, &state, unit);
    assert!(out.contains(&gate) && !out.contains(&Place::CRU));
    for place in &out {
        let nearest = Place::hexes()
            .filter(|hex| rules.world.hex(*hex).to_russia)
            .map(|hex| rules.world.distance(hex, *place))
            .min();
        assert!(nearest.is_some_and(|distance| distance < 10));
    }
    let far = put(&rules, &mut state, "USA-12AF", "ENA");
    assert!(reached(&rules, &state, far).is_empty());
}
