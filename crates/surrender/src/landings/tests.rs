//! The landings of 50.7.

use std::sync::Arc;

use kernel::Discard;

use super::*;
use crate::ids::Country;
use crate::scenario::Scenario;
use crate::settings::Settings;
use crate::tables::turn_of;
use crate::testing::{position, put, rules};

fn hex(rules: &Rules, city: &str) -> Place {
    rules.world.city(rules.world.city_named(city).expect("a city")).hex
}

fn army(rules: &Rules, country: Country, number: usize) -> UnitId {
    UnitId::all()
        .filter(|unit| rules.info(*unit).country == country && rules.kind(*unit) == Kind::Infantry)
        .nth(number)
        .expect("an army")
}

/// Everything is the enemy's but one port, where an army and its convoy lie.
fn alone_at(rules: &Rules, country: Country, convoy: &str, place: &str) -> (State, UnitId, UnitId) {
    let side = if country == Country::GER { Side::Axis } else { Side::Western };
    let enemy = if side == Side::Axis { Side::Western } else { Side::Axis };
    let mut state = position(rules, &[(country, side)]);
    state.become_frame(Frame::Actions(side.player()));
    state.control.fill(enemy);
    let ship = put(rules, &mut state, convoy, place);
    let unit = army(rules, country, 0);
    let port = state.unit(ship).place;
    rules.put(&mut state, unit, port);
    if port.is_hex() {
        state.control[port.index()] = side;
    }
    (state, ship, unit)
}

fn beaches(rules: &Rules, state: &State, ship: UnitId, unit: UnitId) -> Vec<(Place, Node)> {
    let mut found = Vec::new();
    rules.beaches(state, ship, unit, |hex, zone| {
        found.push((hex, zone));
        false
    });
    found
}

fn lands_at(rules: &Rules, state: &State, ship: UnitId, unit: UnitId, city: &str) -> bool {
    beaches(rules, state, ship, unit).iter().any(|(place, _)| *place == hex(rules, city))
}

/// L01: the Axis lands in its own Sea Zones.
#[test]
fn germans_at_brest() {
    let rules = rules();
    let (mut state, ship, unit) = alone_at(&rules, Country::GER, "GER-CV1", "3112");
    let zones =
        |state: &State| beaches(&rules, state, ship, unit).iter().fold(0, |set, (_, zone)| set | zone.bit());
    assert_eq!(zones(&state), Node::zone(9).bit() | Node::zone(10).bit());
    let mut hexes: Vec<Place> = beaches(&rules, &state, ship, unit).iter().map(|(hex, _)| *hex).collect();
    let count = hexes.len();
    hexes.sort_unstable();
    hexes.dedup();
    assert_eq!(hexes.len(), count, "each hex once");
    // Both zones are Mild: nothing can be landed in Severe weather.
    state.weather = [Weather::Severe; 4];
    assert_eq!(zones(&state), 0);
}

/// L02.
#[test]
fn americans_from_the_box() {
    let rules = rules();
    let (state, ship, unit) = alone_at(&rules, Country::USA, "USA-CV1", "ENA");
    let at = |city| lands_at(&rules, &state, ship, unit, city);
    assert_eq!((at("casablanca"), at("oran"), at("brest")), (true, false, false));
}

/// L03.
#[test]
fn britons_from_portsmouth() {
    let rules = rules();
    let (state, ship, unit) = alone_at(&rules, Country::UK, "UK-CV2", "2815");
    let at = |city| lands_at(&rules, &state, ship, unit, city);
    assert_eq!([at("bordeaux"), at("bergen"), at("oslo"), at("narvik")], [true, true, true, false]);
    let zone = |city| {
        let found = beaches(&rules, &state, ship, unit);
        found.iter().find(|(place, _)| *place == hex(&rules, city)).map(|(_, zone)| *zone)
    };
    assert_eq!(zone("brest"), Some(Node::zone(10)), "the nearer of two zones");
    let path = rules.landing_path(rules.chart_of(&state, ship), 0, hex(&rules, "portsmouth"), Node::zone(8));
    assert_eq!(
        path.map(|path| [path[0], path[1], path[2], path[3]]),
        Some([Node::zone(10), Node::zone(11), Node::zone(8), Node::NONE])
    );
}

/// L04.
#[test]
fn how_many_landings() {
    let rules = rules();
    let mut state = State::blank(0);
    let mut most = |side, turn, notes| {
        (state.turn, state.notes) = (turn, notes);
        (0..9).find(|landings| {
            state.landings = *landings;
            !rules.may_land_again(&state, side)
        })
    };
    assert_eq!(most(Side::Western, turn_of(1941, 6), 0), Some(1));
    assert_eq!(most(Side::Western, turn_of(1942, 11), 0), Some(3));
    assert_eq!(most(Side::Western, turn_of(1944, 6), 0), Some(5));
    assert_eq!(most(Side::Axis, turn_of(1940, 4), 0), Some(1));
    assert_eq!(most(Side::Axis, turn_of(1940, 4), note::WESER), Some(3));
    assert_eq!(most(Side::Soviet, turn_of(1944, 6), note::WESER), Some(1));
}

/// L08: three armies, range two, the Straits open, no Western interception; a surface unit carries to Denmark and Norway only.
#[test]
fn weser_exercise() {
    let rules = rules();
    let mut state = position(
        &rules,
        &[
            (Country::GER, Side::Axis),
            (Country::NOR, Side::Western),
            (Country::DEN, Side::Western),
            (Country::NED, Side::Western),
            (Country::UK, Side::Western),
        ],
    );
    let ships = [("GER-CV1", "2526"), ("GER-CV2", "2624"), ("GER-KM", "2626")]
        .map(|(ship, place)| put(&rules, &mut state, ship, place));
    let armies = [0, 1, 2].map(|number| army(&rules, Country::GER, number));
    for (unit, ship) in armies.into_iter().zip(ships) {
        let port = state.unit(ship).place;
        rules.put(&mut state, unit, port);
    }
    let british = put(&rules, &mut state, "UK-HFL", "1518");
    let carried = |state: &State, at: usize| rules.carriers_of(state, armies[at], |ship| ship == ships[at]);
    let at = |state: &State, number: usize, city: &str| {
        lands_at(&rules, state, ships[number], armies[number], city)
    };
    assert!(carried(&state, 0) && !carried(&state, 2), "a fleet carries nobody as a rule");
    assert!(!at(&state, 0, "oslo") && at(&state, 1, "amsterdam"));
    state.notes |= note::WESER;
    for number in [0, 1, 2] {
        assert!(carried(&state, number));
        for city in ["copenhagen", "aarhus", "oslo", "bergen", "narvik"] {
            assert!(at(&state, number, city), "{city} from {number}");
        }
    }
    assert!(at(&state, 1, "amsterdam") && !at(&state, 2, "amsterdam"));

    // Only Germany's: an Italian fleet carries nobody even then.
    state.country_mut(Country::ITA).side = Side::Axis;
    state.country_mut(Country::ITA).status = crate::state::Status::Active;
    rules.lift(&mut state, ships[2]);
    let italian = put(&rules, &mut state, "ITA-FL1", "2626");
    assert!(!rules.carriers_of(&state, armies[2], |ship| ship == italian));
    rules.lift(&mut state, italian);
    rules.put(&mut state, ships[2], hex(&rules, "kiel"));
    let mission = Mission {
        errand: Errand::Invasion,
        unit: ships[0],
        passenger: armies[0],
        from: hex(&rules, "kiel"),
        to: hex(&rules, "oslo"),
        path: rules
            .landing_path(rules.chart(&state, Side::Axis), 0, hex(&rules, "kiel"), Node::zone(12))
            .expect("a way"),
        ..Mission::NONE
    };
    assert_eq!(rules.interceptors(&state, &mission, Faction::Western).count(), 0);
    let elsewhere = Mission { to: hex(&rules, "amsterdam"), ..mission };
    assert_eq!(rules.interceptors(&state, &elsewhere, Faction::Western).next(), Some(british));
}

/// The hook `landing-area`: up to a turn only through its Sea Zones.
#[test]
fn a_landing_area_binds() {
    let mut scenario = Scenario::blank();
    scenario.hooks.landing_area = Some((turn_of(1944, 7), Node::zone(9).bit()));
    let settings =
        Settings { scenario: Arc::new(scenario), secret: false, historical: false, variable: false };
    let rules = Rules::new(settings);
    let (mut state, ship, unit) = alone_at(&rules, Country::UK, "UK-CV2", "2815");
    state.turn = turn_of(1944, 7);
    assert!(beaches(&rules, &state, ship, unit).iter().all(|(_, zone)| *zone == Node::zone(9)));
    assert!(lands_at(&rules, &state, ship, unit, "brest"), "by the zone that is allowed");
    state.turn += 1;
    assert!(lands_at(&rules, &state, ship, unit, "cherbourg"));
}

/// An invasion of a French beach from Portsmouth, with an escort, met by a German fleet at Brest.
fn invasion(rules: &Rules) -> (State, [UnitId; 4]) {
    let (mut state, ship, unit) = alone_at(rules, Country::UK, "UK-CV2", "2815");
    state.country_mut(Country::GER).side = Side::Axis;
    state.country_mut(Country::GER).status = crate::state::Status::Active;
    let escort = put(rules, &mut state, "UK-CHN", "2815");
    let enemy = put(rules, &mut state, "GER-KM", "3112");
    state.unit_mut(unit).level = 1;
    state.landings = 1;
    let mission = Mission {
        errand: Errand::Invasion,
        unit: ship,
        passenger: unit,
        from: hex(rules, "portsmouth"),
        to: hex(rules, "cherbourg"),
        path: {
            let mut path = Mission::NONE.path;
            path[0] = Node::zone(10);
            path
        },
        ..Mission::NONE
    };
    rules.begin_mission(&mut state, mission, &mut Discard);
    rules.settle(&mut state, &mut Discard);
    (state, [ship, unit, escort, enemy])
}

fn play(rules: &Rules, state: &mut State, answers: &[Choice]) {
    for answer in answers {
        let mut choices = Vec::new();
        rules.list(state, &mut choices);
        assert!(choices.contains(answer), "{answer:?} at {:?}", state.frame());
        rules.play(state, *answer, &mut Discard);
    }
}

/// After a failed escort the force may turn home: everybody's activation ends, nothing else happens (5.2).
#[test]
fn an_invasion_is_called_off() {
    let rules = rules();
    let (mut state, [ship, unit, escort, enemy]) = invasion(&rules);
    play(&rules, &mut state, &[Choice::Escort(escort), Choice::Intercept(enemy)]);
    play(&rules, &mut state, &[Choice::Die(6), Choice::Die(1)]);
    assert_eq!(state.frame(), Frame::CallOff);
    play(&rules, &mut state, &[Choice::CallOff]);
    assert_eq!(state.frame(), Frame::Actions(Faction::Western));
    assert!([ship, escort, enemy].iter().all(|unit| state.unit(*unit).has(flag::ENDED)));
    assert_eq!((state.unit(ship).level, state.unit(unit).place), (0, hex(&rules, "portsmouth")));
    assert!(!rules.may_land_again(&state, Side::Western), "it counts (ruling 89)");
}

/// L05: an interdicted force stays in its port; the enemy may go on after the player did (5.2).
#[test]
fn an_invasion_is_interdicted() {
    let rules = rules();
    let (mut state, [ship, unit, escort, enemy]) = invasion(&rules);
    play(&rules, &mut state, &[Choice::Escort(escort), Choice::Intercept(enemy)]);
    play(&rules, &mut state, &[Choice::Die(6), Choice::Die(1), Choice::GoOn, Choice::Press]);
    play(&rules, &mut state, &[Choice::Die(6), Choice::Die(1)]);
    assert_eq!(state.frame(), Frame::Actions(Faction::Western));
    assert_eq!((state.unit(unit).place, state.unit(unit).level), (hex(&rules, "portsmouth"), 1));
    assert_eq!(state.unit(ship).place, hex(&rules, "portsmouth"));
    assert!(state.unit(ship).has(flag::ENDED) && state.unit(enemy).has(flag::ENDED));
    assert_eq!(state.mission, Mission::NONE);
}

/// A Mulberry is a port for transport while it serves, not a base (ruling 90).
#[test]
fn a_mulberry_takes_passengers() {
    let rules = rules();
    let (mut state, ship, unit) = alone_at(&rules, Country::UK, "UK-CV2", "2815");
    let beach = beaches(&rules, &state, ship, unit)
        .into_iter()
        .map(|(hex, _)| hex)
        .find(|hex| rules.world.city_at(*hex).is_none())
        .expect("an open beach");
    state.control[beach.index()] = Side::Western;
    state.mulberry = (beach, state.turn + MULBERRY_TURNS);
    let serves = |state: &State, passenger| rules.harbours(state, ship, passenger, |place| place == beach);
    assert!(serves(&state, Some(unit)) && !serves(&state, None));
    state.turn += MULBERRY_TURNS + 1;
    assert!(!serves(&state, Some(unit)));
}
