use std::sync::Arc;

use kernel::Discard;

use super::*;
use crate::scenario_file;
use crate::settings::Settings;
use crate::tables::turn_of;

fn game(id: &str) -> (Rules, State) {
    let scenario = Arc::new(scenario_file::chosen(id).expect(id));
    let rules = Rules::new(Settings { scenario, secret: false, historical: false, variable: false });
    let state = rules.opening();
    (rules, state)
}

fn verdict(rules: &Rules, state: &State) -> Option<&'static str> {
    let mut state = *state;
    rules.check_victory(&mut state, &mut Discard);
    let results = results(rules.scenario());
    assert_eq!(state.verdict.is_some(), state.frame() == Frame::Over);
    state.verdict.map(|result| results[usize::from(result)].word)
}

fn give(rules: &Rules, state: &mut State, city: &str, side: Side) {
    let city = rules.world.city_named(city).expect(city);
    state.control[rules.world.city(city).hex.index()] = side;
}

#[test]
fn lines_are_tested_in_their_turns() {
    let (rules, mut state) = game("poland-1939");
    assert_eq!(verdict(&rules, &state), None);
    state.country_mut(Country::POL).status = Status::Conquered;
    assert_eq!(verdict(&rules, &state), Some("axis_decisive"));
    state.turn += 1;
    assert_eq!(verdict(&rules, &state), Some("axis_marginal"));
    state.country_mut(Country::POL).status = Status::Active;
    assert_eq!(verdict(&rules, &state), Some("western_decisive"));
    give(&rules, &mut state, "warsaw", Side::Axis);
    assert_eq!(verdict(&rules, &state), Some("western_marginal"));
    give(&rules, &mut state, "warsaw", Side::Nobody);
    assert_eq!(verdict(&rules, &state), Some("draw"), "where no line is true");
}

#[test]
fn a_level_that_stands_twice_is_one_result() {
    let (rules, mut state) = game("ussr-1941");
    let words: Vec<&str> = results(rules.scenario()).iter().map(|result| result.word).collect();
    assert_eq!(words, ["axis_decisive", "axis_marginal", "draw", "soviet_marginal", "soviet_decisive"]);
    assert_eq!(verdict(&rules, &state), None);
    state.country_mut(Country::USSR).fates |= fate::COLLAPSED;
    assert_eq!(verdict(&rules, &state), Some("axis_decisive"));
    state.country_mut(Country::USSR).fates = 0;
    state.turn = turn_of(1941, 12);
    assert_eq!(verdict(&rules, &state), Some("soviet_decisive"));
    for city in ["kiev", "kharkov", "rostov"] {
        give(&rules, &mut state, city, Side::Axis);
    }
    assert_eq!(verdict(&rules, &state), Some("draw"));
}

#[test]
fn the_allies_are_ranked() {
    let (rules, mut state) = game("main-event-1939");
    let words: Vec<&str> = results(rules.scenario()).iter().map(|result| result.word).collect();
    assert_eq!(words.len(), 9);
    assert_eq!(words[1..4], ["allied_decisive_western", "allied_decisive_soviet", "allied_decisive_shared"]);
    state.turn = turn_of(1945, 4);
    assert_eq!(verdict(&rules, &state), None);
    state.country_mut(Country::GER).status = Status::Conquered;
    assert_eq!(verdict(&rules, &state), Some("allied_decisive_shared"));
    give(&rules, &mut state, "hamburg", Side::Western);
    assert_eq!(rules.ranking_of(&state, Faction::Western), 1);
    assert_eq!(verdict(&rules, &state), Some("allied_decisive_western"));
    give(&rules, &mut state, "berlin", Side::Soviet);
    assert_eq!(verdict(&rules, &state), Some("allied_decisive_soviet"));
    // Warsaw counts once the Axis has conquered Poland; ten points of Will below the start cost two.
    give(&rules, &mut state, "warsaw", Side::Soviet);
    assert_eq!(rules.ranking_of(&state, Faction::Soviet), 5);
    state.country_mut(Country::POL).fates |= fate::FELL_TO_AXIS;
    state.country_mut(Country::USSR).will -= 14;
    assert_eq!(rules.ranking_of(&state, Faction::Soviet), 5);
    state.turn = turn_of(1945, 6);
    assert_eq!(verdict(&rules, &state), Some("allied_marginal_soviet"));
    state.country_mut(Country::GER).status = Status::Active;
    state.turn = turn_of(1945, 8);
    assert_eq!(verdict(&rules, &state), Some("axis_decisive"));
    state.country_mut(Country::GER).will = 19;
    assert_eq!(verdict(&rules, &state), Some("axis_marginal"));
    state.country_mut(Country::UK).fates |= fate::COLLAPSED;
    state.country_mut(Country::USSR).fates |= fate::COLLAPSED;
    assert_eq!(verdict(&rules, &state), Some("axis_automatic"));
    let results = results(rules.scenario());
    assert_eq!(results[2].standings, [Standing::Loss, Standing::Draw, Standing::Win]);
    assert_eq!(results[3].standings, [Standing::Loss, Standing::Win, Standing::Win]);
}

#[test]
fn every_operator_counts() {
    let (rules, state) = game("main-event-1939");
    let value = |test: &str| {
        let text = diagnostics::datafile::Text::from_lines([(0, test)]);
        let mut problems = diagnostics::Problems::new("test", test);
        let test = crate::victory_test::parse(&text, &mut problems).unwrap_or_else(|| panic!("{problems}"));
        rules.value_of(&state, &test)
    };
    for (test, expected) in [
        ("will(GER)", 20),
        ("will(GER) + will(UK)", 46),
        ("will(GER) >= 20", 1),
        ("will(GER) >= 21", 0),
        ("will(GER) == 20 && conquered(POL)", 0),
        ("will(GER) == 20 || conquered(POL)", 1),
        ("!conquered(POL) && !collapsed(UK)", 1),
        ("controls(axis, [berlin, warsaw, hamburg])", 2),
        ("ground_in(axis, GER) >= 5", 1),
        ("ground_in(western, GER)", 0),
        ("otherwise", 1),
        ("7 == (3 + 4)", 1),
    ] {
        assert_eq!(value(test), expected, "{test}");
    }
}
