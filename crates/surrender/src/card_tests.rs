//! Every number of the player aid card, from a copy of the printed text (`tests/card.txt`) and not from the data files,
//! against what the rules use, cell by cell.

use kernel::Discard;

use crate::frame::Frame;
use crate::game_event::Loss;
use crate::ids::{Country, Place, Side};
use crate::rules::Rules;
use crate::state::{Duel, Occasion, State, Status};
use crate::supply::Source;
use crate::tables::{CombatResult, Line, Weather, zone_set};
use crate::testing::{position, put, rules};
use crate::world::{Climate, Kind};

const CARD: &str = include_str!("../tests/card.txt");

/// The lines that begin with a word: the rest of the key, and the cells.
fn lines(word: &'static str) -> impl Iterator<Item = (&'static str, Vec<&'static str>)> {
    CARD.lines().filter(|line| !line.starts_with('#')).filter_map(move |line| {
        let (key, cells) = line.split_once(": ")?;
        let (first, rest) = key.split_once(' ')?;
        (first == word).then(|| (rest, cells.split(' ').collect()))
    })
}

fn numbers(cells: &[&str]) -> Vec<i64> {
    cells.iter().map(|cell| cell.parse().unwrap_or_else(|_| panic!("{cell} is no number"))).collect()
}

fn result(code: &str) -> CombatResult {
    let code = if code == "-" { "NE" } else { code };
    let found = CombatResult::ALL.into_iter().find(|(known, ..)| *known == code);
    found.unwrap_or_else(|| panic!("{code} is no result")).1
}

#[test]
fn the_combat_results_table_has_256_cells() {
    let tables = &rules().world.tables;
    let mut cells = 0;
    for (defender, row) in lines("crt") {
        let defender: i32 = defender.parse().expect("a number");
        for (at, cell) in row.into_iter().enumerate() {
            let attacker = at as i32 + 1;
            assert_eq!(tables.result(attacker, defender), result(cell), "{attacker} against {defender}");
            cells += 1;
        }
    }
    assert_eq!(cells, 256);
    // Ruling 1: what lies outside is read at the edge.
    assert_eq!((tables.result(20, 1), tables.result(-3, 1)), (tables.result(16, 1), tables.result(1, 1)));
}

#[test]
fn every_line_of_the_three_lists_of_modifiers_is_used_as_printed() {
    let tables = &rules().world.tables;
    let mut seen = 0;
    for (name, cells) in lines("drm") {
        let value: i8 = cells[0].parse().expect("a number");
        if name == "limit" {
            assert_eq!(tables.drm_limit, value);
            continue;
        }
        let line = Line::ALL.iter().find(|(_, line, _)| format!("{line:?}") == name);
        let (_, line, _) = line.unwrap_or_else(|| panic!("{name} is no line"));
        assert_eq!(tables.lines[*line as usize], value, "{name}");
        let zones = cells.iter().skip(2).map(|zone| zone.parse::<u8>().expect("a zone"));
        assert_eq!(tables.line_zones[*line as usize], zone_set(zones), "{name}");
        seen += 1;
    }
    // The three lines for event markers have no number of their own.
    assert_eq!(seen + 3, Line::ALL.len());
}

#[test]
fn strategic_results_and_sorties_are_as_printed() {
    let rules = rules();
    let tables = &rules.world.tables;
    for (code, cells) in lines("fac") {
        let cells = numbers(&cells);
        if code == "range" {
            assert_eq!(
                (i64::from(tables.fac_lost_range.0), i64::from(tables.fac_lost_range.1)),
                (cells[0], cells[1])
            );
            continue;
        }
        let (germany, ally) = tables.fac_lost[result(code) as usize];
        assert_eq!([i64::from(germany), i64::from(ally)], cells[..], "{code}");
    }
    // Sorties: two fighters without modifiers, with dice for each result found by trying all.
    for (code, cells) in lines("sorties") {
        let wanted = result(code);
        let mut found = false;
        for (modifier, die) in (0..=6).flat_map(|level| (1..=36).map(move |die| (level, die))) {
            let mut state = position(
                &rules,
                &[(Country::ITA, Side::Axis), (Country::POL, Side::Western), (Country::GER, Side::Axis)],
            );
            let attacker =
                put(&rules, &mut state, if modifier % 2 == 0 { "GER-LF1" } else { "ITA-AIR1" }, "5131");
            let defender = put(&rules, &mut state, "POL-AIR", "2835");
            // A unit without supply halves, one with Sorties subtracts: both ways to reach the corners of the table.
            if modifier >= 3 {
                state.unit_mut(attacker).supply = crate::state::Supply::No;
            }
            let hex = state.unit(defender).place;
            let dice = [(die - 1) / 6 + 1, (die - 1) % 6 + 1];
            let duel =
                Duel { occasion: Occasion::Strike, units: [attacker, defender], hex, dice, ..Duel::NONE };
            state.duel = duel;
            state.push(Frame::Duel);
            let sums = [0, 1].map(|side| rules.duel_sum(&state, &duel, side));
            if rules.result_of(&sums) != wanted {
                continue;
            }
            rules.proceed_duel(&mut state, &mut Discard);
            let levels = [attacker, defender].map(|unit| i64::from(state.unit(unit).level));
            assert_eq!(levels[..], numbers(&cells)[..], "{code}");
            found = true;
            break;
        }
        // DE needs a difference that two fighters do not reach; the table itself says how many.
        if !found {
            let more = numbers(&cells).into_iter().max();
            assert_eq!(more, Some(i64::from(wanted.sorties())), "{code}");
        }
    }
}

#[test]
fn costs_points_and_ranges_are_as_printed() {
    let rules = rules();
    let (costs, ranges, production) =
        (&rules.world.tables.costs, &rules.world.tables.ranges, &rules.world.tables.production);
    let bytes = |bytes: &[u8]| bytes.iter().map(|byte| i64::from(*byte)).collect::<Vec<_>>();
    let mut cells = 0;
    for (key, wanted) in lines("cost") {
        let kind = |word: &str| {
            let (_, kind) = Kind::ALL.iter().find(|(known, _)| *known == word).expect("a kind");
            *kind as usize
        };
        let used = match key.split_once(' ') {
            Some(("replacement", word)) => vec![i64::from(production.replacement[kind(word)])],
            Some((_, word)) => vec![i64::from(production.mobilization[kind(word)])],
            None => match key {
                "activation" => production.activation.map(i64::from).to_vec(),
                "removed-sorties" => vec![i64::from(production.replaced_sorties)],
                "new-sorties" => vec![i64::from(production.new_sorties)],
                "surprise" => vec![i64::from(production.surprise), i64::from(production.surprise_delay)],
                _ => vec![i64::from(production.draw), i64::from(production.put)],
            },
        };
        assert_eq!(used, numbers(&wanted), "{key}");
        cells += used.len();
    }
    for (key, wanted) in lines("points").chain(lines("move")).chain(lines("range")) {
        let used = match key {
            "leg" => bytes(&costs.leg),
            "other" => bytes(&costs.other),
            "clear" => bytes(&[costs.clear]),
            "line" => bytes(&[costs.line]),
            "friendly-city" => bytes(&[costs.friendly_city]),
            "enemy-city" => bytes(&[costs.enemy_city]),
            "rough" => bytes(&[costs.rough]),
            "russia" => bytes(&[costs.russia]),
            "obstacle" => bytes(&[costs.obstacle]),
            "strait" => bytes(&[costs.strait]),
            "attack" => bytes(&costs.attack),
            "air-hex" => bytes(&[costs.air_hex]),
            "air-russia" => bytes(&[costs.air_russia]),
            "sea-zone" => bytes(&[costs.sea_zone]),
            "canal" => bytes(&[costs.canal]),
            "map-box" => bytes(&[costs.map_box]),
            "sea-strait" => bytes(&[costs.sea_strait]),
            "airdrop" => vec![i64::from(ranges.airdrop)],
            "intercept-air" => vec![i64::from(ranges.intercept_air)],
            "strike" => vec![i64::from(ranges.strike)],
            "support" => vec![i64::from(ranges.support)],
            "bombing" => vec![i64::from(ranges.bombing)],
            "landing" => bytes(&ranges.landing),
            "landing-from-box" => bytes(&[ranges.landing_from_box]),
            "intercept-sea" => bytes(&[ranges.intercept_sea]),
            "intercept-from-box" => bytes(&[ranges.intercept_from_box]),
            "supply" => vec![i64::from(ranges.supply)],
            other => panic!("{other} is no number of the rules"),
        };
        assert_eq!(used, numbers(&wanted), "{key}");
        cells += used.len();
    }
    assert_eq!(cells, 63);
}

#[test]
fn the_weather_table_is_as_printed() {
    let tables = &rules().world.tables;
    let mut cells = 0;
    for (key, limits) in lines("weather") {
        let (months, zone) = key.rsplit_once(' ').expect("months and a zone");
        let climate = match zone {
            "cold" => Climate::Cold,
            "mild" => Climate::Mild,
            _ => Climate::Warm,
        };
        let limits = numbers(&limits);
        for month in months.split(' ').map(|month| month.parse::<u8>().expect("a month")) {
            for die in 1..=6 {
                let wanted = match i64::from(die) {
                    die if die <= limits[0] => Weather::Fair,
                    die if die <= limits[1] => Weather::Poor,
                    _ => Weather::Severe,
                };
                assert_eq!(tables.weather(month, climate, die), wanted, "{month}, {zone}, {die}");
                assert_eq!(tables.weather(month, Climate::Desert, die), Weather::Fair);
                cells += 1;
            }
        }
    }
    assert_eq!(cells, 12 * 3 * 6);
}

/// Germany and Italy, the West, the Soviets and Yugoslavia with them; Poland has fallen to the Axis.
fn at_war(rules: &Rules) -> State {
    let mut state = position(
        rules,
        &[
            (Country::GER, Side::Axis),
            (Country::ITA, Side::Axis),
            (Country::ROM, Side::Axis),
            (Country::FRA, Side::Western),
            (Country::UK, Side::Western),
            (Country::USA, Side::Western),
            (Country::USSR, Side::Soviet),
            (Country::YUG, Side::Soviet),
            (Country::POL, Side::Axis),
        ],
    );
    let poland = state.country_mut(Country::POL);
    (poland.status, poland.side) = (Status::Conquered, Side::Axis);
    state
}

fn city(rules: &Rules, id: &str) -> Place {
    rules.world.city(rules.world.city_named(id).unwrap_or_else(|| panic!("no {id}"))).hex
}

#[test]
fn national_will_changes_as_printed() {
    let rules = rules();
    let enters = |state: &mut State, unit: &str, place: &str| {
        let unit = rules.world.unit_named(unit).expect("a unit");
        let place = city(&rules, place);
        rules.put(state, unit, place);
        rules.enter_hex(state, unit, place, &mut Discard);
        rules.lift(state, unit);
    };
    // French cities: Algiers overseas, Lyon, Paris.
    let taken = |place: &str, again: bool| {
        let mut state = at_war(&rules);
        enters(&mut state, "GER-4A", place);
        let lost = state.country(Country::FRA).will;
        if !again {
            return i64::from(lost - rules.world.country(Country::FRA).will);
        }
        enters(&mut state, "UK-9A", place);
        i64::from(state.country(Country::FRA).will - lost)
    };
    let falls = |victim: Country, times: usize| {
        let mut state = at_war(&rules);
        let mut gained = 0;
        for _ in 0..times {
            let side = if victim == Country::ITA { Side::Axis } else { Side::Western };
            let entry = state.country_mut(victim);
            (entry.status, entry.side) = (Status::Active, side);
            for place in Place::hexes().filter(|hex| rules.world.hex(*hex).country == victim) {
                state.control[place.index()] = Side::Axis;
            }
            let before = state.country(Country::GER).will;
            let depth = state.depth;
            state.push(Frame::Conquest(victim, 0));
            rules.proceed_conquest(&mut state, victim, 0, &mut Discard);
            gained = state.country(Country::GER).will - before;
            while state.depth > depth {
                state.pop();
            }
        }
        i64::from(gained)
    };
    let collapses = |victim: Country, times: usize| {
        let mut state = at_war(&rules);
        let mut gained = 0;
        for _ in 0..times {
            let before = state.country(Country::GER).will;
            state.push(Frame::Collapse(victim));
            rules.proceed_collapse(&mut state, victim, &mut Discard);
            gained = state.country(Country::GER).will - before;
        }
        i64::from(gained)
    };
    let mut cells = 0;
    for (key, wanted) in lines("will") {
        let used = match key {
            "unit-lost" => {
                let mut state = at_war(&rules);
                let unit = put(&rules, &mut state, "FRA-2A", "3914");
                let before = state.country(Country::FRA).will;
                rules.lose(&mut state, unit, Loss::Defending, &mut Discard);
                i64::from(state.country(Country::FRA).will - before)
            }
            "overseas-lost" => taken("algiers", false),
            "mainland-lost" => taken("lyon", false),
            "capital-lost" => taken("paris", false),
            "overseas-regained" => taken("algiers", true),
            "mainland-regained" => taken("lyon", true),
            "capital-regained" => taken("paris", true),
            "ceded-to-ussr" => {
                let mut state = at_war(&rules);
                let area = rules.world.disputed.iter().position(|area| area.claimant == Country::USSR);
                let before = state.country(Country::USSR).will;
                rules.cede(&mut state, area.expect("an area") as u8, &mut Discard);
                i64::from(state.country(Country::USSR).will - before)
            }
            "axis-conquest" => falls(Country::YUG, 1),
            "axis-conquest-again" => falls(Country::YUG, 2),
            "france" => falls(Country::FRA, 1),
            "france-again" => falls(Country::FRA, 2),
            "italy" => falls(Country::ITA, 1),
            "italy-again" => falls(Country::ITA, 2),
            "uk-collapse" => collapses(Country::UK, 1),
            "uk-collapse-again" => collapses(Country::UK, 2),
            "usa-collapse" => collapses(Country::USA, 1),
            "ussr-collapse" => collapses(Country::USSR, 1),
            other => panic!("{other} is no cause"),
        };
        assert_eq!(used, numbers(&wanted)[0], "{key}");
        cells += 1;
    }
    assert_eq!(cells, 18);
}

#[test]
fn supply_sources_are_as_printed() {
    let rules = rules();
    let mut cells = 0;
    for (key, _) in lines("source") {
        let [feeds, unit, place] = key.split(' ').collect::<Vec<_>>()[..] else { panic!("{key}") };
        let mut state = at_war(&rules);
        let unit = rules.world.unit_named(unit).unwrap_or_else(|| panic!("no {unit}"));
        let place = rules.world.place_named(place).unwrap_or_else(|| city(&rules, place));
        rules.put(&mut state, unit, place);
        encircle(&rules, &mut state, place);
        let found = match rules.source_of(&state, unit) {
            Source::Unlimited(_) => "unlimited",
            Source::Limited(_) => "limited",
            Source::Nothing => "nothing",
        };
        assert_eq!(found, feeds, "{key}");
        cells += 1;
    }
    assert_eq!(cells, 23);
}

/// Cuts a place off by closed ground: only what is in it can feed the unit. Boxes are far from everything anyway.
fn encircle(rules: &Rules, state: &mut State, place: Place) {
    if !place.is_hex() {
        return;
    }
    for near in Place::hexes().filter(|hex| rules.world.distance(*hex, place) == 1) {
        state.control[near.index()] = Side::Nobody;
    }
}
