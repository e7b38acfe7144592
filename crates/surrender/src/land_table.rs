//! A position in the Actions Sub-Phase that is played choice by choice, for the tests of ground actions.

use kernel::{Discard, Mover};

use crate::choice::Choice;
use crate::frame::Frame;
use crate::ids::{Country, Faction, Place, Side, UnitId};
use crate::markers::{Marker, Owner};
use crate::rules::Rules;
use crate::state::{Phase, State};
use crate::testing;

pub(crate) const EAST: [(Country, Side); 2] = [(Country::GER, Side::Axis), (Country::USSR, Side::Soviet)];
pub(crate) const POLAND: [(Country, Side); 2] = [(Country::GER, Side::Axis), (Country::POL, Side::Western)];
pub(crate) const FRANCE: [(Country, Side); 3] =
    [(Country::GER, Side::Axis), (Country::FRA, Side::Western), (Country::UK, Side::Western)];

/// A position in the Actions Sub-Phase of a faction in which no conditional event is left to occur.
pub(crate) struct Table {
    pub rules: Rules,
    pub state: State,
}

impl Table {
    pub fn new(active: &[(Country, Side)], faction: Faction) -> Self {
        let rules = testing::rules();
        let mut state = testing::position(&rules, active);
        state.events = u8::MAX;
        state.phase = Phase::Actions;
        state.acting = faction;
        state.push(Frame::Actions(faction));
        Self { rules, state }
    }

    pub fn put(&mut self, unit: &str, place: &str) -> UnitId {
        testing::put(&self.rules, &mut self.state, unit, place)
    }

    pub fn hex(&self, name: &str) -> Place {
        self.rules.world.place_named(name).expect("a place")
    }

    pub fn marker(&mut self, marker: Marker, owner: Owner) {
        let slot = self.rules.slot(marker, owner).expect("an owner of the marker");
        self.state.ready[slot] += 1;
    }

    pub fn options(&self) -> Vec<Choice> {
        let mut out = Vec::new();
        self.rules.list(&self.state, &mut out);
        out
    }

    /// Plays a choice, which must be listed.
    #[track_caller]
    pub fn play(&mut self, choice: Choice) {
        let options = self.options();
        assert!(options.contains(&choice), "{choice:?} is not among {options:?} of {:?}", self.state.frame());
        self.rules.play(&mut self.state, choice, &mut Discard);
    }

    #[track_caller]
    pub fn roll(&mut self, attacker: u8, defender: u8) {
        assert_eq!(self.rules.mover(&self.state), Mover::Fate);
        self.play(Choice::Die(attacker));
        self.play(Choice::Die(defender));
    }

    pub fn will(&self, country: Country) -> i16 {
        self.state.country(country).will
    }

    pub fn points(&self, country: Country) -> i16 {
        self.state.country(country).points
    }

    pub fn place(&self, unit: UnitId) -> String {
        self.rules.world.place_name(self.state.unit(unit).place)
    }
}
