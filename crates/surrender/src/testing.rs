//! Positions made by hand, for the tests of the chapters.

use std::sync::Arc;

use kernel::{Dice as _, Discard, Game as _, LabDice, Options};
use testkit::random_choice;

use crate::choice::Choice;
use crate::game::Surrender;
use crate::ids::{Country, Place, Side, UnitId};
use crate::rules::Rules;
use crate::scenario::Scenario;
use crate::settings::Settings;
use crate::state::{State, Status};

/// Rules over the whole map, without a scenario.
pub fn rules() -> Rules {
    let scenario = Arc::new(Scenario::blank());
    Rules::new(Settings { scenario, secret: false, historical: false, variable: false })
}

/// A position in which these countries are active on these sides, control their hexes and have their starting National Will;
/// everybody else is neutral. Axis and West, and Axis and Soviets, are at war.
pub fn position(rules: &Rules, active: &[(Country, Side)]) -> State {
    let mut state = State::blank(0);
    state.war_east = true;
    for (country, side) in active {
        let entry = state.country_mut(*country);
        (entry.status, entry.side) = (Status::Active, *side);
        (entry.will, entry.points) = (rules.world.country(*country).will, 99);
        for hex in Place::hexes() {
            if rules.world.hex(hex).country == *country {
                state.control[hex.index()] = *side;
            }
        }
    }
    state
}

/// Puts a unit with an id into a place with a name.
pub fn put(rules: &Rules, state: &mut State, unit: &str, place: &str) -> UnitId {
    let unit = rules.world.unit_named(unit).expect("a unit");
    let place = rules.world.place_named(place).expect("a place");
    rules.put(state, unit, place);
    unit
}

/// Wars that go on at random, now one, now another; a war that is over begins again.
pub struct Wars {
    wars: Vec<(State, Surrender)>,
    room: Vec<Choice>,
}

impl Wars {
    /// One war for each of these scenarios of ours.
    pub fn of(scenarios: &[&str]) -> Self {
        let war = |scenario: &&str| {
            let options = Options::from([("scenario".to_owned(), (*scenario).to_owned())]);
            let game = Surrender::with_options(&options).expect("a scenario of ours");
            (game.start(), game)
        };
        Self { wars: scenarios.iter().map(war).collect(), room: Vec::new() }
    }

    /// Fewer than so many choices in one of the wars; where it stands then.
    pub fn go_on(&mut self, dice: &mut LabDice, most: u32) -> (&Rules, State) {
        let at = dice.below(self.wars.len() as u32) as usize;
        let (state, game) = &mut self.wars[at];
        for _ in 0..dice.below(most) {
            match random_choice(game, state, dice, &mut self.room) {
                Some(choice) => game.apply(state, choice, &mut Discard),
                None => *state = game.start(),
            }
        }
        (game.rules(), *state)
    }
}
