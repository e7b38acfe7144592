//! The worked examples of 50.4 and 50.8, and C10, with hand-made positions and the full war.

use std::sync::Arc;

use kernel::Discard;

use crate::choice::Choice;
use crate::frame::Frame;
use crate::game_event::WillCause;
use crate::ids::{Country, Faction, Place, Side, UnitId};
use crate::markers::{Marker, Owner};
use crate::rules::Rules;
use crate::scenario_file;
use crate::settings::Settings;
use crate::state::{Fight, Phase, State, Status, event, fate, flag, note};
use crate::tables::{Diplomat, turn_of};
use crate::testing;

fn full_war() -> (Rules, State) {
    with_politics(false)
}

fn with_politics(historical: bool) -> (Rules, State) {
    let scenario = Arc::new(scenario_file::chosen("main-event-1939").expect("the full war"));
    let rules = Rules::new(Settings { scenario, secret: false, historical, variable: false });
    let state = rules.opening();
    (rules, state)
}

fn hex(rules: &Rules, city: &str) -> Place {
    rules.world.city(rules.world.city_named(city).expect(city)).hex
}

fn unit(rules: &Rules, id: &str) -> UnitId {
    rules.world.unit_named(id).expect(id)
}

fn will(state: &State, country: Country) -> i16 {
    state.country(country).will
}

fn place(state: &State, rules: &Rules, id: &str) -> Place {
    state.unit(unit(rules, id)).place
}

/// Takes every unit off the map, so that hexes can change hands without anybody being displaced.
fn clear(rules: &Rules, state: &mut State) {
    for unit in UnitId::all().filter(|unit| state.unit(*unit).on_map()).collect::<Vec<_>>() {
        rules.lift(state, unit);
        state.unit_mut(unit).place = Place::POOL;
    }
}

/// A unit passes through a city.
fn enter(rules: &Rules, state: &mut State, by: &str, city: &str) {
    rules.enter_hex(state, unit(rules, by), hex(rules, city), &mut Discard);
}

/// An army is lost while it defends, to a unit.
fn lose_defending(rules: &Rules, state: &mut State, country: Country, to: &str) {
    state.fight = Fight { primary: unit(rules, to), ..Fight::NONE };
    let lost = rules.world.country(country).units[0];
    rules.change_will(state, country, -1, WillCause::UnitLost(lost), &mut Discard);
    state.fight = Fight::NONE;
}

/// What follows as soon as no step is under way, without the sequence of play going on.
fn look(rules: &Rules, state: &mut State) {
    loop {
        if state.collapsing != 0 && state.frame().is_calm() {
            rules.look_at_will(state, &mut Discard);
            continue;
        }
        match state.frame() {
            Frame::Collapse(country) => rules.proceed_collapse(state, country, &mut Discard),
            Frame::Conquest(country, step) => rules.proceed_conquest(state, country, step, &mut Discard),
            _ => return,
        }
    }
}

/// Answers a question of politics, and what follows.
fn answer(rules: &Rules, state: &mut State, choice: Choice) {
    let mut choices = Vec::new();
    rules.list(state, &mut choices);
    assert!(choices.contains(&choice), "{choice:?} is not among {choices:?} at {:?}", state.frame());
    rules.play_politics(state, state.frame(), choice, &mut Discard);
    look(rules, state);
}

fn fall(rules: &Rules, state: &mut State, country: Country) {
    let by = -will(state, country);
    rules.change_will(state, country, by, WillCause::Reset, &mut Discard);
    look(rules, state);
}

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
    for (at, die) in [3, 5, 1, 6].into_iter().enumerate() {
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
    assert_eq!((will(&state, Country::GER), will(&state, Country::USSR)), (22, 122));
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
fn d03_d10_who_applies_influence() {
    let (rules, mut state) = full_war();
    state.push(Frame::Declare(Faction::Axis));
    answer(&rules, &mut state, Choice::Declare(Country::BEL));
    assert_eq!(state.country(Country::BEL).side, Side::Western);
    assert!(place(&state, &rules, "BEL-1").is_hex());
    assert_eq!(state.frame(), Frame::InfluenceDie(Faction::Axis));
    answer(&rules, &mut state, Choice::Die(4));
    assert_eq!(state.frame(), Frame::Influence(Faction::Soviet));
    answer(&rules, &mut state, Choice::Influence(Country::YUG));
    assert_eq!(state.country(Country::YUG).pro, Some(Faction::Soviet));
    assert_eq!(state.frame(), Frame::Declare(Faction::Axis));
    state.pop();
    state.push(Frame::DrawMarker(Faction::Soviet));
    answer(&rules, &mut state, Choice::Drawn(Diplomat::Failure));
    answer(&rules, &mut state, Choice::Die(3));
    assert_eq!(state.frame(), Frame::Influence(Faction::Axis));
    // Ruling 104: a rival's marker is removed, and that is all.
    answer(&rules, &mut state, Choice::Influence(Country::YUG));
    assert_eq!(
        (state.country(Country::YUG).pro, state.country(Country::YUG).status),
        (None, Status::Neutral)
    );
}

#[test]
fn d04_c10_the_pact_is_evaluated() {
    let (rules, mut state) = full_war();
    state.turn = turn_of(1940, 9);
    rules.begin_declarations(&mut state, Faction::Axis, &mut Discard);
    assert_eq!(state.frame(), Frame::Declare(Faction::Axis), "not before October 1940");
    state.pop();
    state.turn = turn_of(1940, 10);
    for round in 1..=5 {
        rules.begin_declarations(&mut state, Faction::Axis, &mut Discard);
        answer(&rules, &mut state, Choice::Evaluate);
        answer(&rules, &mut state, Choice::Die(if round == 1 { 1 } else { 6 }));
        assert!(state.pact(), "round {round}");
        assert_eq!(state.frame(), Frame::EndPact, "an evaluation has been made");
        answer(&rules, &mut state, Choice::Pass);
        answer(&rules, &mut state, Choice::Pass);
    }
    state.turn = turn_of(1941, 6);
    rules.begin_declarations(&mut state, Faction::Axis, &mut Discard);
    answer(&rules, &mut state, Choice::Evaluate);
    answer(&rules, &mut state, Choice::Die(5));
    assert!(!state.pact() && !state.occurred(event::EAST) && state.occurred(event::USA));
    assert_eq!(state.frame(), Frame::Declare(Faction::Axis));
    state.pop();
    // C10: six turns later the USA is there, and with it everything else.
    assert_eq!(state.usa_turn, turn_of(1941, 12));
    state.turn = turn_of(1941, 11);
    rules.begin_declarations(&mut state, Faction::Axis, &mut Discard);
    assert_eq!(state.country(Country::USA).status, Status::Pending);
    state.pop();
    state.turn = turn_of(1941, 12);
    rules.begin_declarations(&mut state, Faction::Axis, &mut Discard);
    assert_eq!(state.country(Country::USA).side, Side::Western);
    assert!(
        state.occurred(event::EAST) && state.occurred(event::WEST) && state.occurred(event::MEDITERRANEAN)
    );
    assert_eq!(state.east_turn, turn_of(1941, 12));
}

#[test]
fn d05_d06_d07_the_winter_war() {
    let (rules, mut state) = full_war();
    state.turn = turn_of(1939, 12);
    state.push(Frame::Declare(Faction::Soviet));
    answer(&rules, &mut state, Choice::Declare(Country::FIN));
    let finland = state.country(Country::FIN);
    assert_eq!((finland.status, finland.side), (Status::Active, Side::Lone));
    assert_eq!(state.controller(hex(&rules, "helsinki")), Side::Lone);
    assert!(state.occurred(event::NORTH));
    for id in ["USSR-14A", "USSR-23A", "USSR-VL"] {
        assert!(place(&state, &rules, id).is_hex(), "{id}");
    }
    let isthmus = unit(&rules, "FIN-ISTH");
    assert_eq!(rules.side_of(&state, isthmus).player(), Faction::Western);
    answer(&rules, &mut state, Choice::Die(1));
    if let Frame::Influence(Faction::Axis) = state.frame() {
        answer(&rules, &mut state, Choice::Influence(Country::ITA));
    }
    // D07: the Pact ends first.
    let mut war = state;
    rules.end_pact(&mut war, &mut Discard);
    assert_eq!(war.country(Country::FIN).side, Side::Axis);
    assert_eq!(war.controller(hex(&rules, "helsinki")), Side::Axis);
    assert!(war.unit(isthmus).place.is_hex());
    // D06: peace with Viipuri taken.
    for unit in UnitId::all().filter(|unit| rules.info(*unit).country == Country::FIN).collect::<Vec<_>>() {
        rules.lift(&mut state, unit);
    }
    enter(&rules, &mut state, "USSR-23A", "viipuri");
    let before = will(&state, Country::USSR);
    answer(&rules, &mut state, Choice::Peace(Country::FIN));
    let finland = state.country(Country::FIN);
    assert_eq!((finland.status, finland.pro), (Status::Neutral, Some(Faction::Axis)));
    assert_eq!(will(&state, Country::USSR), before + 2);
    assert_eq!(rules.owner(&state, hex(&rules, "viipuri")), Country::USSR);
    assert_eq!(state.controller(hex(&rules, "viipuri")), Side::Soviet);
    assert_eq!(state.controller(hex(&rules, "helsinki")), Side::Nobody);
    assert_eq!(state.unit(isthmus).place, Place::LATER);
}

#[test]
fn d11_bombs_on_london_are_an_invasion_of_the_west() {
    let (rules, mut state) = full_war();
    let london = hex(&rules, "london");
    rules.attack_hex(&mut state, unit(&rules, "UK-BC"), london, &mut Discard);
    assert_eq!(state.events, 0);
    rules.attack_hex(&mut state, unit(&rules, "GER-LF2"), london, &mut Discard);
    assert_eq!(state.events, event::WEST);
    assert!(state.noted(note::FRENCH_DUE));
    // The French units come at the end of the Axis Operations Phase.
    rules.end_of_operations(&mut state, Faction::Western, &mut Discard);
    assert!(state.noted(note::FRENCH_DUE));
    rules.end_of_operations(&mut state, Faction::Axis, &mut Discard);
    assert_eq!(place(&state, &rules, "FRA-10A"), Place::POOL);
    let Frame::PlaceAir(air) = state.frame() else { panic!("{:?}", state.frame()) };
    assert_eq!(rules.info(air).id, "FRA-AIR2");
    let lyon = hex(&rules, "lyon");
    answer(&rules, &mut state, Choice::To(lyon));
    assert_eq!(state.unit(air).place, lyon);
    rules.end_of_operations(&mut state, Faction::Axis, &mut Discard);
    assert_eq!(state.frame(), Frame::Flow);
}

#[test]
fn the_soviet_border_has_a_north_and_a_south() {
    let rules = testing::rules();
    let sides = [(Country::GER, Side::Axis), (Country::USSR, Side::Soviet)];
    let mut state = testing::position(&rules, &sides);
    let army = unit(&rules, "GER-4A");
    rules.attack_hex(&mut state, army, hex(&rules, "minsk"), &mut Discard);
    assert_eq!(state.events, event::EAST);
    rules.attack_hex(&mut state, unit(&rules, "GER-LF1"), hex(&rules, "murmansk"), &mut Discard);
    assert_eq!(state.events & event::NORTH, 0, "aircraft do not call up the border");
    rules.attack_hex(&mut state, army, hex(&rules, "murmansk"), &mut Discard);
    assert_ne!(state.events & event::NORTH, 0);
    rules.enter_hex(&mut state, army, hex(&rules, "sevastopol"), &mut Discard);
    assert_ne!(state.events & event::SOUTH, 0);
}

#[test]
fn history_takes_its_course() {
    let (rules, mut state) = with_politics(true);
    clear(&rules, &mut state);
    assert_eq!(state.cup, [0; 10]);
    state.turn = turn_of(1940, 3);
    rules.begin_declarations(&mut state, Faction::Axis, &mut Discard);
    assert_eq!(rules.owner(&state, hex(&rules, "viipuri")), Country::USSR);
    state.pop();
    state.turn = turn_of(1940, 6);
    rules.begin_declarations(&mut state, Faction::Axis, &mut Discard);
    assert_eq!(state.country(Country::ITA).side, Side::Axis);
    assert!(state.occurred(event::MEDITERRANEAN));
    let estonia = state.country(Country::EST);
    assert_eq!((estonia.status, estonia.side), (Status::Conquered, Side::Soviet));
    assert_eq!(state.controller(hex(&rules, "tallinn")), Side::Soviet);
    answer(&rules, &mut state, Choice::Declare(Country::GRE));
    assert_eq!(state.frame(), Frame::Declare(Faction::Axis), "no die with historical politics");
    state.pop();
    for turn in [turn_of(1940, 9), turn_of(1940, 11)] {
        state.turn = turn;
        rules.begin_declarations(&mut state, Faction::Axis, &mut Discard);
        state.pop();
    }
    assert_eq!(rules.owner(&state, hex(&rules, "cluj")), Country::HUN);
    assert_eq!(state.controller(hex(&rules, "cluj")), Side::Axis);
    // 1944: Romania goes over when the Soviets stand in it; a Romanian army in the USSR goes home.
    rules.end_pact(&mut state, &mut Discard);
    clear(&rules, &mut state);
    let abroad = testing::put(&rules, &mut state, "ROM-3", "3043");
    state.control[hex(&rules, "kiev").index()] = Side::Axis;
    let home = testing::put(&rules, &mut state, "ROM-1", "4141");
    state.turn = turn_of(1944, 8);
    rules.begin_declarations(&mut state, Faction::Axis, &mut Discard);
    assert_eq!(state.country(Country::ROM).side, Side::Axis);
    while state.frame() != Frame::Flow {
        state.pop();
    }
    let red = testing::put(&rules, &mut state, "USSR-3A", &rules.world.place_name(hex(&rules, "iasi")));
    rules.enter_hex(&mut state, red, hex(&rules, "iasi"), &mut Discard);
    rules.begin_declarations(&mut state, Faction::Axis, &mut Discard);
    assert_eq!(state.country(Country::ROM).side, Side::Soviet);
    assert_eq!(
        (state.unit(abroad).place, state.unit(home).place),
        (Place::POOL, rules.world.hex_named("4141").expect("a hex"))
    );
    assert_eq!(state.controller(hex(&rules, "bucharest")), Side::Soviet);
    assert_eq!(state.controller(hex(&rules, "cluj")), Side::Axis, "Hungary's");
}

#[test]
fn the_cup_does_what_its_markers_say() {
    let (rules, start) = full_war();
    let draw = |marker: Diplomat| {
        let mut state = start;
        state.push(Frame::DrawMarker(Faction::Axis));
        answer(&rules, &mut state, Choice::Drawn(marker));
        state
    };
    let state = draw(Diplomat::NoEvent);
    assert_eq!((state.cup[0], state.holding[0], state.frame()), (17, 7, Frame::Flow));
    let state = draw(Diplomat::Bessarabia);
    assert_eq!((will(&state, Country::USSR), state.country(Country::ROM).pro), (122, Some(Faction::Axis)));
    let state = draw(Diplomat::Baltic);
    assert_eq!(state.controller(hex(&rules, "riga")), Side::Soviet);
    assert_eq!(will(&state, Country::USSR), 120);
    let state = draw(Diplomat::Vienna);
    assert_eq!(state.country(Country::BUL).pro, Some(Faction::Axis));
    assert_eq!(rules.owner(&state, hex(&rules, "cluj")), Country::HUN);
    let state = draw(Diplomat::Iraq);
    assert_eq!((state.cup[8], state.country(Country::IRQ).status), (1, Status::Neutral));
    let state = draw(Diplomat::Trade);
    assert!(state.noted(note::TRADE) && state.holding[9] == 1);
    // Nobody bears a marker: only Poland, an enemy whose armies stand at home, can be named.
    let mut state = draw(Diplomat::Coup);
    let mut choices = Vec::new();
    rules.list(&state, &mut choices);
    assert_eq!(choices, [Choice::Coup(Country::POL)]);
    answer(&rules, &mut state, choices[0]);
    answer(&rules, &mut state, Choice::Die(1));
    assert_eq!(will(&state, Country::POL), 14);
    let mut state = draw(Diplomat::Karelia);
    answer(&rules, &mut state, Choice::Die(2));
    assert_eq!((will(&state, Country::USSR), state.country(Country::FIN).pro), (122, Some(Faction::Axis)));
    let mut state = draw(Diplomat::Karelia);
    answer(&rules, &mut state, Choice::Die(3));
    assert_eq!(state.frame(), Frame::FinlandWar);
    let mut war = state;
    answer(&rules, &mut war, Choice::Declare(Country::FIN));
    assert_eq!(war.country(Country::FIN).side, Side::Lone);
    answer(&rules, &mut state, Choice::Pass);
    assert_eq!(state.country(Country::FIN).pro, Some(Faction::Axis));
    // A Coup against a neutral with a rival's marker: 1 to 3 remove it, 4 and 5 put one's own there, 6 nothing.
    for (die, pro) in [(3, None), (5, Some(Faction::Axis)), (6, Some(Faction::Western))] {
        let mut state = start;
        state.country_mut(Country::SWE).pro = Some(Faction::Western);
        state.push(Frame::DrawMarker(Faction::Axis));
        answer(&rules, &mut state, Choice::Drawn(Diplomat::Coup));
        answer(&rules, &mut state, Choice::Coup(Country::SWE));
        answer(&rules, &mut state, Choice::Die(die));
        assert_eq!(state.country(Country::SWE).pro, pro);
    }
}

#[test]
fn who_may_declare_war_on_whom() {
    let (rules, mut state) = full_war();
    let on =
        |state: &State, faction, country: Country| rules.declared(state, faction) >> country.index() & 1 != 0;
    state.country_mut(Country::ITA).pro = Some(Faction::Axis);
    state.country_mut(Country::YUG).pro = Some(Faction::Soviet);
    assert!(!on(&state, Faction::Axis, Country::ITA) && on(&state, Faction::Axis, Country::YUG));
    assert!(!on(&state, Faction::Axis, Country::USA), "ruling 105");
    assert!(on(&state, Faction::Western, Country::ITA) && on(&state, Faction::Western, Country::IRQ));
    assert!(!on(&state, Faction::Western, Country::SPA));
    assert!(on(&state, Faction::Soviet, Country::FIN) && !on(&state, Faction::Soviet, Country::SWE));
    state.turn = turn_of(1943, 1);
    assert!(on(&state, Faction::Western, Country::SPA));
    // A victim with a Pro-Soviet marker joins the Soviets once the Pact has ended.
    state.war_east = true;
    state.push(Frame::Declare(Faction::Axis));
    answer(&rules, &mut state, Choice::Declare(Country::YUG));
    assert_eq!(state.country(Country::YUG).side, Side::Soviet);
}

#[test]
fn scandinavia_falls_city_by_city() {
    let scenario = Arc::new(scenario_file::chosen("scandinavia-1940").expect("Scandinavia"));
    let rules = Rules::new(Settings { scenario, secret: false, historical: false, variable: false });
    let mut state = rules.opening();
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

#[test]
fn france_1940_opens_the_low_countries_and_italy() {
    let scenario = Arc::new(scenario_file::chosen("france-1940").expect("France"));
    let rules = Rules::new(Settings { scenario, secret: false, historical: false, variable: false });
    let mut state = rules.start();
    assert_eq!((state.frame(), state.phase), (Frame::WeatherDie(0), Phase::Weather));
    rules.invade_low_countries(&mut state, &mut Discard);
    assert!(!state.noted(note::LOW_COUNTRIES));
    assert_eq!(place(&state, &rules, "BEL-1"), hex(&rules, "antwerp"));
    assert_eq!(state.controller(hex(&rules, "amsterdam")), Side::Western);
    assert_eq!(will(&state, Country::NED), 5);
    rules.end_of_operations(&mut state, Faction::Axis, &mut Discard);
    assert!(matches!(state.frame(), Frame::PlaceAir(_)));
    state.pop();
    state.turn = turn_of(1940, 6);
    rules.begin_turn(&mut state, &mut Discard);
    assert_eq!(state.country(Country::ITA).side, Side::Axis);
    assert_eq!(rules.world.place_name(place(&state, &rules, "ITA-1A")), "3922");
    assert_eq!(place(&state, &rules, "UK-SO"), Place::POOL);
}
