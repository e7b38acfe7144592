//! Strategic Movement, replacements, mobilization, economy, strategic warfare, end of turn: the worked examples of 50.1 (S)
//! and 50.5, and the rules that have none.

use std::sync::Arc;

use kernel::Discard;

use crate::choice::Choice;
use crate::frame::Frame;
use crate::ids::{City, Country, Faction, Place, Side, UnitId};
use crate::markers::{Marker, Owner};
use crate::rules::Rules;
use crate::scenario::Scenario;
use crate::settings::Settings;
use crate::state::{State, Status, Supply, event, fate, flag, note};
use crate::tables::{CombatResult, final_value, turn_of};
use crate::testing::{position, put, rules};

fn rules_of(change: impl FnOnce(&mut Scenario)) -> Rules {
    let mut scenario = Scenario::blank();
    change(&mut scenario);
    Rules::new(Settings { scenario: Arc::new(scenario), secret: false, historical: false, variable: false })
}

fn city(rules: &Rules, id: &str) -> City {
    rules.world.city_named(id).unwrap_or_else(|| panic!("no city {id}"))
}

fn hex(rules: &Rules, id: &str) -> Place {
    rules.world.city(city(rules, id)).hex
}

fn named(rules: &Rules, id: &str) -> UnitId {
    rules.world.unit_named(id).unwrap_or_else(|| panic!("no unit {id}"))
}

fn base(rules: &Rules, state: &mut State, unit: &str, at: &str) -> UnitId {
    let unit = named(rules, unit);
    rules.put(state, unit, hex(rules, at));
    unit
}

fn conquer(rules: &Rules, state: &mut State, country: Country) {
    let entry = state.country_mut(country);
    (entry.status, entry.side) = (Status::Conquered, Side::Axis);
    entry.fates |= fate::WAS_ALLIED;
    for hex in Place::hexes().filter(|hex| rules.world.hex(*hex).country == country) {
        state.control[hex.index()] = Side::Axis;
    }
}

/// France without its Overseas Areas: they do not pass to the Axis here.
fn conquer_france(rules: &Rules, state: &mut State) {
    conquer(rules, state, Country::FRA);
    for hex in Place::hexes() {
        let info = rules.world.hex(hex);
        if info.country == Country::FRA && info.area != crate::world::NO_AREA {
            state.control[hex.index()] = Side::Western;
        }
    }
}

fn choices(rules: &Rules, state: &State) -> Vec<Choice> {
    let mut out = Vec::new();
    rules.list(state, &mut out);
    out
}

/// Plays a choice of these phases, without going on with the sequence of play.
fn play(rules: &Rules, state: &mut State, choice: Choice) {
    assert!(choices(rules, state).contains(&choice), "{choice:?} is no choice of {:?}", state.frame());
    rules.play_logistics(state, state.frame(), choice, &mut Discard);
}

fn europe(rules: &Rules) -> State {
    let mut state = position(
        rules,
        &[
            (Country::GER, Side::Axis),
            (Country::FRA, Side::Western),
            (Country::UK, Side::Western),
            (Country::POL, Side::Western),
            (Country::USSR, Side::Soviet),
        ],
    );
    for country in Country::all() {
        let entry = state.country_mut(country);
        (entry.points, entry.extra) = (0, rules.world.country(country).extra_factories);
    }
    state
}

fn give(rules: &Rules, state: &mut State, marker: Marker, faction: Faction, count: u8) {
    let slot = rules.slot(marker, Owner::Faction(faction)).expect("an owner of the marker");
    state.ready[slot] = count;
}

// --- economy --------------------------------------------------------------------------------------------------------

#[test]
fn c01_c02_c11_germany_lives_on_its_factories_and_on_what_it_garrisons() {
    let rules = rules();
    let mut state = europe(&rules);
    assert_eq!(rules.income(&state, Country::GER), 28);
    conquer(&rules, &mut state, Country::POL);
    conquer_france(&rules, &mut state);
    base(&rules, &mut state, "GER-4A", "warsaw");
    for (unit, at) in [("GER-8A", "paris"), ("GER-10A", "lille"), ("GER-1A", "metz")] {
        base(&rules, &mut state, unit, at);
    }
    assert_eq!(rules.income(&state, Country::GER), 33);
    conquer(&rules, &mut state, Country::BEL);
    conquer(&rules, &mut state, Country::NED);
    rules.lift(&mut state, named(&rules, "GER-1A"));
    state.fac_lost[0] = 3;
    assert_eq!(rules.income(&state, Country::GER), 28);
}

#[test]
fn c03_c12_the_phoney_war_halves_income() {
    let rules = rules();
    let mut state = europe(&rules);
    assert_eq!(rules.income(&state, Country::UK), 11);
    state.events |= event::WEST;
    assert_eq!(rules.income(&state, Country::UK), 22);
    assert_eq!(rules.income(&state, Country::USSR), 22);
    state.events |= event::EAST;
    assert_eq!(rules.income(&state, Country::USSR), 44);
}

#[test]
fn ruling_38_a_country_without_factories_gets_a_point_while_it_has_a_city() {
    let rules = rules();
    let mut state = position(&rules, &[(Country::EST, Side::Soviet), (Country::USA, Side::Western)]);
    state.country_mut(Country::USA).extra = 0;
    assert_eq!(rules.factories(&state, Country::EST), 0);
    assert_eq!(rules.income(&state, Country::EST), 1);
    assert_eq!(rules.income(&state, Country::USA), 0);
    for city in &rules.world.country(Country::EST).cities {
        state.control[rules.world.city(*city).hex.index()] = Side::Axis;
    }
    assert_eq!(rules.income(&state, Country::EST), 0);
}

#[test]
fn trade_agreements_and_crises_last_for_one_economy_phase() {
    let rules = rules();
    let mut state = europe(&rules);
    state.notes |= note::TRADE;
    rules.begin_economy(&mut state, Faction::Axis, &mut Discard);
    assert_eq!((state.country(Country::GER).points, state.noted(note::TRADE)), (31, false));
    state.country_mut(Country::GER).fates |= fate::CRISIS;
    rules.begin_economy(&mut state, Faction::Axis, &mut Discard);
    assert_eq!((state.country(Country::GER).points, state.country(Country::GER).fates), (0, 0));
    rules.begin_economy(&mut state, Faction::Axis, &mut Discard);
    assert_eq!(state.country(Country::GER).points, 28);
}

#[test]
fn a_scenario_can_fix_points_and_halve_them_in_one_turn() {
    let rules = rules_of(|scenario| {
        let mut points = [0; crate::COUNTRIES];
        points[Country::USSR.index()] = 45;
        scenario.production = Some(points);
        scenario.hooks.half_points = Some((0, Country::USSR));
    });
    let mut state = europe(&rules);
    rules.begin_economy(&mut state, Faction::Soviet, &mut Discard);
    assert_eq!(state.country(Country::USSR).points, 23);
    state.country_mut(Country::USSR).points = 0;
    state.turn = 1;
    rules.begin_economy(&mut state, Faction::Soviet, &mut Discard);
    assert_eq!(state.country(Country::USSR).points, 45);
}

/// The USA are in the war with some Extra Factories.
fn with_usa(rules: &Rules, extra: u8) -> State {
    let mut state = europe(rules);
    let usa = state.country_mut(Country::USA);
    (usa.status, usa.side, usa.extra) = (Status::Active, Side::Western, extra);
    state.events = event::USA | event::EAST | event::WEST;
    (state.turn, state.usa_turn) = (turn_of(1942, 1), turn_of(1941, 12));
    state
}

#[test]
fn c13_lend_lease_goes_from_the_usa_to_both() {
    let rules = rules();
    let mut state = with_usa(&rules, 8);
    rules.begin_economy(&mut state, Faction::Western, &mut Discard);
    assert_eq!(state.frame(), Frame::LendLease);
    assert_eq!(choices(&rules, &state), [0, 1, 2, 3].map(Choice::LendLease));
    // Who has four points can't give four to each.
    let mut poor = state;
    poor.country_mut(Country::USA).points = 4;
    assert_eq!(choices(&rules, &poor), [0, 1, 2].map(Choice::LendLease));
    let uk = state.country(Country::UK).points;
    play(&rules, &mut state, Choice::LendLease(3));
    assert_eq!(state.country(Country::USA).points, 8);
    assert_eq!(state.country(Country::UK).points, uk + 4);
    rules.begin_economy(&mut state, Faction::Soviet, &mut Discard);
    assert_eq!(state.country(Country::USSR).points, 44 + 4);
}

#[test]
fn lend_lease_needs_a_way_to_the_ussr_and_comes_by_itself_before_the_usa_is_active() {
    let rules = rules();
    let mut state = with_usa(&rules, 8);
    for id in ["murmansk", "archangel"] {
        state.control[hex(&rules, id).index()] = Side::Axis;
    }
    rules.begin_economy(&mut state, Faction::Western, &mut Discard);
    assert_eq!(choices(&rules, &state), [0, 1].map(Choice::LendLease));
    state.pop();
    let uk = rules.income(&state, Country::UK);
    state.country_mut(Country::USA).status = Status::Pending;
    assert_eq!(rules.income(&state, Country::UK), uk + 4);
    rules.begin_economy(&mut state, Faction::Western, &mut Discard);
    assert_eq!(state.frame(), Frame::Flow);
}

#[test]
fn american_factories_grow_every_third_turn_up_to_twenty() {
    let rules = rules();
    let mut state = with_usa(&rules, 4);
    let mut seen = Vec::new();
    for turn in state.usa_turn..state.usa_turn + 31 {
        state.turn = turn;
        rules.begin_economy(&mut state, Faction::Western, &mut Discard);
        state.pop();
        seen.push(state.country(Country::USA).extra);
    }
    assert_eq!(&seen[..7], [4, 4, 4, 6, 6, 6, 8]);
    assert_eq!(seen[30], 20);
}

#[test]
fn a_relocated_factory_is_closed_and_comes_back_two_turns_later() {
    let rules = rules();
    let mut state = europe(&rules);
    state.events |= event::EAST;
    (state.turn, state.east_turn) = (22, 21);
    let extra = state.country(Country::USSR).extra;
    let factories = rules.factories(&state, Country::USSR);
    rules.begin_economy(&mut state, Faction::Soviet, &mut Discard);
    assert_eq!(state.frame(), Frame::Relocate);
    let kiev = city(&rules, "kiev");
    assert!(!choices(&rules, &state).contains(&Choice::Relocate(city(&rules, "stalingrad"))));
    play(&rules, &mut state, Choice::Relocate(kiev));
    assert_eq!(rules.factories(&state, Country::USSR), factories - 1);
    for expected in [extra, extra + 1] {
        rules.end_turn(&mut state, &mut Discard);
        rules.begin_economy(&mut state, Faction::Soviet, &mut Discard);
        assert!(!choices(&rules, &state).contains(&Choice::Relocate(kiev)));
        play(&rules, &mut state, Choice::Pass);
        assert_eq!(state.country(Country::USSR).extra, expected);
    }
    assert_eq!(state.relocating, [0; 3]);
    state.turn = 30;
    rules.begin_economy(&mut state, Faction::Soviet, &mut Discard);
    assert_eq!(state.frame(), Frame::Flow, "eight Economy Phases are over");
}

// --- strategic warfare ----------------------------------------------------------------------------------------------

/// Total, halvings and final value of both sides of a strategic combat, and its result.
fn fought(rules: &Rules, state: &State, combat: u8, dice: [u8; 2]) -> ([i8; 2], [i32; 2], CombatResult) {
    let sums = [0, 1].map(|side| rules.strategic_sum(state, combat, side));
    let values = [0, 1]
        .map(|at| final_value(dice[at], sums[at].total(), sums[at].halvings, rules.world.tables.drm_limit));
    (sums.map(|sum| sum.total()), values, rules.world.tables.result(values[0], values[1]))
}

fn atlantic(rules: &Rules) -> State {
    let mut state = europe(rules);
    conquer_france(rules, &mut state);
    conquer(rules, &mut state, Country::NOR);
    base(rules, &mut state, "GER-LF5", "narvik");
    state
}

fn bomb(rules: &Rules, state: &mut State, cities: &[&str]) {
    for id in cities {
        let city = city(rules, id);
        state.bombed[city.index() / 64] |= 1 << (city.index() % 64);
    }
}

#[test]
fn s02_s03_s05_the_axis_against_the_west() {
    let rules = rules();
    let mut state = atlantic(&rules);
    give(&rules, &mut state, Marker::WolfPacks, Faction::Axis, 1);
    assert_eq!(fought(&rules, &state, 0, [4, 4]), ([4, 0], [8, 4], CombatResult::DefenderRetreats));
    let usa = state.country_mut(Country::USA);
    (usa.status, usa.side) = (Status::Active, Side::Western);
    give(&rules, &mut state, Marker::WolfPacks, Faction::Axis, 3);
    give(&rules, &mut state, Marker::EscortGroups, Faction::Western, 1);
    bomb(&rules, &mut state, &["essen", "cologne", "paris"]);
    assert_eq!(fought(&rules, &state, 0, [4, 3]), ([6, 5], [10, 8], CombatResult::NoEffect));
    give(&rules, &mut state, Marker::WolfPacks, Faction::Axis, 0);
    give(&rules, &mut state, Marker::EscortGroups, Faction::Western, 2);
    give(&rules, &mut state, Marker::HunterKiller, Faction::Western, 1);
    bomb(&rules, &mut state, &["berlin"]);
    assert_eq!(fought(&rules, &state, 0, [6, 2]), ([3, 7], [5, 9], CombatResult::AttackerStopped));
}

#[test]
fn v_weapons_need_a_launching_site_and_snorkels_do_not() {
    let rules = rules();
    let mut state = europe(&rules);
    give(&rules, &mut state, Marker::Snorkel, Faction::Axis, 1);
    give(&rules, &mut state, Marker::VWeapons, Faction::Axis, 1);
    assert_eq!(rules.strategic_sum(&state, 0, 0).total(), 1);
    state.control[hex(&rules, "antwerp").index()] = Side::Axis;
    assert_eq!(rules.strategic_sum(&state, 0, 0).total(), 2);
}

#[test]
fn s06_the_axis_against_the_soviets() {
    let rules = rules();
    let mut state = europe(&rules);
    let fallen =
        [Country::POL, Country::NOR, Country::DEN, Country::BEL, Country::NED, Country::GRE, Country::YUG];
    for country in fallen {
        conquer(&rules, &mut state, country);
    }
    conquer_france(&rules, &mut state);
    give(&rules, &mut state, Marker::ArcticEscort, Faction::Soviet, 1);
    state.control[hex(&rules, "riga").index()] = Side::Soviet;
    base(&rules, &mut state, "USSR-VK", "riga");
    assert_eq!(fought(&rules, &state, 1, [3, 4]), ([0, 6], [3, 10], CombatResult::AttackerAttrition));
    // A Western fighter on the Baltic takes the ore route; a bomber would not (ruling 25).
    state.control[hex(&rules, "stockholm").index()] = Side::Western;
    base(&rules, &mut state, "UK-BC", "stockholm");
    assert_eq!(rules.strategic_sum(&state, 1, 1).total(), 6);
    rules.lift(&mut state, named(&rules, "UK-BC"));
    base(&rules, &mut state, "UK-FC", "stockholm");
    assert_eq!(rules.strategic_sum(&state, 1, 1).total(), 4);
    assert_eq!(rules.strategic_sum(&state, 0, 1).total(), 2);
    conquer(&rules, &mut state, Country::USSR);
    assert_eq!(rules.strategic_sum(&state, 1, 0).total(), 2, "Murmansk closes the White Sea");
}

#[test]
fn c09_both_combats_move_the_german_marker_within_its_track() {
    let rules = rules_of(|scenario| scenario.strategic_warfare = true);
    let mut state = europe(&rules);
    state.fac_lost = [9, 4, 1];
    bomb(&rules, &mut state, &["essen"]);
    rules.begin_strategic(&mut state, &mut Discard);
    assert_eq!(state.frame(), Frame::StrategicDie(0, 0, 0));
    for die in [1, 6] {
        play(&rules, &mut state, Choice::Die(die));
    }
    assert_eq!(state.fac_lost, [9, 3, 1], "AS or AA: Germany stays in the last box");
    assert_ne!(state.bombed, [0; 4], "Bombed markers stay until the phase is over");
    for die in [6, 1] {
        play(&rules, &mut state, Choice::Die(die));
    }
    assert_eq!(state.fac_lost, [8, 3, 2]);
    assert_eq!((state.bombed, state.frame()), ([0; 4], Frame::Flow));
}

// --- replacements, upgrade, end of turn -----------------------------------------------------------------------------

#[test]
fn c06_two_replacements_and_a_rest_bring_a_carrier_back() {
    let rules = rules();
    let mut state = europe(&rules);
    let carrier = base(&rules, &mut state, "UK-CAR", "plymouth");
    state.unit_mut(carrier).level = 5;
    state.country_mut(Country::UK).points = 19;
    rules.begin_replacements(&mut state, Faction::Western);
    for left in [3, 1] {
        play(&rules, &mut state, Choice::Replace(carrier));
        assert_eq!(state.unit(carrier).level, left);
    }
    assert_eq!((state.frame(), state.country(Country::UK).points), (Frame::Flow, 9), "not three times");
    rules.end_turn(&mut state, &mut Discard);
    assert_eq!((state.unit(carrier).level, state.unit(carrier).flags), (0, 0));
    assert_eq!((state.country(Country::UK).points, state.turn), (0, 1));
}

#[test]
fn field_units_with_supply_are_replaced_once_and_garrisons_never() {
    let rules = rules();
    let mut state = europe(&rules);
    let army = base(&rules, &mut state, "GER-4A", "berlin");
    let tank = base(&rules, &mut state, "GER-19PZ", "hamburg");
    let starving = base(&rules, &mut state, "GER-8A", "bremen");
    let garrison = base(&rules, &mut state, "GER-WW", "cologne");
    for unit in [army, tank, starving, garrison] {
        state.unit_mut(unit).level = 1;
    }
    state.unit_mut(starving).supply = Supply::No;
    state.country_mut(Country::GER).points = 3;
    rules.begin_replacements(&mut state, Faction::Axis);
    assert_eq!(choices(&rules, &state), [Choice::Replace(army), Choice::Replace(tank), Choice::Pass]);
    play(&rules, &mut state, Choice::Replace(tank));
    assert_eq!((state.unit(tank).level, state.country(Country::GER).points), (0, 1));
    play(&rules, &mut state, Choice::Replace(army));
    assert_eq!((state.country(Country::GER).points, state.frame()), (0, Frame::Flow));
}

#[test]
fn an_upgrade_takes_the_place_of_the_old_unit() {
    let rules = rules_of(|scenario| scenario.country_setup = 1);
    let mut state = europe(&rules);
    let old = base(&rules, &mut state, "GER-10A", "breslau");
    let new = named(&rules, "GER-6A");
    let crate::world::Avail::Upgrade(of, turn) = rules.info(new).avail else { panic!("no upgrade") };
    assert_eq!(of, old);
    state.unit_mut(old).level = 1;
    rules.upgrade(&mut state, &mut Discard);
    assert_eq!(state.unit(new).place, Place::LATER, "not before its turn");
    state.turn = turn;
    state.unit_mut(old).supply = Supply::Low;
    rules.upgrade(&mut state, &mut Discard);
    assert_eq!(state.unit(new).place, Place::LATER, "only in Full Supply");
    state.unit_mut(old).supply = Supply::Full;
    rules.upgrade(&mut state, &mut Discard);
    assert_eq!((state.unit(new).place, state.unit(new).level), (hex(&rules, "breslau"), 1));
    assert_eq!((state.unit(old).place, state.ground_at(hex(&rules, "breslau"))), (Place::OUT, Some(new)));
}

#[test]
fn used_markers_come_back_but_partisans_stay_on_the_map() {
    let rules = rules();
    let mut state = europe(&rules);
    let support = rules.slot(Marker::GroundSupport, Owner::Country(Country::GER)).expect("a slot");
    let partisans = rules.slot(Marker::Partisans, Owner::Faction(Faction::Soviet)).expect("a slot");
    (state.ready[support], state.spent[support]) = (1, 2);
    (state.ready[partisans], state.spent[partisans]) = (0, 2);
    state.partisans[0] = (hex(&rules, "minsk"), Faction::Soviet);
    state.mulberry = (hex(&rules, "cherbourg"), 1);
    rules.end_turn(&mut state, &mut Discard);
    assert_eq!((state.ready[support], state.spent[support]), (3, 0));
    assert_eq!((state.ready[partisans], state.spent[partisans]), (1, 1));
    assert_ne!(state.mulberry.0, Place::NONE);
    rules.end_turn(&mut state, &mut Discard);
    assert_eq!(state.mulberry.0, Place::NONE);
}

// --- mobilization ---------------------------------------------------------------------------------------------------

fn mobilize(rules: &Rules, state: &mut State, unit: UnitId, to: Place) {
    play(rules, state, Choice::Mobilize(unit));
    play(rules, state, Choice::To(to));
}

#[test]
fn c05_c14_what_units_cost_and_how_they_arrive() {
    let rules = rules();
    let mut state = europe(&rules);
    let bought = [
        ("USSR-7A", "moscow", Faction::Soviet, 1, 0),
        ("USSR-1SH", "kiev", Faction::Soviet, 1, 1),
        ("USSR-SEV", "sevastopol", Faction::Soviet, 1, 0),
        ("GER-19PZ", "berlin", Faction::Axis, 2, 1),
        ("GER-LF1", "berlin", Faction::Axis, 3, 4),
        ("GER-WW", "cologne", Faction::Axis, 1, 1),
    ];
    for (unit, at, faction, cost, level) in bought {
        let unit = named(&rules, unit);
        state.unit_mut(unit).place = Place::POOL;
        let country = rules.info(unit).country;
        state.country_mut(country).points = cost;
        rules.begin_mobilization(&mut state, faction, &mut Discard);
        mobilize(&rules, &mut state, unit, hex(&rules, at));
        let entry = state.unit(unit);
        assert_eq!((entry.level, entry.supply, entry.place), (level, Supply::Full, hex(&rules, at)));
        assert_eq!((state.country(country).points, state.frame()), (0, Frame::Flow));
    }
}

#[test]
fn units_arrive_at_home_in_boxes_and_not_beside_the_enemy() {
    let rules = rules();
    let mut state = with_usa(&rules, 8);
    let army = named(&rules, "POL-POM");
    let american = named(&rules, "USA-1A");
    let fleet = named(&rules, "UK-HFL");
    for unit in [army, american, fleet] {
        state.unit_mut(unit).place = Place::POOL;
    }
    for country in [Country::POL, Country::USA, Country::UK] {
        state.country_mut(country).points = 9;
    }
    put(&rules, &mut state, "GER-4A", "2834");
    put(&rules, &mut state, "GER-8A", "2830");
    let mut places = Vec::new();
    rules.list_locations(&state, army, &mut places);
    assert!(places.contains(&Choice::To(hex(&rules, "warsaw"))), "the capital, EZOC or not");
    assert!(!places.contains(&Choice::To(hex(&rules, "poznan"))), "beside an enemy");
    places.clear();
    rules.list_locations(&state, american, &mut places);
    assert!(places.contains(&Choice::To(Place::ENA)) && places.contains(&Choice::To(hex(&rules, "london"))));
    assert!(!places.contains(&Choice::To(Place::WIO)) && !places.contains(&Choice::To(hex(&rules, "paris"))));
    places.clear();
    rules.list_locations(&state, fleet, &mut places);
    assert!(
        places.contains(&Choice::To(hex(&rules, "scapa-flow"))) && places.contains(&Choice::To(Place::WIO))
    );
    let cairo = hex(&rules, "alexandria");
    assert!(!places.contains(&Choice::To(cairo)), "Overseas");
    // One ground unit a hex (3.2); an air unit has a place of its own there.
    let warsaw = hex(&rules, "warsaw");
    rules.put(&mut state, named(&rules, "POL-LOD"), warsaw);
    let has_room = |unit: UnitId| {
        let mut places = Vec::new();
        rules.list_locations(&state, unit, &mut places);
        places.contains(&Choice::To(warsaw))
    };
    assert!(!has_room(army));
    let is_polish = |unit: &UnitId| rules.info(*unit).country == Country::POL && rules.kind(*unit).is_air();
    assert!(has_room(UnitId::all().find(is_polish).expect("a Polish air unit")));
}

#[test]
fn dated_units_enter_the_box_and_with_the_variable_timeline_roll_for_it() {
    let mut rules = rules_of(|scenario| scenario.country_setup = 1);
    let mut state = europe(&rules);
    let unit = named(&rules, "GER-9A");
    let crate::world::Avail::Turn(turn) = rules.info(unit).avail else { panic!("not dated") };
    let due = |state: &State| {
        UnitId::all()
            .filter(|unit| {
                let info = rules_info(*unit);
                info.country == Country::GER
                    && matches!(info.avail, crate::world::Avail::Turn(due) if due <= turn)
                    && state.unit(*unit).place == Place::LATER
            })
            .count()
    };
    let waiting = due(&state);
    assert!(waiting > 1);
    state.turn = turn - 1;
    rules.begin_mobilization(&mut state, Faction::Axis, &mut Discard);
    assert_eq!(state.unit(unit).place, Place::LATER);
    state.turn = turn;
    let mut variable = state;
    rules.begin_mobilization(&mut state, Faction::Axis, &mut Discard);
    assert_eq!((state.unit(unit).place, due(&state)), (Place::POOL, 0));
    rules.settings.variable = true;
    let before = due(&variable);
    let mut rolled = 0;
    loop {
        variable.next = 25;
        rules.begin_mobilization(&mut variable, Faction::Axis, &mut Discard);
        let Frame::EntryDie(_) = variable.frame() else { break };
        assert_eq!(variable.next, 24, "the phase is not over");
        rolled += 1;
        play(&rules, &mut variable, Choice::Die(if rolled % 2 == 0 { 4 } else { 5 }));
    }
    assert_eq!(rolled, before, "each unit rolls once");
    assert_eq!(due(&variable), before.div_ceil(2));
    assert!(variable.units.iter().all(|unit| !unit.has(flag::LATE)));
}

fn rules_info(unit: UnitId) -> &'static crate::world::UnitInfo {
    crate::world::World::get().unit(unit)
}

#[test]
fn surprise_attacks_are_ordered_four_turns_ahead_and_walls_are_built_once_a_hex() {
    let rules = rules();
    let mut state = europe(&rules);
    conquer_france(&rules, &mut state);
    state.country_mut(Country::GER).points = 45;
    let slot = rules.slot(Marker::AtlanticWall, Owner::Country(Country::GER)).expect("a slot");
    state.ready[slot] = 2;
    rules.begin_mobilization(&mut state, Faction::Axis, &mut Discard);
    play(&rules, &mut state, Choice::Order);
    assert_eq!((state.surprise[0], state.country(Country::GER).points), (4, 25));
    assert!(!choices(&rules, &state).contains(&Choice::Order), "there is one marker");
    let calais = hex(&rules, "calais");
    play(&rules, &mut state, Choice::Wall(calais));
    assert!(rules.has_fort(&state, calais));
    assert!(!choices(&rules, &state).contains(&Choice::Wall(calais)));
    assert!(!choices(&rules, &state).contains(&Choice::Wall(hex(&rules, "paris"))), "not on the coast");
    play(&rules, &mut state, Choice::Wall(hex(&rules, "brest")));
    assert_eq!((state.ready[slot], state.frame()), (0, Frame::Flow));
}

#[test]
fn emergency_mobilization_places_leg_units_in_soviet_cities() {
    let rules = rules_of(|scenario| scenario.hooks.emergency = Some((0, 2)));
    let mut state = europe(&rules);
    let armies = ["USSR-18A", "USSR-20A", "USSR-24A"].map(|id| named(&rules, id));
    for unit in armies.into_iter().chain([named(&rules, "USSR-3TK")]) {
        state.unit_mut(unit).place = Place::POOL;
        state.unit_mut(unit).level = 1;
    }
    rules.begin_emergency(&mut state);
    assert_eq!(state.frame(), Frame::Flow, "the Axis has not attacked");
    state.notes |= note::INVADED;
    rules.begin_emergency(&mut state);
    assert_eq!(choices(&rules, &state).len(), 4, "no tanks");
    for (unit, at) in armies.into_iter().zip(["minsk", "kiev"]) {
        play(&rules, &mut state, Choice::Mobilize(unit));
        play(&rules, &mut state, Choice::To(hex(&rules, at)));
        assert_eq!((state.unit(unit).level, state.unit(unit).place), (0, hex(&rules, at)));
    }
    assert_eq!((state.frame(), state.unit(armies[2]).place), (Frame::Flow, Place::POOL));
}

#[test]
fn the_hooks_of_the_east_give_the_western_edge_and_kirkenes() {
    let rules = rules_of(|scenario| {
        scenario.west_edge = ["2533", "2833", "3133"]
            .map(|name| crate::world::World::get().hex_named(name).expect("a hex"))
            .to_vec();
        (scenario.hooks.edge_supply, scenario.hooks.edge_mobilization) = (true, true);
        scenario.hooks.axis_limited = crate::world::World::get().city_named("kirkenes");
    });
    let mut state = europe(&rules);
    conquer(&rules, &mut state, Country::POL);
    conquer(&rules, &mut state, Country::NOR);
    let romanian = put(&rules, &mut state, "ROM-3", "2834");
    let rom = state.country_mut(Country::ROM);
    (rom.status, rom.side) = (Status::Active, Side::Axis);
    assert!(matches!(rules.source_of(&state, romanian), crate::Source::Unlimited(_)));
    let mountain = base(&rules, &mut state, "GER-20A", "kirkenes");
    assert_eq!(rules.source_of(&state, mountain), crate::Source::Limited(hex(&rules, "kirkenes")));
    let army = named(&rules, "GER-4A");
    state.unit_mut(army).place = Place::POOL;
    let mut places = Vec::new();
    rules.list_locations(&state, army, &mut places);
    assert_eq!(
        places,
        ["2533", "2833", "3133"].map(|name| Choice::To(rules.world.hex_named(name).expect("a hex")))
    );
}

#[test]
fn area_closed_ends_sources_and_locations_after_its_turn() {
    let rules = rules_of(|scenario| {
        let world = crate::world::World::get();
        let area = world.disputed.iter().position(|area| area.id == "eastern-poland").expect("an area");
        scenario.hooks.area_closed = Some((0, area as u8));
    });
    let mut state = europe(&rules);
    let brest =
        rules.world.disputed.iter().find(|area| area.id == "eastern-poland").expect("an area").cities[0];
    let place = rules.world.city(brest).hex;
    let army = named(&rules, "POL-NAR");
    rules.put(&mut state, army, place);
    assert_eq!(rules.source_of(&state, army), crate::Source::Unlimited(place));
    state.turn = 1;
    assert_ne!(rules.source_of(&state, army), crate::Source::Unlimited(place));
    rules.lift(&mut state, army);
    state.unit_mut(army).place = Place::POOL;
    let mut places = Vec::new();
    rules.list_locations(&state, army, &mut places);
    assert!(!places.is_empty() && !places.contains(&Choice::To(place)));
}

// --- Strategic Movement ---------------------------------------------------------------------------------------------

#[test]
fn a_country_moves_a_unit_for_every_two_factories() {
    let rules = rules();
    let mut state = europe(&rules);
    assert_eq!(rules.rail_allowance(&state, Country::GER), 8);
    assert_eq!(rules.rail_allowance(&state, Country::POL), 2);
    let armies = ["POL-POM", "POL-MOD", "POL-POZ"];
    let units = [("warsaw", 0), ("krakow", 1), ("lodz", 2)]
        .map(|(at, which)| base(&rules, &mut state, armies[which], at));
    rules.begin_rail(&mut state, Faction::Western);
    for (unit, to) in units.into_iter().zip(["poznan", "lwow"]) {
        play(&rules, &mut state, Choice::Rail(unit));
        play(&rules, &mut state, Choice::To(hex(&rules, to)));
        assert!(state.unit(unit).has(flag::RAILED));
    }
    assert_eq!(state.frame(), Frame::Flow, "Poland has made its two moves");
}

#[test]
fn rails_keep_out_of_zones_of_control_partisans_and_closed_country() {
    let rules = rules();
    let mut state = europe(&rules);
    state.war_east = true;
    let army = base(&rules, &mut state, "GER-4A", "berlin");
    let ends = |state: &State| {
        let mut out = Vec::new();
        rules.list_rail_ends(state, army, &mut out);
        out
    };
    let free = ends(&state);
    assert!(free.contains(&Choice::To(hex(&rules, "munich"))));
    assert!(
        !free.contains(&Choice::To(hex(&rules, "berlin")))
            && !free.contains(&Choice::To(hex(&rules, "poznan")))
    );
    assert!(!free.contains(&Choice::To(hex(&rules, "copenhagen"))), "neutral");
    assert!(free.windows(2).all(|pair| pair[0] < pair[1]));
    let mut marked = state;
    let munich = hex(&rules, "munich");
    marked.partisans[0] = (munich, Faction::Western);
    assert!(!ends(&marked).contains(&Choice::To(munich)));
    let mut threatened = state;
    put(&rules, &mut threatened, "POL-POM", "2829");
    assert!(ends(&threatened).is_empty(), "it stands in an EZOC");
    let mut beside = state;
    let near = rules.world.hex(munich).near[0];
    let pole = named(&rules, "POL-POM");
    rules.put(&mut beside, pole, near);
    assert!(!ends(&beside).contains(&Choice::To(munich)), "not into an EZOC");
}

#[test]
fn ruling_86_air_units_fly_twenty_hexes_and_armies_stay_in_their_overseas_area() {
    let rules = rules();
    let mut state = europe(&rules);
    let fighter = base(&rules, &mut state, "UK-DAF", "valletta");
    let army = base(&rules, &mut state, "UK-8A", "alexandria");
    let mut out = Vec::new();
    rules.list_rail_ends(&state, fighter, &mut out);
    assert!(out.contains(&Choice::To(hex(&rules, "tunis"))));
    assert!(!out.contains(&Choice::To(hex(&rules, "cairo"))), "too far");
    out.clear();
    rules.list_rail_ends(&state, army, &mut out);
    assert!(out.contains(&Choice::To(hex(&rules, "cairo"))));
    let area = rules.world.hex(hex(&rules, "cairo")).area;
    assert!(out.iter().all(|end| matches!(end, Choice::To(hex) if rules.world.hex(*hex).area == area)));
}

#[test]
fn the_central_russia_box_is_a_place_on_the_soviet_line() {
    let rules = rules();
    let mut state = europe(&rules);
    let army = base(&rules, &mut state, "USSR-7A", "moscow");
    let mut out = Vec::new();
    rules.list_rail_ends(&state, army, &mut out);
    assert!(out.contains(&Choice::To(Place::CRU)));
    rules.put(&mut state, army, Place::CRU);
    rules.begin_rail(&mut state, Faction::Soviet);
    play(&rules, &mut state, Choice::Rail(army));
    assert!(!choices(&rules, &state).contains(&Choice::To(Place::CRU)));
    play(&rules, &mut state, Choice::To(hex(&rules, "leningrad")));
    assert_eq!(state.ground_at(hex(&rules, "leningrad")), Some(army));
}

#[test]
fn minor_limits_and_frozen_countries_are_kept_off_the_rails() {
    let rules = rules_of(|scenario| {
        scenario.hooks.minor_limits = Some((1 << Country::HUN.index(), 1 << Country::HUN.index()));
        scenario.hooks.no_activation = Some((0, 1 << Country::ROM.index()));
        scenario.hooks.freeze = Some((0, Country::YUG));
    });
    let mut state = position(
        &rules,
        &[
            (Country::GER, Side::Axis),
            (Country::HUN, Side::Axis),
            (Country::ROM, Side::Axis),
            (Country::YUG, Side::Western),
        ],
    );
    let hungarian = base(&rules, &mut state, "HUN-2", "budapest");
    let mut out = Vec::new();
    rules.list_rail_ends(&state, hungarian, &mut out);
    let inside =
        |end: &Choice| matches!(end, Choice::To(hex) if rules.world.hex(*hex).country == Country::HUN);
    assert!(!out.is_empty() && out.iter().all(inside));
    base(&rules, &mut state, "ROM-1", "bucharest");
    let yugoslav = base(&rules, &mut state, "YUG-1", "belgrade");
    rules.begin_rail(&mut state, Faction::Axis);
    assert_eq!(choices(&rules, &state), [Choice::Rail(hungarian), Choice::Pass]);
    play(&rules, &mut state, Choice::Pass);
    rules.begin_rail(&mut state, Faction::Western);
    assert_eq!(state.frame(), Frame::Flow);
    state.notes |= note::INVADED;
    rules.begin_rail(&mut state, Faction::Western);
    assert_eq!(choices(&rules, &state), [Choice::Rail(yugoslav), Choice::Pass]);
}

/// 4.8: a country that has made its moves is not asked for more, though its aircraft could still fly somewhere.
#[test]
fn nobody_is_asked_for_more_strategic_moves_than_a_country_has() {
    let rules = rules();
    let mut state = europe(&rules);
    base(&rules, &mut state, "GER-LF1", "berlin");
    let (before, most) = (state.frame(), rules.rail_allowance(&state, Country::GER));
    let mut asked = state;
    rules.begin_rail(&mut asked, Faction::Axis);
    assert_eq!(asked.frame(), Frame::Rail(Faction::Axis));
    state.railed[Country::GER.index()] = most;
    rules.begin_rail(&mut state, Faction::Axis);
    assert_eq!(state.frame(), before);
}
