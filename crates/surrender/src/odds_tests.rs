//! The odds against the engine's own dice: every roll is played, and the share of each result counted.

use kernel::{Chance, Discard, Recorder};

use super::*;
use crate::game_event::GameEvent;
use crate::ids::{Country, Side};
use crate::markers::{Marker, Owner};
use crate::testing::{position, put, rules};

/// A position in Poland with air units on both sides and Ground Support for both.
fn poland() -> (Rules, State) {
    let rules = rules();
    let mut state = position(&rules, &[(Country::GER, Side::Axis), (Country::POL, Side::Western)]);
    for (unit, place) in [
        ("GER-19PZ", "2731"),
        ("GER-LF1", "2730"),
        ("GER-4A", "2632"),
        ("POL-POM", "2732"),
        ("POL-AIR", "2835"),
    ] {
        put(&rules, &mut state, unit, place);
    }
    for country in [Country::GER, Country::POL] {
        let slot = rules.slot(Marker::GroundSupport, Owner::Country(country));
        if let Some(slot) = slot {
            state.ready[slot] = 1;
        }
    }
    state.push(Frame::Actions(crate::Faction::Axis));
    (rules, state)
}

/// Plays every roll from a position on, choosing what a script says where a seat is asked, and counts the results.
fn enumerate(rules: &Rules, state: &State, script: &[&str], weight: u64, counts: &mut [u64; 6]) {
    let frame = state.frame();
    if frame.is_fate() {
        for die in 1..=6 {
            let mut next = *state;
            let mut recorder = Recorder::default();
            rules.play(&mut next, Choice::Die(die), &mut recorder);
            let fought = recorder.events.iter().find_map(|(_, event)| match event {
                GameEvent::Fought(.., result) => Some(*result),
                _ => None,
            });
            match fought {
                Some(result) => counts[result as usize] += weight,
                None => enumerate(rules, &next, script, weight, counts),
            }
        }
        return;
    }
    let [first, rest @ ..] = script else { panic!("{frame:?} asks more than the script answers") };
    let choice = rules.read_name(first).expect("a choice");
    let mut listed = Vec::new();
    rules.list(state, &mut listed);
    assert!(listed.contains(&choice), "{first} is not open at {frame:?}");
    let mut next = *state;
    rules.play(&mut next, choice, &mut Discard);
    enumerate(rules, &next, rest, weight, counts);
}

#[test]
fn the_odds_of_an_attack_are_those_of_the_dice() {
    let (rules, state) = poland();
    let unit = |id: &str| rules.world.unit_named(id).expect("a unit");
    let hex = rules.world.hex_named("2732").expect("a hex");
    let fight = rules.mobile_fight(&state, unit("GER-19PZ"), hex).expect("an attack");
    let support = 1 << Marker::GroundSupport.index();
    let attack = ["activate GER-19PZ", "attack 2732"];
    let cases: [(&[&str], Commitments); 4] = [
        (&["hold back", "hold back"], Commitments::NOTHING),
        (
            &["commit", "hold back", "use ground-support", "pass"],
            Commitments { markers: [support, 0], ..Commitments::NOTHING },
        ),
        (
            &["commit", "hold back", "air GER-LF1", "pass"],
            Commitments { air: [unit("GER-LF1"), UnitId::NONE], ..Commitments::NOTHING },
        ),
        (
            &["commit", "commit", "air GER-LF1", "air POL-AIR", "pass", "pass"],
            Commitments { air: [unit("GER-LF1"), unit("POL-AIR")], ..Commitments::NOTHING },
        ),
    ];
    for (script, with) in cases {
        let script: Vec<&str> = attack.iter().chain(script).copied().collect();
        let mut counts = [0; 6];
        enumerate(&rules, &state, &script, 1, &mut counts);
        assert_eq!(rules.fight_spread(&state, &fight, &with), Spread { counts }, "{script:?}");
    }
}

#[test]
fn the_odds_of_an_air_combat_are_those_of_the_dice() {
    let (rules, state) = poland();
    let unit = |id: &str| rules.world.unit_named(id).expect("a unit");
    let mut state = state;
    rules.put(&mut state, unit("POL-AIR"), rules.world.hex_named("2831").expect("Poznan"));
    let answer = rules.answer(&state, "strike GER-LF1 POL-AIR").expect("an answer");
    let mut counts = [0_u64; 6];
    for (one, other) in (1..=6).flat_map(|one| (1..=6).map(move |other| (one, other))) {
        let mut next = state;
        let mut recorder = Recorder::default();
        for name in ["strike GER-LF1", "against POL-AIR"] {
            rules.play(&mut next, rules.read_name(name).expect("a choice"), &mut Discard);
        }
        rules.play(&mut next, Choice::Die(one), &mut recorder);
        rules.play(&mut next, Choice::Die(other), &mut recorder);
        for (_, event) in recorder.events {
            if let GameEvent::Dueled(.., result) = event {
                counts[result as usize] += 1;
            }
        }
    }
    assert_eq!(counts.iter().sum::<u64>(), 36);
    let spread = Spread { counts };
    assert_eq!(answer.results[..answer.results.len() - 1], spread.results()[..]);
}

#[test]
fn answers_say_every_modifier_and_every_commitment() {
    let (rules, state) = poland();
    let answer = rules.answer(&state, "attack GER-19PZ 2732").expect("an answer");
    let text = answer.to_string();
    for part in ["German unit +2", "tanks in Fair weather +2", "with Ground Support", "against", "36"] {
        assert!(text.contains(part), "{part:?} is not in {text}");
    }
    let assault = rules.answer(&state, "assault 2732 GER-19PZ GER-4A").expect("an answer").to_string();
    assert!(assault.contains("Additional Attacker +1"), "{assault}");
    for wrong in [
        "attack GER-4A 2731",
        "assault 2732",
        "strike GER-LF1 GER-4A",
        "combat",
        "dance",
        "supply GER-99",
        "calc +99",
    ] {
        assert!(rules.answer(&state, wrong).is_err(), "{wrong}");
    }
    for question in rules.questions(&state) {
        let answer = rules.answer(&state, &question);
        assert!(answer.is_ok(), "{question}: {answer:?}");
    }
}

#[test]
fn a_bare_sum_is_worked_out_too() {
    let rules = rules();
    let state = State::blank(0);
    let answer = rules.answer(&state, "calc +10 vs -10").expect("an answer");
    // 11 to 16 against 1: eliminated whatever is rolled.
    assert_eq!(answer.results.last().map(|(_, chance)| *chance), Some(Chance::CERTAIN));
    let halved = rules.answer(&state, "calc +7/2 vs +1").expect("an answer");
    assert_eq!(halved.title, "+7/2 against +1");
    assert!(rules.answer(&state, "calc +7/3 vs +1").is_err());
}

#[test]
fn supply_is_told_with_its_way_and_what_would_cut_it() {
    let rules = rules();
    let mut state = position(&rules, &[(Country::GER, Side::Axis), (Country::POL, Side::Axis)]);
    let poland = state.country_mut(Country::POL);
    (poland.status, poland.side) = (crate::Status::Conquered, Side::Axis);
    put(&rules, &mut state, "GER-4A", "2835");
    let text = rules.answer(&state, "supply GER-4A").expect("an answer").to_string();
    assert!(
        text.contains("Full") && text.contains("by: 2835") && text.contains("cut by an enemy in"),
        "{text}"
    );
    let at_home = put(&rules, &mut state, "GER-8A", "2828");
    assert_eq!(
        rules.supply_way(&state, Side::Axis, state.unit(at_home).place, state.unit(at_home).place).len(),
        1
    );
    // Every hex named as vital is: closed, it leaves the unit worse off.
    let way = rules.supply_way(
        &state,
        Side::Axis,
        rules.world.hex_named("2835").expect("Warsaw"),
        rules.world.hex_named("2828").expect("Berlin"),
    );
    assert!(
        way.len() > 4 && way.windows(2).all(|pair| rules.world.distance(pair[0], pair[1]) == 1),
        "{way:?}"
    );
}

#[test]
fn a_reach_is_what_an_activation_can_come_to() {
    let (rules, mut state) = poland();
    let unit = rules.world.unit_named("GER-4A").expect("a unit");
    rules.activate_unit(&mut state, unit, &mut Discard);
    // Walk at random and see that every hex met where the unit may stop is in the answer.
    let (rules_, fresh) = poland();
    let text = rules_.answer(&fresh, "reach GER-4A").expect("an answer").to_string();
    let mut dice = kernel::LabDice::new(5);
    for _ in 0..200 {
        let mut walk = state;
        loop {
            let mut listed = Vec::new();
            rules.list(&walk, &mut listed);
            let steps: Vec<Choice> =
                listed.into_iter().filter(|choice| matches!(choice, Choice::Step(_))).collect();
            if walk.frame() != Frame::Activation || steps.is_empty() {
                break;
            }
            let step = steps[kernel::Dice::below(&mut dice, steps.len() as u32) as usize];
            rules.play(&mut walk, step, &mut Discard);
            let place = walk.unit(unit).place;
            let stays = walk.ground_at(place) == Some(unit);
            assert!(
                !stays || text.contains(&rules.world.place_name(place)) || text.contains("more"),
                "{text}"
            );
        }
    }
}
