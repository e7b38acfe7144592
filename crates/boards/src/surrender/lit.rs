//! What can be chosen now, by the thing on the board that is clicked for it: a unit, a place, or a button of the row of orders.

use std::collections::HashMap;

use kernel::{Discard, Game as _, Mover, Wording as _};
use surrender::{Choice, Country, Frame, Place, State, Surrender, UnitId, View};
use web::Asked;
use web::chain::LINK;

use super::march::March;

/// What on the board a choice belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot {
    /// A unit, wherever it is.
    Unit(UnitId),
    /// A hex or a Map Box.
    Place(Place),
    /// A country: a button, and its capital.
    Country(Country),
    /// A button.
    Button,
    /// Dice that people roll themselves are said in the list alone.
    List,
}

/// Where a choice is clicked.
pub fn spot(game: &Surrender, choice: Choice) -> Spot {
    match choice {
        Choice::Die(_) | Choice::Drawn(_) => Spot::List,
        Choice::Rail(unit)
        | Choice::Activate(unit)
        | Choice::Rebase(unit)
        | Choice::Sail(unit)
        | Choice::Transport(unit)
        | Choice::Invade(unit)
        | Choice::Strike(unit)
        | Choice::Bomb(unit)
        | Choice::Drop(unit)
        | Choice::Primary(unit)
        | Choice::With(unit)
        | Choice::Air(unit)
        | Choice::Forward(unit)
        | Choice::Against(unit)
        | Choice::Escort(unit)
        | Choice::Intercept(unit)
        | Choice::Link(unit)
        | Choice::Feed(unit)
        | Choice::Replace(unit)
        | Choice::Mobilize(unit) => Spot::Unit(unit),
        Choice::To(place)
        | Choice::Assault(place)
        | Choice::Partisans(place)
        | Choice::Step(place)
        | Choice::Attack(place)
        | Choice::Retreat(place)
        | Choice::At(place)
        | Choice::Wall(place) => Spot::Place(place),
        Choice::Relocate(city) => Spot::Place(game.rules().world.city(city).hex),
        Choice::Declare(country)
        | Choice::Peace(country)
        | Choice::Influence(country)
        | Choice::Coup(country)
        | Choice::Court(country) => Spot::Country(country),
        _ => Spot::Button,
    }
}

/// Everything that can be chosen now.
#[derive(Debug, Default)]
pub struct Lit {
    units: HashMap<UnitId, Vec<String>>,
    places: HashMap<Place, Vec<String>>,
    /// The buttons: choice and name.
    pub buttons: Vec<(Choice, String)>,
    /// The reach of the activated unit.
    pub march: Option<March>,
}

impl Lit {
    /// What is asked of the viewer.
    pub fn of(game: &Surrender, view: &View<'_>, asked: &Asked<'_, Choice>) -> Self {
        let state = view.state();
        let mut lit = Self::default();
        if asked.open.is_empty() {
            return lit;
        }
        if state.frame() == Frame::Activation {
            lit.march = Some(March::find(game, state));
            lit.add_march(state);
            lit.add_next(game, state);
        }
        for (choice, name) in asked.open {
            lit.add(game, state, *choice, name);
        }
        lit
    }

    fn add(&mut self, game: &Surrender, state: &State, choice: Choice, name: &str) {
        match spot(game, choice) {
            Spot::Unit(unit) => self.units.entry(unit).or_default().push(name.to_owned()),
            Spot::Place(place) => {
                // A march has found the way there already.
                let names = self.places.entry(place).or_default();
                if !names.iter().any(|known| known == name || known.ends_with(&format!("{LINK}{name}"))) {
                    names.push(name.to_owned());
                }
            }
            Spot::Country(country) => {
                self.buttons.push((choice, name.to_owned()));
                let capital = game.rules().capital_of(state, country);
                if let Some(city) = capital.or_else(|| game.rules().world.country(country).capital.some()) {
                    let hex = game.rules().world.city(city).hex;
                    self.places.entry(hex).or_default().push(name.to_owned());
                }
            }
            Spot::Button => {
                if choice == Choice::Stop {
                    self.units.entry(state.activation.unit).or_default().push(name.to_owned());
                }
                self.buttons.push((choice, name.to_owned()));
            }
            Spot::List => {}
        }
    }

    fn add_march(&mut self, state: &State) {
        let Some(march) = &self.march else { return };
        for goal in march.goals.iter().filter(|goal| goal.place != state.unit(march.unit).place) {
            self.places.entry(goal.place).or_default().push(goal.chain.clone());
        }
    }

    /// The units that can be activated once this one stops: a click on one of them stops this one first.
    fn add_next(&mut self, game: &Surrender, state: &State) {
        let mut after = *state;
        if !game.is_legal(state, Choice::Stop) {
            return;
        }
        game.apply(&mut after, Choice::Stop, &mut Discard);
        if game.mover(&after) != game.mover(state) || !matches!(game.mover(&after), Mover::Seat(_)) {
            return;
        }
        let mut next = Vec::new();
        game.choices(&after, &mut next);
        for choice in next {
            if let Choice::Activate(unit) = choice {
                let mut name = format!("stop{LINK}");
                game.write_name(&after, choice, &mut name);
                self.units.entry(unit).or_default().push(name);
            }
        }
    }

    /// The names of the choices of a unit, as the client expects them.
    pub fn unit(&self, unit: UnitId) -> Option<String> {
        self.units.get(&unit).map(|names| names.join("|"))
    }

    /// The names of the choices of a place.
    pub fn place(&self, place: Place) -> Option<String> {
        self.places.get(&place).map(|names| names.join("|"))
    }

    /// Both: a unit covers much of its hex.
    pub fn unit_or_place(&self, unit: UnitId, place: Place, covers: bool) -> Option<String> {
        match (self.unit(unit), self.place(place)) {
            (Some(own), Some(below)) if covers => Some(format!("{own}|{below}")),
            (Some(own), _) => Some(own),
            (None, below) => below,
        }
    }

    /// The places that are lit, in their order.
    pub fn places(&self) -> Vec<(Place, &[String])> {
        let mut places: Vec<_> =
            self.places.iter().map(|(place, names)| (*place, names.as_slice())).collect();
        places.sort_by_key(|(place, _)| *place);
        places
    }

    /// The units that can be chosen and are not on the map, in their order.
    pub fn waiting_units(&self, state: &State) -> Vec<UnitId> {
        let mut units: Vec<UnitId> =
            self.units.keys().copied().filter(|unit| !state.unit(*unit).on_map()).collect();
        units.sort();
        units
    }
}
