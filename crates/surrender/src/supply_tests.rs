//! Supply: the worked examples of 50.3, and a slow second method that reads rules 7.2 and 7.3 word by word.

use kernel::{Dice, Discard, LabDice};

use crate::choice::Choice;
use crate::frame::Frame;
use crate::ids::{City, Country, Faction, LANDS, Place, Side, UnitId};
use crate::markers::{Marker, Owner};
use crate::rules::Rules;
use crate::state::{State, Status, Supply, flag, note};
use crate::supply::{Net, Source, bit};
use crate::testing::{position, put, rules};
use crate::world::{Hexside, Kind};

/// A country falls: its hexes are the conqueror's.
fn conquer(rules: &Rules, state: &mut State, country: Country, side: Side) {
    let entry = state.country_mut(country);
    (entry.status, entry.side) = (Status::Conquered, side);
    for hex in Place::hexes().filter(|hex| rules.world.hex(*hex).country == country) {
        state.control[hex.index()] = side;
    }
}

fn place(rules: &Rules, name: &str) -> Place {
    rules.world.place_named(name).expect("a place")
}

/// Runs the Supply Check of a faction as far as nobody has to choose.
fn check(rules: &Rules, state: &mut State, faction: Faction) {
    state.acting = faction;
    rules.begin_check(state, faction, &mut Discard);
    rules.proceed_check(state, faction, &mut Discard);
}

fn supplies<const N: usize>(state: &State, units: [UnitId; N]) -> [Supply; N] {
    units.map(|unit| state.unit(unit).supply)
}

/// Germany at war, the USSR conquered up to the edge of the map.
fn eastern_march(rules: &Rules) -> State {
    let mut state = position(rules, &[(Country::GER, Side::Axis)]);
    conquer(rules, &mut state, Country::USSR, Side::Axis);
    conquer(rules, &mut state, Country::POL, Side::Axis);
    state.control[place(rules, "2148").index()] = Side::Soviet;
    state
}

#[test]
fn p01_to_p03_two_hexes_from_a_line_are_full_and_three_are_one_level_down() {
    let rules = rules();
    let mut state = eastern_march(&rules);
    let near = put(&rules, &mut state, "GER-4A", "0639");
    let far = put(&rules, &mut state, "GER-8A", "0849");
    check(&rules, &mut state, Faction::Axis);
    assert_eq!(supplies(&state, [near, far]), [Supply::Full, Supply::Low]);
    check(&rules, &mut state, Faction::Axis);
    assert_eq!(supplies(&state, [near, far]), [Supply::Full, Supply::No]);
    check(&rules, &mut state, Faction::Axis);
    assert_eq!(supplies(&state, [near, far]), [Supply::Full, Supply::No]);
}

/// Three British armies in Greece, which is Western.
fn greek_expedition(rules: &Rules) -> (State, [UnitId; 3]) {
    let mut state = position(
        rules,
        &[(Country::GER, Side::Axis), (Country::UK, Side::Western), (Country::GRE, Side::Western)],
    );
    let armies = [
        put(rules, &mut state, "UK-ANZ", "5039"),
        put(rules, &mut state, "UK-9A", "5038"),
        put(rules, &mut state, "UK-8A", "4938"),
    ];
    (state, armies)
}

#[test]
fn p05_and_p06_a_capital_feeds_two_armies_of_an_ally_and_the_owner_chooses() {
    let rules = rules();
    let (mut state, armies) = greek_expedition(&rules);
    check(&rules, &mut state, Faction::Western);
    assert_eq!(supplies(&state, armies), [Supply::Low; 3]);
    check(&rules, &mut state, Faction::Western);
    let athens = place(&rules, "5140");
    assert_eq!(state.frame(), Frame::Feed(athens));
    let mut choices = Vec::new();
    rules.list(&state, &mut choices);
    assert_eq!(choices, armies.map(Choice::Feed));
    // `play` would go on with the sequence of play, which belongs to other rules.
    for unit in [armies[2], armies[0]] {
        rules.play_feed(&mut state, unit, &mut Discard);
        rules.proceed_check(&mut state, Faction::Western, &mut Discard);
    }
    assert_eq!(supplies(&state, armies), [Supply::Low, Supply::No, Supply::Low]);
    assert_eq!((state.depth, state.check), (1, crate::SupplyCheck::NONE));
    assert!(state.units.iter().all(|unit| unit.flags == 0));
}

#[test]
fn no_choice_is_asked_at_a_limited_source_that_feeds_all_who_need_it() {
    let rules = rules();
    let (mut state, armies) = greek_expedition(&rules);
    for unit in &armies[..2] {
        state.unit_mut(*unit).supply = Supply::No;
    }
    // The third has full stores and falls to Low in any case.
    check(&rules, &mut state, Faction::Western);
    assert_eq!(supplies(&state, armies), [Supply::Low; 3]);
    assert_eq!(state.depth, 1);
}

/// A link as it stands when its mission is over.
fn link(rules: &Rules, state: &mut State, faction: Faction, convoy: UnitId, to: &str, interdicted: bool) {
    state.acting = faction;
    rules.begin_check(state, faction, &mut Discard);
    state.check.convoy = convoy;
    state.check.ends = [state.unit(convoy).place, place(rules, to)];
    state.unit_mut(convoy).flags |= flag::LINKED | if interdicted { flag::ENDED } else { 0 };
    rules.proceed_check(state, faction, &mut Discard);
}

#[test]
fn p07_and_p08_a_convoy_from_naples_feeds_tobruk_or_is_interdicted() {
    let rules = rules();
    let mut state = position(&rules, &[(Country::ITA, Side::Axis), (Country::UK, Side::Western)]);
    let army = put(&rules, &mut state, "ITA-10A", "5941");
    let naples = rules.world.city_named("naples").expect("a city");
    let convoy = rules.world.unit_named("ITA-CV1").expect("a unit");
    rules.put(&mut state, convoy, rules.world.city(naples).hex);
    let mut other = state;
    link(&rules, &mut state, Faction::Axis, convoy, "5941", false);
    assert_eq!(supplies(&state, [army]), [Supply::Full]);
    link(&rules, &mut other, Faction::Axis, convoy, "5941", true);
    assert_eq!(supplies(&other, [army]), [Supply::Low]);
}

#[test]
fn p09_american_armies_live_on_british_ports() {
    let rules = rules();
    let mut state = position(
        &rules,
        &[(Country::GER, Side::Axis), (Country::UK, Side::Western), (Country::USA, Side::Western)],
    );
    conquer(&rules, &mut state, Country::FRA, Side::Axis);
    for hex in ["3115", "3215"] {
        state.control[place(&rules, hex).index()] = Side::Western;
    }
    let army = put(&rules, &mut state, "USA-1A", "3215");
    let port = rules.world.city_named("portsmouth").expect("a city");
    let convoy = rules.world.unit_named("USA-CV1").expect("a unit");
    rules.put(&mut state, convoy, rules.world.city(port).hex);
    link(&rules, &mut state, Faction::Western, convoy, "3115", false);
    assert_eq!(supplies(&state, [army]), [Supply::Full]);
}

#[test]
fn p10_the_capital_of_a_conquered_country_feeds_its_conqueror_poorly() {
    let rules = rules();
    let mut state = position(&rules, &[(Country::GER, Side::Axis), (Country::USSR, Side::Soviet)]);
    conquer(&rules, &mut state, Country::POL, Side::Axis);
    for hex in Place::hexes().filter(|hex| rules.world.hex(*hex).country == Country::GER) {
        state.control[hex.index()] = Side::Soviet;
    }
    let army = put(&rules, &mut state, "GER-4A", "2834");
    state.unit_mut(army).supply = Supply::No;
    assert_eq!(rules.source_of(&state, army), Source::Limited(place(&rules, "2835")));
    check(&rules, &mut state, Faction::Axis);
    assert_eq!(supplies(&state, [army]), [Supply::Low]);
}

#[test]
fn p11_a_zone_of_control_blocks_a_line_unless_a_friend_stands_there() {
    let rules = rules();
    let mut state = position(&rules, &[(Country::USSR, Side::Soviet), (Country::GER, Side::Axis)]);
    conquer(&rules, &mut state, Country::NOR, Side::Axis);
    // Nothing but the line from Oslo to Trondheim: everything around is somebody else's.
    let line = ["1528", "1427", "1328", "1228", "1128"].map(|name| place(&rules, name));
    let army = put(&rules, &mut state, "GER-4A", "1128");
    state.countries[Country::NOR.index()].side = Side::Axis;
    assert_eq!(rules.source_of(&state, army), Source::Limited(place(&rules, "1627")));
    for hex in Place::hexes().filter(|hex| !line.contains(hex)) {
        if rules.world.distance(hex, line[2]) < 5 && hex != place(&rules, "1627") {
            state.control[hex.index()] = Side::Nobody;
        }
    }
    assert_eq!(rules.source_of(&state, army), Source::Limited(place(&rules, "1627")));
    let info = rules.world.hex(line[1]);
    let beside = *info
        .near
        .iter()
        .zip(info.sides)
        .find(|(near, side)| {
            near.is_hex() && !line.contains(near) && !matches!(side, Hexside::Water | Hexside::Strait)
        })
        .expect("a hex beside the line")
        .0;
    let enemy = rules.world.unit_named("USSR-7A").expect("a unit");
    rules.put(&mut state, enemy, beside);
    state.control[beside.index()] = Side::Soviet;
    assert_eq!(rules.source_of(&state, army), Source::Nothing);
    let ring: Vec<UnitId> = ["GER-8A", "GER-10A", "GER-14A", "GER-1A"]
        .map(|name| rules.world.unit_named(name).expect("a unit"))
        .to_vec();
    for (unit, hex) in ring.iter().zip(line) {
        rules.put(&mut state, *unit, hex);
    }
    assert_eq!(rules.source_of(&state, army), Source::Limited(place(&rules, "1627")));
}

#[test]
fn p12_and_p13_central_russia_and_a_city_of_ones_own_are_enough() {
    let rules = rules();
    let mut state = position(&rules, &[(Country::USSR, Side::Soviet), (Country::GER, Side::Axis)]);
    for hex in Place::hexes() {
        if rules.world.hex(hex).country == Country::USSR && rules.has_city(hex) {
            state.control[hex.index()] = Side::Axis;
        }
    }
    let army = put(&rules, &mut state, "USSR-7A", "1357");
    assert_eq!(rules.source_of(&state, army), Source::Unlimited(Place::CRU));
    let leningrad = place(&rules, "1641");
    state.control[leningrad.index()] = Side::Soviet;
    let inside = put(&rules, &mut state, "USSR-8A", "1641");
    for (unit, near) in ["GER-4A", "GER-8A", "GER-10A", "GER-14A", "GER-1A"]
        .iter()
        .zip(["1642", "1640", "1541", "1741", "1742"])
    {
        put(&rules, &mut state, unit, near);
    }
    assert_eq!(rules.source_of(&state, inside), Source::Unlimited(leningrad));
}

#[test]
fn p14_three_armies_in_norway_with_and_without_a_convoy() {
    let rules = rules();
    let mut state = position(&rules, &[(Country::GER, Side::Axis), (Country::UK, Side::Western)]);
    conquer(&rules, &mut state, Country::NOR, Side::Axis);
    let armies = [
        put(&rules, &mut state, "GER-4A", "1528"),
        put(&rules, &mut state, "GER-8A", "1328"),
        put(&rules, &mut state, "GER-21G", "1128"),
    ];
    let mut alone = state;
    let convoy = put(&rules, &mut state, "GER-CV1", "2526");
    link(&rules, &mut state, Faction::Axis, convoy, "1627", false);
    assert_eq!(supplies(&state, armies), [Supply::Full; 3]);
    check(&rules, &mut alone, Faction::Axis);
    assert_eq!(supplies(&alone, armies), [Supply::Low; 3]);
}

#[test]
fn p15_and_p16_egypt_lives_by_the_indian_ocean_and_poorly_on_cairo() {
    let rules = rules();
    let mut state = position(&rules, &[(Country::UK, Side::Western), (Country::ITA, Side::Axis)]);
    let units = [
        put(&rules, &mut state, "UK-8A", "5948"),
        put(&rules, &mut state, "UK-9A", "6048"),
        put(&rules, &mut state, "UK-MFL", "5947"),
    ];
    let mut cut = state;
    let convoy = put(&rules, &mut state, "UK-CV3", "5849");
    link(&rules, &mut state, Faction::Western, convoy, "WIO", false);
    assert_eq!(supplies(&state, units), [Supply::Full; 3]);
    // The convoy itself reaches the far end.
    assert_eq!(state.unit(convoy).supply, Supply::Full);
    check(&rules, &mut cut, Faction::Western);
    assert_eq!(supplies(&cut, units), [Supply::Low; 3]);
    check(&rules, &mut cut, Faction::Western);
    assert_eq!(cut.frame(), Frame::Feed(place(&rules, "6049")));
    rules.play_feed(&mut cut, units[0], &mut Discard);
    rules.proceed_check(&mut cut, Faction::Western, &mut Discard);
    rules.play_feed(&mut cut, units[1], &mut Discard);
    rules.proceed_check(&mut cut, Faction::Western, &mut Discard);
    assert_eq!(supplies(&cut, units), [Supply::Low, Supply::Low, Supply::No]);
}

#[test]
fn p17_a_garrison_lives_on_its_stores_and_a_fighter_does_not() {
    let rules = rules();
    let mut state = position(&rules, &[(Country::UK, Side::Western), (Country::ITA, Side::Axis)]);
    let malta = rules.world.city(rules.world.city_named("valletta").expect("a city")).hex;
    let garrison = rules.world.unit_named("UK-MAL").expect("a unit");
    let fighter = rules.world.unit_named("UK-DAF").expect("a unit");
    rules.put(&mut state, garrison, malta);
    rules.put(&mut state, fighter, malta);
    let mut seen = Vec::new();
    for _ in 0..12 {
        check(&rules, &mut state, Faction::Western);
        seen.push(supplies(&state, [garrison, fighter]));
    }
    assert_eq!(seen[0], [Supply::Low, Supply::Low]);
    assert!(seen[1..].iter().all(|pair| *pair == [Supply::Low, Supply::No]));
}

#[test]
fn p18_units_that_needed_an_interdicted_link_get_nothing_more() {
    let rules = rules();
    let mut state = position(&rules, &[(Country::ITA, Side::Axis), (Country::UK, Side::Western)]);
    let tripoli = rules.world.city(rules.world.city_named("tripoli").expect("a city")).hex;
    let naples = rules.world.city(rules.world.city_named("naples").expect("a city")).hex;
    let [first, second, convoy] =
        ["ITA-10A", "ITA-5A", "ITA-CV1"].map(|name| rules.world.unit_named(name).expect("a unit"));
    rules.put(&mut state, first, tripoli);
    let beside = rules.world.hex(tripoli).near.into_iter().find(|hex| hex.is_hex()).expect("land");
    rules.put(&mut state, second, beside);
    rules.put(&mut state, convoy, naples);
    for (before, after) in [(Supply::Full, Supply::Low), (Supply::Low, Supply::No)] {
        let mut state = state;
        for unit in [first, second] {
            state.unit_mut(unit).supply = before;
        }
        let name = rules.world.hex(tripoli).name();
        link(&rules, &mut state, Faction::Axis, convoy, &name, true);
        assert_eq!(supplies(&state, [first, second]), [after; 2], "although Tripoli has a Factory");
    }
}

#[test]
fn p19_a_beach_gives_low_and_a_mulberry_full() {
    let rules = rules();
    let mut state = position(
        &rules,
        &[(Country::GER, Side::Axis), (Country::UK, Side::Western), (Country::USA, Side::Western)],
    );
    conquer(&rules, &mut state, Country::FRA, Side::Axis);
    let beach = place(&rules, "3216");
    state.control[beach.index()] = Side::Western;
    let army = put(&rules, &mut state, "USA-1A", "3216");
    let port = rules.world.city(rules.world.city_named("portsmouth").expect("a city")).hex;
    let convoy = rules.world.unit_named("USA-CV1").expect("a unit");
    rules.put(&mut state, convoy, port);
    state.unit_mut(army).supply = Supply::No;
    let mut harbour = state;
    link(&rules, &mut state, Faction::Western, convoy, "3216", false);
    assert_eq!(supplies(&state, [army]), [Supply::Low]);
    harbour.mulberry = (beach, harbour.turn);
    let mut late = harbour;
    link(&rules, &mut harbour, Faction::Western, convoy, "3216", false);
    assert_eq!(supplies(&harbour, [army]), [Supply::Full]);
    late.turn += 1;
    link(&rules, &mut late, Faction::Western, convoy, "3216", false);
    assert_eq!(supplies(&late, [army]), [Supply::Low]);
}

#[test]
fn a_unit_ashore_is_full_and_one_just_dropped_is_low() {
    let rules = rules();
    let mut state = position(&rules, &[(Country::GER, Side::Axis), (Country::UK, Side::Western)]);
    conquer(&rules, &mut state, Country::FRA, Side::Axis);
    state.control[place(&rules, "3216").index()] = Side::Western;
    let landed = put(&rules, &mut state, "UK-2A", "3216");
    let dropped = put(&rules, &mut state, "UK-1AB", "3316");
    state.unit_mut(landed).flags |= flag::ASHORE;
    state.unit_mut(dropped).flags |= flag::DROPPED;
    state.unit_mut(dropped).supply = Supply::Low;
    check(&rules, &mut state, Faction::Western);
    assert_eq!(supplies(&state, [landed, dropped]), [Supply::Full, Supply::Low]);
}

/// Ruling 132: three air units in reach, one out of it; the one with the fewest Sorties of those in reach flies.
#[test]
fn r132_air_transport_is_flown_by_the_freshest_air_unit_in_reach() {
    let rules = rules();
    let mut state = position(&rules, &[(Country::GER, Side::Axis), (Country::USSR, Side::Soviet)]);
    for city in ["2348", "2647", "2344"] {
        state.control[place(&rules, city).index()] = Side::Axis;
    }
    let army = put(&rules, &mut state, "GER-4A", "2347");
    state.unit_mut(army).supply = Supply::Low;
    let planes =
        [("GER-LF1", "2348", 3), ("GER-LF2", "2647", 1), ("GER-LF4", "2344", 2), ("GER-LF3", "2828", 0)];
    let planes = planes.map(|(unit, base, sorties)| {
        let unit = put(&rules, &mut state, unit, base);
        state.unit_mut(unit).level = sorties;
        unit
    });
    let slot = rules.slot(Marker::AirTransport, Owner::Country(Country::GER)).expect("a slot");
    state.ready[slot] = 1;
    check(&rules, &mut state, Faction::Axis);
    assert_eq!(state.frame(), Frame::AirSupply(Faction::Axis));
    rules.play_air_supply(&mut state, Faction::Axis, Choice::Feed(army), &mut Discard);
    assert_eq!(planes.map(|unit| state.unit(unit).level), [3, 2, 2, 0]);
    assert_eq!((state.unit(army).supply, state.ready[slot]), (Supply::Low, 0));
}

#[test]
fn p21_partisans_close_a_hex_until_the_end_of_the_enemys_check() {
    let rules = rules();
    let mut state = position(&rules, &[(Country::GER, Side::Axis), (Country::USSR, Side::Soviet)]);
    conquer(&rules, &mut state, Country::POL, Side::Axis);
    for hex in Place::hexes() {
        let info = rules.world.hex(hex);
        if info.country == Country::USSR && info.col < 60 {
            state.control[hex.index()] = Side::Axis;
        }
    }
    let army = put(&rules, &mut state, "GER-4A", "2541");
    assert!(matches!(rules.source_of(&state, army), Source::Unlimited(_)));
    let slot =
        rules.slot(Marker::Partisans, Owner::Faction(Faction::Soviet)).expect("Partisans of the Soviets");
    state.spent[slot] = 1;
    state.partisans[0] = (place(&rules, "2541"), Faction::Soviet);
    assert_eq!(rules.source_of(&state, army), Source::Nothing);
    check(&rules, &mut state, Faction::Soviet);
    assert_eq!(state.partisans[0].0, place(&rules, "2541"), "their own check does not touch them");
    check(&rules, &mut state, Faction::Axis);
    assert_eq!(supplies(&state, [army]), [Supply::Low]);
    assert_eq!((state.partisans[0].0, state.ready[slot], state.spent[slot]), (Place::NONE, 1, 0));
}

#[test]
fn p22_distance_along_a_line_does_not_matter() {
    let rules = rules();
    let mut state = position(&rules, &[(Country::ROM, Side::Axis)]);
    conquer(&rules, &mut state, Country::USSR, Side::Axis);
    let army = put(&rules, &mut state, "ROM-3", "2955");
    assert!(matches!(rules.source_of(&state, army), Source::Unlimited(_)));
}

#[test]
fn lone_countries_are_checked_after_the_west_and_leave_no_trace() {
    let rules = rules();
    let mut state = position(
        &rules,
        &[(Country::UK, Side::Western), (Country::FIN, Side::Lone), (Country::USSR, Side::Soviet)],
    );
    state.war_east = false;
    let army = rules.world.unit_named("FIN-ISTH").expect("a unit");
    rules.put(&mut state, army, rules.info(army).home);
    state.unit_mut(army).supply = Supply::Low;
    check(&rules, &mut state, Faction::Western);
    assert!(state.noted(note::LONE_CHECK));
    rules.proceed_check(&mut state, Faction::Western, &mut Discard);
    assert!(!state.noted(note::LONE_CHECK) && state.depth == 1);
    assert_eq!(supplies(&state, [army]), [Supply::Full]);
}

// --- a second method ------------------------------------------------------------------------------------------------

/// Whether a hex other than the unit's own may be part of a trace, in the words of 7.2.
fn may_be_traced(rules: &Rules, state: &State, side: Side, hex: Place) -> bool {
    let friend = state.ground_at(hex).is_some_and(|unit| rules.side_of(state, unit) == side);
    !rules.world.hex(hex).faded
        && !rules.is_closed(state, hex, side)
        && !rules.has_enemy(state, hex, side)
        && !rules.has_enemy_city(state, hex, side)
        && !state.partisans.iter().any(|(at, of)| *at == hex && state.at_war(of.side(), side))
        && (!rules.ezoc(state, hex, side) || friend)
}

/// Every place that a trace from a unit can end in: a search over hexes and steps taken, with 3 for "along a line".
fn traced(rules: &Rules, state: &State, side: Side, own: Place) -> Vec<bool> {
    const ON_LINE: usize = 3;
    let mut seen = vec![[false; 4]; LANDS + 1];
    let mut queue = std::collections::VecDeque::from([(own, 0)]);
    seen[own.index()][0] = true;
    let marked = state.partisans.iter().any(|(at, of)| *at == own && state.at_war(of.side(), side));
    while let Some((here, steps)) = queue.pop_front() {
        let mut next = Vec::new();
        if here == Place::CRU {
            let gates = Place::hexes().filter(|hex| rules.world.hex(*hex).line_to_russia);
            next.extend(gates.map(|hex| (hex, ON_LINE)));
        } else {
            let info = rules.world.hex(here);
            for (direction, near) in info.near.into_iter().enumerate().filter(|(_, near)| near.is_hex()) {
                if info.lines >> direction & 1 != 0 {
                    next.push((near, ON_LINE));
                }
                if steps < 2 && info.sides[direction] != Hexside::Water {
                    next.push((near, steps + 1));
                }
            }
            if info.line_to_russia && rules.scenario().russia {
                next.push((Place::CRU, ON_LINE));
            }
        }
        for (place, steps) in next {
            let open = place == Place::CRU || may_be_traced(rules, state, side, place);
            if open && !marked && !seen[place.index()][steps] {
                seen[place.index()][steps] = true;
                queue.push_back((place, steps));
            }
        }
    }
    seen.into_iter().map(|steps| steps.contains(&true)).collect()
}

/// Whether a city is an Unlimited source for a country, in the words of 7.3.
fn is_unlimited(rules: &Rules, state: &State, city: City, country: Country) -> bool {
    let info = rules.world.city(city);
    let side = state.country(country).side;
    let of = rules.owner(state, info.hex);
    let friendly_home = |home: Country| {
        of == home
            && state.country(home).status == Status::Active
            && state.country(home).side == side
            && rules.is_mainland(state, city)
    };
    state.controller(info.hex) == side
        && !info.port_only
        && (friendly_home(country) || country == Country::USA && friendly_home(Country::UK))
}

/// Whether a city is a Limited source for a country, in the words of 7.3.
fn is_limited(rules: &Rules, state: &State, city: City, country: Country) -> bool {
    let info = rules.world.city(city);
    let side = state.country(country).side;
    let owner = rules.owner(state, info.hex);
    if state.controller(info.hex) != side || info.port_only || owner == Country::NONE {
        return false;
    }
    let of = state.country(owner);
    let overseas_factory =
        info.factory && !rules.is_mainland(state, city) && owner == country && of.status == Status::Active;
    let capital = rules.capital_of(state, owner) == Some(city);
    let conquered = capital && of.status == Status::Conquered && of.side == side;
    let ally = capital && of.status == Status::Active && of.side == side;
    let for_guest = match side {
        Side::Axis => info.id != "berlin" && country == Country::GER,
        Side::Western => info.id != "london" && (country == Country::UK || country == Country::USA),
        Side::Soviet => info.id != "moscow" && country == Country::USSR,
        _ => false,
    };
    overseas_factory || conquered || ally && for_guest
}

/// A position that could never be played to, but in which every rule of supply has something to do.
fn wild_position(rules: &Rules, seed: u64) -> State {
    let mut dice = LabDice::new(seed);
    let mut state = State::blank(dice.below(60) as u8);
    (state.war_west, state.war_east) = (dice.below(4) > 0, dice.below(3) > 0);
    for country in Country::all().filter(|country| *country != Country::VIC) {
        let side = match country {
            Country::GER | Country::ITA => Side::Axis,
            Country::UK | Country::USA | Country::FRA => Side::Western,
            Country::USSR => Side::Soviet,
            _ => [Side::Axis, Side::Western, Side::Soviet, Side::Lone, Side::Nobody][dice.below(5) as usize],
        };
        let fallen = side != Side::Nobody && dice.below(4) == 0;
        let entry = state.country_mut(country);
        entry.side = side;
        entry.status = match side {
            Side::Nobody => Status::Neutral,
            _ if fallen => Status::Conquered,
            _ => Status::Active,
        };
        for hex in Place::hexes().filter(|hex| rules.world.hex(*hex).country == country) {
            state.control[hex.index()] = side;
        }
    }
    state.ceded = dice.below(64) as u8;
    for _ in 0..60 {
        let centre = Place::hex(dice.below(LANDS as u32) as usize);
        let side = Side::ALL[dice.below(4) as usize];
        let radius = dice.below(5);
        for hex in Place::hexes() {
            if rules.world.distance(centre, hex) <= radius && state.controller(hex) != Side::Nobody {
                state.control[hex.index()] = side;
            }
        }
    }
    for unit in UnitId::all() {
        let side = rules.side_of(&state, unit);
        let active = state.country(rules.country_of(&state, unit)).status == Status::Active;
        if !active || dice.below(5) == 0 {
            continue;
        }
        for _ in 0..40 {
            let hex = if rules.kind(unit).is_ground() {
                Place::hex(dice.below(LANDS as u32) as usize)
            } else {
                rules.world.cities[dice.below(crate::CITIES as u32) as usize].hex
            };
            let fits = state.controller(hex) == side
                && !rules.world.hex(hex).faded
                && rules.has_room(&state, unit, hex);
            if fits {
                rules.put(&mut state, unit, hex);
                break;
            }
        }
    }
    for at in 0..3 {
        let unit = UnitId(dice.below(crate::UNITS as u32) as u16);
        let hex = state.unit(unit).place;
        if hex.is_hex() {
            let of = if dice.below(2) == 0 { Faction::Western } else { Faction::Soviet };
            state.partisans[at] = (hex, of);
        }
        state.walls[at] = Place::hex(dice.below(LANDS as u32) as usize);
    }
    state
}

#[test]
fn the_net_of_lines_agrees_with_a_search_for_every_unit() {
    let rules = rules();
    let mut answers = [0; 3];
    for seed in 0..40 {
        let state = wild_position(&rules, seed);
        for side in Side::ALL {
            let net = Net::new(&rules, &state, side);
            for unit in UnitId::all() {
                let own = state.unit(unit).place;
                if !own.is_hex() || rules.side_of(&state, unit) != side {
                    continue;
                }
                let country = rules.country_of(&state, unit);
                let ends = traced(&rules, &state, side, own);
                let reach = net.reach(&state, own);
                let hex_of = |city: City| rules.world.city(city).hex;
                let unlimited = City::all()
                    .any(|city| is_unlimited(&rules, &state, city, country) && ends[hex_of(city).index()])
                    || country == Country::USSR && ends[Place::CRU.index()];
                assert_eq!(
                    net.fed(&state, &reach) & bit(country) != 0,
                    unlimited,
                    "{} in {}, seed {seed}",
                    rules.info(unit).id,
                    rules.world.place_name(own)
                );
                let quick = net.fed_at(&state, own, bit(country)) & bit(country) != 0;
                assert_eq!(quick, unlimited, "{}, seed {seed}", rules.info(unit).id);
                assert_eq!(net.fed_at(&state, own, u32::MAX), net.fed(&state, &reach));
                let limited: Vec<City> = City::all()
                    .filter(|city| is_limited(&rules, &state, *city, country) && ends[hex_of(*city).index()])
                    .collect();
                let fast: Vec<City> = City::all()
                    .filter(|city| {
                        net.limited(*city) & bit(country) != 0 && net.reaches(&reach, hex_of(*city))
                    })
                    .collect();
                assert_eq!(
                    fast,
                    limited,
                    "{} in {}, seed {seed}",
                    rules.info(unit).id,
                    rules.world.place_name(own)
                );
                let source = net.source(&state, unit);
                let (answer, expected) = match source {
                    Source::Unlimited(place) => (0, unlimited && ends[place.index()]),
                    Source::Limited(place) => (1, !unlimited && ends[place.index()]),
                    Source::Nothing => (2, !unlimited && limited.is_empty()),
                };
                assert!(expected, "{source:?} for {}, seed {seed}", rules.info(unit).id);
                answers[answer] += 1;
            }
        }
    }
    assert!(answers.iter().all(|count| *count > 200), "each answer should occur: {answers:?}");
}

#[test]
fn the_units_offered_for_rail_are_those_with_somewhere_to_go() {
    let rules = rules();
    let (mut offered, mut stuck) = (0, 0);
    for seed in 100..130 {
        let mut state = wild_position(&rules, seed);
        for faction in Faction::ALL {
            let mut choices = Vec::new();
            rules.list_rail(&state, faction, &mut choices);
            for unit in UnitId::all().filter(|unit| state.unit(*unit).place.is_hex()) {
                if rules.side_of(&state, unit).player() != faction || rules.kind(unit).is_naval() {
                    continue;
                }
                let mut ends = Vec::new();
                rules.list_rail_ends(&state, unit, &mut ends);
                let is_offered = choices.contains(&Choice::Rail(unit));
                assert_eq!(is_offered, !ends.is_empty(), "{}, seed {seed}", rules.info(unit).id);
                *(if is_offered { &mut offered } else { &mut stuck }) += 1;
            }
        }
        state.railed.fill(200);
        let mut choices = Vec::new();
        rules.list_rail(&state, Faction::Axis, &mut choices);
        assert_eq!(choices, [Choice::Pass], "every country has made its moves");
    }
    assert!(offered > 200 && stuck > 200, "{offered} offered, {stuck} stuck");
}

#[test]
fn kinds_of_unit_that_take_the_air_or_the_sea_trace_like_armies() {
    let rules = rules();
    let mut state = position(&rules, &[(Country::UK, Side::Western), (Country::GER, Side::Axis)]);
    let fleet = put(&rules, &mut state, "UK-HFL", "2816");
    assert_eq!(rules.kind(fleet), Kind::Surface);
    assert_eq!(rules.source_of(&state, fleet), Source::Unlimited(place(&rules, "2816")));
    assert_eq!(rules.supply_of(&state, fleet), Supply::Full);
}

// --- in real play ---------------------------------------------------------------------------------------------------

/// What the slow method says about a unit by land: whether it has an Unlimited source, and whether a Limited one. The special
/// rules of scenarios count (30.6).
fn slow_sources(rules: &Rules, state: &State, unit: UnitId) -> (bool, bool) {
    let own = state.unit(unit).place;
    if own.is_box() || state.unit(unit).has(flag::ASHORE) {
        return (true, false);
    }
    let (side, country) = (rules.side_of(state, unit), rules.country_of(state, unit));
    let (ends, hooks) = (traced(rules, state, side, own), &rules.scenario().hooks);
    let reached = |city: City| {
        let hex = rules.world.city(city).hex;
        ends[hex.index()] && rules.scenario().in_play(hex) && !rules.is_shut(state, hex)
    };
    let held = |city: City| state.controller(rules.world.city(city).hex) == side;
    let by_hook = |city: City| {
        side == Side::Western
            && held(city)
            && (hooks.uk_source == Some(city) && country == Country::UK || hooks.west_base == Some(city))
    };
    let edge = side == Side::Axis
        && hooks.edge_supply
        && rules.scenario().west_edge.iter().any(|hex| ends[hex.index()] && state.controller(*hex) == side);
    let unlimited = edge
        || country == Country::USSR && rules.scenario().russia && ends[Place::CRU.index()]
        || City::all()
            .any(|city| reached(city) && (is_unlimited(rules, state, city, country) || by_hook(city)));
    let limited = City::all().any(|city| {
        let arctic = side == Side::Axis && held(city) && hooks.axis_limited == Some(city);
        reached(city) && (is_limited(rules, state, city, country) || arctic)
    });
    (unlimited, limited)
}

/// A Supply Check under way in a random game: what the slow method said before it began.
struct Watched {
    side: Side,
    units: Vec<(UnitId, bool, bool, Supply)>,
    helped: bool,
}

/// Plays a scenario at random for so many choices and compares every Supply Check with the slow method; how many units were
/// looked at, and how many of them had no Unlimited source.
fn compare_in_play(options: &[(&str, &str)], seed: u64, steps: usize) -> (usize, usize) {
    use kernel::{Game, Mover, Recorder};
    let options = options.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    let game = crate::Surrender::with_options(&options).expect("good options");
    let rules = game.rules();
    let mut dice = LabDice::new(seed);
    let mut state = game.start();
    let mut listed = Vec::new();
    let mut watched: Option<Watched> = None;
    let (mut units, mut without) = (0, 0);
    for step in 0..steps {
        let choice = match game.mover(&state) {
            Mover::Nobody => break,
            Mover::Fate => game.drawn(&state, dice.below(game.tickets(&state))),
            Mover::Seat(_) => {
                listed.clear();
                game.choices(&state, &mut listed);
                listed[dice.below(listed.len() as u32) as usize]
            }
        };
        if let (Frame::Actions(faction), Choice::End) = (state.frame(), choice) {
            let mut before = state;
            before.no_ezoc = [0; crate::state::HEX_WORDS];
            let side = faction.side();
            let of_side = UnitId::all()
                .filter(|unit| before.unit(*unit).on_map() && rules.side_of(&before, *unit) == side);
            let units = of_side.map(|unit| {
                let (unlimited, limited) = slow_sources(rules, &before, unit);
                (unit, unlimited, limited, rules.fallen(&before, unit))
            });
            watched = Some(Watched { side, units: units.collect(), helped: false });
        }
        let mut recorder = Recorder::default();
        game.apply(&mut state, choice, &mut recorder);
        let Some(check) = &mut watched else { continue };
        check.helped |= recorder.events.iter().any(|(_, event)| {
            matches!(event, crate::GameEvent::Linked(..) | crate::GameEvent::Played(_, Marker::AirTransport))
                || matches!(event, crate::GameEvent::Interdicted(..))
        });
        if state.frames[..usize::from(state.depth)].iter().any(|frame| matches!(frame, Frame::Check(_)))
            && !state.noted(note::LONE_CHECK)
        {
            continue;
        }
        for (unit, unlimited, limited, fallen) in &check.units {
            let entry = state.unit(*unit);
            if !entry.on_map()
                || rules.side_of(&state, *unit) != check.side
                || state.phase > crate::Phase::Supply
            {
                continue;
            }
            let right = match (unlimited, limited) {
                (true, _) => entry.supply == Supply::Full,
                (false, true) => check.helped || entry.supply == Supply::Low || entry.supply == *fallen,
                (false, false) => check.helped || entry.supply == *fallen,
            };
            assert!(
                right,
                "{options:?}, seed {seed}, step {step}: {} in {} is {:?}; Unlimited {unlimited}, Limited {limited}",
                rules.info(*unit).id,
                rules.world.place_name(entry.place),
                entry.supply
            );
            units += 1;
            without += usize::from(!unlimited);
        }
        watched = None;
    }
    (units, without)
}

#[test]
fn every_supply_check_of_random_games_agrees_with_the_slow_method() {
    let mut all = (0, 0);
    for (scenario, seeds) in [
        ("poland-1939", 4),
        ("scandinavia-1940", 4),
        ("france-1940", 2),
        ("balkans-1941", 2),
        ("france-1944", 1),
        ("ussr-1941", 1),
    ] {
        for seed in 0..seeds {
            let (units, without) = compare_in_play(&[("scenario", scenario)], seed, 100_000);
            all = (all.0 + units, all.1 + without);
        }
    }
    for politics in ["free", "historical"] {
        let options = [("scenario", "main-event-1939"), ("politics", politics)];
        let (units, without) = compare_in_play(&options, 3, 8_000);
        all = (all.0 + units, all.1 + without);
    }
    assert!(all.0 > 2_000 && all.1 > 200, "{all:?}");
}
