//! Ground combats played choice by choice.

use kernel::{Discard, Mover, Viewer};

use crate::choice::Choice;
use crate::frame::Frame;
use crate::game_event::Loss;
use crate::ids::{Country, Faction, Place, Side};
use crate::land_table::{EAST, FRANCE, POLAND, Table};
use crate::markers::{Marker, Owner};
use crate::state::{Commitment, Duel, Fight, Manner, Occasion, Stage, State, flag};
use crate::tables::{CombatResult, Weather};

#[test]
fn a_mobile_attack_drives_the_defender_back_and_the_attacker_follows() {
    let mut table = Table::new(&POLAND, Faction::Axis);
    let (army, enemy) = (table.put("GER-4A", "2731"), table.put("POL-POM", "2732"));
    let hex = table.hex("2732");
    table.play(Choice::Activate(army));
    assert_eq!((table.points(Country::GER), table.state.activation.points), (98, 8));
    table.play(Choice::Attack(hex));
    table.roll(4, 3);
    // E01: DR. The Poles choose their hex, then the Germans advance with the points that are left.
    assert_eq!(table.state.frame(), Frame::Retreat);
    assert_eq!(table.rules.mover(&table.state), Mover::Seat(table.rules.seat_of(Faction::Western)));
    table.play(Choice::Retreat(table.hex("2733")));
    assert_eq!(table.options(), [Choice::Advance, Choice::Stay]);
    table.play(Choice::Advance);
    assert_eq!((table.place(army), table.place(enemy)), ("2732".into(), "2733".into()));
    assert_eq!(table.state.controller(hex), Side::Axis);
    assert_eq!((table.state.frame(), table.state.activation.points), (Frame::Activation, 6));
    assert_eq!(table.state.fight, Fight::NONE);
    // It stands in the EZOC of the Poles: it may attack again, not move.
    assert!(table.options().iter().all(|choice| matches!(choice, Choice::Attack(_) | Choice::Stop)));
    table.play(Choice::Stop);
    assert!(!table.options().contains(&Choice::Activate(army)));
    assert_eq!(table.will(Country::POL), table.rules.world.country(Country::POL).will);
}

#[test]
fn m10_a_tank_army_attacks_five_times() {
    let mut table = Table::new(&EAST, Faction::Axis);
    let tanks = table.put("GER-PZ3", "1857");
    let hexes = ["1858", "1959", "1958", "1957", "1956"];
    for (unit, hex) in ["USSR-7A", "USSR-8A", "USSR-3A", "USSR-4A", "USSR-10A"].into_iter().zip(hexes) {
        let enemy = table.put(unit, hex);
        table.state.unit_mut(enemy).level = 1;
    }
    let will = table.will(Country::USSR);
    table.play(Choice::Activate(tanks));
    for (at, name) in hexes.into_iter().enumerate() {
        let hex = table.hex(name);
        table.play(Choice::Attack(hex));
        table.roll(6, 1);
        assert!(table.state.has_no_ezoc(hex), "the defender was eliminated by a Mobile attack");
        assert_eq!(table.will(Country::USSR), will - at as i16 - 1);
        table.play(if at == 4 { Choice::Stay } else { Choice::Advance });
    }
    assert_eq!(table.state.activation.points, 0);
    assert_eq!(table.options(), [Choice::Stop]);
    table.play(Choice::Stop);
    // No EZOC markers stay until the end of the sub-phase.
    table.rules.play_actions(&mut table.state, Choice::End, &mut Discard);
    assert_eq!(table.state.no_ezoc, State::blank(0).no_ezoc);
}

#[test]
fn stopped_and_attrition_end_the_activation_and_w05_costs_no_will() {
    let mut table = Table::new(&FRANCE, Faction::Axis);
    let army = table.put("GER-4A", "3915");
    table.put("FRA-1A", "3914");
    table.state.weather = [Weather::Poor; 4];
    let will = table.will(Country::GER);
    table.play(Choice::Activate(army));
    table.play(Choice::Attack(table.hex("3914")));
    // E04: AA. The Primary Attacker is reduced, its activation over.
    table.roll(2, 5);
    assert_eq!((table.state.unit(army).level, table.state.frame()), (1, Frame::Actions(Faction::Axis)));
    // W05: reduced, it is eliminated by the next one.
    table.state.unit_mut(army).flags = 0;
    table.play(Choice::Activate(army));
    table.play(Choice::Attack(table.hex("3914")));
    table.roll(1, 6);
    assert_eq!((table.state.unit(army).place, table.will(Country::GER)), (Place::POOL, will));
    assert_eq!(table.state.frame(), Frame::Actions(Faction::Axis));
}

#[test]
fn a_disrupted_army_that_cannot_retreat_is_eliminated_and_an_assault_leaves_no_marker() {
    let mut table = Table::new(&EAST, Faction::Axis);
    let units = [("GER-PZ3", "0342"), ("GER-19PZ", "0443"), ("GER-16PZ", "0442")];
    let [first, second, third] = units.map(|(unit, hex)| table.put(unit, hex));
    let enemy = table.put("USSR-7A", "0343");
    let hex = table.hex("0343");
    let will = table.will(Country::USSR);
    table.play(Choice::Assault(hex));
    table.play(Choice::Primary(first));
    table.play(Choice::With(second));
    table.play(Choice::With(third));
    assert_eq!((table.options(), table.points(Country::GER)), (vec![Choice::Go], 99));
    table.play(Choice::Go);
    assert_eq!(table.points(Country::GER), 93, "paid on confirming");
    // E10 without aircraft and markers: 5 + 4 + 2 is capped at 10.
    table.roll(6, 6);
    assert_eq!((table.state.unit(enemy).place, table.will(Country::USSR)), (Place::POOL, will - 1));
    assert!(!table.state.has_no_ezoc(hex));
    assert_eq!(table.options().len(), 4);
    table.play(Choice::Forward(third));
    assert_eq!(table.place(third), "0343");
    assert!(!table.options().iter().any(|choice| matches!(choice, Choice::Activate(_))));
}

#[test]
fn a_fort_may_be_held_or_left() {
    let fight = |stands: bool, level: u8| {
        let mut table = Table::new(&FRANCE, Faction::Axis);
        let tanks = table.put("GER-19PZ", "3323");
        let enemy = table.put("FRA-3A", "3322");
        table.state.unit_mut(enemy).level = level;
        let hex = table.hex("3322");
        // A unit in a fort can't be attacked by a Mobile attack.
        table.play(Choice::Activate(tanks));
        assert!(!table.options().contains(&Choice::Attack(hex)));
        table.play(Choice::Stop);
        table.state.unit_mut(tanks).flags = 0;
        table.play(Choice::Assault(hex));
        table.play(Choice::Primary(tanks));
        table.play(Choice::Go);
        // 6 + 2 + 2 − 1 = 9, halved 5; French 1 + 1 = 2 (0 reduced, 1 at least): DR.
        table.roll(6, 1);
        assert_eq!(table.options(), [Choice::Stand, Choice::GiveWay]);
        table.play(if stands { Choice::Stand } else { Choice::GiveWay });
        (table, enemy, tanks)
    };
    // Ruling 53.
    let (table, enemy, _) = fight(true, 0);
    assert_eq!((table.place(enemy), table.state.unit(enemy).level), ("3322".into(), 1));
    assert_eq!(table.state.frame(), Frame::Actions(Faction::Axis));
    let (table, enemy, tanks) = fight(true, 1);
    assert_eq!(table.state.unit(enemy).place, Place::POOL);
    assert_eq!(table.options(), [Choice::Forward(tanks), Choice::Stay]);
    let (mut table, enemy, _) = fight(false, 0);
    table.play(Choice::Retreat(table.hex("3321")));
    assert_eq!((table.place(enemy), table.state.unit(enemy).level), ("3321".into(), 0));
}

#[test]
fn what_is_committed_is_named_in_turn() {
    let mut table = Table::new(&POLAND, Faction::Axis);
    let tanks = table.put("GER-19PZ", "2735");
    table.put("POL-POM", "2835");
    // Lodz is German already.
    let lodz = table.hex("2934");
    table.state.control[lodz.index()] = Side::Axis;
    let air = table.put("GER-LF1", "2934");
    table.marker(Marker::GroundSupport, Owner::Country(Country::GER));
    table.marker(Marker::HeavyArtillery, Owner::Country(Country::GER));
    table.marker(Marker::GroundSupport, Owner::Country(Country::POL));
    table.play(Choice::Activate(tanks));
    table.play(Choice::Attack(table.hex("2835")));
    assert_eq!(table.state.frame(), Frame::Commit(0));
    table.play(Choice::Commit);
    assert_eq!(table.state.frame(), Frame::Commit(1));
    table.play(Choice::Commit);
    // Who showed Will Commit must commit something: no pass yet.
    let items = [Choice::Use(Marker::GroundSupport), Choice::Use(Marker::HeavyArtillery), Choice::Air(air)];
    assert_eq!(table.options(), items);
    table.play(Choice::Air(air));
    assert_eq!(table.options(), [Choice::Use(Marker::GroundSupport)]);
    table.play(Choice::Use(Marker::GroundSupport));
    table.play(Choice::Use(Marker::HeavyArtillery));
    // The Poles have nothing more and pass; the Germans may go on or pass.
    assert_eq!(table.options(), [Choice::Use(Marker::GroundSupport), Choice::Pass]);
    table.play(Choice::Pass);
    let sum = table.rules.fight_sum(&table.state, &table.state.fight, 0);
    // German, tanks, Air Support +2, Heavy Artillery +2, city −1.
    assert_eq!((sum.total(), table.state.unit(air).level), (7, 1));
    assert_eq!(table.rules.fight_sum(&table.state, &table.state.fight, 1).total(), 1);
    let slot = table.rules.slot(Marker::HeavyArtillery, Owner::Country(Country::GER)).expect("a slot");
    assert_eq!((table.state.ready[slot], table.state.spent[slot]), (0, 1));
}

#[test]
fn will_not_commit_binds_and_nobody_is_asked_who_has_nothing() {
    let mut table = Table::new(&POLAND, Faction::Axis);
    let army = table.put("GER-4A", "2731");
    table.put("POL-POM", "2732");
    table.marker(Marker::GroundSupport, Owner::Country(Country::GER));
    table.play(Choice::Activate(army));
    table.play(Choice::Attack(table.hex("2732")));
    table.play(Choice::HoldBack);
    assert_eq!(table.state.frame(), Frame::FightDie(0));
    assert_eq!(table.state.fight.markers, [0, 0]);
}

#[test]
fn ultra_makes_the_enemy_show_first_and_maskirovka_binds_the_defender() {
    let mut table = Table::new(&FRANCE, Faction::Western);
    let army = table.put("UK-HF", "3323");
    table.put("GER-4A", "3423");
    table.marker(Marker::Ultra, Owner::Faction(Faction::Western));
    table.marker(Marker::GroundSupport, Owner::Country(Country::UK));
    table.marker(Marker::GroundSupport, Owner::Country(Country::GER));
    table.play(Choice::Activate(army));
    table.play(Choice::Attack(table.hex("3423")));
    assert_eq!(table.options(), [Choice::Use(Marker::Ultra), Choice::Pass]);
    table.play(Choice::Use(Marker::Ultra));
    assert_eq!(table.state.frame(), Frame::Commit(1), "the Germans choose first");
    assert!(table.rules.is_shown_first(&table.state, 1));
    table.play(Choice::HoldBack);
    assert_eq!(table.state.frame(), Frame::Commit(0));

    let mut table = Table::new(&EAST, Faction::Soviet);
    let army = table.put("USSR-2SH", "1857");
    table.put("GER-4A", "1858");
    table.marker(Marker::Maskirovka, Owner::Faction(Faction::Soviet));
    table.marker(Marker::GroundSupport, Owner::Country(Country::GER));
    table.play(Choice::Activate(army));
    table.play(Choice::Attack(table.hex("1858")));
    table.play(Choice::Use(Marker::Maskirovka));
    assert_eq!(table.state.frame(), Frame::FightDie(0), "the defender may commit nothing");
}

#[test]
fn a_lost_army_is_taken_off_by_sea() {
    let evacuation = |choice: Choice| {
        let mut table = Table::new(&FRANCE, Faction::Axis);
        let tanks = table.put("GER-19PZ", "3317");
        let enemy = table.put("FRA-2A", "3216");
        table.state.unit_mut(enemy).level = 1;
        table.marker(Marker::NavalEvacuation, Owner::Faction(Faction::Western));
        let will = table.will(Country::FRA);
        table.play(Choice::Activate(tanks));
        table.play(Choice::Attack(table.hex("3216")));
        table.roll(6, 1);
        assert_eq!(table.state.frame(), Frame::Evacuate(enemy));
        table.play(choice);
        assert_eq!((table.state.unit(enemy).place, table.state.frame()), (Place::POOL, Frame::Advance));
        assert!(table.state.has_no_ezoc(table.hex("3216")));
        will - table.will(Country::FRA)
    };
    assert_eq!(evacuation(Choice::Evacuate), 0);
    assert_eq!(evacuation(Choice::Pass), 1);
    // By No Supply: the same question, no National Will either way.
    let mut table = Table::new(&FRANCE, Faction::Axis);
    let army = table.put("FRA-2A", "3216");
    table.marker(Marker::NavalEvacuation, Owner::Faction(Faction::Western));
    let will = table.will(Country::FRA);
    table.rules.reduce(&mut table.state, army, Loss::Supply, &mut Discard);
    assert_eq!((table.state.unit(army).level, table.state.frame()), (1, Frame::Actions(Faction::Axis)));
    table.rules.reduce(&mut table.state, army, Loss::Supply, &mut Discard);
    table.play(Choice::Pass);
    assert_eq!((table.state.unit(army).place, table.will(Country::FRA)), (Place::POOL, will));
}

/// Nobody is taken off to the port that it stands in: another friendly one must open on a Sea Zone of the hex (14.0).
#[test]
fn an_army_in_the_last_port_is_not_taken_off() {
    let mut table = Table::new(&FRANCE, Faction::Axis);
    let (army, world) = (table.put("FRA-2A", "3216"), table.rules.world);
    table.marker(Marker::NavalEvacuation, Owner::Faction(Faction::Western));
    let brest = world.city(world.city_named("brest").expect("Brest"));
    table.rules.put(&mut table.state, army, brest.hex);
    let others = world.cities.iter().filter(|city| city.is_port() && city.hex != brest.hex);
    others.clone().for_each(|city| table.state.control[city.hex.index()] = Side::Axis);
    assert!(!table.rules.can_evacuate(&table.state, army));
    // A port on other waters is of no use, one on the same is.
    let waters = world.hex(brest.hex).zones;
    for port in others {
        table.state.control[port.hex.index()] = Side::Western;
        let opens = port.zones & waters != 0;
        assert_eq!(table.rules.can_evacuate(&table.state, army), opens, "{}", port.id);
        table.state.control[port.hex.index()] = Side::Axis;
    }
}

#[test]
fn l07_attrition_eliminates_a_reduced_invader_where_it_embarked() {
    let active = [(Country::GER, Side::Axis), (Country::FRA, Side::Axis), (Country::USA, Side::Western)];
    let mut table = Table::new(&active, Faction::Western);
    let (army, enemy) = (table.put("USA-5A", "ENA"), table.put("GER-15A", "3216"));
    table.state.unit_mut(army).level = 1;
    let will = table.will(Country::USA);
    let hex = table.hex("3216");
    let fight = Fight { manner: Manner::Landing, primary: army, defender: enemy, hex, ..Fight::NONE };
    table.rules.begin_fight(&mut table.state, fight, &mut Discard);
    table.rules.settle(&mut table.state, &mut Discard);
    table.roll(1, 6);
    assert_eq!((table.state.unit(army).place, table.will(Country::USA)), (Place::POOL, will));
    // The result stays for the mission to read.
    assert!(table.state.fight.result.is_some() && !table.state.fight.vacated);
}

#[test]
fn garrisons_die_without_national_will() {
    let mut table = Table::new(&POLAND, Faction::Axis);
    let (tanks, enemy) = (table.put("GER-PZ3", "2731"), table.put("POL-NAR", "2732"));
    table.state.unit_mut(enemy).level = 1;
    let will = table.will(Country::POL);
    table.play(Choice::Activate(tanks));
    table.play(Choice::Attack(table.hex("2732")));
    table.roll(6, 1);
    assert_eq!((table.state.unit(enemy).place, table.will(Country::POL)), (Place::POOL, will));
    // A garrison is never activated itself, nor does it assault.
    let mut table = Table::new(&POLAND, Faction::Western);
    table.put("POL-NAR", "2732");
    table.put("GER-4A", "2731");
    assert!(table.options().iter().all(|choice| !matches!(choice, Choice::Activate(_) | Choice::Assault(_))));
}

#[test]
fn the_first_commit_marker_is_hidden_until_both_are_chosen() {
    let mut table = Table::new(&POLAND, Faction::Axis);
    table.rules.settings.secret = true;
    let army = table.put("GER-4A", "2731");
    table.put("POL-POM", "2732");
    table.marker(Marker::GroundSupport, Owner::Country(Country::GER));
    table.marker(Marker::GroundSupport, Owner::Country(Country::POL));
    table.play(Choice::Activate(army));
    table.play(Choice::Attack(table.hex("2732")));
    table.play(Choice::Commit);
    let seen_by = |table: &Table, faction| {
        let seat = Viewer::Seat(table.rules.seat_of(faction));
        table.rules.view(&table.state, seat).state().fight.will[0]
    };
    assert_eq!(seen_by(&table, Faction::Western), Commitment::Open);
    assert_eq!(seen_by(&table, Faction::Axis), Commitment::Will);
    table.play(Choice::HoldBack);
    assert_eq!(seen_by(&table, Faction::Western), Commitment::Will);
    assert_eq!(table.options(), [Choice::Use(Marker::GroundSupport)]);
}

#[test]
fn the_air_contest_decides_who_has_air_support() {
    let mut table = Table::new(&POLAND, Faction::Axis);
    let (army, enemy) = (table.put("GER-4A", "2731"), table.put("POL-POM", "2732"));
    let air = [table.put("GER-LF1", "2828"), table.put("POL-AIR", "2831")];
    let hex = table.hex("2732");
    let mut support = |result: CombatResult| {
        let state = &mut table.state;
        state.fight = Fight { primary: army, defender: enemy, hex, air, stage: Stage::Air, ..Fight::NONE };
        let (occasion, result) = (Occasion::AirSupport, Some(result));
        state.duel = Duel { occasion, units: air, hex, result, ..Duel::NONE };
        table.rules.proceed_fight(state, &mut Discard);
        assert_eq!((state.duel, state.fight.stage), (Duel::NONE, Stage::Dice));
        state.fight.support
    };
    use CombatResult::*;
    assert_eq!([NoEffect, DefenderRetreats, AttackerStopped].map(&mut support), [[true, true]; 3]);
    assert_eq!([DefenderDisrupted, DefenderEliminated].map(&mut support), [[true, false]; 2]);
    assert_eq!(support(AttackerAttrition), [false, true]);
}

#[test]
fn a_dropped_unit_joins_one_assault_without_paying_again() {
    let mut table = Table::new(&EAST, Faction::Axis);
    let (army, dropped) = (table.put("GER-4A", "1857"), table.put("GER-7FL", "1959"));
    table.put("USSR-7A", "1858");
    table.state.unit_mut(dropped).flags = flag::DONE | flag::DROPPED;
    let hex = table.hex("1858");
    table.play(Choice::Assault(hex));
    assert_eq!(table.options(), [Choice::Primary(army)]);
    table.play(Choice::Primary(army));
    table.play(Choice::With(dropped));
    table.play(Choice::Go);
    assert_eq!(table.points(Country::GER), 98);
    assert!(!table.rules.may_join(&table.state, dropped, hex));
}

/// Ruling 128: the second Assault of the sub-phase is without the airborne unit that joined the first.
#[test]
fn r128_a_dropped_unit_joins_one_attack_not_more() {
    let mut table = Table::new(&EAST, Faction::Axis);
    let hex = table.hex("1858");
    let (first, dropped) = (table.put("GER-4A", "1857"), table.put("GER-7FL", "1959"));
    let beside = table.rules.world.hex(hex).near.into_iter().filter(|near| near.is_hex());
    let free = beside.filter(|near| table.state.ground_at(*near).is_none());
    let free: Vec<String> = free.map(|near| table.rules.world.place_name(near)).collect();
    let (second, third) = (table.put("GER-8A", &free[0]), table.put("GER-9A", &free[1]));
    table.put("USSR-7A", "1858");
    table.state.unit_mut(dropped).flags = flag::DONE | flag::DROPPED;
    table.play(Choice::Assault(hex));
    assert!(!table.options().contains(&Choice::Primary(dropped)), "it may not be Primary");
    table.play(Choice::Primary(first));
    table.play(Choice::With(dropped));
    table.play(Choice::Go);
    table.roll(1, 4);
    assert_eq!(table.state.frame(), Frame::Actions(Faction::Axis));
    table.play(Choice::Assault(hex));
    table.play(Choice::Primary(second));
    assert_eq!(table.options(), [Choice::With(third), Choice::Go]);
}

#[test]
fn a_lone_country_is_moved_by_the_western_player() {
    let mut table =
        Table::new(&[(Country::FIN, Side::Lone), (Country::USSR, Side::Soviet)], Faction::Western);
    let finns = table.put("FIN-KAR", "1440");
    assert!(table.options().contains(&Choice::Activate(finns)));
    table.play(Choice::Activate(finns));
    assert_eq!(table.rules.mover(&table.state), Mover::Seat(table.rules.seat_of(Faction::Western)));
    let soviet = Table::new(&[(Country::FIN, Side::Lone), (Country::USSR, Side::Soviet)], Faction::Soviet);
    assert_eq!(soviet.options(), [Choice::End]);
}
