//! What the tests of politics have in common.

use std::sync::Arc;

use kernel::Discard;

use crate::choice::Choice;
use crate::frame::Frame;
use crate::game_event::WillCause;
use crate::ids::{Country, Place, UnitId};
use crate::rules::Rules;
use crate::scenario_file;
use crate::settings::Settings;
use crate::state::{Fight, State};

/// The full war with free politics, set up.
pub fn full_war() -> (Rules, State) {
    with_politics(false)
}

/// The full war with free or historical politics.
pub fn with_politics(historical: bool) -> (Rules, State) {
    let rules = Rules::new(Settings { historical, ..settings("main-event-1939") });
    let state = rules.opening();
    (rules, state)
}

/// One of our scenarios, set up.
pub fn scenario(id: &str) -> (Rules, State) {
    let rules = Rules::new(settings(id));
    let state = rules.opening();
    (rules, state)
}

fn settings(id: &str) -> Settings {
    let scenario = Arc::new(scenario_file::chosen(id).expect(id));
    Settings { scenario, secret: false, historical: false, variable: false }
}

/// The hex of a city.
pub fn hex(rules: &Rules, city: &str) -> Place {
    rules.world.city(rules.world.city_named(city).expect(city)).hex
}

/// A unit by its id.
pub fn unit(rules: &Rules, id: &str) -> UnitId {
    rules.world.unit_named(id).expect(id)
}

/// The National Will of a country.
pub fn will(state: &State, country: Country) -> i16 {
    state.country(country).will
}

/// Where a unit is.
pub fn place(state: &State, rules: &Rules, id: &str) -> Place {
    state.unit(unit(rules, id)).place
}

/// Takes every unit off the map, so that hexes can change hands without anybody being displaced.
pub fn clear(rules: &Rules, state: &mut State) {
    for unit in UnitId::all().filter(|unit| state.unit(*unit).on_map()).collect::<Vec<_>>() {
        rules.lift(state, unit);
        state.unit_mut(unit).place = Place::POOL;
    }
}

/// A unit passes through a city.
pub fn enter(rules: &Rules, state: &mut State, by: &str, city: &str) {
    rules.enter_hex(state, unit(rules, by), hex(rules, city), &mut Discard);
}

/// An army is lost while it defends, to a unit.
pub fn lose_defending(rules: &Rules, state: &mut State, country: Country, to: &str) {
    state.fight = Fight { primary: unit(rules, to), ..Fight::NONE };
    let lost = rules.world.country(country).units[0];
    rules.change_will(state, country, -1, WillCause::UnitLost(lost), &mut Discard);
    state.fight = Fight::NONE;
}

/// What follows as soon as no step is under way, without the sequence of play going on.
pub fn look(rules: &Rules, state: &mut State) {
    loop {
        if state.collapsing != 0 && state.frame().is_calm() {
            rules.look_at_will(state, &mut Discard);
            continue;
        }
        match state.frame() {
            Frame::Collapse(country) => rules.proceed_collapse(state, country, &mut Discard),
            Frame::Conquest(country, step) => rules.proceed_conquest(state, country, step, &mut Discard),
            _ => return,
        }
    }
}

/// Answers a question of politics, and what follows.
pub fn answer(rules: &Rules, state: &mut State, choice: Choice) {
    let mut choices = Vec::new();
    rules.list(state, &mut choices);
    assert!(choices.contains(&choice), "{choice:?} is not among {choices:?} at {:?}", state.frame());
    rules.play_politics(state, state.frame(), choice, &mut Discard);
    look(rules, state);
}

/// A country loses all its National Will, and what follows.
pub fn fall(rules: &Rules, state: &mut State, country: Country) {
    let by = -will(state, country);
    rules.change_will(state, country, by, WillCause::Reset, &mut Discard);
    look(rules, state);
}
