//! The air and naval examples of 50.1.

use kernel::Discard;

use super::*;
use crate::ids::{Faction, Node, Place, UnitId};
use crate::state::flag;
use crate::testing::{position, put, rules};
use CombatResult::{DefenderDisrupted, DefenderRetreats, NoEffect};
use Occasion::{Escort, Interdiction, Strike};
use Weather::{Fair, Poor, Severe};

fn war(rules: &Rules) -> State {
    let mut state = position(
        rules,
        &[
            (Country::GER, Side::Axis),
            (Country::ITA, Side::Axis),
            (Country::UK, Side::Western),
            (Country::USA, Side::Western),
            (Country::GRE, Side::Western),
        ],
    );
    state.become_frame(Frame::Actions(Faction::Axis));
    state
}

/// An example: occasion, units with Sorties, hex or Sea Zone, weather, dice, modifiers, values, result.
struct Example {
    id: &'static str,
    occasion: Occasion,
    units: [(&'static str, &'static str, u8); 2],
    hex: Option<&'static str>,
    weather: Weather,
    dice: [u8; 2],
    sums: [i8; 2],
    values: [i32; 2],
    result: CombatResult,
}

const EXAMPLES: [Example; 14] = [
    Example {
        id: "A01",
        occasion: Strike,
        units: [("GER-LF2", "2825", 0), ("UK-FC", "2816", 0)],
        hex: Some("2816"),
        weather: Fair,
        dice: [4, 3],
        sums: [2, 4],
        values: [6, 7],
        result: NoEffect,
    },
    Example {
        id: "A03",
        occasion: Interdiction,
        units: [("GER-LF2", "2825", 0), ("UK-BC", "2416", 0)],
        hex: Some("2626"),
        weather: Fair,
        dice: [5, 2],
        sums: [2, -1],
        values: [7, 1],
        result: DefenderDisrupted,
    },
    Example {
        id: "A04",
        occasion: Interdiction,
        units: [("UK-MFL", "WIO", 0), ("ITA-CV1", "4729", 0)],
        hex: None,
        weather: Fair,
        dice: [3, 4],
        sums: [2, -2],
        values: [5, 2],
        result: DefenderRetreats,
    },
    Example {
        id: "A05",
        occasion: Escort,
        units: [("UK-CAR", "1518", 0), ("GER-KM", "2526", 0)],
        hex: None,
        weather: Poor,
        dice: [4, 4],
        sums: [1, -1],
        values: [5, 3],
        result: DefenderRetreats,
    },
    Example {
        id: "A06",
        occasion: Escort,
        units: [("UK-CAR", "1518", 0), ("GER-KM", "2526", 0)],
        hex: None,
        weather: Severe,
        dice: [5, 6],
        sums: [1, 1],
        values: [3, 4],
        result: NoEffect,
    },
    Example {
        id: "A07",
        occasion: Interdiction,
        units: [("GER-LF2", "2825", 2), ("UK-CV1", "2415", 0)],
        hex: None,
        weather: Fair,
        dice: [6, 3],
        sums: [1, 0],
        values: [7, 3],
        result: DefenderRetreats,
    },
    Example {
        id: "A09",
        occasion: Escort,
        units: [("GER-LF2", "2825", 0), ("UK-CAR", "1518", 0)],
        hex: None,
        weather: Fair,
        dice: [3, 3],
        sums: [3, 4],
        values: [6, 7],
        result: NoEffect,
    },
    Example {
        id: "A10",
        occasion: Escort,
        units: [("ITA-FL1", "4832", 0), ("GRE-FL", "5139", 0)],
        hex: None,
        weather: Fair,
        dice: [6, 2],
        sums: [0, 0],
        values: [3, 2],
        result: NoEffect,
    },
    Example {
        id: "A11",
        occasion: Escort,
        units: [("UK-HFL", "1518", 0), ("GER-KM", "2526", 0)],
        hex: None,
        weather: Poor,
        dice: [4, 4],
        sums: [0, -1],
        values: [4, 3],
        result: NoEffect,
    },
    Example {
        id: "A12",
        occasion: Escort,
        units: [("UK-CAR", "1518", 1), ("GER-KM", "2526", 0)],
        hex: None,
        weather: Fair,
        dice: [5, 3],
        sums: [3, 1],
        values: [8, 4],
        result: DefenderRetreats,
    },
    Example {
        id: "A13",
        occasion: Interdiction,
        units: [("UK-CAR", "1518", 2), ("GER-CV1", "2730", 0)],
        hex: None,
        weather: Fair,
        dice: [4, 4],
        sums: [2, -1],
        values: [6, 3],
        result: DefenderRetreats,
    },
    Example {
        id: "A14",
        occasion: Interdiction,
        units: [("ITA-AIR2", "5228", 0), ("UK-CV3", "WIO", 0)],
        hex: None,
        weather: Fair,
        dice: [3, 2],
        sums: [1, 0],
        values: [4, 2],
        result: DefenderRetreats,
    },
    Example {
        id: "A15",
        occasion: Escort,
        units: [("GER-LF2", "2825", 2), ("USA-8FC", "2815", 0)],
        hex: Some("2626"),
        weather: Fair,
        dice: [5, 3],
        sums: [0, 1],
        values: [5, 4],
        result: NoEffect,
    },
    Example {
        id: "A16",
        occasion: Interdiction,
        units: [("UK-HFL", "1518", 0), ("ITA-FL1", "4832", 0)],
        hex: None,
        weather: Severe,
        dice: [3, 4],
        sums: [2, 0],
        values: [3, 2],
        result: NoEffect,
    },
];

fn stage(rules: &Rules, example: &Example) -> (State, Duel) {
    let mut state = war(rules);
    state.weather = [example.weather; 4];
    let radar = rules.slot(Marker::Radar, Owner::Country(Country::UK)).expect("Radar");
    state.ready[radar] = 1;
    let units = example.units.map(|(unit, place, sorties)| {
        let unit = put(rules, &mut state, unit, place);
        state.unit_mut(unit).level = sorties;
        unit
    });
    if example.id == "A10" {
        state.unit_mut(units[0]).supply = Supply::No;
    }
    let hex = example.hex.map_or(Place::NONE, |hex| rules.world.hex_named(hex).expect("a hex"));
    let zone = if hex.is_hex() { Node::NONE } else { Node::zone(12) };
    (state, Duel { occasion: example.occasion, units, hex, zone, ..Duel::NONE })
}

#[test]
fn the_worked_examples() {
    let rules = rules();
    for example in &EXAMPLES {
        let (mut state, mut duel) = stage(&rules, example);
        duel.dice = example.dice;
        let sums = [0, 1].map(|side| rules.duel_sum(&state, &duel, side));
        assert_eq!(sums.map(|sum| sum.total()), example.sums, "{}", example.id);
        let values = sums.map(|sum| final_value(sum.die, sum.total(), sum.halvings, 10));
        assert_eq!(values, example.values, "{}", example.id);
        // An Air Support contest leaves step 2 of 5.2 to the ground combat, so that only the Sorties are seen here; a strike
        // keeps its occasion for the sake of the bonus at home.
        duel.dice = [0; 2];
        if example.occasion != Strike {
            duel.occasion = Occasion::AirSupport;
        }
        rules.begin_duel(&mut state, duel, &mut Discard);
        for die in example.dice {
            rules.play(&mut state, Choice::Die(die), &mut Discard);
        }
        assert_eq!(state.frame(), Frame::Actions(Faction::Axis), "{}", example.id);
        let lost = [1, if example.result == NoEffect { 1 } else { example.result.sorties() }];
        for side in [0, 1] {
            let (_, _, before) = example.units[side];
            assert_eq!(state.unit(duel.units[side]).level, before + lost[side], "{}", example.id);
        }
        if example.occasion == Strike {
            assert_eq!(state.duel, Duel::NONE);
        } else {
            assert_eq!(state.duel.result, Some(example.result), "{}", example.id);
        }
    }
}

/// The home bonus is for strikes from outside Britain; Radar stays, and helps interceptors over Britain too.
#[test]
fn britain_is_defended_at_home() {
    let rules = rules();
    let (mut state, mut duel) = stage(&rules, &EXAMPLES[0]);
    rules.put(&mut state, duel.units[0], rules.world.hex_named("2416").expect("Leeds"));
    assert_eq!(rules.duel_sum(&state, &duel, 1).total(), 2, "one and Radar");
    duel = Duel { occasion: Interdiction, units: [duel.units[1], duel.units[0]], ..duel };
    assert_eq!(rules.duel_sum(&state, &duel, 0).total(), 2, "an interceptor has Radar");
    duel.occasion = Occasion::AirSupport;
    assert_eq!(rules.duel_sum(&state, &duel, 0).total(), 1, "Air Support has not");
    state.ready = [0; crate::markers::SLOTS];
    duel.occasion = Interdiction;
    assert_eq!(rules.duel_sum(&state, &duel, 0).total(), 1, "no Radar, no bonus");
}

/// Low Supply costs two, No Supply halves and does not (ruling 12); Poor weather costs both sides two.
#[test]
fn supply_and_weather() {
    let rules = rules();
    let (mut state, duel) = stage(&rules, &EXAMPLES[6]);
    let fighter = duel.units[0];
    state.unit_mut(fighter).supply = Supply::Low;
    assert_eq!((rules.duel_sum(&state, &duel, 0).total(), rules.duel_sum(&state, &duel, 0).halvings), (1, 0));
    state.unit_mut(fighter).supply = Supply::No;
    state.weather = [Severe; 4];
    assert_eq!((rules.duel_sum(&state, &duel, 0).total(), rules.duel_sum(&state, &duel, 0).halvings), (3, 2));
}

/// Jets are asked of the German side only while they are in hand, and count two.
#[test]
fn jets_are_used_once_a_turn() {
    let rules = rules();
    let (mut state, duel) = stage(&rules, &EXAMPLES[0]);
    let slot = rules.slot(Marker::Jets, Owner::Country(Country::GER)).expect("Jets");
    state.ready[slot] = 1;
    rules.begin_duel(&mut state, duel, &mut Discard);
    assert_eq!(state.frame(), Frame::DuelItem(0));
    let mut choices = Vec::new();
    rules.list(&state, &mut choices);
    assert_eq!(choices, [Choice::Use(Marker::Jets), Choice::Pass]);
    rules.play(&mut state, Choice::Use(Marker::Jets), &mut Discard);
    assert_eq!((state.ready[slot], state.spent[slot]), (0, 1));
    assert_eq!(rules.duel_sum(&state, &state.duel, 0).total(), 4);
    assert_eq!(state.frame(), Frame::DuelDie(0));
    let bomber = put(&rules, &mut state, "GER-BMB1", "2624");
    state.ready[slot] = 1;
    state.duel.units[0] = bomber;
    assert_eq!(rules.duel_items(&state, 0).count(), 0, "a bomber has none");
}

/// Being struck never ends a unit, nor does striking (ruling 85).
#[test]
fn a_strike_ends_nobody() {
    let rules = rules();
    let (mut state, duel) = stage(&rules, &EXAMPLES[0]);
    rules.begin_duel(&mut state, duel, &mut Discard);
    rules.play(&mut state, Choice::Die(6), &mut Discard);
    rules.play(&mut state, Choice::Die(1), &mut Discard);
    let ended = |unit: UnitId| state.unit(unit).has(flag::ENDED);
    assert!(!ended(duel.units[0]) && !ended(duel.units[1]));
}
