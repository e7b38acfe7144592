//! Missions from the list of actions to their end, and thousands of them at random.

use kernel::Discard;

use super::*;
use crate::ids::{Country, Faction, Place, Side};
use crate::markers::{Marker, Owner};
use crate::state::{Duel, Fight, Mission, Status};
use crate::tables::{Weather, turn_of};
use crate::testing::{position, put, rules};
use crate::world::Slot;

fn hex(rules: &Rules, city: &str) -> Place {
    rules.world.city(rules.world.city_named(city).expect("a city")).hex
}

fn army(rules: &Rules, country: Country, number: usize) -> UnitId {
    UnitId::all()
        .filter(|unit| rules.info(*unit).country == country && rules.kind(*unit) == Kind::Infantry)
        .nth(number)
        .expect("an army")
}

fn war(rules: &Rules, faction: Faction) -> State {
    let mut state = position(
        rules,
        &[
            (Country::GER, Side::Axis),
            (Country::ITA, Side::Axis),
            (Country::UK, Side::Western),
            (Country::USA, Side::Western),
            (Country::FRA, Side::Western),
            (Country::USSR, Side::Soviet),
        ],
    );
    state.turn = turn_of(1944, 6);
    state.become_frame(Frame::Actions(faction));
    state
}

fn actions(rules: &Rules, state: &State, faction: Faction) -> Vec<Choice> {
    let mut out = Vec::new();
    let own = rules.own_on_map(state, faction);
    Survey::ask(rules, state, |survey| rules.list_mission_actions(state, survey, &own, &mut out));
    out
}

fn play(rules: &Rules, state: &mut State, answers: &[Choice]) {
    for answer in answers {
        let mut choices = Vec::new();
        rules.list(state, &mut choices);
        assert!(choices.contains(answer), "{answer:?} at {:?}", state.frame());
        rules.play(state, *answer, &mut Discard);
    }
}

/// Begins an action that must be on the list, and answers what is asked.
fn act(rules: &Rules, state: &mut State, faction: Faction, action: Choice, answers: &[Choice]) {
    assert!(actions(rules, state, faction).contains(&action), "{action:?}");
    rules.play_mission_action(state, action, &mut Discard);
    play(rules, state, answers);
}

/// 4.7: an army goes overseas with a convoy, pays its activation, and does nothing else; the convoy adds a Sortie and stays.
#[test]
fn an_army_goes_overseas() {
    let rules = rules();
    let mut state = war(&rules, Faction::Axis);
    let (naples, tripoli) = (hex(&rules, "naples"), hex(&rules, "tripoli"));
    let (unit, convoy) = (army(&rules, Country::ITA, 0), put(&rules, &mut state, "ITA-CV1", "4729"));
    rules.put(&mut state, unit, naples);
    let answers = [Choice::With(unit), Choice::To(tripoli)];
    act(&rules, &mut state, Faction::Axis, Choice::Transport(convoy), &answers);
    assert_eq!((state.unit(unit).place, state.unit(convoy).place), (tripoli, tripoli));
    assert_eq!((state.unit(convoy).level, state.country(Country::ITA).points), (1, 98));
    assert!(state.unit(unit).has(flag::DONE));
    // The convoy may still make its plain move, the army nothing.
    assert_eq!(actions(&rules, &state, Faction::Axis), [Choice::Sail(convoy)]);
}

/// A04: an interdicted army is reduced and goes with the convoy to the nearest port; a sunk convoy leaves it at home.
#[test]
fn an_army_is_met_at_sea() {
    let rules = rules();
    for (sorties, sunk) in [(0, false), (5, true)] {
        let mut state = war(&rules, Faction::Axis);
        let (naples, tripoli) = (hex(&rules, "naples"), hex(&rules, "tripoli"));
        let (unit, convoy) = (army(&rules, Country::ITA, 0), put(&rules, &mut state, "ITA-CV1", "4729"));
        rules.put(&mut state, unit, naples);
        state.unit_mut(convoy).level = sorties;
        let fleet = put(&rules, &mut state, "UK-MFL", &rules.world.place_name(hex(&rules, "valletta")));
        let answers = [Choice::With(unit), Choice::To(tripoli), Choice::Intercept(fleet)];
        act(&rules, &mut state, Faction::Axis, Choice::Transport(convoy), &answers);
        play(&rules, &mut state, &[Choice::Die(3), Choice::Die(4)]);
        assert!(Rules::is_reduced(&state, unit));
        assert_eq!(state.unit(convoy).place == Place::POOL, sunk);
        if sunk {
            assert_eq!(state.unit(unit).place, naples);
        } else {
            let port = state.unit(convoy).place;
            assert_eq!((state.unit(unit).place, state.unit(convoy).level), (port, 2));
            assert!(rules.is_naval_base(&state, port, Side::Axis));
        }
        assert!(state.unit(fleet).has(flag::ENDED));
    }
}

/// 6.4: an empty beach is taken; the army is ashore, the convoy back in port with a Sortie; a Mulberry may be placed.
#[test]
fn a_landing_on_an_empty_beach() {
    let rules = rules();
    let mut state = war(&rules, Faction::Western);
    let beach = rules.world.hex_named("3216").expect("a beach");
    for place in Place::hexes() {
        if rules.world.hex(place).country == Country::FRA {
            state.control[place.index()] = Side::Axis;
        }
    }
    let slot = rules.slot(Marker::Mulberry, Owner::Faction(Faction::Western)).expect("a Mulberry");
    state.ready[slot] = 1;
    let (unit, convoy) = (army(&rules, Country::UK, 0), put(&rules, &mut state, "UK-CV2", "2815"));
    let port = state.unit(convoy).place;
    rules.put(&mut state, unit, port);
    let answers = [Choice::With(convoy), Choice::At(beach)];
    act(&rules, &mut state, Faction::Western, Choice::Invade(unit), &answers);
    assert_eq!(state.frame(), Frame::Mulberry);
    play(&rules, &mut state, &[Choice::Mulberry]);
    assert_eq!((state.unit(unit).place, state.controller(beach)), (beach, Side::Western));
    assert!(state.unit(unit).has(flag::ASHORE) && state.unit(unit).has(flag::DONE));
    assert_eq!((state.unit(convoy).place, state.unit(convoy).level, state.landings), (port, 1, 1));
    assert_eq!((state.mulberry, state.ready[slot]), ((beach, state.turn + 2), 0));
    // The next army can be carried there.
    assert!(rules.harbours(&state, convoy, Some(army(&rules, Country::UK, 1)), |_| true));
}

/// L06: a fighter with five Sorties in the hex is lost, not moved.
#[test]
fn aircraft_are_driven_from_a_landing() {
    let rules = rules();
    let mut state = war(&rules, Faction::Western);
    let antwerp = hex(&rules, "antwerp");
    state.control[antwerp.index()] = Side::Axis;
    let fighter = put(&rules, &mut state, "GER-LF2", "2921");
    state.unit_mut(fighter).level = 5;
    let unit = army(&rules, Country::UK, 0);
    let convoy = put(&rules, &mut state, "UK-CV2", "2815");
    let port = state.unit(convoy).place;
    rules.put(&mut state, unit, port);
    let answers = [Choice::With(convoy), Choice::At(antwerp), Choice::LetGo];
    act(&rules, &mut state, Faction::Western, Choice::Invade(unit), &answers);
    assert_eq!((state.unit(fighter).place, state.controller(antwerp)), (Place::POOL, Side::Western));
    assert_eq!(state.unit(unit).place, antwerp);
}

/// 6.8: an airborne unit drops, with the marker of its country, next to a defended beach, and joins the landing unpaid.
#[test]
fn a_drop_beside_a_landing() {
    let rules = rules();
    let mut state = war(&rules, Faction::Western);
    let beach = rules.world.hex_named("3216").expect("a beach");
    for place in Place::hexes() {
        if rules.world.hex(place).country == Country::FRA {
            state.control[place.index()] = Side::Axis;
        }
    }
    let defender = army(&rules, Country::GER, 0);
    rules.put(&mut state, defender, beach);
    let slot = rules.slot(Marker::Airdrop, Owner::Country(Country::UK)).expect("an Airdrop");
    let airborne = put(&rules, &mut state, "UK-1AB", "2815");
    let air = put(&rules, &mut state, "UK-2TAF", "2815");
    assert!(!actions(&rules, &state, Faction::Western).contains(&Choice::Drop(airborne)), "no marker");
    state.ready[slot] = 1;
    let inland = rules.world.hex(beach).near.into_iter().find(|near| {
        near.is_hex() && rules.world.distance(*near, state.unit(air).place) <= 3 && *near != beach
    });
    let Some(inland) = inland else { panic!("the beach is out of reach of a drop") };
    let answers = [Choice::With(air), Choice::At(inland)];
    act(&rules, &mut state, Faction::Western, Choice::Drop(airborne), &answers);
    assert_eq!((state.unit(airborne).place, state.unit(air).level), (inland, 1));
    assert!(state.unit(airborne).has(flag::DROPPED) && state.unit(airborne).has(flag::DONE));
    assert_eq!((state.ready[slot], state.spent[slot]), (0, 1));
    let paid = state.country(Country::UK).points;
    let (unit, convoy) = (army(&rules, Country::UK, 0), put(&rules, &mut state, "UK-CV2", "2815"));
    let port = state.unit(convoy).place;
    rules.put(&mut state, unit, port);
    let fleet = put(&rules, &mut state, "UK-CHN", "2815");
    let answers = [Choice::With(convoy), Choice::At(beach), Choice::Escort(fleet)];
    act(&rules, &mut state, Faction::Western, Choice::Invade(unit), &answers);
    assert_eq!(state.frame(), Frame::LandingMore);
    play(&rules, &mut state, &[Choice::With(airborne)]);
    assert_eq!(state.country(Country::UK).points, paid - rules.activation_cost(&state, unit));
    assert_eq!(state.unit(fleet).level, 1, "Naval Support");
}

/// 6.8: a unit drops in any free hex that it may enter up to three hexes from the aircraft, except in Severe weather.
#[test]
fn where_a_unit_drops() {
    let rules = rules();
    let mut state = war(&rules, Faction::Western);
    let slot = rules.slot(Marker::Airdrop, Owner::Country(Country::UK)).expect("an Airdrop");
    state.ready[slot] = 1;
    let airborne = put(&rules, &mut state, "UK-1AB", "2815");
    let air = put(&rules, &mut state, "UK-2TAF", "2815");
    rules.play_mission_action(&mut state, Choice::Drop(airborne), &mut Discard);
    play(&rules, &mut state, &[Choice::With(air)]);
    let from = state.unit(air).place;
    let mut seen = 0;
    for severe in [false, true] {
        state.weather = if severe { [Weather::Severe; 4] } else { [Weather::Poor; 4] };
        let mut zones = Vec::new();
        rules.list(&state, &mut zones);
        for hex in Place::hexes() {
            let is_free = state.ground_at(hex).is_none() && rules.may_enter(&state, hex, airborne);
            let is_zone = is_free
                && rules.world.distance(from, hex) <= 3
                && rules.weather_at(&state, hex) != Weather::Severe;
            assert_eq!(zones.contains(&Choice::At(hex)), is_zone, "{}", rules.world.place_name(hex));
            seen += usize::from(is_zone);
        }
    }
    assert!(seen > 10, "{seen} hexes");
}

/// Every unit of the great powers at its home, as far as there is room.
fn crowded(rules: &Rules, turn: u8) -> State {
    let mut state = war(rules, Faction::Axis);
    state.turn = turn;
    for country in [Country::NOR, Country::DEN, Country::GRE] {
        state.country_mut(country).status = Status::Active;
        state.country_mut(country).side = Side::Western;
    }
    for place in Place::hexes() {
        let side = state.countries.get(rules.world.hex(place).country.index()).map(|country| country.side);
        state.control[place.index()] = side.unwrap_or(Side::Nobody);
    }
    state.ready.fill(1);
    for unit in UnitId::all() {
        let home = rules.info(unit).home;
        let side = rules.side_of(&state, unit);
        let fits = match rules.kind(unit).slot() {
            Slot::Ground => home.is_box() || home.is_hex() && state.controller(home) == side,
            Slot::Air => home.on_map() && rules.is_air_base(&state, home, side),
            _ => home.on_map() && rules.is_naval_base(&state, home, side),
        };
        if side != Side::Nobody && fits && rules.has_room(&state, unit, home) {
            rules.put(&mut state, unit, home);
        }
    }
    state
}

/// One unit in a slot, in a place where it may be; nothing is left of a finished mission.
fn check(rules: &Rules, state: &State) {
    assert_eq!((state.mission, state.duel, state.fight), (Mission::NONE, Duel::NONE, Fight::NONE));
    for unit in UnitId::all().filter(|unit| state.unit(*unit).on_map()) {
        let (place, side, kind) = (state.unit(unit).place, rules.side_of(state, unit), rules.kind(unit));
        if kind.is_ground() {
            assert!(place.is_box() || state.ground_at(place) == Some(unit));
            continue;
        }
        assert!(state.unit(unit).level <= 6);
        let base = if kind.is_air() {
            rules.is_air_base(state, place, side)
        } else {
            rules.is_naval_base(state, place, side)
        };
        assert!(base, "{} in {}", rules.info(unit).id, rules.world.place_name(place));
        if let Some(city) = rules.world.city_at(place) {
            assert_eq!(state.bases[city.index()][kind.slot() as usize], unit);
        }
    }
}

/// Missions at random: each action on the list can be carried out, and leaves a sound position. After so many of them
/// nearly every kind of question has been asked.
#[test]
fn missions_at_random() {
    let rules = rules();
    let mut seed = 1944_u64;
    let mut below = |count: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % count
    };
    let mut asked = [0_u32; KINDS];
    let mut done = 0;
    for game in 0..24_u8 {
        let mut state = crowded(&rules, turn_of(1942, 11) + game);
        state.weather = [[Weather::Fair, Weather::Poor, Weather::Severe][usize::from(game % 3)]; 4];
        for faction in Faction::ALL.into_iter().cycle().take(6) {
            state.become_frame(Frame::Actions(faction));
            state.acting = faction;
            state.landings = 0;
            state.notes = if faction == Faction::Axis && game % 2 == 0 { note::WESER } else { 0 };
            for unit in UnitId::all() {
                state.unit_mut(unit).flags = 0;
            }
            for _ in 0..60 {
                let list = actions(&rules, &state, faction);
                let Some(action) = list.get(below(list.len().max(1))) else { break };
                rules.play_mission_action(&mut state, *action, &mut Discard);
                while state.frame() != Frame::Actions(faction) {
                    let mut choices = Vec::new();
                    rules.list(&state, &mut choices);
                    assert!(!choices.is_empty(), "nothing to choose at {:?} after {action:?}", state.frame());
                    if let Some(kind) = kind_of(state.frame()) {
                        asked[kind] += 1;
                    }
                    let choice = choices[below(choices.len())];
                    rules.play(&mut state, choice, &mut Discard);
                }
                done += 1;
                check(&rules, &state);
            }
        }
    }
    assert!(done > 3000, "{done} missions");
    // Additional Attackers and failed escorts of landings are too rare to count on.
    for (kind, count) in asked.iter().enumerate() {
        assert!(*count > 0 || matches!(kind, 8 | 15), "question {kind} of {asked:?} was never asked");
    }
}

const KINDS: usize = 17;

fn kind_of(frame: Frame) -> Option<usize> {
    Some(match frame {
        Frame::DuelItem(_) => 0,
        Frame::DuelDie(_) => 1,
        Frame::RebaseTo(_) => 2,
        Frame::SailTo(_) => 3,
        Frame::Passenger(_) => 4,
        Frame::TransportTo => 5,
        Frame::InvadeWith(_) => 6,
        Frame::InvadeAt => 7,
        Frame::LandingMore => 8,
        Frame::StrikeAt(_) => 9,
        Frame::BombAt(_) => 10,
        Frame::DropFrom(_) => 11,
        Frame::DropAt => 12,
        Frame::Escort => 13,
        Frame::Intercept(_) => 14,
        Frame::CallOff => 15,
        Frame::Press => 16,
        _ => return None,
    })
}
