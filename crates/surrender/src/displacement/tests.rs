//! Displacement: N07, and what stays.

use kernel::Discard;

use super::*;
use crate::ids::{Country, Side};
use crate::state::State;
use crate::testing::{position, put, rules};

fn france(rules: &Rules, side: Side) -> State {
    position(rules, &[(Country::FRA, side), (Country::GER, Side::Axis), (Country::UK, Side::Western)])
}

/// N07: Nantes and Bordeaux cost the same; Nantes has the smaller number.
#[test]
fn a_fleet_leaves_a_fallen_port() {
    let rules = rules();
    let mut state = france(&rules, Side::Axis);
    let fleet = put(&rules, &mut state, "GER-KM", "3112");
    state.unit_mut(fleet).level = 1;
    let (brest, nantes) = (state.unit(fleet).place, rules.world.hex_named("3414").expect("Nantes"));
    state.control[brest.index()] = Side::Western;
    // Ports of the Channel as near as these have smaller numbers; they are the enemy's here.
    for city in &rules.world.cities {
        if city.zones & Node::zone(10).bit() != 0 {
            state.control[city.hex.index()] = Side::Western;
        }
    }
    rules.displace_from(&mut state, brest, &mut Discard);
    assert_eq!((state.unit(fleet).place, state.unit(fleet).level), (nantes, 3));
    // What is its own side's stays.
    rules.displace_from(&mut state, nantes, &mut Discard);
    assert_eq!(state.unit(fleet).place, nantes);
}

/// Aircraft go to the nearest city with room within ten hexes.
#[test]
fn aircraft_leave_a_fallen_city() {
    let rules = rules();
    let mut state = france(&rules, Side::Western);
    let air = put(&rules, &mut state, "UK-AASF", "3318");
    let paris = state.unit(air).place;
    state.control[paris.index()] = Side::Axis;
    rules.displace_from(&mut state, paris, &mut Discard);
    let (base, level) = (state.unit(air).place, state.unit(air).level);
    assert_eq!(level, 2);
    assert!(rules.is_air_base(&state, base, Side::Western));
    let nearer = rules.world.cities.iter().map(|city| city.hex).filter(|hex| {
        rules.world.distance(paris, *hex) < rules.world.distance(paris, base)
            && rules.is_air_base(&state, *hex, Side::Western)
    });
    assert_eq!(nearer.count(), 0);
}

/// 3.3: from Smolensk Memel is nine hexes away; from Moscow no German city is within ten.
#[test]
fn aircraft_without_a_base_within_ten_hexes_are_lost() {
    let rules = rules();
    for (from, survives) in [("2344", true), ("2148", false)] {
        let mut state = position(&rules, &[(Country::GER, Side::Axis), (Country::USSR, Side::Soviet)]);
        let air = put(&rules, &mut state, "GER-LF2", from);
        let city = state.unit(air).place;
        let near = rules.world.cities.iter().filter(|base| base.country == Country::GER);
        let nearest = near.map(|base| rules.world.distance(city, base.hex)).min().expect("German cities");
        assert_eq!((nearest <= 10, nearest <= 20), (survives, true), "{from}: {nearest}");
        rules.displace_from(&mut state, city, &mut Discard);
        assert_eq!(state.unit(air).place.is_hex(), survives, "{from}");
    }
}
