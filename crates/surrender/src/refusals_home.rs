//! Why a choice can't be made now: ships and aircraft, markers, purchases, politics.

use kernel::Refusal;

use crate::choice::Choice;
use crate::frame::Frame;
use crate::ids::{Country, Faction, Place, UnitId};
use crate::labels::hexes;
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

    /// Actions of ships, aircraft and landing troops. Rules 4.5 to 4.7, 6.4 to 6.8.
    pub(crate) fn why_not_mission(&self, state: &State, faction: Faction, choice: Choice) -> Refusal {
        let (Choice::Rebase(unit)
        | Choice::Sail(unit)
        | Choice::Transport(unit)
        | Choice::Invade(unit)
        | Choice::Strike(unit)
        | Choice::Bomb(unit)
        | Choice::Drop(unit)) = choice
        else {
            return self.not_asked(state);
        };
        if let Some(refusal) = self.not_own(state, faction, unit) {
            return refusal;
        }
        let (name, kind, now) = (self.unit_name(unit), self.kind(unit), state.unit(unit));
        if now.has(flag::RAILED) {
            return no(format!("{name} moved in the Strategic Movement Phase"), "4.8");
        }
        if !kind.is_ground()
            && let Some(refusal) = self.unfit(state, unit)
        {
            return refusal;
        }
        let ranges = &self.world.tables.ranges;
        match choice {
            Choice::Rebase(_) if !kind.is_air() => no("only air units rebase", "4.5"),
            Choice::Sail(_) | Choice::Transport(_) if !kind.is_naval() => no("only ships sail", "4.6"),
            Choice::Rebase(_) | Choice::Sail(_) if now.has(flag::MOVED) => no(
                format!("{name} has made its one move of this sub-phase"),
                if kind.is_air() { "4.5" } else { "4.6" },
            ),
            Choice::Rebase(_) => no("no free base is within its movement points", "4.5"),
            Choice::Sail(_) => no("no free port is within its movement points", "4.6"),
            Choice::Transport(_) if kind != Kind::Convoy => no("only convoys carry units", "4.7"),
            Choice::Transport(_) => no("nobody can go aboard, or there is no free port for both", "4.7"),
            Choice::Strike(_) => {
                no(format!("no enemy air unit or ship in port within {}", hexes(ranges.strike)), "6.6")
            }
            Choice::Bomb(_) if kind != Kind::Bomber => no("only bombers make Bombing Runs", "6.7"),
            Choice::Bomb(_) if now.has(flag::BOMBED) => {
                no(format!("{name} has made its Bombing Run of this sub-phase"), "6.7")
            }
            Choice::Bomb(_) => no(
                format!("no enemy Factory without a Bombed marker within {}", hexes(ranges.bombing)),
                "6.7",
            ),
            Choice::Drop(_) => self.why_not_airdrop(state, unit),
            _ => self.why_not_invade(state, faction, unit),
        }
    }

    fn why_not_airdrop(&self, state: &State, unit: UnitId) -> Refusal {
        let name = self.unit_name(unit);
        let country = self.country_of(state, unit);
        if self.kind(unit) != Kind::Airborne {
            return no("only airborne units drop", "6.8");
        }
        if state.unit(unit).has(flag::DONE) {
            return no(format!("{name} has been activated in this sub-phase"), "6.1");
        }
        if self.ready(state, Marker::Airdrop, Owner::Country(country)) == 0 {
            return no(format!("{} has no unused Airdrop marker", self.country_name(country)), "6.8");
        }
        no(
            "it needs a fit air unit of its country beside it, a free hex within 3 hexes, and its points",
            "6.8",
        )
    }

    fn why_not_invade(&self, state: &State, faction: Faction, unit: UnitId) -> Refusal {
        let name = self.unit_name(unit);
        if !self.kind(unit).is_field() {
            return no("only field ground units land from the sea", "6.4");
        }
        if state.unit(unit).has(flag::DONE) {
            return no(format!("{name} has been activated in this sub-phase"), "6.1");
        }
        let most = if state.noted(note::WESER) { 3 } else { self.world.tables.landings(faction, state.turn) };
        if state.landings >= most {
            return no(format!("only {} in this sub-phase", count(most, "landing")), "6.4");
        }
        if self.world.waters(state.unit(unit).place) == 0 {
            return no(format!("{name} is not in a port"), "6.4");
        }
        no("it needs a fit convoy in its port, a beach in range that is not Severe, and its points", "6.4")
    }

    /// A marker that is played as an action. Rulings 44, 74.
    pub(crate) fn why_not_play(&self, state: &State, faction: Faction, marker: Marker) -> Refusal {
        if let Some((turn, markers)) = &self.scenario().hooks.marker_turn
            && markers.contains(&marker)
            && *turn != state.turn
        {
            return no(format!("it can be played in {} only", month_words(*turn)), "30.6");
        }
        if state.noted(note::BEGUN) && self.holds(state, faction, marker) {
            return no(
                format!("{} is played before any other action", self.marker_name(marker)),
                "R74",
            );
        }
        self.why_not_use(state, faction, marker)
    }

    /// Whether a faction or one of its countries has a marker in hand.
    fn holds(&self, state: &State, faction: Faction, marker: Marker) -> bool {
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
        if self.holds(state, faction, marker) {
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
        if !self.holds(state, faction, Marker::Partisans) {
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
        let made = state.railed[country.index()];
        if made > 0 {
            let text = format!("{} has made {}", self.country_name(country), count(made, "Strategic Move"));
            return no(text, "4.8");
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

    /// A base or a place for a new unit that can't be used. Rule 3.2.
    fn why_not_base(&self, state: &State, unit: UnitId, place: Place, rule: &'static str) -> Refusal {
        let (words, side) = (self.place_words(place), self.side_of(state, unit));
        let kind = self.kind(unit);
        if kind.is_air() && !self.is_air_base(state, place, side) {
            return no(format!("{words} is no friendly city"), "3.2");
        }
        if kind.is_naval() && !self.is_naval_base(state, place, side) {
            return no(format!("{words} is no friendly port"), "3.2");
        }
        if !self.has_room(state, unit, place) {
            return no(format!("{words} is taken"), "3.2");
        }
        match rule {
            "8.3" => no(format!("{words} is no place where {} can be mobilized", self.unit_name(unit)), rule),
            _ => no(format!("{words} is out of reach ({} MP)", self.allowance(state, unit)), rule),
        }
    }

    fn why_not_strike(&self, state: &State, unit: UnitId, other: UnitId) -> Refusal {
        let name = self.unit_name(other);
        let range = self.world.tables.ranges.strike;
        if self.kind(other).is_ground() {
            return no("an Air Strike hits air units and ships in port", "6.6");
        }
        if !state.at_war(self.side_of(state, unit), self.side_of(state, other)) {
            return no(format!("{name} is no enemy"), "1.1");
        }
        if !self.is_within(state, other, state.unit(unit).place, range) {
            return no(format!("{name} is more than {} away", hexes(range)), "1.4");
        }
        no(format!("{name} can't be struck"), "6.6")
    }

    fn why_not_bomb(&self, state: &State, unit: UnitId, place: Place) -> Refusal {
        let range = self.world.tables.ranges.bombing;
        let Some(city) = self.world.city_at(place).filter(|city| self.world.city(*city).factory) else {
            return no("there is no Factory to bomb", "6.7");
        };
        if !state.at_war(state.controller(place), self.side_of(state, unit)) {
            return no(format!("no enemy controls {}", self.city_name(city)), "6.7");
        }
        if state.is_bombed(city) {
            return no(format!("{} has a Bombed marker already", self.city_name(city)), "6.7");
        }
        no(format!("{} is more than {} away", self.city_name(city), hexes(range)), "1.4")
    }

    fn why_no_landing(&self, state: &State, faction: Faction, place: Place) -> Refusal {
        if !place.is_hex() || !self.world.hex(place).is_coastal() {
            return no("a landing needs a coastal hex", "6.4");
        }
        let unit = state.mission.passenger;
        if let Some(refusal) = self.why_closed(state, place, faction.side()) {
            return refusal;
        }
        if self.world.hex(place).faded || self.is_barred(state, place, unit) {
            return no("no ground unit may enter this hex", "1.3");
        }
        if state
            .ground_at(place)
            .is_some_and(|other| !state.at_war(self.side_of(state, other), faction.side()))
        {
            return no("a friend stands there", "6.4");
        }
        no("no Sea Zone that touches it is in range and free of Severe weather", "6.4")
    }

    fn why_no_drop(&self, state: &State, place: Place) -> Refusal {
        if !place.is_hex() {
            return no("an Airdrop needs a land hex", "6.8");
        }
        if let Some(other) = state.ground_at(place) {
            return no(format!("{} stands there", self.unit_name(other)), "6.8");
        }
        if self.weather_at(state, place) == crate::tables::Weather::Severe {
            return no("nobody drops in Severe weather", "6.8");
        }
        let range = self.world.tables.ranges.airdrop;
        no(format!("the drop zone must be open and within {} of the air unit", hexes(range)), "6.8")
    }

    /// An escort or interceptor. Rule 6.9.
    fn why_not_meet(&self, state: &State, faction: Faction, unit: UnitId) -> Refusal {
        if let Some(refusal) = self.not_own(state, faction, unit) {
            return refusal;
        }
        if let Some(refusal) = self.unfit(state, unit) {
            return refusal;
        }
        let name = self.unit_name(unit);
        match self.kind(unit) {
            kind if kind.is_ground() => no("only ships and aircraft escort or intercept", "6.9"),
            Kind::Convoy => no("convoys neither escort nor intercept", "6.9"),
            _ => no(format!("{name} is out of range of this mission"), "6.9"),
        }
    }

    fn why_no_link(&self, state: &State, faction: Faction, unit: UnitId) -> Refusal {
        if let Some(refusal) = self.not_own(state, faction, unit) {
            return refusal;
        }
        let name = self.unit_name(unit);
        if self.kind(unit) != Kind::Convoy {
            return no("only convoys make sea links", "7.4");
        }
        if state.unit(unit).has(flag::LINKED) {
            return no(format!("{name} has served a link in this check"), "7.4");
        }
        if let Some(refusal) = self.unfit(state, unit) {
            return refusal;
        }
        no(format!("nobody needs a link that begins or ends where {name} lies"), "7.4")
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
        if self.holds(state, faction, Marker::SurpriseAttack) {
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
