//! The worked examples of movement (50.2), and the reach of units worked out in a second way.

use super::*;
use crate::ids::Country;
use crate::state::Supply;
use crate::survey::Survey;
use crate::tables::Weather;
use crate::testing;

const EAST: [(Country, Side); 2] = [(Country::GER, Side::Axis), (Country::USSR, Side::Soviet)];
const POLAND: [(Country, Side); 2] = [(Country::GER, Side::Axis), (Country::POL, Side::Western)];

fn place(rules: &Rules, name: &str) -> Place {
    rules.world.place_named(name).expect("a place")
}

/// The cost of a step of a unit that stands in the first place.
#[track_caller]
fn step(active: &[(Country, Side)], unit: &str, from: &str, to: &str) -> Option<u8> {
    let rules = testing::rules();
    let mut state = testing::position(&rules, active);
    let unit = testing::put(&rules, &mut state, unit, from);
    rules.step_cost(&state, unit, place(&rules, from), place(&rules, to))
}

#[test]
fn m01_a_river_before_an_enemy_city_in_woods() {
    assert_eq!(step(&EAST, "GER-4A", "2347", "2348"), Some(3));
    // Tula is Soviet: for a Soviet army it is a friendly city (ruling 28).
    assert_eq!(step(&EAST, "USSR-7A", "2347", "2348"), Some(2));
    // The line from 2248 is of no use to the enemy of the city (4.2), but to its friend.
    assert_eq!(step(&EAST, "GER-4A", "2248", "2348"), Some(3));
    assert_eq!(step(&EAST, "USSR-7A", "2248", "2348"), Some(1));
}

#[test]
fn m02_along_a_line_over_a_river_into_woods() {
    let active = [(Country::GER, Side::Axis), (Country::FIN, Side::Axis)];
    assert_eq!(step(&active, "GER-4A", "0738", "0637"), Some(1));
}

#[test]
fn m03_to_m05_attacks() {
    let rules = testing::rules();
    let mut state = testing::position(&rules, &POLAND);
    let army = testing::put(&rules, &mut state, "GER-4A", "3138");
    testing::put(&rules, &mut state, "POL-POM", "3139");
    let cost = |state: &State, unit, from: &str, to: &str| {
        rules.attack_cost(state, unit, place(&rules, from), place(&rules, to))
    };
    assert_eq!(cost(&state, army, "3138", "3139"), Some(3));
    // Ploesti over the mountains, Poor weather.
    let active = [(Country::USSR, Side::Soviet), (Country::ROM, Side::Axis)];
    let mut state = testing::position(&rules, &active);
    state.weather = [Weather::Poor; 4];
    testing::put(&rules, &mut state, "ROM-3", "3941");
    for (unit, may) in [("USSR-7A", false), ("USSR-15TK", true)] {
        let unit = testing::put(&rules, &mut state, unit, "3840");
        state.unit_mut(unit).supply = Supply::Low;
        assert_eq!(cost(&state, unit, "3840", "3941"), Some(5));
        state.activation = Activation { unit, points: rules.allowance(&state, unit), begun: false };
        let mut options = Vec::new();
        rules.list_activation(&state, &mut options);
        assert_eq!(options.contains(&Choice::Attack(place(&rules, "3941"))), may);
        assert_eq!(rules.reaches(&state, unit, place(&rules, "3941")), may);
        rules.lift(&mut state, unit);
    }
}

#[test]
fn m06_to_m08_strait_friendly_city_and_the_box() {
    assert_eq!(step(&EAST, "USSR-7A", "3750", "3751"), Some(3));
    // Novgorod lies in a swamp.
    assert_eq!(step(&EAST, "USSR-7A", "1841", "1842"), Some(1));
    assert_eq!(step(&EAST, "USSR-7A", "1357", "CRU"), Some(3));
    assert_eq!(step(&EAST, "USSR-7A", "CRU", "1357"), Some(2));
    assert_eq!(step(&EAST, "USSR-7A", "CRU", "1960"), Some(1));
    assert_eq!(step(&EAST, "GER-4A", "1357", "CRU"), None);
    assert_eq!(step(&EAST, "USSR-7A", "1356", "CRU"), None);
    // A fort in a swamp is a friendly fort: 1.
    let rules = testing::rules();
    let mut state = testing::position(&rules, &POLAND);
    let unit = testing::put(&rules, &mut state, "POL-POM", "2839");
    let swamp = place(&rules, "2840");
    assert_eq!(rules.step_cost(&state, unit, place(&rules, "2839"), swamp), Some(2));
    state.walls[0] = swamp;
    assert_eq!(rules.step_cost(&state, unit, place(&rules, "2839"), swamp), Some(1));
}

#[test]
fn water_closed_and_faded_hexes_are_not_entered() {
    // Switzerland is neutral.
    assert_eq!(step(&[(Country::FRA, Side::Western)], "FRA-2A", "3821", "3822"), None);
    // Two steps at once.
    assert_eq!(step(&EAST, "USSR-7A", "1857", "1859"), None);
}

/// A unit alone with an activation just begun.
fn activated(rules: &Rules, state: &mut State, unit: UnitId) {
    state.activation = Activation { unit, points: rules.allowance(state, unit), begun: false };
    state.push(Frame::Activation);
}

fn options(rules: &Rules, state: &State) -> Vec<Choice> {
    let mut out = Vec::new();
    rules.list_activation(state, &mut out);
    out
}

#[test]
fn m09_four_rough_hexes_use_up_a_leg_unit() {
    let rules = testing::rules();
    let mut state = testing::position(&rules, &EAST);
    let unit = testing::put(&rules, &mut state, "USSR-7A", "1443");
    activated(&rules, &mut state, unit);
    let mut rough = 0;
    while let Some(to) = options(&rules, &state).into_iter().find_map(|choice| match choice {
        Choice::Step(to) if rules.step_cost(&state, unit, state.unit(unit).place, to) == Some(2) => Some(to),
        _ => None,
    }) {
        rules.make_step(&mut state, unit, to);
        rough += 1;
    }
    assert_eq!((rough, state.activation.points), (4, 0));
    assert_eq!(options(&rules, &state), [Choice::Stop]);
}

#[test]
fn an_ezoc_stops_a_unit_except_where_it_starts_and_where_it_is_gone() {
    let rules = testing::rules();
    let mut state = testing::position(&rules, &EAST);
    let unit = testing::put(&rules, &mut state, "GER-4A", "1857");
    let enemy = testing::put(&rules, &mut state, "USSR-7A", "1858");
    activated(&rules, &mut state, unit);
    let steps =
        |state: &State| options(&rules, state).iter().filter(|c| matches!(c, Choice::Step(_))).count();
    // It begins in an EZOC: five hexes are free (4.3.2).
    assert_eq!(steps(&state), 5);
    rules.make_step(&mut state, unit, place(&rules, "1758"));
    assert_eq!(steps(&state), 0, "1758 is in an EZOC");
    assert!(options(&rules, &state).contains(&Choice::Attack(place(&rules, "1858"))));
    // The enemy is gone: it may go on (4.3.5).
    rules.lift(&mut state, enemy);
    assert!(steps(&state) > 0);
    rules.put(&mut state, enemy, place(&rules, "1858"));
    // A No EZOC marker does the same (4.3.3).
    let here = place(&rules, "1758");
    state.no_ezoc[here.index() / 64] |= 1 << (here.index() % 64);
    assert!(steps(&state) > 0);
}

/// A unit can be attacked over a strait, but its zone of control does not reach over one (3.4).
#[test]
fn no_zone_of_control_reaches_over_a_strait() {
    let rules = testing::rules();
    let mut state = testing::position(&rules, &EAST);
    let (kerch, taman) = (place(&rules, "3750"), place(&rules, "3751"));
    let tile = rules.tile(kerch);
    assert_eq!(tile.sides[tile.direction(taman).expect("a neighbour")], Hexside::Strait);
    let enemy = testing::put(&rules, &mut state, "USSR-7A", "3751");
    assert!(!rules.ezoc(&state, kerch, Side::Axis));
    let survey =
        |state: &State| Survey::ask(&rules, state, |survey| survey.zones[Side::Soviet.index()].has(kerch));
    assert!(!survey(&state));
    let beside = rules.hexes_around(kerch).find(|near| *near != taman).expect("land on the same side");
    rules.put(&mut state, enemy, beside);
    assert!(rules.ezoc(&state, kerch, Side::Axis) && survey(&state));
}

#[test]
fn a_friend_is_passed_only_where_there_is_a_way_out() {
    let rules = testing::rules();
    let mut state = testing::position(&rules, &EAST);
    let unit = testing::put(&rules, &mut state, "GER-4A", "1857");
    testing::put(&rules, &mut state, "GER-5A", "1858");
    activated(&rules, &mut state, unit);
    let friend = Choice::Step(place(&rules, "1858"));
    assert!(options(&rules, &state).contains(&friend));
    state.activation.points = 1;
    assert!(!options(&rules, &state).contains(&friend), "it could not go on");
    state.activation.points = 2;
    rules.make_step(&mut state, unit, place(&rules, "1858"));
    let there = options(&rules, &state);
    assert!(!there.contains(&Choice::Stop) && there.iter().all(|choice| matches!(choice, Choice::Step(_))));
    // The friend still holds the hex; the unit leaves it untouched.
    rules.make_step(&mut state, unit, place(&rules, "1859"));
    assert_eq!(
        state.ground_at(place(&rules, "1858")).map(|friend| rules.info(friend).id.as_str()),
        Some("GER-5A")
    );
    assert_eq!(state.ground_at(place(&rules, "1859")), Some(unit));
    // A friend in an EZOC can't be passed: the unit would have to stop there.
    let mut state = testing::position(&rules, &EAST);
    let unit = testing::put(&rules, &mut state, "GER-4A", "1857");
    testing::put(&rules, &mut state, "GER-5A", "1858");
    testing::put(&rules, &mut state, "USSR-7A", "1859");
    activated(&rules, &mut state, unit);
    assert!(!options(&rules, &state).contains(&friend));
}

/// Every hex in which a unit can end, by stepping through all choices.
fn reach_by_steps(rules: &Rules, state: &State, seen: &mut Vec<(Place, u8)>, ends: &mut Vec<Place>) {
    let unit = state.activation.unit;
    let key = (state.unit(unit).place, state.activation.points);
    if seen.contains(&key) && state.activation.begun {
        return;
    }
    seen.push(key);
    for choice in options(rules, state) {
        match choice {
            Choice::Stop => ends.push(state.unit(unit).place),
            Choice::Step(to) => {
                let mut next = *state;
                if rules.make_step(&mut next, unit, to) {
                    ends.push(to);
                } else {
                    reach_by_steps(rules, &next, seen, ends);
                }
            }
            _ => {}
        }
    }
}

/// The same, slowly: the most points with which each hex can be entered, until nothing changes.
fn reach_by_relaxing(rules: &Rules, state: &State) -> Vec<Place> {
    let unit = state.activation.unit;
    let side = rules.side_of(state, unit);
    let start = state.unit(unit).place;
    let mut alone = *state;
    rules.lift(&mut alone, unit);
    let mut best: Vec<Option<u8>> = vec![None; crate::ids::LANDS + 1];
    best[start.index()] = Some(state.activation.points);
    let mut changed = true;
    let mut first = true;
    while changed {
        changed = false;
        for from in (0..=crate::ids::LANDS).map(|at| Place(at as u16)) {
            let Some(points) = best[from.index()] else { continue };
            let goes_on = first && from == start
                || !from.is_hex()
                || from != start && !rules.ezoc(&alone, from, side)
                || from == start && !rules.ezoc(&alone, start, side);
            if !goes_on {
                continue;
            }
            for to in (0..=crate::ids::LANDS).map(|at| Place(at as u16)) {
                let is_near = !from.is_hex() || !to.is_hex() || rules.world.distance(from, to) == 1;
                if !is_near || to.is_hex() && rules.has_enemy(&alone, to, side) {
                    continue;
                }
                let Some(cost) = rules.step_cost(&alone, unit, from, to) else { continue };
                if cost <= points && best[to.index()].is_none_or(|known| known < points - cost) {
                    best[to.index()] = Some(points - cost);
                    changed = true;
                }
            }
        }
        first = false;
    }
    (0..=crate::ids::LANDS)
        .map(|at| Place(at as u16))
        .filter(|hex| best[hex.index()].is_some() && (!hex.is_hex() || alone.ground_at(*hex).is_none()))
        .collect()
}

#[test]
fn listed_steps_reach_what_a_slow_search_reaches() {
    let rules = testing::rules();
    let mut seed = 20_u64;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    let soviet: Vec<Place> = Place::hexes()
        .filter(|hex| {
            let info = rules.world.hex(*hex);
            info.country == Country::USSR && !info.faded && info.lat < 6_500
        })
        .collect();
    let armies = |country: Country| {
        let units = &rules.world.country(country).units;
        units.iter().copied().filter(|unit| rules.kind(*unit).is_field()).take(24).collect::<Vec<_>>()
    };
    for round in 0..12 {
        let mut state = testing::position(&rules, &EAST);
        // A crowded corner of the map, so that friends and enemies are met.
        let middle = soviet[random(soviet.len())];
        let near: Vec<Place> =
            soviet.iter().copied().filter(|hex| rules.world.distance(*hex, middle) <= 4).collect();
        for unit in armies(Country::GER).into_iter().chain(armies(Country::USSR)) {
            let hex = near[random(near.len())];
            if state.ground_at(hex).is_none() && random(3) > 0 {
                rules.put(&mut state, unit, hex);
            }
        }
        let here: Vec<UnitId> = UnitId::all().filter(|unit| state.unit(*unit).on_map()).collect();
        let unit = here[random(here.len())];
        if round % 2 == 0 {
            state.unit_mut(unit).supply = Supply::Low;
        }
        activated(&rules, &mut state, unit);
        let (mut seen, mut ends) = (Vec::new(), Vec::new());
        reach_by_steps(&rules, &state, &mut seen, &mut ends);
        ends.sort();
        ends.dedup();
        assert_eq!(ends, reach_by_relaxing(&rules, &state), "round {round}");
    }
}

/// 4.2: a unit that has done nothing yet may always make a minimum move, however little it can pay; afterwards not.
#[test]
fn a_minimum_move_is_always_possible_but_only_as_the_first() {
    let rules = testing::rules();
    let mut state = testing::position(&rules, &EAST);
    let unit = testing::put(&rules, &mut state, "USSR-7A", "1443");
    activated(&rules, &mut state, unit);
    let steps =
        |state: &State| options(&rules, state).iter().filter(|c| matches!(c, Choice::Step(_))).count();
    let free = steps(&state);
    assert!(free > 0);
    state.activation.points = 0;
    assert_eq!(steps(&state), free);
    state.activation.begun = true;
    assert_eq!(steps(&state), 0);
}
