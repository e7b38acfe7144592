//! The choice of actions, played.

use kernel::Discard;

use crate::choice::Choice;
use crate::frame::Frame;
use crate::ids::{Country, Faction, Place, Side, UnitId};
use crate::land_table::{EAST, POLAND, Table};
use crate::markers::{Marker, Owner};
use crate::state::{Fight, Supply, flag, note};
use crate::testing;

#[test]
fn the_leading_power_pays_when_own_points_are_used_up() {
    let active = [(Country::GER, Side::Axis), (Country::ITA, Side::Axis), (Country::USSR, Side::Soviet)];
    let mut table = Table::new(&active, Faction::Axis);
    let (one, other) = (table.put("ITA-1A", "0342"), table.put("ITA-2A", "0442"));
    table.put("USSR-7A", "0343");
    table.state.country_mut(Country::ITA).points = 1;
    table.state.country_mut(Country::GER).points = 0;
    table.play(Choice::Assault(table.hex("0343")));
    table.play(Choice::Primary(other));
    assert_eq!(table.options(), [Choice::Go], "nobody can pay for a second army");
    table.state.country_mut(Country::GER).points = 1;
    table.play(Choice::With(one));
    table.play(Choice::Go);
    assert_eq!((table.points(Country::ITA), table.points(Country::GER)), (0, 0));
}

#[test]
fn a_surprise_attack_is_played_first_and_helps_once_against_each_unit() {
    let mut table = Table::new(&POLAND, Faction::Axis);
    let (army, enemy) = (table.put("GER-4A", "2731"), table.put("POL-POM", "2732"));
    table.state.surprise[0] = 0;
    let play = Choice::Play(Marker::SurpriseAttack);
    table.play(play);
    assert!(!table.options().contains(&play));
    assert_eq!(table.state.surprise[0], u8::MAX, "back in the Holding Box");
    table.play(Choice::Activate(army));
    table.play(Choice::Attack(table.hex("2732")));
    assert_eq!(table.rules.fight_sum(&table.state, &table.state.fight, 0).total(), 4);
    table.roll(1, 4);
    assert!(table.state.unit(enemy).has(flag::HIT));
    table.play(Choice::Attack(table.hex("2732")));
    assert_eq!(table.rules.fight_sum(&table.state, &table.state.fight, 0).total(), 2);
    // Ruling 74: not after another action.
    let mut table = Table::new(&POLAND, Faction::Axis);
    let army = table.put("GER-4A", "2731");
    table.state.surprise[0] = 0;
    table.play(Choice::Activate(army));
    table.play(Choice::Stop);
    assert!(!table.options().contains(&play));
}

#[test]
fn hooks_hold_units_and_the_end_back() {
    let mut table = Table::new(&POLAND, Faction::Axis);
    let army = table.put("GER-4A", "2731");
    let hooked = |set: &dyn Fn(&mut crate::scenario::Hooks)| {
        let mut scenario = crate::scenario::Scenario::blank();
        set(&mut scenario.hooks);
        let mut rules = testing::rules();
        rules.settings.scenario = std::sync::Arc::new(scenario);
        rules
    };
    table.rules = hooked(&|hooks| hooks.must_invade = Some((0, 1 << Country::POL.0)));
    assert!(!table.options().contains(&Choice::End));
    table.state.notes |= note::INVADED;
    assert!(table.options().contains(&Choice::End));
    table.rules = hooked(&|hooks| hooks.no_activation = Some((0, 1 << Country::GER.0)));
    assert!(!table.options().contains(&Choice::Activate(army)));
    table.rules = hooked(&|hooks| hooks.freeze = Some((0, Country::GER)));
    assert!(table.options().contains(&Choice::Activate(army)));
    table.state.notes = 0;
    assert!(!table.options().contains(&Choice::Activate(army)));
    table.rules = hooked(&|hooks| hooks.marker_turn = Some((1, vec![Marker::SurpriseAttack])));
    table.state.surprise[0] = 0;
    assert!(!table.options().contains(&Choice::Play(Marker::SurpriseAttack)));
    table.state.turn = 1;
    assert!(table.options().contains(&Choice::Play(Marker::SurpriseAttack)));
}

#[test]
fn partisans_go_where_the_enemy_stands_in_a_friendly_country() {
    let mut table = Table::new(&EAST, Faction::Soviet);
    let army = table.put("GER-4A", "1858");
    table.put("GER-5A", "2828");
    table.marker(Marker::Partisans, Owner::Faction(Faction::Soviet));
    let hex = table.state.unit(army).place;
    let places: Vec<Choice> =
        table.options().into_iter().filter(|choice| matches!(choice, Choice::Partisans(_))).collect();
    assert_eq!(places, [Choice::Partisans(hex)]);
    table.play(places[0]);
    assert_eq!(table.state.partisans[0], (hex, Faction::Soviet));
    assert!(!table.options().contains(&places[0]), "none is left");
}

#[test]
fn flags_of_the_last_sub_phase_are_cleared_and_railed_units_wait() {
    let mut table = Table::new(&POLAND, Faction::Axis);
    let (army, other) = (table.put("GER-4A", "2731"), table.put("GER-5A", "2830"));
    table.state.unit_mut(army).flags = flag::DONE | flag::HIT | flag::FREE;
    table.state.unit_mut(other).flags = flag::RAILED;
    table.state.unit_mut(army).supply = Supply::Low;
    table.state.pop();
    table.rules.begin_actions(&mut table.state, Faction::Axis, &mut Discard);
    assert_eq!(table.state.unit(army).flags, flag::FREE);
    assert!(!table.options().contains(&Choice::Activate(other)));
}

#[test]
fn a_unit_whose_way_out_is_gone_goes_to_a_legal_hex() {
    let mut table = Table::new(&EAST, Faction::Axis);
    let army = table.put("GER-4A", "1857");
    let friend = table.put("GER-5A", "1858");
    table.play(Choice::Activate(army));
    table.play(Choice::Step(table.hex("1858")));
    // The friend leaves the game under it: the unit takes the hex and goes on.
    table.rules.lift(&mut table.state, friend);
    assert!(table.rules.is_stranded(&table.state));
    table.rules.settle(&mut table.state, &mut Discard);
    assert_eq!(table.state.ground_at(table.hex("1858")), Some(army));
    assert_eq!(table.state.frame(), Frame::Activation);
}

/// Every ground unit stands alone in its hex, and the two records of where it is agree.
#[track_caller]
fn check_places(table: &Table) {
    let state = &table.state;
    let passing = state.activation.unit;
    for hex in Place::hexes() {
        if let Some(unit) = state.ground_at(hex) {
            assert_eq!(state.unit(unit).place, hex);
            assert!(table.rules.may_enter(state, hex, unit));
        }
    }
    for unit in UnitId::all().filter(|unit| table.rules.kind(*unit).is_ground() && *unit != passing) {
        let place = state.unit(unit).place;
        assert!(!place.is_hex() || state.ground_at(place) == Some(unit), "{}", table.rules.info(unit).id);
    }
}

#[test]
fn ground_actions_at_random_keep_the_position_sound() {
    let mut seed = 7_u64;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    for faction in [Faction::Axis, Faction::Soviet, Faction::Axis, Faction::Soviet] {
        let mut table = Table::new(&EAST, faction);
        let hexes: Vec<Place> = Place::hexes()
            .filter(|hex| {
                let info = table.rules.world.hex(*hex);
                info.country == Country::USSR && !info.faded && (20..30).contains(&info.row) && info.col < 50
            })
            .collect();
        for unit in UnitId::all() {
            let info = table.rules.info(unit);
            let place = hexes[random(hexes.len())];
            if info.kind.is_ground()
                && EAST.iter().any(|(country, _)| *country == info.country)
                && table.rules.has_room(&table.state, unit, place)
            {
                table.rules.put(&mut table.state, unit, place);
                table.state.control[place.index()] = table.rules.side_of(&table.state, unit);
                table.state.unit_mut(unit).level = random(2) as u8;
            }
        }
        table.marker(Marker::GroundSupport, Owner::Country(Country::GER));
        table.marker(Marker::GroundSupport, Owner::Country(Country::USSR));
        let mut fights = 0;
        loop {
            let mut options = table.options();
            assert!(!options.is_empty(), "{:?}", table.state.frame());
            if matches!(table.state.frame(), Frame::Actions(_)) {
                check_places(&table);
                assert_eq!((table.state.depth, table.state.fight), (2, Fight::NONE));
                options.retain(|choice| matches!(choice, Choice::Activate(_) | Choice::Assault(_)));
                if options.is_empty() {
                    break;
                }
            }
            let choice = options[random(options.len())];
            fights += usize::from(matches!(choice, Choice::Attack(_) | Choice::Go));
            table.play(choice);
        }
        assert!(fights > 10, "{fights} combats");
    }
}
