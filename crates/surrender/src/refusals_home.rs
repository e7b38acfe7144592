//! Why a choice can't be made now: markers, Strategic Movement, purchases, politics.

use kernel::Refusal;

use crate::choice::Choice;
use crate::frame::Frame;
use crate::ids::{Country, Faction, Place, UnitId};
use crate::markers::{Marker, Owner};
use crate::refusals::no;
use crate::rules::Rules;
use crate::state::{State, Status, Supply, flag, note};
use crate::tables::turn_of;
use crate::words::{count, month_words, the_faction, the_side};
use crate::world::Kind;

impl Rules {
    /// Questions outside the Actions Sub-Phase, and the targets of missions.
    pub(crate) fn why_not_elsewhere(&self, state: &State, faction: Faction, choice: Choice) -> Refusal {
        match (state.frame(), choice) {
            (Frame::Rail(_), Choice::Rail(unit)) => self.why_no_rail(state, faction, unit),
            (Frame::RailTo(unit), Choice::To(place)) => self.why_not_rail_to(state, unit, place),
            (Frame::RebaseTo(unit), Choice::To(place)) => self.why_not_base(state, unit, place, "4.5"),
            (Frame::SailTo(unit), Choice::To(place)) => self.why_not_base(state, unit, place, "4.6"),
            (Frame::TransportTo, Choice::To(place)) => {
                self.why_not_base(state, state.mission.unit, place, "4.7")
            }
            (Frame::MobilizeAt(unit), Choice::To(place)) => self.why_not_base(state, unit, place, "8.3"),
            (Frame::StrikeAt(unit), Choice::Against(other)) => self.why_not_strike(state, unit, other),
            (Frame::BombAt(unit), Choice::At(place)) => self.why_not_bomb(state, unit, place),
            (Frame::InvadeAt, Choice::At(place)) => self.why_no_landing(state, faction, place),
            (Frame::DropAt, Choice::At(place)) => self.why_no_drop(state, place),
            (Frame::Escort, Choice::Escort(unit)) | (Frame::Intercept(_), Choice::Intercept(unit)) => {
                self.why_not_meet(state, faction, unit)
            }
            (Frame::Link(_), Choice::Link(unit)) => self.why_no_link(state, faction, unit),
            (Frame::Replace(_), Choice::Replace(unit)) => self.why_not_replace(state, faction, unit),
            (Frame::Mobilize(_), Choice::Mobilize(unit)) => self.why_not_mobilize(state, faction, unit),
            (Frame::Mobilize(_), Choice::Order) => self.why_not_order(state, faction),
            (Frame::Declare(_), Choice::Declare(country)) => self.why_not_declare(state, faction, country),
            (Frame::Declare(_), Choice::Peace(country)) => {
                no(format!("{} does not fight the Soviets alone", self.country_name(country)), "2.2")
            }
            (Frame::Influence(_), Choice::Influence(country)) => {
                self.why_no_influence(state, faction, country)
            }
            (Frame::Diplomacy(_), Choice::Draw | Choice::Put(_)) => {
                self.why_no_diplomacy(state, faction, choice)
            }
            _ => self.not_asked(state),
        }
    }

    /// A marker that is played as an action. Rulings 44, 74.
    pub(crate) fn why_not_play(&self, state: &State, faction: Faction, marker: Marker) -> Refusal {
        if let Some((turn, markers)) = &self.scenario().hooks.marker_turn
            && markers.contains(&marker)
            && *turn != state.turn
        {
            return no(format!("it can be played in {} only", month_words(*turn)), "30.6");
        }
        if state.noted(note::BEGUN) && self.has_in_hand(state, faction, marker) {
            return no(format!("{} is played before any other action", self.marker_name(marker)), "R74");
        }
        self.why_not_use(state, faction, marker)
    }

    /// Whether a faction or one of its countries has a marker in hand.
    fn has_in_hand(&self, state: &State, faction: Faction, marker: Marker) -> bool {
        self.slot_owners().iter().enumerate().any(|(slot, (of, owner))| {
            *of == marker && self.owns(state, faction, *owner) && state.ready[slot] > 0
        })
    }

    fn owns(&self, state: &State, faction: Faction, owner: Owner) -> bool {
        match owner {
            Owner::Faction(known) => known == faction,
            Owner::Country(country) => {
                let entry = state.country(country);
                entry.status == Status::Active && entry.side.player() == faction
            }
        }
    }

    /// A marker that can't be used in a combat. Rule 14.
    pub(crate) fn why_not_use(&self, state: &State, faction: Faction, marker: Marker) -> Refusal {
        let name = self.marker_name(marker);
        let spent = self.slot_owners().iter().enumerate().any(|(slot, (of, owner))| {
            *of == marker && self.owns(state, faction, *owner) && state.spent[slot] > 0
        });
        if self.has_in_hand(state, faction, marker) {
            let why = match marker {
                Marker::GroundSupport => "a ground unit of its owner must attack or defend; one in a combat",
                Marker::HeavyArtillery => "it is for an attack of its owner on a unit in a city or fort",
                Marker::Maskirovka => "it is for an attack of the Soviets",
                _ => "it has no use here",
            };
            return no(format!("{name}: {why}"), "14.0");
        }
        if marker == Marker::SurpriseAttack && state.surprise[faction.index()] != u8::MAX {
            let turn = state.surprise[faction.index()];
            if turn > state.turn {
                return no(format!("{name} comes in {}", month_words(turn)), "9.3");
            }
        }
        if spent {
            return no(format!("{name} has been used and is back at the End of Turn"), "14.0");
        }
        no(format!("you have no {name} marker now"), "14.0")
    }

    pub(crate) fn why_no_partisans(&self, state: &State, faction: Faction, hex: Place) -> Refusal {
        if !self.has_in_hand(state, faction, Marker::Partisans) {
            return self.why_not_use(state, faction, Marker::Partisans);
        }
        if state.partisans.iter().any(|(at, _)| *at == hex) {
            return no("there are Partisans already", "14.0");
        }
        no("Partisans rise where an enemy ground unit stands in an Allied country", "1.4")
    }

    /// A unit that can't make a Strategic Move. Rule 4.8.
    fn why_no_rail(&self, state: &State, faction: Faction, unit: UnitId) -> Refusal {
        if let Some(refusal) = self.not_own(state, faction, unit) {
            return refusal;
        }
        let name = self.unit_name(unit);
        if self.kind(unit).is_naval() {
            return no("ships don't move by rail", "4.8");
        }
        if state.unit(unit).has(flag::RAILED) {
            return no(format!("{name} has made its Strategic Move"), "4.8");
        }
        if let Some(refusal) = self.frozen(state, unit) {
            return refusal;
        }
        let (place, side) = (state.unit(unit).place, self.side_of(state, unit));
        if self.kind(unit).is_ground() && place.is_hex() {
            if self.ezoc(state, place, side) {
                return no(format!("{name} stands in an enemy zone of control"), "4.8");
            }
            let on_line = self.world.hex(place).lines != 0 || self.world.hex(place).line_to_russia;
            if !on_line {
                return no(format!("{name} does not stand on a Transport Line"), "4.8");
            }
        }
        let country = self.country_of(state, unit);
        let most = self.rail_allowance(state, country);
        if state.railed[country.index()] >= most {
            let moves = count(most, "Strategic Move");
            return no(format!("{} has made its {moves}", self.country_name(country)), "4.8");
        }
        no(format!("{name} can reach no free place by rail or air"), "4.8")
    }

    fn why_not_rail_to(&self, state: &State, unit: UnitId, place: Place) -> Refusal {
        if !self.has_room(state, unit, place) {
            return no(format!("{} is taken", self.place_words(place)), "3.2");
        }
        if place.is_hex()
            && let Some(refusal) = self.why_closed(state, place, self.side_of(state, unit))
        {
            return refusal;
        }
        if self.kind(unit).is_ground() && place.is_hex() {
            let side = self.side_of(state, unit);
            if self.ezoc(state, place, side) {
                return no("the hex lies in an enemy zone of control", "4.8");
            }
            if self.world.hex(place).lines == 0 {
                return no("no Transport Line runs there", "4.8");
            }
        }
        no("no open Transport Line leads there", "4.8")
    }

    fn why_not_replace(&self, state: &State, faction: Faction, unit: UnitId) -> Refusal {
        if let Some(refusal) = self.not_own(state, faction, unit) {
            return refusal;
        }
        let (name, now, kind) = (self.unit_name(unit), state.unit(unit), self.kind(unit));
        if kind == Kind::Garrison {
            return no("garrisons are never replaced", "8.1");
        }
        if now.level == 0 {
            return no(format!("{name} needs no replacements"), "8.1");
        }
        if now.supply == Supply::No && kind.is_ground() {
            return no(format!("{name} has No Supply"), "8.1");
        }
        let bought = if kind.is_ground() { flag::REPLACED } else { flag::REPLACED_TWICE };
        if now.has(bought) {
            return no(format!("{name} has had its replacements of this turn"), "8.1");
        }
        let cost = self.world.tables.production.replacement[kind as usize];
        self.too_dear(state, unit, cost, "8.1")
    }

    fn why_not_mobilize(&self, state: &State, faction: Faction, unit: UnitId) -> Refusal {
        let name = self.unit_name(unit);
        let place = state.unit(unit).place;
        if place != Place::POOL {
            return no(format!("{name} is not in the Mobilization Box"), "8.3");
        }
        if self.side_of(state, unit).player() != faction {
            return no(format!("{name} is not one of your units"), "8.3");
        }
        let cost = self.world.tables.production.mobilization[self.kind(unit) as usize];
        if state.country(self.country_of(state, unit)).points >= cost {
            return no(format!("there is no free place where {name} could be mobilized"), "8.3");
        }
        self.too_dear(state, unit, cost, "8.3")
    }

    fn too_dear(&self, state: &State, unit: UnitId, cost: i16, rule: &'static str) -> Refusal {
        let country = self.country_of(state, unit);
        let has = count(state.country(country).points, "point");
        no(format!("it costs {}, and {} has {has}", count(cost, "point"), self.country_name(country)), rule)
    }

    fn why_not_order(&self, state: &State, faction: Faction) -> Refusal {
        let cost = self.world.tables.production.surprise;
        if self.has_in_hand(state, faction, Marker::SurpriseAttack) {
            return no("you have a Surprise Attack marker in hand", "9.3");
        }
        if state.surprise[faction.index()] != u8::MAX && state.surprise[faction.index()] > state.turn {
            return no(
                format!("it is ordered and comes in {}", month_words(state.surprise[faction.index()])),
                "9.3",
            );
        }
        no(format!("it costs {} of the leading power", count(cost, "point")), "9.3")
    }

    /// A declaration of war that is not allowed. Rule 10.1.
    fn why_not_declare(&self, state: &State, faction: Faction, country: Country) -> Refusal {
        let name = self.country_name(country);
        let entry = state.country(country);
        match entry.status {
            Status::Active => {
                return no(format!("{name} is at war already, with {}", the_side(entry.side)), "10.1");
            }
            Status::Conquered => return no(format!("{name} is conquered"), "10.1"),
            Status::Pending => return no(format!("{name} can't be declared war on"), "R105"),
            Status::Absent => return no(format!("{name} does not exist now"), "2.1"),
            Status::Neutral => {}
        }
        if entry.pro == Some(faction) {
            return no(format!("{name} bears your own Pro-marker"), "10.3");
        }
        match faction {
            Faction::Western if !state.war_west => no("Appeasement is in force", "10.2"),
            Faction::Western if state.turn < turn_of(1943, 1) => {
                no("before 1943 only on Pro-Axis countries, Vichy France, Iraq and Persia", "10.1")
            }
            Faction::Soviet => no(format!("{name} has no land border with a Soviet hex"), "10.1"),
            _ => no(format!("{} can't declare war on {name} now", the_faction(faction)), "10.1"),
        }
    }

    fn why_no_influence(&self, state: &State, faction: Faction, country: Country) -> Refusal {
        let name = self.country_name(country);
        if state.country(country).status != Status::Neutral {
            return no(format!("{name} is not neutral"), "10.3");
        }
        let text = format!("{} may not court {name}", the_faction(faction));
        no(text, "10.3")
    }

    fn why_no_diplomacy(&self, state: &State, faction: Faction, choice: Choice) -> Refusal {
        match choice {
            Choice::Draw if state.cup.iter().all(|count| *count == 0) => {
                no("the Diplomacy Cup is empty", "10.4")
            }
            Choice::Put(marker) if state.holding[marker as usize] == 0 => {
                no(format!("{} is not in the Holding Box", self.diplomat_name(marker)), "10.4")
            }
            _ => {
                let production = &self.world.tables.production;
                let cost = if choice == Choice::Draw { production.draw } else { production.put };
                let who = the_faction(faction);
                no(format!("the leading power of {who} needs {}", count(cost, "point")), "10.4")
            }
        }
    }
}
