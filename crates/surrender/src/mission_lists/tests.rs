//! Who may act, and the lists of strikes and bombings. Rules 3.1, 6.1, 6.6, 6.7, 30.6.

use super::*;
use crate::ids::{Country, Faction, Place, Side};
use crate::state::{Errand, Mission};
use crate::tables::turn_of;
use crate::testing::{position, put, rules};

fn hex(rules: &Rules, city: &str) -> Place {
    rules.world.city(rules.world.city_named(city).expect("a city")).hex
}

fn war(rules: &Rules) -> State {
    let mut state = position(
        rules,
        &[
            (Country::GER, Side::Axis),
            (Country::ITA, Side::Axis),
            (Country::UK, Side::Western),
            (Country::FRA, Side::Western),
        ],
    );
    state.turn = turn_of(1944, 6);
    state.become_frame(Frame::Actions(Faction::Axis));
    state
}

fn actions(rules: &Rules, state: &State, faction: Faction) -> Vec<Choice> {
    let mut out = Vec::new();
    let own = rules.own_on_map(state, faction);
    Survey::ask(rules, state, |survey| rules.list_mission_actions(state, survey, &own, &mut out));
    out
}

fn struck(rules: &Rules, state: &State, unit: UnitId) -> Vec<UnitId> {
    let mut found = Vec::new();
    rules.strikes(state, unit, |target| add_to(&mut found, target));
    found
}

fn add_to(found: &mut Vec<UnitId>, unit: UnitId) -> bool {
    found.push(unit);
    false
}

/// 6.6: aircraft strike within seven hexes, air units and ships alike; a carrier in the ports of its own and the next Sea
/// Zones; other ships not at all (rulings 83, 84).
#[test]
fn who_strikes_whom() {
    let rules = rules();
    let mut state = war(&rules);
    let fighter = put(&rules, &mut state, "GER-LF2", "2825");
    let fleet = put(&rules, &mut state, "GER-KM", "2526");
    let inland = put(&rules, &mut state, "GER-LF3", "3326");
    let london = put(&rules, &mut state, "UK-FC", "2816");
    let carrier = put(&rules, &mut state, "UK-CAR", "1518");
    let surface = put(&rules, &mut state, "UK-CHN", "2815");
    // Scapa Flow opens on zones 8 and 2; Kiel on 11, next to 8, and Hannover has no port.
    assert_eq!(struck(&rules, &state, carrier), [fleet]);
    assert!(!actions(&rules, &state, Faction::Western).contains(&Choice::Strike(surface)));
    assert!(actions(&rules, &state, Faction::Western).contains(&Choice::Strike(carrier)));
    for (unit, place) in [(london, "2816"), (london, "2921"), (surface, "2815")] {
        let target = rules.world.hex_named(place).expect("a hex");
        state.control[target.index()] = Side::Western;
        rules.put(&mut state, unit, target);
        let near = |from: UnitId| rules.world.distance(state.unit(from).place, target) <= 7;
        for from in [fighter, inland] {
            assert_eq!(struck(&rules, &state, from).contains(&unit), near(from), "{place}");
        }
    }
    assert!(struck(&rules, &state, fighter).contains(&london), "Antwerp is near Hannover");
}

/// 3.1, 4.8, 6.1: a unit with six Sorties, an ended one and one that moved by rail do nothing; one that has moved may strike.
#[test]
fn who_may_act() {
    let rules = rules();
    let mut state = war(&rules);
    let fighter = put(&rules, &mut state, "GER-LF2", "2825");
    let enemy = rules.world.hex_named("2921").expect("Antwerp");
    state.control[enemy.index()] = Side::Western;
    put(&rules, &mut state, "UK-FC", "2921");
    let both = [Choice::Rebase(fighter), Choice::Strike(fighter)];
    assert_eq!(actions(&rules, &state, Faction::Axis), both);
    state.unit_mut(fighter).flags = flag::MOVED;
    assert_eq!(actions(&rules, &state, Faction::Axis), both[1..]);
    for flags in [flag::ENDED, flag::RAILED] {
        state.unit_mut(fighter).flags = flags;
        assert!(actions(&rules, &state, Faction::Axis).is_empty());
    }
    state.unit_mut(fighter).flags = 0;
    state.unit_mut(fighter).level = 6;
    assert!(actions(&rules, &state, Faction::Axis).is_empty());
}

/// 6.7: enemy Factories within twenty hexes, one run in a sub-phase.
#[test]
fn what_is_bombed() {
    let rules = rules();
    let mut state = war(&rules);
    let bomber = put(&rules, &mut state, "UK-BC", "2416");
    let mut found = Vec::new();
    rules.bombings(&state, bomber, |hex| {
        found.push(hex);
        false
    });
    let from = state.unit(bomber).place;
    let factories = rules
        .world
        .cities
        .iter()
        .filter(|city| city.factory && state.controller(city.hex) == Side::Axis)
        .map(|city| city.hex);
    let expected: Vec<Place> =
        factories.clone().filter(|hex| rules.world.distance(from, *hex) <= 20).collect();
    assert!(!expected.is_empty() && expected.len() < factories.count());
    assert_eq!(found, expected);
    assert!(actions(&rules, &state, Faction::Western).contains(&Choice::Bomb(bomber)));
    state.unit_mut(bomber).flags |= flag::BOMBED;
    assert!(!actions(&rules, &state, Faction::Western).contains(&Choice::Bomb(bomber)));
}

/// A hook that keeps units idle keeps them from missions, not from reactions (30.6).
#[test]
fn a_hook_keeps_units_idle() {
    let mut scenario = crate::scenario::Scenario::blank();
    scenario.hooks.no_activation = Some((turn_of(1944, 6), 1 << Country::GER.index()));
    let settings = crate::settings::Settings {
        scenario: std::sync::Arc::new(scenario),
        secret: false,
        historical: false,
        variable: false,
    };
    let rules = Rules::new(settings);
    let mut state = war(&rules);
    let fighter = put(&rules, &mut state, "GER-LF2", "2825");
    assert!(actions(&rules, &state, Faction::Axis).is_empty());
    let mission = Mission {
        errand: Errand::Bombing,
        unit: put(&rules, &mut state, "UK-BC", "2416"),
        to: hex(&rules, "hamburg"),
        ..Mission::NONE
    };
    assert_eq!(rules.interceptors(&state, &mission, Faction::Axis).next(), Some(fighter));
    state.turn += 1;
    assert_eq!(actions(&rules, &state, Faction::Axis)[0], Choice::Rebase(fighter));
}
