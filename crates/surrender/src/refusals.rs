//! Why a choice can't be made now: actions, activations and ground combat. It explains, it never decides: whatever is asked
//! about here is known not to be listed.

use kernel::Refusal;

use crate::choice::Choice;
use crate::frame::Frame;
use crate::ids::{Faction, Place, Side, UnitId};
use crate::labels_missions::hexes;
use crate::rules::Rules;
use crate::state::{State, Status, flag, note};
use crate::words::{count, month_words, the_side};
use crate::world::{Hexside, Kind};

/// A reason with its rule.
pub(crate) fn no(reason: impl Into<String>, rule: &'static str) -> Refusal {
    Refusal::new(reason, rule)
}

impl Rules {
    /// Why a choice that is not listed can't be made.
    pub(crate) fn why_not(&self, state: &State, choice: Choice) -> Refusal {
        let frame = state.frame();
        if frame == Frame::Over {
            return no("the game is over", "12.1");
        }
        if !frame.is_question() || frame.is_fate() {
            return match choice {
                Choice::Die(_) if !matches!(frame, Frame::DrawMarker(_)) => no("a die shows 1 to 6", "1.1"),
                Choice::Drawn(marker) if matches!(frame, Frame::DrawMarker(_)) => {
                    no(format!("{} is not in the Diplomacy Cup", self.diplomat_name(marker)), "10.4")
                }
                _ => no(format!("the dice come first: {}", self.prompt(state).text), self.prompt(state).rule),
            };
        }
        let faction = self.decider(state, frame);
        match (frame, choice) {
            (Frame::Actions(_), Choice::Activate(unit)) => self.why_not_activate(state, faction, unit),
            (Frame::Actions(_), Choice::Assault(hex)) => self.why_not_assault(state, faction, hex),
            (Frame::Actions(_), Choice::Play(marker)) => self.why_not_play(state, faction, marker),
            (Frame::Actions(_), Choice::End) => {
                let countries = self.scenario().hooks.must_invade.map_or(0, |(_, countries)| countries);
                no(format!("an Axis unit must first attack or enter {}", self.one_of(countries)), "30.6")
            }
            (Frame::Actions(_), Choice::LowCountries) => no("the Low Countries are not neutral", "30.6"),
            (Frame::Actions(_), Choice::Partisans(hex)) => self.why_no_partisans(state, faction, hex),
            (Frame::Actions(_), _) => self.why_not_mission(state, faction, choice),
            (Frame::Activation, Choice::Step(to)) => self.why_not_step(state, to),
            (Frame::Activation, Choice::Attack(hex)) => self.why_not_attack(state, hex),
            (Frame::Activation, Choice::Stop) => {
                no("a unit can't stop on a friend: it has to pass through", "R111")
            }
            (Frame::Primary(hex), Choice::Primary(unit)) => self.why_not_attacker(state, faction, unit, hex),
            (Frame::Additional | Frame::LandingMore, Choice::With(unit)) => {
                self.why_not_attacker(state, faction, unit, state.fight.hex)
            }
            (Frame::Commit(_), Choice::Commit) => no("you have nothing that you could commit", "5.1"),
            (Frame::Commit(_), Choice::HoldBack) => no("you have to commit something", "5.1"),
            (Frame::Commit(1), Choice::HoldBackAll) => {
                no("first choose for this combat: the attacker has not chosen yet", "R134")
            }
            (Frame::Commit(_), Choice::HoldBackAll) => no("only a defender can say so in advance", "R134"),
            (Frame::Item(_), Choice::Air(unit)) => self.why_no_air(state, faction, unit),
            (Frame::Item(_), Choice::Pass) => no("you showed Will Commit: commit at least one thing", "5.1"),
            (Frame::Item(_) | Frame::DuelItem(_) | Frame::Trick(_), Choice::Use(marker)) => {
                self.why_not_use(state, faction, marker)
            }
            (Frame::Fort, _) => no("stand in the fort or leave it", "5.3"),
            (Frame::Retreat, Choice::Retreat(hex)) => self.why_no_retreat(state, hex),
            _ => self.why_not_elsewhere(state, faction, choice),
        }
    }

    /// A choice of another kind than what is asked.
    pub(crate) fn not_asked(&self, state: &State) -> Refusal {
        let prompt = self.prompt(state);
        no(format!("this is the question now: {}", prompt.text), prompt.rule)
    }

    /// A unit that is not there, or not one's own.
    pub(crate) fn not_own(&self, state: &State, faction: Faction, unit: UnitId) -> Option<Refusal> {
        let name = self.unit_name(unit);
        let place = state.unit(unit).place;
        if place == Place::LATER {
            return Some(no(format!("{name} has not come yet"), "8.3"));
        }
        if place == Place::OUT {
            return Some(no(format!("{name} is out of the game"), "3.1"));
        }
        let side = self.side_of(state, unit);
        if side.player() != faction || side == Side::Nobody {
            return Some(no(format!("{name} is not one of your units"), "1.1"));
        }
        if place == Place::POOL {
            return Some(no(format!("{name} is in the Mobilization Box: mobilize it first"), "8.3"));
        }
        None
    }

    /// A ground unit that can't be activated. Rules 3.1, 4.8, 6.1, 9.2.
    fn why_not_activate(&self, state: &State, faction: Faction, unit: UnitId) -> Refusal {
        if let Some(refusal) = self.not_own(state, faction, unit) {
            return refusal;
        }
        let name = self.unit_name(unit);
        if !self.kind(unit).is_ground() {
            return no("only ground units are activated for points; aircraft and ships act freely", "6.1");
        }
        if let Some(refusal) = self.spent_unit(state, unit) {
            return refusal;
        }
        let cost = self.activation_cost(state, unit);
        if self.payer(state, unit, cost).is_none() {
            let country = self.country_of(state, unit);
            let has = count(state.country(country).points, "point");
            let cost = count(cost, "point");
            let text = format!(
                "{name} costs {cost}, {} has {has}, and nobody pays for it",
                self.country_name(country)
            );
            return no(text, "9.2");
        }
        no(format!("{name} could neither move nor attack"), "4.2")
    }

    /// What keeps a ground unit from acting in this sub-phase.
    fn spent_unit(&self, state: &State, unit: UnitId) -> Option<Refusal> {
        let name = self.unit_name(unit);
        let now = state.unit(unit);
        if self.kind(unit) == Kind::Garrison {
            let text = format!("{name} is a garrison: it moves by rail, by sea or in retreat only");
            return Some(no(text, "3.1"));
        }
        if now.has(flag::RAILED) {
            return Some(no(format!("{name} moved in the Strategic Movement Phase"), "4.8"));
        }
        if now.has(flag::DROPPED) {
            let text = format!("{name} was dropped in this sub-phase: it can only join an attack");
            return Some(no(text, "6.8"));
        }
        if now.has(flag::DONE) {
            return Some(no(format!("{name} has been activated in this sub-phase"), "6.1"));
        }
        self.frozen(state, unit)
    }

    /// A hook of the scenario that keeps units of a country still (30.6).
    pub(crate) fn frozen(&self, state: &State, unit: UnitId) -> Option<Refusal> {
        let hooks = &self.scenario().hooks;
        let country = self.country_of(state, unit);
        if hooks.no_activation.is_some_and(|(turn, of)| turn == state.turn && of >> country.index() & 1 != 0)
        {
            let text =
                format!("units of {} do nothing in {}", self.country_name(country), month_words(state.turn));
            return Some(no(text, "30.6"));
        }
        let waits = hooks.freeze.is_some_and(|(turn, of)| turn == state.turn && of == country);
        if waits && !state.noted(note::INVADED) {
            let name = self.country_name(country);
            return Some(no(format!("units of {name} wait until {name} is attacked"), "30.6"));
        }
        None
    }

    /// A hex that can't be entered. Rules 1.1, 4.2, 4.3.
    fn why_not_step(&self, state: &State, to: Place) -> Refusal {
        let unit = state.activation.unit;
        let from = state.unit(unit).place;
        if to.is_hex() && from.is_hex() && self.world.direction(from, to).is_none() {
            return no("a step leads to a neighbouring hex only", "4.2");
        }
        let by_box = to == Place::CRU && from.is_hex() && self.world.hex(from).to_russia;
        if !to.is_hex() && !by_box {
            return no(format!("there is no way by land to {}", self.place_words(to)), "4.2");
        }
        if let Some(refusal) = self.why_not_enter(state, unit, from, to) {
            return refusal;
        }
        let side = self.side_of(state, unit);
        if let Some(other) = self.ground_in(state, to) {
            let name = self.unit_name(other);
            if self.side_of(state, other) != side {
                return no(format!("{name} is there: attack it instead"), "4.2");
            }
            return no(format!("{name} is there, and no free hex behind it is in reach"), "R111");
        }
        if state.activation.begun && from.is_hex() && self.ezoc(state, from, side) {
            return no("the unit has stopped in an enemy zone of control", "4.3");
        }
        match self.step_cost(state, unit, from, to) {
            Some(cost) => no(format!("it costs {cost} MP, and {} are left", state.activation.points), "4.2"),
            None => no("no ground unit may go there", "4.2"),
        }
    }

    /// Ground that a unit may not enter whatever it costs; `None` if it may.
    pub(crate) fn why_not_enter(
        &self,
        state: &State,
        unit: UnitId,
        from: Place,
        to: Place,
    ) -> Option<Refusal> {
        if !to.is_hex() {
            return None;
        }
        if let Some(direction) = from.is_hex().then(|| self.world.direction(from, to)).flatten()
            && self.world.hex(from).sides[direction] == Hexside::Water
        {
            return Some(no("water lies between the two hexes", "4.2"));
        }
        if self.world.hex(to).faded {
            return Some(no("a hex with a faded dot: no ground unit may ever enter it", "1.3"));
        }
        if let Some(refusal) = self.why_closed(state, to, self.side_of(state, unit)) {
            return Some(refusal);
        }
        self.is_barred(state, to, unit)
            .then(|| no(format!("the scenario keeps {} out of this hex", self.unit_name(unit)), "30.6"))
    }

    /// A hex that is closed to a side (1.1); `None` if it is not.
    pub(crate) fn why_closed(&self, state: &State, hex: Place, side: Side) -> Option<Refusal> {
        if !self.is_closed(state, hex, side) {
            return None;
        }
        let words = self.place_words(hex);
        if !self.scenario().in_play(hex) {
            return Some(no(format!("{words} is outside the area of this scenario"), "30.1"));
        }
        let owner = self.owner(state, hex);
        let neutral = self
            .world
            .countries
            .get(owner.index())
            .is_none_or(|_| state.country(owner).status == Status::Neutral);
        match state.controller(hex) {
            Side::Nobody if neutral => {
                Some(no(format!("{words} is closed: {} is neutral", self.country_name(owner)), "1.1"))
            }
            Side::Nobody => Some(no(format!("{words} is closed: nobody controls it"), "1.1")),
            holder => {
                let text = format!("{words} is closed: you are not at war with {}", the_side(holder));
                Some(no(text, "1.1"))
            }
        }
    }

    /// An attack that can't be made. Rules 4.4, 6.3.
    fn why_not_attack(&self, state: &State, hex: Place) -> Refusal {
        let unit = state.activation.unit;
        let from = state.unit(unit).place;
        let side = self.side_of(state, unit);
        if !hex.is_hex() || !from.is_hex() {
            return no("nobody attacks into or out of the Central Russia Box", "4.2");
        }
        if self.world.direction(from, hex).is_none() {
            return no("a unit attacks neighbouring hexes only", "4.4");
        }
        if let Some(refusal) = self.why_not_enter(state, unit, from, hex) {
            return refusal;
        }
        let Some(defender) = state.ground_at(hex) else {
            return no("there is no enemy ground unit to attack", "4.4");
        };
        let name = self.unit_name(defender);
        if !state.at_war(self.side_of(state, defender), side) {
            return no(format!("{name} is no enemy"), "1.1");
        }
        if self.has_fort(state, hex) {
            return no(format!("{name} is in a fort: only an Assault can attack it"), "4.4");
        }
        match self.mobile_cost(state, unit, hex) {
            Some(cost) => {
                no(format!("the attack costs {cost} MP, and {} are left", state.activation.points), "4.4")
            }
            None => no(format!("{name} can't be attacked from here"), "4.4"),
        }
    }

    fn why_not_assault(&self, state: &State, faction: Faction, hex: Place) -> Refusal {
        let defender = self.ground_in(state, hex);
        let Some(defender) = defender.filter(|unit| state.at_war(self.side_of(state, *unit), faction.side()))
        else {
            return no("there is no enemy ground unit to assault", "6.3");
        };
        let beside = |unit: &UnitId| self.hexes_around(hex).any(|near| state.unit(*unit).place == near);
        let near: Vec<UnitId> = self.own_units(state, faction, Kind::is_ground).filter(beside).collect();
        if near.is_empty() {
            return no(format!("no unit of yours stands beside {}", self.unit_name(defender)), "6.3");
        }
        for unit in &near {
            if let Some(refusal) = self.spent_unit(state, *unit) {
                return refusal;
            }
        }
        no("no unit beside it has the points and MP for an Assault", "6.3")
    }

    fn why_not_attacker(&self, state: &State, faction: Faction, unit: UnitId, hex: Place) -> Refusal {
        if let Some(refusal) = self.not_own(state, faction, unit) {
            return refusal;
        }
        let name = self.unit_name(unit);
        if !self.is_within(state, unit, hex, 1) {
            return no(format!("{name} does not stand beside {}", self.place_words(hex)), "6.3");
        }
        if state.fight.primary == unit || state.fight.more.contains(&unit) {
            return no(format!("{name} attacks already"), "6.3");
        }
        if state.fight.more.iter().all(|unit| unit.some().is_some()) {
            return no("an attack has at most two Additional Attackers", "6.3");
        }
        if let Some(refusal) = self.spent_unit(state, unit) {
            return refusal;
        }
        no(format!("{name} lacks the points or the MP for this attack"), "6.3")
    }

    /// An air unit that can't be committed. Rule 5.1 step 2.
    fn why_no_air(&self, state: &State, faction: Faction, unit: UnitId) -> Refusal {
        if let Some(refusal) = self.not_own(state, faction, unit) {
            return refusal;
        }
        let name = self.unit_name(unit);
        let range = self.world.tables.ranges.support;
        let hex = state.fight.hex;
        if !self.kind(unit).is_air() {
            return no(format!("{name} is no air unit"), "5.1");
        }
        if let Some(refusal) = self.unfit(state, unit) {
            return refusal;
        }
        if hex.is_hex() && self.weather_at(state, hex) == crate::tables::Weather::Severe {
            return no("no Air Support in Severe weather", "5.1");
        }
        if !self.is_within(state, unit, hex, range) {
            return no(format!("{name} is more than {} away", hexes(range)), "1.4");
        }
        no("each side commits at most one air unit", "5.1")
    }

    /// An air or naval unit that can do nothing but defend (3.1).
    pub(crate) fn unfit(&self, state: &State, unit: UnitId) -> Option<Refusal> {
        let name = self.unit_name(unit);
        let most = self.world.tables.production.max_sorties;
        if state.unit(unit).level >= most {
            return Some(no(format!("{name} has {most} Sorties and can only defend"), "3.1"));
        }
        state
            .unit(unit)
            .has(flag::ENDED)
            .then(|| no(format!("the activation of {name} has ended for this Operations Phase"), "3.1"))
    }

    /// A hex into which the defender can't retreat. Rule 5.3.
    fn why_no_retreat(&self, state: &State, hex: Place) -> Refusal {
        let unit = state.fight.defender;
        let from = state.unit(unit).place;
        if !hex.is_hex() || !from.is_hex() || self.world.direction(from, hex).is_none() {
            return no("a retreat leads to a neighbouring hex", "5.3");
        }
        if let Some(refusal) = self.why_not_enter(state, unit, from, hex) {
            return refusal;
        }
        let side = self.side_of(state, unit);
        if let Some(other) = state.ground_at(hex) {
            return no(format!("{} is there already", self.unit_name(other)), "3.2");
        }
        let attackers = [state.fight.primary, state.fight.more[0], state.fight.more[1]];
        if attackers.into_iter().filter_map(UnitId::some).any(|unit| self.is_within(state, unit, hex, 1)) {
            return no("a retreat must end two hexes away from every attacker", "5.3");
        }
        if self.has_enemy_city(state, hex, side) {
            return no("nobody retreats into an enemy city or fort", "5.3");
        }
        if self.ezoc(state, hex, side) {
            return no("the hex lies in an enemy zone of control", "5.3");
        }
        no("the unit can't retreat there", "5.3")
    }
}
