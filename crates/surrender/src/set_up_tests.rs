use super::*;
use crate::frame::Frame;
use crate::scenario_file;
use crate::settings::Settings;
use crate::state::Supply;
use std::sync::Arc;

/// Rules of one of our scenarios.
fn rules_of(id: &str) -> Rules {
    let scenario = Arc::new(scenario_file::chosen(id).expect(id));
    Rules::new(Settings { scenario, secret: false, historical: false, variable: false })
}

fn city_hex(rules: &Rules, id: &str) -> Place {
    rules.world.city(rules.world.city_named(id).expect(id)).hex
}

#[test]
fn every_scenario_stands_as_its_file_says() {
    for scenario in scenario_file::builtin() {
        let rules = rules_of(&scenario.id);
        let state = rules.opening();
        assert_eq!(state.turn, scenario.first, "{}", scenario.id);
        for entry in &scenario.setup {
            let (unit, info) = (state.unit(entry.unit), rules.info(entry.unit));
            if scenario.is_held_back(info.country) {
                assert_eq!(unit.place, Place::LATER, "{}", info.id);
                continue;
            }
            assert_eq!(
                (unit.place, unit.level, unit.supply),
                (entry.place, entry.level, entry.supply),
                "{}",
                info.id
            );
            if entry.place.is_hex() {
                assert_eq!(state.controller(entry.place), rules.side_of(&state, entry.unit), "{}", info.id);
            }
        }
        for unit in &scenario.pool {
            assert_eq!(state.unit(*unit).place, Place::POOL);
        }
        let listed = scenario.setup.len() + scenario.pool.len();
        let there = UnitId::all().filter(|unit| {
            let place = state.unit(*unit).place;
            place.on_map() || place == Place::POOL
        });
        if scenario.country_setup == 0 && scenario.hooks.low_countries == 0 {
            assert_eq!(there.count(), listed, "{}", scenario.id);
        }
        for unit in UnitId::all().filter(|unit| state.unit(*unit).place.is_hex()) {
            let place = state.unit(unit).place;
            let found = match rules.kind(unit).slot() {
                crate::world::Slot::Ground => state.ground_at(place),
                slot => rules
                    .world
                    .city_at(place)
                    .and_then(|city| state.bases[city.index()][slot as usize].some()),
            };
            assert_eq!(found, Some(unit), "two units in one slot");
        }
    }
}

#[test]
fn the_full_war_begins_with_the_weather() {
    let rules = rules_of("main-event-1939");
    let state = rules.start();
    assert_eq!((state.frame(), state.turn), (Frame::WeatherDie(0), 0));
    for (country, side) in [
        (Country::GER, Side::Axis),
        (Country::UK, Side::Western),
        (Country::FRA, Side::Western),
        (Country::POL, Side::Western),
        (Country::USSR, Side::Soviet),
    ] {
        let entry = state.country(country);
        assert_eq!((entry.status, entry.side), (Status::Active, side));
        // The USSR has a number of its own in this war.
        let known = rules.world.country(country).will;
        assert_eq!(entry.will, if country == Country::USSR { 102 } else { known });
    }
    assert_eq!(state.country(Country::USA).status, Status::Pending);
    assert_eq!(state.country(Country::VIC).status, Status::Absent);
    assert_eq!(state.country(Country::ITA).status, Status::Neutral);
    assert_eq!(state.controller(city_hex(&rules, "rome")), Side::Nobody);
    assert!(state.war_west && state.pact());
    // D08: the first draw from the full Cup.
    assert_eq!((state.cup[1], state.cup.iter().sum::<u8>()), (5, 36));
    // Markers by date: two of Germany's Ground Supports, none of neutral Italy's.
    assert_eq!(rules.ready(&state, Marker::GroundSupport, Owner::Country(Country::GER)), 2);
    assert_eq!(rules.ready(&state, Marker::GroundSupport, Owner::Country(Country::POL)), 1);
    assert_eq!(rules.ready(&state, Marker::GroundSupport, Owner::Country(Country::ITA)), 0);
}

#[test]
fn poland_begins_as_its_file_says() {
    let rules = rules_of("poland-1939");
    let state = rules.start();
    assert_eq!(state.frame(), Frame::WeatherDie(0));
    assert_eq!(state.country(Country::POL).will, 19);
    assert_eq!(state.country(Country::GER).will, 20);
    assert_eq!(state.country(Country::FRA).status, Status::Absent);
    let kar = rules.world.unit_named("POL-KAR").expect("Karpaty");
    assert!(Rules::is_reduced(&state, kar) && state.unit(kar).supply == Supply::Full);
    assert_eq!(rules.ready(&state, Marker::GroundSupport, Owner::Country(Country::GER)), 2);
}

#[test]
fn conquered_and_ceded_ground_is_known_at_the_start() {
    let rules = rules_of("ussr-1941");
    let state = rules.opening();
    let conquered = |country: Country| (state.country(country).status, state.country(country).side);
    assert_eq!(conquered(Country::POL), (Status::Conquered, Side::Axis));
    assert_eq!(conquered(Country::NOR), (Status::Conquered, Side::Axis));
    assert_eq!(conquered(Country::EST), (Status::Conquered, Side::Soviet));
    assert_eq!(conquered(Country::SWE).0, Status::Absent);
    assert_eq!(rules.owner(&state, city_hex(&rules, "lwow")), Country::USSR);
    assert_eq!(rules.owner(&state, city_hex(&rules, "cluj")), Country::HUN);
    assert_eq!(state.surprise[Faction::Axis.index()], state.turn);
    let rules = rules_of("france-1944");
    let state = rules.opening();
    assert_eq!(state.country(Country::FRA).status, Status::Active);
    assert_eq!(state.controller(city_hex(&rules, "ajaccio")), Side::Western);
    assert_eq!(state.controller(city_hex(&rules, "paris")), Side::Axis);
    assert!(rules.has_fort(&state, city_hex(&rules, "cherbourg")));
    let rules = rules_of("france-1940");
    let state = rules.opening();
    assert_eq!(state.country(Country::BEL).status, Status::Neutral);
    assert_eq!(state.country(Country::ITA).status, Status::Neutral);
    assert_eq!(state.controller(city_hex(&rules, "brussels")), Side::Nobody);
    assert!(state.noted(note::LOW_COUNTRIES));
}
