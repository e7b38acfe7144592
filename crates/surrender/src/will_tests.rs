//! The worked examples of 50.4: National Will, conquest, liberation.

use kernel::Discard;

use crate::choice::Choice;
use crate::frame::Frame;
use crate::ids::{Country, Faction, Place, Side, UnitId};
use crate::markers::{Marker, Owner};
use crate::politics_testing::*;
use crate::rules::Rules;
use crate::state::{State, Status, event, fate, flag};
use crate::tables::Diplomat;
use crate::testing;

#[test]
fn w01_poland_falls_step_by_step() {
    let (rules, mut state) = full_war();
    clear(&rules, &mut state);
    let mut seen = Vec::new();
    let mut note = |state: &State| seen.push(will(state, Country::POL));
    for city in ["krakow", "lodz"] {
        enter(&rules, &mut state, "GER-8A", city);
        note(&state);
    }
    lose_defending(&rules, &mut state, Country::POL, "GER-8A");
    note(&state);
    for city in ["poznan", "warsaw"] {
        enter(&rules, &mut state, "GER-8A", city);
        note(&state);
    }
    for _ in 0..5 {
        lose_defending(&rules, &mut state, Country::POL, "GER-8A");
        note(&state);
    }
    assert_eq!(seen, [14, 12, 11, 9, 5, 4, 3, 2, 1, 0]);
    assert_eq!(state.country(Country::POL).status, Status::Active, "only once the step is over");
    look(&rules, &mut state);
    let poland = state.country(Country::POL);
    assert_eq!((poland.status, poland.side), (Status::Conquered, Side::Axis));
    assert_eq!(will(&state, Country::GER), 22);
    assert_eq!(state.controller(hex(&rules, "lublin")), Side::Axis);
}

/// Ruling 107: a Lone country that falls brings the Soviets what they claim of it, but no Pro-marker, and Germany nothing.
#[test]
fn finland_falls_alone() {
    let (rules, mut state) = full_war();
    rules.activate(&mut state, Country::FIN, Side::Lone, &mut Discard);
    while state.frame() != Frame::Flow {
        state.pop();
    }
    clear(&rules, &mut state);
    let before = will(&state, Country::GER);
    for city in ["viipuri", "helsinki"] {
        enter(&rules, &mut state, "USSR-23A", city);
    }
    fall(&rules, &mut state, Country::FIN);
    let finland = state.country(Country::FIN);
    assert_eq!((finland.status, finland.side), (Status::Conquered, Side::Soviet));
    assert_eq!(rules.owner(&state, hex(&rules, "viipuri")), Country::USSR);
    assert_eq!(will(&state, Country::GER), before);
    assert!(rules.pro_places(&state, Faction::Soviet, Country::FIN).next().is_some(), "somebody to court");
    assert_eq!(state.frame(), Frame::Flow);
}

#[test]
fn w02_w09_france_falls_and_its_areas_are_rolled_for() {
    let (rules, mut state) = full_war();
    // Nobody is displaced from a base here; `displacement` has tests of its own.
    for unit in UnitId::all().filter(|unit| rules.kind(*unit).is_air()) {
        if state.unit(unit).place.is_hex() && rules.info(unit).country != Country::GER {
            rules.lift(&mut state, unit);
        }
    }
    for city in ["lille", "sedan", "le-havre"] {
        enter(&rules, &mut state, "GER-4A", city);
    }
    for _ in 0..2 {
        lose_defending(&rules, &mut state, Country::FRA, "GER-4A");
    }
    assert_eq!(will(&state, Country::FRA), 4);
    enter(&rules, &mut state, "GER-4A", "paris");
    assert_eq!(will(&state, Country::FRA), 0);
    look(&rules, &mut state);
    assert_eq!(will(&state, Country::GER), 28);
    for (at, die) in [4, 5, 1, 6].into_iter().enumerate() {
        assert_eq!(state.frame(), Frame::AreaDie(at as u8));
        answer(&rules, &mut state, Choice::Die(die));
    }
    let owners = ["casablanca", "algiers", "tunis", "damascus"].map(|city| {
        let hex = hex(&rules, city);
        (rules.owner(&state, hex), state.controller(hex))
    });
    assert_eq!(
        owners,
        [
            (Country::VIC, Side::Nobody),
            (Country::FRA, Side::Western),
            (Country::VIC, Side::Nobody),
            (Country::FRA, Side::Western)
        ]
    );
    // The fleet: the first ship stays French, the others are lost.
    let mut ships = 0;
    while let Frame::FleetDie(ship) = state.frame() {
        let die = if ships == 0 { 5 } else { 4 };
        answer(&rules, &mut state, Choice::Die(die));
        let after = state.unit(ship);
        if ships == 0 {
            assert!(after.has(flag::FREE) && after.level == 4);
            assert_eq!(rules.side_of(&state, ship), Side::Western);
            assert_eq!(rules.world.hex(after.place).country, Country::UK);
        } else {
            assert_eq!(after.place, Place::OUT);
        }
        ships += 1;
    }
    assert!(ships >= 2);
    assert_eq!(place(&state, &rules, "FRA-FF1"), Place::POOL);
    assert_eq!(rules.side_of(&state, unit(&rules, "FRA-FF1")), Side::Western);
    assert_eq!(state.controller(hex(&rules, "lyon")), Side::Axis);
    assert_eq!(state.country(Country::VIC).status, Status::Neutral);
    assert!(matches!(state.frame(), Frame::ProMarker(Faction::Axis, Country::FRA)));
    answer(&rules, &mut state, Choice::Court(Country::SPA));
    assert_eq!(state.country(Country::SPA).pro, Some(Faction::Axis));
    // W10: the West declares war on this Vichy France.
    clear(&rules, &mut state);
    state.push(Frame::Declare(Faction::Western));
    answer(&rules, &mut state, Choice::Declare(Country::VIC));
    assert_eq!((state.country(Country::VIC).side, will(&state, Country::VIC)), (Side::Axis, 6));
    assert_eq!(state.frame(), Frame::Declare(Faction::Western), "no die after Vichy France");
    state.pop();
    clear(&rules, &mut state);
    enter(&rules, &mut state, "UK-BEF", "casablanca");
    assert_eq!(will(&state, Country::VIC), 2);
    enter(&rules, &mut state, "UK-BEF", "fez");
    assert_eq!(will(&state, Country::VIC), 0);
    look(&rules, &mut state);
    assert_eq!(state.country(Country::VIC).status, Status::Conquered);
    assert_eq!(state.controller(hex(&rules, "tunis")), Side::Western);
    assert_eq!(state.controller(hex(&rules, "gabes")), Side::Western);
    // Ruling 112: a second fall needs no dice, and Germany has had its National Will (2.1.2).
    if let Frame::ProMarker(..) = state.frame() {
        answer(&rules, &mut state, Choice::Pass);
    }
    enter(&rules, &mut state, "UK-BEF", "paris");
    assert_eq!((state.country(Country::FRA).status, will(&state, Country::FRA)), (Status::Active, 6));
    enter(&rules, &mut state, "GER-4A", "paris");
    fall(&rules, &mut state, Country::FRA);
    assert_eq!(state.country(Country::FRA).status, Status::Conquered);
    assert!(!matches!(state.frame(), Frame::AreaDie(_)));
    assert_eq!(will(&state, Country::GER), 28);
}

#[test]
fn w03_w07_cities_regained_count_again() {
    let rules = testing::rules();
    let sides = [
        (Country::GER, Side::Axis),
        (Country::ITA, Side::Axis),
        (Country::FRA, Side::Western),
        (Country::UK, Side::Western),
    ];
    let mut state = testing::position(&rules, &sides);
    state.country_mut(Country::FRA).will = 50;
    for (city, worth) in [("lyon", 2), ("paris", 4), ("algiers", 1)] {
        enter(&rules, &mut state, "GER-4A", city);
        assert_eq!(will(&state, Country::FRA), 50 - worth, "{city}");
        enter(&rules, &mut state, "UK-BEF", city);
        assert_eq!(will(&state, Country::FRA), 50, "{city}: an ally will do");
    }
    // W07: Tobruk.
    let mut seen = Vec::new();
    for by in ["UK-BEF", "GER-4A", "UK-BEF"] {
        enter(&rules, &mut state, by, "tobruk");
        seen.push(will(&state, Country::ITA));
    }
    assert_eq!(seen, [13, 14, 13]);
    // A port without a city carries nothing, and nothing happens where one's own unit passes.
    let before = will(&state, Country::UK);
    enter(&rules, &mut state, "GER-4A", "scapa-flow");
    enter(&rules, &mut state, "UK-BEF", "london");
    assert_eq!(will(&state, Country::UK), before);
}

#[test]
fn w04_d01_poland_is_shared() {
    let (rules, mut state) = full_war();
    clear(&rules, &mut state);
    enter(&rules, &mut state, "GER-8A", "warsaw");
    fall(&rules, &mut state, Country::POL);
    assert_eq!((will(&state, Country::GER), will(&state, Country::USSR)), (22, 104));
    let lwow = hex(&rules, "lwow");
    assert_eq!((rules.owner(&state, lwow), state.controller(lwow)), (Country::USSR, Side::Soviet));
    assert_eq!(place(&state, &rules, "UK-POL"), Place::POOL);
    assert_eq!(place(&state, &rules, "POL-POM"), Place::OUT);
    assert_ne!(state.country(Country::POL).fates & fate::WAS_ALLIED, 0);
    answer(&rules, &mut state, Choice::Court(Country::ITA));
    assert_eq!(state.country(Country::ITA).pro, Some(Faction::Axis));
    // D02: Political Success makes Italy join, and that is a Mediterranean Crisis.
    clear(&rules, &mut state);
    for id in ["UK-FH", "UK-WDF", "UK-DAF"] {
        state.unit_mut(unit(&rules, id)).place = Place::LATER;
    }
    state.push(Frame::DrawMarker(Faction::Axis));
    answer(&rules, &mut state, Choice::Drawn(Diplomat::Success));
    answer(&rules, &mut state, Choice::Influence(Country::ITA));
    assert_eq!(state.country(Country::ITA).side, Side::Axis);
    assert!(state.occurred(event::MEDITERRANEAN) && !state.occurred(event::WEST));
    for id in ["UK-FH", "UK-WDF", "UK-DAF"] {
        assert!(place(&state, &rules, id).is_hex(), "{id}");
    }
    assert_eq!(rules.ready(&state, Marker::GroundSupport, Owner::Country(Country::ITA)), 1);
    assert_eq!((state.cup[1], state.holding[1]), (4, 2), "the marker leaves the game");
    // W14: the Soviets take Warsaw, at war with the Axis by then.
    state.war_east = true;
    enter(&rules, &mut state, "USSR-3A", "warsaw");
    let poland = state.country(Country::POL);
    assert_eq!((poland.status, poland.side, poland.will), (Status::Active, Side::Soviet, 8));
    let armies =
        rules.world.country(Country::POL).units.iter().filter(|unit| state.unit(**unit).place == Place::POOL);
    assert_eq!(armies.clone().count(), 4);
    assert!(armies.clone().all(|unit| Rules::is_reduced(&state, *unit)));
    assert_eq!(rules.owner(&state, lwow), Country::USSR);
}

#[test]
fn w06_w13_a_great_power_in_crisis() {
    let (rules, mut state) = full_war();
    clear(&rules, &mut state);
    let army = testing::put(&rules, &mut state, "UK-BEF", "2816");
    state.country_mut(Country::UK).will = 1;
    enter(&rules, &mut state, "GER-4A", "valletta");
    look(&rules, &mut state);
    assert_eq!((will(&state, Country::UK), will(&state, Country::GER)), (7, 36));
    assert!(Rules::is_reduced(&state, army));
    assert_ne!(state.country(Country::UK).fates & fate::CRISIS, 0);
    assert_ne!(state.country(Country::UK).fates & fate::COLLAPSED, 0);
    fall(&rules, &mut state, Country::UK);
    assert_eq!((will(&state, Country::UK), will(&state, Country::GER)), (7, 36));
    assert_eq!(state.country(Country::UK).status, Status::Active);
}

#[test]
fn w08_each_small_country_is_worth_two() {
    let rules = testing::rules();
    let sides = [
        (Country::GER, Side::Axis),
        (Country::YUG, Side::Western),
        (Country::GRE, Side::Western),
        (Country::UK, Side::Western),
    ];
    let mut state = testing::position(&rules, &sides);
    let garrison =
        testing::put(&rules, &mut state, "GRE-CR", &rules.world.place_name(hex(&rules, "heraklion")));
    enter(&rules, &mut state, "GER-4A", "belgrade");
    enter(&rules, &mut state, "GER-4A", "athens");
    let greek = testing::put(&rules, &mut state, "GRE-EP", "4936");
    for country in [Country::YUG, Country::GRE] {
        fall(&rules, &mut state, country);
        assert_eq!(state.country(country).status, Status::Conquered);
    }
    assert_eq!(will(&state, Country::GER), 24);
    // 13.4 Greece: Crete is Western, its garrison the UK's; the army in Epirus is gone.
    assert_eq!(state.controller(hex(&rules, "heraklion")), Side::Western);
    assert_eq!(state.controller(hex(&rules, "larissa")), Side::Axis);
    assert_eq!(rules.country_of(&state, garrison), Country::UK);
    assert!(state.unit(garrison).on_map() && state.unit(greek).place == Place::OUT);
}

#[test]
fn denmark_keeps_iceland_for_the_west() {
    let rules = testing::rules();
    let sides = [(Country::GER, Side::Axis), (Country::DEN, Side::Western)];
    let mut state = testing::position(&rules, &sides);
    enter(&rules, &mut state, "GER-4A", "copenhagen");
    fall(&rules, &mut state, Country::DEN);
    assert_eq!(state.controller(hex(&rules, "reykjavik")), Side::Western);
    assert_eq!(state.controller(hex(&rules, "aarhus")), Side::Axis);
}

#[test]
fn w11_w12_italy_falls_and_is_liberated() {
    let rules = testing::rules();
    let sides = [(Country::GER, Side::Axis), (Country::ITA, Side::Axis), (Country::UK, Side::Western)];
    let mut state = testing::position(&rules, &sides);
    let army = testing::put(&rules, &mut state, "ITA-1A", "3922");
    state.country_mut(Country::ITA).will = 3;
    enter(&rules, &mut state, "UK-BEF", "syracuse");
    assert_eq!(will(&state, Country::ITA), 1);
    lose_defending(&rules, &mut state, Country::ITA, "UK-BEF");
    look(&rules, &mut state);
    let italy = state.country(Country::ITA);
    assert_eq!((italy.status, italy.side), (Status::Conquered, Side::Axis));
    assert_eq!((will(&state, Country::GER), state.unit(army).place), (28, Place::OUT));
    assert_eq!(state.controller(hex(&rules, "naples")), Side::Axis);
    assert_eq!(state.controller(hex(&rules, "syracuse")), Side::Western);
    enter(&rules, &mut state, "UK-BEF", "rome");
    let italy = state.country(Country::ITA);
    assert_eq!((italy.status, italy.side, italy.will), (Status::Active, Side::Western, 7));
    assert_eq!(state.controller(hex(&rules, "naples")), Side::Axis);
}

#[test]
fn scandinavia_falls_city_by_city() {
    let (rules, mut state) = scenario("scandinavia-1940");
    clear(&rules, &mut state);
    fall(&rules, &mut state, Country::DEN);
    assert_eq!(state.country(Country::DEN).status, Status::Active, "National Will is for display");
    enter(&rules, &mut state, "GER-18A", "copenhagen");
    look(&rules, &mut state);
    assert_eq!(state.country(Country::DEN).status, Status::Active);
    enter(&rules, &mut state, "GER-18A", "aarhus");
    look(&rules, &mut state);
    assert_eq!((state.country(Country::DEN).status, state.frame()), (Status::Conquered, Frame::Flow));
    assert_eq!(will(&state, Country::GER), 22);
}

/// 13.3: where two enemies hold as many cities, the one that dealt the last blow is the conqueror.
#[test]
fn of_two_with_as_many_cities_the_last_to_strike_conquers() {
    let sides = [
        (Country::GER, Side::Axis),
        (Country::ROM, Side::Axis),
        (Country::UK, Side::Western),
        (Country::USSR, Side::Soviet),
    ];
    for (last, conqueror) in [("UK-BEF", Side::Western), ("USSR-7A", Side::Soviet)] {
        let rules = testing::rules();
        let mut state = testing::position(&rules, &sides);
        enter(&rules, &mut state, "UK-BEF", "bucharest");
        enter(&rules, &mut state, "USSR-7A", "ploesti");
        let left = will(&state, Country::ROM);
        assert!(left > 0, "Romania still stands");
        for _ in 0..left {
            lose_defending(&rules, &mut state, Country::ROM, last);
        }
        look(&rules, &mut state);
        let romania = state.country(Country::ROM);
        assert_eq!((romania.status, romania.side), (Status::Conquered, conqueror), "{last}");
    }
}

/// 13.3: hexes of a conquered country in which an ally of it stands do not pass to the conqueror.
#[test]
fn an_ally_keeps_the_hex_it_stands_in() {
    let rules = testing::rules();
    let sides = [(Country::GER, Side::Axis), (Country::YUG, Side::Western), (Country::UK, Side::Western)];
    let mut state = testing::position(&rules, &sides);
    enter(&rules, &mut state, "GER-4A", "belgrade");
    let (held, left) = (hex(&rules, "skopje"), hex(&rules, "sarajevo"));
    let army = unit(&rules, "UK-BEF");
    rules.put(&mut state, army, held);
    fall(&rules, &mut state, Country::YUG);
    assert_eq!(state.country(Country::YUG).status, Status::Conquered);
    assert_eq!((state.controller(held), state.controller(left)), (Side::Western, Side::Axis));
}
