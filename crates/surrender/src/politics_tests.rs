//! The worked examples of 50.8, and C10; markers of the Cup, declarations, historical politics, scenarios.

use kernel::Discard;

use crate::choice::Choice;
use crate::frame::Frame;
use crate::ids::{Country, Faction, Place, Side, UnitId};
use crate::politics_testing::*;
use crate::state::{Phase, State, Status, event, note};
use crate::tables::{Diplomat, turn_of};
use crate::testing;

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
    answer(&rules, &mut state, Choice::Influence(Country::LIT));
    assert_eq!(state.country(Country::LIT).pro, Some(Faction::Soviet));
    assert_eq!(state.frame(), Frame::Declare(Faction::Axis));
    state.pop();
    state.push(Frame::DrawMarker(Faction::Soviet));
    answer(&rules, &mut state, Choice::Drawn(Diplomat::Failure));
    let mut even = state;
    answer(&rules, &mut even, Choice::Die(4));
    assert_eq!(even.frame(), Frame::Influence(Faction::Western));
    answer(&rules, &mut state, Choice::Die(3));
    assert_eq!(state.frame(), Frame::Influence(Faction::Axis));
    // Ruling 104: a rival's marker is removed, and that is all.
    answer(&rules, &mut state, Choice::Influence(Country::LIT));
    assert_eq!(
        (state.country(Country::LIT).pro, state.country(Country::LIT).status),
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
    assert_eq!((will(&state, Country::USSR), state.country(Country::ROM).pro), (104, Some(Faction::Axis)));
    let state = draw(Diplomat::Baltic);
    assert_eq!(state.controller(hex(&rules, "riga")), Side::Soviet);
    assert_eq!(will(&state, Country::USSR), 102);
    // Without the Pact they stay neutral, and the one who draws places a Pro-marker on one of them.
    let mut state = start;
    state.war_east = true;
    state.push(Frame::DrawMarker(Faction::Axis));
    answer(&rules, &mut state, Choice::Drawn(Diplomat::Baltic));
    assert_eq!(state.frame(), Frame::BalticPro(Faction::Axis));
    answer(&rules, &mut state, Choice::Court(Country::LAT));
    let latvia = state.country(Country::LAT);
    assert_eq!((latvia.status, latvia.pro), (Status::Neutral, Some(Faction::Axis)));
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
    // With an army abroad it can't be.
    let mut abroad = state;
    let army = UnitId::all().find(|unit| {
        rules.info(*unit).country == Country::POL
            && rules.kind(*unit).is_ground()
            && abroad.unit(*unit).on_map()
    });
    rules.put(&mut abroad, army.expect("a Polish army"), hex(&rules, "kaunas"));
    assert_eq!(rules.coups(&abroad, Faction::Axis).count(), 0);
    answer(&rules, &mut state, choices[0]);
    answer(&rules, &mut state, Choice::Die(1));
    assert_eq!(will(&state, Country::POL), 14);
    let mut state = draw(Diplomat::Karelia);
    answer(&rules, &mut state, Choice::Die(2));
    assert_eq!((will(&state, Country::USSR), state.country(Country::FIN).pro), (104, Some(Faction::Axis)));
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
fn france_1940_opens_the_low_countries_and_italy() {
    let (rules, _) = scenario("france-1940");
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

/// 10.4: with a marker that is put into the Cup goes a No Event marker, as long as there is one in the Holding Box.
#[test]
fn a_no_event_marker_follows_what_is_put_into_the_cup() {
    let (rules, mut state) = full_war();
    let [success, nothing] = [Diplomat::Success, Diplomat::NoEvent].map(|marker| marker as usize);
    (state.holding[success], state.holding[nothing]) = (2, 1);
    state.country_mut(Country::GER).points = 20;
    let before = (state.cup[success], state.cup[nothing]);
    for (left, spent) in [(1, 5), (0, 10)] {
        state.push(Frame::Diplomacy(Faction::Axis));
        answer(&rules, &mut state, Choice::Put(Diplomat::Success));
        assert_eq!((state.holding[success], state.holding[nothing]), (left, 0));
        assert_eq!(state.country(Country::GER).points, 20 - spent);
    }
    assert_eq!((state.cup[success], state.cup[nothing]), (before.0 + 2, before.1 + 1));
    // A draw costs as much as a marker.
    state.country_mut(Country::GER).points = 7;
    state.push(Frame::Diplomacy(Faction::Axis));
    answer(&rules, &mut state, Choice::Draw);
    assert_eq!((state.frame(), state.country(Country::GER).points), (Frame::DrawMarker(Faction::Axis), 2));
}
